//! Lists all effective permission rules with their origin, and removes them.
//!
//! Rules come from three places: the person's “Always allow” answers, their settings, and the
//! workspace's settings, which can only ask or deny. The first two can be removed here. A
//! workspace's file isn't written; the error says so.

use std::path::Path;

use gate::permissions::{Match, Rule};
use serde::Serialize;
use serde_json::{Value, json};

use crate::error::Result;
use crate::settings::write;
use crate::{WORKSPACE_SETTINGS, Workbench};

/// A permission rule for display.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PermissionRule {
    /// The ID for removing it: a number for “Always allow”, `u1` for the first rule in the user's
    /// settings, `w1` for the first in the workspace's.
    pub id: String,
    /// The name of the tool.
    pub tool: String,
    /// The pattern that calls must match: `exact …` or `prefix …`, as in settings and answers.
    #[serde(rename = "match")]
    pub matches: String,
    /// The rule's effect: `allow`, `ask` or `deny`.
    pub answer: String,
    /// The rule's origin: `always here`, `settings` or `workspace`.
    pub from: String,
    /// The workspace that the rule applies to, or the file that contains it.
    pub place: String,
    /// When an “Always allow” rule was created, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<i64>,
}

impl Workbench {
    /// The effective rules of a folder, in the order in which they are checked. The strictest
    /// matching rule wins, regardless of its position. Fails with [`crate::Code::Workspace`] if the
    /// folder can't be opened, [`crate::Code::Storage`].
    pub fn permissions(&self, workspace: Option<&Path>) -> Result<Vec<PermissionRule>> {
        let workspace = self.open_workspace(&self.environment.at(workspace))?;
        let own = self.settings_for(None).0.permissions.len();
        let all = self.settings_for(Some(&workspace)).0.permissions;
        let user_file = self.home.settings_file.display().to_string();
        let workspace_file = workspace.path().join(WORKSPACE_SETTINGS);
        let workspace_file = workspace_file.display().to_string();
        let stated = all.iter().enumerate().map(|(at, rule)| {
            let (id, from, place) = match at.checked_sub(own) {
                None => (format!("u{}", at + 1), "settings", &user_file),
                Some(at) => (format!("w{}", at + 1), "workspace", &workspace_file),
            };
            PermissionRule {
                id,
                tool: rule.tool.clone(),
                matches: match_of(rule),
                answer: rule.verdict.as_str().to_owned(),
                from: from.to_owned(),
                place: place.clone(),
                at_ms: None,
            }
        });
        let kept = self
            .store
            .permissions()
            .list(&workspace.path().display().to_string())?;
        let kept = kept.into_iter().map(|row| PermissionRule {
            id: row.id.to_string(),
            tool: row.tool,
            matches: format!("{} {}", row.match_kind.as_str(), row.text),
            answer: row.answer,
            from: "always here".to_owned(),
            place: row.workspace,
            at_ms: Some(row.at_ms),
        });
        Ok(stated.chain(kept).collect())
    }

    /// Removes a rule. From then on, runs ask again, even those in progress. Fails with
    /// [`crate::Code::Usage`] if there is no such rule or it is in a workspace's file;
    /// [`crate::Code::Storage`] if the settings can't be written.
    pub fn remove_permission(&self, id: &str) -> Result<()> {
        let none = || {
            err!(Usage:
            "no such rule: {id}; list the rules with `planwright permissions`")
        };
        if let Some(at) = id.strip_prefix('u') {
            let at = at.parse::<usize>().ok().and_then(|at| at.checked_sub(1));
            let rules = self.settings_for(None).0.permissions;
            let rule = at.and_then(|at| rules.get(at)).ok_or_else(none)?;
            return self
                .remove_from_settings(rule)
                .and_then(|found| found.then_some(()).ok_or_else(none));
        }
        if id
            .strip_prefix('w')
            .is_some_and(|at| at.parse::<usize>().is_ok())
        {
            return Err(err!(Usage:
                "rule {id} is set by the workspace; remove it from {WORKSPACE_SETTINGS} yourself"));
        }
        let number = id.parse::<i64>().map_err(|_| none())?;
        match self.store.permissions().remove(number)? {
            true => Ok(()),
            false => Err(none()),
        }
    }

    /// Removes the first entry for this rule from the user's settings. Returns `false` if there is
    /// none.
    fn remove_from_settings(&self, rule: &Rule) -> Result<bool> {
        let file = &self.home.settings_file;
        let shown = file.display();
        let failed = |reason: String| err!(Storage: "{shown}: {reason}");
        let text = std::fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
        let bare = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let read: Value = serde_json::from_str(bare).map_err(|error| failed(error.to_string()))?;
        let Some(mut rules) = read["permissions"].as_array().cloned() else {
            return Ok(false);
        };
        let Some(at) = rules.iter().position(|entry| is_for_rule(entry, rule)) else {
            return Ok(false);
        };
        rules.remove(at);
        let changed =
            write::with(Some(&text), "permissions", Some(json!(rules))).map_err(failed)?;
        crate::settings::file::replace(file, &changed)
            .map_err(|error| failed(error.to_string()))?;
        Ok(true)
    }
}

fn is_for_rule(entry: &Value, rule: &Rule) -> bool {
    let text = |key: &str| entry[key].as_str();
    text("tool") == Some(rule.tool.as_str())
        && text("answer") == Some(rule.verdict.as_str())
        && text("match").and_then(Match::parse).as_ref() == Some(&rule.matches)
}

/// The match as written in settings.
pub(crate) fn match_of(rule: &Rule) -> String {
    match &rule.matches {
        Match::Exact(subject) => format!("exact {subject}"),
        Match::Prefix(prefix) => format!("prefix {prefix}"),
    }
}
