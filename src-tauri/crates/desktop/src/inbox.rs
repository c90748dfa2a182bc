//! Everything that waits for a person, across all plans: questions from runs, from conversations
//! and about plans, stopped runs, reviews requested by other agents, and unapproved proposals.

use std::collections::BTreeSet;
use std::path::Path;

use agent::journal::Entry;
use store::Author;
use tools::{Workspace, listing};

use crate::run_views::{RunRead, title_of};
use crate::wire::{InboxItem, RunQuestion};
use crate::{Desktop, Shared};
use workbench::error::Result;
use workbench::opening::open_steps;

/// Maximum items in one answer.
const MAX_ITEMS: usize = 500;

/// Maximum plans per workspace to check for proposals.
const MAX_PLANS: usize = 500;

impl Desktop {
    /// All waiting items, oldest first.
    pub fn inbox(&self) -> Result<Vec<InboxItem>> {
        let mut items = self.shared.waiting_runs()?;
        let reviews = self.shared.agent_reviews()?;
        // If an agent requested a review of a proposal, list the review instead: both need the same
        // decision.
        let mut proposals = self.shared.proposals()?;
        proposals.retain(|item| !reviews.iter().any(|review| review.plan == item.plan));
        items.extend(proposals);
        items.extend(reviews);
        items.extend(self.shared.asked_of_plans()?);
        items.extend(self.shared.waiting_talks()?);
        items.sort_by(|one, other| (one.since_ms, &one.id).cmp(&(other.since_ms, &other.id)));
        items.truncate(MAX_ITEMS);
        Ok(items)
    }
}

impl Shared {
    /// Items from the latest run of each plan. Earlier runs are superseded and don't wait.
    fn waiting_runs(&self) -> Result<Vec<InboxItem>> {
        let rows = self.workbench().store.runs().list()?;
        let mut seen = BTreeSet::new();
        let newest = rows.into_iter().filter(|row| seen.insert(row.plan.clone()));
        let open = newest.filter(|row| !matches!(row.state.as_str(), "done" | "cancelled"));
        let mut items = Vec::new();
        for row in open {
            let id = row.id.clone();
            match self.read_row(row) {
                Ok(read) => items.extend(self.items_of(&read)),
                // One unreadable run must not hide the others.
                Err(error) => tracing::warn!(run = id, %error, "couldn't read a run"),
            }
        }
        Ok(items)
    }

    fn items_of(&self, read: &RunRead) -> Vec<InboxItem> {
        let state = read.standing.as_str();
        // A run that a person stopped isn't waiting.
        if matches!(state, "done" | "stopped" | "discarded") {
            return Vec::new();
        }
        let mut items: Vec<InboxItem> = self
            .questions_of(read)
            .into_iter()
            .map(|asked| question(read, asked))
            .collect();
        let words = match state {
            // The agent that carries out the run is working and needs no answer.
            "paused" if read.state.started.choice.host.is_some() => None,
            "paused" => Some("Paused; resume it to continue."),
            "interrupted" if items.is_empty() => Some("Interrupted; resume it to continue."),
            "failed" if items.is_empty() => Some("Failed; look at the failed step, then resume."),
            "waiting" if items.is_empty() => Some("Waiting; resume it to see the question again."),
            "not_covered" => Some(
                "The plan differs from what you approved; approve it again, or restore it and resume.",
            ),
            "unverified" if items.is_empty() => {
                Some("Finished, some steps unverified; resume it to check them again.")
            }
            "incomplete" if items.is_empty() => Some(
                "Finished, but a requirement isn't covered by what was done; resume it or change the plan.",
            ),
            _ => None,
        };
        if let Some(words) = words {
            items.push(InboxItem {
                id: format!("{}/{state}", read.row.id),
                kind: state.to_owned(),
                message: words.to_owned(),
                ..item(read)
            });
        }
        items
    }

    /// Plans written by Planwright or a model that have open steps and were neither approved, nor
    /// sent back, nor run.
    fn proposals(&self) -> Result<Vec<InboxItem>> {
        let folders = self.workbench().store.workspaces().list()?;
        let mut items = Vec::new();
        for folder in folders {
            for plan in self.plans_below(Path::new(&folder.path)) {
                if let Some(item) = self.proposal(&folder.path, &plan)? {
                    items.push(item);
                }
            }
        }
        Ok(items)
    }

    /// Keys of the plans in a workspace's plan folder; empty if the workspace is gone.
    fn plans_below(&self, root: &Path) -> Vec<String> {
        let Ok(workspace) = Workspace::open(root) else {
            return Vec::new();
        };
        let folder = self
            .workbench()
            .settings_for(Some(&workspace))
            .0
            .plan_folder;
        let found = listing::files_below(&workspace, &folder, ".md", 4 * MAX_PLANS);
        let found = found.unwrap_or_default().files.into_iter();
        found
            .take(MAX_PLANS)
            .map(|relative| workspace.path().join(relative).display().to_string())
            .collect()
    }

    fn proposal(&self, workspace: &str, plan: &str) -> Result<Option<InboxItem>> {
        let since_ms = {
            let workbench = self.workbench();
            let store = &workbench.store;
            let events = store.revisions().events(plan)?;
            let Some(first) = events.first() else {
                return Ok(None);
            };
            let is_proposed = matches!(first.author, Author::App | Author::Model);
            let is_known = !store.approvals().of_plan(plan)?.is_empty()
                || !store.runs().of_plan(plan)?.is_empty()
                || store.plan_marks().latest(plan)?.is_some();
            if !is_proposed || is_known {
                return Ok(None);
            }
            first.at_ms
        };
        let Ok((_, parsed)) = self.parsed_now(plan) else {
            return Ok(None);
        };
        if open_steps(&parsed.plan, None).is_empty() {
            return Ok(None);
        }
        Ok(Some(InboxItem {
            id: format!("proposal/{plan}"),
            workspace: workspace.to_owned(),
            plan: plan.to_owned(),
            title: title_of(&parsed.plan, plan),
            kind: "approval".to_owned(),
            message: "Plan awaiting approval.".to_owned(),
            since_ms,
            ..InboxItem::default()
        }))
    }
}

fn item(read: &RunRead) -> InboxItem {
    InboxItem {
        workspace: read.row.workspace.clone(),
        plan: read.row.plan.clone(),
        title: read.plan_title(),
        run: Some(read.row.id.clone()),
        since_ms: read.row.updated_ms,
        ..InboxItem::default()
    }
}

fn question(read: &RunRead, asked: RunQuestion) -> InboxItem {
    let mut entries = read.journal.iter().rev();
    let since = entries.find_map(|(at, entry)| match entry {
        Entry::Asked { question } if question.task == asked.task => Some(*at),
        Entry::Failed { task, .. }
        | Entry::Broken { task, .. }
        | Entry::Refused { task, .. }
        | Entry::Intended { task, .. }
            if *task == asked.task =>
        {
            Some(*at)
        }
        _ => None,
    });
    InboxItem {
        id: format!("{}/{}/{}", read.row.id, asked.task, asked.kind),
        kind: asked.kind.clone(),
        message: asked.message.clone(),
        since_ms: since.unwrap_or(read.row.updated_ms),
        question: Some(asked),
        ..item(read)
    }
}
