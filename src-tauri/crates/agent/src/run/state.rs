//! What a journal amounts to: a pure fold over its entries.

use std::collections::{BTreeMap, BTreeSet};

use plan::TaskId;

use crate::answers::{Answer, Grant};
use crate::given::GivenAnswer;
use crate::journal::{
    CallOutcome, Changes, EndState, Entry, PlanEdit, Signature, SkippedBy, Started,
};
use crate::question::{PermissionRequest, Question, QuestionKind};

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
    /// What is asked now.
    pub question: Option<Question>,
    /// Answers, by kind of question.
    pub answers: BTreeMap<QuestionKind, Answer>,
    /// The reason with which the quality gate was passed.
    pub overridden: Option<String>,
    /// Why it failed or was skipped.
    pub reason: Option<String>,
    /// What it changed.
    pub changes: Changes,
    /// Who signed.
    pub signed: Option<Signature>,
    /// The request that the last permission was given for.
    pub permitted: Option<PermissionRequest>,
    /// The label chosen, for a decision.
    pub decided: Option<String>,
    /// How often it was tried, the present time included.
    pub attempts: u32,
    /// Whether its changes were taken back.
    pub undone: bool,
}

/// What is known of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// How it began.
    pub started: Started,
    /// The fingerprint under which each step is approved.
    pub covered: BTreeMap<String, String>,
    /// The earlier fingerprints of each approved step that the app's own writes moved: a step reads
    /// the same under all of them.
    pub earlier: BTreeMap<String, BTreeSet<String>>,
    /// Answers that wait for their question, in the order in which they were given.
    pub given: Vec<GivenAnswer>,
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
    /// Whether entries may be lost; see [`Entry::Cut`].
    pub is_cut: bool,
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
            covered: started.covered.clone(),
            revision: started
                .found
                .clone()
                .unwrap_or_else(|| started.revision.clone()),
            sandbox: started.sandbox.clone(),
            started: started.clone(),
            earlier: BTreeMap::new(),
            given: Vec::new(),
            tasks: BTreeMap::new(),
            order: Vec::new(),
            edits: BTreeSet::new(),
            granted: BTreeSet::new(),
            is_cut: false,
            ended: None,
        };
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

    /// The first announced side effect without an outcome: task and call number.
    pub fn open_intent(&self) -> Option<(&str, usize, &Intent)> {
        self.tasks.iter().find_map(|(id, task)| {
            task.intents
                .iter()
                .next()
                .map(|(call, intent)| (id.as_str(), *call, intent))
        })
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

    /// Takes over the fingerprints that a write of the app's own moved.
    fn cover(&mut self, moved: &BTreeMap<String, String>) {
        for (task, print) in moved {
            let before = self.covered.insert(task.clone(), print.clone());
            if let Some(before) = before {
                self.earlier.entry(task.clone()).or_default().insert(before);
            }
        }
    }

    /// Whether a step whose fingerprint is `now` is the one that a person saw as `seen`: the same,
    /// or moved since by nothing but the app's own writes.
    pub fn reads_as(&self, task: &str, now: Option<&str>, seen: &str) -> bool {
        now == Some(seen)
            || (now.is_some()
                && now == self.covered.get(task).map(String::as_str)
                && self
                    .earlier
                    .get(task)
                    .is_some_and(|prints| prints.contains(seen)))
    }

    /// Answers given before a step came to an end say nothing about what comes after.
    fn forget_given(&mut self, task: &str) {
        self.given.retain(|given| given.task != task);
    }

    /// What was allowed once is spent, a second word for the same request too.
    fn spend_permission(&mut self, task: &str) {
        let permitted = self.entry(task).permitted.take();
        if permitted.is_some() {
            let request = permitted.as_ref();
            self.given
                .retain(|given| !given.answers(task, QuestionKind::Permission, request));
        }
    }

    /// Folds one entry.
    pub fn apply(&mut self, entry: &Entry) {
        match entry {
            Entry::Started(_) => {}
            Entry::Cut => self.is_cut = true,
            Entry::Resumed { sandbox } => {
                self.sandbox.clone_from(sandbox);
                self.ended = None;
                let intents = self.tasks.values_mut().flat_map(|task| &mut task.intents);
                intents.for_each(|(_, intent)| intent.is_cut_off = true);
            }
            Entry::PlanChanged { revision, covered } => {
                self.revision.clone_from(revision);
                self.cover(covered);
            }
            Entry::TaskStarted { task } => {
                if !self.order.contains(task) {
                    self.order.push(task.clone());
                }
                let state = self.entry(task);
                state.standing = Standing::Running;
                state.attempts = state.attempts.max(1);
                state.question = None;
            }
            Entry::CheckpointTaken { task } => self.entry(task).has_checkpoint = true,
            Entry::Overridden { task, reason, .. } => {
                let state = self.entry(task);
                state.overridden = Some(reason.clone());
                state.question = None;
            }
            Entry::Asked { question } => {
                self.given.retain(|given| !given.is_for(question));
                let state = self.entry(&question.task);
                // An earlier answer of this kind is spent: the question stands anew.
                state.answers.remove(&question.question);
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
                state.answers.insert(*question, answer.clone());
                if *question == QuestionKind::Permission {
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
            Entry::Finished {
                task,
                call,
                outcome,
            } => {
                self.spend_permission(task);
                let state = self.entry(task);
                state.intents.remove(call);
                state.question = None;
                state.answers.remove(&QuestionKind::Unknown);
                state.answers.remove(&QuestionKind::Permission);
                state.calls.insert(*call, outcome.clone());
            }
            Entry::Checked {
                task,
                check,
                outcome,
            } => {
                self.spend_permission(task);
                let state = self.entry(task);
                state.answers.remove(&QuestionKind::Permission);
                state.checks.insert(*check, outcome.clone());
            }
            Entry::Done {
                task,
                changes,
                signed,
            } => {
                if !self.order.contains(task) {
                    self.order.push(task.clone());
                }
                self.forget_given(task);
                let state = self.entry(task);
                state.standing = Standing::Done;
                state.changes = changes.clone();
                state.signed.clone_from(signed);
                state.question = None;
            }
            Entry::Failed { task, reason } => {
                self.forget_given(task);
                let state = self.entry(task);
                state.standing = Standing::Failed;
                state.reason = Some(reason.clone());
                state.question = None;
            }
            Entry::Retried { task } => {
                let state = self.entry(task);
                state.standing = Standing::Running;
                state.attempts += 1;
                state.calls.retain(|_, outcome| outcome.ok);
                state.checks.clear();
                state.question = None;
                state.answers.remove(&QuestionKind::Failure);
                state.answers.remove(&QuestionKind::Permission);
            }
            Entry::Skipped { task, reason, by } => {
                self.forget_given(task);
                let state = self.entry(task);
                state.standing = Standing::Skipped(*by);
                state.reason = Some(reason.clone());
                state.question = None;
                state.intents.clear();
            }
            Entry::Decided { task, label } => {
                self.forget_given(task);
                let state = self.entry(task);
                state.standing = Standing::Done;
                state.decided = Some(label.clone());
                state.question = None;
            }
            Entry::PlanEdited {
                edit,
                revision,
                covered,
            } => {
                self.edits.insert(edit.clone());
                self.revision.clone_from(revision);
                self.cover(covered);
            }
            Entry::Undone { task, .. } => {
                // The step is open again; going on asks first, as after a failure.
                self.edits
                    .retain(|edit| !matches!(edit, PlanEdit::Tick { task: of } if of == task));
                let state = self.entry(task);
                state.undone = true;
                state.standing = Standing::Failed;
                state.reason = Some("its changes were taken back".to_owned());
                state.calls.clear();
                state.checks.clear();
                state.signed = None;
                state.has_checkpoint = false;
                state.answers.clear();
            }
            Entry::Ended { state, message } => self.ended = Some((*state, message.clone())),
        }
    }
}
