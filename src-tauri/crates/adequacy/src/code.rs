//! Codes, severities and badges of a report.
//!
//! Names are stable: they appear in JSON, in the window and in people's scripts. The crate's front
//! page lists the plan codes with their factors, and the task codes.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use plan::ProblemCode;
use serde::{Serialize, Serializer};

/// The kind of problem in a plan or a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// Task: too few words to be understood.
    VagueShort,
    /// Task: a phrase that says nothing ("fix stuff", "somehow").
    VaguePhrase,
    /// Task: destroys something that cannot be restored.
    RiskDestructive,
    /// Task: "TBD" in its text or as a file name.
    TbdPlaceholder,
    /// Task: complexity 7 or more and no mention of how it is checked.
    HeavyWithoutTestHint,
    /// Task: depends on a task that does not exist or that comes later.
    DepsIncompleteOrOrder,
    /// Task: an empty path in `files:` or in a call.
    ManifestEmptyPath,
    /// Task: works on a file that does not exist and that no earlier step creates.
    PathMissing,
    /// Task: a duplicate of an earlier task.
    DuplicateTask,
    /// Task: has words but no content ("Make sure everything works").
    FillerTask,
    /// Task: too much for one step.
    OversizedTask,
    /// Task: not linked to a requirement by id, name or wording.
    UnmappedTask,
    /// Task: changes something that is checked neither by the task itself nor by a later step.
    UnboundVerification,
    /// Task: releases something that is checked only by a later step.
    ReleaseBeforeCheck,
    /// Task: irreversible, and not preceded by a backup, rollback or similar safeguard.
    NoWayBack,
    /// Task: its text contains an open question.
    OpenQuestion,
    /// Task: depends on a task whose result it does not use.
    RedundantDependency,
    /// Task: runs a command that is not available in the workspace.
    CommandMissing,
    /// Task: names a file that changed since the plan was written.
    BaseOutdated,
    /// Task: mentions a code symbol that the workspace lacks and that is one typo away from an
    /// existing one.
    SymbolMissing,
    /// Task: a `mute:` line without a known code or without a reason.
    MuteIncomplete,
    /// Plan: no task at all.
    NoTasks,
    /// Plan: fewer tasks than a goal of this size needs.
    TooFewTasks,
    /// Plan: a few very large tasks and little else.
    MegaTaskCluster,
    /// Plan: the goal changes behavior, and no task checks anything.
    MissingPlanVerification,
    /// Plan: no task declares a dependency with `depends:`.
    FlatDependencyGraph,
    /// Plan: the goal names paths, but no task names a file.
    GoalPathsUnlinked,
    /// Plan: many short tasks, few files.
    VerboseButLowSurface,
    /// Plan: many tasks begin with the same words.
    RepeatedTaskPhrasing,
    /// Plan: a requirement that no task covers.
    UncoveredRequirement,
    /// Plan: a requirement whose rarest words appear in no step.
    PartlyCovered,
    /// Plan: a part of the goal that no task covers.
    UncoveredGoal,
    /// Plan: far more tasks than the goal needs, many of them redundant.
    Overgrown,
    /// Plan: fewer tasks than its earlier revision.
    PossibleRewriteCompression,
    /// Plan: fewer tasks that name files than in its earlier revision.
    FileLinkageReduced,
    /// Plan: much shorter descriptions than in its earlier revision.
    DescriptionMassReduced,
    /// A parse problem, reported under the parser's own code.
    Problem(ProblemCode),
}

impl Code {
    /// Every code, including the codes of parse problems.
    #[rustfmt::skip] // rustfmt would put each name on its own line
    pub const ALL: &[Self] = &[
        Self::VagueShort, Self::VaguePhrase, Self::RiskDestructive, Self::TbdPlaceholder,
        Self::HeavyWithoutTestHint, Self::DepsIncompleteOrOrder, Self::ManifestEmptyPath,
        Self::PathMissing, Self::DuplicateTask, Self::FillerTask, Self::OversizedTask,
        Self::UnmappedTask, Self::UnboundVerification, Self::ReleaseBeforeCheck, Self::NoWayBack,
        Self::OpenQuestion, Self::RedundantDependency, Self::CommandMissing, Self::BaseOutdated,
        Self::SymbolMissing, Self::MuteIncomplete, Self::NoTasks, Self::TooFewTasks, Self::MegaTaskCluster,
        Self::MissingPlanVerification, Self::FlatDependencyGraph, Self::GoalPathsUnlinked,
        Self::VerboseButLowSurface, Self::RepeatedTaskPhrasing, Self::UncoveredRequirement,
        Self::PartlyCovered, Self::UncoveredGoal, Self::Overgrown, Self::PossibleRewriteCompression, Self::FileLinkageReduced,
        Self::DescriptionMassReduced,
        Self::Problem(ProblemCode::FrontMatter), Self::Problem(ProblemCode::UnknownVersion),
        Self::Problem(ProblemCode::DuplicateId), Self::Problem(ProblemCode::DanglingReference),
        Self::Problem(ProblemCode::Cycle), Self::Problem(ProblemCode::GroupWithWork), Self::Problem(ProblemCode::BadCall),
        Self::Problem(ProblemCode::BadValue), Self::Problem(ProblemCode::LooseKey),
        Self::Problem(ProblemCode::OddBox),
    ];

    /// The code with this exact name.
    pub fn from_name(name: &str) -> Option<Self> {
        static CODES: LazyLock<HashMap<&str, Code>> = LazyLock::new(|| {
            let all = Code::ALL.iter().rev().copied();
            all.map(|code| (code.as_str(), code)).collect()
        });
        CODES.get(name).copied()
    }

    /// The name used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::VagueShort => "vague_short",
            Self::VaguePhrase => "vague_phrase",
            Self::RiskDestructive => "risk_destructive",
            Self::TbdPlaceholder => "tbd_placeholder",
            Self::HeavyWithoutTestHint => "heavy_without_test_hint",
            Self::DepsIncompleteOrOrder => "deps_incomplete_or_order",
            Self::ManifestEmptyPath => "manifest_empty_path",
            Self::PathMissing => "path_missing",
            Self::DuplicateTask => "duplicate_task",
            Self::FillerTask => "filler_task",
            Self::OversizedTask => "oversized_task",
            Self::UnmappedTask => "unmapped_task",
            Self::UnboundVerification => "unbound_verification",
            Self::ReleaseBeforeCheck => "release_before_check",
            Self::NoWayBack => "no_way_back",
            Self::OpenQuestion => "open_question",
            Self::RedundantDependency => "redundant_dependency",
            Self::CommandMissing => "command_missing",
            Self::BaseOutdated => "base_outdated",
            Self::SymbolMissing => "symbol_missing",
            Self::MuteIncomplete => "mute_incomplete",
            Self::NoTasks => "no_tasks",
            Self::TooFewTasks => "too_few_tasks",
            Self::MegaTaskCluster => "mega_task_cluster",
            Self::MissingPlanVerification => "missing_plan_verification",
            Self::FlatDependencyGraph => "flat_dependency_graph",
            Self::GoalPathsUnlinked => "goal_paths_unlinked",
            Self::VerboseButLowSurface => "verbose_but_low_surface",
            Self::RepeatedTaskPhrasing => "repeated_task_phrasing",
            Self::UncoveredRequirement => "uncovered_requirement",
            Self::PartlyCovered => "partly_covered",
            Self::UncoveredGoal => "uncovered_goal",
            Self::Overgrown => "overgrown",
            Self::PossibleRewriteCompression => "possible_rewrite_compression",
            Self::FileLinkageReduced => "file_linkage_reduced",
            Self::DescriptionMassReduced => "description_mass_reduced",
            Self::Problem(problem) => problem.as_str(),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Severity of a finding; the most severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Needs attention: data may be lost, or the plan cannot be carried out.
    Critical,
    /// The result is likely to be wrong or incomplete.
    Major,
    /// The plan would be better if this were fixed.
    Minor,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// The name used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Major => "major",
            Self::Minor => "minor",
            Self::Info => "info",
        }
    }
}

/// A plan's rating in one word, shown beside the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Badge {
    /// No tasks.
    Empty,
    /// The steps are generic: they say what to do but not how.
    Outline,
    /// Too thin to carry out.
    Thin,
    /// Too long: many redundant tasks.
    Overgrown,
    /// Neither too thin nor adequate.
    Fair,
    /// Good enough: every dimension is above its minimum, and nothing is critical.
    Adequate,
}

impl Badge {
    /// Whether the plan is unfit to be carried out: a model may replan it, and where the quality
    /// gate is enforced, running it requires a reason.
    pub fn is_weak(self) -> bool {
        matches!(self, Self::Empty | Self::Outline | Self::Thin)
    }

    /// The name used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Outline => "outline",
            Self::Thin => "thin",
            Self::Overgrown => "overgrown",
            Self::Fair => "fair",
            Self::Adequate => "adequate",
        }
    }

    /// The badge worded to follow "the plan is".
    pub fn as_word(self) -> &'static str {
        match self {
            Self::Outline => "an outline",
            other => other.as_str(),
        }
    }
}
