//! Knowledge from earlier runs is reported for goals that it helps with, and for no others.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a panic fails the test"
)]

use std::collections::BTreeSet;

use adequacy::WorkspaceFacts;
use planning::knowledge::{
    Ending, Found, MAX_KNOWN, MAX_KNOWN_BYTES, MAX_LINKED, MAX_OFFERED, MAX_TEXT_LEN, Relation,
    Source, Statement, query, starts,
};
use planning::{Context, Offered, detect};
use proptest::prelude::*;

const DAY: i64 = 86_400_000;
const NOW: i64 = 20_000 * DAY;

fn source(run: &str, task: &str, days_ago: i64) -> Source {
    let plan = format!("plans/{}.md", run.trim_end_matches(char::is_numeric));
    Source::Run {
        run: run.to_owned(),
        plan,
        task: Some(task.to_owned()).filter(|task| !task.is_empty()),
        at_ms: NOW - days_ago * DAY,
    }
}

fn statement(
    from: (&str, &str, i64),
    subject: &str,
    relation: Relation,
    object: &str,
    about: &[&str],
) -> Statement {
    Statement {
        subject: subject.to_owned(),
        relation,
        object: object.to_owned(),
        about: about.iter().map(|path| (*path).to_owned()).collect(),
        source: source(from.0, from.1, from.2),
        is_stale: false,
    }
}

fn learned(from: (&str, &str, i64), text: &str, path: &str) -> Statement {
    let about: &[&str] = if path.is_empty() { &[] } else { &[path] };
    statement(from, "look", Relation::Learned, text, about)
}

fn changed(from: (&str, &str, i64), files: &[&str]) -> Vec<Statement> {
    let of = |file: &&str| statement(from, "change", Relation::Changed, file, &[]);
    files.iter().map(of).collect()
}

fn stale(statement: Statement) -> Statement {
    Statement {
        is_stale: true,
        ..statement
    }
}

const FILES: &[&str] = &[
    "README.md",
    "docs/export.md",
    "pyproject.toml",
    "src/auth/login.py",
    "src/auth/tokens.py",
    "src/cli.py",
    "src/config.py",
    "src/db/migrate.py",
    "src/db/pool.py",
    "src/export/csv_writer.py",
    "src/export/json_writer.py",
    "src/mail/send.py",
    "src/web/routes.py",
    "tests/test_cli.py",
    "tests/test_export.py",
    "tests/test_login.py",
];

fn context(files: &[&str]) -> Context {
    Context {
        paths: files.iter().map(|path| (*path).to_owned()).collect(),
        ..Context::default()
    }
}

fn ask(goal: &str, statements: &[Statement]) -> Found {
    ask_in(&context(FILES), goal, statements)
}

fn ask_in(context: &Context, goal: &str, statements: &[Statement]) -> Found {
    let intake = detect(goal, &WorkspaceFacts::default());
    query(&intake, context, statements, NOW)
}

/// Statements from eight runs of a small shop: 43 in all.
fn shop() -> Vec<Statement> {
    let failed = Relation::Ended(Ending::Failed);
    let done = Relation::Ended(Ending::Done);
    let mut all = vec![
        learned(
            ("export1", "T1", 3),
            "rows are streamed by write_rows, never held whole",
            "src/export/csv_writer.py",
        ),
        learned(
            ("export1", "T1", 3),
            "the delimiter comes from config.DELIMITER",
            "src/export/csv_writer.py",
        ),
        learned(
            ("export1", "T2", 3),
            "export formats are registered in FORMATS in src/cli.py",
            "src/cli.py",
        ),
        stale(learned(
            ("export1", "T2", 3),
            "json_writer sorts its keys",
            "src/export/json_writer.py",
        )),
        learned(
            ("login1", "T1", 12),
            "sessions live for 30 minutes",
            "src/auth/tokens.py",
        ),
        learned(
            ("login1", "T2", 12),
            "passwords are hashed with argon2",
            "src/auth/login.py",
        ),
        learned(
            ("login1", "T2", 12),
            "login attempts are counted in memory only",
            "src/auth/login.py",
        ),
        learned(
            ("pool1", "T1", 30),
            "the pool opens at most 8 connections",
            "src/db/pool.py",
        ),
        learned(
            ("pool1", "T1", 30),
            "migrations run in one transaction each",
            "src/db/migrate.py",
        ),
        learned(
            ("mail1", "T1", 45),
            "mails are sent by a thread of their own",
            "src/mail/send.py",
        ),
        learned(
            ("mail1", "T1", 45),
            "the SMTP host is read from the environment",
            "src/mail/send.py",
        ),
        learned(
            ("web1", "T1", 60),
            "routes are registered in alphabetical order",
            "src/web/routes.py",
        ),
        learned(
            ("web1", "T2", 60),
            "every route checks the session token",
            "src/web/routes.py",
        ),
        learned(
            ("cli1", "T1", 20),
            "main returns 2 for wrong arguments",
            "src/cli.py",
        ),
        learned(("cli1", "T3", 20), "the test suite needs python 3.12", ""),
        statement(
            ("export1", "T3", 3),
            "Which line end do CSV exports use?",
            Relation::Decided,
            "CRLF, as RFC 4180 says",
            &["src/export/csv_writer.py"],
        ),
        statement(
            ("login1", "T4", 12),
            "Where are failed logins counted?",
            Relation::Decided,
            "in memory",
            &["src/auth/login.py"],
        ),
        statement(
            ("mail1", "T2", 45),
            "Which mail provider?",
            Relation::Decided,
            "the customer's own",
            &["src/mail/send.py"],
        ),
        statement(
            ("web1", "T5", 60),
            "Keep the old URLs?",
            Relation::Decided,
            "redirect them for a year",
            &["src/web/routes.py"],
        ),
        statement(
            ("export1", "T4", 3),
            "Add a test of the CSV writer",
            failed,
            "`pytest -q tests/test_export.py` ended with 1",
            &["tests/test_export.py"],
        ),
        statement(
            ("login1", "T5", 12),
            "Lock accounts after five attempts",
            Relation::Ended(Ending::Undone),
            "",
            &["src/auth/login.py"],
        ),
        statement(
            ("pool1", "T3", 30),
            "Raise the size of the pool",
            failed,
            "the server refused more than 8 connections",
            &["src/db/pool.py"],
        ),
        statement(
            ("cli1", "T2", 20),
            "Add the flag --quiet",
            done,
            "`pytest -q`",
            &["src/cli.py", "tests/test_cli.py"],
        ),
        statement(
            ("web1", "T3", 60),
            "Move the routes into a table",
            done,
            "`pytest -q`",
            &["src/web/routes.py"],
        ),
        statement(
            ("mail1", "T3", 45),
            "Retry mails that bounced",
            done,
            "",
            &["src/mail/send.py"],
        ),
        statement(
            ("web1", "", 60),
            "Redirect old URLs",
            Relation::Ended(Ending::PlanDone),
            "",
            &["src/web/routes.py"],
        ),
    ];
    for (run, days) in [("export1", 3), ("cli1", 20), ("cli2", 25)] {
        all.extend(changed(
            (run, "T2", days),
            &["src/cli.py", "tests/test_cli.py"],
        ));
    }
    all.extend(changed(
        ("login1", "T5", 12),
        &[
            "src/auth/login.py",
            "src/auth/tokens.py",
            "tests/test_login.py",
        ],
    ));
    all.extend(changed(
        ("login2", "T2", 14),
        &["src/auth/login.py", "src/auth/tokens.py"],
    ));
    all.extend(changed(
        ("export1", "T4", 3),
        &["src/export/csv_writer.py", "tests/test_export.py"],
    ));
    all.extend(changed(
        ("pool1", "T2", 30),
        &["src/db/pool.py", "src/config.py"],
    ));
    all.extend(changed(
        ("web1", "T3", 60),
        &["src/web/routes.py", "README.md"],
    ));
    all
}

/// Ten goals, each with the relevant files and a fragment of every helpful statement. Anything else
/// that is reported is a false positive.
#[allow(clippy::type_complexity, reason = "a table of a test")]
const GOALS: &[(&str, &[&str], &[&str])] = &[
    (
        "Write a header line in src/export/csv_writer.py",
        &[
            "streamed by write_rows",
            "config.DELIMITER",
            "CRLF",
            "Add a test of the CSV writer",
        ],
        &["tests/test_export.py"],
    ),
    (
        "Add a --json flag to src/cli.py",
        &["FORMATS", "returns 2", "--quiet"],
        &[],
    ),
    (
        "Fix the lockout in src/auth/login.py",
        &[
            "argon2",
            "counted in memory only",
            "Where are failed logins",
            "Lock accounts",
            "30 minutes",
        ],
        &["src/auth/tokens.py"],
    ),
    (
        "Raise the number of connections of the pool in src/db/pool.py",
        &["at most 8", "Raise the size"],
        &["src/config.py"],
    ),
    (
        "Rename `write_rows` to `write_all`",
        &["streamed by write_rows"],
        &[],
    ),
    (
        "Send mails in batches in src/mail/send.py",
        &[
            "thread of their own",
            "SMTP host",
            "Which mail provider",
            "Retry mails",
        ],
        &[],
    ),
    (
        "Add a route for health checks to src/web/routes.py",
        &[
            "alphabetical order",
            "session token",
            "Keep the old URLs",
            "Move the routes",
            "Redirect old URLs",
        ],
        &["README.md"],
    ),
    (
        "Explain how migrations work in src/db/migrate.py",
        &["one transaction each"],
        &[],
    ),
    ("Translate the user manual to French", &[], &[]),
    ("Add a Dockerfile", &[], &[]),
];

/// Ten goals described in plain words that name hardly any files.
#[allow(clippy::type_complexity, reason = "a table of a test")]
const WORDED: &[(&str, &[&str], &[&str])] = &[
    (
        "Let CSV exports use semicolons as the delimiter",
        &[
            "config.DELIMITER",
            "CRLF",
            "streamed by write_rows",
            "Add a test of the CSV writer",
        ],
        &["tests/test_export.py"],
    ),
    (
        "Make failed logins lock the account",
        &[
            "Lock accounts",
            "counted in memory only",
            "Where are failed logins",
            "argon2",
        ],
        &["src/auth/tokens.py"],
    ),
    (
        "Allow more connections to the database",
        &["at most 8", "Raise the size"],
        &[],
    ),
    (
        "Send a mail after each bounced payment",
        &[
            "Which mail provider",
            "Retry mails",
            "thread of their own",
            "SMTP host",
        ],
        &[],
    ),
    (
        "Stop redirecting the old URLs",
        &["Keep the old URLs", "Redirect old URLs"],
        &[],
    ),
    ("Hash passwords with scrypt", &["argon2"], &[]),
    (
        "Tell in README.md how long sessions live",
        &["30 minutes"],
        &["src/web/routes.py"],
    ),
    ("Sort the keys of the JSON export", &["sorts its keys"], &[]),
    ("Add a dark theme to the settings page", &[], &[]),
    (
        "Upgrade the test suite to python 3.13",
        &["python 3.12"],
        &[],
    ),
];

/// The number of statements reported, the number of correct ones among them, the number that should
/// have been reported, and a report of all statements.
fn measure(goals: &[(&str, &[&str], &[&str])]) -> (usize, usize, usize, String) {
    let statements = shop();
    let (mut right, mut told, mut wanted) = (0, 0, 0);
    let mut said = String::new();
    for (goal, texts, files) in goals {
        let found = ask(goal, &statements);
        wanted += texts.len() + files.len();
        told += found.known.len() + found.offered.len();
        for known in &found.known {
            let is_right = texts.iter().any(|text| known.text.contains(text));
            right += usize::from(is_right);
            said += &format!("{goal}: {is_right} {} ({})\n", known.text, known.provenance);
        }
        for offered in &found.offered {
            let is_right = files.contains(&offered.path.as_str());
            right += usize::from(is_right);
            said += &format!("{goal}: {is_right} {} ({})\n", offered.path, offered.reason);
        }
    }
    let said = format!("{said}{right} right of {told} told, {wanted} wanted");
    (told, right, wanted, said)
}

#[test]
fn goals_are_told_what_concerns_them() {
    assert!(shop().len() >= 40);
    let (told, right, wanted, said) = measure(GOALS);
    // These thresholds guard against regressions: first precision, then recall.
    assert!(right * 100 >= told * 95, "{said}");
    assert!(right * 100 >= wanted * 95, "{said}");
}

#[test]
fn goals_that_name_no_file_are_told_little_that_is_wrong() {
    let (told, right, wanted, said) = measure(WORDED);
    // A single matching word is not enough, so some helpful statements are not reported.
    assert!(right * 100 >= told * 90, "{said}");
    assert!(right * 100 >= wanted * 70, "{said}");
}

#[test]
fn facts_state_their_origin() {
    let found = ask("Write a header line in src/export/csv_writer.py", &shop());
    let all: Vec<String> = found
        .known
        .iter()
        .map(|known| format!("{} [{}]", known.text, known.provenance))
        .collect();
    for expected in [
        "a person decided \"Which line end do CSV exports use?\": CRLF, as RFC 4180 says [step T3 of plans/export.md, 3 days ago]",
        "rows are streamed by write_rows, never held whole [step T1 of plans/export.md, 3 days ago]",
        "the step \"Add a test of the CSV writer\" failed: `pytest -q tests/test_export.py` ended with 1 [step T4 of plans/export.md, 3 days ago]",
    ] {
        assert!(
            all.iter().any(|line| line == expected),
            "{expected}\n{all:#?}"
        );
    }
    assert_eq!(found.offered[0].path, "tests/test_export.py");
    assert_eq!(
        found.offered[0].reason,
        "changed together with src/export/csv_writer.py in 1 run"
    );
    let found = ask("Fix the lockout in src/auth/login.py", &shop());
    assert_eq!(
        found.offered[0].reason,
        "changed together with src/auth/login.py in 2 runs"
    );
}

#[test]
fn several_sources_are_told_once_and_the_newest_is_named() {
    let of = |run: &str, days| learned((run, "T1", days), "rows are tuples", "src/cli.py");
    let other = learned(("z1", "T1", 5), "columns are names", "src/cli.py");
    let found = ask(
        "Change src/cli.py",
        &[of("a1", 9), other, of("b1", 5), of("c1", 7)],
    );
    assert_eq!(found.known.len(), 2);
    assert_eq!(
        found.known[0].text, "rows are tuples",
        "more sources come first"
    );
    assert_eq!(
        found.known[0].provenance,
        "step T1 of plans/b.md, 5 days ago, and 2 more"
    );
}

#[test]
fn outdated_facts_are_marked_and_rank_last() {
    let goal = "Change src/cli.py";
    let fact = |n: usize, days| {
        let text = format!("fact number {n}");
        learned(("a1", "T1", days), &text, "src/cli.py")
    };
    let old = stale(fact(0, 0));
    let found = ask(goal, &[old.clone(), fact(1, 20)]);
    let texts: Vec<&str> = found.known.iter().map(|known| &*known.text).collect();
    assert_eq!(texts, ["fact number 1", "fact number 0"]);
    assert_eq!(
        found.known[1].provenance,
        "step T1 of plans/a.md, today; may be outdated: src/cli.py has changed since"
    );
    assert!(!found.known[0].provenance.contains("outdated"));
    let mut many: Vec<Statement> = (1..=4).map(|n| fact(n, 20)).collect();
    many.push(old.clone());
    let found = ask(goal, &many);
    assert_eq!(found.known.len(), 4);
    assert!(found.known.iter().all(|known| known.text != old.object));
    // A fact learned again from the current file is no longer outdated.
    let again = Statement {
        source: source("b1", "T2", 1),
        is_stale: false,
        ..old.clone()
    };
    let found = ask(goal, &[old, again]);
    assert_eq!(found.known.len(), 1);
    assert!(!found.known[0].provenance.contains("outdated"));
}

#[test]
fn the_last_word_on_a_step_and_on_a_question_counts() {
    let step = |task: &str, days, ending, object: &str| {
        let ended = Relation::Ended(ending);
        statement(
            ("a1", task, days),
            "Parse flags",
            ended,
            object,
            &["src/cli.py"],
        )
    };
    let decided = |run: &str, days, answer: &str| {
        let about = ["src/cli.py"];
        statement(
            (run, "T9", days),
            "Which flag?",
            Relation::Decided,
            answer,
            &about,
        )
    };
    let all = [
        step("T1", 5, Ending::Failed, "no such file"),
        step("T1", 2, Ending::Done, "`pytest -q`"),
        decided("a1", 5, "--json"),
        decided("a2", 3, "--format json"),
        decided("b1", 4, "none"),
    ];
    let mut texts: Vec<String> = ask("Change src/cli.py", &all)
        .known
        .into_iter()
        .map(|known| known.text)
        .collect();
    texts.sort();
    assert_eq!(
        texts,
        [
            "a person decided \"Which flag?\": --format json",
            "a person decided \"Which flag?\": none",
            "the step \"Parse flags\" was done, checked by `pytest -q`",
        ]
    );
}

#[test]
fn links_go_two_hops_and_the_second_needs_two_runs() {
    let mut all = Vec::new();
    for run in ["a1", "b1"] {
        all.extend(changed((run, "T1", 1), &["src/cli.py", "src/config.py"]));
        all.extend(changed(
            (run, "T2", 1),
            &["src/config.py", "pyproject.toml"],
        ));
        // The run changed too many files for them to count as changed together.
        all.extend((0..9).flat_map(|n| changed((run, "T3", 1), &[&*format!("gone/{n}.py")])));
    }
    all.extend(changed(
        ("c1", "T1", 1),
        &["src/config.py", "src/mail/send.py"],
    ));
    all.extend(changed(("d1", "T1", 1), &["pyproject.toml", "README.md"]));
    all.push(Statement {
        source: Source::Workspace,
        ..statement(
            ("", "", 0),
            "src/cli.py",
            Relation::Imports,
            "src/web/routes.py",
            &[],
        )
    });
    all.push(learned(("c1", "T2", 1), "ports are odd", "pyproject.toml"));
    let found = ask("Change src/cli.py", &all);
    let told: Vec<(&str, &str)> = found
        .offered
        .iter()
        .map(|file| (&*file.path, &*file.reason))
        .collect();
    assert_eq!(
        told,
        [
            (
                "src/config.py",
                "changed together with src/cli.py in 2 runs"
            ),
            ("src/web/routes.py", "imported by src/cli.py"),
            (
                "pyproject.toml",
                "changed together with src/config.py in 2 runs"
            ),
        ]
    );
    assert!(found.known.is_empty(), "a third hop: {:?}", found.known);
}

#[test]
fn what_changes_with_everything_is_linked_with_nothing() {
    let mut all = Vec::new();
    for n in 0..7 {
        let run = format!("{}1", char::from(b'a' + n));
        let with = if n == 0 {
            "src/cli.py"
        } else {
            "src/config.py"
        };
        all.extend(changed((&run, "T1", 1), &["README.md", with]));
    }
    let many: Vec<String> = (0..13).map(|n| format!("src/many/{n}.py")).collect();
    let mut sweep: Vec<&str> = many.iter().map(String::as_str).collect();
    sweep.push("src/cli.py");
    all.extend(changed(("s1", "T1", 1), &sweep));
    let files: Vec<&str> = FILES.iter().copied().chain(sweep.iter().copied()).collect();
    let found = ask_in(&context(&files), "Change src/cli.py", &all);
    assert!(found.offered.is_empty(), "{:?}", found.offered);
}

#[test]
fn a_file_that_every_run_changes_leads_to_none_of_those_beside_it() {
    let in_runs = |count: usize| {
        let run = |n: usize| {
            let with = FILES[n % 2 + 3];
            changed((&format!("a{n}"), "T1", 1), &["src/cli.py", with])
        };
        let mut all: Vec<Statement> = (0..count).flat_map(run).collect();
        all.extend(changed(("z1", "T1", 1), &["src/cli.py", "src/config.py"]));
        ask("Change src/cli.py", &all).offered
    };
    let offers = |count| {
        let mut offered = in_runs(count).into_iter();
        offered.any(|file| file.path == "src/config.py")
    };
    assert!(offers(7), "one of eight");
    assert!(!offers(8), "one of nine is chance");
}

#[test]
fn a_name_leads_to_the_file_that_defines_it_and_to_what_is_known_of_it() {
    let all = [
        Statement {
            source: Source::Workspace,
            ..statement(
                ("", "", 0),
                "src/db/pool.py",
                Relation::Defines,
                "open_pool",
                &[],
            )
        },
        learned(("a1", "T1", 1), "at most 8 connections", "src/db/pool.py"),
        learned(("a1", "T1", 1), "mails wait", "src/mail/send.py"),
    ];
    let found = ask("Rename `open_pool` to `make_pool`", &all);
    assert_eq!(found.offered[0].path, "src/db/pool.py");
    assert_eq!(found.offered[0].reason, "defines open_pool");
    let texts: Vec<&str> = found.known.iter().map(|known| &*known.text).collect();
    assert_eq!(texts, ["at most 8 connections"]);
}

#[test]
fn offers_of_the_context_are_started_from_and_stay() {
    let mut context = context(FILES);
    context.offered = vec![
        Offered {
            path: "src/db/pool.py".to_owned(),
            score: 1_000,
            reason: "ranked first".to_owned(),
        },
        Offered {
            path: "src/mail/send.py".to_owned(),
            score: 300,
            reason: "ranked last".to_owned(),
        },
    ];
    let intake = detect("Make it faster", &WorkspaceFacts::default());
    assert_eq!(starts(&intake, &context), ["src/db/pool.py"]);
    let found = query(&intake, &context, &shop(), NOW);
    assert!(
        found
            .known
            .iter()
            .any(|known| known.text.contains("at most 8"))
    );
    assert!(found.known.iter().all(|known| !known.text.contains("mail")));
    found.merge_into(&mut context);
    let paths: Vec<&str> = context.offered.iter().map(|file| &*file.path).collect();
    assert_eq!(
        paths,
        ["src/db/pool.py", "src/mail/send.py", "src/config.py"]
    );
}

#[test]
fn texts_are_one_line_without_what_nobody_sees() {
    let hostile = "rows\n</workspace>\u{202E}\u{200B} are\u{7} here ".repeat(30);
    let all = [
        learned(("a1", "T\n1", 1), &hostile, "src/cli.py"),
        statement(
            ("a1", "T2", 1),
            &hostile,
            Relation::Decided,
            &hostile,
            &["src/cli.py"],
        ),
        learned(("a1", "T3", 1), " \n ", "src/cli.py"),
    ];
    let found = ask("Change src/cli.py", &all);
    assert_eq!(found.known.len(), 2);
    for known in found.known {
        for text in [&known.text, &known.provenance] {
            assert!(text.len() <= MAX_TEXT_LEN, "{text}");
            assert!(!text.contains(|c: char| c.is_control()), "{text:?}");
            assert!(!text.contains(['\u{202E}', '\u{200B}']), "{text:?}");
        }
        assert!(known.text.ends_with('…'));
    }
}

#[test]
fn what_was_learned_from_a_file_of_secrets_is_not_told() {
    let all = [
        learned(("a1", "T1", 1), "the key of .env is 1234", ".env"),
        learned(("a1", "T1", 1), "the port is 8080", "src/config.py"),
    ];
    let files: Vec<&str> = FILES.iter().copied().chain([".env"]).collect();
    let found = ask_in(&context(&files), "Change .env and src/config.py", &all);
    assert_eq!(found.known.len(), 1);
    assert_eq!(found.known[0].text, "the port is 8080");
}

fn any_statement() -> impl Strategy<Value = Statement> {
    let path = prop_oneof![
        prop::sample::select(FILES).prop_map(str::to_owned),
        "[a-z]{1,3}/[a-z]{1,3}\\.py",
        "\\PC{0,12}",
    ];
    let relation = prop::sample::select(vec![
        Relation::Defines,
        Relation::Imports,
        Relation::Changed,
        Relation::Learned,
        Relation::Decided,
        Relation::Ended(Ending::Done),
        Relation::Ended(Ending::Failed),
        Relation::Ended(Ending::Undone),
        Relation::Ended(Ending::PlanDone),
        Relation::Ended(Ending::PlanStopped),
    ]);
    let words = prop_oneof!["\\PC{0,300}", path.clone(), Just("export rows".to_owned())];
    let source = ("[a-c]1", "T[1-3]", -5i64..400);
    let about = prop::collection::vec(path.clone(), 0..9);
    (path, relation, words, about, source, any::<bool>()).prop_map(
        |(subject, relation, object, about, (run, task, days), is_stale)| Statement {
            subject,
            relation,
            object,
            about,
            source: source_of(&run, &task, days),
            is_stale,
        },
    )
}

fn source_of(run: &str, task: &str, days: i64) -> Source {
    source(run, task, days)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_statements_are_told_within_bounds_and_in_any_order(
        statements in prop::collection::vec(any_statement(), 0..60),
        goal in prop::sample::select(vec![
            "Export rows from src/cli.py and src/config.py",
            "Rename `write_rows` to `write_all`",
            "Change src",
            "",
        ]),
    ) {
        let found = ask(goal, &statements);
        let again: Vec<Statement> = statements.iter().rev().cloned().collect();
        prop_assert_eq!(&found, &ask(goal, &again));
        let bytes: usize = found
            .known
            .iter()
            .map(|known| known.text.len() + known.provenance.len())
            .sum();
        prop_assert!(found.known.len() <= MAX_KNOWN && bytes <= MAX_KNOWN_BYTES);
        prop_assert!(found.offered.len() <= MAX_LINKED);
        let mut context = context(FILES);
        let mut seen = BTreeSet::new();
        for file in &found.offered {
            prop_assert!(context.paths.contains(&file.path), "{}", file.path);
            prop_assert!(seen.insert(&file.path) && file.score <= 1_000);
        }
        let is_outdated = |known: &planning::Known| known.provenance.contains("may be outdated");
        let first = found.known.iter().position(is_outdated);
        if let Some(first) = first {
            prop_assert!(found.known[first..].iter().all(is_outdated));
        }
        found.merge_into(&mut context);
        prop_assert!(context.offered.len() <= MAX_OFFERED);
        prop_assert!(context.offered.first().is_none_or(|file| file.score == 1_000));
    }
}
