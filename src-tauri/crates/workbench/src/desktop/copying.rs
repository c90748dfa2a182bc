//! Copies a plan from outside into the workspace.
//!
//! The copy has the same bytes and a history of its own, which says where it came from. Nothing is
//! ever overwritten.

use std::path::Path;

use gate::{Act, Bearer, own_act};
use plan::source;
use store::Author;
use tools::{Workspace, documents};

use crate::desktop::Desktop;
use crate::error::Result;
use crate::plan_file::{self, PlanFile};
use crate::wire::window::{DesktopEvent, PlanSummary};

/// How many names are tried.
const MOST_NAMES: usize = 1_000;

impl Desktop {
    /// Copies a plan, wherever it lies, into the workspace's plan folder under a name that is free
    /// there.
    ///
    /// # Errors
    /// [`crate::Code::UnusablePlan`] for what is no plan text; [`crate::Code::Workspace`] when the workspace cannot
    /// be written; [`crate::Code::Usage`] when too many copies are there already; [`crate::Code::Storage`].
    pub fn copy_plan(&self, plan: &str, workspace: &str) -> Result<PlanSummary> {
        let (located, _, content) = self.shared.read_now(&self.shared.workbench(), plan)?;
        let from = located.shown();
        let (key, root) = {
            let workbench = self.shared.workbench();
            let opened = workbench.open_workspace(Path::new(workspace))?;
            let (settings, _) = workbench.settings_for(Some(&opened));
            let folder = settings.plan_folder.trim_end_matches('/');
            let relative = created(
                &opened,
                folder,
                &name_of(&located.file),
                content.text.as_bytes(),
            )?;
            let path = opened.path().join(&relative);
            let path = path.canonicalize().unwrap_or(path);
            let file = PlanFile { path, relative };
            let now = workbench.clock.now_ms();
            let reason = format!("Copied from {from}");
            let author = Author::Person;
            plan_file::record(
                &workbench.store,
                &file.key(),
                &content,
                None,
                author,
                &reason,
                now,
            )?;
            (file.key(), opened.path().display().to_string())
        };
        let revision = content.revision.as_str().to_owned();
        self.shared.announce(&key, Some(revision), Author::Person);
        self.shared.events.send(DesktopEvent::Plans {
            workspace: root.clone(),
        });
        self.plan_summary(&root, &key)
    }
}

/// The file's own name, as far as it serves on every system.
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

/// Writes the bytes under the first free name; answers the path.
fn created(workspace: &Workspace, folder: &str, name: &str, bytes: &[u8]) -> Result<String> {
    debug_assert!(bytes.len() as u64 <= source::LIMIT);
    for number in 1..=MOST_NAMES {
        let path = match number {
            1 => format!("{folder}/{name}.md"),
            number => format!("{folder}/{name}-{number}.md"),
        };
        let permit = own_act(Bearer::Person, Act::WriteDocument { path: path.clone() });
        if documents::create(&permit, workspace, &path, bytes)? {
            return Ok(path);
        }
    }
    Err(err!(Usage:
        "{folder} has {MOST_NAMES} plans of the name {name} already; rename the plan first"))
}
