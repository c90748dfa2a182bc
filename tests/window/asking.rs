//! A plan's open question in the window: it is shown above the outline when the plan is opened,
//! answered with a key, and recorded in the plan; a single undo removes the answer.

use planwright_tests::window::Window;
use planwright_tests::{Home, Project, wait_until};
use serde_json::json;

/// A plan with an irreversible step and no backup.
const PLAN: &str = "\
# Tidy up the customer tables

- [ ] **T1** Drop the old customers table from the production database
  - by: person
- [ ] **T2** Tell the team about it
  - by: person
";

fn ask(theme: &str) {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", PLAN);
    home.write_settings(&json!({ "theme": theme }));
    let path = project.at("plans/p.md").to_string_lossy().into_owned();
    let window = Window::open(&home, [path]);
    window.resize(1400, 880);
    window.wait_for(
        "the question above the outline",
        "document.querySelectorAll('#plan-question [aria-label=Answers] button').length > 1",
    );
    assert_eq!(project.read("plans/p.md"), PLAN, "asking writes nothing");
    window.shot(&format!("asking-{theme}"));

    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("g q");
    window.wait_for(
        "the question to have the focus",
        "document.activeElement?.id === 'plan-question'",
    );
    // Chooses the last answer, which says that nothing has to be kept.
    let count = window.script(
        "return document.querySelectorAll('#plan-question [aria-label=Answers] button').length;",
        Vec::new(),
    );
    // A new card ignores input at first, so that input meant for something else is not taken as an
    // answer.
    window.wait_until_armed("button", "No, delete it for good");
    window.press(&count.as_u64().expect("a number of answers").to_string());
    wait_until("the answer to stand in the plan", || {
        project.read("plans/p.md").contains("  - assume: ")
    });
    window.wait_for(
        "the question to be gone",
        "document.querySelector('#plan-question') === null",
    );
    window.press("Control+z");
    wait_until("the answer to be taken back", || {
        project.read("plans/p.md") == PLAN
    });
}

#[test]
fn a_plans_question_is_answered_by_a_key_and_taken_back() {
    ask("light");
}

#[test]
fn a_plans_question_is_answered_in_the_dark() {
    ask("dark");
}
