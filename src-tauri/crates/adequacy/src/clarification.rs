//! Decides when a person is asked about an ambiguity in a plan, and when an assumption is made.
//!
//! [`ambiguities`] finds where the goal or the plan can be interpreted in several ways, each with
//! its probability, its cost and its effect on the plan. [`decide`] asks only if all of these hold:
//! at least two interpretations have a probability of 0.15 or more and lead to different plans;
//! knowing the answer is worth an interruption ([`Ambiguity::worth`] is at least 0.15); the
//! workspace does not already answer it with a confidence of 0.75; and the person can be
//! interrupted. Otherwise the most probable interpretation is adopted and recorded in the plan as
//! an `assume:` line. [`gate`] asks one question at a time.
//!
//! **Invariants.** Keeps no state: the caller records which questions were asked and when. Every
//! question has options, and every option states its consequence. Questions that the plan already
//! answers (a linked file, an `assume:` line, a decision) are not asked.

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

/// Input for detecting ambiguities and deciding about them.
#[derive(Debug, Clone, Copy)]
pub struct AskInput<'a> {
    /// The plan in which to look for ambiguities.
    pub plan: &'a Plan,
    /// The goal, if it differs from the plan's own.
    pub goal: Option<&'a str>,
    /// Known facts about the workspace.
    pub facts: &'a WorkspaceFacts,
    /// The report on the plan.
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
    /// It can be undone by an edit.
    Reversible,
    /// It can be partly undone.
    Partly,
    /// It cannot be undone.
    Irreversible,
}

impl Reversibility {
    /// The factor by which the cost of an interpretation is multiplied.
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
    /// Label of the option shown to the person, a verb phrase.
    pub label: String,
    /// The effect on the plan: the files involved and the size.
    pub consequence: String,
    /// Probability of this interpretation, 0 to 1.
    pub probability: f64,
    /// Amount of work it requires, 1 to 10.
    pub complexity: u32,
    /// How easily this interpretation can be undone if it is wrong.
    pub reversibility: Reversibility,
    /// Edits that record this interpretation in the plan; empty if the plan needs no change.
    pub mends: Vec<Mend>,
    /// Text of the `assume:` line if this interpretation is adopted without asking.
    pub note: String,
}

impl Interpretation {
    /// Cost of this interpretation: amount of work times reversibility factor.
    pub fn path_cost(&self) -> f64 {
        f64::from(self.complexity) * self.reversibility.factor()
    }
}

/// Something that can be interpreted in several ways.
#[derive(Debug, Clone, PartialEq)]
pub struct Ambiguity {
    /// The path, name or step that is ambiguous. Ambiguities with the same subject ask the same
    /// question.
    pub about: String,
    /// The question, in one sentence.
    pub question: String,
    /// Why the answer matters, in one sentence.
    pub stakes: String,
    /// The id of the step that it concerns; `None` if it concerns no single step.
    pub task: Option<TaskId>,
    /// The interpretations, the recommended one first.
    pub readings: Vec<Interpretation>,
    /// How confidently the workspace alone supports the first interpretation, 0 to 1.
    pub inferred: f64,
}

/// Interpretations less probable than this are ignored.
const MIN_PROBABILITY: f64 = 0.15;
/// Minimum value of an answer for the question to be asked.
const MIN_WORTH: f64 = 0.15;
/// At this confidence or above, the workspace counts as having answered the question.
const ANSWERED_CONFIDENCE: f64 = 0.75;
/// If there are more options than this, no question is asked.
const MAX_OPTIONS: usize = 5;

impl Ambiguity {
    /// The interpretations that are probable enough to be considered.
    fn plausible(&self) -> impl Iterator<Item = &Interpretation> {
        let readings = self.readings.iter();
        readings.filter(|reading| reading.probability >= MIN_PROBABILITY)
    }

    /// Value of knowing the answer, 0 to 1: the difference between the highest path cost and the
    /// probability-weighted mean, as a share of the highest.
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

    /// The most probable interpretation; if several are equally probable, the first.
    fn likeliest(&self) -> Option<(usize, &Interpretation)> {
        self.readings.iter().enumerate().reduce(|best, next| {
            match next.1.probability > best.1.probability {
                true => next,
                false => best,
            }
        })
    }
}

/// Circumstances that make it more costly to interrupt the person.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Load {
    /// Questions waiting for an answer.
    pub open_questions: u32,
    /// The person does not want to be interrupted.
    pub is_deep_focus: bool,
    /// The budget is nearly used up or the cost limit is exceeded.
    pub is_budget_critical: bool,
    /// How recent and frequent interruptions were, 0 to 1.
    pub interruptions: f64,
}

/// One answer to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionOption {
    /// Label of the option shown to the person.
    pub label: String,
    /// What choosing this option leads to, in words for the person.
    pub consequence: String,
    /// The edits that apply it to the plan.
    pub mends: Vec<Mend>,
}

/// A question for a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// The question's id, which is stable as long as the text of the plan doesn't change.
    pub id: String,
    /// The id of the step that it concerns; `None` if it concerns no single step.
    pub task: Option<TaskId>,
    /// The question, in one sentence.
    pub question: String,
    /// Two to five options.
    pub options: Vec<QuestionOption>,
    /// Index of the option used if nobody answers; irreversible only if every option is.
    pub default: usize,
    /// Why the answer matters, in one sentence.
    pub stakes: String,
}

/// An interpretation adopted without asking.
#[derive(Debug, Clone, PartialEq)]
pub struct Assumption {
    /// The text after `assume:`.
    pub note: String,
    /// The id of the step that it concerns; `None` if it concerns no single step.
    pub task: Option<TaskId>,
    /// The edits of the interpretation, including the `assume:` line.
    pub mends: Vec<Mend>,
    /// Whether a person must approve the step because it is irreversible.
    pub requires_approval: bool,
}

/// How one ambiguity is resolved.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Ask the person.
    Ask(Question),
    /// Adopt the most probable interpretation and record it in the plan.
    Assume(Assumption),
}

/// How all ambiguities of a plan are resolved.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gate {
    /// The question to ask now.
    pub question: Option<Question>,
    /// The interpretations adopted without asking.
    pub assumptions: Vec<Assumption>,
    /// Number of questions that remain after this one.
    pub later: usize,
}

/// The ambiguities of the goal and the plan, grouped by kind: at most one per subject, and none
/// that the plan already answers.
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

/// Whether an `assume:` line of the plan already settles the ambiguity.
fn is_answered(plan: &Plan, ambiguity: &Ambiguity) -> bool {
    let mut notes = plan.tasks.iter().flat_map(|task| task.values("assume"));
    notes.any(|note| note.contains(&ambiguity.about))
}

/// Decides whether to ask about an ambiguity or to assume an interpretation. After frequent
/// interruptions, the answer must be worth half as much again.
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

/// Asks at most one question, and none while another is open.
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
    // The sort is stable, so equally valuable questions keep the order of `ambiguities`.
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

/// The edits of an interpretation, plus an `assume:` line on the step so that the question isn't
/// asked again.
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
