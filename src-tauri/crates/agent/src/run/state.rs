//! What a journal amounts to: a pure fold over its entries.
//!
//! Long because: one fold over one list of entries.

mod planning;
mod proofs;

use std::collections::{BTreeMap, BTreeSet};

use gate::answers::{Answer, Grant, Unknown};
use gate::question::{PermissionRequest, Question, QuestionKind};
use plan::TaskId;
use serde::{Deserialize, Serialize};

use super::allowing::ABOUT_CALLS;
use crate::given::GivenAnswer;
use crate::holding;
use crate::journal::{
    CallOutcome, Changes, EarlierEnd, EndState, Entry, Evidence, PlanEdit, Signature, SkippedBy,
    Started,
};
use crate::micro_planning::Spent;
use crate::model_step::Work;
use crate::turn::CallResult;
use crate::verifying::Verdict;

pub use planning::Planning;
pub use proofs::Proofs;

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Standing {
    /// Not begun.
    #[default]
    Pending,
    /// Begun.
    Running,
    /// Done, with evidence.
    Done,
    /// Failed.
    Failed,
    /// Left out.
    Skipped(SkippedBy),
}

/// A side effect that was announced.
#[derive(Debug, Clone, PartialEq)]
pub struct Intent {
    /// The call as the plan writes it.
    pub line: String,
    /// What the tool needs to examine it.
    pub record: serde_json::Value,
    /// Whether the process that announced it has ended: another one has taken the run up since.
    pub is_cut_off: bool,
}

/// A command that carries a step out in place of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandOver {
    /// The name that the user gave it.
    pub to: String,
    /// The command line.
    pub line: String,
}

/// What is known of one task.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TaskState {
    /// Where it stands.
    pub standing: Standing,
    /// Whether its checkpoint was taken.
    pub has_checkpoint: bool,
    /// Calls that ended, by number.
    pub calls: BTreeMap<usize, CallOutcome>,
    /// Intents without an outcome, by call number.
    pub intents: BTreeMap<usize, Intent>,
    /// Checks that ended, by number; the last one counts.
    pub checks: BTreeMap<usize, CallOutcome>,
    /// How often each check was run since the step last changed something.
    pub check_runs: BTreeMap<usize, u32>,
    /// Checks that did not pass since the step last changed something.
    pub failed_checks: BTreeSet<usize>,
    /// Checks that failed twice with nothing changed between, so that it is not by chance.
    pub steady_checks: BTreeSet<usize>,
    /// What verification came to, once it is done.
    pub verdict: Option<Verdict>,
    /// What is asked now.
    pub question: Option<Question>,
    /// Answers, by kind of question.
    pub answers: BTreeMap<QuestionKind, Answer>,
    /// The reason with which the quality gate was passed.
    pub overridden: Option<String>,
    /// Whether it failed because something that it was about to do was refused.
    pub is_refused: bool,
    /// Why it failed or was skipped.
    pub reason: Option<String>,
    /// What it changed.
    pub changes: Changes,
    /// Who signed.
    pub signed: Option<Signature>,
    /// Whether a signature without words was not enough.
    pub needs_words: bool,
    /// The request that the last permission was given for.
    pub permitted: Option<PermissionRequest>,
    /// The command that threw files away, and which, until a person has said whether that stays.
    pub lost: Option<PermissionRequest>,
    /// The label chosen, for a decision.
    pub decided: Option<String>,
    /// How often it was tried, the present time included.
    pub attempts: u32,
    /// Whether its changes were taken back.
    pub undone: bool,
    /// Whether a check of it that had passed failed again.
    pub is_broken: bool,
    /// What it was handed over to.
    pub handed_to: Option<HandOver>,
    /// What a model did for it.
    pub work: Work,
    /// What it holds as long as it is under way; absent for a step that goes alone.
    pub holds: Option<Vec<String>>,
    /// The steps that were under way while it was, in a run that has several at once.
    pub beside: BTreeSet<String>,
    /// The earlier run whose record of it counts, and whether its checks passed in that run.
    pub earlier_run: Option<String>,
    /// See [`Self::earlier_run`].
    pub was_checked: bool,
}

impl TaskState {
    /// Whether it ended and nothing shows that it is done.
    pub fn is_unverified(&self) -> bool {
        let verdict = self.verdict.as_ref();
        self.standing == Standing::Done && verdict.is_some_and(|verdict| !verdict.is_verified)
    }

    /// Whether it may go beside others: one that is tried again goes alone.
    pub fn is_shared(&self) -> bool {
        self.holds.is_some() && self.attempts <= 1
    }

    /// What it holds, files that it wrote with a person's leave included.
    pub fn held(&self) -> Vec<String> {
        let written = self.calls.values().filter_map(|call| call.file.as_ref());
        let written = written.map(|file| file.path.clone());
        let mut held: Vec<String> = self.holds.iter().flatten().cloned().collect();
        held.extend(written);
        held
    }

    /// What a command threw away is asked about before anything else is done.
    fn take_loss(&mut self, outcome: &CallOutcome) {
        if let Some(danger) = &outcome.lost {
            self.lost = Some(outcome.as_request(Some((**danger).clone())));
        }
    }

    /// What was run says nothing any more: the step changed something, or begins anew.
    fn forget_checks(&mut self) {
        self.forget_runs();
        self.failed_checks.clear();
    }

    /// The checks are run again.
    fn forget_runs(&mut self) {
        self.checks.clear();
        self.check_runs.clear();
    }
}

/// Which files count as changed by a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Every one that changed meanwhile.
    All,
    /// These, and what lies in them.
    Only(Vec<String>),
    /// All but these, and what lies in them.
    Without(Vec<String>),
}

impl Reach {
    /// Whether a change of this file is the step's.
    pub fn takes_in(&self, path: &str) -> bool {
        let is_in = |paths: &[String]| paths.iter().any(|held| holding::is_inside(path, held));
        match self {
            Self::All => true,
            Self::Only(paths) => is_in(paths),
            Self::Without(paths) => !is_in(paths),
        }
    }
}

/// What is known of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// How it began.
    pub started: Started,
    /// The fingerprint under which each step is approved.
    pub covered: BTreeMap<String, String>,
    /// The changes of structure in spite of which a person had the run continue.
    pub kept_changes: BTreeSet<String>,
    /// The fingerprints in the file of changed steps, in spite of which they had.
    pub kept_steps: BTreeMap<String, String>,
    /// The steps about which they said whether what the file shows counts.
    pub claims_answered: BTreeSet<String>,
    /// What is asked about the plan as a whole.
    pub question: Option<Question>,
    /// Answers that wait for their question, in the order in which they were given.
    pub given: Vec<GivenAnswer>,
    /// What a person said to whoever carries out the steps, in order.
    pub said: Vec<String>,
    /// The model's window, in tokens, where it turned out to be smaller than was thought.
    pub window: Option<u32>,
    /// The plan's revision last seen.
    pub revision: String,
    /// The sandbox in force.
    pub sandbox: String,
    /// By task id.
    pub tasks: BTreeMap<String, TaskState>,
    /// Task ids in the order in which they were begun.
    pub order: Vec<String>,
    /// What the app wrote into the plan.
    pub edits: BTreeSet<PlanEdit>,
    /// Permissions for the rest of the run.
    pub granted: BTreeSet<PermissionRequest>,
    /// Planning while the run goes on.
    pub planning: Planning,
    /// What the checks came to, and what changed since.
    pub proofs: Proofs,
    /// What had been spent when a run that had stopped, at a limit or by a person, was gone on with.
    pub spent_before: Spent,
    /// Whether entries may be lost; see [`Entry::Cut`].
    pub is_cut: bool,
    /// The steps that a person said to carry out all the same since then, and those that were added.
    pub trusted: BTreeSet<String>,
    /// Set when the last process stopped on purpose.
    pub ended: Option<(EndState, String)>,
}

impl State {
    /// Folds a whole journal; `None` when it does not begin with [`Entry::Started`].
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

    /// The task's state, if the journal speaks of it.
    pub fn task(&self, id: &TaskId) -> Option<&TaskState> {
        self.tasks.get(id.as_str())
    }

    /// Where a task stands.
    pub fn standing(&self, id: &TaskId) -> Standing {
        self.task(id).map(|task| task.standing).unwrap_or_default()
    }

    /// The announced side effects without an outcome: task and call number.
    pub fn open_intents(&self) -> impl Iterator<Item = (&str, usize, &Intent)> {
        self.tasks.iter().flat_map(|(id, task)| {
            let intents = task.intents.iter();
            intents.map(|(call, intent)| (id.as_str(), *call, intent))
        })
    }

    /// Which files count as changed by a step, though others were under way as well.
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

    /// What the commands of a step may write, where it goes beside others; `None`: as always.
    pub fn confined_to(&self, id: &str) -> Option<&[String]> {
        let task = self.tasks.get(id).filter(|task| task.is_shared())?;
        task.holds.as_deref()
    }

    /// Notes which steps are under way while this one begins.
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

    /// The tasks that are begun and not ended, in the order in which they were begun.
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

    /// What an earlier run recorded stands in the file already.
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

    /// A step comes to an end: nothing is asked about it, and answers given before say nothing about what
    /// comes after.
    fn end_task(&mut self, task: &str, standing: Standing) -> &mut TaskState {
        self.given.retain(|given| given.task != task);
        let state = self.entry(task);
        state.standing = standing;
        state.question = None;
        state
    }

    /// The same, for a step that fails.
    fn fail_task(&mut self, task: &str, reason: &str) -> &mut TaskState {
        let state = self.end_task(task, Standing::Failed);
        state.is_refused = false;
        state.reason = Some(reason.to_owned());
        state
    }

    /// What was allowed once is spent, a second word for the same request too.
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

    /// Folds one entry.
    pub fn apply(&mut self, entry: &Entry) {
        self.planning.apply(entry);
        self.proofs.apply(entry);
        match entry {
            Entry::StepsPlanned { .. }
            | Entry::StepsRefused { .. }
            | Entry::PlannerFaulted { .. }
            | Entry::GoalClaimed { .. }
            | Entry::GoalChecked { .. }
            | Entry::GoalRejected { .. } => {}
            Entry::Started(_) => {}
            Entry::BaselineChecked { task, outcome, .. } => self.entry(task).take_loss(outcome),
            Entry::Cut => {
                self.is_cut = true;
                self.trusted.clear();
                // What was said may have been used up since.
                self.given.clear();
                for task in self.tasks.values_mut() {
                    task.answers.clear();
                    // What came after it may have broken what it says.
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
                // What is different about the plan is looked at anew.
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
                // An earlier answer of this kind is spent: the question stands anew.
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
                // Without a call that was cut off it is about the whole step, and used up here.
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
                // The latest word counts.
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
                // What was asked was asked for a call of the attempt before.
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
                    // Found out after a crash: what it said is not known any more.
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
                // What happened since it ended is not its own.
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
                    // It is a group from now on, which is not carried out itself.
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
                // The step is open again; going on asks first, as after a failure.
                self.edits
                    .retain(|edit| !matches!(edit, PlanEdit::Tick { task: of } if of == task));
                let state = self.entry(task);
                state.undone = true;
                state.lost = None;
                state.standing = Standing::Failed;
                state.is_refused = false;
                state.reason = Some("its changes were taken back".to_owned());
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
