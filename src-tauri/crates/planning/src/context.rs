//! The information about a workspace that is available when a plan is written, as plain data.
//!
//! `tools::survey` fills it in from a folder; tests fill it in by hand. Nothing here reads the
//! disk; anything unknown is empty, never guessed.

use std::collections::{BTreeMap, BTreeSet};

use adequacy::WorkspaceFacts;
use serde::{Deserialize, Serialize};
use specta::Type;

use crate::intake::Intake;
use crate::solver::relevant;
use crate::text::Shape;

/// A survey of one workspace for one goal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// All files that are neither ignored nor hidden from planning, as workspace paths with `/`.
    pub paths: BTreeSet<String>,
    /// The occurrences of each search term as a whole word, in order of path and position. A term
    /// without matches has an empty list.
    pub occurrences: BTreeMap<String, Vec<Occurrence>>,
    /// The text of the files that contain a term or that the goal names, if the survey kept it.
    /// Exact edits are only written for these files.
    pub texts: BTreeMap<String, String>,
    /// Existing folders that the goal names, including ignored ones, and whether `paths` lists
    /// every file in them.
    pub folders: BTreeMap<String, bool>,
    /// The projects that were found, the one in the root folder first.
    pub projects: Vec<Project>,
    /// Files with instructions for people and agents, such as `AGENTS.md`.
    pub guidance: Vec<String>,
    /// Sentences that tell the reader of the plan which files the survey skipped.
    pub limits: Vec<String>,
    /// Files that a search found relevant, best first; empty if there was no search.
    pub offered: Vec<Offered>,
    /// Knowledge from earlier runs that is relevant to the goal, most relevant first; empty if it
    /// wasn't queried.
    pub known: Vec<Known>,
}

/// A file suggested by a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename = "OfferedFile")]
pub struct Offered {
    /// The file's path.
    pub path: String,
    /// Its relevance, in thousandths of that of the best result.
    #[serde(skip)]
    pub score: u32,
    /// Why it is suggested, as a phrase: `defines read_rows`.
    pub reason: String,
}

/// A statement known from an earlier run: a fact, a decision or an outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename = "KnownThing")]
pub struct Known {
    /// The statement, on one line.
    pub text: String,
    /// Its origin, as a phrase: `step T2 of plans/a.md, 3 days ago`.
    pub provenance: String,
}

/// A place where a search term occurs as a whole word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The file's path.
    pub path: String,
    /// The number of its line, from 1.
    pub line: u32,
    /// The byte offset of the word in the file.
    pub offset: usize,
    /// The text of the line, trimmed, at most 200 characters.
    pub text: String,
    /// What the word is there, such as a definition or a call.
    pub shape: Shape,
}

/// A project: a folder with a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// The kind of project.
    pub kind: ProjectKind,
    /// The file that identifies it; for Python without a manifest, the folder's first test file.
    pub manifest: String,
    /// The folder of the project; empty for the workspace root.
    pub folder: String,
    /// The commands that run its tests from the workspace root; empty if there are none.
    pub tests: Vec<String>,
}

/// The kinds of projects with a known test command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProjectKind {
    /// A package or workspace with a `Cargo.toml`.
    Cargo,
    /// A package with a `package.json`.
    Npm,
    /// A Python project tested with pytest.
    Pytest,
    /// A Python project tested with unittest.
    Unittest,
    /// A module with a `go.mod`.
    Go,
    /// A `Makefile` with a `test:` target.
    Make,
}

impl ProjectKind {
    /// The name used when explaining a choice.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cargo => "cargo",
            Self::Npm => "npm",
            Self::Pytest => "pytest",
            Self::Unittest => "unittest",
            Self::Go => "go",
            Self::Make => "make",
        }
    }

    /// Whether a file is in the language that the project's tests cover.
    pub fn covers_language(self, path: &str) -> bool {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        match self {
            Self::Cargo => extension == "rs",
            Self::Npm => matches!(
                extension,
                "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" | "vue" | "svelte"
            ),
            Self::Pytest | Self::Unittest => matches!(extension, "py" | "pyi"),
            Self::Go => extension == "go",
            Self::Make => false,
        }
    }
}

impl Context {
    /// The occurrences of a term; empty if it was not searched for.
    pub fn found(&self, term: &str) -> &[Occurrence] {
        self.occurrences.get(term).map_or(&[], Vec::as_slice)
    }

    /// Converts the survey to the facts that a plan is checked against.
    pub fn facts(&self) -> WorkspaceFacts {
        let defined = self.occurrences.iter().filter(|(_, places)| {
            places.iter().any(|place| {
                matches!(
                    place.shape,
                    Shape::Definition | Shape::Member | Shape::Constant
                )
            })
        });
        let mut commands: Vec<String> = Vec::new();
        for command in self.projects.iter().flat_map(|project| &project.tests) {
            if !commands.contains(command) {
                commands.push(command.clone());
            }
        }
        WorkspaceFacts {
            paths: Some(self.paths.clone()),
            symbols: defined.map(|(term, _)| term.clone()).collect(),
            commands,
            ..WorkspaceFacts::default()
        }
    }

    /// The test commands that cover changes in these files: those of the projects that contain them
    /// and use their language; otherwise those of the outermost projects, `make test` last.
    pub fn test_commands(&self, files: &[String]) -> Vec<String> {
        let mut chosen: Vec<&Project> = Vec::new();
        for file in files {
            let nearest = self
                .projects
                .iter()
                .filter(|project| {
                    !project.tests.is_empty()
                        && project.kind.covers_language(file)
                        && holds(&project.folder, file)
                })
                .max_by_key(|project| project.folder.len());
            if let Some(project) = nearest
                && !chosen.contains(&project)
            {
                chosen.push(project);
            }
        }
        if chosen.is_empty() {
            let testable = || {
                self.projects
                    .iter()
                    .filter(|project| !project.tests.is_empty())
            };
            let outermost = testable().map(|project| depth(&project.folder)).min();
            let at_top = |project: &&Project| Some(depth(&project.folder)) == outermost;
            chosen.extend(
                testable()
                    .filter(at_top)
                    .filter(|project| project.kind != ProjectKind::Make),
            );
            if chosen.is_empty() {
                chosen.extend(testable().filter(at_top));
            }
        }
        chosen.sort_by(|a, b| {
            (depth(&a.folder), &a.folder, a.kind).cmp(&(depth(&b.folder), &b.folder, b.kind))
        });
        let mut commands: Vec<String> = Vec::new();
        for command in chosen.into_iter().flat_map(|project| &project.tests) {
            if !commands.contains(command) {
                commands.push(command.clone());
            }
        }
        commands
    }
}

fn depth(folder: &str) -> usize {
    if folder.is_empty() {
        0
    } else {
        folder.split('/').count()
    }
}

/// Whether the context is enough to plan for a goal: either the location of the goal's files is
/// known, or the goal names nothing to look for. Returns the reason, as the end of a sentence; the
/// error says what is missing.
pub fn sufficiency(intake: &Intake, context: &Context) -> Result<String, String> {
    if context.paths.is_empty() {
        return Ok("the folder is empty".to_owned());
    }
    let found = relevant::files(intake, context);
    let files = found.all(&intake.named_paths);
    if !intake.named_paths.is_empty() && found.absent.is_empty() {
        return Ok(format!(
            "found the files named in the goal: {}",
            quoted_names(&files)
        ));
    }
    let is_found = |term: &&String| !context.found(term).is_empty();
    let terms = &intake.search_terms;
    if !terms.is_empty() && terms.iter().all(|term| is_found(&term)) {
        return Ok(format!(
            "found every name in the goal: {}",
            quoted_names(terms)
        ));
    }
    if !files.is_empty() {
        return Ok(format!("found matching files: {}", quoted_names(&files)));
    }
    if let Some(best) = context.offered.first() {
        return Ok(format!("best match `{}`: {}", best.path, best.reason));
    }
    if !context.known.is_empty() {
        return Ok(format!(
            "related facts from earlier runs: {}",
            context.known.len()
        ));
    }
    if terms.is_empty() && intake.keywords.is_empty() {
        return Ok("the goal names nothing to search for".to_owned());
    }
    Err("no file matches the goal".to_owned())
}

/// The first few names, as a phrase.
fn quoted_names(names: &[String]) -> String {
    const MAX_SHOWN: usize = 3;
    let mut said: Vec<String> = names
        .iter()
        .take(MAX_SHOWN)
        .map(|name| format!("`{name}`"))
        .collect();
    if names.len() > MAX_SHOWN {
        said.push("…".to_owned());
    }
    said.join(", ")
}

/// Whether a file reference in a goal matches this path: it may be the path itself, a folder that
/// contains it, or a pattern with `*`.
pub fn means(named: &str, path: &str) -> bool {
    let folder = named.trim_end_matches('/');
    if named == path || !folder.is_empty() && holds(folder, path) {
        return true;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let subject = if named.contains('/') { path } else { name };
    named.contains('*') && globbed(named.as_bytes(), subject.as_bytes())
}

/// Matches a pattern in which `*` stands for any part of a name and `**` for any path.
fn globbed(pattern: &[u8], text: &[u8]) -> bool {
    match pattern {
        [] => text.is_empty(),
        [b'*', b'*', rest @ ..] => {
            let rest = rest.strip_prefix(b"/").unwrap_or(rest);
            (0..=text.len()).any(|at| globbed(rest, &text[at..]))
        }
        [b'*', rest @ ..] => {
            let name = text
                .iter()
                .position(|byte| *byte == b'/')
                .unwrap_or(text.len());
            (0..=name).any(|at| globbed(rest, &text[at..]))
        }
        [first, rest @ ..] => text.first() == Some(first) && globbed(rest, &text[1..]),
    }
}

/// Whether a path lies in a folder; the empty name stands for the whole workspace.
pub(crate) fn holds(folder: &str, path: &str) -> bool {
    folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}
