//! Constructors and queries of tasks.

use super::{By, IdOrigin, Mark, Span, Task, TaskId, TaskKind};

impl Task {
    /// An open task with only a title; `title` is its span in `text`.
    pub fn open(id: TaskId, text: &str, title: Span, line: u32, span: Span) -> Self {
        Self {
            id,
            id_origin: IdOrigin::Positional,
            id_span: None,
            title: text[title.clone()].to_owned(),
            title_span: title,
            line,
            marker: ' ',
            mark: Mark::Box,
            box_span: 0..0,
            done: false,
            optional: false,
            parallel: false,
            phase: 0,
            kind: TaskKind::Normal,
            depends: None,
            files: Vec::new(),
            tools: Vec::new(),
            calls: Vec::new(),
            covers: Vec::new(),
            complexity: None,
            accept: Vec::new(),
            verify: Vec::new(),
            by: By::Either,
            why: None,
            options: Vec::new(),
            confirm: true,
            skipped: None,
            fields: Vec::new(),
            body: String::new(),
            parent: None,
            children: Vec::new(),
            depth: 0,
            span,
        }
    }

    /// Whether it asks the user instead of doing work: it is a checkpoint or a decision.
    pub fn is_pause(&self) -> bool {
        matches!(self.kind, TaskKind::Checkpoint | TaskKind::Decision)
    }

    /// Whether it has sub-tasks.
    pub fn is_group(&self) -> bool {
        !self.children.is_empty()
    }

    /// The values of every field with this key.
    pub fn values<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.fields
            .iter()
            .filter(move |field| field.key == key)
            .map(|field| field.value.as_str())
    }

    /// Who will carry out the task, `Agent` or `Person`, given whether a model is available.
    pub fn carried_out_by(&self, has_model: bool) -> By {
        match self.by {
            By::Person => By::Person,
            By::Agent => By::Agent,
            By::Either if has_model || !self.calls.is_empty() => By::Agent,
            By::Either => By::Person,
        }
    }
}
