//! `run` and `resume`: carry out an approved revision.
//!
//! Anything that can refuse a run does so before the first journal entry and without changing a
//! file.

mod driving;
pub(crate) mod handing;

use std::path::{Path, PathBuf};

use agent::given::GivenAnswer;
use agent::journal::{EndState, Entry};
use agent::micro_planning::{HandOverChoice, RunChoice};
use gate::answers::Answers;
use gate::policy::Policy;
use tools::sandbox::CancelToken;

use crate::approval::{self, Admitted, Asked, Refusal};
use crate::driver::Sink;
use crate::endpoints::ModelAccess;
use crate::error::Result;
use crate::lease::RunLease;
use crate::opening::{Terms, Written, open_steps};
use crate::plan_file;
use crate::run_control::RunControl;
use crate::wire::RunEvent;
use crate::{Workbench, checking, ids, journal_rows};

pub use handing::{Hands, executor_for};

/// Length of a run ID: 8 characters, 40 bits; drawn again if taken.
pub const RUN_ID_LENGTH: usize = 8;

/// The sequence number of a journal's first entry.
pub(crate) const FIRST_ENTRY: i64 = 1;

/// The parameters of a new run.
#[derive(Debug, Clone)]
pub struct RunRequest {
    /// The plan file.
    pub file: PathBuf,
    /// The approved revision: 12 digits or more of its hash.
    pub revision: String,
    /// The workspace folder; if absent, derived from the plan's location.
    pub workspace: Option<PathBuf>,
    /// How often to ask; `None` uses the settings, else `all`.
    pub policy: Option<Policy>,
    /// The last task to carry out; `None` for all.
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
    /// When steps are planned, and where the run stops.
    pub choice: RunChoice,
    /// What carries out such steps instead of a model.
    pub hand_over: Option<HandOverChoice>,
}

/// Which model writes a plan or carries out the steps of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ModelChoice {
    /// The configured model, if any.
    #[default]
    Configured,
    /// This model, at the configured endpoint.
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
    fn within(&self, choice: &RunChoice) -> RunChoice {
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
    pub(crate) fn or_of(self, choice: &RunChoice) -> Self {
        match (self, choice.model.as_deref()) {
            (Self::Configured, Some("")) => Self::None,
            (Self::Configured, Some(name)) => Self::Named(name.to_owned()),
            (asked, _) => asked,
        }
    }
}

/// The parameters for resuming a run.
#[derive(Debug, Clone)]
pub struct ResumeRequest {
    /// The run's ID or a prefix of it.
    pub run: String,
    /// A file with prepared answers.
    pub answers: Option<PathBuf>,
    /// The model for steps without `call:` lines.
    pub model: ModelChoice,
    /// What carries out such steps instead of a model.
    pub hand_over: Option<HandOverChoice>,
}

impl Workbench {
    /// Carries out the approved revision of a plan until it is done or waits for a person.
    ///
    /// # Errors
    /// Anything that refuses a run before it starts: see [`crate::Code`]. Later failures are in the
    /// journal and the [`EndState`].
    pub fn run(
        &mut self,
        request: &RunRequest,
        cancel: &CancelToken,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        self.run_controlled(request, &RunControl::unattended(cancel), sink)
    }

    /// As [`Workbench::run`], for a run that can be steered. Messages that weren't handled by the
    /// end remain in [`RunControl::take_unused`].
    pub fn run_controlled(
        &mut self,
        request: &RunRequest,
        control: &RunControl,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        control.open(Vec::new());
        let ended = self.begin_run(request, control, sink);
        control.close();
        ended
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
        let reason = request
            .reason
            .clone()
            .filter(|reason| !reason.trim().is_empty());
        let upto = request.upto.as_deref();
        let facts = self.facts_in(&opened.workspace, &opened.settings, &key, &opened.plan);
        let report = checking::report(&opened.plan, &opened.problems, &facts);
        let asked = Asked {
            revision: &request.revision,
            upto,
            reason: reason.as_deref(),
            is_to_run: true,
        };
        let admitted = match self.admit(&opened, &asked, &report) {
            Ok(admitted) => admitted,
            Err(Refusal::NotCovered { message, uncovered }) => {
                return Ok(refuse(sink, EndState::NotCovered, message, uncovered));
            }
            Err(Refusal::NeedsReason(objection)) => {
                let message = format!("{objection}; fix it, or say with --reason why it may run");
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
        let Admitted {
            approval,
            is_overridden: is_thin,
        } = admitted;
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
                ..request.model.within(&request.choice)
            },
            shown_ms: None,
        };
        let started = self.write_down(&mut opened, &run, &terms, &lease);
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
                parallel: request.parallel.clamp(1, agent::holding::MOST),
            });
            let hands = Hands {
                model: request.model.clone(),
                over: request.hand_over.clone(),
            };
            self.drive(
                &run, opened, answers, reason, sandbox, &hands, control, sink,
            )
        });
        self.release(lease)?;
        ended
    }

    /// Carries out a run that was recorded, then releases its lease. An error means the run was
    /// aborted; failures of steps are in the journal.
    pub fn run_written(
        &mut self,
        written: Written,
        control: &RunControl,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        let Written {
            run,
            opened,
            reason,
            sandbox,
            lease,
        } = written;
        control.open(Vec::new());
        let answers = Answers::default();
        let hands = &Hands::default();
        let ended = self.drive(&run, opened, answers, reason, sandbox, hands, control, sink);
        control.close();
        self.release(lease)?;
        ended
    }

    /// Resumes a run where it stopped.
    ///
    /// # Errors
    /// [`crate::Code::UnknownRun`] for an unknown ID; otherwise as [`Workbench::run`].
    pub fn resume(
        &mut self,
        request: &ResumeRequest,
        cancel: &CancelToken,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        let answers = self.read_answers(request.answers.as_deref())?;
        let control = RunControl::unattended(cancel);
        let hands = Hands {
            model: request.model.clone(),
            over: request.hand_over.clone(),
        };
        self.take_up(&request.run, answers, &hands, &control, sink)
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
        control.open(answers);
        let hands = &Hands::default();
        let ended = self.take_up(run, Answers::default(), hands, control, sink);
        control.close();
        ended
    }

    pub(crate) fn take_up(
        &mut self,
        run: &str,
        answers: Answers,
        hands: &Hands,
        control: &RunControl,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        let row = self.find_run(run)?;
        if !Path::new(&row.plan).exists() {
            return Err(err!(UnusablePlan:
                "the plan of run {0} is no longer at {1}. Move it back and resume again, or drop the run with \
                 `planwright discard {0}` and run the plan from where it is now", row.id, row.plan));
        }
        let lease = self.lease(&row.plan, Path::new(&row.workspace), &row.id)?;
        let ended = self.resume_leased(&row, &lease, answers, hands, control, sink);
        self.release(lease)?;
        ended
    }

    fn resume_leased(
        &mut self,
        row: &store::Run,
        lease: &RunLease,
        answers: Answers,
        hands: &Hands,
        control: &RunControl,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        let workspace = PathBuf::from(&row.workspace);
        if row.state == EndState::Discarded.as_str() {
            return Err(err!(NotRunnable:
                "run {} was discarded and cannot be resumed; approve the plan again to run it", row.id));
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
            &row.id, opened, answers, reason, sandbox, hands, control, sink,
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
