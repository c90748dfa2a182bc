//! A destructive action always triggers a checkpoint, which lists exactly what would be destroyed
//! and is stored on disk. If the person refuses, nothing is changed.

use desktop::wire::{ApproveRequest, GivenAnswer, RuleOffer};
use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Answers, Home, ModelServer, Project};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::{resume, run, run_id};

const TIDY: &str = "\
# Tidy up the outputs of the last build

## Tasks
- [ ] **T1** Take the outputs in build away with a command
  - call: `run_command {\"command\": \"rm -r build\"}`
- [ ] **T2** Say that it is tidy in done.txt
  - call: `write_file {\"path\": \"done.txt\", \"content\": \"tidy\\n\"}`
";

/// The reason for overriding the quality gate, which requires a safeguard in the plan.
const REASON: [&str; 2] = ["--reason", "the outputs are made again"];

fn tidy() -> Project {
    let project = Project::new()
        .file("plans/p.md", TIDY)
        .file("build/a.out", "a")
        .file("build/deep/b.out", "b")
        .file("src/main.py", "print(1)\n")
        .file(".gitignore", "build\n")
        .git();
    project.commit("as it is");
    project
}

/// The number of stored snapshots, and the number of stored file contents.
fn kept(home: &Home) -> (i64, usize) {
    let database = Connection::open(home.path().join("data/planwright.db")).unwrap();
    let rows = database.query_row("SELECT count(*) FROM snapshots", [], |row| row.get(0));
    let blobs = planwright_tests::Snapshot::of(&home.path().join("data/blobs"), &[]);
    let files = blobs.0.values().filter(|entry| !entry.content.is_empty());
    (rows.unwrap(), files.count())
}

fn receipt(home: &Home, project: &Project, run: &str) -> Value {
    home.planwright(project, ["receipt", run, "--json"])
        .expect(0)
        .last_json()
}

#[test]
fn what_would_be_destroyed_is_asked_and_a_no_leaves_no_trace() {
    let (home, project) = (Home::new(), tidy());
    let before = project.snapshot_with_git();
    let ran = run(&home, &project, "plans/p.md", &REASON).expect(3);
    let waiting = &ran.events("waiting")[0];
    assert_eq!(waiting["for"], "destructive");
    assert_eq!(waiting["options"], json!(["once", "run", "no"]));
    assert_eq!(waiting["match"], "exact rm -r build");
    assert_eq!(waiting["subjects"], json!(["build/ (2 files)"]));
    let message = waiting["message"].as_str().unwrap();
    assert!(message.contains("`build/ (2 files)`"), "{message}");
    project.snapshot_with_git().assert_same_as(&before, &[]);
    assert_eq!(kept(&home), (0, 0), "no snapshots before approval");

    let no = Answers::new().with(
        "permissions",
        json!([{"tool": "run_command", "match": "exact rm -r build", "answer": "no",
                "words": "b.out goes to the customer first"}]),
    );
    let refused = resume(&home, &project, &run_id(&ran), &no).expect(4);
    assert_eq!(refused.events("task")[0]["state"], "refused");
    project.snapshot_with_git().assert_same_as(&before, &[]);
    assert_eq!(kept(&home), (0, 0), "no snapshots after a refusal");
    let receipt = receipt(&home, &project, &run_id(&ran));
    let step = &receipt["steps"][0];
    assert_eq!(step["state"], "refused");
    let reason = step["reason"].as_str().unwrap();
    assert!(
        reason.contains("b.out goes to the customer first"),
        "{reason}"
    );
    assert_eq!(step["evidence"], json!([]), "nothing was done");
    assert_eq!(step["changes"], json!([]));
}

/// Commands that would destroy something in the test workspace or outside it.
const DESTROY: [&str; 24] = [
    "rm -rf build",
    "/bin/rm -rf src",
    "sh -c 'rm -rf src'",
    "env X=1 bash -lc 'cd src && rm main.py'",
    "nohup timeout 5 rm src/main.py",
    "D=src; rm -rf \"$D\"",
    "find . -name '*.py' -delete",
    "ls src/main.py | xargs rm",
    "python3 -c \"import shutil; shutil.rmtree('src')\"",
    "python3 -c \"open('src/main.py', 'w')\"",
    "echo 'rm -rf src' | sh",
    "mv src/main.py build/a.out",
    "mv src /tmp",
    "cp /dev/null src/main.py",
    "echo > src/main.py",
    "truncate -s 0 src/main.py",
    "sh -c 'sed -i s/1/2/ src/*'",
    "git reset --hard HEAD~1",
    "git clean -fdx",
    "git branch -D topic",
    "git push --force",
    "sqlite3 data.db 'DROP TABLE users'",
    "npm publish",
    "kill -9 1",
];

#[test]
fn each_of_many_commands_asks_and_refused_leaves_no_trace() {
    let home = Home::new();
    for command in DESTROY {
        let call = json!({ "command": command });
        let project = tidy().file(
            "plans/p.md",
            format!(
                "# Go on\n\n## Tasks\n- [ ] **T1** Do it with a command\n  - call: `run_command {call}`\n"
            ),
        );
        project.commit("the plan");
        let before = project.snapshot_with_git();
        let ran = run(&home, &project, "plans/p.md", &REASON).expect(3);
        let waiting = &ran.events("waiting")[0];
        assert_eq!(waiting["for"], "destructive", "{command}: {waiting}");
        let matches = format!("exact {command}");
        let no = Answers::new().permit("run_command", &matches, "no");
        let refused = resume(&home, &project, &run_id(&ran), &no).expect(4);
        assert_eq!(refused.events("task")[0]["state"], "refused", "{command}");
        project.snapshot_with_git().assert_same_as(&before, &[]);
        assert_eq!(kept(&home), (0, 0), "{command}");
    }
}

#[test]
fn a_model_that_would_destroy_something_asks_too_and_a_no_reaches_it_in_words() {
    let server = ModelServer::start(Scenario::new([
        Turn::call("run_command", json!({"command": "bash -c 'rm -rf src'"})),
        Turn::call(
            "write_file",
            json!({"path": "NOTES.md", "content": "tidy\n"}),
        )
        .expecting("main.py is what we sell"),
    ]));
    let home = home_with(&server);
    let plan = "# Note\n\n## Tasks\n- [ ] **T1** Note what is tidy\n  - files: `NOTES.md`\n  - verify: `test -s NOTES.md`\n";
    let project = tidy().file("plans/p.md", plan);
    let before = project.snapshot();
    let ran = run(&home, &project, "plans/p.md", &REASON).expect(3);
    let waiting = &ran.events("waiting")[0];
    assert_eq!(waiting["for"], "destructive", "{waiting}");
    project.snapshot().assert_same_as(&before, &[]);
    let no = Answers::new().with(
        "permissions",
        json!([{"tool": "run_command", "match": "exact bash -c 'rm -rf src'", "answer": "no",
                "words": "main.py is what we sell"}]),
    );
    let ended = resume(&home, &project, &run_id(&ran), &no).expect(0);
    assert_eq!(ended.last_json()["state"], "done", "{}", ended.shown());
    project
        .snapshot()
        .assert_same_as(&before, &["NOTES.md", "plans", ".planwright"]);
    server.finished();
}

#[test]
fn the_question_survives_kill_9_and_a_yes_does_exactly_that() {
    let (home, project) = (Home::new(), tidy());
    let gate = "sh -c 'echo at-work; while [ ! -e open ]; do sleep 0.02; done'";
    let call = json!({ "command": gate });
    project.write(
        "plans/p.md",
        format!("{TIDY}- [ ] **T3** Wait until the gate is open\n  - depends:\n  - call: `run_command {call}`\n"),
    );
    let revision = crate::revision(&home, &project, "plans/p.md");
    let mut running = home.spawn(
        &project,
        [
            "run",
            "plans/p.md",
            "--approve",
            &revision,
            REASON[0],
            REASON[1],
            "--json",
        ],
    );
    running.wait_for("the question", |event| event["for"] == "destructive");
    let id = running.wait_for("the other step", |event| {
        event["event"] == "output"
            && event["text"]
                .as_str()
                .is_some_and(|text| text.contains("at-work"))
    });
    assert_eq!(id["task"], "T3");
    let killed = running.kill_9();
    assert!(project.at("build/a.out").exists());

    let look = Answers::new().with("T3", json!({"unknown": "skip"}));
    let asked = resume(&home, &project, &run_id(&killed), &look).expect(3);
    let waiting = asked.events("waiting");
    assert!(
        waiting
            .iter()
            .any(|waiting| waiting["for"] == "destructive"),
        "{waiting:?}"
    );
    let yes = Answers::new().permit("run_command", "exact rm -r build", "once");
    resume(&home, &project, &run_id(&killed), &yes).expect(0);
    assert!(!project.at("build").exists());
    assert!(project.at("done.txt").exists());
}

#[test]
fn a_write_that_throws_a_file_away_is_one_too() {
    let plan = "# Start the notes anew\n\n## Tasks\n- [ ] **T1** Empty the notes in notes.md\n  - call: `write_file {\"path\": \"notes.md\", \"content\": \"\"}`\n";
    let home = Home::new();
    let project = Project::new()
        .file("plans/p.md", plan)
        .file("notes.md", "what nobody else has\n");
    let ran = run(&home, &project, "plans/p.md", &REASON).expect(3);
    let message = ran.events("waiting")[0]["message"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(message.contains("notes.md (its only line)"), "{message}");
    assert_eq!(project.read("notes.md"), "what nobody else has\n");
}

#[test]
fn a_checkpoint_that_names_the_file_is_not_asked_twice() {
    let plan = "\
# Take the old notes away

## Tasks
- [ ] **C1** May old.md go? Nothing names it any more
  - type: checkpoint
- [ ] **T1** Delete the old notes
  - depends: C1
  - call: `delete_file {\"path\": \"old.md\"}`
";
    let home = Home::new();
    let project = Project::new()
        .file("plans/p.md", plan)
        .file("old.md", "old\n");
    let yes = Answers::new()
        .choose("C1", "Continue")
        .write_to(home.path());
    let answers = ["--answers", yes.to_str().unwrap()];
    let ran = run(&home, &project, "plans/p.md", &answers).expect(0);
    assert!(ran.events("waiting").is_empty());
    assert!(!project.at("old.md").exists());
}

fn offered(rules: &[RuleOffer], kind: &str) -> RuleOffer {
    let rule = rules.iter().find(|rule| rule.kind == kind);
    rule.cloned()
        .unwrap_or_else(|| panic!("no {kind} rule in {rules:?}"))
}

/// Creates the files that another command would destroy, and approves a new plan with that command.
fn approve(desk: &Desk, number: usize, command: &str) -> String {
    let name = format!("plans/p{number}.md");
    let other = TIDY
        .replace("the last build", &format!("build {number}"))
        .replace("it is tidy", &format!("build {number} is tidy"));
    desk.project.write("build/a.out", "a");
    desk.project.write("build2/a.out", "a");
    desk.project
        .write(&name, other.replace("rm -r build", command));
    let plan = desk.project.at(&name).display().to_string();
    let request = ApproveRequest {
        revision: desk.desktop().outline(&plan, None).unwrap().revision,
        plan,
        reason: Some(REASON[1].to_owned()),
        ..desk.request()
    };
    desk.desktop().approve(request).unwrap().run.unwrap()
}

fn run_with(home: &Home, project: &Project) -> planwright_tests::Output {
    run(home, project, "plans/p.md", &REASON)
}

#[test]
fn always_covers_exactly_what_the_rule_said() {
    let mut desk = Desk::new(tidy());
    let run = approve(&desk, 0, "rm -r build");
    let asked = desk.wait_question(&run, "destructive");
    let permission = asked.permission.clone().unwrap();
    let danger = permission.danger.unwrap();
    assert!(
        !permission
            .facts
            .contains(&"not named in the plan".to_owned())
    );
    assert_eq!(danger.what, "deletes files");
    assert_eq!(danger.subjects, ["build/ (2 files)"]);
    assert_eq!(permission.subject, "rm -r build");
    assert_eq!(offered(&permission.rules, "prefix").text, "rm -r build");
    let rule = offered(&permission.rules, "exact");
    assert_eq!(rule.text, "rm -r build");
    desk.answer(&asked, GivenAnswer::AllowAlways { rule })
        .unwrap();
    desk.wait_state(&run, "done");
    assert!(!desk.project.at("build").exists());

    let run = approve(&desk, 1, "rm -r build");
    desk.wait_state(&run, "done");
    assert!(
        !desk.project.at("build").exists(),
        "the rule makes the question unnecessary"
    );

    let others = [
        "rm -R build",
        "rm -r build2",
        "rm -r build && true",
        "rm -r build build2",
        "rm -rf build",
        "rm -r ./build",
    ];
    for (number, other) in others.into_iter().enumerate() {
        let run = approve(&desk, number + 2, other);
        let asked = desk.wait_question(&run, "destructive");
        assert_eq!(asked.permission.clone().unwrap().subject, other);
        desk.answer(&asked, GivenAnswer::Deny { words: None })
            .unwrap();
        desk.wait_state(&run, "failed");
        assert!(desk.project.at("build/a.out").exists(), "{other}");
    }

    // Nor does the rule allow the same command in another folder.
    let other = tidy();
    run_with(&desk.home, &other).expect(3);
    assert!(other.at("build/a.out").exists());

    // The rule is listed and can be revoked.
    let rows = desk
        .home
        .planwright(&desk.project, ["permissions", "--json"]);
    let rows = rows.expect(0).json();
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0]["match"], "exact rm -r build");
    assert_eq!(rows[0]["from"], "always here");
    let id = rows[0]["id"].as_str().unwrap().to_owned();
    desk.home
        .planwright(&desk.project, ["permissions", "--remove", &id])
        .expect(0);
    let run = approve(&desk, 20, "rm -r build");
    desk.wait_question(&run, "destructive");
    assert!(desk.project.at("build/a.out").exists());
}

#[test]
fn a_refusal_in_the_window_keeps_the_words_and_is_tried_again_only_when_asked() {
    let mut desk = Desk::new(tidy());
    let mut request = desk.request();
    request.reason = Some(REASON[1].to_owned());
    let run = desk.desktop().approve(request).unwrap().run.unwrap();
    let asked = desk.wait_question(&run, "destructive");
    desk.restart();
    let again = desk.wait_question(&run, "destructive");
    assert_eq!(again.message, asked.message, "stored on disk");
    let words = Some("not before the release".to_owned());
    desk.answer(&again, GivenAnswer::Deny { words }).unwrap();
    let view = desk.wait_state(&run, "failed");
    let step = &view.steps[0];
    assert_eq!(step.state, "refused");
    let reason = step.reason.clone().unwrap();
    assert!(reason.contains("not before the release"), "{reason}");
    let failure = view.questions.iter().find(|asked| asked.kind == "failure");
    desk.answer(failure.unwrap(), GivenAnswer::Retry).unwrap();
    desk.wait_question(&run, "destructive");
    assert!(desk.project.at("build/a.out").exists());
}
