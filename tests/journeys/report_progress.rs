//! Only `report_progress` ends a step. A model that forgets it is first reminded, then offered no
//! other tool, then given a schema. Finally the report is derived from the model's calls, and says
//! so.

use planwright_tests::model_server::{Recorded, Scenario, Turn};
use planwright_tests::{ModelServer, Project};
use serde_json::{Value, json};

use crate::greeting::{home_with_profile, report_learned, write};
use crate::{run, run_id};

const PLAN: &str = "\
# Write a note

## Tasks
- [ ] **T1** Write the note
  - files: `NOTES.md`
  - verify: `test -s NOTES.md`
";

fn project() -> Project {
    Project::new().file("plans/p.md", PLAN).git()
}

fn note() -> Turn {
    write("NOTES.md", "Moin.\n")
}

fn reported() -> Turn {
    report_learned("written", true, &["it is short"])
}

fn words() -> Turn {
    Turn::say("I have written the note, so the step is done.")
}

fn tools(request: &Recorded) -> Vec<String> {
    let tools = request.json["tools"].as_array();
    let names = tools.into_iter().flatten();
    names
        .map(|tool| tool["function"]["name"].as_str().unwrap().to_owned())
        .collect()
}

/// Plays these turns until the run is done; returns the requests and the only report.
fn play(values: &[&str], turns: Vec<Turn>) -> (Vec<Recorded>, Value) {
    let server = ModelServer::start(Scenario::new(turns));
    let home = home_with_profile(&server, values);
    let project = project();
    let ran = run(&home, &project, "plans/p.md", &[]).expect(0);
    assert_eq!(ran.last_json()["state"], "done", "{}", ran.shown());
    assert_eq!(ran.events("report").len(), 1);
    (server.finished(), ran.events("report")[0].clone())
}

const HELD: [&str; 3] = [
    "honoursToolChoice=true",
    "supportsStructuredOutput=true",
    "needsSimplifiedPrompts=false",
];

#[test]
fn words_at_the_end_bring_a_reminder_first() {
    let (requests, report) = play(&HELD, vec![note(), words(), reported()]);
    assert!(
        requests[2]
            .text()
            .contains("That is not the end of the step. Call report_progress")
    );
    assert!(tools(&requests[2]).len() > 3, "all tools are still there");
    assert_eq!(report["inferred"], false);
    assert_eq!(report["learned"], json!(["it is short"]));
}

#[test]
fn then_only_that_tool_and_then_a_schema() {
    let (requests, _) = play(&HELD, vec![note(), words(), words(), reported()]);
    assert_eq!(tools(&requests[3]), ["report_progress"]);
    assert_eq!(
        requests[3].json["tool_choice"]["function"]["name"],
        "report_progress"
    );

    let by_schema =
        json!({"name": "report_progress", "arguments": {"summary": "written", "done": true}});
    let turns = vec![
        note(),
        words(),
        words(),
        words(),
        Turn::say(by_schema.to_string()),
    ];
    let (requests, report) = play(&HELD, turns);
    let format = &requests[4].json["response_format"];
    assert_eq!(format["type"], "json_schema", "{format}");
    assert_eq!(report["inferred"], false);
}

#[test]
fn at_last_the_record_is_made_from_what_was_done_and_says_so() {
    let turns = vec![note(), words(), words(), words(), words()];
    let server = ModelServer::start(Scenario::new(turns));
    let home = home_with_profile(&server, &HELD);
    let project = project();
    let ran = run(&home, &project, "plans/p.md", &[]).expect(0);
    let report = &ran.events("report")[0];
    assert_eq!(report["inferred"], true);
    assert_eq!(
        report["summary"], "write_file NOTES.md",
        "derived from the calls alone"
    );
    // The check, not the report, decides whether the step is done.
    assert_eq!(ran.events("task")[0]["state"], "done");
    let receipt = home
        .planwright(&project, ["receipt", &run_id(&ran), "--json"])
        .expect(0);
    assert!(receipt.stdout.contains("check"), "{}", receipt.shown());
    server.finished();
}

#[test]
fn words_without_any_work_are_never_made_a_record() {
    let turns = vec![words().forever()];
    let server = ModelServer::start(Scenario::new(turns));
    let home = home_with_profile(&server, &HELD);
    let project = project();
    let ran = run(&home, &project, "plans/p.md", &[]);
    assert_ne!(ran.last_json()["state"], "done", "{}", ran.shown());
    assert_eq!(ran.events("report").len(), 0);
    assert!(!project.read("plans/p.md").contains("[x]"));
}

#[test]
fn done_false_twice_is_no_end_and_a_claim_without_its_check_neither() {
    let empty = Turn::call("write_file", json!({"path": "NOTES.md", "content": ""}));
    let turns = vec![empty, reported(), note(), reported()];
    let server = ModelServer::start(Scenario::new(turns));
    let home = home_with_profile(&server, &HELD);
    let project = project();
    let ran = run(&home, &project, "plans/p.md", &[]).expect(0);
    let requests = server.finished();
    assert!(requests[2].text().contains("The check does not pass"));
    assert_eq!(ran.events("report").len(), 2, "both claims are recorded");
}
