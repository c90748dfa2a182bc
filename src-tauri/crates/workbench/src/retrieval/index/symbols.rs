//! Finds the names in a plan that are defined in the code, and those that are probably typos of
//! defined names.
//!
//! Reads the existing index, and never creates or updates one. A wrong answer would raise a false
//! finding, so a name that occurs in any file counts as correct, and nothing is reported if too
//! many names start alike.

use std::collections::BTreeSet;

use adequacy::symbols::slip_of;
use planning::indexing::{folded, words_of};
use store::{StoreError, WorkspaceIndex};
use tools::{Workspace, survey};

use crate::Workbench;

/// Number of first letters that a name and its candidates must share; typos in them aren't
/// detected.
const HEAD: usize = 2;
/// Maximum number of names that start alike; with more, no candidate is considered.
const MAX_ALIKE: usize = 2_000;

impl Workbench {
    /// The defined names that some of a plan's names are probably typos of, along with the plan's
    /// names that are known. Empty if there are no typos, or the workspace has no complete index.
    pub(crate) fn symbols_near(
        &self,
        workspace: &Workspace,
        names: &BTreeSet<String>,
    ) -> BTreeSet<String> {
        if names.is_empty() {
            return BTreeSet::new();
        }
        let found = WorkspaceIndex::read(&self.index_file(workspace.path())).and_then(|index| {
            index.map_or_else(|| Ok(BTreeSet::new()), |index| near(&index, names))
        });
        found.unwrap_or_else(|error| {
            tracing::info!(%error, "couldn't look up names in the workspace index");
            BTreeSet::new()
        })
    }
}

fn near(index: &WorkspaceIndex, names: &BTreeSet<String>) -> Result<BTreeSet<String>, StoreError> {
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut near: BTreeSet<String> = BTreeSet::new();
    for name in names {
        let folded = folded(name);
        if !index.symbols_named(&folded, name, 1)?.is_empty() {
            known.insert(name.clone());
            continue;
        }
        let (head, length) = (
            folded.chars().take(HEAD).collect::<String>(),
            folded.chars().count(),
        );
        let range = (length.saturating_sub(1), length + 1);
        let alike = index.symbols_near(&head, range, MAX_ALIKE)?;
        if alike.len() < MAX_ALIKE {
            near.extend(alike.into_iter().filter(|one| slip_of(name, one).is_some()));
        }
    }
    // A truncated index may lack a name that exists.
    let is_cut = || Ok::<_, StoreError>(index.files()? >= survey::MAX_FILES as u64);
    if near.is_empty() || is_cut()? {
        return Ok(BTreeSet::new());
    }
    for name in names.difference(&known.clone()) {
        let mut odd = near.iter().filter_map(|one| slip_of(name, one)).peekable();
        let is_slip = odd.peek().is_some();
        if is_slip && (is_there(index, name)? || has_words(index, &mut odd)?) {
            known.insert(name.clone());
        }
    }
    near.append(&mut known);
    Ok(near)
}

/// Whether any file contains the name, defined or used.
fn is_there(index: &WorkspaceIndex, name: &str) -> Result<bool, StoreError> {
    match words_of(name).first() {
        Some(whole) => index.has_word(whole),
        None => Ok(true),
    }
}

/// Whether one of these words occurs in a file; then it was intended and isn't a typo.
fn has_words(
    index: &WorkspaceIndex,
    odd: &mut dyn Iterator<Item = &str>,
) -> Result<bool, StoreError> {
    for word in odd {
        let mut all = true;
        for part in words_of(word) {
            all = all && index.has_word(&part)?;
        }
        if all {
            return Ok(true);
        }
    }
    Ok(false)
}
