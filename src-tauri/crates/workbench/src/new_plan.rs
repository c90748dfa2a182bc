//! `plan`: a goal and a folder become a plan file. Never runs anything.
//!
//! Every route goes the same way: `ground` opens the workspace, reads the goal and looks around; a
//! solver drafts; the draft is made fuller; `keeping` writes, judges and records it. Which ones, and
//! in which order, [`crate::routes`] says. Here is the solver without a model, which always gives a plan.

pub(crate) mod ground;
pub(crate) mod keeping;
pub(crate) mod taken;

use std::path::PathBuf;
use std::sync::Arc;

use planning::decision::Effort;
use planning::template::Pick;
use planning::{Draft, Route};
use store::Author;

use crate::error::Result;
use crate::routes::PlanningUnderWay;
use crate::running::ModelChoice;
use crate::text::one_line;
use crate::wire::PlanReport;
use crate::{Workbench, growing, ids};
use ground::Ground;
use keeping::Drafted;
pub use keeping::slug;
use taken::Taken;

/// What is to be planned.
#[derive(Debug, Clone, Default)]
pub struct PlanRequest {
    /// The goal in the user's words.
    pub goal: String,
    /// The folder to plan for; the current one when absent.
    pub workspace: Option<PathBuf>,
    /// Why a thin plan is to be accepted, where enforcement is on.
    pub reason: Option<String>,
    /// The requirements as a person left them; `None` takes those read from the goal.
    pub requirements: Option<Vec<String>>,
    /// Which template a person wants, where the plan is made without a model.
    pub template: TemplateWish,
    /// How much effort a person wants.
    pub effort: Effort,
    /// Plugins that a person pinned, by id: no other one of their kind is tried.
    pub pins: Vec<String>,
}

/// Which template a person wants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum TemplateWish {
    /// The one that the goal asks for.
    #[default]
    ByGoal,
    /// The one of this name.
    Named(String),
    /// None: a step for each thing that the goal asks for.
    Refused,
}

impl TemplateWish {
    fn pick(&self) -> Pick<'_> {
        match self {
            Self::ByGoal => Pick::ByGoal,
            Self::Named(name) => Pick::Named(name),
            Self::Refused => Pick::Refused,
        }
    }
}

/// A plan that was written.
#[derive(Debug, Clone)]
pub struct PlanOutcome {
    /// Its wire form.
    pub report: PlanReport,
    /// Its text.
    pub text: String,
    /// Why enforcement refuses it, when it does.
    pub refused: Option<String>,
    /// What the user should know.
    pub notices: Vec<String>,
}

impl Workbench {
    /// Writes a plan for a goal without a model: no command, nothing but the plan file is written.
    pub fn plan(&mut self, request: &PlanRequest) -> Result<PlanOutcome> {
        let under_way = PlanningUnderWay::new()?;
        self.make_plan(request, &ModelChoice::None, &under_way, &mut |_| {})
    }

    /// `gs-symbolic`: drafts and makes fuller without a model. Writes nothing.
    /// Fails with [`crate::Code::Usage`] for a template that is not there, [`crate::Code::Cancelled`]
    /// when it was stopped.
    pub(crate) fn symbolic(
        &self,
        request: &PlanRequest,
        ground: &Ground,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Drafted> {
        let pick = request.template.pick();
        let suffix = ids::random(4)?;
        let templates = &ground.templates.all;
        let solved = planning::solve(&ground.intake, &ground.context, templates, pick, &suffix);
        let Draft {
            mut text,
            title,
            took,
            route,
            ..
        } = solved.ok_or_else(|| match pick {
            Pick::Named(name) => err!(Usage:
                "there is no usable template “{name}”; pick another one"),
            Pick::ByGoal | Pick::Refused => {
                err!(Failed: "internal error: no template answers a goal")
            }
        })?;
        add_notes(&mut text, &ground.settings.context_notes);
        let before = plan::parse(&text).0;
        let around = Arc::clone(&ground.around);
        let grown = growing::grow(&text, around, &ground.settings.expansion, is_cancelled)?;
        Ok(Drafted {
            title,
            before,
            grown,
            route: taken(route, took),
            first_cap: None,
            author: Author::App,
            talk: None,
        })
    }
}

fn taken(route: Route, took: Vec<(String, String)>) -> Taken {
    Taken {
        detector: route.detector.to_owned(),
        kb: route.kb.to_owned(),
        solver: route.solver.to_owned(),
        template_reason: route.reasons.first().cloned(),
        template: route.template,
        took,
        reasons: route.reasons,
        ..Taken::default()
    }
}

/// Writes the settings' notes under the title, where people and models read them and an approval
/// covers them.
pub(crate) fn add_notes(text: &mut String, notes: &[String]) {
    let (plan, _) = plan::parse(text);
    let (Some(title), false) = (plan.title, notes.is_empty()) else {
        return;
    };
    let lines: Vec<String> = notes
        .iter()
        .map(|note| format!("- {}", one_line(note)))
        .collect();
    let notes = format!("\n\nNotes for this workspace:\n\n{}", lines.join("\n"));
    text.insert_str(title.span.end, &notes);
}
