//! Who changed the lines that a stale save of another program conflicts with.
//!
//! A conflict stores both versions but not the author of the older one. It is looked up in the
//! history: the change that introduced those lines. The answer never changes, so it is cached.

use store::{Author, Conflict, RevisionEvent, Store};
use workbench::approval::revision_text;
use workbench::error::Result;
use workbench::plan_file::is_merge;

use crate::wire::ChangedBy;
use crate::{Shared, lock};

/// Maximum number of history events searched for the merge that found a conflict.
const MAX_EVENTS: usize = 400;

/// Maximum number of earlier contents compared to find who introduced the lines.
const MAX_TEXTS: usize = 40;

impl Shared {
    /// Who changed a conflict's `ours` lines.
    pub(super) fn changed_by(&self, store: &Store, conflict: &Conflict) -> Result<ChangedBy> {
        if let Some(known) = lock(&self.known).conflict_authors.get(&conflict.id) {
            return Ok(*known);
        }
        let author = match author(store, conflict)? {
            Author::Person => ChangedBy::Person,
            Author::Model => ChangedBy::Model,
            Author::App => ChangedBy::App,
            Author::Outside => ChangedBy::Outside,
        };
        let known = &mut lock(&self.known).conflict_authors;
        known.insert(conflict.id, author);
        Ok(author)
    }

    /// The number of a plan's unresolved conflicts, and how many of them are with a change of the
    /// person.
    pub(crate) fn open_conflicts(&self, store: &Store, plan: &str) -> Result<(u32, u32)> {
        let conflicts = store.plan_conflicts();
        let (all, _) = conflicts.waiting(plan)?;
        if all == 0 {
            return Ok((0, 0));
        }
        let mut own = 0;
        for conflict in conflicts.open(plan)? {
            own += u32::from(self.changed_by(store, &conflict)? == ChangedBy::Person);
        }
        Ok((all, own))
    }
}

fn author(store: &Store, conflict: &Conflict) -> Result<Author> {
    let events = store.revisions().page(&conflict.plan, None, MAX_EVENTS)?;
    let found = |event: &RevisionEvent| event.hash == conflict.revision && is_merge(event);
    let Some(merge) = events.iter().position(found) else {
        return Ok(Author::Outside);
    };
    // The merge's parent is the content that the stale save conflicted with.
    let parent = events[merge]
        .parent
        .as_deref()
        .unwrap_or(&conflict.revision);
    let earlier = &events[merge + 1..];
    let Some(newest) = earlier.iter().position(|event| event.hash == parent) else {
        return Ok(Author::Outside);
    };
    let mut author = earlier[newest].author;
    for event in earlier[newest..].iter().take(MAX_TEXTS) {
        let text = revision_text(store, &event.hash)?;
        let has_them = match conflict.ours.is_empty() {
            true => !text.contains(&conflict.base),
            false => text.contains(&conflict.ours),
        };
        if !has_them {
            break;
        }
        author = event.author;
    }
    Ok(author)
}
