//! What earlier runs of a workspace left, gathered as statements and asked for one goal
//! (`kb-thinkingdb`).
//!
//! Facts that steps learned, with whether their file is still the same; what persons decided; how steps
//! and plans ended; which files they changed. Of a workspace the newest runs are read, and of their
//! journals only the few kinds of entries that say this (`runs`). An entry that cannot be read, such as
//! one of a newer program, is passed over. Chooses nothing: that is `planning::knowledge`. Changes
//! nothing, in the workspace or in the store.

mod runs;

use std::collections::{BTreeMap, BTreeSet};

use planning::knowledge::{Relation, Source, Statement, query, starts};
use planning::text::Shape;
use planning::{Context, Intake};
use store::Store;
use tools::{ContentHash, ToolError, Workspace, documents};

use crate::Workbench;
use crate::error::Result;

/// Runs of the workspace that are read, the newest.
const MAX_RUNS: usize = 50;

/// Facts that are looked at, the newest.
const MAX_FACTS: usize = 300;

/// Files that are hashed to tell whether facts are outdated; facts of further ones are left out.
const MAX_HASHED: usize = 100;

/// The largest file that is hashed, in bytes, and all of them together.
const LARGEST_HASHED: u64 = 4 << 20;
const MAX_HASHED_BYTES: usize = 32 << 20;

/// Files whose links are asked for, and links of one that count.
const MAX_STARTS: usize = 12;
const MAX_LINKS: usize = 20;

/// What was read, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// Runs whose journals were looked into.
    pub(crate) runs: usize,
    /// Facts that were looked at.
    pub(crate) facts: usize,
    /// Files that were hashed.
    pub(crate) hashed: usize,
    /// Statements that are told.
    pub(crate) told: usize,
    /// Files that are offered because of them.
    pub(crate) offered: usize,
    /// Whether a bound left something out: of what was read, or of what was found.
    pub(crate) is_cut: bool,
}

impl Workbench {
    /// Fills in what earlier runs of a workspace left for a goal: [`Context::known`], and linked files
    /// among [`Context::offered`]. `links` answers the files of the workspace that a file imports.
    /// Fails when the workspace is gone or the database cannot be read; the context is then unchanged.
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

/// The same, at a given time in milliseconds since 1970 UTC.
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
    report.told = found.known.len();
    report.offered = found.offered.len();
    report.is_cut |= found.is_cut;
    found.put_into(context);
    tracing::debug!(?report, "asked what earlier runs left");
    Ok(report)
}

/// What the workspace itself says: which files define the goal's names, and what the files that the
/// goal is about import.
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
        // A name that is defined everywhere leads nowhere.
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

/// The facts of a workspace, each with the plan that it belongs to.
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

/// What the files of facts hold now, each read once.
#[derive(Default)]
struct Files {
    /// By path; `None` for one that is gone or cannot be read.
    hashes: BTreeMap<String, Option<String>>,
    /// Those too large to be looked at.
    unknown: BTreeSet<String>,
    bytes: usize,
}

impl Files {
    /// Whether a file still has this hash; `None` where that is not looked at.
    fn is_still(&mut self, workspace: &Workspace, path: &str, hash: &str) -> Option<bool> {
        if self.unknown.contains(path) {
            return None;
        }
        if !self.hashes.contains_key(path) {
            if self.hashes.len() >= MAX_HASHED || self.bytes >= MAX_HASHED_BYTES {
                return None;
            }
            let now = match documents::read(workspace, path, LARGEST_HASHED) {
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
