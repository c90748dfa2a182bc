//! Planwright as an ACP client: other agents carry out steps of a run, and write plans.
//!
//! Submodules: `agents` is the table of known agents, `process` starts an agent in the sandbox,
//! `connection` exchanges messages with it, `messages` parses what it sends, `permissions` answers
//! its permission requests, `worker` has it carry out steps, `planner` has it write a plan, and
//! `discovery` finds the agents on this machine.
//!
//! A program passes [`StepWorkers`](worker::StepWorkers) to its workbench to make these agents
//! available there.
//!
//! **Architecture invariants.** Nothing relies on an agent's permission requests, because most
//! agents edit files without asking. Instead, the workspace is read-only for the agent's process.
//! The agent either writes through the protocol, and each write is judged like a model's call, or
//! works in a private copy, and each difference is judged like a model's call. Everything an agent
//! sends is limited in size, unknown requests are refused, and no request is answered twice. An
//! agent never outlives its connection.

pub mod agents;
pub mod connection;
pub mod discovery;
mod messages;
pub mod permissions;
pub mod planner;
pub mod process;
pub mod worker;
