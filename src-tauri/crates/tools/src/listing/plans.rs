//! Where plans are in a workspace.
//!
//! Every Markdown file of a known place is one: the plan folder, the folders that the settings name,
//! and where other tools keep theirs (`KNOWN`). Those places are looked at even where an ignore rule
//! hides the folder itself; who names a folder wants to see it. Elsewhere a Markdown file is a plan
//! when [`is_plan`] says so of its content: it calls itself one, or has [`LEAST_TASKS`] task items,
//! or [`LEAST_TASKS_OF_PROSE`] where its name says that it is for reading (`README.md`). Git's ignored
//! files, hidden folders, dependencies, build results and `.planwright` are left out there.
//!
//! Links are not followed, names that are not UTF-8 are left out, and no more is looked at than asked
//! for; what is no regular file is never opened.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::Path;

use rustix::fs::{FileType, Stat};

use crate::documents;
use crate::error::ToolError;
use crate::walk::{Entry, Step, walk};
use crate::workspace::Workspace;

use super::ends_with;

/// Task items that make a Markdown file a plan.
const LEAST_TASKS: usize = 2;

/// The same for files that are for reading first.
const LEAST_TASKS_OF_PROSE: usize = 10;

/// The largest file that is read to see whether it is a plan, in bytes.
const LARGEST_READ: u64 = 4 << 20;

/// Where other tools keep plans: a folder, and the only name that counts there, if one does.
const KNOWN: [(&str, Option<&str>); 5] = [
    (".kiro/specs", Some("tasks.md")),
    (".cursor/plans", None),
    (".claude/plans", None),
    ("openspec/changes", Some("tasks.md")),
    ("specs", Some("tasks.md")),
];

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanSearch<'a> {
    /// The plan folder, by workspace path.
    pub folder: &'a str,
    /// Where to look besides, and nowhere else; `None`: everywhere.
    pub others: Option<&'a [String]>,
    /// The most files and folders that are looked at.
    pub limit: usize,
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanFiles {
    /// Plans, and Markdown files that may be some. Those of the plan folder first, then by path.
    pub files: Vec<FoundPlan>,
    /// Whether there is more than was looked at.
    pub is_cut: bool,
}

/// A Markdown file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPlan {
    /// Relative to the workspace, with `/`.
    pub path: String,
    /// Whether it lies in the plan folder.
    pub is_in_folder: bool,
    /// Whether it is a plan because of where it lies; otherwise [`is_plan`] says whether it is one.
    pub is_certain: bool,
    /// How it looks from outside, to see whether it changed.
    pub stamp: Stamp,
}

/// How a file looks from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Its length in bytes.
    pub len: u64,
    /// Device and inode.
    pub id: (u64, u64),
    /// When its content was changed: seconds and nanoseconds since 1970.
    pub modified: (i64, i64),
    /// When anything of it was changed, likewise.
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

/// Plans, and Markdown files that may be some.
///
/// # Errors
/// What the disk says of the workspace; a folder in it that cannot be read is left out.
pub fn plan_files(workspace: &Workspace, search: &PlanSearch<'_>) -> Result<PlanFiles, ToolError> {
    let mut found = PlanFiles::default();
    let mut left = search.limit;
    let mut starts: Vec<(&str, Option<&str>)> = vec![(search.folder, None)];
    match search.others {
        Some(others) => starts.extend(others.iter().map(|folder| (folder.as_str(), None))),
        None => starts.extend(KNOWN),
    }
    let mut seen = HashSet::new();
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
        gather(workspace, start, &mut left, &mut found, step)?;
    }
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

/// Walks below `start` while `left` lasts; a start that is not there, or is no folder, holds nothing.
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
            tracing::debug!(%error, start, "no plans are looked for there");
            Ok(())
        }
    }
}

fn is_folder(entry: &Entry<'_>) -> bool {
    entry.kind() == FileType::Directory
}

/// The path of a regular file whose name ends as Markdown does.
fn markdown<'e>(entry: &'e Entry<'_>) -> Option<&'e str> {
    let path = entry.path.to_str()?;
    let is_markdown = ends_with(path, ".md") || ends_with(path, ".markdown");
    (entry.kind() == FileType::RegularFile && is_markdown).then_some(path)
}

/// Whether a folder may hold somebody's own work.
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

/// Whether a Markdown file is a plan by its content. A file that cannot be read, or is larger than
/// 4 MiB, is none.
pub fn is_plan(workspace: &Workspace, path: &str) -> bool {
    let Ok(bytes) = documents::read(workspace, path, LARGEST_READ) else {
        return false;
    };
    let least = match is_prose(path) {
        true => LEAST_TASKS_OF_PROSE,
        false => LEAST_TASKS,
    };
    calls_itself_a_plan(&bytes) || task_items(&bytes, least) == least
}

/// Names of files that are read first of all, and may hold a few boxes.
fn is_prose(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    matches!(
        stem.as_str(),
        "readme"
            | "changelog"
            | "changes"
            | "history"
            | "news"
            | "releases"
            | "release_notes"
            | "contributing"
            | "code_of_conduct"
            | "security"
            | "support"
            | "license"
            | "agents"
            | "claude"
            | "gemini"
            | "pull_request_template"
            | "issue_template"
    )
}

fn calls_itself_a_plan(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines
        .next()
        .is_some_and(|first| first.trim_ascii_end() == b"---")
        && lines
            .take(100)
            .take_while(|line| line.trim_ascii_end() != b"---")
            .any(|line| line.starts_with(b"planwright:"))
}

/// How many task items there are outside of code fences, counted up to `most`. A hint: the reader of
/// plans knows better.
fn task_items(bytes: &[u8], most: usize) -> usize {
    let mut fence: Option<(u8, usize)> = None;
    let mut items = 0;
    for line in bytes.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let line = line.trim_ascii_start();
        let run = |byte: u8| line.iter().take_while(|other| **other == byte).count();
        let marks = [(b'`', run(b'`')), (b'~', run(b'~'))];
        let opened = marks.into_iter().find(|(_, long)| *long >= 3);
        match (fence, opened) {
            (None, Some(opened)) => fence = Some(opened),
            (Some((byte, long)), Some((other, closing))) if byte == other && closing >= long => {
                fence = None;
            }
            (None, None) if is_task_item(line) => items += 1,
            _ => {}
        }
        if items == most {
            break;
        }
    }
    items
}

/// `- [ ] words`, with any bullet or number, and whatever stands in the box.
fn is_task_item(line: &[u8]) -> bool {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = match (digits, line.get(digits)) {
        (0, Some(b'-' | b'*' | b'+')) => &line[1..],
        (1..=9, Some(b'.' | b')')) => &line[digits + 1..],
        _ => return false,
    };
    let Some(inside) = rest.trim_ascii_start().strip_prefix(b"[") else {
        return false;
    };
    let Some(close) = inside.iter().take(8).position(|byte| *byte == b']') else {
        return false;
    };
    let marker = inside[..close].trim_ascii();
    let is_marker = std::str::from_utf8(marker).is_ok_and(|marker| marker.chars().count() <= 1);
    // `[x](…)` is a link.
    is_marker
        && rest.first().is_some_and(u8::is_ascii_whitespace)
        && inside.get(close + 1) != Some(&b'(')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

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

    #[test]
    fn boxes_of_every_shape_are_task_items_and_links_are_not() {
        let items = [
            "- [ ] a",
            "* [x] a",
            "+ [] a",
            "12. [X] a",
            "3) [-] a",
            "- [  ] a",
            "- [ ]* 1.2 a",
            "-\t[✓] a",
        ];
        for item in items {
            assert!(is_task_item(item.as_bytes()), "{item}");
        }
        let others = [
            "[ ] a",
            "-[ ] a",
            "- [x](a)",
            "- [link] a",
            "a - [ ] b",
            "1 [ ] a",
            "- []",
            "",
            "-",
        ];
        let count = others
            .iter()
            .filter(|item| is_task_item(item.as_bytes()))
            .count();
        assert_eq!(count, 1, "`- []` alone");
    }
}
