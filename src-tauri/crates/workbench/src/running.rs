//! `run` and `resume`: carry out an approved revision.
//!
//! Anything that can refuse a run does so before the first journal entry and without changing a
//! file.

mod driver_setup;
pub(crate) mod step_executors;

use std::path::{Path, PathBuf};

use agent::journal::{EndState, Entry};
use agent::micro_planning::{HandOverChoice, RunChoice};
use agent::pending_answers::GivenAnswer;
use gate::answers::Answers;
use gate::policy::Policy;
use tools::sandbox::CancelToken;

use crate::approval::{self, Admitted, ApprovalRequest, Refusal};
use crate::driver::Sink;
use crate::endpoints::ModelAccess;
use crate::error::Result;
use crate::lease::RunLease;
use crate::opening::{RecordedRun, Terms, open_steps};
use crate::plan_file;
use crate::run_control::RunControl;
use crate::wire::RunEvent;
use crate::{Workbench, checking, ids, journal_rows};

pub use step_executors::{HandOverTo, StepExecutors};

/// Length of a run ID: 8 characters, 40 bits. If an ID is taken, another one is generated.
pub const RUN_ID_LENGTH: usize = 8;

/// The sequence number of a journal's first entry.
pub(crate) const FIRST_ENTRY: i64 = 1;

/// The parameters of a new run.
#[derive(Debug, Clone)]
pub struct RunRequest {
    /// The path of the plan file.
    pub file: PathBuf,
    /// The approved revision, as the first 12 or more digits of its hash.
    pub revision: String,
    /// The workspace folder; if absent, derived from the plan's location.
    pub workspace: Option<PathBuf>,
    /// How often to ask for approval; `None` uses the settings, else `all`.
    pub policy: Option<Policy>,
    /// The last step to carry out; `None` for all.
    pub upto: Option<String>,
    /// A file with prepared answers.
    pub answers: Option<PathBuf>,
    /// The reason for running steps that the quality gate blocks, or a thin plan despite
    /// enforcement.
    pub reason: Option<String>,
    /// The number of parallel steps, 1 to 4.
    pub parallel: u8,
    /// The model for steps without `call:` lines.
    pub model: ModelChoice,
    /// The planning strategy and the limits of the run.
    pub choice: RunChoice,
    /// The command that carries out steps without `call:` lines instead of a model.
    pub hand_over: Option<HandOverChoice>,
}

/// Which model writes a plan or carries out the steps of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ModelChoice {
    /// The configured model, if any.
    #[default]
    Configured,
    /// The model with this name, at the configured endpoint.
    Named(String),
    /// No model: rules write the plan, and steps without `call:` lines are left to a person.
    None,
}

impl ModelChoice {
    /// A client for the chosen model; `None` if there is none.
    pub(crate) fn access(&self, bench: &Workbench) -> Result<Option<ModelAccess>> {
        match self {
            Self::None => Ok(None),
            Self::Configured => bench.model_access(None),
            Self::Named(name) => bench.model_access(Some(name)),
        }
    }

    /// The run's options with this model, for the journal.
    pub(crate) fn record_in(&self, choice: &RunChoice) -> RunChoice {
        RunChoice {
            model: match self {
                Self::Configured => choice.model.clone(),
                Self::Named(name) => Some(name.clone()),
                Self::None => Some(String::new()),
            },
            ..choice.clone()
        }
    }

    /// This choice if explicit, else the one in the run's journal.
    pub(crate) fn or_recorded(self, choice: &RunChoice) -> Self {
        match (self, choice.model.as_deref()) {
            (Self::Configured, Some("")) => Self::None,
            (Self::Configured, Some(name)) => Self::Named(name.to_owned()),
            (asked, _) => asked,
        }
    }
}

/// The input for resuming a run.
#[derive(Debug, Clone)]
pub struct ResumeRequest {
    /// The run's ID or a prefix of it.
    pub run: String,
    /// A file with prepared answers.
    pub answers: Option<PathBuf>,
    /// The model for steps without `call:` lines.
    pub model: ModelChoice,
    /// The command that carries out steps without `call:` lines instead of a model.
    pub hand_over: Option<HandOverChoice>,
}

impl Workbench {
    /// Carries out the approved revision of a plan until it is done or waits for a person. Fails if
    /// the run is refused before it starts (see [`crate::Code`]); later failures are in the journal
    /// and the [`EndState`].
    pub fn run(
        &mut self,
        request: &RunRequest,
        cancel: &CancelToken,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        self.run_controlled(request, &RunControl::unattended(cancel), sink)
    }

    /// Like [`Workbench::run`], for a run that can be steered. Messages that weren't handled by the
    /// end remain in [`RunControl::take_unused`].
    pub fn run_controlled(
        &mut self,
        request: &RunRequest,
        control: &RunControl,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        control.while_open(Vec::new(), || self.begin_run(request, control, sink))
    }

    fn begin_run(
        &mut self,
        request: &RunRequest,
        control: &RunControl,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        let answers = self.read_answers(request.answers.as_deref())?;
        let (workspace, named) = (request.workspace.as_deref(), Some(&*request.revision));
        let mut opened = self.open_approved(&request.file, workspace, named)?;
        let key = opened.file.key();
        plan_file::record_found(&self.store, &key, &opened.content, self.clock.now_ms())?;
        let reason = request.reason.clone();
        let reason = reason.filter(|reason| !reason.trim().is_empty());
        let upto = request.upto.as_deref();
        let facts = self.facts_in(&opened.workspace, &opened.settings, &key, &opened.plan);
        let report = checking::report(&opened.plan, &opened.problems, &facts);
        let asked = ApprovalRequest {
            revision: &request.revision,
            upto,
            reason: reason.as_deref(),
            is_to_run: true,
        };
        let Admitted {
            approval,
            is_overridden: is_thin,
        } = match self.admit(&opened, &asked, &report) {
            Ok(admitted) => admitted,
            Err(Refusal::NotCovered { message, uncovered }) => {
                return Ok(refuse(sink, EndState::NotCovered, message, uncovered));
            }
            Err(Refusal::NeedsReason(objection)) => {
                let message = format!("{objection}; fix it, or override it with --reason");
                sink(RunEvent::Waiting {
                    kind: "thin".to_owned(),
                    id: "plan".to_owned(),
                    options: Vec::new(),
                    message: message.clone(),
                    tool: None,
                    matches: None,
                    subjects: Vec::new(),
                });
                return Ok(refuse(sink, EndState::Waiting, message, Vec::new()));
            }
            Err(Refusal::Error(error)) => return Err(error),
        };
        let steps = open_steps(&approval.plan, upto);

        let policy = opened.settings.policy_for(request.policy, Policy::All);
        let sandbox = self.sandbox_for(&opened.settings);
        let run = ids::random(RUN_ID_LENGTH)?;
        let lease = self.lease(&key, opened.workspace.path(), &run)?;
        let terms = Terms {
            approval: &approval,
            policy,
            upto,
            reason: reason.as_deref(),
            parallel: request.parallel,
            sandbox: sandbox.tier().as_str(),
            choice: RunChoice {
                hand_over: request.hand_over.clone(),
                ..request.model.record_in(&request.choice)
            },
            shown_ms: None,
        };
        let started = self.record_run(&mut opened, &run, &terms, &lease);
        if let Some(reason) = &reason {
            self.keep_override(&opened, &steps, is_thin.then_some(&report), reason)?;
        }
        let ended = started.and_then(|()| {
            sink(RunEvent::Started {
                run: run.clone(),
                plan: key.clone(),
                revision: approval.revision.clone(),
                workspace: opened.workspace.path().display().to_string(),
                policy: policy.as_str().to_owned(),
                sandbox: sandbox.tier().as_str().to_owned(),
                parallel: request.parallel.clamp(1, agent::file_locks::MAX_PARALLEL),
            });
            let executors = StepExecutors::new(&request.model, request.hand_over.as_ref());
            self.drive(
                &run, opened, answers, reason, sandbox, &executors, control, sink,
            )
        });
        self.release(lease)?;
        ended
    }

    /// Carries out a run that was recorded, then releases its lease. An error means the run was
    /// aborted; failures of steps are in the journal.
    pub fn run_written(
        &mut self,
        written: RecordedRun,
        control: &RunControl,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        let RecordedRun {
            run,
            opened,
            reason,
            sandbox,
            lease,
        } = written;
        let (answers, executors) = (Answers::default(), &StepExecutors::default());
        let ended = control.while_open(Vec::new(), || {
            self.drive(
                &run, opened, answers, reason, sandbox, executors, control, sink,
            )
        });
        self.release(lease)?;
        ended
    }

    /// Resumes a run where it stopped. Fails with [`crate::Code::UnknownRun`] for an unknown ID;
    /// otherwise as [`Workbench::run`].
    pub fn resume(
        &mut self,
        request: &ResumeRequest,
        cancel: &CancelToken,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        self.resume_answered(request, Vec::new(), cancel, sink)
    }

    /// Like [`Workbench::resume`], with answers to the run's open questions.
    pub fn resume_answered(
        &mut self,
        request: &ResumeRequest,
        answers: Vec<GivenAnswer>,
        cancel: &CancelToken,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        let from_file = self.read_answers(request.answers.as_deref())?;
        let control = RunControl::unattended(cancel);
        let executors = StepExecutors::new(&request.model, request.hand_over.as_ref());
        control.while_open(answers, || {
            self.resume_run(&request.run, from_file, &executors, &control, sink)
        })
    }

    /// Resumes a run with answers, and lets it be steered. Answers not recorded in the journal
    /// remain in [`RunControl::take_unused`].
    pub fn resume_controlled(
        &mut self,
        run: &str,
        answers: Vec<GivenAnswer>,
        control: &RunControl,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        let (from_file, executors) = (Answers::default(), StepExecutors::default());
        control.while_open(answers, || {
            self.resume_run(run, from_file, &executors, control, sink)
        })
    }

    pub(crate) fn resume_run(
        &mut self,
        run: &str,
        answers: Answers,
        executors: &StepExecutors,
        control: &RunControl,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        let row = self.find_run(run)?;
        if !Path::new(&row.plan).exists() {
            return Err(err!(UnusablePlan:
                "the plan of run {0} is no longer at {1}. Move it back and resume, or run `planwright discard {0}` \
                 and start a new run from the plan's current location", row.id, row.plan));
        }
        let lease = self.lease(&row.plan, Path::new(&row.workspace), &row.id)?;
        let ended = self.resume_leased(&row, &lease, answers, executors, control, sink);
        self.release(lease)?;
        ended
    }

    pub(crate) fn resume_leased(
        &mut self,
        row: &store::Run,
        lease: &RunLease,
        answers: Answers,
        executors: &StepExecutors,
        control: &RunControl,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        let workspace = PathBuf::from(&row.workspace);
        if row.state == EndState::Discarded.as_str() {
            return Err(err!(NotRunnable:
                "run {} was discarded and can't be resumed; approve the plan again to run it", row.id));
        }
        let mut opened = self.open_plan(Path::new(&row.plan), Some(&workspace))?;
        // A reason given with the approval applies to the whole run.
        let approval = self.store.approvals().of_run(&row.id)?.pop();
        let (upto, reason) = approval
            .map(|row| (row.upto, row.reason))
            .unwrap_or_default();
        let sandbox = self.sandbox_for(&opened.settings);
        let next_seq = self.store.journal().next_seq(&row.id)?;
        if next_seq == FIRST_ENTRY {
            // The process ended before the first entry: nothing was done, and the approval is still
            // valid.
            let key = opened.file.key();
            let approval = approval::resolve(&self.store, &key, &row.revision, &opened.content)?;
            let policy = Policy::from_name(&row.policy).unwrap_or(Policy::Each);
            let (upto, reason) = (upto.as_deref(), reason.as_deref());
            let sandbox = sandbox.tier().as_str();
            let terms = Terms {
                approval: &approval,
                policy,
                upto,
                reason,
                // The chosen options were lost with the entry; these defaults are always safe.
                parallel: 1,
                sandbox,
                choice: RunChoice::default(),
                shown_ms: None,
            };
            self.begin_journal(&mut opened, &row.id, &terms, lease)?;
        } else {
            let next_seq = self.withdraw_gone(&row.id, next_seq)?;
            let entry = Entry::Resumed {
                sandbox: sandbox.tier().as_str().to_owned(),
            };
            let now = self.clock.now_ms();
            journal_rows::append(&self.store, &row.id, next_seq, &[entry], now)?;
        }
        sink(RunEvent::Started {
            run: row.id.clone(),
            plan: row.plan.clone(),
            revision: row.revision.clone(),
            workspace: row.workspace.clone(),
            policy: row.policy.clone(),
            sandbox: sandbox.tier().as_str().to_owned(),
            parallel: self.parallel_of(&row.id)?,
        });
        self.drive(
            &row.id, opened, answers, reason, sandbox, executors, control, sink,
        )
    }
}

fn refuse(
    sink: Sink<'_>,
    state: EndState,
    message: String,
    uncovered: Vec<crate::wire::UncoveredStep>,
) -> EndState {
    sink(RunEvent::Ended {
        run: None,
        state,
        message,
        uncovered,
    });
    state
}
