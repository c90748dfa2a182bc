//! Steps in an order that cannot be meant: released before it is checked, used before it is made,
//! taken away while others still need it.

use std::collections::HashMap;
use std::sync::LazyLock;

use plan::{Task, TaskKind, ToolName};
use regex::Regex;

use crate::code::{Code, Severity};
use crate::finals::Finals;
use crate::fixes;
use crate::places::words_at;
use crate::plan_rules::Verdict;
use crate::reach::Before;
use crate::reading::{Reading, Step};
use crate::recovery::Subject;
use crate::report::{Finding, place, place_first, quoted};
use crate::text::is_real_path;
use crate::verbs::{Doing, is_check};

/// Steps of a plan that are compared with as many others.
const MOST: usize = 500;

/// A task that can let a release through.
struct Gate<'a> {
    at: usize,
    task: &'a Task,
    subject: Subject,
}

/// A release in front of what should let it through.
pub(crate) fn releases(reading: &Reading<'_>, finals: &Finals) -> Vec<Verdict> {
    let mut releases = finals.releases();
    releases.truncate(MOST);
    if releases.is_empty() {
        return Vec::new();
    }
    let gates: Vec<Gate<'_>> = reading
        .plan
        .leaves()
        .filter(|(_, task)| is_gate(task))
        .take(MOST)
        .map(|(at, task)| Gate {
            at,
            task,
            subject: Subject::of_title(task),
        })
        .collect();
    if gates.is_empty() {
        return Vec::new();
    }
    let count = reading.plan.tasks.len();
    let released = Before::of(reading.graph(), count, releases.clone());
    let checked = Before::of(
        reading.graph(),
        count,
        gates.iter().map(|gate| gate.at).collect(),
    );
    let work = Work::of(reading);
    let mut verdicts = Vec::new();
    for release in releases {
        let Some(step) = reading.step_at(release) else {
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
        let phrase = finals.words(reading, release).unwrap_or(&step.task.title);
        let message = format!(
            "{} ({}) comes before {} ({}), which should let it through: move it behind that.",
            place_first(step.task),
            quoted(&step.task.title),
            place(late),
            quoted(&late.title)
        );
        let finding = Finding::on(
            step.task,
            step.text.identity(),
            Code::ReleaseBeforeCheck,
            Severity::Major,
        )
        .saying(message)
        .at(words_at(step.task, phrase))
        .asking(format!(
            "Should {} wait until {} ({}) is through?",
            place(step.task),
            place(late),
            quoted(&late.title)
        ))
        .mended_by(fixes::behind(reading, release, gate));
        // The dimension of order takes its part.
        verdicts.push(Verdict {
            finding,
            factor: 1.0,
        });
    }
    verdicts
}

/// Whether a task can let a release through: a test, a review, a migration, a pause to look.
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

/// Whether this check is one for what was released. One with work in between checks that work; one
/// that names something else is for something else.
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

/// Tasks that make or change something, ascending.
struct Work(Vec<usize>);

impl Work {
    fn of(reading: &Reading<'_>) -> Self {
        let works = |title: &str| {
            matches!(Doing::of(title), Doing::Create | Doing::Change) && !is_check(title)
        };
        let steps = reading.steps.iter();
        let working = steps.filter(|step| works(&step.task.title));
        Self(working.map(|step| step.index).collect())
    }

    fn is_between(&self, one: usize, other: usize) -> bool {
        let next = self.0.partition_point(|at| *at <= one);
        self.0.get(next).is_some_and(|at| *at < other)
    }
}

/// Steps that work on what a later step makes, or take away what a later step still moves off.
pub(crate) fn inversions(reading: &Reading<'_>) -> Vec<(usize, Finding)> {
    let mut found = used_before_made(reading);
    found.extend(gone_before_moved(reading));
    found
}

fn used_before_made(reading: &Reading<'_>) -> Vec<(usize, Finding)> {
    let mut makers: HashMap<&str, usize> = HashMap::new();
    for step in &reading.steps {
        for path in made(step.task) {
            makers.entry(path).or_insert(step.index);
        }
    }
    if makers.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<(usize, &str, usize)> = Vec::new();
    for step in &reading.steps {
        let early = used(step.task).find_map(|path| {
            let maker = *makers.get(path)?;
            let is_there = reading.input.facts.has_file(path) == Some(true);
            (maker > step.index && !is_there).then_some((path, maker))
        });
        if let Some((path, maker)) = early {
            found.push((step.index, path, maker));
        }
    }
    found.sort_by_key(|(_, _, maker)| *maker);
    found.truncate(MOST);
    let mut marks: Vec<usize> = found.iter().map(|(_, _, maker)| *maker).collect();
    marks.dedup();
    if marks.is_empty() {
        return Vec::new();
    }
    let before = Before::of(reading.graph(), reading.plan.tasks.len(), marks);
    found
        .into_iter()
        .filter(|(index, _, maker)| !before.has(*index, *maker))
        .filter_map(|(index, path, maker)| {
            let maker_task = &reading.plan.tasks[maker];
            let step = reading.step_at(index)?;
            let message = format!(
                "{} works on `{path}`, which only {} makes: let it wait for that.",
                place_first(step.task),
                place(maker_task)
            );
            Some((index, inverted(reading, step, maker, message, path)))
        })
        .collect()
}

fn inverted(
    reading: &Reading<'_>,
    step: &Step<'_>,
    other: usize,
    message: String,
    words: &str,
) -> Finding {
    Finding::on(
        step.task,
        step.text.identity(),
        Code::DepsIncompleteOrOrder,
        Severity::Major,
    )
    .saying(message)
    .at(words_at(step.task, words))
    .mended_by(fixes::behind(reading, step.index, other))
}

/// Paths that a step says it makes: by a call, or named behind the word that makes.
fn made(task: &Task) -> impl Iterator<Item = &str> {
    let written = task
        .calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok())
        .filter(|call| call.tool == ToolName::WriteFile)
        .filter_map(|call| call.path());
    let makes = task.title.contains('`') && matches!(Doing::of(&task.title), Doing::Create);
    let named = makes
        .then(|| ticked(&task.title))
        .into_iter()
        .flatten()
        .take(1);
    written
        .chain(named)
        .map(tidy)
        .filter(|path| is_real_path(path))
}

/// Paths that a step can only work on when they are there.
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
    let changes = task.title.contains('`') && matches!(Doing::of(&task.title), Doing::Change);
    // Many folders can have a file of one name.
    let named = changes
        .then(|| ticked(&task.title))
        .into_iter()
        .flatten()
        .take(1)
        .filter(|path| path.contains('/'));
    called.chain(named).map(tidy)
}

fn tidy(path: &str) -> &str {
    path.trim().trim_start_matches("./")
}

/// What stands in back-ticks and looks like a file.
pub(crate) fn ticked(text: &str) -> impl Iterator<Item = &str> {
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

fn gone_before_moved(reading: &Reading<'_>) -> Vec<(usize, Finding)> {
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
    // The regular expressions run only where the first letters allow it.
    let starts = |step: &&Step<'_>, letters: &[u8]| {
        let first = step.task.title.bytes().next().unwrap_or_default();
        letters.contains(&first.to_ascii_lowercase())
    };
    let taking: Vec<&Step<'_>> = reading
        .steps
        .iter()
        .filter(|step| starts(step, b"rdg"))
        .filter(is_taking)
        .take(MOST)
        .collect();
    if taking.is_empty() {
        return Vec::new();
    }
    let moving: Vec<(&Step<'_>, Subject)> = reading
        .steps
        .iter()
        .filter(|step| starts(step, b"mspcu"))
        .filter(|step| says(&MOVES, &step.task.title))
        .take(MOST)
        .map(|step| (step, Subject::of_title(step.task)))
        .collect();
    let marks = taking.iter().map(|step| step.index).collect();
    let before = Before::of(reading.graph(), reading.plan.tasks.len(), marks);
    taking
        .into_iter()
        .filter_map(|step| {
            let own = Subject::of_title(step.task);
            let (late, _) = moving.iter().find(|(other, theirs)| {
                before.has(other.index, step.index)
                    && (own.shares_name(theirs) || theirs.is_unnamed())
            })?;
            let message = format!(
                "{} takes away what {} ({}) still moves off: do that one first.",
                place_first(step.task),
                place(late.task),
                quoted(&late.task.title)
            );
            Some((
                step.index,
                inverted(reading, step, late.index, message, &step.task.title),
            ))
        })
        .collect()
}
