//! The units by which substance is measured, and how each word is used in them.

use plan::{Mark, ToolName};

use crate::idle::tools;
use crate::plan_context::{PlanContext, Step, paths};
use crate::terms::{self, Kind, Term};
use crate::verification::can_fail;

/// A step, or a heading with all its steps, because the same steps often repeat under each heading
/// ("run the test").
#[derive(Default)]
pub(super) struct Unit {
    /// The unit's first line.
    pub(super) line: u32,
    /// Indices of the unit's tasks in the plan.
    pub(super) tasks: Vec<usize>,
    /// The unit's distinct words. A word is a name if it is used as one anywhere in the unit.
    pub(super) said: Vec<(Term, Kind)>,
    /// Words that occur only in `files:`, calls and checks. They say where something is done and
    /// how it is checked, but little about how it is done.
    pub(super) beside: Vec<Term>,
    /// Words that occur only in paths within the text.
    pub(super) in_paths: Vec<Term>,
    /// Words of the enclosing groups.
    pub(super) above: Vec<Term>,
    /// Whether calls specify the exact change.
    pub(super) is_exact: bool,
}

/// The units of a plan, made from every `every`th step, without idle steps.
pub(super) fn units(context: &PlanContext<'_>, idle: &[usize], every: usize) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::with_capacity(context.steps.len() / every + 1);
    let mut open = None;
    let is_left_out = |step: &&Step<'_>| idle.binary_search(&step.index).is_ok();
    let steps = context.steps.iter().step_by(every);
    for step in steps.filter(|step| !is_left_out(step)) {
        let parent = step.task.parent.map(|at| (at, &context.plan.tasks[at]));
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
        unit.tasks.push(step.index);
        let mut above = step.task.parent;
        while let Some(at) = above {
            let group = &context.plan.tasks[at];
            terms::of(&group.title, None, &mut |term, _, _| unit.above.push(term));
            above = group.parent;
        }
        let checks = step.task.verify.iter().filter(|_| step.runs_check);
        let is_only = step.task.verify.len() == 1;
        let checks = checks.filter(|command| is_only || can_fail(command));
        let checks = checks.map(String::as_str);
        paths(step.task)
            .chain(checks)
            .for_each(|text| unit.take_beside(text));
        unit.is_exact |= tools(step).any(changes);
    }
    units.iter_mut().for_each(Unit::deduplicate);
    units
}

impl Unit {
    fn take(&mut self, text: &str) {
        terms::of(text, None, &mut |term, kind, _| {
            self.said.push((term, kind))
        });
        let runs = text.split_whitespace().filter(|run| names_file(run));
        for run in runs {
            terms::of(run, None, &mut |term, _, _| self.in_paths.push(term));
        }
    }

    fn take_beside(&mut self, text: &str) {
        terms::of(text, None, &mut |term, _, _| self.beside.push(term));
    }

    /// Keeps each word only once, in the role that has the most weight.
    fn deduplicate(&mut self) {
        let in_paths = &mut self.in_paths;
        in_paths.sort_unstable();
        let said = &mut self.said;
        said.sort_unstable_by_key(|(term, kind)| (*term, std::cmp::Reverse(*kind)));
        let all: Vec<Term> = said.iter().map(|(term, _)| *term).collect();
        said.dedup_by_key(|(term, _)| *term);
        if !in_paths.is_empty() {
            said.retain(|(term, _)| times(&all, *term) > times(in_paths, *term));
        }
        let is_said = |term: &Term| said.binary_search_by_key(term, |(term, _)| *term).is_ok();
        in_paths.dedup();
        in_paths.retain(|term| !is_said(term));
        self.beside.sort_unstable();
        self.beside.dedup();
        let is_known = |term: &Term| is_said(term) || in_paths.binary_search(term).is_ok();
        self.beside.retain(|term| !is_known(term));
    }
}

/// Number of occurrences of a word in a sorted list.
fn times(list: &[Term], term: Term) -> usize {
    list.partition_point(|other| *other <= term) - list.partition_point(|other| *other < term)
}

/// Whether a token is a path, or a file name with an extension.
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

/// Whether a call writes file content.
fn changes(tool: ToolName) -> bool {
    !tool.is_read_only() && tool != ToolName::RunCommand
}
