//! Which items are tasks, and their ids, titles and spans.

use plan::{Dialect, IdOrigin};

use super::{ids, only, problems, read, sound};

#[test]
fn every_bullet_and_marker_makes_a_task() {
    for bullet in ["-", "*", "+", "1.", "23)"] {
        for (marker, done) in [
            (" ", false),
            ("x", true),
            ("X", true),
            ("-", false),
            ("✓", false),
        ] {
            let task = only(&format!("{bullet} [{marker}] Sweep\n"));
            assert_eq!(
                (task.title.as_str(), task.done),
                ("Sweep", done),
                "{bullet} [{marker}]"
            );
            assert_eq!(task.marker.to_string(), marker);
        }
    }
    assert_eq!(
        only("- [x] last line without an end").title,
        "last line without an end"
    );
    assert_eq!(only("- [x]").title, "");
    assert!(only("- [✔\u{fe0f}] with its looks").box_span.len() > 3);
}

#[test]
fn almost_boxes_are_reported() {
    for text in ["- [ ]nospace\n", "- [x]nospace\n"] {
        assert_eq!(read(text).tasks.len(), 0, "{text}");
        assert_eq!(problems(text), ["1 odd_box"], "{text}");
    }
    for text in [
        "- [x](url) a link\n",
        "- [a] word\n\n[a]: url\n",
        "- [[x]] wiki\n",
        "- [ab] c\n",
    ] {
        assert_eq!(sound(text).tasks.len(), 0, "{text}");
    }
}

#[test]
fn odd_boxes_are_tasks() {
    let task = only("- [] empty\n");
    assert_eq!(
        (task.marker, task.box_span.clone(), task.title.as_str()),
        (' ', 3..3, "empty")
    );
    assert_eq!(problems("- [] empty\n"), ["1 odd_box"]);
    for (text, marker, place) in [
        ("- [ x ] wide\n", 'x', 4..5),
        ("- [x ] wide\n", 'x', 3..4),
        ("- [  ] wide\n", ' ', 4..5),
        ("- [   ] wide\n", ' ', 4..5),
        ("- [ ~ ] wide\n", '~', 4..5),
    ] {
        let task = only(text);
        assert_eq!((task.marker, task.box_span), (marker, place), "{text}");
        assert_eq!((task.done, &*task.title), (marker == 'x', "wide"), "{text}");
        assert_eq!(problems(text), ["1 odd_box"], "{text}");
    }
    let optional = only("- [ ]* optional\n");
    assert!(optional.optional && optional.title == "optional");
    assert_eq!(only("-      [ ] far out\n").title, "far out");
    assert_eq!(problems("-      [ ] far out\n"), ["1 odd_box"]);
    assert_eq!(only("- [1] foot\n").marker, '1');
    assert_eq!(
        only("- [x] done\n\n[x]: url\n").marker,
        'x',
        "a definition does not undo a tick"
    );
}

#[test]
fn boxes_in_fences_and_html_are_text() {
    for text in [
        "```\n- [ ] a\n```\n",
        "~~~md\n- [ ] a\n",
        "- b\n  ```\n  - [ ] a\n  ```\n",
        "<!--\n- [ ] a\n-->\n",
        "<div>\n- [ ] a\n</div>\n",
        "    - [ ] a\n",
    ] {
        assert_eq!(read(text).tasks.len(), 0, "{text}");
    }
    assert_eq!(only("<details>\n\n- [ ] a\n\n</details>\n").title, "a");
}

#[test]
fn ids_are_bold_or_t_c_d_with_digits() {
    for (written, id, title) in [
        ("**T1** Sweep", "T1", "Sweep"),
        ("__T1__ Sweep", "T1", "Sweep"),
        ("**1.2** Sweep", "1.2", "Sweep"),
        ("**ABC12.3** Sweep", "ABC12.3", "Sweep"),
        ("**T1**: Sweep", "T1", "Sweep"),
        ("**T1:** Sweep", "T1", "Sweep"),
        ("**1.** Sweep", "1", "Sweep"),
        ("**T1** - Sweep", "T1", "Sweep"),
        ("**T1** — Sweep", "T1", "Sweep"),
        ("**T1** --json is a flag", "T1", "--json is a flag"),
        ("**T1**", "T1", ""),
        ("T1 Sweep", "T1", "Sweep"),
        ("C12: Look", "C12", "Look"),
        ("D1. Which?", "D1", "Which?"),
        ("T001", "T001", ""),
    ] {
        let task = only(&format!("- [ ] {written}\n"));
        assert_eq!(
            (task.id.as_str(), task.title.as_str()),
            (id, title),
            "{written}"
        );
        assert_eq!(task.id_origin, IdOrigin::Written);
    }
    for written in [
        "S3 bucket",
        "T1-shirt",
        "T1, T2",
        "t1 Sweep",
        "**Sweep** it",
        "**ABCD1** x",
        "**T1 Sweep**",
        "**T** x",
        "1.2 Sweep",
        "**T1**st",
        "Tidy",
        "`T1` Sweep",
        "**T-1** x",
    ] {
        let task = only(&format!("- [ ] {written}\n"));
        assert_eq!((task.id.as_str(), task.title.as_str()), ("#1", written));
        assert_eq!((task.id_origin, task.id_span), (IdOrigin::Positional, None));
    }
}

#[test]
fn positional_ids_do_not_change_with_a_tick() {
    let text = "- [ ] a\n- [ ] **T1** b\n  - [ ] c\n- [ ] d\n  - [ ] e\n  - [ ] f\n    - [ ] g\n";
    let expected = ["#1", "T1", "#2.1", "#3", "#3.1", "#3.2", "#3.2.1"];
    assert_eq!(ids(&sound(text)), expected);
    assert_eq!(ids(&sound(&text.replace("[ ]", "[x]"))), expected);
}

#[test]
fn a_bold_id_or_a_version_makes_a_file_native() {
    let dialect = |text: &str| read(text).dialect;
    assert_eq!(dialect("- [ ] **T1** a\n"), Dialect::Native);
    assert_eq!(
        dialect("---\nplanwright: 1\n---\n- [ ] a\n"),
        Dialect::Native
    );
    assert_eq!(dialect("- [ ] T1 a\n"), Dialect::Plain);
    assert_eq!(dialect("# Nothing\n"), Dialect::Plain);
}

#[test]
fn sub_tasks_belong_to_their_parent() {
    let plan = sound(
        "- [ ] **T1** a\n  - [ ] **T2** b\n    - [ ] **T3** c\n  - notes\n    - [ ] **T4** d\n- [ ] **T5** e\n",
    );
    let shape: Vec<_> = plan
        .tasks
        .iter()
        .map(|t| (t.id.as_str(), t.parent, t.depth, t.children.clone()))
        .collect();
    assert_eq!(
        shape,
        [
            ("T1", None, 0, vec![1, 3]),
            ("T2", Some(0), 1, vec![2]),
            ("T3", Some(1), 2, vec![]),
            ("T4", Some(0), 1, vec![]),
            ("T5", None, 0, vec![]),
        ]
    );
}

#[test]
fn tasks_are_found_in_quotes_tabs_loose_lists_and_bullets_of_bullets() {
    let quoted = sound("> - [ ] **T1** a\n>   prose\n>   - files: x\n>\n> - [x] **T2** b\n");
    assert_eq!(ids(&quoted), ["T1", "T2"]);
    assert_eq!(
        (quoted.tasks[0].body.as_str(), quoted.tasks[0].files.len()),
        ("prose", 1)
    );

    let tabs =
        sound("- [ ] **T1** a\n\t- files: x\n\t- [ ] **T2** b\n\t\t- files: y\n- [ ] **T3** c\n");
    assert_eq!(ids(&tabs), ["T1", "T2", "T3"]);
    assert_eq!(tabs.tasks[1].parent, Some(0));
    assert_eq!(
        (tabs.tasks[0].files.len(), tabs.tasks[1].files.len()),
        (1, 1)
    );

    let loose = sound("- [ ] **T1** a\n\n  - files: x\n\n  prose\n\n- [ ] **T2** b\n");
    assert_eq!(
        (loose.tasks[0].files.len(), loose.tasks[0].body.as_str()),
        (1, "prose")
    );

    assert_eq!(
        ids(&sound("- - [ ] **T1** a\n  - [ ] **T2** b\n")),
        ["T1", "T2"]
    );
}

#[test]
fn extents_end_at_the_last_non_blank_line() {
    let text =
        "- [ ] **T1** a\n\n\t- files: x  \n\n\t- [ ] **T2** b\n\n\t  prose\n\n\n- [ ] **T3** c";
    let plan = sound(text);
    let extent = |at: usize| &text[plan.tasks[at].span.clone()];
    assert!(extent(0).starts_with("- [ ] **T1**") && extent(0).ends_with("\t  prose"));
    assert_eq!(extent(1), "\t- [ ] **T2** b\n\n\t  prose");
    assert_eq!(extent(2), "- [ ] **T3** c");
    assert_eq!(
        &text[plan.tasks[0].fields[0].span.clone()],
        "\t- files: x  "
    );
}

#[test]
fn prose_is_kept_without_keys_and_sub_tasks() {
    let task = &sound(
        "- [ ] **T1** a\n  goes on\n\n  ```sh\n  run  it\n\n    deep\n  ```\n  - files: x\n  - a plain item\n    - files: not a key\n  - [ ] b\n    prose of b\n\n  last words\n",
    )
    .tasks[0];
    assert_eq!(
        task.body,
        "goes on\n\n```sh\nrun  it\n\n  deep\n```\n- a plain item\n  - files: not a key\n\nlast words"
    );
    assert_eq!(task.files, ["x"]);
}

#[test]
fn duplicate_ids_are_reported_and_both_tasks_kept() {
    let text = "- [ ] **T1** a\n- [ ] **T1** b\n- [ ] **T1** c\n";
    assert_eq!(problems(text), ["2 duplicate_id", "3 duplicate_id"]);
    assert_eq!(ids(&read(text)), ["T1", "T1", "T1"]);
    assert_eq!(read(text).task(&super::id("T1")).unwrap().title, "a");
}

#[test]
fn the_title_is_the_first_heading_of_level_one() {
    for (text, title) in [
        ("# One #\n# Two\n", Some("One")),
        ("Setext\n======\n", Some("Setext")),
        ("## Small\n# Big\n", Some("Big")),
        ("#nothing\n", None),
        ("> # quoted\n", None),
        ("# C#\n", Some("C#")),
    ] {
        let plan = read(text);
        assert_eq!(
            plan.title.as_ref().map(|title| title.text.as_str()),
            title,
            "{text}"
        );
        if let Some(title) = plan.title {
            assert_eq!(text[title.span], title.text);
        }
    }
}

#[test]
fn requirements_are_the_items_under_their_heading() {
    let text = "# P\n\n- R9 not here\n\n## REQUIREMENTS:\nWords.\n- R1 first\n  goes on\n- **FR-2**: second\n- third\n\n### More\n1. fourth\n\n## Tasks\n- [ ] **T1** a\n  - covers: R1, FR-2, R3, R4\n";
    let plan = sound(text);
    let found: Vec<_> = plan
        .requirements
        .iter()
        .map(|r| (r.id.as_str(), r.text.as_str(), r.line))
        .collect();
    assert_eq!(
        found,
        [
            ("R1", "first goes on", 7),
            ("FR-2", "second", 9),
            ("R3", "third", 10),
            ("R4", "fourth", 13)
        ]
    );
    assert_eq!(
        &text[plan.requirements[0].span.clone()],
        "- R1 first\n  goes on"
    );
    assert_eq!(
        read("## Requirements\n- S3 is the store\n").requirements[0].text,
        "S3 is the store"
    );
}

#[test]
fn the_preamble_ends_at_the_tasks() {
    for (text, preamble) in [
        ("# T\nwords\n## Tasks\n- [ ] a\n", "# T\nwords\n"),
        ("# T\nwords\n\n- [ ] a\n", "# T\nwords\n\n"),
        ("- [ ] a\n## tasks\n", "- [ ] a\n"),
        ("only words", "only words"),
        ("---\nid: a\n---\nwords\n- [ ] a", "words\n"),
    ] {
        assert_eq!(&text[read(text).preamble.clone()], preamble);
    }
}

#[test]
fn a_thousand_levels_are_parsed() {
    let mut text = String::new();
    for level in 0..1_000 {
        text.push_str(&"  ".repeat(level));
        text.push_str("- [ ] deeper\n");
    }
    let plan = sound(&text);
    assert_eq!(plan.tasks.len(), 1_000);
    assert_eq!(plan.tasks[999].depth, 999);
    assert_eq!(plan.leaves().count(), 1);
}

#[test]
fn a_plan_is_over_when_every_step_is_done_or_skipped_and_one_is_done() {
    for (tasks, is_over) in [
        ("", false),
        ("- [ ] **T1** a\n", false),
        ("- [x] **T1** a\n", true),
        ("- [x] **T1** a\n- [ ] **T2** b\n", false),
        (
            "- [x] **T1** a\n- [ ] **T2** b\n  - skipped: not needed\n",
            true,
        ),
        ("- [ ] **T1** a\n  - skipped: not needed\n", false),
        (
            "- [x] **T1** a\n  - [x] **T1.1** b\n  - [ ] **T1.2** c\n",
            false,
        ),
    ] {
        let (plan, _) = plan::parse(&format!("# P\n\n## Tasks\n{tasks}"));
        assert_eq!(plan.is_over(), is_over, "{tasks}");
    }
}
