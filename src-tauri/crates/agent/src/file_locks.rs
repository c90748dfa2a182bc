//! Determines which files a step holds while it runs in parallel with others, and which steps must
//! run alone.
//!
//! A step may run in parallel only if the files it can write are known before it starts, because it
//! names them or is read-only. It holds its files from start to end. Two steps never run in
//! parallel if they hold the same file, or if one holds a file inside a folder of the other.
//!
//! - A step whose `call:` lines run commands holds the *folders* of its files, since a command may
//!   create or replace files; its commands can't write anywhere else.
//! - A step without commands, or one carried out by a model, holds only its files.
//! - A step runs alone if it names no files, a pattern, the plan file, or a path that leads outside
//!   the workspace or through a link; if a person carries it out; or if it has commands without a
//!   sandbox, or commands and a file in the workspace's root folder.
//!
//! Paths are compared as written. The caller says which of them lead through a link.

use std::collections::BTreeSet;

use gate::path::{PlanPlace, workspace_path};
use gate::policy;
use plan::{Plan, Task, TaskKind, ToolName};

/// The maximum number of parallel steps in a run.
pub const MAX_PARALLEL: u8 = 4;

/// Facts about a step that its own text doesn't contain.
#[derive(Debug, Clone, Copy)]
pub struct LockContext<'a> {
    /// Whether a model carries out the step.
    pub by_model: bool,
    /// Whether the model that carries out the step may run commands.
    pub has_commands: bool,
    /// Whether commands run in a sandbox.
    pub sandboxed: bool,
    /// The location of the plan file.
    pub plan: Option<&'a PlanPlace>,
    /// Paths that lead through a link, so that the path alone doesn't identify the file.
    pub linked: Option<&'a BTreeSet<String>>,
}

/// All paths that the steps of a plan name, normalized for comparison.
pub fn named_paths(plan: &Plan) -> BTreeSet<String> {
    let of_task = |task: &Task| {
        let calls = task
            .calls
            .iter()
            .filter_map(|call| call.parsed.as_ref().ok());
        let calls = calls.filter_map(|call| named(call.path()?));
        let files = task.files.iter().filter_map(|file| named(file));
        files.chain(calls).collect::<Vec<_>>()
    };
    plan.tasks.iter().flat_map(of_task).collect()
}

/// The files and folders that a step holds while it runs, sorted; `None` if it must run alone.
pub fn locked_paths(task: &Task, context: &LockContext<'_>) -> Option<Vec<String>> {
    if task.kind != TaskKind::Normal {
        return None;
    }
    if policy::only_reads(task) {
        return Some(Vec::new());
    }
    if !context.by_model && task.calls.is_empty() {
        return None;
    }
    let mut paths = Vec::new();
    for file in &task.files {
        paths.push(named(file)?);
    }
    let mut runs = false;
    for call in &task.calls {
        let call = call.parsed.as_ref().ok()?;
        runs |= call.tool == ToolName::RunCommand;
        if let Some(path) = call.path().filter(|_| !call.tool.is_read_only()) {
            paths.push(named(path)?);
        }
    }
    let has_commands = runs || (context.by_model && context.has_commands);
    let is_plan = |path: &String| context.plan.is_some_and(|plan| plan.is_named_by(path));
    let is_linked = |path: &String| context.linked.is_some_and(|linked| linked.contains(path));
    if paths.is_empty()
        || (has_commands && !context.sandboxed)
        || paths.iter().any(|path| is_plan(path) || is_linked(path))
    {
        return None;
    }
    if runs {
        let folders = paths
            .iter()
            .zip(task.files.iter().map(Some).chain(std::iter::repeat(None)));
        let folders: Option<Vec<String>> = folders
            .map(
                |(path, written)| match written.is_some_and(|file| file.trim().ends_with('/')) {
                    true => Some(path.clone()),
                    false => path.rsplit_once('/').map(|(folder, _)| folder.to_owned()),
                },
            )
            .collect();
        paths = folders?;
    }
    paths.sort();
    paths.dedup();
    Some(paths)
}

/// A workspace path normalized for comparison; `None` if it doesn't identify a single path.
fn named(path: &str) -> Option<String> {
    let path = workspace_path(path.trim().trim_matches('`'));
    let is_one = !path.is_empty()
        && !path.starts_with('/')
        && !path.starts_with("~/")
        && !path.split('/').any(|part| part == "..")
        && !path.contains(['*', '?', '[', '{', '\\']);
    is_one.then_some(path)
}

/// Whether a path equals one of the held paths, is inside one, or contains one.
pub fn is_locked<'a>(held: impl IntoIterator<Item = &'a String>, path: &str) -> bool {
    let path = workspace_path(path);
    held.into_iter()
        .any(|held| is_inside(&path, held) || is_inside(held, &path))
}

/// Whether two steps hold overlapping paths.
pub fn overlap(one: &[String], other: &[String]) -> bool {
    one.iter().any(|path| is_locked(other, path))
}

/// Whether `path` is `folder` or inside it.
pub fn is_inside(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: LockContext<'_> = LockContext {
        by_model: false,
        has_commands: false,
        sandboxed: true,
        plan: None,
        linked: None,
    };

    fn task(lines: &str) -> Task {
        let (plan, _) = plan::parse(&format!(
            "# P\n\n## Tasks\n- [ ] **T1** Do what is written below\n{lines}"
        ));
        plan.tasks.into_iter().next().unwrap()
    }

    fn holds(lines: &str) -> Option<Vec<String>> {
        locked_paths(&task(lines), &CONTEXT)
    }

    fn paths(paths: &[&str]) -> Option<Vec<String>> {
        Some(paths.iter().map(|path| (*path).to_owned()).collect())
    }

    #[test]
    fn a_step_holds_what_it_names_and_what_its_calls_write() {
        let lines = "  - files: `./src/b.py`, `docs/`\n  - call: `write_file {\"path\": \"a.txt\", \"content\": \"\"}`\n";
        assert_eq!(holds(lines), paths(&["a.txt", "docs", "src/b.py"]));
        assert_eq!(holds("  - call: `list_files {}`\n"), paths(&[]));
    }

    #[test]
    fn a_command_has_the_step_hold_folders() {
        let command = "  - call: `run_command {\"command\": \"make\"}`\n";
        let with = |files: &str| holds(&format!("  - files: {files}\n{command}"));
        assert_eq!(with("`out/a.txt`, `docs/`"), paths(&["docs", "out"]));
        assert_eq!(with("`a.txt`"), None, "its folder is the workspace");
        assert_eq!(holds(command), None, "what it writes is not known");
        let context = LockContext {
            sandboxed: false,
            ..CONTEXT
        };
        let task = task(&format!("  - files: `out/a.txt`\n{command}"));
        assert_eq!(
            locked_paths(&task, &context),
            None,
            "nothing holds the command"
        );
    }

    #[test]
    fn what_says_too_little_goes_alone() {
        let write = "  - call: `write_file {\"path\": \"a\", \"content\": \"\"}`\n";
        for files in ["`src/*.py`", "`../a`", "`/etc/a`", "`.`", "`~/a`"] {
            assert_eq!(
                holds(&format!("  - files: {files}\n{write}")),
                None,
                "{files}"
            );
        }
        assert_eq!(holds("  - by: person\n  - files: `a`\n"), None);
        assert_eq!(holds("  - type: checkpoint\n"), None);
    }

    #[test]
    fn what_leads_through_a_link_goes_alone() {
        let text = "# P\n\n## Tasks\n- [ ] **T1** One\n  - files: `./a.py`, `src/`\n  - call: `read_file {\"path\": \"b.py\"}`\n";
        let named = named_paths(&plan::parse(text).0);
        assert_eq!(named.iter().collect::<Vec<_>>(), ["a.py", "b.py", "src"]);
        let linked = BTreeSet::from(["a.py".to_owned()]);
        let context = LockContext {
            by_model: true,
            linked: Some(&linked),
            ..CONTEXT
        };
        let step = |file: &str| locked_paths(&task(&format!("  - files: `{file}`\n")), &context);
        assert_eq!(step("./a.py"), None);
        assert_eq!(step("src/a.py"), paths(&["src/a.py"]));
    }

    #[test]
    fn the_plan_file_is_held_by_nobody() {
        let place = PlanPlace {
            path: "plans/p.md".to_owned(),
            root: "/w".to_owned(),
            aliases: Vec::new(),
        };
        let context = LockContext {
            by_model: true,
            plan: Some(&place),
            ..CONTEXT
        };
        let step = |file: &str| locked_paths(&task(&format!("  - files: `{file}`\n")), &context);
        assert_eq!(step("plans/p.md"), None);
        assert_eq!(step("plans/q.md"), paths(&["plans/q.md"]));
    }

    #[test]
    fn a_file_and_its_folder_overlap_and_neighbours_do_not() {
        let is = |one: &str, other: &str| overlap(&[one.to_owned()], &[other.to_owned()]);
        assert!(is("src", "src/a.py") && is("src/a.py", "src") && is("a", "a"));
        assert!(!is("src/a.py", "src/b.py") && !is("src", "src2/a"));
    }
}
