//! Replays fifty expansions with typical replies of models.

mod replies;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use adequacy::expansion::{Event, LoopMode, Outcome, Settings, StopReason, accept, losses};

use crate::support::play;
use replies::{Case, cases};

fn run(case: &Case) -> Outcome {
    let settings = Settings {
        loop_mode: case.mode,
        max_refine_rounds: case.rounds,
        refine_budget_tokens: case.budget,
        ..Settings::default()
    };
    play(case.plan, settings, &case.events)
}

/// Number of losses in the diff of the two texts, not counting rewording that a finding asked for.
fn lost(case: &Case, text: &str) -> usize {
    let before = plan::parse(case.plan).0;
    let after = plan::parse(text).0;
    let lost = losses((case.plan, &before), (text, &after));
    let is_asked = |loss: &adequacy::expansion::Loss| matches!(loss, adequacy::expansion::Loss::Words { task } if case.may_reword.contains(&task.as_str()));
    lost.iter().filter(|loss| !is_asked(loss)).count()
}

#[test]
fn fifty_loops_lose_nothing_and_never_get_worse() {
    let cases = cases();
    assert_eq!(cases.len(), 50);
    let mut table = String::from(
        "case | stop | rounds kept/made | tasks | score | risk | lost\n--- | --- | --- | --- | --- | --- | ---\n",
    );
    let mut reached = BTreeSet::new();
    let mut unexpected = Vec::new();
    for case in &cases {
        let outcome = run(case);
        let (before, after) = (&outcome.before, &outcome.after);
        let gone = lost(case, &outcome.text);
        let kept = outcome
            .rounds
            .iter()
            .filter(|round| round.is_accepted)
            .count();
        let percent = |share: f64| (share * 100.0).round();
        writeln!(
            table,
            "{} | {} | {kept}/{} | {} to {} | {} to {} | {} to {} | {gone}",
            case.name,
            outcome.stop_reason.as_str(),
            outcome.rounds.len(),
            before.tasks,
            after.tasks,
            percent(before.score),
            percent(after.score),
            percent(before.aggregate_unresolved_risk),
            percent(after.aggregate_unresolved_risk),
        )
        .expect("a line");
        assert_eq!(gone, 0, "{}: {}", case.name, outcome.text);
        if outcome.stop_reason != case.stop {
            let said: Vec<&str> = outcome
                .rounds
                .iter()
                .map(|round| round.message.as_str())
                .collect();
            unexpected.push(format!(
                "{}: {} after {said:#?}",
                case.name,
                outcome.stop_reason.as_str()
            ));
        }
        assert!(after.score >= before.score, "{}", case.name);
        assert!(after.tasks >= before.tasks, "{}", case.name);
        let is_regression = |code: &adequacy::Code| {
            let name = code.as_str();
            [
                "possible_rewrite_compression",
                "file_linkage_reduced",
                "description_mass_reduced",
            ]
            .contains(&name)
        };
        assert!(
            !after.adequacy_reason_codes.iter().any(is_regression),
            "{}",
            case.name
        );
        for round in &outcome.rounds {
            let is_worse = round.after.score < round.before.score;
            assert!(!(round.is_accepted && is_worse), "{}", case.name);
            assert_eq!(
                round.is_accepted,
                round.refusals.is_empty(),
                "{}",
                case.name
            );
        }
        let original = plan::parse(case.plan).0;
        let all: Vec<String> = outcome
            .changes
            .iter()
            .map(|change| change.id.clone())
            .collect();
        let whole = accept(case.plan, &original, &outcome.changes, &all).expect("all fit");
        assert_eq!(whole, outcome.text, "{}", case.name);
        for change in &outcome.changes {
            let alone = std::slice::from_ref(&change.id);
            let alone = accept(case.plan, &original, &outcome.changes, alone).expect("one fits");
            assert_eq!(lost(case, &alone), 0, "{} {}", case.name, change.id);
        }
        reached.insert(outcome.stop_reason.as_str());
    }
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
    let all: BTreeSet<&str> = StopReason::ALL
        .iter()
        .map(|reason| reason.as_str())
        .collect();
    assert_eq!(reached, all, "every stop reason");
    insta::assert_snapshot!("fifty_loops", table);
}

#[test]
fn the_cases_are_of_every_kind() {
    let cases = cases();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name).collect();
    assert_eq!(names.len(), cases.len());
    assert!(cases.iter().any(|case| case.mode == LoopMode::Force));
    assert!(
        cases
            .iter()
            .any(|case| case.events.contains(&Event::Cancelled))
    );
}
