//! The receipt of a run: the work done, the evidence for it, and the cost. It is derived from the
//! journal alone, so it can be regenerated at any time.

use gate::answers::{Answer, Grant};
use serde::{Deserialize, Serialize};

use crate::journal::{CallOutcome, EndState, Entry};
use crate::model_step::{RecoveryDecision, Report};
use crate::run::state::{HandOver, Standing, State, TaskState};
use crate::verification::FileHashes;

/// A journal entry with the wall-clock time at which it was written, in milliseconds since 1970.
pub type Timed = (i64, Entry);

/// The summary of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// The approved revision.
    pub revision: String,
    /// The approval policy, which says how often the run asks.
    pub policy: String,
    /// The sandbox used by the last process of the run.
    pub sandbox: String,
    /// The state of the run; `interrupted` if its last process did not stop on purpose.
    pub state: String,
    /// Time of the first entry, in milliseconds since 1970.
    pub started_at_ms: i64,
    /// Time of the last entry, in milliseconds since 1970.
    pub ended_at_ms: i64,
    /// Maximum number of steps that ran in parallel.
    #[serde(default = "crate::journal::one")]
    pub parallel: u8,
    /// Active time in tools, checks and model requests, in milliseconds, not counting the time
    /// waiting for people. The times of parallel steps are added up, so the sum can exceed the
    /// elapsed time.
    pub work_ms: u64,
    /// Number of model turns.
    pub turns: u32,
    /// Tokens sent to models.
    pub tokens_in: u64,
    /// Tokens received from models.
    pub tokens_out: u64,
    /// Other remarks about the run, one sentence each: answers about changes and ticks in the plan
    /// file, damage to the record, why the run stopped.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Results of the checks that ran before the run changed anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub baseline: Vec<Evidence>,
    /// The steps, in the order in which they started, followed by those that never did.
    pub steps: Vec<StepReceipt>,
}

/// The summary of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepReceipt {
    /// The step's id.
    pub task: String,
    /// `done`, `unverified`, `failed`, `refused`, `skipped`, `waiting` or `running`.
    pub state: String,
    /// Why the step failed, was skipped, or was allowed in spite of the quality gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Number of attempts.
    pub attempts: u32,
    /// When the step started, in milliseconds since 1970; absent if it never did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at_ms: Option<i64>,
    /// When the step last ended, in milliseconds since 1970; absent if it has not ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at_ms: Option<i64>,
    /// The steps that ran in parallel with this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<String>,
    /// Active time in tools, checks and model requests, in milliseconds.
    pub work_ms: u64,
    /// Number of model turns.
    pub turns: u32,
    /// Tokens sent to models.
    pub tokens_in: u64,
    /// Tokens received from models.
    pub tokens_out: u64,
    /// Workspace paths that the step changed.
    pub changes: Vec<String>,
    /// Number of changed files that Git ignores.
    #[serde(default)]
    pub ignored_changes: usize,
    /// SHA-256 of the unified diff of the step's changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff_hash: Option<String>,
    /// Whether the step's changes were undone.
    pub undone: bool,
    /// The name of the user-defined command or agent that carried out the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handed_to: Option<HandOver>,
    /// The report of the model that carried out the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Report>,
    /// Whether the report was inferred from the model's actions because the model gave none.
    #[serde(default)]
    pub inferred: bool,
    /// The failures along the way, and how the step recovered from each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recoveries: Vec<RecoveryDecision>,
    /// Warnings from verification, such as a flaky check or a check that the step edited.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The evidence that the step is done.
    pub evidence: Vec<Evidence>,
}

/// One piece of evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// `check` (a `verify:` line), `baseline` (a check before the first edit), `call` (a tool), or
    /// `signature` (a person).
    pub kind: String,
    /// Whether it supports the claim that the step is done.
    pub ok: bool,
    /// A one-sentence summary.
    pub summary: String,
    /// The tool, for evidence from a call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The exit code of the command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The end of the command's output.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub output: String,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// When it was recorded, in milliseconds since 1970.
    pub at_ms: i64,
    /// Whether the outcome was determined after a crash.
    pub recovered: bool,
    /// Whether the check also failed, with no change in between.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flaky: bool,
    /// The file that the call changed: its path, and its SHA-256 before and after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<FileHashes>,
}

/// Builds the receipt; `None` if the journal doesn't begin with [`Entry::Started`].
pub fn receipt(journal: &[Timed]) -> Option<Receipt> {
    let entries: Vec<Entry> = journal.iter().map(|(_, entry)| entry.clone()).collect();
    let state = State::replay(&entries)?;
    let not_begun = state.tasks.keys().filter(|id| !state.order.contains(id));
    let ids = state.order.iter().chain(not_begun);
    let steps = ids.filter_map(|id| Some(step(id, state.tasks.get(id)?, journal)));
    let steps: Vec<StepReceipt> = steps.collect();
    let baseline = journal.iter().filter_map(|(at, entry)| match entry {
        Entry::BaselineChecked { outcome, .. } => Some(of_outcome("baseline", *at, outcome)),
        _ => None,
    });
    Some(Receipt {
        revision: state.started.revision.clone(),
        policy: state.started.policy.as_str().to_owned(),
        sandbox: state.sandbox.clone(),
        state: state
            .ended
            .map_or("interrupted", |(end, _)| end.as_str())
            .to_owned(),
        started_at_ms: journal.first().map_or(0, |(at, _)| *at),
        ended_at_ms: journal.last().map_or(0, |(at, _)| *at),
        parallel: state.started.parallel,
        work_ms: steps.iter().map(|step| step.work_ms).sum(),
        turns: steps.iter().map(|step| step.turns).sum(),
        tokens_in: steps.iter().map(|step| step.tokens_in).sum(),
        tokens_out: steps.iter().map(|step| step.tokens_out).sum(),
        notes: notes(journal),
        baseline: baseline.collect(),
        steps,
    })
}

/// The remark for an entry that belongs to no step.
fn note((_, entry): &Timed) -> Option<String> {
    Some(match entry {
        Entry::ChangesKept { changes, .. } => format!(
            "The plan file changed ({}); a person chose to continue with the approved plan",
            changes.join(", ")
        ),
        Entry::ClaimsAnswered { tasks } => format!(
            "The plan file didn't match the run's record; a person was asked about {}",
            tasks.join(", ")
        ),
        Entry::Answered {
            task,
            answer: Answer::Permission { grant, .. },
            permission,
            ..
        } => {
            let danger = permission.as_ref()?.danger.as_ref()?;
            let said = match grant {
                Grant::No => "refused",
                _ => "allowed",
            };
            let (what, of) = (&danger.what, danger.subjects.join(", "));
            format!("{task} {what} ({of}); a person {said} it")
        }
        Entry::Cut => {
            "Part of the record was lost; a person was asked about each step without a record"
                .to_owned()
        }
        _ => return None,
    })
}

fn notes(journal: &[Timed]) -> Vec<String> {
    let mut notes: Vec<String> = journal.iter().filter_map(note).collect();
    if let Some((_, Entry::Ended { state, message })) = journal.last()
        && *state != EndState::Done
    {
        notes.push(message.clone());
    }
    notes
}

fn step(id: &str, state: &TaskState, journal: &[Timed]) -> StepReceipt {
    let evidence: Vec<Evidence> = journal
        .iter()
        .filter_map(|(at, entry)| evidence(id, *at, entry))
        .collect();
    let standing = match state.standing {
        Standing::Done if state.is_unverified() => "unverified",
        Standing::Done => "done",
        Standing::Failed if state.is_refused => "refused",
        Standing::Failed => "failed",
        Standing::Skipped(_) => "skipped",
        Standing::Running | Standing::Pending if state.question.is_some() => "waiting",
        Standing::Running => "running",
        Standing::Pending => "pending",
    };
    let reason = match state.standing {
        Standing::Failed | Standing::Skipped(_) => state.reason.clone(),
        Standing::Done if state.is_unverified() => {
            let verdict = state.verdict.as_ref();
            verdict.map(|verdict| verdict.reasons.join("; "))
        }
        _ => state.overridden.clone(),
    };
    StepReceipt {
        task: id.to_owned(),
        state: standing.to_owned(),
        reason,
        attempts: state.attempts,
        started_at_ms: started_at(id, journal),
        ended_at_ms: ended_at(id, journal),
        beside: state.beside.iter().cloned().collect(),
        work_ms: evidence.iter().map(|piece| piece.elapsed_ms).sum::<u64>() + state.work.elapsed_ms,
        turns: state.work.requests,
        tokens_in: state.work.usage.input,
        tokens_out: state.work.usage.output,
        handed_to: state.handed_to.clone(),
        report: state.work.report.clone(),
        inferred: state.work.is_inferred,
        recoveries: recoveries(id, journal),
        changes: state.changes.files.clone(),
        ignored_changes: state.changes.ignored,
        diff_hash: state.changes.diff_hash.clone(),
        undone: state.undone,
        notes: state.verdict.clone().unwrap_or_default().warnings,
        evidence,
    }
}

/// When a step started.
pub fn started_at(id: &str, journal: &[Timed]) -> Option<i64> {
    let mut entries = journal.iter();
    let begins = |entry: &Entry| matches!(entry, Entry::TaskStarted { task, .. } if task == id);
    let begun = entries.find(|(_, entry)| begins(entry));
    begun.map(|(at, _)| *at)
}

/// When a step last ended; `None` if it has not.
pub fn ended_at(id: &str, journal: &[Timed]) -> Option<i64> {
    let last = journal.iter().rev().find_map(|(at, entry)| match entry {
        Entry::Done { task, .. }
        | Entry::Failed { task, .. }
        | Entry::Broken { task, .. }
        | Entry::Refused { task, .. }
        | Entry::Skipped { task, .. }
        | Entry::Decided { task, .. }
            if task == id =>
        {
            Some(Some(*at))
        }
        Entry::TaskStarted { task, .. } | Entry::Retried { task } if task == id => Some(None),
        _ => None,
    });
    last.flatten()
}

fn recoveries(id: &str, journal: &[Timed]) -> Vec<RecoveryDecision> {
    let entries = journal.iter().map(|(_, entry)| entry);
    entries
        .filter_map(|entry| match entry {
            Entry::Recovered { task, decision } if task == id => Some(decision.clone()),
            _ => None,
        })
        .collect()
}

fn evidence(id: &str, at: i64, entry: &Entry) -> Option<Evidence> {
    let summary = match entry {
        Entry::Finished { task, outcome, .. } if task == id => {
            return Some(of_outcome("call", at, outcome));
        }
        Entry::Checked { task, outcome, .. } if task == id => {
            return Some(of_outcome("check", at, outcome));
        }
        Entry::Done {
            task,
            signed: Some(signature),
            ..
        } if task == id => {
            let note = signature.note.as_deref();
            note.unwrap_or("signed by a person").to_owned()
        }
        Entry::Decided { task, label } if task == id => format!("decided: {label}"),
        _ => return None,
    };
    let outcome = CallOutcome {
        ok: true,
        summary,
        ..CallOutcome::default()
    };
    Some(of_outcome("signature", at, &outcome))
}

fn of_outcome(kind: &str, at: i64, outcome: &CallOutcome) -> Evidence {
    Evidence {
        kind: kind.to_owned(),
        ok: outcome.ok,
        summary: outcome.summary.clone(),
        tool: Some(outcome.tool.clone()).filter(|tool| !tool.is_empty()),
        command: outcome.command.clone(),
        exit_code: outcome.exit_code,
        output: outcome.output.clone(),
        elapsed_ms: outcome.elapsed_ms,
        at_ms: at,
        recovered: outcome.recovered,
        flaky: outcome.is_flaky,
        file: outcome.file.as_deref().cloned(),
    }
}
