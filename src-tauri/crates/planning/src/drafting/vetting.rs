//! What a model names, held against what is known of the workspace.
//!
//! Models invent paths and commands. A path that is not there is taken only for a step that makes it
//! or where one file is plainly meant; a command is taken as a check only where it is one of the
//! kind that checks this workspace. The rest is said, not dropped.

use std::collections::BTreeSet;

use adequacy::WorkspaceFacts;
use adequacy::expansion::ReplyTask;
use plan::CommandLine;

use super::words;
use crate::{among, text};

/// Words that begin a step which makes a file.
const CREATES: &str = "create write new generate draft document record scaffold";

/// Words that begin a step which may make a file: the one that its words name, a test, a document.
const MAY_CREATE: &str = "add make introduce build implement extract move split copy rename port \
                          set store save put test cover";

/// Words after which a file of the same name elsewhere is another one.
const ANOTHER: &str = "create new generate scaffold copy move";

/// The longest path, in bytes.
const MAX_PATH_LEN: usize = 300;

/// The longest command, in bytes.
const MAX_COMMAND_LEN: usize = 400;

/// What is known, and what the plan itself brings.
#[derive(Debug)]
pub(super) struct Known<'a> {
    facts: &'a WorkspaceFacts,
    /// Files that steps make.
    made: BTreeSet<String>,
    /// What was not taken, one sentence each.
    pub(super) left_out: Vec<String>,
}

/// What a line said to be a check amounts to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// A command line that checks this workspace.
    Verify(String),
    /// A sentence, or a command that nothing vouches for: something to be true at the end.
    Accept(String),
    /// Nothing.
    Nothing,
}

impl<'a> Known<'a> {
    pub(super) fn of(facts: &'a WorkspaceFacts) -> Self {
        Self {
            facts,
            made: BTreeSet::new(),
            left_out: Vec::new(),
        }
    }

    /// The files of a step.
    pub(super) fn files(&mut self, what: &str, named: &[String]) -> Vec<String> {
        let mut files: Vec<String> = Vec::new();
        for name in named {
            let Some(path) = clean(name) else {
                self.say(name, "is no path in the workspace");
                continue;
            };
            let Some(path) = self.there(&path, what) else {
                continue;
            };
            if !files.contains(&path) {
                files.push(path);
            }
        }
        files
    }

    /// The files that the words of a step name: those that are there, and those that it makes. What
    /// merely looks like a path is left alone.
    pub(super) fn files_in(&mut self, what: &str) -> Vec<String> {
        let mut files: Vec<String> = Vec::new();
        for word in what.split_whitespace() {
            let around = |c: char| "`'\"()[],;:!?*".contains(c);
            let Some(path) = clean(word.trim_matches(around).trim_end_matches('.')) else {
                continue;
            };
            let paths = self.facts.paths.as_ref();
            let is_there =
                paths.is_some_and(|paths| paths.contains(&path)) || self.made.contains(&path);
            let is_file = path.contains('/') && text::is_code(&path) || text::is_document(&path);
            let is_made = is_file
                && (begins_with(what, CREATES) || begins_with(what, MAY_CREATE))
                && paths.is_some_and(|paths| !named_alike(paths, &path));
            if is_made && !is_there {
                self.made.insert(path.clone());
            }
            if (is_there || is_made) && !files.contains(&path) {
                files.push(path);
            }
        }
        files
    }

    /// The path that is meant, where it is there or will be.
    fn there(&mut self, path: &str, what: &str) -> Option<String> {
        let Some(paths) = &self.facts.paths else {
            return Some(path.to_owned());
        };
        if paths.contains(path) || self.made.contains(path) {
            return Some(path.to_owned());
        }
        let folder = format!("{path}/");
        let inside = paths.range(folder.clone()..).next();
        if inside.is_some_and(|first| first.starts_with(&folder)) {
            self.say(path, "is a folder, and a step names files");
            return None;
        }
        let lower = path.to_lowercase();
        let name = lower.rsplit('/').next().unwrap_or(&lower);
        let mut alike = paths.iter().filter(|known| {
            let known = known.to_lowercase();
            known == lower || known.rsplit('/').next() == Some(name)
        });
        if let (Some(meant), None) = (alike.next(), alike.next())
            && (!begins_with(what, ANOTHER) || meant.eq_ignore_ascii_case(path))
        {
            self.left_out.push(format!(
                "`{path}` is not in the workspace; `{meant}` is meant"
            ));
            return Some(meant.clone());
        }
        let is_telling =
            text::is_test(path) || text::is_document(path) || what.to_lowercase().contains(name);
        let is_made = begins_with(what, CREATES) || is_telling && begins_with(what, MAY_CREATE);
        if is_made && name.contains('.') {
            self.made.insert(path.to_owned());
            return Some(path.to_owned());
        }
        self.say(path, "is not in the workspace, and no step makes it");
        None
    }

    fn say(&mut self, what: &str, why: &str) {
        let what = words::plainest(what);
        self.left_out.push(format!("“{what}” {why}"));
    }

    /// What a line said to be a check amounts to.
    pub(super) fn check(&mut self, line: &str) -> Check {
        let line = words::one_line(line);
        let bare = line
            .trim()
            .trim_start_matches("$ ")
            .trim_matches('`')
            .trim();
        if bare.is_empty() || bare.len() > MAX_COMMAND_LEN {
            return Check::Nothing;
        }
        if !bare.contains('`') && self.vouches_for(bare) {
            return Check::Verify(bare.to_owned());
        }
        if self.is_command(&line, bare) {
            self.say(bare, "is no check that this workspace is known to have");
            return Check::Nothing;
        }
        match words::sentence(&line, words::LINE) {
            text if text.is_empty() => Check::Nothing,
            text => Check::Accept(text),
        }
    }

    /// Whether a line is meant to be carried out, and not to be read.
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

    /// Whether a command is one of those that check this workspace, perhaps with other arguments.
    fn vouches_for(&self, line: &str) -> bool {
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

/// Whether a file of this name is somewhere else: then that one may be meant.
fn named_alike(paths: &BTreeSet<String>, path: &str) -> bool {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let wanted = name(path);
    paths.iter().any(|known| name(known) == wanted)
}

/// The words of a command that say what it does: the program, a module, a sub-command.
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

/// Whether the first words of a step have one of these, or it speaks of something new.
fn begins_with(what: &str, verbs: &str) -> bool {
    let lower = what.to_lowercase();
    let mut words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.by_ref().take(3).any(|word| among(word, verbs)) || lower.contains(" new ")
}

/// A path from the workspace's root; `None` for what is none or leads out of it.
fn clean(name: &str) -> Option<String> {
    let bare = name.trim().trim_matches(['`', '"', '\'']).trim();
    let bare = bare
        .strip_prefix("./")
        .unwrap_or(bare)
        .trim_end_matches('/');
    // `src/a.py:12`
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

/// A round's reply with the paths and checks that hold, and what was not taken.
pub fn vetted(tasks: Vec<ReplyTask>, facts: &WorkspaceFacts) -> (Vec<ReplyTask>, Vec<String>) {
    let mut known = Known::of(facts);
    let tasks = tasks
        .into_iter()
        .map(|task| {
            let files = known.files(&task.description, &task.files);
            let line = |text: &String| Some(words::sentence(text, words::LINE));
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
                description: words::title(&task.description),
                files,
                accept,
                verify,
                notes: task.notes.iter().filter_map(line).filter(kept).collect(),
                ..task
            }
        })
        .collect();
    (tasks, known.left_out)
}

#[cfg(test)]
mod tests;
