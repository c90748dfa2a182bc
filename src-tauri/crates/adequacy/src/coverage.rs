//! Determines which requirements the plan covers, and which steps aren't linked to one.
//!
//! Requirements come from a given list, otherwise from the list under `## Requirements`, otherwise
//! from the parts of the goal. A requirement is covered if the steps contain enough of its words
//! ([`overlap`]) or if a step names it in `covers:`.

mod claims;
mod credit;
mod enumerated;
mod findings;
mod fixes;
mod overlap;
mod step_words;
mod targets;
mod unmapped;

use std::collections::HashSet;

use plan::Requirement;

use crate::dimensions::{Dimension, DimensionName, Missing, Substance};
use crate::plan_context::PlanContext;
use crate::plan_rules::Verdict;
use crate::rarity;
use crate::report::{Finding, RequirementReport};
use crate::task_text::says_check;
use crate::terms::{self, Kind};
use crate::verification::text_or_command_matches;

use claims::Claims;
use credit::earned;
pub(crate) use fixes::capitalized;
use overlap::{Overlap, TargetMatch, Weighed, Words};
use step_words::words;
use targets::{of_goal, targets};
use unmapped::unmapped;

/// Coverage of the plan's requirements.
pub(crate) struct Coverage {
    /// Share of the requirements that the steps cover, 0 to 1, with partial credit; `None` if there
    /// are no known requirements.
    earned: Option<f64>,
    /// The addition that would increase the share most.
    missing: Option<Missing>,
    /// Whether more than half of the listed requirements are open.
    pub(crate) is_mostly_open: bool,
    /// Whether the steps address no part of the goal, which suggests that the plan was written for
    /// another goal.
    pub(crate) is_for_another_goal: bool,
    /// Every requirement, and whether it is covered.
    pub(crate) requirements: Vec<RequirementReport>,
    /// Verdicts about the open requirements. Their factor is 1, because the coverage dimension
    /// already accounts for them.
    pub(crate) verdicts: Vec<Verdict>,
    /// Indices of steps that aren't linked to a requirement.
    pub(crate) unmapped: HashSet<usize>,
    /// Findings about steps that aren't linked to a requirement, and about partly covered
    /// requirements.
    pub(crate) findings: Vec<Finding>,
}

/// Minimum share of a long requirement's words that the steps must contain.
const MIN_SHARE: f64 = 0.16;
/// Half a word, added to the minimum because one of three words may match by chance.
const ONE_WORD: f64 = 0.5;
/// Maximum share of a goal's words that steps written for another goal contain by chance.
const CHANCE_SHARE: f64 = 0.5;
/// Share of the words that a step must contain if its `covers:` names other requirements but not
/// this one.
const UNCLAIMED_SHARE: f64 = 0.9;

/// A requirement, or a part of the goal.
pub(crate) struct Target<'a> {
    pub(crate) text: &'a str,
    /// The listed requirement; `None` for a part of the goal.
    pub(crate) requirement: Option<&'a Requirement>,
    weighed: Weighed,
    /// Whether it consists only of generic words, which any step may contain.
    is_plain: bool,
}

impl Coverage {
    /// Judges the coverage. Idle steps cover nothing, and steps that only restate the goal, as
    /// found by `substance`, earn no credit.
    pub(crate) fn of(context: &PlanContext<'_>, substance: &Substance) -> Self {
        let echoes = &substance.echoes;
        let benefit = substance.benefit();
        let targets = targets(context);
        if targets.is_empty() {
            return Self {
                earned: None,
                missing: None,
                is_mostly_open: false,
                is_for_another_goal: false,
                requirements: Vec::new(),
                verdicts: Vec::new(),
                unmapped: HashSet::new(),
                findings: Vec::new(),
            };
        }
        let words = words(context, &targets, &substance.idle);
        let overlap = Overlap::of(targets.iter().map(|target| &target.weighed), &words);
        let claims = Claims::of(context, &substance.idle);
        let judged: Vec<JudgedTarget<'_, '_>> = targets
            .iter()
            .map(|target| {
                let said = overlap.said(&target.weighed);
                JudgedTarget {
                    open: open_part(context, &overlap, &claims, target, &said, &words),
                    target,
                    said,
                }
            })
            .collect();
        let (earned, missing) = match echoes.is_empty() {
            true => earned(
                judged
                    .iter()
                    .map(|judged| (judged.target, judged.said.bits)),
                benefit,
            ),
            false => {
                let own: Vec<Words> = words
                    .iter()
                    .filter(|words| !echoes.contains(&words.index))
                    .cloned()
                    .collect();
                let overlap = Overlap::of(targets.iter().map(|target| &target.weighed), &own);
                let said = |target: &'_ Target<'_>| overlap.said(&target.weighed).bits;
                earned(targets.iter().map(|target| (target, said(target))), benefit)
            }
        };
        let open = judged.iter().filter(|judged| judged.open.is_some()).count();
        let is_listed = !context.listed().is_empty();
        // A plan for another goal may share words with this one by chance, but does not cover a
        // whole part.
        let is_for_another_goal = open == judged.len()
            && earned.is_some_and(|share| share < CHANCE_SHARE)
            && context.has_words_in_common_script();
        let reports = judged
            .iter()
            .map(|judged| judged.report(context, &words, &overlap, &claims))
            .collect();
        let mut coverage = Self {
            earned,
            missing,
            is_mostly_open: is_listed && open * 2 > judged.len(),
            is_for_another_goal: is_for_another_goal
                || is_listed && misses_the_goal(context, &words),
            requirements: reports,
            verdicts: Vec::new(),
            unmapped: HashSet::new(),
            findings: Vec::new(),
        };
        // A goal of one sentence is not a list, so its parts are not reported separately.
        if is_listed || targets.len() > 1 && context.has_words_in_common_script() {
            coverage.verdicts = findings::verdicts(context, &judged, &words);
            // A goal document does not mention all necessary work, so steps may serve no
            // requirement in it.
            if is_listed || !context.asked.is_document {
                coverage.unmapped = unmapped(context, &targets, &words, &judged);
            }
            coverage.findings = unmapped::findings(context, &coverage.unmapped, &targets);
            let info_findings = findings::info_findings(context, &judged, &overlap);
            coverage.findings.extend(info_findings);
        }
        coverage
    }

    /// The coverage dimension, with an explanation and the best improvement.
    pub(crate) fn dimension(&self) -> Dimension {
        let covered = self.requirements.iter().filter(|one| one.covered).count();
        let credited = match self.earned {
            None => "There is no goal or list of requirements to compare with.".to_owned(),
            Some(earned) => format!(
                "Covered requirements: {covered} of {}. The steps contain {:.0}% of their words.",
                self.requirements.len(),
                earned * 100.0
            ),
        };
        Dimension {
            name: DimensionName::Coverage,
            share: self.earned,
            credited,
            missing: self.missing.clone(),
        }
    }
}

/// A requirement, and the extent to which the plan covers it.
struct JudgedTarget<'w, 'a> {
    target: &'w Target<'a>,
    said: TargetMatch,
    /// The uncovered text: the whole requirement, or one member of an enumeration; `None` if all of
    /// it is covered.
    open: Option<String>,
}

impl JudgedTarget<'_, '_> {
    /// The rarest words of the requirement that no step contains, as written; empty if most of the
    /// requirement is covered.
    fn missing_words(&self, overlap: &Overlap) -> Vec<String> {
        /// Minimum share for the requirement to count as covered.
        const COVERED_SHARE: f64 = 0.45;
        const MAX_WORDS: usize = 3;
        let mut missing_words: Vec<(f64, String)> = Vec::new();
        if self.said.share >= COVERED_SHARE {
            return Vec::new();
        }
        terms::of(self.target.text, None, &mut |term, kind, word| {
            let is_new = || missing_words.iter().all(|(_, other)| *other != word);
            if kind != Kind::Common && !is_modal(word) && !overlap.is_said(term) && is_new() {
                missing_words.push((rarity::bits(term), word.to_owned()));
            }
        });
        missing_words.sort_by(|one, other| other.0.total_cmp(&one.0));
        missing_words
            .into_iter()
            .take(MAX_WORDS)
            .map(|(_, word)| word)
            .collect()
    }

    fn report(
        &self,
        context: &PlanContext<'_>,
        words: &[Words],
        overlap: &Overlap,
        claims: &Claims<'_>,
    ) -> RequirementReport {
        /// Steps below this share of the best step's match are not listed.
        const MIN_RELATIVE_SHARE: f64 = 0.6;
        const MAX_LINES: usize = 5;
        let best = self.said.tasks.first().map_or(0.0, |(_, share)| *share);
        let line = |at: usize| context.plan.tasks[words[at].index].line;
        let doing = self
            .said
            .tasks
            .iter()
            .filter(|(_, share)| *share >= best * MIN_RELATIVE_SHARE);
        let lines: Vec<u32> = match self.open {
            Some(_) => Vec::new(),
            None => doing.take(MAX_LINES).map(|(at, _)| line(*at)).collect(),
        };
        let naming = self.target.requirement.map_or(&[][..], |requirement| {
            claims.of_requirement(&requirement.id)
        });
        let lines = match lines.is_empty() && self.open.is_none() {
            true => naming.iter().take(MAX_LINES).map(|at| line(*at)).collect(),
            false => lines,
        };
        let percent = (self.said.share * 100.0).round();
        let why = match (&self.open, lines.first()) {
            (Some(part), _) if part != self.target.text => format!("No step mentions “{part}”."),
            (Some(_), _) if self.said.tasks.is_empty() => "No step mentions any of it.".to_owned(),
            (Some(_), _) => format!("The steps contain {percent}% of its words."),
            (None, Some(line)) if self.said.tasks.is_empty() => {
                format!("Line {line} names it in `covers:`, but no step mentions any of it.")
            }
            (None, Some(line)) => {
                let said =
                    format!("The steps contain {percent}% of its words, most on line {line}");
                match findings::listed(&self.missing_words(overlap)) {
                    Some(missing_words) => format!("{said}; no step mentions {missing_words}."),
                    None => format!("{said}."),
                }
            }
            (None, None) => "Its words are too generic to compare.".to_owned(),
        };
        RequirementReport {
            id: self
                .target
                .requirement
                .map(|requirement| requirement.id.clone())
                .unwrap_or_default(),
            text: self.target.text.to_owned(),
            covered: self.open.is_none(),
            lines,
            why,
        }
    }
}

/// Whether a word only expresses obligation, such as the keywords of RFC 2119.
fn is_modal(word: &str) -> bool {
    matches!(
        word,
        "MUST" | "SHALL" | "SHOULD" | "MAY" | "REQUIRED" | "RECOMMENDED" | "OPTIONAL"
    )
}

/// Whether the steps address no part of a goal that is given separately, for steps that follow
/// their own list of requirements. `words` includes the words of the goal.
fn misses_the_goal(context: &PlanContext<'_>, words: &[Words]) -> bool {
    let is_said = context.input.goal.is_some() || context.plan.front.goal.is_some();
    if !is_said || !context.has_words_in_common_script() {
        return false;
    }
    let targets = of_goal(context);
    let overlap = Overlap::of(targets.iter().map(|target| &target.weighed), words);
    let is_open = |target: &Target<'_>| {
        let enough = MIN_SHARE + ONE_WORD / target.weighed.len().max(1) as f64;
        !target.is_plain && overlap.said(&target.weighed).share < enough
    };
    !targets.is_empty() && targets.iter().all(is_open)
}

/// The uncovered text: the whole requirement, or one member of an enumeration; `None` if all of it
/// is covered.
fn open_part(
    context: &PlanContext<'_>,
    overlap: &Overlap,
    claims: &Claims<'_>,
    target: &Target<'_>,
    said: &TargetMatch,
    words: &[Words],
) -> Option<String> {
    let is_claimed = target
        .requirement
        .is_some_and(|requirement| !claims.of_requirement(&requirement.id).is_empty());
    let is_plain = target.is_plain && target.requirement.is_none();
    if is_claimed || is_plain || is_about_checks(target) && has_checks(context) {
        return None;
    }
    let enough = MIN_SHARE + ONE_WORD / target.weighed.len().max(1) as f64;
    let is_said = match words.iter().any(|words| words.says_covers) {
        true => said.tasks.iter().any(|(task, share)| {
            *share
                >= if words[*task].says_covers {
                    UNCLAIMED_SHARE
                } else {
                    enough
                }
        }),
        false => said.share >= enough,
    };
    if !is_said {
        return Some(target.text.to_owned());
    }
    enumerated::missing(target.text, |term| overlap.is_said(term))
}

/// Whether the requirement only asks for checks, as "and add tests" and "test it" do: any step with
/// a check covers it.
fn is_about_checks(target: &Target<'_>) -> bool {
    const MAX_WORDS: usize = 3;
    says_check(target.text) && target.weighed.len() <= MAX_WORDS
}

fn has_checks(context: &PlanContext<'_>) -> bool {
    context
        .steps
        .iter()
        .any(|step| step.is_proved || text_or_command_matches(step.task, &step.text, says_check))
}
