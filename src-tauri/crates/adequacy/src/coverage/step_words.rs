//! What each task says of what is wanted. The files that it names in `files:` say where, not what.

use plan::TaskKind;

use super::Wanted;
use super::overlap::Words;
use crate::maps::QuickSet;
use crate::reading::Reading;
use crate::terms::Search;

/// The words of every task that are looked for; none of those that do nothing. A sub-task has those of its groups too.
pub(super) fn words(
    reading: &Reading<'_>,
    wanted: &[Wanted<'_>],
    idle: &QuickSet<usize>,
) -> Vec<Words> {
    let texts = wanted.iter().map(|wanted| wanted.text).chain(reading.goal);
    let mut search = Search::of(texts);
    // A label of another kind, as a user story's, says nothing of what is listed.
    let ids = wanted.iter().filter_map(|wanted| wanted.requirement);
    let ids: QuickSet<&str> = ids.map(|requirement| requirement.id.as_str()).collect();
    let mut all: Vec<Words> = Vec::with_capacity(reading.plan.tasks.len());
    let mut steps = reading.steps.iter().peekable();
    for (index, task) in reading.plan.tasks.iter().enumerate() {
        let mut found = Vec::new();
        // What a decision or a checkpoint asks is not done by asking.
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
        let mut says_covers = !is_idle && reading.covers(task).iter().any(says);
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
