//! How other programs write plans, as a table.
//!
//! There is one parser. What differs between the formats that it reads is a row of [`TABLE`]: which
//! ids count, how a task says that it may run beside others or be left out, where dependencies and
//! requirements stand, what begins a new phase, what is counted. Which row a file is read by is
//! found out from its content alone ([`detect`]).
//!
//! Native ids (bold, or `T1`, `C1`, `D1`) and native keys (`- depends: …`) are read in every
//! dialect, so that what this program writes into a file of another one is read back.

pub(crate) mod detail;
mod detect;
pub(crate) mod fence;
pub(crate) mod head;
pub(crate) mod headed;
pub(crate) mod prose;
pub(crate) mod todos;

pub(crate) use detect::detect;

use crate::boxes::Boxes;
use crate::model::Dialect;

/// The ids of a dialect, beside the native ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ids {
    /// No others.
    Native,
    /// `T001`, `[T001]`, `T012a`, in bold or not.
    Tasks,
    /// `1.` and `1.2`, in bold or not.
    Numbers,
}

/// What a dialect counts as its progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counts {
    /// Tasks without sub-tasks: a group is done when its leaves are.
    Leaves,
    /// Every box, those of groups too.
    Boxes,
}

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) dialect: Dialect,
    pub(crate) ids: Ids,
    /// What marks a task that may run beside others.
    pub(crate) parallel: Option<&'static str>,
    /// `[US1]` behind the id names what the task is for.
    pub(crate) has_stories: bool,
    /// `_Requirements: 1.1_`, `_Depends: 1.1_` and `**Validates: Requirements 1.1**` are keys.
    pub(crate) has_details: bool,
    /// `(depends on T001)` in a task's words is a dependency.
    pub(crate) has_prose: bool,
    /// Requirements stand in another file, so that a reference cannot be held against this one.
    pub(crate) requirements_elsewhere: bool,
    /// A second task with an id goes by its place, so that each can be named.
    pub(crate) keeps_ids_apart: bool,
    pub(crate) boxes: Boxes,
    counts: Counts,
}

/// The native format.
const NATIVE: Rules = Rules {
    dialect: Dialect::Native,
    ids: Ids::Native,
    parallel: None,
    has_stories: false,
    has_details: false,
    has_prose: false,
    requirements_elsewhere: false,
    keeps_ids_apart: false,
    boxes: crate::boxes::STRICT,
    counts: Counts::Leaves,
};

/// Boxes with words right behind them.
const GLUED: Boxes = Boxes {
    glued: true,
    wide: false,
};

/// The rows, in the order of [`Dialect`].
///
/// Sources: spec-kit `templates/tasks-template.md` and `templates/commands/{tasks,implement}.md`;
/// Kiro's files as it writes them, and cc-sdd's `rules/tasks-parallel-analysis.md`; OpenSpec
/// `src/utils/task-progress.ts`. What each counts:
/// - *native*: tasks that are carried out; a group is ticked when all of its are.
/// - *plain*: GitHub's "3 of 7 tasks" counts every box of the page.
/// - *spec-kit*: `implement` counts all lines with `- [ ]`, `- [x]` or `- [X]` outside of fences.
/// - *kiro*: every numbered box has its own state, parents and optional tasks too.
/// - *openspec*: every task line at any depth; `x` and `X` are done (blanks beside them do not
///   matter), any other mark is not. It counts boxes in fences too; those are text here, because a
///   tick in an example means nothing.
/// - *headings*: as native; nobody else counts them ([`headed`]).
/// - *todos*: every item of the list that is not cancelled ([`todos`]).
static TABLE: [Rules; 7] = [
    NATIVE,
    Rules {
        dialect: Dialect::Plain,
        counts: Counts::Boxes,
        ..NATIVE
    },
    Rules {
        dialect: Dialect::SpecKit,
        ids: Ids::Tasks,
        parallel: Some("[P]"),
        has_stories: true,
        has_prose: true,
        requirements_elsewhere: true,
        keeps_ids_apart: true,
        boxes: GLUED,
        counts: Counts::Boxes,
        ..NATIVE
    },
    Rules {
        dialect: Dialect::Kiro,
        ids: Ids::Numbers,
        parallel: Some("(P)"),
        has_details: true,
        requirements_elsewhere: true,
        keeps_ids_apart: true,
        boxes: GLUED,
        counts: Counts::Boxes,
        ..NATIVE
    },
    Rules {
        dialect: Dialect::OpenSpec,
        ids: Ids::Numbers,
        requirements_elsewhere: true,
        keeps_ids_apart: true,
        boxes: detect::ANY,
        counts: Counts::Boxes,
        ..NATIVE
    },
    Rules {
        dialect: Dialect::Headings,
        ..NATIVE
    },
    Rules {
        dialect: Dialect::Todos,
        ..NATIVE
    },
];

/// The row of a dialect.
pub(crate) fn rules(dialect: Dialect) -> &'static Rules {
    &TABLE[dialect as usize]
}

impl Rules {
    /// Whether groups are left out of the count.
    pub(crate) fn counts_leaves(&self) -> bool {
        self.counts == Counts::Leaves
    }
}
