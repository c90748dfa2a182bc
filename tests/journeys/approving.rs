//! An approval is only valid for the bytes that were shown.

use planwright_tests::{Home, Project};

use crate::{revision, run, run_id, run_revision};

const PLAN: &str = "\
---
planwright: 1
id: two-files-9k3m
goal: Write the two files
---
# Write the two files

Keep them small.

## Requirements
- R1 the first file says one
- R2 the second file says two

## Tasks
- [ ] **T1** Write the first of the two files
  - call: `write_file {\"path\": \"one.txt\", \"content\": \"one\\n\"}`
  - covers: R1
- [ ] **T2** Write the second of the two files
  - call: `write_file {\"path\": \"two.txt\", \"content\": \"two\\n\"}`
  - covers: R2

## Notes
Nothing here is part of a step.
";

#[track_caller]
fn refused(home: &Home, project: &Project, revision: &str) -> serde_json::Value {
    let before = project.snapshot();
    let output = run_revision(home, project, "plans/p.md", revision, &[]).expect(5);
    assert_eq!(
        before,
        project.snapshot(),
        "no content and no timestamp changed"
    );
    let ended = output.last_json();
    assert_eq!(ended["event"], "ended");
    assert_eq!(ended["state"], "not_covered");
    ended
}

#[test]
fn an_unknown_or_outdated_revision_runs_nothing() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", PLAN);
    refused(&home, &project, &"0".repeat(64));
    refused(&home, &project, "abcdefabcdef");
}

#[test]
fn a_changed_step_goal_prose_or_requirement_is_not_covered() {
    for (from, to) in [
        ("\"content\": \"two\\n\"", "\"content\": \"evil\\n\""),
        ("goal: Write the two files", "goal: Write the three files"),
        ("# Write the two files", "# Write all files"),
        ("Keep them small.", "Make them large."),
        (
            "- R2 the second file says two",
            "- R2 the second file says three",
        ),
    ] {
        let home = Home::new();
        let project = Project::new().file("plans/p.md", PLAN);
        let approved = revision(&home, &project, "plans/p.md");
        project.edit("plans/p.md", from, to);
        let ended = refused(&home, &project, &approved[..12]);
        assert!(
            !ended["uncovered"].as_array().unwrap().is_empty(),
            "{from}: {ended}"
        );
    }
}

#[test]
fn a_new_step_is_not_covered() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", PLAN);
    let approved = revision(&home, &project, "plans/p.md");
    project.edit(
        "plans/p.md",
        "\n## Notes",
        "- [ ] **T3** Write a third file nobody approved\n  - call: `write_file {\"path\": \"x\", \"content\": \"\"}`\n\n## Notes",
    );
    let ended = refused(&home, &project, &approved);
    assert_eq!(ended["uncovered"][0]["task"], "T3");
}

#[test]
fn a_tick_by_hand_is_asked_about_and_a_change_elsewhere_voids_nothing() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", PLAN);
    let approved = revision(&home, &project, "plans/p.md");
    project.edit("plans/p.md", "- [ ] **T1**", "- [x] **T1**");
    project.edit(
        "plans/p.md",
        "Nothing here is part",
        "Nothing in here is part",
    );
    let waiting = run_revision(&home, &project, "plans/p.md", &approved[..12], &[]).expect(3);
    assert_eq!(waiting.events("waiting")[0]["for"], "claims");
    assert!(
        !project.at("two.txt").exists(),
        "nothing runs based on a claim"
    );
    let answers = planwright_tests::Answers::new()
        .choose("claims", "Count as done")
        .write_to(home.path());
    let answers = ["--answers", answers.to_str().unwrap()];
    run_revision(&home, &project, "plans/p.md", &approved[..12], &answers).expect(0);
    assert!(
        !project.at("one.txt").exists(),
        "the person signed off on it"
    );
    assert_eq!(project.read("two.txt"), "two\n");
}

#[test]
fn the_apps_own_ticks_keep_an_approval_good() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", PLAN);
    let approved = revision(&home, &project, "plans/p.md");
    let first = run_revision(&home, &project, "plans/p.md", &approved, &["--upto", "T1"]).expect(0);
    assert!(
        !project.at("two.txt").exists(),
        "only the steps up to T1 were approved"
    );
    assert_ne!(revision(&home, &project, "plans/p.md"), approved);
    let second = run_revision(&home, &project, "plans/p.md", &approved, &[]).expect(0);
    assert_ne!(run_id(&first), run_id(&second));
    assert_eq!(
        second.events("notice"),
        Vec::<serde_json::Value>::new(),
        "no other program wrote to the plan"
    );
    assert_eq!(project.read("two.txt"), "two\n");
}

#[test]
fn what_is_no_revision_is_a_usage_error() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", PLAN);
    for wrong in ["abc", "HEAD", "zzzzzzzzzzzz"] {
        run_revision(&home, &project, "plans/p.md", wrong, &[]).expect(64);
    }
}

#[test]
fn a_plan_changed_during_the_run_stops_at_the_changed_step() {
    let home = Home::new();
    let plan = "\
# Write and wait

## Tasks
- [ ] **T1** Say that the first part is ready
  - by: person
- [ ] **T2** Write the file of the second part
  - call: `write_file {\"path\": \"two.txt\", \"content\": \"two\"}`
";
    let project = Project::new().file("plans/p.md", plan);
    let waiting = run(&home, &project, "plans/p.md", &[]).expect(3);
    let id = run_id(&waiting);
    project.edit(
        "plans/p.md",
        "\"content\": \"two\"",
        "\"content\": \"evil\"",
    );
    let answers = planwright_tests::Answers::new()
        .done("T1", "ready")
        .write_to(home.path());
    let answers = answers.to_str().unwrap();
    let resumed = home
        .planwright(&project, ["resume", &id, "--answers", answers, "--json"])
        .expect(5);
    assert_eq!(resumed.last_json()["state"], "not_covered");
    assert!(!project.at("two.txt").exists());
}
