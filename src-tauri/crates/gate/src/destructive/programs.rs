//! Determines from a program's arguments what it would destroy.
//!
//! Programs that only start others (`sudo`, `env`, `xargs`, `sh -c`, `find -exec`, …) are followed.
//! Unlisted programs, scripts and package managers' own scripts are unknown and count as harmless;
//! the sandbox and undo cover those. Shells and interpreters that read another program's output
//! count as destructive, and so do programs whose name can't be determined, since no one can
//! inspect either beforehand. Dry runs destroy nothing.
//!
//! Submodules: `rules` lists programs row by row; `launched`, `launchers` and `computed` follow
//! programs that start others; `files` covers moves and in-place edits, `data` SQL statements, and
//! `one_liner` code passed to an interpreter.

mod computed;
mod data;
mod files;
mod launched;
mod launchers;
mod one_liner;
mod options;
mod rules;

use std::collections::BTreeMap;

use plan::word_list::WordList;

use super::shell::{self, SimpleCommand};
use super::{Harm, Subject};
use files::in_place;
use options::{behind, is_dry, value_of};

pub(super) use launched::{base, of_words, starts_others};

/// The current folder and variables of a command line, as far as they can be determined.
#[derive(Debug, Clone, Default)]
pub(super) struct ShellState {
    /// The folder relative to the workspace; `None` once it is unknown.
    folder: Option<String>,
    /// The folders of the enclosing subshells.
    outer: Vec<Option<String>>,
    /// The folders that `popd` returns to.
    pushed: Vec<Option<String>>,
    /// Variables set by the line itself.
    variables: BTreeMap<String, String>,
}

impl ShellState {
    /// The state at the start of a line: in the workspace root, without variables.
    pub(super) fn top() -> Self {
        Self {
            folder: Some(String::new()),
            ..Self::default()
        }
    }

    /// The command with variables set by the line replaced by their values.
    fn resolved(&self, command: &SimpleCommand) -> SimpleCommand {
        if self.variables.is_empty() {
            return command.clone();
        }
        let all = |words: &[String]| words.iter().map(|word| self.expand(word)).collect();
        let mut resolved = SimpleCommand {
            words: all(&command.words),
            over: all(&command.over),
            text: self.expand(&command.text),
            from: all(&command.from),
        };
        // `$CMD` alone is a program with its arguments.
        if let (Some(written), Some(first)) = (command.words.first(), resolved.words.first())
            && written.starts_with('$')
            && written != first
            && !first.contains(['$', '`'])
        {
            let first: Vec<String> = first.split_whitespace().map(str::to_owned).collect();
            resolved.words.splice(0..1, first);
        }
        resolved
    }

    fn expand(&self, word: &str) -> String {
        let mut out = String::new();
        let mut rest = word;
        while let Some((before, behind)) = rest.split_once('$') {
            out.push_str(before);
            let is_braced = behind.starts_with('{');
            let name = behind.trim_start_matches('{');
            let end = name
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .unwrap_or(name.len());
            let (name, after) = name.split_at(end);
            // `${CMD[@]}`: all items of a list.
            let after = after
                .strip_prefix("[@]")
                .filter(|_| is_braced)
                .unwrap_or(after);
            let is_closed = is_braced == after.starts_with('}');
            match self.variables.get(name).filter(|_| !is_braced || is_closed) {
                Some(value) => {
                    out.push_str(value);
                    rest = if is_braced { &after[1..] } else { after };
                }
                None => {
                    out.push('$');
                    rest = behind;
                }
            }
        }
        out.push_str(rest);
        out
    }

    /// Follows changes of the folder and records the variables that the command sets.
    fn follow(&mut self, command: &SimpleCommand) {
        let mut words = command.words.as_slice();
        if let [program, rest @ ..] = words
            && WordList("export local declare readonly typeset").contains(program)
        {
            words = rest;
        }
        let given: Vec<_> = words
            .iter()
            .map_while(|word| launched::assigned(word))
            .collect();
        if given.len() == words.len() {
            let of_list =
                |value: &str| Some(value.strip_prefix('(')?.strip_suffix(')')?.to_owned());
            self.variables.extend(given.iter().map(|(name, value)| {
                let value = of_list(value).unwrap_or_else(|| (*value).to_owned());
                ((*name).to_owned(), value)
            }));
        }
        match words {
            // These set a variable to an unknown value.
            [program, name, ..] if matches!(program.as_str(), "for" | "read" | "unset") => {
                self.variables.remove(name);
            }
            [program, to] if matches!(program.as_str(), "cd" | "pushd") => {
                if program == "pushd" {
                    self.pushed.push(self.folder.clone());
                }
                let is_told = !to.contains(['$', '~', '`', '*']) && to != "-";
                let folder = is_told.then(|| super::joined(self.folder.as_deref(), to));
                self.folder = folder.filter(|_| self.folder.is_some());
            }
            [program] if program == "popd" => self.folder = self.pushed.pop().flatten(),
            [program] if program == "cd" => self.folder = None,
            _ => {}
        }
    }
}

/// The harms of the commands in a shell line.
pub(super) fn of_shell(line: &str, state: &mut ShellState, depth: usize) -> Vec<Harm> {
    shell::commands(line)
        .iter()
        .flat_map(|command| of_command(command, state, depth))
        .collect()
}

/// Maximum nesting of commands; anything deeper counts as destructive.
const MAX_DEPTH: usize = 6;

/// The harms of one command.
pub(super) fn of_command(
    command: &SimpleCommand,
    state: &mut ShellState,
    depth: usize,
) -> Vec<Harm> {
    if depth > MAX_DEPTH {
        return unread(command.words.join(" "));
    }
    if command.is_begin() {
        state.outer.push(state.folder.clone());
        return Vec::new();
    }
    if command.is_end() {
        state.folder = state.outer.pop().unwrap_or_else(|| state.folder.clone());
        return Vec::new();
    }
    let command = &state.resolved(command);
    let mut harms = Vec::new();
    if !command.over.is_empty() {
        harms.push(Harm {
            what: "overwrites files",
            subjects: command.over.iter().cloned().map(Subject::Over).collect(),
        });
    }
    let mut inner = Vec::new();
    match launched::started(command) {
        None => {}
        Some(launched::Launched::Script(text)) => {
            inner = of_shell(&text, &mut state.clone(), depth + 1);
        }
        Some(launched::Launched::Commands(commands)) => {
            let mut elsewhere = ShellState::default();
            for command in &commands {
                inner.extend(of_command(command, &mut elsewhere, depth + 1));
            }
        }
        Some(launched::Launched::Unread(text)) => harms.extend(unread(text)),
        Some(launched::Launched::Program {
            name,
            words,
            listed,
        }) => {
            let mut own = of_program(&name, &words, command, listed.is_some());
            for harm in &mut own {
                harm.subjects.extend(listed.clone().map(Subject::Words));
            }
            harms.extend(own);
            let mut lines = one_liner::lines(&name, &words, command);
            lines.extend(files::shell_lines(&name, &words, command));
            inner = lines
                .iter()
                .flat_map(|line| of_shell(line, &mut state.clone(), depth + 1))
                .collect();
        }
    }
    let folder = state.folder.as_deref();
    harms.iter_mut().for_each(|harm| harm.rebase(folder));
    harms.extend(inner);
    state.follow(command);
    harms
}

fn harm(what: &'static str, subjects: Vec<Subject>) -> Vec<Harm> {
    vec![Harm { what, subjects }]
}

/// Like [`harm`], but returns none if there are no subjects.
fn harm_to(what: &'static str, subjects: Vec<Subject>) -> Vec<Harm> {
    match subjects.is_empty() {
        true => Vec::new(),
        false => harm(what, subjects),
    }
}

/// The harm of running something that can't be inspected.
fn unread(text: String) -> Vec<Harm> {
    harm(
        "runs code that can't be reviewed first",
        vec![Subject::Words(text)],
    )
}

/// One subject for each word, shown as written.
fn said(words: &[String]) -> Vec<Subject> {
    words.iter().cloned().map(Subject::Words).collect()
}

fn of_program(name: &str, words: &[String], command: &SimpleCommand, is_listed: bool) -> Vec<Harm> {
    let mut harms = in_place(name, words, command, is_listed);
    if one_liner::is_interpreter(name) {
        harms.extend(one_liner::harms(name, words, command));
    }
    // With these options, the program only prints something.
    let mut options = words.iter().take_while(|word| *word != "--");
    let says_help = options.any(|word| word == "--help");
    if says_help || words.last().is_some_and(|word| word == "--version") || is_dry(words) {
        return harms;
    }
    harms.extend(match name {
        "git" => of_git(words),
        "kill" => processes(words, is_listed),
        _ => rules::harms(name, words, is_listed),
    });
    harms.extend(data::harms(name, words, command));
    harms
}

fn of_git(words: &[String]) -> Vec<Harm> {
    let valued = WordList("-C -c --git-dir --work-tree --namespace --exec-path");
    let mut call = behind(words, valued).to_vec();
    let options = &words[..words.len() - call.len()];
    // With this setting, Git cleans even without `--force`.
    let needs_no_force = |word: &String| word.eq_ignore_ascii_case("clean.requireForce=false");
    if call.first().is_some_and(|verb| verb == "clean") && options.iter().any(needs_no_force) {
        call.insert(1, "-f".to_owned());
    }
    let mut harms = rules::harms("git", &call, false);
    if let Some(folder) = value_of(options, 'C', "-C") {
        harms.iter_mut().for_each(|harm| harm.rebase(Some(&folder)));
    }
    harms
}

/// The harms of `kill`; none if it only queries, or ends only processes that the same line started.
fn processes(words: &[String], is_listed: bool) -> Vec<Harm> {
    let asks = |word: &String| matches!(word.as_str(), "-l" | "-L" | "-0" | "--list");
    if words.iter().any(asks) {
        return Vec::new();
    }
    let rest = match words {
        [how, _, rest @ ..] if matches!(how.as_str(), "-s" | "-n" | "--signal") => rest,
        [how, rest @ ..] if how.starts_with('-') => rest,
        all => all,
    };
    let is_own = |word: &&String| word.starts_with('%') || word.as_str() == "$!";
    let is_ended = |word: &&String| *word != "--" && !is_own(word);
    let ended: Vec<String> = rest.iter().filter(is_ended).cloned().collect();
    match ended.is_empty() && !is_listed {
        true => Vec::new(),
        false => harm("kills processes", said(&ended)),
    }
}
