//! Two windows, a program that reads the file before each write, and a program that saves old
//! versions all write the same plan at once. Changes are lost only if they are listed as conflicts,
//! and the file is a valid plan after every write.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use desktop::Desktop;
use desktop::wire::{Edit, EditOutcome};
use planwright_tests::Project;
use planwright_tests::storm::{Dice, set};

use crate::documents::Bench;
use crate::history::history;

/// Number of tasks in the plan. Each writer has its own field in every task.
const TASKS: usize = 24;

/// Number of edits by each window, and by the program that reads the file before each write.
const EDITS: usize = 100;

/// Number of saves of old versions.
const STALE: usize = 20;

fn text() -> String {
    let mut text = "# A plan in a storm\n\n## Tasks\n".to_owned();
    for at in 1..=TASKS {
        text.push_str(&format!(
            "- [ ] **T{at}** Step {at} of the plan\n  - accept: first {at}\n  - why: second {at}\n  - files: `third{at}.txt`\n  - note: fourth {at}\n"
        ));
    }
    text
}

/// The last value that one writer wrote to each task.
type Wanted = Vec<Option<String>>;

/// Edits one field of random tasks as a window does, each time based on the revision seen last;
/// returns the last value of each task.
fn window(desktop: &Desktop, plan: &str, key: &str, seed: u64) -> Wanted {
    let mut dice = Dice::new(seed);
    let mut wanted = vec![None; TASKS + 1];
    let mut seen = desktop.outline(plan, None).unwrap().revision;
    for round in 0..EDITS {
        let at = 1 + dice.roll(TASKS);
        let value = match key {
            "files" => format!("{key}{round}.txt"),
            _ => format!("{key} in round {round}"),
        };
        let edit = Edit::Field {
            task: format!("T{at}"),
            key: key.to_owned(),
            values: vec![value.clone()],
        };
        match desktop.edit(plan, &seen, edit).unwrap() {
            EditOutcome::Written { revision, .. } | EditOutcome::Unchanged { revision } => {
                seen = revision;
                wanted[at] = Some(value);
            }
            // A conflict can only come from a stale save that restored an old value of this line.
            EditOutcome::Conflict { revision, .. } => seen = revision,
        }
    }
    wanted
}

/// Again and again reads the file, changes one note and replaces the file, as another program does;
/// returns the last note of each task.
fn careful(path: &Path, seed: u64) -> Wanted {
    let mut dice = Dice::new(seed);
    let mut wanted = vec![None; TASKS + 1];
    for round in 0..EDITS {
        let at = 1 + dice.roll(TASKS);
        let value = format!("note in round {round}");
        let read = std::fs::read_to_string(path).unwrap();
        plan_is_whole(&read);
        let new = path.with_file_name(".careful.swp");
        std::fs::write(&new, set(&read, at, "note", &value)).unwrap();
        std::fs::rename(&new, path).unwrap();
        wanted[at] = Some(value);
    }
    wanted
}

fn plan_is_whole(text: &str) {
    let (plan, problems) = plan::parse(text);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    assert_eq!(plan.tasks.len(), TASKS, "{text}");
}

fn assert_all_there(text: &str, key: &str, wanted: &Wanted) {
    let (plan, _) = plan::parse(text);
    for (at, value) in wanted.iter().enumerate() {
        let Some(value) = value else { continue };
        let task = plan.task(&plan::TaskId(format!("T{at}"))).unwrap();
        let values: Vec<&str> = task.values(key).collect();
        let has = values.iter().any(|one| one.trim_matches('`') == value);
        assert!(has, "T{at} has {values:?} under {key}, not {value}");
    }
}

#[test]
fn nothing_is_lost_when_two_windows_and_another_program_write_at_once() {
    let bench = Bench::new();
    let project = Project::new().file("plans/storm.md", text());
    let plan = bench.open(&project, "plans/storm.md").plan;
    let path = project.at("plans/storm.md");
    let is_over = AtomicBool::new(false);
    let looks = AtomicUsize::new(0);
    let desktop = &bench.desktop;
    let (first, second, other) = std::thread::scope(|scope| {
        let first = scope.spawn(|| window(desktop, &plan, "accept", 1));
        let second = scope.spawn(|| window(desktop, &plan, "why", 2));
        let other = scope.spawn(|| careful(&path, 3));
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                plan_is_whole(&std::fs::read_to_string(&path).unwrap());
                looks.fetch_add(1, Ordering::Relaxed);
            }
        });
        let ended = (first.join(), second.join(), other.join());
        is_over.store(true, Ordering::Relaxed);
        (ended.0.unwrap(), ended.1.unwrap(), ended.2.unwrap())
    });
    bench.desktop.outline(&plan, None).unwrap();
    let now = project.read("plans/storm.md");
    assert_all_there(&now, "accept", &first);
    assert_all_there(&now, "why", &second);
    assert_all_there(&now, "note", &other);
    assert!(bench.desktop.conflicts(&plan).unwrap().is_empty());
    assert!(looks.load(Ordering::Relaxed) > 10);
    let entries = history(&bench, &plan);
    assert!(entries.len() > 2 * EDITS, "{} entries", entries.len());
}

#[test]
fn saves_of_old_versions_between_other_edits_lose_nothing_and_every_conflict_is_listed() {
    let bench = Bench::new();
    let project = Project::new().file("plans/storm.md", text());
    let plan = bench.open(&project, "plans/storm.md").plan;
    let mut dice = Dice::new(11);
    let mut versions = vec![text()];
    let mut accept: Wanted = vec![None; TASKS + 1];
    let mut notes: Wanted = vec![None; TASKS + 1];
    // Both versions of each line that was changed by a stale save and by a newer edit.
    let mut against: Vec<(String, String)> = Vec::new();
    for round in 0..STALE {
        for step in 0..5 {
            let at = 1 + dice.roll(TASKS);
            let value = format!("accepted {round} {step}");
            let seen = bench.desktop.outline(&plan, None).unwrap().revision;
            let edit = Edit::Field {
                task: format!("T{at}"),
                key: "accept".to_owned(),
                values: vec![value.clone()],
            };
            let outcome = bench.desktop.edit(&plan, &seen, edit).unwrap();
            assert!(
                matches!(outcome, EditOutcome::Written { .. }),
                "{outcome:?}"
            );
            accept[at] = Some(value);
            versions.push(project.read("plans/storm.md"));
        }
        let back = 1 + dice.roll(versions.len().min(30) - 1);
        let old = versions[versions.len() - 1 - back].clone();
        let at = 1 + dice.roll(TASKS);
        let value = format!("note of save {round}");
        let key = format!("**T{at}** ");
        let line_of = |text: &str, what: &str| -> String {
            let task = &text[text.find(&key).unwrap()..];
            let from = task.find(what).unwrap();
            task[from..].lines().next().unwrap().to_owned()
        };
        let before = project.read("plans/storm.md");
        let mut saved = set(&old, at, "note", &value);
        let stands_against = line_of(&old, "  - note: ") != line_of(&before, "  - note: ");
        // Occasionally changes a line that belongs to the window.
        if round % 4 == 3 {
            let theirs = format!("  - accept: theirs {round}");
            saved = saved.replacen(&line_of(&old, "  - accept: "), &theirs, 1);
            let (was, is) = (
                line_of(&old, "  - accept: "),
                line_of(&before, "  - accept: "),
            );
            if was != is {
                against.push((is, theirs));
            }
            accept[at] = Some(format!("theirs {round}"));
        }
        if stands_against {
            against.push((line_of(&before, "  - note: "), format!("  - note: {value}")));
        }
        notes[at] = Some(value);
        project.write("plans/storm.md", &saved);
        bench.desktop.outline(&plan, None).unwrap();
        let now = project.read("plans/storm.md");
        plan_is_whole(&now);
        assert_all_there(&now, "accept", &accept);
        assert_all_there(&now, "note", &notes);
        versions.push(now);
    }
    let conflicts = bench.desktop.conflicts(&plan).unwrap();
    for (mine, theirs) in &against {
        let is_listed = conflicts
            .iter()
            .any(|one| one.mine.contains(mine.as_str()) && one.theirs.contains(theirs.as_str()));
        assert!(is_listed, "{mine} vs. {theirs} is not among {conflicts:#?}");
    }
    assert_eq!(conflicts.is_empty(), against.is_empty());
    assert!(!against.is_empty(), "the seed produces conflicts");
    // The conflicts are still listed after a restart.
    let bench = bench.restarted();
    bench.open(&project, "plans/storm.md");
    assert_eq!(bench.desktop.conflicts(&plan).unwrap(), conflicts);
    assert_eq!(&project.read("plans/storm.md"), versions.last().unwrap());
}
