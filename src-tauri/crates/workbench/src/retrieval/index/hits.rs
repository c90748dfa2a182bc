//! The files in the index that match a goal: by its words, by earlier commits, by names they
//! define, and by paths in the goal.

use planning::indexing::{self, Candidate, ChangeHistory, FileLookup, Hits, Query, Role};
use planning::{Intake, Offered, TaskType};
use store::{StoreError, WorkspaceIndex};

use super::importers;

/// Maximum number of files ranked because they contain words of the goal.
const MAX_CANDIDATES: usize = 200;
/// Maximum number of files ranked because of earlier commits.
const MAX_TOUCHED: usize = 100;
/// Maximum number of files ranked because they define a name in the goal.
const MAX_DEFINING: usize = 8;
/// A bare file name refers to all files of that name if there are at most this many.
const MAX_NAMESAKES: usize = 3;
/// Maximum number of manifests considered for a goal about a dependency.
const MAX_MANIFESTS: usize = 5;
/// Maximum number of tests suggested per source file.
const MAX_TESTS: usize = 3;
/// Maximum number of files considered when looking for a source's tests or for files with the same
/// name.
const MAX_BESIDE: usize = 200;

/// The files that match a goal.
pub(super) fn hits(
    index: &WorkspaceIndex,
    intake: &Intake,
    query: &Query,
    past: &ChangeHistory,
) -> Result<Hits, StoreError> {
    let named = named(index, intake)?;
    let mut besides: Vec<String> = Vec::new();
    for name in &query.names {
        let defined = index.symbols_named(&indexing::folded(name), name, MAX_DEFINING)?;
        besides.extend(defined.into_iter().map(|symbol| symbol.path));
    }
    if intake.kind == TaskType::Dependency {
        besides.extend(manifests(index)?);
    }
    let touched = past.touched(&intake.goal);
    let mut most: Vec<(&str, f64)> = touched
        .iter()
        .map(|(path, score)| (*path, *score))
        .collect();
    most.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(other.0)));
    let most = most.into_iter().take(MAX_TOUCHED);
    besides.extend(most.map(|(path, _)| path.to_owned()));
    let terms = query.terms.iter();
    let terms: Vec<(&str, f64)> = terms.map(|term| (&*term.word, term.weight())).collect();
    let besides: Vec<&str> = besides.iter().map(String::as_str).collect();
    let found = index.search(&terms, MAX_CANDIDATES, &besides)?;
    let mut candidates: Vec<Candidate> = Vec::with_capacity(found.hits.len());
    for hit in found.hits {
        candidates.push(Candidate {
            symbols: index.symbols_of(&hit.path)?,
            past: touched.get(&*hit.path).copied().unwrap_or(0.0),
            path: hit.path,
            texts: hit.texts,
            paths: hit.paths,
        });
    }
    for path in &named {
        if !candidates.iter().any(|found| found.path == *path) {
            candidates.push(Candidate {
                path: path.clone(),
                ..Candidate::default()
            });
        }
    }
    Ok(Hits {
        rarity: found.rarity,
        candidates,
        named,
    })
}

/// The files that a goal names, by path, end of path, or a name that few files have.
fn named(index: &WorkspaceIndex, intake: &Intake) -> Result<Vec<String>, StoreError> {
    let mut named: Vec<String> = Vec::new();
    let mut add = |path: String| {
        if !named.contains(&path) {
            named.push(path);
        }
    };
    for ends in indexing::mentions(&intake.goal) {
        let mut is_found = false;
        for end in &ends {
            if index.knows(end)? {
                add(end.clone());
                is_found = true;
                break;
            }
        }
        let name = ends.last().filter(|_| !is_found);
        for path in name.map_or_else(|| Ok(Vec::new()), |name| namesakes(index, name))? {
            add(path);
        }
    }
    for path in &intake.named_paths {
        if index.knows(path)? {
            add(path.clone());
        }
    }
    Ok(named)
}

/// The files with the given name; empty if there are more than [`MAX_NAMESAKES`].
fn namesakes(index: &WorkspaceIndex, name: &str) -> Result<Vec<String>, StoreError> {
    let Some(key) = indexing::keys(name).into_iter().next() else {
        return Ok(Vec::new());
    };
    let mut same = index.paths_keyed(&key, MAX_BESIDE)?;
    same.retain(|path| path.rsplit('/').next() == Some(name));
    if same.len() > MAX_NAMESAKES {
        same.clear();
    }
    Ok(same)
}

/// The outermost manifests of a workspace.
fn manifests(index: &WorkspaceIndex) -> Result<Vec<String>, StoreError> {
    let mut found: Vec<String> = Vec::new();
    for name in indexing::MANIFESTS.split(' ') {
        for key in indexing::keys(name) {
            let keyed = index.paths_keyed(&key, MAX_BESIDE)?;
            let of_name = keyed
                .into_iter()
                .filter(|path| path.rsplit('/').next() == Some(name));
            found.extend(of_name);
        }
    }
    found.sort_by(|one, other| {
        let depth = |path: &str| path.matches('/').count();
        depth(one).cmp(&depth(other)).then(one.cmp(other))
    });
    found.truncate(MAX_MANIFESTS);
    Ok(found)
}

/// An index for the ranking; lookups that fail count as not found.
pub(super) struct IndexedFiles<'a>(pub(super) &'a WorkspaceIndex);

impl FileLookup for IndexedFiles<'_> {
    fn knows(&self, path: &str) -> bool {
        self.0.knows(path).unwrap_or_else(|error| {
            tracing::info!(%error, "couldn't look up a file in the index");
            false
        })
    }

    fn tests_of(&self, source: &str) -> Vec<String> {
        tests_of(self.0, source).unwrap_or_else(|error| {
            tracing::info!(%error, "couldn't find the tests of a file");
            Vec::new()
        })
    }
}

/// The tests named after a source, preferring those that import it; if there are none, the tests
/// that import it.
fn tests_of(index: &WorkspaceIndex, source: &str) -> Result<Vec<String>, StoreError> {
    let importing: Vec<String> = importers(index, source)?
        .into_iter()
        .filter(|path| planning::text::is_test(path))
        .collect();
    let mut tests: Vec<String> = Vec::new();
    if let Some(key) = indexing::keys(source).first() {
        let of_that_name = index.paths_keyed(key, MAX_BESIDE)?;
        let is_test = |path: &String| path != source && planning::text::is_test(path);
        tests.extend(of_that_name.into_iter().filter(is_test));
    }
    let is_sure = |path: &String| importing.contains(path);
    if tests.iter().any(is_sure) {
        tests.retain(is_sure);
    } else if tests.is_empty() || tests.len() > MAX_TESTS {
        // A name shared by many tests identifies none of them.
        tests = importing;
    }
    tests.truncate(MAX_TESTS);
    Ok(tests)
}

/// Whether the best file contains at least half of the goal's distinctive keywords, and why.
pub(super) fn sufficiency(query: &Query, hits: &Hits, offered: &[Offered]) -> (bool, String) {
    let Some(best) = offered.first() else {
        return (false, "no file contains a keyword from the goal".to_owned());
    };
    // A generic word doesn't show that a file is relevant.
    let tells = |at: &usize| query.terms[*at].role == Role::Distinctive;
    let all = (0..query.terms.len()).filter(tells).count();
    let found = hits.candidates.iter().find(|found| found.path == best.path);
    let held = found.map_or(0, |found| {
        found.terms().iter().filter(|at| tells(at)).count()
    });
    (
        held * 2 >= all,
        format!(
            "{} contains {held} of {all} keywords from the goal",
            best.path
        ),
    )
}
