//! Reading and writing the plan file during a run.

use std::collections::BTreeSet;

use agent::file_locks;
use agent::journal::{Addition, PlanEdit};
use agent::micro_planning;
use agent::run::Event;
use plan::{TaskId, edit};

use super::Driver;
use crate::error::Result;
use crate::plan_file;

impl Driver<'_> {
    pub(super) fn read_plan(&mut self, is_parallel: bool) -> Result<Event> {
        let now = self.clock.now_ms();
        let reader = plan_file::Reader::new(&self.workspace, &self.plan, self.store, now);
        let content = match reader.read() {
            Ok(taken) => taken.content,
            Err(error) => {
                return Ok(Event::PlanUnusable {
                    message: error.message,
                });
            }
        };
        Ok(Event::PlanRead {
            revision: content.revision.as_str().to_owned(),
            linked: self.linked(&content.text, is_parallel),
            text: content.text,
        })
    }

    /// The plan's paths that are symlinks to other workspace paths; only needed for parallel steps.
    /// A broken link is left to the step that uses it.
    fn linked(&self, text: &str, is_parallel: bool) -> BTreeSet<String> {
        if !is_parallel {
            return BTreeSet::new();
        }
        let mut named = file_locks::named_paths(&plan::parse(text).0);
        named.retain(|path| {
            let resolved = self.workspace.resolved(path);
            resolved.is_ok_and(|resolved| resolved.as_os_str() != path.trim_end_matches('/'))
        });
        named
    }

    /// Why steps can't be added to this file, tested on its current content.
    fn why_not_added(&self, addition: &Addition) -> Option<String> {
        let content = plan_file::read(&self.workspace, &self.plan).ok()?;
        micro_planning::splices(&content.text, addition)
            .err()
            .map(|error| error.to_string())
    }

    /// Applies a journaled edit to the plan.
    pub(super) fn edit_plan(&mut self, edit: &PlanEdit, is_parallel: bool) -> Result<Event> {
        let today = self.clock.today();
        let now = self.clock.now_ms();
        let reason = match edit {
            PlanEdit::Tick { task } => format!("{task} done"),
            PlanEdit::Untick { task } => format!("{task} reopened"),
            PlanEdit::Skip { task, .. } => format!("{task} skipped"),
            PlanEdit::Decide { task, .. } => format!("{task} decided"),
            PlanEdit::Add { addition } => match &addition.under {
                Some(task) => format!("{task} split into steps"),
                None => "next step added".to_owned(),
            },
        };
        if let PlanEdit::Add { addition } = edit
            && let Some(reason) = self.why_not_added(addition)
        {
            return Ok(Event::NotAdded { reason });
        }
        let written = plan_file::edit_as_app(
            &self.workspace,
            &self.plan,
            self.store,
            now,
            &reason,
            |text, plan| splices(text, plan, edit, &today),
        );
        match written {
            Ok(content) => Ok(Event::PlanEdited {
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

fn splices(
    text: &str,
    plan: &plan::Plan,
    edit: &PlanEdit,
    today: &str,
) -> std::result::Result<Vec<edit::Splice>, edit::EditError> {
    let tick = |plan: &plan::Plan, id: &TaskId| match plan.task(id) {
        // A missing or already ticked task needs no edit.
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
        PlanEdit::Add { addition } => micro_planning::splices(text, addition)?,
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
    // Groups completed by this edit are ticked in the same write.
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
