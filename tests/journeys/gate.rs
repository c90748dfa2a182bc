//! The gate, tested through the terminal program: with tampered files, interrupted runs, and other
//! data folders.

use planwright_tests::{Answers, Home, Project};

use crate::{revision, run, run_id, run_revision};

const GATED: &str = "\
# Pay once the numbers were reviewed

## Tasks
- [ ] **T1** Write the numbers into the report
  - call: `write_file {\"path\": \"report.txt\", \"content\": \"1\"}`
- [ ] **C1** Review the numbers before the payment
  - type: checkpoint
  - option: Continue -> continue
  - option: Stop -> stop
- [ ] **T2** Send the payment with the numbers
  - call: `run_command {\"command\": \"sh -c 'echo PAID >> paid.txt'\"}`
";

fn paid(project: &Project) -> usize {
    match project.at("paid.txt").exists() {
        true => project.read("paid.txt").lines().count(),
        false => 0,
    }
}

#[test]
fn a_checkpoint_that_is_taken_out_of_the_file_while_the_run_waits_is_still_asked() {
    let gate = "- [ ] **C1** Review the numbers before the payment\n  - type: checkpoint\n  - option: Continue -> continue\n  - option: Stop -> stop\n";
    for tampered in [
        GATED.replace("[ ] **C1**", "[x] **C1**"),
        GATED.replace(gate, ""),
        GATED.replace(gate, &format!("<!--\n{gate}-->\n")),
        format!("{}{gate}", GATED.replace(gate, "")),
    ] {
        let home = Home::new();
        let project = Project::new().file("plans/p.md", GATED);
        let approved = revision(&home, &project, "plans/p.md");
        let id = run_id(&run_revision(&home, &project, "plans/p.md", &approved, &[]).expect(3));
        project.write("plans/p.md", tampered.replace("[ ] **T1**", "[x] **T1**"));
        home.planwright(&project, ["resume", &id, "--json"])
            .expect(3);
        assert_eq!(paid(&project), 0);
        // Running the approved revision again doesn't send the payment either.
        let again = home.planwright(
            &project,
            ["run", "plans/p.md", "--approve", &approved, "--json"],
        );
        assert!([3, 5].contains(&again.status), "{}", again.shown());
        assert_eq!(paid(&project), 0);
    }
}

#[test]
fn an_interrupted_run_is_resumed_or_discarded_and_never_run_over() {
    let plan = "\
# Pay slowly

## Tasks
- [ ] **T1** Send the payment that takes a while
  - call: `run_command {\"command\": \"sh -c 'echo PAID >> paid.txt; sleep 600'\"}`
";
    let home = Home::new();
    let project = Project::new().file("plans/p.md", plan);
    let approved = revision(&home, &project, "plans/p.md");
    let running = home.spawn(
        &project,
        ["run", "plans/p.md", "--approve", &approved, "--json"],
    );
    planwright_tests::wait_until("the payment", || paid(&project) == 1);
    running.kill_9();
    let again = home.planwright(
        &project,
        ["run", "plans/p.md", "--approve", &approved, "--json"],
    );
    assert_ne!(again.status, 0);
    assert!(
        again.shown().contains("was interrupted"),
        "{}",
        again.shown()
    );
    // A program with another data folder doesn't know the run, but is refused too.
    let other = Home::new();
    let elsewhere = other.planwright(
        &project,
        ["run", "plans/p.md", "--approve", &approved, "--json"],
    );
    assert!(
        elsewhere.shown().contains("of this plan is unfinished"),
        "{}",
        elsewhere.shown()
    );
    assert_eq!(paid(&project), 1);
    let runs = home.planwright(&project, ["runs", "--json"]).expect(0);
    let id = runs.last_json()["run"].as_str().unwrap().to_owned();
    let listed = home
        .planwright(&project, ["discard", &id, "--json"])
        .expect(3);
    assert_eq!(
        listed.last_json()["unknown"][0]["task"],
        "T1",
        "{}",
        listed.shown()
    );
    home.planwright(&project, ["discard", &id, "--yes", "--json"])
        .expect(0);
    let resumed = home.planwright(&project, ["resume", &id, "--json"]);
    assert!(
        resumed.shown().contains("was discarded"),
        "{}",
        resumed.shown()
    );
    assert_eq!(paid(&project), 1);
}

#[test]
fn a_done_step_whose_box_an_editor_opened_again_is_not_repeated_unasked() {
    let plan = "\
# Pay and wait for the bank

## Tasks
- [ ] **T1** Send the payment
  - call: `run_command {\"command\": \"sh -c 'echo PAID >> paid.txt'\"}`
- [ ] **T2** Wait for the bank
  - call: `run_command {\"command\": \"sh -c 'while [ ! -e bank.txt ]; do sleep 0.02; done; echo 1 > seen.txt'\"}`
";
    for (answer, status, times) in [
        (None, 3, 1),
        (Some("Count as done"), 0, 1),
        (Some("Repeat"), 0, 2),
    ] {
        let home = Home::new();
        let project = Project::new().file("plans/p.md", plan);
        let approved = revision(&home, &project, "plans/p.md");
        let words = ["run", "plans/p.md", "--approve", &approved, "--json"];
        let running = home.spawn(&project, words);
        planwright_tests::wait_until("the tick of T1", || {
            project.read("plans/p.md").contains("[x] **T1**")
        });
        // An editor saves the text that it loaded before the run.
        project.write("plans/p.md", plan);
        project.write("bank.txt", "paid");
        running.finish().expect(0);
        let answers = Answers::new().choose("claims", answer.unwrap_or("Carry out"));
        let answers = answers.write_to(home.path()).display().to_string();
        let again = home.planwright(&project, words.into_iter().chain(["--answers", &answers]));
        assert_eq!(again.status, status, "{answer:?}: {}", again.shown());
        let asked = again
            .events("waiting")
            .first()
            .map(|asked| asked["for"].clone());
        assert_eq!(
            asked,
            answer.is_none().then(|| "claims".into()),
            "{answer:?}"
        );
        assert_eq!(paid(&project), times, "{answer:?}: {}", again.shown());
    }
}

#[test]
fn a_step_that_was_cut_off_is_not_repeated_under_another_name() {
    let plan = "\
# Pay slowly

## Tasks
- [ ] **T1** Send the payment that takes a while
  - call: `run_command {\"command\": \"sh -c 'echo PAID >> paid.txt; sleep 600'\"}`
";
    for name in ["renamed", "copied"] {
        let home = Home::new();
        let project = Project::new().file("plans/p.md", plan);
        let approved = revision(&home, &project, "plans/p.md");
        let begin = ["run", "plans/p.md", "--approve", &approved, "--json"];
        let running = home.spawn(&project, begin);
        planwright_tests::wait_until("the payment", || paid(&project) == 1);
        running.kill_9();
        std::fs::copy(project.at("plans/p.md"), project.at("plans/q.md")).unwrap();
        if name == "renamed" {
            std::fs::remove_file(project.at("plans/p.md")).unwrap();
        }
        let now = revision(&home, &project, "plans/q.md");
        let again = home.planwright(&project, ["run", "plans/q.md", "--approve", &now, "--json"]);
        assert!(
            again.shown().contains("planwright discard"),
            "{}",
            again.shown()
        );
        assert_eq!(paid(&project), 1, "{name}");
    }
}

#[test]
fn what_a_person_approves_is_merged_with_nothing() {
    let home = Home::new();
    let plan = |own: &str, file: &str| {
        format!(
            "# Write a file\n\n## Tasks\n- [ ] **T1** Write the file that is named below\n{own}  - files: `{file}`\n"
        )
    };
    let call = |file: &str| {
        format!("  - call: `write_file {{\"path\": \"{file}\", \"content\": \"1\"}}`\n")
    };
    let project = Project::new().file("plans/p.md", plan("  - by: person\n", "f1.txt"));
    let approved = revision(&home, &project, "plans/p.md");
    let id = run_id(&run_revision(&home, &project, "plans/p.md", &approved, &[]).expect(3));
    home.planwright(&project, ["discard", &id, "--yes", "--json"])
        .expect(0);
    for file in ["f2.txt", "f3.txt", "f4.txt"] {
        let text = plan(&call(file), file);
        project.write("plans/p.md", &text);
        let named = revision(&home, &project, "plans/p.md");
        run_revision(&home, &project, "plans/p.md", &named, &[]).expect(0);
        assert_eq!(project.read("plans/p.md"), text.replace("[ ]", "[x]"));
    }
}

#[test]
fn a_run_that_waits_is_open_for_everybody() {
    let (home, other) = (Home::new(), Home::new());
    let project = Project::new().file("plans/p.md", GATED);
    let approved = revision(&home, &project, "plans/p.md");
    let waiting = run_id(&run_revision(&home, &project, "plans/p.md", &approved, &[]).expect(3));
    // A program with another data folder is refused until the run ends, here by being discarded.
    let now = revision(&home, &project, "plans/p.md");
    let begin = ["run", "plans/p.md", "--approve", &now, "--json"];
    let elsewhere = other.planwright(&project, begin);
    let refusal = format!("run {waiting} of this plan is unfinished");
    assert!(
        elsewhere.shown().contains(&refusal),
        "{}",
        elsewhere.shown()
    );
    // A new run with the same data folder reports that it replaces the old one, and waits too.
    let again = run_revision(&home, &project, "plans/p.md", &now, &[]).expect(3);
    let notice = format!("run {waiting} of this plan was waiting on you");
    assert!(again.shown().contains(&notice), "{}", again.shown());
    let id = run_id(&again);
    other.planwright(&project, begin).expect(elsewhere.status);
    home.planwright(&project, ["discard", &id, "--json"])
        .expect(0);
    // The record of the run's actions remains; its lock file is removed.
    let kept = std::fs::read_dir(project.at(".planwright/run")).unwrap();
    let kept: Vec<_> = kept.map(|entry| entry.unwrap().file_name()).collect();
    assert!(
        kept.iter()
            .all(|name| !name.to_string_lossy().ends_with(".lock")),
        "{kept:?}"
    );
    let free = other.planwright(&project, begin);
    assert!(!free.shown().contains("is open"), "{}", free.shown());
}

#[test]
fn a_plan_under_two_names_is_not_run() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", GATED);
    let approved = revision(&home, &project, "plans/p.md");
    std::fs::hard_link(project.at("plans/p.md"), project.at("plans/q.md")).unwrap();
    for name in ["plans/p.md", "plans/q.md"] {
        let refused = home.planwright(&project, ["run", name, "--approve", &approved, "--json"]);
        assert!(
            refused.shown().contains("hard links"),
            "{}",
            refused.shown()
        );
    }
    assert!(!project.at("report.txt").exists());
}

#[test]
fn what_an_earlier_run_recorded_counts_only_for_the_same_words() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", GATED);
    let approved = revision(&home, &project, "plans/p.md");
    let answers = Answers::new()
        .choose("C1", "Continue")
        .write_to(home.path());
    let answers = ["--answers", answers.to_str().unwrap()];
    run_revision(&home, &project, "plans/p.md", &approved, &answers).expect(0);
    assert_eq!(paid(&project), 1);
    // Running again does nothing. Once the text of a ticked step has changed, the run asks.
    run_revision(&home, &project, "plans/p.md", &approved, &[]).expect(0);
    assert_eq!(paid(&project), 1);
    project.edit("plans/p.md", "echo PAID", "echo PAID AGAIN");
    let now = revision(&home, &project, "plans/p.md");
    let asked = run_revision(&home, &project, "plans/p.md", &now, &[]).expect(3);
    assert_eq!(
        asked.events("waiting")[0]["for"],
        "claims",
        "{}",
        asked.shown()
    );
    assert_eq!(paid(&project), 1);
}

#[test]
fn what_a_run_that_stopped_inside_a_step_has_done_is_not_done_again_by_the_next_one() {
    let plan = "\
# Pay, then tidy up

## Tasks
- [ ] **T1** Send the payment and delete the order
  - call: `run_command {\"command\": \"sh -c 'echo PAID >> paid.txt'\"}`
  - call: `delete_file {\"path\": \"order.txt\"}`
";
    let home = Home::new();
    let project = Project::new()
        .file("plans/p.md", plan)
        .file("order.txt", "x\n");
    let approved = revision(&home, &project, "plans/p.md");
    run_revision(&home, &project, "plans/p.md", &approved, &[]).expect(3);
    assert_eq!(paid(&project), 1);
    // The person answers by running the plan again, not by resuming.
    let delete = Answers::new().permit("delete_file", "exact order.txt", "once");
    for answers in [delete.clone(), delete.clone().unknown("check")] {
        let answers = answers.write_to(home.path());
        let answers = ["--answers", answers.to_str().unwrap()];
        let asked = run_revision(&home, &project, "plans/p.md", &approved, &answers).expect(3);
        let asked = &asked.events("waiting")[0];
        assert_eq!(
            (asked["for"].as_str(), asked["id"].as_str()),
            (Some("unknown"), Some("T1"))
        );
        assert!(
            asked["message"].as_str().unwrap().contains("echo PAID"),
            "{asked}"
        );
        assert_eq!(paid(&project), 1);
    }
    let repeat = delete.unknown("repeat").write_to(home.path());
    let repeat = ["--answers", repeat.to_str().unwrap()];
    run_revision(&home, &project, "plans/p.md", &approved, &repeat).expect(0);
    assert_eq!(paid(&project), 2, "repeated because the person said so");
}

#[test]
fn a_step_with_sub_tasks_that_has_work_of_its_own_is_refused() {
    let of_group = |own: &str| {
        format!(
            "# Deploy the shop\n\n## Tasks\n- [ ] **C1** Review before it\n{own}  - [ ] **T1** Collect the diff\n    \
             - call: `run_command {{\"command\": \"touch t1\"}}`\n- [ ] **T2** Deploy\n  - depends: C1\n  \
             - call: `run_command {{\"command\": \"touch t2\"}}`\n"
        )
    };
    for own in [
        "  - type: checkpoint\n  - option: Continue -> continue\n",
        "  - type: decision\n  - option: A -> T2\n",
        "  - verify: `false`\n",
        "  - by: person\n",
        "  - call: `run_command {\"command\": \"touch c1\"}`\n",
    ] {
        let (home, project) = (
            Home::new(),
            Project::new().file("plans/p.md", of_group(own)),
        );
        let refused = run(&home, &project, "plans/p.md", &[]).expect(4);
        assert!(
            refused.stdout.contains("C1 is a group"),
            "{}",
            refused.shown()
        );
        assert!(!project.at("t1").exists() && !project.at("t2").exists());
    }
    let (home, project) = (Home::new(), Project::new().file("plans/p.md", of_group("")));
    run(&home, &project, "plans/p.md", &[]).expect(0);
}

#[test]
fn a_start_that_fails_and_a_plan_after_the_same_pattern_leave_a_waiting_run_open() {
    let of_version = |version: &str| {
        format!(
            "---\nplanwright: 1\nid: release-{version}\ngoal: Release version {version}\n---\n# Release\n\n## Tasks\n\
             - [ ] **C1** Review\n  - type: checkpoint\n  - option: Continue -> continue\n\
             - [ ] **T1** Publish\n  - call: `run_command {{\"command\": \"touch published-{version}\"}}`\n"
        )
    };
    let home = Home::new();
    let project = Project::new()
        .file("plans/a.md", of_version("1.2"))
        .file("plans/b.md", of_version("7.0"));
    let first = run(&home, &project, "plans/a.md", &[]).expect(3);
    run(&home, &project, "plans/a.md", &["--hand-over", "nobody"]).expect(64);
    run(&home, &project, "plans/b.md", &[]).expect(3);
    let on = Answers::new().choose("C1", "Continue");
    crate::resume(&home, &project, &run_id(&first), &on).expect(0);
    assert!(project.at("published-1.2").exists());
    assert!(!project.at("published-7.0").exists());
    // A finished run can't be discarded.
    let discarded = home.planwright(&project, ["discard", &run_id(&first), "--yes"]);
    assert!(discarded.expect(64).stderr.contains("is done"));
}

#[test]
fn an_answer_that_was_written_by_hand_is_said_not_to_count() {
    let plan = "# Choose\n\n## Tasks\n- [ ] **D1** Which?\n  - type: decision\n  - option: A -> T1\n  - option: B -> T2\n\
                - [ ] **T1** One\n  - depends: D1\n  - call: `run_command {\"command\": \"touch one\"}`\n\
                - [ ] **T2** Two\n  - depends: D1\n  - call: `run_command {\"command\": \"touch two\"}`\n\n\
                ## Decisions\n- D1: B\n";
    let (home, project) = (Home::new(), Project::new().file("plans/p.md", plan));
    let asked = run(&home, &project, "plans/p.md", &[]).expect(3);
    assert_eq!(asked.events("waiting")[0]["id"], "D1", "{}", asked.shown());
    assert!(
        asked.stdout.contains("into the file by hand"),
        "{}",
        asked.shown()
    );
    let answers = Answers::new().choose("D1", "A");
    crate::resume(&home, &project, &run_id(&asked), &answers).expect(0);
    let file = project.read("plans/p.md");
    let line = file.lines().find(|line| line.starts_with("- D1")).unwrap();
    let edited = file.replace(line, "- D1: B");
    project.write("plans/p.md", edited);
    let again = run(&home, &project, "plans/p.md", &[]);
    assert!(
        again.stdout.contains("which still applies"),
        "{}",
        again.shown()
    );
}
