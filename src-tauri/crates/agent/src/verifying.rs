//! Whether a step is verified: by the kind of its tools, by its own checks, and what is to be said of
//! them.
//!
//! Pure. The settings carry the names of the first description of this feature. A step that ended and
//! is not verified is *unverified*: that is a state of its own and never counted as done with evidence.
//!
//! - A check (`verify:`, else the commands of the workspace after a change) is evidence for the whole
//!   step. One that fails is run again without any change between, as often as the settings allow: where
//!   it passes then, it is *flaky* and said to be. One that ran no test passes and is evidence of nothing.
//! - An edit is evidence where the file held other bytes before and holds the intended ones after, and
//!   still differs from what the step found when the step ends.
//! - A search is evidence where it found something, or where the step says that nothing is to be found.
//! - A command is evidence by its exit code, reading by what was read.
//! - A person's signature is their word, and stands for itself.

mod edited;
mod tests_run;

use gate::word_list::WordList;
use std::collections::BTreeMap;

use plan::{Task, ToolName};
use serde::{Deserialize, Serialize};

use crate::journal::{CallOutcome, Changes};

pub use edited::{edited_checks, only_reads};
pub(crate) use tests_run::ran_no_test;

/// What is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// Whether a changed file is compared with what was intended.
    pub verify_file_changes: bool,
    /// Whether the commands of the workspace check a step that changed files and has no check of its
    /// own.
    pub run_tests_after_changes: bool,
    /// Whether a search must have found something.
    pub verify_search_results: bool,
    /// How often a check is run until it passes, without a change between; 0 switches verification
    /// off.
    pub max_verification_attempts: u32,
}

/// The most that [`Verification::max_verification_attempts`] can be.
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
    /// Whether nothing is verified at all.
    pub fn is_off(&self) -> bool {
        self.max_verification_attempts == 0
    }
}

/// A command that checks the workspace, whatever the step says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceCheck {
    /// The command line.
    pub line: String,
    /// Whether it comes from the person's own settings; one from the workspace's file asks first.
    pub is_own: bool,
}

/// A check of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check<'a> {
    /// The command line.
    pub line: &'a str,
    /// Whether a person has said it may run: it stands in the approved step or in their settings.
    pub is_named: bool,
}

/// The checks of a step in order: its own, else those of the workspace after a change.
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

/// Whether a call changed a file by itself.
fn changes(outcome: &CallOutcome) -> bool {
    matches!(
        tool(outcome),
        Some(ToolName::EditFile | ToolName::WriteFile | ToolName::DeleteFile)
    )
}

/// A file before and after one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHashes {
    /// Relative to the workspace.
    pub path: String,
    /// SHA-256 of its content before; none where there was no file.
    #[serde(default)]
    pub before: Option<String>,
    /// SHA-256 of its content after, as read back from the disk; none where it is gone.
    #[serde(default)]
    pub after: Option<String>,
}

/// What verification came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether the step is verified.
    pub is_verified: bool,
    /// Why not, one short sentence each.
    #[serde(default)]
    pub reasons: Vec<String>,
    /// What is to be known beside it: a flaky check, a check that the step edited.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// All that a verdict looks at.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// The settings.
    pub verification: &'a Verification,
    /// The step.
    pub task: &'a Task,
    /// How its calls ended.
    pub calls: &'a BTreeMap<usize, CallOutcome>,
    /// The lines of its checks.
    pub lines: &'a [String],
    /// How they ended, the last time each.
    pub checks: &'a BTreeMap<usize, CallOutcome>,
    /// What it changed, as measured when it ended; `None` for a step that only looks.
    pub changes: Option<&'a Changes>,
    /// Whether a person signed it.
    pub is_signed: bool,
}

/// Why a step is not verified whose calls show nothing.
pub(crate) const NOTHING_SHOWS: &str = "nothing in it shows that it is done";

/// Judges a step that has ended well.
pub fn verdict(ground: &Ground<'_>) -> Verdict {
    let mut warnings = warnings(ground);
    let mut reasons = Vec::new();
    let found = by_tools(ground);
    let ran: Vec<_> = (0..ground.lines.len())
        .map(|at| ground.checks.get(&at))
        .collect();
    let has_passed = ran.iter().all(|ran| ran.is_some_and(|ran| ran.ok));
    let mut passed = ran.iter().flatten();
    let is_checked = has_passed && passed.any(|ran| !ran_no_test(&ran.output));
    if ground.is_signed {
        // Their word stands for itself.
    } else if ground.verification.is_off() {
        reasons.push("verification is switched off (maxVerificationAttempts is 0)".to_owned());
    } else if is_checked {
        warnings.extend(found.doubts);
    } else {
        reasons = found.doubts;
        if found.evidence == 0 {
            reasons.extend(found.unseen);
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

/// The end of a warning of a check that cannot be relied on.
const FLAKY: &str = " is flaky: it failed, and passed when it was run again without a change";

/// How the warning begins that a step changed what checks it.
const EDITED: &str = "the check was edited in this step";

impl Verdict {
    /// Whether a check of the step had failed and passed without a change in between.
    pub fn is_flaky(&self) -> bool {
        let mut warnings = self.warnings.iter();
        warnings.any(|warning| warning.ends_with(FLAKY))
    }

    /// Whether the step changed what checks it.
    pub fn is_check_edited(&self) -> bool {
        let mut warnings = self.warnings.iter();
        warnings.any(|warning| warning.starts_with(EDITED))
    }
}

fn warnings(ground: &Ground<'_>) -> Vec<String> {
    let lines = ground.lines.iter().enumerate();
    let flaky = lines.filter(|(at, _)| ground.checks.get(at).is_some_and(|ran| ran.is_flaky));
    let mut warnings: Vec<String> = flaky.map(|(_, line)| format!("`{line}`{FLAKY}")).collect();
    let lines = ground.lines.iter().enumerate();
    let idle = lines.filter(|(at, _)| {
        let ran = ground.checks.get(at).filter(|ran| ran.ok);
        ran.is_some_and(|ran| ran_no_test(&ran.output))
    });
    warnings.extend(idle.map(|(_, line)| format!("`{line}` ran no test")));
    let changed = ground.changes.map(|changes| changes.files.as_slice());
    let edited = edited_checks(
        ground.lines,
        changed.unwrap_or_default(),
        &ground.task.files,
    );
    if !edited.is_empty() && !ground.is_signed {
        warnings.push(format!("{EDITED}: {}", edited.join(", ")));
    }
    warnings
}

#[derive(Default)]
struct Found {
    /// Calls that speak for the step.
    evidence: usize,
    /// What speaks against it.
    doubts: Vec<String>,
    /// What was not looked at, since the settings say so.
    unseen: Vec<String>,
}

fn by_tools(ground: &Ground<'_>) -> Found {
    let settings = ground.verification;
    let mut found = Found::default();
    let mut files: BTreeMap<&str, (Option<&str>, Option<&str>)> = BTreeMap::new();
    let (mut searches, mut hits) = (0_usize, 0_usize);
    for outcome in ground.calls.values().filter(|outcome| outcome.ok) {
        match tool(outcome) {
            Some(ToolName::EditFile | ToolName::WriteFile | ToolName::DeleteFile) => {
                if !settings.verify_file_changes {
                    let why = "changed files are not verified (verifyFileChanges is off)";
                    if !found.unseen.iter().any(|said| said == why) {
                        found.unseen.push(why.to_owned());
                    }
                } else if let Some(file) = &outcome.file {
                    if file.before == file.after && tool(outcome) == Some(ToolName::EditFile) {
                        found
                            .doubts
                            .push(format!("the edit of `{}` changed nothing", file.path));
                    }
                    found.evidence += 1;
                    let ends = files
                        .entry(file.path.as_str())
                        .or_insert((file.before.as_deref(), None));
                    ends.1 = file.after.as_deref();
                } else {
                    // Written down before hashes were kept.
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
            found.unseen.push(why.to_owned());
        } else if hits > 0 || wants_nothing(ground.task) {
            found.evidence += 1;
        } else {
            found.doubts.push(match searches {
                1 => "its search found nothing".to_owned(),
                _ => "none of its searches found anything".to_owned(),
            });
        }
    }
    if let Some(changes) = ground.changes.filter(|changes| changes.ignored == 0) {
        for (path, (before, after)) in files {
            if before != after && !changes.files.iter().any(|changed| changed == path) {
                found.doubts.push(format!(
                    "`{path}` reads as it did before the step, though the step changed it"
                ));
            }
        }
    }
    found
}

/// Whether the step says that a search is to find nothing, or that it may.
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
