//! The content of a plan without positions, to compare two texts by what they parse to.
//!
//! An edit states the content it should result in, and is made only if the changed text parses to
//! exactly that. So it can't change how anything else is parsed.

use super::draft::Draft;
use super::{Splice, apply, blocks};
use crate::model::{FrontMatter, IdOrigin, Plan, Task, TaskId};
use crate::parse::parse;

/// The content of a plan.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PlanContent {
    pub(super) front: FrontMatter,
    pub(super) title: Option<String>,
    pub(super) requirements: Vec<(String, String)>,
    pub(super) tasks: Vec<TaskContent>,
    /// The decision records: task, answer and detail.
    pub(super) decisions: Vec<(TaskId, Option<String>, String)>,
    /// The text of every block outside of lists.
    pub(super) page: Vec<String>,
}

/// The content of one task.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TaskContent {
    /// The written id; positional ids are not content.
    pub(super) id: Option<TaskId>,
    pub(super) title: String,
    pub(super) marker: char,
    pub(super) parent: Option<usize>,
    pub(super) body: String,
    /// The fields, as key and value.
    pub(super) fields: Vec<(String, String)>,
}

impl TaskContent {
    pub(super) fn of(task: &Task) -> Self {
        let field = |field: &crate::model::Field| (field.key.to_string(), field.value.clone());
        Self {
            id: (task.id_origin == IdOrigin::Written).then(|| task.id.clone()),
            title: task.title.clone(),
            marker: task.marker,
            parent: task.parent,
            body: task.body.clone(),
            fields: task.fields.iter().map(field).collect(),
        }
    }
}

impl PlanContent {
    pub(super) fn of(text: &str, plan: &Plan) -> Self {
        let requirements = plan.requirements.iter();
        let decisions = plan.decisions.iter();
        let page = blocks::of(text, plan).into_iter();
        Self {
            front: FrontMatter {
                span: None,
                ..plan.front.clone()
            },
            title: plan.title.as_ref().map(|title| title.text.clone()),
            requirements: requirements
                .map(|requirement| (requirement.id.clone(), requirement.text.clone()))
                .collect(),
            tasks: plan.tasks.iter().map(TaskContent::of).collect(),
            decisions: decisions
                .map(|record| {
                    let (answer, detail) = (record.answer.clone(), record.detail.clone());
                    (record.task.clone(), answer, detail)
                })
                .collect(),
            page: page.map(|block| text[block.span].to_owned()).collect(),
        }
    }

    /// Reorders the tasks by old index; `None` stands for `new`. Updates parents, and gives the
    /// task of `root` its new parent.
    pub(super) fn reordered(
        &mut self,
        order: &[Option<usize>],
        new: Option<&TaskContent>,
        root: Root,
    ) {
        let mut place = vec![None; self.tasks.len()];
        for (at, old) in order.iter().enumerate() {
            if let Some(old) = old {
                place[*old] = Some(at);
            }
        }
        let moved = |parent: Option<usize>| parent.and_then(|parent| place[parent]);
        let tasks = order.iter().filter_map(|old| {
            let mut task_content =
                old.map_or_else(|| new.cloned(), |old| Some(self.tasks[old].clone()))?;
            task_content.parent = if *old == root.task {
                moved(root.parent)
            } else {
                moved(task_content.parent)
            };
            Some(task_content)
        });
        self.tasks = tasks.collect();
    }
}

/// The task that gets a new parent: an existing task, or the new one (`None`). Both fields are
/// indexes before the change.
#[derive(Debug, Clone, Copy)]
pub(super) struct Root {
    pub(super) task: Option<usize>,
    pub(super) parent: Option<usize>,
}

/// The plan after a change, if it matches `expected`. `settle` normalizes both before they are
/// compared, in parts where order doesn't matter.
pub(super) fn matching_plan_by(
    text: &str,
    splices: &[Splice],
    expected: &PlanContent,
    settle: impl Fn(&mut PlanContent),
) -> Option<Plan> {
    let after = apply(text, splices).ok()?.text;
    let (plan, _) = parse(&after);
    if plan.tasks.len() != expected.tasks.len() {
        return None;
    }
    let mut found = PlanContent::of(&after, &plan);
    let mut expected = expected.clone();
    settle(&mut found);
    settle(&mut expected);
    (found == expected).then_some(plan)
}

/// The plan after a change, if it matches `expected`.
pub(super) fn matching_plan(
    text: &str,
    splices: &[Splice],
    expected: &PlanContent,
) -> Option<Plan> {
    matching_plan_by(text, splices, expected, |_| ())
}

/// Makes the first change that leads to `expected`.
pub(super) fn apply_first_matching(
    draft: &mut Draft,
    ways: impl IntoIterator<Item = Vec<Splice>>,
    expected: &PlanContent,
    settle: impl Fn(&mut PlanContent),
) -> Option<Plan> {
    for splices in ways {
        if let Some(plan) = matching_plan_by(&draft.text, &splices, expected, &settle)
            && draft.change(&splices).is_ok()
        {
            return Some(plan);
        }
    }
    None
}
