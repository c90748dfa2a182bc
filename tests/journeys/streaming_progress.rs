//! Streaming progress: what the terminal and the window show while a model carries out a step. All
//! fields are reported immediately and in few events, as are long pauses. Results are kept when the
//! step is cancelled or fails.

use desktop::wire::{DesktopEvent, Steering};
use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Scenario, Step, Turn};
use planwright_tests::{Home, ModelServer, Project, wait_until};
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::greeting::{self, edit, look, project, report, report_learned, search};
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

fn start(home: &Home, project: &Project) -> planwright_tests::Running {
    let revision = revision(home, project, greeting::PLAN);
    home.spawn(
        project,
        ["run", greeting::PLAN, "--approve", &revision, "--json"],
    )
}

#[test]
fn every_field_of_a_steps_progress_is_there_and_every_phase_is_passed() {
    let server = ModelServer::start(Scenario::new([search(), report("done as asked"), edit()]));
    let home = home_with(&server);
    let ran = run(&home, &project(PLAN), greeting::PLAN, &[]).expect(0);
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
        let is_moving = match event["phase"].as_str().unwrap() {
            "processing" | "tool_calling" => true,
            // The step's check runs once before the first change.
            "starting" => event["current_action"] == "grep -q Moin hello.py",
            _ => false,
        };
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
fn words_are_told_while_the_model_is_still_at_work() {
    // The text arrives and then the stream stalls, so everything reported was sent before the reply
    // ended.
    let talk = Turn::say("I will look for the greeting.").stall_after(2);
    let turns = [talk, search(), report("found"), edit()];
    let server = ModelServer::start(Scenario::new(turns));
    let (home, project) = (home_with(&server), project(PLAN));
    let mut running = start(&home, &project);
    server.wait_until_stalled(1);
    running.wait_for("its words", |event| event["event"] == "text");
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
    let server = ModelServer::start(Scenario::new([
        talk,
        search(),
        report("done as asked"),
        edit(),
    ]));
    let home = home_with(&server);
    let ran = run(&home, &project(PLAN), greeting::PLAN, &[]).expect(0);
    let texts = ran.events("text");
    let told: String = texts
        .iter()
        .map(|event| event["text"].as_str().unwrap())
        .collect();
    assert_eq!(told.trim(), words.trim());
    let elapsed = ran.events("replied")[0]["elapsed_ms"].as_u64().unwrap();
    // There are 1,400 pieces, but at most one event every 40 ms, plus the last one.
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
    let project = project(PLAN);
    let mut running = start(&home, &project);
    let started = running.wait_for_event("started");
    server.wait_until_stalled(1);
    let silence = running.wait_for("a word about the silence", |event| {
        event["event"] == "notice"
            && event["message"]
                .as_str()
                .unwrap()
                .contains("no output from the model for 10 s")
    });
    assert!(silence["message"].is_string());
    running.signal("INT");
    let ended = running.finish().expect(4);
    assert_eq!(ended.last_json()["state"], "cancelled", "{}", ended.shown());
    server.wait_until_dropped(1);
    let stalls = ended.events("notice");
    let told = stalls.iter().filter(|event| {
        event["message"]
            .as_str()
            .unwrap()
            .contains("no output from the model for")
    });
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
    // The step continues with the search's results; the search isn't repeated.
    server.release();
    drop(server);
    let after = ModelServer::start(Scenario::new([report("done as asked"), edit()]));
    let home = home.with_env("PLANWRIGHT_BASE_URL", &after.base_url());
    home.planwright(&project, ["resume", id, "--json"])
        .expect(0);
    let first = after.finished().remove(0).text();
    assert!(first.contains("hello.py:1: GREETING"), "{first}");
}

const ONE: &str = "\
# Greet in German

## Tasks
- [ ] **T1** Change the greeting in the program
  - files: `hello.py`
  - verify: `grep -q Moin hello.py`
";

fn desk(server: &ModelServer) -> Desk {
    let home = Home::new();
    let endpoint = json!({"base_url": server.base_url(), "model": "gpt-5-scripted"});
    home.write_settings(&json!({ "endpoint": endpoint }));
    Desk::with(home, project(ONE))
}

#[test]
fn words_are_shown_as_they_come_and_the_person_steps_in() {
    let many = "word ".repeat(400);
    let server = ModelServer::start(Scenario::new([
        Turn::say(&many)
            .thinking("Which file is it in?")
            .stall_after(90),
        edit().expecting("Now do it this way: it is in hello.py"),
        report_learned("it is one word", true, &["the greeting stands in hello.py"]),
    ]));
    let mut desk = desk(&server);
    let run = desk.approve();
    server.wait_until_stalled(1);
    let now = || {
        let step = desk.desktop().run_step(&run, "T1").ok()?;
        step.model?.now
    };
    wait_until("the words to be there", || {
        now().is_some_and(|now| now.text.contains("word word") && now.number == 1)
    });
    assert!(now().unwrap().thinking.contains("Which file"));
    let step = desk.desktop().run_step(&run, "T1").unwrap();
    let ways = step.model.unwrap().ways;
    assert_eq!(ways.len(), 7, "{ways:?}");

    let steering = Steering::Recover {
        task: "T1".to_owned(),
        strategy: "try_alternative".to_owned(),
        words: Some("it is in hello.py".to_owned()),
    };
    desk.desktop().steer(&run, steering).unwrap();
    server.wait_until_dropped(1);
    server.release();
    desk.wait_state(&run, "done");

    // Ninety pieces arrive at once and are reported in a few events.
    let told = desk.heard.get("output").map_or(0, Vec::len);
    assert!((1..=30).contains(&told), "{told}");
    let step = desk.desktop().run_step(&run, "T1").unwrap();
    assert_eq!(step.state, "done");
    assert_eq!(step.discoveries, ["the greeting stands in hello.py"]);
    let model = step.model.unwrap();
    assert_eq!(model.now, None);
    assert_eq!(model.recoveries[0].by, "person");
    let report = model.report.unwrap();
    assert!(report.done && !report.is_inferred);
    let kinds: Vec<&str> = step.actions.iter().map(|one| one.kind.as_str()).collect();
    assert!(kinds.contains(&"recovered"), "{kinds:?}");
    let receipt = desk.desktop().receipt(&run).unwrap();
    assert!(
        receipt
            .markdown
            .contains("- recovery: try_alternative (by person)")
    );
    assert!(
        receipt
            .markdown
            .contains("- reported by the model: it is one word")
    );
    server.finished();
}

#[test]
fn what_was_found_stays_when_the_step_fails() {
    let server = ModelServer::start(Scenario::new([
        look(),
        report_learned("it is one word", false, &["the greeting is a constant"]),
        report_learned("it is one word", false, &["the greeting is a constant"]),
        Turn::say("D"),
    ]));
    let mut desk = desk(&server);
    let run = desk.approve();
    desk.wait_question(&run, "failure");
    let step = desk.desktop().run_step(&run, "T1").unwrap();
    assert_eq!(step.state, "failed");
    assert!(
        step.discoveries
            .contains(&"the greeting is a constant".to_owned()),
        "{:?}",
        step.discoveries
    );
    // The step waits for the person, who can choose from six options.
    assert_eq!(step.model.unwrap().ways.len(), 6);
    let needed = |event: &DesktopEvent| matches!(event, DesktopEvent::Needed { .. });
    assert!(desk.heard.values().flatten().any(needed));
    server.finished();
}

#[test]
fn what_a_server_counted_of_a_reply_that_was_cancelled_is_on_the_receipt() {
    let counted = json!({"choices": [], "usage": {"prompt_tokens": 321, "completion_tokens": 7, "total_tokens": 328}});
    let word = json!({"choices": [{"delta": {"content": "I will look"}}]});
    let steps = [Step::Data(word), Step::Data(counted), Step::Stall];
    let server = ModelServer::start(Scenario::new([Turn::steps(steps)]));
    let home = home_with(&server);
    let project = project(PLAN);
    let mut running = start(&home, &project);
    let started = running.wait_for_event("started");
    running.wait_for_event("text");
    server.wait_until_stalled(1);
    running.signal("INT");
    running.finish().expect(4);
    let id = started["run"].as_str().unwrap();
    let receipt = home
        .planwright(&project, ["receipt", id, "--json"])
        .expect(0);
    let step = &receipt.last_json()["steps"][0];
    assert_eq!(
        (&step["tokens_in"], &step["tokens_out"]),
        (&json!(321), &json!(7)),
        "{step}"
    );
}
