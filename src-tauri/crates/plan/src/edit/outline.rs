//! Adds, moves and takes away tasks.
//!
//! All three are made of the same steps: take the lines of a task with its sub-tasks away, put
//! lines in at a place, and let everything that names tasks go on naming the same ones. Ids that
//! are only counted (`#2.1`) may change through this; where the file says them they are changed
//! with it.

mod adoption;
mod levels;
mod lines_of;
mod regrouping;
mod removal;
mod sites;

use std::ops::Range;

use super::draft::Draft;
use super::identity::{next_id, styles};
use super::portrait::{Face, Portrait, Root, first_that_reads};
use super::references::{Renames, any_named, rename, rename_in};
use super::words::misread_title;
use super::{EditError, Named, Splice, find, kind};
use crate::inline::single_line;
use crate::model::{IdOrigin, Plan, TaskId, TaskKind};
pub(super) use adoption::adopt;
pub use levels::{indent, outdent};
use lines_of::{Lines, in_a_row};
use regrouping::out_of_circles;
pub use removal::{delete_task, named_by};
pub(super) use sites::new_section;
use sites::{Site, sites};

/// Where a task goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Before all others, at the top level.
    First,
    /// Before this task, at the same depth.
    Before(TaskId),
    /// Behind this task and its sub-tasks, at the same depth.
    After(TaskId),
    /// The last sub-task of this one.
    Under(TaskId),
}

/// A task to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTask {
    /// Its title; brought onto one line.
    pub title: String,
    /// What it is for; a checkpoint or decision gets its `type:` line.
    pub kind: TaskKind,
}

/// Adds a task, in the style of the file: its bullets, indentation, blank lines and ids. The id is
/// the next free one; in a plan whose tasks carry no ids none is written, and the one returned is
/// counted. A plan without tasks gets its first one under `## Tasks`; without that heading, a
/// section is made before `## Decisions`, else at the end.
///
/// # Errors
/// [`EditError::Empty`] for an empty title, [`EditError::UnknownTask`] for a place that is gone,
/// [`EditError::ReadsOtherwise`] for a title that would not be read back, [`EditError::NoPlace`].
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
    let at = At::of(plan, place)?;
    let spot = at.spot(plan);
    let has_ids = plan.tasks.is_empty()
        || plan
            .tasks
            .iter()
            .any(|task| task.id_origin == IdOrigin::Written);
    let id = has_ids.then(|| next_id(plan, task.kind));
    let kind = kind::name(task.kind);
    let attempt = |title: &str| {
        let face = Face {
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
        order.insert(spot.at, None);
        let root = Root {
            task: None,
            parent: spot.parent,
        };
        let mut expected = Portrait::of(text, plan);
        expected.reordered(&order, Some(&face), root);
        let blocks: Vec<Vec<Lines>> = heads
            .into_iter()
            .map(|head| vec![Lines::new(head, kind)])
            .collect();
        let sites = sites(text, plan, at);
        let after = put(&mut draft, plan, &sites, &blocks, &expected)?;
        let after = settle_names(&mut draft, plan, after, &order, expected)?;
        let id = after.tasks[spot.at].id.clone();
        Ok(Named {
            splices: draft.splices(),
            id,
        })
    };
    match attempt(&title) {
        Err(EditError::NoPlace { .. }) if attempt("x").is_ok() => Err(misread_title()),
        outcome => outcome,
    }
}

/// Moves a task with everything under it, indented for its new depth. Where nothing else says what
/// a task waits for, its place does, so that moving changes the order of the work. No task can wait
/// for a group that it stands in: one that named it waits for what is above it there instead.
/// Nothing for a task that is there already. The id is the one it goes by then: it changes where it
/// is counted.
///
/// # Errors
/// [`EditError::UnknownTask`], [`EditError::IntoItself`]; [`EditError::NoPlace`] where its lines
/// would read differently at the new place.
pub fn move_task(
    text: &str,
    plan: &Plan,
    id: &TaskId,
    place: &Place,
) -> Result<Named<TaskId>, EditError> {
    let (index, _) = find(plan, id)?;
    move_to(text, plan, index, At::of(plan, place)?)
}

/// As [`move_task`], by places in the order of the file.
fn move_to(text: &str, plan: &Plan, index: usize, at: At) -> Result<Named<TaskId>, EditError> {
    let task = &plan.tasks[index];
    let id = &task.id;
    let own = index..subtree_end(plan, index);
    let stays = Ok(Named {
        splices: Vec::new(),
        id: id.clone(),
    });
    match at {
        At::Before(other) | At::After(other) if other == index => return stays,
        At::Before(other) | At::After(other) | At::Under(other) if own.contains(&other) => {
            return Err(EditError::IntoItself { id: id.clone() });
        }
        _ => {}
    }
    let spot = at.spot(plan);
    let mut order: Vec<Option<usize>> = Vec::with_capacity(plan.tasks.len());
    order.extend((0..spot.at).filter(|at| !own.contains(at)).map(Some));
    let now = order.len();
    order.extend(own.clone().map(Some));
    order.extend(
        (spot.at..plan.tasks.len())
            .filter(|at| !own.contains(at))
            .map(Some),
    );
    if now == index && spot.parent == task.parent {
        return stays;
    }
    let before = Portrait::of(text, plan);
    let root = Root {
        task: Some(index),
        parent: spot.parent,
    };
    let mut expected = before.clone();
    expected.reordered(&order, None, root);

    let block = vec![Lines::of(text, task)];
    let mut draft = Draft::of(text);
    let rest = removal::cut(&mut draft, plan, index, &before)?;
    let sites = sites(&draft.text, &rest, at.without(&own));
    let after = put(&mut draft, &rest, &sites, &[block], &expected)?;
    let after = settle_names(&mut draft, plan, after, &order, expected)?;
    let tree = now..now + own.len();
    let after = out_of_circles(&mut draft, after, std::slice::from_ref(&tree))?;
    let id = after.tasks[now].id.clone();
    Ok(Named {
        splices: draft.splices(),
        id,
    })
}

/// One behind the last task of a sub-tree.
pub(super) fn subtree_end(plan: &Plan, index: usize) -> usize {
    let depth = plan.tasks[index].depth;
    let after = plan.tasks[index + 1..]
        .iter()
        .take_while(|task| task.depth > depth);
    index + 1 + after.count()
}

/// A place by the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    First,
    Before(usize),
    After(usize),
    Under(usize),
}

impl At {
    fn of(plan: &Plan, place: &Place) -> Result<Self, EditError> {
        Ok(match place {
            Place::First => Self::First,
            Place::Before(id) => Self::Before(find(plan, id)?.0),
            Place::After(id) => Self::After(find(plan, id)?.0),
            Place::Under(id) => Self::Under(find(plan, id)?.0),
        })
    }

    /// The same place where some tasks are gone.
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

    fn spot(self, plan: &Plan) -> Spot {
        match self {
            Self::First => Spot {
                at: 0,
                parent: None,
            },
            Self::Before(index) => Spot {
                at: index,
                parent: plan.tasks[index].parent,
            },
            Self::After(index) => Spot {
                at: subtree_end(plan, index),
                parent: plan.tasks[index].parent,
            },
            Self::Under(index) => Spot {
                at: subtree_end(plan, index),
                parent: Some(index),
            },
        }
    }
}

/// Where a new task stands in the order of the file, and under which.
#[derive(Debug, Clone, Copy)]
struct Spot {
    at: usize,
    parent: Option<usize>,
}

/// Puts the first of the blocks in at the first of the sites that leads to `expected`. A block is
/// one task or several in a row.
fn put(
    draft: &mut Draft,
    plan: &Plan,
    sites: &[Site],
    blocks: &[Vec<Lines>],
    expected: &Portrait,
) -> Result<Plan, EditError> {
    for site in sites {
        let mut meant = expected.clone();
        if let Some(heading) = site.heading {
            meant.page.push(heading.to_owned());
        }
        // The order of headings is that of the file; a new one is told by its words.
        let settle = |portrait: &mut Portrait| {
            if site.heading.is_some() {
                portrait.page.sort();
            }
        };
        for block in blocks {
            let ways = in_a_row(block, &site.prefix).into_iter();
            let ways = ways.map(|lines| vec![site.splice(&lines, plan.line_ending)]);
            let ways: Vec<Vec<Splice>> = ways.collect();
            if let Some(plan) = first_that_reads(draft, ways, &meant, settle) {
                return Ok(plan);
            }
        }
    }
    let line = blocks
        .iter()
        .flatten()
        .next()
        .map_or(String::new(), |block| block.head.clone());
    Err(EditError::NoPlace { line })
}

/// Lets the file name tasks as they are counted now. `order` says where each task of `before`
/// stands in `after`, which reads as `expected`.
fn settle_names(
    draft: &mut Draft,
    before: &Plan,
    after: Plan,
    order: &[Option<usize>],
    mut expected: Portrait,
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
    if renames.is_empty() || !any_named(&after, &renames) {
        return Ok(after);
    }
    rename_in(&mut expected, &renames);
    let splices = rename(&draft.text, &after, &renames);
    // The page is compared as it is now: a heading may be new.
    expected.page = Portrait::of(&draft.text, &after).page;
    first_that_reads(draft, [splices], &expected, |_| ()).ok_or_else(|| EditError::NoPlace {
        line: "depends:".to_owned(),
    })
}
