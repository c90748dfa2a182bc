//! The plan files that agents may write: never through a symlink.

use std::ffi::OsStr;
use std::path::Path;

use gate::Bearer;
use store::Author;
use tools::Workspace;

use crate::Workbench;
use crate::error::Result;
use crate::plan_file::{Content, PlanFile, Reader, WRITE_ATTEMPTS, Writer, busy};

/// Refuses a plan file that is a symlink or below one. Otherwise an agent could create a link to
/// any file and then overwrite that file as a plan.
///
/// # Errors
/// [`crate::Code::Workspace`].
pub(crate) fn refuse_links(file: &Path) -> Result<()> {
    let is_link = |path: &&Path| {
        path.symlink_metadata()
            .is_ok_and(|about| about.is_symlink())
    };
    match file.ancestors().find(is_link) {
        None => Ok(()),
        Some(link) => Err(err!(Workspace:
            "{} is a symlink, so agents can't write plans there; use a folder", link.display())),
    }
}

/// The plan file at this absolute path; `None` if it isn't an existing Markdown file in the
/// workspace, or if it is a symlink or below one.
pub(crate) fn file_in(workspace: &Workspace, path: &Path) -> Option<PlanFile> {
    let endings = ["md", "markdown"];
    let is_markdown = |ending: &OsStr| endings.iter().any(|one| ending.eq_ignore_ascii_case(one));
    let is_plan =
        path.extension().is_some_and(is_markdown) && path.is_file() && refuse_links(path).is_ok();
    let relative = path
        .strip_prefix(workspace.path())
        .ok()
        .filter(|_| is_plan)?;
    Some(PlanFile {
        path: path.to_owned(),
        relative: relative.to_string_lossy().into_owned(),
    })
}

impl Workbench {
    pub(crate) fn agent_writer<'a>(
        &'a self,
        workspace: &'a Workspace,
        file: &'a PlanFile,
        reason: &'a str,
    ) -> Writer<'a> {
        Writer {
            author: Author::Outside,
            permit: file.permit(Bearer::App),
            ..Writer::person(self, workspace, file, reason)
        }
    }

    /// Replaces a plan's whole content on behalf of an agent.
    pub(crate) fn write_over(
        &self,
        workspace: &Workspace,
        file: &PlanFile,
        content: &Content,
        reason: &str,
    ) -> Result<()> {
        refuse_links(&file.path)?;
        for _ in 0..WRITE_ATTEMPTS {
            let now = self.clock.now_ms();
            let before = Reader::new(workspace, file, &self.store, now)
                .read()?
                .content;
            if before.revision == content.revision {
                return Ok(());
            }
            let writer = self.agent_writer(workspace, file, reason);
            if writer.replace(&before, content.clone())?.is_some() {
                return Ok(());
            }
        }
        Err(busy(file))
    }
}
