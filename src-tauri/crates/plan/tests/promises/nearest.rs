//! Stale buffers are recognized, and ordinary edits are not mistaken for them.

use plan::merge::merge;
use plan::nearest::{Nearest, nearest};

use super::drawn::{Drawn, cases};

fn found(text: &str, newest_first: &[&str]) -> Nearest {
    nearest(text, newest_first).expect("there is a candidate")
}

#[test]
fn no_candidates_no_nearest_revision() {
    assert_eq!(nearest("a", Vec::<String>::new()), None);
}

#[test]
fn the_nearest_revision_is_found() {
    let r1 = "- [ ] one\n- [ ] two\n- [ ] three\n";
    let r2 = "- [ ] one\n- [ ] two more\n- [ ] three\n";
    let r3 = "- [ ] one\n- [ ] two more\n- [ ] three\n- [ ] four\n";
    let known = [r3, r2, r1];
    for (text, index, is_stale, why) in [
        (r3, 0, false, "nothing was changed"),
        (
            r1,
            2,
            false,
            "a return to an older revision is none from it",
        ),
        (r2, 1, false, "undo"),
        (
            "- [x] one\n- [ ] two\n- [ ] three\n",
            2,
            true,
            "a tick in an old buffer",
        ),
        (
            "- [x] one\n- [ ] two more\n- [ ] three\n",
            1,
            true,
            "a tick in one that is less old",
        ),
        (
            "- [x] one\n- [ ] two more\n- [ ] three\n- [ ] four\n",
            0,
            false,
            "a tick in the newest",
        ),
        (
            "- [ ] one\n- [ ] two and a half\n- [ ] three\n- [ ] four\n",
            0,
            false,
            "an edit of what just changed",
        ),
        (
            "- [ ] zero\n- [ ] one\n- [ ] two\n- [ ] three\n",
            2,
            true,
            "a step added to an old buffer",
        ),
    ] {
        let found = found(text, &known);
        assert_eq!(found.index, index, "{why}: {found:?}");
        assert_eq!(found.is_stale(), is_stale, "{why}: {found:?}");
    }
    assert_eq!(found(r3, &known).distance, 0);
    assert_eq!(found("x", &["a", "a"]).index, 0, "ties go to the newest");
    let other_ends = r3.replace('\n', "\r\n");
    let found = found(&other_ends, &known);
    assert_eq!(
        (found.index, found.is_stale()),
        (0, false),
        "other line ends"
    );
}

#[test]
fn an_edit_of_a_line_changed_since_is_recognized_by_its_words() {
    let old = "- [ ] write the docs of the report command\n";
    let new = "- [ ] write the docs of every command there is\n";
    let mine = "- [ ] write all the docs of the report command\n";
    let found = found(mine, &[new, old]);
    assert_eq!((found.index, found.is_stale()), (1, true));
}

#[test]
fn a_line_rewritten_alike_does_not_hide_the_rest() {
    let plan = |origin: &str, notes: [u32; 3]| {
        let [one, two, three] = notes;
        format!(
            "- [ ] **T1** one\n  - origin: {origin}\n  - note: note {one} by a program\n\
             - [ ] **T2** two\n  - note: note {two} by a program\n\
             - [ ] **T3** three\n  - note: note {three} by a program\n"
        )
    };
    let first = plan("origin 0 of 15", [1, 2, 3]);
    let second = plan("origin 0 of 15", [4, 2, 3]);
    let third = plan("origin 13 by an old buffer", [4, 2, 3]);
    let fourth = plan("origin 13 by an old buffer", [4, 5, 6]);
    let known = [&*fourth, &*third, &*second, &*first];
    let text = plan("origin 14 by an old buffer", [1, 2, 3]);
    let near = found(&text, &known);
    assert_eq!((near.index, near.is_stale()), (3, true), "{near:?}");
    let seen = plan("origin 14 by an old buffer", [4, 5, 6]);
    assert_eq!(found(&seen, &known).index, 0);
}

#[test]
fn a_reverted_order_is_stale() {
    let old = "- [ ] a\n- [ ] b\n- [ ] c\n- [ ] d\n- [ ] e\n";
    let new = "- [ ] e\n- [ ] a\n- [ ] b\n- [ ] c\n- [ ] d\n";
    let mine = "- [ ] a\n- [x] b\n- [ ] c\n- [ ] d\n- [ ] e\n";
    assert!(found(mine, &[new, old]).is_stale());
    let mine = "- [ ] e\n- [ ] a\n- [x] b\n- [ ] c\n- [ ] d\n";
    assert!(!found(mine, &[new, old]).is_stale());
}

/// Generates edited old buffers, and ordinary edits of the newest revision.
#[test]
fn stale_saves_are_distinguished_from_ordinary_edits() {
    let histories = cases(100);
    let (mut stale, mut known, mut right, mut undecided, mut undoing) = (0, 0, 0, 0, 0);
    for seed in 1..=histories {
        let mut drawn = Drawn::new(seed as u64 * 7919);
        let mut lines = drawn.plan();
        let mut history = vec![lines.concat()];
        let newer = 1 + drawn.below(50);
        while history.len() <= newer {
            drawn.edit(&mut lines);
            if history.last() != Some(&lines.concat()) {
                history.push(lines.concat());
            }
        }
        history.reverse();
        let newest = history[0].clone();
        let base = history[1 + drawn.below(newer)].clone();
        let mine = edited(&mut drawn, &base);
        if base != newest && !history.contains(&mine) {
            let found = nearest(&mine, &history).unwrap();
            stale += 1;
            known += usize::from(found.is_stale());
            // If the old buffer made the same change as the next revision, that revision is an
            // equally good base.
            let from = |base: &str| merge(base, &mine, &newest);
            if from(&history[found.index]) == from(&base) {
                right += 1;
            } else if found.distance <= nearest(&mine, [&base]).unwrap().distance {
                // The edit rewrote the same line as an adjacent revision, which is just as near.
                undecided += 1;
            }
        }
        let ordinary = edited(&mut drawn, &newest);
        let found = nearest(&ordinary, &history).unwrap();
        if found.is_stale() {
            // This edit undid all later changes, so it can't be distinguished from a stale save.
            let line_count = |text: &str, line: &str| text.lines().filter(|l| *l == line).count();
            let (older, newer) = (&history[found.index], &newest);
            let came = newer
                .lines()
                .filter(|l| line_count(newer, l) > line_count(older, l));
            let kept = came
                .filter(|l| line_count(&ordinary, l) >= line_count(newer, l))
                .count();
            assert_eq!(kept, 0, "seed {seed}: {found:?}");
            undoing += 1;
        }
    }
    println!(
        "{stale} stale saves: {known} recognised, {right} with the right base, {undecided} as near to another; {undoing} of {histories} ordinary ones had undone all of the newest change"
    );
    // A few hundred cases are too few to distinguish 99% from 98%.
    let share = if stale < 1_000 { 97 } else { 99 };
    assert!(stale * 100 >= histories * 95);
    assert!(known * 100 >= stale * share);
    assert!(right * 100 >= stale * (share - 1));
    assert!((right + undecided) * 1_000 >= stale * 999);
    assert!(undoing * 100 <= histories.max(200));
}

fn edited(drawn: &mut Drawn, text: &str) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for _ in 0..1 + drawn.below(5) {
        drawn.edit(&mut lines);
    }
    lines.concat()
}
