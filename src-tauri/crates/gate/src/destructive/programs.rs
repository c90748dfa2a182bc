//! Which programs destroy what, by their words.
//!
//! Programs that only start others (`sudo`, `env`, `xargs`, `sh -c`, `find -exec`, …) are looked
//! through. A program that is not listed, a script and a package manager's own script are unknown and
//! no harm: the sandbox and the undo hold those. What a shell reads from a download or a decoder counts,
//! since nobody can read it beforehand. Dry runs lose nothing.
//!
//! Submodules: `starting` and `starters` look through, `files` knows what is written over, `clouds` knows containers, clusters, clouds and registries, `data`
//! databases, `system` packages, services and processes, `one_liner` programs given to an interpreter.

mod clouds;
mod data;
mod files;
mod one_liner;
mod starters;
mod starting;
mod system;
mod words;

use std::collections::BTreeMap;

use crate::word_list::WordList;

use super::shell::{self, Simple};
use super::{Harm, Subject, git};
use files::{in_place, moved_away, moved_onto, over, paths, without_size, written_to};
use words::{has, is_dry, names};

pub(super) use starting::{base, starts_others};

/// Where a command line is carried out and what its names stand for, as far as it can be told.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    /// The folder below the workspace; `None` once it cannot be told.
    folder: Option<String>,
    /// The folders of the subshells around.
    outer: Vec<Option<String>>,
    /// The folders that `popd` goes back to.
    pushed: Vec<Option<String>>,
    /// What the line itself has given names to.
    given: BTreeMap<String, String>,
}

impl Place {
    /// The workspace itself.
    pub(super) fn top() -> Self {
        Self {
            folder: Some(String::new()),
            ..Self::default()
        }
    }

    /// The command with the names in it that the line gave replaced by what they stand for.
    fn resolved(&self, command: &Simple) -> Simple {
        if self.given.is_empty() {
            return command.clone();
        }
        let all = |words: &[String]| words.iter().map(|word| self.put_in(word)).collect();
        let mut resolved = Simple {
            words: all(&command.words),
            over: all(&command.over),
            text: self.put_in(&command.text),
            from: all(&command.from),
        };
        // `$CMD` alone is a program with its words.
        if let (Some(written), Some(first)) = (command.words.first(), resolved.words.first())
            && written.starts_with('$')
            && written != first
        {
            let first: Vec<String> = first.split_whitespace().map(str::to_owned).collect();
            resolved.words.splice(0..1, first);
        }
        resolved
    }

    fn put_in(&self, word: &str) -> String {
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
            let is_closed = is_braced == after.starts_with('}');
            match self.given.get(name).filter(|_| !is_braced || is_closed) {
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

    /// Goes where the command goes, and keeps the names that it gives.
    fn follow(&mut self, command: &Simple) {
        let mut words = command.words.as_slice();
        if let [program, rest @ ..] = words
            && WordList("export local declare readonly typeset").contains(program)
        {
            words = rest;
        }
        let given: Vec<_> = words
            .iter()
            .map_while(|word| starting::assigned(word))
            .collect();
        if given.len() == words.len() {
            let given = given.iter();
            self.given
                .extend(given.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        }
        match words {
            // These give a name something that cannot be told.
            [program, name, ..] if matches!(program.as_str(), "for" | "read" | "unset") => {
                self.given.remove(name);
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

/// What the commands of a shell line destroy.
pub(super) fn of_shell(line: &str, place: &mut Place, depth: usize) -> Vec<Harm> {
    shell::commands(line)
        .iter()
        .flat_map(|command| of_command(command, place, depth))
        .collect()
}

/// Commands inside commands are followed so far; what is deeper counts as destructive.
const DEEPEST: usize = 6;

/// What one command destroys.
pub(super) fn of_command(command: &Simple, place: &mut Place, depth: usize) -> Vec<Harm> {
    if depth > DEEPEST {
        return unread(command.words.join(" "));
    }
    if command.is_begin() {
        place.outer.push(place.folder.clone());
        return Vec::new();
    }
    if command.is_end() {
        place.folder = place.outer.pop().unwrap_or_else(|| place.folder.clone());
        return Vec::new();
    }
    let command = &place.resolved(command);
    let mut harms = Vec::new();
    if !command.over.is_empty() {
        harms.push(Harm {
            what: "overwrites files",
            subjects: command.over.iter().cloned().map(Subject::Over).collect(),
        });
    }
    let mut inner = Vec::new();
    match starting::started(command) {
        None => {}
        Some(starting::Started::Script(text)) => {
            inner = of_shell(&text, &mut place.clone(), depth + 1);
        }
        Some(starting::Started::Commands(commands)) => {
            let mut elsewhere = Place::default();
            for command in &commands {
                inner.extend(of_command(command, &mut elsewhere, depth + 1));
            }
        }
        Some(starting::Started::Unread(text)) => harms.extend(unread(text)),
        Some(starting::Started::Program {
            name,
            words,
            listed,
        }) => {
            let mut own = of_program(&name, &words, command, listed.is_some());
            for harm in &mut own {
                harm.subjects.extend(listed.clone().map(Subject::Words));
            }
            harms.extend(own);
            let lines = one_liner::lines(&name, &words, command);
            inner = lines
                .iter()
                .flat_map(|line| of_shell(line, &mut place.clone(), depth + 1))
                .collect();
        }
    }
    for harm in &mut harms {
        let subjects = std::mem::take(&mut harm.subjects).into_iter();
        harm.subjects = subjects
            .map(|subject| subject.below(place.folder.as_deref()))
            .collect();
    }
    harms.extend(inner);
    place.follow(command);
    harms
}

fn harm(what: &'static str, subjects: Vec<Subject>) -> Vec<Harm> {
    vec![Harm { what, subjects }]
}

/// What is started and cannot be looked at.
fn unread(text: String) -> Vec<Harm> {
    harm(
        "runs what nobody can read beforehand",
        vec![Subject::Words(text)],
    )
}

/// Each word as it stands.
fn said(words: &[String]) -> Vec<Subject> {
    words.iter().cloned().map(Subject::Words).collect()
}

fn of_program(name: &str, words: &[String], command: &Simple, is_listed: bool) -> Vec<Harm> {
    let named = names(words);
    let has = |letter: char, long: &str| has(words, letter, long);
    let paths = || paths(&named);
    // Without a file nothing is done to one.
    let to_files = |what: &'static str, subjects: Vec<Subject>| match subjects.is_empty() {
        true if !is_listed => Vec::new(),
        _ => harm(what, subjects),
    };
    if one_liner::is_interpreter(name) {
        let mut harms = one_liner::harms(name, words, command);
        harms.extend(in_place(name, words, is_listed));
        harms.extend(data::resets(name, &named));
        // `bun` is a package manager too.
        if !harms.is_empty() || name != "bun" {
            return harms;
        }
    }
    // These say something and end.
    let says_help = words
        .iter()
        .take_while(|word| *word != "--")
        .any(|word| word == "--help");
    if says_help || words.last().is_some_and(|word| word == "--version") {
        return Vec::new();
    }
    if name == "git" {
        return git::harms(words);
    }
    if is_dry(words) {
        return Vec::new();
    }
    match name {
        "rm" | "unlink" | "srm" | "rimraf" | "del-cli" => to_files("deletes files", paths()),
        "shred" | "wipe" => to_files("destroys what files hold", paths()),
        "truncate" => to_files("cuts files short", over(&without_size(words))),
        "dd" => {
            let target = words.iter().find_map(|word| word.strip_prefix("of="));
            target.map_or_else(Vec::new, |target| {
                to_files("overwrites files", vec![Subject::Over(target.to_owned())])
            })
        }
        "mv" | "cp" | "install" if !has('n', "--no-clobber") => {
            let mut harms = to_files("overwrites files", moved_onto(words, &named));
            if name == "mv" {
                harms.extend(to_files(
                    "moves files out of the workspace",
                    moved_away(words, &named),
                ));
            }
            harms
        }
        "ln" if has('f', "--force") => to_files("overwrites files", moved_onto(words, &named)),
        "tee" if !has('a', "--append") => to_files("overwrites files", over(&named)),
        "sponge" if !has('a', "") => to_files("overwrites files", over(&named)),
        "sort" => written_to(words, 'o', "--output"),
        "wget" => written_to(words, 'O', "--output-document"),
        "curl" | "http" | "https" | "xh" => {
            let mut harms = written_to(words, 'o', "--output");
            harms.extend(clouds::deletes_at_server(name, words, &named));
            harms
        }
        "sed" => in_place(name, words, is_listed),
        "rsync" if has('n', "") => Vec::new(),
        "rsync" if words.iter().any(|word| word == "--remove-source-files") => {
            to_files("deletes files", paths())
        }
        "rsync"
            if words
                .iter()
                .any(|word| word == "--del" || word.starts_with("--delete")) =>
        {
            to_files(
                "deletes files",
                named
                    .last()
                    .map(|target| match target.contains(':') {
                        true => Subject::Words(target.clone()),
                        false => Subject::Path(target.clone()),
                    })
                    .into_iter()
                    .collect(),
            )
        }
        "tar" if words.iter().any(|word| word == "--remove-files") => {
            to_files("deletes files", paths())
        }
        "zip" if has('m', "--move") => to_files("deletes files", paths()),
        "chmod" | "chown" | "chgrp" | "setfacl" | "chattr" if has('R', "--recursive") => {
            let behind = named.get(1..).unwrap_or_default();
            to_files("changes the rights of everything in", files::paths(behind))
        }
        "find" | "fd" | "fdfind" if words.iter().any(|word| word == "-delete") => to_files(
            "deletes files",
            vec![Subject::Words(starting::listing(name, words))],
        ),
        "svn" | "hg" => other_history(name, &named, words),
        _ => {
            let mut harms = clouds::harms(name, words, &named);
            harms.extend(data::harms(name, words, &named, command));
            harms.extend(system::harms(name, words, &named, is_listed));
            harms
        }
    }
}

/// `hg` and `svn`: what throws local changes away.
fn other_history(name: &str, named: &[String], words: &[String]) -> Vec<Harm> {
    let verb = named.first().map(String::as_str).unwrap_or_default();
    let throws = match name {
        "svn" => matches!(verb, "revert" | "cleanup") && (verb == "revert" || words.len() > 1),
        _ => {
            matches!(verb, "purge" | "revert" | "strip" | "rollback")
                || (matches!(verb, "update" | "up" | "co" | "checkout")
                    && has(words, 'C', "--clean"))
        }
    };
    match throws {
        true => harm("throws away uncommitted changes", said(named)),
        false => Vec::new(),
    }
}
