//! The `undo` command: reverts a step's changes and keeps later ones.

use planwright_tests::{Home, Project};

use crate::{run, run_id};

const PLAN: &str = "\
# Change two places of one file

## Tasks
- [ ] **T1** Change the first line of the list
  - call: `edit_file {\"path\": \"list.txt\", \"old_text\": \"alpha\", \"new_text\": \"ALPHA\"}`
- [ ] **T2** Change the last line of the list
  - call: `edit_file {\"path\": \"list.txt\", \"old_text\": \"omega\", \"new_text\": \"OMEGA\"}`
  - call: `run_command {\"command\": \"sh -c 'echo made > made.txt'\"}`
";

const LIST: &str = "alpha\nb\nc\nd\ne\nf\ng\nh\nomega\n";

#[test]
fn a_step_is_taken_back_and_later_ones_stay() {
    let home = Home::new();
    let project = Project::new()
        .file("plans/p.md", PLAN)
        .file("list.txt", LIST);
    let id = run_id(&run(&home, &project, "plans/p.md", &[]).expect(0));
    let undone = home
        .planwright(&project, ["undo", &id, "T1", "--json"])
        .expect(0)
        .last_json();
    assert_eq!(undone["merged"][0], "list.txt");
    assert_eq!(project.read("list.txt"), LIST.replace("omega", "OMEGA"));
    assert!(
        project.read("plans/p.md").contains("- [ ] **T1**"),
        "the step is unticked"
    );
    assert!(project.read("plans/p.md").contains("- [x] **T2**"));

    home.planwright(&project, ["undo", &id, "T2", "--json"])
        .expect(0);
    assert_eq!(project.read("list.txt"), LIST);
    assert!(
        !project.at("made.txt").exists(),
        "the command's file is gone"
    );
}

#[test]
fn a_whole_run_is_undone_from_its_last_step_to_its_first() {
    let home = Home::new();
    let project = Project::new()
        .file("plans/p.md", PLAN)
        .file("list.txt", LIST);
    let id = run_id(&run(&home, &project, "plans/p.md", &[]).expect(0));
    let undone = home.planwright(&project, ["undo", &id, "--json"]).expect(0);
    assert_eq!(undone.last_json()["conflicts"], serde_json::json!([]));
    assert_eq!(project.read("list.txt"), LIST);
    assert!(!project.at("made.txt").exists());
    let plan = project.read("plans/p.md");
    assert!(plan.contains("- [ ] **T1**") && plan.contains("- [ ] **T2**"));
    let again = home.planwright(&project, ["undo", &id]).expect(0);
    assert!(
        again.stdout.contains("nothing to undo"),
        "{}",
        again.shown()
    );
}

#[test]
fn undoing_a_whole_run_leaves_a_file_with_a_conflict_alone() {
    let home = Home::new();
    let project = Project::new()
        .file("plans/p.md", PLAN)
        .file("list.txt", LIST);
    let id = run_id(&run(&home, &project, "plans/p.md", &[]).expect(0));
    project.edit("list.txt", "ALPHA", "alpha and more");
    let undone = home.planwright(&project, ["undo", &id, "--json"]).expect(3);
    assert_eq!(undone.last_json()["conflicts"][0]["path"], "list.txt");
    assert!(project.read("list.txt").contains("alpha and more"));
    assert!(!project.at("made.txt").exists());
}

#[test]
fn a_conflict_is_shown_and_nothing_dropped() {
    let home = Home::new();
    let project = Project::new()
        .file("plans/p.md", PLAN)
        .file("list.txt", LIST);
    let id = run_id(&run(&home, &project, "plans/p.md", &[]).expect(0));
    project.edit("list.txt", "ALPHA", "alpha and more");
    let before = project.read("list.txt");
    let undone = home
        .planwright(&project, ["undo", &id, "T1", "--json"])
        .expect(3)
        .last_json();
    assert_eq!(undone["conflicts"][0]["path"], "list.txt");
    assert_eq!(project.read("list.txt"), before);
}

#[test]
fn outputs_that_git_ignores_are_named_and_left() {
    let home = Home::new();
    let plan = "# Build the thing\n\n- [ ] **T1** Build an output and a source\n  - call: `run_command {\"command\": \"sh -c 'mkdir out; echo o > out/o; echo s > source'\"}`\n";
    let project = Project::new()
        .file("plans/p.md", plan)
        .file(".gitignore", "out/\n")
        .git();
    let ran = run(&home, &project, "plans/p.md", &[]).expect(0);
    assert_eq!(
        ran.events("task")[0]["changes"],
        serde_json::json!(["source"])
    );
    let undone = home.planwright(&project, ["undo", &run_id(&ran), "T1", "--json"]);
    assert_eq!(undone.expect(0).last_json()["ignored"][0], "out/o");
    assert!(!project.at("source").exists());
    assert!(project.at("out/o").exists());
}

/// A plan with a step that fails, and a step after it.
const IN_BETWEEN: &str = "\
# Two at one file

## Tasks
- [ ] **T1** Change the first line
  - call: `edit_file {\"path\": \"list.txt\", \"old_text\": \"alpha\", \"new_text\": \"ALPHA\"}`
  - call: `run_command {\"command\": \"sh -c 'test -e ready.txt && echo T1 > one.txt'\"}`
- [ ] **T2** Change the last line
  - depends: none
  - call: `edit_file {\"path\": \"list.txt\", \"old_text\": \"omega\", \"new_text\": \"OMEGA\"}`
  - call: `run_command {\"command\": \"sh -c 'echo T2 > two.txt'\"}`
";

#[test]
fn what_others_do_between_two_attempts_is_not_taken_back_with_a_step() {
    let home = Home::new();
    let project = Project::new()
        .file("plans/p.md", IN_BETWEEN)
        .file("list.txt", LIST);
    let begun = run(&home, &project, "plans/p.md", &[]).expect(4);
    let id = run_id(&begun);
    project.write("ready.txt", "by hand\n");
    project.edit("list.txt", "e\n", "e, by hand\n");
    let answers = home.path().join("answers.json");
    std::fs::write(&answers, r#"{"T1": {"retry": true}}"#).unwrap();
    let answers = answers.display().to_string();
    let by_hand = LIST.replace("e\n", "e, by hand\n");
    // The second time, the first step has already been undone and the other one is done.
    for _ in 0..2 {
        let resume = ["resume", &id, "--answers", &answers, "--json"];
        let ended = home.planwright(&project, resume).expect(0);
        let mut done = ended.events("task").into_iter();
        let first = done.find(|event| event["task"] == "T1" && event["state"] == "done");
        assert_eq!(
            first.unwrap()["changes"],
            serde_json::json!(["list.txt", "one.txt"])
        );
        assert_eq!(
            project.read("list.txt"),
            by_hand.replace("alpha", "ALPHA").replace("omega", "OMEGA")
        );

        home.planwright(&project, ["undo", &id, "T1", "--json"])
            .expect(0);
        assert_eq!(project.read("list.txt"), by_hand.replace("omega", "OMEGA"));
        assert!(!project.at("one.txt").exists());
        assert_eq!(project.read("two.txt"), "T2\n");
        assert_eq!(project.read("ready.txt"), "by hand\n");
    }
    home.planwright(&project, ["undo", &id, "T2", "--json"])
        .expect(0);
    assert_eq!(project.read("list.txt"), by_hand);
    assert!(!project.at("two.txt").exists());
}

#[test]
fn what_is_done_while_a_step_waits_for_a_person_is_not_taken_back_with_it() {
    let home = Home::new();
    let plan = "# Two\n\n- [ ] **T1** Choose the colours\n  - by: person\n- [ ] **T2** Make a file\n  \
                - depends: none\n  - call: `write_file {\"path\": \"two.txt\", \"content\": \"T2\\n\"}`\n";
    let project = Project::new().file("plans/p.md", plan);
    let begun = run(&home, &project, "plans/p.md", &[]).expect(3);
    project.write("colours.txt", "red\n");
    let answers = home.path().join("answers.json");
    std::fs::write(&answers, r#"{"T1": {"done": true, "note": "chose red"}}"#).unwrap();
    let (id, answers) = (run_id(&begun), answers.display().to_string());
    let ended = home
        .planwright(&project, ["resume", &id, "--answers", &answers, "--json"])
        .expect(0);
    let done = ended.events("task");
    let done = done.iter().find(|event| event["state"] == "done").unwrap();
    assert_eq!(done["changes"], serde_json::json!(["colours.txt"]));
    home.planwright(&project, ["undo", &id, "T1", "--json"])
        .expect(0);
    assert!(!project.at("colours.txt").exists());
    assert_eq!(project.read("two.txt"), "T2\n");
}
