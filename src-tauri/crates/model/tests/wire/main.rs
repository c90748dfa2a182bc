//! The client against a scripted server over real HTTP: what is sent, received and retried, and
//! what is never mistaken for an answer.
#![allow(clippy::unwrap_used, reason = "a failed set-up fails the test")]

// Included by path, because crates must not depend on the end-to-end tests.
#[allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "the journeys use the rest of it"
)]
#[path = "../../../../../tests/support/model_server/mod.rs"]
mod model_server;

mod clock;
mod encodings;
mod faults;
mod http2;
mod keys;
mod probing;
mod retries;
mod servers;
mod talk;

use std::sync::Arc;

use model::timer::{SystemTimer, Timer};
use model::{
    CancellationToken, ChatRequest, Client, Endpoint, Event, Failed, Key, Message, Options, Reply,
    Tool,
};
use serde_json::json;

use clock::Clock;
use model_server::ModelServer;

fn endpoint(server: &ModelServer) -> Endpoint {
    Endpoint {
        base_url: server.base_url(),
        model: "scripted".to_owned(),
        key_variable: None,
    }
}

/// A client whose retry delays complete immediately, and whose timeouts are triggered only by the
/// test.
fn client_with(server: &ModelServer, key: Option<&str>, clock: &Arc<Clock>) -> Client {
    client_of(server, key, clock, |_| ())
}

fn client_of(
    server: &ModelServer,
    key: Option<&str>,
    clock: &Arc<Clock>,
    change: impl FnOnce(&mut Options),
) -> Client {
    let endpoint = endpoint(server);
    let mut options = Options::for_endpoint(&endpoint);
    options.timer = Arc::clone(clock) as Arc<dyn Timer>;
    options.timeouts = clock::timeouts();
    change(&mut options);
    let key = key.map(|key| Key::new(key).unwrap());
    Client::new(&endpoint, key, options).unwrap()
}

/// A client with the system clock.
fn plain_client(server: &ModelServer, key: Option<&str>) -> Client {
    client_of(server, key, &Arc::default(), |options| {
        options.timer = Arc::new(SystemTimer::default());
    })
}

fn client(server: &ModelServer) -> Client {
    client_with(server, None, &Arc::default())
}

fn hello() -> ChatRequest {
    ChatRequest {
        messages: vec![Message::system("Plan."), Message::user("Add a flag")],
        tools: vec![Tool {
            name: "edit_file".to_owned(),
            description: "Edits a file".to_owned(),
            parameters: json!({"type": "object", "properties": {"path": {"type": "string"}}}),
        }],
        ..ChatRequest::default()
    }
}

/// Sends a request and collects its events.
async fn ask(client: &Client, request: &ChatRequest) -> (Result<Reply, Failed>, Vec<Event>) {
    let mut events = Vec::new();
    let cancel = CancellationToken::new();
    let reply = client
        .chat(request, &cancel, &mut |event| events.push(event))
        .await;
    (reply, events)
}

/// The delays before retries, in milliseconds.
fn waits(events: &[Event]) -> Vec<u64> {
    let wait = |event: &Event| match event {
        Event::Retry { wait_ms, .. } => Some(*wait_ms),
        _ => None,
    };
    events.iter().filter_map(wait).collect()
}
