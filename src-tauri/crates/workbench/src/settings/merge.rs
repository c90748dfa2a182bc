//! The user's layer and the workspace's to the settings in force.
//!
//! Pure, and the one place that decides what a workspace may do: project things it sets, the gate it
//! tightens, and sandbox and endpoint are never taken from its layer.

use std::fmt::Display;

use gate::permissions::{Rule, Verdict};
use gate::policy::Policy;
use tools::sandbox::Wanted;

use super::layer::{Layer, PlacedRule};
use super::{Complaint, Settings, expansion, planning, routes, verification};

/// How long a command may run when nobody says, in seconds.
const COMMAND_TIMEOUT_S: u32 = 600;

/// How long a model's server that is gone is waited for when nobody says, in seconds.
const SERVER_WAIT_S: u64 = 600;

/// Merges; the second value names what of the workspace is ignored because it would loosen.
pub(super) fn merge(user: &Layer, workspace: &Layer) -> (Settings, Vec<Complaint>) {
    let mut ignored = Vec::new();
    let mut ignore = |key: &str, why: String| {
        ignored.push(Complaint::new(key, format!("is ignored: {why}")));
    };

    let workspace_policy = match (user.policy, workspace.policy) {
        (None, Some(Policy::All)) => {
            ignore(
                "policy",
                "“all” asks least of all; a workspace can only ask more".to_owned(),
            );
            None
        }
        (Some(own), Some(wish)) if wish < own => {
            let (wish, own) = (wish.as_str(), own.as_str());
            ignore(
                "policy",
                format!("“{wish}” asks less than your “{own}”; a workspace can only ask more"),
            );
            None
        }
        (_, wish) => wish,
    };

    let mut only_on = |key: &str, own: bool, wish: Option<bool>| {
        if own && wish == Some(false) {
            ignore(key, "a workspace can only turn it on".to_owned());
        }
        own || wish == Some(true)
    };
    let plan_adequacy_shadow = only_on(
        "plan_adequacy_shadow",
        user.plan_adequacy_shadow.unwrap_or(true),
        workspace.plan_adequacy_shadow,
    );
    let plan_adequacy_enforce = only_on(
        "plan_adequacy_enforce",
        user.plan_adequacy_enforce.unwrap_or(false),
        workspace.plan_adequacy_enforce,
    );

    let max_gap_risk = match (user.max_gap_risk, workspace.max_gap_risk) {
        (Some(own), Some(wish)) if wish > own => {
            ignore(
                "max_gap_risk",
                format!("{wish} is more than your {own}; a workspace can only lower it"),
            );
            Some(own)
        }
        (own, wish) => wish.or(own),
    };

    let command_timeout_s = at_most(
        "command_timeout_s",
        user.command_timeout_s.unwrap_or(COMMAND_TIMEOUT_S),
        workspace.command_timeout_s,
        &mut ignore,
    );

    let server_wait_s = at_most(
        "server_wait_s",
        user.server_wait_s.unwrap_or(SERVER_WAIT_S),
        workspace.server_wait_s,
        &mut ignore,
    );

    let expansion = expansion::merge(user, workspace, &mut ignore);
    let planning = planning::merge(user, workspace, &mut ignore);
    let verification = verification::merge(user, workspace, &mut ignore);

    let mut permissions: Vec<Rule> = user
        .permissions
        .iter()
        .flatten()
        .map(|placed| placed.rule.clone())
        .collect();
    for PlacedRule { place, rule } in workspace.permissions.iter().flatten() {
        if rule.verdict == Verdict::Allow {
            ignore(
                &format!("permissions[{place}].answer"),
                "a workspace can ask and deny; allow it in your own settings".to_owned(),
            );
        } else {
            permissions.push(rule.clone());
        }
    }

    let settings = Settings {
        policy: user.policy.max(workspace_policy),
        user_policy: user.policy,
        workspace_policy,
        plan_adequacy_shadow,
        plan_adequacy_enforce,
        max_gap_risk,
        expansion,
        permissions,
        sandbox: user.sandbox.unwrap_or(Wanted::Auto),
        toolchains: user.toolchains.clone().unwrap_or_default(),
        private_files: user.private_files.clone().unwrap_or_default(),
        endpoint: user.endpoint.clone(),
        command_timeout_s,
        server_wait_s,
        verify_commands: nearer(&workspace.verify_commands, &user.verify_commands)
            .unwrap_or_default(),
        verify_commands_are_own: workspace.verify_commands.is_none(),
        verification,
        planning,
        routes: routes::merge(user),
        executors: user.executors.clone().unwrap_or_default(),
        template_folders: nearer(&workspace.template_folders, &user.template_folders)
            .unwrap_or_else(|| vec![".planwright/templates".to_owned()]),
        plan_folder: nearer(&workspace.plan_folder, &user.plan_folder)
            .unwrap_or_else(|| "plans".to_owned()),
        plan_folders: nearer(&workspace.plan_folders, &user.plan_folders),
        context_notes: [&user.context_notes, &workspace.context_notes]
            .into_iter()
            .flatten()
            .flatten()
            .cloned()
            .collect(),
        theme: user.theme.unwrap_or_default(),
    };
    (settings, ignored)
}

/// Of a project thing the workspace's value counts.
pub(super) fn nearer<T: Clone>(workspace: &Option<T>, user: &Option<T>) -> Option<T> {
    workspace.as_ref().or(user.as_ref()).cloned()
}

/// A limit that a workspace can only lower; `ignore` is told of one that it would raise.
pub(super) fn at_most<T: PartialOrd + Display>(
    key: &str,
    own: T,
    wish: Option<T>,
    ignore: &mut dyn FnMut(&str, String),
) -> T {
    match wish {
        Some(wish) if wish > own => {
            let why = format!("{wish} is more than your {own}; a workspace can only lower it");
            ignore(key, why);
            own
        }
        wish => wish.unwrap_or(own),
    }
}
