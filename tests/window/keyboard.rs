//! The main job from the first screen to the receipt, done with the keyboard alone. Nothing here
//! clicks.

use planwright_tests::window::Window;
use planwright_tests::{Home, job, stage, wait_until};

/// Tabs to the button with this role and name, and presses it once it accepts input.
#[track_caller]
fn enter(window: &Window, role: &str, name: &str) {
    window.wait_until_armed(role, name);
    window.tab_to(role, name);
    assert!(
        window.focus_is_visible(),
        "the focus on {} is not visible",
        window.focus()
    );
    window.press("Enter");
}

#[track_caller]
fn assert_focus_is_kept(window: &Window) {
    window.wait_for(
        "the focus to be on something",
        "document.activeElement && document.activeElement !== document.body",
    );
}

#[test]
fn the_job_is_done_from_start_to_receipt_by_keyboard_alone() {
    let home = Home::new();
    let window = Window::open(&home, [""; 0]);
    window.resize(1400, 880);
    window.wait_for_text("What do you want to do?");
    enter(&window, "button", "Open the sample program");
    window.find("row", "Find where the report rows are built");

    // Opens the keyboard shortcuts and closes them; focus returns to where it was.
    window.press("F6");
    window.press("?");
    window.find("dialog", "Keyboard shortcuts");
    window.press("Escape");
    window.wait_until_gone("dialog", "Keyboard shortcuts");
    assert_focus_is_kept(&window);

    // Edits a title, then undoes and redoes the edit.
    let plan = stage::sample_plan(&home);
    let before = stage::text(&plan);
    window.press("j");
    window.wait_for(
        "the first step to be selected",
        "document.querySelector('[data-task=T1]')?.getAttribute('aria-selected') === 'true'",
    );
    window.press("e");
    window.find("textbox", "Title");
    window.wait_for(
        "the title to have the focus",
        "document.activeElement.tagName === 'INPUT'",
    );
    window.press("End");
    window.type_text(", all of them");
    window.press("Enter");
    wait_until("the title to be written", || {
        stage::text(&plan).contains("are built, all of them")
    });
    window.wait_for(
        "the field to be at rest",
        "document.querySelector('[data-dirty]') === null",
    );
    window.press("Escape");
    window.wait_until_gone("textbox", "Title");
    assert_focus_is_kept(&window);
    window.find("button", "Undo: ");
    window.press("Control+z");
    wait_until("the title to be as before", || stage::text(&plan) == before);
    window.find("button", "Redo: ");
    window.press("Control+Shift+z");
    wait_until("the title to be the new one", || {
        stage::text(&plan) != before
    });
    window.wait_for_text("are built, all of them");

    // Makes a plan for a goal, then goes back to the sample through the palette.
    window.press("Control+n");
    window.wait_for(
        "the box to have the focus",
        "document.activeElement.id === 'goal'",
    );
    window.type_text("Rename render_rows to render_lines and make sure the tests pass");
    window.wait_for_text("Make sure the tests pass");
    window.press("Control+Enter");
    window.find("heading", "Rename render_rows to render_lines");
    window.press("Control+k");
    window.find("dialog", "All actions");
    window.type_text("json flag");
    window.press("Enter");
    window.find("heading", "Add a --json flag to the report command");
    window.find("row", "are built, all of them");

    // Approves the plan, with a question before each step.
    window.wait_for(
        "what is focused",
        "document.activeElement && !document.querySelector('[role=dialog]')",
    );
    window.chord("p a");
    window.find("dialog", "Approve and run");
    window.wait_for_text("WILL RUN");
    for _ in 0..60 {
        if window.script(
            "return document.activeElement.type === 'radio';",
            Vec::new(),
        ) == true
        {
            break;
        }
        window.press("Tab");
    }
    for _ in 0..3 {
        if window.script(
            "return document.querySelector('input[type=radio][value=each]').checked;",
            Vec::new(),
        ) == true
        {
            break;
        }
        window.press("ArrowUp");
    }
    enter(&window, "button", "Approve and run");
    window.wait_until_gone("dialog", "Approve and run");
    assert_focus_is_kept(&window);

    window.find("region", "Start T2?");
    window.press("w");
    window.wait_for(
        "the card to have the focus",
        "document.activeElement.id.startsWith('card-')",
    );
    enter(&window, "button", "Approve and continue");
    window.find("region", "D1 needs your answer");
    enter(&window, "button", "One object per line");
    window.find("region", "Start T3?");
    enter(&window, "button", "Approve and continue");
    window.find("region", "C1: review checkpoint");
    window.chord("g c");
    window.find("region", "src/report.py");
    window.chord("g r");
    enter(&window, "button", "Continue");
    window.find("region", "Start T5?");
    enter(&window, "button", "Approve and continue");
    window.find("region", "T6 is yours");
    window.tab_to("textbox", "Note");
    window.type_text("read");
    enter(&window, "button", "Mark as done");
    wait_until("the run to be done", || {
        stage::runs(&home)[0]["state"] == "done"
    });
    window.find("button", "Receipt");

    // Undoes a step and reads the receipt.
    window.chord("r u");
    window.find("dialog", "Undo T");
    enter(&window, "button", "Undo T");
    window.find("dialog", "Undo result");
    window.press("Escape");
    window.wait_until_gone("dialog", "Undo result");
    assert_focus_is_kept(&window);
    let usage = stage::text(&stage::sample_folder(&home).join("docs/usage.md"));
    assert!(!usage.contains("--json"), "T5 is undone: {usage}");
    window.chord("r e");
    window.find("dialog", "Receipt");
    window.wait_for_text("Approved revision");
    window.press("Escape");
    window.wait_until_gone("dialog", "Receipt");
    assert_focus_is_kept(&window);
}

#[test]
fn a_begun_chord_says_which_keys_go_on_and_can_be_left() {
    for theme in ["light", "dark"] {
        let home = Home::new();
        home.write_settings(&serde_json::json!({ "theme": theme }));
        let window = Window::open(&home, [""; 0]);
        window.resize(1400, 880);
        job::open_sample(&window);
        for width in [400, 1400] {
            window.resize(width, 880);
            window.press("p");
            window.find("region", "Next keys");
            window.shot(&format!("chord-{width}-{theme}"));
            window.press("Escape");
            window.wait_until_gone("region", "Next keys");
        }
        window.chord("p a");
        window.find("dialog", "Approve and run");
    }
}
