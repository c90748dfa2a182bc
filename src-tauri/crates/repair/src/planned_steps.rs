//! Reads a planner's short answer: one next step `{what, why, tools}`, or a statement that the goal
//! is reached.
//!
//! A statement that the goal is reached is only a claim, which is verified elsewhere. Never adds a
//! step that the answer doesn't contain.
//!
//! Long because: the shapes of a short answer can only be told apart in one place.

use plan::word_list::WordList;
use serde_json::{Map, Value};

use super::budget::Budget;
use super::feedback::{Fault, FaultKind};
use super::schema::Tools;
use super::tokens::THINKING;
use super::value::{self, note};
use super::{Repair, RepairKind, announcements, native_calls, tool_names};

mod shape;

/// A step as planned by a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Step {
    /// What the step does.
    pub what: String,
    /// Why the step is needed; may be empty.
    pub why: String,
    /// The tools that it needs, by their names in the table.
    pub tools: Vec<String>,
}

/// The planner's answer to a request for one step.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StepReply {
    /// The next step; `None` if the model claims that the goal is reached.
    pub step: Option<Step>,
    /// The other steps, if the model gave more than one.
    pub more: Vec<Step>,
    /// The repairs that were made to the answer.
    pub repairs: Vec<Repair>,
}

const WHAT: WordList =
    WordList("what title task step action next_step name summary instruction goal was todo");
const WHY: WordList =
    WordList("why reason rationale description purpose because explanation warum details");
const TOOLS: WordList = WordList(
    "tools tool requiredTools required_tools tools_needed toolNames tool_names suggested_tools \
    werkzeuge uses",
);
const WRAPPER_KEYS: WordList = WordList(
    "step next_step nextStep next plan micro_plan task tasks steps arguments parameters result \
    response answer next_task subtasks plans next_steps",
);
const DONE: WordList =
    WordList("done complete completed finished goal_reached goalReached is_done goal_complete");
/// Maximum number of steps kept from one answer.
const MAX_STEPS: usize = 20;

/// The planner's answer to a request for one or more steps.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StepsReply {
    /// The steps in order; empty if the model claims that the goal is reached.
    pub steps: Vec<Step>,
    /// The repairs that were made to the answer.
    pub repairs: Vec<Repair>,
}

/// Reads a planner's answer to a request for one step.
pub fn read_step(text: &str, tools: &Tools) -> Result<StepReply, Fault> {
    let (steps, mut kinds) = read(text, tools)?;
    if steps.len() > 1 {
        note(&mut kinds, RepairKind::FirstOfArray);
    }
    let mut steps = steps.into_iter();
    Ok(StepReply {
        step: steps.next(),
        more: steps.take(MAX_STEPS).collect(),
        repairs: Repair::all(&kinds, "step"),
    })
}

/// Reads a planner's answer to a request for one or more steps, in which a list doesn't count as a
/// repair.
pub fn read_steps(text: &str, tools: &Tools) -> Result<StepsReply, Fault> {
    let (mut steps, mut kinds) = read(text, tools)?;
    steps.truncate(MAX_STEPS);
    kinds.retain(|kind| *kind != RepairKind::FirstOfArray);
    Ok(StepsReply {
        steps,
        repairs: Repair::all(&kinds, "step"),
    })
}

fn read(text: &str, tools: &Tools) -> Result<(Vec<Step>, Vec<RepairKind>), Fault> {
    let budget = Budget::for_bytes(text.len());
    let text = without_thinking(text)?;
    let mut reader = Reader {
        tools,
        kinds: Vec::new(),
    };
    // Don't treat data, such as a tool call, as a sentence that says what to do.
    let steps = match reader.json(text, &budget) {
        None if shape::is_data(text) => None,
        None => reader.prose(text),
        steps => steps,
    };
    match steps {
        Some(steps) => Ok((steps, reader.kinds)),
        None => {
            let message = "There is no step in the answer. Write: {\"what\": \"<one action>\", \"why\": \"<reason>\", \"tools\": [\"<tool>\"]}, or null if the goal is reached.";
            Err(Fault::new(FaultKind::NoStep, message))
        }
    }
}

/// The text after the thinking; a fault if there is none.
pub(super) fn without_thinking(text: &str) -> Result<&str, Fault> {
    let ends = THINKING.iter().filter_map(|(_, close)| {
        let at = text.rfind(close)?;
        Some(at + close.len())
    });
    let text = &text[ends.max().unwrap_or(0)..];
    let open = THINKING.iter().find_map(|(open, _)| text.find(open));
    let text = &text[..open.unwrap_or(text.len())];
    let end = text.find("<|").unwrap_or(text.len());
    let text = text[..end].trim();
    let (kind, message) = match open {
        _ if !text.is_empty() => return Ok(text),
        Some(_) => (
            FaultKind::ReasoningOnly,
            "You thought but did not answer. Answer now.",
        ),
        None => (FaultKind::Empty, "The answer was empty. Answer now."),
    };
    Err(Fault::new(kind, message))
}

struct Reader<'a> {
    tools: &'a Tools,
    kinds: Vec<RepairKind>,
}

impl Reader<'_> {
    /// Reads steps from JSON. An empty list means that the goal is reached; `None`, that there is
    /// no step.
    fn json(&mut self, text: &str, budget: &Budget) -> Option<Vec<Step>> {
        let unfenced = native_calls::unfenced(text);
        if unfenced.is_some() {
            note(&mut self.kinds, RepairKind::StripFence);
        }
        let text = unfenced.unwrap_or(text);
        let brackets = text.match_indices(['{', '[']).map(|(at, _)| at);
        let others = brackets.filter(|at| *at > 0);
        let starts = std::iter::once(0).chain(others).take(8);
        let keys: Vec<&str> = [WHAT, WHY, TOOLS, DONE].into_iter().flatten().collect();
        // Skip brackets inside a value that was already read.
        let mut past = 0;
        for at in starts {
            if at > 0 && at < past {
                continue;
            }
            let Ok(read) = value::read(text, at, &keys, budget) else {
                continue;
            };
            let is_holder = read.value.is_object() || read.value.is_array();
            // A bare word at the start is prose; an empty list is a checkbox if text follows it.
            let is_box = read.value.as_array().is_some_and(Vec::is_empty);
            let behind = text[read.end..].trim_matches(['`', ' ', '\n']);
            if !is_holder && read.end < text.len() || is_box && !behind.is_empty() {
                continue;
            }
            if is_holder {
                past = read.end;
            }
            let known = self.kinds.len();
            for kind in read.notes {
                note(&mut self.kinds, kind);
            }
            if at > 0 {
                let is_fence = text[..at].trim_start().starts_with("```");
                let kind = match is_fence {
                    true => RepairKind::StripFence,
                    false => RepairKind::StripPrefix,
                };
                note(&mut self.kinds, kind);
            }
            if let Some(mut steps) = self.steps(read.value, 0) {
                self.following(text, read.end, budget, &mut steps);
                return Some(steps);
            }
            self.kinds.truncate(known);
        }
        None
    }

    /// Reads further objects after the first one, one per line or separated by commas.
    fn following(&mut self, text: &str, from: usize, budget: &Budget, steps: &mut Vec<Step>) {
        let mut at = from;
        while steps.len() < MAX_STEPS && !steps.is_empty() {
            let rest = text[at..].trim_start_matches([',', ';', ' ', '\n', '\r', '\t']);
            if !rest.starts_with('{') {
                return;
            }
            let start = text.len() - rest.len();
            let Ok(read) = value::read(text, start, &[], budget) else {
                return;
            };
            at = read.end;
            match self.steps(read.value, 0) {
                Some(more) => steps.extend(more),
                None => return,
            }
        }
    }

    fn steps(&mut self, value: Value, depth: usize) -> Option<Vec<Step>> {
        if depth > 4 {
            return None;
        }
        match value {
            Value::Null => Some(Vec::new()),
            Value::String(text) if is_done(&text) => {
                note(&mut self.kinds, RepairKind::DoneFlag);
                Some(Vec::new())
            }
            Value::Array(items) if items.is_empty() => Some(Vec::new()),
            Value::Array(items) => {
                note(&mut self.kinds, RepairKind::FirstOfArray);
                let mut out = Vec::new();
                for item in items.into_iter().take(MAX_STEPS) {
                    match item {
                        Value::String(what) if self.is_tool(&what) => return None,
                        Value::String(what) if !what.trim().is_empty() => {
                            out.push(self.sentence(&what))
                        }
                        item => out.extend(self.steps(item, depth + 1)?),
                    }
                }
                Some(out)
            }
            Value::Object(map) => match shape::numbered(map) {
                Ok(items) => self.steps(Value::Array(items), depth + 1),
                Err(map) => self.object(map, depth),
            },
            _ => None,
        }
    }

    fn object(&mut self, mut map: Map<String, Value>, depth: usize) -> Option<Vec<Step>> {
        let text = |map: &Map<String, Value>, key: &str| {
            let text = map.get(key)?.as_str()?.trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        let is_plain = map.get("what").is_some_and(|what| !what.is_object());
        if !is_plain {
            let holds = |value: &Value| value.is_object() || value.is_array();
            let holder = WRAPPER_KEYS
                .iter()
                .find(|key| map.get(*key).is_some_and(holds));
            if let Some(inner) = holder.and_then(|key| map.shift_remove(key)) {
                note(&mut self.kinds, RepairKind::Envelope);
                return self.steps(inner, depth + 1);
            }
        }
        if let Some(Value::Array(_)) = map.get("what") {
            note(&mut self.kinds, RepairKind::FirstOfArray);
            return self.steps(Value::Array(shape::spread(&map)?), depth + 1);
        }
        let first = |keys: WordList, but: &str| {
            let mut keys = keys.iter().filter(|key| *key != but);
            keys.find_map(|key| Some((key, text(&map, key)?)))
        };
        let what = first(WHAT, "");
        let flag = DONE.iter().any(|key| {
            map.get(key)
                .is_some_and(|flag| flag == true || flag == "true")
        }) || text(&map, "status").is_some_and(|status| is_done(&status));
        let is_null = map.get("what").is_some_and(Value::is_null)
            || what.as_ref().is_some_and(|(_, what)| is_done(what));
        if is_null || flag && what.is_none() {
            note(&mut self.kinds, RepairKind::DoneFlag);
            return Some(Vec::new());
        }
        // If no other key says what to do, use the description.
        let what = what.or_else(|| first(WordList("description details"), ""))?;
        // The name of a tool alone doesn't say what to do with it.
        if self.is_tool(&what.1) {
            return None;
        }
        let why = first(WHY, what.0);
        let listed = TOOLS.iter().find_map(|key| Some((key, map.get(key)?)));
        // Reject other objects, such as `{"name": "x", "version": "1"}`.
        let is_sure = WordList("what title task step action next_step was todo").contains(what.0);
        if !is_sure && why.is_none() && listed.is_none() {
            return None;
        }
        let (why_key, why) = why.unwrap_or(("why", String::new()));
        let tools_key = listed.map_or("tools", |(key, _)| key);
        if [what.0, why_key, tools_key] != ["what", "why", "tools"] {
            note(&mut self.kinds, RepairKind::KeyAlias);
        }
        let tools = listed.map(|(_, tools)| self.listed(tools));
        Some(vec![Step {
            what: what.1,
            why,
            tools: tools.unwrap_or_default(),
        }])
    }

    /// Whether a text is just the name of a tool.
    fn is_tool(&self, text: &str) -> bool {
        let text = text.trim();
        !text.contains(char::is_whitespace) && tool_names::resolve(text, self.tools).is_some()
    }

    fn listed(&mut self, tools: &Value) -> Vec<String> {
        let mut names = Vec::new();
        if let Value::String(text) = tools {
            note(&mut self.kinds, RepairKind::SchemaCoerce);
            let parts = text.split([',', ';', '\n', '|', '+', ' ']).map(str::trim);
            let named = parts.filter(|part| !WordList("|and|or|und|&").contains(part));
            names.extend(named.map(str::to_owned));
        } else {
            shape::names(tools, &mut names, 0);
        }
        let mut out: Vec<String> = Vec::new();
        for name in names.iter().take(MAX_STEPS) {
            match tool_names::resolve(name, self.tools) {
                Some(tool) if out.iter().any(|known| known == tool.name()) => {}
                Some(tool) => {
                    if tool.name() != name {
                        note(&mut self.kinds, RepairKind::NameSpelling);
                    }
                    out.push(tool.name().to_owned());
                }
                None => note(&mut self.kinds, RepairKind::ExtraKey),
            }
        }
        out
    }

    fn sentence(&self, text: &str) -> Step {
        let text = text.trim().trim_matches(['*', '"']).trim();
        let tools = self.tools.names().filter(|name| mentions(text, name));
        Step {
            what: text.replace("**", "").replace('`', ""),
            why: String::new(),
            tools: tools.map(str::to_owned).collect(),
        }
    }

    /// Reads labeled lines, a list or one sentence.
    fn prose(&mut self, text: &str) -> Option<Vec<Step>> {
        if is_done(text) {
            note(&mut self.kinds, RepairKind::DoneFlag);
            return Some(Vec::new());
        }
        note(&mut self.kinds, RepairKind::ProseStep);
        let plain = |line: &str| {
            line.trim()
                .trim_start_matches(['-', '*', '#', '•', ' '])
                .replace("**", "")
        };
        // Make one map for each block of labeled lines; a repeated label starts the next block.
        let mut maps = vec![Map::new()];
        for line in text.lines() {
            let line = plain(line);
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let key = key.trim().to_lowercase().replace(' ', "_");
            let is_key = [WHAT, WHY, TOOLS].iter().any(|keys| keys.contains(&key));
            if !is_key || value.trim().is_empty() {
                continue;
            }
            let value = value.replace('`', "");
            let value = value.trim().trim_matches(['[', ']', '"']).to_owned();
            let is_next =
                WHAT.contains(&key) && maps.last().is_some_and(|map| map.contains_key(&key));
            if is_next && maps.len() < MAX_STEPS {
                maps.push(Map::new());
            }
            if let Some(map) = maps.last_mut().filter(|map| !map.contains_key(&key)) {
                map.insert(key, Value::String(value));
            }
        }
        let is_labelled = |map: &Map<String, Value>| {
            let says_what = |key: &String| WordList("what next_step step").contains(key);
            map.len() >= 2 || map.keys().any(says_what)
        };
        if maps.first().is_some_and(is_labelled) {
            let mut read = maps.into_iter().map(|map| self.object(map, 0)).peekable();
            if read.peek().is_some_and(Option::is_some) {
                let mut steps: Vec<Step> = read.flatten().flatten().collect();
                for step in steps.iter_mut().filter(|step| step.tools.is_empty()) {
                    step.tools = self.sentence(&step.what).tools;
                }
                return Some(steps);
            }
        }
        let items = text.lines().filter_map(|line| {
            let line = line.trim();
            let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
            let mark = match digits.len() < line.len() {
                true => digits.strip_prefix(['.', ')']),
                false => line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")),
            };
            let step = self.sentence(mark?.trim().trim_start_matches("[ ] "));
            (!step.what.is_empty()).then_some(step)
        });
        let items: Vec<Step> = items.take(MAX_STEPS).collect();
        if !items.is_empty() {
            return Some(items);
        }
        let is_sentence = !text.contains('\n')
            && text.len() <= 300
            && !text.ends_with('?')
            && !text.contains("{\"")
            && !announcements::denies(text);
        let names_tool = self.tools.names().any(|name| mentions(text, name));
        let is_step = is_sentence && (names_tool || announcements::announces(text));
        is_step.then(|| vec![self.sentence(text.trim_start_matches("[ ] "))])
    }
}

fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
    })
}

/// Whether an answer says that the goal is reached, either with its first word or as a whole.
fn is_done(text: &str) -> bool {
    let words = text
        .trim()
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    let is_all = WordList(
        "done|none|null|complete|completed|finished|goal reached|the goal is reached|goal complete|\
        task complete|task completed|goal achieved|goal completed|no further steps|\
        nothing left to do|no more steps|all done|fertig|the goal is complete|nothing to do|\
        the goal has been reached|goal is reached|erledigt|nil|goal_reached|plan complete",
    );
    // The first word may say it: `DONE - all tests pass`.
    let mut parts = words.split(['-', '–', '—', ':', '.', ',', '!', '(', '\n']);
    let first = parts.next().map_or("", str::trim);
    is_all.contains(words.as_str()) || WordList("done finished fertig erledigt").contains(first)
}
