//! Detects destructive actions in prose and command lines.
//!
//! Detection prefers false alarms, which are cheap to dismiss. Not reported: steps that only
//! discuss the danger ("Document why force push is forbidden"), build something that could do it
//! ("Add a delete-all endpoint"), negate it directly ("never force push"), or name a part of a
//! program or screen ("the delete all button"). Words such as "confirm" or "rollback" in the same
//! sentence don't count as a safeguard; only another step does, see [`crate::safeguards`].

mod commands;
mod lexicon;
mod mention;
mod other_languages;
mod plain_english;

use std::ops::Range;

pub(crate) use mention::Mentions;

/// The first destructive phrase, extended to the end of the line.
pub(crate) fn destructive_phrase(text: &str) -> Option<&str> {
    let found = harm(text)?;
    let rest = &text[found.start..];
    let end = rest[found.len()..]
        .find(['\n', '`'])
        .map_or(rest.len(), |at| found.len() + at);
    Some(rest[..end].trim_end_matches(['.', ' ', '\r']))
}

/// Byte range of the first destructive phrase.
fn harm(text: &str) -> Option<Range<usize>> {
    let mentions = Mentions::of(text);
    let is_done = |found: &Range<usize>| !mentions.is_only_named(found);
    let command = commands::find(text, is_done);
    let plain_english = plain_english::find(text, is_done);
    let other_languages = other_languages::find(text, is_done);
    [command, plain_english, other_languages]
        .into_iter()
        .flatten()
        .min_by_key(|found| found.start)
}

#[cfg(test)]
mod tests;
