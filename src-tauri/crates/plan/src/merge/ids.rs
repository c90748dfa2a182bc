//! Resolves duplicate ids, which arise when both sides give new tasks or requirements the same id.

use std::collections::{BTreeMap, HashSet};

use super::Merged;
use super::moves::Replayed;
use super::version::Parsed;
use crate::edit::{Splice, apply, references};
use crate::id_syntax;
use crate::lines::line_end;
use crate::model::{IdOrigin, Plan, Task, TaskId};

/// Ours, with new ids for the tasks and requirements that it added with the same id as theirs, and
/// the list of renames.
pub(super) fn deduplicated(
    base: &Parsed,
    ours: Parsed,
    theirs: &Parsed,
) -> (Parsed, Vec<(TaskId, TaskId)>) {
    let mut renames = Renames::default();
    let (known, taken) = (written(&base.plan), written(&theirs.plan));
    for task in &ours.plan.tasks {
        let id = task.id.as_str();
        if task.id_origin == IdOrigin::Written && taken.contains(id) && !known.contains(id) {
            let twin = theirs.plan.task(&task.id);
            let lines = &ours.text[task.span.clone()];
            // If both sides added the same task, it isn't renamed.
            if twin.is_none_or(|twin| theirs.text[twin.span.clone()] != *lines) {
                renames.taken.push(id.to_owned());
            }
        }
    }
    let (known, taken) = (&base.plan.requirements, &theirs.plan.requirements);
    for own in &ours.plan.requirements {
        let same_id = |list: &[crate::model::Requirement]| {
            list.iter()
                .find(|other| other.id == own.id)
                .map(|other| other.text.clone())
        };
        let is_other = same_id(taken).is_some_and(|text| text != own.text);
        if is_other && same_id(known).is_none() && requirement_span(&ours.text, own).is_some() {
            renames.taken.push(own.id.clone());
        }
    }
    match renames.written([&base.plan, &ours.plan, &theirs.plan], &ours) {
        Some(written) => written,
        None => (ours, Vec::new()),
    }
}

/// Ours, with new ids for tasks whose ids are duplicates in the merged text but in neither side;
/// `None` if there are none.
pub(super) fn rename_duplicates(
    merged: &Plan,
    sides: &Replayed,
) -> Option<(Parsed, Vec<(TaskId, TaskId)>)> {
    let taken = new_duplicates(merged, sides);
    let plans = [&sides.base.plan, &sides.ours.plan, &sides.theirs.plan];
    let renames = Renames {
        taken,
        ..Renames::default()
    };
    renames.written(plans, &sides.ours)
}

/// The last resort for duplicate ids, used if both tasks combine lines of both sides: renames the
/// second task in the result. References to the id still refer to the first.
pub(super) fn rename_in_result(
    merged: &mut Merged,
    plan: &Plan,
    sides: &Replayed,
) -> Vec<(TaskId, TaskId)> {
    let taken = new_duplicates(plan, sides);
    if taken.is_empty() {
        return Vec::new();
    }
    let mut renames = Renames::default();
    for plan in [&sides.base.plan, &sides.ours.plan, &sides.theirs.plan, plan] {
        renames.note(plan);
    }
    let mut seen = HashSet::new();
    let mut renamed = Vec::new();
    // Go backwards, so that earlier offsets stay valid.
    let mut later: Vec<&Task> = plan
        .tasks
        .iter()
        .filter(|task| taken.contains(&task.id.0) && !seen.insert(task.id.as_str()))
        .collect();
    later.reverse();
    for task in later {
        renames.add(task.id.as_str());
        let (Some(span), Some(new)) = (&task.id_span, renames.names.get(task.id.as_str())) else {
            continue;
        };
        merged.text.replace_range(span.clone(), new);
        for conflict in &mut merged.conflicts {
            let shift = |at: usize| {
                if at >= span.end {
                    at + new.len() - span.len()
                } else {
                    at
                }
            };
            conflict.place = shift(conflict.place.start)..shift(conflict.place.end);
        }
        renamed.push((task.id.clone(), TaskId(new.clone())));
    }
    for conflict in &mut merged.conflicts {
        conflict.theirs = merged.text[conflict.place.clone()].to_owned();
    }
    renamed
}

/// The ids that are duplicates in the merged plan but not in any of the three texts.
fn new_duplicates(merged: &Plan, sides: &Replayed) -> Vec<String> {
    let found = duplicates(merged);
    if found.is_empty() {
        return Vec::new();
    }
    let known = [&sides.base.plan, &sides.ours.plan, &sides.theirs.plan].map(duplicates);
    let mut taken: Vec<String> = found.into_iter().map(str::to_owned).collect();
    taken.retain(|id| !known.iter().any(|of| of.contains(id.as_str())));
    taken
}

/// The written ids that several tasks share.
fn duplicates(plan: &Plan) -> HashSet<&str> {
    let mut seen = HashSet::new();
    let tasks = plan.tasks.iter();
    tasks
        .filter(|task| task.id_origin == IdOrigin::Written)
        .map(|task| task.id.as_str())
        .filter(|id| !seen.insert(*id))
        .collect()
}

fn written(plan: &Plan) -> HashSet<&str> {
    let tasks = plan.tasks.iter();
    tasks
        .filter(|task| task.id_origin == IdOrigin::Written)
        .map(|task| task.id.as_str())
        .collect()
}

/// The span of a requirement's id, if it is written.
fn requirement_span(text: &str, own: &crate::model::Requirement) -> Option<crate::model::Span> {
    let line = &text[own.span.start..line_end(text, own.span.start)];
    let words = line.trim_start_matches([' ', '\t', '>']);
    let words = words.split_once([' ', '\t'])?.1.trim_start();
    let found = id_syntax::requirement_id(words)?;
    let start = own.span.start + (words.as_ptr() as usize - line.as_ptr() as usize);
    (words[found.id.clone()] == own.id).then(|| start + found.id.start..start + found.id.end)
}

/// Assigns new ids and writes them to a text.
#[derive(Debug, Default)]
struct Renames {
    /// The ids to rename.
    taken: Vec<String>,
    used: HashSet<String>,
    names: BTreeMap<String, String>,
}

impl Renames {
    /// Renames the ids in ours to ids that no plan uses; `None` if nothing is renamed.
    fn written(
        mut self,
        plans: [&Plan; 3],
        ours: &Parsed,
    ) -> Option<(Parsed, Vec<(TaskId, TaskId)>)> {
        if self.taken.is_empty() {
            return None;
        }
        for plan in plans {
            self.note(plan);
        }
        self.taken.sort_unstable();
        self.taken.dedup();
        for id in std::mem::take(&mut self.taken) {
            self.add(&id);
        }
        let (text, renamed) = self.write(&ours.text, &ours.plan)?;
        Some((Parsed::of(text), renamed))
    }

    fn note(&mut self, plan: &Plan) {
        let used = &mut self.used;
        used.extend(plan.tasks.iter().map(|task| task.id.0.clone()));
        used.extend(plan.decisions.iter().map(|record| record.task.0.clone()));
        used.extend(plan.requirements.iter().map(|found| found.id.clone()));
        for field in plan.tasks.iter().flat_map(|task| &task.fields) {
            let ids = references::ids_in(&field.key, &field.value);
            used.extend(ids.into_iter().map(str::to_owned));
        }
    }

    /// Assigns the next free id. Leading zeros stay: `T009` becomes `T010`.
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

    /// Renames the ids everywhere in a text.
    fn write(self, text: &str, plan: &Plan) -> Option<(String, Vec<(TaskId, TaskId)>)> {
        if self.names.is_empty() {
            return None;
        }
        let mut splices = references::rename(text, plan, &self.names);
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
            if let (Some(span), Some(new)) = (requirement_span(text, own), self.names.get(&own.id))
            {
                splices.push(Splice {
                    range: span,
                    text: new.clone(),
                });
                renamed.push((TaskId(own.id.clone()), TaskId(new.clone())));
            }
        }
        renamed.dedup();
        // These splices are disjoint, so applying them can't fail.
        let applied = apply(text, &splices).ok()?;
        Some((applied.text, renamed))
    }
}
