//! A plan as a graph, laid out.

use serde::Serialize;
use specta::Type;

/// The tasks of a plan and what they wait for. Places are in pixels at 100 %, from the top left.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct GraphView {
    /// The revision that this answer is of.
    pub revision: String,
    /// The leaves and groups, in document order. Bounded.
    pub nodes: Vec<GraphNode>,
    /// What waits for what, without what follows from other edges.
    pub edges: Vec<GraphEdge>,
    /// How many more tasks there are than are drawn.
    pub more: u32,
}

/// One task, or a group around tasks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct GraphNode {
    /// Its id.
    pub id: String,
    /// `task`, `group`, `checkpoint` or `decision`.
    pub kind: String,
    /// Its title; long ones are cut.
    pub title: String,
    /// The group it is drawn in.
    pub group: Option<String>,
    /// As of a row: `agent`, `person` or `either`.
    pub by: String,
    /// `done`, `skipped`, `ready` (nothing is left to wait for) or `waiting`.
    pub state: String,
    /// How many tasks wait for it, directly or not, and are not done.
    pub unblocks: u32,
    /// How many findings it has.
    pub findings: u32,
    /// The severity of the worst of them.
    pub severity: Option<String>,
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// One task waits for another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct GraphEdge {
    /// What is waited for.
    pub from: String,
    /// What waits.
    pub to: String,
    /// `depends` (written), `order` (the task above, as nothing else is said) or `branch` (an option of a decision).
    pub kind: String,
    /// The option's label, of a branch.
    pub label: Option<String>,
}
