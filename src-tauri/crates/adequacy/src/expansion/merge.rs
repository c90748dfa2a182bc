//! Merges the tasks of a reply into the plan as edits.
//!
//! A merge only expands the plan and never rewrites it. Tasks that the reply omits stay unchanged,
//! and so do values that it omits from a task. Everything new is added. A task is reworded only if
//! one of its findings asks for rewording.

mod matching;
mod placing;
mod reasons;
mod values;

use std::collections::HashMap;

use plan::{Plan, TaskId, TaskKind};

use super::preserve::asks_for_words;
use crate::code::Code;
use crate::identity::fingerprint;
use crate::mend::Mend;
use crate::report::{Report, place_first, quoted};
use crate::terms::{self, Kind, Term, words_of};
use crate::verification::can_fail;
use matching::{Match, matches};
use placing::Order;
use reasons::{Part, reasons};
use repair::ReplyTask;
use rustc_hash::FxHashSet;
use values::{other_title, title_of, values};

/// A proposal: a few edit steps that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The task that the proposal changes; `None` for a new task or the plan as a whole.
    pub task: Option<TaskId>,
    /// The finding codes that the proposal addresses.
    pub why: Vec<Code>,
    /// The effect of the proposal, in one sentence.
    pub message: String,
    /// The edit steps, relative to the plan in the request. New tasks get handles that no id in the
    /// plan uses.
    pub mends: Vec<Mend>,
}

/// Result of merging a reply.
pub(crate) struct Merged {
    pub(crate) edits: Vec<Edit>,
    /// Short descriptions of the parts that were omitted.
    pub(crate) left_out: Vec<String>,
}

impl Merged {
    pub(crate) fn of_edits(edits: Vec<Edit>) -> Self {
        Self {
            edits,
            left_out: Vec::new(),
        }
    }
}

/// Hash of a reply's content, used to detect identical replies.
pub(crate) fn hash(tasks: &[ReplyTask]) -> u64 {
    let said: Vec<String> = tasks
        .iter()
        .map(|task| {
            let size = task.estimated_complexity.unwrap_or(0);
            let depends = task.depends_on.join(",");
            format!("{}\t{}\t{size}\t{depends}", task.id, task.description)
        })
        .collect();
    fingerprint(&said.join("\n"))
}

/// Converts a reply to edits that add at most `room` tasks.
pub(crate) fn of_tasks(plan: &Plan, report: &Report, tasks: &[ReplyTask], room: u32) -> Merged {
    let mut merger = Merger {
        plan,
        report,
        names: HashMap::new(),
        edits: Vec::new(),
        left_out: Vec::new(),
    };
    merger.merge(tasks, room);
    Merged {
        edits: merger.edits,
        left_out: merger.left_out,
    }
}

struct Merger<'a> {
    plan: &'a Plan,
    report: &'a Report,
    /// The task that each id in the reply refers to.
    names: HashMap<String, TaskId>,
    edits: Vec<Edit>,
    left_out: Vec<String>,
}

impl Merger<'_> {
    fn merge(&mut self, tasks: &[ReplyTask], room: u32) {
        let found = matches(self.plan, tasks, &|id| asks_for_words(self.report, id));
        let listed = self.report.requirements.iter().map(|one| &*one.text);
        let whole = [
            self.plan.title.as_ref().map(|title| &*title.text),
            self.plan.goal(),
        ];
        let asked = words_of(whole.into_iter().flatten().chain(listed));
        let (mut new, mut above, mut reworded, mut empty) = (Vec::new(), 0usize, 0usize, 0usize);
        for (reply, found) in tasks.iter().zip(&found) {
            let name = match found {
                Match::Known { index, .. } => self.plan.tasks[*index].id.clone(),
                Match::Other { index } => {
                    reworded += 1;
                    self.plan.tasks[*index].id.clone()
                }
                Match::New if is_generic(reply, &asked) => {
                    empty += 1;
                    continue;
                }
                Match::New if (new.len() as u64) < u64::from(room) => {
                    let name = TaskId(format!("+{}", new.len() + 1));
                    new.push((reply, name.clone()));
                    name
                }
                Match::New => {
                    above += 1;
                    continue;
                }
                Match::Nothing => continue,
            };
            if !reply.id.is_empty() {
                self.names.entry(reply.id.clone()).or_insert(name);
            }
        }
        if empty > 0 {
            self.left_out
                .push(format!("{} too generic to help", new_steps(empty)));
        }
        if above > 0 {
            self.left_out
                .push(format!("{} over the limit (`max_tasks`)", new_steps(above)));
        }
        for (reply, found) in tasks.iter().zip(&found) {
            if let Match::Known { index, takes_words } = found {
                reworded += usize::from(!takes_words && is_reworded(self.plan, *index, reply));
                self.known(*index, reply, *takes_words);
            }
        }
        if reworded > 0 {
            self.left_out.push(format!(
                "rewordings of {reworded} {}, which no finding asks for",
                if reworded == 1 { "step" } else { "steps" }
            ));
        }
        self.added(tasks, &found, &new);
    }

    /// The task that an id refers to: a task of the reply or, failing that, of the plan.
    fn name(&self, id: &str) -> Option<TaskId> {
        let own = self.names.get(id).cloned();
        own.or_else(|| matching::by_id(self.plan, id).map(|at| self.plan.tasks[at].id.clone()))
    }

    /// Adds an edit with what a reply adds to an existing task, if it adds anything.
    fn known(&mut self, index: usize, reply: &ReplyTask, takes_words: bool) {
        let task = &self.plan.tasks[index];
        // A completed task is a record of past work and is not changed.
        if task.done {
            return;
        }
        let mut parts: Vec<Part> = Vec::new();
        let mut mends = Vec::new();
        let mut said = Vec::new();
        if takes_words && let Some(title) = other_title(task, reply) {
            said.push(format!("says {} now", quoted(&title)));
            mends.push(Mend::SetTitle {
                task: task.id.clone(),
                title,
            });
            parts.push(Part::Words);
        }
        for (key, value, part) in values(self.plan, reply, Some(task)) {
            said.push(part.says(&value));
            mends.push(Mend::AddValue {
                task: task.id.clone(),
                key: key.to_owned(),
                value,
            });
            parts.push(part);
        }
        let known = task.depends.clone().unwrap_or_default();
        for id in &reply.depends_on {
            let Some(from) = self.name(id) else { continue };
            // Dependencies on a new task are added together with that task.
            let is_of_plan = self.plan.task(&from).is_some();
            if is_of_plan && from != task.id && !known.contains(&from) {
                said.push(format!("depends on {from}"));
                mends.push(Mend::Connect {
                    from,
                    to: task.id.clone(),
                });
                parts.push(Part::Waiting);
            }
        }
        if mends.is_empty() {
            return;
        }
        self.edits.push(Edit {
            task: Some(task.id.clone()),
            why: reasons(self.report, Some(&task.id), &parts, &reply.why),
            message: format!("{} {}.", place_first(task), listed(&said)),
            mends,
        });
    }

    /// Adds the new tasks, each at a position that its dependencies allow.
    fn added(&mut self, tasks: &[ReplyTask], found: &[Match], new: &[(&ReplyTask, TaskId)]) {
        let mut order = Order::of(self.plan);
        for at in placing::sorted(new, &|id| self.name(id)) {
            let (reply, name) = &new[at];
            let mut needs: Vec<TaskId> = Vec::new();
            for id in &reply.depends_on {
                let on = self.name(id).filter(|on| on != name && order.has(on));
                needs.extend(on.filter(|on| !needs.contains(on)));
            }
            let waiting = self.waiting(tasks, found, name);
            let after = self.said_after(tasks, found, reply);
            let spot = order.put(self.plan, name, &needs, &waiting, after.as_ref());
            let (title, rest) = title_of(reply);
            let mut mends = vec![Mend::AddTask {
                handle: name.clone(),
                place: spot.place,
                kind: TaskKind::Normal,
                title: title.clone(),
                fields: Vec::new(),
            }];
            let mut add = |key: &str, value: String| {
                mends.push(Mend::AddValue {
                    task: name.clone(),
                    key: key.to_owned(),
                    value,
                });
            };
            rest.into_iter().for_each(|line| add("note", line));
            let mut parts = vec![Part::New];
            for (key, value, part) in values(self.plan, reply, None) {
                add(key, value);
                parts.push(part);
            }
            if let Some(size) = reply.estimated_complexity {
                add("complexity", size.to_string());
            }
            if spot.keeps_order {
                mends.extend(needs.into_iter().map(|from| Mend::Connect {
                    from,
                    to: name.clone(),
                }));
            } else if !needs.is_empty() {
                mends.push(Mend::SetValues {
                    task: name.clone(),
                    key: "depends".to_owned(),
                    values: needs.into_iter().map(|id| id.0).collect(),
                });
            }
            let mut message = format!("Adds {}", quoted(&title));
            if !spot.waiting.is_empty() {
                let ids: Vec<&str> = spot.waiting.iter().map(TaskId::as_str).collect();
                message.push_str(&format!("; makes {} depend on it", ids.join(", ")));
            }
            let guarded = spot.waiting.first().cloned();
            mends.extend(spot.waiting.into_iter().map(|to| Mend::Connect {
                from: name.clone(),
                to,
            }));
            message.push('.');
            self.edits.push(Edit {
                task: None,
                why: reasons(self.report, guarded.as_ref(), &parts, &reply.why),
                message,
                mends,
            });
        }
    }

    /// The tasks of the plan that, according to the reply, depend on a new task.
    fn waiting(&self, tasks: &[ReplyTask], found: &[Match], name: &TaskId) -> Vec<TaskId> {
        let mut waiting = Vec::new();
        for (reply, found) in tasks.iter().zip(found) {
            let (Match::Known { index, .. } | Match::Other { index }) = found else {
                continue;
            };
            let task = &self.plan.tasks[*index];
            let names = |id: &String| self.name(id).as_ref() == Some(name);
            if !task.done && reply.depends_on.iter().any(names) && !waiting.contains(&task.id) {
                waiting.push(task.id.clone());
            }
        }
        waiting
    }

    /// The last existing task that the reply lists before a new one. `None` if the reply lists no
    /// existing task before it, or none after it.
    fn said_after(
        &self,
        tasks: &[ReplyTask],
        found: &[Match],
        reply: &ReplyTask,
    ) -> Option<TaskId> {
        let at = tasks.iter().position(|task| std::ptr::eq(task, reply))?;
        let known = |found: &Match| match found {
            Match::Known { index, .. } | Match::Other { index } => Some(*index),
            Match::New | Match::Nothing => None,
        };
        found[at..].iter().find_map(known)?;
        let before = found[..at].iter().rev().find_map(known)?;
        Some(self.plan.tasks[before].id.clone())
    }
}

fn new_steps(count: usize) -> String {
    match count {
        1 => "1 new step".to_owned(),
        count => format!("{count} new steps"),
    }
}

/// Joins phrases with commas and "and".
fn listed(parts: &[String]) -> String {
    match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Whether a new step is generic: it names no file and no check that can fail, and shares no
/// distinctive word with the goal or the requirements. Its other fields prove nothing, since they
/// are only claims.
fn is_generic(reply: &ReplyTask, asked: &FxHashSet<Term>) -> bool {
    let is_shown = !reply.files.is_empty() || reply.verify.iter().any(|command| can_fail(command));
    let mut tells = false;
    terms::of(&reply.description, None, &mut |term, kind, _| {
        tells |= kind == Kind::Name || kind == Kind::Plain && asked.contains(&term);
    });
    !is_shown && !tells
}

fn is_reworded(plan: &Plan, index: usize, reply: &ReplyTask) -> bool {
    let said = matching::words(&reply.description);
    !said.is_empty() && !matching::is_title(&plan.tasks[index], &said)
}
