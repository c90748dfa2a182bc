//! What destroys things, told from words and command lines.
//!
//! Detection errs towards an alarm: it costs a look. Let through are: a step that only speaks of the
//! danger ("Document why force push is forbidden"), one that builds something which could do it ("Add
//! a delete-all endpoint"), an immediate negation ("never force push"), and words that stand before a
//! part of a program or a screen ("the delete all button"). Words such as "confirm" or "rollback"
//! inside the dangerous sentence do not clear it; a guard is another step, see [`crate::recovery`].

mod commands;
mod foreign;
mod mention;
mod spoken;
mod words;

use std::ops::Range;

pub(crate) use mention::Mentions;

/// The words that would destroy something, from there to the end of the line; `None` when there
/// are none.
pub(crate) fn destructive_phrase(text: &str) -> Option<&str> {
    let found = harm(text)?;
    let rest = &text[found.start..];
    let end = rest[found.len()..]
        .find(['\n', '`'])
        .map_or(rest.len(), |at| found.len() + at);
    Some(rest[..end].trim_end_matches(['.', ' ', '\r']))
}

/// Where the first words stand that would destroy something.
fn harm(text: &str) -> Option<Range<usize>> {
    let mentions = Mentions::of(text);
    let is_done = |found: &Range<usize>| !mentions.is_only_named(found);
    let command = commands::find(text, is_done);
    let spoken = spoken::find(text, is_done);
    let foreign = foreign::find(text, is_done);
    [command, spoken, foreign]
        .into_iter()
        .flatten()
        .min_by_key(|found| found.start)
}

#[cfg(test)]
mod tests;
