//! What earlier runs recorded of the steps that are about to be run again, and which runs are still open.
//!
//! A step that the file shows as done counts as such only where a run recorded it under the same
//! fingerprint; everything else in the file is a claim, which the run asks about. A run that was cut off
//! is resumed or discarded, and no other begins before.

use gate::words::Words;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agent::journal::{EarlierEnd, EndState, Entry, Evidence, HalfDone, PlanEdit, SkippedBy};
use agent::run::state::{Standing, State, TaskState};
use plan::graph::Graph;
use plan::{Plan, Task, TaskKind, ToolCall};

use crate::approval::{Approval, dependents};
use crate::error::Result;
use crate::lease::is_waiting;
use crate::{Workbench, journal_rows};

/// A side effect whose outcome is not known.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct UnknownOutcome {
    /// The step.
    pub task: String,
    /// The call as the plan writes it.
    pub line: String,
}

/// What became of a request to discard a run.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Discarded {
    /// The run's id.
    pub run: String,
    /// Whether it is discarded; otherwise its unknown outcomes have to be confirmed first.
    pub done: bool,
    /// What it was doing when it was cut off.
    pub unknown: Vec<UnknownOutcome>,
}

impl Workbench {
    /// What earlier runs recorded of the steps that the file shows as done, skipped or decided.
    pub(crate) fn evidence(
        &self,
        key: &str,
        approval: &Approval,
        file: &Plan,
    ) -> Result<BTreeMap<String, Evidence>> {
        let covered = approval.covered();
        let shown =
            |task: &&Task| task.children.is_empty() && (task.done || task.skipped.is_some());
        let mut open: BTreeSet<&str> = file
            .tasks
            .iter()
            .filter(shown)
            .map(|t| t.id.as_str())
            .collect();
        open.retain(|id| covered.contains_key(*id));
        let mut found = BTreeMap::new();
        for run in self.store.runs().of_plan(key)? {
            if open.is_empty() {
                break;
            }
            let journal = journal_rows::read(&self.store, &run.id)?;
            let entries: Vec<Entry> = journal.into_iter().map(|(_, entry)| entry).collect();
            let Some(state) = State::replay(&entries) else {
                continue;
            };
            // The newest run that did something with a step speaks for it.
            open.retain(|id| {
                let Some(known) = state.tasks.get(*id).filter(|known| is_over(known)) else {
                    return true;
                };
                if state.covered.get(*id) == covered.get(*id)
                    && let Some(end) = end_of(known)
                {
                    let has_passed = known.checks.values().all(|check| check.ok);
                    let evidence = match &known.earlier_run {
                        Some(run) => Evidence {
                            run: run.clone(),
                            end,
                            is_checked: known.was_checked,
                        },
                        None => Evidence {
                            run: run.id.clone(),
                            end,
                            is_checked: has_passed && !known.checks.is_empty(),
                        },
                    };
                    found.insert((*id).to_owned(), evidence);
                }
                false
            });
        }
        drop_open_gates(&approval.plan, &mut found);
        Ok(found)
    }

    /// What earlier runs carried out of the steps that the file shows as open: calls that succeeded, in
    /// steps that came to no end, or whose end the file never showed. An open box that was ticked once is
    /// the person's word to carry the step out anew.
    pub(crate) fn half_done(
        &self,
        key: &str,
        approval: &Approval,
        file: &Plan,
    ) -> Result<BTreeMap<String, HalfDone>> {
        let shown = |task: &Task| {
            let shown = file.task(&task.id);
            shown.is_some_and(|shown| shown.done || shown.skipped.is_some())
        };
        let leaves = approval.plan.leaves().map(|(_, task)| task);
        let mut open: Vec<&Task> = leaves
            .filter(|task| !task.calls.is_empty() && !shown(task))
            .collect();
        let mut found = BTreeMap::new();
        for run in self.store.runs().of_plan(key)? {
            if open.is_empty() {
                break;
            }
            let journal = journal_rows::read(&self.store, &run.id)?;
            let entries: Vec<Entry> = journal.into_iter().map(|(_, entry)| entry).collect();
            let Some(state) = State::replay(&entries) else {
                continue;
            };
            open.retain(|task| {
                let id = task.id.as_str();
                let Some(known) = state.tasks.get(id) else {
                    return true;
                };
                let tick = PlanEdit::Tick {
                    task: id.to_owned(),
                };
                if known.undone
                    || matches!(known.standing, Standing::Skipped(_))
                    || (known.standing == Standing::Done && state.edits.contains(&tick))
                {
                    return false;
                }
                let lines = carried_out(task, known, &entries);
                if lines.is_empty() {
                    return true;
                }
                let run = run.id.clone();
                found.insert(id.to_owned(), HalfDone { run, lines });
                false
            });
        }
        Ok(found)
    }

    /// Whether earlier runs have carried out everything in scope, so that there is nothing to run.
    pub(crate) fn is_carried_out(
        &self,
        key: &str,
        approval: &Approval,
        file: &Plan,
        upto: Option<&str>,
    ) -> Result<bool> {
        let scope = agent::run::scope(&approval.plan, upto);
        // The file shows at least as much as was recorded.
        let shown = |index: &usize| {
            let task = file.task(&approval.plan.tasks[*index].id);
            task.is_some_and(|task| task.done || task.skipped.is_some())
        };
        if scope.is_empty() || !scope.iter().all(shown) {
            return Ok(false);
        }
        let found = self.evidence(key, approval, file)?;
        let graph = Graph::of(&approval.plan);
        Ok(scope.iter().all(|index| {
            let task = &approval.plan.tasks[*index];
            found.contains_key(task.id.as_str())
                || is_other_branch(&approval.plan, &graph, *index, &found)
        }))
    }

    /// Refuses to begin a run of a plan while another one was cut off.
    pub(crate) fn refuse_over_interrupted(&self, key: &str) -> Result<()> {
        for run in self.store.runs().of_plan(key)? {
            let is_cut_off = match self.live_state(&run)?.as_str() {
                "interrupted" => self.has_begun(&run.id)?,
                // Somebody looked and did not say what is to become of it.
                "waiting" | "paused" | "failed" | "stopped" | "cancelled" | "not_covered"
                | "unverified" | "incomplete" => !self.unknown_outcomes(&run.id)?.is_empty(),
                _ => false,
            };
            if is_cut_off {
                return Err(err!(PlanIsRunning:
                    "run {0} of this plan was interrupted. Resume it with `planwright resume {0}`, or drop it \
                     with `planwright discard {0}`, which lists what it was doing", run.id));
            }
        }
        Ok(())
    }

    /// Ends earlier runs of a plan for good, since another one begins: what they did stays on record. Says
    /// so of those that waited for a person.
    pub(crate) fn supersede(&self, key: &str, by: &str) -> Result<Vec<String>> {
        let mut notices = Vec::new();
        for run in self.store.runs().of_plan(key)? {
            // One that is still said to be at work was cut off before it began anything.
            let is_open = Words(
                "created running waiting paused failed stopped cancelled not_covered unverified \
                incomplete",
            );
            if run.id != by && is_open.contains(run.state.as_str()) {
                self.end_for_good(&run.id, &format!("run {by} took its place"))?;
                if is_waiting(&run.state) {
                    notices.push(format!(
                        "run {} of this plan was waiting for you; it is closed, and this run takes its place",
                        run.id
                    ));
                }
            }
        }
        Ok(notices)
    }

    /// Discards a run that is not under way, so that it can never be resumed. What it was doing when it
    /// was cut off is listed first, and discarded only where `is_confirmed`.
    ///
    /// # Errors
    /// [`crate::Code::UnknownRun`]; [`crate::Code::PlanIsRunning`] while a process carries it out.
    pub fn discard(&mut self, run: &str, is_confirmed: bool) -> Result<Discarded> {
        let row = self.find_run(run)?;
        let lease = self.lease(&row.plan, Path::new(&row.workspace), &row.id)?;
        let discarded = self.discard_leased(&row.id, is_confirmed);
        self.release(lease)?;
        discarded
    }

    fn discard_leased(&self, run: &str, is_confirmed: bool) -> Result<Discarded> {
        let unknown = self.unknown_outcomes(run)?;
        let done = is_confirmed || unknown.is_empty();
        if done {
            self.end_for_good(run, "discarded by a person")?;
        }
        Ok(Discarded {
            run: run.to_owned(),
            done,
            unknown,
        })
    }

    /// Whether a run got as far as a step.
    fn has_begun(&self, run: &str) -> Result<bool> {
        let journal = journal_rows::read(&self.store, run)?;
        Ok(journal.iter().any(|(_, entry)| {
            !matches!(
                entry,
                Entry::Started(_) | Entry::Resumed { .. } | Entry::PlanChanged { .. } | Entry::Cut
            )
        }))
    }

    /// Whether a run carried anything out, was about to, or goes on where an earlier one ended.
    pub(crate) fn has_acted(&self, run: &str) -> Result<bool> {
        let journal = journal_rows::read(&self.store, run)?;
        let is_act = |entry: &Entry| match entry {
            Entry::Started(started) => !started.evidence.is_empty(),
            entry => matches!(entry, Entry::Intended { .. }),
        };
        Ok(journal.iter().any(|(_, entry)| is_act(entry)))
    }

    /// The side effects of a run that were announced and have no outcome.
    pub(crate) fn unknown_outcomes(&self, run: &str) -> Result<Vec<UnknownOutcome>> {
        let journal = journal_rows::read(&self.store, run)?;
        let entries: Vec<Entry> = journal.into_iter().map(|(_, entry)| entry).collect();
        let state = State::replay(&entries);
        let intents = state.iter().flat_map(State::open_intents);
        let unknown = intents.map(|(task, _, intent)| UnknownOutcome {
            task: task.to_owned(),
            line: intent.line.clone(),
        });
        Ok(unknown.collect())
    }

    fn end_for_good(&self, run: &str, message: &str) -> Result<()> {
        let now = self.clock.now_ms();
        let state = EndState::Discarded;
        let next_seq = self.store.journal().next_seq(run)?;
        if next_seq > crate::running::FIRST_ENTRY {
            let entry = Entry::Ended {
                state,
                message: message.to_owned(),
            };
            journal_rows::append(&self.store, run, next_seq, &[entry], now)?;
        }
        Ok(self.store.runs().set_state(run, state.as_str(), now)?)
    }
}

/// The calls that succeeded in a run and that the step, as it is approved now, would make again.
fn carried_out(task: &Task, known: &TaskState, entries: &[Entry]) -> Vec<String> {
    let calls = task
        .calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok());
    let changing = calls.filter(|call| !call.tool.is_read_only());
    let again: BTreeSet<String> = changing.map(ToolCall::to_line).collect();
    let intended = entries.iter().filter_map(|entry| match entry {
        Entry::Intended {
            task: of,
            call,
            line,
            ..
        } if *of == task.id.0 => Some((*call, line)),
        _ => None,
    });
    let intended: BTreeMap<usize, &String> = intended.collect();
    let ended = known.calls.iter().filter(|(_, outcome)| outcome.ok);
    let lines = ended.filter_map(|(call, _)| intended.get(call).copied());
    lines
        .filter(|line| again.contains(*line))
        .cloned()
        .collect()
}

/// Whether a run came to a word about the step, good or bad.
fn is_over(known: &TaskState) -> bool {
    !matches!(known.standing, Standing::Pending)
}

/// What counts of it later.
fn end_of(known: &TaskState) -> Option<EarlierEnd> {
    match (&known.standing, &known.decided) {
        (Standing::Done, Some(label)) => Some(EarlierEnd::Decided {
            label: label.clone(),
        }),
        (Standing::Done, None) if !known.is_unverified() => Some(EarlierEnd::Done),
        (Standing::Skipped(SkippedBy::Person), _) => Some(EarlierEnd::Skipped {
            reason: known.reason.clone().unwrap_or_default(),
        }),
        _ => None,
    }
}

/// The answer at a gate is for the run that asked: where something behind it is left to do, it is asked
/// again.
fn drop_open_gates(plan: &Plan, found: &mut BTreeMap<String, Evidence>) {
    let graph = Graph::of(plan);
    let is_gate = |task: &Task| matches!(task.kind, TaskKind::Checkpoint | TaskKind::Decision);
    let gates: Vec<String> = plan
        .leaves()
        .filter(|(_, task)| is_gate(task))
        .filter(|(index, _)| {
            let behind = dependents(&graph, plan, *index);
            let is_left_out = |id: &plan::TaskId| {
                let at = plan.index_of(id);
                at.is_some_and(|at| is_other_branch(plan, &graph, at, found))
            };
            behind
                .iter()
                .any(|id| !found.contains_key(id.as_str()) && !is_left_out(id))
        })
        .map(|(_, task)| task.id.0.clone())
        .collect();
    for gate in gates {
        found.remove(&gate);
    }
}

/// Whether a decision that was taken leaves this leaf out.
pub(crate) fn is_other_branch(
    plan: &Plan,
    graph: &Graph,
    leaf: usize,
    found: &BTreeMap<String, Evidence>,
) -> bool {
    let branches = graph.branch_of(leaf);
    branches.iter().any(|(decision, _)| {
        let task = &plan.tasks[*decision];
        let Some(Evidence {
            end: EarlierEnd::Decided { label },
            ..
        }) = found.get(task.id.as_str())
        else {
            return false;
        };
        let chosen = task
            .options
            .iter()
            .position(|option| option.label == *label);
        chosen.is_some_and(|chosen| !branches.contains(&(*decision, chosen)))
    })
}
