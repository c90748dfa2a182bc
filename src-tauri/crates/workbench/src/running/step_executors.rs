//! Determines whether a model, or a command from the user's settings, carries out steps without
//! `call:` lines.

use std::path::Path;

use agent::micro_planning::{HandOverChoice, RunChoice};
use agent::model_step::instructions;
use tools::sandbox::Tier;

use super::ModelChoice;
use crate::Workbench;
use crate::error::{Code, Error, Result};
use crate::settings::Settings;
use crate::settings::executors::Executor;

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

/// Finds the command that steps are handed over to, by its name in the user's settings; `None` if
/// they aren't handed over. Fails with [`Code::Usage`] for an unknown name.
pub fn executor_for(
    settings: &Settings,
    over: Option<&HandOverChoice>,
) -> Result<Option<Executor>> {
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

pub(crate) fn hand_over_notice(executor: &Executor, tier: Tier) -> String {
    let network = match executor.network {
        true => "with network access",
        false => "without network access",
    };
    format!(
        "handing steps over to {}: `{}`, {network}, sandbox {}",
        executor.name,
        executor.line(),
        tier.as_str()
    )
}
