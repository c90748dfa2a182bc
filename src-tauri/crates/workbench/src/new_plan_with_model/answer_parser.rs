//! Reads a model's answer as draft steps, in any form.

use plan::ToolName;
use planning::drafting::{DraftStep, steps_of_markdown, steps_of_tasks};
use repair::{Effect, RepairKind, ReplyError, Tool, Tools, read_tasks};

/// Reads an answer as steps and the text before them. No steps means that the model claims nothing
/// is missing. The error describes the problem, as the end of a sentence that begins with "it".
pub(super) fn read(text: &str) -> Result<(String, Vec<DraftStep>), &'static str> {
    let (approach, steps) = steps_of_markdown(text);
    if !steps.is_empty() {
        return Ok((approach, steps));
    }
    match read_tasks(text) {
        Ok(tasks) => return Ok((String::new(), steps_of_tasks(&tasks))),
        Err(ReplyError::CutOff) => return Err("ended in the middle of its list"),
        Err(ReplyError::TooLong { .. }) => return Err("was too long"),
        Err(ReplyError::NoTasks) => {}
    }
    let Ok(planned) = repair::read_steps(text, &tool_names()) else {
        return Err("contained no list of steps");
    };
    // A single introductory sentence isn't a plan.
    let is_prose = planned
        .repairs
        .iter()
        .any(|repair| repair.kind == RepairKind::ProseStep);
    if is_prose && planned.steps.len() == 1 {
        return Err("was prose, not a list of steps");
    }
    let steps = planned.steps.into_iter().map(|step| DraftStep {
        what: step.what,
        why: step.why,
        tools: step.tools,
        ..DraftStep::default()
    });
    Ok((String::new(), steps.collect()))
}

/// The known tools, so that steps may name them.
fn tool_names() -> Tools {
    let tools = ToolName::ALL.into_iter().filter_map(|tool| {
        let effect = match tool {
            _ if tool.is_read_only() => Effect::Reads,
            ToolName::DeleteFile => Effect::Destroys,
            _ => Effect::Changes,
        };
        Tool::new(tool.as_str(), effect, &serde_json::Value::Null).ok()
    });
    Tools::new(tools)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn plans_are_read_from_any_usual_form_and_prose_is_none() {
        let plans = [
            ("- [ ] **T1** Read it\n- [ ] **T2** Change it\n", 2),
            (
                "{\"steps\": [{\"what\": \"Read it\"}, {\"what\": \"Change it\"}]}",
                2,
            ),
            (
                "Sure!\n```json\n[{'what': 'Read it', 'why': 'first'},]\n```",
                1,
            ),
            ("1. Read src/a.py\n2. Change src/a.py\n3. Run the tests", 3),
            (
                "{\"what\": \"Read it\", \"why\": \"first\", \"tools\": [\"read_file\"]}",
                1,
            ),
            ("{\"steps\": []}", 0),
            ("DONE", 0),
        ];
        for (text, count) in plans {
            let steps = read(text).map(|(_, steps)| steps.len());
            assert_eq!(steps, Ok(count), "{text}");
        }
        let none = [
            "I will first look at the code and then write a plan for you.",
            "Could you tell me which file you mean?",
            "{\"steps\": [{\"what\": \"Read it\"}, {\"what\": \"Cha",
            "def main():\n    pass\n",
        ];
        for text in none {
            assert!(read(text).is_err(), "{text}: {:?}", read(text));
        }
    }
}
