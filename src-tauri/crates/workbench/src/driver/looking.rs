//! What stands where a call would destroy something. Only looked at: no snapshot, no file, no lock of
//! Git's index.

use agent::run::Event;
use gate::destructive::{Found, Look, Seen};
use store::Phase;
use tools::checkpoint::RelPath;
use tools::files::MAX_FILE;
use tools::git::{self, DirtyStatus};
use tools::listing::{Standing, standing};
use tools::{Workspace, documents};

use super::Driver;
use crate::error::Result;

impl Driver<'_> {
    /// Sees what was asked for, and what the step found of the files whose text matters.
    pub(super) fn look_at(&self, task: &str, look: &Look) -> Result<Event> {
        let mut seen = look_at(&self.workspace, look);
        let found = match seen.texts.is_empty() {
            true => None,
            false => self.kept_snapshot(task, Phase::Before)?,
        };
        let Some(found) = found else {
            return Ok(Event::Looked { seen });
        };
        for (path, now) in &seen.texts {
            let blob = found.blob(&RelPath::from(path.as_str()));
            let bytes = blob.and_then(|blob| self.blobs.get(blob).ok());
            let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
            if let Some(text) = text.filter(|text| text != now) {
                seen.originals.insert(path.clone(), text);
            }
        }
        Ok(Event::Looked { seen })
    }
}

/// Sees what was asked for. What cannot be seen is left out, and so counts as there.
fn look_at(workspace: &Workspace, look: &Look) -> Seen {
    let mut seen = Seen::default();
    for path in &look.paths {
        match standing(workspace, path) {
            Ok(found) => {
                seen.found.insert(path.clone(), found_of(found));
            }
            Err(error) => tracing::debug!(error = %error, "a path could not be looked at"),
        }
    }
    for path in &look.texts {
        // One that is no text is judged by its size.
        let bytes = documents::read(workspace, path, MAX_FILE).ok();
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some(text) = text {
            seen.texts.insert(path.clone(), text);
        }
    }
    if look.changed || look.untracked {
        match git::state(workspace) {
            Ok(Some(state)) => {
                let files = |is_wanted: fn(DirtyStatus) -> bool| {
                    let mut named: Vec<String> = state
                        .dirty
                        .iter()
                        .filter(|file| is_wanted(file.status))
                        .map(|file| file.path.clone())
                        .collect();
                    let more = state.dirty_total.saturating_sub(state.dirty.len());
                    if more > 0 {
                        named.push(format!("… and up to {more} more"));
                    }
                    named
                };
                seen.changed = Some(files(|status| status != DirtyStatus::Untracked));
                seen.untracked = Some(files(|status| status == DirtyStatus::Untracked));
            }
            Ok(None) => {}
            Err(error) => tracing::debug!(error = %error, "Git did not say what has changed"),
        }
    }
    seen
}

fn found_of(standing: Standing) -> Found {
    match standing {
        Standing::Missing => Found::Missing,
        Standing::File { bytes } => Found::File { bytes },
        Standing::Folder { files } => Found::Folder { files },
        Standing::Several(paths) => Found::Several(paths),
        Standing::Outside => Found::Outside,
    }
}
