//! Edits that mend a finding. Only where the edit follows from the plan itself; what needs a
//! decision stays a question.

use plan::edit::{Place, Splice};
use plan::{Field, Task, TaskId, TaskKind};

use crate::mend::{Fix, Mend};
use crate::reading::Reading;
use crate::report::place;

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

/// Brings a prerequisite that stands further down in front of the step that waits for it.
pub(crate) fn moved_up(reading: &Reading<'_>, index: usize, prerequisite: &TaskId) -> Fix {
    let task = &reading.plan.tasks[index];
    Fix::of(
        format!("Move {prerequisite} in front of {}", place(task)),
        Mend::MoveTask {
            task: prerequisite.clone(),
            place: Place::Before(task.id.clone()),
        },
    )
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

/// Puts a new step in front of one, which waits for it then. The new one waits for what the other
/// waited for.
pub(crate) fn step_before(
    reading: &Reading<'_>,
    index: usize,
    kind: TaskKind,
    title: &str,
    label: String,
) -> Fix {
    let task = &reading.plan.tasks[index];
    let new = TaskId::from("+1");
    let mut mends = vec![Mend::AddTask {
        handle: new.clone(),
        place: Place::Before(task.id.clone()),
        kind,
        title: title.to_owned(),
        fields: Vec::new(),
    }];
    let said = task
        .depends
        .as_ref()
        .map(|ids| ids.iter().map(|id| id.0.clone()).collect());
    // A step above that waits for this one would wait for the new one, and that for it.
    let waits: Option<Vec<String>> = said.or_else(|| {
        reading.graph().is_awaited_above(index).then(|| {
            let waits = reading.graph().waits_for(index);
            waits
                .iter()
                .map(|at| reading.plan.tasks[*at].id.0.clone())
                .collect()
        })
    });
    if let Some(mut values) = waits {
        if values.is_empty() {
            values.push("none".to_owned());
        }
        mends.push(Mend::SetValues {
            task: new.clone(),
            key: "depends".to_owned(),
            values,
        });
        mends.push(Mend::Connect {
            from: new,
            to: task.id.clone(),
        });
    }
    Fix { label, mends }
}

/// Lets a step come behind another: moved there, or by a dependency; none that would close a circle.
pub(crate) fn behind(reading: &Reading<'_>, index: usize, other: usize) -> Vec<Fix> {
    let (task, first) = (&reading.plan.tasks[index], &reading.plan.tasks[other]);
    let (here, there) = (place(task), place(first));
    let graph = reading.graph();
    let needs_it = graph.dependents(index).contains(&other);
    let moved = Fix::of(
        format!("Move {here} behind {there}"),
        Mend::MoveTask {
            task: task.id.clone(),
            place: Place::After(first.id.clone()),
        },
    );
    let waits = Fix::of(
        format!("Let {here} wait for {there}"),
        Mend::Connect {
            from: first.id.clone(),
            to: task.id.clone(),
        },
    );
    if !needs_it {
        return vec![waits, moved];
    }
    // What the check waits for instead: all that the release waited for.
    let values: Vec<String> = match &task.depends {
        Some(ids) => ids.iter().map(|id| id.0.clone()).collect(),
        None => graph
            .waits_for(index)
            .iter()
            .map(|at| reading.plan.tasks[*at].id.0.clone())
            .collect(),
    };
    let says_so = first
        .depends
        .as_ref()
        .is_some_and(|ids| ids.contains(&task.id));
    if first.depends.is_some() && !says_so {
        // It waits for the release through others; which of them is to go is for a person to say.
        return Vec::new();
    }
    let values = if values.is_empty() {
        vec!["none".to_owned()]
    } else {
        values
    };
    let swapped = vec![
        Mend::SetValues {
            task: first.id.clone(),
            key: "depends".to_owned(),
            values,
        },
        Mend::SetValues {
            task: task.id.clone(),
            key: "depends".to_owned(),
            values: vec![first.id.0.clone()],
        },
    ];
    let mut with_move = swapped.clone();
    with_move.push(Mend::MoveTask {
        task: task.id.clone(),
        place: Place::After(first.id.clone()),
    });
    vec![
        Fix {
            label: format!("Move {here} behind {there}, which takes its place in the order"),
            mends: with_move,
        },
        Fix {
            label: format!("Let {here} wait for {there} and leave both where they stand"),
            mends: swapped,
        },
    ]
}

/// A line `note:` of a step.
pub(crate) fn noted(task: &Task, note: &str, label: String) -> Fix {
    Fix::of(
        label,
        Mend::AddValue {
            task: task.id.clone(),
            key: "note".to_owned(),
            value: note.to_owned(),
        },
    )
}
