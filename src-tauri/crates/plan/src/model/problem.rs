//! Problems that the parser reports.

use super::TaskId;

/// A problem in the file; never fatal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The kind of problem.
    pub code: ProblemCode,
    /// Id of the task it concerns, if any.
    pub task: Option<TaskId>,
    /// Its line number.
    pub line: u32,
    /// One plain sentence that says what is wrong and how to fix it.
    pub message: String,
}

crate::named! {
    without serde:
    /// The kinds of [`Problem`].
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum ProblemCode {
        /// The front matter is invalid YAML.
        FrontMatter = "front_matter",
        /// `planwright:` names an unknown version.
        UnknownVersion = "unknown_version",
        /// Two tasks share an id.
        DuplicateId = "duplicate_id",
        /// `depends:`, an option or `covers:` names something that does not exist.
        DanglingReference = "dangling_reference",
        /// Circular dependencies.
        Cycle = "dependency_cycle",
        /// A group has its own call, check or question, which would be ignored.
        GroupWithWork = "group_with_work",
        /// A `call:` does not consist of a known tool and a JSON object.
        BadCall = "bad_call",
        /// A key has an invalid value.
        BadValue = "bad_value",
        /// CommonMark would not nest a key under its task; it is parsed as the task's key anyway.
        LooseKey = "loose_key",
        /// A box is not recognized as a task.
        OddBox = "odd_box",
    }
}
