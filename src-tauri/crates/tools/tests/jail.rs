//! No path leads out of a workspace, and only regular files are opened.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod file_support;

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use file_support::{call, permits, project};
use tools::{ToolError, Workspace, files};

/// The error of a read or write call.
fn refused(project: &file_support::Project, line: &str) -> ToolError {
    let call = call(line);
    let result = if call.tool.is_read_only() {
        files::perform_read(&project.workspace, &call).map(|outcome| outcome.text)
    } else {
        project.change(line).map(|state| format!("{state:?}"))
    };
    match result {
        Err(error) => error,
        Ok(text) => panic!("{line} was not refused: {text}"),
    }
}

#[test]
fn every_way_out_is_refused_with_its_reason() {
    let project = project(&[("inside.txt", "inside"), ("sub/a.txt", "a")]);
    let secret = project.folder.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    let outside = project.folder.path().display().to_string();
    symlink(&secret, project.path("absolute_out")).unwrap();
    symlink("../secret", project.path("relative_out")).unwrap();
    symlink("..", project.path("up")).unwrap();
    symlink("sub/../../secret", project.path("winding_out")).unwrap();
    symlink(project.path("inside.txt"), project.path("absolute_in")).unwrap();
    symlink("nowhere", project.path("dangling")).unwrap();
    symlink("loop_b", project.path("loop_a")).unwrap();
    symlink("loop_a", project.path("loop_b")).unwrap();

    let cases: &[(String, &str)] = &[
        ("../secret".into(), "contains `..`"),
        ("sub/../inside.txt".into(), "contains `..`"),
        (format!("{outside}/secret"), "absolute path"),
        (
            project.path("inside.txt").display().to_string(),
            "relative to the workspace, as `inside.txt`",
        ),
        ("~/x".into(), "absolute path"),
        (
            "absolute_out".into(),
            "points outside the workspace through the symbolic link `absolute_out`",
        ),
        (
            "relative_out".into(),
            "points outside the workspace through the symbolic link `relative_out`",
        ),
        (
            "up/secret".into(),
            "points outside the workspace through the symbolic link `up`",
        ),
        ("winding_out".into(), "points outside the workspace"),
        ("absolute_in".into(), "make the link relative"),
        ("dangling".into(), "fix or delete it"),
        ("loop_a".into(), "fix or delete it"),
        ("inside.txt/x".into(), "is not a folder"),
        ("a\u{0}b".into(), "NUL"),
    ];
    let before = fs::read(&secret).unwrap();
    for (path, reason) in cases {
        let path = serde_json::to_string(path).unwrap();
        for line in [
            format!("read_file {{\"path\": {path}}}"),
            format!("write_file {{\"path\": {path}, \"content\": \"x\"}}"),
            format!("edit_file {{\"path\": {path}, \"old_text\": \"s\", \"new_text\": \"x\"}}"),
            format!("search_files {{\"pattern\": \"s\", \"path\": {path}}}"),
            format!("list_files {{\"path\": {path}}}"),
        ] {
            let message = refused(&project, &line).to_string();
            assert!(message.contains(reason), "{line}: {message}");
        }
    }
    refused(&project, r#"delete_file {"path": "up/secret"}"#);
    refused(&project, r#"delete_file {"path": "relative_out"}"#);
    assert_eq!(fs::read(&secret).unwrap(), before);
    assert_eq!(
        fs::read_dir(project.folder.path()).unwrap().count(),
        3,
        "nothing new outside"
    );
}

#[test]
fn unclean_paths_and_links_inside_are_followed() {
    let project = project(&[("a/b.txt", "one")]);
    symlink("a", project.path("link")).unwrap();
    symlink("../a/b.txt", project.path("a/self")).unwrap();
    for path in ["./a//b.txt", "a/./b.txt", "link/b.txt", "link/self"] {
        let text = project
            .look(&format!("read_file {{\"path\": \"{path}\"}}"))
            .unwrap()
            .text;
        assert_eq!(text, "one", "{path}");
    }
    let line = r#"edit_file {"path": "link/self", "old_text": "one", "new_text": "two"}"#;
    let prepared = files::prepare(&project.workspace, &call(line)).unwrap();
    assert_eq!(prepared.record.path, "a/b.txt");
    files::commit(
        &permits::for_call(prepared.call()),
        &project.workspace,
        &prepared,
    )
    .unwrap();
    assert_eq!(project.read("a/b.txt"), "two");
    assert!(project.path("a/self").is_symlink());
}

#[test]
fn a_link_swapped_in_all_the_time_never_leads_out() {
    let project = project(&[("dir/f.txt", "inside")]);
    let outside = project.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("f.txt"), "outside").unwrap();
    symlink(&outside, project.path("trap")).unwrap();
    symlink("../outside", project.path("trap2")).unwrap();
    let stop = AtomicBool::new(false);
    let dir = project.path("dir");
    let traps = [project.path("trap"), project.path("trap2")];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for trap in traps.iter().cycle() {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let swap = || {
                    use rustix::fs::{CWD, RenameFlags, renameat_with};
                    renameat_with(CWD, &dir, CWD, trap, RenameFlags::EXCHANGE).unwrap();
                };
                swap();
                swap();
            }
        });
        let (mut inside, mut refused) = (0, 0);
        for round in 0..3_000 {
            match project.look(r#"read_file {"path": "dir/f.txt"}"#) {
                Ok(outcome) => {
                    assert_ne!(outcome.text, "outside");
                    inside += 1;
                }
                Err(_) => refused += 1,
            }
            let line =
                format!(r#"write_file {{"path": "dir/f.txt", "content": "inside {round}"}}"#);
            // Some of these writes are refused and some succeed, but none may escape.
            let _ = project.change(&line);
        }
        stop.store(true, Ordering::Relaxed);
        assert!(
            inside > 0 && refused > 0,
            "both must have been seen: {inside}, {refused}"
        );
    });
    assert_eq!(
        fs::read_to_string(outside.join("f.txt")).unwrap(),
        "outside"
    );
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
}

#[test]
fn what_is_no_regular_file_is_named_and_not_opened() {
    let project = project(&[("a.txt", "a"), ("folder/x", "")]);
    // Opening this pipe would block forever.
    let pipe = project.path("pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let _socket = std::os::unix::net::UnixListener::bind(project.path("socket")).unwrap();
    symlink("pipe", project.path("to_pipe")).unwrap();
    for (path, kind) in [
        ("pipe", "a pipe"),
        ("to_pipe", "a pipe"),
        ("socket", "a socket"),
        ("folder", "a folder"),
    ] {
        for line in [
            format!(r#"read_file {{"path": "{path}"}}"#),
            format!(r#"write_file {{"path": "{path}", "content": "x"}}"#),
            format!(r#"edit_file {{"path": "{path}", "old_text": "a", "new_text": "x"}}"#),
        ] {
            let message = refused(&project, &line).to_string();
            assert!(
                message.contains(&format!("is {kind}, not a file")),
                "{message}"
            );
        }
    }
    assert!(
        project
            .look(r#"search_files {"pattern": "a"}"#)
            .unwrap()
            .hits
            == Some(1)
    );
    project.snapshot(None);
}

#[test]
fn a_file_with_a_second_name_is_read_but_not_written() {
    let project = project(&[]);
    let outside = project.folder.path().join("outside.txt");
    fs::write(&outside, "theirs").unwrap();
    fs::hard_link(&outside, project.path("hard.txt")).unwrap();
    assert_eq!(
        project
            .look(r#"read_file {"path": "hard.txt"}"#)
            .unwrap()
            .text,
        "theirs"
    );
    for line in [
        r#"write_file {"path": "hard.txt", "content": "x"}"#,
        r#"edit_file {"path": "hard.txt", "old_text": "theirs", "new_text": "x"}"#,
        r#"delete_file {"path": "hard.txt"}"#,
    ] {
        let error = refused(&project, line);
        assert!(
            matches!(error, ToolError::HardLinked { links: 2, .. }),
            "{error}"
        );
    }
    assert_eq!(fs::read_to_string(&outside).unwrap(), "theirs");
}

#[test]
fn what_git_runs_by_the_users_settings_is_not_written() {
    let project = project(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/objects/x", ""),
        (".git/refs/x", ""),
        (
            ".git/config",
            "[core]\nhooksPath = .hooks\nfsmonitor = tools/watch\n[include]\npath = ../team.conf\n",
        ),
        ("sub/.git/HEAD", "ref: refs/heads/main\n"),
        ("sub/.git/objects/x", ""),
        ("sub/.git/refs/x", ""),
        ("sub/.git/config", "[core]\nhooksPath = hooks\n"),
        (".hooks/there", "#!/bin/sh\n"),
        ("tools/watch", "#!/bin/sh\n"),
        ("tools/other", "x"),
        ("hooks/other", "x"),
    ]);
    symlink(".hooks", project.path("alias")).unwrap();
    let before = project.tree();
    for path in [
        ".hooks/pre-commit",
        "alias/pre-commit",
        "tools/watch",
        "team.conf",
        "sub/hooks/pre-commit",
    ] {
        let line = format!(r#"write_file {{"path": "{path}", "content": "x"}}"#);
        let error = refused(&project, &line);
        let is_refused = matches!(error, ToolError::Protected { .. });
        assert!(is_refused, "{path}: {error}");
    }
    assert_eq!(project.tree(), before);
    for path in ["tools/other", "hooks/other", "sub/tools/watch"] {
        let line = format!(r#"write_file {{"path": "{path}", "content": "y"}}"#);
        let prepared = files::prepare(&project.workspace, &call(&line));
        assert!(prepared.is_ok(), "{path}");
    }
}

#[test]
fn what_hooks_and_aliases_call_is_not_written() {
    let project = project(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/objects/x", ""),
        (".git/refs/x", ""),
        (
            ".git/config",
            "[core]\nhooksPath = .husky/_\n[alias]\nx = !./tools/c.sh\n",
        ),
        (".git/hooks/pre-push", "npm test && python3 tools/lint.py\n"),
        (".husky/_/pre-commit", ". \"$(dirname \"$0\")/h\"\n"),
        (".husky/pre-commit", "tools/check.sh\n"),
        ("tools/check.sh", ". ./tools/common\n"),
        ("tools/common", ""),
        ("tools/c.sh", ""),
        ("tools/lint.py", ""),
        ("package.json", "{}"),
    ]);
    let before = project.tree();
    for path in [
        ".husky/pre-commit",
        ".husky/commit-msg",
        "tools/check.sh",
        "tools/common",
        "tools/c.sh",
        "tools/lint.py",
    ] {
        let line = format!(r#"write_file {{"path": "{path}", "content": "x"}}"#);
        let error = refused(&project, &line);
        let is_refused = matches!(error, ToolError::Protected { .. });
        assert!(is_refused, "{path}: {error}");
        assert!(error.to_string().contains("edit it yourself"), "{error}");
    }
    assert_eq!(project.tree(), before);
    for path in ["package.json", ".husky/README", "tools/new.py"] {
        let line = format!(r#"write_file {{"path": "{path}", "content": "y"}}"#);
        let prepared = files::prepare(&project.workspace, &call(&line));
        assert!(prepared.is_ok(), "{path}");
    }
}

#[test]
fn protected_places_are_not_written_by_any_name() {
    let project = project(&[
        (".git/config", "c"),
        (".git/hooks/pre-commit", "h"),
        (".planwright/settings.json", "{}"),
        ("plans/a.md", "- [ ] a"),
        ("sub/.git/config", "c"),
        (".gitignore", "x"),
    ]);
    symlink(".git", project.path("alias")).unwrap();
    symlink("plans/a.md", project.path("plan_link")).unwrap();
    project
        .workspace
        .protect(&project.path("plans/a.md"))
        .unwrap();
    let before = project.tree();
    for path in [
        ".git/config",
        ".git/hooks/pre-commit",
        ".git/hooks/new",
        ".git/index",
        ".GIT/config",
        "alias/config",
        "sub/.git/config",
        ".planwright/settings.json",
        ".planwright/new",
        "plans/a.md",
        "./plans//a.md",
        "plan_link",
    ] {
        let error = refused(
            &project,
            &format!(r#"write_file {{"path": "{path}", "content": "x"}}"#),
        );
        assert!(
            matches!(error, ToolError::Protected { .. }),
            "{path}: {error}"
        );
    }
    assert_eq!(project.tree(), before);
    project
        .change(r#"write_file {"path": ".gitignore", "content": "y"}"#)
        .unwrap();
    project
        .change(r#"write_file {"path": "plans/b.md", "content": "y"}"#)
        .unwrap();
}

#[test]
fn a_workspace_that_cannot_be_opened_or_vanishes_says_so() {
    let project = project(&[("a.txt", "a")]);
    let open = |path: &str| Workspace::open(&project.path(path)).unwrap_err();
    assert!(matches!(
        open("missing"),
        ToolError::WorkspaceMissing { .. }
    ));
    assert!(matches!(
        open("a.txt"),
        ToolError::WorkspaceNotAFolder { .. }
    ));

    let prepared = files::prepare(
        &project.workspace,
        &call(r#"write_file {"path": "a.txt", "content": "b"}"#),
    )
    .unwrap();
    fs::rename(project.path(""), project.folder.path().join("moved")).unwrap();
    let gone = |error: ToolError| assert!(matches!(error, ToolError::WorkspaceGone { .. }));
    gone(project.look(r#"read_file {"path": "a.txt"}"#).unwrap_err());
    gone(
        files::commit(
            &permits::for_call(prepared.call()),
            &project.workspace,
            &prepared,
        )
        .unwrap_err(),
    );
    // A new folder at the same path is not the one that was opened.
    fs::create_dir(project.path("")).unwrap();
    gone(project.look("list_files").unwrap_err());
    assert_eq!(
        fs::read_to_string(project.folder.path().join("moved/a.txt")).unwrap(),
        "a"
    );
}
