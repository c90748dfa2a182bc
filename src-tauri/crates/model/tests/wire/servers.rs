//! Model lists, context windows, and servers found on this machine.

use std::net::TcpListener;

use model::servers::{Preset, ServerPort, WindowSource, discover};
use model::{CancellationToken, Client, Endpoint, ModelError, Options};
use serde_json::json;

use crate::model_server::{Flavour, ModelServer, Scenario};
use crate::plain_client;

#[tokio::test]
async fn models_are_listed() {
    let scenario = Scenario::default().models(["a:7b", "b"]).window(9_000);
    let server = ModelServer::start(scenario);
    let models = plain_client(&server, None)
        .models(&CancellationToken::new())
        .await
        .unwrap();
    let models: Vec<_> = models
        .iter()
        .map(|model| (model.id.as_str(), model.context_window))
        .collect();
    assert_eq!(models, [("a:7b", Some(9_000)), ("b", Some(9_000))]);
}

#[tokio::test]
async fn a_wrong_key_is_told_by_the_list_too() {
    let server = ModelServer::start(Scenario::default().key("right"));
    let client = plain_client(&server, Some("wrong-key-1"));
    let error = client.models(&CancellationToken::new()).await.unwrap_err();
    assert_eq!(error.code(), "model_key_refused");
    assert!(!error.to_string().contains("wrong-k"));
}

#[tokio::test]
async fn the_window_is_asked_where_the_server_tells_it() {
    let table = [
        (
            Flavour::Ollama,
            Some(8_192),
            Some((8_192, WindowSource::Settings)),
        ),
        (Flavour::Ollama, None, Some((4_096, WindowSource::Usual))),
        (
            Flavour::LlamaCpp,
            Some(4_096),
            Some((4_096, WindowSource::Server)),
        ),
        (
            Flavour::OpenAi,
            Some(16_384),
            Some((16_384, WindowSource::List)),
        ),
    ];
    for (flavour, window, expected) in table {
        let mut scenario = Scenario::default().flavour(flavour).models(["scripted"]);
        scenario.window = window;
        let server = ModelServer::start(scenario);
        let found = plain_client(&server, None)
            .window(&CancellationToken::new())
            .await
            .unwrap();
        let found = found.map(|window| (window.tokens, window.source));
        assert_eq!(found, expected, "{flavour:?}");
    }
}

#[tokio::test]
async fn local_servers_are_found_by_what_they_say() {
    let ollama = ModelServer::start(Scenario::default().flavour(Flavour::Ollama));
    let other = ModelServer::start(Scenario::default().models(["m"]));
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let door = |preset, port| ServerPort { preset, port };
    let doors = [
        door(Preset::Vllm, ollama.port()),
        door(Preset::LmStudio, closed),
        door(Preset::LlamaCpp, other.port()),
    ];
    let found = discover(&doors, &CancellationToken::new()).await;
    let found: Vec<_> = found
        .iter()
        .map(|found| (found.preset, found.base_url.as_str(), found.models.len()))
        .collect();
    assert_eq!(
        found,
        [
            (Preset::Ollama, ollama.base_url().as_str(), 1),
            (Preset::LlamaCpp, other.base_url().as_str(), 1),
        ]
    );
}

#[tokio::test]
async fn looking_ends_when_it_is_cancelled() {
    // This server accepts connections but never responds.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let door = ServerPort {
        preset: Preset::Ollama,
        port,
    };
    assert_eq!(discover(&[door], &cancel).await, []);
}

#[tokio::test]
async fn nobody_there_is_told_apart_from_no_window() {
    let endpoint = Endpoint {
        base_url: "http://127.0.0.1:1/v1".to_owned(),
        model: "m".to_owned(),
        key_variable: None,
    };
    let client = Client::new(&endpoint, None, Options::for_endpoint(&endpoint)).unwrap();
    let error = client.window(&CancellationToken::new()).await.unwrap_err();
    assert!(matches!(error, ModelError::Unreachable { .. }), "{error}");
    assert_eq!(json!(Preset::OpenAi), "openai");
}

#[tokio::test]
async fn the_template_is_named_where_the_server_tells_it() {
    let mut names = Vec::new();
    for flavour in [Flavour::Ollama, Flavour::LlamaCpp, Flavour::OpenAi] {
        let scenario = Scenario::default().flavour(flavour).models(["scripted"]);
        let server = ModelServer::start(scenario);
        let client = plain_client(&server, None);
        names.push(client.template(&CancellationToken::new()).await.unwrap());
    }
    assert_eq!(
        names.iter().map(String::len).collect::<Vec<_>>(),
        [12, 12, 0]
    );
    assert_ne!(names[0], names[1]);
}
