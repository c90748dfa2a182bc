//! Writes an edit: applies it to the current content, saves the file, updates the undo stack, and
//! announces the change.

use std::time::{Duration, Instant};

use plan::merge::merge;
use store::{Author, NewUndo};

use crate::document::{LastEdit, ParsedPlan};
use crate::wire::{DesktopEvent, EditOutcome};
use crate::{Shared, lock};
use workbench::Workbench;
use workbench::error::{Code, Error, Result};
use workbench::plan_file::{self, Content, WRITE_ATTEMPTS, Writer};

/// Edits of one field within this time of each other form one undo step.
const GOES_ON_WITHIN: Duration = Duration::from_secs(2);

/// The outcome of applying an edit to the current text.
#[derive(Debug)]
pub(crate) enum Next {
    /// Replace the current text with this one.
    Write {
        text: String,
        /// The task that was added or moved.
        task: Option<String>,
        /// Whether changes by others were merged.
        merged: bool,
        /// A message for the person if merging required further changes.
        told: Option<String>,
    },
    /// Others changed the same text.
    Conflict { mine: String, theirs: String },
}

impl Next {
    /// The outcome that replaces the current text with this one; nothing was merged.
    pub(crate) fn of(text: &str) -> Self {
        Self::Write {
            text: text.to_owned(),
            task: None,
            merged: false,
            told: None,
        }
    }

    /// Replaces the whole text if it is still the revision that the person saw; otherwise a
    /// conflict.
    pub(crate) fn in_place_of(seen: &str, now: &ParsedPlan, label: &str, text: &str) -> Self {
        match now.revision().matches(seen) {
            true => Self::of(text),
            false => Self::Conflict {
                mine: label.to_owned(),
                theirs: "The plan changed since you opened it.".to_owned(),
            },
        }
    }
}

/// How a write affects the undo stack.
#[derive(Debug)]
pub(crate) enum Remember {
    /// Adds an undo step. With `goes_on`, extends the last one if it edited the same field a moment
    /// ago.
    Step { goes_on: bool },
    /// Undoes the step with this number.
    Undone(i64),
    /// Redoes the step with this number.
    Redone(i64),
}

/// Merges a change from `base` to `ours` into the current content.
pub(crate) fn merged(base: &str, ours: &str, now: &ParsedPlan) -> Next {
    if now.text() == base {
        return Next::of(ours);
    }
    let merged = merge(base, ours, now.text());
    match merged.clean() {
        Some(text) => Next::Write {
            text: text.to_owned(),
            task: None,
            merged: true,
            told: plan_file::summarize_merge(&merged),
        },
        None => {
            let join = |side: &dyn Fn(&plan::merge::Conflict) -> &str| {
                let places: Vec<&str> = merged.conflicts.iter().map(side).collect();
                places.join("…\n")
            };
            Next::Conflict {
                mine: join(&|place| &place.ours),
                theirs: join(&|place| &place.theirs),
            }
        }
    }
}

impl Shared {
    /// Writes a change from `base` to `ours` as a separate undo step, merging changes made by
    /// others since.
    pub(crate) fn write_merged(
        &self,
        base: &ParsedPlan,
        ours: &str,
        label: &str,
    ) -> Result<EditOutcome> {
        self.write_step(&base.key, label, |now| Ok(merged(base.text(), ours, now)))
    }

    /// Same as [`Shared::write`], as a separate undo step.
    pub(crate) fn write_step(
        &self,
        plan: &str,
        label: &str,
        next: impl Fn(&ParsedPlan) -> Result<Next>,
    ) -> Result<EditOutcome> {
        self.write(plan, label, &Remember::Step { goes_on: false }, next)
    }

    /// Applies `next` to the current content and writes the result as the person's change.
    pub(crate) fn write(
        &self,
        plan: &str,
        label: &str,
        remember: &Remember,
        next: impl Fn(&ParsedPlan) -> Result<Next>,
    ) -> Result<EditOutcome> {
        for _ in 0..WRITE_ATTEMPTS {
            let (located, workspace, content) = self.read_now(&self.workbench(), plan)?;
            if let Some(refusal) = located.refusal() {
                return Err(Error::new(Code::Workspace, refusal));
            }
            let key = located.file.key();
            let now = self.parsed_as(&key, content);
            let revision = now.revision().as_str().to_owned();
            let (text, task, merged, told) = match next(&now)? {
                Next::Write {
                    text,
                    task,
                    merged,
                    told,
                } => (text, task, merged, told),
                Next::Conflict { mine, theirs } => {
                    return Ok(EditOutcome::Conflict {
                        revision,
                        mine,
                        theirs,
                    });
                }
            };
            let workbench = self.workbench();
            if text == now.text() {
                mark(&workbench, remember)?;
                drop(workbench);
                self.tell(told);
                return Ok(EditOutcome::Unchanged { revision });
            }
            let reason = plan_file::reason(label, told.as_deref());
            let writer = Writer::person(&workbench, &workspace, &located.file, &reason);
            let after = Content::of(text);
            let coming = after.clone();
            let written =
                self.parsed_while(&now, coming, || writer.replace(&now.content, after))?;
            let Some(after) = written else { continue };
            self.remember(&workbench, &key, label, remember, &now.content, &after)?;
            drop(workbench);
            let revision = after.revision.as_str().to_owned();
            self.announce(&key, Some(revision.clone()), Author::Person);
            self.tell(told);
            return Ok(EditOutcome::Written {
                revision,
                task,
                merged,
            });
        }
        let located = self.locate(&self.workbench(), plan)?;
        Err(plan_file::busy(&located.file))
    }

    fn tell(&self, told: Option<String>) {
        if let Some(message) = told {
            self.events.send(DesktopEvent::Notice {
                about: None,
                message,
            });
        }
    }

    fn remember(
        &self,
        workbench: &Workbench,
        key: &str,
        label: &str,
        remember: &Remember,
        before: &Content,
        after: &Content,
    ) -> Result<()> {
        let Remember::Step { goes_on } = remember else {
            lock(&self.parsed).last_edits.remove(key);
            return mark(workbench, remember);
        };
        let undo = workbench.store.plan_undo();
        let (before, after) = (before.revision.as_str(), after.revision.as_str());
        let last = lock(&self.parsed).last_edits.remove(key);
        let last = last.filter(|last| {
            *goes_on
                && last.field == label
                && last.after == before
                && last.at.elapsed() <= GOES_ON_WITHIN
        });
        let now = workbench.clock.now_ms();
        let seq = match last {
            Some(last) if undo.extend(last.seq, after, now)? => last.seq,
            _ => undo.push(&NewUndo {
                plan: key,
                before,
                after,
                label,
                at_ms: now,
            })?,
        };
        let last = LastEdit {
            field: label.to_owned(),
            at: Instant::now(),
            seq,
            after: after.to_owned(),
        };
        lock(&self.parsed).last_edits.insert(key.to_owned(), last);
        Ok(())
    }
}

fn mark(workbench: &Workbench, remember: &Remember) -> Result<()> {
    let undo = workbench.store.plan_undo();
    match remember {
        Remember::Step { .. } => {}
        Remember::Undone(seq) => {
            undo.mark(*seq, true)?;
        }
        Remember::Redone(seq) => {
            undo.mark(*seq, false)?;
        }
    }
    Ok(())
}
