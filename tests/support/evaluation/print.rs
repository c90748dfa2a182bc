//! Prints the report, as text and as one JSON object.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::scenarios::RightEnd;
use crate::simulator::{Fault, Profile};

use super::aims::aims;
use super::options::{Options, Planning};
use super::score::is_completed;
use super::statistics::{Rate, as_f64};
use super::sweep::{Group, Part, Table, of_length};
use super::{End, Score, Trial};

/// Printed above every report on simulated models.
pub const NOTE: &str = "The faults are simulated and their rates assumed from published sources: the figures are about \
                        the harness, and no claim about a real model.";
/// Printed above a report on a real model.
pub const REAL: &str = "Carried out with the model named; its faults are its own.";
/// The plan lengths to compare.
pub const LENGTHS: [usize; 4] = [1, 3, 7, 14];

/// The report as text.
#[must_use]
pub fn text(table: &Table, options: &Options) -> String {
    let mut out = String::new();
    let note = if options.place.is_some() { REAL } else { NOTE };
    let _ = writeln!(out, "{note}\n");
    if options.place.is_none() {
        rates(&mut out);
    }
    for (group, trials) in table.of(Part::Main) {
        main_block(&mut out, group, trials);
    }
    lines(
        &mut out,
        table,
        Part::Sweep,
        "Other rates, scenarios of 7 steps",
        |group| format!("{} x{}", group.profile, group.scale),
    );
    singles(&mut out, table);
    lines(
        &mut out,
        table,
        Part::Servers,
        "Servers, scenarios of 7 steps",
        |group| format!("{:?}", group.flavour),
    );
    strategies(&mut out, table);
    lines(
        &mut out,
        table,
        Part::Verification,
        "What is verified, scenarios of 7 steps",
        |group| group.verification.as_str().to_owned(),
    );
    let aims = aims(table);
    if !aims.is_empty() {
        let _ = writeln!(out, "Aims");
        for aim in &aims {
            let _ = writeln!(out, "  {}  {}: {}", aim.mark(), aim.what, aim.is);
        }
        let _ = writeln!(out);
    }
    let per_second = as_f64(table.requests) / table.seconds.max(0.001);
    let _ = writeln!(
        out,
        "{} requests in {:.1} s: {per_second:.0} a second.",
        table.requests, table.seconds
    );
    out
}

fn rates(out: &mut String) {
    let _ = writeln!(
        out,
        "Assumed rates of faults in a turn (edits alone for stale_edit), and of mending one"
    );
    for name in ["7b", "14b"] {
        let Some(profile) = Profile::named(name) else {
            continue;
        };
        let all = Fault::ALL.map(|fault| format!("{} {:.4}", fault.as_str(), profile.rate(fault)));
        let _ = writeln!(out, "  {name:4} {}, fix {}", all.join(", "), profile.fix);
    }
    let _ = writeln!(
        out,
        "  coder7b-ollama: every call is typed as text. only_X: one fault at 0.25. Large plans: three times the rates.\n"
    );
}

fn main_block(out: &mut String, group: &Group, trials: &[Trial]) {
    if trials.is_empty() {
        return;
    }
    let all = Score::of(trials);
    let _ = writeln!(
        out,
        "{} with {} ({} trials)",
        group.client,
        group.profile,
        trials.len()
    );
    for steps in LENGTHS {
        let score = of_length(trials, steps);
        if score.completion.of > 0 {
            let _ = writeln!(
                out,
                "  {steps:2} steps     completed {:34} false done {:34} requests {}  over fewest {}",
                score.completion.to_string(),
                score.false_done.to_string(),
                number(score.requests, 1),
                number(score.overhead, 2)
            );
        }
    }
    for (is_held_out, name) in [(false, "shown"), (true, "held out")] {
        let part = Score::of(
            trials
                .iter()
                .filter(|trial| trial.scenario.held_out == is_held_out),
        );
        if part.completion.of > 0 {
            let _ = writeln!(out, "  {name:8}     completed {}", part.completion);
        }
    }
    let line = |out: &mut String, name: &str, rate: Rate| {
        if rate.of > 0 {
            let _ = writeln!(out, "  {name:32} {rate}");
        }
    };
    line(out, "decomposition", all.decomposition);
    line(out, "decomposition at the first try", all.first_plans);
    line(out, "context extraction", all.extraction);
    line(out, "records made without the model", all.inferred);
    line(out, "facts at hand when needed", all.recall);
    line(out, "facts sent that are needed", all.precision);
    line(out, "impossible: asked or given up", all.right_ends);
    line(out, "requests over the window", all.over_window);
    let _ = writeln!(
        out,
        "  tasks for each completion {}, questions for each trial {} (needless {}), bytes for each step {}, largest request {} bytes, {} ms a trial",
        number(all.tasks_per_completion, 1),
        number(all.questions, 2),
        number(all.needless, 2),
        number(all.bytes_per_step, 0),
        all.largest,
        number(all.elapsed_ms, 0)
    );
    if group.client == "planwright" {
        misses(out, trials);
    }
    let _ = writeln!(out);
}

/// Lists the first trials that ended incorrectly, and what happened in each.
fn misses(out: &mut String, trials: &[Trial]) {
    const MAX_TRIALS: usize = 8;
    let is_miss = |trial: &&Trial| match trial.scenario.end {
        RightEnd::Done => !is_completed(trial),
        RightEnd::AskedOrGivenUp => trial.played.end == End::Done,
    };
    for trial in trials.iter().filter(is_miss).take(MAX_TRIALS) {
        let made = trial.notes.iter().filter_map(|noted| {
            let (fault, step) = (noted.fault?, noted.step.as_deref().unwrap_or("plan"));
            Some(format!("{step} {}", fault.as_str()))
        });
        let made: Vec<String> = made.collect();
        let why: String = trial.played.why.chars().take(160).collect();
        let wrong: String = trial.wrong.join("; ").chars().take(200).collect();
        let _ = writeln!(
            out,
            "  {} seed {}: {:?} {why} | {wrong} | faults: {}",
            trial.scenario.id,
            trial.seed,
            trial.played.end,
            made.join(", ")
        );
    }
}

fn lines(
    out: &mut String,
    table: &Table,
    part: Part,
    title: &str,
    name: impl Fn(&Group) -> String,
) {
    if table.of(part).all(|(_, trials)| trials.is_empty()) {
        return;
    }
    let _ = writeln!(out, "{title}");
    for (group, trials) in table.of(part) {
        let score = Score::of(trials);
        let _ = writeln!(
            out,
            "  {:10} {:16} completed {:34} false done {:34} over fewest {}",
            group.client,
            name(group),
            score.completion.to_string(),
            score.false_done.to_string(),
            number(score.overhead, 2)
        );
    }
    let _ = writeln!(out);
}

fn singles(out: &mut String, table: &Table) {
    if table.of(Part::Single).all(|(_, trials)| trials.is_empty()) {
        return;
    }
    let _ = writeln!(
        out,
        "One kind of fault at 0.25 a turn, scenarios of 7 steps"
    );
    for (group, trials) in table.of(Part::Single) {
        let score = Score::of(trials);
        let all = score.recovery.values().next().copied().unwrap_or_default();
        let _ = writeln!(
            out,
            "  {:10} {:20} went on {:34} (within 3 more {}, later {}, asked {}, given up {}, lost {})  completed {}",
            group.client,
            group.profile,
            all.rate().to_string(),
            all.few,
            all.later,
            all.asked,
            all.given_up,
            all.lost,
            score.completion
        );
    }
    let _ = writeln!(out);
}

fn strategies(out: &mut String, table: &Table) {
    if table
        .of(Part::Strategy)
        .all(|(_, trials)| trials.is_empty())
    {
        return;
    }
    let _ = writeln!(out, "Upfront and iterative");
    for (group, trials) in table.of(Part::Strategy) {
        for steps in LENGTHS {
            let score = of_length(trials, steps);
            let _ = writeln!(
                out,
                "  {:10} {steps:2} steps  completed {:34} requests {}  bytes for each step {}",
                name(group.planning),
                score.completion.to_string(),
                number(score.requests, 1),
                number(score.bytes_per_step, 0)
            );
        }
        misses(out, trials);
    }
    let _ = writeln!(out);
}

fn name(planning: Planning) -> &'static str {
    match planning {
        Planning::Upfront => "upfront",
        Planning::Iterative => "iterative",
    }
}

pub(super) fn number(number: Option<f64>, digits: usize) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.digits$}"))
}

/// The report as one JSON object.
#[must_use]
pub fn json(table: &Table, options: &Options) -> Value {
    let groups: Vec<Value> = table
        .groups
        .iter()
        .filter(|(_, trials)| !trials.is_empty())
        .map(|(group, trials)| told(group, trials))
        .collect();
    let aims: Vec<Value> = aims(table)
        .iter()
        .map(|aim| json!({"what": aim.what, "is": aim.is, "met": aim.is_met}))
        .collect();
    let mut assumed = Map::new();
    for name in ["7b", "14b"] {
        if let Some(profile) = Profile::named(name) {
            let rates: Map<String, Value> = Fault::ALL
                .into_iter()
                .map(|fault| (fault.as_str().to_owned(), json!(profile.rate(fault))))
                .collect();
            assumed.insert(name.to_owned(), json!({"rates": rates, "fix": profile.fix}));
        }
    }
    json!({
        "note": if options.place.is_some() { REAL } else { NOTE },
        "is_simulated": options.place.is_none(),
        "assumed": assumed,
        "seeds": options.seeds,
        "seconds": table.seconds,
        "requests": table.requests,
        "groups": groups,
        "aims": aims,
    })
}

fn told(group: &Group, trials: &[Trial]) -> Value {
    let by_length: Map<String, Value> = LENGTHS
        .into_iter()
        .filter(|steps| trials.iter().any(|trial| trial.scenario.length() == *steps))
        .map(|steps| (steps.to_string(), of_length(trials, steps).json()))
        .collect();
    let mut by_scenario = Map::new();
    for trial in trials {
        let id = trial.scenario.id;
        if !by_scenario.contains_key(id) {
            let of_one = Score::of(trials.iter().filter(|other| other.scenario.id == id));
            let rate = if of_one.completion.of > 0 {
                of_one.completion
            } else {
                of_one.right_ends
            };
            by_scenario.insert(id.to_owned(), rate.json());
        }
    }
    json!({
        "part": format!("{:?}", group.part).to_lowercase(),
        "client": group.client,
        "profile": group.profile,
        "scale": group.scale,
        "server": format!("{:?}", group.flavour).to_lowercase(),
        "planning": name(group.planning),
        "verification": group.verification.as_str(),
        "trials": trials.len(),
        "all": Score::of(trials).json(),
        "steps": by_length,
        "scenarios": by_scenario,
    })
}
