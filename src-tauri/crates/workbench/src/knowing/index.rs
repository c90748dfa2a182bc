//! `kb-balanced`: ranked search over a workspace, from an index that is brought up to date when it is asked.
//!
//! The index lies under the user's data and is a cache: it may be deleted at any time and is then made
//! anew. Bringing it up to date walks the folder, compares sizes and times, and reads only what changed;
//! one process writes at a time, and others search what is there. What a run changed is taken in as it
//! happens (`news`). Else nothing runs between two questions: no thread, no timer, no watch. A search
//! never fails a plan: what could not be looked at is told in the report, and fewer files are offered.

mod hits;
mod naming;
mod news;
mod past;
mod refreshing;

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
use refreshing::Refreshed;

/// Files that are linked with one file, as [`Workbench::links_of`] gives them.
const MAX_LINKED: usize = 50;
/// The most text of offered files that is kept, in bytes.
const MAX_TEXT: usize = 4 << 20;

/// What was done to offer files for a goal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexReport {
    /// Files that the index knows.
    pub files_known: u64,
    /// Files that were read because they are new or changed.
    pub files_read: usize,
    /// Bytes of text that were read for that.
    pub bytes_read: u64,
    /// Files that are gone, and were taken out.
    pub files_gone: usize,
    /// How long all of it took, in milliseconds.
    pub ms: u64,
    /// Why the workspace was not looked at whole, as a sentence; `None` where it was.
    pub cut: Option<String>,
    /// Whether the files offered are likely enough that no heavier search is worth its cost.
    pub is_sufficient: bool,
    /// Why, as a phrase.
    pub why: String,
}

/// What [`Workbench::find_files`] found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundFiles {
    /// The files that the goal is thought to concern, the likeliest first.
    pub offered: Vec<Offered>,
    /// The files that come next, in their order; ten with those.
    pub likely: Vec<Offered>,
    /// What was done for it.
    pub report: IndexReport,
}

impl Workbench {
    /// Offers files of a workspace for a goal in words, from its index, which is brought up to date first.
    ///
    /// # Errors
    /// [`Code::Workspace`](crate::Code::Workspace) when the folder cannot be opened.
    pub fn find_files(&self, root: &Path, goal: &str) -> Result<FoundFiles> {
        let workspace = self.open_workspace(&self.environment.cwd.join(root))?;
        let (settings, _) = self.settings_for(Some(&workspace));
        let intake = planning::detect(goal, &adequacy::WorkspaceFacts::default());
        let mut context = Context::default();
        let (folder, under_way) = (&settings.plan_folder, Survey::default());
        let (report, likely) = self.search(&workspace, folder, &intake, &mut context, &under_way);
        Ok(FoundFiles {
            offered: context.offered,
            likely,
            report,
        })
    }

    /// The files that a file refers to, then those that refer to it, in order of path; none where the
    /// workspace has no index.
    ///
    /// # Errors
    /// [`Code::Workspace`](crate::Code::Workspace) when the folder cannot be opened,
    /// [`Code::Storage`](crate::Code::Storage) when the index cannot be read.
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

    /// Fills [`Context::offered`] with the files that a goal is thought to concern, and
    /// [`Context::texts`] with their texts where they are missing, up to 4 MiB. Others may watch, or stop
    /// it: then what was indexed so far is searched.
    pub(crate) fn offer(
        &self,
        workspace: &Workspace,
        plan_folder: &str,
        intake: &Intake,
        context: &mut Context,
        under_way: &Survey,
    ) -> IndexReport {
        self.search(workspace, plan_folder, intake, context, under_way)
            .0
    }

    /// The same, with the files that come next.
    fn search(
        &self,
        workspace: &Workspace,
        plan_folder: &str,
        intake: &Intake,
        context: &mut Context,
        under_way: &Survey,
    ) -> (IndexReport, Vec<Offered>) {
        let began = Instant::now();
        let mut likely = Vec::new();
        let file = self.index_file(workspace.path());
        let mut report = IndexReport::default();
        let query = indexing::query(intake);
        for _ in 0..2 {
            match self.looked_up(&file, workspace, plan_folder, intake, &query, under_way) {
                Ok((ranked, found)) => {
                    context.offered = ranked.offered;
                    likely = ranked.likely;
                    report = found;
                    break;
                }
                // Met while it was used: a second try begins with an empty one.
                Err(StoreError::Damaged { what }) => {
                    tracing::info!(what, "the index of a workspace is begun anew");
                    report.cut = Some("The index of the workspace is damaged.".to_owned());
                    if !is_removed(&file) {
                        break;
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "the workspace was not searched");
                    report.cut = Some("The index of the workspace cannot be used.".to_owned());
                    break;
                }
            }
        }
        add_texts(workspace, context);
        report.ms = millis(began.elapsed());
        (report, likely)
    }

    /// Deletes the index of a workspace, whose folder may be gone. It is made anew when it is searched.
    pub fn forget_index(&self, workspace: &Path) {
        is_removed(&self.index_file(workspace));
    }

    fn index_file(&self, workspace: &Path) -> PathBuf {
        use std::os::unix::ffi::OsStrExt as _;
        let path = workspace.as_os_str().as_bytes();
        let name = &ContentHash::of(path).to_hex()[..32];
        self.home.indexes.join(format!("{name}.db"))
    }

    fn looked_up(
        &self,
        file: &Path,
        workspace: &Workspace,
        plan_folder: &str,
        intake: &Intake,
        query: &Query,
        under_way: &Survey,
    ) -> std::result::Result<(Ranked, IndexReport), StoreError> {
        if let Err(error) = make_private(&self.home.indexes) {
            tracing::warn!(%error, "there is no place for an index");
        }
        let mut report = IndexReport::default();
        let index = match WorkspaceIndex::write(file)? {
            Some(index) => {
                let done = refreshing::refresh(&index, workspace, plan_folder, under_way)?;
                note(&mut report, done);
                Some(index)
            }
            None => {
                report.cut =
                    Some("Another Planwright is indexing the workspace; what it has so far was searched.".to_owned());
                WorkspaceIndex::read(file)?
            }
        };
        let Some(index) = index else {
            return Ok((Ranked::default(), report));
        };
        report.files_known = index.files()?;
        let past = past::of(&index, workspace);
        let hits = hits::hits(&index, intake, query, &past)?;
        let ranked = indexing::rank(intake, query, &hits, &hits::Known(&index));
        (report.is_sufficient, report.why) = hits::sufficiency(query, &hits, &ranked.offered);
        Ok((ranked, report))
    }
}

/// Deletes an index; `false` where it stays, as one does that another process writes.
fn is_removed(file: &Path) -> bool {
    match WorkspaceIndex::remove(file) {
        Ok(true) => true,
        Ok(false) => {
            tracing::info!("an index stays, since another process writes it");
            false
        }
        Err(error) => {
            tracing::warn!(%error, "an index stays");
            false
        }
    }
}

fn note(report: &mut IndexReport, done: Refreshed) {
    report.files_read = done.files_read;
    report.bytes_read = done.bytes_read;
    report.files_gone = done.files_gone;
    report.cut = match (done.is_stopped, done.is_partial) {
        (true, _) => Some("It was stopped before every file was looked at.".to_owned()),
        (_, true) => Some(format!(
            "Only the first {} files of the workspace are in the index.",
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
