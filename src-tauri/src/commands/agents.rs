//! Commands about other agents: finding those on this machine, and trying them. `bridges` does the
//! work.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bridges::acp_client::discovery::{self, Discovered};
use bridges::hooks::{Host as HookHost, setup};
use desktop::wire::{AgentTrial, AgentView, AgentsView, HookView};
use tauri::State;
use workbench::{CancelToken, Code, Environment, Error, Result};

use crate::host::{Answer, Host};

/// The terminal program, which the hooks call.
const PROGRAM: &str = "planwright";

/// The agent trial that is running; starting another one cancels it.
#[derive(Clone, Default)]
pub(crate) struct Trials(Arc<Mutex<Option<CancelToken>>>);

impl Trials {
    fn replace(&self, next: Option<CancelToken>) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = std::mem::replace(&mut *now, next) {
            before.cancel();
        }
    }
}

/// The agents on this machine, and the hooks in their settings.
#[tauri::command]
#[specta::specta]
pub(crate) async fn agents(host: State<'_, Host>) -> Answer<AgentsView> {
    host.ask(|desktop| {
        let bench = desktop.workbench()?;
        let found = discovery::discover(&bench);
        Ok(AgentsView {
            agents: found.into_iter().map(agent_view).collect(),
            hooks: vec![hook_view(HookHost::Claude, &bench.environment)],
        })
    })
    .await
}

/// Starts an agent in a workspace, opens a session in its plan mode, and ends it again.
#[tauri::command]
#[specta::specta]
pub(crate) async fn try_agent(
    host: State<'_, Host>,
    trials: State<'_, Trials>,
    workspace: String,
    name: String,
) -> Answer<AgentTrial> {
    let trials = trials.inner().clone();
    host.ask(move |desktop| {
        let cancel = CancelToken::new().map_err(|error| Error::from_cause(Code::Failed, error))?;
        trials.replace(Some(cancel.clone()));
        let bench = desktop.workbench()?;
        let trial = discovery::try_agent(bench, Path::new(&workspace), &name, &cancel)?;
        Ok(AgentTrial {
            ready_ms: u32::try_from(trial.ready.as_millis()).unwrap_or(u32::MAX),
            modes: trial.modes,
            options: trial.options,
        })
    })
    .await
}

/// Cancels the running trial; its agent is ended.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_agent_trial(trials: State<'_, Trials>) -> Answer<()> {
    trials.replace(None);
    Ok(())
}

fn agent_view(one: Discovered) -> AgentView {
    let agent = one.found.as_ref().ok();
    AgentView {
        line: agent.map(|agent| agent.line()),
        tier: agent.map_or_else(String::new, |agent| agent.kind.tier.as_str().to_owned()),
        network: agent.is_some_and(|agent| agent.network),
        env: agent.map_or_else(Vec::new, |agent| agent.environment.clone()),
        install: Some(one.install.to_owned()).filter(|install| !install.is_empty()),
        name: one.name,
        title: one.title,
        has_entry: one.has_entry,
        problem: one.found.err(),
    }
}

/// The hook in the user's own settings of a host program; a project's settings may contain another
/// one.
fn hook_view(host: HookHost, environment: &Environment) -> HookView {
    let variable = |name: &str| environment.variable(name);
    let file = host.settings_file(&environment.home(), variable, None);
    let (program, missing) = match terminal_program(environment) {
        Ok(program) => (program, None),
        Err(error) => (PathBuf::from(PROGRAM), Some(error.message)),
    };
    let checkup = setup::check(host, &program, &file);
    let problems = missing.map_or(checkup.problems, |missing| vec![missing]);
    HookView {
        title: host.title().to_owned(),
        file: checkup.file.display().to_string(),
        is_installed: checkup.is_installed,
        problems: if checkup.is_installed {
            problems
        } else {
            Vec::new()
        },
        install: format!("{PROGRAM} hook install {}", host.name()),
    }
}

/// The terminal program, beside this one or on the PATH.
fn terminal_program(environment: &Environment) -> Result<PathBuf> {
    let path = environment.variable("PATH").unwrap_or_default();
    workbench::find_own_program(PROGRAM, &path).ok_or_else(|| {
        Error::new(
            Code::Failed,
            format!(
                "can't find `{PROGRAM}`, which the hook runs; install it beside this program or on the PATH"
            ),
        )
    })
}
