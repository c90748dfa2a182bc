//! Which calls destroy something, and what: told from the call itself and from what stands in the
//! workspace.
//!
//! Pure. [`look_for`] says what has to be known of the workspace before a call can be judged, and
//! [`danger_of`] judges it. Counted is what somebody would miss: files deleted, emptied, cut short or
//! written over, work that no commit holds, history, data of databases, containers and clouds, packages,
//! rights of whole folders. Not counted is what cannot be lost: a dry run, a file that is not there,
//! output that is appended, what Git refuses by itself, an edit in place of files that are named and keep
//! something. What a script, a build tool or a program that is not listed does is not known here; the
//! sandbox and the undo of a step hold that.
//!
//! Submodules: `shell` reads lines, `programs` knows programs, `sql` statements, `subject` says
//! what of their subjects is really there, `loss` what a write throws away of a file.

mod loss;
mod programs;
mod shell;
mod sql;
mod subject;

use std::collections::BTreeMap;

use plan::{CommandLine, Task, ToolCall, ToolName};
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::permissions::{Match, Rule, Verdict};
use crate::question::PermissionRequest;
pub use loss::{Doubt, Overwritten, Written, dropped, hollow, lost};
use subject::{Harm, Subject, is_literal, joined, named};

/// Subjects that a danger names, at most; the rest is counted.
const MAX_SUBJECTS: usize = 60;

/// What a call would destroy.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename = "DangerView")]
pub struct Danger {
    /// What it does, as the end of a sentence: "deletes files".
    pub what: String,
    /// To what, exactly; empty where the call says all of it.
    pub subjects: Vec<String>,
    /// Whether it has happened, and is about what can be put back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_past: bool,
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
    /// Those of the paths whose text matters.
    pub texts: Vec<String>,
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
    /// The text of the files whose text matters; absent for one that is no text, or a very long one.
    pub texts: BTreeMap<String, String>,
    /// What those files held before the run, where they have changed since.
    pub originals: BTreeMap<String, String>,
    /// What other files that the run wrote held before it, and hold now.
    pub elsewhere: Vec<(String, String)>,
}

/// What a call may destroy, whatever stands in the workspace; and whether it is one command alone.
fn harms(call: &ToolCall) -> (Vec<Harm>, bool) {
    let path = joined(None, call.path().unwrap_or_default());
    let text = |name: &str| call.string(name).unwrap_or_default().to_owned();
    let content = |path, removed, added| Subject::Content {
        path,
        removed,
        added,
    };
    let lost = "discards file content";
    let (what, subject) = match call.tool {
        ToolName::DeleteFile => ("deletes files", Subject::Path(path)),
        ToolName::WriteFile => (lost, content(path, None, text("content"))),
        ToolName::EditFile => (
            lost,
            content(path, Some(text("old_text")), text("new_text")),
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
            let command = programs::of_words(&words);
            let is_shell = command
                .words
                .iter()
                .any(|word| matches!(programs::base(word), "sh" | "bash" | "zsh" | "dash"));
            (programs::of_command(&command, &mut place, 0), !is_shell)
        }
        Some(CommandLine::Shell(line)) => {
            let is_alone = shell::is_alone(&line);
            (programs::of_shell(&line, &mut place, 0), is_alone)
        }
    }
}

/// Whether the words only start another program, or carry one: a beginning of theirs says nothing of
/// what is done.
pub fn starts_others(words: &[String]) -> bool {
    programs::starts_others(words)
}

/// What has to be known before the call can be judged; `None` for one that destroys nothing whatever
/// stands in the workspace.
pub fn look_for(call: &ToolCall) -> Option<Look> {
    let (harms, _) = harms(call);
    if harms.is_empty() {
        return None;
    }
    let mut look = Look::default();
    let add = |paths: &mut Vec<String>, path: &str| {
        if is_literal(path) && !path.is_empty() && !paths.iter().any(|known| known == path) {
            paths.push(path.to_owned());
        }
    };
    for subject in harms.iter().flat_map(|harm| &harm.subjects) {
        let paths = &mut look.paths;
        match subject {
            Subject::Path(path) | Subject::Over(path) => add(paths, path),
            Subject::Content { path, .. } => {
                add(paths, path);
                look.texts.push(path.clone());
            }
            Subject::Onto {
                target,
                name,
                source,
            } => {
                add(paths, target);
                add(paths, &joined(Some(target), name));
                if source.contains(['*', '?', '[']) {
                    add(paths, source);
                }
            }
            Subject::Away { source, target } => {
                add(paths, source);
                add(paths, target);
            }
            Subject::Changed { .. } => look.changed = true,
            Subject::Untracked { .. } => look.untracked = true,
            Subject::Words(_) => {}
        }
    }
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
    let more = subjects.len().saturating_sub(MAX_SUBJECTS);
    subjects.truncate(MAX_SUBJECTS);
    if more > 0 {
        subjects.push(format!("… and {more} more"));
    }
    Some(Danger {
        what: what.join(" and "),
        subjects,
        is_past: false,
    })
}

/// Whether a task's own words name all that the call would destroy, so that a person who answered it
/// has answered this: each path and name as the call writes it, or the whole command.
pub fn is_named_by(task: &Task, call: &ToolCall) -> bool {
    let text = words_of(task, true);
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

/// All that a task says; its fields too, such as its calls, where they are asked for.
fn words_of(task: &Task, with_fields: bool) -> String {
    let fields = task.fields.iter().filter(|_| with_fields);
    let fields = fields.map(|field| field.value.as_str());
    let own = [task.title.as_str(), task.body.as_str()].into_iter();
    let words = own.chain(task.files.iter().map(String::as_str));
    words.chain(fields).collect::<Vec<_>>().join("\n")
}

impl Danger {
    /// What is left of a loss without the files that are named by a step that is about taking them away, by
    /// an answered checkpoint, or by what was asked before; `None` where nothing is.
    pub fn beyond(
        self,
        step: Option<&Task>,
        checkpoints: &[&Task],
        asked: &[&Self],
    ) -> Option<Self> {
        let own = step.map(|step| words_of(step, false));
        let named = checkpoints.iter().map(|task| words_of(task, true));
        let named: Vec<String> = named.chain(own).collect();
        let asked = asked.iter().flat_map(|danger| &danger.subjects);
        let asked: Vec<&str> = asked.map(|subject| path_of(subject)).collect();
        let is_agreed = |subject: &String| {
            let path = path_of(subject);
            let holds = |folder: &str| folder.ends_with('/') && path.starts_with(folder);
            named.iter().any(|text| says(text, path))
                || asked.iter().any(|asked| *asked == path || holds(asked))
        };
        let mut subjects = self.subjects;
        subjects.retain(|subject| !is_agreed(subject));
        (!subjects.is_empty()).then_some(Self { subjects, ..self })
    }
}

/// The path of a subject that says how much of it is lost: "a.py (its only line)".
fn path_of(subject: &str) -> &str {
    subject.split_once(" (").map_or(subject, |(path, _)| path)
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
            // What only shows when it is done is not in the words.
            !done.is_empty()
                && done.iter().all(|harm| {
                    said.iter().any(|said| {
                        said.what == harm.what
                            && said.subjects.is_empty() == harm.subjects.is_empty()
                            && harm.subjects.iter().all(|one| said.subjects.contains(one))
                    })
                })
        }
    }
}
