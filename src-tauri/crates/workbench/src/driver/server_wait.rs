//! Handles an unreachable or failing model server: waits for it within a limit, and reports each
//! change.
//!
//! No progress of the step is lost: when the server is back, the same request is sent again. The
//! person can cancel the run or skip the step at any time. After the limit, the run pauses and can
//! be resumed. A server that refuses the request doesn't count as unreachable.

use std::time::{Duration, Instant};

use agent::progress::{Phase, Progress};
use agent::run::Machine;
use model::{ChatRequest, Client, Failed, ModelError};

use super::Driver;
use super::model_requests::TICK;
use crate::clock::millis;
use crate::error::Result;
use crate::wire::RunEvent;

/// The delay before the first retry; it doubles each time.
const INITIAL_BACKOFF: Duration = Duration::from_millis(500);
const MAX_BACKOFF: Duration = Duration::from_secs(10);

type Answer = std::result::Result<model::Reply, Failed>;

/// The result of a request.
pub(super) enum ServerAnswer {
    /// The server's response, or a cancellation by the person.
    Answer(Answer),
    /// The server stayed unreachable for the whole limit.
    Gone { reason: String },
}

impl Driver<'_> {
    /// Sends a request, and repeats it while the server is unreachable.
    pub(super) fn chat_until_answered(
        &mut self,
        machine: &mut Machine,
        task: &str,
        client: &Client,
        request: &ChatRequest,
    ) -> Result<ServerAnswer> {
        let mut answer = self.chat(machine, task, client, request)?;
        if self.server_wait.is_zero() || unreachable_reason(&answer).is_none() {
            return Ok(ServerAnswer::Answer(answer));
        }
        let (began, once) = (Instant::now(), client.clone().without_retries());
        let mut pause = INITIAL_BACKOFF;
        while let Some(reason) = unreachable_reason(&answer) {
            self.report_server(task, "gone", &reason, began);
            let Some(left) = self.server_wait.checked_sub(began.elapsed()) else {
                let waited = self.server_wait.as_secs();
                let reason = format!(
                    "paused: {reason}. Gave up after {waited} s; run `planwright resume` to continue"
                );
                return Ok(ServerAnswer::Gone { reason });
            };
            self.show_waiting(task, &reason);
            self.wait_steerable(machine, pause.min(left))?;
            if self.should_stop() {
                let (error, partial, made) = (ModelError::Cancelled, None, 0);
                return Ok(ServerAnswer::Answer(Err(Failed {
                    error,
                    partial,
                    made,
                })));
            }
            pause = (pause * 2).min(MAX_BACKOFF);
            answer = self.chat(machine, task, &once, request)?;
        }
        self.report_server(task, "back", "", began);
        Ok(ServerAnswer::Answer(answer))
    }

    fn report_server(&mut self, task: &str, state: &str, reason: &str, began: Instant) {
        (self.sink)(RunEvent::Server {
            task: task.to_owned(),
            state: state.to_owned(),
            reason: reason.to_owned(),
            waited_ms: millis(began.elapsed()),
            limit_ms: millis(self.server_wait),
        });
    }

    /// Shows in the step's progress what it is waiting for.
    fn show_waiting(&mut self, task: &str, reason: &str) {
        let told = self.step_reports.get(task);
        if let Some(last) = told.map(|told| told.progress.clone()) {
            self.progress(Progress {
                phase: Phase::Processing,
                current_action: Some(format!("Waiting for the model server: {reason}")),
                ..last
            });
        }
    }

    /// Waits, handling steering in the meantime.
    fn wait_steerable(&mut self, machine: &mut Machine, moment: Duration) -> Result<()> {
        let until = Instant::now() + moment;
        while !self.should_stop() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            std::thread::sleep(left.min(TICK));
            self.steer(machine)?;
        }
        Ok(())
    }
}

/// Why the server is unreachable; `None` if it isn't, or if part of an answer arrived.
pub(super) fn unreachable_reason(answer: &Answer) -> Option<String> {
    match answer {
        Err(Failed {
            error,
            partial: None,
            ..
        }) if error.is_gone() => Some(error.to_string()),
        _ => None,
    }
}
