//! Editing a plan, undo and redo, fixes.
//!
//! An edit names the revision that the person saw. If the file has changed since, the edit is
//! applied to the new content as long as the text it touches is the same, and otherwise merged by
//! lines. If both sides changed the same lines, nothing is written and both versions are returned.
//! Submodules: `making` turns an edit into text, `writing` writes it to disk, `diff` shows the
//! difference.

mod diff;
mod making;
mod writing;

use std::collections::HashSet;

use gate::Bearer;
use plan::TaskId;
use plan::edit::{self, EditError};
use store::{Author, FindingAction};
use tools::documents;

use crate::Desktop;
use crate::document::{ParsedPlan, reference};
use crate::wire::{DeletePreview, Edit, EditOutcome, EditPreview, FixPreview};
use making::Made;
use workbench::error::{Code, Error, Result};

pub(crate) use diff::diff_lines;
pub(crate) use making::sides;
pub(crate) use writing::{Next, Remember, merged};

/// Maximum lines in a preview.
const MAX_LINES: usize = 400;

/// Maximum tasks listed in a preview.
const MAX_TASKS: usize = 200;

impl Desktop {
    /// Applies an edit to the revision that the person saw.
    ///
    /// # Errors
    /// [`Code::Usage`] for an invalid edit, with what to do; [`Code::Workspace`] if the file can't
    /// be written; [`Code::PlanGone`] if it is missing; [`Code::Storage`].
    pub fn edit(&self, plan: &str, revision: &str, edit: Edit) -> Result<EditOutcome> {
        let base = self.shared.parsed_at(plan, revision)?;
        let goes_on = making::goes_on(&edit);
        let remember = Remember::Step { goes_on };
        let label = making::label(&edit);
        self.shared.write(plan, &label, &remember, |now| {
            let made_on = |parsed: &ParsedPlan| making::make(parsed.text(), &parsed.plan, &edit);
            let is_same = now.revision() == base.revision();
            let touched = making::touched(now, &edit);
            if is_same || (touched.is_some() && touched == making::touched(&base, &edit)) {
                let Made { text, task } = made_on(now).map_err(refused)?;
                return Ok(Next::Write {
                    text,
                    task,
                    merged: !is_same,
                    told: None,
                });
            }
            let ours = made_on(&base).map_err(refused)?.text;
            Ok(match merged(base.text(), &ours, now) {
                Next::Conflict { mine, theirs } => {
                    let sides = making::sides(now, &edit);
                    let (mine, theirs) = sides.unwrap_or((mine, theirs));
                    Next::Conflict { mine, theirs }
                }
                written => written,
            })
        })
    }

    /// Undoes the last edit, keeping later changes by others.
    pub fn undo_edit(&self, plan: &str) -> Result<EditOutcome> {
        self.step(plan, true)
    }

    /// Redoes the edit that was undone last.
    pub fn redo_edit(&self, plan: &str) -> Result<EditOutcome> {
        self.step(plan, false)
    }

    fn step(&self, plan: &str, is_back: bool) -> Result<EditOutcome> {
        let (key, entry) = {
            let workbench = self.shared.workbench();
            let key = self.shared.locate(&workbench, plan)?.file.key();
            let undo = workbench.store.plan_undo();
            let entry = match is_back {
                true => undo.last(&key)?,
                false => undo.next(&key)?,
            };
            (key, entry)
        };
        let Some(entry) = entry else {
            return self.unchanged(plan);
        };
        let before = self.shared.parsed_at(&key, &entry.before)?;
        let after = self.shared.parsed_at(&key, &entry.after)?;
        let (verb, remember, from, to) = match is_back {
            true => ("Undo", Remember::Undone(entry.seq), after, before),
            false => ("Redo", Remember::Redone(entry.seq), before, after),
        };
        let label = format!("{verb}: {}", entry.label);
        let made = |now: &_| Ok(merged(from.text(), to.text(), now));
        self.shared.write(plan, &label, &remember, made)
    }

    /// Previews an edit.
    pub fn preview_edit(&self, plan: &str, revision: &str, edit: &Edit) -> Result<EditPreview> {
        let parsed = self.shared.parsed_at(plan, revision)?;
        let made = making::make(parsed.text(), &parsed.plan, edit).map_err(refused)?;
        let after = made.text;
        let (plan, _) = plan::parse(&after);
        Ok(EditPreview {
            revision: parsed.revision().as_str().to_owned(),
            diff: diff_lines(parsed.text(), &after, MAX_LINES).0,
            tasks: u32::try_from(plan.tasks.len()).unwrap_or(u32::MAX),
        })
    }

    /// Previews what deleting a task would affect.
    pub fn preview_delete(&self, plan: &str, revision: &str, task: &str) -> Result<DeletePreview> {
        let (parsed, index) = self.task_at(plan, revision, task)?;
        let tasks = &parsed.plan.tasks;
        let id = TaskId::from(task);
        let goes = |at: usize| {
            let mut around = std::iter::successors(Some(at), |at| tasks[*at].parent);
            around.any(|at| at == index)
        };
        let (gone, stays): (Vec<usize>, Vec<usize>) = (0..tasks.len()).partition(|at| goes(*at));
        let covered_by = |which: &[usize]| -> HashSet<&str> {
            let covers = which.iter().flat_map(|at| &tasks[*at].covers);
            covers.map(String::as_str).collect()
        };
        let (lost, kept) = (covered_by(&gone), covered_by(&stays));
        let requirements = parsed.plan.requirements.iter().map(|one| one.id.as_str());
        let uncovered = requirements.filter(|id| lost.contains(id) && !kept.contains(id));
        let named_by = edit::named_by(&parsed.plan, &id);
        let dependents = named_by.iter().filter_map(|id| parsed.plan.task(id));
        let splices = edit::delete_task(parsed.text(), &parsed.plan, &id).map_err(refused)?;
        let after = edit::apply(parsed.text(), &splices).map_err(refused)?.text;
        Ok(DeletePreview {
            children: gone
                .iter()
                .filter(|at| **at != index)
                .take(MAX_TASKS)
                .map(|at| reference(&tasks[*at]))
                .collect(),
            dependents: dependents.take(MAX_TASKS).map(reference).collect(),
            uncovered: uncovered.map(str::to_owned).collect(),
            diff: diff_lines(parsed.text(), &after, MAX_LINES).0,
        })
    }

    /// Previews one of a finding's fixes; 0 is the first.
    pub fn preview_fix(
        &self,
        plan: &str,
        revision: &str,
        finding: &str,
        option: u32,
    ) -> Result<FixPreview> {
        let parsed = self.shared.parsed_at(plan, revision)?;
        let fix = fix_of(&parsed, finding, option)?;
        let after = fix.made_on(parsed.text(), &parsed.plan).map_err(refused)?;
        Ok(FixPreview {
            label: fix.label.clone(),
            revision: parsed.revision().as_str().to_owned(),
            diff: diff_lines(parsed.text(), &after, MAX_LINES).0,
        })
    }

    /// Applies one of a finding's fixes, as previewed for this revision.
    pub fn apply_fix(
        &self,
        plan: &str,
        revision: &str,
        finding: &str,
        option: u32,
    ) -> Result<EditOutcome> {
        let base = self.shared.parsed_at(plan, revision)?;
        let fix = fix_of(&base, finding, option)?;
        let ours = fix.made_on(base.text(), &base.plan).map_err(refused)?;
        let outcome = self.shared.write_merged(&base, &ours, &fix.label)?;
        let mut findings = base.report.findings.iter();
        if let Some(found) = findings.find(|one| one.id == finding) {
            self.keep_action(&base, found, FindingAction::Fixed, None, &outcome)?;
        }
        Ok(outcome)
    }

    /// Restores a deleted plan file with its last recorded content, and returns that revision.
    ///
    /// # Errors
    /// [`Code::Usage`] if the file exists or was never recorded; otherwise same as
    /// [`Desktop::edit`].
    pub fn bring_back(&self, plan: &str) -> Result<String> {
        let latest = {
            let workbench = self.shared.workbench();
            workbench.store.revisions().latest(plan)?
        };
        let latest = latest.ok_or_else(|| err!(Usage: "no history of {plan}; check the path"))?;
        let kept = self.shared.parsed_at(plan, &latest.hash)?;
        {
            let workbench = self.shared.workbench();
            let located = self.shared.locate(&workbench, plan)?;
            let workspace = workbench.open_workspace(&located.root)?;
            let bytes = kept.text().as_bytes();
            let permit = located.file.permit(Bearer::Person);
            if !documents::create(&permit, &workspace, &located.file.relative, bytes)? {
                return Err(
                    err!(Usage: "{} already exists, so nothing was written", located.file.relative),
                );
            }
        }
        let revision = kept.revision().as_str().to_owned();
        self.shared
            .announce(plan, Some(revision.clone()), Author::Person);
        Ok(revision)
    }

    fn unchanged(&self, plan: &str) -> Result<EditOutcome> {
        let (_, _, now) = self.shared.read_now(&self.shared.workbench(), plan)?;
        let revision = now.revision.as_str().to_owned();
        Ok(EditOutcome::Unchanged { revision })
    }
}

/// One of a finding's fixes.
pub(crate) fn fix_of<'p>(
    parsed: &'p ParsedPlan,
    finding: &str,
    option: u32,
) -> Result<&'p adequacy::Fix> {
    let mut findings = parsed.report.findings.iter();
    let found = findings.find(|one| one.id == finding);
    let option = usize::try_from(option).unwrap_or(usize::MAX);
    found
        .and_then(|found| found.fixes.get(option))
        .ok_or_else(|| {
            err!(Usage:
            "the plan has no finding {finding} with that fix; reload its findings")
        })
}

pub(crate) fn refused(error: EditError) -> Error {
    Error::from_cause(Code::Usage, error)
}
