//! Plans that another agent writes and changes, in a conversation with it.
//!
//! `bridges` communicates with agents; this module knows only the trait [`PlanningAgent`]. A plan
//! that an agent hands over is recorded unchanged, as a revision by another program, and scored and
//! approved like any other.
//!
//! **Architecture invariants.** The workspace is read-only for an agent that plans, and only this
//! program writes the plan file. If others changed the file in the meantime, both versions are
//! merged or the agent's version is written to a new file, so nothing is lost.

use std::path::PathBuf;
use std::sync::Arc;

use adequacy::expansion::{LoopMode, Settings as Bounds};
use agent::envelope::elide_middle;
use gate::{Decision, Permit, Refusal};
use plan::{ToolCall, merge, source};
use planning::agent_plan;
use planning::decision::AGENT_SOLVER;
use store::Author;
use tools::Workspace;
use tools::sandbox::{CancelToken, Sandbox};

use crate::error::{Code, Error, Result};
use crate::new_plan::basis::PlanningBasis;
use crate::new_plan::provenance::Provenance;
use crate::new_plan::save::{DraftedPlan, plan_report};
use crate::opening::Opened;
use crate::plan_file::{Content, PlanFile, Reader, WRITE_ATTEMPTS, busy};
use crate::settings::Settings;
use crate::wire::ModelEvent;
use crate::{PlanOutcome, Workbench, agent_files, checking, expansion, foreign_folders, new_plan};

/// An agent that writes plans. Dropping it ends the conversation.
pub trait PlanningAgent {
    /// Its short name, as used to select it.
    fn name(&self) -> &str;

    /// Its display name.
    fn title(&self) -> &str;

    /// Whether its conversation still contains the plan that it proposed.
    fn has_conversation(&self) -> bool;

    /// Sends a prompt and waits for the plan that the agent hands over. `sink` receives the agent's
    /// output.
    ///
    /// # Errors
    /// [`Code::Cancelled`] if cancelled; [`Code::Failed`] if the agent hands over no plan. The
    /// message says why, and what to do.
    fn propose(
        &mut self,
        prompt: &str,
        cancel: &CancelToken,
        sink: &mut dyn FnMut(ModelEvent),
    ) -> Result<ProposedText>;
}

/// A plan that an agent handed over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProposedText {
    /// The plan, as Markdown.
    pub text: String,
    /// Input tokens of the agent's model, as reported by the agent.
    pub input: u64,
    /// Output tokens of the agent's model, as reported by the agent.
    pub output: u64,
}

/// The permit and the sandbox for starting an agent that plans. Its workspace is read-only.
#[derive(Debug)]
pub struct AgentClearance {
    /// The sandbox for the agent.
    pub sandbox: Sandbox,
    /// The permit for the agent's command line.
    pub permit: Permit,
}

/// A request to an agent for changes to a plan.
#[derive(Debug, Clone)]
pub struct ChangeRequest {
    /// The plan file, relative to the current folder.
    pub file: PathBuf,
    /// The changes, in the person's words.
    pub words: String,
    /// The revision that the agent proposed last in this conversation, if any.
    pub proposed: Option<String>,
}

impl Workbench {
    /// Clears an agent that a person named to be started in a workspace, to plan.
    ///
    /// # Errors
    /// [`Code::Usage`] if a permission rule denies its command line or requires asking first.
    pub fn clear_agent(
        &self,
        workspace: &Workspace,
        settings: &Settings,
        line: &str,
    ) -> Result<AgentClearance> {
        let mut rules = settings.permissions.clone();
        rules.extend(self.stored_rules(workspace.path())?);
        let call = ToolCall::parse(&format!(
            "run_command {}",
            serde_json::json!({"command": line})
        ));
        let call = call.map_err(|error| Error::from_cause(Code::Internal, error))?;
        let how = match gate::decide_on_planning(call, &rules) {
            Decision::Permit(permit) => {
                return Ok(AgentClearance {
                    sandbox: self.sandbox_for(settings),
                    permit,
                });
            }
            Decision::Refuse(Refusal::Rule) => "denies",
            Decision::Refuse(_) | Decision::Ask(_) | Decision::LookAt { .. } => "asks about",
        };
        Err(err!(Usage:
            "a permission rule {how} `{line}`; allow it in your settings to plan with this agent"))
    }

    /// Turns an agent's plan into a draft: unchanged, apart from the goal in its front matter.
    pub(crate) fn drafted_by_agent(
        &self,
        agent: &dyn PlanningAgent,
        text: &str,
        basis: &PlanningBasis,
    ) -> Result<DraftedPlan> {
        let (name, agent) = (agent.name(), agent.title());
        let text = usable(agent, agent_plan::with_goal(text, &basis.intake.goal))?;
        let bounds = Bounds {
            loop_mode: LoopMode::Off,
            auto_expand_thin_plan: false,
            ..basis.settings.expansion.clone()
        };
        let (before, _) = plan::parse(&text);
        let grown = expansion::grow(&text, Arc::clone(&basis.around), &bounds, &|| false)?;
        let title = before.title.as_ref().map(|title| title.text.clone());
        Ok(DraftedPlan {
            title: title.unwrap_or_else(|| basis.intake.goal.clone()),
            before,
            grown,
            route: Provenance {
                solver: AGENT_SOLVER.to_owned(),
                agent: Some(name.to_owned()),
                reasons: vec![format!("{agent} wrote the plan in its plan mode")],
                ..Provenance::default()
            },
            first_cap: None,
            author: Author::Outside,
            conversation: None,
            agent: Some(agent.to_owned()),
        })
    }

    /// Has an agent change a plan. If its conversation contains the plan, it is sent only the
    /// request, otherwise the plan as well.
    ///
    /// # Errors
    /// [`Code::Usage`] for an empty request or a plan that agents may not write;
    /// [`Code::PlanIsRunning`]; as [`PlanningAgent::propose`]; [`Code::Failed`] if the agent
    /// proposes the same plan again; [`Code::Workspace`] if the file can't be written.
    pub fn change_with_agent(
        &mut self,
        change: &ChangeRequest,
        agent: &mut dyn PlanningAgent,
        cancel: &CancelToken,
        sink: &mut dyn FnMut(ModelEvent),
    ) -> Result<PlanOutcome> {
        let words = change.words.trim();
        if words.is_empty() {
            return Err(err!(Usage: "the request is empty; say what to change"));
        }
        let opened = self.open_plan(&change.file, None)?;
        foreign_folders::refuse(self, &opened.file.path)?;
        agent_files::refuse_links(&opened.file.path)?;
        self.refuse_while_running(&opened.file)?;
        let base = &opened.content;
        let is_known = change.proposed.as_deref() == Some(base.revision.as_str());
        let prompt = match agent.has_conversation() && is_known {
            true => agent_plan::changes_prompt(words),
            false => agent_plan::changes_prompt_with_plan(&base.text, words),
        };
        let proposed = agent.propose(&prompt, cancel, sink)?;
        let title = agent.title();
        let text = agent_plan::with_front_matter_of(&proposed.text, &base.text);
        let text = usable(title, text)?;
        if text == base.text {
            return Err(err!(Failed:
                "{title} proposed the same plan again; try rephrasing the request"));
        }
        let (file, content, notice) = self.write_change(&opened, &text, title)?;
        self.changed_outcome(&opened, &file, content, agent.name(), notice)
    }

    /// Replaces the plan with the agent's version, merged with changes that others made in the
    /// meantime. If both changed the same lines, the agent's version is written to a new file, and
    /// the returned notice says so.
    fn write_change(
        &self,
        opened: &Opened,
        text: &str,
        agent: &str,
    ) -> Result<(PlanFile, Content, Option<String>)> {
        let (workspace, file) = (&opened.workspace, &opened.file);
        let reason = format!("changed by {agent}");
        for _ in 0..WRITE_ATTEMPTS {
            self.refuse_while_running(file)?;
            let now = self.clock.now_ms();
            let reader = Reader::new(workspace, file, &self.store, now);
            let before = reader.read()?.content;
            let merged = merge::merge(&opened.content.text, text, &before.text);
            let Some(merged) = merged.clean().map(str::to_owned) else {
                return self.write_apart(opened, text, &reason);
            };
            let writer = self.agent_writer(workspace, file, &reason);
            if let Some(after) = writer.replace(&before, Content::of(merged))? {
                return Ok((file.clone(), after, None));
            }
        }
        Err(busy(file))
    }

    fn write_apart(
        &self,
        opened: &Opened,
        text: &str,
        reason: &str,
    ) -> Result<(PlanFile, Content, Option<String>)> {
        let (file, folder) = (&opened.file, &opened.settings.plan_folder);
        agent_files::refuse_links(&opened.workspace.path().join(folder).join("new.md"))?;
        let content = Content::of(text.to_owned());
        let title = plan::parse(text).0.title;
        let slug = new_plan::slug(&title.map_or_else(String::new, |title| title.text));
        let author = Author::Outside;
        let written = self.write_new(&opened.workspace, folder, &slug, &content, author, reason)?;
        let apart = written.ok_or_else(|| {
            err!(Workspace: "{folder}/ already has too many plans named {slug}; delete or rename some")
        })?;
        let notice = format!(
            "the same lines of {} changed in the meantime, so the new version is in {}",
            file.relative, apart.relative
        );
        Ok((apart, content, Some(notice)))
    }

    fn changed_outcome(
        &self,
        opened: &Opened,
        file: &PlanFile,
        content: Content,
        agent: &str,
        notice: Option<String>,
    ) -> Result<PlanOutcome> {
        let (plan, problems) = plan::parse(&content.text);
        let key = file.key();
        let facts = self.facts_in(&opened.workspace, &opened.settings, &key, &plan);
        let report = checking::report(&plan, &problems, &facts);
        let refused = checking::objection(&opened.settings, &file.relative, &report);
        let route = serde_json::json!({"solver": AGENT_SOLVER, "agent": agent});
        let mut notices = opened.notices.clone();
        notices.extend(notice);
        Ok(PlanOutcome {
            report: plan_report(&key, &content, &plan, report, route),
            text: content.text,
            refused,
            notices,
        })
    }
}

/// Maximum length of the quote in the error about an answer without steps, in bytes.
const MAX_QUOTED: usize = 200;

/// Returns an agent's text if it is usable as a plan.
fn usable(agent: &str, text: String) -> Result<String> {
    let (plan, _) = plan::parse(&text);
    let body = plan.front.span.map_or(0, |span| span.end);
    if text[body..].trim().is_empty() {
        return Err(err!(Failed:
            "{agent} proposed an empty plan; try again, or add detail to the goal"));
    }
    if plan.tasks.is_empty() {
        let words = text[body..]
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        return Err(err!(Failed:
            "{agent} proposed no steps, so nothing was saved; it wrote “{}”. Try again, or add detail to the goal",
            elide_middle(&words, MAX_QUOTED)));
    }
    source::decode(text.as_bytes())
        .map_err(|error| err!(Failed: "the plan that {agent} proposed can't be used: {error}"))?;
    Ok(text)
}
