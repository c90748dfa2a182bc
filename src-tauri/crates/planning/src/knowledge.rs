//! Finds what earlier runs learned that is relevant to a goal.
//!
//! Statements (a file defines a name, a step learned a fact about a file, the user made a decision,
//! a step ended) form a graph: [`query`] starts at the files and names of the goal and follows
//! relations for at most two hops. `reach` finds the files and chooses which to offer, `report`
//! chooses the statements to report, and `matching` compares texts.
//!
//! **Architecture invariants.** No clock or disk: the time and the statements are passed in, and
//! the order of statements makes no difference. Results are bounded in number and bytes, and only
//! name files in the workspace. Statement texts are untrusted: they are reduced to one line without
//! invisible characters.

mod matching;
mod reach;
mod report;

use crate::context::{Context, Known, Offered};
use crate::intake::Intake;

pub use reach::starts;

/// Maximum number of statements reported.
pub const MAX_KNOWN: usize = 8;

/// Maximum size of all reported texts and their provenance together, in bytes.
pub const MAX_KNOWN_BYTES: usize = 1_600;

/// Maximum size of one reported text, in bytes.
pub const MAX_TEXT_LEN: usize = 240;

/// Maximum number of files offered because they are linked to the goal's files.
pub const MAX_LINKED: usize = 8;

/// Maximum number of files offered in all.
pub const MAX_OFFERED: usize = 20;

/// How a statement's subject and object are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// A file (subject) defines a name (object).
    Defines,
    /// A file (subject) imports a file (object).
    Imports,
    /// A step (subject, its title) changed a file (object). Files changed by one step count as
    /// changed together; files changed by different steps only do if two small runs changed both.
    Changed,
    /// A step (subject, its title) learned something (object, a sentence).
    Learned,
    /// The user answered a question (subject); the object is the answer.
    Decided,
    /// A step or plan (subject, its title) ended; the object is the reason or how it was checked.
    Ended(Ending),
}

/// How a step or plan ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// The step is done; the object is the command that checked it, or empty.
    Done,
    /// The step failed; the object is the reason.
    Failed,
    /// The step was done and then undone.
    Undone,
    /// The whole plan was completed.
    PlanDone,
    /// The user stopped the plan's run.
    PlanStopped,
}

/// Something that is known: a subject, an object, and the relation between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The subject; its meaning depends on the [`Relation`].
    pub subject: String,
    /// How the subject is related to the object.
    pub relation: Relation,
    /// The object; its meaning depends on the [`Relation`].
    pub object: String,
    /// The workspace paths of the files that it concerns, if subject and object are not files.
    pub about: Vec<String>,
    /// The source of the statement.
    pub source: Source,
    /// Whether a file that it is based on has since been changed or deleted.
    pub is_stale: bool,
}

/// The source of a statement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// It was found in the current workspace.
    Workspace,
    /// It was recorded by a run of a plan.
    Run {
        /// The run's id, or the plan's if the run is unknown.
        run: String,
        /// The workspace path of the plan file.
        plan: String,
        /// The step's id; `None` if the statement concerns the whole plan.
        task: Option<String>,
        /// When the run recorded it, in milliseconds since 1970 UTC.
        at_ms: i64,
    },
}

impl Source {
    /// When a run recorded it, in milliseconds since 1970 UTC; 0 for a statement from the
    /// workspace.
    fn at_ms(&self) -> i64 {
        match self {
            Self::Workspace => 0,
            Self::Run { at_ms, .. } => *at_ms,
        }
    }

    /// The plan file, for a statement from a run; otherwise empty.
    fn plan(&self) -> &str {
        match self {
            Self::Workspace => "",
            Self::Run { plan, .. } => plan,
        }
    }
}

/// The result of a query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Statements to report, most relevant first.
    pub known: Vec<Known>,
    /// Files that are linked to the goal's files, strongest link first, without those that the goal
    /// names or the context already offers.
    pub offered: Vec<Offered>,
    /// Whether more was found than the limits allow to return.
    pub is_cut: bool,
}

/// The knowledge relevant to a goal. `now_ms` is in milliseconds since 1970 UTC.
pub fn query(intake: &Intake, context: &Context, statements: &[Statement], now_ms: i64) -> Found {
    let reached = reach::reach(intake, context, statements, now_ms);
    let report = report::select(intake, statements, &reached, now_ms);
    let (offered, more) = reach::offered(context, &reached);
    Found {
        known: report.known,
        offered,
        is_cut: report.is_cut || more,
    }
}

impl Found {
    /// Stores the result in the context: replaces the known statements and merges the offered
    /// files, best first and at most [`MAX_OFFERED`].
    pub fn merge_into(self, context: &mut Context) {
        let best = self.offered.iter().map(|file| file.score).max();
        // If nothing is offered yet, scores become thousandths of the best one.
        let best = best.filter(|_| context.offered.is_empty()).unwrap_or(1_000);
        let scaled = self.offered.into_iter().map(|file| Offered {
            score: file.score * 1_000 / best.max(1),
            ..file
        });
        context.offered.extend(scaled);
        context
            .offered
            .sort_by_key(|file| std::cmp::Reverse(file.score));
        context.offered.truncate(MAX_OFFERED);
        context.known = self.known;
    }
}

/// Days between two times in milliseconds; 0 if the clock was set back.
fn days(then_ms: i64, now_ms: i64) -> u64 {
    u64::try_from(now_ms.saturating_sub(then_ms)).unwrap_or(0) / 86_400_000
}

/// The weight of a statement by age, in thousandths: the full weight today, a half after 30 days, a
/// third after 60.
fn freshness(then_ms: i64, now_ms: i64) -> u64 {
    30_000 / (30 + days(then_ms, now_ms))
}
