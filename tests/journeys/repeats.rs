//! An action carried out in a workspace is never repeated without asking, even if the plan was
//! renamed, and a tick that a run made is never taken for a person's.

use std::process::Command;

use planwright_tests::{Answers, Home, Output, Project, wait_until};

use crate::{revision, run};

const PLAN: &str = "\
---
planwright: 1
id: pay-the-bill
goal: Pay the bill of this month
---
# Pay the bill of this month

The bill is on the desk.

## Tasks
- [ ] **T1** Send the payment to the bank
  - call: `run_command {\"command\": \"sh -c 'echo PAID >> paid.txt'\"}`
- [ ] **T2** Write the note about the payment
  - call: `write_file {\"path\": \"note.txt\", \"content\": \"paid\"}`
";

fn paid(project: &Project) -> usize {
    match project.at("paid.txt").exists() {
        true => project.read("paid.txt").lines().count(),
        false => 0,
    }
}

/// A project in which the plan was carried out once.
#[track_caller]
fn carried_out(home: &Home) -> Project {
    let project = Project::new().file("plans/p.md", PLAN);
    run(home, &project, "plans/p.md", &[]).expect(0);
    assert_eq!(paid(&project), 1);
    project
}

/// The kind and message of a waiting run's only question.
#[track_caller]
fn asked(ran: &Output) -> (String, String) {
    let waiting = ran.events("waiting");
    assert_eq!(waiting.len(), 1, "{}", ran.shown());
    let text = |key: &str| waiting[0][key].as_str().unwrap().to_owned();
    (text("for"), text("message"))
}

fn options(home: &Home, answer: &str) -> [String; 2] {
    let file = Answers::new()
        .choose("claims", answer)
        .write_to(home.path());
    ["--answers".to_owned(), file.display().to_string()]
}

#[test]
fn a_word_changed_above_the_tasks_does_not_turn_a_record_into_a_tick_by_hand() {
    for (from, to) in [
        ("on the desk", "on the table"),
        ("goal: Pay the bill", "goal: Settle the bill"),
    ] {
        let home = Home::new();
        let project = carried_out(&home);
        project.edit("plans/p.md", from, to);
        let again = run(&home, &project, "plans/p.md", &[]).expect(3);
        let (kind, message) = asked(&again);
        assert_eq!(kind, "claims");
        for said in [
            "T1",
            "T2",
            "recorded as done by an earlier run",
            "changed since",
            "(run ",
        ] {
            assert!(message.contains(said), "{message}");
        }
        assert!(!message.contains("by hand"), "{message}");
        let count = options(&home, "Count as done");
        let count = [count[0].as_str(), &count[1]];
        run(&home, &project, "plans/p.md", &count).expect(0);
        assert_eq!(paid(&project), 1);
    }
}

#[test]
fn what_a_person_ticked_and_what_a_run_recorded_are_asked_about_together_and_told_apart() {
    let home = Home::new();
    let project = carried_out(&home);
    project.edit("plans/p.md", "on the desk", "on the table");
    let more = "- [x] **T3** Tell the landlord\n  - call: `write_file {\"path\": \"mail.txt\", \"content\": \"x\"}`\n";
    project.write(
        "plans/p.md",
        format!("{}{more}", project.read("plans/p.md")),
    );
    let (kind, message) = asked(&run(&home, &project, "plans/p.md", &[]).expect(3));
    assert_eq!(kind, "claims");
    assert!(message.contains("T3 is marked by hand"), "{message}");
    assert!(message.contains("T1 (run "), "{message}");
}

#[test]
fn a_plan_that_was_only_moved_keeps_its_evidence() {
    let home = Home::new();
    let project = carried_out(&home);
    std::fs::rename(project.at("plans/p.md"), project.at("plans/q.md")).unwrap();
    let again = run(&home, &project, "plans/q.md", &[]).expect(0);
    assert!(again.events("waiting").is_empty(), "{}", again.shown());
    assert_eq!(paid(&project), 1);
}

#[test]
fn no_other_spelling_of_a_plan_that_was_carried_out_repeats_it_unasked() {
    let changes: [(&str, &str, &str); 7] = [
        ("plans/q.md", "", ""),
        ("plans/p.md", "", ""),
        ("plans/q.md", "id: pay-the-bill", "id: pay-it"),
        ("plans/p.md", "echo PAID", "echo  PAID"),
        (
            "plans/p.md",
            "sh -c 'echo PAID >> paid.txt'\"",
            "sh -c 'echo PAID >> paid.txt'\", \"timeout_s\": 9",
        ),
        ("plans/q.md", "**T1**", "**T7**"),
        (
            "plans/q.md",
            "id: pay-the-bill\ngoal: Pay the bill of this month",
            "id: b\ngoal: Settle what is owed",
        ),
    ];
    for (path, from, to) in changes {
        let other = Home::new();
        // A program with another data folder recognizes a plan only by its path, id or goal.
        let keeps_a_name = !to.starts_with("id: b\n");
        for is_elsewhere in [false, true]
            .into_iter()
            .take(1 + usize::from(keeps_a_name))
        {
            let home = Home::new();
            let project = carried_out(&home);
            let home = if is_elsewhere { &other } else { &home };
            std::fs::remove_file(project.at("plans/p.md")).unwrap();
            project.write(path, PLAN.replace(from, to));
            let again = run(home, &project, path, &[]).expect(3);
            let (kind, message) = asked(&again);
            assert_eq!(kind, "claims", "{path} {to}: {message}");
            assert!(message.contains("an earlier run"), "{path} {to}: {message}");
            assert_eq!(paid(&project), 1, "{path} {to}");
            if path != "plans/q.md" || !from.is_empty() {
                continue;
            }
            // “Carry out” answers a different question, so the run asks again.
            for (answer, status, times) in [
                ("Carry out", 3, 1),
                ("Count as done", 0, 1),
                ("Repeat", 0, 2),
            ] {
                if times == 2 {
                    project.write(path, PLAN.replace(from, to));
                }
                let answers = options(home, answer);
                let answers = [answers[0].as_str(), &answers[1]];
                run(home, &project, path, &answers).expect(status);
                assert_eq!(paid(&project), times, "{path} {to} {answer}");
            }
        }
    }
}

#[test]
fn a_tick_that_a_run_of_another_data_folder_made_is_called_that() {
    let (home, other) = (Home::new(), Home::new());
    let project = carried_out(&home);
    let (kind, message) = asked(&run(&other, &project, "plans/p.md", &[]).expect(3));
    assert_eq!(kind, "claims");
    assert!(message.contains("(not in this data folder)"), "{message}");
    assert!(!message.contains("by hand"), "{message}");
    assert_eq!(paid(&project), 1);
}

#[test]
fn another_plan_with_the_same_command_is_not_asked_about() {
    let home = Home::new();
    let project = carried_out(&home);
    let rent = PLAN
        .replace("pay-the-bill", "pay-the-rent")
        .replace("bill of this month", "rent of this month")
        .replace("Write the note about", "Record the sum of");
    project.write("plans/rent.md", &rent);
    let ran = run(&home, &project, "plans/rent.md", &[]).expect(0);
    assert!(ran.events("waiting").is_empty(), "{}", ran.shown());
    assert_eq!(paid(&project), 2);
    // The first plan gets another step with the same command as an earlier one.
    let more = "- [ ] **T3** Send the second payment to the bank\n  - call: `run_command {\"command\": \"sh -c 'echo PAID >> paid.txt'\"}`\n";
    project.write(
        "plans/p.md",
        format!("{}{more}", project.read("plans/p.md")),
    );
    let ran = run(&home, &project, "plans/p.md", &[]).expect(0);
    assert!(ran.events("waiting").is_empty(), "{}", ran.shown());
    assert_eq!(paid(&project), 3);
}

#[test]
fn looking_and_checking_again_is_no_repetition() {
    let plan = "\
# See whether the greeting is there

## Tasks
- [ ] **T1** See whether the greeting is there
  - call: `run_command {\"command\": \"grep -q Moin hello.txt\"}`
  - verify: `grep -q Moin hello.txt`
- [ ] **T2** Read the greeting once more
  - call: `read_file {\"path\": \"hello.txt\"}`
";
    let home = Home::new();
    let project = Project::new()
        .file("plans/p.md", plan)
        .file("hello.txt", "Moin\n");
    run(&home, &project, "plans/p.md", &[]).expect(0);
    project.write("plans/p.md", plan);
    let again = run(&home, &project, "plans/p.md", &[]).expect(0);
    assert!(again.events("waiting").is_empty(), "{}", again.shown());
    // No action was recorded, so the `.planwright` folder wasn't created.
    assert!(!project.at(".planwright").exists());
}

#[test]
fn two_copies_of_a_plan_are_not_carried_out_at_once() {
    let slow = PLAN.replace(
        "echo PAID >> paid.txt",
        "echo PAID >> paid.txt; while [ ! -e bank.txt ]; do sleep 0.02; done",
    );
    for (from, to) in [
        ("", ""),
        // The copy has a different goal, so only the id identifies it.
        ("Pay the bill of this month", "Settle what is owed now"),
        ("id: pay-the-bill", "id: pay-it"),
    ] {
        let (home, other) = (Home::new(), Home::new());
        let project = Project::new().file("plans/p.md", &slow);
        let mut copy = slow.replace(from, to);
        if from.starts_with("Pay") {
            copy = copy.replace("Write the note", "Write a letter");
        }
        project.write("plans/q.md", copy);
        let first = revision(&home, &project, "plans/p.md");
        let running = home.spawn(
            &project,
            ["run", "plans/p.md", "--approve", &first, "--json"],
        );
        wait_until("the payment", || paid(&project) == 1);
        for home in [&home, &other] {
            let refused = run(home, &project, "plans/q.md", &[]);
            assert_ne!(refused.status, 0);
            let shown = refused.shown();
            assert!(
                shown.contains("PlanIsRunning") || shown.contains("run "),
                "{shown}"
            );
            assert_eq!(paid(&project), 1, "{to}: {shown}");
        }
        project.write("bank.txt", "paid");
        running.finish().expect(0);
    }
}

#[test]
fn a_run_up_to_a_step_says_how_far_it_is_done() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", PLAN);
    let ran = run(&home, &project, "plans/p.md", &["--upto", "T1"]).expect(0);
    let ended = &ran.events("ended")[0];
    let message = ended["message"].as_str().unwrap();
    assert!(message.contains("up to T1"), "{message}");
    assert!(project.read("plans/p.md").contains("[ ] **T2**"));
    let ran = run(&home, &project, "plans/p.md", &[]).expect(0);
    let message = ran.events("ended")[0]["message"].to_string();
    assert!(!message.contains("up to"), "{message}");
}

#[test]
fn a_run_that_was_cut_off_is_known_where_its_folder_has_another_name() {
    let home = Home::new();
    let slow = PLAN.replace("echo PAID >> paid.txt", "echo PAID >> paid.txt; sleep 60");
    let project = Project::new().file("plans/p.md", &slow);
    let approved = revision(&home, &project, "plans/p.md");
    let run = ["run", "plans/p.md", "--approve", &approved];
    let running = home.spawn(&project, run);
    wait_until("the payment", || paid(&project) == 1);
    running.kill_9();
    let elsewhere = Project::new();
    let inside = home.command(&elsewhere, run);
    let bound = Command::new("bwrap")
        .args(["--dev-bind", "/", "/", "--bind"])
        .args([project.path(), elsewhere.path()])
        .arg("--chdir")
        .arg(elsewhere.path())
        .arg(inside.get_program())
        .args(inside.get_args())
        .env("PLANWRIGHT_HOME", home.path())
        .output()
        .expect("bwrap starts");
    let said = String::from_utf8_lossy(&bound.stderr);
    assert!(said.contains("was interrupted. Resume it"), "{said}");
    assert_eq!(paid(&project), 1);
}

#[test]
fn a_waiting_run_of_another_plan_with_the_same_goal_is_kept() {
    let home = Home::new();
    let waits = "- [ ] **C1** Look at it\n  - type: checkpoint\n";
    let plan = |id: &str| PLAN.replace("id: pay-the-bill", id) + waits;
    let project = Project::new()
        .file("plans/p.md", plan("id: pay-at-home"))
        .file(
            "plans/q.md",
            plan("id: pay-abroad").replace("PAID", "ABROAD"),
        );
    run(&home, &project, "plans/p.md", &[]).expect(3);
    let ran = run(&home, &project, "plans/q.md", &[]);
    assert!(
        !ran.shown().contains("this run replaces it"),
        "{}",
        ran.shown()
    );
    let runs = home.planwright(&project, ["runs", "--json"]).shown();
    assert_eq!(runs.matches("\"waiting\"").count(), 2, "{runs}");
}
