//! Templates as the window lists them.

use serde::Serialize;
use specta::Type;

/// One template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TemplateView {
    /// Its name.
    pub name: String,
    /// What it is for, in one line.
    pub description: String,
    /// `built in`, or the file it comes from.
    pub source: String,
    /// A goal that it answers, to start from.
    pub example: String,
    /// What is filled in.
    pub parameters: Vec<String>,
    /// How many steps it writes at most.
    pub steps: u32,
    /// Why it cannot be used, when it cannot.
    pub problem: Option<String>,
}

/// The text of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct TemplateText {
    /// Its name.
    pub name: String,
    /// As written.
    pub markdown: String,
}
