//! Tests against false positives: each one covers a class of wrong findings that occurred on real
//! plans.

use adequacy::{CheckInput, PlanDepth, Severity, WorkspaceFacts, check};
use plan::Requirement;

/// The codes of a plan, except those of severity info.
fn codes(text: &str, goal: &str, given: &[Requirement]) -> Vec<&'static str> {
    let (plan, problems) = plan::parse(text);
    let report = check(&CheckInput {
        plan: &plan,
        problems: &problems,
        goal: Some(goal).filter(|goal| !goal.is_empty()),
        requirements: given,
        depth: PlanDepth::Standard,
        scope: &[],
        before: None,
        facts: &WorkspaceFacts::default(),
        has_model: true,
    });
    let told = report.findings.iter();
    told.filter(|finding| finding.severity != Severity::Info)
        .map(|finding| finding.code.as_str())
        .collect()
}

fn says(code: &str, text: &str, goal: &str) -> bool {
    codes(text, goal, &[]).contains(&code)
}

#[test]
fn an_id_from_an_external_list_is_not_dangling() {
    let text = "# Sort the shelves\n\n## Tasks\n- [ ] **T1** Sort the shelves by `colour`\n  - covers: R1, R9\n";
    let given = plan::parse("# L\n\n## Requirements\n- R1 shelves are sorted by colour\n").0;
    let dangling = |given: &[Requirement]| {
        let codes = codes(text, "", given);
        codes
            .iter()
            .filter(|code| **code == "dangling_reference")
            .count()
    };
    assert_eq!(dangling(&[]), 2);
    assert_eq!(dangling(&given.requirements), 1, "R9 is in no list");
}

#[test]
fn a_goal_with_a_title_above_prose_is_an_issue() {
    let issue = "Close the drawer\n\nThe drawer of the till stays open when the clerk walks away. The alarm of the shop \
                 goes off at night, and nobody knows why the guard is called.";
    let text = "# Plan\n\n- [ ] Close the drawer in `till.rs` after `drawer_timeout`\n- [ ] Test `drawer_timeout`\n";
    for code in ["uncovered_goal", "too_few_tasks"] {
        assert!(!says(code, text, issue), "{code}");
    }
    assert!(
        says(
            "uncovered_goal",
            text,
            "Close the drawer, print the receipt and dim the lamps"
        ),
        "a list asks for what it lists"
    );
}

#[test]
fn checkboxes_of_a_trackers_task_are_acceptance_criteria() {
    let criteria = "- [ ] Release notes are shown when the shop opens\n- [ ] CI and release pins are on the same version\n\
                    - [ ] lamps off\n- [ ] lint, tests, types, docs and links pass\n";
    let task =
        format!("---\nid: task-3\nstatus: To Do\ncreated_date: '2025-01-01'\n---\n\n{criteria}");
    let goal = "Implement the notes of a release";
    assert_eq!(codes(&task, goal, &[]), [""; 0]);
}

#[test]
fn the_same_words_under_another_heading_are_not_a_duplicate() {
    let under = |heading: &str| {
        format!(
            "## Shelves\n- [ ] Add the section on common faults\n\n{heading}- [ ] Add the section on common faults\n"
        )
    };
    assert!(says("duplicate_task", &under(""), ""));
    assert!(!says("duplicate_task", &under("## Till\n"), ""));
    let names =
        "- [ ] Delete `src/labels/blue-template.ts`\n- [ ] Delete `src/labels/black-template.ts`\n";
    assert!(!says("duplicate_task", names, ""));
    let turned = "- [ ] Skip labels when the shop wants prices only\n- [ ] Skip prices when the shop wants labels only\n";
    assert!(!says("duplicate_task", turned, ""));
}

#[test]
fn several_objects_of_one_verb_are_one_thing() {
    for title in [
        "Add checks for wrong prices, wrong names, broken shelves, and lost labels",
        "Run `make lint`, `make test`, `make docs`, and `make dist`",
        "Add a hint for each state: open → Click, closed → Wait, lost → Search, sold → Gone",
    ] {
        assert!(
            !says("oversized_task", &format!("- [ ] {title}\n"), ""),
            "{title}"
        );
    }
}

#[test]
fn sub_tasks_are_details_of_the_step_above() {
    let text = "- [ ] Create `requirements.txt` with these packages:\n  - [ ] flask\n  - [ ] jinja2\n- [ ] `make test`\n";
    assert!(!says("vague_short", text, ""));
    assert!(says("vague_short", "- [ ] flask\n", ""));
}

#[test]
fn a_negated_command_is_valid_in_a_shell() {
    let text = "# Rename `total`\n\n## Tasks\n- [ ] **T1** Rename `total` to `sum_rows`\n  - verify: `! grep -r total src`\n";
    let (plan, problems) = plan::parse(text);
    let facts = WorkspaceFacts {
        programs: Some(["grep".to_owned()].into()),
        ..WorkspaceFacts::default()
    };
    let report = check(&CheckInput {
        plan: &plan,
        problems: &problems,
        goal: None,
        requirements: &[],
        depth: PlanDepth::Standard,
        scope: &[],
        before: None,
        facts: &facts,
        has_model: true,
    });
    let missing = report
        .findings
        .iter()
        .find(|finding| finding.code.as_str() == "command_missing");
    assert!(missing.is_none(), "{missing:?}");
}
