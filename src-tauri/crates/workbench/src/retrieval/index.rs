//! `kb-balanced`: ranked search over a workspace, with an index that is updated on each search.
//!
//! The index is a cache in the user's data folder; it can be deleted at any time and is then
//! rebuilt. An update walks the folder, compares sizes and times, and reads only what changed. One
//! process writes at a time, and others search the existing index. Changes by a run are indexed as
//! they happen (`changed_files`). Otherwise nothing runs between searches: no thread, timer or
//! watcher. Planning never fails because of a search: the report says what couldn't be read, and
//! fewer files are suggested.

mod changed_files;
mod commits;
mod hits;
mod refresh;
mod symbols;

use std::path::{Path, PathBuf};
use std::time::Instant;

use planning::indexing::{self, Query, Ranked};
use planning::{Context, Intake, Offered};
use store::{StoreError, WorkspaceIndex};
use tools::survey::{self, Survey};
use tools::{ContentHash, Workspace};

use crate::Workbench;
use crate::clock::millis;
use crate::error::Result;
use crate::home::make_private;
use refresh::Refreshed;

/// Maximum number of links of a file that [`Workbench::links_of`] returns.
const MAX_LINKED: usize = 50;
/// Maximum number of bytes of suggested files' text that are kept.
const MAX_TEXT: usize = 4 << 20;

/// The report of a search for files that a goal concerns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexReport {
    /// Number of files in the index.
    pub files_known: u64,
    /// Number of files read because they are new or changed.
    pub files_read: usize,
    /// Number of bytes of text read from them.
    pub bytes_read: u64,
    /// Number of deleted files removed from the index.
    pub files_gone: usize,
    /// Total time in milliseconds.
    pub ms: u64,
    /// Why the workspace wasn't read completely, as a sentence; `None` if it was.
    pub cut: Option<String>,
    /// Whether the suggestions are good enough to make a more expensive search unnecessary.
    pub is_sufficient: bool,
    /// The reason, as a phrase.
    pub why: String,
}

/// The result of [`Workbench::find_files`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundFiles {
    /// The files that the goal probably concerns, the most likely first.
    pub offered: Vec<Offered>,
    /// The next most likely files; at most ten together with `offered`.
    pub likely: Vec<Offered>,
    /// The report of the search.
    pub report: IndexReport,
}

impl Workbench {
    /// Suggests files of a workspace for a goal, after updating its index. Fails with
    /// [`Code::Workspace`](crate::Code::Workspace) if the folder can't be opened.
    pub fn find_files(&self, root: &Path, goal: &str) -> Result<FoundFiles> {
        let workspace = self.open_workspace(&self.environment.cwd.join(root))?;
        let (settings, _) = self.settings_for(Some(&workspace));
        let intake = planning::detect(goal, &adequacy::WorkspaceFacts::default());
        let mut context = Context::default();
        let (folder, survey) = (&settings.plan_folder, Survey::default());
        let (report, likely) = self.search(&workspace, folder, &intake, &mut context, &survey);
        Ok(FoundFiles {
            offered: context.offered,
            likely,
            report,
        })
    }

    /// The files that a file refers to, then those that refer to it, by path; empty if the
    /// workspace has no index. Fails with [`Code::Workspace`](crate::Code::Workspace) if the folder
    /// can't be opened, [`Code::Storage`](crate::Code::Storage) if the index can't be read.
    pub fn links_of(&self, root: &Path, path: &str) -> Result<Vec<String>> {
        let workspace = self.open_workspace(&self.environment.cwd.join(root))?;
        let Some(index) = WorkspaceIndex::read(&self.index_file(workspace.path()))? else {
            return Ok(Vec::new());
        };
        let mut linked: Vec<String> = Vec::new();
        let from = index.links_from(path)?.into_iter();
        let from = from.filter(|(target, other)| indexing::resolves(target, other));
        for other in from.map(|(_, other)| other).chain(importers(&index, path)?) {
            if linked.len() < MAX_LINKED && other != path && !linked.contains(&other) {
                linked.push(other);
            }
        }
        Ok(linked)
    }

    /// Fills [`Context::offered`] with the files that a goal probably concerns, and adds their
    /// texts to [`Context::texts`] if missing, up to 4 MiB. Another thread can watch the update
    /// through `survey` or stop it; then the search only covers what is indexed so far.
    pub(crate) fn offer(
        &self,
        workspace: &Workspace,
        plan_folder: &str,
        intake: &Intake,
        context: &mut Context,
        survey: &Survey,
    ) -> IndexReport {
        self.search(workspace, plan_folder, intake, context, survey)
            .0
    }

    /// Like [`Workbench::offer`], but also returns the next most likely files.
    fn search(
        &self,
        workspace: &Workspace,
        plan_folder: &str,
        intake: &Intake,
        context: &mut Context,
        survey: &Survey,
    ) -> (IndexReport, Vec<Offered>) {
        let began = Instant::now();
        let mut likely = Vec::new();
        let file = self.index_file(workspace.path());
        let mut report = IndexReport::default();
        let query = indexing::query(intake);
        for _ in 0..2 {
            match self.refresh_and_search(&file, workspace, plan_folder, intake, &query, survey) {
                Ok((ranked, found)) => {
                    context.offered = ranked.offered;
                    likely = ranked.likely;
                    report = found;
                    break;
                }
                // The damage was found during use: retry with an empty index.
                Err(StoreError::Damaged { what }) => {
                    tracing::info!(what, "rebuilding the index of a workspace");
                    report.cut = Some("The workspace index is damaged.".to_owned());
                    if !is_removed(&file) {
                        break;
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "couldn't search the workspace");
                    report.cut = Some("The workspace index can't be used.".to_owned());
                    break;
                }
            }
        }
        add_texts(workspace, context);
        report.ms = millis(began.elapsed());
        (report, likely)
    }

    /// Deletes the index of a workspace, which itself may no longer exist. It is rebuilt by the
    /// next search.
    pub fn forget_index(&self, workspace: &Path) {
        is_removed(&self.index_file(workspace));
    }

    fn index_file(&self, workspace: &Path) -> PathBuf {
        use std::os::unix::ffi::OsStrExt as _;
        let path = workspace.as_os_str().as_bytes();
        let name = &ContentHash::of(path).to_hex()[..32];
        self.home.indexes.join(format!("{name}.db"))
    }

    fn refresh_and_search(
        &self,
        file: &Path,
        workspace: &Workspace,
        plan_folder: &str,
        intake: &Intake,
        query: &Query,
        survey: &Survey,
    ) -> std::result::Result<(Ranked, IndexReport), StoreError> {
        if let Err(error) = make_private(&self.home.indexes) {
            tracing::warn!(%error, "couldn't prepare the folder of the index");
        }
        let mut report = IndexReport::default();
        let index = match WorkspaceIndex::write(file)? {
            Some(index) => {
                let done = refresh::refresh(&index, workspace, plan_folder, survey)?;
                note(&mut report, done);
                Some(index)
            }
            None => {
                report.cut =
                    Some("Another Planwright process is still indexing the workspace, so results may be incomplete.".to_owned());
                WorkspaceIndex::read(file)?
            }
        };
        let Some(index) = index else {
            return Ok((Ranked::default(), report));
        };
        report.files_known = index.files()?;
        let past = commits::of(&index, workspace);
        let hits = hits::hits(&index, intake, query, &past)?;
        let ranked = indexing::rank(intake, query, &hits, &hits::IndexedFiles(&index));
        (report.is_sufficient, report.why) = hits::sufficiency(query, &hits, &ranked.offered);
        Ok((ranked, report))
    }
}

/// Deletes an index; `false` if it can't be deleted, for example because another process is writing
/// it.
fn is_removed(file: &Path) -> bool {
    match WorkspaceIndex::remove(file) {
        Ok(true) => true,
        Ok(false) => {
            tracing::info!("index not removed: another process is writing it");
            false
        }
        Err(error) => {
            tracing::warn!(%error, "couldn't remove an index");
            false
        }
    }
}

fn note(report: &mut IndexReport, done: Refreshed) {
    report.files_read = done.files_read;
    report.bytes_read = done.bytes_read;
    report.files_gone = done.files_gone;
    report.cut = match (done.is_stopped, done.is_partial) {
        (true, _) => Some("Indexing was stopped before all files were read.".to_owned()),
        (_, true) => Some(format!(
            "Only the first {} files of the workspace are indexed.",
            survey::MAX_FILES
        )),
        _ => done.problem,
    };
}

/// The files that refer to a file.
fn importers(index: &WorkspaceIndex, path: &str) -> std::result::Result<Vec<String>, StoreError> {
    let pairs = index.links_to(path)?.into_iter();
    let referring =
        pairs.filter(|(target, other)| other != path && indexing::resolves(target, path));
    let mut others: Vec<String> = referring.map(|(_, other)| other).collect();
    others.dedup();
    Ok(others)
}

fn add_texts(workspace: &Workspace, context: &mut Context) {
    let mut room = MAX_TEXT;
    for offered in &context.offered {
        if context.texts.contains_key(&offered.path) {
            continue;
        }
        if let Some(text) = survey::text_to_search(workspace, &offered.path)
            && text.len() <= room
        {
            room -= text.len();
            context.texts.insert(offered.path.clone(), text);
        }
    }
}

#[cfg(test)]
mod tests;
