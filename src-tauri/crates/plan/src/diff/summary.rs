//! Summarizes a difference in one line.

use super::{ChangeKind, PartDiff, PlanDiff, RunKind, TaskDiff};

/// A summary such as `T4 reworded, T6 new, T2 check removed`. At most `limit` changes are named
/// (at least one); the rest are counted: `and 12 more`. If no task changed, the parts around them
/// are named: `goal reworded`, `R2 new`, `D1 answered`, `prose only`. Empty if nothing but
/// whitespace differs.
pub fn summary(diff: &PlanDiff, limit: usize) -> String {
    let limit = limit.max(1);
    if diff.tasks.is_empty() {
        return around(&diff.around, limit);
    }
    let all = |kind: ChangeKind| diff.tasks.iter().all(|task| task.kind == kind);
    let count = diff.tasks.len();
    // For a new or emptied plan, give only the number of steps.
    if diff.tasks_before == 0 && all(ChangeKind::Added) && count > 1 {
        return format!("{count} steps");
    }
    if diff.unchanged == 0 && all(ChangeKind::Removed) && count > 1 {
        return format!("all {count} steps removed");
    }
    listed(diff.tasks.iter().map(phrase), count, limit)
}

fn listed(phrases: impl Iterator<Item = String>, count: usize, limit: usize) -> String {
    let mut named: Vec<String> = phrases.take(limit).collect();
    let mut line = named.join(", ");
    if count > limit {
        let left = count - limit;
        named.clear();
        line.push_str(&format!(" and {left} more"));
    }
    line
}

/// A task with its two most important changes.
fn phrase(task: &TaskDiff) -> String {
    let said = match task.kind {
        ChangeKind::Added => Some("new"),
        ChangeKind::Removed => Some("removed"),
        ChangeKind::Reworded => Some("reworded"),
        ChangeKind::Done => Some("done"),
        ChangeKind::Reopened => Some("open again"),
        ChangeKind::Skipped => Some("skipped"),
        ChangeKind::Moved | ChangeKind::Changed => None,
    };
    let notes = task.notes.iter().map(String::as_str);
    let said: Vec<&str> = said.into_iter().chain(notes).take(2).collect();
    let said = if said.is_empty() {
        "changed".to_owned()
    } else {
        said.join(" and ")
    };
    format!("{} {said}", task.id)
}

fn around(parts: &[PartDiff], limit: usize) -> String {
    let mut named: Vec<String> = Vec::new();
    for part in parts {
        let what = change_word(part);
        let said = match part.name.strip_prefix("answer to ") {
            Some(id) => match what {
                "removed" => format!("answer to {id} removed"),
                _ => format!("{id} answered"),
            },
            None if is_named(&part.name) => format!("{} {what}", part.name),
            None => continue,
        };
        named.push(said);
    }
    match named.len() {
        0 if parts.is_empty() => String::new(),
        0 => "prose only".to_owned(),
        count => listed(named.into_iter(), count, limit),
    }
}

/// Whether a part can be named on its own: title, goal and similar keys, requirements. Prose has
/// only a section name.
fn is_named(name: &str) -> bool {
    matches!(name, "title" | "goal" | "base" | "strategy")
        || crate::id_syntax::requirement_id(name).is_some_and(|found| found.rest == name.len())
}

fn change_word(part: &PartDiff) -> &'static str {
    let has = |kind: RunKind| part.words.iter().any(|run| run.kind == kind);
    match (
        has(RunKind::Same),
        has(RunKind::Removed),
        has(RunKind::Added),
    ) {
        (false, false, true) => "new",
        (false, true, false) => "removed",
        _ => "reworded",
    }
}
