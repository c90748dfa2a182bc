//! Converting plans from other formats to the native one.

use plan::edit::{apply, to_native};
use plan::graph::Graph;
use plan::{Dialect, IdOrigin, Plan};
use proptest::prelude::*;

use super::dialects::{file, laws, texts};
use super::read;

fn converted(text: &str) -> String {
    let splices = to_native(text, &read(text), "a-plan-1234").unwrap();
    let after = apply(text, &splices).unwrap();
    assert_eq!(apply(&after.text, &after.inverse).unwrap().text, text);
    after.text
}

/// For each leaf, the leaves that wait for it, directly or indirectly.
fn order(plan: &Plan) -> Vec<Vec<usize>> {
    let graph = Graph::of(plan);
    let leaves = plan.leaves().map(|(at, _)| at);
    leaves.map(|at| graph.dependents(at)).collect()
}

fn is_same(name: &str, before: &Plan, after: &Plan) {
    assert_eq!(after.dialect, Dialect::Native, "{name}");
    assert_eq!(before.tasks.len(), after.tasks.len(), "{name}");
    for (was, is) in before.tasks.iter().zip(&after.tasks) {
        assert_eq!((&was.title, was.marker), (&is.title, is.marker), "{name}");
        assert_eq!((was.parent, &was.body), (is.parent, &is.body), "{name}");
        let is_counted = is.id_origin == IdOrigin::Positional;
        assert!(!is_counted || before.front.version.is_some(), "{name}");
        assert!(was.covers.iter().all(|id| is.covers.contains(id)), "{name}");
        let noted = is.values("note").any(|note| note == "optional");
        assert_eq!((noted, is.optional), (was.optional, false), "{name}");
    }
    assert_eq!(order(before), order(after), "{name}");
}

#[test]
fn every_file_keeps_its_meaning_in_the_native_format() {
    for (name, text) in texts() {
        let before = read(&text);
        if matches!(before.dialect, Dialect::Headings | Dialect::Todos) {
            let refused = to_native(&text, &before, "a-plan-1234").unwrap_err();
            assert_eq!(refused, plan::edit::EditError::NotAList, "{name}");
            continue;
        }
        let after = converted(&text);
        let plan = read(&after);
        is_same(&name, &before, &plan);
        assert!(plan.front.id.is_some(), "{name}");
        assert_eq!(converted(&after), after, "{name}");
    }
}

#[test]
fn a_native_file_is_not_changed() {
    let text = file("native.md");
    assert_eq!(to_native(&text, &read(&text), "x").unwrap(), []);
}

#[test]
fn spec_kit_lists_are_converted_to_native_plans() {
    let text = "# Export\n\n## Phase 1: Setup\n- [X] T001 [P] Folder\n- [ ] T002 [P] Linter\n\n## Phase 2: Story\n- [ ] T003 [US1] Columns (depends on T001)\n- [ ] T004a [US1] File\n";
    insta::assert_snapshot!(converted(text), @r"
    ---
    planwright: 1
    id: a-plan-1234
    goal: Export
    ---
    # Export

    ## Phase 1: Setup
    - [X] **T001** Folder
    - [ ] **T002** Linter
      - depends: none

    ## Phase 2: Story
    - [ ] **T003** Columns (depends on T001)
      - depends: T001
      - covers: US1
    - [ ] **T1** File
      - depends: T001, T002, T003
      - covers: US1
    ");
}

#[test]
fn kiro_lists_are_converted_to_native_plans() {
    let text = "---\ntitle: x\n---\n# Rows\n\n- [ ] 1. Store\n  - one table\n  - _Requirements: 1.1, 2.3_\n  - [x] 1.1 Schema\n    - _Depends:_ none\n  - [ ]* 1.2 Tests\n    - **Validates: Requirements 1.2**\n- [-] **2. Reader**\n";
    insta::assert_snapshot!(converted(text), @r"
    ---
    planwright: 1
    id: a-plan-1234
    goal: Rows
    title: x
    ---
    # Rows

    - [ ] **1** Store
      - one table
      - covers: 1.1, 2.3
      - [x] **1.1** Schema
        - depends: none
      - [ ] **1.2** Tests
        - covers: 1.2
        - note: optional
    - [-] **2** Reader
      - depends: 1.1
    ");
}

#[test]
fn plain_lists_are_converted_to_native_plans() {
    let text =
        "- [ x ] a\n  and more\n- [ ] b\n  - depends: #1\n  - [] c\n\n## Decisions\n- #1: x — me\n";
    insta::assert_snapshot!(converted(text), @r"
    ---
    planwright: 1
    id: a-plan-1234
    ---
    - [x] **T1** a
      and more
    - [ ] **T2** b
      - depends: T1
      - [ ] **T3** c

    ## Decisions
    - T1: x — me
    ");
}

#[test]
fn optional_groups_stay_optional() {
    let text = "- [X] 1.1* \n    - depends: .\n  - _Requirements: 1_\n  - [ ] 1.2 b\n- [ ] 2. c\n";
    let before = read(text);
    assert!(before.tasks[0].optional);
    is_same("", &before, &read(&converted(text)));
}

#[test]
fn a_duplicate_id_is_replaced() {
    let text =
        "- [ ] T001 a\n- [ ] T001 b\n- [ ]* T002 c\n- [ ] T003 d (depends on T001)\n- [ ] T004 e\n";
    let before = read(text);
    let after = read(&converted(text));
    is_same("", &before, &after);
    let ids: Vec<&str> = after.tasks.iter().map(|task| task.id.as_str()).collect();
    assert_eq!(ids, ["T001", "T1", "T002", "T003", "T004"]);
}

#[test]
fn dependents_of_a_task_with_a_duplicate_id_keep_waiting() {
    let text = "- [ ] **T001** \n- [ ] T001\n- [ ]* \n- [X] 1.";
    is_same("", &read(text), &read(&converted(text)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600.max(ProptestConfig::default().cases), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn conversion_keeps_the_meaning(text in laws::text()) {
        let before = read(&text);
        if let Ok(splices) = to_native(&text, &before, "a-plan-1234") {
            let after = apply(&text, &splices).unwrap();
            prop_assert_eq!(&apply(&after.text, &after.inverse).unwrap().text, &text);
            is_same("", &before, &read(&after.text));
        }
    }
}
