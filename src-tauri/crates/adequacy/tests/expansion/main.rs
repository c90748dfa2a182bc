//! Tests of the expansion loop and of the clarification questions.

mod accepting;
mod clarification;
mod machine;
mod merging;
mod preservation;
mod properties;
mod replay;
mod support;
mod symbolic;
