//! What the reader of a plan tells about it.

use super::TaskId;

/// Something odd that the reader saw; never fatal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Which kind.
    pub code: ProblemCode,
    /// The task concerned, if one is.
    pub task: Option<TaskId>,
    /// Its line.
    pub line: u32,
    /// One plain sentence that says what to do.
    pub message: String,
}

/// The kinds of [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemCode {
    /// The front matter cannot be read as YAML.
    FrontMatter,
    /// `planwright:` names a version this program does not know.
    UnknownVersion,
    /// Two tasks share an id.
    DuplicateId,
    /// `depends:`, an option or `covers:` names something that does not exist.
    DanglingReference,
    /// Tasks wait for each other in a circle.
    Cycle,
    /// A task with sub-tasks says that it does, checks or asks something itself.
    GroupWithWork,
    /// A `call:` is not a known tool with a JSON object.
    BadCall,
    /// A value that its key does not allow.
    BadValue,
    /// A key item that CommonMark would not nest under its task, read as the task's all the same.
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
