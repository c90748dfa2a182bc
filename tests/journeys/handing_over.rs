//! A step delegated to a user-defined command, such as another agent: it gets the step's brief,
//! works in the sandbox, and its own claims are not trusted.

use planwright_tests::{Answers, Home, Project};
use serde_json::{Value, json};

use crate::{resume, run, run_id};

const PLAN: &str = "\
# Greet in German

## Requirements
- R1 the greeting is German

## Tasks
- [ ] **T1** Look for the greeting
  - call: `search_files {\"pattern\": \"GREETING\"}`
- [ ] **T2** Change the greeting in the program
  Leave the file's name as it is.
  - depends: T1
  - files: `hello.py`
  - covers: R1
  - verify: `grep -q Moin hello.py`
";

/// A script that acts as the agent: it reads its brief, makes the change, and reports that it is
/// done.
const AGENT: &str = "\
cat > brief.seen
echo \"reading the brief\"
sed -i s/Hello/Moin/ hello.py
echo \"All done, every check passes!\"
";

const LIAR: &str = "echo \"All done, every check passes!\"\n";

fn project(agent: &str) -> Project {
    Project::new()
        .file("plans/p.md", PLAN)
        .file("hello.py", "GREETING = \"Hello\"\n")
        .file(".gitignore", "*.seen\n")
        .file("agent.sh", agent)
        .git()
}

fn executors(more: Value) -> Value {
    let mut agent = json!({"name": "other", "command": ["sh", "agent.sh"]});
    for (key, value) in more.as_object().unwrap() {
        agent[key] = value.clone();
    }
    json!({ "executors": [agent] })
}

fn home(more: Value) -> Home {
    let home = Home::new();
    home.write_settings(&executors(more));
    home
}

const HAND_OVER: [&str; 2] = ["--hand-over", "other"];

#[test]
fn a_step_is_carried_out_by_another_command_and_our_check_says_that_it_is_done() {
    let (home, project) = (home(json!({})), project(AGENT));
    let ran = run(&home, &project, "plans/p.md", &HAND_OVER).expect(0);
    assert_eq!(ran.last_json()["state"], "done", "{}", ran.shown());
    // The command is shown before it runs.
    let said = ran.events("notice")[0]["message"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        said.contains("`sh agent.sh`, without network access"),
        "{said}"
    );
    let output: String = ran
        .events("output")
        .iter()
        .map(|event| event["text"].as_str().unwrap().to_owned())
        .collect();
    assert!(output.contains("reading the brief"), "{output}");
    assert!(project.read("plans/p.md").contains("- [x] **T2**"));

    // The brief contains only what the step needs.
    let brief = project.read("brief.seen");
    for words in [
        "Requirement R1: the greeting is German",
        "Your step, T2: Change the greeting in the program",
        "Leave the file's name as it is.",
        "hello.py",
        "grep -q Moin hello.py",
    ] {
        assert!(brief.contains(words), "no {words:?} in {brief}");
    }
    assert!(!brief.contains("search_files"), "{brief}");
    let copied = home
        .planwright(&project, ["brief", "plans/p.md", "T2"])
        .expect(0);
    assert!(
        copied.stdout.contains("Your step, T2"),
        "{}",
        copied.shown()
    );

    let receipt = home
        .planwright(&project, ["receipt", &run_id(&ran), "--json"])
        .expect(0)
        .last_json();
    let step = &receipt["steps"][1];
    assert_eq!(step["changes"], json!(["hello.py"]), "measured: {step}");
    let kinds: Vec<&str> = step["evidence"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|piece| piece["kind"].as_str())
        .collect();
    assert_eq!(kinds.last(), Some(&"check"), "{step}");
    // The step can be undone like any other.
    home.planwright(&project, ["undo", &run_id(&ran), "T2"])
        .expect(0);
    assert!(project.read("hello.py").contains("Hello"));
}

#[test]
fn its_word_that_it_is_done_is_not_believed() {
    let (home, project) = (home(json!({})), project(LIAR));
    let ran = run(&home, &project, "plans/p.md", &HAND_OVER).expect(4);
    assert_eq!(ran.events("task")[1]["state"], "failed", "{}", ran.shown());
    assert!(project.read("plans/p.md").contains("- [ ] **T2**"));

    // Without a check, nothing proves the result.
    let unchecked = PLAN.replace("  - verify: `grep -q Moin hello.py`\n", "");
    let project = self::project(LIAR).file("plans/p.md", &unchecked);
    let ran = run(&home, &project, "plans/p.md", &HAND_OVER).expect(6);
    let task = &ran.events("task")[1];
    assert_eq!(task["state"], "unverified", "{task}");
    assert!(
        task["reason"].as_str().unwrap().contains("no check"),
        "{task}"
    );
}

#[test]
fn a_run_that_goes_on_hands_over_to_the_same_command() {
    let (home, project) = (home(json!({})), project(AGENT));
    let more = ["--hand-over", "other=T2", "--policy", "each"];
    let ran = run(&home, &project, "plans/p.md", &more).expect(3);
    assert_eq!(ran.events("waiting")[0]["id"], "T2", "{}", ran.shown());
    let asked = ran.events("waiting")[0]["message"].to_string();
    assert!(asked.contains("over to other"), "{asked}");
    let answers = Answers::new().with("T2", json!("Run"));
    let answers = answers.write_to(home.path());
    let id = run_id(&ran);
    let resume = [
        "resume",
        &id,
        "--answers",
        answers.to_str().unwrap(),
        "--json",
    ];

    // If no command with that name exists, resuming fails with a message and nothing is lost.
    home.write_settings(&json!({}));
    let gone = home.planwright(&project, resume).expect(64);
    let message = gone.last_json()["error"]["message"].to_string();
    assert!(message.contains("“other”"), "{message}");
    home.write_settings(&executors(json!({})));

    let resumed = home.planwright(&project, resume).expect(0);
    assert_eq!(resumed.last_json()["state"], "done", "{}", resumed.shown());
    assert!(project.at("brief.seen").exists(), "the command was started");
    assert!(project.read("hello.py").contains("Moin"));
}

#[test]
fn what_it_changes_beside_its_step_is_said() {
    let agent = format!("{AGENT}echo x > other.txt\n");
    let (home, project) = (home(json!({})), project(&agent));
    let ran = run(&home, &project, "plans/p.md", &HAND_OVER).expect(0);
    let notes = ran.events("task")[1]["notes"].to_string();
    assert!(notes.contains("doesn't name: other.txt"), "{notes}");
}

#[test]
fn it_works_in_the_sandbox_and_cannot_touch_the_plan() {
    let agent = "echo x >> plans/p.md\necho y > \"$HOME/planwright-escaped\"\nexit 0\n";
    let (home, project) = (home(json!({})), project(agent));
    let before = project.read("plans/p.md");
    let ran = run(&home, &project, "plans/p.md", &HAND_OVER).expect(4);
    let after = project.read("plans/p.md");
    assert_eq!(after.replace("[x]", "[ ]"), before, "{}", ran.shown());
    let outside = std::path::Path::new(&std::env::var_os("HOME").unwrap_or_default())
        .join("planwright-escaped");
    assert!(!outside.exists());
}

#[test]
fn the_network_and_keys_are_there_only_where_the_user_named_them() {
    // Without network access, the command sees only the loopback interface.
    let look = "echo key=$OTHER_KEY > key.seen\ngrep -c : /proc/net/dev > net.seen\nsed -i s/Hello/Moin/ hello.py\n";
    let (closed, project) = (home(json!({})).with_env("OTHER_KEY", "s3"), project(look));
    run(&closed, &project, "plans/p.md", &HAND_OVER).expect(0);
    assert_eq!(project.read("key.seen"), "key=\n");
    let alone = project.read("net.seen");

    let granted = json!({"network": true, "env": ["OTHER_KEY"]});
    let open = home(granted).with_env("OTHER_KEY", "s3");
    let project = self::project(look);
    let ran = run(&open, &project, "plans/p.md", &HAND_OVER).expect(0);
    assert_eq!(project.read("key.seen"), "key=s3\n");
    let outside = std::fs::read_to_string("/proc/net/dev").unwrap();
    let outside = outside.lines().filter(|line| line.contains(':')).count();
    assert_eq!(project.read("net.seen").trim(), outside.to_string());
    assert_eq!(alone.trim(), "1", "its own loopback only");
    let said = ran.events("notice")[0]["message"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(said.contains("with network access"), "{said}");
}

#[test]
fn under_each_the_approval_shows_what_will_be_run_and_a_no_runs_nothing() {
    let (home, project) = (home(json!({})), project(AGENT));
    let each = [HAND_OVER[0], HAND_OVER[1], "--policy", "each"];
    let waits = run(&home, &project, "plans/p.md", &each).expect(3);
    let asked = &waits.events("waiting")[0];
    assert_eq!(asked["for"], "approval", "{asked}");
    assert_eq!(
        asked["message"],
        "Hand “Change the greeting in the program” over to other: `sh agent.sh`?"
    );
    assert!(!project.at("brief.seen").exists());

    // A resumed run still uses the command.
    let id = run_id(&waits);
    let go = Answers::new().choose("T2", "Run");
    resume(&home, &project, &id, &go).expect(0);
    assert!(project.read("hello.py").contains("Moin"));
    let receipt = home.planwright(&project, ["receipt", &id, "--json"]);
    assert_eq!(
        receipt.expect(0).last_json()["steps"][1]["handed_to"],
        json!({"to": "other", "line": "sh agent.sh"})
    );
    let shown = home.planwright(&project, ["receipt", &id]).expect(0);
    assert!(
        shown.stdout.contains("to other: sh agent.sh"),
        "{}",
        shown.shown()
    );
}

#[test]
fn one_that_does_not_end_is_ended_and_fails_the_step() {
    let (home, project) = (home(json!({"timeout_s": 1})), project("sleep 1000\n"));
    let ran = run(&home, &project, "plans/p.md", &HAND_OVER).expect(4);
    let reason = ran.events("task")[1]["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("timed out"), "{reason}");
}

#[test]
fn single_steps_are_handed_over_and_an_unknown_name_is_refused_before_anything() {
    let (home, project) = (home(json!({})), project(AGENT));
    let refused = run(&home, &project, "plans/p.md", &["--hand-over", "nobody"]);
    assert_ne!(refused.status, 0);
    assert!(
        refused.shown().contains("your settings define other"),
        "{}",
        refused.shown()
    );

    let others = run(&home, &project, "plans/p.md", &["--hand-over", "other=T9"]).expect(3);
    assert_eq!(others.events("waiting")[0]["for"], "person", "T2 is not T9");
    let resumed = [
        "resume",
        &run_id(&others),
        "--hand-over",
        "other=T2",
        "--json",
    ];
    home.planwright(&project, resumed).expect(0);
    assert!(project.read("hello.py").contains("Moin"));
}

#[test]
fn a_workspace_names_no_commands_to_hand_over_to() {
    let (home, project) = (Home::new(), project(AGENT));
    project.write(
        ".planwright/settings.json",
        r#"{"executors": [{"name": "other", "command": ["sh", "agent.sh"], "network": true}]}"#,
    );
    let refused = run(&home, &project, "plans/p.md", &HAND_OVER);
    assert!(
        refused.shown().contains("your settings define no usable"),
        "{}",
        refused.shown()
    );
    assert!(project.read("hello.py").contains("Hello"));
}
