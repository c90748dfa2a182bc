//! Approving exactly what is on screen.
//!
//! An approval names a revision. It is given while holding the plan's lease, after all checks that
//! can reject it. Then, in this order, notes are written, the branch is created and the run is
//! stored; if any of these fails, the disk is left as it was. Submodules: `view` shows what would
//! be approved, `effort` the run's options, `notes` writes a person's notes under steps, `giving`
//! carries out the approval.

mod effort;
mod giving;
mod notes;
mod view;

use plan::Plan;

use crate::Shared;
use crate::document::ParsedPlan;
use workbench::Workbench;
use workbench::error::{Code, Error, Result};
use workbench::opening::Opened;
use workbench::plan_file::Content;

impl Shared {
    /// A plan at one of its revisions, with its workspace and settings.
    fn opened_at(&self, workbench: &Workbench, parsed: &ParsedPlan) -> Result<Opened> {
        let located = self.locate(workbench, &parsed.key)?;
        let opened = workbench.open_plan(&located.file.path, Some(&located.root))?;
        Ok(with_content(opened, parsed.content.clone()))
    }
}

/// The same plan file with different content.
fn with_content(opened: Opened, content: Content) -> Opened {
    let (plan, problems) = plan::parse(&content.text);
    Opened {
        content,
        plan,
        problems,
        ..opened
    }
}

fn check_upto(plan: &Plan, upto: Option<&str>) -> Result<()> {
    match upto {
        Some(upto) if plan.tasks.iter().all(|task| task.id.as_str() != upto) => {
            let message = format!("the plan has no step {upto}; reload it");
            Err(Error::new(Code::Usage, message))
        }
        _ => Ok(()),
    }
}
