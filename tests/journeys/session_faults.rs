//! Errors of a model or its server: the conversation recovers or ends with the reason. They are
//! never reported as success, and no step is based on a partial answer.

use planwright_tests::conversation::{GOAL, PLAN, home_with};
use planwright_tests::fixtures::python_report;
use planwright_tests::model_server::{Recorded, Scenario, Step, Turn};
use planwright_tests::transcript::{assert_prefix_kept, words};
use planwright_tests::{Home, ModelServer, Output, Project};
use serde_json::{Value, json};

/// The turns that write the plan and propose it.
fn offering() -> [Turn; 2] {
    [writing(), Turn::call("propose_plan", json!({}))]
}

fn writing() -> Turn {
    Turn::call("edit_plan", json!({ "new_text": PLAN }))
}

/// The call that writes the plan, with its arguments as a string.
fn written(arguments: String) -> Turn {
    Turn::call("edit_plan", Value::String(arguments))
}

fn good_arguments() -> String {
    json!({ "new_text": PLAN }).to_string()
}

fn at_once(turn: Turn) -> Turn {
    turn.header("retry-after", "0")
}

struct Played {
    out: Output,
    requests: Vec<Recorded>,
    project: Project,
}

/// Plans the goal with a model that plays only these turns.
fn play(name: &str, turns: Vec<Turn>) -> Played {
    #[expect(
        clippy::print_stderr,
        reason = "names the scene before what fails in it"
    )]
    {
        eprintln!("── {name}");
    }
    let server = ModelServer::start(Scenario::new(turns));
    let home = home_with(&server).with_env("PLANWRIGHT_MODEL_PATIENCE_S", "1");
    let project = python_report().git();
    let out = home.planwright(&project, ["plan", GOAL, "--json"]);
    assert_eq!(server.complaints(), Vec::<String>::new(), "{}", out.shown());
    Played {
        out,
        requests: server.requests(),
        project,
    }
}

/// Asserts that after a fault and a correct reply, the intended plan is proposed once.
#[track_caller]
fn recovered(name: &str, fault: Turn) -> Played {
    let turns = [vec![fault], offering().into()].concat();
    let played = play(name, turns);
    was_offered(name, &played);
    played
}

#[track_caller]
fn was_offered(name: &str, played: &Played) {
    let out = played.out.clone().expect(0);
    assert_eq!(out.events("proposal").len(), 1, "{name}");
    assert!(out.last_json()["route"].get("fallback").is_none(), "{name}");
    let path = out.last_json()["path"].as_str().unwrap().to_owned();
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.ends_with(PLAN), "{name}: {text}");
    assert_prefix_kept(&played.requests);
}

#[test]
fn damaged_arguments_are_mended_and_the_repair_is_shown() {
    let good = good_arguments();
    let body = good.strip_suffix('}').unwrap();
    let raw_line_ends = good.replace("\\n", "\n");
    let damaged = [
        ("a comma too many", format!("{body},}}")),
        ("raw line ends", raw_line_ends),
        ("a bracket too few", body.to_owned()),
        ("a fence around it", format!("```json\n{good}\n```")),
        ("written twice as JSON", json!(good).to_string()),
    ];
    for (name, arguments) in damaged {
        let played = play(name, vec![written(arguments), offering()[1].clone()]);
        was_offered(name, &played);
        let replied = &played.out.events("replied")[0];
        let repairs = replied["repairs"].as_array();
        assert!(
            repairs.is_some_and(|all| !all.is_empty()),
            "{name}: {replied}"
        );
        assert_eq!(played.requests.len(), 2, "{name}");
    }
}

#[test]
fn what_cannot_be_mended_is_told_to_the_model_which_then_does_it() {
    let half = good_arguments()[..60].to_owned();
    for (name, fault) in [
        ("arguments that break off", written(half)),
        (
            "arguments that are prose",
            written("the new plan".to_owned()),
        ),
        (
            "an unknown tool",
            Turn::call("save_plan", json!({"text": PLAN})),
        ),
        (
            "an unknown parameter",
            Turn::call("edit_plan", json!({"content": 1, "note": "x"})),
        ),
        (
            "words in place of a call",
            Turn::say("I have written the plan to the file."),
        ),
        ("the plan as words", Turn::say(PLAN)),
        ("nothing at all", Turn::say("")),
        (
            "only thoughts",
            Turn::default().thinking("I should write a plan."),
        ),
    ] {
        let played = recovered(name, fault);
        assert_eq!(played.requests.len(), 3, "{name}");
        let told = words(&played.requests[1]);
        let helps = ["edit_plan", "new_text", "all one tool now"]
            .iter()
            .any(|word| told.contains(word));
        assert!(helps, "{name}: the model is told what to do: {told}");
    }
}

#[test]
fn an_answer_that_broke_off_is_asked_for_again_and_nothing_of_it_is_used() {
    for (name, fault, is_same) in [
        ("a cut stream", writing().cut_after(900), true),
        ("a stream that fell silent", writing().stall_after(6), true),
        ("an end without a reason", writing().unfinished(), true),
        ("the limit of tokens", writing().finish("length"), false),
        ("a reason nobody knows", writing().finish("whatever"), true),
        (
            "an error in the middle",
            Turn::steps([
                Step::Data(json!({"choices": [{"index": 0, "delta": {"content": "Let me"}}]})),
                Step::Data(json!({"error": {"message": "out of memory", "code": 500}})),
            ]),
            true,
        ),
    ] {
        let played = recovered(name, fault);
        assert_eq!(played.requests.len(), 3, "{name}");
        if is_same {
            let [first, again, ..] = &played.requests[..] else {
                unreachable!("three requests")
            };
            assert_eq!(first.text(), again.text(), "{name}: the same request again");
        }
        // The plan was written once, after the whole answer.
        assert_eq!(played.out.events("plan").len(), 1, "{name}");
    }
}

#[test]
fn a_passing_failure_of_the_server_is_waited_out() {
    for (name, fault) in [
        ("one 500", at_once(Turn::status(500, "out of memory"))),
        ("one 503", at_once(Turn::status(503, "loading"))),
        ("one 429", at_once(Turn::status(429, "slow down"))),
        (
            "two 500",
            at_once(Turn::status(500, "out of memory")).times(2),
        ),
        ("a connection that ends at once", Turn::steps([Step::Cut])),
    ] {
        let played = recovered(name, fault.clone());
        assert_eq!(played.out.events("retry").len(), fault.times, "{name}");
        assert_eq!(played.requests.len(), 2 + fault.times, "{name}");
    }
}

/// Asserts that after a permanent fault, the reason is reported and no plan is presented as the
/// model's.
#[track_caller]
fn failed(name: &str, turn: Turn, state: &str, reason: &str) -> Played {
    let played = play(name, vec![turn.forever()]);
    gave_up(name, &played, state, reason);
    played
}

#[track_caller]
fn gave_up(name: &str, played: &Played, state: &str, reason: &str) {
    let out = played.out.clone().expect(0);
    assert_eq!(out.events("proposal").len(), 0, "{name}");
    let ended = out.events("ended").pop().unwrap();
    assert_eq!(ended["state"], state, "{name}: {ended}");
    let message = ended["message"].as_str().unwrap();
    assert!(message.contains(reason), "{name}: {message}");
    // The remaining plan was made without the model, and says so.
    let report = out.last_json();
    assert_eq!(report["route"]["solver"], "gs-symbolic", "{name}");
    let fallback = report["route"]["fallback"].as_str().unwrap();
    assert!(fallback.contains(message), "{name}: {fallback}");
    assert!(out.stderr.contains(message), "{name}: {}", out.stderr);
    let path = report["path"].as_str().unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    assert!(
        !text.contains("The report prints one line"),
        "{name}: {text}"
    );
    assert!(played.project.at("plans").exists());
}

#[test]
fn a_fault_without_end_ends_the_turn_with_its_reason() {
    for (name, turn, state, reason) in [
        (
            "broken arguments",
            written("{\"new_text\": \"# A".to_owned()),
            "failed",
            "unusable replies in a row",
        ),
        (
            "an unknown tool",
            Turn::call("save_plan", json!({})),
            "failed",
            "There is no tool",
        ),
        (
            "words in place of calls",
            Turn::say("The plan is written."),
            "unfinished",
            "without writing a plan",
        ),
        ("nothing", Turn::say(""), "failed", "empty"),
        (
            "cut streams",
            writing().cut_after(900),
            "cut",
            "were cut off",
        ),
        (
            "streams that fall silent",
            writing().stall_after(6),
            "cut",
            "were cut off",
        ),
        (
            "ends without a reason",
            writing().unfinished(),
            "cut",
            "were cut off",
        ),
        (
            "the limit of tokens",
            writing().finish("length"),
            "cut",
            "hit the output limit",
        ),
        (
            "a content filter",
            writing().finish("content_filter"),
            "failed",
            "content filter",
        ),
        (
            "500 for ever",
            at_once(Turn::status(500, "out of memory")),
            "failed",
            "out of memory",
        ),
        (
            "429 for ever",
            at_once(Turn::status(429, "slow down")),
            "failed",
            "slow down",
        ),
        (
            "a refused key",
            Turn::status(401, "Incorrect API key"),
            "failed",
            "key",
        ),
        (
            "no such model",
            Turn::status(404, "The model `scripted` does not exist"),
            "failed",
            "choose a listed model",
        ),
        (
            "no credit",
            Turn::status(402, "Insufficient credits"),
            "failed",
            "credit",
        ),
        (
            "a refusal",
            Turn::status(400, "messages are odd"),
            "failed",
            "messages are odd",
        ),
        (
            "silence",
            Turn::default().stalled(),
            "failed",
            "no response for 1 s",
        ),
        (
            "a page",
            Turn {
                body: Some(json!("<html>hello</html>")),
                ..Turn::default()
            },
            "failed",
            "check base_url",
        ),
    ] {
        let played = failed(name, turn, state, reason);
        assert!(
            (1..=4).contains(&played.requests.len()),
            "{name}: {}",
            played.requests.len()
        );
    }
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}/v1", listener.local_addr().unwrap())
    };
    let home = Home::new()
        .with_env("PLANWRIGHT_BASE_URL", &gone)
        .with_env("PLANWRIGHT_MODEL", "scripted");
    let project = python_report().git();
    let out = home
        .planwright(&project, ["plan", GOAL, "--json"])
        .expect(0);
    let error = out.last_json()["route"]["fallback"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        error.contains("couldn't connect to") && error.contains(&gone),
        "{error}"
    );
}

/// Starts a session in which the model has proposed a plan and then plays these turns. The last two
/// values are the session's id and the proposed revision.
fn offered(then: Vec<Turn>) -> (ModelServer, Home, Project, String, String) {
    let server = ModelServer::start(Scenario::new([offering().into(), then].concat()));
    let home = home_with(&server).with_env("PLANWRIGHT_MODEL_PATIENCE_S", "1");
    let project = python_report().git();
    let planned = home
        .planwright(&project, ["plan", GOAL, "--json"])
        .expect(0)
        .last_json();
    let of = |name: &str| planned[name].as_str().unwrap().to_owned();
    (server, home, project, of("session"), of("revision"))
}

#[test]
fn half_a_call_is_never_carried_out_in_exec_mode_either() {
    let evil = || {
        Turn::call(
            "write_file",
            json!({"path": "report/cli.py", "content": "half a file"}),
        )
    };
    for (name, turn) in [
        ("length", evil().finish("length")),
        ("no reason", evil().unfinished()),
        ("cut", evil().cut_after(900)),
        ("silence", evil().stall_after(5)),
        ("filter", evil().finish("content_filter")),
    ] {
        let (_server, home, project, session, revision) = offered(vec![turn.forever()]);
        let before = project.snapshot();
        let chat = ["chat", &session, "Go on", "--approve", &revision, "--json"];
        let out = home.planwright(&project, chat);
        let state = out.last_json()["state"].as_str().unwrap().to_owned();
        assert!(
            ["failed", "waiting", "paused"].contains(&state.as_str()),
            "{name}: {}",
            out.shown()
        );
        project.snapshot().assert_same_as(&before, &[".planwright"]);
    }
}

#[test]
fn words_in_place_of_work_are_no_success() {
    let (_server, home, project, session, revision) = offered(vec![
        Turn::say("All steps are done, and every test passes.").forever(),
    ]);
    let before = project.snapshot();
    let chat = ["chat", &session, "Go on", "--approve", &revision, "--json"];
    let out = home.planwright(&project, chat);
    let ended = out.last_json();
    assert_ne!(ended["state"], "done", "{}", out.shown());
    assert!(ended["message"].as_str().unwrap().contains("T1"), "{ended}");
    project.snapshot().assert_same_as(&before, &[".planwright"]);
}

#[test]
fn feedback_that_changes_nothing_is_no_new_plan() {
    let (_server, home, project, session, revision) = offered(vec![
        Turn::say("Good point, I have changed the plan.").forever(),
    ]);
    let before = project.snapshot();
    let chat = [
        "chat",
        &session,
        "Make it shorter",
        "--changes",
        &revision,
        "--json",
    ];
    let out = home.planwright(&project, chat).expect(4);
    assert_eq!(out.last_json()["state"], "unfinished");
    assert_eq!(out.events("proposal").len(), 0);
    project.snapshot().assert_same_as(&before, &[]);
}

#[test]
fn a_question_waits_and_a_fault_after_the_answer_is_told() {
    let ask = Turn::call(
        "ask_user",
        json!({"question": "Which layout?", "options": ["Array", "Lines"]}),
    );
    let server = ModelServer::start(Scenario::new([
        ask,
        at_once(Turn::status(500, "out of memory")).times(4),
    ]));
    let home = home_with(&server);
    let project = python_report().git();
    let asked = home
        .planwright(&project, ["plan", GOAL, "--json"])
        .expect(3);
    let started = asked.events("started").remove(0);
    let session = started["session"].as_str().unwrap().to_owned();
    assert_eq!(asked.events("question")[0]["message"], "Which layout?");
    let out = home
        .planwright(&project, ["chat", &session, "Array", "--json"])
        .expect(4);
    assert_eq!(out.last_json()["state"], "failed");
    let requests = server.finished();
    assert!(words(&requests[1]).contains("The person answered: Array"));
    // The answer is stored, so it isn't requested again.
    let server = ModelServer::start(Scenario::new([Turn::say("As an array, then.")]));
    let home = home.with_env("PLANWRIGHT_BASE_URL", &server.base_url());
    let _ = home
        .planwright(&project, ["chat", &session, "Go on", "--json"])
        .expect(0);
    assert!(words(&server.finished()[0]).contains("The person answered: Array"));
}
