//! Converts requests and replies between the state machines and the endpoint client. Sends nothing.
//!
//! For a model without native tool calls, tools are described in the system prompt, calls are JSON
//! in the model's text, and results are sent as user messages.

use agent::model_tool::ModelTool;
use agent::session::message::{Message, Role};
use agent::turn::{Call, Fault, FaultKind, Finish, Reply, Usage};
use repair::{NativeCall, Recovered};
use serde_json::{Value, json};

/// The token usage of a reply.
pub(crate) fn usage(reply: &model::Reply) -> Usage {
    let used = reply.usage.unwrap_or_default();
    Usage {
        input: used.input,
        cached: used.cached,
        output: used.output,
    }
}

/// Converts a reply to the form that `repair` takes.
pub(crate) fn repair_reply(reply: model::Reply) -> repair::Reply {
    let finish = match reply.finish {
        model::Finish::Stop => Finish::Stop,
        model::Finish::ToolCalls => Finish::ToolCalls,
        model::Finish::Length => Finish::Length,
        model::Finish::ContentFilter => Finish::ContentFilter,
        model::Finish::Unsaid | model::Finish::Cut(_) => Finish::Cut,
    };
    let calls = reply.calls.into_iter().map(|call| NativeCall {
        id: Some(call.id).filter(|id| !id.is_empty()),
        name: call.name,
        arguments: call.arguments,
    });
    repair::Reply {
        text: reply.text,
        reasoning: reply.reasoning,
        calls: calls.collect(),
        finish,
    }
}

/// Builds a turn's reply from what the repair recovered. With `with_unknown`, a call of an unknown
/// tool counts as a call rather than a fault, because the caller can respond to it.
pub(crate) fn turn_reply(
    given: repair::Reply,
    recovered: Recovered,
    with_unknown: bool,
    (usage, elapsed_ms): (Usage, u64),
) -> Reply {
    let says = |repair: &repair::Repair| repair.kind.says().to_owned();
    let of_reply: Vec<String> = recovered.repairs.iter().map(says).collect();
    let read = recovered.calls.into_iter().map(|call| {
        let of_call = call.repairs.iter().map(says);
        let repairs = of_reply.iter().cloned().chain(of_call).collect();
        let call_read = Call {
            id: call.id.unwrap_or_default(),
            repairs,
            ..Call::new(call.name, call.arguments)
        };
        (call.position, call_read)
    });
    let mut calls: Vec<(usize, Call)> = read.collect();
    let mut faults = Vec::new();
    for fault in recovered.faults {
        match unknown_call(&given.calls, &fault).filter(|_| with_unknown) {
            Some(call) => calls.push((fault.position, call)),
            None => faults.push(Fault {
                kind: fault.kind,
                message: fault.message,
            }),
        }
    }
    calls.sort_by_key(|(position, _)| *position);
    Reply {
        // A reply that was cut off is never carried out.
        calls: match given.finish.is_whole() {
            true => calls.into_iter().map(|(_, call)| call).collect(),
            false => Vec::new(),
        },
        faults,
        text: recovered.text,
        finish: given.finish,
        usage,
        elapsed_ms,
    }
}

/// The native call that a fault rejects because its tool is unknown; `None` for other faults, and
/// if the arguments aren't JSON.
fn unknown_call(native: &[NativeCall], fault: &repair::Fault) -> Option<Call> {
    let name = fault
        .tool
        .as_deref()
        .filter(|_| fault.kind == FaultKind::UnknownTool)?;
    let written = native
        .iter()
        .find(|call| call.id.is_some() && call.id == fault.id)?;
    let arguments = match written.arguments.trim() {
        "" => serde_json::Map::new(),
        text => serde_json::from_str(text).ok()?,
    };
    Some(Call {
        id: fault.id.clone().unwrap_or_default(),
        ..Call::new(name, arguments)
    })
}

/// A tool as described to the model.
pub(crate) fn tool(tool: ModelTool, describes: &str) -> model::Tool {
    model::Tool {
        name: tool.as_str().to_owned(),
        description: describes.to_owned(),
        parameters: tool.parameters(),
    }
}

/// Describes the tools as text. The example uses a file that the model may need, since models copy
/// examples.
pub(crate) fn tools_as_text(tools: &[model::Tool], file: Option<&String>) -> String {
    let lines = tools.iter().map(|tool| {
        let names: Vec<String> = tool.parameters["properties"]
            .as_object()
            .map(|map| map.keys().cloned().collect())
            .unwrap_or_default();
        format!(
            "- {} {{{}}}: {}",
            tool.name,
            names.join(", "),
            tool.description
        )
    });
    let lines: Vec<String> = lines.collect();
    let reads = tools.iter().find(|tool| tool.name == "read_file");
    let example = match (tools, reads, file) {
        ([_, _, ..], Some(reads), Some(file)) => {
            json!({"name": reads.name, "arguments": {"path": file}}).to_string()
        }
        ([first, ..], ..) => json!({"name": first.name, "arguments": {}})
            .to_string()
            .replace("{}", "{…}"),
        _ => String::new(),
    };
    format!(
        "\nTo call a tool, answer with one JSON object and nothing else: {example}. Its result comes in \
         the next message. The tools:\n{}",
        lines.join("\n")
    )
}

/// Converts messages for the client. As text, consecutive messages of the host are merged, since
/// many templates require user and model to alternate.
pub(crate) fn wire(messages: &[Message], as_text: bool) -> Vec<model::Message> {
    let mut out: Vec<model::Message> = Vec::new();
    for message in messages {
        let next = one(message, as_text);
        match (out.last_mut(), next) {
            (Some(model::Message::User { text }), model::Message::User { text: more })
                if as_text =>
            {
                text.push_str("\n\n");
                text.push_str(&more);
            }
            (_, next) => out.push(next),
        }
    }
    out
}

fn one(message: &Message, as_text: bool) -> model::Message {
    let text = message.content.clone();
    match message.role {
        Role::User => model::Message::user(text),
        Role::Assistant if as_text && !message.calls.is_empty() => {
            let calls = message
                .calls
                .iter()
                .map(|call| json!({"name": call.name, "arguments": call.arguments}).to_string());
            let said = Some(text).filter(|text| !text.is_empty());
            let lines: Vec<String> = said.into_iter().chain(calls).collect();
            model::Message::assistant(lines.join("\n"))
        }
        Role::Assistant => model::Message::Assistant {
            text,
            calls: message
                .calls
                .iter()
                .map(|call| model::ToolCall {
                    id: call.id.clone(),
                    name: call.name.clone(),
                    arguments: Value::Object(call.arguments.clone()).to_string(),
                })
                .collect(),
        },
        Role::Tool if as_text => model::Message::user(format!("[result]\n{text}")),
        Role::Tool => model::Message::tool(message.call.clone().unwrap_or_default(), text),
    }
}
