//! The names a report is made of: codes, severities, badges.
//!
//! Names are stable: they stand in JSON, in the window and in people's scripts. The table of plan
//! codes and their factors, and that of task codes, are on the front page of the crate.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use plan::ProblemCode;
use serde::{Serialize, Serializer};

/// Why something is not adequate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// Task: too few words to know what is meant.
    VagueShort,
    /// Task: a phrase that says nothing ("fix stuff", "somehow").
    VaguePhrase,
    /// Task: destroys what cannot be brought back.
    RiskDestructive,
    /// Task: "TBD" in its text or as a file name.
    TbdPlaceholder,
    /// Task: complexity 7 or more and no word on how it is checked.
    HeavyWithoutTestHint,
    /// Task: waits for a task that does not exist or does not stand before it.
    DepsIncompleteOrOrder,
    /// Task: an empty path in `files:` or in a call.
    ManifestEmptyPath,
    /// Task: a call works on a file that is not there and that no step before it writes.
    PathMissing,
    /// Task: says the same as a task above it.
    DuplicateTask,
    /// Task: words, but no content ("Make sure everything works").
    FillerTask,
    /// Task: too much for one step.
    OversizedTask,
    /// Task: serves no requirement, by id, by name or by words.
    UnmappedTask,
    /// Task: changes something, and neither it nor a step behind it checks that.
    UnboundVerification,
    /// Task: releases what a later step only then checks.
    ReleaseBeforeCheck,
    /// Task: cannot be taken back, and nothing before it keeps a way back.
    NoWayBack,
    /// Task: leaves a question open in its text.
    OpenQuestion,
    /// Task: waits for a task whose result it does not use.
    RedundantDependency,
    /// Task: runs a command that the workspace does not have.
    CommandMissing,
    /// Task: names a file that changed since the plan was written.
    BaseOutdated,
    /// Task: names code that the workspace does not have, a slip away from a name that it has.
    SymbolMissing,
    /// Task: a `mute:` line without a known code or without a reason.
    MuteIncomplete,
    /// Plan: no task at all.
    NoTasks,
    /// Plan: fewer tasks than the goal's size asks for.
    TooFewTasks,
    /// Plan: several very large tasks and little else.
    MegaTaskCluster,
    /// Plan: the goal changes behaviour, and no task checks anything.
    MissingPlanVerification,
    /// Plan: no task names another in `depends:`.
    FlatDependencyGraph,
    /// Plan: the goal names paths, no task names a file.
    GoalPathsUnlinked,
    /// Plan: many short tasks, few files.
    VerboseButLowSurface,
    /// Plan: many tasks begin with the same words.
    RepeatedTaskPhrasing,
    /// Plan: a requirement that no task covers.
    UncoveredRequirement,
    /// Plan: a requirement of which no step says the rarest words.
    PartlyCovered,
    /// Plan: something that the goal asks for and no task takes care of.
    UncoveredGoal,
    /// Plan: far more tasks than the goal asks for, many of them without use.
    Overgrown,
    /// Plan against its earlier revision: fewer tasks.
    PossibleRewriteCompression,
    /// Plan against its earlier revision: fewer tasks that name files.
    FileLinkageReduced,
    /// Plan against its earlier revision: the descriptions lost much of their text.
    DescriptionMassReduced,
    /// What the reader of the file found odd, under the reader's own name for it.
    Problem(ProblemCode),
}

impl Code {
    /// Every code, those of the reader of the file too.
    #[rustfmt::skip] // one name a line would bury the list
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

    /// The code of this exact name.
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

/// How much a finding weighs; the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Must not go unseen: data may be lost, or the plan cannot be carried out.
    Critical,
    /// The result is likely to be wrong or incomplete.
    Major,
    /// The plan would be better without it.
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

/// The word beside the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Badge {
    /// No task.
    Empty,
    /// The steps say what is to be done, not how; many plans could say the same.
    Outline,
    /// Too thin to carry out.
    Thin,
    /// Too long: many tasks without use.
    Overgrown,
    /// Neither thin nor adequate.
    Fair,
    /// Good enough: each of the four dimensions has reached what it needs, and nothing is critical.
    Adequate,
}

impl Badge {
    /// Whether a plan with it is not fit to be carried out: a model may plan it again, and enforcement asks for a
    /// reason.
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

    /// What such a plan is, behind "the plan is".
    pub fn as_word(self) -> &'static str {
        match self {
            Self::Outline => "an outline",
            other => other.as_str(),
        }
    }
}
