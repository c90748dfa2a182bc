//! Parsing in two halves agrees with parsing the whole text.
#![allow(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

use super::{Blocks, MIN_SPLIT_LEN, middle, parse_halves, parse_whole};
use crate::dialect;
use crate::front;
use crate::lines::Lines;
use crate::model::{Plan, Problem, ProblemCode};
use crate::parse::{parse, parse_split};
use crate::samples;

/// The results of parsing a text in two halves, split near an offset, and as a whole.
struct Read {
    parse_halves: Option<(Blocks, Vec<Problem>)>,
    in_one: (Blocks, Vec<Problem>),
}

fn read(text: &str, near: usize) -> Read {
    let lines = Lines::of(text);
    let (front, body) = front::read(text, 0, &lines, &mut Vec::new());
    let (rules, heading_steps) = dialect::detect(text, body, front.version.is_some());
    let sorted = |mut problems: Vec<Problem>| {
        problems.sort_by_key(|problem| problem.line);
        problems
    };
    let mut problems = Vec::new();
    let halves = parse_halves(text, body, near, &lines, rules, &mut problems);
    assert!(halves.is_some() || problems.is_empty());
    let parse_halves = halves.map(|found| (found, sorted(problems)));
    let mut problems = Vec::new();
    let found = parse_whole(
        text,
        body,
        0,
        &lines,
        (rules, heading_steps.as_ref()),
        &mut problems,
    );
    Read {
        parse_halves,
        in_one: (found, sorted(problems)),
    }
}

fn whole(text: &str) -> (Plan, Vec<Problem>) {
    parse_split(text, |_, _| None)
}

/// The offsets at which the lines of a text start.
fn starts(text: &str) -> Vec<usize> {
    let behind = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(behind).collect()
}

/// Additional lines for these tests: empty items, unclosed quotes and tags.
fn odd_line() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => "( |  |    |)(-|\\*|\\+|1\\.|7\\.) ?",
        2 => Just(String::new()),
        1 => "(>|> >|- -|> -) ?(\\[ \\] a|)",
        1 => "(a |)<(\\?|!X|!--|!\\[CDATA\\[|a b=\"|pre>)",
        1 => "(a |)(\\?>|>|\\]\\]>|-->|\">|</pre>|`)",
        1 => "(\\+|\\*|-|7\\.|1\\)) \\[[ x~]\\] [a-z]{0,2}",
        1 => "(  |    )- (complexity: x|call: `no`|by: me|\\[ \\]a|\\[ x \\] b)",
        1 => "(-|-     |1.) (\\[\\]|\\[ x \\]|\\[\t\\]) [a-z]{1,2}",
        1 => "(# |## |### Phase )[a-z]{1,3}|[a-z]{1,3}\n(===|---)",
    ]
}

/// Several small plans, concatenated.
fn text() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(samples::text(), 1..4);
    let odd = prop::collection::vec((any::<prop::sample::Index>(), odd_line()), 0..6);
    let front = prop_oneof![Just(""), Just("---\nplanwright: 1\n---\n")];
    (front, pieces, odd, 0..4_u8).prop_map(|(front, pieces, odd, ending)| {
        let mut text = format!("{front}{}", pieces.join("\n"));
        if ending > 0 {
            text = text.replace("\r\n", "\n").replace('\r', "\n");
        }
        for (at, line) in odd {
            let starts = starts(&text);
            text.insert_str(starts[at.index(starts.len())], &format!("{line}\n"));
        }
        match ending {
            1 => text.replace('\n', "\r\n"),
            _ => text,
        }
    })
}

/// Number of cases; raise it with `PROPTEST_CASES`.
const CASES: u32 = 1_000;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: CASES.max(ProptestConfig::default().cases), ..ProptestConfig::default() })]

    #[test]
    fn two_halves_agree_with_the_whole(text in text()) {
        let expected = whole(&text);
        for near in starts(&text) {
            let Read { parse_halves, in_one } = read(&text, near);
            if let Some(parse_halves) = parse_halves {
                prop_assert_eq!(parse_halves, in_one, "{:?} at {}", text, near);
                let split = parse_split(&text, |_, _| Some(near));
                prop_assert_eq!(&split, &expected, "{:?} at {}", text, near);
            }
        }
    }
}

#[test]
fn many_texts_are_split() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = text();
    let (mut texts, mut splits) = (0, 0);
    for _ in 0..600 {
        let text = strategy.new_tree(&mut runner).unwrap().current();
        let starts = starts(&text);
        let split = starts
            .iter()
            .filter(|near| read(&text, **near).parse_halves.is_some());
        let count = split.count();
        texts += u32::from(count > 0);
        splits += count;
    }
    assert!(
        texts > 150 && splits > 1_500,
        "{texts} of 600, {splits} times"
    );
}

const NATIVE: &str = "---\nplanwright: 1\n---\n";

/// Splits a text at the line of `T5`. Returns whether that is possible.
fn is_split(text: &str) -> bool {
    let near = text.find("**T5** words").unwrap();
    let Read {
        parse_halves,
        in_one,
    } = read(text, near);
    let is_split = parse_halves.is_some();
    if let Some(parse_halves) = parse_halves {
        assert_eq!(parse_halves, in_one, "{text:?}");
    }
    assert_eq!(
        parse_split(text, |_, _| Some(near)),
        whole(text),
        "{text:?}"
    );
    is_split
}

#[test]
fn the_surrounding_lines_decide_whether_a_text_is_split() {
    let cases = [
        ("nothing else", true, "- [ ] **T1** a\n", "- [ ] **T6** b\n"),
        ("below a heading", true, "- [ ] **T1** a\n\n## Part\n\n", ""),
        ("the first task", true, "# A\n\nWords\n", "- [ ] **T6** b\n"),
        (
            "prose above",
            true,
            "- [ ] **T1** a\nlazy words\n",
            "lazy words\n",
        ),
        (
            "a quote above",
            true,
            "- [ ] **T1** a\n> quoted\n",
            "> quoted\n",
        ),
        (
            "an empty item above",
            true,
            "- [ ] **T1** a\n-\n\n\n",
            "- files: x\n## B\n",
        ),
        (
            "a fence above",
            true,
            "```\n- [ ] a\n```\n",
            "```\n- [ ] b\n```\n",
        ),
        (
            "a fence that is open",
            true,
            "```\n- [ ] a\n```\n",
            "```\n- [ ] b\n",
        ),
        (
            "in a fence",
            false,
            "- [ ] **T1** a\n\n```\n",
            "```\n- [ ] **T6** b\n",
        ),
        ("in a comment", false, "<!--\n", "-->\n- [ ] **T6** b\n"),
        ("in a tag", false, "<div>\n", "\n</div>\n- [ ] **T6** b\n"),
        ("under an item", true, "- words\n", "  - files: x\n"),
        ("a table", true, "|a|b|\n|-|-|\n", "|a|b|\n|-|-|\n"),
        (
            "a heading of its words",
            true,
            "words\n",
            "===\n- [ ] **T6** b\n",
        ),
        (
            "requirements above",
            true,
            "## Requirements\n- a\n- b\n## Tasks\n",
            "- [ ] **T6** b\n",
        ),
        (
            "requirements below",
            true,
            "# A\n",
            "\n## Requirements\n- R1 a\n- b\n",
        ),
        (
            "requirements in both",
            false,
            "## Requirements\n- a\n## Tasks\n",
            "## Requirements\n- b\n",
        ),
        (
            "open requirements",
            false,
            "## Requirements\n- a\n",
            "- b\n",
        ),
        (
            "open decisions",
            false,
            "## Decisions\n- D1 open\n",
            "- D2 open\n",
        ),
        (
            "decisions below",
            true,
            "- [ ] **D1** a\n  - type: decision\n  - option: x -> none\n",
            "\n## Decisions\n- D1: x — me\n- D9 open\n\n## Notes\n- D2 open\n",
        ),
        (
            "decisions in both",
            true,
            "## Decisions\n- D1 open\n## Tasks\n",
            "## Decisions\n- D2 open\n",
        ),
        ("titles in both", true, "# A\n## Tasks\n", "# B\n## Tasks\n"),
        (
            "the title below",
            true,
            "words\n",
            "# B\n## Tasks\n- [ ] **T6** b\n",
        ),
        ("a definition above", false, "[~]: u\n", ""),
        ("a definition below", false, "- [~] a\n", "\n[~]: u\n"),
        (
            "loose keys",
            true,
            "1. [ ] **T1** a\n- files: a\n\n",
            "- files: b\n - files: c\n",
        ),
        (
            "groups",
            true,
            "- [ ] **T1** a\n  - [ ] **T2** b\n    - [ ] **T3** c\n",
            "  - [ ] **T6** d\n    - [ ] **T7** e\n- [ ] **T8** f\n  - [ ] **T9** g\n",
        ),
        (
            "phases",
            true,
            "# A\n## B\n- [ ] **T1** a\n### Phase 2\n",
            "## C\n- [ ] **T6** b\n#### Phase 3\n- [ ] **T7** c\n",
        ),
        (
            "values",
            true,
            "- [ ] **T1** a\n  - by: x\n  - call: `x`\n  - type: y\n",
            "  - by: x\n- [ ]**T6** b\n- [ x ] **T7** c\n  - depends: T1, T99\n",
        ),
        (
            "ids by place",
            true,
            "- [ ] a\n  - [ ] b\n- [ ] c\n",
            "  - [ ] d\n    - [ ] e\n- [ ] f\n  - [ ] g\n",
        ),
        (
            "ids by place in problems",
            true,
            "- [ ] a\n  - by: x\n- [ ] c\n",
            "  - [ ] d\n    - by: x\n- [ ] e\n  - by: x\n- [] f\n",
        ),
        ("the same id twice", true, "- [ ] **T5** a\n", ""),
    ];
    for (name, expected, above, below) in cases {
        let text = format!("{NATIVE}{above}- [ ] **T5** words\n{below}");
        assert_eq!(is_split(&text), expected, "{name}");
        let windows = text.replace('\n', "\r\n");
        assert_eq!(is_split(&windows), expected, "{name} with \\r\\n");
        assert_eq!(is_split(text.trim_end()), expected, "{name} without an end");
        assert!(!is_split(&text.replace('\n', "\r")), "{name} with \\r");
    }
}

#[test]
fn problems_of_the_split_line_are_reported_once() {
    for item in ["- [ x ]", "- []", "-      [ ]"] {
        let text = format!("{NATIVE}- [ ] **T1** a\n{item} **T5** words\n  - [ ] b\n");
        let of_line = |problem: &&Problem| problem.line == 5;
        assert!(is_split(&text), "{item}");
        assert_eq!(whole(&text).1.iter().filter(of_line).count(), 1, "{item}");
    }
}

#[test]
fn dialects_that_deduplicate_ids_are_parsed_as_a_whole() {
    let kiro =
        "# Implementation Plan\n\n- [ ] 1. a\n- [ ] 1.1 b\n  - _Requirements: 1.1_\n- [ ] 2. c\n";
    for near in starts(kiro) {
        assert!(read(kiro, near).parse_halves.is_none());
    }
}

/// A plan of a few hundred kilobytes with problems throughout.
fn large() -> String {
    let mut text = format!("{NATIVE}# A plan\n\n## Requirements\n- R1 first\n\n## Tasks\n");
    for number in 1..=4_000 {
        text.push_str(&format!(
            "- [ ] **T{number}** Step {number} é\n  Its words.\n  - covers: R{}\n  - complexity: {}\n",
            number % 3 + 1,
            number % 12
        ));
        if number % 9 == 0 {
            text.push_str("  - [ ] a part of it\n    - call: `nothing`\n- files: `loose.rs`\n");
        }
        if number % 500 == 0 {
            text.push_str("\n## Another part\n\n");
        }
    }
    text.push_str("\n## Decisions\n- D1 open\n");
    text
}

#[test]
fn a_large_text_is_parsed_like_any_other() {
    let text = large();
    assert!(text.len() > MIN_SPLIT_LEN);
    let near = text.len() / 2;
    let Read {
        parse_halves,
        in_one,
    } = read(&text, near);
    assert_eq!(parse_halves, Some(in_one));
    let (plan, problems) = parse(&text);
    let codes = [
        ProblemCode::BadCall,
        ProblemCode::BadValue,
        ProblemCode::DanglingReference,
    ];
    for code in codes {
        assert!(
            problems.iter().any(|problem| problem.code == code),
            "{code:?}"
        );
    }
    assert_eq!((plan, problems), whole(&text));
}

#[test]
fn small_texts_are_not_split() {
    assert_eq!(middle(&"a".repeat(MIN_SPLIT_LEN - 1), 0), None);
    let place = middle(&"a".repeat(MIN_SPLIT_LEN), 100);
    // With only one thread, the text isn't split.
    assert!(place.is_none_or(|place| place == 50 + MIN_SPLIT_LEN / 2));
}
