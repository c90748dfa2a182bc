//! Tests of the conditions that block a step or let it pass.

use adequacy::step_gate;
use plan::graph::Graph;
use plan::{Plan, Task, TaskKind};

use crate::build::{With, checkpoint, grouped, plan, step};

fn blocked(plan: &Plan, index: usize) -> Vec<&'static str> {
    codes(plan, index, true)
}

fn codes(plan: &Plan, index: usize, has_model: bool) -> Vec<&'static str> {
    let findings = step_gate::blocks(plan, &Graph::of(plan), index, has_model);
    findings
        .iter()
        .map(|finding| finding.code.as_str())
        .collect()
}

fn lone(task: Task) -> Plan {
    plan("Tidy the shop", [task])
}

const PASSES: [&str; 0] = [];

#[test]
fn a_plain_step_passes() {
    let task = step(
        "T1",
        "Build the requested shelf, with tests and a way to verify it",
    );
    assert_eq!(blocked(&lone(task.clone()), 0), PASSES);
    assert_eq!(
        blocked(&lone(task.clone().files(&["crates/shop/tbd"])), 0),
        ["tbd_placeholder"]
    );
    assert_eq!(
        blocked(&lone(task.files(&[""])), 0),
        ["manifest_empty_path"]
    );
}

#[test]
fn vague_words_block_a_model_and_not_a_person() {
    for (title, code) in [
        ("Parser", "vague_short"),
        ("Fix stuff in the parser", "vague_phrase"),
    ] {
        assert_eq!(codes(&lone(step("T1", title)), 0, true), [code]);
        assert_eq!(
            codes(&lone(step("T1", title)), 0, false),
            PASSES,
            "a person will do it"
        );
        assert_eq!(codes(&lone(step("T1", title).by_person()), 0, true), PASSES);
    }
    let exact = step("T1", "Parser").call(r#"read_file {"path": "a.py"}"#);
    assert_eq!(codes(&lone(exact), 0, false), PASSES);
}

#[test]
fn a_placeholder_blocks_models_and_people() {
    let task = step("T1", "Sign the form, date TBD").by_person();
    assert_eq!(codes(&lone(task), 0, false), ["tbd_placeholder"]);
}

#[test]
fn a_call_that_cannot_run_blocks() {
    let task = step("T1", "Look at the shelves").call(r#"read_shelf {"path": "a"}"#);
    assert_eq!(blocked(&lone(task), 0), ["bad_call"]);
}

fn danger(id: &str) -> Task {
    step(id, "Drop table coupons in the shop's database")
}

#[test]
fn a_destructive_step_passes_with_a_checkpoint_or_safeguard() {
    assert_eq!(blocked(&lone(danger("T1")), 0), ["risk_destructive"]);
    let after = |first: Task| blocked(&plan("Tidy", [first, danger("T2").after(&["T1"])]), 1);
    assert_eq!(after(checkpoint("T1")), PASSES);
    assert_eq!(after(step("T1", "Back up the table coupons")), PASSES);
    assert_eq!(
        after(step("T1", "Run the drop with --dry-run and read it")),
        PASSES
    );
    assert_eq!(
        after(step("T1", "Dump it").call(r#"run_command {"command": "pg_dump shop"}"#)),
        PASSES
    );

    let blocks = ["risk_destructive"];
    assert_eq!(after(step("T1", "Update the snapshot tests")), blocks);
    assert_eq!(after(step("T1", "Confirm the plan with the owner")), blocks);
    assert_eq!(
        after(Task {
            confirm: false,
            ..checkpoint("T1")
        }),
        blocks,
        "a notice stops nothing"
    );
    assert_eq!(
        after(Task {
            skipped: Some("late".into()),
            ..checkpoint("T1")
        }),
        blocks
    );
    let decision = Task {
        kind: TaskKind::Decision,
        ..step("T1", "Which table?")
    };
    assert_eq!(
        after(decision),
        blocks,
        "a choice is not a look at the danger"
    );
}

#[test]
fn a_safeguard_counts_only_where_the_step_waits_for_it() {
    let tasks = [
        step("T1", "Back up the table coupons"),
        step("T2", "Sort the shelves by colour").after(&["T1"]),
        danger("T3").after(&["T2"]),
        danger("T4").after(&[]),
    ];
    let plan = plan("Tidy", tasks);
    assert_eq!(blocked(&plan, 2), PASSES, "through another step");
    assert_eq!(
        blocked(&plan, 3),
        ["risk_destructive"],
        "it may run before the backup"
    );
}

#[test]
fn implicit_file_order_counts_as_waiting() {
    let plan = plan("Tidy", [checkpoint("C1"), danger("T1")]);
    assert_eq!(blocked(&plan, 1), PASSES);
}

#[test]
fn groups_checkpoints_and_decisions_are_not_blocked() {
    let group = grouped(
        plan("Tidy", [step("G", "tbd"), step("T1", "Sort the shelves")]),
        0,
        &[1],
    );
    assert_eq!(blocked(&group, 0), PASSES);
    assert_eq!(blocked(&lone(checkpoint("C1")), 0), PASSES);
    assert_eq!(blocked(&group, 99), PASSES, "no such step");
}
