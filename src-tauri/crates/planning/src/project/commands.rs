//! Finds the commands that a workspace's own files define: command lines for completion, and the
//! targets of each runner.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use plan::shell_word;

use super::{detect, folder_of, name_of, package_runner, scripts};

const MAX_COMMANDS: usize = 300;

/// Maximum length of a command, in characters.
const MAX_COMMAND_LEN: usize = 300;

/// The workspace's files whose contents [`known`] and [`targets`] need, outermost first.
pub fn wanted(paths: &BTreeSet<String>) -> Vec<String> {
    let mut wanted = super::wanted(paths);
    let more = paths.iter().filter(|path| kind(path).is_some());
    wanted.extend(more.cloned());
    wanted.sort_by_key(|path| (path.matches('/').count(), path.clone()));
    wanted.dedup();
    wanted
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Npm,
    Make,
    Just,
    Cargo,
    Python,
}

fn kind(path: &str) -> Option<Kind> {
    Some(match name_of(path) {
        "package.json" => Kind::Npm,
        "Makefile" | "makefile" | "GNUmakefile" => Kind::Make,
        "justfile" | "Justfile" | ".justfile" => Kind::Just,
        "Cargo.toml" => Kind::Cargo,
        "pyproject.toml" => Kind::Python,
        _ => return None,
    })
}

/// All known commands without duplicates, in this order: commands in the settings, test commands,
/// commands in use, and commands that manifests define.
pub fn known(
    paths: &BTreeSet<String>,
    texts: &BTreeMap<String, String>,
    of_settings: Vec<String>,
    in_use: Vec<String>,
) -> Vec<String> {
    let mut seen = HashSet::new();
    let tests = detect(paths, texts);
    let tests = tests.into_iter().flat_map(|project| project.tests);
    let mut manifests: Vec<_> = texts.iter().collect();
    manifests.sort_by_key(|(path, _)| path.matches('/').count());
    let offered = manifests.into_iter().flat_map(|(path, text)| {
        let folder = folder_of(path);
        match kind(path) {
            Some(Kind::Npm) => npm(folder, text, paths),
            Some(Kind::Make) => at_folder("make", "-C", folder, targets_of(text)),
            Some(Kind::Just) => at_folder("just", "-d", folder, recipes(text)),
            Some(Kind::Cargo) if folder.is_empty() => cargo(text),
            Some(Kind::Python) if folder.is_empty() => python(text),
            _ => Vec::new(),
        }
    });
    let all = of_settings
        .into_iter()
        .chain(tests)
        .chain(in_use)
        .chain(offered);
    all.filter(|command| command.chars().count() <= MAX_COMMAND_LEN && seen.insert(command.clone()))
        .take(MAX_COMMANDS)
        .collect()
}

/// Non-test commands that a goal refers to, such as the project's `lint` for "fix what the linter
/// reports". Failing these, a Python tool that the goal names, such as `mypy`, counts even if the
/// project doesn't list it.
pub(crate) fn commands_in_goal(
    goal: &str,
    paths: &BTreeSet<String>,
    texts: &BTreeMap<String, String>,
) -> Vec<String> {
    // The names of checkers as they appear in goals, each with its name in commands.
    const CHECKERS: [(&str, &str); 16] = [
        ("lint", "lint"),
        ("linter", "lint"),
        ("lints", "lint"),
        ("eslint", "lint"),
        ("clippy", "clippy"),
        ("rustfmt", "fmt"),
        ("ruff", "ruff"),
        ("flake8", "flake8"),
        ("pylint", "pylint"),
        ("mypy", "mypy"),
        ("pyright", "pyright"),
        ("black", "black"),
        ("isort", "isort"),
        ("prettier", "prettier"),
        ("typecheck", "typecheck"),
        ("tsc", "tsc"),
    ];
    let plain = goal.to_lowercase();
    let words: HashSet<&str> = plain.split(|c: char| !c.is_alphanumeric()).collect();
    let wanted = CHECKERS.iter().filter(|(said, _)| words.contains(said));
    let wanted: HashSet<&str> = wanted.map(|(_, named)| *named).collect();
    let is_named = |command: &String| {
        let mut parts = command.split(|c: char| !c.is_alphanumeric());
        let mends = |part: &str| matches!(part, "fix" | "write" | "watch");
        parts.clone().any(|part| wanted.contains(part)) && !parts.any(mends)
    };
    let known: Vec<String> = known(paths, texts, Vec::new(), Vec::new());
    let found: Vec<String> = known.into_iter().filter(is_named).collect();
    if !found.is_empty() || !paths.iter().any(|path| path.ends_with(".py")) {
        return found;
    }
    let tools = PYTHON.iter().filter(|(tool, _)| wanted.contains(tool));
    tools.map(|(_, command)| (*command).to_owned()).collect()
}

/// The target names of each runner, over all folders. A runner is left out if one of its manifests
/// could not be read or takes names from elsewhere, since its names are then unknown.
pub fn targets(
    paths: &BTreeSet<String>,
    texts: &BTreeMap<String, String>,
) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<&str, Option<BTreeSet<String>>> = BTreeMap::new();
    for path in paths {
        let (runner, names) = match kind(path) {
            Some(Kind::Npm) => ("npm", texts.get(path).and_then(|text| script_names(text))),
            Some(Kind::Make) => {
                let text = texts.get(path).filter(|text| is_whole_makefile(text));
                ("make", text.map(|text| targets_of(text)))
            }
            Some(Kind::Just) => {
                let text = texts.get(path).filter(|text| is_whole_justfile(text));
                ("just", text.map(|text| recipes(text)))
            }
            Some(Kind::Cargo) => ("cargo", texts.get(path).map(|text| packages(text))),
            Some(Kind::Python) | None => continue,
        };
        let all = found.entry(runner).or_insert_with(|| Some(BTreeSet::new()));
        match names {
            Some(names) => {
                if let Some(all) = all {
                    all.extend(names);
                }
            }
            None => *all = None,
        }
    }
    let known = found.into_iter();
    known
        .filter_map(|(runner, names)| Some((runner.to_owned(), names?)))
        .collect()
}

/// The script names of a `package.json`; `None` if it can't be parsed.
fn script_names(text: &str) -> Option<Vec<String>> {
    Some(scripts(text)?.into_iter().map(|(name, _)| name).collect())
}

/// Whether a makefile defines all its targets itself, without includes, patterns or variables.
fn is_whole_makefile(text: &str) -> bool {
    !text.lines().any(|line| {
        let word = line.split_whitespace().next().unwrap_or_default();
        let is_rule = !line.starts_with(['\t', '#']);
        matches!(word, "include" | "-include" | "sinclude")
            || (is_rule
                && line
                    .split_once(':')
                    .is_some_and(|(names, _)| names.contains(['%', '$'])))
    })
}

/// Whether a justfile defines all its recipes itself.
fn is_whole_justfile(text: &str) -> bool {
    !text.lines().any(|line| {
        let word = line.split_whitespace().next().unwrap_or_default();
        matches!(word, "import" | "import?" | "mod" | "mod?" | "alias")
    })
}

/// The name of the package in a `Cargo.toml`, if there is one.
fn packages(text: &str) -> Vec<String> {
    let mut is_package = false;
    let mut names = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            is_package = line == "[package]";
        } else if is_package
            && let Some((key, value)) = line.split_once('=')
            && key.trim() == "name"
        {
            let value = value.split('#').next().unwrap_or_default().trim();
            names.push(value.trim_matches(['"', '\'']).to_owned());
        }
    }
    names
}

fn npm(folder: &str, text: &str, paths: &BTreeSet<String>) -> Vec<String> {
    let names = script_names(text).unwrap_or_default();
    let start = match (package_runner(folder, paths), folder) {
        (program, "") => format!("{program} run"),
        ("pnpm", folder) => format!("pnpm --dir {} run", shell_word(folder)),
        ("npm", folder) => format!("npm --prefix {} run", shell_word(folder)),
        (program, folder) => format!("{program} --cwd {} run", shell_word(folder)),
    };
    names
        .iter()
        .map(|name| format!("{start} {}", shell_word(name)))
        .collect()
}

fn at_folder(program: &str, option: &str, folder: &str, names: Vec<String>) -> Vec<String> {
    let start = match folder {
        "" => program.to_owned(),
        folder => format!("{program} {option} {}", shell_word(folder)),
    };
    names
        .into_iter()
        .map(|name| format!("{start} {name}"))
        .collect()
}

/// The targets of a makefile that are meant to be run by hand.
fn targets_of(text: &str) -> Vec<String> {
    let rules = text.lines().filter_map(|line| {
        let (targets, rest) = line.split_once(':')?;
        let is_rule = !line.starts_with(['\t', '#', ' ', '.'])
            && !rest.starts_with('=')
            && !rest.starts_with(":=")
            && !targets.contains('=');
        is_rule.then(|| targets.split_whitespace())
    });
    names(rules.flatten())
}

/// The recipes of a justfile, except private ones, which begin with `_`.
fn recipes(text: &str) -> Vec<String> {
    let heads = text.lines().filter_map(|line| {
        let (head, rest) = line.split_once(':')?;
        let is_head = !line.starts_with(['\t', '#', ' ', '[', '@', '_']) && !rest.starts_with('=');
        let name = head.split_whitespace().next()?;
        let is_setting = matches!(name, "set" | "alias" | "export" | "import" | "mod");
        (is_head && !is_setting).then_some(name)
    });
    names(heads)
}

fn names<'t>(found: impl Iterator<Item = &'t str>) -> Vec<String> {
    let is_plain = |name: &&str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        !name.is_empty() && name.chars().all(plain)
    };
    found.filter(is_plain).map(str::to_owned).collect()
}

fn cargo(text: &str) -> Vec<String> {
    let all = match text.lines().any(|line| line.trim() == "[workspace]") {
        true => " --workspace",
        false => "",
    };
    let commands = ["test", "check", "build", "clippy --all-targets"];
    let commands = commands
        .iter()
        .map(|command| match command.split_once(' ') {
            Some((name, rest)) => format!("cargo {name}{all} {rest}"),
            None => format!("cargo {command}{all}"),
        });
    commands
        .chain(["cargo fmt --all --check".to_owned()])
        .collect()
}

/// Python tools, and the command that runs each.
const PYTHON: [(&str, &str); 10] = [
    ("pytest", "python3 -m pytest"),
    ("ruff", "ruff check ."),
    ("flake8", "flake8"),
    ("pylint", "pylint ."),
    ("mypy", "mypy ."),
    ("pyright", "pyright"),
    ("black", "black --check ."),
    ("isort", "isort --check ."),
    ("tox", "tox"),
    ("nox", "nox"),
];

fn python(text: &str) -> Vec<String> {
    let named = PYTHON.iter().filter(|(tool, _)| text.contains(tool));
    named.map(|(_, command)| (*command).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_from_what_the_project_says() {
        let files = [
            (
                "package.json",
                r#"{"scripts": {"build": "vite", "lint": "biome check"}}"#,
            ),
            ("web/package.json", r#"{"scripts": {"dev": "vite"}}"#),
            (
                "Makefile",
                "CC := gcc\n.PHONY: all\nall: a b\n\tcc\ntest clean:\n\techo\n",
            ),
            (
                "justfile",
                "set shell := [\"sh\"]\n# x: y\ncheck arg='1':\n  echo\n_own:\n  x\n",
            ),
            ("Cargo.toml", "[workspace]\nmembers = []\n"),
            (
                "pyproject.toml",
                "[tool.ruff]\n[dependency-groups]\ndev = [\"pytest\"]\n",
            ),
        ];
        let mut paths: BTreeSet<String> =
            files.iter().map(|(path, _)| (*path).to_owned()).collect();
        paths.insert("pnpm-lock.yaml".to_owned());
        assert_eq!(wanted(&paths).len(), 6);
        let texts = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        let known = known(
            &paths,
            &texts.collect(),
            vec!["./check.sh".to_owned()],
            vec!["make all".to_owned(), "true".to_owned()],
        );
        assert_eq!(known[0], "./check.sh");
        for command in [
            "pnpm run build",
            "pnpm --dir web run dev",
            "make all",
            "make test",
            "make clean",
            "just check",
            "cargo test --workspace",
            "cargo clippy --workspace --all-targets",
            "python3 -m pytest",
            "ruff check .",
            "true",
        ] {
            assert_eq!(
                known.iter().filter(|known| *known == command).count(),
                1,
                "{command}"
            );
        }
        let odd = known.iter().filter(|known| known.contains(['=', ':', '_']));
        assert_eq!(odd.count(), 0, "{known:?}");
    }

    #[test]
    fn targets_are_known_only_where_all_of_them_are() {
        let files = [
            ("package.json", r#"{"scripts": {"build": "vite"}}"#),
            ("web/package.json", r#"{"scripts": {"dev": "vite"}}"#),
            ("Makefile", "all: a\n\tcc\n"),
            ("justfile", "check:\n  echo\n"),
            (
                "Cargo.toml",
                "[workspace]\n[package]\nname = \"a\" # x\n[lib]\nname = \"b\"\n",
            ),
        ];
        let paths: BTreeSet<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
        let mut texts: BTreeMap<String, String> = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect();
        let names = |found: &BTreeMap<String, BTreeSet<String>>, runner: &str| {
            let names = found.get(runner)?;
            Some(names.iter().cloned().collect::<Vec<_>>().join(" "))
        };
        let found = targets(&paths, &texts);
        assert_eq!(names(&found, "npm").as_deref(), Some("build dev"));
        assert_eq!(names(&found, "make").as_deref(), Some("all"));
        assert_eq!(names(&found, "just").as_deref(), Some("check"));
        assert_eq!(names(&found, "cargo").as_deref(), Some("a"));
        // One manifest is unreadable, one has an include, and one has a pattern.
        texts.remove("web/package.json");
        texts.insert("justfile".to_owned(), "import 'more.just'\n".to_owned());
        texts.insert("Makefile".to_owned(), "%.o: %.c\n\tcc\n".to_owned());
        let found = targets(&paths, &texts);
        assert_eq!(found.keys().collect::<Vec<_>>(), ["cargo"]);
        assert!(targets(&BTreeSet::new(), &BTreeMap::new()).is_empty());
    }
}
