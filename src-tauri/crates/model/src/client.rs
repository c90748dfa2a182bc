//! Sends requests to one endpoint, monitors them, retries them where that helps, and drops them as
//! soon as the caller cancels.

mod exchange;
mod fetch;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use tokio::select;
use tokio_util::sync::CancellationToken;

use crate::retry::RetryPolicy;
use crate::servers::Preset;
use crate::timer::{SystemTimer, Timer};
use crate::{ChatRequest, Dialect, Endpoint, Event, Key, Limits, ModelError, Reply};

/// The timeouts of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeouts {
    /// Maximum time to connect.
    pub connect: Duration,
    /// Maximum time from the request to the first byte of the response. A comment in the stream
    /// counts as a byte.
    pub first: Duration,
    /// Maximum time between bytes once the response has begun.
    pub idle: Duration,
    /// Maximum time without a piece of the answer, for a server that sends only keep-alive
    /// comments.
    pub alive: Duration,
    /// Maximum time to wait for usage data after the finish reason.
    pub tail: Duration,
    /// Interval of silence after which [`Event::Quiet`] is sent, repeatedly.
    pub notice: Duration,
}

impl Timeouts {
    /// Defaults for an endpoint. A local model may take minutes to read a long prompt.
    #[must_use]
    pub fn for_endpoint(endpoint: &Endpoint) -> Self {
        let local = endpoint.is_local();
        Self {
            connect: Duration::from_secs(if local { 3 } else { 10 }),
            first: Duration::from_secs(if local { 600 } else { 120 }),
            idle: Duration::from_secs(if local { 120 } else { 60 }),
            alive: Duration::from_secs(900),
            tail: Duration::from_secs(2),
            notice: Duration::from_secs(10),
        }
    }
}

/// Options of a [`Client`].
#[derive(Debug, Clone)]
pub struct Options {
    /// Limits on retries.
    pub retry: RetryPolicy,
    /// Timeouts of each request.
    pub timeouts: Timeouts,
    /// Maximum sizes of an answer.
    pub limits: Limits,
    /// Whether to retry a request after part of its answer was shown. If not, the partial answer is
    /// returned in [`Failed::partial`].
    pub resend_after_output: bool,
    /// Fields that the server is known to reject; `None` for the defaults of its kind.
    pub dialect: Option<Dialect>,
    /// Clock and randomness.
    pub timer: Arc<dyn Timer>,
}

impl Options {
    /// Defaults for an endpoint.
    #[must_use]
    pub fn for_endpoint(endpoint: &Endpoint) -> Self {
        Self {
            retry: RetryPolicy::for_endpoint(endpoint),
            timeouts: Timeouts::for_endpoint(endpoint),
            limits: Limits::default(),
            resend_after_output: false,
            dialect: None,
            timer: Arc::new(SystemTimer::default()),
        }
    }
}

/// A request without a complete answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct Failed {
    /// Why the request failed.
    #[source]
    pub error: ModelError,
    /// The part received before the failure, with [`Finish::Cut`](crate::Finish::Cut). Never treat
    /// it as an answer.
    pub partial: Option<Box<Reply>>,
    /// Number of requests sent.
    pub made: u32,
}

impl From<ModelError> for Failed {
    fn from(error: ModelError) -> Self {
        Self {
            error,
            partial: None,
            made: 0,
        }
    }
}

/// A client for one endpoint and its key. Clones share connections and the learned dialect.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    endpoint: Endpoint,
    key: Option<Key>,
    options: Options,
    dialect: Arc<Mutex<Dialect>>,
}

impl Client {
    /// Creates a client for `endpoint`, without sending anything. Fails with
    /// [`ModelError::Endpoint`] for invalid values, [`ModelError::Setup`] if connections can't be
    /// set up, such as for `https` on a system without certificates.
    pub fn new(
        endpoint: &Endpoint,
        key: Option<Key>,
        options: Options,
    ) -> Result<Self, ModelError> {
        endpoint.validate()?;
        let http = connector(endpoint, key.as_ref(), options.timeouts.connect)?;
        let dialect = options
            .dialect
            .clone()
            .unwrap_or_else(|| Preset::of(&endpoint.base_url).dialect());
        Ok(Self {
            http,
            endpoint: endpoint.clone(),
            key,
            options,
            dialect: Arc::new(Mutex::new(dialect)),
        })
    }

    /// The same client, waiting at most `limit` for the server to send something.
    #[must_use]
    pub fn with_idle_limit(mut self, limit: Duration) -> Self {
        let timeouts = &mut self.options.timeouts;
        timeouts.first = timeouts.first.min(limit);
        timeouts.idle = timeouts.idle.min(limit);
        timeouts.alive = timeouts.alive.min(limit);
        self
    }

    /// The same client without retries, for callers that handle them.
    #[must_use]
    pub fn without_retries(mut self) -> Self {
        self.options.retry = RetryPolicy::never();
        self
    }

    /// The endpoint that requests are sent to.
    #[must_use]
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// The options that this client was created with.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// The fields that the server has rejected so far, to pass to the next client.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Sends a request, retries it where that may help, and reports events.
    ///
    /// Returns within one event of `cancel`, closing the connection. Dropping the future does the
    /// same. On failure, [`Failed`] contains the reason and any partial answer. An `Ok` reply ended
    /// properly, but is an answer only if [`Reply::is_whole`].
    pub async fn chat(
        &self,
        request: &ChatRequest,
        cancel: &CancellationToken,
        on: &mut (dyn FnMut(Event) + Send),
    ) -> Result<Reply, Failed> {
        let start = self.options.timer.now();
        let (mut made, mut late) = (0, 0);
        loop {
            made += 1;
            on(Event::Sent { attempt: made });
            let failed = match self.exchange(request, cancel, on).await {
                Ok(reply) => return Ok(reply),
                Err(failed) => Failed { made, ..failed },
            };
            if self.adapt(request, &failed.error, on) {
                // The server rejected the request before processing it, so it doesn't count as an
                // attempt.
                made -= 1;
                continue;
            }
            let discard = failed.partial.is_some();
            let may = !discard || self.options.resend_after_output;
            let spent = self.options.timer.now().saturating_sub(start);
            let chance = self.options.timer.chance();
            late += u32::from(failed.error.is_late());
            let wait = self
                .options
                .retry
                .wait((made, late), &failed.error, spent, chance);
            let Some(wait) = wait.filter(|_| may) else {
                return Err(failed);
            };
            on(Event::Retry {
                made,
                of: self.options.retry.attempts,
                wait_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
                reason: failed.error.to_string(),
                discard,
            });
            select! {
                biased;
                () = cancel.cancelled() => {
                    return Err(Failed { error: ModelError::Cancelled, ..failed });
                }
                () = self.options.timer.sleep(wait) => {}
            }
        }
    }

    /// Stops sending a field that the server rejected; `false` if it rejected none. The retries
    /// end, since each field is dropped at most once.
    fn adapt(&self, request: &ChatRequest, error: &ModelError, on: &mut dyn FnMut(Event)) -> bool {
        let ModelError::Refused { said, .. } = error else {
            return false;
        };
        let mut dialect = self.dialect.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(field) = dialect.learn(request, &self.endpoint.model, said) else {
            return false;
        };
        let reason = said.clone();
        on(Event::Without { field, reason });
        true
    }
}

fn connector(
    endpoint: &Endpoint,
    key: Option<&Key>,
    connect: Duration,
) -> Result<reqwest::Client, ModelError> {
    let setup = |error: reqwest::Error| ModelError::Setup(exchange::root_cause(&error));
    let mut headers = HeaderMap::new();
    if let Some(key) = key {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", key.reveal()))
            .map_err(|_| ModelError::Setup("the key contains invalid characters".to_owned()))?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    // Fails if this process already has a provider, which is just as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("planwright/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(connect);
    if !endpoint.base_url.starts_with("https:") {
        // Loading the system's certificates takes time and fails if there are none. Connections
        // aren't reused, because llama.cpp's server closes them after each response without
        // notice, and a new one without TLS is cheap.
        builder = builder.tls_certs_only([]).pool_max_idle_per_host(0);
    }
    if endpoint.is_local() {
        builder = builder.no_proxy();
    }
    builder.build().map_err(setup)
}
