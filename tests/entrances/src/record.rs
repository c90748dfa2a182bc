//! What happened in a history, as a person and the agents saw it. The oracle knows nothing else.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest as _, Sha256};

/// Numbers moments in the order in which they occur.
#[derive(Debug, Clone, Default)]
pub struct Moments(Arc<AtomicU64>);

impl Moments {
    /// The number of the next moment, from 1.
    pub fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }
}

/// What a person decided about a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The text was approved.
    Approve {
        /// Whether Planwright should carry it out.
        run: bool,
        /// The ID of the last approved step; `None` for all steps.
        upto: Option<String>,
    },
    /// Changes were requested, in these words.
    Change(String),
}

/// Where a person made a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In Planwright's window.
    Window,
    /// In an editor, over ACP.
    Editor,
}

/// A person's decision about a plan.
#[derive(Debug, Clone)]
pub struct Decision {
    /// Where the decision was made.
    pub place: Place,
    /// The plan's absolute path.
    pub plan: String,
    /// The approval, or the requested changes.
    pub verdict: Verdict,
    /// The plan's text on screen.
    pub shown: String,
    /// The moment when the person looked at it.
    pub looked: u64,
    /// The text decided on: the text on screen, with the notes that the person added.
    pub text: String,
    /// The notes that the person added.
    pub notes: Vec<String>,
    /// The file's text just before the decision; `None` if something else happened concurrently.
    pub file: Option<String>,
    /// The moment when the person began to decide.
    pub begun: u64,
    /// The moment when Planwright responded.
    pub ended: u64,
    /// Whether Planwright accepted the decision. In an editor this isn't known, so it may have
    /// been.
    pub is_accepted: bool,
    /// The number of waiting agents that got the decision, according to the window.
    pub told: u32,
}

impl Decision {
    /// Whether a waiting agent may consider it an approval of its plan.
    pub fn is_for_agents(&self) -> bool {
        let whole = Verdict::Approve {
            run: false,
            upto: None,
        };
        self.place == Place::Window && self.is_accepted && self.verdict == whole
    }
}

/// The answer that an agent got about a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// No decision yet.
    Waiting,
    /// This text was approved.
    Approved(String),
    /// It wasn't approved, with this message.
    Refused(String),
    /// Changes were requested, with this message. Hooks don't distinguish this from a refusal.
    Changes(String),
}

/// Whether an agent is expected to get the person's answer, and why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It waits until it gets an answer.
    Waits,
    /// It stopped waiting: its window can't be opened, its time limit is reached, or it was
    /// cancelled.
    Stopped,
    /// It was killed with SIGKILL.
    Killed,
}

/// A review that an agent asked for.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The ID of the agent's conversation.
    pub conversation: String,
    /// The text that the agent proposed.
    pub text: String,
    /// The review's ID, if the agent knows it.
    pub review: Option<String>,
    /// The plan for which the window was opened; `None` if it wasn't opened.
    pub plan: Option<String>,
    /// The moment when the agent began to ask.
    pub begun: u64,
    /// The moment when the request had been made; `None` if it was refused at once.
    pub asked: Option<u64>,
    /// Whether the agent is expected to get an answer.
    pub fate: Fate,
    /// The answers, each with the moment it was received.
    pub answers: Vec<(u64, Answer)>,
}

/// A row of the approvals table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredApproval {
    /// The plan's absolute path.
    pub plan: String,
    /// SHA-256 of the approved text.
    pub revision: String,
    /// The ID of the run, if one was started.
    pub run: Option<String>,
    /// The ID of the last approved step; `None` for all steps.
    pub upto: Option<String>,
}

/// A row of the runs table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRun {
    /// The run's ID.
    pub id: String,
    /// The plan's absolute path.
    pub plan: String,
    /// SHA-256 of the text that the run carries out.
    pub revision: String,
}

/// A file that changed without being written by the harness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The file's path.
    pub path: String,
    /// The new content; `None` if the file was deleted.
    pub now: Option<String>,
    /// The IDs of the runs started by then.
    pub runs: Vec<String>,
}

/// Everything that happened in a history.
#[derive(Debug, Default)]
pub struct Record {
    /// The person's decisions.
    pub decisions: Vec<Decision>,
    /// The reviews that agents asked for.
    pub asks: Vec<Ask>,
    /// States of plans that agents read: path, revision, state, moment.
    pub states: Vec<(String, String, String, u64)>,
    /// Other texts that agents received: conversation and text.
    pub said: Vec<(String, String)>,
    /// Files that changed without being written by the harness.
    pub changed: Vec<Changed>,
    /// The approvals in the database at the end.
    pub approvals: Vec<StoredApproval>,
    /// The runs in the database at the end.
    pub runs: Vec<StoredRun>,
    /// Texts that the person wrote, and whether each was still readable at the end.
    pub written: BTreeMap<String, bool>,
    /// The person's words that were missing from the database at the end.
    pub lost: Vec<String>,
    /// Answers that make no sense, such as a decision on a review that nobody requested.
    pub odd: Vec<String>,
}

/// SHA-256 in lower-case hexadecimal digits.
pub fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
