//! Edits that mend a finding. Only where the edit follows from the plan itself; what needs a
//! decision stays a question.

use plan::edit::Splice;
use plan::{Field, Task, TaskId};

use crate::mend::{Fix, Mend};
use crate::reading::Reading;

/// Mends one wrong id in `depends:`. An id that differs from a real one only in case is corrected;
/// any other is taken out where others remain. The only one is left to the person: without it the
/// task would wait for less than its author meant, and nothing would say so.
pub(crate) fn dependency(reading: &Reading<'_>, task: &Task, wrong: &TaskId) -> Option<Fix> {
    let (field, ids, at) = task
        .fields
        .iter()
        .filter(|field| field.key == "depends")
        .find_map(|field| {
            let ids = ids(&field.value);
            let at = ids.iter().position(|(_, id)| *id == wrong.as_str())?;
            Some((field, ids, at))
        })?;
    let (start, id) = *ids.get(at)?;
    let end = start + id.len();
    if let Some(meant) = same_but_for_case(reading, wrong) {
        return Some(Fix {
            label: format!("Write {meant} in place of {wrong}"),
            mends: vec![splice(field, start, end, meant)?],
        });
    }
    // With one separator: the one after it or, for the last id, the one before.
    let (from, to) = match (
        ids.get(at + 1),
        at.checked_sub(1).and_then(|before| ids.get(before)),
    ) {
        (Some((next, _)), _) => (start, *next),
        (None, Some((before, id))) => (before + id.len(), end),
        (None, None) => return None,
    };
    Some(Fix {
        label: format!("Take {wrong} out of `depends:`"),
        mends: vec![splice(field, from, to, "")?],
    })
}

fn same_but_for_case<'a>(reading: &Reading<'a>, wrong: &TaskId) -> Option<&'a str> {
    if reading.index_of(wrong.as_str()).is_some() {
        return None;
    }
    let spellings = [
        wrong.as_str().to_ascii_uppercase(),
        wrong.as_str().to_ascii_lowercase(),
    ];
    let index = spellings
        .iter()
        .find_map(|spelling| reading.index_of(spelling))?;
    Some(reading.plan.tasks[index].id.as_str())
}

fn splice(field: &Field, start: usize, end: usize, text: &str) -> Option<Mend> {
    let base = field.value_span.start;
    // Offsets hold only where the value is, byte for byte, what stands in the file.
    (field.value_span.len() == field.value.len()).then(|| {
        Mend::Splice(Splice {
            range: base + start..base + end,
            text: text.to_owned(),
        })
    })
}

/// Ids in a `depends:` value with their offsets.
fn ids(value: &str) -> Vec<(usize, &str)> {
    let mut offset = 0;
    let mut ids = Vec::new();
    for piece in value.split_inclusive(|c: char| c == ',' || c.is_whitespace()) {
        let id = piece.trim_end_matches(|c: char| c == ',' || c.is_whitespace());
        if !id.is_empty() {
            ids.push((offset, id));
        }
        offset += piece.len();
    }
    ids
}
