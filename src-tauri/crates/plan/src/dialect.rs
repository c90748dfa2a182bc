//! The formats of other tools, as a table.
//!
//! There is one parser. Each format is a row of [`TABLE`] that says which ids it recognizes, which
//! boxes make a task, how a task is marked as parallel, where dependencies and requirements are,
//! and what counts as progress. The row is chosen from the file's content alone ([`detect`]).
//!
//! Native ids (bold, or `T1`, `C1`, `D1`) and native keys (`- depends: …`) work in every dialect,
//! so that this program can read back its own additions to another tool's file.

pub(crate) mod detail;
mod detect;
pub(crate) mod fence;
pub(crate) mod head;
pub(crate) mod heading_steps;
pub(crate) mod prose_dependencies;
pub(crate) mod todos;

pub(crate) use detect::detect;

use crate::checkbox::BoxRules;
use crate::model::Dialect;

/// The ids of a dialect, in addition to the native ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ids {
    /// No other ids.
    Native,
    /// Ids such as `T001`, `[T001]` and `T012a`, bold or not.
    Tasks,
    /// Ids such as `1.` and `1.2`, bold or not.
    Numbers,
}

/// The boxes that a dialect counts as progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counts {
    /// Tasks without sub-tasks: a group is done when its leaves are.
    Leaves,
    /// Every box, including those of groups.
    BoxRules,
}

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) dialect: Dialect,
    pub(crate) ids: Ids,
    /// The marker of a task that may run in parallel.
    pub(crate) parallel: Option<&'static str>,
    /// Whether `[US1]` after the id names the user story that the task implements.
    pub(crate) has_stories: bool,
    /// Whether `_Requirements: 1.1_`, `_Depends: 1.1_` and `**Validates: Requirements 1.1**` are
    /// keys.
    pub(crate) has_details: bool,
    /// Whether `(depends on T001)` in a task's text is a dependency.
    pub(crate) has_prose: bool,
    /// Whether requirements are in another file, so that references can't be checked against this
    /// one.
    pub(crate) requirements_elsewhere: bool,
    /// Whether a second task with the same id gets a positional id, so that both can be referenced.
    pub(crate) deduplicates_ids: bool,
    pub(crate) boxes: BoxRules,
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
    deduplicates_ids: false,
    boxes: crate::checkbox::STRICT,
    counts: Counts::Leaves,
};

/// Boxes may be directly followed by text.
const GLUED: BoxRules = BoxRules {
    glued: true,
    wide: false,
};

/// The rows, in the order of [`Dialect`].
///
/// Sources: spec-kit `templates/tasks-template.md` and `templates/commands/{tasks,implement}.md`;
/// Kiro's files as it writes them, and cc-sdd's `rules/tasks-parallel-analysis.md`; OpenSpec
/// `src/utils/task-progress.ts`. Boxes that count as progress:
/// - *native*: tasks that are carried out; a group is done when all of its tasks are.
/// - *plain*: GitHub's "3 of 7 tasks" counts every box on the page.
/// - *spec-kit*: `implement` counts all lines with `- [ ]`, `- [x]` or `- [X]` outside of fences.
/// - *kiro*: every numbered box has its own state, including parents and optional tasks.
/// - *openspec*: every task line at any depth; `x` and `X` are done (spaces around them are
///   ignored), any other mark is not. OpenSpec also counts boxes in fences; here those are text,
///   because ticking an example is meaningless.
/// - *headings*: like native; no other tool counts them ([`heading_steps`]).
/// - *todos*: every item of the list that is not cancelled ([`todos`]).
static TABLE: [Rules; 7] = [
    NATIVE,
    Rules {
        dialect: Dialect::Plain,
        counts: Counts::BoxRules,
        ..NATIVE
    },
    Rules {
        dialect: Dialect::SpecKit,
        ids: Ids::Tasks,
        parallel: Some("[P]"),
        has_stories: true,
        has_prose: true,
        requirements_elsewhere: true,
        deduplicates_ids: true,
        boxes: GLUED,
        counts: Counts::BoxRules,
        ..NATIVE
    },
    Rules {
        dialect: Dialect::Kiro,
        ids: Ids::Numbers,
        parallel: Some("(P)"),
        has_details: true,
        requirements_elsewhere: true,
        deduplicates_ids: true,
        boxes: GLUED,
        counts: Counts::BoxRules,
        ..NATIVE
    },
    Rules {
        dialect: Dialect::OpenSpec,
        ids: Ids::Numbers,
        requirements_elsewhere: true,
        deduplicates_ids: true,
        boxes: detect::ANY,
        counts: Counts::BoxRules,
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
    /// Whether groups are excluded from the count.
    pub(crate) fn counts_leaves(&self) -> bool {
        self.counts == Counts::Leaves
    }
}
