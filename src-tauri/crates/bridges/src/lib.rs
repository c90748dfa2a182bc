//! Integrations with other agents and editors: hooks of terminal agents, an MCP server, and ACP,
//! either as an agent for an editor or as a client of agents that carry out steps.
//!
//! Through hooks and MCP, an agent can submit its plan for scoring and for review by a person. An
//! agent can propose and ask; it can't approve: decisions come only from the window, through
//! [`workbench::Workbench::review_outcome`]. Through ACP, a person approves in the editor. Only a
//! clear approval counts as one: never a timeout, a closed window, an empty plan or an error.
//!
//! Nothing here opens a window or prints; callers pass in functions for that.

pub mod acp_agent;
pub mod acp_client;
pub mod hooks;
pub mod mcp;
pub mod review_wait;
