//! What is known of a workspace for a goal, beyond what one walk sees.

pub(crate) mod index;
