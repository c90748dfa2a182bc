//! A part of the histories in every run of the tests; the rest is `cargo xtask soundness`.

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
    // Where a requirement has no step, a run ends as incomplete.
    assert!(counts.done > 200, "{}", counts.text(0.0));
}
