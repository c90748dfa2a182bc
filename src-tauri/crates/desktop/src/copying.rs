//! Copying a plan from outside into the workspace.
//!
//! The copy has the same bytes and its own history, which records where it came from. Existing
//! files are never overwritten.

use std::path::Path;

use store::Author;

use crate::Desktop;
use crate::wire::PlanSummary;
use workbench::error::Result;
use workbench::plan_file::PlanFile;

impl Desktop {
    /// Copies a plan from any location into the workspace's plan folder, under an unused name.
    ///
    /// # Errors
    /// [`workbench::Code::UnusablePlan`] if the file isn't text; [`workbench::Code::Workspace`] if
    /// the workspace isn't writable; [`workbench::Code::Usage`] if there are too many copies
    /// already; [`workbench::Code::Storage`].
    pub fn copy_plan(&self, plan: &str, workspace: &str) -> Result<PlanSummary> {
        let (located, _, content) = self.shared.read_now(&self.shared.workbench(), plan)?;
        let from = located.shown();
        let (key, root) = {
            let workbench = self.shared.workbench();
            let opened = workbench.open_workspace(Path::new(workspace))?;
            let (settings, _) = workbench.settings_for(Some(&opened));
            let (folder, name) = (&settings.plan_folder, name_of(&located.file));
            let (author, reason) = (Author::Person, format!("Copied from {from}"));
            let written = workbench.write_new(&opened, folder, &name, &content, author, &reason)?;
            let file = written.ok_or_else(|| {
                err!(Usage:
                "{folder} has too many plans named {name}; rename the plan first")
            })?;
            (file.key(), opened.path().display().to_string())
        };
        let revision = content.revision.as_str().to_owned();
        self.shared.announce(&key, Some(revision), Author::Person);
        self.shared.plans_changed(Path::new(&root));
        self.plan_summary(&root, &key)
    }
}

/// The file's name, reduced to characters that are valid on every system.
fn name_of(file: &PlanFile) -> String {
    let stem = file.path.file_stem().unwrap_or_default().to_string_lossy();
    let plain = |c: char| match c {
        c if c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ') => c,
        _ => '-',
    };
    let name: String = stem.chars().map(plain).take(100).collect();
    match name.trim_matches(['.', ' ', '-']) {
        "" => "plan".to_owned(),
        name => name.to_owned(),
    }
}
