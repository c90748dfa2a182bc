//! Area 9: what a model says is there while it says it, in few events; what it found stays when the step
//! fails; what the window shows of it afterwards is what the receipt holds.

use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Home, ModelServer, Project, wait_until};
use serde_json::json;
use workbench::wire::window::{DesktopEvent, Steering};

use crate::window_runs::Desk;

const PLAN: &str = "\
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
    let project = Project::new()
        .file("plans/p.md", PLAN)
        .file("hello.py", "GREETING = \"Hello\"\n")
        .git();
    Desk::with(home, project)
}

fn report(done: bool, learned: &[&str]) -> Turn {
    let arguments = json!({"summary": "it is one word", "done": done, "learned": learned});
    Turn::call("report_progress", arguments)
}

#[test]
fn words_are_shown_as_they_come_and_the_person_steps_in() {
    let many = "word ".repeat(400);
    let edit = json!({"path": "hello.py", "old_text": "Hello", "new_text": "Moin"});
    let server = ModelServer::start(Scenario::new([
        Turn::say(&many)
            .thinking("Which file is it in?")
            .stall_after(90),
        Turn::call("edit_file", edit).expecting("Now do it this way: it is in hello.py"),
        report(true, &["the greeting stands in hello.py"]),
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

    // Ninety pieces came at once: they are told in few events.
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
        Turn::call("read_file", json!({"path": "hello.py"})),
        report(false, &["the greeting is a constant"]),
        report(false, &["the greeting is a constant"]),
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
    // It waits for the person as it is: six ways are left.
    assert_eq!(step.model.unwrap().ways.len(), 6);
    let needed = |event: &DesktopEvent| matches!(event, DesktopEvent::Needed { .. });
    assert!(desk.heard.values().flatten().any(needed));
    server.finished();
}
