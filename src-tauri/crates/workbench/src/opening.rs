//! Preparation of a run before its first journal entry: the plan with its workspace and settings,
//! the sandbox, the lease, permission rules and answers; the checks that refuse a run; and
//! recording the run. Changes no workspace file.

mod terms;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use agent::journal::{EarlierEnd, Entry, Evidence, Repository, Started};
use agent::micro_planning::Strategy;
use agent::run::{requirements_left, scope};
use gate::answers::Answers;
use gate::permissions::{Match, Rule, Verdict};
use plan::{ChoiceEffect, Plan, Problem, ProblemCode, Task};
use store::{MatchKind, NewRun};
use tools::Workspace;
use tools::sandbox::{ProbeConfig, Sandbox, Tier, Wanted};

use crate::error::{Code, Error, Result};
use crate::lease::RunLease;
use crate::plan_file::{self, Content, PlanFile};
use crate::running::ModelChoice;
use crate::settings::Settings;
use crate::{Workbench, journal_rows};

pub use terms::{RecordedRun, Terms};

/// Sandboxes that passed their self-test, each with the setting that requested it.
pub(crate) type SandboxCache = Arc<Mutex<Vec<(Wanted, Sandbox)>>>;

/// A plan file opened with its workspace.
pub struct Opened {
    /// The plan's workspace.
    pub workspace: Workspace,
    /// The plan file.
    pub file: PlanFile,
    /// The effective settings.
    pub settings: Settings,
    /// The file's text and revision.
    pub content: Content,
    /// The parsed plan.
    pub plan: Plan,
    /// Problems the parser found.
    pub problems: Vec<Problem>,
    /// Notices for the person, shown when the run starts.
    pub notices: Vec<String>,
}

impl Workbench {
    /// Opens a plan file with its workspace and settings.
    pub fn open_plan(&self, file: &Path, workspace: Option<&Path>) -> Result<Opened> {
        self.open_approved(file, workspace, None)
    }

    /// Like [`Workbench::open_plan`], for a person who approves the revision `named`. If the file
    /// has exactly that content, it is left alone rather than merged with earlier content.
    pub(crate) fn open_approved(
        &self,
        file: &Path,
        workspace: Option<&Path>,
        named: Option<&str>,
    ) -> Result<Opened> {
        let (user, _) = self.settings_for(None);
        let cwd = &self.environment.cwd;
        let (root, file) = plan_file::locate(cwd, file, workspace, &user.plan_folder)?;
        let workspace = self.open_workspace(&root)?;
        let (settings, problems) = self.settings_for(Some(&workspace));
        let notices = problems.iter().map(ToString::to_string).collect();
        workspace.protect(Path::new(&file.relative))?;
        workspace.hide(&settings.private_files);
        let now = self.clock.now_ms();
        let reader = plan_file::Reader::new(&workspace, &file, &self.store, now);
        if let Some(named) = named {
            reader.accept(named)?;
        }
        let content = reader.read()?.content;
        let (plan, problems) = plan::parse(&content.text);
        Ok(Opened {
            workspace,
            file,
            settings,
            content,
            plan,
            problems,
            notices,
        })
    }

    /// A second workbench on the same data, for another thread. The log closes when the last one is
    /// dropped. Fails with [`Code::Storage`] if the database can't be opened again.
    pub fn again(&self) -> Result<Workbench> {
        Ok(Workbench {
            environment: self.environment.clone(),
            home: self.home.clone(),
            store: self.store.again()?,
            clock: self.clock,
            watch: None,
            agents: self.agents.clone(),
            proved: Arc::clone(&self.proved),
            session_keys: self.session_keys.clone(),
            _log: Arc::clone(&self._log),
        })
    }

    /// The sandbox for a run. A sandbox that passed its self-test is reused for the life of the
    /// process, so that answers aren't delayed. If none works, nothing is kept, so the next run
    /// tests again: one may have been installed since.
    pub fn sandbox_for(&self, settings: &Settings) -> Sandbox {
        let wanted = settings.sandbox;
        let mut proved = self.proved.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, sandbox)) = proved.iter().find(|(of, _)| *of == wanted) {
            return sandbox.clone();
        }
        let sandbox = Sandbox::proved(&self.probe_config(settings));
        if sandbox.tier() != Tier::None {
            proved.push((wanted, sandbox.clone()));
        }
        sandbox
    }

    /// Tests the sandboxes of this machine.
    pub fn probe(&self, settings: &Settings) -> Sandbox {
        Sandbox::probe(&self.probe_config(settings))
    }

    fn probe_config(&self, settings: &Settings) -> ProbeConfig {
        ProbeConfig {
            helper: self.environment.program.clone(),
            home: self.environment.home(),
            data_dir: self.home.data.to_owned(),
            wanted: settings.sandbox,
            toolchains: settings
                .toolchains
                .iter()
                .map(|folder| match folder.strip_prefix("~/") {
                    Some(below) => self.environment.home().join(below),
                    None => PathBuf::from(folder),
                })
                .collect(),
            private_files: settings.private_files.clone(),
        }
    }

    /// The rules that the user created with “Always allow” in this workspace.
    pub fn stored_rules(&self, workspace: &Path) -> Result<Vec<Rule>> {
        let rows = self
            .store
            .permissions()
            .list(&workspace.display().to_string())?;
        let rules = rows.into_iter().filter_map(|row| {
            let matches = match row.match_kind {
                MatchKind::Exact => Match::Exact(row.text),
                MatchKind::Prefix => Match::Prefix(row.text),
            };
            let verdict = match row.answer.as_str() {
                "allow" => Verdict::Allow,
                "ask" => Verdict::Ask,
                "deny" => Verdict::Deny,
                // An unreadable verdict allows nothing.
                _ => return None,
            };
            Some(Rule {
                tool: row.tool,
                matches,
                verdict,
            })
        });
        Ok(rules.collect())
    }

    /// Reads an answers file; without a file, there are no answers.
    pub(crate) fn read_answers(&self, file: Option<&Path>) -> Result<Answers> {
        let Some(file) = file else {
            return Ok(Answers::default());
        };
        let shown = file.display();
        let usage = |message: String| Error::new(Code::Usage, message);
        let text = std::fs::read_to_string(self.environment.cwd.join(file))
            .map_err(|error| usage(format!("can't read the answers in {shown}: {error}")))?;
        Answers::parse(&text).map_err(|error| usage(format!("{shown}: {error}")))
    }

    /// Records a run. Stores the approval first, so that the run can still start from it if the
    /// process dies in between.
    pub fn record_run(
        &self,
        opened: &mut Opened,
        run: &str,
        terms: &Terms<'_>,
        lease: &RunLease,
    ) -> Result<()> {
        // Find out whether the executor and model are available before anything is closed or
        // started.
        self.executor_for(&opened.settings, terms.choice.hand_over.as_ref())?;
        ModelChoice::Configured
            .or_recorded(&terms.choice)
            .access(self)?;
        let now = self.clock.now_ms();
        let key = opened.file.key();
        let title = opened.plan.goal().unwrap_or(&opened.file.relative);
        self.take_over_reviews(&key)?;
        self.add_approval(opened, Some(run), terms)?;
        self.store.runs().create(&NewRun {
            id: run,
            plan: &key,
            workspace: &opened.workspace.path().display().to_string(),
            revision: &terms.approval.revision,
            policy: terms.policy.as_str(),
            state: "created",
            title,
            at_ms: now,
        })?;
        let notices = self.supersede(opened, &terms.approval.plan, run, lease)?;
        opened.notices.extend(notices);
        let left = requirements_left(&terms.approval.plan);
        if terms.upto.is_none() && !left.is_empty() {
            opened.notices.push(format!(
                "no step covers {}; add one, or the run will end as incomplete",
                left.join(", ")
            ));
        }
        self.learn_approved(&key, &opened.content.text);
        self.begin_journal(opened, run, terms, lease)
    }

    /// Writes the first journal entry.
    pub(crate) fn begin_journal(
        &self,
        opened: &mut Opened,
        run: &str,
        terms: &Terms<'_>,
        lease: &RunLease,
    ) -> Result<()> {
        let earlier = self.earlier(opened, terms.approval)?;
        let by_hand = answered_by_hand(&opened.plan, &earlier.evidence);
        opened.notices.extend(by_hand);
        let entry = Entry::Started(Started {
            revision: terms.approval.revision.clone(),
            found: Some(opened.content.revision.as_str().to_owned()),
            policy: terms.policy,
            upto: terms.upto.map(str::to_owned),
            covered: terms.approval.covered(),
            evidence: earlier.evidence,
            half_done: earlier.half_done,
            left_out: earlier.left_out,
            sandbox: terms.sandbox.to_owned(),
            repository: repository(opened),
            choice: terms.choice.clone(),
            model: self.model_of_run(&terms.choice),
            parallel: terms.parallel.clamp(1, agent::file_locks::MAX_PARALLEL),
        });
        let next_seq = self.store.journal().next_seq(run)?;
        let now = self.clock.now_ms();
        let mut entries = vec![entry];
        entries.extend((lease.has_lost || earlier.is_cut).then_some(Entry::Cut));
        journal_rows::append(&self.store, run, next_seq, &entries, now)?;
        Ok(())
    }
}

/// Notices about answers at checkpoints and decisions that appear in the file but in no run's
/// journal, or differ from it.
fn answered_by_hand(plan: &Plan, evidence: &BTreeMap<String, Evidence>) -> Vec<String> {
    let recorded = |task: &Task| match &evidence.get(task.id.as_str())?.end {
        EarlierEnd::Decided { label } => Some(label.clone()),
        EarlierEnd::Done | EarlierEnd::Skipped { .. } => Some(String::new()),
    };
    let pauses = plan.leaves().map(|(_, task)| task);
    let pauses = pauses.filter(|task| task.is_pause());
    let shown = pauses.filter_map(|task| {
        let mut records = plan.decisions.iter().filter(|known| known.task == task.id);
        let answer = records.find_map(|known| known.answer.clone());
        (task.done || answer.is_some()).then_some((task, answer))
    });
    let by_hand = shown.filter_map(|(task, answer)| {
        let id = &task.id;
        let recorded = recorded(task);
        match (&answer, &recorded) {
            (Some(answer), Some(recorded)) if !recorded.is_empty() && answer != recorded => Some(format!(
                "the file answers {id} with “{answer}”, but you answered “{recorded}” in a run, which still applies; \
                 to change it, undo that run or add a new decision"
            )),
            (_, None) => Some(format!(
                "the answer to {id} was written into the file by hand and is ignored; the run will ask you {id}"
            )),
            _ => None,
        }
    });
    by_hand.collect()
}

/// The state of the repository before the run. If Git fails, the run starts anyway.
fn repository(opened: &Opened) -> Option<Repository> {
    let state = match tools::git::state(&opened.workspace) {
        Ok(state) => state?,
        Err(error) => {
            tracing::info!(%error, "couldn't read the repository's state");
            return None;
        }
    };
    let own = state.dirty.iter();
    let own = own.filter(|file| is_same_file(&file.path, &opened.file.relative));
    let dirty = state.dirty_total.saturating_sub(own.count());
    Some(Repository {
        head: state.head,
        dirty: u32::try_from(dirty).unwrap_or(u32::MAX),
    })
}

/// Whether a path listed by Git is the plan, or a new folder that contains it.
pub fn is_same_file(listed: &str, plan: &str) -> bool {
    listed == plan || (listed.ends_with('/') && plan.starts_with(listed))
}

/// The open leaf steps up to `upto`.
pub fn open_steps(plan: &Plan, upto: Option<&str>) -> Vec<usize> {
    scope(plan, upto)
        .into_iter()
        .filter(|index| {
            let task = &plan.tasks[*index];
            !task.done && task.skipped.is_none()
        })
        .collect()
}

/// Refuses a plan that can't be carried out, for example because it has no steps, a cycle or a
/// dependency on an unknown step. `file` is the name shown to the person.
pub fn runnable(plan: &Plan, problems: &[Problem], file: &str, upto: Option<&str>) -> Result<()> {
    let bad = |message: String| Error::new(Code::NotRunnable, message);
    let grows = plan.front.strategy.as_deref();
    // An iterative plan may start with only its goal.
    if plan.tasks.is_empty() && grows.and_then(Strategy::read) != Some(Strategy::Iterative) {
        return Err(bad(format!(
            "{file} has no steps (`- [ ] …`); add one to run it"
        )));
    }
    if let Some(upto) = upto
        && !plan.tasks.iter().any(|task| task.id.as_str() == upto)
    {
        return Err(err!(Usage: "--upto: no step {upto} in this plan"));
    }
    let fatal = problems.iter().find(|problem| match problem.code {
        ProblemCode::Cycle
        | ProblemCode::DuplicateId
        | ProblemCode::GroupWithWork
        | ProblemCode::UnknownVersion => true,
        // A bad `covers:` is tolerated; a bad dependency isn't.
        ProblemCode::DanglingReference => {
            let task = problem.task.as_ref().and_then(|id| plan.task(id));
            task.is_some_and(|task| refers_to_nothing(plan, task))
        }
        _ => false,
    });
    match fatal {
        Some(problem) => Err(bad(format!("line {}: {}", problem.line, problem.message))),
        None => Ok(()),
    }
}

/// Whether a dependency or option of the task refers to an unknown task.
fn refers_to_nothing(plan: &Plan, task: &Task) -> bool {
    let chosen = task.options.iter().flat_map(|option| match &option.effect {
        ChoiceEffect::Skip(ids) | ChoiceEffect::Branch(ids) => ids.as_slice(),
        ChoiceEffect::Continue | ChoiceEffect::Review | ChoiceEffect::Stop => &[],
    });
    task.depends
        .iter()
        .flatten()
        .chain(chosen)
        .any(|id| plan.task(id).is_none())
}
