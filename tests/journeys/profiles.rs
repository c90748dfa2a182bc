//! Area 10: what is known of a model decides how it is asked: the channel of its calls, how much it is
//! shown, when steps are thought of and how many at once.

use planwright_tests::model_server::{Flavour, Recorded, Scenario, Turn};
use planwright_tests::{Home, ModelServer, Project};
use serde_json::json;

use crate::run;

const PLAN: &str = "\
---
planwright: 1
goal: Greet in German
---
# Greet in German

## Requirements
- R1 the greeting is Moin

## Tasks
- [ ] **T1** Change the greeting in the program
  - files: `hello.py`
  - covers: R1
  - verify: `grep -q Moin hello.py`
";

fn project() -> Project {
    let lines: String = (0..2_000).map(|at| format!("LINE_{at} = {at}\n")).collect();
    Project::new()
        .file("plans/greet.md", PLAN)
        .file("hello.py", format!("GREETING = \"Hello\"\n{lines}"))
        .git()
}

fn home(server: &ModelServer, model: &str, strategy: &str) -> Home {
    let home = Home::new()
        .with_env("PLANWRIGHT_BASE_URL", &server.base_url())
        .with_env("PLANWRIGHT_MODEL", model);
    home.write_settings(&json!({ "planningStrategy": strategy }));
    home
}

/// The requests of a run with a model that says these things.
fn asked(model: &str, window: u64, strategy: &str, says: Vec<Turn>) -> Vec<Recorded> {
    let scenario = Scenario::new(says).flavour(Flavour::Ollama).window(window);
    let server = ModelServer::start(scenario);
    let home = home(&server, model, strategy);
    let project = project();
    let ended = run(&home, &project, "plans/greet.md", &[]);
    assert_eq!(ended.last_json()["state"], "done", "{}", ended.shown());
    server.finished()
}

fn edit() -> serde_json::Value {
    json!({"path": "hello.py", "old_text": "\"Hello\"", "new_text": "\"Moin\""})
}

fn done() -> serde_json::Value {
    json!({"summary": "the greeting is Moin", "done": true})
}

#[test]
fn a_weak_model_is_asked_in_its_own_form_with_less_and_for_one_step_at_a_time() {
    let text = |name: &str, arguments: serde_json::Value| {
        Turn::say(json!({"name": name, "arguments": arguments}).to_string())
    };
    let weak = asked(
        "qwen2.5-coder:7b",
        8_192,
        "auto",
        vec![
            text("edit_file", edit()),
            text("report_progress", done()),
            // It plans as it goes: what comes next is asked for.
            Turn::say("null"),
        ],
    );
    let strong = asked(
        "gpt-5",
        400_000,
        "auto",
        vec![
            Turn::call("edit_file", edit()),
            Turn::call("report_progress", done()),
        ],
    );
    let bytes = |request: &Recorded| request.text().len();
    assert_eq!(strong.len(), 2, "its plan is made upfront");
    assert!(
        strong[0].json.get("tools").is_some(),
        "in the protocol's own form"
    );
    assert!(
        bytes(&weak[0]) < bytes(&strong[0]),
        "{} {}",
        bytes(&weak[0]),
        bytes(&strong[0])
    );
    let last = weak.last().unwrap().text();
    assert!(last.contains("next step"), "{last}");
}
