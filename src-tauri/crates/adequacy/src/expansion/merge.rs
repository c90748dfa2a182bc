//! A reply's tasks as edits of the plan that it was asked about.
//!
//! Expand, do not rewrite: a task that the reply leaves out stays as it is, and so does every value
//! that it leaves out of one. What a reply says besides is added. Other words for a task are taken
//! only where a finding of that task asks for words.

mod matching;
mod placing;
mod reasons;

use std::collections::HashMap;

use plan::{Plan, Task, TaskId, TaskKind};

use super::preserve::asks_for_words;
use super::reply::ReplyTask;
use crate::code::Code;
use crate::identity::fingerprint;
use crate::mend::Mend;
use crate::report::{Report, place_first, quoted};
use matching::{Match, matches};
use placing::Order;
use reasons::{Part, reasons};

/// One proposal: a few steps that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The task that it is about; `None` for a new one, or for the plan.
    pub task: Option<TaskId>,
    /// The codes that it answers.
    pub why: Vec<Code>,
    /// What it does, as one plain sentence.
    pub message: String,
    /// The steps, on the plan of the request. New tasks go by handles that no id of the plan has.
    pub mends: Vec<Mend>,
}

/// What a reply came to.
pub(crate) struct Merged {
    pub(crate) edits: Vec<Edit>,
    /// What was not taken, in a few words each.
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

/// A number for what a reply says, by which two replies are known to be the same.
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

/// The edits that a reply comes to; at most `room` new tasks.
pub(crate) fn of_tasks(plan: &Plan, report: &Report, tasks: &[ReplyTask], room: u32) -> Merged {
    let mut merging = Merging {
        plan,
        report,
        names: HashMap::new(),
        edits: Vec::new(),
        left_out: Vec::new(),
    };
    merging.merge(tasks, room);
    Merged {
        edits: merging.edits,
        left_out: merging.left_out,
    }
}

struct Merging<'a> {
    plan: &'a Plan,
    report: &'a Report,
    /// What the reply's ids stand for.
    names: HashMap<String, TaskId>,
    edits: Vec<Edit>,
    left_out: Vec<String>,
}

impl Merging<'_> {
    fn merge(&mut self, tasks: &[ReplyTask], room: u32) {
        let found = matches(self.plan, tasks, &|id| asks_for_words(self.report, id));
        let (mut new, mut above, mut reworded, mut empty) = (Vec::new(), 0usize, 0usize, 0usize);
        for (reply, found) in tasks.iter().zip(&found) {
            let name = match found {
                Match::Known { index, .. } => self.plan.tasks[*index].id.clone(),
                Match::Other { index } => {
                    reworded += 1;
                    self.plan.tasks[*index].id.clone()
                }
                Match::New if is_empty(reply) => {
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
                .push(format!("{empty} new steps that would fit into any plan"));
        }
        if above > 0 {
            self.left_out.push(format!(
                "{above} new steps, because no more are allowed (`max_tasks`)"
            ));
        }
        for (reply, found) in tasks.iter().zip(&found) {
            if let Match::Known { index, takes_words } = found {
                reworded += usize::from(!takes_words && is_other_words(self.plan, *index, reply));
                self.known(*index, reply, *takes_words);
            }
        }
        if reworded > 0 {
            self.left_out.push(format!(
                "other words for {reworded} of the steps, which no finding asks for"
            ));
        }
        self.new(tasks, &found, &new);
    }

    /// The task that an id of the reply stands for: one of the reply, else one of the plan.
    fn name(&self, id: &str) -> Option<TaskId> {
        let own = self.names.get(id).cloned();
        own.or_else(|| matching::by_id(self.plan, id).map(|at| self.plan.tasks[at].id.clone()))
    }

    /// What a reply adds to a task of the plan.
    fn known(&mut self, index: usize, reply: &ReplyTask, takes_words: bool) {
        let task = &self.plan.tasks[index];
        // What is done is a record, and no plan any more.
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
        for (key, value, part) in self.values(reply, Some(task)) {
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
            // What waits for a new task comes with that one.
            let is_of_plan = self.plan.task(&from).is_some();
            if is_of_plan && from != task.id && !known.contains(&from) {
                said.push(format!("waits for {from}"));
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

    /// The values of a reply that the task does not have, with their keys.
    fn values(&self, reply: &ReplyTask, task: Option<&Task>) -> Vec<(&'static str, String, Part)> {
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
                let mut known = self.plan.requirements.iter();
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
            // A sentence in place of a command says when the step is done.
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

    /// The new tasks, each where its dependencies allow it.
    fn new(&mut self, tasks: &[ReplyTask], found: &[Match], new: &[(&ReplyTask, TaskId)]) {
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
            for (key, value, part) in self.values(reply, None) {
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
                message.push_str(&format!("; {} waits for it", ids.join(", ")));
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

    /// The tasks of the plan that, as the reply says, wait for a new one.
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

    /// The task of the plan behind which the reply has a new one, where it has others behind that.
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

/// Parts of a sentence with commas and an "and".
fn listed(parts: &[String]) -> String {
    match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Longer than any line of a plan that is meant to be read.
const LONGEST_LINE: usize = 600;

fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= LONGEST_LINE && !text.contains(['\n', '\r', '\0'])
}

fn is_path(path: &str) -> bool {
    is_line(path)
        && crate::text::is_real_path(path)
        && !path.contains(char::is_whitespace)
        && !path.contains("://")
}

/// Whether a line is a command and no sentence.
fn is_command(line: &str) -> bool {
    let bare = line.trim().trim_matches('`');
    let first = bare.split_whitespace().next().unwrap_or_default();
    !bare.ends_with('.')
        && bare.is_ascii()
        && !first.is_empty()
        && !first.starts_with(|c: char| c.is_ascii_uppercase())
}

/// Title and further lines of a new task.
fn title_of(reply: &ReplyTask) -> (String, Vec<String>) {
    const LONGEST_TITLE: usize = 200;
    let mut lines = reply.description.lines().map(str::trim);
    let mut lines = lines.by_ref().filter(|line| !line.is_empty());
    let first = matching::without_id(lines.next().unwrap_or_default(), &reply.id).to_owned();
    let mut rest: Vec<String> = lines.map(str::to_owned).collect();
    let title = match first.char_indices().nth(LONGEST_TITLE) {
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

/// The words of a reply as the title of a task that has others. Names that the old title has in
/// back-ticks, and paths, have to be in it.
fn other_title(task: &Task, reply: &ReplyTask) -> Option<String> {
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
    let is_fit = !title.is_empty() && title.len() <= LONGEST_LINE && keeps_names && keeps_paths;
    (is_fit && title != task.title).then_some(title)
}

/// Whether a new step says nothing of its own.
fn is_empty(reply: &ReplyTask) -> bool {
    let has_substance =
        !reply.files.is_empty() || !reply.accept.is_empty() || !reply.verify.is_empty();
    !has_substance && crate::text::is_filler(&reply.description)
}

fn is_other_words(plan: &Plan, index: usize, reply: &ReplyTask) -> bool {
    let said = matching::words(&reply.description);
    !said.is_empty() && !matching::is_title(&plan.tasks[index], &said)
}
