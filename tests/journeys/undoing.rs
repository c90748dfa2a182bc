//! `undo`: a step's changes are taken back, later ones kept.

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
        "the step is open again"
    );
    assert!(project.read("plans/p.md").contains("- [x] **T2**"));

    home.planwright(&project, ["undo", &id, "T2", "--json"])
        .expect(0);
    assert_eq!(project.read("list.txt"), LIST);
    assert!(
        !project.at("made.txt").exists(),
        "what the command made is gone"
    );
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
