//! Ranks facts learned earlier by their relevance to a step.
//!
//! Facts learned by steps that this one depends on come first, followed by facts about the step's
//! files, facts that share words with the step, facts about other files in the same folders, and
//! the newest facts. Within each group, better matches come first, then newer facts.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use plan::{Plan, Task};

use super::keywords::{self, StepKeywords};
use super::{Fact, Item, ItemKind, Material, Strategy, folder_of};
use crate::envelope::{escaped, one_line};

/// Maximum length of a fact, in bytes.
const FACT_BYTES: usize = 400;

/// How many of the newest facts a step gets if no fact matches it.
const NEWEST: usize = 5;

/// Maximum number of words mentioned in a reason.
const NAMED: usize = 3;

/// The reason for including a fact, in descending order of relevance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    /// It was learned by a step that this one depends on.
    Dependency,
    /// It came from a file that the step names.
    File,
    /// It shares words with the step.
    Words,
    /// It came from a file in the same folder as one that the step names.
    Beside,
    /// It doesn't match but is one of the newest facts.
    Newest,
}

pub(super) struct Ranking<'a> {
    asked: &'a StepKeywords,
    waits_for: BTreeSet<&'a str>,
    files: BTreeSet<String>,
    folders: BTreeSet<String>,
}

impl<'a> Ranking<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        task: &'a Task,
        asked: &'a StepKeywords,
        material: &Material,
    ) -> Self {
        let index = plan
            .tasks
            .iter()
            .position(|other| std::ptr::eq(other, task));
        let index = index.or_else(|| plan.index_of(&task.id));
        let graph = plan::graph::Graph::of(plan);
        let waits_for = index
            .map(|index| graph.waits_for(index).to_vec())
            .unwrap_or_default()
            .into_iter()
            .filter_map(|before| plan.tasks.get(before))
            .map(|before| before.id.as_str())
            .collect();
        let mut files: BTreeSet<String> = keywords::files(plan, task).into_iter().collect();
        files.extend(material.files.iter().map(|file| file.path.clone()));
        let folders = files
            .iter()
            .map(|path| folder_of(path).to_owned())
            .collect();
        Self {
            asked,
            waits_for,
            files,
            folders,
        }
    }

    pub(super) fn ranked(&self, facts: &[Fact], strategy: Strategy) -> Vec<Item> {
        let mut seen = BTreeSet::new();
        let mut judged: Vec<(Why, u32, &Fact, Vec<&str>)> = facts
            .iter()
            .map(|fact| {
                let (why, score, shared) = self.judge(fact);
                (why, score, fact, shared)
            })
            .collect();
        judged.sort_by_key(|(why, score, fact, _)| {
            let is_last = fact.is_stale && strategy == Strategy::Full;
            let (score, learned) = (Reverse(*score), Reverse(fact.learned_ms));
            (is_last, *why, score, learned, fact.id)
        });
        let matches = judged
            .iter()
            .any(|(why, _, fact, _)| *why < Why::Newest && !fact.is_stale);
        let mut newest = 0;
        judged.retain(|(why, _, fact, _)| {
            let is_wanted = match (strategy, why) {
                (Strategy::Full, _) | (_, Why::Dependency) => true,
                (Strategy::Minimal, _) => false,
                // The fact is outdated; the current content of the file is shown instead.
                (Strategy::Relevant, _) if fact.is_stale => false,
                (Strategy::Relevant, Why::Newest) => {
                    newest += 1;
                    !matches && newest <= NEWEST
                }
                (Strategy::Relevant, _) => true,
            };
            is_wanted && seen.insert(said(&fact.text))
        });
        judged
            .into_iter()
            .map(|(why, _, fact, shared)| self.item(why, fact, &shared))
            .collect()
    }

    fn judge(&self, fact: &Fact) -> (Why, u32, Vec<&'a str>) {
        let shared = self.asked.shared(&fact.text);
        let words: u32 = shared.iter().map(|word| self.asked.weight(word)).sum();
        let path = fact.path.as_deref();
        let is_own = path.is_some_and(|path| self.files.contains(path));
        let is_beside = path.is_some_and(|path| self.folders.contains(folder_of(path)));
        let score = words * 2 + u32::from(is_own) * 3 + u32::from(is_beside);
        let why = if fact
            .task
            .as_deref()
            .is_some_and(|task| self.waits_for.contains(task))
        {
            Why::Dependency
        } else if is_own {
            Why::File
        } else if words > 0 {
            Why::Words
        } else if is_beside {
            Why::Beside
        } else {
            Why::Newest
        };
        (why, score, shared)
    }

    fn item(&self, why: Why, fact: &Fact, shared: &[&str]) -> Item {
        let path = fact.path.as_deref().unwrap_or_default();
        let mut text = format!("Known: {}", one_line(&fact.text, FACT_BYTES));
        if !path.is_empty() && !fact.text.contains(path) {
            text.push_str(&format!(" (from {})", one_line(path, 200)));
        }
        let mut reason = match why {
            Why::Dependency => format!(
                "Learned by {}, which the step depends on.",
                fact.task.as_deref().unwrap_or("A step")
            ),
            Why::File => format!("From {path}, which the step names."),
            Why::Words => {
                let named: Vec<String> = shared
                    .iter()
                    .take(NAMED)
                    .map(|word| format!("“{word}”"))
                    .collect();
                format!("Shares {} with the step.", named.join(", "))
            }
            Why::Beside => {
                format!("From {path}, in the same folder as a file that the step names.")
            }
            Why::Newest => "One of the facts learned most recently.".to_owned(),
        };
        if fact.is_stale {
            text.push_str(" — the file has changed since, so check again before relying on it");
            reason.push_str(" The file has changed since; the model is warned.");
        }
        Item::new(ItemKind::Fact { id: fact.id }, escaped(&text), reason)
    }
}

/// A fact's text with case and final punctuation normalized, used to find duplicates.
pub fn said(fact: &str) -> String {
    one_line(fact, FACT_BYTES)
        .trim_end_matches(['.', '!', ' '])
        .to_lowercase()
}
