//! What happened in a history, as a person and the agents saw it. It is all that the oracle knows.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest as _, Sha256};

/// Numbers moments in the order in which they happened.
#[derive(Debug, Clone, Default)]
pub struct Moments(Arc<AtomicU64>);

impl Moments {
    /// The next moment; 1 is the first.
    pub fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }
}

/// What a person decided about a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The text is approved.
    Approve {
        /// Whether Planwright is to carry it out.
        run: bool,
        /// The last approved step; `None` for all.
        upto: Option<String>,
    },
    /// Changes are requested, in these words.
    Change(String),
}

/// Where a person decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In Planwright's window.
    Window,
    /// In an editor, over ACP.
    Editor,
}

/// A decision of a person.
#[derive(Debug, Clone)]
pub struct Decision {
    /// Where it was made.
    pub place: Place,
    /// The plan's absolute path.
    pub plan: String,
    /// The decision.
    pub verdict: Verdict,
    /// The text on screen.
    pub shown: String,
    /// When the person looked at it.
    pub looked: u64,
    /// The text decided on: the text on screen, with the notes that the person added.
    pub text: String,
    /// The notes.
    pub notes: Vec<String>,
    /// The file's text just before the decision, unless something else happened at the same time.
    pub file: Option<String>,
    /// When the person began to decide.
    pub begun: u64,
    /// When Planwright answered.
    pub ended: u64,
    /// Whether Planwright accepted it. In an editor this isn't known, so it may have been accepted.
    pub is_accepted: bool,
    /// The number of agents that were told, according to the window.
    pub told: u32,
}

impl Decision {
    /// Whether an agent that waits may take it for the approval of its plan.
    pub fn is_for_agents(&self) -> bool {
        let whole = Verdict::Approve {
            run: false,
            upto: None,
        };
        self.place == Place::Window && self.is_accepted && self.verdict == whole
    }
}

/// What an agent was told about a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Nobody has decided yet.
    Waiting,
    /// This text is approved.
    Approved(String),
    /// It isn't approved, with this message.
    Refused(String),
    /// Changes are requested, with this message. Hooks don't distinguish this from a refusal.
    Changes(String),
}

/// Why the harness expects that an agent gets no answer, or not the person's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It waits until it is answered.
    Waits,
    /// Its window can't be opened, its time is over, or it was cancelled.
    Stopped,
    /// It was killed with SIGKILL.
    Killed,
}

/// A review that an agent asked for.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The agent's conversation.
    pub conversation: String,
    /// The text that the agent proposed.
    pub text: String,
    /// The ID of the review, if the agent knows it.
    pub review: Option<String>,
    /// The plan on which the window was opened; `None` if it wasn't.
    pub plan: Option<String>,
    /// When the agent began to ask.
    pub begun: u64,
    /// When the agent had asked; `None` if it was refused at once.
    pub asked: Option<u64>,
    /// What became of the agent.
    pub fate: Fate,
    /// The answers, each with its moment.
    pub answers: Vec<(u64, Answer)>,
}

/// A row of the table of approvals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredApproval {
    /// The plan's absolute path.
    pub plan: String,
    /// SHA-256 of the approved text.
    pub revision: String,
    /// The run, if one was started.
    pub run: Option<String>,
    /// The last approved step.
    pub upto: Option<String>,
}

/// A row of the table of runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRun {
    /// Its ID.
    pub id: String,
    /// The plan's absolute path.
    pub plan: String,
    /// SHA-256 of the text that is carried out.
    pub revision: String,
}

/// A file that changed although no harness wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The path.
    pub path: String,
    /// The content; `None` if it is gone.
    pub now: Option<String>,
    /// The runs that had been started by then.
    pub runs: Vec<String>,
}

/// A whole history.
#[derive(Debug, Default)]
pub struct Record {
    /// The person's decisions.
    pub decisions: Vec<Decision>,
    /// The reviews that agents asked for.
    pub asks: Vec<Ask>,
    /// What agents read about a plan's state: path, revision, state, moment.
    pub states: Vec<(String, String, String, u64)>,
    /// Other text that agents got, by conversation.
    pub said: Vec<(String, String)>,
    /// Files that changed.
    pub changed: Vec<Changed>,
    /// The approvals in the database at the end.
    pub approvals: Vec<StoredApproval>,
    /// The runs in the database at the end.
    pub runs: Vec<StoredRun>,
    /// Texts that the person wrote, and whether each can still be read at the end.
    pub written: BTreeMap<String, bool>,
    /// Words of the person that weren't in the database at the end.
    pub lost: Vec<String>,
    /// Answers that make no sense, such as a decision on a review that nobody asked for.
    pub odd: Vec<String>,
}

/// SHA-256 in lower-case hexadecimal digits.
pub fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
