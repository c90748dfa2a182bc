//! The user's overrides of a profile, and the source of each value.

use serde::{Deserialize, Serialize};

use super::{
    ChangeForms, Counters, EditForm, ProbeResult, Profile, Reliability, Strategy, ToolChannel,
};
use crate::{ReasoningEffort, Verbosity};

/// Values set by the user. Fields have the names of a [`Profile`]; `None` uses the detected value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[allow(
    missing_docs,
    reason = "documented on the profile's field of the same name"
)]
pub struct Overrides {
    pub context_window: Option<u64>,
    pub tool_calling_reliability: Option<Reliability>,
    pub json_reliability: Option<Reliability>,
    pub recommended_strategy: Option<Strategy>,
    pub max_tasks_per_plan: Option<u32>,
    pub needs_simplified_prompts: Option<bool>,
    pub supports_structured_output: Option<bool>,
    pub max_output_tokens: Option<u32>,
    pub reasons: Option<bool>,
    pub reasoning: Option<ReasoningEffort>,
    pub verbosity: Option<Verbosity>,
    pub tool_channel: Option<ToolChannel>,
    pub parallel_calls: Option<bool>,
    pub honours_tool_choice: Option<bool>,
    pub edit_form: Option<EditForm>,
    pub change_forms: Option<ChangeForms>,
}

/// Source of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The model's name.
    Name,
    /// The probe, or information from the server.
    Probe,
    /// The counters of faults in actual use.
    Counters,
    /// The user.
    User,
}

/// A profile with the source of each value, by JSON name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sourced {
    /// The effective profile.
    pub profile: Profile,
    /// The source of each value.
    pub sources: std::collections::BTreeMap<String, Source>,
}

impl Sourced {
    /// The effective profile: the guess by name, overridden by the probe, the counters, and the
    /// user.
    #[must_use]
    pub fn of(
        model: &str,
        probe: Option<&ProbeResult>,
        counters: &Counters,
        user: &Overrides,
    ) -> Self {
        let first = super::guess(model, None);
        let probed = probe.map_or_else(|| first.clone(), |probe| probe.applied_to(&first));
        let counted = counters.applied_to(&probed);
        let profile = user.applied_to(&counted);
        let steps = [
            (Source::Name, &first),
            (Source::Probe, &probed),
            (Source::Counters, &counted),
            (Source::User, &profile),
        ];
        let mut sources = std::collections::BTreeMap::new();
        let mut before = serde_json::Value::Null;
        for (source, step) in steps {
            let values = serde_json::to_value(step).unwrap_or_default();
            for (name, value) in values.as_object().into_iter().flatten() {
                if before.get(name) != Some(value) {
                    sources.insert(name.clone(), source);
                }
            }
            before = values;
        }
        // A probe that confirms a guessed value becomes its source.
        let confirmed = probe.map(ProbeResult::confirmed).unwrap_or_default();
        for name in confirmed {
            if let Some(source @ Source::Name) = sources.get_mut(name) {
                *source = Source::Probe;
            }
        }
        let said = serde_json::to_value(user).unwrap_or_default();
        for (name, value) in said.as_object().into_iter().flatten() {
            if !value.is_null() {
                sources.insert(name.clone(), Source::User);
            }
        }
        Self { profile, sources }
    }
}

impl Overrides {
    /// `found` with the user's values applied.
    #[must_use]
    pub fn applied_to(&self, found: &Profile) -> Profile {
        Profile {
            context_window: self.context_window.unwrap_or(found.context_window),
            tool_calling_reliability: self
                .tool_calling_reliability
                .unwrap_or(found.tool_calling_reliability),
            json_reliability: self.json_reliability.unwrap_or(found.json_reliability),
            recommended_strategy: self
                .recommended_strategy
                .unwrap_or(found.recommended_strategy),
            max_tasks_per_plan: self.max_tasks_per_plan.unwrap_or(found.max_tasks_per_plan),
            needs_simplified_prompts: self
                .needs_simplified_prompts
                .unwrap_or(found.needs_simplified_prompts),
            supports_structured_output: self
                .supports_structured_output
                .unwrap_or(found.supports_structured_output),
            max_output_tokens: self.max_output_tokens.unwrap_or(found.max_output_tokens),
            reasons: self.reasons.unwrap_or(found.reasons),
            reasoning: self.reasoning.or(found.reasoning),
            verbosity: self.verbosity.or(found.verbosity),
            tool_channel: self.tool_channel.unwrap_or(found.tool_channel),
            parallel_calls: self.parallel_calls.unwrap_or(found.parallel_calls),
            honours_tool_choice: self
                .honours_tool_choice
                .unwrap_or(found.honours_tool_choice),
            edit_form: self.edit_form.unwrap_or(found.edit_form),
            change_forms: self.change_forms.unwrap_or(found.change_forms),
            tokens_per_second: found.tokens_per_second,
        }
    }
}
