//! Calls that only look, and what the model gets of a call that it made.

use std::time::Instant;

use agent::envelope::ends_of;
use agent::journal::CallOutcome;
use agent::model_step::request;
use agent::run::{Event, Machine};
use gate::Permit;
use plan::{ToolCall, ToolName};
use tools::files::{self, MAX_FILE};
use tools::{ContentHash, Workspace, documents};

use super::outcomes::{failed, tail};
use super::{Driver, step_profile};
use crate::clock::millis;
use crate::gathering;

impl Driver<'_> {
    /// Carries out calls that only look, side by side.
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

    /// The most bytes of a call's answer that the model gets which made it; `None` where none did.
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

    /// What the model gets of a call that gave no text of its own.
    pub(super) fn tell_model(&self, outcome: &mut CallOutcome, tool: &ToolCall, is_model: bool) {
        if is_model && outcome.content.is_none() {
            outcome.content = Some(match outcome.ok {
                true => outcome.summary.clone(),
                false => self.with_real_paths(tool, &outcome.summary),
            });
        }
    }

    /// What is said of a call that gave no text. A path that is not there is told with those most like
    /// it, since the next guess would be no better.
    pub(super) fn with_real_paths(&self, tool: &ToolCall, said: &str) -> String {
        let is_of_a_file = matches!(
            tool.tool,
            ToolName::ReadFile | ToolName::EditFile | ToolName::DeleteFile
        );
        let path = tool.path().filter(|_| is_of_a_file).map(str::to_owned);
        let missing = path.filter(|path| !self.workspace.path().join(path).exists());
        let near = missing.map(|path| gathering::nearby(&self.workspace, &[path]));
        match near.filter(|near| !near.is_empty()) {
            Some(near) => format!("{said} These are there: {}.", near.join(", ")),
            None => said.to_owned(),
        }
    }
}

/// Carries out a call that only looks.
pub(super) fn look(
    workspace: &Workspace,
    plan: &str,
    tool: &ToolCall,
    shown: Option<usize>,
) -> CallOutcome {
    let began = Instant::now();
    // The plan names what it searches for, so a hit in it shows nothing.
    let own = format!("{plan}:");
    let in_plan = |text: &str| {
        let lines = text.lines().filter(|line| line.starts_with(&own));
        u32::try_from(lines.count()).unwrap_or(u32::MAX)
    };
    let outcome = match files::perform_read(workspace, tool) {
        Ok(found) => CallOutcome {
            ok: true,
            summary: found
                .discoveries
                .first()
                .cloned()
                .unwrap_or_else(|| "done".to_owned()),
            output: tail(&found.text),
            content: shown.map(|bytes| ends_of(&found.text, bytes)),
            seen: shown.and_then(|_| seen_by(workspace, tool)),
            discoveries: found.discoveries,
            hits: found.hits.map(|hits| hits - in_plan(&found.text).min(hits)),
            ..CallOutcome::default()
        },
        Err(error) => failed(error.to_string()),
    };
    CallOutcome {
        elapsed_ms: millis(began.elapsed()),
        ..outcome
    }
}

/// What the file holds that a model just read, under the path that a write of it is recorded with: a
/// link's name is not that of the file.
fn seen_by(workspace: &Workspace, tool: &ToolCall) -> Option<Box<(String, String)>> {
    let path = tool.path().filter(|_| tool.tool == ToolName::ReadFile)?;
    let bytes = documents::read(workspace, path, MAX_FILE).ok()?;
    let path = workspace.resolved(path).ok()?;
    let seen = (path.display().to_string(), ContentHash::of(&bytes).to_hex());
    Some(Box::new(seen))
}
