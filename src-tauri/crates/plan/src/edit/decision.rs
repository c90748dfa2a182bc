//! Answers under `## Decisions`.

use super::trial::{same_fields, try_out};
use super::{EditError, Splice, find};
use crate::inline::{as_code_span, single_line};
use crate::lines;
use crate::model::{Plan, TaskId};
use crate::parse::{Answer, read_record};

/// Records the answer to a decision: on its line under `## Decisions` if it has one, on a new line
/// there, or in a new section at the end. `detail` says who, when and why. Whitespace is collapsed
/// so that each fits one line, and both parse back as given; a label that would not is written in
/// backticks. Fails with [`EditError::UnknownTask`], [`EditError::NoPosition`],
/// [`EditError::Empty`] for an empty answer.
pub fn record_decision(
    text: &str,
    plan: &Plan,
    id: &TaskId,
    answer: &str,
    detail: &str,
) -> Result<Vec<Splice>, EditError> {
    find(plan, id)?;
    let answer = single_line(answer);
    let detail = single_line(detail);
    if answer.is_empty() {
        return Err(EditError::Empty { what: "answer" });
    }
    let reads_back = |splices: &[Splice]| {
        try_out(text, plan, splices, |_, was, is| same_fields(was, is)).is_some_and(|after| {
            let record = after.decisions.iter().find(|record| record.task == *id);
            record.is_some_and(|record| {
                record.answer.as_deref() == Some(answer.as_str()) && record.detail == detail
            })
        })
    };
    for words in forms(id, &answer, &detail) {
        for splice in places(text, plan, id, &words) {
            let splices = vec![splice];
            if reads_back(&splices) {
                return Ok(splices);
            }
        }
    }
    Err(EditError::NoPosition {
        line: format!("- {id}: {answer}"),
    })
}

/// Records that a decision is open, if the file has a section for decisions and no record yet.
/// Fails with [`EditError::NoPosition`].
pub(super) fn open_record(text: &str, plan: &Plan, id: &TaskId) -> Result<Vec<Splice>, EditError> {
    let is_its = |task: &TaskId| task == id;
    if plan.decisions_section.is_none() || plan.decisions.iter().any(|record| is_its(&record.task))
    {
        return Ok(Vec::new());
    }
    let words = format!("{id} open");
    let reads_back = |splices: &[Splice]| {
        try_out(text, plan, splices, |_, was, is| same_fields(was, is)).is_some_and(|after| {
            let record = after.decisions.iter().find(|record| is_its(&record.task));
            after.decisions.len() == plan.decisions.len() + 1
                && record.is_some_and(|record| record.answer.is_none() && record.detail.is_empty())
        })
    };
    places(text, plan, id, &words)
        .into_iter()
        .map(|splice| vec![splice])
        .find(|splices| reads_back(splices))
        .ok_or_else(|| EditError::NoPosition {
            line: format!("- {words}"),
        })
}

/// The plain form if it parses back, then the one in backticks.
fn forms(id: &TaskId, answer: &str, detail: &str) -> Vec<String> {
    let tail = if detail.is_empty() {
        String::new()
    } else {
        format!(" — {detail}")
    };
    let given = Answer {
        label: Some(answer.to_owned()),
        detail: detail.to_owned(),
    };
    let plain = format!(": {answer}{tail}");
    let mut forms = Vec::with_capacity(2);
    if read_record(&plain) == given {
        forms.push(format!("{id}{plain}"));
    }
    forms.push(format!("{id}: {}{tail}", as_code_span(answer)));
    forms
}

/// The splices that would write the record, best position first.
fn places(text: &str, plan: &Plan, id: &TaskId, words: &str) -> Vec<Splice> {
    let ending = plan.line_ending;
    let line_after = |at: usize, bullet: &str| Splice {
        range: at..at,
        text: format!("{ending}{bullet}{words}"),
    };
    if let Some(record) = plan.decisions.iter().find(|record| record.task == *id) {
        let line = &text[record.span.clone()];
        let bullet = bullet(line);
        let end = record.span.start + line.trim_end().len();
        let range = record.span.start + bullet.len()..end;
        return vec![Splice {
            range,
            text: words.to_owned(),
        }];
    }
    let mut places = Vec::with_capacity(4);
    if let Some(section) = &plan.decisions_section {
        let in_section =
            plan.decisions.iter().rev().find(|record| {
                section.start <= record.span.start && record.span.end <= section.end
            });
        if let Some(last) = in_section {
            places.push(line_after(last.span.end, bullet(&text[last.span.clone()])));
        }
        let heading_end = text[..section.start].trim_end_matches(['\n', '\r']).len();
        let end = lines::trim_back(text, heading_end, section.end.max(heading_end));
        places.push(line_after(lines::line_end(text, end), "- "));
        places.push(line_after(heading_end, "- "));
    }
    let end = text.len();
    let has_line_end = text.is_empty() || text.ends_with(['\n', '\r']);
    let has_blank_line = text
        .trim_end_matches([' ', '\t'])
        .ends_with(&format!("{ending}{ending}"));
    let gap = match (has_line_end, has_blank_line) {
        (_, true) => String::new(),
        (true, false) => ending.to_owned(),
        (false, false) => format!("{ending}{ending}"),
    };
    places.push(Splice {
        range: end..end,
        text: format!("{gap}## Decisions{ending}- {words}{ending}"),
    });
    places
}

/// Everything before an item's text: indentation, bullet, spaces.
fn bullet(line: &str) -> &str {
    let indent = line.len() - line.trim_start_matches([' ', '\t', '>']).len();
    let rest = &line[indent..];
    let mark = rest.find([' ', '\t']).unwrap_or(rest.len());
    let blanks = rest[mark..].len() - rest[mark..].trim_start_matches([' ', '\t']).len();
    &line[..indent + mark + blanks]
}
