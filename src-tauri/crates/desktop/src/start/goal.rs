//! Parsing goals while the user types, and planning them.

use std::collections::btree_map::Entry;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use planning::decision::Effort;
use planning::template;

use crate::wire::{
    DesktopEvent, EffortForecast, GoalReading, GoalRequest, PlanMade, PlanRoute, RouteInsights,
    TemplateMatch,
};
use crate::{Desktop, Shared, lock, templates, while_telling};
use workbench::error::Result;
use workbench::new_plan::{PlanRequest, TemplateChoice};
use workbench::new_plan_with_model::PlanningSink;
use workbench::routes::PlanningHandle;
use workbench::running::ModelChoice;
use workbench::wire::{ModelEvent, PlanningEvent};

/// How often progress is reported to the windows.
const TOLD_EVERY: Duration = Duration::from_millis(100);

/// The first phase of planning a goal.
pub(super) const READING: &str = "Reading the goal";

/// Maximum characters in a goal; anything longer belongs in a file.
const MAX_GOAL_LEN: usize = 8_000;

impl Desktop {
    /// Parses a goal and finds the template that matches it, built in or of the workspace.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] for a goal that is too long, [`workbench::Code::Workspace`] if
    /// the folder is missing.
    pub fn read_goal(&self, workspace: Option<&str>, goal: &str) -> Result<GoalReading> {
        check_length(goal)?;
        if goal.trim().is_empty() {
            return Ok(GoalReading {
                requirements: Vec::new(),
                kind: String::new(),
                open: Vec::new(),
                template: None,
            });
        }
        let intake = planning::detect(goal, &adequacy::WorkspaceFacts::default());
        let own = templates::own(&self.shared.workbench(), workspace)?;
        let loaded = template::load(&own);
        let choice = template::choose(&intake, &loaded.all).filter(template::Choice::is_match);
        let mut open = intake.missing.clone();
        if let Some(choice) = &choice {
            let missing = choice.missing().into_iter();
            open.extend(missing.map(|name| format!("what the template's “{name}” is")));
        }
        let template = choice.map(|choice| TemplateMatch {
            name: choice.template.id.clone(),
            reason: choice.reason.clone(),
            took: choice.took(&intake),
        });
        Ok(GoalReading {
            requirements: intake
                .requirements
                .into_iter()
                .map(|requirement| requirement.text)
                .collect(),
            kind: intake.kind.as_str().replace('-', " "),
            template,
            open,
        })
    }

    /// Writes a plan for a goal. Slow in a large workspace; reports progress and can be cancelled
    /// until the plan is written.
    ///
    /// # Errors
    /// [`workbench::Code::Cancelled`]; otherwise the same as [`workbench::Workbench::plan`].
    pub fn make_plan(&self, request: GoalRequest) -> Result<PlanMade> {
        check_length(&request.goal)?;
        // Use a separate connection, so that other calls aren't held up.
        let mut workbench = self.shared.workbench().again()?;
        let under_way = Arc::new(PlanningHandle::new()?);
        let job = self.shared.begin_planning(&request.job, &under_way)?;
        let wanted = PlanRequest {
            goal: request.goal,
            context: String::new(),
            workspace: Some(request.workspace.clone().into()),
            reason: request.reason,
            requirements: request.requirements,
            template: match (request.without_template, request.template) {
                (true, _) => TemplateChoice::Refused,
                (false, Some(name)) => TemplateChoice::Named(name),
                (false, None) => TemplateChoice::ByGoal,
            },
            effort: Effort::from_name(&request.effort).ok_or_else(
                || err!(Usage: "invalid effort “{}”: choose auto, quick or thorough", request.effort),
            )?,
            pins: request.pins,
        };
        let folder = std::path::Path::new(&request.workspace);
        let agent = request.agent.as_deref();
        let agent = agent.map(|name| workbench.planning_agent(folder, name));
        let outcome = self
            .shared
            .telling(&request.job, READING, &under_way, |sink| match agent {
                Some(agent) => {
                    workbench.make_plan_with_agent(&wanted, agent?.as_mut(), &under_way, sink)
                }
                None => workbench.make_plan(&wanted, &ModelChoice::Configured, &under_way, sink),
            });
        drop(job);
        let outcome = outcome?;
        let plan = outcome.report.path.clone();
        self.shared.plan_changed(&plan, store::Author::App);
        self.shared.events.send(DesktopEvent::Inbox);
        let route = outcome.report.route.get("reasons");
        let route = route.and_then(|reasons| reasons.as_array());
        let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
        let template = outcome.report.route.get("template").and_then(text);
        Ok(PlanMade {
            plan: self.plan_summary(&request.workspace, &plan)?,
            template,
            route: route.into_iter().flatten().filter_map(text).collect(),
            refused: outcome.refused,
            notices: outcome.notices,
        })
    }

    /// Cancels planning; nothing is written. Does nothing if the job has ended.
    pub fn cancel_planning(&self, job: &str) -> Result<()> {
        if let Some(under_way) = lock(&self.shared.planning).get(job) {
            under_way.cancel();
        }
        Ok(())
    }

    /// Finishes planning with the best plan found so far. Does nothing if the job has ended.
    pub fn use_what_there_is(&self, job: &str) -> Result<()> {
        if let Some(under_way) = lock(&self.shared.planning).get(job) {
            under_way.use_best_plan();
        }
        Ok(())
    }

    /// Estimates what each effort level would take for a goal; empty for an empty goal.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] for a goal that is too long, [`workbench::Code::Workspace`] if
    /// the folder is missing.
    pub fn forecast_efforts(&self, workspace: &str, goal: &str) -> Result<Vec<EffortForecast>> {
        check_length(goal)?;
        if goal.trim().is_empty() {
            return Ok(Vec::new());
        }
        self.shared.workbench().forecast(&PlanRequest {
            goal: goal.to_owned(),
            workspace: Some(workspace.into()),
            ..PlanRequest::default()
        })
    }

    /// How a plan was created from a goal; `None` for other plans.
    pub fn plan_route(&self, plan: &str) -> Result<Option<PlanRoute>> {
        let workbench = self.shared.workbench();
        let located = self.shared.locate(&workbench, plan)?;
        workbench.plan_route(&located.file.key())
    }

    /// Insights into which ways of creating plans worked.
    pub fn route_insights(&self) -> Result<RouteInsights> {
        self.shared.workbench().route_insights()
    }

    /// Forgets what was learned about one kind of request with one model, or everything. Returns
    /// the number of plans it was learned from.
    pub fn forget_routes(&self, request: Option<&str>, model: Option<&str>) -> Result<u32> {
        let of = request.map(|request| (request, model.unwrap_or_default()));
        let forgotten = self.shared.workbench().forget_routes(of)?;
        self.shared.events.send(DesktopEvent::Insights);
        Ok(forgotten)
    }
}

/// A planning job; it can be cancelled until this value is dropped.
pub(crate) struct PlanningJob<'a> {
    shared: &'a Shared,
    id: String,
}

impl Drop for PlanningJob<'_> {
    fn drop(&mut self) {
        lock(&self.shared.planning).remove(&self.id);
    }
}

impl Shared {
    /// Registers a planning job, so that it can be cancelled.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] if it is already under way.
    pub(crate) fn begin_planning(
        &self,
        job: &str,
        under_way: &Arc<PlanningHandle>,
    ) -> Result<PlanningJob<'_>> {
        match lock(&self.planning).entry(job.to_owned()) {
            Entry::Occupied(_) => Err(err!(Usage:
                "this is already in progress, perhaps in another window; wait for it to finish, or cancel it there")),
            Entry::Vacant(free) => {
                free.insert(Arc::clone(under_way));
                Ok(PlanningJob {
                    shared: self,
                    id: job.to_owned(),
                })
            }
        }
    }

    /// Runs `work` while reporting planning progress to the windows; `first` is its first phase.
    pub(crate) fn telling<T>(
        &self,
        job: &str,
        first: &str,
        under_way: &PlanningHandle,
        work: impl FnOnce(PlanningSink<'_>) -> T,
    ) -> T {
        // The current phase, the number of characters that a model has written in it, and the
        // length of its silence in milliseconds.
        let phase = Mutex::new((first.to_owned(), 0_u64, None));
        let tell = || {
            let (phase, said, silence_ms) = lock(&phase).clone();
            let phase =
                silence_ms.map_or(phase, |ms: u64| format!("No output for {} s", ms / 1_000));
            self.events.send(DesktopEvent::Planning {
                job: job.to_owned(),
                phase,
                files: u32::try_from(under_way.files()).unwrap_or(u32::MAX),
                said: u32::try_from(said).unwrap_or(u32::MAX),
            });
        };
        let mut sink = |event: PlanningEvent| {
            let step = match event {
                PlanningEvent::Trying(step) => {
                    *lock(&phase) = (doing(&step.kind, &step.plugin).to_owned(), 0, None);
                    step
                }
                PlanningEvent::Tried(step) | PlanningEvent::Skipped(step) => step,
                PlanningEvent::Request { purpose, .. } => {
                    *lock(&phase) = (asking(&purpose).to_owned(), 0, None);
                    return;
                }
                PlanningEvent::Model(ModelEvent::Text { text } | ModelEvent::Thinking { text }) => {
                    let mut phase = lock(&phase);
                    (phase.1, phase.2) = (phase.1 + text.chars().count() as u64, None);
                    return;
                }
                PlanningEvent::Model(ModelEvent::Quiet { silence_ms }) => {
                    lock(&phase).2 = Some(silence_ms);
                    return;
                }
                PlanningEvent::Model(ModelEvent::Retry { reason, .. }) => {
                    let mut phase = lock(&phase);
                    (phase.0, phase.2) = (format!("Retrying: {reason}"), None);
                    return;
                }
                _ => return,
            };
            tell();
            self.events.send(DesktopEvent::PlanningStep {
                job: job.to_owned(),
                step,
            });
        };
        tell();
        while_telling(TOLD_EVERY, tell, || work(&mut sink))
    }
}

/// Describes what a plugin is doing, for the progress line.
fn doing(kind: &str, plugin: &str) -> &'static str {
    match (kind, plugin) {
        ("detector", _) => READING,
        ("kb", "kb-fast") => "Reading the workspace",
        ("kb", "kb-balanced") => "Searching the workspace",
        ("kb", _) => "Reading what earlier runs learned",
        (_, "gs-symbolic") => "Writing the plan from templates and rules",
        (_, "gs-agent") => "The agent is reading the workspace and writing the plan",
        (_, _) => "Writing the plan",
    }
}

/// Describes what a model is asked for.
fn asking(purpose: &str) -> &'static str {
    match purpose {
        "goal" => "The model is reading the goal",
        "draft" => "The model is drafting steps",
        "gaps" => "The model is looking for gaps",
        _ => "The model is expanding the plan",
    }
}

fn check_length(goal: &str) -> Result<()> {
    if goal.chars().count() <= MAX_GOAL_LEN {
        return Ok(());
    }
    Err(err!(Usage:
        "the goal is longer than {MAX_GOAL_LEN} characters; shorten it and put the details into a file that it names"))
}
