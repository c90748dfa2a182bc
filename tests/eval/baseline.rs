//! Tests the baseline client: the scenarios that it completes, and how it fails.

use std::sync::Arc;

use planwright_tests::evaluation::{Baseline, End};
use planwright_tests::scenarios::{self, RightEnd, Scenario, Trouble};

use crate::{play, scenario};

/// The scenarios that a client without Planwright can complete: no questions, no unreliable server.
fn plain() -> Vec<Arc<Scenario>> {
    let is_plain = |scenario: &Scenario| {
        let is_flaky = scenario.trouble == Some(Trouble::FlakyServer);
        scenario.end == RightEnd::Done && scenario.questions == 0 && !is_flaky
    };
    let all = scenarios::all().into_iter().filter(is_plain);
    all.map(Arc::new).collect()
}

#[test]
fn a_faultless_model_completes_every_plain_scenario_with_the_baseline() {
    let plain = plain();
    assert!(plain.len() >= 20, "{}", plain.len());
    for scenario in plain {
        let trial = play(&mut Baseline, &scenario, "clean", 1);
        let (id, why) = (scenario.id, &trial.played.why);
        assert_eq!(trial.played.end, End::Done, "{id}: {why}");
        assert!(
            trial.is_right(),
            "{id}: {:?} {:#?}",
            trial.wrong,
            trial.notes
        );
    }
}

#[test]
fn calls_typed_as_text_are_taken_for_the_end_and_falsely_called_done() {
    let trial = play(&mut Baseline, &scenario("S1"), "coder7b-ollama", 1);
    assert_eq!(trial.played.end, End::Done);
    assert!(!trial.is_right());
}

#[test]
fn a_damaged_call_ends_its_plan_and_it_says_so() {
    let trials: Vec<_> = (0..12)
        .map(|seed| play(&mut Baseline, &scenario("L3"), "only_malformed_args", seed))
        .collect();
    let given_up = |end| {
        trials
            .iter()
            .filter(|trial| trial.played.end == end)
            .count()
    };
    assert!(given_up(End::GivenUp) > 0);
    assert!(
        trials
            .iter()
            .all(|trial| trial.played.end != End::Done || trial.is_right())
    );
}
