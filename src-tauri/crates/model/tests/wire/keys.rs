//! A key is sent to its server and nowhere else.

use std::sync::Arc;

use serde_json::json;

use crate::clock::Clock;
use crate::model_server::{ModelServer, Scenario, Step, Turn};
use crate::{ask, client_with, hello};

const KEY: &str = "sk-live-0123456789abcdef";

#[tokio::test]
async fn the_right_key_opens() {
    let server = ModelServer::start(Scenario::new([Turn::say("Fine.")]).key(KEY));
    let client = client_with(&server, Some(KEY), &Arc::default());
    assert!(ask(&client, &hello()).await.0.unwrap().is_whole());
    let requests = server.finished();
    assert_eq!(requests[0].header("authorization"), format!("Bearer {KEY}"));
    assert!(!requests[0].text().contains("sk-live"));
}

#[tokio::test]
async fn a_key_is_in_nothing_that_is_shown() {
    let echo = json!({"error": {"message": format!("bad key {KEY}")}});
    let answers = [
        Turn::status(401, &format!("Incorrect API key provided: {KEY}")),
        Turn::status(500, &format!("no {KEY}")),
        Turn::status(429, KEY),
        Turn::steps([Step::Data(echo.clone())]),
        Turn::steps([Step::Raw(format!("data: broken {KEY}\n\n"))]),
        Turn {
            body: Some(json!(format!("{{\"hello\": \"{KEY}\"}}"))),
            ..Turn::default()
        },
        Turn {
            body: Some(echo),
            ..Turn::default()
        },
    ];
    for turn in answers {
        let server = ModelServer::start(Scenario::new([turn.forever()]));
        let client = client_with(&server, Some(KEY), &Arc::new(Clock::default()));
        let (reply, events) = ask(&client, &hello()).await;
        let failed = reply.unwrap_err();
        let shown = format!(
            "{failed} {failed:?} {events:?} {client:?} {:#?}",
            client.dialect()
        );
        assert!(!shown.contains("sk-live"), "{shown}");
    }
}

#[tokio::test]
async fn a_wrong_key_is_refused_with_what_to_do() {
    let server = ModelServer::start(Scenario::new([]).key("another"));
    let client = client_with(&server, Some(KEY), &Arc::default());
    let failed = ask(&client, &hello()).await.0.unwrap_err();
    assert_eq!(
        failed.error.to_string(),
        "the server rejected the key (401): “Incorrect API key provided: [key]”; \
         check the key and its access to this model"
    );
}
