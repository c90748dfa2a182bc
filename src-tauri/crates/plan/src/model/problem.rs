//! Problems that the parser reports.

use super::TaskId;

/// Something odd in the file; never fatal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The kind of problem.
    pub code: ProblemCode,
    /// The task it concerns, if any.
    pub task: Option<TaskId>,
    /// Its line.
    pub line: u32,
    /// One plain sentence that says what is wrong and how to fix it.
    pub message: String,
}

/// The kinds of [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemCode {
    /// The front matter is invalid YAML.
    FrontMatter,
    /// `planwright:` names an unknown version.
    UnknownVersion,
    /// Two tasks share an id.
    DuplicateId,
    /// `depends:`, an option or `covers:` names something that does not exist.
    DanglingReference,
    /// Circular dependencies.
    Cycle,
    /// A group has its own call, check or question.
    GroupWithWork,
    /// A `call:` is not a known tool with a JSON object.
    BadCall,
    /// An invalid value for a key.
    BadValue,
    /// A key that CommonMark would not nest under its task; parsed as the task's anyway.
    LooseKey,
    /// A box that is not a task marker.
    OddBox,
}

impl ProblemCode {
    /// The name used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FrontMatter => "front_matter",
            Self::UnknownVersion => "unknown_version",
            Self::DuplicateId => "duplicate_id",
            Self::DanglingReference => "dangling_reference",
            Self::Cycle => "dependency_cycle",
            Self::GroupWithWork => "group_with_work",
            Self::BadCall => "bad_call",
            Self::BadValue => "bad_value",
            Self::LooseKey => "loose_key",
            Self::OddBox => "odd_box",
        }
    }
}
