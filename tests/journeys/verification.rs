//! Verification: how a step ends depending on its checks, and what is reported about them. Uses
//! real commands.

use planwright_tests::{Answers, Home, Output, Project};
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::{resume, run, run_id};

pub(crate) const GREET: &str = "\
# Greet in another way

## Tasks
- [ ] **T1** Find where the greeting is written
  - call: `search_files {\"pattern\": \"hello\"}`
- [ ] **T2** Change the greeting in greetings.txt
  - call: `edit_file {\"path\": \"greetings.txt\", \"old_text\": \"hello\", \"new_text\": \"good day\"}`
  - verify: `grep -q good greetings.txt`
";

pub(crate) fn greetings(plan: &str) -> Project {
    Project::new()
        .file("plans/p.md", plan)
        .file("greetings.txt", "hello\n")
}

pub(crate) fn receipt(home: &Home, project: &Project, ran: &Output) -> Value {
    home.planwright(project, ["receipt", &run_id(ran), "--json"])
        .expect(0)
        .last_json()
}

pub(crate) fn states(ran: &Output) -> Vec<String> {
    let of = |event: &Value| {
        let text = |key: &str| event[key].as_str().unwrap().to_owned();
        format!("{} {}", text("task"), text("state"))
    };
    ran.events("task").iter().map(of).collect()
}

#[test]
fn each_kind_of_tool_is_verified_in_its_own_way() {
    let (home, project) = (Home::new(), greetings(GREET));
    let ran = run(&home, &project, "plans/p.md", &[]).expect(0);
    assert_eq!(states(&ran), ["T1 done", "T2 done"]);
    let receipt = receipt(&home, &project, &ran);
    let edit = &receipt["steps"][1]["evidence"][0];
    let hash = |side: &str| edit["file"][side].as_str().unwrap().to_owned();
    assert_eq!(edit["file"]["path"], "greetings.txt");
    assert_eq!(hash("before").len(), 64);
    assert_ne!(hash("before"), hash("after"));
    assert_eq!(receipt["steps"][1]["evidence"][1]["kind"], "check");
}

#[test]
fn a_search_that_found_nothing_ends_unverified_and_is_never_called_done() {
    let plan = GREET.replace("\"hello\"}`\n- [ ] **T2", "\"farewell\"}`\n- [ ] **T2");
    let (home, project) = (Home::new(), greetings(&plan));
    let ran = run(&home, &project, "plans/p.md", &[]).expect(6);
    assert_eq!(states(&ran), ["T1 unverified", "T2 done"]);
    let written = project.read("plans/p.md");
    assert!(
        written.contains("- [ ] **T1**") && written.contains("- [x] **T2**"),
        "{written}"
    );
    assert_eq!(ran.events("task")[0]["reason"], "its search found nothing");
    let ended = &ran.events("ended")[0];
    assert!(
        ended["message"]
            .as_str()
            .unwrap()
            .contains("not verified: T1"),
        "{ended}"
    );
    let step = receipt(&home, &project, &ran)["steps"][0].clone();
    assert_eq!(
        (&step["state"], &step["reason"]),
        (&json!("unverified"), &json!("its search found nothing"))
    );
    // The search doesn't count the plan file, although it contains the word.
    assert_eq!(step["evidence"][0]["summary"], "0 hits in 0 files");
    let text = home
        .planwright(&project, ["receipt", &run_id(&ran)])
        .expect(0);
    assert!(text.shown().contains("T1  unverified"), "{}", text.shown());
}

#[test]
fn a_check_that_ran_no_test_is_no_evidence_and_is_named() {
    let plan = GREET
        .replace(
            "\"hello\"}`\n",
            "\"farewell\"}`\n  - verify: `echo Ran 0 tests`\n",
        )
        .replace("grep -q good greetings.txt", "echo 0 passing");
    let (home, project) = (Home::new(), greetings(&plan));
    let ran = run(&home, &project, "plans/p.md", &[]).expect(6);
    // T2 is still done, because its edit can be verified.
    assert_eq!(states(&ran), ["T1 unverified", "T2 done"]);
    let steps = receipt(&home, &project, &ran)["steps"].to_string();
    for said in [
        "`echo Ran 0 tests` ran no test",
        "`echo 0 passing` ran no test",
    ] {
        assert!(steps.contains(said), "{steps}");
    }
}

#[test]
fn verification_switched_off_runs_no_check_and_is_seen_everywhere() {
    let mut desk = Desk::new(greetings(GREET));
    desk.home
        .write_settings(&json!({"maxVerificationAttempts": 0}));
    let run = desk.approve();
    let view = desk.wait_state(&run, "unverified");
    for step in &view.steps {
        assert_eq!(step.state, "unverified", "{}", step.task);
        assert!(
            step.reason
                .as_ref()
                .unwrap()
                .contains("verification is off"),
            "{step:?}"
        );
    }
    assert!(
        view.message.contains("ot verified: T1, T2"),
        "{}",
        view.message
    );
    let marks: Vec<&str> = view.states.iter().map(|mark| mark.state.as_str()).collect();
    assert_eq!(marks, ["unverified", "unverified"], "the outline");
    let receipt = desk.desktop().receipt(&run).unwrap();
    assert!(receipt.steps.iter().all(|step| step.state == "unverified"));
    assert!(
        receipt
            .steps
            .iter()
            .all(|step| step.actions.iter().all(|action| action.kind != "check"))
    );
    assert!(
        receipt
            .markdown
            .contains("T2 Change the greeting in greetings.txt: unverified")
    );
}

#[test]
fn a_workspace_does_not_switch_verification_off() {
    let home = Home::new();
    let plan = GREET.replace("\"hello\"}`\n- [ ] **T2", "\"farewell\"}`\n- [ ] **T2");
    let plan = plan.replace("grep -q good greetings.txt", "false");
    let project = greetings(&plan).file(
        ".planwright/settings.json",
        r#"{"maxVerificationAttempts": 0, "verifySearchResults": false, "verifyFileChanges": false}"#,
    );
    let ran = run(&home, &project, "plans/p.md", &[]).expect(4);
    assert_eq!(states(&ran), ["T1 unverified", "T2 failed"]);
    let told = ran.events("notice");
    let told: Vec<&str> = told
        .iter()
        .filter_map(|one| one["message"].as_str())
        .collect();
    for key in [
        "maxVerificationAttempts",
        "verifySearchResults",
        "verifyFileChanges",
    ] {
        let is_named = |message: &&str| message.contains(key) && message.contains("ignored: ");
        assert!(told.iter().any(is_named), "{key}: {told:?}");
    }
}

#[test]
fn each_of_the_four_settings_does_what_its_name_says() {
    let bare = GREET.replace("  - verify: `grep -q good greetings.txt`\n", "");
    let played = |settings: Value| {
        let (home, project) = (Home::new(), greetings(&bare));
        home.write_settings(&settings);
        let ran = run(&home, &project, "plans/p.md", &[]);
        (states(&ran), receipt(&home, &project, &ran))
    };
    let (all, _) = played(json!({}));
    assert_eq!(all, ["T1 done", "T2 done"]);
    let (files, _) = played(json!({"verifyFileChanges": false}));
    assert_eq!(files, ["T1 done", "T2 unverified"]);
    let (searches, _) = played(json!({"verifySearchResults": false}));
    assert_eq!(searches, ["T1 unverified", "T2 done"]);
    let tests = |on: bool| json!({"verify_commands": ["grep -q good greetings.txt"], "runTestsAfterChanges": on});
    let checks = |receipt: &Value, step: usize| {
        let evidence = receipt["steps"][step]["evidence"]
            .as_array()
            .unwrap()
            .clone();
        evidence
            .iter()
            .filter(|piece| piece["kind"] == "check")
            .count()
    };
    let (_, with) = played(tests(true));
    assert_eq!(
        (checks(&with, 0), checks(&with, 1)),
        (0, 1),
        "only after a change"
    );
    let (_, without) = played(tests(false));
    assert_eq!(checks(&without, 1), 0);
}

/// A check that passes before the run, fails when the step is first checked, and passes from then
/// on.
const SHAKY: &str = "sh -c 'echo ran >> shaky.log; test $(wc -l < shaky.log) -ne 2'";

#[test]
fn a_flaky_check_is_run_twice_and_said_to_be_flaky() {
    let plan = GREET.replace("grep -q good greetings.txt", SHAKY);
    let (home, project) = (Home::new(), greetings(&plan));
    let ran = run(&home, &project, "plans/p.md", &[]).expect(0);
    assert_eq!(states(&ran), ["T1 done", "T2 done"]);
    let notes = ran.events("task")[1]["notes"].clone();
    assert!(notes[0].as_str().unwrap().contains("is flaky"), "{notes}");
    let step = receipt(&home, &project, &ran)["steps"][1].clone();
    let checks: Vec<(bool, bool)> = step["evidence"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|piece| piece["kind"] == "check")
        .map(|piece| (piece["ok"] == true, piece["flaky"] == true))
        .collect();
    assert_eq!(
        checks,
        [(false, false), (true, true)],
        "both runs are recorded"
    );
    assert!(step["notes"][0].as_str().unwrap().contains("is flaky"));

    let once = Home::new();
    once.write_settings(&json!({"maxVerificationAttempts": 1}));
    let project = greetings(&plan);
    run(&once, &project, "plans/p.md", &[]).expect(4);
}

#[test]
fn a_check_that_fails_is_run_as_often_as_allowed_and_then_fails_the_step() {
    let plan = GREET.replace(
        "grep -q good greetings.txt",
        "sh -c 'echo ran >> runs.log; exit 1'",
    );
    let (home, project) = (Home::new(), greetings(&plan));
    home.write_settings(&json!({"maxVerificationAttempts": 3}));
    let ran = run(&home, &project, "plans/p.md", &[]).expect(4);
    assert_eq!(states(&ran), ["T1 done", "T2 failed"]);
    // The check ran once before the run, and three times during it.
    assert_eq!(project.read("runs.log").lines().count(), 1 + 3);
}

#[test]
fn a_models_failing_check_is_run_twice_until_it_is_known_not_to_fail_by_chance() {
    use planwright_tests::conversation::home_with;
    use planwright_tests::model_server::{Scenario, Turn};
    let plan = "\
# Greet in another way

## Tasks
- [ ] **T1** Change the greeting in greetings.txt
  - files: `greetings.txt`
  - verify: `sh -c 'echo ran >> runs.log; grep -q moin greetings.txt'`
";
    let edit = |from: &str, to: &str| {
        let arguments = json!({"path": "greetings.txt", "old_text": from, "new_text": to});
        Turn::call("edit_file", arguments)
    };
    let server = planwright_tests::ModelServer::start(Scenario::new([
        edit("hello", "hullo"),
        edit("hullo", "servus"),
        edit("servus", "moin"),
    ]));
    let home = home_with(&server);
    let project = greetings(plan);
    run(&home, &project, "plans/p.md", &[]).expect(0);
    server.finished();
    // The check ran before the run, twice after the first change, once after the second, and when
    // it passed.
    assert_eq!(project.read("runs.log").lines().count(), 1 + 4);
}

#[test]
fn a_check_that_the_step_edited_is_flagged() {
    let plan = "\
# Make the check pass

## Tasks
- [ ] **T1** Change what the check expects
  - call: `write_file {\"path\": \"tests/check.sh\", \"content\": \"exit 0\\n\"}`
  - verify: `sh tests/check.sh`
";
    let (home, project) = (
        Home::new(),
        greetings(plan).file("tests/check.sh", "exit 1\n"),
    );
    let ran = run(&home, &project, "plans/p.md", &[]).expect(0);
    let notes = &ran.events("task")[0]["notes"];
    assert_eq!(
        notes[0],
        "the check was edited in this step: tests/check.sh"
    );
    let text = home
        .planwright(&project, ["receipt", &run_id(&ran)])
        .expect(0);
    assert!(
        text.shown().contains("the check was edited in this step"),
        "{}",
        text.shown()
    );
}

#[test]
fn an_edit_that_a_later_command_takes_back_is_not_verified() {
    let plan = "\
# Greet in another way

## Tasks
- [ ] **T1** Change the greeting in greetings.txt
  - call: `edit_file {\"path\": \"greetings.txt\", \"old_text\": \"hello\", \"new_text\": \"good day\"}`
  - call: `run_command {\"command\": \"sed -i s/good.day/hello/ greetings.txt\"}`
";
    let (home, project) = (Home::new(), greetings(plan));
    let ran = run(&home, &project, "plans/p.md", &[]).expect(6);
    assert_eq!(states(&ran), ["T1 unverified"]);
    let reason = ran.events("task")[0]["reason"].as_str().unwrap().to_owned();
    assert!(
        reason.contains("was changed, then changed back"),
        "{reason}"
    );
}

#[test]
fn a_check_that_only_the_workspace_names_asks_before_it_runs() {
    let bare = GREET.replace("  - verify: `grep -q good greetings.txt`\n", "");
    let (home, project) = (Home::new(), greetings(&bare));
    project.write(
        ".planwright/settings.json",
        r#"{"verify_commands": ["touch proof"]}"#,
    );
    let ran = run(&home, &project, "plans/p.md", &[]).expect(3);
    let waiting = &ran.events("waiting")[0];
    assert_eq!(
        (&waiting["for"], &waiting["match"]),
        (&json!("permission"), &json!("exact touch proof"))
    );
    assert!(!project.at("proof").exists());
    let yes = Answers::new().permit("run_command", "exact touch proof", "once");
    resume(&home, &project, &run_id(&ran), &yes).expect(0);
    assert!(project.at("proof").exists());
}

#[test]
fn the_reason_of_a_failed_step_has_no_terminal_sequences() {
    let plan = "- [ ] **T1** Run what colors its output\n  - call: `run_command {\"command\": \"sh -c \\\"printf '\\\\033[1;31mE  boom\\\\033[0m\\\\n'; exit 1\\\"\"}`\n";
    let home = Home::new();
    let project = Project::new().file("plans/p.md", plan);
    let ran = run(&home, &project, "plans/p.md", &[]).expect(4);
    let reason = ran.events("task")[0]["reason"].as_str().unwrap().to_owned();
    assert!(reason.ends_with(": E  boom"), "{reason:?}");
    let receipt = receipt(&home, &project, &ran);
    let output = receipt["steps"][0]["evidence"][0]["output"]
        .as_str()
        .unwrap();
    assert_eq!(output, "\u{1b}[1;31mE  boom\u{1b}[0m\n");
}
