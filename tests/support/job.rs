//! The main job, played in the window from the first screen to the receipt: a goal, a plan, an
//! edit, an approval with a note, a run with its cards, and an undo. It is shared by the job's test
//! and `cargo xtask demo`, and calls a function at each stage, so that screenshots can be taken.
//!
//! After each step, both the screen and the files on disk are checked.

use serde_json::Value;

use crate::stage::{self, sample_folder, sample_plan, text};
use crate::window::Window;
use crate::{Home, wait_until};

/// Called at each stage with its short name and what was just done.
pub type Tell<'a> = &'a mut dyn FnMut(&Window, &str, &str);

const PLAN: &str = "Add a --json flag to the report command";
const GOAL: &str = "Rename render_rows to render_lines and make sure the tests pass";

/// Opens the window on its first screen, at the size used for screenshots.
#[track_caller]
pub fn open(home: &Home) -> Window {
    let window = Window::open(home, [""; 0]);
    window.resize(1400, 880);
    window
}

/// Opens the sample with one click, and then its plan.
#[track_caller]
pub fn open_sample(window: &Window) {
    window.click("button", "Open the sample program");
    window.click("button", PLAN);
    window.wait_for_text("Adequate ·");
    // The panel shows this text too, so wait for the bar, whose actions are needed next.
    window.find("button", "Approve and run…");
}

/// Plays the whole job and returns the receipt from the terminal program.
#[track_caller]
pub fn play(home: &Home, tell: Tell<'_>) -> Value {
    let window = open(home);
    window.wait_for_text("What do you want to do?");
    // Edits in `docs/` ask for permission even after the approval.
    home.write_settings(&serde_json::json!({
        "permissions": [{"tool": "edit_file", "match": "prefix docs/", "answer": "ask"}]
    }));
    tell(&window, "first", "Opened the program: the first screen.");
    open_sample(&window);
    window.find("row", "Find where the report rows are built");
    tell(
        &window,
        "plan",
        "Opened the sample with one click, and its plan: steps, badge, requirements.",
    );

    edit_a_title(home, &window, tell);
    make_a_plan(home, &window, tell);
    window.click("button", PLAN);
    window.find("row", "Find where the rows of the report are built");
    approve_with_a_note(home, &window, tell);
    carry_out(home, &window, tell);
    take_back(home, &window, tell);
    read_the_receipt(home, &window, tell)
}

fn edit_a_title(home: &Home, window: &Window, tell: Tell<'_>) {
    let plan = sample_plan(home);
    let before = text(&plan);
    window.click("row", "Find where the report rows are built");
    window.press("e");
    window.find("textbox", "Title");
    window.fill("Title", "Find where the rows of the report are built");
    tell(window, "edit", "Opened step T1 and typed another title.");
    window.press("Enter");
    let after = before.replace(
        "where the report rows are built",
        "where the rows of the report are built",
    );
    wait_until("the title to be in the file", || text(&plan) == after);
    window.wait_for(
        "the field to be at rest",
        "document.querySelector('[data-dirty]') === null",
    );
    window.press("Escape");
    window.wait_for_text("Find where the rows of the report are built");
    window.find("button", "Undo: ");
    window.press("Control+z");
    wait_until("the title to be as before", || text(&plan) == before);
    window.wait_for_text("Find where the report rows are built");
    window.find("button", "Redo: ");
    window.press("Control+Shift+z");
    wait_until("the title to be the new one again", || text(&plan) == after);
    window.wait_for_text("Find where the rows of the report are built");
    tell(
        window,
        "edited",
        "Took the edit back with Ctrl+Z and made it again with Ctrl+Shift+Z; each time nothing but that line of the file changed.",
    );
}

fn make_a_plan(home: &Home, window: &Window, tell: Tell<'_>) {
    window.click("button", "New plan");
    window.fill("What do you want to do?", GOAL);
    window.wait_for_text("Rename render_rows to render_lines");
    window.click("button", "Edit R2");
    window.fill("Requirement 2", "the unit tests pass");
    window.press("Enter");
    window.find("button", "Edit R2 the unit tests pass");
    tell(
        window,
        "goal",
        "Stated a goal; its requirements were read from it, and R2 was reworded.",
    );
    window.click("button", "Make a plan");
    window.find("heading", GOAL);
    let plans = sample_folder(home).join("plans");
    let made = std::fs::read_dir(&plans)
        .expect("the folder of plans")
        .flatten()
        .map(|entry| entry.path())
        .find(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with("rename"))
        });
    let made = text(&made.expect("the plan is a file"));
    assert!(
        made.contains("R2 the unit tests pass"),
        "the chip's requirement is in the plan:\n{made}"
    );
    assert!(stage::runs(home).is_empty(), "planning runs nothing");
    window.wait_for_text("Adequate");
    tell(
        window,
        "planned",
        "The plan was written to a file and judged; nothing else was touched.",
    );
}

fn approve_with_a_note(home: &Home, window: &Window, tell: Tell<'_>) {
    window.click("button", "More actions");
    window.find("menuitem", "Approve with notes…");
    tell(
        window,
        "verbs",
        "Opened the menu of verbs beside the primary button.",
    );
    window.click("menuitem", "Approve with notes…");
    window.find("dialog", "Approve with notes");
    window.fill("T2 ", "Say “rows as JSON” in the help text.");
    window.click("button", "Preview the plan");
    window.wait_for_text("PLAN WITH NOTES");
    window.click("radio", "Ask before each step");
    tell(
        window,
        "approve",
        "Wrote a note under T2, looked at the lines it adds, chose to be asked before each step.",
    );
    assert!(
        stage::runs(home).is_empty(),
        "nothing runs before the approval"
    );
    window.click_armed("button", "Approve and run");
    window.wait_until_gone("dialog", "Approve with notes");
    let plan = text(&sample_plan(home));
    assert!(
        plan.contains("rows as JSON” in the help text"),
        "the note is in the plan:\n{plan}"
    );
}

fn carry_out(home: &Home, window: &Window, tell: Tell<'_>) {
    let cli = sample_folder(home).join("src/cli.py");
    window.find("region", "Start T2?");
    assert!(!text(&cli).contains("--json"), "T2 waits for approval");
    tell(
        window,
        "card",
        "T1 only reads and ran by itself; T2 asks before it starts, with its files and commands.",
    );
    window.click_armed("button", "Approve and continue");

    window.find("region", "D1 needs your answer");
    assert!(text(&cli).contains("--json"), "T2 has changed its file");
    tell(
        window,
        "decision",
        "T2 changed `src/cli.py`, its own check passed; D1 asks for a decision.",
    );
    window.click_armed("button", "One object per line");

    window.find("region", "Start T3?");
    window.click_armed("button", "Approve and continue");
    window.find("region", "C1: review checkpoint");
    tell(
        window,
        "checkpoint",
        "T3 is done; the review checkpoint C1 waits.",
    );
    window.click_armed("button", "Let me review first");
    window.find("region", "src/report.py");
    window.wait_for_text("render_json");
    tell(
        window,
        "changes",
        "“Let me review first” opened Changes: what the run changed so far, file by file.",
    );
    window.click("tab", "Run");
    window.click_armed("button", "Continue");

    window.find("region", "Start T5?");
    window.click_armed("button", "Approve and continue");
    window.find("region", "T5 wants to edit a file");
    let usage = sample_folder(home).join("docs/usage.md");
    assert!(!text(&usage).contains("--json"), "the edit awaits approval");
    tell(
        window,
        "permission",
        "T5 wants to edit a file in `docs/`, which the person's settings ask about: the card shows the whole path and the diff.",
    );
    window.click_armed("button", "Allow once");

    window.find("region", "T6 is yours");
    assert!(text(&usage).contains("--json"), "the edit was made");
    window.fill("Note", "Read it; the wording is fine.");
    tell(
        window,
        "yours",
        "T5 edited `docs/usage.md`; T6 is the person's own step.",
    );
    window.click_armed("button", "Mark as done");
    window.find("button", "Receipt");
    wait_until("the run to have ended", || {
        stage::runs(home)[0]["state"] == "done"
    });
    tell(
        window,
        "done",
        "Every step is done; the plan file carries the ticks.",
    );
    let plan = text(&sample_plan(home));
    for id in ["T1", "T2", "T3", "T5", "T6"] {
        assert!(
            plan.contains(&format!("- [x] **{id}**")),
            "{id} is ticked:\n{plan}"
        );
    }
}

fn take_back(home: &Home, window: &Window, tell: Tell<'_>) {
    let usage = sample_folder(home).join("docs/usage.md");
    window.click("row", "Describe");
    window.click("tab", "Changes");
    window.click("button", "Undo T5…");
    window.find("dialog", "Undo T5?");
    tell(window, "undo", "Asked to take back what T5 changed.");
    window.click_armed("button", "Undo T5");
    window.find("dialog", "Undo result");
    assert!(
        !text(&usage).contains("--json"),
        "the file is as it was before T5"
    );
    tell(
        window,
        "undone",
        "`docs/usage.md` has its earlier content back.",
    );
    window.click("button", "Close");
    window.wait_until_gone("dialog", "Undo result");
}

fn read_the_receipt(home: &Home, window: &Window, tell: Tell<'_>) -> Value {
    window.click("tab", "Run");
    window.click("button", "Receipt");
    window.find("dialog", "Receipt");
    window.wait_for_text("Approved revision");
    let runs = stage::runs(home);
    assert_eq!(runs.len(), 1, "one approval, one run: {runs:?}");
    let run = runs[0]["run"].as_str().expect("a run has an id").to_owned();
    let receipt = stage::receipt(home, &run);
    let revision = receipt["revision"]
        .as_str()
        .expect("a receipt names its revision");
    window.wait_for_text(&revision[..12]);
    for id in ["T1", "T2", "T3", "T6"] {
        assert_eq!(stage::step_state(&receipt, id), "done", "{id}: {receipt:#}");
    }
    let steps = receipt["steps"].as_array().into_iter().flatten();
    let undone: Vec<_> = steps.filter(|step| step["undone"] == true).collect();
    assert_eq!(undone.len(), 1, "one step is undone: {receipt:#}");
    assert_eq!(undone[0]["task"], "T5");
    tell(
        window,
        "receipt",
        "The receipt: what was done, by which approval, with the evidence.",
    );
    receipt
}
