//! Models behind OpenAI-compatible endpoints: requests, streams, retries, keys, and model profiles.
//!
//! Only the user can configure an endpoint, never a workspace. [`Client::chat`] sends a
//! [`ChatRequest`], reports progress as [`Event`]s, and returns a [`Reply`] whose
//! [`finish`](Reply::finish) says whether it is complete. Errors are [`ModelError`]s whose messages
//! say what to do. [`servers`] finds servers on this machine; [`profile`] estimates what a model
//! can do reliably.
//!
//! **Architecture invariants.** Knows nothing of plans, tools or the store, and runs no tool. Makes
//! no requests on its own. A key never appears in a message, log, event or stored value. A reply
//! that was cut off or ended without a reason never looks complete. Every retry is announced by an
//! event. Without an endpoint, all of Planwright still works with symbolic planning and `call:`
//! steps.

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
pub mod timer;
mod wire;

pub use client::{Client, Failed, Options, Timeouts};
pub use endpoint::{Endpoint, EndpointError};
pub use error::ModelError;
pub use key::{Key, KeyError, KeyStore};
pub use request::{
    ChatRequest, Format, Message, ReasoningEffort, Tool, ToolCall, ToolChoice, Verbosity,
};
pub use stream::{CutBy, Event, Finish, Limits, Reply, Usage};
pub use tokio_util::sync::CancellationToken;
pub use wire::{Dialect, Field};
