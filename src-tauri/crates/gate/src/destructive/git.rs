//! What a `git` command takes away.
//!
//! Counted: work that no commit holds, files of the working tree, and names under which commits are
//! found (branches, tags, stashes, a remote's history). Not counted, since nothing is lost by them:
//! `git rm --cached` (the file stays, and its content with it), `git reset` without `--hard`, `git
//! restore --staged`, `git branch -d` (refused by Git for what is not merged), `git commit --amend` (one
//! commit, which the reflog holds), dry runs.

use super::{Harm, Subject};
use crate::word_list::WordList;

/// The words behind `git`.
pub(super) fn harms(words: &[String]) -> Vec<Harm> {
    let all = words;
    let (folder, words) = global(words);
    let words_before_verb = &all[..all.len() - words.len()];
    let Some((verb, rest)) = words.split_first() else {
        return Vec::new();
    };
    let call = Call::of(rest);
    let harm = |what: &'static str, subjects: Vec<Subject>| {
        vec![Harm {
            what,
            subjects: subjects
                .into_iter()
                .map(|subject| subject.below(Some(folder.as_deref().unwrap_or_default())))
                .collect(),
        }]
    };
    let words = |names: &[String]| {
        names
            .iter()
            .cloned()
            .map(Subject::Words)
            .collect::<Vec<_>>()
    };
    let paths = |names: &[String]| names.iter().cloned().map(Subject::Path).collect::<Vec<_>>();
    let over = |names: &[String]| names.iter().cloned().map(Subject::Over).collect::<Vec<_>>();
    let is_dry = call.has('n', "dry-run");
    const CHANGES: &str = "throws away uncommitted changes";
    const MOVES: &str = "moves a branch away from its commits";
    let changed = |below: &[String]| {
        let below = below.to_vec();
        harm(CHANGES, vec![Subject::Changed { below }])
    };
    // Without this Git cleans only when it is forced.
    let needs_force = !words_before_verb
        .iter()
        .any(|word| word.eq_ignore_ascii_case("clean.requireForce=false"));
    match verb.as_str() {
        "clean" if !is_dry && (call.has('f', "force") || !needs_force) => harm(
            "deletes files that Git does not track",
            vec![Subject::Untracked {
                below: call.names(),
                ignored: call.has('x', "") || call.has('X', ""),
            }],
        ),
        "reset" if call.has_long("hard") || call.has_long("merge") || call.has_long("keep") => {
            let mut harms = match call.has_long("keep") {
                true => Vec::new(),
                false => changed(&[]),
            };
            let back = call.names.iter().filter(|name| *name != "HEAD");
            let back: Vec<String> = back.cloned().collect();
            if !back.is_empty() {
                harms.extend(harm(MOVES, words(&back)));
            }
            harms
        }
        "checkout" | "switch" if call.has('f', "force") || call.has_long("discard-changes") => {
            changed(&[])
        }
        "checkout" if call.has('B', "") => harm(MOVES, words(&call.names)),
        "switch" if call.has('C', "force-create") => harm(MOVES, words(&call.names)),
        "switch" => Vec::new(),
        "checkout" if call.has_long("orphan") || call.has('b', "") => Vec::new(),
        "checkout" if call.names.iter().any(|name| name == ".") => changed(&[]),
        "checkout" => match &call.behind_dashes {
            Some(paths) => changed(paths),
            // Without dashes only a path means files, and a branch is none.
            None => changed(&call.names)
                .into_iter()
                .filter(|_| !call.names.is_empty())
                .collect(),
        },
        "checkout-index" if call.has('f', "force") => changed(&call.names()),
        "read-tree" if call.has_long("reset") => changed(&[]),
        "restore" if call.has('S', "staged") && !call.has('W', "worktree") => Vec::new(),
        "restore" => changed(&call.names()),
        "rm" if !is_dry && !call.has_long("cached") => harm("deletes files", paths(&call.names())),
        "mv" if !is_dry && call.has('f', "force") => harm(
            "overwrites files",
            over(
                call.names()
                    .last()
                    .map(std::slice::from_ref)
                    .unwrap_or_default(),
            ),
        ),
        "branch" if call.has('D', "") || (call.has('d', "delete") && call.has('f', "force")) => {
            harm("deletes branches", words(&call.names()))
        }
        "branch" if call.has('M', "") || call.has('f', "force") => {
            harm(MOVES, words(&call.names()))
        }
        "tag" if call.has('f', "force") => harm("moves tags", words(&call.names())),
        "tag" if call.has('d', "delete") => harm("deletes tags", words(&call.names())),
        "stash"
            if matches!(
                call.names.first().map(String::as_str),
                Some("drop" | "clear")
            ) =>
        {
            harm("drops stashed changes", words(&call.names))
        }
        "push" if !is_dry => {
            let names = call.names();
            let is_forced = call.has('f', "force")
                || call.starts_long("force-with-lease")
                || call.has_long("mirror")
                || names.iter().any(|name| name.starts_with('+'));
            let is_delete = call.has('d', "delete")
                || call.has_long("prune")
                || names.iter().skip(1).any(|name| name.starts_with(':'));
            match (is_forced, is_delete) {
                (true, _) => harm("overwrites a branch of the remote", words(&names)),
                (_, true) => harm("deletes branches of the remote", words(&names)),
                _ => Vec::new(),
            }
        }
        "reflog"
            if matches!(
                call.names.first().map(String::as_str),
                Some("expire" | "delete")
            ) =>
        {
            harm(
                "deletes the way back to earlier commits",
                words(&call.names),
            )
        }
        "gc" if call.starts_long("prune=now") || call.starts_long("prune=all") => {
            harm("deletes commits that no branch holds", Vec::new())
        }
        "prune" if !is_dry => harm("deletes commits that no branch holds", Vec::new()),
        "filter-branch" | "filter-repo" => harm("rewrites the history", Vec::new()),
        "update-ref" if call.has('d', "") => harm("deletes branches", words(&call.names())),
        "update-ref" if call.names.len() > 1 => harm(MOVES, words(&call.names())),
        "rebase"
            if !WordList("abort continue skip quit edit-todo show-current-patch")
                .iter()
                .any(|on| call.has_long(on)) =>
        {
            harm("writes commits anew", words(&call.names()))
        }
        "worktree"
            if call.names.first().is_some_and(|name| name == "remove")
                && call.has('f', "force") =>
        {
            harm("deletes files", paths(&call.names()[1..]))
        }
        "submodule"
            if call.names.first().is_some_and(|name| name == "deinit")
                && call.has('f', "force") =>
        {
            harm(CHANGES, paths(&call.names()[1..]))
        }
        _ => Vec::new(),
    }
}

/// Takes the options off that stand before the verb; the first value is the folder of `-C`.
fn global(words: &[String]) -> (Option<String>, &[String]) {
    let mut folder = None;
    let mut rest = words;
    while let Some((word, behind)) = rest.split_first() {
        match word.as_str() {
            "-C" => {
                folder = behind.first().cloned();
                rest = behind.get(1..).unwrap_or_default();
            }
            "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path" => {
                rest = behind.get(1..).unwrap_or_default();
            }
            option if option.starts_with('-') => rest = behind,
            _ => break,
        }
    }
    (folder, rest)
}

/// The words behind a verb.
struct Call {
    letters: String,
    long: Vec<String>,
    /// Words that are no options, those behind `--` left out.
    names: Vec<String>,
    behind_dashes: Option<Vec<String>>,
}

impl Call {
    fn of(words: &[String]) -> Self {
        let mut call = Self {
            letters: String::new(),
            long: Vec::new(),
            names: Vec::new(),
            behind_dashes: None,
        };
        for (at, word) in words.iter().enumerate() {
            if word == "--" {
                call.behind_dashes = Some(words[at + 1..].to_vec());
                break;
            } else if let Some(long) = word.strip_prefix("--") {
                call.long.push(long.to_owned());
            } else if let Some(letters) = word.strip_prefix('-').filter(|rest| !rest.is_empty()) {
                call.letters.push_str(letters);
            } else {
                call.names.push(word.clone());
            }
        }
        call
    }

    fn has(&self, letter: char, long: &str) -> bool {
        self.letters.contains(letter) || (!long.is_empty() && self.has_long(long))
    }

    /// Git takes the beginning of an option for it.
    fn has_long(&self, long: &str) -> bool {
        let is_meant = |name: &String| name == long || (name.len() > 2 && long.starts_with(name));
        self.long.iter().any(is_meant)
    }

    fn starts_long(&self, long: &str) -> bool {
        self.long.iter().any(|name| name.starts_with(long))
    }

    /// All words that are no options.
    fn names(&self) -> Vec<String> {
        let behind = self.behind_dashes.iter().flatten();
        self.names.iter().chain(behind).cloned().collect()
    }
}
