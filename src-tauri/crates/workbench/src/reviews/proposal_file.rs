//! The file of a proposal: an existing one, or the one to which the agent's plan is written.

use std::path::Path;

use store::{Author, Review};

use super::{Proposal, ReviewRequest};
use crate::error::Result;
use crate::plan_file::PlanFile;
use crate::{Workbench, agent_files, foreign_folders, new_plan, plan_file};

impl Workbench {
    /// The existing file of a proposal, if agents may have it reviewed and it holds exactly the
    /// proposal.
    pub(super) fn proposed_in(
        &self,
        file: &PlanFile,
        request: &ReviewRequest<'_>,
        proposal: &Proposal,
    ) -> Result<PlanFile> {
        let name = plan::visible_line(&file.relative);
        let workspace = &proposal.workspace;
        let Some(file) = agent_files::file_in(workspace, &file.path) else {
            return Err(err!(Usage:
                "can't review {name}: it must be a Markdown file, not a link"));
        };
        let found = plan_file::read(workspace, &file)?;
        if found.revision != proposal.content.revision {
            return Err(err!(Usage: "{name} changed in the meantime; read it again"));
        }
        self.refuse_while_running(&file)?;
        match foreign_folders::refuse(self, &file.path) {
            Ok(()) => Ok(file),
            // Copy another program's plan to a new file.
            Err(_) => self.propose(request, proposal, None),
        }
    }

    /// Writes the proposal: to the file that the agent named if it has exactly this text, over the
    /// conversation's earlier plan, or as a new file.
    pub(crate) fn propose(
        &self,
        request: &ReviewRequest<'_>,
        proposal: &Proposal,
        earlier: Option<&Review>,
    ) -> Result<PlanFile> {
        let Proposal {
            agent,
            workspace,
            content,
            ..
        } = proposal;
        let reason = format!("proposed by {agent}");
        let named = request.file.and_then(|file| {
            let path = request.folder.join(file).canonicalize().ok()?;
            let file = agent_files::file_in(workspace, &path)?;
            let found = plan_file::read(workspace, &file).ok()?;
            (found.revision == content.revision).then_some(file)
        });
        let earlier =
            earlier.and_then(|review| agent_files::file_in(workspace, Path::new(&review.plan)));
        // Don't overwrite a plan with an unfinished run; the proposal then gets its own file.
        let mut known = Vec::new();
        for file in [named, earlier].into_iter().flatten() {
            if !self.has_open_run(&file.key())? && foreign_folders::refuse(self, &file.path).is_ok()
            {
                known.push(file);
            }
        }
        if let Some(file) = known.into_iter().next() {
            self.write_over(workspace, &file, content, &reason)?;
            return Ok(file);
        }
        let (settings, _) = self.settings_for(Some(workspace));
        let new_file = workspace.path().join(&settings.plan_folder).join("new.md");
        agent_files::refuse_links(&new_file)?;
        let (plan, _) = plan::parse(&content.text);
        let title = plan.title.map_or_else(String::new, |title| title.text);
        let (folder, slug) = (&settings.plan_folder, new_plan::slug(&title));
        let author = Author::Outside;
        let written = self.write_new(workspace, folder, &slug, content, author, &reason)?;
        written.ok_or_else(|| {
            err!(Workspace: "{folder}/ already has too many plans named {slug}; delete or rename some")
        })
    }
}
