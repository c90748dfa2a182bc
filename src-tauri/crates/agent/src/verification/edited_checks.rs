//! Determines whether a step edited files that its own checks read.
//!
//! A check reads the files that its line names as paths or modules, the file that defines it (`make
//! test`, `npm test`), and, if its runner discovers tests, every test. Changing one of them is not
//! an error, because writing tests may be the purpose of the step, but the person is told about it.

use plan::word_list::WordList;

/// Runners that find their tests themselves.
const RUNNERS: [&str; 24] = [
    "pytest", "unittest", "nose2", "tox", "nox", "jest", "vitest", "mocha", "ava", "rspec",
    "phpunit", "ctest", "gradle", "gradlew", "mvn", "sbt", "dotnet", "cargo", "go", "npm", "pnpm",
    "yarn", "make", "just",
];

/// Files that a program reads although the command line of the check doesn't name them.
const DEFINITIONS: [(&str, &[&str]); 9] = [
    ("make", &["Makefile", "makefile", "GNUmakefile"]),
    ("just", &["justfile", "Justfile"]),
    ("npm", &["package.json"]),
    ("pnpm", &["package.json"]),
    ("yarn", &["package.json"]),
    ("tox", &["tox.ini"]),
    ("nox", &["noxfile.py"]),
    ("pytest", &["conftest.py", "pytest.ini"]),
    ("cmake", &["CMakeLists.txt"]),
];

/// Programs that run the file given as an argument.
const INTERPRETERS: [&str; 12] = [
    "python", "pypy", "node", "ruby", "perl", "php", "sh", "bash", "zsh", "deno", "bun", "tsx",
];

/// The changed files that the checks read, in the order of `changed`. A program that is among the
/// step's own files (`named`) is left out, because it is the code under test.
pub fn edited_checks(lines: &[String], changed: &[String], named: &[String]) -> Vec<String> {
    let is_read = |path: &&String| {
        let is_own = named.contains(path);
        let mut lines = lines.iter();
        lines.any(|line| reads(line, path) || (!is_own && is_program(line, path)))
    };
    changed.iter().filter(is_read).cloned().collect()
}

/// Whether the command line runs this file, directly or with an interpreter.
fn is_program(line: &str, path: &str) -> bool {
    let parts = line
        .split(['|', ';', '&'])
        .filter(|part| !part.trim().is_empty());
    parts.into_iter().any(|part| {
        let mut words = part
            .split_whitespace()
            .map(|word| word.trim_matches(['\'', '"']))
            .skip_while(|word| word.contains('=') || matches!(*word, "env" | "time" | "exec"));
        let Some(program) = words.next() else {
            return false;
        };
        let name = program.rsplit('/').next().unwrap_or(program);
        let bare = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        let file = match INTERPRETERS.contains(&bare) {
            true => {
                let operands: Vec<&str> = words.filter(|word| !word.starts_with('-')).collect();
                // An option and its value can come first.
                let is_file = |word: &&&str| word.contains(['.', '/']);
                operands.iter().find(is_file).or(operands.first()).copied()
            }
            false => Some(program),
        };
        file.is_some_and(|file| file.trim_start_matches("./") == path)
    })
}

/// Whether a check only searches text or files, which is weak evidence that the code works.
pub fn only_reads(line: &str) -> bool {
    const LOOKS: [&str; 22] = [
        "grep", "egrep", "fgrep", "rg", "ag", "test", "[", "ls", "cat", "wc", "head", "tail",
        "find", "stat", "true", "echo", "sed", "awk", "tr", "sort", "uniq", "cut",
    ];
    let parts = line.split(['|', ';', '&', '(', ')', '{', '}']);
    let mut parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts.all(|part| {
        let mut words = part.split_whitespace().filter(|word| *word != "!");
        words.next().is_none_or(|word| LOOKS.contains(&word))
    })
}

fn reads(line: &str, path: &str) -> bool {
    let words: Vec<&str> = line
        .split(|letter: char| letter.is_whitespace() || "'\"`;&|()<>=,".contains(letter))
        .filter(|word| !word.is_empty())
        .collect();
    if words.iter().any(|word| names(word, path)) {
        return true;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let programs = words
        .iter()
        .map(|word| word.rsplit('/').next().unwrap_or(word));
    let mut runs_tests = false;
    for program in programs {
        let mut defined = DEFINITIONS.iter();
        if defined.any(|(runner, files)| *runner == program && files.contains(&name)) {
            return true;
        }
        runs_tests |= RUNNERS.contains(&program);
    }
    // If the command line names tests, only those are run.
    let is_path = |word: &&&str| word.contains(['/', '.']);
    let is_narrow = words
        .iter()
        .filter(is_path)
        .any(|word| is_test(&as_path(word)));
    runs_tests && !is_narrow && is_test(path)
}

/// Whether a word of the command line names the file, which must be a test or a script: by its
/// path, a parent folder, or its module.
fn names(word: &str, path: &str) -> bool {
    let word = word.split("::").next().unwrap_or(word);
    let word = word.trim_start_matches("./").trim_end_matches('/');
    if word.is_empty() || word.starts_with('-') {
        return false;
    }
    let is_at = |named: &str| {
        path == named
            || (is_test(named)
                && path
                    .strip_prefix(named)
                    .is_some_and(|rest| rest.starts_with('/')))
    };
    // A source file that a check names is the code under test; only tests and scripts are part of
    // the check.
    let is_check = is_test(path) || is_script(path);
    is_check && (is_at(word) || is_at(&as_path(word)) || module(path).as_deref() == Some(word))
}

/// The module name of a path: `tests.test_report` for `tests/test_report.py`.
fn module(path: &str) -> Option<String> {
    let stem = path.rsplit_once('.').map(|(stem, _)| stem)?;
    Some(stem.replace('/', "."))
}

/// A module name as a path without extension; a path stays as it is.
fn as_path(word: &str) -> String {
    match word.contains('/') || word.rsplit_once('.').is_some_and(|(_, end)| end.len() <= 3) {
        true => word.to_owned(),
        false => word.replace('.', "/"),
    }
}

fn is_script(path: &str) -> bool {
    [".sh", ".bash", ".zsh", ".mk"]
        .iter()
        .any(|end| path.ends_with(end))
        || path
            .split('/')
            .any(|part| part == "scripts" || part == "bin")
}

fn is_test(path: &str) -> bool {
    let mut parts = path.split('/').collect::<Vec<_>>();
    let name = parts.pop().unwrap_or_default().to_lowercase();
    let folders = WordList("test tests __tests__ spec specs testing e2e");
    if parts.iter().any(|part| folders.contains(part)) || folders.contains(name.as_str()) {
        return true;
    }
    let stem = name.split('.').next().unwrap_or_default();
    name.contains(".test.")
        || name.contains(".spec.")
        || stem.starts_with("test_")
        || ["_test", "_tests", "_spec", "-test", "-spec"]
            .iter()
            .any(|end| stem.ends_with(end))
        || matches!(stem, "test" | "tests" | "conftest")
}
