//! What a step's model was given of the workspace.

use serde::Serialize;
use specta::Type;

/// What was chosen for a step, in the order in which it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct StepContext {
    /// `minimal`, `relevant` or `full`.
    pub strategy: String,
    /// The most tokens that it could take.
    pub budget: u32,
    /// The tokens that it took.
    pub used: u32,
    /// What was chosen.
    pub items: Vec<ContextItem>,
    /// How many things were at hand and are not in it, not even in part.
    pub left_out: u32,
}

/// One thing that was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ContextItem {
    /// `summary`, `note`, `file`, `missing` or `fact`.
    pub kind: String,
    /// What it is, in a few words: "T2", "src/cli.py, lines 12–40".
    pub title: String,
    /// Why, as a sentence.
    pub reason: String,
    /// Its tokens.
    pub tokens: u32,
    /// As it was sent; bounded.
    pub text: String,
}
