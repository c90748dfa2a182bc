//! The results of the read-only tools.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod file_support;

use std::fs;
use std::process::Command;

use file_support::project;

#[test]
fn list_files_shows_two_levels_without_what_git_ignores() {
    let project = project(&[
        (".gitignore", "target/\n*.log\n!keep.log\n"),
        ("README.md", ""),
        ("a.log", ""),
        ("keep.log", ""),
        ("src/main.rs", ""),
        ("src/deep/er/x.rs", ""),
        ("sub/.gitignore", "local\n"),
        ("sub/local", ""),
        ("target/debug/x", ""),
        (".git/HEAD", "ref: refs/heads/main"),
    ]);
    std::os::unix::fs::symlink("README.md", project.path("link")).unwrap();
    let outcome = project.look("list_files").unwrap();
    assert_eq!(
        outcome.text,
        ".gitignore\nREADME.md\nkeep.log\nlink -> README.md\nsrc/\nsrc/deep/\nsrc/main.rs\nsub/\n\
         sub/.gitignore\n"
    );
    assert_eq!(outcome.discoveries, ["6 files, 3 folders"]);
    let text = |line: &str| project.look(line).unwrap().text;
    assert_eq!(
        text(r#"list_files {"path": "src", "depth": 1}"#),
        "src/deep/\nsrc/main.rs\n"
    );
    assert_eq!(
        text(r#"list_files {"path": "target"}"#),
        "target/debug/\ntarget/debug/x\n"
    );
    assert!(text(r#"list_files {"depth": 9}"#).contains("src/deep/er/x.rs"));
    assert!(
        project
            .look(r#"list_files {"path": "nope"}"#)
            .unwrap_err()
            .to_string()
            .contains("nope")
    );
}

#[test]
fn a_long_list_is_cut_and_says_so() {
    let project = project(&[]);
    for n in 0..600 {
        project.write(&format!("f{n:03}"), "");
    }
    let outcome = project.look("list_files").unwrap();
    assert!(outcome.truncated);
    assert_eq!(outcome.text.lines().count(), 501);
}

#[test]
fn read_file_gives_lines_as_they_are() {
    let project = project(&[("a.txt", "one\r\ntwo\nthree"), ("empty", "")]);
    let look = |line: &str| project.look(line);
    assert_eq!(
        look(r#"read_file {"path": "a.txt"}"#).unwrap().text,
        "one\r\ntwo\nthree"
    );
    let part = look(r#"read_file {"path": "a.txt", "start_line": 2, "end_line": 9}"#).unwrap();
    assert_eq!(part.text, "two\nthree");
    assert_eq!(part.discoveries, ["a.txt: lines 2–3 of 3"]);
    let part = look(r#"read_file {"path": "a.txt", "end_line": 1}"#).unwrap();
    assert_eq!(part.text, "one\r\n");
    assert_eq!(look(r#"read_file {"path": "empty"}"#).unwrap().text, "");
    for line in [
        r#"read_file {"path": "a.txt", "start_line": 4}"#,
        r#"read_file {"path": "a.txt", "start_line": 3, "end_line": 2}"#,
    ] {
        let message = look(line).unwrap_err().to_string();
        assert!(message.contains("has 3 lines"), "{message}");
    }
    let missing = look(r#"read_file {"path": "b.txt"}"#)
        .unwrap_err()
        .to_string();
    assert_eq!(
        missing,
        "no such file or folder: `b.txt`; check the path or list its folder"
    );
}

#[test]
fn read_file_bounds_long_files_and_names_what_is_not_text() {
    let project = project(&[]);
    project.write("long", "0123456789\n".repeat(5_000));
    let outcome = project.look(r#"read_file {"path": "long"}"#).unwrap();
    assert!(outcome.truncated && outcome.text.chars().count() < 20_200);
    assert!(outcome.text.contains("ask for a range of lines"));
    project.write("latin1", b"caf\xe9\n");
    let outcome = project.look(r#"read_file {"path": "latin1"}"#).unwrap();
    assert_eq!(outcome.text, "caf\u{fffd}\n");
    assert!(outcome.discoveries[0].contains("not valid UTF-8 (byte 3)"));
    project.write("binary", b"\x7fELF\0\0");
    let outcome = project.look(r#"read_file {"path": "binary"}"#).unwrap();
    assert_eq!(outcome.text, "`binary` is a binary file of 6 bytes.\n");
    let huge = fs::File::create(project.path("huge")).unwrap();
    huge.set_len(5 << 30).unwrap();
    let message = project
        .look(r#"read_file {"path": "huge"}"#)
        .unwrap_err()
        .to_string();
    assert!(message.contains("too large"), "{message}");
}

#[test]
fn search_files_finds_lines_by_expression_or_as_they_stand() {
    let project = project(&[
        (".gitignore", "out\n"),
        ("a.rs", "fn total(x) {}\r\nlet y = total(1);\n"),
        ("sub/b.rs", "// total\n"),
        ("out/c.rs", "total\n"),
        ("bin", "total\0"),
    ]);
    let outcome = project
        .look(r#"search_files {"pattern": "total\\(\\w\\)"}"#)
        .unwrap();
    assert_eq!(
        outcome.text,
        "a.rs:1: fn total(x) {}\na.rs:2: let y = total(1);\n"
    );
    assert_eq!((outcome.hits, outcome.truncated), (Some(2), false));
    assert_eq!(outcome.discoveries, ["2 hits in 1 file"]);
    let outcome = project
        .look(r#"search_files {"pattern": "\\)$|^// t", "path": "./sub"}"#)
        .unwrap();
    assert_eq!(outcome.text, "sub/b.rs:1: // total\n");
    let outcome = project
        .look(r#"search_files {"pattern": "}$", "path": "a.rs"}"#)
        .unwrap();
    assert_eq!(
        outcome.hits,
        Some(1),
        "the end of a line comes before its CR"
    );
    let outcome = project
        .look(r#"search_files {"pattern": "total(1"}"#)
        .unwrap();
    assert_eq!(outcome.hits, Some(1));
    assert!(
        outcome.discoveries[1].contains("plain text"),
        "{:?}",
        outcome.discoveries
    );
    let none = project
        .look(r#"search_files {"pattern": "nothing here"}"#)
        .unwrap();
    assert_eq!((none.hits, none.text.as_str()), (Some(0), "No hits.\n"));
    assert!(project.look(r#"search_files {"pattern": ""}"#).is_err());
    assert!(
        project
            .look(r#"search_files {"pattern": "x", "path": "nope"}"#)
            .is_err()
    );
}

#[test]
fn what_is_private_is_read_and_found_by_no_tool_under_any_name() {
    let secrets = [
        ".env",
        ".env.production",
        "certs/id_rsa",
        ".npmrc",
        ".aws/credentials",
        "deploy/secrets.yml",
        "mine.txt",
    ];
    let mut files: Vec<(&str, &str)> = secrets.iter().map(|path| (*path, "TOKEN=abc\n")).collect();
    files.extend([(".env.example", "TOKEN=\n"), ("src/a.py", "TOKEN = 1\n")]);
    let project = project(&files);
    project.workspace.hide(&["mine.txt".to_owned()]);
    std::os::unix::fs::symlink("../.env", project.path("src/link")).unwrap();
    std::fs::hard_link(project.path(".env"), project.path("src/hard.txt")).unwrap();
    let other_names = ["./.env", "src/link", "src/hard.txt", "certs/./id_rsa"];
    for path in secrets.into_iter().chain(other_names) {
        for line in [
            format!(r#"read_file {{"path": "{path}"}}"#),
            format!(r#"search_files {{"pattern": "TOKEN", "path": "{path}"}}"#),
        ] {
            let message = project.look(&line).unwrap_err().to_string();
            assert!(message.contains("private_files"), "{line}: {message}");
        }
    }
    let found = project
        .look(r#"search_files {"pattern": "TOKEN"}"#)
        .unwrap();
    assert_eq!(
        found.text,
        ".env.example:1: TOKEN=\nsrc/a.py:1: TOKEN = 1\n"
    );
    project.workspace.hide(&["!.npmrc".to_owned()]);
    assert!(project.look(r#"read_file {"path": ".npmrc"}"#).is_ok());
}

#[test]
fn a_search_stops_at_its_bound() {
    let project = project(&[]);
    project.write("many", "hit\n".repeat(300));
    let outcome = project.look(r#"search_files {"pattern": "hit"}"#).unwrap();
    assert_eq!((outcome.hits, outcome.truncated), (Some(200), true));
}

fn git(project: &file_support::Project, args: &[&str]) {
    let status = Command::new("git")
        .current_dir(project.path(""))
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(args)
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn git_status_answers_and_runs_nothing_of_the_repositorys() {
    let project = project(&[("a.txt", "a\n"), (".gitattributes", "*.txt filter=evil\n")]);
    let outcome = project.look("git_status").unwrap();
    assert_eq!(outcome.text, "Not a Git repository.\n");
    git(&project, &["init", "-q"]);
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "first"]);
    assert_eq!(
        project.look("git_status").unwrap().text,
        "Nothing changed since the last commit.\n"
    );
    let trace = project.path(".git/ran");
    let evil = format!("touch {} && cat", trace.display());
    for key in [
        "filter.evil.clean",
        "filter.evil.process",
        "core.fsmonitor",
        "core.pager",
    ] {
        git(&project, &["config", key, &evil]);
    }
    let index = fs::read(project.path(".git/index")).unwrap();
    project.write("a.txt", "b\n");
    project.write("b c.txt", "new\n");
    let outcome = project.look("git_status").unwrap();
    assert_eq!(outcome.text, " M a.txt\n?? \"b c.txt\"\n");
    assert_eq!(outcome.discoveries, ["2 paths changed"]);
    assert!(!trace.exists(), "a program of the repository ran");
    assert_eq!(fs::read(project.path(".git/index")).unwrap(), index);
}
