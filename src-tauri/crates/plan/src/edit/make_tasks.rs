//! Tasks out of a plan that has none: its list items or its headings get boxes.
//!
//! What becomes a task:
//! - *Items*: those under headings that name work ("Steps", "Tasks", "Implementation plan"), else
//!   the numbered ones, else all; lists under headings that name something else ("Context",
//!   "Risks", "Requirements") stay. Nested items stay details of the task, unless the list is one
//!   item that holds all the others. An item gets a box and nothing else changes.
//! - *Headings*: the numbered ones ("Step 1: …", "2. …"), else those of the deepest level that has
//!   at least two. A heading becomes an item, and what stands under it is indented to belong to
//!   it. Where none of their parents is a section of tasks, `## Tasks` is written above the first.
//!
//! No word is lost: boxes, marks of headings and indentation are all that changes. The result is
//! read before it is offered.

mod headings;
mod items;

use super::{EditError, Splice, apply};
use crate::model::{Mark, Plan};
use crate::parse::parse;

/// What tasks are made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MakeFrom {
    /// List items.
    Items,
    /// Headings.
    Headings,
}

/// How many list items and how many headings of a plan could become tasks in a list; none of a plan that
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

/// Makes tasks out of the list items or the headings of a plan that has no tasks.
///
/// # Errors
/// [`EditError::NothingToMake`] where the plan has tasks or nothing to make them from;
/// [`EditError::ReadsOtherwise`] where the result would not be read as just these tasks.
pub fn make_tasks(text: &str, plan: &Plan, from: MakeFrom) -> Result<Vec<Splice>, EditError> {
    let are_made = are_headings(plan) && from == MakeFrom::Headings;
    if !(plan.tasks.is_empty() || are_made) {
        return Err(EditError::NothingToMake {
            reason: "it has tasks already; add further ones to them",
        });
    }
    let (splices, titles) = match from {
        MakeFrom::Items => items::made(text, plan),
        MakeFrom::Headings => headings::made(text, plan),
    };
    if titles.is_empty() {
        return Err(EditError::NothingToMake {
            reason: match from {
                MakeFrom::Items => "it has no list items for it; try its headings",
                MakeFrom::Headings => "it has no headings for it; try its list items",
            },
        });
    }
    let after = apply(text, &splices)?.text;
    let (made, _) = parse(&after);
    let reads = made.tasks.len() == titles.len()
        && made.tasks.iter().zip(&titles).all(|(task, title)| {
            // An id in front of the words, and its marks, are no part of a title.
            title.contains(task.title.as_str()) && !task.done
        });
    if reads {
        Ok(splices)
    } else {
        Err(EditError::ReadsOtherwise {
            what: "list of tasks".to_owned(),
            advice: "put `[ ]` in front of the steps by hand",
        })
    }
}

/// Whether all tasks of a plan are headings.
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

/// Whether a heading names something else than work.
fn names_other(words: &str) -> bool {
    is_of(
        words,
        "context,background,overview,summary,goal,goals,non-goals,non goals,notes,risks,requirements,\
         acceptance criteria,decisions,open questions,questions,assumptions,references,links,\
         motivation,problem,scope,out of scope,constraints,files,critical files,alternatives",
    )
}

/// Whether a heading is one of these names.
fn is_of(words: &str, names: &str) -> bool {
    let name = words.trim_matches(['*', '_', ':', ' ']).to_lowercase();
    names.split(',').any(|other| other == name)
}
