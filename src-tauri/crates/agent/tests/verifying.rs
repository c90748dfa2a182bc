//! Tests of the verdicts on steps.

use std::collections::BTreeMap;

use agent::journal::{CallOutcome, Changes};
use agent::verification::{
    FileHashes, Verdict, VerdictInput, Verification, WorkspaceCheck, checks, edited_checks, verdict,
};
use plan::Plan;

fn step(lines: &str) -> Plan {
    plan::parse(&format!(
        "## Tasks\n- [ ] **T1** Do the work of it\n{lines}"
    ))
    .0
}

fn ran(tool: &str) -> CallOutcome {
    CallOutcome {
        tool: tool.to_owned(),
        ok: true,
        ..CallOutcome::default()
    }
}

fn wrote(tool: &str, path: &str, before: Option<&str>, after: Option<&str>) -> CallOutcome {
    CallOutcome {
        file: Some(Box::new(FileHashes {
            path: path.to_owned(),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
        })),
        ..ran(tool)
    }
}

fn searched(hits: u32) -> CallOutcome {
    CallOutcome {
        hits: Some(hits),
        ..ran("search_files")
    }
}

struct Played {
    verification: Verification,
    plan: Plan,
    calls: Vec<CallOutcome>,
    checks: Vec<CallOutcome>,
    changed: Vec<&'static str>,
    is_signed: bool,
}

fn played(lines: &str, calls: Vec<CallOutcome>) -> Played {
    Played {
        verification: Verification::default(),
        plan: step(lines),
        calls,
        checks: Vec::new(),
        changed: Vec::new(),
        is_signed: false,
    }
}

impl Played {
    fn verdict(&self) -> Verdict {
        let numbered = |outcomes: &[CallOutcome]| -> BTreeMap<usize, CallOutcome> {
            outcomes.iter().cloned().enumerate().collect()
        };
        let task = &self.plan.tasks[0];
        let changes = Changes {
            files: self.changed.iter().map(|path| (*path).to_owned()).collect(),
            ..Changes::default()
        };
        verdict(&VerdictInput {
            verification: &self.verification,
            task,
            calls: &numbered(&self.calls),
            lines: &task.verify,
            checks: &numbered(&self.checks),
            changes: Some(&changes),
            is_signed: self.is_signed,
        })
    }
}

#[test]
fn an_edit_is_verified_by_its_bytes_before_and_after() {
    let edit = wrote("edit_file", "a", Some("1"), Some("2"));
    let mut played = played("", vec![edit.clone()]);
    played.changed = vec!["a"];
    assert!(played.verdict().is_verified);
    played.changed = vec![];
    let verdict = played.verdict();
    assert!(!verdict.is_verified);
    assert!(
        verdict.reasons[0].contains("was changed, then changed back"),
        "{verdict:?}"
    );
    played.calls = vec![wrote("edit_file", "a", Some("1"), Some("1"))];
    assert!(played.verdict().reasons[0].contains("changed nothing"));
    // Writing the same content again is not a false claim.
    played.calls = vec![wrote("write_file", "a", Some("1"), Some("1"))];
    assert!(played.verdict().is_verified);
    // The step changed the file and then changed it back.
    played.calls = vec![edit, wrote("edit_file", "a", Some("2"), Some("1"))];
    assert!(played.verdict().is_verified, "no net change was claimed");
}

#[test]
fn a_search_that_found_nothing_is_no_evidence() {
    assert!(played("", vec![searched(2)]).verdict().is_verified);
    let none = played("", vec![searched(0)]).verdict();
    assert_eq!((none.is_verified, none.reasons.len()), (false, 1));
    assert!(
        played("", vec![searched(0), searched(1)])
            .verdict()
            .is_verified
    );
    let expected = played("  - accept: nothing names it\n", vec![searched(0)]);
    assert!(expected.verdict().is_verified, "an explicit none");
}

#[test]
fn each_setting_switches_off_its_own_evidence() {
    let edit = || vec![wrote("edit_file", "a", Some("1"), Some("2"))];
    let mut off = played("", edit());
    off.changed = vec!["a"];
    off.verification.verify_file_changes = false;
    assert!(off.verdict().reasons[0].contains("verifyFileChanges"));
    let mut off = played("", vec![searched(3)]);
    off.verification.verify_search_results = false;
    assert!(off.verdict().reasons[0].contains("verifySearchResults"));
    let mut off = played("  - verify: `make test`\n", edit());
    off.checks = vec![ran("")];
    assert!(off.verdict().is_verified);
    off.verification.max_verification_attempts = 0;
    let verdict = off.verdict();
    assert!(!verdict.is_verified, "switched off is never green");
    assert!(verdict.reasons[0].contains("maxVerificationAttempts"));
    off.is_signed = true;
    assert!(
        off.verdict().is_verified,
        "a person's word stands for itself"
    );
}

#[test]
fn a_check_stands_for_the_whole_step_and_doubts_are_said() {
    let mut checked = played("  - verify: `make test`\n", vec![searched(0)]);
    checked.checks = vec![ran("")];
    let verdict = checked.verdict();
    assert!(verdict.is_verified);
    assert_eq!(verdict.warnings, ["its search found nothing"]);
    checked.checks = vec![CallOutcome {
        is_flaky: true,
        ..ran("")
    }];
    let verdict = checked.verdict();
    assert!(
        verdict
            .warnings
            .iter()
            .any(|said| said.contains("`make test` is flaky"))
    );
    checked.changed = vec!["Makefile"];
    let verdict = checked.verdict();
    assert!(
        verdict
            .warnings
            .iter()
            .any(|said| said == "the check was edited in this step: Makefile")
    );
}

#[test]
fn the_workspace_checks_a_change_that_has_no_check_of_its_own() {
    let commands = [
        WorkspaceCheck {
            line: "make test".to_owned(),
            is_own: true,
        },
        WorkspaceCheck {
            line: "make lint".to_owned(),
            is_own: false,
        },
    ];
    let lines =
        |verification: &Verification, plan: &Plan, outcome: CallOutcome| -> Vec<(String, bool)> {
            let calls = BTreeMap::from([(0, outcome)]);
            checks(verification, &plan.tasks[0], &calls, &commands)
                .into_iter()
                .map(|check| (check.line.to_owned(), check.is_named))
                .collect()
        };
    let all = Verification::default();
    let (bare, own) = (step(""), step("  - verify: `own`\n"));
    let both = [
        ("make test".to_owned(), true),
        ("make lint".to_owned(), false),
    ];
    assert_eq!(lines(&all, &bare, ran("edit_file")), both);
    assert_eq!(
        lines(&all, &own, ran("edit_file")),
        [("own".to_owned(), true)]
    );
    assert!(
        lines(&all, &bare, ran("read_file")).is_empty(),
        "nothing changed"
    );
    let failed = CallOutcome {
        ok: false,
        ..ran("edit_file")
    };
    assert!(lines(&all, &bare, failed).is_empty());
    let off = Verification {
        run_tests_after_changes: false,
        ..all
    };
    assert!(lines(&off, &bare, ran("edit_file")).is_empty());
    let none = Verification {
        max_verification_attempts: 0,
        ..all
    };
    assert!(lines(&none, &own, ran("edit_file")).is_empty());
}

#[test]
fn a_check_that_the_step_edited_is_told() {
    for (line, changed, is_edited) in [
        (
            "python3 -m unittest tests.test_report",
            "tests/test_report.py",
            true,
        ),
        (
            "python3 -m unittest tests.test_report",
            "tests/test_other.py",
            false,
        ),
        (
            "python3 -m unittest tests.test_report",
            "src/report.py",
            false,
        ),
        ("python3 -m unittest", "tests/test_report.py", true),
        ("pytest tests/test_a.py::test_one", "tests/test_a.py", true),
        ("pytest tests", "tests/unit/test_a.py", true),
        ("pytest", "conftest.py", true),
        ("pytest", "src/app.py", false),
        ("cargo test", "tests/it.rs", true),
        ("cargo test", "src/lib.rs", false),
        ("go test ./...", "pkg/a_test.go", true),
        ("npm test", "package.json", true),
        ("npm test", "src/a.test.ts", true),
        ("npm test", "src/a.ts", false),
        ("make check", "Makefile", true),
        ("sh scripts/check.sh", "scripts/check.sh", true),
        ("sh check.sh", "check.sh", true),
        ("python3 check.py", "check.py", true),
        (
            "python3.12 -W error tools/verify.py --all",
            "tools/verify.py",
            true,
        ),
        ("FAST=1 node verify.js | tail -1", "verify.js", true),
        ("./check", "check", true),
        ("python3 check.py greetings.txt", "greetings.txt", false),
        ("grep -q good greetings.txt", "greetings.txt", false),
        ("python3 src/cli.py --help", "src/cli.py", false),
        ("test -f tests/fixture.json", "src/latest.rs", false),
    ] {
        // A file named by the step is the code under test, not the check itself.
        let named = ["src/cli.py".to_owned()];
        let edited = edited_checks(&[line.to_owned()], &[changed.to_owned()], &named);
        assert_eq!(!edited.is_empty(), is_edited, "`{line}` and {changed}");
    }
}
