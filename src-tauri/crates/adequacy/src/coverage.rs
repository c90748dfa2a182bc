//! Which requirements the plan takes care of, and which steps serve none.
//!
//! A requirement is one of a list that was given, else one of the list under `## Requirements`, else a part
//! of the goal where it has several. It is covered where the steps say enough of its words
//! ([`overlap`]), or where a step names it in `covers:`.

mod claims;
mod earned;
mod enumerated;
mod findings;
mod fixes;
mod mapped;
mod overlap;
mod step_words;
mod wanted;

use std::collections::HashSet;

use plan::Requirement;

use crate::dimensions::{Dimension, DimensionName, Missing, Substance};
use crate::plan_rules::Verdict;
use crate::proof::speaks_of;
use crate::rarity;
use crate::reading::Reading;
use crate::report::{Finding, WantedReport};
use crate::terms::{self, Kind};
use crate::text::says_check;

use claims::Claims;
use earned::earned;
pub(crate) use fixes::capitalised;
use mapped::unmapped;
use overlap::{Overlap, Said, Weighed, Words};
use step_words::words;
use wanted::{of_goal, wanted};

/// The plan's requirements, counted.
pub(crate) struct Coverage {
    /// What of all that is wanted the steps say, 0 to 1: in between where they say a part; `None` where
    /// nothing is known to be wanted.
    earned: Option<f64>,
    /// What would add most to it.
    missing: Option<Missing>,
    /// Whether more than half of a list of requirements is open.
    pub(crate) is_mostly_open: bool,
    /// Whether the steps do no part of what is asked for: then they are for something else.
    pub(crate) is_for_another: bool,
    /// Each of them, and whether it is.
    pub(crate) wanted: Vec<WantedReport>,
    /// One per requirement that is open. The first carries the factor for all of them.
    pub(crate) verdicts: Vec<Verdict>,
    /// Indices of steps that serve no requirement.
    pub(crate) unmapped: HashSet<usize>,
    /// For each of those the requirement that fits best.
    pub(crate) findings: Vec<Finding>,
}

/// The share of what is wanted that the steps must say to take care of it, if it has many words.
const ENOUGH: f64 = 0.16;
/// Half a word more than that: of three words one may be there by chance.
const ONE_WORD: f64 = 0.5;
/// What steps for another goal say of one, at most.
const BY_CHANCE: f64 = 0.5;
/// The share that a step must say that names others in `covers:`, and not this one.
const MUCH: f64 = 0.9;

/// Something that a step should take care of.
pub(crate) struct Wanted<'a> {
    pub(crate) text: &'a str,
    /// The requirement, where it is one of the list.
    pub(crate) requirement: Option<&'a Requirement>,
    weighed: Weighed,
    /// Whether it has only words that fit any text: they cannot be told from those of other steps.
    is_plain: bool,
}

impl Coverage {
    /// Of a plan whose steps say what they do. Those that only repeat what is asked for do none of it.
    pub(crate) fn of(reading: &Reading<'_>, substance: &Substance) -> Self {
        let echoes = &substance.echoes;
        let benefit = substance.benefit();
        let wanted = wanted(reading);
        if wanted.is_empty() {
            return Self {
                earned: None,
                missing: None,
                is_mostly_open: false,
                is_for_another: false,
                wanted: Vec::new(),
                verdicts: Vec::new(),
                unmapped: HashSet::new(),
                findings: Vec::new(),
            };
        }
        let words = words(reading, &wanted, &substance.idle);
        let overlap = Overlap::of(wanted.iter().map(|wanted| &wanted.weighed), &words);
        let claims = Claims::of(reading, &substance.idle);
        let judged: Vec<Judged<'_, '_>> = wanted
            .iter()
            .map(|wanted| {
                let said = overlap.said(&wanted.weighed);
                Judged {
                    open: open_part(reading, &overlap, &claims, wanted, &said, &words),
                    wanted,
                    said,
                }
            })
            .collect();
        let (earned, missing) = match echoes.is_empty() {
            true => earned(
                judged
                    .iter()
                    .map(|judged| (judged.wanted, judged.said.bits)),
                benefit,
            ),
            false => {
                let own: Vec<Words> = words
                    .iter()
                    .filter(|words| !echoes.contains(&words.index))
                    .cloned()
                    .collect();
                let overlap = Overlap::of(wanted.iter().map(|wanted| &wanted.weighed), &own);
                let said = |wanted: &'_ Wanted<'_>| overlap.said(&wanted.weighed).bits;
                earned(wanted.iter().map(|wanted| (wanted, said(wanted))), benefit)
            }
        };
        let open = judged.iter().filter(|judged| judged.open.is_some()).count();
        let is_listed = !reading.listed().is_empty();
        // A plan for something else may have words of the goal by chance, and no part of it.
        let is_for_another = open == judged.len()
            && earned.is_some_and(|share| share < BY_CHANCE)
            && reading.has_words_in_common_script();
        let reports = judged
            .iter()
            .map(|judged| judged.report(reading, &words, &overlap, &claims))
            .collect();
        let mut coverage = Self {
            earned,
            missing,
            is_mostly_open: is_listed && open * 2 > judged.len(),
            is_for_another: is_for_another || is_listed && misses_the_goal(reading, &words),
            wanted: reports,
            verdicts: Vec::new(),
            unmapped: HashSet::new(),
            findings: Vec::new(),
        };
        // A goal of one sentence is no list: the share alone says how much of it is open.
        if is_listed || wanted.len() > 1 && reading.has_words_in_common_script() {
            coverage.verdicts = findings::verdicts(reading, &judged, &words);
            // A document names half of what is done for it.
            if is_listed || !reading.asked.is_document {
                coverage.unmapped = unmapped(reading, &wanted, &words, &judged);
            }
            coverage.findings = mapped::findings(reading, &coverage.unmapped, &wanted);
            let informing = findings::informing(reading, &judged, &overlap);
            coverage.findings.extend(informing);
        }
        coverage
    }

    /// The dimension with what was credited and what would add most.
    pub(crate) fn dimension(&self) -> Dimension {
        let covered = self.wanted.iter().filter(|wanted| wanted.covered).count();
        let credited = match self.earned {
            None => "No goal and no list of requirements says what the plan has to do.".to_owned(),
            Some(earned) => format!(
                "The steps say {:.0} % of what is asked for; {covered} of {} parts of it are covered.",
                earned * 100.0,
                self.wanted.len()
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

/// Something wanted, and what the plan says of it.
struct Judged<'w, 'a> {
    wanted: &'w Wanted<'a>,
    said: Said,
    /// What of it is open: all of it, or one member of an enumeration.
    open: Option<String>,
}

impl Judged<'_, '_> {
    /// Its rarest words that no step says, as they are written; none where most of it is said.
    fn unsaid(&self, overlap: &Overlap) -> Vec<String> {
        /// From here on enough is said.
        const ENOUGH: f64 = 0.45;
        const MOST: usize = 3;
        let mut unsaid: Vec<(f64, String)> = Vec::new();
        if self.said.share >= ENOUGH {
            return Vec::new();
        }
        terms::of(self.wanted.text, None, &mut |term, kind, word| {
            let is_new = || unsaid.iter().all(|(_, other)| *other != word);
            if kind != Kind::Common && !is_modal(word) && !overlap.is_said(term) && is_new() {
                unsaid.push((rarity::bits(term), word.to_owned()));
            }
        });
        unsaid.sort_by(|one, other| other.0.total_cmp(&one.0));
        unsaid
            .into_iter()
            .take(MOST)
            .map(|(_, word)| word)
            .collect()
    }

    fn report(
        &self,
        reading: &Reading<'_>,
        words: &[Words],
        overlap: &Overlap,
        claims: &Claims<'_>,
    ) -> WantedReport {
        /// Steps that do it say at least so much of it, beside the one that says the most.
        const NEARLY: f64 = 0.6;
        const MOST: usize = 5;
        let best = self.said.tasks.first().map_or(0.0, |(_, share)| *share);
        let line = |at: usize| reading.plan.tasks[words[at].index].line;
        let doing = self
            .said
            .tasks
            .iter()
            .filter(|(_, share)| *share >= best * NEARLY);
        let lines: Vec<u32> = match self.open {
            Some(_) => Vec::new(),
            None => doing.take(MOST).map(|(at, _)| line(*at)).collect(),
        };
        let naming = self.wanted.requirement.map_or(&[][..], |requirement| {
            claims.of_requirement(&requirement.id)
        });
        let lines = match lines.is_empty() && self.open.is_none() {
            true => naming.iter().take(MOST).map(|at| line(*at)).collect(),
            false => lines,
        };
        let percent = (self.said.share * 100.0).round();
        let why = match (&self.open, lines.first()) {
            (Some(part), _) if part != self.wanted.text => format!("No step speaks of “{part}”."),
            (Some(_), _) if self.said.tasks.is_empty() => "No step says a word of it.".to_owned(),
            (Some(_), _) => format!("The steps say {percent} % of what it says."),
            (None, Some(line)) if self.said.tasks.is_empty() => {
                format!("Line {line} says that it covers it, and no step says a word of it.")
            }
            (None, Some(line)) => {
                let said =
                    format!("The steps say {percent} % of what it says, line {line} the most");
                match findings::listed(&self.unsaid(overlap)) {
                    Some(unsaid) => format!("{said}; none says {unsaid}."),
                    None => format!("{said}."),
                }
            }
            (None, None) => "Its words fit any plan, so nothing can be looked for.".to_owned(),
        };
        WantedReport {
            id: self
                .wanted
                .requirement
                .map(|requirement| requirement.id.clone())
                .unwrap_or_default(),
            text: self.wanted.text.to_owned(),
            covered: self.open.is_none(),
            lines,
            why,
        }
    }
}

/// Whether a word only says how binding a requirement is, as RFC 2119 has it.
fn is_modal(word: &str) -> bool {
    matches!(
        word,
        "MUST" | "SHALL" | "SHOULD" | "MAY" | "REQUIRED" | "RECOMMENDED" | "OPTIONAL"
    )
}

/// Whether steps that have a list of their own to go by do no part of the goal that was said beside it.
/// `words` are those of the goal too.
fn misses_the_goal(reading: &Reading<'_>, words: &[Words]) -> bool {
    let is_said = reading.input.goal.is_some() || reading.plan.front.goal.is_some();
    if !is_said || !reading.has_words_in_common_script() {
        return false;
    }
    let wanted = of_goal(reading);
    let overlap = Overlap::of(wanted.iter().map(|wanted| &wanted.weighed), words);
    let is_open = |wanted: &Wanted<'_>| {
        let enough = ENOUGH + ONE_WORD / wanted.weighed.len().max(1) as f64;
        !wanted.is_plain && overlap.said(&wanted.weighed).share < enough
    };
    !wanted.is_empty() && wanted.iter().all(is_open)
}

/// What of it is open: all of its words, or one member of an enumeration; `None` where it is covered.
fn open_part(
    reading: &Reading<'_>,
    overlap: &Overlap,
    claims: &Claims<'_>,
    wanted: &Wanted<'_>,
    said: &Said,
    words: &[Words],
) -> Option<String> {
    let is_claimed = wanted
        .requirement
        .is_some_and(|requirement| !claims.of_requirement(&requirement.id).is_empty());
    let is_plain = wanted.is_plain && wanted.requirement.is_none();
    if is_claimed || is_plain || is_about_checks(wanted) && has_checks(reading) {
        return None;
    }
    let enough = ENOUGH + ONE_WORD / wanted.weighed.len().max(1) as f64;
    let is_said = match words.iter().any(|words| words.says_covers) {
        true => said.tasks.iter().any(|(task, share)| {
            *share
                >= if words[*task].says_covers {
                    MUCH
                } else {
                    enough
                }
        }),
        false => said.share >= enough,
    };
    if !is_said {
        return Some(wanted.text.to_owned());
    }
    enumerated::missing(wanted.text, |term| overlap.is_said(term))
}

/// "and add tests", "test it": any step with a check will do.
fn is_about_checks(wanted: &Wanted<'_>) -> bool {
    const FEW: usize = 3;
    says_check(wanted.text) && wanted.weighed.len() <= FEW
}

fn has_checks(reading: &Reading<'_>) -> bool {
    reading
        .steps
        .iter()
        .any(|step| step.is_proved || speaks_of(step.task, &step.text, says_check))
}
