//! What a word is, in the place where it stands: code, string, comment or prose, and in code a
//! definition, a call, an import and so on.
//!
//! This is reading by shape, without a compiler: it knows each language's comments, strings and
//! keywords, not its scopes. What shape cannot tell is given a shape that says so, and the planner
//! leaves it to a person. Nothing here fails, and every answer is the same for the same bytes.

mod language;
mod regions;
mod shape;

pub use language::{Family, family_of, is_code, is_document, is_history, is_test, stem};
pub use shape::{Definition, Shape, definitions, occurrences};
