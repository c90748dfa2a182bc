//! Checkpoints by rule in the window: the card of a destructive action, a refusal, and an
//! unverified step.

use planwright_tests::window::Window;
use planwright_tests::{Home, Project, stage, wait_until};
use serde_json::json;

use crate::eyes::{Place, bring, everywhere};

/// A plan with a search that finds nothing, and a deletion without a checkpoint in the plan.
const PLAN: &str = "\
# Tidy up the outputs of the last build

## Tasks
- [ ] **T1** Find where the outputs are named
  - call: `search_files {\"pattern\": \"made_by_hand\"}`
- [ ] **T2** Take the outputs in build away
  - call: `run_command {\"command\": \"rm -r build old.log\"}`
- [ ] **T3** Say that it is tidy in done.txt
  - call: `write_file {\"path\": \"done.txt\", \"content\": \"tidy\\n\"}`
";

#[test]
fn a_checkpoint_by_rule_is_read_reviewed_and_refused() {
    let home = Home::new();
    let project = Project::named("greeter")
        .file("plans/p.md", PLAN)
        .file("build/a.out", "a")
        .file("build/deep/b.out", "b")
        .file("old.log", "what was said")
        .git();
    project.commit("as it is");
    let plan = project.at("plans/p.md");
    let revision = stage::revision(&home, &plan);
    let arguments = [
        "run",
        "plans/p.md",
        "--approve",
        &revision,
        "--reason",
        "the outputs are made again",
        "--json",
    ];
    home.planwright(&project, arguments).expect(3);
    let before = project.snapshot_with_git();

    let window = Window::open(&home, [plan.to_string_lossy().into_owned()]);
    window.resize(1400, 900);
    window.click("tab", "Run");
    window.find("region", "T2 deletes files");
    window.wait_for_text("build/ (2 files)");
    window.wait_for_text("old.log");
    window.wait_for_text("unverified");
    let on = (&home, &json!({}));
    everywhere(&window, on, "danger", Place::Panel, |window| {
        window.find("region", "T2 deletes files");
        window.wait_for_text("build/ (2 files)");
        bring(
            window,
            "#panel-body [data-kind] h3, [role=dialog] [data-kind] h3",
        );
    });
    window.click_armed("button", "Let me review first");
    window.click("tab", "Run");
    window.find("region", "T2 deletes files");
    project
        .snapshot_with_git()
        .assert_same_as(&before, &["plans/p.md"]);

    window.click_armed("button", "Deny…");
    window.fill("Reason (saved with the step)", "old.log is still needed");
    window.click_armed("button", "Deny");
    wait_until("the step to be refused", || {
        let run = stage::runs(&home)[0]["run"].as_str().map(str::to_owned);
        run.is_some_and(|run| {
            let receipt = stage::receipt(&home, &run);
            stage::step_state(&receipt, "T2") == "refused"
        })
    });
    window.wait_for_text("old.log is still needed");
    everywhere(&window, on, "refused", Place::Panel, |window| {
        window.wait_for_text("old.log is still needed");
    });
    assert!(project.at("build/a.out").exists() && project.at("old.log").exists());
}
