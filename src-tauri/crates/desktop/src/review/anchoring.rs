//! Where the words of a comment stand in the plan as it is now.
//!
//! A comment names a task and words as they stood on screen, where back-ticks, stars and line breaks
//! are not seen; so words are looked for as written first, then without blanks and marks, then as
//! words most of which are still there. The task is found by its id, or by its title where the id is
//! only counted or has changed. A comment is never dropped: what is found nowhere is lost, and keeps
//! its quote.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use plan::{IdOrigin, Task};

use crate::document::ParsedPlan;
use crate::wire::CommentAnchor;

/// Of a quote's words so many, in hundredths, must still stand side by side to be found again.
const ENOUGH: usize = 60;

/// Shorter quotes are found as they are or not at all.
const MIN_WORDS: usize = 3;

/// A place in the plan as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// The task, by its index; absent for what stands outside of tasks.
    pub(super) task: Option<usize>,
    pub(super) anchor: CommentAnchor,
}

/// Looks for the words of comments in one revision.
pub(super) struct Anchoring<'p> {
    now: &'p ParsedPlan,
    whole: OnceCell<Plain>,
}

impl<'p> Anchoring<'p> {
    pub(super) fn new(now: &'p ParsedPlan) -> Self {
        let whole = OnceCell::new();
        Self { now, whole }
    }

    /// Where a comment stands. `then` is the plan that it was written on, if that is kept; it is asked
    /// for only when the id alone does not say which task is meant.
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

    /// The task that an id meant, and whether it still goes by it.
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
        // A number is not enough: tasks may have come or gone above.
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
            // The title was changed in place, as far as one can tell.
            None if was.id_origin == IdOrigin::Positional
                && tasks.len() == then.plan.tasks.len() =>
            {
                (known, true)
            }
            None => (None, false),
        }
    }

    /// Where in the whole plan words stand: `Some(None)` is outside of tasks. Of several places the
    /// one with the same words before them counts, else the first.
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

/// The bytes of a quote in the text of a task, or outside of all where none is given.
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

/// What belongs to a task without its sub-tasks.
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

/// Where a quote stands in a text: as written, else without blanks and marks.
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

/// Whether most words of a quote stand near each other in a text.
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
    // How many of the wanted words the window holds, kept up while it moves on.
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

/// A text without blanks and the marks that a screen does not show; every byte knows the letter that
/// it came from.
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
