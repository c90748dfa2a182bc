//! A project in a temporary folder, and calls parsed from lines as in a plan.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

#[path = "../permit_support/mod.rs"]
pub mod permits;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use plan::ToolCall;
use tempfile::TempDir;
use tools::checkpoint::{Blobs, Limits, Snapshot};
use tools::{ToolError, Workspace, files};

pub struct Project {
    pub folder: TempDir,
    pub workspace: Workspace,
    pub blobs: Blobs,
}

/// A project with these files; folders are created as needed.
pub fn project(files: &[(&str, &str)]) -> Project {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("project");
    fs::create_dir(&root).unwrap();
    for (path, content) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let workspace = Workspace::open(&root).unwrap();
    let blobs = Blobs::open(&folder.path().join("blobs")).unwrap();
    Project {
        folder,
        workspace,
        blobs,
    }
}

pub fn call(line: &str) -> ToolCall {
    ToolCall::parse(line).unwrap()
}

impl Project {
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join("project").join(path)
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// The result of a read-only call.
    pub fn look(&self, line: &str) -> Result<files::ReadOutcome, ToolError> {
        files::perform_read(&self.workspace, &call(line))
    }

    /// Prepares and commits a change.
    pub fn change(&self, line: &str) -> Result<Option<files::FileState>, ToolError> {
        let call = call(line);
        let prepared = files::prepare(&self.workspace, &call)?;
        files::commit(&permits::for_call(&call), &self.workspace, &prepared)
    }

    pub fn snapshot(&self, previous: Option<&Snapshot>) -> Snapshot {
        Snapshot::take(&self.workspace, &self.blobs, previous, &Limits::default()).unwrap()
    }

    /// Everything on disk: path → mode and content (for a link its target, for a folder nothing).
    pub fn tree(&self) -> BTreeMap<String, (u32, Vec<u8>)> {
        let mut tree = BTreeMap::new();
        let root = self.path("");
        let mut todo = vec![root.clone()];
        while let Some(folder) = todo.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let found = fs::symlink_metadata(&path).unwrap();
                let content = if found.is_dir() {
                    todo.push(path.clone());
                    Vec::new()
                } else if found.is_symlink() {
                    let target = fs::read_link(&path).unwrap();
                    target.to_str().unwrap().as_bytes().to_vec()
                } else {
                    fs::read(&path).unwrap()
                };
                let name = path
                    .strip_prefix(&root)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned();
                tree.insert(name, (found.permissions().mode(), content));
            }
        }
        tree
    }
}

pub fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}
