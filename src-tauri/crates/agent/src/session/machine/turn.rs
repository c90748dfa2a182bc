//! Starts, continues, interrupts and ends a turn.

use super::{Effect, Machine, Pending, PlanFound};
use crate::model_tool::ModelTool;
use crate::session::entry::{
    Answer, CallResult, Ending, Entry, Extent, Mode, ModeSetBy, PlanChange, Purpose,
};
use crate::session::tools;
use crate::session::{context, handoff, notice, request};
use crate::turn::{self, Next, Usage};

impl Machine {
    pub(super) fn read_plan(&mut self, pending: Pending) {
        let known = self.state.plan.known.clone();
        self.begin(pending, Effect::ReadPlan { known });
    }

    /// Called when the plan has been read: stores the entries that precede the person's message and
    /// sends the first request.
    pub(super) fn begin_turn(&mut self, found: PlanFound, known_text: Option<&str>) {
        if let PlanFound::Unreadable { reason } = &found {
            let reason = format!("The plan file cannot be read: {reason}");
            return self.end(Ending::Failed { reason });
        }
        self.plan = Some(found);
        let transition = handoff::due(&self.state, self.plan_now(), &self.config.plan.path);
        let shows_all = matches!(
            &transition,
            Some(Entry::Transition { plan: Some(plan), .. }) if plan.extent == Extent::Whole
        );
        if let Some(change) = self.outside_change(known_text, shows_all) {
            self.record(Entry::PlanNotice { change });
        }
        if let Some(transition) = transition {
            self.record(transition);
        }
        self.record(Entry::TurnBegan);
        self.next();
    }

    /// The change made to the plan outside the session since the model last saw it, if any.
    fn outside_change(&self, known_text: Option<&str>, is_shown: bool) -> Option<PlanChange> {
        let known = self.state.plan.known.as_deref()?;
        match self.plan.as_ref()? {
            PlanFound::Missing => Some(PlanChange::Deleted {
                from: known.to_owned(),
            }),
            PlanFound::There(now) if now.revision == known => None,
            PlanFound::There(now) if is_shown => Some(PlanChange::Edited {
                from: known.to_owned(),
                to: now.revision.clone(),
                diff: String::new(),
            }),
            PlanFound::There(now) => {
                Some(notice::edited(known, known_text, &now.revision, &now.text))
            }
            PlanFound::Unreadable { .. } => None,
        }
    }

    /// Continues a turn that was waiting or that another process left unfinished.
    pub(super) fn go_on(&mut self) {
        let has_begun = self.state.turn.as_ref().is_some_and(|turn| turn.has_begun);
        if !has_begun {
            return self.read_plan(Pending::Head);
        }
        self.next();
    }

    /// Continues with the next call or the next request, or ends the turn.
    pub(super) fn next(&mut self) {
        if self.is_cancelled {
            return self.end(Ending::Cancelled);
        }
        loop {
            let bounds = self.bounds();
            let Some(turn) = &self.state.turn else { return };
            match turn::next(&turn.rounds, &bounds) {
                Next::Call { .. } => {
                    let Some(call) = self.state.calls.first().cloned() else {
                        return;
                    };
                    if self.carry(&call) {
                        return;
                    }
                }
                _ if turn.is_proposed => return self.end(Ending::Proposed),
                Next::Tell(message) => self.fault(message),
                Next::Ask => return self.start_model(),
                Next::Words => {
                    if self.conclude() {
                        return;
                    }
                }
                Next::Stop { stop, reason } => return self.stopped(stop, reason),
            }
        }
    }

    /// Sends the next request. If the context window is too full, compacts the conversation first.
    pub(super) fn start_model(&mut self) {
        let Some(turn) = &self.state.turn else { return };
        // If compaction doesn't free enough room, the request is sent anyway, and the endpoint
        // reports the error.
        const COMPACTIONS: u32 = 3;
        let profile = self.config.profile;
        if turn.compactions < COMPACTIONS
            && let Some(keep) = context::to_keep(&self.state, &profile)
        {
            // The summary shows the plan as it is now.
            if self.plan.is_none() {
                return self.read_plan(Pending::Again);
            }
            let wanted = context::summary_request(&self.state, &profile);
            return self.begin(Pending::Summary(keep), Effect::Compact(wanted));
        }
        let next = request(&self.state, &profile);
        self.begin(Pending::Model, Effect::StartModel(next));
    }

    pub(super) fn compacted(&mut self, keep: usize, summary: Option<String>, usage: Usage) {
        let summary = summary
            .filter(|summary| !summary.trim().is_empty())
            .unwrap_or_else(|| context::symbolic_summary(&self.state, keep));
        let plan = self
            .plan_now()
            .and_then(|now| handoff::handed_over(&self.state, now, &self.config.profile));
        self.record(Entry::Compacted {
            summary,
            keep,
            plan,
            usage,
        });
        self.start_model();
    }

    /// Ends the current turn; nothing is in progress afterwards.
    pub(super) fn end(&mut self, ending: Ending) {
        self.close(ending.clone());
        self.out.push(Effect::EndTurn { ending });
    }

    /// Closes all open calls and questions, then records the end of the turn.
    pub(super) fn close(&mut self, ending: Ending) {
        if let Some(question) = self.state.question.clone() {
            self.record(Entry::Answered {
                call: question.call,
                answer: Answer::Withdrawn,
            });
        }
        while let Some(call) = self.state.calls.first().cloned() {
            if call.has_begun && !is_repeatable(&call.call.name) {
                self.outcome_unknown(&call.id, &call.call.line());
            } else {
                let message = "Not carried out: the turn ended first.".to_owned();
                self.record(Entry::Refused {
                    id: call.id,
                    message,
                });
            }
        }
        self.pending = None;
        self.is_cancelled = false;
        self.record(Entry::TurnEnded { ending });
    }

    fn outcome_unknown(&mut self, id: &str, line: &str) {
        let content =
            "The app stopped while this ran; whether it happened is not known. Look before \
                       you do anything about it."
                .to_owned();
        self.record(Entry::CallEnded {
            id: id.to_owned(),
            result: CallResult {
                content,
                is_unknown: true,
                ..CallResult::default()
            },
            notice: None,
        });
        self.notice(format!(
            "Outcome unknown, because the app stopped during `{line}`."
        ));
    }

    /// Resumes a turn that another process left unfinished.
    pub(super) fn resume(&mut self) {
        if self.state.turn.is_none() || self.pending.is_some() {
            return;
        }
        if let Some(question) = self.state.question.clone() {
            return self.ask(question);
        }
        let cut_off = self
            .state
            .calls
            .first()
            .filter(|call| call.has_begun && !is_repeatable(&call.call.name))
            .map(|call| (call.id.clone(), call.call.line()));
        if let Some((id, line)) = cut_off {
            self.outcome_unknown(&id, &line);
        }
        self.read_plan(Pending::Again);
    }

    pub(super) fn cancel(&mut self) {
        match &self.pending {
            // The outcome will arrive soon and belongs in the history.
            Some(Pending::Tool(_) | Pending::EditPlan(..)) => {
                self.is_cancelled = true;
                self.out.push(Effect::Interrupt);
            }
            Some(Pending::Model | Pending::Summary(_)) => {
                self.out.push(Effect::Interrupt);
                self.end(Ending::Cancelled);
            }
            _ if self.state.turn.is_some() => self.end(Ending::Cancelled),
            _ => {}
        }
    }

    pub(super) fn set_mode(&mut self, to: Mode, by: ModeSetBy, approved: Option<String>) {
        let from = self.state.mode;
        let is_run_end = by == ModeSetBy::RunEnd && self.state.plan.approved.is_some();
        if from == to && approved.is_none() && !is_run_end {
            return;
        }
        self.record(Entry::ModeSet {
            from,
            to,
            by,
            approved,
        });
    }

    pub(super) fn approved(&mut self, revision: String) {
        // A second click doesn't approve the plan again.
        if self.state.mode == Mode::Exec && self.state.plan.approved.as_ref() == Some(&revision) {
            return;
        }
        self.set_mode(Mode::Exec, ModeSetBy::Person, Some(revision));
    }

    /// Closes a turn that is waiting for the person. If a turn is in progress, notifies the person
    /// and returns false.
    pub(super) fn close_waiting_turn(&mut self) -> bool {
        if self.pending.is_some() && self.pending != Some(Pending::Person) {
            self.notice("A turn is in progress. Wait for it to finish, or cancel it.");
            return false;
        }
        if self.state.turn.is_some() {
            self.close(Ending::Cancelled);
        }
        true
    }

    pub(super) fn worked(&mut self, run: String, words: String, approved: Option<String>) {
        if !self.close_waiting_turn() {
            return;
        }
        self.set_mode(Mode::Exec, ModeSetBy::Person, approved);
        let purpose = Purpose::Work;
        self.record(Entry::Said { words, purpose });
        self.end(Ending::Working { run });
    }

    pub(super) fn feedback(&mut self, revision: String, words: String) {
        // Feedback also closes an open question.
        if !self.close_waiting_turn() {
            return;
        }
        self.set_mode(Mode::Plan, ModeSetBy::Person, None);
        self.said(words, Purpose::Feedback { revision });
    }

    pub(super) fn plan_changed(&mut self, change: PlanChange) {
        // If no turn is in progress, the next one reads the plan and notices the change.
        let to = match &change {
            PlanChange::Edited { to, .. } => Some(to),
            PlanChange::Deleted { .. } => None,
        };
        let known = self.state.plan.known.as_ref();
        if self.pending.is_some() && known.is_some() && to != known {
            self.changed = Some(change);
            self.plan = None;
        }
    }
}

/// Whether an interrupted call may be repeated without asking.
pub(super) fn is_repeatable(name: &str) -> bool {
    tools::named(name).is_some_and(ModelTool::only_looks)
}
