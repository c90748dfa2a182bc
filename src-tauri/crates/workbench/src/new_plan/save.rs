//! Turns a drafted plan into a file: gives it a free name, checks it, records its revision, and
//! reports it. Every route ends here.

use std::path::PathBuf;

use adequacy::expansion::Outcome;
use gate::Bearer;
use plan::{By, Plan};
use serde_json::Value;
use store::Author;
use tools::Workspace;

use super::basis::PlanningBasis;
use super::provenance::Provenance;
use super::{PlanOutcome, PlanRequest};
use crate::error::Result;
use crate::plan_file::{Content, PlanFile, Reader, Writer};
use crate::routes::outcomes::Made;
use crate::settings::Settings;
use crate::telemetry::Session;
use crate::wire::{Adequacy, PlanReport, PlannedExpansion, PlannedTask};
use crate::{Workbench, agent_files, checking, expansion};

/// A drafted and expanded plan.
pub struct DraftedPlan {
    /// The plan's title.
    pub(crate) title: String,
    /// The draft before expansion.
    pub(crate) before: Plan,
    /// The result of the expansion, with the best text.
    pub grown: Outcome,
    /// How the draft was made.
    pub route: Provenance,
    /// The output token limit for the draft; `None` if no model was used.
    pub(crate) first_cap: Option<u32>,
    /// The author recorded for the draft.
    pub(crate) author: Author,
    /// The conversation in which the draft was written, if any; its file already exists.
    pub(crate) conversation: Option<Conversation>,
    /// The display name of the other agent that wrote the draft, if one did.
    pub(crate) agent: Option<String>,
}

/// A conversation that proposed a plan.
pub(crate) struct Conversation {
    pub(crate) session: String,
    pub(crate) path: PathBuf,
    pub(crate) revision: String,
}

impl Workbench {
    /// Writes a drafted plan into the workspace and records it. Fails with
    /// [`crate::Code::Workspace`] if it can't be written, [`crate::Code::Storage`] if it can't be
    /// recorded.
    pub(crate) fn keep(
        &mut self,
        request: &PlanRequest,
        basis: PlanningBasis,
        drafted: DraftedPlan,
    ) -> Result<PlanOutcome> {
        let PlanningBasis {
            workspace,
            settings,
            intake,
            around,
            notices,
            ..
        } = basis;
        let grown = &drafted.grown;
        let (path, relative, content) = match &drafted.conversation {
            Some(conversation) => self.in_place(&workspace, conversation, &grown.text)?,
            None => self.place(&workspace, &settings, &drafted)?,
        };
        let (plan, problems) = plan::parse(&content.text);
        let key = path.display().to_string();
        let facts = self.facts_of_plan(&workspace, &around, &key, &plan);
        let report = checking::report(&plan, &problems, &facts);
        let objection = checking::objection(&settings, &relative, &report);
        let reason = request
            .reason
            .as_deref()
            .filter(|reason| !reason.trim().is_empty());
        if let (Some(_), Some(reason)) = (&objection, reason) {
            tracing::warn!(plan = %relative, reason, "thin plan accepted");
            self.store.approvals().add(&store::NewApproval {
                plan: &path.display().to_string(),
                revision: content.revision.as_str(),
                run: None,
                actor: "person",
                policy: "thin_accepted",
                upto: None,
                reason: Some(reason),
                at_ms: self.clock.now_ms(),
                shown_ms: None,
            })?;
        }
        let mut report = plan_report(&key, &content, &plan, report, drafted.route.to_json());
        report.title.clone_from(&drafted.title);
        report.session = drafted
            .conversation
            .as_ref()
            .map(|conversation| conversation.session.clone());
        report.expansion = (!grown.rounds.is_empty()).then(|| PlannedExpansion {
            status: grown.status,
            stop_reason: grown.stop_reason,
            refinement_rounds: grown.rounds.len(),
            before: grown.before.clone(),
            after: grown.after.clone(),
        });
        let refused = objection.filter(|_| reason.is_none());
        // A plan that enforcement rejects doesn't count as made.
        if refused.is_none() {
            self.keep_made(&key, content.revision.as_str(), &settings, &drafted)?;
            self.keep_route(&Made {
                workspace: &workspace.path().display().to_string(),
                intake: &intake,
                plan: (&key, content.revision.as_str()),
                route: &drafted.route,
            })?;
        }
        Ok(PlanOutcome {
            report,
            text: content.text,
            refused,
            notices,
        })
    }

    /// Records how the plan with this revision was made. Fails with [`crate::Code::Storage`].
    pub fn keep_made(
        &self,
        key: &str,
        revision: &str,
        settings: &Settings,
        drafted: &DraftedPlan,
    ) -> Result<()> {
        let grown = &drafted.grown;
        let session = Session {
            key,
            revision,
            strategy: &drafted.route.solver,
            route: Some(drafted.route.to_json()),
            first_cap: drafted.first_cap,
            before: &drafted.before,
            outcome: grown,
            settings,
        };
        let id = self.keep_session(&session)?;
        if !grown.changes.is_empty() {
            let (plan, _) = plan::parse(&grown.text);
            let after = (&plan, &grown.after);
            self.keep_accepted(&session, &id, grown.changes.len(), after)?;
        }
        Ok(())
    }

    /// Replaces a conversation's proposal with its expanded text, unless someone else edited the
    /// file in the meantime.
    fn in_place(
        &self,
        workspace: &Workspace,
        conversation: &Conversation,
        text: &str,
    ) -> Result<(PathBuf, String, Content)> {
        let path = conversation.path.clone();
        let relative = path.strip_prefix(workspace.path()).unwrap_or(&path);
        let relative = relative.to_string_lossy().into_owned();
        let file = PlanFile { path, relative };
        let now = self.clock.now_ms();
        let read = || Reader::new(workspace, &file, &self.store, now).read();
        let before = read()?.content;
        if before.text == text || before.revision.as_str() != conversation.revision {
            return Ok((file.path, file.relative, before));
        }
        let writer = Writer {
            author: Author::App,
            permit: file.permit(Bearer::App),
            ..Writer::person(self, workspace, &file, expansion::LABEL)
        };
        let content = match writer.replace(&before, Content::of(text.to_owned()))? {
            Some(after) => after,
            None => read()?.content,
        };
        Ok((file.path, file.relative, content))
    }

    /// Writes the draft under a free name and records its revision.
    fn place(
        &mut self,
        workspace: &Workspace,
        settings: &Settings,
        drafted: &DraftedPlan,
    ) -> Result<(PathBuf, String, Content)> {
        let content = Content::of(drafted.grown.text.clone());
        let slug = slug(&drafted.title);
        let (folder, author) = (&settings.plan_folder, drafted.author);
        let reason = match &drafted.agent {
            Some(agent) => {
                let new_file = workspace.path().join(folder).join("new.md");
                agent_files::refuse_links(&new_file)?;
                format!("proposed by {agent}")
            }
            None => "written for a goal".to_owned(),
        };
        let written = self.write_new(workspace, folder, &slug, &content, author, &reason)?;
        if let Some(file) = written {
            return Ok((file.path, file.relative, content));
        }
        Err(err!(Workspace:
            "{}/ already has too many plans named {slug}; delete or rename some", settings.plan_folder))
    }
}

/// The report of a finished plan, still without its expansion and session.
pub(crate) fn plan_report(
    path: &str,
    content: &Content,
    plan: &Plan,
    adequacy: Adequacy,
    route: Value,
) -> PlanReport {
    let title = plan.title.as_ref();
    PlanReport {
        path: path.to_owned(),
        revision: content.revision.as_str().to_owned(),
        id: plan.front.id.clone().unwrap_or_default(),
        title: title.map(|title| title.text.clone()).unwrap_or_default(),
        tasks: planned_tasks(plan),
        adequacy,
        requirements: plan.requirements.clone(),
        route,
        expansion: None,
        session: None,
    }
}

fn planned_tasks(plan: &Plan) -> Vec<PlannedTask> {
    plan.tasks
        .iter()
        .map(|task| PlannedTask {
            id: task.id.0.clone(),
            title: task.title.clone(),
            by: match task.carried_out_by(false) {
                By::Agent if !task.calls.is_empty() => "agent",
                _ => "person",
            }
            .to_owned(),
            files: task.files.clone(),
            depends: task
                .depends
                .iter()
                .flatten()
                .map(|id| id.0.clone())
                .collect(),
            verify: task.verify.clone(),
        })
        .collect()
}

/// Makes a file name from a title: lowercase letters and digits of any script, at most 60
/// characters; `plan` if it has none.
pub fn slug(title: &str) -> String {
    let mut slug = String::new();
    for c in title.chars().flat_map(char::to_lowercase) {
        match c.is_alphanumeric() {
            true => slug.push(c),
            false if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            false => {}
        }
        if slug.chars().count() >= 60 {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() {
        "plan".to_owned()
    } else {
        slug.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn titles_become_file_names() {
        let cases = [
            ("Add a --json flag", "add-a-json-flag"),
            ("  ../../etc/passwd ", "etc-passwd"),
            ("报告导出", "报告导出"),
            ("!!!", "plan"),
        ];
        for (title, expected) in cases {
            assert_eq!(slug(title), expected);
        }
        assert!(slug(&"word ".repeat(100)).chars().count() <= 60);
    }
}
