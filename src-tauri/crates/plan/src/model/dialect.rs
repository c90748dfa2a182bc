//! The format of a file's tasks, and how it marks them as done.

crate::named! {
    without serde:
    /// The format of a file's tasks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Dialect {
        /// Planwright's own format: `planwright:` in the front matter, or a bold task id.
        Native = "native",
        /// A GitHub checklist without task ids.
        Plain = "plain",
        /// spec-kit's `tasks.md`: `T001 [P] [US1] Text` under headings for phases.
        SpecKit = "spec-kit",
        /// The `tasks.md` of Kiro and cc-sdd: `1.` and `1.1` with `_Requirements: 1.2_`.
        Kiro = "kiro",
        /// OpenSpec's `tasks.md`: `1.1` under `## 1. Name` groups.
        OpenSpec = "openspec",
        /// Numbered headings: `### Task 3: Name`.
        Headings = "headings",
        /// A `todos:` list in the front matter, as Cursor and CodeBuddy write it.
        Todos = "todos",
    }
}

/// How a file marks a task as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A character in a box.
    Box,
    /// A check mark or a box in a heading.
    Heading,
    /// A value of `status:`.
    Status,
}
