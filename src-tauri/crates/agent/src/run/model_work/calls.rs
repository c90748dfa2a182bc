//! Judges the calls in a model's reply, and either answers them directly or carries them out like a
//! `call:` line.

use gate::answers::Answer;
use gate::destructive;
use gate::path::workspace_path;
use gate::permissions::request_of;
use gate::question::{PermissionRequest, QuestionKind};
use gate::recovery::RecoveryStrategy;
use gate::{Action, Decision, Permit, Refusal};
use plan::{Task, ToolCall, ToolName};

use super::super::next::Turn;
use super::super::permits::Held;
use super::super::questions;
use super::super::state::TaskState;
use super::super::{Effect, Machine, PlanView};
use super::reconsider;
use crate::envelope::{clipped, one_line};
use crate::journal::Entry;
use crate::model_step::act;
use crate::model_step::step_tools;
use crate::model_step::{FailureKind, RecoveryDecision, Report};
use crate::model_tool::ModelTool;
use crate::progress::Phase;
use crate::turn::{Call, CallResult, loops};

enum Judged {
    /// Carry out the call; without a permit, only prepare it to find out why it fails.
    Go(ToolCall, Option<Permit>),
    /// The person was asked, or something was recorded.
    Settled(Turn),
    /// Don't carry out the call; answer the model with this text.
    Answer(String),
}

impl Machine {
    pub(in crate::run) fn handle_call(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
        number: usize,
        call: &Call,
    ) -> Turn {
        let id = task.id.as_str();
        let Some(tool) = ModelTool::of_step(&call.name) else {
            let names: Vec<&str> = step_tools::for_step(task)
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
            ModelTool::ReportProgress if self.was_written_before_a_failure(state, number) => {
                let told = "Not taken: a call before it in the same reply failed. Look at what it says, \
                            then go on or report.";
                self.answer(id, number, false, told.to_owned())
            }
            ModelTool::ReportProgress => self.take_report(id, number, call),
            ModelTool::AskUser => self.ask_for_model(id, number, call),
            // These tools are only for conversations; no step has them.
            ModelTool::EditPlan | ModelTool::ReadPlan | ModelTool::ProposePlan => Turn::Nothing,
            ModelTool::Workspace(tool) => {
                if self.follows_a_failure(state, number) {
                    let told = "Not carried out, since the call before it failed.".to_owned();
                    return self.answer(id, number, false, told);
                }
                match self.judge(view, task, state, tool, call) {
                    Judged::Settled(turn) => turn,
                    Judged::Answer(told) => self.answer(id, number, false, told),
                    Judged::Go(tool, permit) => {
                        if let Some(holder) = self.held_by_another(id, &tool) {
                            if !self.lanes.must_yield(id) {
                                return Turn::Nothing;
                            }
                            let path = tool.path().unwrap_or_default();
                            let told = format!(
                                "`{path}` belongs to step {holder}, which is not over. Do without it, or \
                                 report that the step cannot be done now."
                            );
                            return self.answer(id, number, false, told);
                        }
                        let Some(permit) = permit else {
                            self.report(view, id, Phase::ToolCalling, Some(tool.to_line()));
                            return self.begin(Effect::Prepare {
                                task: id.to_owned(),
                                call: number,
                                tool,
                                permit: None,
                            });
                        };
                        let with = match tool.tool.is_read_only() {
                            true => self.reads_in_reply(task, state, number),
                            false => match self.baseline(view, id) {
                                Some(turn) => return turn,
                                None => Vec::new(),
                            },
                        };
                        self.begin_call(view, id, (number, tool, permit), with);
                        Turn::InProgress
                    }
                }
            }
        }
    }

    fn follows_a_failure(&self, state: &TaskState, number: usize) -> bool {
        earlier_results(state, number).any(|result| !result.ok)
    }

    /// Whether the report was written before the model could know that another call in the same
    /// reply would fail. Calls that were answered without being carried out, such as repeated ones,
    /// don't count.
    fn was_written_before_a_failure(&self, state: &TaskState, number: usize) -> bool {
        earlier_results(state, number).any(|result| !result.ok && result.is_performed)
    }

    fn judge(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
        tool: ToolName,
        call: &Call,
    ) -> Judged {
        if !step_tools::for_step(task).contains(&ModelTool::Workspace(tool)) {
            return Judged::Answer(format!(
                "This step has no tool `{}`. Do without it, or report that the step cannot be done.",
                tool.as_str()
            ));
        }
        let typed = match ToolCall::new(tool, call.arguments.clone()) {
            Ok(typed) => typed,
            Err(error) => return Judged::Answer(format!("{error}. Call it again.")),
        };
        if let Some(told) = loops::answer_from_before(&state.work.rounds, call) {
            return Judged::Answer(told);
        }
        self.permit_call(view, task, state, typed)
    }

    /// Gets the permit for a call. Files and commands that the step names need no approval; all
    /// others do, unless a rule allows them.
    fn permit_call(
        &mut self,
        view: &PlanView,
        task: &Task,
        state: &TaskState,
        call: ToolCall,
    ) -> Judged {
        let is_named = call.tool.is_read_only() || names(task, &call);
        if call.path().is_some() && !call.tool.is_read_only() {
            // Don't ask the person about a call that would fail anyway: preparing it tells the
            // model why.
            let looked = self.looked.get(task.id.as_str());
            let looked = looked.filter(|looked| looked.tool == call);
            match looked.map(|looked| looked.seen.is_impossible) {
                Some(true) => return Judged::Go(call, None),
                Some(false) => {}
                None => {
                    let look = destructive::inspection_for(&call).unwrap_or_default();
                    self.begin(Effect::LookAt {
                        task: task.id.0.clone(),
                        tool: call,
                        look,
                    });
                    return Judged::Settled(Turn::InProgress);
                }
            }
        }
        let writes = matches!(call.tool, ToolName::EditFile | ToolName::WriteFile);
        let is_act = !act::of(&state.work).is_empty();
        if writes && (is_act || !self.has_check(task)) && !step_tools::is_deletion(task) {
            match self.danger(task.id.as_str(), &call) {
                Ok(Some(danger)) => return Judged::Answer(reconsider::drops_too_much(&danger)),
                Ok(None) => {}
                Err(turn) => return Judged::Settled(turn),
            }
        }
        let decision = self.decision(view, task, Action::Call(call.clone()), is_named);
        if let Decision::Ask(pending) = &decision
            && let Some(told) = reconsider::answer(task, state, &call, is_named, pending.request())
        {
            return Judged::Answer(told);
        }
        let words = match self.settle(task, decision) {
            Ok(permit) => return Judged::Go(call, Some(permit)),
            Err(Held::Later(turn)) => return Judged::Settled(turn),
            Err(Held::Refused(Refusal::Person { words })) => words,
            Err(Held::Refused(Refusal::PlanFile)) => {
                let told = "The plan file is not changed by a step. Do the step; the app ticks it.";
                return Judged::Answer(told.to_owned());
            }
            Err(Held::Refused(_)) => {
                let PermissionRequest { tool, subject, .. } = request_of(&call);
                return Judged::Answer(format!(
                    "A rule of the person's forbids `{tool} {subject}`. Do without."
                ));
            }
        };
        if refusals(state) >= 2 {
            let (failure, strategy) = (FailureKind::Refused, RecoveryStrategy::AskUser);
            let decision = RecoveryDecision::by_rule(failure, strategy, "refused by a person");
            return Judged::Settled(self.take_decision(task, decision));
        }
        let words = words.filter(|words| !words.trim().is_empty());
        Judged::Answer(match words {
            Some(words) => format!("{REFUSED}: {words}"),
            None => format!("{REFUSED}. Do it in another way."),
        })
    }

    fn answer(&mut self, task: &str, call: usize, ok: bool, content: String) -> Turn {
        let task = task.to_owned();
        self.record(Entry::CallAnswered {
            task,
            call,
            ok,
            content,
        })
    }

    fn take_report(&mut self, task: &str, number: usize, call: &Call) -> Turn {
        let report = report_of(call);
        if report.done {
            self.answer(task, number, true, "Noted.".to_owned());
            return self.record(Entry::Reported {
                task: task.to_owned(),
                report,
                is_inferred: false,
            });
        }
        let told = "Noted; the step is not done. Go on with the next call. If it cannot be done at all, \
                    report done false once more and say why.";
        self.answer(task, number, true, told.to_owned())
    }

    fn ask_for_model(&mut self, task: &str, number: usize, call: &Call) -> Turn {
        let message = call.text("question").unwrap_or_default().trim();
        if message.is_empty() {
            let told = "`ask_user` needs a question. Call it again with one.".to_owned();
            return self.answer(task, number, false, told);
        }
        let options: Vec<&str> = text_items(call, "options").collect();
        let message = clipped(message, 2_000);
        let question = questions::question(task, QuestionKind::Question, message, &options);
        match self.ask(question) {
            Some(Answer::Choice { label, note }) => {
                let note = note.map(|note| format!(" ({note})")).unwrap_or_default();
                let told = format!("The person answered: {label}{note}");
                self.answer(task, number, true, told)
            }
            Some(answer) => self.refused(task, answer),
            None => Turn::Again,
        }
    }
}

const REFUSED: &str = "The person said no";

/// How many different calls the person has refused in this attempt.
fn refusals(state: &TaskState) -> usize {
    let refused = state.work.rounds.all().iter().flat_map(|turn| {
        let results = turn.results.iter();
        results
            .filter(|(_, result)| result.content.starts_with(REFUSED))
            .filter_map(|(position, _)| turn.reply.calls.get(*position))
            .map(Call::line)
    });
    refused.collect::<std::collections::BTreeSet<_>>().len()
}

/// Whether the step's own text names this change or this command.
pub(in crate::run) fn names(task: &Task, call: &ToolCall) -> bool {
    match call.tool {
        ToolName::RunCommand => call.string("command").is_some_and(|line| {
            let line = line.trim();
            let texts = [&task.title, &task.body].into_iter().chain(&task.accept);
            task.verify.iter().any(|check| check.trim() == line)
                || texts.flat_map(|text| shown(text)).any(|code| code == line)
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

impl Machine {
    /// Whether a command is a `call:` line of its step. A call by a model doesn't count even if the
    /// step names it, because the model may have written the script that it runs.
    pub fn is_written_call(&self, id: &str, line: &str) -> bool {
        let task = self
            .view
            .plan
            .tasks
            .iter()
            .find(|task| task.id.as_str() == id);
        let mut calls = task.into_iter().flat_map(|task| &task.calls);
        calls.any(|call| {
            let call = call.parsed.as_ref().ok();
            call.and_then(|call| call.string("command")) == Some(line)
        })
    }
}

fn shown(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).map(str::trim)
}

fn earlier_results(state: &TaskState, number: usize) -> impl Iterator<Item = &CallResult> {
    let last = state.work.rounds.last().into_iter();
    let before = last.flat_map(move |turn| turn.results.range(..number - turn.first_call));
    before.map(|(_, result)| result)
}

fn text_items<'a>(call: &'a Call, name: &str) -> impl Iterator<Item = &'a str> {
    let items = call.arguments.get(name).and_then(|value| value.as_array());
    let items = items.into_iter().flatten();
    items.filter_map(|item| item.as_str())
}

pub(super) fn report_of(call: &Call) -> Report {
    let texts = |name: &str| -> Vec<String> {
        let items = text_items(call, name).map(|item| one_line(item, 300));
        items.filter(|item| !item.is_empty()).take(20).collect()
    };
    Report {
        summary: one_line(call.text("summary").unwrap_or_default(), 600),
        done: call.arguments.get("done") == Some(&true.into()),
        learned: texts("learned"),
        decided: texts("decided"),
        next_hint: call.text("next_hint").map(|hint| one_line(hint, 300)),
    }
}
