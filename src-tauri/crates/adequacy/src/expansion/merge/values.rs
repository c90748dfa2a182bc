//! Cleans the titles and values in a reply and finds those that the task lacks.

use plan::{Plan, Task, TaskKind};

use super::matching;
use super::reasons::Part;
use repair::ReplyTask;

/// Values in a reply that the task lacks, each with its key.
pub(super) fn values(
    plan: &Plan,
    reply: &ReplyTask,
    task: Option<&Task>,
) -> Vec<(&'static str, String, Part)> {
    let mut values = Vec::new();
    let is_step = task.is_none_or(|task| task.kind == TaskKind::Normal && !task.is_group());
    let has = |own: fn(&Task) -> &[String], value: &str| {
        let same = |one: &String| matching::words(one) == matching::words(value);
        task.is_some_and(|task| own(task).iter().any(same))
    };
    if is_step {
        let files = reply.files.iter().filter(|path| is_path(path));
        values.extend(
            files
                .filter(|path| task.is_none_or(|task| !task.files.contains(path)))
                .map(|path| ("files", path.clone(), Part::Files)),
        );
        let known = |id: &&String| {
            let mut known = plan.requirements.iter();
            known.any(|requirement| requirement.id == **id)
        };
        let covers = reply.covers.iter().filter(known);
        values.extend(
            covers
                .filter(|id| task.is_none_or(|task| !task.covers.contains(id)))
                .map(|id| ("covers", id.clone(), Part::Covers)),
        );
    }
    let lines = reply.accept.iter().filter(|line| is_line(line));
    values.extend(
        lines
            .filter(|line| !has(|task| &task.accept, line))
            .map(|line| ("accept", line.clone(), Part::Check)),
    );
    let checks = reply.verify.iter().filter(|line| is_line(line));
    for line in checks {
        // A sentence where a command is expected is treated as an acceptance criterion.
        let key = if is_command(line) { "verify" } else { "accept" };
        let is_known = match key {
            "verify" => has(|task| &task.verify, line),
            _ => has(|task| &task.accept, line),
        };
        if is_step && !is_known {
            values.push((key, line.clone(), Part::Check));
        }
    }
    let notes = reply.notes.iter().filter(|line| is_line(line));
    let has_note = |line: &str| task.is_some_and(|task| task.values("note").any(|n| n == line));
    values.extend(
        notes
            .filter(|line| !has_note(line))
            .map(|line| ("note", line.clone(), Part::Note)),
    );
    let mut seen = std::collections::HashSet::new();
    values.retain(|(key, value, _)| seen.insert((*key, value.clone())));
    values
}

/// Maximum length of a line, in bytes.
const MAX_LINE_LEN: usize = 600;

fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= MAX_LINE_LEN && !text.contains(['\n', '\r', '\0'])
}

fn is_path(path: &str) -> bool {
    is_line(path)
        && crate::task_text::is_real_path(path)
        && !path.contains(char::is_whitespace)
        && !path.contains("://")
}

/// Whether a line is a command rather than a sentence.
fn is_command(line: &str) -> bool {
    let bare = line.trim().trim_matches('`');
    let first = bare.split_whitespace().next().unwrap_or_default();
    !bare.ends_with('.')
        && bare.is_ascii()
        && !first.is_empty()
        && !first.starts_with(|c: char| c.is_ascii_uppercase())
}

/// The title of a new task, and the lines below it.
pub(super) fn title_of(reply: &ReplyTask) -> (String, Vec<String>) {
    const MAX_TITLE_LEN: usize = 200;
    let mut lines = reply.description.lines().map(str::trim);
    let mut lines = lines.by_ref().filter(|line| !line.is_empty());
    let first = matching::without_id(lines.next().unwrap_or_default(), &reply.id).to_owned();
    let mut rest: Vec<String> = lines.map(str::to_owned).collect();
    let title = match first.char_indices().nth(MAX_TITLE_LEN) {
        None => first,
        Some((limit, _)) => {
            let cut = first[..limit]
                .rfind(". ")
                .map_or_else(|| first[..limit].rfind(' ').unwrap_or(limit), |at| at + 1);
            rest.insert(0, first[cut..].trim().to_owned());
            first[..cut].trim().to_owned()
        }
    };
    (
        title,
        rest.into_iter().filter(|line| is_line(line)).collect(),
    )
}

/// The reply's wording as a new title for an existing task. `None` if it is the same, is too long,
/// or lacks a path or a backticked name of the old title.
pub(super) fn other_title(task: &Task, reply: &ReplyTask) -> Option<String> {
    let title = matching::without_id(reply.description.trim(), &reply.id);
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let keeps_names = task
        .title
        .split('`')
        .skip(1)
        .step_by(2)
        .all(|name| title.contains(name));
    let keeps_paths = task
        .title
        .split_whitespace()
        .filter(|word| word.contains('/'))
        .all(|word| title.contains(word.trim_matches(|c: char| !c.is_alphanumeric())));
    let is_fit = !title.is_empty() && title.len() <= MAX_LINE_LEN && keeps_names && keeps_paths;
    (is_fit && title != task.title).then_some(title)
}
