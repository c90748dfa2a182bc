//! Planwright's persistent state: one SQLite database in the user's data folder.
//!
//! It holds plan revisions and moves, approvals, runs and their journals, leases, permission rules
//! and snapshots; for the window, drafts, review comments, undo stacks, recent folders and window
//! state; how plans were made, expanded and scored, and how findings were handled; plugin outcomes;
//! facts that steps learned; and model profiles. Stored next to it: a copy of each open run's
//! journal (`run_copy`), in case the database is damaged, and for each searched workspace a
//! [`WorkspaceIndex`], a cache in a separate file. The plan file is the source of truth for a plan,
//! and the journal for a run; everything else supports them.
//!
//! **Architecture invariants.** Rows are plain strings, integers and bytes. This crate doesn't know
//! what a plan, a step or a journal entry means, and never interprets a payload. Times and ids are
//! passed in. An acknowledged write is durable (WAL, `synchronous=FULL`). Keys and passwords are
//! never stored. Every file is private to the user (0600). A [`Store`] is one connection, used by
//! one thread at a time; several processes may each have one.

mod author;
mod backup;
mod damage;
mod error;
mod files;
mod index;
mod inspect;
mod lookup;
mod migrate;
mod open;
mod packed;
mod presence;
mod process;
mod table;
mod turn;
mod utc;

use std::path::{Path, PathBuf};

use rusqlite::Connection;

pub use author::Author;
pub use damage::Damage;
pub use error::StoreError;
pub use index::{IndexFound, IndexHit, IndexSymbol, IndexedFile, NewSymbol, WorkspaceIndex};
pub use lookup::Lookup;
pub use open::OpenReport;
pub use presence::WindowMark;
pub use process::{Holder, ancestors};
pub use table::approvals::{Approval, Approvals, NewApproval};
pub use table::archived_plans::ArchivedPlans;
pub use table::comments::{Comment, CommentKind, Comments, NewComment};
pub use table::drafts::{Draft, Drafts, NewDraft};
pub use table::facts::{Facts, KeptFact, NewFact};
pub use table::finding_actions::{ActionCounts, FindingAction, FindingActions, NewFindingAction};
pub use table::journal::{Journal, JournalEntry};
pub use table::leases::{Acquired, Lease, Leases};
pub use table::model_profiles::{ModelProfile, ModelProfiles};
pub use table::permissions::{MatchKind, NewPermission, Permission, Permissions};
pub use table::places::{Place, Places};
pub use table::plan_adequacy::{Judged, PlanAdequacy};
pub use table::plan_bases::PlanBases;
pub use table::plan_conflicts::{Conflict, NewConflict, PlanConflicts};
pub use table::plan_events::{PlanEvent, PlanEvents};
pub use table::plan_marks::{Mark, PlanMark, PlanMarks};
pub use table::plan_moves::PlanMoves;
pub use table::plan_nodes::{NewPlanNode, PlanNodes};
pub use table::plan_questions::{AskedQuestion, PlanQuestions};
pub use table::plan_sessions::{LoopEnd, NewPlanSession, PlanSession, PlanSessions};
pub use table::plan_undo::{NewUndo, PlanUndo, UndoEntry};
pub use table::plan_versions::{NewPlanVersion, PlanVersions, ReviewerVerdict};
pub use table::reviews::{NewReview, Review, ReviewDecision, ReviewState, Reviews};
pub use table::revisions::{NewRevision, RevisionEvent, Revisions};
pub use table::routes::{NewRoute, NewRouteOutcome, Route, RouteOutcome, Routes};
pub use table::runs::{NewRun, Run, Runs};
pub use table::session_entries::{SessionEntries, SessionEntry};
pub use table::sessions::{NewSession, SessionRow, SessionTold, Sessions};
pub use table::snapshots::{Phase, Snapshots};
pub use table::workspaces::{RecentWorkspace, Workspaces};
pub use turn::Turn;

/// An open database. It is closed when dropped; writes are durable as soon as they are
/// acknowledged.
#[derive(Debug)]
pub struct Store {
    conn: Connection,
    folder: PathBuf,
    // Tells other processes that the database is in use. It is the last field, so it is dropped
    // last.
    _presence: presence::Presence,
}

impl Store {
    /// Opens the database in `folder`, creating both if missing.
    ///
    /// A damaged database is renamed and replaced by the newest valid backup; the report says what
    /// was lost. `now_ms` (milliseconds since 1970 UTC) is only used to name the renamed file.
    ///
    /// # Errors
    /// [`StoreError::Newer`] for a database written by a newer program, which is left untouched;
    /// [`StoreError::Locked`] if another process does not release it within five seconds;
    /// [`StoreError::DamagedInUse`] if it is damaged while another process uses it;
    /// [`StoreError::DiskFull`]; [`StoreError::Unusable`] if a file can't be read or written.
    pub fn open(folder: &Path, now_ms: i64) -> Result<(Store, OpenReport), StoreError> {
        open::open(folder, now_ms)
    }

    /// Opens a second connection to the same database, for another thread. Skips the checks, which
    /// were done when this one was opened.
    ///
    /// # Errors
    /// [`StoreError::Locked`] and [`StoreError::Unusable`] as for [`Store::open`].
    pub fn again(&self) -> Result<Store, StoreError> {
        open::again(&self.folder)
    }

    /// Waits until no other thread or process is writing or importing a plan file, then keeps
    /// others from doing so until the returned value is dropped.
    ///
    /// # Errors
    /// [`StoreError::Locked`] if another process does not finish within five seconds.
    pub fn turn(&self) -> Result<Turn, StoreError> {
        Turn::take(&self.folder, "plans.lock")
    }

    /// Acquires the lock for proposing a plan for review. A caller that also needs [`Store::turn`]
    /// acquires that second.
    ///
    /// # Errors
    /// [`StoreError::Locked`] if others hold it for too long, or if the lock file can't be used.
    pub fn review_turn(&self) -> Result<Turn, StoreError> {
        Turn::take(&self.folder, "reviews.lock")
    }

    /// Copies the database to `backups/` and returns the copy's path, or `None` if nothing has
    /// changed since the newest copy. Two copies are kept, and the separate copies of journals that
    /// both contain are deleted. Called when the program exits normally.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if the copy is not valid; the earlier copies are then kept.
    pub fn backup(&self) -> Result<Option<PathBuf>, StoreError> {
        let made = backup::backup(&self.conn, &self.folder)?;
        table::run_copy::drop_saved(&self.folder, &self.conn)?;
        Ok(made)
    }

    /// Plan revisions and their history.
    pub fn revisions(&self) -> Revisions<'_> {
        Revisions { conn: &self.conn }
    }

    /// Approvals of revisions.
    pub fn approvals(&self) -> Approvals<'_> {
        Approvals { conn: &self.conn }
    }

    /// Runs of plans.
    pub fn runs(&self) -> Runs<'_> {
        Runs { conn: &self.conn }
    }

    /// Journals of runs.
    pub fn journal(&self) -> Journal<'_> {
        Journal {
            conn: &self.conn,
            folder: &self.folder,
        }
    }

    /// Leases, which say which process runs which plan.
    pub fn leases(&self) -> Leases<'_> {
        Leases { conn: &self.conn }
    }

    /// Profiles of the models that were used.
    pub fn model_profiles(&self) -> ModelProfiles<'_> {
        ModelProfiles { conn: &self.conn }
    }

    /// The user's "always here" answers to permission requests.
    pub fn permissions(&self) -> Permissions<'_> {
        Permissions { conn: &self.conn }
    }

    /// Snapshots of the workspace before and after each step.
    pub fn snapshots(&self) -> Snapshots<'_> {
        Snapshots { conn: &self.conn }
    }

    /// Unsaved input of the window.
    pub fn drafts(&self) -> Drafts<'_> {
        Drafts { conn: &self.conn }
    }

    /// Review comments on plans.
    pub fn comments(&self) -> Comments<'_> {
        Comments { conn: &self.conn }
    }

    /// The user's latest verdict on each plan, other than approval.
    pub fn plan_marks(&self) -> PlanMarks<'_> {
        PlanMarks { conn: &self.conn }
    }

    /// The plans that the user has archived.
    pub fn archived_plans(&self) -> ArchivedPlans<'_> {
        ArchivedPlans { conn: &self.conn }
    }

    /// Marks this process as one with a window, until the mark is dropped.
    ///
    /// # Errors
    /// [`StoreError`] if the lock file can't be used.
    pub fn mark_window(&self) -> Result<WindowMark, StoreError> {
        WindowMark::set(&self.folder)
    }

    /// A number that changes whenever another connection, in this process or another, has written
    /// to the database. It is cheap enough to read a few times a second.
    ///
    /// # Errors
    /// [`StoreError::Unusable`] if the database can't be read.
    pub fn data_version(&self) -> Result<i64, StoreError> {
        let version = |row: &rusqlite::Row<'_>| row.get(0);
        Ok(self
            .conn
            .pragma_query_value(None, "data_version", version)?)
    }

    /// Whether any process has a window open on this data folder.
    ///
    /// # Errors
    /// [`StoreError`] if the lock file can't be used.
    pub fn has_window(&self) -> Result<bool, StoreError> {
        WindowMark::is_set(&self.folder)
    }

    /// Reviews of plans that other agents have asked for.
    pub fn reviews(&self) -> Reviews<'_> {
        Reviews { conn: &self.conn }
    }

    /// Plan files that were moved.
    pub fn plan_moves(&self) -> PlanMoves<'_> {
        PlanMoves { conn: &self.conn }
    }

    /// Conflicts between changes to plans.
    pub fn plan_conflicts(&self) -> PlanConflicts<'_> {
        PlanConflicts { conn: &self.conn }
    }

    /// Undo stacks of plans.
    pub fn plan_undo(&self) -> PlanUndo<'_> {
        PlanUndo { conn: &self.conn }
    }

    /// Recently opened folders.
    pub fn workspaces(&self) -> Workspaces<'_> {
        Workspaces { conn: &self.conn }
    }

    /// The saved state of each window.
    pub fn places(&self) -> Places<'_> {
        Places { conn: &self.conn }
    }

    /// Sessions in which a plan was written or expanded.
    pub fn plan_sessions(&self) -> PlanSessions<'_> {
        PlanSessions { conn: &self.conn }
    }

    /// The versions of a plan within a session.
    pub fn plan_versions(&self) -> PlanVersions<'_> {
        PlanVersions { conn: &self.conn }
    }

    /// The steps of each version of a plan.
    pub fn plan_nodes(&self) -> PlanNodes<'_> {
        PlanNodes { conn: &self.conn }
    }

    /// The event log of plans.
    pub fn plan_events(&self) -> PlanEvents<'_> {
        PlanEvents { conn: &self.conn }
    }

    /// Adequacy scores of revisions.
    pub fn plan_adequacy(&self) -> PlanAdequacy<'_> {
        PlanAdequacy { conn: &self.conn }
    }

    /// What users did about findings.
    pub fn finding_actions(&self) -> FindingActions<'_> {
        FindingActions { conn: &self.conn }
    }

    /// Questions about plans.
    pub fn plan_questions(&self) -> PlanQuestions<'_> {
        PlanQuestions { conn: &self.conn }
    }

    /// The state of the files named in a plan when the plan was first seen.
    pub fn plan_bases(&self) -> PlanBases<'_> {
        PlanBases { conn: &self.conn }
    }

    /// How plans were made, and the outcomes of plugins.
    pub fn routes(&self) -> Routes<'_> {
        Routes { conn: &self.conn }
    }

    /// Facts that steps learned.
    pub fn facts(&self) -> Facts<'_> {
        Facts { conn: &self.conn }
    }

    /// Conversations about plans.
    pub fn sessions(&self) -> Sessions<'_> {
        Sessions { conn: &self.conn }
    }

    /// The entries of conversations.
    pub fn session_entries(&self) -> SessionEntries<'_> {
        SessionEntries { conn: &self.conn }
    }

    #[cfg(test)]
    pub(crate) fn pragma(&self, name: &str) -> i64 {
        self.conn
            .pragma_query_value(None, name, |row| row.get(0))
            .unwrap()
    }

    #[cfg(test)]
    pub(crate) fn set_pragma(&self, name: &str, value: i64) {
        self.conn
            .pragma_update_and_check(None, name, value, |_| Ok(()))
            .unwrap();
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if error::met_damage()
            && let Err(error) = backup::distrust(&self.folder)
        {
            tracing::warn!(%error, "couldn't mark the damaged database");
        }
    }
}
