//! Properties of edits that change the structure of a plan, alone and in sequences.

use std::collections::BTreeMap;

use plan::edit::{
    EditError, NewTask, Place, Splice, add_note, add_task, apply, connect, delete_task, disconnect,
    indent, merge_tasks, move_task, outdent, set_body, set_field, set_kind, set_title, split_task,
    tick, untick,
};
use plan::graph::Graph;
use plan::{IdOrigin, Plan, Task, TaskId, TaskKind};
use proptest::prelude::*;
use proptest::sample::Index;

use super::laws::text;
use super::outline_laws::{cases, plan_text};
use super::read;

/// The text after a change, which must leave every byte outside of its splices unchanged and be
/// exactly reversible.
fn made(text: &str, splices: &[Splice]) -> (String, Vec<Splice>) {
    let applied = apply(text, splices).expect("splices fit the text they were made for");
    let back = apply(&applied.text, &applied.inverse).expect("so do their inverses");
    assert_eq!(back.text, text);
    let mut ordered: Vec<&Splice> = splices.iter().collect();
    ordered.sort_by_key(|splice| (splice.range.start, splice.range.end));
    let (mut old, mut new) = (0, 0);
    for splice in ordered {
        let kept = splice.range.start - old;
        assert_eq!(text[old..old + kept], applied.text[new..new + kept]);
        old = splice.range.end;
        new += kept + splice.text.len();
    }
    assert_eq!(text[old..], applied.text[new..]);
    (applied.text, applied.inverse)
}

/// A task's content without its position and its references.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Says {
    title: String,
    marker: char,
    body: String,
    fields: Vec<(String, String)>,
}

fn says(task: &Task) -> Says {
    let fields = task.fields.iter();
    let own = fields.filter(|field| field.key != "depends" && field.key != "option");
    Says {
        title: task.title.clone(),
        marker: task.marker,
        body: task.body.clone(),
        fields: own.map(|f| (f.key.to_string(), f.value.clone())).collect(),
    }
}

/// The content of all tasks except these.
fn others(plan: &Plan, but: &[usize]) -> Vec<Says> {
    let tasks = plan.tasks.iter().enumerate();
    let mut others: Vec<Says> = tasks
        .filter(|(at, _)| !but.contains(at))
        .map(|(_, task)| says(task))
        .collect();
    others.sort();
    others
}

fn page(plan: &Plan) -> (Option<String>, Option<String>, Vec<(String, String)>) {
    let requirements = plan.requirements.iter();
    (
        plan.front.goal.clone(),
        plan.title.as_ref().map(|title| title.text.clone()),
        requirements
            .map(|one| (one.id.clone(), one.text.clone()))
            .collect(),
    )
}

/// The direct and indirect dependencies of each leaf, by title.
fn behind(plan: &Plan) -> BTreeMap<String, Vec<String>> {
    let graph = Graph::of(plan);
    let mut behind: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (at, task) in plan.leaves() {
        behind.entry(task.title.clone()).or_default();
        for after in graph.dependents(at) {
            let after = behind.entry(plan.tasks[after].title.clone()).or_default();
            after.push(task.title.clone());
        }
    }
    behind
}

fn leaves(plan: &Plan, id: &TaskId) -> Vec<String> {
    let graph = Graph::of(plan);
    let leaves = graph.leaves_of(plan.index_of(id).unwrap());
    let titles = leaves.iter().map(|leaf| plan.tasks[*leaf].title.clone());
    titles.collect()
}

fn written_ids(plan: &Plan) -> Vec<&str> {
    let tasks = plan.tasks.iter();
    let written = tasks.filter(|task| task.id_origin == IdOrigin::Written);
    let mut ids: Vec<&str> = written.map(|task| task.id.as_str()).collect();
    ids.sort_unstable();
    ids
}

const KINDS: [TaskKind; 3] = [TaskKind::Normal, TaskKind::Checkpoint, TaskKind::Decision];

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_split_adds_the_second_half_after_the_first(text in plan_text(), which in any::<Index>(), keeps in any::<bool>()) {
        let plan = read(&text);
        let task = which.get(&plan.tasks);
        let at = plan.index_of(&task.id).unwrap();
        let keep = keeps.then_some("");
        let named = split_task(&text, &plan, &task.id, "second half", keep).unwrap();
        let (after, _) = made(&text, &named.splices);
        let now = read(&after);
        let new = now.index_of(&named.id).unwrap();
        prop_assert_eq!(now.tasks.len(), plan.tasks.len() + 1);
        prop_assert_eq!(others(&now, &[at, new]), others(&plan, &[at]));
        prop_assert_eq!(page(&now), page(&plan));
        let (first, second) = (&now.tasks[at], &now.tasks[new]);
        prop_assert_eq!((&first.title, first.marker), (&task.title, task.marker));
        prop_assert_eq!((second.parent, second.done), (first.parent, false));
        let words = match keeps {
            true => ("", task.body.as_str()),
            false => (task.body.as_str(), ""),
        };
        prop_assert_eq!((first.body.as_str(), second.body.as_str()), words);
        let (before, then) = (behind(&plan), behind(&now));
        let own = leaves(&plan, &task.id);
        prop_assert!(own.iter().all(|leaf| then["second half"].contains(leaf)));
        for (leaf, waits) in &before {
            prop_assert!(waits.iter().all(|one| then[leaf].contains(one)), "nobody starts earlier");
            if !own.contains(leaf) && own.iter().all(|one| waits.contains(one)) {
                prop_assert!(then[leaf].contains(&"second half".to_owned()), "{} waits for both", leaf);
            }
        }
        prop_assert_eq!(Graph::of(&now).cycles().is_empty(), Graph::of(&plan).cycles().is_empty());
    }

    #[test]
    fn a_merge_loses_no_word(text in plan_text(), into in any::<Index>(), which in any::<Index>()) {
        let plan = read(&text);
        let (kept, gone) = (into.get(&plan.tasks), which.get(&plan.tasks));
        let at = |task: &Task| plan.index_of(&task.id).unwrap();
        let inside = gone.span.start <= kept.span.start && kept.span.end <= gone.span.end;
        match merge_tasks(&text, &plan, &kept.id, &gone.id) {
            Err(EditError::IntoItself { .. }) => prop_assert!(inside),
            Err(EditError::Cycle { path }) => prop_assert!(path.len() > 1),
            Err(error) => prop_assert!(false, "{error}"),
            Ok(splices) => {
                let (after, _) = made(&text, &splices);
                let now = read(&after);
                prop_assert_eq!(now.tasks.len() + 1, plan.tasks.len());
                let one = now.tasks.iter().position(|task| task.title == kept.title).unwrap();
                prop_assert_eq!(others(&now, &[one]), others(&plan, &[at(kept), at(gone)]));
                prop_assert_eq!(page(&now), page(&plan));
                let one = &now.tasks[one];
                prop_assert_eq!(one.done, kept.done && gone.done);
                prop_assert_eq!(one.children.len(), kept.children.len() + gone.children.len() - usize::from(gone.parent == Some(at(kept))));
                for part in [&kept.body, &gone.title, &gone.body] {
                    prop_assert!(one.body.contains(part.as_str()), "{} of {}", part, one.body);
                }
                for (key, value) in kept.fields.iter().chain(&gone.fields).map(|f| (&f.key, &f.value)) {
                    let is_said = |said: &str| said.contains(value.as_str());
                    prop_assert!(key == "depends" || one.values(key).any(is_said), "{key}: {value}");
                }
                if Graph::of(&plan).cycles().is_empty() {
                    prop_assert!(Graph::of(&now).cycles().is_empty());
                }
            }
        }
    }

    #[test]
    fn indent_and_outdent_restore_the_position(text in plan_text(), which in any::<Index>()) {
        let plan = read(&text);
        let task = which.get(&plan.tasks);
        let at = plan.index_of(&task.id).unwrap();
        let siblings: Vec<usize> = (0..plan.tasks.len()).filter(|one| plan.tasks[*one].parent == task.parent).collect();
        let place = siblings.iter().position(|one| *one == at).unwrap();
        match indent(&text, &plan, &task.id) {
            Err(error) => {
                prop_assert_eq!(error, EditError::NoTaskAbove { id: task.id.clone() });
                prop_assert_eq!(place, 0);
            }
            Ok(named) => {
                let (after, _) = made(&text, &named.splices);
                let now = read(&after);
                let moved = now.task(&named.id).unwrap();
                prop_assert_eq!(&now.tasks[moved.parent.unwrap()].title, &plan.tasks[siblings[place - 1]].title);
                prop_assert_eq!(others(&now, &[]), others(&plan, &[]));
                prop_assert_eq!(page(&now), page(&plan));
                let named = outdent(&after, &now, &named.id).unwrap();
                let (again, _) = made(&after, &named.splices);
                let back = read(&again);
                let titles = |plan: &Plan| plan.tasks.iter().map(|task| (task.title.clone(), task.parent)).collect::<Vec<_>>();
                prop_assert_eq!(titles(&back), titles(&plan));
            }
        }
        match outdent(&text, &plan, &task.id) {
            Err(error) => {
                prop_assert_eq!(error, EditError::AlreadyTopLevel { id: task.id.clone() });
                prop_assert!(task.parent.is_none());
            }
            Ok(named) => {
                let (after, _) = made(&text, &named.splices);
                let now = read(&after);
                prop_assert_eq!(now.task(&named.id).unwrap().depth + 1, task.depth);
                prop_assert_eq!(others(&now, &[]), others(&plan, &[]));
            }
        }
    }

    #[test]
    fn changing_the_type_and_back_restores_the_task(text in plan_text(), which in any::<Index>(), kind in prop::sample::select(&KINDS[..])) {
        let plan = read(&text);
        let task = which.get(&plan.tasks);
        let at = plan.index_of(&task.id).unwrap();
        let (after, _) = made(&text, &set_kind(&text, &plan, &task.id, kind).unwrap());
        let now = read(&after);
        prop_assert_eq!(now.tasks[at].kind, kind);
        prop_assert_eq!(now.tasks[at].options.len(), if kind == TaskKind::Normal { 0 } else { 2 });
        prop_assert_eq!(others(&now, &[at]), others(&plan, &[at]));
        prop_assert_eq!(behind(&now), behind(&plan), "the order of work stays");
        let (after, _) = made(&after, &set_kind(&after, &now, &now.tasks[at].id, TaskKind::Normal).unwrap());
        let back = read(&after);
        prop_assert_eq!(others(&back, &[]), others(&plan, &[]));
        prop_assert_eq!(back.decisions, plan.decisions);
    }

    #[test]
    fn connected_tasks_wait_and_disconnected_ones_do_not(text in plan_text(), from in any::<Index>(), to in any::<Index>()) {
        let plan = read(&text);
        prop_assume!(Graph::of(&plan).cycles().is_empty());
        let (from, to) = (&from.get(&plan.tasks).id, &to.get(&plan.tasks).id);
        let before = behind(&plan);
        let (earlier, later) = (leaves(&plan, from), leaves(&plan, to));
        match connect(&text, &plan, from, to) {
            Err(EditError::BadValue { .. }) => prop_assert_eq!(from, to),
            Err(EditError::Cycle { path }) => {
                prop_assert_eq!(&path[0], to);
                prop_assert!(path.contains(from));
                let waits = |a: &TaskId, b: &TaskId| {
                    let (a, b) = (leaves(&plan, a), leaves(&plan, b));
                    a.iter().any(|a| b.iter().any(|b| a == b || before[a].contains(b)))
                };
                for pair in path[1..].windows(2) {
                    prop_assert!(waits(&pair[0], &pair[1]), "{:?}", path);
                }
                prop_assert!(waits(path.last().unwrap(), to), "{:?}", path);
            }
            Err(error) => prop_assert!(false, "{error}"),
            Ok(splices) => {
                let (after, _) = made(&text, &splices);
                let now = read(&after);
                let then = behind(&now);
                prop_assert_eq!(others(&now, &[]), others(&plan, &[]));
                for leaf in &later {
                    prop_assert!(earlier.iter().all(|one| then[leaf].contains(one)), "{leaf} {then:?}");
                }
                for (leaf, waits) in &before {
                    prop_assert!(waits.iter().all(|one| then[leaf].contains(one)), "what was waited for stays");
                }
            }
        }
        match disconnect(&text, &plan, from, to) {
            Err(EditError::DefinedElsewhere { .. }) => {}
            Err(error) => prop_assert!(false, "{error}"),
            Ok(splices) => {
                let (after, _) = made(&text, &splices);
                let now = read(&after);
                prop_assert_eq!(others(&now, &[]), others(&plan, &[]));
                let at = plan.index_of(to).unwrap();
                prop_assert_eq!(splices.is_empty(), now.tasks[at].depends == plan.tasks[at].depends);
                let then = behind(&now);
                for leaf in &later {
                    prop_assert!(then[leaf].iter().all(|one| before[leaf].contains(one)), "nothing new");
                }
                if !splices.is_empty() {
                    let named = now.tasks[at].depends.clone().unwrap();
                    prop_assert!(!named.contains(from));
                }
            }
        }
    }
}

/// One edit in a sequence.
#[derive(Debug, Clone)]
struct Step {
    what: u8,
    a: Index,
    b: Index,
    words: String,
}

fn step() -> impl Strategy<Value = Step> {
    (
        0..19_u8,
        any::<Index>(),
        any::<Index>(),
        "[a-z]{1,6}( [a-z]{1,6})?",
    )
        .prop_map(|(what, a, b, words)| Step { what, a, b, words })
}

/// The splices of an edit, and by how much it changes the number of tasks.
fn step_made(text: &str, plan: &Plan, step: &Step) -> Result<(Vec<Splice>, isize), EditError> {
    let words = &step.words;
    let new = |kind| NewTask {
        title: words.clone(),
        kind,
    };
    if plan.tasks.is_empty() {
        let added = add_task(text, plan, &Place::First, &new(TaskKind::Normal))?;
        return Ok((added.splices, 1));
    }
    let (a, b) = (&step.a.get(&plan.tasks).id, &step.b.get(&plan.tasks).id);
    // A duplicate id refers to the first task that has it.
    let at = plan.task(a).expect("it is one of them");
    let place = match step.what % 4 {
        0 => Place::Before(b.clone()),
        1 => Place::After(b.clone()),
        2 => Place::Under(b.clone()),
        _ => Place::First,
    };
    let kind = KINDS[usize::from(step.what) % KINDS.len()];
    Ok(match step.what {
        0..=3 => (move_task(text, plan, a, &place)?.splices, 0),
        4 | 5 => (add_task(text, plan, &place, &new(kind))?.splices, 1),
        6 => (split_task(text, plan, a, words, None)?.splices, 1),
        7 => (merge_tasks(text, plan, a, b)?, -1),
        8 => (indent(text, plan, a)?.splices, 0),
        9 => (outdent(text, plan, a)?.splices, 0),
        10 | 11 => (set_kind(text, plan, a, kind)?, 0),
        12 => (connect(text, plan, a, b)?, 0),
        13 => (disconnect(text, plan, a, b)?, 0),
        14 => (set_title(text, plan, a, words)?, 0),
        15 => (set_body(text, plan, a, &format!("{words}\n\n{words}"))?, 0),
        16 => {
            let values = [words.clone(), "second".to_owned()];
            (set_field(text, plan, a, "verify", &values)?, 0)
        }
        17 => match at.done {
            true => (untick(plan, a)?, 0),
            false => (tick(plan, a)?, 0),
        },
        _ if plan.tasks.len() > 6 => {
            let own = plan
                .tasks
                .iter()
                .filter(|task| at.span.start <= task.span.start && task.span.end <= at.span.end);
            let own = own.count();
            (delete_task(text, plan, a)?, -own.cast_signed())
        }
        _ => (add_note(text, plan, a, words)?, 0),
    })
}

/// Applies the edits and asserts that the file is valid after each one and that undoing all of them
/// restores it. `is_formed` means that no step is inside a requirement, where it would be part of
/// the requirement's text.
fn play(text: &str, steps: &[Step], is_formed: bool) -> Result<usize, TestCaseError> {
    let mut now = text.to_owned();
    let mut plan = read(text);
    let mut undo = Vec::new();
    let mut done = 0;
    let mut twice = written_ids(&plan).len();
    for step in steps {
        let Ok((splices, more)) = step_made(&now, &plan, step) else {
            continue;
        };
        let (after, inverse) = made(&now, &splices);
        let then = read(&after);
        prop_assert_eq!(
            plan.tasks.len().checked_add_signed(more),
            Some(then.tasks.len()),
            "{:?} on {:?} gives {:?}",
            step,
            now,
            after
        );
        prop_assert!(!is_formed || page(&then) == page(&plan));
        let ids = written_ids(&then);
        let mut once = ids.clone();
        once.dedup();
        let doubles = ids.len() - once.len();
        prop_assert!(doubles <= twice, "{:?} on {:?}", step, now);
        twice = doubles;
        undo.push(inverse);
        now = after;
        plan = then;
        done += 1;
    }
    for inverse in undo.into_iter().rev() {
        now = apply(&now, &inverse).unwrap().text;
    }
    prop_assert_eq!(now, text, "byte for byte");
    Ok(done)
}

/// Task lists in the formats of other programs.
fn foreign() -> impl Strategy<Value = String> {
    const LISTS: [&str; 3] = [
        "# Tasks: Export\n\n## Phase 1: Setup\n\n- [X] T001 Create the folder `src/`\n- [ ] T002 [P] Add the linter\n\n## Phase 2: Story 1\n\n- [ ] T003 [P] [US1] Test of rows in tests/rows.py\n- [ ] T004 [US1] Rows in src/rows.py (depends on T002)\n- [ ] T005 Write the page\n",
        "# Implementation Plan\n\n- [x] 1. Set up the project\n  - Create folders\n  - _Requirements: 1.1, 1.2_\n\n- [ ] 2. Build the reader\n- [ ] 2.1 Read one line\n  - Handle blanks\n  - _Requirements: 2.1_\n- [ ]* 2.2 Write unit tests\n  - _Requirements: 2.1_\n- [ ] 3. Build the writer\n  - [ ] 3.1 Write one line\n  - [ ] 3.2 Write many\n",
        "## 1. Setup\n\n- [x] 1.1 Add the table\n- [ ] 1.2 Add the index\n\n## 2. Use\n\n- [ ] 2.1 Read from it\n- [ ] 2.2 Write to it\n",
    ];
    let ending = prop_oneof![3 => Just("\n"), 1 => Just("\r\n")];
    (prop::sample::select(&LISTS[..]), ending).prop_map(|(list, ending)| list.replace('\n', ending))
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn edits_of_other_programs_lists_can_be_undone(text in foreign(), steps in prop::collection::vec(step(), 12)) {
        let done = play(&text, &steps, true)?;
        prop_assert!(done >= 2, "only {} could be made", done);
    }

    #[test]
    fn fifty_edits_keep_the_file_valid_and_can_be_undone(text in plan_text(), steps in prop::collection::vec(step(), 50)) {
        let done = play(&text, &steps, true)?;
        prop_assert!(done >= 20, "only {} could be made", done);
    }

    #[test]
    fn edits_of_any_text_can_be_undone(text in text(), steps in prop::collection::vec(step(), 8)) {
        play(&text, &steps, false)?;
    }
}
