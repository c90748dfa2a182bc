//! The loop that makes plans fuller, and the gate that asks a person: what they promise.

mod accepting;
mod asking;
mod laws;
mod machine;
mod merging;
mod preservation;
mod reading;
mod replay;
mod support;
mod symbolic;
