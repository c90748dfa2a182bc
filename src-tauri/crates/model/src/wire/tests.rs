//! The bytes of a request: exact, stable as a prefix, and without fields that a server rejects.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn full() -> ChatRequest {
    ChatRequest {
        messages: vec![
            Message::system("Plan."),
            Message::user("Add a flag"),
            Message::Assistant {
                text: String::new(),
                calls: vec![ToolCall {
                    id: "call_1".to_owned(),
                    name: "read_file".to_owned(),
                    arguments: r#"{"path": "a"}"#.to_owned(),
                }],
            },
            Message::tool("call_1", "text"),
            Message::assistant("Done"),
        ],
        tools: vec![Tool {
            name: "read_file".to_owned(),
            description: "Reads".to_owned(),
            parameters: json!({"type": "object", "properties": {"z": {}, "a": {}}}),
        }],
        tool_choice: ToolChoice::Named("read_file".to_owned()),
        format: Format::JsonSchema {
            name: "plan".to_owned(),
            schema: json!({"type": "object"}),
        },
        max_output_tokens: Some(900),
        temperature: Some(0.25),
        seed: Some(7),
        stop: vec!["Observation:".to_owned()],
        reasoning: Some(ReasoningEffort::Low),
        verbosity: Some(Verbosity::Low),
        parallel_calls: Some(false),
    }
}

fn text(request: &ChatRequest, dialect: &Dialect) -> String {
    String::from_utf8(request.to_json("m", dialect).unwrap()).unwrap()
}

#[test]
fn a_request_is_these_bytes() {
    assert_eq!(
        text(&full(), &Dialect::default()),
        concat!(
            r#"{"model":"m","stream":true,"stream_options":{"include_usage":true},"max_tokens":900,"#,
            r#""temperature":0.25,"seed":7,"stop":["Observation:"],"reasoning_effort":"low","#,
            r#""verbosity":"low","tools":[{"type":"function","function":{"name":"read_file","#,
            r#""description":"Reads","parameters":{"type":"object","properties":{"z":{},"a":{}}}}}],"#,
            r#""tool_choice":{"type":"function","function":{"name":"read_file"}},"#,
            r#""parallel_tool_calls":false,"response_format":{"type":"json_schema","json_schema":"#,
            r#"{"name":"plan","schema":{"type":"object"},"strict":true}},"messages":["#,
            r#"{"role":"system","content":"Plan."},{"role":"user","content":"Add a flag"},"#,
            r#"{"role":"assistant","content":"","tool_calls":[{"type":"function","id":"call_1","#,
            r#""function":{"name":"read_file","arguments":"{\"path\": \"a\"}"}}]},"#,
            r#"{"role":"tool","content":"text","tool_call_id":"call_1"},"#,
            r#"{"role":"assistant","content":"Done"}]}"#,
        )
    );
}

#[test]
fn what_is_not_asked_for_is_not_sent() {
    let plain = ChatRequest {
        messages: vec![Message::user("hi")],
        parallel_calls: Some(true),
        tool_choice: ToolChoice::Required,
        ..ChatRequest::default()
    };
    let dialect = Dialect {
        without: [Field::StreamOptions].into(),
        completion_tokens: true,
    };
    assert_eq!(
        text(&plain, &dialect),
        r#"{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}"#
    );
}

#[test]
fn a_refused_field_is_learned_once() {
    let mut dialect = Dialect::default();
    let table = [
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            Some(Field::MaxTokens),
        ),
        (
            "Unsupported value: 'temperature' does not support 0.25",
            Some(Field::Temperature),
        ),
        (
            r#"[{"loc":["body","seed"],"msg":"extra fields not permitted"}]"#,
            Some(Field::Seed),
        ),
        ("unknown field seed", None),
        ("reseed your models", None),
        ("messages: bad order", None),
    ];
    for (said, expected) in table {
        assert_eq!(dialect.learn(&full(), "m", said), expected, "{said}");
    }
    let body: Value = serde_json::from_str(&text(&full(), &dialect)).unwrap();
    assert_eq!(body["max_completion_tokens"], 900);
    for gone in ["max_tokens", "temperature", "seed"] {
        assert!(body.get(gone).is_none(), "{gone}");
    }
}

#[test]
fn what_was_not_sent_cannot_be_refused() {
    let request = ChatRequest {
        messages: vec![Message::user("a seed")],
        ..ChatRequest::default()
    };
    let mut dialect = Dialect::default();
    assert_eq!(dialect.learn(&request, "m", "unknown field seed"), None);
    assert!(dialect.without.is_empty());
}

fn messages() -> impl Strategy<Value = Vec<Message>> {
    let one = prop_oneof![
        any::<String>().prop_map(Message::user),
        any::<String>().prop_map(Message::assistant),
        (any::<String>(), any::<String>()).prop_map(|(id, text)| Message::tool(id, text)),
        (any::<String>(), any::<String>()).prop_map(|(text, arguments)| Message::Assistant {
            text,
            calls: vec![ToolCall {
                id: "c".to_owned(),
                name: "n".to_owned(),
                arguments
            }],
        }),
    ];
    prop::collection::vec(one, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_longer_conversation_begins_with_the_shorter_one(first in messages(), more in messages()) {
        let mut request = full();
        request.messages = first;
        let shorter = text(&request, &Dialect::default());
        request.messages.extend(more);
        let longer = text(&request, &Dialect::default());
        let kept = shorter.strip_suffix("]}").unwrap();
        prop_assert!(longer.starts_with(kept));
    }

    #[test]
    fn a_request_can_be_stored_and_read_back(messages in messages()) {
        let mut request = full();
        request.messages = messages;
        let stored = serde_json::to_string(&request).unwrap();
        let read: ChatRequest = serde_json::from_str(&stored).unwrap();
        prop_assert_eq!(text(&read, &Dialect::default()), text(&request, &Dialect::default()));
    }

    #[test]
    fn a_message_alone_is_its_part_of_the_body(messages in messages()) {
        let mut request = full();
        request.messages = messages;
        let parts: Vec<_> = request.messages.iter().map(|one| one.to_json().unwrap()).collect();
        let end = format!(r#""messages":[{}]}}"#, parts.join(","));
        prop_assert!(text(&request, &Dialect::default()).ends_with(&end));
    }
}
