//! The list of plans, one entry per file. A file is read again only if its metadata changed.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::Arc;

use agent::run::open_questions;
use plan::Plan;
use tools::Workspace;

use super::outline::badge;
use super::parsed::{ParsedPlan, Stamp};
use super::places::ListedPlan;
use super::reading::Located;
use crate::wire::{PlanList, PlanSummary};
use crate::{Desktop, Shared, lock};
use workbench::Workbench;
use workbench::error::Result;
use workbench::plan_file::{self, PlanFile};
use workbench::text::number;

/// Maximum plans listed per workspace.
const MAX_PLANS: usize = 500;

impl Desktop {
    /// The plans of a workspace: up to 500 by path, those in the plan folder first, followed by
    /// those in the home folders of other programs.
    ///
    /// # Errors
    /// [`workbench::Code::Workspace`] if the folder can't be read.
    pub fn plans(&self, workspace: &str) -> Result<PlanList> {
        let mut found = self.shared.found_plans(workspace)?;
        let of = found.here.len();
        if of > MAX_PLANS {
            found.here.truncate(MAX_PLANS);
            let listed = format!(
                "{MAX_PLANS} of {of} plans are listed. Search finds the others; the setting \
                 `plan_folders` narrows the list to the folders that it names."
            );
            found.left_out.insert(0, listed);
        }
        let mut folders = Folders::of(found.workspace);
        let archived = self.shared.workbench().store.archived_plans().all()?;
        let plans = found.here.into_iter().chain(found.at_home);
        let plans = plans.map(|plan| {
            let summary = self.shared.summary(folders.at(&plan.root)?, plan)?;
            let is_archived = archived.contains(&summary.plan);
            Ok(PlanSummary {
                is_archived,
                ..summary
            })
        });
        Ok(PlanList {
            plans: plans.collect::<Result<_>>()?,
            left_out: found.left_out,
        })
    }

    /// One plan as shown in the list. Fails with [`workbench::Code::Workspace`] if the folder can't
    /// be read, [`workbench::Code::Storage`].
    pub(crate) fn plan_summary(&self, workspace: &str, plan: &str) -> Result<PlanSummary> {
        let (workspace, plan) = {
            let workbench = self.shared.workbench();
            let located = self.shared.locate(&workbench, plan)?;
            if let Some(place) = located.foreign {
                let workspace = workbench.open_workspace(&located.root)?;
                let Located { root, file, .. } = located;
                (workspace, ListedPlan { root, file, place })
            } else {
                let workspace = workbench.open_workspace(Path::new(workspace))?;
                let (settings, _) = workbench.settings_for(Some(&workspace));
                let mut file = located.file;
                if let Ok(path) = file.path.strip_prefix(workspace.path()) {
                    file.relative = path.display().to_string();
                }
                let is_in_folder = Path::new(&file.relative).starts_with(&settings.plan_folder);
                let place = if is_in_folder { "plans" } else { "workspace" }.to_owned();
                let root = workspace.path().to_owned();
                (workspace, ListedPlan { root, file, place })
            }
        };
        self.shared.summary(&workspace, plan)
    }
}

/// The opened folders that contain the listed plans: the workspace, and home folders, which are
/// opened on demand.
pub(crate) struct Folders {
    workspace: Workspace,
    other: Option<Workspace>,
}

impl Folders {
    pub(crate) fn of(workspace: Workspace) -> Self {
        let other = None;
        Self { workspace, other }
    }

    pub(crate) fn at(&mut self, root: &Path) -> Result<&Workspace> {
        if self.workspace.path() == root {
            return Ok(&self.workspace);
        }
        if self.other.as_ref().is_none_or(|other| other.path() != root) {
            self.other = Some(Workspace::open(root)?);
        }
        Ok(self.other.as_ref().unwrap_or(&self.workspace))
    }
}

impl Shared {
    fn summary(&self, workspace: &Workspace, plan: ListedPlan) -> Result<PlanSummary> {
        let path = plan.shown();
        let ListedPlan {
            mut file, place, ..
        } = plan;
        file.path = file.path.canonicalize().unwrap_or(file.path);
        let digest = self.digest(workspace, &file);
        let key = file.key();
        let workbench = self.workbench();
        let (run_state, waiting) = match newest_run(&workbench, &key)? {
            Some((run, state)) => {
                let parsed = || self.parsed_file(workspace, &file);
                (
                    Some(state.clone()),
                    waiting(&workbench, &run, &state, parsed)?,
                )
            }
            None => (None, 0),
        };
        Ok(PlanSummary {
            mark: match &digest.revision {
                Some(revision) => mark(&workbench, &key, revision)?,
                None => None,
            },
            plan: key,
            path,
            waiting,
            run_state,
            place,
            ..digest
        })
    }

    /// Summarizes a plan from its file's content.
    fn digest(&self, workspace: &Workspace, file: &PlanFile) -> PlanSummary {
        let key = file.key();
        let stamp = stamp_of(&file.path);
        if let Some(stamp) = &stamp
            && let Some((known, digest)) = lock(&self.parsed).digests.get(&key)
            && known == stamp
        {
            return digest.clone();
        }
        let digest = match self.parsed_file(workspace, file) {
            Ok(parsed) => digest_of(&parsed, file),
            Err(error) => PlanSummary {
                title: name_of(file),
                problem: Some(error.message),
                ..PlanSummary::default()
            },
        };
        if let Some(stamp) = stamp {
            let mut parsed = lock(&self.parsed);
            if parsed.digests.len() > 4 * MAX_PLANS {
                parsed.digests.clear();
            }
            parsed.digests.insert(key, (stamp, digest.clone()));
        }
        digest
    }

    pub(super) fn parsed_file(
        &self,
        workspace: &Workspace,
        file: &PlanFile,
    ) -> Result<Arc<ParsedPlan>> {
        let content = plan_file::read(workspace, file)?;
        let key = file.key();
        let known = self.known(&key, content.revision.as_str());
        Ok(known.unwrap_or_else(|| {
            let facts = self.facts_of(&key);
            Arc::new(ParsedPlan::new(&key, content, facts))
        }))
    }
}

/// The file's metadata; `None` if the file can't be read, or changed so recently that it could
/// change again without a new timestamp.
pub(crate) fn stamp_of(path: &Path) -> Option<Stamp> {
    let found = path.metadata().ok()?;
    let age = found.modified().ok()?.elapsed().ok()?;
    (age.as_millis() >= 20).then(|| Stamp {
        len: found.len(),
        modified: found.modified().ok(),
        id: (found.dev(), found.ino(), found.ctime(), found.ctime_nsec()),
    })
}

fn digest_of(parsed: &ParsedPlan, file: &PlanFile) -> PlanSummary {
    let (done, total) = progress(&parsed.plan);
    PlanSummary {
        title: match &parsed.plan.title {
            Some(title) => super::rows::cut(&title.text, super::rows::MAX_TITLE_LEN),
            None => name_of(file),
        },
        revision: Some(parsed.revision().as_str().to_owned()),
        badge: Some(badge(&parsed.report)),
        done,
        total,
        is_over: parsed.plan.is_over(),
        dialect: Some(parsed.plan.dialect.as_str().to_owned()),
        ..PlanSummary::default()
    }
}

/// The numbers of done tasks and of all tasks, counted by the rules of the plan's format.
pub(super) fn progress(plan: &Plan) -> (u32, u32) {
    let (done, total) = plan.counted();
    (number(done), number(total))
}

fn name_of(file: &PlanFile) -> String {
    let name = file.path.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The latest mark on this revision of a plan: `changes_requested` or `approved`.
pub(super) fn mark(workbench: &Workbench, plan: &str, revision: &str) -> Result<Option<String>> {
    let store = &workbench.store;
    let sent_back = store.plan_marks().latest(plan)?;
    let sent_back = sent_back.filter(|mark| mark.revision == revision);
    let approvals = store.approvals().of_plan(plan)?;
    let approved = approvals
        .iter()
        .rev()
        .find(|given| given.revision == revision);
    Ok(match (sent_back, approved) {
        (Some(mark), Some(given)) if given.at_ms > mark.at_ms => Some("approved".to_owned()),
        (Some(mark), _) => Some(mark.mark.as_str().to_owned()),
        (None, Some(_)) => Some("approved".to_owned()),
        (None, None) => None,
    })
}

/// A plan's latest run with its state, if it is running or can be resumed.
fn newest_run(workbench: &Workbench, plan: &str) -> Result<Option<(store::Run, String)>> {
    let Some(run) = workbench.store.runs().of_plan(plan)?.into_iter().next() else {
        return Ok(None);
    };
    let state = workbench.live_state(&run)?;
    let goes_on = matches!(
        state.as_str(),
        "running" | "waiting" | "paused" | "failed" | "interrupted"
    );
    Ok(goes_on.then_some((run, state)))
}

/// Number of a run's questions that wait for a person.
fn waiting(
    workbench: &Workbench,
    run: &store::Run,
    state: &str,
    plan: impl FnOnce() -> Result<Arc<ParsedPlan>>,
) -> Result<u32> {
    let Ok(parsed) = plan() else {
        return Ok(0);
    };
    let Some(replayed) = workbench.state_of(&run.id)? else {
        return Ok(0);
    };
    let questions = open_questions(&replayed, &parsed.plan, state == "running");
    Ok(number(questions.len()))
}
