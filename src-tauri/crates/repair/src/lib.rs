//! Turns a model's finished reply into calls that may run, text for the user, and feedback to the
//! model about everything else.
//!
//! **The ladder**, in this order:
//! 1. cut at the first invented tool result, end token or role token outside a call;
//! 2. split off thinking; if there is only an end tag, everything before it is thinking;
//! 3. native calls; if there is one, the text is not searched for calls;
//! 4. wrappers that models put around calls in text (tags, fences, special tokens, `name(…)`,
//!    ReAct);
//! 5. tolerant parsing of one value (quotes, commas, comments, literals, escapes, brackets);
//! 6. envelopes, key aliases, values encoded twice;
//! 7. the tool's name: exact, then in another spelling, otherwise a fault with suggestions;
//! 8. the tool's schema: scalars converted, keys renamed if only one meaning is possible;
//! 9. validation.
//!
//! **Invariants.** A truncated string is never executed, nor is a call with open brackets in a
//! reply that the model did not end itself. Thinking yields no calls. A name is never guessed to
//! mean a destructive tool, and only the form of such a tool's arguments is repaired. A `string`
//! that looks like JSON stays a string. A call in prose needs a known tool and valid arguments,
//! otherwise it stays prose, as does a quoted call or an example. Every repair is recorded with its
//! kind and place. Whatever cannot be repaired is a [`Fault`], whose message shows the correct call
//! in the form that the model used. Work is linear in the size of the reply, depth is bounded, and
//! nothing panics.
//!
//! This crate does no IO, runs no calls and doesn't decide whether a call is permitted.

mod announcements;
mod arguments;
mod bare_calls;
mod body;
mod budget;
mod call_intent;
mod call_phrases;
mod choice;
mod elements;
mod envelope;
mod escapes;
mod feedback;
mod fences;
mod introductions;
mod native_calls;
mod param_aliases;
mod planned_steps;
mod python;
mod react;
mod recover;
mod repairs;
mod scan;
mod schema;
mod strings;
mod tags;
mod tasks;
mod tokens;
mod tool_names;
mod value;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use choice::{Choice, read_choice};
pub use feedback::{Fault, FaultKind};
pub use planned_steps::{Step, StepReply, StepsReply, read_step, read_steps};
pub use recover::recover;
pub use repairs::{Form, Repair, RepairKind};
pub use schema::{Effect, SchemaError, Tool, Tools};
pub use tasks::{ReplyError, ReplyTask, read_object, read_tasks};

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The model ended the reply.
    Stop,
    /// The model ended it to wait for call results.
    ToolCalls,
    /// The token limit was reached.
    Length,
    /// The provider's content filter ended it.
    ContentFilter,
    /// The stream ended without giving a reason, so the reply is truncated.
    Cut,
}

impl Finish {
    /// Whether the model itself ended the reply, so that anything missing was left out by the
    /// model.
    pub fn is_whole(self) -> bool {
        match self {
            Self::Stop | Self::ToolCalls => true,
            Self::Length | Self::ContentFilter | Self::Cut => false,
        }
    }
}

/// A native call: one that the endpoint delivered separately from the text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NativeCall {
    /// Its id, to which the result must refer.
    pub id: Option<String>,
    /// The name of the function, as received.
    pub name: String,
    /// The arguments as text, as received.
    pub arguments: String,
}

/// A reply after its stream has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The text of the reply.
    pub text: String,
    /// Reasoning that the endpoint delivered separately.
    pub reasoning: String,
    /// Calls that the endpoint delivered separately, in order.
    pub calls: Vec<NativeCall>,
    /// Why the reply ended.
    pub finish: Finish,
}

impl Reply {
    /// A reply that consists only of text and was ended by the model.
    pub fn of_text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            reasoning: String::new(),
            calls: Vec::new(),
            finish: Finish::Stop,
        }
    }
}

/// The kind of reply that the caller expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Want {
    /// A step is being carried out: text without a call is a fault.
    Call,
    /// Text may be the answer. It is a fault only if it announces a call or claims to have no
    /// tools.
    Either,
}

/// A call that may run if it is permitted.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The id of the native call; a call in text only has an id if it states one.
    pub id: Option<String>,
    /// The name of the tool in the table.
    pub name: String,
    /// Its arguments, which are valid for the tool, in the order received.
    pub arguments: Map<String, Value>,
    /// The form in which the call was written.
    pub form: Form,
    /// The repairs that were made, in the order of the ladder.
    pub repairs: Vec<Repair>,
    /// Its index among the calls and faulty calls of this reply, from 0.
    pub position: usize,
}

/// The result of reading a reply.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recovered {
    /// The calls to execute, in order.
    pub calls: Vec<Call>,
    /// The text that remains for the user, without calls, thinking and tokens.
    pub text: String,
    /// Thinking, from the text or delivered separately; only for display.
    pub thinking: String,
    /// Feedback for the model. Each native call leads to exactly one call or fault.
    pub faults: Vec<Fault>,
    /// Repairs that concern the whole reply.
    pub repairs: Vec<Repair>,
    /// The number of steps of work done, which is linear in the size of the reply.
    pub steps: u64,
}
