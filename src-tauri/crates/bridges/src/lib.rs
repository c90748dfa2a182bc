//! The protocols of other agents: hooks of their terminal programs, and an MCP server.
//!
//! Through them, an agent has its plan measured and reviewed by a person. An agent can propose and
//! ask; it can't approve: decisions come from the window alone, through
//! [`workbench::Workbench::review_outcome`]. What isn't clearly an approval is never answered as
//! one: not a timeout, a closed window, an empty plan, nor an error.
//!
//! Nothing here opens a window or prints; callers pass in how.

pub mod hooks;
pub mod mcp;
pub mod waiting;
