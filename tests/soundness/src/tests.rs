//! Plays some histories in every test run; `cargo xtask soundness` plays the rest.

use super::*;

#[test]
fn nothing_happens_that_nobody_approved() {
    let (counts, found) = play_all(0, 2_000, Storm::ALL, false);
    assert!(found.is_empty(), "{found:?}\n{}", counts.text(0.0));
    assert!(
        counts.done > 500 && counts.effects > 5_000,
        "{}",
        counts.text(0.0)
    );
}

#[test]
fn honest_edits_ask_nothing_and_every_run_comes_to_its_end() {
    let (counts, found) = play_all(0, 300, Storm::HONEST, false);
    assert!(found.is_empty(), "{found:?}\n{}", counts.text(0.0));
    // Some runs end as incomplete instead of done, because a requirement has no step.
    assert!(counts.done > 200, "{}", counts.text(0.0));
}
