//! Plans as they are shown: lists, outlines, rows, tasks, findings. Changes nothing.
//!
//! Every answer is of one revision. Any revision that was ever seen can be asked for, also when the
//! file has moved on or is gone. Submodules: `parsed` keeps plans parsed, `reading` finds and reads
//! them, `places` says where plans are looked for and `summaries` lists them, `outline`, `rows`,
//! `filter` and `brief` draw them, `finding` is for pickers.

mod brief;
mod filter;
mod finding;
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

/// Rows in one answer.
const MAX_ROWS: usize = 200;

impl Desktop {
    /// The head of a plan, as it is now or as it was in a revision. A plan that is asked for as it is
    /// now is watched from then on.
    ///
    /// # Errors
    /// [`workbench::Code::PlanGone`] when the file is gone or no plan text; [`workbench::Code::Usage`] for a revision
    /// that was never seen; [`workbench::Code::Workspace`], [`workbench::Code::Storage`].
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

    /// Rows of the outline, at most 200.
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

    /// The row of a task, found by its id; `None` when there is none.
    pub fn row_index(&self, plan: &str, revision: &str, task: &str) -> Result<Option<u32>> {
        let parsed = self.shared.parsed_at(plan, revision)?;
        Ok(parsed.find(task).map(number))
    }

    /// One task, whole.
    ///
    /// # Errors
    /// As [`Desktop::outline`]; [`workbench::Code::Usage`] when the revision has no such task.
    pub fn task(&self, plan: &str, revision: &str, task: &str) -> Result<TaskDetail> {
        let (parsed, index) = self.task_at(plan, revision, task)?;
        rows::detail(&parsed, index).ok_or_else(|| no_task(task))
    }

    /// A step as a self-contained brief, to hand over.
    pub fn brief(&self, plan: &str, revision: &str, task: &str) -> Result<String> {
        let (parsed, index) = self.task_at(plan, revision, task)?;
        brief::brief(&parsed, index).ok_or_else(|| no_task(task))
    }

    /// A revision, parsed, and where a task stands in it.
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
    err!(Usage: "the plan has no task {task}; read it again, it may have changed")
}
