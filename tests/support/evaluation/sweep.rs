//! Plays the selected trials on all cores and collects the results.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::model_server::Flavour;
use crate::scenarios::{self, Scenario};
use crate::simulator::{Fault, Profile};

use super::options::{Options, Planning, Verification};
use super::{Baseline, Client, Planwright, Score, Terms, Trial, trial};

/// The conditions shared by the trials of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The part of the report it belongs to.
    pub part: Part,
    /// `planwright` or `baseline`.
    pub client: &'static str,
    /// The name of the fault profile.
    pub profile: String,
    /// The factor by which the profile's fault rates are multiplied.
    pub scale: f64,
    /// The kind of server that is simulated.
    pub flavour: Flavour,
    /// When Planwright plans.
    pub planning: Planning,
    /// What Planwright verifies.
    pub verification: Verification,
}

/// The parts of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Measures all profiles at each plan length.
    Main,
    /// Compares scaled fault rates.
    Sweep,
    /// Measures one kind of fault at a time.
    Single,
    /// Compares kinds of servers.
    Servers,
    /// Compares upfront and iterative planning.
    Strategy,
    /// Compares levels of verification.
    Verification,
}

/// All trials, by group.
#[derive(Debug, Default)]
pub struct Table {
    /// The groups, with their trials.
    pub groups: Vec<(Group, Vec<Trial>)>,
    /// How long all trials took together, in seconds.
    pub seconds: f64,
    /// Number of requests that the models answered.
    pub requests: usize,
}

impl Table {
    /// The groups of a part.
    pub fn of(&self, part: Part) -> impl Iterator<Item = &(Group, Vec<Trial>)> {
        self.groups
            .iter()
            .filter(move |(group, _)| group.part == part)
    }
}

/// The score of the trials with this number of steps.
#[must_use]
pub fn of_length(trials: &[Trial], steps: usize) -> Score {
    Score::of(
        trials
            .iter()
            .filter(|trial| trial.scenario.length() == steps),
    )
}

struct Job {
    group: usize,
    scenario: Arc<Scenario>,
    seed: u64,
}

/// Plays the trials that the options select.
#[must_use]
pub fn run(options: &Options) -> Table {
    let started = Instant::now();
    let groups = groups(options);
    let mut jobs = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        let chosen = chosen(group, options);
        for seed in
            (options.first..).take(usize::try_from(seeds(group, options)).unwrap_or(usize::MAX))
        {
            jobs.extend(chosen.iter().map(|scenario| Job {
                group: at,
                scenario: Arc::clone(scenario),
                seed,
            }));
        }
    }
    let played = play(&groups, &jobs, options);
    let mut table = Table {
        groups: groups
            .into_iter()
            .map(|group| (group, Vec::new()))
            .collect(),
        ..Table::default()
    };
    for (group, trial) in played {
        table.requests += trial.notes.len();
        table.groups[group].1.push(trial);
    }
    table.seconds = started.elapsed().as_secs_f64();
    table
}

fn play(groups: &[Group], jobs: &[Job], options: &Options) -> Vec<(usize, Trial)> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let is_terminal = std::io::stderr().is_terminal();
    let work = || {
        let mut clients: BTreeMap<(usize, &str), Box<dyn Client>> = BTreeMap::new();
        loop {
            let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let group = &groups[job.group];
            let kind = (
                group.planning as usize * 10 + group.verification as usize,
                group.client,
            );
            let client = clients.entry(kind).or_insert_with(|| match group.client {
                "baseline" => Box::new(Baseline),
                _ => Box::new(Planwright::new(group.planning, group.verification)),
            });
            let profile = Profile::named(&group.profile).expect("the options were checked");
            let terms = Terms {
                profile: profile.scaled(group.scale),
                seed: job.seed,
                flavour: group.flavour,
                place: options.place.clone(),
                trace: options.trace.clone(),
            };
            let played = trial(client.as_mut(), &job.scenario, &terms);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((job.group, played));
            if is_terminal && (done.len() % 10 == 0 || done.len() == jobs.len()) {
                // A failure to print progress is ignored.
                let _ = write!(
                    std::io::stderr(),
                    "\r{} of {} trials",
                    done.len(),
                    jobs.len()
                );
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.min(jobs.len()).max(1) {
            scope.spawn(work);
        }
    });
    if is_terminal {
        let _ = writeln!(std::io::stderr());
    }
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Sorts the trials into the order they would have if they were played one after another.
    done.sort_by(|one, other| {
        let key = |(group, trial): &(usize, Trial)| (*group, trial.scenario.id, trial.seed);
        key(one).cmp(&key(other))
    });
    done
}

/// The number of seeds for a group. Two seeds are enough for a profile without faults. Comparisons
/// use a sixth of the seeds; the comparison of strategies uses a third, because few scenarios apply
/// to it.
fn seeds(group: &Group, options: &Options) -> u64 {
    match group.part {
        _ if options.place.is_some() => options.seeds,
        Part::Main if group.profile == "clean" => options.seeds.min(2),
        Part::Main => options.seeds,
        Part::Strategy => options.seeds.div_ceil(3),
        _ => options.seeds.div_ceil(6),
    }
}

fn chosen(group: &Group, options: &Options) -> Vec<Arc<Scenario>> {
    let is_chosen = |scenario: &Scenario| {
        let fits = options.steps.is_none_or(|steps| scenario.length() == steps);
        let named = options.scenario.as_ref().is_none_or(|id| scenario.id == id);
        let is_plain = scenario.trouble.is_none() && scenario.window.is_none();
        let of_part = match group.part {
            Part::Main => true,
            Part::Strategy => matches!(scenario.id, "L1" | "L3" | "L7" | "L14"),
            Part::Single => is_plain && scenario.length() == 7,
            Part::Sweep | Part::Servers | Part::Verification => is_plain && scenario.length() == 7,
        };
        fits && named && of_part
    };
    scenarios::all()
        .into_iter()
        .filter(is_chosen)
        .map(Arc::new)
        .collect()
}

fn groups(options: &Options) -> Vec<Group> {
    let group = |part, client: &'static str, profile: &str| Group {
        part,
        client,
        profile: profile.to_owned(),
        scale: 1.0,
        flavour: options.flavour,
        planning: Planning::Upfront,
        verification: Verification::All,
    };
    let clients = ["baseline", "planwright"];
    let clients = clients
        .into_iter()
        .filter(|name| options.client.as_deref().is_none_or(|only| only == *name));
    let mut all = Vec::new();
    if options.place.is_some() {
        // A real model's faults cannot be configured.
        return clients
            .map(|client| group(Part::Main, client, "clean"))
            .collect();
    }
    for client in clients {
        match &options.profile {
            Some(profile) => all.push(group(Part::Main, client, profile)),
            None => all.extend(
                ["clean", "14b", "7b", "coder7b-ollama"]
                    .map(|profile| group(Part::Main, client, profile)),
            ),
        }
        if options.only_main {
            continue;
        }
        let profile = options.profile.as_deref().unwrap_or("7b");
        all.extend([0.5, 1.0, 2.0].map(|scale| Group {
            scale,
            ..group(Part::Sweep, client, profile)
        }));
        all.extend(
            Fault::ALL
                .map(|fault| group(Part::Single, client, &format!("only_{}", fault.as_str()))),
        );
        if client == "planwright" {
            let flavours = [
                Flavour::OpenAi,
                Flavour::Ollama,
                Flavour::LlamaCpp,
                Flavour::Strict,
            ];
            all.extend(flavours.map(|flavour| Group {
                flavour,
                ..group(Part::Servers, client, profile)
            }));
            let plannings = [Planning::Upfront, Planning::Iterative];
            all.extend(plannings.map(|planning| Group {
                planning,
                ..group(Part::Strategy, client, profile)
            }));
            let kinds = [Verification::Off, Verification::Edits, Verification::All];
            all.extend(kinds.map(|verification| Group {
                verification,
                ..group(Part::Verification, client, profile)
            }));
        }
    }
    all
}
