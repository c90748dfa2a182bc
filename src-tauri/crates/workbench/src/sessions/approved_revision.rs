//! Finds the approved revision of a session's plan. Approvals are given through
//! [`crate::Workbench::run`] or in the window.

use crate::Workbench;
use crate::approval;
use crate::error::Result;
use crate::plan_file::Content;

impl Workbench {
    /// The revision of the newest recorded approval that covers every open step of the session's
    /// plan as it is now, without an `upto` limit.
    pub fn approved_revision(&self, session: &str) -> Result<Option<String>> {
        let row = self.find_session(session)?;
        let Ok(bytes) = std::fs::read(&row.plan) else {
            return Ok(None);
        };
        let Ok(text) = String::from_utf8(bytes) else {
            return Ok(None);
        };
        let content = Content::of(text);
        let (plan, _) = plan::parse(&content.text);
        // Accepting a thin plan isn't an approval.
        let given = self.store.approvals().of_plan(&row.plan)?;
        let given = given
            .iter()
            .rev()
            .filter(|given| given.upto.is_none() && given.policy != "thin_accepted");
        for given in given {
            let Ok(found) = approval::resolve(&self.store, &row.plan, &given.revision, &content)
            else {
                continue;
            };
            if found.uncovered(&content.text, &plan, None).is_empty() {
                return Ok(Some(found.revision));
            }
        }
        Ok(None)
    }
}
