//! Decides whether a step is verified, from its tool calls and its checks, with reasons and
//! warnings.
//!
//! A pure function of its input. A step that ended without being verified is *unverified*, a
//! separate state that never counts as done with evidence.
//!
//! - A check (`verify:`, or the workspace's own commands after a change) is evidence for the whole
//!   step. A failed check is rerun without any change, as often as the settings allow; if it then
//!   passes, it is reported as *flaky*. A check that passes without running any test is not
//!   evidence.
//! - An edit is evidence if it changed the file's bytes to the intended ones and the file still
//!   differs from its original content when the step ends.
//! - A search is evidence if it found something, or if the step says that it may find nothing.
//! - A successful command or read is evidence.
//! - A person's signature needs no other evidence.

mod edited_checks;
mod tests_run;

use plan::word_list::WordList;
use std::collections::BTreeMap;

use plan::{Task, ToolName};
use serde::{Deserialize, Serialize};

use crate::journal::{CallOutcome, Changes};

pub use edited_checks::{edited_checks, only_reads};
pub(crate) use tests_run::ran_no_test;

/// The verification settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// Whether to compare the content of a changed file with the intended content.
    pub verify_file_changes: bool,
    /// Whether the workspace's commands check a step that changed files and has no check of its
    /// own.
    pub run_tests_after_changes: bool,
    /// Whether a search is evidence only if it found something.
    pub verify_search_results: bool,
    /// How many times to run a check, with no change in between, until it passes; 0 turns
    /// verification off.
    pub max_verification_attempts: u32,
}

/// Upper limit of [`Verification::max_verification_attempts`].
pub const MAX_ATTEMPTS: u32 = 5;

impl Default for Verification {
    fn default() -> Self {
        Self {
            verify_file_changes: true,
            run_tests_after_changes: true,
            verify_search_results: true,
            max_verification_attempts: 2,
        }
    }
}

impl Verification {
    /// Whether verification is turned off.
    pub fn is_off(&self) -> bool {
        self.max_verification_attempts == 0
    }
}

/// A command that checks the workspace as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceCheck {
    /// The command line to run.
    pub line: String,
    /// Whether the command comes from the user's settings. A command from the workspace's settings
    /// needs approval.
    pub is_own: bool,
}

/// A check of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check<'a> {
    /// The command line to run.
    pub line: &'a str,
    /// Whether a person has approved the command line, in the step or in the settings.
    pub is_named: bool,
}

/// The checks of a step, in order: its own or, if it has none and changed files, those of the
/// workspace.
pub fn checks<'a>(
    verification: &Verification,
    task: &'a Task,
    calls: &BTreeMap<usize, CallOutcome>,
    of_workspace: &'a [WorkspaceCheck],
) -> Vec<Check<'a>> {
    if verification.is_off() {
        return Vec::new();
    }
    if !task.verify.is_empty() {
        let own = task.verify.iter();
        return own
            .map(|line| Check {
                line,
                is_named: true,
            })
            .collect();
    }
    let has_changed = calls.values().any(|outcome| outcome.ok && changes(outcome));
    if !verification.run_tests_after_changes || !has_changed {
        return Vec::new();
    }
    of_workspace
        .iter()
        .map(|check| Check {
            line: &check.line,
            is_named: check.is_own,
        })
        .collect()
}

fn tool(outcome: &CallOutcome) -> Option<ToolName> {
    ToolName::from_name(&outcome.tool)
}

/// Whether the call's tool changes files itself, unlike a command.
fn changes(outcome: &CallOutcome) -> bool {
    matches!(
        tool(outcome),
        Some(ToolName::EditFile | ToolName::WriteFile | ToolName::DeleteFile)
    )
}

/// A file's hashes before and after a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHashes {
    /// The file's path, relative to the workspace.
    pub path: String,
    /// SHA-256 of the content before the call; `None` if there was no file.
    #[serde(default)]
    pub before: Option<String>,
    /// SHA-256 of the content after the call, as read back from disk; `None` if the file was
    /// deleted.
    #[serde(default)]
    pub after: Option<String>,
}

/// The verdict on a step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether the step is verified.
    pub is_verified: bool,
    /// The reasons if it isn't verified, one short sentence each.
    #[serde(default)]
    pub reasons: Vec<String>,
    /// Warnings, such as a flaky check or a check that the step edited.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// The input for a verdict.
#[derive(Debug, Clone, Copy)]
pub struct VerdictInput<'a> {
    /// The settings for verification.
    pub verification: &'a Verification,
    /// The step to judge.
    pub task: &'a Task,
    /// The outcomes of the step's calls.
    pub calls: &'a BTreeMap<usize, CallOutcome>,
    /// The command lines of the step's checks.
    pub lines: &'a [String],
    /// The latest outcome of each check.
    pub checks: &'a BTreeMap<usize, CallOutcome>,
    /// The step's changes, measured when it ended; `None` for a read-only step.
    pub changes: Option<&'a Changes>,
    /// Whether a person signed the step.
    pub is_signed: bool,
}

/// The reason given if none of the calls is evidence for the step.
pub(crate) const NOTHING_SHOWS: &str = "there is no evidence that it is done";

/// Judges a step that ended without failing.
pub fn verdict(input: &VerdictInput<'_>) -> Verdict {
    let mut warnings = warnings(input);
    let mut reasons = Vec::new();
    let found = by_tools(input);
    let ran: Vec<_> = (0..input.lines.len())
        .map(|at| input.checks.get(&at))
        .collect();
    let has_passed = ran.iter().all(|ran| ran.is_some_and(|ran| ran.ok));
    let mut passed = ran.iter().flatten();
    let is_checked = has_passed && passed.any(|ran| !ran_no_test(&ran.output));
    if input.is_signed {
        // A signature needs no other evidence.
    } else if input.verification.is_off() {
        reasons.push("verification is off (maxVerificationAttempts is 0)".to_owned());
    } else if is_checked {
        warnings.extend(found.doubts);
    } else {
        reasons = found.doubts;
        if found.evidence == 0 {
            reasons.extend(found.skipped);
            if reasons.is_empty() {
                reasons.push(NOTHING_SHOWS.to_owned());
            }
        }
    }
    Verdict {
        is_verified: reasons.is_empty(),
        reasons,
        warnings,
    }
}

const FLAKY: &str = "` is flaky: it failed, ";

/// Prefix of the warning that a step edited its own check.
const EDITED: &str = "the check was edited in this step";

impl Verdict {
    /// Whether a check of the step failed and then passed with no change in between.
    pub fn is_flaky(&self) -> bool {
        let mut warnings = self.warnings.iter();
        warnings.any(|warning| warning.contains(FLAKY))
    }

    /// Whether the step edited its own check.
    pub fn is_check_edited(&self) -> bool {
        let mut warnings = self.warnings.iter();
        warnings.any(|warning| warning.starts_with(EDITED))
    }
}

fn warnings(input: &VerdictInput<'_>) -> Vec<String> {
    let lines = input.lines.iter().enumerate();
    let flaky = lines.filter(|(at, _)| input.checks.get(at).is_some_and(|ran| ran.is_flaky));
    let mut warnings: Vec<String> = flaky
        .map(|(_, line)| format!("`{line}{FLAKY}then passed without changes"))
        .collect();
    let lines = input.lines.iter().enumerate();
    let idle = lines.filter(|(at, _)| {
        let ran = input.checks.get(at).filter(|ran| ran.ok);
        ran.is_some_and(|ran| ran_no_test(&ran.output))
    });
    warnings.extend(idle.map(|(_, line)| format!("`{line}` ran no tests")));
    let changed = input.changes.map(|changes| changes.files.as_slice());
    let edited = edited_checks(input.lines, changed.unwrap_or_default(), &input.task.files);
    if !edited.is_empty() && !input.is_signed {
        warnings.push(format!("{EDITED}: {}", edited.join(", ")));
    }
    warnings
}

#[derive(Default)]
struct ToolEvidence {
    evidence: usize,
    doubts: Vec<String>,
    /// Remarks about verification that is turned off in the settings.
    skipped: Vec<String>,
}

fn by_tools(input: &VerdictInput<'_>) -> ToolEvidence {
    let settings = input.verification;
    let mut found = ToolEvidence::default();
    let mut files: BTreeMap<&str, (Option<&str>, Option<&str>)> = BTreeMap::new();
    let (mut searches, mut hits) = (0_usize, 0_usize);
    for outcome in input.calls.values().filter(|outcome| outcome.ok) {
        match tool(outcome) {
            Some(ToolName::EditFile | ToolName::WriteFile | ToolName::DeleteFile) => {
                if !settings.verify_file_changes {
                    let why = "changed files are not verified (verifyFileChanges is off)";
                    if !found.skipped.iter().any(|said| said == why) {
                        found.skipped.push(why.to_owned());
                    }
                } else if let Some(file) = &outcome.file {
                    if file.before == file.after && tool(outcome) == Some(ToolName::EditFile) {
                        found
                            .doubts
                            .push(format!("the edit to `{}` changed nothing", file.path));
                    }
                    found.evidence += 1;
                    let ends = files
                        .entry(file.path.as_str())
                        .or_insert((file.before.as_deref(), None));
                    ends.1 = file.after.as_deref();
                } else {
                    // The call was recorded before hashes were stored.
                    found.evidence += 1;
                }
            }
            Some(ToolName::SearchFiles) => {
                searches += 1;
                hits += usize::from(outcome.hits.is_none_or(|hits| hits > 0));
            }
            Some(ToolName::GitStatus) if outcome.hits == Some(0) => {
                found.doubts.push(outcome.summary.clone());
            }
            Some(_) => found.evidence += 1,
            None => {}
        }
    }
    if searches > 0 {
        if !settings.verify_search_results {
            let why = "search results are not verified (verifySearchResults is off)";
            found.skipped.push(why.to_owned());
        } else if hits > 0 || wants_nothing(input.task) {
            found.evidence += 1;
        } else {
            found.doubts.push(match searches {
                1 => "its search found nothing".to_owned(),
                _ => "none of its searches found anything".to_owned(),
            });
        }
    }
    if let Some(changes) = input.changes.filter(|changes| changes.ignored == 0) {
        for (path, (before, after)) in files {
            if before != after && !changes.files.iter().any(|changed| changed == path) {
                found
                    .doubts
                    .push(format!("`{path}` was changed, then changed back"));
            }
        }
    }
    found
}

/// Whether the step's text says that a search should find nothing or may find nothing.
fn wants_nothing(task: &Task) -> bool {
    const WORDS: WordList = WordList(
        "none nothing no nowhere still left leftover leftovers remaining remains unused gone any \
        whether longer without other",
    );
    let texts = std::iter::once(&task.title).chain(&task.accept);
    texts
        .flat_map(|text| text.split(|letter: char| !letter.is_alphanumeric()))
        .any(|word| WORDS.contains(word.to_lowercase().as_str()))
}
