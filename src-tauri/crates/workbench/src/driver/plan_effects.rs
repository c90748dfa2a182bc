//! The plan file as a run reads and writes it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use agent::holding;
use agent::journal::{Addition, PlanEdit};
use agent::micro_planning;
use agent::run::Event;
use plan::{TaskId, edit};

use super::Driver;
use crate::error::Result;
use crate::{approval, plan_file};

impl Driver<'_> {
    /// Reads the plan. A content that the app wrote itself, out of what came before, is told apart
    /// from one that somebody else wrote.
    pub(super) fn read_plan(&mut self, is_parallel: bool) -> Result<Event> {
        let reader = plan_file::Reader {
            workspace: &self.workspace,
            file: &self.plan,
            store: self.store,
            now: self.clock.now_ms(),
            was_at: None,
        };
        let content = match reader.read() {
            Ok(taken) => taken.content,
            Err(error) => {
                return Ok(Event::PlanUnusable {
                    message: error.message,
                });
            }
        };
        let key = self.plan.key();
        let written_from = self.written_from(&key, content.revision.as_str())?;
        Ok(Event::PlanRead {
            revision: content.revision.as_str().to_owned(),
            linked: self.linked(&content.text, is_parallel),
            text: content.text,
            written_from,
        })
    }

    /// The paths of a plan that lead to another one through a link; looked for where steps go side by
    /// side. One that leads nowhere is left to the step that uses it.
    fn linked(&self, text: &str, is_parallel: bool) -> BTreeSet<String> {
        if !is_parallel {
            return BTreeSet::new();
        }
        let mut named = holding::named_by(&plan::parse(text).0);
        named.retain(|path| {
            let resolved = self.workspace.resolved(path);
            resolved.is_ok_and(|resolved| resolved.as_os_str() != path.trim_end_matches('/'))
        });
        named
    }

    /// The text that the app made this revision from, when the app is its latest author.
    fn written_from(&self, key: &str, revision: &str) -> Result<Option<String>> {
        let Some(latest) = self.store.revisions().latest(key)? else {
            return Ok(None);
        };
        if !plan_file::is_own(&latest) || latest.hash != revision {
            return Ok(None);
        }
        let before = latest.parent.as_deref();
        let before = before.map(|parent| approval::revision_text(self.store, parent));
        before.transpose()
    }

    /// Writes what the journal says into the plan.
    /// Why steps cannot be written into this file, tried on what it holds now.
    fn why_not_added(&self, addition: &Addition) -> Option<String> {
        let content = plan_file::read(&self.workspace, &self.plan).ok()?;
        added(&content.text, addition)
            .err()
            .map(|error| error.to_string())
    }

    pub(super) fn edit_plan(&mut self, edit: &PlanEdit, is_parallel: bool) -> Result<Event> {
        let today = self.clock.today();
        let now = self.clock.now_ms();
        let reason = match edit {
            PlanEdit::Tick { task } => format!("{task} done"),
            PlanEdit::Untick { task } => format!("{task} open again"),
            PlanEdit::Skip { task, .. } => format!("{task} skipped"),
            PlanEdit::Decide { task, .. } => format!("{task} decided"),
            PlanEdit::Add { addition } => match &addition.under {
                Some(task) => format!("{task} taken apart"),
                None => "the next step".to_owned(),
            },
        };
        if let PlanEdit::Add { addition } = edit
            && let Some(reason) = self.why_not_added(addition)
        {
            return Ok(Event::NotAdded { reason });
        }
        // The last attempt is the one that was written.
        let made_from = RefCell::new(String::new());
        let written = plan_file::edit_as_app(
            &self.workspace,
            &self.plan,
            self.store,
            now,
            &reason,
            |text, plan| {
                *made_from.borrow_mut() = text.to_owned();
                splices(text, plan, edit, &today)
            },
        );
        match written {
            Ok(content) => Ok(Event::PlanEdited {
                made_from: made_from.take(),
                revision: content.revision.as_str().to_owned(),
                linked: self.linked(&content.text, is_parallel),
                text: content.text,
            }),
            Err(error) => {
                tracing::error!(run = %self.run, error = %error, "plan not written");
                Ok(Event::PlanUnusable {
                    message: error.message,
                })
            }
        }
    }
}

/// Steps as splices: parts of a step, or steps of their own.
fn added(
    text: &str,
    addition: &Addition,
) -> std::result::Result<Vec<edit::Splice>, edit::EditError> {
    let steps = &addition.steps;
    let added = match &addition.under {
        Some(task) => micro_planning::decompose_further(text, &TaskId(task.clone()), steps),
        None => micro_planning::as_edit(text, None, steps),
    };
    added.map(|added| added.splices)
}

fn splices(
    text: &str,
    plan: &plan::Plan,
    edit: &PlanEdit,
    today: &str,
) -> std::result::Result<Vec<edit::Splice>, edit::EditError> {
    let tick = |plan: &plan::Plan, id: &TaskId| match plan.task(id) {
        // A task that is gone, or ticked already, needs nothing.
        None => Ok(Vec::new()),
        Some(task) if task.done => Ok(Vec::new()),
        Some(_) => edit::tick(plan, id),
    };
    let mut splices = match edit {
        PlanEdit::Tick { task } => tick(plan, &TaskId(task.clone()))?,
        PlanEdit::Untick { task } => return edit::reopen(plan, &TaskId(task.clone())),
        PlanEdit::Skip { task, reason } => {
            let id = TaskId(task.clone());
            match plan.task(&id) {
                Some(task) if task.skipped.is_none() => edit::skip(text, plan, &id, reason)?,
                _ => Vec::new(),
            }
        }
        PlanEdit::Add { addition } if addition.found_in(plan).is_some() => Vec::new(),
        PlanEdit::Add { addition } => added(text, addition)?,
        PlanEdit::Decide { task, label, note } => {
            let id = TaskId(task.clone());
            let recorded = plan
                .decisions
                .iter()
                .any(|record| record.task == id && record.answer.as_deref() == Some(label));
            let mut splices = tick(plan, &id)?;
            if !recorded {
                let why = note
                    .as_ref()
                    .map(|note| format!(": {note}"))
                    .unwrap_or_default();
                let detail = format!("a person, {today}{why}");
                splices.extend(edit::record_decision(text, plan, &id, label, &detail)?);
            }
            splices
        }
    };
    // Groups whose last leaf this completes are ticked in the same write.
    splices.sort_by_key(|splice| splice.range.start);
    let after = edit::apply(text, &splices)?.text;
    let (after, _) = plan::parse(&after);
    for group in edit::finished_groups(&after) {
        if plan.task(&group).is_some_and(|task| !task.done) {
            splices.extend(edit::tick(plan, &group)?);
        }
    }
    splices.sort_by_key(|splice| splice.range.start);
    Ok(splices)
}
