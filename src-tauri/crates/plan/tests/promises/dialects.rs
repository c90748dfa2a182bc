//! Plans of other programs: parsing, dependencies and ticks.

pub(super) mod laws;
mod shapes;

use plan::graph::Graph;
use plan::{Dialect, IdOrigin, Plan};

use super::{ids, only, problems, read};

const FOLDER: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../tests/fixtures/dialects"
);

/// The expected result of parsing one file.
struct Row {
    file: &'static str,
    dialect: Dialect,
    /// The number of done tasks and of all tasks, as the format's own tool counts them.
    counted: (usize, usize),
    /// The tasks' ids in order (positional ones begin with `#`), each followed by `x` if ticked,
    /// `P` if parallel and `?` if optional; the dependencies follow after `<`.
    tasks: &'static str,
    problems: &'static [&'static str],
}

const TABLE: &[Row] = &[
    Row {
        file: "native.md",
        dialect: Dialect::Native,
        counted: (2, 6),
        tasks: "T1x T2<T1 T2.1<T1 T2.2x<T1 D1<T2.1,T2.2 T3<D1 #5<T3",
        problems: &[],
    },
    Row {
        file: "plain-nested.md",
        dialect: Dialect::Plain,
        counted: (4, 11),
        tasks: "#1x #1.1x #1.2<#1.1 #1.2.1<#1.1 #1.2.2x<#1.2.1 #2<#1.1,#1.2.1,#1.2.2 #3<#2 #4<#3 \
                #5<#4 #6x<#5 #7<#6",
        problems: &[],
    },
    Row {
        file: "plain-odd.md",
        dialect: Dialect::Plain,
        counted: (5, 13),
        tasks: "#1 #2<#1 #3<#2 #4x<#3 #5x<#4 #6<#5 #7<#6 #8<#7 #9<#8 #10<#9 #10.1x<#9 #11x<#10.1 \
                #12x<#11",
        problems: &["7 odd_box", "8 odd_box", "9 odd_box", "10 odd_box"],
    },
    Row {
        file: "plain-numbered.md",
        dialect: Dialect::Plain,
        counted: (2, 6),
        tasks: "#1x #2<#1 #2.1<#1 #2.2x<#2.1 #3<#2.1,#2.2 #4<#3",
        problems: &[],
    },
    Row {
        file: "phases.md",
        dialect: Dialect::Headings,
        counted: (2, 4),
        tasks: "#1 #1.1x #1.2x<#1.1 #2<#1.1,#1.2 #2.1<#1.1,#1.2 #2.2<#2.1",
        problems: &[],
    },
    Row {
        file: "spec-kit.md",
        dialect: Dialect::SpecKit,
        counted: (2, 13),
        tasks: "T001x T002xP T003P T004<T001,T002,T003 T005P<T001,T002,T003 T006<T004,T005 \
                T007P<T006 T008P<T006 T009<T007,T008 T010<T004,T006,T007,T008 \
                T011<T007,T008,T009,T010 T012aP<T011 T013<T011",
        problems: &[],
    },
    Row {
        file: "spec-kit-bold.md",
        dialect: Dialect::SpecKit,
        counted: (2, 7),
        tasks: "T001xP T002xP D1<T001,T002 T003P<T001,T002,D1 T004<D1,T003 #6<T004 #7<#6",
        problems: &["14 duplicate_id"],
    },
    Row {
        file: "kiro.md",
        dialect: Dialect::Kiro,
        counted: (2, 9),
        tasks: "1x 1.1x 1.2?<1.1 2<1.1 2.1<1.1 2.2<2.1 2.3?<2.2 3<2.1,2.2 4<3",
        problems: &[],
    },
    Row {
        file: "kiro-flat.md",
        dialect: Dialect::Kiro,
        counted: (3, 8),
        tasks: "1x 1.1x<1 1.2xP<1.1 2<1.1,1.2 2.1P<2 2.2P 2.3?<2,2.1,2.2 3<2,2.1,2.2",
        problems: &[],
    },
    Row {
        file: "openspec.md",
        dialect: Dialect::OpenSpec,
        counted: (6, 15),
        tasks: "1.1x 1.2x<1.1 2.1<1.2 2.1.1x<1.2 2.1.2<2.1.1 2.1.2.1<2.1.1 2.2<2.1.1,2.1.2.1 \
                2.3<2.2 2.4x<2.3 2.5x<2.4 2.6<2.5 2.7x<2.6 #10<2.7 3.1<#10 #12<3.1",
        problems: &["20 duplicate_id"],
    },
    Row {
        file: "openspec-bold.md",
        dialect: Dialect::OpenSpec,
        counted: (1, 4),
        tasks: "1.1x 1.2<1.1 1.3<1.2 2.1<1.3",
        problems: &[],
    },
    Row {
        file: "no-tasks.md",
        dialect: Dialect::Plain,
        counted: (0, 0),
        tasks: "",
        problems: &[],
    },
    Row {
        file: "no-tasks-headings.md",
        dialect: Dialect::Headings,
        counted: (0, 3),
        tasks: "#1 #2<#1 #3<#2",
        problems: &[],
    },
    Row {
        file: "headings.md",
        dialect: Dialect::Headings,
        counted: (1, 3),
        tasks: "#1 #1.1x #1.2<#1.1 #2<#1.1,#1.2 #2.1<#1.1,#1.2",
        problems: &[],
    },
    Row {
        file: "headings-boxes.md",
        dialect: Dialect::Headings,
        counted: (1, 4),
        tasks: "#1 #1.1x #1.2<#1.1 #2<#1.1,#1.2 #2.1<#1.1,#1.2 #2.2<#2.1",
        problems: &[],
    },
    Row {
        file: "todos.md",
        dialect: Dialect::Todos,
        counted: (1, 3),
        tasks: "read-codex refuse-used<read-code old-printer<refuse-used receipt<read-code,refuse-used",
        problems: &[],
    },
];

pub(super) fn file(name: &str) -> String {
    std::fs::read_to_string(format!("{FOLDER}/{name}")).unwrap()
}

/// All files, each with every kind of line ending, with and without a byte-order mark.
pub(super) fn texts() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for row in TABLE {
        let text = file(row.file);
        for (ending, name) in [("\n", "lf"), ("\r\n", "crlf"), ("\r", "cr")] {
            let text = text.replace('\n', ending);
            texts.push((format!("{} {name}", row.file), text.clone()));
            texts.push((
                format!("{} {name} bom", row.file),
                format!("\u{feff}{text}"),
            ));
        }
    }
    texts
}

/// The tasks of a plan in the table's notation.
fn told(plan: &Plan) -> String {
    let graph = Graph::of(plan);
    let tasks = plan.tasks.iter().enumerate().map(|(at, task)| {
        let waits: Vec<&str> = graph
            .waits_for(at)
            .iter()
            .map(|at| plan.tasks[*at].id.as_str())
            .collect();
        let mark = |is: bool, mark: &'static str| if is { mark } else { "" };
        format!(
            "{}{}{}{}{}{}",
            task.id,
            mark(task.done, "x"),
            mark(task.parallel, "P"),
            mark(task.optional, "?"),
            mark(!waits.is_empty(), "<"),
            waits.join(",")
        )
    });
    tasks.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_file_is_parsed_as_the_table_says() {
    for row in TABLE {
        let text = file(row.file);
        let plan = read(&text);
        assert_eq!(plan.dialect, row.dialect, "{}", row.file);
        assert_eq!(told(&plan), row.tasks, "{}", row.file);
        assert_eq!(plan.counted(), row.counted, "{}", row.file);
        assert_eq!(problems(&text), row.problems, "{}", row.file);
    }
}

#[test]
fn every_file_has_its_row() {
    let mut files: Vec<String> = std::fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let mut rows: Vec<&str> = TABLE.iter().map(|row| row.file).collect();
    rows.sort_unstable();
    assert_eq!(files, rows);
}

#[test]
fn line_endings_and_byte_order_marks_change_nothing() {
    for (name, text) in texts() {
        let plan = read(&text);
        let row = TABLE.iter().find(|row| name.starts_with(row.file)).unwrap();
        assert_eq!(plan.dialect, row.dialect, "{name}");
        assert_eq!(told(&plan), row.tasks, "{name}");
    }
}

#[test]
fn dialects_have_report_names() {
    let names: Vec<&str> = [
        Dialect::Native,
        Dialect::Plain,
        Dialect::SpecKit,
        Dialect::Kiro,
        Dialect::OpenSpec,
    ]
    .into_iter()
    .map(Dialect::as_str)
    .collect();
    assert_eq!(names, ["native", "plain", "spec-kit", "kiro", "openspec"]);
}

#[test]
fn the_format_is_detected_from_the_content() {
    for (text, dialect) in [
        ("- [ ] T001 a\n", Dialect::SpecKit),
        ("- [ ] T1 a\n", Dialect::Plain),
        ("- [ ] **T001** a\n", Dialect::Native),
        ("- [ ] **T001** [P] a\n", Dialect::SpecKit),
        ("- [ ] **T1** a\n- [ ] T001 b\n", Dialect::Native),
        (
            "- [ ] T001 a\n- [ ] T002 b\n- [ ] **D1** c\n",
            Dialect::SpecKit,
        ),
        (
            "---\nplanwright: 1\n---\n- [ ] T001 a\n- [ ] T002 b\n",
            Dialect::Native,
        ),
        ("- [ ] 1. a\n  - _Requirements: 1_\n", Dialect::Kiro),
        ("- [ ] 1. a\n- [ ]* 1.1 b\n", Dialect::Kiro),
        ("- [ ] 1. a\n  - [ ] 1.1 b\n", Dialect::Kiro),
        ("# Implementation Plan: x\n- [ ] 1. a\n", Dialect::Kiro),
        ("- [ ] 1. a\n- [ ] 2. b\n", Dialect::Plain),
        ("- [ ] 1.5 l\n- [ ] 2.5 km\n", Dialect::Plain),
        ("- [ ] **1.1** a\n- [ ] **1.2** b\n", Dialect::Native),
        (
            "## 1. G\n- [ ] **1.1** a\n- [ ] **1.2** b\n",
            Dialect::OpenSpec,
        ),
        ("## 1. G\n- [ ] 1.1 a\n", Dialect::OpenSpec),
        ("- [ ] 1.1 a\n- [ ] 1.2 a\n", Dialect::OpenSpec),
        ("```\n- [ ] T001 a\n```\n- [ ] b\n", Dialect::Plain),
        ("- a\n  ```\n- [ ] T001 b\n", Dialect::SpecKit),
        ("~~~\n```\n- [ ] T001 a\n~~~\n- [ ] b\n", Dialect::Plain),
    ] {
        assert_eq!(read(text).dialect, dialect, "{text}");
    }
}

#[test]
fn numbered_headings_are_steps_with_their_content() {
    let text = file("headings.md");
    let plan = read(&text);
    let titles: Vec<&str> = plan.tasks.iter().map(|task| &*task.title).collect();
    let wanted = [
        "Read coupons",
        "Read the code of a coupon",
        "Refuse a coupon that was used",
        "Tell the clerks",
        "Print the value on the receipt",
    ];
    assert_eq!(titles, wanted);
    assert!(plan.tasks[1].body.contains("- Create: `till/coupons.py`"));
    assert!(plan.tasks[1].body.contains("# Task 9: no heading"));
    assert!(plan.tasks[2].body.contains("A coupon is used once."));
    assert_eq!(
        plan.tasks[2].verify,
        ["python -m unittest tests.test_coupons"]
    );
    assert_eq!(
        plan.tasks[4].body, "",
        "what stands under another heading is no part of it"
    );
    // The structure of the plan can be edited only after its headings are converted to a list.
    let refused = plan::edit::delete_task(&text, &plan, &plan.tasks[1].id).unwrap_err();
    assert!(
        refused.to_string().contains("convert headings to a list"),
        "{refused}"
    );
    assert_eq!(plan::edit::could_be_tasks(&text, &plan).0, 0);
}

#[test]
fn an_approval_covers_headings_and_todos_without_their_ticks() {
    for name in ["headings.md", "todos.md"] {
        let text = file(name);
        let plan = read(&text);
        let before = plan::coverage::fingerprints(&text, &plan);
        for task in plan.tasks.iter().filter(|task| !task.done) {
            let splices = plan::edit::tick(&plan, &task.id).unwrap();
            let ticked = plan::edit::apply(&text, &splices).unwrap().text;
            assert_eq!(
                plan::coverage::fingerprints(&ticked, &read(&ticked)),
                before,
                "{name}"
            );
            let reworded = text.replacen(&task.title, "Something else", 1);
            let after = read(&reworded);
            let uncovered = plan::coverage::uncovered(&before, &reworded, &after);
            assert!(!uncovered.is_empty(), "{name} {}", task.id);
        }
    }
}

#[test]
fn spec_kit_titles_start_after_ids_and_markers() {
    for (words, id, title, parallel, stories) in [
        ("T001 [P] [US1] Do it", "T001", "Do it", true, &["US1"][..]),
        ("T001 [US1] [P] Do it", "T001", "Do it", true, &["US1"]),
        ("T001 [P][US12] Do it", "T001", "Do it", true, &["US12"]),
        ("T001: Do it", "T001", "Do it", false, &[]),
        ("[T001] [P] Do it", "T001", "Do it", true, &[]),
        ("T-001 Do it", "T-001", "Do it", false, &[]),
        ("T012a Do it", "T012a", "Do it", false, &[]),
        ("**T001** [P] Do it", "T001", "Do it", true, &[]),
        ("T001 [Pa] Do it", "T001", "[Pa] Do it", false, &[]),
        ("T001 Do [P] it", "T001", "Do [P] it", false, &[]),
        ("[P] [US2] Do it", "#1", "Do it", true, &["US2"]),
        ("T001", "T001", "", false, &[]),
    ] {
        let text = format!("- [ ] {words}\n- [ ] T900 [P] b\n- [ ] T901 c\n");
        let plan = read(&text);
        let task = &plan.tasks[0];
        assert_eq!((task.id.as_str(), &*task.title), (id, title), "{words}");
        assert_eq!(task.parallel, parallel, "{words}");
        assert_eq!(task.covers, stories, "{words}");
        assert_eq!(&text[task.title_span.clone()], title, "{words}");
    }
}

#[test]
fn spec_kit_dependencies_are_read_from_prose() {
    for (words, depends) in [
        ("x (depends on T001, T002)", Some("T001,T002")),
        ("x (Depends on T001 and T002)", Some("T001,T002")),
        ("x (depends on: `T001` & T002)", Some("T001,T002")),
        ("x (depends on T001-T003)", Some("T001,T002,T003")),
        ("x (depends on T001–T002, T004)", Some("T001,T002,T004")),
        ("x after T001", Some("T001")),
        ("x (requires T001; blocked by T002)", Some("T001,T002")),
        ("x, and T001 comes first", None),
        ("x (depends on the schema)", None),
        ("x thereafter T001", None),
        ("x (depends on T009)", None),
    ] {
        let text =
            format!("- [ ] T001 a\n- [ ] T002 b\n- [ ] T003 c\n- [ ] T004 d\n- [ ] T009 {words}\n");
        let plan = read(&text);
        let found = plan.tasks[4].depends.as_ref().map(|ids| {
            let ids: Vec<&str> = ids.iter().map(plan::TaskId::as_str).collect();
            ids.join(",")
        });
        assert_eq!(found.as_deref(), depends, "{words}");
    }
    // A `depends:` key takes precedence over prose.
    let plan = read("- [ ] T001 a\n- [ ] T002 b (depends on T001)\n  - depends: none\n");
    assert_eq!(plan.tasks[1].depends, Some(Vec::new()));
    // A dangling reference is reported.
    assert_eq!(
        problems("- [ ] T001 a\n- [ ] T002 b (depends on T007)\n"),
        ["2 dangling_reference"]
    );
}

#[test]
fn kiro_details_are_keys() {
    let detail = |line: &str| {
        let text = format!("- [ ] 1. a\n  - _Requirements: 9_\n- [ ] 2. b\n  {line}\n");
        let plan = read(&text);
        let task = plan.tasks[1].clone();
        for field in &task.fields {
            assert_eq!(&text[field.value_span.clone()], field.value);
        }
        let depends = task
            .depends
            .map(|ids| ids.iter().map(|id| id.0.clone()).collect());
        (task.covers, depends.unwrap_or_else(|| vec!["-".to_owned()]))
    };
    let unsaid = ["-"];
    for (line, covers, depends) in [
        (
            "- _Requirements: 1.1, 2.3_",
            &["1.1", "2.3"][..],
            &unsaid[..],
        ),
        ("- _Requirement: 1_", &["1"], &unsaid),
        ("- *Requirements: 1.1*", &["1.1"], &unsaid),
        ("- Requirements: 1.1", &["1.1"], &unsaid),
        (
            "- **Validates: Requirements 1.2, 3**",
            &["1.2", "3"],
            &unsaid,
        ),
        ("- _Requirements: all of them_", &[], &unsaid),
        ("- Requirements: are told elsewhere", &[], &unsaid),
        ("_Requirements: 1.1_", &["1.1"], &unsaid),
        ("- words\n    _Requirements: 1.1_", &["1.1"], &unsaid),
        ("- _Depends: 1_", &[], &["1"]),
        ("- _Depends:_ 1", &[], &["1"]),
        ("- _Depends: none_", &[], &[]),
        ("- depends: 1", &[], &["1"]),
    ] {
        let found = detail(line);
        assert_eq!(found.0, covers, "{line}");
        assert_eq!(found.1, depends, "{line}");
    }
}

#[test]
fn numbers_are_ids_in_formats_that_use_them() {
    for (words, id, title) in [
        ("2. Do it", "2", "Do it"),
        ("2) Do it", "2", "Do it"),
        ("2.3 Do it", "2.3", "Do it"),
        ("2.3. Do it", "2.3", "Do it"),
        ("2.3: Do it", "2.3", "Do it"),
        ("2.3 - Do it", "2.3", "Do it"),
        ("2.3.4 (P) Do it", "2.3.4", "Do it"),
        ("2.3 Do it (P)", "2.3", "Do it"),
        ("2.3* Do it", "2.3", "Do it"),
        ("2.3a Do it", "2.3a", "Do it"),
        ("**2.3** Do it", "2.3", "Do it"),
        ("**2.3 Do it**", "2.3", "Do it"),
        ("2 more tries", "#2", "2 more tries"),
        ("2.5x faster", "#2", "2.5x faster"),
        ("**2.3 Do** it", "#2", "**2.3 Do** it"),
        ("Do it", "#2", "Do it"),
        ("**D1** Do it", "D1", "Do it"),
    ] {
        let text = format!("- [ ] 1. a\n  - _Requirements: 1_\n- [ ] {words}\n");
        let plan = read(&text);
        let task = &plan.tasks[1];
        assert_eq!((task.id.as_str(), &*task.title), (id, title), "{words}");
        assert_eq!(task.optional, words.starts_with("2.3* "), "{words}");
        assert_eq!(task.parallel, words.contains("(P)"), "{words}");
    }
}

#[test]
fn nothing_waits_for_optional_tasks() {
    let text = "- [ ] a\n- [ ]* b\n- [ ]* c\n- [ ] d\n- [ ] g\n  - [ ]* e\n  - [ ] f\n- [ ] h\n  - [ ]* i\n- [ ] j\n  - depends: #2\n";
    let plan = read(text);
    // A group with only optional parts is finished when all of them are done.
    assert_eq!(
        told(&plan),
        "#1 #2?<#1 #3?<#1 #4<#1 #5<#4 #5.1?<#4 #5.2<#4 #6<#5.2 #6.1?<#5.2 #7<#2"
    );
    let done = |ids: &[&str]| {
        let mut text = text.to_owned();
        for id in ids {
            let plan = read(&text);
            let splices = plan::edit::tick(&plan, &super::id(id)).unwrap();
            text = plan::edit::apply(&text, &splices).unwrap().text;
        }
        let groups = plan::edit::finished_groups(&read(&text));
        groups.iter().map(|id| id.0.clone()).collect::<Vec<_>>()
    };
    assert_eq!(done(&["#5.2"]), ["#5"]);
    assert_eq!(done(&["#5.1"]), [""; 0]);
    assert_eq!(done(&["#6.1"]), ["#6"]);
}

#[test]
fn a_cycle_through_a_phase_lists_its_tasks() {
    let text = "## Phase 1\n- [ ] T001 a\n- [ ] T002 b (depends on T004)\n## Phase 2\n- [ ] T003 [P] c\n- [ ] T004 [P] d\n";
    let cycles = Graph::of(&read(text)).cycles();
    let told: Vec<&str> = cycles[0].iter().map(plan::TaskId::as_str).collect();
    assert_eq!(told, ["T002", "T004"]);
}

#[test]
fn a_duplicate_id_becomes_positional_and_is_ticked_on_its_own() {
    let text = "## 1. G\n- [ ] 1.1 a\n- [ ] 1.1 b\n- [ ] 1.2 c\n";
    let plan = read(text);
    assert_eq!(ids(&plan), ["1.1", "#2", "1.2"]);
    assert_eq!(plan.tasks[1].id_origin, IdOrigin::Positional);
    assert_eq!(plan.tasks[1].title, "1.1 b");
    let splices = plan::edit::tick(&plan, &super::id("#2")).unwrap();
    let after = plan::edit::apply(text, &splices).unwrap().text;
    assert_eq!(after, "## 1. G\n- [ ] 1.1 a\n- [x] 1.1 b\n- [ ] 1.2 c\n");
}

#[test]
fn requirements_in_another_file_are_not_reported_as_missing() {
    assert_eq!(problems("- [ ] 1. a\n  - _Requirements: 1.1_\n"), [""; 0]);
    assert_eq!(
        problems("## Requirements\n- R1 x\n\n## Tasks\n- [ ] T001 [P] [US1] a\n"),
        ["5 dangling_reference"]
    );
    assert_eq!(
        problems("- [ ] **T1** a\n  - covers: R1\n"),
        ["2 dangling_reference"]
    );
}

#[test]
fn only_list_items_are_tasks() {
    let text = "T001 [P] without a bullet\n\n- T002 without a box\n\n- [ ] T003 real\n";
    assert_eq!(only(text).id.as_str(), "T003");
}

#[test]
fn a_box_inside_a_paragraph_is_reported() {
    for text in [
        "- [ ] 1.1 a\n        - [ ] 1.2 too far in\n- [ ] 1.3 b\n",
        "- [ ] a\n-[ ] b\n",
        "Steps:\n2. [ ] b\n",
    ] {
        assert_eq!(problems(text), ["2 odd_box"], "{text}");
    }
    assert_eq!(problems("- [ ] a\n  - [ ] b\n"), [""; 0]);
}
