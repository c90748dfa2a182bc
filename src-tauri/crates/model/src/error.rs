//! Errors in communicating with a model, each with what to do about it.
//!
//! Messages are shown on screen and in the terminal. They never contain a key, and quote only a
//! one-line excerpt of a server's message.

use std::time::Duration;

use thiserror::Error;

use crate::EndpointError;

/// Why a request has no complete answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelError {
    /// The endpoint is invalid.
    #[error("the endpoint cannot be used: {0}")]
    Endpoint(#[from] EndpointError),
    /// The connection couldn't be set up locally.
    #[error("no connection could be prepared: {0}")]
    Setup(String),
    /// The server can't be reached.
    #[error("no server answers at {address} ({why}); start it, or correct base_url")]
    Unreachable {
        /// The requested address.
        address: String,
        /// The system's error message.
        why: String,
    },
    /// The server redirects to another address. Redirects aren't followed, so that the key isn't
    /// sent anywhere unintended.
    #[error("{address} sends us on to {to}; put the address that is meant into base_url")]
    Redirected {
        /// The requested address.
        address: String,
        /// The redirect's target.
        to: String,
    },
    /// 401 or 403.
    #[error("the server refuses the key ({status}){}; check the key, and that it may use this model", saying(.said))]
    KeyRefused {
        /// The HTTP status.
        status: u16,
        /// The server's message.
        said: String,
    },
    /// The model doesn't exist.
    #[error("the server has no model “{model}”{}; choose one it lists, or load it there", saying(.said))]
    UnknownModel {
        /// The model's name.
        model: String,
        /// The server's message.
        said: String,
    },
    /// 404 or 405, with no mention of a model.
    #[error("{address} is no OpenAI-compatible endpoint ({status}); base_url mostly ends in /v1")]
    NotAnEndpoint {
        /// The requested address.
        address: String,
        /// The HTTP status.
        status: u16,
    },
    /// The request exceeds the model's context window.
    #[error("the request is larger than the model's window{}; shorten the conversation, or raise the window at the server", saying(.said))]
    TooLarge {
        /// The server's message.
        said: String,
        /// The window in tokens, if the message states it.
        window: Option<u64>,
    },
    /// The model doesn't support tools.
    #[error("the model takes no tools at this server{}; calls must be written as text", saying(.said))]
    NoTools {
        /// The server's message.
        said: String,
    },
    /// 429: too many requests.
    #[error("the server asks to wait{}{}; try again later", wait(.after), saying(.said))]
    RateLimited {
        /// The delay the server asks for, if any.
        after: Option<Duration>,
        /// The server's message.
        said: String,
    },
    /// The account is out of credit; waiting doesn't help.
    #[error("the account at this server has nothing left to spend{}; add credit, or choose another endpoint", saying(.said))]
    NoCredit {
        /// The server's message.
        said: String,
    },
    /// 400 or similar: the request can't succeed as it is.
    #[error("the server refuses the request ({status}){}", saying(.said))]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The server's message.
        said: String,
    },
    /// 5xx, 408, 409, 425: a problem on the server.
    #[error("the server is in trouble ({status}){}; look at its log, or try again later", saying(.said))]
    Server {
        /// The HTTP status.
        status: u16,
        /// The delay the server asks for, if any.
        after: Option<Duration>,
        /// The server's message.
        said: String,
    },
    /// The server reported an error instead of an answer, or in the middle of one.
    #[error("the server broke off with an error{}; try again, or look at its log", saying(.said))]
    Reported {
        /// The server's message.
        said: String,
    },
    /// The server stopped responding.
    #[error("the server said nothing for {} s; it may be loading or overloaded: try again, or allow it more time", .silence.as_secs())]
    Stalled {
        /// How long it has been silent.
        silence: Duration,
        /// Whether nothing had been received before.
        at_start: bool,
    },
    /// The connection closed before the answer was complete.
    #[error("the connection ended before the answer was complete; try again")]
    Cut,
    /// The response isn't from a chat endpoint.
    #[error("the server answers something that is no chat answer ({what}); check base_url")]
    NotJson {
        /// The content type and the start of the body.
        what: String,
    },
    /// The answer exceeds the size limit.
    #[error(
        "the answer grew beyond {limit} bytes and was stopped; the model probably repeats itself: try again, or set max_output_tokens"
    )]
    TooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// The caller cancelled the request.
    #[error("the request was cancelled")]
    Cancelled,
}

impl ModelError {
    /// A short code, by which the screen chooses what help to show.
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

    /// Whether retrying later may succeed.
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

    /// Whether the answer didn't begin in time. A retry may lose the server's work on the prompt.
    #[must_use]
    pub fn is_late(&self) -> bool {
        matches!(self, Self::Stalled { at_start: true, .. })
    }

    /// Whether there is nobody to answer, as when a server is restarting or broken, or its machine
    /// is offline.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        matches!(
            self,
            Self::Unreachable { .. } | Self::Cut | Self::Server { status: 500.., .. }
        )
    }

    /// The delay the server asks for, if any.
    #[must_use]
    pub fn server_delay(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { after, .. } | Self::Server { after, .. } => *after,
            _ => None,
        }
    }
}

/// The server's message as part of a sentence.
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
