//! Parses a plan in Markdown from a model's answer into steps.
//!
//! The answer is parsed like any plan file, and only the parsed values are used. Ticked boxes,
//! answers, front matter and everything after the list are ignored. A task with subtasks is
//! replaced by them.

use plan::{ChoiceOption, Plan, Task, TaskId, TaskKind};

use super::step::{DraftKind, DraftStep, without_repeats};

/// Maximum text length parsed, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The steps in a Markdown answer and the prose before them. No steps if there is no task list.
pub fn steps_of_markdown(text: &str) -> (String, Vec<DraftStep>) {
    let text = unfenced(text);
    if text.len() > MAX_BYTES {
        return (String::new(), Vec::new());
    }
    let (plan, _) = plan::parse(text);
    let steps = plan.leaves().map(|(at, task)| step(&plan, at, task));
    let steps = steps.filter(|step| !step.what.trim().is_empty());
    (prose(&plan, text), without_repeats(steps))
}

/// The text inside the code fence around the task list, if there is one; else the whole answer.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let Some(open) = text.find("```").filter(|at| {
        // A fence that starts further down belongs to a step.
        !text[..*at].contains("- [")
    }) else {
        return text;
    };
    let inside = &text[open..];
    let inside = inside.find('\n').map_or("", |end| &inside[end + 1..]);
    let is_plan = inside.contains("- [");
    match inside.rfind("\n```") {
        Some(end) if is_plan => &inside[..end],
        None if is_plan => inside,
        _ => text,
    }
}

fn step(plan: &Plan, at: usize, task: &Task) -> DraftStep {
    let mut groups = Vec::new();
    let mut above = plan.tasks[at].parent;
    while let Some(parent) = above {
        groups.push(&plan.tasks[parent]);
        above = plan.tasks[parent].parent;
    }
    let mut why: Vec<&str> = task.why.as_deref().into_iter().collect();
    why.extend(task.values("note"));
    if !task.body.is_empty() {
        why.push(&task.body);
    }
    let part: String = groups
        .first()
        .map(|group| format!(" (part of: {})", group.title.trim()))
        .unwrap_or_default();
    let own_depends = task.depends.iter().flatten();
    let group_depends = groups
        .iter()
        .flat_map(|group| group.depends.iter().flatten());
    let depends = own_depends.chain(group_depends);
    let inherited = |own: &[String], of: fn(&Task) -> &Vec<String>| -> Vec<String> {
        match own.is_empty() {
            true => groups.iter().flat_map(|group| of(group).clone()).collect(),
            false => own.to_vec(),
        }
    };
    DraftStep {
        id: task.id.0.clone(),
        what: format!("{}{part}", task.title),
        why: why.join(" "),
        files: inherited(&task.files, |group| &group.files),
        depends: depends.flat_map(|id| leaves_of(plan, id)).collect(),
        covers: inherited(&task.covers, |group| &group.covers),
        accept: task.accept.clone(),
        verify: task.verify.clone(),
        tools: task.tools.clone(),
        complexity: task.complexity,
        kind: match task.kind {
            TaskKind::Normal => DraftKind::Work,
            TaskKind::Checkpoint => DraftKind::Checkpoint,
            TaskKind::Decision => DraftKind::Decision(options(plan, &task.options)),
        },
    }
}

/// The task with this id, or all leaves of a group.
fn leaves_of(plan: &Plan, id: &TaskId) -> Vec<String> {
    let Some(at) = plan.index_of(id) else {
        return vec![id.0.clone()];
    };
    let depth = plan.tasks[at].depth;
    let below = plan.tasks[at + 1..]
        .iter()
        .take_while(|task| task.depth > depth);
    let leaves: Vec<String> = below
        .filter(|task| task.children.is_empty())
        .map(|task| task.id.0.clone())
        .collect();
    match leaves.is_empty() {
        true => vec![id.0.clone()],
        false => leaves,
    }
}

fn options(plan: &Plan, options: &[ChoiceOption]) -> Vec<ChoiceOption> {
    use plan::ChoiceEffect::{Branch, Skip};
    let leaves = |ids: &[TaskId]| -> Vec<TaskId> {
        let ids = ids.iter().flat_map(|id| leaves_of(plan, id));
        ids.map(TaskId).collect()
    };
    let options = options.iter().map(|option| ChoiceOption {
        label: option.label.clone(),
        effect: match &option.effect {
            Branch(ids) => Branch(leaves(ids)),
            Skip(ids) => Skip(leaves(ids)),
            other => other.clone(),
        },
    });
    options.collect()
}

/// The text before the tasks, without headings and lists.
fn prose(plan: &Plan, text: &str) -> String {
    let before = text.get(plan.preamble.clone()).unwrap_or_default();
    let mut in_section = false;
    let lines = before.lines().map(str::trim).filter(|line| {
        if line.starts_with("## ") {
            in_section = true;
        }
        !in_section && !line.starts_with(['#', '-', '*', '>', '|', '`', '<'])
    });
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join(" ")
}
