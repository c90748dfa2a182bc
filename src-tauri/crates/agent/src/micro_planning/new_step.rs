//! Turns the short answer of a model into complete steps.

use std::collections::BTreeSet;

use plan::edit::StepText;
use plan::{By, Plan, Task};
use serde::{Deserialize, Serialize};

use crate::context::{keywords, paths_in};
use repair::Step;

const MAX_TITLE_LEN: usize = 110;

/// A step that a run adds to its plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NewStep {
    /// What to do, on one line.
    pub title: String,
    /// The reason, and the part of the text that didn't fit into the title.
    pub body: String,
    /// The names of the tools that the step uses.
    pub tools: Vec<String>,
    /// Files that the step names, if they exist or are named in the approved goal or requirements.
    pub files: Vec<String>,
    /// The requirements that it covers.
    pub covers: Vec<String>,
    /// Whether a person carries out the step.
    #[serde(default)]
    pub is_by_person: bool,
    /// Commands that must succeed for the step to be done.
    #[serde(default)]
    pub checks: Vec<String>,
}

impl NewStep {
    /// The closing step of a plan that grows during the run. It is added if none of the user's
    /// checks can confirm that the goal is reached: a person reviews the changes, and then the
    /// `checks` run, which the person saw in the step.
    pub fn closing(plan: &Plan, checks: &[String]) -> Self {
        let is_closing = |task: &&Task| task.by == By::Person && is_of_run(task);
        // Titles must be unique, because they distinguish a new step from the existing ones.
        let title = match plan.tasks.iter().filter(is_closing).count() {
            0 => "Review the changes: is the goal reached?".to_owned(),
            before => format!(
                "Review the changes again ({}): is the goal reached?",
                before + 1
            ),
        };
        let goal = plan
            .goal()
            .map(|goal| format!("The goal: {}. ", plain(goal).trim_end_matches('.')));
        Self {
            title,
            body: format!(
                "{}The model says it is, but no check could confirm it. If something is missing, \
                 skip this step and say what: the model continues with that.",
                goal.unwrap_or_default()
            ),
            is_by_person: true,
            checks: checks.to_vec(),
            ..Self::default()
        }
    }

    /// Creates a step from the words of a model. `has_file` tells whether a path exists.
    pub(super) fn filled(step: &Step, plan: &Plan, has_file: &dyn Fn(&str) -> bool) -> Self {
        let what = plain(&step.what);
        let why = plain(&step.why);
        let title = title(&what);
        let is_whole = title == what || title == what.trim_end_matches('.');
        let rest = [if is_whole { "" } else { &what }, &why];
        let body = rest.map(str::trim).join(" ").trim().to_owned();
        let text = format!("{what} {why}");
        let mut seen = BTreeSet::new();
        let paths = paths_in(&text).into_iter();
        let paths = paths.map(|path| path.trim_start_matches("./"));
        // If the goal names a missing file, creating it was approved together with the goal.
        let asked = plan.requirements.iter().map(|one| one.text.as_str());
        let asked: Vec<&str> = asked.chain(plan.goal()).flat_map(paths_in).collect();
        let is_asked = |path: &str| asked.iter().any(|one| one.trim_start_matches("./") == path);
        let files = paths.filter(|path| (has_file(path) || is_asked(path)) && seen.insert(*path));
        Self {
            covers: covers(&text, plan),
            title,
            body,
            tools: step.tools.clone(),
            files: files.map(str::to_owned).collect(),
            ..Self::default()
        }
    }

    pub(super) fn to_text(&self) -> StepText {
        let fields = [
            ("files", &self.files),
            ("tools", &self.tools),
            ("covers", &self.covers),
            ("verify", &self.checks),
        ];
        let mut fields: Vec<(String, Vec<String>)> = fields
            .into_iter()
            .filter(|(_, values)| !values.is_empty())
            .map(|(key, values)| (key.to_owned(), values.clone()))
            .collect();
        if self.is_by_person {
            fields.push(("by".to_owned(), vec!["person".to_owned()]));
        }
        fields.push(("origin".to_owned(), vec!["run".to_owned()]));
        StepText {
            title: self.title.clone(),
            body: self.body.clone(),
            fields,
        }
    }
}

/// The step in which a person confirms that the goal is reached; `None` if a later step is done.
/// New steps are added after the last completed one, so a skipped closing step moves toward the
/// end.
pub fn closing_step(plan: &Plan) -> Option<&Task> {
    let leaves: Vec<&Task> = plan.leaves().map(|(_, task)| task).collect();
    let last = leaves.iter().rposition(|task| task.done).unwrap_or(0);
    let mut since = leaves.into_iter().skip(last);
    since.find(|task| task.by == By::Person && is_of_run(task))
}

/// Whether a plan has no steps at all, or none for one of its requirements. Steps that a person
/// skipped are included.
pub fn lacks_steps(plan: &Plan) -> bool {
    let is_covered = |id: &String| plan.leaves().any(|(_, task)| task.covers.contains(id));
    let mut requirements = plan.requirements.iter();
    plan.tasks.is_empty() || requirements.any(|requirement| !is_covered(&requirement.id))
}

/// Whether a run has added top-level steps to this plan.
pub fn has_grown(plan: &Plan) -> bool {
    let mut steps = plan.tasks.iter().filter(|task| task.parent.is_none());
    steps.any(is_of_run)
}

pub(super) fn is_of_run(task: &Task) -> bool {
    let mut origins = task.values("origin");
    origins.any(|origin| origin.trim() == "run")
}

/// The text on one line, without Markdown markers or numbering at its beginning.
fn plain(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = line.trim_start_matches(['#', '-', '*', '>', ' ']);
    // A leading `Step 2:` is a number within the answer, not within the plan.
    let lower = bare.to_ascii_lowercase();
    let bare = match lower.strip_prefix("step ") {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => {
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let rest = rest.trim_start_matches([':', '.', ')', '-', ' ']);
            &bare[bare.len() - rest.len()..]
        }
        _ => bare,
    };
    bare.trim().to_owned()
}

/// The beginning of a text that fits into a title, cut at the end of a sentence or, failing that,
/// of a word.
fn title(what: &str) -> String {
    let what = what.trim_end_matches(['.', ' ']);
    if what.chars().count() <= MAX_TITLE_LEN {
        return what.to_owned();
    }
    let end = what
        .char_indices()
        .nth(MAX_TITLE_LEN)
        .map_or(what.len(), |(at, _)| at);
    let head = &what[..end];
    if let Some(at) = head.find(". ") {
        return head[..at].to_owned();
    }
    let cut = head.rfind(' ').filter(|at| *at > end / 2).unwrap_or(end);
    format!("{}…", head[..cut].trim_end_matches([',', ';', ':', ' ']))
}

/// The requirements that a step covers: those that it names or, if it names none, the one that
/// matches best and has at least three fifths of its words in common with the step.
fn covers(text: &str, plan: &Plan) -> Vec<String> {
    let tokens: BTreeSet<&str> = text
        .split(|c: char| !c.is_alphanumeric() && c != '.')
        .collect();
    let named: Vec<String> = plan
        .requirements
        .iter()
        .map(|requirement| requirement.id.clone())
        .filter(|id| tokens.contains(id.as_str()))
        .collect();
    if !named.is_empty() {
        return named;
    }
    let own: BTreeSet<String> = keywords::terms(text).into_iter().collect();
    let mut best: Option<(usize, usize, &str)> = None;
    for requirement in &plan.requirements {
        let wanted: BTreeSet<String> = keywords::terms(&requirement.text).into_iter().collect();
        let shared = wanted.intersection(&own).count();
        let is_enough = shared >= 2 && shared * 5 >= wanted.len() * 3;
        // Shares are compared, not numbers of words, so that long requirements have no advantage.
        let is_better = best.is_none_or(|(a, b, _)| shared * b > a * wanted.len());
        if is_enough && is_better {
            best = Some((shared, wanted.len(), &requirement.id));
        }
    }
    best.map(|(_, _, id)| id.to_owned()).into_iter().collect()
}
