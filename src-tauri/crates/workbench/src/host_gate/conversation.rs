//! Finds the plan that an agent's conversation carries out: the newest one that a person approved
//! for it, in a review requested by the agent's hook or MCP server.

use std::path::PathBuf;

use agent::journal::Entry;
use store::Review;

use crate::Workbench;
use crate::approval::revision_text;
use crate::error::Result;

/// Maximum number of approved reviews to search, newest first.
const MAX_REVIEWS: u32 = 500;

/// A conversation with an agent program.
#[derive(Debug, Clone)]
pub struct HostConversation<'a> {
    /// The agent's display name.
    pub agent: &'a str,
    /// The agent's own ID for the conversation.
    pub session: &'a str,
    /// The ancestors of this process. If one of them is the parent of an MCP server, that server's
    /// reviews belong to this conversation.
    pub ancestors: Vec<u32>,
}

impl<'a> HostConversation<'a> {
    /// The conversation of the agent that started this process.
    pub fn of_process(agent: &'a str, session: &'a str) -> Self {
        Self {
            agent,
            session,
            ancestors: store::ancestors(),
        }
    }
}

/// An approved plan that a conversation carries out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatedPlan {
    /// Absolute path of the plan file.
    pub plan: PathBuf,
    /// Absolute path of the workspace.
    pub workspace: PathBuf,
    /// The approved revision.
    pub revision: String,
    pub(super) agent: String,
    pub(super) session: String,
    /// The ID of its run, if one was opened.
    pub(super) run: Option<String>,
}

/// Whether a conversation's calls are gated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gating {
    /// No plan was approved in this conversation, or the approved plan's run has ended.
    Free,
    /// No changes are allowed, for this reason.
    Closed(String),
    /// Calls are decided by the run of this plan.
    Gated(Box<GatedPlan>),
}

impl Workbench {
    /// Whether the calls of a conversation are gated, and by which plan. A plan without steps gates
    /// nothing, because it covers no specific changes.
    ///
    /// # Errors
    /// [`crate::Code::Storage`].
    pub fn gating(&self, conversation: &HostConversation<'_>) -> Result<Gating> {
        let approved = self.store.reviews().approved(MAX_REVIEWS)?.into_iter();
        let Some(review) = approved
            .into_iter()
            .find(|review| is_of(conversation, review))
        else {
            return Ok(Gating::Free);
        };
        let revision = review.approved_revision.unwrap_or_default();
        let (plan, _) = plan::parse(&revision_text(&self.store, &revision)?);
        if plan.tasks.is_empty() {
            return Ok(Gating::Free);
        }
        let mut gated = GatedPlan {
            plan: PathBuf::from(&review.plan),
            workspace: PathBuf::from(review.workspace),
            revision,
            agent: conversation.agent.to_owned(),
            session: conversation.session.to_owned(),
            run: None,
        };
        gated.run = self.host_run(&gated)?;
        let Some(run) = &gated.run else {
            return Ok(match self.open_run(&review.plan)? {
                Some(run) => Gating::Closed(carried_out_here(&run)),
                None => Gating::Gated(Box::new(gated)),
            });
        };
        let row = self.find_run(run)?;
        let state = self.live_state(&row)?;
        Ok(match state.as_str() {
            "done" | "discarded" | "unverified" | "incomplete" => {
                match self.open_run(&review.plan)?.filter(|open| open != run) {
                    Some(open) => Gating::Closed(carried_out_here(&open)),
                    None => Gating::Free,
                }
            }
            "stopped" | "cancelled" => Gating::Closed(format!(
                "The user stopped the run of the approved plan, so nothing may be changed. Stop here \
                 and tell them: `planwright resume {run}` continues it, and `planwright discard {run}` \
                 ends it."
            )),
            _ => Gating::Gated(Box::new(gated)),
        })
    }

    /// The newest run of the approved revision with this conversation's agent carrying it out.
    pub(super) fn host_run(&self, gated: &GatedPlan) -> Result<Option<String>> {
        let plan = gated.plan.display().to_string();
        for row in self.store.runs().of_plan(&plan)? {
            if row.revision != gated.revision {
                continue;
            }
            let entries = self.entries(&row.id)?;
            let Some(Entry::Started(started)) = entries.first() else {
                continue;
            };
            let is_its = started
                .choice
                .host
                .as_ref()
                .is_some_and(|host| host.agent == gated.agent && host.session == gated.session);
            if is_its {
                return Ok(Some(row.id));
            }
        }
        Ok(None)
    }
}

fn carried_out_here(run: &str) -> String {
    format!(
        "Planwright carries out the plan itself in run {run}. Don't change anything; tell the user."
    )
}

fn is_of(conversation: &HostConversation<'_>, review: &Review) -> bool {
    let is_by_hook =
        review.agent == conversation.agent && review.agent_session == conversation.session;
    let is_by_server = || {
        let parent = review.holder.as_ref().and_then(store::Holder::parent);
        parent.is_some_and(|parent| conversation.ancestors.contains(&parent))
    };
    !conversation.session.is_empty() && (is_by_hook || is_by_server())
}
