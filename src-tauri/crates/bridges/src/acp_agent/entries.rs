//! The plan entries shown in the editor: one for each step.

use agent_client_protocol::v1::schema::{
    Plan as Entries, PlanEntry, PlanEntryPriority, PlanEntryStatus, SessionUpdate,
};
use plan::Plan;

use super::editor::Editor;

/// Maximum number of entries shown.
const MAX_ENTRIES: usize = 500;

/// A plan's steps, as shown in the editor.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Steps(Vec<Step>);

#[derive(Debug, PartialEq)]
struct Step {
    id: String,
    title: String,
    status: PlanEntryStatus,
    /// A note on the status, such as `skipped`.
    mark: Option<String>,
}

impl Steps {
    /// Takes the steps from a plan file. Until a run reports otherwise, a ticked step counts as
    /// completed.
    pub(super) fn of(plan: &Plan) -> Self {
        let steps = plan.leaves().map(|(_, task)| {
            let is_over = task.done || task.skipped.is_some();
            Step {
                id: task.id.as_str().to_owned(),
                title: task.title.clone(),
                status: match is_over {
                    true => PlanEntryStatus::Completed,
                    false => PlanEntryStatus::Pending,
                },
                mark: task.skipped.is_some().then(|| "skipped".to_owned()),
            }
        });
        Self(steps.collect())
    }

    /// A step's ID and title.
    pub(super) fn name(&self, id: &str) -> String {
        let found = self.0.iter().find(|step| step.id == id);
        found.map_or_else(|| id.to_owned(), Step::name)
    }

    /// Marks a step as started. Returns whether anything changed.
    pub(super) fn start(&mut self, id: &str) -> bool {
        self.set(id, PlanEntryStatus::InProgress, None)
    }

    /// Marks a step as ended in this state. Any state but done or skipped leaves it open. Returns
    /// whether anything changed.
    pub(super) fn end(&mut self, id: &str, state: &str) -> bool {
        match state {
            "done" => self.set(id, PlanEntryStatus::Completed, None),
            "skipped" => self.set(id, PlanEntryStatus::Completed, Some(state)),
            _ => self.set(id, PlanEntryStatus::Pending, Some(state)),
        }
    }

    /// Sets a step's status. Returns whether anything changed.
    fn set(&mut self, id: &str, status: PlanEntryStatus, mark: Option<&str>) -> bool {
        let Some(step) = self.0.iter_mut().find(|step| step.id == id) else {
            return false;
        };
        let mark = mark.map(str::to_owned);
        let is_new = step.status != status || step.mark != mark;
        (step.status, step.mark) = (status, mark);
        is_new
    }

    /// Sends the steps to the editor.
    pub(super) fn show(&self, editor: &Editor) {
        let more = self.0.len().saturating_sub(MAX_ENTRIES);
        let shown = self.0.iter().take(MAX_ENTRIES).map(|step| {
            let content = match &step.mark {
                Some(mark) => format!("{} ({mark})", step.name()),
                None => step.name(),
            };
            PlanEntry::new(content, PlanEntryPriority::Medium, step.status.clone())
        });
        let mut entries: Vec<PlanEntry> = shown.collect();
        if more > 0 {
            let content = format!("… and {more} more");
            let status = PlanEntryStatus::Pending;
            entries.push(PlanEntry::new(content, PlanEntryPriority::Medium, status));
        }
        editor.update(SessionUpdate::Plan(Entries::new(entries)));
    }
}

impl Step {
    fn name(&self) -> String {
        plan::visible_line(&format!("{} {}", self.id, self.title))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_run_finished_or_skipped_is_shown_as_completed() {
        let text = "# P\n\n## Tasks\n- [x] **T1** One\n- [ ] **T2** Two\n- [ ] **T3** Three\n";
        let mut steps = Steps::of(&plan::parse(text).0);
        let shown = |steps: &Steps| -> Vec<(PlanEntryStatus, Option<String>)> {
            let steps = steps.0.iter();
            steps
                .map(|step| (step.status.clone(), step.mark.clone()))
                .collect()
        };
        assert!(steps.start("T2"));
        assert!(!steps.start("T2"), "nothing changed");
        assert!(steps.end("T2", "failed"));
        assert!(steps.end("T3", "skipped"));
        assert!(!steps.end("T9", "done"), "no such step");
        assert_eq!(
            shown(&steps),
            [
                (PlanEntryStatus::Completed, None),
                (PlanEntryStatus::Pending, Some("failed".to_owned())),
                (PlanEntryStatus::Completed, Some("skipped".to_owned())),
            ]
        );
        assert_eq!(steps.name("T2"), "T2 Two");
    }
}
