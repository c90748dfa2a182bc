//! Which of the files that a search found are offered, in which order, and why.
//!
//! The score is that of the search, less where few of the goal's words meet and for files that are rarely the place of the work: documents
//! and data speak of many things, and a test belongs to its source. What falls far behind the best is
//! cut off: a list that a person reads must not be long because it may be.

use std::collections::BTreeSet;

use super::query::Query;
use super::words;
use crate::context::{Offered, means};
use crate::intake::{Aim, Intake, TaskType};
use crate::text::{Family, family_of, is_document, is_test};

/// The most files that are offered.
pub const MAX_OFFERED: usize = 20;

/// Scores are in thousandths of the best.
const WHOLE: f64 = 1_000.0;
/// What falls below this part of the best is left out.
const LEAST: f64 = 0.5;
/// A file whose score is less than this part of the one before ends the list: few are certain, or none.
const EARLY_FALL: f64 = 0.6;
/// The same once three are in it.
const FALL: f64 = 0.75;
/// A file that defines a name of the goal's is at least this part of the best.
const DEFINES: f64 = 0.95;
/// More files than this that define one name say that the name means nothing.
const MAX_DEFINERS: usize = 4;
/// Sources whose tests are offered too.
const MAX_TESTED: usize = 2;
/// What a file that holds next to none of the words that the fullest one holds keeps of its score.
const FEW_WORDS: f64 = 0.3;
/// The part of its source's score that a test gets at least.
const TEST_BESIDE: f64 = 0.6;
/// Words named in a reason.
const MAX_WORDS: usize = 3;

/// A file that a search found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidate {
    /// The file.
    pub path: String,
    /// How well it fits: higher is better, the scale does not matter.
    pub score: f64,
    /// Which terms of the query it holds, by index.
    pub terms: Vec<usize>,
    /// Names that it defines.
    pub symbols: Vec<String>,
}

/// The files to offer, the likeliest first. `tests_of` gives the tests that stand beside a source.
pub fn rank(
    intake: &Intake,
    query: &Query,
    candidates: &[Candidate],
    tests_of: &dyn Fn(&str) -> Vec<String>,
) -> Vec<Offered> {
    let fullest = candidates.iter().map(|found| found.terms.len()).max();
    let fullest = fullest.unwrap_or(0).max(1);
    let mut scored: Vec<(f64, &Candidate)> = candidates
        .iter()
        .map(|found| {
            // One word that stands in a name and all over a file must not beat several that meet in it.
            #[allow(clippy::cast_precision_loss, reason = "a handful of words")]
            let share = found.terms.len() as f64 / fullest as f64;
            let together = FEW_WORDS + (1.0 - FEW_WORDS) * share;
            (found.score * together * worth(intake, &found.path), found)
        })
        .collect();
    let best = scored.iter().map(|(score, _)| *score).fold(0.0, f64::max);
    if best <= 0.0 {
        return Vec::new();
    }
    let definers = |name: &String| {
        let defining = candidates.iter().filter(|one| one.symbols.contains(name));
        defining.count()
    };
    let telling: Vec<&String> = query
        .names
        .iter()
        .filter(|name| (1..=MAX_DEFINERS).contains(&definers(name)))
        .collect();
    for (score, found) in &mut scored {
        let is_named = intake.named_paths.contains(&found.path);
        if is_named {
            *score = best * 2.0;
        } else if telling.iter().any(|name| found.symbols.contains(name)) {
            *score = score.max(best * DEFINES);
        }
    }
    scored.sort_by(|one, other| {
        other
            .0
            .total_cmp(&one.0)
            .then(one.1.path.cmp(&other.1.path))
    });
    let best = scored.first().map_or(0.0, |(score, _)| *score);
    let mut offered: Vec<(f64, Offered)> = Vec::new();
    let mut before = best;
    for (score, found) in scored {
        let fall = if offered.len() >= 3 { FALL } else { EARLY_FALL };
        if score < best * LEAST || score < before * fall {
            break;
        }
        before = score;
        offered.push((
            score,
            Offered {
                path: found.path.clone(),
                score: 0,
                reason: reason(intake, query, found),
            },
        ));
    }
    add_tests(&mut offered, tests_of);
    offered.sort_by(|one, other| {
        other
            .0
            .total_cmp(&one.0)
            .then(one.1.path.cmp(&other.1.path))
    });
    offered.truncate(MAX_OFFERED);
    let share = |score: f64| {
        // Between 0 and 1,000, so nothing is lost.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let share = (score / best * WHOLE).round().clamp(0.0, WHOLE) as u32;
        share
    };
    let list = offered.into_iter();
    list.map(|(score, found)| Offered {
        score: share(score),
        ..found
    })
    .collect()
}

/// The tests of the best sources, which a search by words often leaves far behind.
fn add_tests(offered: &mut Vec<(f64, Offered)>, tests_of: &dyn Fn(&str) -> Vec<String>) {
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
        for path in tests_of(&source) {
            if known.insert(path.clone()) {
                let reason = format!("tests {name}");
                let score = score * TEST_BESIDE;
                offered.push((
                    score,
                    Offered {
                        path,
                        score: 0,
                        reason,
                    },
                ));
            }
        }
    }
}

/// How often a file of this kind is the place of such work, against a source.
fn worth(intake: &Intake, path: &str) -> f64 {
    let aims = |aim: Aim| intake.requirements.iter().any(|one| one.aim == aim);
    let writes = intake.kind == TaskType::Documentation || aims(Aim::Docs);
    if words::of(path).iter().any(|part| is_foreign(part)) {
        return 0.3;
    }
    if is_document(path) {
        return if writes { 1.2 } else { 0.5 };
    }
    match family_of(path) {
        Family::Data => 0.5,
        _ if is_test(path) => {
            if aims(Aim::Test) {
                1.0
            } else {
                0.6
            }
        }
        _ => 1.0,
    }
}

/// Folders of what others wrote or a tool makes, and notes on each release.
fn is_foreign(part: &str) -> bool {
    crate::among(part, "vendor vendored third_party dist generated changelog")
}

/// Why a file is offered, as a phrase.
fn reason(intake: &Intake, query: &Query, found: &Candidate) -> String {
    if intake
        .named_paths
        .iter()
        .any(|named| means(named, &found.path))
    {
        return "the goal names it".to_owned();
    }
    let held = |words: &[String]| -> Vec<&str> {
        let holds = |term: &&String| words.iter().any(|word| words::alike(word, term));
        let terms = query.terms.iter().filter(holds);
        terms.map(String::as_str).collect()
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
        .terms
        .iter()
        .filter_map(|index| query.terms.get(*index).map(String::as_str))
        .collect();
    format!("holds {}", listed(&terms))
}

fn listed(words: &[&str]) -> String {
    let few: Vec<&str> = words.iter().copied().take(MAX_WORDS).collect();
    few.join(", ")
}

#[cfg(test)]
mod tests {
    use adequacy::WorkspaceFacts;

    use super::*;

    fn found(path: &str, score: f64, terms: &[usize], symbols: &[&str]) -> Candidate {
        Candidate {
            path: path.to_owned(),
            score,
            terms: terms.to_vec(),
            symbols: symbols.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    fn offers(goal: &str, candidates: &[Candidate], tests: &[&str]) -> Vec<(String, u32, String)> {
        let intake = crate::detect(goal, &WorkspaceFacts::default());
        let query = super::super::query(&intake);
        let tests_of = |source: &str| {
            let beside = tests.iter().filter(|_| source == "src/report.py");
            beside.map(|test| (*test).to_owned()).collect()
        };
        let ranked = rank(&intake, &query, candidates, &tests_of);
        let list = ranked.into_iter();
        list.map(|one| (one.path, one.score, one.reason)).collect()
    }

    fn row(path: &str, score: u32, reason: &str) -> (String, u32, String) {
        (path.to_owned(), score, reason.to_owned())
    }

    #[test]
    fn sources_lead_and_what_falls_far_behind_is_left_out() {
        let goal = "The CSV export drops the last row of a report, fix it";
        let candidates = [
            found("CHANGELOG.md", 12.0, &[0, 1, 3], &[]),
            found(
                "src/report.py",
                10.0,
                &[0, 1, 2, 3],
                &["Report", "export_csv"],
            ),
            found("src/csv/rows.py", 10.0, &[0, 2], &["limit"]),
            found("src/table.py", 8.0, &[2, 3], &["limit"]),
            found("src/mail.py", 2.0, &[3], &[]),
        ];
        assert_eq!(
            offers(goal, &candidates, &["tests/test_report.py"]),
            [
                row("src/report.py", 1000, "defines export_csv"),
                row("src/csv/rows.py", 650, "its name has csv, row"),
                row("tests/test_report.py", 600, "tests report.py"),
                row("src/table.py", 520, "holds row, report"),
            ]
        );
    }

    #[test]
    fn a_name_of_the_goal_that_few_files_define_leads() {
        let goal = "Have `read_rows` skip blank lines";
        let mut candidates = vec![
            found("src/blank.py", 10.0, &[3], &[]),
            found("src/a.py", 3.0, &[0], &["read_rows"]),
        ];
        assert_eq!(
            offers(goal, &candidates, &[])[1],
            row("src/a.py", 950, "defines read_rows")
        );
        for name in ["b", "c", "d", "e"] {
            candidates.push(found(&format!("src/{name}.py"), 3.0, &[0], &["read_rows"]));
        }
        assert_eq!(offers(goal, &candidates, &[]).len(), 1);
    }

    #[test]
    fn a_file_that_the_goal_names_comes_first_and_a_document_where_one_is_to_be_written() {
        let candidates = [
            found("src/rows.py", 9.0, &[0], &[]),
            found("src/a.py", 1.0, &[0], &[]),
        ];
        let offered = offers("Fix the rows in src/a.py", &candidates, &[]);
        assert_eq!(offered[0], row("src/a.py", 1000, "the goal names it"));
        let candidates = [
            found("src/rows.py", 9.0, &[0], &[]),
            found("docs/rows.md", 8.0, &[0], &[]),
        ];
        let offered = offers("Document how rows are read", &candidates, &[]);
        assert_eq!(offered[0].0, "docs/rows.md");
    }

    #[test]
    fn nothing_found_is_nothing_offered_and_a_long_list_is_cut() {
        assert_eq!(offers("Fix the rows", &[], &[]), []);
        let many: Vec<Candidate> = (0..40)
            .map(|at| found(&format!("src/{at:02}.py"), 5.0, &[0], &[]))
            .collect();
        assert_eq!(offers("Fix the rows", &many, &[]).len(), MAX_OFFERED);
    }
}
