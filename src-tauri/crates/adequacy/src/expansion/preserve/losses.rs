//! Finds content of one revision of a plan that a later revision lacks.

use std::collections::{HashMap, HashSet};
use std::fmt;

use plan::graph::Graph;
use plan::{Plan, Task, TaskId};

use crate::report::quoted;

/// Something that a later revision lacks. Tasks are named by their ids in the earlier revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// A task.
    Task {
        /// The task's id.
        task: TaskId,
    },
    /// A link to a file.
    File {
        /// The task's id.
        task: TaskId,
        /// The file's path in the workspace.
        path: String,
    },
    /// An acceptance line.
    Acceptance {
        /// The task's id.
        task: TaskId,
        /// The text after `accept:`.
        line: String,
    },
    /// A check.
    Check {
        /// The task's id.
        task: TaskId,
        /// The command line.
        command: String,
    },
    /// A requirement that a task covers.
    Coverage {
        /// The task's id.
        task: TaskId,
        /// The requirement's id.
        requirement: String,
    },
    /// A dependency between tasks.
    Dependency {
        /// The id of the task that depends on the other.
        task: TaskId,
        /// The id of the task that it depends on.
        on: TaskId,
    },
    /// A value of any other key, such as a note, a call or an option.
    Value {
        /// The task's id.
        task: TaskId,
        /// The key, such as `note`.
        key: String,
        /// The value that is missing.
        value: String,
    },
    /// The wording of a title or body, if no finding asks for rewording.
    Words {
        /// The task's id.
        task: TaskId,
    },
    /// The checkbox or kind of a task, who carries it out, whether it asks for confirmation, or its
    /// group.
    Standing {
        /// The task's id.
        task: TaskId,
    },
    /// The check of a step that became a group, if no sub-task has the check; the checks of groups
    /// are not run.
    CheckOfGroup {
        /// The task's id.
        task: TaskId,
        /// The command line.
        command: String,
    },
    /// A requirement.
    Requirement {
        /// The requirement's id.
        id: String,
    },
    /// Anything outside the tasks: the goal, the prose, an answer.
    Around {
        /// A description of the lost content.
        what: &'static str,
    },
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Task { task } => write!(f, "the step {task}"),
            Self::File { task, path } => write!(f, "the file `{path}` of {task}"),
            Self::Acceptance { task, line } => {
                write!(f, "the acceptance criterion {} of {task}", quoted(line))
            }
            Self::Check { task, command } => write!(f, "the check `{command}` of {task}"),
            Self::Coverage { task, requirement } => {
                write!(f, "the link from {task} to {requirement}")
            }
            Self::Dependency { task, on } => write!(f, "{task}'s dependency on {on}"),
            Self::Value { task, key, value } => {
                write!(f, "`{key}:` {} of {task}", quoted(value))
            }
            Self::Words { task } => {
                write!(f, "the wording of {task}, which no finding asks to change")
            }
            Self::Standing { task } => write!(f, "the original checkbox, type or group of {task}"),
            Self::CheckOfGroup { task, command } => write!(
                f,
                "the check `{command}`: {task} becomes a group, and no sub-step runs it"
            ),
            Self::Requirement { id } => write!(f, "the requirement {id}"),
            Self::Around { what } => write!(f, "{what}"),
        }
    }
}

/// Everything that a later revision of a plan lost, task by task. Tasks are matched as in the diff
/// of the two revisions; any rewording counts as a loss.
pub fn losses(before: (&str, &Plan), after: (&str, &Plan)) -> Vec<Loss> {
    let diff = plan::diff::diff(before, after);
    let text = (before.0, after.0);
    let (before, after) = (before.1, after.1);
    let changed: HashMap<usize, Option<usize>> = diff
        .tasks
        .iter()
        .filter_map(|task| Some((task.before?, task.after)))
        .collect();
    let taken: HashSet<usize> = diff.tasks.iter().filter_map(|task| task.after).collect();
    // The remaining tasks are the same and in the same order.
    let mut same = (0..after.tasks.len()).filter(|at| !taken.contains(at));
    let places: Vec<Option<usize>> = (0..before.tasks.len())
        .map(|at| changed.get(&at).copied().unwrap_or_else(|| same.next()))
        .collect();
    let mut lost = between(before, after, &places, &|_| false);
    lost.extend(around(before, after, text));
    lost
}

/// The losses of the tasks. `places` gives, for each task of `before`, its index in `after`.
pub(crate) fn between(
    before: &Plan,
    after: &Plan,
    places: &[Option<usize>],
    may_reword: &dyn Fn(&TaskId) -> bool,
) -> Vec<Loss> {
    let mut lost = Vec::new();
    for (at, old) in before.tasks.iter().enumerate() {
        let Some(place) = places.get(at).copied().flatten() else {
            lost.push(Loss::Task {
                task: old.id.clone(),
            });
            continue;
        };
        let Some(new) = after.tasks.get(place) else {
            continue;
        };
        values(old, new, &mut lost);
        let keeps_words =
            (old.title == new.title || may_reword(&old.id)) && new.body.contains(old.body.as_str());
        if !keeps_words {
            lost.push(Loss::Words {
                task: old.id.clone(),
            });
        }
        let parent = old
            .parent
            .and_then(|parent| places.get(parent))
            .copied()
            .flatten();
        let keeps_standing = (old.marker, old.kind, old.by, old.confirm)
            == (new.marker, new.kind, new.by, new.confirm)
            && parent == new.parent;
        if !keeps_standing {
            lost.push(Loss::Standing {
                task: old.id.clone(),
            });
        }
        if !old.is_group() && new.is_group() {
            lost.extend(checks_of_group(old, after, place));
        }
    }
    lost.extend(dependencies(before, after, places));
    lost
}

fn values(old: &Task, new: &Task, lost: &mut Vec<Loss>) {
    let task = || old.id.clone();
    let gone = |old: &[String], new: &[String]| -> Vec<String> {
        let gone = old.iter().filter(|value| !new.contains(value));
        gone.cloned().collect()
    };
    let files = gone(&old.files, &new.files);
    lost.extend(
        files
            .into_iter()
            .map(|path| Loss::File { task: task(), path }),
    );
    let lines = gone(&old.accept, &new.accept);
    lost.extend(
        lines
            .into_iter()
            .map(|line| Loss::Acceptance { task: task(), line }),
    );
    let checks = gone(&old.verify, &new.verify);
    lost.extend(checks.into_iter().map(|command| Loss::Check {
        task: task(),
        command,
    }));
    let covers = gone(&old.covers, &new.covers);
    lost.extend(covers.into_iter().map(|requirement| Loss::Coverage {
        task: task(),
        requirement,
    }));
    const ELSEWHERE: [&str; 5] = ["files", "accept", "verify", "covers", "depends"];
    // Options refer to tasks whose ids may have changed, so only their labels are compared.
    let is_kept = |key: &str, value: &str| match key {
        "tools" => old.tools.iter().all(|tool| new.tools.contains(tool)),
        "option" => {
            let label = value.split("->").next().unwrap_or(value).trim();
            let mut values = new.values(key);
            values.any(|value| value.split("->").next().unwrap_or(value).trim() == label)
        }
        _ => new.values(key).any(|now| now == value),
    };
    for field in &old.fields {
        let key = field.key.as_ref();
        if !ELSEWHERE.contains(&key) && !is_kept(key, &field.value) {
            lost.push(Loss::Value {
                task: task(),
                key: field.key.to_string(),
                value: field.value.clone(),
            });
        }
    }
}

fn checks_of_group(old: &Task, after: &Plan, place: usize) -> Vec<Loss> {
    let depth = after.tasks[place].depth;
    let below = after.tasks[place + 1..].iter();
    let below: Vec<&Task> = below.take_while(|task| task.depth > depth).collect();
    let runs = |command: &&String| below.iter().any(|task| task.verify.contains(command));
    let lost = old.verify.iter().filter(|command| !runs(command));
    lost.map(|command| Loss::CheckOfGroup {
        task: old.id.clone(),
        command: command.clone(),
    })
    .collect()
}

fn dependencies<'a>(
    before: &'a Plan,
    after: &Plan,
    places: &[Option<usize>],
) -> impl Iterator<Item = Loss> + 'a {
    let id = |at: usize| before.tasks[at].id.clone();
    let lost = lost_dependencies(before, after, places).into_iter();
    lost.map(move |(task, on)| Loss::Dependency {
        task: id(task),
        on: id(on),
    })
}

/// Dependencies of `before` that no longer hold even indirectly, as index pairs of a waiting task
/// and its prerequisite. `places` gives, for each task of `before`, its index in `after`.
pub(crate) fn lost_dependencies(
    before: &Plan,
    after: &Plan,
    places: &[Option<usize>],
) -> Vec<(usize, usize)> {
    let (was, is) = (Graph::of(before), Graph::of(after));
    let mut lost = Vec::new();
    for (at, _) in before.leaves() {
        let Some(now) = places.get(at).copied().flatten() else {
            continue;
        };
        for on in was.waits_for(at) {
            let Some(on_now) = places.get(*on).copied().flatten() else {
                continue;
            };
            let needed: HashSet<usize> = is.leaves_of(on_now).iter().copied().collect();
            let waits = is
                .leaves_of(now)
                .iter()
                .all(|leaf| reaches(&is, *leaf, needed.clone()));
            if !waits {
                lost.push((at, *on));
            }
        }
    }
    lost
}

/// Whether a task depends on all of these tasks, directly or indirectly.
fn reaches(graph: &Graph, from: usize, mut needed: HashSet<usize>) -> bool {
    let mut seen: HashSet<usize> = HashSet::from([from]);
    let mut open = std::collections::VecDeque::from([from]);
    while let Some(at) = open.pop_front() {
        for next in graph.waits_for(at) {
            needed.remove(next);
            if seen.insert(*next) {
                open.push_back(*next);
            }
        }
        if needed.is_empty() {
            return true;
        }
    }
    needed.is_empty()
}

fn requirements(before: &Plan, after: &Plan) -> Vec<Loss> {
    let is_kept = |id: &str, text: &str| {
        let mut now = after.requirements.iter();
        now.any(|requirement| requirement.id == id && requirement.text == text)
    };
    let lost = before
        .requirements
        .iter()
        .filter(|requirement| !is_kept(&requirement.id, &requirement.text));
    lost.map(|requirement| Loss::Requirement {
        id: requirement.id.clone(),
    })
    .collect()
}

/// The losses outside the tasks.
pub(crate) fn around(
    before: &Plan,
    after: &Plan,
    (old, new): (&str, &str),
) -> impl Iterator<Item = Loss> {
    let mut lost = requirements(before, after);
    let mut must_hold = |holds: bool, what| {
        if !holds {
            lost.push(Loss::Around { what });
        }
    };
    let (was, is) = (&before.front, &after.front);
    must_hold(
        (&was.goal, &was.id, &was.base, &was.strategy, &was.other)
            == (&is.goal, &is.id, &is.base, &is.strategy, &is.other),
        "values in the front matter",
    );
    let title = |plan: &Plan| plan.title.as_ref().map(|title| title.text.clone());
    must_hold(title(before) == title(after), "the title of the plan");
    let answers = |plan: &Plan| -> Vec<Option<String>> {
        let records = plan.decisions.iter();
        records.map(|record| record.answer.clone()).collect()
    };
    must_hold(
        answers(before) == answers(after),
        "the answers to decisions",
    );
    let grows = after.requirements.len() > before.requirements.len();
    let intro = |plan: &Plan, text: &str| text.get(plan.preamble.clone()).map(str::to_owned);
    must_hold(
        grows || intro(before, old) == intro(after, new),
        "the text above the steps",
    );
    lost.into_iter()
}
