//! A record of what a run carried out, for later runs of the same plan: read from the run's
//! journal, and also kept in the workspace for other data folders, as one line of
//! `.planwright/run/notes.jsonl`.
//!
//! The line contains none of the plan's text, only names (see [`plan::identity`]) of what was done.
//! A forged line can only cause a question.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agent::journal::{Entry, SkippedBy};
use agent::run::state::{Standing, State};
use plan::ToolCall;
use plan::identity::{self, RunRecord, StepRecord};
use store::Lookup;
use tools::lock::{self, Lock};

use crate::Workbench;
use crate::approval::revision_text;
use crate::error::Result;

impl Workbench {
    /// The names of a run's approved plan.
    pub(crate) fn names_of(&self, run: &store::Run) -> BTreeSet<String> {
        // If the text can't be read, its path is still known.
        let text = revision_text(&self.store, &run.revision).unwrap_or_default();
        let mut names = names(&text, &run.plan, &run.workspace);
        if !Path::new(&run.plan).exists() {
            names.extend(identity::steps_name(&plan::parse(&text).0));
        }
        names
    }

    /// The records, newest first, that runs of the plan with these names left in the workspace; a
    /// run of another data folder is marked as such.
    pub(crate) fn records_elsewhere(
        &self,
        workspace: &tools::Workspace,
        names: &BTreeSet<String>,
    ) -> Result<Vec<RunRecord>> {
        let notes = lock::notes(workspace);
        let records = notes
            .iter()
            .rev()
            .filter_map(|line| serde_json::from_str(line).ok());
        let mut found: Vec<RunRecord> = records.collect();
        found.retain(|record| !record.names.is_disjoint(names));
        for record in &mut found {
            if matches!(self.store.runs().get(&record.run)?, Lookup::None) {
                record.run.push_str(" (not in this data folder)");
            }
        }
        Ok(found)
    }

    /// Adds a run's record to the workspace's notes, unless nothing was carried out.
    pub(crate) fn keep_record(&self, lock: &Lock, run: &str) -> Result<()> {
        let Lookup::One(row) = self.store.runs().get(run)? else {
            return Ok(());
        };
        let entries = self.entries(run)?;
        let Some(state) = State::replay(&entries) else {
            return Ok(());
        };
        let mut record = self.record_of(&row, &entries, &state);
        record.steps.retain(|step| !step.is_undone);
        let has_acted = record.steps.iter().any(|step| !step.acts.is_empty());
        let line = serde_json::to_string(&record).ok().filter(|_| has_acted);
        // The run doesn't fail if the note can't be written.
        if let Err(error) = lock.note(&format!("{{\"run\":\"{run}\""), line.as_deref()) {
            tracing::warn!(%error, "couldn't record in the workspace what run {run} did");
        }
        Ok(())
    }

    /// The record of what a run carried out.
    pub(crate) fn record_of(
        &self,
        run: &store::Run,
        entries: &[Entry],
        state: &State,
    ) -> RunRecord {
        let text = revision_text(&self.store, &run.revision).unwrap_or_default();
        let (plan, _) = plan::parse(&text);
        let mut begun: BTreeMap<(&str, usize), String> = BTreeMap::new();
        for entry in entries {
            match entry {
                Entry::Intended {
                    task, call, line, ..
                } => {
                    let act = ToolCall::parse(line).ok().as_ref().and_then(identity::act);
                    begun.extend(act.map(|act| ((task.as_str(), *call), act)));
                }
                Entry::Cleared { task, call, .. } => drop(begun.remove(&(task.as_str(), *call))),
                Entry::Finished {
                    task,
                    call,
                    outcome,
                } if !outcome.ok => drop(begun.remove(&(task.as_str(), *call))),
                _ => {}
            }
        }
        let steps = state.tasks.iter().map(|(id, known)| {
            let task = plan.tasks.iter().find(|task| task.id.as_str() == id);
            // A step with `call:` lines can act only through them, so ignore what its checks did.
            let own = task
                .filter(|task| !task.calls.is_empty())
                .map(identity::acts);
            let counts = |act: &String| match &own {
                Some(own) => own.iter().any(|(own, _)| own == act),
                None => true,
            };
            let acts = begun.iter().filter(|((task, _), _)| task == id);
            let acts = acts.map(|(_, act)| act.clone());
            StepRecord {
                task: id.clone(),
                print: state.covered.get(id).cloned().unwrap_or_default(),
                acts: acts.filter(counts).collect(),
                is_done: known.decided.is_none()
                    && known.standing == Standing::Done
                    && !known.is_unverified(),
                is_skipped: known.standing == Standing::Skipped(SkippedBy::Person),
                is_undone: known.undone,
            }
        });
        RunRecord {
            run: run.id.clone(),
            at_ms: run.created_ms,
            names: names(&text, &run.plan, &run.workspace),
            steps: steps.collect(),
        }
    }
}

/// The names of a plan, given its text and its file.
pub(crate) fn names(text: &str, file: &str, workspace: &str) -> BTreeSet<String> {
    let relative = Path::new(file).strip_prefix(workspace);
    let relative = relative.unwrap_or(Path::new(file));
    identity::names(&plan::parse(text).0, &relative.to_string_lossy())
}
