//! Merging an edit of an older revision into a newer one loses nothing.

use plan::merge::{Conflict, merge};
use proptest::prelude::*;

#[test]
fn changes_of_different_lines_are_both_kept() {
    for (base, ours, theirs, merged) in [
        ("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"),
        ("a\nb\n", "A\nb\n", "a\nB\n", "A\nB\n"),
        ("a\nb\nc\n", "b\nc\n", "a\nB\nc\n", "B\nc\n"),
        ("a\n", "a\nb\n", "a\nb\n", "a\nb\n"),
        ("a\nb", "A\nb", "a\nB", "A\nB"),
        ("", "a\n", "", "a\n"),
        ("a\r\nb\r\n", "A\r\nb\r\n", "a\r\nB\r\n", "A\r\nB\r\n"),
        ("a\rb\rc\r", "A\rb\rc\r", "a\rb\rC\r", "A\rb\rC\r"),
        (
            "a\nb\nc\n",
            "A\nb\nc\n",
            "a\r\nb\r\nC\r\n",
            "A\r\nb\r\nC\r\n",
        ),
        (
            "a\nb\nc\n",
            "A\r\nb\r\nc\r\n",
            "a\nb\nC\n",
            "A\r\nb\r\nC\r\n",
        ),
    ] {
        let found = merge(base, ours, theirs);
        assert_eq!(found.conflicts, Vec::new(), "{base:?} {ours:?} {theirs:?}");
        assert_eq!(found.clean(), Some(merged));
    }
}

#[test]
fn a_conflict_contains_both_sides() {
    let found = merge("a\nb\nc\n", "a\nours\nc\n", "a\ntheirs\nc\nd\n");
    assert_eq!(found.clean(), None);
    assert_eq!(found.text, "a\ntheirs\nc\nd\n", "the file as it stands");
    let [conflict] = &found.conflicts[..] else {
        panic!("one conflict");
    };
    assert_eq!(&found.text[conflict.place.clone()], "theirs\n");
    let Conflict {
        base, ours, theirs, ..
    } = conflict;
    assert_eq!([base, ours, theirs], ["b\n", "ours\n", "theirs\n"]);
    let lost = merge(
        "- [ ] a\n- [ ] b\n",
        "- [ ] a\n",
        "- [ ] a\n- [ ] b\n  - note: n\n",
    );
    assert_eq!(
        lost.conflicts.len(),
        1,
        "a note under a step that the other side took away"
    );
}

fn lines() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[abc]", 0..9)
}

/// A side of a merge: the base with lines removed, replaced and added.
fn side(base: &[String], choices: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    for (at, line) in base.iter().enumerate() {
        match choices.get(at).copied().unwrap_or(9) {
            0 => {}
            1 => lines.push(format!("{line}!")),
            2 => lines.extend([line.clone(), "new".to_owned()]),
            _ => lines.push(line.clone()),
        }
    }
    lines
}

fn text(lines: &[String], ending: &str, ends: bool) -> String {
    let mut text = lines.join(ending);
    if ends && !lines.is_empty() {
        text.push_str(ending);
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600.max(ProptestConfig::default().cases), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_side_that_changed_nothing_yields(base in lines(), ours in prop::collection::vec(0..6u8, 9), ends in any::<bool>()) {
        let (was, is) = (text(&base, "\n", ends), text(&side(&base, &ours), "\n", ends));
        let found = merge(&was, &is, &was);
        prop_assert_eq!(found.clean(), Some(is.as_str()));
        let found = merge(&was, &was, &is);
        prop_assert_eq!(found.clean(), Some(is.as_str()));
        let found = merge(&was, &is, &is);
        prop_assert_eq!(found.clean(), Some(is.as_str()));
    }

    #[test]
    fn no_line_of_either_side_is_lost(
        base in lines(),
        ours in prop::collection::vec(0..6u8, 9),
        theirs in prop::collection::vec(0..6u8, 9),
        ending in prop_oneof![Just("\n"), Just("\r\n"), Just("\r")],
        ends in any::<bool>(),
    ) {
        let was = text(&base, ending, ends);
        let (ours, theirs) = (side(&base, &ours), side(&base, &theirs));
        let found = merge(&was, &text(&ours, ending, ends), &text(&theirs, ending, ends));
        let all: String = found.conflicts.iter().map(|conflict| conflict.ours.clone()).collect();
        let all = format!("{}\n{all}", found.text).replace(ending, "\n");
        for new in ours.iter().chain(&theirs).filter(|line| line.ends_with('!') || *line == "new") {
            prop_assert!(all.split('\n').any(|line| line == new), "{} of {:?}", new, found);
        }
        for conflict in &found.conflicts {
            prop_assert_eq!(&found.text[conflict.place.clone()], &conflict.theirs);
            prop_assert!(conflict.ours != conflict.theirs);
        }
    }

    #[test]
    fn merging_never_fails(base in "[ab\r\n]{0,12}", ours in "[ab\r\n]{0,12}", theirs in "[ab\r\n]{0,12}") {
        merge(&base, &ours, &theirs);
    }
}
