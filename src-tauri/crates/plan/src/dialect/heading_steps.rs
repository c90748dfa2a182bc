//! Plans whose steps are headings: `### Task 3: Words`, `## Phase 2 — Words`, `第一步：…`.
//!
//! Two or more headings of one level, numbered with the same word, are the steps if the word names
//! a unit of work ([`WORK`]) or if most of them contain checkboxes. The words are listed because
//! nothing else tells `Step 2: Postgres` from `Option 2: Postgres`; the first number doesn't
//! matter. Numbered headings around the steps are their groups (`## Part 1` around `### Task 1.1`).
//! If most steps contain numbered headings (`#### 2. Words`), those are the steps, and the outer
//! ones their groups. Numbers alone don't make steps, since any document has them. Checkboxes under
//! such a heading are its sub-tasks. If many are under none, the checkboxes are the plan and the
//! headings its chapters.

mod mark;
mod numbering;

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::detect::ANY;
use crate::checkbox::{self, ItemHead};
use crate::lines;
use crate::model::Span;

pub(crate) use mark::{DONE, StepHeading};
use numbering::{Numbering, is_work, numbering};

/// Up to one in this many checkboxes may be outside the steps, for example in a final list.
const ONE_OUTSIDE_OF: usize = 5;

/// The headings that are steps, by their start offset.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HeadingSteps(BTreeMap<usize, StepHeading>);

/// A heading outside of lists and quotes.
struct Heading {
    level: u8,
    at: usize,
    words: Span,
    count: Option<Numbering>,
    /// The index of the next heading that isn't nested under this one.
    end: usize,
    /// The number of checkboxes in the heading and directly under it.
    boxes: usize,
}

impl HeadingSteps {
    /// The steps of a text whose Markdown starts at `body`; `None` if its headings aren't steps.
    pub(crate) fn of(text: &str, body: usize) -> Option<Self> {
        if !may_have_steps(&text[body..]) {
            return None;
        }
        let (headings, loose) = headings(text, body);
        let mut kinds: BTreeMap<(u8, &str), Vec<usize>> = BTreeMap::new();
        for (at, heading) in headings.iter().enumerate() {
            if let Some(count) = &heading.count {
                let kind = (heading.level, &*count.word);
                kinds.entry(kind).or_default().push(at);
            }
        }
        let under = |at: usize| at + 1..headings[at].end;
        let has_boxes = |at: &&usize| {
            headings[**at..headings[**at].end]
                .iter()
                .any(|one| one.boxes > 0)
        };
        let is_part = |word: &str, places: &[usize]| {
            is_work(word) || places.iter().filter(has_boxes).count() * 2 > places.len()
        };
        let (of_steps, steps) = kinds
            .iter()
            .filter(|((_, word), places)| {
                !word.is_empty() && places.len() > 1 && is_part(word, places)
            })
            .max_by_key(|((level, word), places)| (is_work(word), places.len(), Reverse(*level)))?;
        let holds = |at: &usize, inner: &[usize]| {
            let next = inner.partition_point(|one| one <= at);
            inner.get(next).is_some_and(|one| under(*at).contains(one))
        };
        let most = |outer: &[usize], inner: &[usize]| {
            outer.iter().filter(|at| holds(at, inner)).count() * 2 >= outer.len()
        };
        let mut is_step = vec![false; headings.len()];
        let mut is_inside = vec![false; headings.len()];
        for at in steps {
            is_step[*at] = true;
            is_inside[under(*at)].fill(true);
        }
        for ((level, word), places) in &kinds {
            match level.cmp(&of_steps.0) {
                Ordering::Less if !word.is_empty() && most(places, steps) => {
                    places.iter().for_each(|at| is_step[*at] = true);
                }
                Ordering::Greater
                    if places.len() * 2 >= steps.len()
                        && (word.is_empty() || is_part(word, places))
                        && most(steps, places) =>
                {
                    places.iter().for_each(|at| is_step[*at] |= is_inside[*at]);
                }
                _ => {}
            }
        }
        let all: usize = loose + headings.iter().map(|one| one.boxes).sum::<usize>();
        let mut inside = 0;
        let mut until = 0;
        let mut found = BTreeMap::new();
        for (at, heading) in headings.iter().enumerate() {
            if is_step[at]
                && let Some(count) = &heading.count
            {
                until = until.max(heading.end);
                found.insert(
                    heading.at,
                    StepHeading::of(text, heading.words.clone(), count),
                );
            }
            inside += if at < until { heading.boxes } else { 0 };
        }
        (inside * ONE_OUTSIDE_OF >= all * (ONE_OUTSIDE_OF - 1)).then_some(Self(found))
    }

    /// The parts of the step's heading that starts at an offset.
    pub(crate) fn at(&self, place: usize) -> Option<&StepHeading> {
        self.0.get(&place)
    }
}

/// Whether a text may have headings that are steps. If not, it need not be parsed as Markdown.
fn may_have_steps(text: &str) -> bool {
    let has_boxes = ["[ ]", "[x]", "[X]"].iter().any(|mark| text.contains(mark));
    let mut above = "";
    let counted = lines::split(text).filter(|line| {
        let words = line.trim_matches([' ', '\t']);
        let heading = match words.bytes().next() {
            Some(b'#') => words.trim_start_matches('#'),
            Some(mark @ (b'=' | b'-')) if words.bytes().all(|byte| byte == mark) => above,
            _ => "",
        };
        above = line;
        numbering(heading.trim())
            .is_some_and(|count| is_work(&count.word) || has_boxes && !count.word.is_empty())
    });
    counted.take(2).count() == 2
}

/// The headings of a text, and the number of checkboxes above all of them.
fn headings(text: &str, body: usize) -> (Vec<Heading>, usize) {
    let markdown = lines::markdown(&text[body..]);
    let mut headings: Vec<Heading> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut depth = 0_usize;
    let mut loose = 0;
    for (event, range) in Parser::new_ext(&markdown, Options::ENABLE_TABLES).into_offset_iter() {
        let range = body + range.start..body + range.end;
        match event {
            Event::Start(Tag::Item) => {
                depth += 1;
                let item = text[range].trim_start_matches([' ', '\t', '\r', '\n', '>']);
                let line = &item[..lines::line_end(item, 0)];
                if matches!(checkbox::head(line, ANY), Some(ItemHead::Task(_))) {
                    *headings
                        .last_mut()
                        .map_or(&mut loose, |above| &mut above.boxes) += 1;
                }
            }
            Event::Start(Tag::BlockQuote(_)) => depth += 1,
            Event::End(TagEnd::Item | TagEnd::BlockQuote(_)) => depth -= 1,
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                let level = level as u8;
                let at = headings.len();
                while let Some(above) = open.pop_if(|above| headings[*above].level >= level) {
                    headings[above].end = at;
                }
                open.push(at);
                let place = words(text, &range);
                let words = &text[place.clone()];
                let count = numbering(words);
                let has_box = |count: &Numbering| mark::find_box(words, count.title).is_some();
                headings.push(Heading {
                    level,
                    at: range.start,
                    boxes: usize::from(count.as_ref().is_some_and(has_box)),
                    count,
                    words: place,
                    end: usize::MAX,
                });
            }
            _ => {}
        }
    }
    let all = headings.len();
    headings
        .iter_mut()
        .for_each(|one| one.end = one.end.min(all));
    (headings, loose)
}

/// Whether a heading is numbered, with a word for work or with a number alone.
pub(crate) fn is_numbered(words: &str) -> bool {
    numbering(words).is_some_and(|count| count.word.is_empty() || is_work(&count.word))
}

/// The span of a heading's text on its first line.
pub(crate) fn words(text: &str, range: &Span) -> Span {
    let end = lines::line_end(text, range.start).min(range.end);
    let line = &text[range.start..end];
    let words = line.trim_start();
    let hashes = words.len() - words.trim_start_matches('#').len();
    let after = words.trim_start_matches('#');
    let is_marked =
        (1..=6).contains(&hashes) && (after.is_empty() || after.starts_with([' ', '\t']));
    let words = if is_marked { after } else { words };
    let start = range.start + line.len() - words.trim_start().len();
    let words = words.trim();
    // Closing hashes count only after a space.
    let open = words.trim_end_matches('#');
    let words = match is_marked && (open.is_empty() || open.ends_with([' ', '\t'])) {
        true => open.trim_end(),
        false => words,
    };
    start..start + words.len()
}

#[cfg(test)]
mod tests;
