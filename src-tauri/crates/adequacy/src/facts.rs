//! Facts about the workspace, as plain data.
//!
//! Every fact is optional. An unknown fact raises no finding, and this crate cannot ask for more
//! facts.

use std::collections::{BTreeMap, BTreeSet};

/// Facts about one workspace; all unknown by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkspaceFacts {
    /// All files, as paths relative to the workspace root with `/` separators. `None` if unknown;
    /// an empty set means a workspace without files.
    pub paths: Option<BTreeSet<String>>,
    /// Names defined in the code that equal or resemble names in the plan; see
    /// [`crate::symbols::names_in`]. Empty if unknown.
    pub symbols: BTreeSet<String>,
    /// Commands that check the project, the most common first, such as `cargo test`.
    pub commands: Vec<String>,
    /// Names that each runner can run: scripts for `npm`, targets for `make` and `just`, packages
    /// for `cargo`. For runners not listed, nothing is known.
    pub targets: BTreeMap<String, BTreeSet<String>>,
    /// Programs that can be started by name; `None` if unknown.
    pub programs: Option<BTreeSet<String>>,
    /// SHA-256 of each file's content, in hex, by path.
    pub hashes: BTreeMap<String, String>,
    /// Requirements from files next to the plan, for formats that keep them there; see
    /// [`plan::companion`].
    pub requirements: Vec<plan::Requirement>,
    /// Files that changed since the plan was written, by path, each with a phrase that says since
    /// when, such as "since commit 3f2c1e9" or "since the plan was written".
    pub changed: BTreeMap<String, String>,
}

impl WorkspaceFacts {
    /// Whether a file exists; `None` if unknown.
    pub fn has_file(&self, path: &str) -> Option<bool> {
        let paths = self.paths.as_ref()?;
        Some(paths.contains(path.trim_start_matches("./")))
    }
}
