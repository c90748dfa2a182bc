//! Models behind OpenAI-compatible endpoints: requests, streams, retries, keys, and what a model
//! can do.
//!
//! An endpoint is named by the user alone; a workspace cannot name one. [`Client::chat`] sends one
//! [`ChatRequest`], tells what comes as [`Event`]s, and ends with a [`Reply`] whose
//! [`finish`](Reply::finish) says whether it is whole. What went wrong is a [`ModelError`] whose
//! message says what to do. [`servers`] finds servers on this machine; [`profile`] says what a model
//! can be trusted with.
//!
//! **Architecture invariants.** Knows nothing of plans, tools or the store, and runs no tool. Makes
//! no request on its own account. A key is in no message, log, event or stored value. A reply that
//! was cut, or that ended without a reason, never looks like a finished one. Nothing is sent twice
//! without an event that says so. Without an endpoint every use case of Planwright works with
//! symbolic planning and `call:` steps.

mod classify;
mod client;
mod endpoint;
mod error;
mod key;
pub mod profile;
mod request;
pub mod retry;
pub mod servers;
pub mod stream;
pub mod surroundings;
mod wire;

pub use client::{Client, Failed, Options, Patience};
pub use endpoint::{Endpoint, EndpointError};
pub use error::ModelError;
pub use key::{Key, KeyError, KeyStore};
pub use request::{
    ChatRequest, Format, Message, ReasoningEffort, Tool, ToolCall, ToolChoice, Verbosity,
};
pub use stream::{CutBy, Event, Finish, Limits, Reply, Usage};
pub use tokio_util::sync::CancellationToken;
pub use wire::{Dialect, Field};
