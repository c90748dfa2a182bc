//! Fixes for the plan as a whole, offered only if they solve the problem completely: a split is
//! offered to a plan with too few steps only if it results in enough steps.

use plan::edit::Place;
use plan::{IdOrigin, Task, TaskId, TaskKind};

use crate::coverage::capitalized;
use crate::mend::{Fix, Mend};
use crate::oversized;
use crate::plan_context::{PlanContext, Step};
use crate::report::{place, quoted};
use crate::task_text::says_check;
use crate::terms::{self, Kind, Term};
use crate::unbound_verification::add_project_check;

fn is_only(context: &PlanContext<'_>, task: &Task) -> bool {
    context
        .index_of(task.id.as_str())
        .is_some_and(|index| context.plan.tasks[index].line == task.line)
}

/// The last step that names a file or, if none does, the last step. Ignores steps whose id occurs
/// earlier in the plan.
fn last_work<'r, 'a>(context: &'r PlanContext<'a>) -> Option<&'r Step<'a>> {
    let is_open = |step: &&Step<'_>| is_only(context, step.task);
    let links = |step: &&Step<'_>| is_open(step) && step.is_linked;
    context
        .steps
        .iter()
        .rev()
        .find(links)
        .or_else(|| context.steps.iter().rev().find(is_open))
}

pub(crate) fn verification(context: &PlanContext<'_>) -> (Option<String>, Vec<Fix>) {
    let Some(last) = last_work(context) else {
        return (None, Vec::new());
    };
    let question = "How will you check that the result is right?".to_owned();
    (Some(question), add_project_check(context, last.task))
}

/// Fixes that add the missing number of steps, by splitting existing steps or adding new ones.
pub(crate) fn more_steps(context: &PlanContext<'_>, missing: usize) -> Vec<Fix> {
    let mut fixes = Vec::new();
    let mut steps: Vec<&Step<'_>> = context
        .steps
        .iter()
        .filter(|step| is_only(context, step.task))
        .collect();
    steps.sort_by_key(|step| std::cmp::Reverse((step.complexity, step.task.title.len())));
    const MAX_TRIES: usize = 20;
    for step in steps.iter().take(MAX_TRIES) {
        if oversized::parts(&step.task.title).len() > missing
            && let Some(fix) = oversized::split(context, step.task)
        {
            fixes.push(fix);
            break;
        }
    }
    // One step for each part of the goal that no step addresses, plus a check.
    let said = said(context);
    let mut mends: Vec<Mend> = Vec::new();
    let mut names = Vec::new();
    let at_end = context.plan.tasks.iter().rev().find(|task| task.depth == 0);
    let mut place = at_end.map_or(Place::First, |task| Place::After(task.id.clone()));
    for part in &context.asked.requirements {
        if context.asked.requirements.len() < 2
            || is_said(&part.text, &said)
            || says_check(&part.text)
        {
            continue;
        }
        let handle = TaskId::from(format!("+{}", mends.len() + 1).as_str());
        mends.push(Mend::AddTask {
            handle: handle.clone(),
            place,
            kind: TaskKind::Normal,
            title: capitalized(&part.text),
            fields: Vec::new(),
        });
        names.push(quoted(&part.text));
        place = Place::After(handle);
    }
    if mends.len() >= missing {
        fixes.push(Fix {
            label: format!("Add {} steps: {}", mends.len(), names.join(", ")),
            mends,
        });
    }
    fixes
}

fn said(context: &PlanContext<'_>) -> Vec<Term> {
    let mut said = Vec::new();
    for step in &context.steps {
        terms::of(step.text.all(), None, &mut |term, _, _| said.push(term));
    }
    said.sort_unstable();
    said.dedup();
    said
}

fn is_said(text: &str, said: &[Term]) -> bool {
    let mut any = false;
    terms::of(text, None, &mut |term, kind, _| {
        any |= kind != Kind::Common && said.binary_search(&term).is_ok();
    });
    any
}

/// Dependencies that follow from files and words: a step depends on the nearest earlier step that
/// names the same file; a check without such a step depends on the one that its title resembles
/// most. `None` if nothing follows.
pub(crate) fn edges(context: &PlanContext<'_>) -> Option<Fix> {
    const MAX_STEPS: usize = 40;
    let steps: Vec<&Step<'_>> = context
        .steps
        .iter()
        .filter(|step| is_only(context, step.task) && step.task.id_origin == IdOrigin::Written)
        .take(MAX_STEPS)
        .collect();
    let mut mends = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let shares = |other: &&&Step<'_>| {
            other
                .task
                .files
                .iter()
                .any(|file| step.task.files.contains(file))
        };
        let by_file = steps[..at].iter().rev().find(shares);
        let by_check = (says_check(&step.task.title) && at > 0)
            .then(|| best_by_words(step, &steps[..at]))
            .flatten();
        if let Some(before) = by_file.copied().or(by_check) {
            mends.push(Mend::Connect {
                from: before.task.id.clone(),
                to: step.task.id.clone(),
            });
        }
    }
    let first = mends.first()?;
    let label = match first {
        Mend::Connect { from, to } if mends.len() == 1 => {
            format!("Make {to} depend on {from}; the other steps keep their order")
        }
        _ => format!("Add {} dependencies based on files and checks", mends.len()),
    };
    Some(Fix { label, mends })
}

fn best_by_words<'r, 'a>(step: &Step<'a>, before: &[&'r Step<'a>]) -> Option<&'r Step<'a>> {
    let mut own = Vec::new();
    terms::of(&step.task.title, None, &mut |term, kind, _| {
        if kind != Kind::Common {
            own.push(term);
        }
    });
    let shared = |other: &Step<'_>| {
        let mut shared = 0_usize;
        terms::of(&other.task.title, None, &mut |term, _, _| {
            shared += usize::from(own.contains(&term))
        });
        shared
    };
    before
        .iter()
        .copied()
        .map(|other| (shared(other), other))
        .filter(|(shared, _)| *shared > 0)
        .max_by_key(|(shared, _)| *shared)
        .map(|(_, other)| other)
}

/// The question of which step changes the path in the goal, and fixes that link the path to the two
/// steps whose words match it best.
pub(crate) fn links(context: &PlanContext<'_>, path: &str) -> (Option<String>, Vec<Fix>) {
    let mut wanted = Vec::new();
    for text in [path, context.goal.unwrap_or_default()] {
        terms::of(text, None, &mut |term, kind, _| {
            if kind != Kind::Common {
                wanted.push(term);
            }
        });
    }
    const MAX_STEPS: usize = 200;
    let mut steps: Vec<(usize, &Step<'_>)> = context
        .steps
        .iter()
        .take(MAX_STEPS)
        .filter(|step| is_only(context, step.task))
        .map(|step| {
            let mut fits = 0;
            terms::of(step.text.all(), None, &mut |term, _, _| {
                fits += usize::from(wanted.contains(&term))
            });
            (fits, step)
        })
        .collect();
    steps.sort_by_key(|(fits, step)| (std::cmp::Reverse(*fits), step.index));
    let fixes: Vec<Fix> = steps
        .iter()
        .take(2)
        .map(|(_, step)| {
            Fix::of(
                format!("Link `{path}` to {}", place(step.task)),
                Mend::AddValue {
                    task: step.task.id.clone(),
                    key: "files".to_owned(),
                    value: path.to_owned(),
                },
            )
        })
        .collect();
    (Some(format!("Which step changes `{path}`?")), fixes)
}

/// One step for each part of the goal, for an empty plan.
pub(crate) fn first_steps(context: &PlanContext<'_>) -> Option<Fix> {
    const MAX_PARTS: usize = 20;
    let parts = &context.asked.requirements;
    let says_enough = parts.iter().all(|part| part.text.len() >= 12);
    if parts.is_empty()
        || parts.len() > MAX_PARTS
        || context.floor as usize > parts.len()
        || !says_enough
    {
        return None;
    }
    let mut place = Place::First;
    let mut mends = Vec::new();
    for (nth, part) in parts.iter().enumerate() {
        let handle = TaskId::from(format!("+{}", nth + 1).as_str());
        mends.push(Mend::AddTask {
            handle: handle.clone(),
            place,
            kind: TaskKind::Normal,
            title: capitalized(&part.text),
            fields: Vec::new(),
        });
        place = Place::After(handle);
    }
    Some(Fix {
        label: format!("Start with {} taken from the goal", count(parts.len())),
        mends,
    })
}

fn count(steps: usize) -> String {
    if steps == 1 {
        "one step".to_owned()
    } else {
        format!("{steps} steps")
    }
}
