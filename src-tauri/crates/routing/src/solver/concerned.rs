//! Which files a goal concerns: those it names, those that hold its code names, and only without
//! either those whose own name bears one of its words.

use std::collections::{BTreeMap, BTreeSet};

use crate::context::Context;
use crate::intake::Intake;
use crate::text::{Family, Shape, family_of, is_document, is_test};

/// The most files of one sort that a step reads; more would hide the important ones.
const MOST: usize = 6;

/// Files by sort, the most telling first.
#[derive(Debug, Default)]
pub(super) struct Concerned {
    pub(super) sources: Vec<String>,
    pub(super) tests: Vec<String>,
    pub(super) documents: Vec<String>,
    /// Named paths that are not in the workspace.
    pub(super) absent: Vec<String>,
    /// Why these files.
    pub(super) reason: Option<String>,
}

impl Concerned {
    /// All of them, sources first.
    pub(super) fn all(&self) -> Vec<String> {
        [&self.sources, &self.tests, &self.documents]
            .into_iter()
            .flatten()
            .cloned()
            .collect()
    }
}

pub(super) fn files(intake: &Intake, context: &Context) -> Concerned {
    let mut scores: BTreeMap<&str, usize> = BTreeMap::new();
    let mut concerned = Concerned::default();
    let mut named = BTreeSet::new();
    for path in &intake.named_paths {
        let found = resolve(path, context);
        if found.is_empty() {
            concerned.absent.push(path.clone());
        }
        named.extend(found);
    }
    for path in &named {
        *scores.entry(path.as_str()).or_default() += 1_000;
    }
    for term in &intake.search_terms {
        let mut in_file: BTreeMap<&str, usize> = BTreeMap::new();
        for occurrence in context.found(term) {
            let score = in_file.entry(&occurrence.path).or_default();
            *score = (*score + weight(occurrence.shape, &occurrence.path)).min(20);
        }
        for (path, score) in in_file {
            *scores.entry(path).or_default() += score;
        }
    }
    scores.retain(|_, score| *score >= 2);
    concerned.reason = match (named.is_empty(), scores.is_empty()) {
        (false, _) => Some("files: those the goal names".to_owned()),
        (true, false) => Some("files: those that hold the goal's code names".to_owned()),
        (true, true) => None,
    };
    let hits;
    if scores.is_empty() {
        hits = by_keyword(intake, context);
        if !hits.is_empty() {
            concerned.reason = Some("files: those that bear a word of the goal".to_owned());
        }
        scores.extend(hits.iter().map(|(path, score)| (path.as_str(), *score)));
    }
    let mut ranked: Vec<(&str, usize)> = scores.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    for (path, _) in ranked {
        let list = if is_document(path) {
            &mut concerned.documents
        } else if is_test(path) {
            &mut concerned.tests
        } else {
            &mut concerned.sources
        };
        if list.len() < MOST {
            list.push(path.to_owned());
        }
    }
    if concerned.tests.is_empty() {
        concerned.tests = tests_of(&concerned.sources, context);
    }
    concerned
}

/// The test files whose name bears a source file's name, such as `test_order.py` for `order.py`.
fn tests_of(sources: &[String], context: &Context) -> Vec<String> {
    let stem = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.split('.').next().unwrap_or(name).to_lowercase()
    };
    let stems: Vec<String> = sources.iter().map(|path| stem(path)).collect();
    let speaks_of = |path: &&String| {
        let own = stem(path);
        let bare = own
            .trim_start_matches("test_")
            .trim_end_matches("_test")
            .trim_end_matches("_spec");
        stems.iter().any(|source| source == bare || own == *source)
    };
    context
        .paths
        .iter()
        .filter(|path| is_test(path))
        .filter(speaks_of)
        .take(MOST)
        .cloned()
        .collect()
}

fn weight(shape: Shape, path: &str) -> usize {
    let in_data = family_of(path) == Family::Data;
    match shape {
        Shape::Definition | Shape::Member => 10,
        Shape::Constant | Shape::Import | Shape::Call | Shape::Attribute => 4,
        Shape::Reference | Shape::Assignment | Shape::Parameter | Shape::Key => 3,
        Shape::QualifiedText | Shape::CodeText | Shape::CodeMention | Shape::OtherName => 2,
        Shape::Text if in_data => 1,
        Shape::Text => 3,
        Shape::Comment | Shape::Prose => 1,
    }
}

/// Files whose stem or folder bears a plain word of the goal, or that define such a name.
fn by_keyword(intake: &Intake, context: &Context) -> BTreeMap<String, usize> {
    let mut scores: BTreeMap<String, usize> = BTreeMap::new();
    for word in &intake.keywords {
        let singular = word
            .strip_suffix('s')
            .filter(|stem| stem.len() > 3)
            .unwrap_or(word);
        for path in &context.paths {
            if matches!(family_of(path), Family::Data) {
                continue;
            }
            let stem = path
                .rsplit('/')
                .next()
                .and_then(|name| name.split('.').next());
            let stem = stem.unwrap_or_default().to_lowercase();
            let bears = stem.split(['_', '-']).any(|part| {
                part == word || part == singular || part.strip_suffix('s') == Some(singular)
            });
            if bears {
                *scores.entry(path.clone()).or_default() += 5;
            }
        }
        for occurrence in context.found(word) {
            if matches!(occurrence.shape, Shape::Definition | Shape::Member) {
                *scores.entry(occurrence.path.clone()).or_default() += 4;
            }
        }
    }
    scores
}

/// The files that a named path means: itself, the files of a folder, those that a pattern with `*`
/// matches, or the only few whose path ends in it.
pub(super) fn resolve(named: &str, context: &Context) -> Vec<String> {
    if context.paths.contains(named) {
        return vec![named.to_owned()];
    }
    if named.contains('*') {
        let whole = named.contains('/');
        return context
            .paths
            .iter()
            .filter(|path| {
                let subject = if whole {
                    path.as_str()
                } else {
                    path.rsplit('/').next().unwrap_or(path)
                };
                globbed(named.as_bytes(), subject.as_bytes())
            })
            .cloned()
            .collect();
    }
    let folder = named.trim_end_matches('/');
    let inside: Vec<String> = context
        .paths
        .iter()
        .filter(|path| crate::context::holds(folder, path))
        .cloned()
        .collect();
    if !inside.is_empty() && !folder.is_empty() {
        return inside;
    }
    let ends: Vec<String> = context
        .paths
        .iter()
        .filter(|path| {
            path.strip_suffix(named)
                .is_some_and(|rest| rest.ends_with('/'))
                || path.rsplit_once('.').is_some_and(|(stem, _)| stem == named)
        })
        .cloned()
        .collect();
    if ends.len() <= 3 { ends } else { Vec::new() }
}

/// A pattern in which `*` stands for any part of a name, `**` for any path.
fn globbed(pattern: &[u8], text: &[u8]) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'*', b'*', rest @ ..] => {
            let rest = rest.strip_prefix(b"/").unwrap_or(rest);
            (0..=text.len()).any(|at| globbed(rest, &text[at..]))
        }
        [b'*', rest @ ..] => {
            let name = text
                .iter()
                .position(|byte| *byte == b'/')
                .unwrap_or(text.len());
            (0..=name).any(|at| globbed(rest, &text[at..]))
        }
        [first, rest @ ..] => text.first() == Some(first) && globbed(rest, &text[1..]),
    }
}
