//! Tools that write a plan, a comment or a review; they run on the worker's thread.

use std::path::{Path, PathBuf};

use plan::{diff, edit};
use serde_json::{Value, json};
use tools::Workspace;
use workbench::plan_file::{Content, PlanFile};
use workbench::proposals::must_have_steps;
use workbench::{AgentEdit, Code, Error, PlanTarget, Result, ReviewRequest};

use super::arguments::{Edit, OfRevision, Progress, Propose};
use super::tools::{percent, title};
use super::worker::Worker;

/// Longest conversation ID that an agent may choose, in characters.
const MAX_SESSION: usize = 100;

/// Longest title, in characters.
const MAX_TITLE: usize = 200;

/// Longest name of an agent in a dialog, in characters.
const MAX_AGENT: usize = 60;

/// Maximum number of steps listed in a dialog.
const MAX_STEPS: usize = 12;

/// Maximum number of changes listed in a response.
const MAX_CHANGES: usize = 6;

/// A review that awaits a person's decision.
pub(super) struct Asked {
    pub(super) review: String,
    pub(super) revision: String,
    /// The file to open in the window; `None` if it is already open.
    pub(super) to_open: Option<PathBuf>,
    /// What the host's dialog says; `None` if it was already shown.
    pub(super) notice: Option<String>,
}

impl Worker<'_> {
    pub(super) fn propose_plan(&mut self, agent: &str, given: &Propose) -> Result<Value> {
        if let Some(session) = &given.session {
            let named = plan::visible_line(session);
            let named: String = named.chars().take(MAX_SESSION).collect();
            if !named.is_empty() {
                self.session = named;
            }
        }
        let text = titled(&given.text, given.title.as_deref())?;
        let known = self.proposal_with(Content::of(text.clone()).revision.as_str());
        let proposed = self.bench.propose_plan(&ReviewRequest {
            file: known.as_deref(),
            ..self.request(agent, &text)
        })?;
        let revision = proposed.content.revision.as_str();
        self.remember_proposal(revision, proposed.file.path.clone());
        let workspace = self.workspace()?;
        Ok(self.judged(&workspace, Some(&proposed.file), &proposed.content))
    }

    pub(super) fn propose_edit(&mut self, agent: &str, given: Edit) -> Result<Value> {
        let target = match (given.old_text, given.task) {
            (Some(old), None) if !old.is_empty() => PlanTarget::Text(old),
            (None, Some(task)) => PlanTarget::Task(task),
            _ => return Err(Error::new(Code::Usage, "give either `old_text` or `task`")),
        };
        let workspace = self.workspace()?;
        let (file, _) = self.plan_named(&workspace, &given.plan)?;
        let edited = self.bench.edit_for_agent(
            &workspace,
            &file,
            &AgentEdit {
                agent,
                revision: given.revision.trim(),
                target: &target,
                new_text: &given.new_text,
            },
        )?;
        // The plan now differs from the revision that the agent asked about.
        for review in self.bench.waiting_reviews(Some(&file.key()))? {
            if self.has_asked(&review.id)
                && review.agent_session == self.session
                && review.revision != edited.after.revision.as_str()
            {
                let reason = "the agent edited the plan and must request approval again";
                self.bench.withdraw_review(&review.id, reason)?;
            }
        }
        let (old, new) = (
            plan::parse(&edited.before.text).0,
            plan::parse(&edited.after.text).0,
        );
        let changes = diff::diff((&edited.before.text, &old), (&edited.after.text, &new));
        let mut changed = diff::summary(&changes, MAX_CHANGES);
        if changed.is_empty() {
            "text".clone_into(&mut changed);
        }
        let mut answer = self.judged(&workspace, Some(&file), &edited.after);
        answer["changed"] = json!(plan::visible(&changed));
        if edited.is_merged {
            answer["note"] =
                json!("The file had changed since your revision; both changes were merged.");
        }
        Ok(answer)
    }

    pub(super) fn report_progress(&mut self, agent: &str, given: &Progress) -> Result<Value> {
        let workspace = self.workspace()?;
        let (file, _) = self.plan_named(&workspace, &given.plan)?;
        let said = (agent, given.task.as_str(), given.note.as_str());
        let stored = self.bench.store_claim(&workspace, &file, said)?;
        let meaning = match stored.verify.is_empty() {
            true => "The step has no `verify:` command, so a person has to judge it.",
            false => {
                "The step counts as done once Planwright has run `verify` itself and it passes."
            }
        };
        Ok(json!({
            "stored": "claim",
            "is_evidence": false,
            "is_ticked": stored.is_ticked,
            "verify": stored.verify,
            "note": format!("Stored as your claim. It doesn't tick the step and isn't evidence. {meaning}"),
        }))
    }

    /// Requests a review of the file's current content, or returns the pending one.
    pub(super) fn request_approval(&mut self, agent: &str, given: &OfRevision) -> Result<Asked> {
        let workspace = self.workspace()?;
        let (file, content) = self.plan_named(&workspace, &given.plan)?;
        if !content.revision.matches(given.revision.trim()) {
            return Err(Error::new(
                Code::Usage,
                format!(
                    "{} is now at revision {}; read it again, then request approval of that revision",
                    file.relative,
                    content.revision.as_str()
                ),
            ));
        }
        must_have_steps(&content.text)?;
        let revision = content.revision.as_str().to_owned();
        let is_open = self.bench.store.has_window()?;
        let mut waiting = self.bench.waiting_reviews(Some(&file.key()))?.into_iter();
        let same = waiting.find(|review| {
            let is_own = self.has_asked(&review.id) && review.agent_session == self.session;
            is_own && review.revision == revision
        });
        if let Some(same) = same {
            let to_open = (!is_open).then_some(file.path);
            return Ok(Asked {
                review: same.id,
                revision,
                to_open,
                notice: None,
            });
        }
        let request = self.request(agent, &content.text);
        let asked = self.bench.ask_for_review_of_file(&file, &request)?;
        self.remember_review(&asked.id);
        let notice = self.notice(agent, &workspace, &file, &content);
        Ok(Asked {
            review: asked.id,
            revision: asked.revision,
            to_open: Some(asked.plan),
            notice: Some(notice),
        })
    }

    /// Whether this server asked for this review, of this plan at this revision.
    pub(super) fn has_asked_about(&mut self, id: &str, given: &OfRevision) -> Result<bool> {
        if !self.has_asked(id) {
            return Ok(false);
        }
        let workspace = self.workspace()?;
        let (file, _) = self.plan_named(&workspace, &given.plan)?;
        let review = self.bench.store.reviews().get(id)?;
        let revision = given.revision.trim().to_lowercase();
        Ok(review.is_some_and(|review| {
            let is_revision = revision.len() >= 12 && review.revision.starts_with(&revision);
            review.plan == file.key() && is_revision
        }))
    }

    /// Describes a plan that waits for a decision to the person in front of the host.
    fn notice(
        &mut self,
        agent: &str,
        workspace: &Workspace,
        file: &PlanFile,
        content: &Content,
    ) -> String {
        let (plan, report) = self.judge(workspace, Some(file), content);
        let mut title = title(&plan);
        if title.is_empty() {
            title = plan::visible_line(&file.relative);
        }
        let agent: String = plan::visible_line(agent).chars().take(MAX_AGENT).collect();
        // A host may cut off all but the first lines.
        let mut notice = format!(
            "{agent} asks you to approve “{title}” ({}, {} of 100; {}). Decide in Planwright’s \
             window; what you choose here decides nothing.\n{} · revision {}\n",
            report.badge.as_str(),
            percent(&report),
            match plan.tasks.len() {
                1 => "1 step".to_owned(),
                steps => format!("{steps} steps"),
            },
            plan::visible_line(&file.relative),
            content.revision.short(),
        );
        for task in plan.tasks.iter().take(MAX_STEPS) {
            let title: String = plan::visible_line(&task.title);
            let title: String = title.chars().take(MAX_TITLE).collect();
            notice.push_str(&format!("\n{} {title}", task.id.as_str()));
        }
        let more = plan.tasks.len().saturating_sub(MAX_STEPS);
        if more > 0 {
            notice.push_str(&format!("\nand {more} more"));
        }
        notice
    }

    fn request<'a>(&'a self, agent: &'a str, text: &'a str) -> ReviewRequest<'a> {
        let folder: &Path = self.folder();
        ReviewRequest {
            folder,
            agent,
            agent_session: &self.session,
            text,
            file: None,
            waits: true,
        }
    }
}

/// The plan's text, with the title added if it has none.
fn titled(text: &str, title: Option<&str>) -> Result<String> {
    let title = plan::visible_line(title.unwrap_or_default());
    let title: String = title.chars().take(MAX_TITLE).collect();
    let (plan, _) = plan::parse(text);
    if title.is_empty() || plan.title.is_some() || text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let refused = |error: edit::EditError| Error::from_cause(Code::Usage, error);
    let splices = edit::set_plan_title(text, &plan, &title).map_err(refused)?;
    Ok(edit::apply(text, &splices).map_err(refused)?.text)
}
