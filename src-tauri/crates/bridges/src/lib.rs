//! The protocols of other agents: hooks of their terminal programs, and an MCP server. And ACP, in
//! which Planwright is the agent and an editor its window, or another program the agent that carries
//! out steps.
//!
//! Through hooks and MCP, an agent has its plan measured and reviewed by a person. An agent can
//! propose and ask; it can't approve: decisions come from the window alone, through
//! [`workbench::Workbench::review_outcome`]. Through ACP, a person approves in the editor. What
//! isn't clearly an approval is never answered as one: not a timeout, a closed window, an empty
//! plan, nor an error.
//!
//! Nothing here opens a window or prints; callers pass in how.

pub mod acp_agent;
pub mod acp_client;
pub mod hooks;
pub mod mcp;
pub mod review_wait;
