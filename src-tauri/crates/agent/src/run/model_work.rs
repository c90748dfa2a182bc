//! Steps carried out by a model: requests, calls and checks.
//!
//! [`ladder`](crate::model_step::ladder) chooses the next action; this module turns it into entries
//! and effects. A model's call is judged, prepared, announced and performed like a `call:` line.

mod calls;
mod reconsider;
mod recovery;
mod window;

pub(super) use calls::names;

use std::sync::Arc;

use gate::recovery::RecoveryStrategy;
use plan::Task;

use super::next::Turn;
use super::state::TaskState;
use super::{Effect, Machine, PlanView, claims};
use crate::context::{self, Chosen, Material, Strategy};
use crate::envelope::one_line;
use crate::journal::{CallOutcome, Entry};
use crate::model_step::act::{self, EditForms};
use crate::model_step::ladder::{self, Next};
use crate::model_step::step_tools;
use crate::model_step::{FailureKind, Report, StepRequest, request};
use crate::model_tool::ModelTool;
use crate::progress::Phase;

/// After this many rejected claims, the attempt ends or the person is asked.
pub(super) const CLAIMS: u32 = 3;
/// Maximum bytes of the list of actions, and of the text, in an inferred report.
const WORDS: usize = 600;

impl Machine {
    /// Advances the model's work. `None` if the model claims that the step is done, so that the
    /// checks come next.
    pub(super) fn advance_with_model(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
    ) -> Option<Turn> {
        let id = task.id.0.clone();
        let is_small = self.profile().is_some_and(|profile| profile.is_small);
        let is_act = !act::of(&state.work).is_empty();
        match ladder::next(task, &state.work, is_small) {
            Next::Ask | Next::Fail { .. } if is_act && state.work.is_rejected_left() => {
                Some(self.begin(Effect::TakeBack { task: id }))
            }
            Next::Claimed(report) => self.reject_idle_claim(view, task, state, &report),
            Next::Call { number, call } => Some(self.handle_call(view, task, state, number, &call)),
            Next::Tell(message) => Some(self.record(Entry::Told { task: id, message })),
            Next::Ask if !is_act && self.is_outgrown(view, task, state) => {
                let calls = state.work.rounds.performed().count();
                let reason = format!("not done after {calls} calls");
                Some(self.recover(view, task, FailureKind::Cap, &reason))
            }
            Next::Ask if state.work.context.is_none() => {
                let wants = context::wants(&view.plan, task);
                Some(self.begin(Effect::Gather { task: id, wants }))
            }
            Next::Ask => {
                let request = self.request(view, task, state)?;
                Some(self.ask_model(view, &id, request))
            }
            Next::Infer => {
                let report = inferred(task, state);
                let is_inferred = true;
                Some(self.record(Entry::Reported {
                    task: id,
                    report,
                    is_inferred,
                }))
            }
            Next::Fail { kind, reason } => Some(self.recover(view, task, kind, &reason)),
        }
    }

    /// Selects the model's context from the material that was gathered.
    pub(super) fn choose_context(&mut self, id: String, material: &Material) {
        let view = Arc::clone(&self.view);
        let Some(profile) = self.profile() else {
            return;
        };
        let Some(index) = view.plan.index_of_name(&id) else {
            return;
        };
        let summaries = self.summaries_before(&view, index);
        let attempt = self.state.tasks.get(&id).map(|state| &state.work);
        let last = attempt.and_then(|work| work.recoveries.last());
        let is_smaller = last.is_some_and(|last| {
            last.strategy == RecoveryStrategy::RetrySimplified
                || last.failure == FailureKind::TooLarge
        });
        let (strategy, budget) = match is_smaller {
            true => (Strategy::Minimal, request::context_tokens(&profile) / 2),
            false => (self.config.context, request::context_tokens(&profile)),
        };
        let task = &view.plan.tasks[index];
        let chosen = context::select(&view.plan, task, &summaries, material, strategy, budget);
        let chosen = Chosen {
            targets: match profile.is_schema_bound && profile.forms != EditForms::NONE {
                true => act::targets(task, material),
                false => Vec::new(),
            },
            ..chosen
        };
        self.record(Entry::ContextChosen { task: id, chosen });
    }

    fn request(&self, view: &PlanView, task: &Task, state: &TaskState) -> Option<StepRequest> {
        let profile = self.profile()?;
        let said = &self.state.said;
        Some(request::next(&view.plan, task, &state.work, said, &profile))
    }

    fn ask_model(&mut self, view: &PlanView, id: &str, request: StepRequest) -> Turn {
        if let Some(turn) = self.stop_at_limit() {
            return turn;
        }
        let action = "Asking the model".to_owned();
        self.report(view, id, Phase::Processing, Some(action));
        self.begin(Effect::AskModel {
            task: id.to_owned(),
            request: Box::new(request),
        })
    }

    /// Rejects a claim without evidence, before the checks run.
    pub(super) fn reject_idle_claim(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
        report: &Report,
    ) -> Option<Turn> {
        // The context may contain everything that a read-only step has to find out. If so, the
        // model can report at once.
        let only_looks = !step_tools::is_edit(task);
        let has_found = only_looks && state.work.was_shown_files() && !report.learned.is_empty();
        // An agent reads files itself, so its reads don't appear as calls.
        let by_agent = self.agent_of(task).is_some();
        let is_idle = task.verify.is_empty() && !state.work.has_worked && !has_found && !by_agent;
        // A check that passes without changes may always pass. To repeat the claim, the model must
        // have read the step's files.
        let is_unchanged = step_tools::is_edit(task)
            && !state.work.has_changed
            && !(state.work.claims > 0 && (by_agent || claims::has_read(task, &state.work)));
        if !is_idle && !is_unchanged {
            return None;
        }
        let id = task.id.0.clone();
        if state.work.claims + 1 >= CLAIMS {
            let reason = format!(
                "the model reported it as done without doing anything: {}",
                report.summary
            );
            return Some(self.recover(view, task, FailureKind::GaveUp, &reason));
        }
        let message = match is_idle {
            true if only_looks && state.work.was_shown_files() => {
                "Nothing was found out in this step yet, so it is not done. Look, then report in `learned` \
                 what this step was to find."
            }
            true => {
                "Nothing was looked at or done in this step yet, so it is not done. Make the first call."
            }
            false => {
                "Nothing was changed in this step yet. Make the change now; if the files are as the step \
                 wants them already, read them first, then report done."
            }
        };
        let message = message.to_owned();
        Some(self.record(Entry::ClaimRejected { task: id, message }))
    }

    /// Rejects a trial if its checks also passed before the change. A trial runs the checks after a
    /// change, although the model has not reported that the step is done.
    pub(super) fn doubt_trial(&mut self, task: &Task, state: &TaskState) -> Option<Turn> {
        let is_doubtful = state.work.is_trial() && self.was_true_before(task);
        let message = act::SHOWS_NOTHING.to_owned();
        let task = task.id.0.clone();
        is_doubtful.then(|| self.record(Entry::ClaimRejected { task, message }))
    }

    /// When a check of a model's step has failed, returns its output to the model, for a limited
    /// number of times.
    pub(super) fn reject_claim(&mut self, view: &PlanView, task: &Task, outcome: &CallOutcome) {
        let id = task.id.0.clone();
        let known = self.state.tasks.get(&id);
        let claims = known.map_or(0, |known| known.work.claims);
        let is_trial = known.is_some_and(|known| known.work.is_trial());
        let as_before = self.as_before(outcome.command.as_deref().unwrap_or_default());
        let what = format!(
            "The check does not pass: {}{as_before}\n{}",
            outcome.summary,
            outcome.output.trim_end()
        );
        if !is_trial && claims + 1 >= CLAIMS {
            let reason = format!("its check failed: {}{as_before}", outcome.summary);
            self.recover(view, task, FailureKind::Check, &reason);
            return;
        }
        let is_act = known.is_some_and(|known| !act::of(&known.work).is_empty());
        let message = match is_act {
            // The change was undone, so the files no longer contain the cause.
            true => outcome.output.trim_end().to_owned(),
            false => format!("{what}\nSo the step is not done. Find the cause and go on."),
        };
        self.record(Entry::ClaimRejected { task: id, message });
    }
}

/// A report inferred from the calls, so that it contains nothing invented. Facts that the model
/// reported earlier are kept. For a read-only step, the report quotes the model's own words,
/// because they contain the result.
fn inferred(task: &Task, state: &TaskState) -> Report {
    let changes = step_tools::is_edit(task) || state.work.rounds.has_effects();
    let done: Vec<String> = state
        .work
        .rounds
        .performed()
        .filter(|(_, result)| result.ok)
        .filter_map(|(call, _)| {
            let tool = ModelTool::of_step(&call.name)?;
            let names = ["command", "pattern", "path"];
            let subject = names.iter().find_map(|name| call.text(name)).unwrap_or(".");
            (!changes || !tool.only_looks())
                .then(|| format!("{} {}", tool.as_str(), one_line(subject, 120)))
        })
        .collect();
    let mut summary = one_line(&done.join("; "), WORDS);
    let said = state.work.rounds.last().map(|turn| turn.reply.text.trim());
    if let Some(said) = said.filter(|said| !changes && !said.is_empty()) {
        summary = format!(
            "{summary}. Not reported, only said: “{}”",
            one_line(said, WORDS)
        );
    }
    let replies = state.work.rounds.all().iter();
    let reports = replies.flat_map(|round| &round.reply.calls);
    let reports = reports
        .filter(|call| call.is_report())
        .map(calls::report_of);
    let (learned, decided) = reports.fold((Vec::new(), Vec::new()), |mut all, report| {
        all.0.extend(report.learned);
        all.1.extend(report.decided);
        all
    });
    Report {
        summary,
        done: true,
        learned,
        decided,
        next_hint: None,
    }
}
