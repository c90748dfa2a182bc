//! Tests of retries: which failures are retried, and after what delay.

use std::sync::Arc;
use std::time::Duration;

use model::{Event, Finish, ModelError};
use serde_json::json;

use crate::clock::Clock;
use crate::model_server::{ModelServer, Scenario, Step, Turn};
use crate::{ask, client, client_of, client_with, hello, waits};

#[tokio::test]
async fn one_500_is_passed_over() {
    let server = ModelServer::start(Scenario::new([
        Turn::status(500, "boom"),
        Turn::say("Fine."),
    ]));
    let (reply, events) = ask(&client(&server), &hello()).await;
    assert_eq!(reply.unwrap().text, "Fine.");
    assert_eq!(waits(&events), [500]);
    let requests = server.finished();
    assert_eq!(requests[0].body, requests[1].body);
}

#[tokio::test]
async fn a_server_that_stays_broken_is_given_up_with_its_reason() {
    let server = ModelServer::start(Scenario::new([Turn::status(500, "boom").forever()]));
    let (reply, events) = ask(&client(&server), &hello()).await;
    let failed = reply.unwrap_err();
    assert_eq!(failed.made, 4);
    assert_eq!(waits(&events), [500, 1_000, 2_000]);
    assert_eq!(
        failed.error.to_string(),
        "server error (500): “boom”; check the server's log, or try again later"
    );
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn the_servers_delay_wins() {
    let table = [
        ("retry-after", "7", 7_000),
        ("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT", 30_000),
        ("retry-after-ms", "3", 3),
    ];
    for (name, value, expected) in table {
        let server = ModelServer::start(Scenario::new([
            Turn::status(429, "slow down").header(name, value),
            Turn::say("Fine."),
        ]));
        let (reply, events) = ask(&client(&server), &hello()).await;
        assert!(reply.unwrap().is_whole());
        assert_eq!(waits(&events), [expected], "{name}: {value}");
    }
}

#[tokio::test]
async fn a_delay_beyond_the_time_is_not_waited_for() {
    let limited = Turn::status(429, "come tomorrow").header("retry-after", "86400");
    let server = ModelServer::start(Scenario::new([limited]));
    let failed = ask(&client(&server), &hello()).await.0.unwrap_err();
    assert_eq!(
        failed.error.to_string(),
        "rate limited by the server: “come tomorrow”; try again in 86400 s"
    );
    server.finished();
}

#[tokio::test]
async fn what_will_not_pass_is_asked_once() {
    let table = [
        (401, "Incorrect API key", "model_key_refused"),
        (404, "The model `m` does not exist", "model_unknown"),
        (
            400,
            "maximum context length is 8192 tokens",
            "model_window_exceeded",
        ),
        (400, "m does not support tools", "model_no_tools"),
        (402, "", "model_no_credit"),
        (400, "no", "model_refused"),
        (405, "no", "model_not_an_endpoint"),
    ];
    for (status, said, code) in table {
        let server = ModelServer::start(Scenario::new([Turn::status(status, said)]));
        let failed = ask(&client(&server), &hello()).await.0.unwrap_err();
        assert_eq!((failed.error.code(), failed.made), (code, 1));
        server.finished();
    }
}

#[tokio::test]
async fn what_was_shown_is_not_repeated_unasked() {
    let broken = || Turn::say("Half of a sentence that goes on").cut_after(600);
    let server = ModelServer::start(Scenario::new([broken()]));
    let failed = ask(&client(&server), &hello()).await.0.unwrap_err();
    assert_eq!(failed.error, ModelError::Cut);
    let partial = failed.partial.unwrap();
    assert!(partial.text.starts_with("Half of"), "{partial:?}");
    assert_eq!(partial.finish, Finish::Cut(model::CutBy::Connection));
    server.finished();

    let server = ModelServer::start(Scenario::new([broken(), Turn::say("All of it.")]));
    let clock = Arc::new(Clock::default());
    let client = client_of(&server, None, &clock, |options| {
        options.resend_after_output = true
    });
    let (reply, events) = ask(&client, &hello()).await;
    assert_eq!(reply.unwrap().text, "All of it.");
    let discarded = |event: &Event| matches!(event, Event::Retry { discard: true, .. });
    assert!(events.iter().any(discarded), "{events:?}");
    server.finished();
}

#[tokio::test]
async fn what_was_not_shown_is_repeated() {
    let role = json!({"choices": [{"delta": {"role": "assistant", "content": ""}}]});
    let nothing = [
        Turn::steps([Step::Cut]),
        Turn::steps([Step::Data(role.clone()), Step::Cut]),
        Turn::steps([Step::Data(role)]),
        Turn::steps([Step::Raw("data: [DONE]\n\n".to_owned())]),
        Turn::steps([
            Step::Raw(": waiting\n\n".to_owned()),
            Step::Data(json!({"error": {"message": "overloaded"}})),
        ]),
        Turn {
            body: Some(json!({"error": {"message": "busy", "code": 503}})),
            ..Turn::default()
        },
        Turn::steps([Step::Raw("data: oops\n\n".to_owned())]),
    ];
    for turn in nothing {
        let server = ModelServer::start(Scenario::new([turn.clone(), Turn::say("Fine.")]));
        let (reply, events) = ask(&client(&server), &hello()).await;
        assert_eq!(reply.unwrap().text, "Fine.", "{turn:?}");
        assert_eq!(waits(&events).len(), 1);
        server.finished();
    }
}

#[tokio::test]
async fn nobody_there_is_said_with_the_address() {
    let server = ModelServer::start(Scenario::default());
    let client = client_with(&server, None, &Arc::default());
    let address = server.base_url();
    drop(server);
    let (reply, events) = ask(&client, &hello()).await;
    let said = reply.unwrap_err().error.to_string();
    assert!(
        said.starts_with(&format!(
            "couldn't connect to {address}/chat/completions; start the server, or check base_url ("
        )),
        "{said}"
    );
    assert_eq!(waits(&events).len(), 3);
}

#[tokio::test]
async fn another_address_is_named_and_not_followed() {
    let away = Turn::status(307, "").header("location", "https://elsewhere.example/v1");
    let server = ModelServer::start(Scenario::new([away]));
    let failed = ask(&client(&server), &hello()).await.0.unwrap_err();
    assert_eq!(failed.error.code(), "model_redirected");
    assert!(
        failed
            .error
            .to_string()
            .contains("https://elsewhere.example/v1")
    );
    server.finished();
}

#[tokio::test]
async fn a_cancelled_wait_sends_nothing_more() {
    let limited = Turn::status(429, "").header("retry-after", "5000");
    let server = ModelServer::start(Scenario::new([limited]));
    let clock = Arc::new(Clock::default());
    let client = client_of(&server, None, &clock, |options| {
        options.retry.within = Duration::from_secs(100_000);
    });
    let cancel = model::CancellationToken::new();
    let hand = cancel.clone();
    let reply = client
        .chat(&hello(), &cancel, &mut |event| {
            if matches!(event, Event::Retry { .. }) {
                hand.cancel();
            }
        })
        .await;
    assert_eq!(reply.unwrap_err().error, ModelError::Cancelled);
    assert_eq!(server.finished().len(), 1);
}
