//! Finds cycles of dependencies between the top-level modules of a crate.
//!
//! A module depends on another if its files, or those in its folder, name a path in it, through
//! `crate::` or `super::`. Test code doesn't count, and neither do the crate root and further
//! binaries. Modules that depend on each other, directly or through others, are one cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::process::Failure;
use crate::source::{Source, cut_tests, paths_below, test_files};

/// Cycles that still exist, by crate. A cycle that is gone or has other modules must be removed or
/// updated here, so the list can only shrink.
const KNOWN: &[(&str, &str)] = &[
    (
        "planwright-adequacy",
        "coverage dimensions fixes idle oversized parallel plan_context plan_fixes \
         plan_rules regression repeated_phrasing report safeguards surplus task_fixes \
         task_rules unbound_verification vague",
    ),
    (
        "planwright-agent",
        "change_review journal micro_planning model_step verification",
    ),
    ("planwright-agent", "context session"),
    ("planwright-desktop", "tray windows"),
    (
        "planwright-desktop-views",
        "document editing searching source",
    ),
    ("planwright-desktop-views", "run_views runs"),
    ("planwright-gate", "destructive permissions question"),
    ("planwright-plan", "dialect model"),
    (
        "planwright-planning",
        "context indexing intake project solver template text",
    ),
    (
        "planwright-repair",
        "arguments body feedback python scan strings tags value",
    ),
    ("planwright-repair", "envelope schema tool_names"),
    (
        "planwright-workbench",
        "agent_files agent_planning approval checking driver endpoints expansion facts lease \
         new_plan new_plan_with_model opening own_changes plan_file routes run_record running \
         session_driver sessions telemetry undo",
    ),
    ("planwright-workbench", "permission_rules settings"),
];

/// For each module, the modules that it depends on, each with the first place in the code that
/// names it.
type Edges = BTreeMap<String, BTreeMap<String, String>>;

/// Checks the source folders of all crates.
pub(super) fn check(
    root: &Path,
    folders: &BTreeMap<String, PathBuf>,
) -> Result<Vec<String>, Failure> {
    let mut found = BTreeMap::new();
    for (name, folder) in folders {
        let mut files = Vec::new();
        read_below(folder, folder, &mut files)
            .map_err(|error| Failure::one(format!("can't read {}: {error}", folder.display())))?;
        let shown = folder.strip_prefix(root).unwrap_or(folder);
        let edges = edges(&files, &shown.display().to_string());
        found.insert(name.as_str(), (cycles(&edges), edges));
    }
    Ok(complaints(&found, KNOWN))
}

/// The Rust files below a folder, with paths relative to `top`.
fn read_below(folder: &Path, top: &Path, files: &mut Vec<(String, String)>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read_below(&path, top, files)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let inside = path.strip_prefix(top).unwrap_or(&path);
            files.push((
                inside.to_string_lossy().into_owned(),
                std::fs::read_to_string(&path)?,
            ));
        }
    }
    files.sort();
    Ok(())
}

/// The module path of a file; `None` for files outside the module tree of the library or main
/// program, and for the crate root.
fn module_of(path: &str) -> Option<Vec<&str>> {
    let mut names: Vec<&str> = path.strip_suffix(".rs")?.split('/').collect();
    if names.last() == Some(&"mod") {
        names.pop();
    }
    let is_root = matches!(names[..], ["lib" | "main"]);
    (!is_root && names.first() != Some(&"bin")).then_some(names)
}

fn edges(files: &[(String, String)], shown: &str) -> Edges {
    let borrowed: Vec<(&str, String)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.clone()))
        .collect();
    let tests = test_files(&borrowed);
    let is_test = |path: &str| {
        let mut above = Path::new(path).ancestors();
        above.any(|above| {
            tests.contains(above)
                || tests.contains(&above.with_extension("rs"))
                || tests.contains(&above.join("mod.rs"))
        })
    };
    let modules: Vec<(Vec<&str>, &str, &str)> = files
        .iter()
        .filter(|(path, _)| !is_test(path))
        .filter_map(|(path, text)| Some((module_of(path)?, path.as_str(), text.as_str())))
        .collect();
    let names: BTreeSet<&str> = modules.iter().map(|(module, ..)| module[0]).collect();
    let mut edges = Edges::new();
    for (module, path, text) in &modules {
        let code = cut_tests(&Source::read(text).code).0;
        let mut named = paths_below(&code, "crate");
        named.extend(paths_below(&code, "super"));
        named.sort();
        for (at, used) in named {
            let supers = used.split("::").take_while(|part| *part == "super").count();
            let is_from_root = supers == 0 || supers == module.len();
            let mut parts = used.split("::").skip(supers.max(1));
            let target = parts.next().unwrap_or_default();
            if !is_from_root || target == module[0] || !names.contains(target) {
                continue;
            }
            let line = code[..at].matches('\n').count() + 1;
            edges
                .entry(module[0].to_owned())
                .or_default()
                .entry(target.to_owned())
                .or_insert_with(|| format!("{shown}/{path}:{line}"));
        }
    }
    edges
}

/// The cycles: each is the set of modules that all depend on each other.
fn cycles(edges: &Edges) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = edges
        .keys()
        .map(|module| (module.as_str(), reachable(edges, module)))
        .collect();
    let mut cycles: Vec<BTreeSet<String>> = Vec::new();
    for (module, targets) in &reached {
        if !targets.contains(module) || cycles.iter().any(|cycle| cycle.contains(*module)) {
            continue;
        }
        let back = |target: &&&str| reached.get(**target).is_some_and(|r| r.contains(module));
        let cycle = targets.iter().filter(back).map(|name| (*name).to_owned());
        cycles.push(cycle.collect());
    }
    cycles
}

/// All modules that a module depends on, directly or through others.
fn reachable<'a>(edges: &'a Edges, module: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![module];
    while let Some(module) = open.pop() {
        for target in edges.get(module).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(target.as_str()) {
                open.push(target);
            }
        }
    }
    reached
}

fn complaints(
    found: &BTreeMap<&str, (Vec<BTreeSet<String>>, Edges)>,
    known: &[(&str, &str)],
) -> Vec<String> {
    let names = |cycle: &BTreeSet<String>| cycle.iter().cloned().collect::<Vec<_>>().join(" ");
    let mut complaints = Vec::new();
    let mut current = BTreeSet::new();
    for (name, (cycles, edges)) in found {
        for cycle in cycles {
            let modules = names(cycle);
            if !known.contains(&(name, &modules)) {
                complaints.push(format!("{name}: modules depend on each other: {modules}"));
                for from in cycle {
                    let targets = edges.get(from).into_iter().flatten();
                    for (to, place) in targets.filter(|(to, _)| cycle.contains(*to)) {
                        complaints.push(format!("  {place}: {from} → {to}"));
                    }
                }
            }
            current.insert((*name, modules));
        }
    }
    for (name, modules) in known {
        if !current.contains(&(*name, (*modules).to_owned())) {
            complaints.push(format!(
                "{name}: the cycle {modules} no longer exists; remove it from KNOWN"
            ));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)], known: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<(String, String)> = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect();
        let edges = edges(&files, "made-up/src");
        complaints(
            &BTreeMap::from([("made-up", (cycles(&edges), edges))]),
            known,
        )
    }

    const CYCLE: [(&str, &str); 4] = [
        ("lib.rs", "mod a;\nmod b;\nmod c;\nuse crate::a::A;\n"),
        ("a.rs", "mod deep;\nuse crate::{c::C, Other};\n"),
        ("a/deep.rs", "fn f() {\n    super::super::b::f();\n}\n"),
        ("b.rs", "use super::c;\nfn f() { crate::a::f(); }\n"),
    ];

    #[test]
    fn a_cycle_is_found_with_the_place_of_each_dependency() {
        let files = [&CYCLE[..], &[("c.rs", "struct C;\n")]].concat();
        assert_eq!(
            found(&files, &[]),
            [
                "made-up: modules depend on each other: a b",
                "  made-up/src/a/deep.rs:2: a → b",
                "  made-up/src/b.rs:2: b → a",
            ]
        );
        let longer = [&CYCLE[..], &[("c/mod.rs", "use crate::a;\n")]].concat();
        assert_eq!(
            found(&longer, &[])[0],
            "made-up: modules depend on each other: a b c"
        );
    }

    #[test]
    fn a_known_cycle_passes_until_it_changes() {
        assert_eq!(found(&CYCLE, &[("made-up", "a b")]), Vec::<String>::new());
        assert_eq!(
            found(&CYCLE[..2], &[("made-up", "a b")]),
            ["made-up: the cycle a b no longer exists; remove it from KNOWN"]
        );
    }

    #[test]
    fn tests_comments_and_submodules_are_not_dependencies() {
        let files = [
            ("main.rs", "mod a;\nmod b;\n"),
            ("a.rs", "#[cfg(test)]\nmod tests;\nuse crate::b::B;\n"),
            ("a/tests.rs", "use crate::b;\n"),
            (
                "b.rs",
                "// crate::a::f\nmod c;\nuse self::c::C;\n\
                 #[cfg(test)]\nmod more;\n#[cfg(test)]\nmod tests {\n    use crate::a;\n}\n",
            ),
            ("b/c.rs", "use super::d;\nuse crate::b::d::D;\n"),
            ("b/more.rs", "mod other;\nuse crate::a;\n"),
            ("b/more/other.rs", "use crate::a;\n"),
            ("bin/tool.rs", "use crate::a;\n"),
        ];
        assert_eq!(found(&files, &[]), Vec::<String>::new());
    }
}
