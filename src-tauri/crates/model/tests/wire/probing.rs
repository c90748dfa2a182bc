//! The probe against servers with different behavior.

use model::CancellationToken;
use model::retry::RetryPolicy;
use model::timer::SystemTimer;
use std::sync::Arc;

use model::profile::{
    NativeTools, OptionSupport, ProbeResult, Reliability, ToolChannel, guess, probe,
};
use serde_json::{Value, json};

use crate::model_server::{Flavour, ModelServer, Scenario, Turn};
use crate::{client_of, plain_client};

/// A capable model, which does what each question asks for.
fn able(request: &Value, _: usize) -> Turn {
    let asked = request["messages"][0]["content"]
        .as_str()
        .unwrap_or_default();
    if request.get("response_format").is_some() {
        return Turn::say(r#"{"count":8,"word":"eight"}"#);
    }
    match request
        .pointer("/tools/0/function/name")
        .and_then(Value::as_str)
    {
        Some("write_text") => {
            let text = asked.split_once("it:\n").map_or("", |(_, text)| text);
            Turn::call("write_text", json!({ "text": text }))
        }
        Some(_) if asked.contains("both") => {
            Turn::call("read_file", json!({"path": "notes/todo.txt"}))
                .and_call("read_file", json!({"path": "notes/done.txt"}))
        }
        Some(name) => Turn::call(name, json!({"path": "notes/todo.txt"})),
        None => Turn::say(r#"{"count": 7, "word": "seven"}"#),
    }
}

async fn probed(server: &ModelServer) -> ProbeResult {
    probe(
        &plain_client(server, None),
        &CancellationToken::new(),
        &mut |_| {},
    )
    .await
}

#[tokio::test]
async fn an_able_model_is_found_able_in_six_calls() {
    let scenario = Scenario::default().window(16_384).models(["scripted"]);
    let server = ModelServer::written_by(scenario, able);
    let result = probed(&server).await;
    assert_eq!(server.requests().len(), 6);
    assert!(result.is_complete() && result.ended.is_none(), "{result:?}");
    assert_eq!(
        (result.good_calls, result.asked_calls),
        (3, 3),
        "{result:?}"
    );
    assert_eq!((result.good_json, result.asked_json), (2, 2));
    assert!(result.parallel_calls);
    let profile = result.applied_to(&guess("my-finetune", None));
    assert_eq!(profile.context_window, 16_384);
    assert_eq!(profile.tool_calling_reliability, Reliability::High);
}

#[tokio::test]
async fn a_small_model_on_ollama_is_found_out() {
    let typing = |request: &Value, _: usize| match request.get("tools") {
        Some(_) => Turn::say(r#"{"name": "read_file", "arguments": {"path": "notes/todo.txt"}}"#),
        None => Turn::say("A week has seven days."),
    };
    let server = ModelServer::written_by(
        Scenario::default()
            .flavour(Flavour::Ollama)
            .models(["scripted"]),
        typing,
    );
    let result = probed(&server).await;
    assert_eq!(result.native_tools, NativeTools::AsText);
    assert_eq!(result.tool_choice, OptionSupport::Ignored);
    assert_eq!(result.json_schema, OptionSupport::Ignored);
    let profile = result.applied_to(&guess("qwen2.5-coder:7b", None));
    assert_eq!(profile.tool_channel, ToolChannel::JsonText);
    assert_eq!(profile.context_window, 4_096);
}

#[tokio::test]
async fn a_server_without_tools_is_asked_on() {
    let refusing = |request: &Value, number: usize| match request.get("tools") {
        Some(_) => Turn::status(400, "scripted does not support tools"),
        None => able(request, number),
    };
    let server = ModelServer::written_by(Scenario::default(), refusing);
    let result = probed(&server).await;
    assert_eq!(result.native_tools, NativeTools::Refused);
    assert_eq!((result.good_json, result.asked_json), (2, 2));
    assert!(result.is_complete());
}

#[tokio::test]
async fn a_server_without_schemas_is_not_trusted_with_them() {
    let refusing = |request: &Value, number: usize| match request.get("response_format") {
        Some(_) => Turn::status(400, "grammar error"),
        None => able(request, number),
    };
    let server = ModelServer::written_by(Scenario::default(), refusing);
    assert_eq!(probed(&server).await.json_schema, OptionSupport::Refused);
}

#[tokio::test]
async fn a_probe_can_be_stopped_and_keeps_what_it_found() {
    let cancel = CancellationToken::new();
    let hand = cancel.clone();
    let server = ModelServer::written_by(Scenario::default(), move |request, number| {
        if number == 2 {
            hand.cancel();
        }
        able(request, number)
    });
    let result = probe(&plain_client(&server, None), &cancel, &mut |_| {}).await;
    assert_eq!(result.done.len(), 2);
    assert_eq!(result.ended.as_deref(), Some("the request was cancelled"));
    assert_eq!(result.native_tools, NativeTools::Works);
}

#[tokio::test]
async fn a_server_that_fails_changes_nothing() {
    let server = ModelServer::start(
        Scenario::new([Turn::status(500, "boom").forever()]).models(["scripted"]),
    );
    let client = client_of(&server, None, &Arc::default(), |options| {
        options.timer = Arc::new(SystemTimer::default());
        options.retry = RetryPolicy::never();
    });
    let result = probe(&client, &CancellationToken::new(), &mut |_| {}).await;
    let before = guess("gpt-4", None);
    assert_eq!(
        ProbeResult {
            window: None,
            ..result.clone()
        }
        .applied_to(&before),
        before
    );
    assert!(result.ended.is_some());
}
