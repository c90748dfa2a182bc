//! Merges the user's and the workspace's layers into the effective settings.
//!
//! Pure, and the only place that decides what a workspace may do: it sets project options and
//! tightens the gate. The table in `layer` names each setting's rule; the rules are the methods of
//! [`Merge`].

use std::fmt::Display;

use gate::permissions::{Rule, Verdict};
use gate::policy::Policy;

use super::format::Effective;
use super::layer::{Key, Layer};
use super::rules::PlacedRule;
use super::{SettingProblem, Settings};

/// Merges the layers. The second value lists workspace settings that are ignored because they would
/// loosen the gate.
pub(super) fn merge(user: &Layer, workspace: &Layer) -> (Settings, Vec<SettingProblem>) {
    let mut merge = Merge {
        user,
        workspace,
        ignored: Vec::new(),
    };
    let mut settings = merge.settings();
    settings.user_policy = user.policy;
    // A workspace's policy that wasn't ignored is the one in effect.
    settings.workspace_policy = workspace
        .policy
        .filter(|policy| settings.policy == Some(*policy));
    settings.verify_commands_are_own = workspace.verify_commands.is_none();
    (settings, merge.ignored)
}

/// Merges two layers, and records the workspace's values that would loosen the gate.
pub(super) struct Merge<'a> {
    user: &'a Layer,
    workspace: &'a Layer,
    ignored: Vec<SettingProblem>,
}

/// The merge rules. `default` applies if neither layer sets the key.
impl Merge<'_> {
    fn ignore(&mut self, key: &str, why: impl Display) {
        let problem = SettingProblem::new(key, format!("ignored: {why}"));
        self.ignored.push(problem);
    }

    /// The user's and the workspace's value of a key; `None` for a layer that doesn't set it.
    fn both<T: Clone>(&self, key: &Key<T>) -> (Option<T>, Option<T>) {
        (
            (key.of)(self.user).clone(),
            (key.of)(self.workspace).clone(),
        )
    }

    /// Merges a setting that a workspace can't set.
    pub(super) fn user_only<T: Clone, E: From<T>>(&mut self, key: &Key<T>, default: E) -> E {
        self.both(key).0.map_or(default, E::from)
    }

    /// Merges a project option: a workspace's value replaces the user's.
    pub(super) fn workspace_first<T: Clone, E: From<T>>(&mut self, key: &Key<T>, default: E) -> E {
        let (own, wish) = self.both(key);
        wish.or(own).map_or(default, E::from)
    }

    /// Merges a list: a workspace's entries are added to the user's.
    pub(super) fn appended<T: Clone>(&mut self, key: &Key<Vec<T>>, default: Vec<T>) -> Vec<T> {
        match self.both(key) {
            (None, None) => default,
            (own, wish) => [own, wish].into_iter().flatten().flatten().collect(),
        }
    }

    /// Merges a switch that a workspace can only turn on.
    pub(super) fn on_only(&mut self, key: &Key<bool>, default: bool) -> bool {
        let (own, wish) = self.both(key);
        let own = own.unwrap_or(default);
        if own && wish == Some(false) {
            self.ignore(key.name, "a workspace can only turn it on");
        }
        own || wish == Some(true)
    }

    /// Merges a limit that a workspace can only lower, or set where there is none.
    pub(super) fn lower_only<T, E>(&mut self, key: &Key<T>, default: E) -> E
    where
        T: PartialOrd + Display + Copy,
        E: Effective<T> + From<T>,
    {
        let (own, wish) = self.both(key);
        let own = own.or_else(|| default.as_set());
        let lowest = match (own, wish) {
            (Some(own), Some(wish)) if wish > own => {
                let why =
                    format!("{wish} is higher than your {own}; a workspace can only lower it");
                self.ignore(key.name, why);
                Some(own)
            }
            (own, wish) => wish.or(own),
        };
        lowest.map_or(default, E::from)
    }

    /// Merges a setting whose values `all` lists from least to most strict: a workspace can only
    /// make it stricter.
    pub(super) fn stricter_only<T: PartialEq + Copy>(
        &mut self,
        key: &Key<T>,
        default: T,
        all: &[T],
    ) -> T {
        let rank = |value: T| all.iter().position(|other| *other == value);
        let (own, wish) = self.both(key);
        let own = own.unwrap_or(default);
        match wish {
            Some(wish) if rank(wish) < rank(own) => {
                let why =
                    "it is less strict than your setting; a workspace can only make it stricter";
                self.ignore(key.name, why);
                own
            }
            wish => wish.unwrap_or(own),
        }
    }

    /// Merges the approval policy: a workspace can only make runs ask more often.
    pub(super) fn policy(&mut self, key: &Key<Policy>, default: Option<Policy>) -> Option<Policy> {
        match self.both(key) {
            (None, Some(Policy::All)) => {
                let why = "“all” never asks; a workspace can only make runs ask more often";
                self.ignore(key.name, why);
                default
            }
            (Some(own), Some(wish)) if wish < own => {
                let (wish, own_name) = (wish.as_str(), own.as_str());
                let why = format!(
                    "“{wish}” asks less often than your “{own_name}”; a workspace can only make \
                     runs ask more often"
                );
                self.ignore(key.name, why);
                Some(own)
            }
            (own, wish) => wish.or(own).or(default),
        }
    }

    /// Merges permission rules: the user's, then the workspace's; a workspace can't allow anything.
    pub(super) fn permissions(
        &mut self,
        key: &Key<Vec<PlacedRule>>,
        default: Vec<Rule>,
    ) -> Vec<Rule> {
        let (own, wish) = self.both(key);
        let own = own.map(|rules| rules.into_iter().map(|placed| placed.rule).collect());
        let mut rules = own.unwrap_or(default);
        for PlacedRule { place, rule } in wish.into_iter().flatten() {
            if rule.verdict == Verdict::Allow {
                let why = "a workspace can only ask or deny; use your own settings to allow it";
                self.ignore(&format!("{}[{place}].answer", key.name), why);
            } else {
                rules.push(rule);
            }
        }
        rules
    }

    /// Merges a number of tokens that a workspace can only lower, where 0 means no limit.
    pub(super) fn token_budget(&mut self, key: &Key<u64>, default: u64) -> u64 {
        let limit = |tokens: u64| if tokens == 0 { u64::MAX } else { tokens };
        let (own, wish) = self.both(key);
        let own = own.unwrap_or(default);
        match wish {
            Some(wish) if limit(wish) > limit(own) => {
                let shown = if wish == 0 {
                    "no limit".to_owned()
                } else {
                    wish.to_string()
                };
                let why =
                    format!("{shown} is higher than your {own}; a workspace can only lower it");
                self.ignore(key.name, why);
                own
            }
            wish => wish.unwrap_or(own),
        }
    }

    /// Merges a number that a workspace can only lower, but not to 0, which turns verification off:
    /// without checks, "done" means nothing.
    pub(super) fn attempts(&mut self, key: &Key<u32>, default: u32) -> u32 {
        let (own, wish) = self.both(key);
        let own = own.unwrap_or(default);
        match wish {
            Some(0) if own > 0 => {
                let why = "0 turns verification off, and only user settings can do that";
                self.ignore(key.name, why);
                own
            }
            // If the user turned it off, any number from the workspace turns it on.
            Some(wish) if own == 0 => wish,
            _ => self.lower_only(key, default),
        }
    }
}
