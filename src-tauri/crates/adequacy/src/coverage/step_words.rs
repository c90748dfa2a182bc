//! Finds the words that each task shares with the requirements. Paths in `files:` are left out,
//! because they say where the work is done, not what is done.

use plan::TaskKind;

use super::Target;
use super::overlap::Words;
use crate::plan_context::PlanContext;
use crate::terms::Search;
use rustc_hash::FxHashSet;

/// The searched words of every task except idle ones. A sub-task inherits the words of its groups.
pub(super) fn words(
    context: &PlanContext<'_>,
    targets: &[Target<'_>],
    idle: &FxHashSet<usize>,
) -> Vec<Words> {
    let texts = targets.iter().map(|target| target.text).chain(context.goal);
    let mut search = Search::of(texts);
    // Ids of other kinds, such as user stories, do not claim a listed requirement.
    let ids = targets.iter().filter_map(|target| target.requirement);
    let ids: FxHashSet<&str> = ids.map(|requirement| requirement.id.as_str()).collect();
    let mut all: Vec<Words> = Vec::with_capacity(context.plan.tasks.len());
    let mut steps = context.steps.iter().peekable();
    for (index, task) in context.plan.tasks.iter().enumerate() {
        let mut found = Vec::new();
        // A decision or a checkpoint asks about work but doesn't do it.
        let does = task.kind == TaskKind::Normal;
        let is_idle = idle.contains(&index);
        match steps.next_if(|step| step.index == index) {
            Some(_) if is_idle => {}
            Some(step) => search.take(step.text.prose(), &mut found),
            None if does => {
                search.take(&task.title, &mut found);
                search.take(&task.body, &mut found);
            }
            None => {}
        }
        let says = |id: &String| ids.contains(id.as_str());
        let mut says_covers = !is_idle && context.covers(task).iter().any(says);
        if let Some(parent) = task.parent.and_then(|parent| all.get(parent)) {
            found.extend_from_slice(&parent.found);
            says_covers |= parent.says_covers;
        }
        found.sort_unstable();
        found.dedup();
        all.push(Words {
            index,
            found,
            length: task.title.len() + task.body.len(),
            says_covers,
        });
    }
    all
}
