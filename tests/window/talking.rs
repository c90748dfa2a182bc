//! The conversation with a model in the window, against a scripted server: from a goal to completed
//! work, with `kill -9` during a stream and during a question, and the screens for the reasons why
//! a model is unavailable.

use planwright_tests::model_server::{Flavour, Scenario, Turn};
use planwright_tests::window::Window;
use planwright_tests::{Home, ModelServer, Project, wait_until};
use serde_json::json;

use crate::eyes;

const GOAL: &str = "Add a CSV export to the report command";

const PLAN: &str = "\
# Add a CSV export to the report command

The report prints rows; a flag writes them as CSV.

## Requirements
- R1 `report --csv` writes every row as CSV

## Tasks
- [ ] **T1** Find where the rows are built
  - call: `search_files {\"pattern\": \"def rows\"}`
  - covers: R1
- [ ] **T2** Write down what the flag does
  - call: `write_file {\"path\": \"NOTES.md\", \"content\": \"report --csv writes CSV\\n\"}`
  - files: `NOTES.md`
  - covers: R1
  - verify: `test -f NOTES.md`
";

const T2_AGAIN: &str = "\
- [ ] **T2** Write down what the flag does, in one line
  - call: `write_file {\"path\": \"NOTES.md\", \"content\": \"report --csv writes CSV\\n\"}`
  - files: `NOTES.md`
  - covers: R1
  - verify: `test -f NOTES.md`
";

/// The name of a model with a known profile, so that it is used for planning.
const MODEL: &str = "gpt-5-scripted";

fn project() -> Project {
    Project::new()
        .file("src/report.py", "def rows():\n    return []\n")
        .git()
}

fn home(server: &ModelServer, model: &str) -> Home {
    Home::new()
        .with_env("PLANWRIGHT_BASE_URL", &server.base_url())
        .with_env("PLANWRIGHT_MODEL", model)
        .with_env("PLANWRIGHT_API_KEY", "sk-test-1234567890")
}

fn open(home: &Home, project: &Project) -> Window {
    let window = Window::open(home, [project.path().to_string_lossy()]);
    window.resize(1400, 880);
    window.find("button", "Make a plan");
    window
}

#[track_caller]
fn say_goal(window: &Window) {
    window.fill("What do you want to do?", GOAL);
    window.click("button", "Talk it over with the model instead");
}

#[track_caller]
fn look(window: &Window, what: &str) {
    eyes::look(window, &format!("talk-{what}"));
}

fn plan_in(project: &Project) -> String {
    let folder = project.at("plans");
    let entries = std::fs::read_dir(&folder).expect("a plan folder");
    let files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    std::fs::read_to_string(&files[0]).expect("a plan")
}

fn propose() -> Turn {
    Turn::call("propose_plan", json!({}))
}

#[test]
fn a_goal_becomes_a_plan_that_is_sent_back_compared_approved_and_worked_on() {
    let server = ModelServer::start(Scenario::new([
        Turn::say("I look at where the rows are built, then I ask what I cannot read from the code.")
            .thinking("The rows may be built in one place.")
            .and_call("read_file", json!({"path": "src/report.py"}))
            .stall_after(6),
        Turn::call(
            "ask_user",
            json!({"question": "Which separator?", "options": ["Comma, as the standard has it", "Semicolon, as spreadsheets expect"]}),
        )
        .expecting("def rows"),
        Turn::call("edit_plan", json!({"new_text": PLAN})).expecting("Semicolon"),
        propose(),
        Turn::call("edit_plan", json!({"task": "T2", "new_text": T2_AGAIN}))
            .expecting("T2: one line is enough"),
        propose(),
    ]));
    let (home, project) = (home(&server, MODEL), project());
    let window = open(&home, &project);
    say_goal(&window);

    // Streaming: received text is on screen before the answer is complete.
    server.wait_until_stalled(1);
    window.wait_for_text("I look at where");
    window.click("button", "Thinking");
    window.wait_for_text("The rows may be built in one place.");
    look(&window, "streaming");
    server.release();

    // A number key answers the question once the card accepts input.
    window.find("region", "Which separator?");
    window.wait_for_text("Read src/report.py");
    look(&window, "question");
    window.wait_until_armed("button", "Semicolon, as spreadsheets expect");
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("i q");
    window.press("2");

    // The proposal is shown beside the plan.
    window.find("region", "Proposal 1");
    window.find("row", "Find where the rows are built");
    let first = plan_in(&project);
    look(&window, "proposal");
    assert!(!project.at("NOTES.md").exists(), "nothing is executed");

    // Requests changes: the feedback reaches the model, and the other task stays the same byte for
    // byte.
    window.click("button", "Request changes…");
    window.fill("What should change", "T2: one line is enough");
    window.click("button", "Request changes");
    window.find("region", "Proposal 2");
    let second = plan_in(&project);
    let task = |text: &str| {
        let from = text.find("- [ ] **T1**").expect("T1");
        text[from..text.find("- [ ] **T2**").expect("T2")].to_owned()
    };
    assert_eq!(task(&first), task(&second), "T1 is as it was");
    assert!(second.contains("in one line"));
    window.click("button", "Compare Proposal 2 with the plan before it");
    window.find("dialog", "Changes in Proposal 2");
    look(&window, "compare");
    window.press("Escape");
    window.wait_until_gone("dialog", "Changes in Proposal 2");
    window.click("button", "Open Proposal 1");
    window.find("dialog", "Proposal 1");
    window.wait_for_text("- [ ] **T2** Write down what the flag does");
    window.press("Escape");
    window.wait_until_gone("dialog", "Proposal 1");

    // Approves with notes: the note is written into the plan, the steps run, and the mode switches
    // to Exec and back to Plan.
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("p n");
    window.find("dialog", "Approve with notes");
    window.fill("T2 Write down", "keep it short");
    window.click("button", "Preview the plan");
    window.wait_for_text("PLAN WITH NOTES");
    window.click_armed("button", "Approve and run");
    wait_until("the run to have written the file", || {
        project.at("NOTES.md").exists()
    });
    window.click("tab", "Talk");
    window.wait_for_text("You approved");
    window.wait_for_text("The run ended.");
    assert!(plan_in(&project).contains("- note: keep it short"));

    // Switches to Exec mode, in which messages go to the plan's run. A completed plan has no run to
    // continue.
    window.press("Control+.");
    window.wait_for_text("Exec mode: your messages go to this plan’s run.");
    window.fill("Message the model", "Note it in the change log too");
    window.press("Enter");
    window.wait_for_text("every step is done or skipped");
    look(&window, "exec");
    assert!(!project.at("CHANGELOG.md").exists(), "no run, no work");
    window.press("Control+.");
    window.wait_for_text("Plan mode: only the plan can change.");

    // Opens the costs, then checks the narrow window.
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("i c");
    window.wait_for_text("USED SO FAR");
    look(&window, "context");
    window.press("Escape");
    for width in [900, 400] {
        window.resize(width, 880);
        window.click("button", "Show panel");
        window.find("textbox", "Message the model");
        look(&window, &format!("narrow-{width}"));
        window.press("Escape");
    }
    server.finished();
}

#[test]
fn a_stream_that_kill_9_cut_off_is_shown_and_gone_on_with() {
    let server = ModelServer::start(Scenario::new([
        Turn::say("I begin with the rows and then go on to the flag.").stall_after(3),
        Turn::call("edit_plan", json!({"new_text": PLAN})),
        propose(),
    ]));
    let (home, project) = (home(&server, MODEL), project());
    let window = open(&home, &project);
    say_goal(&window);
    server.wait_until_stalled(1);
    window.wait_for_text("I begin with");
    window.kill_9();
    server.release();

    let window = Window::open(&home, [""; 0]);
    window.resize(1400, 880);
    window.wait_for_text("The model’s turn was interrupted");
    window.wait_for_text(GOAL);
    look(&window, "cut-off");
    window.click("button", "Resume");
    window.find("region", "Proposal 1");
    assert!(plan_in(&project).contains("**T2**"));
    server.finished();
}

#[test]
fn a_question_waits_through_kill_9_and_words_survive() {
    let server = ModelServer::start(Scenario::new([
        Turn::call("edit_plan", json!({"new_text": PLAN})),
        Turn::call(
            "ask_user",
            json!({"question": "Which separator?", "options": ["Comma", "Semicolon"]}),
        ),
        propose().expecting("Semicolon"),
    ]));
    let (home, project) = (home(&server, MODEL), project());
    let window = open(&home, &project);
    say_goal(&window);
    window.find("region", "Which separator?");
    window.fill("Message the model", "I would rather");
    planwright_tests::stage::wait_until_kept(&home, "I would rather");
    window.kill_9();

    let window = Window::open(&home, [""; 0]);
    window.resize(1400, 880);
    window.find("region", "Which separator?");
    window.wait_for(
        "the words to be in the box",
        "document.getElementById('talk-words')?.value === 'I would rather'",
    );
    window.click_armed("button", "Semicolon");
    window.find("region", "Proposal 1");
    server.finished();
}

#[test]
fn a_turn_is_stopped_by_escape_and_its_words_can_be_said_again() {
    let server = ModelServer::start(Scenario::new([
        Turn::say("This is going to take a while.").stall_after(2),
        Turn::call("edit_plan", json!({"new_text": PLAN})),
        propose(),
    ]));
    let (home, project) = (home(&server, MODEL), project());
    let window = open(&home, &project);
    say_goal(&window);
    server.wait_until_stalled(1);
    window.find("button", "Stop");
    window.script("document.getElementById('talk-words').focus();", Vec::new());
    window.press("Escape");
    window.wait_for_text("Cancelled.");
    server.wait_until_dropped(1);
    server.release();
    window.fill("Message the model", "Go on, please");
    window.press("Enter");
    window.find("region", "Proposal 1");
}

/// Enters the goal with a model that is unavailable and waits for the screen that reports it;
/// returns the window and the project.
#[track_caller]
fn trouble(home: &Home, title: &str, words: &str, shot: &str) -> (Window, Project) {
    let project = project();
    let window = open(home, &project);
    say_goal(&window);
    window.find("alert", title);
    window.wait_for_text(words);
    look(&window, shot);
    assert!(!project.at("plans").exists(), "no plan is written");
    (window, project)
}

#[test]
fn a_key_that_is_refused_has_its_screen_and_the_way_to_the_settings() {
    let server = ModelServer::start(Scenario::new([]).key("sk-right"));
    let home = home(&server, MODEL);
    let (window, _project) = trouble(
        &home,
        "API key rejected",
        "The server rejected the key (401)",
        "key",
    );
    assert!(
        !window.text().contains("sk-test-1234567890"),
        "the key stays hidden"
    );
    window.click("button", "Open Settings → Models");
    window.find("heading", "Settings");
}

#[test]
fn a_model_that_the_server_does_not_have_has_its_screen() {
    let server = ModelServer::start(Scenario::new([]).models(["another-model"]));
    trouble(
        &home(&server, MODEL),
        "Model not found on the server",
        "gpt-5-scripted",
        "unknown-model",
    );
}

#[test]
fn a_server_that_is_not_there_has_its_screen_and_is_asked_again() {
    let server = ModelServer::start(Scenario::new([]));
    let home = home(&server, MODEL);
    let address = server.base_url();
    drop(server);
    let (window, _project) = trouble(
        &home,
        "The model’s server isn’t responding",
        &address,
        "unreachable",
    );
    window.click("button", "Retry");
    window.find("button", "Stop");
}

#[test]
fn a_server_that_dies_in_the_middle_leaves_half_an_answer_that_counts_for_nothing() {
    let cut = || Turn::say("I would like to begin with the rows.").cut_after(300);
    let server = ModelServer::start(Scenario::new([cut().times(40)]));
    let project = project();
    let home = home(&server, MODEL);
    let window = open(&home, &project);
    say_goal(&window);
    window.find("alert", "The reply was cut off");
    look(&window, "broken-off");
    assert!(!project.at("plans").exists());
    window.find("button", "Retry");
}

#[test]
fn a_window_that_is_too_small_is_said_before_anything_is_sent() {
    let scenario = Scenario::new([]).flavour(Flavour::LlamaCpp).window(2_048);
    let server = ModelServer::start(scenario);
    let (window, _project) = trouble(
        &home(&server, "scripted"),
        "The model’s context window is too small",
        "The context window of scripted is 2048 tokens",
        "window",
    );
    window.find("button", "Copy: ");
    assert!(server.requests().is_empty());
}

#[test]
fn without_a_model_a_goal_is_planned_by_rules_and_the_panel_says_how_to_get_one() {
    let (home, project) = (Home::new(), project());
    home.write_settings(&json!({"theme": "dark"}));
    let window = open(&home, &project);
    window.fill("What do you want to do?", GOAL);
    assert!(!window.has("button", "Talk it over with the model instead"));
    window.click("button", "Make a plan");
    window.find("tab", "Outline");
    window.click("tab", "Talk");
    window.wait_for_text("No model is set up");
    look(&window, "no-model-dark");
    window.click("button", "Set up a model");
    window.find("heading", "Settings");
}

#[test]
fn a_conversation_in_the_dark() {
    let server = ModelServer::start(Scenario::new([
        Turn::call("edit_plan", json!({"new_text": PLAN})),
        Turn::call("run_command", json!({"command": "git commit -m x"})),
        Turn::call(
            "ask_user",
            json!({"question": "Which separator?", "options": ["Comma", "Semicolon"]}),
        ),
        propose(),
    ]));
    let (home, project) = (home(&server, MODEL), project());
    home.write_settings(&json!({"theme": "dark"}));
    let window = open(&home, &project);
    say_goal(&window);
    window.find("region", "Which separator?");
    look(&window, "dark-question");
    window.click_armed("button", "Let the model decide");
    window.find("region", "Proposal 1");
    look(&window, "dark-proposal");
}
