//! Each edit changes only the part that it is meant to change.

use plan::edit::{
    Applied, EditError, Splice, add_note, apply, finished_groups, record_decision, skip, tick,
    unskip, untick,
};

use super::{id, ids, read};

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

#[test]
fn a_tick_changes_one_byte() {
    let text = "\u{feff}- [ ] **T1** a  \r\n\t- files: x \r\n\t- [~] **T2** b\t\r\n> 1) [ ] **T3** c\r\n\r\n* [ ] **T4** d";
    let plan = read(text);
    assert_eq!(ids(&plan), ["T1", "T2", "T3", "T4"]);
    for (at, task) in plan.tasks.iter().enumerate() {
        let ticked = after(text, &tick(&plan, &task.id).unwrap());
        assert_eq!(ticked.len(), text.len());
        let differ = ticked
            .bytes()
            .zip(text.bytes())
            .filter(|(a, b)| a != b)
            .count();
        assert_eq!(differ, 1, "{}", task.id);
        let now = read(&ticked);
        let done: Vec<bool> = now.tasks.iter().map(|task| task.done).collect();
        assert_eq!(done, (0..4).map(|i| i == at).collect::<Vec<_>>());
        let open = after(&ticked, &untick(&now, &task.id).unwrap());
        assert!(!read(&open).tasks[at].done);
    }
}

#[test]
fn ticking_an_odd_box_replaces_only_its_marker() {
    let ticked = |text: &str| after(text, &tick(&read(text), &id("#1")).unwrap());
    assert_eq!(ticked("- [] a\n"), "- [x] a\n");
    assert_eq!(ticked("- [✓] a\n"), "- [x] a\n");
    assert_eq!(ticked("- [✔\u{fe0f}] a\n"), "- [x] a\n");
    assert_eq!(ticked("- [ ]* a\n"), "- [x]* a\n");
    assert_eq!(ticked("- [ ]"), "- [x]");
    assert_eq!(ticked("- [x] a\n"), "- [x] a\n", "ticked already");
    assert_eq!(
        after("- [X] a", &untick(&read("- [X] a"), &id("#1")).unwrap()),
        "- [ ] a"
    );
}

#[test]
fn editing_a_removed_task_is_an_error() {
    let plan = read("- [ ] a\n");
    let gone = EditError::UnknownTask { id: id("T9") };
    assert_eq!(tick(&plan, &id("T9")), Err(gone.clone()));
    assert_eq!(skip("- [ ] a\n", &plan, &id("T9"), "x"), Err(gone.clone()));
    assert_eq!(
        record_decision("- [ ] a\n", &plan, &id("T9"), "x", ""),
        Err(gone)
    );
}

#[test]
fn invalid_splices_are_rejected() {
    let splice = |range, text: &str| Splice {
        range,
        text: text.to_owned(),
    };
    let error = |splices: &[Splice]| apply("aé", splices).unwrap_err();
    assert!(matches!(
        error(&[splice(0..9, "")]),
        EditError::OutOfRange { .. }
    ));
    assert!(
        matches!(error(&[splice(2..3, "")]), EditError::OutOfRange { .. }),
        "inside a letter"
    );
    assert!(matches!(
        error(&[splice(0..3, ""), splice(0..1, "")]),
        EditError::Overlap { .. }
    ));
    let both = apply(
        "ab",
        &[splice(1..1, "1"), splice(1..1, "2"), splice(0..1, "")],
    )
    .unwrap();
    assert_eq!(both.text, "12b", "inserts at one place keep their order");
    assert_eq!(apply(&both.text, &both.inverse).unwrap().text, "ab");
}

#[test]
fn a_note_follows_the_style_of_the_file() {
    let cases = [
        ("- [ ] a", "- [ ] a\n  - note: N"),
        ("- [ ] a\n- [ ] b\n", "- [ ] a\n  - note: N\n- [ ] b\n"),
        (
            "- [ ] a\r\n- [ ] b\r\n",
            "- [ ] a\r\n  - note: N\r\n- [ ] b\r\n",
        ),
        ("- [ ] a\r- [ ] b\r", "- [ ] a\r  - note: N\r- [ ] b\r"),
        (
            "- [ ] a\n\t* files: x  \n\n- [ ] b\n",
            "- [ ] a\n\t* files: x  \n\t* note: N\n\n- [ ] b\n",
        ),
        ("10. [ ] a\n", "10. [ ] a\n    - note: N\n"),
        (
            "> - [ ] a\n> - [ ] b\n",
            "> - [ ] a\n>   - note: N\n> - [ ] b\n",
        ),
        ("- - [ ] a\n", "- - [ ] a\n    - note: N\n"),
        ("- [ ] a\n  words\n", "- [ ] a\n  words\n  - note: N\n"),
        (
            "- [ ] a\nlazy words\n",
            "- [ ] a\nlazy words\n  - note: N\n",
        ),
        (
            "- [ ] a\n  - files: x\n  - [ ] b\n",
            "- [ ] a\n  - files: x\n  - note: N\n  - [ ] b\n",
        ),
        ("- [ ] a\n  - [ ] b\n", "- [ ] a\n  - note: N\n  - [ ] b\n"),
        (
            "- [ ] a\n  ```\n  open\n",
            "- [ ] a\n  - note: N\n  ```\n  open\n",
        ),
    ];
    for (text, expected) in cases {
        let plan = read(text);
        let noted = after(text, &add_note(text, &plan, &id("#1"), "N").unwrap());
        assert_eq!(noted, expected);
        assert_eq!(
            read(&noted).tasks[0].values("note").collect::<Vec<_>>(),
            ["N"],
            "{text}"
        );
    }
}

#[test]
fn notes_and_reasons_parse_back_on_one_line() {
    let text = "- [ ] a\n- [ ] b\n";
    let plan = read(text);
    for (given, kept) in [
        ("two\r\nlines", "two lines"),
        ("  # no heading ", "# no heading"),
        ("- [x] no task", "- [x] no task"),
        ("a\u{2028}b\tc\u{7}d", "a b c d"),
        ("`ticks` -> and ```", "`ticks` -> and ```"),
    ] {
        let noted = after(text, &add_note(text, &plan, &id("#1"), given).unwrap());
        let task = read(&noted).tasks[0].clone();
        assert_eq!(task.values("note").collect::<Vec<_>>(), [kept]);
    }
    assert_eq!(
        add_note(text, &plan, &id("#1"), " \n"),
        Err(EditError::Empty { what: "note" })
    );
}

#[test]
fn unskip_restores_the_file() {
    for text in [
        "- [ ] a",
        "- [ ] a\r\n  - files: x\r\n- [ ] b\r\n",
        "- [ ] a\n  - [ ] b",
    ] {
        let skipped = after(
            text,
            &skip(text, &read(text), &id("#1"), "too late").unwrap(),
        );
        let plan = read(&skipped);
        assert_eq!(plan.tasks[0].skipped.as_deref(), Some("too late"));
        assert!(!plan.tasks[0].done, "the box stays open");
        let again = after(
            &skipped,
            &skip(&skipped, &plan, &id("#1"), "other").unwrap(),
        );
        assert_eq!(read(&again).tasks[0].skipped.as_deref(), Some("other"));
        assert_eq!(
            read(&again).tasks[0].fields.len(),
            plan.tasks[0].fields.len()
        );
        assert_eq!(
            after(&skipped, &unskip(&skipped, &plan, &id("#1")).unwrap()),
            text
        );
    }
    assert_eq!(
        unskip("- [ ] a", &read("- [ ] a"), &id("#1")),
        Ok(Vec::new())
    );
    let text = "- [ ] a\n  - skipped: x\n    words that follow\n";
    let kept = after(text, &unskip(text, &read(text), &id("#1")).unwrap());
    assert!(kept.contains("words that follow"));
}

const DECISION: &str = "- [ ] **D1** Which?\n  - type: decision\n- [ ] **T1** a\n";

#[test]
fn an_answer_is_recorded_under_decisions() {
    let cases = [
        ("", "\n## Decisions\n- D1: A — me\n"),
        (
            "\n## Decisions\n- D1 open\n",
            "\n## Decisions\n- D1: A — me\n",
        ),
        (
            "\n## Decisions\n* D1: B — you\n",
            "\n## Decisions\n* D1: A — me\n",
        ),
        (
            "\n## Decisions\n- D0: x\n\n## Log\n",
            "\n## Decisions\n- D0: x\n- D1: A — me\n\n## Log\n",
        ),
        ("\n## Decisions", "\n## Decisions\n- D1: A — me"),
        (
            "\n## Decisions\n\nWords.\n\n## Log\n",
            "\n## Decisions\n\nWords.\n- D1: A — me\n\n## Log\n",
        ),
    ];
    for (before, expected) in cases {
        let text = format!("{DECISION}{before}");
        let splices = record_decision(&text, &read(&text), &id("D1"), "A", "me").unwrap();
        assert_eq!(after(&text, &splices), format!("{DECISION}{expected}"));
    }
    let crlf = DECISION.replace('\n', "\r\n");
    let splices = record_decision(&crlf, &read(&crlf), &id("D1"), "A", "").unwrap();
    assert_eq!(
        after(&crlf, &splices),
        format!("{crlf}\r\n## Decisions\r\n- D1: A\r\n")
    );
    let no_end = DECISION.trim_end();
    let splices = record_decision(no_end, &read(no_end), &id("D1"), "A", "").unwrap();
    assert_eq!(
        after(no_end, &splices),
        format!("{no_end}\n\n## Decisions\n- D1: A\n")
    );
}

#[test]
fn any_label_and_detail_parse_back() {
    let labels = [
        "One: per line — streams",
        "open",
        "Open",
        "a – b",
        "a -- b",
        "`json`",
        "`a` — `b`",
        "- x",
        "# x",
        "[x] y",
        "A, B: C",
        "``",
        "*",
        "|",
        "D2: x",
        "…",
        "a `` b",
    ];
    for label in labels {
        for detail in ["", "Ann, 2026-05-01: it is — as said — `short`", "x -- y"] {
            let text = format!("{DECISION}\n## Decisions\n- D1 open\n");
            let splices = record_decision(&text, &read(&text), &id("D1"), label, detail).unwrap();
            let record = read(&after(&text, &splices)).decisions[0].clone();
            assert_eq!(
                (record.answer.as_deref(), record.detail.as_str()),
                (Some(label), detail)
            );
        }
    }
}

#[test]
fn an_answer_that_would_be_lost_is_rejected() {
    let text = format!("{DECISION}\n```\nnot closed\n");
    let error = record_decision(&text, &read(&text), &id("D1"), "A", "").unwrap_err();
    assert!(matches!(error, EditError::NoPosition { .. }));
    assert_eq!(
        record_decision(DECISION, &read(DECISION), &id("D1"), " ", ""),
        Err(EditError::Empty { what: "answer" })
    );
}

#[test]
fn groups_are_finished_with_their_leaves() {
    let finished = |text: &str| {
        finished_groups(&read(text))
            .into_iter()
            .map(|id| id.0)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let text = "- [ ] **G1** g\n  - [x] **T1** a\n  - [ ] **G2** h\n    - [x] **T2** b\n- [x] **G3** i\n  - [x] **T3** c\n- [ ] **T4** d\n";
    assert_eq!(finished(text), "G1 G2");
    assert_eq!(finished(&text.replace("[x] **T1**", "[ ] **T1**")), "G2");
    let branch = "- [x] **D1** d\n  - type: decision\n  - option: A -> T1\n  - option: B -> T2\n- [ ] **G1** g\n  - [x] **T1** a\n  - [ ] **T2** b\n- [ ] **G2** h\n  - [ ] **T3** c\n    - skipped: late\n\n## Decisions\n- D1: A\n";
    assert_eq!(finished(branch), "G1");
    assert_eq!(
        finished(&branch.replace("D1: A", "D1: B")),
        "",
        "T2 is to do then"
    );
    assert_eq!(finished(&branch.replace("- D1: A", "- D1 open")), "");
}
