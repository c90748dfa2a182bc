//! The context given to a step's model: only what the step needs, within a budget, and each item
//! with a reason. Learned facts are stored once, with their source, and become stale when the
//! source file changes.

use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Recorded, Scenario, Turn};
use planwright_tests::{ModelServer, Project};
use serde_json::json;

use crate::documents::Bench;
use crate::{run, run_id};

const PLAN: &str = "\
---
planwright: 1
goal: Move the port into the settings
---
# Move the port

## Requirements
- R1 the port is a setting

## Tasks
- [ ] **T1** Find where the port is set
  - files: `server.py`
  - covers: R1
- [ ] **T2** Note where the port is set
  - depends: T1
  - files: `NOTES.md`, `server.py`
  - note: keep it to one line
- [ ] **T3** Tell what the port is now
  - depends: T2
  - files: `ANSWER.md`
";

/// A file of 3,000 lines, one of which matters to the steps.
fn server_file(port: u16) -> String {
    let mut text: String = (0..3_000)
        .map(|n| format!("handler_{n} = register({n})\n"))
        .collect();
    let at = text.find("handler_2100").unwrap();
    text.insert_str(
        at,
        &format!("LISTEN_PORT = {port}  # the port of the service\n\n"),
    );
    text
}

fn report(learned: &[&str]) -> Turn {
    let arguments = json!({"summary": "done as asked", "done": true, "learned": learned});
    Turn::call("report_progress", arguments)
}

fn write(path: &str, content: &str) -> Turn {
    Turn::call("write_file", json!({"path": path, "content": content}))
}

/// The text of all messages in a request.
fn said(request: &Recorded) -> String {
    let messages = request.json["messages"].as_array().unwrap();
    messages
        .iter()
        .filter_map(|message| message["content"].as_str())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_step_gets_the_lines_and_facts_that_it_needs_and_the_window_says_why() {
    let server = ModelServer::start(Scenario::new([
        Turn::call(
            "search_files",
            json!({"pattern": "PORT", "path": "server.py"}),
        ),
        Turn::call(
            "read_file",
            json!({"path": "server.py", "start_line": 2095, "end_line": 2105}),
        ),
        report(&[
            "the port is set by LISTEN_PORT",
            "The port is set by LISTEN_PORT ",
        ]),
        write("NOTES.md", "LISTEN_PORT in server.py\n"),
        report(&[]),
        write("ANSWER.md", "8080\n"),
        report(&[]),
    ]));
    let home = home_with(&server);
    let project = Project::new()
        .file("plans/port.md", PLAN)
        .file("server.py", server_file(8080))
        .file("NOTES.md", "")
        .git();
    let ended = run(&home, &project, "plans/port.md", &[]).expect(0);
    let requests = server.finished();

    // The first step names a large file, of which only the lines about the port are included.
    let first = said(&requests[0]);
    assert!(first.contains("LISTEN_PORT = 8080"), "{first}");
    assert!(first.contains(" of 3002\">"), "{first}");
    assert!(!first.contains("handler_1500 "), "{first}");
    // The second step gets its own note and, exactly once, the fact that the first step learned.
    let second = said(&requests[3]);
    assert_eq!(
        second.matches("he port is set by LISTEN_PORT").count(),
        1,
        "{second}"
    );
    assert!(second.contains("Note: keep it to one line"), "{second}");

    let bench = Bench::on(home);
    bench
        .desktop
        .open_workspace(&project.path().display().to_string())
        .unwrap();
    let step = bench.desktop.run_step(&run_id(&ended), "T2").unwrap();
    let context = step.context.expect("a model carried it out");
    assert!(context.used <= context.budget && context.used > 0);
    let reasons: Vec<(&str, &str, &str)> = context
        .items
        .iter()
        .map(|item| (&*item.kind, &*item.title, &*item.reason))
        .collect();
    assert_eq!(reasons[0], ("summary", "T1", "The step depends on T1."));
    assert_eq!(
        reasons[1],
        ("note", "", "A person pinned this note to the step.")
    );
    assert!(
        reasons.iter().any(|(kind, title, why)| *kind == "file"
            && title.starts_with("server.py, lines ")
            && why.contains("“port”")),
        "{reasons:?}"
    );
    assert_eq!(
        reasons.last().unwrap(),
        &("fact", "", "Learned by T1, which the step depends on.")
    );
    // A file that doesn't exist yet is reported as missing; no content is made up.
    let step = bench.desktop.run_step(&run_id(&ended), "T3").unwrap();
    let context = step.context.unwrap();
    assert!(
        context
            .items
            .iter()
            .any(|item| item.kind == "missing" && item.title == "ANSWER.md"),
        "{context:?}"
    );
}

#[test]
fn a_fact_whose_file_changed_is_not_told_as_true() {
    let server = ModelServer::start(Scenario::new([
        Turn::call(
            "read_file",
            json!({"path": "server.py", "start_line": 2095, "end_line": 2105}),
        ),
        report(&["the service listens on port 8080"]),
        // The second step's fact comes from a file that doesn't change.
        write("NOTES.md", "LISTEN_PORT in server.py\n"),
        report(&[]),
        write("ANSWER.md", "9000\n"),
        report(&[]),
    ]));
    let home = home_with(&server);
    let project = Project::new()
        .file("plans/port.md", PLAN)
        .file("server.py", server_file(8080))
        .file("NOTES.md", "")
        .git();
    let upto = run(&home, &project, "plans/port.md", &["--upto", "T2"]).expect(0);
    assert_eq!(upto.last_json()["state"], "done", "{}", upto.shown());
    // Another program changes the file between the steps.
    std::fs::write(project.at("server.py"), server_file(9000)).unwrap();
    run(&home, &project, "plans/port.md", &[]).expect(0);
    let requests = server.finished();
    let told = |request: usize| {
        requests[request]
            .text()
            .contains("the service listens on port 8080")
    };
    assert!(told(2), "the fact is sent while its file is unchanged");
    let third = said(&requests[4]);
    let known: Vec<&str> = third
        .lines()
        .filter(|line| line.contains("port 8080"))
        .collect();
    assert!(
        known
            .iter()
            .all(|line| line.contains("the file has changed since")),
        "{known:?}"
    );
    assert!(requests[4].body.len() < 40_000, "the request stays small");
}
