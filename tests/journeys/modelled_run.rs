//! Runs by a model through the terminal, against a scripted server over real HTTP.

use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Answers, ModelServer, Project};
use serde_json::json;

use crate::greeting::{self, look, replace, report, report_learned, write};
use crate::{resume, run, run_id};

const PLAN: &str = "\
---
planwright: 1
goal: Greet in German
---
# Greet in German

## Requirements
- R1 the greeting is German

## Tasks
- [ ] **T1** Change the greeting in the program
  - files: `hello.py`
  - covers: R1
  - verify: `python3 check.py`
- [ ] **T2** Write down what was changed
  - depends: T1
  - files: `NOTES.md`
";

fn project() -> Project {
    greeting::files(PLAN)
        .file("hello.py", "GREETING = \"Hello\"\n\nprint(GREETING)\n")
        .file(
            "check.py",
            "import hello\nassert hello.GREETING == \"Moin\", hello.GREETING\n",
        )
}

#[test]
fn a_model_carries_out_each_step_and_its_check_is_what_counts() {
    let server = ModelServer::start(Scenario::new([
        look(),
        report_learned("nothing yet", false, &["the greeting is in GREETING"]),
        replace("\"Hello\"", "\"Hallo\""),
        // The check runs after each change and fails.
        replace("\"Hallo\"", "\"Moin\"").expecting("The check does not pass"),
        write("NOTES.md", "Moin now.\n").expecting("Your step, T2"),
        report("done as asked"),
    ]));
    let home = home_with(&server);
    let project = project().git();
    let ended = run(&home, &project, "plans/p.md", &[]).expect(0);
    assert_eq!(ended.last_json()["state"], "done", "{}", ended.shown());
    assert_eq!(project.read("plans/p.md").matches("- [x]").count(), 2);
    assert!(project.read("hello.py").contains("Moin"));
    let requests = server.finished();
    assert_eq!(requests.len(), 6);
    // The learned fact is included, the other step's text is not.
    let text = requests[4].text();
    assert!(
        text.contains("Known: the greeting is in GREETING (from hello.py)"),
        "{text}"
    );
    assert!(!text.contains("print(GREETING)"), "{text}");

    let receipt = home
        .planwright(&project, ["receipt", &run_id(&ended), "--json"])
        .expect(0);
    let receipt = receipt.last_json();
    assert!(receipt["turns"].as_u64() >= Some(6), "{receipt}");
    assert!(receipt["tokens_out"].as_u64() > Some(0), "{receipt}");
}

#[test]
fn what_the_step_does_not_name_is_asked_and_a_no_with_words_reaches_the_model() {
    let server = ModelServer::start(Scenario::new([
        write("other.py", "x = 1\n"),
        write("other.py", "x = 1\n").expecting("the approved step is about hello.py"),
        write("other.py", "x = 1\n").expecting("again to ask the person"),
        replace("\"Hello\"", "\"Moin\"").expecting("leave the other file alone"),
        report("done as asked"),
        write("NOTES.md", "Moin now.\n"),
        report("done as asked"),
    ]));
    let home = home_with(&server);
    let project = project().git();
    let waits = run(&home, &project, "plans/p.md", &[]).expect(3);
    let asked = waits.events("waiting")[0].clone();
    assert_eq!(asked["for"], "permission", "{}", waits.shown());
    assert_eq!(asked["match"], "exact other.py");
    let no = json!([{
        "tool": "write_file", "match": "exact other.py", "answer": "no",
        "words": "leave the other file alone",
    }]);
    let no = Answers::new().with("permissions", no);
    resume(&home, &project, &run_id(&waits), &no).expect(0);
    assert!(!project.at("other.py").exists());
    server.finished();
}

#[test]
fn without_a_model_such_a_step_is_a_persons() {
    let server = ModelServer::start(Scenario::new([]));
    let home = home_with(&server);
    let project = project().git();
    let waits = run(&home, &project, "plans/p.md", &["--offline"]).expect(3);
    let asked = waits.events("waiting")[0].clone();
    assert_eq!(asked["for"], "person", "{}", waits.shown());
    server.finished();
}

#[cfg(unix)]
#[test]
fn a_file_that_is_read_through_a_link_may_be_written_through_it() {
    let server = ModelServer::start(Scenario::new([
        Turn::call("read_file", json!({"path": "link.py"})),
        write("link.py", "GREETING = \"Moin\"\n").expecting("Hello"),
        report("done as asked").expecting("verified on disk"),
    ]));
    let home = home_with(&server);
    let plan = "# Greet\n\n## Tasks\n- [ ] **T1** Change the greeting\n  - files: `link.py`\n";
    let project = greeting::files(plan).git();
    std::os::unix::fs::symlink("hello.py", project.at("link.py")).unwrap();
    run(&home, &project, "plans/p.md", &[]).expect(0);
    assert_eq!(project.read("hello.py"), "GREETING = \"Moin\"\n");
    server.finished();
}
