//! Each test checks that one class of files outranks another.

use adequacy::WorkspaceFacts;
use proptest::prelude::*;

use super::super::query;
use super::*;

/// A workspace with these paths; its tests belong to `src/report.py`.
struct Paths<'a>(&'a [&'a str]);

impl FileLookup for Paths<'_> {
    fn knows(&self, path: &str) -> bool {
        self.0.contains(&path)
    }

    fn tests_of(&self, source: &str) -> Vec<String> {
        let tests = self
            .0
            .iter()
            .filter(|path| is_test(path) && source == "src/report.py");
        tests.map(|path| (*path).to_owned()).collect()
    }
}

/// A candidate with the given words of the goal in its content, each with the same weight, and in
/// its path if they occur there.
fn found(goal: &str, path: &str, text: f64, words_held: &[&str], symbols: &[&str]) -> Candidate {
    let query = query(&read(goal));
    let in_path = tokens::of(path);
    let holds = |words: &[String], term: &str| words.iter().any(|word| tokens::alike(word, term));
    let words_held: Vec<String> = words_held.iter().map(|word| (*word).to_owned()).collect();
    let texts = query
        .terms
        .iter()
        .map(|term| match holds(&words_held, &term.word) {
            true => text,
            false => 0.0,
        });
    Candidate {
        path: path.to_owned(),
        texts: texts.collect(),
        paths: query
            .terms
            .iter()
            .map(|term| holds(&in_path, &term.word))
            .collect(),
        symbols: symbols.iter().map(|name| (*name).to_owned()).collect(),
        past: 0.0,
    }
}

fn read(goal: &str) -> Intake {
    crate::detect(goal, &WorkspaceFacts::default())
}

fn ranked(goal: &str, candidates: Vec<Candidate>, named: &[&str], paths: &[&str]) -> Ranked {
    let intake = read(goal);
    let query = query(&intake);
    let hits = Hits {
        rarity: vec![2.0; query.terms.len()],
        candidates,
        named: named.iter().map(|path| (*path).to_owned()).collect(),
    };
    rank(&intake, &query, &hits, &Paths(paths))
}

/// All paths in ranked order.
fn order(goal: &str, candidates: Vec<Candidate>) -> Vec<String> {
    let ranked = ranked(goal, candidates, &[], &[]);
    let all = ranked.offered.into_iter().chain(ranked.likely);
    all.map(|one| one.path).collect()
}

const GOAL: &str = "The CSV export drops the last row of a report, fix it";

#[test]
fn sources_lead_and_what_falls_far_behind_is_likely_at_most() {
    let candidates = vec![
        found(GOAL, "CHANGELOG.md", 0.6, &["csv", "row", "report"], &[]),
        found(
            GOAL,
            "src/report.py",
            0.6,
            &["csv", "drops", "row", "export"],
            &["Report", "export_csv"],
        ),
        found(GOAL, "src/table.py", 0.4, &["row", "report"], &[]),
        found(GOAL, "src/mail.py", 0.2, &["report"], &[]),
    ];
    let ranked = ranked(GOAL, candidates, &[], &["tests/test_report.py"]);
    let subject_words = |list: &[Offered]| -> Vec<String> {
        list.iter()
            .map(|one| format!("{} {}", one.path, one.reason))
            .collect()
    };
    assert_eq!(
        subject_words(&ranked.offered),
        [
            "src/report.py defines export_csv",
            "tests/test_report.py tests report.py"
        ]
    );
    assert_eq!(
        (ranked.offered[0].score, ranked.offered[1].score),
        (1_000, 600)
    );
    assert_eq!(
        subject_words(&ranked.likely),
        [
            "CHANGELOG.md contains csv, row, report",
            "src/table.py contains row, report",
            "src/mail.py contains report"
        ]
    );
}

#[test]
fn definitions_rank_above_uses_and_tests() {
    let goal = "Have `read_rows` skip blank lines";
    let held = ["read_rows", "read", "rows", "blank"];
    let candidates = vec![
        found(goal, "src/a_use.py", 0.9, &held, &["run"]),
        found(
            goal,
            "src/rows.py",
            0.5,
            &["read_rows", "read", "rows"],
            &["read_rows"],
        ),
        found(goal, "tests/test_a.py", 0.9, &held, &["test_it"]),
    ];
    assert_eq!(order(goal, candidates)[0], "src/rows.py");
    // A name that is defined in many files has no weight.
    let mut many: Vec<Candidate> = ["a", "b", "c", "d", "e"]
        .iter()
        .map(|name| {
            found(
                goal,
                &format!("lib/{name}.py"),
                0.1,
                &["read_rows"],
                &["read_rows"],
            )
        })
        .collect();
    many.push(found(goal, "src/a_use.py", 0.9, &held, &[]));
    assert_eq!(order(goal, many)[0], "src/a_use.py");
}

#[test]
fn sources_rank_above_tests_documents_data_and_vendored_files() {
    for other in [
        "tests/test_x.py",
        "docs/x.md",
        "CHANGELOG.md",
        "fixtures/x.json",
        "vendor/x.py",
    ] {
        let held = ["csv", "row", "export"];
        let candidates = vec![
            found(GOAL, other, 0.6, &held, &[]),
            found(GOAL, "z/z.py", 0.6, &held, &[]),
        ];
        assert_eq!(order(GOAL, candidates), ["z/z.py", other]);
    }
    let goal = "Document how rows are read";
    let candidates = vec![
        found(goal, "src/x.py", 0.6, &["rows"], &[]),
        found(goal, "docs/x.md", 0.6, &["rows"], &[]),
    ];
    assert_eq!(order(goal, candidates)[0], "docs/x.md");
}

#[test]
fn a_manifest_leads_for_a_version() {
    let goal = "Upgrade serde to 1.0.200";
    let candidates = vec![
        found(goal, "src/serde_impl.rs", 0.7, &["serde"], &[]),
        found(goal, "docs/serde.md", 0.9, &["serde", "upgrade"], &[]),
        found(goal, "Cargo.toml", 0.7, &["serde"], &[]),
    ];
    assert_eq!(order(goal, candidates)[0], "Cargo.toml");
    let goal = "Move the crate to edition 2024";
    let held = ["edition", "crate", "2024"];
    let candidates = vec![
        found(goal, "src/parse.rs", 0.5, &["edition", "crate"], &[]),
        found(goal, "README.md", 0.5, &held, &[]),
        found(goal, "Cargo.toml", 0.5, &held, &[]),
    ];
    assert_eq!(order(goal, candidates)[0], "Cargo.toml");
}

#[test]
fn named_files_come_first_in_the_goals_order() {
    let goal = "Fix it: File \"/srv/app/shop/rows.py\", line 12 File \"/srv/app/lib/a.py\", line 3: blank rows";
    let candidates = vec![
        found(
            goal,
            "src/best.py",
            1.0,
            &["blank", "rows", "line"],
            &["blank_rows"],
        ),
        found(goal, "lib/a.py", 0.0, &[], &[]),
        found(goal, "shop/rows.py", 0.0, &[], &[]),
    ];
    let ranked = ranked(goal, candidates, &["shop/rows.py", "lib/a.py"], &[]);
    let first: Vec<&str> = ranked.offered.iter().map(|one| &*one.path).collect();
    assert_eq!(first[..2], ["shop/rows.py", "lib/a.py"]);
    assert_eq!(ranked.offered[0].reason, "named in the goal");
}

#[test]
fn translations_are_skipped_unless_requested() {
    let paths = ["docs/en/rows.md", "docs/de/rows.md"];
    let asks = |goal: &str| {
        let candidates = paths
            .iter()
            .map(|path| found(goal, path, 0.5, &["blank"], &[]));
        let ranked = ranked(goal, candidates.collect(), &[], &paths);
        let all = ranked.offered.into_iter().chain(ranked.likely);
        all.map(|one| one.path).collect::<Vec<String>>()
    };
    assert_eq!(asks("Explain blank rows better"), ["docs/en/rows.md"]);
    assert!(asks("Correct the blank rows in de").contains(&paths[1].to_owned()));
}

#[test]
fn a_scope_leads_to_its_place() {
    let goal = "fix(parser): keep blank rows";
    let candidates = vec![
        found(goal, "src/lexer/rows.rs", 0.6, &["parser", "blank"], &[]),
        found(goal, "src/parser/lines.rs", 0.5, &["blank", "rows"], &[]),
    ];
    assert_eq!(order(goal, candidates)[0], "src/parser/lines.rs");
}

#[test]
fn earlier_changes_raise_the_score() {
    let candidates = vec![
        found(GOAL, "src/rows.py", 0.5, &["row", "csv"], &[]),
        Candidate {
            past: 0.8,
            ..found(GOAL, "src/sheet.py", 0.0, &[], &[])
        },
    ];
    let ranked = ranked(GOAL, candidates, &[], &[]);
    assert_eq!(ranked.offered[0].path, "src/sheet.py");
    assert_eq!(
        ranked.offered[0].reason,
        "changed earlier for a similar goal"
    );
}

#[test]
fn at_most_ten_files_are_offered() {
    assert_eq!(ranked(GOAL, Vec::new(), &[], &[]), Ranked::default());
    let many = (0..40).map(|at| found(GOAL, &format!("src/{at:02}.py"), 0.5, &["row"], &[]));
    let ranked = ranked(GOAL, many.collect(), &[], &[]);
    assert_eq!(
        (ranked.offered.len(), ranked.likely.len()),
        (MAX_OFFERED, 0)
    );
    assert_eq!(ranked.offered[0].path, "src/00.py");
}

proptest! {
    /// Asserts that the order of the input doesn't matter and that nothing is offered twice.
    #[test]
    fn the_same_hits_give_the_same_order(texts in prop::collection::vec(0_u8..4, 1..30), turn in 0_usize..30) {
        let mut candidates: Vec<Candidate> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| found(GOAL, &format!("src/f{at}.py"), f64::from(*text) / 4.0, &["row", "csv"], &[]))
            .collect();
        let one = ranked(GOAL, candidates.clone(), &[], &[]);
        candidates.rotate_left(turn % texts.len());
        candidates.reverse();
        prop_assert_eq!(&ranked(GOAL, candidates, &[], &[]), &one);
        let mut paths: Vec<&String> = one.offered.iter().chain(&one.likely).map(|one| &one.path).collect();
        prop_assert!(paths.len() <= MAX_OFFERED);
        paths.sort();
        paths.dedup();
        prop_assert_eq!(paths.len(), one.offered.len() + one.likely.len());
    }
}
