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
    /// The plan to check.
    pub plan: &'a Plan,
    /// The problems that the parser found.
    pub problems: &'a [Problem],
    /// The goal, if it differs from the plan's own.
    pub goal: Option<&'a str>,
    /// Requirements given by the caller because the plan file does not list them.
    pub requirements: &'a [Requirement],
    /// How detailed the plan should be.
    pub depth: PlanDepth,
    /// Files that the user put in scope; the more there are, the higher the goal's complexity.
    pub scope: &'a [String],
    /// The earlier revision that the plan was made from; without it, regression codes are not
    /// raised.
    pub before: Option<&'a Plan>,
    /// Known facts about the workspace.
    pub facts: &'a WorkspaceFacts,
    /// Whether a model is available. Without one, people carry out every step that has no `call:`,
    /// so vague words matter less.
    pub has_model: bool,
}

/// The score of a plan and the reasons for it. Its JSON is the adequacy block; findings and reasons
/// are serialized separately.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// 0 to 1: the combined dimensions times [`factor`](Self::factor), capped if there is a cycle,
    /// a critical finding, an open requirement or a lack of substance.
    pub score: f64,
    /// The product of the factors of all plan codes that are not reflected in a dimension, 0 to 1.
    pub factor: f64,
    /// The rating in one word.
    pub badge: Badge,
    /// Whether the plan is too thin because of its codes, its risk, or a mostly open list of
    /// requirements. The badge is thin for a low score too.
    pub is_too_thin: bool,
    /// The raised plan codes, in the order of the table of plan codes.
    pub adequacy_reason_codes: Vec<Code>,
    /// Minimum number of steps for this goal and depth, counting normal tasks without sub-tasks.
    pub detail_target_min_tasks: u32,
    /// The goal's complexity, 2 to 9.
    pub estimated_goal_complexity: u32,
    /// Mean of (1 - confidence) over the normal tasks without sub-tasks, 0 to 1; 0 for an empty
    /// plan.
    pub aggregate_unresolved_risk: f64,
    /// Number of tasks with at least one critical finding.
    pub critical_count: u32,
    /// Share of the requirements that the words of the steps cover, 0 to 1, with partial credit;
    /// claims in `covers:` are ignored. Without a list of requirements, the parts of the goal are
    /// used instead; `None` if there is nothing to compare with.
    pub coverage: Option<f64>,
    /// How specific the steps are, 0 to 1; `None` if the word table is damaged.
    pub substance: Option<f64>,
    /// Share of the changes in which a check would notice a mistake, 0 to 1.
    pub checks: f64,
    /// How well the steps are ordered and how well irreversible steps are guarded, 0 to 1.
    pub order: f64,
    /// The four dimensions, each with an explanation and the best improvement.
    #[serde(skip)]
    pub dimensions: Vec<Dimension>,
    /// The requirements or, if there are none, the parts of the goal.
    #[serde(skip)]
    pub requirements: Vec<RequirementReport>,
    /// All findings, sorted by severity and then by line. Muted findings are included and count
    /// like the others, because a plan must not be able to improve its own rating.
    #[serde(skip)]
    pub findings: Vec<Finding>,
    /// How the plan codes affect the score, in the order of the table of plan codes.
    #[serde(skip)]
    pub reasons: Vec<Reason>,
}

/// A requirement or a part of the goal, and whether the plan covers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RequirementReport {
    /// The requirement's id in the list; empty for a part of the goal.
    pub id: String,
    /// The text of the requirement or part.
    pub text: String,
    /// Whether the steps cover it.
    pub covered: bool,
    /// Lines of the steps that cover it, starting at 1; the best match comes first.
    pub lines: Vec<u32>,
    /// The result of the comparison, in one sentence.
    pub why: String,
}

/// A factor of the score, with an explanation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// The plan code.
    pub code: Code,
    /// The factor on the score, 0 to 1; 1 if the code is already reflected in a dimension.
    pub factor: f64,
    /// The explanation, in one sentence.
    pub message: String,
}

/// One problem of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Unique in the report, and stable as long as the words of the task don't change, even if the
    /// task moves.
    pub id: String,
    /// The kind of problem.
    pub code: Code,
    /// How severe it is.
    pub severity: Severity,
    /// The task that has the problem; `None` for the plan as a whole.
    pub task: Option<TaskId>,
    /// The line with the problem, starting at 1.
    pub line: u32,
    /// Byte range of the text with the problem: specific words, the value of a key, or else the
    /// title. Empty for the plan as a whole.
    pub place: Span,
    /// The message: one sentence that names the place and says what to do.
    pub message: String,
    /// A question for the person. At most one finding of a task has a question. The fixes are the
    /// possible answers, and their labels describe the effect on the plan.
    pub question: Option<String>,
    /// Edits that fix the problem, the recommended one first. Show an edit to the person before
    /// applying it.
    pub fixes: Vec<Fix>,
    /// The reason given for muting the finding, if a `mute:` line in the plan mutes it.
    pub muted: Option<String>,
}

impl Finding {
    /// Creates a finding about one task; `own_text` is the fingerprint of the task's title and
    /// body.
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

    /// Creates a finding about the plan as a whole; `about` distinguishes several findings with the
    /// same code.
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

    /// Removes the question if there are fewer than two fixes to choose from.
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

/// How a sentence refers to a task: by its written id or, if it has none, by its line.
pub(crate) fn place(task: &Task) -> String {
    named(task, "the step on line", "step")
}

/// Like `place`, but for the beginning of a sentence.
pub(crate) fn place_first(task: &Task) -> String {
    named(task, "The step on line", "Step")
}

fn named(task: &Task, by_line: &str, by_number: &str) -> String {
    match task.id_origin {
        IdOrigin::Positional => format!("{by_line} {}", task.line),
        // A bare number would look like a quantity.
        IdOrigin::Written if task.id.as_str().starts_with(|c: char| c.is_ascii_digit()) => {
            format!("{by_number} {}", task.id)
        }
        IdOrigin::Written => task.id.to_string(),
    }
}

/// The text in quotation marks, shortened to fit into a sentence.
pub(crate) fn quoted(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    let line = text.lines().next().unwrap_or_default().trim();
    match line.char_indices().nth(MAX_CHARS) {
        Some((cut, _)) => format!("“{}…”", line[..cut].trim_end()),
        None => format!("“{line}”"),
    }
}
