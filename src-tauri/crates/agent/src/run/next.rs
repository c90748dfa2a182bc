//! Chooses the next action, one at a time, from the run's state and the plan alone.

use std::sync::Arc;

use gate::answers::{Answer, Unknown};
use gate::question::QuestionKind;
use plan::TaskId;

use super::ready::{Leaf, Readiness};
use super::recheck::Due;
use super::state::Standing;
use super::{Effect, Examined, Lane, Machine, PlanView, questions};
use crate::journal::{CallOutcome, EndState, Entry, PlanEdit, SkippedBy};
use crate::pending_answers::GivenAnswer;

/// The result of a decision.
pub(super) enum Turn {
    /// Something was recorded; decide again.
    Again,
    /// An effect is in progress.
    InProgress,
    /// There is nothing to do here, at least not now.
    Nothing,
}

impl Machine {
    /// Makes decisions until every possible effect is in progress or the run has ended.
    pub(super) fn advance(&mut self) {
        loop {
            if let Some((state, message)) = self.state.ended.clone() {
                self.out.push(Effect::End { state, message });
                return;
            }
            match self.decide() {
                Turn::InProgress if !self.is_parallel() => return,
                Turn::InProgress | Turn::Again => {}
                Turn::Nothing if !self.in_progress.is_empty() => return,
                // This should not happen: `pick` always ends the run.
                Turn::Nothing => {
                    self.end(EndState::Failed, "nothing is left to do".to_owned());
                }
            }
        }
    }

    fn decide(&mut self) -> Turn {
        if self.in_progress.contains_key(&Lane::Run) {
            return Turn::Nothing;
        }
        if self.cancelled {
            self.end(
                EndState::Cancelled,
                "cancelled; run `planwright resume` to continue".to_owned(),
            );
        }
        if let Some((state, message)) = self.ending.take() {
            if self.in_progress.is_empty() {
                return self.end(state, message);
            }
            self.ending = Some((state, message));
            return Turn::Nothing;
        }
        if self.state.ended.is_some() {
            return Turn::Again;
        }
        if self.pausing && self.unsettled().is_some() {
            self.pause_here();
            return Turn::Again;
        }
        match self.settle_unknown() {
            Turn::Nothing => {}
            turn => return turn,
        }
        let is_bound = |given: &GivenAnswer| given.fingerprint.is_some();
        if !self.plan_is_fresh
            || (!self.plan_was_just_read && self.state.given.iter().any(is_bound))
        {
            return self.begin(Effect::ReadPlan);
        }
        if !self.view_is_current
            && let Some(view) = Arc::get_mut(&mut self.view)
        {
            view.show(&self.state);
            self.view_is_current = true;
        }
        let view = Arc::clone(&self.view);
        self.decide_on(&view)
    }

    fn decide_on(&mut self, view: &PlanView) -> Turn {
        match self.settle_losses(view) {
            Turn::Nothing => {}
            turn => return turn,
        }
        if let Some(addition) = self.state.planning.pending.clone() {
            return self.add_steps(view, addition);
        }
        if let Some(edit) = self.due_edit(view) {
            return self.begin(Effect::EditPlan(edit));
        }
        if self.take_wish(view) {
            return Turn::Again;
        }
        if self.is_parallel() {
            match self.advance_steps(view) {
                Turn::Nothing => {}
                turn => return turn,
            }
            if self.finishes_first() {
                return Turn::Nothing;
            }
        }
        if !self.failed_here.is_empty() {
            let message = self.failures();
            return self.end(EndState::Failed, message);
        }
        let active = self.active_steps().next().map(str::to_owned);
        if let Some(active) = active.filter(|_| !self.is_parallel()) {
            return self.advance_step(view, &active);
        }
        if let Some(turn) = self.recheck(view, Due::Touched) {
            return turn;
        }
        if self.pausing && self.is_unfinished(view) {
            self.pause_here();
            return Turn::Again;
        }
        match self.settle_file(view) {
            Turn::Nothing => self.pick(view),
            turn => turn,
        }
    }

    /// Handles a side effect that an earlier process announced and for which there is no outcome.
    fn settle_unknown(&mut self) -> Turn {
        let Some((task, call, intent)) = self.unsettled() else {
            return Turn::Nothing;
        };
        let (task, intent) = (task.to_owned(), intent.clone());
        if self.waiting.contains_key(&task) {
            return Turn::Nothing;
        }
        if let Some(said) = self.take_skip(&task) {
            let line = &intent.line;
            let reason = format!("interrupted during `{line}`; skipped by a person: {said}");
            return self.record_skip(task, reason, SkippedBy::Person);
        }
        let Some(left) = self.left.get(&task) else {
            return self.begin(Effect::Survey { task });
        };
        let question = questions::unknown(&task, &intent.line, left, None);
        let is_bound = |given: &GivenAnswer| given.is_for(&question) && given.fingerprint.is_some();
        if !self.plan_was_just_read && self.state.given.iter().any(is_bound) {
            return self.begin(Effect::ReadPlan);
        }
        match self.ask(question) {
            Some(Answer::Unknown {
                how: Unknown::Check,
            }) => {
                let (line, record) = (intent.line, intent.record);
                self.begin(Effect::Examine {
                    task,
                    call,
                    line,
                    record,
                })
            }
            Some(Answer::Unknown {
                how: Unknown::Repeat,
            }) => {
                let how = "repeated at a person's request".to_owned();
                self.record(Entry::Cleared { task, call, how })
            }
            Some(_) => {
                let reason = format!("interrupted during `{}`; skipped by a person", intent.line);
                self.record_skip(task, reason, SkippedBy::Person)
            }
            // Nothing else may change while the question is open.
            None => {
                let message = format!("waiting on you: {task} (outcome unknown)");
                self.end(EndState::Waiting, message)
            }
        }
    }

    pub(super) fn take_examined(
        &mut self,
        task: String,
        call: usize,
        examined: Examined,
        line: &str,
    ) {
        match examined {
            // What counts as evidence depends on the tool, even if the outcome was determined
            // later.
            Examined::Done(outcome) => {
                let name = line.split_whitespace().next();
                let tool = name.unwrap_or_default().to_owned();
                self.finish_call(task, call, CallOutcome { tool, ..outcome });
            }
            Examined::NotDone { how } => {
                self.record(Entry::Cleared { task, call, how });
            }
            Examined::Undecidable { reason } => {
                let known = self.state.tasks.get(&task);
                let intent = known.and_then(|known| known.intents.get(&call));
                let line = intent.map(|intent| intent.line.clone());
                let line = line.unwrap_or_default();
                self.park(questions::unknown(&task, &line, "", Some(&reason)));
                self.end(
                    EndState::Waiting,
                    format!("waiting on you: {task} ({reason})"),
                );
            }
        }
    }

    /// The edit for the first entry in the journal that the plan file doesn't reflect yet. Steps
    /// that differ from the approved ones, or that the file no longer contains, are not edited.
    fn due_edit(&self, view: &PlanView) -> Option<PlanEdit> {
        let file = self.file.as_ref()?;
        self.state.tasks.iter().find_map(|(id, state)| {
            let task = TaskId(id.clone());
            let present = file.plan.task(&task).filter(|_| file.shows(view, &task))?;
            let task = id.clone();
            let edit = match state.standing {
                Standing::Done if state.is_unverified() => return None,
                Standing::Skipped(SkippedBy::Model) => return None,
                Standing::Done => match &state.decided {
                    Some(label) => {
                        let note = match state.answers.get(&QuestionKind::Decision) {
                            Some(Answer::Choice { note, .. }) => note.clone(),
                            _ => None,
                        };
                        PlanEdit::Decide {
                            task,
                            label: label.clone(),
                            note,
                        }
                    }
                    None => PlanEdit::Tick { task },
                },
                Standing::Failed if state.is_broken && present.done => PlanEdit::Untick { task },
                Standing::Skipped(_) if present.skipped.is_none() => PlanEdit::Skip {
                    task,
                    reason: state.reason.clone().unwrap_or_default(),
                },
                _ => return None,
            };
            (!self.state.edits.contains(&edit)).then_some(edit)
        })
    }

    /// Chooses the next step, in document order, or ends the run.
    fn pick(&mut self, view: &PlanView) -> Turn {
        let mut stuck = None;
        let wanted = self.wanted_by_host(view);
        for index in wanted.into_iter().chain(view.scope(&self.state)) {
            let task = &view.plan.tasks[index];
            let id = task.id.as_str();
            if self.waiting.contains_key(id) {
                continue;
            }
            if self.state.standing(&task.id) == Standing::Pending
                && let Some((decision, label)) = view.left_out(&self.state, index)
            {
                let reason = format!("ruled out by {}: “{label}”", view.plan.tasks[decision].id);
                return self.record_skip(id.to_owned(), reason, SkippedBy::Branch);
            }
            if view.leaf(&self.state, index) != Leaf::Open || !self.may_begin(view, index) {
                continue;
            }
            match view.readiness(&self.state, index) {
                Readiness::WaitsFor(before) => {
                    stuck.get_or_insert((index, before));
                }
                Readiness::SkippedBefore(before) => {
                    let question = questions::skipped_dependency(task, &view.plan.tasks[before]);
                    match self.ask(question) {
                        Some(Answer::Run) => match self.start(view, index) {
                            Turn::Nothing => {}
                            turn => return turn,
                        },
                        Some(answer) => return self.refused(id, answer),
                        None => {}
                    }
                }
                Readiness::Ready => match self.start(view, index) {
                    Turn::Nothing => {}
                    turn => return turn,
                },
            }
        }
        // A check of a step that has finished may still be running.
        let is_active = self.active_steps().next().is_some() || !self.in_progress.is_empty();
        if self.is_parallel() && is_active {
            return Turn::Nothing;
        }
        if !self.waiting.is_empty() {
            let ids: Vec<&str> = self.waiting.keys().map(String::as_str).collect();
            self.end(
                EndState::Waiting,
                format!("waiting on you: {}", ids.join(", ")),
            );
        } else if let Some((index, before)) = stuck {
            let (task, before) = (&view.plan.tasks[index].id, &view.plan.tasks[before].id);
            self.end(
                EndState::Failed,
                format!("can't start {task}: it depends on {before}"),
            );
        } else if let Some(turn) = self.plan_next(view) {
            return turn;
        } else if let Some(turn) = self.check_at_the_end(view) {
            return turn;
        } else {
            return self.finish(view);
        }
        Turn::Again
    }

    /// Acts on an answer other than yes: skips the step or ends the run.
    pub(super) fn refused(&mut self, task: &str, answer: Answer) -> Turn {
        match answer {
            Answer::Skip { reason } => self.record_skip(task.to_owned(), reason, SkippedBy::Person),
            _ => self.end(EndState::Stopped, format!("you stopped the run at {task}")),
        }
    }

    /// Records that a step is skipped.
    pub(super) fn record_skip(&mut self, task: String, reason: String, by: SkippedBy) -> Turn {
        self.record(Entry::Skipped { task, reason, by })
    }
}
