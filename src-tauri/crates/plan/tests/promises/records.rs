//! How records under `## Decisions` are parsed.

use super::{problems, read, sound};

fn decision(record: &str) -> String {
    format!(
        "- [ ] **D1** Which?\n  - type: decision\n  - option: Rows - one a line -> T1\n  - option: A list\n- [ ] **T1** a\n\n## Decisions\n- {record}\n"
    )
}

#[test]
fn open_and_answered_records_are_distinguished() {
    for open in [
        "D1 open",
        "D1: open",
        "**D1** open",
        "D1 Open",
        "D1:",
        "D1: open — asked on Monday",
    ] {
        let plan = sound(&decision(open));
        assert_eq!(
            (plan.decisions.len(), plan.decisions[0].answer.clone()),
            (1, None),
            "{open}"
        );
    }
    for (written, detail) in [
        (
            "D1: A list — Ann, 2026-05-01: short",
            "Ann, 2026-05-01: short",
        ),
        ("D1: A list", ""),
        ("D1 A list – Ann", "Ann"),
        ("D1: a LIST - Ann", "Ann"),
        ("D1: A list, says Ann", "says Ann"),
        ("D1: `A list` — Ann", "Ann"),
        ("**D1**: A list -- Ann", "Ann"),
    ] {
        let plan = sound(&decision(written));
        let record = &plan.decisions[0];
        assert_eq!(record.answer.as_deref(), Some("A list"), "{written}");
        assert_eq!(record.detail, detail, "{written}");
    }
    let plan = sound(&decision("D1: Rows - one a line — Ann"));
    assert_eq!(
        plan.decisions[0].answer.as_deref(),
        Some("Rows - one a line")
    );
}

#[test]
fn an_answer_that_is_not_an_option_is_reported() {
    assert_eq!(
        problems(&decision("D1: Something else — Ann")),
        ["8 bad_value"]
    );
}

#[test]
fn other_items_of_the_section_are_left_alone() {
    let plan = read("## Decisions\n- We keep SQLite.\n- D2: x — y\n\n## Next\n- D3: z\n");
    assert_eq!(plan.decisions.len(), 1);
    assert_eq!(
        (plan.decisions[0].task.as_str(), plan.decisions[0].line),
        ("D2", 3)
    );
}
