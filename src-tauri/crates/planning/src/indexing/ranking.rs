//! Which of the files that a search found are offered, in which order, and why.
//!
//! A file's score is the share of the goal that it holds, each word by its rarity: in its text as BM25 has
//! it, in its path, in one name that it defines. Less where few of the words meet, and for files that are
//! rarely the place of the work: documents and data speak of many things, and a test belongs to its
//! source. What earlier changes say of it is added. Files that the goal names come first, in its order. What falls far
//! behind the best is likely at most: a list that a person reads must not be long because it may be.

use std::collections::BTreeSet;

use super::kinds::{is_manifest, originals};
use super::query::{Query, Role};
use super::words;
use crate::context::Offered;
use crate::intake::{Aim, Intake, TaskType};
use crate::text::{Family, family_of, is_document, is_test};

/// The most files that are offered, likely ones included.
pub const MAX_OFFERED: usize = 10;

/// Scores are in thousandths of the best.
const WHOLE: f64 = 1_000.0;
/// What falls below this part of the best is likely at most.
const LEAST: f64 = 0.5;
/// The list of certain files ends at the first that scores less than this part of the one before.
const EARLY_FALL: f64 = 0.6;
/// The same once three are in it.
const FALL: f64 = 0.75;
/// More files than this that define one name say that the name means nothing.
const MAX_DEFINERS: usize = 4;
/// Sources whose tests are offered too.
const MAX_TESTED: usize = 2;
/// The part of its source's score that a test gets at least.
const TEST_BESIDE: f64 = 0.6;
/// Words named in a reason.
const MAX_WORDS: usize = 3;

/// What a word of the goal counts in a text that is full of it, in a path, in a path that its scope
/// means, and in a name that is defined.
const IN_TEXT: f64 = 0.5;
const IN_PATH: f64 = 0.7;
const IN_SCOPE: f64 = 1.7;
const IN_NAME: f64 = 0.2;
/// How steeply a file falls that holds only some of the words.
const TOGETHER: f64 = 0.75;
/// What earlier changes count.
const PAST: f64 = 2.0;

/// A file that a search found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidate {
    /// The file.
    pub path: String,
    /// How much each term of the query counts in its names and its text, from 0 to 1.
    pub texts: Vec<f64>,
    /// Whether each term stands in its path.
    pub paths: Vec<bool>,
    /// Names that it defines.
    pub symbols: Vec<String>,
    /// How much earlier changes speak for it, as [`Past::touched`](super::Past::touched) has it.
    pub past: f64,
}

impl Candidate {
    /// Which terms of the query it holds, by index.
    pub fn terms(&self) -> Vec<usize> {
        let both = self.texts.iter().zip(&self.paths).enumerate();
        let held = both.filter(|(_, (text, path))| **text > 0.0 || **path);
        held.map(|(index, _)| index).collect()
    }
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hits {
    /// How rare each term of the query is.
    pub rarity: Vec<f64>,
    /// The files.
    pub candidates: Vec<Candidate>,
    /// Those that the goal names, in its order; each is a candidate.
    pub named: Vec<String>,
}

/// What is known of the other files of a workspace.
pub trait Around {
    /// Whether there is such a file.
    fn knows(&self, path: &str) -> bool;
    /// The tests that stand beside a source.
    fn tests_of(&self, source: &str) -> Vec<String>;
}

/// Files in the order in which they are offered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranked {
    /// Those that the goal is thought to concern, the likeliest first.
    pub offered: Vec<Offered>,
    /// Those that come next, so that there are [`MAX_OFFERED`] in all.
    pub likely: Vec<Offered>,
}

/// The files to offer. The same hits give the same order: of equals the first by path.
pub fn rank(intake: &Intake, query: &Query, hits: &Hits, around: &dyn Around) -> Ranked {
    let weights: Vec<f64> = query
        .terms
        .iter()
        .zip(&hits.rarity)
        .map(|(term, rarity)| term.weight() * rarity)
        .collect();
    let mut scored: Vec<(f64, &Candidate)> = hits
        .candidates
        .iter()
        .filter(|found| !is_copy(query, found, around))
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

/// Files that stand before what only holds words: for a goal about a dependency the manifests that speak of it,
/// else those that define a name of the goal.
fn leading<'a>(intake: &Intake, query: &Query, hits: &'a Hits) -> Vec<&'a str> {
    if intake.kind == TaskType::Dependency {
        let is_told = |at: &usize| {
            query
                .terms
                .get(*at)
                .is_some_and(|term| term.role == Role::Telling)
        };
        let speaks = |one: &&Candidate| is_manifest(&one.path) && one.terms().iter().any(is_told);
        let speaking = hits.candidates.iter().filter(speaks);
        let mut speaking: Vec<&str> = speaking.map(|one| &*one.path).collect();
        // The outermost are those that others follow.
        speaking.sort_by_key(|path| (path.matches('/').count(), *path));
        speaking.truncate(MAX_DEFINERS);
        return speaking;
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

/// How well a file fits, without what the goal names.
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
        // A scope names a place: that a text speaks of it says nothing.
        let counts = if is_scope { in_path } else { in_text + in_path };
        sum += weight * counts;
        held += if counts > 0.0 { *weight } else { 0.0 };
    }
    let best_name = found
        .symbols
        .iter()
        .map(|name| in_name(query, weights, name));
    sum += IN_NAME * best_name.fold(0.0, f64::max);
    // One word that stands in a name and all over a file must not beat several that meet in it.
    let together = (held / whole).powf(TOGETHER);
    sum / whole * together * worth(intake, &found.path) + PAST * found.past
}

/// How much a name says of the goal: what its words weigh, less where it has many others.
fn in_name(query: &Query, weights: &[f64], name: &str) -> f64 {
    let parts = words::of(name);
    let held = query.terms.iter().zip(weights);
    let held = held.filter(|(term, _)| parts.iter().any(|part| words::alike(part, &term.word)));
    let sum: f64 = held.map(|(_, weight)| weight).sum();
    #[allow(clippy::cast_precision_loss, reason = "a handful of words")]
    let count = parts.len().max(1) as f64;
    sum / count.sqrt()
}

/// How many of the first stand out.
fn certain(scored: &[(f64, &Candidate)], best: f64) -> usize {
    let mut before = best;
    for (at, (score, _)) in scored.iter().enumerate() {
        let fall = if at >= 3 { FALL } else { EARLY_FALL };
        if *score < best * LEAST || *score < before * fall {
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
    // Between 0 and 1,000, so nothing is lost.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let share = (score / best * WHOLE).round().clamp(0.0, WHOLE) as u32;
    share
}

/// The tests of the best sources, which a search by words often leaves far behind.
fn add_tests(offered: &mut Vec<(f64, Offered)>, best: f64, around: &dyn Around) {
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
                let score = score * TEST_BESIDE;
                let why = format!("tests {name}");
                offered.push((score, of(&path, share(score, best), why)));
            }
        }
    }
}

/// How often a file of this kind is the place of such work, against a source.
fn worth(intake: &Intake, path: &str) -> f64 {
    let aims = |aim: Aim| intake.requirements.iter().any(|one| one.aim == aim);
    let writes = intake.kind == TaskType::Documentation || aims(Aim::Docs);
    if path.split('/').any(is_foreign) {
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

/// Folders of what others wrote or a tool makes.
fn is_foreign(part: &str) -> bool {
    crate::among(part, "vendor vendored third_party dist generated")
}

/// Whether a file is a copy in another language than the first, which the goal does not ask for.
fn is_copy(query: &Query, found: &Candidate, around: &dyn Around) -> bool {
    let originals = originals(&found.path);
    let asks = || {
        query
            .terms
            .iter()
            .any(|term| has_tag(&found.path, &term.word))
    };
    originals.iter().any(|path| around.knows(path)) && !asks()
}

/// Whether a word of the goal is the very tag of a copy.
fn has_tag(path: &str, word: &str) -> bool {
    let mut parts = path.split(['/', '.', '_', '-']);
    word.len() <= 3 && parts.any(|part| part.eq_ignore_ascii_case(word))
}

/// Why a file is offered, as a phrase.
fn reason(query: &Query, hits: &Hits, found: &Candidate) -> String {
    if hits.named.contains(&found.path) {
        return "the goal names it".to_owned();
    }
    let held = |words: &[String]| -> Vec<&str> {
        let holds = |term: &&str| words.iter().any(|word| words::alike(word, term));
        let telling = query.terms.iter().filter(|term| term.role != Role::Plain);
        telling.map(|term| &*term.word).filter(holds).collect()
    };
    let mut defined: Vec<(usize, &str)> = found
        .symbols
        .iter()
        .map(|name| (held(&words::of(name)).len(), &**name))
        .filter(|(terms, _)| *terms > 0)
        .collect();
    // The earlier one of two that hold as many terms: it stands higher in the file.
    defined.sort_by_key(|(terms, _)| std::cmp::Reverse(*terms));
    let most = defined.first().map_or(0, |(terms, _)| *terms);
    let in_path = held(&words::of(&found.path));
    if most > 0 && most >= in_path.len() {
        let names = defined.iter().take_while(|(terms, _)| *terms == most);
        let names: Vec<&str> = names.map(|(_, name)| *name).take(2).collect();
        return format!("defines {}", names.join(", "));
    }
    if !in_path.is_empty() {
        return format!("its name has {}", listed(&in_path));
    }
    let terms: Vec<&str> = found
        .terms()
        .iter()
        .filter_map(|index| query.terms.get(*index).map(|term| &*term.word))
        .collect();
    if terms.is_empty() {
        return "changed before for a goal like this".to_owned();
    }
    format!("holds {}", listed(&terms))
}

fn listed(words: &[&str]) -> String {
    let few: Vec<&str> = words.iter().copied().take(MAX_WORDS).collect();
    few.join(", ")
}

#[cfg(test)]
mod tests;
