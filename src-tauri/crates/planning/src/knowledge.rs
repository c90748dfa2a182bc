//! What earlier runs left, asked for one goal.
//!
//! A store of small statements (a file defines a name, a step learned a fact about a file, a person
//! decided something, a step ended) is a graph: [`query`] starts at the files and names of the goal
//! and follows relations at most two hops. `reach` finds the files and says which of them are offered,
//! `telling` chooses the statements that are told, `words` compares texts.
//!
//! **Architecture invariants.** Knows no clock and no disk: the time and the statements are passed in,
//! and their order makes no difference. What comes back is bounded in number and bytes, and names no
//! file that is not in the workspace. Texts of statements are untrusted: what is told is one line
//! without characters that nobody sees.

mod reach;
mod telling;
mod words;

use crate::context::{Context, Known, Offered};
use crate::intake::Intake;

pub use reach::starts;

/// The most statements that are told.
pub const MAX_KNOWN: usize = 8;

/// The most bytes of all that is told, texts and provenance together.
pub const MAX_KNOWN_BYTES: usize = 1_600;

/// The most bytes of one text that is told.
pub const MAX_TEXT_LEN: usize = 240;

/// The most files that are offered because they are linked.
pub const MAX_LINKED: usize = 8;

/// The most files that are offered for whatever reason.
pub const MAX_OFFERED: usize = 20;

/// What one thing has to do with another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// A file (subject) defines a name (object).
    Defines,
    /// A file (subject) imports a file (object).
    Imports,
    /// A step (subject, its title) changed a file (object). Files that one step changed, or one run
    /// that changed few (in two runs, then), changed together.
    Changed,
    /// A step (subject, its title) learned something (object, a sentence).
    Learned,
    /// A person answered a question (subject) in some way (object).
    Decided,
    /// A step or plan (subject, its title) ended so; the object says why or how it was checked.
    Ended(Ending),
}

/// How a step or plan ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// The step is done; the object is the command that checked it, empty where none did.
    Done,
    /// The step failed; the object is the reason.
    Failed,
    /// The step was done, and its changes were taken back.
    Undone,
    /// The whole plan was carried out.
    PlanDone,
    /// A person stopped the run of the plan.
    PlanStopped,
}

/// One thing that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// What it is about; see [`Relation`].
    pub subject: String,
    /// What is said.
    pub relation: Relation,
    /// The other end.
    pub object: String,
    /// Workspace paths of the files that it concerns, where subject and object are none.
    pub about: Vec<String>,
    /// Where it comes from.
    pub source: Source,
    /// Whether a file that it rests on has changed since, or is gone.
    pub is_stale: bool,
}

/// Where a statement comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The workspace as it is now.
    Workspace,
    /// A run of a plan.
    Run {
        /// The run; the plan where the run is not known.
        run: String,
        /// The plan file, by workspace path.
        plan: String,
        /// The step; absent for what is said of the whole plan.
        task: Option<String>,
        /// When, in milliseconds since 1970 UTC.
        at_ms: i64,
    },
}

impl Source {
    /// When, for what a run left.
    fn at_ms(&self) -> i64 {
        match self {
            Self::Workspace => 0,
            Self::Run { at_ms, .. } => *at_ms,
        }
    }

    /// The plan file, for what a run left.
    fn plan(&self) -> &str {
        match self {
            Self::Workspace => "",
            Self::Run { plan, .. } => plan,
        }
    }
}

/// What a query found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// What is told, the most telling first.
    pub known: Vec<Known>,
    /// Files that are linked with those of the goal, the most closely linked first; none of those that
    /// the goal or the context offers already.
    pub offered: Vec<Offered>,
    /// Whether more was found than there is room for.
    pub is_cut: bool,
}

/// What the statements say for a goal. `now_ms` is in milliseconds since 1970 UTC.
pub fn query(intake: &Intake, context: &Context, statements: &[Statement], now_ms: i64) -> Found {
    let reached = reach::reach(intake, context, statements, now_ms);
    let told = telling::tell(intake, statements, &reached, now_ms);
    let (offered, more) = reach::offered(context, &reached);
    Found {
        known: told.known,
        offered,
        is_cut: told.is_cut || more,
    }
}

impl Found {
    /// Puts what was found where planners look for it: what is known in place of what was, the files
    /// among those that are offered already, the best first and at most [`MAX_OFFERED`].
    pub fn put_into(self, context: &mut Context) {
        let best = self.offered.iter().map(|file| file.score).max();
        // A score is told in thousandths of the best one's.
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

/// Days between two moments in milliseconds; none where the clock went back.
fn days(then_ms: i64, now_ms: i64) -> u64 {
    u64::try_from(now_ms.saturating_sub(then_ms)).unwrap_or(0) / 86_400_000
}

/// How much a moment still counts, in thousandths: all of it today, half after a month, and so on.
fn freshness(then_ms: i64, now_ms: i64) -> u64 {
    30_000 / (30 + days(then_ms, now_ms))
}
