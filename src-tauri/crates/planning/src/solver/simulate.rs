//! Simulates the calls of steps and returns the survey as it would be afterward, on which the edits
//! of the next part are based.

use plan::{ToolCall, ToolName};

use crate::context::Context;
use crate::template::Step;
use crate::text;

/// The parsed calls of a step.
pub(super) fn calls(step: &Step) -> impl Iterator<Item = ToolCall> {
    let lines = step.lines.iter();
    let written = lines.filter_map(|line| line.strip_prefix("  - call: `")?.strip_suffix('`'));
    written.filter_map(|call| ToolCall::parse(call).ok())
}

/// Whether a call changes files.
pub(super) fn is_change(call: &ToolCall) -> bool {
    matches!(
        call.tool,
        ToolName::EditFile | ToolName::WriteFile | ToolName::DeleteFile
    )
}

/// The survey after these steps. A call that can't be applied has no effect.
pub(super) fn after_steps(steps: &[Step], context: &Context) -> Context {
    simulate(steps.iter().flat_map(calls), context)
}

/// The survey after these calls, given in plan syntax.
pub(super) fn after_calls(written: &[String], context: &Context) -> Context {
    let parsed = written.iter().filter_map(|call| ToolCall::parse(call).ok());
    simulate(parsed, context)
}

fn simulate(calls: impl Iterator<Item = ToolCall>, context: &Context) -> Context {
    let mut now = context.clone();
    for call in calls {
        let value = |name: &str| {
            let value = call.arguments.get(name).and_then(|value| value.as_str());
            value.unwrap_or_default()
        };
        let path = value("path");
        match call.tool {
            ToolName::EditFile => {
                let old = now.texts.get(path);
                if let Some(old) = old {
                    let new = old.replacen(value("old_text"), value("new_text"), 1);
                    set_text(path, Some(new), &mut now);
                }
            }
            ToolName::WriteFile => set_text(path, Some(value("content").to_owned()), &mut now),
            ToolName::DeleteFile => set_text(path, None, &mut now),
            _ => {}
        }
    }
    now
}

fn set_text(path: &str, text: Option<String>, now: &mut Context) {
    for (term, places) in &mut now.occurrences {
        places.retain(|place| place.path != path);
        if let Some(text) = &text {
            let found = text::occurrences(path, text, term);
            let at = places.partition_point(|place| place.path.as_str() < path);
            places.splice(at..at, found);
        }
    }
    match text {
        Some(text) => {
            now.paths.insert(path.to_owned());
            now.texts.insert(path.to_owned(), text);
        }
        None => {
            now.paths.remove(path);
            now.offered.retain(|offered| offered.path != path);
            now.texts.remove(path);
        }
    }
}
