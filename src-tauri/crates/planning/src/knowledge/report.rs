//! Chooses which statements to report for a goal, in which order, and how to word them.

use std::collections::{BTreeMap, BTreeSet};

use super::matching::GoalWords;
use super::reach::{self, Reached};
use super::{
    Ending, MAX_KNOWN, MAX_KNOWN_BYTES, MAX_TEXT_LEN, Relation, Source, Statement, days, freshness,
};
use crate::context::Known;
use crate::drafting::holds_secrets;
use crate::drafting::sanitize::one_line;
use crate::intake::Intake;

/// Minimum score of a statement, in thousandths.
const MIN_WORTH: u64 = 180;

/// From this many current statements on, outdated ones are left out.
const MIN_CURRENT: usize = 4;

/// Maximum number of successful steps and plans reported, since failures are more informative.
const MAX_DONE: usize = 2;

/// Maximum number of files in a specific statement; a statement about more files is weak evidence
/// for each of them.
const MAX_SPECIFIC_FILES: usize = 6;

/// Scores, in thousandths, of a statement that contains a name from the goal, and of one that
/// contains two of its plain words.
const BY_NAME: u64 = 950;
const BY_WORDS: u64 = 480;

/// The statements to report.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) known: Vec<Known>,
    pub(super) is_cut: bool,
}

/// A text that may be reported, with all of its sources.
struct Candidate<'s> {
    worth: u64,
    sources: BTreeSet<(i64, &'s Source)>,
    is_stale: bool,
    about: &'s [String],
    is_done: bool,
}

/// Chooses the statements to report.
pub(super) fn select(
    intake: &Intake,
    statements: &[Statement],
    reached: &BTreeMap<String, Reached>,
    now_ms: i64,
) -> Report {
    let last = latest(statements);
    let texts: Vec<(&Statement, String)> = last
        .into_iter()
        .filter(|statement| !is_from_secret_file(statement))
        .filter_map(|statement| Some((statement, describe(statement)?)))
        .collect();
    let wanted = GoalWords::of(intake, texts.iter().map(|(_, text)| text.as_str()));
    let mut candidates: BTreeMap<&str, Candidate<'_>> = BTreeMap::new();
    for (statement, text) in &texts {
        let Some(nearness) = nearness(statement, text, &wanted, reached) else {
            continue;
        };
        let at_ms = statement.source.at_ms();
        let worth = nearness * weight(statement.relation) / 1_000;
        let worth = worth * (700 + freshness(at_ms, now_ms) * 3 / 10) / 1_000;
        let candidate = candidates.entry(text).or_insert_with(|| Candidate {
            worth,
            sources: BTreeSet::new(),
            is_stale: true,
            about: &statement.about,
            is_done: is_done(statement.relation),
        });
        candidate.worth = candidate.worth.max(worth);
        candidate.sources.insert((at_ms, &statement.source));
        candidate.is_stale &= statement.is_stale;
        candidate.about = candidate.about.min(&statement.about);
    }
    let mut ranked: Vec<(u64, i64, &str, Candidate<'_>)> = candidates
        .into_iter()
        .map(|(text, candidate)| {
            let more = u64::try_from(candidate.sources.len().min(4) - 1).unwrap_or(0);
            let worth = candidate.worth * (10 + more) / 10;
            let at_ms = candidate.sources.last().map_or(0, |(at_ms, _)| *at_ms);
            (worth, at_ms, text, candidate)
        })
        .filter(|(worth, ..)| *worth >= MIN_WORTH)
        .collect();
    ranked.sort_by(|a, b| {
        let fresh_first = a.3.is_stale.cmp(&b.3.is_stale);
        let best_first = b.0.cmp(&a.0).then(b.1.cmp(&a.1));
        fresh_first.then(best_first).then(a.2.cmp(b.2))
    });
    let mut report = Report::default();
    let mut left = MAX_KNOWN_BYTES;
    let mut done = 0;
    for (_, at_ms, text, candidate) in ranked {
        if candidate.is_stale && report.known.len() >= MIN_CURRENT
            || candidate.is_done && done == MAX_DONE
        {
            continue;
        }
        let known = Known {
            text: text.to_owned(),
            provenance: provenance(&candidate, at_ms, now_ms),
        };
        let size = known.text.len() + known.provenance.len();
        if report.known.len() == MAX_KNOWN || size > left {
            report.is_cut = true;
            continue;
        }
        left -= size;
        done += usize::from(candidate.is_done);
        report.known.push(known);
    }
    report
}

/// Drops statements superseded by a later one of the same plan about the same subject: a failed
/// step that is now done, a question that was answered again.
fn latest(statements: &[Statement]) -> Vec<&Statement> {
    let mut newest: BTreeMap<(&str, bool, &str), &Statement> = BTreeMap::new();
    let mut kept: Vec<&Statement> = Vec::new();
    for statement in statements {
        let is_decision = match statement.relation {
            Relation::Decided => true,
            Relation::Ended(_) => false,
            _ => {
                kept.push(statement);
                continue;
            }
        };
        let key = (
            statement.source.plan(),
            is_decision,
            statement.subject.as_str(),
        );
        let order = |one: &Statement| {
            let relation = one.relation;
            (
                one.source.at_ms(),
                relation,
                one.object.clone(),
                one.source.clone(),
            )
        };
        let known = newest.entry(key).or_insert(statement);
        if order(statement) > order(known) {
            *known = statement;
        }
    }
    kept.extend(newest.into_values());
    kept
}

/// How relevant a statement is to the goal, in thousandths; `None` if unrelated.
fn nearness(
    statement: &Statement,
    text: &str,
    wanted: &GoalWords<'_>,
    reached: &BTreeMap<String, Reached>,
) -> Option<u64> {
    let touch = wanted.touch(text);
    let about = statement
        .about
        .iter()
        .filter_map(|path| reached.get(path))
        .chain(reach::named_in(text, reached))
        // Going from a file to the statement is another hop, so a statement about a file that is
        // two hops away would be three hops from the goal.
        .filter(|file| file.hops < 2)
        .map(|file| file.strength / (u64::from(file.hops) + 1))
        .max()
        .map(
            |strength| match statement.about.len() > MAX_SPECIFIC_FILES {
                true => strength / 2,
                false => strength,
            },
        );
    let by_name = (touch.names > 0).then_some(BY_NAME);
    let by_words = touch.is_by_words().then_some(BY_WORDS);
    let nearest = about.max(by_name).max(by_words)?;
    let said = u64::try_from((touch.names + touch.words).min(3)).unwrap_or(0);
    Some(nearest + 80 * said)
}

/// How valuable a statement of each kind is, in thousandths.
fn weight(relation: Relation) -> u64 {
    match relation {
        Relation::Ended(Ending::Failed | Ending::Undone) | Relation::Decided => 1_000,
        Relation::Learned => 900,
        Relation::Ended(Ending::PlanStopped) => 700,
        Relation::Ended(Ending::Done | Ending::PlanDone) => 500,
        Relation::Defines | Relation::Imports | Relation::Changed => 0,
    }
}

/// Whether a statement was learned from a file that contains secrets.
fn is_from_secret_file(statement: &Statement) -> bool {
    let mut about = statement.about.iter();
    statement.relation == Relation::Learned && about.any(|path| holds_secrets(path))
}

fn is_done(relation: Relation) -> bool {
    matches!(relation, Relation::Ended(Ending::Done | Ending::PlanDone))
}

/// A statement on one line; `None` if it is blank or only links files.
fn describe(statement: &Statement) -> Option<String> {
    let subject = clipped(&one_line(&statement.subject), 120);
    let object = one_line(&statement.object);
    let because = match object.is_empty() {
        true => String::new(),
        false => format!(": {object}"),
    };
    let text = match statement.relation {
        Relation::Defines | Relation::Imports | Relation::Changed => return None,
        Relation::Learned => object,
        Relation::Decided => format!("a person decided \"{subject}\"{because}"),
        Relation::Ended(Ending::Done) if object.is_empty() => {
            format!("the step \"{subject}\" was done")
        }
        Relation::Ended(Ending::Done) => {
            format!("the step \"{subject}\" was done, checked by {object}")
        }
        Relation::Ended(Ending::Failed) => format!("the step \"{subject}\" failed{because}"),
        Relation::Ended(Ending::Undone) => {
            format!("the step \"{subject}\" was undone; its changes were reverted")
        }
        Relation::Ended(Ending::PlanDone) => format!("the plan \"{subject}\" was carried out"),
        Relation::Ended(Ending::PlanStopped) => {
            format!("the plan \"{subject}\" was stopped by a person")
        }
    };
    Some(clipped(&text, MAX_TEXT_LEN)).filter(|text| !text.is_empty())
}

/// A text's origin as a phrase: its newest source, the number of others, and whether it may be
/// outdated.
fn provenance(candidate: &Candidate<'_>, at_ms: i64, now_ms: i64) -> String {
    let newest = candidate.sources.last().map(|(_, source)| *source);
    let place = match newest {
        Some(Source::Run { plan, task, .. }) => {
            let plan = clipped(&one_line(plan), 100);
            match task {
                Some(task) => format!("step {} of {plan}", clipped(&one_line(task), 24)),
                None => plan,
            }
        }
        Some(Source::Workspace) | None => "the workspace".to_owned(),
    };
    let age = match days(at_ms, now_ms) {
        0 => "today".to_owned(),
        1 => "1 day ago".to_owned(),
        days @ 2..=60 => format!("{days} days ago"),
        days => format!("{} months ago", days / 30),
    };
    let more = match candidate.sources.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let doubt = match (candidate.is_stale, candidate.about.first()) {
        (false, _) => String::new(),
        (true, Some(path)) => {
            let path = clipped(&one_line(path), 100);
            format!("; may be outdated: {path} has changed since")
        }
        (true, None) => "; may be outdated".to_owned(),
    };
    format!("{place}, {age}{more}{doubt}")
}

/// Truncates to a number of bytes at a character boundary, with an ellipsis.
fn clipped(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(most - '…'.len_utf8());
    format!("{}…", &text[..end])
}
