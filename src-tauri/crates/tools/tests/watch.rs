//! The watcher's reports about real files. The tests wait for messages; the deadline is reached
//! only if the watcher missed something.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that fails here has found something"
)]

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tools::ToolError;
use tools::watch::{ChangeKind, Changed, WatchNews, WatchRequest, Watcher};

const LONG: Duration = Duration::from_secs(20);

struct Watch {
    /// The watched folder's canonical path, like that of a workspace.
    top: PathBuf,
    _folder: TempDir,
    news: Receiver<WatchNews>,
    watcher: Watcher,
    /// Files that were reported earlier, since a write just before a scan may be reported again.
    told: RefCell<BTreeSet<PathBuf>>,
}

/// A folder with these files, watched as `request` specifies.
fn watch(files: &[&str], request: impl Fn(&Path) -> WatchRequest) -> Watch {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path().canonicalize().unwrap().join("w");
    fs::create_dir(&top).unwrap();
    for file in files {
        write(&top.join(file), "0");
    }
    let (sender, news) = mpsc::channel();
    let tell = move |one| sender.send(one).unwrap();
    let watcher = Watcher::start(request(&top), tell).unwrap();
    Watch {
        top,
        _folder: folder,
        news,
        watcher,
        told: RefCell::default(),
    }
}

fn plans(top: &Path) -> WatchRequest {
    WatchRequest::new().folder(top, "plans", ".md")
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

impl Watch {
    fn path(&self, path: &str) -> PathBuf {
        self.top.join(path)
    }

    fn write(&self, path: &str, text: &str) {
        write(&self.path(path), text);
    }

    fn next(&self) -> Vec<Changed> {
        match self.news.recv_timeout(LONG).expect("nothing was told") {
            WatchNews::Changed(changes) => changes,
            other => panic!("{other:?}"),
        }
    }

    /// Waits until the last report for each of these files is as expected. Otherwise, only
    /// repetitions may be reported.
    #[track_caller]
    fn expect(&self, expected: &[(&str, ChangeKind)]) {
        let expected: BTreeMap<PathBuf, ChangeKind> = expected
            .iter()
            .map(|(path, kind)| (self.path(path), *kind))
            .collect();
        let mut told = BTreeMap::new();
        let deadline = Instant::now() + LONG;
        while told != expected {
            assert!(Instant::now() < deadline, "told: {told:?}");
            for change in self.next() {
                if !expected.contains_key(&change.path) {
                    let is_repeated = self.told.borrow().contains(&change.path);
                    assert!(is_repeated && change.kind == Differs, "{change:?}");
                    continue;
                }
                // A new file that is written again still counts as new.
                let is_new = told.get(&change.path) == Some(&ChangeKind::Created);
                if !(is_new && change.kind == Differs) {
                    told.insert(change.path, change.kind);
                }
            }
        }
        self.told.borrow_mut().extend(told.into_keys());
    }

    /// Everything reported until a marker file is reported, which is written for this purpose.
    fn until_marker(&self, marker: &str) -> Vec<Changed> {
        self.write(marker, "now");
        let mut told = Vec::new();
        loop {
            let changes = self.next();
            let is_over = changes
                .iter()
                .any(|change| change.path == self.path(marker));
            told.extend(
                changes
                    .into_iter()
                    .filter(|change| change.path != self.path(marker)),
            );
            if is_over {
                return told;
            }
        }
    }
}

use ChangeKind::{Changed as Differs, Created, Removed};

#[test]
fn created_changed_and_removed_are_told_apart() {
    let watch = watch(&["plans/a.md"], plans);
    watch.write("plans/b.md", "1");
    watch.expect(&[("plans/b.md", Created)]);
    watch.write("plans/a.md", "1");
    watch.expect(&[("plans/a.md", Differs)]);
    fs::remove_file(watch.path("plans/b.md")).unwrap();
    watch.expect(&[("plans/b.md", Removed)]);
}

#[test]
fn every_way_of_saving_is_told_and_repeatedly() {
    let watch = watch(&["plans/a.md"], plans);
    let plan = watch.path("plans/a.md");
    for n in 0..10 {
        // Save in place, with the same length: only the times differ, and maybe not even those.
        fs::write(&plan, n.to_string()).unwrap();
        watch.expect(&[("plans/a.md", Differs)]);
        // Save to a file beside it, then rename that over it.
        let beside = watch.path("plans/a.md.tmp");
        fs::write(&beside, "beside").unwrap();
        fs::rename(&beside, &plan).unwrap();
        watch.expect(&[("plans/a.md", Differs)]);
        // Append to the file.
        let mut file = File::options().append(true).open(&plan).unwrap();
        file.write_all(b"more").unwrap();
        watch.expect(&[("plans/a.md", Differs)]);
    }
}

#[test]
fn an_editor_that_moves_the_old_file_away_first_is_told() {
    let watch = watch(&["plans/a.md"], plans);
    let plan = watch.path("plans/a.md");
    fs::rename(&plan, watch.path("plans/a.md~")).unwrap();
    fs::write(&plan, "new").unwrap();
    let told = watch.until_marker("plans/z.md");
    let last = told.last().unwrap();
    assert_eq!(last.path, plan);
    // A scan may have happened in between.
    assert!(matches!(last.kind, Differs | Created), "{told:?}");
}

#[test]
fn a_renamed_plan_is_gone_and_there_at_once() {
    let watch = watch(&["plans/a.md"], plans);
    fs::rename(watch.path("plans/a.md"), watch.path("plans/b.md")).unwrap();
    let (gone, there) = (watch.path("plans/a.md"), watch.path("plans/b.md"));
    let expected = [
        Changed {
            path: gone,
            kind: Removed,
        },
        Changed {
            path: there,
            kind: Created,
        },
    ];
    assert_eq!(watch.next(), expected);
}

#[test]
fn reading_and_looking_tell_nothing() {
    let watch = watch(&["plans/a.md"], plans);
    for _ in 0..50 {
        let mut text = String::new();
        let mut file = File::open(watch.path("plans/a.md")).unwrap();
        file.read_to_string(&mut text).unwrap();
        fs::read_dir(watch.path("plans")).unwrap().for_each(drop);
    }
    assert_eq!(watch.until_marker("plans/z.md"), []);
}

#[test]
fn other_files_links_and_folders_are_not_told() {
    let watch = watch(&["plans/a.md", "secret.md"], plans);
    watch.write("plans/notes.txt", "1");
    watch.write("plans/deeper/c.md", "1");
    symlink("/etc/passwd", watch.path("plans/out.md")).unwrap();
    symlink("../secret.md", watch.path("plans/in.md")).unwrap();
    watch.write("secret.md", "1");
    assert_eq!(watch.until_marker("plans/z.md"), []);
    // A plan that becomes a link is no longer a plan.
    fs::remove_file(watch.path("plans/a.md")).unwrap();
    symlink("/etc/passwd", watch.path("plans/a.md")).unwrap();
    watch.expect(&[("plans/a.md", Removed)]);
}

#[test]
fn a_plan_folder_that_is_a_link_out_is_not_followed() {
    let outside = tempfile::tempdir().unwrap();
    let watch = watch(&["settings.json"], |top| {
        symlink(outside.path(), top.join("plans")).unwrap();
        plans(top).file(top, "settings.json")
    });
    fs::write(outside.path().join("a.md"), "1").unwrap();
    assert_eq!(watch.until_marker("settings.json"), []);
}

#[test]
fn a_plan_folder_made_later_is_found_however_deep_and_fast() {
    for n in 0..20 {
        let watch = watch(&[], |top| {
            WatchRequest::new().folder(top, "docs/of/plans", ".md")
        });
        // The folder and its file are created together, so the system can't report the file.
        watch.write("docs/of/plans/a.md", "1");
        watch.expect(&[("docs/of/plans/a.md", Created)]);
        watch.write("docs/of/plans/a.md", &format!("again {n}"));
        watch.expect(&[("docs/of/plans/a.md", Differs)]);
    }
}

#[test]
fn a_tree_is_watched_without_what_git_ignores() {
    let tree = |top: &Path| WatchRequest::new().tree(top, "plans", ".md");
    let watch = watch(&["plans/a.md", "plans/old/b.md"], |top| {
        fs::create_dir(top.join(".git")).unwrap();
        fs::write(top.join(".gitignore"), "build/\n").unwrap();
        tree(top)
    });
    for ignored in ["build", "node_modules", ".git"] {
        watch.write(&format!("plans/{ignored}/x.md"), "1");
    }
    watch.write("plans/old/b.md", "1");
    watch.expect(&[("plans/old/b.md", Differs)]);
    watch.write("plans/new/er/c.md", "1");
    watch.expect(&[("plans/new/er/c.md", Created)]);
    watch.write("plans/new/er/c.md", "more");
    watch.expect(&[("plans/new/er/c.md", Differs)]);
    fs::rename(watch.path("plans/new"), watch.path("plans/moved")).unwrap();
    watch.expect(&[
        ("plans/new/er/c.md", Removed),
        ("plans/moved/er/c.md", Created),
    ]);
    watch.write("plans/moved/er/c.md", "under its new name");
    watch.expect(&[("plans/moved/er/c.md", Differs)]);
    fs::remove_dir_all(watch.path("plans/moved")).unwrap();
    watch.expect(&[("plans/moved/er/c.md", Removed)]);
}

#[test]
fn two_settings_files_are_watched_and_nothing_beside_them() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().canonicalize().unwrap();
    let watch = watch(&["README.md"], |top| {
        WatchRequest::new()
            .file(&home, "planwright/settings.json")
            .file(top, ".planwright/settings.json")
    });
    watch.write(".planwright/settings.json", "{}");
    watch.expect(&[(".planwright/settings.json", Created)]);
    watch.write(".planwright/other.json", "{}");
    watch.write("README.md", "2");
    assert_eq!(watch.until_marker(".planwright/settings.json"), []);
    let users = home.join("planwright/settings.json");
    write(&users, "{}");
    let told = Changed {
        path: users,
        kind: Created,
    };
    while !watch.next().contains(&told) {}
}

#[test]
fn a_workspace_that_vanishes_and_comes_back_is_watched_again() {
    let watch = watch(&["plans/a.md", "plans/b.md"], plans);
    let away = watch.top.with_file_name("away");
    fs::rename(&watch.top, &away).unwrap();
    watch.expect(&[("plans/a.md", Removed), ("plans/b.md", Removed)]);
    fs::rename(&away, &watch.top).unwrap();
    watch.expect(&[("plans/a.md", Created), ("plans/b.md", Created)]);
    watch.write("plans/a.md", "after");
    watch.expect(&[("plans/a.md", Differs)]);
    fs::remove_dir_all(&watch.top).unwrap();
    watch.expect(&[("plans/a.md", Removed), ("plans/b.md", Removed)]);
    watch.write("plans/a.md", "made anew");
    watch.expect(&[("plans/a.md", Created)]);
    watch.write("plans/a.md", "and changed");
    watch.expect(&[("plans/a.md", Differs)]);
}

#[test]
fn a_plan_folder_that_is_replaced_is_watched_in_its_new_place() {
    let watch = watch(&["plans/a.md"], plans);
    for n in 0..10 {
        fs::rename(watch.path("plans"), watch.path(&format!("old{n}"))).unwrap();
        watch.write("plans/a.md", &format!("replaced {n}"));
        let told = watch.until_marker(&format!("plans/z{n}.md"));
        assert!(
            told.iter()
                .any(|change| change.path == watch.path("plans/a.md"))
        );
    }
}

#[test]
fn a_checkout_that_swaps_ten_plans_is_told_of_all_ten() {
    let git = |top: &Path, args: &[&str]| {
        let done = Command::new("git")
            .current_dir(top)
            .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
            .args(args)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(done.status.success(), "{args:?}: {done:?}");
    };
    let names: Vec<String> = (0..10).map(|n| format!("plans/p{n}.md")).collect();
    let files: Vec<&str> = names.iter().map(String::as_str).collect();
    let watch = watch(&files, |top| {
        git(top, &["init", "-q", "-b", "main"]);
        git(top, &["add", "."]);
        git(top, &["commit", "-q", "-m", "one"]);
        git(top, &["switch", "-q", "-c", "other"]);
        for name in &files {
            write(&top.join(name), "other");
        }
        git(top, &["commit", "-q", "-a", "-m", "two"]);
        plans(top)
    });
    let all: Vec<(&str, ChangeKind)> = files.iter().map(|name| (*name, Differs)).collect();
    for branch in ["main", "other", "main"] {
        git(&watch.top, &["switch", "-q", branch]);
        let mut told = BTreeMap::new();
        // Git removes a file before writing it, and a scan may happen in between.
        while told.len() < all.len() || told.values().any(|kind| *kind == Removed) {
            told.extend(watch.next().into_iter().map(|one| (one.path, one.kind)));
        }
        assert_eq!(told.len(), all.len(), "{told:?}");
    }
}

#[test]
fn a_flood_is_told_in_few_pieces_and_ends_with_what_is_there() {
    let watch = watch(&["plans/a.md"], plans);
    for n in 0..3_000 {
        fs::write(watch.path("plans/a.md"), format!("{n}")).unwrap();
    }
    let told = watch.until_marker("plans/z.md");
    assert!(!told.is_empty() && told.len() < 300, "{}", told.len());
}

#[test]
fn one_save_is_told_within_the_time_a_person_does_not_notice() {
    let watch = watch(&["plans/a.md"], plans);
    let big = "x".repeat(100_000);
    let mut times: Vec<Duration> = (0..21)
        .map(|n| {
            let begun = Instant::now();
            fs::write(watch.path("plans/a.md"), format!("{big}{n}")).unwrap();
            watch.expect(&[("plans/a.md", Differs)]);
            begun.elapsed()
        })
        .collect();
    times.sort();
    // About 10 ms on an idle machine; on a busy one, the median still reveals a missed hint (2 s).
    assert!(times[10] < Duration::from_millis(500), "{times:?}");
}

#[test]
fn another_request_takes_over_without_a_gap() {
    let watch = watch(&["plans/a.md", "notes/b.md", "c.md"], plans);
    let request = plans(&watch.top)
        .folder(&watch.top, "notes", ".md")
        .file(&watch.top, "c.md");
    watch.write("plans/a.md", "just before");
    watch.watcher.watch(request).unwrap();
    watch.expect(&[("plans/a.md", Differs)]);
    watch.write("notes/b.md", "1");
    watch.write("c.md", "1");
    watch.expect(&[("notes/b.md", Differs), ("c.md", Differs)]);
    let fewer = WatchRequest::new().file(&watch.top, "c.md");
    watch.watcher.watch(fewer).unwrap();
    watch.news.try_iter().for_each(drop);
    watch.write("plans/a.md", "2");
    watch.write("notes/b.md", "2");
    assert_eq!(watch.until_marker("c.md"), []);
}

#[test]
fn an_open_plan_inside_the_plan_folder_is_told_once() {
    let watch = watch(&["plans/a.md"], |top| plans(top).file(top, "plans/a.md"));
    watch.write("plans/a.md", "1");
    let told = watch.next();
    assert_eq!(told.len(), 1, "{told:?}");
}

#[test]
fn nothing_is_told_after_it_is_dropped_and_its_thread_ends() {
    let watch = watch(&["plans/a.md"], plans);
    let (plan, news, folder) = (watch.path("plans/a.md"), watch.news, watch._folder);
    drop(watch.watcher);
    fs::write(&plan, "1").unwrap();
    // The callback, which owns the sender, was dropped with its thread.
    assert!(news.iter().next().is_none());
    drop(folder);
}

#[test]
fn a_request_that_makes_no_sense_is_refused() {
    let top = Path::new("/tmp");
    for request in [
        WatchRequest::new().file("relative", "a.md"),
        WatchRequest::new().file(top, "../a.md"),
        WatchRequest::new().folder(top, "/etc", ".md"),
        WatchRequest::new().file(top, ""),
    ] {
        let refused = Watcher::start(request, |_| ()).map(drop).unwrap_err();
        assert!(matches!(refused, ToolError::Argument { .. }), "{refused}");
    }
}
