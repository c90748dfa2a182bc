//! A rename handles every pair in a goal, in each language and phrasing, or leaves a step to a
//! person: no name is ever dropped.
#![allow(clippy::expect_used, dead_code)] // a plan that is not made fails the test

#[path = "support/carried_out.rs"]
mod carried_out;
mod support;

use carried_out::{carried_out, is_open};
use proptest::prelude::*;
use support::draft;

const FILES: &[(&str, &str)] = &[
    (
        "bell/ring.py",
        "from bell.tone import toll_all, peal2, chimes\n\n\ndef price(rows):\n    return toll_all(rows)\n\n\ndef line(rows):\n    return peal2(rows) + chimes(rows)\n",
    ),
    (
        "bell/tone.py",
        "def toll_all(rows):\n    return 1\n\n\ndef peal2(rows):\n    return 2\n\n\ndef chimes(rows):\n    return 3\n",
    ),
    ("README.md", "# Bell\n"),
];

/// Names of functions defined in the files; some are ordinary English words.
const OLD: [&str; 5] = ["toll_all", "peal2", "chimes", "price", "line"];
const NEW: [&str; 5] = ["ring_out", "strike", "tinkle", "cost_of", "rowOf"];

/// For each phrasing: the opening, the separator between two names, the separator between two
/// pairs, and the closing.
const LANGUAGES: [(&str, &[&str], &[&str], &str); 6] = [
    (
        "Rename",
        &["to", "into", "->"],
        &[" and ", ", ", ", and ", ", then ", " and rename "],
        "",
    ),
    (
        "Please rename the function",
        &["to", "as"],
        &[" and the function ", ", then rename "],
        "",
    ),
    (
        "Benenne",
        &["in", "zu", "->"],
        &[" und ", ", ", " um und ", ", dann "],
        " um",
    ),
    (
        "",
        &["in", "zu"],
        &[" und ", ", ", " umbenennen und "],
        " umbenennen",
    ),
    (
        "Renomme",
        &["en", "->"],
        &[" et ", ", ", ", puis ", " et renomme "],
        "",
    ),
    (
        "Renombra",
        &["a", "por"],
        &[" y ", ", ", ", luego ", " y renombra "],
        "",
    ),
];

/// Ways of writing a pair or a name that no rule can parse.
const STRANGE: [&str; 10] = [
    "OLD becomes NEW",
    "OLD wird NEW",
    "OLD devient NEW",
    "OLD será NEW",
    "OLD",
    "OLD | NEW",
    "NEW instead of OLD",
    "OLD (NEW)",
    "for OLD the name NEW",
    "everything that calls OLD",
];

fn written(pair: (usize, usize), between: &str, strange: Option<&str>) -> String {
    let (old, new) = (OLD[pair.0], NEW[pair.1]);
    match strange {
        Some(way) => way.replace("OLD", old).replace("NEW", new),
        None => format!("{old} {between} {new}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_name_of_a_rename_is_dropped(
        order in Just((0..5usize).collect::<Vec<_>>()).prop_shuffle(),
        news in Just((0..5usize).collect::<Vec<_>>()).prop_shuffle(),
        count in 1..4usize,
        language in 0..LANGUAGES.len(),
        ways in prop::collection::vec((0..9usize, 0..9usize), 4),
        strange in prop::option::of((0..4usize, 0..STRANGE.len())),
        end in prop::sample::select(&["", ".", " everywhere", ", and run the tests", " in bell/ring.py"][..]),
    ) {
        let (opening, between, joints, closing) = LANGUAGES[language];
        let mut goal = opening.to_owned();
        for nth in 0..count {
            if nth > 0 {
                goal.push_str(joints[ways[nth].1 % joints.len()]);
            } else if !opening.is_empty() {
                goal.push(' ');
            }
            let way = strange.filter(|(at, _)| *at == nth).map(|(_, way)| STRANGE[way]);
            goal.push_str(&written((order[nth], news[nth]), between[ways[nth].0 % between.len()], way));
        }
        goal.push_str(closing);
        goal.push_str(end);
        let text = draft(FILES, &goal).text;
        let (plan, _) = plan::parse(&text);
        let after: String = carried_out(FILES, &plan).into_values().collect();
        let words: Vec<&str> = after.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        for name in order.iter().take(count).map(|at| OLD[*at]) {
            prop_assert!(is_open(&plan) || !words.contains(&name), "{}: {}\n{}", goal, name, text);
        }
    }
}

#[test]
fn a_common_word_that_is_to_get_a_name_is_not_dropped() {
    for goal in [
        "Rename chimes to ring_out, for line the name strike",
        "Rename chimes to ring_out, the name of line is strike",
    ] {
        let (plan, _) = plan::parse(&draft(FILES, goal).text);
        assert!(is_open(&plan), "{goal}");
    }
}

#[test]
fn the_pairs_of_each_language_are_all_done() {
    for goal in [
        "Rename toll_all to ring_out and price to cost_of",
        "Benenne toll_all in ring_out um und price in cost_of",
        "Benenne die Funktion toll_all in ring_out und die Funktion price in cost_of um",
        "toll_all in ring_out und price in cost_of umbenennen",
        "Renomme toll_all en ring_out et price en cost_of",
        "Renombra toll_all a ring_out y price a cost_of",
    ] {
        let text = draft(FILES, goal).text;
        let (plan, _) = plan::parse(&text);
        assert!(!is_open(&plan), "{goal}\n{text}");
        let after: String = carried_out(FILES, &plan).into_values().collect();
        assert!(
            !after.contains("toll_all") && !after.contains("price"),
            "{goal}\n{text}"
        );
    }
}
