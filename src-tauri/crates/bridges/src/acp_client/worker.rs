//! Has an agent carry out a step: starts it, sets its mode, and answers its permission requests.
//!
//! The agent is put into its work mode before each turn and into plan mode after it. If it changes
//! its mode during a turn, the work mode is restored.

use std::path::Path;
use std::time::Duration;

use agent::turn::Usage;
use workbench::settings::agents::AgentEntry;
use workbench::step_agents::{AgentEvent, AgentInfo, AgentStart, StepAgent, StepAgents};
use workbench::{Environment, PlanningAgent, Workbench};

use super::agents::{self, Agent, Kind, Mode, Tier};
use super::connection::{AgentError, Ask, Connection, Ended, Event, Opened};
use super::planner::Planner;
use super::process::{self, Place};

/// How often an agent may change its mode in one turn.
const MAX_MODE_CHANGES: u32 = 8;

/// The agents on this machine that can carry out steps of a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct StepWorkers;

impl StepAgents for StepWorkers {
    fn find(
        &self,
        name: &str,
        entries: &[AgentEntry],
        environment: &Environment,
    ) -> Result<AgentInfo, String> {
        Ok(info(&find(name, entries, environment)?, environment))
    }

    fn installed(&self, entries: &[AgentEntry], environment: &Environment) -> Vec<AgentInfo> {
        let names = agents::names(entries);
        let found = names.iter().map(|name| find(name, entries, environment));
        found
            .flatten()
            .map(|agent| info(&agent, environment))
            .collect()
    }

    fn start(
        &self,
        start: AgentStart<'_>,
        tick: &mut dyn FnMut() -> bool,
    ) -> Result<Box<dyn StepAgent>, String> {
        let agent = find(start.name, start.entries, start.environment)?;
        let folder = start.workspace.display().to_string();
        let place = Place {
            workspace: start.workspace.to_owned(),
            copy: start.copy.map(|(copy, _)| copy.to_owned()),
            shared: start
                .copy
                .map(|(_, shared)| shared.to_vec())
                .unwrap_or_default(),
            marker: start.marker,
        };
        let variable = |name: &str| start.environment.variable(name);
        let talk = process::start(&agent, start.sandbox, start.permit, place, &variable);
        let talk = talk.map_err(|error| error.to_string())?;
        let is_mediated = agent.kind.tier == Tier::Mediated;
        let connection = Connection::start(talk, is_mediated, tick).map_err(words)?;
        let mut worker = Worker {
            connection,
            kind: agent.kind,
            ask: None,
            context: 0,
            mode_changes: 0,
        };
        let opened = worker.connection.open(&folder, tick).map_err(words)?;
        check_mode(agent.title(), agent.kind.work, &opened)?;
        Ok(Box::new(worker))
    }

    fn planner(
        &self,
        bench: Workbench,
        folder: &Path,
        name: &str,
    ) -> workbench::Result<Box<dyn PlanningAgent + Send>> {
        Ok(Box::new(Planner::new(bench, folder, name)?))
    }
}

fn find(name: &str, entries: &[AgentEntry], environment: &Environment) -> Result<Agent, String> {
    let path = environment.variable("PATH");
    agents::find(name, entries, path.as_deref(), &environment.cwd)
}

fn info(agent: &Agent, environment: &Environment) -> AgentInfo {
    let is_set = |name: &&String| environment.variable(name).is_some();
    AgentInfo {
        name: agent.name.clone(),
        line: agent.line(),
        network: agent.network,
        timeout_s: agent.timeout_s,
        env: agent.environment.iter().filter(is_set).cloned().collect(),
        works_in_copy: agent.kind.tier == Tier::Copy,
    }
}

fn words(error: AgentError) -> String {
    error.to_string()
}

/// Fails if the agent doesn't offer the mode. Modes that are set as options aren't checked.
fn check_mode(title: &str, mode: Option<Mode>, opened: &Opened) -> Result<(), String> {
    match mode {
        Some(Mode::Session(mode)) if !opened.modes.iter().any(|one| one == mode) => Err(format!(
            "{title} has no mode “{mode}” (only {}); Planwright doesn’t support this version",
            opened.modes.join(", ")
        )),
        _ => Ok(()),
    }
}

/// A running agent that carries out a step.
#[derive(Debug)]
struct Worker {
    connection: Connection,
    kind: Kind,
    /// The read or write request that hasn't been answered yet.
    ask: Option<Ask>,
    /// The number of tokens in its context, as last reported.
    context: u64,
    mode_changes: u32,
}

impl StepAgent for Worker {
    fn prompt(&mut self, text: &str, tick: &mut dyn FnMut() -> bool) -> Result<(), String> {
        if let Some(mode) = self.kind.work {
            self.connection.set_mode(mode, tick).map_err(words)?;
        }
        self.mode_changes = 0;
        self.connection.prompt(text).map_err(words)
    }

    fn wait(&mut self, patience: Duration) -> Result<Option<AgentEvent>, String> {
        let Some(event) = self.connection.wait(patience).map_err(words)? else {
            return Ok(None);
        };
        Ok(match event {
            Event::Text(text) => Some(AgentEvent::Text(text)),
            Event::Thinking(text) => Some(AgentEvent::Thinking(text)),
            Event::Action(title) => Some(AgentEvent::Action(title)),
            Event::Read {
                ask,
                path,
                line,
                limit,
            } => {
                self.ask = Some(ask);
                Some(AgentEvent::Read { path, line, limit })
            }
            Event::Write { ask, path, content } => {
                self.ask = Some(ask);
                Some(AgentEvent::Write { path, content })
            }
            Event::Permission(ask, permission) => {
                let option = permission.answer_at_work(&self.kind);
                self.connection.choose(ask, option).map_err(words)?;
                None
            }
            Event::Mode(mode) => {
                self.keep_mode(&mode)?;
                None
            }
            Event::Context(tokens) => {
                self.context = tokens;
                None
            }
            Event::Plan(_) => None,
            Event::Ended(ended) => {
                if let Some(mode) = self.kind.plan {
                    // The agent should do nothing until the next turn. In any case, its process
                    // can't change anything.
                    self.connection.send_mode(mode).map_err(words)?;
                }
                Some(self.ended(&ended))
            }
        })
    }

    fn answer_read(&mut self, content: Result<String, String>) -> Result<(), String> {
        match self.ask.take() {
            Some(ask) => self.connection.answer_read(ask, content).map_err(words),
            None => Ok(()),
        }
    }

    fn answer_write(&mut self, written: Result<(), String>) -> Result<(), String> {
        match self.ask.take() {
            Some(ask) => self.connection.answer_write(ask, written).map_err(words),
            None => Ok(()),
        }
    }
}

impl Worker {
    /// Restores the work mode if the agent changed it.
    fn keep_mode(&mut self, mode: &str) -> Result<(), String> {
        let Some(Mode::Session(wanted)) = self.kind.work else {
            return Ok(());
        };
        if mode == wanted {
            return Ok(());
        }
        self.mode_changes += 1;
        if self.mode_changes > MAX_MODE_CHANGES {
            return Err(format!("it kept changing its mode to “{mode}”"));
        }
        let wanted = Mode::Session(wanted);
        self.connection.send_mode(wanted).map_err(words)
    }

    fn ended(&self, ended: &Ended) -> AgentEvent {
        let usage = match ended.usage {
            Some(tokens) => Usage {
                input: tokens.input,
                cached: tokens.cached,
                output: tokens.output,
            },
            // The model has read at least what is in its context.
            None => Usage {
                input: self.context,
                ..Usage::default()
            },
        };
        let early = (ended.stop != "end_turn").then(|| match ended.stop.as_str() {
            "" => "without a reason".to_owned(),
            stop => stop.replace('_', " "),
        });
        AgentEvent::Ended { early, usage }
    }
}
