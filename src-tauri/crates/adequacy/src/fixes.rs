//! Edits that fix a finding and follow from the plan itself. Anything that needs a decision remains
//! a question.

use plan::edit::{Place, Splice};
use plan::{Field, Task, TaskId, TaskKind};

use crate::mend::{Fix, Mend};
use crate::plan_context::PlanContext;
use crate::report::place;

/// Fixes one wrong id in `depends:`. An id that differs from an existing one only in case is
/// corrected; any other wrong id is removed if other ids remain. If it is the only id, the person
/// must decide: removing it would silently drop a dependency that the author intended.
pub(crate) fn dependency(context: &PlanContext<'_>, task: &Task, wrong: &TaskId) -> Option<Fix> {
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
    if let Some(meant) = same_but_for_case(context, wrong) {
        return Some(Fix {
            label: format!("Replace {wrong} with {meant}"),
            mends: vec![splice(field, start, end, meant)?],
        });
    }
    // Remove one separator as well: the one after the id or, for the last id, the one before it.
    let (from, to) = match (
        ids.get(at + 1),
        at.checked_sub(1).and_then(|before| ids.get(before)),
    ) {
        (Some((next, _)), _) => (start, *next),
        (None, Some((before, id))) => (before + id.len(), end),
        (None, None) => return None,
    };
    Some(Fix {
        label: format!("Remove {wrong} from `depends:`"),
        mends: vec![splice(field, from, to, "")?],
    })
}

/// Moves a later prerequisite in front of the step that depends on it.
pub(crate) fn move_before(context: &PlanContext<'_>, index: usize, prerequisite: &TaskId) -> Fix {
    let task = &context.plan.tasks[index];
    Fix::of(
        format!("Move {prerequisite} before {}", place(task)),
        Mend::MoveTask {
            task: prerequisite.clone(),
            place: Place::Before(task.id.clone()),
        },
    )
}

fn same_but_for_case<'a>(context: &PlanContext<'a>, wrong: &TaskId) -> Option<&'a str> {
    if context.index_of(wrong.as_str()).is_some() {
        return None;
    }
    let spellings = [
        wrong.as_str().to_ascii_uppercase(),
        wrong.as_str().to_ascii_lowercase(),
    ];
    let index = spellings
        .iter()
        .find_map(|spelling| context.index_of(spelling))?;
    Some(context.plan.tasks[index].id.as_str())
}

fn splice(field: &Field, start: usize, end: usize, text: &str) -> Option<Mend> {
    let base = field.value_span.start;
    // The offsets are valid only if the file contains the value byte for byte.
    (field.value_span.len() == field.value.len()).then(|| {
        Mend::Splice(Splice {
            range: base + start..base + end,
            text: text.to_owned(),
        })
    })
}

/// The ids in a `depends:` value, with their offsets.
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

/// Inserts a new step before an existing one, which then depends on it. The new step takes over the
/// existing step's prerequisites.
pub(crate) fn step_before(
    context: &PlanContext<'_>,
    index: usize,
    kind: TaskKind,
    title: &str,
    label: String,
) -> Fix {
    let task = &context.plan.tasks[index];
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
    // If an earlier step depends on this one, the implicit order would create a cycle.
    let waits: Option<Vec<String>> = said.or_else(|| {
        context.graph().is_awaited_above(index).then(|| {
            let waits = context.graph().waits_for(index);
            waits
                .iter()
                .map(|at| context.plan.tasks[*at].id.0.clone())
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

/// Puts a step after another one, by moving it or by adding a dependency. Offers no fix that would
/// create a cycle.
pub(crate) fn put_after(context: &PlanContext<'_>, index: usize, other: usize) -> Vec<Fix> {
    let (task, first) = (&context.plan.tasks[index], &context.plan.tasks[other]);
    let (here, there) = (place(task), place(first));
    let graph = context.graph();
    let needs_it = graph.dependents(index).contains(&other);
    let moved = Fix::of(
        format!("Move {here} after {there}"),
        Mend::MoveTask {
            task: task.id.clone(),
            place: Place::After(first.id.clone()),
        },
    );
    let waits = Fix::of(
        format!("Make {here} depend on {there}"),
        Mend::Connect {
            from: first.id.clone(),
            to: task.id.clone(),
        },
    );
    if !needs_it {
        return vec![waits, moved];
    }
    // The check takes over the prerequisites of the release.
    let values: Vec<String> = match &task.depends {
        Some(ids) => ids.iter().map(|id| id.0.clone()).collect(),
        None => graph
            .waits_for(index)
            .iter()
            .map(|at| context.plan.tasks[*at].id.0.clone())
            .collect(),
    };
    let says_so = first
        .depends
        .as_ref()
        .is_some_and(|ids| ids.contains(&task.id));
    if first.depends.is_some() && !says_so {
        // The check depends on the release indirectly, and only a person can say which dependency
        // to remove.
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
            label: format!("Move {here} after {there} and update their dependencies"),
            mends: with_move,
        },
        Fix {
            label: format!("Make {here} depend on {there} without moving either"),
            mends: swapped,
        },
    ]
}

/// Adds a `note:` line to a step.
pub(crate) fn add_note(task: &Task, note: &str, label: String) -> Fix {
    Fix::of(
        label,
        Mend::AddValue {
            task: task.id.clone(),
            key: "note".to_owned(),
            value: note.to_owned(),
        },
    )
}
