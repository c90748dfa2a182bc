//! A model's work on a step for display: its context, its report, how failures were handled, and
//! what was wrong with its replies.

use agent::context::{Item, ItemKind};
use agent::journal::Entry;
use agent::model_step::{RecoveryDecision, Report};
use agent::run::recovery_options;
use agent::turn::{Call, Reply};
use gate::recovery::RecoveryStrategy;
use plan::ToolCall;

use super::RunRead;
use super::actions::{action, title};
use crate::document::cut;
use crate::wire::{ContextItem, StepAction, StepContext, StepModel, StepRecovery, StepReport};

/// Maximum characters in one sentence.
const MAX_TEXT_LEN: usize = 1_000;

/// Maximum lines of one kind in a report.
const MAX_LINES: usize = 50;

/// Maximum characters in an item's text.
const MAX_TEXT: usize = 4_000;

/// Maximum characters in a context item's title.
const MAX_TITLE_LEN: usize = 300;

impl RunRead {
    /// The context selected for the step's last attempt; `None` for a step without a model.
    pub(super) fn context(&self, id: &str) -> Option<StepContext> {
        let mut entries = self.journal.iter().rev();
        let chosen = entries.find_map(|(_, entry)| match entry {
            Entry::ContextChosen { task, chosen } if task == id => Some(chosen),
            _ => None,
        })?;
        Some(StepContext {
            strategy: chosen.strategy.as_str().to_owned(),
            budget: chosen.budget,
            used: chosen.used,
            items: chosen.items.iter().map(item).collect(),
            left_out: chosen.left_out,
        })
    }

    /// A model's work on a step; `None` for a step without a model.
    pub(super) fn modelled(&self, id: &str) -> Option<StepModel> {
        let known = self.state.tasks.get(id)?;
        let work = &known.work;
        if work.requests == 0 && work.context.is_none() {
            return None;
        }
        let mut reports = self.journal.iter().rev();
        let report = reports.find_map(|(_, entry)| match entry {
            Entry::Reported {
                task,
                report,
                is_inferred,
            } if task == id => Some(self::report(report, *is_inferred)),
            _ => None,
        });
        let recoveries = self.journal.iter().filter_map(|(_, entry)| match entry {
            Entry::Recovered { task, decision } if task == id => Some(recovery(decision)),
            _ => None,
        });
        let recoveries = recoveries.collect();
        let is_over = matches!(self.standing.as_str(), "done" | "stopped" | "not_covered");
        let parsed = self.parsed.as_ref().filter(|_| !is_over);
        let ways = parsed.map_or_else(Vec::new, |parsed| {
            recovery_options(&parsed.plan, &self.state, id)
        });
        Some(StepModel {
            turns: work.requests,
            tokens_in: work.usage.input,
            tokens_cached: work.usage.cached,
            tokens_out: work.usage.output,
            elapsed_ms: work.elapsed_ms,
            report,
            recoveries,
            now: None,
            ways,
        })
    }

    /// The model's actions recorded in an entry, if it is about this step.
    pub(super) fn said_of(&self, id: &str, entry: &Entry) -> Vec<StepAction> {
        match entry {
            Entry::Replied { task, reply } if task == id => of_reply(reply),
            Entry::CallAnswered {
                task,
                call,
                ok,
                content,
            } if task == id => self.answered(id, *call, *ok, content).into_iter().collect(),
            Entry::ClaimRejected { task, message } if task == id => {
                let mut lines = message.lines();
                let first = lines.next().unwrap_or_default();
                let rest: Vec<&str> = lines.collect();
                vec![StepAction {
                    summary: cut(first, MAX_TEXT_LEN),
                    output: rest.join("\n"),
                    ok: Some(false),
                    ..action("rejected", "", "Not done yet".to_owned())
                }]
            }
            Entry::Recovered { task, decision } if task == id => vec![of_recovery(decision)],
            Entry::StepsPlanned { addition, .. } if addition.under.as_deref() == Some(id) => {
                let parts: Vec<&str> = addition
                    .steps
                    .iter()
                    .map(|step| step.title.as_str())
                    .collect();
                let count = parts.len();
                vec![StepAction {
                    summary: cut(&parts.join(" · "), MAX_TEXT_LEN),
                    ..action("split", "", format!("Split into {count} steps"))
                }]
            }
            _ => Vec::new(),
        }
    }

    /// A call that was answered without being carried out: refused, repeated or invalid.
    fn answered(&self, id: &str, number: usize, ok: bool, content: &str) -> Option<StepAction> {
        let call = self.called(id, number)?;
        if call.is_report() {
            return None;
        }
        let named = plan::ToolName::from_name(&call.name);
        let typed = named.and_then(|tool| ToolCall::new(tool, call.arguments.clone()).ok());
        let asked = call.arguments.get("question").and_then(|q| q.as_str());
        let title = match (&typed, asked) {
            (Some(typed), _) => title(typed),
            (None, Some(asked)) => format!("Asked: {asked}"),
            (None, None) => call.name.clone(),
        };
        let first = content.lines().next().unwrap_or_default();
        Some(StepAction {
            summary: cut(first, MAX_TEXT_LEN),
            ok: Some(ok || asked.is_some()),
            ..action("answered", &call.name, title)
        })
    }

    /// Like `called`, but as a [`ToolCall`]; `None` if no tool accepts it.
    pub(super) fn made(&self, id: &str, number: usize) -> Option<ToolCall> {
        let call = self.called(id, number)?;
        let tool = plan::ToolName::from_name(&call.name)?;
        ToolCall::new(tool, call.arguments.clone()).ok()
    }

    /// A model's call by its number across all attempts.
    fn called(&self, id: &str, number: usize) -> Option<&Call> {
        let mut first = 0;
        for (_, entry) in &self.journal {
            let Entry::Replied { task, reply } = entry else {
                continue;
            };
            if task != id {
                continue;
            }
            if let Some(call) = number.checked_sub(first).and_then(|at| reply.calls.get(at)) {
                return Some(call);
            }
            first += reply.calls.len();
        }
        None
    }
}

fn report(report: &Report, is_inferred: bool) -> StepReport {
    let lines = |all: &[String]| {
        let newest = all.iter().take(MAX_LINES);
        newest.map(|line| cut(line, MAX_TEXT_LEN)).collect()
    };
    StepReport {
        summary: cut(&report.summary, MAX_TEXT_LEN),
        done: report.done,
        learned: lines(&report.learned),
        decided: lines(&report.decided),
        next_hint: report
            .next_hint
            .as_ref()
            .map(|hint| cut(hint, MAX_TEXT_LEN)),
        is_inferred,
    }
}

fn recovery(decision: &RecoveryDecision) -> StepRecovery {
    StepRecovery {
        failure: decision.failure.as_str().to_owned(),
        strategy: decision.strategy.as_str().to_owned(),
        by: decision.by.as_str().to_owned(),
        reason: cut(&decision.reason, MAX_TEXT_LEN),
        words: decision
            .words
            .as_ref()
            .map(|words| cut(words, MAX_TEXT_LEN)),
    }
}

/// The faults and repairs in a reply; empty if it was usable as is.
fn of_reply(reply: &Reply) -> Vec<StepAction> {
    let mut repairs: Vec<&str> = Vec::new();
    for repair in reply.calls.iter().flat_map(|call| &call.repairs) {
        if !repairs.contains(&repair.as_str()) {
            repairs.push(repair);
        }
    }
    let faults: Vec<&str> = reply
        .faults
        .iter()
        .map(|fault| fault.message.lines().next().unwrap_or_default())
        .collect();
    let mut said = Vec::new();
    if !repairs.is_empty() {
        said.push(StepAction {
            summary: cut(&repairs.join("; "), MAX_TEXT_LEN),
            ..action("repaired", "", "A reply was repaired".to_owned())
        });
    }
    if !faults.is_empty() {
        let whole = faults.join("\n");
        let (first, _) = whole.split_once(". ").unwrap_or((&whole, ""));
        said.push(StepAction {
            summary: cut(first.trim_end_matches('.'), MAX_TEXT_LEN),
            output: cut(&whole, MAX_TEXT_LEN),
            ok: Some(false),
            ..action("faulted", "", could_not_be_used(1))
        });
    }
    said
}

/// Facts that a model learned, from a reply in this step; kept even if the attempt failed.
pub(super) fn learned(id: &str, entry: &Entry) -> Vec<String> {
    let Entry::Replied { task, reply } = entry else {
        return Vec::new();
    };
    let mut calls = reply.calls.iter();
    let report = calls.find(|call| task == id && call.is_report());
    let learned = report.and_then(|call| call.arguments.get("learned")?.as_array());
    let facts = learned
        .into_iter()
        .flatten()
        .filter_map(|fact| fact.as_str());
    facts
        .take(MAX_LINES)
        .map(|fact| cut(fact, MAX_TEXT_LEN))
        .collect()
}

fn could_not_be_used(count: usize) -> String {
    match count {
        1 => "A reply couldn't be used".to_owned(),
        count => format!("{count} replies couldn't be used"),
    }
}

/// Merges consecutive replies that were unusable for the same reason.
pub(super) fn merged(actions: Vec<StepAction>) -> Vec<StepAction> {
    let mut merged: Vec<(usize, StepAction)> = Vec::new();
    for action in actions {
        match merged.last_mut() {
            Some((count, last))
                if action.kind == "faulted"
                    && last.kind == "faulted"
                    && last.summary == action.summary =>
            {
                *count += 1;
                last.title = could_not_be_used(*count);
            }
            _ => merged.push((1, action)),
        }
    }
    merged.into_iter().map(|(_, action)| action).collect()
}

fn of_recovery(decision: &RecoveryDecision) -> StepAction {
    let by = match decision.by {
        agent::model_step::RecoveryBy::Code => "by a rule",
        agent::model_step::RecoveryBy::Model => "the model chose",
        agent::model_step::RecoveryBy::Person => "you chose",
    };
    let words = decision.words.as_deref().unwrap_or_default();
    let summary = [decision.reason.as_str(), by]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" · ");
    StepAction {
        summary: cut(&summary, MAX_TEXT_LEN),
        output: cut(words, MAX_TEXT_LEN),
        ..action("recovered", "", went_on(decision.strategy).to_owned())
    }
}

/// Describes a recovery strategy for display.
fn went_on(strategy: RecoveryStrategy) -> &'static str {
    match strategy {
        RecoveryStrategy::RetrySame => "Retried",
        RecoveryStrategy::RetrySimplified => "Retried with less context",
        RecoveryStrategy::DecomposeFurther => "Split",
        RecoveryStrategy::TryAlternative => "Tried another approach",
        RecoveryStrategy::SkipAndContinue => "Skipped",
        RecoveryStrategy::AskUser => "Asked you",
        RecoveryStrategy::Abort => "Run stopped",
    }
}

fn item(item: &Item) -> ContextItem {
    let (kind, title) = match &item.kind {
        ItemKind::Summary { task } => ("summary", task.clone()),
        ItemKind::Note => ("note", String::new()),
        ItemKind::File {
            path,
            from_line: 0,
            to_line: 0,
        } => ("file", path.clone()),
        ItemKind::File {
            path,
            from_line,
            to_line,
        } => ("file", format!("{path}, lines {from_line}–{to_line}")),
        ItemKind::Missing { path } => ("missing", path.clone()),
        ItemKind::Fact { .. } => ("fact", String::new()),
    };
    ContextItem {
        kind: kind.to_owned(),
        title: cut(&title, MAX_TITLE_LEN),
        reason: item.reason.clone(),
        tokens: item.tokens,
        text: cut(&item.text, MAX_TEXT),
    }
}
