//! Tests with a database and folders: knowledge from two earlier runs is found for a related goal.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fs;

use adequacy::WorkspaceFacts;
use agent::journal::Entry;
use agent::journal::{CallOutcome, Changes};
use gate::answers::Answer;
use gate::question::{Question, QuestionKind};
use planning::detect;
use store::{AskedQuestion, Author, NewFact, NewRevision, NewRun};

use tools::survey::{SurveyRequest, survey};

use super::*;
use crate::journal_rows;

const DAY: i64 = 86_400_000;
const NOW: i64 = 20_000 * DAY;

const PLAN: &str = "# Orders as CSV\n\n## Tasks\n\n\
    - [x] **T1** Decide which line end exports use\n  - kind: decision\n  - option: `LF`\n  - option: `CRLF`\n\
    - [x] **T2** Write the rows\n  - depends: T1\n  - files: `src/export.py`, `src/cli.py`\n\
    - [ ] **T3** Stream large exports\n  - depends: T2\n  - files: `src/export.py`\n\
    - [ ] **T4** Tell of it\n  - depends: T2\n  - files: `docs/old.md`\n";

struct Site {
    folder: tempfile::TempDir,
    _data: tempfile::TempDir,
    store: Store,
    workspace: Workspace,
}

impl Site {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = tempfile::tempdir().unwrap();
        let (store, _) = Store::open(data.path(), 0).unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        let site = Self {
            folder,
            _data: data,
            store,
            workspace,
        };
        site.write("src/export.py", "def write_rows(rows):\n    pass\n");
        site.write("src/cli.py", "import export\n");
        site.write("src/mail.py", "def send():\n    pass\n");
        site
    }

    fn write(&self, path: &str, content: &str) -> String {
        let full = self.folder.path().join(path);
        fs::create_dir_all(full.parent().unwrap()).unwrap();
        fs::write(full, content).unwrap();
        ContentHash::of(content.as_bytes()).to_hex()
    }

    fn root(&self) -> String {
        self.workspace.path().display().to_string()
    }

    fn run(&self, root: &str, id: &str, plan: &str, days_ago: i64, entries: &[Entry]) {
        let plan = format!("{root}/{plan}");
        let revision = ContentHash::of(PLAN.as_bytes()).to_hex();
        let at_ms = NOW - days_ago * DAY;
        let new = NewRevision {
            plan: &plan,
            hash: &revision,
            parent: None,
            author: Author::Person,
            reason: "test",
            at_ms,
            content: PLAN.as_bytes(),
        };
        self.store.revisions().record(&new).unwrap();
        let run = NewRun {
            id,
            plan: &plan,
            workspace: root,
            revision: &revision,
            policy: "all",
            state: "failed",
            title: "Orders as CSV",
            at_ms,
        };
        self.store.runs().create(&run).unwrap();
        journal_rows::append(&self.store, id, 1, entries, at_ms).unwrap();
    }

    fn learn(&self, root: &str, plan: &str, text: &str, from: Option<(&str, &str)>, days: i64) {
        let fact = NewFact {
            text,
            path: from.map(|(path, _)| path),
            hash: from.map(|(_, hash)| hash),
        };
        let plan = format!("{root}/{plan}");
        let facts = self.store.facts();
        facts
            .keep(root, &plan, Some("T2"), &[fact], NOW - days * DAY)
            .unwrap();
    }

    fn ask(&self, goal: &str) -> (Context, Report) {
        let intake = detect(goal, &WorkspaceFacts::default());
        let mut context = survey(&self.workspace, &SurveyRequest::for_intake(&intake)).unwrap();
        let none = |_: &str| Vec::new();
        let report = know(
            &self.store,
            &self.workspace,
            &intake,
            &mut context,
            &none,
            NOW,
        );
        (context, report.unwrap())
    }
}

fn done(task: &str, files: &[&str]) -> Entry {
    Entry::Done {
        task: task.to_owned(),
        changes: Changes {
            files: files.iter().map(|path| (*path).to_owned()).collect(),
            ..Changes::default()
        },
        signed: None,
        verdict: None,
    }
}

fn checked(task: &str, command: &str, ok: bool) -> Entry {
    Entry::Checked {
        task: task.to_owned(),
        check: 0,
        outcome: CallOutcome {
            ok,
            command: Some(command.to_owned()),
            ..CallOutcome::default()
        },
    }
}

fn decided(task: &str, label: &str) -> Entry {
    Entry::Decided {
        task: task.to_owned(),
        label: label.to_owned(),
    }
}

fn failed(task: &str, reason: &str) -> Entry {
    Entry::Failed {
        task: task.to_owned(),
        reason: reason.to_owned(),
    }
}

fn texts(context: &Context) -> Vec<String> {
    let known = context.known.iter();
    known
        .map(|known| format!("{} [{}]", known.text, known.provenance))
        .collect()
}

/// Stores two runs, and one of another workspace with the same statements about its own files.
fn two_runs(site: &Site) {
    let root = site.root();
    let hash = ContentHash::of(b"def write_rows(rows):\n    pass\n").to_hex();
    site.run(
        &root,
        "r1",
        "plans/a.md",
        5,
        &[
            decided("T1", "CRLF"),
            checked("T2", "pytest -q", true),
            done("T2", &["src/cli.py", "src/export.py", "src/gone.py"]),
        ],
    );
    site.run(
        &root,
        "r2",
        "plans/b.md",
        2,
        &[
            done("T2", &["src/cli.py", "src/export.py"]),
            failed("T3", "`pytest -q` ended with 1"),
        ],
    );
    let from = Some(("src/export.py", &*hash));
    site.learn(&root, "plans/a.md", "rows are tuples", from, 5);
    site.learn(
        &root,
        "plans/b.md",
        "mails wait",
        Some(("src/mail.py", "0")),
        2,
    );
    let other = format!("{root}-other");
    site.run(
        &other,
        "r3",
        "plans/a.md",
        1,
        &[failed("T3", "of another workspace")],
    );
    site.learn(
        &other,
        "plans/a.md",
        "exports of another workspace",
        from,
        1,
    );
}

#[test]
fn what_two_runs_left_is_told_with_where_it_comes_from() {
    let site = Site::new();
    two_runs(&site);
    let (context, report) = site.ask("Add a header line in src/export.py");
    assert_eq!(
        texts(&context),
        [
            "the step \"Stream large exports\" failed: `pytest -q` ended with 1 \
             [step T3 of plans/b.md, 2 days ago]",
            "a person decided \"Decide which line end exports use\": CRLF \
             [step T1 of plans/a.md, 5 days ago]",
            "rows are tuples [step T2 of plans/a.md, 5 days ago]",
            "the step \"Write the rows\" was done [step T2 of plans/b.md, 2 days ago]",
            "the step \"Write the rows\" was done, checked by `pytest -q` \
             [step T2 of plans/a.md, 5 days ago]",
        ]
    );
    let offered: Vec<(&str, &str)> = context
        .offered
        .iter()
        .map(|file| (&*file.path, &*file.reason))
        .collect();
    let reason = "changed together with src/export.py in 2 runs";
    assert_eq!(offered, [("src/cli.py", reason)]);
    assert_eq!((report.runs, report.facts, report.hashed), (2, 2, 2));
    assert_eq!((report.known, report.offered), (5, 1));
    assert!(!report.is_cut, "{report:?}");
}

#[test]
fn an_unrelated_goal_is_told_nothing() {
    let site = Site::new();
    two_runs(&site);
    for goal in ["Translate the manual to French", "Add a Dockerfile"] {
        let (context, report) = site.ask(goal);
        assert_eq!(texts(&context), [""; 0], "{goal}");
        assert!(context.offered.is_empty(), "{goal}: {:?}", context.offered);
        assert_eq!((report.known, report.offered), (0, 0));
    }
}

#[test]
fn a_fact_is_told_to_be_outdated_once_its_file_is_another_one() {
    let site = Site::new();
    let root = site.root();
    let hash = site.write("src/mail.py", "def send_all():\n    pass\n");
    site.learn(
        &root,
        "plans/a.md",
        "mails wait",
        Some(("src/mail.py", &hash)),
        0,
    );
    let goal = "Send mails at once in src/mail.py";
    let (context, _) = site.ask(goal);
    assert_eq!(
        texts(&context),
        ["mails wait [step T2 of plans/a.md, today]"]
    );
    site.write("src/mail.py", "def send():\n    pass\n");
    let (context, _) = site.ask(goal);
    assert_eq!(
        texts(&context),
        [
            "mails wait [step T2 of plans/a.md, today; may be outdated: src/mail.py has changed since]"
        ]
    );
}

#[test]
fn what_was_taken_back_links_nothing_and_is_told_as_undone() {
    let site = Site::new();
    let undone = |files: &[&str]| Entry::Undone {
        task: "T2".to_owned(),
        files: files.iter().map(|path| (*path).to_owned()).collect(),
    };
    let both = ["src/cli.py", "src/export.py"];
    let root = site.root();
    site.run(
        &root,
        "r1",
        "plans/a.md",
        1,
        &[done("T2", &both), undone(&both)],
    );
    let (context, _) = site.ask("Change src/export.py");
    assert_eq!(
        texts(&context),
        [
            "the step \"Write the rows\" was undone; its changes were reverted \
             [step T2 of plans/a.md, 1 day ago]"
        ]
    );
    assert!(context.offered.is_empty(), "{:?}", context.offered);
    // The changes to one of its two files were undone: the step is still done.
    site.run(
        &root,
        "r2",
        "plans/b.md",
        1,
        &[done("T2", &both), undone(&["src/cli.py"])],
    );
    let (context, _) = site.ask("Change src/export.py");
    assert!(
        texts(&context)[1].contains("was done"),
        "{:?}",
        texts(&context)
    );
    assert!(context.offered.is_empty(), "{:?}", context.offered);
}

#[test]
fn what_a_person_answered_a_model_and_about_a_plan_is_a_decision() {
    let site = Site::new();
    let root = site.root();
    let asked = Question {
        task: "T2".to_owned(),
        question: QuestionKind::Question,
        message: "Quote every field?".to_owned(),
        options: Vec::new(),
        permission: None,
        fingerprint: None,
    };
    let answered = Entry::Answered {
        task: "T2".to_owned(),
        question: QuestionKind::Question,
        answer: Answer::Choice {
            label: "only where needed".to_owned(),
            note: Some("as RFC 4180".to_owned()),
        },
        permission: None,
    };
    site.run(
        &root,
        "r1",
        "plans/a.md",
        1,
        &[Entry::Asked { question: asked }, answered],
    );
    let plan = format!("{root}/plans/a.md");
    let about_plan = AskedQuestion {
        id: "q".to_owned(),
        plan,
        revision: "a".to_owned(),
        body: r#"{"question":"May src/export.py be replaced as a whole?","options":[{"label":"Yes"},{"label":"Keep its names"}]}"#.to_owned(),
        since_ms: NOW,
        settled_ms: None,
        choice: None,
    };
    let questions = site.store.plan_questions();
    assert!(questions.open(&about_plan).unwrap());
    assert!(questions.settle("q", Some(1), NOW).unwrap());
    let (context, _) = site.ask("Change src/export.py");
    assert_eq!(
        texts(&context),
        [
            "a person decided \"May src/export.py be replaced as a whole?\": Keep its names \
             [plans/a.md, today]",
            "a person decided \"Quote every field?\": only where needed (as RFC 4180) \
             [step T2 of plans/a.md, 1 day ago]",
        ]
    );
}

#[test]
fn imported_files_are_offered_and_those_that_are_gone_are_not() {
    let site = Site::new();
    let intake = detect("Change src/cli.py", &WorkspaceFacts::default());
    let mut context = survey(&site.workspace, &SurveyRequest::for_intake(&intake)).unwrap();
    let links = |path: &str| match path {
        "src/cli.py" => vec!["src/export.py".to_owned(), "src/gone.py".to_owned()],
        _ => Vec::new(),
    };
    know(
        &site.store,
        &site.workspace,
        &intake,
        &mut context,
        &links,
        NOW,
    )
    .unwrap();
    let offered = &context.offered;
    assert_eq!(offered.len(), 1, "{offered:?}");
    assert_eq!(offered[0].reason, "imported by src/cli.py");
}

#[test]
fn much_is_read_in_part_and_what_cannot_be_read_is_passed_over() {
    let site = Site::new();
    let root = site.root();
    for n in 0..=MAX_RUNS {
        let id = format!("r{n}");
        let days = i64::try_from(MAX_RUNS - n).unwrap();
        site.run(
            &root,
            &id,
            "plans/a.md",
            days,
            &[done("T2", &["src/mail.py"])],
        );
    }
    let journal = site.store.journal();
    journal
        .append(
            "r50",
            2,
            &[("done", "{\"kind\":\"done\",\"odd\":1}"), ("failed", "7")],
            NOW,
        )
        .unwrap();
    let (context, report) = site.ask("Change src/mail.py");
    assert_eq!(report.runs, MAX_RUNS);
    assert!(report.is_cut);
    assert_eq!(
        texts(&context),
        ["the step \"Write the rows\" was done [step T2 of plans/a.md, today]"]
    );
}

#[test]
fn without_its_folder_nothing_is_filled_in() {
    let site = Site::new();
    two_runs(&site);
    let intake = detect("Change src/export.py", &WorkspaceFacts::default());
    let mut context = survey(&site.workspace, &SurveyRequest::for_intake(&intake)).unwrap();
    let before = context.clone();
    fs::remove_dir_all(site.folder.path()).unwrap();
    let none = |_: &str| Vec::new();
    let refused = know(
        &site.store,
        &site.workspace,
        &intake,
        &mut context,
        &none,
        NOW,
    );
    assert!(refused.is_err());
    assert_eq!(context, before);
}
