//! The actions on plans that other agents may take without asking a person: propose a plan, edit
//! one, and report what they did.
//!
//! None of this approves, ticks or runs anything. A proposal or an edit is a revision by the agent,
//! checked like any other. A report is stored as a comment and doesn't count as evidence.

use std::path::Path;

use agent::session::call::PlanTarget;
use agent::session::plan_edit;
use plan::{TaskId, merge};
use store::{CommentKind, NewComment};
use tools::{Workspace, listing};

use crate::approval::revision_text;
use crate::error::Result;
use crate::plan_file::{Content, PlanFile, Reader, WRITE_ATTEMPTS, busy};
use crate::reports::is_open;
use crate::reviews::{ReviewRequest, agent_name};
use crate::settings::Settings;
use crate::{Workbench, agent_files, foreign_folders, plan_file};

/// Maximum number of files and folders searched for plans.
const MAX_SEARCHED: usize = 20_000;

/// Maximum length of a report, in bytes.
const MAX_NOTE_LEN: usize = 4_000;

/// Agents can't add comments to a plan that already has this many.
const MAX_COMMENTS: usize = 1_000;

/// Maximum number of events in the plan's history that are searched for the revision of an edit.
const MAX_EVENTS: usize = 400;

/// A plan that an agent wrote.
#[derive(Debug, Clone)]
pub struct ProposedPlan {
    /// The plan's file.
    pub file: PlanFile,
    /// The content of the file.
    pub content: Content,
}

/// An agent's edit of a plan.
#[derive(Debug, Clone, Copy)]
pub struct AgentEdit<'a> {
    /// The agent's display name.
    pub agent: &'a str,
    /// The revision that the agent saw, as the first 12 or more digits of its hash.
    pub revision: &'a str,
    /// The part of the plan to replace.
    pub target: &'a PlanTarget,
    /// The text that replaces this part.
    pub new_text: &'a str,
}

/// An edit that was written.
#[derive(Debug, Clone)]
pub struct AgentEdited {
    /// The content before the edit.
    pub before: Content,
    /// The content after the edit.
    pub after: Content,
    /// Whether the edit was merged with changes by others.
    pub is_merged: bool,
}

/// The checks and state of the step that an agent reported on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredClaim {
    /// The commands that check the step.
    pub verify: Vec<String>,
    /// Whether the step is ticked in the file.
    pub is_ticked: bool,
}

impl Workbench {
    /// Writes a plan that an agent proposes, without asking for a review. It becomes a new file,
    /// unless `request.file` already holds this text.
    ///
    /// # Errors
    /// Those of [`Workbench::ask_for_review`], and [`crate::Code::Usage`] if the plan has no steps.
    pub fn propose_plan(&self, request: &ReviewRequest<'_>) -> Result<ProposedPlan> {
        let proposal = self.proposal(request)?;
        must_have_steps(&proposal.content.text)?;
        let file = self.propose(request, &proposal, None)?;
        let content = proposal.content;
        Ok(ProposedPlan { file, content })
    }

    /// Edits a plan on behalf of an agent. If the file has changed since the revision that the
    /// agent saw, both changes are merged by lines.
    ///
    /// # Errors
    /// [`crate::Code::Usage`] if the edit is refused, its revision is unknown, or others changed
    /// the same lines; [`crate::Code::PlanIsRunning`] while a run of the plan is open;
    /// [`crate::Code::Workspace`] if the file can't be written; [`crate::Code::Storage`].
    pub fn edit_for_agent(
        &self,
        workspace: &Workspace,
        file: &PlanFile,
        edit: &AgentEdit<'_>,
    ) -> Result<AgentEdited> {
        let reason = format!("edited by {}", agent_name(edit.agent)?);
        foreign_folders::refuse(self, &file.path)?;
        agent_files::refuse_links(&file.path)?;
        for _ in 0..WRITE_ATTEMPTS {
            self.refuse_while_running(file)?;
            let now = self.clock.now_ms();
            let before = Reader::new(workspace, file, &self.store, now)
                .read()?
                .content;
            let is_same = before.revision.matches(edit.revision);
            let base = match is_same {
                true => before.text.clone(),
                false => self.text_at(file, edit.revision)?,
            };
            let edited = plan_edit::apply(Some(&base), edit.target, edit.new_text)
                .map_err(|error| err!(Usage: "{error}"))?;
            let text = match is_same {
                true => edited.text,
                false => {
                    let merged = merge::merge(&base, &edited.text, &before.text);
                    let Some(text) = merged.clean() else {
                        return Err(err!(Usage:
                            "the same lines of {} have changed since that revision; read it again and edit revision {}",
                            file.relative, before.revision.as_str()));
                    };
                    text.to_owned()
                }
            };
            plan::source::decode(text.as_bytes())
                .map_err(|error| err!(Usage: "the edit was rejected: {error}"))?;
            let after = Content::of(text);
            let done = |after| AgentEdited {
                before: before.clone(),
                after,
                is_merged: !is_same,
            };
            if after.revision == before.revision {
                return Ok(done(after));
            }
            let writer = self.agent_writer(workspace, file, &reason);
            if let Some(after) = writer.replace(&before, after)? {
                return Ok(done(after));
            }
        }
        Err(busy(file))
    }

    /// Stores what an agent says it did as a comment on the step. It ticks nothing and never counts
    /// as evidence.
    ///
    /// # Errors
    /// [`crate::Code::Usage`] for a blank or long report or an unknown step,
    /// [`crate::Code::UnusablePlan`], [`crate::Code::Storage`].
    pub fn store_claim(
        &self,
        workspace: &Workspace,
        file: &PlanFile,
        (agent, task, note): (&str, &str, &str),
    ) -> Result<StoredClaim> {
        let agent = agent_name(agent)?;
        let note = note.trim();
        if note.is_empty() || note.len() > MAX_NOTE_LEN {
            return Err(err!(Usage: "enter a note of 1 to {MAX_NOTE_LEN} bytes"));
        }
        let content = plan_file::read(workspace, file)?;
        let (plan, _) = plan::parse(&content.text);
        let step = plan.task(&TaskId::from(task.trim()));
        let step = step.ok_or_else(|| no_step(file, task))?;
        let (key, now) = (file.key(), self.clock.now_ms());
        let comments = self.store.comments();
        if comments.of_plan(&key)?.len() >= MAX_COMMENTS {
            return Err(err!(Usage: "{} has too many comments", file.relative));
        }
        plan_file::record_found(&self.store, &key, &content, now)?;
        let text = format!("{agent} reports (not verified): {}", plan::visible(note));
        let id = comments.add(&NewComment {
            plan: &key,
            revision: content.revision.as_str(),
            task: Some(step.id.as_str()),
            quote: None,
            before: None,
            kind: CommentKind::Comment,
            text: &text,
            at_ms: now,
        })?;
        // Otherwise, the comment would later be sent to the model as the person's own.
        comments.mark_sent(&[id], now)?;
        Ok(StoredClaim {
            verify: step.verify.clone(),
            is_ticked: step.done,
        })
    }

    /// Finds a plan of the workspace by its path. Files that aren't plans are refused.
    ///
    /// # Errors
    /// [`crate::Code::Usage`] if it isn't a plan of this workspace, [`crate::Code::Workspace`].
    pub fn plan_of_workspace(&self, workspace: &Workspace, named: &str) -> Result<PlanFile> {
        let shown = || plan::visible_line(named);
        let path = Path::new(named);
        let inside = path.strip_prefix(workspace.path()).unwrap_or(path);
        let found = workspace
            .resolved(inside)
            .map_err(|error| err!(Usage: "{error}"))?;
        let (settings, _) = self.settings_for(Some(workspace));
        let relative = found.to_str().filter(|_| !workspace.is_private(&found));
        let is_there = |relative: &&str| workspace.path().join(relative).is_file();
        let relative = relative
            .filter(is_there)
            .ok_or_else(|| err!(Usage: "no such plan: {}; list_plans shows all plans", shown()))?;
        if !is_plan(workspace, &settings, relative)? {
            return Err(err!(Usage: "{} is not a plan; list_plans shows all plans", shown()));
        }
        Ok(PlanFile {
            path: workspace.path().join(relative),
            relative: relative.to_owned(),
        })
    }

    /// The plans of a workspace, those in its plan folder first, and whether there may be more.
    ///
    /// # Errors
    /// [`crate::Code::Workspace`] if the folder can't be read.
    pub fn plans_of_workspace(&self, workspace: &Workspace) -> Result<(Vec<PlanFile>, bool)> {
        let (settings, _) = self.settings_for(Some(workspace));
        let found = listing::plan_files(workspace, &search(&settings))?;
        let plans = found.files.into_iter();
        let plans = plans.filter(|plan| plan.is_certain || listing::is_plan(workspace, &plan.path));
        let file = |plan: listing::FoundPlan| PlanFile {
            path: workspace.path().join(&plan.path),
            relative: plan.path,
        };
        Ok((plans.map(file).collect(), found.is_cut))
    }

    /// The state of a plan, in a few words.
    ///
    /// # Errors
    /// [`crate::Code::Storage`].
    pub fn plan_state(&self, file: &PlanFile, content: &Content) -> Result<String> {
        let (key, revision) = (file.key(), content.revision.as_str());
        if let Some(run) = self.store.runs().of_plan(&key)?.into_iter().next() {
            let state = self.live_state(&run)?;
            if state != "discarded" && state != "cancelled" && run.revision == revision {
                return Ok(format!("run {state}"));
            }
        }
        let waiting = self.store.reviews().waiting(Some(&key))?;
        if waiting.iter().any(|review| review.revision == revision) {
            return Ok("waiting for a decision".to_owned());
        }
        // An approval for a run by Planwright, or for part of the plan, isn't one for an agent.
        let approvals = self.store.approvals().of_plan(&key)?;
        let own = approvals.iter();
        let mut own = own.filter(|one| one.revision == revision && one.run.is_none());
        if let Some(approval) = own.clone().find(|one| one.upto.is_none()).or(own.next()) {
            return Ok(match &approval.upto {
                None => "approved".to_owned(),
                Some(upto) => format!("approved up to {upto}"),
            });
        }
        let mark = self.store.plan_marks().latest(&key)?;
        Ok(match mark {
            Some(mark) if mark.revision == revision => "changes requested",
            _ if plan::parse(&content.text).0.is_over() => "all steps marked as done",
            _ => "not approved",
        }
        .to_owned())
    }

    /// Refuses while the plan has an unfinished run.
    ///
    /// # Errors
    /// [`crate::Code::PlanIsRunning`], [`crate::Code::Storage`].
    pub fn refuse_while_running(&self, file: &PlanFile) -> Result<()> {
        match self.has_open_run(&file.key())? {
            true => Err(err!(PlanIsRunning:
                "{} has an unfinished run; wait for it to end, or ask the person to discard it",
                file.relative)),
            false => Ok(()),
        }
    }

    /// The text of a revision of this plan, given at least the first 12 digits of its hash.
    fn text_at(&self, file: &PlanFile, revision: &str) -> Result<String> {
        let events = self.store.revisions().page(&file.key(), None, MAX_EVENTS)?;
        let mut events = events.iter().filter_map(|event| {
            let is_it = revision.len() >= 12
                && event
                    .hash
                    .get(..revision.len())
                    .is_some_and(|own| own.eq_ignore_ascii_case(revision));
            is_it.then_some(&event.hash)
        });
        let found = events.next().ok_or_else(|| {
            err!(Usage:
            "{} has no revision {}; read it again and pass its revision (12 digits or more)",
            file.relative, plan::visible_line(revision))
        })?;
        revision_text(&self.store, found)
    }

    /// Whether the plan's newest run is unfinished.
    pub(crate) fn has_open_run(&self, key: &str) -> Result<bool> {
        let newest = self.store.runs().of_plan(key)?.into_iter().next();
        let Some(newest) = newest else {
            return Ok(false);
        };
        Ok(is_open(&self.live_state(&newest)?))
    }
}

/// Refuses a plan without steps.
///
/// # Errors
/// [`crate::Code::Usage`]; the message shows how to write a step.
pub fn must_have_steps(text: &str) -> Result<()> {
    match plan::parse(text).0.tasks.is_empty() {
        true => Err(err!(Usage:
            "the plan has no steps; write each on a line of its own: `- [ ] **T1** What to do`")),
        false => Ok(()),
    }
}

/// The error for a step that isn't in a plan.
pub fn no_step(file: &PlanFile, task: &str) -> crate::Error {
    err!(Usage: "{} has no step {}; get_plan shows its steps", file.relative, plan::visible_line(task))
}

fn search(settings: &Settings) -> listing::PlanSearch<'_> {
    listing::PlanSearch {
        folder: &settings.plan_folder,
        others: settings.plan_folders.as_deref(),
        limit: MAX_SEARCHED,
    }
}

/// Whether a file is a plan: by its location, or, if plans are searched for everywhere, by its
/// content.
fn is_plan(workspace: &Workspace, settings: &Settings, relative: &str) -> Result<bool> {
    let path = Path::new(relative);
    let ending = path
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default();
    let is_markdown = ["md", "markdown"]
        .iter()
        .any(|one| ending.eq_ignore_ascii_case(one));
    let is_reserved = path.iter().any(|name| name.eq_ignore_ascii_case(".git"))
        || path
            .iter()
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case(".planwright"));
    if !is_markdown || is_reserved {
        return Ok(false);
    }
    let others = settings.plan_folders.as_deref();
    let known = listing::known_plans(workspace, &settings.plan_folder, others.unwrap_or_default())?;
    if others.is_some() || known.iter().any(|known| known == relative) {
        return Ok(known.iter().any(|known| known == relative));
    }
    // Elsewhere, accept only files that plan lists show, which excludes hidden and ignored ones.
    let found = listing::plan_files(workspace, &search(settings))?;
    let is_shown = found.files.iter().any(|found| found.path == relative);
    Ok(is_shown && listing::is_plan(workspace, relative))
}
