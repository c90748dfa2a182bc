//! Rules about a single task: its words, its paths and its dependencies.
//!
//! Each rule results in at most one finding per task. The quality gate uses the same functions, so
//! the two always agree.

use plan::{By, Plan, Task, TaskId, TaskKind, ToolName};

use crate::code::{Code, Severity};
use crate::danger::destructive_phrase;
use crate::fixes;
use crate::hints::Hints;
use crate::identity::own_text;
use crate::plan_context::{PlanContext, Step, paths};
use crate::report::{Finding, place, place_first, quoted};
use crate::spans::{key_at, value_at, words_at};
use crate::task_fixes;
use crate::task_text::{TaskText, is_filler, is_tbd_path, says_tbd, says_test};
use crate::unbound_verification::add_project_check;
use crate::vague::{Executor, vague_phrase_in, vague_short};
use crate::verification::text_or_command_matches;

/// The factor by which a finding lowers the confidence in its task; 1 for findings with severity
/// info. Guarded destructive steps, and prerequisites that only come later in the file, also have
/// the factor 1.
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

/// Findings about the words and paths of one step.
pub(crate) fn of_step(context: &PlanContext<'_>, step: &Step<'_>) -> Vec<Finding> {
    let executor = Executor::of(step.task, context.input.has_model);
    let wording = if !context.lists_criteria && step.text.hints().has(Hints::VAGUE) {
        vague_phrase_in(step.task, &step.text, executor, context.goal)
    } else {
        None
    };
    let others = [
        vague_short(context.plan, step.task, &step.text, executor)
            .filter(|_| !context.lists_criteria),
        tbd_placeholder(step.task, &step.text),
        heavy_without_test_hint(step).map(|finding| {
            finding
                .with_question(format!(
                    "How will you check {} ({})?",
                    place(step.task),
                    quoted(&step.task.title)
                ))
                .with_fixes(add_project_check(context, step.task))
        }),
        manifest_empty_path(step.task, &step.text),
        filler(step),
    ];
    wording
        .into_iter()
        .chain(others.into_iter().flatten())
        .collect()
}

/// The destructive phrase in a step.
pub(crate) fn danger(text: &TaskText) -> Option<&str> {
    if !text.hints().has(Hints::DANGER) {
        return None;
    }
    text.actions().into_iter().find_map(destructive_phrase)
}

/// The finding for a destructive step; `guard` is the task that guards it.
pub(crate) fn risk_destructive(
    task: &Task,
    text: &TaskText,
    phrase: &str,
    guard: Option<&Task>,
) -> Finding {
    // Guarded and unguarded steps have different finding ids, so that adding a guard resolves the
    // finding.
    const GUARDED: u64 = 1;
    let (identity, severity, rest) = match guard {
        Some(guard) => (
            text.identity() ^ GUARDED,
            Severity::Info,
            format!(
                "which cannot be undone; {} ({}) is its safeguard: keep it before this step or linked to it.",
                place(guard),
                quoted(&guard.title)
            ),
        ),
        None => (
            text.identity(),
            Severity::Critical,
            "which cannot be undone: limit what it affects and add a checkpoint, backup or dry run \
             before it."
                .to_owned(),
        ),
    };
    Finding::for_task(task, identity, Code::RiskDestructive, severity)
        .with_message(format!(
            "{} includes {}, {rest}",
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
                "{} contains “TBD”: replace it with the decision.",
                place_first(task)
            )
        }
        None => return None,
    };
    let place = path.map_or_else(|| tbd_at(task), |path| words_at(task, path));
    Some(
        Finding::for_task(task, text.identity(), Code::TbdPlaceholder, Severity::Major)
            .with_message(message)
            .at(place)
            .with_fixes(task_fixes::without_tbd_path(task)),
    )
}

/// Whether a text may contain "TBD". The hints are reliable only for ASCII text.
fn may_say_tbd(text: &TaskText) -> bool {
    text.hints().has(Hints::VAGUE) || !text.prose().is_ascii()
}

/// The range of "TBD" in the title or a key, in any spelling; the title's range if it is elsewhere.
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
    if size < HEAVY || step.is_proved || text_or_command_matches(task, text, says_test) {
        return None;
    }
    Some(
        Finding::for_task(
            task,
            text.identity(),
            Code::HeavyWithoutTestHint,
            Severity::Minor,
        )
        .with_message(format!(
            "{} has complexity {size} and doesn't say how it is checked: add a `verify:` command or \
                 an `accept:` line.",
            place_first(task)
        )),
    )
}

pub(crate) fn manifest_empty_path(task: &Task, text: &TaskText) -> Option<Finding> {
    let in_files = task.files.iter().any(|path| path.trim().is_empty());
    // When listing or searching, an empty path means the whole workspace; all other tools require a
    // path.
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
        Finding::for_task(
            task,
            text.identity(),
            Code::ManifestEmptyPath,
            Severity::Major,
        )
        .with_message(format!(
            "{} has an empty path in `{key}`: write the path or remove it.",
            place_first(task)
        ))
        .at(key_at(task, key.trim_end_matches(':')))
        .with_fixes([task_fixes::without_empty_paths(task)]),
    )
}

fn filler(step: &Step<'_>) -> Option<Finding> {
    let (task, text) = (step.task, &step.text);
    let has_substance = step.is_proved || !task.calls.is_empty() || !task.files.is_empty();
    if has_substance || task.by == By::Person || !is_filler(text.description()) {
        return None;
    }
    Some(
        Finding::for_task(task, text.identity(), Code::FillerTask, Severity::Minor).with_message(
            format!(
                "{} ({}) is too generic: say what it does here, or delete it.",
                place_first(task),
                quoted(&task.title)
            ),
        ),
    )
}

/// The finding about invalid or misplaced dependencies of a task. Includes groups, checkpoints and
/// decisions.
pub(crate) fn deps_incomplete_or_order(context: &PlanContext<'_>, index: usize) -> Option<Finding> {
    let task = &context.plan.tasks[index];
    let depends = task.depends.as_deref().unwrap_or_default();
    let (wrong, why) = depends
        .iter()
        .find_map(|id| Some((id, misplaced(context, index, id)?)))?;
    let here = place_first(task);
    let message = match why {
        Misplaced::Unknown => format!(
            "{here} depends on {wrong}, which is not in this plan: correct the id or remove it from `depends:`."
        ),
        Misplaced::Itself => {
            format!("{here} depends on itself: remove {wrong} from its `depends:`.")
        }
        Misplaced::Around => format!(
            "{here} depends on its own group {wrong}, so neither can start: remove {wrong} from its `depends:`."
        ),
        Misplaced::Later if context.graph().is_in_cycle(index) => format!(
            "{here} depends on {wrong}, which comes later and in turn depends on it: remove {wrong} from `depends:`."
        ),
        Misplaced::Later => format!(
            "{here} depends on {wrong}, which comes later in the file. That works, but is confusing to read: \
             move {wrong} up."
        ),
    };
    // A prerequisite that was added later keeps its position and id, and the run still works.
    let is_legal = matches!(why, Misplaced::Later) && !context.graph().is_in_cycle(index);
    let severity = if is_legal {
        Severity::Minor
    } else {
        Severity::Major
    };
    let finding = Finding::for_task(task, own_text(task), Code::DepsIncompleteOrOrder, severity)
        .with_message(message)
        .at(value_at(task, "depends", wrong.as_str()));
    Some(if is_legal {
        finding.with_fixes([fixes::move_before(context, index, wrong)])
    } else {
        finding.with_fixes(fixes::dependency(context, task, wrong))
    })
}

#[derive(Debug, Clone, Copy)]
enum Misplaced {
    Unknown,
    Itself,
    Around,
    Later,
}

/// Why a dependency is invalid or misplaced.
///
/// No search for cycles is needed. If a dependency is known, comes before the task and does not
/// contain the task, then all of its sub-tasks come before the task as well. The same is true of
/// everything that a task waits for because of its order or its group. Edges that all point to
/// earlier tasks can't form a cycle, so at least one member of every cycle is found here. The
/// parser reports the whole cycle as `dependency_cycle`.
fn misplaced(context: &PlanContext<'_>, index: usize, id: &TaskId) -> Option<Misplaced> {
    let Some(target) = context.index_of(id.as_str()) else {
        return Some(Misplaced::Unknown);
    };
    if target == index {
        return Some(Misplaced::Itself);
    }
    if target > index {
        return Some(Misplaced::Later);
    }
    is_inside(context.plan, index, target).then_some(Misplaced::Around)
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

/// Whether a task can be blocked because of its words. Groups do not run, and checkpoints and
/// decisions only ask.
pub(crate) fn is_work(task: &Task) -> bool {
    task.kind == TaskKind::Normal && !task.is_group()
}
