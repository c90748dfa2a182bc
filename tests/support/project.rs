//! A temporary workspace folder for one test.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::Snapshot;

/// A folder to which files are added one by one.
#[derive(Debug)]
pub struct Project {
    /// Removes the folder on drop.
    _folder: TempDir,
    root: PathBuf,
}

impl AsRef<Path> for Project {
    fn as_ref(&self) -> &Path {
        self.path()
    }
}

impl Default for Project {
    fn default() -> Self {
        Self::new()
    }
}

impl Project {
    /// Creates an empty folder.
    pub fn new() -> Self {
        Self::within("")
    }

    /// Creates an empty folder with this name, for tests in which the name is shown.
    pub fn named(name: &str) -> Self {
        Self::within(name)
    }

    fn within(name: &str) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("planwright-project-")
            .tempdir();
        let folder = folder.expect("a temporary folder");
        let root = match name {
            "" => folder.path().to_owned(),
            name => folder.path().join(name),
        };
        std::fs::create_dir_all(&root).expect("a folder can be created");
        Self {
            _folder: folder,
            root,
        }
    }

    /// Adds a file and any missing parent folders.
    #[must_use]
    pub fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.write(path, content);
        self
    }

    /// Adds an executable file.
    #[must_use]
    pub fn program(self, path: &str, content: &str) -> Self {
        let full = self.write(path, content);
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(full, mode).expect("a mode can be set");
        self
    }

    /// Adds a symbolic link.
    #[must_use]
    pub fn link(self, path: &str, target: impl AsRef<Path>) -> Self {
        std::os::unix::fs::symlink(target, self.at(path)).expect("a link can be created");
        self
    }

    /// Makes it a Git repository with a single commit, using a test identity.
    #[must_use]
    pub fn git(self) -> Self {
        self.run_git(&["init", "--quiet", "--initial-branch=main"]);
        self.run_git(&["config", "user.name", "Somebody"]);
        self.run_git(&["config", "user.email", "somebody@example.org"]);
        self.run_git(&["config", "commit.gpgsign", "false"]);
        self.commit("Start");
        self
    }

    /// Commits all changes.
    pub fn commit(&self, message: &str) {
        self.run_git(&["add", "--all"]);
        self.run_git(&[
            "commit",
            "--quiet",
            "--allow-empty",
            "--no-verify",
            "--message",
            message,
        ]);
    }

    /// Runs Git in the folder, with a fixed time and without this machine's settings; returns its
    /// output.
    pub fn run_git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .current_dir(self.path())
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_DATE", "2024-01-02T03:04:05Z")
            .env("GIT_COMMITTER_DATE", "2024-01-02T03:04:05Z")
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .env_remove("GIT_INDEX_FILE")
            .output()
            .expect("git starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The full path of an entry.
    pub fn at(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    /// Writes a file and returns its full path.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let full = self.at(path);
        let folder = full.parent().expect("a file has a parent folder");
        std::fs::create_dir_all(folder).expect("a folder can be created");
        std::fs::write(&full, content).expect("a file can be written");
        full
    }

    /// The text of a file.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        match std::fs::read_to_string(self.at(path)) {
            Ok(text) => text,
            Err(error) => panic!("{path}: {error}"),
        }
    }

    /// Replaces text that must occur in a file, as a person would in an editor.
    #[track_caller]
    pub fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "`{from}` is not in {path}:\n{text}");
        self.write(path, text.replace(from, to));
    }

    /// A snapshot of everything except the contents of `.git`.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::of(self.path(), &[".git"])
    }

    /// A snapshot of everything, including the contents of `.git`.
    pub fn snapshot_with_git(&self) -> Snapshot {
        Snapshot::of(self.path(), &[])
    }

    /// Runs a program in the folder, such as the project's own check; returns whether it succeeded,
    /// and its output.
    pub fn run(&self, program: &str, arguments: &[&str]) -> (bool, String) {
        let output = Command::new(program)
            .current_dir(self.path())
            .args(arguments)
            // Builds in the project must write to the project's own folder.
            .env_remove("CARGO_TARGET_DIR")
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .output()
            .expect("the program starts");
        let text = [output.stdout, output.stderr].concat();
        (
            output.status.success(),
            String::from_utf8_lossy(&text).into_owned(),
        )
    }
}
