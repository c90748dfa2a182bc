//! A run's state: a pure fold over its journal entries.
//!
//! Long because: the fold over all entries is in one place.

mod host_requests;
mod planning;
mod proofs;

use std::collections::{BTreeMap, BTreeSet};

use gate::answers::{Answer, Grant, Unknown};
use gate::permissions::request_of;
use gate::question::{PermissionRequest, Question, QuestionKind};
use plan::TaskId;
use serde::{Deserialize, Serialize};

use super::permits::ABOUT_CALLS;
use crate::file_locks;
use crate::host_answer::HostAnswer;
use crate::journal::{
    CallOutcome, Changes, EarlierEnd, EndState, Entry, Evidence, PlanEdit, Signature, SkippedBy,
    Started,
};
use crate::model_step::Work;
use crate::pending_answers::GivenAnswer;
use crate::run_limits::Spent;
use crate::turn::CallResult;
use crate::verification::Verdict;

pub use host_requests::{HostRequest, HostRequests};
pub use planning::Planning;
pub use proofs::Proofs;

/// The status of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Standing {
    /// Not started.
    #[default]
    Pending,
    /// Started and not ended.
    Running,
    /// Done, verified or not; see [`TaskState::verdict`].
    Done,
    /// Failed.
    Failed,
    /// Skipped.
    Skipped(SkippedBy),
}

/// A side effect that was announced before it started.
#[derive(Debug, Clone, PartialEq)]
pub struct Intent {
    /// The call as written in the plan.
    pub line: String,
    /// The tool's record for checking later whether the effect happened.
    pub record: serde_json::Value,
    /// Whether the process that announced it has ended and the run has been resumed since.
    pub is_cut_off: bool,
}

/// A user-defined command or an agent that carries out a step instead of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandOver {
    /// The name of the command or agent.
    pub to: String,
    /// The command line.
    pub line: String,
}

/// The state of one task.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TaskState {
    /// The task's status.
    pub standing: Standing,
    /// Whether a checkpoint was taken before it.
    pub has_checkpoint: bool,
    /// Results of finished calls, by call number.
    pub calls: BTreeMap<usize, CallOutcome>,
    /// Announced side effects without an outcome, by call number.
    pub intents: BTreeMap<usize, Intent>,
    /// The latest result of each finished check, by check number.
    pub checks: BTreeMap<usize, CallOutcome>,
    /// How often each check has run since the step last changed something.
    pub check_runs: BTreeMap<usize, u32>,
    /// Checks that have failed since the step last changed something.
    pub failed_checks: BTreeSet<usize>,
    /// Checks that failed twice without a change in between, so the failure was not by chance.
    pub steady_checks: BTreeSet<usize>,
    /// The verdict, once the step has been verified.
    pub verdict: Option<Verdict>,
    /// The open question.
    pub question: Option<Question>,
    /// Answers, by kind of question.
    pub answers: BTreeMap<QuestionKind, Answer>,
    /// The reason that a person gave for overriding the quality gate.
    pub overridden: Option<String>,
    /// Whether the step failed because an action was refused.
    pub is_refused: bool,
    /// Why it failed or was skipped.
    pub reason: Option<String>,
    /// The files that the task changed.
    pub changes: Changes,
    /// The person's signature.
    pub signed: Option<Signature>,
    /// Whether a signature without a note was insufficient.
    pub needs_words: bool,
    /// The request that the last permission was given for.
    pub permitted: Option<PermissionRequest>,
    /// The command that deleted file content, and the affected files, until a person accepts or
    /// rejects the deletion.
    pub lost: Option<PermissionRequest>,
    /// The label chosen, for a decision.
    pub decided: Option<String>,
    /// The number of attempts, including the current one.
    pub attempts: u32,
    /// Whether its changes were undone.
    pub undone: bool,
    /// Whether one of its checks passed and later failed.
    pub is_broken: bool,
    /// The user-defined command or agent that it was handed over to.
    pub handed_to: Option<HandOver>,
    /// The work that a model did on it.
    pub work: Work,
    /// The paths that it holds while in progress; `None` for a step that runs alone.
    pub holds: Option<Vec<String>>,
    /// The ids of the steps that were in progress at the same time, in a parallel run.
    pub beside: BTreeSet<String>,
    /// The id of the earlier run whose record of this task was adopted.
    pub earlier_run: Option<String>,
    /// Whether its checks passed in [`Self::earlier_run`].
    pub was_checked: bool,
}

impl TaskState {
    /// Whether the step is done without evidence.
    pub fn is_unverified(&self) -> bool {
        let verdict = self.verdict.as_ref();
        self.standing == Standing::Done && verdict.is_some_and(|verdict| !verdict.is_verified)
    }

    /// Whether the step may run in parallel with others. A step that is retried runs alone.
    pub fn is_shared(&self) -> bool {
        self.holds.is_some() && self.attempts <= 1
    }

    /// The paths that the step holds, including files that it wrote with a person's permission.
    pub fn held(&self) -> Vec<String> {
        let written = self.calls.values().filter_map(|call| call.file.as_ref());
        let written = written.map(|file| file.path.clone());
        let mut held: Vec<String> = self.holds.iter().flatten().cloned().collect();
        held.extend(written);
        held
    }

    /// Records the files that a command deleted, so that the person is asked before anything else
    /// happens.
    fn take_loss(&mut self, outcome: &CallOutcome) {
        if let Some(danger) = &outcome.lost {
            self.lost = Some(outcome.as_request(Some((**danger).clone())));
        }
    }

    /// Discards the results of checks, because the step changed something or starts over.
    fn forget_checks(&mut self) {
        self.forget_runs();
        self.failed_checks.clear();
    }

    fn forget_runs(&mut self) {
        self.checks.clear();
        self.check_runs.clear();
    }
}

/// Which changed files are attributed to a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// All files that changed while the step was in progress.
    All,
    /// These paths and everything inside them.
    Only(Vec<String>),
    /// All files that changed, except those in these paths.
    Without(Vec<String>),
}

impl Reach {
    /// Whether a change to this file counts as made by the step.
    pub fn takes_in(&self, path: &str) -> bool {
        let is_in = |paths: &[String]| paths.iter().any(|held| file_locks::is_inside(path, held));
        match self {
            Self::All => true,
            Self::Only(paths) => is_in(paths),
            Self::Without(paths) => !is_in(paths),
        }
    }
}

/// The state of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// How it started.
    pub started: Started,
    /// The approved fingerprint of each step, by step id.
    pub covered: BTreeMap<String, String>,
    /// Structural changes that a person accepted so that the run could continue.
    pub kept_changes: BTreeSet<String>,
    /// The fingerprints of changed steps in the file that the person accepted, by step id.
    pub kept_steps: BTreeMap<String, String>,
    /// The ids of the steps for which the person decided whether to accept their status in the
    /// file.
    pub claims_answered: BTreeSet<String>,
    /// The open question about the whole plan.
    pub question: Option<Question>,
    /// Answers whose question hasn't been asked yet, in the order given.
    pub given: Vec<GivenAnswer>,
    /// The messages that a person sent to the models that carry out the steps, in order.
    pub said: Vec<String>,
    /// The model's window in tokens, if it proved smaller than assumed.
    pub window: Option<u32>,
    /// The last revision of the plan file that was seen.
    pub revision: String,
    /// The name of the sandbox in force.
    pub sandbox: String,
    /// Task states by id.
    pub tasks: BTreeMap<String, TaskState>,
    /// Task ids in the order in which the tasks started.
    pub order: Vec<String>,
    /// Edits that the app itself made to the plan file.
    pub edits: BTreeSet<PlanEdit>,
    /// Permissions granted for the rest of the run.
    pub granted: BTreeSet<PermissionRequest>,
    /// Planning during the run.
    pub planning: Planning,
    /// Results of checks, and the changes made since then.
    pub proofs: Proofs,
    /// What had been spent when the run was last resumed after it stopped at a limit or a person
    /// stopped it.
    pub spent_before: Spent,
    /// Whether entries may have been lost; see [`Entry::Cut`].
    pub is_cut: bool,
    /// The ids of steps that a person decided to carry out although entries were lost, and of steps
    /// added since.
    pub trusted: BTreeSet<String>,
    /// The requests of the agent program that carries out the run itself.
    pub host: HostRequests,
    /// How the last process stopped; `None` if it didn't stop on purpose.
    pub ended: Option<(EndState, String)>,
}

impl State {
    /// Folds a whole journal; `None` if it doesn't start with [`Entry::Started`].
    pub fn replay(entries: &[Entry]) -> Option<Self> {
        let (Entry::Started(started), rest) = entries.split_first()? else {
            return None;
        };
        let mut state = Self {
            window: None,
            covered: started.covered.clone(),
            revision: started
                .found
                .clone()
                .unwrap_or_else(|| started.revision.clone()),
            sandbox: started.sandbox.clone(),
            started: started.clone(),
            kept_changes: BTreeSet::new(),
            kept_steps: BTreeMap::new(),
            claims_answered: started.left_out.clone(),
            question: None,
            given: Vec::new(),
            said: Vec::new(),
            tasks: BTreeMap::new(),
            order: Vec::new(),
            edits: BTreeSet::new(),
            granted: BTreeSet::new(),
            planning: Planning::default(),
            proofs: Proofs::default(),
            spent_before: Spent::default(),
            is_cut: false,
            trusted: BTreeSet::new(),
            host: HostRequests::default(),
            ended: None,
        };
        for (id, evidence) in &started.evidence {
            state.take_evidence(id, evidence);
        }
        for entry in rest {
            state.apply(entry);
        }
        Some(state)
    }

    /// The state of a task; `None` if the journal doesn't mention the task.
    pub fn task(&self, id: &TaskId) -> Option<&TaskState> {
        self.tasks.get(id.as_str())
    }

    /// The status of a task.
    pub fn standing(&self, id: &TaskId) -> Standing {
        self.task(id).map(|task| task.standing).unwrap_or_default()
    }

    /// Announced side effects without an outcome, each with its task and call number.
    pub fn open_intents(&self) -> impl Iterator<Item = (&str, usize, &Intent)> {
        self.tasks.iter().flat_map(|(id, task)| {
            let intents = task.intents.iter();
            intents.map(|(call, intent)| (id.as_str(), *call, intent))
        })
    }

    /// The changed files that count as changed by this step, even if other steps were in progress
    /// at the same time.
    pub fn reach(&self, id: &str) -> Reach {
        let Some(task) = self.tasks.get(id) else {
            return Reach::All;
        };
        if task.holds.is_some() {
            return Reach::Only(task.held());
        }
        let beside = task.beside.iter().filter_map(|id| self.tasks.get(id));
        let others = beside.filter(|other| other.holds.is_some());
        let others: Vec<String> = others.flat_map(TaskState::held).collect();
        match others.is_empty() {
            true => Reach::All,
            false => Reach::Without(others),
        }
    }

    /// The paths to which a step's commands may write while it runs in parallel; `None` if there is
    /// no additional limit.
    pub fn confined_to(&self, id: &str) -> Option<&[String]> {
        let task = self.tasks.get(id).filter(|task| task.is_shared())?;
        task.holds.as_deref()
    }

    /// Records which other steps are in progress when this one starts.
    fn begin_beside(&mut self, id: &str) {
        if self.started.parallel < 2 {
            return;
        }
        let others: Vec<String> = self.active().map(str::to_owned).collect();
        for other in others.into_iter().filter(|other| other != id) {
            self.entry(&other).beside.insert(id.to_owned());
            self.entry(id).beside.insert(other);
        }
    }

    /// Tasks that have started but not ended, in the order in which they started.
    pub fn active(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str).filter(|id| {
            self.tasks
                .get(*id)
                .is_some_and(|task| task.standing == Standing::Running)
        })
    }

    fn entry(&mut self, id: &str) -> &mut TaskState {
        self.tasks.entry(id.to_owned()).or_default()
    }

    /// Adopts the records of an earlier run, which the plan file already shows.
    fn take_evidence(&mut self, id: &str, evidence: &Evidence) {
        let task = id.to_owned();
        let edit = match &evidence.end {
            EarlierEnd::Done => PlanEdit::Tick { task },
            EarlierEnd::Skipped { reason } => PlanEdit::Skip {
                task,
                reason: reason.clone(),
            },
            EarlierEnd::Decided { label } => PlanEdit::Decide {
                task,
                label: label.clone(),
                note: None,
            },
        };
        self.edits.insert(edit);
        let state = self.entry(id);
        state.earlier_run = Some(evidence.run.clone());
        state.was_checked = evidence.is_checked;
        match &evidence.end {
            EarlierEnd::Done => state.standing = Standing::Done,
            EarlierEnd::Skipped { reason } => {
                state.standing = Standing::Skipped(SkippedBy::Person);
                state.reason = Some(reason.clone());
            }
            EarlierEnd::Decided { label } => {
                state.standing = Standing::Done;
                state.decided = Some(label.clone());
            }
        }
    }

    /// Ends a step: discards its question and any answers given in advance.
    fn end_task(&mut self, task: &str, standing: Standing) -> &mut TaskState {
        self.given.retain(|given| given.task != task);
        let state = self.entry(task);
        state.standing = standing;
        state.question = None;
        state
    }

    fn fail_task(&mut self, task: &str, reason: &str) -> &mut TaskState {
        let state = self.end_task(task, Standing::Failed);
        state.is_refused = false;
        state.reason = Some(reason.to_owned());
        state
    }

    /// Uses up a permission that was given once, including a second answer to the same request.
    fn spend_permission(&mut self, task: &str) {
        let permitted = self.entry(task).permitted.take();
        for kind in ABOUT_CALLS {
            self.entry(task).answers.remove(&kind);
            if permitted.is_some() {
                let request = permitted.as_ref();
                self.given
                    .retain(|given| !given.answers(task, kind, request));
            }
        }
    }

    /// Closes the question about an agent's request if no process waits for the answer any more. An
    /// answer that was already given isn't used for another request.
    fn withdraw_request(&mut self, number: usize) {
        let call = self.host.get(number).and_then(HostRequest::call);
        let Some(request) = call.as_ref().map(request_of) else {
            return;
        };
        let is_it =
            |asked: Option<&PermissionRequest>| asked.is_some_and(|asked| asked.plain() == request);
        self.given.retain(|given| !is_it(given.permission.as_ref()));
        for task in self.tasks.values_mut() {
            let asked = task.question.as_ref();
            if asked.is_some_and(|asked| is_it(asked.permission.as_ref())) {
                task.question = None;
            }
        }
    }

    /// Folds one entry.
    pub fn apply(&mut self, entry: &Entry) {
        self.planning.apply(entry);
        self.proofs.apply(entry);
        self.host.apply(entry);
        match entry {
            Entry::StepsPlanned { .. }
            | Entry::StepsRefused { .. }
            | Entry::PlannerFaulted { .. }
            | Entry::GoalClaimed { .. }
            | Entry::GoalChecked { .. }
            | Entry::GoalRejected { .. }
            | Entry::HostAsked { .. } => {}
            Entry::HostAnswered {
                number,
                answer: HostAnswer::Withdrawn { .. },
            } => self.withdraw_request(*number),
            Entry::HostAnswered { answer, .. } => {
                if let Some(task) = answer.task() {
                    self.spend_permission(task);
                    let state = self.entry(task);
                    state.question = None;
                    state.answers.remove(&QuestionKind::Permission);
                }
            }
            Entry::Started(_) => {}
            Entry::BaselineChecked { task, outcome, .. } => self.entry(task).take_loss(outcome),
            Entry::Cut => {
                self.is_cut = true;
                self.trusted.clear();
                // The lost entries may already have used these answers.
                self.given.clear();
                for task in self.tasks.values_mut() {
                    task.answers.clear();
                    // Lost entries may have changed what the checks tested.
                    if task.standing != Standing::Done {
                        task.forget_runs();
                    }
                }
            }
            Entry::Resumed { sandbox } => {
                self.sandbox.clone_from(sandbox);
                if matches!(self.ended, Some((EndState::Stopped, _))) {
                    self.spent_before = self.spent();
                }
                self.ended = None;
                // Compare the plan again from scratch.
                self.question = None;
                let intents = self.tasks.values_mut().flat_map(|task| &mut task.intents);
                intents.for_each(|(_, intent)| intent.is_cut_off = true);
            }
            Entry::PlanChanged { revision } => self.revision.clone_from(revision),
            Entry::ChangesKept { changes, steps } => {
                self.question = None;
                self.kept_changes.extend(changes.iter().cloned());
                self.kept_steps.extend(steps.clone());
            }
            Entry::ClaimsAnswered { tasks } => {
                self.question = None;
                self.claims_answered.extend(tasks.iter().cloned());
                let earlier = &mut self.started.half_done;
                earlier.retain(|id, earlier| !earlier.is_done || !tasks.contains(id));
            }
            Entry::TaskStarted { task, holds } => {
                if !self.order.contains(task) {
                    self.order.push(task.clone());
                }
                self.begin_beside(task);
                let state = self.entry(task);
                state.standing = Standing::Running;
                state.holds.clone_from(holds);
                state.attempts = state.attempts.max(1);
                state.question = None;
            }
            Entry::CheckpointTaken { task } => self.entry(task).has_checkpoint = true,
            Entry::Overridden { task, reason, .. } => {
                let state = self.entry(task);
                state.overridden = Some(reason.clone());
                state.question = None;
            }
            Entry::Asked { question } if question.question.is_about_plan() => {
                self.given.retain(|given| !given.is_for(question));
                self.question = Some(question.clone());
            }
            Entry::Answered { task, question, .. } if question.is_about_plan() => {
                self.given
                    .retain(|given| !given.answers(task, *question, None));
                self.question = None;
            }
            Entry::Asked { question } => {
                self.given.retain(|given| !given.is_for(question));
                let state = self.entry(&question.task);
                // The question is asked again, so an earlier answer of this kind no longer applies.
                state.answers.remove(&question.question);
                if question.question.is_signed() {
                    state.needs_words |= state.signed.take().is_some();
                }
                state.question = Some(question.clone());
            }
            Entry::Answered {
                task,
                question,
                answer,
                permission,
            } => {
                if let (
                    Answer::Permission {
                        grant: Grant::Run, ..
                    },
                    Some(request),
                ) = (answer, permission)
                {
                    self.granted.insert(request.clone());
                }
                self.given
                    .retain(|given| !given.answers(task, *question, permission.as_ref()));
                let state = self.entry(task);
                state.question = None;
                let stays = !matches!(
                    answer,
                    Answer::Permission {
                        grant: Grant::No,
                        ..
                    }
                );
                if stays && permission.is_some() && state.lost == *permission {
                    state.lost = None;
                    return;
                }
                // If no call was interrupted, the answer is about the whole step and is used up
                // here.
                if *question == QuestionKind::Unknown && state.intents.is_empty() {
                    let how = Unknown::Repeat;
                    if *answer == (Answer::Unknown { how }) {
                        self.trusted.insert(task.clone());
                    }
                    return;
                }
                state.answers.insert(*question, answer.clone());
                if question.is_about_request() {
                    state.permitted.clone_from(permission);
                }
                if let Answer::Done { note } = answer {
                    state.signed = Some(Signature { note: note.clone() });
                }
            }
            Entry::Given { given } => {
                // A later answer to the same question replaces the earlier one.
                self.given.retain(|earlier| {
                    !earlier.answers(&given.task, given.question, given.permission.as_ref())
                });
                self.given.push(given.clone());
            }
            Entry::Intended {
                task,
                call,
                line,
                record,
            } => {
                let intent = Intent {
                    line: line.clone(),
                    record: record.clone(),
                    is_cut_off: false,
                };
                self.entry(task).intents.insert(*call, intent);
            }
            Entry::Cleared { task, call, .. } => {
                let state = self.entry(task);
                state.intents.remove(call);
                state.question = None;
                state.answers.remove(&QuestionKind::Unknown);
            }
            Entry::ContextChosen { task, chosen } => {
                self.entry(task).work.context = Some(chosen.clone());
            }
            Entry::Replied { task, reply } => self.entry(task).work.replied(reply),
            Entry::CallAnswered {
                task,
                call,
                ok,
                content,
            } => {
                self.spend_permission(task);
                let state = self.entry(task);
                state.question = None;
                state.answers.remove(&QuestionKind::Permission);
                state.answers.remove(&QuestionKind::Question);
                let result = CallResult {
                    ok: *ok,
                    content: content.clone(),
                    is_performed: false,
                    is_passing: false,
                };
                state.work.answered(*call, result);
            }
            Entry::HandedOver { task, to, line } => {
                self.entry(task).handed_to = Some(HandOver {
                    to: to.clone(),
                    line: line.clone(),
                });
            }
            Entry::WindowLearned { tokens } => {
                self.window = Some(self.window.map_or(*tokens, |known| known.min(*tokens)));
            }
            Entry::Told { task, message } => self.entry(task).work.rounds.told(message),
            Entry::Reported {
                task,
                report,
                is_inferred,
            } => self.entry(task).work.reported(report, *is_inferred),
            Entry::ClaimRejected { task, message } => {
                let state = self.entry(task);
                state.forget_runs();
                state.work.rejected(message);
            }
            Entry::Troubled {
                task,
                failure,
                reason,
            } => self.entry(task).work.trouble = Some((*failure, reason.clone())),
            Entry::Recovered { task, decision } => {
                self.spend_permission(task);
                let state = self.entry(task);
                // The question was about a call of the previous attempt.
                state.question = None;
                state.answers.remove(&QuestionKind::Question);
                state.forget_runs();
                state.work.recovered(decision);
            }
            Entry::Finished {
                task,
                call,
                outcome,
            } => {
                self.spend_permission(task);
                let state = self.entry(task);
                let content = outcome.content.clone();
                let result = CallResult {
                    ok: outcome.ok,
                    // After a crash, the output of the call is unknown.
                    content: content.unwrap_or_else(|| outcome.summary.clone()),
                    is_performed: true,
                    is_passing: outcome.is_passing,
                };
                state.work.answered(*call, result);
                state.take_loss(outcome);
                state.intents.remove(call);
                state.question = None;
                state.answers.remove(&QuestionKind::Unknown);
                let tool = plan::ToolName::from_name(&outcome.tool);
                if tool.is_none_or(|tool| !tool.is_read_only()) {
                    state.forget_checks();
                }
                state.calls.insert(*call, outcome.clone());
            }
            Entry::Checked {
                task,
                check,
                outcome,
            } => {
                self.spend_permission(task);
                let state = self.entry(task);
                state.take_loss(outcome);
                *state.check_runs.entry(*check).or_default() += 1;
                if outcome.ok {
                    state.steady_checks.remove(check);
                } else if !state.failed_checks.insert(*check) {
                    state.steady_checks.insert(*check);
                }
                state.checks.insert(*check, outcome.clone());
            }
            Entry::Done {
                task,
                changes,
                signed,
                verdict,
            } => {
                if !self.order.contains(task) {
                    self.order.push(task.clone());
                }
                let state = self.end_task(task, Standing::Done);
                state.is_broken = false;
                state.needs_words = false;
                state.changes = changes.clone();
                state.signed.clone_from(signed);
                state.verdict.clone_from(verdict);
            }
            Entry::Failed { task, reason } => {
                self.fail_task(task, reason);
            }
            Entry::Broken { task, reason, .. } => {
                self.edits.retain(|edit| !edit.is_of_box(task));
                let state = self.fail_task(task, reason);
                state.is_broken = true;
                state.forget_checks();
            }
            Entry::Refused { task, reason, .. } => {
                let state = self.fail_task(task, reason);
                state.is_refused = true;
                state.lost = None;
            }
            Entry::Said { words } => self.said.push(words.clone()),
            Entry::Retried { task } => {
                self.begin_beside(task);
                let state = self.entry(task);
                // Changes made after the step ended are not its own.
                state.has_checkpoint &= state.standing == Standing::Running;
                state.standing = Standing::Running;
                state.attempts += 1;
                state.calls.retain(|_, outcome| outcome.ok);
                state.forget_checks();
                state.work.begin_anew();
                state.question = None;
                state.is_refused = false;
                state.answers.remove(&QuestionKind::Failure);
                state.answers.remove(&QuestionKind::Unverified);
                for kind in ABOUT_CALLS {
                    state.answers.remove(&kind);
                }
            }
            Entry::Skipped { task, reason, by } => {
                let state = self.end_task(task, Standing::Skipped(*by));
                state.reason = Some(reason.clone());
                state.intents.clear();
            }
            Entry::Decided { task, label } => {
                self.end_task(task, Standing::Done).decided = Some(label.clone());
            }
            Entry::PlanEdited {
                edit,
                revision,
                covered,
            } => {
                self.edits.insert(edit.clone());
                if let PlanEdit::Add { addition } = edit
                    && let Some(whole) = &addition.under
                {
                    // From now on, the step is a group, which isn't carried out itself.
                    self.entry(whole).standing = Standing::Pending;
                }
                self.revision.clone_from(revision);
                self.trusted.extend(covered.keys().cloned());
                self.covered.extend(covered.clone());
            }
            Entry::ReplyStopped { task, usage } => self.entry(task).work.stopped(*usage),
            Entry::TrialUndone { task, .. } => {
                let state = self.entry(task);
                state.forget_checks();
                state.work.taken_back();
            }
            Entry::Undone { task, .. } => {
                // The step is open again. When the run is resumed, the person is asked first, as
                // after a failure.
                self.edits
                    .retain(|edit| !matches!(edit, PlanEdit::Tick { task: of } if of == task));
                let state = self.entry(task);
                state.undone = true;
                state.lost = None;
                state.standing = Standing::Failed;
                state.is_refused = false;
                state.reason = Some("its changes were undone".to_owned());
                state.calls.clear();
                state.forget_checks();
                state.signed = None;
                state.has_checkpoint = false;
                state.answers.clear();
            }
            Entry::Ended { state, message } => self.ended = Some((*state, message.clone())),
        }
    }
}
