//! Determines what a call would destroy. Read-only: takes no snapshot, writes no file and doesn't
//! lock Git's index.

use std::collections::{BTreeMap, BTreeSet};

use agent::run::{Event, Machine};
use gate::destructive::{Inspection, InspectionResult};
use plan::{ToolCall, ToolName};
use store::Phase;
use tools::checkpoint::RelPath;
use tools::files::{self, MAX_FILE};
use tools::git::{self, DirtyStatus};
use tools::listing::path_state;
use tools::{Workspace, documents};

use super::{Driver, stale_files};
use crate::error::Result;

impl Driver<'_> {
    /// Collects the requested facts, and the original texts of the files in question and of those
    /// the run wrote.
    pub(super) fn look_at(
        &self,
        machine: &Machine,
        task: &str,
        call: &ToolCall,
        look: &Inspection,
    ) -> Result<Event> {
        let mut seen = look_at(&self.workspace, look);
        let is_write = matches!(
            call.tool,
            ToolName::EditFile | ToolName::WriteFile | ToolName::DeleteFile
        );
        seen.is_impossible = is_write
            && (files::prepare(&self.workspace, call).is_err()
                || stale_files::refuse_hidden(machine, &self.workspace, task, call).is_err());
        if seen.texts.is_empty() {
            return Ok(Event::Looked { seen });
        }
        let calls = machine.state().tasks.values();
        let files =
            calls.flat_map(|known| known.calls.values().filter_map(|call| call.file.as_ref()));
        let written: BTreeSet<&str> = files.map(|file| file.path.as_str()).collect();
        let mut open: BTreeSet<&str> = written.clone();
        open.extend(seen.texts.keys().map(String::as_str));
        let mut found = BTreeMap::new();
        for task in &machine.state().order {
            if open.is_empty() {
                break;
            }
            let Some(kept) = self.kept_snapshot(task, Phase::Before)? else {
                continue;
            };
            open.retain(|path| {
                let blob = kept.blob(&RelPath::from(*path));
                let bytes = blob.and_then(|blob| self.blobs.get(blob).ok());
                let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
                found.extend(text.map(|text| ((*path).to_owned(), text)));
                !found.contains_key(*path)
            });
        }
        let others = written
            .iter()
            .filter(|path| !seen.texts.contains_key(**path));
        let others = others.filter_map(|path| Some((*path, text_of(&self.workspace, path)?)));
        seen.elsewhere = others
            .map(|(path, now)| (found.remove(path).unwrap_or_default(), now))
            .collect();
        found.retain(|path, text| seen.texts.get(path).is_some_and(|now| now != text));
        seen.originals = found;
        Ok(Event::Looked { seen })
    }
}

/// The text of a file; `None` if it is unreadable, or binary and therefore judged by its size.
fn text_of(workspace: &Workspace, path: &str) -> Option<String> {
    let bytes = documents::read(workspace, path, MAX_FILE).ok()?;
    String::from_utf8(bytes).ok()
}

/// Collects the requested facts. Anything unreadable is left out of the result; the run then
/// assumes that it exists.
fn look_at(workspace: &Workspace, look: &Inspection) -> InspectionResult {
    let mut seen = InspectionResult::default();
    for path in &look.paths {
        match path_state(workspace, path) {
            Ok(found) => {
                seen.found.insert(path.clone(), found);
            }
            Err(error) => tracing::debug!(error = %error, "couldn't inspect a path"),
        }
    }
    for path in &look.texts {
        let text = text_of(workspace, path);
        seen.texts.extend(text.map(|text| (path.clone(), text)));
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
            Err(error) => tracing::debug!(error = %error, "couldn't get the Git status"),
        }
    }
    seen
}
