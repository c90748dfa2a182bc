//! The answers in the form that each host expects.

use serde_json::{Map, Value, json};

use super::Host;

/// The hook's answer to its host.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// No answer: the event doesn't concern Planwright, or the host should continue as usual.
    None,
    /// A JSON object for standard output.
    Json(Value),
    /// A refusal for standard error, with exit code 2. Used for events that can't be parsed.
    Refusal(String),
}

/// The answer that allows the agent's calls. Codex has no such answer and continues as usual.
pub(super) fn allow(host: Host, reason: &str) -> Answer {
    match host {
        Host::Claude => Answer::Json(before_tool("allow", reason)),
        Host::Codex => Answer::None,
        Host::Gemini => Answer::Json(json!({"decision": "allow", "reason": reason})),
        Host::Cursor => Answer::Json(json!({"permission": "allow", "agent_message": reason})),
    }
}

/// The answer that refuses the agent's calls.
pub(super) fn deny(host: Host, reason: &str) -> Answer {
    Answer::Json(match host {
        Host::Claude => before_tool("deny", reason),
        // Codex adds the period itself.
        Host::Codex => before_tool("deny", reason.strip_suffix('.').unwrap_or(reason)),
        Host::Gemini => json!({"decision": "deny", "reason": reason}),
        Host::Cursor => json!({
            "permission": "deny",
            "user_message": format!("Planwright: {reason}"),
            "agent_message": reason,
        }),
    })
}

/// The answer that makes the agent continue instead of ending its turn.
pub(super) fn go_on(host: Host, message: &str) -> Answer {
    Answer::Json(match host {
        Host::Claude | Host::Codex => json!({"decision": "block", "reason": message}),
        Host::Gemini => json!({"decision": "deny", "reason": message}),
        Host::Cursor => json!({"followup_message": message}),
    })
}

/// The answer that approves the plan. The host ignores an `allow` without `updatedInput`.
pub(super) fn approve_plan(tool_input: Map<String, Value>) -> Answer {
    permission(json!({"behavior": "allow", "updatedInput": tool_input}))
}

/// The answer that doesn't approve the plan.
pub(super) fn deny_plan(message: &str) -> Answer {
    permission(json!({"behavior": "deny", "message": message}))
}

fn before_tool(decision: &str, reason: &str) -> Value {
    json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision,
        "permissionDecisionReason": reason,
    }})
}

fn permission(decision: Value) -> Answer {
    Answer::Json(
        json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}),
    )
}
