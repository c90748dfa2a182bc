//! Decides when a person is asked about an ambiguity in a plan, and when an assumption is made.
//!
//! [`ambiguities`] finds where the goal or the plan can be interpreted in several ways, each with
//! its probability, its cost and its effect on the plan. [`decide`] asks only if all of these hold:
//! at least two interpretations have a probability of 0.15 or more and lead to different plans; the
//! answer is worth asking for ([`Ambiguity::worth`] is 0.15 or more); the workspace does not
//! already answer it (with a confidence of 0.75); and the person can be interrupted. Otherwise the
//! most probable interpretation is taken and written into the plan as `assume:`. [`gate`] asks one
//! question at a time.
//!
//! **Invariants.** Pure: the caller remembers what was asked and when. Every question has options,
//! and every option states its consequence. Questions that the plan already answers (a linked file,
//! an `assume:` line, a decision) are not asked.

mod alternatives;
mod ambiguous_files;
mod destructive;
mod generic_words;
mod missing_paths;

use plan::{Plan, TaskId};

use crate::facts::WorkspaceFacts;
use crate::identity::{finding_id, fingerprint};
use crate::mend::Mend;
use crate::report::Report;

/// Input for finding and judging ambiguities.
#[derive(Debug, Clone, Copy)]
pub struct AskInput<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The goal, if it differs from the plan's own.
    pub goal: Option<&'a str>,
    /// What is known about the workspace.
    pub facts: &'a WorkspaceFacts,
    /// The plan's report.
    pub report: &'a Report,
}

impl AskInput<'_> {
    pub(crate) fn goal(&self) -> Option<&str> {
        self.goal.or_else(|| self.plan.goal())
    }
}

/// How easily a wrong interpretation can be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reversibility {
    /// An edit undoes it.
    Reversible,
    /// It can be undone in part.
    Partly,
    /// It cannot be undone.
    Irreversible,
}

impl Reversibility {
    /// Factor applied to the cost.
    pub fn factor(self) -> f64 {
        match self {
            Self::Reversible => 1.0,
            Self::Partly => 3.0,
            Self::Irreversible => 10.0,
        }
    }
}

/// One way to interpret the goal or the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Interpretation {
    /// The option as shown to the person, as a verb phrase.
    pub label: String,
    /// The effect on the plan: files and size.
    pub consequence: String,
    /// Probability, 0 to 1.
    pub probability: f64,
    /// Amount of work, 1 to 10.
    pub complexity: u32,
    /// How easily it can be undone.
    pub reversibility: Reversibility,
    /// The edits that write it into the plan; empty if the plan stays as it is.
    pub mends: Vec<Mend>,
    /// Text of the `assume:` line if this is taken without asking.
    pub note: String,
}

impl Interpretation {
    /// Cost of this interpretation: work times reversibility factor.
    pub fn path_cost(&self) -> f64 {
        f64::from(self.complexity) * self.reversibility.factor()
    }
}

/// Something that can be interpreted in several ways.
#[derive(Debug, Clone, PartialEq)]
pub struct Ambiguity {
    /// Subject: a path, a name or a step. The same subject gives the same question.
    pub about: String,
    /// The question, in one sentence.
    pub question: String,
    /// Why the answer matters, in one sentence.
    pub stakes: String,
    /// The step it concerns.
    pub task: Option<TaskId>,
    /// The interpretations, the recommended one first.
    pub readings: Vec<Interpretation>,
    /// Confidence in the first interpretation from the workspace alone, 0 to 1.
    pub inferred: f64,
}

/// Interpretations less probable than this are ignored.
const MIN_PROBABILITY: f64 = 0.15;
/// Minimum worth of an answer.
const MIN_WORTH: f64 = 0.15;
/// Minimum confidence for a question to count as answered by the workspace.
const ANSWERED_CONFIDENCE: f64 = 0.75;
/// With more options than this, no question is asked.
const MAX_OPTIONS: usize = 5;

impl Ambiguity {
    /// The interpretations that are probable enough to count.
    fn plausible(&self) -> impl Iterator<Item = &Interpretation> {
        let readings = self.readings.iter();
        readings.filter(|reading| reading.probability >= MIN_PROBABILITY)
    }

    /// Value of knowing the answer, 0 to 1: the highest path cost minus the mean weighted by
    /// probability, relative to the highest.
    pub fn worth(&self) -> f64 {
        let highest = self
            .plausible()
            .map(Interpretation::path_cost)
            .fold(0.0, f64::max);
        let sum: f64 = self.plausible().map(|reading| reading.probability).sum();
        if highest <= 0.0 || sum <= 0.0 {
            return 0.0;
        }
        let mean: f64 = self
            .plausible()
            .map(|reading| reading.path_cost() * reading.probability / sum)
            .sum();
        (highest - mean) / highest
    }

    fn has_two_plans(&self) -> bool {
        let mut plausible = self.plausible();
        let first = plausible.next();
        first.is_some_and(|first| plausible.any(|other| other.mends != first.mends))
    }

    /// The most probable interpretation; the first of equals.
    fn likeliest(&self) -> Option<(usize, &Interpretation)> {
        self.readings.iter().enumerate().reduce(|best, next| {
            match next.1.probability > best.1.probability {
                true => next,
                false => best,
            }
        })
    }
}

/// Circumstances that make interrupting the person more costly.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Load {
    /// Questions waiting for an answer.
    pub open_questions: u32,
    /// The person does not want to be interrupted.
    pub is_deep_focus: bool,
    /// The budget is nearly used up or the cost limit is exceeded.
    pub is_budget_critical: bool,
    /// Recent interruptions, 0 to 1.
    pub interruptions: f64,
}

/// One answer to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionOption {
    /// The option as shown to the person.
    pub label: String,
    /// The effect on the plan.
    pub consequence: String,
    /// The edits that apply it.
    pub mends: Vec<Mend>,
}

/// A question for a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Stays the same while the plan's text does.
    pub id: String,
    /// The step it concerns.
    pub task: Option<TaskId>,
    /// The question, in one sentence.
    pub question: String,
    /// Two to five answers.
    pub options: Vec<QuestionOption>,
    /// Index of the option taken if nobody answers; never an irreversible one if there is another.
    pub default: usize,
    /// Why the answer matters, in one sentence.
    pub stakes: String,
}

/// An interpretation taken without asking.
#[derive(Debug, Clone, PartialEq)]
pub struct Assumption {
    /// The text after `assume:`.
    pub note: String,
    /// The step it concerns.
    pub task: Option<TaskId>,
    /// The edits of the interpretation, and the note.
    pub mends: Vec<Mend>,
    /// Whether a person has to approve the step because it cannot be undone.
    pub requires_approval: bool,
}

/// How one ambiguity is resolved.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Ask.
    Ask(Question),
    /// Take the most probable interpretation and note it in the plan.
    Assume(Assumption),
}

/// How the ambiguities of a plan are resolved.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gate {
    /// The question to ask now.
    pub question: Option<Question>,
    /// Ambiguities not worth asking about.
    pub assumptions: Vec<Assumption>,
    /// Number of questions still to come after this one.
    pub later: usize,
}

/// The ambiguities of the goal and the plan, in plan order.
pub fn ambiguities(input: &AskInput<'_>) -> Vec<Ambiguity> {
    let mut found = ambiguous_files::duplicate_file_names(input);
    found.extend(missing_paths::missing(input));
    found.extend(generic_words::generic_references(input));
    found.extend(destructive::unguarded(input));
    found.extend(alternatives::for_same_requirement(input));
    found.retain(|ambiguity| !is_answered(input.plan, ambiguity));
    let mut seen = std::collections::HashSet::new();
    found.retain(|ambiguity| seen.insert(ambiguity.about.clone()));
    found
}

/// Whether the plan already states which interpretation is meant.
fn is_answered(plan: &Plan, ambiguity: &Ambiguity) -> bool {
    let mut notes = plan.tasks.iter().flat_map(|task| task.values("assume"));
    notes.any(|note| note.contains(&ambiguity.about))
}

/// Decides between asking and assuming.
pub fn decide(ambiguity: &Ambiguity, load: &Load) -> Decision {
    let wanted = match load.interruptions > 0.8 {
        true => MIN_WORTH * 1.5,
        false => MIN_WORTH,
    };
    let options = ambiguity.plausible().count();
    let asks = (2..=MAX_OPTIONS).contains(&options)
        && ambiguity.has_two_plans()
        && ambiguity.worth() >= wanted
        && ambiguity.inferred < ANSWERED_CONFIDENCE
        && !load.is_deep_focus
        && !load.is_budget_critical;
    match asks {
        true => Decision::Ask(question(ambiguity)),
        false => Decision::Assume(assumption(ambiguity)),
    }
}

/// Asks at most one question, and only if none is open.
pub fn gate(input: &AskInput<'_>, load: &Load) -> Gate {
    let mut gate = Gate::default();
    let mut asked: Vec<(f64, Question)> = Vec::new();
    for ambiguity in ambiguities(input) {
        match decide(&ambiguity, load) {
            Decision::Ask(question) => {
                let dearest = ambiguity
                    .plausible()
                    .map(Interpretation::path_cost)
                    .fold(0.0, f64::max);
                asked.push((ambiguity.worth() * dearest, question));
            }
            Decision::Assume(assumption) => gate.assumptions.push(assumption),
        }
    }
    // A stable sort: equals stay in plan order.
    asked.sort_by(|one, other| other.0.total_cmp(&one.0));
    gate.later = asked.len();
    if load.open_questions == 0 && !asked.is_empty() {
        gate.later -= 1;
        gate.question = asked.into_iter().next().map(|(_, question)| question);
    }
    gate
}

fn question(ambiguity: &Ambiguity) -> Question {
    let options: Vec<&Interpretation> = ambiguity.plausible().collect();
    let is_final = |reading: &Interpretation| reading.reversibility == Reversibility::Irreversible;
    let can_go_back = options.iter().any(|reading| !is_final(reading));
    let default = options
        .iter()
        .enumerate()
        .filter(|(_, reading)| !can_go_back || !is_final(reading))
        .reduce(|best, next| match next.1.probability > best.1.probability {
            true => next,
            false => best,
        })
        .map_or(0, |(at, _)| at);
    Question {
        id: finding_id("question", fingerprint(&ambiguity.question)),
        task: ambiguity.task.clone(),
        question: ambiguity.question.clone(),
        options: options
            .into_iter()
            .map(|reading| QuestionOption {
                label: reading.label.clone(),
                consequence: reading.consequence.clone(),
                mends: with_note(ambiguity, reading),
            })
            .collect(),
        default,
        stakes: ambiguity.stakes.clone(),
    }
}

fn assumption(ambiguity: &Ambiguity) -> Assumption {
    let taken = ambiguity.likeliest();
    Assumption {
        note: taken
            .map(|(_, reading)| match reading.note.is_empty() {
                true => reading.label.clone(),
                false => reading.note.clone(),
            })
            .unwrap_or_default(),
        task: ambiguity.task.clone(),
        mends: taken
            .map(|(_, reading)| with_note(ambiguity, reading))
            .unwrap_or_default(),
        requires_approval: taken
            .is_some_and(|(_, reading)| reading.reversibility == Reversibility::Irreversible),
    }
}

/// The edits of an interpretation, with its note on the step so that it isn't asked again.
fn with_note(ambiguity: &Ambiguity, reading: &Interpretation) -> Vec<Mend> {
    let mut mends = reading.mends.clone();
    if let Some(task) = &ambiguity.task
        && !reading.note.is_empty()
    {
        mends.push(Mend::AddValue {
            task: task.clone(),
            key: "assume".to_owned(),
            value: reading.note.clone(),
        });
    }
    mends
}
