//! The model in use: its configuration, the values that servers report, and fixes for failures. A
//! key is sent only to the address it was given for.

use std::ffi::OsString;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use desktop::Desktop;
use desktop::wire::{DesktopEvent, ModelChoice, NumberedEvent};
use planwright_tests::model_server::{Flavour, Scenario, Turn};
use planwright_tests::{Home, ModelServer, Output, PATIENCE, Project, planwright_binary};
use serde_json::{Value, json};
use workbench::{Code, Environment};

const MODEL: &str = "qwen2.5-coder:7b";
const KEY: &str = "sk-test-4f5e6d7c8b9a";

fn home_for(server: &ModelServer) -> Home {
    Home::new()
        .with_env("PLANWRIGHT_BASE_URL", &server.base_url())
        .with_env("PLANWRIGHT_MODEL", MODEL)
}

fn models(home: &Home, more: &[&str]) -> Output {
    let arguments: Vec<&str> = ["models", "--json"].iter().chain(more).copied().collect();
    within(home, &Project::new(), &arguments)
}

fn within(home: &Home, project: &Project, arguments: &[&str]) -> Output {
    home.planwright(project, arguments)
}

fn field<'a>(report: &'a Value, name: &str) -> &'a Value {
    let fields = report["in_force"]["profile"].as_array().unwrap();
    fields.iter().find(|field| field["name"] == name).unwrap()
}

/// The reply of a model that passes each question of the probe, but writes its calls as text.
fn writes_calls_as_text(request: &Value, _: usize) -> Turn {
    if request.get("response_format").is_some() {
        return Turn::say(r#"{"count":8,"word":"eight"}"#);
    }
    match request.get("tools") {
        Some(_) => Turn::say(r#"{"name": "read_file", "arguments": {"path": "notes/todo.txt"}}"#),
        None => Turn::say(r#"{"count": 7, "word": "seven"}"#),
    }
}

#[test]
fn without_a_model_it_is_said_how_to_set_one_up() {
    let shown = models(&Home::new(), &[]).expect(0).last_json();
    assert_eq!(shown["in_force"], Value::Null);
    assert_eq!(shown["problem"], Value::Null);
    let names: Vec<&str> = shown["presets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|preset| preset["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "ollama",
            "lm_studio",
            "llama_cpp",
            "vllm",
            "openai",
            "openrouter",
            "custom"
        ]
    );
    let text = within(&Home::new(), &Project::new(), &["models"]).expect(0);
    assert!(
        text.shown().contains("PLANWRIGHT_BASE_URL"),
        "{}",
        text.shown()
    );
}

#[test]
fn a_server_on_this_machine_is_found_with_its_models() {
    let scenario = Scenario::default()
        .flavour(Flavour::Ollama)
        .models([MODEL, "llama3.2:3b"]);
    let server = ModelServer::start(scenario);
    let home = home_for(&server).with_env("OLLAMA_HOST", &format!("127.0.0.1:{}", server.port()));
    let shown = models(&home, &[]).expect(0).last_json();
    let servers = shown["servers"].as_array().unwrap();
    let found = servers
        .iter()
        .find(|found| found["base_url"] == server.base_url())
        .unwrap_or_else(|| panic!("{servers:?}"));
    assert_eq!(found["preset"], "ollama");
    let names: Vec<_> = found["models"]
        .as_array()
        .unwrap()
        .iter()
        .map(|model| (model["id"].as_str().unwrap(), model["in_force"] == true))
        .collect();
    assert_eq!(names, [(MODEL, true), ("llama3.2:3b", false)]);
    assert_eq!(shown["in_force"]["base_url_from"], "environment");
    for question in server.questions() {
        assert_eq!(
            question.header("authorization"),
            "",
            "no key is sent to a discovered server"
        );
    }
    assert!(server.requests().is_empty(), "no model was called");
}

#[test]
fn half_an_endpoint_says_which_half_is_missing() {
    let home = Home::new().with_env("PLANWRIGHT_BASE_URL", "http://127.0.0.1:9/v1");
    let shown = models(&home, &[]).expect(4).last_json();
    let message = shown["problem"]["message"].as_str().unwrap();
    assert!(message.contains("PLANWRIGHT_MODEL"), "{message}");
}

#[test]
fn each_way_in_which_a_connection_fails_says_what_helps() {
    let keyed = ModelServer::start(Scenario::default().key(KEY));
    let wrong = home_for(&keyed).with_env("PLANWRIGHT_API_KEY", "sk-wrong-0123456789");
    let output = models(&wrong, &["--test"]).expect(4);
    assert_eq!(
        output.last_json()["trial"]["problem"]["kind"],
        "model_key_refused"
    );
    assert!(!output.lines().concat().contains("sk-wrong"));

    let other = ModelServer::start(
        Scenario::default()
            .flavour(Flavour::Ollama)
            .models(["llama3.2:3b", "qwen2.5-coder:14b"]),
    );
    let shown = models(&home_for(&other), &["--test"]).expect(4).last_json();
    let problem = &shown["trial"]["problem"];
    assert_eq!(problem["kind"], "model_unknown");
    assert_eq!(
        problem["models"][0], "qwen2.5-coder:14b",
        "the closest name first"
    );
    assert_eq!(problem["line"], "ollama pull qwen2.5-coder:7b");

    let gone = {
        let server = ModelServer::start(Scenario::default());
        home_for(&server)
    };
    let shown = models(&gone, &["--test"]).expect(4).last_json();
    assert_eq!(shown["trial"]["problem"]["kind"], "model_unreachable");

    let named = Home::new();
    named.write_settings(&json!({"endpoint": {
        "base_url": keyed.base_url(), "model": "m", "key_variable": "PW_TEST_NO_SUCH_KEY",
    }}));
    let shown = models(&named, &["--test"]).expect(4).last_json();
    let problem = &shown["trial"]["problem"];
    assert_eq!(problem["kind"], "key_missing");
    assert!(
        problem["help"].to_string().contains("PW_TEST_NO_SUCH_KEY"),
        "{problem}"
    );

    let fine = ModelServer::start(Scenario::new([Turn::say("ready")]).key(KEY));
    let right = home_for(&fine).with_env("PLANWRIGHT_API_KEY", KEY);
    let output = models(&right, &["--test"]).expect(0);
    assert_eq!(output.last_json()["trial"]["problem"], Value::Null);
    assert!(!output.lines().concat().contains(KEY));
    fine.finished();
}

#[test]
fn the_key_of_one_address_does_not_go_to_another() {
    let server = ModelServer::start(Scenario::new([Turn::say("ready")]));
    let home = Home::new()
        .with_env("MY_KEY", KEY)
        .with_env("PLANWRIGHT_BASE_URL", &server.base_url());
    home.write_settings(&json!({"endpoint": {
        "base_url": "https://api.example.com/v1", "model": "m", "key_variable": "MY_KEY",
    }}));
    models(&home, &["--test"]).expect(0);
    for request in server.requests().iter().chain(&server.questions()) {
        assert_eq!(request.header("authorization"), "");
    }
}

#[test]
fn a_small_window_is_said_before_planning_with_the_line_that_raises_it() {
    let scenario = Scenario::default()
        .flavour(Flavour::Ollama)
        .models([MODEL])
        .window(4_096);
    let server = ModelServer::start(scenario);
    let home = home_for(&server);
    let project = Project::new().file("a.txt", "a\n");
    let goal = ["plan", "Describe what a.txt is for", "--json"];
    let output = home.planwright(&project, goal);
    let said = output.shown();
    assert!(
        said.contains("OLLAMA_CONTEXT_LENGTH=8192 ollama serve"),
        "{said}"
    );
    assert!(
        server.requests().is_empty(),
        "no request to a model whose window is too small"
    );

    let shown = models(&home, &[]).expect(0).last_json();
    assert_eq!(shown["in_force"]["window"], 4_096);
    assert_eq!(field(&shown, "contextWindow")["source"], "probe");
    let problem = &shown["in_force"]["too_small"];
    assert_eq!(problem["line"], "OLLAMA_CONTEXT_LENGTH=8192 ollama serve");

    // The user can override the context window.
    let shown = models(&home, &["--set", "contextWindow=32768"])
        .expect(0)
        .last_json();
    assert_eq!(shown["in_force"]["too_small"], Value::Null);
    assert_eq!(field(&shown, "contextWindow")["source"], "user");
    assert_eq!(field(&shown, "contextWindow")["found"], "4096");
    let back = models(&home, &["--set", "contextWindow="])
        .expect(0)
        .last_json();
    assert_eq!(back["in_force"]["window"], 4_096);
    models(&home, &["--set", "contextWindow=lots"]).expect(64);
}

#[test]
fn a_probe_asks_six_short_questions_once_and_is_kept() {
    let scenario = Scenario::default()
        .models([MODEL, "another"])
        .window(16_384);
    let server = ModelServer::written_by(scenario, writes_calls_as_text);
    let home = home_for(&server);
    let shown = models(&home, &["--probe"]).expect(0).last_json();
    assert_eq!(server.requests().len(), 6);
    assert_eq!(shown["in_force"]["probe"]["done"], 6);
    assert_eq!(field(&shown, "toolChannel")["value"], "\"json_text\"");
    assert_eq!(field(&shown, "toolChannel")["source"], "probe");
    assert_eq!(shown["in_force"]["window"], 16_384);

    let again = models(&home, &[]).expect(0).last_json();
    assert_eq!(
        server.requests().len(),
        6,
        "known values are not probed again"
    );
    assert_eq!(again["in_force"]["probe"], shown["in_force"]["probe"]);

    let other = models(&home, &["--model", "another"]).expect(0).last_json();
    assert_eq!(
        other["in_force"]["probe"],
        Value::Null,
        "a probe applies to one model only"
    );
}

#[test]
fn calls_that_come_as_text_are_carried_out_and_asked_for_in_that_form_from_then_on() {
    let call = r#"<tool_call>{"name": "list_files", "arguments": {"path": "."}}</tool_call>"#;
    let scenario = Scenario::new([
        Turn::say(call),
        Turn::say(call.replace("\".\"", "\"src\"")),
        Turn::say("There is nothing to be done here.").forever(),
    ])
    .models([MODEL])
    .window(32_768);
    let server = ModelServer::start(scenario);
    let home = home_for(&server);
    let project = Project::new().file("src/a.txt", "a\n");
    let output = within(
        &home,
        &project,
        &["plan", "Rename a.txt to b.txt", "--json"],
    );
    let notices = output.events("notice");
    let is_said = |notice: &&Value| notice["message"].to_string().contains("as text");
    assert_eq!(notices.iter().filter(is_said).count(), 1, "{notices:?}");
    let requests = server.requests();
    assert!(requests[1].json.get("tools").is_some());
    assert!(
        requests[2].json.get("tools").is_none(),
        "tools are now described as text"
    );

    let shown = models(&home, &[]).expect(0).last_json();
    assert_eq!(field(&shown, "toolChannel")["value"], "\"json_text\"");
    assert_eq!(field(&shown, "toolChannel")["source"], "counters");
    assert_eq!(shown["in_force"]["counters"]["is_lowered"], true);
}

/// A desktop backend with only the endpoint settings, and its events.
struct Desk {
    _home: Home,
    desktop: Desktop,
    events: Receiver<DesktopEvent>,
}

impl Desk {
    fn new(more: &[(&str, &str)]) -> Self {
        let home = Home::new();
        let project = Project::new();
        let own = |name: &str| !name.starts_with("PLANWRIGHT_");
        let environment = Environment {
            variables: std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
                .filter(|(name, _)| own(name))
                .chain([("PLANWRIGHT_HOME".to_owned(), home.path().into())])
                .chain(
                    more.iter()
                        .map(|(name, value)| ((*name).to_owned(), OsString::from(value))),
                )
                .collect(),
            cwd: project.path().to_owned(),
            program: planwright_binary().to_owned(),
        };
        let (sender, events) = channel();
        let sender = Mutex::new(sender);
        let tell = move |numbered: NumberedEvent| {
            // Sending fails if the test has ended.
            let _ = sender.lock().unwrap().send(numbered.event);
        };
        let desktop = Desktop::open(environment, Box::new(tell)).unwrap();
        Self {
            _home: home,
            desktop,
            events,
        }
    }

    /// Waits until `look` returns a value, checking after each event.
    #[track_caller]
    fn wait<T>(&self, what: &str, look: impl Fn(&Desktop) -> Option<T>) -> T {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = look(&self.desktop) {
                return found;
            }
            let left = until.saturating_duration_since(Instant::now());
            self.events
                .recv_timeout(left)
                .unwrap_or_else(|_| panic!("waited for {what}"));
        }
    }
}

fn choice(server: &ModelServer, key_variable: Option<&str>) -> ModelChoice {
    ModelChoice {
        base_url: server.base_url(),
        model: "scripted".to_owned(),
        key_variable: key_variable.map(str::to_owned),
    }
}

#[test]
fn a_model_chosen_in_the_window_is_probed_in_the_background() {
    let server = ModelServer::written_by(Scenario::default(), writes_calls_as_text);
    let desk = Desk::new(&[]);
    assert!(!desk.desktop.start("main").unwrap().has_model);
    desk.desktop
        .choose_model(Some(choice(&server, None)))
        .unwrap();
    assert!(desk.desktop.start("main").unwrap().has_model);
    let probe = desk.wait("the probe", |desktop| {
        desktop.models().unwrap().in_force?.probe
    });
    assert_eq!((probe.done, probe.of), (6, 6));
    desk.wait("its end", |desktop| {
        desktop.model_job().is_none().then_some(())
    });
    assert_eq!(server.requests().len(), 6);

    // Choosing it again reuses what is already known about it.
    desk.desktop
        .choose_model(Some(choice(&server, None)))
        .unwrap();
    assert_eq!(desk.desktop.model_job(), None);
    assert_eq!(server.requests().len(), 6);

    desk.desktop.choose_model(None).unwrap();
    assert_eq!(desk.desktop.models().unwrap().in_force, None);
}

#[test]
fn a_probe_can_be_stopped_at_once_and_keeps_what_it_found() {
    let server = ModelServer::written_by(Scenario::default(), |request, number| match number {
        0 => writes_calls_as_text(request, number),
        _ => Turn::say("").stalled(),
    });
    let desk = Desk::new(&[]);
    desk.desktop
        .choose_model(Some(choice(&server, None)))
        .unwrap();
    server.wait_until_stalled(1);
    let job = desk.desktop.model_job().unwrap();
    assert_eq!(
        (job.kind.as_str(), job.model.as_str()),
        ("probe", "scripted")
    );
    assert_eq!(job.probe.unwrap().done, 1);
    desk.desktop.cancel_model_job();
    server.wait_until_dropped(1);
    let probe = desk.wait("what was found", |desktop| {
        desktop.models().unwrap().in_force?.probe
    });
    assert_eq!(probe.done, 1);
    assert!(probe.ended.is_some());
}

#[test]
fn a_key_given_for_the_session_is_sent_and_shown_nowhere() {
    let server = ModelServer::start(Scenario::new([Turn::say("ready")]).key(KEY));
    let desk = Desk::new(&[]);
    desk.desktop
        .keep_model_key("PW_TEST_SESSION_KEY", KEY, false)
        .unwrap();
    desk.desktop
        .choose_model(Some(choice(&server, Some("PW_TEST_SESSION_KEY"))))
        .unwrap();
    desk.desktop.cancel_model_job();
    desk.wait("the probe's end", |desktop| {
        desktop.model_job().is_none().then_some(())
    });
    let found = desk.desktop.model_key().unwrap();
    assert_eq!(found.source, "session");
    assert!(!format!("{found:?}").contains(KEY));
    let listed = desk
        .desktop
        .server_models(&server.base_url(), Some("PW_TEST_SESSION_KEY"))
        .unwrap();
    assert_eq!(listed.problem, None);
    assert_eq!(listed.models.len(), 1);
    let settings = std::fs::read_to_string(desk._home.path().join("settings.json")).unwrap();
    assert!(!settings.contains(KEY));

    desk.desktop
        .forget_model_key("PW_TEST_SESSION_KEY")
        .unwrap();
    assert_eq!(desk.desktop.model_key().unwrap().source, "missing");
    let refused = desk
        .desktop
        .keep_model_key("not a name", KEY, false)
        .unwrap_err();
    assert_eq!(refused.code, Code::Usage);
    let refused = desk
        .desktop
        .keep_model_key("A_NAME", "two words", false)
        .unwrap_err();
    assert_eq!(refused.code, Code::Usage);
}
