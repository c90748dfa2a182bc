//! Read-only calls, and the results that the model gets for its calls.

use std::time::Instant;

use agent::envelope::elide_middle;
use agent::journal::CallOutcome;
use agent::model_step::request;
use agent::run::{Event, Machine};
use gate::Permit;
use plan::{ToolCall, ToolName};
use tools::files::{self, MAX_FILE, ReadOutcome};
use tools::{ContentHash, Workspace, documents};

use super::outcomes::{failed, tail};
use super::{Driver, step_profile};
use crate::clock::millis;
use crate::step_material;
use crate::text::counted;

impl Driver<'_> {
    /// Performs read-only calls in parallel.
    pub(super) fn perform_all(
        &self,
        machine: &Machine,
        task: &str,
        calls: &[(usize, ToolCall, Permit)],
    ) -> Event {
        let shown = calls.iter();
        let shown: Vec<Option<usize>> = shown
            .map(|(call, ..)| self.bytes_for_model(machine, task, *call))
            .collect();
        let (workspace, plan) = (&self.workspace, self.plan.relative.as_str());
        let looked: Vec<CallOutcome> = std::thread::scope(|scope| {
            let looks: Vec<_> = calls
                .iter()
                .zip(&shown)
                .map(|((_, tool, _), shown)| scope.spawn(|| look(workspace, plan, tool, *shown)))
                .collect();
            let looked = looks.into_iter().map(|look| match look.join() {
                Ok(outcome) => outcome,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            looked.collect()
        });
        let outcomes = looked.into_iter().zip(calls).zip(shown);
        let outcomes = outcomes.map(|((mut outcome, (_, tool, _)), shown)| {
            self.tell_model(&mut outcome, tool, shown.is_some());
            outcome
        });
        Event::PerformedAll {
            outcomes: outcomes.collect(),
        }
    }

    /// The maximum size in bytes of the result of a call that a model made; `None` for other calls.
    pub(super) fn bytes_for_model(
        &self,
        machine: &Machine,
        task: &str,
        call: usize,
    ) -> Option<usize> {
        let state = machine.state().tasks.get(task);
        let is_model = state.is_some_and(|state| state.work.rounds.call(call).is_some());
        let access = self.access.as_ref().filter(|_| is_model)?;
        Some(request::result_bytes(&step_profile(access)))
    }

    /// Sets the result that the model gets for a call that produced no text.
    pub(super) fn tell_model(&self, outcome: &mut CallOutcome, tool: &ToolCall, is_model: bool) {
        if is_model && outcome.content.is_none() {
            outcome.content = Some(match outcome.ok {
                true => outcome.summary.clone(),
                false => self.with_real_paths(tool, &outcome.summary),
            });
        }
    }

    /// The message for a call that produced no text. If a path doesn't exist, the most similar ones
    /// are added, so that the model needn't guess again.
    pub(super) fn with_real_paths(&self, tool: &ToolCall, said: &str) -> String {
        let is_of_a_file = matches!(
            tool.tool,
            ToolName::ReadFile | ToolName::EditFile | ToolName::DeleteFile
        );
        let path = tool.path().filter(|_| is_of_a_file).map(str::to_owned);
        let missing = path.filter(|path| !self.workspace.path().join(path).exists());
        let near = missing.map(|path| step_material::nearby(&self.workspace, &[path]));
        match near.filter(|near| !near.is_empty()) {
            Some(near) => format!("{said} Similar paths: {}.", near.join(", ")),
            None => said.to_owned(),
        }
    }
}

pub(super) fn look(
    workspace: &Workspace,
    plan: &str,
    tool: &ToolCall,
    shown: Option<usize>,
) -> CallOutcome {
    let began = Instant::now();
    let outcome = match files::perform_read(workspace, tool) {
        Ok(mut found) => {
            leave_out_plan(&mut found, plan);
            CallOutcome {
                ok: true,
                summary: found
                    .discoveries
                    .first()
                    .cloned()
                    .unwrap_or_else(|| "done".to_owned()),
                output: tail(&found.text),
                content: shown.map(|bytes| elide_middle(&found.text, bytes)),
                seen: shown.and_then(|_| seen_by(workspace, tool)),
                discoveries: found.discoveries,
                hits: found.hits,
                ..CallOutcome::default()
            }
        }
        Err(error) => failed(error.to_string()),
    };
    CallOutcome {
        elapsed_ms: millis(began.elapsed()),
        ..outcome
    }
}

/// Removes hits in the plan file from a search result. The plan contains the search terms, so these
/// hits mean nothing.
fn leave_out_plan(found: &mut ReadOutcome, plan: &str) {
    let own = format!("{plan}:");
    let lines = found.text.lines().filter(|line| line.starts_with(&own));
    let in_plan = u32::try_from(lines.count()).unwrap_or(u32::MAX);
    let Some(hits) = found.hits.as_mut().filter(|_| in_plan > 0) else {
        return;
    };
    *hits = hits.saturating_sub(in_plan);
    // A sentence such as "3 hits in 2 files".
    let Some(sentence) = found.discoveries.first_mut() else {
        return;
    };
    let files = sentence.split(' ').nth(3);
    if let Some(files) = files.and_then(|files| files.parse::<usize>().ok()) {
        let (hits, files) = (*hits as usize, files.saturating_sub(1));
        *sentence = format!("{} in {}", counted(hits, "hit"), counted(files, "file"));
    }
}

/// The file that a model just read, with the hash of its content. The path is the one used for
/// recording writes; for a symlink, its target's. `None` unless the call reads a file.
fn seen_by(workspace: &Workspace, tool: &ToolCall) -> Option<Box<(String, String)>> {
    let path = tool.path().filter(|_| tool.tool == ToolName::ReadFile)?;
    let bytes = documents::read(workspace, path, MAX_FILE).ok()?;
    let path = workspace.resolved(path).ok()?;
    let seen = (path.display().to_string(), ContentHash::of(&bytes).to_hex());
    Some(Box::new(seen))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_does_not_count_the_plan_that_names_what_it_looks_for() {
        let found = |text: &str, hits: u32, sentence: &str| ReadOutcome {
            text: text.to_owned(),
            discoveries: vec![sentence.to_owned()],
            hits: Some(hits),
            truncated: false,
        };
        let mut both = found(
            "a.txt:1: old\nplans/p.md:3: old\nplans/p.md:9: old\n",
            3,
            "3 hits in 2 files",
        );
        leave_out_plan(&mut both, "plans/p.md");
        assert_eq!(both.discoveries, ["1 hit in 1 file"]);
        assert_eq!(both.hits, Some(1));

        let mut only = found("plans/p.md:3: old\n", 1, "1 hit in 1 file");
        leave_out_plan(&mut only, "plans/p.md");
        assert_eq!(only.discoveries, ["0 hits in 0 files"]);
        assert_eq!(only.hits, Some(0));

        let mut none = found("a.txt:1: old\n", 1, "1 hit in 1 file");
        leave_out_plan(&mut none, "plans/p.md");
        assert_eq!(none.discoveries, ["1 hit in 1 file"]);
    }
}
