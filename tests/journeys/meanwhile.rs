//! Changes during a model's run: to the plan, a file, the disk space or the server. Each is
//! reported and nothing is lost; the run continues by itself or, where it has to stop, once the
//! person has approved or resumed it.

use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Home, ModelServer, Project};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::{Value, json};

use crate::greeting::{look, project, replace, report, write};
use crate::{run, run_id};

const PLAN: &str = "\
# Greet in German

## Tasks
- [ ] **T1** Change the greeting
  - files: `hello.py`
- [ ] **T2** Write down what was changed
  - files: `NOTES.md`
- [ ] **T3** Write down whom it greets
  - files: `WHOM.md`
";

fn reported() -> Turn {
    report("done as asked")
}

/// A server that plays these turns and calls `happens` before turn number `at`.
fn server(turns: Vec<Turn>, at: usize, happens: impl Fn() + Send + Sync + 'static) -> ModelServer {
    ModelServer::written_by(Scenario::new([]), move |_: &Value, number| {
        if number == at {
            happens();
        }
        let last = Turn::say("The script has no more.");
        turns.get(number).cloned().unwrap_or(last)
    })
}

/// Saves as another editor would: changes the current content.
fn save(path: &PathBuf, change: impl Fn(String) -> String) {
    let text = std::fs::read_to_string(path).unwrap();
    std::fs::write(path, change(text)).unwrap();
}

#[test]
fn a_step_that_is_reworded_during_the_run_stops_it_and_is_carried_out_as_it_reads_when_approved() {
    let project = project(PLAN);
    let plan = project.at("plans/p.md");
    let reworded = move || {
        save(&plan, |text| {
            text.replace("what was changed", "every change, in French")
        });
    };
    let turns = vec![
        replace("Hello", "Moin"),
        reported(),
        write("NOTES.md", "Moin.\n"),
        reported(),
        write("WHOM.md", "All.\n"),
        reported(),
    ];
    let server = server(turns, 1, reworded);
    let home = home_with(&server);
    let stopped = run(&home, &project, "plans/p.md", &[]).expect(5);
    let last = stopped.last_json();
    assert_eq!(last["state"], "not_covered", "{}", stopped.shown());
    assert!(last["message"].as_str().unwrap().contains("T2"), "{last}");
    let text = project.read("plans/p.md");
    assert!(text.contains("- [x] **T1**"), "the run's tick: {text}");
    assert!(
        text.contains("every change, in French"),
        "the person's text: {text}"
    );
    assert!(!project.at("NOTES.md").exists());

    run(&home, &project, "plans/p.md", &[]).expect(0);
    let requests = server.requests();
    assert!(requests[2].text().contains("every change, in French"));
    assert_eq!(project.read("plans/p.md").matches("- [x]").count(), 3);
}

#[test]
fn a_step_that_is_taken_out_is_not_carried_out_and_one_that_is_added_waits_for_approval() {
    let project = project(PLAN);
    let plan = project.at("plans/p.md");
    let changed = move || {
        save(&plan, |text| {
            let at = text.find("- [ ] **T2**").unwrap();
            let upto = text.find("- [ ] **T3**").unwrap();
            let added = "- [ ] **T4** Write down why\n  - files: `WHY.md`\n";
            format!("{}{}{added}", &text[..at], &text[upto..])
        });
    };
    let turns = vec![
        replace("Hello", "Moin"),
        reported(),
        write("WHOM.md", "All.\n"),
        reported(),
        write("WHY.md", "So.\n"),
        reported(),
    ];
    let server = server(turns, 1, changed);
    let home = home_with(&server);
    let stopped = run(&home, &project, "plans/p.md", &[]);
    let stopped = stopped.expect(3);
    let asked = &stopped.events("waiting")[0];
    assert_eq!(asked["for"], "changed", "{}", stopped.shown());
    let message = asked["message"].as_str().unwrap();
    assert!(
        message.contains("T2 was removed; T4 was added")
            || message.contains("T4 was added; T2 was removed"),
        "{message}"
    );
    assert!(!project.at("WHY.md").exists(), "nobody approved it");
    run(&home, &project, "plans/p.md", &[]).expect(0);
    assert!(project.at("WHY.md").exists() && project.at("WHOM.md").exists());
    assert!(!project.at("NOTES.md").exists(), "it was removed");
    assert_eq!(project.read("plans/p.md").matches("- [x]").count(), 3);
}

#[test]
fn a_step_that_the_run_added_and_a_person_took_out_is_asked_about_and_stays_out_once_that_is_approved()
 {
    let growing = "---\nplanwright: 1\ngoal: Greet in German\nstrategy: iterative\n---\n# Greet in German\n\n## Tasks\n- [ ] **T1** Change the greeting\n  - files: `hello.py`\n  - verify: `grep -q Moin hello.py`\n";
    let project = project(growing);
    let plan = project.at("plans/p.md");
    let taken_out = move || {
        save(&plan, |text| {
            let at = text.find("- [ ] **T3**").expect("both were added");
            text[..at].to_owned()
        });
    };
    let next = "[{\"what\": \"Write the changes down in NOTES.md\", \"tools\": [\"write_file\"]}, \
                {\"what\": \"Write whom it greets in WHOM.md\", \"tools\": [\"write_file\"]}]";
    let turns = vec![
        replace("Hello", "Moin"),
        reported(),
        Turn::say(next),
        write("NOTES.md", "Moin.\n"),
        reported(),
        Turn::say("null"),
    ];
    let server = server(turns, 4, taken_out);
    let home = home_with(&server);
    home.write_settings(&json!({"lookAheadTasks": 2, "permissions": [
        {"tool": "write_file", "match": "prefix ", "answer": "allow"},
    ]}));
    let asked = run(&home, &project, "plans/p.md", &[]).expect(3);
    assert_eq!(
        asked.events("waiting")[0]["for"],
        "changed",
        "{}",
        asked.shown()
    );
    let ended = run(&home, &project, "plans/p.md", &[]).expect(0);
    assert_eq!(ended.last_json()["state"], "done", "{}", ended.shown());
    assert!(!project.at("WHOM.md").exists());
    let text = project.read("plans/p.md");
    assert_eq!(text.matches("- [x]").count(), 2, "{text}");
}

#[test]
fn a_file_that_somebody_changes_during_a_step_is_not_overwritten() {
    let whole = "GREETING = \"Moin\"\n";
    for (name, blind) in [
        ("the whole file", write("hello.py", whole)),
        (
            "a part that is not there any more",
            replace("\"Hello\"", "\"Moin\""),
        ),
    ] {
        let project = project(&PLAN[..PLAN.find("- [ ] **T2**").unwrap()]);
        let file = project.at("hello.py");
        let changed = move || {
            std::fs::write(&file, "# by hand\nGREETING = 'Hello'\n").unwrap();
        };
        let turns = vec![
            look(),
            blind,
            look(),
            replace("'Hello'", "'Moin'"),
            reported(),
        ];
        let server = server(turns, 1, changed);
        let home = home_with(&server);
        let ended = run(&home, &project, "plans/p.md", &[]).expect(0);
        assert_eq!(ended.last_json()["state"], "done", "{name}");
        assert_eq!(
            project.read("hello.py"),
            "# by hand\nGREETING = 'Moin'\n",
            "{name}"
        );
        let told = server.requests()[2].text();
        let is_told = ["was changed by somebody else", "does not contain"]
            .iter()
            .any(|words| told.contains(words));
        assert!(is_told, "{name}: {told}");
    }
}

/// The size of a file that doesn't fit on the disk, in bytes.
const LARGE: usize = 6 << 20;

#[test]
fn an_edit_for_which_there_is_no_room_leaves_the_file_whole_and_is_made_when_there_is() {
    let filler = "# filler\n".repeat(LARGE / 9);
    let project = Project::new()
        .file("plans/p.md", &PLAN[..PLAN.find("- [ ] **T2**").unwrap()])
        .file("hello.py", format!("GREETING = \"Hello\"\n{filler}"));
    let id = Arc::new(OnceLock::<u32>::new());
    let known = Arc::clone(&id);
    let room = move || {
        let process = i32::try_from(*known.wait()).ok().and_then(Pid::from_raw);
        let all = Rlimit {
            current: None,
            maximum: None,
        };
        prlimit(process, Resource::Fsize, all).unwrap();
    };
    let turns = vec![
        replace("\"Hello\"", "\"Moin\""),
        replace("\"Hello\"", "\"Moin\""),
        reported(),
    ];
    // Frees space again once the model has been told about the failure.
    let server = server(turns, 1, room);
    let home = home_with(&server);
    let revision = crate::revision(&home, &project, "plans/p.md");
    let arguments = ["run", "plans/p.md", "--approve", &revision, "--json"];
    let running = home.spawn_limited(&project, arguments, (LARGE as u64) / 2);
    id.set(running.id()).unwrap();
    let ended = running.finish().expect(0);
    assert_eq!(ended.last_json()["state"], "done", "{}", ended.shown());
    let told = server.requests()[1].text();
    assert!(
        told.contains("file size limit exceeded while writing"),
        "{told}"
    );
    assert!(told.contains("no partial file was left"), "{told}");
    assert!(
        project
            .read("hello.py")
            .starts_with("GREETING = \"Moin\"\n# filler")
    );
    assert_eq!(project.read("hello.py").len(), filler.len() + 18);
    let mut beside: Vec<_> = std::fs::read_dir(project.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    beside.sort();
    let expected = [".planwright", "hello.py", "plans"];
    assert_eq!(beside, expected, "nothing is left beside the file");
}

/// A home whose model endpoint is a port that nothing listens on, and that port.
fn home_without_server() -> (Home, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let home = Home::new()
        .with_env(
            "PLANWRIGHT_BASE_URL",
            &format!("http://127.0.0.1:{port}/v1"),
        )
        .with_env("PLANWRIGHT_MODEL", "scripted");
    (home, port)
}

fn one_step() -> Vec<Turn> {
    vec![replace("Hello", "Moin"), reported()]
}

#[test]
fn a_server_that_is_gone_is_waited_for_and_the_run_goes_on_by_itself() {
    let project = project(&PLAN[..PLAN.find("- [ ] **T2**").unwrap()]);
    let (home, port) = home_without_server();
    let revision = crate::revision(&home, &project, "plans/p.md");
    let arguments = ["run", "plans/p.md", "--approve", &revision, "--json"];
    let mut running = home.spawn(&project, arguments);
    let gone = running.wait_for("the server to be missed", |event| {
        event["event"] == "server"
    });
    assert_eq!(
        (&gone["task"], &gone["state"]),
        (&json!("T1"), &json!("gone"))
    );
    assert!(
        gone["reason"]
            .as_str()
            .unwrap()
            .contains("couldn't connect to"),
        "{gone}"
    );
    let shown = running.wait_for("what is waited for", |event| event["event"] == "progress");
    let action = shown["current_action"].as_str().unwrap();
    assert!(
        action.starts_with("Waiting for the model server"),
        "{action}"
    );

    let server = ModelServer::start_at(port, Scenario::new(one_step()));
    let back = running.wait_for("the server to be back", |event| {
        event["event"] == "server" && event["state"] == "back"
    });
    assert!(back["waited_ms"].as_u64() > Some(0), "{back}");
    let ended = running.finish().expect(0);
    assert_eq!(ended.last_json()["state"], "done");
    assert_eq!(
        ended.events("recovery").len(),
        0,
        "no part of the step failed"
    );
    assert_eq!(server.finished().len(), 2);
}

#[test]
fn a_server_that_stays_away_pauses_the_run_which_is_resumed_where_it_was() {
    let project = project(&PLAN[..PLAN.find("- [ ] **T2**").unwrap()]);
    let (home, port) = home_without_server();
    home.write_settings(&json!({"server_wait_s": 1}));
    let paused = run(&home, &project, "plans/p.md", &[]).expect(3);
    let last = paused.last_json();
    assert_eq!(last["state"], "paused", "{}", paused.shown());
    let message = last["message"].as_str().unwrap();
    assert!(
        message.contains("couldn't connect to") && message.contains("resume"),
        "{message}"
    );
    assert_eq!(paused.events("task").len(), 0, "the step did not fail");

    let server = ModelServer::start_at(port, Scenario::new(one_step()));
    let resumed = home.planwright(&project, ["resume", &run_id(&paused), "--json"]);
    assert_eq!(resumed.expect(0).last_json()["state"], "done");
    assert!(project.read("hello.py").contains("Moin"));
    server.finished();
}

#[test]
fn a_server_that_is_broken_for_a_while_is_waited_for_whatever_its_status() {
    for status in [500, 529] {
        let project = project(&PLAN[..PLAN.find("- [ ] **T2**").unwrap()]);
        let broken = Turn::status(status, "upstream is down").header("retry-after", "0");
        let turns = std::iter::once(broken.times(6)).chain(one_step());
        let server = ModelServer::start(Scenario::new(turns));
        let ended = run(&home_with(&server), &project, "plans/p.md", &[]).expect(0);
        assert_eq!(ended.last_json()["state"], "done", "{status}");
        let told = ended.events("server");
        assert_eq!(told[0]["state"], "gone", "{status}");
        assert!(
            told[0]["reason"].to_string().contains(&status.to_string()),
            "{told:?}"
        );
        assert_eq!(told.last().unwrap()["state"], "back", "{status}");
        assert_eq!(
            ended.events("recovery").len(),
            0,
            "no part of the step failed"
        );
        server.finished();
    }
}
