//! Several edits in one, applied in order, all or none.
//!
//! Edits refer to tasks by their ids before the first edit. A written id doesn't change, but a
//! positional one does when tasks are added or removed above it, so those tasks are tracked by
//! their position in the text.

use std::cell::Cell;
use std::collections::HashMap;

use plan::edit::{self, EditError, Splice};
use plan::{IdOrigin, Plan, TaskId};

use super::{Cut, Made, bad, cut};
use crate::wire::{Edit, TaskPlace};

/// Maximum edits in one.
const MAX_EDITS: usize = 1_000;

pub(super) fn make(text: &str, plan: &Plan, edits: &[Edit]) -> Result<Made, EditError> {
    if edits.len() > MAX_EDITS {
        return Err(bad(
            "edits",
            "must have at most 1,000 entries",
            &edits.len().to_string(),
        ));
    }
    let before = plan;
    let mut boxes = Boxes::of(before);
    let mut text = text.to_owned();
    let mut read: Option<Plan> = None;
    let mut last = None;
    let mut rest = edits;
    while let Some(edit) = rest.first() {
        let plan = read.as_ref().unwrap_or(plan);
        // Ticks change nothing else, so consecutive ones are applied together.
        let ticks = rest
            .iter()
            .take_while(|edit| matches!(edit, Edit::Tick { .. }))
            .count();
        let (now, next) = rest.split_at(ticks.max(1));
        rest = next;
        let mut splices: Vec<Splice> = Vec::new();
        for edit in now {
            if is_gone(before, plan, &boxes, edit) {
                continue;
            }
            let edit = boxes.renamed(plan, edit)?;
            let Cut { splices: own, task } = cut(&text, plan, &edit)?;
            splices.extend(
                own.into_iter()
                    .filter(|one| !splices.contains(one))
                    .collect::<Vec<_>>(),
            );
            last = task.or(last);
        }
        let after = edit::apply(&text, &splices)?.text;
        let (grown, _) = plan::parse(&after);
        boxes.follow(&splices);
        if let (
            Edit::MoveTask { task, .. } | Edit::Indent { task } | Edit::Outdent { task },
            Some(id),
        ) = (edit, &last)
        {
            boxes.moved(
                task,
                grown
                    .task(&TaskId(id.clone()))
                    .map(|task| task.box_span.start),
            );
        }
        text = after;
        read = Some(grown);
    }
    Ok(Made { text, task: last })
}

/// Checkbox positions of tasks with positional ids; `None` for a deleted task.
struct Boxes(HashMap<String, Option<usize>>);

impl Boxes {
    fn of(plan: &Plan) -> Self {
        let counted = plan.tasks.iter();
        let counted = counted.filter(|task| task.id_origin == IdOrigin::Positional);
        let boxes = counted.map(|task| (task.id.to_string(), Some(task.box_span.start)));
        Self(boxes.collect())
    }

    /// The edit with current task ids.
    fn renamed(&self, plan: &Plan, edit: &Edit) -> Result<Edit, EditError> {
        let lost = Cell::new(None);
        let edit = renamed(edit, &|task| match self.0.get(task) {
            None => task.to_owned(),
            Some(place) => {
                let at = place.and_then(|place| {
                    let tasks = &plan.tasks;
                    tasks
                        .binary_search_by_key(&place, |task| task.box_span.start)
                        .ok()
                });
                match at {
                    Some(at) => plan.tasks[at].id.to_string(),
                    None => {
                        lost.set(Some(TaskId(task.to_owned())));
                        task.to_owned()
                    }
                }
            }
        });
        match lost.into_inner() {
            Some(id) => Err(EditError::UnknownTask { id }),
            None => Ok(edit),
        }
    }

    fn follow(&mut self, splices: &[Splice]) {
        let mut ordered: Vec<&Splice> = splices.iter().collect();
        ordered.sort_by_key(|splice| (splice.range.start, splice.range.end));
        for place in self.0.values_mut() {
            *place = place.and_then(|place| moved_by(&ordered, place));
        }
    }

    fn moved(&mut self, task: &str, place: Option<usize>) {
        if let Some(known) = self.0.get_mut(task) {
            *known = place;
        }
    }
}

/// Whether an edit deletes a task that was already deleted with its group.
fn is_gone(before: &Plan, now: &Plan, boxes: &Boxes, edit: &Edit) -> bool {
    let Edit::DeleteTask { task } = edit else {
        return false;
    };
    match boxes.0.get(task) {
        Some(place) => place.is_none(),
        None => {
            let id = TaskId(task.clone());
            before.task(&id).is_some() && now.task(&id).is_none()
        }
    }
}

/// The new offset of a byte after splices sorted by position; `None` if it was replaced.
fn moved_by(splices: &[&Splice], place: usize) -> Option<usize> {
    let (mut grown, mut gone) = (0, 0);
    for splice in splices {
        if splice.range.start > place || (splice.range.start == place && !splice.range.is_empty()) {
            break;
        }
        if splice.range.end > place {
            return None;
        }
        grown += splice.text.len();
        gone += splice.range.len();
    }
    Some(place + grown - gone)
}

/// The edit with its task ids mapped by `name`.
fn renamed(edit: &Edit, name: &dyn Fn(&str) -> String) -> Edit {
    let mut edit = edit.clone();
    let rename = |task: &mut String| *task = name(task);
    let rename_place = |place: &mut TaskPlace| match place {
        TaskPlace::First => {}
        TaskPlace::Before { task } | TaskPlace::After { task } | TaskPlace::Under { task } => {
            *task = name(task);
        }
    };
    match &mut edit {
        Edit::Title { task, .. }
        | Edit::Body { task, .. }
        | Edit::Field { task, .. }
        | Edit::DeleteTask { task }
        | Edit::SplitTask { task, .. }
        | Edit::Indent { task }
        | Edit::Outdent { task }
        | Edit::Kind { task, .. }
        | Edit::Tick { task, .. }
        | Edit::Skip { task, .. } => rename(task),
        Edit::Depends { task, on } => {
            rename(task);
            on.iter_mut().flatten().for_each(rename);
        }
        Edit::AddTask { place, .. } => rename_place(place),
        Edit::MoveTask { task, place } => {
            rename(task);
            rename_place(place);
        }
        Edit::MergeTasks { into, task } => {
            rename(into);
            rename(task);
        }
        Edit::Connect { from, to } | Edit::Disconnect { from, to } => {
            rename(from);
            rename(to);
        }
        Edit::PlanTitle { .. }
        | Edit::Goal { .. }
        | Edit::Intro { .. }
        | Edit::Requirement { .. }
        | Edit::AddRequirement { .. }
        | Edit::DeleteRequirement { .. }
        | Edit::MakeTasks { .. }
        | Edit::Convert
        | Edit::Many { .. } => {}
    }
    edit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn many(text: &str, edits: Vec<Edit>) -> Result<String, EditError> {
        let (plan, _) = plan::parse(text);
        make(text, &plan, &edits).map(|made| made.text)
    }

    fn delete(task: &str) -> Edit {
        let task = task.to_owned();
        Edit::DeleteTask { task }
    }

    fn tick(task: &str) -> Edit {
        let task = task.to_owned();
        Edit::Tick { task, done: true }
    }

    #[test]
    fn tasks_without_ids_are_named_as_they_were_before_the_first_edit() {
        let text = "- [ ] a\n- [ ] b\n- [ ] c\n- [ ] d\n";
        let edits = vec![delete("#1"), delete("#3"), tick("#4")];
        assert_eq!(many(text, edits).unwrap(), "- [ ] b\n- [x] d\n");
        let place = TaskPlace::First;
        let task = "#4".to_owned();
        let edits = vec![
            Edit::MoveTask { task, place },
            tick("#4"),
            tick("#1"),
            tick("#1"),
        ];
        let expected = "- [x] d\n- [x] a\n- [ ] b\n- [ ] c\n";
        assert_eq!(many(text, edits).unwrap(), expected);
    }

    #[test]
    fn what_goes_with_its_group_need_not_go_again() {
        let text = "- [ ] **T1** a\n  - [ ] **T2** b\n- [ ] **T3** c\n";
        let edits = vec![delete("T1"), delete("T2")];
        assert_eq!(many(text, edits).unwrap(), "- [ ] **T3** c\n");
        let text = "- [ ] a\n  - [ ] b\n- [ ] c\n";
        let edits = vec![delete("#1"), delete("#1.1"), tick("#2")];
        let made = many(text, edits.clone());
        assert_eq!(made.unwrap(), "- [x] c\n", "{edits:?}");
    }

    #[test]
    fn all_are_made_or_none() {
        let text = "- [ ] **T1** a\n- [ ] **T2** b\n";
        let edits = vec![tick("T1"), tick("T9")];
        let unknown = EditError::UnknownTask { id: "T9".into() };
        assert_eq!(many(text, edits), Err(unknown));
        let inner = Edit::Many { edits: vec![] };
        assert!(many(text, vec![inner]).is_err());
    }
}
