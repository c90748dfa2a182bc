//! Command lines that only read, such as `git diff | head -50`.
//!
//! Recognizes a short list of programs, and only if their arguments can't make them write or start
//! another program. Anything else is assumed to write, so the person is asked.

use plan::word_list::WordList;

use crate::destructive::simple_commands;

/// Programs that only read, with any arguments.
const READERS: WordList = WordList(
    "basename cat cd cmp cut diff dirname du echo egrep false fgrep grep head ls nl pwd readlink \
     realpath stat tail test true uname wc whoami which",
);

/// Subcommands of Git that only read, unless [`is_git_reading`] rejects their arguments.
const GIT_READERS: WordList = WordList("blame describe diff log ls-files rev-parse show status");

/// Redirections that write nothing.
const HARMLESS: [&str; 5] = [
    "2>&1",
    "2>/dev/null",
    "2> /dev/null",
    ">/dev/null",
    "> /dev/null",
];

/// Whether a command line only reads files and prints.
pub fn is_read_only_command(line: &str) -> bool {
    let mut rest = format!("{} ", line.trim_matches([' ', '\t', '\n']));
    for redirection in HARMLESS {
        for border in [" ", "|", ";", "&"] {
            rest = rest.replace(&format!("{redirection}{border}"), border);
        }
    }
    // Ask the person about lines with expansions, redirections, groups or continuations, and with
    // spaces that the shell would treat as part of a word.
    let is_odd = |c: char| {
        let is_unknown_space = c.is_whitespace() && !matches!(c, ' ' | '\t');
        "<>$`(){}!\\#".contains(c) || (c.is_control() && c != '\t') || is_unknown_space
    };
    if rest.trim().is_empty() || rest.contains(is_odd) {
        return false;
    }
    let commands = simple_commands(&rest);
    let has_pattern = has_pattern(&rest);
    // In another folder, Git uses the settings of that repository, which can start programs.
    if begins_with(&commands, "cd") && begins_with(&commands, "git") {
        return false;
    }
    !commands.is_empty() && commands.iter().all(|words| is_reading(words, has_pattern))
}

/// Whether a command line calls Git, whose effects depend on the settings of the repository in
/// which it runs.
pub fn calls_git(line: &str) -> bool {
    begins_with(&simple_commands(line), "git")
}

fn begins_with(commands: &[Vec<String>], program: &str) -> bool {
    let mut programs = commands.iter().filter_map(|words| words.first());
    programs.any(|first| first == program)
}

/// Whether the shell would replace a word with file names.
fn has_pattern(line: &str) -> bool {
    let mut quote = None;
    for letter in line.chars() {
        match quote {
            Some(open) if open == letter => quote = None,
            Some(_) => {}
            None if matches!(letter, '"' | '\'') => quote = Some(letter),
            None if matches!(letter, '*' | '?' | '[' | '~') => return true,
            None => {}
        }
    }
    false
}

fn is_reading(words: &[String], has_pattern: bool) -> bool {
    let Some((program, words)) = words.split_first() else {
        return false;
    };
    if READERS.contains(program) {
        return true;
    }
    // A pattern could become a word that makes the program write, such as a file called `-delete`.
    if has_pattern {
        return false;
    }
    match program.as_str() {
        "git" => is_git_reading(words),
        "find" => is_find_reading(words),
        "sed" => is_sed_reading(words),
        "rg" => !words
            .iter()
            .any(|word| word.starts_with("--pre") || word.starts_with("--host")),
        "sort" => words
            .iter()
            .all(|word| is_short_option_of(word, "bdfghiMnrRuVz")),
        "uniq" => words.iter().all(|word| is_short_option_of(word, "cdiu")),
        _ => false,
    }
}

/// Whether a word is a group of these single-letter options.
fn is_short_option_of(word: &str, options: &str) -> bool {
    let letters = word.strip_prefix('-').unwrap_or_default();
    !letters.is_empty() && letters.chars().all(|letter| options.contains(letter))
}

/// Whether Git only reads: a read-only subcommand, without options (even abbreviated) that write a
/// file or start a program.
fn is_git_reading(words: &[String]) -> bool {
    let words = match words {
        [first, rest @ ..] if first == "--no-pager" => rest,
        all => all,
    };
    let Some((command, words)) = words.split_first() else {
        return false;
    };
    let is_risky = |word: &String| {
        ["--o", "--ext", "--textconv", "--e", "--c", "-c", "-C", "-O"]
            .iter()
            .any(|start| word.starts_with(start) && !is_known(word))
    };
    GIT_READERS.contains(command) && !words.iter().any(is_risky)
}

/// Whether a word is a harmless option that starts like a risky one.
fn is_known(word: &str) -> bool {
    const KNOWN: WordList =
        WordList("--oneline --cached --color --cc --compact-summary --check --count --contents");
    KNOWN.contains(word)
}

fn is_find_reading(words: &[String]) -> bool {
    const STARTS: [&str; 5] = ["-exec", "-ok", "-delete", "-fprint", "-fls"];
    !words
        .iter()
        .any(|word| STARTS.iter().any(|start| word.starts_with(start)))
}

/// Only `sed -n 10,20p FILE…`: other scripts can write files and run commands.
fn is_sed_reading(words: &[String]) -> bool {
    let [option, script, files @ ..] = words else {
        return false;
    };
    let lines = script.strip_suffix('p').unwrap_or_default();
    let is_range = !lines.is_empty() && lines.chars().all(|c| c.is_ascii_digit() || c == ',');
    option == "-n" && is_range && !files.iter().any(|file| file.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_around_only_reads() {
        for line in [
            "ls -la",
            "git status",
            "git --no-pager log --oneline -5",
            "git diff --cached | head -50",
            "cd src && ls",
            "grep -rn \"a|b\" src 2>/dev/null | wc -l",
            "find . -name '*.py'",
            "sed -n 10,20p src/a.py",
            "cat a.txt; pwd",
            "rg -n total src",
            "ls src/*.py | head -5",
            "ls src | sort -r | uniq -c",
            "head -5 ~/notes.md",
        ] {
            assert!(is_read_only_command(line), "{line}");
        }
    }

    #[test]
    fn nothing_that_may_write_or_start_something_only_reads() {
        for line in [
            "",
            "rm a",
            "ls > a",
            "ls >> a",
            "cat a 2>/dev/null > b",
            "cat a 2>/dev/nullb",
            "echo a | tee b",
            "ls; rm a",
            "ls & rm a",
            "ls | xargs rm",
            "cat $(rm a)",
            "cat `rm a`",
            "cat <(rm a)",
            "echo a\nrm b",
            "X=1 ls",
            "/tmp/ls",
            "./cat a",
            "git diff --output=a",
            "git log --outp a",
            "git diff --ext-diff",
            "git -c core.pager=x log",
            "git -C .. status",
            "cd x && git status",
            "ls; cd .. ; git log | head",
            "git grep -Ovi a",
            "git branch new",
            "git stash",
            "find . -delete",
            "find . -exec rm a",
            "find . -fprintf a b",
            "sed -i s/a/b/ a",
            "sed -n wb a",
            "sed -n 1p -i a",
            "sed -n 1,2p --in-place a",
            "rg --pre x a",
            "rg --pre=x a",
            "sort -o a b",
            "sort -uo a b",
            "sort --output=a b",
            "uniq a b",
            "find *",
            "git log *",
            "[ -f a ]",
            "env ls",
            "python3 -m unittest",
            "npm test",
            "planwright run a.md --approve 123",
            "test a && rm b",
            "! rm a",
            "ls \\\n; rm a",
            "'rm' a",
            "l's'; r'm' a",
        ] {
            assert!(!is_read_only_command(line), "{line}");
        }
    }
}
