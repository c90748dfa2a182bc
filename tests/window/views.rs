//! Four views of one plan, in sync with each other and with the file; and a plan that is created,
//! connected, reviewed and approved by keyboard alone.

use planwright_tests::window::Window;
use planwright_tests::{Home, job, stage, wait_until};
use serde_json::json;

/// A window with the sample's plan open.
fn sample(theme: &str) -> (Home, Window) {
    let home = Home::new();
    home.write_settings(&json!({"theme": theme}));
    let window = Window::open(&home, [""; 0]);
    window.resize(1400, 880);
    job::open_sample(&window);
    window.find("row", "Find where the report rows are built");
    (home, window)
}

#[track_caller]
fn show(window: &Window, view: &str) {
    let (keys, there) = match view {
        "outline" => (
            "v o",
            "document.querySelector('[role=treegrid] [data-task]') !== null",
        ),
        "graph" => (
            "v g",
            "document.querySelectorAll('.react-flow__node').length > 4",
        ),
        "source" => ("v s", "document.querySelectorAll('.cm-line').length > 3"),
        _ => (
            "v h",
            "document.body.innerText.includes('Compare with current')",
        ),
    };
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord(keys);
    window.wait_for(&format!("the {view}"), there);
}

fn source_has(words: &str) -> String {
    format!(
        "document.querySelector('.cm-content').textContent.includes({})",
        json!(words)
    )
}

fn follow_each_other(theme: &str) {
    let (home, window) = sample(theme);
    let plan = stage::sample_plan(&home);
    let first = stage::text(&plan);
    for width in [1400, 900] {
        window.resize(width, 880);
        for view in ["outline", "graph", "source", "history"] {
            show(&window, view);
            window.shot(&format!("{view}-{width}-{theme}"));
        }
    }
    window.resize(1400, 880);

    // Text typed in the source is shown in the outline and the graph.
    show(&window, "source");
    window.caret_behind("Find where the report rows are built");
    window.type_text(", all of them");
    window.press("Control+s");
    wait_until("the title to be in the file", || {
        stage::text(&plan).contains("report rows are built, all of them\n")
    });
    show(&window, "outline");
    window.find("row", "report rows are built, all of them");

    // Text that another program writes is shown in the open source.
    show(&window, "source");
    let now = stage::text(&plan);
    std::fs::write(&plan, now.replace("built, all of them", "built, by hand")).unwrap();
    window.wait_for("the other program's edit", &source_has("built, by hand"));
    show(&window, "graph");
    window.wait_for_text("built, by hand");

    // Restores the original text through the history.
    show(&window, "history");
    window.press("End");
    window.wait_for(
        "the oldest version to be chosen",
        "[...document.querySelectorAll('[aria-selected=true],[aria-current=true]')].length > 0",
    );
    window.shot(&format!("history-oldest-{theme}"));
    window.press("Shift+r");
    window.find("dialog", "Restore");
    window.click_armed("button", "Restore");
    wait_until("the first text to be there again", || {
        stage::text(&plan) == first
    });
    window.wait_until_gone("dialog", "Restore");
    window.find("button", "Undo");
    show(&window, "outline");
    window.find("row", "Find where the report rows are built");
    window.wait_for(
        "the title to be the first one",
        "!document.body.innerText.includes('by hand')",
    );
}

#[test]
fn four_views_follow_each_other_in_the_light() {
    follow_each_other("light");
}

#[test]
fn four_views_follow_each_other_in_the_dark() {
    follow_each_other("dark");
}

/// Waits until an edit is in the file.
#[track_caller]
fn has(home: &Home, what: &str, words: &str) {
    wait_until(what, || {
        stage::text(&stage::sample_plan(home)).contains(words)
    });
}

#[test]
fn a_plan_is_changed_wired_reviewed_and_approved_by_keyboard_alone() {
    let (home, window) = sample("light");
    let plan = stage::sample_plan(&home);

    // Adds a step.
    show(&window, "outline");
    window.press("j");
    window.press("a");
    window.find("textbox", "Title of the new step");
    window.type_text("Ask the maintainers about the layout");
    window.press("Enter");
    has(
        &home,
        "the new step",
        "Ask the maintainers about the layout",
    );
    window.press("Escape");
    window.wait_until_gone("textbox", "Title of the new step");

    // Edits, reorders and indents steps, changes a kind and ticks a step.
    window.wait_for(
        "the new step to be selected",
        "document.querySelector('[role=row][aria-selected=true]')?.textContent.includes('Ask the maintainers')",
    );
    window.settle();
    window.press("e");
    window.find("textbox", "Title");
    window.wait_for(
        "the title to have the focus",
        "document.activeElement.tagName === 'INPUT'",
    );
    window.press("End");
    window.type_text(" of rows");
    window.press("Enter");
    has(&home, "the new title", "about the layout of rows");
    window.wait_for(
        "the field to be at rest",
        "document.querySelector('[data-dirty]') === null",
    );
    window.press("Escape");
    window.wait_until_gone("textbox", "Title");
    let before = stage::text(&plan);
    window.settle();
    window.press("Alt+ArrowDown");
    wait_until("the step to have moved", || stage::text(&plan) != before);
    let moved = stage::text(&plan);
    window.settle();
    window.press("Alt+ArrowRight");
    wait_until("the step to be one level deeper", || {
        stage::text(&plan) != moved
    });
    let deeper = stage::text(&plan);
    window.settle();
    window.press("Alt+ArrowLeft");
    wait_until("the step to be back", || stage::text(&plan) != deeper);
    window.settle();
    window.chord("t c");
    has(&home, "the step to be a checkpoint", "- type: checkpoint");
    for _ in 0..4 {
        window.press("Control+z");
        window.settle();
    }

    // Connects two steps in the graph.
    show(&window, "graph");
    window.press("n");
    window.press("d");
    window.find("dialog", "Connect ");
    window.type_text("T6");
    window.press("Enter");
    window.wait_until_gone("dialog", "Connect ");
    wait_until("the step to wait for a further one", || {
        stage::text(&plan).contains("- depends: C1, ") || stage::text(&plan).contains(", T1")
    });

    // Comments on a step and on some of its text, and resolves the comments.
    show(&window, "outline");
    window.press("j");
    window.press("c");
    window.find("textbox", "Comment on ");
    window.type_text("Say which module");
    window.press("Enter");
    window.wait_for_text("not sent");
    window.shot("review-1400-light");
    window.script("document.activeElement.blur();", Vec::new());
    window.chord("p a");
    window.find("dialog", "Approve and run");
    window.wait_for_text("1 unsent comment");
    window.shot("approve-unsent");
    window.tab_to("button", "Add it to the plan as notes");
    window.press("Enter");
    window.find("dialog", "Approve with notes");
    window.wait_for(
        "the comment to stand in a note",
        "[...document.querySelectorAll('[role=dialog] textarea')].some(e => e.value === 'Say which module')",
    );
    window.tab_to("button", "Preview the plan");
    window.press("Enter");
    window.wait_for_text("PLAN WITH NOTES");
    window.tab_to("checkbox", "Run now");
    window.press(" ");
    window.wait_until_armed("button", "Approve");
    window.tab_to("button", "Approve");
    window.press("Enter");
    has(&home, "the note in the plan", "- note: Say which module");
    window.wait_for_text("Approved without running");
}
