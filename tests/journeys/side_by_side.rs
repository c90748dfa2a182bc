//! Parallel steps run at the same time, but never on the same file. If one fails or the process is
//! killed, the other's work isn't lost.

use desktop::wire::{ApproveRequest, GivenAnswer, RunView};
use planwright_tests::conversation::home_with;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::{Answers, Home, ModelServer, Output, Project, wait_until};
use serde_json::{Value, json};

use crate::desk::Desk;
use crate::{revision, run, run_id};

/// A plan with two branches, each with its own folder, and a final step that combines both.
const PLAN: &str = "\
# Make both halves and then the whole

## Tasks
- [ ] **T1** Make the left half of it
  - depends:
  - files: `left/`
  - call: `run_command {\"command\": \"sh steps/left.sh\"}`
  - verify: `test -s left/done`
- [ ] **T2** Make the right half of it
  - depends:
  - files: `right/`
  - call: `run_command {\"command\": \"sh steps/right.sh\"}`
  - verify: `test -s right/done`
- [ ] **T3** Put both halves together
  - depends: T1, T2
  - files: `whole.txt`
  - call: `run_command {\"command\": \"sh -c 'cat left/done right/done > whole.txt'\"}`
";

/// A script that waits for the file `$1` and gives up after `$2` attempts.
const WAIT: &str = "\
n=0
until [ -e \"$1\" ]; do
  n=$((n+1))
  [ $n -lt \"$2\" ] || { echo \"nobody made $1\"; exit 9; }
  sleep 0.02
done
";

fn project(left: &str, right: &str) -> Project {
    Project::new()
        .file("plans/p.md", PLAN)
        .file("steps/wait.sh", WAIT)
        .file("steps/left.sh", left)
        .file("steps/right.sh", right)
        .file("left/.keep", "")
        .file("right/.keep", "")
        .git()
}

/// A script that signals that it has started, and ends only after the other one has started too.
fn meets(own: &str, other: &str, patience: u32) -> String {
    format!(
        "touch {own}/here\nsh steps/wait.sh {other}/here {patience} || exit\necho met >> {own}/done\n"
    )
}

fn receipt(home: &Home, project: &Project, ran: &Output) -> Value {
    let id = run_id(ran);
    let receipt = home.planwright(project, ["receipt", &id, "--json"]);
    receipt.expect(0).last_json()
}

fn step<'v>(receipt: &'v Value, task: &str) -> &'v Value {
    let steps = receipt["steps"].as_array().unwrap();
    steps.iter().find(|step| step["task"] == task).unwrap()
}

fn times(step: &Value) -> (i64, i64) {
    let at = |name: &str| step[name].as_i64().unwrap();
    (at("started_at_ms"), at("ended_at_ms"))
}

#[test]
fn two_branches_are_under_way_at_once_and_each_keeps_its_own_changes() {
    let home = Home::new();
    let project = project(&meets("left", "right", 1500), &meets("right", "left", 1500));
    let ran = run(&home, &project, "plans/p.md", &["--parallel", "2"]).expect(0);
    assert_eq!(project.read("whole.txt"), "met\nmet\n", "{}", ran.shown());

    let receipt = receipt(&home, &project, &ran);
    assert_eq!(receipt["parallel"], 2);
    let (left, right) = (step(&receipt, "T1"), step(&receipt, "T2"));
    assert_eq!(left["beside"], json!(["T2"]));
    assert_eq!(right["beside"], json!(["T1"]));
    assert!(step(&receipt, "T3").get("beside").is_none());
    let ((one, one_end), (two, two_end)) = (times(left), times(right));
    assert!(one < two_end && two < one_end, "{receipt}");
    assert_eq!(left["changes"], json!(["left/done", "left/here"]));
    assert_eq!(right["changes"], json!(["right/done", "right/here"]));
    // Progress of both steps was reported while they were running.
    let told: Vec<String> = ran
        .events("progress")
        .iter()
        .filter(|event| event["phase"] == "tool_calling")
        .map(|event| event["task"].as_str().unwrap().to_owned())
        .collect();
    assert!(told.contains(&"T1".to_owned()) && told.contains(&"T2".to_owned()));

    // The receipt as text shows the parallel steps too.
    let id = run_id(&ran);
    let words = home.planwright(&project, ["receipt", &id]).expect(0);
    let words = words.stdout;
    assert!(words.contains("parallel  up to 2 steps"), "{words}");
    assert!(words.contains("parallel  T2, from "), "{words}");

    // Undoing one keeps the other's changes.
    home.planwright(&project, ["undo", &id, "T1"]).expect(0);
    assert!(!project.at("left/done").exists());
    assert_eq!(project.read("right/done"), "met\n");
}

#[test]
fn without_asking_for_it_one_step_comes_after_the_other() {
    let home = Home::new();
    let project = project(&meets("left", "right", 10), &meets("right", "left", 10));
    let ran = run(&home, &project, "plans/p.md", &[]).expect(4);
    assert!(
        ran.last_json()["message"]
            .as_str()
            .unwrap()
            .starts_with("T1 failed")
    );
    assert!(!project.at("right/here").exists(), "T2 was not started");
}

/// Asserts that two steps on the same file don't run in parallel. The second refers to the file as
/// `name`.
fn both_on_one_file(name: &str, prepare: impl Fn(&Project)) {
    let home = Home::new();
    // If the steps ran at the same time, the second would find the lock and fail.
    let work = "mkdir both/lock || exit 7\nfor n in 1 2 3 4 5 6 7 8 9 10; do echo $n >> both/log; sleep 0.02; done\nrmdir both/lock\n";
    let plan = PLAN
        .replace("`left/`", "`both/`")
        .replace("`right/`", &format!("`{name}`"));
    let plan = plan
        .replace("left/done", "both/log")
        .replace("right/done", "both/log");
    let project = project(work, work);
    project.write("both/log", "");
    project.write("plans/p.md", &plan);
    prepare(&project);
    project.commit("Both");
    let ran = run(&home, &project, "plans/p.md", &["--parallel", "4"]).expect(0);
    let receipt = receipt(&home, &project, &ran);
    let ((_, one_end), (two, _)) = (times(step(&receipt, "T1")), times(step(&receipt, "T2")));
    assert!(one_end <= two, "{receipt}");
    assert_eq!(project.read("both/log").lines().count(), 20);
}

#[test]
fn two_steps_on_one_file_are_never_under_way_at_once() {
    both_on_one_file("both/log", |_| {});
}

#[cfg(unix)]
#[test]
fn two_names_of_one_file_are_one_file() {
    use std::os::unix::fs::symlink;
    both_on_one_file("other/log", |project| {
        symlink("both", project.at("other")).unwrap();
    });
    both_on_one_file("other/log", |project| {
        std::fs::create_dir(project.at("other")).unwrap();
        symlink("../both/log", project.at("other/log")).unwrap();
    });
}

#[test]
fn a_command_beside_another_step_cannot_write_what_that_one_holds() {
    let home = Home::new();
    let strays = "echo stray > left/stray\n";
    let project = project(
        &meets("left", "right", 1500),
        &format!("touch right/here\n{strays}"),
    );
    let ran = run(&home, &project, "plans/p.md", &["--parallel", "2"]).expect(4);
    assert!(!project.at("left/stray").exists());
    let receipt = receipt(&home, &project, &ran);
    assert_eq!(step(&receipt, "T1")["state"], "done");
    assert_eq!(step(&receipt, "T2")["state"], "failed");
}

#[test]
fn one_failure_does_not_lose_the_other() {
    let home = Home::new();
    let fails = "touch left/here\nsh steps/wait.sh right/here 1500 || exit\n[ -e left/mended ] || { touch left/failed; exit 3; }\necho mended > left/done\n";
    let goes_on =
        "touch right/here\nsh steps/wait.sh left/failed 1500 || exit\necho whole > right/done\n";
    let project = project(fails, goes_on);
    let ran = run(&home, &project, "plans/p.md", &["--parallel", "2"]).expect(4);
    let message = ran.last_json()["message"].as_str().unwrap().to_owned();
    assert!(message.starts_with("T1 failed"), "{message}");
    assert_eq!(project.read("right/done"), "whole\n");
    let plan = project.read("plans/p.md");
    assert!(
        plan.contains("- [ ] **T1**") && plan.contains("- [x] **T2**"),
        "{plan}"
    );

    let told = receipt(&home, &project, &ran);
    assert_eq!(step(&told, "T1")["state"], "failed");
    assert_eq!(step(&told, "T2")["state"], "done");
    assert_eq!(
        step(&told, "T2")["changes"],
        json!(["right/done", "right/here"])
    );

    // When resumed, the run asks the person about the failure.
    let id = run_id(&ran);
    let asks = home
        .planwright(&project, ["resume", &id, "--json"])
        .expect(3);
    assert_eq!(asks.events("waiting")[0]["for"], "failure");
    project.write("left/mended", "");
    let answers = Answers::new().choose("T1", "Retry").write_to(home.path());
    let answers = answers.to_str().unwrap();
    home.planwright(&project, ["resume", &id, "--answers", answers, "--json"])
        .expect(0);
    assert_eq!(project.read("whole.txt"), "mended\nwhole\n");
}

#[test]
fn killed_while_two_steps_are_at_work_nothing_is_lost_and_nothing_happens_twice() {
    let home = Home::new();
    // The left command ends; the right one is half done and waits until it is killed.
    let right = "echo half >> right/log\ntouch right/here\nsh steps/wait.sh go 1500 || exit\necho whole >> right/log\necho right > right/done\n";
    let project = project(&meets("left", "right", 1500), right);
    let revision = revision(&home, &project, "plans/p.md");
    let arguments = [
        "run",
        "plans/p.md",
        "--approve",
        &revision,
        "--parallel",
        "2",
        "--json",
    ];
    let mut running = home.spawn(&project, arguments);
    let waits = |value: &Value| value["event"] == "task" || value["event"] == "ended";
    // The left step's check waits for the right step, so only the left command has ended here.
    wait_until("the left half is made", || project.at("left/done").exists());
    wait_until("the right one is half done", || {
        project.at("right/here").exists()
    });
    running.wait_for("the left command's end", |value| {
        waits(value) || (value["event"] == "progress" && value["task"] == "T1")
    });
    let killed = running.kill_9();
    let id = run_id(&killed);
    assert_eq!(project.read("right/log"), "half\n");

    project.write("go", "");
    let answers = Answers::new().unknown("check").write_to(home.path());
    let answers = answers.to_str().unwrap();
    let resumed = home
        .planwright(&project, ["resume", &id, "--answers", answers, "--json"])
        .expect(0);
    assert_eq!(resumed.last_json()["state"], "done");
    // The half-done work was undone and done again once; the other step's work was kept.
    assert_eq!(project.read("right/log"), "half\nwhole\n");
    assert_eq!(project.read("left/done"), "met\n");
    assert_eq!(project.read("whole.txt"), "met\nright\n");
}

#[test]
fn killed_at_any_moment_both_branches_come_to_the_same_end() {
    for effect in 0..12 {
        let home = Home::new();
        let once = |own: &str, other: &str| {
            let meets = meets(own, other, 1500);
            format!("echo ran >> {own}/log\n{meets}")
        };
        let project = project(&once("left", "right"), &once("right", "left"));
        let revision = revision(&home, &project, "plans/p.md");
        let arguments = [
            "run",
            "plans/p.md",
            "--approve",
            &revision,
            "--parallel",
            "2",
            "--json",
        ];
        let mut running = home.spawn(&project, arguments);
        for _ in 0..=effect {
            running.wait_for("one more event", |_| true);
        }
        let killed = running.kill_9();
        let id = run_id(&killed);
        let answers = Answers::new().unknown("check").write_to(home.path());
        let answers = answers.to_str().unwrap();
        let mut ended = home.planwright(&project, ["resume", &id, "--answers", answers, "--json"]);
        if ended.status != 0 {
            ended = home.planwright(&project, ["resume", &id, "--answers", answers, "--json"]);
        }
        assert_eq!(
            ended.last_json()["state"],
            "done",
            "event {effect}: {}",
            ended.shown()
        );
        for half in ["left", "right"] {
            assert_eq!(
                project.read(&format!("{half}/log")),
                "ran\n",
                "event {effect}"
            );
            assert_eq!(
                project.read(&format!("{half}/done")),
                "met\n",
                "event {effect}"
            );
        }
    }
}

#[test]
fn in_a_terminal_each_line_says_whose_it_is() {
    let home = Home::new();
    let says = |own: &str, other: &str| format!("echo {own} speaks\n{}", meets(own, other, 1500));
    let project = project(&says("left", "right"), &says("right", "left"));
    let revision = revision(&home, &project, "plans/p.md");
    let arguments = [
        "run",
        "plans/p.md",
        "--approve",
        &revision,
        "--parallel",
        "2",
    ];
    let ran = home.planwright(&project, arguments).expect(0);
    assert!(
        ran.stdout.contains("up to 2 steps in parallel"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("      T1 | left speaks\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("      T2 | right speaks\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn in_the_window_an_answer_lets_a_step_begin_beside_the_one_at_work_and_both_are_seen() {
    let left = "touch left/here\nsh steps/wait.sh go 1500 || exit\necho met > left/done\n";
    let right =
        "touch right/here\nsh steps/wait.sh left/done 1500 || exit\necho met > right/done\n";
    let mut desk = Desk::new(project(left, right));
    let request = ApproveRequest {
        policy: Some("each".to_owned()),
        parallel: Some(2),
        ..desk.request()
    };
    let run = desk.desktop().approve(request).unwrap().run.unwrap();
    let asked = |task: &str, view: &RunView| {
        let mut questions = view.questions.iter();
        questions.find(|asked| asked.task == task).cloned()
    };
    let view = desk.wait(&run, "both to be asked", |view| {
        view.questions.len() == 2 && !view.is_live
    });
    let start = GivenAnswer::Run { upto: None };
    desk.answer(&asked("T2", &view).unwrap(), start.clone())
        .unwrap();
    // Here the second step is running, and it can't end before the first.
    let view = desk.wait(&run, "T2 at work", |view| {
        let current = view.current.as_ref();
        view.is_live && current.is_some_and(|current| current.task == "T2")
    });
    let asked = asked("T1", &view).expect("T1's question is still open");
    desk.answer(&asked, start.clone()).unwrap();
    let both = desk.wait(&run, "both at work", |view| {
        let running = view.states.iter().filter(|task| task.state == "running");
        running.count() == 2 && !view.beside.is_empty()
    });
    assert_eq!(both.parallel, 2);
    desk.project.write("go", "");
    let view = desk.wait(&run, "T3 to be asked", |view| {
        !view.is_live && view.questions.iter().any(|asked| asked.task == "T3")
    });
    assert_eq!((view.done, view.total), (2, 3));
    let receipt = desk.desktop().receipt(&run).unwrap();
    assert!(
        receipt.markdown.contains("parallel steps: up to 2"),
        "{}",
        receipt.markdown
    );
    assert!(
        receipt.markdown.contains("In parallel with T1, from "),
        "{}",
        receipt.markdown
    );
    // Each step's changes are listed separately.
    let files = |task: &str| -> Vec<String> {
        let changes = desk.desktop().changes(&run, Some(task)).unwrap();
        changes.files.iter().map(|file| file.path.clone()).collect()
    };
    assert_eq!(files("T1"), ["left/done", "left/here"]);
    assert_eq!(files("T2"), ["right/done", "right/here"]);
}

const MODELLED: &str = "\
# Greet in two languages

## Tasks
- [ ] **T1** Write the German greeting anew
  - depends:
  - files: `german.txt`
  - verify: `grep -q Moin german.txt`
- [ ] **T2** Write the French greeting anew
  - depends:
  - files: `french.txt`
  - verify: `grep -q Salut french.txt`
";

/// The model's answer, which depends on the step in the request. The first answer for each step
/// stalls until it is released.
fn author(request: &Value, _: usize) -> Turn {
    let text = request["messages"].to_string();
    let (path, word) = match text.contains("Your step, T2") {
        true => ("french.txt", "Salut"),
        false => ("german.txt", "Moin"),
    };
    let messages = request["messages"].as_array().unwrap();
    let made = messages
        .iter()
        .filter(|message| message["role"] == "assistant");
    match made.count() {
        0 => Turn::call("read_file", json!({ "path": path })).stalled(),
        1 => Turn::call(
            "write_file",
            json!({"path": path, "content": format!("{word}\n")}),
        ),
        _ => Turn::call(
            "report_progress",
            json!({"summary": "written", "done": true}),
        ),
    }
}

#[test]
fn two_steps_of_a_model_are_asked_for_at_once() {
    let server = ModelServer::written_by(Scenario::default(), author);
    let home = home_with(&server);
    let project = Project::new()
        .file("plans/p.md", MODELLED)
        .file("german.txt", "Hallo\n")
        .file("french.txt", "Bonjour\n")
        .git();
    let revision = revision(&home, &project, "plans/p.md");
    let arguments = [
        "run",
        "plans/p.md",
        "--approve",
        &revision,
        "--parallel",
        "2",
        "--json",
    ];
    let running = home.spawn(&project, arguments);
    // If the steps ran one after the other, the second request would never arrive.
    server.wait_until_stalled(2);
    server.release();
    let ran = running.finish().expect(0);
    assert_eq!(project.read("german.txt"), "Moin\n");
    assert_eq!(project.read("french.txt"), "Salut\n");
    let receipt = receipt(&home, &project, &ran);
    assert_eq!(step(&receipt, "T1")["changes"], json!(["german.txt"]));
    assert_eq!(step(&receipt, "T2")["changes"], json!(["french.txt"]));
    assert_eq!(step(&receipt, "T2")["beside"], json!(["T1"]));
}
