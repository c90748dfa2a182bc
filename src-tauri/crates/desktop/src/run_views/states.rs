//! The states of a run and of each of its tasks.

use agent::journal::{CallOutcome, Entry};
use agent::run::scope;
use agent::run::state::{Standing, TaskState};
use agent::verification::Verdict;
use plan::{Task, TaskKind, ToolName};

use super::{RunRead, asking};
use crate::Shared;
use crate::runs::at_work;
use crate::wire::{RunStepSummary, RunView, TaskRunState};
use workbench::text::{number, sentence};

/// Maximum steps listed; the latest ones are kept.
const MAX_STEPS: usize = 200;

impl Shared {
    /// A summary of a run.
    pub(crate) fn run_view(&self, read: &RunRead) -> RunView {
        let (at_work, is_pausing) = self
            .live
            .with(&read.row.id, |live| (at_work(&live.heard), live.is_pausing))
            .unwrap_or_default();
        let mut at_work = at_work.into_iter();
        let questions = self.questions_of(read);
        let steps = read.summaries();
        let (done, total) = read.progress();
        RunView {
            run: read.row.id.clone(),
            plan: read.row.plan.clone(),
            title: read.plan_title(),
            workspace: read.row.workspace.clone(),
            revision: read.row.revision.clone(),
            state: read.standing.clone(),
            is_live: read.is_live,
            is_elsewhere: read.is_elsewhere,
            can_resume: read.can_resume(),
            message: read.message(is_pausing, questions.len()),
            policy: read.state.started.policy.as_str().to_owned(),
            upto: read.state.started.upto.clone(),
            sandbox: read.state.sandbox.clone(),
            done,
            total,
            work_ms: read.journal.iter().map(|(_, entry)| work_of(entry)).sum(),
            steps,
            questions,
            current: at_work.next(),
            beside: at_work.collect(),
            parallel: read.state.started.parallel,
            states: read.states(),
            next: read.next(),
            started_at_ms: read.row.created_ms,
            effort: self.effort_of(read),
            added: read.state.planning.steps,
        }
    }
}

impl RunRead {
    /// The numbers of finished steps and of all steps.
    fn progress(&self) -> (u32, u32) {
        let Some(parsed) = &self.parsed else {
            return (0, 0);
        };
        let scope = scope(&parsed.plan, self.state.started.upto.as_deref());
        scope.iter().fold((0, 0), |(done, total), index| {
            let is_over = !self.is_open(&parsed.plan.tasks[*index]);
            (done + u32::from(is_over), total + 1)
        })
    }

    /// A task's state in this run; `None` if the run hasn't reached it.
    pub(super) fn state_of(&self, id: &str) -> Option<&'static str> {
        let known = self.state.tasks.get(id)?;
        // A step with an unknown outcome has a question even if it is ticked in the file.
        let is_asked = known.question.is_some();
        Some(match known.standing {
            Standing::Done if known.is_unverified() => "unverified",
            Standing::Done => "done",
            Standing::Skipped(_) => "skipped",
            Standing::Failed if self.was_taken_back(id) => "undone",
            Standing::Failed if known.is_refused => "refused",
            Standing::Failed => "failed",
            _ if !known.intents.is_empty() && !self.lives() => "interrupted",
            _ if is_asked => "waiting",
            Standing::Running if self.lives() => "running",
            Standing::Running => "interrupted",
            Standing::Pending => return None,
        })
    }

    /// Whether the step last ended because its changes were undone.
    fn was_taken_back(&self, id: &str) -> bool {
        let mut ends = self.journal.iter().rev();
        let last = ends.find_map(|(_, entry)| match entry {
            Entry::Undone { task, .. } if task == id => Some(true),
            Entry::Failed { task, .. }
            | Entry::Broken { task, .. }
            | Entry::Refused { task, .. }
                if task == id =>
            {
                Some(false)
            }
            _ => None,
        });
        last.unwrap_or(false)
    }

    fn states(&self) -> Vec<TaskRunState> {
        let next = self.next();
        let mut states: Vec<TaskRunState> = self
            .state
            .tasks
            .iter()
            .filter_map(|(id, known)| {
                Some(TaskRunState {
                    task: id.clone(),
                    state: self.state_of(id)?.to_owned(),
                    evidence: evidence(known),
                })
            })
            .collect();
        let is_over = matches!(
            self.standing.as_str(),
            "done" | "unverified" | "incomplete" | "stopped" | "not_covered" | "discarded"
        );
        if let Some(next) = next.filter(|_| !is_over)
            && states.iter().all(|known| known.task != next)
        {
            states.push(TaskRunState {
                task: next,
                state: "ready".to_owned(),
                evidence: None,
            });
        }
        states
    }

    /// The step that comes next, after the running steps and open questions.
    pub(super) fn next(&self) -> Option<String> {
        let parsed = self.parsed.as_ref()?;
        let plan = &parsed.plan;
        let scope = scope(plan, self.state.started.upto.as_deref());
        let is_next = |index: usize, task: &Task| {
            task.kind == TaskKind::Normal
                && self.is_open(task)
                && self.state.standing(&task.id) == Standing::Pending
                && !self.is_left_out(index)
        };
        scope
            .into_iter()
            .map(|index| (index, &plan.tasks[index]))
            .find(|(index, task)| is_next(*index, task))
            .map(|(_, task)| task.id.0.clone())
    }

    /// Whether the answer to a decision, in this run or recorded in the plan, skips the task.
    fn is_left_out(&self, index: usize) -> bool {
        let Some(parsed) = &self.parsed else {
            return false;
        };
        let answer = |decision: &Task| {
            let in_run = self.state.task(&decision.id);
            let in_run = in_run.and_then(|known| known.decided.as_deref());
            in_run.or_else(|| parsed.plan.recorded_answer(decision))
        };
        let graph = parsed.graph();
        graph.skipped_by(&parsed.plan, index, answer).is_some()
    }

    fn summaries(&self) -> Vec<RunStepSummary> {
        let begun = self.state.order.iter();
        let others = self.state.tasks.keys();
        let others = others.filter(|id| !self.state.order.contains(id));
        let all: Vec<&String> = begun.chain(others).collect();
        let mut newest = all[all.len().saturating_sub(MAX_STEPS)..].to_vec();
        // In outline order; tasks no longer in the plan come last.
        newest.sort_by_key(|id| {
            let parsed = self.parsed.as_ref();
            parsed
                .and_then(|plan| plan.index_of(id))
                .unwrap_or(usize::MAX)
        });
        let steps = newest.iter().filter_map(|id| {
            let known = self.state.tasks.get(*id)?;
            Some(RunStepSummary {
                task: (*id).clone(),
                title: self.title(id),
                state: self.state_of(id)?.to_owned(),
                reason: reason(known),
                changes: number(known.changes.files.len()),
                work_ms: self.work_of(id),
            })
        });
        steps.collect()
    }

    pub(super) fn work_of(&self, id: &str) -> u64 {
        let entries = self.journal.iter().map(|(_, entry)| entry);
        entries
            .filter(|entry| match entry {
                Entry::Finished { task, .. }
                | Entry::Checked { task, .. }
                | Entry::Replied { task, .. } => task == id,
                _ => false,
            })
            .map(work_of)
            .sum()
    }

    fn message(&self, is_pausing: bool, questions: usize) -> String {
        let ended = self.state.ended.as_ref();
        let waiting = match questions {
            0 => String::new(),
            1 => " One question is waiting on you.".to_owned(),
            many => format!(" {many} questions are waiting on you."),
        };
        match self.standing.as_str() {
            "running" if self.is_elsewhere => {
                format!("This run is open in another window or terminal.{waiting}")
            }
            "running" if is_pausing => "Pausing after the current step.".to_owned(),
            "running" => format!("Running.{waiting}"),
            "waiting" => format!("Waiting.{waiting}"),
            "paused" if self.state.started.choice.host.is_some() => {
                ended.map_or_else(String::new, |(_, message)| sentence(message))
            }
            "paused" => "Paused. Resume to continue with the next step.".to_owned(),
            "interrupted" => {
                format!("The step in progress did not finish.{waiting} Resume to continue.")
            }
            "done" => ended.map_or_else(String::new, |(_, message)| sentence(message)),
            "stopped" => match ended {
                Some((_, message)) if message.starts_with("stopped") => sentence(message),
                _ => "Stopped. Resume to continue.".to_owned(),
            },
            _ => ended.map_or_else(String::new, |(_, message)| sentence(message)),
        }
    }
}

/// Why a step failed, was skipped, is unverified, or was allowed despite the quality gate.
pub(super) fn reason(known: &TaskState) -> Option<String> {
    match known.standing {
        Standing::Failed | Standing::Skipped(_) => known.reason.clone(),
        Standing::Done if known.is_unverified() => {
            let verdict = known.verdict.as_ref();
            verdict.map(|verdict| verdict.reasons.join("; "))
        }
        _ => known.overridden.clone(),
    }
}

fn work_of(entry: &Entry) -> u64 {
    match entry {
        Entry::Finished { outcome, .. } | Entry::Checked { outcome, .. } => outcome.elapsed_ms,
        Entry::Replied { reply, .. } => reply.elapsed_ms,
        _ => 0,
    }
}

/// The evidence that a step is done, as a short phrase.
fn evidence(known: &TaskState) -> Option<String> {
    if known.standing != Standing::Done {
        return None;
    }
    if let Some(label) = &known.decided {
        return Some(format!("decided: {label}"));
    }
    if known.signed.is_some() {
        return Some("signed".to_owned());
    }
    if known.is_unverified() {
        return Some("unverified".to_owned());
    }
    // A check is flaky even if it passes when run again later.
    if known.verdict.as_ref().is_some_and(Verdict::is_flaky) {
        return Some("flaky check".to_owned());
    }
    if known.verdict.as_ref().is_some_and(Verdict::is_check_edited) {
        return Some("check edited".to_owned());
    }
    let exit = |outcome: &CallOutcome| outcome.exit_code.map(|code| format!("exit {code}"));
    let checked = known.checks.values().next_back().and_then(exit);
    let searched = || {
        let mut calls = known.calls.values().rev();
        calls.find_map(|outcome| {
            let found = asking::hits(outcome)?;
            Some(format!("evidence: {found}"))
        })
    };
    let ran = || known.calls.values().next_back().and_then(exit);
    let files = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 file {what}")),
        many => Some(format!("{many} files {what}")),
    };
    let is_read =
        |outcome: &&CallOutcome| outcome.ok && outcome.tool == ToolName::ReadFile.as_str();
    let changed = || files(known.changes.files.len(), "changed");
    let read = || files(known.calls.values().filter(is_read).count(), "read");
    checked
        .or_else(searched)
        .or_else(ran)
        .or_else(changed)
        .or_else(read)
}
