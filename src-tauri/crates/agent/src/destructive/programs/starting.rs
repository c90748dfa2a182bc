//! What a command really starts: through `sudo`, `env`, `xargs`, `sh -c`, `find -exec`, `ssh` and
//! their like.

use super::Simple;
use crate::destructive::shell;

/// What a command comes to.
pub(super) enum Started {
    /// A program with its words.
    Program {
        /// Its name without a folder.
        name: String,
        /// Its arguments.
        words: Vec<String>,
        /// Where further arguments come from, as words for a person.
        listed: Option<String>,
    },
    /// A shell reads this.
    Script(String),
    /// These are started, somewhere else or once for each file.
    Commands(Vec<Simple>),
}

/// Words that a shell takes before a command.
const BEFORE: [&str; 10] = [
    "if", "then", "else", "elif", "do", "while", "until", "!", "{", "time",
];

/// The name of a program without its folder.
pub(in crate::destructive) fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

pub(super) fn started(command: &Simple) -> Option<Started> {
    let mut words = command.words.as_slice();
    let mut listed = None;
    // Each turn takes at least one word away.
    while let Some((program, rest)) = words.split_first() {
        words = match base(program) {
            before if BEFORE.contains(&before) => rest,
            _ if is_assignment(program) => rest,
            "sudo" | "doas" => behind(
                rest,
                &[
                    "-u", "-g", "-h", "-p", "-C", "-T", "-U", "-r", "-t", "-D", "-R",
                ],
            ),
            "env" => match split_string(rest) {
                Some(text) => return Some(Started::Script(text)),
                None => behind(rest, &["-u", "-C", "--unset", "--chdir"]),
            },
            "nice" => behind(rest, &["-n", "--adjustment"]),
            "ionice" => behind(rest, &["-c", "-n", "-p"]),
            "timeout" => behind(rest, &["-k", "-s"]).get(1..).unwrap_or_default(),
            "flock" => behind(rest, &["-w", "-E"]).get(1..).unwrap_or_default(),
            "nohup" | "setsid" | "stdbuf" | "builtin" | "exec" | "chronic" | "unbuffer"
            | "busybox" | "toybox" | "npx" | "bunx" | "pnpx" | "xvfb-run" | "strace"
            | "fakeroot" => behind(rest, &["-a", "-o", "-e", "-p", "--package"]),
            // With these it only says where the program is.
            "command" if rest.iter().any(|word| word == "-v" || word == "-V") => return None,
            "command" => behind(rest, &[]),
            "uv" | "poetry" | "pipenv" | "hatch" | "rye"
                if rest.first().is_some_and(|word| word == "run") =>
            {
                behind(&rest[1..], &[])
            }
            "bundle" if rest.first().is_some_and(|word| word == "exec") => &rest[1..],
            "xargs" | "parallel" => {
                let from = match command.from.is_empty() {
                    true => "every name that it is given".to_owned(),
                    false => format!("every name that `{}` prints", command.from.join(" ")),
                };
                listed = Some(from);
                let options = [
                    "-n",
                    "-I",
                    "-P",
                    "-L",
                    "-d",
                    "-E",
                    "-s",
                    "-a",
                    "-j",
                    "--max-args",
                    "--max-procs",
                    "--delimiter",
                    "--arg-file",
                    "--replace",
                ];
                behind(rest, &options)
            }
            "eval" => return Some(Started::Script(rest.join(" "))),
            "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "fish" => {
                return script(rest, command).map(Started::Script);
            }
            "ssh" => {
                let options = [
                    "-p", "-i", "-l", "-o", "-F", "-J", "-L", "-R", "-D", "-b", "-c", "-E", "-m",
                    "-W",
                ];
                let remote = behind(rest, &options).get(1..).unwrap_or_default();
                return elsewhere(&remote.join(" "));
            }
            "docker" | "podman" | "docker-compose" | "kubectl" | "oc"
                if rest.iter().take(2).any(|word| word == "exec") =>
            {
                return in_container(rest);
            }
            "find" | "fd" | "fdfind" if has_exec(rest) => {
                return Some(each_found(base(program), rest));
            }
            name => {
                return Some(Started::Program {
                    name: name.to_owned(),
                    words: rest.to_vec(),
                    listed,
                });
            }
        };
    }
    None
}

/// `NAME=value` before a command.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let mut letters = name.chars();
        letters
            .next()
            .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    })
}

/// What stands behind a program's options; `valued` take the next word with them.
fn behind<'a>(words: &'a [String], valued: &[&str]) -> &'a [String] {
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        if word == "--" {
            return after;
        }
        if !word.starts_with('-') || word == "-" {
            break;
        }
        rest = match valued.contains(&word.as_str()) {
            true => after.get(1..).unwrap_or_default(),
            false => after,
        };
    }
    rest
}

/// `env -S "rm x"`.
fn split_string(words: &[String]) -> Option<String> {
    let at = words
        .iter()
        .position(|word| word == "-S" || word == "--split-string")?;
    words.get(at + 1).map(|_| words[at + 1..].join(" "))
}

/// What a shell reads: behind `-c`, from a here-document, or what is printed into it.
fn script(words: &[String], command: &Simple) -> Option<String> {
    let at = words
        .iter()
        .position(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('c'));
    if let Some(at) = at {
        return words.get(at + 1).cloned();
    }
    if words.iter().any(|word| !word.starts_with('-')) {
        // A script's file is not looked into.
        return None;
    }
    match command.from.first().map(String::as_str) {
        Some("echo" | "printf") => Some(command.from[1..].join(" ")),
        _ => Some(command.text.clone()).filter(|text| !text.is_empty()),
    }
}

fn elsewhere(line: &str) -> Option<Started> {
    (!line.trim().is_empty()).then(|| Started::Commands(shell::commands(line)))
}

/// `docker exec [options] NAME command …`, `kubectl exec NAME -- command …`.
fn in_container(words: &[String]) -> Option<Started> {
    let at = words.iter().position(|word| word == "exec")?;
    let rest = &words[at + 1..];
    let inner = match rest.iter().position(|word| word == "--") {
        Some(dashes) => &rest[dashes + 1..],
        None => behind(
            rest,
            &["-u", "-w", "-e", "--user", "--workdir", "--env", "-n", "-c"],
        )
        .get(1..)
        .unwrap_or_default(),
    };
    let command = Simple {
        words: inner.to_vec(),
        ..Simple::default()
    };
    (!inner.is_empty()).then(|| Started::Commands(vec![command]))
}

const EXECS: [&str; 8] = [
    "-exec",
    "-execdir",
    "-ok",
    "-okdir",
    "-x",
    "-X",
    "--exec",
    "--exec-batch",
];

fn has_exec(words: &[String]) -> bool {
    words.iter().any(|word| EXECS.contains(&word.as_str()))
}

/// What `find` lists, as words for a person.
pub(super) fn listing(name: &str, words: &[String]) -> String {
    let ends = |word: &&String| *word != "-delete" && !EXECS.contains(&word.as_str());
    let shown: Vec<&str> = words.iter().take_while(ends).map(String::as_str).collect();
    format!("everything that `{name} {}` finds", shown.join(" "))
}

/// The commands that `find` starts for what it finds.
fn each_found(name: &str, words: &[String]) -> Started {
    let found = listing(name, words);
    let mut commands = Vec::new();
    let mut rest = words;
    while let Some(at) = rest.iter().position(|word| EXECS.contains(&word.as_str())) {
        let inner = &rest[at + 1..];
        let end = inner
            .iter()
            .position(|word| matches!(word.as_str(), ";" | "+"))
            .unwrap_or(inner.len());
        let inner_words = inner[..end].iter().map(|word| match word.as_str() {
            "{}" => found.clone(),
            other => other.replace("{}", &found),
        });
        commands.push(Simple {
            words: inner_words.collect(),
            ..Simple::default()
        });
        rest = inner.get(end + 1..).unwrap_or_default();
    }
    if words.iter().any(|word| word == "-delete") {
        commands.push(Simple {
            words: vec!["rm".to_owned(), found],
            ..Simple::default()
        });
    }
    Started::Commands(commands)
}
