//! One step as a model wrote it: plain fields, nothing of them trusted yet.

use std::collections::HashSet;

use adequacy::expansion::ReplyTask;
use plan::ChoiceOption;

/// What a step is for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum DraftKind {
    /// Work.
    #[default]
    Work,
    /// A pause at which a person looks.
    Checkpoint,
    /// A question whose answer chooses steps; they are named as the draft names them.
    Decision(Vec<ChoiceOption>),
}

/// One step of a draft. Everything but `what` may be empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DraftStep {
    /// What the draft calls it; empty where it gives no id. Its place, from 1, names it as well.
    pub id: String,
    /// What is to be done.
    pub what: String,
    /// Why, or more words on it.
    pub why: String,
    /// Workspace paths.
    pub files: Vec<String>,
    /// Ids, or places from 1, of the steps that it waits for.
    pub depends: Vec<String>,
    /// Requirements.
    pub covers: Vec<String>,
    /// What holds when it is done.
    pub accept: Vec<String>,
    /// Command lines, or sentences, that check it.
    pub verify: Vec<String>,
    /// Names of tools.
    pub tools: Vec<String>,
    /// 1 to 10.
    pub complexity: Option<u8>,
    /// What it is for.
    pub kind: DraftKind,
}

/// The steps of an answer in JSON, in its order; those without words are left out.
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

/// The steps without those that say the same as one before.
pub(super) fn without_repeats(steps: impl Iterator<Item = DraftStep>) -> Vec<DraftStep> {
    let mut seen = HashSet::new();
    steps
        .filter(|step| seen.insert(plain(&step.what)))
        .collect()
}

/// The words of a text alone, to see whether two say the same.
pub(super) fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
