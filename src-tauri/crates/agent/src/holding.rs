//! Which files a step holds while it is under way beside others, and which steps go alone.
//!
//! A step may go beside others only if what it can write is known before it begins: it names its
//! files, or it only looks. It holds them from its beginning to its end. Two steps that hold the same
//! file, or one a file in a folder of the other, are never under way at once.
//!
//! - A step whose `call:` lines run commands holds the *folders* of its files, since a command may make
//!   new files, and replace old ones; a command of such a step can write nowhere else.
//! - A step that a model carries out, and one without commands, holds its files.
//! - A step goes alone that names no files, or names them by a pattern, by a path that leads out of the
//!   workspace or through a link, or by the plan file; that a person carries out; or that has commands
//!   where no sandbox holds them. So does one with commands and a file in the workspace's top folder.
//!
//! Paths are compared as they are written; which of them lead through a link is told from outside.

use std::collections::BTreeSet;

use gate::path::{PlanPlace, workspace_path};
use gate::policy;
use plan::{Plan, Task, TaskKind, ToolName};

/// The most steps that a run has under way at once.
pub const MOST: u8 = 4;

/// What is known of a step besides its own lines.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// Whether a model carries it out.
    pub by_model: bool,
    /// Whether a model that carries it out may run commands.
    pub has_commands: bool,
    /// Whether commands are held by a sandbox.
    pub sandboxed: bool,
    /// Where the plan file is.
    pub plan: Option<&'a PlanPlace>,
    /// Paths that lead through a link: what they are cannot be told from their names.
    pub linked: Option<&'a BTreeSet<String>>,
}

/// The paths that the steps of a plan name, as they are compared.
pub fn named_by(plan: &Plan) -> BTreeSet<String> {
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

/// The files and folders that a step holds while it is under way, sorted; `None` for one that goes
/// alone.
pub fn held(task: &Task, ground: &Ground<'_>) -> Option<Vec<String>> {
    if task.kind != TaskKind::Normal {
        return None;
    }
    if policy::only_reads(task) {
        return Some(Vec::new());
    }
    if !ground.by_model && task.calls.is_empty() {
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
    let has_commands = runs || (ground.by_model && ground.has_commands);
    let is_plan = |path: &String| ground.plan.is_some_and(|plan| plan.is_named_by(path));
    let is_linked = |path: &String| ground.linked.is_some_and(|linked| linked.contains(path));
    if paths.is_empty()
        || (has_commands && !ground.sandboxed)
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

/// A path of the workspace as it is compared; `None` where it says too little.
fn named(path: &str) -> Option<String> {
    let path = workspace_path(path.trim().trim_matches('`'));
    let is_one = !path.is_empty()
        && !path.starts_with('/')
        && !path.starts_with("~/")
        && !path.split('/').any(|part| part == "..")
        && !path.contains(['*', '?', '[', '{', '\\']);
    is_one.then_some(path)
}

/// Whether a path is one of those held, or lies in one, or holds one.
pub fn is_held<'a>(held: impl IntoIterator<Item = &'a String>, path: &str) -> bool {
    let path = workspace_path(path);
    held.into_iter()
        .any(|held| is_inside(&path, held) || is_inside(held, &path))
}

/// Whether two steps hold something in common.
pub fn overlap(one: &[String], other: &[String]) -> bool {
    one.iter().any(|path| is_held(other, path))
}

/// Whether `path` is `folder` or lies in it.
pub fn is_inside(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUND: Ground<'_> = Ground {
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
        held(&task(lines), &GROUND)
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
        let ground = Ground {
            sandboxed: false,
            ..GROUND
        };
        let task = task(&format!("  - files: `out/a.txt`\n{command}"));
        assert_eq!(held(&task, &ground), None, "nothing holds the command");
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
        let named = named_by(&plan::parse(text).0);
        assert_eq!(named.iter().collect::<Vec<_>>(), ["a.py", "b.py", "src"]);
        let linked = BTreeSet::from(["a.py".to_owned()]);
        let ground = Ground {
            by_model: true,
            linked: Some(&linked),
            ..GROUND
        };
        let step = |file: &str| held(&task(&format!("  - files: `{file}`\n")), &ground);
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
        let ground = Ground {
            by_model: true,
            plan: Some(&place),
            ..GROUND
        };
        let step = |file: &str| held(&task(&format!("  - files: `{file}`\n")), &ground);
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
