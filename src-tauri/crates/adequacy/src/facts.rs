//! What is known about the workspace, as plain data.
//!
//! Every fact is optional. What is not known raises no finding; there is no way to ask for more
//! from in here.

use std::collections::{BTreeMap, BTreeSet};

/// Facts about one workspace. The default knows nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkspaceFacts {
    /// Every file, as a path from the workspace's root with `/`; `None` when nobody has looked,
    /// which is different from a workspace without files.
    pub paths: Option<BTreeSet<String>>,
    /// Names that the code defines near to those that the plan says, see [`crate::symbols::names_in`],
    /// and those of the plan that are known themselves. Empty where nobody has looked.
    pub symbols: BTreeSet<String>,
    /// Command lines that check the project, the most usual first, for example `cargo test`.
    pub commands: Vec<String>,
    /// What each runner can run by name: `npm` its scripts, `make` and `just` their targets, `cargo`
    /// its packages. A runner that is not here is not known.
    pub targets: BTreeMap<String, BTreeSet<String>>,
    /// Programs that can be started by name; `None` when nobody has looked.
    pub programs: Option<BTreeSet<String>>,
    /// SHA-256 of files, in hex, by path.
    pub hashes: BTreeMap<String, String>,
    /// What the files beside the plan ask for, where its format keeps that apart, see [`plan::beside`].
    pub requirements: Vec<plan::Requirement>,
    /// Files that changed since the plan was written, by path, with what tells so, as the end of a
    /// sentence: "since commit 3f2c1e9", "since the plan was written".
    pub changed: BTreeMap<String, String>,
}

impl WorkspaceFacts {
    /// Whether the file exists; `None` when that is not known.
    pub fn has_file(&self, path: &str) -> Option<bool> {
        let paths = self.paths.as_ref()?;
        Some(paths.contains(path.trim_start_matches("./")))
    }
}
