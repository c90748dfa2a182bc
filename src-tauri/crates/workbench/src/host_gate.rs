//! The gate for agent programs that carry out an approved plan themselves, such as Claude Code.
//!
//! The agent's hook asks before each call. The first one opens a run of the revision that the
//! person approved in this conversation, whose steps are carried out by the agent. Each call is
//! recorded in the run's journal, and the run is driven until the call is answered or waits for the
//! person. So there is one gate and one journal: what is ready and covered, the questions and their
//! answers in the window or the terminal, checks, ticks, receipt and undo are those of any run,
//! whichever process drives it. The alternatives would have needed a second gate (judging calls
//! from the plan alone) or a process that lives as long as the conversation (a session whose model
//! is the agent).
//!
//! A call is allowed only by [`HostAnswer::Allowed`] in the journal. A call that nobody waits for
//! any more is withdrawn by whoever drives the run next.

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

/// How long to wait for another process that drives the run at the moment.
const BUSY_LIMIT: Duration = Duration::from_secs(120);

/// How often to look whether it has ended.
const BUSY_INTERVAL: Duration = Duration::from_millis(50);

/// Longest argument of a call, in bytes: it is stored, and shown to the person.
const MAX_ARGUMENT: usize = 1 << 20;

/// Most calls that one event may ask about.
const MAX_CALLS: usize = 50;

/// What an agent asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateRequest {
    /// To make these calls.
    Calls(Vec<ToolCall>),
    /// To end its turn.
    EndTurn {
        /// Whether its last attempt to end the turn was answered with the next step; it may end now.
        is_last: bool,
    },
}

/// What became of the requests of one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateOutcome {
    /// A person has to answer first.
    Waiting,
    /// The agent may do it; why, in one sentence.
    Allowed(String),
    /// The agent may not do it: the person's own words, or the reason.
    Refused(String),
    /// The agent should continue instead of ending its turn: with what.
    Continue(String),
    /// Nothing to say.
    Nothing,
}

/// The requests of one event, recorded in the journal of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateRequests {
    /// The run.
    pub run: String,
    /// Absolute path of the plan file, which the window opens.
    pub plan: PathBuf,
    revision: String,
    numbers: Vec<usize>,
}

impl Workbench {
    /// Checks the calls of an agent in this folder, with the paths as the agent wrote them: links
    /// are resolved, and what no call may write is refused.
    ///
    /// # Errors
    /// [`Code::Usage`] with the reason for the agent; as [`Workbench::open_plan`].
    pub fn resolve_calls(
        &self,
        gated: &GatedPlan,
        folder: &Path,
        calls: Vec<ToolCall>,
    ) -> Result<Vec<ToolCall>> {
        if calls.len() > MAX_CALLS {
            return Err(
                err!(Usage: "more than {MAX_CALLS} changes at once; make them one after the other"),
            );
        }
        for value in calls.iter().flat_map(|call| call.arguments.values()) {
            if value.as_str().is_some_and(|text| text.len() > MAX_ARGUMENT) {
                return Err(err!(Usage: "the change is larger than 1 MiB; make it in parts"));
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

    /// Puts a request to the run of a gated plan, and drives it as far as it goes without a person.
    /// Opens the run with the first request.
    ///
    /// # Errors
    /// As [`Workbench::run`] and [`Workbench::resume`]. Nothing is allowed then.
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

    /// What became of the requests so far. If the run isn't driven and doesn't wait for a person, it
    /// is driven once more.
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

    /// Whether the run of a gated plan waits for a person.
    ///
    /// # Errors
    /// [`Code::Storage`].
    pub fn gate_waits(&self, gated: &GatedPlan) -> Result<bool> {
        let Some(run) = &gated.run else {
            return Ok(false);
        };
        Ok(self.live_state(&self.find_run(run)?)? == "waiting")
    }

    /// Withdraws requests that are still open because nobody waits for them; the run is paused then.
    ///
    /// # Errors
    /// [`Code::PlanIsRunning`] while another process drives the run; it withdraws them later.
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

    /// All answers together: the first refusal decides, and everything has to be allowed.
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
                            "Step {task} of the approved plan names it (revision {revision})."
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

    /// Records requests and drives the run, once no other process does.
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
            // A signal to the hook doesn't stop the run.
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

    /// Opens a run of the approved revision whose steps are carried out by the agent.
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
            // Another hook of this conversation was faster.
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
        // The policy and the reason are those that the person approved with.
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

/// Tries until no other process drives the plan.
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
