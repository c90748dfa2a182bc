//! What is heard of a step while a model carries it out: every field of its progress, at once, in few
//! events; a word about silence; and what was found stays when the step is cancelled.

use std::time::{Duration, Instant};

use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Home, ModelServer, Project};
use serde_json::{Value, json};

use crate::{revision, run};

const PLAN: &str = "\
# Greet in German

## Tasks
- [ ] **T1** Find the greeting
  - tools: search_files
- [ ] **T2** Change the greeting
  - files: `hello.py`
  - verify: `grep -q Moin hello.py`
";

fn project() -> Project {
    Project::new()
        .file("plans/p.md", PLAN)
        .file("hello.py", "GREETING = \"Hello\"\n")
        .git()
}

fn search() -> Turn {
    Turn::call("search_files", json!({"pattern": "GREETING"}))
}

fn edit() -> Turn {
    let arguments = json!({"path": "hello.py", "old_text": "\"Hello\"", "new_text": "\"Moin\""});
    Turn::call("edit_file", arguments)
}

fn report() -> Turn {
    Turn::call(
        "report_progress",
        json!({"summary": "done as asked", "done": true}),
    )
}

fn start(home: &Home, project: &Project) -> planwright_tests::Running {
    let revision = revision(home, project, "plans/p.md");
    home.spawn(
        project,
        ["run", "plans/p.md", "--approve", &revision, "--json"],
    )
}

#[test]
fn every_field_of_a_steps_progress_is_there_and_every_phase_is_passed() {
    let server = ModelServer::start(Scenario::new([search(), report(), edit(), report()]));
    let home = home_with(&server);
    let ran = run(&home, &project(), "plans/p.md", &[]).expect(0);
    let events = ran.events("progress");
    for event in &events {
        let step = event["task"].as_str().unwrap();
        let place = if step == "T1" { 1 } else { 2 };
        assert_eq!(
            (&event["step"], &event["steps"]),
            (&json!(place), &json!(2)),
            "{event}"
        );
        assert!(
            event["elapsed_ms"].is_u64() && event["seq"].is_u64(),
            "{event}"
        );
        assert!(
            event["tools_used"].is_array() && event["discoveries"].is_array(),
            "{event}"
        );
        let is_moving = ["processing", "tool_calling"].contains(&event["phase"].as_str().unwrap());
        assert_eq!(event["current_action"].is_string(), is_moving, "{event}");
    }
    let of = |task: &str, key: &str| -> Vec<Value> {
        let mut all: Vec<Value> = events
            .iter()
            .filter(|event| event["task"] == task)
            .map(|event| event[key].clone())
            .collect();
        all.dedup();
        all
    };
    let phases = [
        "starting",
        "processing",
        "tool_calling",
        "processing",
        "completing",
    ];
    assert_eq!(of("T1", "phase"), phases.map(Value::from));
    let last = events.iter().rfind(|event| event["task"] == "T1").unwrap();
    assert_eq!(last["tools_used"], json!(["search_files"]));
    assert!(
        last["discoveries"][0].as_str().unwrap().contains("hit"),
        "{last}"
    );
    let seqs: Vec<u64> = events
        .iter()
        .map(|event| event["seq"].as_u64().unwrap())
        .collect();
    assert!(seqs.is_sorted(), "{seqs:?}");
    server.finished();
}

#[test]
fn a_change_is_told_within_a_hundred_milliseconds() {
    // The words come at once, and then nothing: whatever is heard of them was sent before the end.
    let talk = Turn::say("I will look for the greeting.").stall_after(2);
    let server = ModelServer::start(Scenario::new([talk, search(), report(), edit(), report()]));
    let (home, project) = (home_with(&server), project());
    let mut running = start(&home, &project);
    server.wait_until_stalled(1);
    let stalled = Instant::now();
    running.wait_for("its words", |event| event["event"] == "text");
    let heard = stalled.elapsed();
    assert!(heard < Duration::from_millis(100), "{heard:?}");
    server.release();
    let ended = running.finish();
    assert!(!ended.events("progress").is_empty());
}

#[test]
fn words_that_come_fast_are_told_in_few_events_and_none_is_lost() {
    let words = "one two three ".repeat(400);
    let talk = Turn {
        piece: 4,
        ..Turn::say(words.clone())
    };
    let server = ModelServer::start(Scenario::new([talk, search(), report(), edit(), report()]));
    let home = home_with(&server);
    let ran = run(&home, &project(), "plans/p.md", &[]).expect(0);
    let texts = ran.events("text");
    let told: String = texts
        .iter()
        .map(|event| event["text"].as_str().unwrap())
        .collect();
    assert_eq!(told.trim(), words.trim());
    let elapsed = ran.events("replied")[0]["elapsed_ms"].as_u64().unwrap();
    // 1,400 pieces; one event each 40 ms at most, and the last.
    assert!(
        texts.len() as u64 <= elapsed / 40 + 2,
        "{} in {elapsed} ms",
        texts.len()
    );
}

#[test]
fn silence_is_told_once_and_what_was_found_stays_when_the_step_is_cancelled() {
    let server = ModelServer::start(Scenario::new([search(), Turn::default().stalled()]));
    let home = home_with(&server);
    let project = project();
    let mut running = start(&home, &project);
    let started = running.wait_for_event("started");
    server.wait_until_stalled(1);
    let silence = running.wait_for("a word about the silence", |event| {
        event["event"] == "notice"
            && event["message"]
                .as_str()
                .unwrap()
                .contains("has said nothing for 10")
    });
    assert!(silence["message"].is_string());
    running.signal("INT");
    let ended = running.finish().expect(4);
    assert_eq!(ended.last_json()["state"], "cancelled", "{}", ended.shown());
    server.wait_until_dropped(1);
    let stalls = ended.events("notice");
    let told = stalls
        .iter()
        .filter(|event| event["message"].as_str().unwrap().contains("said nothing"));
    assert!(told.count() <= 2, "{stalls:?}");

    let id = started["run"].as_str().unwrap();
    let receipt = home
        .planwright(&project, ["receipt", id, "--json"])
        .expect(0)
        .last_json();
    let found = receipt["steps"][0]["evidence"].to_string();
    assert!(
        found.contains("search_files") && found.contains("hit"),
        "{receipt}"
    );
    // It goes on with what was found: the search is not made again.
    server.release();
    drop(server);
    let after = ModelServer::start(Scenario::new([report(), edit(), report()]));
    let home = home.with_env("PLANWRIGHT_BASE_URL", &after.base_url());
    home.planwright(&project, ["resume", id, "--json"])
        .expect(0);
    let first = after.finished().remove(0).text();
    assert!(first.contains("hello.py:1: GREETING"), "{first}");
}
