//! The walk: lists files and returns the texts that contain a term.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use cap_std::fs::Dir;
use ignore::WalkState;
use memchr::memmem::Finder;

use super::rules::{is_about_plans, is_binary_name, slashed, text_of, walker};
use super::{MAX_FILES, Survey, SurveyRequest};
use crate::workspace::Workspace;

/// The result of a walk.
#[derive(Default)]
pub(super) struct Scan {
    pub(super) paths: BTreeSet<String>,
    /// Texts that contain a term and those of named files, sorted by path.
    pub(super) files: Vec<(String, String)>,
    /// Number of files whose names are not Unicode.
    pub(super) unnamed: usize,
    /// Whether there were more files than are listed.
    pub(super) is_partial: bool,
}

/// The paths of files, and the texts of some of them with their paths.
type Lists = (Vec<String>, Vec<(String, String)>);

/// The results of one thread. They are merged when it ends, so that threads don't wait for each
/// other at every file.
struct Gathered<'a> {
    paths: Vec<String>,
    files: Vec<(String, String)>,
    whole: &'a Mutex<Lists>,
}

impl Drop for Gathered<'_> {
    fn drop(&mut self) {
        let mut whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        whole.0.append(&mut self.paths);
        whole.1.append(&mut self.files);
    }
}

pub(super) fn scan(workspace: &Workspace, request: &SurveyRequest, survey: &Survey) -> Scan {
    let (dir, root) = (workspace.dir(), workspace.path());
    let finders: Vec<Finder<'_>> = request
        .terms
        .iter()
        .map(|term| Finder::new(term.as_bytes()))
        .collect();
    let whole = Mutex::new(Lists::default());
    let count = &survey.files;
    let unnamed = AtomicUsize::new(0);
    let walk = walker(root).build_parallel();
    walk.run(|| {
        let mut gathered = Gathered {
            paths: Vec::new(),
            files: Vec::new(),
            whole: &whole,
        };
        let (finders, unnamed) = (&finders, &unnamed);
        Box::new(move |entry| {
            if survey.is_stopped() {
                return WalkState::Quit;
            }
            let Ok(entry) = entry else {
                return WalkState::Continue;
            };
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                return WalkState::Continue;
            }
            let Ok(relative) = entry.path().strip_prefix(root) else {
                return WalkState::Continue;
            };
            let Some(path) = slashed(relative) else {
                unnamed.fetch_add(1, Ordering::Relaxed);
                return WalkState::Continue;
            };
            if is_about_plans(dir, &path, request) {
                return WalkState::Continue;
            }
            if count.fetch_add(1, Ordering::Relaxed) >= MAX_FILES {
                return WalkState::Quit;
            }
            if !finders.is_empty()
                && !is_binary_name(&path)
                && !workspace.is_private(relative)
                && let Some(text) = text_of(dir, relative)
                && (request.named_paths.contains(&path)
                    || finders
                        .iter()
                        .any(|finder| finder.find(text.as_bytes()).is_some()))
            {
                gathered.files.push((path.clone(), text));
            }
            gathered.paths.push(path);
            WalkState::Continue
        })
    });
    let (paths, mut files) = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
    files.sort();
    Scan {
        paths: paths.into_iter().collect(),
        files,
        unnamed: unnamed.into_inner(),
        is_partial: count.load(Ordering::Relaxed) > MAX_FILES,
    }
}

/// Whether these paths include every file of a folder, even ignored ones. A folder that can't be
/// read completely counts as not listed.
pub(super) fn is_listed(dir: &Dir, folder: &str, paths: &BTreeSet<String>) -> bool {
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = dir.read_dir(&folder) else {
            return false;
        };
        for entry in entries {
            let Ok(entry) = entry else { return false };
            let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else {
                return false;
            };
            let path = format!("{folder}/{name}");
            if kind.is_dir() {
                open.push(path);
            } else if !paths.contains(&path) {
                return false;
            }
        }
    }
    true
}
