//! Turns list items or headings of a plan without tasks into tasks.
//!
//! What becomes a task:
//! - *Items*: those under headings that name work ("Steps", "Tasks", "Implementation plan"), or if
//!   there are none, all. If any of these are numbered, only those. Lists under other known
//!   headings ("Context", "Risks", "Requirements") stay. Nested items stay details of the task,
//!   unless the list is a single item that contains all others. An item gets a box and is otherwise
//!   unchanged.
//! - *Headings*: the numbered ones ("Step 1: …", "2. …"); if there are none, those of the deepest
//!   level that has at least two. A heading becomes an item, and the content under it is indented
//!   to belong to it. `## Tasks` is inserted above the first, unless one of its parents is a
//!   section.
//!
//! Only boxes, heading marks and indentation change; no text is lost. The result is parsed before
//! it is returned.

mod headings;
mod items;

use super::{EditError, Splice, apply};
use crate::model::{Mark, Plan};
use crate::parse::parse;

/// The elements to turn into tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MakeFrom {
    /// The plan's list items.
    Items,
    /// The plan's headings.
    Headings,
}

/// How many list items and how many headings could become task-list items; zero if the plan already
/// has such tasks.
pub fn could_be_tasks(text: &str, plan: &Plan) -> (usize, usize) {
    if are_headings(plan) {
        return (0, headings::chosen(text, plan).len());
    }
    if !plan.tasks.is_empty() {
        return (0, 0);
    }
    let items = items::chosen(text, plan).len();
    let headings = headings::chosen(text, plan).len();
    (items, headings)
}

/// Turns the list items or headings of a plan into task-list items. The plan must have no tasks, or
/// for [`MakeFrom::Headings`], only headings as tasks. Fails with [`EditError::NothingToConvert`]
/// if it has other tasks or nothing to make them from; [`EditError::Misparsed`] if the result would
/// not be parsed as exactly these tasks.
pub fn make_tasks(text: &str, plan: &Plan, from: MakeFrom) -> Result<Vec<Splice>, EditError> {
    let are_made = are_headings(plan) && from == MakeFrom::Headings;
    if !(plan.tasks.is_empty() || are_made) {
        return Err(EditError::NothingToConvert {
            reason: "it already has steps; add more to them",
        });
    }
    let (splices, titles) = match from {
        MakeFrom::Items => items::made(text, plan),
        MakeFrom::Headings => headings::made(text, plan),
    };
    if titles.is_empty() {
        return Err(EditError::NothingToConvert {
            reason: match from {
                MakeFrom::Items => "it has no suitable list items; try its headings",
                MakeFrom::Headings => "it has no suitable headings; try its list items",
            },
        });
    }
    let after = apply(text, &splices)?.text;
    let (made, _) = parse(&after);
    let reads = made.tasks.len() == titles.len()
        && made.tasks.iter().zip(&titles).all(|(task, title)| {
            // An id and its markers in front of the title are not part of the parsed title.
            title.contains(task.title.as_str()) && !task.done
        });
    if reads {
        Ok(splices)
    } else {
        Err(EditError::Misparsed {
            what: "list of steps".to_owned(),
            advice: "add `[ ]` to the steps by hand",
        })
    }
}

/// Whether a plan has tasks and all of them are headings.
fn are_headings(plan: &Plan) -> bool {
    !plan.tasks.is_empty() && plan.tasks.iter().all(|task| task.mark == Mark::Heading)
}

/// Whether a heading names work to do.
fn names_work(words: &str) -> bool {
    is_of(
        words,
        "tasks,task list,steps,todo,to do,to-do,action items,implementation,implementation steps,\
         implementation plan,plan,checklist",
    )
}

/// Whether a heading names something other than work.
fn names_other(words: &str) -> bool {
    is_of(
        words,
        "context,background,overview,summary,goal,goals,non-goals,non goals,notes,risks,requirements,\
         acceptance criteria,decisions,open questions,questions,assumptions,references,links,\
         motivation,problem,scope,out of scope,constraints,files,critical files,alternatives",
    )
}

/// Whether a heading is one of these names, ignoring case, emphasis and a colon.
fn is_of(words: &str, names: &str) -> bool {
    let name = words.trim_matches(['*', '_', ':', ' ']).to_lowercase();
    names.split(',').any(|other| other == name)
}
