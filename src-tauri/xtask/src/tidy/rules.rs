//! The rules for a single file. Pure: takes a path and a text, returns complaints.

use crate::source::{Source, cut_tests, paths_below};

/// Files with more lines than this must give a reason.
const LONG: usize = 400;

/// Crates without access to clock, disk, network or processes.
const PURE: [&str; 6] = ["plan", "adequacy", "gate", "repair", "planning", "agent"];

/// Markers of unfinished work, assembled here so that this file does not contain them.
const MARKS: [&str; 3] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
];

/// Placeholder account names allowed in examples; single letters are allowed too.
const ANYBODY: [&str; 5] = ["me", "name", "someone", "user", "you"];

/// All complaints about one file, in line order. `behind_cfg_test` says whether another file
/// declares it as a test module; `here` is the path of this checkout.
pub(super) fn file(path: &str, text: &str, behind_cfg_test: bool, here: &str) -> Vec<String> {
    let mut complaints = machine_paths(text, here);
    let is_test = behind_cfg_test || is_test_path(path);
    if !is_test {
        complaints.extend(too_long(path, text));
    }
    if path.ends_with(".rs") {
        rust(path, text, is_test, &mut complaints);
    } else if has_comments(path) {
        page(path, text, &mut complaints);
        complaints.extend(
            text.lines()
                .enumerate()
                .filter_map(|(number, line)| Some((number + 1, unfinished(comment_of(line)?)?))),
        );
    }
    complaints.sort();
    complaints.dedup();
    complaints
        .into_iter()
        .map(|(line, what)| format!("{path}:{line}: {what}"))
        .collect()
}

type Complaint = (usize, String);

fn rust(path: &str, text: &str, is_test: bool, complaints: &mut Vec<Complaint>) {
    if !text.starts_with("//!") {
        complaints.push((1, "start the module with a `//!` doc comment".to_owned()));
    }
    let source = Source::read(text);
    for (number, line) in source.comments.lines().enumerate() {
        complaints.extend(unfinished(line).map(|what| (number + 1, what)));
    }
    let mut find = |code: &str, needle: &str, what: &str| {
        for (at, _) in code.match_indices(needle) {
            let before = code[..at].chars().next_back();
            if !before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
                complaints.push((line_of(code, at), what.to_owned()));
            }
        }
    };
    for name in ["todo", "unimplemented"] {
        find(&source.code, &format!("{name}!"), "finish or remove it");
    }
    find(
        &source.code,
        concat!("#[", "ignore"),
        "run or remove ignored tests",
    );
    if is_test {
        return;
    }
    let (code, _) = cut_tests(&source.code);
    if path.starts_with("src-tauri/") {
        // Each starts with the dot of a method call, so that other names aren't found.
        for call in [".unwrap()", ".expect(", ".unwrap_err()", ".expect_err("] {
            for (at, _) in code.match_indices(call) {
                let what = format!("`{call}` outside tests: return an error instead");
                complaints.push((line_of(&code, at), what));
            }
        }
    }
    if is_pure(path) {
        for (at, name) in paths_below(&code, "std")
            .into_iter()
            .filter(|(_, name)| is_outside(name))
        {
            let what = format!("{name} in a pure crate: pass its result in as data");
            complaints.push((line_of(&code, at), what));
        }
        for (at, _) in code.match_indices("tokio::") {
            complaints.push((line_of(&code, at), "no tokio in pure crates".to_owned()));
        }
    }
}

/// Applies the rules for user interface sources.
fn page(path: &str, text: &str, complaints: &mut Vec<Complaint>) {
    let Some(inside) = path.strip_prefix("ui/src/") else {
        return;
    };
    let is_script = path.ends_with(".ts") || path.ends_with(".tsx");
    if !is_script || is_generated(path, text) {
        return;
    }
    if !text.starts_with("/**") {
        complaints.push((
            1,
            "start the module with a `/** … */` doc comment".to_owned(),
        ));
    }
    if inside.starts_with("api/") {
        return;
    }
    for (number, line) in text.lines().enumerate() {
        let is_import = line.contains("from \"") || line.contains("import(\"");
        if is_import && line.contains("\"@tauri-apps/") {
            let what = "call the backend only through ui/src/api";
            complaints.push((number + 1, what.to_owned()));
        }
    }
}

/// Whether a path below `std` gives access to clock, disk, network or processes.
fn is_outside(path: &str) -> bool {
    let segments: Vec<&str> = path.split("::").skip(1).collect();
    match segments[..] {
        ["fs" | "env" | "process" | "net" | "thread" | "os", ..] => true,
        // `Duration` is only data, but importing the whole module would give access to its clocks.
        ["time", ..] => segments.get(1) != Some(&"Duration"),
        ["io", name, ..] => ["stdin", "stdout", "stderr"].contains(&name),
        _ => false,
    }
}

fn is_pure(path: &str) -> bool {
    path.strip_prefix("src-tauri/crates/")
        .and_then(|rest| rest.split_once('/'))
        .is_some_and(|(name, rest)| PURE.contains(&name) && rest.starts_with("src/"))
}

pub(super) fn is_test_path(path: &str) -> bool {
    path.starts_with("ui/test/")
        || path
            .split('/')
            .any(|part| matches!(part, "tests" | "tests.rs" | "fuzz"))
}

fn too_long(path: &str, text: &str) -> Option<Complaint> {
    let is_source = [".rs", ".ts", ".tsx", ".css"]
        .iter()
        .any(|ending| path.ends_with(ending));
    let has_reason = text
        .lines()
        .take(40)
        .any(|line| line.contains("Long because:"));
    let lines = text.lines().count();
    (is_source && !is_generated(path, text) && !has_reason && lines > LONG).then(|| {
        (
            1,
            format!(
                "{lines} lines: split the file, or explain its length with `//! Long \
                     because: …`"
            ),
        )
    })
}

/// Whether the file is generated, and so exempt from the length limit.
fn is_generated(path: &str, text: &str) -> bool {
    let is_marked = || text.lines().take(5).any(|line| line.contains("@generated"));
    path.ends_with("bindings.ts") || is_marked()
}

fn has_comments(path: &str) -> bool {
    [
        ".ts", ".tsx", ".js", ".css", ".sql", ".sh", ".toml", ".yml", ".yaml",
    ]
    .iter()
    .any(|ending| path.ends_with(ending))
        || path.starts_with(".ci/")
}

/// The comment part of a line, in any of the languages that [`has_comments`] names.
fn comment_of(line: &str) -> Option<&str> {
    let start = ["//", "/*", "#", "--"]
        .iter()
        .filter_map(|open| line.find(open))
        .min();
    start
        .or_else(|| line.trim_start().starts_with('*').then_some(0))
        .map(|start| &line[start..])
}

/// The complaint about a marker of unfinished work in a comment, if there is one. Markers in
/// backticks or quotes are allowed, since the rules on plans must be able to mention them.
fn unfinished(comment: &str) -> Option<String> {
    MARKS.iter().find_map(|mark| {
        comment.match_indices(mark).find_map(|(at, _)| {
            let before = comment[..at].chars().next_back().unwrap_or(' ');
            let after = comment[at + mark.len()..].chars().next().unwrap_or(' ');
            let stands_alone = |c: char| !c.is_alphanumeric() && !"_`\"'-".contains(c);
            (stands_alone(before) && stands_alone(after))
                .then(|| format!("`{mark}` in a comment: finish it or file an issue"))
        })
    })
}

/// Complaints about paths that exist only on one machine.
fn machine_paths(text: &str, here: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let mut complain = |at: usize, path: &str| {
        let what = format!("{path} exists only on one machine; use a relative path");
        complaints.push((line_of(text, at), what));
    };
    for (opening, closing) in [("/home/", '/'), ("/Users/", '/'), (":\\Users\\", '\\')] {
        for (at, _) in text.match_indices(opening) {
            // In `site/home/page`, `/home/` is not the start of a path.
            let before = text[..at].chars().next_back();
            let goes_on = before.is_some_and(|c| c.is_alphanumeric() || c == '.');
            if goes_on && !opening.starts_with(':') {
                continue;
            }
            let rest = &text[at + opening.len()..];
            let length = rest.find(|c: char| !c.is_alphanumeric() && !"_-.".contains(c));
            let (account, rest) = rest.split_at(length.unwrap_or(rest.len()));
            let is_somebody = account.chars().count() > 1 && !ANYBODY.contains(&account);
            if is_somebody && rest.starts_with(closing) {
                complain(at, &format!("{opening}{account}"));
            }
        }
    }
    // The path of a checkout directly below the root is too short to search for.
    if here.matches('/').count() > 1 {
        text.match_indices(here)
            .for_each(|(at, _)| complain(at, here));
    }
    complaints
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count()
        + 1
}
