//! Derives from a goal the terms that the workspace survey searches for.

use super::{Change, Dependency, Intake, TaskType, names};

const MAX_TERMS: usize = 6;

impl Intake {
    /// Adds the search terms, which are derived from the goal and its parsed values.
    pub(super) fn with_terms(mut self) -> Self {
        let mut identifiers = names::identifiers(&self.goal, &self.named_paths);
        for (nth, rename) in self.renames.iter().enumerate() {
            identifiers.retain(|name| ![&rename.from, &rename.to, &rename.spelled].contains(&name));
            identifiers.splice(2 * nth..2 * nth, [rename.from.clone(), rename.to.clone()]);
        }
        if let Some(dependency) = &self.dependency {
            identifiers.retain(|name| *name != dependency.name);
            identifiers.insert(0, dependency.name.clone());
        }
        let mut search_terms = identifiers.clone();
        for quoted in names::quoted(&self.goal) {
            if !search_terms.contains(&quoted) && !self.named_paths.contains(&quoted) {
                search_terms.push(quoted);
            }
        }
        search_terms.truncate(MAX_TERMS.max(2 * self.renames.len()));
        self.keywords = names::keywords(&self.goal, &search_terms, &self.named_paths);
        let dependency = self.dependency.as_ref();
        let missing = match self.kind {
            TaskType::Dependency if dependency.is_none() => Some("which library to update"),
            TaskType::Dependency
                if dependency.is_some_and(|wanted| {
                    wanted.version.is_none() && wanted.change == Change::Set
                }) =>
            {
                Some("which version to use")
            }
            TaskType::Removal if self.named_paths.is_empty() => Some("which files to delete"),
            _ => None,
        };
        self.missing = missing.into_iter().map(str::to_owned).collect();
        self.identifiers = identifiers;
        self.search_terms = search_terms;
        self
    }

    /// All search terms: names, plain words, and names of the mentioned files.
    pub fn terms(&self) -> Vec<String> {
        let stems = self
            .named_paths
            .iter()
            .filter(|path| !path.contains('*') && crate::text::is_code(path))
            .map(|path| crate::text::stem(path).to_owned())
            .filter(|stem| stem.len() > 2);
        let mut terms: Vec<String> = Vec::new();
        let named = self.search_terms.iter().chain(&self.keywords);
        let parts = self.parts.iter().flat_map(|part| part.terms());
        let options = self.renames.iter().flat_map(super::Rename::names_in_code);
        let moved = self.moves.iter().flat_map(super::Move::terms);
        let going = (self.kind == TaskType::Removal).then_some(&self.named_paths);
        let going = going
            .into_iter()
            .flatten()
            .filter(|path| !path.contains('*'));
        let going = going.flat_map(|path| {
            let name = path.rsplit('/').next().unwrap_or(path);
            // References to the content of a folder are found by the folder's path.
            match name.is_empty() || !name.contains('.') {
                true => vec![format!("{}/", path.trim_end_matches('/'))],
                false => super::Move::of_removed(path).terms(),
            }
        });
        let wanted = self.dependency.iter().flat_map(Dependency::terms);
        let words = named
            .chain(&self.asides)
            .cloned()
            .chain(parts)
            .chain(wanted)
            .chain(moved)
            .chain(going)
            .chain(options);
        for term in words.chain(stems) {
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        terms
    }
}
