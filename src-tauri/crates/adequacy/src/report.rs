//! Input and output of a check.

use plan::{IdOrigin, Plan, Problem, Requirement, Span, Task, TaskId};
use serde::Serialize;

use crate::code::{Badge, Code, Severity};
use crate::dimensions::Dimension;
use crate::facts::WorkspaceFacts;
use crate::identity::{finding_id, fingerprint};
use crate::mend::Fix;
use crate::size::PlanDepth;

/// Input of a check.
#[derive(Debug, Clone, Copy)]
pub struct CheckInput<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The parser's problems.
    pub problems: &'a [Problem],
    /// The goal, if it differs from the plan's own.
    pub goal: Option<&'a str>,
    /// Requirements that the file does not list.
    pub requirements: &'a [Requirement],
    /// How detailed the plan should be.
    pub depth: PlanDepth,
    /// Files that the user put in scope; their number raises the goal's complexity.
    pub scope: &'a [String],
    /// The earlier revision this one was made from; required for the regression codes.
    pub before: Option<&'a Plan>,
    /// What is known about the workspace.
    pub facts: &'a WorkspaceFacts,
    /// Whether a model is available; without one, people carry out every step that has no `call:`,
    /// and vague words weigh less.
    pub has_model: bool,
}

/// The score of a plan, with its reasons. Its JSON is the adequacy block, without the findings and
/// the reasons, which are separate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// 0 to 1: the combined dimensions times [`factor`](Self::factor), capped if there is a cycle,
    /// a critical finding, an open requirement or no substance.
    pub score: f64,
    /// The product of the factors of all plan codes that no dimension accounts for, 0 to 1.
    pub factor: f64,
    /// The rating in one word.
    pub badge: Badge,
    /// Whether the plan is too thin because of its codes, its risk, or a mostly open list of
    /// requirements. The badge is thin for a low score too.
    pub is_too_thin: bool,
    /// The raised plan codes, in the order of the table of plan codes.
    pub adequacy_reason_codes: Vec<Code>,
    /// Minimum number of normal leaf tasks for this goal and depth.
    pub detail_target_min_tasks: u32,
    /// The goal's complexity, 2 to 9.
    pub estimated_goal_complexity: u32,
    /// Mean of (1 - confidence) over the normal leaf tasks, 0 to 1; 0 for an empty plan.
    pub aggregate_unresolved_risk: f64,
    /// Tasks with at least one critical finding.
    pub critical_count: u32,
    /// Share of the requirements covered by a step, 0 to 1: by `covers:` or by its words. Without a
    /// list of requirements, the parts of the goal count if it has several; otherwise `None`.
    pub coverage: Option<f64>,
    /// How specific the steps are, 0 to 1; `None` if the word table is damaged.
    pub substance: Option<f64>,
    /// Share of the changes whose mistakes a check would notice, 0 to 1.
    pub checks: f64,
    /// How well the steps are ordered and irreversible ones guarded, 0 to 1.
    pub order: f64,
    /// The four dimensions, each with the reason for its share and the best improvement.
    #[serde(skip)]
    pub dimensions: Vec<Dimension>,
    /// The requirements, else the parts of the goal if it has several.
    #[serde(skip)]
    pub requirements: Vec<RequirementReport>,
    /// Every finding, sorted by severity and then by line. Includes muted ones, which count like
    /// the others, since a plan must not be able to improve its own rating.
    #[serde(skip)]
    pub findings: Vec<Finding>,
    /// The effect of the plan codes on the score, in the order of the table of plan codes.
    #[serde(skip)]
    pub reasons: Vec<Reason>,
}

/// A requirement or a part of the goal, and whether the plan covers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RequirementReport {
    /// Its id in the list of requirements; empty for a part of the goal.
    pub id: String,
    /// Its text.
    pub text: String,
    /// Whether the steps cover it.
    pub covered: bool,
    /// Lines, from 1, of the steps that cover it, the best match first.
    pub lines: Vec<u32>,
    /// The comparison and its result, in one sentence.
    pub why: String,
}

/// One factor of the score, explained.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// Its plan code.
    pub code: Code,
    /// The factor on the score, 0 to 1; 1 if a dimension accounts for it.
    pub factor: f64,
    /// The explanation, in one sentence.
    pub message: String,
}

/// One problem of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Stays the same while the task's own words do, even if the task moves; unique in a report.
    pub id: String,
    /// The kind of problem.
    pub code: Code,
    /// How severe it is.
    pub severity: Severity,
    /// The task concerned; `None` for the plan as a whole.
    pub task: Option<TaskId>,
    /// Its line, from 1.
    pub line: u32,
    /// Byte range of the text concerned: some words, the value of a key, or else a title. Empty for
    /// the plan as a whole.
    pub place: Span,
    /// One sentence that names the place and says what to do.
    pub message: String,
    /// A question for the person; at most one finding of a task has one. The fixes are its answers,
    /// and their labels describe the effect on the plan.
    pub question: Option<String>,
    /// Edits that fix it, the recommended one first; to be shown before one is applied.
    pub fixes: Vec<Fix>,
    /// The reason if it is muted by `mute:` in the plan.
    pub muted: Option<String>,
}

impl Finding {
    /// A finding about one task; `own_text` is the fingerprint of its title and body.
    pub(crate) fn for_task(task: &Task, own_text: u64, code: Code, severity: Severity) -> Self {
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

    /// A finding about the plan as a whole; `about` distinguishes several with the same code.
    pub(crate) fn for_plan(plan: &Plan, about: &str, code: Code, severity: Severity) -> Self {
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

    pub(crate) fn with_message(mut self, message: String) -> Self {
        self.message = message;
        self
    }

    pub(crate) fn with_question(mut self, question: String) -> Self {
        self.question = Some(question);
        self
    }

    pub(crate) fn at(mut self, place: Span) -> Self {
        self.place = place;
        self
    }

    /// A question needs at least two answers.
    pub(crate) fn drop_question_without_answers(mut self) -> Self {
        if self.fixes.len() < 2 {
            self.question = None;
        }
        self
    }

    pub(crate) fn with_fixes(mut self, fixes: impl IntoIterator<Item = Fix>) -> Self {
        self.fixes.extend(fixes);
        self
    }
}

/// How a sentence refers to a task: by id, or by line if it has no written id.
pub(crate) fn place(task: &Task) -> String {
    named(task, "the step on line", "step")
}

/// The same at the beginning of a sentence.
pub(crate) fn place_first(task: &Task) -> String {
    named(task, "The step on line", "Step")
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

/// A text in quotation marks, shortened to fit a sentence.
pub(crate) fn quoted(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    let line = text.lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(MAX_CHARS) {
        Some((cut, _)) => format!("“{}…”", line[..cut].trim_end()),
        None => format!("“{line}”"),
    }
}
