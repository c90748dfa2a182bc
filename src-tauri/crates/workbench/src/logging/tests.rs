//! The log: its content, file permissions and rotation, and that it never stops the program.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempDir;

use super::*;

fn filter_of(wanted: Option<&str>) -> (Targets, Vec<String>) {
    let mut notices = Vec::new();
    let filter = filter(wanted.map(OsString::from), &mut notices);
    (filter, notices)
}

fn logs(folder: &Path) -> Vec<String> {
    let entries = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

fn only_log(folder: &Path) -> String {
    let names = logs(folder);
    assert_eq!(names.len(), 1, "{names:?}");
    std::fs::read_to_string(folder.join(&names[0])).unwrap()
}

#[test]
fn own_crates_are_written_from_info_on_and_others_not() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("logs");
    let subscriber = subscriber(&path, filter_of(None).0).unwrap();
    tracing::subscriber::with_default(subscriber, || {
        tracing::info!(target: "agent::run", run = "r1", "started");
        tracing::debug!(target: "agent::run", "detail");
        tracing::error!(target: "somebody_else", "noise");
    });
    let text = only_log(&path);
    assert_eq!(text.lines().count(), 1, "{text}");
    let line = format!(
        " [{}]  INFO agent::run: started run=\"r1\"\n",
        std::process::id()
    );
    assert!(text.ends_with(&line), "{text}");
}

#[test]
fn each_line_is_in_the_file_at_once_and_the_files_are_private() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("logs");
    let subscriber = subscriber(&path, filter_of(None).0).unwrap();
    tracing::subscriber::with_default(subscriber, || {
        tracing::info!(target: "store", "one");
        assert!(only_log(&path).contains("one"), "nothing is held back");
    });
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o700);
    assert_eq!(mode(&path.join(&logs(&path)[0])), 0o600);
}

#[test]
fn a_program_that_ends_well_says_so_last() {
    let folder = TempDir::new().unwrap();
    let subscriber = subscriber(folder.path(), filter_of(None).0).unwrap();
    tracing::subscriber::with_default(subscriber, || {
        let guard = LogGuard(());
        tracing::info!(target: "agent", "working");
        drop(guard);
    });
    let text = only_log(folder.path());
    assert!(text.ends_with(" INFO workbench: closed\n"), "{text}");
}

#[test]
fn the_variable_overrides_and_a_bad_one_is_named() {
    use tracing::Level;
    let table = [
        (None, "agent", Level::INFO, true),
        (None, "agent", Level::DEBUG, false),
        (Some("debug"), "plan::parse", Level::DEBUG, true),
        (Some("debug"), "rusqlite", Level::ERROR, false),
        (Some("off"), "agent", Level::ERROR, false),
        (Some("store=trace"), "store::runs", Level::TRACE, true),
        (Some("store=trace"), "agent", Level::ERROR, false),
    ];
    for (wanted, target, level, expected) in table {
        let (filter, notices) = filter_of(wanted);
        assert_eq!(
            filter.would_enable(target, &level),
            expected,
            "{wanted:?} {target} {level}"
        );
        assert!(notices.is_empty(), "{wanted:?}");
    }
    let (filter, notices) = filter_of(Some("store=loud"));
    assert!(filter.would_enable("agent", &Level::INFO));
    assert!(
        notices[0].starts_with("PLANWRIGHT_LOG must be a level"),
        "{notices:?}"
    );
}

#[test]
fn a_log_that_cannot_be_written_is_a_notice() {
    let folder = TempDir::new().unwrap();
    let root = folder.path().as_os_str().to_owned();
    let home = Home::locate(|_| Some(root.clone())).unwrap();
    std::fs::write(&home.logs, "a file in the way").unwrap();
    let (_guard, notices) = init(&home, None);
    assert_eq!(notices.len(), 1);
    assert!(notices[0].starts_with("logging is off: "), "{notices:?}");
    assert!(notices[0].contains("is not a folder"), "{notices:?}");
}

#[test]
fn a_new_day_is_a_new_file_and_fourteen_are_kept() {
    static DAY: AtomicU64 = AtomicU64::new(20_000);
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("planwright.notes.log"), "somebody's own").unwrap();
    let mut file = DailyFile::with_days(folder.path(), || DAY.load(Ordering::SeqCst)).unwrap();
    for day in 20_000..20_020 {
        DAY.store(day, Ordering::SeqCst);
        writeln!(file, "day {day}").unwrap();
    }
    let names = logs(folder.path());
    let mut expected: Vec<String> = (20_006..20_020).map(daily::name).collect();
    expected.push("planwright.notes.log".to_owned());
    assert_eq!(names, expected);
    let last = std::fs::read_to_string(folder.path().join(&names[13])).unwrap();
    assert_eq!(last, "day 20019\n");
}

#[test]
fn a_clock_that_jumps_back_keeps_the_file_in_use() {
    static DAY: AtomicU64 = AtomicU64::new(30_000);
    let folder = TempDir::new().unwrap();
    for day in 29_000..29_020 {
        std::fs::write(folder.path().join(daily::name(day)), "old\n").unwrap();
    }
    let mut file = DailyFile::with_days(folder.path(), || DAY.load(Ordering::SeqCst)).unwrap();
    DAY.store(10, Ordering::SeqCst);
    writeln!(file, "back in 1970").unwrap();
    let text = std::fs::read_to_string(folder.path().join("planwright.1970-01-11.log")).unwrap();
    assert_eq!(text, "back in 1970\n");
    assert_eq!(logs(folder.path()).len(), 14);
}

#[test]
fn a_folder_that_vanishes_stops_nobody() {
    static DAY: AtomicU64 = AtomicU64::new(1);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("logs");
    std::fs::create_dir(&path).unwrap();
    let mut file = DailyFile::with_days(&path, || DAY.load(Ordering::SeqCst)).unwrap();
    std::fs::remove_dir_all(&path).unwrap();
    DAY.store(2, Ordering::SeqCst);
    writeln!(file, "nowhere").unwrap();
}

#[test]
fn files_are_named_after_the_day() {
    let table = [
        (0, "1970-01-01"),
        (789, "1972-02-29"),
        (11_016, "2000-02-29"),
        (20_453, "2025-12-31"),
    ];
    for (day, date) in table {
        assert_eq!(daily::name(day), format!("planwright.{date}.log"));
    }
}
