//! A disk that is full, read-only or limited: a clear message, and no partial changes.
//!
//! The tests start themselves again with such a disk or limit; the inner test then does the work.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr)]

mod file_support;

use std::fs;
use std::path::Path;
use std::process::Command;

use tools::files::{commit, prepare};
use tools::{ToolError, Workspace};

const PLACE: &str = "FULL_DISK_PLACE";

/// Runs the inner test in a shell script that ends with `exec "$@"`.
fn again(inner: &str, wrap: &[&str], script: &str, place: &Path) -> String {
    let output = Command::new(wrap[0])
        .args(&wrap[1..])
        .args(["sh", "-ec", script, "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", inner, "--nocapture"])
        .env(PLACE, place)
        .output()
        .unwrap();
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
    text
}

fn namespaces_work() -> bool {
    let works = Command::new("unshare").args(["-Urm", "true"]).output();
    works.is_ok_and(|output| output.status.success())
}

/// Every kind of change fails with the expected error and leaves everything unchanged.
fn all_changes_fail(place: &Path, kind: impl Fn(&ToolError) -> bool, big: usize) {
    let workspace = Workspace::open(place).unwrap();
    let names = || {
        let mut names: Vec<_> = fs::read_dir(place)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        names
    };
    let before = names();
    let content = "x".repeat(big);
    for line in [
        format!(r#"write_file {{"path": "a.txt", "content": "{content}"}}"#),
        format!(r#"edit_file {{"path": "a.txt", "old_text": "one", "new_text": "{content}"}}"#),
        format!(r#"write_file {{"path": "new.txt", "content": "{content}"}}"#),
        format!(r#"write_file {{"path": "folder/new.txt", "content": "{content}"}}"#),
    ] {
        let prepared = prepare(&workspace, &file_support::call(&line)).unwrap();
        let error = commit(
            &file_support::permits::for_call(prepared.call()),
            &workspace,
            &prepared,
        )
        .unwrap_err();
        assert!(kind(&error), "{error:?}");
        assert!(error.to_string().contains("retry"), "{error}");
        assert_eq!(fs::read_to_string(place.join("a.txt")).unwrap(), "one\n");
        assert_eq!(names(), before);
    }
}

#[test]
fn a_full_disk_is_named_and_nothing_is_half_written() {
    if let Some(place) = std::env::var_os(PLACE) {
        let place = Path::new(&place);
        all_changes_fail(
            place,
            |error| matches!(error, ToolError::NoSpace { .. }),
            200_000,
        );
        return;
    }
    if !namespaces_work() {
        eprintln!("not shown: this machine refuses user namespaces");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs -o size=64k none \"$FULL_DISK_PLACE\"
        echo one > \"$FULL_DISK_PLACE/a.txt\"; exec \"$@\"";
    let test = "a_full_disk_is_named_and_nothing_is_half_written";
    again(test, &["unshare", "-Urm"], script, folder.path());
}

#[test]
fn a_read_only_disk_is_named() {
    if let Some(place) = std::env::var_os(PLACE) {
        let place = Path::new(&place);
        all_changes_fail(
            place,
            |error| matches!(error, ToolError::ReadOnly { .. }),
            2,
        );
        return;
    }
    if !namespaces_work() {
        eprintln!("not shown: this machine refuses user namespaces");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs -o size=64k none \"$FULL_DISK_PLACE\"
        echo one > \"$FULL_DISK_PLACE/a.txt\"
        mount -o remount,ro \"$FULL_DISK_PLACE\"; exec \"$@\"";
    again(
        "a_read_only_disk_is_named",
        &["unshare", "-Urm"],
        script,
        folder.path(),
    );
}

#[test]
fn a_size_limit_is_named_and_nothing_is_half_written() {
    if let Some(place) = std::env::var_os(PLACE) {
        let place = Path::new(&place);
        all_changes_fail(
            place,
            |error| matches!(error, ToolError::SizeLimit { .. }),
            200_000,
        );
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "one\n").unwrap();
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$@\"";
    let test = "a_size_limit_is_named_and_nothing_is_half_written";
    again(test, &["env"], script, folder.path());
}
