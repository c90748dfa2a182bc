//! Merges the user's and the workspace's layers into the effective settings.
//!
//! Pure, and the only place that decides what a workspace may do: it sets project options and
//! tightens the gate; sandbox and endpoint are never taken from its layer.

use std::fmt::Display;

use agent::verifying::Verification;
use gate::permissions::{Rule, Verdict};
use gate::policy::Policy;
use tools::sandbox::Wanted;

use super::layer::{Key, Layer, PlacedRule, keys};
use super::{SettingProblem, Settings, expansion, planning, routes};

/// The default time limit of a command, in seconds.
const COMMAND_TIMEOUT_S: u32 = 600;

/// The default wait for an unreachable model server, in seconds.
const SERVER_WAIT_S: u64 = 600;

/// Merges the layers. The second value lists workspace settings that are ignored because they would
/// loosen the gate.
pub(super) fn merge(user: &Layer, workspace: &Layer) -> (Settings, Vec<SettingProblem>) {
    let merging = &mut Merging {
        user,
        workspace,
        ignored: Vec::new(),
    };
    let workspace_policy = match (user.policy, workspace.policy) {
        (None, Some(Policy::All)) => {
            let why = "“all” asks least of all; a workspace can only ask more";
            merging.ignore("policy", why);
            None
        }
        (Some(own), Some(wish)) if wish < own => {
            let (wish, own) = (wish.as_str(), own.as_str());
            let why =
                format!("“{wish}” asks less than your “{own}”; a workspace can only ask more");
            merging.ignore("policy", why);
            None
        }
        (_, wish) => wish,
    };
    let plan_adequacy_shadow = merging.only_on(&keys::plan_adequacy_shadow, true);
    let plan_adequacy_enforce = merging.only_on(&keys::plan_adequacy_enforce, false);
    let max_gap_risk = merging.lowered(&keys::max_gap_risk, user.max_gap_risk);
    let command_timeout_s = merging.at_most(&keys::command_timeout_s, COMMAND_TIMEOUT_S);
    let server_wait_s = merging.at_most(&keys::server_wait_s, SERVER_WAIT_S);
    let expansion = expansion::merge(merging);
    let planning = planning::merge(merging);
    let verification = verification(merging);
    let own = user.permissions.iter().flatten();
    let mut permissions: Vec<Rule> = own.map(|placed| placed.rule.clone()).collect();
    for PlacedRule { place, rule } in workspace.permissions.iter().flatten() {
        if rule.verdict == Verdict::Allow {
            let why = "a workspace can ask and deny; allow it in your own settings";
            merging.ignore(&format!("permissions[{place}].answer"), why);
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
    (settings, std::mem::take(&mut merging.ignored))
}

/// A workspace can ask for more verification and fewer retries of failing checks, but can't turn
/// anything off: without checks, "done" means nothing.
fn verification(merging: &mut Merging<'_>) -> Verification {
    let default = Verification::default();
    Verification {
        verify_file_changes: merging
            .only_on(&keys::verify_file_changes, default.verify_file_changes),
        run_tests_after_changes: merging.only_on(
            &keys::run_tests_after_changes,
            default.run_tests_after_changes,
        ),
        verify_search_results: merging
            .only_on(&keys::verify_search_results, default.verify_search_results),
        max_verification_attempts: attempts(merging, default.max_verification_attempts),
    }
}

fn attempts(merging: &mut Merging<'_>, default: u32) -> u32 {
    let key = &keys::max_verification_attempts;
    let (own, wish) = merging.both(key);
    let own = own.unwrap_or(default);
    match wish {
        Some(0) if own > 0 => {
            merging.ignore(
                key.name,
                "0 switches verification off, which a workspace cannot",
            );
            own
        }
        // If the user turned it off, any number from the workspace turns it on.
        Some(wish) if own == 0 => wish,
        _ => merging.lowered(key, Some(own)).unwrap_or(own),
    }
}

/// The workspace's value if set, else the user's; for project options.
fn nearer<T: Clone>(workspace: &Option<T>, user: &Option<T>) -> Option<T> {
    workspace.as_ref().or(user.as_ref()).cloned()
}

/// Merges two layers, and records the workspace's values that would loosen the gate.
pub(super) struct Merging<'a> {
    pub(super) user: &'a Layer,
    pub(super) workspace: &'a Layer,
    ignored: Vec<SettingProblem>,
}

impl Merging<'_> {
    pub(super) fn ignore(&mut self, key: &str, why: impl Display) {
        let complaint = SettingProblem::new(key, format!("is ignored: {why}"));
        self.ignored.push(complaint);
    }

    /// The user's and the workspace's values.
    pub(super) fn both<T: Copy>(&self, key: &Key<T>) -> (Option<T>, Option<T>) {
        (*(key.of)(self.user), *(key.of)(self.workspace))
    }

    /// A switch that a workspace can only turn on.
    pub(super) fn only_on(&mut self, key: &Key<bool>, default: bool) -> bool {
        let (own, wish) = self.both(key);
        let own = own.unwrap_or(default);
        if own && wish == Some(false) {
            self.ignore(key.name, "a workspace can only turn it on");
        }
        own || wish == Some(true)
    }

    /// A limit that a workspace can only lower.
    pub(super) fn at_most<T>(&mut self, key: &Key<T>, default: T) -> T
    where
        T: PartialOrd + Display + Copy,
    {
        let own = self.both(key).0.unwrap_or(default);
        self.lowered(key, Some(own)).unwrap_or(own)
    }

    /// The same for an optional limit.
    pub(super) fn lowered<T>(&mut self, key: &Key<T>, own: Option<T>) -> Option<T>
    where
        T: PartialOrd + Display + Copy,
    {
        match (own, self.both(key).1) {
            (Some(own), Some(wish)) if wish > own => {
                let why = format!("{wish} is more than your {own}; a workspace can only lower it");
                self.ignore(key.name, why);
                Some(own)
            }
            (own, wish) => wish.or(own),
        }
    }

    /// One of several values, from least to most strict: a workspace can only make it stricter.
    pub(super) fn no_less<T: PartialEq + Copy>(
        &mut self,
        key: &Key<T>,
        all: &[T],
        default: T,
    ) -> T {
        let rank = |value: T| all.iter().position(|other| *other == value);
        let (own, wish) = self.both(key);
        let own = own.unwrap_or(default);
        match wish {
            Some(wish) if rank(wish) < rank(own) => {
                self.ignore(
                    key.name,
                    "it asks less than yours; a workspace can only ask more",
                );
                own
            }
            wish => wish.unwrap_or(own),
        }
    }
}
