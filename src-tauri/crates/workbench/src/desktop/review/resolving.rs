//! A comment looked up, settled and opened again. Writes the store alone.

use crate::desktop::Shared;
use crate::error::Result;

impl Shared {
    pub(super) fn comment(&self, plan: &str, id: i64) -> Result<store::Comment> {
        let found = self.workbench().store.comments().get(id)?;
        let found = found.filter(|found| found.plan == plan);
        found.ok_or_else(|| err!(Usage: "there is no such comment any more"))
    }

    pub(super) fn resolve(&self, plan: &str, id: i64, resolved: bool) -> Result<()> {
        {
            let workbench = self.workbench();
            let at = resolved.then(|| workbench.clock.now_ms());
            workbench.store.comments().resolve(id, at)?;
        }
        self.review_changed(plan);
        Ok(())
    }
}
