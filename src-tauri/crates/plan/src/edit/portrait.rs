//! What a plan says, without places: two texts that say the same have the same portrait.
//!
//! An edit draws the portrait that it means to lead to and is made only where reading the changed
//! text leads to just that one. So nothing else can be read differently after it.

use super::draft::Draft;
use super::{Splice, apply, blocks};
use crate::model::{FrontMatter, IdOrigin, Plan, Task, TaskId};
use crate::parse::parse;

/// What a plan says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Portrait {
    pub(super) front: FrontMatter,
    pub(super) title: Option<String>,
    pub(super) requirements: Vec<(String, String)>,
    pub(super) tasks: Vec<Face>,
    /// Task, answer, detail.
    pub(super) decisions: Vec<(TaskId, Option<String>, String)>,
    /// The text of every block outside of lists.
    pub(super) page: Vec<String>,
}

/// What one task says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Face {
    /// When it is written; what is counted says nothing.
    pub(super) id: Option<TaskId>,
    pub(super) title: String,
    pub(super) marker: char,
    pub(super) parent: Option<usize>,
    pub(super) body: String,
    /// Key and value.
    pub(super) fields: Vec<(String, String)>,
}

impl Face {
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

impl Portrait {
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
            tasks: plan.tasks.iter().map(Face::of).collect(),
            decisions: decisions
                .map(|record| {
                    let (answer, detail) = (record.answer.clone(), record.detail.clone());
                    (record.task.clone(), answer, detail)
                })
                .collect(),
            page: page.map(|block| text[block.span].to_owned()).collect(),
        }
    }

    /// The tasks in another order, `None` where a new one stands. Parents follow; a task whose
    /// parent is gone is looked up in `parents`.
    pub(super) fn reordered(&mut self, order: &[Option<usize>], new: Option<&Face>, root: Root) {
        let mut place = vec![None; self.tasks.len()];
        for (at, old) in order.iter().enumerate() {
            if let Some(old) = old {
                place[*old] = Some(at);
            }
        }
        let moved = |parent: Option<usize>| parent.and_then(|parent| place[parent]);
        let tasks = order.iter().filter_map(|old| {
            let mut face = old.map_or_else(|| new.cloned(), |old| Some(self.tasks[old].clone()))?;
            face.parent = if *old == root.task {
                moved(root.parent)
            } else {
                moved(face.parent)
            };
            Some(face)
        });
        self.tasks = tasks.collect();
    }
}

/// The task that gets a new parent: a new one (`None`) or one that moves. Both by old index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Root {
    pub(super) task: Option<usize>,
    pub(super) parent: Option<usize>,
}

/// The plan after a change, when that reads as `expected`. What the two say in any order is sorted
/// by `settle` before they are compared.
pub(super) fn reads_as_by(
    text: &str,
    splices: &[Splice],
    expected: &Portrait,
    settle: impl Fn(&mut Portrait),
) -> Option<Plan> {
    let after = apply(text, splices).ok()?.text;
    let (plan, _) = parse(&after);
    if plan.tasks.len() != expected.tasks.len() {
        return None;
    }
    let mut found = Portrait::of(&after, &plan);
    let mut expected = expected.clone();
    settle(&mut found);
    settle(&mut expected);
    (found == expected).then_some(plan)
}

/// The plan after a change, when that reads as `expected`.
pub(super) fn reads_as(text: &str, splices: &[Splice], expected: &Portrait) -> Option<Plan> {
    reads_as_by(text, splices, expected, |_| ())
}

/// The first of several ways to make a change that reads as `expected`; it is made.
pub(super) fn first_that_reads(
    draft: &mut Draft,
    ways: impl IntoIterator<Item = Vec<Splice>>,
    expected: &Portrait,
    settle: impl Fn(&mut Portrait),
) -> Option<Plan> {
    for splices in ways {
        if let Some(plan) = reads_as_by(&draft.text, &splices, expected, &settle)
            && draft.change(&splices).is_ok()
        {
            return Some(plan);
        }
    }
    None
}
