//! The words of a task: its title and its prose.

use super::layout::{Prefix, blank_line, key_places};
use super::trial::Trial;
use super::{EditError, Splice, find};
use crate::inline::single_line;
use crate::lines;
use crate::model::{Plan, Span, Task, TaskId};

/// Writes another title, brought onto one line.
///
/// # Errors
/// [`EditError::UnknownTask`], [`EditError::Empty`]; [`EditError::ReadsOtherwise`] for a title that
/// begins like an id or otherwise would not be read back.
pub fn set_title(
    text: &str,
    plan: &Plan,
    id: &TaskId,
    title: &str,
) -> Result<Vec<Splice>, EditError> {
    let (index, task) = find(plan, id)?;
    let title = single_line(title);
    if title.is_empty() {
        return Err(EditError::Empty { what: "title" });
    }
    if title == task.title {
        return Ok(Vec::new());
    }
    let mut trial = Trial::of(text, plan, index);
    trial.face.title.clone_from(&title);
    let blank = match text[..task.title_span.start].ends_with([' ', '\t']) {
        true => "",
        false => " ",
    };
    let splices = vec![Splice {
        range: task.title_span.clone(),
        text: format!("{blank}{title}"),
    }];
    match trial.reads(&splices) {
        true => Ok(splices),
        false => Err(misread_title()),
    }
}

pub(super) fn misread_title() -> EditError {
    EditError::ReadsOtherwise {
        what: "title".to_owned(),
        advice: "begin it with another word",
    }
}

/// Writes other prose under the title, indented like the task; an empty text takes it away. Lines
/// keep their order and their indentation among each other; blanks at their ends, and blank lines
/// at both ends of the text, go.
///
/// # Errors
/// [`EditError::UnknownTask`]; [`EditError::ReadsOtherwise`] for prose that holds what would be
/// read as a key, a step, or not as it stands.
pub fn set_body(
    text: &str,
    plan: &Plan,
    id: &TaskId,
    markdown: &str,
) -> Result<Vec<Splice>, EditError> {
    let (index, task) = find(plan, id)?;
    let body = prose(markdown);
    if body == task.body {
        return Ok(Vec::new());
    }
    let mut trial = Trial::of(text, plan, index);
    trial.face.body.clone_from(&body);
    let old = pieces(text, plan, task);
    let title_end = lines::line_end(text, task.title_span.start);
    // Where prose stands already is where a person looks for it.
    let mut places: Vec<usize> = old.first().map(|piece| piece.start).into_iter().collect();
    places.push(title_end);
    // A list in the prose would take keys below it in; behind them it cannot.
    places.extend(key_places(text, plan, task));
    places.dedup();
    let content = Prefix::of(text, task).content();
    for at in places {
        let had_gap = old
            .iter()
            .any(|piece| piece.start == at && begins_blank(&text[piece.clone()]));
        let underlines = body.starts_with(['=', '-']);
        let gaps = match had_gap || at != title_end || underlines {
            true => [true, false],
            false => [false, true],
        };
        for (gap, gap_behind) in [
            (gaps[0], false),
            (gaps[1], false),
            (gaps[0], true),
            (true, true),
        ] {
            let new = match body.is_empty() {
                true => String::new(),
                false => written(&body, &content, plan.line_ending, gap, gap_behind),
            };
            let splices = instead(&old, at, &new);
            if trial.reads(&splices) {
                return Ok(splices);
            }
            if body.is_empty() {
                break;
            }
        }
    }
    Err(EditError::ReadsOtherwise {
        what: "text".to_owned(),
        advice: "write steps and `key: value` lines as such and not into the text, and close every code block",
    })
}

/// A text of several lines as it is read back.
pub(super) fn prose(markdown: &str) -> String {
    let lines: Vec<String> = lines::split(markdown)
        .map(|line| {
            let clean: String = line
                .chars()
                .map(|c| if c.is_control() && c != '\t' { ' ' } else { c })
                .collect();
            clean.trim_end().to_owned()
        })
        .collect();
    lines.join("\n").trim().to_owned()
}

fn begins_blank(piece: &str) -> bool {
    let mut lines = lines::split(piece).skip(1);
    lines
        .next()
        .is_some_and(|line| line.trim_matches([' ', '\t', '>']).is_empty())
}

/// The body as lines that stand behind a line end.
fn written(body: &str, content: &str, ending: &str, gap: bool, gap_behind: bool) -> String {
    let blank = blank_line(content);
    let mut out = String::new();
    if gap {
        out.push_str(ending);
        out.push_str(blank);
    }
    for line in body.split('\n') {
        out.push_str(ending);
        if line.is_empty() {
            out.push_str(blank);
        } else {
            out.push_str(content);
            out.push_str(line);
        }
    }
    if gap_behind {
        out.push_str(ending);
        out.push_str(blank);
    }
    out
}

/// The new text at its place, and the old pieces away.
fn instead(old: &[Span], at: usize, new: &str) -> Vec<Splice> {
    let mut splices = Vec::with_capacity(old.len() + 1);
    if !old.iter().any(|piece| piece.start == at) && !new.is_empty() {
        splices.push(Splice {
            range: at..at,
            text: new.to_owned(),
        });
    }
    splices.extend(old.iter().map(|piece| Splice {
        range: piece.clone(),
        text: if piece.start == at {
            new.to_owned()
        } else {
            String::new()
        },
    }));
    splices
}

/// Where the prose of a task stands: each piece from the end of the line before it to the end of
/// its last line.
fn pieces(text: &str, plan: &Plan, task: &Task) -> Vec<Span> {
    let keys = task.fields.iter().map(|field| {
        let end = lines::line_end(text, field.value_span.start);
        field.span.start..end
    });
    let children = task
        .children
        .iter()
        .map(|child| plan.tasks[*child].span.clone());
    let mut others: Vec<Span> = keys.chain(children).collect();
    others.sort_by_key(|span| span.start);
    others.push(task.span.end..task.span.end);
    let mut pieces = Vec::new();
    let mut cursor = lines::line_end(text, task.title_span.start);
    for other in others {
        if other.start > cursor {
            let end = lines::trim_back(text, cursor, other.start);
            if !text[cursor..end].trim().is_empty() {
                pieces.push(cursor..lines::line_end(text, end).min(other.start));
            }
        }
        cursor = cursor.max(other.end);
    }
    pieces
}
