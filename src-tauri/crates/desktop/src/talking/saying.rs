//! Sending a person's input to the model. Each active conversation has a thread with its own
//! connection. Input during a turn waits for the turn to end, or is rejected if that would be
//! surprising. In exec mode, messages go to the plan's run, which is started if none is open.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agent::session::entry::{Answer, Purpose};
use agent::session::{Entry, Mode};
use store::SessionRow;

use super::telling::{BEAT, LiveTalk, Teller, is_for_the_record};
use super::trouble;
use crate::wire::{ApproveRequest, DesktopEvent, TalkAnswer, TalkInput, TalkRequest};
use crate::{Desktop, Shared, emptied, lock, while_telling};
use workbench::Workbench;
use workbench::environment::token;
use workbench::error::{Code, Error, Result};
use workbench::sessions::{SessionInput, SessionRequest, no_model, nothing_approved};

/// How long to wait on shutdown for turns to stop.
const LAST_TURN: Duration = Duration::from_secs(5);

/// Maximum size of a message, in bytes; anything longer belongs in a file.
const MAX_MESSAGE_LEN: usize = 256 * 1024;

impl Desktop {
    /// Starts a conversation with its first message and returns its session. Replies arrive as
    /// events.
    ///
    /// # Errors
    /// [`Code::Model`] if no configured model can be asked; [`Code::Usage`] for a message that is
    /// empty or too long; otherwise the same as [`Workbench::begin_session`].
    pub fn begin_talk(&self, request: TalkRequest) -> Result<String> {
        let goal = match &request.input {
            TalkInput::Goal { words } => checked(words)?.to_owned(),
            _ => String::new(),
        };
        let request_of = SessionRequest {
            workspace: Some(PathBuf::from(&request.workspace)),
            plan: request.plan.as_ref().map(PathBuf::from),
            goal,
            model: None,
        };
        let session = {
            let mut bench = self.shared.workbench().again()?;
            bench.begin_session(&request_of)?.ok_or_else(no_model)?
        };
        self.say(&session, request.input)?;
        Ok(session)
    }

    /// Sends a message to a conversation, or answers its question.
    ///
    /// # Errors
    /// [`Code::Usage`] during a turn, for a message that is empty or too long, or if there is
    /// nothing to retry; [`Code::UnknownSession`]; [`Code::Storage`].
    pub fn say(&self, session: &str, input: TalkInput) -> Result<()> {
        let row = self.shared.workbench().find_session(session)?;
        let mode = self.shared.folded(&row.id, |fold| fold.state.mode)?;
        match (self.shared.input_of(&row, input)?, mode) {
            (SessionInput::Say { words }, Mode::Exec) => self.work(&row, &words),
            (input, _) => self.shared.carry_talk(&row, input),
        }
    }

    /// Sends a message to the open run of a conversation's plan, or starts a run of the approved
    /// revision with it.
    fn work(&self, row: &SessionRow, words: &str) -> Result<()> {
        let bench = self.shared.workbench().again()?;
        let (run, is_new) = match bench.open_run(&row.plan)? {
            Some(run) => (run, false),
            None => (self.begin_work(row)?, true),
        };
        let carried = self.shared.carried(&run)?;
        self.shared.here(&carried)?;
        let said = bench.interpret_input(&run, Some(words), None)?;
        bench.record_run_input(row, &run, Some(words), None)?;
        // A run started just now may already have ended, in which case the message has no effect.
        match self.shared.take_up(&carried, said, false) {
            Err(_) if is_new => {}
            taken => taken?,
        }
        self.shared.run_changed(&carried);
        self.shared.talk_changed(row);
        Ok(())
    }

    /// Starts a run of the approved revision and returns its id.
    fn begin_work(&self, row: &SessionRow) -> Result<String> {
        let approved = self.shared.workbench().approved_revision(&row.id)?;
        let revision = approved.ok_or_else(nothing_approved)?;
        let begun = self.approve(ApproveRequest {
            plan: row.plan.clone(),
            revision,
            run: true,
            ..ApproveRequest::default()
        })?;
        begun.run.ok_or_else(nothing_approved)
    }

    /// Stops the current turn; results so far are kept.
    pub fn stop_talk(&self, session: &str) -> Result<()> {
        if let Some(live) = lock(&self.shared.talks.live).get_mut(session) {
            live.stop();
        }
        Ok(())
    }

    /// Stops all turns and waits for their last rows, up to a time limit.
    pub(crate) fn stop_live_talks(&self) {
        let talks = &self.shared.talks;
        talks.is_closing.store(true, Ordering::SeqCst);
        lock(&talks.live).values_mut().for_each(LiveTalk::stop);
        if !emptied(&talks.live, &talks.ended, LAST_TURN) {
            tracing::warn!("a turn did not stop in time; it will be shown as interrupted");
        }
    }
}

impl Shared {
    /// Asks the model to make the changes that a person requested; `false` if there is no model.
    pub(crate) fn talk_feedback(
        self: &Arc<Self>,
        plan: &str,
        revision: &str,
        words: String,
    ) -> Result<bool> {
        let row = match self.session_of(plan)? {
            Some(row) => row,
            None => {
                let root = self.locate(&self.workbench(), plan)?.root;
                let mut bench = self.workbench().again()?;
                let request = SessionRequest {
                    workspace: Some(root),
                    plan: Some(PathBuf::from(plan)),
                    ..SessionRequest::default()
                };
                match bench.begin_session(&request)? {
                    Some(session) => bench.find_session(&session)?,
                    None => return Ok(false),
                }
            }
        };
        let revision = revision.to_owned();
        self.carry_talk(&row, SessionInput::Feedback { revision, words })?;
        Ok(true)
    }

    /// Tells a plan's conversation, if it has one, that the plan's status changed.
    pub(crate) fn tell_talk(self: &Arc<Self>, plan: &str, input: SessionInput) {
        let row = self.session_of(plan);
        let told = row.and_then(|row| row.map_or(Ok(()), |row| self.carry_talk(&row, input)));
        if let Err(error) = told {
            tracing::warn!(%error, "couldn't tell a conversation its plan's new status");
        }
    }

    fn input_of(&self, row: &SessionRow, input: TalkInput) -> Result<SessionInput> {
        Ok(match input {
            TalkInput::Goal { words } => SessionInput::Goal {
                words: checked(&words)?.to_owned(),
            },
            TalkInput::Say { words } => SessionInput::Say {
                words: checked(&words)?.to_owned(),
            },
            TalkInput::Answer { call, answer } => SessionInput::Answer {
                call,
                answer: answer_of(answer)?,
            },
            TalkInput::Mode { to } => SessionInput::SetMode {
                to: match to.as_str() {
                    "exec" => Mode::Exec,
                    _ => Mode::Plan,
                },
            },
            TalkInput::Resume => SessionInput::Resume,
            TalkInput::Retry => match self.folded(&row.id, |fold| fold.said.clone())? {
                Some(Entry::Said { words, purpose }) => match purpose {
                    Purpose::Goal => SessionInput::Goal { words },
                    Purpose::Feedback { revision } => SessionInput::Feedback { revision, words },
                    Purpose::Talk | Purpose::Work => SessionInput::Say { words },
                },
                _ => SessionInput::Goal {
                    words: checked(&row.goal)?.to_owned(),
                },
            },
        })
    }

    /// Passes input to the conversation's thread, starting one if necessary.
    fn carry_talk(self: &Arc<Self>, row: &SessionRow, input: SessionInput) -> Result<()> {
        if self.talks.is_closing.load(Ordering::SeqCst) {
            return Err(
                err!(Cancelled: "Planwright is closing; reopen it and send your message there"),
            );
        }
        let bench = self.workbench().again()?;
        let cancel = token()?;
        {
            let mut live = lock(&self.talks.live);
            if let Some(live) = live.get_mut(&row.id) {
                let would_surprise = matches!(
                    input,
                    SessionInput::Goal { .. } | SessionInput::Say { .. } | SessionInput::Resume
                );
                if would_surprise {
                    return Err(err!(Usage:
                        "the model is working; wait for its answer, or stop it first"));
                }
                // Feedback supersedes the current turn.
                if matches!(input, SessionInput::Feedback { .. }) {
                    live.stop();
                }
                live.queue.push_back(input);
                return Ok(());
            }
            lock(&self.talks.troubles).remove(&row.id);
            lock(&self.talks.changed).remove(&row.id);
            live.insert(row.id.clone(), LiveTalk::new(cancel, &row.plan, input));
        }
        self.spawn_talk(bench, row.clone())
    }

    fn spawn_talk(self: &Arc<Self>, bench: Workbench, row: SessionRow) -> Result<()> {
        let shared = Arc::clone(self);
        let session = row.id.clone();
        let thread = std::thread::Builder::new().name(format!("talk {session}"));
        let spawned = thread.spawn(move || {
            let talk = AssertUnwindSafe(|| shared.talk_on(bench, &row));
            if catch_unwind(talk).is_err() {
                lock(&shared.talks.live).remove(&row.id);
                let internal = "internal error; stored data is intact. Please report this";
                let trouble = trouble::of(internal);
                lock(&shared.talks.troubles).insert(row.id.clone(), trouble);
            }
            shared.talks.ended.notify_all();
            shared.talk_changed(&row);
        });
        if let Err(error) = spawned {
            lock(&self.talks.live).remove(&session);
            return Err(Error::from_cause(Code::Failed, error));
        }
        Ok(())
    }

    /// Processes queued input until none is left.
    fn talk_on(self: &Arc<Self>, mut bench: Workbench, row: &SessionRow) {
        let title = self.title_of_talk(row);
        let mut teller = Teller::new(Arc::clone(self), &row.id, &row.plan, &title);
        loop {
            let next = {
                let mut live = lock(&self.talks.live);
                let next = live.get_mut(&row.id).and_then(|talk| talk.next());
                if next.is_none() {
                    live.remove(&row.id);
                }
                next
            };
            let Some((input, cancel)) = next else { return };
            let is_record = is_for_the_record(&input);
            let ended = while_telling(
                BEAT,
                || self.tell_due(&row.id),
                || {
                    let mut sink = |event| teller.tell(event);
                    bench.converse(&row.id, vec![input], None, &cancel, &mut sink)
                },
            );
            self.tell_due(&row.id);
            if let Err(error) = ended {
                tracing::warn!(session = row.id, %error, "a turn ended with an error");
                if is_record {
                    continue;
                }
                let told = match error.code {
                    Code::Model => trouble::of_model(&error.message),
                    _ => trouble::of(&error.message),
                };
                lock(&self.talks.troubles).insert(row.id.clone(), told);
            }
        }
    }

    pub(super) fn title_of_talk(&self, row: &SessionRow) -> String {
        let known = self.parsed_now(&row.plan).ok().and_then(|(_, parsed)| {
            let title = parsed.plan.title.as_ref()?;
            Some(title.text.clone())
        });
        known.unwrap_or_else(|| crate::document::cut(&row.goal, 120))
    }

    /// Announces everything that may have changed when a turn ended.
    pub(super) fn talk_changed(&self, row: &SessionRow) {
        self.events.send(DesktopEvent::Talk {
            session: row.id.clone(),
            plan: row.plan.clone(),
        });
        self.events.send(DesktopEvent::Inbox);
    }
}

fn checked(words: &str) -> Result<&str> {
    let words = words.trim();
    if words.is_empty() {
        return Err(err!(Usage: "the message is empty"));
    }
    if words.len() > MAX_MESSAGE_LEN {
        return Err(err!(Usage:
            "the message is longer than 256 kB; put the text into a file in the workspace and name the file"));
    }
    Ok(words)
}

fn answer_of(answer: TalkAnswer) -> Result<Answer> {
    Ok(match answer {
        TalkAnswer::Words { words } => Answer::Words {
            words: checked(&words)?.to_owned(),
        },
        TalkAnswer::Skip => Answer::Skip,
        TalkAnswer::Once => Answer::Once,
        TalkAnswer::Session => Answer::Session,
        TalkAnswer::No { words } => Answer::No {
            words: words.trim().to_owned(),
        },
    })
}
