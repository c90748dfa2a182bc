//! A model's profile for people: each value with its name, its purpose and its allowed values.
//!
//! Pure.
//!
//! Long because: one table describes all fields.

use model::profile::{
    Fault, NativeTools, OptionSupport, Overrides, ProbeResult, Source, Sourced, Trial,
};
use model::servers::{Window, WindowSource};
use serde_json::Value;

use super::access::Known;
use crate::text::number;
use crate::wire::models::{CountersView, ProbeView, ProfileField};

/// How a value is entered.
enum Kind {
    Number(u64, u64),
    Boolean,
    /// One of these values; “” clears an optional one.
    Choice(&'static [&'static str]),
    /// Measured, so it can't be changed.
    Fixed,
}

struct Field {
    name: &'static str,
    label: &'static str,
    about: &'static str,
    kind: Kind,
}

const RELIABILITY: Kind = Kind::Choice(&["low", "medium", "high"]);

const fn field(name: &'static str, label: &'static str, about: &'static str, kind: Kind) -> Field {
    Field {
        name,
        label,
        about,
        kind,
    }
}

/// Every field of a profile, in display order.
const FIELDS: [Field; 17] = [
    field(
        "contextWindow",
        "Window",
        "Maximum tokens of a request and its reply combined.",
        Kind::Number(1_024, 10_000_000),
    ),
    field(
        "maxOutputTokens",
        "Reply limit",
        "Maximum tokens in one reply, including thinking.",
        Kind::Number(128, 1_000_000),
    ),
    field(
        "toolCallingReliability",
        "Tool calls",
        "How often its tool calls are well formed.",
        RELIABILITY,
    ),
    field(
        "jsonReliability",
        "JSON",
        "How often JSON in its replies is well formed.",
        RELIABILITY,
    ),
    field(
        "recommendedStrategy",
        "Planning",
        "Ask for a whole plan, an outline first, or only the next steps.",
        Kind::Choice(&["upfront", "hybrid", "iterative"]),
    ),
    field(
        "maxTasksPerPlan",
        "Steps per request",
        "Maximum steps to request at once.",
        Kind::Number(1, 50),
    ),
    field(
        "needsSimplifiedPrompts",
        "Short prompts",
        "Send short prompts that ask for one thing each.",
        Kind::Boolean,
    ),
    field(
        "supportsStructuredOutput",
        "Follows JSON schemas",
        "Whether the server constrains replies to a JSON schema.",
        Kind::Boolean,
    ),
    field(
        "toolChannel",
        "Tool call format",
        "Native tool calls, or JSON in the reply's text.",
        Kind::Choice(&["native", "json_text"]),
    ),
    field(
        "parallelCalls",
        "Parallel tool calls",
        "Whether it can call several tools in one reply.",
        Kind::Boolean,
    ),
    field(
        "honoursToolChoice",
        "Required tool calls",
        "Whether the server honors a required tool call.",
        Kind::Boolean,
    ),
    field(
        "editForm",
        "Edits",
        "Replace parts of a file, or rewrite the whole file.",
        Kind::Choice(&["replace", "whole_file"]),
    ),
    field(
        "changeForms",
        "Small changes",
        "For weak models that follow JSON schemas: how to request changes to a small file.",
        Kind::Choice(&["all", "no_choices", "no_blocks", "free", "off"]),
    ),
    field(
        "reasons",
        "Thinking",
        "Whether it thinks before replying, which counts toward the reply limit.",
        Kind::Boolean,
    ),
    field(
        "reasoning",
        "Thinking effort",
        "How much to think, if the server supports it.",
        Kind::Choice(&["", "none", "minimal", "low", "medium", "high"]),
    ),
    field(
        "verbosity",
        "Verbosity",
        "How verbose to be, if the server supports it.",
        Kind::Choice(&["", "low", "medium", "high"]),
    ),
    field(
        "tokensPerSecond",
        "Speed",
        "Measured reply tokens per second.",
        Kind::Fixed,
    ),
];

pub(crate) fn profile(known: &Known, model: &str) -> Vec<ProfileField> {
    let found = known.found(model);
    let now = known.sourced(model);
    let value = |sourced: &Sourced| serde_json::to_value(&sourced.profile).unwrap_or_default();
    let (found, values) = (value(&found), value(&now));
    let row = |field: &Field| {
        let source = now.sources.get(field.name).copied();
        let source = source.unwrap_or(Source::Name);
        let (kind, choices) = match &field.kind {
            Kind::Number(..) => ("number", Vec::new()),
            Kind::Boolean => ("boolean", Vec::new()),
            Kind::Choice(choices) => ("choice", choices.iter().map(ToString::to_string).collect()),
            Kind::Fixed => ("fixed", Vec::new()),
        };
        ProfileField {
            name: field.name.to_owned(),
            label: field.label.to_owned(),
            about: field.about.to_owned(),
            value: values[field.name].to_string(),
            found: found[field.name].to_string(),
            source: source_name(source).to_owned(),
            kind: kind.to_owned(),
            choices,
        }
    };
    FIELDS.iter().map(row).collect()
}

fn source_name(source: Source) -> &'static str {
    match source {
        Source::Name => "name",
        Source::Probe => "probe",
        Source::Counters => "counters",
        Source::User => "user",
    }
}

/// Returns the user's overrides with one value set, or cleared if it is `None`. The error says
/// which values are allowed.
pub(crate) fn overruled(
    overrule: &Overrides,
    name: &str,
    value: Option<Value>,
) -> Result<Overrides, String> {
    let Some(field) = FIELDS.iter().find(|field| field.name == name) else {
        let names: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
        return Err(format!(
            "unknown profile field {name}; available: {}",
            names.join(", ")
        ));
    };
    let value = value.filter(|value| !value.is_null() && *value != "");
    if let Some(value) = &value {
        let wrong = |allowed: String| Err(format!("{name} must be {allowed}, not {value}"));
        match &field.kind {
            Kind::Number(least, most) => {
                if !value
                    .as_u64()
                    .is_some_and(|number| (*least..=*most).contains(&number))
                {
                    return wrong(format!("a whole number from {least} to {most}"));
                }
            }
            Kind::Boolean if !value.is_boolean() => return wrong("true or false".to_owned()),
            Kind::Boolean => {}
            Kind::Choice(choices) => {
                if !value.as_str().is_some_and(|text| choices.contains(&text)) {
                    let choices: Vec<_> = choices
                        .iter()
                        .filter(|text| !text.is_empty())
                        .copied()
                        .collect();
                    return wrong(format!("one of {}", choices.join(", ")));
                }
            }
            Kind::Fixed => return Err(format!("{name} is measured and can't be set")),
        }
    } else if matches!(field.kind, Kind::Fixed) {
        return Err(format!("{name} is measured and can't be set"));
    }
    let mut all = serde_json::to_value(overrule).map_err(|error| error.to_string())?;
    all[name] = value.unwrap_or_default();
    serde_json::from_value(all).map_err(|error| format!("{name}: {error}"))
}

/// The results and progress of a probe.
pub(crate) fn probe(result: &ProbeResult, at_ms: Option<i64>) -> ProbeView {
    ProbeView {
        at_ms,
        done: number(result.done.len()),
        of: number(Trial::ALL.len()),
        lines: probe_lines(result),
        ended: result.ended.clone(),
    }
}

fn probe_lines(result: &ProbeResult) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(window) = result.window {
        lines.push(format!(
            "Window: {} tokens, {}",
            window.tokens,
            window_from(&window)
        ));
    }
    match result.native_tools {
        NativeTools::Unknown => {}
        NativeTools::Works => lines.push("Native tool calls work".to_owned()),
        NativeTools::AsText => lines.push("Tool calls arrive as text".to_owned()),
        NativeTools::Absent => lines.push("Made no tool call".to_owned()),
        NativeTools::Refused => {
            lines.push("The server doesn't accept tools for this model".to_owned());
        }
    }
    if result.asked_calls > 0 {
        let (good, asked) = (result.good_calls, result.asked_calls);
        lines.push(format!("{good} of {asked} calls were well formed"));
    }
    if result.asked_json > 0 {
        let (good, asked) = (result.good_json, result.asked_json);
        lines.push(format!("{good} of {asked} JSON answers were well formed"));
    }
    match result.json_schema {
        OptionSupport::Unknown => {}
        OptionSupport::Honoured => lines.push("Followed a JSON schema".to_owned()),
        OptionSupport::Ignored => lines.push("Ignored a JSON schema".to_owned()),
        OptionSupport::Refused => lines.push("The server rejects JSON schemas".to_owned()),
    }
    match result.tool_choice {
        OptionSupport::Unknown => {}
        OptionSupport::Honoured => lines.push("Made a required tool call".to_owned()),
        OptionSupport::Ignored => lines.push("Didn't make a required tool call".to_owned()),
        OptionSupport::Refused => lines.push("The server rejects required tool calls".to_owned()),
    }
    if result.done.contains(&Trial::TwoCalls) {
        lines.push(match result.parallel_calls {
            true => "Made two calls in one reply".to_owned(),
            false => "Didn't make two calls in one reply".to_owned(),
        });
    }
    if let Some(speed) = result.tokens_per_second {
        lines.push(format!("{speed:.0} tokens per second"));
    }
    lines
}

/// The source of a window's size, in words.
pub(crate) fn window_from(window: &Window) -> &'static str {
    match window.source {
        WindowSource::Server => "reported by the server",
        WindowSource::List => "from the server's model list",
        WindowSource::Settings => "from the model's settings on the server",
        WindowSource::Usual => "the server's default",
    }
}

/// The source of a model's window size, in words, even if no server reported it.
pub(crate) fn window_origin(known: &Known, model: &str) -> &'static str {
    match known.sourced(model).sources.get("contextWindow") {
        Some(Source::User) => "set by you",
        Some(Source::Name) | None => "guessed from the model's name",
        Some(Source::Counters) => "reported by the server when it rejected a longer request",
        Some(Source::Probe) => {
            let told = known
                .server_info
                .as_ref()
                .and_then(|server_info| server_info.window);
            let probed = known.probe.as_ref().and_then(|probe| probe.window);
            told.or(probed)
                .map_or("reported by the server", |window| window_from(&window))
        }
    }
}

/// The fault counts for display.
pub(crate) fn counters(known: &Known) -> CountersView {
    let (answers, faults) = known.counters.latest();
    let words = |fault: &Fault| match fault {
        Fault::TextCall => "tool call sent as text",
        Fault::Arguments => "malformed tool call arguments",
        Fault::UnknownTool => "unknown tool called",
        Fault::Json => "malformed JSON",
    };
    CountersView {
        answers: u32::try_from(answers).unwrap_or(u32::MAX),
        faults: faults.iter().map(|fault| words(fault).to_owned()).collect(),
        is_lowered: known.counters.is_lowered(),
    }
}

#[cfg(test)]
mod tests {
    use model::profile::{Counters, guess};
    use serde_json::json;

    use super::*;

    #[test]
    fn every_field_of_a_profile_is_shown() {
        let all = serde_json::to_value(guess("m", None)).unwrap();
        let mut names: Vec<&String> = all.as_object().unwrap().keys().collect();
        let mut shown: Vec<&str> = FIELDS.iter().map(|field| field.name).collect();
        names.sort();
        shown.sort_unstable();
        assert_eq!(names, shown);
    }

    #[test]
    fn a_value_that_is_allowed_is_taken_and_can_be_taken_back() {
        let said = overruled(&Overrides::default(), "contextWindow", Some(json!(16_384))).unwrap();
        assert_eq!(said.context_window, Some(16_384));
        let both = overruled(&said, "toolChannel", Some(json!("json_text"))).unwrap();
        let one = overruled(&both, "contextWindow", None).unwrap();
        assert_eq!(one.context_window, None);
        assert!(one.tool_channel.is_some());
        for choice in ["none", "minimal", "low", "medium", "high"] {
            overruled(&one, "reasoning", Some(json!(choice))).unwrap();
        }
    }

    #[test]
    fn a_value_that_is_not_allowed_is_refused_with_what_is() {
        let table = [
            ("contextWindow", json!(7), "1024"),
            ("contextWindow", json!("many"), "whole number"),
            ("reasons", json!("yes"), "true or false"),
            ("editForm", json!("poem"), "whole_file"),
            ("tokensPerSecond", json!(7), "measured"),
            ("speed", json!(7), "contextWindow"),
        ];
        for (name, value, expected) in table {
            let said = overruled(&Overrides::default(), name, Some(value)).unwrap_err();
            assert!(said.contains(expected), "{said}");
        }
    }

    #[test]
    fn each_value_says_where_it_is_from() {
        let mut counters = Counters::default();
        counters.note(Some(Fault::TextCall));
        counters.note(Some(Fault::TextCall));
        let known = Known {
            counters,
            overrule: overruled(&Overrides::default(), "maxTasksPerPlan", Some(json!(3))).unwrap(),
            ..Known::default()
        };
        let rows = profile(&known, "mistral:7b");
        let of = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
        assert_eq!(of("contextWindow").source, "name");
        assert_eq!(of("toolChannel").source, "counters");
        assert_eq!(of("toolChannel").value, "\"json_text\"");
        let said = of("maxTasksPerPlan");
        assert_eq!((said.source.as_str(), said.value.as_str()), ("user", "3"));
        assert_eq!(said.found, "2");
    }
}
