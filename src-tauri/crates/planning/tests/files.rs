//! Tests which files a plan names for a goal, and how it handles missing files.
#![allow(clippy::expect_used, dead_code)] // a plan that is not made fails the test

mod support;

use planning::template::Pick;
use support::draft;

#[test]
fn the_built_in_templates_are_all_read() {
    let loaded = planning::template::load(&[]);
    assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
}

const SUMS: &[(&str, &str)] = &[
    (
        "package.json",
        "{\"scripts\": {\"test\": \"node --test\"}}\n",
    ),
    (
        "lib/sum.js",
        "function sum(values) { return 0; }\nmodule.exports = { sum };\n",
    ),
    (
        "lib/report.js",
        "const { sum } = require('./sum');\nexports.render = function (rows) {\n  return rows[0].name + sum(rows);\n};\n",
    ),
    ("lib/other.js", "exports.other = 1;\n"),
    (
        "test/sum.test.js",
        "const { sum } = require('../lib/sum');\ntest('sums', () => sum([]));\n",
    ),
];

/// The files that the steps of a plan name.
fn files_of(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for line in text
        .lines()
        .filter_map(|line| line.strip_prefix("  - files: "))
    {
        for path in line.split(", ").map(|path| path.trim_matches('`')) {
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn a_definition_leads_to_its_file_and_the_test_beside_it_is_proposed() {
    let text = draft(SUMS, "Fix the crash in render when rows is empty").text;
    assert_eq!(
        files_of(&text),
        ["lib/report.js", "test/report.test.js"],
        "{text}"
    );
    assert!(
        text.contains("assume: no test found for `lib/report.js`"),
        "{text}"
    );
}

#[test]
fn the_name_of_a_file_leads_to_it() {
    let text = draft(SUMS, "Add a --json flag to the report command and test it").text;
    assert_eq!(
        files_of(&text),
        ["lib/report.js", "test/report.test.js"],
        "{text}"
    );
    let text = draft(SUMS, "Where is the sum computed?").text;
    assert!(
        text.contains("`search_files {\"pattern\": \"sum\"}`"),
        "{text}"
    );
    assert!(!text.contains("\"computed\""), "{text}");
    assert_eq!(
        files_of(&text),
        ["lib/sum.js", "test/sum.test.js"],
        "{text}"
    );
    // Words match in any inflected form.
    let text = draft(SUMS, "Explain how reports are made").text;
    assert_eq!(files_of(&text).first(), Some(&"lib/report.js"), "{text}");
    assert!(
        text.contains("`search_files {\"pattern\": \"report\"}`"),
        "{text}"
    );
}

#[test]
fn generic_words_lead_nowhere() {
    let files = &[
        ("lib/old.js", "function empty() {}\n"),
        ("lib/crash.js", ""),
    ];
    let text = draft(
        files,
        "Fix the crash of the old function when a file is empty",
    )
    .text;
    assert!(files_of(&text).is_empty(), "{text}");
}

#[test]
fn a_step_names_few_files_and_all_that_the_goal_writes_out() {
    let many: Vec<(String, String)> = (0..20)
        .map(|n| (format!("lib/report_{n:02}.js"), String::new()))
        .collect();
    let files: Vec<(&str, &str)> = many.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
    // No file is more likely than the others, so the plan reads a few and names none as the file to
    // change.
    let text = draft(&files, "Make the report faster").text;
    assert_eq!(files_of(&text).len(), 3, "{text}");
    let (plan, _) = plan::parse(&text);
    let mut changing = plan.tasks.iter().filter(|task| task.calls.is_empty());
    assert!(changing.all(|task| task.files.is_empty()), "{text}");
    let named: Vec<&str> = files.iter().take(8).map(|(path, _)| *path).collect();
    let text = draft(&files, &format!("Tidy {}", named.join(" and "))).text;
    assert_eq!(files_of(&text), named, "{text}");
}

#[test]
fn a_text_goes_where_its_subject_is_spoken_of() {
    let goal = "Write documentation for lib/sum.js";
    let text = draft(SUMS, goal).text;
    assert!(!text.contains("Choose the file"), "{text}");
    assert!(files_of(&text).contains(&"README.md"), "{text}");
    let mut files = SUMS.to_vec();
    files.push(("docs/api.md", "# API\n\nUse `sum`.\n"));
    files.push(("README.md", "# Sums\n"));
    let text = draft(&files, goal).text;
    assert!(files_of(&text).contains(&"docs/api.md"), "{text}");
    assert!(!files_of(&text).contains(&"README.md"), "{text}");
    files.pop();
    files[5] = ("docs/logo.svg", "<svg/>");
    let text = draft(&files, goal).text;
    assert!(files_of(&text).contains(&"docs/sum.md"), "{text}");
}

#[test]
fn a_changelog_is_a_file_of_its_own() {
    let mut files = SUMS.to_vec();
    files.push(("README.md", "# Sums\n"));
    let text = draft(&files, "Write a changelog").text;
    assert!(files_of(&text).contains(&"CHANGELOG.md"), "{text}");
    files.push(("docs/CHANGELOG.md", "# Changes\n"));
    let text = draft(&files, "Write a changelog").text;
    assert_eq!(files_of(&text), ["docs/CHANGELOG.md"], "{text}");
}

#[test]
fn a_verb_of_goals_is_a_name_where_a_noun_stands() {
    let files = &[("src/shelf.py", "def load(text):\n    return text\n")];
    let text = draft(files, "Why does load fail on a trailing comma?").text;
    assert_eq!(files_of(&text), ["src/shelf.py"], "{text}");
}

#[test]
fn a_removal_includes_everything_it_names() {
    let goal = "Remove the old files lib/other.js and dist, and the tmp folder";
    let intake = planning::detect(goal, &Default::default());
    assert_eq!(intake.named_paths, ["lib/other.js", "tmp", "dist"]);
    let patterns = planning::detect("Remove *.o files and prog", &Default::default());
    assert_eq!(patterns.named_paths, ["*.o", "prog"]);
    let mut context = support::context(SUMS, &intake);
    context.folders.insert("dist".to_owned(), false);
    let templates = planning::template::load(&[]);
    let text = planning::solve(&intake, &context, &templates.all, Pick::ByGoal, "0000")
        .expect("a template answers")
        .text;
    insta::assert_snapshot!(text);
}

#[test]
fn a_step_waits_for_nothing_twice() {
    let text = draft(SUMS, "Fix the crash in render when rows is empty").text;
    // Dependents of a dropped step inherit its dependencies.
    assert!(text.contains("- depends: T2\n"), "{text}");
    assert!(!text.contains("T2, T1"), "{text}");
}

#[test]
fn a_rename_reaches_types_in_quotes_and_leaves_file_names_alone() {
    let files = &[
        ("Makefile", "prog: item.c\n\tcc item.c\n"),
        ("item.c", "int item(void) { return 1; }\n"),
    ];
    let text = draft(files, "Rename the function item to article").text;
    assert!(!text.contains("`Makefile`"), "{text}");
    let files = &[(
        "shelf.py",
        "class Item:\n    def copy(self) -> \"Item\":\n        other: \"Item | None\" = self\n        return {\n            name: \"Item\",\n        }\n",
    )];
    let text = draft(files, "Rename the class Item to Article").text;
    assert!(text.contains("(3 places)"), "{text}");
    assert!(text.contains("\n  5: name: \"Item\",\n"), "{text}");
}

#[test]
fn a_document_that_the_goal_names_does_not_hide_the_code() {
    let mut files = SUMS.to_vec();
    files.push(("README.md", "# Sums\n"));
    let text = draft(
        &files,
        "Add a limit to the report and describe it in the README",
    )
    .text;
    assert!(files_of(&text).contains(&"lib/report.js"), "{text}");
    assert!(files_of(&text).contains(&"README.md"), "{text}");
}

#[test]
fn a_change_that_keeps_behaviour_asks_for_no_new_test() {
    let text = draft(SUMS, "Move render from lib/report.js to lib/view.js").text;
    assert_eq!(files_of(&text), ["lib/report.js", "lib/view.js"], "{text}");
    assert!(!text.contains("Extend the tests"), "{text}");
    let text = draft(SUMS, "Refactor the report and extend its tests").text;
    assert!(text.contains("Extend the tests"), "{text}");
}
