//! Three-way merge of plans.
//!
//! Applies an edit that was made on an older revision: `base` is that revision, `ours` is the
//! revision with the edit, `theirs` is the current file. Changes made by only one side are applied;
//! where both changed the same thing differently, the result is a [`Conflict`] with both versions,
//! so nothing is lost.
//!
//! The merge is line-based, with all line endings treated alike, but uses the
//! structure of the plan:
//! - A reworded task is still the same task, and a changed key the same key, so changes to adjacent
//!   lines don't conflict. The box, id and title on a task's line may each be changed by a
//!   different side. Each side may add names to `depends`, `files`, `covers` and `tools`, and
//!   remove names from them.
//! - Tasks, keys and other list items that both sides insert at the same position are all kept,
//!   theirs first, without duplicates. More deeply indented ones come first, so that they stay with
//!   the task above. It is a conflict if both sides add the same single-value key or answer the
//!   same decision.
//! - A task that one side moved and the other changed is moved and changed (`moves`). If both moved
//!   it, theirs wins ([`Merged::moved_twice`]).
//! - A box stays ticked only if a side ticked the step with exactly that text; a step that one side
//!   ticked and the other reworded is open (`ticks`).
//! - If both sides add tasks or requirements with the same id, ours gets the next free id, and our
//!   references to it are updated ([`Merged::renamed`]).
//!
//! Guarantees: if one side is unchanged, the result is the other side, byte for byte; if both sides
//! are equal, the result is that text. Every line added by a side is in the result or in a
//! conflict; every line that neither side changed is in the result. A merge never fails, whatever
//! the texts.

mod assembly;
mod changes;
mod groups;
mod ids;
mod insertions;
mod line_endings;
mod moves;
mod parts;
mod single_keys;
mod ticks;
mod version;

use crate::model::{Span, TaskId};
use version::Parsed;

/// Maximum rounds of renaming duplicate ids in ours; duplicates that remain are renamed in the
/// result.
const MAX_ROUNDS: usize = 3;

/// The outcome of a merge.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Merged {
    /// The merged text; conflicts contain the lines of `theirs`.
    pub text: String,
    /// The ranges that both sides changed differently, in order. At most one per task, unless
    /// another task is between two of them.
    pub conflicts: Vec<Conflict>,
    /// Tasks and requirements that ours added with an id that theirs also added: the id in ours,
    /// and the new one, used in [`Merged::text`] and in the conflicts.
    pub renamed: Vec<(TaskId, TaskId)>,
    /// Tasks that both sides moved to different positions. They are where theirs put them.
    pub moved_twice: Vec<TaskId>,
}

impl Merged {
    /// The text, if there are no conflicts.
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

/// One range that both sides changed. All three texts consist of whole lines with their endings; a
/// text without lines there is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The lines in the base.
    pub base: String,
    /// The lines in our edit.
    pub ours: String,
    /// The lines in the current file.
    pub theirs: String,
    /// The range of `theirs` in [`Merged::text`].
    pub place: Span,
    /// Id of the task that the lines belong to; `None` outside of tasks. If theirs removed the
    /// task, this is its id in ours.
    pub task: Option<TaskId>,
    /// The task's title, or the section: its heading, `front matter`, or `introduction` before the
    /// first heading.
    pub title: String,
}

/// Merges the changes from `base` to `ours` with those from `base` to `theirs`.
pub fn merge(base: &str, ours: &str, theirs: &str) -> Merged {
    if ours == theirs || theirs == base {
        return Merged::whole(ours);
    }
    if ours == base {
        return Merged::whole(theirs);
    }
    let (ours_now, theirs_now) = (ours, theirs);
    let (texts, end) = line_endings::same(base, ours, theirs);
    let [base, ours, theirs] = texts.map(Parsed::of);
    let (ours, mut renamed) = ids::deduplicated(&base, ours, &theirs);
    let mut sides = moves::replayed(base, ours, theirs);
    let said = single_keys::remove_from_ours(&mut sides);
    let (mut merged, mut plan) = assembly::merged(&sides.base, &sides.ours, &sides.theirs);
    // Rename ids that became duplicates because the two sides' tasks ended up in different places.
    for _ in 0..MAX_ROUNDS {
        let Some((ours, more)) = ids::rename_duplicates(&plan, &sides) else {
            break;
        };
        sides.ours = ours;
        renamed.extend(more);
        (merged, plan) = assembly::merged(&sides.base, &sides.ours, &sides.theirs);
    }
    renamed.extend(ids::rename_in_result(&mut merged, &plan, &sides));
    single_keys::report_conflicts(&mut merged, said);
    ticks::keep_valid(&mut merged, [ours_now, theirs_now]);
    merged.renamed = renamed;
    merged.moved_twice = sides.twice;
    end.finish(&mut merged);
    merged
}
