//! Restricts which files may contain code with side effects. Code that writes, deletes or starts a
//! program is allowed only in a few listed places, where it is guarded by a permit or limited to
//! the app's own folders. Code that requests permits is allowed only in a few others. Anything else
//! is reported.
//!
//! A misspelled name would never match, so a listed place that uses none of its names is reported
//! too.

use crate::source::{Source, cut_tests, paths_below};

/// Names through which code causes side effects, and the places that may use those names.
struct Door {
    names: &'static [&'static str],
    /// Files, or folders ending in `/`, relative to `src-tauri/`.
    places: &'static [&'static str],
    what: &'static str,
}

const DOORS: [Door; 4] = [
    Door {
        names: &[
            "fs::write",
            "fs::copy",
            "fs::rename",
            "File::create",
            "File::create_new",
            "OpenOptions",
            "DirBuilder",
            "NamedTempFile",
            "create_dir",
            "create_dir_all",
            "hard_link",
            "remove_file",
            "remove_dir",
            "remove_dir_all",
            "set_permissions",
            "linkat",
            "mkdirat",
            "mknodat",
            "renameat",
            "renameat_with",
            "symlinkat",
            "unlinkat",
            "process::Command",
            "Command::new",
            "execve",
            "fork",
        ],
        places: &[
            // Guarded by a permit.
            "crates/tools/src/atomic.rs",
            "crates/tools/src/atomic/bytecode.rs",
            "crates/tools/src/atomic/settle.rs",
            "crates/tools/src/checkpoint/put_back.rs",
            "crates/tools/src/checkpoint/restore.rs",
            "crates/tools/src/sandbox/",
            "crates/tools/src/workspace/place.rs",
            // The lock of a run, in a folder that contains nothing else.
            "crates/tools/src/lock.rs",
            // Reads from git; its only change is guarded by a permit.
            "crates/tools/src/git/run.rs",
            // Opens files for reading only.
            "crates/tools/src/survey/rules.rs",
            // The app's own folders.
            "crates/store/src/",
            "crates/tools/src/checkpoint/blobs.rs",
            "crates/tools/src/checkpoint/private_copy.rs",
            "crates/workbench/src/settings/file.rs",
            "crates/workbench/src/home.rs",
            "crates/workbench/src/logging/daily.rs",
            "src/windows.rs",
            // Creates the sample's folder in the user's data.
            "crates/desktop/src/start/sample.rs",
            // Starts the window.
            "crates/cli/src/window.rs",
            // Starts the user's editor when the user clicks.
            "src/editors.rs",
            // Writes a file where the user chose.
            "crates/desktop/src/document/html.rs",
            // Changes the settings of another agent, after the user saw the change and agreed.
            "crates/bridges/src/hooks/setup/file.rs",
        ],
        what: "writes, deletes or starts a program without the gate; do it in `tools` with a \
               permit",
    },
    Door {
        names: &["own_act"],
        places: &[
            "crates/gate/src/",
            "crates/desktop/src/approving/giving.rs",
            "crates/workbench/src/driver/calls.rs",
            "crates/workbench/src/plan_file.rs",
            "crates/workbench/src/undo.rs",
        ],
        what: "issues a permit without a decision, which only a person's own actions and the \
               app's records may do",
    },
    Door {
        names: &["gate::decide", "decide::decide", "decide_on_plan"],
        places: &[
            "crates/gate/src/",
            "crates/agent/src/run/permits.rs",
            "crates/agent/src/run/baseline.rs",
            "crates/agent/src/run/read_batch.rs",
            "crates/agent/src/run/goal.rs",
            "crates/agent/src/session/verdict.rs",
        ],
        what: "calls the gate outside the run and session machines",
    },
    Door {
        names: &["decide_on_planning"],
        places: &["crates/gate/src/", "crates/workbench/src/agent_planning.rs"],
        what: "lets an agent start, which only planning at a person's request may do",
    },
];

/// The complaints about all files checked so far, and the names found in them.
#[derive(Debug, Default)]
pub(super) struct Doors {
    complaints: Vec<String>,
    used: Vec<&'static str>,
}

impl Doors {
    /// Checks one source file; test code is exempt.
    pub(super) fn look(&mut self, path: &str, text: &str) {
        let Some(inside) = path.strip_prefix("src-tauri/") else {
            return;
        };
        let is_program = inside.starts_with("src/") || inside.contains("/src/");
        if !path.ends_with(".rs") || !is_program || inside.starts_with("xtask/") {
            return;
        }
        let code = cut_tests(&Source::read(text).code).0;
        for door in &DOORS {
            let found = used(&code, door.names);
            if found.is_empty() {
                continue;
            }
            let is_of = |place: &&&str| match place.ends_with('/') {
                true => inside.starts_with(**place),
                false => inside == **place,
            };
            match door.places.iter().find(is_of) {
                Some(place) => self.used.push(place),
                None => self.complaints.extend(
                    found
                        .into_iter()
                        .map(|(line, name)| format!("{path}:{line}: `{name}` {}", door.what)),
                ),
            }
        }
    }

    /// Returns all complaints. A place that uses none of its names is reported too, because a name
    /// may be misspelled.
    pub(super) fn complaints(mut self) -> Vec<String> {
        let places = DOORS.iter().flat_map(|door| door.places);
        let unused = places.filter(|place| !self.used.contains(place));
        self.complaints.extend(unused.map(|place| {
            format!("src-tauri/{place}: no longer uses this; remove it from the list")
        }));
        self.complaints
    }
}

/// The listed names that the code uses, with their line numbers.
fn used<'a>(code: &str, names: &[&'a str]) -> Vec<(usize, &'a str)> {
    let roots = ["std", "rustix", "cap_std", "gate", "tempfile"];
    let spelt: Vec<(usize, String)> = roots
        .iter()
        .flat_map(|root| paths_below(code, root))
        .collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found: Vec<(usize, &str)> = Vec::new();
    for name in names {
        let written = code.match_indices(name).filter(|(at, _)| {
            let before = code[..*at].chars().next_back();
            let after = code[at + name.len()..].chars().next();
            !before.is_some_and(is_word) && !after.is_some_and(is_word)
        });
        let ending = format!("::{name}");
        let imported = spelt
            .iter()
            .filter(|(_, path)| path == name || path.ends_with(&ending));
        let places = written.map(|(at, _)| at).chain(imported.map(|(at, _)| *at));
        let line = |at: usize| code[..at].matches('\n').count() + 1;
        found.extend(places.map(|at| (line(at), *name)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELSEWHERE: &str = "src-tauri/crates/workbench/src/planted.rs";

    fn complaints(path: &str, text: &str) -> Vec<String> {
        let mut doors = Doors::default();
        doors.look(path, text);
        doors.complaints
    }

    #[test]
    fn a_side_effect_past_the_gate_is_found_however_it_is_spelt() {
        for planted in [
            "fn f() { std::fs::write(\"a\", \"b\"); }",
            "use std::fs;\nfn f() { fs::remove_dir_all(\"a\"); }",
            "use std::fs::{File, rename};\nfn f() { rename(\"a\", \"b\"); }",
            "fn f(dir: &Dir) { dir.remove_file(\"a\"); }",
            "use std::process;\nfn f() { process::Command::new(\"rm\"); }",
            "use std::process::{Command, Stdio};",
            "use std::os::unix::fs::OpenOptionsExt;\nuse std::fs::OpenOptions;",
            "fn f() { tokio::fs::write(\"a\", \"b\"); }",
            "fn f() { rustix::fs::unlinkat(dir, \"a\", AtFlags::empty()); }",
            "fn f() { gate::own_act(Bearer::Person, Act::TakeBack); }",
            "use gate::{Case, decide};",
        ] {
            let found = complaints(ELSEWHERE, planted);
            assert!(!found.is_empty(), "{planted}");
            assert!(found[0].starts_with(ELSEWHERE), "{found:?}");
        }
    }

    #[test]
    fn what_only_reads_and_what_only_tests_is_fine() {
        for text in [
            "fn f() { std::fs::read_to_string(\"a\"); out.write(b\"a\"); }",
            "/// Like [`std::fs::write`].\nfn f() { print(\"fs::write\"); }",
            "#[cfg(test)]\nmod tests { fn f() { std::fs::write(\"a\", \"b\"); } }",
            "use gate::Permit;\nfn decide() {}",
        ] {
            assert_eq!(complaints(ELSEWHERE, text), Vec::<String>::new(), "{text}");
        }
        let text = "fn f() { std::fs::write(\"a\", \"b\"); }";
        let place = "src-tauri/crates/tools/src/atomic.rs";
        assert_eq!(complaints(place, text), Vec::<String>::new());
    }

    #[test]
    fn a_place_that_uses_no_door_is_named() {
        let wrong = Doors::default().complaints();
        assert_eq!(
            wrong.len(),
            DOORS.iter().map(|door| door.places.len()).sum::<usize>()
        );
    }
}
