//! A weak model on a server that enforces schemas is constrained from its first request: it makes
//! one change to one file per request, always to the original file, until the step's check passes.

use planwright_tests::ModelServer;
use planwright_tests::model_server::{Scenario, Turn};
use serde_json::json;

use crate::greeting::{HELLO, PLAN, home_with_profile, project};
use crate::run;

const STEP: &str = "\
# Greet in German

## Tasks
- [ ] **T1** Replace `Hello` by `Moin` in hello.py
  - files: `hello.py`
  - verify: `grep -q Moin hello.py && ! grep -q Hello hello.py`
";

const HELD: [&str; 2] = [
    "needsSimplifiedPrompts=true",
    "supportsStructuredOutput=true",
];

fn insert(text: &str) -> Turn {
    let arguments = json!({"path": "hello.py", "after_line": 1, "new_text": text});
    Turn::say(json!({"name": "insert", "arguments": arguments}).to_string())
}

fn replace(old: &str, new: &str) -> Turn {
    let arguments = json!({"path": "hello.py", "old_text": old, "new_text": new});
    Turn::say(json!({"name": "edit_file", "arguments": arguments}).to_string())
}

#[test]
fn what_does_not_pass_is_taken_back_and_the_next_reply_begins_with_the_file_as_it_was() {
    let server = ModelServer::start(Scenario::new([insert("Moin"), replace("Hello", "Moin")]));
    let home = home_with_profile(&server, &HELD);
    let project = project(STEP);
    let ran = run(&home, &project, PLAN, &[]).expect(0);
    assert_eq!(project.read("hello.py"), HELLO.replace("Hello", "Moin"));
    assert_eq!(ran.events("report")[0]["inferred"], true);
    let requests = server.finished();
    for request in &requests {
        assert!(request.json.get("tools").is_none(), "no tools are offered");
        let format = &request.json["response_format"];
        assert_eq!(format["type"], "json_schema", "{format}");
        let schema = format.to_string();
        assert!(
            schema.contains(r#""path":{"const":"hello.py"}"#),
            "{schema}"
        );
        let messages = request.json["messages"].as_array().unwrap();
        assert_eq!(messages.len(), 2, "earlier attempts are left out");
        let told = messages[1]["content"].as_str().unwrap();
        assert!(told.contains(HELLO), "the original file: {told}");
    }
}

#[test]
fn a_file_that_the_step_makes_is_taken_away_again_when_its_check_does_not_pass() {
    let plan = STEP
        .replace(
            "Replace `Hello` by `Moin` in hello.py",
            "Create `note.txt` with the line `Moin`",
        )
        .replace("`hello.py`", "`note.txt`")
        .replace(
            "grep -q Moin hello.py && ! grep -q Hello hello.py",
            "grep -qx Moin note.txt",
        );
    let write = |text: &str| {
        let arguments = json!({"path": "note.txt", "content": text});
        Turn::say(json!({"name": "write_file", "arguments": arguments}).to_string())
    };
    let turns = std::iter::once(write("no")).chain([Turn::say("D").forever()]);
    let server = ModelServer::start(Scenario::new(turns));
    let home = home_with_profile(&server, &HELD);
    let project = project(&plan);
    let ran = run(&home, &project, PLAN, &[]);
    assert_eq!(ran.status, 3, "{}", ran.shown());
    assert!(!project.at("note.txt").exists(), "{}", ran.shown());
    assert!(!project.read(PLAN).contains("[x]"));
}

#[test]
fn a_server_that_refuses_the_schema_is_asked_with_tools() {
    let refuses = Turn::status(400, "response_format: failed to parse grammar");
    let calls = Turn::call(
        "write_file",
        json!({"path": "hello.py", "content": "GREETING = \"Moin\"\n"}),
    );
    let talks = Turn::say("I will do that.").times(3);
    let server = ModelServer::start(Scenario::new([refuses, talks, calls]));
    let home = home_with_profile(&server, &HELD);
    let project = project(STEP);
    run(&home, &project, PLAN, &[]).expect(0);
    assert!(project.read("hello.py").contains("Moin"));
    server.finished();
}
