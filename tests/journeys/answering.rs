//! The `answer` command: answers one question from the command line and continues the run.

use planwright_tests::{Home, Project};

use crate::{revision, run, run_id};

const PLAN: &str = "\
# Three steps

- [ ] **D1** Which separator
  - type: decision
  - option: Comma -> continue
  - option: Semicolon -> continue
- [ ] **T1** Look at the result by eye
  - by: person
- [ ] **T2** Remove the old data
  - call: `run_command {\"command\": \"rm -r data\"}`
";

fn project() -> Project {
    Project::new()
        .file("plans/p.md", PLAN)
        .file("data/a.txt", "a\n")
        .git()
}

#[test]
fn a_waiting_run_is_answered_step_by_step() {
    let (home, project) = (Home::new(), project());
    let reason = ["--reason", "the data has a copy"];
    let id = run_id(&run(&home, &project, "plans/p.md", &reason).expect(3));
    let answer = |words: &[&str]| {
        let start = ["answer", &id];
        home.planwright(&project, start.iter().chain(words).chain(&["--json"]))
    };
    answer(&["D1", "semi"]).expect(3);
    assert!(project.read("plans/p.md").contains("Semicolon"));
    let asked = answer(&["T1", "Done", "--note", "looks right"]).expect(3);
    assert_eq!(asked.events("waiting")[0]["for"], "destructive");
    assert!(project.at("data/a.txt").exists());
    answer(&["T2", "once"]).expect(0);
    assert!(!project.at("data/a.txt").exists());
}

#[test]
fn words_that_answer_nothing_change_nothing() {
    let (home, project) = (Home::new(), project());
    let id = run_id(&run(&home, &project, "plans/p.md", &[]).expect(3));
    let before = project.snapshot();
    let wrong = home.planwright(&project, ["answer", &id, "D1", "Tab"]);
    let wrong = wrong.expect(64);
    assert!(
        wrong.stderr.contains("Comma, Semicolon"),
        "{}",
        wrong.shown()
    );
    let elsewhere = home.planwright(&project, ["answer", &id, "T9", "Done"]);
    let elsewhere = elsewhere.expect(64);
    assert!(
        elsewhere.stderr.contains("only for: D1"),
        "{}",
        elsewhere.shown()
    );
    home.planwright(&project, ["answer", "zzzz", "D1", "Comma"])
        .expect(64);
    project.snapshot().assert_same_as(&before, &[]);
}

#[test]
fn each_stop_prints_the_next_command_with_the_runs_id() {
    let home = Home::new();
    let project = Project::new().file(
        "plans/p.md",
        "# Two\n\n- [ ] **T1** Look at it by eye\n  - by: person\n- [ ] **T2** Check the file\n  - call: `run_command {\"command\": \"test -e ready.txt\"}`\n",
    );
    let revision = revision(&home, &project, "plans/p.md");
    let waiting = home.planwright(&project, ["run", "plans/p.md", "--approve", &revision]);
    let waiting = waiting.expect(3);
    let runs = home.planwright(&project, ["runs", "--json"]).last_json();
    let id = runs["run"].as_str().unwrap().to_owned();
    let has = |output: &planwright_tests::Output, command: &str| {
        let command = command.replace("RUN", &id);
        assert!(output.stdout.contains(&command), "{}", output.shown());
    };
    has(&waiting, "planwright answer RUN T1 ANSWER");
    let answered = ["answer", &id, "T1", "Done", "--note", "looked"];
    let failed = home.planwright(&project, answered).expect(4);
    has(&failed, "planwright answer RUN T2 Retry");
    has(&failed, "planwright receipt RUN");
    project.write("ready.txt", "");
    let done = home.planwright(&project, ["answer", &id, "T2", "Retry"]);
    let done = done.expect(0);
    has(&done, "planwright receipt RUN");
    has(&done, "planwright undo RUN");
}
