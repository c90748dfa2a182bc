//! Ids that both sides took for something new.

use std::collections::{BTreeMap, HashSet};

use super::moves::Replayed;
use crate::edit::{Splice, apply, references};
use crate::ids;
use crate::lines::line_end;
use crate::model::{IdOrigin, Plan, TaskId};
use crate::parse::parse;

/// Ours with other ids where both sides added a task or a requirement under the same one, and what
/// was renamed.
pub(super) fn apart(base: &str, ours: String, theirs: &str) -> (String, Vec<(TaskId, TaskId)>) {
    let [base_plan, our_plan, their_plan] = [base, &ours, theirs].map(|text| parse(text).0);
    let mut renames = Renames::new(&[&base_plan, &our_plan, &their_plan]);
    let (known, taken) = (written(&base_plan), written(&their_plan));
    for task in &our_plan.tasks {
        let id = task.id.as_str();
        if task.id_origin == IdOrigin::Written && taken.contains(id) && !known.contains(id) {
            let twin = their_plan.task(&task.id);
            let lines = &ours[task.span.clone()];
            // The same task, added by both.
            if twin.is_none_or(|twin| theirs[twin.span.clone()] != *lines) {
                renames.add(id);
            }
        }
    }
    let (known, taken) = (&base_plan.requirements, &their_plan.requirements);
    for own in &our_plan.requirements {
        let same_id = |list: &[crate::model::Requirement]| {
            list.iter()
                .find(|other| other.id == own.id)
                .map(|other| other.text.clone())
        };
        let is_other = same_id(taken).is_some_and(|text| text != own.text);
        if is_other && same_id(known).is_none() && requirement_span(&ours, own).is_some() {
            renames.add(&own.id);
        }
    }
    renames.write(ours, &our_plan)
}

/// Ours with other ids for tasks that stand in the merged text twice although no side has them
/// twice; `None` where there are none.
pub(super) fn doubled(merged: &str, sides: &Replayed) -> Option<(String, Vec<(TaskId, TaskId)>)> {
    let twice = |plan: &Plan| -> HashSet<String> {
        let mut seen = HashSet::new();
        let tasks = plan.tasks.iter();
        let written = tasks.filter(|task| task.id_origin == IdOrigin::Written);
        written
            .filter(|task| !seen.insert(task.id.as_str()))
            .map(|task| task.id.0.clone())
            .collect()
    };
    let found = twice(&parse(merged).0);
    if found.is_empty() {
        return None;
    }
    let plans = [&sides.base, &sides.ours, &sides.theirs].map(|text| parse(text).0);
    let [base, ours, theirs] = &plans;
    let known: Vec<HashSet<String>> = plans.iter().map(twice).collect();
    let mut renames = Renames::new(&[base, ours, theirs]);
    let mut new: Vec<&String> = found
        .iter()
        .filter(|id| !known.iter().any(|of| of.contains(*id)))
        .collect();
    new.sort_unstable();
    new.into_iter().for_each(|id| renames.add(id));
    if renames.names.is_empty() {
        return None;
    }
    Some(renames.write(sides.ours.clone(), ours))
}

fn written(plan: &Plan) -> HashSet<&str> {
    let tasks = plan.tasks.iter();
    tasks
        .filter(|task| task.id_origin == IdOrigin::Written)
        .map(|task| task.id.as_str())
        .collect()
}

/// The place of a requirement's id, when it is written.
fn requirement_span(text: &str, own: &crate::model::Requirement) -> Option<crate::model::Span> {
    let line = &text[own.span.start..line_end(text, own.span.start)];
    let words = line.trim_start_matches([' ', '\t', '>']);
    let words = words.split_once([' ', '\t'])?.1.trim_start();
    let found = ids::requirement_id(words)?;
    let start = own.span.start + (words.as_ptr() as usize - line.as_ptr() as usize);
    (words[found.id.clone()] == own.id).then(|| start + found.id.start..start + found.id.end)
}

/// New names for old ones.
struct Renames {
    used: HashSet<String>,
    names: BTreeMap<String, String>,
}

impl Renames {
    fn new(plans: &[&Plan]) -> Self {
        let mut used = HashSet::new();
        for plan in plans {
            used.extend(plan.tasks.iter().map(|task| task.id.0.clone()));
            used.extend(plan.decisions.iter().map(|record| record.task.0.clone()));
            used.extend(plan.requirements.iter().map(|found| found.id.clone()));
            let named = plan.tasks.iter().flat_map(|task| &task.fields);
            for field in named {
                let ids = references::ids_in(&field.key, &field.value);
                used.extend(ids.into_iter().map(str::to_owned));
            }
        }
        Self {
            used,
            names: BTreeMap::new(),
        }
    }

    /// Finds the next free id for one that is taken. Zeros in front stay: `T009` becomes `T010`.
    fn add(&mut self, id: &str) {
        let digits = id.len() - id.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (letters, number) = id.split_at(id.len() - digits);
        let Ok(number) = number.parse::<u64>() else {
            return;
        };
        let free = (number.saturating_add(1)..)
            .map(|number| format!("{letters}{number:0digits$}"))
            .find(|id| !self.used.contains(id));
        if let Some(free) = free {
            self.used.insert(free.clone());
            self.names.insert(id.to_owned(), free);
        }
    }

    /// Writes the new names everywhere in a text.
    fn write(self, text: String, plan: &Plan) -> (String, Vec<(TaskId, TaskId)>) {
        if self.names.is_empty() {
            return (text, Vec::new());
        }
        let mut splices = references::rename(&text, plan, &self.names);
        let mut renamed = Vec::new();
        for task in &plan.tasks {
            if let (Some(span), Some(new)) = (&task.id_span, self.names.get(task.id.as_str())) {
                splices.push(Splice {
                    range: span.clone(),
                    text: new.clone(),
                });
                renamed.push((task.id.clone(), TaskId(new.clone())));
            }
            let covers = task.fields.iter().filter(|field| field.key == "covers");
            for field in covers {
                for span in crate::inline::reference_spans(&field.value) {
                    if let Some(new) = self.names.get(&field.value[span.clone()]) {
                        let start = field.value_span.start;
                        splices.push(Splice {
                            range: start + span.start..start + span.end,
                            text: new.clone(),
                        });
                    }
                }
            }
        }
        for own in &plan.requirements {
            if let (Some(span), Some(new)) = (requirement_span(&text, own), self.names.get(&own.id))
            {
                splices.push(Splice {
                    range: span,
                    text: new.clone(),
                });
                renamed.push((TaskId(own.id.clone()), TaskId(new.clone())));
            }
        }
        match apply(&text, &splices) {
            Ok(applied) => (applied.text, renamed),
            // Splices of one text at different places always apply; the ids stay where not.
            Err(_) => (text, Vec::new()),
        }
    }
}
