//! Archiving plans: marks a plan as archived in the user's list, without changing its file.

use std::path::Path;

use crate::Desktop;
use workbench::error::Result;

impl Desktop {
    /// Archives a plan, or restores it to the list.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] if the path isn't a plan's, or if a plan to archive is running.
    pub fn archive_plan(&self, plan: &str, archived: bool) -> Result<()> {
        let (key, root) = {
            let workbench = self.shared.workbench();
            let located = self.shared.locate(&workbench, plan)?;
            let key = located.file.key();
            let plans = workbench.store.archived_plans();
            if archived {
                let holder = workbench.store.leases().holder(&key)?;
                if holder.is_some_and(|holder| holder.is_alive()) {
                    return Err(err!(Usage: "the plan is running; stop the run, then archive it"));
                }
                plans.add(&key, workbench.clock.now_ms())?;
            } else {
                plans.remove(&key)?;
            }
            (key, located.root)
        };
        let around = self.shared.workspace_around(Path::new(&key));
        self.shared.plans_changed(&around.unwrap_or(root));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use store::{Acquired, Holder};

    use crate::testing::Fixture;
    use crate::wire::DesktopEvent;

    #[test]
    fn an_archived_plan_is_listed_as_such_until_it_is_restored() {
        let text = "# A\n\n- [ ] **T1** One\n";
        let fixture = Fixture::with_plan(text);
        let (plan, root) = (fixture.plan(), fixture.root.display().to_string());
        let is_archived = || fixture.desktop.plans(&root).unwrap().plans[0].is_archived;
        assert!(!is_archived());
        fixture.desktop.archive_plan(&plan, true).unwrap();
        fixture.desktop.archive_plan(&plan, true).unwrap();
        assert!(is_archived());
        assert_eq!(fixture.text(), text);
        let is_told = |event: &DesktopEvent| matches!(event, DesktopEvent::Plans { .. });
        assert!(fixture.events().iter().any(is_told));
        fixture.desktop.archive_plan(&plan, false).unwrap();
        assert!(!is_archived());
    }

    #[test]
    fn a_plan_that_is_running_is_not_archived() {
        let fixture = Fixture::with_plan("# A\n\n- [ ] **T1** One\n");
        let plan = fixture.plan();
        let holder = Holder::current("r1").unwrap();
        let acquired = {
            let workbench = fixture.desktop.shared.workbench();
            let leases = workbench.store.leases();
            leases.acquire(&plan, &holder, Holder::is_alive).unwrap()
        };
        assert!(matches!(acquired, Acquired::Lease(_)));
        let refused = fixture.desktop.archive_plan(&plan, true).unwrap_err();
        assert!(refused.message.contains("stop the run"), "{refused}");
    }
}
