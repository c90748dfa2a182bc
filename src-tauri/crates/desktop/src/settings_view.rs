//! Viewing and changing settings, permission rules and the sandbox.

use std::path::Path;

use serde_json::Value;
use tools::Workspace;

use crate::Desktop;
use crate::wire::{DesktopEvent, RuleView, SandboxView, SettingView, SettingsView};
use workbench::error::{Error, Result};
use workbench::reports::meaning;
use workbench::settings::{Descriptor, Settings, descriptors, write};
use workbench::text::number;
use workbench::{WORKSPACE_SETTINGS, Workbench};

impl Desktop {
    /// The effective settings, with or without a workspace.
    ///
    /// # Errors
    /// [`workbench::Code::Workspace`] if the folder can't be opened, [`workbench::Code::Storage`].
    pub fn settings(&self, workspace: Option<&str>) -> Result<SettingsView> {
        let workbench = self.shared.workbench();
        let workspace = workspace.map(|path| workbench.open_workspace(Path::new(path)));
        let workspace = workspace.transpose()?;
        let (settings, problems) = workbench.settings_for(workspace.as_ref());
        let rules = match &workspace {
            Some(workspace) => rules(&workbench, workspace)?,
            None => Vec::new(),
        };
        Ok(SettingsView {
            settings: rows(&workbench, workspace.as_ref(), &settings),
            problems,
            user_file: workbench.home.settings_file.display().to_string(),
            workspace_file: workspace.as_ref().map(|workspace| {
                workspace
                    .path()
                    .join(WORKSPACE_SETTINGS)
                    .display()
                    .to_string()
            }),
            rules,
            sandbox: sandbox(&workbench, &settings),
        })
    }

    /// Writes one key of the user's settings, given as JSON; `None` removes it.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] for an invalid value, or if the file isn't valid JSON;
    /// [`workbench::Code::Storage`] if the file can't be written.
    pub fn set_setting(&self, key: &str, value: Option<&str>) -> Result<()> {
        {
            let workbench = self.shared.workbench();
            let file = &workbench.home.settings_file;
            let text = match std::fs::read_to_string(file) {
                Ok(text) => Some(text),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
                Err(error) => return Err(unwritten(file, &error)),
            };
            let value = value.map(serde_json::from_str::<Value>).transpose();
            let value = value.map_err(|error| err!(Usage: "invalid JSON for {key}: {error}"))?;
            let changed = write::with(text.as_deref(), key, value).map_err(|reason| {
                err!(Usage:
                "{}: {reason}", file.display())
            })?;
            workbench::settings::file::replace(file, &changed)
                .map_err(|error| unwritten(file, &error))?;
        }
        self.shared.events.send(DesktopEvent::Settings);
        Ok(())
    }

    /// Revokes a permission rule created with “always here” or in the user's settings.
    pub fn revoke_rule(&self, id: &str) -> Result<()> {
        let done = self.shared.workbench().remove_permission(id);
        self.shared.events.send(DesktopEvent::Settings);
        done
    }
}

fn unwritten(file: &Path, error: &std::io::Error) -> Error {
    let file = file.display();
    err!(Storage: "couldn't write {file}, so nothing was changed: {error}")
}

/// Every setting in the order of the table, with the source of its value.
fn rows(
    workbench: &Workbench,
    workspace: Option<&Workspace>,
    settings: &Settings,
) -> Vec<SettingView> {
    let user_file = &workbench.home.settings_file;
    let nothing = |_: &str| None;
    // Load the layers cumulatively: a value comes from the layer where it changes.
    let default = Settings::default();
    let user = Settings::load(user_file, None, nothing).0;
    let environment =
        Settings::load(user_file, None, |name| workbench.environment.variable(name)).0;
    let [default, user, environment, now] =
        [&default, &user, &environment, settings].map(Settings::to_json);
    let row = |setting: Descriptor| {
        let key = setting.key;
        let value = &now[key];
        let from = match () {
            () if workspace.is_some() && *value != environment[key] => "workspace",
            () if environment[key] != user[key] => "environment",
            () if user[key] != default[key] => "user",
            () => "default",
        };
        let (kind, choices) = kind(&setting.schema);
        SettingView {
            key: key.to_owned(),
            label: setting.label.to_owned(),
            group: setting.group,
            description: setting.help.to_owned(),
            value: value.to_string(),
            default: default[key].to_string(),
            from: from.to_owned(),
            kind: kind.to_owned(),
            choices,
        }
    };
    descriptors().into_iter().map(row).collect()
}

/// The input kind of a setting, and the choices for it.
fn kind(property: &Value) -> (&'static str, Vec<String>) {
    if let Some(choices) = property["enum"].as_array() {
        let names = choices.iter().filter_map(Value::as_str);
        return ("choice", names.map(str::to_owned).collect());
    }
    let is = |name: &str| {
        let stated = &property["type"];
        stated == name
            || stated
                .as_array()
                .is_some_and(|names| names.iter().any(|stated| stated == name))
    };
    let is_list_of_texts = is("array") && {
        let item = &property["items"]["type"];
        item == "string"
    };
    let kind = match () {
        () if is("boolean") => "boolean",
        () if is("integer") || is("number") => "number",
        () if is("string") => "text",
        () if is_list_of_texts => "list",
        () => "json",
    };
    (kind, Vec::new())
}

fn rules(workbench: &Workbench, workspace: &Workspace) -> Result<Vec<RuleView>> {
    let rules = workbench.permissions(Some(workspace.path()))?.into_iter();
    let rules = rules.map(|rule| {
        let (kind, text) = match rule.matches.split_once(' ') {
            Some((kind, text)) => (kind.to_owned(), text.to_owned()),
            None => (rule.matches.clone(), String::new()),
        };
        RuleView {
            is_revocable: rule.from != "workspace",
            id: rule.id,
            tool: rule.tool,
            kind,
            text,
            answer: rule.answer,
            from: rule.from,
            place: rule.place,
            at_ms: rule.at_ms,
        }
    });
    Ok(rules.collect())
}

fn sandbox(workbench: &Workbench, settings: &Settings) -> SandboxView {
    let sandbox = workbench.probe(settings);
    let report = sandbox.report();
    let refused = report.attempts.iter().filter(|attempt| attempt.refused);
    SandboxView {
        tier: report.tier.as_str().to_owned(),
        meaning: meaning(report.tier).to_owned(),
        tried: number(report.attempts.len()),
        refused: number(refused.count()),
        unavailable: report
            .unavailable
            .iter()
            .map(|tier| format!("{}: {}", tier.tier.as_str(), tier.reason))
            .collect(),
    }
}
