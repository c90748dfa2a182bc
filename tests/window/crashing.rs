//! Kills the window with `kill -9` at ten moments. When reopened, it shows the same place, typed
//! text and pending questions are still there, the person is asked about an interrupted side
//! effect, and nothing ran without approval.

use planwright_tests::window::Window;
use planwright_tests::{Home, Project, stage, wait_until};
use serde_json::Value;

/// A plan with a step that runs until a file appears, a tool call that needs permission, and a
/// decision.
const PLAN: &str = "\
---
planwright: 1
id: slow-job-3d8k
goal: Do the slow job
---
# Do the slow job

## Requirements
- R1 the job is done

## Tasks
- [ ] **T1** Write the first file of the job
  - call: `write_file {\"path\": \"one.txt\", \"content\": \"one\\n\"}`
  - files: `one.txt`
  - covers: R1
- [ ] **T2** Work until the gate is open
  - depends: T1
  - call: `run_command {\"command\": \"sh -c 'echo at-work; echo x >> begun.txt; while [ ! -e open ]; do sleep 0.05; done'\"}`
  - files: `begun.txt`
";

const ASKS: &str = "\
# Change a file that the person's settings ask about

## Tasks
- [ ] **T1** Write what nobody expects here
  - call: `write_file {\"path\": \"other.txt\", \"content\": \"x\\n\"}`
  - verify: `true`
";

const DECIDES: &str = "\
# Decide on the ending

## Tasks
- [ ] **D1** Which ending is it to have?
  - type: decision
  - option: The short one -> T1
  - option: The long one -> T2
- [ ] **T1** Write the short ending of it
  - depends: D1
  - call: `write_file {\"path\": \"short.txt\", \"content\": \"\"}`
  - files: `short.txt`
- [ ] **T2** Write the long ending of it
  - depends: D1
  - call: `write_file {\"path\": \"long.txt\", \"content\": \"\"}`
  - files: `long.txt`
";

struct Stage {
    home: Home,
    project: Project,
    window: Window,
}

impl Stage {
    fn new(plan: &str) -> Self {
        Self::on(Home::new(), plan)
    }

    fn on(home: Home, plan: &str) -> Self {
        let project = Project::new().file("plans/p.md", plan);
        let path = project.at("plans/p.md").to_string_lossy().into_owned();
        let window = Window::open(&home, [path]);
        window.find("button", "Approve and run…");
        Self {
            home,
            project,
            window,
        }
    }

    /// Kills the window and opens it again without arguments.
    fn crash(self) -> Self {
        let Self {
            home,
            project,
            window,
        } = self;
        window.kill_9();
        let window = Window::open(&home, [""; 0]);
        Self {
            home,
            project,
            window,
        }
    }

    /// Approves and runs with this `policy`.
    fn run(&self, policy: &str) {
        self.window.click("button", "Approve and run…");
        self.window.click("radio", policy);
        self.window.click_armed("button", "Approve and run");
        self.window.wait_until_gone("dialog", "Approve and run");
    }

    fn receipt(&self) -> Value {
        let runs = stage::runs(&self.home);
        stage::receipt(
            &self.home,
            runs[0]["run"].as_str().expect("a run has an id"),
        )
    }

    fn has(&self, file: &str) -> bool {
        self.project.at(file).exists()
    }

    fn value_of(&self, name: &str) -> String {
        let field = format!(
            "return [...document.querySelectorAll('input, textarea')].find(e => (e.getAttribute('aria-label') || \
             e.labels?.[0]?.textContent || '').startsWith({}))?.value ?? '';",
            serde_json::json!(name)
        );
        self.window.find("textbox", name);
        let value = self.window.script(&field, Vec::new());
        value.as_str().unwrap_or_default().to_owned()
    }

    #[track_caller]
    fn wait_for_value(&self, name: &str, value: &str) {
        self.window.find("textbox", name);
        wait_until(&format!("“{value}” in {name}"), || {
            self.value_of(name) == value
        });
    }

    #[track_caller]
    fn assert_nothing_ran(&self) {
        assert!(stage::runs(&self.home).is_empty());
        assert!(!self.has("one.txt") && !self.has("begun.txt") && !self.has("other.txt"));
    }
}

const NO_QUESTIONS: &str = "Run approved steps without asking";

#[test]
fn killed_while_a_goal_is_typed_the_goal_is_still_there() {
    let stage = Stage::new(PLAN);
    stage.window.click("button", "New plan");
    stage
        .window
        .type_into("What do you want to do?", "Rename quokka to wallaby");
    stage::wait_until_kept(&stage.home, "Rename quokka to wallaby");
    let stage = stage.crash();
    stage.wait_for_value("What do you want to do?", "Rename quokka to wallaby");
    stage.assert_nothing_ran();
}

#[test]
fn killed_while_a_field_is_typed_the_text_is_offered_and_the_step_is_open() {
    let stage = Stage::new(PLAN);
    stage.window.click("row", "Work until the gate is open");
    stage.window.press("e");
    stage.window.type_into("Accept", "the quokka is fed");
    stage::wait_until_kept(&stage.home, "the quokka is fed");
    let stage = stage.crash();
    stage.window.find("heading", "Do the slow job");
    // The text was either saved before the kill or restored as a draft; in both cases it is in its
    // field.
    stage.wait_for_value("Accept", "the quokka is fed");
    stage.assert_nothing_ran();
}

#[test]
fn killed_with_the_approve_dialog_open_nothing_is_approved_and_the_plan_is_there() {
    let stage = Stage::new(PLAN);
    stage.window.click("button", "Approve and run…");
    stage.window.wait_until_armed("button", "Approve and run");
    let stage = stage.crash();
    stage.window.find("heading", "Do the slow job");
    stage.window.find("button", "Approve and run…");
    stage.assert_nothing_ran();
}

#[test]
fn killed_right_after_approving_no_step_runs_twice_and_the_rest_is_asked() {
    let stage = Stage::new(PLAN);
    stage.window.click("button", "Approve and run…");
    stage.window.click("radio", NO_QUESTIONS);
    stage.window.click_armed("button", "Approve and run");
    let stage = stage.crash();
    stage.window.find("heading", "Do the slow job");
    let begun = std::fs::read_to_string(stage.project.at("begun.txt")).unwrap_or_default();
    assert!(begun.len() <= 2, "T2 began at most once: {begun:?}");
    match stage::runs(&stage.home).first() {
        // The approval wasn't on disk yet when the program was killed.
        None => stage.assert_nothing_ran(),
        Some(run) => {
            assert_ne!(run["state"], "done");
            stage.window.click("tab", "Run");
            stage.window.find("button", "Resume");
        }
    }
    assert!(stage.window.has("tab", "Run"));
}

#[test]
fn killed_during_a_command_its_outcome_is_unknown_and_it_is_asked_what_to_do() {
    let stage = Stage::new(PLAN);
    stage.run(NO_QUESTIONS);
    wait_until("T2 to be at work", || stage.has("begun.txt"));
    stage.window.wait_for_text("at-work");
    let stage = stage.crash();
    stage.window.find("heading", "Do the slow job");
    stage.window.wait_for_text("outcome unknown");
    stage.window.click_armed("button", "Resume");
    stage.window.find("region", "T2: outcome unknown");
    for way in ["Check", "Repeat", "Skip"] {
        stage.window.find("button", way);
    }
    stage.window.shot("outcome-unknown");
    assert_eq!(
        stage.project.read("begun.txt"),
        "x\n",
        "it was not repeated without asking"
    );
    assert_eq!(stage::step_state(&stage.receipt(), "T1"), "done");
    stage.project.write("open", "");
    stage.window.click_armed("button", "Repeat");
    wait_until("the run to be done", || {
        stage::runs(&stage.home)[0]["state"] == "done"
    });
    assert_eq!(
        stage.project.read("begun.txt"),
        "x\nx\n",
        "repeated once, as requested"
    );
}

#[test]
fn killed_with_a_permission_waiting_the_card_and_the_words_are_still_there() {
    let home = Home::new();
    home.write_settings(&serde_json::json!({
        "permissions": [{"tool": "write_file", "match": "prefix other", "answer": "ask"}]
    }));
    let stage = Stage::on(home, ASKS);
    stage.run(NO_QUESTIONS);
    stage.window.find("region", "T1 wants to write a file");
    stage.window.click_armed("button", "Deny…");
    stage.window.type_into("Reason", "not beside the quokka");
    stage::wait_until_kept(&stage.home, "not beside the quokka");
    let stage = stage.crash();
    stage.window.find("region", "T1 wants to write a file");
    stage.wait_for_value("Reason", "not beside the quokka");
    assert!(
        !stage.has("other.txt"),
        "a pending question is not an approval"
    );
    stage.window.click_armed("button", "Allow once");
    wait_until("the file to be written", || stage.has("other.txt"));
}

#[test]
fn killed_with_a_decision_waiting_it_is_asked_again_and_counts_once() {
    let stage = Stage::new(DECIDES);
    stage.run(NO_QUESTIONS);
    stage.window.find("region", "D1 needs your answer");
    let stage = stage.crash();
    stage.window.find("heading", "Decide on the ending");
    stage.window.find("region", "D1 needs your answer");
    assert!(!stage.has("short.txt") && !stage.has("long.txt"));
    stage.window.click_armed("button", "The long one");
    wait_until("the long ending", || stage.has("long.txt"));
    wait_until("the run to be done", || {
        stage::runs(&stage.home)[0]["state"] == "done"
    });
    assert!(!stage.has("short.txt"));
}

#[test]
fn killed_during_planning_the_goal_is_there_and_no_half_plan_is() {
    let stage = Stage::new(PLAN);
    stage.window.click("button", "New plan");
    stage.window.fill(
        "What do you want to do?",
        "Rename quokka to wallaby everywhere",
    );
    stage::wait_until_kept(&stage.home, "Rename quokka to wallaby everywhere");
    stage.window.click("button", "Make a plan");
    let stage = stage.crash();
    let plans = std::fs::read_dir(stage.project.at("plans")).expect("the folder of plans");
    for plan in plans.flatten() {
        let checked = stage.home.planwright(
            stage.project.path(),
            ["check", &plan.path().to_string_lossy(), "--json"],
        );
        assert_ne!(
            checked.status,
            2,
            "{} cannot be parsed",
            plan.path().display()
        );
    }
    if !stage.window.has("heading", "Rename quokka") {
        // The plan had not been saved, so the goal is still in its box.
        if !stage.window.has("textbox", "What do you want to do?") {
            stage.window.click("button", "New plan");
        }
        stage.wait_for_value(
            "What do you want to do?",
            "Rename quokka to wallaby everywhere",
        );
    }
    stage.assert_nothing_ran();
}

#[test]
fn killed_after_the_end_the_receipt_is_there_and_nothing_runs_again() {
    let stage = Stage::new(PLAN);
    stage.project.write("open", "");
    stage.run(NO_QUESTIONS);
    stage.window.find("button", "Receipt");
    wait_until("the run to be done", || {
        stage::runs(&stage.home)[0]["state"] == "done"
    });
    let before = stage.project.snapshot();
    let stage = stage.crash();
    stage.window.find("heading", "Do the slow job");
    stage.window.click("button", "Receipt");
    stage.window.find("dialog", "Receipt");
    stage.project.snapshot().assert_same_as(&before, &[]);
    assert_eq!(stage::runs(&stage.home).len(), 1);
}

#[test]
fn killed_while_a_comment_is_typed_the_comment_the_tab_and_the_step_are_still_there() {
    let stage = Stage::new(PLAN);
    stage.window.click("row", "Work until the gate is open");
    stage.window.click("tab", "Review");
    stage
        .window
        .type_into("Comment on T2", "why wait for the quokka?");
    stage::wait_until_kept(&stage.home, "why wait for the quokka?");
    let stage = stage.crash();
    stage.wait_for_value("Comment on T2", "why wait for the quokka?");
    let selected = "return document.querySelector('[role=row][aria-selected=true]')?.dataset.task;";
    wait_until("T2 to be selected", || {
        stage.window.script(selected, Vec::new()) == "T2"
    });
    stage.assert_nothing_ran();
}
