//! Determines what an approval covers by comparing a snapshot of the revision that a person named
//! with the file.
//!
//! Every approval goes through [`Workbench::admit`]: from the terminal's `run`, the window and a
//! conversation. It refuses what a run couldn't carry out as approved, before anything is written.

use std::collections::BTreeMap;
use std::path::Path;

use adequacy::Report;
use agent::run::fingerprints;
use plan::coverage::{self, Fingerprint, differences, structure};
use plan::graph::Graph;
use plan::{Plan, Problem, TaskId};
use store::{Lookup, NewApproval, Store};

use crate::error::{Code, Error, Result};
use crate::opening::{Opened, Terms, open_steps, runnable};
use crate::plan_file::Content;
use crate::wire::UncoveredStep;
use crate::{Workbench, checking, foreign_folders};

/// Fingerprints of approved steps, by task ID.
pub(crate) type Covered = BTreeMap<String, String>;

/// The snapshot of an approved revision.
#[derive(Debug, Clone)]
pub struct Approval {
    /// The full hash of the revision.
    pub revision: String,
    pub(crate) text: String,
    /// The plan parsed from `text`.
    pub(crate) plan: Plan,
    pub(crate) problems: Vec<Problem>,
}

impl Approval {
    fn of(revision: String, text: String) -> Self {
        let (plan, problems) = plan::parse(&text);
        Self {
            revision,
            text,
            plan,
            problems,
        }
    }

    pub(crate) fn covered(&self) -> Covered {
        prints_of(&self.text, &self.plan)
    }

    /// The steps of the current file that this approval doesn't cover: open steps in scope that
    /// changed or depend on a changed step, and all structural changes.
    pub(crate) fn uncovered(
        &self,
        now: &str,
        plan: &Plan,
        upto: Option<&str>,
    ) -> Vec<UncoveredStep> {
        let approved: BTreeMap<TaskId, Fingerprint> = self
            .covered()
            .into_iter()
            .map(|(id, print)| (TaskId(id), Fingerprint(print)))
            .collect();
        let (was, is) = ((self.text.as_str(), &self.plan), (now, plan));
        let above = differences::above_tasks(was, is);
        let scope = open_steps(plan, upto);
        let in_scope = |id: &TaskId| scope.iter().any(|index| plan.tasks[*index].id == *id);
        let mut uncovered: Vec<UncoveredStep> = coverage::uncovered(&approved, now, plan)
            .into_iter()
            .filter(|found| in_scope(&found.task))
            .map(|found| {
                let words = differences::of_step(was, is, &found.task);
                let words = words.or_else(|| above.first().cloned());
                UncoveredStep {
                    reason: words.unwrap_or_else(|| found.reason.to_string()),
                    task: found.task.0,
                }
            })
            .collect();
        for change in structure::changes(&self.plan, plan) {
            let task = change.task().0.clone();
            if !uncovered.iter().any(|known| known.task == task) {
                let reason = change.to_string();
                uncovered.push(UncoveredStep { task, reason });
            }
        }
        uncovered
    }
}

/// A request for approval.
#[derive(Debug, Clone, Copy)]
pub struct ApprovalRequest<'a> {
    /// The revision to approve, as the first 12 or more digits of its hash.
    pub revision: &'a str,
    /// The last step to carry out; `None` for all.
    pub upto: Option<&'a str>,
    /// The reason for approving despite objections.
    pub reason: Option<&'a str>,
    /// Whether to run the plan right away.
    pub is_to_run: bool,
}

/// Why an approval was refused.
#[derive(Debug)]
pub enum Refusal {
    /// The file differs from the approved revision.
    NotCovered {
        /// The differences, and what to do about them.
        message: String,
        /// The uncovered steps, if known.
        uncovered: Vec<UncoveredStep>,
    },
    /// Enforcement requires a written reason.
    NeedsReason(String),
    /// Anything else.
    Error(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error.code {
            Code::NotCovered => Self::NotCovered {
                message: error.message,
                uncovered: Vec::new(),
            },
            _ => Self::Error(error),
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotCovered { message, .. } => Self::new(Code::NotCovered, message),
            Refusal::NeedsReason(objection) => Self::new(
                Code::Usage,
                format!("{objection}; fix it, or give a reason to override it"),
            ),
            Refusal::Error(error) => error,
        }
    }
}

/// An approval that passed all checks.
#[derive(Debug)]
pub struct Admitted {
    /// The snapshot of the approved revision.
    pub approval: Approval,
    /// Whether the given reason overrides an objection of enforcement.
    pub is_overridden: bool,
}

impl Workbench {
    /// Runs every check that can refuse an approval. Changes nothing.
    pub fn admit(
        &self,
        opened: &Opened,
        asked: &ApprovalRequest<'_>,
        report: &Report,
    ) -> std::result::Result<Admitted, Refusal> {
        foreign_folders::refuse(self, &opened.file.path)?;
        refuse_hard_link(&opened.file.path)?;
        let key = opened.file.key();
        let approval = resolve(&self.store, &key, asked.revision, &opened.content)?;
        let uncovered = approval.uncovered(&opened.content.text, &opened.plan, asked.upto);
        if !uncovered.is_empty() {
            let reasons: Vec<String> = uncovered
                .iter()
                .map(|step| match step.reason.starts_with(&step.task) {
                    true => step.reason.clone(),
                    false => format!("{}: {}", step.task, step.reason),
                })
                .collect();
            let message = format!(
                "the plan has changed since revision {} ({}), so it wasn't approved. Review it, then approve \
                 revision {}.",
                &approval.revision[..12],
                reasons.join("; "),
                opened.content.revision.short()
            );
            return Err(Refusal::NotCovered { message, uncovered });
        }
        if asked.is_to_run {
            let Approval { plan, problems, .. } = &approval;
            runnable(plan, problems, &opened.file.relative, asked.upto)?;
            self.refuse_over_interrupted(opened, plan)?;
        }
        // Enforcement applies whether the plan runs now or later.
        let objection = checking::objection(&opened.settings, &opened.file.relative, report);
        let is_overridden = objection.is_some();
        match (objection, asked.reason) {
            (Some(objection), None) => Err(Refusal::NeedsReason(objection)),
            _ => Ok(Admitted {
                approval,
                is_overridden,
            }),
        }
    }
}

impl Workbench {
    /// Stores an approval that starts no run.
    ///
    /// # Errors
    /// [`Code::Storage`].
    pub fn record_approval(&self, opened: &Opened, terms: &Terms<'_>) -> Result<()> {
        self.add_approval(opened, None, terms)?;
        self.learn_approved(&opened.file.key(), &opened.content.text);
        Ok(())
    }

    pub(crate) fn add_approval(
        &self,
        opened: &Opened,
        run: Option<&str>,
        terms: &Terms<'_>,
    ) -> Result<()> {
        self.store.approvals().add(&NewApproval {
            plan: &opened.file.key(),
            revision: &terms.approval.revision,
            run,
            actor: "person",
            policy: terms.policy.as_str(),
            upto: terms.upto,
            reason: terms.reason,
            at_ms: self.clock.now_ms(),
            shown_ms: terms.shown_ms,
        })?;
        Ok(())
    }
}

/// Refuses a hard-linked file: each of its names would be a separate plan with its own runs.
fn refuse_hard_link(path: &Path) -> Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    match std::fs::metadata(path) {
        Ok(found) if found.nlink() > 1 => Err(err!(Workspace:
            "{} has {} hard links, so the plan has several names. Copy the file and approve the copy",
            path.display(), found.nlink())),
        _ => Ok(()),
    }
}

/// Resolves a revision that a person named against the plan's history. Fails with [`Code::Usage`]
/// for an invalid revision, [`Code::NotCovered`] for one that this plan never had.
pub fn resolve(store: &Store, key: &str, named: &str, now: &Content) -> Result<Approval> {
    let named = named.trim().to_lowercase();
    if named.len() < 12 || named.len() > 64 || !named.chars().all(|c| c.is_ascii_hexdigit()) {
        return Err(err!(Usage:
            "invalid revision “{named}”: expected 12 to 64 hexadecimal digits, as printed by `planwright check`"));
    }
    if now.revision.matches(&named) {
        let revision = now.revision.as_str().to_owned();
        return Ok(Approval::of(revision, now.text.clone()));
    }
    let revision = match store.revisions().by_prefix(key, &named)? {
        Lookup::One(hash) => hash,
        Lookup::None => {
            return Err(err!(NotCovered:
                "this plan has no revision {named}; the current one is {}. Review it, then approve that one.",
                now.revision.short()));
        }
        Lookup::Many(_) => {
            return Err(err!(Usage: "several revisions start with {named}; use more digits"));
        }
    };
    let text = revision_text(store, &revision)?;
    Ok(Approval::of(revision, text))
}

/// The text of a stored revision.
pub fn revision_text(store: &Store, hash: &str) -> Result<String> {
    let bytes = store.revisions().content(hash)?.ok_or_else(|| {
        err!(Storage:
        "revision {hash} is missing from the database")
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The fingerprints of a plan's steps, as the journal stores them.
pub(crate) fn prints(text: &str) -> Covered {
    prints_of(text, &plan::parse(text).0)
}

fn prints_of(text: &str, plan: &Plan) -> Covered {
    fingerprints(text, plan)
        .into_iter()
        .map(|(id, print)| (id.0, print))
        .collect()
}

/// The leaf steps that depend on this one, directly or indirectly.
pub(crate) fn dependents(graph: &Graph, plan: &Plan, index: usize) -> Vec<TaskId> {
    let behind = graph.dependents(index).into_iter();
    behind.map(|leaf| plan.tasks[leaf].id.clone()).collect()
}
