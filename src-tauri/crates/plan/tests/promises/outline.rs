//! Which lines of a file each outline edit changes.

use plan::edit::{
    Applied, EditError, Named, NewTask, Place, Splice, add_requirement, add_task, apply,
    delete_requirement, delete_task, ensure_id, intro, move_task, named_by, set_body, set_depends,
    set_field, set_goal, set_intro, set_plan_title, set_requirement, set_title,
};
use plan::{TaskId, TaskKind};

use super::{id, ids, read};

const EXAMPLE: &str = include_str!("example.md");

fn after(text: &str, splices: &[Splice]) -> String {
    let Applied {
        text: after,
        inverse,
    } = apply(text, splices).unwrap();
    assert_eq!(
        apply(&after, &inverse).unwrap().text,
        text,
        "the inverse takes it back"
    );
    after
}

fn titled(text: &str, of: &str, title: &str) -> Result<String, EditError> {
    set_title(text, &read(text), &id(of), title).map(|splices| after(text, &splices))
}

fn with_body(text: &str, of: &str, body: &str) -> Result<String, EditError> {
    set_body(text, &read(text), &id(of), body).map(|splices| after(text, &splices))
}

fn with(text: &str, of: &str, key: &str, values: &[&str]) -> Result<String, EditError> {
    let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
    set_field(text, &read(text), &id(of), key, &values).map(|splices| after(text, &splices))
}

fn waiting(text: &str, of: &str, ids: Option<&[&str]>) -> Result<String, EditError> {
    let ids: Option<Vec<TaskId>> = ids.map(|ids| ids.iter().map(|one| id(one)).collect());
    set_depends(text, &read(text), &id(of), ids.as_deref()).map(|splices| after(text, &splices))
}

fn task(title: &str, kind: TaskKind) -> NewTask {
    NewTask {
        title: title.to_owned(),
        kind,
    }
}

fn added(text: &str, place: &Place) -> (String, String) {
    let new = task("New", TaskKind::Normal);
    let Named { splices, id } = add_task(text, &read(text), place, &new).unwrap();
    (after(text, &splices), id.0)
}

fn moved(text: &str, of: &str, place: &Place) -> Result<String, EditError> {
    move_task(text, &read(text), &id(of), place).map(|named| after(text, &named.splices))
}

fn deleted(text: &str, of: &str) -> String {
    after(text, &delete_task(text, &read(text), &id(of)).unwrap())
}

fn behind(of: &str) -> Place {
    Place::After(id(of))
}

fn under(of: &str) -> Place {
    Place::Under(id(of))
}

/// The lines that differ between two texts.
fn difference(before: &str, after: &str) -> String {
    let patch = diffy::DiffOptions::new()
        .set_context_len(0)
        .create_patch(before, after)
        .to_string();
    let lines = patch.lines().skip(2);
    lines
        .filter(|line| !line.starts_with("@@"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_title_is_replaced_in_place() {
    for (text, of, expected) in [
        ("- [ ] a  \n", "#1", "- [ ] New  \n"),
        ("- [ ]", "#1", "- [ ] New"),
        (
            "1) [x]* **T1**: a\r\n   b\r\n",
            "T1",
            "1) [x]* **T1**: New\r\n   b\r\n",
        ),
        ("- [ ] **T1**\n", "T1", "- [ ] **T1** New\n"),
        ("> * [ ] T1. a\n", "T1", "> * [ ] T1. New\n"),
    ] {
        assert_eq!(titled(text, of, "New").unwrap(), expected);
    }
    assert_eq!(
        titled("- [ ] a\n", "#1", " two\r\nlines ").unwrap(),
        "- [ ] two lines\n"
    );
    assert!(matches!(
        titled("- [ ] a\n", "#1", "T5 b"),
        Err(EditError::Misparsed { .. })
    ));
    assert_eq!(
        titled("- [ ] a\n", "#1", " \n"),
        Err(EditError::Empty { what: "title" })
    );
    assert!(matches!(
        titled("- [ ] a\n", "T1", "b"),
        Err(EditError::UnknownTask { .. })
    ));
}

#[test]
fn prose_is_indented_like_its_task() {
    for (text, body, expected) in [
        ("- [ ] a", "B", "- [ ] a\n  B"),
        (
            "- [ ] a\n- [ ] b\n",
            "B\n\n    code\nC",
            "- [ ] a\n  B\n\n      code\n  C\n- [ ] b\n",
        ),
        (
            "10. [ ] a\r\n    - note: n\r\n",
            "B\nC",
            "10. [ ] a\r\n    B\r\n    C\r\n    - note: n\r\n",
        ),
        (
            "- [ ] a\n\n  old\n  words\n\n  - note: n\n",
            "B",
            "- [ ] a\n\n  B\n\n  - note: n\n",
        ),
        (
            "- [ ] a\n  - note: n\n\n  old\n",
            "B",
            "- [ ] a\n  - note: n\n\n  B\n",
        ),
        (
            "- [ ] a\n  old\n  - note: n\n    more\n  - [ ] b\n",
            "B",
            "- [ ] a\n  B\n  - note: n\n  - [ ] b\n",
        ),
        (
            "- [ ] a\n  old\n\n  - note: n\n- [ ] b\n",
            "",
            "- [ ] a\n\n  - note: n\n- [ ] b\n",
        ),
        (
            "> - [ ] a\n> - [ ] b\n",
            "B\n\nC",
            "> - [ ] a\n>   B\n>\n>   C\n> - [ ] b\n",
        ),
        ("- [ ] a\n", "---\nB", "- [ ] a\n\n  ---\n  B\n"),
        (
            "- [ ] a\n- [ ] b\n",
            "```\n- [ ] x\n```",
            "- [ ] a\n  ```\n  - [ ] x\n  ```\n- [ ] b\n",
        ),
        (
            "\u{feff}- [ ] a\n",
            "B\n  C",
            "\u{feff}- [ ] a\n  B\n    C\n",
        ),
    ] {
        assert_eq!(with_body(text, "#1", body).unwrap(), expected);
    }
    for hostile in ["- [ ] x", "words\n- note: x", "a\n\n- files: x"] {
        assert!(
            matches!(
                with_body("- [ ] a\n- [ ] b\n", "#1", hostile),
                Err(EditError::Misparsed { .. })
            ),
            "{hostile}"
        );
    }
}

#[test]
fn values_are_written_in_the_layout_of_their_key() {
    let text = "- [ ] **T1** a\n- [ ] **T2** b\n";
    let of = |key: &str, values: &[&str]| {
        let changed = with(text, "T2", key, values).unwrap();
        difference(text, &changed)
    };
    assert_eq!(
        of("files", &["a.rs", "b c.rs"]),
        "+  - files: `a.rs`, `b c.rs`"
    );
    assert_eq!(of("files", &["a`b"]), "+  - files: ``a`b``");
    assert_eq!(of("tools", &["edit", "run"]), "+  - tools: edit, run");
    assert_eq!(of("tools", &["a,b"]), "+  - tools: `a,b`");
    assert_eq!(of("covers", &["R1", "R2"]), "+  - covers: R1, R2");
    assert_eq!(
        of("verify", &["cargo test", "ls"]),
        "+  - verify: `cargo test`\n+  - verify: `ls`"
    );
    assert_eq!(
        of("verify", &["echo `date`"]),
        "+  - verify: `` echo `date` ``"
    );
    assert_eq!(
        of("call", &["read_file {\"path\": \"a\"}"]),
        "+  - call: `read_file {\"path\": \"a\"}`"
    );
    assert_eq!(
        of("accept", &["it `works`", "two\nlines"]),
        "+  - accept: it `works`\n+  - accept: two lines"
    );
    assert_eq!(of("complexity", &["3"]), "+  - complexity: 3");
    assert_eq!(of("depends", &["T1"]), "+  - depends: T1");
    assert_eq!(of("depends", &[]), "");
    assert_eq!(of("depends", &["none"]), "+  - depends: none");
    assert_eq!(of("owner", &["me"]), "+  - owner: me");
    assert_eq!(of("note", &["- [ ] x", " "]), "+  - note: - [ ] x");
    for (key, values) in [
        ("complexity", &["11"][..]),
        ("complexity", &["3", "4"]),
        ("by", &["me"]),
        ("type", &["job"]),
        ("confirm", &["maybe"]),
        ("files", &["none"]),
        ("depends", &["T2"]),
        ("Two words", &["x"]),
    ] {
        assert!(
            matches!(
                with(text, "T2", key, values),
                Err(EditError::BadValue { .. })
            ),
            "{key} {values:?}"
        );
    }
}

#[test]
fn unchanged_lines_of_a_key_are_not_touched() {
    let text = "* [ ] a\n\t* verify: one\n\t* note: n\n\t* verify: two  \n\t* verify: `three`\n";
    for (values, expected) in [
        (
            &["one", "2"][..],
            "-\t* verify: two  \n-\t* verify: `three`\n+\t* verify: 2  ",
        ),
        (
            &["one", "two", "3", "4"],
            "-\t* verify: `three`\n+\t* verify: 3\n+\t* verify: 4",
        ),
        (
            &[],
            "-\t* verify: one\n-\t* verify: two  \n-\t* verify: `three`",
        ),
    ] {
        assert_eq!(
            difference(text, &with(text, "#1", "verify", values).unwrap()),
            expected
        );
    }
    let listed = "- [ ] a\n  - files:\n    - `a`\n    - b\n  - note: n\n";
    assert_eq!(
        with(listed, "#1", "files", &["c", "d"]).unwrap(),
        "- [ ] a\n  - files: `c`, `d`\n  - note: n\n"
    );
    assert_eq!(
        with("- [ ] a\n  - files: x\n  - note: n", "#1", "note", &[]).unwrap(),
        "- [ ] a\n  - files: x"
    );
    assert_eq!(
        with("- [ ] a\n  - files: x, y\n", "#1", "files", &["z"]).unwrap(),
        "- [ ] a\n  - files: z\n",
        "without back-ticks, as before"
    );
}

#[test]
fn depends_none_differs_from_no_depends() {
    let text = "- [ ] **T1** a\n- [ ] **T2** b\n  - depends: T1\n";
    assert_eq!(
        waiting(text, "T2", Some(&[])).unwrap(),
        text.replace("depends: T1", "depends: none")
    );
    assert_eq!(
        waiting(text, "T2", None).unwrap(),
        "- [ ] **T1** a\n- [ ] **T2** b\n"
    );
    assert_eq!(waiting(text, "T2", Some(&["T1", "T1"])).unwrap(), text);
}

#[test]
fn an_answered_decision_can_become_a_step() {
    let text = "- [ ] **D1** q\n  - type: decision\n  - option: A -> none\n\n## Decisions\n- D1: A, said Ann\n";
    assert_eq!(
        with(text, "D1", "type", &["task"]).unwrap(),
        text.replace("type: decision", "type: task")
    );
}

#[test]
fn a_step_without_an_id_gets_one_when_it_is_referenced() {
    let text = "- [ ] a\n  - [ ] b\n- [ ] c\n  - depends: #1.1\n- [ ] d\n";
    assert_eq!(
        waiting(text, "#3", Some(&["#1.1", "#2"])).unwrap(),
        "- [ ] a\n  - [ ] **T1** b\n- [ ] **T2** c\n  - depends: T1\n- [ ] d\n  - depends: T1, T2\n"
    );
    let style = "- [ ] T7: a\n- [ ] b\n  - type: checkpoint\n";
    let named = ensure_id(style, &read(style), &id("#2")).unwrap();
    assert_eq!(named.id, id("C1"));
    assert_eq!(
        after(style, &named.splices),
        "- [ ] T7: a\n- [ ] C1: b\n  - type: checkpoint\n"
    );
    let known = ensure_id(style, &read(style), &id("T7")).unwrap();
    assert_eq!((known.splices, known.id), (Vec::new(), id("T7")));
    let asks = "- [ ] a\n- [ ] D1 which\n  - type: decision\n";
    assert_eq!(
        with(asks, "D1", "option", &["A -> #1", "B -> none"]).unwrap(),
        "- [ ] T1 a\n- [ ] D1 which\n  - type: decision\n  - option: A -> T1\n  - option: B -> none\n"
    );
}

#[test]
fn a_new_task_follows_the_style_of_its_neighbors() {
    for (text, place, expected, new) in [
        (
            "- [ ] **T1** a\n- [x] **T4** b\n",
            behind("T1"),
            "- [ ] **T1** a\n- [ ] **T5** New\n- [x] **T4** b\n",
            "T5",
        ),
        (
            "- [ ] a\n  - note: n\n- [ ] b\n",
            behind("#1"),
            "- [ ] a\n  - note: n\n- [ ] New\n- [ ] b\n",
            "#2",
        ),
        (
            "- [ ] a\n- [ ] b",
            behind("#2"),
            "- [ ] a\n- [ ] b\n- [ ] New",
            "#3",
        ),
        (
            "* [ ] a\r\n\r\n* [ ] b\r\n",
            behind("#1"),
            "* [ ] a\r\n\r\n* [ ] New\r\n\r\n* [ ] b\r\n",
            "#2",
        ),
        (
            "9. [ ] T1 a\n",
            behind("T1"),
            "9. [ ] T1 a\n10. [ ] T2 New\n",
            "T2",
        ),
        (
            "- [ ] a\n\t- [ ] b\n",
            under("#1"),
            "- [ ] a\n\t- [ ] b\n\t- [ ] New\n",
            "#1.2",
        ),
        (
            "- [ ] a\n\t- [ ] b\n- [ ] c\n",
            under("#2"),
            "- [ ] a\n\t- [ ] b\n- [ ] c\n\t- [ ] New\n",
            "#2.1",
        ),
        (
            "* [ ] a\n    * note: n\n",
            under("#1"),
            "* [ ] a\n    * note: n\n    * [ ] New\n",
            "#1.1",
        ),
        (
            "1. [ ] a\n",
            under("#1"),
            "1. [ ] a\n   - [ ] New\n",
            "#1.1",
        ),
        (
            "> - [ ] a\n",
            under("#1"),
            "> - [ ] a\n>   - [ ] New\n",
            "#1.1",
        ),
        (
            "Intro\n\n- [ ] a\n",
            Place::First,
            "Intro\n\n- [ ] New\n- [ ] a\n",
            "#1",
        ),
        (
            "\u{feff}- [ ] a\n",
            Place::First,
            "\u{feff}- [ ] New\n- [ ] a\n",
            "#1",
        ),
        ("", Place::First, "## Tasks\n- [ ] **T1** New\n", "T1"),
        (
            "# P",
            Place::First,
            "# P\n\n## Tasks\n- [ ] **T1** New\n",
            "T1",
        ),
        (
            "# P\n\n## Decisions\n\n## Log\n",
            Place::First,
            "# P\n\n## Tasks\n- [ ] **T1** New\n\n## Decisions\n\n## Log\n",
            "T1",
        ),
        (
            "---\nplanwright: 1\n---\n",
            Place::First,
            "---\nplanwright: 1\n---\n## Tasks\n- [ ] **T1** New\n",
            "T1",
        ),
        (
            "## Tasks\n\n## Log\n",
            Place::First,
            "## Tasks\n- [ ] **T1** New\n\n## Log\n",
            "T1",
        ),
        (
            "Tasks\n-----\n\nWords\n",
            Place::First,
            "Tasks\n-----\n- [ ] **T1** New\n\nWords\n",
            "T1",
        ),
        (
            "## Tasks\nWords\n",
            Place::First,
            "## Tasks\nWords\n\n- [ ] **T1** New\n",
            "T1",
        ),
    ] {
        assert_eq!(added(text, &place), (expected.to_owned(), new.to_owned()));
    }
    let named = add_task(
        EXAMPLE,
        &read(EXAMPLE),
        &under("T2"),
        &task("Which?", TaskKind::Decision),
    )
    .unwrap();
    assert_eq!(named.id, id("D2"));
    assert_eq!(
        difference(EXAMPLE, &after(EXAMPLE, &named.splices)),
        "+  - [ ] **D2** Which?\n+    - type: decision"
    );
    let plain = "- [ ] a\n";
    let new = |title: &str| {
        add_task(
            plain,
            &read(plain),
            &Place::First,
            &task(title, TaskKind::Normal),
        )
    };
    assert!(matches!(new("T5 x"), Err(EditError::Misparsed { .. })));
    assert_eq!(new("\n"), Err(EditError::Empty { what: "title" }));
}

#[test]
fn positional_references_keep_pointing_at_the_same_step() {
    let text = "- [ ] a\n- [ ] b\n  - depends: none\n- [ ] c\n  - depends: #1, #2\n";
    let (changed, _) = added(text, &Place::First);
    assert_eq!(
        changed,
        "- [ ] New\n- [ ] a\n- [ ] b\n  - depends: none\n- [ ] c\n  - depends: #2, #3\n"
    );
    assert_eq!(
        moved(text, "#1", &behind("#3")).unwrap(),
        "- [ ] b\n  - depends: none\n- [ ] c\n  - depends: #3, #1\n- [ ] a\n"
    );
    assert_eq!(
        deleted(text, "#1"),
        "- [ ] b\n  - depends: none\n- [ ] c\n  - depends: #1\n"
    );
}

#[test]
fn a_removed_task_is_no_longer_referenced() {
    let plan = read(EXAMPLE);
    assert_eq!(named_by(&plan, &id("T3")), [id("D1"), id("C1")]);
    insta::assert_snapshot!(difference(EXAMPLE, &deleted(EXAMPLE, "T3")));
    insta::assert_snapshot!(difference(EXAMPLE, &deleted(EXAMPLE, "D1")));
    insta::assert_snapshot!(difference(EXAMPLE, &deleted(EXAMPLE, "T2")));
}

#[test]
fn dependents_of_a_removed_task_inherit_its_dependencies() {
    for (text, of, expected) in [
        (
            "- [ ] a\n- [ ] **T2** b\n- [ ] **T3** c\n- [ ] **T4** d\n  - depends: T2\n",
            "T2",
            "- [ ] **T5** a\n- [ ] **T3** c\n- [ ] **T4** d\n  - depends: T5\n",
        ),
        (
            "- [ ] **T1** a\n- [ ] **T2** b\n  - depends: T1\n",
            "T1",
            "- [ ] **T2** b\n  - depends: none\n",
        ),
        (
            "- [ ] **T1** a\n- [ ] **G2** g\n  - [ ] **T3** b\n  - [ ] **T4** c\n- [ ] **T5** d\n  - depends: T4\n",
            "G2",
            "- [ ] **T1** a\n- [ ] **T5** d\n  - depends: T1\n",
        ),
        (
            "- [ ] **T1** a\n- [ ] **C1** c\n  - type: checkpoint\n  - option: No -> skip T1\n  - option: Yes -> continue\n",
            "T1",
            "- [ ] **C1** c\n  - type: checkpoint\n  - option: No -> continue\n  - option: Yes -> continue\n",
        ),
    ] {
        assert_eq!(deleted(text, of), expected);
    }
}

#[test]
fn only_the_lines_of_a_removed_task_are_removed() {
    for (text, of, expected) in [
        (
            "- [ ] a\n\n- [ ] b\n  words\n\n- [ ] c\n",
            "#2",
            "- [ ] a\n\n- [ ] c\n",
        ),
        ("- [ ] a\n- [ ] b\n\n## Log\n", "#2", "- [ ] a\n\n## Log\n"),
        ("- [ ] a\n- [ ] b", "#2", "- [ ] a"),
        (
            "- [ ] a\n\n- [ ] b\n\n## Log\n",
            "#2",
            "- [ ] a\n\n## Log\n",
        ),
        (
            "\u{feff}- [ ] a\r\n- [ ] b\r\n",
            "#1",
            "\u{feff}- [ ] b\r\n",
        ),
        (
            "- [ ] a\n  - [ ] b\n    - [ ] c\n- [ ] d\n",
            "#1",
            "- [ ] d\n",
        ),
        ("- [ ] a\n", "#1", ""),
        ("# P\n\n- [ ] a\n", "#1", "# P\n"),
    ] {
        assert_eq!(deleted(text, of), expected);
    }
}

#[test]
fn a_moved_task_keeps_everything_under_it() {
    let text = "- [ ] **T1** a\n- [ ] **T2** b\n  Words\n\n  ```\n    code\n  - [ ] none\n  ```\n  - note: n\n  - [ ] **T3** c\n    - note: m\n- [ ] **T4** d\n";
    insta::assert_snapshot!(moved(text, "T2", &under("T1")).unwrap());
    insta::assert_snapshot!(moved(text, "T3", &Place::First).unwrap());
    insta::assert_snapshot!(moved(text, "T3", &behind("T2")).unwrap());
    insta::assert_snapshot!(moved(text, "T2", &behind("T4")).unwrap());
    for (text, of, place, expected) in [
        (
            "- [ ] a\n\t- files: x\n- [ ] b\n\t- [ ] c\n",
            "#1",
            under("#2"),
            "- [ ] b\n\t- [ ] c\n\t- [ ] a\n\t\t- files: x\n",
        ),
        (
            "1. [ ] a\n   - note: n\n2. [ ] b\n",
            "#1",
            behind("#2"),
            "2. [ ] b\n3. [ ] a\n   - note: n\n",
        ),
        (
            "1. [ ] a\n   words\n2. [ ] b\n",
            "#1",
            under("#2"),
            "2. [ ] b\n   - [ ] a\n     words\n",
        ),
        (
            "* [ ] a\r\n\r\n* [ ] b\r\n\r\n* [ ] c\r\n",
            "#3",
            Place::First,
            "* [ ] c\r\n\r\n* [ ] a\r\n\r\n* [ ] b\r\n",
        ),
        (
            "- [ ] a\n  - [ ] b",
            "#1.1",
            behind("#1"),
            "- [ ] a\n- [ ] b",
        ),
        (
            "- [ ] a\nlazy words\n- [ ] b\n",
            "#1",
            under("#2"),
            "- [ ] b\n  - [ ] a\n    lazy words\n",
        ),
    ] {
        assert_eq!(moved(text, of, &place).unwrap(), expected);
    }
    assert_eq!(
        moved(text, "T2", &behind("T1")).unwrap(),
        text,
        "there already"
    );
    assert_eq!(moved(text, "T2", &behind("T2")).unwrap(), text);
    for place in [under("T2"), under("T3"), behind("T3")] {
        assert_eq!(
            moved(text, "T2", &place),
            Err(EditError::IntoItself { id: id("T2") })
        );
    }
}

#[test]
fn the_goal_is_written_to_the_front_matter() {
    for (text, goal, expected) in [
        ("# P\n", "G", "---\ngoal: G\n---\n# P\n"),
        (
            "\u{feff}# P\r\n",
            "a: b",
            "\u{feff}---\r\ngoal: \"a: b\"\r\n---\r\n# P\r\n",
        ),
        (
            "---\nplanwright: 1\nbase: x\n---\n",
            "G",
            "---\nplanwright: 1\ngoal: G\nbase: x\n---\n",
        ),
        (
            "---\ngoal: old  # why\nbase: x\n---\n",
            "G",
            "---\ngoal: G  # why\nbase: x\n---\n",
        ),
        (
            "---\ngoal: >\n  old\n  words\nbase: x\n---\n",
            "G",
            "---\ngoal: G\nbase: x\n---\n",
        ),
        (
            "---\ngoal: 'o # ld' # c\n---\n",
            "say \"x\" \\",
            "---\ngoal: say \"x\" \\ # c\n---\n",
        ),
        ("---\nbase: x\ngoal: old\n---\n", "", "---\nbase: x\n---\n"),
        ("---\ngoal: old\n---\n", "yes", "---\ngoal: \"yes\"\n---\n"),
        (
            "---\ngoal: old\n---\n",
            "\"x\" # y",
            "---\ngoal: \"\\\"x\\\" # y\"\n---\n",
        ),
    ] {
        let plan = read(text);
        let changed = after(text, &set_goal(text, &plan, goal).unwrap());
        assert_eq!(changed, expected);
        let kept = Some(goal.to_owned()).filter(|goal| !goal.is_empty());
        assert_eq!(read(&changed).front.goal, kept);
    }
}

#[test]
fn the_title_of_a_plan_is_its_first_heading() {
    for (text, title, expected) in [
        ("# Old #\nx\n", "New", "# New #\nx\n"),
        ("Old\n===\n", "New", "New\n===\n"),
        ("", "New", "# New\n"),
        (
            "---\nbase: x\n---\nWords\n",
            "New",
            "---\nbase: x\n---\n# New\n\nWords\n",
        ),
        ("# Old\n", "C #", "# C # #\n"),
    ] {
        let changed = after(text, &set_plan_title(text, &read(text), title).unwrap());
        assert_eq!(changed, expected);
        assert_eq!(read(&changed).title.unwrap().text, title);
    }
}

#[test]
fn the_prose_under_the_title_is_one_text() {
    for (text, words, expected) in [
        ("# P\n", "W", "# P\n\nW\n"),
        ("# P", "W", "# P\n\nW\n"),
        (
            "# P\n\n## Tasks\n- [ ] a\n",
            "W\n\nX",
            "# P\n\nW\n\nX\n\n## Tasks\n- [ ] a\n",
        ),
        ("# P\n## Tasks\n", "W", "# P\n\nW\n\n## Tasks\n"),
        (
            "P\r\n=\r\n\r\nold\r\nwords\r\n\r\n## Tasks\r\n",
            "W\nX",
            "P\r\n=\r\n\r\nW\r\nX\r\n\r\n## Tasks\r\n",
        ),
        (
            "# P\n\nold\n\n### Sub\nx\n\n- [ ] a\n",
            "W",
            "# P\n\nW\n\n- [ ] a\n",
        ),
        ("# P\n\nold\n\n## Tasks\n", "", "# P\n\n## Tasks\n"),
        ("- [ ] a\n", "W", "W\n\n- [ ] a\n"),
        ("old\n", "", ""),
    ] {
        let changed = after(text, &set_intro(text, &read(text), words).unwrap());
        assert_eq!(changed, expected);
        let now = intro(&changed, &read(&changed)).map(|span| changed[span].replace("\r\n", "\n"));
        assert_eq!(now.as_deref().unwrap_or(""), words);
    }
    let text = "# P\n\n## Tasks\n- [ ] a\n\n## Log\nWords\n";
    for hostile in ["## Tasks", "- [ ] x", "x\n\n# y", "```", "<!--", "a\n---"] {
        let refused = set_intro(text, &read(text), hostile);
        assert!(
            matches!(refused, Err(EditError::Misparsed { .. })),
            "{hostile}"
        );
    }
}

#[test]
fn requirements_keep_the_style_of_the_list() {
    let text = "## Requirements\n- R1 a\n  and more\n- R3 b\n\n## Tasks\n- [ ] **T1** t\n  - covers: R1, R3\n- [ ] **T2** u\n  - covers: R1\n";
    let plan = read(text);
    let changed = after(
        text,
        &set_requirement(text, &plan, "R1", "new\nwords").unwrap(),
    );
    assert_eq!(
        difference(text, &changed),
        "-- R1 a\n-  and more\n+- R1 new words"
    );
    let named = add_requirement(text, &plan, "c").unwrap();
    assert_eq!(named.id, "R4");
    assert_eq!(difference(text, &after(text, &named.splices)), "+- R4 c");
    let changed = after(text, &delete_requirement(text, &plan, "R1").unwrap());
    assert_eq!(
        difference(text, &changed),
        "-- R1 a\n-  and more\n-  - covers: R1, R3\n+  - covers: R3\n-  - covers: R1"
    );
    for (text, expected, new) in [
        (
            "# P\n\n## Tasks\n- [ ] a\n",
            "# P\n\n## Requirements\n- R1 c\n\n## Tasks\n- [ ] a\n",
            "R1",
        ),
        ("## Requirements\n", "## Requirements\n- R1 c\n", "R1"),
        (
            "## Requirements\n1. **AC-2**: a\n",
            "## Requirements\n1. **AC-2**: a\n2. **AC-3**: c\n",
            "AC-3",
        ),
        (
            "## Requirements\n* a\n\n* b\n",
            "## Requirements\n* a\n\n* b\n\n* c\n",
            "R3",
        ),
    ] {
        let named = add_requirement(text, &read(text), "c").unwrap();
        assert_eq!(after(text, &named.splices), expected);
        assert_eq!(named.id, new);
    }
    let counted = "## Requirements\n- a\n- b\n\n## Tasks\n- [ ] t\n  - covers: R1, R2\n";
    assert_eq!(
        after(
            counted,
            &delete_requirement(counted, &read(counted), "R1").unwrap()
        ),
        "## Requirements\n- b\n\n## Tasks\n- [ ] t\n  - covers: R1\n"
    );
    let refused = add_requirement(counted, &read(counted), "[ ] x");
    assert!(matches!(refused, Err(EditError::Misparsed { .. })));
}

#[test]
fn edits_change_nothing_else_in_the_example() {
    let plan = read(EXAMPLE);
    assert_eq!(ids(&plan), ["T1", "T2", "D1", "T3", "T4", "C1", "T5"]);
    insta::assert_snapshot!(difference(
        EXAMPLE,
        &moved(EXAMPLE, "T4", &behind("T2")).unwrap()
    ));
    let long = "word ".repeat(2000);
    let changed = titled(EXAMPLE, "T2", &long).unwrap();
    assert_eq!(read(&changed).tasks[1].title, long.trim());
}
