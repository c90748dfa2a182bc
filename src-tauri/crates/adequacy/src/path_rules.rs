//! Reports files that a step works on but that won't exist at that point.
//!
//! Findings are raised only if the paths in the workspace are known. A file counts as existing if
//! it exists now, if an earlier step names it, or if a step of the plan creates it or its folder.
//! After a command runs, any file may exist. A path in `files:` or in a title may be one that the
//! step itself creates, so it is reported only if the step's verb changes something that exists or
//! if the path looks like a typo.

use std::collections::HashSet;

use plan::edit::Place;
use plan::{Task, TaskId, TaskKind, ToolName};

use crate::code::{Code, Severity};
use crate::fuzzy::nearest_files;
use crate::mend::{Fix, Mend};
use crate::order::file_code_spans;
use crate::plan_context::{PlanContext, Step, paths};
use crate::report::{Finding, place, place_first};
use crate::spans::{value_at, words_at};
use crate::task_text::is_real_path;
use crate::verbs::WorkKind;

/// Maximum number of suggestions in one report, because each one requires a search through all
/// paths.
const MAX_SUGGESTED: usize = 24;

pub(crate) fn findings(context: &PlanContext<'_>) -> Vec<Finding> {
    let facts = context.input.facts;
    let Some(known) = &facts.paths else {
        return Vec::new();
    };
    let folders: Vec<&str> = context
        .steps
        .iter()
        .flat_map(|step| made_folders(step.task))
        .collect();
    let mut there: HashSet<&str> = HashSet::new();
    let mut findings = Vec::new();
    let mut suggested = 0;
    for step in &context.steps {
        let is_absent = |path: &str| {
            let path = tidy(path);
            is_real_path(path)
                && !path.contains(['*', '{', '<', '$', '~'])
                && !path.ends_with('/')
                && !there.contains(path)
                && facts.has_file(path) == Some(false)
                && !is_folder(known, path)
                && !folders.iter().any(|folder| path.starts_with(folder))
        };
        let mut near = |path: &str| {
            if suggested == MAX_SUGGESTED {
                return Vec::new();
            }
            suggested += 1;
            nearest_files(tidy(path), known)
        };
        let called = needed(step.task).find(|path| is_absent(path));
        let missing = match called {
            Some(path) => Some(Missing {
                path,
                near: near(path),
                key: Some("call"),
            }),
            None => named(step.task, &is_absent, &mut near),
        };
        findings.extend(missing.map(|missing| missing.finding(step)));
        if runs_command(step.task) {
            return findings;
        }
        there.extend(paths(step.task).map(tidy));
        there.extend(file_code_spans(&step.task.title).map(tidy));
    }
    findings
}

struct Missing<'a> {
    path: &'a str,
    near: Vec<&'a str>,
    /// The key that contains the path; `None` if the title does.
    key: Option<&'static str>,
}

/// The first missing path in `files:` or the title that must already exist or looks like a typo;
/// `None` if there is none.
fn named<'a>(
    task: &'a Task,
    is_absent: &dyn Fn(&str) -> bool,
    near: &mut dyn FnMut(&str) -> Vec<&'a str>,
) -> Option<Missing<'a>> {
    let doing = WorkKind::of(&task.title);
    if doing == WorkKind::Create || doing == WorkKind::Check {
        return None;
    }
    let only_changes = doing == WorkKind::Change && changes_what_exists(&task.title);
    let files: Vec<&str> = task.files.iter().map(String::as_str).collect();
    let has_none = files.iter().all(|path| is_absent(path));
    let in_files = files.iter().map(|path| (*path, Some("files")));
    let in_title = file_code_spans(&task.title)
        .take(1)
        .map(|path| (path, None));
    for (path, key) in in_files.chain(in_title) {
        if !is_absent(path) {
            continue;
        }
        let near = near(path);
        let is_meant = match key {
            Some(_) => only_changes && files.len() == 1 && has_none,
            // A name without a folder may be some other dotted name, such as `console.log`.
            None => only_changes && path.contains('/'),
        };
        if is_meant || !near.is_empty() {
            return Some(Missing { path, near, key });
        }
    }
    None
}

/// Whether the title begins with a verb that creates nothing.
fn changes_what_exists(title: &str) -> bool {
    const VERBS: [&str; 14] = [
        "adjust", "change", "correct", "delete", "drop", "edit", "fix", "modify", "patch",
        "refactor", "remove", "simplify", "tweak", "update",
    ];
    let word = title
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty())
        .unwrap_or_default();
    VERBS.iter().any(|verb| word.eq_ignore_ascii_case(verb))
}

impl Missing<'_> {
    fn finding(&self, step: &Step<'_>) -> Finding {
        let (task, path) = (step.task, self.path);
        let here = place_first(task);
        let rest = match self.near.as_slice() {
            [] => "correct the path, or add a step that creates it.".to_owned(),
            [one] => format!("did you mean `{one}`?"),
            [one, other, ..] => format!("did you mean `{one}` or `{other}`?"),
        };
        let message = format!(
            "{here} works on `{path}`, which is not in the workspace and which no earlier step creates: {rest}"
        );
        let span = match self.key {
            Some(key) => value_at(task, key, path),
            None => words_at(task, path),
        };
        let mut fixes: Vec<Fix> = self
            .near
            .iter()
            .map(|other| self.corrected(task, other))
            .collect();
        if fixes.len() < 2 {
            fixes.push(self.created(task));
        }
        let finding = Finding::for_task(
            task,
            step.text.identity(),
            Code::PathMissing,
            Severity::Major,
        )
        .with_message(message)
        .at(span);
        let finding = match self.near.as_slice() {
            [] => finding,
            near => finding.with_question(format!(
                "Which file does {} mean by `{path}`: `{}`, or a new one?",
                place(task),
                near.join("` or `")
            )),
        };
        finding.with_fixes(fixes)
    }

    fn corrected(&self, task: &Task, other: &str) -> Fix {
        let path = self.path;
        let id = task.id.clone();
        let set = |key: &str, values: Vec<String>| Mend::SetValues {
            task: id.clone(),
            key: key.to_owned(),
            values,
        };
        let replace = |value: &str| match value == path {
            true => other.to_owned(),
            false => value.to_owned(),
        };
        let mend = match self.key {
            Some("files") => set(
                "files",
                task.files.iter().map(|file| replace(file)).collect(),
            ),
            Some(_) => {
                let (from, to) = (format!("\"{path}\""), format!("\"{other}\""));
                set(
                    "call",
                    task.calls
                        .iter()
                        .map(|call| call.raw.replace(&from, &to))
                        .collect(),
                )
            }
            None => Mend::SetTitle {
                task: id,
                title: task.title.replace(path, other),
            },
        };
        Fix::of(format!("Replace `{path}` with `{other}`"), mend)
    }

    fn created(&self, task: &Task) -> Fix {
        let path = tidy(self.path);
        Fix::of(
            format!("Add a step before {} that creates `{path}`", place(task)),
            Mend::AddTask {
                handle: TaskId::from("+1"),
                place: Place::Before(task.id.clone()),
                kind: TaskKind::Normal,
                title: format!("Create `{path}`"),
                fields: vec![("files".to_owned(), path.to_owned())],
            },
        )
    }
}

/// Whether a path is a folder that contains at least one file.
fn is_folder(known: &std::collections::BTreeSet<String>, path: &str) -> bool {
    let inside = format!("{path}/");
    known
        .range(inside.clone()..)
        .next()
        .is_some_and(|first| first.starts_with(&inside))
}

/// Folders that a step creates: paths with a trailing slash that follow a verb of creation.
fn made_folders(task: &Task) -> impl Iterator<Item = &str> {
    let makes = task.title.contains("/`") && WorkKind::of(&task.title) == WorkKind::Create;
    let named = makes.then(|| task.title.split('`').skip(1).step_by(2));
    named
        .into_iter()
        .flatten()
        .filter(|word| word.ends_with('/'))
        .map(tidy)
}

fn tidy(path: &str) -> &str {
    path.trim().trim_start_matches("./")
}

/// Files that must exist for the calls of the task to work.
fn needed(task: &Task) -> impl Iterator<Item = &str> {
    task.calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok())
        .filter(|call| {
            matches!(
                call.tool,
                ToolName::ReadFile | ToolName::EditFile | ToolName::DeleteFile
            )
        })
        .filter_map(|call| call.path())
}

fn runs_command(task: &Task) -> bool {
    let runs = |call: &plan::ToolCall| call.tool == ToolName::RunCommand;
    task.calls
        .iter()
        .any(|call| call.parsed.as_ref().is_ok_and(runs))
}
