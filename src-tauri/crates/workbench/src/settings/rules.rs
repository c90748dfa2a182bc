//! Permission rules in a settings file.

use gate::permissions::{Match, Rule, Verdict};
use plan::ToolName;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::SettingProblem;
use super::format::{self, Effective, Format};
use super::value_parsers::{entries, named, one_of, shown, unknown_key};
use crate::permission_rules::match_of;

/// The keys of a rule.
pub(super) const KEYS: [&str; 3] = ["tool", "match", "answer"];

/// A rule and its index in the list, to name it if it is ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlacedRule {
    pub(super) place: usize,
    pub(super) rule: Rule,
}

impl Serialize for PlacedRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (tool, answer) = (&self.rule.tool, self.rule.verdict.as_str());
        json!({"tool": tool, "match": match_of(&self.rule), "answer": answer}).serialize(serializer)
    }
}

impl Effective<Vec<PlacedRule>> for Vec<Rule> {
    fn as_set(&self) -> Option<Vec<PlacedRule>> {
        let rules = self.iter().cloned().enumerate();
        Some(
            rules
                .map(|(place, rule)| PlacedRule { place, rule })
                .collect(),
        )
    }
}

pub(super) fn format() -> Format<Vec<PlacedRule>> {
    let schema = json!({
        "type": ["array", "null"],
        "items": {
            "type": "object",
            "description": "Whether to allow, ask about or deny what a tool wants to do.",
            "required": KEYS,
            "additionalProperties": false,
            "properties": {
                "tool": { "enum": ToolName::ALL.map(ToolName::as_str) },
                "match": {
                    "description": "`exact …` or `prefix …`, followed by a path or a command line.",
                    "type": "string",
                    "pattern": "^((exact|prefix) |prefix$)",
                },
                "answer": { "enum": Verdict::ALL.map(Verdict::as_str) },
            },
        },
    });
    format::custom(schema, rules)
}

/// The valid rules of a list; every mistake in the others is reported.
fn rules(key: &str, value: &Value, problems: &mut Vec<SettingProblem>) -> Option<Vec<PlacedRule>> {
    let mut good = Vec::new();
    for (place, entry) in entries(key, value, problems)?.iter().enumerate() {
        let key = format!("{key}[{place}]");
        let Some(object) = entry.as_object() else {
            let form = "{\"tool\", \"match\", \"answer\"}";
            let message = format!("must be a rule {form}, not {}", shown(entry));
            problems.push(SettingProblem::new(key, message));
            continue;
        };
        let rule = rule(&key, object, problems);
        good.extend(rule.map(|rule| PlacedRule { place, rule }));
    }
    Some(good)
}

fn rule(
    key: &str,
    object: &Map<String, Value>,
    problems: &mut Vec<SettingProblem>,
) -> Option<Rule> {
    for unknown in object.keys().filter(|name| !KEYS.contains(&name.as_str())) {
        problems.push(unknown_key(key, unknown, &KEYS));
    }
    let mut part = |name: &str| {
        if !object.contains_key(name) {
            let message = format!("must have \"{name}\"; the rule is ignored");
            problems.push(SettingProblem::new(key, message));
        }
        object.get(name)
    };
    let (tool, matches, answer) = (part("tool"), part("match"), part("answer"));
    let mut report = |name: &str, message: String| {
        let message = format!("{message}; the rule is ignored");
        problems.push(SettingProblem::new(format!("{key}.{name}"), message));
    };
    // All three fields are checked before returning, so that every mistake is reported at once.
    let tools = named(ToolName::ALL, ToolName::as_str);
    let answers = named(Verdict::ALL, Verdict::as_str);
    let tool = tool.map(|value| one_of(value, &tools).map_err(|why| report("tool", why)));
    let matches = matches.map(|value| matcher(value).map_err(|why| report("match", why)));
    let answer = answer.map(|value| one_of(value, &answers).map_err(|why| report("answer", why)));
    Some(Rule {
        tool: tool?.ok()?.as_str().to_owned(),
        matches: matches?.ok()?,
        verdict: answer?.ok()?,
    })
}

fn matcher(value: &Value) -> Result<Match, String> {
    value
        .as_str()
        .and_then(Match::parse)
        .ok_or_else(|| format!("must be \"exact …\" or \"prefix …\", not {}", shown(value)))
}
