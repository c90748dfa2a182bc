//! Finds where a name is defined, and the module names through which other files access its
//! definitions.

use std::collections::BTreeSet;

use super::distinct::Distinct;
use crate::among;
use crate::context::Occurrence;
use crate::intake::Rename;
use crate::text::{Family, Shape, family_of, is_test};

/// What is known about the name's definitions.
pub(super) struct Definitions {
    pub(super) paths: BTreeSet<String>,
    pub(super) free: bool,
    pub(super) member: bool,
    pub(super) form: Distinct,
    /// Module names through which other files access the defining files.
    pub(super) modules: BTreeSet<String>,
}

pub(super) fn is_value(noun: &str) -> bool {
    among(noun, "variable constant const field attribute property")
}

/// Finds the definitions among the occurrences of a name.
pub(super) fn definitions(rename: &Rename, found: &[Occurrence]) -> Definitions {
    let in_code = |occurrence: &&Occurrence| {
        !matches!(family_of(&occurrence.path), Family::Document | Family::Data)
    };
    let with = |shapes: &[Shape]| -> Vec<&Occurrence> {
        found
            .iter()
            .filter(in_code)
            .filter(|occurrence| shapes.contains(&occurrence.shape))
            .collect()
    };
    let mut defining = with(&[Shape::Definition, Shape::Member]);
    if defining.is_empty() || is_value(&rename.noun) {
        defining.extend(with(&[Shape::Constant]));
    }
    // If a test defines the same name, that definition is unrelated.
    if defining.iter().any(|one| !is_test(&one.path)) {
        defining.retain(|one| !is_test(&one.path));
    }
    let paths: BTreeSet<String> = defining
        .iter()
        .map(|occurrence| occurrence.path.clone())
        .collect();
    let has_members = defining
        .iter()
        .any(|occurrence| occurrence.shape == Shape::Member);
    Definitions {
        free: defining
            .iter()
            .any(|occurrence| occurrence.shape != Shape::Member),
        member: has_members
            || matches!(
                rename.noun.as_str(),
                "method" | "field" | "attribute" | "property"
            ),
        form: Distinct::of(&rename.from, paths.len() == 1 && !has_members),
        modules: paths.iter().flat_map(|path| module_names(path)).collect(),
        paths,
    }
}

/// The names by which a file is imported: its stem and, for a folder's main file or a Python file,
/// the folder's name.
pub(super) fn module_names(path: &str) -> Vec<String> {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let mut names = vec![stem.to_owned()];
    // The folder's name also counts, since a Python package can re-export what its modules define.
    if among(stem, "__init__ mod index lib main") || name.ends_with(".py") {
        names.extend(parts.next().map(str::to_owned));
    }
    names
}
