//! Steps that other agents carry out: starts an agent, and tells it what became of its changes.
//!
//! The machine asks an agent as it asks a model. What the agent wants to change comes back as a call
//! in a reply; the next request brings the call's result. An agent that isn't running anymore, for
//! example after a crash, is started anew and told what the step has done so far.

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

/// Maximum number of times in an attempt that an agent gets the list of its rejected changes.
pub(super) const MAX_FOLLOW_UPS: u32 = 3;
/// Maximum number of results from an earlier process that a new agent gets.
const MAX_TOLD: usize = 40;
/// Characters of each.
const MAX_TOLD_LEN: usize = 300;

/// The agent that steps are handed over to, and those at work.
pub(crate) struct Agents {
    chosen: Option<AgentInfo>,
    entries: Vec<AgentEntry>,
    at_work: BTreeMap<String, AtWork>,
}

/// Where an agent's work stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// Its turn is in progress; it may wait for an answer.
    InTurn,
    /// Its turn is over; its changes are being decided.
    TurnOver,
    /// It reported.
    Reported,
}

/// One agent at work on a step. It is dropped, and so ended, before its copy.
pub(super) struct AtWork {
    pub(super) agent: Box<dyn StepAgent>,
    pub(super) name: String,
    pub(super) copy: Option<PrivateCopy>,
    pub(super) stage: Stage,
    /// Changes of the copy that weren't decided yet.
    pub(super) changes: VecDeque<Difference>,
    /// The path of the change that the machine decides now.
    pub(super) deciding: Option<String>,
    /// Changes that weren't made, each with the reason.
    pub(super) not_made: Vec<String>,
    pub(super) follow_ups: u32,
    /// Hashes of the contents that it knows through us, by path.
    pub(super) known: BTreeMap<String, String>,
    /// Its last message.
    pub(super) said: String,
    /// Whether its next words begin a new message.
    pub(super) is_new_message: bool,
    /// Its latest action, until it is shown.
    pub(super) action: Option<String>,
    /// Bytes of its thinking that were shown.
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

    /// Ends the agent of a step that is over, or whose attempt is.
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
    /// Lets the step's agent work until it wants to change something or its turn ends.
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

    /// Gives the agent the results of its last reply.
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
        tracing::info!(%task, "an agent goes on after its report");
        Ok(self.prompt_again(machine, &mut work, &text)?.map(|()| work))
    }

    /// Begins another turn of a running agent.
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
            None => Err("it was not made".to_owned()),
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
        aligned.map_err(|error| format!("couldn’t align its copy: {error}"))?;
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

/// What the step did before this agent was started.
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
        "\nYou began this step before and were interrupted. What you changed stands in the files: look \
         before you go on. What came of it:\n{lines}\n"
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
