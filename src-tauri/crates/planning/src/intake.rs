//! `sd-symbolic`: parses a goal without a model.
//!
//! A goal is classified by its verb and the verb's object, never by words that it only mentions:
//! "explain the bug-fix policy" asks to explain. A goal that is not understood gets the general
//! kind. English is fully supported, German for its common verbs, French and Spanish for renames;
//! any other goal becomes a single requirement, with its paths and identifiers still recognized.
//! Nothing here fails or accesses the disk: paths are recognized by their form or by the facts
//! passed in.

mod clauses;
mod defects;
mod follow_ups;
mod german;
mod kind;
mod limits;
mod manifests;
mod moves;
mod names;
mod pairs;
mod parts;
mod paths;
mod removals;
mod terms;
mod versions;
mod whole;

pub(crate) use kind::imperative;
pub use moves::Move;
pub use pairs::Rename;
pub(crate) use versions::VERSION_CONSTANT;
pub use versions::{Change, Dependency};

use adequacy::WorkspaceFacts;

/// The kind of work that a goal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskType {
    /// Rename an identifier.
    Rename,
    /// Fix something that is wrong.
    BugFix,
    /// Add something new.
    Feature,
    /// Change something that exists.
    Modify,
    /// Investigate without changing anything.
    Find,
    /// Add, update or remove a dependency, or set a value in a manifest.
    Dependency,
    /// Write documentation.
    Documentation,
    /// Delete files.
    Removal,
    /// Move or rename files.
    Move,
    /// Anything else.
    General,
}

impl TaskType {
    /// All kinds.
    pub const ALL: [Self; 10] = [
        Self::Rename,
        Self::BugFix,
        Self::Feature,
        Self::Modify,
        Self::Find,
        Self::Dependency,
        Self::Documentation,
        Self::Removal,
        Self::Move,
        Self::General,
    ];

    /// The name used in a template's `kind:` and in explanations.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rename => "rename",
            Self::BugFix => "bug-fix",
            Self::Feature => "feature",
            Self::Modify => "modify",
            Self::Find => "find",
            Self::Dependency => "dependency",
            Self::Documentation => "documentation",
            Self::Removal => "removal",
            Self::Move => "move",
            Self::General => "general",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// What a requirement asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// The work itself.
    Change,
    /// Writing or running tests.
    Test,
    /// Documenting the change.
    Docs,
}

/// One thing that the goal asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// Its id: `R1`, `R2`, in the order of the goal.
    pub id: String,
    /// Its text, in the goal's words.
    pub text: String,
    /// Whether it asks for the change, its tests or its documentation.
    pub aim: Aim,
}

impl Requirement {
    /// Whether it asks to write a new test rather than just to run existing ones.
    pub(crate) fn wants_new_test(&self) -> bool {
        let words = self.text.split(|c: char| !c.is_alphanumeric());
        let first = words.map(str::to_lowercase).find(|word| !word.is_empty());
        let writes = |word: String| crate::among(&word, "add write extend include make create");
        self.aim == Aim::Test && first.is_some_and(writes)
    }
}

/// A parsed goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intake {
    /// The goal on one line.
    pub goal: String,
    /// The kind of work.
    pub kind: TaskType,
    /// The verb's object in the goal's words, such as `the --json flag`; the whole goal if no verb
    /// was recognized.
    pub subject: String,
    /// The individual requirements; never empty.
    pub requirements: Vec<Requirement>,
    /// What the goal forbids or wants to keep unchanged.
    pub constraints: Vec<String>,
    /// Whether there is a sentence that requests nothing but contains a negation, so that it may be
    /// a constraint.
    pub is_hedged: bool,
    /// The files, folders and patterns that it names.
    pub named_paths: Vec<String>,
    /// The identifiers that it names, including flags, in the order of the goal.
    pub identifiers: Vec<String>,
    /// The name pairs of a rename; empty unless rules can handle all of them.
    pub renames: Vec<Rename>,
    /// The files to move.
    pub moves: Vec<Move>,
    /// The dependency to change, if there is one.
    pub dependency: Option<Dependency>,
    /// Information that the plan needs but the goal lacks.
    pub missing: Vec<String>,
    /// Exact terms to search the workspace for: identifiers, flags, quoted texts.
    pub search_terms: Vec<String>,
    /// Plain words of the goal that may occur in file names or definitions.
    pub keywords: Vec<String>,
    /// Plain words of a rename that are outside its pairs. If one of them is defined in the
    /// workspace, it is a name that no pair covers.
    pub asides: Vec<String>,
    /// If rules can't do the whole goal, the parts that they may be able to do, each parsed as a
    /// goal.
    pub parts: Vec<Self>,
}

impl Intake {
    /// The goal with requirements edited by the user: each is used as written, and its aim is
    /// derived from its own words. Blank requirements are dropped; if none are left, the original
    /// ones are kept.
    pub fn with_requirements(mut self, texts: &[String]) -> Self {
        let texts: Vec<String> = texts.iter().map(|text| one_line(text)).collect();
        let given: Vec<Requirement> = texts
            .into_iter()
            .filter(|text| !text.is_empty())
            .enumerate()
            .map(|(index, text)| Requirement {
                id: format!("R{}", index + 1),
                aim: self.aim_of(&text),
                text,
            })
            .collect();
        if !given.is_empty() {
            self.requirements = given;
            if !whole::does_all(&self) {
                self.kind = TaskType::Modify;
                self.renames.clear();
                self.moves.clear();
                self.dependency = None;
            }
            self.parts = parts::of(&self, &WorkspaceFacts::default());
        }
        self
    }

    /// Whether rules can do what the goal asks for, judging by its wording.
    pub(crate) fn follows_rules(&self) -> bool {
        let dependency = self.dependency.as_ref();
        match self.kind {
            TaskType::Rename => !self.renames.is_empty(),
            TaskType::Dependency => dependency
                .is_some_and(|wanted| wanted.version.is_some() || wanted.change == Change::Remove),
            TaskType::Removal => !self.named_paths.is_empty(),
            TaskType::Move => !self.moves.is_empty(),
            _ => false,
        }
    }

    /// The goal, interpreted for a workspace: a bare word that is the name of a file refers to that
    /// file.
    pub(crate) fn in_workspace(&self, facts: &WorkspaceFacts) -> Self {
        if self.follows_rules() {
            return self.clone();
        }
        let mut seen = read(&self.goal, facts);
        if seen.requirements.len() == self.requirements.len() {
            seen.requirements.clone_from(&self.requirements);
            if seen.kind == TaskType::Removal && seen.follows_rules() && whole::does_all(&seen) {
                return seen;
            }
        }
        Self {
            parts: parts::of(self, facts),
            ..self.clone()
        }
    }

    /// What remains of the goal after rules have handled all requirements except these; a single
    /// remaining requirement becomes the whole goal.
    pub(crate) fn remaining(&self, open: &[&Requirement], facts: &WorkspaceFacts) -> Self {
        let mut requirements: Vec<Requirement> = open.iter().map(|one| (*one).clone()).collect();
        if let [only] = open
            && let Some(alone) = parts::alone(&only.text, only, facts)
        {
            let tests = self.requirements.iter().filter(|one| one.aim == Aim::Test);
            requirements.extend(tests.filter(|one| *one != *only).cloned());
            let alone = match alone.follows_rules() {
                true => alone.left_open(|_| true),
                false => alone,
            };
            return Self {
                requirements,
                ..alone
            };
        }
        let goal: Vec<&str> = open.iter().map(|one| one.text.as_str()).collect();
        let plain: Vec<String> = goal.iter().map(|text| text.to_lowercase()).collect();
        let is_left = |term: &&String| {
            let term = term.to_lowercase();
            plain.iter().any(|text| text.contains(&term))
        };
        let left = |list: &[String]| list.iter().filter(is_left).cloned().collect();
        let is_asked = |one: &&Requirement| one.aim == Aim::Test || open.contains(one);
        let all = self.requirements.iter();
        Self {
            goal: goal.join("; "),
            requirements: all.filter(is_asked).cloned().collect(),
            named_paths: left(&self.named_paths),
            search_terms: left(&self.search_terms),
            keywords: left(&self.keywords),
            kind: TaskType::Modify,
            renames: Vec::new(),
            moves: Vec::new(),
            dependency: None,
            ..self.clone()
        }
    }

    /// A version of the goal that no rule can carry out: its names are searched for, but nothing is
    /// edited. The new names of a rename are kept only if they already exist.
    pub(crate) fn left_open(&self, is_known: impl Fn(&str) -> bool) -> Self {
        let is_new = |term: &String| {
            let mut pairs = self.renames.iter();
            pairs.any(|pair| pair.to == *term) && !is_known(term)
        };
        let terms = self.search_terms.iter();
        Self {
            kind: TaskType::Modify,
            renames: Vec::new(),
            moves: Vec::new(),
            dependency: None,
            search_terms: terms.filter(|term| !is_new(term)).cloned().collect(),
            ..self.clone()
        }
    }

    /// The aim of a requirement: the one parsed from the goal or, for a new requirement, from its
    /// own words.
    fn aim_of(&self, text: &str) -> Aim {
        let known = self.requirements.iter().find(|read| read.text == *text);
        known.map_or_else(
            || {
                let alone = detect(text, &WorkspaceFacts::default());
                alone
                    .requirements
                    .first()
                    .map_or(Aim::Change, |read| read.aim)
            },
            |read| read.aim,
        )
    }
}

/// Parses a goal. `facts` may be empty; they only help to recognize more words as paths.
pub fn detect(goal: &str, facts: &WorkspaceFacts) -> Intake {
    let mut intake = read(goal, facts);
    intake.parts = parts::of(&intake, facts);
    intake
}

/// Parses a goal as a whole.
fn read(goal: &str, facts: &WorkspaceFacts) -> Intake {
    let read = follow_ups::merged(clauses::read(goal), goal);
    let goal = one_line(goal);
    let first = read
        .requirements
        .first()
        .map_or(goal.as_str(), |first| &first.text);
    let mut named_paths = paths::paths(&goal, facts);
    for folder in paths::removed_folders(first, &named_paths) {
        if !named_paths.contains(&folder) {
            named_paths.push(folder);
        }
    }
    let verdict = kind::of(&goal, &read, &named_paths);
    let requirements = clauses::requirements(&goal, &read);
    let constraints: Vec<String> = read
        .constraints
        .iter()
        .map(|part| part.text.clone())
        .collect();
    let mut intake = Intake {
        kind: verdict.kind,
        subject: verdict.subject,
        requirements,
        constraints,
        is_hedged: read
            .context
            .iter()
            .any(|part| limits::may_forbid(&part.text)),
        named_paths,
        identifiers: Vec::new(),
        renames: verdict.pairs.renames,
        moves: verdict.moves,
        dependency: verdict.dependency,
        missing: Vec::new(),
        search_terms: Vec::new(),
        keywords: Vec::new(),
        asides: names::possible_names(&verdict.pairs.rest),
        parts: Vec::new(),
        goal,
    };
    // A path in the rest is not another name; it may say in which file the name is.
    let is_path = |word: &str| intake.named_paths.iter().any(|path| path == word);
    let mut rest = verdict.pairs.rest.split_whitespace();
    let names_more =
        rest.any(|word| names::is_code_name(word) && !is_path(word.trim_matches([',', '.', '`'])));
    if names_more || !whole::does_all(&intake) {
        intake.kind = TaskType::Modify;
        intake.renames.clear();
        intake.moves.clear();
        intake.asides.clear();
        intake.dependency = None;
    }
    intake.with_terms()
}

/// Whether a lowercase word of a goal gives no hint about the relevant files: a plain word or a
/// generic term for work. A verb such as "export" is informative, since code is named after it.
pub(crate) fn is_generic_word(word: &str) -> bool {
    const WORK: &str = "add allow avoid build change check create delete do document drop enable ensure \
         explain extend fix fixes fixed handle implement improve introduce keep let make modify move \
         please prevent refactor remove rename replace rewrite stop supply support turn update write";
    names::is_plain_word(word) || crate::among(word, WORK)
}

/// Collapses whitespace and line breaks to single spaces.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
