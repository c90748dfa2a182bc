//! Edits that merge, split, move and retype tasks.

use plan::edit::{
    EditError, Named, NewTask, Place, Splice, add_task, apply, connect, disconnect, indent,
    merge_tasks, move_task, outdent, set_depends, set_kind, split_task,
};
use plan::{TaskId, TaskKind};

use super::{id, read, sound};

fn after(text: &str, splices: &[Splice]) -> String {
    let applied = apply(text, splices).unwrap();
    let back = apply(&applied.text, &applied.inverse).unwrap().text;
    assert_eq!(back, text, "the inverse takes it back");
    applied.text
}

fn named(text: &str, named: Result<Named<TaskId>, EditError>) -> (String, String) {
    let Named { splices, id } = named.unwrap();
    (after(text, &splices), id.0)
}

fn split(text: &str, of: &str, keep: Option<&str>) -> (String, String) {
    named(text, split_task(text, &read(text), &id(of), "New", keep))
}

fn merged(text: &str, into: &str, task: &str) -> Result<String, EditError> {
    merge_tasks(text, &read(text), &id(into), &id(task)).map(|splices| after(text, &splices))
}

fn kind(text: &str, of: &str, kind: TaskKind) -> String {
    after(text, &set_kind(text, &read(text), &id(of), kind).unwrap())
}

fn connected(text: &str, from: &str, to: &str) -> Result<String, EditError> {
    connect(text, &read(text), &id(from), &id(to)).map(|splices| after(text, &splices))
}

fn cut(text: &str, from: &str, to: &str) -> Result<String, EditError> {
    disconnect(text, &read(text), &id(from), &id(to)).map(|splices| after(text, &splices))
}

#[test]
fn a_task_can_be_inserted_before_another() {
    let new = NewTask {
        title: "New".to_owned(),
        kind: TaskKind::Normal,
    };
    for (text, before, expected) in [
        ("- [ ] a\n- [ ] b\n", "#2", "- [ ] a\n- [ ] New\n- [ ] b\n"),
        (
            "- [ ] a\n  - [ ] b\n",
            "#1.1",
            "- [ ] a\n  - [ ] New\n  - [ ] b\n",
        ),
        (
            "* [ ] a\r\n\r\n* [ ] b\r\n",
            "#2",
            "* [ ] a\r\n\r\n* [ ] New\r\n\r\n* [ ] b\r\n",
        ),
        (
            "- [ ] a\n\t- [ ] b\n\t- [ ] c\n",
            "#1.2",
            "- [ ] a\n\t- [ ] b\n\t- [ ] New\n\t- [ ] c\n",
        ),
    ] {
        let added = add_task(text, &read(text), &Place::Before(id(before)), &new);
        assert_eq!(named(text, added), (expected.to_owned(), before.to_owned()));
    }
    let text = "- [ ] **T1** a\n- [ ] **T2** b\n  - note: n\n- [ ] **T3** c\n";
    let moved = |of: &str, before: &str| {
        let place = Place::Before(id(before));
        move_task(text, &read(text), &id(of), &place).map(|named| after(text, &named.splices))
    };
    assert_eq!(
        moved("T3", "T1").unwrap(),
        "- [ ] **T3** c\n- [ ] **T1** a\n- [ ] **T2** b\n  - note: n\n"
    );
    assert_eq!(moved("T1", "T2").unwrap(), text, "there already");
    assert_eq!(moved("T1", "T1").unwrap(), text);
    let nested = "- [ ] a\n  - [ ] b\n";
    let into_itself = move_task(nested, &read(nested), &id("#1"), &Place::Before(id("#1.1")));
    assert_eq!(into_itself, Err(EditError::IntoItself { id: id("#1") }));
}

#[test]
fn after_a_split_dependents_wait_for_both_halves() {
    for (text, of, expected, new) in [
        (
            "- [ ] **T1** a\n- [ ] **T2** b\n",
            "T1",
            "- [ ] **T1** a\n- [ ] **T3** New\n- [ ] **T2** b\n",
            "T3",
        ),
        (
            "- [x] **T1** a\n  - files: `x`\n  - [ ] **T2** b\n- [ ] **T3** c\n  - depends: T1 (first)\n- [ ] **T4** d\n  - depends: T1, T2\n",
            "T1",
            "- [x] **T1** a\n  - files: `x`\n  - [ ] **T2** b\n- [ ] **T5** New\n- [ ] **T3** c\n  - depends: T1, T5 (first)\n- [ ] **T4** d\n  - depends: T1, T5, T2\n",
            "T5",
        ),
        (
            "- [ ] **T1** a\n- [ ] **T2** b\n- [ ] **T3** c\n  - depends: T1, T2\n",
            "T1",
            "- [ ] **T1** a\n- [ ] **T4** New\n- [ ] **T2** b\n- [ ] **T3** c\n  - depends: T1, T2\n",
            "T4",
        ),
        (
            "- [ ] D1 which\n  - type: decision\n  - option: A -> T1\n  - option: B -> none\n- [ ] T1 a\n",
            "T1",
            "- [ ] D1 which\n  - type: decision\n  - option: A -> T1, T2\n  - option: B -> none\n- [ ] T1 a\n- [ ] T2 New\n",
            "T2",
        ),
        (
            "- [ ] a\n- [ ] b\n",
            "#1",
            "- [ ] a\n- [ ] New\n- [ ] b\n",
            "#2",
        ),
        (
            "- [ ] a\n- [ ] b\n  - depends: none\n- [ ] c\n  - depends: #1\n",
            "#1",
            "- [ ] **T1** a\n- [ ] **T2** New\n- [ ] b\n  - depends: none\n- [ ] c\n  - depends: T1, T2\n",
            "T2",
        ),
    ] {
        assert_eq!(split(text, of, None), (expected.to_owned(), new.to_owned()));
    }
}

#[test]
fn a_split_moves_the_rest_of_the_prose_to_the_new_task() {
    let text = "- [ ] a\n  one two\n\n  three\n  - note: n\n";
    for (keep, expected) in [
        (
            None,
            "- [ ] a\n  one two\n\n  three\n  - note: n\n- [ ] New\n",
        ),
        (
            Some("one two"),
            "- [ ] a\n  one two\n  - note: n\n- [ ] New\n  three\n",
        ),
        (
            Some("one"),
            "- [ ] a\n  one\n  - note: n\n- [ ] New\n  two\n\n  three\n",
        ),
        (
            Some("three"),
            "- [ ] a\n  three\n  - note: n\n- [ ] New\n  one two\n",
        ),
        (
            Some(""),
            "- [ ] a\n  - note: n\n- [ ] New\n  one two\n\n  three\n",
        ),
        (
            Some("one two\n\nthree\n"),
            "- [ ] a\n  one two\n\n  three\n  - note: n\n- [ ] New\n",
        ),
    ] {
        assert_eq!(split(text, "#1", keep).0, expected, "{keep:?}");
    }
    let four = "- [ ] a\n  one\n  two\n  three\n  four\n";
    assert_eq!(
        split(four, "#1", Some("one\nthree")).0,
        "- [ ] a\n  one\n  three\n- [ ] New\n  two\n  four\n"
    );
    let other = split_task(text, &read(text), &id("#1"), "New", Some("four"));
    assert!(matches!(other, Err(EditError::BadValue { .. })));
    let untitled = split_task(text, &read(text), &id("#1"), " ", None);
    assert_eq!(untitled, Err(EditError::Empty { what: "title" }));
}

#[test]
fn a_merge_keeps_all_text() {
    for (text, into, task, expected) in [
        (
            "- [x] **T1** a\n  words\n  - files: `x`\n- [ ] **T2** b\n  more\n  - files: `x`, `y`\n  - verify: `ls`\n  - [ ] **T3** c\n    - note: n\n- [ ] **T4** d\n  - depends: T1, T2\n",
            "T1",
            "T2",
            "- [ ] **T1** a\n  words\n\n  b\n\n  more\n  - files: `x`, `y`\n  - verify: `ls`\n  - [ ] **T3** c\n    - note: n\n- [ ] **T4** d\n  - depends: T1\n",
        ),
        (
            "- [x] a\n- [x] b\n- [ ] c\n",
            "#1",
            "#2",
            "- [x] a\n  b\n- [ ] c\n",
        ),
        (
            "- [ ] **T1** a\n- [ ] **T2** b\n  - depends: T1\n- [ ] **T3** c\n  - depends: T2\n",
            "T2",
            "T1",
            "- [ ] **T2** b\n  a\n  - depends: none\n- [ ] **T3** c\n  - depends: T2\n",
        ),
        (
            "- [ ] **T1** a\n  - [ ] **T2** b\n    - [ ] **T3** c\n",
            "T1",
            "T2",
            "- [ ] **T1** a\n  b\n  - [ ] **T3** c\n",
        ),
    ] {
        assert_eq!(merged(text, into, task).unwrap(), expected);
    }
    for (into, task) in [("T1", "T1"), ("T2", "T1"), ("T3", "T1")] {
        let text = "- [ ] **T1** a\n  - [ ] **T2** b\n    - [ ] **T3** c\n";
        assert_eq!(
            merged(text, into, task),
            Err(EditError::IntoItself { id: id("T1") })
        );
    }
    let title = "- [ ] a\n- [ ] - [ ] b\n";
    assert_eq!(
        merged(title, "#1", "#2").unwrap(),
        "- [ ] a\n  \\- [ ] b\n",
        "a title that looks like a step"
    );
}

#[test]
fn a_merge_combines_the_keys() {
    let text = "\
- [ ] **T1** a
  - by: agent
  - complexity: 3
  - why: so
  - accept: x
  - covers: R1
- [ ] **T2** b
  - by: person
  - complexity: 5
  - why: else
  - accept: x
  - accept: y
  - covers: R1, R2
  - owner: me
  - skipped: late
";
    assert_eq!(
        merged(text, "T1", "T2").unwrap(),
        "\
- [ ] **T1** a
  b
  - by: agent
  - complexity: 5
  - why: so; else
  - accept: x
  - accept: y
  - covers: R1, R2
  - owner: me
  - note: T2 had `by: person`
  - note: T2 was skipped: late
"
    );
    let asks = "\
- [ ] T1 a
- [ ] C1 c
  - type: checkpoint
  - option: Go -> continue
- [ ] D1 d
  - type: decision
";
    assert_eq!(
        merged(asks, "C1", "D1"),
        Err(EditError::KindsDiffer {
            first: id("C1"),
            second: id("D1"),
        })
    );
    let one = merged(asks, "T1", "C1").unwrap();
    assert_eq!(read(&one).tasks[0].kind, TaskKind::Checkpoint);
    assert_eq!(read(&one).tasks[0].options.len(), 1);
}

#[test]
fn a_merge_combines_the_dependencies() {
    let text =
        "- [ ] **T1** a\n- [ ] **T2** b\n- [ ] **T3** c\n- [ ] **T4** d\n  - depends: T1 (it)\n";
    let depends = |text: &str, of: &str| {
        let plan = read(text);
        let task = plan.task(&id(of)).unwrap();
        task.values("depends").collect::<Vec<_>>().join("|")
    };
    assert_eq!(
        depends(&merged(text, "T3", "T4").unwrap(), "T3"),
        "T2, T1 (it)"
    );
    assert_eq!(depends(&merged(text, "T4", "T3").unwrap(), "T4"), "T1 (it)");
    assert_eq!(depends(&merged(text, "T2", "T4").unwrap(), "T2"), "T1 (it)");
    let between =
        "- [ ] **T1** a\n- [ ] **T2** b\n  - depends: T1\n- [ ] **T3** c\n  - depends: T2\n";
    let error = merged(between, "T1", "T3").unwrap_err();
    assert_eq!(
        error.to_string(),
        "this would create a cycle: T1 depends on T2, which depends on T1; remove one of these dependencies first"
    );
    let asks = "- [ ] D1 which\n  - type: decision\n  - option: A -> T1, T2\n  - option: B -> T2\n- [ ] T1 a\n- [ ] T2 b\n\n## Decisions\n- D1: A\n";
    let joined = merged(asks, "T1", "T2").unwrap();
    let plan = sound(&joined);
    let options: Vec<&str> = plan.tasks[0].values("option").collect();
    assert_eq!(options, ["A -> T1", "B -> T1"]);
    let records = "- [ ] T1 a\n- [ ] D1 which\n  - type: decision\n  - option: A -> none\n\n## Decisions\n- D1: A — me\n";
    let joined = merged(records, "T1", "D1").unwrap();
    assert_eq!(sound(&joined).decisions[0].task, id("T1"));
}

#[test]
fn a_task_can_be_indented_and_outdented() {
    let text = "- [ ] **T1** a\n- [ ] **T2** b\n  - note: n\n  - [ ] **T3** c\n- [ ] **T4** d\n";
    let (down, _) = named(text, indent(text, &read(text), &id("T2")));
    assert_eq!(
        down,
        "- [ ] **T1** a\n  - [ ] **T2** b\n    - note: n\n    - [ ] **T3** c\n- [ ] **T4** d\n"
    );
    let (up, _) = named(&down, outdent(&down, &read(&down), &id("T2")));
    assert_eq!(up, text);
    let (up, _) = named(text, outdent(text, &read(text), &id("T3")));
    assert_eq!(
        up,
        "- [ ] **T1** a\n- [ ] **T2** b\n  - note: n\n- [ ] **T3** c\n- [ ] **T4** d\n"
    );
    let refused = |of: &str, error: EditError| {
        assert_eq!(indent(text, &read(text), &id(of)), Err(error));
    };
    refused("T1", EditError::NoTaskAbove { id: id("T1") });
    refused("T3", EditError::NoTaskAbove { id: id("T3") });
    assert_eq!(
        outdent(text, &read(text), &id("T1")),
        Err(EditError::AlreadyTopLevel { id: id("T1") })
    );
}

#[test]
fn no_task_waits_for_its_own_group() {
    for (text, of, expected) in [
        (
            "- [ ] **T1** a\n- [ ] **T2** b\n  - depends: T1\n",
            "T2",
            "- [ ] **T1** a\n  - [ ] **T2** b\n",
        ),
        (
            "- [ ] **T1** a\n  - [ ] **T2** b\n- [ ] **T3** c\n  - depends: T1, T9\n",
            "T3",
            "- [ ] **T1** a\n  - [ ] **T2** b\n  - [ ] **T3** c\n    - depends: T9, T2\n",
        ),
        (
            "- [ ] **T1** a\n  - depends: T2\n- [ ] **T2** b\n  - depends: none\n",
            "T2",
            "- [ ] **T1** a\n  - depends: none\n  - [ ] **T2** b\n    - depends: none\n",
        ),
    ] {
        assert_eq!(named(text, indent(text, &read(text), &id(of))).0, expected);
    }
}

#[test]
fn a_task_can_become_a_checkpoint_a_decision_and_a_step_again() {
    let text = "- [ ] **T1** a\n  words\n- [ ] **T2** b\n";
    let pause = kind(text, "T1", TaskKind::Checkpoint);
    assert_eq!(
        pause,
        "- [ ] **T1** a\n  words\n  - type: checkpoint\n  - option: Continue -> continue\n  - option: Stop here -> stop\n- [ ] **T2** b\n"
    );
    let asks = kind(&pause, "T1", TaskKind::Decision);
    assert_eq!(
        asks,
        "- [ ] **T1** a\n  words\n  - type: decision\n  - option: Yes -> none\n  - option: No -> none\n- [ ] **T2** b\n"
    );
    sound(&asks);
    assert_eq!(kind(&pause, "T1", TaskKind::Normal), text);
    assert_eq!(kind(&asks, "T1", TaskKind::Normal), text);
    assert_eq!(kind(text, "T1", TaskKind::Normal), text);

    let own = "- [ ] **D1** d\n  - type: decision\n  - option: A -> T1\n  - option: B -> none\n- [ ] **T1** a\n";
    assert_eq!(
        kind(own, "D1", TaskKind::Normal),
        "- [ ] **D1** d\n  - note: dropped option: A -> T1\n  - note: dropped option: B -> none\n- [ ] **T1** a\n"
    );
    let pause = kind(own, "D1", TaskKind::Checkpoint);
    assert_eq!(
        pause,
        "- [ ] **D1** d\n  - type: checkpoint\n  - option: A -> continue\n  - option: B -> continue\n  - note: dropped option: A -> T1\n- [ ] **T1** a\n"
    );
    sound(&pause);
    let skips = "- [ ] **C1** c\n  - type: checkpoint\n  - option: A -> skip T1\n  - option: B -> review\n- [ ] **T1** a\n";
    assert_eq!(
        kind(skips, "C1", TaskKind::Decision),
        skips.replace("checkpoint", "decision")
    );
}

#[test]
fn a_new_decision_gets_a_record() {
    let text = "- [ ] a\n- [ ] b\n\n## Decisions\n";
    let asks = kind(text, "#2", TaskKind::Decision);
    assert_eq!(
        asks,
        "- [ ] a\n- [ ] **D1** b\n  - type: decision\n  - option: Yes -> none\n  - option: No -> none\n\n## Decisions\n- D1 open\n"
    );
    assert_eq!(
        kind(&asks, "D1", TaskKind::Normal),
        "- [ ] a\n- [ ] **D1** b\n\n## Decisions\n"
    );
    let answered = asks.replace("D1 open", "D1: Yes — me");
    assert!(kind(&answered, "D1", TaskKind::Normal).ends_with("- D1: Yes — me\n"));
    let no_section = "- [ ] a\n";
    assert!(!kind(no_section, "#1", TaskKind::Decision).contains("Decisions"));
}

#[test]
fn a_dependency_can_be_added() {
    let text = "- [ ] **T1** a\n- [ ] **T2** b\n- [ ] **T3** c\n- [ ] **T4** d\n  - depends: T1 (it), `T2`\n- [ ] **T5** e\n  - depends: none\n";
    let line = |from: &str, to: &str| {
        let changed = connected(text, from, to).unwrap();
        let plan = read(&changed);
        let task = plan.task(&id(to)).unwrap();
        task.values("depends").collect::<Vec<_>>().join("|")
    };
    assert_eq!(line("T1", "T3"), "T2, T1", "it waited for the one above");
    assert_eq!(line("T3", "T4"), "T1 (it), `T2, T3`");
    assert_eq!(line("T3", "T5"), "T3");
    assert_eq!(connected(text, "T1", "T4").unwrap(), text, "said already");
    assert_eq!(connected(text, "T2", "T3").unwrap(), text, "by its place");
    let group =
        "- [ ] **T1** a\n- [ ] **T2** b\n- [ ] **T3** c\n  - [ ] **T4** d\n  - [ ] **T5** e\n";
    assert_eq!(
        connected(group, "T1", "T4").unwrap(),
        group.replace("d\n", "d\n    - depends: T2, T1\n"),
        "a first sub-task keeps what its group waits for"
    );
    let handed =
        "- [ ] **T1** a\n- [ ] **T2** b\n- [ ] **T3** c\n  - depends: T1\n  - [ ] **T4** d\n";
    assert_eq!(connected(handed, "T1", "T4").unwrap(), handed);
    let counted = "- [ ] a\n- [ ] b\n- [ ] c\n";
    assert_eq!(
        connected(counted, "#1", "#3").unwrap(),
        "- [ ] **T2** a\n- [ ] **T1** b\n- [ ] c\n  - depends: T1, T2\n"
    );
}

#[test]
fn a_cycle_is_rejected_with_its_path() {
    let text = "- [ ] **T1** a\n- [ ] **T2** b\n- [ ] **G3** c\n  - [ ] **T4** d\n- [ ] **T5** e\n  - depends: none\n";
    let refused = |from: &str, to: &str| match connected(text, from, to) {
        Err(EditError::Cycle { path }) => path
            .iter()
            .map(TaskId::as_str)
            .collect::<Vec<_>>()
            .join(" "),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused("T2", "T1"), "T1 T2");
    assert_eq!(refused("T4", "T1"), "T1 T4 G3 T2");
    assert_eq!(refused("G3", "T4"), "T4 G3");
    assert_eq!(refused("T4", "G3"), "G3 T4");
    let plan = read(text);
    assert_eq!(
        connect(text, &plan, &id("T2"), &id("T1"))
            .unwrap_err()
            .to_string(),
        "this would create a cycle: T1 depends on T2, which depends on T1; remove one of these dependencies first"
    );
    assert_eq!(
        set_depends(text, &plan, &id("T1"), Some(&[id("T5"), id("T2")])),
        Err(EditError::Cycle {
            path: vec![id("T1"), id("T2")]
        })
    );
    assert!(matches!(
        connect(text, &plan, &id("T1"), &id("T1")),
        Err(EditError::BadValue { .. })
    ));
    // A hand-written cycle can be fixed one task at a time.
    let circle =
        "- [ ] **T1** a\n  - depends: T2\n- [ ] **T2** b\n  - depends: T1\n- [ ] **T3** c\n";
    assert!(set_depends(circle, &read(circle), &id("T1"), Some(&[])).is_ok());
    assert!(cut(circle, "T2", "T1").is_ok());
    assert!(
        set_depends(
            circle,
            &read(circle),
            &id("T1"),
            Some(&[id("T2"), id("T3")])
        )
        .is_ok()
    );
    // Removing a `depends:` can also close a cycle.
    let above = "- [ ] **T1** a\n  - depends: T2\n- [ ] **T2** b\n  - depends: none\n";
    assert!(matches!(
        set_depends(above, &read(above), &id("T2"), None),
        Err(EditError::Cycle { .. })
    ));
}

#[test]
fn a_dependency_can_be_removed() {
    let text = "- [ ] **T1** a\n- [ ] **T2** b\n- [ ] **T3** c\n  - depends: T1 (it), T2\n- [ ] **T4** d\n  - depends: T3\n";
    let line = |from: &str, to: &str| {
        let changed = cut(text, from, to).unwrap();
        let plan = read(&changed);
        let task = plan.task(&id(to)).unwrap();
        task.values("depends").collect::<Vec<_>>().join("|")
    };
    assert_eq!(line("T2", "T3"), "T1 (it)");
    assert_eq!(line("T1", "T3"), "T2");
    assert_eq!(line("T3", "T4"), "none");
    assert_eq!(line("T1", "T2"), "none", "it waited by its place");
    assert_eq!(cut(text, "T1", "T4").unwrap(), text, "it waits for T3 only");
    let because = |text: &str, from: &str, to: &str| match cut(text, from, to) {
        Err(EditError::DefinedElsewhere { reason, .. }) => reason,
        other => panic!("{other:?}"),
    };
    let group = "- [ ] **T1** a\n- [ ] **G2** b\n  - depends: T1\n  - [ ] **T3** c\n- [ ] **T4** d\n  - depends: G2\n- [ ] **D1** which\n  - type: decision\n  - option: A -> T5\n- [ ] **T5** e\n  - depends: none\n";
    assert_eq!(because(group, "T1", "T3"), "its group G2 depends on it");
    assert_eq!(because(group, "T3", "T4"), "it depends on all of G2");
    assert_eq!(because(group, "D1", "T5"), "an option of D1 leads to it");
}
