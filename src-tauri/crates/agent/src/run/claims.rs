//! Judges whether there is evidence for a model's claim that its step is done, if no check shows
//! it.
//!
//! The evidence for a step that changes something is a change to the files it names. The evidence
//! for a read-only step is that the model read what the step is about. All other steps remain
//! unverified, and a person is asked.

use gate::path::workspace_path;
use plan::{Task, ToolName};

use super::Machine;
use super::recheck::names;
use super::state::TaskState;
use crate::journal::Changes;
use crate::model_step::step_tools;
use crate::model_step::work::Work;
use crate::turn::{Call, CallResult};
use crate::verification::{NOTHING_SHOWS, Verdict, only_reads, ran_no_test};

impl Machine {
    /// Adjusts the verdict on a step that a model reported as done.
    pub(super) fn judge_claim(
        &self,
        id: &str,
        known: &TaskState,
        changes: &Changes,
        verdict: Option<Verdict>,
    ) -> Option<Verdict> {
        let mut verdict = verdict?;
        let task = self.view.task(id)?;
        if known.work.report.is_none() || known.signed.is_some() {
            return Some(verdict);
        }
        let lines = self.checks_of(task, known);
        // If nothing changed, a check is evidence only if it failed before the run. If the check
        // only searches files, it would find the text wherever the step put it.
        let is_checked = lines.iter().enumerate().any(|(at, (line, _))| {
            let ran = known.checks.get(&at);
            self.state.proofs.before(line) == Some(false)
                && (changes.files.is_empty() || !only_reads(line))
                && !ran.is_some_and(|ran| ran_no_test(&ran.output))
        });
        let is_unchecked = lines.is_empty();
        let Some(doubt) = doubt(task, &known.work, changes, is_unchecked) else {
            // The context contained everything that the step had to read.
            let was_shown =
                step_tools::is_read_only(task) && !task.files.is_empty() && lines.is_empty();
            if was_shown && verdict.reasons == [NOTHING_SHOWS] {
                verdict.is_verified = true;
                verdict.reasons.clear();
            }
            return Some(verdict);
        };
        if is_checked && !changes.is_certain {
            verdict.warnings.push(doubt);
        } else {
            verdict.is_verified = false;
            verdict
                .reasons
                .push(match lines.is_empty() || changes.is_certain {
                    true => doubt,
                    false
                        if !changes.files.is_empty()
                            && lines.iter().all(|(line, _)| only_reads(line)) =>
                    {
                        format!("{doubt}; its check only searches for text")
                    }
                    false => {
                        format!("{doubt}; its check may already have passed before the run")
                    }
                });
        }
        Some(verdict)
    }
}

/// Why the model's work isn't evidence for its claim; `None` if it is.
fn doubt(task: &Task, work: &Work, changes: &Changes, is_unchecked: bool) -> Option<String> {
    let has_changed = !changes.files.is_empty() || changes.ignored > 0;
    let ran = |(call, result): (&Call, &CallResult)| {
        result.ok && call.name == ToolName::RunCommand.as_str()
    };
    if is_unchecked && step_tools::is_command(&task.title) && !work.rounds.performed().any(ran) {
        return Some("the step asks for a command, but none was run".to_owned());
    }
    let is_named = |path: &String| {
        let name = path.rsplit('/').next().unwrap_or(path);
        task.files.iter().any(|file| lies_in(path, file))
            || task.title.contains(name)
            || task.body.contains(name)
    };
    // A step that changed a file isn't read-only, whatever it says.
    if step_tools::is_read_only(task) && !has_changed {
        return (!has_read(task, work)).then(|| match task.files.is_empty() {
            true => "nothing the model read shows that it is done".to_owned(),
            false => format!("not all of these were read: {}", task.files.join(", ")),
        });
    }
    if !has_changed {
        return Some("the model reported it as done, but nothing changed".to_owned());
    }
    if let Some(why) = changes
        .hollow
        .clone()
        .filter(|_| changes.is_certain || !step_tools::is_deletion(task))
    {
        return Some(why);
    }
    // A file that is a link is written by the name of the link, but the change appears under the
    // name of its target.
    let has_written = task.files.iter().any(|file| {
        work.rounds.performed().any(|(call, result)| {
            let path = call.text("path");
            let writes = ToolName::from_name(&call.name).is_some_and(|tool| !tool.is_read_only());
            result.ok && writes && path.is_some_and(|path| lies_in(path, file))
        })
    });
    let is_elsewhere =
        !changes.files.is_empty() && !has_written && !changes.files.iter().any(is_named);
    (is_elsewhere && !task.files.is_empty()).then(|| {
        let files = task.files.join(", ");
        format!("none of the files named in the step changed: {files}")
    })
}

/// Whether a model has read the files that the step names since its last rejected claim or, if the
/// step names none, anything at all. Before the first claim, files in the initial context count as
/// read.
pub(super) fn has_read(task: &Task, work: &Work) -> bool {
    let after = work.replies_rejected;
    let is_read = |file: &String| {
        (after == 0 && work.was_shown(&workspace_path(file)))
            || work.rounds.performed_after(after).any(|(call, result)| {
                let path = call.text("path").is_some_and(|path| lies_in(path, file));
                let line = call.text("command");
                let line = line.is_some_and(|line| names(line, &workspace_path(file)));
                let is_list = file.ends_with('/') && call.name == ToolName::ListFiles.as_str();
                result.ok && (is_list || is_a_look(&call.name)) && (path || line)
            })
    };
    match task.files.is_empty() {
        false => task.files.iter().all(is_read),
        true => {
            let mut performed = work.rounds.performed_after(after);
            (after == 0 && work.was_shown_files())
                || performed.any(|(call, result)| result.ok && is_a_look(&call.name))
        }
    }
}

/// Whether a call shows the contents of files; a list of names isn't enough.
fn is_a_look(tool: &str) -> bool {
    ToolName::from_name(tool).is_some_and(|tool| tool != ToolName::ListFiles)
}

fn lies_in(path: &str, file: &str) -> bool {
    crate::file_locks::is_inside(&workspace_path(path), &workspace_path(file))
}
