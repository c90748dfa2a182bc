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
    #[error("invalid endpoint: {0}")]
    Endpoint(#[from] EndpointError),
    /// The connection couldn't be set up locally.
    #[error("couldn't set up a connection: {0}")]
    Setup(String),
    /// The server can't be reached.
    #[error("couldn't connect to {address}; start the server, or check base_url ({why})")]
    Unreachable {
        /// The requested address.
        address: String,
        /// The system's error message.
        why: String,
    },
    /// The server redirects to another address. Redirects aren't followed, so that the key isn't
    /// sent anywhere unintended.
    #[error("{address} redirects to {to}; set base_url to the final address")]
    Redirected {
        /// The requested address.
        address: String,
        /// The redirect's target.
        to: String,
    },
    /// The server rejected the key: HTTP 401 or 403.
    #[error("the server rejected the key ({status}){}; check the key and its access to this model", saying(.said))]
    KeyRefused {
        /// The HTTP status.
        status: u16,
        /// The server's message.
        said: String,
    },
    /// The model doesn't exist.
    #[error("the server has no model “{model}”{}; choose a listed model, or load this one on the server", saying(.said))]
    UnknownModel {
        /// The model's name.
        model: String,
        /// The server's message.
        said: String,
    },
    /// The address isn't a chat endpoint: HTTP 404 or 405 with no mention of a model.
    #[error(
        "{address} is not an OpenAI-compatible endpoint ({status}); base_url usually ends in /v1"
    )]
    NotAnEndpoint {
        /// The requested address.
        address: String,
        /// The HTTP status.
        status: u16,
    },
    /// The request exceeds the model's context window.
    #[error("the request exceeds the model's context window{}; shorten the conversation, or increase the window on the server", saying(.said))]
    TooLarge {
        /// The server's message.
        said: String,
        /// The window in tokens, if the message states it.
        window: Option<u64>,
    },
    /// The model doesn't support tools.
    #[error("the server doesn't support tool calls for this model{}; change its tool call format to text", saying(.said))]
    NoTools {
        /// The server's message.
        said: String,
    },
    /// 429: too many requests.
    #[error("rate limited by the server{}; try again {}", saying(.said), when(.after))]
    RateLimited {
        /// The delay the server asks for, if any.
        after: Option<Duration>,
        /// The server's message.
        said: String,
    },
    /// The account is out of credit; waiting doesn't help.
    #[error("this account is out of credit{}; add credit, or choose another endpoint", saying(.said))]
    NoCredit {
        /// The server's message.
        said: String,
    },
    /// 400 or similar: the request can't succeed as it is.
    #[error("the server rejected the request ({status}){}", saying(.said))]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The server's message.
        said: String,
    },
    /// 5xx, 408, 409, 425: a problem on the server.
    #[error("server error ({status}){}; check the server's log, or try again later", saying(.said))]
    Server {
        /// The HTTP status.
        status: u16,
        /// The delay the server asks for, if any.
        after: Option<Duration>,
        /// The server's message.
        said: String,
    },
    /// The server reported an error instead of an answer, or in the middle of one.
    #[error("the server stopped with an error{}; try again, or check its log", saying(.said))]
    Reported {
        /// The server's message.
        said: String,
    },
    /// The server stopped responding.
    #[error("no response for {} s (the server may be loading or overloaded); try again, or increase the timeout", .silence.as_secs())]
    Stalled {
        /// How long it has been silent.
        silence: Duration,
        /// Whether nothing was received before the silence.
        at_start: bool,
    },
    /// The connection closed before the answer was complete.
    #[error("the connection closed before the answer was complete; try again")]
    Cut,
    /// The response isn't from a chat endpoint.
    #[error("unexpected response from the server ({what}); check base_url")]
    NotJson {
        /// What was received instead: the start of the body, or a description.
        what: String,
    },
    /// The answer exceeds the size limit.
    #[error(
        "the answer exceeded {limit} bytes and was stopped (the model may be repeating itself); try again, or set max_output_tokens"
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

    /// Whether the server can't answer at all, for example because it is restarting or broken, or
    /// its machine is offline.
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
        format!(": “{words}”")
    }
}

fn when(after: &Option<Duration>) -> String {
    match after {
        Some(after) => format!("in {} s", after.as_secs_f64().ceil()),
        None => "later".to_owned(),
    }
}
