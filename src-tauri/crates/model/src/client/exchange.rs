//! A single request and its answer.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use reqwest::Response;
use reqwest::header::{ACCEPT, CONTENT_TYPE, LOCATION};
use tokio::select;
use tokio_util::sync::CancellationToken;

use super::{Client, Failed};
use crate::classify::{self, Refusal};
use crate::stream::{Broken, Reader};
use crate::{ChatRequest, CutBy, Event, ModelError, Reply};

/// Maximum bytes read of an error response.
const MAX_ERROR_BODY: usize = 64 << 10;

/// How long to wait for the end of the body after the answer is complete, so that the connection
/// can be reused.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(20);

/// Tracks how long the server has been silent.
struct SilenceWatch {
    /// Time of the last byte received.
    life: Duration,
    /// Time of the last piece of the answer itself.
    since: Duration,
    noticed: Duration,
    at_start: bool,
}

impl Client {
    pub(super) async fn exchange(
        &self,
        request: &ChatRequest,
        cancel: &CancellationToken,
        on: &mut (dyn FnMut(Event) + Send),
    ) -> Result<Reply, Failed> {
        let address = self.endpoint.url("chat/completions");
        let body = request
            .to_json(&self.endpoint.model, &self.dialect())
            .map_err(|error| ModelError::Setup(error.to_string()))?;
        let now = self.options.timer.now();
        let mut watch = SilenceWatch {
            life: now,
            since: now,
            noticed: Duration::ZERO,
            at_start: true,
        };
        let sending = self
            .http
            .post(&address)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream, application/json")
            .body(body)
            .send();
        let first = self.options.timeouts.first;
        let response = self
            .with_timeouts(sending, &mut watch, first, cancel, on)
            .await?
            .map_err(|error| self.send_error(&address, &error))?;
        if !response.status().is_success() {
            let reading = self.status_error(&address, response);
            return Err(self
                .with_timeouts(reading, &mut watch, first, cancel, on)
                .await?
                .into());
        }
        self.answer(response, &mut watch, cancel, on).await
    }

    /// Reads an answer to its end.
    async fn answer(
        &self,
        mut response: Response,
        watch: &mut SilenceWatch,
        cancel: &CancellationToken,
        on: &mut (dyn FnMut(Event) + Send),
    ) -> Result<Reply, Failed> {
        let timeouts = &self.options.timeouts;
        let mut reader = Reader::new(self.options.limits);
        loop {
            let limit = match (reader.has_finish(), reader.has_output()) {
                (true, _) => timeouts.tail,
                (false, true) => timeouts.idle,
                (false, false) => timeouts.first,
            };
            let piece = self
                .with_timeouts(response.chunk(), watch, limit, cancel, on)
                .await;
            let fault = match piece {
                Ok(Ok(Some(bytes))) => {
                    let was_finished = reader.has_finish();
                    if !was_finished {
                        watch.life = self.options.timer.now();
                    }
                    let mut moved = false;
                    let pushed = reader.push(&bytes, &mut |event| {
                        moved = true;
                        on(event);
                    });
                    if moved || reader.has_finish() != was_finished {
                        watch.since = self.options.timer.now();
                        watch.noticed = Duration::ZERO;
                        watch.at_start = false;
                    }
                    match pushed {
                        Ok(()) if reader.is_done() => {
                            self.drain(&mut response).await;
                            return self.finished(&mut reader, on);
                        }
                        Ok(()) => continue,
                        Err(broken) => self.broken(broken),
                    }
                }
                Ok(Ok(None)) => return self.finished(&mut reader, on),
                // The server sent a finish reason, so the answer is complete.
                Ok(Err(_)) | Err(ModelError::Stalled { .. }) if reader.has_finish() => {
                    return self.finished(&mut reader, on);
                }
                Ok(Err(_)) => ModelError::Cut,
                Err(error) => error,
            };
            return Err(partial(&mut reader, fault, on));
        }
    }

    fn finished(
        &self,
        reader: &mut Reader,
        on: &mut (dyn FnMut(Event) + Send),
    ) -> Result<Reply, Failed> {
        match reader.end(on) {
            Ok(reply) => Ok(reply),
            Err(broken) => {
                let error = self.broken(broken);
                Err(partial(reader, error, on))
            }
        }
    }

    async fn drain(&self, response: &mut Response) {
        select! {
            biased;
            _ = response.chunk() => {}
            () = self.options.timer.sleep(DRAIN_TIMEOUT) => {}
        }
    }

    /// Waits for `work`, for at most `limit` or until cancelled.
    pub(super) async fn wait_for<T>(
        &self,
        work: impl Future<Output = T>,
        limit: Duration,
        cancel: &CancellationToken,
    ) -> Result<T, ModelError> {
        select! {
            biased;
            () = cancel.cancelled() => Err(ModelError::Cancelled),
            done = work => Ok(done),
            () = self.options.timer.sleep(limit) => {
                Err(ModelError::Stalled { silence: limit, at_start: true })
            }
        }
    }

    async fn with_timeouts<T>(
        &self,
        work: impl Future<Output = T>,
        watch: &mut SilenceWatch,
        limit: Duration,
        cancel: &CancellationToken,
        on: &mut (dyn FnMut(Event) + Send),
    ) -> Result<T, ModelError> {
        let mut work = pin!(work);
        loop {
            let now = self.options.timer.now();
            let silence = now.saturating_sub(watch.since);
            let left = limit.saturating_sub(now.saturating_sub(watch.life));
            let left = left.min(
                self.options
                    .timeouts
                    .alive
                    .max(limit)
                    .saturating_sub(silence),
            );
            if left.is_zero() {
                let at_start = watch.at_start;
                return Err(ModelError::Stalled { silence, at_start });
            }
            let notice = watch.noticed + self.options.timeouts.notice;
            if silence >= notice {
                watch.noticed = silence;
                let silence_ms = u64::try_from(silence.as_millis()).unwrap_or(u64::MAX);
                on(Event::Quiet { silence_ms });
                continue;
            }
            let pause = left.min(notice.saturating_sub(silence));
            select! {
                biased;
                () = cancel.cancelled() => return Err(ModelError::Cancelled),
                done = &mut work => return Ok(done),
                () = self.options.timer.sleep(pause) => {}
            }
        }
    }

    /// The error for a response with an unsuccessful status.
    pub(super) async fn status_error(&self, address: &str, mut response: Response) -> ModelError {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let target = headers.get(LOCATION).and_then(|to| to.to_str().ok());
        if let Some(to) = target.filter(|_| (300..400).contains(&status)) {
            return ModelError::Redirected {
                address: address.to_owned(),
                to: classify::shorten(to),
            };
        }
        let mut body = Vec::new();
        while let Ok(Some(bytes)) = response.chunk().await {
            let room = MAX_ERROR_BODY.saturating_sub(body.len());
            body.extend(bytes.iter().take(room));
            if body.len() >= MAX_ERROR_BODY {
                break;
            }
        }
        classify::refusal(&Refusal {
            address,
            model: &self.endpoint.model,
            status,
            after: classify::server_delay(&headers, self.options.timer.date()),
            body: &String::from_utf8_lossy(&body),
            key: self.key.as_ref(),
        })
    }

    /// Why a request didn't reach the server.
    pub(super) fn send_error(&self, address: &str, error: &reqwest::Error) -> ModelError {
        let why = classify::shorten(&root_cause(error));
        if error.is_connect() || error.is_timeout() {
            let address = address.to_owned();
            return ModelError::Unreachable { address, why };
        }
        if error.is_builder() || error.is_request() && error.status().is_some() {
            return ModelError::Setup(why);
        }
        ModelError::Cut
    }

    fn broken(&self, broken: Broken) -> ModelError {
        let key = self.key.as_ref();
        match broken {
            Broken::Reported(value) => classify::reported(&value, &self.endpoint.model, key),
            Broken::NotChat(beginning) => ModelError::NotJson {
                what: classify::quoted(&beginning, key),
            },
            Broken::TooLong(limit) => ModelError::TooLong { limit },
            Broken::Empty | Broken::Half => ModelError::Cut,
        }
    }
}

/// A failure, with the part of the answer received before it.
fn partial(reader: &mut Reader, error: ModelError, on: &mut (dyn FnMut(Event) + Send)) -> Failed {
    let by = match error {
        ModelError::Cancelled => CutBy::Caller,
        ModelError::Stalled { .. } => CutBy::Silence,
        ModelError::TooLong { .. } => CutBy::Limit,
        ModelError::Cut => CutBy::Connection,
        _ => CutBy::Server,
    };
    let reply = reader.cut(by, on);
    Failed {
        error,
        partial: (!reply.is_empty()).then(|| Box::new(reply)),
        made: 0,
    }
}

/// The innermost error, which is the operating system's; the outer ones repeat the address.
pub(super) fn root_cause(error: &dyn std::error::Error) -> String {
    let mut inner = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}
