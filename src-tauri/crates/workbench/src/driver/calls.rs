//! Calls and checks: preparing and performing them, and examining them after a crash.
//!
//! A write is examined by comparing content hashes with those before and after. A command is
//! examined by the outcome record that its helper writes at the end. If there is none, the command
//! was interrupted. A sandboxed command can change only the workspace, so its changes are undone
//! from the snapshot taken before it, and it can then run once from the start.
//!
//! Long because: preparing, performing and examining a side effect belong together.

use std::path::PathBuf;
use std::time::Instant;

use agent::envelope::elide_middle;
use agent::file_locks;
use agent::journal::CallOutcome;
use agent::run::state::{State, TaskState};
use agent::run::{Event, Examined, Machine};
use gate::{Act, Bearer, Permit, own_act};
use plan::{CommandLine, ToolCall, ToolName};
use serde::{Deserialize, Serialize};
use store::Phase;
use tools::ToolError;
use tools::checkpoint::Snapshot;
use tools::files::{self, Situation, WriteRecord};
use tools::sandbox::{
    self, CommandOutcome, CommandSpec, Exit, Mode, OutcomeRecord, SandboxError, Tier,
};

use super::changes::check_snapshot_name;
use super::outcomes::{command_of, command_text, failed, of_command, written};
use super::read_calls::look;
use super::{Driver, Pending, stale_files};
use crate::clock::millis;
use crate::error::{Code, Error, Result};
use crate::text::counted;

/// Maximum number of output folders that a confined command may write to.
const MAX_OUTPUT_FOLDERS: usize = 100;

/// The time limit of a baseline check, in seconds.
pub(super) const BASELINE_SECONDS: u64 = 60;

/// The data for examining a call after a crash, stored as JSON in the journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Record {
    Write(WriteRecord),
    Command(CommandRecord),
}

/// The data for examining a command.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CommandRecord {
    /// The name of the snapshot taken before it.
    pub(super) snapshot: String,
    /// The file name of its outcome record.
    outcome: String,
    /// The marker by which its processes are found.
    marker: String,
    sandboxed: bool,
    /// The workspace paths that it may write; `None` for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    writable: Option<Vec<String>>,
}

impl Driver<'_> {
    pub(super) fn prepare(
        &mut self,
        machine: &Machine,
        task: &str,
        call: usize,
        tool: &ToolCall,
    ) -> Event {
        let prepared = match tool.tool {
            ToolName::RunCommand => self.prepare_command(machine, task, call),
            _ => files::prepare(&self.workspace, tool)
                .map_err(Error::from)
                .and_then(|prepared| {
                    stale_files::refuse(machine, &self.workspace, (task, call), tool, &prepared)?;
                    let record = Record::Write(prepared.record.clone());
                    self.prepared
                        .insert(task.to_owned(), Pending::Write(prepared));
                    Ok(record)
                }),
        };
        let record = prepared.and_then(|record| {
            serde_json::to_value(record).map_err(|error| Error::from_cause(Code::Failed, error))
        });
        match record {
            Ok(record) => Event::Prepared { record },
            Err(error) => Event::NotPrepared {
                reason: self.with_real_paths(tool, &error.message),
            },
        }
    }

    fn prepare_command(&mut self, machine: &Machine, task: &str, call: usize) -> Result<Record> {
        let name = format!("{task}/call-{call}");
        let before = self.snapshot_now(&name, Phase::Before)?;
        let marker = format!("{}-{task}-{call}", self.run);
        let outcome = format!("{}.json", crate::ids::random(16)?);
        let sandboxed = self.sandbox.tier() != Tier::None;
        let record = CommandRecord {
            snapshot: name,
            outcome,
            marker,
            sandboxed,
            writable: writable(machine.state(), task, &before),
        };
        self.prepared
            .insert(task.to_owned(), Pending::Command(record.clone()));
        Ok(Record::Command(record))
    }

    pub(super) fn perform(
        &mut self,
        machine: &mut Machine,
        task: &str,
        call: usize,
        tool: &ToolCall,
        permit: &Permit,
    ) -> Result<Event> {
        self.shown_bytes = self.bytes_for_model(machine, task, call);
        let is_model = self.shown_bytes.is_some();
        let began = Instant::now();
        let mut outcome = match (self.prepared.remove(task), tool.tool) {
            (Some(Pending::Write(prepared)), _) => self.write(permit, &prepared, tool),
            (Some(Pending::Command(record)), _) => {
                let line = tool.string("command").unwrap_or_default().to_owned();
                let timeout_s = tool.integer("timeout_s");
                let mut outcome =
                    self.command(machine, (task, permit), &line, Some(&record), timeout_s)?;
                let before = self.kept_snapshot(&record.snapshot, Phase::Before)?;
                outcome.lost = self.lost_since(machine, task, before)?;
                outcome
            }
            (None, _) => look(&self.workspace, &self.plan.relative, tool, self.shown_bytes),
        };
        if outcome.elapsed_ms == 0 {
            outcome.elapsed_ms = millis(began.elapsed());
        }
        self.tell_model(&mut outcome, tool, is_model);
        self.shown_bytes = None;
        Ok(Event::Performed { outcome })
    }

    /// Runs a check. Files that it destroyed can be restored, even if the step is done or hasn't
    /// started.
    pub(super) fn check(
        &mut self,
        machine: &mut Machine,
        (task, permit): (&str, &Permit),
        line: &str,
        timeout_s: Option<u64>,
    ) -> Result<Event> {
        let before = self.take_snapshot(self.latest.as_ref())?;
        let mut outcome = self.command(machine, (task, permit), line, None, timeout_s)?;
        outcome.lost = self.lost_since(machine, task, Some(before.clone()))?;
        if outcome.lost.is_some() {
            self.store_snapshot(&check_snapshot_name(task), Phase::Before, &before)?;
        }
        Ok(Event::Performed { outcome })
    }

    /// Commits exactly the prepared write.
    fn write(&self, permit: &Permit, prepared: &files::Prepared, tool: &ToolCall) -> CallOutcome {
        match files::commit(permit, &self.workspace, prepared) {
            Ok(_) => match files::examine(&self.workspace, &prepared.record) {
                Ok(Situation::Done) => written(tool.tool, &prepared.record, false),
                Ok(_) => failed(format!(
                    "another program changed {} right after it was written",
                    prepared.record.path
                )),
                Err(error) => failed_by_disk(&error),
            },
            Err(error) => failed_by_disk(&error),
        }
    }

    fn command(
        &mut self,
        machine: &mut Machine,
        (task, permit): (&str, &Permit),
        line: &str,
        record: Option<&CommandRecord>,
        timeout_s: Option<u64>,
    ) -> Result<CallOutcome> {
        let Some(spec) = self.command_spec(machine, task, line, record, timeout_s) else {
            return Ok(failed("the command line is empty".to_owned()));
        };
        let ran = self.run_command(machine, task, permit, &spec)?;
        let mut outcome = command_outcome(line, ran, self.shown_bytes);
        let mut above = self.workspace.path().ancestors();
        let repository = above.find(|folder| folder.join(".git").exists());
        if let Some(root) = repository.filter(|root| *root != self.workspace.path())
            && spec.commits
            && !outcome.ok
        {
            let root = root.display();
            outcome.summary.push_str(&format!(
                ". The Git repository's root is above the workspace, where steps can't write. To commit, run the \
                 plan with `--workspace {root}`"
            ));
        }
        Ok(outcome)
    }

    /// The sandbox specification of a command; `None` for an empty line.
    pub(super) fn command_spec(
        &self,
        machine: &Machine,
        task: &str,
        line: &str,
        record: Option<&CommandRecord>,
        timeout_s: Option<u64>,
    ) -> Option<CommandSpec> {
        let command = CommandLine::parse(line)?;
        let marker = record.map_or_else(
            || format!("{}-{task}-check", self.run),
            |r| r.marker.clone(),
        );
        let mut spec = CommandSpec::new(
            command,
            self.workspace.path().to_owned(),
            Mode::Exec,
            marker,
        );
        spec.protected.clone_from(&self.plan_files);
        spec.timeout = timeout_s
            .map_or(self.timeout, |seconds| {
                std::time::Duration::from_secs(seconds.max(1))
            })
            .min(self.timeout);
        // Checks get no extra rights.
        if record.is_some() {
            spec.sees_private = machine.is_written_call(task, line);
            self.hand_over(machine, task, line, &mut spec);
        }
        spec.outcome_record = record.map(|record| self.outcome_path(record));
        let writable = record.and_then(|record| record.writable.as_ref());
        spec.writable = writable.map(|paths| paths.iter().map(PathBuf::from).collect());
        Some(spec)
    }

    fn outcome_path(&self, record: &CommandRecord) -> PathBuf {
        self.home.outcomes.join(&record.outcome)
    }

    /// The permit for undoing a step at a person's request.
    pub(super) fn undo_permit(&self, task: &str) -> Permit {
        let (run, step) = (self.run.clone(), Some(task.to_owned()));
        own_act(Bearer::Run { run, step }, Act::TakeBack)
    }

    /// Determines the outcome of a side effect that was interrupted by a crash.
    pub(super) fn examine(
        &mut self,
        machine: &Machine,
        task: &str,
        call: usize,
        line: &str,
        record: &serde_json::Value,
    ) -> Event {
        // The model gets the same amount of output as without the crash.
        self.shown_bytes = self.bytes_for_model(machine, task, call);
        let examined = match Record::deserialize(record) {
            Ok(Record::Write(record)) => self.examine_write(line, &record),
            Ok(Record::Command(record)) => {
                // The person asked to examine the command, and to undo it if it is incomplete.
                let permit = self.undo_permit(task);
                self.examine_command(machine, (task, &permit), line, &record)
            }
            Err(error) => Ok(Examined::Undecidable {
                reason: format!("its journal entry is unreadable ({error})"),
            }),
        };
        self.shown_bytes = None;
        Event::Examined(examined.unwrap_or_else(|error| Examined::Undecidable {
            reason: error.message,
        }))
    }

    fn examine_write(&self, line: &str, record: &WriteRecord) -> Result<Examined> {
        Ok(match files::examine(&self.workspace, record)? {
            Situation::Done => {
                let tool = ToolCall::parse(line).map_or(ToolName::WriteFile, |call| call.tool);
                Examined::Done(written(tool, record, true))
            }
            Situation::NotDone => Examined::NotDone {
                how: format!("{} still has its original content", record.path),
            },
            Situation::Neither => Examined::Undecidable {
                reason: format!(
                    "{} has neither its original nor its intended content, so something else changed it. Check the file, then answer “repeat” or “skip”",
                    record.path
                ),
            },
        })
    }

    fn examine_command(
        &mut self,
        machine: &Machine,
        (task, permit): (&str, &Permit),
        line: &str,
        record: &CommandRecord,
    ) -> Result<Examined> {
        let lost = |error: SandboxError| Error::from_cause(Code::Failed, error);
        sandbox::kill_leftovers(&record.marker)
            .map_err(|error| Error::from_cause(Code::Failed, error))?;
        let kept = sandbox::read_outcome_record(&self.outcome_path(record)).map_err(lost)?;
        let has_ended = |kept: &OutcomeRecord| {
            kept.marker == record.marker && kept.outcome.exit != Exit::Cancelled
        };
        if let Some(kept) = kept.filter(has_ended) {
            let line = command_of(line);
            let content = self
                .shown_bytes
                .map(|bytes| elide_middle(&command_text(&kept.outcome), bytes));
            let before = self.kept_snapshot(&record.snapshot, Phase::Before)?;
            return Ok(Examined::Done(CallOutcome {
                lost: self.lost_since(machine, task, before)?,
                content,
                ..of_command(&line, &kept.outcome, true)
            }));
        }
        let Some(before) = self.kept_snapshot(&record.snapshot, Phase::Before)? else {
            return Ok(Examined::Undecidable {
                reason: "the checkpoint before it no longer exists. Check the workspace, then answer “repeat” or “skip”".to_owned(),
            });
        };
        let now = self.take_snapshot(Some(&before))?;
        let mut changes = self.changes_between(&before, &now);
        if let Some(writable) = &record.writable {
            // Changes outside these paths were made by other steps or programs.
            let is_its = |path: &str| {
                writable
                    .iter()
                    .any(|open| file_locks::is_inside(path, open))
            };
            changes.retain(|change| is_its(&change.path.to_string()));
        }
        if changes.is_empty() && !before.moved_git(&now) {
            return Ok(Examined::NotDone {
                how: "it changed nothing".to_owned(),
            });
        }
        if !record.sandboxed {
            return Ok(Examined::Undecidable {
                reason: "it ran without a sandbox and may have changed files outside the workspace. Check them, then answer “repeat” or “skip”".to_owned(),
            });
        }
        if before.moved_git(&now) {
            return Ok(Examined::Undecidable {
                reason: "it changed the Git history, which can't be undone automatically. Check `git log`, then answer “repeat” or “skip”".to_owned(),
            });
        }
        // Snapshot the current state too, so that undoing loses nothing.
        self.store_snapshot(&record.snapshot, Phase::After, &now)?;
        let restored =
            tools::checkpoint::restore(permit, &self.workspace, &self.blobs, &before, &changes)?;
        // Ignored outputs may stay incomplete, since the command will regenerate them.
        let outputs: Vec<_> = changes.iter().filter(|change| change.ignored).collect();
        let is_output = |path: &_| outputs.iter().any(|change| change.path == *path);
        let left = restored
            .not_restored
            .iter()
            .find(|left| !is_output(&left.path));
        if let Some(left) = left {
            return Ok(Examined::Undecidable {
                reason: format!(
                    "couldn't undo the changes to {} ({}). Check the file, then answer “repeat” or “skip”",
                    left.path, left.reason
                ),
            });
        }
        Ok(Examined::NotDone {
            how: format!(
                "its partial changes were undone ({})",
                counted(restored.restored.len(), "file")
            ),
        })
    }
}

/// The workspace paths that a step's commands may write while other steps run: the paths that it
/// has locked, and folders that contain only ignored outputs; `None` if they may write all.
fn writable(state: &State, task: &str, now: &Snapshot) -> Option<Vec<String>> {
    let mut writable = state.confined_to(task)?.to_vec();
    let others = state.active().filter(|other| *other != task);
    let others = others.filter_map(|other| state.tasks.get(other));
    let held: Vec<String> = others.flat_map(TaskState::held).collect();
    let outputs = now.output_folders().into_iter();
    let outputs = outputs.map(|folder| folder.to_string());
    let free = outputs.filter(|folder| !file_locks::is_locked(&held, folder));
    writable.extend(free.take(MAX_OUTPUT_FOLDERS));
    Some(writable)
}

/// Converts the result of a command, including one that couldn't be started, to an outcome.
pub(super) fn command_outcome(
    line: &str,
    ran: std::result::Result<CommandOutcome, SandboxError>,
    shown: Option<usize>,
) -> CallOutcome {
    match ran {
        Ok(outcome) => CallOutcome {
            content: shown.map(|bytes| elide_middle(&command_text(&outcome), bytes)),
            ..of_command(line, &outcome, false)
        },
        Err(error) => CallOutcome {
            command: Some(line.to_owned()),
            ..failed(error.to_string())
        },
    }
}

fn failed_by_disk(error: &ToolError) -> CallOutcome {
    CallOutcome {
        is_passing: error.is_passing(),
        ..failed(error.to_string())
    }
}
