//! Determines which calls destroy something, and what, from the call itself and the workspace's
//! state.
//!
//! Pure: [`inspection_for`] returns which facts about the workspace are needed, and [`danger_of`]
//! judges the call with them. A call is destructive if someone would miss what it removes: deleted,
//! emptied, truncated or overwritten files; uncommitted work; Git history; data of databases,
//! containers and clouds; packages; permissions of whole folders. Harmless calls include dry runs,
//! missing files, appended output, anything Git refuses to do, and in-place edits of named files
//! that leave some of the content. The effects of scripts, build tools and unlisted programs are
//! unknown here; the sandbox and a step's undo cover those.
//!
//! Submodules: `shell` parses command lines, `programs` judges programs, `sql` judges SQL
//! statements, `subject` finds which subjects exist, and `loss` measures what a write removes from
//! a file.

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

/// Maximum number of subjects that a danger lists; the rest are counted.
const MAX_SUBJECTS: usize = 60;

/// The destructive effects of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename = "DangerView")]
pub struct Danger {
    /// A verb phrase for the effects: "deletes files".
    pub what: String,
    /// The affected files or other objects; empty if `what` already implies them.
    pub subjects: Vec<String>,
    /// Whether it already happened, in which case the loss can be undone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_past: bool,
}

/// Facts about the workspace that are needed to judge a call. Looking them up is read-only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inspection {
    /// The workspace paths and glob patterns to look up.
    pub paths: Vec<String>,
    /// Whether the list of files with uncommitted changes is needed.
    pub changed: bool,
    /// Whether the list of untracked files is needed.
    pub untracked: bool,
    /// The paths whose text is needed.
    pub texts: Vec<String>,
}

impl Inspection {
    /// Whether nothing has to be looked up.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && !self.changed && !self.untracked
    }
}

/// What exists at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathState {
    /// Nothing exists there.
    Missing,
    /// A file of this size.
    File {
        /// The file's size, in bytes.
        bytes: u64,
    },
    /// A folder that contains this many files.
    Folder {
        /// Number of files in the folder, at any depth.
        files: u32,
    },
    /// The matches of a glob pattern.
    Several(Vec<String>),
    /// The path leads out of the workspace.
    Outside,
}

/// The results of inspecting the workspace. Paths without a result are assumed to exist.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InspectionResult {
    /// What exists at the requested paths.
    pub found: BTreeMap<String, PathState>,
    /// Files with uncommitted changes.
    pub changed: Option<Vec<String>>,
    /// Untracked files, except ignored ones.
    pub untracked: Option<Vec<String>>,
    /// The requested texts; binary and very long files are missing.
    pub texts: BTreeMap<String, String>,
    /// The content of those files before the run, if they have changed since.
    pub originals: BTreeMap<String, String>,
    /// Other files that the run wrote: text before the run, and current text.
    pub elsewhere: Vec<(String, String)>,
    /// Whether the file tools would refuse the call whatever the person answers, for example since
    /// the file is protected.
    pub is_impossible: bool,
}

/// The possible harms of a call in any workspace, and whether the call is a single command.
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
    let mut state = programs::ShellState::top();
    match CommandLine::parse(line) {
        None => (Vec::new(), true),
        Some(CommandLine::Argv(words)) => {
            let command = programs::of_words(&words);
            let is_shell = command
                .words
                .iter()
                .any(|word| matches!(programs::base(word), "sh" | "bash" | "zsh" | "dash"));
            (programs::of_command(&command, &mut state, 0), !is_shell)
        }
        Some(CommandLine::Shell(line)) => {
            let is_alone = shell::is_alone(&line);
            (programs::of_shell(&line, &mut state, 0), is_alone)
        }
    }
}

/// Whether the words after a program are another program or contain code, so that a prefix of the
/// command's words doesn't determine what it does.
pub fn starts_others(words: &[String]) -> bool {
    programs::starts_others(words)
}

/// The words of each command of a shell line, in order; markers of subshells are separate words.
pub(crate) fn simple_commands(line: &str) -> Vec<Vec<String>> {
    let commands = shell::commands(line).into_iter();
    commands.map(|command| command.words).collect()
}

/// The facts needed to judge the call; `None` if the call cannot destroy anything.
pub fn inspection_for(call: &ToolCall) -> Option<Inspection> {
    let (harms, _) = harms(call);
    if harms.is_empty() {
        return None;
    }
    let mut look = Inspection::default();
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

/// The destructive effects of the call, given the state of the workspace; `None` if no one would
/// miss anything.
pub fn danger_of(call: &ToolCall, seen: &InspectionResult) -> Option<Danger> {
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

/// Whether a task's text names everything that the call would destroy, either as the call spells it
/// or by the whole command. If it does, whoever answers the task also agrees to the call.
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

/// The text of a task, optionally with its fields such as `call:`.
fn words_of(task: &Task, with_fields: bool) -> String {
    let fields = task.fields.iter().filter(|_| with_fields);
    let fields = fields.map(|field| field.value.as_str());
    let own = [task.title.as_str(), task.body.as_str()].into_iter();
    let words = own.chain(task.files.iter().map(String::as_str));
    words.chain(fields).collect::<Vec<_>>().join("\n")
}

impl Danger {
    /// Removes the files that the step itself, an answered checkpoint or an earlier question names.
    /// `None` if no files remain.
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

/// The path in a subject that may also state the amount lost: "a.py (its only line)".
fn path_of(subject: &str) -> &str {
    subject.split_once(" (").map_or(subject, |(path, _)| path)
}

/// Whether a text contains a name that is not part of a longer one.
fn says(text: &str, name: &str) -> bool {
    let name = name.trim_end_matches('/');
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '/');
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let mut after = text[at + name.len()..].chars();
            let next = after.next();
            let goes_on = match next {
                // "docs/" is the folder itself; "docs/a" is a file in it.
                Some('/') => after.next().is_some_and(is_name),
                Some('.') => after.next().is_some_and(is_name),
                Some(letter) => is_name(letter),
                None => false,
            };
            !goes_on && !before.is_some_and(|letter| is_name(letter) || letter == '.')
        })
}

/// Whether one of the person's rules allows what this request destroys. An exact rule does. A
/// prefix does if it already names everything that is destroyed: more words may follow, but no more
/// subjects.
pub fn is_allowed_by(rule: &Rule, request: &PermissionRequest) -> bool {
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
            // If the words show no harm, it was only detected when the command ran, and no prefix
            // can name it.
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
