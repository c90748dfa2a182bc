//! Determines from the words of a command line whether it makes a commit, before anything runs.

use plan::CommandLine;
use plan::word_list::WordList;

/// Git commands that write only objects, references, logs and the index.
const VERBS: WordList = WordList("add commit mv rm reset restore stash tag");

/// Whether a command line commits: it runs Git in the workspace's folder with a verb that commits.
pub fn is_commit(line: &CommandLine) -> bool {
    match line {
        CommandLine::Argv(words) => commits(words.iter().map(String::as_str)),
        CommandLine::Shell(text) => {
            !parts_of(text).any(leaves)
                && parts_of(text).any(|part| commits(part.split_whitespace()))
        }
    }
}

/// Whether a command calls only Git and, in a shell, `echo`.
pub(super) fn is_git_alone(argv: &[String]) -> bool {
    match argv {
        [shell, _, text] if shell == "/bin/sh" => parts_of(text)
            .all(|part| program_of(part).is_none_or(|word| is_git(word) || word == "echo")),
        _ => argv.first().is_some_and(|program| is_git(program)),
    }
}

/// The commands of a shell line. Quoted text is split too.
fn parts_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', ';', '&', '|', '(', ')'])
}

/// The words of a command starting with its program, including a command passed to a shell.
fn words_of(part: &str) -> impl Iterator<Item = &str> {
    const BEFORE: WordList = WordList("{ ! if then else while do exec env time command builtin");
    let is_shell = |word: &str| matches!(word, "sh" | "bash" | "dash" | "zsh" | "ksh");
    let words = part.split_whitespace();
    let words = words.map(|word| word.trim_matches(['"', '\'']));
    words.skip_while(move |word| {
        let name = word.rsplit('/').next().unwrap_or(word);
        BEFORE.contains(word) || is_shell(name) || word.starts_with('-') || is_assignment(word)
    })
}

fn program_of(part: &str) -> Option<&str> {
    words_of(part).find(|word| !word.is_empty())
}

/// Whether a command works in a folder other than the workspace, or makes later commands do so.
fn leaves(part: &str) -> bool {
    let mut words = words_of(part);
    match words.next() {
        Some("cd" | "pushd") => true,
        Some(program) if is_git(program) => {
            while let Some(option) = words.next().filter(|word| word.starts_with('-')) {
                if names_another(option) {
                    return true;
                }
                if option == "-c" {
                    words.next();
                }
            }
            false
        }
        _ => false,
    }
}

/// Whether a Git option names a folder or repository other than the workspace's.
fn names_another(option: &str) -> bool {
    let option = option.split_once('=').map_or(option, |(name, _)| name);
    matches!(option, "-C" | "--git-dir" | "--work-tree")
}

fn is_git(word: &str) -> bool {
    word == "git" || word.ends_with("/git")
}

fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    name.is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

fn commits<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    let mut words = words.skip_while(|word| is_assignment(word));
    if !words.next().is_some_and(is_git) {
        return false;
    }
    while let Some(word) = words.next() {
        match word {
            "-c" => drop(words.next()),
            word if names_another(word) => return false,
            word if word.starts_with('-') => {}
            verb => return VERBS.contains(verb),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_says_so_commits_and_no_other() {
        let is = |text: &str| is_commit(&CommandLine::parse(text).unwrap());
        for text in [
            "git commit -m one",
            "git add -A && git commit -qm 'a b'",
            "git -c user.name=a commit",
            "make test && git add .",
            "GIT_AUTHOR_NAME=x git commit -m y",
            "/usr/bin/git tag v1",
            "make test && git commit -m 'change -C and cd'",
        ] {
            assert!(is(text), "{text}");
        }
        for text in [
            "git status",
            "git log --grep commit",
            "echo git commit",
            "git -C other commit",
            "cd other && git commit",
            "git --git-dir=x commit",
            "bash -c 'cd other && git commit -m x'",
            "sh -ec \"cd other; git add -A && git commit\"",
            "if true; then cd other; fi; git commit",
            "git add -A && git -C other commit -m x",
            "git add -A && git -c a=b --git-dir=other/.git commit",
            "git config core.fsmonitor x",
            "git switch -c x",
            "make commit",
        ] {
            assert!(!is(text), "{text}");
        }
    }
}
