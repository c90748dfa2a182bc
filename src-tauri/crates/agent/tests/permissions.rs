//! Who may do what: the strictest rule wins, and what cannot be read is never allowed.

use agent::permissions::{Match, Rule, Verdict, judge};
use agent::question::PermissionRequest;
use proptest::prelude::*;

fn request(subject: &str) -> PermissionRequest {
    PermissionRequest {
        tool: "run_command".to_owned(),
        subject: subject.to_owned(),
        danger: None,
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
