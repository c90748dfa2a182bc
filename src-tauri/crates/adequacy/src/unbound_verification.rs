//! `unbound_verification`: steps that change something that is checked neither by the step itself
//! nor by a later one. A plan without any check gets the plan code `missing_plan_verification`
//! instead.

use std::collections::{HashMap, HashSet};

use plan::{By, Dialect, Plan, Task, TaskKind};

use crate::code::{Code, Severity};
use crate::dimensions;
use crate::mend::{Fix, Mend};
use crate::plan_context::{PlanContext, Step};
use crate::prerequisites::order;
use crate::report::{Finding, place, place_first, quoted};
use crate::safeguards::Subject;
use crate::task_text::says_check;
use crate::verbs::{WorkKind, is_check};
use crate::verification::{has_own_check, text_or_command_matches};

/// One finding for each run of unchecked steps, on the last step of the run.
pub(crate) fn findings(context: &PlanContext<'_>) -> Vec<Finding> {
    const MAX_FINDINGS: usize = 5;
    // Other formats have no `verify:`; their checks are in headings or prose.
    if context.plan.dialect != Dialect::Native {
        return Vec::new();
    }
    let is_bare: Vec<bool> = context
        .steps
        .iter()
        .map(|step| changes(context.plan, step))
        .collect();
    // If no step depends on another, no check does either; the missing dependencies have their own
    // finding.
    let is_free = |step: &Step<'_>| step.task.depends.as_ref().is_some_and(Vec::is_empty);
    if !is_bare.contains(&true) || context.steps.iter().all(is_free) {
        return Vec::new();
    }
    let checkers: Vec<&Step<'_>> = context.steps.iter().filter(|step| checks(step)).collect();
    let has_any = !checkers.is_empty() || context.steps.iter().any(|step| step.is_proved);
    if !has_any {
        return Vec::new();
    }
    let checks = Checks::of(context, &checkers);
    let mut runs: Vec<(&Step<'_>, &Step<'_>)> = Vec::new();
    let mut is_open = false;
    for (step, is_bare) in context.steps.iter().zip(is_bare) {
        if !is_bare {
            // A documentation step between two changes does not check the first change.
            is_open &= !step.is_proved && !is_check(&step.task.title);
            continue;
        }
        if checks.cover(step) {
            is_open = false;
            continue;
        }
        match runs.last_mut().filter(|_| is_open) {
            Some((_, last)) => *last = step,
            None => runs.push((step, step)),
        }
        is_open = true;
    }
    runs.into_iter()
        .take(MAX_FINDINGS)
        .map(|(first, last)| finding(context, first, last))
        .collect()
}

/// Whether a step changes code or data without mentioning a check.
fn changes(plan: &Plan, step: &Step<'_>) -> bool {
    const SMALL: u8 = 2;
    let task = step.task;
    if step.is_proved || task.by == By::Person || task.skipped.is_some() {
        return false;
    }
    let doing = WorkKind::of(&task.title);
    let is_change = match doing {
        WorkKind::Create | WorkKind::Change => {
            task.files.is_empty() || task.files.iter().any(|path| !is_prose(path))
        }
        WorkKind::Other => task.files.iter().any(|path| is_code(path)),
        WorkKind::Check | WorkKind::Inform => false,
    };
    is_change
        && task.complexity.is_none_or(|size| size > SMALL)
        && !is_about_words(&task.title)
        && !task.files.iter().any(|path| says_check(path))
        && !text_or_command_matches(step.task, &step.text, says_check)
        && !is_check(&task.title)
        && !is_in_checked_group(plan, task)
}

fn is_in_checked_group(plan: &Plan, task: &Task) -> bool {
    let mut parent = task.parent;
    while let Some(group) = parent.and_then(|at| plan.tasks.get(at)) {
        if has_own_check(group) {
            return true;
        }
        parent = group.parent;
    }
    false
}

fn extension(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    Some(name.rsplit_once('.')?.1)
}

/// Whether a file is documentation or media, which people check by looking at it.
fn is_prose(path: &str) -> bool {
    let Some(extension) = extension(path.trim()) else {
        return false;
    };
    matches!(
        extension,
        "md" | "mdx"
            | "txt"
            | "rst"
            | "adoc"
            | "svg"
            | "png"
            | "jpg"
            | "jpeg"
            | "gif"
            | "ico"
            | "pdf"
            | "csv"
    )
}

fn is_code(path: &str) -> bool {
    extension(path.trim()).is_some_and(|extension| {
        !is_prose(path)
            && extension.len() <= 5
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Whether a title is about documentation, comments, spelling or commits.
fn is_about_words(title: &str) -> bool {
    const WORDS: [&str; 17] = [
        "changelog",
        "readme",
        "docs",
        "documentation",
        "guide",
        "handbook",
        "manual",
        "comment",
        "comments",
        "commit",
        "typo",
        "typos",
        "wording",
        "license",
        "licence",
        "tutorial",
        "faq",
    ];
    title
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// Whether a step can check the work of earlier steps.
fn checks(step: &Step<'_>) -> bool {
    step.is_proved
        || is_check(&step.task.title)
        || dimensions::runs_command(&step.task.title)
        || WorkKind::of(&step.task.title) == WorkKind::Check
}

/// The checks of a plan, and the steps that they cover.
struct Checks {
    /// For each task, whether an unrestricted check depends on it.
    is_covered: Vec<bool>,
    /// For each name that occurs in a check of particular files, the last such check.
    last: HashMap<String, usize>,
    /// Names that occur in tests. A test covers the thing that it names wherever it is in the plan,
    /// because tests may be written first.
    tested: HashSet<String>,
    /// For each task, whether any check depends on it.
    is_followed: Vec<bool>,
}

impl Checks {
    fn of(context: &PlanContext<'_>, checkers: &[&Step<'_>]) -> Self {
        let count = context.plan.tasks.len();
        let mut checks = Self {
            is_covered: vec![false; count],
            last: HashMap::new(),
            tested: HashSet::new(),
            is_followed: vec![false; count],
        };
        let (mut covers, mut follows) = (vec![false; count], vec![false; count]);
        for step in checkers {
            follows[step.index] = true;
            if is_for_certain_files(step.task) {
                for name in Subject::of(step.task, &step.text).into_names() {
                    checks.last.insert(name, step.index);
                }
            } else {
                covers[step.index] = true;
            }
            if is_check(&step.task.title) {
                for name in Subject::of_title(step.task).into_names() {
                    checks.tested.insert(name);
                }
            }
        }
        // A manual check at a checkpoint covers all steps before it.
        for (index, task) in context.plan.leaves() {
            if task.kind == TaskKind::Checkpoint && task.confirm && is_check(&task.title) {
                covers[index] = true;
                follows[index] = true;
            }
        }
        let graph = context.graph();
        for at in order(graph, count).into_iter().rev() {
            let (covers, follows) = (
                covers[at] || checks.is_covered[at],
                follows[at] || checks.is_followed[at],
            );
            if !follows {
                continue;
            }
            for prior in graph.waits_for(at) {
                checks.is_covered[*prior] |= covers;
                checks.is_followed[*prior] = true;
            }
        }
        checks
    }

    fn cover(&self, step: &Step<'_>) -> bool {
        if self.is_covered[step.index]
            || (self.is_followed[step.index] && step.task.files.is_empty())
        {
            return true;
        }
        let is_followed = self.is_followed[step.index];
        Subject::of(step.task, &step.text).into_names().any(|name| {
            let is_behind = is_followed && self.last.get(&name).is_some_and(|at| *at > step.index);
            is_behind || self.tested.contains(&name)
        })
    }
}

/// Whether a check names particular files and therefore covers only those.
fn is_for_certain_files(task: &Task) -> bool {
    let names_file = |line: &String| {
        line.split_whitespace()
            .any(|word| word.contains('/') || is_code(word))
    };
    !task.files.is_empty() || task.verify.iter().any(names_file)
}

fn finding(context: &PlanContext<'_>, first: &Step<'_>, last: &Step<'_>) -> Finding {
    let task = last.task;
    let here = place_first(task);
    let message = if first.index == last.index {
        format!(
            "{here} changes something that neither it nor a later step checks: add a `verify:` command, or \
             an acceptance criterion in `accept:`."
        )
    } else {
        format!(
            "{} to {} change something that no later step checks: add a `verify:` command to \
             {}, or a step that tests them.",
            place_first(first.task),
            place(task),
            place(task)
        )
    };
    Finding::for_task(
        task,
        last.text.identity(),
        Code::UnboundVerification,
        Severity::Minor,
    )
    .with_message(message)
    .with_question(format!(
        "How will you check {} ({})?",
        place(task),
        quoted(&task.title)
    ))
    .with_fixes(add_project_check(context, task))
}

/// The project's own check as a `verify:` line; empty if no such check is known.
pub(crate) fn add_project_check(context: &PlanContext<'_>, task: &Task) -> Vec<Fix> {
    let command = context.input.facts.commands.first();
    let fix = command.map(|command| {
        Fix::of(
            format!("Check {} with `{command}`", place(task)),
            Mend::AddValue {
                task: task.id.clone(),
                key: "verify".to_owned(),
                value: command.clone(),
            },
        )
    });
    fix.into_iter().collect()
}
