//! Tests that weak models complete the scenarios with Planwright, using a few of the seeds that
//! `cargo xtask eval` plays.

use std::sync::Arc;

use planwright_tests::evaluation::{End, Planning, Planwright, Trial, Verification};
use planwright_tests::scenarios;

use crate::{play, scenario};

fn ours() -> Planwright {
    Planwright::new(Planning::Upfront, Verification::All)
}

#[track_caller]
fn assert_completed(trial: &Trial) {
    let (id, why) = (trial.scenario.id, &trial.played.why);
    assert_eq!(
        trial.played.end,
        End::Done,
        "{id} seed {}: {why}",
        trial.seed
    );
    assert!(
        trial.is_right(),
        "{id} seed {}: {:?}",
        trial.seed,
        trial.wrong
    );
}

#[test]
fn a_7b_completes_plans_of_every_length() {
    let mut client = ours();
    for id in ["L1", "L3", "L7", "S21"] {
        for seed in 0..2 {
            assert_completed(&play(&mut client, &scenario(id), "7b", seed));
        }
    }
}

#[test]
fn a_model_that_types_every_call_as_text_completes_a_plan() {
    assert_completed(&play(&mut ours(), &scenario("S8"), "coder7b-ollama", 1));
}

#[test]
fn what_cannot_be_done_is_asked_about_and_never_called_done() {
    let mut client = ours();
    for id in ["S13", "S13b"] {
        let trial = play(&mut client, &scenario(id), "7b", 1);
        assert_ne!(trial.played.end, End::Done, "{id}");
    }
}

#[test]
fn trouble_around_the_model_is_survived() {
    let mut client = ours();
    let troubled = scenarios::all()
        .into_iter()
        .filter(|one| one.trouble.is_some());
    for scenario in troubled.map(Arc::new) {
        assert_completed(&play(&mut client, &scenario, "14b", 2));
    }
}

#[test]
fn nothing_that_is_sent_is_over_a_window_of_4k() {
    let trial = play(&mut ours(), &scenario("S20"), "7b", 3);
    assert!(
        trial.notes.iter().all(|noted| !noted.was_cut),
        "{:#?}",
        trial.notes
    );
    assert_completed(&trial);
}
