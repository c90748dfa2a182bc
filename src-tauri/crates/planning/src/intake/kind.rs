//! Classifies what kind of work a goal asks for, by its verb and the verb's object.

use super::TaskType;
use super::clauses::{Goal, first_word};
use super::follow_ups;
use super::german;
use super::manifests;
use super::moves::{self, Move};
use super::pairs::{self, Pairs};
use super::versions::{self, Dependency};
use crate::among;

/// How a goal was classified.
pub(super) struct Verdict {
    pub(super) kind: TaskType,
    pub(super) subject: String,
    pub(super) pairs: Pairs,
    pub(super) moves: Vec<Move>,
    pub(super) dependency: Option<Dependency>,
}

/// Polite and explanatory openings that may precede the imperative.
const OPENINGS: [&str; 39] = [
    "please ",
    "hi ",
    "hi, ",
    "hello ",
    "hello, ",
    "hey ",
    "hey, ",
    "can you ",
    "could you ",
    "would you ",
    "will you ",
    "i want you to ",
    "i would like you to ",
    "i'd like you to ",
    "i need you to ",
    "i want to ",
    "i would like to ",
    "i'd like to ",
    "i need to ",
    "we need to ",
    "we want to ",
    "we should ",
    "we must ",
    "we have to ",
    "let's ",
    "let us ",
    "help me to ",
    "help me ",
    "help us ",
    "your task is to ",
    "the task is to ",
    "the goal is to ",
    "task: ",
    "goal: ",
    "todo: ",
    "quickly ",
    "carefully ",
    "now ",
    "first ",
];

/// A clause without its polite opening.
pub(crate) fn imperative(clause: &str) -> &str {
    let mut rest = clause.trim();
    loop {
        let plain = rest.to_ascii_lowercase();
        match OPENINGS.iter().find(|opening| plain.starts_with(**opening)) {
            Some(opening) => rest = rest[opening.len()..].trim_start(),
            None => return rest,
        }
    }
}

/// Classifies a goal by its first clause; the names of a rename come from all clauses.
pub(super) fn of(goal: &str, read: &Goal, named_paths: &[String]) -> Verdict {
    let mut clauses = read.requirements.iter().map(|part| part.text.as_str());
    let mut verdict = of_clause(clauses.next().unwrap_or(goal), goal, named_paths);
    if matches!(verdict.kind, TaskType::Rename | TaskType::Move) {
        let others = clauses.map(|clause| of_clause(clause, goal, named_paths));
        for other in others {
            verdict.moves.extend(other.moves);
            verdict.pairs.renames.extend(other.pairs.renames);
            verdict
                .pairs
                .rest
                .push_str(&format!(" {}", other.pairs.rest));
        }
    }
    verdict
}

/// The kind of work that a single requirement asks for.
pub(super) fn alone(clause: &str, named_paths: &[String]) -> TaskType {
    of_clause(clause, clause, named_paths).kind
}

fn of_clause(clause: &str, goal: &str, named_paths: &[String]) -> Verdict {
    let (label, clause) = labelled(imperative(clause));
    let clause = imperative(clause);
    let verb = stem(&first_word(clause));
    let object = clause
        .trim_start_matches(|c: char| c.is_alphabetic() || c == '\'')
        .trim_start()
        .to_owned();
    let named = follow_ups::without(clause);
    let pairs = pairs::read(named).unwrap_or_default();
    let moves = moves::read(named, named_paths).unwrap_or_default();
    let mut dependency = None;
    let kind = if !pairs.renames.is_empty() {
        TaskType::Rename
    } else if !moves.is_empty() {
        TaskType::Move
    } else if let Some(own) = versions::own_version(clause.trim_end_matches(['.', '!'])) {
        dependency = Some(own);
        TaskType::Dependency
    } else if let Some(written) = manifests::read(clause) {
        dependency = Some(written);
        TaskType::Dependency
    } else if let Some(kind) = label {
        kind
    } else {
        let reader = Reader::new(&object, named_paths);
        let kind = by_verb(&verb, &reader, clause, goal);
        if kind == TaskType::Dependency && dependency.is_none() {
            dependency = versions::dependency(clause);
        }
        kind
    };
    if kind == TaskType::General
        && pairs.renames.is_empty()
        && let Some(read) = german::read(clause, named_paths)
    {
        return Verdict {
            kind: read.kind,
            subject: read.subject,
            pairs: read.pairs,
            moves: Vec::new(),
            dependency: read.dependency,
        };
    }
    let asks = among(
        verb.as_str(),
        "what how why which where who when is are does do",
    );
    let subject = if kind == TaskType::General || asks || object.is_empty() || verb.is_empty() {
        clause.to_owned()
    } else {
        object
    };
    Verdict {
        kind,
        subject: subject.trim_end_matches(['?', '.', '!']).to_owned(),
        pairs,
        moves,
        dependency,
    }
}

/// Splits off a label such as `bug:` or `feat(parser):`. Returns the kind of work that it
/// indicates, and the rest of the text.
fn labelled(clause: &str) -> (Option<TaskType>, &str) {
    let Some((head, rest)) = clause.split_once(": ") else {
        return (None, clause);
    };
    let name = head.split('(').next().unwrap_or(head).trim().to_lowercase();
    let kind = match name.as_str() {
        "bug" | "bugfix" | "fix" | "bug report" => TaskType::BugFix,
        "feat" | "feature" | "feature request" => TaskType::Feature,
        "docs" => TaskType::Documentation,
        "refactor" | "perf" => TaskType::Modify,
        _ => return (None, clause),
    };
    (Some(kind), rest.trim_start())
}

/// The base form of an English verb: `fix` for `fixes` and `fixing`, `rename` for `renamed`.
pub(super) fn stem(verb: &str) -> String {
    let known = |candidate: &str| super::clauses::is_imperative(candidate);
    if known(verb) {
        return verb.to_owned();
    }
    for ending in ["ing", "es", "s", "ed", "d"] {
        if let Some(base) = verb.strip_suffix(ending) {
            for candidate in [base.to_owned(), format!("{base}e")] {
                if candidate.len() > 2 && known(&candidate) {
                    return candidate;
                }
            }
        }
    }
    verb.to_owned()
}

/// The text after the verb, prepared for matching.
struct Reader<'a> {
    plain: String,
    /// The verb's object: the words up to the first preposition.
    head: Vec<String>,
    named_paths: &'a [String],
}

impl<'a> Reader<'a> {
    fn new(object: &str, named_paths: &'a [String]) -> Self {
        let plain = object.to_lowercase();
        let head = plain
            .split(|c: char| {
                c.is_whitespace() || matches!(c, ',' | ';' | ':' | '`' | '"' | '(' | ')')
            })
            .map(|word| word.trim_matches(['.', '\'', '!', '?']).to_owned())
            .filter(|word| !word.is_empty())
            .take_while(|word| {
                !among(
                    word.as_str(),
                    "in for to from with that which when where so on of about into by at under \
    describing explaining after because if using via as while who whose",
                )
            })
            .collect();
        Self {
            plain,
            head,
            named_paths,
        }
    }

    /// Whether one of these words is in the verb's object.
    fn is(&self, words: &str) -> bool {
        self.head.iter().any(|word| among(word, words))
    }

    /// Whether the object's last word, its noun, is one of these.
    fn noun_is(&self, words: &str) -> bool {
        self.head.last().is_some_and(|noun| among(noun, words))
    }

    fn names_document(&self) -> bool {
        let first = self.named_paths.first();
        first.is_some_and(|path| crate::text::is_document(path))
            && self
                .named_paths
                .iter()
                .all(|path| crate::text::is_document(path))
    }

    fn is_documentation(&self) -> bool {
        self.noun_is(DOCUMENTS)
            || self.head.first().is_some_and(|word| {
                matches!(word.as_str(), "docs" | "documentation" | "documenting")
            })
            || (self.is("readme changelog docs") && self.names_document())
            || (self.is("the a") || self.head.len() <= 2) && self.is("readme changelog")
    }
}

const DOCUMENTS: &str = "documentation docs doc readme readme.md changelog changelog.md guide guides \
    tutorial manual docstring docstrings comment comments faq handbook how-to howto \
    policy page overview section paragraph chapter notes runbook typo typos wording \
    article adr";
const LIBRARIES: &str =
    "dependency dependencies package packages crate crates library libraries lockfile";
pub(super) const FILES: &str = "file files folder folders directory directories artifacts artefacts logs backups \
    leftovers scripts fixtures snapshots images assets binaries";
const DEFECTS: &str =
    "bug bugs crash crashes panic regression leak deadlock race failure error defect";

fn by_verb(verb: &str, object: &Reader<'_>, clause: &str, goal: &str) -> TaskType {
    let documents = object.is_documentation();
    match verb {
        "rename" => TaskType::Modify,
        "fix" | "repair" | "resolve" | "debug" | "correct" | "solve" => {
            if documents || object.names_document() && object.is(DOCUMENTS) {
                TaskType::Documentation
            } else {
                TaskType::BugFix
            }
        }
        "document" => TaskType::Documentation,
        "write" | "draft" | "describe" | "summarise" | "summarize" | "note" => {
            if documents || object.names_document() || matches!(verb, "draft") {
                TaskType::Documentation
            } else if matches!(verb, "describe" | "summarise" | "summarize") {
                TaskType::Find
            } else if object.is("test tests") {
                TaskType::General
            } else if object.is("function method script class module tool command parser helper endpoint program handler component") {
                TaskType::Feature
            } else {
                TaskType::General
            }
        }
        "add" | "implement" | "create" | "build" | "introduce" | "support" | "allow" | "enable"
        | "provide" | "expose" => {
            if documents || object.is("readme changelog") {
                TaskType::Documentation
            } else if object.noun_is("test tests") || object.is("tests") {
                TaskType::General
            } else if object.noun_is(LIBRARIES) && verb == "add" {
                TaskType::Dependency
            } else {
                TaskType::Feature
            }
        }
        "upgrade" | "bump" | "downgrade" | "pin" | "update" => {
            let own_version = object.plain.starts_with("the version")
                || object.plain.starts_with("version")
                || object.plain.contains("our version");
            let to_version = versions::version(clause).is_some() || versions::wants_newest(clause);
            let certain = object.is(LIBRARIES) || object.noun_is(LIBRARIES);
            if documents || object.names_document() {
                TaskType::Documentation
            } else if own_version && !object.plain.starts_with("the version of") {
                TaskType::Modify
            } else if certain
                || to_version && object.head.len() <= 4
                || verb != "update" && object.head.len() <= 3
            {
                TaskType::Dependency
            } else {
                TaskType::Modify
            }
        }
        "remove" | "delete" | "clean" | "drop" | "prune" | "purge" => {
            let whole_paths = object.named_paths.iter().any(|path| {
                object
                    .plain
                    .trim_start_matches(|c: char| !c.is_alphanumeric() && c != '*')
                    .starts_with(&path.to_lowercase())
                    || object.head.contains(&path.to_lowercase())
            });
            if object.is(DEFECTS) {
                TaskType::BugFix
            } else if object.noun_is(FILES) || whole_paths {
                TaskType::Removal
            } else {
                TaskType::Modify
            }
        }
        "find" | "locate" | "search" | "look" | "read" | "show" | "list" | "explain"
        | "understand" | "investigate" | "inspect" | "review" | "tell" | "answer" | "compare"
        | "collect" | "check" | "what" | "how" | "why" | "which" | "where" | "who" | "when"
        | "is" | "are" | "does" | "do" => {
            let then_fix = fixes_too(goal);
            if verb == "show" && object.head.len() > 1 && object.plain.contains(" in the ui") {
                TaskType::Feature
            } else if then_fix {
                TaskType::BugFix
            } else if verb == "explain"
                && object
                    .named_paths
                    .iter()
                    .any(|path| crate::text::is_document(path))
            {
                TaskType::Documentation
            } else {
                TaskType::Find
            }
        }
        "make" | "let" | "give" => {
            let article = object
                .head
                .first()
                .is_some_and(|word| matches!(word.as_str(), "a" | "an"));
            if article {
                TaskType::Feature
            } else {
                TaskType::Modify
            }
        }
        "change" | "modify" | "refactor" | "move" | "extract" | "convert" | "replace"
        | "migrate" | "improve" | "optimize" | "optimise" | "simplify" | "adjust" | "set"
        | "rewrite" | "port" | "split" | "merge" | "turn" | "switch" | "speed" | "reduce"
        | "extend" | "handle" | "inline" | "reorder" | "use" | "disable" | "deprecate"
        | "limit" | "wrap" | "sort" | "validate" | "reject" | "return" | "print" | "raise"
        | "throw" | "hide" | "uninstall" | "configure" | "format" | "skip" | "trim" | "group" => {
            if documents && !matches!(verb, "convert" | "migrate" | "move") {
                TaskType::Documentation
            } else if verb == "extend" && object.plain.contains(" with ") {
                TaskType::Feature
            } else {
                TaskType::Modify
            }
        }
        _ if super::defects::reports_defect(clause) => TaskType::BugFix,
        _ => TaskType::General,
    }
}

/// Whether the goal also asks for a fix: "Find out why login hangs and fix it".
fn fixes_too(goal: &str) -> bool {
    let words: Vec<&str> = goal.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let joins = among(pair[0], "and then") || pair[0].ends_with(['.', ',', ';']);
        let verb = stem(&first_word(pair[1]));
        joins && among(verb.as_str(), "fix repair resolve correct")
    })
}
