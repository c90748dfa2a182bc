//! Which programs destroy what, by their words.
//!
//! Programs that only start others (`sudo`, `env`, `xargs`, `sh -c`, `find -exec`, …) are looked
//! through. A program that is not listed, a script and a package manager's own script are unknown and
//! no harm: the sandbox and the undo hold those.

mod starting;

use super::shell::{self, Simple};
use super::{Harm, Subject, git, sql};

pub(super) use starting::base;

/// Where a command line is carried out, as far as it can be told.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    /// The folder below the workspace; `None` once it cannot be told.
    folder: Option<String>,
}

impl Place {
    /// The workspace itself.
    pub(super) fn top() -> Self {
        Self {
            folder: Some(String::new()),
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

/// Commands inside commands are followed so far.
const DEEPEST: usize = 6;

/// What one command destroys.
pub(super) fn of_command(command: &Simple, place: &mut Place, depth: usize) -> Vec<Harm> {
    let mut harms = Vec::new();
    if depth > DEEPEST {
        return harms;
    }
    if !command.over.is_empty() {
        harms.push(Harm {
            what: "overwrites files",
            subjects: command.over.iter().cloned().map(Subject::Over).collect(),
        });
    }
    let inner = match starting::started(command) {
        None => Vec::new(),
        Some(starting::Started::Script(text)) => of_shell(&text, &mut place.clone(), depth + 1),
        Some(starting::Started::Commands(commands)) => commands
            .iter()
            .flat_map(|inner| of_command(inner, &mut Place::default(), depth + 1))
            .collect(),
        Some(starting::Started::Program {
            name,
            words,
            listed,
        }) => {
            let mut own = of_program(&name, &words, command);
            for harm in &mut own {
                harm.subjects.extend(listed.clone().map(Subject::Words));
            }
            harms.extend(own);
            Vec::new()
        }
    };
    for harm in &mut harms {
        let subjects = std::mem::take(&mut harm.subjects).into_iter();
        harm.subjects = subjects
            .map(|subject| subject.below(place.folder.as_deref()))
            .collect();
    }
    harms.extend(inner);
    if let [program, to] = command.words.as_slice()
        && matches!(program.as_str(), "cd" | "pushd")
    {
        let is_told = !to.contains(['$', '~', '`', '*']) && to != "-";
        place.folder = is_told.then(|| super::joined(place.folder.as_deref(), to));
    }
    harms
}

fn harm(what: &'static str, subjects: Vec<Subject>) -> Vec<Harm> {
    vec![Harm { what, subjects }]
}

fn of_program(name: &str, words: &[String], command: &Simple) -> Vec<Harm> {
    let has = |letter: char, long: &str| {
        words.iter().take_while(|word| *word != "--").any(|word| {
            word == long
                || (word.starts_with('-') && !word.starts_with("--") && word.contains(letter))
        })
    };
    let names = names(words);
    let paths = || names.iter().cloned().map(Subject::Path).collect::<Vec<_>>();
    let said = || {
        names
            .iter()
            .cloned()
            .map(Subject::Words)
            .collect::<Vec<_>>()
    };
    let first = names.first().map(String::as_str).unwrap_or_default();
    let second = names.get(1).map(String::as_str).unwrap_or_default();
    let behind = |from: usize| {
        let rest = names.get(from..).unwrap_or_default();
        rest.iter().cloned().map(Subject::Words).collect::<Vec<_>>()
    };
    // These say something and end.
    if words
        .iter()
        .any(|word| word == "--help" || word == "--version")
    {
        return Vec::new();
    }
    match name {
        "rm" | "unlink" | "srm" | "rimraf" | "del-cli" => harm("deletes files", paths()),
        "shred" | "wipe" => harm("destroys what files hold", paths()),
        "truncate" => harm("cuts files short", over(&without_size(words))),
        "dd" => {
            let target = words.iter().find_map(|word| word.strip_prefix("of="));
            target.map_or_else(Vec::new, |target| {
                harm("overwrites files", vec![Subject::Over(target.to_owned())])
            })
        }
        "wipefs" | "blkdiscard" | "mkswap" => harm("wipes a disk", said()),
        _ if name == "mkfs" || name.starts_with("mkfs.") => harm("formats a disk", said()),
        "mv" | "cp" | "install" if !has('n', "--no-clobber") => {
            harm("overwrites files", moved_onto(words, &names))
        }
        "ln" if has('f', "--force") => harm("overwrites files", moved_onto(words, &names)),
        "tee" if !has('a', "--append") => harm("overwrites files", over(&names)),
        "rsync" if words.iter().any(|word| word.starts_with("--delete")) => harm(
            "deletes files",
            names
                .last()
                .cloned()
                .map(Subject::Path)
                .into_iter()
                .collect(),
        ),
        "chmod" | "chown" | "chgrp" | "setfacl" if has('R', "--recursive") => harm(
            "changes the rights of everything in",
            paths_behind_first(&names),
        ),
        "find" | "fd" | "fdfind" if words.iter().any(|word| word == "-delete") => harm(
            "deletes files",
            vec![Subject::Words(starting::listing(name, words))],
        ),
        "git" => git::harms(words),
        "docker" | "podman" | "nerdctl" | "docker-compose" => containers(name, words, &names),
        "kubectl" | "oc" if first == "delete" => harm("deletes from the cluster", behind(1)),
        "helm" if matches!(first, "uninstall" | "delete") => harm("removes a release", behind(1)),
        "terraform" | "tofu" | "terragrunt" | "pulumi" | "cdk" | "vagrant"
            if first == "destroy" || has('\0', "-destroy") =>
        {
            harm("destroys what is deployed", behind(1))
        }
        "aws"
            if second.starts_with("delete")
                || second.starts_with("terminate")
                || (first == "s3" && matches!(second, "rm" | "rb")) =>
        {
            harm("deletes from the cloud", said())
        }
        "gcloud" | "az" if names.iter().any(|word| word == "delete") => {
            harm("deletes from the cloud", said())
        }
        "gsutil" if first == "rm" || second == "rm" => harm("deletes from the cloud", said()),
        "gh" if second == "delete" => harm("deletes from the host", said()),
        "psql" | "mysql" | "mariadb" | "sqlite3" | "sqlite" | "duckdb" | "sqlcmd" | "cqlsh"
        | "clickhouse-client" | "pgcli" | "mycli" => statements(words, command),
        "redis-cli"
            if names.iter().any(|word| {
                word.eq_ignore_ascii_case("flushall") || word.eq_ignore_ascii_case("flushdb")
            }) =>
        {
            harm("empties a database", said())
        }
        "dropdb" | "dropuser" => harm("drops a database", said()),
        "mysqladmin" if names.iter().any(|word| word == "drop") => harm("drops a database", said()),
        "lvremove" | "vgremove" | "pvremove" | "userdel" | "groupdel" => {
            harm("removes from the system", said())
        }
        "zfs" | "zpool" if first == "destroy" => harm("destroys a file system", behind(1)),
        "crontab" if has('r', "--remove") => harm("deletes the table of timed jobs", Vec::new()),
        "python" | "python3" | "node" | "deno" | "ruby" | "perl" | "php" => one_liner(words),
        _ => packages(name, first, second, words, &names),
    }
}

/// Words that are no options.
fn names(words: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    let mut only_names = false;
    for word in words {
        if only_names || !word.starts_with('-') || word == "-" {
            names.push(word.clone());
        } else if word == "--" {
            only_names = true;
        }
    }
    names
}

fn over(names: &[String]) -> Vec<Subject> {
    names.iter().cloned().map(Subject::Over).collect()
}

fn paths_behind_first(names: &[String]) -> Vec<Subject> {
    let rest = names.get(1..).unwrap_or_default();
    rest.iter().cloned().map(Subject::Path).collect()
}

/// `truncate -s 0 file`: the size is no file.
fn without_size(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-s" | "--size" | "-r" | "--reference" => {
                words.next();
            }
            option if option.starts_with('-') => {}
            name => kept.push(name.to_owned()),
        }
    }
    kept
}

/// What the sources of `mv` and `cp` come to stand on: the last name, or files of that folder.
fn moved_onto(words: &[String], names: &[String]) -> Vec<Subject> {
    let into = words.iter().enumerate().find_map(|(at, word)| {
        let behind = || words.get(at + 1).cloned();
        match word.as_str() {
            "-t" | "--target-directory" => behind(),
            other => other.strip_prefix("--target-directory=").map(str::to_owned),
        }
    });
    let (sources, target): (&[String], &String) = match (&into, names.split_last()) {
        (Some(target), _) => (names, target),
        (None, Some((target, sources))) if !sources.is_empty() => (sources, target),
        _ => return Vec::new(),
    };
    sources
        .iter()
        .filter(|source| *source != target)
        .map(|source| Subject::Onto {
            target: target.clone(),
            name: base(source.trim_end_matches('/')).to_owned(),
        })
        .collect()
}

fn containers(name: &str, words: &[String], names: &[String]) -> Vec<Harm> {
    let mut verbs = names.iter().map(String::as_str).peekable();
    let is_compose = name == "docker-compose" || verbs.peek() == Some(&"compose");
    if name != "docker-compose" && is_compose {
        verbs.next();
    }
    let verb = verbs.next().unwrap_or_default();
    let sub = verbs.next().unwrap_or_default();
    let said = || names.iter().skip(1).cloned().map(Subject::Words).collect();
    let takes_volumes = words.iter().any(|word| {
        word == "--volumes"
            || (word.starts_with('-') && !word.starts_with("--") && word.contains('v'))
    });
    match (verb, sub) {
        ("down", _) if is_compose && takes_volumes => harm("deletes volumes", said()),
        ("rm" | "rmi", _) => harm("deletes containers or images", said()),
        (_, "prune") | ("prune", _) => harm("deletes what no container uses", said()),
        (
            "volume" | "container" | "image" | "network" | "context" | "config" | "secret"
            | "stack" | "service",
            "rm" | "remove",
        ) => harm("deletes containers, images or volumes", said()),
        _ => Vec::new(),
    }
}

fn statements(words: &[String], command: &Simple) -> Vec<Harm> {
    let fed = match command.from.first().map(String::as_str) {
        Some("echo" | "printf") => command.from[1..].join(" "),
        _ => String::new(),
    };
    let written = words
        .iter()
        .map(|word| {
            let value = word.split_once('=').filter(|_| word.starts_with("--"));
            value.map_or(word.as_str(), |(_, value)| value)
        })
        .chain([command.text.as_str(), fed.as_str()]);
    let found: Vec<String> = written.flat_map(sql::destructive).collect();
    match found.is_empty() {
        true => Vec::new(),
        false => harm(
            "deletes data of a database",
            found.into_iter().map(Subject::Words).collect(),
        ),
    }
}

/// A program that is given on the command line of an interpreter.
fn one_liner(words: &[String]) -> Vec<Harm> {
    const REMOVERS: [&str; 11] = [
        "rmtree(",
        "os.remove(",
        "os.unlink(",
        ".unlink(",
        "rmSync(",
        "fs.rm(",
        "unlinkSync(",
        "FileUtils.rm",
        "File.delete(",
        "Deno.remove",
        "unlink ",
    ];
    let text = words.iter().enumerate().find_map(|(at, word)| {
        matches!(word.as_str(), "-c" | "-e" | "--eval" | "-r")
            .then(|| words.get(at + 1))
            .flatten()
    });
    let Some(text) = text.filter(|text| REMOVERS.iter().any(|remover| text.contains(remover)))
    else {
        return Vec::new();
    };
    harm("deletes files", vec![Subject::Words(text.clone())])
}

fn packages(
    name: &str,
    first: &str,
    second: &str,
    words: &[String],
    names: &[String],
) -> Vec<Harm> {
    let removes = match name {
        "apt" | "apt-get" | "aptitude" | "nala" => {
            matches!(first, "remove" | "purge" | "autoremove")
        }
        "dnf" | "yum" | "zypper" => matches!(first, "remove" | "erase" | "rm" | "autoremove"),
        "apk" => first == "del",
        "pacman" | "yay" | "paru" => words.iter().any(|word| word.starts_with("-R")),
        "brew" | "snap" | "flatpak" | "port" => {
            matches!(first, "uninstall" | "remove" | "rm" | "autoremove")
        }
        "dpkg" => words
            .iter()
            .any(|word| matches!(word.as_str(), "-r" | "--remove" | "-P" | "--purge")),
        "pip" | "pip3" | "pipx" | "gem" | "conda" | "mamba" => {
            matches!(first, "uninstall" | "remove")
        }
        "npm" => matches!(first, "uninstall" | "remove" | "rm" | "un" | "unpublish"),
        "pnpm" | "yarn" | "bun" | "poetry" | "composer" => matches!(first, "remove" | "rm"),
        "uv" => first == "remove" || (first == "pip" && second == "uninstall"),
        "cargo" => matches!(first, "remove" | "rm" | "uninstall" | "yank"),
        _ => false,
    };
    if !removes {
        return Vec::new();
    }
    // Where an option says what is done, no verb stands before the names.
    let is_by_option = matches!(name, "pacman" | "yay" | "paru" | "dpkg");
    let rest = names.get(usize::from(!is_by_option)..).unwrap_or_default();
    harm(
        "removes packages",
        rest.iter().cloned().map(Subject::Words).collect(),
    )
}
