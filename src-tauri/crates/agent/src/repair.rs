//! From one finished reply of a model to the calls that may run, the text for people, and what to
//! tell the model about the rest.
//!
//! **The ladder**, in this order:
//! 1. cut at the first invented tool result, end token or role token that stands outside a call;
//! 2. split off thinking; an end of thinking without a beginning makes everything before it thinking;
//! 3. native calls; if there is one, no call is looked for in the text;
//! 4. wrappers that models use for calls in text (tags, fences, special tokens, `name(…)`, ReAct);
//! 5. a tolerant reading of one value (quotes, commas, comments, literals, escapes, brackets);
//! 6. envelopes, key aliases, values encoded twice;
//! 7. the tool's name: exact, then in another spelling, else a fault with suggestions;
//! 8. the tool's schema: scalars converted, keys renamed where only one meaning is left;
//! 9. validation.
//!
//! **Invariants.** No value from a cut string is executed, nor a call whose brackets are open in a
//! reply that did not end by itself. No call comes out of thinking. A name is never guessed towards
//! a tool that destroys, and such a tool's arguments are mended in form alone. A `string` that looks
//! like JSON stays a string. A call in prose needs a known tool and valid arguments, else it is
//! prose; one that is quoted or given as an example is prose as well. Every repair is recorded with
//! its kind and place. What cannot be repaired is a [`Fault`] whose message shows the right form in
//! the form that the model used. The work is linear in the reply, the depth bounded; nothing panics.
//!
//! Never does IO, never runs a call, never judges whether a call is permitted.

mod answers;
mod body;
mod choice;
mod elements;
mod envelope;
mod escapes;
mod fault;
mod fences;
mod fit;
mod intent;
mod kinds;
mod meant;
mod names;
mod native;
mod python;
mod quoted;
mod react;
mod scan;
mod schema;
mod settle;
mod tags;
mod talk;
mod tokens;
mod value;
mod weak;
mod wording;
mod work;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use answers::{Listed, Planned, Step, planned, planned_list};
pub use choice::{Choice, choice};
pub use fault::{Fault, FaultKind};
pub use kinds::{Form, Repair, RepairKind};
pub use schema::{Effect, SchemaError, Tool, Tools};

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The model ended it.
    Stop,
    /// The model ended it to have its calls answered.
    ToolCalls,
    /// The limit of tokens was reached.
    Length,
    /// A filter of the provider ended it.
    ContentFilter,
    /// The stream ended without a reason: it was cut.
    Cut,
}

impl Finish {
    /// Whether the model itself ended the reply, so that what is missing was left out by it.
    pub fn is_whole(self) -> bool {
        match self {
            Self::Stop | Self::ToolCalls => true,
            Self::Length | Self::ContentFilter | Self::Cut => false,
        }
    }
}

/// One call as the endpoint delivered it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NativeCall {
    /// The id that its answer must name.
    pub id: Option<String>,
    /// The function's name, as it came.
    pub name: String,
    /// The arguments, as the text that came.
    pub arguments: String,
}

/// One reply, after its stream has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The content.
    pub text: String,
    /// Reasoning that the endpoint delivered apart.
    pub reasoning: String,
    /// Calls that the endpoint delivered apart, in their order.
    pub calls: Vec<NativeCall>,
    /// Why it ended.
    pub finish: Finish,
}

impl Reply {
    /// A reply of text alone, ended by the model.
    pub fn of_text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            reasoning: String::new(),
            calls: Vec::new(),
            finish: Finish::Stop,
        }
    }
}

/// What the caller waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Want {
    /// A step is being carried out: text without a call is a fault.
    Call,
    /// Text may be the answer. It is a fault only if it announces a call or denies having the tools.
    Either,
}

/// One call that may run, if it is permitted.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The native call's id; a call in text has none, unless it brought one along.
    pub id: Option<String>,
    /// The tool's name, as the table has it.
    pub name: String,
    /// Arguments that are valid for the tool, in the order in which they came.
    pub arguments: Map<String, Value>,
    /// The form in which it was written.
    pub form: Form,
    /// What was repaired, in the order of the ladder.
    pub repairs: Vec<Repair>,
    /// Its place among the calls and faulty calls of this reply, from 0.
    pub position: usize,
}

/// What a reply amounts to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recovered {
    /// The calls to execute, in their order.
    pub calls: Vec<Call>,
    /// What is left for people to read: no calls, no thinking, no tokens.
    pub text: String,
    /// The thinking that stood in the text or came apart. Only to be shown.
    pub thinking: String,
    /// What has to go back to the model. Each native call has exactly one call or fault.
    pub faults: Vec<Fault>,
    /// Repairs of the reply as a whole.
    pub repairs: Vec<Repair>,
    /// Steps of work done; linear in the size of the reply.
    pub steps: u64,
}

/// Takes a reply apart.
pub fn recover(reply: &Reply, tools: &Tools, want: Want) -> Recovered {
    settle::settle(reply, tools, want)
}
