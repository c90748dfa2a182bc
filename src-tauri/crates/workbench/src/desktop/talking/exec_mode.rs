//! What is said in exec mode: it goes to the run of the plan, which is begun where none is open.

use store::SessionRow;

use crate::desktop::Desktop;
use crate::error::Result;
use crate::sessions::nothing_approved;
use crate::wire::window::ApproveRequest;

impl Desktop {
    /// Takes words to the open run of a conversation's plan, or begins one of the approved revision with
    /// them.
    pub(super) fn work(&self, row: &SessionRow, words: &str) -> Result<()> {
        let bench = self.shared.workbench().again()?;
        let (run, is_new) = match bench.open_run(&row.plan)? {
            Some(run) => (run, false),
            None => (self.begin_work(row)?, true),
        };
        let carried = self.shared.carried(&run)?;
        self.shared.here(&carried)?;
        let said = bench.heard(&run, Some(words), None)?;
        bench.worked(row, &run, Some(words), None)?;
        // A run that has ended meanwhile had nothing left to be told.
        match self.shared.take_up(&carried, said, false) {
            Err(_) if is_new => {}
            taken => taken?,
        }
        self.shared.run_changed(&carried);
        self.shared.talk_changed(row);
        Ok(())
    }

    /// Begins a run of what is approved; answers with its id.
    fn begin_work(&self, row: &SessionRow) -> Result<String> {
        let approved = self.shared.workbench().approved_revision(&row.id)?;
        let revision = approved.ok_or_else(nothing_approved)?;
        let begun = self.approve(ApproveRequest {
            plan: row.plan.clone(),
            revision,
            run: true,
            ..ApproveRequest::default()
        })?;
        begun.run.ok_or_else(nothing_approved)
    }
}
