//! One finished reply of a model, as data: calls that were read already, and what could not be.
//!
//! How text or native calls become [`Reply::calls`] and [`Reply::faults`] is not known here.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use crate::repair::Finish;

/// Tokens, as the endpoint counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// In the request.
    pub input: u64,
    /// Of those, how many the provider had in its cache.
    #[serde(default)]
    pub cached: u64,
    /// In the reply.
    pub output: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input += other.input;
        self.cached += other.cached;
        self.output += other.output;
    }
}

/// One call of a reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplyCall {
    /// The id under which its answer goes back. The machine gives ids of its own, unique in the
    /// session: some endpoints repeat theirs from reply to reply.
    pub id: String,
    /// The tool's name, as the model wrote it.
    pub name: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}

/// One reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The text for people.
    pub text: String,
    /// The calls to carry out, in order.
    pub calls: Vec<ReplyCall>,
    /// What could not be read as a call: one message each, that says the right form.
    pub faults: Vec<String>,
    /// Why it ended.
    pub finish: Finish,
    /// What it cost.
    pub usage: Usage,
}
