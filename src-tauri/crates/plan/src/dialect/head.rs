//! The text after a checkbox: id, markers, title.

use std::ops::Range;

use super::{Ids, Rules};
use crate::id_syntax::{self, IdMatch};

/// The parsed text after a checkbox. Offsets are relative to that text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaskHead {
    /// The id without its emphasis.
    pub(crate) id: Option<Range<usize>>,
    /// The title, trimmed.
    pub(crate) title: Range<usize>,
    /// Whether the task may run in parallel.
    pub(crate) is_parallel: bool,
    /// Whether a star after the id makes it optional: `7.9*`.
    pub(crate) is_optional: bool,
    /// The user stories that it implements.
    pub(crate) stories: Vec<Range<usize>>,
    /// An id that an earlier task already has, and its line.
    pub(crate) duplicate: Option<(Range<usize>, u32)>,
}

/// Parses the text after a checkbox.
pub(crate) fn read(words: &str, rules: &Rules) -> TaskHead {
    let own = match rules.ids {
        Ids::Native => None,
        Ids::Tasks => id_syntax::spec_kit_id(words),
        Ids::Numbers => id_syntax::number_id(words),
    };
    let found = own.or_else(|| id_syntax::task_id(words));
    let mut read = TaskHead {
        id: found.as_ref().map(|found| found.id.clone()),
        title: 0..0,
        is_parallel: false,
        is_optional: found.as_ref().is_some_and(|found| found.starred),
        stories: Vec::new(),
        duplicate: None,
    };
    let mut start = found.as_ref().map_or(0, |found| found.rest);
    while let Some(mark) = mark(&words[start..], rules) {
        match mark {
            Mark::Parallel(length) => {
                read.is_parallel = true;
                start += length;
            }
            Mark::Story(story, length) => {
                read.stories.push(start + story.start..start + story.end);
                start += length;
            }
        }
        start += blanks(&words[start..]);
    }
    let mut end = words.trim_end().len().max(start);
    if found.as_ref().is_some_and(IdMatch::is_in_bold_title) {
        end = end.saturating_sub(2).max(start);
    }
    if let Some(title) = rules
        .parallel
        .and_then(|mark| words[start..end].strip_suffix(mark))
        && title.ends_with([' ', '\t'])
    {
        read.is_parallel = true;
        end = start + title.len();
    }
    start += blanks(&words[start..end]);
    end = start + words[start..end].trim_end().len();
    read.title = start..end;
    read
}

enum Mark {
    Parallel(usize),
    /// The story's id, and the length of the marker.
    Story(Range<usize>, usize),
}

/// The marker at the start of the text. It ends at a space, at the next marker, or with the line.
fn mark(words: &str, rules: &Rules) -> Option<Mark> {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t', '[', ':']);
    if let Some(parallel) = rules.parallel
        && let Some(rest) = words.strip_prefix(parallel)
        && ends(rest)
    {
        return Some(Mark::Parallel(parallel.len()));
    }
    if !rules.has_stories {
        return None;
    }
    let inner = words.strip_prefix("[US")?;
    let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
    let rest = inner[digits..].strip_prefix(']')?;
    (digits > 0 && ends(rest)).then(|| Mark::Story(1..3 + digits, words.len() - rest.len()))
}

fn blanks(words: &str) -> usize {
    words.len() - words.trim_start_matches([' ', '\t']).len()
}
