//! Carries out the calls of a reply, one after the other.

use gate::Permit;

use super::{Effect, Machine, Outcome, Pending};
use crate::envelope::{clipped, elide_middle};
use crate::session::call::TypedCall;
use crate::session::context;
use crate::session::entry::{Answer, CallResult, Ending, Entry, PlanChange, Question, Seen};
use crate::session::state::OpenCall;
use crate::session::tools;
use crate::session::verdict::{self, CallContext, Verdict};
use crate::turn::{Finish, Reply, loops};

impl Machine {
    pub(super) fn reply(&mut self, mut reply: Reply) {
        // Calls of an incomplete reply are never carried out.
        let is_whole = matches!(reply.finish, Finish::Stop | Finish::ToolCalls);
        let mut calls = match is_whole {
            true => std::mem::take(&mut reply.calls),
            false => Vec::new(),
        };
        for (at, call) in calls.iter_mut().enumerate() {
            call.id = self.state.call_id(at);
        }
        self.record(Entry::Replied {
            reply: Reply { calls, ..reply },
        });
        self.next();
    }

    /// Starts a call or answers it at once. Returns whether the machine must wait or the turn is
    /// over.
    pub(super) fn carry(&mut self, open: &OpenCall) -> bool {
        match &open.answer {
            Some(Answer::Words { words }) => {
                return self.settle(&open.id, format!("The person answered: {words}"));
            }
            Some(Answer::Skip) => {
                let told = "The person leaves it to you. Decide, and say what you assumed.";
                return self.settle(&open.id, told.to_owned());
            }
            Some(Answer::No { words }) if words.trim().is_empty() => {
                return self.refuse(open, "The person said no. Do it another way.".to_owned());
            }
            Some(Answer::No { words }) => {
                return self.refuse(open, format!("The person said no: {words}"));
            }
            Some(Answer::Withdrawn) => {
                return self.refuse(open, "Nobody answered.".to_owned());
            }
            Some(Answer::Once | Answer::Session) | None => {}
        }
        let rounds = self.state.turn.as_ref().map(|turn| &turn.rounds);
        let from_before = rounds.and_then(|rounds| loops::answer_from_before(rounds, &open.call));
        if let Some(told) = from_before.filter(|_| open.answer.is_none()) {
            return self.refuse(open, told);
        }
        let context = CallContext {
            session: &self.config.session,
            plan: &self.config.plan,
            rules: &self.config.rules,
            granted: &self.state.granted,
            can_run_read_only: self.config.can_run_read_only,
            is_permitted: open.is_permitted(),
        };
        match verdict::judge_call(&context, &open.call) {
            Verdict::Refused(message) => self.refuse(open, message),
            Verdict::Ask(pending) => {
                let (request, why) = (pending.request().clone(), pending.why());
                let shown = clipped(&request.subject, 4_000);
                let question = Question {
                    call: open.id.clone(),
                    message: format!("Allow `{}`: {shown}? {why}", request.tool),
                    options: vec!["once".to_owned(), "session".to_owned(), "no".to_owned()],
                    permission: Some(request),
                };
                self.record_and_ask(question);
                true
            }
            Verdict::Allowed(call, permit) => {
                self.perform(open, call, permit);
                true
            }
        }
    }

    fn perform(&mut self, open: &OpenCall, call: TypedCall, permit: Option<Permit>) {
        let id = open.id.clone();
        if let TypedCall::AskUser { question, options } = call {
            let question = Question {
                call: id,
                message: question,
                options,
                permission: None,
            };
            return self.record_and_ask(question);
        }
        self.record(Entry::CallBegan { id: id.clone() });
        let known = self.state.plan.known.clone();
        match (call, permit) {
            (TypedCall::Workspace(call), Some(permit)) => {
                let effect = Effect::CallTool {
                    id: id.clone(),
                    call,
                    permit,
                };
                self.begin(Pending::Tool(id), effect);
            }
            (TypedCall::EditPlan { target, new_text }, Some(permit)) => {
                let effect = Effect::EditPlan {
                    id: id.clone(),
                    target: target.clone(),
                    new_text: new_text.clone(),
                    known,
                    permit,
                };
                self.begin(Pending::EditPlan(id, target, new_text), effect);
            }
            (TypedCall::ReadPlan { task }, _) => {
                self.begin(Pending::ReadPlan(id, task), Effect::ReadPlan { known });
            }
            (TypedCall::ProposePlan, _) => {
                let plan = &self.state.plan;
                let before = plan.proposed.as_ref().and(plan.edited_from.clone());
                let effect = Effect::CheckPlan {
                    id: id.clone(),
                    before,
                };
                self.begin(Pending::CheckPlan(id), effect);
            }
            // `AskUser` was handled above; the others always have a permit.
            (
                TypedCall::AskUser { .. } | TypedCall::Workspace(_) | TypedCall::EditPlan { .. },
                _,
            ) => {}
        }
    }

    fn record_and_ask(&mut self, question: Question) {
        self.record(Entry::Asked {
            question: question.clone(),
        });
        self.ask(question);
    }

    /// Asks a question. The turn waits for the answer, which may arrive in another process.
    pub(super) fn ask(&mut self, question: Question) {
        let is_waiting = self.state.turn.as_ref().is_some_and(|turn| turn.is_waiting);
        if !is_waiting {
            self.record(Entry::TurnEnded {
                ending: Ending::Waiting,
            });
        }
        self.pending = Some(Pending::Person);
        self.out.push(Effect::Ask(question));
        self.out.push(Effect::EndTurn {
            ending: Ending::Waiting,
        });
    }

    /// Handles the person's answer. It is ignored if the question isn't open.
    pub(super) fn answered(&mut self, call: &str, answer: Answer) {
        let Some(question) = self.state.question.clone().filter(|q| q.call == call) else {
            return;
        };
        let fits = matches!(
            (&question.permission, &answer),
            (Some(_), Answer::Once | Answer::Session | Answer::No { .. })
                | (None, Answer::Words { .. } | Answer::Skip)
                | (_, Answer::Withdrawn)
        );
        if !fits {
            return self.notice("That doesn't answer the question. Nothing changed.");
        }
        self.record(Entry::Answered {
            call: question.call,
            answer,
        });
        // The plan may have changed while the turn was waiting.
        self.read_plan(Pending::Again);
    }

    /// Ends a call without running a tool. Returns false because the turn continues.
    pub(super) fn settle(&mut self, id: &str, content: String) -> bool {
        self.end_call(id, CallResult::message(true, content), None);
        false
    }

    /// Refuses a call. Returns false because the turn continues.
    pub(super) fn refuse(&mut self, open: &OpenCall, message: String) -> bool {
        let id = open.id.clone();
        self.record(Entry::Refused { id, message });
        false
    }

    /// Records the end of a call, and any change to the plan made outside the session in the
    /// meantime.
    pub(super) fn end_call(&mut self, id: &str, result: CallResult, own: Option<PlanChange>) {
        let notice = own.or_else(|| self.changed.take());
        self.changed = None;
        self.record(Entry::CallEnded {
            id: id.to_owned(),
            result,
            notice,
        });
    }

    pub(super) fn call_done(&mut self, id: &str, outcome: Outcome) {
        let bytes = context::result_bytes(&self.state, &self.config.profile);
        let is_cut = outcome.content.len() > bytes;
        let instead = self.alternative_to(id, &outcome);
        let plan = outcome.plan.map(|(revision, is_whole)| {
            let whole = is_whole && !is_cut;
            // A part of the newer revision doesn't show everything that changed, so the revision
            // that the model knows stays the same.
            let known = self.state.plan.known.clone().filter(|_| !whole);
            Seen {
                revision: known.unwrap_or(revision),
                whole,
                edited: false,
            }
        });
        let mut content = filled(elide_middle(&outcome.content, bytes));
        if let Some(instead) = instead {
            content.push('\n');
            content.push_str(instead);
        }
        let result = CallResult {
            ok: outcome.ok,
            content,
            screen: outcome.screen,
            plan,
            is_unknown: false,
        };
        self.end_call(id, result, None);
        self.next();
    }

    /// Advice about a command that the sandbox of plan mode blocked.
    fn alternative_to(&self, id: &str, outcome: &Outcome) -> Option<&'static str> {
        let mut open = self.state.calls.iter();
        let is_command =
            open.any(|open| open.id == id && open.call.name == tools::COMMAND.as_str());
        verdict::alternative_to(&outcome.content).filter(|_| is_command && !outcome.ok)
    }
}

/// Fills in an empty answer, since some endpoints reject one without content.
pub(super) fn filled(content: String) -> String {
    match content.is_empty() {
        true => "(no output)".to_owned(),
        false => content,
    }
}
