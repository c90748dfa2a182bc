//! What the steps say, unit by unit, with how each word is said: what substance is measured on.

use plan::{Mark, ToolName};

use crate::reading::{Reading, Step, paths};
use crate::terms::{self, Kind, Term};

/// What is said as one: a step, or a heading with its steps, which are often the same under each ("run the
/// test").
#[derive(Default)]
pub(super) struct Unit {
    /// The line where it begins.
    pub(super) line: u32,
    /// Its words, each once; a name where it is one anywhere.
    pub(super) said: Vec<(Term, Kind)>,
    /// Words that only its paths and checks have: where something is done, and how it is noticed, says little of how
    /// it is done.
    pub(super) beside: Vec<Term>,
    /// Whether calls say to the letter what is changed.
    pub(super) is_exact: bool,
}

/// The units of a plan, of every so many steps. Steps that only look are left out where others do something: what
/// is searched and read says nothing of what is to be done.
pub(super) fn units(reading: &Reading<'_>, every: usize) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::with_capacity(reading.steps.len() / every + 1);
    let mut open = None;
    let works = reading.steps.iter().any(|step| !only_looks(step));
    for step in reading
        .steps
        .iter()
        .step_by(every)
        .filter(|step| !works || !only_looks(step))
    {
        let parent = step.task.parent.map(|at| (at, &reading.plan.tasks[at]));
        let heading = parent.filter(|(_, parent)| parent.mark == Mark::Heading);
        let is_more = heading.is_some() && heading.map(|(at, _)| at) == open;
        open = heading.map(|(at, _)| at);
        if !is_more {
            units.push(Unit {
                line: heading.map_or(step.task.line, |(_, heading)| heading.line),
                ..Unit::default()
            });
        }
        let Some(unit) = units.last_mut() else {
            continue;
        };
        if let Some((_, heading)) = heading.filter(|_| !is_more) {
            unit.take(&heading.title);
            unit.take(&heading.body);
        }
        unit.take(step.text.prose());
        let checks = step.task.verify.iter().map(String::as_str);
        paths(step.task)
            .chain(checks)
            .for_each(|text| unit.take_beside(text));
        unit.is_exact |= tools(step).any(changes);
    }
    units.iter_mut().for_each(Unit::settle);
    units
}

impl Unit {
    fn take(&mut self, text: &str) {
        terms::of(text, None, &mut |term, kind, _| {
            self.said.push((term, kind))
        });
        let runs = text.split_whitespace().filter(|run| names_file(run));
        runs.for_each(|run| self.take_beside(run));
    }

    fn take_beside(&mut self, text: &str) {
        terms::of(text, None, &mut |term, _, _| self.beside.push(term));
    }

    /// Each word once, and in the list of paths where it is nowhere else.
    fn settle(&mut self) {
        let all = &mut self.said;
        all.sort_unstable_by_key(|(term, kind)| (*term, std::cmp::Reverse(*kind)));
        self.beside.sort_unstable();
        let times = |list: &[Term], term: Term| {
            list.partition_point(|other| *other <= term)
                - list.partition_point(|other| *other < term)
        };
        let every: Vec<Term> = all.iter().map(|(term, _)| *term).collect();
        all.dedup_by_key(|(term, _)| *term);
        let is_elsewhere = |term: Term, beside: &[Term]| times(&every, term) > times(beside, term);
        let beside = std::mem::take(&mut self.beside);
        all.retain(|(term, _)| is_elsewhere(*term, &beside));
        self.beside = beside;
        self.beside.dedup();
        self.beside
            .retain(|term| all.binary_search_by_key(term, |(term, _)| *term).is_err());
    }
}

/// Whether a run of letters without blanks is a path, or a file with its ending.
fn names_file(run: &str) -> bool {
    const MAX_ENDING: usize = 4;
    let run = run.trim_matches(|c: char| !c.is_alphanumeric());
    let has_ending = || {
        run.rsplit_once('.').is_some_and(|(name, ending)| {
            !name.is_empty()
                && (1..=MAX_ENDING).contains(&ending.len())
                && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
    };
    run.contains('/') || has_ending()
}

/// The tools that a step calls.
fn tools(step: &Step<'_>) -> impl Iterator<Item = ToolName> {
    let calls = step.task.calls.iter();
    calls.filter_map(|call| Some(call.parsed.as_ref().ok()?.tool))
}

fn only_looks(step: &Step<'_>) -> bool {
    let mut tools = tools(step).peekable();
    tools.peek().is_some() && step.task.verify.is_empty() && tools.all(ToolName::is_read_only)
}

/// Whether a call says what a file is to hold.
fn changes(tool: ToolName) -> bool {
    !tool.is_read_only() && tool != ToolName::RunCommand
}
