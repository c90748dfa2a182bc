//! Tests of unnecessary dependencies, and of plans without dependencies.

use adequacy::{Code, Severity};

use crate::build::{With, codes_of, finding, plan, plan_codes, report, step};

fn translations(files: &[&str]) -> Vec<plan::Task> {
    let ids = ["T1", "T2", "T3", "T4"];
    files
        .iter()
        .zip(["French", "German", "Polish", "Danish"])
        .enumerate()
        .map(|(nth, (file, language))| {
            let title = format!(
                "Translate help page {} into {language} and verify the build",
                nth + 1
            );
            let before: Vec<&str> = nth.checked_sub(1).map(|at| ids[at]).into_iter().collect();
            let own: Vec<&str> = [*file]
                .into_iter()
                .filter(|file| !file.is_empty())
                .collect();
            step(ids[nth], &title).files(&own).after(&before)
        })
        .collect()
}

#[test]
fn a_chain_of_similar_steps_can_run_independently() {
    let files = [
        "help/french.md",
        "help/german.md",
        "help/polish.md",
        "help/danish.md",
    ];
    let chained = report(&plan("Translate help pages", translations(&files)));
    let found = finding(&chained, Code::RedundantDependency);
    assert_eq!(found.severity, Severity::Info);
    assert_eq!(found.task.as_ref().map(plan::TaskId::as_str), Some("T2"));
    assert_eq!(found.fixes.len(), 1);
    assert_eq!(plan_codes(&chained), [""; 0]);

    // After the dependencies are removed, no finding asks to add any.
    let mut apart = translations(&files);
    for task in &mut apart {
        task.depends = Some(Vec::new());
    }
    assert_eq!(
        plan_codes(&report(&plan("Translate help pages", apart))),
        [""; 0]
    );
}

#[test]
fn a_chain_with_a_reason_is_not_reported() {
    let kept = |tasks: Vec<plan::Task>| {
        let report = report(&plan("Translate help pages", tasks));
        report
            .findings
            .iter()
            .all(|finding| finding.code != Code::RedundantDependency)
    };
    let shared = ["help/a.md", "help/b.md", "help/a.md", "help/c.md"];
    assert!(kept(translations(&shared)), "two change one file");
    assert!(
        kept(translations(&["", "", "", ""])),
        "nothing says that they differ"
    );
    assert!(
        kept(translations(&["help/a.md", "help/b.md"])),
        "two may well be in order"
    );
    let steps = [
        step("T1", "Write the parser of the menu").files(&["parser.rs"]),
        step("T2", "Draw the menu from what was read")
            .files(&["menu.rs"])
            .after(&["T1"]),
        step("T3", "Test the menu with three files")
            .files(&["tests/menu.rs"])
            .after(&["T2"]),
    ];
    assert!(kept(steps.to_vec()));
}

#[test]
fn an_oversized_step_can_be_split() {
    let big = step(
        "T1",
        "Redesign the storage layer, rewrite the parser, migrate every caller, and update the documentation",
    );
    let plan_of = plan(
        "Tidy the shop",
        [big, step("T2", "Sort the shelves by colour")],
    );
    let report = report(&plan_of);
    assert_eq!(codes_of(&report, "T1"), ["oversized_task"]);
    assert_eq!(codes_of(&report, "T2"), [""; 0]);
    assert_eq!(finding(&report, Code::OversizedTask).fixes.len(), 1);
}

#[test]
fn nearly_the_same_words_are_a_duplicate() {
    let codes = |title: &str| {
        let first = step("T1", "Add the export button to the toolbar");
        codes_of(
            &report(&plan("Tidy the shop", [first, step("T2", title)])),
            "T2",
        )
    };
    assert_eq!(
        codes("Add export buttons to the toolbar"),
        ["duplicate_task"]
    );
    assert_eq!(
        codes("To the toolbar, add the export button"),
        ["duplicate_task"]
    );
    assert_eq!(codes("Add the import button to the toolbar"), [""; 0]);
}

#[test]
fn a_question_in_a_step_is_open_until_answered() {
    let open = step("T1", "Store the theme (or should that be per user?)");
    let with = |task: plan::Task| codes_of(&report(&plan("Tidy the shop", [task])), "T1");
    assert_eq!(with(open.clone()), ["open_question"]);
    assert_eq!(
        with(open.clone().field("assume", "per machine", 0)),
        [""; 0]
    );
    assert_eq!(with(step("T1", "Store the theme per user")), [""; 0]);
    let decision = plan::Task {
        kind: plan::TaskKind::Decision,
        ..step("D1", "Per user?")
    };
    let decided = plan("Tidy the shop", [decision, open.after(&["D1"])]);
    assert_eq!(codes_of(&report(&decided), "T1"), [""; 0]);
}
