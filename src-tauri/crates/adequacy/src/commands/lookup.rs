//! Looks up what a command line needs in the workspace: the runner's script or target, a package, a
//! module, a file or a program. If the facts are unknown, the thing is assumed to exist.

use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};

use crate::facts::WorkspaceFacts;
use crate::fuzzy::{nearest, nearest_files};
use crate::plan_context::Step;
use crate::verbs::{WorkKind, is_check};

/// Something that a command line needs but the workspace lacks.
pub(super) struct Absent {
    /// The word in the command line that names the missing thing.
    pub(super) word: String,
    /// Kind and name of the missing thing: "a script `x`".
    pub(super) what: String,
    pub(super) near: Vec<String>,
}

pub(super) fn tidy(path: &str) -> &str {
    path.trim().trim_start_matches("./")
}

/// Input of a lookup.
pub(super) struct View<'a> {
    pub(super) facts: &'a WorkspaceFacts,
    /// Files named by this step and the steps before it.
    pub(super) there: &'a HashSet<&'a str>,
    /// Number of fuzzy lookups left.
    pub(super) lookups: &'a Cell<usize>,
    pub(super) step: &'a Step<'a>,
    /// Whether the command is part of the step's work rather than its check.
    pub(super) is_run_now: bool,
}

impl View<'_> {
    pub(super) fn script(&self, runner: &str, arguments: &[&str]) -> Option<Absent> {
        let known = self.facts.targets.get("npm")?;
        let name = match arguments {
            ["run" | "run-script", name, ..] => name,
            [name @ ("test" | "start"), ..] if runner == "npm" => name,
            _ => return None,
        };
        let is_named = name.starts_with('-') || self.may_add(&["package.json"]);
        (!is_named && !known.contains(*name)).then(|| self.named(name, "a script", known))
    }

    pub(super) fn target(
        &self,
        runner: &str,
        what: &str,
        arguments: &[&str],
        files: &[&str],
    ) -> Option<Absent> {
        let known = self.facts.targets.get(runner)?;
        // Words that follow an option may be its values.
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

    pub(super) fn package(&self, arguments: &[&str]) -> Option<Absent> {
        let known = self.facts.targets.get("cargo")?;
        let at = arguments
            .iter()
            .position(|word| matches!(*word, "-p" | "--package"))?;
        let name = arguments.get(at + 1)?;
        let is_other = name.contains(['@', '*', ':', '/']) || self.may_add(&["Cargo.toml"]);
        (!is_other && !known.contains(*name)).then(|| self.named(name, "a package", known))
    }

    pub(super) fn python(&self, arguments: &[&str]) -> Option<Absent> {
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

    /// What is missing if a dotted module name doesn't exist; `None` if it exists or may still be
    /// created. It exists if one of its prefixes is a Python file or the whole name is a folder.
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
        if is_there || !self.may_look() {
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

    pub(super) fn files(&self, arguments: &[&str]) -> Option<Absent> {
        let is_path = |word: &&&str| !word.starts_with('-') && word.contains(".py");
        arguments
            .iter()
            .filter(is_path)
            .find_map(|path| self.file(path))
    }

    pub(super) fn first_file(&self, arguments: &[&str]) -> Option<Absent> {
        let path = arguments.first()?;
        let is_path = !path.starts_with('-') && path.contains('.') && path.contains('/');
        if is_path { self.file(path) } else { None }
    }

    pub(super) fn file(&self, word: &str) -> Option<Absent> {
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
            || !self.may_look()
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

    fn may_look(&self) -> bool {
        let left = self.lookups.get();
        self.lookups.set(left.saturating_sub(1));
        left > 0
    }

    /// Whether a missing file must be a mistake. It need not be if the step creates or changes
    /// something, because such a step may write the test it names.
    fn is_meant(&self, near: &[String]) -> bool {
        let writes_tests = || {
            let title = &self.step.task.title;
            !is_check(title) || matches!(WorkKind::of(title), WorkKind::Create) || {
                let title = title.to_ascii_lowercase();
                title.starts_with("test") || title.starts_with("verify")
            }
        };
        self.is_run_now || !near.is_empty() || !writes_tests()
    }

    pub(super) fn program(&self, program: &str) -> Option<Absent> {
        const SHELL_BUILTINS: [&str; 14] = [
            ".", ":", "[", "alias", "cd", "command", "echo", "exec", "exit", "export", "false",
            "set", "test", "true",
        ];
        let known = self.facts.programs.as_ref()?;
        let is_other = program.contains(['/', '\\']) || SHELL_BUILTINS.contains(&program);
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

    /// Whether this step or an earlier one changes the file that defines the names.
    fn may_add(&self, files: &[&str]) -> bool {
        self.there
            .iter()
            .any(|path| files.contains(&path.rsplit('/').next().unwrap_or(path)))
    }
}
