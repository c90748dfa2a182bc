//! Steps that other agents carry out: starts an agent, and reports to it whether its changes were
//! made.
//!
//! The machine treats an agent like a model: a change that the agent wants to make is a call in its
//! reply, and the next request contains the call's result. An agent that is no longer running, for
//! example after a crash, is started again with a summary of what the step has done.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use agent::journal::Entry;
use agent::run::{Event, Machine};
use agent::turn::{Call, Round, Usage};
use gate::Permit;
use tools::checkpoint::{Difference, PrivateCopy};

use super::Driver;
use super::agent_turn::{Turned, hash_of};
use crate::error::Result;
use crate::running::HandOverTo;
use crate::settings::agents::AgentEntry;
use crate::step_agents::{AgentInfo, AgentStart, StepAgent};

/// Maximum number of times per attempt that an agent is prompted again with its rejected changes.
pub(super) const MAX_FOLLOW_UPS: u32 = 3;
/// Maximum number of earlier results that a restarted agent is given.
const MAX_TOLD: usize = 40;
/// Maximum length of each of these results, in characters.
const MAX_TOLD_LEN: usize = 300;

/// The agent that carries out steps, and its running instances.
pub(crate) struct Agents {
    chosen: Option<AgentInfo>,
    entries: Vec<AgentEntry>,
    at_work: BTreeMap<String, AtWork>,
}

/// The state of an agent's work on a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Its turn is in progress, possibly waiting for an answer to a read or write.
    InTurn,
    /// Its turn is over, and its changes are being decided.
    TurnOver,
    /// It has reported, and all its changes are decided.
    Reported,
}

/// An agent that is working on a step. Fields are dropped in order, so the agent ends before its
/// private copy is removed.
pub(super) struct AtWork {
    pub(super) agent: Box<dyn StepAgent>,
    pub(super) name: String,
    pub(super) copy: Option<PrivateCopy>,
    pub(super) stage: Stage,
    /// Changes in the private copy that aren't decided yet.
    pub(super) changes: VecDeque<Difference>,
    /// The path of the change being decided by the machine.
    pub(super) deciding: Option<String>,
    /// Changes that weren't made, each with its reason.
    pub(super) not_made: Vec<String>,
    pub(super) follow_ups: u32,
    /// Hashes of the contents that the agent has read or written through us, by path.
    pub(super) known: BTreeMap<String, String>,
    /// Its latest message.
    pub(super) said: String,
    /// Whether its next text starts a new message.
    pub(super) is_new_message: bool,
    /// Its latest action, if not yet shown.
    pub(super) action: Option<String>,
    /// Number of bytes of its reasoning so far; output beyond a limit isn't shown.
    pub(super) thought: usize,
    pub(super) usage: Usage,
}

impl Agents {
    pub(crate) fn new(to: Option<&HandOverTo>, entries: &[AgentEntry]) -> Self {
        let chosen = match to {
            Some(HandOverTo::Agent(agent)) => Some(agent.clone()),
            _ => None,
        };
        Self {
            chosen,
            entries: entries.to_vec(),
            at_work: BTreeMap::new(),
        }
    }

    /// Ends a step's agent when the step or the attempt has ended.
    pub(super) fn end_with(&mut self, entry: &Entry) {
        if let Entry::Done { task, .. }
        | Entry::Failed { task, .. }
        | Entry::Refused { task, .. }
        | Entry::Skipped { task, .. }
        | Entry::Recovered { task, .. } = entry
        {
            self.at_work.remove(task);
        }
    }
}

impl Driver<'_> {
    /// Lets the step's agent work until it wants to make a change or reports.
    pub(super) fn ask_agent(
        &mut self,
        machine: &mut Machine,
        task: &str,
        brief: &str,
        permit: Permit,
    ) -> Result<Event> {
        if self.should_stop() {
            let usage = Usage::default();
            return Ok(Event::ModelStopped { usage });
        }
        let began = Instant::now();
        let known = machine.state().tasks.get(task);
        let rounds = known.map_or(&[][..], |known| known.work.rounds.all());
        let last = rounds.last().cloned();
        let running = self.agents.at_work.remove(task);
        let work = match (running, last) {
            (Some(work), Some(last)) => self.go_on(machine, task, work, &last)?,
            _ => {
                let text = format!("{brief}{}", done_before(rounds));
                self.start_agent(machine, task, &text, permit)?
            }
        };
        let turned = match work {
            Ok(mut work) => {
                let turned = self.agent_turn(machine, task, &mut work, began)?;
                if let Turned::Reply(_) = turned {
                    self.agents.at_work.insert(task.to_owned(), work);
                }
                turned
            }
            Err(reason) if self.should_stop() => {
                tracing::info!(%reason, "an agent was stopped");
                Turned::Stopped(Usage::default())
            }
            Err(reason) => Turned::Failed(reason),
        };
        Ok(match turned {
            Turned::Reply(reply) => Event::Replied { reply },
            Turned::Stopped(usage) => Event::ModelStopped { usage },
            Turned::Failed(reason) => Event::ModelFailed {
                reason: match &self.agents.chosen {
                    Some(agent) => format!("{}: {reason}", agent.name),
                    None => reason,
                },
            },
        })
    }

    fn start_agent(
        &mut self,
        machine: &mut Machine,
        task: &str,
        text: &str,
        permit: Permit,
    ) -> Result<std::result::Result<AtWork, String>> {
        let (Some(info), Some(agents)) = (self.agents.chosen.clone(), &self.bench.agents) else {
            return Ok(Err(
                "no agent is chosen anymore; resume with --hand-over".to_owned()
            ));
        };
        let agents = Arc::clone(agents);
        let copy = match info.works_in_copy {
            true => match PrivateCopy::make(&self.workspace, &self.home.copies, &self.blobs) {
                Ok(copy) => Some(copy),
                Err(error) => return Ok(Err(error.to_string())),
            },
            false => None,
        };
        let entries = self.agents.entries.clone();
        let (sandbox, environment) = (self.sandbox.clone(), self.bench.environment.clone());
        let workspace = self.workspace.path().to_owned();
        let start = AgentStart {
            name: &info.name,
            entries: &entries,
            environment: &environment,
            sandbox: &sandbox,
            permit,
            workspace: &workspace,
            copy: copy.as_ref().map(|copy| (copy.folder(), copy.shared())),
            marker: format!("{}-{task}-agent", self.run),
        };
        let mut failed = Ok(());
        let mut tick = || self.tick_in_start(machine, &mut failed);
        let started = agents.start(start, &mut tick);
        let started = started.and_then(|mut agent| {
            agent.prompt(text, &mut tick)?;
            Ok(agent)
        });
        failed?;
        Ok(started.map(|agent| AtWork {
            agent,
            name: info.name,
            copy,
            stage: Stage::InTurn,
            changes: VecDeque::new(),
            deciding: None,
            not_made: Vec::new(),
            follow_ups: 0,
            known: BTreeMap::new(),
            said: String::new(),
            is_new_message: true,
            action: None,
            thought: 0,
            usage: Usage::default(),
        }))
    }

    /// Gives a running agent the results of its last reply.
    fn go_on(
        &mut self,
        machine: &mut Machine,
        task: &str,
        mut work: AtWork,
        last: &Round,
    ) -> Result<std::result::Result<AtWork, String>> {
        let answered = match work.deciding.take() {
            Some(path) => self.give_result(&mut work, path, last),
            None => Ok(()),
        };
        if let Err(reason) = answered {
            return Ok(Err(reason));
        }
        if work.stage != Stage::Reported {
            return Ok(Ok(work));
        }
        let rejected = last.answered().filter(|(call, _)| call.is_report());
        let rejected = rejected.map(|(_, result)| result.content.as_str());
        let told = last.told.iter().map(String::as_str);
        let text = rejected.chain(told).collect::<Vec<_>>().join("\n");
        tracing::info!(%task, "continuing an agent's work after its report");
        Ok(self.prompt_again(machine, &mut work, &text)?.map(|()| work))
    }

    /// Starts another turn of a running agent.
    pub(super) fn prompt_again(
        &mut self,
        machine: &mut Machine,
        work: &mut AtWork,
        text: &str,
    ) -> Result<std::result::Result<(), String>> {
        if let Some(copy) = &mut work.copy
            && let Err(error) = copy.rebase(&self.blobs)
        {
            return Ok(Err(error.to_string()));
        }
        let mut failed = Ok(());
        let prompted = work
            .agent
            .prompt(text, &mut || self.tick_in_start(machine, &mut failed));
        failed?;
        work.stage = Stage::InTurn;
        work.is_new_message = true;
        Ok(prompted)
    }

    fn give_result(
        &self,
        work: &mut AtWork,
        path: String,
        last: &Round,
    ) -> std::result::Result<(), String> {
        let result = last.results.values().next();
        let made = match result {
            Some(result) if result.ok => Ok(()),
            Some(result) => Err(result.content.clone()),
            None => Err("the change wasn’t made".to_owned()),
        };
        let Some(copy) = &work.copy else {
            if made.is_ok() {
                let content =
                    tools::documents::read(&self.workspace, &path, tools::files::MAX_FILE);
                let content = content.map_err(|error| error.to_string())?;
                work.known.insert(path, hash_of(&content));
            }
            return work.agent.answer_write(made);
        };
        let aligned = copy.align(&self.workspace, &path, made.is_ok());
        aligned.map_err(|error| format!("couldn’t update its private copy: {error}"))?;
        if let Err(reason) = made {
            work.not_made.push(format!("`{path}`: {reason}"));
        }
        Ok(())
    }

    fn tick_in_start(&mut self, machine: &mut Machine, failed: &mut Result<()>) -> bool {
        if failed.is_ok() {
            *failed = self.steer(machine);
        }
        failed.is_err() || self.should_stop()
    }
}

/// Describes what the step did before this agent was started; empty if nothing.
fn done_before(rounds: &[Round]) -> String {
    let lines = rounds.iter().flat_map(Round::answered).map(line);
    let told = rounds.iter().flat_map(|round| round.told.iter().cloned());
    let lines: Vec<String> = lines.chain(told).collect();
    if lines.is_empty() {
        return String::new();
    }
    let from = lines.len().saturating_sub(MAX_TOLD);
    let lines = lines[from..].join("\n");
    format!(
        "\nYou started this step earlier and were interrupted. Your changes are in the files: look at them \
         before you continue. What you did:\n{lines}\n"
    )
}

fn line((call, result): (&Call, &agent::turn::CallResult)) -> String {
    let subject = call.text("path").unwrap_or_default();
    let content: String = result.content.chars().take(MAX_TOLD_LEN).collect();
    let content = content.replace('\n', " ");
    match result.ok {
        true => format!("- {} {subject}: done", call.name),
        false => format!("- {} {subject}: {content}", call.name),
    }
}
