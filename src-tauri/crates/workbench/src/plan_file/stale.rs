//! Stale saves: finding the revision that one is based on, and merging it with newer ones.

use std::collections::HashSet;

use plan::merge::{self, Conflict, Merged};
use plan::nearest::nearest;
use store::{NewConflict, RevisionEvent, Store};

use super::Content;
use super::disk_history::StaleSave;
use crate::approval::revision_text;
use crate::error::Result;

/// Numbers of revisions to compare with. Searching continues with the next number while the newest
/// revision isn't the most similar; for ordinary edits, the first is enough.
const SEARCH_DEPTHS: [usize; 3] = [12, 60, 300];

/// Maximum number of bytes of text to compare.
const MAX_BYTES: usize = 32 << 20;

/// The revision that a text is based on, if that is clearly not the newest one. `events` are those
/// of the plan, newest first.
pub(super) fn made_from(
    store: &Store,
    content: &Content,
    events: &[RevisionEvent],
) -> Result<Option<String>> {
    let mut seen = HashSet::new();
    let mut hashes = events
        .iter()
        .map(|event| event.hash.as_str())
        .filter(|hash| seen.insert(*hash));
    let (mut known, mut texts, mut bytes) = (Vec::new(), Vec::new(), 0);
    for depth in SEARCH_DEPTHS {
        while texts.len() < depth && bytes < MAX_BYTES {
            let Some(hash) = hashes.next() else { break };
            let text = revision_text(store, hash)?;
            bytes += text.len();
            known.push(hash);
            texts.push(text);
        }
        let Some(found) = nearest(&content.text, &texts) else {
            return Ok(None);
        };
        // Stop early only if the newest revision is the nearest. Before an older one is chosen,
        // even older ones are compared too.
        let could_be_older = texts.len() == depth && found.index > 0;
        if could_be_older && depth != SEARCH_DEPTHS[SEARCH_DEPTHS.len() - 1] {
            continue;
        }
        let base = found
            .is_stale()
            .then(|| oldest_base(&content.text, &texts, found.index));
        return Ok(base
            .and_then(|at| known.get(at))
            .map(|base| (*base).to_owned()));
    }
    Ok(None)
}

/// Merges a stale save with newer changes.
pub(super) fn merge(store: &Store, content: &Content, saved: &StaleSave) -> Result<Merged> {
    let base = revision_text(store, &saved.base)?;
    let ours = revision_text(store, &saved.newest)?;
    Ok(merge::merge(&base, &ours, &content.text))
}

/// Stores both sides of the conflicts.
pub(super) fn keep_conflicts(
    store: &Store,
    key: &str,
    merged: &Content,
    newest: &str,
    conflicts: &[Conflict],
    now: i64,
) -> Result<()> {
    let new: Vec<NewConflict<'_>> = conflicts
        .iter()
        .map(|one| NewConflict {
            plan: key,
            task: one.task.as_ref().map(|task| task.as_str()),
            title: &one.title,
            base: &one.base,
            ours: &one.ours,
            theirs: &one.theirs,
            revision: merged.revision.as_str(),
            place: i64::try_from(one.place.start).unwrap_or(i64::MAX),
            at_ms: now,
        })
        .collect();
    if !new.is_empty() {
        // The content comes first, since conflicts refer to positions in it.
        let hash = merged.revision.as_str();
        store
            .revisions()
            .keep(hash, merged.text.as_bytes(), newest)?;
    }
    store.plan_conflicts().add(&new)?;
    Ok(())
}

/// The oldest text, starting at `at`, that this text could just as well be based on, because this
/// text has none of the lines added in between. Two edits of a line may be more similar to each
/// other than to the original; using the original as the base keeps both.
fn oldest_base(text: &str, texts: &[String], mut at: usize) -> usize {
    let own: HashSet<&str> = text.lines().collect();
    while let (Some(newer), Some(older)) = (texts.get(at), texts.get(at + 1)) {
        let known: HashSet<&str> = older.lines().collect();
        let mut came = newer
            .lines()
            .filter(|line| !known.contains(line))
            .peekable();
        if came.peek().is_none() || came.any(|line| own.contains(line)) {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::oldest_base;

    #[test]
    fn a_text_comes_from_before_what_it_shows_nothing_of() {
        let text = |lines: &[&str]| lines.join("\n");
        let known = [
            text(&["one", "mine, typed on", "three", "new"]),
            text(&["one", "mine, typed", "three"]),
            text(&["one", "mine", "three"]),
            text(&["one", "two", "three"]),
            text(&["one", "two"]),
        ];
        let theirs = text(&["one", "theirs, typed", "three"]);
        assert_eq!(oldest_base(&theirs, &known, 1), 3, "it has the third line");
        let seen = text(&["one", "mine, typed", "three and more"]);
        assert_eq!(oldest_base(&seen, &known, 1), 1);
        assert_eq!(oldest_base(&theirs, &known, 4), 4);
        assert_eq!(oldest_base(&theirs, &[], 0), 0);
    }
}
