//! The tools and prompts offered to an agent. Their descriptions are short, because every request
//! to the agent's model includes them.

use rmcp::model::{JsonObject, Prompt, PromptArgument, Tool, ToolAnnotations};
use serde_json::{Value, json};

use super::review::MAX_WAIT;

/// A tool's effect on plans.
enum Effect {
    Reads,
    Adds,
    /// Replaces text; earlier revisions remain in the history.
    Replaces,
}

/// The instructions sent to an agent when it connects.
pub(super) const INSTRUCTIONS: &str = "Planwright holds plans: Markdown files with steps as \
    task-list items. Only a person approves one, in Planwright's window. Propose a plan with \
    propose_plan, improve it with check_plan and propose_edit, ask with request_approval, and poll \
    get_decision. Change nothing else before the plan is approved; then carry out exactly the \
    approved text.";

/// The tools, in the order they are listed.
pub(super) fn tools() -> Vec<Tool> {
    use Effect::{Adds, Reads, Replaces};
    let plan = || string("path of the plan file");
    let revision = || string("hash, 12 digits or more");
    let task = || string("step ID, such as T2");
    vec![
        tool(
            "list_plans",
            "List the plans of this workspace with score, badge, progress and state.",
            Reads,
            &[],
            json!({}),
        ),
        tool(
            "get_plan",
            "Read a plan: its text, revision and badge. Long text is truncated; then use get_task.",
            Reads,
            &["plan"],
            json!({ "plan": plan() }),
        ),
        tool(
            "get_task",
            "Read one step of a plan: its text, state and findings.",
            Reads,
            &["plan", "task"],
            json!({ "plan": plan(), "task": task() }),
        ),
        tool(
            "check_plan",
            "Score a plan, or text that isn't saved yet, and list what is missing. Give one of the two.",
            Reads,
            &[],
            json!({ "plan": plan(), "text": string("plan as Markdown") }),
        ),
        tool(
            "propose_plan",
            "Save a new plan. Asks nobody yet; returns its path, revision and findings. \
             Steps are lines like `- [ ] **T1** What to do`.",
            Adds,
            &["text"],
            json!({
                "text": string("plan as Markdown"),
                "title": string("title, if the text has none"),
                "session": string("your conversation's ID, if you have one"),
            }),
        ),
        tool(
            "propose_edit",
            "Change a plan: replace old_text (must occur once), or a whole step. \
             Empty new_text deletes. Can't tick steps or answer decisions.",
            Replaces,
            &["plan", "revision", "new_text"],
            json!({
                "plan": plan(),
                "revision": revision(),
                "old_text": string("exact text to replace"),
                "task": string("or the step to replace"),
                "new_text": string("replacement"),
            }),
        ),
        tool(
            "report_progress",
            "Note what you did for a step. Stored as your claim: it doesn't tick the step and isn't evidence.",
            Adds,
            &["plan", "task", "note"],
            json!({ "plan": plan(), "task": task(), "note": string("what you did") }),
        ),
        tool(
            "request_approval",
            "Ask a person to approve the current revision, in Planwright's window. \
             Returns a review at once; poll get_decision for the answer.",
            Adds,
            &["plan", "revision"],
            json!({ "plan": plan(), "revision": revision() }),
        ),
        tool(
            "get_decision",
            "Read the person's decision: waiting, approved, changes_requested or withdrawn. \
             Only approved is an approval.",
            Reads,
            &["review"],
            json!({
                "review": string("from request_approval"),
                "wait_seconds": { "type": "integer", "minimum": 0, "maximum": MAX_WAIT },
            }),
        ),
    ]
}

fn string(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn tool(
    name: &'static str,
    description: &'static str,
    effect: Effect,
    required: &[&str],
    properties: Value,
) -> Tool {
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), properties);
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    let hints = ToolAnnotations::new().open_world(false);
    let hints = match effect {
        Effect::Reads => hints.read_only(true),
        Effect::Adds => hints.read_only(false).destructive(false),
        Effect::Replaces => hints.read_only(false).destructive(true),
    };
    Tool::new(name, description, schema).with_annotations(hints)
}

/// The prompts, in the order they are listed.
pub(super) fn prompts() -> Vec<Prompt> {
    let argument = |name: &str, description: &str| {
        let argument = PromptArgument::new(name).with_description(description);
        Some(vec![argument.with_required(true)])
    };
    vec![
        Prompt::new(
            super::prompts::WRITE_PLAN,
            Some("Write a plan for a goal and have a person approve it"),
            argument("goal", "What to achieve"),
        ),
        Prompt::new(
            super::prompts::CARRY_OUT_PLAN,
            Some("Carry out an approved plan step by step"),
            argument("plan", "Path of the plan file"),
        ),
    ]
}
