//! Workspaces with all kinds of repositories, and commands that attack what the user's Git runs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use tools::sandbox::{Mode, Sandbox};

use super::Place;

/// Calls Git as the user would, outside any sandbox; returns its output.
pub(crate) fn git(folder: &Path, args: &[&str]) -> String {
    run(Command::new("git"), folder, args)
}

pub(crate) fn run(mut command: Command, folder: &Path, args: &[&str]) -> String {
    command.args(["-c", "user.name=a", "-c", "user.email=a@b"]);
    command.args(["-c", "protocol.file.allow=always"]);
    let output = command.args(args).current_dir(folder).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}", text(&output.stdout), text(&output.stderr))
        .trim()
        .to_owned()
}

/// Gives an environment another workspace, which avoids proving its tier again.
pub(crate) fn next(place: &mut Place) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("work-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    place.workspace = place.home.parent().unwrap().join(name);
    for folder in ["src", ".git"] {
        fs::create_dir_all(place.workspace.join(folder)).unwrap();
    }
}

/// Makes the workspace a repository with a commit, and adds a worktree, a submodule, a nested
/// repository and a bare one.
pub(crate) fn grown(place: &Place) {
    let work = &place.workspace;
    fs::remove_dir_all(work.join(".git")).unwrap();
    let other = place.home.join(work.file_name().unwrap());
    for folder in [&other, &work.join("nested")] {
        fs::create_dir_all(folder).unwrap();
        git(folder, &["init", "-qb", "main"]);
        git(folder, &["commit", "-qm", "one", "--allow-empty"]);
    }
    git(work, &["init", "-qb", "main"]);
    git(
        work,
        &[
            "submodule",
            "--quiet",
            "add",
            other.to_str().unwrap(),
            "libs/sub",
        ],
    );
    fs::write(work.join(".gitignore"), "nested\nbare\nside\n").unwrap();
    git(work, &["add", "-A"]);
    git(work, &["commit", "-qm", "one"]);
    git(work, &["init", "-q", "--bare", "bare"]);
    git(work, &["worktree", "add", "-q", "side"]);
}

/// Asserts that no program runs when the user checks the status, commits and calls an alias in each
/// folder.
pub(crate) fn nothing_runs(place: &Place, what: &str) {
    let mark = place.home.join("ran");
    for folder in [
        "", "nested", "libs/sub", "side", "bare", "made", "made/in", "src",
    ] {
        let folder = place.workspace.join(folder);
        if folder.is_dir() {
            for args in [
                &["status"] as &[&str],
                &["commit", "-m", "x", "--allow-empty"],
                &["call"],
            ] {
                let mut command = Command::new("git");
                command.env("HOME", &place.home);
                run(command, &folder, args);
            }
            assert!(!mark.exists(), "{what}: ran in {}", folder.display());
        }
    }
}

pub(crate) fn prepared(place: &Place) -> (String, String) {
    let evil = place.workspace.join("src/evil.sh");
    let mark = place.home.join("ran");
    fs::write(&evil, format!("#!/bin/sh\ntouch {}\n", mark.display())).unwrap();
    fs::set_permissions(&evil, fs::Permissions::from_mode(0o755)).unwrap();
    let evil = evil.to_str().unwrap().to_owned();
    let conf = format!("printf '[core]\\nrepositoryformatversion=0\\nfsmonitor = {evil}\\n'");
    (evil, conf)
}

pub(crate) fn attack(place: &Place, sandbox: &Sandbox, what: &str, lines: &[&str]) {
    let (evil, conf) = prepared(place);
    for line in lines {
        let line = line.replace("CONF", &conf).replace("EVIL", &evil);
        place.run(sandbox, &place.shell(&line, Mode::Exec)).unwrap();
    }
    nothing_runs(place, &format!("{:?}: {what}", sandbox.tier()));
}
