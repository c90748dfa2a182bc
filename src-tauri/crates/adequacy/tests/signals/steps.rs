//! Tests of findings about single steps.

use adequacy::{Code, Mend, Severity, WorkspaceFacts};
use plan::{IdOrigin, Task};

use crate::build::{Ask, With, codes_of, codes_of_step, finding, grouped, plan, report, step};

const NOTHING: [&str; 0] = [];

#[test]
fn a_short_step_is_vague_unless_something_says_what_it_does() {
    assert_eq!(codes_of_step(step("T1", "Parser")), ["vague_short"]);
    assert_eq!(
        codes_of_step(step("T1", "Parser").accept("empty input gives no rows")),
        NOTHING
    );
    assert_eq!(
        codes_of_step(step("T1", "Parser").call(r#"read_file {"path": "a.py"}"#)),
        NOTHING
    );
    assert_eq!(
        codes_of_step(step("T1", "Parser").call(r#"read_file {"path": "#)),
        ["vague_short"]
    );
    assert_eq!(codes_of_step(step("T1", "Parser").by_person()), NOTHING);
    let body = Task {
        body: "Accept empty input.".into(),
        ..step("T1", "Parser")
    };
    assert_eq!(codes_of_step(body), NOTHING);
}

#[test]
fn vague_words_weigh_less_for_a_person() {
    let plan = plan("Tidy the shop", [step("T1", "Improve the reader somehow")]);
    let severity = |has_model| {
        let report = Ask {
            has_model,
            ..Ask::about(&plan)
        }
        .check();
        finding(&report, Code::VaguePhrase).severity
    };
    assert_eq!(severity(true), Severity::Major);
    assert_eq!(severity(false), Severity::Minor);
    assert_eq!(
        codes_of_step(step("T1", "Improve the reader somehow").by_person()),
        NOTHING
    );
}

#[test]
fn destructive_actions_are_found_except_in_acceptance_criteria() {
    let danger = ["risk_destructive"];
    assert_eq!(
        codes_of_step(step("T1", "Remove the output with rm -rf dist")),
        danger
    );
    let called =
        step("T1", "Remove the old output").call(r#"run_command {"command": "rm -rf dist"}"#);
    assert_eq!(codes_of_step(called), danger);
    assert_eq!(
        codes_of_step(step("T1", "Remove the old output").verify("git push --force; make check")),
        danger
    );
    assert_eq!(
        codes_of_step(step("T1", "Guard the shell tool").accept("`rm -rf /` is refused")),
        NOTHING
    );
    let edit = step("T1", "Warn in the guide")
        .call(r#"edit_file {"path": "g.md", "old_text": "x", "new_text": "beware of rm -rf"}"#);
    assert_eq!(codes_of_step(edit), NOTHING);
}

#[test]
fn a_destructive_step_is_critical_and_asks_a_question() {
    let report = report(&plan(
        "Tidy the shop",
        [step("T1", "Run `rm -rf /var/old` on the host")],
    ));
    assert_eq!(report.critical_count, 1);
    assert!(report.aggregate_unresolved_risk > 0.2);
    let finding = finding(&report, Code::RiskDestructive);
    assert_eq!(finding.severity, Severity::Critical);
    assert!(
        finding.message.contains("“rm -rf /var/old”"),
        "{}",
        finding.message
    );
    assert!(
        finding
            .question
            .as_deref()
            .is_some_and(|question| question.contains("/var/old"))
    );
}

#[test]
fn placeholders_are_found_in_text_and_paths() {
    let tbd = ["tbd_placeholder"];
    assert_eq!(
        codes_of_step(step("T1", "Move the till to a module").files(&["src/TBD"])),
        tbd
    );
    assert_eq!(
        codes_of_step(step("T1", "Move the till to a module").accept("tbd")),
        tbd
    );
    assert_eq!(
        codes_of_step(step("T1", "Move the till to a module").files(&["src/outbd.rs"])),
        NOTHING
    );
    assert_eq!(
        codes_of_step(step("T1", "Sign the form, date TBD").by_person()),
        tbd
    );
}

#[test]
fn empty_paths_are_found_in_files_and_calls() {
    let empty = ["manifest_empty_path"];
    assert_eq!(
        codes_of_step(step("T1", "Move the till to a module").files(&[" "])),
        empty
    );
    let read = step("T1", "Look at the till").call(r#"read_file {"path": ""}"#);
    assert_eq!(codes_of_step(read), empty);
    let list = step("T1", "Look at the till").call(r#"list_files {"path": ""}"#);
    assert_eq!(codes_of_step(list), NOTHING);
}

#[test]
fn a_dependency_must_be_an_earlier_task_outside_the_step() {
    let step_after = |ids: &[&str]| {
        let plan = plan(
            "Tidy the shop",
            [
                step("T1", "Sort the shelves by colour"),
                step("G", "Everything about the till"),
                step("T2", "Teach the till about coupons").after(ids),
                step("T3", "Teach the till about refunds"),
            ],
        );
        codes_of(&report(&grouped(plan, 1, &[2, 3])), "T2")
    };
    assert_eq!(step_after(&["T1"]), NOTHING);
    for wrong in [["T9"], ["T2"], ["T3"], ["G"]] {
        assert_eq!(
            step_after(&wrong),
            ["deps_incomplete_or_order"],
            "{wrong:?}"
        );
    }
    assert_eq!(
        step_after(&["T9", "T3"]),
        ["deps_incomplete_or_order"],
        "once per task"
    );
}

#[test]
fn a_step_can_wait_for_an_earlier_group() {
    let plan = plan(
        "Tidy the shop",
        [
            step("G", "Everything about the till"),
            step("T1", "Teach the till about coupons"),
            step("T2", "Sort the shelves by colour").after(&["G"]),
        ],
    );
    assert_eq!(codes_of(&report(&grouped(plan, 0, &[1])), "T2"), NOTHING);
}

#[test]
fn a_wrong_id_is_fixed_if_the_edit_is_obvious() {
    // The text that the spans point to; the value of each field starts at offset 100.
    let mend = |value: &str, ids: &[&str]| {
        let plan = plan(
            "Tidy the shop",
            [
                step("T1", "Sort the shelves by colour"),
                step("T2", "Teach the till about coupons")
                    .after(ids)
                    .field("depends", value, 100),
            ],
        );
        let report = report(&plan);
        let fix = finding(&report, Code::DepsIncompleteOrOrder)
            .fixes
            .first()?
            .clone();
        let Mend::Splice(splice) = fix.mends.first()? else {
            return None;
        };
        let mut mended = value.to_owned();
        mended.replace_range(
            splice.range.start - 100..splice.range.end - 100,
            &splice.text,
        );
        Some(mended)
    };
    assert_eq!(mend("t1", &["t1"]).as_deref(), Some("T1"));
    assert_eq!(mend("T9, T1", &["T9", "T1"]).as_deref(), Some("T1"));
    assert_eq!(mend("T1, T9", &["T1", "T9"]).as_deref(), Some("T1"));
    assert_eq!(
        mend("T9", &["T9"]),
        None,
        "nothing would be left to wait for"
    );
}

#[test]
fn a_call_on_a_missing_file_is_found() {
    let read = |id: &str| step(id, "Look at the report").call(r#"read_file {"path": "./out.csv"}"#);
    let codes = |plan: &plan::Plan, paths: Option<&[&str]>| {
        let paths = paths.map(|paths| paths.iter().map(|path| (*path).to_owned()).collect());
        let facts = WorkspaceFacts {
            paths,
            ..WorkspaceFacts::default()
        };
        codes_of(
            &Ask {
                facts,
                ..Ask::about(plan)
            }
            .check(),
            "T2",
        )
    };
    let alone = plan(
        "Tidy the shop",
        [step("T1", "Sort the shelves"), read("T2")],
    );
    assert_eq!(codes(&alone, Some(&["in.csv"])), ["path_missing"]);
    assert_eq!(codes(&alone, Some(&["out.csv"])), NOTHING);
    assert_eq!(
        codes(&alone, None),
        NOTHING,
        "what is not known raises nothing"
    );
    let written = plan(
        "Tidy",
        [
            step("T1", "Export the rows").files(&["out.csv"]),
            read("T2"),
        ],
    );
    assert_eq!(codes(&written, Some(&[])), NOTHING);
    let command = step("T1", "Export the rows").call(r#"run_command {"command": "make out"}"#);
    assert_eq!(
        codes(&plan("Tidy", [command, read("T2")]), Some(&[])),
        NOTHING
    );
}

#[test]
fn a_repeated_step_is_a_duplicate_unless_details_differ() {
    let again = |file: &str| {
        plan(
            "Tidy the shop",
            [
                step("T1", "Sort the shelves by colour").files(&["a.txt"]),
                step("T2", "Sort the  shelves by Colour.").files(&[file]),
            ],
        )
    };
    assert_eq!(codes_of(&report(&again("a.txt")), "T2"), ["duplicate_task"]);
    assert_eq!(codes_of(&report(&again("a.txt")), "T1"), NOTHING);
    assert_eq!(codes_of(&report(&again("b.txt")), "T2"), NOTHING);
}

#[test]
fn words_without_content_are_filler_unless_something_is_done() {
    assert_eq!(
        codes_of_step(step("T1", "Make sure everything works")),
        ["filler_task"]
    );
    assert_eq!(
        codes_of_step(step("T1", "Make sure everything works").verify("make check")),
        NOTHING
    );
    assert_eq!(
        codes_of_step(step("T1", "Make sure the till works")),
        NOTHING
    );
    for words in [
        "Follow best practices",
        "Keep the code clean and tidy",
        "Communicate with stakeholders",
        "Think about edge cases",
        "Polish the result",
    ] {
        assert_eq!(codes_of_step(step("T1", words)), ["filler_task"], "{words}");
    }
    assert_eq!(codes_of_step(step("T1", "Polish the brass sign")), NOTHING);
}

#[test]
fn filler_does_not_improve_a_thin_plan() {
    let goal = "Add single sign-on to the customer portal with audit logging and an emergency local login for administrators";
    let filler = [
        "Follow best practices",
        "Make sure everything works",
        "Keep the code clean and tidy",
        "Think about edge cases",
        "Communicate with stakeholders",
        "Polish the result",
    ];
    let mut steps = vec![step("T1", "Add single sign-on to the portal and test it")];
    for (at, words) in (2..).zip(filler) {
        steps.push(step(&format!("T{at}"), words));
    }
    let report = report(&plan(goal, steps));
    assert!(report.is_too_thin, "{report:#?}");
    finding(&report, Code::TooFewTasks);
}

#[test]
fn a_step_without_an_id_is_referred_to_by_line() {
    let unnamed = Task {
        id_origin: IdOrigin::Positional,
        ..step("1", "Parser")
    };
    let report = report(&plan("Tidy the shop", [unnamed]));
    let message = &finding(&report, Code::VagueShort).message;
    assert!(
        message.starts_with("The step on line 10 says only “Parser”"),
        "{message}"
    );
}
