//! Finding the words of a comment in the current plan.
//!
//! A comment quotes words as they appear on screen, without backticks, asterisks or line breaks.
//! The quote is searched for verbatim, then ignoring whitespace and markup, and finally as a
//! passage that still has most of its words. The task is found by its id, or by its title if the id
//! is positional or has changed. Comments are never dropped: one that isn't found is marked as lost
//! and keeps its quote.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use plan::{IdOrigin, Task};

use crate::document::ParsedPlan;
use crate::wire::CommentAnchor;

/// Percentage of a quote's words that have to be close together for a fuzzy match.
const ENOUGH: usize = 60;

/// Shorter quotes aren't matched fuzzily.
const MIN_WORDS: usize = 3;

/// A position in the current plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// The task's index; `None` outside tasks.
    pub(super) task: Option<usize>,
    pub(super) anchor: CommentAnchor,
}

/// Searches one revision for the words of comments.
pub(super) struct Anchoring<'p> {
    now: &'p ParsedPlan,
    whole: OnceCell<Plain>,
}

impl<'p> Anchoring<'p> {
    pub(super) fn new(now: &'p ParsedPlan) -> Self {
        let whole = OnceCell::new();
        Self { now, whole }
    }

    /// Finds a comment. `then` returns the plan it was written for, if stored; it is called only if
    /// the id alone doesn't determine the task.
    pub(super) fn find(
        &self,
        comment: &store::Comment,
        then: impl FnOnce() -> Option<std::sync::Arc<ParsedPlan>>,
    ) -> Found {
        let quote = comment.quote.as_deref().map(str::trim);
        let quote = quote.filter(|quote| !quote.is_empty());
        let Some(id) = &comment.task else {
            return self.of_plan(comment, quote);
        };
        let (task, is_same) = self.task(id, then);
        let own = task.map(|at| (at, own_text(self.now, at)));
        let Some(quote) = quote else {
            let anchor = match (task, is_same) {
                (Some(_), true) => CommentAnchor::Here,
                (Some(_), false) => CommentAnchor::Moved,
                (None, _) => CommentAnchor::Lost,
            };
            return Found { task, anchor };
        };
        if let Some((at, own)) = &own
            && (place(own, quote).is_some() || mostly(own, quote))
        {
            let anchor = if is_same {
                CommentAnchor::Here
            } else {
                CommentAnchor::Moved
            };
            return Found {
                task: Some(*at),
                anchor,
            };
        }
        match self.elsewhere(quote, comment.before.as_deref()) {
            Some(task) => Found {
                task,
                anchor: CommentAnchor::Moved,
            },
            None => Found {
                task,
                anchor: CommentAnchor::Lost,
            },
        }
    }

    fn of_plan(&self, comment: &store::Comment, quote: Option<&str>) -> Found {
        let Some(quote) = quote else {
            let anchor = CommentAnchor::Here;
            return Found { task: None, anchor };
        };
        match self.elsewhere(quote, comment.before.as_deref()) {
            Some(task) => Found {
                task,
                anchor: if task.is_none() {
                    CommentAnchor::Here
                } else {
                    CommentAnchor::Moved
                },
            },
            None => Found {
                task: None,
                anchor: CommentAnchor::Lost,
            },
        }
    }

    /// The task that an id referred to, and whether it still has that id.
    fn task(
        &self,
        id: &str,
        then: impl FnOnce() -> Option<std::sync::Arc<ParsedPlan>>,
    ) -> (Option<usize>, bool) {
        let tasks = &self.now.plan.tasks;
        let known = self.now.index_of(id);
        if known.is_some_and(|at| tasks[at].id_origin == IdOrigin::Written) {
            return (known, true);
        }
        // A positional id isn't enough: tasks may have been added or removed above it.
        let Some(then) = then() else {
            return (known, true);
        };
        let Some(was) = then.index_of(id).map(|at| &then.plan.tasks[at]) else {
            return (known, true);
        };
        let is_it = |task: &Task| task.title == was.title;
        if known.is_some_and(|at| is_it(&tasks[at])) {
            return (known, true);
        }
        match tasks.iter().position(is_it) {
            Some(at) => (Some(at), false),
            // Most likely, only the title was edited.
            None if was.id_origin == IdOrigin::Positional
                && tasks.len() == then.plan.tasks.len() =>
            {
                (known, true)
            }
            None => (None, false),
        }
    }

    /// Searches the whole plan; `Some(None)` is outside tasks. If there are several matches, picks
    /// the one with the same words before it, else the first.
    fn elsewhere(&self, quote: &str, before: Option<&str>) -> Option<Option<usize>> {
        let whole = self.whole.get_or_init(|| Plain::of(self.now.text()));
        let quote = Plain::of(quote).text;
        if quote.is_empty() {
            return None;
        }
        let before = before
            .map(|before| Plain::of(before).text)
            .unwrap_or_default();
        let places = whole.text.match_indices(&quote).map(|(at, _)| at);
        let mut first = None;
        for at in places.take(1_000) {
            if whole.text[..at].ends_with(&before) {
                first = Some(at);
                break;
            }
            first = first.or(Some(at));
        }
        let byte = whole.from[first?];
        let tasks = &self.now.plan.tasks;
        let begun = tasks.partition_point(|task| task.span.start <= byte);
        Some((0..begun).rev().find(|at| tasks[*at].span.contains(&byte)))
    }
}

/// The byte range of a quote in a task's text, or outside all tasks if `task` is `None`.
pub(super) fn bytes_of(
    parsed: &ParsedPlan,
    task: Option<usize>,
    quote: &str,
) -> Option<Range<usize>> {
    let first = parsed.plan.tasks.first();
    let around = || 0..first.map_or(parsed.text().len(), |task| task.span.start);
    let pieces = match task {
        Some(at) => own_pieces(parsed, at),
        None => std::iter::once(around()).collect(),
    };
    let found = pieces.into_iter().find_map(|piece| {
        let place = place(&parsed.text()[piece.clone()], quote.trim())?;
        Some(piece.start + place.start..piece.start + place.end)
    });
    found.filter(|range| !range.is_empty())
}

/// A task's text without its sub-tasks.
fn own_text(parsed: &ParsedPlan, at: usize) -> String {
    let pieces = own_pieces(parsed, at).into_iter();
    pieces.map(|piece| &parsed.text()[piece]).collect()
}

fn own_pieces(parsed: &ParsedPlan, at: usize) -> Vec<Range<usize>> {
    let task = &parsed.plan.tasks[at];
    let mut pieces = Vec::new();
    let mut from = task.span.start;
    for child in &task.children {
        let child = &parsed.plan.tasks[*child].span;
        if child.start >= from {
            pieces.push(from..child.start);
            from = child.end;
        }
    }
    if from < task.span.end {
        pieces.push(from..task.span.end);
    }
    pieces
}

/// Finds a quote in a text, verbatim or ignoring whitespace and markup.
fn place(text: &str, quote: &str) -> Option<Range<usize>> {
    if let Some(at) = text.find(quote) {
        return Some(at..at + quote.len());
    }
    let (text, quote) = (Plain::of(text), Plain::of(quote).text);
    let at = (!quote.is_empty())
        .then(|| text.text.find(&quote))
        .flatten()?;
    let last = at + quote.len() - 1;
    Some(text.from[at]..text.to[last])
}

/// Whether most of a quote's words are close together in a text.
fn mostly(text: &str, quote: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        words
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let (text, quote) = (words(text), words(quote));
    if quote.len() < MIN_WORDS {
        return false;
    }
    let window = quote.len() + quote.len() / 2;
    let mut wanted: HashMap<&str, i32> = HashMap::new();
    for word in &quote {
        *wanted.entry(word).or_default() += 1;
    }
    // Number of quoted words in the sliding window.
    let mut held = 0;
    for (at, word) in text.iter().enumerate() {
        if let Some(left) = wanted.get_mut(word.as_str()) {
            held += usize::from(*left > 0);
            *left -= 1;
        }
        if let Some(gone) = at.checked_sub(window).map(|at| &text[at])
            && let Some(left) = wanted.get_mut(gone.as_str())
        {
            *left += 1;
            held -= usize::from(*left > 0);
        }
        if held * 100 >= quote.len() * ENOUGH {
            return true;
        }
    }
    false
}

/// A text without whitespace or markup characters, with the original position of each byte.
struct Plain {
    text: String,
    from: Vec<usize>,
    to: Vec<usize>,
}

impl Plain {
    fn of(text: &str) -> Self {
        let mut plain = Self {
            text: String::with_capacity(text.len()),
            from: Vec::with_capacity(text.len()),
            to: Vec::with_capacity(text.len()),
        };
        for (at, c) in text.char_indices() {
            if c.is_whitespace() || matches!(c, '*' | '_' | '`' | '~' | '\\' | '\u{feff}') {
                continue;
            }
            plain.text.push(c);
            plain.from.resize(plain.text.len(), at);
            plain.to.resize(plain.text.len(), at + c.len_utf8());
        }
        plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_as_a_screen_shows_them() {
        let text = "Add a `--json` flag\n  to the **parser**";
        assert_eq!(place(text, "`--json` flag"), Some(6..19));
        assert_eq!(
            place(text, "--json flag to the parser").map(|at| &text[at]),
            Some("--json` flag\n  to the **parser")
        );
        assert_eq!(place(text, "another"), None);
        assert_eq!(place(text, "**"), Some(29..31));
        assert_eq!(place("a", "`"), None);
    }

    #[test]
    fn most_of_the_words_are_enough() {
        let text = "Only the parser changes, never the output of the report.";
        assert!(mostly(text, "only the parser, not the output"));
        assert!(!mostly(text, "only words about something else"));
        assert!(!mostly(text, "the parser"), "too short to be sure");
    }
}
