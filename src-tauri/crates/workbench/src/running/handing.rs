//! Who carries out the steps that have no `call:` lines: a model, or a command of the user's settings.

use std::path::Path;

use agent::micro_planning::{HandOverChoice, RunChoice};
use agent::model_step::brief;
use tools::sandbox::Tier;

use super::ModelChoice;
use crate::Workbench;
use crate::error::{Code, Error, Result};
use crate::settings::Settings;
use crate::settings::executors::Executor;

/// Who carries out the steps that have no `call:` lines.
#[derive(Debug, Default)]
pub struct Hands {
    pub(crate) model: ModelChoice,
    pub(crate) over: Option<HandOverChoice>,
}

impl Hands {
    /// The command that steps are handed over to: as is asked for now; where nothing is, as the run was
    /// begun.
    pub(super) fn over<'a>(&'a self, choice: &'a RunChoice) -> Option<&'a HandOverChoice> {
        match (&self.over, &self.model) {
            (Some(over), _) => Some(over),
            (None, ModelChoice::Configured) => choice.hand_over.as_ref(),
            (None, _) => None,
        }
    }
}

impl Workbench {
    /// What somebody else has to know to carry out one step of a plan: to be copied, or read by another
    /// agent. Carries nothing out.
    ///
    /// # Errors
    /// [`Code::Usage`] for a step that the plan does not hold; what the file says.
    pub fn brief(&mut self, file: &Path, step: &str) -> Result<String> {
        let opened = self.open_plan(file, None)?;
        let mut tasks = opened.plan.tasks.iter();
        let Some(task) = tasks.find(|task| task.id.as_str() == step) else {
            return Err(err!(Usage: "{step} is no step of {}", opened.file.relative));
        };
        Ok(brief::for_others(&opened.plan, task, &[]))
    }
}

/// The command that steps are handed over to, by its name in the user's settings.
/// Fails with [`Code::Usage`] for a name that the settings do not know.
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
        true => "your settings name none that can be used under `executors`; `planwright settings` says what is wrong there".to_owned(),
        false => format!("your settings name {}", names.join(", ")),
    };
    let message = format!(
        "there is no command “{}” to hand steps over to: {known}",
        over.name
    );
    Err(Error::new(Code::Usage, message))
}

pub(crate) fn told(executor: &Executor, tier: Tier) -> String {
    let network = match executor.network {
        true => "with the network",
        false => "without the network",
    };
    format!(
        "steps are handed over to {}: `{}`, {network}, sandbox {}",
        executor.name,
        executor.line(),
        tier.as_str()
    )
}
