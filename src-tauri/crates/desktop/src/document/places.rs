//! Finds plan files in the workspace and in the home folders of other programs.
//!
//! Plans in a home folder belong to the other program; see `foreign`.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tools::listing::{self, PlanSearch, Stamp};
use tools::{Workspace, documents};

use crate::{Shared, lock};
use workbench::error::Result;
use workbench::foreign_folders::{HomeFolder, home_folders};
use workbench::plan_file::PlanFile;

/// Maximum files and folders of a workspace to scan.
const MAX_ENTRIES: usize = 50_000;

/// Shown for a workspace with more than [`MAX_ENTRIES`].
const TOO_LARGE: &str = "This folder holds more than 50,000 files and folders. Plans beyond them \
    are not listed: name their folders in the setting `plan_folders`.";

/// Maximum plans listed per home folder, newest first.
const MAX_FOREIGN: usize = 100;

/// A plan file in the list.
#[derive(Debug, Clone)]
pub(crate) struct ListedPlan {
    /// The workspace or home folder that contains it.
    pub(crate) root: PathBuf,
    pub(crate) file: PlanFile,
    /// `plans`, `workspace` or the home folder's display path.
    pub(crate) place: String,
}

impl ListedPlan {
    /// The display path: relative to the workspace, or below the home folder.
    pub(crate) fn shown(&self) -> String {
        match self.place.starts_with("~/") {
            true => format!("{}/{}", self.place, self.file.relative),
            false => self.file.relative.clone(),
        }
    }
}

/// The plans of a workspace and of home folders.
#[derive(Debug)]
pub(crate) struct FoundPlans {
    pub(crate) workspace: Workspace,
    /// Plans in the plan folder first, then the others by path.
    pub(crate) here: Vec<ListedPlan>,
    /// The newest plans in home folders.
    pub(crate) at_home: Vec<ListedPlan>,
    /// Sentences that explain why some plans aren't listed.
    pub(crate) left_out: Vec<String>,
}

impl Shared {
    /// Finds the plans of a workspace and of home folders.
    pub(crate) fn found_plans(&self, workspace: &str) -> Result<FoundPlans> {
        let (workspace, settings, homes) = {
            let workbench = self.workbench();
            let workspace = workbench.open_workspace(Path::new(workspace))?;
            let (settings, _) = workbench.settings_for(Some(&workspace));
            (workspace, settings, home_folders(&workbench))
        };
        let found = listing::plan_files(
            &workspace,
            &PlanSearch {
                folder: &settings.plan_folder,
                others: settings.plan_folders.as_deref(),
                limit: MAX_ENTRIES,
            },
        )?;
        let root = workspace.path();
        let plans = found.files.into_iter().filter_map(|found| {
            let path = root.join(&found.path);
            let is_one = found.is_certain || self.is_plan(&workspace, &found.path, found.stamp);
            let is_foreign = homes.iter().any(|home| path.starts_with(&home.path));
            (is_one && !is_foreign).then(|| ListedPlan {
                root: root.to_owned(),
                file: PlanFile {
                    path,
                    relative: found.path,
                },
                place: if found.is_in_folder {
                    "plans"
                } else {
                    "workspace"
                }
                .to_owned(),
            })
        });
        let here = plans.collect();
        let mut left_out = Vec::new();
        if found.is_cut {
            left_out.push(TOO_LARGE.to_owned());
        }
        let mut at_home = Vec::new();
        for home in &homes {
            let (plans, of) = foreign_plans(home);
            if plans.len() < of {
                left_out.push(format!(
                    "Showing the newest {} of {of} plans in {}.",
                    plans.len(),
                    home.shown
                ));
            }
            at_home.extend(plans);
        }
        Ok(FoundPlans {
            workspace,
            here,
            at_home,
            left_out,
        })
    }

    /// Whether a Markdown file is a plan. Reads the file only if its metadata changed.
    fn is_plan(&self, workspace: &Workspace, path: &str, stamp: Stamp) -> bool {
        let key = workspace.path().join(path);
        if let Some((known, is_plan)) = lock(&self.parsed).sniffed.get(&key)
            && *known == stamp
        {
            return *is_plan;
        }
        let is_plan = listing::is_plan(workspace, path);
        let mut parsed = lock(&self.parsed);
        if parsed.sniffed.len() >= MAX_ENTRIES {
            parsed.sniffed.clear();
        }
        // A file changed a moment ago could change again without a new timestamp.
        if !is_recent(stamp) {
            parsed.sniffed.insert(key, (stamp, is_plan));
        }
        is_plan
    }
}

fn is_recent(stamp: Stamp) -> bool {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_millis());
    let (seconds, nanos) = stamp.modified;
    let then = i128::from(seconds) * 1_000 + i128::from(nanos) / 1_000_000;
    i128::try_from(now).unwrap_or(i128::MAX) - then < 20
}

/// The newest plans of a home folder, by name, and how many there are in total. The ignore rules of
/// a dotfiles repository don't apply.
fn foreign_plans(folder: &HomeFolder) -> (Vec<ListedPlan>, usize) {
    let names = Workspace::open(&folder.path)
        .and_then(|opened| documents::markdown_files(&opened, ""))
        .unwrap_or_else(|error| {
            tracing::info!(%error, "the plans of another program cannot be listed");
            Vec::new()
        });
    let mut dated: Vec<(SystemTime, String)> = names
        .into_iter()
        .map(|name| {
            let found = folder.path.join(&name).symlink_metadata();
            let modified = found.and_then(|found| found.modified());
            (modified.unwrap_or(SystemTime::UNIX_EPOCH), name)
        })
        .collect();
    dated.sort_by(|one, other| (other.0, &one.1).cmp(&(one.0, &other.1)));
    let of = dated.len();
    dated.truncate(MAX_FOREIGN);
    dated.sort_by(|one, other| one.1.cmp(&other.1));
    let plans = dated.into_iter().map(|(_, name)| ListedPlan {
        root: folder.path.clone(),
        file: PlanFile {
            path: folder.path.join(&name),
            relative: name,
        },
        place: folder.shown.clone(),
    });
    (plans.collect(), of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_a_moment_ago_is_looked_at_again() {
        let stamp = |seconds| Stamp {
            len: 0,
            id: (0, 0),
            modified: (seconds, 0),
            changed: (0, 0),
        };
        assert!(is_recent(stamp(i64::MAX / 1_000_000)));
        assert!(!is_recent(stamp(1)));
    }
}
