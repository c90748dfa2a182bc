//! Checks paths and commands from models against a small workspace.

use super::*;

fn facts() -> WorkspaceFacts {
    WorkspaceFacts {
        paths: Some(
            [
                "src/report.py",
                "src/cli.py",
                "tests/test_report.py",
                "a/x.md",
                "b/x.md",
            ]
            .map(str::to_owned)
            .into(),
        ),
        commands: vec![
            "python3 -m unittest discover -s tests".to_owned(),
            "cargo test".to_owned(),
            "npm run check".to_owned(),
        ],
        programs: Some(["git", "cargo"].map(str::to_owned).into()),
        ..WorkspaceFacts::default()
    }
}

#[test]
fn a_path_exists_or_is_created_or_is_reported() {
    let facts = facts();
    let cases = [
        ("Read the report", "src/report.py", Some("src/report.py")),
        (
            "Read the report",
            "`./src/report.py:12`",
            Some("src/report.py"),
        ),
        ("Read the report", "report.py", Some("src/report.py")),
        ("Read the report", "lib/report.py", Some("src/report.py")),
        ("Read the notes", "x.md", None),
        ("Read the table", "src/table.py", None),
        ("Add a column", "src/table.py", None),
        ("Add src/table.py", "src/table.py", Some("src/table.py")),
        (
            "Test the table",
            "tests/test_table.py",
            Some("tests/test_table.py"),
        ),
        (
            "Rename total in report.py",
            "report.py",
            Some("src/report.py"),
        ),
        ("Create the table", "src/table.py", Some("src/table.py")),
        ("Create the table", "../table.py", None),
        ("Create the table", "/etc/passwd", None),
        ("Create the table", "src/../../x.py", None),
        ("Create the table", ".git/hooks/x.sh", None),
        ("Create the table", "src/a\u{202E}b.py", None),
        ("Change the sources", "src", None),
        ("Change the sources", "src/", None),
    ];
    for (what, named, expected) in cases {
        let mut known = Validator::of(&facts);
        let files = known.files(what, &[named.to_owned()]);
        assert_eq!(
            files.first().map(String::as_str),
            expected,
            "{what}: {named}"
        );
        let said = expected != Some(named.trim_matches('`'));
        let is_plain = expected.is_some_and(|path| named.contains(path));
        assert_eq!(
            known.rejected.is_empty(),
            !said || is_plain,
            "{what}: {named}"
        );
    }
}

#[test]
fn the_words_of_a_step_name_its_files() {
    let facts = facts();
    let cases = [
        (
            "Read `src/report.py` and src/cli.py.",
            vec!["src/report.py", "src/cli.py"],
        ),
        (
            "Test report --json in tests/test_json.py",
            vec!["tests/test_json.py"],
        ),
        ("Change src/table.py", vec![]),
        ("Add a flag to lib/report.py", vec![]),
        ("Add e.g. a flag and/or a switch to ../x.py", vec![]),
    ];
    for (what, expected) in cases {
        assert_eq!(Validator::of(&facts).files_in(what), expected, "{what}");
    }
}

#[test]
fn created_files_exist_for_later_steps() {
    let facts = facts();
    let mut known = Validator::of(&facts);
    known.files("Write the table module", &["src/table.py".to_owned()]);
    assert_eq!(
        known.files("Use it", &["src/table.py".to_owned()]),
        ["src/table.py"]
    );
}

#[test]
fn only_known_commands_become_checks() {
    let facts = facts();
    let mut known = Validator::of(&facts);
    let verify = |line: &str| Check::Verify(line.to_owned());
    let accept = |line: &str| Check::Accept(line.to_owned());
    let cases = [
        ("`cargo test -p report`", verify("cargo test -p report")),
        ("`cargo publish`", Check::Nothing),
        ("git push", Check::Nothing),
        ("rm -rf /", Check::Nothing),
        (
            "python3 -m unittest tests.test_report",
            verify("python3 -m unittest tests.test_report"),
        ),
        ("python3 -c 'import os'", Check::Nothing),
        ("npm run check", verify("npm run check")),
        ("`npm run deploy`", Check::Nothing),
        ("cargo test && rm -rf /", Check::Nothing),
        ("cargo test\nrm -rf /", verify("cargo test rm -rf /")),
        (
            "The report shows every row",
            accept("The report shows every row"),
        ),
        ("  ", Check::Nothing),
    ];
    for (line, expected) in cases {
        assert_eq!(known.check(line), expected, "{line}");
    }
}
