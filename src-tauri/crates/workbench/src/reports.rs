//! Read-only views of runs, receipts, the sandbox and the settings.

use std::path::Path;

use agent::receipt::{self, Receipt};
use serde::Serialize;
use store::{Holder, Lookup};
use tools::sandbox::{Attempt, Tier, Unavailable};

use crate::error::Result;
use crate::settings::Settings;
use crate::wire::RunSummary;
use crate::wire::settings::SettingProblem;
use crate::{Workbench, journal_rows};

/// The receipt of a run.
#[derive(Debug, Clone, Serialize)]
pub struct RunReceipt {
    /// The run's ID.
    pub run: String,
    /// The absolute path of the plan file.
    pub plan: String,
    /// The plan's title.
    pub title: String,
    /// The absolute path of the workspace.
    pub workspace: String,
    /// The receipt's data.
    #[serde(flatten)]
    pub receipt: Receipt,
}

/// The sandbox for commands on this machine, and how well it confines them.
#[derive(Debug, Clone, Serialize)]
pub struct SandboxReport {
    /// The name of the sandbox tier: `bubblewrap`, `landlock` or `none`.
    pub tier: String,
    /// An explanation of the tier, in one sentence.
    pub meaning: String,
    /// The escape attempts that were tested.
    pub attempts: Vec<Attempt>,
    /// Stronger tiers that aren't available.
    pub unavailable: Vec<Unavailable>,
}

/// The effective settings, and the files that they come from.
#[derive(Debug, Clone, Serialize)]
pub struct SettingsReport {
    /// The value of each key, in the order of the schema.
    pub settings: Vec<(String, serde_json::Value)>,
    /// Problems found in the settings files.
    pub problems: Vec<SettingProblem>,
    /// The files that were read, whether or not they exist.
    pub files: Vec<String>,
}

/// Explains a tier, for display.
pub fn meaning(tier: Tier) -> &'static str {
    match tier {
        Tier::Bubblewrap => {
            "commands can't write outside the workspace, use the network, or leave processes running"
        }
        Tier::Landlock => {
            "commands can't write outside the workspace or use the network; tests that start a local server need permission"
        }
        Tier::None => "no sandbox works here, so every command needs approval",
    }
}

/// Whether a run with this [`Workbench::live_state`] can be resumed: no process is carrying it out,
/// and it is neither done nor discarded.
pub fn can_resume(state: &str) -> bool {
    state != "running" && is_open(state)
}

/// Whether a run with this [`Workbench::live_state`] is running or can be resumed.
pub(crate) fn is_open(state: &str) -> bool {
    !matches!(state, "done" | "discarded")
}

impl Workbench {
    /// All runs, newest first.
    pub fn runs(&mut self) -> Result<Vec<RunSummary>> {
        let rows = self.store.runs().list()?;
        rows.into_iter()
            .map(|row| {
                let state = self.live_state(&row)?;
                Ok(RunSummary {
                    run: row.id,
                    plan: row.plan,
                    title: row.title,
                    workspace: row.workspace,
                    revision: row.revision,
                    state,
                    created_at_ms: row.created_ms,
                    updated_at_ms: row.updated_ms,
                })
            })
            .collect()
    }

    /// A run's state; `interrupted` if it was running and its process is gone.
    pub fn live_state(&self, row: &store::Run) -> Result<String> {
        if row.state != "running" && row.state != "created" {
            return Ok(row.state.clone());
        }
        let holder = self.store.leases().holder(&row.plan)?;
        let alive = holder.is_some_and(|holder| holder.run == row.id && Holder::is_alive(&holder));
        Ok(if alive { "running" } else { "interrupted" }.to_owned())
    }

    /// The receipt of a run.
    pub fn receipt(&mut self, run: &str) -> Result<RunReceipt> {
        let row = self.find_run(run)?;
        let journal = journal_rows::read(&self.store, &row.id)?;
        let mut receipt = receipt::receipt(&journal).ok_or_else(|| {
            err!(Storage:
            "the journal of run {} is missing its first entry", row.id)
        })?;
        if receipt.state == "interrupted" {
            receipt.state = self.live_state(&row)?;
        }
        Ok(RunReceipt {
            run: row.id,
            plan: row.plan,
            title: row.title,
            workspace: row.workspace,
            receipt,
        })
    }

    /// The run with this ID, or the only one whose ID starts with it. Fails with
    /// [`crate::Code::UnknownRun`] if none or several match, [`crate::Code::Storage`].
    pub fn find_run(&self, id: &str) -> Result<store::Run> {
        match self.store.runs().get(id)? {
            Lookup::One(run) => Ok(run),
            Lookup::None => Err(err!(UnknownRun:
                "no run “{id}”; run `planwright runs` to list all runs")),
            Lookup::Many(_) => Err(err!(UnknownRun:
                "several runs start with “{id}”; use a longer ID")),
        }
    }

    /// Tests the sandboxes and returns the results.
    pub fn sandbox(&mut self) -> Result<SandboxReport> {
        let (settings, _) = self.settings_for(None);
        let sandbox = self.probe(&settings);
        let report = sandbox.report();
        Ok(SandboxReport {
            tier: report.tier.as_str().to_owned(),
            meaning: meaning(report.tier).to_owned(),
            attempts: report.attempts.clone(),
            unavailable: report.unavailable.clone(),
        })
    }

    /// The effective settings of a folder. Fails with [`crate::Code::Workspace`] if the folder
    /// can't be opened.
    pub fn settings(&mut self, workspace: Option<&Path>) -> Result<SettingsReport> {
        let workspace = self.open_workspace(&self.environment.at(workspace))?;
        let (settings, problems) = self.settings_for(Some(&workspace));
        let workspace_file = workspace.path().join(crate::WORKSPACE_SETTINGS);
        Ok(SettingsReport {
            settings: entries(&settings)?,
            problems,
            files: vec![
                self.home.settings_file.display().to_string(),
                workspace_file.display().to_string(),
            ],
        })
    }
}

fn entries(settings: &Settings) -> Result<Vec<(String, serde_json::Value)>> {
    let value = settings.to_json();
    match value {
        serde_json::Value::Object(map) => Ok(map.into_iter().collect()),
        _ => Err(err!(Failed: "internal error: the settings are not an object")),
    }
}
