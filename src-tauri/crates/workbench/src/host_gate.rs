//! The gate for agent programs that carry out an approved plan themselves, such as Claude Code.
//!
//! The agent's hook asks before each call. The first call opens a run of the revision that the
//! person approved in this conversation; the agent carries out its steps. Each call is recorded in
//! the run's journal, and the run is driven until the call is answered or waits for the person. So
//! there is only one gate and one journal, and everything works as in any other run, whichever
//! process drives it: readiness, coverage, questions and answers in the window or terminal, checks,
//! ticks, the receipt and undo. The alternatives would need a second gate (judging calls by the
//! plan alone) or a process that lives as long as the conversation (a session whose model is the
//! agent).
//!
//! A call is allowed only by [`HostAnswer::Allowed`] in the journal. If the process that waits for
//! a call has ended, the next process to drive the run withdraws the call.

mod conversation;
mod targets;
mod waiters;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agent::host_answer::HostAnswer;
use agent::journal::{EndState, Entry};
use agent::micro_planning::{HostChoice, RunChoice};
use gate::answers::Answers;
use gate::policy::Policy;
use plan::ToolCall;

use crate::approval::ApprovalRequest;
use crate::error::{Code, Error, Result};
use crate::opening::{Opened, Terms};
use crate::plan_file;
use crate::run_control::RunControl;
use crate::running::{ModelChoice, RUN_ID_LENGTH, StepExecutors};
use crate::{Workbench, checking, environment, ids, journal_rows};

pub use conversation::{GatedPlan, Gating, HostConversation};
pub use targets::only_reads;

/// How long to wait while another process drives the run.
const BUSY_LIMIT: Duration = Duration::from_secs(120);

/// How often to check whether it is still driving the run.
const BUSY_INTERVAL: Duration = Duration::from_millis(50);

/// Maximum length of a call's argument, in bytes; arguments are stored, and shown to the person.
const MAX_ARGUMENT: usize = 1 << 20;

/// Maximum number of calls in one event.
const MAX_CALLS: usize = 50;

/// A request from an agent to the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateRequest {
    /// Make these calls.
    Calls(Vec<ToolCall>),
    /// End the turn.
    EndTurn {
        /// Whether an earlier attempt to end the turn was answered with the next step. If so, the
        /// turn may end now.
        is_last: bool,
    },
}

/// The result of the requests of one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateOutcome {
    /// A person still has to answer.
    Waiting,
    /// The agent may make the calls; contains the reason, one sentence.
    Allowed(String),
    /// The agent may not make the calls; contains the person's message, or the reason.
    Refused(String),
    /// The agent should continue instead of ending its turn; contains the next instructions.
    Continue(String),
    /// Nothing to answer.
    Nothing,
}

/// The requests of one event, as recorded in the journal of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateRequests {
    /// The run's ID.
    pub run: String,
    /// Absolute path of the plan file, which the window opens.
    pub plan: PathBuf,
    revision: String,
    numbers: Vec<usize>,
}

impl Workbench {
    /// Checks calls that an agent makes in this folder, and returns them with links in paths
    /// resolved. Refuses calls to write files that no call may write.
    ///
    /// # Errors
    /// [`Code::Usage`] with a reason for the agent; as [`Workbench::open_plan`].
    pub fn resolve_calls(
        &self,
        gated: &GatedPlan,
        folder: &Path,
        calls: Vec<ToolCall>,
    ) -> Result<Vec<ToolCall>> {
        if calls.len() > MAX_CALLS {
            return Err(
                err!(Usage: "more than {MAX_CALLS} changes at once; make them one at a time"),
            );
        }
        for value in calls.iter().flat_map(|call| call.arguments.values()) {
            if value.as_str().is_some_and(|text| text.len() > MAX_ARGUMENT) {
                return Err(
                    err!(Usage: "the change is larger than 1 MiB; split it into smaller changes"),
                );
            }
        }
        let opened = self.open_plan(&gated.plan, Some(&gated.workspace))?;
        for plan in self.plan_files(&opened)? {
            opened.workspace.protect(&plan)?;
        }
        let calls = calls.into_iter();
        calls
            .map(|call| targets::resolved(&opened.workspace, folder, call))
            .collect()
    }

    /// Submits a request to the run of a gated plan, and drives the run until it needs a person.
    /// The first request opens the run.
    ///
    /// # Errors
    /// As [`Workbench::run`] and [`Workbench::resume`]. On an error, nothing is allowed.
    pub fn ask_gate(
        &mut self,
        gated: &GatedPlan,
        request: &GateRequest,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<GateRequests> {
        let run = match &gated.run {
            Some(run) => run.clone(),
            None => self.open_host_run(gated, is_cancelled)?,
        };
        let numbers = self.drive_for_host(&run, Some(request), is_cancelled)?;
        Ok(GateRequests {
            run,
            plan: gated.plan.clone(),
            revision: gated.revision.clone(),
            numbers,
        })
    }

    /// The current result of the requests. If no process drives the run and it isn't waiting for a
    /// person, drives it once more.
    ///
    /// # Errors
    /// [`Code::Storage`]; as [`Workbench::resume`].
    pub fn gate_outcome(
        &mut self,
        asked: &GateRequests,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<GateOutcome> {
        let outcome = self.answers_to(asked)?;
        if outcome != GateOutcome::Waiting {
            return Ok(outcome);
        }
        let row = self.find_run(&asked.run)?;
        let state = self.live_state(&row)?;
        match state.as_str() {
            "waiting" | "running" => Ok(GateOutcome::Waiting),
            "discarded" => Ok(GateOutcome::Refused(
                "The run of the approved plan was discarded in Planwright. Stop here.".to_owned(),
            )),
            _ => {
                self.drive_for_host(&asked.run, None, is_cancelled)?;
                match self.answers_to(asked)? {
                    GateOutcome::Waiting
                        if self.live_state(&self.find_run(&asked.run)?)? != "waiting" =>
                    {
                        Ok(GateOutcome::Refused(format!(
                            "The run of the approved plan is {state}."
                        )))
                    }
                    outcome => Ok(outcome),
                }
            }
        }
    }

    /// Whether the run of a gated plan is waiting for a person.
    ///
    /// # Errors
    /// [`Code::Storage`].
    pub fn gate_waits(&self, gated: &GatedPlan) -> Result<bool> {
        let Some(run) = &gated.run else {
            return Ok(false);
        };
        Ok(self.live_state(&self.find_run(run)?)? == "waiting")
    }

    /// Withdraws requests that are still open, because the agent no longer waits for them, and
    /// pauses the run.
    ///
    /// # Errors
    /// [`Code::PlanIsRunning`] while another process drives the run; that process withdraws them
    /// later.
    pub fn withdraw_from_gate(&mut self, asked: &GateRequests, reason: &str) -> Result<()> {
        let row = self.find_run(&asked.run)?;
        let lease = self.lease(&row.plan, Path::new(&row.workspace), &row.id)?;
        let withdrawn = self.withdraw_leased(&row.id, asked, reason);
        self.release(lease)?;
        withdrawn
    }

    fn withdraw_leased(&self, run: &str, asked: &GateRequests, reason: &str) -> Result<()> {
        let Some(state) = self.state_of(run)? else {
            return Ok(());
        };
        let open = state.host.open().map(|(number, _)| number);
        let mut entries: Vec<Entry> = open
            .filter(|number| asked.numbers.contains(number))
            .map(|number| Entry::HostAnswered {
                number,
                answer: HostAnswer::Withdrawn {
                    reason: reason.to_owned(),
                },
            })
            .collect();
        if entries.is_empty() {
            return Ok(());
        }
        let paused = EndState::Paused;
        entries.push(Entry::Ended {
            state: paused,
            message: format!("paused: {reason}"),
        });
        let now = self.clock.now_ms();
        let next_seq = self.store.journal().next_seq(run)?;
        journal_rows::append(&self.store, run, next_seq, &entries, now)?;
        Ok(self.store.runs().set_state(run, paused.as_str(), now)?)
    }

    /// Combines the answers to all requests: any refusal refuses them all, and all have to be
    /// allowed.
    fn answers_to(&self, asked: &GateRequests) -> Result<GateOutcome> {
        let Some(state) = self.state_of(&asked.run)? else {
            return Ok(GateOutcome::Waiting);
        };
        let answer = |number: &usize| state.host.get(*number)?.answer.clone();
        let answers: Vec<Option<HostAnswer>> = asked.numbers.iter().map(answer).collect();
        let revision = asked.revision.get(..12).unwrap_or(&asked.revision);
        let mut allowed = GateOutcome::Nothing;
        for answer in answers.iter().flatten() {
            match answer {
                HostAnswer::Allowed { task, is_named } => {
                    allowed = GateOutcome::Allowed(match is_named {
                        true => format!(
                            "Covered by step {task} of the approved plan (revision {revision})."
                        ),
                        false => format!(
                            "Allowed in Planwright for step {task} of the approved plan (revision {revision})."
                        ),
                    });
                }
                HostAnswer::Refused { reason, words, .. } => {
                    let told = words.clone().unwrap_or_else(|| reason.clone());
                    return Ok(GateOutcome::Refused(told));
                }
                HostAnswer::Withdrawn { reason } => {
                    return Ok(GateOutcome::Refused(format!("Not allowed: {reason}.")));
                }
                HostAnswer::Continue { message, .. } => {
                    return Ok(GateOutcome::Continue(message.clone()));
                }
                HostAnswer::Ended => {}
            }
        }
        Ok(match answers.iter().all(Option::is_some) {
            true => allowed,
            false => GateOutcome::Waiting,
        })
    }

    /// Records requests and drives the run, after waiting for any other process that drives it.
    fn drive_for_host(
        &mut self,
        run: &str,
        request: Option<&GateRequest>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Vec<usize>> {
        let row = self.find_run(run)?;
        let workspace = Path::new(&row.workspace);
        let lease = until_free(is_cancelled, || self.lease(&row.plan, workspace, &row.id))?;
        let driven = self.record_requests(&row.id, request).and_then(|numbers| {
            // A signal to the hook doesn't cancel the run.
            let control = RunControl::unattended(&environment::token()?);
            let (answers, executors) = (Answers::default(), StepExecutors::default());
            control.while_open(Vec::new(), || {
                self.resume_leased(&row, &lease, answers, &executors, &control, &mut |_| {})
            })?;
            Ok(numbers)
        });
        self.release(lease)?;
        driven
    }

    /// Opens a run of the approved revision, with the agent carrying out the steps; returns its ID.
    fn open_host_run(
        &mut self,
        gated: &GatedPlan,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<String> {
        let named = Some(gated.revision.as_str());
        let mut opened = self.open_approved(&gated.plan, Some(&gated.workspace), named)?;
        let key = opened.file.key();
        let run = ids::random(RUN_ID_LENGTH)?;
        let workspace = opened.workspace.path().to_owned();
        let lease = until_free(is_cancelled, || self.lease(&key, &workspace, &run))?;
        let recorded = match self.host_run(gated)? {
            // Another hook of this conversation has opened it in the meantime.
            Some(run) => Ok(run),
            None => self
                .record_host_run(&mut opened, gated, &run, &lease)
                .map(|()| run),
        };
        self.release(lease)?;
        recorded
    }

    fn record_host_run(
        &self,
        opened: &mut Opened,
        gated: &GatedPlan,
        run: &str,
        lease: &crate::lease::RunLease,
    ) -> Result<()> {
        let key = opened.file.key();
        plan_file::record_found(&self.store, &key, &opened.content, self.clock.now_ms())?;
        // Use the policy and the reason given with the approval.
        let given = self.store.approvals().of_plan(&key)?;
        let mut given = given.into_iter().rev();
        let given =
            given.find(|given| given.revision == gated.revision && given.policy != "thin_accepted");
        let reason = given.as_ref().and_then(|given| given.reason.clone());
        let policy = given.and_then(|given| Policy::from_name(&given.policy));
        let facts = self.facts_in(&opened.workspace, &opened.settings, &key, &opened.plan);
        let report = checking::report(&opened.plan, &opened.problems, &facts);
        let admitted = self.admit(
            opened,
            &ApprovalRequest {
                revision: &gated.revision,
                upto: None,
                reason: reason.as_deref(),
                is_to_run: true,
            },
            &report,
        )?;
        let sandbox = self.sandbox_for(&opened.settings);
        let terms = Terms {
            approval: &admitted.approval,
            policy: opened.settings.policy_for(policy, Policy::All),
            upto: None,
            reason: reason.as_deref(),
            parallel: 1,
            sandbox: sandbox.tier().as_str(),
            choice: ModelChoice::None.record_in(&RunChoice {
                host: Some(HostChoice {
                    agent: gated.agent.clone(),
                    session: gated.session.clone(),
                }),
                ..RunChoice::default()
            }),
            shown_ms: None,
        };
        self.record_run(opened, run, &terms, lease)
    }
}

/// Retries while another process drives the plan.
fn until_free<T>(
    is_cancelled: &dyn Fn() -> bool,
    mut attempt: impl FnMut() -> Result<T>,
) -> Result<T> {
    let start = Instant::now();
    loop {
        match attempt() {
            Err(error) if error.code == Code::PlanIsRunning && start.elapsed() < BUSY_LIMIT => {
                if is_cancelled() {
                    return Err(Error::new(Code::Cancelled, "the agent stopped waiting"));
                }
                std::thread::sleep(BUSY_INTERVAL);
            }
            done => return done,
        }
    }
}
