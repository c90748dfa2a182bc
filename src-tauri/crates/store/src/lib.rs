//! What Planwright remembers: one SQLite database in the user's data folder.
//!
//! Revisions of plans and where they lay, approvals, runs and their journals, leases, permission rules, snapshots; for
//! the window drafts, review comments, undo stacks, recent folders and where each window stood; how plans
//! were made, grown and judged, and what people did about it; what each plugin came to; what steps learned;
//! what is known of models.
//! Beside it, a copy of what each open run recorded (`run_copy`), for the day on which the database is
//! damaged, and a [`WorkspaceIndex`] of each workspace that was searched: a cache in a file of its own.
//! The plan file is the truth about a plan and the journal is the truth about a run; the rest is
//! there to find them.
//!
//! **Architecture invariants.** Rows are plain: strings, integers, bytes. This crate never knows
//! what a plan, a step or a journal entry means, and never interprets a payload. It reads no clock
//! and makes no ids: both are passed in. What a write has acknowledged is on the disk (WAL,
//! `synchronous=FULL`). No key or password is ever stored here. Every file is the user's alone
//! (0600). A [`Store`] is one connection, for one thread at a time; several processes may each
//! have one.

mod author;
mod backup;
mod damage;
mod error;
mod index;
mod inspect;
mod lookup;
mod migrate;
mod open;
mod packed;
mod presence;
mod process;
mod run_copy;
mod table;
mod turn;
mod utc;

use std::path::{Path, PathBuf};

use rusqlite::Connection;

pub use author::Author;
pub use error::StoreError;
pub use index::{IndexFound, IndexHit, IndexSymbol, IndexedFile, NewSymbol, WorkspaceIndex};
pub use lookup::Lookup;
pub use open::{Damage, OpenReport};
pub use process::Holder;
pub use table::approvals::{Approval, Approvals, NewApproval};
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
pub use table::revisions::{NewRevision, RevisionEvent, Revisions};
pub use table::routes::{NewRoute, NewRouteOutcome, Route, RouteOutcome, Routes};
pub use table::runs::{NewRun, Run, Runs};
pub use table::session_entries::{SessionEntries, SessionEntry};
pub use table::sessions::{NewSession, SessionRow, SessionTold, Sessions};
pub use table::snapshots::{Phase, Snapshots};
pub use table::workspaces::{RecentWorkspace, Workspaces};
pub use turn::Turn;

/// An open database. Dropping it closes it; nothing acknowledged depends on that.
#[derive(Debug)]
pub struct Store {
    conn: Connection,
    folder: PathBuf,
    // Says to other processes that the database is in use; the last field, so given up last.
    _presence: presence::Presence,
}

impl Store {
    /// Opens the database in `folder`, making both where they are missing.
    ///
    /// A damaged database is set aside under a new name and the newest good backup takes its
    /// place; the report says what is lost. `now_ms` (milliseconds since 1970 UTC) only names the
    /// file set aside.
    ///
    /// # Errors
    /// [`StoreError::Newer`] for a database of a newer program, which is left untouched;
    /// [`StoreError::Locked`] if another process does not let go of it within five seconds;
    /// [`StoreError::DamagedInUse`] if it cannot be set aside because another process uses it;
    /// [`StoreError::DiskFull`] and [`StoreError::Unusable`] as they say.
    pub fn open(folder: &Path, now_ms: i64) -> Result<(Store, OpenReport), StoreError> {
        open::open(folder, now_ms)
    }

    /// A second connection to the same database, for another thread. Nothing is checked or mended:
    /// that was done when this one was opened, and it is in use since.
    ///
    /// # Errors
    /// [`StoreError::Locked`] and [`StoreError::Unusable`] as for [`Store::open`].
    pub fn again(&self) -> Result<Store, StoreError> {
        open::again(&self.folder)
    }

    /// Waits until nobody else writes a plan file or takes one in, and keeps others from it until the
    /// answer is dropped.
    ///
    /// # Errors
    /// [`StoreError::Locked`] if another process does not end its turn within five seconds.
    pub fn turn(&self) -> Result<Turn, StoreError> {
        Turn::take(&self.folder)
    }

    /// Copies the database to `backups/` and answers the copy's path, or `None` if nothing has
    /// changed since the newest copy. Two copies are kept. For a clean exit.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if the copy is not sound; the earlier copies then stay.
    pub fn backup(&self) -> Result<Option<PathBuf>, StoreError> {
        let made = backup::backup(&self.conn, &self.folder)?;
        run_copy::drop_saved(&self.folder, &self.conn)?;
        Ok(made)
    }

    /// Contents of plan files, and how they came.
    pub fn revisions(&self) -> Revisions<'_> {
        Revisions { conn: &self.conn }
    }

    /// Which contents were approved.
    pub fn approvals(&self) -> Approvals<'_> {
        Approvals { conn: &self.conn }
    }

    /// The list of runs.
    pub fn runs(&self) -> Runs<'_> {
        Runs { conn: &self.conn }
    }

    /// What happened in each run.
    pub fn journal(&self) -> Journal<'_> {
        Journal {
            conn: &self.conn,
            folder: &self.folder,
        }
    }

    /// Which process carries out which plan.
    pub fn leases(&self) -> Leases<'_> {
        Leases { conn: &self.conn }
    }

    /// What is known of each model that was asked.
    pub fn model_profiles(&self) -> ModelProfiles<'_> {
        ModelProfiles { conn: &self.conn }
    }

    /// The user's "always here" answers.
    pub fn permissions(&self) -> Permissions<'_> {
        Permissions { conn: &self.conn }
    }

    /// What the workspace looked like around each step.
    pub fn snapshots(&self) -> Snapshots<'_> {
        Snapshots { conn: &self.conn }
    }

    /// What a person is typing and has not saved.
    pub fn drafts(&self) -> Drafts<'_> {
        Drafts { conn: &self.conn }
    }

    /// What a person says about a plan while reviewing it.
    pub fn comments(&self) -> Comments<'_> {
        Comments { conn: &self.conn }
    }

    /// What a person last said of a plan as a whole.
    pub fn plan_marks(&self) -> PlanMarks<'_> {
        PlanMarks { conn: &self.conn }
    }

    /// Plan files that lie elsewhere since.
    pub fn plan_moves(&self) -> PlanMoves<'_> {
        PlanMoves { conn: &self.conn }
    }

    /// Lines of plans that two sides changed in different ways.
    pub fn plan_conflicts(&self) -> PlanConflicts<'_> {
        PlanConflicts { conn: &self.conn }
    }

    /// The changes of a plan that can be taken back or made again.
    pub fn plan_undo(&self) -> PlanUndo<'_> {
        PlanUndo { conn: &self.conn }
    }

    /// The folders that were opened.
    pub fn workspaces(&self) -> Workspaces<'_> {
        Workspaces { conn: &self.conn }
    }

    /// Where each window stood.
    pub fn places(&self) -> Places<'_> {
        Places { conn: &self.conn }
    }

    /// Each time that a plan was written for a goal, or grown.
    pub fn plan_sessions(&self) -> PlanSessions<'_> {
        PlanSessions { conn: &self.conn }
    }

    /// The states of a plan within one session.
    pub fn plan_versions(&self) -> PlanVersions<'_> {
        PlanVersions { conn: &self.conn }
    }

    /// The steps of one version of a plan.
    pub fn plan_nodes(&self) -> PlanNodes<'_> {
        PlanNodes { conn: &self.conn }
    }

    /// What happened to plans, for those who look back.
    pub fn plan_events(&self) -> PlanEvents<'_> {
        PlanEvents { conn: &self.conn }
    }

    /// How revisions were judged.
    pub fn plan_adequacy(&self) -> PlanAdequacy<'_> {
        PlanAdequacy { conn: &self.conn }
    }

    /// What people did about findings.
    pub fn finding_actions(&self) -> FindingActions<'_> {
        FindingActions { conn: &self.conn }
    }

    /// Questions about plans.
    pub fn plan_questions(&self) -> PlanQuestions<'_> {
        PlanQuestions { conn: &self.conn }
    }

    /// The files that a plan names, as they were when it was first seen.
    pub fn plan_bases(&self) -> PlanBases<'_> {
        PlanBases { conn: &self.conn }
    }

    /// How plans came to be, and what plugins came to.
    pub fn routes(&self) -> Routes<'_> {
        Routes { conn: &self.conn }
    }

    /// What steps learned.
    pub fn facts(&self) -> Facts<'_> {
        Facts { conn: &self.conn }
    }

    /// Conversations about plans.
    pub fn sessions(&self) -> Sessions<'_> {
        Sessions { conn: &self.conn }
    }

    /// What happened in conversations.
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
            tracing::warn!(%error, "the damaged database could not be marked");
        }
    }
}
