//! Tests of destructive steps and their safeguards.

use adequacy::{Code, Finding, Severity};
use plan::Task;

use crate::build::{With, checkpoint, close, finding, plan, report, step};

fn danger(id: &str) -> Task {
    step(
        id,
        "The storage of the production database should be cleared",
    )
}

fn severity(tasks: impl IntoIterator<Item = Task>) -> Severity {
    finding(
        &report(&plan("Tidy the shop", tasks)),
        Code::RiskDestructive,
    )
    .severity
}

#[test]
fn a_word_in_the_destructive_step_is_no_safeguard() {
    for title in [
        "Confirm and delete all rows",
        "Delete all rows, with a backup at hand",
        "Back up the rows and then delete all rows",
        "Force push main; a rollback is possible",
    ] {
        assert_eq!(severity([step("T1", title)]), Severity::Critical, "{title}");
    }
}

#[test]
fn a_guarded_destructive_step_is_reported_without_a_penalty() {
    let subject = plan(
        "Tidy the shop",
        [step("T1", "Back up the production database"), danger("T2")],
    );
    let report = report(&subject);
    let found = finding(&report, Code::RiskDestructive);
    assert_eq!(found.severity, Severity::Info);
    assert!(found.message.contains("T1"), "{}", found.message);
    assert!(found.fixes.is_empty() && found.question.is_none());
    assert!(close(report.aggregate_unresolved_risk, 0.0));
    assert_eq!(report.critical_count, 0);
}

#[test]
fn a_safeguard_comes_before_or_rolls_back_after() {
    let backup = |id: &str| step(id, "Take a backup of the production database");
    assert_eq!(severity([backup("T1"), danger("T2")]), Severity::Info);
    assert_eq!(severity([checkpoint("C1"), danger("T2")]), Severity::Info);
    assert_eq!(
        severity([backup("T1"), danger("T2").after(&[])]),
        Severity::Critical,
        "it may run first"
    );
    assert_eq!(
        severity([danger("T1"), backup("T2")]),
        Severity::Critical,
        "too late"
    );
    assert_eq!(
        severity([
            danger("T1"),
            step("T2", "Restore the production database from the dump")
        ]),
        Severity::Info,
        "a way back behind it"
    );
    assert_eq!(
        severity([
            danger("T1"),
            step("T2", "Restore the production database from the dump").after(&[])
        ]),
        Severity::Critical,
        "a way back of nothing"
    );
    let named = danger("T1").field("rollback", "T2", 100);
    assert_eq!(
        severity([
            named,
            step("T2", "Restore the production database from the dump").after(&[])
        ]),
        Severity::Info,
        "a way back that it names"
    );
}

#[test]
fn a_safeguard_is_about_the_same_thing() {
    let coupons = || step("T2", "Drop table coupons");
    assert_eq!(
        severity([step("T1", "Back up the orders table"), coupons()]),
        Severity::Critical
    );
    assert_eq!(
        severity([step("T1", "Back up the coupons table"), coupons()]),
        Severity::Info
    );
    assert_eq!(
        severity([step("T1", "Sichere die Datenbank"), coupons()]),
        Severity::Info
    );
    assert_eq!(
        severity([step("T1", "Update the snapshot tests"), coupons()]),
        Severity::Critical
    );
}

#[test]
fn the_place_is_the_words() {
    let text = "# P\n\n- [ ] **T1** Then drop table coupons\n- [ ] **T2** Tidy the shelves\n  - verify: git push -f\n";
    let report = report(&plan::parse(text).0);
    let places: Vec<_> = report
        .findings
        .iter()
        .filter(|finding| finding.code == Code::RiskDestructive)
        .map(|finding: &Finding| finding.place.clone())
        .collect();
    assert_eq!(&text[places[0].clone()], "drop table coupons");
    assert_eq!(&text[places[1].clone()], "push -f");
}

#[test]
fn a_later_prerequisite_is_minor_unless_it_creates_a_cycle() {
    let of = |tasks: [Task; 2]| {
        let report = report(&plan("Tidy the shop", tasks));
        let found = finding(&report, Code::DepsIncompleteOrOrder).clone();
        (
            found.severity,
            found.fixes.len(),
            report.aggregate_unresolved_risk,
        )
    };
    let (severity, fixes, risk) = of([
        step("T1", "Teach the till about coupons").after(&["T2"]),
        step("T2", "Write tests for the till").after(&[]),
    ]);
    assert_eq!((severity, fixes), (Severity::Minor, 1));
    assert!(close(risk, 0.0));
    let (severity, _, risk) = of([
        step("T1", "Teach the till about coupons").after(&["T2"]),
        step("T2", "Write tests for the till").after(&["T1"]),
    ]);
    assert_eq!(severity, Severity::Major);
    assert!(risk > 0.2);
}
