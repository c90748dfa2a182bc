//! Two window programs, each in its own process, and the terminal program edit the same plan at the
//! same time, with the same data folder. Every edit reported as written is in the file and in the
//! history, and the file is a valid plan after every write.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use desktop::Desktop;
use desktop::wire::{Edit, EditOutcome};
use planwright_tests::storm::Dice;
use planwright_tests::{Home, Project, wait_until};
use serde_json::{Value, json};
use workbench::Environment;

/// Number of tasks in the plan.
const TASKS: usize = 24;

/// Number of edits by each process.
const EDITS: usize = 120;

/// Environment variable that is set when this test runs again as the other process: the home and
/// the plan.
const PART: &str = "PLANWRIGHT_STORM_PART";

fn text() -> String {
    let mut text =
        "---\nplanwright: 1\nid: between\n---\n# A plan in a storm\n\n## Tasks\n".to_owned();
    for at in 1..=TASKS {
        text.push_str(&format!(
            "- [ ] **T{at}** Step {at} of the plan\n  - accept: first {at}\n  - why: second {at}\n"
        ));
    }
    text
}

fn desktop(home: &Path) -> Desktop {
    let environment = Environment {
        variables: vec![("PLANWRIGHT_HOME".to_owned(), home.into())],
        cwd: home.to_owned(),
        program: "/nonexistent".into(),
    };
    Desktop::open(environment, Box::new(|_| {})).unwrap()
}

/// Edits one key of random tasks while the other process edits another key, each time based on the
/// last revision seen. Returns the last value of each task and the revision of each write.
fn edits(home: &Path, plan: &Path, key: &str, other: &str, seed: u64) -> Value {
    let desktop = desktop(home);
    let workspace = plan.parent().and_then(Path::parent).unwrap();
    desktop.open_workspace(workspace.to_str().unwrap()).unwrap();
    let name = plan.to_str().unwrap();
    let mut dice = Dice::new(seed);
    let mut seen = desktop.outline(name, None).unwrap().revision;
    let (mut last, mut revisions) = (vec![None; TASKS + 1], Vec::new());
    for round in 0..EDITS {
        let at = 1 + dice.roll(TASKS);
        let value = format!("{key} in round {round}");
        let edit = Edit::Field {
            task: format!("T{at}"),
            key: key.to_owned(),
            values: vec![value.clone()],
        };
        let outcome = loop {
            match desktop.edit(name, &seen, edit.clone()) {
                Ok(outcome) => break outcome,
                // Retries when the error says so, as a person would.
                Err(error) if error.message.contains("try again") => {}
                Err(error) => panic!("{key} {round}: {error:?}"),
            }
        };
        let EditOutcome::Written { revision, .. } = outcome else {
            panic!("no other process writes {key}: {outcome:?}")
        };
        revisions.push(revision.clone());
        seen = revision;
        last[at] = Some(value);
        if round == 0 {
            let begun = format!("{other} in round");
            wait_until("the other process to write", || {
                std::fs::read_to_string(plan).unwrap().contains(&begun)
            });
        }
    }
    json!({ "last": last, "revisions": revisions })
}

/// The home and the plan; `None` unless this is the other process.
fn part() -> Option<(PathBuf, PathBuf)> {
    let given = std::env::var(PART).ok()?;
    let (home, plan) = given.split_once('\n')?;
    Some((home.into(), plan.into()))
}

fn is_whole(text: &str) {
    let (plan, problems) = plan::parse(text);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    assert_eq!(plan.tasks.len(), TASKS, "{text}");
}

#[test]
fn two_processes_and_the_terminal_write_one_plan_and_lose_nothing() {
    if let Some((home, plan)) = part() {
        let done = edits(&home, &plan, "why", "accept", 2);
        std::fs::write(home.join("other.json"), done.to_string()).unwrap();
        return;
    }
    let home = Home::new();
    let project = Project::new().file("plans/storm.md", text());
    let path = project.at("plans/storm.md").canonicalize().unwrap();
    let part = format!("{}\n{}", home.path().display(), path.display());
    let mut other = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--nocapture"])
        .arg("storm_between::two_processes_and_the_terminal_write_one_plan_and_lose_nothing")
        .env(PART, part)
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let (is_over, looks, checks) = (
        AtomicBool::new(false),
        AtomicUsize::new(0),
        AtomicUsize::new(0),
    );
    let mine = std::thread::scope(|scope| {
        let mine = scope.spawn(|| edits(home.path(), &path, "accept", "why", 1));
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                is_whole(&std::fs::read_to_string(&path).unwrap());
                looks.fetch_add(1, Ordering::Relaxed);
            }
        });
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                let checked = home.planwright(&project, ["check", "plans/storm.md", "--json"]);
                assert!(checked.last_json()["revision"].is_string());
                checks.fetch_add(1, Ordering::Relaxed);
            }
        });
        let mine = mine.join();
        let status = other.wait().unwrap();
        is_over.store(true, Ordering::Relaxed);
        assert!(status.success(), "the other process: {status}");
        mine.unwrap()
    });
    assert!(looks.into_inner() > 10 && checks.into_inner() > 0);
    let theirs = std::fs::read_to_string(home.path().join("other.json")).unwrap();
    let theirs: Value = serde_json::from_str(&theirs).unwrap();

    let desktop = desktop(home.path());
    let plan = path.to_str().unwrap();
    desktop
        .open_workspace(project.path().to_str().unwrap())
        .unwrap();
    desktop.outline(plan, None).unwrap();
    let now = project.read("plans/storm.md");
    is_whole(&now);
    let (parsed, _) = plan::parse(&now);
    for (key, done) in [("accept", &mine), ("why", &theirs)] {
        for (at, value) in done["last"].as_array().unwrap().iter().enumerate() {
            let Some(value) = value.as_str() else {
                continue;
            };
            let task = parsed.task(&plan::TaskId(format!("T{at}"))).unwrap();
            let values: Vec<&str> = task.values(key).collect();
            assert_eq!(values, [value], "{key} of T{at}");
        }
    }
    assert!(desktop.conflicts(plan).unwrap().is_empty());

    // The history contains every write by both processes, and its newest entry matches the file.
    let (mut known, mut newest, mut before) = (HashSet::new(), None, None);
    loop {
        let page = desktop.history(plan, before, 100).unwrap();
        for entry in page.entries {
            newest.get_or_insert_with(|| entry.revision.clone());
            known.insert(entry.revision);
        }
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    for done in [&mine, &theirs] {
        let revisions = done["revisions"].as_array().unwrap();
        assert_eq!(revisions.len(), EDITS);
        for revision in revisions {
            assert!(known.contains(revision.as_str().unwrap()), "{revision}");
        }
    }
    let now = plan::Revision::of(now.as_bytes());
    assert_eq!(newest.as_deref(), Some(now.as_str()));
}
