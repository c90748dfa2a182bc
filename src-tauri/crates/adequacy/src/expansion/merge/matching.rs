//! Matches the tasks of a reply with those of the plan.
//!
//! Models renumber tasks, reuse ids and answer in other languages, so an id alone is not enough. If
//! the words of a reply task are those of another task, it is matched with that task. If its words
//! have nothing in common with the task that has its id, and no finding asks for rewording, it is
//! ignored.

use std::collections::{HashMap, HashSet};

use plan::{Plan, Task, TaskId};

use repair::ReplyTask;

/// How a task in a reply relates to the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Match {
    /// It matches an existing task.
    Known {
        /// The task's index in the plan.
        index: usize,
        /// Whether the task's wording may be replaced.
        takes_words: bool,
    },
    /// It has the id of an existing task but different wording.
    Other {
        /// Index of that task in the plan.
        index: usize,
    },
    /// It is a new task.
    New,
    /// It is empty or a repetition.
    Nothing,
}

/// Matches each task of a reply with the plan.
pub(super) fn matches(
    plan: &Plan,
    tasks: &[ReplyTask],
    asks_for_words: &dyn Fn(&TaskId) -> bool,
) -> Vec<Match> {
    let titles = titles(plan);
    let mut taken: HashSet<usize> = HashSet::new();
    let mut new: HashSet<String> = HashSet::new();
    let mut found = Vec::with_capacity(tasks.len());
    for reply in tasks {
        let said = words(without_id(&reply.description, &reply.id));
        let by_words = titles.get(&said).copied();
        let by_id = by_id(plan, &reply.id);
        let is_free = |index: &usize| !taken.contains(index);
        let one = match (by_id, by_words) {
            (Some(index), _) if said.is_empty() => Match::Known {
                index,
                takes_words: false,
            },
            (Some(index), _) if is_title(&plan.tasks[index], &said) => Match::Known {
                index,
                takes_words: false,
            },
            (_, Some(index)) => Match::Known {
                index,
                takes_words: false,
            },
            (Some(index), None) if is_free(&index) => {
                let task = &plan.tasks[index];
                if asks_for_words(&task.id) {
                    Match::Known {
                        index,
                        takes_words: true,
                    }
                } else if is_like(&words(&task.title), &said) {
                    Match::Known {
                        index,
                        takes_words: false,
                    }
                } else {
                    Match::Other { index }
                }
            }
            _ if said.is_empty() || !new.insert(said) => Match::Nothing,
            _ => Match::New,
        };
        if let Match::Known { index, .. } | Match::Other { index } = one {
            taken.insert(index);
        }
        found.push(one);
    }
    found
}

/// The task with this id. Models may change the case of an id or write only its number.
pub(super) fn by_id(plan: &Plan, id: &str) -> Option<usize> {
    let id = id.trim();
    if id.is_empty() {
        return None;
    }
    let is = |wanted: &str| {
        let mut tasks = plan.tasks.iter();
        tasks.position(|task| task.id.as_str().eq_ignore_ascii_case(wanted))
    };
    let exact = plan.tasks.iter().position(|task| task.id.as_str() == id);
    exact.or_else(|| is(id)).or_else(|| {
        let is_number = id.bytes().all(|b| b.is_ascii_digit());
        let with = |mark: &str| is(&format!("{mark}{id}"));
        is_number.then(|| with("T").or_else(|| with("#"))).flatten()
    })
}

/// The titles that occur only once, with and without the body, each with the index of its task.
fn titles(plan: &Plan) -> HashMap<String, usize> {
    let mut titles: HashMap<String, Option<usize>> = HashMap::new();
    for (index, task) in plan.tasks.iter().enumerate() {
        let mut forms = vec![words(&task.title)];
        if !task.body.is_empty() {
            forms.push(words(&format!("{} {}", task.title, task.body)));
        }
        for form in forms.into_iter().filter(|form| !form.is_empty()) {
            titles
                .entry(form)
                .and_modify(|known| *known = None)
                .or_insert(Some(index));
        }
    }
    titles
        .into_iter()
        .filter_map(|(form, index)| Some((form, index?)))
        .collect()
}

/// Whether the words are a task's title, with or without its body.
pub(super) fn is_title(task: &Task, said: &str) -> bool {
    words(&task.title) == said || words(&format!("{} {}", task.title, task.body)) == said
}

/// The text reduced to lowercase letters and digits, with one space between words.
pub(super) fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            words.push(c);
        } else if !words.ends_with(' ') && !words.is_empty() {
            words.push(' ');
        }
    }
    words.truncate(words.trim_end().len());
    words
}

/// Whether two texts share at least a third of the distinct words of the shorter one.
fn is_like(one: &str, other: &str) -> bool {
    let (one, other): (HashSet<&str>, HashSet<&str>) =
        (one.split(' ').collect(), other.split(' ').collect());
    let shared = one.intersection(&other).count();
    shared * 3 >= one.len().min(other.len()) && shared > 0
}

/// The description without the id that models often repeat at its beginning.
pub(super) fn without_id<'t>(text: &'t str, id: &str) -> &'t str {
    let bare = text.trim().trim_start_matches(['*', '`']);
    let Some(rest) = bare.strip_prefix(id).filter(|_| !id.is_empty()) else {
        return text.trim();
    };
    let rest = rest.trim_start_matches(['*', '`']);
    match rest.strip_prefix([':', '.', ')', '-', '–', '—']) {
        Some(rest) => rest.trim_start_matches(['*', '`', ' ']).trim(),
        None => text.trim(),
    }
}
