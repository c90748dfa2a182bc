//! Read-only views of plans: lists, outlines, rows, tasks, findings.
//!
//! Every answer describes one revision. Any recorded revision can be requested, even if the file
//! has changed since or is gone. Submodules: `parsed` caches parsed plans, `reading` locates and
//! reads them, `places` finds plan files and `summaries` lists them; `outline`, `rows`,
//! `filter`, `brief` and `html` produce the views, and `finding` serves the pickers.

mod archive;
mod brief;
mod filter;
mod finding;
mod html;
mod outline;
mod parsed;
mod places;
mod reading;
mod rows;
mod summaries;

use std::sync::Arc;

use crate::Desktop;
use crate::wire::{Outline, RowPage, TaskDetail};
use workbench::error::{Error, Result};
use workbench::text::number;

pub(crate) use outline::{badge, heard, percent};
pub(crate) use parsed::{LastEdit, Parsed, ParsedPlan, Stamp};
pub(crate) use places::ListedPlan;
pub(crate) use reading::Located;
pub(crate) use rows::{by, cut, kind_of, reference};
pub(crate) use summaries::{Folders, stamp_of};

/// Maximum rows in one answer.
const MAX_ROWS: usize = 200;

impl Desktop {
    /// A plan without its tasks, at a revision or as it is now. Requesting the current state also
    /// starts watching the plan.
    ///
    /// # Errors
    /// [`workbench::Code::PlanGone`] if the file is missing or isn't text;
    /// [`workbench::Code::Usage`] for an unknown revision; [`workbench::Code::Workspace`],
    /// [`workbench::Code::Storage`].
    pub fn outline(&self, plan: &str, revision: Option<&str>) -> Result<Outline> {
        let (located, parsed) = match revision {
            None => {
                let (located, parsed) = self.shared.parsed_now(plan)?;
                self.shared
                    .watch_plan(&located, parsed.revision().as_str())?;
                (located, parsed)
            }
            Some(revision) => {
                let located = self.shared.locate(&self.shared.workbench(), plan)?;
                (located, self.shared.parsed_at(plan, revision)?)
            }
        };
        self.shared.outline_of(&located, &parsed)
    }

    /// A page of rows, at most 200.
    pub fn rows(&self, plan: &str, revision: &str, from: u32, count: u32) -> Result<RowPage> {
        let parsed = self.shared.parsed_at(plan, revision)?;
        let first = usize::try_from(from).unwrap_or(usize::MAX);
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(MAX_ROWS);
        let rows = (first..first.saturating_add(count)).map_while(|at| rows::row(&parsed, at));
        Ok(RowPage {
            revision: parsed.revision().as_str().to_owned(),
            from,
            rows: rows.collect(),
        })
    }

    /// The row index of a task; `None` if there is no such task.
    pub fn row_index(&self, plan: &str, revision: &str, task: &str) -> Result<Option<u32>> {
        let parsed = self.shared.parsed_at(plan, revision)?;
        Ok(parsed.find(task).map(number))
    }

    /// One task in full.
    ///
    /// # Errors
    /// Same as [`Desktop::outline`]; [`workbench::Code::Usage`] if the revision has no such task.
    pub fn task(&self, plan: &str, revision: &str, task: &str) -> Result<TaskDetail> {
        let (parsed, index) = self.task_at(plan, revision, task)?;
        rows::detail(&parsed, index).ok_or_else(|| no_task(task))
    }

    /// A self-contained hand-off brief for one step.
    pub fn brief(&self, plan: &str, revision: &str, task: &str) -> Result<String> {
        let (parsed, index) = self.task_at(plan, revision, task)?;
        brief::brief(&parsed, index).ok_or_else(|| no_task(task))
    }

    /// A parsed revision and the index of a task in it.
    pub(crate) fn task_at(
        &self,
        plan: &str,
        revision: &str,
        task: &str,
    ) -> Result<(Arc<ParsedPlan>, usize)> {
        let parsed = self.shared.parsed_at(plan, revision)?;
        let index = parsed.find(task).ok_or_else(|| no_task(task))?;
        Ok((parsed, index))
    }
}

fn no_task(task: &str) -> Error {
    let task = cut(task, 100);
    err!(Usage: "the plan has no step {task}; it may have changed, so reload it")
}
