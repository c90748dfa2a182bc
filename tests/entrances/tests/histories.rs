//! Plays some histories in every test run; `cargo xtask soundness --entrances` plays more.

use std::path::Path;

use entrances::play_all;

#[test]
fn no_agent_gets_an_approval_that_nobody_gave() {
    let program = Path::new(env!("CARGO_BIN_EXE_entrances"));
    let (counts, found) = play_all(program, 0, 150, false);
    assert!(found.is_empty(), "{found:?}\n{}", counts.text(0.0));
    assert!(
        counts.approved > 40 && counts.changes > 25 && counts.runs > 15 && counts.files > 8,
        "{}",
        counts.text(0.0)
    );
}
