//! Many concurrent edits of one plan in the real window: from its page, from a second window, from
//! a program that reads the file before it writes, and from one that saves versions it opened long
//! ago. Nothing that was written is lost: it is in the file, or both sides are listed as a
//! conflict.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use plan::Revision;
use planwright_tests::storm::{Dice, set};
use planwright_tests::window::Window;
use planwright_tests::{Home, Project, stage, wait_until};
use serde_json::{Value, json};
use store::Store;

/// Number of tasks in the plan. Each writer has its own key in every task.
const TASKS: usize = 40;

/// Number of edits by each of the two windows.
const EDITS: usize = 375;

/// Number of edits by the program that reads the file before each write.
const CAREFUL: usize = 250;

/// Number of saves of old versions.
const STALE: usize = 50;

fn text() -> String {
    let mut text =
        "---\nplanwright: 1\nid: storm\n---\n# A plan in a storm\n\n## Tasks\n".to_owned();
    for at in 1..=TASKS {
        text.push_str(&format!(
            "- [ ] **T{at}** Step {at} of the plan\n  - accept: accept 0 of {at}\n  - why: why 0 of {at}\n  - origin: origin 0 of {at}\n  - note: note 0 of {at}\n"
        ));
    }
    text
}

/// A script that edits one key of random tasks from the page, each time based on the revision that
/// the page saw last.
const EDIT: &str = r"
const [plan, key, edits, tasks, seed] = arguments;
const ask = (name, args) => window.__TAURI_INTERNALS__.invoke(name, args);
window.__storm = null;
(async () => {
  let state = seed, seen = (await ask('outline', { plan, revision: null })).revision;
  const roll = below => ((state = (state * 69069 + 12345) % 4294967296) >>> 12) % below;
  const wanted = {}; let written = 0, conflicts = 0, busy = 0;
  for (let round = 1; round <= edits; round++) {
    const task = `T${1 + roll(tasks)}`, value = `${key} ${round} by a window`;
    const edit = { edit: 'field', task, key, values: [value] };
    let outcome = null;
    // Retries when the error asks for it, as a person would with the text still in the field.
    while (!outcome) outcome = await ask('edit', { plan, revision: seen, edit }).catch(error => {
      if (!error.message?.includes('try again')) throw error;
      busy++; return null;
    });
    seen = outcome.revision;
    if (outcome.outcome === 'conflict') conflicts++; else { wanted[task] = value; written++; }
  }
  window.__storm = { wanted, written, conflicts, busy };
})().catch(error => window.__storm = { error: JSON.stringify(error) });";

fn put(path: &Path, name: &str, text: &str) {
    let new = path.with_file_name(name);
    std::fs::write(&new, text).unwrap();
    std::fs::rename(&new, path).unwrap();
}

/// Ends the polling threads on drop.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

type Wanted = Vec<(usize, &'static str, String)>;

/// The other programs. They take turns, and each waits until its save has been recorded, because a
/// save that is overwritten before that can't be recovered.
struct Others<'a> {
    home: &'a Home,
    path: &'a Path,
    turn: Mutex<()>,
}

impl Others<'_> {
    fn store(&self) -> Store {
        Store::open(&self.home.path().join("data"), 0).unwrap().0
    }

    /// Applies `made` to the current file, saves the result, and waits until the save has been
    /// recorded.
    fn save(&self, store: &Store, name: &str, made: impl FnOnce(&str) -> String) {
        let _mine = self.turn.lock().unwrap();
        let text = made(&stage::text(self.path));
        put(self.path, name, &text);
        let plan = self.path.to_string_lossy();
        wait_until("the save to be taken in", || {
            let latest = store.revisions().latest(&plan).unwrap().unwrap();
            let now = Revision::of(stage::text(self.path).as_bytes());
            latest.hash == now.as_str() && !latest.reason.starts_with("saved by another program")
        });
    }
}

/// Repeatedly reads the file, changes one of its own lines and replaces the file; returns the
/// final values.
fn careful(others: &Others<'_>) -> Wanted {
    let store = others.store();
    let mut dice = Dice::new(3);
    let mut last = vec![None; TASKS + 1];
    for round in 1..=CAREFUL {
        let at = 1 + dice.roll(TASKS);
        let value = format!("note {round} by a program");
        others.save(&store, ".careful.swp", |read| set(read, at, "note", &value));
        last[at] = Some(value);
    }
    flat(last, "note")
}

/// Saves versions that were opened several writes ago, each with its own line changed; returns the
/// final values and the number of saves.
fn stale(others: &Others<'_>, is_over: &AtomicBool) -> (Wanted, usize) {
    let store = others.store();
    let mut dice = Dice::new(5);
    let mut versions = VecDeque::from([stage::text(others.path)]);
    let mut last = vec![None; TASKS + 1];
    let mut saves = 0;
    while saves < STALE {
        let now = stage::text(others.path);
        // Collects several versions first, so that the saved one is old.
        if versions.back() != Some(&now) {
            versions.push_back(now);
        }
        if versions.len() < 6 && !is_over.load(Ordering::Relaxed) {
            std::thread::yield_now();
            continue;
        }
        let old = &versions[dice.roll(versions.len().saturating_sub(1).max(1))];
        let at = 1 + dice.roll(TASKS);
        let value = format!("origin {} by an old buffer", saves + 1);
        others.save(&store, ".stale.swp", |_| set(old, at, "origin", &value));
        last[at] = Some(value);
        saves += 1;
        versions.drain(..versions.len().saturating_sub(3));
    }
    (flat(last, "origin"), saves)
}

fn flat(last: Vec<Option<String>>, key: &'static str) -> Wanted {
    let tasks = last.into_iter().enumerate();
    tasks
        .filter_map(|(at, value)| Some((at, key, value?)))
        .collect()
}

#[track_caller]
fn assert_whole(text: &str) {
    let (plan, problems) = plan::parse(text);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    assert_eq!(plan.tasks.len(), TASKS, "{text}");
}

/// Waits until a window's edits are done and returns the final values.
#[allow(clippy::print_stdout, reason = "the counts are what the test shows")]
fn told(window: &Window, key: &'static str) -> Wanted {
    // Hundreds of edits, each written to disk, take time on a busy machine.
    let is_over = window.wait_up_to(Duration::from_secs(180), "window.__storm !== null");
    assert_eq!(is_over, Ok(()), "this window's edits have not finished");
    let told = window.script("return window.__storm;", Vec::new());
    assert_eq!(told["error"], Value::Null, "{told}");
    let (written, conflicts, busy) = (&told["written"], &told["conflicts"], &told["busy"]);
    println!("{key}: {written} written, {conflicts} told as conflicts, {busy} tried again");
    let wanted = told["wanted"].as_object().unwrap();
    wanted
        .iter()
        .map(|(task, value)| {
            let at = task.trim_start_matches('T').parse().unwrap();
            (at, key, value.as_str().unwrap().to_owned())
        })
        .collect()
}

/// The text of a task in each revision that changed it, with its author and reason.
fn told_by_history(home: &Home, path: &Path, at: usize) -> String {
    let (store, _) = Store::open(&home.path().join("data"), 0).unwrap();
    let revisions = store.revisions();
    let (mut told, mut before) = (String::new(), String::new());
    for event in revisions.events(&path.to_string_lossy()).unwrap() {
        let text = String::from_utf8(revisions.content(&event.hash).unwrap().unwrap()).unwrap();
        let task = &text[text.find(&format!("**T{at}** ")).unwrap()..];
        let task: String = task
            .lines()
            .skip(1)
            .take(4)
            .map(|line| format!("{}; ", line.trim()))
            .collect();
        if task != before {
            told.push_str(&format!(
                "{} {:?} {}: {task}\n",
                event.seq, event.author, event.reason
            ));
        }
        before = task;
    }
    told
}

#[test]
fn a_thousand_edits_from_everywhere_lose_nothing() {
    let (home, project) = (Home::new(), Project::new().file("plans/storm.md", text()));
    let path = project.at("plans/storm.md");
    let key = path.to_string_lossy().into_owned();
    let window = Window::open(&home, [key.clone()]);
    window.resize(1400, 880);
    window.find("row", "Step 1 of the plan");
    let first = window.windows().remove(0);
    window.press("Control+Shift+n");
    wait_until("the second window", || window.windows().len() == 2);
    let second = window
        .windows()
        .into_iter()
        .find(|one| *one != first)
        .unwrap();
    window.switch_to(second.clone());
    window.wait_for(
        "its page",
        "document.querySelector('#root')?.innerText.trim()",
    );
    let script = |name: &str, seed: u32| {
        let given = vec![
            json!(key),
            json!(name),
            json!(EDITS),
            json!(TASKS),
            json!(seed),
        ];
        window.script(EDIT, given);
    };

    let others = Others {
        home: &home,
        path: &path,
        turn: Mutex::new(()),
    };
    let (is_over, looks) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (mut wanted, saves) = std::thread::scope(|scope| {
        // Ends the threads that run until `is_over` is set, even if this one panics.
        let over = Over(&is_over);
        script("why", 7);
        window.switch_to(first.clone());
        script("accept", 11);
        let program = scope.spawn(|| careful(&others));
        let old = scope.spawn(|| stale(&others, &is_over));
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                assert_whole(&stage::text(&path));
                looks.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let ended = (program.join(), old.join());
        let accept = told(&window, "accept");
        window.switch_to(second.clone());
        let why = told(&window, "why");
        drop(over);
        let (note, (origin, saves)) = (ended.0.unwrap(), ended.1.unwrap());
        ([accept, why, note, origin].concat(), saves)
    });
    println!(
        "{} looks at the file, each one a whole plan",
        looks.load(Ordering::Relaxed)
    );
    assert_eq!(saves, STALE);
    wanted.sort();

    // The last save may still be in progress.
    window.switch_to(first);
    let ask = |name: &str| {
        let script = format!(
            "window.__answer = null;
             window.__TAURI_INTERNALS__.invoke('{name}', {{ plan: arguments[0], revision: null }})
               .then(answer => window.__answer = answer);"
        );
        window.script(&script, vec![json!(key)]);
        window.wait_for(name, "window.__answer !== null");
        window.script("return window.__answer;", Vec::new())
    };
    wait_until("the window to have what the file has", || {
        ask("outline")["revision"].as_str() == Some(&stage::revision(&home, &path))
    });
    let conflicts = ask("conflicts");
    let listed: Vec<(&str, &str)> = conflicts
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["mine"].as_str().unwrap(),
                one["theirs"].as_str().unwrap(),
            )
        })
        .collect();
    let now = stage::text(&path);
    assert_whole(&now);
    let (plan, _) = plan::parse(&now);
    let mut in_file = 0;
    for (at, key, value) in &wanted {
        let task = plan.task(&plan::TaskId(format!("T{at}"))).unwrap();
        if task.values(key).any(|one| one == value) {
            in_file += 1;
            continue;
        }
        let is_listed = listed
            .iter()
            .any(|(mine, theirs)| mine.contains(value) || theirs.contains(value));
        assert!(
            is_listed,
            "“{value}” of T{at} is neither in the file nor among the {} conflicts; the task through time:\n{}",
            listed.len(),
            told_by_history(&home, &path, *at)
        );
    }
    println!(
        "{in_file} of {} last values stand in the file, {} conflicts",
        wanted.len(),
        listed.len()
    );
    assert!(in_file > wanted.len() / 2);
    let all = conflicts.as_array().unwrap();
    let own = all.iter().filter(|one| one["mine_by"] == "person").count();
    match (all.len(), own) {
        (0, _) => {}
        (1, 1) => window.wait_for_text("Your edit conflicts with one on disk"),
        (1, _) => window.wait_for_text("Another program overwrote a change"),
        (many, own) if many == own => {
            window.wait_for_text(&format!("{many} of your edits conflict"));
        }
        (many, _) => window.wait_for_text(&format!("Other programs overwrote {many} changes")),
    }
    let shown = &stage::revision(&home, &path)[..12];
    window.wait_for_text(shown);
    window.switch_to(second);
}
