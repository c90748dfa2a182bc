//! A step that a model carries out: asked, answered call by call, and held to its check.
//!
//! What comes next is said by [`ladder`](crate::model_step::ladder); here it becomes entries and
//! effects. A call goes the way of a `call:` line: judged, prepared, announced, carried out.

use plan::{Task, ToolCall, ToolName};

use super::allowing::Permit;
use super::next::Turn;
use super::state::TaskState;
use super::{Effect, Machine, PlanView};
use crate::answers::Answer;
use crate::context::{self, Material, Strategy, Summary};
use crate::journal::{CallOutcome, Entry, SkippedBy};
use crate::micro_planning::{Long, MOST_SPLITS, by_rule, is_long, split_depth};
use crate::model_step::ladder::{self, Next};
use crate::model_step::recovery::{self, Choice, Ground};
use crate::model_step::table::{self, StepTool};
use crate::model_step::{
    FailureKind, RecoveryDecision, RecoveryStrategy, Report, StepCall, StepReply, StepRequest,
    loops, request,
};
use crate::permissions;
use crate::progress::Phase;
use crate::question::{PermissionRequest, Question, QuestionKind};
use crate::session::call::workspace_path;
use crate::session::envelope::{clipped, one_line};

/// How often a claim may fail its check before the attempt ends.
const CLAIMS: u32 = 3;
/// Bytes of an earlier answer that stand in for a call that was made before.
const KNOWN: usize = 1_200;

/// What becomes of a call before it is carried out.
enum Judged {
    /// It is carried out.
    Go(ToolCall),
    /// A person is asked, or something was recorded.
    Settled(Turn),
    /// The model gets this instead.
    Answer(String),
}

impl Machine {
    /// Carries the model's work one stage further. `None` when it claims that the step is done, so
    /// that the checks are next.
    pub(super) fn go_on_with_model(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
    ) -> Option<Turn> {
        let id = task.id.0.clone();
        match ladder::next(&state.work) {
            Next::Claimed(report) => self.hold_to(view, task, state, &report),
            Next::Call { number, call } => Some(self.carry(view, task, state, number, &call)),
            Next::Tell(message) => {
                self.record(Entry::Told { task: id, message });
                Some(Turn::Again)
            }
            Next::Ask if state.work.context.is_none() => {
                let wants = context::wants(&view.plan, task);
                self.begin(Effect::Gather { task: id, wants });
                Some(Turn::UnderWay)
            }
            Next::Ask => {
                let request = self.request(view, task, state)?;
                Some(self.ask_model(view, &id, request))
            }
            Next::Infer => {
                let report = inferred(state);
                let is_inferred = true;
                self.record(Entry::Reported {
                    task: id,
                    report,
                    is_inferred,
                });
                Some(Turn::Again)
            }
            Next::Fail { kind, reason } => Some(self.recover(view, task, kind, &reason)),
        }
    }

    /// Chooses what the model gets to see, from what was found.
    pub(super) fn choose_context(&mut self, id: String, material: &Material) {
        let (Some(view), Some(profile)) = (self.view.clone(), self.config.model) else {
            return;
        };
        let Some(index) = view
            .plan
            .tasks
            .iter()
            .position(|task| task.id.as_str() == id)
        else {
            return;
        };
        let before = view.graph.waits_for(index).iter().filter_map(|before| {
            let task = &view.plan.tasks[*before];
            self.summary(&view, task.id.as_str())
        });
        let summaries: Vec<Summary> = before.collect();
        let attempt = self.state.tasks.get(&id).map(|state| &state.work);
        let is_smaller = attempt.is_some_and(|work| {
            let last = work.recoveries.last().map(|last| last.strategy);
            last == Some(RecoveryStrategy::RetrySimplified)
        });
        let (strategy, budget) = match is_smaller {
            true => (Strategy::Minimal, request::context_tokens(&profile) / 2),
            false => (Strategy::Relevant, request::context_tokens(&profile)),
        };
        let task = &view.plan.tasks[index];
        let chosen = context::select(&view.plan, task, &summaries, material, strategy, budget);
        self.record(Entry::ContextChosen { task: id, chosen });
    }

    fn request(&self, view: &PlanView, task: &Task, state: &TaskState) -> Option<StepRequest> {
        let profile = self.config.model.as_ref()?;
        let plan = &view.plan;
        Some(request::next(plan, task, &state.work, profile))
    }

    fn ask_model(&mut self, view: &PlanView, id: &str, request: StepRequest) -> Turn {
        self.report(
            view,
            id,
            Phase::Processing,
            Some("Asking the model".to_owned()),
        );
        self.begin(Effect::AskModel {
            task: id.to_owned(),
            request: Box::new(request),
        });
        Turn::UnderWay
    }

    /// What a claim that the step is done still lacks, before the checks are run.
    fn hold_to(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
        report: &Report,
    ) -> Option<Turn> {
        // What was chosen for it may hold all that a step which only looks has to find out.
        let has_found = !report.learned.is_empty() && state.work.was_shown_files();
        let is_idle = task.verify.is_empty() && !state.work.has_worked && !has_found;
        // A check that passes with nothing changed may be one that always passes. Whoever says so twice
        // has to have looked in between.
        let is_unchanged = table::is_to_change(task)
            && !state.work.has_changed
            && !(state.work.claims > 0 && state.work.has_looked_since);
        if !is_idle && !is_unchanged {
            return None;
        }
        let id = task.id.0.clone();
        if state.work.claims + 1 >= CLAIMS {
            let reason = format!("it was called done without any work: {}", report.summary);
            return Some(self.recover(view, task, FailureKind::GaveUp, &reason));
        }
        let message = match is_idle {
            true => {
                "Nothing was looked at or done in this step yet, so it is not done. Make the first call."
            }
            false => {
                "Nothing was changed in this step yet. Make the change now; if the files are as the step \
                 wants them already, read them first, then report done."
            }
        };
        let message = message.to_owned();
        self.record(Entry::ClaimRejected { task: id, message });
        Some(Turn::Again)
    }

    /// A check of a model's step did not pass: the model gets its output, a bounded number of times.
    pub(super) fn reject_claim(&mut self, view: &PlanView, task: &Task, outcome: &CallOutcome) {
        let id = task.id.0.clone();
        let claims = self
            .state
            .tasks
            .get(&id)
            .map_or(0, |state| state.work.claims);
        let what = format!(
            "The check does not pass: {}\n{}",
            outcome.summary,
            outcome.output.trim_end()
        );
        if claims + 1 >= CLAIMS {
            let reason = format!("its check did not pass: {}", outcome.summary);
            self.recover(view, task, FailureKind::Check, &reason);
            return;
        }
        let message = format!("{what}\nSo the step is not done. Find the cause and go on.");
        self.record(Entry::ClaimRejected { task: id, message });
    }

    fn carry(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
        number: usize,
        call: &StepCall,
    ) -> Turn {
        let id = task.id.as_str();
        let Some(tool) = StepTool::from_name(&call.name) else {
            let names: Vec<&str> = table::of_step(task)
                .iter()
                .map(|tool| tool.as_str())
                .collect();
            let told = format!(
                "There is no tool `{}`. The tools are: {}.",
                clipped(&call.name, 60),
                names.join(", ")
            );
            return self.answer(id, number, false, told);
        };
        match tool {
            StepTool::ReportProgress => self.take_report(id, number, call),
            StepTool::AskUser => self.ask_for_model(id, number, call),
            StepTool::Workspace(tool) => {
                if self.follows_a_failure(state, number) {
                    let told = "Not carried out, since the call before it failed.".to_owned();
                    return self.answer(id, number, false, told);
                }
                match self.judge(view, task, state, tool, call) {
                    Judged::Settled(turn) => turn,
                    Judged::Answer(told) => self.answer(id, number, false, told),
                    Judged::Go(tool) => {
                        self.report(view, id, Phase::ToolCalling, Some(tool.to_line()));
                        let (task, call) = (id.to_owned(), number);
                        self.begin(match tool.tool.is_read_only() {
                            true => Effect::Perform { task, call, tool },
                            false => Effect::Prepare { task, call, tool },
                        });
                        Turn::UnderWay
                    }
                }
            }
        }
    }

    /// Whether an earlier call of the same reply did not do what it should.
    fn follows_a_failure(&self, state: &TaskState, number: usize) -> bool {
        state.work.turns.last().is_some_and(|turn| {
            let before = turn.results.range(..number - turn.first_call);
            before.into_iter().any(|(_, result)| !result.ok)
        })
    }

    fn judge(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
        tool: ToolName,
        call: &StepCall,
    ) -> Judged {
        if !table::of_step(task).contains(&StepTool::Workspace(tool)) {
            return Judged::Answer(format!(
                "`{}` is no tool of this step. Do without, or report that the step cannot be done.",
                tool.as_str()
            ));
        }
        let typed = match ToolCall::new(tool, call.arguments.clone()) {
            Ok(typed) => typed,
            Err(error) => return Judged::Answer(format!("{error}. Call it again.")),
        };
        if let Some(known) = loops::known(&state.work, call) {
            let times = loops::idle(&state.work);
            let told = format!(
                "You made this call already and nothing was changed since; it was not made again. It \
                 gave:\n{}\n{}",
                clipped(known, KNOWN),
                match times {
                    0 => "Choose another call.",
                    _ => "Do not make it again. Change something, or report.",
                }
            );
            return Judged::Answer(told);
        }
        let is_plan = typed.path().is_some_and(|path| {
            let named = self.config.plan.as_ref();
            named.is_some_and(|place| place.is_named_by(path))
        });
        if is_plan && !tool.is_read_only() {
            return Judged::Answer(
                "The plan file is not changed by a step. Do the step; the app ticks it.".to_owned(),
            );
        }
        self.permit_call(view, task, state, typed)
    }

    /// Files that the step names may be changed, and the commands that it shows be run; anything else
    /// asks, unless a rule allows it.
    fn permit_call(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
        call: ToolCall,
    ) -> Judged {
        let is_named = call.tool.is_read_only() || names(task, &call);
        let refusal = match self.allow(view, task, &call, is_named) {
            Permit::Go => return Judged::Go(call),
            Permit::Later(turn) => return Judged::Settled(turn),
            Permit::Refused(refusal) => refusal,
        };
        if refusal.is_by_rule {
            let PermissionRequest { tool, subject, .. } = permissions::request_of(&call);
            return Judged::Answer(format!(
                "A rule of the person's forbids `{tool} {subject}`. Do without."
            ));
        }
        if refusals(state) >= 2 {
            let reason = "a person refused what the step needs, three times".to_owned();
            let decision = RecoveryDecision {
                failure: FailureKind::Refused,
                strategy: RecoveryStrategy::AskUser,
                reason,
                by: crate::model_step::RecoveryBy::Code,
                words: None,
            };
            return Judged::Settled(self.take_decision(task, decision, "it was refused"));
        }
        let words = refusal.words.filter(|words| !words.trim().is_empty());
        Judged::Answer(match words {
            Some(words) => format!("{REFUSED}: {words}"),
            None => format!("{REFUSED}. Do it in another way."),
        })
    }

    /// Answers a call without carrying it out.
    fn answer(&mut self, task: &str, call: usize, ok: bool, content: String) -> Turn {
        let task = task.to_owned();
        self.record(Entry::CallAnswered {
            task,
            call,
            ok,
            content,
        });
        Turn::Again
    }

    fn take_report(&mut self, task: &str, number: usize, call: &StepCall) -> Turn {
        let report = report_of(call);
        if report.done {
            self.record(Entry::CallAnswered {
                task: task.to_owned(),
                call: number,
                ok: true,
                content: "Noted.".to_owned(),
            });
            self.record(Entry::Reported {
                task: task.to_owned(),
                report,
                is_inferred: false,
            });
            return Turn::Again;
        }
        let told = "Noted; the step is not done. Go on with the next call. If it cannot be done at all, \
                    report done false once more and say why.";
        self.answer(task, number, true, told.to_owned())
    }

    fn ask_for_model(&mut self, task: &str, number: usize, call: &StepCall) -> Turn {
        let text = |name: &str| call.arguments.get(name).and_then(|value| value.as_str());
        let message = text("question").unwrap_or_default().trim().to_owned();
        if message.is_empty() {
            let told = "`ask_user` needs a question. Call it again with one.".to_owned();
            return self.answer(task, number, false, told);
        }
        let options = call
            .arguments
            .get("options")
            .and_then(|value| value.as_array());
        let options: Vec<String> = options
            .into_iter()
            .flatten()
            .filter_map(|option| option.as_str().map(str::to_owned))
            .collect();
        let question = Question {
            task: task.to_owned(),
            question: QuestionKind::Question,
            message: clipped(&message, 2_000),
            options,
            permission: None,
            fingerprint: None,
        };
        match self.ask(question) {
            Some(Answer::Choice { label, note }) => {
                let note = note.map(|note| format!(" ({note})")).unwrap_or_default();
                self.answer(
                    task,
                    number,
                    true,
                    format!("The person answered: {label}{note}"),
                )
            }
            Some(answer) => self.refused(task, answer),
            None => Turn::Again,
        }
    }

    /// A reply arrived: stored, then acted on.
    pub(super) fn take_reply(&mut self, task: String, request: &StepRequest, reply: StepReply) {
        if let crate::model_step::Offer::Letters(_) = request.offer {
            return self.take_letter(&task, &reply.text);
        }
        self.record(Entry::Replied { task, reply });
    }

    fn take_letter(&mut self, id: &str, answer: &str) {
        let Some(view) = self.view.clone() else {
            return;
        };
        let Some(task) = view.plan.tasks.iter().find(|task| task.id.as_str() == id) else {
            return;
        };
        let state = self.state.tasks.get(id).cloned().unwrap_or_default();
        let Some((failure, reason)) = failure_of(&state) else {
            return;
        };
        let ground = Ground {
            failure,
            reason: &reason,
            work: &state.work,
            is_needed: is_needed(&view, id),
            can_be_split: split_of(&view, task, &state).is_some(),
        };
        let decision = recovery::picked(&ground, answer);
        self.take_decision(task, decision, &reason);
    }

    /// The model's server does not answer.
    pub(super) fn model_failed(&mut self, id: &str, request: &StepRequest, reason: &str) {
        let Some(view) = self.view.clone() else {
            return;
        };
        let Some(task) = view.plan.tasks.iter().find(|task| task.id.as_str() == id) else {
            return;
        };
        let is_letter = matches!(request.offer, crate::model_step::Offer::Letters(_));
        if is_letter {
            // What failed before is asked of the person.
            return self.take_letter(id, "");
        }
        self.recover(&view, task, FailureKind::Server, reason);
    }

    /// Decides how a failed attempt goes on: by rule, else by the model's letter.
    fn recover(
        &mut self,
        view: &PlanView,
        task: &Task,
        failure: FailureKind,
        reason: &str,
    ) -> Turn {
        let id = task.id.as_str();
        let state = self.state.tasks.get(id).cloned().unwrap_or_default();
        let ground = Ground {
            failure,
            reason,
            work: &state.work,
            is_needed: is_needed(view, id),
            can_be_split: split_of(view, task, &state).is_some(),
        };
        match recovery::decide(&ground) {
            Choice::Decided(decision) => self.take_decision(task, decision, reason),
            Choice::AskModel => {
                self.record(Entry::Troubled {
                    task: id.to_owned(),
                    failure,
                    reason: reason.to_owned(),
                });
                Turn::Again
            }
        }
    }

    fn take_decision(&mut self, task: &Task, decision: RecoveryDecision, reason: &str) -> Turn {
        let id = task.id.0.clone();
        let strategy = decision.strategy;
        let decision = RecoveryDecision {
            reason: one_line(reason, 600),
            ..decision
        };
        let message = format!("{id}: {} — {}", strategy.as_str(), decision.reason);
        self.out.push(Effect::Notice { message });
        self.record(Entry::Recovered {
            task: id.clone(),
            decision,
        });
        match strategy {
            RecoveryStrategy::AskUser | RecoveryStrategy::Abort => self.record(Entry::Failed {
                task: id,
                reason: reason.to_owned(),
            }),
            RecoveryStrategy::SkipAndContinue => self.record(Entry::Skipped {
                task: id,
                reason: format!("the model left it out: {}", one_line(reason, 300)),
                by: SkippedBy::Model,
            }),
            RecoveryStrategy::DecomposeFurther => {
                let long = Long::Calls(self.state.tasks.get(&id).map_or(0, |s| s.work.next_call));
                self.split_by_rule(task, is_long(task, 0).unwrap_or(long));
            }
            RecoveryStrategy::RetrySame
            | RecoveryStrategy::RetrySimplified
            | RecoveryStrategy::TryAlternative => {}
        }
        Turn::Again
    }

    /// A letter is due for a failure that was recorded.
    pub(super) fn ask_for_letter(&mut self, view: &PlanView, task: &Task, reason: &str) -> Turn {
        let request = request::letter(task, reason);
        self.ask_model(view, task.id.as_str(), request)
    }
}

const REFUSED: &str = "The person said no";

/// How many calls of this attempt a person refused.
fn refusals(state: &TaskState) -> usize {
    let turns = state.work.turns.iter();
    turns
        .flat_map(|turn| turn.results.values())
        .filter(|result| result.content.starts_with(REFUSED))
        .count()
}

/// The failure that a letter is asked for.
fn failure_of(state: &TaskState) -> Option<(FailureKind, String)> {
    state.work.trouble.clone()
}

/// Why a step is long enough to be taken apart, where a rule can do it.
fn split_of(view: &PlanView, task: &Task, state: &TaskState) -> Option<Long> {
    let index = view
        .plan
        .tasks
        .iter()
        .position(|other| other.id == task.id)?;
    let calls = state.work.next_call;
    let long = is_long(task, calls).filter(|_| split_depth(&view.plan, index) < MOST_SPLITS)?;
    by_rule(task, long).is_some().then_some(long)
}

/// Whether other steps wait for this one.
fn is_needed(view: &PlanView, id: &str) -> bool {
    let index = view
        .plan
        .tasks
        .iter()
        .position(|task| task.id.as_str() == id);
    index.is_some_and(|index| {
        let mut leaves = view.plan.leaves();
        leaves.any(|(other, _)| view.graph.waits_for(other).contains(&index))
    })
}

/// Whether the step's own text speaks of this change or command.
fn names(task: &Task, call: &ToolCall) -> bool {
    match call.tool {
        ToolName::RunCommand => call.string("command").is_some_and(|line| {
            let line = line.trim();
            task.verify.iter().any(|check| check.trim() == line)
                || shown(&task.title)
                    .chain(shown(&task.body))
                    .any(|code| code == line)
                || task
                    .accept
                    .iter()
                    .any(|accept| shown(accept).any(|code| code == line))
        }),
        _ => call.path().is_some_and(|path| {
            let path = workspace_path(path);
            task.files.iter().any(|file| {
                let named = workspace_path(file);
                named == path || (file.ends_with('/') && path.starts_with(&format!("{named}/")))
            })
        }),
    }
}

/// What stands between back-ticks.
fn shown(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).map(str::trim)
}

fn report_of(call: &StepCall) -> Report {
    let texts = |name: &str| -> Vec<String> {
        let items = call.arguments.get(name).and_then(|value| value.as_array());
        let items = items.into_iter().flatten().filter_map(|item| item.as_str());
        let kept = items
            .map(|item| one_line(item, 300))
            .filter(|item| !item.is_empty());
        kept.take(20).collect()
    };
    let text = |name: &str| call.arguments.get(name).and_then(|value| value.as_str());
    Report {
        summary: one_line(text("summary").unwrap_or_default(), 600),
        done: call
            .arguments
            .get("done")
            .and_then(serde_json::Value::as_bool)
            == Some(true),
        learned: texts("learned"),
        decided: texts("decided"),
        next_hint: text("next_hint").map(|hint| one_line(hint, 300)),
    }
}

/// A record of what was done, from the calls alone: nothing in it is the model's word.
fn inferred(state: &TaskState) -> Report {
    let done: Vec<String> = state
        .work
        .performed()
        .filter(|(_, result)| result.ok)
        .filter_map(|(call, _)| {
            let tool = StepTool::from_name(&call.name)?;
            let subject = ["path", "command"]
                .iter()
                .find_map(|name| call.arguments.get(*name).and_then(|value| value.as_str()))?;
            (!tool.only_looks()).then(|| format!("{} {}", tool.as_str(), one_line(subject, 120)))
        })
        .collect();
    Report {
        summary: one_line(&done.join("; "), 600),
        done: true,
        ..Report::default()
    }
}
