//! Iterative planning: a plan grows during its run. The model describes each step in a small
//! format, and complete steps are written to the plan file. Its claim that the goal is reached is
//! checked, and limits and repetitions end the run.

use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Answers, Home, ModelServer, Project};
use serde_json::json;

use crate::greeting::{self, edit, look, report, write};
use crate::{resume, run, run_id};

const PLAN: &str = "\
---
planwright: 1
goal: Greet in German
strategy: iterative
---
# Greet in German

## Requirements
- R1 the greeting is Moin

## Tasks
- [ ] **T1** Find where the greeting is set
  - files: `hello.py`
";

fn project() -> Project {
    greeting::files(PLAN)
        .file(
            "check.py",
            "import hello\nassert hello.GREETING == \"Moin\", hello.GREETING\n",
        )
        .git()
}

/// A home whose settings have a check for the goal.
fn home(server: &ModelServer, more: serde_json::Value) -> Home {
    let home = home_with(server);
    let mut settings = json!({"verify_commands": ["python3 check.py"]});
    for (key, value) in more.as_object().unwrap() {
        settings[key] = value.clone();
    }
    home.write_settings(&settings);
    home
}

fn looked() -> [Turn; 2] {
    [look(), report("the greeting is GREETING in hello.py")]
}

#[test]
fn steps_are_asked_for_one_after_the_other_and_the_end_is_checked() {
    let server = ModelServer::start(Scenario::new(looked().into_iter().chain([
        // The model claims too early that the goal is reached: the check fails, and the next
        // request says so.
        Turn::say("null").expecting("next step"),
        Turn::say("Sure! The next step is:\n```json\n{\"what\": \"Change the greeting in hello.py to Moin\", \"why\": \"R1 asks for it\", \"tools\": \"edit_file\"}\n```")
            .expecting("`python3 check.py` fails"),
        edit().expecting("Change the greeting in hello.py to Moin"),
        report("the greeting is Moin"),
        Turn::say("{\"done\": true}").expecting("the greeting is Moin"),
    ])));
    let home = home(&server, json!({}));
    let project = project();
    let ended = run(&home, &project, "plans/p.md", &[]).expect(0);
    assert_eq!(ended.last_json()["state"], "done", "{}", ended.shown());
    let progress = ended.events("progress");
    assert!(
        progress
            .iter()
            .all(|event| event["is_open_ended"] == json!(true)),
        "the number of steps is unknown"
    );
    let plan = project.read("plans/p.md");
    let added = "- [x] **T2** Change the greeting in hello.py to Moin\n  R1 asks for it\n  - files: `hello.py`\n  \
                 - tools: edit_file\n  - covers: R1\n  - origin: run\n";
    assert!(plan.contains(added), "{plan}");
    assert!(
        plan.starts_with(&PLAN[..PLAN.find("- [ ]").unwrap()]),
        "{plan}"
    );
    server.finished();
}

#[test]
fn a_step_that_is_there_already_is_sent_back_and_a_model_that_knows_no_other_gets_one_by_rule() {
    let again = || {
        Turn::say("{\"what\": \"find where the greeting is set\", \"tools\": [\"search_files\"]}")
    };
    let server = ModelServer::start(Scenario::new(looked().into_iter().chain([
        again(),
        again().expecting("T1 “Find where the greeting is set” is already done"),
        again(),
        // The rules add a step for the uncovered requirement.
        edit().expecting("the greeting is Moin"),
        report("changed"),
        Turn::say("null"),
    ])));
    let home = home(&server, json!({}));
    let project = project();
    // The step added by the rules names no file, so its edit needs a permission, which is given in
    // advance.
    let answers = Answers::new().permit("edit_file", "exact hello.py", "run");
    let answers = answers.write_to(home.path());
    let ended = run(
        &home,
        &project,
        "plans/p.md",
        &["--answers", answers.to_str().unwrap()],
    )
    .expect(0);
    assert_eq!(ended.last_json()["state"], "done", "{}", ended.shown());
    let plan = project.read("plans/p.md");
    assert!(
        plan.contains("- [x] **T2** the greeting is Moin\n  No step covers R1 yet.\n  - covers: R1\n  - origin: run\n"),
        "{plan}"
    );
    server.finished();
}

#[test]
fn a_limit_ends_the_run_and_is_named() {
    let server = ModelServer::start(Scenario::new(looked()));
    let home = home(&server, json!({"maxModelCalls": 2}));
    let project = project();
    let ended = run(&home, &project, "plans/p.md", &[]);
    let last = ended.last_json();
    assert_eq!(last["state"], "stopped", "{}", ended.shown());
    let message = last["message"].as_str().unwrap();
    assert!(message.contains("2 model requests"), "{message}");
    server.finished();
}

#[test]
fn the_settings_let_a_plan_grow_that_does_not_say_so_and_no_workspace_does() {
    let plan = PLAN.replace("strategy: iterative\n", "");
    let step = Turn::say("{\"what\": \"Change the greeting in hello.py to Moin\"}");
    let server = ModelServer::start(Scenario::new(looked().into_iter().chain([
        step,
        edit(),
        report("done"),
        Turn::say("null"),
    ])));
    let home = home(&server, json!({"planningStrategy": "iterative"}));
    let project = project();
    std::fs::write(project.at("plans/p.md"), &plan).unwrap();
    let ended = run(&home, &project, "plans/p.md", &[]).expect(0);
    assert_eq!(ended.last_json()["state"], "done", "{}", ended.shown());
    server.finished();

    let server = ModelServer::start(Scenario::new(looked()));
    let home = self::home(&server, json!({}));
    let project = self::project().file(
        ".planwright/settings.json",
        r#"{"planningStrategy": "iterative"}"#,
    );
    std::fs::write(project.at("plans/p.md"), &plan).unwrap();
    run(&home, &project, "plans/p.md", &[]).expect(0);
    server.finished();
}

#[test]
fn strategy_and_limits_are_chosen_for_one_run_and_hold_when_it_is_taken_up() {
    let plan = PLAN.replace("strategy: iterative\n", "");
    let step = |what: &str| Turn::say(json!({ "what": what }).to_string());
    let server = ModelServer::start(Scenario::new(looked().into_iter().chain([
        step("Change the greeting in hello.py to Moin"),
        write("other.py", "x\n"),
        write("other.py", "x\n"),
        write("other.py", "x\n"),
        edit(),
        report("done"),
    ])));
    let home = home(&server, json!({}));
    let project = project();
    std::fs::write(project.at("plans/p.md"), &plan).unwrap();
    let chosen = [
        "--strategy",
        "iterative",
        "--look-ahead",
        "2",
        "--max-steps",
        "1",
    ];
    let waits = run(&home, &project, "plans/p.md", &chosen).expect(3);
    // The options are stored with the run, so `resume` doesn't pass them again.
    let no = Answers::new().permit("write_file", "exact other.py", "no");
    let ended = resume(&home, &project, &run_id(&waits), &no);
    let last = ended.last_json();
    assert_eq!(last["state"], "stopped", "{}", ended.shown());
    let message = last["message"].as_str().unwrap();
    assert!(message.contains("1 "), "{message}");
    assert!(project.read("plans/p.md").contains("origin: run"));
    let asked = &server.finished()[2];
    assert!(
        asked.text().contains('2'),
        "up to two steps at once: {}",
        asked.text()
    );
}

#[test]
fn a_goal_that_no_check_can_speak_for_is_reached_when_a_person_says_so() {
    let plan = PLAN.replace("## Requirements\n- R1 the greeting is Moin\n\n", "");
    let server = ModelServer::start(Scenario::new(
        looked().into_iter().chain([
            Turn::say("null"),
            // The person checked and found that something is missing.
            Turn::say(json!({"what": "Change the greeting in hello.py to Moin"}).to_string())
                .expecting("A person says that the goal is not reached: it still says Hello"),
            edit(),
            report("it is Moin"),
            Turn::say("null"),
        ]),
    ));
    let home = home_with(&server);
    let project = greeting::project(&plan);
    let waits = run(&home, &project, "plans/p.md", &[]).expect(3);
    let asked = waits.events("waiting")[0].clone();
    assert_eq!(
        (&asked["for"], &asked["id"]),
        (&json!("person"), &json!("T2"))
    );
    let text = project.read("plans/p.md");
    assert!(
        text.contains(
            "- [ ] **T2** Review the changes: is the goal reached?\n  The goal: Greet in German."
        ),
        "{text}"
    );
    let id = run_id(&waits);
    let missing = Answers::new().with("T2", json!({"skip": "it still says Hello"}));
    let waits = resume(&home, &project, &id, &missing).expect(3);
    assert_eq!(waits.events("waiting")[0]["id"], "T4", "{}", waits.shown());
    assert!(project.read("hello.py").contains("Moin"));
    let reached = Answers::new().choose("T4", "Done");
    let ended = resume(&home, &project, &id, &reached).expect(0);
    assert_eq!(ended.last_json()["state"], "done", "{}", ended.shown());
    server.finished();
}

#[test]
fn a_workspaces_checks_are_run_once_a_person_has_seen_them() {
    let server = ModelServer::start(Scenario::new(looked().into_iter().chain([
        Turn::say(json!({"what": "Change the greeting in hello.py to Moin"}).to_string()),
        edit(),
        report("it is Moin"),
        Turn::say("null"),
    ])));
    let home = home_with(&server);
    let settings = json!({"verify_commands": ["sh seen.sh"]});
    let project = greeting::files(PLAN)
        .file(".planwright/settings.json", settings.to_string())
        .file("seen.sh", "touch was-run\n")
        .git();
    // By default, the run would also ask about steps without a check of their own.
    home.write_settings(&json!({"runTestsAfterChanges": false}));
    let waits = run(&home, &project, "plans/p.md", &[]).expect(3);
    assert_eq!(
        waits.events("waiting")[0]["for"],
        "person",
        "{}",
        waits.shown()
    );
    assert!(
        project
            .read("plans/p.md")
            .contains("  - verify: `sh seen.sh`\n")
    );
    assert!(!project.at("was-run").exists());
    let reached = Answers::new().choose("T3", "Done");
    let ended = resume(&home, &project, &run_id(&waits), &reached);
    assert_eq!(ended.last_json()["state"], "done", "{}", ended.shown());
    assert!(project.at("was-run").exists());
    server.finished();
}

#[test]
fn an_outline_is_taken_apart_when_the_turn_of_a_step_comes() {
    let plan = "---\nplanwright: 1\ngoal: Greet in German\nstrategy: hybrid\n---\n# Greet in German\n\n## Tasks\n\
                - [ ] **T1** Make the program greet in German\n";
    let parts = json!([
        {"what": "Find the greeting in hello.py", "tools": ["read_file"]},
        {"what": "Change the greeting in hello.py to Moin", "tools": ["edit_file"]},
    ]);
    let server = ModelServer::start(Scenario::new([
        Turn::say(parts.to_string()).expecting("Make the program greet in German"),
        look(),
        report("it is GREETING"),
        edit(),
        report("it is Moin"),
    ]));
    let home = home_with(&server);
    let project = greeting::project(plan);
    let ended = run(&home, &project, "plans/p.md", &[]).expect(0);
    assert_eq!(ended.last_json()["state"], "done", "{}", ended.shown());
    let text = project.read("plans/p.md");
    assert_eq!(text.matches("  - [x]").count(), 2, "{text}");
    assert_eq!(server.finished().len(), 5);
}
