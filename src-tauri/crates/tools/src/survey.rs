//! `kb-fast`: surveys a workspace for the information that a plan for a goal needs.
//!
//! A parallel walk lists the files that are not ignored and searches them for the goal's terms as
//! whole words; then the few manifests that show how the project is tested are read. Contents are
//! read through the workspace's handle, so nothing outside is opened, and symbolic links are not
//! followed. Binary files and files over [`LARGEST`] are listed but not searched; plans are neither
//! listed nor searched. For an index, [`stamps_with_progress`] walks by the same rules and returns
//! sizes and times instead of texts. The result does not depend on thread timing, and nothing is
//! changed.

mod rules;
mod scan;
mod stamps;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use planning::{Context, Intake, project};

use crate::error::ToolError;
use crate::workspace::Workspace;
use scan::Scan;
pub use stamps::{Stamp, Stamps, stamps_of, stamps_with_progress, text_to_search};

/// Maximum size of a file that is searched, in bytes.
pub const LARGEST: u64 = 1 << 20;
/// Maximum number of files to list; larger workspaces are surveyed in part, which the result says.
pub const MAX_FILES: usize = 100_000;
/// Maximum amount of text kept for exact edits, in bytes.
const MAX_TEXT: usize = 32 << 20;
/// Maximum number of places kept for one term.
const MAX_PLACES: usize = 5_000;

/// The default plan folder.
pub const PLAN_FOLDER: &str = "plans";

/// The parameters of a survey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurveyRequest {
    /// Texts to find as whole words, case-sensitively.
    pub terms: Vec<String>,
    /// Paths named in the goal, which are listed even if ignored.
    pub named_paths: Vec<String>,
    /// The path of the plan folder in the workspace; empty for none. Its content is left out,
    /// except for source code, unless a named path refers to it. Plans elsewhere are recognized by
    /// their front matter.
    pub plan_folder: String,
}

impl Default for SurveyRequest {
    fn default() -> Self {
        Self {
            terms: Vec::new(),
            named_paths: Vec::new(),
            plan_folder: PLAN_FOLDER.to_owned(),
        }
    }
}

impl SurveyRequest {
    /// The request for a goal, with the default plan folder.
    pub fn for_intake(intake: &Intake) -> Self {
        Self {
            terms: intake.terms(),
            named_paths: intake.named_paths.clone(),
            ..Self::default()
        }
    }
}

/// A survey in progress, shared with other threads: its progress, and a way to stop it.
#[derive(Debug, Default)]
pub struct Survey {
    files: AtomicUsize,
    stopped: AtomicBool,
}

impl Survey {
    /// Number of files visited so far.
    pub fn files(&self) -> usize {
        self.files.load(Ordering::Relaxed)
    }

    /// Counts one more file.
    pub fn count(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
    }

    /// Makes the survey end with [`ToolError::Cancelled`] at the next file.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the survey was stopped.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// Surveys a workspace.
///
/// # Errors
/// If the folder itself is missing or can't be listed; unreadable files and folders inside are left
/// out.
pub fn survey(workspace: &Workspace, request: &SurveyRequest) -> Result<Context, ToolError> {
    survey_with_progress(workspace, request, &Survey::default())
}

/// Surveys a workspace while other threads can observe and stop it.
///
/// # Errors
/// Same as [`survey`]; [`ToolError::Cancelled`] if it was stopped.
pub fn survey_with_progress(
    workspace: &Workspace,
    request: &SurveyRequest,
    survey: &Survey,
) -> Result<Context, ToolError> {
    workspace.ensure_present()?;
    let (dir, root) = (workspace.dir(), workspace.path());
    dir.entries()
        .map_err(|error| ToolError::io("listing", root, &error))?;
    let Scan {
        mut paths,
        files,
        unnamed,
        is_partial,
    } = scan::scan(workspace, request, survey);
    if survey.is_stopped() {
        return Err(ToolError::Cancelled);
    }
    let mut folders = BTreeMap::new();
    for named in &request.named_paths {
        let folder = named.trim_end_matches('/');
        match dir.symlink_metadata(folder) {
            Ok(found) if found.is_file() => {
                paths.insert(named.clone());
            }
            Ok(found) if found.is_dir() => {
                folders.insert(folder.to_owned(), scan::is_listed(dir, folder, &paths));
            }
            _ => {}
        }
    }
    let mut limits = Vec::new();
    if is_partial {
        limits.push(format!(
            "Only the first {MAX_FILES} files in the workspace were searched."
        ));
    }
    if unnamed > 0 {
        limits.push(format!(
            "Files skipped because their names are not valid Unicode: {unnamed}."
        ));
    }
    let mut occurrences: BTreeMap<String, Vec<_>> = request
        .terms
        .iter()
        .map(|term| (term.clone(), Vec::new()))
        .collect();
    let mut texts = BTreeMap::new();
    let mut kept = 0;
    for (path, text) in files {
        let mut holds = request.named_paths.contains(&path);
        for (term, places) in &mut occurrences {
            if places.len() < MAX_PLACES {
                let found = planning::text::occurrences(&path, &text, term);
                holds |= !found.is_empty();
                places.extend(found);
            }
        }
        if holds && kept + text.len() <= MAX_TEXT {
            kept += text.len();
            texts.insert(path, text);
        }
    }
    for (term, places) in &occurrences {
        if places.len() >= MAX_PLACES {
            limits.push(format!("Not all occurrences of `{term}` were checked."));
        }
    }
    let manifests: BTreeMap<String, String> = project::wanted(&paths)
        .into_iter()
        .filter_map(|path| {
            let is_private = workspace.is_private(Path::new(&path));
            let text = rules::text_of(dir, Path::new(&path)).filter(|_| !is_private)?;
            Some((path, text))
        })
        .collect();
    let guidance = ["AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md"]
        .into_iter()
        .filter(|name| paths.contains(*name))
        .map(str::to_owned)
        .collect();
    Ok(Context {
        projects: project::detect(&paths, &manifests),
        occurrences,
        texts,
        folders,
        guidance,
        limits,
        paths,
        offered: Vec::new(),
        known: Vec::new(),
    })
}
