//! Read-only views of runs, folded from their journals and combined with the current plan.
//!
//! Submodules: `states` determines the state of each task, `actions` describes calls and checks,
//! `asking` shows questions, `modelled` the work of models, `permission` what a permission would
//! allow, and `receipts` whole runs.

mod actions;
mod asking;
mod modelled;
pub(crate) mod permission;
mod receipts;
mod states;

use std::path::Path;
use std::sync::Arc;

use agent::journal::{Entry, Started};
use agent::micro_planning::RunChoice;
use agent::receipt::Timed;
use agent::run::state::{Standing, State};
use agent::run::{open_questions, unknown_outcome};
use gate::permissions::Rule;
use gate::policy::Policy;
use gate::question::Question;
use plan::{Plan, Task, TaskId};

use crate::document::{ParsedPlan, cut};
use crate::wire::{RunStep, RunView};
use crate::{Desktop, Shared};
use workbench::error::Result;
use workbench::{journal_rows, reports};

pub(crate) use actions::{counts, title as title_of_call};

/// Maximum runs in one answer.
const MAX_RUNS: usize = 50;

/// Maximum characters in a title.
const MAX_TITLE_LEN: usize = 300;

/// A run as read from the store: its row, journal, folded state and plan.
pub(crate) struct RunRead {
    pub(crate) row: store::Run,
    pub(crate) journal: Vec<Timed>,
    pub(crate) state: State,
    /// The current plan, or the run's last revision if the plan can't be read.
    pub(crate) parsed: Option<Arc<ParsedPlan>>,
    /// The run's state: see [`RunView::state`].
    pub(crate) standing: String,
    /// Whether this process is carrying it out.
    pub(crate) is_live: bool,
    /// Whether another process is carrying it out.
    pub(crate) is_elsewhere: bool,
}

impl Desktop {
    /// A summary of a run.
    pub fn run(&self, run: &str) -> Result<RunView> {
        Ok(self.shared.run_view(&self.shared.read_run(run)?))
    }

    /// One step of a run in full.
    ///
    /// # Errors
    /// [`workbench::Code::UnknownRun`]; [`workbench::Code::Usage`] for a task that is in neither
    /// the plan nor the run.
    pub fn run_step(&self, run: &str, task: &str) -> Result<RunStep> {
        let read = self.shared.read_run(run)?;
        if read.task(task).is_none() && !read.state.tasks.contains_key(task) {
            return Err(err!(Usage: "this run has no step {}", cut(task, 100)));
        }
        let mut step = read.step(task);
        let live = self.shared.live.with(&read.row.id, |live| {
            let said = live.said.get(task).cloned();
            let output = live.output.get(task).cloned().unwrap_or_default();
            (output, said)
        });
        if let Some((output, said)) = live {
            if let Some(model) = &mut step.model {
                model.now = said;
            }
            step.output = output.text;
            step.output_is_cut = output.is_cut;
        }
        Ok(step)
    }

    /// The runs of a plan, newest first, at most 50.
    pub fn runs_of(&self, plan: &str) -> Result<Vec<RunView>> {
        let rows = self.shared.workbench().store.runs().of_plan(plan)?;
        rows.into_iter()
            .take(MAX_RUNS)
            .map(|row| Ok(self.shared.run_view(&self.shared.read_row(row)?)))
            .collect()
    }
}

impl Shared {
    /// Reads a run by its id or a prefix of it.
    pub(crate) fn read_run(&self, run: &str) -> Result<RunRead> {
        let row = self.workbench().find_run(run)?;
        self.read_row(row)
    }

    pub(crate) fn read_row(&self, row: store::Run) -> Result<RunRead> {
        let has_begun = self.live.with(&row.id, |live| live.has_begun);
        let is_live = has_begun == Some(true);
        let (journal, holder, standing) = {
            let workbench = self.workbench();
            (
                journal_rows::read(&workbench.store, &row.id)?,
                workbench.store.leases().holder(&row.plan)?,
                workbench.live_state(&row)?,
            )
        };
        let is_elsewhere = self.is_elsewhere(holder.as_ref(), &row.id);
        let standing = match standing.as_str() {
            _ if is_live || is_elsewhere => "running",
            // The run is being resumed; until it has begun, its earlier questions stay open.
            "running" if has_begun == Some(false) => "interrupted",
            "cancelled" => "stopped",
            other => other,
        };
        let entries: Vec<Entry> = journal.iter().map(|(_, entry)| entry.clone()).collect();
        let state = State::replay(&entries)
            .or_else(|| State::replay(&[not_begun(&row)]))
            .ok_or_else(|| {
                err!(Storage:
                "the journal of run {} is missing its first entry", row.id)
            })?;
        let parsed = match self.parsed_now(&row.plan) {
            Ok((_, parsed)) => Some(parsed),
            Err(_) => self.parsed_at(&row.plan, &state.revision).ok(),
        };
        Ok(RunRead {
            standing: standing.to_owned(),
            row,
            journal,
            state,
            parsed,
            is_live,
            is_elsewhere,
        })
    }
}

impl Shared {
    /// The permission rules that apply to a run: those from the settings and those created with
    /// “always here”.
    pub(crate) fn rules_of(&self, read: &RunRead) -> Result<Vec<Rule>> {
        let workbench = self.workbench();
        let workspace = workbench.open_workspace(Path::new(&read.row.workspace))?;
        let mut rules = workbench.settings_for(Some(&workspace)).0.permissions;
        rules.extend(workbench.stored_rules(workspace.path())?);
        Ok(rules)
    }
}

/// A stand-in for the first entry of a run whose process ended before writing one.
fn not_begun(row: &store::Run) -> Entry {
    Entry::Started(Started {
        revision: row.revision.clone(),
        found: None,
        policy: Policy::from_name(&row.policy).unwrap_or(Policy::Each),
        upto: None,
        covered: std::collections::BTreeMap::new(),
        evidence: std::collections::BTreeMap::new(),
        half_done: std::collections::BTreeMap::new(),
        left_out: Default::default(),
        sandbox: String::new(),
        repository: None,
        choice: RunChoice::default(),
        model: None,
        parallel: 1,
    })
}

impl RunRead {
    /// Whether a process is carrying it out.
    pub(crate) fn lives(&self) -> bool {
        self.standing == "running"
    }

    /// Whether it can be resumed: no process is carrying it out, and it is neither done nor
    /// discarded.
    pub(crate) fn can_resume(&self) -> bool {
        reports::can_resume(&self.standing)
    }

    /// A task in the current plan.
    pub(crate) fn task(&self, id: &str) -> Option<&Task> {
        let parsed = self.parsed.as_ref()?;
        parsed.plan.tasks.get(parsed.index_of(id)?)
    }

    /// A task's title; its id if the plan no longer contains it.
    pub(crate) fn title(&self, id: &str) -> String {
        self.task(id)
            .map_or_else(|| id.to_owned(), |task| cut(&task.title, MAX_TITLE_LEN))
    }

    /// The plan's title.
    pub(crate) fn plan_title(&self) -> String {
        match &self.parsed {
            Some(parsed) => title_of(&parsed.plan, &self.row.title),
            None => cut(&self.row.title, MAX_TITLE_LEN),
        }
    }

    /// The unanswered questions to a person.
    pub(crate) fn questions(&self) -> Vec<Question> {
        let Some(parsed) = &self.parsed else {
            return Vec::new();
        };
        // A discarded run can't be answered.
        if self.standing == "discarded" {
            return Vec::new();
        }
        let asked = open_questions(&self.state, &parsed.plan, self.lives());
        let is_answered =
            |asked: &Question| self.state.given.iter().any(|given| given.is_for(asked));
        // Answers sent to a process that died before reading them have to be given again.
        let asked = asked.into_iter();
        asked
            .filter(|asked| !self.lives() || !is_answered(asked))
            .collect()
    }

    /// A step's fingerprint in the current plan; the approved one if the plan no longer contains
    /// it.
    pub(crate) fn fingerprint(&self, task: &str) -> Option<String> {
        let read = self.parsed.as_ref();
        let read = read.and_then(|parsed| parsed.fingerprints().get(&TaskId::from(task)));
        read.or_else(|| self.state.covered.get(task)).cloned()
    }

    /// The token that an answer has to repeat. It identifies the step's content and the question,
    /// so that a second click doesn't answer the next question.
    pub(crate) fn token(&self, asked: &Question) -> String {
        let print = self.fingerprint(&asked.task).unwrap_or_default();
        let known = self.state.tasks.get(&asked.task);
        let cut_off = known.and_then(|task| task.intents.values().next());
        let cut_off = cut_off.map(|intent| unknown_outcome(&asked.task, &intent.line).message);
        // The part of the message about leftover files appears only if they were inspected.
        let begins = cut_off
            .as_ref()
            .and_then(|message| message.split(" “").next());
        let is_same =
            |asked: &Question| begins.is_some_and(|begins| asked.message.starts_with(begins));
        let mut entries = self.journal.iter().enumerate().rev();
        let put = entries.find(|(_, (_, entry))| match entry {
            // Every process that resumes the run asks this question again, but it is still the same
            // one.
            Entry::Asked { question } if is_same(question) => false,
            Entry::Asked { question } => question.task == asked.task,
            Entry::Failed { task, .. }
            | Entry::Broken { task, .. }
            | Entry::Refused { task, .. }
            | Entry::Undone { task, .. } => *task == asked.task,
            Entry::Intended { task, .. } => *task == asked.task,
            _ => false,
        });
        format!("{print}.{}", put.map_or(0, |(at, _)| at))
    }

    /// Whether a step is neither done nor skipped in this run.
    pub(crate) fn is_open(&self, task: &Task) -> bool {
        !matches!(
            self.state.standing(&task.id),
            Standing::Done | Standing::Skipped(_)
        )
    }
}

/// A plan's title, or else its goal, or else `otherwise`.
pub(crate) fn title_of(plan: &Plan, otherwise: &str) -> String {
    let title = plan.title.as_ref().map(|title| title.text.as_str());
    let title = title.filter(|title| !title.trim().is_empty());
    cut(title.or(plan.goal()).unwrap_or(otherwise), MAX_TITLE_LEN)
}
