//! Finds the files relevant to a goal, in this order: files that it names; files whose name is one
//! of its words; files that define such a name; files that use an identifier from the goal; failing
//! these, the results of a workspace search. Generated files and changelogs only count if the goal
//! names them.

use std::collections::{BTreeMap, BTreeSet};

use super::companions;
use crate::context::{Context, means};
use crate::indexing::{is_generated, is_manifest};
use crate::intake::Intake;
use crate::text::{Family, Shape, family_of, is_document, is_history, is_test, stem};

/// Maximum number of files per category, and of files to read first; a longer list would hide the
/// important ones.
const MAX_PER_CATEGORY: usize = 6;

const MAX_LIKELY: usize = 3;

/// Files by category, most relevant first.
#[derive(Debug, Default)]
pub(crate) struct RelevantFiles {
    /// Files that the goal names or that define an identifier from it; failing these, those that
    /// contain most of its identifiers.
    pub(crate) sources: Vec<String>,
    /// Other candidates, which were found by plain words or by a workspace search.
    pub(crate) likely: Vec<String>,
    pub(crate) tests: Vec<String>,
    pub(crate) documents: Vec<String>,
    /// Paths that the goal names but that are not in the workspace.
    pub(crate) absent: Vec<String>,
    /// Why these files were chosen.
    pub(crate) reason: Option<String>,
}

impl RelevantFiles {
    /// The certain sources or, if there are none, the likely ones.
    pub(crate) fn meant(&self) -> &[String] {
        match self.sources.is_empty() {
            true => &self.likely,
            false => &self.sources,
        }
    }

    /// The tests to edit along with the sources: the only known one or, if there are several, those
    /// that the goal names and those named after a source. Other tests merely contain a word of the
    /// goal.
    pub(crate) fn tests_of_sources(&self, named: &[String], context: &Context) -> Vec<String> {
        if let [only] = &self.tests[..] {
            return vec![only.clone()];
        }
        let companions = companions::tests(self.meant(), context);
        let tests = self.tests.iter().chain(&companions);
        let mut seen = BTreeSet::new();
        tests
            .filter(|path| named.contains(path) || companions.contains(path))
            .filter(|path| seen.insert((*path).clone()))
            .cloned()
            .collect()
    }

    /// The files to read first: sources, then at least one file from each other category, within
    /// the limit. Every file that the goal names explicitly is included.
    pub(crate) fn all(&self, named: &[String]) -> Vec<String> {
        let others = usize::from(!self.tests.is_empty()) + usize::from(!self.documents.is_empty());
        let all_sources: Vec<String> = self.sources.iter().chain(&self.likely).cloned().collect();
        let sources = all_sources.len().min(MAX_PER_CATEGORY - others);
        let documents = usize::from(!self.documents.is_empty());
        let tests = self.tests.len().min(MAX_PER_CATEGORY - sources - documents);
        let documents = self.documents.len().min(MAX_PER_CATEGORY - sources - tests);
        let mut seen = BTreeSet::new();
        [
            (&all_sources, sources),
            (&self.tests, tests),
            (&self.documents, documents),
        ]
        .into_iter()
        .flat_map(|(list, most)| {
            list.iter()
                .enumerate()
                .filter(move |(at, path)| *at < most || named.contains(path))
                .map(|(_, path)| path.clone())
        })
        .filter(|path| seen.insert(path.clone()))
        .collect()
    }
}

/// Scores by the kind of evidence for a candidate file, strongest first.
mod worth {
    pub(crate) const NAMED: usize = 100_000;
    /// The score if the file's name is a word of the goal.
    pub(crate) const NAME: usize = 10_000;
    /// The score if a part of the file's name is a word of the goal.
    pub(crate) const NAME_PART: usize = 8_000;
    pub(crate) const DEFINITION: usize = 1_000;
}

pub(crate) fn files(intake: &Intake, context: &Context) -> RelevantFiles {
    let mut scores: BTreeMap<&str, usize> = BTreeMap::new();
    let mut relevant = RelevantFiles::default();
    let mut named = BTreeSet::new();
    for path in &intake.named_paths {
        let found = resolve(path, context);
        if found.is_empty() {
            relevant.absent.push(path.clone());
        }
        named.extend(found);
    }
    for path in &named {
        *scores.entry(path.as_str()).or_default() += worth::NAMED;
    }
    for term in &intake.search_terms {
        by_name(term, context, &mut scores);
        by_content(term, context, &mut scores);
    }
    let is_kept = |path: &str| {
        let text = context.texts.get(path).map_or("", String::as_str);
        let is_left_alone =
            is_history(path) && !mentions_document(intake, path) || is_generated(path, Some(text));
        named.contains(path) || !is_left_alone
    };
    scores.retain(|path, score| *score >= 2 && is_kept(path));
    let by_code = !scores.is_empty();
    // If the goal says where the work is, other files with matching names don't count.
    let mut certain_sources = match named
        .iter()
        .any(|path| crate::text::is_code(path) && !is_test(path))
    {
        true => BTreeSet::new(),
        false => certain_sources(intake, context, &scores),
    };
    certain_sources.extend(named.iter().cloned());
    // Plain words only count if the goal names no file to change, or only documents.
    let only_documents = intake.kind != crate::intake::TaskType::Documentation
        && named.iter().all(|path| is_document(path));
    if named.is_empty() || only_documents {
        let mut plain: BTreeMap<&str, usize> = BTreeMap::new();
        for word in &intake.keywords {
            by_name(word, context, &mut plain);
            by_content(word, context, &mut plain);
        }
        // A plain word in a file's content is weak evidence: it only counts if there is nothing
        // stronger.
        let distinctive_words = |score: usize| score >= worth::DEFINITION;
        let certain = plain.values().any(|score| distinctive_words(*score)) || by_code;
        let least = if certain { worth::DEFINITION } else { 3 };
        if certain_sources.is_empty() {
            // If exactly one source is named after a word or defines it, the word refers to that
            // source.
            let is_source = |path: &str| !is_document(path) && !is_test(path);
            let best = plain
                .iter()
                .filter(|(path, score)| is_source(path) && distinctive_words(**score));
            let best: Vec<String> = best.map(|(path, _)| (*path).to_owned()).collect();
            if best.len() == 1 {
                certain_sources.extend(best);
            }
        }
        plain.retain(|path, score| {
            *score >= least && (certain || crate::text::is_code(path)) && is_kept(path)
        });
        for (path, score) in plain {
            *scores.entry(path).or_default() += score;
        }
    }
    // Search is only useful for a goal with more than one meaningful word.
    let mut is_offered = false;
    if scores.is_empty() && intake.search_terms.len() + intake.keywords.len() > 1 {
        const MAX_SEARCHED: usize = 3;
        let offered = context.offered.iter().take(MAX_SEARCHED);
        scores.extend(offered.map(|one| (one.path.as_str(), one.score as usize)));
        is_offered = !scores.is_empty();
    }
    relevant.reason = match (named.is_empty(), by_code, scores.is_empty()) {
        _ if is_offered => Some("files: likely matches from a search of the whole workspace"),
        (false, _, _) => Some("files: named in the goal"),
        (true, true, _) => Some("files: contain names from the goal"),
        (true, false, false) => Some("files: contain words from the goal"),
        (true, false, true) => None,
    }
    .map(str::to_owned);
    let mut ranked: Vec<(&str, usize)> = scores.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let named_left = intake.named_paths.iter().filter(|path| intake.leaves(path));
    let left: Vec<String> = named_left.flat_map(|path| resolve(path, context)).collect();
    for (path, _) in ranked {
        let is_left = left.iter().any(|left| left == path) || intake.leaves(path);
        let (list, most) = if is_left {
            (&mut relevant.likely, MAX_LIKELY)
        } else if is_document(path) {
            (&mut relevant.documents, MAX_PER_CATEGORY)
        } else if is_test(path) {
            (&mut relevant.tests, MAX_PER_CATEGORY)
        } else if certain_sources.contains(path) {
            (&mut relevant.sources, MAX_PER_CATEGORY)
        } else {
            (&mut relevant.likely, MAX_LIKELY)
        };
        // Never leave out a file that the goal names explicitly.
        if list.len() < most || intake.named_paths.iter().any(|named| named == path) {
            list.push(path.to_owned());
        }
    }
    if relevant.tests.is_empty() {
        relevant.tests = companions::tests(relevant.meant(), context);
    }
    relevant
}

/// Whether a goal refers to a document by its name without the extension: "the changelog".
fn mentions_document(intake: &Intake, path: &str) -> bool {
    intake
        .goal
        .to_lowercase()
        .contains(&stem(path).to_lowercase())
}

/// The sources that define an identifier from the goal; failing these, those that contain most of
/// its identifiers.
fn certain_sources(
    intake: &Intake,
    context: &Context,
    scores: &BTreeMap<&str, usize>,
) -> BTreeSet<String> {
    let held = |path: &str| {
        let terms = intake.search_terms.iter();
        let here = terms.filter(|term| context.found(term).iter().any(|place| place.path == path));
        here.count()
    };
    let sources = || {
        let all = scores.iter();
        all.filter(|(path, _)| !is_document(path) && !is_test(path))
    };
    let defining = sources().filter(|(_, score)| **score >= worth::DEFINITION);
    let defining: BTreeSet<String> = defining.map(|(path, _)| (*path).to_owned()).collect();
    if !defining.is_empty() {
        return defining;
    }
    let most = sources().map(|(path, _)| held(path)).max().unwrap_or(0);
    let best = sources().filter(|(path, _)| most > 0 && held(path) == most);
    let best: BTreeSet<String> = best.map(|(path, _)| (*path).to_owned()).collect();
    // If there are too many matches, the words don't identify any of the files.
    match best.len() > MAX_LIKELY {
        true => BTreeSet::new(),
        false => best,
    }
}

/// The plain words of a goal worth searching for: those that a file is named after or that are
/// defined in the workspace, best first; failing these, all that occur anywhere; failing these,
/// all.
pub(crate) fn distinctive_words(intake: &Intake, context: &Context) -> Vec<String> {
    let mut ranked: Vec<(usize, &String)> = intake
        .keywords
        .iter()
        .map(|word| {
            let mut scores = BTreeMap::new();
            by_name(word, context, &mut scores);
            by_content(word, context, &mut scores);
            (scores.into_values().max().unwrap_or(0), word)
        })
        .collect();
    let best = ranked.iter().map(|(score, _)| *score).max().unwrap_or(0);
    let least = match best {
        0 => 0,
        best if best < worth::DEFINITION => 1,
        _ => worth::DEFINITION,
    };
    ranked.retain(|(score, _)| *score >= least);
    ranked.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    ranked
        .into_iter()
        .map(|(_, word)| as_written(word, context))
        .collect()
}

/// The word itself or, if it doesn't occur, the form of the word that a file is named after.
fn as_written(word: &str, context: &Context) -> String {
    let names = |form: &String| context.paths.iter().any(|path| stem(path) == form);
    let form = forms(word).into_iter().find(names);
    form.filter(|_| context.found(word).is_empty())
        .unwrap_or_else(|| word.to_owned())
}

/// Scores the files whose name, or a part of it, is a form of the word.
fn by_name<'a>(word: &str, context: &'a Context, scores: &mut BTreeMap<&'a str, usize>) {
    let forms = forms(&word.to_lowercase());
    for path in &context.paths {
        if matches!(family_of(path), Family::Data) {
            continue;
        }
        let stem = stem(path).to_lowercase();
        let same = |part: &str| {
            let one = part.strip_suffix('s').filter(|one| one.len() > 3);
            forms
                .iter()
                .any(|form| form == part || Some(form.as_str()) == one)
        };
        let score = if same(&stem) {
            worth::NAME
        } else if stem.split(['_', '-']).any(same) {
            worth::NAME_PART
        } else {
            continue;
        };
        *scores.entry(path).or_default() += score;
    }
}

/// A word, and the forms that it may be derived from: `row` for `rows`, `parse` for `parsed` and
/// `parsing`.
fn forms(word: &str) -> Vec<String> {
    let mut forms = vec![word.to_owned()];
    for ending in ["s", "d", "ed", "ing"] {
        if let Some(base) = word.strip_suffix(ending).filter(|base| base.len() > 2) {
            forms.push(base.to_owned());
            if ending == "ing" {
                forms.push(format!("{base}e"));
            }
        }
    }
    forms
}

/// Scores the files that contain a word. Definitions count most; additional occurrences add little.
fn by_content<'a>(word: &str, context: &'a Context, scores: &mut BTreeMap<&'a str, usize>) {
    let mut in_file: BTreeMap<&str, (bool, usize)> = BTreeMap::new();
    for occurrence in context.found(word) {
        let (defines, score) = in_file.entry(&occurrence.path).or_default();
        // `mod table;` only declares the module; its content is elsewhere.
        let declares = occurrence.text.contains("mod ") && occurrence.text.ends_with(';');
        *defines |= matches!(occurrence.shape, Shape::Definition | Shape::Member) && !declares
            || occurrence.shape == Shape::Key && is_manifest(&occurrence.path);
        *score = (*score + weight(occurrence.shape, &occurrence.path)).min(20);
    }
    for (path, (defines, score)) in in_file {
        let definition = if defines { worth::DEFINITION } else { 0 };
        *scores.entry(path).or_default() += definition + score;
    }
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

/// The files that a named path refers to: the file itself, the files of a folder, matches of a `*`
/// pattern, or a few files whose path ends in it or equals it without the extension.
pub(crate) fn resolve(named: &str, context: &Context) -> Vec<String> {
    if context.paths.contains(named) {
        return vec![named.to_owned()];
    }
    let inside: Vec<String> = context
        .paths
        .iter()
        .filter(|path| means(named, path))
        .cloned()
        .collect();
    if !inside.is_empty() || named.contains('*') {
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
