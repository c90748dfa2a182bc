//! Reviews that other agents ask for: an agent proposes a plan, a person decides in the window.
//!
//! The proposal is a revision of a plan file in the workspace, so that it is judged, edited and
//! approved like any other. An agent can ask and withdraw; [`Workbench::approve_reviews`] and
//! [`Workbench::request_changes_in_reviews`] are called only by the window, when a person has
//! decided. An undecided review is never an approval, even if the agent or the window exits.

mod proposal_file;
mod seen;

use std::path::{Path, PathBuf};

use agent::session::entry::PlanChange;
use agent::session::notice;
use plan::source;
use store::{Holder, NewReview, Review, ReviewDecision, ReviewState};
use tools::Workspace;

use crate::approval::revision_text;
use crate::error::{Code, Error, Result};
use crate::plan_file::{Content, PlanFile};
use crate::{Workbench, ids};

/// Length of a review's ID, in characters of five bits each.
const ID_LENGTH: usize = 12;

/// Maximum length of an agent's name, in characters.
const MAX_AGENT_NAME: usize = 60;

/// A plan that an agent submits for review.
#[derive(Debug, Clone)]
pub struct ReviewRequest<'a> {
    /// The folder where the agent works: its workspace, or a folder inside it.
    pub folder: &'a Path,
    /// The agent's display name.
    pub agent: &'a str,
    /// The agent's own ID for its conversation; empty if it has none.
    pub agent_session: &'a str,
    /// The plan, as Markdown.
    pub text: &'a str,
    /// The file to which the agent wrote the plan, relative to `folder` or absolute. It becomes the
    /// plan if it is in the workspace and holds exactly this text, and is ignored otherwise.
    pub file: Option<&'a Path>,
    /// Whether this process waits for the decision. If it ends first, the review is withdrawn.
    pub waits: bool,
}

/// A requested review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedReview {
    /// The review's ID.
    pub id: String,
    /// Absolute path of the plan file, which the window opens.
    pub plan: PathBuf,
    /// The plan's path in the workspace.
    pub relative: String,
    /// The hash of the proposed revision.
    pub revision: String,
}

/// The state of a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewOutcome {
    /// Nobody has decided yet.
    Waiting,
    /// A person approved this text. It is the proposed text, unless `is_changed` is set.
    Approved {
        /// The approved plan.
        text: String,
        /// The hash of the approved revision.
        revision: String,
        /// Whether a person edited the text or added notes.
        is_changed: bool,
    },
    /// A person requested changes, in these words.
    ChangesRequested(String),
    /// It was withdrawn, for this reason.
    Withdrawn(String),
}

/// A proposal that was checked but isn't written yet.
pub(crate) struct Proposal {
    pub(crate) agent: String,
    pub(crate) workspace: Workspace,
    root: String,
    pub(crate) content: Content,
    /// The latest review of the same conversation.
    earlier: Option<Review>,
}

/// The reason for withdrawing a review whose process has ended.
const GONE: &str = "the agent stopped waiting";

/// Whether the process that waits for a review has ended.
fn is_gone(review: &Review) -> bool {
    let holder = review.holder.as_ref();
    holder.is_some_and(|holder| !holder.is_alive())
}

impl Workbench {
    /// Writes the proposed plan and asks for a review of it. A later proposal from the same
    /// conversation becomes a new revision of the same file and withdraws the earlier review.
    ///
    /// # Errors
    /// [`Code::Usage`] if the plan is empty, too large, or unchanged since changes were requested;
    /// [`Code::Workspace`] if the folder can't be a workspace or the plan can't be written;
    /// [`Code::Storage`].
    pub fn ask_for_review(&self, request: &ReviewRequest<'_>) -> Result<AskedReview> {
        self.review(request, None)
    }

    /// Like [`Workbench::ask_for_review`], for a plan that is already in this file. Doesn't write
    /// the plan again, except that a plan of another program is copied to a new file.
    ///
    /// # Errors
    /// Also [`Code::Usage`] if the file doesn't hold exactly this text, or if agents can't have it
    /// reviewed.
    pub fn ask_for_review_of_file(
        &self,
        file: &PlanFile,
        request: &ReviewRequest<'_>,
    ) -> Result<AskedReview> {
        self.review(request, Some(file))
    }

    fn review(&self, request: &ReviewRequest<'_>, only: Option<&PlanFile>) -> Result<AskedReview> {
        // With this lock, concurrent proposals are handled one after the other, and each sees the
        // previous one.
        let _turn = self.store.review_turn()?;
        let proposal = self.proposal(request)?;
        let file = match only {
            None => self.propose(request, &proposal, proposal.earlier.as_ref())?,
            Some(file) => self.proposed_in(file, request, &proposal)?,
        };
        let Proposal {
            agent,
            root,
            content,
            ..
        } = proposal;
        let reviews = self.store.reviews();
        let key = file.key();
        let now = self.clock.now_ms();
        for waiting in reviews.waiting(Some(&key))? {
            self.withdraw_review(&waiting.id, "the plan was proposed again")?;
        }
        let id = ids::random(ID_LENGTH)?;
        let holder = request.waits.then(|| Holder::current(&id)).transpose()?;
        reviews.add(&NewReview {
            id: &id,
            plan: &key,
            workspace: &root,
            revision: content.revision.as_str(),
            agent: &agent,
            agent_session: request.agent_session,
            holder: holder.as_ref(),
            at_ms: now,
        })?;
        Ok(AskedReview {
            id,
            plan: file.path,
            relative: file.relative,
            revision: content.revision.as_str().to_owned(),
        })
    }

    /// Checks a proposal, without writing anything.
    pub(crate) fn proposal(&self, request: &ReviewRequest<'_>) -> Result<Proposal> {
        if request.text.trim().is_empty() {
            return Err(err!(Usage: "the plan is empty; write it, then submit it again"));
        }
        source::decode(request.text.as_bytes())
            .map_err(|error| err!(Usage: "can't review the plan: {error}"))?;
        let agent = agent_name(request.agent)?;
        let root = self.workspace_around(request.folder)?;
        let workspace = self.open_workspace(&root)?;
        let root = workspace.path().display().to_string();
        let content = Content::of(request.text.to_owned());
        let earlier = match request.agent_session {
            "" => None,
            session => self.store.reviews().latest_of(&agent, session, &root)?,
        };
        if let Some(earlier) = &earlier
            && earlier.state == ReviewState::ChangesRequested
            && earlier.revision == content.revision.as_str()
        {
            let asked = earlier.message.as_deref().unwrap_or_default();
            return Err(err!(Usage:
                "the plan is unchanged since changes were requested: {asked}"));
        }
        Ok(Proposal {
            agent,
            workspace,
            root,
            content,
            earlier,
        })
    }

    /// The state of a review.
    ///
    /// # Errors
    /// [`Code::Usage`] if there is no such review, [`Code::Storage`].
    pub fn review_outcome(&self, id: &str) -> Result<ReviewOutcome> {
        let review = self.store.reviews().get(id)?;
        let mut review = review.ok_or_else(|| err!(Usage: "there is no review “{id}”"))?;
        if review.state == ReviewState::Waiting && is_gone(&review) {
            self.withdraw_review(id, GONE)?;
            review = self.store.reviews().get(id)?.unwrap_or(review);
        }
        let message = review.message.unwrap_or_default();
        Ok(match review.state {
            ReviewState::Waiting => ReviewOutcome::Waiting,
            ReviewState::ChangesRequested => ReviewOutcome::ChangesRequested(message),
            ReviewState::Withdrawn => ReviewOutcome::Withdrawn(message),
            ReviewState::Approved => {
                let revision = review.approved_revision.unwrap_or_default();
                ReviewOutcome::Approved {
                    text: revision_text(&self.store, &revision)?,
                    is_changed: revision != review.revision,
                    revision,
                }
            }
        })
    }

    /// Withdraws an undecided review; returns `false` if it was already decided.
    ///
    /// # Errors
    /// [`Code::Storage`].
    pub fn withdraw_review(&self, id: &str, reason: &str) -> Result<bool> {
        let reason = reason.to_owned();
        let decision = ReviewDecision::Withdrawn { reason };
        let now = self.clock.now_ms();
        Ok(self.store.reviews().decide(id, &decision, now)?)
    }

    /// The reviews that wait for a person, of one plan or of all plans, oldest first. Reviews whose
    /// process has ended are withdrawn.
    ///
    /// # Errors
    /// [`Code::Storage`].
    pub fn waiting_reviews(&self, plan: Option<&str>) -> Result<Vec<Review>> {
        let mut waiting = self.store.reviews().waiting(plan)?;
        let mut gone = Vec::new();
        waiting.retain(|review| {
            let is_gone = is_gone(review);
            if is_gone {
                gone.push(review.id.clone());
            }
            !is_gone
        });
        for id in gone {
            self.withdraw_review(&id, GONE)?;
        }
        Ok(waiting)
    }

    /// Records a person's approval of this whole revision as the decision on all waiting reviews of
    /// the plan whose proposal the person has seen; returns how many there were.
    ///
    /// # Errors
    /// [`Code::Storage`].
    pub fn approve_reviews(&self, plan: &str, revision: &str) -> Result<usize> {
        self.decide_reviews(plan, Some(revision), |_| {
            let revision = revision.to_owned();
            Ok(ReviewDecision::Approved { revision })
        })
    }

    /// Records the changes that a person requested in the revision on screen, in the person's words
    /// and with the person's edits, as the decision on all waiting reviews of the plan whose
    /// proposal the person has seen; returns how many there were.
    ///
    /// # Errors
    /// [`Code::Storage`].
    pub fn request_changes_in_reviews(
        &self,
        plan: &str,
        revision: &str,
        words: &str,
    ) -> Result<usize> {
        self.decide_reviews(plan, Some(revision), |review| {
            let message = match self.edits_since(review)? {
                Some(diff) => format!(
                    "{words}\n\nThe person also edited the plan. Keep these changes:\n{diff}"
                ),
                None => words.to_owned(),
            };
            Ok(ReviewDecision::ChangesRequested { message })
        })
    }

    /// Withdraws the waiting reviews of a plan because a run of it starts; returns how many there
    /// were.
    ///
    /// # Errors
    /// [`Code::Storage`].
    pub fn take_over_reviews(&self, plan: &str) -> Result<usize> {
        self.decide_reviews(plan, None, |_| {
            let reason = "Planwright is running the plan itself; don't carry it out".to_owned();
            Ok(ReviewDecision::Withdrawn { reason })
        })
    }

    /// Decides the waiting reviews of a plan. With `seen`, the revision that a person had on
    /// screen, only the reviews whose proposal that person has seen.
    fn decide_reviews(
        &self,
        plan: &str,
        seen: Option<&str>,
        decide: impl Fn(&Review) -> Result<ReviewDecision>,
    ) -> Result<usize> {
        let mut decided = 0;
        for review in self.waiting_reviews(Some(plan))? {
            if let Some(seen) = seen
                && !self.has_seen(&review, seen)?
            {
                continue;
            }
            let decision = decide(&review)?;
            let now = self.clock.now_ms();
            let is_first = self.store.reviews().decide(&review.id, &decision, now)?;
            decided += usize::from(is_first);
        }
        Ok(decided)
    }

    /// The person's edits since the agent's proposal, as a short diff; `None` if there are none.
    fn edits_since(&self, review: &Review) -> Result<Option<String>> {
        let latest = self.store.revisions().latest(&review.plan)?;
        let Some(latest) = latest.filter(|latest| latest.hash != review.revision) else {
            return Ok(None);
        };
        let before = revision_text(&self.store, &review.revision)?;
        let after = revision_text(&self.store, &latest.hash)?;
        let change = notice::edited(&review.revision, Some(&before), &latest.hash, &after);
        Ok(match change {
            PlanChange::Edited { diff, .. } if !diff.is_empty() => Some(diff),
            _ => None,
        })
    }

    /// The workspace of a folder: the folder itself or the nearest one above it that contains
    /// `.planwright` or `.git`; if there is none, the folder itself.
    ///
    /// # Errors
    /// [`Code::Workspace`] if it can't be a workspace, such as the home folder.
    pub fn workspace_around(&self, folder: &Path) -> Result<PathBuf> {
        let folder = folder.canonicalize().map_err(
            |error| err!(Workspace: "can't open the folder {}: {error}", folder.display()),
        )?;
        let home = self.environment.home();
        let home = home.canonicalize().unwrap_or(home);
        let is_marked = |dir: &&Path| dir.join(".planwright").is_dir() || dir.join(".git").exists();
        let root = folder.ancestors().find(is_marked).unwrap_or(&folder);
        if root == home || root.parent().is_none() {
            return Err(err!(Workspace:
                "{} can't be a workspace; start the agent in the project folder", root.display()));
        }
        Ok(root.to_owned())
    }
}

/// The agent's name for display: without control characters, and truncated. Fails if nothing is
/// left of it.
pub(crate) fn agent_name(name: &str) -> Result<String> {
    let shown = plan::visible_line(name);
    let shown: String = shown.trim().chars().take(MAX_AGENT_NAME).collect();
    match shown.is_empty() {
        true => Err(Error::new(Code::Usage, "the agent must provide its name")),
        false => Ok(shown),
    }
}
