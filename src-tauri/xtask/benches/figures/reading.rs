//! P1, the time to parse and check a plan; and the time to check a typical plan without starting a
//! process.

use std::error::Error;
use std::fmt::Write as _;
use std::time::Duration;

use adequacy::{CheckInput, PlanDepth, Report, WorkspaceFacts};
use plan::{Plan, Problem};
use pulldown_cmark::{Options, Parser};

use crate::{Figure, median};

const RUNS: usize = 15;

/// Measures P1 with its two ratios, and checking a plan of 200 tasks.
pub(crate) fn measure() -> Result<Vec<Figure>, Box<dyn Error>> {
    let text = plan_text(10_000);
    let (read, problems) = plan::parse(&text);
    if read.tasks.len() != 10_000 || !problems.is_empty() {
        let (tasks, first) = (read.tasks.len(), problems.first());
        return Err(format!("the generated plan was parsed as {tasks} tasks, {first:?}").into());
    }
    // Uses the same options as the plan parser: tables and source positions.
    let bare = median(RUNS, || {
        let events = Parser::new_ext(&text, Options::ENABLE_TABLES).into_offset_iter();
        events.map(|(_, range)| range.end).max()
    });
    let both = median(RUNS, || {
        let (plan, problems) = plan::parse(&text);
        let report = judge(&plan, &problems);
        (plan, problems, report)
    });
    let judging = median(RUNS, || judge(&read, &problems));

    let ordinary = plan_text(200);
    let check = median(RUNS, || -> Result<Report, plan::source::SourceError> {
        let (plan, problems) = plan::parse(plan::source::decode(ordinary.as_bytes())?);
        Ok(judge(&plan, &problems))
    });
    let size = text.len() / 1_000;
    Ok(vec![
        Figure::time(
            format!("P1 parse + adequacy, 10,000 tasks, {size} kB"),
            both,
            Duration::from_millis(50),
        ),
        Figure::ratio("P1 … of which adequacy", judging, both, 0.5),
        Figure::ratio("P1 … compared with plain Markdown parsing", both, bare, 4.0),
        Figure::time(
            "check in-process, 200 tasks",
            check,
            Duration::from_millis(5),
        ),
    ])
}

fn judge(plan: &Plan, problems: &[Problem]) -> Report {
    adequacy::check(&CheckInput {
        requirements: &[],
        plan,
        problems,
        goal: None,
        depth: PlanDepth::Standard,
        scope: &[],
        before: None,
        facts: &WorkspaceFacts::default(),
        has_model: false,
    })
}

/// A typical plan with a few hundred bytes per task: all common fields, some prose, some completed
/// steps, covered requirements.
pub(crate) fn plan_text(tasks: usize) -> String {
    let mut text = String::from(
        "---\nplanwright: 1\nid: figures\ngoal: Move every report to the new row format\n---\n\
         # Move every report to the new row format\n\nOne module after the other.\n\n## Requirements\n",
    );
    for number in 1..=20 {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            text,
            "- R{number} Reports of kind {number} keep their columns"
        );
    }
    text.push_str("\n## Tasks\n");
    for number in 1..=tasks {
        let marker = if number % 10 == 1 { 'x' } else { ' ' };
        let module = number % 97;
        let _ = writeln!(
            text,
            "- [{marker}] **T{number}** Move report {number} of module {module}"
        );
        match number % 4 {
            0 => text.push_str("  The columns stay in their order; empty ones are kept.\n"),
            1 => {
                let _ = writeln!(text, "  - covers: R{}", number % 20 + 1);
            }
            2 => {
                let _ = writeln!(
                    text,
                    "  - accept: the output of report {number} is unchanged"
                );
            }
            _ => {
                let _ = writeln!(text, "  - depends: T{}", number - 1);
            }
        }
        let _ = writeln!(text, "  - files: `src/m{module}/r{number}.py`");
        let _ = writeln!(text, "  - verify: `make r{number}`");
    }
    text
}
