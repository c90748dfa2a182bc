//! Properties that hold for any reply. `cargo fuzz` runs them, and the crate's tests run them on
//! mutations of the seeds.
//!
//! A body panics if a property is violated. It does no IO and is deterministic.
#![allow(unreachable_pub, reason = "the target is another crate root")]

use repair::{
    Effect, Finish, NativeCall, Reply, Tool, Tools, Want, read_choice, read_step, recover,
};
use serde_json::json;

/// Checks the properties on one input. Its first byte chooses how the reply ended and whether the
/// remaining bytes are the reply's text or the arguments of a native call.
pub fn repair(data: &[u8]) {
    let (first, rest) = data.split_first().unwrap_or((&0, &[]));
    let text = String::from_utf8_lossy(rest).into_owned();
    let finish = [
        Finish::Stop,
        Finish::ToolCalls,
        Finish::Length,
        Finish::ContentFilter,
        Finish::Cut,
    ][usize::from(first % 5)];
    let tools = tools();
    let mut reply = Reply {
        finish,
        ..Reply::of_text(text.clone())
    };
    if first % 2 == 1 {
        reply.text = String::new();
        reply.calls.push(NativeCall {
            id: Some("a".to_owned()),
            name: "write_file".to_owned(),
            arguments: text.clone(),
        });
    }
    let recovered = recover(&reply, &tools, Want::Call);
    assert_eq!(recovered, recover(&reply, &tools, Want::Call));
    assert!(!recovered.calls.is_empty() || !recovered.faults.is_empty());
    assert!(recovered.steps <= 60 * text.len() as u64 + 30_000);
    for call in &recovered.calls {
        let needed: &[&str] = match call.name.as_str() {
            "write_file" => &["path", "content"],
            "delete_file" => &["path"],
            "look" => &[],
            other => panic!("{other} is no tool"),
        };
        assert!(needed.iter().all(|key| {
            call.arguments
                .get(*key)
                .is_some_and(|value| value.is_string())
        }));
        assert!(
            call.arguments
                .keys()
                .all(|key| ["path", "content", "at"].contains(&key.as_str()))
        );
        // A destructive call is never guessed, so its name must appear in the reply.
        if call.name == "delete_file" {
            let squashed: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
            assert!(squashed.to_lowercase().contains("deletefile"));
        }
    }
    if reply.calls.len() == 1 {
        assert_eq!(recovered.calls.len() + recovered.faults.len(), 1);
    }
    let _ = read_step(&text, &tools);
    let _ = read_choice(&text, 4);
}

fn tools() -> Tools {
    let text = json!({"type": "string"});
    let file = json!({"type": "object", "properties": {"path": text, "content": text}, "required": ["path", "content"]});
    let path = json!({"type": "object", "properties": {"path": text}, "required": ["path"]});
    let at = json!({"type": "object", "properties": {"at": {"type": "array", "items": {"type": "integer"}}}});
    Tools::new(
        [
            Tool::new("write_file", Effect::Changes, &file),
            Tool::new("delete_file", Effect::Destroys, &path),
            Tool::new("look", Effect::Reads, &at),
        ]
        .into_iter()
        .flatten(),
    )
}
