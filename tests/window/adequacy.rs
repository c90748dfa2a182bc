//! Adequacy in the window: the badge follows typing, a fix is previewed and undone, a finding is
//! muted with a reason, a thin plan is expanded only by the selected items, it can be approved
//! despite enforcement only with a reason, and Insights shows all of it.

use planwright_tests::window::Window;
use planwright_tests::{Home, Project, stage, wait_until};
use serde_json::json;

/// A thin plan: three vague steps for a goal with four requests.
const PLAN: &str = "\
---
planwright: 1
id: json-report-4k2d
goal: Add a --json flag to the report command, keep the default output as it is, describe it in the docs and test every format
---
# Add a --json flag to the report command

## Requirements
- R1: `--json` prints one JSON object per row
- R2: the default output stays as it is

## Tasks
- [ ] **T1** Add the flag to the parser
  - files: `src/cli.py`
- [ ] **T2** Clean up various things
- [ ] **T3** Fix the rest of it somehow
  - depends: T2
";

/// A plan that rules can complete: one step lacks its check, and two mention files without listing
/// them under `files:`.
const LACKING: &str = "\
---
planwright: 1
id: json-report-4k2d
goal: Add a --json flag to the report command, keep the default output as it is, describe it in the docs and test every format
---
# Add a --json flag to the report command

## Requirements
- R1: `--json` prints one JSON object per row
- R2: the default output stays as it is

## Tasks
- [ ] **T1** Add the flag to the parser
  - files: `src/cli.py`
- [ ] **T2** Print each row of `src/report.py` as one JSON object with its column names
  - complexity: 8
- [ ] **T3** Describe the flag in `docs/usage.md`, with two rows of output
  - depends: T2
";

/// Steps that explain what to do, but half of them and all checks are missing.
const THIN_STEPS: &str = "\
- [ ] **T1** Add `--json` to the `argparse` parser, off by default
  - files: `src/cli.py`
- [ ] **T2** Print each row with `json.dumps`, one object on a line
  - depends: T1
  - files: `src/report.py`
";

/// Steps that a developer would approve.
const ADEQUATE_STEPS: &str = "\
- [ ] **T1** Add `--json` to the `argparse` parser, off by default, and hand it to `rows()`
  - files: `src/cli.py`
  - verify: `python3 -m unittest tests.test_cli`
- [ ] **T2** Print each row with `json.dumps`, one object on a line, keys in the order of the columns
  - depends: T1
  - files: `src/report.py`
  - covers: R1
  - accept: `report --json | head -1` is one object
- [ ] **T3** Test `report` and `report --json` on two rows: the first byte for byte as before
  - depends: T2
  - files: `tests/test_cli.py`
  - covers: R2
  - verify: `python3 -m unittest tests.test_cli`
- [ ] **T4** Describe `--json` in `docs/usage.md`, with both outputs of the same two rows
  - depends: T2
  - files: `docs/usage.md`
";

fn project(plan: &str) -> Project {
    Project::new()
        .file("src/cli.py", "import argparse\n")
        .file("src/report.py", "def rows():\n    return []\n")
        .file("docs/usage.md", "# Usage\n\nThe report command.\n")
        .file("tests/test_cli.py", "import unittest\n")
        .file("plans/p.md", plan)
}

fn open(theme: &str, settings: serde_json::Value) -> (Home, Project, Window) {
    open_plan(PLAN, theme, settings)
}

fn open_plan(plan: &str, theme: &str, settings: serde_json::Value) -> (Home, Project, Window) {
    let (home, project) = (Home::new(), project(plan));
    let mut all = settings;
    all["theme"] = json!(theme);
    home.write_settings(&all);
    let path = project.at("plans/p.md").to_string_lossy().into_owned();
    let window = Window::open(&home, [path]);
    window.resize(1400, 880);
    window.find("row", "Add ");
    (home, project, window)
}

/// Checks that the panel shows the score breakdown for each badge, and the biggest possible gain.
fn badges(theme: &str) {
    let head = PLAN.split_once("- [ ]").map_or(PLAN, |(head, _)| head);
    let adequate = format!("{head}{ADEQUATE_STEPS}");
    let thin = format!("{head}{THIN_STEPS}");
    for (badge, plan) in [("Outline", PLAN), ("Thin", &thin), ("Adequate", &adequate)] {
        let (_home, _project, window) = open_plan(plan, theme, json!({}));
        show_findings(&window);
        window.wait_for_text(&format!("{badge} ·"));
        for dimension in ["Coverage", "Substance", "Checks", "Order"] {
            window.wait_for_text(dimension);
        }
        window.wait_for_text("Biggest gain");
        window.shot(&format!("badge-{}-{theme}", badge.to_lowercase()));
    }
}

#[test]
fn each_badge_is_explained_by_four_dimensions_and_what_would_add_most() {
    badges("light");
}

#[test]
fn each_badge_is_explained_in_the_dark() {
    badges("dark");
}

/// Opens the findings by shortcut, wherever the focus is.
#[track_caller]
fn show_findings(window: &Window) {
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("g f");
    window.find("region", "Findings");
}

/// The score shown in the panel.
fn score(window: &Window) -> u64 {
    let said = window.script(
        "return Number(document.querySelector('[aria-label=Findings] h2').textContent.split('·')[1]);",
        Vec::new(),
    );
    said.as_u64().expect("a number in the panel's header")
}

fn text(project: &Project) -> String {
    project.read("plans/p.md")
}

#[test]
fn the_badge_turns_while_one_types_and_turns_back() {
    let (_home, project, window) = open("light", json!({}));
    show_findings(&window);
    window.wait_for_text("Outline ·");
    let before = score(&window);
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("v s");
    window.wait_for(
        "the source",
        "document.querySelectorAll('.cm-line').length > 10",
    );
    window.caret_behind("somehow");
    window.type_text(" TBD");
    window.press("Control+s");
    wait_until("what was typed to be in the file", || {
        text(&project).contains("somehow TBD")
    });
    window.wait_for_text("tbd_placeholder");
    window.shot("adequacy-typed-light");
    window.press("Control+Alt+z");
    wait_until("the typing to be taken back", || text(&project) == PLAN);
    window.wait_for(
        "the finding to be gone",
        "!document.querySelector('[aria-label=Findings]').textContent.includes('tbd_placeholder')",
    );
    assert_eq!(score(&window), before);
}

#[test]
fn a_fix_is_chosen_previewed_made_and_taken_back_by_keyboard() {
    let (_home, project, window) = open("light", json!({}));
    show_findings(&window);
    // Goes to the first fixable finding and previews its recommended fix.
    window.wait_for(
        "a finding with a fix",
        "document.querySelector('[data-finding] [class*=fix], [data-finding] [class*=option]') !== null",
    );
    window.script(
        "document.querySelector('[data-finding]:has([class*=fix_], [class*=option_]) [data-main]').focus();",
        Vec::new(),
    );
    window.press("Shift+f");
    window.find("button", "Apply");
    window.wait_for(
        "the lines that would change",
        "document.querySelector('[role=dialog] [aria-label=\"Changed lines\"]') !== null",
    );
    window.shot("adequacy-fix-light");
    assert_eq!(text(&project), PLAN, "a preview writes nothing");
    window.click_armed("button", "Apply");
    wait_until("the fix to be in the file", || text(&project) != PLAN);
    window.click("button", "Undo");
    wait_until("the fix to be taken back", || text(&project) == PLAN);
}

#[test]
fn a_finding_is_muted_with_a_reason_which_moves_no_number_and_is_heard_of_again() {
    let (_home, project, window) = open("dark", json!({}));
    show_findings(&window);
    window.wait_for_text("vague_phrase");
    let before = score(&window);
    window.script(
        "[...document.querySelectorAll('[data-finding]')].find(e => e.textContent.includes('vague_phrase')).querySelector('[data-main]').focus();",
        Vec::new(),
    );
    window.press("m");
    window.find("dialog", "Mute this finding");
    window.wait_for(
        "the reason to have the focus",
        "document.activeElement.tagName === 'TEXTAREA'",
    );
    window.shot("adequacy-mute-dark");
    window.click("button", "Cancel");
    window.wait_until_gone("dialog", "Mute this finding");
    assert_eq!(
        text(&project),
        PLAN,
        "a mute without a reason writes nothing"
    );
    window.script(
        "[...document.querySelectorAll('[data-finding]')].find(e => e.textContent.includes('vague_phrase')).querySelector('[data-main]').focus();",
        Vec::new(),
    );
    window.press("m");
    window.find("textbox", "Reason");
    window.wait_for(
        "the reason to have the focus",
        "document.activeElement.tagName === 'TEXTAREA'",
    );
    window.type_text("The team knows what is meant");
    window.click_armed("button", "Mute");
    wait_until("the reason to be in the plan", || {
        text(&project).contains("mute: vague_phrase The team knows what is meant")
    });
    window.find("button", "1 muted");
    assert_eq!(score(&window), before);
    // By keyboard, because the Undo toast covers the end of the panel.
    window.script(
        "[...document.querySelectorAll('summary')].find(e => e.textContent === '1 muted').focus();",
        Vec::new(),
    );
    window.press("Enter");
    window.wait_for_text("The team knows what is meant");
    window.shot("adequacy-muted-dark");
    window.script(
        "document.querySelector('[data-muted] [data-main]').focus();",
        Vec::new(),
    );
    window.press("m");
    wait_until("the plan to be as it was", || text(&project) == PLAN);
    window.wait_until_gone("button", "1 muted");
}

fn grow(theme: &str) {
    let (_home, project, window) = open_plan(LACKING, theme, json!({}));
    window.find("button", "Expand…");
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("p e");
    window.find("dialog", "Expand the plan");
    window.wait_for_text("With selected changes");
    for width in [1400, 900] {
        window.resize(width, 880);
        window.shot(&format!("adequacy-expand-{width}-{theme}"));
    }
    window.resize(1400, 880);
    let offered = window.script(
        "return document.querySelectorAll('[role=dialog] input[type=checkbox]').length;",
        Vec::new(),
    );
    assert!(offered.as_u64() > Some(1), "{offered} changes are offered");
    assert_eq!(text(&project), LACKING, "previewing writes nothing");
    // Deselects one of the items; the items that depend on it are deselected too.
    window.script(
        "[...document.querySelectorAll('[role=dialog] input[type=checkbox]')].at(-1).click();",
        Vec::new(),
    );
    window.wait_for(
        "the button to name the choice",
        "[...document.querySelectorAll('[role=dialog] button')].some(e => / of \\d+ changes/.test(e.textContent))",
    );
    window.click_armed("button", "Add ");
    window.wait_until_gone("dialog", "Expand the plan");
    wait_until("the changes to be in the plan", || {
        text(&project) != LACKING
    });
    let grown = text(&project);
    for kept in [
        "**T1** Add the flag to the parser",
        "- files: `src/cli.py`",
        "- depends: T2",
    ] {
        assert!(grown.contains(kept), "{kept} is lost:\n{grown}");
    }
    window.shot(&format!("adequacy-expanded-{theme}"));
    // A single undo reverts everything.
    window.click("button", "Undo");
    wait_until("the plan to be as it was", || text(&project) == LACKING);
}

#[test]
fn a_thin_plan_grows_by_what_was_chosen_and_one_undo_takes_it_back() {
    grow("light");
}

#[test]
fn a_thin_plan_grows_in_the_dark() {
    grow("dark");
}

#[test]
fn under_enforcement_a_thin_plan_is_approved_with_a_written_reason_alone_and_insights_shows_it() {
    let (home, project, window) = open("light", json!({"plan_adequacy_enforce": true}));
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("p a");
    window.find("dialog", "Approve and run");
    window.wait_for_text("approval requires a reason");
    window.find("button", "Show findings");
    window.find("button", "Expand…");
    window.wait_for(
        "the reason to have the focus",
        "document.activeElement.tagName === 'TEXTAREA'",
    );
    window.shot("adequacy-enforced-light");
    window.wait_for_text("Enter a reason.");
    window.press("Control+Enter");
    window.find("dialog", "Approve and run");
    assert!(
        stage::runs(&home).is_empty(),
        "nothing runs without a reason"
    );
    window.type_text("Tried by hand, and small enough");
    window.wait_until_armed("button", "Approve and run");
    window.tab_to("button", "Approve and run");
    window.press("Enter");
    window.wait_until_gone("dialog", "Approve and run");
    wait_until("the run to have begun", || !stage::runs(&home).is_empty());
    assert_eq!(
        text(&project),
        PLAN,
        "approving writes nothing into the plan"
    );

    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("g n");
    window.find("heading", "Insights");
    window.find("slider", "Revisions");
    window.find("group", "Findings by kind");
    window.wait_for(
        "the override to be counted",
        "[...document.querySelectorAll('[aria-label=\"Findings by kind\"] tbody tr')].some(r => Number(r.children[4].textContent) > 0)",
    );
    for width in [1400, 900] {
        window.resize(width, 880);
        window.shot(&format!("insights-{width}-light"));
    }
    window.resize(1400, 880);
    // Opens the revision at a point in the chart.
    window.script(
        "document.querySelector('[role=slider]').focus();",
        Vec::new(),
    );
    window.press("Home");
    window.press("Enter");
    window.wait_for_text("Compare with current");
}

#[test]
fn insights_of_a_new_folder_say_how_rows_come_about() {
    let home = Home::new();
    home.write_settings(&json!({"theme": "dark"}));
    let project = Project::new().file("a.txt", "a\n");
    let window = Window::open(&home, [project.path().to_string_lossy().into_owned()]);
    window.resize(1400, 880);
    window.find("heading", "What do you want to do?");
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("g n");
    window.find("heading", "Insights");
    window.wait_for_text("Insights appear as you work");
    window.shot("insights-empty-dark");
}
