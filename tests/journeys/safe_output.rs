//! Nothing in a plan, a file name, a model's output or an argument can control the terminal. Each
//! command is run on hostile text, with text and JSON output, and prints no control characters and
//! no characters that change the text direction.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Answers, Home, ModelServer, Output, Project};
use serde_json::{Value, json};

use crate::run_id;

/// Sequences that clear the screen, set its title, hide text and reverse it. Contains no line
/// break.
const EVIL: &str =
    "\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}evil\u{2066}\u{9b}8m\u{90}\u{7f}\u{8}\u{200f}\u{61c}";

#[track_caller]
fn safe(output: Output) -> Output {
    let is_safe = |c: char| {
        let turns = matches!(c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        matches!(c, '\n' | '\t') || !(c.is_control() || turns)
    };
    for text in [&output.stdout, &output.stderr] {
        assert!(text.chars().all(is_safe), "{:?}", output.shown());
    }
    output
}

/// Runs the command with text and with JSON output; returns the latter.
#[track_caller]
fn both(home: &Home, project: &Project, arguments: &[&str]) -> Output {
    safe(home.planwright(project, arguments));
    let json = safe(home.planwright(project, [arguments, &["--json"]].concat()));
    json.json();
    json
}

fn name() -> String {
    format!("plans/{EVIL}.md")
}

fn hostile_plan() -> String {
    let call = |value: Value| value.to_string();
    let write = call(json!({"path": format!("out {EVIL}"), "content": EVIL}));
    let say =
        call(json!({"command": format!("printf '%s\\n' '{EVIL}' >&2; printf '%s' '{EVIL}'")}));
    format!(
        "---\nplanwright: 1\ngoal: Goal {EVIL}\nmute:\n  - no{EVIL}\n---\n# Title {EVIL}\n\n## Requirements\n\
         - R1 wanted {EVIL}\n- R{EVIL}2 more {EVIL}\n\n## Tasks\n\
         - [ ] **T1** Write {EVIL}\n  prose {EVIL}\n  - call: `write_file {write}`\n  - covers: R1, {EVIL}\n  - mute: x{EVIL}\n\
         - [ ] **T2** Say {EVIL}\n  - depends: T1\n  - call: `run_command {say}`\n\
         - [ ] **T3** Fail {EVIL}\n  - depends: T2, T{EVIL}\n  - verify: `printf '%s\\n' '{EVIL}'; exit 1`\n  - files: `{EVIL}`\n  - {EVIL}: {EVIL}\n\
         - [ ] **D1** Which {EVIL}\n  - type: decision\n  - option: one {EVIL} -> T1\n  - option: two {EVIL} -> {EVIL}\n\n\
         ## Decisions\n- D1 {EVIL}\n"
    )
}

#[test]
fn judging_and_showing_a_hostile_plan() {
    let home = Home::new();
    let project = Project::new().file(&name(), hostile_plan()).git();
    both(&home, &project, &["check", &name()]);
    both(
        &home,
        &project,
        &[
            "check",
            &name(),
            "--goal",
            EVIL,
            "--scope",
            EVIL,
            "--depth",
            "deep",
        ],
    );
    both(&home, &project, &["expand", &name(), "--offline"]);
    for step in ["T1", "T2", "T3", "D1", EVIL] {
        both(&home, &project, &["brief", &name(), step]);
    }
    both(
        &home,
        &project,
        &[
            "plan",
            &format!("Rename a{EVIL} to b{EVIL}, then {EVIL}"),
            "--offline",
        ],
    );
    both(
        &home,
        &project,
        &["plan", EVIL, "--offline", "--reason", EVIL],
    );
    let explained = [
        "plan",
        "Rename total to sum",
        "--offline",
        "--depth",
        "quick",
        "--explain",
    ];
    safe(home.planwright(&project, explained));
}

#[test]
fn errors_that_repeat_hostile_words() {
    let home = Home::new().with_env("PLANWRIGHT_LOG", EVIL);
    let project = Project::new().file("a.md", "- [ ] one\n").git();
    let commands: &[&[&str]] = &[
        &["check", EVIL],
        &["brief", EVIL, EVIL],
        &["expand", EVIL],
        &["run", EVIL, "--approve", EVIL],
        &["run", "a.md", "--approve", EVIL],
        &[
            "run",
            "a.md",
            "--approve",
            "000000000000",
            "--workspace",
            EVIL,
        ],
        &["resume", EVIL],
        &["receipt", EVIL],
        &["undo", EVIL, EVIL],
        &["chat", EVIL, EVIL],
        &["models", "--model", EVIL],
        &["models", "--set", &format!("{EVIL}={EVIL}")],
        &["permissions", "--remove", EVIL],
        &["permissions", "--workspace", EVIL],
        &["settings", "--workspace", EVIL],
        &["sandbox"],
        &["runs"],
        &["sessions"],
    ];
    for arguments in commands {
        both(&home, &project, arguments);
    }
    // Arguments that the command line itself rejects.
    let depth = format!("--depth={EVIL}");
    let option = format!("--{EVIL}");
    let lanes = format!("--parallel={EVIL}");
    for arguments in [
        &[EVIL][..],
        &[EVIL, EVIL],
        &["check", &option],
        &["check", "a.md", &depth],
        &["run", "a.md", "--approve", "0", &lanes],
        &["run", "a.md", "--approve", "0", "--hand-over", "="],
        &["models", "--set", EVIL],
        &["help", EVIL],
        &["--help"],
        &["--version"],
    ] {
        safe(home.planwright(&project, arguments));
    }
    let bytes = |text: &str| OsString::from_vec([b"\x9b31m\xff", text.as_bytes()].concat());
    safe(home.planwright(&project, [OsString::from("check"), bytes(EVIL)]));
    safe(home.planwright(&project, [bytes(EVIL)]));
}

#[test]
fn settings_and_rules_that_others_wrote() {
    let home = Home::new();
    home.write_settings(&json!({
        "permissions": [{"tool": "run_command", "match": format!("prefix a{EVIL}"), "answer": "ask"}],
        "verify_commands": [format!("true {EVIL}")],
        EVIL: EVIL,
    }));
    let settings = json!({
        EVIL: 1, "policy": EVIL, "sandbox": EVIL, "plan_folder": EVIL,
        "permissions": [{"tool": EVIL, "match": EVIL, "answer": EVIL}],
    });
    let project = Project::new().file(".planwright/settings.json", settings.to_string());
    both(&home, &project, &["settings"]);
    both(&home, &project, &["permissions"]);
    let broken = Project::new().file(".planwright/settings.json", format!("{{\"a{EVIL}"));
    both(&home, &broken, &["settings"]);
}

#[test]
fn a_run_of_hostile_steps_its_receipt_and_its_undo() {
    let home = Home::new();
    // Removes references to missing steps and tasks, so that the plan can run.
    let plan = hostile_plan()
        .replace(&format!(", T{EVIL}"), "")
        .replace(&format!("-> {EVIL}"), "-> stop")
        .replace("type: decision", "type: decision\n  - depends: none")
        .replace("-> T1", "-> continue");
    let project = Project::new().file(&name(), &plan).git();
    let revision = both(&home, &project, &["check", &name()]).last_json()["revision"]
        .as_str()
        .unwrap()
        .to_owned();
    let file = name();
    let ran = safe(home.planwright(
        &project,
        [
            "run",
            &file,
            "--approve",
            &revision,
            "--offline",
            "--reason",
            EVIL,
        ],
    ));
    assert!(ran.stdout.contains("T1"), "{}", ran.shown());
    let runs = both(&home, &project, &["runs"]);
    let run = runs.last_json()["run"].as_str().unwrap().to_owned();
    both(&home, &project, &["receipt", &run]);
    let answers = Answers::new().choose("D1", EVIL).done("T3", EVIL);
    let answers = answers.write_to(home.path());
    let answers = answers.to_str().unwrap();
    both(&home, &project, &["resume", &run, "--answers", answers]);
    both(&home, &project, &["resume", &run]);
    both(&home, &project, &["undo", &run, "T1"]);
    both(&home, &project, &["undo", &run, "T2"]);
}

fn hostile_turns() -> Vec<Turn> {
    vec![
        Turn::call("read_file", json!({"path": EVIL})).thinking(EVIL),
        Turn::call(EVIL, json!({EVIL: EVIL})),
        Turn::call("edit_plan", json!({"new_text": hostile_plan()})),
        Turn::call(
            "ask_user",
            json!({"question": EVIL, "options": [EVIL, "b"]}),
        ),
        Turn::say(format!("a {EVIL} b\r\nc\r")).thinking(EVIL),
        Turn::say(EVIL).forever(),
    ]
}

#[test]
fn what_a_model_says_while_it_plans_and_talks() {
    for json in [false, true] {
        let server = ModelServer::start(Scenario::new(hostile_turns()));
        let home = home_with(&server);
        let project = Project::new().file("a.md", hostile_plan()).git();
        let with = |arguments: &[&str]| {
            let json = json.then_some("--json");
            let arguments: Vec<&str> = arguments.iter().copied().chain(json).collect();
            safe(home.planwright(&project, arguments))
        };
        with(&["plan", "Add a flag"]);
        let sessions = both(&home, &project, &["sessions"]);
        let session = sessions.last_json()["session"].as_str().unwrap().to_owned();
        with(&["chat", &session, EVIL]);
        with(&["chat", &session, "--mode", "exec", EVIL]);
        with(&["plan", "Add a flag", "--depth", "quick"]);
        with(&["models", "--test"]);
        with(&["chat", "a.md", "Say something"]);
        with(&["chat", &session, "--allow", "once"]);
        with(&["chat", &session, "--approve", EVIL, EVIL]);
    }
}

#[test]
fn what_a_model_and_its_server_say_while_a_step_runs() {
    let scenarios = [
        vec![
            Turn::call(
                "write_file",
                json!({"path": format!("a{EVIL}"), "content": EVIL}),
            ),
            Turn::call(
                "run_command",
                json!({"command": format!("printf '{EVIL}'")}),
            ),
            Turn::say(EVIL).forever(),
        ],
        vec![Turn::status(400, EVIL).forever()],
    ];
    for turns in scenarios {
        for json in [false, true] {
            let server = ModelServer::start(Scenario::new(turns.clone()));
            let home = home_with(&server);
            let plan = format!(
                "# {EVIL}\n- [ ] **T1** Change {EVIL}\n  - files: `a{EVIL}`\n  - verify: `printf '{EVIL}'; false`\n"
            );
            let project = Project::new().file(&name(), &plan).git();
            let checked = both(&home, &project, &["check", &name()]).last_json();
            let revision = checked["revision"].as_str().unwrap().to_owned();
            let file = name();
            let mut arguments = vec!["run", &file, "--approve", &revision, "--reason", "a test"];
            arguments.extend(json.then_some("--json"));
            let ran = safe(home.planwright(&project, &arguments));
            if json {
                let run = run_id(&ran);
                both(&home, &project, &["receipt", &run]);
            }
        }
    }
}
