//! Conflicts: lines that two sides changed differently, shown with both versions and resolved by
//! the person.

use plan::merge::merge;
use store::Conflict;

use crate::editing::{Next, merged};
use crate::wire::{ChangedBy, ConflictChoice, EditOutcome, PlanConflict};
use crate::{Desktop, Shared};
use workbench::error::{Error, Result};

impl Desktop {
    /// Unresolved conflicts, oldest first.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] if the path isn't a plan's, [`workbench::Code::Storage`].
    pub fn conflicts(&self, plan: &str) -> Result<Vec<PlanConflict>> {
        let workbench = self.shared.workbench();
        let key = self.shared.locate(&workbench, plan)?.file.key();
        let open = workbench.store.plan_conflicts().open(&key)?;
        let by = |conflict: &Conflict| self.shared.changed_by(&workbench.store, conflict);
        let shown = |conflict| Ok(shown(by(&conflict)?, conflict));
        open.into_iter().map(shown).collect()
    }

    /// Resolves a conflict with an ordinary edit. If the lines have changed again, nothing is
    /// written, the outcome is a conflict and this one stays unresolved.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] if it is already resolved; otherwise same as [`Desktop::edit`].
    pub fn resolve_conflict(
        &self,
        plan: &str,
        id: i64,
        choice: ConflictChoice,
    ) -> Result<EditOutcome> {
        let shared: &Shared = &self.shared;
        let (key, conflict) = {
            let workbench = shared.workbench();
            let key = shared.locate(&workbench, plan)?.file.key();
            let found = workbench.store.plan_conflicts().get(id)?;
            let found = found.filter(|found| found.plan == key && found.resolved_ms.is_none());
            (key, found.ok_or_else(settled)?)
        };
        let lines = match choice {
            ConflictChoice::Mine => conflict.ours.clone(),
            ConflictChoice::Theirs => conflict.theirs.clone(),
            ConflictChoice::Both => both(&conflict),
        };
        let base = shared.parsed_at(&key, &conflict.revision)?;
        let text = with_lines(base.text(), &conflict, &lines).ok_or_else(settled)?;
        let label = match conflict.task.as_deref() {
            Some(task) => format!("Resolve the conflict in {task}"),
            None => format!("Resolve the conflict in “{}”", conflict.title),
        };
        let outcome = shared.write_step(&key, &label, |now| {
            let is_settled = match choice {
                ConflictChoice::Theirs => true,
                // The lines may have been restored manually.
                ConflictChoice::Mine | ConflictChoice::Both => {
                    merge(base.text(), &text, now.text()).text == now.text()
                        && now.text().contains(lines.as_str())
                }
            };
            if is_settled {
                return Ok(Next::of(now.text()));
            }
            Ok(merged(base.text(), &text, now))
        })?;
        if !matches!(outcome, EditOutcome::Conflict { .. }) {
            {
                let workbench = shared.workbench();
                let now = workbench.clock.now_ms();
                let conflicts = workbench.store.plan_conflicts();
                conflicts.settle(id, choice.as_str(), now)?;
            }
            shared.review_changed(&key);
        }
        Ok(outcome)
    }
}

/// The lines of both sides, the other program's first.
fn both(conflict: &Conflict) -> String {
    let mut lines = conflict.theirs.clone();
    if !lines.is_empty() && !lines.ends_with(['\n', '\r']) {
        lines.push('\n');
    }
    lines.push_str(&conflict.ours);
    lines
}

/// The content in which the conflict was found, with the conflict's lines replaced; `None` if the
/// lines aren't there.
pub(super) fn with_lines(text: &str, conflict: &Conflict, lines: &str) -> Option<String> {
    let start = usize::try_from(conflict.place).ok()?;
    let rest = text.get(start..)?.strip_prefix(conflict.theirs.as_str())?;
    Some([&text[..start], lines, rest].concat())
}

fn shown(mine_by: ChangedBy, conflict: Conflict) -> PlanConflict {
    PlanConflict {
        id: conflict.id,
        task: conflict.task,
        title: conflict.title,
        base: conflict.base,
        mine: conflict.ours,
        mine_by,
        theirs: conflict.theirs,
        at_ms: conflict.at_ms,
    }
}

fn settled() -> Error {
    err!(Usage: "this conflict is already resolved; reload the plan")
}

#[cfg(test)]
mod tests;
