//! Turning the items or headings of a plan without tasks into tasks.

use plan::edit::{EditError, MakeFrom, apply, could_be_tasks, make_tasks};
use proptest::prelude::*;

use super::read;

fn made(text: &str, from: MakeFrom) -> String {
    let splices = make_tasks(text, &read(text), from).unwrap();
    let made = apply(text, &splices).unwrap();
    assert_eq!(apply(&made.text, &made.inverse).unwrap().text, text);
    made.text
}

fn counts(text: &str) -> (usize, usize) {
    could_be_tasks(text, &read(text))
}

#[test]
fn list_items_get_a_box_and_nothing_else_changes() {
    let text = include_str!("../../../../../tests/fixtures/dialects/no-tasks.md");
    assert_eq!(counts(text), (3, 0));
    let after = made(text, MakeFrom::Items);
    assert_eq!(after.replace("[ ] ", ""), text);
    insta::assert_snapshot!(after, @r"
    # Rewrite the cache

    ## Context
    - it is slow
    - it is large

    ## Steps
    1. [ ] Measure `cache.get`
       - with ten rows
       - with a thousand
    2. [ ] Keep the last hit
    3. [ ] Drop what is old

    ## Risks
    - memory
    ");
    let plan = read(&after);
    assert_eq!(plan.tasks.len(), 3);
    assert_eq!(plan.tasks[0].body, "- with ten rows\n- with a thousand");
}

#[test]
fn headings_become_items_with_their_content() {
    let text = include_str!("../../../../../tests/fixtures/dialects/no-tasks-headings.md");
    assert_eq!(counts(text).1, 3);
    let after = made(text, MakeFrom::Headings);
    insta::assert_snapshot!(after, @r"
    # Rewrite the cache

    ## Context
    It is slow.

    ## Tasks

    - [ ] Step 1: Measure
      Call `cache.get`.

      - with ten rows
    	  - twice

      ```sh
      	bench --rows 10
      ```

      ### Why
      Because.

    - [ ] Step 2: Keep the last hit

    - [ ] Step 3: Drop what is old
      | a | b |
      |---|---|
      | 1 | 2 |

    ## Verification
    - run the bench
    ");
    let plan = read(&after);
    let titles: Vec<&str> = plan.tasks.iter().map(|task| &*task.title).collect();
    assert_eq!(
        titles,
        [
            "Step 1: Measure",
            "Step 2: Keep the last hit",
            "Step 3: Drop what is old"
        ]
    );
    assert!(plan.tasks[0].body.contains("\n- with ten rows\n"));
    assert!(plan.tasks[0].body.ends_with("### Why\nBecause."));
}

#[test]
fn the_counts_match_the_created_tasks() {
    for (text, items, headings) in [
        ("- a\n- b\n  - c\n", 2, 0),
        ("- a\n  - b\n  - c\n", 2, 0),
        ("- a\n\n1. b\n2. c\n", 2, 0),
        ("## Risks\n- a\n## Work\n- b\n", 1, 0),
        (
            "## Implementation\n### Parser\n- a\n### Printer\n- b\n## Rest\n- c\n",
            2,
            2,
        ),
        ("> - a\n\n```\n- b\n```\n", 0, 0),
        ("- `a`\n- [b](c)\n- # d\n- > e\n-\n", 2, 0),
        ("# 1. a\nx\n# 2. b\ny\n", 0, 2),
        ("# T\n## a\n## b\n### c\n### d\n", 0, 2),
        (
            "# T\n## Phase 1\n### 1.1 a\n### 1.2 b\n## Phase 2\n### 2.1 c\n",
            0,
            3,
        ),
        ("# T\n## 3 risks\n## Context\n", 0, 0),
        ("# T\nwords\n", 0, 0),
        ("- [ ] a\n- b\n## c\n## d\n", 0, 0),
    ] {
        assert_eq!(counts(text), (items, headings), "{text}");
        for (from, count) in [(MakeFrom::Items, items), (MakeFrom::Headings, headings)] {
            match make_tasks(text, &read(text), from) {
                Ok(splices) => {
                    let after = apply(text, &splices).unwrap().text;
                    assert_eq!(read(&after).tasks.len(), count, "{after}");
                }
                Err(error) => {
                    assert_eq!(count, 0, "{text}: {error}");
                    assert!(matches!(error, EditError::NothingToConvert { .. }));
                }
            }
        }
    }
}

#[test]
fn errors_say_what_to_try_instead() {
    let told = |text: &str, from| make_tasks(text, &read(text), from).unwrap_err().to_string();
    assert_eq!(
        told("# T\n", MakeFrom::Items),
        "can't create steps from this plan: it has no suitable list items; try its headings"
    );
    assert_eq!(
        told("- [ ] a\n", MakeFrom::Headings),
        "can't create steps from this plan: it already has steps; add more to them"
    );
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "#{1,4} (Step [1-3]: |[1-3]\\. |)[a-z]{1,4}( #)?",
        4 => "( {0,5}|\t)([-*+]|[1-3]\\.) [a-z`\\[\\]>#*]{0,4}",
        2 => "[a-z|>` -]{0,8}",
        1 => "(```|~~~|---|===|<!--|-->|    code|\tcode|\\| a \\| b \\|)",
        2 => Just(String::new()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600.max(ProptestConfig::default().cases), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_word_is_lost_and_undo_is_exact(
        lines in prop::collection::vec(line(), 0..14),
        ending in prop_oneof![Just("\n"), Just("\r\n")],
    ) {
        let text = lines.join(ending);
        let plan = read(&text);
        let (items, headings) = could_be_tasks(&text, &plan);
        for (from, count) in [(MakeFrom::Items, items), (MakeFrom::Headings, headings)] {
            let Ok(splices) = make_tasks(&text, &plan, from) else {
                continue;
            };
            let after = apply(&text, &splices).unwrap();
            prop_assert_eq!(read(&after.text).tasks.len(), count);
            prop_assert_eq!(&apply(&after.text, &after.inverse).unwrap().text, &text);
            // Heading marks and boxes may change; words may not.
            let words = |text: &str| -> Vec<String> {
                text.split(|c: char| !c.is_alphanumeric())
                    .filter(|word| !word.is_empty() && *word != "Tasks")
                    .map(str::to_owned)
                    .collect()
            };
            prop_assert_eq!(words(&after.text), words(&text));
        }
    }
}
