//! The state of real repositories, and branches created in them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that fails here has found something"
)]

#[path = "permit_support/mod.rs"]
mod permits;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use tools::git::{
    DirtyFile, DirtyStatus, GitState, Logged, changed_since, head, log, start_branch, state,
};
use tools::{ToolError, Workspace};

struct Repository {
    folder: TempDir,
}

fn git_in(folder: &Path, args: &[&str]) -> String {
    let done = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(done.status.success(), "{args:?}: {done:?}");
    String::from_utf8(done.stdout).unwrap().trim().to_owned()
}

fn empty() -> Repository {
    let folder = tempfile::tempdir().unwrap();
    let repository = Repository { folder };
    fs::create_dir(repository.path("r")).unwrap();
    repository.git(&["init", "-q", "-b", "main"]);
    repository
}

/// A repository with one commit of `a` and `sub/b`.
fn repository() -> Repository {
    let repository = empty();
    repository.write("a", "1");
    repository.write("sub/b", "1");
    repository.git(&["add", "."]);
    repository.git(&["commit", "-q", "-m", "one"]);
    repository
}

impl Repository {
    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path("r").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn git(&self, args: &[&str]) -> String {
        git_in(&self.path("r"), args)
    }

    fn workspace(&self) -> Workspace {
        Workspace::open(&self.path("r")).unwrap()
    }

    fn state(&self) -> GitState {
        state(&self.workspace()).unwrap().unwrap()
    }

    fn dirty(&self) -> Vec<(String, DirtyStatus)> {
        let state = self.state();
        assert_eq!(state.dirty.len(), state.dirty_total);
        state
            .dirty
            .into_iter()
            .map(|f| (f.path, f.status))
            .collect()
    }
}

fn named(files: &[(&str, DirtyStatus)]) -> Vec<(String, DirtyStatus)> {
    files.iter().map(|(p, s)| ((*p).to_owned(), *s)).collect()
}

#[test]
fn branch_commit_and_what_differs_are_told() {
    let repository = repository();
    let head = repository.git(&["rev-parse", "HEAD"]);
    let clean = GitState {
        branch: Some("main".to_owned()),
        head: Some(head),
        dirty: Vec::new(),
        dirty_total: 0,
    };
    assert_eq!(repository.state(), clean);
    repository.write("a", "2");
    fs::remove_file(repository.path("r/sub/b")).unwrap();
    repository.write("staged \u{e9}\n", "1");
    repository.git(&["add", "staged \u{e9}\n"]);
    repository.write("new/file", "1");
    let expected = named(&[
        ("a", DirtyStatus::Modified),
        ("staged \u{e9}\n", DirtyStatus::Added),
        ("sub/b", DirtyStatus::Deleted),
        ("new/", DirtyStatus::Untracked),
    ]);
    assert_eq!(repository.dirty(), expected);
    let branch = repository.state().branch;
    assert_eq!(
        (branch.as_deref(), repository.state().head),
        (Some("main"), clean.head)
    );
}

#[test]
fn without_a_repository_or_a_working_tree_there_is_no_state() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::open(folder.path()).unwrap();
    assert_eq!(state(&workspace).unwrap(), None);
    let refused = start_branch(&permits::to_start_branch("x"), &workspace, "x").unwrap_err();
    assert!(refused.to_string().contains("git init"), "{refused}");
    git_in(folder.path(), &["init", "-q", "--bare", "bare.git"]);
    let bare = Workspace::open(&folder.path().join("bare.git")).unwrap();
    assert!(matches!(state(&bare), Ok(None) | Err(ToolError::Io { .. })));
}

#[test]
fn a_repository_without_a_commit_has_a_branch_and_no_head() {
    let repository = empty();
    repository.write("a", "1");
    let state = repository.state();
    assert_eq!((state.branch.as_deref(), state.head), (Some("main"), None));
    let a = DirtyFile {
        path: "a".to_owned(),
        status: DirtyStatus::Untracked,
    };
    assert_eq!(state.dirty, [a]);
    start_branch(
        &permits::to_start_branch("first"),
        &repository.workspace(),
        "first",
    )
    .unwrap();
    assert_eq!(repository.state().branch.as_deref(), Some("first"));
}

#[test]
fn a_detached_head_has_no_branch_and_can_start_one() {
    let repository = repository();
    let head = repository.git(&["rev-parse", "HEAD"]);
    repository.git(&["checkout", "-q", "--detach"]);
    let state = repository.state();
    assert_eq!((state.branch, state.head), (None, Some(head.clone())));
    start_branch(
        &permits::to_start_branch("from-there"),
        &repository.workspace(),
        "from-there",
    )
    .unwrap();
    let state = repository.state();
    assert_eq!(
        (state.branch.as_deref(), state.head),
        (Some("from-there"), Some(head))
    );
}

#[test]
fn a_worktree_stands_on_its_own_branch() {
    let repository = repository();
    repository.git(&["worktree", "add", "-q", "-b", "side", "../tree"]);
    let tree = Workspace::open(&repository.path("tree")).unwrap();
    fs::write(repository.path("tree/a"), "2").unwrap();
    let side = state(&tree).unwrap().unwrap();
    assert_eq!(
        (side.branch.as_deref(), side.dirty_total),
        (Some("side"), 1)
    );
    start_branch(&permits::to_start_branch("further"), &tree, "further").unwrap();
    assert_eq!(
        state(&tree).unwrap().unwrap().branch.as_deref(),
        Some("further")
    );
    let main = repository.state();
    assert_eq!(
        (main.branch.as_deref(), main.dirty_total),
        (Some("main"), 0)
    );
}

#[test]
fn a_folder_inside_a_repository_sees_itself_alone() {
    let repository = repository();
    repository.write("a", "2");
    repository.write("sub/b", "2");
    repository.write("sub/deep/c", "1");
    let sub = Workspace::open(&repository.path("r/sub")).unwrap();
    let seen = state(&sub).unwrap().unwrap();
    let files: Vec<_> = seen.dirty.into_iter().map(|f| (f.path, f.status)).collect();
    let expected = named(&[
        ("b", DirtyStatus::Modified),
        ("deep/", DirtyStatus::Untracked),
    ]);
    assert_eq!((files, seen.dirty_total), (expected, 2));
    assert_eq!(seen.branch.as_deref(), Some("main"));
    start_branch(&permits::to_start_branch("from-sub"), &sub, "from-sub").unwrap();
    assert_eq!(repository.state().branch.as_deref(), Some("from-sub"));
}

#[test]
fn a_branch_starts_here_and_leaves_every_file_as_it_is() {
    let repository = repository();
    let head = repository.git(&["rev-parse", "HEAD"]);
    repository.write("a", "staged");
    repository.git(&["add", "a"]);
    repository.write("a", "and more");
    repository.write("new", "1");
    let before = repository.dirty();
    let index = fs::read(repository.path("r/.git/index")).unwrap();
    start_branch(
        &permits::to_start_branch("planwright/add-search"),
        &repository.workspace(),
        "planwright/add-search",
    )
    .unwrap();
    assert_eq!(repository.dirty(), before);
    assert_eq!(fs::read(repository.path("r/.git/index")).unwrap(), index);
    assert_eq!(repository.git(&["show", ":a"]), "staged");
    assert_eq!(
        fs::read_to_string(repository.path("r/a")).unwrap(),
        "and more"
    );
    let after = repository.state();
    assert_eq!(after.branch.as_deref(), Some("planwright/add-search"));
    assert_eq!(after.head, Some(head));
    let configuration = repository.git(&["config", "--local", "--list"]);
    assert!(!configuration.contains("branch."), "{configuration}");
}

#[test]
fn names_that_are_taken_or_none_are_refused_and_say_so() {
    let repository = repository();
    let workspace = repository.workspace();
    for name in [
        "", "-b", "--orphan", "a b", "a..b", "HEAD", "@{-1}", "x.lock", "/x", "a\nb", "a\u{7}",
    ] {
        let refused = start_branch(&permits::to_start_branch(name), &workspace, name).unwrap_err();
        assert!(
            matches!(refused, ToolError::Argument { .. }),
            "{name:?}: {refused}"
        );
        assert!(
            refused.to_string().contains("invalid branch name"),
            "{refused}"
        );
    }
    let taken = start_branch(&permits::to_start_branch("main"), &workspace, "main").unwrap_err();
    assert!(
        taken.to_string().contains("branch `main` already exists"),
        "{taken}"
    );
    // A branch can't be created below the name of an existing branch.
    let refused =
        start_branch(&permits::to_start_branch("main/x"), &workspace, "main/x").unwrap_err();
    assert!(refused.to_string().contains("refs/heads/main"), "{refused}");
    assert_eq!(repository.state().branch.as_deref(), Some("main"));
}

#[test]
fn in_the_middle_of_a_merge_no_branch_is_started() {
    let repository = repository();
    repository.git(&["switch", "-q", "-c", "other"]);
    repository.write("a", "other");
    repository.git(&["commit", "-q", "-a", "-m", "two"]);
    repository.git(&["switch", "-q", "main"]);
    repository.write("a", "mine");
    repository.git(&["commit", "-q", "-a", "-m", "three"]);
    let merge = Command::new("git")
        .current_dir(repository.path("r"))
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "merge",
            "-q",
            "other",
        ])
        .output()
        .unwrap();
    assert!(!merge.status.success());
    assert_eq!(repository.dirty(), named(&[("a", DirtyStatus::Conflicted)]));
    let refused =
        start_branch(&permits::to_start_branch("x"), &repository.workspace(), "x").unwrap_err();
    assert!(refused.to_string().contains("merging"), "{refused}");
    assert_eq!(repository.state().branch.as_deref(), Some("main"));
}

/// Every program that a repository can configure leaves a mark. Plain Git, called last, leaves
/// marks, which proves that the setup works.
#[test]
fn no_program_that_the_repository_names_is_run() {
    let repository = repository();
    let mark = repository.path("mark");
    let program = repository.path("program");
    let script = format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat\n", mark.display());
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let program = program.to_str().unwrap();
    for hook in [
        "post-checkout",
        "post-index-change",
        "reference-transaction",
        "pre-commit",
    ] {
        let hook = repository.path("r/.git/hooks").join(hook);
        fs::create_dir_all(hook.parent().unwrap()).unwrap();
        fs::copy(program, hook).unwrap();
    }
    repository.write(".gitattributes", "a filter=plain\nsub/b filter=a=b.c\n");
    let (plain, odd) = (format!("{program} plain"), format!("{program} odd"));
    let named = [
        ("filter.plain.clean", &*plain),
        ("filter.plain.required", "true"),
        ("filter.a=b.c.clean", &*odd),
        ("core.fsmonitor", program),
        ("core.pager", program),
        ("core.sshCommand", program),
        ("diff.external", program),
        ("core.alternateRefsCommand", program),
    ];
    let config = repository.path("r/.git/config");
    for (key, value) in named {
        git_in(
            repository.folder.path(),
            &["config", "--file", config.to_str().unwrap(), key, value],
        );
    }
    // The size stays the same, so only the content shows the change.
    repository.write("a", "2");
    repository.write("sub/b", "2");
    let seen = repository.dirty();
    assert!(
        seen.contains(&("a".to_owned(), DirtyStatus::Modified)),
        "{seen:?}"
    );
    start_branch(
        &permits::to_start_branch("quiet"),
        &repository.workspace(),
        "quiet",
    )
    .unwrap();
    assert_eq!(repository.state().branch.as_deref(), Some("quiet"));
    assert_eq!(fs::read_to_string(&mark).unwrap_or_default(), "");
    // Git without these precautions runs the programs.
    let plain = Command::new("git")
        .current_dir(repository.path("r"))
        .arg("status")
        .output()
        .unwrap();
    drop(plain);
    let told = fs::read_to_string(&mark).unwrap_or_default();
    for mark in ["program plain", "program odd", "post-index-change"] {
        assert!(told.contains(mark), "{mark} would leave no mark: {told}");
    }
}

#[test]
fn git_writes_nothing_when_it_is_only_asked() {
    let repository = repository();
    // Rewriting a file without changing it would make plain Git refresh its index.
    repository.write("a", "1");
    let index = repository.path("r/.git/index");
    let before = (
        fs::read(&index).unwrap(),
        fs::metadata(&index).unwrap().modified().unwrap(),
    );
    assert_eq!(repository.dirty(), []);
    let after = (
        fs::read(&index).unwrap(),
        fs::metadata(&index).unwrap().modified().unwrap(),
    );
    assert_eq!(after, before);
}

#[test]
fn what_changed_since_a_commit_is_told_of_the_files_asked_for() {
    let repository = repository();
    let first = repository.git(&["rev-parse", "HEAD"]);
    let changed = |commit: &str, paths: &[&str]| {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        changed_since(&repository.workspace(), commit, &paths).unwrap()
    };
    let all = ["a", "sub/b", "new", "*"];
    assert_eq!(changed(&first[..7], &all), Some(Vec::new()));
    repository.write("a", "2");
    repository.git(&["commit", "-q", "-a", "-m", "two"]);
    repository.write("sub/b", "2");
    repository.write("new", "1");
    let found = Some(vec!["a".to_owned(), "sub/b".to_owned()]);
    assert_eq!(changed(&first, &all), found);
    assert_eq!(changed(&first, &["sub/b"]), Some(vec!["sub/b".to_owned()]));
    // A file whose old content was restored isn't reported as changed.
    repository.write("a", "1");
    assert_eq!(changed(&first, &["a"]), Some(Vec::new()));
    fs::remove_file(repository.path("r/a")).unwrap();
    assert_eq!(changed(&first, &["a"]), Some(Vec::new()));
    // Only hashes are accepted as commits.
    for commit in ["HEAD", "main", "--output=x", "00000000", "", "abc"] {
        assert_eq!(changed(commit, &all), None, "{commit}");
    }
    assert!(!repository.path("r/x").exists());
}

#[test]
fn without_a_repository_nothing_is_known_to_have_changed() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Workspace::open(folder.path()).unwrap();
    let found = changed_since(&workspace, "abcdef0", &["a".to_owned()]).unwrap();
    assert_eq!(found, None);
}

#[test]
fn the_log_says_what_commits_changed_in_the_workspace_alone() {
    let repository = repository();
    repository.write("sub/b", "2");
    repository.git(&["commit", "-q", "-a", "-m", "fix: two\n\nand why"]);
    repository.git(&["switch", "-q", "-c", "other"]);
    repository.write("a", "3");
    repository.git(&["commit", "-q", "-a", "-m", "elsewhere"]);
    repository.git(&["switch", "-q", "main"]);
    let logged = |subject: &str, files: &[&str]| Logged {
        subject: subject.to_owned(),
        files: files.iter().map(|file| (*file).to_owned()).collect(),
    };
    let whole = Workspace::open(&repository.path("r")).unwrap();
    let at = head(&whole).unwrap().unwrap();
    let two = logged("fix: two", &["sub/b"]);
    assert_eq!(
        log(&whole, &at, 9).unwrap(),
        [two.clone(), logged("one", &["a", "sub/b"])]
    );
    assert_eq!(log(&whole, &at, 1).unwrap(), [two]);
    assert_eq!(log(&whole, "--all", 9).unwrap(), []);
    let below = Workspace::open(&repository.path("r/sub")).unwrap();
    assert_eq!(
        log(&below, &at, 9).unwrap(),
        [logged("fix: two", &["b"]), logged("one", &["b"])]
    );

    let none = tempfile::tempdir().unwrap();
    assert_eq!(head(&Workspace::open(none.path()).unwrap()).unwrap(), None);
    let begun = empty();
    assert_eq!(
        head(&Workspace::open(&begun.path("r")).unwrap()).unwrap(),
        None
    );
}
