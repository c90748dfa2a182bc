//! Random histories, bounded for the ordinary tests.

use super::*;

#[test]
fn nothing_happens_that_nobody_approved() {
    let (counts, found) = play_all(0, 2_000, Storm::ALL, false);
    println!("{}", counts.text(0.0));
    assert!(found.is_none(), "{found:?}");
}
