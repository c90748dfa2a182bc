//! Determines which findings a change addresses.

use plan::TaskId;

use crate::code::Code;
use crate::report::Report;

/// A part of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// A new task.
    New,
    /// A new wording.
    Words,
    /// A file.
    Files,
    /// A requirement.
    Covers,
    /// A check or an acceptance line.
    Check,
    /// A note.
    Note,
    /// A dependency.
    Waiting,
}

impl Part {
    /// Describes a value of this part, worded to follow the name of the task.
    pub(super) fn says(self, value: &str) -> String {
        match self {
            Self::Files => format!("names `{value}`"),
            Self::Covers => format!("covers {value}"),
            Self::Check => format!("is checked by {}", crate::report::quoted(value)),
            Self::Note => "gets a note".to_owned(),
            Self::Waiting => format!("depends on {value}"),
            Self::New | Self::Words => format!("says {}", crate::report::quoted(value)),
        }
    }

    fn answers(self) -> &'static [Code] {
        match self {
            Self::New => &[
                Code::NoTasks,
                Code::TooFewTasks,
                Code::MegaTaskCluster,
                Code::UncoveredGoal,
                Code::RiskDestructive,
                Code::NoWayBack,
            ],
            Self::Words => &[
                Code::VagueShort,
                Code::VaguePhrase,
                Code::TbdPlaceholder,
                Code::RiskDestructive,
                Code::FillerTask,
                Code::OpenQuestion,
                Code::OversizedTask,
                Code::DuplicateTask,
            ],
            Self::Files => &[
                Code::GoalPathsUnlinked,
                Code::VerboseButLowSurface,
                Code::ManifestEmptyPath,
                Code::PathMissing,
                Code::FillerTask,
            ],
            Self::Covers => &[Code::UncoveredRequirement, Code::UnmappedTask],
            Self::Check => &[
                Code::MissingPlanVerification,
                Code::HeavyWithoutTestHint,
                Code::UnboundVerification,
                Code::VagueShort,
                Code::FillerTask,
            ],
            Self::Waiting => &[
                Code::FlatDependencyGraph,
                Code::DepsIncompleteOrOrder,
                Code::ReleaseBeforeCheck,
            ],
            Self::Note => &[],
        }
    }
}

/// The codes in the report that a change with these parts addresses, plus the codes that the reply
/// itself names if they are in the report.
pub(super) fn reasons(
    report: &Report,
    task: Option<&TaskId>,
    parts: &[Part],
    said: &[String],
) -> Vec<Code> {
    let mut codes: Vec<Code> = Vec::new();
    for finding in &report.findings {
        let concerns = finding.task.is_none() || finding.task.as_ref() == task;
        let is_answered = parts
            .iter()
            .any(|part| part.answers().contains(&finding.code));
        let is_said = said.iter().any(|name| name == finding.code.as_str());
        if (concerns && is_answered || is_said) && !codes.contains(&finding.code) {
            codes.push(finding.code);
        }
    }
    codes
}
