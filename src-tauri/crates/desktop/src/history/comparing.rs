//! Comparing two revisions by task, by word and by line.

use plan::diff::{PartDiff, TaskDiff, diff};

use crate::Desktop;
use crate::document::cut;
use crate::editing::diff_lines;
use crate::wire::{Comparison, PartChange, TaskChange, WordRun};
use workbench::error::Result;
use workbench::text::number;

/// Maximum tasks shown.
const MAX_TASKS: usize = 300;

/// Maximum parts per task, and parts outside tasks.
const MAX_PARTS: usize = 40;

/// Maximum notes per task.
const MAX_NOTES: usize = 20;

/// Maximum runs of words per part.
const MAX_RUNS: usize = 400;

/// Maximum characters in a run of words, and in a title.
const MAX_RUN: usize = 4_000;

/// Maximum lines shown.
const MAX_LINES: usize = 2_000;

impl Desktop {
    /// Compares two revisions; an empty `from` means an empty file.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] for an unknown revision; [`workbench::Code::Storage`].
    pub fn compare(&self, plan: &str, from: &str, to: &str) -> Result<Comparison> {
        let after = self.shared.parsed_at(plan, to)?;
        let before = match from {
            "" => None,
            from => Some(self.shared.parsed_at(plan, from)?),
        };
        let nothing = plan::parse("").0;
        let (old_text, old_plan) = match &before {
            Some(before) => (before.text(), &before.plan),
            None => ("", &nothing),
        };
        let changes = diff((old_text, old_plan), (after.text(), &after.plan));
        let (lines, is_cut) = diff_lines(old_text, after.text(), MAX_LINES);
        let more_tasks = changes.tasks.len().saturating_sub(MAX_TASKS);
        Ok(Comparison {
            from: before.map_or(String::new(), |before| {
                before.revision().as_str().to_owned()
            }),
            to: after.revision().as_str().to_owned(),
            tasks: changes
                .tasks
                .into_iter()
                .take(MAX_TASKS)
                .map(task)
                .collect(),
            more_tasks: number(more_tasks),
            unchanged: number(changes.unchanged),
            around: parts(changes.around),
            lines,
            is_cut,
        })
    }
}

fn task(change: TaskDiff) -> TaskChange {
    TaskChange {
        id: change.id.0,
        kind: change.kind.as_str().to_owned(),
        title: cut(&change.title, MAX_RUN),
        notes: change.notes.into_iter().take(MAX_NOTES).collect(),
        parts: parts(change.parts),
    }
}

fn parts(parts: Vec<PartDiff>) -> Vec<PartChange> {
    let parts = parts.into_iter().take(MAX_PARTS);
    let part = |part: PartDiff| PartChange {
        name: part.name,
        words: part
            .words
            .into_iter()
            .take(MAX_RUNS)
            .map(|run| WordRun {
                kind: run.kind.as_str().to_owned(),
                text: cut(&run.text, MAX_RUN),
            })
            .collect(),
    };
    parts.map(part).collect()
}
