//! Edits the title and prose of a task.

use super::layout::{Prefix, blank_line, key_places};
use super::trial::Trial;
use super::{EditError, Splice, find};
use crate::inline::single_line;
use crate::lines;
use crate::model::{Plan, Span, Task, TaskId};

/// Writes a new title, collapsed to one line. Fails with [`EditError::UnknownTask`],
/// [`EditError::Empty`]; [`EditError::Misparsed`] for a title that begins like an id or would not
/// parse back for another reason.
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
    trial.task_content.title.clone_from(&title);
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
    EditError::Misparsed {
        what: "title".to_owned(),
        advice: "start it with another word",
    }
}

/// Writes the prose under a task's title, indented like the task; an empty text removes it. The
/// order and relative indentation of the lines is kept; trailing spaces, and blank lines at both
/// ends, are dropped. Fails with [`EditError::UnknownTask`]; [`EditError::Misparsed`] for prose
/// that would be parsed as a key or a step, or not as written.
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
    trial.task_content.body.clone_from(&body);
    let old = pieces(text, plan, task);
    let title_end = lines::line_end(text, task.title_span.start);
    // Existing prose is replaced in place.
    let mut places: Vec<usize> = old.first().map(|piece| piece.start).into_iter().collect();
    places.push(title_end);
    // A list in the prose would absorb keys after it, so the prose may have to go after the keys.
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
            let splices = replace_pieces(&old, at, &new);
            if trial.reads(&splices) {
                return Ok(splices);
            }
            if body.is_empty() {
                break;
            }
        }
    }
    Err(EditError::Misparsed {
        what: "text".to_owned(),
        advice: "remove steps and `key: value` lines from the text, and close every code block",
    })
}

/// The prose as the parser would return it.
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

/// The prose as indented lines, each after a line ending.
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

/// Inserts the new prose at its position and removes the old pieces.
fn replace_pieces(old: &[Span], at: usize, new: &str) -> Vec<Splice> {
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

/// The spans of a task's prose, each from the end of the line before it to the end of
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
