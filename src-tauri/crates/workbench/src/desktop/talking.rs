//! Conversations with a model about a plan.
mod rows;
mod trouble;
mod words;
