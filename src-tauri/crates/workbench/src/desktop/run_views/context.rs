//! What a step's model was given, as people read it.

use agent::context::{Item, ItemKind};
use agent::journal::Entry;

use super::RunRead;
use crate::desktop::document::cut;
use crate::wire::window::{ContextItem, StepContext};

/// Characters of one thing's text.
const MOST_TEXT: usize = 4_000;

/// Characters of one thing's name.
const LONGEST_TITLE: usize = 300;

impl RunRead {
    /// What was chosen for the step's last attempt; `None` for a step without a model.
    pub(super) fn context(&self, id: &str) -> Option<StepContext> {
        let mut entries = self.journal.iter().rev();
        let chosen = entries.find_map(|(_, entry)| match entry {
            Entry::ContextChosen { task, chosen } if task == id => Some(chosen),
            _ => None,
        })?;
        Some(StepContext {
            strategy: chosen.strategy.as_str().to_owned(),
            budget: chosen.budget,
            used: chosen.used,
            items: chosen.items.iter().map(item).collect(),
            left_out: chosen.left_out,
        })
    }
}

fn item(item: &Item) -> ContextItem {
    let (kind, title) = match &item.kind {
        ItemKind::Summary { task } => ("summary", task.clone()),
        ItemKind::Note => ("note", String::new()),
        ItemKind::File {
            path,
            from_line: 0,
            to_line: 0,
        } => ("file", path.clone()),
        ItemKind::File {
            path,
            from_line,
            to_line,
        } => ("file", format!("{path}, lines {from_line}–{to_line}")),
        ItemKind::Missing { path } => ("missing", path.clone()),
        ItemKind::Fact { .. } => ("fact", String::new()),
    };
    ContextItem {
        kind: kind.to_owned(),
        title: cut(&title, LONGEST_TITLE),
        reason: item.reason.clone(),
        tokens: item.tokens,
        text: cut(&item.text, MOST_TEXT),
    }
}
