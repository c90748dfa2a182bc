//! Checks the paths and commands in a model's answer against the workspace.
//!
//! Models invent paths and commands. A path that doesn't exist is accepted only for a step that
//! creates it, or if it clearly refers to one existing file; a command is accepted as a check only
//! if it is of a kind that checks this workspace. Rejected values are reported, not silently
//! dropped.

use std::collections::BTreeSet;

use adequacy::WorkspaceFacts;
use plan::CommandLine;
use repair::ReplyTask;

use super::sanitize;
use crate::{among, text};

/// First words of a step that creates a file.
const CREATES: &str = "create write new generate draft document record scaffold";

/// First words of a step that may create a file: a test, a document, or a file that the step names.
const MAY_CREATE: &str = "add make introduce build implement extract move split copy rename port \
                          set store save put test cover";

/// First words of a step that creates a new file even if a file of that name exists elsewhere.
const CREATES_ANOTHER: &str = "create new generate scaffold copy move";

/// Maximum path length, in bytes.
const MAX_PATH_LEN: usize = 300;

/// Maximum command length, in bytes.
const MAX_COMMAND_LEN: usize = 400;

/// Facts about the workspace and the files that the plan creates.
#[derive(Debug)]
pub(super) struct Validator<'a> {
    facts: &'a WorkspaceFacts,
    /// The files that the steps create.
    created: BTreeSet<String>,
    /// The rejected values, one sentence each.
    pub(super) rejected: Vec<String>,
}

/// How to use a check that the model proposes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// A command that checks this workspace.
    Verify(String),
    /// A sentence, kept as an acceptance criterion.
    Accept(String),
    /// Nothing usable. An unknown command is reported as rejected.
    Nothing,
}

impl<'a> Validator<'a> {
    pub(super) fn of(facts: &'a WorkspaceFacts) -> Self {
        Self {
            facts,
            created: BTreeSet::new(),
            rejected: Vec::new(),
        }
    }

    /// The accepted files of a step.
    pub(super) fn files(&mut self, what: &str, named: &[String]) -> Vec<String> {
        let mut files: Vec<String> = Vec::new();
        for name in named {
            let Some(path) = clean(name) else {
                self.reject(name, "isn't a workspace path");
                continue;
            };
            let Some(path) = self.resolve(&path, what) else {
                continue;
            };
            if !files.contains(&path) {
                files.push(path);
            }
        }
        files
    }

    /// The files that a step's text names: existing files and those that the step creates. Anything
    /// that only looks like a path is ignored.
    pub(super) fn files_in(&mut self, what: &str) -> Vec<String> {
        let mut files: Vec<String> = Vec::new();
        for word in what.split_whitespace() {
            let around = |c: char| "`'\"()[],;:!?*".contains(c);
            let Some(path) = clean(word.trim_matches(around).trim_end_matches('.')) else {
                continue;
            };
            let paths = self.facts.paths.as_ref();
            let is_there =
                paths.is_some_and(|paths| paths.contains(&path)) || self.created.contains(&path);
            let is_file = path.contains('/') && text::is_code(&path) || text::is_document(&path);
            let is_made = is_file
                && (begins_with(what, CREATES) || begins_with(what, MAY_CREATE))
                && paths.is_some_and(|paths| !named_alike(paths, &path));
            if is_made && !is_there {
                self.created.insert(path.clone());
            }
            if (is_there || is_made) && !files.contains(&path) {
                files.push(path);
            }
        }
        files
    }

    /// The workspace path that `path` refers to, if it exists or will be created.
    fn resolve(&mut self, path: &str, what: &str) -> Option<String> {
        let Some(paths) = &self.facts.paths else {
            return Some(path.to_owned());
        };
        if paths.contains(path) || self.created.contains(path) {
            return Some(path.to_owned());
        }
        let folder = format!("{path}/");
        let inside = paths.range(folder.clone()..).next();
        if inside.is_some_and(|first| first.starts_with(&folder)) {
            self.reject(path, "is a folder; steps must list files");
            return None;
        }
        let lower = path.to_lowercase();
        let name = lower.rsplit('/').next().unwrap_or(&lower);
        let mut alike = paths.iter().filter(|known| {
            let known = known.to_lowercase();
            known == lower || known.rsplit('/').next() == Some(name)
        });
        if let (Some(meant), None) = (alike.next(), alike.next())
            && (!begins_with(what, CREATES_ANOTHER) || meant.eq_ignore_ascii_case(path))
        {
            self.rejected
                .push(format!("`{path}` doesn't exist; using `{meant}`"));
            return Some(meant.clone());
        }
        let is_telling =
            text::is_test(path) || text::is_document(path) || what.to_lowercase().contains(name);
        let is_made = begins_with(what, CREATES) || is_telling && begins_with(what, MAY_CREATE);
        if is_made && name.contains('.') {
            self.created.insert(path.to_owned());
            return Some(path.to_owned());
        }
        self.reject(path, "doesn't exist, and no step creates it");
        None
    }

    fn reject(&mut self, what: &str, why: &str) {
        let what = sanitize::plainest(what);
        self.rejected.push(format!("“{what}” {why}"));
    }

    /// Decides how to use a check that the model proposes.
    pub(super) fn check(&mut self, line: &str) -> Check {
        let line = sanitize::one_line(line);
        let bare = line
            .trim()
            .trim_start_matches("$ ")
            .trim_matches('`')
            .trim();
        if bare.is_empty() || bare.len() > MAX_COMMAND_LEN {
            return Check::Nothing;
        }
        if !bare.contains('`') && self.is_known_check(bare) {
            return Check::Verify(bare.to_owned());
        }
        if self.is_command(&line, bare) {
            self.reject(bare, "isn't a known check command in this workspace");
            return Check::Nothing;
        }
        match sanitize::sentence(&line, sanitize::MAX_LINE_LEN) {
            text if text.is_empty() => Check::Nothing,
            text => Check::Accept(text),
        }
    }

    /// Whether a line is a command rather than a sentence.
    fn is_command(&self, line: &str, bare: &str) -> bool {
        let is_code = line.starts_with('`') && line.ends_with('`') || line.starts_with("$ ");
        let first = bare.split(' ').next().unwrap_or_default();
        let programs = self.facts.programs.as_ref();
        let is_program = programs.is_some_and(|programs| programs.contains(first));
        let is_sentence = bare.ends_with('.') || bare.starts_with(char::is_uppercase);
        let has_flag = bare.split(' ').skip(1).any(|word| {
            let rest = word.strip_prefix('-').unwrap_or_default();
            rest.starts_with(|c: char| c == '-' || c.is_ascii_alphanumeric())
        });
        let has_operator = ["&&", "||", " | ", ";", "$(", " > "];
        let has_operator = has_operator.iter().any(|sign| bare.contains(sign));
        is_code || !is_sentence && (is_program || has_flag || has_operator)
    }

    /// Whether a command is one that checks this workspace, possibly with other arguments.
    fn is_known_check(&self, line: &str) -> bool {
        let Some(CommandLine::Argv(said)) = CommandLine::parse(line) else {
            return self.facts.commands.iter().any(|known| known == line);
        };
        self.facts.commands.iter().any(|known| {
            let Some(CommandLine::Argv(known)) = CommandLine::parse(known) else {
                return known == line;
            };
            let core = core(&known);
            said.get(..core.len()) == Some(core)
        })
    }
}

/// Whether a file of this name exists elsewhere, so that the path may refer to it.
fn named_alike(paths: &BTreeSet<String>, path: &str) -> bool {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let wanted = name(path);
    paths.iter().any(|known| name(known) == wanted)
}

/// The words that identify a command: the program, a module, a subcommand.
fn core(words: &[String]) -> &[String] {
    let is_plain = |word: &String| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let end = match words {
        [_, flag, module, ..] if flag == "-m" && !module.starts_with('-') => 3,
        [_, run, _, ..] if run == "run" => 3,
        [_, verb, ..] if is_plain(verb) && !verb.starts_with('-') => 2,
        _ => 1,
    };
    &words[..end.min(words.len())]
}

/// Whether one of these verbs is among the first three words of a step, or the step contains the
/// word "new".
fn begins_with(what: &str, verbs: &str) -> bool {
    let lower = what.to_lowercase();
    let mut words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.by_ref().take(3).any(|word| among(word, verbs)) || lower.contains(" new ")
}

/// A normalized workspace path; `None` if it isn't a path or leaves the workspace.
fn clean(name: &str) -> Option<String> {
    let bare = name.trim().trim_matches(['`', '"', '\'']).trim();
    let bare = bare
        .strip_prefix("./")
        .unwrap_or(bare)
        .trim_end_matches('/');
    // Drop a line number, as in `src/a.py:12`.
    let bare = match bare.rsplit_once(':') {
        Some((path, line)) if !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit()) => path,
        _ => bare,
    };
    let is_odd =
        |c: char| c.is_control() || plan::is_invisible(c) || "`<>|\"'*?:\\,;{}".contains(c);
    let parts_fit = bare
        .split('/')
        .all(|part| !matches!(part, "" | "." | ".." | ".git") && part.trim() == part);
    let fits = !bare.is_empty()
        && bare.len() <= MAX_PATH_LEN
        && !bare.starts_with(['/', '~', '-', '#', '('])
        && !bare.contains(is_odd)
        && !bare.contains(' ')
        && parts_fit;
    fits.then(|| bare.to_owned())
}

/// Reduces the reply of an expansion round to valid paths and checks; also returns the rejected
/// values.
pub fn validate_tasks(
    tasks: Vec<ReplyTask>,
    facts: &WorkspaceFacts,
) -> (Vec<ReplyTask>, Vec<String>) {
    let mut known = Validator::of(facts);
    let tasks = tasks
        .into_iter()
        .map(|task| {
            let files = known.files(&task.description, &task.files);
            let line = |text: &String| Some(sanitize::sentence(text, sanitize::MAX_LINE_LEN));
            let kept = |text: &String| !text.is_empty();
            let mut accept: Vec<String> =
                task.accept.iter().filter_map(line).filter(kept).collect();
            let mut verify = Vec::new();
            for said in &task.verify {
                match known.check(said) {
                    Check::Verify(command) => verify.push(command),
                    Check::Accept(text) => accept.push(text),
                    Check::Nothing => {}
                }
            }
            ReplyTask {
                description: sanitize::title(&task.description),
                files,
                accept,
                verify,
                notes: task.notes.iter().filter_map(line).filter(kept).collect(),
                ..task
            }
        })
        .collect();
    (tasks, known.rejected)
}

#[cfg(test)]
mod tests;
