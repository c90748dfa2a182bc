//! Derives what the model knows and what it would do next, using only the messages.
//!
//! A capable model reads what it did and the results, and finds the first act of the step that is
//! not done. It trusts what it reads: after an error it reads the file again, and after a rejected
//! claim it checks everything that it changed.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::scenarios::{Act, Hopeless, Scenario, Step};

use super::profile::Fault;
use super::talk::{Exchange, Made, Talk};

/// The correct next action.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Right {
    /// A tool call.
    Call(&'static str, Value),
    /// The report that ends the step.
    Report {
        done: bool,
        summary: String,
        learned: Vec<String>,
        hint: String,
    },
}

/// The state of a step.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Thought {
    pub(super) right: Right,
    /// Number of remaining acts of the step, including the report.
    pub(super) left: usize,
    /// The fault of the previous reply, if any.
    pub(super) fault: Option<Fault>,
    /// The number of times in a row that the last call was made.
    pub(super) repeats: usize,
    /// The last call, for the loop fault.
    pub(super) last: Option<(String, Value)>,
    /// Whether the correct next action is an edit.
    pub(super) edits: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Open,
    Done,
    /// Looks done, but has to be checked.
    Doubtful,
}

/// The step that a request is about: the last step mentioned before the first reply.
pub(super) fn step_of<'a>(scenario: &'a Scenario, talk: &Talk) -> Option<&'a Step> {
    let opening = plain(&talk.opening);
    scenario
        .worked()
        .filter(|step| opening.contains(&plain(&step.what)))
        .last()
}

/// Keeps only letters and digits, in lower case, so that punctuation doesn't matter.
pub(super) fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Determines the state of a step and what to do next.
pub(super) fn think(scenario: &Scenario, step: &Step, talk: &Talk) -> Thought {
    Mind::new(scenario, step, talk).think()
}

struct Mind<'a> {
    scenario: &'a Scenario,
    step: &'a Step,
    talk: &'a Talk,
    signs: Vec<Signs>,
    standing: Vec<Standing>,
    /// Edits whose file was read, but contained neither the old nor the new text.
    looked_in_vain: BTreeSet<usize>,
    fault: Option<Fault>,
    repeats: usize,
    last: Option<(String, Value)>,
    reports: usize,
}

/// Lines that reveal whether an act has changed its file: one that occurs only before it, and one
/// that occurs only after it.
#[derive(Debug, Clone, Default)]
struct Signs {
    before: Option<String>,
    after: Option<String>,
}

impl<'a> Mind<'a> {
    fn new(scenario: &'a Scenario, step: &'a Step, talk: &'a Talk) -> Self {
        let signs: Vec<Signs> = step.acts.iter().map(signs).collect();
        let mut mind = Self {
            scenario,
            step,
            talk,
            standing: vec![Standing::Open; step.acts.len()],
            signs,
            looked_in_vain: BTreeSet::new(),
            fault: None,
            repeats: 0,
            last: None,
            reports: 0,
        };
        mind.see(&talk.opening, None);
        mind
    }

    fn think(mut self) -> Thought {
        for exchange in &self.talk.exchanges {
            self.live_through(exchange);
        }
        let open = self.open();
        let left = self
            .standing
            .iter()
            .filter(|standing| **standing != Standing::Done)
            .count()
            + 1;
        let (right, edits) = match open {
            Some(at) if self.standing[at] == Standing::Doubtful => (self.look_again(at), false),
            Some(at) => {
                let (name, arguments) = self.step.acts[at].call();
                (
                    Right::Call(name, arguments),
                    matches!(self.step.acts[at], Act::Edit { .. }),
                )
            }
            None => (self.report(), false),
        };
        Thought {
            right,
            left,
            fault: self.fault,
            repeats: self.repeats,
            last: self.last,
            edits,
        }
    }

    /// The first act that is not done.
    fn open(&self) -> Option<usize> {
        self.standing
            .iter()
            .position(|standing| *standing != Standing::Done)
    }

    fn look_again(&self, at: usize) -> Right {
        let path = self.step.acts[at].path().unwrap_or_default();
        let is_long = self
            .scenario
            .content_of(path)
            .is_some_and(|content| content.len() > 20_000);
        let sign = self.signs[at].after.clone().unwrap_or_default();
        match is_long {
            true => Right::Call("search_files", json!({"pattern": sign, "path": path})),
            false => Right::Call("read_file", json!({"path": path})),
        }
    }

    fn report(&self) -> Right {
        if self.step.hopeless == Some(Hopeless::Honest) {
            return Right::Report {
                done: false,
                summary: format!("This cannot be done: {}", cannot(self.step)),
                learned: Vec::new(),
                hint: "Ask the person where the missing file is".to_owned(),
            };
        }
        let next = self
            .scenario
            .worked()
            .skip_while(|step| step.id != self.step.id)
            .nth(1);
        Right::Report {
            done: true,
            summary: format!("Done: {}", self.step.what),
            learned: self
                .step
                .fact
                .iter()
                .map(|fact| fact.text.clone())
                .collect(),
            hint: next.map(|step| step.what.clone()).unwrap_or_default(),
        }
    }

    fn live_through(&mut self, exchange: &Exchange) {
        let call = exchange.calls.first();
        let due = self.open();
        let is_over = due.is_none();
        self.fault = None;
        match call {
            None => {
                self.repeats = 0;
                self.last = None;
                self.fault = Some(self.fault_of_words(exchange, due));
                self.heed_words(exchange, due);
            }
            Some(call) => {
                let made = (
                    call.name.clone(),
                    call.arguments.clone().map_or(Value::Null, Value::Object),
                );
                self.repeats = if self.last.as_ref() == Some(&made) {
                    self.repeats + 1
                } else {
                    1
                };
                self.fault = self.fault_of(call, is_over);
                self.last = Some(made);
                if self.repeats > 1 && self.fault.is_none() {
                    self.fault = Some(Fault::Loop);
                }
                for call in &exchange.calls {
                    self.heed(call, exchange, is_over);
                }
            }
        }
        self.see(&exchange.after, call);
    }

    /// The fault of a call, if it was wrong.
    fn fault_of(&self, call: &Made, is_over: bool) -> Option<Fault> {
        let Some(arguments) = &call.arguments else {
            return Some(Fault::MalformedArgs);
        };
        let Some(known) = parameters(&call.name) else {
            return Some(Fault::WrongName);
        };
        let is_missing = known
            .iter()
            .any(|(key, is_needed)| *is_needed && !arguments.contains_key(*key));
        let is_strange = arguments
            .keys()
            .any(|key| known.iter().all(|(known, _)| known != key));
        if is_missing || is_strange {
            return Some(Fault::WrongKey);
        }
        if call.name == "report_progress" {
            let claims = arguments["done"] != json!(false);
            let is_false = self.step.hopeless == Some(Hopeless::Stubborn);
            return (claims && (!is_over || is_false)).then_some(Fault::PrematureDone);
        }
        let path = arguments.get("path").and_then(Value::as_str);
        let is_new = |path: &str| self.scenario.changed_paths().any(|changed| changed == path);
        let is_folder = |path: &str| {
            let prefix = format!("{}/", path.trim_end_matches('/'));
            path.is_empty()
                || path == "."
                || self
                    .scenario
                    .files
                    .iter()
                    .any(|(file, _)| file.starts_with(&prefix))
        };
        if let Some(path) = path
            && self.scenario.content_of(path).is_none()
            && !is_new(path)
            && !is_folder(path)
        {
            return Some(Fault::WrongPath);
        }
        let is_right_edit = self.step.acts.iter().any(|act| is_made(act, call));
        (call.name == "edit_file" && !is_right_edit).then_some(Fault::StaleEdit)
    }

    fn fault_of_words(&self, exchange: &Exchange, due: Option<usize>) -> Fault {
        if exchange.text.trim().is_empty() {
            return Fault::Empty;
        }
        let is_typed = match due {
            Some(at) => carries(&exchange.text, &self.step.acts[at]),
            None => exchange.text.contains("report_progress"),
        };
        if is_typed {
            Fault::TextCall
        } else if due.is_some() && exchange.text.contains("Everything") {
            Fault::PrematureDone
        } else {
            Fault::Prose
        }
    }

    /// If the model wrote the due call as text, updates the state of its act according to the
    /// message that followed.
    fn heed_words(&mut self, exchange: &Exchange, due: Option<usize>) {
        let carried = due.filter(|at| carries(&exchange.text, &self.step.acts[*at]));
        let Some(at) = carried else {
            return;
        };
        let is_by_words = self.talk.tools.is_empty();
        if is_by_words && !is_refusal(&exchange.after) {
            self.fault = None;
        }
        self.settle(at, &exchange.after, is_by_words);
    }

    fn heed(&mut self, call: &Made, exchange: &Exchange, was_over: bool) {
        let answer = if call.answer.is_empty() {
            &exchange.after
        } else {
            &call.answer
        };
        if call.name == "report_progress" && !answer.is_empty() {
            self.reports += 1;
            // The model considered everything done but was rejected, so it checks everything again.
            if was_over {
                let changes = |act: &Act| matches!(act, Act::Edit { .. } | Act::Write { .. });
                let has_changed = self.step.acts.iter().any(changes);
                for (at, act) in self.step.acts.iter().enumerate() {
                    if changes(act) {
                        self.standing[at] = Standing::Doubtful;
                    } else if matches!(act, Act::Look { .. }) && !has_changed {
                        self.standing[at] = Standing::Open;
                    }
                }
            }
            return;
        }
        if self.fault.is_some_and(|fault| fault != Fault::Loop) {
            return;
        }
        let acts = self.step.acts.iter();
        if let Some(at) = acts
            .enumerate()
            .position(|(at, act)| self.standing[at] != Standing::Done && is_made(act, call))
        {
            self.settle(at, answer, true);
        }
    }

    /// Updates the state of an act according to the answer to its call. If `is_sure` is false, a
    /// change still has to be checked.
    fn settle(&mut self, at: usize, answer: &str, is_sure: bool) {
        let refused = is_refusal(answer);
        self.standing[at] = match &self.step.acts[at] {
            Act::Look { shows, .. } if self.talk.shows(shows) => Standing::Done,
            Act::Look { .. } => self.standing[at],
            Act::Edit { .. } | Act::Write { .. } if refused || !is_sure => Standing::Doubtful,
            Act::Delete { .. } if refused => Standing::Open,
            Act::Run { shows, .. } if !answer.contains(shows) && refused => Standing::Open,
            _ => Standing::Done,
        };
    }

    /// Reads what a text shows about files and results.
    fn see(&mut self, text: &str, call: Option<&Made>) {
        for at in 0..self.step.acts.len() {
            match &self.step.acts[at] {
                Act::Look { shows, .. } if text.contains(shows) => {
                    self.standing[at] = Standing::Done
                }
                Act::Edit { path, .. } | Act::Write { path, .. } => {
                    let has = |sign: &Option<String>| {
                        sign.as_ref().is_some_and(|sign| has_line(text, sign))
                    };
                    let is_look = call.is_some_and(|call| {
                        let names_it = call.raw.contains(path.as_str());
                        names_it && (call.name == "read_file" || call.name == "search_files")
                    });
                    let is_own_edit = call.is_some_and(|call| is_made(&self.step.acts[at], call));
                    if has(&self.signs[at].after)
                        && !(is_own_edit && self.standing[at] == Standing::Done)
                    {
                        self.standing[at] = Standing::Done;
                    } else if has(&self.signs[at].before) && is_look {
                        self.standing[at] = Standing::Open;
                    } else if is_look && self.standing[at] == Standing::Doubtful {
                        // Neither text was found: the edit deletes text, or only part of the file
                        // was read.
                        let first_time = self.looked_in_vain.insert(at);
                        self.standing[at] = if first_time && self.signs[at].after.is_some() {
                            Standing::Open
                        } else {
                            Standing::Done
                        };
                    }
                }
                _ => {}
            }
        }
    }
}

/// Whether a line of the text equals `sign`, possibly after a number, a path or a diff marker. A
/// command in the plan that ends with the same words isn't a match.
fn has_line(text: &str, sign: &str) -> bool {
    text.lines().any(|line| {
        let Some(before) = line.trim_end().strip_suffix(sign) else {
            return false;
        };
        let before = before.trim_start();
        let is_bare = before.chars().all(|c| !c.is_alphabetic());
        let is_found = before.trim_end().ends_with([':', '|']) && !before.trim_end().contains(' ');
        is_bare || is_found
    })
}

fn cannot(step: &Step) -> String {
    format!("a file that it names is not there ({})", step.what)
}

/// The parameters of a tool, and whether each is required.
pub(super) fn parameters(name: &str) -> Option<&'static [(&'static str, bool)]> {
    let table: &[(&str, &[(&str, bool)])] = &[
        ("list_files", &[("path", false), ("depth", false)]),
        (
            "read_file",
            &[("path", true), ("start_line", false), ("end_line", false)],
        ),
        ("search_files", &[("pattern", true), ("path", false)]),
        (
            "edit_file",
            &[("path", true), ("old_text", true), ("new_text", true)],
        ),
        ("write_file", &[("path", true), ("content", true)]),
        ("delete_file", &[("path", true)]),
        ("run_command", &[("command", true), ("timeout_s", false)]),
        ("git_status", &[]),
        ("ask_user", &[("question", true), ("options", false)]),
        (
            "report_progress",
            &[
                ("summary", true),
                ("done", true),
                ("learned", false),
                ("decided", false),
                ("next_hint", false),
            ],
        ),
    ];
    table
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, parameters)| *parameters)
}

fn is_made(act: &Act, call: &Made) -> bool {
    let (name, arguments) = act.call();
    let Some(given) = &call.arguments else {
        return false;
    };
    let same = |key: &str, value: &Value| match (given.get(key), value) {
        (Some(Value::String(given)), Value::String(value)) => {
            given.replace("\r\n", "\n") == value.replace("\r\n", "\n")
        }
        (given, value) => given == Some(value),
    };
    call.name == name
        && arguments
            .as_object()
            .is_some_and(|arguments| arguments.iter().all(|(key, value)| same(key, value)))
}

/// Whether the text contains a call of this act in any form.
fn carries(text: &str, act: &Act) -> bool {
    let (name, arguments) = act.call();
    let squeezed = plain(text);
    let has = |value: &Value| match value {
        Value::String(value) => {
            squeezed.contains(&plain(value))
                || squeezed.contains(&plain(&value.replace('\n', "\\n")))
        }
        _ => true,
    };
    squeezed.contains(&plain(name))
        && arguments
            .as_object()
            .is_some_and(|arguments| arguments.values().all(has))
}

/// Whether the answer to a correct call says that it was not executed. This only decides whether
/// the model checks again, which is always safe.
fn is_refusal(answer: &str) -> bool {
    let head: String = answer.chars().take(300).collect::<String>().to_lowercase();
    let words = [
        "error",
        "not found",
        "no such",
        "refused",
        "denied",
        "cannot",
        "could not",
        "does not contain",
        "not allowed",
        "not written",
        "not carried out",
        "call a tool",
        "no call",
        "as text",
        "exit 1",
        "exit 2",
        "failed",
        "did not",
    ];
    words.iter().any(|word| head.contains(word))
}

/// A line that occurs only in the new text, and one that occurs only in the old text.
fn signs(act: &Act) -> Signs {
    let lines =
        |text: &str| -> Vec<String> { text.lines().map(|line| line.trim().to_owned()).collect() };
    let only_in = |one: &str, other: &str| -> Option<String> {
        let others = lines(other);
        lines(one).into_iter().find(|line| {
            line.len() > 1 && !others.iter().any(|other| other.contains(line.as_str()))
        })
    };
    match act {
        Act::Edit { old, new, .. } => Signs {
            before: only_in(old, new),
            after: only_in(new, old),
        },
        Act::Write { content, .. } => Signs {
            before: None,
            after: content
                .lines()
                .map(str::trim)
                .max_by_key(|line| line.len())
                .map(str::to_owned),
        },
        _ => Signs::default(),
    }
}
