//! Which names of a plan the code knows, and which known names they are a slip away from.
//!
//! Asks the index that is there, and never makes one or brings it up to date. To be wrong here accuses
//! a plan: a word that any file holds is a word, and where too many names begin alike nothing is said.

use std::collections::BTreeSet;

use adequacy::symbols::slip_of;
use planning::indexing::{folded, words_of};
use store::{StoreError, WorkspaceIndex};
use tools::{Workspace, survey};

use crate::Workbench;

/// Letters that a name and those near to it begin with, alike: a slip in them is not seen.
const HEAD: usize = 2;
/// Names that begin like one of the plan; where there are more, none is near.
const MAX_ALIKE: usize = 2_000;

impl Workbench {
    /// The names that the code of a workspace defines and that some names of a plan are a slip away
    /// from, with those of the plan that are known themselves. None where nothing is a slip, and where
    /// the workspace has no whole index.
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
            tracing::info!(%error, "the names of a workspace are not known");
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
    // One that is cut off may lack the very name.
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

/// Whether some file writes the name, as its own or as another's.
fn is_there(index: &WorkspaceIndex, name: &str) -> Result<bool, StoreError> {
    match words_of(name).first() {
        Some(whole) => index.has_word(whole),
        None => Ok(true),
    }
}

/// Whether one of these is a word that some file holds: then it was meant, and is no slip.
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
