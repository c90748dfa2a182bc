//! Reads the requests to a scripted model as a conversation.

use serde_json::Value;

use crate::model_server::Recorded;

/// The messages of a request, system message first.
#[track_caller]
pub fn messages(request: &Recorded) -> Vec<Value> {
    let all = request.json["messages"].as_array();
    all.expect("a chat request has messages").clone()
}

/// The text of a request's messages, concatenated, without the system message.
#[track_caller]
pub fn words(request: &Recorded) -> String {
    let said = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    let all: Vec<String> = messages(request).iter().skip(1).map(said).collect();
    all.join("\n\n")
}

/// The text of a request's last user message.
#[track_caller]
pub fn last_said(request: &Recorded) -> String {
    let all = messages(request);
    let last = all.iter().rev().find(|message| message["role"] == "user");
    let last = last.expect("a user message");
    last["content"].as_str().unwrap_or_default().to_owned()
}

/// The result of the model's call with this number, counted from 0 over the whole session.
///
/// # Panics
/// If there is no result.
#[track_caller]
pub fn result(request: &Recorded, call: usize) -> String {
    let id = format!("call{call:05}");
    let all = messages(request);
    let found = all.iter().find(|message| message["tool_call_id"] == id);
    let found = found.unwrap_or_else(|| panic!("no result of {id} in {all:#?}"));
    found["content"].as_str().unwrap_or_default().to_owned()
}

/// The message that follows each reply of the model, in order.
#[track_caller]
pub fn answers(request: &Recorded) -> Vec<String> {
    let all = messages(request);
    let pairs = all.windows(2).filter(|pair| pair[0]["role"] == "assistant");
    let said = |pair: &[Value]| pair[1]["content"].as_str().unwrap_or_default().to_owned();
    pairs.map(said).collect()
}

/// Asserts that each request starts with the bytes of the previous one, up to the bracket that
/// closes its messages, so that a provider's prompt cache stays valid.
#[track_caller]
pub fn assert_prefix_kept(requests: &[Recorded]) {
    for (at, pair) in requests.windows(2).enumerate() {
        let [before, after] = pair else { continue };
        let (before, after) = (before.text(), after.text());
        let beginning = before.strip_suffix("]}").expect("messages come last");
        let kept = beginning
            .bytes()
            .zip(after.bytes())
            .take_while(|(one, other)| one == other)
            .count();
        assert_eq!(
            kept,
            beginning.len(),
            "request {} departs from the prefix of request {} at “{}”",
            at + 2,
            at + 1,
            String::from_utf8_lossy(
                &after.as_bytes()[kept.saturating_sub(60)..(kept + 60).min(after.len())]
            ),
        );
    }
}
