//! Templates: parameterized plan files, and how they become plans.
//!
//! A template is Markdown like any plan. Its front matter says which goals it applies to:
//!
//! ```yaml
//! template: release            # its name; a user's template replaces a built-in of the same name
//! kind: documentation          # applies to every goal of this kind, and/or
//! match:                       # applies to goals that start with one of these phrases
//!   - release {{version}}
//! params: [version]            # the parameters that phrases may use
//! checks: [make dist]          # commands that check the whole plan at its end
//! ```
//!
//! In its text, `{{name}}` stands for a value: a parameter or one of [`NAMES`]. There are no loops
//! or conditions, only four rules:
//!
//! 1. A step with `{{file}}`, `{{folder}}`, `{{unsure}}`, `{{term}}` or `{{requirement}}` in its
//!    **title** is repeated for each file, folder and so on, with that item's values in all its
//!    lines.
//! 2. In any other line, a name with several values repeats the **line**; in `files:`, `depends:`
//!    and `covers:`, the values are joined, and a name without a value is left out.
//! 3. A **line** that uses a name without a value is dropped, and so is a **step** whose title uses
//!    one.
//! 4. Steps are renumbered, and dependents of a dropped step inherit its dependencies.
//!
//! Each value is escaped for its context: for JSON in a `call:`, for the shell in a command. The
//! planner writes the `## Requirements` section and the plan's front matter. An invalid template is
//! reported and left out; the others still work.

mod choice;
mod fill;
mod matching;
mod render;

use plan::ProblemCode;
use thiserror::Error;

use crate::intake::TaskType;
pub use choice::{Choice, Pick, choose};
pub(crate) use choice::{picked, refused};
use matching::Phrase;
pub(crate) use render::Step;
pub use render::{Record, Values};

/// All names that a template can use, in addition to its own parameters.
pub const NAMES: [&str; 36] = [
    "goal",
    "subject",
    // In a title, each of these repeats the step; see rule 1.
    "requirement",
    "term",
    "file",
    "unsure",
    "folder",
    // Requirement ids, for `covers:`.
    "all",
    "change",
    "testing",
    // The files that the goal concerns; `start` lists them as a phrase for a title.
    "files",
    "sources",
    "tests",
    "documents",
    "start",
    // Commands that run the tests.
    "test",
    // Values for renames, some of which other changes use too; `old`, `new` and `pairs` are phrases
    // for a title.
    "from",
    "to",
    "old",
    "new",
    "pairs",
    "edits",
    "places",
    "lines",
    "new_test",
    // A dependency: its name, its version and the files concerned.
    "name",
    "version",
    "manifest",
    "lock",
    "uses",
    // All others, except `patterns`, are phrases for a title.
    // A new major version of a dependency that no code mentions by name.
    "major",
    // What the planner couldn't resolve.
    "manual",
    // What is new and needs a test.
    "novelty",
    // What to measure: time or memory use.
    "cost",
    // The goal, if it doesn't say which files to change or what the result should be.
    "vague",
    // What to search for before names change, or files are moved or deleted.
    "patterns",
];

/// The built-in templates, each with its name and text.
const BUILT_IN: [(&str, &str); 10] = [
    (
        "find-and-read",
        include_str!("../templates/find-and-read.md"),
    ),
    ("modify-code", include_str!("../templates/modify-code.md")),
    ("fix-bug", include_str!("../templates/fix-bug.md")),
    ("add-feature", include_str!("../templates/add-feature.md")),
    (
        "rename-across-files",
        include_str!("../templates/rename-across-files.md"),
    ),
    (
        "update-dependency",
        include_str!("../templates/update-dependency.md"),
    ),
    (
        "write-documentation",
        include_str!("../templates/write-documentation.md"),
    ),
    (
        "remove-old-files",
        include_str!("../templates/remove-old-files.md"),
    ),
    ("move-files", include_str!("../templates/move-files.md")),
    ("general", include_str!("../templates/general.md")),
];

/// The text of a built-in template, by name.
pub fn built_in(name: &str) -> Option<&'static str> {
    let found = BUILT_IN.iter().find(|(built_in, _)| *built_in == name);
    found.map(|(_, text)| *text)
}

/// A parsed template.
#[derive(Debug, Clone)]
pub struct Template {
    /// The template's name.
    pub id: String,
    /// The path of a user's template; `None` for a built-in one.
    pub path: Option<String>,
    /// The kind of goal that it applies to even without a matching phrase.
    pub kind: Option<TaskType>,
    /// Commands that check the whole plan in its last step.
    pub checks: Vec<String>,
    params: Vec<String>,
    phrases: Vec<Phrase>,
    /// The prose between the front matter and the tasks, without the headings that the planner
    /// writes.
    prose: String,
    steps: Vec<Step>,
}

/// Why a file is not a valid template.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TemplateError {
    /// The template has no steps under `## Tasks`.
    #[error("no steps; add at least one `- [ ] **T1** …` under `## Tasks`")]
    NoSteps,
    /// The template doesn't apply to any goal.
    #[error("matches no goal; add `match:` phrases or a `kind:` to the front matter")]
    AnswersNothing,
    /// `kind:` names an unknown kind of goal.
    #[error("unknown kind `{name}`; use one of {}", TaskType::ALL.map(TaskType::as_str).join(", "))]
    UnknownKind {
        /// The unknown name.
        name: String,
    },
    /// The template uses an undefined name.
    #[error("unknown name `{{{{{0}}}}}`; add it to `params:` or fix the spelling")]
    UnknownName(String),
    /// A phrase is invalid.
    #[error("invalid phrase `{0}`; start with a word and use only names from `params:`")]
    Phrase(String),
    /// The plan can't be parsed.
    #[error("line {line}: {message}")]
    Plan {
        /// The line number of the problem.
        line: u32,
        /// What is wrong and how to fix it.
        message: String,
    },
}

/// A user's template that could not be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateProblem {
    /// The path of the template.
    pub path: String,
    /// Why it could not be loaded, and how to fix it.
    pub error: TemplateError,
}

/// All loaded templates.
#[derive(Debug, Clone)]
pub struct Templates {
    /// The user's templates, then the built-in ones that they don't replace.
    pub all: Vec<Template>,
    /// Templates that could not be loaded.
    pub problems: Vec<TemplateProblem>,
}

/// Loads the user's templates, each given by its path and text, and adds the built-in ones. A
/// user's template replaces a built-in one of the same name.
pub fn load(user: &[(String, String)]) -> Templates {
    let mut all: Vec<Template> = Vec::new();
    let mut problems = Vec::new();
    for (path, text) in user {
        let stem = path
            .rsplit('/')
            .next()
            .unwrap_or(path)
            .trim_end_matches(".md");
        match Template::parse(stem, text) {
            Ok(template) => all.push(Template {
                path: Some(path.clone()),
                ..template
            }),
            Err(error) => problems.push(TemplateProblem {
                path: path.clone(),
                error,
            }),
        }
    }
    for (id, text) in BUILT_IN {
        if all.iter().any(|template| template.id == id) {
            continue;
        }
        match Template::parse(id, text) {
            Ok(template) => all.push(template),
            Err(error) => problems.push(TemplateProblem {
                path: id.to_owned(),
                error,
            }),
        }
    }
    Templates { all, problems }
}

impl Template {
    /// The phrases that it matches, as written.
    pub fn phrases(&self) -> impl Iterator<Item = &str> {
        self.phrases.iter().map(Phrase::text)
    }

    /// The number of steps in the template, before any are repeated or dropped.
    pub fn step_count(&self) -> usize {
        self.steps.len()
    }

    /// Parses a template; `stem` is its name unless the front matter sets one. The error says what
    /// is wrong and how to fix it.
    pub fn parse(stem: &str, text: &str) -> Result<Self, TemplateError> {
        let (plan, problems) = plan::parse(text);
        let front = &plan.front;
        let other = |key: &str| {
            let named = front.other.iter().find(|(name, _)| name == key);
            named.map(|(_, value)| value.clone())
        };
        let kind = match other("kind") {
            Some(name) => {
                Some(TaskType::from_name(name.trim()).ok_or(TemplateError::UnknownKind { name })?)
            }
            None => None,
        };
        let params = &front.params;
        let phrases = front
            .matches
            .iter()
            .map(|text| {
                Phrase::new(text, params).ok_or_else(|| TemplateError::Phrase(text.clone()))
            })
            .collect::<Result<Vec<_>, _>>()?;
        if phrases.is_empty() && kind.is_none() {
            return Err(TemplateError::AnswersNothing);
        }
        // Calls and values are parsed again after they are filled in, so only problems that affect
        // the whole file or the order of its steps are fatal.
        let fatal = problems.iter().find(|problem| {
            matches!(
                problem.code,
                ProblemCode::FrontMatter | ProblemCode::DuplicateId | ProblemCode::Cycle
            )
        });
        if let Some(problem) = fatal {
            let message = problem.message.clone();
            return Err(TemplateError::Plan {
                line: problem.line,
                message,
            });
        }
        let body = front.span.as_ref().map_or(text, |span| &text[span.end..]);
        let unknown = render::names(body)
            .into_iter()
            .find(|name| !params.contains(name) && !NAMES.contains(&name.as_str()));
        if let Some(name) = unknown {
            return Err(TemplateError::UnknownName(name));
        }
        let (prose, steps) = render::split(body);
        if steps.is_empty() {
            return Err(TemplateError::NoSteps);
        }
        Ok(Self {
            id: other("template").unwrap_or_else(|| stem.to_owned()),
            path: None,
            kind,
            checks: front.checks.clone(),
            params: params.clone(),
            phrases,
            prose,
            steps,
        })
    }

    /// Fills the values into the prose and steps.
    pub(crate) fn render(&self, values: &Values) -> (String, Vec<Step>) {
        (
            fill::prose(&self.prose, values),
            fill::steps(&self.steps, values),
        )
    }
}
