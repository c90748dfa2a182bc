//! Requests to one endpoint: sent, watched, sent again where that helps, and dropped at once when
//! the caller has had enough.

mod exchange;
mod fetch;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use tokio::select;
use tokio_util::sync::CancellationToken;

use crate::retry::RetryPolicy;
use crate::servers::Preset;
use crate::surroundings::{Machine, Surroundings};
use crate::{ChatRequest, Dialect, Endpoint, Event, Key, Limits, ModelError, Reply};

/// How long silence is borne.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patience {
    /// Until a connection stands.
    pub connect: Duration,
    /// From the request to the first sign of life. A comment is one, and no part of an answer.
    pub first: Duration,
    /// Between two signs of life once an answer has begun.
    pub idle: Duration,
    /// For the next piece of an answer from a server that gives signs of life and nothing else.
    pub alive: Duration,
    /// After the reason for the end, for what the server counted.
    pub tail: Duration,
    /// After how much silence, and each time so much more, [`Event::Quiet`] is told.
    pub notice: Duration,
}

impl Patience {
    /// What suits an endpoint: a model on this machine may read a long prompt for minutes.
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

/// How a [`Client`] behaves.
#[derive(Debug, Clone)]
pub struct Options {
    /// When it sends again.
    pub retry: RetryPolicy,
    /// How long it waits.
    pub patience: Patience,
    /// How much it keeps.
    pub limits: Limits,
    /// Whether a request is sent again although some of its answer was shown. Off, a broken answer
    /// comes back as [`Failed::partial`].
    pub resend_after_output: bool,
    /// What the server was seen to refuse; what suits its kind where absent.
    pub dialect: Option<Dialect>,
    /// Time and chance.
    pub surroundings: Arc<dyn Surroundings>,
}

impl Options {
    /// What suits an endpoint.
    #[must_use]
    pub fn for_endpoint(endpoint: &Endpoint) -> Self {
        Self {
            retry: RetryPolicy::for_endpoint(endpoint),
            patience: Patience::for_endpoint(endpoint),
            limits: Limits::default(),
            resend_after_output: false,
            dialect: None,
            surroundings: Arc::new(Machine::default()),
        }
    }
}

/// A request that brought no whole answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct Failed {
    /// Why.
    #[source]
    pub error: ModelError,
    /// What came before it broke off, with [`Finish::Cut`](crate::Finish::Cut); never to be taken
    /// for an answer.
    pub partial: Option<Box<Reply>>,
    /// How many requests were made.
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

/// One endpoint, with its key, ready to be asked. Clones share connections and what was learned.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    endpoint: Endpoint,
    key: Option<Key>,
    options: Options,
    dialect: Arc<Mutex<Dialect>>,
}

impl Client {
    /// A client for `endpoint`. Sends nothing yet.
    ///
    /// # Errors
    /// [`ModelError::Endpoint`] for wrong values, [`ModelError::Setup`] where this system cannot
    /// make connections, as without any certificate for `https`.
    pub fn new(
        endpoint: &Endpoint,
        key: Option<Key>,
        options: Options,
    ) -> Result<Self, ModelError> {
        endpoint.validate()?;
        let http = connector(endpoint, key.as_ref(), options.patience.connect)?;
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

    /// The same, that bears no silence longer than `limit`, neither before an answer nor in it.
    #[must_use]
    pub fn with_patience_of(mut self, limit: Duration) -> Self {
        let patience = &mut self.options.patience;
        patience.first = patience.first.min(limit);
        patience.idle = patience.idle.min(limit);
        patience.alive = patience.alive.min(limit);
        self
    }

    /// The same, that sends a request once: for a caller who waits in its own way.
    #[must_use]
    pub fn asking_once(mut self) -> Self {
        self.options.retry = RetryPolicy::never();
        self
    }

    /// The endpoint it asks.
    #[must_use]
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// How it behaves.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// What the server was seen to refuse until now, to be kept for the next client.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Asks once, again where that may help, and tells what happens.
    ///
    /// Ends within one event of `cancel`; its connection is then closed. Dropping the future does
    /// the same.
    ///
    /// # Errors
    /// [`Failed`] says why there is no whole answer, and holds what came of it. An `Ok` reply ended
    /// in good order, but is an answer only where [`Reply::is_whole`].
    pub async fn chat(
        &self,
        request: &ChatRequest,
        cancel: &CancellationToken,
        on: &mut (dyn FnMut(Event) + Send),
    ) -> Result<Reply, Failed> {
        let start = self.options.surroundings.now();
        let (mut made, mut late) = (0, 0);
        loop {
            made += 1;
            on(Event::Sent { attempt: made });
            let failed = match self.exchange(request, cancel, on).await {
                Ok(reply) => return Ok(reply),
                Err(failed) => Failed { made, ..failed },
            };
            if self.adapt(request, &failed.error, on) {
                // The server read and refused it, so this one does not count.
                made -= 1;
                continue;
            }
            let discard = failed.partial.is_some();
            let may = !discard || self.options.resend_after_output;
            let spent = self.options.surroundings.now().saturating_sub(start);
            let chance = self.options.surroundings.chance();
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
                () = self.options.surroundings.sleep(wait) => {}
            }
        }
    }

    /// Gives up a field that the server refused by name. Ends, since each field goes only once.
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
    let setup = |error: reqwest::Error| ModelError::Setup(exchange::innermost(&error));
    let mut headers = HeaderMap::new();
    if let Some(key) = key {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", key.reveal()))
            .map_err(|_| ModelError::Setup("the key cannot stand in a header".to_owned()))?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    // The first to come decides for the whole process; another one's choice is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("planwright/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers)
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(connect);
    if !endpoint.base_url.starts_with("https:") {
        // Reading the system's certificates takes time and fails where there are none. llama.cpp's
        // server hangs up behind each answer without saying so, and a new connection costs nothing
        // where there is no handshake: none is used twice.
        builder = builder.tls_certs_only([]).pool_max_idle_per_host(0);
    }
    if endpoint.is_local() {
        builder = builder.no_proxy();
    }
    builder.build().map_err(setup)
}
