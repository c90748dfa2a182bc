//! Writes the answers file of `planwright run --answers`, as a person would.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

/// A person's answers, by step id or kind of question.
#[derive(Debug, Clone, Default)]
pub struct Answers(Map<String, Value>);

impl Answers {
    /// No answers: every question stays open.
    pub fn new() -> Self {
        Self::default()
    }

    /// Marks a step as done.
    #[must_use]
    pub fn done(mut self, step: &str, note: &str) -> Self {
        self.0
            .insert(step.to_owned(), json!({"done": true, "note": note}));
        self
    }

    /// Chooses an option of a checkpoint or decision, by its label.
    #[must_use]
    pub fn choose(mut self, step: &str, option: &str) -> Self {
        self.0.insert(step.to_owned(), json!(option));
        self
    }

    /// Adds a rule for a tool: `matching` is `exact …` or `prefix …`, `answer` is `once`, `run` or
    /// `no`.
    #[must_use]
    pub fn permit(mut self, tool: &str, matching: &str, answer: &str) -> Self {
        let rule = json!({"tool": tool, "match": matching, "answer": answer, "words": ""});
        match self.0.entry("permissions").or_insert_with(|| json!([])) {
            Value::Array(rules) => rules.push(rule),
            other => panic!("permissions are a list, not {other}"),
        }
        self
    }

    /// Sets how to handle a side effect with an unknown outcome: `check`, `repeat` or `skip`.
    #[must_use]
    pub fn unknown(mut self, answer: &str) -> Self {
        self.0.insert("unknown".to_owned(), json!(answer));
        self
    }

    /// Adds any other entry.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.0.insert(name.to_owned(), value);
        self
    }

    /// Writes the file into a folder (a [`Home`](crate::Home)'s, so that the project stays
    /// unchanged) and returns its full path.
    pub fn write_to(&self, folder: impl AsRef<Path>) -> PathBuf {
        let path = folder.as_ref().join("answers.json");
        let text = format!("{:#}\n", Value::Object(self.0.clone()));
        std::fs::write(&path, text).expect("the answers can be written");
        path
    }
}
