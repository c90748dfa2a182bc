//! Arbitrary plans, and text to insert into them, for property tests.

use proptest::prelude::*;

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

/// A typical line of a plan.
pub(crate) fn line() -> impl Strategy<Value = String> {
    let words = prop_oneof![
        10 => "(-|-|\\*|[0-9]{1,2}[.)]) \\[( |x|1)\\]\\*? (\\*\\*[TCD][1-9]\\*\\* |T[1-9] |T00[1-9] |[1-3]\\.[1-3] |)(\\[P\\] )?[a-z]{0,4}",
        4 => "- (depends|files|note|skipped|type|option): ?(T[1-9]|`a b`|decision|x -> T[1-9]|)",
        2 => "[a-z ]{1,10}",
        2 => Just(String::new()),
    ];
    (indent(), words).prop_map(|(indent, words)| format!("{indent}{words}"))
}

/// Text that may change how other lines are parsed.
pub(crate) fn mark() -> impl Strategy<Value = String> {
    let words = prop_oneof![
        3 => "(```|~~~|<!--|-->|<div>|</div>|<script>|---|===|\\|a\\|b\\||\\|-\\|-\\|)",
        1 => "(\\[x\\]: u|\\[x|# ?[a-z]*)",
        1 => "## (Tasks|Requirements|Decisions|1. a)",
        1 => "- (R[1-3]|D[1-9]:?) (open|[a-z]{1,4} — me)",
        3 => "[a-z`\\[\\]*>#|:<!_ -]{0,10}",
    ];
    (indent(), words).prop_map(|(indent, words)| format!("{indent}{words}"))
}

/// Small plans that together use every feature of the format.
pub(crate) fn text() -> impl Strategy<Value = String> {
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

/// Text to insert into a plan.
pub(crate) fn words() -> impl Strategy<Value = String> {
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
