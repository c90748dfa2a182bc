//! Converts a turn to the pieces of a body, in the flavor's format.

use serde_json::{Value, json};

use super::script::{Flavour, ScriptedCall, Step, Turn};

/// The steps of a streamed answer to a request of `bytes` bytes.
pub(super) fn steps(turn: &Turn, flavour: Flavour, request: &Value, bytes: usize) -> Vec<Step> {
    if !turn.steps.is_empty() {
        return turn.steps.clone();
    }
    let model = request.get("model").cloned().unwrap_or_default();
    let chunk = |delta: Value, finish: Value| {
        Step::Data(json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": model,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        }))
    };
    let said = |delta: Value| chunk(delta, Value::Null);
    let mut steps = vec![said(json!({"role": "assistant", "content": ""}))];
    for piece in pieces(&turn.think, turn.piece) {
        let name = match flavour {
            Flavour::Ollama => "reasoning",
            _ => "reasoning_content",
        };
        steps.push(said(json!({ name: piece })));
    }
    for piece in pieces(&turn.say, turn.piece) {
        steps.push(said(json!({ "content": piece })));
    }
    for (index, call) in turn.calls.iter().enumerate() {
        steps.extend(
            call_parts(call, index, flavour, turn.piece)
                .into_iter()
                .map(said),
        );
    }
    let fitting = if turn.calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    };
    let finish = turn.finish.as_deref().unwrap_or(fitting);
    if !finish.is_empty() {
        steps.push(chunk(json!({}), json!(finish)));
        let wants_usage = request.pointer("/stream_options/include_usage") == Some(&json!(true));
        if wants_usage {
            let [input, cached, output] = turn.usage.unwrap_or([
                u64::try_from(bytes / 4).unwrap_or(u64::MAX),
                0,
                u64::try_from(spoken(turn) / 4 + 1).unwrap_or(u64::MAX),
            ]);
            steps.push(Step::Data(json!({
                "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1,
                "model": model, "choices": [],
                "usage": {
                    "prompt_tokens": input, "completion_tokens": output,
                    "total_tokens": input + output,
                    "prompt_tokens_details": {"cached_tokens": cached},
                },
            })));
        }
    }
    if turn.done {
        steps.push(Step::Raw("data: [DONE]\n\n".to_owned()));
    }
    steps
}

fn spoken(turn: &Turn) -> usize {
    let calls = turn.calls.iter().map(|call| arguments(call).len());
    turn.say.len() + turn.think.len() + calls.sum::<usize>()
}

fn arguments(call: &ScriptedCall) -> String {
    match &call.arguments {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn call_parts(call: &ScriptedCall, index: usize, flavour: Flavour, piece: usize) -> Vec<Value> {
    let id = match call.id.as_str() {
        "" => format!("call_{}", index + 1),
        given => given.to_owned(),
    };
    let text = arguments(call);
    if flavour == Flavour::Ollama {
        let function = json!({"name": call.name, "arguments": text});
        return vec![json!({"tool_calls": [{"id": id, "type": "function", "function": function}]})];
    }
    let piece = if flavour == Flavour::LlamaCpp {
        4
    } else {
        piece
    };
    let function = json!({"name": call.name, "arguments": ""});
    let first = json!({"index": index, "id": id, "type": "function", "function": function});
    let mut parts = vec![json!({ "tool_calls": [first] })];
    for more in pieces(&text, piece) {
        let part = json!({"index": index, "function": {"arguments": more}});
        parts.push(json!({ "tool_calls": [part] }));
    }
    parts
}

fn pieces(text: &str, size: usize) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters
        .chunks(size.max(1))
        .map(|piece| piece.iter().collect())
        .collect()
}

/// The bytes of a step; `None` if it sends nothing.
pub(super) fn bytes(step: &Step) -> Option<Vec<u8>> {
    match step {
        Step::Data(value) => Some(format!("data: {value}\n\n").into_bytes()),
        Step::Raw(text) => Some(text.clone().into_bytes()),
        Step::Bytes(bytes) => Some(bytes.clone()),
        Step::WaitMs(_) | Step::Stall | Step::Cut => None,
    }
}
