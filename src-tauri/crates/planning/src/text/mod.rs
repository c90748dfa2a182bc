//! Classifies an occurrence of a word: code, string, comment or prose, and within code a
//! definition, a call, an import and so on.
//!
//! Classification is lexical, without a compiler: it knows each language's comments, strings and
//! keywords, but not its scopes. Ambiguous occurrences get a shape that says so, and the planner
//! leaves them to a person. Nothing here fails, and the result depends only on the file's bytes.

mod language;
mod regions;
mod shape;

pub use language::{Family, family_of, is_code, is_document, is_history, is_test, stem};
pub use shape::{Definition, Shape, definitions, occurrences};
