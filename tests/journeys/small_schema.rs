//! The small schema `{what, why, tools}`: the next step is parsed from any of the formats that
//! models really return, and the program turns it into a complete task.

use planwright_tests::ModelServer;
use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Scenario, Turn};
use serde_json::json;

use crate::greeting::{self, edit, report};
use crate::run;

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
  - call: `search_files {\"pattern\": \"Hello\"}`
";

/// The step as written to the plan, whatever format the model used.
const ADDED: &str = "- [x] **T2** Change the greeting in hello.py to Moin\n";

/// Adds and carries out the step that the model answers with; returns the final plan and the number
/// of requests.
fn grown(answers: &[&str]) -> (String, usize) {
    let asked = answers.iter().map(|answer| Turn::say(*answer));
    let turns = asked.chain([edit(), report("it is Moin"), Turn::say("null")]);
    let server = ModelServer::start(Scenario::new(turns));
    let home = home_with(&server);
    home.write_settings(&json!({"verify_commands": ["grep -q Moin hello.py"]}));
    let project = greeting::project(PLAN);
    let ended = run(&home, &project, "plans/p.md", &[]);
    assert_eq!(
        ended.last_json()["state"],
        "done",
        "{answers:?}: {}",
        ended.shown()
    );
    let requests = server.finished().len();
    (project.read("plans/p.md"), requests)
}

#[test]
fn the_shapes_that_models_really_return_are_read() {
    let what = "Change the greeting in hello.py to Moin";
    let step = json!({"what": what, "why": "R1 asks for it", "tools": ["edit_file"]});
    let shapes = [
        ("as asked", step.to_string()),
        ("in a list", json!([step]).to_string()),
        ("under a key", json!({"step": step}).to_string()),
        ("as a list of tasks", json!({"tasks": [step]}).to_string()),
        (
            "fenced, with words around it",
            format!("Sure! The next step is:\n```json\n{step:#}\n```\nLet me know!"),
        ),
        (
            "tools as one text",
            json!({"what": what, "tools": "edit_file"}).to_string(),
        ),
        (
            "other names",
            json!({"description": what, "reason": "R1", "tools": ["edit_file"]}).to_string(),
        ),
        (
            "thought about first",
            format!("<think>The greeting is {{\"what\": 1}}.</think>{step}"),
        ),
        (
            "with a comma too many",
            step.to_string().replace("]}", "],}"),
        ),
        (
            "in single quotes",
            format!("{{'what': '{what}', 'why': 'R1', 'tools': ['edit_file']}}"),
        ),
        ("as a numbered line", format!("1. {what}")),
    ];
    for (name, shape) in shapes {
        let (plan, requests) = grown(&[&shape]);
        assert!(plan.contains(ADDED), "{name}: {plan}");
        assert_eq!(requests, 4, "{name}: parsed on the first attempt");
    }
}

#[test]
fn code_fills_in_what_the_small_schema_leaves_out() {
    let (plan, _) = grown(&[
        "{\"what\": \"Change the greeting in hello.py to Moin\", \"why\": \"R1 asks for it\", \"tools\": [\"edit_file\"]}",
    ]);
    // The program adds an id, the file that the text names, the requirement, and the origin.
    let added = format!(
        "{ADDED}  R1 asks for it\n  - files: `hello.py`\n  - tools: edit_file\n  - covers: R1\n  - origin: run\n"
    );
    assert!(plan.contains(&added), "{plan}");
    assert!(
        plan.starts_with(&PLAN[..PLAN.find("## Tasks").unwrap()]),
        "{plan}"
    );
}

#[test]
fn what_is_no_step_is_sent_back_once_with_the_shape_to_write() {
    let good = "{\"what\": \"Change the greeting in hello.py to Moin\"}";
    for fault in ["", "{\"what\": \"\"}", "Hmm."] {
        let (plan, requests) = grown(&[fault, good]);
        assert!(plan.contains(ADDED), "{fault:?}: {plan}");
        assert_eq!(requests, 5, "{fault:?}");
    }
}
