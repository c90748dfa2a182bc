//! Finds the plans in a workspace.
//!
//! In known places every Markdown file is a plan: the plan folder, the folders named in the
//! settings, and where other tools keep theirs (`KNOWN`). These folders are searched even if an
//! ignore rule hides them: whoever names a folder wants to see it. Elsewhere, a Markdown file is a
//! plan if [`is_plan`] recognizes its content, and ignored files, hidden folders, dependencies,
//! build results and `.planwright` are left out.
//!
//! Links are not followed, names that are not UTF-8 are left out, the number of entries looked at
//! is limited, and only regular files are opened.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::Path;

use rustix::fs::{FileType, Stat};

use crate::error::ToolError;
use crate::walk::{Entry, Step, walk};
use crate::workspace::Workspace;

use super::ends_with;

mod content;
pub use content::is_plan;

/// Folders where other tools keep plans, each with the only file name that counts there, if any.
const KNOWN: [(&str, Option<&str>); 5] = [
    (".kiro/specs", Some("tasks.md")),
    (".cursor/plans", None),
    (".claude/plans", None),
    ("openspec/changes", Some("tasks.md")),
    ("specs", Some("tasks.md")),
];

/// The parameters of a search for plans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanSearch<'a> {
    /// The path of the plan folder in the workspace.
    pub folder: &'a str,
    /// The only other folders to search; `None` searches everywhere.
    pub others: Option<&'a [String]>,
    /// Maximum number of files and folders to look at.
    pub limit: usize,
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanFiles {
    /// Plans and possible plans. Those in the plan folder come first, then sorted by path.
    pub files: Vec<FoundPlan>,
    /// Whether the search is incomplete.
    pub is_cut: bool,
}

/// A Markdown file that is a plan or may be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPlan {
    /// The file's path, relative to the workspace, with `/`.
    pub path: String,
    /// Whether it is in the plan folder.
    pub is_in_folder: bool,
    /// Whether its location makes it a plan; otherwise [`is_plan`] decides.
    pub is_certain: bool,
    /// The file's metadata, for detecting changes.
    pub stamp: Stamp,
}

/// Metadata of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Its length in bytes.
    pub len: u64,
    /// Device and inode.
    pub id: (u64, u64),
    /// The time its content was last changed: seconds and nanoseconds since 1970.
    pub modified: (i64, i64),
    /// The time anything about it was last changed: seconds and nanoseconds since 1970.
    pub changed: (i64, i64),
}

impl Stamp {
    fn of(stat: &Stat) -> Self {
        #[allow(
            clippy::useless_conversion,
            clippy::unnecessary_fallible_conversions,
            reason = "the types differ between systems"
        )]
        let nanos = |nanos| i64::try_from(nanos).unwrap_or_default();
        Self {
            len: u64::try_from(stat.st_size).unwrap_or_default(),
            id: (stat.st_dev, stat.st_ino),
            modified: (stat.st_mtime, nanos(stat.st_mtime_nsec)),
            changed: (stat.st_ctime, nanos(stat.st_ctime_nsec)),
        }
    }
}

/// Plans, and Markdown files that may be plans.
///
/// # Errors
/// If the workspace can't be read; unreadable folders in it are left out.
pub fn plan_files(workspace: &Workspace, search: &PlanSearch<'_>) -> Result<PlanFiles, ToolError> {
    let mut found = PlanFiles::default();
    let mut left = search.limit;
    let mut starts: Vec<(&str, Option<&str>)> = vec![(search.folder, None)];
    match search.others {
        Some(others) => starts.extend(others.iter().map(|folder| (folder.as_str(), None))),
        None => starts.extend(KNOWN),
    }
    let mut seen = HashSet::new();
    in_places(workspace, &starts, &mut left, &mut found, &mut seen)?;
    if search.others.is_none() {
        let step = |entry: &Entry<'_>, found: &mut PlanFiles| {
            if is_folder(entry) && !is_of_interest(entry) {
                return Step::Over;
            }
            if let Some(path) = markdown(entry)
                && !seen.contains(path)
            {
                found.files.push(FoundPlan {
                    path: path.to_owned(),
                    is_in_folder: false,
                    is_certain: false,
                    stamp: Stamp::of(&entry.stat),
                });
            }
            Step::On
        };
        gather(workspace, "", &mut left, &mut found, step)?;
    }
    found.files.sort_by(|one, other| {
        (!one.is_in_folder, &one.path).cmp(&(!other.is_in_folder, &other.path))
    });
    Ok(found)
}

/// The paths of plans in the plan folder, in the folders named in the settings, and in those of
/// other tools. Other places are not searched.
///
/// # Errors
/// Same as [`plan_files`].
pub fn known_plans(
    workspace: &Workspace,
    folder: &str,
    others: &[String],
) -> Result<Vec<String>, ToolError> {
    /// Maximum number of files and folders to look at.
    const MAX_ENTRIES: usize = 20_000;
    let mut starts: Vec<(&str, Option<&str>)> = vec![(folder, None)];
    starts.extend(others.iter().map(|folder| (folder.as_str(), None)));
    starts.extend(KNOWN);
    let (mut found, mut left) = (PlanFiles::default(), MAX_ENTRIES);
    in_places(
        workspace,
        &starts,
        &mut left,
        &mut found,
        &mut HashSet::new(),
    )?;
    Ok(found.files.into_iter().map(|plan| plan.path).collect())
}

/// Adds the Markdown files of some folders; if a file name is given for a folder, only files with
/// that name.
fn in_places(
    workspace: &Workspace,
    starts: &[(&str, Option<&str>)],
    left: &mut usize,
    found: &mut PlanFiles,
    seen: &mut HashSet<String>,
) -> Result<(), ToolError> {
    for (at, (start, name)) in starts.iter().enumerate() {
        let step = |entry: &Entry<'_>, found: &mut PlanFiles| {
            if let Some(path) = markdown(entry)
                && name.is_none_or(|name| entry.name == OsStr::new(name))
                && seen.insert(path.to_owned())
            {
                found.files.push(FoundPlan {
                    path: path.to_owned(),
                    is_in_folder: at == 0,
                    is_certain: true,
                    stamp: Stamp::of(&entry.stat),
                });
            }
            Step::On
        };
        gather(workspace, start, left, found, step)?;
    }
    Ok(())
}

/// Walks below `start` until `left` entries are used up. Does nothing if `start` is missing or not
/// a folder.
fn gather(
    workspace: &Workspace,
    start: &str,
    left: &mut usize,
    found: &mut PlanFiles,
    mut step: impl FnMut(&Entry<'_>, &mut PlanFiles) -> Step,
) -> Result<(), ToolError> {
    let walked = walk(workspace, start, &mut |entry| {
        if entry.ignored || entry.name == OsStr::new(".planwright") {
            return Ok(Step::Over);
        }
        if *left == 0 {
            found.is_cut = true;
            return Ok(Step::Stop);
        }
        *left -= 1;
        Ok(step(entry, found))
    });
    match walked {
        Ok(_) => Ok(()),
        Err(error @ (ToolError::WorkspaceGone { .. } | ToolError::WorkspaceMissing { .. })) => {
            Err(error)
        }
        Err(error) if start.is_empty() => Err(error),
        Err(error) => {
            tracing::debug!(%error, start, "skipped a folder while looking for plans");
            Ok(())
        }
    }
}

fn is_folder(entry: &Entry<'_>) -> bool {
    entry.kind() == FileType::Directory
}

/// The path of an entry if it is a regular Markdown file.
fn markdown<'e>(entry: &'e Entry<'_>) -> Option<&'e str> {
    let path = entry.path.to_str()?;
    let is_markdown = ends_with(path, ".md") || ends_with(path, ".markdown");
    (entry.kind() == FileType::RegularFile && is_markdown).then_some(path)
}

/// Whether a folder may contain someone's own work.
fn is_of_interest(entry: &Entry<'_>) -> bool {
    let name = entry.name.to_str().unwrap_or_default();
    let holds = |file: &str| {
        entry
            .dir
            .symlink_metadata(Path::new(entry.name).join(file))
            .is_ok()
    };
    match name {
        name if name.starts_with('.') => false,
        "node_modules" | "bower_components" | "__pycache__" | "site-packages" => false,
        "venv" | "env" => !holds("pyvenv.cfg"),
        "target" => !holds("CACHEDIR.TAG"),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic fails the test")]

    use super::*;

    const TASKS: &str = "- [ ] one\n- [x] two\n";

    fn workspace(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let workspace = Workspace::open(folder.path()).unwrap();
        (folder, workspace)
    }

    fn found(workspace: &Workspace, others: Option<&[String]>) -> Vec<String> {
        let search = PlanSearch {
            folder: "plans",
            others,
            limit: 1_000,
        };
        let found = plan_files(workspace, &search).unwrap();
        let plans = found.files.into_iter();
        plans
            .filter(|plan| plan.is_certain || is_plan(workspace, &plan.path))
            .map(|plan| plan.path)
            .collect()
    }

    #[test]
    fn plans_are_found_wherever_they_are() {
        let (_folder, workspace) = workspace(&[
            ("plans/prose.md", "no tasks yet"),
            ("docs/deep/todo.MD", TASKS),
            ("docs/one.md", "- [ ] one\n"),
            ("docs/code.md", "```\n- [ ] one\n- [ ] two\n```\n"),
            ("docs/native.md", "---\nplanwright: 1\n---\n"),
            ("README.md", TASKS),
            ("CHANGELOG.md", TASKS),
            (".kiro/specs/a/tasks.md", ""),
            (".kiro/specs/a/design.md", TASKS),
            (".cursor/plans/b.md", ""),
            (".claude/plans/c.md", ""),
            (".github/ISSUE_TEMPLATE/bug.md", TASKS),
            ("openspec/changes/add-x/tasks.md", ""),
            ("openspec/changes/add-x/proposal.md", "why"),
            ("specs/001-x/tasks.md", ""),
            ("node_modules/p/todo.md", TASKS),
            (".planwright/templates/t.md", TASKS),
            ("ignored/todo.md", TASKS),
            (".gitignore", "ignored\n.claude\n"),
        ]);
        let expected = [
            "plans/prose.md",
            ".claude/plans/c.md",
            ".cursor/plans/b.md",
            ".kiro/specs/a/tasks.md",
            "docs/deep/todo.MD",
            "docs/native.md",
            "openspec/changes/add-x/tasks.md",
            "specs/001-x/tasks.md",
        ];
        assert_eq!(found(&workspace, None), expected);
        let others = ["docs/deep".to_owned(), "nowhere".to_owned()];
        assert_eq!(
            found(&workspace, Some(&others)),
            ["plans/prose.md", "docs/deep/todo.MD"]
        );
    }

    #[test]
    fn odd_things_on_the_disk_do_no_harm() {
        let (folder, workspace) = workspace(&[("plans/a.md", TASKS), ("x.md/inner.md", TASKS)]);
        let path = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink(folder.path(), path("loop")).unwrap();
        std::os::unix::fs::symlink("plans/a.md", path("link.md")).unwrap();
        std::os::unix::fs::symlink("plans", path("specs")).unwrap();
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, path("pipe.md"), FileType::Fifo, mode, 0).unwrap();
        let large = std::fs::File::create(path("large.md")).unwrap();
        large.set_len(50 << 20).unwrap();
        std::fs::write(path("odd.md"), b"- [ ] a\xff\n- [ ] b\n").unwrap();
        assert_eq!(
            found(&workspace, None),
            ["plans/a.md", "odd.md", "x.md/inner.md"]
        );
        let search = PlanSearch {
            folder: "plans",
            others: None,
            limit: 2,
        };
        assert!(plan_files(&workspace, &search).unwrap().is_cut);
    }
}
