//! Safeguards, and the steps that they protect.
//!
//! A safeguard applies only to the step that it protects: a checkpoint, backup, snapshot or dry run
//! on which the step depends, or a rollback after the step. If both steps name things, they must
//! name the same things: a backup of the images does not protect the orders. Words in the
//! destructive step itself don't count.

mod subject;

use std::cell::LazyCell;
use std::collections::HashSet;
use std::sync::LazyLock;

use plan::graph::Graph;
use plan::{Plan, Task, TaskKind};
use regex::Regex;

pub(crate) use subject::Subject;

use crate::danger::destructive_phrase;
use crate::hints::Hints;
use crate::plan_context::PlanContext;
use crate::prerequisites::Prerequisites;
use crate::task_text::TaskText;

/// How a task can protect another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guard {
    /// A person reviews the work before it continues.
    Pause,
    /// A backup, snapshot or dry run before the other task.
    Before,
    /// A rollback after the other task.
    Behind,
}

/// How this task can protect others; `None` if it cannot.
fn guard(task: &Task, text: &TaskText) -> Option<Guard> {
    if task.skipped.is_some() || task.is_group() {
        return None;
    }
    match task.kind {
        // A checkpoint that only notifies doesn't stop the run.
        TaskKind::Checkpoint => task.confirm.then_some(Guard::Pause),
        TaskKind::Decision => None,
        TaskKind::Normal => {
            let actions = text.actions();
            let does = |holds: fn(&str) -> bool| actions.into_iter().any(holds);
            if !text.hints().has(Hints::WAY_BACK) || does(|text| destructive_phrase(text).is_some())
            {
                return None;
            }
            if does(is_safeguard) {
                Some(Guard::Before)
            } else {
                does(is_rollback).then_some(Guard::Behind)
            }
        }
    }
}

/// For each of these destructive steps, the index of the task that protects it, or `None`.
pub(crate) fn guards_of(context: &PlanContext<'_>, dangers: &[usize]) -> Vec<Option<usize>> {
    let plan = context.plan;
    let texts: Vec<(usize, Guard, Subject)> = plan
        .leaves()
        .filter_map(|(index, task)| {
            // The text of a step was prepared together with the context; only other tasks need a
            // new one.
            let text = match context.step_at(index) {
                Some(step) => {
                    return guard(task, &step.text)
                        .map(|guard| (index, guard, Subject::of(task, &step.text)));
                }
                None => TaskText::of(task),
            };
            guard(task, &text).map(|guard| (index, guard, Subject::of(task, &text)))
        })
        .collect();
    if texts.is_empty() {
        return vec![None; dangers.len()];
    }
    let graph = context.graph();
    let marks = texts.iter().map(|(index, ..)| *index).collect();
    let before = Prerequisites::of(graph, plan.tasks.len(), marks);
    let has_rollback = texts.iter().any(|(_, guard, _)| *guard == Guard::Behind);
    let behind = has_rollback.then(|| Prerequisites::of(graph, plan.tasks.len(), dangers.to_vec()));
    dangers
        .iter()
        .map(|danger| {
            let task = &plan.tasks[*danger];
            let text = context.step_at(*danger).map(|step| &step.text);
            let own = text.map(|text| Subject::of(task, text));
            let named = LazyCell::new(|| named_ids(task));
            texts.iter().find_map(|(index, guard, subject)| {
                let stands = match guard {
                    Guard::Pause | Guard::Before => before.has(*danger, *index),
                    Guard::Behind => {
                        behind
                            .as_ref()
                            .is_some_and(|behind| behind.has(*index, *danger))
                            || names(&named, &plan.tasks[*index])
                    }
                };
                let fits =
                    *guard == Guard::Pause || own.as_ref().is_none_or(|own| subject.covers(own));
                (stands && fits).then_some(*index)
            })
        })
        .collect()
}

/// Whether the step at `index` has a safeguard. Like [`guards_of`], but for a single step.
pub(crate) fn is_guarded(plan: &Plan, graph: &Graph, index: usize, text: &TaskText) -> bool {
    let task = &plan.tasks[index];
    let own = Subject::of(task, text);
    let fits = |at: usize, wanted: &[Guard]| {
        plan.tasks.get(at).is_some_and(|other| {
            let text = TaskText::of(other);
            guard(other, &text).is_some_and(|guard| {
                wanted.contains(&guard)
                    && (guard == Guard::Pause || Subject::of(other, &text).covers(&own))
            })
        })
    };
    let mut seen: HashSet<usize> = HashSet::from([index]);
    let mut open: Vec<usize> = graph.waits_for(index).to_vec();
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        if fits(at, &[Guard::Pause, Guard::Before]) {
            return true;
        }
        open.extend_from_slice(graph.waits_for(at));
    }
    let ids = named_ids(task);
    let named = (0..plan.tasks.len()).filter(|at| names(&ids, &plan.tasks[*at]));
    graph
        .dependents(index)
        .into_iter()
        .chain(named)
        .any(|at| fits(at, &[Guard::Behind]))
}

/// Words of the task's own lines that may name its rollback step, as in `rollback: T5` or a note
/// with "T5".
fn named_ids(task: &Task) -> HashSet<&str> {
    let names_it = |key: &str| matches!(key, "rollback" | "undo" | "revert" | "fallback" | "note");
    let fields = task.fields.iter().filter(|field| names_it(&field.key));
    let texts = fields.map(|field| field.value.as_str());
    texts
        .chain([task.body.as_str()])
        .flat_map(|text| {
            text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '-' | '#'))
        })
        .map(|word| word.trim_end_matches('.'))
        .collect()
}

/// Whether the ids include the id of the other task.
fn names(ids: &HashSet<&str>, other: &Task) -> bool {
    other.id_origin == plan::IdOrigin::Written && ids.contains(other.id.as_str())
}

/// Whether a step makes later steps recoverable or harmless: a backup, a snapshot or a dry run.
pub(crate) fn is_safeguard(text: &str) -> bool {
    static GUARD: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)(?-u:\b)(?:back(?:s|ed|ing)?[ -]?up|backups?|snapshots?|dry[ _-]?run|pg_dump(?:all)?|mysqldump|mongodump|dump(?:s|ed)?\s+the|rehears(?:e|es|al)|archiv(?:e|es)\s+(?:the|all|every|old)|cop(?:y|ies)\s+[^.;\n]{1,40}\s+(?:aside|elsewhere|to\s+a\s+safe)|sicher(?:e|n)|sicherung(?:en|skopien?)?|sicherungskopie|schnappschuss|probelauf|trockenlauf|sauvegard(?:e|er|ez|es)|essai\s+[àa]\s+blanc|respald(?:ar|a|o|e)|simulacro)(?-u:\b)|copias?\s+de\s+(?:seguridad|sicurezza)|c[óo]pias?\s+de\s+seguran[çc]a|резервн\w+\s+копи|бэкап|снимок|пробн\w+\s+(?:запуск|прогон)|备份|備份|快照|演练|试运行|バックアップ|スナップショット|ドライラン|백업|스냅샷",
        )
        .ok()
    });
    says_so(GUARD.as_ref(), text)
}

/// Whether a step restores an earlier state.
pub(crate) fn is_rollback(text: &str) -> bool {
    static BACK: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)(?-u:\b)(?:roll(?:s|ed|ing)?[ -]?back|rollbacks?|revert(?:s|ed|ing)?|restor(?:e|es|ed|ing)|undo|zurückrollen|rückgängig|restaurer|revertir|restaurar|ripristinare)(?-u:\b)|откат|восстанов|回滚|恢复|ロールバック|復元|롤백|복원",
        )
        .ok()
    });
    says_so(BACK.as_ref(), text)
}

/// Whether a text contains one of these words without a negation such as "no backup" or "delete the
/// old backups".
fn says_so(words: Option<&Regex>, text: &str) -> bool {
    static UNDONE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i-u)\b(?:no|not|never|without|skip|delete|remove|drop|purge|disable|restore|restoring|ignore|stop|ohne|kein|keine|sans|sin|senza)(?:\s+(?:a|any|the|all|old|last|from|needing|make|take|our|nightly|daily))*\s+$",
        )
        .ok()
    });
    let Some(words) = words else {
        return false;
    };
    words.find_iter(text).any(|found| {
        let is_test = found.as_str().to_ascii_lowercase().starts_with("snapshot")
            && text[found.end()..]
                .trim_start_matches([' ', '-', '_'])
                .starts_with("test");
        // Long enough to include a negation before the word.
        const MAX_BYTES: usize = 200;
        let before = &text[..found.start()];
        let from = before.floor_char_boundary(before.len().saturating_sub(MAX_BYTES));
        let is_undone = UNDONE
            .as_ref()
            .is_some_and(|undone| undone.is_match(&before[from..]));
        !is_test && !is_undone
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backups_and_dry_runs_are_safeguards() {
        for text in [
            "Back up the orders table",
            "Take a snapshot of the volume",
            "Run the import with --dry-run",
            "pg_dump shop > shop.sql",
            "Make a backup of the folder",
            "Sichere die Datenbank",
            "Faire une sauvegarde de la base",
            "Hacer una copia de seguridad",
            "备份数据库",
            "バックアップを取る",
        ] {
            assert!(is_safeguard(text), "{text}");
            assert!(Hints::of(text).has(Hints::WAY_BACK), "{text}");
        }
        for text in [
            "Update the snapshot tests",
            "Delete the old backups",
            "Go on without a backup",
            "Restore the last backup",
            "Confirm that it worked",
            "Export the records",
        ] {
            assert!(!is_safeguard(text), "{text}");
        }
        assert!(is_rollback("Roll back to the last release"));
        assert!(!is_rollback("There is no rollback"));
    }
}
