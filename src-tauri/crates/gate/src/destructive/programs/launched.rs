//! Finds the programs that a command starts through `sudo`, `xargs`, `sh -c`, `ssh` and similar
//! programs, and code for a shell that can't be inspected (`curl … | sh`).

use super::SimpleCommand;
use super::computed;
use super::launchers::{containers_verb, in_container, started_by};
use super::one_liner;
use super::options::{behind, names, value_of};
use crate::destructive::shell;
use plan::word_list::WordList;

/// What a command actually starts.
pub(super) enum Launched {
    /// A program with its words.
    Program {
        /// Its name without the folder.
        name: String,
        /// Its arguments.
        words: Vec<String>,
        /// Where further arguments come from, described for a person.
        listed: Option<String>,
    },
    /// Text that a shell runs.
    Script(String),
    /// Commands that are started elsewhere or once per file.
    Commands(Vec<SimpleCommand>),
    /// Input for a shell that can't be inspected, such as a download or decoder output.
    Unread(String),
}

/// Shell keywords that may precede a command.
const SHELL_KEYWORDS: WordList = WordList("if then else elif do while until ! { coproc");

/// The name of a program without its folder.
pub(in crate::destructive) fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Whether the words after a program are another program or contain code, so that a prefix doesn't
/// determine what the command does.
pub(in crate::destructive) fn starts_others(words: &[String]) -> bool {
    let command = of_words(words);
    let first = words.first().map(|word| base(word)).unwrap_or_default();
    if is_python(first) {
        return module_of(&words[1..]).is_none()
            && words.get(1).is_some_and(|word| word.starts_with('-'));
    }
    let is_known = started_by(first, &[]).is_some() || is_shell(first);
    is_known
        || match started(&command) {
            Some(Launched::Program { name, .. }) => name != first,
            Some(_) => true,
            None => matches!(
                first,
                "env" | "xargs" | "parallel" | "eval" | "ssh" | "su" | "watch" | "script"
            ),
        }
        || (one_liner::is_interpreter(first)
            && words.get(1).is_some_and(|word| word.starts_with('-')))
}

/// Maximum depth of computed names that themselves contain computed names.
const MAX_DEPTH: usize = 8;

pub(super) fn started(command: &SimpleCommand) -> Option<Launched> {
    resolve(command, None, 0)
}

fn resolve(command: &SimpleCommand, listed: Option<String>, depth: usize) -> Option<Launched> {
    let mut words = command.words.as_slice();
    let mut listed = listed;
    // Terminates, because each iteration removes at least one word.
    while let Some((program, rest)) = words.split_first() {
        if program.contains(['$', '`']) && assigned(program).is_none() {
            return match computed::resolved(program).filter(|_| depth < MAX_DEPTH) {
                Some(program) => {
                    let mut command = command.clone();
                    command.words = [&program, rest].concat();
                    resolve(&command, listed, depth + 1)
                }
                None if !rest.is_empty() => Some(Launched::Unread(words.join(" "))),
                // Without arguments, it is like a script file, which is not read.
                None => Some(read_by_shell(program.clone())).filter(is_unread),
            };
        }
        let name = base(program);
        if let Some(inner) = started_by(name, rest) {
            if name == "runuser" && value_of(rest, 'c', "--command").is_some() {
                return script(rest, command);
            }
            words = inner;
            continue;
        }
        words = match name {
            before if SHELL_KEYWORDS.contains(before) => rest,
            // The body of `function name { … }` is judged where it is defined.
            "function" => rest.get(1..).unwrap_or_default(),
            _ if assigned(program).is_some() => rest,
            "env" => {
                let valued = WordList("-u -C -S --unset --chdir --split-string");
                let inner = behind(rest, valued);
                let options = &rest[..rest.len() - inner.len()];
                if let Some(text) = value_of(options, 'S', "--split-string") {
                    return Some(Launched::Script(format!("{text} {}", inner.join(" "))));
                }
                if value_of(options, 'C', "--chdir").is_some() {
                    // The program runs in another folder, to which its paths are relative.
                    return Some(Launched::Commands(vec![of_words(inner)]));
                }
                inner
            }
            // With these options, it only prints where the program is.
            "command" if rest.iter().any(|word| word == "-v" || word == "-V") => return None,
            "command" => behind(rest, WordList("")),
            "xargs" | "parallel" => {
                let from = match command.from.is_empty() {
                    true => "every argument it receives".to_owned(),
                    false => format!("every name printed by `{}`", command.from.join(" ")),
                };
                listed = Some(from);
                let options = WordList(
                    "-n -I -P -L -d -E -s -a -j --max-args --max-procs --delimiter --arg-file",
                );
                behind(rest, options)
            }
            "eval" => return Some(read_by_shell(rest.join(" "))),
            "source" | "." if rest.iter().any(|word| word == shell::OUTPUT_OF) => {
                return Some(Launched::Unread(command.words.join(" ")));
            }
            // `trap 'rm -r x' EXIT`; with an option, it only lists traps.
            "trap" => {
                let line = rest.first().filter(|line| !line.starts_with('-'));
                return line.cloned().map(Launched::Script);
            }
            "su" | "script" | "nix-shell" => {
                let line =
                    value_of(rest, 'c', "--command").or_else(|| value_of(rest, '\0', "--run"));
                return line.map(Launched::Script);
            }
            "watch" => return Some(Launched::Script(behind(rest, WordList("-n -q")).join(" "))),
            shell if is_shell(shell) => return script(rest, command),
            // Both pass their input to a shell later.
            "at" | "batch" => return script(&[], command),
            "ssh" => {
                let options = WordList("-p -i -l -o -F -J -L -R -D -b -c -E -m -W");
                let remote = behind(rest, options).get(1..).unwrap_or_default();
                return elsewhere(&remote.join(" "));
            }
            "docker" | "podman" | "nerdctl" | "docker-compose" | "kubectl" | "oc"
                if containers_verb(name, rest).is_some() =>
            {
                return in_container(rest);
            }
            "git" if let Some(line) = line_of_git(rest) => return Some(Launched::Script(line)),
            "find" | "fd" | "fdfind" if has_exec(rest) => {
                return Some(each_found(name, rest));
            }
            name => {
                let (name, words) = match module_of(rest).filter(|_| is_python(name)) {
                    Some((module, behind)) => (module.as_str(), behind),
                    None if is_python(name) => ("python", rest),
                    None => (name, rest),
                };
                if one_liner::reads_unread(name, words, command) {
                    return Some(unread_input(command));
                }
                return Some(Launched::Program {
                    name: name.to_owned(),
                    words: words.to_vec(),
                    listed,
                });
            }
        };
    }
    None
}

pub(in crate::destructive) fn of_words(words: &[String]) -> SimpleCommand {
    SimpleCommand {
        words: words.to_vec(),
        ..SimpleCommand::default()
    }
}

/// The name and value in an assignment, `NAME=value`, before a command or alone.
pub(super) fn assigned(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let mut letters = name.chars();
    let begins = letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    let goes_on = letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    (begins && goes_on).then_some((name, value))
}

fn is_shell(name: &str) -> bool {
    WordList("sh bash zsh dash ksh ash fish mksh rbash").contains(name)
}

/// Whether a program is Python: `python`, `python3`, `python3.12`.
fn is_python(name: &str) -> bool {
    let rest = name
        .strip_prefix("python")
        .or_else(|| name.strip_prefix("pypy"));
    rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// The module and its arguments in `python -m MODULE …`.
fn module_of(words: &[String]) -> Option<(&String, &[String])> {
    let mut rest = words;
    while let Some((word, behind)) = rest.split_first() {
        if !word.starts_with('-') || word == "-" || word.ends_with('c') {
            return None;
        }
        if word.ends_with('m') && !word.starts_with("--") {
            return behind.split_first();
        }
        rest = match word.as_str() {
            "-W" | "-X" => behind.get(1..).unwrap_or_default(),
            _ => behind,
        };
    }
    None
}

/// Programs whose output is code that can't be inspected.
const DOWNLOADERS_AND_DECODERS: WordList = WordList("curl wget base64 base32 xxd openssl uudecode");

/// Text that a shell runs; if it is the output of a download or a decoder, it can't be inspected.
fn read_by_shell(text: String) -> Launched {
    let is_output = text.starts_with("$(") || text.starts_with('`');
    let names_one = text
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | '|' | '`' | ';'))
        .any(|word| DOWNLOADERS_AND_DECODERS.contains(base(word)));
    match is_output && names_one {
        true => Launched::Unread(text),
        false => Launched::Script(text),
    }
}

/// The script that a shell runs: the argument of `-c`, a here-document, or piped input.
fn script(words: &[String], command: &SimpleCommand) -> Option<Launched> {
    if words.iter().any(|word| word == shell::OUTPUT_OF) {
        return Some(Launched::Unread(command.words.join(" ")));
    }
    let at = words
        .iter()
        .position(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('c'));
    if let Some(at) = at {
        return words.get(at + 1).cloned().map(read_by_shell);
    }
    let reads_input = words.iter().any(|word| word == "-s" || word == "-");
    if !reads_input && words.iter().any(|word| !word.starts_with('-')) {
        // A script file is not read.
        return None;
    }
    match command.has_uninspectable_input() {
        true => Some(unread_input(command)),
        false => Some(Launched::Script(command.input())),
    }
}

fn is_unread(started: &Launched) -> bool {
    matches!(started, Launched::Unread(_))
}

fn unread_input(command: &SimpleCommand) -> Launched {
    Launched::Unread(format!("the output of `{}`", command.from.join(" ")))
}

fn elsewhere(line: &str) -> Option<Launched> {
    (!line.trim().is_empty()).then(|| Launched::Commands(shell::commands(line)))
}

/// A command line that Git runs: `submodule foreach`, `bisect run`, or an alias set with `-c`.
fn line_of_git(words: &[String]) -> Option<String> {
    let alias = words.windows(2).find_map(|pair| {
        let is_alias = pair[0] == "-c" && pair[1].starts_with("alias.");
        pair[1].split_once("=!").filter(|_| is_alias)
    });
    if let Some((_, line)) = alias {
        return Some(line.to_owned());
    }
    let named = names(words);
    let verb = named.first().map(String::as_str);
    let is_line = matches!(
        (verb, named.get(1).map(String::as_str)),
        (Some("submodule"), Some("foreach")) | (Some("bisect"), Some("run"))
    );
    let at = words
        .iter()
        .position(|word| word == "foreach" || word == "run")?;
    is_line.then(|| behind(&words[at + 1..], WordList("")).join(" "))
}

const EXECS: WordList = WordList("-exec -execdir -ok -okdir -x -X --exec --exec-batch");

fn has_exec(words: &[String]) -> bool {
    words.iter().any(|word| EXECS.contains(word))
}

/// Describes for a person which files `find` lists.
pub(super) fn listing(name: &str, words: &[String]) -> String {
    let ends = |word: &&String| *word != "-delete" && !EXECS.contains(word);
    let shown: Vec<&str> = words.iter().take_while(ends).map(String::as_str).collect();
    format!("everything that `{name} {}` finds", shown.join(" "))
}

/// The commands that `find` runs on its results.
fn each_found(name: &str, words: &[String]) -> Launched {
    let found = listing(name, words);
    let mut commands = Vec::new();
    let mut rest = words;
    while let Some(at) = rest.iter().position(|word| EXECS.contains(word)) {
        let inner = &rest[at + 1..];
        let end = inner
            .iter()
            .position(|word| matches!(word.as_str(), ";" | "+"))
            .unwrap_or(inner.len());
        let mut inner_words: Vec<String> = inner[..end]
            .iter()
            .map(|word| word.replace("{}", &found))
            .collect();
        // `fd` appends the name itself.
        if name != "find" && !inner[..end].iter().any(|word| word.contains('{')) {
            inner_words.push(found.clone());
        }
        commands.push(of_words(&inner_words));
        rest = inner.get(end + 1..).unwrap_or_default();
    }
    if words.iter().any(|word| word == "-delete") {
        commands.push(of_words(&["rm".to_owned(), found]));
    }
    Launched::Commands(commands)
}
