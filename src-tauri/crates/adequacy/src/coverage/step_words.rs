//! What each task says of what is wanted. The files that it names in `files:` say where, not what.

use plan::TaskKind;

use super::Wanted;
use super::overlap::Words;
use crate::reading::Reading;
use crate::terms::Search;

/// The words of every task that are looked for. A sub-task has those of its groups too.
pub(super) fn words(reading: &Reading<'_>, wanted: &[Wanted<'_>]) -> Vec<Words> {
    let texts = wanted.iter().map(|wanted| wanted.text).chain(reading.goal);
    let mut search = Search::of(texts);
    let mut all: Vec<Words> = Vec::with_capacity(reading.plan.tasks.len());
    let mut steps = reading.steps.iter().peekable();
    for (index, task) in reading.plan.tasks.iter().enumerate() {
        let mut found = Vec::new();
        // What a decision or a checkpoint asks is not done by asking.
        let does = task.kind == TaskKind::Normal;
        match steps.next_if(|step| step.index == index) {
            Some(step) => search.take(step.text.prose(), &mut found),
            None if does => {
                search.take(&task.title, &mut found);
                search.take(&task.body, &mut found);
            }
            None => {}
        }
        let mut says_covers = !reading.covers(task).is_empty();
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
