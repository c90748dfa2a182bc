//! What is read nearby is what the whole text says.
#![allow(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

use super::reads;
use crate::edit::portrait::{Face, Portrait, reads_as_by};
use crate::edit::{Splice, apply};
use crate::parse::parse;

fn indent() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        8 => Just(""),
        3 => Just("  "),
        2 => Just("    "),
        1 => Just("\t"),
        1 => Just(" "),
        1 => Just("   "),
        1 => Just("> "),
        1 => Just("- "),
    ]
}

/// What plans are made of.
fn line() -> impl Strategy<Value = String> {
    let words = prop_oneof![
        10 => "(-|-|\\*|[0-9]{1,2}[.)]) \\[( |x|1)\\]\\*? (\\*\\*[TCD][1-9]\\*\\* |T[1-9] |T00[1-9] |[1-3]\\.[1-3] |)(\\[P\\] )?[a-z]{0,4}",
        4 => "- (depends|files|note|skipped|type|option): ?(T[1-9]|`a b`|decision|x -> T[1-9]|)",
        2 => "[a-z ]{1,10}",
        2 => Just(String::new()),
    ];
    (indent(), words).prop_map(|(indent, words)| format!("{indent}{words}"))
}

/// What can change how other lines are read.
fn mark() -> impl Strategy<Value = String> {
    let words = prop_oneof![
        3 => "(```|~~~|<!--|-->|<div>|</div>|<script>|---|===|\\|a\\|b\\||\\|-\\|-\\|)",
        1 => "(\\[x\\]: u|\\[x|# ?[a-z]*)",
        1 => "## (Tasks|Requirements|Decisions|1. a)",
        1 => "- (R[1-3]|D[1-9]:?) (open|[a-z]{1,4} — me)",
        3 => "[a-z`\\[\\]*>#|:<!_ -]{0,10}",
    ];
    (indent(), words).prop_map(|(indent, words)| format!("{indent}{words}"))
}

fn text() -> impl Strategy<Value = String> {
    let front = prop_oneof![
        2 => Just(""),
        1 => Just("---\nplanwright: 1\n---\n"),
    ];
    let ending = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")];
    let lines = prop::collection::vec(line(), 2..14);
    let marks = prop::collection::vec((any::<prop::sample::Index>(), mark()), 0..4);
    let all = (front, lines, marks, ending, any::<bool>());
    all.prop_map(|(front, mut lines, marks, ending, ends)| {
        for (at, mark) in marks {
            let at = at.index(lines.len() + 1);
            lines.insert(at, mark);
        }
        let end = if ends { "\n" } else { "" };
        format!("{front}{}{end}", lines.join("\n")).replace('\n', ending)
    })
}

fn words() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z]{1,4}".prop_map(|word| word),
        2 => Just("\n".to_owned()),
        1 => Just("\r".to_owned()),
        2 => line(),
        1 => line().prop_map(|line| format!("\n{line}\n")),
        2 => mark().prop_map(|mark| format!("\n{mark}\n")),
        1 => Just("    ".to_owned()),
        1 => Just("```".to_owned()),
        1 => Just("[".to_owned()),
        1 => Just("]: ".to_owned()),
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn settle(face: &mut Face) {
    face.fields.sort_by(|(a, _), (b, _)| a.cmp(b));
}

/// What is found nearby and in the whole, for a change of a task that is to say what it says after
/// it, or what it says now.
fn both(
    text: &str,
    which: usize,
    place: (usize, usize),
    new: &str,
    is_meant: bool,
) -> Option<(Option<bool>, bool)> {
    let (plan, _) = parse(text);
    let index = which.checked_rem(plan.tasks.len())?;
    let task = &plan.tasks[index];
    let start = task.box_span.start;
    // Behind the box, seldom far behind the task.
    let room = (task.span.end + 3).min(text.len()) - start;
    let at = |place: usize| {
        let mut at = start + place % (room + 1);
        while !text.is_char_boundary(at) {
            at += 1;
        }
        at
    };
    let (a, b) = (at(place.0), at(place.1));
    let splices = vec![Splice {
        range: a.min(b)..a.max(b),
        text: new.to_owned(),
    }];
    let after = apply(text, &splices).unwrap().text;
    let (now, _) = parse(&after);
    let face = match now.tasks.get(index) {
        Some(now) if is_meant => Face::of(now),
        _ => Face::of(task),
    };
    let near = reads(text, &plan, &splices, index, &face, settle);
    let mut expected = Portrait::of(text, &plan);
    expected.tasks[index] = Face {
        parent: task.parent,
        ..face
    };
    let says = |face: &Face| -> Vec<(String, String)> {
        let fields = face.fields.iter();
        fields
            .filter(|(key, _)| key == "option" || key == "type")
            .cloned()
            .collect()
    };
    let moves_answers = says(&expected.tasks[index]) != says(&Face::of(task));
    let whole = reads_as_by(text, &splices, &expected, |portrait| {
        if let Some(face) = portrait.tasks.get_mut(index) {
            settle(face);
        }
        if moves_answers {
            portrait.decisions.clear();
        }
    });
    let same_dialect = now.dialect == plan.dialect;
    Some((near, whole.is_some() && same_dialect))
}

/// More with `PROPTEST_CASES`.
const CASES: u32 = 600;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: CASES.max(ProptestConfig::default().cases), ..ProptestConfig::default() })]

    #[test]
    fn what_is_read_nearby_is_what_the_whole_says(
        text in text(),
        which in 0..64_usize,
        place in (0..64_usize, 0..64_usize),
        new in words(),
        is_meant in any::<bool>(),
    ) {
        if let Some((Some(near), whole)) = both(&text, which, place, &new, is_meant) {
            prop_assert_eq!(near, whole, "{:?}", new);
        }
    }
}

#[test]
fn most_changes_can_be_told_nearby() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = (
        text(),
        0..64_usize,
        (0..64_usize, 0..64_usize),
        words(),
        any::<bool>(),
    );
    let (mut told, mut kept, mut all) = (0, 0, 0);
    for _ in 0..600 {
        let (text, which, place, new, is_meant) = strategy.new_tree(&mut runner).unwrap().current();
        if let Some((near, _)) = both(&text, which, place, &new, is_meant) {
            all += 1;
            told += usize::from(near.is_some());
            kept += usize::from(near == Some(true));
        }
    }
    assert!(told * 8 > all, "{told} of {all}");
    assert!(kept * 40 > all, "{kept} of {all}");
}
