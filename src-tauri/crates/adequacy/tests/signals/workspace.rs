//! Tests of what the workspace lacks: files, commands, and code that has changed since the plan was
//! written.

use std::collections::{BTreeMap, BTreeSet};

use adequacy::{Code, Finding, Report, Severity, WorkspaceFacts};
use plan::Task;

use crate::build::{Ask, With, plan, step};

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn facts(paths: &[&str]) -> WorkspaceFacts {
    WorkspaceFacts {
        paths: Some(names(paths)),
        ..WorkspaceFacts::default()
    }
}

fn check(facts: &WorkspaceFacts, tasks: impl IntoIterator<Item = Task>) -> Report {
    let subject = plan("Tidy the shop", tasks);
    Ask {
        facts: facts.clone(),
        ..Ask::about(&subject)
    }
    .check()
}

fn found(report: &Report, code: Code) -> Option<&Finding> {
    report.findings.iter().find(|finding| finding.code == code)
}

fn is_missing(facts: &WorkspaceFacts, tasks: impl IntoIterator<Item = Task>) -> bool {
    found(&check(facts, tasks), Code::PathMissing).is_some()
}

#[test]
fn a_missing_file_leads_to_a_question() {
    let known = facts(&["src/report.py", "src/till.py"]);
    let slip = || step("T1", "Change the columns of the report").files(&["src/reprot.py"]);
    let report = check(&known, [slip()]);
    let finding = found(&report, Code::PathMissing).expect("raised");
    assert!(
        finding.message.contains("did you mean `src/report.py`"),
        "{}",
        finding.message
    );
    assert_eq!(finding.severity, Severity::Major);
    assert_eq!(finding.fixes.len(), 2);
    assert!(finding.question.is_some());
    assert!(!is_missing(
        &known,
        [step("T1", "Change the columns").files(&["src/report.py"])]
    ));
    assert!(
        !is_missing(&WorkspaceFacts::default(), [slip()]),
        "not known"
    );
}

#[test]
fn a_file_created_by_a_step_is_not_missing() {
    let known = facts(&["src/till.py"]);
    let edit = |id| step(id, "Update the coupons").files(&["src/coupons/store.py"]);
    assert!(is_missing(&known, [edit("T1")]));
    for maker in [
        step("T0", "Create `src/coupons/store.py`"),
        step("T0", "Create the folder `src/coupons/`"),
        step("T0", "Write down coupons").files(&["src/coupons/store.py"]),
        step("T0", "Write it")
            .call(r#"write_file {"path": "src/coupons/store.py", "content": ""}"#),
    ] {
        assert!(
            !is_missing(&known, [maker.clone(), edit("T1")]),
            "{}",
            maker.title
        );
    }
    for title in [
        "Create the coupons",
        "Split the till in two",
        "Store coupons",
        "Test the coupons",
    ] {
        assert!(
            !is_missing(&known, [step("T1", title).files(&["src/coupons/store.py"])]),
            "{title}"
        );
    }
    assert!(!is_missing(
        &known,
        [step("T1", "Update the till").files(&["src/till.py", "src/new_one.py"])]
    ));
    assert!(
        !is_missing(&known, [step("T1", "Update the till").files(&["src"])]),
        "a folder"
    );
}

#[test]
fn a_path_in_the_title_counts() {
    let known = facts(&["src/cli/index.ts"]);
    assert!(is_missing(
        &known,
        [step("T1", "Update `src/cli/indx.ts` for the flag")]
    ));
    assert!(!is_missing(
        &known,
        [step("T1", "Update `src/cli/index.ts` for the flag")]
    ));
    assert!(!is_missing(
        &known,
        [step("T1", "Create `src/cli/flag.ts`")]
    ));
    assert!(!is_missing(
        &known,
        [step("T1", "Update `console.log` calls in the shop")]
            .map(|task| task.files(&["src/cli/index.ts"]))
    ));
}

fn missing_command(
    facts: &WorkspaceFacts,
    tasks: impl IntoIterator<Item = Task>,
) -> Option<String> {
    let report = check(facts, tasks);
    found(&report, Code::CommandMissing).map(|finding| finding.message.clone())
}

#[test]
fn scripts_targets_and_packages_must_exist() {
    let known = WorkspaceFacts {
        targets: BTreeMap::from([
            ("npm".to_owned(), names(&["test", "lint"])),
            ("make".to_owned(), names(&["check", "all"])),
            ("cargo".to_owned(), names(&["shop-core"])),
        ]),
        ..facts(&["package.json", "src/a.ts"])
    };
    let checked = |line: &str| {
        missing_command(
            &known,
            [step("T1", "Sort the shelves by colour").verify(line)],
        )
    };
    for (line, meant) in [
        ("npm run tset", "`test`"),
        ("make chek", "`check`"),
        ("cargo test -p shop-cor", "`shop-core`"),
        ("CI=1 npm run tset", "`test`"),
    ] {
        let message = checked(line);
        assert!(
            message
                .as_deref()
                .is_some_and(|message| message.contains(meant)),
            "{line}: {message:?}"
        );
    }
    for line in [
        "npm run test",
        "npm test",
        "npm ci",
        "make check",
        "make -C sub any",
        "make V=1 all",
        "cargo test -p shop-core",
        "cargo test",
        "just anything",
        "npm run tset | tee log",
    ] {
        assert_eq!(checked(line), None, "{line}");
    }
    let added = step("T1", "Add the script for axe")
        .files(&["package.json"])
        .verify("npm run axe");
    assert_eq!(missing_command(&known, [added]), None, "the step adds it");
}

#[test]
fn files_named_in_a_command_must_exist() {
    let known = facts(&["tests/test_till.py", "tools/run.sh", "src/till.py"]);
    let checked = |line: &str| {
        missing_command(
            &known,
            [step("T1", "Run the tests of the till").verify(line)],
        )
    };
    for line in [
        "pytest tests/test_tll.py",
        "pytest tests/other.py::test_it",
        "python3 -m unittest tests.test_tlil",
        "./tools/run.bash",
        "python tools/missing.py",
    ] {
        assert!(checked(line).is_some(), "{line}");
    }
    for line in [
        "pytest tests/test_till.py -q",
        "pytest",
        "python3 -m unittest tests.test_till.TillTest.test_one",
        "python3 -m unittest discover -s tests",
        "./tools/run.sh --all",
        "python -c 'print(1)'",
        "bash tools/run.sh",
    ] {
        assert_eq!(checked(line), None, "{line}");
    }
    let writes = step("T1", "Teach the till about coupons").verify("pytest tests/coupon_spec.py");
    assert_eq!(
        missing_command(&known, [writes]),
        None,
        "the step may write its test"
    );
}

#[test]
fn a_program_that_is_not_installed_is_reported() {
    let known = WorkspaceFacts {
        programs: Some(names(&["cargo", "python3", "make"])),
        ..WorkspaceFacts::default()
    };
    let checked = |line: &str| {
        missing_command(
            &known,
            [step("T1", "Sort the shelves by colour").verify(line)],
        )
    };
    assert!(checked("pyhton3 -m unittest").is_some_and(|message| message.contains("`python3`")));
    assert!(checked("cargo test").is_none());
    assert!(checked("test -f x").is_none());
    assert!(checked("tools/run.sh").is_none());
}

#[test]
fn a_step_on_changed_code_says_since_when() {
    let known = WorkspaceFacts {
        changed: BTreeMap::from([("till.py".to_owned(), "since commit 3f2c1e9".to_owned())]),
        ..WorkspaceFacts::default()
    };
    let named = |id: &str| step(id, "Teach the till about coupons").files(&["./till.py"]);
    let done = |task: Task| Task { done: true, ..task };
    let of = |tasks: Vec<Task>| -> Vec<String> {
        let report = check(&known, tasks);
        let of_code = report
            .findings
            .iter()
            .filter(|finding| finding.code == Code::BaseOutdated);
        of_code.map(|finding| finding.message.clone()).collect()
    };
    let messages = of(vec![
        named("T1"),
        step("T2", "Sort the shelves").files(&["shelf.py"]),
    ]);
    assert_eq!(messages.len(), 1);
    assert!(messages[0].contains("since commit 3f2c1e9"), "{messages:?}");
    assert_eq!(of(vec![done(named("T1"))]), [""; 0], "done is done");
    assert_eq!(
        of(vec![done(named("T1")), named("T2")]),
        [""; 0],
        "the plan itself changed it"
    );
}
