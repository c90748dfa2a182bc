//! A goal is classified by what it asks for, not by the words it mentions.

use planning::TaskType::{
    self, BugFix, Dependency, Documentation, Feature, Find, General, Modify, Removal, Rename,
};
use planning::detect;

fn kind(goal: &str) -> TaskType {
    detect(goal, &Default::default()).kind
}

#[test]
fn goals_are_taken_for_what_they_ask() {
    let table: &[(&str, TaskType)] = &[
        (
            "Rename the function total to sum_rows everywhere and test it",
            Rename,
        ),
        ("rename `parseRow` to `readRow`", Rename),
        (
            "Please rename class Order to PurchaseOrder in the whole project",
            Rename,
        ),
        ("Can you rename report.total to sum_rows?", Rename),
        ("Change the name of the method total to sum_rows", Rename),
        ("Fix the crash when the input file is empty", BugFix),
        ("Fixes the off-by-one error in paginate()", BugFix),
        ("fix(parser): quotes are lost", BugFix),
        ("Bug: the last page is empty", BugFix),
        ("The export command crashes on an empty table", BugFix),
        ("Find out why login hangs and fix it", BugFix),
        ("Resolve the deadlock in the worker pool", BugFix),
        ("Add a --json flag to the report command", Feature),
        ("We need to implement pagination for /orders", Feature),
        ("I want to add CSV export to the report", Feature),
        ("Write a function that parses dates", Feature),
        ("Support gzip input in load()", Feature),
        ("Refactor the loader into two modules", Modify),
        ("Change the default port to 8080", Modify),
        ("Make the parser faster", Modify),
        ("Remove the --verbose flag from the cli", Modify),
        (
            "Replace the regex in tokens.py with a hand-written scanner",
            Modify,
        ),
        ("Where is the retry limit set?", Find),
        ("Explain how the cache is invalidated", Find),
        ("Find all callers of connect()", Find),
        ("List the environment variables that the app reads", Find),
        ("Upgrade serde to 1.0.200", Dependency),
        ("Update the requests library to version 2.31", Dependency),
        ("Bump react to 19", Dependency),
        (
            "Write documentation for the plugin interface",
            Documentation,
        ),
        ("Document the retry policy in docs/retry.md", Documentation),
        ("Add a section on deployment to the README", Documentation),
        ("Fix the typos in README.md", Documentation),
        ("Update the changelog for 2.0", Documentation),
        ("Delete the old log files in var/logs/", Removal),
        ("Remove legacy/report_v1.py", Removal),
        ("Clean up *.bak files", Removal),
        ("Organise the team day in June", General),
        ("Bitte benenne die Funktion um", General),
        ("テストを追加してください", General),
    ];
    let wrong: Vec<_> = table
        .iter()
        .filter(|(goal, wanted)| kind(goal) != *wanted)
        .map(|(goal, wanted)| (goal, wanted, kind(goal)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_mere_mention_decides_nothing() {
    // Goals that only mention a kind of work, each with that kind, which it must not get.
    let table: &[(&str, TaskType)] = &[
        ("Explain the bug-fix policy", BugFix),
        ("Write a guide on how to fix a bug", BugFix),
        ("List the open bugs in the tracker export", BugFix),
        ("Add a --fix flag to the linter", BugFix),
        ("Describe the crash reporter", BugFix),
        ("Rename the fix_bug function to repair", BugFix),
        ("Document how to rename a module", Rename),
        ("Add a rename command to the file manager", Rename),
        ("Fix the rename dialog", Rename),
        ("Rename the start button to Begin the game", Rename),
        ("Explain what happens when a column is renamed", Rename),
        ("Rename notes.txt to notes.md", Rename),
        ("Explain the feature flags", Feature),
        ("Find where features are added to the menu", Feature),
        ("Fix the add button", Feature),
        (
            "Remove the add-feature template from the settings page",
            Feature,
        ),
        ("Explain how old files are removed", Removal),
        ("Add a command that deletes old files", Removal),
        ("Fix the bug that deletes files", Removal),
        ("Remove the file argument from open()", Removal),
        ("Explain the dependency graph", Dependency),
        ("Fix the dependency resolver", Dependency),
        ("Update the loader so that it skips comments", Dependency),
        ("Bump the version number in the about box", Dependency),
        ("Fix the documentation generator", Documentation),
        ("Remove the docs command from the cli", Documentation),
        ("Add a documentation command to the cli", Documentation),
        ("Fix the search box", Find),
        ("Add a find command", Find),
        ("Modify the explain output", Find),
    ];
    let wrong: Vec<_> = table
        .iter()
        .filter(|(goal, wanted)| kind(goal) == *wanted)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn requirements(goal: &str) -> Vec<String> {
    detect(goal, &Default::default())
        .requirements
        .into_iter()
        .map(|wish| wish.text)
        .collect()
}

#[test]
fn requirements_are_split_where_a_new_wish_begins() {
    assert_eq!(
        requirements("Rename total to sum_rows everywhere and test it"),
        ["Rename total to sum_rows everywhere", "Test it"]
    );
    assert_eq!(
        requirements("Add a --json flag, document it in the README, and add tests."),
        [
            "Add a --json flag",
            "Document it in the README",
            "Add tests"
        ]
    );
    assert_eq!(
        requirements("Add CSV export. Then update the docs; run the tests"),
        ["Add CSV export", "Then update the docs", "Run the tests"]
    );
    assert_eq!(
        requirements("Support salt and pepper hashing"),
        ["Support salt and pepper hashing"]
    );
    assert_eq!(
        requirements("Fix the copy and paste buttons"),
        ["Fix the copy and paste buttons"]
    );
    assert_eq!(
        requirements("Print \"open and close the door\" at the end"),
        ["Print \"open and close the door\" at the end"]
    );
}

#[test]
fn limits_are_kept_apart_from_wishes() {
    let read = |goal: &str| {
        let intake = detect(goal, &Default::default());
        let texts: Vec<String> = intake
            .requirements
            .into_iter()
            .map(|wish| wish.text)
            .collect();
        (texts, intake.constraints)
    };
    assert_eq!(
        read("Add gzip support without new dependencies"),
        (
            vec!["Add gzip support".to_owned()],
            vec!["without new dependencies".to_owned()]
        )
    );
    assert_eq!(
        read("Speed up the parser. Do not change the public API."),
        (
            vec!["Speed up the parser".to_owned()],
            vec!["Do not change the public API".to_owned()]
        )
    );
    assert_eq!(
        read("Refactor load(), but keep its signature"),
        (
            vec!["Refactor load()".to_owned()],
            vec!["keep its signature".to_owned()]
        )
    );
    assert_eq!(
        read("Fix the command that runs without arguments"),
        (
            vec!["Fix the command that runs without arguments".to_owned()],
            vec![]
        )
    );
}

#[test]
fn names_are_found_and_paths_out_of_the_workspace_are_not() {
    let intake = detect(
        "Make parse_row() in src/load.py accept `Row::new`, see ../secret.txt, /etc/passwd and https://example.org/a.md and/or TCP/IP",
        &Default::default(),
    );
    assert_eq!(intake.named_paths, ["src/load.py"]);
    // The type that a name belongs to is listed after all names.
    assert_eq!(intake.identifiers, ["parse_row", "new", "Row"]);
    let intake = detect("Show \"no rows found\" with --quiet", &Default::default());
    assert_eq!(intake.search_terms, ["--quiet", "no rows found"]);
}

#[test]
fn a_dotted_name_is_renamed_by_its_last_part() {
    let renames = detect(
        "Rename report.total to report.sum_rows",
        &Default::default(),
    )
    .renames;
    let [rename] = renames.as_slice() else {
        panic!("{renames:?}");
    };
    assert_eq!(
        (rename.from.as_str(), rename.to.as_str()),
        ("total", "sum_rows")
    );
}

#[test]
fn any_text_can_be_read() {
    for goal in [
        "",
        " ",
        "`",
        "\"",
        "((((",
        "rename to",
        "a.b.c",
        "…and ¿qué?",
        "- [ ] **T1** x",
        "ﬁx the ﬁle",
    ] {
        let intake = detect(goal, &Default::default());
        assert!(!intake.requirements.is_empty(), "{goal:?}");
    }
}
