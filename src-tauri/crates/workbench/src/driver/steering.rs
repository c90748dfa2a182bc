//! Steering of a run: messages handled between effects and while a command runs.

use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use agent::run::{Effect, Event, Machine};
use gate::Permit;
use tools::sandbox::{CancelToken, CommandOutcome, CommandSpec, OutputChunk, SandboxError};

use super::report_timing::ReportTimer;
use super::{Driver, MAX_OUTPUT_SHOWN};
use crate::error::Result;
use crate::wire::RunEvent;

/// The maximum time that steering waits while a command runs.
const TICK: Duration = Duration::from_millis(50);

/// The capacity of the output queue; the command blocks when it is full.
const OUTPUT_QUEUE: usize = 16;

/// Ends the command when its follower is dropped, for whatever reason.
struct CancelOnDrop<'a>(&'a CancelToken);

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Driver<'_> {
    /// Passes steering to the machine. If a message can't be journaled, it is put back for later.
    pub(super) fn steer(&mut self, machine: &mut Machine) -> Result<()> {
        let mut said = self.control.take().into_iter();
        self.jobs.has_steering |= said.len() > 0;
        while let Some(next) = said.next() {
            for effect in machine.handle(Event::Steer(next.clone())) {
                if let Err(error) = self.handle_immediate(effect) {
                    self.control
                        .put_back(std::iter::once(next).chain(said).collect());
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Puts back steering that the machine didn't handle.
    pub(super) fn return_steering(&mut self, machine: &mut Machine) {
        self.bench
            .keep_steps(&self.plan.key(), &machine.state().tasks);
        self.control.put_back(machine.take_wishes());
    }

    /// Carries out effects that need no result; returns all others.
    pub(super) fn handle_immediate(&mut self, effect: Effect) -> Result<Option<Effect>> {
        match effect {
            Effect::Journal(entries) => self.journal(&entries)?,
            Effect::Ask(question) => self.report_question(question),
            Effect::Progress(progress) => self.progress(progress),
            Effect::Notice { message } => (self.sink)(RunEvent::Notice { message }),
            Effect::Interrupt { task } => {
                if !self.jobs.cancel_one(&task) {
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
        if self.should_stop() {
            token.cancel();
        }
        let sandbox = self.sandbox.clone();
        let (sender, chunks) = sync_channel(OUTPUT_QUEUE);
        let (ran, followed) = std::thread::scope(|scope| {
            let command = scope.spawn(|| {
                let sender = sender;
                // If the follower was dropped, nobody receives this.
                sandbox.run(permit, spec, &token, &mut |chunk| drop(sender.send(chunk)))
            });
            let end = CancelOnDrop(&token);
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
        let mut timer = ReportTimer::new(listened);
        let mut heard = Ok(());
        loop {
            let chunk = match chunks.recv_timeout(TICK) {
                Ok(chunk) => Some(chunk),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let now = Instant::now();
            if let Some(chunk) = chunk {
                timer.hear(now);
                self.take_output(task, &chunk, now);
            }
            self.pass_output(task, now);
            if now.duration_since(listened) < TICK {
                continue;
            }
            listened = now;
            if heard.is_ok() {
                heard = self.steer(machine);
            }
            if self.should_stop() || heard.is_err() {
                token.cancel();
            }
            if self.control.is_live() {
                self.beat(task, &mut timer, now);
            }
        }
        self.flush_output(task);
        heard
    }

    pub(super) fn should_stop(&self) -> bool {
        self.interrupted.is_some() || self.control.cancel_token().is_cancelled()
    }

    pub(super) fn beat(&mut self, task: &str, timer: &mut ReportTimer, now: Instant) {
        let due = timer.due(now);
        let told = self.step_reports.get(task);
        if let Some(progress) = told.map(|told| told.progress.clone())
            && due.progress
        {
            self.progress(progress);
        }
        if due.stall {
            let message = format!("{task}: no output for 10 s; still running");
            (self.sink)(RunEvent::Notice { message });
        }
    }

    pub(super) fn take_output(&mut self, task: &str, chunk: &OutputChunk, now: Instant) {
        let step_reports = self.step_reports.get_mut(task);
        let overflows =
            step_reports.is_some_and(|told| told.output.take(&chunk.bytes, MAX_OUTPUT_SHOWN, now));
        if overflows && self.control.is_live() {
            let message = format!("{task}: output truncated here; the end will be in the receipt");
            (self.sink)(RunEvent::Notice { message });
        }
    }

    /// Passes on a step's output, unless more may be added to the chunk.
    pub(super) fn pass_output(&mut self, task: &str, now: Instant) {
        let step_reports = self.step_reports.get_mut(task);
        if let Some(text) = step_reports.and_then(|told| told.output.ready(now)) {
            self.output(task, text);
        }
    }

    /// Passes on the rest of a step's output.
    pub(super) fn flush_output(&mut self, task: &str) {
        let step_reports = self.step_reports.get_mut(task);
        if let Some(text) = step_reports.and_then(|told| told.output.rest()) {
            self.output(task, text);
        }
    }

    fn output(&mut self, task: &str, text: String) {
        let seq = self.next_event();
        let task = task.to_owned();
        (self.sink)(RunEvent::Output { seq, task, text });
    }
}
