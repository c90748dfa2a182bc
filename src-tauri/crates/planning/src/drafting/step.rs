//! One step from a model's answer: plain fields, not yet validated.

use std::collections::HashSet;

use plan::ChoiceOption;
use repair::ReplyTask;

/// The kind of a step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum DraftKind {
    /// Work to do.
    #[default]
    Work,
    /// A pause for the user to review.
    Checkpoint,
    /// A question whose answer chooses which steps run, by their names in the draft.
    Decision(Vec<ChoiceOption>),
}

/// One step of a draft. All fields except `what` may be empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DraftStep {
    /// Its id in the draft; may be empty. The step can also be referenced by its position, from 1.
    pub id: String,
    /// What the step does.
    pub what: String,
    /// The reason for it, or further details.
    pub why: String,
    /// The workspace paths of its files.
    pub files: Vec<String>,
    /// The ids or positions, from 1, of the steps that it depends on.
    pub depends: Vec<String>,
    /// The ids of the requirements that it covers.
    pub covers: Vec<String>,
    /// Its acceptance criteria.
    pub accept: Vec<String>,
    /// Commands or sentences that verify it.
    pub verify: Vec<String>,
    /// The names of the tools that it needs.
    pub tools: Vec<String>,
    /// Its complexity, 1 to 10.
    pub complexity: Option<u8>,
    /// What kind of step it is.
    pub kind: DraftKind,
}

/// The steps of a JSON answer, in order, without steps that have no text or repeat an earlier one.
pub fn steps_of_tasks(tasks: &[ReplyTask]) -> Vec<DraftStep> {
    let steps = tasks.iter().map(|task| {
        let mut why = task.why.clone();
        why.extend(task.notes.iter().cloned());
        DraftStep {
            id: task.id.clone(),
            what: task.description.clone(),
            why: why.join(" "),
            files: task.files.clone(),
            depends: task.depends_on.clone(),
            covers: task.covers.clone(),
            accept: task.accept.clone(),
            verify: task.verify.clone(),
            tools: Vec::new(),
            complexity: task.estimated_complexity,
            kind: DraftKind::Work,
        }
    });
    without_repeats(steps.filter(|step| !step.what.trim().is_empty()))
}

/// The steps without duplicates of earlier ones.
pub(super) fn without_repeats(steps: impl Iterator<Item = DraftStep>) -> Vec<DraftStep> {
    let mut seen = HashSet::new();
    steps
        .filter(|step| seen.insert(plain(&step.what)))
        .collect()
}

/// The words of a text without punctuation, for detecting duplicates.
pub(super) fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
