//! The baseline against the simulator.

use std::sync::Arc;

use planwright_tests::evaluation::{Baseline, End, Terms, Trial, trial};
use planwright_tests::model_server::Flavour;
use planwright_tests::scenarios::{self, RightEnd, Scenario, Trouble};
use planwright_tests::simulator::Profile;

fn play(scenario: &Arc<Scenario>, profile: &str, seed: u64) -> Trial {
    let profile = Profile::named(profile).unwrap();
    let terms = Terms {
        profile,
        seed,
        flavour: Flavour::OpenAi,
        place: None,
        trace: None,
    };
    trial(&mut Baseline, scenario, &terms)
}

/// Those that a client without a plan of ours can do at all.
fn plain() -> Vec<Arc<Scenario>> {
    let all = scenarios::all().into_iter();
    let is_plain = |scenario: &Scenario| {
        let is_flaky = scenario.trouble == Some(Trouble::FlakyServer);
        scenario.end == RightEnd::Done && scenario.questions == 0 && !is_flaky
    };
    all.filter(is_plain).map(Arc::new).collect()
}

#[test]
fn a_faultless_model_completes_every_plain_scenario() {
    for scenario in plain() {
        let played = play(&scenario, "clean", 1);
        assert_eq!(
            played.played.end,
            End::Done,
            "{}: {}",
            scenario.id,
            played.played.why
        );
        assert_eq!(
            played.wrong,
            Vec::<String>::new(),
            "{}: {:#?}",
            scenario.id,
            played.notes
        );
    }
}

#[test]
fn typed_calls_are_taken_for_the_end_and_called_done() {
    let scenario = Arc::new(
        scenarios::all()
            .into_iter()
            .find(|one| one.id == "S1")
            .unwrap(),
    );
    let played = play(&scenario, "coder7b-ollama", 1);
    assert_eq!(played.played.end, End::Done);
    assert!(!played.is_right());
}
