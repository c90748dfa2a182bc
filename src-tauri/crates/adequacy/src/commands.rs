//! `command_missing`: command lines of `verify:` and of calls that the workspace cannot run. Only
//! where the facts know: the runner's names, the files, the programs.

use std::collections::{BTreeSet, HashSet};

use plan::{CommandLine, Task, ToolName};

use crate::code::{Code, Severity};
use crate::facts::WorkspaceFacts;
use crate::mend::{Fix, Mend};
use crate::near::{nearest, nearest_files};
use crate::places::value_at;
use crate::reading::{Reading, Step, paths};
use crate::report::{Finding, place, place_first};
use crate::verbs::{Doing, is_check};

/// Suggestions in one report: each looks through all names.
const MOST_SUGGESTED: usize = 24;

pub(crate) fn findings(reading: &Reading<'_>) -> Vec<Finding> {
    let facts = reading.input.facts;
    if facts.paths.is_none() && facts.programs.is_none() && facts.targets.is_empty() {
        return Vec::new();
    }
    let mut there: HashSet<&str> = HashSet::new();
    let mut findings = Vec::new();
    let mut is_open = true;
    for step in &reading.steps {
        there.extend(paths(step.task).map(tidy));
        let commands = lines(step.task);
        // Behind a command of the plan anything may be there.
        if is_open && findings.len() < MOST_SUGGESTED {
            let found = commands.iter().find_map(|(key, line)| {
                Some((*key, *line, absent(facts, &there, step, key, line)?))
            });
            findings.extend(
                found.map(|(key, line, absent)| finding(reading, step, key, line, &absent)),
            );
        }
        is_open &= !commands.iter().any(|(key, _)| *key == "call");
    }
    findings
}

/// The command lines of a step, each with its key.
fn lines(task: &Task) -> Vec<(&'static str, &str)> {
    let verify = task.verify.iter().map(|line| ("verify", line.as_str()));
    let parsed = task
        .calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok());
    let called = parsed
        .filter(|call| call.tool == ToolName::RunCommand)
        .filter_map(|call| Some(("call", call.string("command")?)));
    verify.chain(called).collect()
}

/// What a command line asks for and the workspace does not have.
struct Absent {
    /// The word of the command line that names it.
    word: String,
    /// What it is: "a script `x`".
    what: String,
    near: Vec<String>,
}

fn absent(
    facts: &WorkspaceFacts,
    there: &HashSet<&str>,
    step: &Step<'_>,
    key: &str,
    line: &str,
) -> Option<Absent> {
    let Some(CommandLine::Argv(words)) = CommandLine::parse(line) else {
        return None;
    };
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .skip_while(|word| is_assignment(word))
        .collect();
    let (program, arguments) = words.split_first()?;
    let view = View {
        facts,
        there,
        step,
        is_run_now: key == "call",
    };
    let found = match *program {
        "npm" | "pnpm" | "yarn" | "bun" => view.script(program, arguments),
        "make" | "gmake" => view.target(
            "make",
            "a target",
            arguments,
            &["Makefile", "makefile", "GNUmakefile"],
        ),
        "just" => view.target(
            "just",
            "a recipe",
            arguments,
            &["justfile", "Justfile", ".justfile"],
        ),
        "cargo" => view.package(arguments),
        "python" | "python3" | "py" => view.python(arguments),
        "pytest" => view.files(arguments),
        "node" | "bash" | "sh" | "zsh" | "ruby" | "deno" | "phpunit" => view.first_file(arguments),
        _ if program.starts_with("./") && program.len() > 2 => view.file(program),
        _ => None,
    };
    found.or_else(|| view.program(program))
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

fn tidy(path: &str) -> &str {
    path.trim().trim_start_matches("./")
}

/// What is known when a command line is read.
struct View<'a> {
    facts: &'a WorkspaceFacts,
    /// Files that steps so far name.
    there: &'a HashSet<&'a str>,
    step: &'a Step<'a>,
    /// Whether the line is a step's own work, rather than the check of it.
    is_run_now: bool,
}

impl View<'_> {
    fn script(&self, runner: &str, arguments: &[&str]) -> Option<Absent> {
        let known = self.facts.targets.get("npm")?;
        let name = match arguments {
            ["run" | "run-script", name, ..] => name,
            [name @ ("test" | "start"), ..] if runner == "npm" => name,
            _ => return None,
        };
        let is_named = name.starts_with('-') || self.may_add(&["package.json"]);
        (!is_named && !known.contains(*name)).then(|| self.named(name, "a script", known))
    }

    fn target(
        &self,
        runner: &str,
        what: &str,
        arguments: &[&str],
        files: &[&str],
    ) -> Option<Absent> {
        let known = self.facts.targets.get(runner)?;
        // With an option the words behind may be its values.
        if arguments
            .iter()
            .any(|word| word.starts_with('-') || word.contains('='))
            || self.may_add(files)
        {
            return None;
        }
        let taken = if runner == "just" { 1 } else { arguments.len() };
        let name = arguments
            .iter()
            .take(taken)
            .find(|name| !known.contains(**name) && self.facts.has_file(name) != Some(true))?;
        Some(self.named(name, what, known))
    }

    fn package(&self, arguments: &[&str]) -> Option<Absent> {
        let known = self.facts.targets.get("cargo")?;
        let at = arguments
            .iter()
            .position(|word| matches!(*word, "-p" | "--package"))?;
        let name = arguments.get(at + 1)?;
        let is_other = name.contains(['@', '*', ':', '/']) || self.may_add(&["Cargo.toml"]);
        (!is_other && !known.contains(*name)).then(|| self.named(name, "a package", known))
    }

    fn python(&self, arguments: &[&str]) -> Option<Absent> {
        match arguments {
            ["-m", "unittest", rest @ ..] => {
                let module = rest.iter().find(|word| !word.starts_with('-'))?;
                if module.contains('/') || *module == "discover" {
                    return None;
                }
                self.module(module)
            }
            ["-m", "pytest", rest @ ..] => self.files(rest),
            [path, ..] if path.ends_with(".py") => self.file(path),
            _ => None,
        }
    }

    /// A dotted name is there if one of its beginnings is a file or a folder.
    fn module(&self, module: &str) -> Option<Absent> {
        let known = self.facts.paths.as_ref()?;
        let parts: Vec<&str> = module.split('.').collect();
        let is_there = (1..=parts.len()).rev().any(|length| {
            let path = parts[..length].join("/");
            let file = format!("{path}.py");
            let is_folder = length == parts.len()
                && known
                    .range(format!("{path}/")..)
                    .next()
                    .is_some_and(|first| first.starts_with(&format!("{path}/")));
            known.contains(&file) || self.there.contains(file.as_str()) || is_folder
        });
        if is_there {
            return None;
        }
        let file = format!("{}.py", parts.join("/"));
        let near: Vec<String> = nearest_files(&file, known)
            .into_iter()
            .filter_map(|path| Some(path.strip_suffix(".py")?.replace('/', ".")))
            .collect();
        self.is_meant(&near).then(|| Absent {
            word: module.to_owned(),
            what: format!("a module `{module}`"),
            near,
        })
    }

    fn files(&self, arguments: &[&str]) -> Option<Absent> {
        let is_path = |word: &&&str| !word.starts_with('-') && word.contains(".py");
        arguments
            .iter()
            .filter(is_path)
            .find_map(|path| self.file(path))
    }

    fn first_file(&self, arguments: &[&str]) -> Option<Absent> {
        let path = arguments.first()?;
        let is_path = !path.starts_with('-') && path.contains('.') && path.contains('/');
        if is_path { self.file(path) } else { None }
    }

    fn file(&self, word: &str) -> Option<Absent> {
        let known = self.facts.paths.as_ref()?;
        let path = tidy(word.split("::").next().unwrap_or(word));
        let is_elsewhere =
            path.starts_with(['/', '~']) || path.starts_with("..") || path.contains('*');
        if is_elsewhere || known.contains(path) || self.there.contains(path) {
            return None;
        }
        let folder = format!("{path}/");
        if known
            .range(folder.clone()..)
            .next()
            .is_some_and(|first| first.starts_with(&folder))
        {
            return None;
        }
        let near: Vec<String> = nearest_files(path, known)
            .into_iter()
            .map(str::to_owned)
            .collect();
        self.is_meant(&near).then(|| Absent {
            word: path.to_owned(),
            what: format!("a file `{path}`"),
            near,
        })
    }

    /// Whether a missing file can only be a mistake: a step that makes or changes something may well
    /// write the test that it names.
    fn is_meant(&self, near: &[String]) -> bool {
        let writes_tests = || {
            let title = &self.step.task.title;
            !is_check(title) || matches!(Doing::of(title), Doing::Create) || {
                let title = title.to_ascii_lowercase();
                title.starts_with("test") || title.starts_with("verify")
            }
        };
        self.is_run_now || !near.is_empty() || !writes_tests()
    }

    fn program(&self, program: &str) -> Option<Absent> {
        const OF_THE_SHELL: [&str; 14] = [
            ".", ":", "[", "alias", "cd", "command", "echo", "exec", "exit", "export", "false",
            "set", "test", "true",
        ];
        let known = self.facts.programs.as_ref()?;
        let is_other = program.contains(['/', '\\']) || OF_THE_SHELL.contains(&program);
        if is_other || known.contains(program) {
            return None;
        }
        Some(self.named(program, "a program", known))
    }

    fn named(&self, name: &str, what: &str, known: &BTreeSet<String>) -> Absent {
        let near = nearest(name, known.iter().map(String::as_str));
        Absent {
            word: name.to_owned(),
            what: format!("{what} `{name}`"),
            near: near.into_iter().map(str::to_owned).collect(),
        }
    }

    /// Whether a step so far works on the file that the names stand in.
    fn may_add(&self, files: &[&str]) -> bool {
        self.there
            .iter()
            .any(|path| files.contains(&path.rsplit('/').next().unwrap_or(path)))
    }
}

fn finding(
    reading: &Reading<'_>,
    step: &Step<'_>,
    key: &str,
    line: &str,
    absent: &Absent,
) -> Finding {
    let task = step.task;
    let Absent { word, what, near } = absent;
    let rest = match near.as_slice() {
        [] => "correct the command, or add the step that makes it".to_owned(),
        near => format!("did you mean `{}`", near.join("` or `")),
    };
    let finding = Finding::on(
        task,
        step.text.identity(),
        Code::CommandMissing,
        Severity::Major,
    )
    .saying(format!(
        "{} runs `{line}`, and the workspace does not have {what}: {rest}.",
        place_first(task)
    ))
    .at(value_at(task, key, word));
    let fixes = ways_out(reading, task, key, line, absent);
    if fixes.len() < 2 {
        return finding.mended_by(fixes);
    }
    finding
        .asking(format!(
            "What should {} run in place of `{line}`?",
            place(task)
        ))
        .mended_by(fixes)
}

fn ways_out(
    reading: &Reading<'_>,
    task: &Task,
    key: &str,
    line: &str,
    absent: &Absent,
) -> Vec<Fix> {
    let mut fixes: Vec<Fix> = absent
        .near
        .iter()
        .map(|other| {
            let corrected = line.replacen(&absent.word, other, 1);
            written(task, key, line, &corrected)
        })
        .collect();
    if key == "verify" {
        let usual = reading
            .input
            .facts
            .commands
            .iter()
            .find(|command| *command != line);
        fixes.extend(usual.map(|usual| written(task, key, line, usual)));
    }
    fixes.truncate(2);
    fixes
}

/// Another command line in place of one.
fn written(task: &Task, key: &str, line: &str, other: &str) -> Fix {
    let values = match key {
        "verify" => task
            .verify
            .iter()
            .map(|known| {
                if known == line {
                    other.to_owned()
                } else {
                    known.clone()
                }
            })
            .collect(),
        _ => task
            .calls
            .iter()
            .map(|call| call.raw.replace(line, other))
            .collect(),
    };
    Fix::of(
        format!("Run `{other}` in place of `{line}`"),
        Mend::SetValues {
            task: task.id.clone(),
            key: key.to_owned(),
            values,
        },
    )
}
