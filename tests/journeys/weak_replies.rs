//! Replies of weak models that are right in substance but malformed: the step continues with a
//! narrower or smaller request, and only observed results count as done.

use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Flavour, Recorded, Scenario, Turn};
use planwright_tests::{Home, ModelServer, Output, Project};
use serde_json::{Value, json};

use crate::run;

const LOOKS: &str = "\
---
planwright: 1
goal: Know where the greeting is
strategy: upfront
---
# Know where the greeting is

## Tasks
- [ ] **T1** Find the greeting
  - tools: search_files, read_file
";

fn project(plan: &str) -> Project {
    Project::new()
        .file("plans/p.md", plan)
        .file("hello.py", "import sys\n\nGREETING = \"Hello\"\n")
        .git()
}

/// A home with a model on this server, with these profile values overridden.
fn home(server: &ModelServer, values: &[&str]) -> Home {
    let home = home_with(server);
    for value in values {
        let folder = home.path().to_owned();
        home.planwright(folder, ["models", "--set", value])
            .expect(0);
    }
    home
}

/// Runs the plan with a model that has these profile values and plays these turns; returns its
/// requests, the program's output and the project.
fn play(plan: &str, values: &[&str], turns: Vec<Turn>) -> (Vec<Recorded>, Output, Project) {
    let server = ModelServer::start(Scenario::new(turns));
    let home = home(&server, values);
    let project = project(plan);
    let ran = run(&home, &project, "plans/p.md", &[]);
    (server.finished(), ran, project)
}

fn report() -> Value {
    json!({"summary": "it is in line 3", "done": true})
}

fn offered(request: &Recorded) -> Vec<String> {
    let tools = request.json["tools"].as_array();
    let names = tools.into_iter().flatten();
    names
        .map(|tool| tool["function"]["name"].as_str().unwrap().to_owned())
        .collect()
}

const ANSWER: &str = "The greeting is in line 3 of hello.py.";

fn read() -> Turn {
    Turn::call("read_file", json!({"path": "hello.py"}))
}

#[test]
fn an_answer_in_words_to_a_step_that_only_looks_brings_the_reminder_and_then_only_the_report() {
    let turns = vec![
        read(),
        Turn::say(ANSWER),
        Turn::say(ANSWER),
        Turn::call("report_progress", report()),
    ];
    let (requests, ran, _) = play(LOOKS, &["honoursToolChoice=true"], turns);
    assert_eq!(ran.last_json()["state"], "done", "{}", ran.shown());
    assert!(requests[2].text().contains("Call report_progress"));
    assert_eq!(offered(&requests[3]), ["report_progress"]);
    assert_eq!(ran.events("report")[0]["inferred"], false);
}

#[test]
fn an_answer_that_is_never_reported_is_kept_as_the_models_words_and_marked() {
    let (_, ran, project) = play(LOOKS, &[], vec![read(), Turn::say(ANSWER).forever()]);
    assert_eq!(ran.last_json()["state"], "done", "{}", ran.shown());
    let report = &ran.events("report")[0];
    assert_eq!(report["inferred"], true);
    let summary = report["summary"].as_str().unwrap();
    assert!(summary.contains(ANSWER), "{summary}");
    assert!(project.read("plans/p.md").contains("[x]"));
}

const CHANGES: &str = "\
# Greet in German

## Tasks
- [ ] **T1** Change the greeting
  - files: `hello.py`
  - verify: `grep -q Moin hello.py`
";

#[test]
fn a_report_before_the_change_in_one_reply_does_not_lose_the_change() {
    let both = Turn::call("report_progress", report()).and_call(
        "edit_file",
        json!({"path": "hello.py", "old_text": "\"Hello\"", "new_text": "\"Moin\""}),
    );
    let (requests, ran, project) = play(CHANGES, &[], vec![both]);
    assert_eq!(ran.last_json()["state"], "done", "{}", ran.shown());
    assert!(project.read("hello.py").contains("Moin"));
    assert_eq!(requests.len(), 1, "no unnecessary request");
}

#[test]
fn a_request_that_the_server_calls_too_large_comes_back_smaller_and_the_window_is_remembered() {
    let edit = json!({"path": "hello.py", "old_text": "\"Hello\"", "new_text": "\"Moin\""});
    let turns = vec![Turn::call("edit_file", edit)];
    let scenario = Scenario::new(turns)
        .flavour(Flavour::LlamaCpp)
        .window(1_500);
    let server = ModelServer::start(scenario);
    let home = home(&server, &["contextWindow=16000"]);
    let lines: String = (1..900).map(|n| format!("line_{n} = {n}\n")).collect();
    let project = Project::new()
        .file("plans/p.md", CHANGES)
        .file("hello.py", format!("GREETING = \"Hello\"\n{lines}"))
        .git();
    let ran = run(&home, &project, "plans/p.md", &[]);
    assert_eq!(ran.last_json()["state"], "done", "{}", ran.shown());
    let recovery = &ran.events("recovery")[0];
    assert_eq!(recovery["failure"], "too_large");
    assert_eq!(recovery["strategy"], "retry_simplified");
    let requests = server.finished();
    let bytes = |request: &Recorded| request.json.to_string().len();
    assert!(bytes(&requests[1]) < bytes(&requests[0]));
    assert!(ran.shown().contains("smaller than expected"));
}

#[test]
fn a_model_that_nobody_probed_gets_one_tool_alone_and_then_a_schema() {
    let words = || Turn::say("I will now change the greeting.");
    let by_schema = json!({"name": "edit_file",
        "arguments": {"path": "hello.py", "old_text": "\"Hello\"", "new_text": "\"Moin\""}});
    let turns = vec![words(), words(), words(), Turn::say(by_schema.to_string())];
    let (requests, ran, _) = play(CHANGES, &["honoursToolChoice=false"], turns);
    assert_eq!(ran.last_json()["state"], "done", "{}", ran.shown());
    assert_eq!(
        offered(&requests[2]).len(),
        1,
        "{:?}",
        offered(&requests[2])
    );
    let format = &requests[3].json["response_format"];
    assert_eq!(format["type"], "json_schema", "{format}");
    assert!(
        requests[..3]
            .iter()
            .all(|r| r.json.get("response_format").is_none())
    );
}

#[test]
fn whoever_is_known_to_ignore_a_schema_gets_none() {
    let values = ["honoursToolChoice=false", "supportsStructuredOutput=false"];
    let words = Turn::say("I will now change the greeting.").forever();
    let (requests, _, _) = play(CHANGES, &values, vec![words]);
    assert!(requests.len() > 4);
    assert!(
        requests
            .iter()
            .all(|r| r.json.get("response_format").is_none())
    );
}

#[test]
fn a_model_that_only_thinks_is_asked_to_think_less() {
    let edit = json!({"path": "hello.py", "old_text": "\"Hello\"", "new_text": "\"Moin\""});
    let turns = vec![
        Turn::default().thinking("The greeting has to change, so I should look first."),
        Turn::call("edit_file", edit),
    ];
    let (requests, ran, _) = play(CHANGES, &[], turns);
    assert_eq!(ran.last_json()["state"], "done", "{}", ran.shown());
    let effort = |at: usize| requests[at].json.get("reasoning_effort").cloned();
    assert_eq!(effort(0), None);
    assert_eq!(effort(1), Some(json!("low")));
}
