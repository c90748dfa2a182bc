//! Property tests of goal parsing with goals of many shapes and scripts and with arbitrary text.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// Words that only join clauses, list markers, and checkboxes of tasks.
const JOINING: &[&str] = &[
    "and", "then", "also", "but", "while", "und", "dann", "sowie", "aber", "et", "puis", "mais",
    "y", "pero", "e", "x",
];

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .map(|word| {
            word.trim_start_matches(['并', '且', '而', '但'])
                .to_lowercase()
        })
        .filter(|word| !word.is_empty())
}

/// The words of a goal that none of its parts contains.
fn lost(goal: &str) -> Vec<String> {
    let read = read(goal);
    let parts = [&read.requirements, &read.constraints, &read.context];
    let said: HashSet<String> = parts
        .into_iter()
        .flatten()
        .flat_map(|part| words(&part.text).collect::<Vec<_>>())
        .collect();
    let is_mark = |word: &str| word.chars().all(char::is_numeric) || word.chars().count() == 1;
    words(goal)
        .filter(|word| !said.contains(word) && !is_mark(word) && !JOINING.contains(&word.as_str()))
        .collect()
}

fn clause() -> impl Strategy<Value = String> {
    let verb = prop::sample::select(vec![
        "Add",
        "rename",
        "Fix",
        "Remove",
        "keep",
        "Füge",
        "Ajoute",
        "Добавь",
        "أضف",
        "追加する",
        "添加",
    ]);
    let thing = prop::sample::select(vec![
        "a --json flag",
        "`report.py`",
        "the \"old and new\" view",
        "den Export",
        "le panier",
        "экспорт",
        "تصدير",
        "导出功能",
        "設定画面",
        "retries (3 at most)",
        "pages of 200 MB",
        "tests",
        "it",
    ]);
    let rest = prop::sample::select(vec![
        "",
        " and test it",
        ", document it in the README, and add tests",
        " without new dependencies",
        " because customers ask",
        " when the file is empty",
        ", which nobody uses",
        ", der alle Zeilen löscht",
        " within 1.5 s",
        ", but do not touch the API",
        "，并保存用户选择",
    ]);
    (verb, thing, rest).prop_map(|(verb, thing, rest)| format!("{verb} {thing}{rest}"))
}

fn block() -> impl Strategy<Value = String> {
    let clauses = || vec(clause(), 1..4);
    let list = |mark: fn(usize) -> String| {
        move |clauses: Vec<String>| {
            let items = clauses.iter().enumerate();
            let lines: Vec<String> = items
                .map(|(nth, text)| format!("{}{text}", mark(nth)))
                .collect();
            lines.join("\n")
        }
    };
    prop_oneof![
        clauses().prop_map(|all| all.join(". ")),
        clauses().prop_map(|all| all.join("。")),
        clauses().prop_map(|all| format!("{}.", all.join("; "))),
        clauses().prop_map(list(|_| "- ".to_owned())),
        clauses().prop_map(list(|nth| format!("{}. ", nth + 1))),
        clauses().prop_map(list(|nth| format!("({}) ", nth + 1))),
        clauses().prop_map(list(|_| "• ".to_owned())),
        clauses().prop_map(list(|_| "- [ ] ".to_owned())),
        clauses().prop_map(|all| format!("Do this: 1. {}", all.join(" 2. "))),
        clause().prop_map(|text| format!("## {text}")),
        clause().prop_map(|text| format!("If it fails, {text}. Fix it.")),
        clause().prop_map(|text| format!("Don't {text}!")),
        clause().prop_map(|text| format!("Steps to reproduce:\n1. {text}\n2. wait")),
        clause().prop_map(|text| format!("**Expected**\n{text}")),
        clause().prop_map(|text| format!("Hello, could you please {text}? Thank you!")),
        clause().prop_map(|text| format!("```rust\nlet x = \"{text}\";\n```")),
        clause().prop_map(|text| format!("| a | b |\n|---|---|\n| {text} | c |")),
        clause().prop_map(|text| format!("> {text}\n\n[link]: https://example.org/page?q=1")),
        clause().prop_map(|text| format!("<div>{text}</div>")),
        Just("Traceback (most recent call last):\n  File \"a.py\", line 3, in load\n    return rows[0]\nIndexError: out of range".to_owned()),
        Just("TypeError: x is undefined\n    at load (/app/a.js:1:2)".to_owned()),
    ]
}

proptest! {
    #[test]
    fn no_word_of_a_goal_is_lost(blocks in vec(block(), 1..6), tight in any::<bool>()) {
        let goal = blocks.join(if tight { "\n" } else { "\n\n" });
        prop_assert_eq!(lost(&goal), Vec::<String>::new(), "{}\n{:#?}", goal, read(&goal));
    }

    #[test]
    fn no_word_of_any_text_is_lost(goal in r"([ \n]|[a-z]{2,4}|[A-ZÄäß]{2}|[.,;:!?]|[-*+#>|`~()\[\]'_=<&\\]|[0-9]{1,2}|[жя]{2}|[添加。、，]|👍|and ){0,60}") {
        prop_assert_eq!(lost(&goal), Vec::<String>::new(), "{:?}\n{:#?}", goal, read(&goal));
    }

    #[test]
    fn requirements_are_distinct_parts_of_the_goal(blocks in vec(block(), 1..6)) {
        let goal = blocks.join("\n");
        let read = read(&goal);
        prop_assert!(!read.requirements.is_empty());
        let mut seen = HashSet::new();
        for part in &read.requirements {
            let own: Vec<&str> = goal[part.span.clone()].split_whitespace().collect();
            prop_assert_eq!(&own.join(" "), &part.text);
            prop_assert!(seen.insert(part.text.to_lowercase()), "twice: {}", part.text);
        }
    }

    #[test]
    fn parsing_a_requirement_alone_returns_it_unchanged(blocks in vec(block(), 1..4)) {
        let goal = blocks.join("\n\n");
        let whole = read(&goal);
        prop_assume!(!whole.is_document);
        for part in whole.requirements {
            let again: Vec<String> = requirements(&part.text).into_iter().map(|part| part.text).collect();
            prop_assert_eq!(again, vec![part.text], "{}", goal);
        }
    }
}
