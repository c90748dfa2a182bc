//! Sets up everything that is needed to carry out a run in this process, and drives it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agent::journal::{EndState, Entry};
use agent::micro_planning::{RunChoice, look_ahead};
use agent::run::{Config, Machine};
use gate::answers::Answers;
use gate::path::PlanPlace;
use gate::question::QuestionKind;
use tools::checkpoint::Blobs;
use tools::listing::known_plans;
use tools::sandbox::{Sandbox, Tier};

use super::StepExecutors;
use super::step_executors::{HandOverTo, hand_over_notice};
use crate::approval::revision_text;
use crate::driver::{Agents, Driver, Jobs, Sink, step_profile};
use crate::error::{Code, Error, Result};
use crate::opening::Opened;
use crate::run_control::RunControl;
use crate::settings::Settings;
use crate::wire::RunEvent;
use crate::{Workbench, plan_file};

impl Workbench {
    /// The number of parallel steps of a run, according to its journal.
    pub(super) fn parallel_of(&self, run: &str) -> Result<u8> {
        Ok(match self.entries(run)?.first() {
            Some(Entry::Started(started)) => started.parallel,
            _ => 1,
        })
    }

    /// The plan files of a workspace that are known without a full search: those in the usual
    /// folders, and those opened before.
    pub(crate) fn plan_files(&self, opened: &Opened) -> Result<Vec<PathBuf>> {
        let others = opened.settings.plan_folders.as_deref().unwrap_or_default();
        let listed = known_plans(&opened.workspace, &opened.settings.plan_folder, others)
            .map_err(|error| Error::from_cause(Code::Workspace, error))?;
        let root = opened.workspace.path();
        let seen = self
            .store
            .revisions()
            .plans_below(&root.display().to_string())?;
        let seen = seen
            .iter()
            .filter_map(|plan| Path::new(plan).strip_prefix(root).ok());
        let mut files: Vec<PathBuf> = listed.into_iter().map(PathBuf::from).collect();
        files.extend(seen.map(Path::to_owned));
        files.retain(|file| root.join(file).exists());
        files.push(PathBuf::from(&opened.file.relative));
        files.sort();
        files.dedup();
        Ok(files)
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "each is a separate input of a run"
    )]
    pub(super) fn drive(
        &mut self,
        run: &str,
        opened: Opened,
        answers: Answers,
        reason: Option<String>,
        sandbox: Sandbox,
        executors: &StepExecutors,
        control: &RunControl,
        sink: Sink<'_>,
    ) -> Result<EndState> {
        for message in opened
            .notices
            .iter()
            .cloned()
            .chain(unknown_tasks(&answers, &opened))
            .chain(sandbox_notice(&sandbox))
        {
            sink(RunEvent::Notice { message });
        }
        plan_file::tidy(&opened.workspace, &opened.file, &self.store)?;
        let entries = self.entries(run)?;
        let mut rules = opened.settings.permissions.clone();
        rules.extend(self.stored_rules(opened.workspace.path())?);
        let choice = match entries.first() {
            Some(Entry::Started(started)) => started.choice.clone(),
            _ => RunChoice::default(),
        };
        let model = executors.model.clone().or_recorded(&choice);
        let host = choice.host.as_ref().map(|host| host.agent.clone());
        // An agent that carries out the steps itself isn't replaced by a model or a command.
        let mut access = match host {
            None => model.access(self)?,
            Some(_) => None,
        };
        if let Some(access) = &mut access
            && let Err(error) = self.room_for(access, 0, 0, control.cancel_token())
        {
            // If the server is unreachable, the first actual request waits for it.
            tracing::info!(run, %error, "couldn't determine the model's context window");
        }
        let over = executors.hand_over(&choice);
        let over = over.filter(|_| host.is_none());
        let executor = self.executor_for(&opened.settings, over)?;
        if let Some(executor) = &executor {
            sink(RunEvent::Notice {
                message: hand_over_notice(executor, sandbox.tier()),
            });
        }
        let config = Config {
            run: run.to_owned(),
            answers,
            rules,
            sandboxed: sandbox.tier() != Tier::None,
            model: access.as_ref().map(step_profile),
            hand_over: executor.as_ref().map(|executor| {
                executor.for_machine(over.map(|over| over.tasks.clone()).unwrap_or_default())
            }),
            host,
            project_checks: checks_of(&opened.settings, true),
            unseen_checks: checks_of(&opened.settings, false),
            look_ahead: access.as_ref().map_or(1, |access| {
                let profile = &access.profile;
                look_ahead(
                    choice.look_ahead.or(opened.settings.planning.look_ahead),
                    profile.max_tasks_per_plan,
                    profile.needs_simplified_prompts,
                )
            }),
            strategy: choice.strategy,
            usual_strategy: access.as_ref().map_or_else(Default::default, |access| {
                let planning = &opened.settings.planning;
                planning.usual(access.profile.recommended_strategy)
            }),
            is_by_profile: opened.settings.planning.is_by_profile(),
            context: choice.context.unwrap_or(opened.settings.planning.context),
            caps: choice.caps(opened.settings.planning.caps),
            plan: Some(PlanPlace {
                path: opened.file.relative.clone(),
                root: opened.workspace.path().display().to_string(),
                aliases: Vec::new(),
            }),
            reason,
            verification: opened.settings.verification,
            workspace_checks: opened.settings.workspace_checks(),
        };
        let approved = match entries.first() {
            Some(Entry::Started(started)) => revision_text(&self.store, &started.revision)?,
            _ => String::new(),
        };
        let mut machine = Machine::replay(&entries, &approved, config).ok_or_else(|| {
            err!(Storage:
            "the journal of run {run} is missing its first entry")
        })?;
        self.store
            .runs()
            .set_state(run, "running", self.clock.now_ms())?;
        let watch = self.watch.take();
        let mut driver = Driver {
            run: run.to_owned(),
            blobs: Blobs::open(&self.home.blobs)?,
            plan_files: self.plan_files(&opened)?,
            workspace: opened.workspace,
            plan: opened.file,
            sandbox,
            timeout: Duration::from_secs(u64::from(opened.settings.command_timeout_s)),
            control: control.clone(),
            sink,
            watch,
            next_seq: self.store.journal().next_seq(run)?,
            events: 0,
            step_reports: BTreeMap::new(),
            jobs: Jobs::new(machine.state().started.parallel > 1),
            interrupted: None,
            prepared: BTreeMap::new(),
            latest: None,
            access,
            agents: Agents::new(executor.as_ref(), &opened.settings.agents),
            executor: match executor {
                Some(HandOverTo::Command(executor)) => Some(executor),
                _ => None,
            },
            server_wait: Duration::from_secs(opened.settings.server_wait_s),
            runtime: None,
            notes: opened.settings.context_notes.clone(),
            requests: 0,
            shown_bytes: None,
            bench: self,
            store: &self.store,
            home: &self.home,
            clock: &self.clock,
        };
        let ended = driver.drive(&mut machine);
        if let Err(error) = &ended {
            tracing::error!(run, error = %error, "run aborted");
        }
        ended
    }
}

/// A notice that says why none of the allowed sandboxes works; `None` if one works or none is
/// allowed.
fn sandbox_notice(sandbox: &Sandbox) -> Option<String> {
    let report = sandbox.report();
    let reasons = report
        .unavailable
        .iter()
        .filter(|tier| tier.reason != tools::sandbox::NOT_ALLOWED);
    let reasons: Vec<String> = reasons
        .map(|tier| format!("{}: {}", tier.tier.as_str(), tier.reason))
        .collect();
    (report.tier == Tier::None && !reasons.is_empty()).then(|| {
        format!(
            "no sandbox works here, so every command needs approval. {}",
            reasons.join(" ")
        )
    })
}

/// Notices about answers for unknown tasks, which are usually typos.
fn unknown_tasks(answers: &Answers, opened: &Opened) -> Vec<String> {
    let is_about_plan = |id: &str| {
        [QuestionKind::Changed, QuestionKind::Claims]
            .iter()
            .any(|kind| kind.as_str() == id)
    };
    let known = |id: &&str| {
        is_about_plan(id) || opened.plan.tasks.iter().any(|task| task.id.as_str() == *id)
    };
    answers
        .tasks()
        .filter(|id| !known(id))
        .map(|id| format!("the answers mention {id}, which isn't a step of this plan"))
        .collect()
}

/// The project's checks from the user's settings if `own`, else from the workspace's.
fn checks_of(settings: &Settings, own: bool) -> Vec<String> {
    match settings.verify_commands_are_own == own {
        true => settings.verify_commands.clone(),
        false => Vec::new(),
    }
}
