//! The `run` and `resume` commands: evidence, waiting, branches, permissions and leases.

use planwright_tests::{Answers, Home, Project};
use serde_json::json;

use crate::{resume, run, run_id};

const DECIDES: &str = "\
# Export the rows

## Tasks
- [ ] **T1** Look for what is there already
  - call: `list_files {}`
- [ ] **D1** Which layout is the export to have?
  - type: decision
  - depends: T1
  - option: One object per line, streams well -> T2
  - option: One array, simplest to read -> T3
- [ ] **T2** Write the export with one object per line
  - depends: D1
  - files: `lines.json`
  - call: `write_file {\"path\": \"lines.json\", \"content\": \"{}\\n{}\\n\"}`
  - verify: `test -s lines.json`
- [ ] **T3** Write the export as one array
  - depends: D1
  - call: `write_file {\"path\": \"array.json\", \"content\": \"[]\"}`
- [ ] **C1** Review the changes before the release note
  - type: checkpoint
  - depends: T2, T3
  - option: Continue -> continue
  - option: Let me review first -> review
- [ ] **T4** Write the release note for the export
  - by: person
  - depends: C1
  - verify: `test -f NOTE`

## Decisions
- D1 open
";

#[test]
fn a_run_waits_where_the_plan_says_and_ends_with_evidence() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", DECIDES).git();
    let first = run(&home, &project, "plans/p.md", &[]).expect(3);
    let id = run_id(&first);
    let waiting = &first.events("waiting")[0];
    assert_eq!(waiting["for"], "decision");
    assert_eq!(waiting["id"], "D1");
    assert_eq!(waiting["options"][0], "One object per line, streams well");

    let answers = Answers::new()
        .choose("D1", "One object per line")
        .write_to(home.path());
    let answers = answers.to_str().unwrap();
    let second = home
        .planwright(&project, ["resume", &id, "--answers", answers, "--json"])
        .expect(3);
    assert_eq!(second.events("waiting")[0]["id"], "C1");
    assert_eq!(project.read("lines.json"), "{}\n{}\n");
    assert!(
        !project.at("array.json").exists(),
        "the other branch is skipped"
    );
    assert!(
        project.read("plans/p.md").contains("One object per line"),
        "{}",
        project.read("plans/p.md")
    );

    project.write("NOTE", "The export is new.\n");
    let answers = Answers::new()
        .choose("C1", "Continue")
        .done("T4", "written")
        .write_to(home.path());
    let answers = answers.to_str().unwrap();
    let third = home
        .planwright(&project, ["resume", &id, "--answers", answers, "--json"])
        .expect(0);
    assert_eq!(third.last_json()["state"], "done");

    let plan = project.read("plans/p.md");
    assert_eq!(plan.matches("- [x]").count(), 5, "{plan}");
    assert!(plan.contains("skipped: "), "{plan}");
    let receipt = home
        .planwright(&project, ["receipt", &id, "--json"])
        .expect(0)
        .last_json();
    let steps = receipt["steps"].as_array().unwrap();
    let note = steps.iter().find(|step| step["task"] == "T4").unwrap();
    let kinds: Vec<&str> = note["evidence"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["check", "signature"]);
}

#[test]
fn done_without_its_check_is_not_done() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", DECIDES);
    let answers = Answers::new()
        .choose("D1", "One array")
        .choose("C1", "Continue")
        .done("T4", "I swear")
        .write_to(home.path());
    let ran = run(
        &home,
        &project,
        "plans/p.md",
        &["--answers", answers.to_str().unwrap()],
    )
    .expect(4);
    assert_eq!(ran.last_json()["state"], "failed");
    assert!(project.read("plans/p.md").contains("- [ ] **T4**"));
}

#[test]
fn progress_carries_a_number_and_all_fields() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", DECIDES);
    let ran = run(&home, &project, "plans/p.md", &[]).expect(3);
    let progress = ran.events("progress");
    assert!(!progress.is_empty());
    for event in &progress {
        for key in [
            "seq",
            "task",
            "phase",
            "tools_used",
            "discoveries",
            "current_action",
            "elapsed_ms",
        ] {
            assert!(event.get(key).is_some(), "{key} is missing in {event}");
        }
    }
    assert_eq!(ran.json()[0]["event"], "started");
    assert_eq!(ran.last_json()["event"], "ended");
}

#[test]
fn an_answer_for_no_task_is_named() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", DECIDES);
    let answers = Answers::new().done("T44", "a slip").write_to(home.path());
    let answers = answers.to_str().unwrap();
    let ran = run(&home, &project, "plans/p.md", &["--answers", answers]).expect(3);
    assert!(
        ran.events("notice")[0]["message"]
            .as_str()
            .unwrap()
            .contains("T44")
    );
}

#[test]
fn one_plan_has_one_runner() {
    let home = Home::new();
    let plan = "# Wait for a moment\n\n- [ ] **T1** Wait until the file appears\n  - call: `run_command {\"command\": \"sh -c 'while [ ! -e go ]; do sleep 0.05; done'\"}`\n";
    let project = Project::new().file("plans/p.md", plan);
    let revision = crate::revision(&home, &project, "plans/p.md");
    let mut first = home.spawn(
        &project,
        ["run", "plans/p.md", "--approve", &revision, "--json"],
    );
    first.wait_for("the command to begin", |event| {
        event["phase"] == "tool_calling"
    });
    let second = home.planwright(
        &project,
        ["run", "plans/p.md", "--approve", &revision, "--json"],
    );
    assert!(
        second
            .expect(4)
            .stderr
            .contains("this plan is already running")
    );
    project.write("go", "");
    first.finish().expect(0);
    let runs = home
        .planwright(&project, ["runs", "--json"])
        .expect(0)
        .json();
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0]["state"], "done");
}

#[test]
fn an_interrupt_stops_the_command_and_keeps_the_journal_whole() {
    let home = Home::new();
    let plan = "# Wait for ever\n\n- [ ] **T1** Wait for a file that never comes\n  - call: `run_command {\"command\": \"sleep 1000\"}`\n";
    let project = Project::new().file("plans/p.md", plan);
    let revision = crate::revision(&home, &project, "plans/p.md");
    let mut running = home.spawn(
        &project,
        ["run", "plans/p.md", "--approve", &revision, "--json"],
    );
    running.wait_for("the command to begin", |event| {
        event["phase"] == "tool_calling"
    });
    running.signal("INT");
    let ended = running.finish().expect(4);
    assert_eq!(ended.last_json()["state"], "cancelled");
    let id = run_id(&ended);
    let resumed = home
        .planwright(&project, ["resume", &id, "--json"])
        .expect(3);
    let asked = &resumed.events("waiting")[0];
    assert_eq!(asked["for"], "unknown", "its outcome is unknown");
    let message = asked["message"].as_str().unwrap();
    assert!(message.contains("Interrupted during"), "{message}");
}

#[test]
fn without_a_sandbox_commands_ask_and_the_answer_is_exact() {
    let home = Home::new().with_env("PLANWRIGHT_SANDBOX", "none");
    let plan = "# Make a file\n\n- [ ] **T1** Make the file with a command\n  - call: `run_command {\"command\": \"touch made\"}`\n";
    let project = Project::new().file("plans/p.md", plan);
    let ran = run(&home, &project, "plans/p.md", &[]).expect(3);
    let waiting = &ran.events("waiting")[0];
    assert_eq!(waiting["for"], "permission");
    assert_eq!(waiting["tool"], "run_command");
    assert_eq!(waiting["match"], "exact touch made");
    assert!(!project.at("made").exists());

    let id = run_id(&ran);
    let other = Answers::new().permit("run_command", "exact touch other", "once");
    resume(&home, &project, &id, &other).expect(3);
    let this = Answers::new().permit("run_command", "exact touch made", "once");
    resume(&home, &project, &id, &this).expect(0);
    assert!(project.at("made").exists());
}

#[test]
fn a_step_that_the_quality_gate_blocks_waits_for_a_reason() {
    let home = Home::new();
    let plan = "# Remove the outputs\n\n- [ ] **T1** Remove the outputs with rm -rf build\n  - call: `run_command {\"command\": \"rm -rf build\"}`\n";
    let project = Project::new()
        .file("plans/p.md", plan)
        .file("build/out", "x");
    let ran = run(&home, &project, "plans/p.md", &[]).expect(3);
    assert_eq!(ran.events("waiting")[0]["for"], "gate");
    assert!(project.at("build/out").exists());
    let reason = Answers::new()
        .with("T1", json!({"reason": "outputs only"}))
        .permit("run_command", "exact rm -rf build", "once");
    resume(&home, &project, &run_id(&ran), &reason).expect(0);
    assert!(!project.at("build").exists());
}

#[test]
fn a_tick_changes_one_byte_of_an_odd_file() {
    let home = Home::new();
    let plan = "\u{feff}# Odd\r\n\r\n* [ ]\t**T1** Look at what is there\t \r\n\t- call: `list_files {}`\r\n* [~] half done \r\n  \r\n+ [X] done\r\n\r\ntrailing   \r\n";
    let project = Project::new().file("plans/p.md", plan);
    run(&home, &project, "plans/p.md", &["--upto", "T1"]).expect(0);
    let after = project.read("plans/p.md");
    let changed: Vec<usize> = plan
        .bytes()
        .zip(after.bytes())
        .enumerate()
        .filter(|(_, (a, b))| a != b)
        .map(|(at, _)| at)
        .collect();
    assert_eq!(after.len(), plan.len());
    assert_eq!(changed.len(), 1, "{after:?}");
    assert_eq!(after.as_bytes()[changed[0]], b'x');
}
