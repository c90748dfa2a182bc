//! What a run needs before its first journal entry: the plan with its workspace and settings, the
//! sandbox, the lease, the rules and answers; what refuses a run outright; and how a run is written
//! down. Changes no file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use agent::journal::{EarlierEnd, Entry, Evidence, Repository, Started};
use agent::micro_planning::{RunChoice, Strategy};
use agent::run::{requirements_left, scope};
use gate::answers::Answers;
use gate::permissions::{Match, Rule, Verdict};
use gate::policy::Policy;
use plan::{ChoiceEffect, Plan, Problem, ProblemCode, Task};
use store::{MatchKind, NewApproval, NewRun};
use tools::Workspace;
use tools::sandbox::{ProbeConfig, Sandbox, Tier, Wanted};

use crate::approval::Approval;
use crate::error::{Code, Error, Result};
use crate::lease::RunLease;
use crate::plan_file::{self, Content, PlanFile};
use crate::running::ModelChoice;
use crate::running::handing::executor_for;
use crate::settings::Settings;
use crate::{Workbench, journal_rows};

/// The sandboxes that have proved themselves, by what the settings asked for.
pub(crate) type Proved = Arc<Mutex<Vec<(Wanted, Sandbox)>>>;

/// A plan file opened for a run.
pub struct Opened {
    /// Its workspace.
    pub workspace: Workspace,
    /// The file.
    pub file: PlanFile,
    /// The settings in force.
    pub settings: Settings,
    /// Its text and revision.
    pub content: Content,
    /// The text, parsed.
    pub plan: Plan,
    /// What the parser could not read.
    pub problems: Vec<Problem>,
    /// What the person should know once the run has begun.
    pub notices: Vec<String>,
}

impl Workbench {
    /// Opens a plan file with its workspace and settings.
    pub fn open_plan(&self, file: &Path, workspace: Option<&Path>) -> Result<Opened> {
        self.open_approved(file, workspace, None)
    }

    /// As [`Workbench::open_plan`], for a person who approves the revision `named`: where the file holds
    /// just that, it is left as it is, and merged with nothing that was in it before.
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

    /// A second workbench on the same data, for another thread. The log goes on until the last of
    /// them is gone.
    ///
    /// # Errors
    /// [`Code::Storage`] when the database cannot be opened once more.
    pub fn again(&self) -> Result<Workbench> {
        Ok(Workbench {
            environment: self.environment.clone(),
            home: self.home.clone(),
            store: self.store.again()?,
            clock: self.clock,
            watch: None,
            proved: Arc::clone(&self.proved),
            session_keys: self.session_keys.clone(),
            _log: Arc::clone(&self._log),
        })
    }

    /// The sandbox for a run. One that has proved itself is not tried again in this process, so
    /// that an answer need not wait for it; where none works, one may have been installed since.
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

    /// Tries the sandboxes of this machine.
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

    /// The rules that the user made with “always here” in this workspace.
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
                // What cannot be read allows nothing.
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

    /// Reads an answers file.
    pub(crate) fn read_answers(&self, file: Option<&Path>) -> Result<Answers> {
        let Some(file) = file else {
            return Ok(Answers::default());
        };
        let shown = file.display();
        let usage = |message: String| Error::new(Code::Usage, message);
        let text = std::fs::read_to_string(self.environment.cwd.join(file))
            .map_err(|error| usage(format!("the answers {shown} cannot be read: {error}")))?;
        Answers::parse(&text).map_err(|error| usage(format!("{shown}: {error}")))
    }

    /// Writes a run down: the approval first, so that a run whose process ended right here can
    /// still begin on the strength of it.
    pub fn write_down(
        &self,
        opened: &mut Opened,
        run: &str,
        terms: &Terms<'_>,
        lease: &RunLease,
    ) -> Result<()> {
        // What cannot be had is said before anything is closed or begun.
        executor_for(&opened.settings, terms.choice.hand_over.as_ref())?;
        ModelChoice::Configured.or_of(&terms.choice).access(self)?;
        let now = self.clock.now_ms();
        let key = opened.file.key();
        let title = opened.plan.goal().unwrap_or(&opened.file.relative);
        self.store.approvals().add(&NewApproval {
            plan: &key,
            revision: &terms.approval.revision,
            run: Some(run),
            actor: "person",
            policy: terms.policy.as_str(),
            upto: terms.upto,
            reason: terms.reason,
            at_ms: now,
            shown_ms: terms.shown_ms,
        })?;
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
                "no step covers {} yet; unless one does, the run ends as incomplete",
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
            parallel: terms.parallel.clamp(1, agent::holding::MOST),
        });
        let next_seq = self.store.journal().next_seq(run)?;
        let now = self.clock.now_ms();
        let mut entries = vec![entry];
        entries.extend((lease.has_lost || earlier.is_cut).then_some(Entry::Cut));
        journal_rows::append(&self.store, run, next_seq, &entries, now)?;
        Ok(())
    }
}

/// Answers at checkpoints and decisions that the file shows and no run recorded, or recorded otherwise.
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
                "the file answers {id} with “{answer}”, and the run that asked got “{recorded}”; the recorded answer \
                 counts. To change it, undo that run or add a new decision"
            )),
            (_, None) => Some(format!(
                "the answer to {id} in the file was written by hand; it does not count, and {id} is asked in its turn"
            )),
            _ => None,
        }
    });
    by_hand.collect()
}

/// The repository before the run. That Git does not answer is no reason not to run.
fn repository(opened: &Opened) -> Option<Repository> {
    let state = match tools::git::state(&opened.workspace) {
        Ok(state) => state?,
        Err(error) => {
            tracing::info!(%error, "the state of the repository is not known");
            return None;
        }
    };
    let own = state.dirty.iter();
    let own = own.filter(|file| is_the_plan(&file.path, &opened.file.relative));
    let dirty = state.dirty_total.saturating_sub(own.count());
    Some(Repository {
        head: state.head,
        dirty: u32::try_from(dirty).unwrap_or(u32::MAX),
    })
}

/// Whether a line of Git's list is the plan: the file itself, or a new folder that holds it.
pub fn is_the_plan(listed: &str, plan: &str) -> bool {
    listed == plan || (listed.ends_with('/') && plan.starts_with(listed))
}

/// What a person agreed to.
pub struct Terms<'a> {
    /// What was approved.
    pub approval: &'a Approval,
    /// When the run asks.
    pub policy: Policy,
    /// The last step to run; `None` for all.
    pub upto: Option<&'a str>,
    /// Why a blocked plan runs anyway.
    pub reason: Option<&'a str>,
    /// How many steps may be under way at once.
    pub parallel: u8,
    /// The sandbox in force, in words.
    pub sandbox: &'a str,
    /// Model, strategy and limits of the run.
    pub choice: RunChoice,
    /// How long what was approved was on screen; absent where it was not in the window.
    pub shown_ms: Option<i64>,
}

/// A run that is written down and holds its plan's lease, about to begin.
pub struct Written {
    /// The run's id.
    pub run: String,
    /// Its plan.
    pub opened: Opened,
    /// Why a blocked plan runs anyway.
    pub reason: Option<String>,
    /// Where commands run.
    pub sandbox: Sandbox,
    /// Keeps other runs off the plan.
    pub lease: RunLease,
}

/// The leaves still to be carried out, in scope.
pub fn open_steps(plan: &Plan, upto: Option<&str>) -> Vec<usize> {
    scope(plan, upto)
        .into_iter()
        .filter(|index| {
            let task = &plan.tasks[*index];
            !task.done && task.skipped.is_none()
        })
        .collect()
}

/// Refuses what cannot be carried out in any order. `file` is how the plan is named to the person.
pub fn runnable(plan: &Plan, problems: &[Problem], file: &str, upto: Option<&str>) -> Result<()> {
    let bad = |message: String| Error::new(Code::NotRunnable, message);
    let grows = plan.front.strategy.as_deref();
    // One that plans as it goes may begin with its goal alone.
    if plan.tasks.is_empty() && grows.and_then(Strategy::read) != Some(Strategy::Iterative) {
        return Err(bad(format!(
            "{file} has no task items (`- [ ] …`), so there is nothing to run"
        )));
    }
    if let Some(upto) = upto
        && !plan.tasks.iter().any(|task| task.id.as_str() == upto)
    {
        return Err(err!(Usage: "--upto names {upto}, which is no task here"));
    }
    let fatal = problems.iter().find(|problem| match problem.code {
        ProblemCode::Cycle
        | ProblemCode::DuplicateId
        | ProblemCode::GroupWithWork
        | ProblemCode::UnknownVersion => true,
        // `covers:` may name what is no requirement; what a task waits for must exist.
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

/// Whether a dependency or option of the task names no task.
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
