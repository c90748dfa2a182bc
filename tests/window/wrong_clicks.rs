//! Hasty clicks and changing files must not run a step that was not approved as it appeared on
//! screen. After each mistake, the disk, the runs and the approvals are checked.

use std::path::PathBuf;
use std::time::Duration;

use planwright_tests::window::Window;
use planwright_tests::{Home, Project, stage, wait_until};
use store::Store;

const PLAN: &str = "\
---
planwright: 1
id: two-files-7c2w
goal: Write the two files
---
# Write the two files

## Requirements
- R1 the first file says one
- R2 the second file says two

## Tasks
- [ ] **T1** Write the first of the two files
  - call: `write_file {\"path\": \"one.txt\", \"content\": \"one\\n\"}`
  - files: `one.txt`
  - covers: R1
- [ ] **T2** Write the second of the two files
  - depends: T1
  - call: `write_file {\"path\": \"two.txt\", \"content\": \"two\\n\"}`
  - files: `two.txt`
  - covers: R2
";

const PRIMARY: &str = "Approve and run…";
const CONFIRM: &str = "Approve and run";

/// A window with the plan open and nothing approved.
struct Stage {
    home: Home,
    project: Project,
    window: Window,
}

impl Stage {
    fn new() -> Self {
        let (home, project) = (Home::new(), Project::new().file("plans/p.md", PLAN));
        let window = open(&home, &project);
        Self {
            home,
            project,
            window,
        }
    }

    fn plan(&self) -> PathBuf {
        self.project.at("plans/p.md")
    }

    /// Opens the dialog and waits until its button accepts clicks.
    fn ask(&self) {
        self.window.click("button", PRIMARY);
        self.window.find("dialog", CONFIRM);
        self.window.wait_until_armed("button", CONFIRM);
    }

    fn seen_revision(&self) -> String {
        let script = "return document.querySelector('[data-testid=seen-revision]').textContent;";
        let seen = self.window.script(script, Vec::new());
        seen.as_str()
            .expect("the dialog names the revision")
            .to_owned()
    }

    fn approvals(&self) -> Vec<store::Approval> {
        let (store, _) =
            Store::open(&self.home.path().join("data"), 0).expect("the database opens");
        let plan = self.plan().to_string_lossy().into_owned();
        store
            .approvals()
            .of_plan(&plan)
            .expect("the approvals are read")
    }

    #[track_caller]
    fn assert_nothing_approved(&self) {
        assert_eq!(
            stage::runs(&self.home),
            Vec::<serde_json::Value>::new(),
            "no run"
        );
        assert!(
            self.approvals().is_empty(),
            "no approval: {:?}",
            self.approvals()
        );
        for file in ["one.txt", "two.txt"] {
            assert!(!self.project.at(file).exists(), "{file} was written");
        }
        let plan = self.project.read("plans/p.md");
        assert!(!plan.contains("[x]"), "a step is ticked:\n{plan}");
    }
}

fn open(home: &Home, project: &Project) -> Window {
    let plan = project.at("plans/p.md").to_string_lossy().into_owned();
    let window = Window::open(home, [plan]);
    window.find("button", PRIMARY);
    window.find("row", "Write the second of the two files");
    window
}

#[test]
fn a_double_click_on_the_primary_button_approves_nothing() {
    let stage = Stage::new();
    stage.window.double_click("button", PRIMARY);
    stage.window.find("dialog", CONFIRM);
    stage.window.wait_until_armed("button", CONFIRM);
    stage.assert_nothing_approved();
}

#[test]
fn a_double_click_as_the_dialog_comes_up_approves_nothing() {
    let stage = Stage::new();
    stage.window.click("button", PRIMARY);
    stage.window.find("dialog", CONFIRM);
    stage.window.double_click("button", CONFIRM);
    stage.window.wait_until_armed("button", CONFIRM);
    stage.assert_nothing_approved();
}

#[test]
fn a_double_click_on_the_confirmation_approves_at_most_once_and_what_was_shown() {
    let stage = Stage::new();
    stage.ask();
    let seen = stage.seen_revision();
    stage.window.double_click("button", CONFIRM);
    let gone = "document.querySelector('[role=dialog]') === null";
    if stage
        .window
        .wait_up_to(Duration::from_secs(3), gone)
        .is_err()
    {
        // The dialog may have received only the second half of the double click; then nothing
        // happens.
        stage.window.click("button", CONFIRM);
    }
    wait_until("the run to have ended", || {
        stage::runs(&stage.home)
            .first()
            .is_some_and(|run| run["state"] == "done")
    });
    assert_eq!(stage::runs(&stage.home).len(), 1);
    let approvals = stage.approvals();
    assert_eq!(approvals.len(), 1, "{approvals:?}");
    assert!(
        approvals[0].revision.starts_with(&seen),
        "{approvals:?} is not for {seen}"
    );
}

#[test]
fn enter_held_down_on_the_primary_button_approves_nothing() {
    let stage = Stage::new();
    stage.window.tab_to("button", PRIMARY);
    stage.window.hold("Enter", 12);
    stage.window.hold("Enter", 12);
    stage.window.settle();
    stage.assert_nothing_approved();
}

#[test]
fn the_primary_key_twice_opens_the_dialog_and_approves_nothing() {
    let stage = Stage::new();
    stage.window.press("Control+Enter");
    stage.window.press("Control+Enter");
    stage.window.find("dialog", CONFIRM);
    stage.window.wait_until_armed("button", CONFIRM);
    stage.window.press("Control+Enter");
    stage.window.settle();
    assert!(
        !stage.window.focus().contains(CONFIRM),
        "the approve button is focused first"
    );
    stage.assert_nothing_approved();
}

#[test]
fn escape_and_a_click_beside_the_dialog_approve_nothing() {
    let stage = Stage::new();
    stage.ask();
    stage.window.press("Escape");
    stage.window.wait_until_gone("dialog", CONFIRM);
    stage.ask();
    stage.window.click("button", "Cancel");
    stage.window.wait_until_gone("dialog", CONFIRM);
    stage.assert_nothing_approved();
}

#[test]
fn a_plan_that_changes_under_the_dialog_cannot_be_approved_unread() {
    let stage = Stage::new();
    stage.ask();
    stage
        .project
        .edit("plans/p.md", "\"two\\n\"", "\"evil\\n\"");
    stage
        .window
        .wait_for_text("The plan changed while this was open.");
    stage.window.double_click("button", CONFIRM);
    stage.window.press("Enter");
    stage.window.settle();
    assert!(stage::runs(&stage.home).is_empty() && stage.approvals().is_empty());
    assert!(!stage.project.at("one.txt").exists());
}

#[test]
fn a_plan_that_changes_as_the_button_is_pressed_runs_only_what_was_shown() {
    for attempt in 0..8_u64 {
        let stage = Stage::new();
        stage.ask();
        let seen = stage.seen_revision();
        let evil = stage
            .project
            .read("plans/p.md")
            .replace("\"two\\n\"", "\"evil\\n\"");
        let plan = stage.plan();
        let writer = std::thread::spawn(move || {
            // Writes at about the time of the click, slightly later with each attempt.
            std::thread::sleep(Duration::from_millis(attempt * 12));
            std::fs::write(plan, evil).expect("the plan is written");
        });
        stage.window.double_click("button", CONFIRM);
        writer.join().expect("the writer ends");
        let has_run = || stage::runs(&stage.home).first().cloned();
        wait_until(
            "an end: a run that is over, or a dialog that says why not",
            || {
                has_run().is_some_and(|run| run["state"] != "running")
                    || stage.window.shows("The plan changed")
                    || stage.window.shows("Nothing was approved")
            },
        );
        for approval in stage.approvals() {
            assert!(
                approval.revision.starts_with(&seen),
                "attempt {attempt}: {approval:?} is not for {seen}"
            );
        }
        let second = std::fs::read_to_string(stage.project.at("two.txt")).unwrap_or_default();
        assert_ne!(
            second, "evil\n",
            "attempt {attempt}: a step ran that was never shown"
        );
        if stage.approvals().is_empty() {
            assert!(!stage.project.at("one.txt").exists(), "attempt {attempt}");
        }
    }
}

#[test]
fn a_restart_during_the_dialog_approves_nothing() {
    let stage = Stage::new();
    stage.ask();
    let Stage {
        home,
        project,
        window,
    } = stage;
    window.kill_9();
    let stage = Stage {
        window: open(&home, &project),
        home,
        project,
    };
    stage.assert_nothing_approved();
    assert!(
        !stage.window.has("dialog", CONFIRM),
        "the dialog was reopened"
    );
}
