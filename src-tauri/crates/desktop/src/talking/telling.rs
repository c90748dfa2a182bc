//! Events for the windows about a turn: pieces of text, at most twenty times a second, and notices
//! of stale data.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use store::Author;
use tools::sandbox::CancelToken;

use super::words;
use crate::wire::{DesktopEvent, TalkChanged, TalkLive, TalkWork};
use crate::{Shared, lock};
use workbench::clock::millis;
use workbench::sessions::SessionInput;
use workbench::wire::{ModelEvent, SessionEvent};

/// Minimum time between two events about one turn.
pub(super) const BEAT: Duration = Duration::from_millis(50);

/// Maximum bytes of a reply kept while it is streamed.
const MAX_SAID: usize = 1 << 20;

/// A conversation with a running thread.
pub(crate) struct LiveTalk {
    pub(super) cancel: CancelToken,
    /// Input received during the current turn, to be handled after it.
    pub(super) queue: VecDeque<SessionInput>,
    pub(super) plan: String,
    began: Instant,
    phase: &'static str,
    words: String,
    is_stopping: bool,
    live: TalkLive,
    /// Number of UTF-16 units already sent to the windows, for text and for thinking.
    told: (u32, u32),
    /// Text that hasn't been sent yet.
    text: String,
    thinking: String,
    is_stale: bool,
}

impl LiveTalk {
    pub(super) fn new(cancel: CancelToken, plan: &str, first: SessionInput) -> Self {
        Self {
            cancel,
            queue: VecDeque::from([first]),
            plan: plan.to_owned(),
            began: Instant::now(),
            phase: "preparing",
            words: String::new(),
            is_stopping: false,
            live: TalkLive::default(),
            told: (0, 0),
            text: String::new(),
            thinking: String::new(),
            is_stale: true,
        }
    }

    /// The reply as far as it has been sent; the rest will be sent as events.
    pub(super) fn said(&self) -> TalkLive {
        self.live.clone()
    }

    /// The current activity.
    pub(super) fn work(&self) -> TalkWork {
        TalkWork {
            phase: self.phase.to_owned(),
            words: self.words.clone(),
            elapsed_ms: millis(self.began.elapsed()),
            is_stopping: self.is_stopping,
        }
    }

    /// Takes the next input from the queue, with a cancel token that isn't cancelled.
    pub(super) fn next(&mut self) -> Option<(SessionInput, CancelToken)> {
        let input = self.queue.pop_front()?;
        if self.cancel.is_cancelled() {
            // Cancelling the previous turn doesn't cancel this one.
            self.cancel = CancelToken::new().ok()?;
            self.is_stopping = false;
        }
        self.began = Instant::now();
        Some((input, self.cancel.clone()))
    }

    /// Stops the current turn and drops queued messages.
    pub(super) fn stop(&mut self) {
        self.is_stopping = true;
        self.is_stale = true;
        // Status updates are still delivered.
        self.queue.retain(is_for_the_record);
        self.cancel.cancel();
    }

    fn set(&mut self, phase: &'static str, words: String) {
        if self.phase != phase || self.words != words {
            self.phase = phase;
            self.words = words;
            self.is_stale = true;
        }
    }

    fn forget(&mut self, reply: u32) {
        self.live = TalkLive {
            reply,
            ..TalkLive::default()
        };
        self.told = (0, 0);
        self.text.clear();
        self.thinking.clear();
    }

    /// Takes the events that haven't been sent yet.
    fn due(&mut self, session: &str) -> Vec<DesktopEvent> {
        let mut due = Vec::new();
        let reply = self.live.reply;
        let mut piece = |is_thinking: bool, new: &mut String, all: &mut String, at: &mut u32| {
            let text = std::mem::take(new);
            if text.is_empty() || all.len() + text.len() > MAX_SAID {
                return;
            }
            let units = u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
            all.push_str(&text);
            due.push(DesktopEvent::TalkText {
                session: session.to_owned(),
                reply,
                is_thinking,
                at: *at,
                text,
            });
            *at = at.saturating_add(units);
        };
        piece(
            true,
            &mut self.thinking,
            &mut self.live.thinking,
            &mut self.told.1,
        );
        piece(false, &mut self.text, &mut self.live.text, &mut self.told.0);
        if std::mem::take(&mut self.is_stale) {
            due.push(DesktopEvent::Talk {
                session: session.to_owned(),
                plan: self.plan.clone(),
            });
        }
        due
    }
}

/// Whether an input is only a status update and starts no turn.
pub(super) fn is_for_the_record(input: &SessionInput) -> bool {
    matches!(
        input,
        SessionInput::Approved { .. } | SessionInput::RunEnded | SessionInput::SetMode { .. }
    )
}

/// Receives the events of one conversation's turns.
pub(super) struct Teller {
    shared: Arc<Shared>,
    session: String,
    plan: String,
    title: String,
    /// The request whose reply is being streamed.
    request: (u64, u32),
}

impl Teller {
    pub(super) fn new(shared: Arc<Shared>, session: &str, plan: &str, title: &str) -> Self {
        Self {
            shared,
            session: session.to_owned(),
            plan: plan.to_owned(),
            title: title.to_owned(),
            request: (0, 0),
        }
    }

    pub(super) fn tell(&mut self, event: SessionEvent) {
        match event {
            SessionEvent::Started { .. } => self.phase("preparing", String::new()),
            SessionEvent::Request { number, attempt } => {
                if self.request != (number, attempt) {
                    self.request = (number, attempt);
                    self.next_reply();
                }
                self.phase("asking", String::new());
            }
            SessionEvent::Model(ModelEvent::Text { text }) => self.with(|live| {
                live.text.push_str(&text);
                live.set("answering", String::new());
            }),
            SessionEvent::Model(ModelEvent::Thinking { text }) => self.with(|live| {
                live.thinking.push_str(&text);
                live.set("answering", String::new());
            }),
            SessionEvent::Calling { .. } => self.phase("answering", String::new()),
            SessionEvent::Model(ModelEvent::Quiet { silence_ms }) => {
                self.phase("quiet", format!("no output for {} s", silence_ms / 1000));
            }
            SessionEvent::Model(ModelEvent::Retry {
                made,
                of,
                reason,
                discard,
                ..
            }) => {
                if discard {
                    self.next_reply();
                }
                self.phase("retrying", format!("{made} of {of} failed; {reason}"));
            }
            SessionEvent::Replied { .. } => {
                self.next_reply();
                self.stale();
            }
            SessionEvent::Call { name, subject, .. } => {
                let words = words::call_line(&name, &subject);
                self.phase("calling", words);
                self.stale();
            }
            SessionEvent::Plan { .. } => {
                self.shared.plan_changed(&self.plan, Author::Model);
                self.stale();
            }
            SessionEvent::Question { message, .. } => self.needed(message),
            SessionEvent::Proposal { badge, score, .. } => {
                self.needed(format!("Plan proposed: {badge}, {score}."));
            }
            SessionEvent::Notice { message }
            | SessionEvent::Model(ModelEvent::Notice { message }) => {
                self.shared.events.send(DesktopEvent::Notice {
                    about: None,
                    message,
                });
            }
            SessionEvent::Changed {
                files,
                count,
                is_alarm,
            } => {
                let changed = TalkChanged {
                    files,
                    count: u32::try_from(count).unwrap_or(u32::MAX),
                    is_alarm,
                };
                let mut known = lock(&self.shared.talks.changed);
                // A change by another program must not hide an alarm.
                if is_alarm || !known.get(&self.session).is_some_and(|known| known.is_alarm) {
                    known.insert(self.session.clone(), changed);
                }
                drop(known);
                self.stale();
            }
            SessionEvent::Output { .. } => {}
            // The message of a fault is for the model; its row describes it for the person.
            SessionEvent::Faulted { .. }
            | SessionEvent::Mode { .. }
            | SessionEvent::Result { .. }
            | SessionEvent::Refused { .. }
            | SessionEvent::Context { .. }
            | SessionEvent::Compacted
            | SessionEvent::Ended { .. } => self.stale(),
            // The plan's origin has changed.
            SessionEvent::Planned(report) => {
                self.shared.plan_changed(&report.path, store::Author::App);
                self.stale();
            }
        }
    }

    fn with(&self, change: impl FnOnce(&mut LiveTalk)) {
        if let Some(live) = lock(&self.shared.talks.live).get_mut(&self.session) {
            change(live);
        }
    }

    fn phase(&self, phase: &'static str, words: String) {
        self.with(|live| live.set(phase, words));
    }

    fn stale(&self) {
        self.with(|live| live.is_stale = true);
    }

    /// Starts a new streamed reply after the last one has become a row or was discarded.
    fn next_reply(&self) {
        self.shared.tell_due(&self.session);
        let reply = self.shared.talks.replies.fetch_add(1, Ordering::Relaxed) + 1;
        let mut was_said = false;
        self.with(|live| {
            was_said = live.told != (0, 0);
            live.forget(reply);
        });
        if was_said {
            self.shared.events.send(DesktopEvent::TalkText {
                session: self.session.clone(),
                reply,
                is_thinking: false,
                at: 0,
                text: String::new(),
            });
        }
    }

    fn needed(&self, message: String) {
        self.stale();
        self.shared.events.send(DesktopEvent::Needed {
            run: None,
            talk: Some(self.session.clone()),
            plan: self.plan.clone(),
            title: self.title.clone(),
            message,
        });
        self.shared.events.send(DesktopEvent::Inbox);
    }
}

impl Shared {
    /// Sends the pending events of a conversation.
    pub(super) fn tell_due(&self, session: &str) {
        let due = lock(&self.talks.live)
            .get_mut(session)
            .map_or_else(Vec::new, |live| live.due(session));
        for event in due {
            self.events.send(event);
        }
    }
}

#[cfg(test)]
mod tests;
