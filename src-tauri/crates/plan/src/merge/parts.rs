//! Merges one line that both sides changed, part by part.

use super::version::{LineItem, Version};
use crate::inline::{is_nothing, pieces};
use crate::model::{Field, Span, Task};

/// Keys whose values are lists, so that each side may add and remove names.
const LISTS: [&str; 4] = ["depends", "files", "covers", "tools"];

/// The line with both sides' changes; `None` if both changed the same part differently. Lines are
/// given by index.
pub(super) fn line(
    base: (&Version<'_>, usize),
    ours: (&Version<'_>, usize),
    theirs: (&Version<'_>, usize),
) -> Option<String> {
    match (
        base.0.on(base.1)?,
        ours.0.on(ours.1)?,
        theirs.0.on(theirs.1)?,
    ) {
        (LineItem::Task(was), LineItem::Task(mine), LineItem::Task(other)) => {
            let was = of_task(base.0.text, line_of(base), was)?;
            let mine = of_task(ours.0.text, line_of(ours), mine)?;
            let other = of_task(theirs.0.text, line_of(theirs), other)?;
            let mut line = String::new();
            for ((was, mine), other) in was.into_iter().zip(mine).zip(other) {
                line.push_str(either(was, mine, other)?);
            }
            Some(line)
        }
        (LineItem::Key(was), LineItem::Key(mine), LineItem::Key(other))
            if LISTS.contains(&was.key.as_ref()) =>
        {
            let [before, was, after] = of_key(base.0.text, line_of(base), was)?;
            let [our_before, mine, our_after] = of_key(ours.0.text, line_of(ours), mine)?;
            let [their_before, other, their_after] = of_key(theirs.0.text, line_of(theirs), other)?;
            let before = either(before, our_before, their_before)?;
            let after = either(after, our_after, their_after)?;
            Some(format!("{before}{}{after}", list(was, mine, other)?))
        }
        _ => None,
    }
}

fn line_of((version, line): (&Version<'_>, usize)) -> Span {
    version.starts[line]..version.starts[line + 1]
}

/// The merged value of a part that at most one side changed, or that both changed in the same way.
fn either<'t>(was: &'t str, mine: &'t str, other: &'t str) -> Option<&'t str> {
    if mine == was || mine == other {
        Some(other)
    } else if other == was {
        Some(mine)
    } else {
        None
    }
}

/// The parts of a task's line: the text before the mark, the mark, the text before the id, the id,
/// the text before the title, the title, and the rest.
fn of_task<'t>(text: &'t str, line: Span, task: &Task) -> Option<[&'t str; 7]> {
    let (mark, title) = (&task.box_span, &task.title_span);
    let id = task.id_span.clone().unwrap_or(mark.end..mark.end);
    Some([
        text.get(line.start..mark.start)?,
        text.get(mark.clone())?,
        text.get(mark.end..id.start)?,
        text.get(id.clone())?,
        text.get(id.end..title.start)?,
        text.get(title.clone())?,
        text.get(title.end..line.end)?,
    ])
}

/// The parts of a key's line: before the value, the value, and the rest.
fn of_key<'t>(text: &'t str, line: Span, field: &Field) -> Option<[&'t str; 3]> {
    let value = &field.value_span;
    Some([
        text.get(line.start..value.start)?,
        text.get(value.clone())?,
        text.get(value.end..line.end)?,
    ])
}

/// The list after both sides' additions and removals.
fn list(was: &str, mine: &str, other: &str) -> Option<String> {
    if let Some(same) = either(was, mine, other) {
        return Some(same.to_owned());
    }
    if [mine, other].into_iter().any(is_nothing) {
        return None;
    }
    let names = |value: &'_ str| -> Vec<String> {
        match is_nothing(value) {
            true => Vec::new(),
            false => pieces(value).into_iter().map(str::to_owned).collect(),
        }
    };
    let (was, mine, other) = (names(was), names(mine), names(other));
    let mut list: Vec<&String> = other
        .iter()
        .filter(|name| mine.contains(name) || !was.contains(name))
        .collect();
    for name in &mine {
        if !was.contains(name) && !list.contains(&name) {
            list.push(name);
        }
    }
    let list: Vec<&str> = list.into_iter().map(String::as_str).collect();
    (!list.is_empty()).then(|| list.join(", "))
}
