//! Derives what a request needs from its goal.
//!
//! Only the current goal counts, not earlier ones, and a word's meaning depends on its context: "a
//! quick plan" asks for speed; "a quick-search box" names a thing. The kind of request comes from
//! the [`Intake`]. English and German are supported.

use serde::Serialize;

use crate::TaskType;
use crate::intake::{Aim, Intake};

/// A subject area. Plugins declare which of these they handle well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Topic {
    /// Contracts, policies, compliance.
    Legal,
    /// Stories, chapters, characters.
    Literature,
    /// Procedures, workflows.
    Procedural,
    /// Code and systems.
    Technical,
    /// Rules, constraints, proofs.
    Symbolic,
}

impl Topic {
    const ALL: [(Self, &'static str); 5] = [
        (
            Self::Legal,
            "legal contract contracts policy policies compliance regulation regulations clause clauses obligation obligations license licence vertrag klausel richtlinie",
        ),
        (
            Self::Literature,
            "story stories character characters theme themes chapter chapters scene scenes book narrative novel kapitel roman geschichte",
        ),
        (
            Self::Procedural,
            "procedure procedures step steps workflow workflows runbook runbooks operational sop process processes ablauf verfahren",
        ),
        (
            Self::Technical,
            "api code runtime system architecture debug deploy latency technical function module test tests command endpoint database schema parser build funktion modul befehl",
        ),
        (
            Self::Symbolic,
            "symbolic constraint constraints proof proofs formal rule rules invariant invariants logic regel regeln",
        ),
    ];

    /// The name used in plugins' hints.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Literature => "literature",
            Self::Procedural => "procedural",
            Self::Technical => "technical",
            Self::Symbolic => "symbolic",
        }
    }
}

/// The needs of one request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signals {
    /// The kind of request.
    pub act: TaskType,
    /// The word or setting that asks for depth, if there is one.
    pub wants_depth: Option<String>,
    /// The word or setting that asks for speed, if there is one.
    pub wants_speed: Option<String>,
    /// Why rules suit the request; `None` if they don't.
    pub symbolic: Option<String>,
    /// Why the request is mainly about finding things; `None` if it isn't.
    pub retrieval: Option<String>,
    /// Whether it asks for a procedure.
    pub is_procedure: bool,
    /// Its subject areas.
    pub topics: Vec<Topic>,
    /// Lowercase words of the goal, at least four letters long, to compare with plugin
    /// descriptions.
    pub words: Vec<String>,
}

/// Words that ask for depth wherever they occur.
const DEPTH_WORDS: &str = "thorough thoroughly carefully step-by-step multi-hop trade-off trade-offs tradeoff tradeoffs in-depth synthesize gründlich sorgfältig ausführlich";
/// Words that ask for depth only when they describe planning.
const DEPTH_ADJECTIVES: &str = "deep careful detailed tiefer";
/// Words that ask for speed only when they describe planning.
const SPEED_ADJECTIVES: &str =
    "quick fast brief short concise rough kurzer schneller grober kurzen schnellen groben";
/// Words that refer to the plan or its making.
const PLANNING: &str = "plan plans answer sketch outline draft pass version look review analysis plan. plan, plan: entwurf skizze überblick";
/// Words that ask for speed wherever they occur.
const SPEED_WORDS: &str = "quickly briefly asap";
/// Words that, before an adjective, relate it to planning: "be quick", "keep it short".
const LEADING_VERBS: &str = "be it go think dig keep";

const SYMBOLIC: &str =
    "verify constraint constraints satisfiable formal rule rules invariant invariants prove proof";
const RETRIEVAL: &str = "compare relationship relationships connect dependency dependencies across why because context evidence warum";
const PROCEDURE: &str = "procedure runbook workflow process checklist ablauf checkliste";

/// Words that are too common to be compared with descriptions.
const STOP_WORDS: &str = "this that with from into they them then than when what where which while have has been will would should could make makes made does done also only each every some more most over under after before there their your very just like";

impl Signals {
    /// Derives the signals from a goal.
    pub fn of(intake: &Intake) -> Self {
        let goal = intake.goal.to_lowercase();
        let words: Vec<&str> = goal.split_whitespace().map(bare).collect();
        let symbolic = if !intake.renames.is_empty() || intake.dependency.is_some() {
            Some(format!("a {} goal", intake.kind.as_str()))
        } else {
            first(&words, SYMBOLIC)
        };
        let retrieval = first(&words, RETRIEVAL).or_else(|| {
            // Tests and documentation for a change don't have to be found separately.
            let changes = intake.requirements.iter();
            let count = changes.filter(|one| one.aim == Aim::Change).count();
            (count > 1).then(|| format!("{count} changes"))
        });
        Self {
            act: intake.kind,
            wants_depth: asks(&goal, &words, DEPTH_WORDS, DEPTH_ADJECTIVES),
            wants_speed: asks(&goal, &words, SPEED_WORDS, SPEED_ADJECTIVES),
            symbolic,
            retrieval,
            is_procedure: first(&words, PROCEDURE).is_some(),
            topics: Topic::ALL
                .iter()
                .filter(|(_, of)| words.iter().any(|word| crate::among(word, of)))
                .map(|(topic, _)| *topic)
                .collect(),
            words: distinctive(&words),
        }
    }
}

/// A word without surrounding punctuation; empty if it is in backticks, since it is then a name.
fn bare(word: &str) -> &str {
    if word.contains('`') {
        return "";
    }
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn first(words: &[&str], of: &str) -> Option<String> {
    let found = words.iter().find(|word| crate::among(word, of))?;
    Some(format!("“{found}”"))
}

/// The word that asks the planning for depth or speed, if there is one: one of `anywhere`, or one
/// of `of_planning` that opens the goal or is about the planning.
fn asks(goal: &str, words: &[&str], anywhere: &str, of_planning: &str) -> Option<String> {
    if let Some(found) = first(words, anywhere) {
        return Some(found);
    }
    // The goal begins with such a word: "quick: …" or "Quick, …".
    let opening = goal.split([':', ',']).next().unwrap_or_default();
    if opening.len() < goal.len() && crate::among(opening.trim(), of_planning) {
        return Some(format!("“{}”", opening.trim()));
    }
    if goal.contains("step by step") && crate::among("step-by-step", anywhere) {
        return Some("“step by step”".to_owned());
    }
    words.iter().enumerate().find_map(|(at, word)| {
        if !crate::among(word, of_planning) {
            return None;
        }
        // The noun may follow within a few words: "a deep, thorough plan".
        let of = words.get(at + 1..).unwrap_or_default().iter().take(3);
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let is_of_planning = of.clone().any(|next| crate::among(next, PLANNING))
            || before.is_some_and(|before| crate::among(before, LEADING_VERBS));
        is_of_planning.then(|| format!("“{word}”"))
    })
}

/// The goal's distinct words that may also occur in a description.
fn distinctive(words: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in words {
        let is_long = word.chars().count() > 3;
        if is_long && !crate::among(word, STOP_WORDS) && !found.iter().any(|known| known == word) {
            found.push((*word).to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use adequacy::WorkspaceFacts;

    use super::*;
    use crate::intake::detect;

    fn of(goal: &str) -> Signals {
        Signals::of(&detect(goal, &WorkspaceFacts::default()))
    }

    #[test]
    fn depth_and_speed_refer_to_the_plan_not_the_work() {
        let deep = [
            "Make a deep, multi-hop plan with trade-offs for moving the store",
            "Carefully replace the parser",
            "Go step by step: add a flag",
            "Think deep about the cache and write a plan",
            "Plane den Umbau gründlich",
        ];
        for goal in deep {
            assert!(of(goal).wants_depth.is_some(), "{goal}");
            assert_eq!(of(goal).wants_speed, None, "{goal}");
        }
        let quick = [
            "A quick plan to add a CSV export",
            "Quick: add a flag",
            "Keep it short: rename total",
            "Add a flag, quickly",
        ];
        for goal in quick {
            assert!(of(goal).wants_speed.is_some(), "{goal}");
            assert_eq!(of(goal).wants_depth, None, "{goal}");
        }
        let neither = [
            "Add a quick-search box to the header",
            "Add a deep copy of the settings",
            "Make the report fast for large files",
            "Rename `quick` to `slow`",
            "Add a short option to the command",
            "Write a test for deep links",
            "Fix the step counter",
        ];
        for goal in neither {
            let signals = of(goal);
            assert_eq!(
                (signals.wants_depth, signals.wants_speed),
                (None, None),
                "{goal}"
            );
        }
    }

    #[test]
    fn topics_and_the_rest_are_read_from_words() {
        let signals = of("Why does the parser of the API drop a rule? Compare both modules");
        assert!(signals.retrieval.is_some());
        assert!(signals.symbolic.is_some());
        assert_eq!(signals.topics, [Topic::Technical, Topic::Symbolic]);
        assert!(of("Rename total to sum_rows").symbolic.is_some());
        assert!(of("Write a runbook for restoring the backup").is_procedure);
        assert_eq!(of("Plan the summer party").topics, []);
    }
}
