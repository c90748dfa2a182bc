//! Finds steps whose order can't be intended: something is released before it is checked, used
//! before it is created, or removed while it is still needed.

use std::collections::HashMap;
use std::sync::LazyLock;

use plan::{Task, TaskKind, ToolName};
use regex::Regex;

use crate::code::{Code, Severity};
use crate::fixes;
use crate::plan_context::{PlanContext, Step};
use crate::plan_rules::Verdict;
use crate::prerequisites::Prerequisites;
use crate::release_steps::ReleaseSteps;
use crate::report::{Finding, place, place_first, quoted};
use crate::safeguards::Subject;
use crate::spans::words_at;
use crate::task_text::is_real_path;
use crate::verbs::{WorkKind, is_check};

/// Maximum number of steps that are compared with each other.
const MAX_COMPARED: usize = 500;

/// A task that a release may have to wait for.
struct Gate<'a> {
    at: usize,
    task: &'a Task,
    subject: Subject,
}

/// Finds releases that come before a check that they should wait for.
pub(crate) fn releases(context: &PlanContext<'_>, release_steps: &ReleaseSteps) -> Vec<Verdict> {
    let mut releases = release_steps.releases();
    releases.truncate(MAX_COMPARED);
    if releases.is_empty() {
        return Vec::new();
    }
    let gates: Vec<Gate<'_>> = context
        .plan
        .leaves()
        .filter(|(_, task)| is_gate(task))
        .take(MAX_COMPARED)
        .map(|(at, task)| Gate {
            at,
            task,
            subject: Subject::of_title(task),
        })
        .collect();
    if gates.is_empty() {
        return Vec::new();
    }
    let count = context.plan.tasks.len();
    let released = Prerequisites::of(context.graph(), count, releases.clone());
    let checked = Prerequisites::of(
        context.graph(),
        count,
        gates.iter().map(|gate| gate.at).collect(),
    );
    let work = Work::of(context);
    let mut verdicts = Vec::new();
    for release in releases {
        let Some(step) = context.step_at(release) else {
            continue;
        };
        let subject = Subject::of_title(step.task);
        let is_checked = checked.each(release).next().is_some();
        let late = gates
            .iter()
            .filter(|gate| released.has(gate.at, release))
            .find(|gate| {
                let has_work_between = work.is_between(release, gate.at);
                should_precede(&subject, &gate.subject, has_work_between, is_checked)
            });
        let Some(&Gate {
            at: gate,
            task: late,
            ..
        }) = late
        else {
            continue;
        };
        let phrase = release_steps
            .words(context, release)
            .unwrap_or(&step.task.title);
        let message = format!(
            "{} ({}) comes before {} ({}), which should come first: swap their order.",
            place_first(step.task),
            quoted(&step.task.title),
            place(late),
            quoted(&late.title)
        );
        let finding = Finding::for_task(
            step.task,
            step.text.identity(),
            Code::ReleaseBeforeCheck,
            Severity::Major,
        )
        .with_message(message)
        .at(words_at(step.task, phrase))
        .with_question(format!(
            "Should {} depend on {} ({})?",
            place(step.task),
            place(late),
            quoted(&late.title)
        ))
        .with_fixes(fixes::put_after(context, release, gate));
        // The order dimension already accounts for it.
        verdicts.push(Verdict {
            finding,
            factor: 1.0,
        });
    }
    verdicts
}

/// Whether a release may have to wait for a task: a test, a review, a migration or a checkpoint.
fn is_gate(task: &Task) -> bool {
    static AFTERWARDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)(?-u:\b)(?:smoke|monitor\w*|watch|metrics?|logs?|dashboards?|uptime|telemetry|canary|feedback|rollout|rolled out|deployed|deployment|released|published|launched|live|(?:in|on|against|from)\s+(?:the\s+)?(?:prod|production|registry|store)|post-\w+|after\s+(?:the\s+)?(?:deploy\w*|release|launch|publish\w*|merge)|en producción|en production|in produktion|nach dem)(?-u:\b)|生产环境|本番|운영",
        )
        .ok()
    });
    static MIGRATES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)^\W*(?:run|apply|execute|write|create|add|perform)\s+(?:\S+\s+){0,4}migrations?\b").ok()
    });
    if task.is_group() || task.skipped.is_some() {
        return false;
    }
    let looks = match task.kind {
        TaskKind::Normal => {
            is_check(&task.title)
                || MIGRATES
                    .as_ref()
                    .is_some_and(|says| says.is_match(&task.title))
        }
        TaskKind::Checkpoint => task.confirm && is_check(&task.title),
        TaskKind::Decision => false,
    };
    looks
        && !AFTERWARDS
            .as_ref()
            .is_some_and(|says| says.is_match(&task.title) || says.is_match(&task.body))
}

/// Whether a release should wait for this check. It need not if other work comes in between,
/// because the check then belongs to that work, or if the check names another subject.
fn should_precede(
    released: &Subject,
    checked: &Subject,
    has_work_between: bool,
    is_checked: bool,
) -> bool {
    if has_work_between {
        released.shares_name(checked)
    } else {
        !is_checked
            || released.is_unnamed()
            || checked.is_unnamed()
            || released.shares_name(checked)
    }
}

/// Indices of the tasks that create or change something, in ascending order.
struct Work(Vec<usize>);

impl Work {
    fn of(context: &PlanContext<'_>) -> Self {
        let works = |title: &str| {
            matches!(WorkKind::of(title), WorkKind::Create | WorkKind::Change) && !is_check(title)
        };
        let steps = context.steps.iter();
        let working = steps.filter(|step| works(&step.task.title));
        Self(working.map(|step| step.index).collect())
    }

    fn is_between(&self, one: usize, other: usize) -> bool {
        let next = self.0.partition_point(|at| *at <= one);
        self.0.get(next).is_some_and(|at| *at < other)
    }
}

/// Finds steps that use something created only by a later step, or remove something that a later
/// step still migrates away from.
pub(crate) fn inversions(context: &PlanContext<'_>) -> Vec<(usize, Finding)> {
    let mut found = used_before_created(context);
    found.extend(removed_before_migration(context));
    found
}

fn used_before_created(context: &PlanContext<'_>) -> Vec<(usize, Finding)> {
    let mut makers: HashMap<&str, usize> = HashMap::new();
    for step in &context.steps {
        for path in made(step.task) {
            makers.entry(path).or_insert(step.index);
        }
    }
    if makers.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<(usize, &str, usize)> = Vec::new();
    for step in &context.steps {
        let early = used(step.task).find_map(|path| {
            let maker = *makers.get(path)?;
            let is_there = context.input.facts.has_file(path) == Some(true);
            (maker > step.index && !is_there).then_some((path, maker))
        });
        if let Some((path, maker)) = early {
            found.push((step.index, path, maker));
        }
    }
    found.sort_by_key(|(_, _, maker)| *maker);
    found.truncate(MAX_COMPARED);
    let mut marks: Vec<usize> = found.iter().map(|(_, _, maker)| *maker).collect();
    marks.dedup();
    if marks.is_empty() {
        return Vec::new();
    }
    let before = Prerequisites::of(context.graph(), context.plan.tasks.len(), marks);
    found
        .into_iter()
        .filter(|(index, _, maker)| !before.has(*index, *maker))
        .filter_map(|(index, path, maker)| {
            let maker_task = &context.plan.tasks[maker];
            let step = context.step_at(index)?;
            let message = format!(
                "{} works on `{path}`, which only {} creates: make it depend on that step.",
                place_first(step.task),
                place(maker_task)
            );
            Some((index, inverted(context, step, maker, message, path)))
        })
        .collect()
}

fn inverted(
    context: &PlanContext<'_>,
    step: &Step<'_>,
    other: usize,
    message: String,
    words: &str,
) -> Finding {
    Finding::for_task(
        step.task,
        step.text.identity(),
        Code::DepsIncompleteOrOrder,
        Severity::Major,
    )
    .with_message(message)
    .at(words_at(step.task, words))
    .with_fixes(fixes::put_after(context, step.index, other))
}

/// Paths that a step creates, according to its calls or its wording.
fn made(task: &Task) -> impl Iterator<Item = &str> {
    let written = task
        .calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok())
        .filter(|call| call.tool == ToolName::WriteFile)
        .filter_map(|call| call.path());
    let makes = task.title.contains('`') && matches!(WorkKind::of(&task.title), WorkKind::Create);
    let named = makes
        .then(|| file_code_spans(&task.title))
        .into_iter()
        .flatten()
        .take(1);
    written
        .chain(named)
        .map(tidy)
        .filter(|path| is_real_path(path))
}

/// Paths that must exist before a step can work on them.
fn used(task: &Task) -> impl Iterator<Item = &str> {
    let called = task
        .calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok())
        .filter(|call| {
            matches!(
                call.tool,
                ToolName::ReadFile | ToolName::EditFile | ToolName::DeleteFile
            )
        })
        .filter_map(|call| call.path());
    let changes = task.title.contains('`') && matches!(WorkKind::of(&task.title), WorkKind::Change);
    // A file with this name may exist in many folders.
    let named = changes
        .then(|| file_code_spans(&task.title))
        .into_iter()
        .flatten()
        .take(1)
        .filter(|path| path.contains('/'));
    called.chain(named).map(tidy)
}

fn tidy(path: &str) -> &str {
    path.trim().trim_start_matches("./")
}

/// Code spans that look like file names.
pub(crate) fn file_code_spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|word| {
        let name = word.rsplit('/').next().unwrap_or_default();
        let has_extension = name.rsplit_once('.').is_some_and(|(stem, extension)| {
            !stem.is_empty()
                && (1..=5).contains(&extension.len())
                && extension.starts_with(|c: char| c.is_ascii_lowercase())
                && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        has_extension && !word.contains([' ', '(', '*', '{', '<', '$', ':', '~', '@'])
    })
}

fn removed_before_migration(context: &PlanContext<'_>) -> Vec<(usize, Finding)> {
    static TAKES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)^\W*(?:remove|delete|drop|retire|rip\s+out|get\s+rid\s+of)\s+(?:the\s+)?(?:old|legacy|deprecated|previous|former)\b",
        )
        .ok()
    });
    static MOVES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)^\W*(?:move|migrate|switch|port|convert|point|update|change)\s+(?:(?:all|the|every|its|remaining|old|existing)\s+){0,3}(?:callers?|usages?|users|clients?|consumers?|imports?|references?|call\s+sites?|calls)\b",
        )
        .ok()
    });
    let says = |words: &LazyLock<Option<Regex>>, text: &str| {
        words.as_ref().is_some_and(|words| words.is_match(text))
    };
    let is_taking = |step: &&Step<'_>| says(&TAKES, &step.task.title);
    // The first letters show whether the regular expressions can match.
    let starts = |step: &&Step<'_>, letters: &[u8]| {
        let first = step.task.title.bytes().next().unwrap_or_default();
        letters.contains(&first.to_ascii_lowercase())
    };
    let taking: Vec<&Step<'_>> = context
        .steps
        .iter()
        .filter(|step| starts(step, b"rdg"))
        .filter(is_taking)
        .take(MAX_COMPARED)
        .collect();
    if taking.is_empty() {
        return Vec::new();
    }
    let moving: Vec<(&Step<'_>, Subject)> = context
        .steps
        .iter()
        .filter(|step| starts(step, b"mspcu"))
        .filter(|step| says(&MOVES, &step.task.title))
        .take(MAX_COMPARED)
        .map(|step| (step, Subject::of_title(step.task)))
        .collect();
    let marks = taking.iter().map(|step| step.index).collect();
    let before = Prerequisites::of(context.graph(), context.plan.tasks.len(), marks);
    taking
        .into_iter()
        .filter_map(|step| {
            let own = Subject::of_title(step.task);
            let (late, _) = moving.iter().find(|(other, theirs)| {
                before.has(other.index, step.index)
                    && (own.shares_name(theirs) || theirs.is_unnamed())
            })?;
            let message = format!(
                "{} removes what {} ({}) still migrates away from: do that step first.",
                place_first(step.task),
                place(late.task),
                quoted(&late.task.title)
            );
            Some((
                step.index,
                inverted(context, step, late.index, message, &step.task.title),
            ))
        })
        .collect()
}
