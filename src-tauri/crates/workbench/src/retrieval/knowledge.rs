//! `kb-thinkingdb`: knowledge from a workspace's earlier runs, collected as statements and queried
//! for a goal.
//!
//! It consists of facts that steps learned and whether their file is unchanged, decisions by
//! people, how steps and plans ended, and which files they changed. Only the newest runs of a
//! workspace are read, and only the relevant kinds of journal entries (`runs`). Unreadable entries,
//! such as those of a newer version, are skipped. The selection is made by `planning::knowledge`.
//! Changes neither the workspace nor the store.

mod runs;

use std::collections::{BTreeMap, BTreeSet};

use planning::knowledge::{Relation, Source, Statement, query, starts};
use planning::text::Shape;
use planning::{Context, Intake};
use store::Store;
use tools::{ContentHash, ToolError, Workspace, documents};

use crate::Workbench;
use crate::error::Result;

/// Maximum number of runs of the workspace that are read, newest first.
const MAX_RUNS: usize = 50;

/// Maximum number of facts that are read, newest first.
const MAX_FACTS: usize = 300;

/// Maximum number of files hashed to detect stale facts; facts from other files are left out.
const MAX_HASHED: usize = 100;

/// The size limit of a hashed file, and of all of them together, in bytes.
const MAX_HASHED_LEN: u64 = 4 << 20;
const MAX_HASHED_BYTES: usize = 32 << 20;

/// Maximum number of files whose links are followed, and of links per file.
const MAX_STARTS: usize = 12;
const MAX_LINKS: usize = 20;

/// Counts of what was read and selected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// Number of runs whose journals were read.
    pub(crate) runs: usize,
    /// Number of facts read.
    pub(crate) facts: usize,
    /// Number of files hashed.
    pub(crate) hashed: usize,
    /// Number of statements selected.
    pub(crate) known: usize,
    /// Number of files suggested because of the selected statements.
    pub(crate) offered: usize,
    /// Whether a limit left out anything, while reading or selecting.
    pub(crate) is_cut: bool,
}

impl Workbench {
    /// Adds knowledge from earlier runs for a goal: [`Context::known`], and linked files in
    /// [`Context::offered`]. `links` returns the workspace files that a file imports. Fails if the
    /// workspace is gone or the database can't be read; then the context is unchanged.
    pub(crate) fn know(
        &self,
        workspace: &Workspace,
        intake: &Intake,
        context: &mut Context,
        links: &dyn Fn(&str) -> Vec<String>,
    ) -> Result<Report> {
        let now = self.clock.now_ms();
        know(&self.store, workspace, intake, context, links, now)
    }
}

/// Like [`Workbench::know`], with the current time in milliseconds since 1970 UTC.
fn know(
    store: &Store,
    workspace: &Workspace,
    intake: &Intake,
    context: &mut Context,
    links: &dyn Fn(&str) -> Vec<String>,
    now_ms: i64,
) -> Result<Report> {
    workspace.ensure_present()?;
    let mut report = Report::default();
    let mut statements = of_workspace_now(intake, context, links);
    let root = workspace.path().display().to_string();
    let facts = facts(store, workspace, &root, &mut report)?;
    let mut plans: BTreeSet<String> = BTreeSet::new();
    for (plan, statement) in facts {
        plans.insert(plan);
        statements.push(statement);
    }
    let mut found = store.runs().of_workspace(&root, MAX_RUNS + 1)?;
    report.is_cut |= found.len() > MAX_RUNS;
    found.truncate(MAX_RUNS);
    report.runs = found.len();
    let mut reader = runs::Reader::new(store, &root);
    for run in &found {
        plans.insert(run.plan.clone());
        statements.extend(reader.run(run)?);
    }
    for plan in plans.iter().take(MAX_RUNS) {
        statements.extend(reader.answered_questions(plan)?);
    }
    report.is_cut |= reader.is_cut();
    let found = query(intake, context, &statements, now_ms);
    report.known = found.known.len();
    report.offered = found.offered.len();
    report.is_cut |= found.is_cut;
    found.merge_into(context);
    tracing::debug!(?report, "queried knowledge from earlier runs");
    Ok(report)
}

/// Statements from the workspace itself: which files define the goal's names, and what the goal's
/// files import.
fn of_workspace_now(
    intake: &Intake,
    context: &Context,
    links: &dyn Fn(&str) -> Vec<String>,
) -> Vec<Statement> {
    let said = |subject: &str, relation: Relation, object: &str| Statement {
        subject: subject.to_owned(),
        relation,
        object: object.to_owned(),
        about: Vec::new(),
        source: Source::Workspace,
        is_stale: false,
    };
    let mut statements = Vec::new();
    for name in &intake.identifiers {
        let places = context.found(name).iter();
        let defining: BTreeSet<&str> = places
            .filter(|place| matches!(place.shape, Shape::Definition | Shape::Member))
            .map(|place| place.path.as_str())
            .collect();
        // A name that is defined everywhere isn't informative.
        if defining.len() <= MAX_LINKS {
            let defined = |path: &str| said(path, Relation::Defines, name);
            statements.extend(defining.into_iter().map(defined));
        }
    }
    for start in starts(intake, context).into_iter().take(MAX_STARTS) {
        let imported = links(&start).into_iter().take(MAX_LINKS);
        statements.extend(imported.map(|path| said(&start, Relation::Imports, &path)));
    }
    statements
}

/// The facts of a workspace, each with its plan.
fn facts(
    store: &Store,
    workspace: &Workspace,
    root: &str,
    report: &mut Report,
) -> Result<Vec<(String, Statement)>> {
    let mut kept = store.facts().of_workspace(root, MAX_FACTS + 1)?;
    report.is_cut |= kept.len() > MAX_FACTS;
    kept.truncate(MAX_FACTS);
    report.facts = kept.len();
    let mut files = Files::default();
    let mut facts = Vec::new();
    for fact in kept {
        let is_stale = match (&fact.path, &fact.hash) {
            (Some(path), Some(then)) => match files.is_still(workspace, path, then) {
                Some(is_still) => !is_still,
                None => {
                    report.is_cut = true;
                    continue;
                }
            },
            _ => false,
        };
        let statement = Statement {
            subject: fact.task.clone().unwrap_or_default(),
            relation: Relation::Learned,
            object: fact.text,
            about: fact.path.into_iter().collect(),
            source: Source::Run {
                run: fact.plan.clone(),
                plan: runs::relative(root, &fact.plan),
                task: fact.task,
                at_ms: fact.learned_ms,
            },
            is_stale,
        };
        facts.push((fact.plan, statement));
    }
    report.hashed = files.hashes.len();
    Ok(facts)
}

/// The current hashes of the facts' files, each read once.
#[derive(Default)]
struct Files {
    /// Hash by path; `None` if the file is gone or unreadable.
    hashes: BTreeMap<String, Option<String>>,
    /// Files too large to hash.
    unknown: BTreeSet<String>,
    bytes: usize,
}

impl Files {
    /// Whether a file still has this hash; `None` if it wasn't hashed.
    fn is_still(&mut self, workspace: &Workspace, path: &str, hash: &str) -> Option<bool> {
        if self.unknown.contains(path) {
            return None;
        }
        if !self.hashes.contains_key(path) {
            if self.hashes.len() >= MAX_HASHED || self.bytes >= MAX_HASHED_BYTES {
                return None;
            }
            let now = match documents::read(workspace, path, MAX_HASHED_LEN) {
                Ok(bytes) => {
                    self.bytes += bytes.len();
                    Some(ContentHash::of(&bytes).to_hex())
                }
                Err(ToolError::TooLarge { .. }) => {
                    self.unknown.insert(path.to_owned());
                    return None;
                }
                Err(_) => None,
            };
            self.hashes.insert(path.to_owned(), now);
        }
        let now = self.hashes.get(path)?;
        Some(now.as_deref() == Some(hash))
    }
}

#[cfg(test)]
mod tests;
