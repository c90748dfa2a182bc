//! When a person must be asked before a plan is carried out, and when not.
//!
//! [`ambiguities`] finds where goal or plan can be read in several ways, each with its probability,
//! what it would cost, and what it makes of the plan. [`decide`] asks only if all of this holds: two
//! readings or more with a probability of 0.15 and with different plans; knowing the answer is worth
//! it ([`Ambiguity::worth`] is 0.15 or more); the workspace does not answer it (with a confidence of
//! 0.75); and the person is not in the middle of something. Otherwise the most probable reading is
//! taken and written into the plan as `assume:`. [`gate`] asks one question at a time.
//!
//! **Invariants.** Pure: the caller keeps what was asked and since when. No question without
//! options, and no option without its consequence. What the plan says already (a linked file, an
//! `assume:` line, a decision) is not asked.

mod dangers;
mod owners;
mod paths;
mod places;
mod rivals;

use plan::{Plan, TaskId};

use crate::facts::WorkspaceFacts;
use crate::identity::{finding_id, fingerprint};
use crate::mend::Mend;
use crate::report::Report;

/// What the gate looks at.
#[derive(Debug, Clone, Copy)]
pub struct AskInput<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The goal, where it is not the plan's own.
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

/// What a wrong reading costs to take back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reversibility {
    /// An edit undoes it.
    Reversible,
    /// Parts of it stay.
    Partly,
    /// Nothing brings it back.
    Irreversible,
}

impl Reversibility {
    /// The factor on the cost.
    pub fn factor(self) -> f64 {
        match self {
            Self::Reversible => 1.0,
            Self::Partly => 3.0,
            Self::Irreversible => 10.0,
        }
    }
}

/// One way to read what is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Interpretation {
    /// What the person chooses, as a verb phrase.
    pub label: String,
    /// What becomes of the plan: files and size.
    pub consequence: String,
    /// 0 to 1.
    pub probability: f64,
    /// 1 to 10: how much work it is.
    pub complexity: u32,
    /// What it takes to go back.
    pub reversibility: Reversibility,
    /// The edits that write it into the plan; none where the plan stays as it is.
    pub mends: Vec<Mend>,
    /// What is written as `assume:` where this is taken without asking.
    pub note: String,
}

impl Interpretation {
    /// Work times what it takes to go back.
    pub fn path_cost(&self) -> f64 {
        f64::from(self.complexity) * self.reversibility.factor()
    }
}

/// Something that can be read in several ways.
#[derive(Debug, Clone, PartialEq)]
pub struct Ambiguity {
    /// What it is about: a path, a name, a step. The same words give the same question.
    pub about: String,
    /// The question, in one sentence.
    pub question: String,
    /// What hangs on it, in one sentence.
    pub stakes: String,
    /// The step that it concerns.
    pub task: Option<TaskId>,
    /// The readings, the one to recommend first.
    pub readings: Vec<Interpretation>,
    /// How sure the workspace alone is about the first one, 0 to 1.
    pub inferred: f64,
}

/// A reading less probable than this is none.
const MIN_PROBABILITY: f64 = 0.15;
/// What knowing the answer must be worth.
const MIN_WORTH: f64 = 0.15;
/// From here on the workspace has answered.
const SURE: f64 = 0.75;
/// More options than this are no choice.
const MAX_OPTIONS: usize = 5;

impl Ambiguity {
    /// The readings that count.
    fn plausible(&self) -> impl Iterator<Item = &Interpretation> {
        let readings = self.readings.iter();
        readings.filter(|reading| reading.probability >= MIN_PROBABILITY)
    }

    /// What knowing the answer is worth, 0 to 1: the highest path cost minus the mean by probability,
    /// in parts of the highest.
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

    /// The most probable reading; the first one of equals.
    fn likeliest(&self) -> Option<(usize, &Interpretation)> {
        self.readings.iter().enumerate().reduce(|best, next| {
            match next.1.probability > best.1.probability {
                true => next,
                false => best,
            }
        })
    }
}

/// How much a person can be bothered with.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Load {
    /// Questions that wait for an answer.
    pub open_questions: u32,
    /// The person does not want to be interrupted.
    pub is_deep_focus: bool,
    /// The budget is nearly used up, or the cost limit is exceeded.
    pub is_budget_critical: bool,
    /// How often the person was interrupted of late, 0 to 1.
    pub interruptions: f64,
}

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Opt {
    /// What the person chooses.
    pub label: String,
    /// What becomes of the plan.
    pub consequence: String,
    /// The edits that write it.
    pub mends: Vec<Mend>,
}

/// What a person is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Stays the same while the plan says the same.
    pub id: String,
    /// The step that it concerns.
    pub task: Option<TaskId>,
    /// One sentence.
    pub question: String,
    /// Two to five answers.
    pub options: Vec<Opt>,
    /// What is taken if nobody answers: an index into the options, never one that cannot be taken
    /// back while another can.
    pub default: usize,
    /// One sentence: what hangs on it.
    pub stakes: String,
}

/// What is taken without asking.
#[derive(Debug, Clone, PartialEq)]
pub struct Assumption {
    /// The note, as it stands behind `assume:`.
    pub note: String,
    /// The step that it touches.
    pub task: Option<TaskId>,
    /// The edits: those of the reading, and the note.
    pub mends: Vec<Mend>,
    /// Whether a person has to approve the step: it cannot be taken back.
    pub requires_approval: bool,
}

/// What the rule says about one ambiguity.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Ask.
    Ask(Question),
    /// Take the most probable reading and write it down.
    Assume(Assumption),
}

/// What the rule says about a plan.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gate {
    /// The one question.
    pub question: Option<Question>,
    /// Everything that is not worth one.
    pub assumptions: Vec<Assumption>,
    /// Questions that come after the answer to this one.
    pub later: usize,
}

/// Everything in goal and plan that can be read in several ways, in the order of the plan.
pub fn ambiguities(input: &AskInput<'_>) -> Vec<Ambiguity> {
    let mut found = places::named_twice(input);
    found.extend(paths::missing(input));
    found.extend(owners::of_generic_words(input));
    found.extend(dangers::without_a_copy(input));
    found.extend(rivals::of_one_requirement(input));
    found.retain(|ambiguity| !is_answered(input.plan, ambiguity));
    let mut seen = std::collections::HashSet::new();
    found.retain(|ambiguity| seen.insert(ambiguity.about.clone()));
    found
}

/// Whether a step says already how it is meant.
fn is_answered(plan: &Plan, ambiguity: &Ambiguity) -> bool {
    let mut notes = plan.tasks.iter().flat_map(|task| task.values("assume"));
    notes.any(|note| note.contains(&ambiguity.about))
}

/// Ask or assume.
pub fn decide(ambiguity: &Ambiguity, load: &Load) -> Decision {
    let wanted = match load.interruptions > 0.8 {
        true => MIN_WORTH * 1.5,
        false => MIN_WORTH,
    };
    let options = ambiguity.plausible().count();
    let asks = (2..=MAX_OPTIONS).contains(&options)
        && ambiguity.has_two_plans()
        && ambiguity.worth() >= wanted
        && ambiguity.inferred < SURE
        && !load.is_deep_focus
        && !load.is_budget_critical;
    match asks {
        true => Decision::Ask(question(ambiguity)),
        false => Decision::Assume(assumption(ambiguity)),
    }
}

/// At most one question, and only if none is open.
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
    // The sort keeps the order of the plan among equals.
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
            .map(|reading| Opt {
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

/// The edits of a reading, and its note on the step, so that it is not asked again.
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
