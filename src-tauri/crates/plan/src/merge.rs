//! Three versions of a plan into one.
//!
//! For an edit that was made on an older revision: `base` is the revision the edit was made on,
//! `ours` is that revision with the edit, `theirs` is the file as it stands now. What only one side
//! changed is taken over; where both changed the same thing in different ways, that is a
//! [`Conflict`] with both sides, and nothing of either is lost.
//!
//! Lines are compared, with `\n`, `\r\n` and `\r` alike as their ends, and more is known of them
//! than that they differ:
//! - A task is the same task after it was reworded, and a key the same key: changes of two lines
//!   side by side do not disturb each other. Of one task line, box, id and title may each be changed
//!   by another side; of `depends`, `files`, `covers` and `tools` each side may add and take away
//!   names of its own.
//! - Tasks, keys and other list items that both sides put in at one place are both kept, theirs
//!   first, and once where they are the same. What is indented more comes first, so that it stays
//!   with the task above. A key that can only have one value, or an answer that was given twice, is
//!   a conflict.
//! - A task that one side moved and the other changed is moved and changed (`moves`). One that
//!   both moved stands where theirs put it ([`Merged::moved_twice`]).
//! - A box stays ticked where a side had ticked that very step; a step that one side ticked and the other
//!   reworded is open (`ticks`).
//! - Tasks and requirements that both sides added under one id: ours gets the next free id, and what
//!   our side says about it follows ([`Merged::renamed`]).
//!
//! The laws: with one side unchanged the result is the other side, byte for byte; with both the
//! same, that. Every line that a side added is in the result or in a conflict; every line that
//! neither touched is in the result. Never fails, on any text.

mod changes;
mod ends;
mod groups;
mod ids;
mod insertions;
mod moves;
mod parts;
mod placed;
mod sheet;
mod singles;
mod ticks;

use crate::model::{Span, TaskId};
use sheet::Read;

/// How often ids that came from both sides are told apart before the rest is settled in the result.
const MAX_ROUNDS: usize = 3;

/// The outcome of a merge.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Merged {
    /// The merged text; where there is a conflict it holds what `theirs` says.
    pub text: String,
    /// The places that both sides changed in different ways, in order; one to a task, unless another
    /// task stands between two places of one task.
    pub conflicts: Vec<Conflict>,
    /// Tasks (and requirements) that ours added under an id that theirs took as well: the id as ours
    /// has it, and the one in [`Merged::text`] and in the conflicts.
    pub renamed: Vec<(TaskId, TaskId)>,
    /// Tasks that both sides moved, to different places. They stand where theirs put them.
    pub moved_twice: Vec<TaskId>,
}

impl Merged {
    /// The text, when nothing has to be decided.
    pub fn clean(&self) -> Option<&str> {
        self.conflicts.is_empty().then_some(self.text.as_str())
    }

    fn whole(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }
}

/// One place that both sides changed. All three are whole lines with their ends; empty where a side
/// has none there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// What stood there.
    pub base: String,
    /// What the edit makes of it.
    pub ours: String,
    /// What the file says now.
    pub theirs: String,
    /// The place of `theirs` in [`Merged::text`].
    pub place: Span,
    /// The task that the lines belong to; `None` outside of tasks. Where theirs took the task away,
    /// the task as ours has it.
    pub task: Option<TaskId>,
    /// The task's title, or the name of the section: its heading, `front matter`, or
    /// `introduction` before the first heading.
    pub title: String,
}

/// Merges the changes from `base` to `ours` and those from `base` to `theirs`.
pub fn merge(base: &str, ours: &str, theirs: &str) -> Merged {
    if ours == theirs || theirs == base {
        return Merged::whole(ours);
    }
    if ours == base {
        return Merged::whole(theirs);
    }
    let (ours_now, theirs_now) = (ours, theirs);
    let (texts, end) = ends::same(base, ours, theirs);
    let [base, ours, theirs] = texts.map(Read::of);
    let (ours, mut renamed) = ids::apart(&base, ours, &theirs);
    let mut sides = moves::replayed(base, ours, theirs);
    let said = singles::taken_out(&mut sides);
    let (mut merged, mut plan) = placed::merged(&sides.base, &sides.ours, &sides.theirs);
    // Taken over from both sides at different places.
    for _ in 0..MAX_ROUNDS {
        let Some((ours, more)) = ids::doubled(&plan, &sides) else {
            break;
        };
        sides.ours = ours;
        renamed.extend(more);
        (merged, plan) = placed::merged(&sides.base, &sides.ours, &sides.theirs);
    }
    renamed.extend(ids::settled(&mut merged, &plan, &sides));
    singles::disputed(&mut merged, said);
    ticks::kept_where_they_were_given(&mut merged, [ours_now, theirs_now]);
    merged.renamed = renamed;
    merged.moved_twice = sides.twice;
    end.finish(&mut merged);
    merged
}
