//! Which requirements the plan takes care of, and which steps serve none.
//!
//! A requirement is one of a list that was given, else one of the list under `## Requirements`; without
//! a list, a part of the goal where it has several. It is covered by a `covers:` line, or by a step whose words are its own: names,
//! numbers and rare words weigh more than words that fit any text. A step that says in `covers:` what
//! it is for must say much more of another requirement to count for it as well.
//!
//! Long because: weighing a step against a requirement is one measure, kept in one place.

mod claimed;
mod enumerated;
mod fixes;
mod mapped;
mod reports;

use std::collections::HashSet;
use std::collections::hash_map::Entry;

use plan::{Requirement, Task};

use crate::code::{Code, Severity};
use crate::goal::{GoalPart, first_word, is_imperative};
use crate::maps::{QuickMap, QuickSet};
use crate::plan_rules::Verdict;
use crate::reading::Reading;
use crate::report::{Finding, WantedReport, quoted};
use crate::task_rules::has_own_check;
use crate::terms::{self, Kind, Search, Term};
use crate::text::says_check;

pub(crate) use fixes::capitalised;
use mapped::unmapped;
use reports::reports;

/// The plan's requirements, counted.
pub(crate) struct Coverage {
    /// Share of the requirements, or of the parts of the goal, that some step takes care of; `None`
    /// where nothing can be counted.
    pub(crate) share: Option<f64>,
    /// Each of them, and whether it is taken care of.
    pub(crate) wanted: Vec<WantedReport>,
    /// One per requirement that is open. The first carries the factor for all of them.
    pub(crate) verdicts: Vec<Verdict>,
    /// Indices of steps that serve no requirement.
    pub(crate) unmapped: HashSet<usize>,
    /// For each of those the requirement that fits best.
    pub(crate) findings: Vec<Finding>,
}

/// The share of what is wanted that a step must say to take care of it.
const ENOUGH: f64 = 0.34;

/// Something that a step should take care of.
pub(crate) struct Wanted<'a> {
    pub(crate) text: &'a str,
    /// The requirement, where it is one of the list.
    pub(crate) requirement: Option<&'a Requirement>,
    /// Its words and their weights.
    words: Vec<(Term, f64)>,
    total: f64,
    /// Whether it has only words that fit any text: they cannot be told from those of other steps.
    is_plain: bool,
}

/// A step's words, as far as they are looked for.
pub(crate) struct Words {
    /// Index in the plan.
    pub(crate) index: usize,
    found: Vec<Term>,
    /// Whether it says itself what it covers.
    says_covers: bool,
}

impl Coverage {
    pub(crate) fn of(reading: &Reading<'_>) -> Self {
        let wanted = wanted(reading);
        if wanted.is_empty() {
            return Self {
                share: None,
                wanted: Vec::new(),
                verdicts: Vec::new(),
                unmapped: HashSet::new(),
                findings: Vec::new(),
            };
        }
        let words = words(reading, &wanted);
        let wanted = weighed(wanted, &words);
        let named: QuickSet<&str> = reading
            .plan
            .tasks
            .iter()
            .flat_map(|task| reading.covers(task))
            .map(String::as_str)
            .collect();
        let postings = Postings::of(&wanted, &words);
        let open: Vec<(&Wanted<'_>, String)> = wanted
            .iter()
            .filter(|wanted| {
                !wanted
                    .requirement
                    .is_some_and(|requirement| named.contains(requirement.id.as_str()))
            })
            .filter_map(|wanted| Some((wanted, open_part(reading, &postings, wanted, &words)?)))
            .collect();
        let open = claimed::left_open(reading, &wanted, open, &postings, &words);
        let (all, missing) = (wanted.len(), open.len());
        let reports = reports(reading, &wanted, &open, &postings, &words);
        let verdicts = verdicts(reading, open, all, &postings, &words);
        let unmapped = unmapped(reading, &wanted, &words);
        let findings = mapped::findings(reading, &unmapped, &wanted);
        Self {
            share: Some((all - missing) as f64 / all as f64),
            wanted: reports,
            verdicts,
            unmapped,
            findings,
        }
    }
}

/// The list of requirements, else the parts of a goal that has several.
fn wanted<'a>(reading: &'a Reading<'_>) -> Vec<Wanted<'a>> {
    let new = |text: &'a str, requirement| Wanted {
        text,
        requirement,
        words: Vec::new(),
        total: 0.0,
        is_plain: false,
    };
    let list = reading.listed();
    if !list.is_empty() {
        return list
            .iter()
            .map(|requirement| new(&requirement.text, Some(requirement)))
            .collect();
    }
    let parts: &[GoalPart] = &reading.parts;
    let is_comparable = !reading.steps.is_empty() && reading.has_words_in_common_script();
    if parts.len() < 2 || !is_comparable {
        return Vec::new();
    }
    parts.iter().map(|part| new(&part.text, None)).collect()
}

/// The words of every task that are looked for. A sub-task has those of its groups too.
fn words(reading: &Reading<'_>, wanted: &[Wanted<'_>]) -> Vec<Words> {
    let texts = wanted.iter().map(|wanted| wanted.text).chain(reading.goal);
    let mut search = Search::of(texts);
    let mut all: Vec<Words> = Vec::with_capacity(reading.plan.tasks.len());
    let mut steps = reading.steps.iter().peekable();
    for (index, task) in reading.plan.tasks.iter().enumerate() {
        let mut found = Vec::new();
        match steps.next_if(|step| step.index == index) {
            Some(step) => search.take(step.text.prose(), &mut found),
            None => {
                search.take(&task.title, &mut found);
                search.take(&task.body, &mut found);
            }
        }
        for file in &task.files {
            // Folders are shared by steps that have little else in common.
            let name = file.rsplit('/').next().unwrap_or(file);
            search.take(name, &mut found);
        }
        let mut says_covers = !task.covers.is_empty();
        if let Some(parent) = task.parent.and_then(|parent| all.get(parent)) {
            found.extend_from_slice(&parent.found);
            says_covers |= parent.says_covers;
        }
        found.sort_unstable();
        found.dedup();
        all.push(Words {
            index,
            found,
            says_covers,
        });
    }
    all
}

/// Weighs the words: one that several requirements share, or most steps, tells less.
fn weighed<'a>(mut wanted: Vec<Wanted<'a>>, words: &[Words]) -> Vec<Wanted<'a>> {
    let mut shared: QuickMap<Term, f64> = QuickMap::default();
    let own: Vec<Vec<(Term, Kind)>> = wanted
        .iter()
        .map(|wanted| {
            let mut own: Vec<(Term, Kind)> = Vec::new();
            let mut places: QuickMap<Term, usize> = QuickMap::default();
            // The verb that a wish begins with fits other wishes too.
            let verb = first_word(wanted.text);
            let is_verb = is_imperative(&verb);
            terms::of(wanted.text, None, &mut |term, kind, word| {
                let kind = if is_verb && kind == Kind::Plain && word.to_lowercase() == verb {
                    Kind::Common
                } else {
                    kind
                };
                match places.entry(term) {
                    Entry::Occupied(at) => own[*at.get()].1 = kind.max(own[*at.get()].1),
                    Entry::Vacant(at) => {
                        at.insert(own.len());
                        own.push((term, kind));
                    }
                }
            });
            for (term, _) in &own {
                *shared.entry(*term).or_default() += 1.0;
            }
            own
        })
        .collect();
    let mut often: QuickMap<Term, usize> = QuickMap::default();
    for word in words.iter().flat_map(|words| &words.found) {
        if shared.contains_key(word) {
            *often.entry(*word).or_default() += 1;
        }
    }
    const FEW: usize = 4;
    for (wanted, own) in wanted.iter_mut().zip(own) {
        wanted.is_plain = own.iter().all(|(_, kind)| *kind == Kind::Common);
        wanted.words = own
            .into_iter()
            .map(|(term, kind)| {
                let base = match kind {
                    Kind::Common => 0.35,
                    Kind::Plain => 1.0,
                    Kind::Name => 1.2,
                };
                let count = often.get(&term).copied().unwrap_or(0);
                let is_everywhere = words.len() >= FEW && count * 5 > words.len() * 3;
                let spread = if is_everywhere { 0.5 } else { 1.0 };
                (
                    term,
                    base * spread / shared.get(&term).copied().unwrap_or(1.0),
                )
            })
            .collect();
        wanted.total = wanted.words.iter().map(|(_, weight)| weight).sum();
    }
    wanted
}

/// Which tasks say a word.
pub(crate) struct Postings {
    tasks: QuickMap<Term, Vec<usize>>,
}

impl Postings {
    fn of(wanted: &[Wanted<'_>], words: &[Words]) -> Self {
        let mut tasks: QuickMap<Term, Vec<usize>> = wanted
            .iter()
            .flat_map(|wanted| &wanted.words)
            .map(|(term, _)| (*term, Vec::new()))
            .collect();
        for (at, words) in words.iter().enumerate() {
            for term in &words.found {
                if let Some(list) = tasks.get_mut(term) {
                    list.push(at);
                }
            }
        }
        Self { tasks }
    }

    /// Whether any task says it.
    fn is_said(&self, term: Term) -> bool {
        self.tasks.get(&term).is_some_and(|tasks| !tasks.is_empty())
    }

    /// The tasks that say something of what is wanted, and how much of it, 0 to 1.
    pub(crate) fn shares(&self, wanted: &Wanted<'_>) -> Vec<(usize, f64)> {
        // A word that hundreds of tasks say tells nothing, and would cost much.
        const MANY: usize = 400;
        let mut shares: QuickMap<usize, f64> = QuickMap::default();
        for (term, weight) in &wanted.words {
            let tasks = self.tasks.get(term).map_or(&[][..], Vec::as_slice);
            if tasks.len() > MANY && wanted.words.len() > 1 {
                continue;
            }
            for task in tasks {
                *shares.entry(*task).or_default() += weight / wanted.total;
            }
        }
        let mut shares: Vec<(usize, f64)> = shares.into_iter().collect();
        shares.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        shares
    }
}

/// What of it is open: all of its words, or one member of an enumeration; `None` where it is covered.
fn open_part(
    reading: &Reading<'_>,
    postings: &Postings,
    wanted: &Wanted<'_>,
    words: &[Words],
) -> Option<String> {
    /// Of a step that says it is for something else.
    const MUCH: f64 = 0.9;
    if wanted.total <= 0.0
        || wanted.is_plain && wanted.requirement.is_none()
        || is_about_checks(wanted) && has_checks(reading)
    {
        return None;
    }
    let is_covered = postings.shares(wanted).into_iter().any(|(task, share)| {
        share
            >= if words[task].says_covers {
                MUCH
            } else {
                ENOUGH
            }
    });
    if !is_covered {
        return Some(wanted.text.to_owned());
    }
    enumerated::missing(wanted.text, |term| postings.is_said(term))
}

/// "and add tests", "test it": any step with a check will do.
fn is_about_checks(wanted: &Wanted<'_>) -> bool {
    const FEW: usize = 3;
    says_check(wanted.text) && wanted.words.len() <= FEW
}

fn has_checks(reading: &Reading<'_>) -> bool {
    reading
        .steps
        .iter()
        .any(|step| has_own_check(step.task) || says_check(step.text.all()))
}

fn verdicts(
    reading: &Reading<'_>,
    open: Vec<(&Wanted<'_>, String)>,
    all: usize,
    postings: &Postings,
    words: &[Words],
) -> Vec<Verdict> {
    /// Findings of their own; the last one says how many more there are.
    const MOST: usize = 200;
    let factor = if open.len() * 2 > all { 0.70 } else { 0.84 };
    let more = open.len().saturating_sub(MOST);
    let mut verdicts: Vec<Verdict> = open
        .into_iter()
        .take(MOST)
        .enumerate()
        .map(|(nth, (wanted, part))| {
            let best = postings
                .shares(wanted)
                .into_iter()
                .map(|(at, _)| &reading.plan.tasks[words[at].index])
                .find(|task| crate::task_rules::is_work(task));
            let finding = match wanted.requirement {
                Some(requirement) => of_requirement(reading, requirement, best),
                None => of_goal(reading, wanted, &part, best),
            };
            Verdict {
                finding,
                factor: if nth == 0 { factor } else { 1.0 },
            }
        })
        .collect();
    if let (Some(last), 1..) = (verdicts.last_mut(), more) {
        last.finding.message = format!("{} ({more} more of this kind)", last.finding.message);
    }
    verdicts
}

fn of_requirement(
    reading: &Reading<'_>,
    requirement: &Requirement,
    best: Option<&Task>,
) -> Finding {
    let message = format!(
        "No step covers requirement {} ({}): add `covers: {}` to the step that does, or a step for it.",
        requirement.id,
        quoted(&requirement.text),
        requirement.id
    );
    let code = Code::UncoveredRequirement;
    let mut finding = Finding::of_plan(reading.plan, &requirement.text, code, Severity::Major);
    if !reading.input.requirements.is_empty() {
        // It stands in another file: neither a place in the plan nor a `covers:` can be given for it.
        return finding.saying(format!(
            "No step does what the list asks for: {}. Add a step for it.",
            quoted_whole(&requirement.text)
        ));
    }
    finding.line = requirement.line;
    finding.place = requirement.span.clone();
    finding.question = Some(format!(
        "Which step takes care of {} ({})?",
        requirement.id,
        quoted(&requirement.text)
    ));
    finding
        .saying(message)
        .mended_by(fixes::of_requirement(reading, requirement, best))
        .asking_only_with_answers()
}

fn of_goal(reading: &Reading<'_>, wanted: &Wanted<'_>, part: &str, best: Option<&Task>) -> Finding {
    let what = quoted_whole(part);
    let message = format!(
        "The goal asks for {what} and no step speaks of it: add a step for it, or say in a step that it \
         does."
    );
    let about = format!("{}\n{part}", wanted.text);
    let mut finding = Finding::of_plan(reading.plan, &about, Code::UncoveredGoal, Severity::Major);
    finding.question = Some(format!("Which step takes care of {what}?"));
    finding
        .saying(message)
        .mended_by(fixes::of_goal(reading, part, best))
        .asking_only_with_answers()
}

/// A part of the goal in quotation marks. Longer than other quotes: nothing else says which it is.
fn quoted_whole(text: &str) -> String {
    const LONGEST: usize = 160;
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("“{}…”", text[..cut].trim_end()),
        None => format!("“{text}”"),
    }
}
