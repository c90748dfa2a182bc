//! Rungs 7 to 9 for a whole reply: each possible call becomes a call, a fault or just prose, and a
//! reply without calls becomes text or a fault.
//!
//! Long because: it follows one reply from its first call to its last fault.

use std::ops::Range;

use serde_json::Value;

use super::announcements::{announces, denies};
use super::arguments::ArgumentFitter;
use super::budget::Budget;
use super::call_intent::CallIntent;
use super::envelope::{Args, Raw};
use super::feedback::{Fault, FaultKind, list};
use super::param_aliases::is_placeholder;
use super::scan::{Found, Item, ItemKind, Scan, scan};
use super::schema::{Effect, Tools};
use super::tool_names;
use super::value::ParseError;
use super::{Call, Form, NativeCall, Recovered, Repair, RepairKind, Reply, Want, native_calls};

/// Maximum number of calls read from a text.
const MAX_CALLS: usize = 128;
/// Number of times that a text repeats one part before it counts as degenerate.
const MIN_REPEATS: usize = 5;
/// How much of the end of a text is searched for repetition, in bytes.
const REPETITION_WINDOW: usize = 4_096;

/// Reads a whole reply: recovers the calls that it can, and reports faults in the others.
pub fn recover(reply: &Reply, tools: &Tools, want: Want) -> Recovered {
    let delivered = reply.calls.iter().map(|call| call.arguments.len());
    let budget = Budget::for_bytes(reply.text.len() + delivered.sum::<usize>());
    let mut out = Recovered::default();
    let mut walked = scan(&reply.text, tools, &budget);
    for part in [reply.reasoning.trim(), walked.thinking.trim()] {
        if !part.is_empty() {
            out.thinking
                .push_str(if out.thinking.is_empty() { "" } else { "\n" });
            out.thinking.push_str(part);
        }
    }
    out.repairs = std::mem::take(&mut walked.repairs);
    let mut pieces = walked.prose.clone();
    let mut recovery = Recovery {
        reply,
        tools,
        want,
        budget: &budget,
        out: &mut out,
    };
    if reply.calls.is_empty() {
        pieces.extend(recovery.written(&mut walked));
    } else {
        for call in &reply.calls {
            recovery.native(call);
        }
        // If there are native calls, weak calls in the text are treated as prose.
        let weak = walked.found.iter().filter(|found| found.weak);
        pieces.extend(weak.map(|found| found.span.clone()));
    }
    out.text = joined(&reply.text, pieces);
    if out.calls.is_empty() && out.faults.is_empty() {
        out.faults.extend(fault_without_calls(
            reply,
            tools,
            want,
            &out,
            walked.is_thinking,
        ));
    }
    out.steps = budget.steps();
    out
}

struct Recovery<'a> {
    reply: &'a Reply,
    tools: &'a Tools,
    want: Want,
    budget: &'a Budget,
    out: &'a mut Recovered,
}

impl Recovery<'_> {
    fn position(&self) -> usize {
        self.out.calls.len() + self.out.faults.len()
    }

    fn fault(&mut self, fault: Fault, id: Option<&String>) {
        let position = self.position();
        self.out.faults.push(Fault {
            id: id.cloned(),
            position,
            ..fault
        });
    }

    fn native(&mut self, call: &NativeCall) {
        let item = native_calls::item(call, self.tools, self.budget);
        match self.judged(item, call.arguments.trim()) {
            Ok(call) => self.out.calls.push(call),
            Err(fault) => self.fault(fault, call.id.as_ref()),
        }
    }

    /// The fault for an unreadable call. In a truncated reply, the call also counts as truncated.
    fn unread(&self, why: ParseError, name: Option<&str>, form: Form, text: &str) -> Fault {
        let tool = name.and_then(|name| tool_names::resolve(name, self.tools));
        match (name, tool) {
            (Some(name), None) if why != ParseError::Cut => Fault::unknown(name, form, self.tools),
            _ if self.reply.finish.is_whole() => Fault::broken(why, tool, form, text),
            _ => Fault::broken(ParseError::Cut, tool, form, text),
        }
    }

    /// Processes the calls in the text. Returns the pieces that turned out to be prose.
    fn written(&mut self, walked: &mut Scan<'_>) -> Vec<Range<usize>> {
        let text = &self.reply.text;
        let is_prose = !joined(text, walked.prose.clone()).is_empty();
        let mut prose = Vec::new();
        let count = walked.found.len();
        let calls = walked.found.iter().map(|found| found.span.clone());
        let intent = CallIntent::new(text, &walked.prose, calls.collect());
        let mut last_span = 0..0;
        for (i, found) in std::mem::take(&mut walked.found).into_iter().enumerate() {
            if i >= MAX_CALLS {
                let message =
                    format!("The answer has more than {MAX_CALLS} calls; the rest were not run.");
                self.fault(Fault::new(FaultKind::BadArguments, message), None);
                break;
            }
            let Found { item, span, weak } = found;
            let is_doubtful = weak && is_prose;
            let behind = walked.prose.iter().filter(|piece| piece.start >= span.end);
            let is_last = i + 1 == count && joined(text, behind.cloned().collect()).is_empty();
            let is_quoted = self.want == Want::Either && intent.is_quoted(&span);
            if is_doubtful && (is_quoted || holds_placeholder(&item)) {
                prose.push(span);
                continue;
            }
            let form = item.form;
            let judged = self.judged(item, text);
            let is_new = span != last_span;
            last_span = span.clone();
            match judged {
                Ok(call) if self.is_unsure(&call.name, is_doubtful, &intent, &span) => {
                    // The reply asks the user, so there is nothing to report to the model.
                    if self.want == Want::Either && intent.is_asked() {
                        prose.push(span);
                        continue;
                    }
                    let name = &call.name;
                    let wrong = format!(
                        "It is not clear whether you meant to call {name}. If so, reply with the call alone."
                    );
                    let unsure = Fault::new(FaultKind::Unsure, wrong).about(name, form);
                    self.fault(unsure, None);
                }
                Ok(call) => self.add(call),
                // In prose, only a call at the end is a serious attempt at a call.
                Err(_) if is_doubtful && !is_last => {
                    if is_new {
                        prose.push(span);
                    }
                }
                Err(fault) => self.fault(fault, None),
            }
        }
        prose
    }

    /// Whether a call in the text may not be meant. Calls that only read are harmless either way.
    fn is_unsure(
        &self,
        name: &str,
        is_doubtful: bool,
        intent: &CallIntent<'_>,
        span: &Range<usize>,
    ) -> bool {
        let tool = self.tools.get(name);
        match tool.map_or(Effect::Destroys, |tool| tool.effect) {
            Effect::Reads => false,
            // A question about what the user thinks of a draft doesn't make the call doubtful.
            Effect::Drafts => !intent.is_made(span),
            Effect::Changes => intent.is_asked() || !intent.is_made(span),
            Effect::Destroys => is_doubtful || intent.is_asked() || !intent.is_made(span),
        }
    }

    fn add(&mut self, call: Call) {
        let is_same =
            |other: &&mut Call| other.name == call.name && other.arguments == call.arguments;
        let repair = Repair::new(RepairKind::DuplicateCall, "call");
        match self.out.calls.last_mut().filter(is_same) {
            Some(other) => other.repairs.push(repair),
            None => self.out.calls.push(call),
        }
    }

    /// Checks a call and returns it if it is valid, otherwise its fault, which quotes from `text`.
    fn judged(&mut self, item: Item, text: &str) -> Result<Call, Fault> {
        let form = item.form;
        let is_open = item.open_end && !self.reply.finish.is_whole();
        match item.kind {
            ItemKind::Call(raw) if is_open => {
                Err(self.unread(ParseError::Cut, Some(&raw.name), form, text))
            }
            ItemKind::Call(raw) => self.fitted(raw, form),
            ItemKind::Invalid { why, name } => Err(self.unread(why, name.as_deref(), form, text)),
        }
    }

    fn fitted(&mut self, raw: Raw, form: Form) -> Result<Call, Fault> {
        let Some(tool) = tool_names::resolve(&raw.name, self.tools) else {
            return Err(Fault::unknown(&raw.name, form, self.tools));
        };
        let mut repairs = raw.repairs;
        if tool.name != raw.name {
            let place = format!("name: {}", super::feedback::quote(&raw.name));
            repairs.push(Repair::new(RepairKind::NameSpelling, place));
        }
        if tool.effect == Effect::Destroys
            && let Some(guess) = repairs.iter().find(|repair| is_guess(repair.kind))
        {
            let wrong = format!(
                "{} only runs if the call is well formed; here {}.",
                tool.name,
                guess.kind.says()
            );
            let given = serde_json::Map::new();
            return Err(Fault::of(FaultKind::Unsure, tool, form, &wrong, &given));
        }
        let mut fit = ArgumentFitter {
            tool,
            form,
            budget: self.budget,
            repairs,
        };
        let arguments = fit.arguments(raw.args)?;
        Ok(Call {
            id: raw.id,
            name: tool.name.clone(),
            arguments,
            form,
            repairs: fit.repairs,
            position: self.position(),
        })
    }
}

/// Whether a repair may change the content of a value, which is not allowed for a destructive tool.
fn is_guess(kind: RepairKind) -> bool {
    matches!(
        kind,
        RepairKind::InnerQuotes
            | RepairKind::BareValue
            | RepairKind::FirstValue
            | RepairKind::CloseBrackets
            | RepairKind::WrongBracket
            | RepairKind::MisplacedKey
            | RepairKind::JoinedStrings
    )
}

fn holds_placeholder(item: &Item) -> bool {
    let ItemKind::Call(raw) = &item.kind else {
        return false;
    };
    let holds = |value: &Value| value.as_str().is_some_and(is_placeholder);
    match &raw.args {
        Args::Value(Value::Object(map)) => map.values().any(holds),
        Args::Call { places, named } => places.iter().chain(named.values()).any(holds),
        _ => false,
    }
}

/// Joins the pieces in order and closes the gaps that calls left. Empty if only brackets and
/// separators remain.
fn joined(text: &str, mut pieces: Vec<Range<usize>>) -> String {
    pieces.sort_by_key(|piece| piece.start);
    let mut out = String::new();
    for piece in pieces {
        let piece = text.get(piece).unwrap_or_default();
        let is_break = out.ends_with('\n') || piece.starts_with('\n');
        let piece = if out.is_empty() || is_break {
            piece.trim_start_matches('\n')
        } else {
            piece
        };
        if is_break && !out.is_empty() && !piece.trim().is_empty() {
            out.truncate(out.trim_end().len());
            out.push_str("\n\n");
        }
        out.push_str(piece);
    }
    let only_marks = |c: char| {
        c.is_whitespace() || matches!(c, ';' | ',' | '`' | '[' | ']' | '{' | '}' | '(' | ')')
    };
    if out.chars().all(only_marks) {
        return String::new();
    }
    out.trim().to_owned()
}

/// The fault of a reply without calls; `None` if such a reply is acceptable.
fn fault_without_calls(
    reply: &Reply,
    tools: &Tools,
    want: Want,
    out: &Recovered,
    is_thinking: bool,
) -> Option<Fault> {
    let text = out.text.as_str();
    let denied = denies(text);
    let (kind, message) = if is_thinking || text.is_empty() && !out.thinking.is_empty() {
        let message = "You thought but did not answer. Stop thinking and call one tool now.";
        (FaultKind::ReasoningOnly, message)
    } else if text.is_empty() {
        let message = "The answer was empty. Call one tool now, or answer in words.";
        (FaultKind::Empty, message)
    } else if repeats(text) {
        let message = "The answer repeated itself and was dropped. Call one tool now.";
        (FaultKind::Degenerate, message)
    } else if !reply.finish.is_whole() {
        (
            FaultKind::Cut,
            "The answer was cut off. Send it again, shorter.",
        )
    } else if want == Want::Call || denied || announces(text) {
        let wrong = match denied {
            true => "You do have tools",
            false => "No tool was called, so nothing was done",
        };
        let names = list(tools);
        let message = format!("{wrong}. Reply with one call. The tools are {names}.");
        return Some(Fault::new(FaultKind::NoCall, message));
    } else {
        return None;
    };
    Some(Fault::new(kind, message))
}

/// Whether a text mostly repeats the same few words at its end.
fn repeats(text: &str) -> bool {
    let bytes = text.as_bytes();
    let tail = &bytes[bytes.len().saturating_sub(REPETITION_WINDOW)..];
    if tail.len() < 60 {
        return false;
    }
    // Find the longest suffix that repeats a shorter part often enough.
    let periods = 1..=tail.len() / MIN_REPEATS;
    let ends = periods.filter_map(|period| {
        let shifted = tail[..tail.len() - period].iter().rev();
        let pairs = tail.iter().rev().zip(shifted);
        let length = period + pairs.take_while(|(one, other)| one == other).count();
        (length / period >= MIN_REPEATS).then_some(length)
    });
    ends.max().unwrap_or(0) * 10 >= tail.len() * 6
}
