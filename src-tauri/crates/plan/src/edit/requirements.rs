//! Edits requirements: the items under `## Requirements`.

use super::content::{PlanContent, apply_first_matching};
use super::draft::Draft;
use super::key_lines::{KeyLines, write_all};
use super::layout::{Prefix, has_blank_line, item_with_gap, without_lines};
use super::outline::new_section;
use super::page::first_matching;
use super::references::{Renames, without};
use super::{EditError, Named, Splice, blocks};
use crate::checkbox::{self, ItemHead};
use crate::inline::{references, single_line};
use crate::model::{Plan, Requirement};
use crate::{id_syntax, lines};

const WHAT: &str = "requirement";

/// Rewrites a requirement, collapsed to one line. Fails with [`EditError::UnknownRequirement`],
/// [`EditError::Empty`]; [`EditError::Misparsed`] for text that would be parsed as an id, a step or
/// a key.
pub fn set_requirement(
    text: &str,
    plan: &Plan,
    id: &str,
    words: &str,
) -> Result<Vec<Splice>, EditError> {
    let index = find(plan, id)?;
    let words = plain(words)?;
    let requirement = &plan.requirements[index];
    if requirement.text == words {
        return Ok(Vec::new());
    }
    let mut expected = PlanContent::of(text, plan);
    expected.requirements[index].1.clone_from(&words);
    let line = Line::of(text, requirement);
    let blank = if text[..line.text].ends_with([' ', '\t']) {
        ""
    } else {
        " "
    };
    let splice = Splice {
        range: line.text..requirement.span.end,
        text: format!("{blank}{words}"),
    };
    first_matching(text, [vec![splice]], &expected).ok_or_else(misread)
}

/// Adds a requirement after the last one, in the style of the others; the first one creates the
/// section `## Requirements`. It gets the next free id. If the others have no ids, it gets none
/// either, and is identified by its position. Fails with [`EditError::Empty`],
/// [`EditError::Misparsed`], [`EditError::NoPosition`].
pub fn add_requirement(text: &str, plan: &Plan, words: &str) -> Result<Named<String>, EditError> {
    let words = plain(words)?;
    match add(text, plan, &words) {
        Err(EditError::NoPosition { .. }) if add(text, plan, "x").is_ok() => Err(misread()),
        outcome => outcome,
    }
}

/// Removes a requirement and its references in `covers:`; a `covers:` that becomes empty is
/// removed. Requirements with positional ids are renumbered, and so are references to them. Fails
/// with [`EditError::UnknownRequirement`], [`EditError::NoPosition`].
pub fn delete_requirement(text: &str, plan: &Plan, id: &str) -> Result<Vec<Splice>, EditError> {
    const KEY: &str = "covers";
    let index = find(plan, id)?;
    let is_last_of_name = plan
        .requirements
        .iter()
        .filter(|requirement| requirement.id == id)
        .count()
        == 1;
    let is_gone = |name: &str| is_last_of_name && name == id;
    let mut draft = Draft::of(text);
    let named = plan.tasks.iter().enumerate();
    let named = named.filter(|(_, task)| task.covers.iter().any(|name| is_gone(name)));
    let changes: Vec<KeyLines> = named
        .map(|(at, task)| KeyLines {
            at,
            key: KEY,
            lines: task
                .values(KEY)
                .filter_map(|value| without(value, is_gone))
                .collect(),
        })
        .collect();
    let now = match changes.is_empty() {
        true => plan.clone(),
        false => write_all(&mut draft, plan, &changes)?,
    };
    let mut expected = PlanContent::of(&draft.text, &now);
    expected.requirements.remove(index);
    // Positional ids change, so only the text is compared.
    let uncounted = |plan_content: &mut PlanContent| {
        plan_content
            .requirements
            .iter_mut()
            .for_each(|(id, _)| id.clear());
    };
    let span = now.requirements[index].span.clone();
    let ways =
        [item_with_gap(&draft.text, &span), span].map(|span| without_lines(&draft.text, [span]));
    let after = apply_first_matching(&mut draft, ways, &expected, uncounted).ok_or_else(|| {
        EditError::NoPosition {
            line: format!("- {id}"),
        }
    })?;
    let mut renames = Renames::new();
    let old = now
        .requirements
        .iter()
        .enumerate()
        .filter(|(at, _)| *at != index);
    for ((_, old), new) in old.zip(&after.requirements) {
        if old.id != new.id {
            renames.insert(old.id.clone(), new.id.clone());
        }
    }
    let counted = after.tasks.iter().enumerate();
    let counted =
        counted.filter(|(_, task)| task.covers.iter().any(|name| renames.contains_key(name)));
    let now_called = |value: &str| {
        let names = references(value).into_iter();
        let names = names.map(|name| renames.get(&name).cloned().unwrap_or(name));
        names.collect::<Vec<_>>().join(", ")
    };
    let changes: Vec<KeyLines> = counted
        .map(|(at, task)| KeyLines {
            at,
            key: KEY,
            lines: task.values(KEY).map(now_called).collect(),
        })
        .collect();
    if !changes.is_empty() {
        write_all(&mut draft, &after, &changes)?;
    }
    Ok(draft.splices())
}

fn find(plan: &Plan, id: &str) -> Result<usize, EditError> {
    let found = plan
        .requirements
        .iter()
        .position(|requirement| requirement.id == id);
    found.ok_or_else(|| EditError::UnknownRequirement { id: id.to_owned() })
}

/// The text as the parser would return it for a requirement: on one line, with single spaces.
fn plain(words: &str) -> Result<String, EditError> {
    let line = single_line(words);
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.is_empty() {
        true => Err(EditError::Empty { what: WHAT }),
        false => Ok(words.join(" ")),
    }
}

fn misread() -> EditError {
    EditError::Misparsed {
        what: WHAT.to_owned(),
        advice: "start it with another word",
    }
}

/// The parts of a requirement's first line.
#[derive(Debug)]
struct Line {
    /// The offset after the bullet and the spaces that follow it.
    words: usize,
    /// The span of the id, if one is written.
    id: Option<std::ops::Range<usize>>,
    /// Where the text starts.
    text: usize,
}

impl Line {
    fn of(text: &str, requirement: &Requirement) -> Self {
        let end = lines::line_end(text, requirement.span.start);
        let line = &text[requirement.span.start..end];
        let bullet = requirement.span.start + line.len()
            - line.trim_start_matches([' ', '\t', '>', '\u{feff}']).len();
        let words = match checkbox::head(&text[bullet..end], checkbox::STRICT) {
            Some(ItemHead::Text(at) | ItemHead::Odd { at, .. }) => bullet + at,
            _ => bullet,
        };
        let found = id_syntax::requirement_id(text[words..end].trim_end());
        Self {
            words,
            text: words + found.as_ref().map_or(0, |found| found.rest),
            id: found.map(|found| words + found.id.start..words + found.id.end),
        }
    }
}

/// Splits a requirement's id: `R2` into `R` and 2.
fn parts(id: &str) -> Option<(&str, u32)> {
    let letters = id.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = id[letters.len()..].parse::<u32>().ok()?;
    (!letters.contains('.')).then_some((letters, number))
}

fn add(text: &str, plan: &Plan, words: &str) -> Result<Named<String>, EditError> {
    let ending = plan.line_ending;
    let last = plan.requirements.last();
    let lines = plan
        .requirements
        .iter()
        .map(|requirement| Line::of(text, requirement));
    let sample = lines
        .filter_map(|line| Some((line.id?, line.words, line.text)))
        .next_back();
    let letters = sample
        .as_ref()
        .and_then(|(id, ..)| parts(&text[id.clone()]))
        .map_or("R", |(letters, _)| letters);
    let covered = plan.tasks.iter().flat_map(|task| &task.covers);
    let names = plan
        .requirements
        .iter()
        .map(|requirement| &requirement.id)
        .chain(covered);
    let numbers = names.filter_map(|id| parts(id).filter(|(of, _)| *of == letters));
    let highest = numbers
        .map(|(_, number)| number)
        .filter(|n| *n < u32::MAX)
        .max()
        .unwrap_or(0);
    let id = format!("{letters}{}", highest + 1);
    let head = match (&sample, last) {
        (Some((old, words_at, text_at)), _) if *text_at > old.end => {
            let (before, after) = (&text[*words_at..old.start], &text[old.end..*text_at]);
            format!("{before}{id}{after}")
        }
        (Some(_), _) | (None, None) => format!("{id} "),
        (None, Some(_)) => String::new(),
    };
    let mut expected = PlanContent::of(text, plan);
    let counted = format!("R{}", plan.requirements.len() + 1);
    let own = if head.is_empty() { counted } else { id };
    expected.requirements.push((own.clone(), words.to_owned()));
    let insert = |at: usize, text: String| {
        vec![Splice {
            range: at..at,
            text,
        }]
    };
    let mut heading = None;
    let ways: Vec<Vec<Splice>> = if let Some(last) = last {
        let prefix = Prefix::before(text, Line::of(text, last).words)
            .next()
            .whole();
        let above = plan
            .requirements
            .len()
            .checked_sub(2)
            .and_then(|at| plan.requirements.get(at));
        let is_loose =
            above.is_some_and(|above| has_blank_line(text, above.span.end, last.span.start));
        let gap = if is_loose { ending } else { "" };
        vec![insert(
            last.span.end,
            format!("{ending}{gap}{prefix}{head}{words}"),
        )]
    } else if let Some((place, end)) = blocks::section(text, plan, "requirements") {
        let at = lines::line_end(text, place.end);
        let end = lines::line_end(text, lines::trim_back(text, at, end.max(at)));
        let line = format!("- {head}{words}");
        vec![
            insert(at, format!("{ending}{line}")),
            insert(end, format!("{ending}{ending}{line}")),
        ]
    } else {
        heading = Some("## Requirements");
        let places = ["tasks", "decisions"];
        let (at, before, after) = new_section(text, plan, &places, "## Requirements");
        let line = format!("- {head}{words}");
        vec![insert(at, format!("{before}{line}{after}"))]
    };
    expected.page.extend(heading.map(str::to_owned));
    let mut draft = Draft::of(text);
    let sorted = |plan_content: &mut PlanContent| {
        if heading.is_some() {
            plan_content.page.sort();
        }
    };
    match apply_first_matching(&mut draft, ways, &expected, sorted) {
        Some(_) => Ok(Named {
            splices: draft.splices(),
            id: own,
        }),
        None => Err(EditError::NoPosition {
            line: format!("- {head}{words}"),
        }),
    }
}
