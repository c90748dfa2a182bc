//! What a person sees of a run with a weak model, feature by feature: light and dark, wide and
//! narrow. The journeys test how the features behave. The main job is tested in `modelled.rs`, and
//! checkpoints by rule in `rules.rs`.

use planwright_tests::fixtures::python_report;
use planwright_tests::model_server::{Flavour, Scenario, Turn};
use planwright_tests::window::Window;
use planwright_tests::{Home, ModelServer, Project, stage, wait_until};
use serde_json::{Value, json};

use crate::eyes::{Place, bring, everywhere, hush, run_is_shown};

/// The name of a 7B model, which writes its calls as text.
const SMALL: &str = "qwen2.5-coder:7b";
/// The name of a model with native tool calls.
const LARGER: &str = "qwen3:14b";

/// A window on one plan, with its home, project and server.
struct Open {
    home: Home,
    settings: Value,
    project: Project,
    window: Window,
}

impl Open {
    fn new(home: Home, settings: Value, project: Project) -> Self {
        home.write_settings(&settings);
        let plan = project.at("plans/p.md").to_string_lossy().into_owned();
        let window = Window::open(&home, [plan]);
        window.resize(1400, 900);
        window.find("tab", "Outline");
        Self {
            home,
            settings,
            project,
            window,
        }
    }

    /// Approves the open plan after `choose` has set the dialog's options.
    #[track_caller]
    fn approve(&self, choose: impl FnOnce(&Window)) {
        let window = &self.window;
        window.click("button", "Approve and run…");
        window.find("dialog", "Approve and run");
        window.click("radio", "Run approved steps without asking");
        choose(window);
        window.click_armed("button", "Approve and run");
        window.wait_until_gone("dialog", "Approve and run");
        run_is_shown(window);
    }

    #[track_caller]
    fn everywhere(&self, name: &str, place: Place, there: impl Fn(&Window)) {
        let on = (&self.home, &self.settings);
        hush(&self.window);
        everywhere(&self.window, on, name, place, there);
    }

    #[track_caller]
    fn wait_until_ended(&self, state: &str) {
        wait_until(&format!("the run to be {state}"), || {
            stage::runs(&self.home)
                .first()
                .is_some_and(|run| run["state"] == state)
        });
    }
}

fn home_of(server: &ModelServer, model: &str) -> Home {
    Home::new()
        .with_env("PLANWRIGHT_BASE_URL", &server.base_url())
        .with_env("PLANWRIGHT_MODEL", model)
}

/// A call as a small model writes it.
fn written(words: &str, name: &str, arguments: &Value) -> Turn {
    let call = json!({"name": name, "arguments": arguments});
    Turn::say(format!("{words}\n{call}"))
}

fn reported(summary: &str) -> Turn {
    let arguments = json!({"summary": summary, "done": true});
    written("", "report_progress", &arguments)
}

/// Expands a step in the list of the run, unless it is already expanded.
#[track_caller]
fn unfold(window: &Window, task: &str) {
    let row = format!(
        "[...document.querySelectorAll('#panel-body li > button[aria-expanded]')].find(e => e.textContent.startsWith('{task}'))"
    );
    window.wait_for(
        &format!("{task} in the list"),
        &format!("{row} !== undefined"),
    );
    window.script(
        &format!("if ({row}.getAttribute('aria-expanded') === 'false') {row}.click();"),
        Vec::new(),
    );
}

/// Opens the run options in the dialog.
#[track_caller]
fn open_effort(window: &Window) {
    window.script(
        "document.querySelector('[role=dialog] details summary').click();",
        Vec::new(),
    );
}

const GROWS: &str = "\
---
planwright: 1
goal: Greet in German, and say so in the usage page
---
# Greet in German

The name of the greeting stays as it is.

## Requirements
- R1 the greeting is Moin
- R2 the usage page shows the German greeting

## Tasks
- [ ] **T1** Find where `hello.py` sets the greeting
  - files: `hello.py`
";

/// A run that has planned two steps; the model's reply for the second one stalls.
fn growing() -> (ModelServer, Open) {
    let step = |what: &str, why: &str| {
        Turn::say(json!({"what": what, "why": why, "tools": ["edit_file"]}).to_string())
    };
    let edit = json!({"path": "hello.py", "old_text": "\"Hello\"", "new_text": "\"Moin\""});
    let server = ModelServer::start(
        Scenario::new([
            written("I look first.", "read_file", &json!({"path": "hello.py"})),
            reported("The greeting is GREETING in hello.py"),
            step(
                "Change the greeting in hello.py to Moin",
                "R1 asks for a German greeting.",
            ),
            written("One word changes.", "edit_file", &edit),
            reported("The greeting is Moin"),
            step(
                "Show the German greeting in docs/usage.md",
                "R2 asks for it; the page still says Hello.",
            ),
            Turn::say("The page still shows the English greeting. I write it anew.")
                .thinking("There is one line to change.")
                .stall_after(7),
        ])
        .flavour(Flavour::Ollama)
        .models([SMALL])
        .window(16_384),
    );
    let home = home_of(&server, SMALL);
    let project = Project::named("greeter")
        .file("plans/p.md", GROWS)
        .file("hello.py", "GREETING = \"Hello\"\n")
        .file("docs/usage.md", "# Usage\n\nIt says Hello.\n")
        .git();
    let open = Open::new(home, json!({}), project);
    open.approve(|window| {
        open_effort(window);
        window.click("radio", "Iterative");
    });
    server.wait_until_stalled(1);
    open.window.wait_for_text("Show the German greeting in");
    (server, open)
}

#[test]
fn area_1_and_2_the_steps_that_a_run_added_stand_filled_in_in_the_outline() {
    let (_server, open) = growing();
    let plan = open.project.read("plans/p.md");
    assert_eq!(plan.matches("- origin: run").count(), 2, "{plan}");
    open.everywhere("growing", Place::Centre, |window| {
        window.wait_for_text("added by the run");
        // Neither the person nor the model named this file: it was derived from the step's text and
        // the open requirement.
        window.wait_for_text("docs/usage.md");
        window.find("row", "Change the greeting in hello.py to Moin");
    });
    open.window.wait_for_text("2 steps added by this run");
}

#[test]
fn area_9_words_and_thoughts_come_as_they_are_said_and_silence_is_told() {
    let (_server, open) = growing();
    open.window.wait_for_text("The page still shows");
    open.window.wait_for_text("No output for");
    open.everywhere("streaming", Place::Panel, |window| {
        window.find("region", "Model reply");
        window.wait_for_text("There is one line to change.");
        window.wait_for_text("No output for");
    });
}

#[test]
fn area_10_what_the_profile_decides_is_said_and_can_be_overruled() {
    let (_server, open) = growing();
    open.everywhere("carrier", Place::Panel, |window| {
        window.find("button", SMALL);
        window.wait_for_text("tool calls as text");
        window.wait_for_text("Iterative, 2 steps ahead");
    });
    open.window.click("button", SMALL);
    open.window.find("heading", "Settings");
    open.everywhere("profile", Place::Centre, |window| {
        bring(window, "[aria-label='Capabilities'] h3");
        window.wait_for_text("Capabilities");
    });
}

const REPORTS: &str = "\
# Write down how it greets

## Tasks
- [ ] **T1** Write what `hello.py` says into NOTES.md
  - files: `NOTES.md`, `hello.py`
  - verify: `grep -q Hello NOTES.md`
- [ ] **T2** Write who is greeted into WHO.md
  - files: `WHO.md`
  - verify: `test -s WHO.md`
";

#[test]
fn area_3_what_the_model_reports_is_told_from_what_is_inferred() {
    let write = |path: &str, content: &str| {
        Turn::call("write_file", json!({"path": path, "content": content}))
    };
    let report = json!({
        "summary": "NOTES.md says what the program prints",
        "done": true,
        "learned": ["The greeting is GREETING in hello.py", "Nothing reads NOTES.md"],
        "decided": ["One line, as a note is"],
        "next_hint": "WHO.md can be as short",
    });
    let words = || Turn::say("I have written the file, so the step is done.");
    let server = ModelServer::start(
        Scenario::new([
            write("NOTES.md", "It prints Hello.\n"),
            Turn::call("report_progress", report),
            write("WHO.md", "The world.\n"),
            words(),
            words(),
            words(),
            words(),
        ])
        .models([LARGER]),
    );
    let home = home_of(&server, LARGER);
    for value in [
        "honoursToolChoice=true",
        "supportsStructuredOutput=true",
        "needsSimplifiedPrompts=false",
    ] {
        home.planwright(home.path(), ["models", "--set", value])
            .expect(0);
    }
    let project = Project::named("greeter")
        .file("plans/p.md", REPORTS)
        .file("hello.py", "GREETING = \"Hello\"\n")
        .git();
    let open = Open::new(home, json!({}), project);
    open.approve(|_| ());
    open.wait_until_ended("done");
    server.finished();
    open.everywhere("report", Place::Panel, |window| {
        unfold(window, "T1");
        window.wait_for_text("Model report");
        window.wait_for_text("One line, as a note is");
        bring(window, "[aria-label='Model report']");
    });
    open.window.click("button", "Receipt");
    open.everywhere("inferred", Place::Dialog, |window| {
        window.find("dialog", "Receipt");
        window.wait_for_text("write_file WHO.md");
        window.script(
            "[...document.querySelectorAll('[aria-label=\"Model report\"]')].at(-1).scrollIntoView({ block: 'end' });",
            Vec::new(),
        );
    });
    assert!(open.window.shows("inferred"));
}

const FOCUS: &str = "\
---
planwright: 1
goal: Move the port into the settings
---
# Move the port

## Requirements
- R1 the port is a setting

## Tasks
- [ ] **T1** Find where the port is set in server.py
  - files: `server.py`
  - covers: R1
- [ ] **T2** Note in NOTES.md where the port is set
  - depends: T1
  - files: `NOTES.md`, `server.py`
  - note: keep it to one line
";

#[test]
fn area_4_what_the_model_was_given_is_listed_with_the_reason_for_each() {
    let mut server_py: String = (0..3_000)
        .map(|n| format!("handler_{n} = register({n})\n"))
        .collect();
    server_py.push_str("LISTEN_PORT = 8080  # the port of the service\n");
    let learned = json!({
        "summary": "LISTEN_PORT at the end of server.py sets it",
        "done": true,
        "learned": ["the port is set by LISTEN_PORT in server.py"],
    });
    let server = ModelServer::start(
        Scenario::new([
            written(
                "",
                "read_file",
                &json!({"path": "server.py", "start_line": 2990, "end_line": 3001}),
            ),
            written("", "report_progress", &learned),
            Turn::say("I write the note.").stall_after(2),
        ])
        .models([SMALL]),
    );
    let project = Project::named("greeter")
        .file("plans/p.md", FOCUS)
        .file("server.py", server_py)
        .file("NOTES.md", "# Notes\n")
        .git();
    let open = Open::new(home_of(&server, SMALL), json!({}), project);
    open.approve(|_| ());
    server.wait_until_stalled(1);
    open.everywhere("context", Place::Panel, |window| {
        window.wait_for_text("Context sent to the model");
        window.script(
            "for (const e of document.querySelectorAll('#panel-body details, [role=dialog] details')) if (e.parentElement.closest('details') === null) e.open = true;",
            Vec::new(),
        );
        window.wait_for_text("The step depends on T1.");
        window.wait_for_text("A person pinned this note to the step.");
        window.wait_for_text("Learned by T1, which the step depends on.");
    });
}

const RECOVERS: &str = "\
# Say the sum in capitals

## Tasks
- [ ] **T1** Write TOTAL in capitals in the last line of report.py
  - files: `report.py`
  - verify: `grep -q TOTAL report.py`
";

#[test]
fn area_5_what_failed_and_how_it_went_on_stands_in_the_timeline() {
    let edit = json!({"path": "report.py", "old_text": "\"Total\"", "new_text": "\"TOTAL\""});
    let words = "The last line says Total. I would write the word in capitals.";
    let server = ModelServer::start(
        Scenario::new([
            written("", "read_file", &json!({"path": "report.py"})),
            Turn::say(words).times(4),
            written("Then the change.", "edit_file", &edit)
                .expecting("An earlier attempt at this step failed"),
        ])
        .flavour(Flavour::Ollama)
        .models([SMALL])
        .window(16_384),
    );
    let project = Project::named("greeter")
        .file("plans/p.md", RECOVERS)
        .file("report.py", "print(\"Total\", 30)\n")
        .git();
    let open = Open::new(home_of(&server, SMALL), json!({}), project);
    open.approve(|_| ());
    open.wait_until_ended("done");
    server.finished();
    open.everywhere("recovery", Place::Panel, |window| {
        unfold(window, "T1");
        window.wait_for_text("Retried with less context");
        window.wait_for_text("by a rule");
        bring(window, "[aria-label='Step activity']");
    });
}

#[test]
fn area_6_the_template_that_fired_is_named_over_the_plan_and_refused() {
    let home = Home::new();
    let project = python_report().git();
    home.write_settings(&json!({}));
    let folder = project.path().to_string_lossy().into_owned();
    let window = Window::open(&home, [folder]);
    window.resize(1400, 900);
    window.fill(
        "What do you want to do?",
        "Rename the function total to sum_rows everywhere and test it",
    );
    window.click("button", "Make a plan");
    window.find("tab", "Outline");
    window.find("button", "Rewrite without the template");
    hush(&window);
    everywhere(
        &window,
        (&home, &json!({})),
        "template",
        Place::Centre,
        |window| {
            window.wait_for_text("From the template");
            window.find("button", "Rewrite without the template");
        },
    );
    window.click("button", "Rewrite without the template");
    window.wait_until_gone("button", "Rewrite without the template");
    window.wait_for_text("Rewritten without the template");
}

const CHECKS: &str = "\
# Greet in another way

Four steps, and four ways in which they end.

## Tasks
- [ ] **T1** Change the greeting in greetings.txt to moin
  - call: `edit_file {\"path\": \"greetings.txt\", \"old_text\": \"hello\", \"new_text\": \"moin\"}`
  - verify: `grep -q moin greetings.txt`
- [ ] **T2** Find who else says good day in docs
  - call: `search_files {\"pattern\": \"good day\", \"path\": \"docs\"}`
- [ ] **T3** Add the evening greeting to greetings.txt
  - call: `write_file {\"path\": \"evening.txt\", \"content\": \"good evening\\n\"}`
  - verify: `sh -c 'ls even* || exit 1; test -e shaky.seen || { touch shaky.seen; echo the clock was late; exit 1; }'`
- [ ] **T4** Let the check in tests/check.sh expect moin
  - call: `write_file {\"path\": \"tests/check.sh\", \"content\": \"grep -q moin greetings.txt\\n\"}`
  - verify: `sh tests/check.sh`
";

#[test]
fn area_7_verified_unverified_flaky_and_edited_are_told_apart() {
    let project = Project::named("greeter")
        .file("plans/p.md", CHECKS)
        .file("greetings.txt", "hello\n")
        .file("docs/usage.md", "# Usage\n\nSays hello.\n")
        .file("tests/check.sh", "grep -q hello greetings.txt\n")
        .git();
    let open = Open::new(Home::new(), json!({}), project);
    open.approve(|_| ());
    open.wait_until_ended("unverified");
    let window = &open.window;
    for (task, word) in [
        ("Change the greeting", "exit 0"),
        ("Find who else", "unverified"),
        ("Add the evening greeting", "flaky check"),
        ("Let the check in tests", "check edited"),
    ] {
        window.find("row", task);
        window.wait_for_text(word);
    }
    open.everywhere("verification", Place::Panel, |window| {
        unfold(window, "T4");
        window.wait_for_text("the check was edited in this step: tests/check.sh");
    });
    // Only T4 reports the edited check; T3 shows a different note.
    unfold(window, "T3");
    window.wait_for_text("is flaky");
    let run = stage::runs(&open.home)[0]["run"]
        .as_str()
        .unwrap()
        .to_owned();
    let receipt = stage::receipt(&open.home, &run);
    assert_eq!(stage::step_state(&receipt, "T2"), "unverified");
    assert_eq!(stage::step_state(&receipt, "T4"), "done");
}

const BESIDE: &str = "\
# Greet in two languages

## Tasks
- [ ] **T1** Write the German greeting anew in german.txt
  - depends:
  - files: `german.txt`
  - verify: `grep -q Moin german.txt`
- [ ] **T2** Write the French greeting anew in french.txt
  - depends:
  - files: `french.txt`
  - verify: `grep -q Salut french.txt`
- [ ] **T3** List both greetings in all.txt
  - depends: T1, T2
  - files: `all.txt`
  - call: `run_command {\"command\": \"sh -c 'cat german.txt french.txt > all.txt'\"}`
";

/// The model's answer, which depends on the step in the request. The first answer for each step
/// stalls until it is released.
fn author(request: &Value, _: usize) -> Turn {
    let text = request["messages"].to_string();
    let (path, word) = match text.contains("Your step, T2") {
        true => ("french.txt", "Salut"),
        false => ("german.txt", "Moin"),
    };
    let messages = request["messages"].as_array().expect("messages");
    let made = messages
        .iter()
        .filter(|message| message["role"] == "assistant");
    match made.count() {
        0 => Turn::say("I look at what the file says now.")
            .and_call("read_file", json!({ "path": path }))
            .stall_after(3),
        1 => Turn::call(
            "write_file",
            json!({"path": path, "content": format!("{word}\n")}),
        ),
        _ => Turn::call(
            "report_progress",
            json!({"summary": "The greeting is written", "done": true}),
        ),
    }
}

#[test]
fn two_steps_under_way_at_once_are_both_seen() {
    let server = ModelServer::written_by(Scenario::default().models([LARGER]), author);
    let project = Project::named("greeter")
        .file("plans/p.md", BESIDE)
        .file("german.txt", "Hallo\n")
        .file("french.txt", "Bonjour\n")
        .git();
    let open = Open::new(home_of(&server, LARGER), json!({}), project);
    open.approve(|window| {
        open_effort(window);
        window.script(
            "document.querySelector('[role=dialog] [aria-label=\"Parallel steps\"] input[value=\"2\"]').click();",
            Vec::new(),
        );
        window.wait_for_text("2 steps at once");
    });
    // If the steps ran one after the other, this would wait forever.
    server.wait_until_stalled(2);
    open.everywhere("beside", Place::Panel, |window| {
        window.find("list", "Other steps running");
        window.wait_for(
            "two steps to be running",
            "document.body.innerText.match(/running/g)?.length >= 2",
        );
    });
    server.release();
    open.wait_until_ended("done");
    assert_eq!(open.project.read("all.txt"), "Moin\nSalut\n");
    open.window.click("button", "Receipt");
    open.window.wait_for_text("In parallel with T1, from");
}
