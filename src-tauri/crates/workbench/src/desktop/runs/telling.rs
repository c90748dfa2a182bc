//! What a run reports, as events for the windows: no more than ten of a kind in a second, and
//! without content, which is kept here to be fetched.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agent::progress::Phase;

use super::Carried;
use crate::desktop::Shared;
use crate::wire::RunEvent;
use crate::wire::window::{DesktopEvent, StepProgress};

/// Two events of a kind are this far apart.
const BEAT: Duration = Duration::from_millis(100);

/// Bytes kept of what the commands of a step print.
const KEPT: usize = 64 * 1024;

/// What was last heard of the step at work.
#[derive(Debug, Clone)]
pub(crate) struct Heard {
    progress: StepProgress,
    /// When it was said.
    at: Instant,
    /// When there was last a sign of life: a new action, or output.
    alive: Instant,
}

impl Heard {
    /// What the step does, as of now.
    pub(crate) fn now(&self) -> StepProgress {
        StepProgress {
            elapsed_ms: self.progress.elapsed_ms.saturating_add(ms(self.at)),
            quiet_ms: ms(self.alive),
            ..self.progress.clone()
        }
    }
}

fn ms(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The end of what the commands of a step have printed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Output {
    /// At most 64 KiB.
    pub(crate) text: String,
    /// Whether the beginning is not there any more.
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

/// One kind of event on its way out.
#[derive(Debug, Default)]
struct Due {
    last: Option<Instant>,
    waits: bool,
}

impl Due {
    /// Whether it is to be sent now; else it waits for its time.
    fn now(&mut self) -> bool {
        let is_due = self.last.is_none_or(|last| last.elapsed() >= BEAT);
        self.waits = !is_due;
        if is_due {
            self.last = Some(Instant::now());
        }
        is_due
    }
}

/// Takes the events of one run.
pub(super) struct Teller {
    shared: Arc<Shared>,
    carried: Carried,
    run: Due,
    progress: Due,
    output: Due,
    output_of: String,
    /// A step has ended, so the plan was or will be written.
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
            RunEvent::Notice { message } => self.send(DesktopEvent::Notice { message }),
            RunEvent::Progress {
                task,
                step,
                steps,
                phase,
                tools_used,
                discoveries,
                current_action,
                elapsed_ms,
                ..
            } => {
                let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
                self.progress(StepProgress {
                    task,
                    step: number(step),
                    steps: number(steps),
                    phase: name_of(phase).to_owned(),
                    tools_used,
                    discoveries,
                    current_action,
                    elapsed_ms,
                    quiet_ms: 0,
                });
            }
            RunEvent::Output { task, text, .. } => {
                self.shared.live.with(&self.carried.run, |live| {
                    live.output.entry(task.clone()).or_default().push(&text);
                    if let Some(heard) = &mut live.heard {
                        heard.alive = Instant::now();
                    }
                });
                self.output_of = task;
                if self.output.now() {
                    self.send_output();
                }
            }
            RunEvent::Task { .. } => {
                self.plan_may_change = true;
                if self.run.now() {
                    self.shared.run_changed(&self.carried);
                }
            }
            RunEvent::Waiting {
                kind, id, message, ..
            } => self.needed(&kind, &id, message),
            RunEvent::Ended { .. } => {}
        }
        self.catch_up();
    }

    /// Sends what waits for its time.
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
            let before = live.heard.as_ref();
            let is_new_step = before.is_none_or(|heard| heard.progress.task != progress.task);
            let alive = before.filter(same).map_or(now, |heard| heard.alive);
            live.heard = Some(Heard {
                progress,
                at: now,
                alive,
            });
            is_new_step
        });
        if is_new_step == Some(true) && self.run.now() {
            self.shared.run_changed(&self.carried);
        }
        if self.progress.now() {
            self.send_progress();
        }
    }

    fn send_progress(&self) {
        let heard = self.shared.live.with(&self.carried.run, |live| {
            live.heard.as_ref().map(Heard::now)
        });
        if let Some(Some(progress)) = heard {
            self.send(DesktopEvent::Progress {
                run: self.carried.run.clone(),
                plan: self.carried.plan.clone(),
                progress,
            });
        }
    }

    fn send_output(&self) {
        self.send(DesktopEvent::Output {
            run: self.carried.run.clone(),
            task: self.output_of.clone(),
        });
    }

    /// A question: told once, however often the run comes back to it.
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

    /// Tells of the plan's content as the run has written it.
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
            // Watching finds it in a moment.
            Err(error) => tracing::warn!(%error, "a change of the plan is not told at once"),
        }
    }

    fn send(&self, event: DesktopEvent) {
        self.shared.events.send(event);
    }
}

fn name_of(phase: Phase) -> &'static str {
    match phase {
        Phase::Starting => "starting",
        Phase::ToolCalling => "tool_calling",
        Phase::Processing => "processing",
        Phase::Completing => "completing",
    }
}
