//! The evaluation of weak models, bounded: what the simulator, the scenarios and the scorer promise, and
//! a few seeds of Planwright itself. `cargo xtask eval` plays all of it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on must fail"
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

/// The scenario of this id.
fn scenario(id: &str) -> Arc<Scenario> {
    let found = scenarios::all().into_iter().find(|one| one.id == id);
    Arc::new(found.expect("a scenario of this id"))
}

/// Plays a scenario once, at a server with the manners of Ollama.
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
