//! The `check` command: its report, its exit codes, and that it changes nothing.

use planwright_tests::{Home, Project};

use crate::revision;

const GOOD: &str = "\
---
planwright: 1
id: rounding-1a2b
goal: Fix the rounding of half cents
---
# Fix the rounding of half cents

## Requirements
- R1 half cents round to even

## Tasks
- [x] **T1** Find where cents are rounded
  - call: `search_files {\"pattern\": \"round\"}`
- [ ] **T2** Quantize with `Decimal('.01')` and `ROUND_HALF_EVEN`, so that half cents round to even
  - files: `money.py`
  - covers: R1
  - verify: `python3 -m unittest`
  - by: person
";

#[test]
fn a_report_is_one_object_a_line_and_file() {
    let home = Home::new();
    let project = Project::new()
        .file("a.md", GOOD)
        .file("b.md", "# Nothing to do\n\nProse.\n");
    let checked = home
        .planwright(&project, ["check", "a.md", "b.md", "--json"])
        .expect(0);
    let reports = checked.json();
    assert_eq!(reports.len(), 2);

    let report = &reports[0];
    assert_eq!(report["path"], "a.md");
    assert_eq!(report["dialect"], "native");
    assert_eq!(report["tasks"], serde_json::json!({"total": 2, "done": 1}));
    assert_eq!(report["revision"].as_str().unwrap().len(), 64);
    for key in [
        "score",
        "badge",
        "is_too_thin",
        "adequacy_reason_codes",
        "detail_target_min_tasks",
        "estimated_goal_complexity",
        "aggregate_unresolved_risk",
        "critical_count",
        "coverage",
    ] {
        assert!(
            report["adequacy"].get(key).is_some(),
            "{key} is missing in {report}"
        );
    }
    assert_eq!(report["adequacy"]["coverage"], 1.0);

    let empty = &reports[1];
    assert_eq!(empty["adequacy"]["badge"], "empty");
    let codes: Vec<&str> = empty["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["code"].as_str().unwrap())
        .collect();
    assert!(codes.contains(&"no_tasks"), "{codes:?}");
    assert!(
        empty["findings"][0].get("task").is_none(),
        "a finding about the plan names no task"
    );
}

#[test]
fn findings_name_task_line_and_code() {
    let home = Home::new();
    let project = Project::new().file(
        "p.md",
        "# Tidy\n\n- [ ] **T1** Update the parser\n- [ ] **T2** details TBD later on\n",
    );
    let report = home
        .planwright(&project, ["check", "p.md", "--json"])
        .expect(0)
        .last_json();
    let finding = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|finding| finding["code"] == "tbd_placeholder")
        .expect("the placeholder is found")
        .clone();
    assert_eq!(finding["task"], "T2");
    assert_eq!(finding["line"], 4);
    assert!(!finding["message"].as_str().unwrap().is_empty());
}

#[test]
fn thin_is_an_exit_code_only_where_it_is_enforced() {
    let home = Home::new();
    let goal = "Migrate the authentication of all services to the new tokens and keep the old ones working until the end of the year for everyone";
    let project = Project::new().file("thin.md", "- [ ] **T1** Do the migration work\n");
    home.planwright(&project, ["check", "thin.md", "--goal", goal])
        .expect(0);
    let enforced = home.planwright(
        &project,
        ["check", "thin.md", "--goal", goal, "--enforce", "--json"],
    );
    assert_eq!(
        enforced.expect(1).last_json()["adequacy"]["is_too_thin"],
        true
    );
}

#[test]
fn a_rewrite_that_loses_tasks_is_named() {
    let home = Home::new();
    let before = "# Fix the encoding of names\n\n- [ ] **T1** Audit the exporter for encoding mistakes\n  - files: `src/export.rs`\n- [ ] **T2** Write names as UTF-8 in the exporter\n  - files: `src/export.rs`\n- [ ] **T3** Test names outside the Latin alphabet\n  - files: `tests/export.rs`\n";
    let after = "# Fix the encoding of names\n\n- [ ] **T1** Fix the exporter and test it\n  - files: `src/export.rs`\n";
    let project = Project::new()
        .file("before.md", before)
        .file("after.md", after);
    let report = home.planwright(
        &project,
        ["check", "after.md", "--before", "before.md", "--json"],
    );
    let codes = report.expect(0).last_json()["adequacy"]["adequacy_reason_codes"].clone();
    assert!(
        codes
            .as_array()
            .unwrap()
            .contains(&"possible_rewrite_compression".into()),
        "{codes}"
    );
}

#[test]
fn what_the_files_beside_a_plan_ask_for_is_judged_too() {
    let home = Home::new();
    let kiro = "# Implementation Plan\n\n- [ ] 1. Read the code of a coupon in `till/coupons.py`\n  - _Requirements: 1.1_\n- [ ] 2. Print the value of the coupon on the receipt\n  - _Requirements: 1.2_\n";
    let asked = "# Requirements\n\n### Requirement 1: Coupons\n\n1. WHEN a coupon is scanned THE SYSTEM SHALL read its code\n2. THE SYSTEM SHALL print the value on the receipt\n3. THE SYSTEM SHALL telephone the warehouse\n";
    let openspec = "## 1. Till\n\n- [ ] 1.1 Read the code of a coupon in `till/coupons.py`\n- [ ] 1.2 Print the value of the coupon\n";
    let proposal = "## Why\n\nBecause.\n\n## What Changes\n\n- Read the code of coupons\n- Telephone the warehouse\n";
    let delta = "## ADDED Requirements\n\n### Requirement: Receipt\nThe till SHALL print the value of the coupon.\n";
    let project = Project::new()
        .file(".kiro/specs/coupons/tasks.md", kiro)
        .file(".kiro/specs/coupons/requirements.md", asked)
        .file("openspec/changes/coupons/tasks.md", openspec)
        .file("openspec/changes/coupons/proposal.md", proposal)
        .file("openspec/changes/coupons/specs/till/spec.md", delta);
    let judged = |file: &str| -> Vec<(String, bool)> {
        let report = home.planwright(&project, ["check", file, "--json"]);
        let report = report.expect(0).last_json();
        let all = report["requirements"].as_array().unwrap();
        let pair = |one: &serde_json::Value| {
            let id = one["id"].as_str().unwrap().to_owned();
            (id, one["covered"].as_bool().unwrap())
        };
        all.iter().map(pair).collect()
    };
    let pairs = |wanted: &[(&str, bool)]| -> Vec<(String, bool)> {
        let wanted = wanted.iter();
        wanted.map(|(id, is)| ((*id).to_owned(), *is)).collect()
    };
    assert_eq!(
        judged(".kiro/specs/coupons/tasks.md"),
        pairs(&[("1.1", true), ("1.2", true), ("1.3", false)])
    );
    assert_eq!(
        judged("openspec/changes/coupons/tasks.md"),
        pairs(&[("R1", true), ("R2", false), ("R3", true)])
    );
}

#[test]
fn a_list_of_requirements_is_judged_one_by_one() {
    let home = Home::new();
    let plan = "# Report\n\n- [ ] Print every row of the report as JSON behind `--json`\n  in `src/report.py`\n- [ ] Describe `--json` in the README\n";
    let list = "- R7 `report --json` prints the rows as JSON\n- the toolbar shows a clock\n";
    let project = Project::new().file("p.md", plan).file("list.md", list);
    let with_list = ["check", "p.md", "--requirements", "list.md", "--json"];
    let report = home.planwright(&project, with_list).expect(0).last_json();
    let judged = |nth: usize| report["requirements"][nth].clone();
    assert_eq!(
        (judged(0)["id"].as_str(), judged(0)["covered"].as_bool()),
        (Some("R7"), Some(true))
    );
    assert_eq!(judged(0)["lines"][0], 3);
    assert_eq!(judged(1)["text"], "the toolbar shows a clock");
    assert_eq!(judged(1)["covered"], false);
    assert_eq!(judged(1)["lines"].as_array().map(Vec::len), Some(0));
    assert!(!judged(1)["why"].as_str().unwrap().is_empty());
    let share = report["adequacy"]["coverage"].as_f64().unwrap();
    assert!(share > 0.2 && share < 0.7, "{share}");

    let mut findings = report["findings"].as_array().unwrap().iter();
    let finding = findings
        .find(|one| one["code"] == "uncovered_requirement")
        .unwrap();
    assert!(finding["message"].as_str().unwrap().contains("a clock"));
    assert_eq!(finding["fixes"].as_array().map(Vec::len), Some(0));
    let end = finding["place"][1].as_u64().unwrap();
    assert!(end <= plan.len() as u64, "{finding}");

    // Equal ids in two different lists don't refer to the same item.
    let own = "# Report\n\n## Requirements\n- R7 the clock ticks\n\n## Tasks\n- [ ] **T1** Let the clock tick\n  - covers: R7\n";
    let project = Project::new().file("p.md", own).file("list.md", list);
    let report = home.planwright(&project, with_list).expect(0).last_json();
    assert_eq!(report["requirements"][0]["covered"], false);

    for (file, says) in [("gone.md", "gone.md"), ("empty.md", "- text")] {
        let project = Project::new()
            .file("p.md", plan)
            .file("empty.md", "Nothing yet.\n");
        let wrong = ["check", "p.md", "--requirements", file];
        let wrong = home.planwright(&project, wrong).expect(64);
        assert!(wrong.stderr.contains(says), "{}", wrong.stderr);
    }
}

#[test]
fn checking_changes_nothing_and_says_the_same_twice() {
    let home = Home::new();
    let project = Project::new().file("p.md", GOOD);
    let before = project.snapshot();
    let first = home
        .planwright(&project, ["check", "p.md", "--json"])
        .expect(0);
    let second = home
        .planwright(&project, ["check", "p.md", "--json"])
        .expect(0);
    assert_eq!(first.stdout, second.stdout);
    assert_eq!(before, project.snapshot());
    assert_eq!(revision(&home, &project, "p.md").len(), 64);
}
