//! Tests of properties that every report has: its reasons, fixes and mutes, and its independence of
//! meaningless details.

use adequacy::{CheckInput, Code, Finding, PlanDepth, Report, Severity, WorkspaceFacts, check};

fn facts() -> WorkspaceFacts {
    WorkspaceFacts {
        commands: vec!["make check".into()],
        ..WorkspaceFacts::default()
    }
}

fn read(text: &str) -> Report {
    let (plan, problems) = plan::parse(text);
    check(&CheckInput {
        requirements: &[],
        plan: &plan,
        problems: &problems,
        goal: None,
        depth: PlanDepth::Standard,
        scope: &[],
        before: None,
        facts: &facts(),
        has_model: true,
    })
}

/// Plans that together have every kind of problem, and some without problems.
const PLANS: &[&str] = &[
    "# Add a --json flag and document it in the README\n\n## Tasks\n- [ ] **T1** Add the --json flag to the parser\n  - files: `src/cli.py`\n  - verify: `make check`\n",
    "# Rewrite the app in Rust\n\n## Tasks\n- [ ] **T1** Port the parser, rewrite the storage, move the window and update the handbook\n  - complexity: 10\n",
    "# Implement coupons\n\n## Requirements\n- R1 the till takes coupons\n- R2 prices are rounded\n- R3 a coupon works once\n\n## Tasks\n- [ ] **T1** Teach the till about coupons\n  - covers: R1\n- [ ] **T2** Round the prices\n  - covers: R2\n- [ ] **T3** Repaint the mascot in turquoise\n- [ ] **T4** Teach the till about coupons\n",
    "# Fix rounding in src/money/format.ts\n\n## Tasks\n- [ ] **T1** Fix rounding of half cents (or cents, which one?)\n- [ ] **T2** Make sure everything works\n",
    "# Translate help pages\n\n## Tasks\n- [ ] **T1** Translate help page one into French\n  - files: `help/fr.md`\n  - depends: none\n- [ ] **T2** Translate help page two into German\n  - files: `help/de.md`\n  - depends: T1\n- [ ] **T3** Translate help page three into Polish\n  - files: `help/pl.md`\n  - depends: T2\n- [ ] **T4** Translate help page four into Danish\n  - files: `help/da.md`\n  - depends: T3\n",
    "# Add login to app\n\n## Tasks\n- [ ] **T1** Add the login form to the start page\n  - files: `web/login.ts`\n- [ ] **T2** Create the session table\n  - files: `db/session.sql`\n- [ ] **T3** Read the session in the start page\n  - files: `web/login.ts`, `db/session.sql`\n- [ ] **T4** Write tests for the login form\n",
    "# Tidy\n",
    "# Ship the new pricing page\n\n## Tasks\n- [ ] **T1** Build the pricing page\n- [ ] **T2** Deploy the pricing page to production\n  - depends: T1\n- [ ] **T3** Test the pricing page\n  - depends: T2\n",
    "# Show a banner when the sync is stuck, log the time, and document both in the guide\n",
    "---\ngoal: Refactor the loader, add a cache and remove the old flag from the command line of the tool for good\n---\n\n## Tasks\n- [ ] Refactor the loader and add a cache and remove the old flag\n",
];

fn grave(report: &Report) -> Vec<&Finding> {
    let is_grave = |finding: &&Finding| finding.severity <= Severity::Major;
    report.findings.iter().filter(is_grave).collect()
}

#[test]
fn the_reasons_that_lowered_the_score_multiply_to_its_factor() {
    for text in PLANS {
        let report = read(text);
        let raised = report.reasons.iter();
        let product: f64 = raised.clone().map(|reason| reason.factor).product();
        // A missing check affects a dimension of the score, and the rule for `is_too_thin`.
        let is_unchecked = report
            .adequacy_reason_codes
            .contains(&Code::MissingPlanVerification);
        let product = product * if is_unchecked { 0.72 } else { 1.0 };
        assert!(
            (product - report.factor).abs() < 1e-9,
            "{text}\n{:#?}",
            report.reasons
        );
        let codes: Vec<Code> = raised.map(|reason| reason.code).collect();
        for code in &report.adequacy_reason_codes {
            assert!(codes.contains(code), "{code}");
        }
        for reason in &report.reasons {
            assert!((0.0..=1.0).contains(&reason.factor));
            assert!(
                reason.message.ends_with('.') && !reason.message.contains('\n'),
                "{}",
                reason.message
            );
        }
    }
}

#[test]
fn each_dimension_explains_its_credit_and_what_would_add_most() {
    let report = read(
        "# Let the till take coupons\n\n## Tasks\n- [ ] **T1** Read `COUPON-17` in `till/coupons.py` and take its value from the sum\n  - verify: `make check`\n- [ ] **T2** Do the rest\n",
    );
    let names: Vec<&str> = report
        .dimensions
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["coverage", "substance", "checks", "order"]);
    let missing = |at: usize| {
        report.dimensions[at]
            .missing
            .as_ref()
            .expect("something is missing")
    };
    assert_eq!((missing(1).line, missing(2).line), (Some(6), Some(6)));
    // The actual gain is at least the predicted one; the words of the command also add a little
    // substance.
    let with_check = read(
        "# Let the till take coupons\n\n## Tasks\n- [ ] **T1** Read `COUPON-17` in `till/coupons.py` and take its value from the sum\n  - verify: `make check`\n- [ ] **T2** Do the rest\n  - verify: `make check`\n",
    );
    let gained = with_check.score - report.score;
    assert!(gained >= missing(2).adds - 1e-9 && gained < missing(2).adds * 1.3);
}

#[test]
fn every_fix_works_and_adds_no_severe_finding() {
    /// Fixes made by rules that have their own tests.
    const OWN: &[Code] = &[
        Code::NoTasks,
        Code::TooFewTasks,
        Code::MissingPlanVerification,
        Code::FlatDependencyGraph,
        Code::GoalPathsUnlinked,
        Code::UncoveredRequirement,
        Code::UncoveredGoal,
        Code::UnmappedTask,
        Code::DuplicateTask,
        Code::OversizedTask,
        Code::RedundantDependency,
        Code::OpenQuestion,
        Code::MuteIncomplete,
    ];
    let mut made = 0;
    let mut seen = std::collections::BTreeSet::new();
    for text in PLANS {
        let report = read(text);
        let (plan, _) = plan::parse(text);
        for finding in &report.findings {
            assert!(
                finding.question.is_none()
                    || !OWN.contains(&finding.code)
                    || finding.fixes.len() >= 2
            );
            for fix in finding.fixes.iter().filter(|_| OWN.contains(&finding.code)) {
                let after = fix
                    .made_on(text, &plan)
                    .unwrap_or_else(|error| panic!("{}: {error}\n{text}", fix.label));
                let now = read(&after);
                let what = format!(
                    "{} by “{}”:\n{text}\nbecomes\n{after}",
                    finding.code, fix.label
                );
                assert!(
                    now.findings.iter().all(|other| other.id != finding.id),
                    "{what}"
                );
                let known: Vec<&str> = report
                    .findings
                    .iter()
                    .map(|finding| finding.code.as_str())
                    .collect();
                for new in grave(&now) {
                    assert!(
                        known.contains(&new.code.as_str()),
                        "{} is new: {what}",
                        new.code
                    );
                }
                made += 1;
                seen.insert(finding.code.as_str());
            }
        }
    }
    assert!(made >= 15 && seen.len() >= 11, "{made} fixes of {seen:?}");
    for code in [
        "too_few_tasks",
        "missing_plan_verification",
        "uncovered_goal",
        "unmapped_task",
        "open_question",
    ] {
        assert!(seen.contains(code), "{code} of {seen:?}");
    }
}

#[test]
fn a_mute_with_a_reason_does_not_improve_the_rating() {
    let loud = PLANS[2];
    let muted = loud.replace(
        "turquoise\n",
        "turquoise\n  - mute: unmapped_task the shop wants it\n",
    );
    let before = read(loud);
    let after = read(&muted);
    let found = |report: &Report, code| {
        report
            .findings
            .iter()
            .find(|finding| finding.code == code)
            .cloned()
    };
    let finding = found(&after, Code::UnmappedTask).unwrap();
    assert_eq!(finding.muted.as_deref(), Some("the shop wants it"));
    assert_eq!(before.findings.len(), after.findings.len());
    assert_eq!(
        (before.score, before.badge, before.is_too_thin),
        (after.score, after.badge, after.is_too_thin)
    );
    let others = after
        .findings
        .iter()
        .filter(|finding| finding.code != Code::UnmappedTask);
    assert!(others.into_iter().all(|finding| finding.muted.is_none()));

    let whole = format!("---\nmute: [\"uncovered_requirement next week\"]\n---\n{loud}");
    let after = read(&whole);
    let finding = found(&after, Code::UncoveredRequirement).unwrap();
    assert_eq!(finding.muted.as_deref(), Some("next week"));
    assert_eq!(before.score.to_bits(), after.score.to_bits());
}

#[test]
fn an_incomplete_mute_is_reported_and_mutes_nothing() {
    for line in [
        "unmapped_task",
        "unmapped_task  ",
        "nonsense because of that",
    ] {
        let text = PLANS[2].replace("turquoise\n", &format!("turquoise\n  - mute: {line}\n"));
        let report = read(&text);
        assert!(
            report
                .findings
                .iter()
                .all(|finding| finding.muted.is_none()),
            "{line}"
        );
        let codes: Vec<&str> = report
            .findings
            .iter()
            .map(|finding| finding.code.as_str())
            .collect();
        assert!(codes.contains(&"mute_incomplete"), "{line}: {codes:?}");
        let whole = read(&format!("---\nmute: [\"{line}\"]\n---\n{}", PLANS[2]));
        assert!(
            whole
                .findings
                .iter()
                .any(|finding| finding.code == Code::MuteIncomplete),
            "{line}"
        );
    }
}

#[test]
fn meaningless_order_does_not_affect_the_report() {
    let ids = |text: &str| {
        let mut ids: Vec<String> = read(text)
            .findings
            .into_iter()
            .map(|finding| finding.id)
            .collect();
        ids.sort();
        ids
    };
    let text = PLANS[2];
    assert_eq!(read(text), read(text));
    let swapped = text.replace(
        "- R1 the till takes coupons\n- R2 prices are rounded\n",
        "- R2 prices are rounded\n- R1 the till takes coupons\n",
    );
    assert_ne!(text, swapped);
    assert_eq!(ids(text), ids(&swapped));
    let keys = "  - files: `web/login.ts`\n  - complexity: 3\n";
    let turned = "  - complexity: 3\n  - files: `web/login.ts`\n";
    let one = PLANS[5].replacen("  - files: `web/login.ts`\n", keys, 1);
    let other = PLANS[5].replacen("  - files: `web/login.ts`\n", turned, 1);
    assert_ne!(one, other);
    assert_eq!(ids(&one), ids(&other));
}

#[test]
fn every_code_is_known_by_its_name() {
    for code in Code::ALL {
        assert_eq!(Code::from_name(code.as_str()), Some(*code));
    }
    assert_eq!(Code::from_name("Vague_Short"), None);
}

/// Enough steps for the check to use several threads.
fn large() -> String {
    let mut text = String::from(
        "# Move every report, delete the old ones and publish the guide\n\n## Requirements\n- R1 reports keep their columns\n- R2 the guide is published\n\n## Tasks\n",
    );
    for number in 1..=1_500 {
        let line = match number % 6 {
            0 => format!("- [ ] **T{number}** Delete the table of report {number}\n"),
            1 => format!(
                "- [ ] **T{number}** Move report {number}\n  - covers: R1\n  - files: `src/r{number}.py`\n"
            ),
            2 => format!(
                "- [ ] **T{number}** Fix stuff\n  - depends: T{}, T9999\n",
                number + 3
            ),
            3 => format!(
                "- [ ] **T{number}** Move report {number}\n  - files: `src/r{number}.py`\n  - depends: T{}\n",
                number - 1
            ),
            4 => format!("- [ ] **T{number}** TBD\n  - verify: `make check`\n"),
            _ => format!("- [ ] **T{number}** Publish report {}\n", number % 10),
        };
        text.push_str(&line);
    }
    text
}

#[test]
fn the_number_of_threads_does_not_affect_the_report() {
    let text = large();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| read(&text))
    };
    let alone = on(1);
    assert!(alone.findings.len() > 1_000, "{}", alone.findings.len());
    for threads in [2, 3, 8] {
        assert_eq!(on(threads), alone, "{threads} threads");
    }
}
