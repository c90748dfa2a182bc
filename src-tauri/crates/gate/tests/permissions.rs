//! Permission rules: the strictest one wins, and unreadable requests are never allowed.

use gate::permissions::{Match, Rule, Verdict, judge, judge_in_step};
use gate::question::PermissionRequest;
use proptest::prelude::*;

fn request(subject: &str) -> PermissionRequest {
    PermissionRequest {
        tool: "run_command".to_owned(),
        subject: subject.to_owned(),
        danger: None,
        content: None,
    }
}

fn rule(matches: Match, verdict: Verdict) -> Rule {
    Rule {
        tool: "run_command".to_owned(),
        matches,
        verdict,
    }
}

fn exact(text: &str) -> Match {
    Match::Exact(text.to_owned())
}

fn prefix(text: &str) -> Match {
    Match::Prefix(text.to_owned())
}

#[test]
fn what_an_approved_step_shows_runs_only_in_a_sandbox() {
    assert_eq!(judge(&request("make"), &[], true), Verdict::Allow);
    assert_eq!(judge(&request("make"), &[], false), Verdict::Ask);
    let read = PermissionRequest {
        tool: "read_file".to_owned(),
        subject: "a".to_owned(),
        danger: None,
        content: None,
    };
    assert_eq!(
        judge(&read, &[], false),
        Verdict::Allow,
        "reading never asks"
    );
}

#[test]
fn the_strictest_rule_wins_in_any_order() {
    let rules = [
        rule(prefix("git "), Verdict::Allow),
        rule(prefix("git push"), Verdict::Ask),
        rule(exact("git push --force"), Verdict::Deny),
    ];
    for (subject, verdict) in [
        ("git status", Verdict::Allow),
        ("git push", Verdict::Ask),
        ("git push --force", Verdict::Deny),
    ] {
        assert_eq!(judge(&request(subject), &rules, true), verdict, "{subject}");
        let reversed: Vec<Rule> = rules.iter().rev().cloned().collect();
        assert_eq!(
            judge(&request(subject), &reversed, true),
            verdict,
            "{subject}"
        );
    }
}

#[test]
fn a_prefix_never_allows_what_a_shell_could_turn_into_more() {
    let allow = [rule(prefix("echo"), Verdict::Allow)];
    assert!(!allow[0].applies(&request("echo a; rm -rf b")));
    assert!(!allow[0].applies(&request("echo \"unclosed")));
    let deny = [rule(prefix("rm"), Verdict::Deny)];
    assert_eq!(judge(&request("rm a; echo b"), &deny, true), Verdict::Deny);
}

#[test]
fn a_beginning_that_allows_ends_where_a_word_or_a_folder_ends() {
    let allow = rule(prefix("cargo test"), Verdict::Allow);
    for (subject, is_covered) in [
        ("cargo test", true),
        ("cargo test -p agent", true),
        ("cargo test\t-p agent", true),
        ("cargo test2", false),
        ("cargo tests", false),
        ("cargo  test", false),
        ("cargo test; ls", false),
        ("cargo test > out", false),
    ] {
        assert_eq!(allow.applies(&request(subject)), is_covered, "{subject}");
    }
    let deny = rule(prefix("cargo test"), Verdict::Deny);
    assert!(deny.applies(&request("cargo tests")), "a no may catch more");
    let folder = Rule {
        tool: "edit_file".to_owned(),
        ..rule(prefix("docs"), Verdict::Allow)
    };
    for (path, is_covered) in [
        ("docs/a.md", true),
        ("docs", true),
        ("docs2/a.md", false),
        ("docs/../src/a", false),
    ] {
        let request = PermissionRequest {
            tool: "edit_file".to_owned(),
            ..request(path)
        };
        assert_eq!(folder.applies(&request), is_covered, "{path}");
    }
}

#[test]
fn what_a_step_does_not_name_asks_unless_a_rule_allows_it() {
    let rules = [rule(exact("make"), Verdict::Allow)];
    let said = |subject: &str, is_named| judge_in_step(&request(subject), &rules, true, is_named);
    assert_eq!(said("ls", true), Verdict::Allow);
    assert_eq!(said("ls", false), Verdict::Ask);
    assert_eq!(said("make", false), Verdict::Allow);
}

#[test]
fn without_a_sandbox_only_an_exact_rule_spares_the_question() {
    let request = request("make check");
    assert_eq!(
        judge(&request, &[rule(prefix("make"), Verdict::Allow)], false),
        Verdict::Ask
    );
    assert_eq!(
        judge(
            &request,
            &[rule(exact("make check"), Verdict::Allow)],
            false
        ),
        Verdict::Allow
    );
}

#[test]
fn a_match_says_how_it_matches() {
    assert_eq!(Match::parse("exact make all"), Some(exact("make all")));
    assert_eq!(Match::parse("prefix make"), Some(prefix("make")));
    assert_eq!(Match::parse("prefix "), Some(prefix("")));
    for wrong in ["make", "exactly make", ""] {
        assert_eq!(Match::parse(wrong), None, "{wrong}");
    }
}

proptest! {
    #[test]
    fn one_more_rule_that_asks_or_denies_never_loosens(
        subject in "[a-z ;]{0,8}", text in "[a-z ]{0,4}", is_exact: bool, denies: bool, sandboxed: bool,
    ) {
        let request = request(&subject);
        let base = [rule(prefix("a"), Verdict::Allow)];
        let matches = if is_exact { exact(&text) } else { prefix(&text) };
        let verdict = if denies { Verdict::Deny } else { Verdict::Ask };
        let more = [base[0].clone(), rule(matches, verdict)];
        prop_assert!(judge(&request, &more, sandboxed) >= judge(&request, &base, sandboxed));
    }
}
