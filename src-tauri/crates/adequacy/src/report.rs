//! What goes into a check and what comes out.

use plan::{IdOrigin, Plan, Problem, Requirement, Span, Task, TaskId};
use serde::Serialize;

use crate::code::{Badge, Code, Severity};
use crate::dimensions::Dimension;
use crate::facts::WorkspaceFacts;
use crate::identity::{finding_id, fingerprint};
use crate::mend::Fix;
use crate::size::PlanDepth;

/// Everything a check looks at.
#[derive(Debug, Clone, Copy)]
pub struct CheckInput<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// What the reader of the file found odd.
    pub problems: &'a [Problem],
    /// The goal, where it is not the plan's own.
    pub goal: Option<&'a str>,
    /// What the plan has to do, where the file does not list it.
    pub requirements: &'a [Requirement],
    /// How finely the plan is to be cut.
    pub depth: PlanDepth,
    /// Files that the user put in scope; their number lifts the goal's complexity.
    pub scope: &'a [String],
    /// The earlier revision this one was made from; with it the regression codes can be raised.
    pub before: Option<&'a Plan>,
    /// What is known about the workspace.
    pub facts: &'a WorkspaceFacts,
    /// Whether a model is at hand; without one, people carry out what no `call:` does, and vague
    /// words weigh less.
    pub has_model: bool,
}

/// How adequate a plan is, and why. As JSON it is the adequacy block: the word and the numbers, without the findings and
/// the reasons, which stand beside it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// 0 to 1: what the four dimensions have earned together, times [`factor`](Self::factor), under a cap
    /// where there is a cycle, a critical finding, an open requirement or no substance.
    pub score: f64,
    /// The product of the factors of the plan codes that no dimension looks at, 0 to 1.
    pub factor: f64,
    /// The word beside the score.
    pub badge: Badge,
    /// Whether the plan is too thin by its codes, its risk, or a list of requirements that is mostly open. The badge says
    /// so too where little is earned.
    pub is_too_thin: bool,
    /// The plan codes raised, in the order of the table of plan codes.
    pub adequacy_reason_codes: Vec<Code>,
    /// The least number of normal leaf tasks for this goal and depth.
    pub detail_target_min_tasks: u32,
    /// The goal's complexity, 2 to 9.
    pub estimated_goal_complexity: u32,
    /// Mean of (1 - confidence) over the normal leaf tasks, 0 to 1; 0 for an empty plan.
    pub aggregate_unresolved_risk: f64,
    /// Tasks with at least one critical finding.
    pub critical_count: u32,
    /// Share of the requirements that some step takes care of, 0 to 1: by `covers:` or by its words.
    /// Without a list of requirements the parts of the goal count, where it has several; `None`
    /// where it has not.
    pub coverage: Option<f64>,
    /// What the steps say that another plan would not, 0 to 1; `None` where the table of rare
    /// words is damaged.
    pub substance: Option<f64>,
    /// Share of the changes that a check would notice if they were wrong, 0 to 1.
    pub checks: f64,
    /// How far the order of the steps can be kept, and what cannot be taken back is guarded, 0 to 1.
    pub order: f64,
    /// The four again, each with what it was credited for and what would add most.
    #[serde(skip)]
    pub dimensions: Vec<Dimension>,
    /// What the plan has to do: each requirement, else each part of the goal where it has several.
    #[serde(skip)]
    pub requirements: Vec<WantedReport>,
    /// Every finding, the gravest first, then from the top of the file to its end. Muted ones too:
    /// they count like the others, since a plan must not be able to praise itself.
    #[serde(skip)]
    pub findings: Vec<Finding>,
    /// What the plan codes took from it, in the order of the table of plan codes.
    #[serde(skip)]
    pub reasons: Vec<Reason>,
}

/// Something that the plan has to do, and whether it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WantedReport {
    /// Its id in the list of requirements; empty for a part of the goal.
    pub id: String,
    /// Its words.
    pub text: String,
    /// Whether the steps do it.
    pub covered: bool,
    /// The lines, from 1, of the steps that do it, the one that does the most of it first.
    pub lines: Vec<u32>,
    /// One plain sentence: what was compared and what was found.
    pub why: String,
}

/// One factor of the score, in words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// The plan code that looks at it.
    pub code: Code,
    /// What the score was multiplied by, 0 to 1; 1 where a dimension counts it.
    pub factor: f64,
    /// One plain sentence: what was counted and what was found.
    pub message: String,
}

/// One reason why a plan is not adequate.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Stays the same while the task's own words do, wherever the task moves; unique in a report.
    pub id: String,
    /// What is wrong.
    pub code: Code,
    /// How much it weighs.
    pub severity: Severity,
    /// The task concerned; `None` where it is the plan as a whole.
    pub task: Option<TaskId>,
    /// Its line, from 1.
    pub line: u32,
    /// The bytes of the text that it is about: the words, the value of a key, else a title. Empty
    /// where it is about the plan as a whole.
    pub place: Span,
    /// One plain sentence that names the place and says what to do.
    pub message: String,
    /// What to ask the person; at most one finding of a task has a question. Its answers are the
    /// fixes, each of which says what becomes of the plan.
    pub question: Option<String>,
    /// Edits that mend it, the one to recommend first; to be shown before one is made.
    pub fixes: Vec<Fix>,
    /// Why the person does not want to hear of it, as the plan's `mute:` says.
    pub muted: Option<String>,
}

impl Finding {
    /// A finding about one task; `own_text` is the fingerprint of its title and body.
    pub(crate) fn on(task: &Task, own_text: u64, code: Code, severity: Severity) -> Self {
        Self {
            id: finding_id(code.as_str(), own_text),
            code,
            severity,
            task: Some(task.id.clone()),
            line: task.line,
            place: task.title_span.clone(),
            message: String::new(),
            question: None,
            fixes: Vec::new(),
            muted: None,
        }
    }

    /// A finding about the plan as a whole; `about` tells apart several with the same code.
    pub(crate) fn of_plan(plan: &Plan, about: &str, code: Code, severity: Severity) -> Self {
        Self {
            id: finding_id(code.as_str(), fingerprint(about)),
            code,
            severity,
            task: None,
            line: plan.title.as_ref().map_or(1, |title| title.line),
            place: 0..0,
            message: String::new(),
            question: None,
            fixes: Vec::new(),
            muted: None,
        }
    }

    pub(crate) fn saying(mut self, message: String) -> Self {
        self.message = message;
        self
    }

    pub(crate) fn asking(mut self, question: String) -> Self {
        self.question = Some(question);
        self
    }

    pub(crate) fn at(mut self, place: Span) -> Self {
        self.place = place;
        self
    }

    /// Without two answers there is nothing to ask.
    pub(crate) fn asking_only_with_answers(mut self) -> Self {
        if self.fixes.len() < 2 {
            self.question = None;
        }
        self
    }

    pub(crate) fn mended_by(mut self, fixes: impl IntoIterator<Item = Fix>) -> Self {
        self.fixes.extend(fixes);
        self
    }
}

/// What a sentence calls a task: its id, or its line where no id is written.
pub(crate) fn place(task: &Task) -> String {
    named(task, "the step in line", "step")
}

/// The same at the beginning of a sentence.
pub(crate) fn place_first(task: &Task) -> String {
    named(task, "The step in line", "Step")
}

fn named(task: &Task, by_line: &str, by_number: &str) -> String {
    match task.id_origin {
        IdOrigin::Positional => format!("{by_line} {}", task.line),
        // A bare number reads as a quantity.
        IdOrigin::Written if task.id.as_str().starts_with(|c: char| c.is_ascii_digit()) => {
            format!("{by_number} {}", task.id)
        }
        IdOrigin::Written => task.id.to_string(),
    }
}

/// A text in quotation marks, cut to what a sentence can carry.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = text.lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("“{}…”", line[..cut].trim_end()),
        None => format!("“{line}”"),
    }
}
