//! Answers an agent's permission requests.
//!
//! An option is chosen by its id, never by its kind: an agent may offer “allow once” options that
//! also change its mode. Only an option whose id is known for this agent is chosen, and only if the
//! agent offers it.

use serde_json::Value;

use super::agents::Kind;

/// Kinds of actions that an agent may take in the sandbox, where it can't change the workspace.
const WORK: [&str; 7] = [
    "read", "edit", "delete", "move", "search", "execute", "think",
];

/// The kind of the permission request with which an agent asks to leave plan mode.
pub const SWITCH_MODE: &str = "switch_mode";

/// A permission request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Permission {
    /// The kind of the action, such as `edit`.
    pub kind: String,
    /// The action, in a few words.
    pub title: String,
    /// The input of the action, as JSON that the agent defines.
    pub input: Value,
    /// The possible answers.
    pub options: Vec<Option>,
}

/// A possible answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Option {
    /// The option's id.
    pub id: String,
    /// The protocol's hint about what it does.
    pub kind: String,
}

impl Permission {
    /// The id itself, if the agent offers an option with this id.
    fn offered(&self, id: &str) -> std::option::Option<&str> {
        let mut options = self.options.iter();
        let option = options.find(|option| !id.is_empty() && option.id == id);
        option.map(|option| option.id.as_str())
    }

    /// The id of the option to choose while the agent carries out a step in the sandbox: it may
    /// take its own actions, one at a time, and nothing else. `None` declines without choosing an
    /// option.
    pub fn answer_at_work(&self, kind: &Kind) -> std::option::Option<&str> {
        match WORK.contains(&self.kind.as_str()) {
            true => self.offered(kind.allow_once),
            false => self.offered(kind.reject),
        }
    }

    /// The id of the option to choose while the agent plans, which always refuses. `None` declines
    /// without choosing an option.
    pub fn answer_while_planning(&self, kind: &Kind) -> std::option::Option<&str> {
        self.offered(kind.reject)
    }
}

#[cfg(test)]
mod tests {
    use super::super::agents::KINDS;
    use super::*;

    fn permission(kind: &str, options: &[(&str, &str)]) -> Permission {
        Permission {
            kind: kind.to_owned(),
            options: options
                .iter()
                .map(|(id, kind)| Option {
                    id: (*id).to_owned(),
                    kind: (*kind).to_owned(),
                })
                .collect(),
            ..Permission::default()
        }
    }

    #[test]
    fn an_option_is_never_chosen_by_its_kind() {
        let qwen = &KINDS[0];
        let tricky = [
            ("restore_previous", "allow_once"),
            ("proceed_always", "allow_always"),
        ];
        let edit = permission("edit", &tricky);
        assert_eq!(edit.answer_at_work(qwen), None);
        let both = permission("edit", &[tricky[0], ("proceed_once", "allow_once")]);
        assert_eq!(both.answer_at_work(qwen), Some("proceed_once"));
    }

    #[test]
    fn a_mode_switch_and_an_unknown_action_are_refused_at_work() {
        for kind in [SWITCH_MODE, "fetch", "other", ""] {
            let claude = &KINDS[1];
            let options = [("allow-once", "allow_once"), ("reject", "reject_once")];
            let asked = permission(kind, &options);
            assert_eq!(asked.answer_at_work(claude), Some("reject"), "{kind}");
        }
    }

    #[test]
    fn planning_says_no_to_everything() {
        for kind in ["edit", "execute", "read", SWITCH_MODE] {
            let claude = &KINDS[1];
            let options = [("allow-once", "allow_once"), ("reject", "reject_once")];
            let asked = permission(kind, &options);
            assert_eq!(asked.answer_while_planning(claude), Some("reject"));
        }
    }
}
