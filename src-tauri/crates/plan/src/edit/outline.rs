//! Adds, moves and removes tasks.
//!
//! All three are built from the same steps: remove the lines of a task with its sub-tasks, insert
//! lines at a position, and keep every reference pointing at the same task. Positional ids (`#2.1`)
//! may change; references to them in the file are updated.

mod adoption;
mod cycles;
mod levels;
mod removal;
mod sites;
mod task_lines;

use std::ops::Range;

use super::assign_id::{next_id, styles};
use super::content::{PlanContent, Root, TaskContent, apply_first_matching};
use super::draft::Draft;
use super::references::{Renames, any_referenced, rename, rename_in};
use super::task_text::misread_title;
use super::{EditError, Named, Splice, find, kind};
use crate::inline::single_line;
use crate::model::{IdOrigin, Plan, TaskId, TaskKind};
pub(super) use adoption::adopt;
use cycles::break_cycles;
pub use levels::{indent, outdent};
pub use removal::{delete_task, named_by};
pub(super) use sites::new_section;
use sites::{Site, sites};
use task_lines::{TaskLines, consecutive};

/// Where to put a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Before all others, at the top level.
    First,
    /// Before this task, at the same depth.
    Before(TaskId),
    /// After this task and its sub-tasks, at the same depth.
    After(TaskId),
    /// As the last sub-task of this one.
    Under(TaskId),
}

/// A task to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTask {
    /// The title; whitespace is collapsed to fit one line.
    pub title: String,
    /// Its type; a checkpoint or decision gets a `type:` line.
    pub kind: TaskKind,
}

/// Adds a task in the style of the file: its bullets, indentation, blank lines and ids. It gets the
/// next free id; in a plan without written ids, none is written and the positional id is returned.
/// In a plan without tasks, it goes under `## Tasks`; without that heading, a section is added
/// before `## Decisions`, else at the end. Fails with [`EditError::Empty`] for an empty title,
/// [`EditError::UnknownTask`] if the task that `place` names doesn't exist,
/// [`EditError::Misparsed`] for a title that would not parse back, [`EditError::NoPosition`].
pub fn add_task(
    text: &str,
    plan: &Plan,
    place: &Place,
    task: &NewTask,
) -> Result<Named<TaskId>, EditError> {
    let title = single_line(&task.title);
    if title.is_empty() {
        return Err(EditError::Empty { what: "title" });
    }
    super::must_be_list(plan)?;
    let at = IndexedPlace::of(plan, place)?;
    let slot = at.slot(plan);
    let has_ids = plan.tasks.is_empty()
        || plan
            .tasks
            .iter()
            .any(|task| task.id_origin == IdOrigin::Written);
    let id = has_ids.then(|| next_id(plan, task.kind));
    let kind = kind::name(task.kind);
    let attempt = |title: &str| {
        let task_content = TaskContent {
            id: id.clone(),
            title: title.to_owned(),
            marker: ' ',
            parent: None,
            body: String::new(),
            fields: kind
                .map(|kind| ("type".to_owned(), kind.to_owned()))
                .into_iter()
                .collect(),
        };
        let heads: Vec<String> = match &id {
            None => vec![format!("[ ] {title}")],
            Some(id) => styles(text, plan)
                .into_iter()
                .map(|(before, after)| format!("[ ] {before}{id}{after}{title}"))
                .collect(),
        };
        let mut draft = Draft::of(text);
        let mut order: Vec<Option<usize>> = (0..plan.tasks.len()).map(Some).collect();
        order.insert(slot.at, None);
        let root = Root {
            task: None,
            parent: slot.parent,
        };
        let mut expected = PlanContent::of(text, plan);
        expected.reordered(&order, Some(&task_content), root);
        let blocks: Vec<Vec<TaskLines>> = heads
            .into_iter()
            .map(|head| vec![TaskLines::new(head, kind)])
            .collect();
        let sites = sites(text, plan, at);
        let after = put(&mut draft, plan, &sites, &blocks, &expected)?;
        let after = update_references(&mut draft, plan, after, &order, expected)?;
        let id = after.tasks[slot.at].id.clone();
        Ok(Named {
            splices: draft.splices(),
            id,
        })
    };
    match attempt(&title) {
        Err(EditError::NoPosition { .. }) if attempt("x").is_ok() => Err(misread_title()),
        outcome => outcome,
    }
}

/// Moves a task with everything under it, indented for its new depth. If a task has no explicit
/// dependencies, its position defines them, so moving it changes the order of execution. A task
/// can't wait for a group that contains it: a reference to that group is replaced by the task above
/// it in the group, or else by the group's own dependencies. Changes nothing if the task is already
/// there. Returns its id after the move, since a positional id changes. Fails with
/// [`EditError::UnknownTask`], [`EditError::IntoItself`]; [`EditError::NoPosition`] if its lines
/// would parse differently at the new position.
pub fn move_task(
    text: &str,
    plan: &Plan,
    id: &TaskId,
    place: &Place,
) -> Result<Named<TaskId>, EditError> {
    let (index, _) = find(plan, id)?;
    move_to(text, plan, index, IndexedPlace::of(plan, place)?)
}

/// Like [`move_task`], with indexes instead of ids.
fn move_to(
    text: &str,
    plan: &Plan,
    index: usize,
    at: IndexedPlace,
) -> Result<Named<TaskId>, EditError> {
    let task = &plan.tasks[index];
    let id = &task.id;
    let own = index..subtree_end(plan, index);
    let stays = Ok(Named {
        splices: Vec::new(),
        id: id.clone(),
    });
    match at {
        IndexedPlace::Before(other) | IndexedPlace::After(other) if other == index => return stays,
        IndexedPlace::Before(other) | IndexedPlace::After(other) | IndexedPlace::Under(other)
            if own.contains(&other) =>
        {
            return Err(EditError::IntoItself { id: id.clone() });
        }
        _ => {}
    }
    let slot = at.slot(plan);
    let mut order: Vec<Option<usize>> = Vec::with_capacity(plan.tasks.len());
    order.extend((0..slot.at).filter(|at| !own.contains(at)).map(Some));
    let now = order.len();
    order.extend(own.clone().map(Some));
    order.extend(
        (slot.at..plan.tasks.len())
            .filter(|at| !own.contains(at))
            .map(Some),
    );
    if now == index && slot.parent == task.parent {
        return stays;
    }
    let before = PlanContent::of(text, plan);
    let root = Root {
        task: Some(index),
        parent: slot.parent,
    };
    let mut expected = before.clone();
    expected.reordered(&order, None, root);

    let block = vec![TaskLines::of(text, task)];
    let mut draft = Draft::of(text);
    let rest = removal::cut(&mut draft, plan, index, &before)?;
    let sites = sites(&draft.text, &rest, at.without(&own));
    let after = put(&mut draft, &rest, &sites, &[block], &expected)?;
    let after = update_references(&mut draft, plan, after, &order, expected)?;
    let tree = now..now + own.len();
    let after = break_cycles(&mut draft, after, std::slice::from_ref(&tree))?;
    let id = after.tasks[now].id.clone();
    Ok(Named {
        splices: draft.splices(),
        id,
    })
}

/// One past the last task of a subtree.
pub(super) fn subtree_end(plan: &Plan, index: usize) -> usize {
    let depth = plan.tasks[index].depth;
    let after = plan.tasks[index + 1..]
        .iter()
        .take_while(|task| task.depth > depth);
    index + 1 + after.count()
}

/// A [`Place`] with indexes instead of ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IndexedPlace {
    First,
    Before(usize),
    After(usize),
    Under(usize),
}

impl IndexedPlace {
    fn of(plan: &Plan, place: &Place) -> Result<Self, EditError> {
        Ok(match place {
            Place::First => Self::First,
            Place::Before(id) => Self::Before(find(plan, id)?.0),
            Place::After(id) => Self::After(find(plan, id)?.0),
            Place::Under(id) => Self::Under(find(plan, id)?.0),
        })
    }

    /// The same place once the tasks in `gone` are removed.
    fn without(self, gone: &Range<usize>) -> Self {
        let now = |old: usize| match old < gone.start {
            true => old,
            false => old.saturating_sub(gone.len()),
        };
        match self {
            Self::First => Self::First,
            Self::Before(other) => Self::Before(now(other)),
            Self::After(other) => Self::After(now(other)),
            Self::Under(other) => Self::Under(now(other)),
        }
    }

    fn slot(self, plan: &Plan) -> Slot {
        match self {
            Self::First => Slot {
                at: 0,
                parent: None,
            },
            Self::Before(index) => Slot {
                at: index,
                parent: plan.tasks[index].parent,
            },
            Self::After(index) => Slot {
                at: subtree_end(plan, index),
                parent: plan.tasks[index].parent,
            },
            Self::Under(index) => Slot {
                at: subtree_end(plan, index),
                parent: Some(index),
            },
        }
    }
}

/// Where a task is inserted: its future index, and its parent.
#[derive(Debug, Clone, Copy)]
struct Slot {
    at: usize,
    parent: Option<usize>,
}

/// Inserts a block at a site, using the first combination that leads to `expected`. A block is one
/// task or several consecutive ones.
fn put(
    draft: &mut Draft,
    plan: &Plan,
    sites: &[Site],
    blocks: &[Vec<TaskLines>],
    expected: &PlanContent,
) -> Result<Plan, EditError> {
    for site in sites {
        let mut meant = expected.clone();
        if let Some(heading) = site.heading {
            meant.page.push(heading.to_owned());
        }
        // Headings are compared in file order, and the position of a new one isn't known yet, so
        // sort them.
        let settle = |plan_content: &mut PlanContent| {
            if site.heading.is_some() {
                plan_content.page.sort();
            }
        };
        for block in blocks {
            let ways = consecutive(block, &site.prefix).into_iter();
            let ways = ways.map(|lines| vec![site.splice(&lines, plan.line_ending)]);
            let ways: Vec<Vec<Splice>> = ways.collect();
            if let Some(plan) = apply_first_matching(draft, ways, &meant, settle) {
                return Ok(plan);
            }
        }
    }
    let line = blocks
        .iter()
        .flatten()
        .next()
        .map_or(String::new(), |block| block.head.clone());
    Err(EditError::NoPosition { line })
}

/// Updates references that use positional ids to the current numbering. `order` maps each task of
/// `after` to its index in `before`; `after` must match `expected`.
fn update_references(
    draft: &mut Draft,
    before: &Plan,
    after: Plan,
    order: &[Option<usize>],
    mut expected: PlanContent,
) -> Result<Plan, EditError> {
    let mut renames = Renames::new();
    for (new, old) in order.iter().enumerate() {
        let Some(old) = old.map(|old| &before.tasks[old]) else {
            continue;
        };
        let new = &after.tasks[new];
        if old.id_origin == IdOrigin::Positional && old.id != new.id {
            renames.insert(old.id.0.clone(), new.id.0.clone());
        }
    }
    if renames.is_empty() || !any_referenced(&after, &renames) {
        return Ok(after);
    }
    rename_in(&mut expected, &renames);
    let splices = rename(&draft.text, &after, &renames);
    // Expect the current page, since a heading may have been added.
    expected.page = PlanContent::of(&draft.text, &after).page;
    apply_first_matching(draft, [splices], &expected, |_| ()).ok_or_else(|| EditError::NoPosition {
        line: "depends:".to_owned(),
    })
}
