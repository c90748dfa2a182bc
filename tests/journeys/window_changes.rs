//! The data for the Changes view, and undo, as the window requests them.

use desktop::wire::{GivenAnswer, Steering};
use planwright_tests::Project;
use workbench::Code;

use crate::desk::Desk;

const PLAN: &str = "\
# Change two places of one file

## Tasks
- [ ] **T1** Change the first line of the list
  - call: `edit_file {\"path\": \"list.txt\", \"old_text\": \"alpha\", \"new_text\": \"ALPHA\"}`
  - call: `write_file {\"path\": \"one.txt\", \"content\": \"1\\n\"}`
- [ ] **T2** Change the last line of the list
  - call: `edit_file {\"path\": \"list.txt\", \"old_text\": \"omega\", \"new_text\": \"OMEGA\"}`
  - call: `run_command {\"command\": \"sh -c 'echo made > made.txt; rm gone.txt; mkdir out; echo o > out/o'\"}`
";

const LIST: &str = "alpha\nb\nc\nd\ne\nf\ng\nh\nomega\n";

fn project() -> Project {
    Project::new()
        .file("plans/p.md", PLAN)
        .file("list.txt", LIST)
        .file("gone.txt", "gone\n")
        .file(".gitignore", "out/\n")
        .git()
}

fn done() -> (Desk, String) {
    let mut desk = Desk::new(project());
    let run = desk.approve();
    let asked = desk.wait_question(&run, "destructive");
    desk.answer(&asked, GivenAnswer::AllowOnce).unwrap();
    desk.wait_state(&run, "done");
    (desk, run)
}

fn files(desk: &Desk, run: &str, task: Option<&str>) -> Vec<(String, String, u32, u32, bool)> {
    let view = desk.desktop().changes(run, task).unwrap();
    let files = view.files.into_iter();
    files
        .map(|file| {
            (
                file.path,
                file.kind,
                file.added,
                file.removed,
                file.is_undone,
            )
        })
        .collect()
}

fn row(
    path: &str,
    kind: &str,
    added: u32,
    removed: u32,
    undone: bool,
) -> (String, String, u32, u32, bool) {
    (path.to_owned(), kind.to_owned(), added, removed, undone)
}

#[test]
fn each_step_and_the_whole_run_show_what_they_changed() {
    let (desk, run) = done();
    assert_eq!(
        files(&desk, &run, Some("T1")),
        [
            row("list.txt", "changed", 1, 1, false),
            row("one.txt", "added", 1, 0, false)
        ]
    );
    assert_eq!(
        files(&desk, &run, None),
        [
            row("gone.txt", "removed", 0, 1, false),
            row("list.txt", "changed", 2, 2, false),
            row("made.txt", "added", 1, 0, false),
            row("one.txt", "added", 1, 0, false),
        ],
        "ticks in the plan are not changes by the run"
    );
    let whole = desk.desktop().changes(&run, None).unwrap();
    assert_eq!(whole.ignored, ["out/o"]);
    assert!(
        whole.before.contains("the tree was clean at "),
        "{}",
        whole.before
    );

    let diff = desk.desktop().file_diff(&run, None, "list.txt").unwrap();
    let changed: Vec<_> = diff
        .lines
        .iter()
        .filter(|line| line.kind != "same")
        .map(|line| (&*line.kind, line.old, line.new, &*line.text))
        .collect();
    assert_eq!(
        changed,
        [
            ("removed", Some(1), None, "alpha"),
            ("added", None, Some(1), "ALPHA"),
            ("gap", None, None, ""),
            ("removed", Some(9), None, "omega"),
            ("added", None, Some(9), "OMEGA"),
        ]
    );
    let other = desk.desktop().file_diff(&run, Some("T1"), "made.txt");
    assert_eq!(other.unwrap_err().code, Code::Usage);
}

#[test]
fn one_file_of_a_step_is_taken_back_and_the_rest_stays() {
    let (desk, run) = done();
    let undone = desk
        .desktop()
        .undo_changes(&run, Some("T1"), Some("list.txt"))
        .unwrap();
    assert_eq!(undone.merged, ["list.txt"]);
    assert_eq!(
        desk.project.read("list.txt"),
        LIST.replace("omega", "OMEGA")
    );
    assert!(desk.project.at("one.txt").exists());
    assert!(desk.project.read("plans/p.md").contains("- [x] **T1**"));

    desk.desktop()
        .undo_changes(&run, Some("T1"), Some("one.txt"))
        .unwrap();
    assert!(!desk.project.at("one.txt").exists());
    let again = files(&desk, &run, Some("T1"));
    assert!(
        again.iter().any(|file| file.0 == "one.txt" && file.4),
        "{again:?}"
    );
    let stranger = desk.desktop().undo_changes(&run, None, Some("nowhere.txt"));
    assert_eq!(stranger.unwrap_err().code, Code::Usage);
}

#[test]
fn the_whole_run_is_taken_back_newest_step_first() {
    let (desk, run) = done();
    let before = desk.project.read("plans/p.md");
    assert!(before.contains("- [x] **T2**"));
    let undone = desk.desktop().undo_changes(&run, None, None).unwrap();
    assert!(
        undone.conflicts.is_empty() && undone.merged.is_empty(),
        "{undone:?}"
    );
    assert_eq!(undone.ignored, ["out/o"]);
    assert_eq!(desk.project.read("list.txt"), LIST);
    assert_eq!(desk.project.read("gone.txt"), "gone\n");
    assert!(!desk.project.at("made.txt").exists() && !desk.project.at("one.txt").exists());
    assert_eq!(
        desk.project.read("plans/p.md"),
        PLAN,
        "both steps are unticked"
    );
    assert!(files(&desk, &run, None).is_empty());
    let states = desk.view(&run).states;
    assert!(
        states.iter().all(|known| known.state == "undone"),
        "{states:?}"
    );
}

#[test]
fn a_conflict_shows_both_sides_and_drops_nothing() {
    let (desk, run) = done();
    desk.project.edit("list.txt", "ALPHA", "alpha and more");
    let before = desk.project.read("list.txt");
    let undone = desk
        .desktop()
        .undo_changes(&run, Some("T1"), Some("list.txt"))
        .unwrap();
    assert_eq!(undone.conflicts[0].path, "list.txt");
    assert!(undone.conflicts[0].text.contains("alpha and more"));
    assert_eq!(desk.project.read("list.txt"), before);
    assert!(desk.project.read("plans/p.md").contains("- [x] **T1**"));
}

#[test]
fn what_was_taken_back_can_be_done_again() {
    let (mut desk, run) = done();
    desk.desktop().undo_changes(&run, Some("T2"), None).unwrap();
    assert_eq!(desk.view(&run).states.len(), 2);
    let task = "T2".to_owned();
    std::fs::remove_dir_all(desk.project.at("out")).unwrap();
    desk.desktop()
        .steer(&run, Steering::Retry { task })
        .unwrap();
    let asked = desk.wait_question(&run, "destructive");
    desk.answer(&asked, GivenAnswer::AllowOnce).unwrap();
    desk.wait_state(&run, "done");
    assert_eq!(desk.project.read("made.txt"), "made\n");
    let t2 = files(&desk, &run, Some("T2"));
    assert!(
        t2.contains(&row("made.txt", "added", 1, 0, false)),
        "{t2:?}"
    );
}

#[test]
fn nothing_is_taken_back_while_the_plan_is_carried_out() {
    let plan = PLAN.replace(
        "echo made > made.txt",
        "while [ ! -e open ]; do sleep 0.02; done; echo made > made.txt",
    );
    let mut desk = Desk::new(project());
    desk.project.write("plans/p.md", plan);
    let run = desk.approve();
    let asked = desk.wait_question(&run, "destructive");
    desk.answer(&asked, GivenAnswer::AllowOnce).unwrap();
    desk.wait(&run, "T2 is at work", |view| {
        view.current.as_ref().is_some_and(|step| step.task == "T2")
    });
    let refused = desk
        .desktop()
        .undo_changes(&run, Some("T1"), None)
        .unwrap_err();
    assert_eq!(refused.code, Code::PlanIsRunning);
    desk.project.write("open", "");
    desk.wait_state(&run, "done");
}
