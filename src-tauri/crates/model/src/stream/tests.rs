//! Streams from various kinds of servers, and a check that the way they are split doesn't matter.

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Reads one body in the given pieces.
fn read_in(pieces: &[&[u8]], limits: Limits) -> (Vec<Event>, Result<Reply, Broken>) {
    let mut events = Vec::new();
    let mut on = |event| events.push(event);
    let mut reader = Reader::new(limits);
    let mut result = Ok(());
    for piece in pieces {
        result = reader.push(piece, &mut on);
        if result.is_err() || reader.is_done() {
            break;
        }
    }
    let reply = result.and_then(|()| reader.end(&mut on));
    (events, reply)
}

fn read(body: impl AsRef<[u8]>) -> Result<Reply, Broken> {
    read_in(&[body.as_ref()], Limits::default()).1
}

/// One event of a stream.
fn data(value: &serde_json::Value) -> String {
    format!("data: {value}\n\n")
}

fn delta(delta: serde_json::Value) -> String {
    data(&json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]}))
}

fn say(text: &str) -> String {
    delta(json!({ "content": text }))
}

fn finish(reason: &str) -> String {
    data(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}))
}

const DONE: &str = "data: [DONE]\n\n";

/// A well-formed stream that says “Hello there”.
fn good() -> String {
    delta(json!({"role": "assistant", "content": ""}))
        + &say("Hello ")
        + &say("there")
        + &finish("stop")
        + DONE
}

fn spoken(text: &str) -> Result<Reply, Broken> {
    Ok(Reply {
        text: text.to_owned(),
        finish: Finish::Stop,
        finish_said: Some("stop".to_owned()),
        ..Reply::default()
    })
}

fn chunk(change: impl FnOnce(&mut serde_json::Value)) -> String {
    let mut chunk = json!({
        "id": "x", "object": "chat.completion.chunk", "created": 1,
        "choices": [{"index": 0, "delta": {"role": "assistant", "content": "Hello there"}, "finish_reason": null}],
    });
    change(&mut chunk);
    data(&chunk) + &finish("stop") + DONE
}

/// Different encodings of “Hello there” that end with `stop`.
fn ways_to_say_it() -> Vec<(&'static str, Vec<u8>)> {
    let text = |name: &'static str, body: String| (name, body.into_bytes());
    let deviating = |name: &'static str, path: &'static str, value: serde_json::Value| {
        let body = chunk(|chunk| {
            let (parent, last) = path.rsplit_once('/').unwrap();
            chunk.pointer_mut(parent).unwrap()[last] = value;
        });
        (name, body.into_bytes())
    };
    let usage_only = data(&json!({"choices": [], "usage": null}));
    let mut bom = vec![0xef, 0xbb, 0xbf];
    bom.extend(good().bytes());
    vec![
        text("as it should be", good()),
        text("CRLF", good().replace('\n', "\r\n")),
        text("CR", good().replace('\n', "\r")),
        ("a byte order mark", bom),
        text("comments between", format!(": hi\n\n{}: ping\n\n", good().replace("data: [D", ": keep-alive\n\ndata: [D"))),
        text("no blank after the colon", good().replace("data: ", "data:")),
        text("padded DONE", good().replace("[DONE]", "[DONE]  ")),
        text("no DONE", good().replace(DONE, "")),
        text("no blank line after the last event", good().replace(DONE, "").trim_end().to_owned()),
        text("no blank lines at all", good().replace("\n\n", "\n")),
        text("blank lines in front", format!("\n\r\n\n{}", good())),
        text("one event over several lines", good().replace("data: {\"choices\"", "data: {\ndata: \"choices\"")),
        text("names, ids and retry lines", good().replace("data:", "event: message\nid: 7\nretry: 10\ndata:")),
        text("a ping event", format!("event: ping\ndata: {{\"type\": \"ping\"}}\n\n{}", good())),
        text("empty data", format!("data:\n\n{}", good())),
        text("more after DONE", good() + &say("noise")),
        text("no role", good().replace(r#""role":"assistant","#, "")),
        deviating("role null", "/choices/0/delta/role", json!(null)),
        deviating("role empty", "/choices/0/delta/role", json!("")),
        deviating("role unknown", "/choices/0/delta/role", json!("model")),
        deviating("created float", "/created", json!(1.5)),
        deviating("created in milliseconds", "/created", json!(1_763_000_000_000_u64)),
        deviating("id missing", "/id", json!(null)),
        deviating("service tier unknown", "/service_tier", json!("turbo")),
        deviating("finish reason empty while it goes on", "/choices/0/finish_reason", json!("")),
        deviating("content as parts", "/choices/0/delta/content", json!([{"type": "text", "text": "Hello "}, {"type": "text", "text": "there"}])),
        deviating("content as an object", "/choices/0/delta/content", json!({"type": "text", "text": "Hello there"})),
        deviating("index missing", "/choices/0/index", json!(null)),
        deviating("index float", "/choices/0/index", json!(0.0)),
        deviating("calls null", "/choices/0/delta/tool_calls", json!(null)),
        deviating("calls empty", "/choices/0/delta/tool_calls", json!([])),
        deviating("call null beside", "/choices/0/delta/function_call", json!(null)),
        deviating("error null beside", "/error", json!(null)),
        deviating("logprobs", "/choices/0/logprobs", json!({"content": [{"token": "H"}]})),
        text("usage null at the end", good().replace(DONE, &(usage_only + DONE))),
        text("choices null", good().replace(DONE, &(data(&json!({"choices": null})) + DONE))),
        text("another choice beside", good().replace(DONE, &(data(&json!({"choices": [{"index": 1, "delta": {"content": "x"}}]})) + DONE))),
        text("message in place of delta", chunk(|_| ()).replace("\"delta\"", "\"message\"")),
        text("plain JSON", json!({"choices": [{"message": {"role": "assistant", "content": "Hello there"}, "finish_reason": "stop"}]}).to_string()),
        text("pretty JSON", format!("{:#}\n", json!({"choices": [{"message": {"content": "Hello there"}, "finish_reason": "stop"}]}))),
        text("one object a line", good().replace(DONE, "").replace("data: ", "").replace("\n\n", "\n")),
        text("older completions", data(&json!({"choices": [{"text": "Hello there", "finish_reason": "stop"}]})) + DONE),
        text("finish in capitals", good().replace("\"stop\"", "\"STOP\"")),
    ]
}

#[test]
fn every_way_of_saying_it_is_understood() {
    let ways = ways_to_say_it();
    assert!(ways.len() >= 41, "{}", ways.len());
    for (name, body) in ways {
        let mut reply = read(&body);
        if let Ok(reply) = &mut reply {
            reply.finish_said = reply.finish_said.as_ref().map(|said| said.to_lowercase());
        }
        assert_eq!(
            reply,
            spoken("Hello there"),
            "{name}: {}",
            String::from_utf8_lossy(&body)
        );
    }
}

#[test]
fn how_it_ended_is_told() {
    let table = [
        ("stop", Finish::Stop),
        ("eos", Finish::Stop),
        ("end_turn", Finish::Stop),
        ("length", Finish::Length),
        ("max_tokens", Finish::Length),
        ("content_filter", Finish::ContentFilter),
        ("tool_calls", Finish::Unsaid),
        ("because", Finish::Unsaid),
    ];
    for (reason, expected) in table {
        let reply = read(say("half a pl") + &finish(reason) + DONE).unwrap();
        assert_eq!(reply.finish, expected, "{reason}");
        assert_eq!(reply.is_whole(), expected == Finish::Stop, "{reason}");
        assert_eq!(reply.finish_said.as_deref(), Some(reason));
    }
    for unsaid in [say("half a pl"), say("half a pl") + DONE] {
        let reply = read(unsaid).unwrap();
        assert_eq!((reply.finish, reply.is_whole()), (Finish::Unsaid, false));
    }
    let refusal = delta(json!({"refusal": "I will not"})) + DONE;
    assert_eq!(read(refusal).unwrap().finish, Finish::ContentFilter);
}

#[test]
fn a_broken_answer_keeps_what_came_and_is_no_answer() {
    let call = json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "edit_file", "arguments": "{\"path\": \"src/ad"}}]});
    let body = say("I will") + &delta(call);
    let mut reader = Reader::new(Limits::default());
    reader.push(body.as_bytes(), &mut |_| ()).unwrap();
    assert!(reader.has_output() && !reader.has_finish());
    let reply = reader.cut(CutBy::Connection, &mut |_| ());
    assert_eq!(reply.finish, Finish::Cut(CutBy::Connection));
    assert!(!reply.is_whole());
    assert_eq!(reply.calls[0].arguments, "{\"path\": \"src/ad");
}

#[test]
fn what_is_no_answer_is_told() {
    let reported = |value: serde_json::Value| Err(Broken::Reported(value));
    let object = json!({"error": {"message": "boom", "code": 500}});
    let vllm = json!({"object": "error", "message": "boom"});
    let typed = json!({"type": "error", "error": "boom"});
    let table = [
        (
            "an error in the middle",
            say("x") + &data(&object),
            reported(object.clone()),
        ),
        (
            "a bare one in the stream",
            say("x") + &object.to_string(),
            reported(object.clone()),
        ),
        (
            "an error event",
            "event: error\ndata: {\"message\":\"m\"}\n\n".to_owned(),
            reported(json!({"message": "m"})),
        ),
        (
            "an error event of text",
            "event: error\ndata: out of memory\n\n".to_owned(),
            reported(json!("out of memory")),
        ),
        (
            "data that is no JSON",
            say("x") + "data: oops {\n\n",
            reported(json!("oops {")),
        ),
        (
            "half a JSON at the end",
            say("x") + "data: {\"choices\": [",
            Err(Broken::Half),
        ),
        ("a plain error", object.to_string(), reported(object)),
        ("a plain error, pretty", format!("{vllm:#}"), reported(vllm)),
        ("a typed error", data(&typed), reported(typed)),
        ("nothing", String::new(), Err(Broken::Empty)),
        ("only DONE", DONE.to_owned(), Err(Broken::Empty)),
        (
            "only comments",
            ": a\n\n: b\n\n".to_owned(),
            Err(Broken::Empty),
        ),
        (
            "only a role",
            delta(json!({"role": "assistant"})),
            Err(Broken::Empty),
        ),
        (
            "a web page",
            "<!DOCTYPE html>\n<p>".to_owned(),
            Err(Broken::NotChat("<!DOCTYPE html>".to_owned())),
        ),
        (
            "words",
            "It works!".to_owned(),
            Err(Broken::NotChat("It works!".to_owned())),
        ),
        (
            "other JSON",
            "{\"hello\": 1}".to_owned(),
            Err(Broken::NotChat("{\"hello\":1}".to_owned())),
        ),
        (
            "a JSON list",
            "[1]".to_owned(),
            Err(Broken::NotChat("[1]".to_owned())),
        ),
        ("cut JSON", "{\"choices\": [{".to_owned(), Err(Broken::Half)),
    ];
    for (name, body, expected) in table {
        assert_eq!(read(&body), expected, "{name}");
    }
}

#[test]
fn what_is_damaged_after_the_end_is_no_part_of_it() {
    for rest in ["data: {\"usage\": {", "data: oops\n\n", "{\"err"] {
        assert_eq!(
            read(good().replace(DONE, rest)),
            spoken("Hello there"),
            "{rest}"
        );
    }
}

#[test]
fn an_empty_turn_is_a_turn() {
    let reply = read(finish("stop") + DONE).unwrap();
    assert!(reply.is_empty() && reply.is_whole());
}

type Expected<'a> = &'a [(&'a str, &'a str, &'a str)];

#[test]
fn calls_are_put_together_however_they_are_numbered() {
    let part = |part: serde_json::Value| delta(json!({ "tool_calls": [part] }));
    let table: [(&str, String, Expected<'_>); 16] = [
        (
            "in pieces",
            part(
                json!({"index": 0, "id": "a", "type": "function", "function": {"name": "read", "arguments": ""}}),
            ) + &part(json!({"index": 0, "function": {"arguments": "{\"p\":"}}))
                + &part(json!({"index": 0, "function": {"arguments": "1}"}})),
            &[("a", "read", "{\"p\":1}")],
        ),
        (
            "two, interleaved",
            part(json!({"index": 0, "id": "a", "function": {"name": "x", "arguments": "{"}}))
                + &part(
                    json!({"index": 1, "id": "b", "function": {"name": "y", "arguments": "["}}),
                )
                + &part(json!({"index": 0, "function": {"arguments": "}"}}))
                + &part(json!({"index": 1, "function": {"arguments": "]"}})),
            &[("a", "x", "{}"), ("b", "y", "[]")],
        ),
        (
            "two in one chunk without an index",
            delta(json!({"tool_calls": [
                {"id": "a", "function": {"name": "x", "arguments": "{}"}},
                {"id": "b", "function": {"name": "y", "arguments": "{}"}}]})),
            &[("a", "x", "{}"), ("b", "y", "{}")],
        ),
        (
            "without an index, in pieces",
            part(json!({"id": "a", "function": {"name": "x", "arguments": "{"}}))
                + &part(json!({"function": {"arguments": "}"}}))
                + &part(json!({"id": "b", "function": {"name": "y", "arguments": "{"}}))
                + &part(json!({"function": {"arguments": "}"}})),
            &[("a", "x", "{}"), ("b", "y", "{}")],
        ),
        (
            "without index and id, the same tool twice",
            part(json!({"function": {"name": "x", "arguments": "{\"a\":1}"}}))
                + &part(json!({"function": {"name": "x", "arguments": "{\"a\":2}"}})),
            &[("call_1", "x", "{\"a\":1}"), ("call_2", "x", "{\"a\":2}")],
        ),
        (
            "the index 0 for all",
            part(
                json!({"index": 0, "id": "a", "function": {"name": "x", "arguments": "{\"a\":1}"}}),
            ) + &part(
                json!({"index": 0, "id": "b", "function": {"name": "x", "arguments": "{\"a\":2}"}}),
            ),
            &[("a", "x", "{\"a\":1}"), ("b", "x", "{\"a\":2}")],
        ),
        (
            "id and name repeated in each piece",
            part(json!({"index": 0, "id": "a", "function": {"name": "x", "arguments": "{\"a\""}}))
                + &part(
                    json!({"index": 0, "id": "a", "function": {"name": "x", "arguments": ":1}"}}),
                ),
            &[("a", "x", "{\"a\":1}")],
        ),
        (
            "name repeated, without an id",
            part(json!({"function": {"name": "x", "arguments": "{\"a\""}}))
                + &part(json!({"function": {"name": "x", "arguments": ":1}"}})),
            &[("call_1", "x", "{\"a\":1}")],
        ),
        (
            "name repeated, brackets and quotes inside texts",
            part(json!({"function": {"name": "x", "arguments": "{\"a\": \"}\\\"]"}}))
                + &part(json!({"function": {"name": "x", "arguments": "}\"}"}})),
            &[("call_1", "x", "{\"a\": \"}\\\"]}\"}")],
        ),
        (
            "a name in pieces",
            part(json!({"index": 0, "id": "a", "function": {"name": "read_"}}))
                + &part(json!({"index": 0, "function": {"name": "file", "arguments": "{}"}})),
            &[("a", "read_file", "{}")],
        ),
        (
            "arguments as an object",
            part(
                json!({"index": 0, "id": "a", "function": {"name": "x", "arguments": {"p": "ä", "n": 1}}}),
            ),
            &[("a", "x", "{\"p\":\"ä\",\"n\":1}")],
        ),
        (
            "objects without an index",
            part(json!({"function": {"name": "x", "arguments": {}}}))
                + &part(json!({"function": {"name": "x", "arguments": {"a": 1}}})),
            &[("call_1", "x", "{}"), ("call_2", "x", "{\"a\":1}")],
        ),
        (
            "null arguments, type empty, id null",
            part(
                json!({"index": 0, "type": "", "id": null, "function": {"name": "x", "arguments": null}}),
            ),
            &[("call_1", "x", "")],
        ),
        (
            "one object in place of a list",
            delta(json!({"tool_calls": {"id": "a", "function": {"name": "x", "arguments": "{}"}}})),
            &[("a", "x", "{}")],
        ),
        (
            "the older field",
            delta(json!({"function_call": {"name": "x", "arguments": "{"}}))
                + &delta(json!({"function_call": {"arguments": "}"}})),
            &[("call_1", "x", "{}")],
        ),
        (
            "an id that was made up is not one that was given",
            part(json!({"index": 0, "function": {"name": "x", "arguments": "{}"}}))
                + &part(
                    json!({"index": 1, "id": "call_1", "function": {"name": "y", "arguments": "{}"}}),
                ),
            &[("call_2", "x", "{}"), ("call_1", "y", "{}")],
        ),
    ];
    for (name, body, expected) in table {
        for reason in ["tool_calls", "stop"] {
            let reply = read(body.clone() + &finish(reason) + DONE).unwrap();
            assert_eq!(reply.finish, Finish::ToolCalls, "{name}");
            let calls: Vec<_> = reply
                .calls
                .iter()
                .map(|call| {
                    (
                        call.id.as_str(),
                        call.name.as_str(),
                        call.arguments.as_str(),
                    )
                })
                .collect();
            assert_eq!(calls, expected, "{name}");
        }
    }
}

#[test]
fn reasoning_is_told_from_text_wherever_it_stands() {
    let in_content = |text: &str| say(text);
    let table = [
        (
            "a field",
            delta(json!({"reasoning_content": "hm"})) + &say("ok"),
            "hm",
            "ok",
        ),
        (
            "another",
            delta(json!({"reasoning": "hm", "reasoning_details": [{"text": "hm"}]})) + &say("ok"),
            "hm",
            "ok",
        ),
        (
            "details alone",
            delta(json!({"reasoning_details": [{"type": "reasoning.text", "text": "hm"}]}))
                + &say("ok"),
            "hm",
            "ok",
        ),
        (
            "parts",
            delta(
                json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "ok"}]}),
            ),
            "hm",
            "ok",
        ),
        ("tags", in_content("<think>hm</think>\n\nok"), "hm", "ok"),
        (
            "tags after blanks",
            in_content("\n <think>\nhm</think>ok"),
            "\nhm",
            "ok",
        ),
        (
            "two blocks",
            in_content("<think>a</think> <think>b</think> ok"),
            "ab",
            "ok",
        ),
        ("an empty block", in_content("<think></think>ok"), "", "ok"),
        (
            "never closed",
            in_content("<think>hm {\"name\": \"x\"}"),
            "hm {\"name\": \"x\"}",
            "",
        ),
        ("closed only", in_content("hm\n</think>\nok"), "hm\n", "ok"),
        (
            "a later mention",
            in_content("Use the <think> tag: </think>"),
            "",
            "Use the <think> tag: </think>",
        ),
        ("not quite a tag", in_content("<thin"), "", "<thin"),
        ("a comparison", in_content("< 3"), "", "< 3"),
        ("blanks alone", in_content(" \n"), "", " \n"),
    ];
    for (name, body, reasoning, text) in table {
        let reply = read(body + &finish("stop") + DONE).unwrap();
        assert_eq!(
            (reply.reasoning.as_str(), reply.text.as_str()),
            (reasoning, text),
            "{name}"
        );
    }
}

#[test]
fn what_was_counted_is_read_in_each_form() {
    let full = Usage {
        input: 10,
        cached: 4,
        output: 5,
        reasoning: 2,
    };
    let table = [
        (
            json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15, "prompt_tokens_details": {"cached_tokens": 4}, "completion_tokens_details": {"reasoning_tokens": 2}}),
            full,
        ),
        (
            json!({"prompt_tokens": 10.0, "completion_tokens": 5.0, "prompt_cache_hit_tokens": 4, "reasoning_tokens": 2}),
            full,
        ),
        (
            json!({"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 4}),
            Usage {
                reasoning: 0,
                ..full
            },
        ),
    ];
    for (usage, expected) in table {
        for body in [
            good().replace(
                DONE,
                &(data(&json!({"choices": [], "usage": usage})) + DONE),
            ),
            good().replace(DONE, &(data(&json!({ "usage": usage })) + DONE)),
            say("x")
                + &data(
                    &json!({"choices": [{"delta": {}, "finish_reason": "stop", "usage": usage}]}),
                ),
        ] {
            assert_eq!(read(&body).unwrap().usage, Some(expected), "{body}");
        }
    }
}

#[test]
fn events_are_the_reply_in_pieces() {
    let body = delta(json!({"reasoning": "hm"}))
        + &say("Hel")
        + &say("lo")
        + &delta(
            json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "x", "arguments": "{"}}]}),
        )
        + &delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": "}"}}]}))
        + &finish("tool_calls")
        + &data(&json!({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}))
        + DONE;
    let (events, _) = read_in(&[body.as_bytes()], Limits::default());
    let text = |text: &str| text.to_owned();
    let part = |name: Option<&str>, arguments: &str| Event::CallDelta {
        index: 0,
        name: name.map(str::to_owned),
        arguments: text(arguments),
    };
    assert_eq!(
        events,
        [
            Event::ReasoningDelta { text: text("hm") },
            Event::TextDelta { text: text("Hel") },
            Event::TextDelta { text: text("lo") },
            part(Some("x"), "{"),
            part(None, "}"),
            Event::Usage(Usage {
                input: 3,
                output: 2,
                ..Usage::default()
            }),
        ]
    );
}

#[test]
fn memory_is_bounded() {
    let limits = Limits {
        line: 1_000,
        reply: 2_000,
    };
    let of = |body: String| read_in(&[body.as_bytes()], limits).1;
    assert_eq!(
        of("data: ".to_owned() + &"x".repeat(2_000)),
        Err(Broken::TooLong(1_000))
    );
    assert_eq!(of("data: x\n".repeat(1_000)), Err(Broken::TooLong(1_000)));
    assert_eq!(
        of(format!("{{\n{}", " \n".repeat(1_000))),
        Err(Broken::TooLong(1_000))
    );
    assert_eq!(
        of(say(&"x".repeat(500)).repeat(5)),
        Err(Broken::TooLong(2_000))
    );
    let many: String = (0..200)
        .map(|n| delta(json!({"tool_calls": [{"index": n, "id": n.to_string(), "function": {"name": "x"}}]})))
        .collect();
    assert_eq!(of(many), Err(Broken::TooLong(2_000)));
    assert_eq!(of(good()), spoken("Hello there"));
}

/// Joins adjacent events of one kind, since splitting the stream may split events but must not
/// change their content.
fn joined(events: Vec<Event>) -> Vec<Event> {
    let mut out: Vec<Event> = Vec::new();
    for event in events {
        match (out.last_mut(), event) {
            (Some(Event::TextDelta { text }), Event::TextDelta { text: more })
            | (Some(Event::ReasoningDelta { text }), Event::ReasoningDelta { text: more }) => {
                text.push_str(&more);
            }
            (_, event) => out.push(event),
        }
    }
    out
}

fn bodies() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = ways_to_say_it().into_iter().map(|(_, body)| body).collect();
    let umlauts = delta(json!({"reasoning": "ü€😀"}))
        + &say("<thi")
        + &say("nk>größer")
        + &say("</th")
        + &say("ink>\r\n 😀 done")
        + &delta(
            json!({"tool_calls": [{"id": "ä", "function": {"name": "x", "arguments": "{\"ö\":1}"}}]}),
        )
        + &finish("stop");
    all.push(umlauts.replace('\n', "\r\n").into_bytes());
    all.push(umlauts.into_bytes());
    all.push(
        b"data: {\"choices\":[{\"delta\":{\"content\":\"\xff\xc3\"}}]}\n\ndata: oops".to_vec(),
    );
    all.push(b"\xef\xbb\xbf{\"error\": \n\"x\"}".to_vec());
    all
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_cut_into_pieces_says_the_same(
        which in any::<prop::sample::Index>(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let bodies = bodies();
        let body = which.get(&bodies);
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(body.len() + 1)).collect();
        at.sort_unstable();
        let mut pieces = Vec::new();
        let mut from = 0;
        for to in at.into_iter().chain([body.len()]) {
            pieces.push(&body[from..to]);
            from = to;
        }
        let (whole_events, whole) = read_in(&[body], Limits::default());
        let (events, reply) = read_in(&pieces, Limits::default());
        prop_assert_eq!(reply, whole);
        prop_assert_eq!(joined(events), joined(whole_events));
    }

    #[test]
    fn no_bytes_break_the_reader(body in prop::collection::vec(any::<u8>(), 0..300), stream in any::<bool>()) {
        let body = if stream { [b"data: {\"choices\":[{\"delta\":".as_slice(), &body].concat() } else { body };
        let _ = read(&body);
    }
}

#[test]
fn byte_by_byte_is_the_same_too() {
    for body in bodies() {
        let pieces: Vec<&[u8]> = body.chunks(1).collect();
        assert_eq!(read_in(&pieces, Limits::default()).1, read(&body));
    }
}
