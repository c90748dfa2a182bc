//! What is wrong with one task: its words, its paths, what it waits for.
//!
//! Each rule is a function from one task to at most one finding; the gate uses the same functions,
//! so the two cannot disagree about what counts as vague.

use plan::{By, Plan, Task, TaskId, TaskKind, ToolName};

use crate::binding::checked_by_command;
use crate::code::{Code, Severity};
use crate::danger::destructive_phrase;
use crate::fixes;
use crate::hints::Hints;
use crate::identity::own_text;
use crate::places::{key_at, value_at, words_at};
use crate::proof::speaks_of;
use crate::reading::{Reading, Step, paths};
use crate::report::{Finding, place, place_first, quoted};
use crate::task_fixes;
use crate::text::{TaskText, is_filler, is_tbd_path, says_tbd, says_test};
use crate::vague::{Reader, vague_phrase_in, vague_short};

/// The factor that a finding puts on its task's confidence; 1 for those that only inform. A danger
/// that is guarded and a prerequisite that only stands further down take nothing away.
pub(crate) fn confidence_factor(finding: &Finding) -> f64 {
    match finding.code {
        Code::RiskDestructive if finding.severity == Severity::Info => 1.0,
        Code::DepsIncompleteOrOrder if finding.severity == Severity::Minor => 1.0,
        Code::VagueShort => 0.65,
        Code::VaguePhrase => 0.75,
        Code::RiskDestructive => 0.35,
        Code::TbdPlaceholder => 0.70,
        Code::HeavyWithoutTestHint => 0.82,
        Code::DepsIncompleteOrOrder => 0.55,
        _ => 1.0,
    }
}

/// The findings about the words and paths of one step.
pub(crate) fn of_step(reading: &Reading<'_>, step: &Step<'_>) -> Vec<Finding> {
    let reader = Reader::of(step.task, reading.input.has_model);
    let wording = if !reading.lists_criteria && step.text.hints().has(Hints::VAGUE) {
        vague_phrase_in(step.task, &step.text, reader, reading.goal)
    } else {
        None
    };
    let others = [
        vague_short(reading.plan, step.task, &step.text, reader)
            .filter(|_| !reading.lists_criteria),
        tbd_placeholder(step.task, &step.text),
        heavy_without_test_hint(step).map(|finding| {
            finding
                .asking(format!(
                    "How will you see that {} ({}) did what it should?",
                    place(step.task),
                    quoted(&step.task.title)
                ))
                .mended_by(checked_by_command(reading, step.task))
        }),
        manifest_empty_path(step.task, &step.text),
        filler(step),
    ];
    wording
        .into_iter()
        .chain(others.into_iter().flatten())
        .collect()
}

/// The words of a step that would destroy something.
pub(crate) fn danger(text: &TaskText) -> Option<&str> {
    if !text.hints().has(Hints::DANGER) {
        return None;
    }
    text.actions().into_iter().find_map(destructive_phrase)
}

/// What is said about a step that would destroy something; `guard` is the task that guards it.
pub(crate) fn risk_destructive(
    task: &Task,
    text: &TaskText,
    phrase: &str,
    guard: Option<&Task>,
) -> Finding {
    // Guarded or not are two findings: mending the one does not leave it in the report.
    const GUARDED: u64 = 1;
    let (identity, severity, rest) = match guard {
        Some(guard) => (
            text.identity() ^ GUARDED,
            Severity::Info,
            format!(
                "which cannot be taken back; {} ({}) guards it: keep that in front of it or tied to it.",
                place(guard),
                quoted(&guard.title)
            ),
        ),
        None => (
            text.identity(),
            Severity::Critical,
            "which cannot be taken back: narrow what it touches and put a checkpoint, backup or dry run \
             before it."
                .to_owned(),
        ),
    };
    Finding::on(task, identity, Code::RiskDestructive, severity)
        .saying(format!(
            "{} would do {}, {rest}",
            place_first(task),
            quoted(phrase)
        ))
        .at(words_at(task, phrase))
}

pub(crate) fn tbd_placeholder(task: &Task, text: &TaskText) -> Option<Finding> {
    let path = paths(task).find(|path| is_tbd_path(path));
    let message = match path {
        Some(path) => {
            format!(
                "{} names the file {}: write the real path.",
                place_first(task),
                quoted(path)
            )
        }
        None if may_say_tbd(text) && says_tbd(text.prose()) => {
            format!(
                "{} leaves something “TBD”: decide it and write it down.",
                place_first(task)
            )
        }
        None => return None,
    };
    let place = path.map_or_else(|| tbd_at(task), |path| words_at(task, path));
    Some(
        Finding::on(task, text.identity(), Code::TbdPlaceholder, Severity::Major)
            .saying(message)
            .at(place)
            .mended_by(task_fixes::without_tbd_path(task)),
    )
}

/// Hints see words between plain letters only.
fn may_say_tbd(text: &TaskText) -> bool {
    text.hints().has(Hints::VAGUE) || !text.prose().is_ascii()
}

/// The word as it is written.
fn tbd_at(task: &Task) -> plan::Span {
    let spellings = ["TBD", "tbd", "Tbd"];
    let found = spellings.iter().map(|word| words_at(task, word));
    let title = &task.title_span;
    found
        .into_iter()
        .find(|span| span != title)
        .unwrap_or_else(|| title.clone())
}

fn heavy_without_test_hint(step: &Step<'_>) -> Option<Finding> {
    const HEAVY: u8 = 7;
    let (task, text, size) = (step.task, &step.text, step.complexity);
    if size < HEAVY || step.is_proved || speaks_of(task, text, says_test) {
        return None;
    }
    Some(
        Finding::on(
            task,
            text.identity(),
            Code::HeavyWithoutTestHint,
            Severity::Minor,
        )
        .saying(format!(
            "{} has complexity {size} and no word on how it is checked: add a `verify:` command or \
                 an `accept:` line.",
            place_first(task)
        )),
    )
}

pub(crate) fn manifest_empty_path(task: &Task, text: &TaskText) -> Option<Finding> {
    let in_files = task.files.iter().any(|path| path.trim().is_empty());
    // Listing or searching "" means the whole workspace; every other tool needs a file.
    let in_calls = task
        .calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok())
        .any(|call| {
            !matches!(call.tool, ToolName::ListFiles | ToolName::SearchFiles)
                && call.path().is_some_and(|path| path.trim().is_empty())
        });
    if !in_files && !in_calls {
        return None;
    }
    let key = if in_files { "files:" } else { "call:" };
    Some(
        Finding::on(
            task,
            text.identity(),
            Code::ManifestEmptyPath,
            Severity::Major,
        )
        .saying(format!(
            "{} has an empty path in `{key}`: write the path or take it out.",
            place_first(task)
        ))
        .at(key_at(task, key.trim_end_matches(':')))
        .mended_by([task_fixes::without_empty_paths(task)]),
    )
}

fn filler(step: &Step<'_>) -> Option<Finding> {
    let (task, text) = (step.task, &step.text);
    let has_substance = step.is_proved || !task.calls.is_empty() || !task.files.is_empty();
    if has_substance || task.by == By::Person || !is_filler(text.description()) {
        return None;
    }
    Some(
        Finding::on(task, text.identity(), Code::FillerTask, Severity::Minor).saying(format!(
            "{} ({}) would fit into any plan: say what it does here, or delete it.",
            place_first(task),
            quoted(&task.title)
        )),
    )
}

/// What a task waits for and should not. Groups, checkpoints and decisions are looked at too.
pub(crate) fn deps_incomplete_or_order(reading: &Reading<'_>, index: usize) -> Option<Finding> {
    let task = &reading.plan.tasks[index];
    let depends = task.depends.as_deref().unwrap_or_default();
    let (wrong, why) = depends
        .iter()
        .find_map(|id| Some((id, misplaced(reading, index, id)?)))?;
    let here = place_first(task);
    let message = match why {
        Misplaced::Unknown => format!(
            "{here} depends on {wrong}, which is not in this plan: correct the id or take it out of `depends:`."
        ),
        Misplaced::Itself => {
            format!("{here} depends on itself: take {wrong} out of its `depends:`.")
        }
        Misplaced::Around => format!(
            "{here} depends on {wrong}, which it is a part of, so neither can start: take {wrong} out of its `depends:`."
        ),
        Misplaced::Later if reading.graph().is_in_circle(index) => format!(
            "{here} depends on {wrong}, which stands after it and waits for it in turn: take {wrong} out of `depends:`."
        ),
        Misplaced::Later => format!(
            "{here} depends on {wrong}, which stands further down: the run keeps to that, but a reader of the \
             file is led astray; move {wrong} up."
        ),
    };
    // A prerequisite that was put in later keeps its place and its id; nothing is wrong with the run.
    let is_legal = matches!(why, Misplaced::Later) && !reading.graph().is_in_circle(index);
    let severity = if is_legal {
        Severity::Minor
    } else {
        Severity::Major
    };
    let finding = Finding::on(task, own_text(task), Code::DepsIncompleteOrOrder, severity)
        .saying(message)
        .at(value_at(task, "depends", wrong.as_str()));
    Some(if is_legal {
        finding.mended_by([fixes::moved_up(reading, index, wrong)])
    } else {
        finding.mended_by(fixes::dependency(reading, task, wrong))
    })
}

#[derive(Debug, Clone, Copy)]
enum Misplaced {
    Unknown,
    Itself,
    Around,
    Later,
}

/// Why a dependency cannot be waited for.
///
/// No search for cycles is needed. A dependency that is known, stands before the task and does not
/// contain it lies, with all its sub-tasks, before the task; so does whatever a task waits for by
/// order or through its group. Edges that all point upwards cannot form a circle, so every circle
/// has a member that is found here; the circle as a whole is the reader's `dependency_cycle`.
fn misplaced(reading: &Reading<'_>, index: usize, id: &TaskId) -> Option<Misplaced> {
    let Some(target) = reading.index_of(id.as_str()) else {
        return Some(Misplaced::Unknown);
    };
    if target == index {
        return Some(Misplaced::Itself);
    }
    if target > index {
        return Some(Misplaced::Later);
    }
    is_inside(reading.plan, index, target).then_some(Misplaced::Around)
}

fn is_inside(plan: &Plan, index: usize, group: usize) -> bool {
    if plan.tasks[group].children.is_empty() {
        return false;
    }
    let mut parent = plan.tasks[index].parent;
    while let Some(at) = parent {
        if at == group {
            return true;
        }
        parent = plan.tasks[at].parent;
    }
    false
}

/// Whether a task can be blocked by its words: groups do not run, checkpoints and decisions ask.
pub(crate) fn is_work(task: &Task) -> bool {
    task.kind == TaskKind::Normal && !task.is_group()
}
