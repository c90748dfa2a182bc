//! Applies the calls of a plan to files in order, as strictly as `planwright run` does.

use std::collections::BTreeMap;

use plan::{Plan, ToolName};

/// The files after all calls of a plan. Panics if a call doesn't match the current text.
pub(crate) fn carried_out(files: &[(&str, &str)], plan: &Plan) -> BTreeMap<String, String> {
    let mut after: BTreeMap<String, String> = files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect();
    for call in plan.tasks.iter().flat_map(|task| &task.calls) {
        let parsed = call
            .parsed
            .as_ref()
            .unwrap_or_else(|_| panic!("{}", call.raw));
        let value = |name: &str| {
            let value = parsed.arguments.get(name).and_then(|value| value.as_str());
            value.unwrap_or_default().to_owned()
        };
        let path = value("path");
        match parsed.tool {
            ToolName::EditFile => {
                let text = after
                    .get_mut(&path)
                    .unwrap_or_else(|| panic!("no file {path}"));
                let old = value("old_text");
                assert_eq!(text.matches(&old).count(), 1, "{path}: {old}");
                *text = text.replacen(&old, &value("new_text"), 1);
            }
            ToolName::WriteFile => {
                let before = after.insert(path.clone(), value("content"));
                assert_eq!(before, None, "{path} is overwritten");
            }
            ToolName::DeleteFile => {
                assert!(after.remove(&path).is_some(), "no file {path}");
            }
            _ => {}
        }
    }
    after
}

/// Whether the plan leaves a step to a person.
pub(crate) fn is_open(plan: &Plan) -> bool {
    plan.tasks.iter().any(|task| task.by == plan::By::Person)
}
