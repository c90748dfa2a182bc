//! A run by a weak model in the window, against a scripted server: from the goal to the receipt,
//! including a person who steps in while the model is working.

use planwright_tests::model_server::{Flavour, Scenario, Turn};
use planwright_tests::stage::{self, sample_folder, text};
use planwright_tests::window::Window;
use planwright_tests::{Home, ModelServer, job, wait_until};
use serde_json::{Value, json};

const GOAL: &str = "Print the last line of the report in capitals and say so in the usage page";

const PLAN: &str = "\
# Print the last line of the report in capitals

The sum stays where it is; only its word changes.

## Requirements
- R1 the last line of the report begins with TOTAL
- R2 the usage page says so

## Tasks
- [ ] **T1** Write TOTAL in capitals in the last line that `render_rows` gives
  - files: `src/report.py`
  - covers: R1
  - complexity: 2
  - accept: the last line begins with TOTAL
  - verify: `python3 -m unittest tests.test_report`
- [ ] **T2** Say in the usage page that the last line begins with TOTAL
  - depends: T1
  - files: `docs/usage.md`
  - covers: R2
  - complexity: 1
  - accept: the usage page names TOTAL
  - verify: `grep -q TOTAL docs/usage.md`
";

/// The name of a 7B model, which writes its calls as text.
const MODEL: &str = "qwen2.5-coder:7b";

/// A call as a small model writes it: as text.
fn call(name: &str, arguments: &Value) -> String {
    json!({"name": name, "arguments": arguments}).to_string()
}

/// A call in a code fence, with text before it and an extra comma.
fn sloppy(words: &str, name: &str, arguments: &Value) -> Turn {
    let whole = call(name, arguments);
    let cut = whole.strip_suffix("}}").expect("a nested object");
    Turn::say(format!("{words}\n```json\n{cut},}}}}\n```"))
}

fn report(summary: &str, learned: &[&str]) -> Turn {
    let arguments = json!({"summary": summary, "done": true, "learned": learned});
    Turn::say(call("report_progress", &arguments))
}

fn edit(path: &str, from: &str, to: &str) -> Value {
    json!({"path": path, "old_text": from, "new_text": to})
}

fn planned() -> [Turn; 3] {
    [
        sloppy(
            "I look at how the last line is made.",
            "read_file",
            &json!({"path": "src/report.py"}),
        ),
        Turn::say(call("edit_plan", &json!({ "new_text": PLAN }))),
        Turn::say(call("propose_plan", &json!({}))),
    ]
}

fn serve(turns: impl IntoIterator<Item = Turn>) -> ModelServer {
    let scenario = Scenario::new(planned().into_iter().chain(turns));
    ModelServer::start(
        scenario
            .flavour(Flavour::Ollama)
            .models([MODEL])
            .window(16_384),
    )
}

fn home(server: &ModelServer, theme: &str) -> Home {
    let home = Home::new()
        .with_env("PLANWRIGHT_BASE_URL", &server.base_url())
        .with_env("PLANWRIGHT_MODEL", MODEL);
    home.write_settings(&json!({ "theme": theme }));
    home
}

#[track_caller]
fn look(window: &Window, name: &str) {
    window.settle();
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../ui/node_modules/axe-core/axe.min.js"
    );
    let source = std::fs::read_to_string(path).expect("`npm ci` in ui/ installs axe");
    let found = window.axe(&source);
    window.shot(&format!("modelled-{name}"));
    assert!(found.is_empty(), "{name}:\n{}", found.join("\n"));
}

/// Dismisses toasts, so that only the page is visible.
#[track_caller]
fn hush(window: &Window) {
    window.script(
        "document.querySelectorAll('section[aria-label=Notifications] button[aria-label^=Close]').forEach(button => button.click());",
        Vec::new(),
    );
    window.wait_for(
        "nothing to be told in passing",
        "document.querySelector('section[aria-label=Notifications] button') === null",
    );
}

/// Goes from the first screen to the plan that the model proposes.
#[track_caller]
fn plan_it(home: &Home) -> Window {
    let window = job::open(home);
    window.click("button", "Open the sample program");
    window.click("button", "New plan");
    window.fill("What do you want to do?", GOAL);
    window.click("button", "Talk it over with the model instead");
    window.find("region", "Proposal 1");
    window.find("row", "Write TOTAL in capitals");
    window
}

#[track_caller]
fn approve(window: &Window) {
    window.click("button", "Approve and run…");
    window.find("dialog", "Approve and run");
    window.click("radio", "Run approved steps without asking");
    window.shot("modelled-approve");
    window.script(
        "document.querySelector('[role=dialog] details summary').click();",
        Vec::new(),
    );
    window.find("radio", "Iterative");
    window.wait_for_text("Profile: window 16,384");
    hush(window);
    look(window, "effort");
    window.click_armed("button", "Approve and run");
    window.wait_until_gone("dialog", "Approve and run");
    window.click("tab", "Run");
}

fn journey(theme: &str) {
    let words = "The last line is built in render_rows. I would write the word in capitals.";
    let server = serve([
        // T1: a damaged call, then only text until a rule restarts it with less context.
        sloppy(
            "I read the file first.",
            "read_file",
            &json!({"path": "src/report.py"}),
        ),
        Turn::say(words).times(4),
        sloppy(
            "Then the change.",
            "edit_file",
            &edit("src/report.py", "f\"Total {", "f\"TOTAL {"),
        )
        .expecting("An earlier attempt at this step failed"),
        report(
            "The last line begins with TOTAL",
            &["The last line is built in render_rows"],
        ),
        // T2: the model's text is on screen before it is complete. The model first writes a file
        // that the step doesn't name, and does so again when rejected. The step's check shows that
        // it is done.
        Turn::say(format!(
            "The usage page gets a line of its own.\n{}",
            call(
                "write_file",
                &json!({"path": "CHANGES.md", "content": "- the last line begins with TOTAL\n"}),
            )
        ))
        .stall_after(4)
        .expecting("The last line is built in render_rows"),
        Turn::say(call(
            "write_file",
            &json!({"path": "CHANGES.md", "content": "- the last line begins with TOTAL\n"}),
        ))
        .times(2),
        Turn::say(call(
            "edit_file",
            &edit(
                "docs/usage.md",
                "# Usage\n",
                "# Usage\n\nThe last line begins with TOTAL.\n",
            ),
        ))
        .expecting("CHANGES.md"),
    ]);
    let home = home(&server, theme);
    let window = plan_it(&home);
    window.shot(&format!("modelled-proposal-{theme}"));
    let project = sample_folder(&home);
    assert!(stage::runs(&home).is_empty(), "planning runs nothing");
    approve(&window);

    // The model is working on T2; T1 is done, after one recovery.
    server.wait_until_stalled(1);
    window.wait_for_text("The usage page gets a line");
    window.wait_for_text("Step 2/2 · T2");
    window.wait_for_text("Context sent to the model");
    hush(&window);
    window.shot(&format!("modelled-streaming-{theme}"));
    window.click("button", "Write TOTAL");
    window.wait_for_text("Retried with less context");
    window.wait_for_text("A reply was repaired");
    window.wait_for_text("The last line begins with TOTAL");
    window.script(
        "document.querySelector('[aria-label=\"Step activity\"]')?.scrollIntoView({ block: 'center' });",
        Vec::new(),
    );
    look(&window, &format!("recovery-{theme}"));
    assert!(text(&project.join("src/report.py")).contains("TOTAL"));
    window.click("button", "Write TOTAL");
    server.release();

    // The run asks for permission to write a file that the step doesn't name.
    window.find("region", "T2 wants to write a file");
    window.wait_for_text("- the last line begins with TOTAL");
    assert!(
        !project.join("CHANGES.md").exists(),
        "not before the approval"
    );
    look(&window, &format!("permission-{theme}"));
    window.click_armed("button", "Allow once");
    wait_until("the run to have ended", || {
        stage::runs(&home)[0]["state"] == "done"
    });
    assert!(project.join("CHANGES.md").exists());
    window.find("button", "Receipt");
    window.shot(&format!("modelled-done-{theme}"));

    // Undoes one step.
    window.click("row", "Say in the usage page");
    window.click("tab", "Changes");
    window.click("button", "Undo T2…");
    window.find("dialog", "Undo T2?");
    window.click_armed("button", "Undo T2");
    window.find("dialog", "Undo result");
    window.shot(&format!("modelled-undone-{theme}"));
    assert!(!text(&project.join("docs/usage.md")).contains("TOTAL"));
    assert!(!project.join("CHANGES.md").exists());
    window.click("button", "Close");
    window.wait_until_gone("dialog", "Undo result");

    window.click("tab", "Run");
    window.click("button", "Receipt");
    window.find("dialog", "Receipt");
    window.wait_for_text("Retried with less context, chosen by a rule");
    window.wait_for_text("Model report");
    look(&window, &format!("receipt-{theme}"));
    let runs = stage::runs(&home);
    let receipt = stage::receipt(&home, runs[0]["run"].as_str().expect("an id"));
    assert_eq!(stage::step_state(&receipt, "T1"), "done", "{receipt:#}");
    let first = &receipt["steps"][0];
    assert_eq!(first["recoveries"][0]["strategy"], "retry_simplified");
    assert_eq!(receipt["steps"][1]["undone"], true, "{receipt:#}");
    assert!(receipt["tokens_in"].as_u64() > Some(0));
    server.finished();
}

#[test]
fn a_goal_becomes_a_receipt_with_a_weak_model() {
    journey("light");
}

#[test]
fn a_goal_becomes_a_receipt_with_a_weak_model_in_the_dark() {
    journey("dark");
}

#[test]
fn a_person_chooses_another_way_while_the_model_answers_and_when_it_gave_up() {
    let gave_up = || {
        Turn::say(call(
            "report_progress",
            &json!({"summary": "I cannot find the line", "done": false}),
        ))
    };
    let server = serve([
        Turn::say("I would rather rewrite the whole report from its beginning.").stall_after(3),
        gave_up().expecting("Now do it this way: only the one word"),
        gave_up(),
        // The model picks the letter that means asking the person.
        Turn::say("D"),
        Turn::say(call(
            "edit_file",
            &edit("src/report.py", "f\"Total {", "f\"TOTAL {"),
        ))
        .expecting("Now do it this way: it is the last line of render_rows"),
        report("The last line begins with TOTAL", &[]),
        Turn::say("The usage page comes next.").stall_after(2),
    ]);
    let home = home(&server, "light");
    let window = plan_it(&home);
    approve(&window);
    server.wait_until_stalled(1);
    window.wait_for_text("I would rather rewrite");

    // Chooses a recovery by keyboard, with instructions.
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("r x");
    window.find("textbox", "Instructions");
    window.fill("Instructions", "only the one word");
    hush(&window);
    look(&window, "ways");
    for (width, name) in [(900, "ways-900"), (400, "ways-400")] {
        window.resize(width, 880);
        window.click("button", "Show panel");
        window.find("textbox", "Instructions");
        look(&window, name);
        window.press("Escape");
    }
    window.resize(1400, 880);
    window.wait_until_armed("button", "Try another approach ·");
    window.tab_to("button", "Try another approach ·");
    window.press("Enter");
    server.wait_until_dropped(1);

    // The model gave up, so the card shows the options.
    window.find("region", "T1 failed");
    window.fill("Instructions", "it is the last line of render_rows");
    hush(&window);
    look(&window, "gave-up");
    window.click_armed("button", "Try another approach ·");
    server.wait_until_stalled(2);
    window.wait_for_text("Step 2/2 · T2");

    // Skips the step with a reason while the model is writing.
    window.wait_for_text("The usage page c");
    window.click("button", "Change approach for T2…");
    window.fill("Instructions", "nobody reads the usage page");
    window.click_armed("button", "Skip the step");
    server.wait_until_dropped(2);
    server.release();
    // No completed step covers R2.
    wait_until("the run to have ended", || {
        stage::runs(&home)[0]["state"] == "incomplete"
    });
    let plans = sample_folder(&home).join("plans");
    let plan = text(&plans.join("print-the-last-line-of-the-report-in-capitals.md"));
    assert!(
        plan.contains("- skipped: nobody reads the usage page"),
        "{plan}"
    );
    server.finished();
}
