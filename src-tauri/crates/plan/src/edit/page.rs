//! Edits the title of the plan and the prose under it.

use super::blocks::{self, Block};
use super::content::{PlanContent, matching_plan, matching_plan_by};
use super::task_text::prose;
use super::{EditError, Splice};
use crate::fragment::closes_all_blocks;
use crate::inline::single_line;
use crate::lines;
use crate::model::{Plan, Span};

/// Writes the title of the plan, collapsed to one line: into the first level-1 heading, or as a new
/// heading after the front matter. Fails with [`EditError::Empty`]; [`EditError::Misparsed`] for a
/// title that would not parse back.
pub fn set_plan_title(text: &str, plan: &Plan, title: &str) -> Result<Vec<Splice>, EditError> {
    let title = single_line(title);
    if title.is_empty() {
        return Err(EditError::Empty { what: "title" });
    }
    let mut expected = PlanContent::of(text, plan);
    // Markdown drops a `#` at the end of a heading, so protect it with another one after it.
    let forms = [title.clone(), format!("{title} #")];
    let (range, before, after) = match &plan.title {
        Some(old) if old.text == title => return Ok(Vec::new()),
        Some(old) => (old.span.clone(), String::new(), String::new()),
        None => {
            let at = plan.preamble.start;
            let ending = plan.line_ending;
            let needs_end =
                !text[..at].is_empty() && !text[..at].ends_with(['\n', '\r', '\u{feff}']);
            let before = if needs_end { ending } else { "" };
            let gap = match text[at..].is_empty() || text[at..].starts_with(['\n', '\r']) {
                true => "",
                false => ending,
            };
            (at..at, format!("{before}# "), format!("{ending}{gap}"))
        }
    };
    let replaced = plan
        .title
        .as_ref()
        .map(|old| heading_of(text, plan, &old.span));
    expected.title = Some(title.clone());
    expected.page = others(text, plan, |block| replaced.as_ref() != Some(&block.span));
    for form in forms {
        let splices = vec![Splice {
            range: range.clone(),
            text: format!("{before}{form}{after}"),
        }];
        // Leave out the block of the title, which is compared by its parsed text.
        let found = matches_page(text, &splices, &expected, |after, plan| {
            let place = plan
                .title
                .as_ref()
                .map(|title| heading_of(after, plan, &title.span));
            others(after, plan, |block| place.as_ref() != Some(&block.span))
        });
        if found {
            return Ok(splices);
        }
    }
    Err(EditError::Misparsed {
        what: "title".to_owned(),
        advice: "start it with a word",
    })
}

/// The span of the prose between the title (or the top) and the first section or task; `None` if
/// there is none. Headings of level 3 and deeper are part of the prose.
pub fn intro(text: &str, plan: &Plan) -> Option<Span> {
    let (from, until) = intro_range(text, plan);
    let region = &text[from..until];
    let start = from + region.len() - region.trim_start().len();
    let start = lines::line_start(text, start).max(from);
    let end = lines::trim_back(text, start, until);
    (!text[start..end].trim().is_empty()).then_some(start..end)
}

/// Writes the prose between the title and the first section or task; an empty text removes it. Its
/// lines are kept, with the file's line endings. Fails with [`EditError::Misparsed`] for prose that
/// would become a section or a task, or would change how the text after it is parsed.
pub fn set_intro(text: &str, plan: &Plan, markdown: &str) -> Result<Vec<Splice>, EditError> {
    let new = prose(markdown).replace('\n', plan.line_ending);
    let old = intro(text, plan);
    let current = old.as_ref().map_or("", |span| &text[span.clone()]);
    if current == new {
        return Ok(Vec::new());
    }
    let (from, until) = intro_range(text, plan);
    let mut expected = PlanContent::of(text, plan);
    expected.page = others(text, plan, |block| !within(&block.span, old.as_ref()));
    let ending = plan.line_ending;
    let splice = match (old, new.is_empty()) {
        (Some(span), true) => {
            let rest = &text[span.end..until];
            let end = span.end + rest.len() - rest.trim_start().len();
            Splice {
                range: span.start..lines::line_start(text, end).max(span.end),
                text: String::new(),
            }
        }
        (Some(range), false) => Splice {
            range,
            text: new.clone(),
        },
        (None, _) => {
            let above = &text[..from];
            let has_end = above.is_empty() || above.ends_with(['\n', '\r', '\u{feff}']);
            let before = match (plan.title.is_some(), has_end) {
                (true, true) => ending.to_owned(),
                (true, false) => format!("{ending}{ending}"),
                (false, true) => String::new(),
                (false, false) => ending.to_owned(),
            };
            let gap = match text[from..].is_empty() || text[from..].starts_with(['\n', '\r']) {
                true => "",
                false => ending,
            };
            Splice {
                range: from..from,
                text: format!("{before}{new}{ending}{gap}"),
            }
        }
    };
    let splices = vec![splice];
    let found = matches_page(text, &splices, &expected, |after, plan| {
        let place = intro(after, plan);
        let is_new = place.as_ref().map_or("", |span| &after[span.clone()]) == new;
        let page = others(after, plan, |block| !within(&block.span, place.as_ref()));
        if is_new {
            page
        } else {
            vec![String::from("\u{0}")]
        }
    });
    match found {
        true => Ok(splices),
        false => Err(EditError::Misparsed {
            what: "text".to_owned(),
            advice: "remove steps and headings of level 1 and 2, and close every code block",
        }),
    }
}

/// The range between the title and the first section or task.
fn intro_range(text: &str, plan: &Plan) -> (usize, usize) {
    range_among(text, plan, &blocks::of(head(text, plan), plan))
}

/// The text up to the first task after the title that closes all blocks above it; this part parses
/// the same on its own. The whole text if there is no such task.
fn head<'t>(text: &'t str, plan: &Plan) -> &'t str {
    let behind = plan
        .title
        .as_ref()
        .map_or(plan.preamble.start, |title| title.span.end);
    let first = plan
        .tasks
        .iter()
        .find(|task| task.span.start >= behind && closes_all_blocks(text, task));
    first.map_or(text, |task| &text[..task.span.start])
}

/// Like [`intro_range`], given the blocks above the first task or those of the whole text.
fn range_among(text: &str, plan: &Plan, blocks: &[Block]) -> (usize, usize) {
    let from = match &plan.title {
        Some(title) => {
            let heading = heading_among(blocks, &title.span);
            lines::after_line_end(text, lines::line_end(text, heading.end))
        }
        None => plan.preamble.start,
    };
    let section = blocks
        .iter()
        .filter(|block| !block.quoted && block.heading.is_some_and(|level| level <= 2))
        .map(|block| block.span.start)
        .find(|start| *start >= from);
    let mut tasks = plan.tasks.iter().map(|task| task.span.start);
    let task = tasks.find(|start| *start >= from);
    let until = section.into_iter().chain(task).min();
    let until = until.map_or(text.len(), |until| lines::line_start(text, until));
    (from, until.max(from))
}

/// The whole heading that contains these words.
fn heading_of(text: &str, plan: &Plan, words: &Span) -> Span {
    heading_among(&blocks::of(text, plan), words)
}

fn heading_among(blocks: &[Block], words: &Span) -> Span {
    let mut headings = blocks.iter().filter(|block| block.heading.is_some());
    let found =
        headings.find(|block| block.span.start <= words.start && words.end <= block.span.end);
    found.map_or_else(|| words.clone(), |block| block.span.clone())
}

fn within(span: &Span, place: Option<&Span>) -> bool {
    place.is_some_and(|place| place.start <= span.start && span.end <= place.end)
}

/// The texts of the blocks for which `counts` is true.
fn others(text: &str, plan: &Plan, counts: impl Fn(&Block) -> bool) -> Vec<String> {
    let blocks = blocks::of(text, plan).into_iter().filter(counts);
    blocks.map(|block| text[block.span].to_owned()).collect()
}

/// Like [`matching_plan`], but compares only those blocks of the page that `page` selects.
fn matches_page(
    text: &str,
    splices: &[Splice],
    expected: &PlanContent,
    page: impl Fn(&str, &Plan) -> Vec<String>,
) -> bool {
    let Ok(after) = super::apply(text, splices) else {
        return false;
    };
    let all_but_page = |plan_content: &mut PlanContent| plan_content.page.clear();
    matching_plan_by(text, splices, expected, all_but_page)
        .is_some_and(|plan| page(&after.text, &plan) == expected.page)
}

/// The first candidate edit whose result is exactly `expected`.
pub(super) fn first_matching(
    text: &str,
    ways: impl IntoIterator<Item = Vec<Splice>>,
    expected: &PlanContent,
) -> Option<Vec<Splice>> {
    ways.into_iter()
        .find(|splices| matching_plan(text, splices, expected).is_some())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::parse::parse;
    use crate::samples;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 600.max(ProptestConfig::default().cases), ..ProptestConfig::default() })]

        #[test]
        fn intro_does_not_depend_on_the_text_after_the_first_task(text in samples::text()) {
            let (plan, _) = parse(&text);
            let whole = range_among(&text, &plan, &blocks::of(&text, &plan));
            prop_assert_eq!(intro_range(&text, &plan), whole);
        }
    }
}
