//! Steering of a run: messages handled between effects and while a command runs.

use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use agent::run::{Effect, Event, Machine};
use gate::Permit;
use tools::sandbox::{CancelToken, CommandOutcome, CommandSpec, OutputChunk, SandboxError};

use super::pulse::Pulse;
use super::{Driver, OUTPUT_SHOWN};
use crate::error::Result;
use crate::wire::RunEvent;

/// The longest that steering waits while a command runs.
const TICK: Duration = Duration::from_millis(50);

/// The capacity of the output queue; the command blocks when it is full.
const PIECES_WAITING: usize = 16;

/// Ends the command when its follower is dropped, for whatever reason.
struct EndWithMe<'a>(&'a CancelToken);

impl Drop for EndWithMe<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Driver<'_> {
    /// Passes steering to the machine. If a message can't be journaled, it is put back for later.
    pub(super) fn steer(&mut self, machine: &mut Machine) -> Result<()> {
        let mut said = self.control.take().into_iter();
        self.jobs.is_told |= said.len() > 0;
        while let Some(next) = said.next() {
            for effect in machine.handle(Event::Steer(next.clone())) {
                if let Err(error) = self.note(effect) {
                    self.control
                        .put_back(std::iter::once(next).chain(said).collect());
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Puts back steering that the machine didn't handle.
    pub(super) fn leave(&mut self, machine: &mut Machine) {
        self.bench
            .keep_steps(&self.plan.key(), &machine.state().tasks);
        self.control.put_back(machine.take_wishes());
    }

    /// Carries out effects that need no result; returns all others.
    pub(super) fn note(&mut self, effect: Effect) -> Result<Option<Effect>> {
        match effect {
            Effect::Journal(entries) => self.journal(&entries)?,
            Effect::Ask(question) => self.waiting(question),
            Effect::Progress(progress) => self.progress(progress),
            Effect::Notice { message } => (self.sink)(RunEvent::Notice { message }),
            Effect::Interrupt { task } => {
                if !self.jobs.end_one(&task) {
                    self.interrupted = Some(task);
                }
            }
            other => return Ok(Some(other)),
        }
        Ok(None)
    }

    /// Runs a command to its end, handling steering and passing on output in the meantime.
    pub(super) fn run_command(
        &mut self,
        machine: &mut Machine,
        task: &str,
        permit: &Permit,
        spec: &CommandSpec,
    ) -> Result<std::result::Result<CommandOutcome, SandboxError>> {
        // A separate token, so that skipping a step doesn't cancel the run.
        let token = match CancelToken::new() {
            Ok(token) => token,
            Err(error) => {
                let (tier, reason) = (self.sandbox.tier(), error.to_string());
                return Ok(Err(SandboxError::Setup { tier, reason }));
            }
        };
        if self.wants_end() {
            token.cancel();
        }
        let sandbox = self.sandbox.clone();
        let (sender, chunks) = sync_channel(PIECES_WAITING);
        let (ran, followed) = std::thread::scope(|scope| {
            let command = scope.spawn(|| {
                let sender = sender;
                // If the follower was dropped, nobody receives this.
                sandbox.run(permit, spec, &token, &mut |chunk| drop(sender.send(chunk)))
            });
            let end = EndWithMe(&token);
            let followed = self.follow(machine, task, chunks, &token);
            let ran = command.join();
            drop(end);
            (ran, followed)
        });
        followed?;
        Ok(ran.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    }

    /// Follows a command until it has ended.
    fn follow(
        &mut self,
        machine: &mut Machine,
        task: &str,
        chunks: Receiver<OutputChunk>,
        token: &CancelToken,
    ) -> Result<()> {
        let mut listened = Instant::now();
        let mut pulse = Pulse::new(listened);
        let mut heard = Ok(());
        loop {
            let chunk = match chunks.recv_timeout(TICK) {
                Ok(chunk) => Some(chunk),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let now = Instant::now();
            if let Some(chunk) = chunk {
                pulse.hear(now);
                self.take_output(task, &chunk, now);
            }
            self.pour(task, now);
            if now.duration_since(listened) < TICK {
                continue;
            }
            listened = now;
            if heard.is_ok() {
                heard = self.steer(machine);
            }
            if self.wants_end() || heard.is_err() {
                token.cancel();
            }
            if self.control.is_live() {
                self.beat(task, &mut pulse, now);
            }
        }
        self.pour_rest(task);
        heard
    }

    pub(super) fn wants_end(&self) -> bool {
        self.interrupted.is_some() || self.control.cancel_token().is_cancelled()
    }

    pub(super) fn beat(&mut self, task: &str, pulse: &mut Pulse, now: Instant) {
        let due = pulse.due(now);
        let told = self.watched.get(task);
        if let Some(progress) = told.map(|told| told.progress.clone())
            && due.progress
        {
            self.progress(progress);
        }
        if due.stall {
            let message = format!("{task} has said nothing for 10 seconds; it is still at work");
            (self.sink)(RunEvent::Notice { message });
        }
    }

    pub(super) fn take_output(&mut self, task: &str, chunk: &OutputChunk, now: Instant) {
        let watched = self.watched.get_mut(task);
        let overflows =
            watched.is_some_and(|told| told.spout.take(&chunk.bytes, OUTPUT_SHOWN, now));
        if overflows && self.control.is_live() {
            let message = format!(
                "{task} writes more than is shown here; the end of it will stand with its evidence"
            );
            (self.sink)(RunEvent::Notice { message });
        }
    }

    /// Passes on a step's output, unless more may be added to the chunk.
    pub(super) fn pour(&mut self, task: &str, now: Instant) {
        let watched = self.watched.get_mut(task);
        if let Some(text) = watched.and_then(|told| told.spout.ready(now)) {
            self.output(task, text);
        }
    }

    /// Passes on the rest of a step's output.
    pub(super) fn pour_rest(&mut self, task: &str) {
        let watched = self.watched.get_mut(task);
        if let Some(text) = watched.and_then(|told| told.spout.rest()) {
            self.output(task, text);
        }
    }

    fn output(&mut self, task: &str, text: String) {
        let seq = self.next_event();
        let task = task.to_owned();
        (self.sink)(RunEvent::Output { seq, task, text });
    }
}
