//! Splits a step into smaller steps that are nested under it.

use plan::edit::{self, EditError, Place, Splice};
use plan::{Plan, Task, TaskId};

use super::insertion::{self, Added};
use super::new_step::{NewStep, is_of_run};
use crate::context::{folder_of, groups_above};
use crate::model_step::step_tools::is_edit;

/// Maximum depth of splitting: the parts of a step may be split again, but their parts may not.
pub const MAX_SPLITS: usize = 2;

/// Why a step is too long to be carried out as a single step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitReason {
    /// Its `complexity:` is 8 or higher.
    Complexity(u8),
    /// It names more than five files.
    Files(usize),
    /// It has more than ten calls.
    Calls(usize),
    /// A person asked for smaller steps.
    Asked,
}

/// Complexity from which a step is split.
const COMPLEX: u8 = 8;
/// Maximum number of files in one step.
const MAX_FILES: usize = 5;
/// Maximum number of calls in one step.
pub const MAX_CALLS: usize = 10;
const FILES_OF_A_PART: usize = 3;

impl SplitReason {
    /// The reason as a sentence for the screen.
    pub fn sentence(self) -> String {
        match self {
            Self::Complexity(complexity) => {
                format!("Split into smaller steps: its complexity is {complexity} of 10.")
            }
            Self::Files(files) => format!("Split into smaller steps: it names {files} files."),
            Self::Calls(calls) => format!("Split into smaller steps: it takes {calls} calls."),
            Self::Asked => "Split into smaller steps, as requested.".to_owned(),
        }
    }
}

/// Why a step is too long; `None` if it isn't. `calls` is the number of calls made so far; if the
/// step has more `call:` lines than that, their number is used instead.
pub fn split_reason(task: &Task, calls: usize) -> Option<SplitReason> {
    let complexity = task.complexity.unwrap_or(0);
    let calls = calls.max(task.calls.len());
    if task.is_group() {
        None
    } else if complexity >= COMPLEX {
        Some(SplitReason::Complexity(complexity))
    } else if task.files.len() > MAX_FILES {
        Some(SplitReason::Files(task.files.len()))
    } else if calls > MAX_CALLS {
        Some(SplitReason::Calls(calls))
    } else {
        None
    }
}

/// How many of the groups around a task are steps that were split.
pub fn split_depth(plan: &Plan, index: usize) -> usize {
    let Some(task) = plan.tasks.get(index) else {
        return 0;
    };
    let is_split = |group: &&Task| {
        let mut parts = group
            .children
            .iter()
            .filter_map(|child| plan.tasks.get(*child));
        parts.any(is_of_run)
    };
    groups_above(plan, task).filter(is_split).count()
}

/// Splits a step without a model: into one part for every few files, or into finding what needs to
/// change, changing it, and looking for missed locations. `None` if no rule applies.
pub fn parts_by_rule(task: &Task, long: SplitReason) -> Option<Vec<NewStep>> {
    let title = task.title.trim();
    match long {
        // The `call:` lines were approved as part of this step. Splitting the step would create
        // steps that the person hasn't seen.
        _ if !task.calls.is_empty() => None,
        // A read-only step has no changes to make or review.
        SplitReason::Calls(_) if !is_edit(task) && task.files.len() <= FILES_OF_A_PART => None,
        SplitReason::Files(_) => Some(by_files(task)),
        SplitReason::Complexity(_) | SplitReason::Calls(_) | SplitReason::Asked
            if task.files.len() > FILES_OF_A_PART =>
        {
            Some(by_files(task))
        }
        SplitReason::Complexity(_) | SplitReason::Calls(_) | SplitReason::Asked => {
            let step = |words: &str, body: &str, tools: &[&str]| NewStep {
                title: format!("{words}: {title}"),
                body: body.to_owned(),
                tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
                files: task.files.clone(),
                ..NewStep::default()
            };
            let look = ["search_files", "read_file", "list_files"];
            let change = ["read_file", "search_files", "edit_file", "write_file"];
            Some(vec![
                step(
                    "Find what needs to change",
                    "Report each location: file, line and name. Don't change anything yet.",
                    &look,
                ),
                step(
                    "Make the change",
                    "Make the change at each location found.",
                    &change,
                ),
                step(
                    "Look for missed locations",
                    "Search for locations that were missed, and make the change there too.",
                    &change,
                ),
            ])
        }
    }
}

fn by_files(task: &Task) -> Vec<NewStep> {
    // Keep files in the same folder together.
    let mut files = task.files.clone();
    files.sort_by(|a, b| folder_of(a).cmp(folder_of(b)).then_with(|| a.cmp(b)));
    let parts = files.chunks(FILES_OF_A_PART);
    parts
        .map(|files| NewStep {
            title: format!("{}, in {}", task.title.trim(), files.join(", ")),
            body: String::new(),
            tools: task.tools.clone(),
            files: files.to_vec(),
            ..NewStep::default()
        })
        .collect()
}

/// The change that nests parts under a step and makes it a group. A part without files gets the
/// step's files, so that it may do the approved work. The step's checks move to its last part,
/// because groups aren't carried out. `text` is the current text of the file.
pub fn decompose_further(text: &str, id: &TaskId, parts: &[NewStep]) -> Result<Added, EditError> {
    let (plan, _) = plan::parse(text);
    let Some(task) = plan.task(id) else {
        return Err(EditError::UnknownTask { id: id.clone() });
    };
    let parts: Vec<NewStep> = parts
        .iter()
        .map(|part| NewStep {
            files: match part.files.is_empty() {
                true => task.files.clone(),
                false => part.files.clone(),
            },
            ..part.clone()
        })
        .collect();
    let verify = task.verify.clone();
    let added = insertion::at(text, &plan, &Place::Under(id.clone()), &parts)?;
    let Some(last) = added.ids.last().filter(|_| !verify.is_empty()) else {
        return Ok(added);
    };
    let mut moved = edit::apply(text, &added.splices)?.text;
    for (task, values) in [(last, verify.as_slice()), (id, &[])] {
        let (plan, _) = plan::parse(&moved);
        let splices = edit::set_field(&moved, &plan, task, "verify", values)?;
        moved = edit::apply(&moved, &splices)?.text;
    }
    let range = plan::difference(text, &moved);
    let new = range.start..moved.len() - (text.len() - range.end);
    let text = moved[new].to_owned();
    Ok(Added {
        splices: vec![Splice { range, text }],
        ids: added.ids,
    })
}
