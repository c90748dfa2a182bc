//! Private files: no request to a model contains their content, whatever tools the model calls and
//! whatever an approved command prints.

use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Answers, ModelServer};
use serde_json::json;

use crate::greeting::{self, replace};
use crate::{run, run_id};

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
  - verify: `sh check.sh`
";

const KEY: &str = "sk-live-8Fh2kQ9vLx3";
const LOGIN: &str = "ghp_m4Jw7Zt1Rb6";

#[test]
fn no_request_to_a_model_contains_what_private_files_say() {
    let command = |line: &str| Turn::call("run_command", json!({ "command": line }));
    let server = ModelServer::start(Scenario::new([
        Turn::call("read_file", json!({"path": ".env"})).expecting("hello.py"),
        Turn::call("read_file", json!({"path": ".git/config"})),
        Turn::call("search_files", json!({"pattern": "SHOP|url|live"})),
        command("base64 -w0 .env"),
        command("rev .env .git/config"),
        command("git remote -v"),
        replace("\"Hello\"", "\"Hallo\""),
        // The step's check now prints the key and fails.
        replace("\"Hallo\"", "\"Moin\"").expecting("[private]"),
    ]));
    let home = home_with(&server);
    let project = greeting::files(PLAN)
        .file("hello.py", "GREETING = \"Hello\"\n")
        .file(".env", format!("SHOP_KEY={KEY}\n"))
        .file(
            "check.sh",
            "cat .env .git/config\n. ./.env\necho \"with $SHOP_KEY\"\ngrep Moin hello.py\n",
        )
        .git();
    let url = format!("https://ann:{LOGIN}@host/x.git");
    project.run_git(&["remote", "add", "origin", &url]);
    let answers = ["base64 -w0 .env", "rev .env .git/config", "git remote -v"]
        .iter()
        .fold(Answers::new(), |answers, line| {
            answers.permit("run_command", &format!("exact {line}"), "once")
        });
    let answers = answers.write_to(home.path());
    let more = ["--answers", answers.to_str().unwrap()];
    let ended = run(&home, &project, "plans/p.md", &more).expect(0);
    let backwards = |text: &str| text.chars().rev().collect::<String>();
    let sent: String = server
        .finished()
        .iter()
        .map(|request| request.text())
        .collect();
    let shown = ended.shown();
    let receipt = home
        .planwright(&project, ["receipt", &run_id(&ended), "--json"])
        .expect(0)
        .stdout;
    for secret in [KEY, LOGIN] {
        assert!(!sent.contains(secret), "{sent}");
        assert!(!sent.contains(&backwards(secret)), "{sent}");
        assert!(!receipt.contains(secret));
    }
    assert!(!sent.contains("U0hPUF9LRVk9"), "{sent}");
    assert!(shown.contains("done"), "{shown}");
}
