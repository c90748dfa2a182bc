//! Planwright as an ACP client: other agents carry out steps of a run, and write plans.
//!
//! `agents` knows the agents, `process` starts one in the sandbox, `connection` speaks the protocol
//! with it and `messages` reads what it sends, `permissions` answers its permission requests,
//! `worker` does the work for a run, `planner` has one write a plan, `discovery` says which ones are
//! on this machine.
//!
//! [`StepWorkers`](worker::StepWorkers) is what a program gives to its workbench.
//!
//! **Architecture invariants.** An agent's own asking is no gate: most agents edit unasked. So the
//! workspace is read-only for the agent's process. Either the agent writes through the protocol, and
//! each write is decided like a model's call, or it works in a private copy, whose differences are
//! decided like a model's calls. Whatever an agent sends is bounded, an unknown request is refused,
//! and no answer is given twice. An agent never outlives its connection.

pub mod agents;
pub mod connection;
pub mod discovery;
mod messages;
pub mod permissions;
pub mod planner;
pub mod process;
pub mod worker;
