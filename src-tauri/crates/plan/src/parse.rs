//! Parses text into a plan.
//!
//! There are four linear passes: the dialect ([`dialect::detect`]), the Markdown blocks with their
//! items ([`blocks`]), the values of each task's keys ([`values`]), and the references between
//! tasks ([`references`]). None of them can fail; anything unexpected is reported as a [`Problem`].
//! For large texts, the second and third passes run on two halves in parallel ([`halves`]).

mod blocks;
mod decisions;
mod goal;
mod halves;
mod items;
mod references;
mod sections;
mod values;

pub(crate) use decisions::{Answer, read_record, split_id};
pub(crate) use references::{check_references, is_reference_problem};
pub(crate) use values::{arrow, is_known_key};

use crate::dialect::{self, heading_steps::HeadingSteps};
use crate::front;
use crate::lines::Lines;
use crate::model::{Dialect, FrontMatter, Plan, Problem};

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A fragment of a plan that was parsed on its own.
#[derive(Debug)]
pub(crate) struct FragmentParse {
    pub(crate) plan: Plan,
    /// Problems of single tasks: first those of items, in order, then those of values.
    pub(crate) problems: Vec<Problem>,
    /// The offsets of headings outside of lists and quotes.
    pub(crate) headings: Vec<usize>,
}

/// Parses a fragment that starts at the top level, by the rules of the whole plan: tasks with their
/// own content, headings and their sections. References between tasks are not checked. `above` is
/// the number of top-level tasks before it, from which positional ids continue.
pub(crate) fn parse_fragment(text: &str, dialect: Dialect, above: usize) -> FragmentParse {
    let lines = Lines::of(text);
    let mut problems = Vec::new();
    let rules = dialect::rules(dialect);
    let heading_steps = match dialect {
        Dialect::Headings => HeadingSteps::of(text, 0),
        _ => None,
    };
    let by = (rules, heading_steps.as_ref());
    let found = halves::parse_whole(text, 0, above, &lines, by, &mut problems);
    let preamble = 0..found.preamble_end(text, 0);
    let plan = Plan {
        dialect,
        front: FrontMatter::default(),
        stated_goal: goal::stated(&text[preamble.clone()]),
        preamble,
        title: found.title,
        requirements: found.requirements,
        tasks: found.tasks,
        decisions: found.decisions,
        decisions_section: found.decisions_section,
        line_ending: lines.ending,
    };
    FragmentParse {
        plan,
        problems,
        headings: found.headings,
    }
}

/// Parses a plan. Never fails; the problems are sorted by line.
pub fn parse(text: &str) -> (Plan, Vec<Problem>) {
    parse_split(text, halves::middle)
}

/// Parses a plan, in two halves if `middle` returns an offset to split at. `middle` gets the text
/// and the offset where its Markdown starts.
fn parse_split(
    text: &str,
    middle: impl FnOnce(&str, usize) -> Option<usize>,
) -> (Plan, Vec<Problem>) {
    let lines = Lines::of(text);
    let mut problems = Vec::new();
    let start = if text.starts_with(BYTE_ORDER_MARK) {
        BYTE_ORDER_MARK.len_utf8()
    } else {
        0
    };
    let (front, body) = front::read(text, start, &lines, &mut problems);
    let todos = match front.version {
        Some(_) => Vec::new(),
        None => dialect::todos::read(text, &front, &lines),
    };
    let (rules, heading_steps) = match todos.is_empty() {
        true => dialect::detect(text, body, front.version.is_some()),
        false => (dialect::rules(Dialect::Todos), None),
    };
    let of_front = problems.len();
    let mut found = middle(text, body)
        .and_then(|near| halves::parse_halves(text, body, near, &lines, rules, &mut problems))
        .unwrap_or_else(|| {
            let by = (rules, heading_steps.as_ref());
            halves::parse_whole(text, body, 0, &lines, by, &mut problems)
        });
    if rules.dialect == Dialect::Todos {
        // In such plans, other programs treat boxes in the body as notes.
        problems.truncate(of_front);
        found.tasks = todos;
        found.tasks_heading = Some(text.len());
    }
    let preamble = body..found.preamble_end(text, body);
    let mut plan = Plan {
        dialect: rules.dialect,
        front,
        stated_goal: goal::stated(&text[preamble.clone()]),
        preamble,
        title: found.title,
        requirements: found.requirements,
        tasks: found.tasks,
        decisions: found.decisions,
        decisions_section: found.decisions_section,
        line_ending: lines.ending,
    };
    if rules.has_prose {
        dialect::prose_dependencies::fill(&mut plan);
    }
    references::check(text, &mut plan, &mut problems);
    problems.sort_by_key(|problem| problem.line);
    (plan, problems)
}
