//! Selects commits of a repository, by a rule that depends only on the commits, and checks out
//! their trees.
//!
//! Uses the installed Git. The repository itself is not changed: trees are checked out in a clone
//! that shares its objects.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Number of commits per repository.
const DRAWN: usize = 35;
/// Number of newest suitable commits from which the sample is taken at equal intervals.
const FITTING: usize = 1_050;
/// Minimum number of words in a suitable commit's subject.
const MIN_WORDS: usize = 3;
/// Maximum number of files that a suitable commit changes.
const MAX_FILES: usize = 8;
/// Marks the start of a commit in the log; occurs nowhere else in it.
const MARK: &str = "\u{1}";

/// A commit used as a goal.
#[derive(Debug)]
pub(crate) struct Commit {
    /// The hash of its first parent.
    pub(crate) parent: String,
    /// The first line of its message.
    pub(crate) subject: String,
    /// The files that it changed but did not add.
    pub(crate) files: Vec<String>,
}

/// The git repositories in a folder, sorted: `NAME` or `NAME/repo`, bare or not.
pub(crate) fn below(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let places = [path.join(".git"), path.clone(), path.join("repo")];
        found.extend(
            places
                .into_iter()
                .find(|place| place.join("HEAD").is_file()),
        );
    }
    found.sort();
    Ok(found)
}

/// A short name for a repository.
pub(crate) fn name_of(repository: &Path) -> String {
    let is_plain = |part: &&OsStr| *part != "repo" && *part != ".git";
    let parts = repository.iter().filter(is_plain);
    parts
        .last()
        .map(|part| part.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// A clone in which commits are checked out one after another.
pub(crate) struct Clone {
    tree: PathBuf,
}

impl Clone {
    pub(crate) fn of(repository: &Path, tree: PathBuf) -> Result<Self, Box<dyn Error>> {
        let options =
            ["clone", "--quiet", "--shared", "--no-checkout", "--no-tags"].map(OsStr::new);
        git(
            Path::new("/"),
            options
                .into_iter()
                .chain([repository.as_os_str(), tree.as_os_str()]),
        )?;
        Ok(Self { tree })
    }

    pub(crate) fn tree(&self) -> &Path {
        &self.tree
    }

    /// Checks out a commit as a detached `HEAD`.
    pub(crate) fn check_out(&self, commit: &str) -> Result<(), Box<dyn Error>> {
        self.leave_out(commit)?;
        let words = ["checkout", "--quiet", "--force", "--detach", commit];
        git(&self.tree, words.map(OsStr::new)).map(|_| ())
    }

    /// Excludes files whose objects are missing from the repository, since a copy may have been
    /// made without large files.
    fn leave_out(&self, commit: &str) -> Result<(), Box<dyn Error>> {
        let listing = git(&self.tree, ["ls-tree", "-r", commit].map(OsStr::new))?;
        let mut hashes = String::new();
        let mut paths: HashMap<&str, Vec<&str>> = HashMap::new();
        for (about, path) in listing.lines().filter_map(|line| line.split_once('\t')) {
            if let Some(hash) = about.split(' ').nth(2).filter(|_| about.contains(" blob ")) {
                hashes.push_str(hash);
                hashes.push('\n');
                paths.entry(hash).or_default().push(path);
            }
        }
        let list = self.tree.with_extension("hashes");
        std::fs::write(&list, hashes)?;
        let asked = ["cat-file", "--batch-check"].map(OsStr::new);
        let known = git_with(&self.tree, asked, Stdio::from(File::open(&list)?))?;
        let lacking = known
            .lines()
            .filter_map(|line| line.strip_suffix(" missing"));
        let mut rules = "/*\n".to_owned();
        for path in lacking.filter_map(|hash| paths.get(hash)).flatten() {
            rules.push_str(&format!("!/{path}\n"));
        }
        git(
            &self.tree,
            ["config", "core.sparseCheckout", "true"].map(OsStr::new),
        )?;
        std::fs::create_dir_all(self.tree.join(".git/info"))?;
        std::fs::write(self.tree.join(".git/info/sparse-checkout"), rules)?;
        Ok(())
    }

    /// Moves the `.git` folder out of the tree until the returned value is dropped.
    pub(crate) fn hide_log(&self) -> Result<Hidden, Box<dyn Error>> {
        let (here, away) = (self.tree.join(".git"), self.tree.with_extension("git"));
        std::fs::rename(&here, &away)?;
        Ok(Hidden { here, away })
    }

    /// The selected commits, oldest first.
    pub(crate) fn sample(&self) -> Result<Vec<Commit>, Box<dyn Error>> {
        let format = format!("--format={MARK}%P%n%s");
        let words = [
            "log",
            "--no-merges",
            "--name-status",
            "--no-renames",
            "-n",
            "6000",
            &format,
        ];
        let log = git(&self.tree, words.map(OsStr::new))?;
        let mut fitting: Vec<Commit> = log.split(MARK).filter_map(read).collect();
        fitting.reverse();
        // Skips repeated subjects, because a goal is too easy if an earlier commit has the same
        // subject.
        let mut subjects = HashSet::new();
        fitting.retain(|commit| subjects.insert(commit.subject.to_lowercase()));
        fitting.drain(..fitting.len().saturating_sub(FITTING));
        let step = (fitting.len() / DRAWN).max(1);
        Ok(fitting.into_iter().step_by(step).take(DRAWN).collect())
    }
}

/// Restores the repository on drop.
pub(crate) struct Hidden {
    here: PathBuf,
    away: PathBuf,
}

impl Drop for Hidden {
    fn drop(&mut self) {
        // An error is ignored here: checking out the next commit would then fail.
        let _ = std::fs::rename(&self.away, &self.here);
    }
}

/// Parses a commit from the log, if it is suitable.
fn read(entry: &str) -> Option<Commit> {
    let mut lines = entry.lines();
    let (parent, subject) = (lines.next()?, lines.next()?);
    let changes: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once('\t')).collect();
    let files: Vec<String> = changes
        .iter()
        .filter(|(status, _)| *status != "A")
        .map(|(_, file)| (*file).to_owned())
        .collect();
    let is_work = |file: &String| !planning::text::is_test(file) && !is_news(file);
    let fits = parent.len() == 40
        && subject.split_whitespace().count() >= MIN_WORDS
        && !is_release(subject)
        && (1..=MAX_FILES).contains(&changes.len())
        && files.iter().any(is_work);
    fits.then(|| Commit {
        parent: parent.to_owned(),
        subject: subject.to_owned(),
        files,
    })
}

/// Whether a file is a changelog.
fn is_news(file: &str) -> bool {
    let lower = file.to_lowercase();
    [
        "changelog",
        "changes.",
        "releasenotes",
        "release-notes",
        "00-release",
        "news.",
    ]
    .into_iter()
    .any(|part| lower.contains(part))
}

/// Whether a subject describes no work of its own: a release, a dependency update, a merge or a
/// revert.
fn is_release(subject: &str) -> bool {
    let lower = subject.to_lowercase();
    let begins = [
        "release",
        "bump",
        "merge",
        "revert",
        "prepare",
        "upgrade to ",
        "update dependency",
        "start building against",
        "next development version",
    ];
    let bare = lower.split_once(": ").map_or(&*lower, |(_, rest)| rest);
    begins
        .into_iter()
        .any(|word| lower.starts_with(word) || bare.starts_with(word))
        || lower.contains("(deps")
        || lower.contains("prepare for release")
        || lower.contains("releasing ")
}

fn git<'a>(
    folder: &Path,
    words: impl IntoIterator<Item = &'a OsStr>,
) -> Result<String, Box<dyn Error>> {
    git_with(folder, words, Stdio::null())
}

fn git_with<'a>(
    folder: &Path,
    words: impl IntoIterator<Item = &'a OsStr>,
    input: Stdio,
) -> Result<String, Box<dyn Error>> {
    let output = Command::new("git")
        .args([
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "core.quotePath=false",
            "-c",
            "safe.directory=*",
        ])
        .args([
            "-c",
            "advice.detachedHead=false",
            "-c",
            "core.attributesFile=/dev/null",
        ])
        .args(words)
        .env("GIT_LFS_SKIP_SMUDGE", "1")
        .current_dir(folder)
        .stdin(input)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
