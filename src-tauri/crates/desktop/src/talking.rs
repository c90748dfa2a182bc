//! Viewing and continuing conversations with a model.
//!
//! A conversation is a session of [`workbench::Workbench::converse`]. Submodules: `rows` folds its
//! entries into rows, `words` and `trouble` describe calls and failures, `details` fetches what a
//! row omits, `saying` sends a person's input to the model on a separate thread, `telling` turns
//! the replies into events.
//!
//! **Architecture invariants.** Rows and events never contain a plan's text. Stored data is read
//! from the store; only the reply being streamed, why a turn couldn't begin, and which other files
//! changed are kept here.

mod details;
mod rows;
mod saying;
mod telling;
mod trouble;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32};

use agent::session::context::gauge;
use agent::session::request::Profile;
use agent::session::{Entry, State};
use store::SessionRow;

use crate::document::cut;
use crate::wire::{InboxItem, TalkChanged, TalkLive, TalkPage, TalkSummary, TalkTrouble, TalkView};
use crate::{Desktop, Shared, lock};
use workbench::error::Result;
use workbench::sessions;

use rows::Rows;
use telling::LiveTalk;

/// Maximum folded conversations kept in memory.
const MAX_FOLDS: usize = 4;

/// Maximum conversations in a list.
const MAX_LISTED: usize = 20;

/// The conversations of this process.
#[derive(Default)]
pub(crate) struct Talks {
    /// Conversations with a running thread.
    live: Mutex<BTreeMap<String, LiveTalk>>,
    /// Notified whenever a conversation's thread ends.
    ended: Condvar,
    /// Recently viewed conversations, the latest at the end.
    folds: Mutex<Vec<(String, Fold)>>,
    /// Why a turn couldn't begin, if no row says so.
    troubles: Mutex<BTreeMap<String, TalkTrouble>>,
    /// Files outside the plan that changed in the last turn in plan mode.
    changed: Mutex<BTreeMap<String, TalkChanged>>,
    /// Profiles of the conversations' models, used for their context windows.
    limits: Mutex<BTreeMap<String, Profile>>,
    /// Number of the latest streamed reply.
    replies: AtomicU32,
    /// Whether the program is shutting down.
    is_closing: AtomicBool,
}

/// A conversation, folded from the entries that have been read.
struct Fold {
    next_seq: i64,
    rows: Rows,
    state: State,
    /// The last message from the person.
    said: Option<Entry>,
}

impl Fold {
    fn new() -> Self {
        Self {
            next_seq: 1,
            rows: Rows::default(),
            state: State::new(),
            said: None,
        }
    }
}

impl Desktop {
    /// The most recent conversation about a plan; `None` if there is none.
    pub fn talk_of(&self, plan: &str) -> Result<Option<TalkView>> {
        let row = self.shared.session_of(plan)?;
        row.map(|row| self.shared.talk_view(row)).transpose()
    }

    /// A summary of a conversation.
    pub fn talk(&self, session: &str) -> Result<TalkView> {
        let row = self.shared.workbench().find_session(session)?;
        self.shared.talk_view(row)
    }

    /// Conversations in a workspace whose plan isn't written yet, newest first.
    pub fn talks(&self, workspace: &str) -> Result<Vec<TalkSummary>> {
        let rows = self.shared.workbench().store.sessions().list()?;
        let open = rows
            .into_iter()
            .filter(|row| row.workspace == workspace && !Path::new(&row.plan).exists());
        let summaries = open.take(MAX_LISTED).map(|row| {
            Ok(TalkSummary {
                state: self.shared.talk_state(&row)?,
                session: row.id,
                plan: row.plan,
                goal: row.goal,
                at_ms: row.updated_ms,
            })
        });
        summaries.collect()
    }

    /// A page of rows, starting at `from`.
    pub fn talk_rows(&self, session: &str, from: u32, count: u32) -> Result<TalkPage> {
        let row = self.shared.workbench().find_session(session)?;
        self.shared.folded(&row.id, |fold| {
            fold.rows.page(from, count, |question| {
                details::permission(&self.shared, question)
            })
        })
    }

    /// The reply being streamed, which isn't a row yet.
    pub fn talk_live(&self, session: &str) -> Result<TalkLive> {
        let live = lock(&self.shared.talks.live);
        Ok(live.get(session).map(LiveTalk::said).unwrap_or_default())
    }
}

impl Shared {
    /// The most recent session of a plan.
    fn session_of(&self, plan: &str) -> Result<Option<SessionRow>> {
        let rows = self.workbench().store.sessions().of_plan(plan)?;
        Ok(rows.into_iter().next())
    }

    /// Reads entries stored since the last call, and passes the fold to `look`.
    fn folded<T>(&self, session: &str, look: impl FnOnce(&Fold) -> T) -> Result<T> {
        let mut folds = lock(&self.talks.folds);
        let known = folds.iter().position(|(id, _)| id == session);
        let mut fold = known.map_or_else(Fold::new, |at| folds.remove(at).1);
        let fresh = {
            let workbench = self.workbench();
            let entries = workbench.store.session_entries();
            entries.read_from(session, fold.next_seq)?
        };
        for row in &fresh {
            let entry = sessions::rows::from_row(session, row)?;
            fold.rows.apply(row.at_ms, &entry);
            fold.state.apply(&entry);
            fold.next_seq = row.seq + 1;
            if matches!(entry, Entry::Said { .. }) {
                fold.said = Some(entry);
            }
        }
        let seen = look(&fold);
        folds.push((session.to_owned(), fold));
        let over = folds.len().saturating_sub(MAX_FOLDS);
        folds.drain(..over);
        Ok(seen)
    }

    /// The state of a conversation.
    fn talk_state(&self, row: &SessionRow) -> Result<String> {
        let is_live = lock(&self.talks.live).contains_key(&row.id);
        let state = self.folded(&row.id, |fold| match (is_live, &fold.rows) {
            (true, _) => "working",
            (false, rows) if rows.open().is_some() => "waiting",
            (false, rows) if rows.is_in_turn => "interrupted",
            (false, _) => "idle",
        })?;
        Ok(state.to_owned())
    }

    /// Conversations that wait for a person, as Inbox items.
    pub(crate) fn waiting_talks(&self) -> Result<Vec<InboxItem>> {
        let rows = self.workbench().store.sessions().list()?;
        let mut seen = BTreeSet::new();
        let newest = rows.into_iter().filter(|row| seen.insert(row.plan.clone()));
        // A conversation in any other state waits for nothing.
        let open = newest.filter(|row| matches!(row.state.as_str(), "waiting" | "working"));
        let mut items = Vec::new();
        for row in open.take(MAX_LISTED) {
            let state = self.talk_state(&row)?;
            let asked = self.folded(&row.id, |fold| {
                fold.rows.open().map(|question| question.message.clone())
            })?;
            let message = match (state.as_str(), asked) {
                ("waiting", Some(asked)) => cut(&asked, 300),
                ("interrupted", _) => "Open it to resume or to send another message.".to_owned(),
                _ => continue,
            };
            items.push(InboxItem {
                id: format!("talk/{}", row.id),
                title: self.title_of_talk(&row),
                kind: format!("talk_{state}"),
                talk: Some(row.id),
                message,
                since_ms: row.updated_ms,
                workspace: row.workspace,
                plan: row.plan,
                ..InboxItem::default()
            });
        }
        Ok(items)
    }

    fn talk_view(&self, row: SessionRow) -> Result<TalkView> {
        let work = lock(&self.talks.live).get(&row.id).map(LiveTalk::work);
        let state = self.talk_state(&row)?;
        let limits = self.limits_of(&row);
        let changed = lock(&self.talks.changed).get(&row.id).cloned();
        let begun = lock(&self.talks.troubles).get(&row.id).cloned();
        let (is_empty, view) = self.folded(&row.id, |fold| {
            let view = TalkView {
                session: row.id.clone(),
                workspace: row.workspace.clone(),
                has_plan: Path::new(&row.plan).is_file(),
                plan: row.plan.clone(),
                goal: row.goal.clone(),
                mode: fold.state.mode.as_str().to_owned(),
                state,
                asks: fold.rows.open().map(|question| {
                    let is_question = question.permission.is_none();
                    if is_question {
                        "question"
                    } else {
                        "permission"
                    }
                    .to_owned()
                }),
                model: row.model.clone(),
                rows: fold.rows.total(),
                work,
                latest: fold.rows.latest.clone(),
                gauge: gauge(&fold.state, &limits),
                cost: fold.rows.cost.clone(),
                changed,
                trouble: begun.or_else(|| fold.rows.trouble.clone()),
            };
            (fold.said.is_none(), view)
        })?;
        let is_unsaid = is_empty && view.state == "idle" && !view.goal.is_empty();
        let trouble = view.trouble.clone().or_else(|| {
            is_unsaid.then(|| trouble::told("unsaid", "The goal is saved but not sent yet."))
        });
        Ok(TalkView { trouble, ..view })
    }

    /// The token limits of a conversation's model, guessed from its name if they can't be looked
    /// up. Looked up once, because that may need an API key.
    fn limits_of(&self, row: &SessionRow) -> Profile {
        if let Some(known) = lock(&self.talks.limits).get(&row.id) {
            return *known;
        }
        let limits = {
            let workbench = self.workbench();
            let access = workbench.model_access(None).ok().flatten();
            access.map(|access| access.limits())
        };
        let limits = limits.unwrap_or_else(|| {
            let guessed = model::profile::guess(&row.model, None);
            Profile {
                context_window: u32::try_from(guessed.context_window).unwrap_or(u32::MAX),
                max_output_tokens: guessed.max_output_tokens,
            }
        });
        lock(&self.talks.limits).insert(row.id.clone(), limits);
        limits
    }
}
