//! Snapshots of plans as people read them, and properties that every plan has.

#![allow(clippy::expect_used)] // a plan that cannot be read fails the test

mod support;

use std::collections::BTreeSet;

use plan::ToolCall;
use proptest::prelude::*;
use support::shop::{SHOP, WORDS};
use support::{draft, draft_with};

#[test]
fn a_rename_edits_certain_occurrences_and_asks_about_the_rest() {
    insta::assert_snapshot!(
        draft(
            SHOP,
            "Rename the function total to sum_rows everywhere and test it"
        )
        .text
    );
}

#[test]
fn renaming_a_missing_name_invents_nothing() {
    insta::assert_snapshot!(draft(SHOP, "Rename missing_thing to other_thing").text);
}

#[test]
fn a_rename_across_a_crate() {
    insta::assert_snapshot!(draft(WORDS, "Rename count_words to word_count").text);
}

#[test]
fn a_bug_is_shown_by_a_test_first() {
    insta::assert_snapshot!(draft(SHOP, "Fix the crash in invoice when there are no lines").text);
}

#[test]
fn a_feature_with_documentation_and_tests() {
    insta::assert_snapshot!(
        draft(SHOP, "Add a --json flag to invoice() without new dependencies. Document it in the README and add tests").text
    );
}

#[test]
fn a_change() {
    insta::assert_snapshot!(draft(SHOP, "Change subtotal so that it rounds to two digits").text);
}

#[test]
fn a_question() {
    insta::assert_snapshot!(draft(SHOP, "Where is total_count defined?").text);
}

#[test]
fn a_dependency_with_a_version() {
    insta::assert_snapshot!(draft(WORDS, "Update serde to 1.0.200").text);
}

#[test]
fn documentation() {
    insta::assert_snapshot!(draft(SHOP, "Write documentation for subtotal").text);
}

#[test]
fn removal_of_named_files() {
    insta::assert_snapshot!(draft(SHOP, "Delete data/orders.json").text);
}

#[test]
fn removal_of_files_that_nobody_named() {
    insta::assert_snapshot!(draft(SHOP, "Remove old backup files").text);
}

#[test]
fn another_language() {
    insta::assert_snapshot!(
        draft(SHOP, "Bitte schreibe eine Übersicht über die Bestellungen").text
    );
}

const GOALS: [&str; 16] = [
    "Rename the function total to sum_rows everywhere and test it",
    "Rename missing_thing to other_thing",
    "Fix the crash in invoice when there are no lines",
    "Fix the bug in shop/order.py: subtotal() ignores the group",
    "Add a --json flag to invoice(). Document it in the README and add tests",
    "Implement gift cards",
    "Change subtotal so that it rounds to two digits",
    "Refactor the invoice module into two files without changing the public API",
    "Where is total_count defined?",
    "Explain the bug-fix policy",
    "Update serde to 1.0.200",
    "Upgrade all dependencies",
    "Write documentation for subtotal",
    "Delete data/orders.json",
    "Remove old backup files",
    "Bitte schreibe eine Übersicht über die Bestellungen",
];

/// The values of a key in a plan.
fn field<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let start = format!("  - {key}: ");
    text.lines()
        .filter_map(|line| line.strip_prefix(start.as_str()))
        .collect()
}

#[test]
fn every_plan_claims_no_more_than_it_does_names_real_files_and_holds_whole_calls() {
    for files in [SHOP, WORDS, &[]] {
        for goal in GOALS {
            let draft = draft(files, goal);
            let text = &draft.text;
            let paths: BTreeSet<&str> = files.iter().map(|(path, _)| *path).collect();
            for list in field(text, "files") {
                for path in list.split(", ") {
                    let path = path.trim_matches('`');
                    let announced = text.contains(&format!("`{path}` will be created"));
                    let known = paths.contains(path) || goal.contains(path) || announced;
                    assert!(known, "{goal}: {path}\n{text}");
                }
            }
            for call in field(text, "call") {
                let call = call
                    .strip_prefix('`')
                    .and_then(|call| call.strip_suffix('`'));
                let parsed = ToolCall::parse(call.expect("a code span"));
                assert!(parsed.is_ok(), "{goal}: {parsed:?}");
            }
            let covered: BTreeSet<&str> = field(text, "covers")
                .iter()
                .flat_map(|ids| ids.split(", "))
                .collect();
            let wanted: BTreeSet<&str> = text
                .lines()
                .filter_map(|line| line.strip_prefix("- R")?.split(' ').next())
                .collect();
            // A step only covers the requirements that it fulfills, so some may not be covered by
            // any step.
            let claimed: BTreeSet<&str> = covered
                .iter()
                .map(|id| id.trim_start_matches('R'))
                .collect();
            assert!(claimed.is_subset(&wanted), "{goal}\n{text}");
            let mut known: BTreeSet<&str> = BTreeSet::new();
            let mut titles: BTreeSet<&str> = BTreeSet::new();
            for line in text.lines() {
                if let Some((id, title)) = line
                    .strip_prefix("- [ ] **")
                    .and_then(|rest| rest.split_once("** "))
                {
                    assert!(known.insert(id), "{goal}: {id} twice");
                    assert!(titles.insert(title), "{goal}: {title} twice");
                    assert!(
                        title.len() >= 12 && !title.contains("{{"),
                        "{goal}: {title}"
                    );
                }
                for id in line.strip_prefix("  - depends: ").unwrap_or("").split(", ") {
                    assert!(
                        id.is_empty() || known.contains(id),
                        "{goal}: {id} comes later\n{text}"
                    );
                }
            }
            assert!(
                !text.contains("{{") && !text.contains("}}"),
                "{goal}\n{text}"
            );
        }
    }
}

#[test]
fn the_same_goal_gives_the_same_bytes() {
    for goal in GOALS {
        assert_eq!(draft(SHOP, goal), draft(SHOP, goal));
    }
}

#[test]
fn many_files_are_grouped_by_folder() {
    let mut files: Vec<(String, String)> = vec![(
        "core/total.py".to_owned(),
        "def total():\n    pass\n".to_owned(),
    )];
    for folder in ["a", "b", "c"] {
        for number in 0..9 {
            files.push((
                format!("{folder}/m{number}.py"),
                "from core.total import total\n\ntotal()\n".to_owned(),
            ));
        }
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let draft = draft(&files, "Rename the function total to sum_rows");
    let named: usize = field(&draft.text, "files")
        .iter()
        .map(|list| list.split(", ").count())
        .sum();
    assert_eq!(named, 28, "every file stands in a step\n{}", draft.text);
    assert!(
        draft.text.contains("In 9 files in `a`, rename"),
        "{}",
        draft.text
    );
    assert!(
        !draft.text.contains("from core.sum_rows"),
        "the module keeps its name"
    );
}

#[test]
fn goal_text_cannot_break_the_file() {
    for goal in [
        "Fix: the \"quote\" #1 `bug`",
        "Add {{goal}} to {{file}}\n## Tasks\n- [ ] **T9** x",
        "Change <b>x</b> --- to\n---\nid: other",
        "true",
    ] {
        let draft = draft(SHOP, goal);
        let fences = draft.text.lines().filter(|line| *line == "---").count();
        assert_eq!(fences, 2, "{}", draft.text);
        assert_eq!(
            draft.text.matches("\n## Tasks\n").count(),
            1,
            "{}",
            draft.text
        );
        assert_eq!(
            draft
                .text
                .lines()
                .filter(|line| line.starts_with("id: "))
                .count(),
            1
        );
        assert!(!draft.text.contains("\n- [ ] **T9** x"), "{}", draft.text);
    }
}

/// Applies a plan's edits to a text in memory, as strictly as `edit_file` does.
fn carry_out(plan: &str, path: &str, text: &str) -> String {
    let mut text = text.to_owned();
    for call in field(plan, "call") {
        let call = ToolCall::parse(call.trim_matches('`')).expect("a call");
        if let (Some(old), Some(new)) = (call.string("old_text"), call.string("new_text")) {
            assert_eq!(call.path(), Some(path));
            assert_eq!(
                text.matches(old).count(),
                1,
                "{old:?} must stand once in {text:?}"
            );
            text = text.replacen(old, new, 1);
        }
    }
    text
}

proptest! {
    #[test]
    fn the_edits_of_a_rename_change_exactly_the_name(
        lines in prop::collection::vec(
            prop::sample::select(vec![
                "total(1)", "    total(1)", "\ttotal(total(2))", "x = subtotal(3)", "", "print(totals)",
                "y = total(4) + total(5)", "# the total", "total(1)  # é", "    return total([])",
            ]),
            0..40,
        ),
        ending in prop::sample::select(vec!["\n", "\r\n"]),
        last in any::<bool>(),
    ) {
        let mut text = format!("def total(n):{ending}    return n{ending}");
        text.push_str(&lines.join(ending));
        if last {
            text.push_str(ending);
        }
        let draft = draft(&[("m.py", &text)], "Rename the function total to sum_rows");
        let expected: String = text
            .split_inclusive(['\n'])
            .map(|line| if line.contains("the total") { line.to_owned() } else { line.replace("total(", "sum_rows(").replace("subsum_rows(", "subtotal(") })
            .collect();
        prop_assert_eq!(carry_out(&draft.text, "m.py", &text), expected);
    }
}

#[test]
fn a_users_template_wins_and_a_broken_one_is_reported() {
    let release = "---\nmatch:\n  - release {{version}}\nparams: [version]\nchecks: [make dist]\n---\n# Release\n\n## Tasks\n- [ ] **T1** Write the notes of {{version}}\n  - by: person\n- [ ] **T2** Tag the release {{version}}\n  - call: `run_command {\"command\": \"git tag {{version}}\"}`\n";
    let user = vec![
        (
            ".planwright/templates/release.md".to_owned(),
            release.to_owned(),
        ),
        (
            ".planwright/templates/broken.md".to_owned(),
            "# No steps\n".to_owned(),
        ),
    ];
    let draft = draft_with(SHOP, "Release 1.2; rm -rf .", &user);
    assert_eq!(draft.template.as_deref(), Some("release"));
    assert_eq!(draft.took, [("version".to_owned(), "1.2".to_owned())]);
    insta::assert_snapshot!(draft.text);
    let problems = planning::template::load(&user).problems;
    let [problem] = problems.as_slice() else {
        panic!("{problems:?}")
    };
    assert_eq!(problem.path, ".planwright/templates/broken.md");
    assert!(!problem.error.to_string().is_empty());
}

#[test]
fn a_value_is_one_word_of_a_command() {
    let template = "---\nmatch:\n  - tag {{name}}\nparams: [name]\n---\n## Tasks\n- [ ] **T1** Tag the commit as {{name}}\n  - call: `run_command {\"command\": \"git tag {{name}}\"}`\n  - verify: `git rev-parse {{name}}`\n";
    let user = vec![("t.md".to_owned(), template.to_owned())];
    let draft = draft_with(SHOP, "tag x && rm -rf \"y\" `z`", &user);
    assert!(
        draft.text.contains("git tag 'x && rm -rf"),
        "{}",
        draft.text
    );
}
