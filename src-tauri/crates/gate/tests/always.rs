//! “Always allow” covers what the rule says and nothing else.

use gate::permissions::{
    Match, Rule, Verdict, beginnings, call_of_check, judge_in_step, request_of,
};
use proptest::prelude::*;

fn rule(matches: Match) -> Rule {
    Rule {
        tool: "run_command".to_owned(),
        matches,
        verdict: Verdict::Allow,
    }
}

/// Whether a rule allows a command that the step does not name, without asking.
fn runs(rules: &[Rule], line: &str, is_sandboxed: bool) -> bool {
    let request = request_of(&call_of_check(line));
    judge_in_step(&request, rules, is_sandboxed, false) == Verdict::Allow
}

fn exact(text: &str) -> Vec<Rule> {
    vec![rule(Match::Exact(text.to_owned()))]
}

fn prefix(text: &str) -> Vec<Rule> {
    vec![rule(Match::Prefix(text.to_owned()))]
}

/// Commands that a rule allowing `cargo test` must not cover.
const OTHERS: [&str; 45] = [
    "cargo test && rm -rf x",
    "cargo test; rm -rf x",
    "cargo test | sh",
    "cargo test || rm -rf x",
    "cargo test & rm -rf x",
    "cargo test > src/main.rs",
    "cargo test 2> src/main.rs",
    "cargo test < x",
    "cargo test $(rm -rf x)",
    "cargo test `rm -rf x`",
    "cargo test \"$(rm -rf x)\"",
    "cargo test $X",
    "cargo test (x)",
    "cargo test 'unclosed",
    "cargo test\nrm -rf x",
    "cargo test\r\nrm -rf x",
    "cargo\ntest",
    "cargo  test",
    "cargo\ttest",
    "Cargo test",
    "cargo Test",
    "cargo tests",
    "cargo test2",
    "cargo test-all",
    "cargo",
    "cargo build",
    "cargo +nightly test",
    "cargo --config x test",
    "cargo 'test'",
    "'cargo' test",
    "\\cargo test",
    "./cargo test",
    "/usr/bin/cargo test",
    "sub/cargo test",
    "cd sub && cargo test",
    "(cargo test)",
    "! cargo test",
    "RUSTFLAGS=-Cx cargo test",
    "env RUSTC=evil cargo test",
    "sudo cargo test",
    "nohup cargo test",
    "timeout 9 cargo test",
    "sh -c 'cargo test'",
    "bash -lc 'cargo test'",
    "xargs cargo test",
];

#[test]
fn an_exact_rule_covers_its_line_and_no_other() {
    let rules = exact("cargo test");
    assert!(runs(&rules, "cargo test", true));
    assert!(runs(&rules, "  cargo test  ", true), "the same line");
    assert!(
        runs(&rules, "cargo test", false),
        "it names the command, so no sandbox is needed"
    );
    for other in OTHERS {
        assert!(!runs(&rules, other, true), "{other:?}");
    }
    for more in [
        "cargo test --lib",
        "cargo test --config x=y",
        "cargo test -- --nocapture",
    ] {
        assert!(!runs(&rules, more, true), "{more:?}");
    }
}

#[test]
fn a_prefix_covers_further_words_and_never_another_command() {
    let rules = prefix("cargo test");
    for more in [
        "cargo test",
        "cargo test --lib",
        "cargo test -p core -- --nocapture",
    ] {
        assert!(runs(&rules, more, true), "{more:?}");
        assert!(
            !runs(&rules, more, false),
            "without a sandbox a beginning spares no question: {more:?}"
        );
    }
    for other in OTHERS {
        assert!(!runs(&rules, other, true), "{other:?}");
    }
}

#[test]
fn a_rule_is_for_one_tool() {
    let rules = exact("src/a.py");
    let write = plan::ToolCall::parse(r#"write_file {"path": "src/a.py", "content": ""}"#).unwrap();
    let said = judge_in_step(&request_of(&write), &rules, true, false);
    assert_eq!(said, Verdict::Ask);
}

#[test]
fn a_rule_is_written_as_a_beginning_only_where_that_says_what_is_done() {
    let offered = |line: &str| beginnings(&request_of(&call_of_check(line)));
    for (line, beginning) in [
        ("cargo test --lib", "cargo test"),
        ("npm run lint --fix", "npm run lint"),
        ("git status --short", "git status"),
        ("python3 -m unittest tests.test_a", "python3 -m unittest"),
        ("make build all", "make build"),
    ] {
        assert_eq!(offered(line), [beginning], "{line}");
    }
    for line in [
        "cargo",
        "cargo test",
        "bash -c ls",
        "sh -c 'ls x' y",
        "python3 -c print(1)",
        "python3 -c 'print(1)' x",
        "python3 -m unittest",
        "node -e x y",
        "npm run lint",
        "cargo run --bin x",
        "perl -e x y",
        "sudo cp a b",
        "env X=1 make all",
        "X=1 make all",
        "timeout 5 make all",
        "nohup make all",
        "nice make all",
        "xargs ls -l",
        "npx eslint src",
        "npm exec eslint src",
        "uv run pytest -q",
        "ssh host ls -l",
        "git -C sub status",
        "make -C sub all",
        "git push && ls",
        "cargo 'te st' x",
    ] {
        assert_eq!(offered(line), Vec::<String>::new(), "{line}");
    }
    let write =
        plan::ToolCall::parse(r#"write_file {"path": "docs/a.md", "content": ""}"#).unwrap();
    assert_eq!(beginnings(&request_of(&write)), ["docs/"]);
    for path in ["a.md", "../a.md", "./a.md", ".git/config"] {
        let call = format!(r#"write_file {{"path": "{path}", "content": ""}}"#);
        let write = plan::ToolCall::parse(&call).unwrap();
        assert_eq!(
            beginnings(&request_of(&write)),
            Vec::<String>::new(),
            "{path}"
        );
    }
}

proptest! {
    #[test]
    fn an_exact_rule_covers_nothing_that_reads_otherwise(line in "(cargo test)?[ -~]{0,24}") {
        let covers = runs(&exact("cargo test"), &line, true);
        prop_assert_eq!(covers, line.trim() == "cargo test");
    }

    #[test]
    fn no_beginning_covers_what_a_shell_would_read(
        before in "[ -~]{0,8}", sign in "[|&;<>$()`\n]", after in "[ -~]{0,12}",
    ) {
        let line = format!("cargo test {before}{sign}{after}x");
        prop_assert!(!runs(&prefix("cargo test"), &line, true), "{line:?}");
        prop_assert!(!runs(&prefix(""), &line, true), "{line:?}");
    }

    #[test]
    fn what_a_beginning_covers_begins_so_and_goes_on_with_a_word(rest in "[ -~]{0,16}") {
        let line = format!("cargo test{rest}");
        if runs(&prefix("cargo test"), &line, true) {
            prop_assert!(rest.is_empty() || rest.starts_with(' '), "{line:?}");
        }
    }
}
