//! Finds files linked to the files and names of a goal, up to two hops away.

use std::collections::{BTreeMap, BTreeSet};

use super::{MAX_LINKED, Relation, Source, Statement, freshness, matching};
use crate::context::{Context, Offered};
use crate::intake::Intake;
use crate::solver::relevant;
use crate::text::is_document;

/// Maximum number of files that a named folder or pattern may match; if it matches more, it is
/// ignored.
const MAX_FILES_PER_NAME: usize = 12;

/// Maximum number of the context's offered files to start from.
const MAX_OFFERS: usize = 5;

/// Maximum number of files that a step may change for them to count as changed together.
const MAX_FILES_PER_STEP: usize = 12;

/// Maximum number of files that all steps of a run may change for them to count as changed
/// together.
const MAX_FILES_PER_RUN: usize = 8;

/// Minimum number of runs in which two files were changed by different steps for them to count as
/// changed together, since the steps of one run may be unrelated.
const MIN_RUNS_ACROSS_STEPS: usize = 2;

/// Minimum number of runs in which two files changed together for a second hop between them; a
/// single run may be a coincidence.
const MIN_RUNS_SECOND_HOP: usize = 2;

/// A file that is linked to the goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reached {
    /// The number of hops from the goal: 0, 1 or 2.
    pub(super) hops: u8,
    /// The strength of the link, in thousandths.
    pub(super) strength: u64,
    /// The reason for the link, as a phrase; empty at zero hops.
    reason: String,
}

/// The files to start from: those that the goal names or is about, and the best of those that the
/// context offers. All exist in the workspace.
pub fn starts(intake: &Intake, context: &Context) -> Vec<String> {
    let seeds = seeds(intake, context);
    seeds.into_iter().map(|(path, _)| path).collect()
}

/// The files to start from, with the confidence that the goal is about them, in thousandths.
fn seeds(intake: &Intake, context: &Context) -> Vec<(String, u64)> {
    let mut seeds: Vec<(String, u64)> = Vec::new();
    let add = |seeds: &mut Vec<(String, u64)>, path: String, strength: u64| {
        if context.paths.contains(&path) && !seeds.iter().any(|(known, _)| *known == path) {
            seeds.push((path, strength));
        }
    };
    for named in &intake.named_paths {
        let files = relevant::resolve(named, context);
        if files.len() <= MAX_FILES_PER_NAME {
            for path in files {
                add(&mut seeds, path, 1_000);
            }
        }
    }
    // If the goal names a file, the other relevant files are just its tests and documents.
    let is_written_out = seeds.iter().any(|(path, _)| !is_document(path));
    for path in relevant::files(intake, context).all(&[]) {
        // A file that only matches a word of the goal is less certain, and the word must not match
        // many files.
        if is_written_out || matching::contains_goal_name(&path, intake, context) {
            add(&mut seeds, path, 800);
        } else if matching::is_distinctive(&path, intake, context) {
            add(&mut seeds, path, 600);
        }
    }
    for offered in context.offered.iter().take(MAX_OFFERS) {
        if offered.score >= 500 {
            add(
                &mut seeds,
                offered.path.clone(),
                u64::from(offered.score.min(1_000)) * 7 / 10,
            );
        }
    }
    seeds
}

/// Every file within two hops of the goal, by path.
pub(super) fn reach(
    intake: &Intake,
    context: &Context,
    statements: &[Statement],
    now_ms: i64,
) -> BTreeMap<String, Reached> {
    let mut reached: BTreeMap<String, Reached> = BTreeMap::new();
    for (path, strength) in seeds(intake, context) {
        let start = Reached {
            hops: 0,
            strength,
            reason: String::new(),
        };
        reached.insert(path, start);
    }
    let co_changes = CoChanges::of(statements);
    let mut found: Vec<(String, Reached)> = Vec::new();
    for statement in statements {
        match statement.relation {
            Relation::Defines if intake.identifiers.contains(&statement.object) => {
                found.push((
                    statement.subject.clone(),
                    Reached {
                        hops: 1,
                        strength: 900,
                        reason: format!("defines {}", statement.object),
                    },
                ));
            }
            Relation::Imports => {
                if let Some(from) = reached.get(&statement.subject) {
                    let reason = format!("imported by {}", statement.subject);
                    found.push((statement.object.clone(), from.next(400, reason)));
                }
                if let Some(from) = reached.get(&statement.object) {
                    let reason = format!("imports {}", statement.object);
                    found.push((statement.subject.clone(), from.next(350, reason)));
                }
            }
            _ => {}
        }
    }
    for (path, from) in &reached {
        found.extend(co_changes.next(path, from, 1, now_ms));
    }
    keep(&mut reached, found, context);
    let further: Vec<(String, Reached)> = reached
        .iter()
        .filter(|(_, from)| from.hops == 1)
        .flat_map(|(path, from)| co_changes.next(path, from, MIN_RUNS_SECOND_HOP, now_ms))
        .collect();
    keep(&mut reached, further, context);
    reached
}

/// Adds the found files that are in the workspace; for a file that is already known, fewer hops
/// win, then the stronger link.
fn keep(reached: &mut BTreeMap<String, Reached>, found: Vec<(String, Reached)>, context: &Context) {
    for (path, new) in found {
        if !context.paths.contains(&path) {
            continue;
        }
        let is_better = reached.get(&path).is_none_or(|known| {
            let order = known.hops.cmp(&new.hops);
            let order = order.then(new.strength.cmp(&known.strength));
            order.then(known.reason.cmp(&new.reason)).is_gt()
        });
        if is_better {
            reached.insert(path, new);
        }
    }
}

impl Reached {
    /// The link to a file one hop further, with the given link strength (in thousandths).
    fn next(&self, link: u64, reason: String) -> Self {
        Self {
            hops: self.hops + 1,
            strength: self.strength * link / 1_000,
            reason,
        }
    }
}

/// Records which files were changed in which runs.
struct CoChanges<'s> {
    /// For each file, the runs that changed it and when.
    changed: BTreeMap<&'s str, BTreeMap<&'s str, i64>>,
    /// For each pair of files, the runs that changed both.
    pairs: BTreeMap<&'s str, BTreeMap<&'s str, Pair<'s>>>,
}

/// The runs that changed both files of a pair.
#[derive(Debug, Default)]
struct Pair<'s> {
    runs: BTreeSet<&'s str>,
    /// Whether a single step changed both files.
    is_one_step: bool,
}

impl<'s> CoChanges<'s> {
    fn of(statements: &'s [Statement]) -> Self {
        let mut co_changes = Self {
            changed: BTreeMap::new(),
            pairs: BTreeMap::new(),
        };
        let mut steps: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
        let mut runs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for statement in statements {
            let (
                Relation::Changed,
                Source::Run {
                    run, task, at_ms, ..
                },
            ) = (statement.relation, &statement.source)
            else {
                continue;
            };
            let file = statement.object.as_str();
            let when = co_changes.changed.entry(file).or_default();
            let when = when.entry(run).or_insert(*at_ms);
            *when = (*when).max(*at_ms);
            let step = (run.as_str(), task.as_deref().unwrap_or_default());
            steps.entry(step).or_default().insert(file);
            runs.entry(run).or_default().insert(file);
        }
        let of_steps = steps.iter().map(|((run, _), files)| (*run, files, true));
        let of_runs = runs.iter().map(|(run, files)| (*run, files, false));
        for (run, files, is_one_step) in of_steps.chain(of_runs) {
            let most = if is_one_step {
                MAX_FILES_PER_STEP
            } else {
                MAX_FILES_PER_RUN
            };
            if files.len() > most {
                continue;
            }
            for one in files {
                for other in files.iter().filter(|other| *other != one) {
                    let with = co_changes.pairs.entry(one).or_default();
                    let pair = with.entry(other).or_default();
                    pair.runs.insert(run);
                    pair.is_one_step |= is_one_step;
                }
            }
        }
        co_changes
    }

    /// The files changed together with `path` in at least `least` runs. A pair is dropped as a
    /// coincidence if these are less than a third of the runs that changed the other file, or less
    /// than an eighth of those that changed `path`.
    fn next(
        &self,
        path: &str,
        from: &Reached,
        least: usize,
        now_ms: i64,
    ) -> Vec<(String, Reached)> {
        let with = self.pairs.get(path).into_iter().flatten();
        let own = self.changed.get(path).map_or(0, BTreeMap::len);
        let found = with.filter_map(|(other, pair)| {
            let changed = self.changed.get(other)?;
            let runs = &pair.runs;
            let least = match pair.is_one_step {
                true => least,
                false => least.max(MIN_RUNS_ACROSS_STEPS),
            };
            let is_chance = runs.len() * 3 < changed.len() || runs.len() * 8 < own;
            if runs.len() < least || is_chance {
                return None;
            }
            let last = runs.iter().filter_map(|run| changed.get(run)).max()?;
            let count = u64::try_from(runs.len()).unwrap_or(u64::MAX).min(4);
            let link =
                (400 + 150 * (count - 1)) * (700 + freshness(*last, now_ms) * 3 / 10) / 1_000;
            let times = match runs.len() {
                1 => "1 run".to_owned(),
                count => format!("{count} runs"),
            };
            let reason = format!("changed together with {path} in {times}");
            Some(((*other).to_owned(), from.next(link, reason)))
        });
        found.collect()
    }
}

/// The linked files that are worth offering, and whether some had to be left out.
pub(super) fn offered(
    context: &Context,
    reached: &BTreeMap<String, Reached>,
) -> (Vec<Offered>, bool) {
    let mut linked: Vec<(&String, &Reached)> = reached
        .iter()
        .filter(|(path, file)| {
            file.hops > 0
                && !context.offered.iter().any(|known| known.path == **path)
                && !path.contains(char::is_control)
        })
        .collect();
    linked.sort_by(|(path, a), (other, b)| b.strength.cmp(&a.strength).then(path.cmp(other)));
    let is_cut = linked.len() > MAX_LINKED;
    let offered = linked
        .into_iter()
        .take(MAX_LINKED)
        .map(|(path, file)| Offered {
            path: path.clone(),
            score: u32::try_from(file.strength.min(1_000)).unwrap_or(1_000),
            reason: file.reason.clone(),
        });
    (offered.collect(), is_cut)
}

/// The file closest to the goal among the reached files that a text names.
pub(super) fn named_in<'r>(
    text: &str,
    reached: &'r BTreeMap<String, Reached>,
) -> Option<&'r Reached> {
    reached
        .iter()
        .filter(|(path, _)| matching::contains_path(text, path))
        .map(|(_, file)| file)
        .max_by_key(|file| (std::cmp::Reverse(file.hops), file.strength))
}
