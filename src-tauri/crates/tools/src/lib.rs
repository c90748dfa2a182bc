//! tools

pub mod sandbox;
