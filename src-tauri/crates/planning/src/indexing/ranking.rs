//! Ranks the files that a search found, limits how many are offered, and gives their reasons.
//!
//! A file's score is the share of the goal's words that it contains, each weighted by rarity: in
//! its content (BM25), in its path, and in one name it defines. The score is lower if few of the
//! words occur together, and for files that are rarely edited for such a goal: documents and data
//! mention many things, and a test belongs to its source. Earlier changes that are worded like the
//! goal raise it. Files that the goal names come first, in its order. Files far below the best
//! score are never listed as certain, only as likely, to keep the list short for the reader.

use std::collections::BTreeSet;

use super::kinds::{is_manifest, originals};
use super::query::{Query, Role};
use super::tokens;
use crate::context::Offered;
use crate::intake::{Aim, Intake, TaskType};
use crate::text::{Family, family_of, is_document, is_test};

/// Maximum number of files offered, including likely ones.
pub const MAX_OFFERED: usize = 10;

/// The best score as reported; others are in proportion.
const FULL_SCORE: f64 = 1_000.0;
/// Files below this fraction of the best score are never listed as certain.
const MIN_SHARE: f64 = 0.5;
/// The list of certain files ends before the first file whose score is below this fraction of the
/// previous one.
const MIN_EARLY_RATIO: f64 = 0.6;
/// Like [`MIN_EARLY_RATIO`], but applies once the list has three files.
const MIN_RATIO: f64 = 0.75;
/// A name defined in more files than this is ignored as too common.
const MAX_DEFINERS: usize = 4;
/// Number of top-ranked sources whose tests are also offered.
const MAX_TESTED: usize = 2;
/// Minimum score of a test, as a fraction of its source's score.
const TEST_SHARE: f64 = 0.6;
/// Maximum number of words quoted in a reason.
const MAX_WORDS: usize = 3;

/// Weights of a goal's word in the content, in the path, in a path that the goal's scope matches,
/// and in a defined name.
const IN_TEXT: f64 = 0.5;
const IN_PATH: f64 = 0.7;
const IN_SCOPE: f64 = 1.7;
const IN_NAME: f64 = 0.2;
/// Exponent that penalizes files with only some of the words.
const COVERAGE_EXPONENT: f64 = 0.75;
/// Weight of the score from earlier changes.
const HISTORY_WEIGHT: f64 = 2.0;

/// A file that a search found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidate {
    /// The file's path.
    pub path: String,
    /// How strongly each query term matches its names and content, from 0 to 1.
    pub texts: Vec<f64>,
    /// Whether each term occurs in its path.
    pub paths: Vec<bool>,
    /// Names that it defines.
    pub symbols: Vec<String>,
    /// Its score from earlier changes; see [`touched`](super::ChangeHistory::touched).
    pub past: f64,
}

impl Candidate {
    /// The indexes of the query terms that it contains.
    pub fn terms(&self) -> Vec<usize> {
        let both = self.texts.iter().zip(&self.paths).enumerate();
        let held = both.filter(|(_, (text, path))| **text > 0.0 || **path);
        held.map(|(index, _)| index).collect()
    }
}

/// The results of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hits {
    /// The rarity of each query term.
    pub rarity: Vec<f64>,
    /// The files that were found.
    pub candidates: Vec<Candidate>,
    /// Files that the goal names, in its order; each is also a candidate.
    pub named: Vec<String>,
}

/// Looks up other files of the workspace.
pub trait FileLookup {
    /// Whether the file exists.
    fn knows(&self, path: &str) -> bool;
    /// The tests that belong to a source.
    fn tests_of(&self, source: &str) -> Vec<String>;
}

/// The ranked files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranked {
    /// Files that are probably relevant to the goal, best first.
    pub offered: Vec<Offered>,
    /// The next best files, up to [`MAX_OFFERED`] in all.
    pub likely: Vec<Offered>,
}

/// Ranks the files that a search found. The order is deterministic: ties are broken by path.
pub fn rank(intake: &Intake, query: &Query, hits: &Hits, around: &dyn FileLookup) -> Ranked {
    let weights: Vec<f64> = query
        .terms
        .iter()
        .zip(&hits.rarity)
        .map(|(term, rarity)| term.weight() * rarity)
        .collect();
    let mut scored: Vec<(f64, &Candidate)> = hits
        .candidates
        .iter()
        .filter(|found| !is_translation(query, found, around))
        .map(|found| (score(intake, query, &weights, found), found))
        .collect();
    let best = scored.iter().map(|(score, _)| *score).fold(0.0, f64::max);
    let leading = leading(intake, query, hits);
    for (score, found) in &mut scored {
        if let Some(at) = hits.named.iter().position(|named| *named == found.path) {
            #[allow(clippy::cast_precision_loss, reason = "a handful of files")]
            let later = at as f64 / hits.named.len() as f64;
            *score = best.max(1.0) * (4.0 - later);
        } else if leading.contains(&&*found.path) {
            *score += best;
        }
    }
    scored.retain(|(score, _)| *score > 0.0);
    sort(&mut scored, |found| &found.path);
    let best = scored.first().map_or(1.0, |(score, _)| *score);
    let certain = certain(&scored, best);
    let mut offered: Vec<(f64, Offered)> = Vec::new();
    for (score, found) in scored.iter().take(certain.max(MAX_OFFERED)) {
        let why = reason(query, hits, found);
        offered.push((*score, of(&found.path, share(*score, best), why)));
    }
    let mut likely = offered.split_off(certain.min(offered.len()));
    add_tests(&mut offered, best, around);
    sort(&mut offered, |found| &found.path);
    offered.truncate(MAX_OFFERED);
    likely.retain(|(_, one)| !offered.iter().any(|(_, known)| known.path == one.path));
    likely.truncate(MAX_OFFERED - offered.len());
    let plain = |list: Vec<(f64, Offered)>| list.into_iter().map(|(_, one)| one).collect();
    Ranked {
        offered: plain(offered),
        likely: plain(likely),
    }
}

/// The files that rank above mere word matches: for a goal about a dependency, the manifests that
/// mention it; otherwise the files that define a name from the goal.
fn leading<'a>(intake: &Intake, query: &Query, hits: &'a Hits) -> Vec<&'a str> {
    if intake.kind == TaskType::Dependency {
        let is_distinctive = |at: &usize| {
            query
                .terms
                .get(*at)
                .is_some_and(|term| term.role == Role::Distinctive)
        };
        let mentions =
            |one: &&Candidate| is_manifest(&one.path) && one.terms().iter().any(is_distinctive);
        let mentioning = hits.candidates.iter().filter(mentions);
        let mut mentioning: Vec<&str> = mentioning.map(|one| &*one.path).collect();
        // Put outer manifests first, since inner ones inherit from them.
        mentioning.sort_by_key(|path| (path.matches('/').count(), *path));
        mentioning.truncate(MAX_DEFINERS);
        return mentioning;
    }
    let mut leading: Vec<&str> = Vec::new();
    for name in &query.names {
        let defining = hits.candidates.iter();
        let defining = defining.filter(|one| one.symbols.contains(name) && !is_test(&one.path));
        let defining: Vec<&str> = defining.map(|one| &*one.path).collect();
        if defining.len() <= MAX_DEFINERS {
            leading.extend(defining);
        }
    }
    leading
}

/// A file's score, ignoring explicit mentions in the goal.
fn score(intake: &Intake, query: &Query, weights: &[f64], found: &Candidate) -> f64 {
    let whole: f64 = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let (mut sum, mut held) = (0.0, 0.0);
    for (at, (term, weight)) in query.terms.iter().zip(weights).enumerate() {
        let is_scope = term.role == Role::Scope;
        let in_text = found.texts.get(at).copied().unwrap_or(0.0) * IN_TEXT;
        let in_path = match found.paths.get(at).copied().unwrap_or(false) {
            true if is_scope => IN_SCOPE,
            true => IN_PATH,
            false => 0.0,
        };
        // A scope names a location, so content that mentions it doesn't count.
        let counts = if is_scope { in_path } else { in_text + in_path };
        sum += weight * counts;
        held += if counts > 0.0 { *weight } else { 0.0 };
    }
    let best_name = found
        .symbols
        .iter()
        .map(|name| in_name(query, weights, name));
    sum += IN_NAME * best_name.fold(0.0, f64::max);
    // A single word, however often it occurs in a file and its names, must not outrank several
    // words together.
    let together = (held / whole).powf(COVERAGE_EXPONENT);
    sum / whole * together * worth(intake, &found.path) + HISTORY_WEIGHT * found.past
}

/// How well a name matches the goal: the weight of its matching words, reduced if the name has many
/// other words.
fn in_name(query: &Query, weights: &[f64], name: &str) -> f64 {
    let parts = tokens::of(name);
    let held = query.terms.iter().zip(weights);
    let held = held.filter(|(term, _)| parts.iter().any(|part| tokens::alike(part, &term.word)));
    let sum: f64 = held.map(|(_, weight)| weight).sum();
    #[allow(clippy::cast_precision_loss, reason = "a handful of words")]
    let count = parts.len().max(1) as f64;
    sum / count.sqrt()
}

/// The number of leading files that clearly stand out.
fn certain(scored: &[(f64, &Candidate)], best: f64) -> usize {
    let mut before = best;
    for (at, (score, _)) in scored.iter().enumerate() {
        let fall = if at >= 3 { MIN_RATIO } else { MIN_EARLY_RATIO };
        if *score < best * MIN_SHARE || *score < before * fall {
            return at;
        }
        before = *score;
    }
    scored.len()
}

fn sort<T>(list: &mut [(f64, T)], path: impl Fn(&T) -> &String) {
    list.sort_by(|one, other| {
        let order = other.0.total_cmp(&one.0);
        order.then_with(|| path(&one.1).cmp(path(&other.1)))
    });
}

fn of(path: &str, score: u32, reason: String) -> Offered {
    Offered {
        path: path.to_owned(),
        score,
        reason,
    }
}

fn share(score: f64, best: f64) -> u32 {
    // The value is between 0 and 1,000, so the cast is lossless.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let share = (score / best * FULL_SCORE).round().clamp(0.0, FULL_SCORE) as u32;
    share
}

/// Adds the tests of the best sources, which a word search often ranks far too low.
fn add_tests(offered: &mut Vec<(f64, Offered)>, best: f64, around: &dyn FileLookup) {
    let sources: Vec<(f64, String)> = offered
        .iter()
        .filter(|(_, found)| !is_test(&found.path) && crate::text::is_code(&found.path))
        .take(MAX_TESTED)
        .map(|(score, found)| (*score, found.path.clone()))
        .collect();
    let mut known: BTreeSet<String> = offered
        .iter()
        .map(|(_, found)| found.path.clone())
        .collect();
    for (score, source) in sources {
        let name = source.rsplit('/').next().unwrap_or(&source);
        for path in around.tests_of(&source) {
            if known.insert(path.clone()) {
                let score = score * TEST_SHARE;
                let why = format!("tests {name}");
                offered.push((score, of(&path, share(score, best), why)));
            }
        }
    }
}

/// How likely it is that such a goal concerns this kind of file, relative to a source.
fn worth(intake: &Intake, path: &str) -> f64 {
    let aims = |aim: Aim| intake.requirements.iter().any(|one| one.aim == aim);
    let writes = intake.kind == TaskType::Documentation || aims(Aim::Docs);
    if path.split('/').any(is_vendored) {
        return 0.3;
    }
    if is_document(path) && !is_manifest(path) {
        return if writes { 1.2 } else { 0.6 };
    }
    match family_of(path) {
        _ if is_manifest(path) => 1.0,
        Family::Data => 0.6,
        _ if is_test(path) && !aims(Aim::Test) => 0.8,
        _ => 1.0,
    }
}

/// Whether a folder contains third-party or generated files, judging by its name.
fn is_vendored(part: &str) -> bool {
    crate::among(part, "vendor vendored third_party dist generated")
}

/// Whether a file is a translation that the goal doesn't ask for.
fn is_translation(query: &Query, found: &Candidate, around: &dyn FileLookup) -> bool {
    let originals = originals(&found.path);
    let asks = || {
        query
            .terms
            .iter()
            .any(|term| has_tag(&found.path, &term.word))
    };
    originals.iter().any(|path| around.knows(path)) && !asks()
}

/// Whether a word of the goal is the translation's language tag.
fn has_tag(path: &str, word: &str) -> bool {
    let mut parts = path.split(['/', '.', '_', '-']);
    word.len() <= 3 && parts.any(|part| part.eq_ignore_ascii_case(word))
}

/// Why a file is offered, as a phrase.
fn reason(query: &Query, hits: &Hits, found: &Candidate) -> String {
    if hits.named.contains(&found.path) {
        return "named in the goal".to_owned();
    }
    let held = |words: &[String]| -> Vec<&str> {
        let holds = |term: &&str| words.iter().any(|word| tokens::alike(word, term));
        let telling = query.terms.iter().filter(|term| term.role != Role::Plain);
        telling.map(|term| &*term.word).filter(holds).collect()
    };
    let mut defined: Vec<(usize, &str)> = found
        .symbols
        .iter()
        .map(|name| (held(&tokens::of(name)).len(), &**name))
        .filter(|(terms, _)| *terms > 0)
        .collect();
    // The sort is stable: on a tie, the earlier definition comes first.
    defined.sort_by_key(|(terms, _)| std::cmp::Reverse(*terms));
    let most = defined.first().map_or(0, |(terms, _)| *terms);
    let in_path = held(&tokens::of(&found.path));
    if most > 0 && most >= in_path.len() {
        let names = defined.iter().take_while(|(terms, _)| *terms == most);
        let names: Vec<&str> = names.map(|(_, name)| *name).take(2).collect();
        return format!("defines {}", names.join(", "));
    }
    if !in_path.is_empty() {
        return format!("path contains {}", listed(&in_path));
    }
    let terms: Vec<&str> = found
        .terms()
        .iter()
        .filter_map(|index| query.terms.get(*index).map(|term| &*term.word))
        .collect();
    if terms.is_empty() {
        return "changed earlier for a similar goal".to_owned();
    }
    format!("contains {}", listed(&terms))
}

fn listed(words: &[&str]) -> String {
    let few: Vec<&str> = words.iter().copied().take(MAX_WORDS).collect();
    few.join(", ")
}

#[cfg(test)]
mod tests;
