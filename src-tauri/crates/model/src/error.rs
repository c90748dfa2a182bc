//! What can go wrong between Planwright and a model, each with what to do about it.
//!
//! Messages go to the screen and to the terminal. They never hold a key, and of a server's own
//! words no more than an excerpt on one line.

use std::time::Duration;

use thiserror::Error;

use crate::EndpointError;

/// Why a request to a model brought no whole answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelError {
    /// The endpoint's values are wrong.
    #[error("the endpoint cannot be used: {0}")]
    Endpoint(#[from] EndpointError),
    /// The connection could not be set up on this side.
    #[error("no connection could be prepared: {0}")]
    Setup(String),
    /// Nobody answers there.
    #[error("no server answers at {address} ({why}); start it, or correct base_url")]
    Unreachable {
        /// The address that was asked.
        address: String,
        /// What the system said.
        why: String,
    },
    /// The server names another address. It is not followed: a key must not go where it was not
    /// meant to.
    #[error("{address} sends us on to {to}; put the address that is meant into base_url")]
    Redirected {
        /// The address that was asked.
        address: String,
        /// Where it points.
        to: String,
    },
    /// 401 or 403.
    #[error("the server refuses the key ({status}){}; check the key, and that it may use this model", saying(.said))]
    KeyRefused {
        /// The HTTP status.
        status: u16,
        /// The server's words.
        said: String,
    },
    /// The model is not there.
    #[error("the server has no model “{model}”{}; choose one it lists, or load it there", saying(.said))]
    UnknownModel {
        /// The model's name.
        model: String,
        /// The server's words.
        said: String,
    },
    /// 404 or 405 without a word on models.
    #[error("{address} is no OpenAI-compatible endpoint ({status}); base_url mostly ends in /v1")]
    NotAnEndpoint {
        /// The address that was asked.
        address: String,
        /// The HTTP status.
        status: u16,
    },
    /// More than the model's window holds.
    #[error("the request is larger than the model's window{}; shorten the conversation, or raise the window at the server", saying(.said))]
    TooLarge {
        /// The server's words.
        said: String,
        /// The window in tokens, where the server's words tell.
        window: Option<u64>,
    },
    /// The model takes no tools.
    #[error("the model takes no tools at this server{}; calls must be written as text", saying(.said))]
    NoTools {
        /// The server's words.
        said: String,
    },
    /// 429: too many requests.
    #[error("the server asks to wait{}{}; try again later", wait(.after), saying(.said))]
    RateLimited {
        /// How long, where the server says so.
        after: Option<Duration>,
        /// The server's words.
        said: String,
    },
    /// No money left; waiting does not help.
    #[error("the account at this server has nothing left to spend{}; add credit, or choose another endpoint", saying(.said))]
    NoCredit {
        /// The server's words.
        said: String,
    },
    /// 400 and its like: the request as it is will never be taken.
    #[error("the server refuses the request ({status}){}", saying(.said))]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The server's words.
        said: String,
    },
    /// 5xx, 408, 409, 425: the server's own trouble.
    #[error("the server is in trouble ({status}){}; look at its log, or try again later", saying(.said))]
    Server {
        /// The HTTP status.
        status: u16,
        /// How long it asks to wait, where it says so.
        after: Option<Duration>,
        /// The server's words.
        said: String,
    },
    /// An error in place of an answer, or in the middle of one.
    #[error("the server broke off with an error{}; try again, or look at its log", saying(.said))]
    Reported {
        /// The server's words.
        said: String,
    },
    /// Silence.
    #[error("the server said nothing for {} s; it may be loading or overloaded: try again, or allow it more time", .silence.as_secs())]
    Stalled {
        /// How long nothing came.
        silence: Duration,
        /// Whether nothing at all had come before.
        at_start: bool,
    },
    /// The connection ended before the answer did.
    #[error("the connection ended before the answer was complete; try again")]
    Cut,
    /// Something that is no answer of a chat endpoint.
    #[error("the server answers something that is no chat answer ({what}); check base_url")]
    NotJson {
        /// The kind of content and its beginning.
        what: String,
    },
    /// More than may be kept.
    #[error(
        "the answer grew beyond {limit} bytes and was stopped; the model probably repeats itself: try again, or set max_output_tokens"
    )]
    TooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// The caller ended it.
    #[error("the request was cancelled")]
    Cancelled,
}

impl ModelError {
    /// A short name for the wire: the screen chooses by it what help to show.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Endpoint(_) => "model_endpoint",
            Self::Setup(_) => "model_setup",
            Self::Unreachable { .. } => "model_unreachable",
            Self::Redirected { .. } => "model_redirected",
            Self::KeyRefused { .. } => "model_key_refused",
            Self::UnknownModel { .. } => "model_unknown",
            Self::NotAnEndpoint { .. } => "model_not_an_endpoint",
            Self::TooLarge { .. } => "model_window_exceeded",
            Self::NoTools { .. } => "model_no_tools",
            Self::RateLimited { .. } => "model_rate_limited",
            Self::NoCredit { .. } => "model_no_credit",
            Self::Refused { .. } => "model_refused",
            Self::Server { .. } => "model_server_error",
            Self::Reported { .. } => "model_broke_off",
            Self::Stalled { .. } => "model_stalled",
            Self::Cut => "model_cut",
            Self::NotJson { .. } => "model_no_answer",
            Self::TooLong { .. } => "model_too_long",
            Self::Cancelled => "model_cancelled",
        }
    }

    /// Whether the same request may succeed a little later.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::Unreachable { .. }
                | Self::RateLimited { .. }
                | Self::Server { .. }
                | Self::Reported { .. }
                | Self::Stalled { .. }
                | Self::Cut
        )
    }

    /// Whether no word of an answer came in time. The work on it may be lost with the request.
    #[must_use]
    pub fn is_late(&self) -> bool {
        matches!(self, Self::Stalled { at_start: true, .. })
    }

    /// Whether nobody is there who could answer, as while a server restarts, is broken, or its machine is away.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        matches!(
            self,
            Self::Unreachable { .. } | Self::Cut | Self::Server { status: 500.., .. }
        )
    }

    /// How long the server asks to wait, where it says so.
    #[must_use]
    pub fn server_delay(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { after, .. } | Self::Server { after, .. } => *after,
            _ => None,
        }
    }
}

/// The server's words as a part of a sentence.
fn saying(words: &str) -> String {
    if words.is_empty() {
        String::new()
    } else {
        format!(", saying “{words}”")
    }
}

fn wait(after: &Option<Duration>) -> String {
    after.map_or_else(String::new, |after| {
        format!(" {} s", after.as_secs_f64().ceil())
    })
}
