//! Complete answers: what is sent and received.

use model::{ChatRequest, Event, Finish, Message, ToolCall};
use serde_json::{Value, json};

use crate::model_server::{Flavour, ModelServer, Scenario, Turn};
use crate::{ask, client, hello, plain_client, waits};

#[tokio::test]
async fn an_answer_comes_in_pieces_and_whole() {
    let server = ModelServer::start(Scenario::new([Turn::say(
        "Here is the plan you asked for.",
    )
    .thinking("Let me look at it first.")]));
    let (reply, events) = ask(&client(&server), &hello()).await;
    let reply = reply.unwrap();
    assert_eq!(reply.text, "Here is the plan you asked for.");
    assert_eq!(reply.reasoning, "Let me look at it first.");
    assert!(reply.is_whole());
    let usage = reply.usage.unwrap();
    assert!(usage.input > 50 && usage.output > 5, "{usage:?}");
    let shown: String = events
        .iter()
        .filter_map(|event| match event {
            Event::TextDelta { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(shown, reply.text);
    assert_eq!(events[0], Event::Sent { attempt: 1 });
    let requests = server.finished();
    assert_eq!(requests[0].path, "/v1/chat/completions");
    assert_eq!(
        requests[0].body,
        hello().to_json("scripted", &Default::default()).unwrap()
    );
    assert_eq!(requests[0].header("authorization"), "");
}

#[tokio::test]
async fn calls_come_from_every_flavour() {
    for flavour in [
        Flavour::OpenAi,
        Flavour::Ollama,
        Flavour::LlamaCpp,
        Flavour::Strict,
    ] {
        let turn = Turn::call("read_file", json!({"path": "src/größe.py"}))
            .and_call("edit_file", json!({"path": "b"}));
        let server = ModelServer::start(Scenario::new([turn]).flavour(flavour));
        let (reply, _) = ask(&client(&server), &hello()).await;
        let reply = reply.unwrap();
        assert_eq!(reply.finish, Finish::ToolCalls, "{flavour:?}");
        let call = |id: &str, name: &str, arguments: &str| ToolCall {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        };
        assert_eq!(
            reply.calls,
            [
                call("call_1", "read_file", r#"{"path":"src/größe.py"}"#),
                call("call_2", "edit_file", r#"{"path":"b"}"#),
            ],
            "{flavour:?}"
        );
        server.finished();
    }
}

#[tokio::test]
async fn a_strict_server_takes_a_conversation_with_tools() {
    let server = ModelServer::start(
        Scenario::new([
            Turn::call("edit_file", json!({"path": "a"})),
            Turn::say("Done.").expecting("tool_call_id"),
        ])
        .flavour(Flavour::Strict),
    );
    let client = client(&server);
    let mut request = hello();
    let first = ask(&client, &request).await.0.unwrap();
    let id = first.calls[0].id.clone();
    request.messages.push(Message::Assistant {
        text: first.text,
        calls: first.calls,
    });
    request.messages.push(Message::tool(id, "edited"));
    assert_eq!(ask(&client, &request).await.0.unwrap().text, "Done.");
    let requests = server.finished();
    let (shorter, longer) = (requests[0].text(), requests[1].text());
    assert!(longer.starts_with(shorter.strip_suffix("]}").unwrap()));
}

#[tokio::test]
async fn a_field_that_is_refused_is_given_up_and_remembered() {
    let server = ModelServer::start(
        Scenario::new([Turn::say("a"), Turn::say("b")]).flavour(Flavour::Strict),
    );
    let client = client(&server);
    let request = ChatRequest {
        verbosity: Some(model::Verbosity::Low),
        reasoning: Some(model::ReasoningEffort::Low),
        ..hello()
    };
    let (reply, events) = ask(&client, &request).await;
    assert_eq!(reply.unwrap().text, "a");
    let given_up: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Without { field, .. } => Some(field.name()),
            _ => None,
        })
        .collect();
    assert_eq!(given_up, ["reasoning_effort", "verbosity"]);
    assert_eq!(ask(&client, &request).await.0.unwrap().text, "b");
    assert_eq!(
        server.finished().len(),
        4,
        "the second time it is not sent at all"
    );
    assert_eq!(client.dialect().without.len(), 2);
}

#[tokio::test]
async fn a_server_that_hangs_up_behind_each_answer_is_not_asked_twice() {
    let scenario = Scenario::new([Turn::say("hi").times(40)]).flavour(Flavour::LlamaCpp);
    let server = ModelServer::start(scenario);
    let client = plain_client(&server, None);
    for _ in 0..40 {
        let (reply, events) = ask(&client, &hello()).await;
        assert!(reply.unwrap().is_whole());
        assert!(waits(&events).is_empty(), "{events:?}");
    }
    assert_eq!(server.finished().len(), 40);
}

#[tokio::test]
async fn a_damaged_call_of_before_does_not_stop_the_conversation() {
    let scenario = Scenario::new([Turn::say("hi")]).flavour(Flavour::LlamaCpp);
    let server = ModelServer::start(scenario);
    let damaged = r#"{"path": src/rep"#;
    let mut request = hello();
    request.messages.push(Message::Assistant {
        text: String::new(),
        calls: vec![ToolCall {
            id: "call00000".to_owned(),
            name: "edit_file".to_owned(),
            arguments: damaged.to_owned(),
        }],
    });
    request
        .messages
        .push(Message::tool("call00000", "These are no arguments."));
    let (reply, _) = ask(&plain_client(&server, None), &request).await;
    assert!(reply.unwrap().is_whole());
    let sent = &server.finished()[0].json["messages"][2]["tool_calls"][0]["function"];
    let arguments: Value = serde_json::from_str(sent["arguments"].as_str().unwrap()).unwrap();
    assert_eq!(arguments, json!({ "unreadable": damaged }));
}

#[tokio::test]
async fn an_odd_name_of_a_tool_called_before_does_not_stop_the_conversation() {
    let odd = [
        "save the plan!",
        "",
        &"n".repeat(80),
        "größe",
        "functions.read_file",
    ];
    let scenario = Scenario::new([Turn::say("hi").times(odd.len())]).flavour(Flavour::Strict);
    let server = ModelServer::start(scenario);
    for name in odd {
        let mut request = hello();
        request.messages.push(Message::Assistant {
            text: String::new(),
            calls: vec![ToolCall {
                id: "call00000".to_owned(),
                name: name.to_owned(),
                arguments: "{}".to_owned(),
            }],
        });
        request
            .messages
            .push(Message::tool("call00000", "No such tool."));
        let (reply, _) = ask(&plain_client(&server, None), &request).await;
        assert!(reply.unwrap().is_whole(), "{name}");
    }
    let sent = |at: usize| {
        let request = &server.requests()[at].json;
        request["messages"][2]["tool_calls"][0]["function"]["name"].clone()
    };
    assert_eq!(
        [sent(0), sent(1)],
        [json!("save_the_plan_"), json!("unnamed")]
    );
    assert_eq!(server.finished().len(), odd.len());
}

#[tokio::test]
async fn a_scenario_can_be_a_file() {
    let server = ModelServer::start(Scenario::from_json(
        r#"{
            "flavour": "llama_cpp",
            "models": ["scripted"],
            "turns": [
                {"expect": {"contains": ["Add a flag"], "at": {"/stream": true}},
                 "think": "hm", "calls": [{"name": "edit_file", "arguments": {"path": "a"}}]},
                {"times": 2, "status": 503, "headers": {"retry-after": "0"}, "body": "loading"},
                {"say": "Done.", "usage": [10, 4, 2]}
            ]
        }"#,
    ));
    let client = client(&server);
    assert_eq!(ask(&client, &hello()).await.0.unwrap().calls.len(), 1);
    let reply = ask(&client, &hello()).await.0.unwrap();
    let usage = reply.usage.unwrap();
    assert_eq!((usage.input, usage.cached, usage.output), (10, 4, 2));
    assert_eq!(server.finished().len(), 4);
}

#[tokio::test]
async fn what_a_script_did_not_expect_is_named() {
    let turn = Turn::say("hi")
        .expecting("no such words")
        .without("Add a flag")
        .expecting_at("/seed", json!(7));
    let server = ModelServer::start(Scenario::new([turn, Turn::say("never")]));
    let client = client(&server);
    assert!(ask(&client, &hello()).await.0.is_ok());
    assert_eq!(server.complaints().len(), 3, "{:?}", server.complaints());
    assert!(ask(&client, &hello()).await.0.is_ok());
    assert!(ask(&client, &hello()).await.0.is_err());
    assert!(server.complaints()[3].contains("after the script's end"));
}

#[tokio::test]
async fn a_window_is_kept_in_the_manner_of_each_server() {
    for (flavour, code) in [
        (Flavour::OpenAi, Some("model_window_exceeded")),
        (Flavour::LlamaCpp, Some("model_window_exceeded")),
        (Flavour::Ollama, None),
    ] {
        let scenario = Scenario::new([Turn::say("hi")]).flavour(flavour).window(10);
        let server = ModelServer::start(scenario);
        let refused = ask(&client(&server), &hello()).await.0.err();
        assert_eq!(
            refused.map(|failed| failed.error.code()),
            code,
            "{flavour:?}"
        );
        assert_eq!(server.requests()[0].is_truncated, code.is_none());
    }
}

#[tokio::test]
async fn a_schema_that_a_server_can_make_no_grammar_of_is_given_up() {
    let refused = Turn::status(400, "failed to parse grammar");
    let server = ModelServer::start(Scenario::new([refused, Turn::say("{}")]));
    let client = client(&server);
    let request = ChatRequest {
        format: model::Format::JsonSchema {
            name: "call".to_owned(),
            schema: serde_json::json!({"type": "object"}),
        },
        ..hello()
    };
    let (reply, _) = ask(&client, &request).await;
    assert_eq!(reply.unwrap().text, "{}");
    let requests = server.finished();
    assert!(requests[0].json.get("response_format").is_some());
    assert!(requests[1].json.get("response_format").is_none());
}

#[tokio::test]
async fn a_strict_server_refuses_what_is_out_of_order() {
    let orphan = [Message::user("a"), Message::tool("x", "y")];
    let open = [
        Message::Assistant {
            text: String::new(),
            calls: vec![ToolCall {
                id: "x".to_owned(),
                ..ToolCall::default()
            }],
        },
        Message::user("b"),
    ];
    let late = [Message::user("a"), Message::system("b")];
    for messages in [&orphan[..], &open, &late, &[]] {
        let server = ModelServer::start(Scenario::default().flavour(Flavour::Strict));
        let request = ChatRequest {
            messages: messages.to_vec(),
            ..ChatRequest::default()
        };
        let failed = ask(&client(&server), &request).await.0.unwrap_err();
        assert_eq!(failed.error.code(), "model_refused", "{messages:?}");
        assert!(server.complaints().is_empty(), "no turn was used up");
    }
}
