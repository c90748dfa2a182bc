//! Tests of which names are reported as typos.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use super::*;
use crate::check::check;
use crate::report::{CheckInput, Report};
use crate::size::PlanDepth;

fn facts() -> WorkspaceFacts {
    let symbols = [
        "read_rows",
        "render_report",
        "renderReport",
        "ReportWriter",
        "print_report",
        "load_part1",
        "get_value",
        "take_ampla",
        "take_ample",
        "take_amply",
        "pg_dumps",
    ];
    WorkspaceFacts {
        symbols: symbols.map(str::to_owned).into(),
        programs: Some(["pg_dumqs".to_owned()].into()),
        ..WorkspaceFacts::default()
    }
}

fn report(text: &str, facts: &WorkspaceFacts) -> Report {
    let (plan, problems) = plan::parse(text);
    check(&CheckInput {
        requirements: &[],
        plan: &plan,
        problems: &problems,
        goal: None,
        depth: PlanDepth::Standard,
        scope: &[],
        before: None,
        facts,
        has_model: true,
    })
}

fn told(text: &str) -> Vec<Finding> {
    let findings = report(text, &facts()).findings.into_iter();
    findings
        .filter(|finding| finding.code == Code::SymbolMissing)
        .collect()
}

fn plan_of(lines: &str) -> String {
    format!("# Shop\n\n## Tasks\n- [ ] **T1** {lines}\n")
}

#[test]
fn a_typo_is_reported_with_the_intended_name() {
    for (title, meant, after) in [
        (
            "Change `read_rwos` so that blank lines are skipped",
            "read_rows",
            "Change `read_rows` so that blank lines are skipped",
        ),
        (
            "Test `print_reprt()` with no rows",
            "print_report",
            "Test `print_report()` with no rows",
        ),
        (
            "Fix `ReportWriter::render_reqort` for empty tables",
            "render_report",
            "Fix `ReportWriter::render_report` for empty tables",
        ),
        (
            "Have `RepordWriter` close its file",
            "ReportWriter",
            "Have `ReportWriter` close its file",
        ),
        (
            "Rename `read_rosw` to `load_rows`",
            "read_rows",
            "Rename `read_rows` to `load_rows`",
        ),
    ] {
        let text = plan_of(title);
        let found = told(&text);
        assert_eq!(found.len(), 1, "{title}");
        let finding = &found[0];
        assert!(finding.message.contains(&format!("did you mean `{meant}`")));
        assert_eq!(finding.severity, Severity::Info);
        assert!(text[finding.place.clone()].starts_with(&title.split('`').nth(1).unwrap()[..3]));
        let (plan, _) = plan::parse(&text);
        let made = finding.fixes[0].made_on(&text, &plan).unwrap();
        assert_eq!(made, plan_of(after));
        assert!(told(&made).is_empty(), "{made}");
    }
}

#[test]
fn a_typo_in_a_body_is_reported_but_not_in_a_code_block() {
    let found = told(&plan_of(
        "Change how rows are read\n\n  Blank lines break `read_rwos`.\n",
    ));
    assert_eq!(found.len(), 1);
    assert!(found[0].fixes.is_empty());
    let block = "Change how rows are read\n\n  ```\n  echo `read_rwos`\n  ```\n";
    assert!(told(&plan_of(block)).is_empty());
}

#[test]
fn names_that_may_be_intended_are_not_reported() {
    for title in [
        // Existing names.
        "Change `read_rows` so that blank lines are skipped",
        "Fix `ReportWriter.render_report()`",
        // Created by the step.
        "Add `read_rwos` beside it",
        "Implement `print_reprt` for empty tables",
        "Change the page to use a new `read_rwos`",
        "Fix the page and add a helper `read_rwos`",
        "Rename `read_rows` to `read_rwos`",
        "Split `read_rows` into `read_lines` and `read_rwos`",
        "Move the loop into `read_rwos`",
        // Different names, not typos.
        "Change `load_part2` so that blank lines are skipped",
        "Change `set_value` so that blank lines are skipped",
        "Change `read_row` so that blank lines are skipped",
        "Change `readRows` so that blank lines are skipped",
        "Change `READ_ROWS` so that blank lines are skipped",
        "Change `readrows()` so that blank lines are skipped",
        "Change `take_amplx` and the rest",
        "Change `write_rows` so that blank lines are skipped",
        // From another library.
        "Change the call of `csv.read_rwos`",
        "Change the call of `std::fs::read_rwos`",
        // Not code names.
        "Change `src/read_rwos.py` for blank lines",
        "Change `read_rwos.py` for blank lines",
        "Check that `make read_rwos` goes through",
        "Check `--read_rwos` with `pg_dumqs`",
        "Change read_rwos so that blank lines are skipped",
        "Change the `reprot` so that it is shorter",
        "Change `read_rwos(path, [1, 2])` for blank lines",
        "Change `read-rwos` for blank lines",
        "Change `` for blank lines",
        "Change `::` and `..` and `_____` and `a:b` for blank lines",
        // Another language.
        "Leere Zeilen in `read_rwos` auslassen",
    ] {
        assert!(told(&plan_of(title)).is_empty(), "{title}");
    }
}

#[test]
fn repeated_names_and_completed_steps_are_not_reported() {
    for text in [
        plan_of(
            "Change the page\n- [ ] **T2** Fix `read_rwos` for blanks\n- [ ] **T3** Test `read_rwos`",
        ),
        plan_of("Fix `read_rwos` for blanks\n  - accept: `read_rwos` skips them"),
        plan_of("Fix `read_rwos` for blanks\n- [ ] **T2** Count the rwos of the page"),
        "# Have read_rwos skip blanks\n\n- [ ] Fix `read_rwos` for blanks\n".to_owned(),
        plan_of("Fix the page\n- [x] **T2** Fix `read_rwos` for blanks"),
    ] {
        assert!(told(&text).is_empty(), "{text}");
    }
}

#[test]
fn it_affects_neither_score_nor_risk_and_needs_facts() {
    let text = plan_of("Change `read_rwos` so that blank lines are skipped");
    let (with, without) = (
        report(&text, &facts()),
        report(&text, &WorkspaceFacts::default()),
    );
    assert_eq!(with.findings.len(), without.findings.len() + 1);
    assert_eq!((with.score, with.badge), (without.score, without.badge));
    assert_eq!(
        (with.aggregate_unresolved_risk, with.is_too_thin),
        (without.aggregate_unresolved_risk, without.is_too_thin)
    );
}

#[test]
fn names_are_looked_up_with_their_qualifiers() {
    let text = plan_of(
        "Fix `Till::print_slip()` and `src/a.rs`\n- [ ] **T2** Add `new_name`\n- [ ] **T3** Fix `readRows` and `plain`",
    );
    let names = names_in(&plan::parse(&text).0);
    assert_eq!(
        names,
        ["Till", "print_slip", "readRows"].map(str::to_owned).into()
    );
    let many: String = (0..300).map(|at| format!("`some_name{at}` ")).collect();
    assert_eq!(
        names_in(&plan::parse(&plan_of(&format!("Fix {many}"))).0).len(),
        100
    );
}
