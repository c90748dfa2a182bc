//! Tests of the original rules at their boundaries: codes, factor and verdict together. The
//! original score is now a factor applied to the four dimensions.

use adequacy::PlanDepth;
use plan::Plan;

use crate::build::{Ask, With, close, codes_of, plan, plan_codes, report, step};

struct Expect<'a> {
    codes: &'a [&'a str],
    score: f64,
    thin: bool,
}

#[track_caller]
fn expect(report: &adequacy::Report, expected: &Expect<'_>) {
    let mut codes = plan_codes(report);
    codes.sort_unstable();
    let mut wanted = expected.codes.to_vec();
    wanted.sort_unstable();
    assert_eq!(codes, wanted);
    assert!(
        close(report.factor, expected.score),
        "score {}",
        report.factor
    );
    assert_eq!(report.is_too_thin, expected.thin);
}

const FINE: Expect<'_> = Expect {
    codes: &[],
    score: 1.0,
    thin: false,
};

fn one_small_step(goal: &str) -> Plan {
    plan(
        goal,
        [step(
            "T1",
            "Change the caption of the filter box and run its test",
        )],
    )
}

/// A text of seventeen words.
const LONG_GOAL: &str =
    "Tell the reader on the front page when the nightly import has not finished by six o'clock";

#[test]
fn six_words_need_one_step() {
    let goal = "Change the caption of the filter";
    expect(&report(&one_small_step(goal)), &FINE);
}

#[test]
fn seventeen_words_need_four_steps() {
    let steps = [
        step("T1", "Add a late-import probe to the scheduler"),
        step("T2", "Show the notice and cover it with a test").after(&["T1"]),
        step("T3", "Describe the notice in the handbook").after(&["T2"]),
    ];
    let codes: &[&str] = &["too_few_tasks"];
    let two = plan(LONG_GOAL, steps[..2].to_vec());
    expect(
        &report(&two),
        &Expect {
            codes,
            score: 0.775,
            thin: true,
        },
    );
    let three = plan(LONG_GOAL, steps);
    expect(
        &report(&three),
        &Expect {
            codes,
            score: 0.8875,
            thin: false,
        },
    );
    let deep = Ask {
        depth: PlanDepth::Deep,
        ..Ask::about(&three)
    }
    .check();
    expect(
        &deep,
        &Expect {
            codes,
            score: 0.775,
            thin: true,
        },
    );
    let minimal = Ask {
        depth: PlanDepth::Minimal,
        ..Ask::about(&three)
    }
    .check();
    expect(&minimal, &FINE);
}

#[test]
fn a_file_in_scope_raises_a_short_goals_complexity() {
    let small = one_small_step("Change the caption of the filter");
    let scope = ["web/filter.html".to_owned()];
    let lifted = Ask {
        scope: &scope,
        ..Ask::about(&small)
    }
    .check();
    assert_eq!(lifted.estimated_goal_complexity, 6);
    expect(
        &lifted,
        &Expect {
            codes: &["too_few_tasks"],
            score: 0.6625,
            thin: true,
        },
    );
}

#[test]
fn two_giant_steps_are_not_a_plan() {
    let giant =
        |id, part: &str, size| step(id, &format!("Write all of {part} with tests")).size(size);
    let nine = plan(
        "Replace the print queue",
        [
            giant("T1", "the spooler", 9),
            giant("T2", "the driver", 9).after(&["T1"]),
        ],
    );
    expect(
        &report(&nine),
        &Expect {
            codes: &["mega_task_cluster"],
            score: 0.78,
            thin: true,
        },
    );
    let eight = plan(
        "Replace the print queue",
        [
            giant("T1", "the spooler", 9),
            giant("T2", "the driver", 8).after(&["T1"]),
        ],
    );
    expect(&report(&eight), &FINE);
}

#[test]
fn a_behavior_change_needs_a_check() {
    let steps = [
        step("T1", "Put a PDF writer beside the invoice view"),
        step("T2", "Add a download button to the invoice view").after(&["T1"]),
    ];
    let unchecked = plan("Implement PDF download for invoices", steps.clone());
    let codes: &[&str] = &["missing_plan_verification"];
    expect(
        &report(&unchecked),
        &Expect {
            codes,
            score: 0.72,
            thin: true,
        },
    );
    let other_goal = plan("PDF download for the invoices", steps.clone());
    expect(&report(&other_goal), &FINE);
    for checked in [
        steps[1].clone().verify("npm run pdf"),
        steps[1].clone().accept("a saved file opens in a reader"),
        steps[1].clone().files(&["tests/invoice.py"]),
        steps[1]
            .clone()
            .call(r#"run_command {"command": "cargo clippy"}"#),
    ] {
        let plan = plan(
            "Implement PDF download for invoices",
            [steps[0].clone(), checked],
        );
        assert!(!plan_codes(&report(&plan)).contains(&"missing_plan_verification"));
    }
    let sham = steps[1].clone();
    let sham = plan(
        "Implement PDF download",
        [plan::Task {
            title: "Use the latest contest banner".into(),
            ..sham
        }],
    );
    assert!(plan_codes(&report(&sham)).contains(&"missing_plan_verification"));
}

#[test]
fn four_steps_need_dependencies() {
    let titles = [
        "Draw the sign-in page for guests",
        "Create the guest table by migration",
        "Link the page from the menu bar",
        "Write tests for the sign-in page",
    ];
    let flat = titles
        .iter()
        .zip(["T1", "T2", "T3", "T4"])
        .map(|(title, id)| step(id, title));
    let flat: Vec<_> = flat.collect();
    let codes: &[&str] = &["flat_dependency_graph"];
    let whole = report(&plan("Let guests sign in", flat.clone()));
    expect(
        &whole,
        &Expect {
            codes,
            score: 0.85,
            thin: false,
        },
    );
    expect(
        &report(&plan("Let guests sign in", flat[..3].to_vec())),
        &FINE,
    );
    let mut ordered = flat;
    ordered[3] = ordered[3].clone().after(&["T1"]);
    expect(&report(&plan("Let guests sign in", ordered)), &FINE);
}

#[test]
fn a_path_in_the_goal_needs_a_linked_file() {
    let lone = |goal: &str, files: &[&str]| {
        plan(
            goal,
            [step("T1", "Round half pennies to even and add a unit test").files(files)],
        )
    };
    let codes: &[&str] = &["goal_paths_unlinked"];
    let unlinked = Expect {
        codes,
        score: 0.80,
        thin: true,
    };
    expect(
        &report(&lone("Correct rounding in src/cash/print.ts", &[])),
        &unlinked,
    );
    expect(
        &report(&lone("Correct rounding in `lib/cash.py`.", &[])),
        &unlinked,
    );
    expect(
        &report(&lone("Correct rounding in src/cash/print.ts", &["TBD"])).clone(),
        &Expect { ..unlinked },
    );
    expect(
        &report(&lone(
            "Correct rounding in src/cash/print.ts",
            &["src/cash/print.ts"],
        )),
        &FINE,
    );
    for goal in [
        "Correct rounding in lib/cash/print",
        "Round and/or cut",
        "See https://a.example/b.html",
    ] {
        expect(&report(&lone(goal, &[])), &FINE);
    }
}

#[test]
fn many_short_unlinked_steps_are_reported() {
    let short = |id, title, after: &[&str]| step(id, title).after(after);
    let steps = vec![
        short("T1", "Add the probe", &[]),
        short("T2", "Add the notice", &["T1"]),
        short("T3", "Test the notice", &["T2"]),
        short("T4", "Describe the notice", &["T3"]),
    ];
    let codes: &[&str] = &["verbose_but_low_surface"];
    expect(
        &report(&plan(LONG_GOAL, steps.clone())),
        &Expect {
            codes,
            score: 0.86,
            thin: false,
        },
    );
    let mut linked = steps;
    linked[0] = linked[0].clone().files(&["a.py"]);
    linked[1] = linked[1].clone().files(&["b.py"]);
    expect(&report(&plan(LONG_GOAL, linked)), &FINE);
}

#[test]
fn steps_with_the_same_opening_are_reported() {
    let alike = |id, part: &str, after: &[&str]| {
        step(id, &format!("Polish the account screen {part}")).after(after)
    };
    let steps = vec![
        alike("T1", "header", &[]),
        alike("T2", "footer", &["T1"]),
        alike("T3", "labels", &["T2"]),
        step("T4", "Write tests for every screen").after(&["T3"]),
    ];
    let codes: &[&str] = &["repeated_task_phrasing"];
    expect(
        &report(&plan("Polish account screens", steps.clone())),
        &Expect {
            codes,
            score: 0.88,
            thin: false,
        },
    );
    let mut own_files = steps.clone();
    for (step, file) in own_files
        .iter_mut()
        .zip(["head.html", "foot.html", "labels.html"])
    {
        step.files = vec![file.to_owned()];
    }
    expect(&report(&plan("Polish account screens", own_files)), &FINE);
    let mut two = steps;
    two[2] = step("T3", "Rename the labels of the form").after(&["T2"]);
    expect(&report(&plan("Polish account screens", two)), &FINE);
}

#[test]
fn only_a_rewrite_that_shrank_is_a_regression() {
    let steps = vec![
        step("T1", "Find where the mailer picks its encoding").files(&["src/mail.rs"]),
        step("T2", "Send every header as UTF-8 from the mailer")
            .files(&["src/mail.rs"])
            .after(&["T1"]),
        step("T3", "Write regression tests for Greek subjects")
            .files(&["tests/mail.rs"])
            .after(&["T2"]),
        step("T4", "Mention the new encoding in the changelog").after(&["T3"]),
    ];
    let goal = "Correct the mailer's header encoding";
    let before = plan(goal, steps[..3].to_vec());
    let grown = plan(goal, steps);
    expect(
        &Ask {
            before: Some(&before),
            ..Ask::about(&grown)
        }
        .check(),
        &FINE,
    );
    let shrunk = plan(
        goal,
        [step("T1", "Correct the mailer and test it").files(&["src/mail.rs"])],
    );
    let codes: &[&str] = &[
        "possible_rewrite_compression",
        "file_linkage_reduced",
        "description_mass_reduced",
    ];
    let against = Ask {
        before: Some(&before),
        ..Ask::about(&shrunk)
    }
    .check();
    expect(
        &against,
        &Expect {
            codes,
            score: 0.66555,
            thin: true,
        },
    );
    expect(&report(&shrunk), &FINE);
}

#[test]
fn twelve_bytes_are_enough() {
    for (title, codes) in [
        ("Rerun checks", vec![]),
        ("Rerun check", vec!["vague_short"]),
    ] {
        assert_eq!(
            codes_of(&report(&plan("Tidy up", [step("T1", title)])), "T1"),
            codes
        );
    }
}

#[test]
fn an_undecided_detail_makes_a_lone_step_thin() {
    let plan = plan(
        "Tidy the shop",
        [step("T1", "Move the till to its own module, name TBD")],
    );
    let report = report(&plan);
    assert_eq!(codes_of(&report, "T1"), ["tbd_placeholder", "vague_phrase"]);
    assert!(close(report.aggregate_unresolved_risk, 1.0 - 0.75 * 0.70));
    expect(&report, &Expect { thin: true, ..FINE });
}

#[test]
fn a_dependency_on_a_later_step_is_named_and_not_yet_thin() {
    let plan = plan(
        "Tidy the shop",
        [
            step("T1", "Teach the till about coupons").after(&["T2"]),
            step("T2", "Write tests for the till"),
        ],
    );
    let report = report(&plan);
    assert_eq!(codes_of(&report, "T1"), ["deps_incomplete_or_order"]);
    assert_eq!(codes_of(&report, "T2"), [""; 0]);
    assert!(close(report.aggregate_unresolved_risk, 0.45 / 2.0));
    expect(&report, &FINE);
}

#[test]
fn complexity_seven_needs_a_mention_of_tests() {
    let sized = |size| step("T1", "Rebuild the till for the new coupons").size(size);
    let codes = |task| codes_of(&report(&plan("Tidy the shop", [task])), "T1");
    assert_eq!(codes(sized(6)), [""; 0]);
    assert_eq!(codes(sized(7)), ["heavy_without_test_hint"]);
    assert_eq!(codes(sized(7).verify("make check")), [""; 0]);
    assert_eq!(
        codes(step("T1", "Rebuild the till and test it").size(9)),
        [""; 0]
    );
}

#[test]
fn three_linked_steps_of_complexity_six_need_no_preconditions() {
    let linked =
        |id, title, file, after: &[&str]| step(id, title).size(6).files(&[file]).after(after);
    let plan = plan(
        "Better messages from the loader",
        [
            linked(
                "T1",
                "Name the line in messages of the reader",
                "src/read.rs",
                &[],
            ),
            linked(
                "T2",
                "Name the file in messages of the linker",
                "src/link.rs",
                &["T1"],
            ),
            linked(
                "T3",
                "Write tests for the messages",
                "src/tests.rs",
                &["T2"],
            ),
        ],
    );
    expect(&report(&plan), &FINE);
}

#[test]
fn the_longest_goals_need_eight_steps() {
    for words in [150, 256, 300] {
        let goal = vec!["wish"; words].join(" ");
        let report = report(&one_small_step(&goal));
        assert_eq!(
            (
                report.estimated_goal_complexity,
                report.detail_target_min_tasks
            ),
            (9, 8)
        );
        expect(
            &report,
            &Expect {
                codes: &["too_few_tasks"],
                score: 0.60625,
                thin: true,
            },
        );
    }
}

#[test]
fn one_large_step_for_a_wide_goal_is_thin() {
    let goal = "move sessions out of crates/shop-core and crates/shop-web, write it up, and add regression tests";
    let report = report(&plan(
        goal,
        [step("T1", "carry out the move of sessions").size(8)],
    ));
    assert!(report.is_too_thin);
    assert!(plan_codes(&report).contains(&"too_few_tasks"));
}

#[test]
fn a_chain_of_linked_and_tested_steps_is_adequate() {
    let ids = ["T1", "T2", "T3", "T4", "T5", "T6"];
    let steps = ids.iter().enumerate().map(|(nth, id)| {
        let file = if nth % 2 == 0 {
            "crates/shop-web/src/lib.rs"
        } else {
            "crates/shop-core/src/lib.rs"
        };
        let title = format!(
            "Part {}: real change in shop-web or shop-core; verify with cargo test",
            nth + 1
        );
        let before: Vec<&str> = nth
            .checked_sub(1)
            .map(|before| ids[before])
            .into_iter()
            .collect();
        step(id, &title).size(5).files(&[file]).after(&before)
    });
    let goal = "move sessions out of crates/shop-core and crates/shop-web, write it up, and add regression tests";
    let plan = plan(goal, steps);
    let scope = ["a.rs".to_owned(), "b.rs".to_owned()];
    let deep = Ask {
        scope: &scope,
        depth: PlanDepth::Deep,
        ..Ask::about(&plan)
    }
    .check();
    expect(&deep, &FINE);
}
