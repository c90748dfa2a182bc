//! Text to plan.
//!
//! Four passes, each linear: the dialect ([`dialect::detect`]), the Markdown blocks with their items
//! ([`blocks`]), the values of each task's keys ([`values`]), the references between tasks
//! ([`references`]). None of them can fail; what is odd becomes a [`Problem`]. Large texts go through
//! the second and the third in two halves at once ([`halves`]).

mod blocks;
mod decisions;
mod goal;
mod halves;
mod items;
mod references;
mod sections;
mod values;

pub(crate) use decisions::{Answer, read_record, split_id};
pub(crate) use references::{check_names, is_of_names};
pub(crate) use values::{arrow, is_known_key};

use crate::dialect::{self, headed::Headed};
use crate::front;
use crate::lines::Lines;
use crate::model::{Dialect, FrontMatter, Plan, Problem};

const BYTE_ORDER_MARK: char = '\u{feff}';

/// A part of a plan that was read alone.
#[derive(Debug)]
pub(crate) struct ReadPart {
    pub(crate) plan: Plan,
    /// Those of single tasks, items in order, then values.
    pub(crate) problems: Vec<Problem>,
    /// Where headings stand, outside of lists and quotes.
    pub(crate) headings: Vec<usize>,
}

/// Reads a part of a plan that begins at the top level, by the rules of the whole: tasks with their
/// own words, headings and what stands in their sections. What tasks say about others is not looked
/// at. `above` is how many tasks stand above it at the top level: positional ids go on from there.
pub(crate) fn parse_part(text: &str, dialect: Dialect, above: usize) -> ReadPart {
    let lines = Lines::of(text);
    let mut problems = Vec::new();
    let rules = dialect::rules(dialect);
    let headed = match dialect {
        Dialect::Headings => Headed::of(text, 0),
        _ => None,
    };
    let by = (rules, headed.as_ref());
    let found = halves::in_one_go(text, 0, above, &lines, by, &mut problems);
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
    ReadPart {
        plan,
        problems,
        headings: found.headings,
    }
}

/// Reads a plan. Never fails; the problems come in the order of their lines.
pub fn parse(text: &str) -> (Plan, Vec<Problem>) {
    parse_split(text, halves::middle)
}

/// Reads a plan, in two halves where `middle` answers a place to split at. It is given the text and
/// where its Markdown begins.
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
    let (rules, headed) = match todos.is_empty() {
        true => dialect::detect(text, body, front.version.is_some()),
        false => (dialect::rules(Dialect::Todos), None),
    };
    let of_front = problems.len();
    let mut found = middle(text, body)
        .and_then(|near| halves::in_two(text, body, near, &lines, rules, &mut problems))
        .unwrap_or_else(|| {
            let by = (rules, headed.as_ref());
            halves::in_one_go(text, body, 0, &lines, by, &mut problems)
        });
    if rules.dialect == Dialect::Todos {
        // Boxes below are notes then, as the programs that write such plans read them.
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
        dialect::prose::fill(&mut plan);
    }
    references::check(text, &mut plan, &mut problems);
    problems.sort_by_key(|problem| problem.line);
    (plan, problems)
}
