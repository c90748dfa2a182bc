//! A small version of the evaluation of weak models: tests of the simulator, the scenarios and the
//! scorer, and a few seeds of Planwright itself. `cargo xtask eval` plays all of it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic fails the test"
)]

mod baseline;
mod carried;
mod figures;
mod judged;
mod scenes;
mod simulated;

use std::sync::Arc;

use planwright_tests::evaluation::{Client, Terms, Trial, trial};
use planwright_tests::model_server::Flavour;
use planwright_tests::scenarios::{self, Scenario};
use planwright_tests::simulator::Profile;

/// The scenario with this id.
fn scenario(id: &str) -> Arc<Scenario> {
    let found = scenarios::all().into_iter().find(|one| one.id == id);
    Arc::new(found.expect("a scenario of this id"))
}

/// Plays a scenario once, with a server that behaves like Ollama.
fn play(client: &mut dyn Client, scenario: &Arc<Scenario>, profile: &str, seed: u64) -> Trial {
    let terms = Terms {
        profile: Profile::named(profile).expect("a profile"),
        seed,
        flavour: Flavour::Ollama,
        place: None,
        trace: None,
    };
    trial(client, scenario, &terms)
}
