//! Has an agent write a plan, in its plan mode.
//!
//! The workspace is read-only for the agent. Depending on the agent, the plan is taken from a
//! permission request, a plan update or its last message, but never from a file that it wrote. The
//! agent may read files through the protocol; all its other requests are refused, including the one
//! to leave plan mode. Its turn therefore ends with the plan, and the next prompt in the same
//! conversation is the person's feedback.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use planning::agent_plan;
use serde_json::Value;
use tools::{Workspace, documents};
use workbench::settings::Settings;
use workbench::wire::ModelEvent;
use workbench::{
    AgentClearance, CancelToken, Code, Error, PlanningAgent, ProposedText, Result, Workbench,
};

use super::agents::{self, Agent, PlanArrival};
use super::connection::{AgentError, Connection, Event, Opened, Tokens};
use super::permissions::{Permission, SWITCH_MODE};
use super::process::{self, Place};

/// How long a single wait takes, so that cancelling is noticed soon.
const TICK: Duration = Duration::from_millis(50);
/// After this long without output from the agent, its silence is reported.
const QUIET: Duration = Duration::from_secs(10);
/// Maximum time without output in a turn. A local model may process its input for minutes before it
/// writes.
const MAX_SILENCE: Duration = Duration::from_secs(600);
/// Longest conversation, in seconds.
const MAX_CONVERSATION_S: u64 = 24 * 60 * 60;
/// How long a cancelled agent may take to end its turn.
const CANCEL_PATIENCE: Duration = Duration::from_secs(2);
/// Size of the largest file that the agent can read through the protocol, in bytes.
const MAX_READ: u64 = 4 << 20;
/// Maximum length of the agent's words that are quoted in an error, in characters.
const MAX_QUOTE: usize = 2_000;

/// An agent and its conversation, if it has begun.
pub struct Planner {
    bench: Workbench,
    agent: Agent,
    workspace: Workspace,
    settings: Settings,
    connection: Option<Connection>,
    session: Opened,
    has_proposed: bool,
}

/// What the agent sent in one turn.
#[derive(Default)]
struct Heard {
    /// The plan that it handed over.
    plan: Option<String>,
    /// Its message since its last action.
    message: String,
    /// The tokens used, as far as the agent reports them.
    tokens: Tokens,
}

impl Planner {
    /// Finds the agent with this name. `folder` is a workspace or a folder inside one. The agent is
    /// started when the first prompt is sent.
    ///
    /// # Errors
    /// [`Code::Usage`] if there is no such agent or its program isn't found; the message says where
    /// it was looked for and how to install it. [`Code::Workspace`] if the folder can't be opened.
    pub fn new(bench: Workbench, folder: &Path, name: &str) -> Result<Self> {
        let workspace = bench.open_workspace(folder)?;
        let (settings, _) = bench.settings_for(Some(&workspace));
        workspace.hide(&settings.private_files);
        let environment = &bench.environment;
        let path = environment.variable("PATH");
        let found = agents::find(name, &settings.agents, path.as_deref(), &environment.cwd);
        let agent = found.map_err(|message| Error::new(Code::Usage, message))?;
        Ok(Self {
            bench,
            agent,
            workspace,
            settings,
            connection: None,
            session: Opened::default(),
            has_proposed: false,
        })
    }

    /// The agent that writes the plan.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// What the agent's session offers; empty until the session is opened.
    pub fn session(&self) -> &Opened {
        &self.session
    }

    /// Starts the agent, opens a session and sets its plan mode, unless that was done before.
    ///
    /// # Errors
    /// [`Code::Failed`] if that isn't possible, [`Code::Usage`] if a permission rule forbids it,
    /// [`Code::Cancelled`] if cancelled.
    pub fn connect(&mut self, cancel: &CancelToken) -> Result<()> {
        if self.connection.is_some() {
            return Ok(());
        }
        let Some(mode) = self.agent.kind.plan else {
            return Err(self.failed(
                "it has no plan mode that Planwright knows; add `like` with a known agent to its \
                 entry in your settings",
            ));
        };
        let folder = self.workspace.path().to_owned();
        let line = self.agent.line();
        let cleared = self
            .bench
            .clear_agent(&self.workspace, &self.settings, &line)?;
        let AgentClearance { sandbox, permit } = cleared;
        let place = Place {
            workspace: folder.clone(),
            copy: None,
            shared: Vec::new(),
            marker: format!("plan-{}", self.agent.name),
        };
        let variable = |name: &str| self.bench.environment.variable(name);
        // The agent's time limit applies to one turn, but the process also waits for the person
        // between turns.
        let agent = Agent {
            timeout_s: MAX_CONVERSATION_S,
            ..self.agent.clone()
        };
        let talk = process::start(&agent, &sandbox, permit, place, &variable);
        let talk = talk.map_err(|error| self.failed(&error.to_string()))?;
        let mut tick = || cancel.is_cancelled();
        let opened = Connection::start(talk, true, &mut tick).and_then(|mut connection| {
            let session = connection.open(&folder.display().to_string(), &mut tick)?;
            connection.set_mode(mode, &mut tick)?;
            Ok((connection, session))
        });
        let (connection, session) = opened.map_err(|error| self.error(&error))?;
        (self.connection, self.session) = (Some(connection), session);
        Ok(())
    }

    /// Carries out one turn. Stores the plan and the agent's last message in `heard`, even if the
    /// turn fails.
    fn turn(
        &mut self,
        prompt: &str,
        cancel: &CancelToken,
        sink: &mut dyn FnMut(ModelEvent),
        heard: &mut Heard,
    ) -> std::result::Result<(), AgentError> {
        let lost = || AgentError::Ended("it isn’t running".to_owned());
        let connection = self.connection.as_mut().ok_or_else(lost)?;
        if let Some(mode) = self.agent.kind.plan {
            // The agent may have changed its mode since the last turn.
            connection.set_mode(mode, &mut || cancel.is_cancelled())?;
        }
        connection.prompt(prompt)?;
        let limit = Duration::from_secs(self.agent.timeout_s);
        let (start, mut last, mut reported) = (Instant::now(), Instant::now(), QUIET);
        loop {
            if cancel.is_cancelled() {
                stop(connection);
                return Err(AgentError::Stopped);
            }
            if start.elapsed() >= limit {
                stop(connection);
                let seconds = limit.as_secs();
                return Err(AgentError::Silent(format!(
                    "it didn’t finish within {seconds} s; raise its `timeout_s` in `agents` in your settings"
                )));
            }
            let Some(event) = connection.wait(TICK)? else {
                let silence = last.elapsed();
                if silence >= MAX_SILENCE {
                    let seconds = silence.as_secs();
                    return Err(AgentError::Silent(format!("no output for {seconds} s")));
                }
                if silence >= reported {
                    reported = silence + QUIET;
                    let silence_ms = u64::try_from(silence.as_millis()).unwrap_or(u64::MAX);
                    sink(ModelEvent::Quiet { silence_ms });
                }
                continue;
            };
            (last, reported) = (Instant::now(), QUIET);
            match event {
                Event::Text(text) => {
                    heard.message.push_str(&text);
                    sink(ModelEvent::Text { text });
                }
                Event::Thinking(text) => sink(ModelEvent::Thinking { text }),
                Event::Action(title) => {
                    heard.message.clear();
                    sink(ModelEvent::Notice { message: title });
                }
                Event::Plan(text) => heard.plan = Some(text),
                Event::Permission(ask, permission) => {
                    if let Some(plan) = plan_of(&permission)
                        && !(plan.is_empty() && heard.plan.is_some())
                    {
                        heard.plan = Some(plan.to_owned());
                    }
                    let refusal = permission.answer_while_planning(&self.agent.kind);
                    connection.choose(ask, refusal)?;
                }
                Event::Read {
                    ask,
                    path,
                    line,
                    limit,
                } => {
                    let read = read(&self.workspace, &path, line, limit);
                    connection.answer_read(ask, read)?;
                }
                Event::Write { ask, .. } => {
                    let refusal = "only the plan is wanted now; nothing can be written".to_owned();
                    connection.answer_write(ask, Err(refusal))?;
                }
                Event::Mode(_) | Event::Context(_) => {}
                Event::Ended(ended) => {
                    heard.tokens = ended.usage.unwrap_or_default();
                    return Ok(());
                }
            }
        }
    }

    fn failed(&self, why: &str) -> Error {
        Error::new(Code::Failed, format!("{}: {why}", self.agent.title()))
    }

    fn error(&self, error: &AgentError) -> Error {
        match error {
            AgentError::Stopped => Error::new(Code::Cancelled, "cancelled"),
            error => self.failed(&error.to_string()),
        }
    }
}

impl PlanningAgent for Planner {
    fn name(&self) -> &str {
        &self.agent.name
    }

    fn title(&self) -> &str {
        self.agent.title()
    }

    fn has_conversation(&self) -> bool {
        self.connection.is_some() && self.has_proposed
    }

    fn propose(
        &mut self,
        prompt: &str,
        cancel: &CancelToken,
        sink: &mut dyn FnMut(ModelEvent),
    ) -> Result<ProposedText> {
        self.connect(cancel)?;
        let mut heard = Heard::default();
        if let Err(error) = self.turn(prompt, cancel, sink, &mut heard) {
            // This ends the agent's process. The conversation is lost, but the plan isn't.
            self.connection = None;
            let has_plan = heard.plan.as_ref().is_some_and(|plan| !plan.is_empty());
            if error == AgentError::Stopped || !has_plan {
                return Err(self.error(&error));
            }
            let message = self.error(&error).message;
            sink(ModelEvent::Notice { message });
        }
        let text = match (heard.plan, self.agent.kind.arrival) {
            (Some(plan), _) => Some(plan),
            (None, PlanArrival::Text) => {
                let text = agent_plan::plan_in(&heard.message);
                let has_steps = !plan::parse(text).0.tasks.is_empty();
                has_steps.then(|| format!("{text}\n"))
            }
            (None, PlanArrival::SwitchMode | PlanArrival::PlanUpdate) => None,
        };
        match text {
            Some(text) => {
                self.has_proposed = true;
                Ok(ProposedText {
                    text,
                    input: heard.tokens.input,
                    output: heard.tokens.output,
                })
            }
            None => Err(self.failed(&no_plan(&heard.message))),
        }
    }
}

/// Why there is no plan, with the agent's own words.
fn no_plan(message: &str) -> String {
    let message = plan::visible(message.trim());
    if message.is_empty() {
        return "it ended without a plan".to_owned();
    }
    let quote: String = message.chars().take(MAX_QUOTE).collect();
    let cut = if quote.len() < message.len() {
        "…"
    } else {
        ""
    };
    format!("it ended without a plan. It said: {quote}{cut}")
}

/// The plan in a request to leave plan mode; empty if the agent wrote none.
fn plan_of(permission: &Permission) -> Option<&str> {
    let is_plan = permission.kind == SWITCH_MODE;
    let plan = permission.input.get("plan").and_then(Value::as_str);
    is_plan.then(|| plan.unwrap_or_default())
}

/// Asks the agent to end its turn, and waits briefly until it does, so that it can end its requests
/// to its model.
fn stop(connection: &mut Connection) {
    let until = Instant::now() + CANCEL_PATIENCE;
    if connection.cancel().is_err() {
        return;
    }
    while Instant::now() < until {
        match connection.wait(TICK) {
            Ok(Some(Event::Ended(_))) | Err(_) => return,
            Ok(Some(Event::Permission(ask, _))) => drop(connection.choose(ask, None)),
            Ok(_) => {}
        }
    }
}

/// Reads a file of the workspace, or some of its lines. Private files can't be read.
fn read(
    workspace: &Workspace,
    path: &str,
    line: Option<u64>,
    limit: Option<u64>,
) -> std::result::Result<String, String> {
    let path = PathBuf::from(path);
    let relative = path.strip_prefix(workspace.path());
    let relative = relative.map_err(|_| "it isn’t in the workspace".to_owned())?;
    let name = relative.to_str().ok_or("its name isn’t text")?;
    let bytes = documents::read_for_model(workspace, name, MAX_READ);
    let bytes = bytes.map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "it isn’t text".to_owned())?;
    if line.is_none() && limit.is_none() {
        return Ok(text);
    }
    let number = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
    let first = number(line.unwrap_or(1)).saturating_sub(1);
    let count = limit.map_or(usize::MAX, number);
    Ok(text.split_inclusive('\n').skip(first).take(count).collect())
}
