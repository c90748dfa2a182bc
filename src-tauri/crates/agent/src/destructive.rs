//! Which calls destroy something, and what: told from the call itself and from what stands in the
//! workspace.
//!
//! Pure. [`look_for`] says what has to be known of the workspace before a call can be judged, and
//! [`danger_of`] judges it. Counted is what somebody would miss: files deleted, emptied, cut short or
//! written over, work that no commit holds, history, data of databases, containers and clouds, packages,
//! rights of whole folders. Not counted is what cannot be lost: a dry run, a file that is not there,
//! output that is appended, what Git refuses by itself. What a script, a build tool or a program
//! that is not listed does is not known here; the sandbox and the undo of a step hold that.
//!
//! Submodules: `shell` reads lines, `programs` knows programs, `git` and `sql` their verbs.

mod git;
mod programs;
mod shell;
mod sql;

use std::collections::BTreeMap;

use plan::{CommandLine, Task, ToolCall, ToolName};
use serde::{Deserialize, Serialize};

use crate::permissions::{Match, Rule, Verdict};
use crate::question::PermissionRequest;
use crate::session::call::workspace_path;

/// Subjects that a danger names, at most; the rest is counted.
const MOST_SUBJECTS: usize = 60;

/// A write that takes less than this away is no loss worth a question, in bytes.
const LEAST_LOSS: u64 = 400;

/// What a call would destroy.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Danger {
    /// What it does, as the end of a sentence: "deletes files".
    pub what: String,
    /// To what, exactly; empty where the call says all of it.
    pub subjects: Vec<String>,
}

/// What has to be known of the workspace before a call can be judged. All of it is only looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// Paths below the workspace, and patterns of them.
    pub paths: Vec<String>,
    /// Whether it matters which files have changes that no commit holds.
    pub changed: bool,
    /// Whether it matters which files Git does not track.
    pub untracked: bool,
}

impl Look {
    /// Whether nothing has to be known.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && !self.changed && !self.untracked
    }
}

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Missing,
    /// A file of this size.
    File {
        /// In bytes.
        bytes: u64,
    },
    /// A folder with so many files below it.
    Folder {
        /// Files below it.
        files: u32,
    },
    /// A pattern: what it fits.
    Several(Vec<String>),
    /// It leads out of the workspace.
    Outside,
}

/// What was seen of the workspace. What is not in here is not known, and counts as there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// What stands at the paths that were asked about.
    pub found: BTreeMap<String, Found>,
    /// Files with changes that no commit holds.
    pub changed: Option<Vec<String>>,
    /// Files that Git does not track, those it ignores left out.
    pub untracked: Option<Vec<String>>,
}

/// One thing that a call would do.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Harm {
    what: &'static str,
    subjects: Vec<Subject>,
}

/// What it would do that to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Subject {
    /// What stands at a path, or what a pattern fits.
    Path(String),
    /// The same, where only a file with content is a loss.
    Over(String),
    /// The target itself, or the file of this name in it where it is a folder.
    Onto { target: String, name: String },
    /// The bytes of a file: so many go (`None`: all), so many come.
    Content {
        path: String,
        removed: Option<u64>,
        added: u64,
    },
    /// Changes that no commit holds, below these paths or everywhere.
    Changed { below: Vec<String> },
    /// Files that Git does not track, below these paths or everywhere.
    Untracked { below: Vec<String>, ignored: bool },
    /// Words that are shown as they are.
    Words(String),
}

impl Subject {
    /// As seen from the workspace, when the command stands in a folder of it; `None` is a folder that
    /// cannot be told.
    fn below(self, folder: Option<&str>) -> Self {
        let Some(folder) = folder else {
            return match self {
                Self::Path(path) => Self::Words(path),
                Self::Over(_) | Self::Onto { .. } => Self::Over(String::new()),
                Self::Changed { .. } => Self::Words("uncommitted changes".to_owned()),
                Self::Untracked { .. } => Self::Words("files that Git does not track".to_owned()),
                other => other,
            };
        };
        let joined = |path: String| joined(Some(folder), &path);
        match self {
            Self::Path(path) if is_literal(&path) => Self::Path(joined(path)),
            Self::Over(path) if is_literal(&path) => Self::Over(joined(path)),
            Self::Onto { target, name } if is_literal(&target) => Self::Onto {
                target: joined(target),
                name,
            },
            Self::Changed { below } => Self::Changed {
                below: below.into_iter().map(joined).collect(),
            },
            Self::Untracked { below, ignored } => Self::Untracked {
                below: match below.is_empty() {
                    true if folder.is_empty() => below,
                    true => vec![folder.to_owned()],
                    false => below.into_iter().map(joined).collect(),
                },
                ignored,
            },
            other => other,
        }
    }

    /// As the call writes it.
    fn written(&self) -> Option<&str> {
        match self {
            Self::Path(path) | Self::Over(path) | Self::Words(path) => Some(path),
            Self::Content { path, .. } => Some(path),
            Self::Onto { target, .. } => Some(target),
            Self::Changed { .. } | Self::Untracked { .. } => None,
        }
    }
}

/// Whether a word names what it says: no variable and no command is in it.
fn is_literal(word: &str) -> bool {
    !word.contains(['$', '`', '~'])
}

/// A path seen from the workspace, in a clean form.
fn joined(folder: Option<&str>, path: &str) -> String {
    if path.starts_with('/') || !is_literal(path) {
        return path.to_owned();
    }
    workspace_path(&format!(
        "{}/{path}",
        folder.filter(|folder| !folder.is_empty()).unwrap_or(".")
    ))
}

/// What a call may destroy, whatever stands in the workspace; and whether it is one command alone.
fn harms(call: &ToolCall) -> (Vec<Harm>, bool) {
    let path = joined(None, call.path().unwrap_or_default());
    let length = |name: &str| call.string(name).map_or(0, |text| text.len() as u64);
    let (what, subject) = match call.tool {
        ToolName::DeleteFile => ("deletes files", Subject::Path(path)),
        ToolName::WriteFile => (
            "throws away what a file holds",
            Subject::Content {
                path,
                removed: None,
                added: length("content"),
            },
        ),
        ToolName::EditFile => (
            "throws away what a file holds",
            Subject::Content {
                path,
                removed: Some(length("old_text")),
                added: length("new_text"),
            },
        ),
        ToolName::RunCommand => return harms_of_line(call.string("command").unwrap_or_default()),
        _ => return (Vec::new(), true),
    };
    let subjects = vec![subject];
    (vec![Harm { what, subjects }], true)
}

fn harms_of_line(line: &str) -> (Vec<Harm>, bool) {
    let mut place = programs::Place::top();
    match CommandLine::parse(line) {
        None => (Vec::new(), true),
        Some(CommandLine::Argv(words)) => {
            let command = shell::Simple {
                words,
                ..shell::Simple::default()
            };
            let is_shell = command
                .words
                .iter()
                .any(|word| matches!(programs::base(word), "sh" | "bash" | "zsh" | "dash"));
            (programs::of_command(&command, &mut place, 0), !is_shell)
        }
        Some(CommandLine::Shell(line)) => {
            let is_alone = shell::commands(&line).len() == 1;
            (programs::of_shell(&line, &mut place, 0), is_alone)
        }
    }
}

/// What has to be known before the call can be judged; `None` for one that destroys nothing whatever
/// stands in the workspace.
pub fn look_for(call: &ToolCall) -> Option<Look> {
    let (harms, _) = harms(call);
    if harms.is_empty() {
        return None;
    }
    let mut look = Look::default();
    let mut add = |path: &str| {
        let path = path.to_owned();
        if is_literal(&path) && !path.is_empty() && !look.paths.contains(&path) {
            look.paths.push(path);
        }
    };
    for subject in harms.iter().flat_map(|harm| &harm.subjects) {
        match subject {
            Subject::Path(path) | Subject::Over(path) | Subject::Content { path, .. } => add(path),
            Subject::Onto { target, name } => {
                add(target);
                add(&joined(Some(target), name));
            }
            Subject::Changed { .. } | Subject::Untracked { .. } | Subject::Words(_) => {}
        }
    }
    let mut subjects = harms.iter().flat_map(|harm| &harm.subjects);
    look.changed = subjects
        .clone()
        .any(|subject| matches!(subject, Subject::Changed { .. }));
    look.untracked = subjects.any(|subject| matches!(subject, Subject::Untracked { .. }));
    Some(look)
}

/// What the call would destroy, by what was seen of the workspace; `None` when nobody would miss
/// anything.
pub fn danger_of(call: &ToolCall, seen: &Seen) -> Option<Danger> {
    let (harms, is_alone) = harms(call);
    let mut what: Vec<&str> = Vec::new();
    let mut subjects: Vec<String> = Vec::new();
    for harm in &harms {
        let named = harm
            .subjects
            .iter()
            .flat_map(|subject| named(subject, seen, is_alone));
        let named: Vec<String> = named.collect();
        if named.is_empty() && !harm.subjects.is_empty() {
            continue;
        }
        if !what.contains(&harm.what) {
            what.push(harm.what);
        }
        for subject in named {
            if !subjects.contains(&subject) {
                subjects.push(subject);
            }
        }
    }
    if what.is_empty() {
        return None;
    }
    let more = subjects.len().saturating_sub(MOST_SUBJECTS);
    subjects.truncate(MOST_SUBJECTS);
    if more > 0 {
        subjects.push(format!("… and {more} more"));
    }
    Some(Danger {
        what: what.join(" and "),
        subjects,
    })
}

/// The words for what is there of a subject; none where nothing is lost.
fn named(subject: &Subject, seen: &Seen, is_alone: bool) -> Vec<String> {
    let at = |path: &str| seen.found.get(path);
    match subject {
        Subject::Words(words) => vec![words.clone()],
        Subject::Path(path) => match at(path) {
            // What an earlier command of the line makes is not there yet.
            Some(Found::Missing) if is_alone => Vec::new(),
            Some(Found::Several(paths)) if paths.is_empty() && is_alone => Vec::new(),
            Some(Found::Several(paths)) if !paths.is_empty() => paths.clone(),
            Some(Found::Folder { files }) => vec![folder(path, *files)],
            _ if path.is_empty() => vec!["the whole workspace".to_owned()],
            _ => vec![path.clone()],
        },
        Subject::Over(path) => over(path, at(path)),
        Subject::Onto { target, name } => match at(target) {
            Some(Found::Folder { .. }) => {
                let inside = joined(Some(target), name);
                over(&inside, at(&inside))
            }
            found => over(target, found),
        },
        Subject::Content {
            path,
            removed,
            added,
        } => match at(path) {
            Some(Found::File { bytes }) => content(path, *bytes, *removed, *added),
            _ => Vec::new(),
        },
        Subject::Changed { below } => match &seen.changed {
            Some(changed) => inside(changed, below),
            None => vec!["uncommitted changes".to_owned()],
        },
        Subject::Untracked { below, ignored } => {
            let mut named = match &seen.untracked {
                Some(untracked) => inside(untracked, below),
                None => vec!["files that Git does not track".to_owned()],
            };
            if *ignored {
                named.push("what Git ignores".to_owned());
            }
            named
        }
    }
}

fn folder(path: &str, files: u32) -> String {
    let noun = if files == 1 { "file" } else { "files" };
    format!("{path}/ ({files} {noun})")
}

fn over(path: &str, found: Option<&Found>) -> Vec<String> {
    let is_passing = ["/tmp/", "/dev/null", "/dev/std", "/dev/fd/", "/dev/tty"]
        .iter()
        .any(|start| path.starts_with(start));
    match found {
        Some(Found::File { bytes }) if *bytes > 0 => vec![path.to_owned()],
        Some(Found::Outside) if !is_passing => vec![path.to_owned()],
        _ => Vec::new(),
    }
}

/// A write that leaves a file with nothing, or with less than half of what it had.
fn content(path: &str, bytes: u64, removed: Option<u64>, added: u64) -> Vec<String> {
    let left = match removed {
        None => added,
        Some(removed) => bytes.saturating_sub(removed) + added,
    };
    let lost = bytes.saturating_sub(left);
    if bytes > 0 && left == 0 {
        vec![format!("{path} (all of its {bytes} bytes)")]
    } else if lost >= LEAST_LOSS && left.saturating_mul(2) < bytes {
        vec![format!("{path} ({lost} of its {bytes} bytes)")]
    } else {
        Vec::new()
    }
}

fn inside(files: &[String], below: &[String]) -> Vec<String> {
    let is_inside = |file: &&String| {
        below.is_empty()
            || below.iter().any(|folder| {
                folder.is_empty()
                    || folder.contains(['*', '?', '['])
                    || file
                        .strip_prefix(folder.trim_end_matches('/'))
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
    };
    files.iter().filter(is_inside).cloned().collect()
}

/// Whether a task's own words name all that the call would destroy, so that a person who answered it
/// has answered this: each path and name as the call writes it, or the whole command.
pub fn is_named_by(task: &Task, call: &ToolCall) -> bool {
    let mut text = format!("{}\n{}\n{}", task.title, task.body, task.files.join("\n"));
    for field in &task.fields {
        text.push('\n');
        text.push_str(&field.value);
    }
    if call
        .string("command")
        .is_some_and(|line| says(&text, line.trim()))
    {
        return true;
    }
    let (harms, _) = harms(call);
    let mut subjects = harms.iter().flat_map(|harm| &harm.subjects).peekable();
    subjects.peek().is_some()
        && harms.iter().all(|harm| !harm.subjects.is_empty())
        && subjects.all(|subject| subject.written().is_some_and(|words| says(&text, words)))
}

/// Whether a text names something: not as a part of a longer name.
fn says(text: &str, name: &str) -> bool {
    let name = name.trim_end_matches('/');
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '/');
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let mut after = text[at + name.len()..].chars();
            let next = after.next();
            let goes_on = match next {
                // "docs/" is the folder itself; "docs/a" is something in it.
                Some('/') => after.next().is_some_and(is_name),
                Some('.') => after.next().is_some_and(is_name),
                Some(letter) => is_name(letter),
                None => false,
            };
            !goes_on && !before.is_some_and(|letter| is_name(letter) || letter == '.')
        })
}

/// Whether a rule of the person's lets this destroy what it destroys. An exact rule does. A prefix does
/// when what it says is all that is destroyed: more words may follow, but no further subject.
pub fn is_spared_by(rule: &Rule, request: &PermissionRequest) -> bool {
    if rule.verdict != Verdict::Allow || !rule.applies(request) {
        return false;
    }
    match &rule.matches {
        Match::Exact(_) => true,
        Match::Prefix(prefix) if request.tool != ToolName::RunCommand.as_str() => {
            !prefix.trim().is_empty()
        }
        Match::Prefix(prefix) => {
            let (said, _) = harms_of_line(prefix);
            let (done, _) = harms_of_line(&request.subject);
            done.iter().all(|harm| {
                said.iter().any(|said| {
                    said.what == harm.what
                        && said.subjects.is_empty() == harm.subjects.is_empty()
                        && harm.subjects.iter().all(|one| said.subjects.contains(one))
                })
            })
        }
    }
}
