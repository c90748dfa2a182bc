//! The commit history of the workspace's repository, kept in the index as long as `HEAD` stays the
//! same.
//!
//! Read on demand, with limits on commits, bytes and time (`tools::git::log`). Only ancestors of
//! `HEAD` are read, no other branches. Without a repository, there is no history.

use planning::indexing::ChangeHistory;
use store::{StoreError, WorkspaceIndex};
use tools::{Workspace, git};

/// Maximum number of commits read, newest first.
const MAX_COMMITS: usize = 3_000;
/// The keys of the two notes in the index: the commit at `HEAD`, and the history.
const HEAD: &str = "past of";
const PAST: &str = "past";

/// The history of a workspace; empty if it has none or it can't be read, which isn't an error.
pub(crate) fn of(index: &WorkspaceIndex, workspace: &Workspace) -> ChangeHistory {
    let head = match git::head(workspace) {
        Ok(Some(head)) => head,
        Ok(None) => return ChangeHistory::default(),
        Err(error) => {
            tracing::info!(%error, "couldn't read HEAD");
            return ChangeHistory::default();
        }
    };
    match kept(index, &head) {
        Ok(Some(past)) => return past,
        Ok(None) => {}
        Err(error) => tracing::info!(%error, "couldn't read the stored commit history"),
    }
    let mut past = ChangeHistory::default();
    match git::log(workspace, &head, MAX_COMMITS) {
        Ok(commits) => {
            for commit in commits {
                past.add(&commit.subject, commit.files);
            }
        }
        Err(error) => tracing::info!(%error, "couldn't read the Git log"),
    }
    if let Err(error) = keep(index, &head, &past) {
        tracing::info!(%error, "couldn't store the commit history");
    }
    past
}

fn kept(index: &WorkspaceIndex, head: &str) -> Result<Option<ChangeHistory>, StoreError> {
    if index.note(HEAD)?.as_deref() != Some(head) {
        return Ok(None);
    }
    Ok(index.note(PAST)?.map(|text| ChangeHistory::read(&text)))
}

/// Stores the history. Clears the note on `HEAD` first and writes it last, so that an interrupted
/// write never counts as complete.
fn keep(index: &WorkspaceIndex, head: &str, past: &ChangeHistory) -> Result<(), StoreError> {
    index.keep_note(HEAD, "")?;
    index.keep_note(PAST, &past.written())?;
    index.keep_note(HEAD, head)
}
