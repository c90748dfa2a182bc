//! Resolves conflicts for which the person chose a version elsewhere: in a field of the outline, or
//! in the source editor, which also offer both versions.

use store::Conflict;

use super::conflicts::with_lines;
use crate::Desktop;
use crate::document::ParsedPlan;
use crate::editing::sides;
use crate::wire::{ChangedBy, ConflictChoice, DecidedLines, Edit};
use workbench::error::Result;
use workbench::plan_file::Content;

impl Desktop {
    /// Resolves the conflicts about the text for which the person has just chosen a version, and
    /// returns their number. A conflict that also concerns other text stays unresolved. Writes no
    /// file.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] if the path isn't a plan's, [`workbench::Code::Storage`].
    pub fn settle_conflicts(
        &self,
        plan: &str,
        choice: ConflictChoice,
        decided: &DecidedLines,
    ) -> Result<u32> {
        let shared = &self.shared;
        let (key, open) = {
            let workbench = shared.workbench();
            let key = shared.locate(&workbench, plan)?.file.key();
            let open = workbench.store.plan_conflicts().open(&key)?;
            (key, open)
        };
        let mut settled = 0;
        for conflict in open {
            let by = shared.changed_by(&shared.workbench().store, &conflict)?;
            let is_it = match decided {
                // The person can't have decided against a version that they weren't shown.
                _ if by != ChangedBy::Person => false,
                DecidedLines::Field { edit } => {
                    let theirs = shared.parsed_at(&key, &conflict.revision)?;
                    is_only_about(&theirs, &conflict, edit)
                }
                DecidedLines::Text { mine, theirs } => match conflict.theirs.is_empty() {
                    true => contains_lines(mine, &conflict.ours),
                    false => contains_lines(theirs, &conflict.theirs),
                },
            };
            if is_it {
                let workbench = shared.workbench();
                let now = workbench.clock.now_ms();
                let conflicts = workbench.store.plan_conflicts();
                settled += u32::from(conflicts.settle(conflict.id, choice.as_str(), now)?);
            }
        }
        if settled > 0 {
            shared.review_changed(&key);
        }
        Ok(settled)
    }
}

/// Whether a text contains these lines, ignoring differences in line endings.
fn contains_lines(text: &str, lines: &str) -> bool {
    let plain = |text: &str| text.replace("\r\n", "\n");
    let lines = plain(lines);
    let lines = lines.trim_end_matches('\n');
    !lines.is_empty() && plain(text).contains(lines)
}

/// Whether the two versions of a conflict differ only in the field that `edit` changes.
fn is_only_about(theirs: &ParsedPlan, conflict: &Conflict, edit: &Edit) -> bool {
    let Some(text) = with_lines(theirs.text(), conflict, &conflict.ours) else {
        return false;
    };
    let mine = ParsedPlan::new(&theirs.key, Content::of(text), theirs.facts.clone());
    let value = |parsed: &ParsedPlan, edit: &Edit| sides(parsed, edit).map(|(_, value)| value);
    let differs = |edit: &Edit| value(theirs, edit) != value(&mine, edit);
    if !differs(edit) {
        return false;
    }
    let ids = |parsed: &ParsedPlan| -> Vec<String> {
        let tasks = parsed.plan.tasks.iter();
        tasks.map(|task| task.id.to_string()).collect()
    };
    let requirements = |parsed: &ParsedPlan| -> Vec<String> {
        let all = parsed.plan.requirements.iter();
        all.map(|one| one.id.clone()).collect()
    };
    let is_same_outline = ids(theirs) == ids(&mine) && requirements(theirs) == requirements(&mine);
    let others = fields(theirs).into_iter().chain(fields(&mine));
    is_same_outline
        && others
            .filter(|other| !is_same_field(other, edit))
            .all(|other| !differs(&other))
}

/// An edit of each field of a plan; the new texts are empty.
fn fields(parsed: &ParsedPlan) -> Vec<Edit> {
    let text = String::new;
    let mut fields = vec![
        Edit::PlanTitle { text: text() },
        Edit::Goal { text: text() },
        Edit::Intro { text: text() },
    ];
    fields.extend(
        parsed
            .plan
            .requirements
            .iter()
            .map(|one| Edit::Requirement {
                id: one.id.clone(),
                text: text(),
            }),
    );
    for step in &parsed.plan.tasks {
        let task = step.id.to_string();
        let keys = step.fields.iter().map(|field| Edit::Field {
            task: task.clone(),
            key: field.key.to_string(),
            values: Vec::new(),
        });
        fields.extend(keys);
        fields.extend([
            Edit::Title {
                task: task.clone(),
                text: text(),
            },
            Edit::Body {
                task: task.clone(),
                text: text(),
            },
            Edit::Tick {
                task: task.clone(),
                done: true,
            },
            Edit::Skip { task, reason: None },
        ]);
    }
    fields
}

/// Whether two edits change the same field.
fn is_same_field(one: &Edit, other: &Edit) -> bool {
    let key = |edit: &Edit| match edit {
        Edit::Title { task, .. } => Some((task.clone(), "title".to_owned())),
        Edit::Body { task, .. } => Some((task.clone(), "text".to_owned())),
        Edit::Field { task, key, .. } => Some((task.clone(), key.to_ascii_lowercase())),
        Edit::Depends { task, .. } => Some((task.clone(), "depends".to_owned())),
        Edit::Kind { task, .. } => Some((task.clone(), "type".to_owned())),
        Edit::Tick { task, .. } => Some((task.clone(), "done".to_owned())),
        Edit::Skip { task, .. } => Some((task.clone(), "skipped".to_owned())),
        Edit::Requirement { id, .. } => Some((id.clone(), "requirement".to_owned())),
        Edit::PlanTitle { .. } => Some((String::new(), "title".to_owned())),
        Edit::Goal { .. } => Some((String::new(), "goal".to_owned())),
        Edit::Intro { .. } => Some((String::new(), "intro".to_owned())),
        _ => None,
    };
    key(one).is_some() && key(one) == key(other)
}
