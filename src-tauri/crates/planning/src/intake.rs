//! `sd-symbolic`: reads a goal without a model.
//!
//! A goal is taken by what it asks for, its verb and the verb's object, never by words that it only
//! mentions: "explain the bug-fix policy" asks to explain. What is not understood is left to the
//! general kind. English is read, German as far as its verbs go, and a rename in French and Spanish too; any other goal is one
//! requirement, its paths and code names still found. Nothing here fails, and nothing is looked up:
//! paths are told apart from other words by their form, or by the facts passed in.

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

/// What a goal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskType {
    /// Give a name in the code another name.
    Rename,
    /// Make something that is wrong right.
    BugFix,
    /// Make something that is not there yet.
    Feature,
    /// Change something that is there.
    Modify,
    /// Find something out; nothing changes.
    Find,
    /// Change which version of a library is used.
    Dependency,
    /// Write for people.
    Documentation,
    /// Delete files.
    Removal,
    /// Move files, or give them other names.
    Move,
    /// Anything else.
    General,
}

impl TaskType {
    /// Every kind.
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

    /// The name in a template's `kind:` and in reasons.
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

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// What one requirement is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// The work itself.
    Change,
    /// A test of it, or a run of the tests.
    Test,
    /// Something written about it.
    Docs,
}

/// One thing that the goal asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// `R1`, `R2`, in the order of the goal.
    pub id: String,
    /// Its words.
    pub text: String,
    /// What it is about.
    pub aim: Aim,
}

impl Requirement {
    /// Whether a test is to be written: running those that are there does not do it.
    pub(crate) fn wants_new_test(&self) -> bool {
        let words = self.text.split(|c: char| !c.is_alphanumeric());
        let first = words.map(str::to_lowercase).find(|word| !word.is_empty());
        let writes = |word: String| crate::among(&word, "add write extend include make create");
        self.aim == Aim::Test && first.is_some_and(writes)
    }
}

/// A goal, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intake {
    /// The goal on one line.
    pub goal: String,
    /// What it asks for.
    pub kind: TaskType,
    /// The verb's object in the goal's words, such as `the --json flag`; the goal where no verb
    /// was understood.
    pub subject: String,
    /// What it asks for, one by one; never empty.
    pub requirements: Vec<Requirement>,
    /// What it forbids or asks to keep.
    pub constraints: Vec<String>,
    /// Whether something that it only tells has a "not" in it, so that it may be a limit.
    pub is_hedged: bool,
    /// Files, folders and patterns that it names.
    pub named_paths: Vec<String>,
    /// Names in code, flags included, in the order of the goal.
    pub identifiers: Vec<String>,
    /// The names of a rename, pair by pair; empty unless rules can rename them all.
    pub renames: Vec<Rename>,
    /// The files that move.
    pub moves: Vec<Move>,
    /// The library of a dependency update.
    pub dependency: Option<Dependency>,
    /// What the goal does not say and its plan needs.
    pub missing: Vec<String>,
    /// What to look for in the workspace, exact: names in code, flags, quoted texts.
    pub search_terms: Vec<String>,
    /// Plain words of the goal that a file's name or a definition may bear.
    pub keywords: Vec<String>,
    /// Plain words that a rename says besides its pairs: one that is defined in the workspace is a name that no pair
    /// renames.
    pub asides: Vec<String>,
    /// What rules may do of a goal that they do not do as a whole, each part read as a goal of its own.
    pub parts: Vec<Self>,
}

impl Intake {
    /// The goal read again with the requirements as a person left them: each is taken as it is
    /// written, and what it is about is read from its own words. Blank ones are left out; without
    /// any, those read from the goal stand.
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

    /// Whether rules do what it asks for, as far as its words tell.
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

    /// The goal as it is meant in a workspace: a bare word that a file is called is that file.
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

    /// What is left of the goal where rules did all requirements but these: the only one as if it were the goal.
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

    /// The goal as one that no rule can carry out: its names are looked for, nothing is edited. Of the new names
    /// of a rename only those that are known for something else.
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

    /// What a requirement is about: as it was read from the goal, else from its own words.
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

/// Reads a goal. Facts that are not known yet may be left empty: they only tell more words to be
/// paths.
pub fn detect(goal: &str, facts: &WorkspaceFacts) -> Intake {
    let mut intake = read(goal, facts);
    intake.parts = parts::of(&intake, facts);
    intake
}

/// A goal as a whole.
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
    // A file may say which name is meant; whether it does is seen in the workspace.
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

/// Whether a word of a goal, in lower case, says nothing about which files are meant: a plain word, or
/// what any work may be called. A verb such as "export" tells much: code is named after it.
pub(crate) fn is_idle(word: &str) -> bool {
    const WORK: &str = "add allow avoid build change check create delete do document drop enable ensure \
         explain extend fix fixes fixed handle implement improve introduce keep let make modify move \
         please prevent refactor remove rename replace rewrite stop supply support turn update write";
    names::is_plain_word(word) || crate::among(word, WORK)
}

/// A text with every run of blanks and line ends as one space.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
