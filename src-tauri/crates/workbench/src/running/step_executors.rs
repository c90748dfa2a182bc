//! Determines whether a model, a command from the user's settings, or another agent carries out
//! steps without `call:` lines.

use std::path::Path;

use agent::micro_planning::{HandOverChoice, RunChoice};
use agent::model_step::instructions;
use tools::sandbox::Tier;

use super::ModelChoice;
use crate::Workbench;
use crate::error::{Code, Error, Result};
use crate::settings::Settings;
use crate::settings::executors::Executor;
use crate::step_agents::{AgentInfo, PREFIX};

/// The model or command that carries out steps without `call:` lines.
#[derive(Debug, Default)]
pub struct StepExecutors {
    pub(super) model: ModelChoice,
    hand_over: Option<HandOverChoice>,
}

impl StepExecutors {
    pub(crate) fn new(model: &ModelChoice, hand_over: Option<&HandOverChoice>) -> Self {
        Self {
            model: model.clone(),
            hand_over: hand_over.cloned(),
        }
    }

    /// The command that steps are handed over to: the one requested now, else the one the run
    /// started with, unless a model (or none) was chosen explicitly now.
    pub(super) fn hand_over<'a>(&'a self, choice: &'a RunChoice) -> Option<&'a HandOverChoice> {
        match (&self.hand_over, &self.model) {
            (Some(over), _) => Some(over),
            (None, ModelChoice::Configured) => choice.hand_over.as_ref(),
            (None, _) => None,
        }
    }
}

impl Workbench {
    /// A hand-off brief for one step of a plan, to copy or to give to another agent. Runs nothing.
    /// Fails with [`Code::Usage`] for an unknown step, or as [`Workbench::open_plan`] does.
    pub fn brief(&mut self, file: &Path, step: &str) -> Result<String> {
        let opened = self.open_plan(file, None)?;
        let mut tasks = opened.plan.tasks.iter();
        let Some(task) = tasks.find(|task| task.id.as_str() == step) else {
            return Err(err!(Usage: "no step {step} in {}", opened.file.relative));
        };
        Ok(instructions::for_others(&opened.plan, task, &[]))
    }
}

/// The command or agent that steps are handed over to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandOverTo {
    /// A command that reads the step's brief.
    Command(Executor),
    /// An agent that the workbench exchanges messages with.
    Agent(AgentInfo),
}

impl HandOverTo {
    /// The description for the run's machine, with the steps to hand over.
    pub(super) fn for_machine(&self, tasks: Vec<String>) -> agent::run::Executor {
        match self {
            Self::Command(executor) => agent::run::Executor {
                name: executor.name.clone(),
                line: executor.line(),
                timeout_s: executor.timeout_s,
                tasks,
                is_agent: false,
            },
            Self::Agent(agent) => agent::run::Executor {
                name: format!("{PREFIX}{}", agent.name),
                line: agent.line.clone(),
                timeout_s: agent.timeout_s,
                tasks,
                is_agent: true,
            },
        }
    }
}

impl Workbench {
    /// Finds the command or agent that steps are handed over to: a command by its name in the
    /// user's settings, or an agent by its name after `acp:`. Fails with [`Code::Usage`] for an
    /// unknown name, or an agent that isn't installed.
    pub fn executor_for(
        &self,
        settings: &Settings,
        over: Option<&HandOverChoice>,
    ) -> Result<Option<HandOverTo>> {
        let agent = over.and_then(|over| over.name.strip_prefix(PREFIX));
        let Some(name) = agent else {
            let command = command_for(settings, over)?;
            return Ok(command.map(HandOverTo::Command));
        };
        let Some(agents) = &self.agents else {
            return Err(err!(Usage: "this program can't hand steps over to agents"));
        };
        let found = agents.find(name, &settings.agents, &self.environment);
        match found {
            Ok(agent) => Ok(Some(HandOverTo::Agent(agent))),
            Err(message) => Err(Error::new(Code::Usage, message)),
        }
    }
}

fn command_for(settings: &Settings, over: Option<&HandOverChoice>) -> Result<Option<Executor>> {
    let Some(over) = over else {
        return Ok(None);
    };
    let mut all = settings.executors.iter();
    if let Some(executor) = all.find(|executor| executor.name == over.name) {
        return Ok(Some(executor.clone()));
    }
    let names: Vec<&str> = settings
        .executors
        .iter()
        .map(|executor| executor.name.as_str())
        .collect();
    let known = match names.is_empty() {
        true => "your settings define no usable `executors`; run `planwright settings` to see why"
            .to_owned(),
        false => format!("your settings define {}", names.join(", ")),
    };
    let message = format!("unknown executor “{}”: {known}", over.name);
    Err(Error::new(Code::Usage, message))
}

pub(crate) fn hand_over_notice(to: &HandOverTo, tier: Tier) -> String {
    let (name, line, network, more) = match to {
        HandOverTo::Command(executor) => (
            &executor.name,
            executor.line(),
            executor.network,
            String::new(),
        ),
        HandOverTo::Agent(agent) => {
            let place = match agent.works_in_copy {
                true => "; it works in a private copy, and its changes are checked like a model's",
                false => "; it asks for each change, which is checked like a model's",
            };
            (
                &agent.name,
                agent.line.clone(),
                agent.network,
                place.to_owned(),
            )
        }
    };
    let network = match network {
        true => "with network access",
        false => "without network access",
    };
    let tier = tier.as_str();
    format!("handing steps over to {name}: `{line}`, {network}, sandbox {tier}{more}")
}
