//! Filtering an outline's rows by collapsed tasks, words and state.

use std::collections::HashSet;

use plan::{By, Task};

use super::finding::{has, lowered};
use super::parsed::ParsedPlan;
use crate::Desktop;
use crate::wire::{RowFilter, RowRuns};
use workbench::error::Result;
use workbench::text::number;

/// A condition on rows. If there are several, a row has to meet all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Only {
    /// Assigned to a person.
    Mine,
    /// Neither done nor skipped.
    Waiting,
    /// Has findings.
    Findings,
}

impl Desktop {
    /// The rows that match a filter, with the groups around them, excluding anything under a
    /// collapsed task.
    ///
    /// # Errors
    /// Same as [`Desktop::outline`]; [`workbench::Code::Usage`] for an unknown condition.
    pub fn row_runs(&self, plan: &str, revision: &str, filter: &RowFilter) -> Result<RowRuns> {
        let parsed = &*self.shared.parsed_at(plan, revision)?;
        let has_model = self.shared.workbench().has_model();
        let only = filter.only.iter().map(|name| only(name));
        let only = only.collect::<Result<Vec<Only>>>()?;
        let words = lowered(&filter.words);
        let folded: HashSet<&str> = filter.folded.iter().map(String::as_str).collect();
        let tasks = &parsed.plan.tasks;
        let parent = |at: usize| tasks[at].parent.filter(|parent| *parent < at);
        let mut is_kept: Vec<bool> = tasks
            .iter()
            .map(|task| {
                has(task, &words) && only.iter().all(|only| is(parsed, task, *only, has_model))
            })
            .collect();
        for at in (0..tasks.len()).rev() {
            if let Some(parent) = parent(at).filter(|_| is_kept[at]) {
                is_kept[parent] = true;
            }
        }
        let mut is_hidden = vec![false; tasks.len()];
        if !folded.is_empty() {
            for at in 0..tasks.len() {
                is_hidden[at] = parent(at).is_some_and(|parent| {
                    is_hidden[parent] || folded.contains(tasks[parent].id.as_str())
                });
            }
        }
        let mut runs: Vec<(u32, u32)> = Vec::new();
        let mut rows = 0;
        for at in (0..tasks.len()).filter(|at| is_kept[*at] && !is_hidden[*at]) {
            rows += 1;
            match runs.last_mut() {
                Some((_, end)) if *end == number(at) => *end += 1,
                _ => runs.push((number(at), number(at + 1))),
            }
        }
        Ok(RowRuns {
            revision: parsed.revision().as_str().to_owned(),
            runs,
            rows,
        })
    }
}

fn only(name: &str) -> Result<Only> {
    match name {
        "mine" => Ok(Only::Mine),
        "waiting" => Ok(Only::Waiting),
        "findings" => Ok(Only::Findings),
        other => Err(err!(Usage:
            "invalid filter “{other}”: choose mine, waiting or findings")),
    }
}

/// Whether a task itself meets a condition. Groups meet only the condition on findings; otherwise,
/// a group is kept if one of its sub-tasks is.
fn is(parsed: &ParsedPlan, task: &Task, only: Only, has_model: bool) -> bool {
    match only {
        Only::Mine => !task.is_group() && task.carried_out_by(has_model) == By::Person,
        Only::Waiting => !task.is_group() && !task.done && task.skipped.is_none(),
        Only::Findings => !parsed.findings_of(&task.id).is_empty(),
    }
}
