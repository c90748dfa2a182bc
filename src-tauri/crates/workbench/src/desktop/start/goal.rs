//! Goals: read as they are typed, and made into plans.

use std::sync::mpsc;
use std::time::Duration;

use routing::template;
use tools::survey::Survey;

use crate::desktop::{Desktop, Shared, lock, templates};
use crate::error::{Code, Error, Result};
use crate::planning::{PlanRequest, TemplateWish};
use crate::wire::window::{DesktopEvent, GoalReading, GoalRequest, PlanMade, TemplateMatch};

/// How often the windows hear how far planning is.
const TOLD_EVERY: Duration = Duration::from_millis(100);

/// The longest goal, in characters: more is a document, which belongs into a file.
const LONGEST_GOAL: usize = 8_000;

impl Desktop {
    /// Reads a goal as it is typed, and says which template of the workspace would answer it.
    ///
    /// # Errors
    /// [`Code::Usage`] for a goal that is too long, [`Code::Workspace`] when the folder is gone.
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
        let intake = routing::detect(goal, &adequacy::WorkspaceFacts::default());
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

    /// Writes a plan for a goal. Takes long in a large workspace; tells how far it is, and can be
    /// cancelled until the plan is written.
    ///
    /// # Errors
    /// [`Code::Cancelled`]; as [`crate::Workbench::plan`].
    pub fn make_plan(&self, request: GoalRequest) -> Result<PlanMade> {
        check_length(&request.goal)?;
        // A connection of its own: the windows go on meanwhile.
        let mut workbench = self.shared.workbench().again()?;
        let under_way = std::sync::Arc::new(Survey::default());
        lock(&self.shared.planning).insert(request.job.clone(), under_way.clone());
        let wanted = PlanRequest {
            goal: request.goal,
            workspace: Some(request.workspace.clone().into()),
            reason: request.reason,
            requirements: request.requirements,
            template: match (request.without_template, request.template) {
                (true, _) => TemplateWish::Refused,
                (false, Some(name)) => TemplateWish::Named(name),
                (false, None) => TemplateWish::ByGoal,
            },
        };
        let outcome = self.shared.telling(&request.job, &under_way, || {
            workbench.plan_under_way(&wanted, &under_way)
        });
        lock(&self.shared.planning).remove(&request.job);
        let outcome = match outcome {
            Err(_) if under_way.is_stopped() => {
                return Err(Error::new(Code::Cancelled, "stopped; no plan was written"));
            }
            other => other?,
        };
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

    /// Cancels planning; nothing is written then. A job that has ended is left alone.
    ///
    /// # Errors
    /// None at present.
    pub fn cancel_planning(&self, job: &str) -> Result<()> {
        if let Some(under_way) = lock(&self.shared.planning).get(job) {
            under_way.stop();
        }
        Ok(())
    }
}

impl Shared {
    /// Does the work, telling the windows meanwhile how far it is.
    fn telling<T>(&self, job: &str, under_way: &Survey, work: impl FnOnce() -> T) -> T {
        let tell = || {
            self.events.send(DesktopEvent::Planning {
                job: job.to_owned(),
                phase: "Reading the workspace".to_owned(),
                files: u32::try_from(under_way.files()).unwrap_or(u32::MAX),
            });
        };
        let (done, wait) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                tell();
                // The channel closes when the work is done, also when it panics.
                while wait.recv_timeout(TOLD_EVERY) == Err(mpsc::RecvTimeoutError::Timeout) {
                    tell();
                }
            });
            let _done = done;
            work()
        })
    }
}

fn check_length(goal: &str) -> Result<()> {
    if goal.chars().count() <= LONGEST_GOAL {
        return Ok(());
    }
    Err(Error::new(
        Code::Usage,
        format!(
            "the goal is longer than {LONGEST_GOAL} characters; say it in fewer words, and put the details into a file that it names"
        ),
    ))
}
