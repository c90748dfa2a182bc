//! Turns a run's reports into events for the windows, at most ten of a kind per second. Output and
//! model replies are kept for the windows to fetch; the events only announce them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Carried;
use super::heard::{Heard, at_work};
use crate::Shared;
use crate::wire::{DesktopEvent, ModelNow, StepProgress};
use workbench::text::number;
use workbench::wire::RunEvent;

/// Minimum time between two events of a kind.
const BEAT: Duration = Duration::from_millis(100);

/// Maximum bytes of command output kept per step.
const KEPT: usize = 64 * 1024;

/// The most recent command output of a step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Output {
    /// The end of the output, at most 64 KiB.
    pub(crate) text: String,
    /// Whether the beginning was dropped.
    pub(crate) is_cut: bool,
}

impl Output {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        if self.text.len() > KEPT {
            let from = self.text.ceil_char_boundary(self.text.len() - KEPT);
            self.text.drain(..from);
            self.is_cut = true;
        }
    }
}

/// Maximum bytes kept of a model reply in progress; the journal has all of it.
const SAID: usize = 8 * 1024;

fn push(kept: &mut String, text: &str) {
    kept.push_str(text);
    if kept.len() > SAID {
        let from = kept.ceil_char_boundary(kept.len() - SAID);
        kept.drain(..from);
    }
}

/// Rate limiting for one kind of event.
#[derive(Debug, Default)]
struct Due {
    last: Option<Instant>,
    waits: bool,
}

impl Due {
    /// Whether to send the event now; if not, it stays pending.
    fn now(&mut self) -> bool {
        let is_due = self.last.is_none_or(|last| last.elapsed() >= BEAT);
        self.waits = !is_due;
        if is_due {
            self.last = Some(Instant::now());
        }
        is_due
    }
}

/// Receives the events of one run.
pub(super) struct Teller {
    shared: Arc<Shared>,
    carried: Carried,
    run: Due,
    progress: Due,
    output: Due,
    output_of: String,
    /// Whether a step has ended, so that the plan was or will be written.
    plan_may_change: bool,
}

impl Teller {
    pub(super) fn new(shared: Arc<Shared>, carried: Carried) -> Self {
        Self {
            shared,
            carried,
            run: Due::default(),
            progress: Due::default(),
            output: Due::default(),
            output_of: String::new(),
            plan_may_change: false,
        }
    }

    pub(super) fn tell(&mut self, event: RunEvent) {
        self.tell_of_plan();
        match event {
            RunEvent::Started { .. } => {
                let live = &self.shared.live;
                live.with(&self.carried.run, |live| live.has_begun = true);
                self.tell_all();
            }
            RunEvent::Notice { message } => self.send(DesktopEvent::Notice {
                about: None,
                message,
            }),
            RunEvent::Delayed { message } => self.send(delay(&self.carried.run, message)),
            RunEvent::Progress {
                task,
                step,
                steps,
                is_open_ended,
                phase,
                tools_used,
                discoveries,
                current_action,
                elapsed_ms,
                ..
            } => {
                self.progress(StepProgress {
                    task,
                    step: number(step),
                    steps: number(steps),
                    is_open_ended,
                    phase: phase.as_str().to_owned(),
                    tools_used,
                    discoveries,
                    current_action,
                    elapsed_ms,
                    quiet_ms: 0,
                });
            }
            RunEvent::Request {
                task,
                number: at,
                attempt,
            } => self.asked(task, number(at), attempt),
            RunEvent::Thinking { task, text } => {
                self.said(task, |now| push(&mut now.thinking, &text));
            }
            RunEvent::Text { task, text } => self.said(task, |now| push(&mut now.text, &text)),
            RunEvent::Replied { task, .. }
            | RunEvent::Report { task, .. }
            | RunEvent::Recovery { task, .. } => {
                self.shared
                    .live
                    .with(&self.carried.run, |live| live.said.remove(&task));
                self.changed();
            }
            RunEvent::Server {
                task,
                state,
                reason,
                waited_ms,
                ..
            } => {
                let message = match state.as_str() {
                    "back" => format!(
                        "{task}: the model server is back after {} s",
                        waited_ms / 1_000
                    ),
                    _ => format!("{task} is waiting for the model server: {reason}"),
                };
                self.send(delay(&self.carried.run, message));
            }
            RunEvent::Output { task, text, .. } => {
                self.shared.live.with(&self.carried.run, |live| {
                    live.output.entry(task.clone()).or_default().push(&text);
                    live.hears(&task, |heard| heard.alive = Instant::now());
                });
                self.printed(task);
            }
            RunEvent::Planned { .. } => self.plan_changes(),
            RunEvent::Task { task, .. } => {
                self.is_over(&task);
                self.plan_changes();
            }
            RunEvent::Waiting {
                kind, id, message, ..
            } => {
                self.is_over(&id);
                self.needed(&kind, &id, message);
            }
            RunEvent::Ended { .. } => {}
        }
        self.catch_up();
    }

    /// Sends all pending events.
    pub(super) fn flush(&mut self) {
        self.tell_of_plan();
        for due in [&mut self.run, &mut self.progress, &mut self.output] {
            if due.waits {
                due.last = None;
            }
        }
        self.catch_up();
    }

    fn catch_up(&mut self) {
        if self.run.waits && self.run.now() {
            self.shared.run_changed(&self.carried);
        }
        if self.progress.waits && self.progress.now() {
            self.send_progress();
        }
        if self.output.waits && self.output.now() {
            self.send_output();
        }
    }

    fn progress(&mut self, progress: StepProgress) {
        let now = Instant::now();
        let is_new_step = self.shared.live.with(&self.carried.run, |live| {
            let same = |heard: &&Heard| {
                let known = &heard.progress;
                known.task == progress.task
                    && known.phase == progress.phase
                    && known.current_action == progress.current_action
            };
            let mut known = live.heard.iter_mut();
            let before = known.find(|heard| heard.progress.task == progress.task);
            let is_new_step = before.is_none();
            let alive = before
                .as_deref()
                .filter(same)
                .map_or(now, |heard| heard.alive);
            let heard = Heard {
                progress,
                at: now,
                alive,
                is_over: false,
            };
            match before {
                Some(before) => *before = heard,
                None => {
                    live.heard.retain(|heard| !heard.is_over);
                    live.heard.push(heard);
                }
            }
            is_new_step
        });
        if is_new_step == Some(true) {
            self.changed();
        }
        if self.progress.now() {
            self.send_progress();
        }
    }

    /// Records a new model request, whose reply is still empty.
    fn asked(&mut self, task: String, number: u32, attempt: u32) {
        let now = ModelNow {
            number,
            attempt,
            ..ModelNow::default()
        };
        self.shared.live.with(&self.carried.run, |live| {
            live.said.insert(task.clone(), now);
        });
        self.printed(task);
    }

    fn said(&mut self, task: String, take: impl FnOnce(&mut ModelNow)) {
        self.shared.live.with(&self.carried.run, |live| {
            if let Some(now) = live.said.get_mut(&task) {
                take(now);
            }
            live.hears(&task, |heard| heard.alive = Instant::now());
        });
        self.printed(task);
    }

    /// Announces output of a step's command or model.
    fn printed(&mut self, task: String) {
        self.output_of = task;
        if self.output.now() {
            self.send_output();
        }
    }

    /// Announces that the run's state changed.
    fn changed(&mut self) {
        if self.run.now() {
            self.shared.run_changed(&self.carried);
        }
    }

    fn send_progress(&self) {
        let heard = self
            .shared
            .live
            .with(&self.carried.run, |live| at_work(&live.heard));
        let mut heard = heard.unwrap_or_default().into_iter();
        if let Some(progress) = heard.next() {
            let beside = heard.collect();
            self.send(DesktopEvent::Progress {
                run: self.carried.run.clone(),
                plan: self.carried.plan.clone(),
                progress,
                beside,
            });
        }
    }

    /// Announces that the run's state changed, and remembers that the plan was or will be written.
    fn plan_changes(&mut self) {
        self.plan_may_change = true;
        self.changed();
    }

    fn is_over(&self, task: &str) {
        self.shared.live.with(&self.carried.run, |live| {
            live.hears(task, |heard| heard.is_over = true);
        });
    }

    fn send_output(&self) {
        self.send(DesktopEvent::Output {
            run: self.carried.run.clone(),
            task: self.output_of.clone(),
        });
    }

    /// Announces a question once, even if the run asks it again.
    fn needed(&mut self, kind: &str, task: &str, message: String) {
        let question = format!("{}\0{task}\0{kind}\0{message}", self.carried.run);
        if self.shared.live.is_news(question) {
            self.send(DesktopEvent::Needed {
                run: Some(self.carried.run.clone()),
                talk: None,
                plan: self.carried.plan.clone(),
                title: self.carried.title.clone(),
                message,
            });
        }
        self.tell_all();
    }

    fn tell_all(&mut self) {
        self.shared.run_ended(&self.carried);
        self.run.now();
    }

    /// Announces the plan's content as written by the run.
    fn tell_of_plan(&mut self) {
        if !std::mem::take(&mut self.plan_may_change) {
            return;
        }
        let latest = {
            let workbench = self.shared.workbench();
            workbench.store.revisions().latest(&self.carried.plan)
        };
        match latest {
            Ok(Some(latest)) => {
                let (revision, author) = (Some(latest.hash), latest.author);
                self.shared.announce(&self.carried.plan, revision, author);
            }
            Ok(None) => {}
            // The file watcher will detect the change shortly.
            Err(error) => tracing::warn!(%error, "couldn't announce a plan change immediately"),
        }
    }

    fn send(&self, event: DesktopEvent) {
        self.shared.events.send(event);
    }
}

/// A notice about a run's model server, which replaces the previous one.
fn delay(run: &str, message: String) -> DesktopEvent {
    DesktopEvent::Notice {
        about: Some(format!("model-server/{run}")),
        message,
    }
}

#[cfg(test)]
mod tests;
