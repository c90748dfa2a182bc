//! `unbound_verification`: steps that change something and that nothing checks, neither they
//! themselves nor a step behind them. Where no step of the plan checks anything, the plan code says
//! so; here is for the step that was forgotten among others.

use std::collections::{HashMap, HashSet};

use plan::{By, Dialect, Plan, Task, TaskKind};

use crate::code::{Code, Severity};
use crate::dimensions;
use crate::mend::{Fix, Mend};
use crate::proof::{has_own_check, speaks_of};
use crate::reach::order;
use crate::reading::{Reading, Step};
use crate::recovery::Subject;
use crate::report::{Finding, place, place_first, quoted};
use crate::text::says_check;
use crate::verbs::{Doing, is_check};

/// One finding for each run of such steps, at its last step.
pub(crate) fn findings(reading: &Reading<'_>) -> Vec<Finding> {
    const MOST: usize = 5;
    // Other formats have no `verify:`; there a heading or prose says what checks.
    if reading.plan.dialect != Dialect::Native {
        return Vec::new();
    }
    let is_bare: Vec<bool> = reading
        .steps
        .iter()
        .map(|step| changes(reading.plan, step))
        .collect();
    // Where no step waits for any, no check can; the flat graph is what is wrong then.
    let is_free = |step: &Step<'_>| step.task.depends.as_ref().is_some_and(Vec::is_empty);
    if !is_bare.contains(&true) || reading.steps.iter().all(is_free) {
        return Vec::new();
    }
    let checkers: Vec<&Step<'_>> = reading.steps.iter().filter(|step| checks(step)).collect();
    let has_any = !checkers.is_empty() || reading.steps.iter().any(|step| step.is_proved);
    if !has_any {
        return Vec::new();
    }
    let checks = Checks::of(reading, &checkers);
    let mut runs: Vec<(&Step<'_>, &Step<'_>)> = Vec::new();
    let mut is_open = false;
    for (step, is_bare) in reading.steps.iter().zip(is_bare) {
        if !is_bare {
            // A document between two changes does not check the first.
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
        .take(MOST)
        .map(|(first, last)| finding(reading, first, last))
        .collect()
}

/// Whether a step changes code or data and says nothing of a check.
fn changes(plan: &Plan, step: &Step<'_>) -> bool {
    const TINY: u8 = 2;
    let task = step.task;
    if step.is_proved || task.by == By::Person || task.skipped.is_some() {
        return false;
    }
    let doing = Doing::of(&task.title);
    let is_change = match doing {
        Doing::Create | Doing::Change => {
            task.files.is_empty() || task.files.iter().any(|path| !is_prose(path))
        }
        Doing::Other => task.files.iter().any(|path| is_code(path)),
        Doing::Check | Doing::Tell => false,
    };
    is_change
        && task.complexity.is_none_or(|size| size > TINY)
        && !is_about_words(&task.title)
        && !task.files.iter().any(|path| says_check(path))
        && !speaks_of(step.task, &step.text, says_check)
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

/// A file for readers: its check is a reading.
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

/// Documentation, comments, spelling, what is said to Git.
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

/// Whether a step can check what stands before it.
fn checks(step: &Step<'_>) -> bool {
    step.is_proved
        || is_check(&step.task.title)
        || dimensions::runs_command(&step.task.title)
        || Doing::of(&step.task.title) == Doing::Check
}

/// What is checked where.
struct Checks {
    /// For each task whether a check that is for everything waits for it.
    is_covered: Vec<bool>,
    /// For each name in a check for certain files: where the last such check stands.
    last: HashMap<String, usize>,
    /// The names in tests. A test of the same thing counts wherever it stands: it may come first.
    tested: HashSet<String>,
    /// For each task whether any check waits for it.
    is_followed: Vec<bool>,
}

impl Checks {
    fn of(reading: &Reading<'_>, checkers: &[&Step<'_>]) -> Self {
        let count = reading.plan.tasks.len();
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
        // A pause to look is a check of all that came before it.
        for (index, task) in reading.plan.leaves() {
            if task.kind == TaskKind::Checkpoint && task.confirm && is_check(&task.title) {
                covers[index] = true;
                follows[index] = true;
            }
        }
        let graph = reading.graph();
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

/// Whether a check looks at some files only, by what it names.
fn is_for_certain_files(task: &Task) -> bool {
    let names_file = |line: &String| {
        line.split_whitespace()
            .any(|word| word.contains('/') || is_code(word))
    };
    !task.files.is_empty() || task.verify.iter().any(names_file)
}

fn finding(reading: &Reading<'_>, first: &Step<'_>, last: &Step<'_>) -> Finding {
    let task = last.task;
    let here = place_first(task);
    let message = if first.index == last.index {
        format!(
            "{here} changes something, and neither it nor a step behind it checks that: add a `verify:` \
             command, or say in `accept:` how it is seen."
        )
    } else {
        format!(
            "{} to {} change something, and no step behind them checks that: add a `verify:` command to \
             {}, or a step that tests them.",
            place_first(first.task),
            place(task),
            place(task)
        )
    };
    Finding::on(
        task,
        last.text.identity(),
        Code::UnboundVerification,
        Severity::Minor,
    )
    .saying(message)
    .asking(format!(
        "How will you see that {} ({}) did what it should?",
        place(task),
        quoted(&task.title)
    ))
    .mended_by(checked_by_command(reading, task))
}

/// The project's own check behind a step; none where none is known: what else would show it, a person knows.
pub(crate) fn checked_by_command(reading: &Reading<'_>, task: &Task) -> Vec<Fix> {
    let command = reading.input.facts.commands.first();
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
