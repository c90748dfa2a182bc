//! `plan`: turns a goal and a folder into a plan file. Never runs anything.
//!
//! Every route has the same stages: `basis` opens the workspace, reads the goal and surveys the
//! folder; a solver drafts a plan; the draft is expanded; `save` writes, checks and records it.
//! [`crate::routes`] decides which plugins do this, and in which order. This module has the solver
//! that needs no model and always gives a plan.

pub(crate) mod basis;
pub(crate) mod provenance;
pub(crate) mod save;

use std::path::PathBuf;
use std::sync::Arc;

use planning::decision::Effort;
use planning::template::Pick;
use planning::{Draft, Route};
use store::Author;

use crate::error::Result;
use crate::routes::PlanningHandle;
use crate::running::ModelChoice;
use crate::text::one_line;
use crate::wire::PlanReport;
use crate::{Workbench, expansion, ids};
use basis::PlanningBasis;
use provenance::Provenance;
use save::DraftedPlan;
pub use save::slug;

/// A request for a plan.
#[derive(Debug, Clone, Default)]
pub struct PlanRequest {
    /// The goal, in the user's words.
    pub goal: String,
    /// Context that the user attached, as Markdown. Models get it after the goal; rules ignore it.
    pub context: String,
    /// The folder to plan for; defaults to the current one.
    pub workspace: Option<PathBuf>,
    /// The reason for accepting a thin plan despite enforcement.
    pub reason: Option<String>,
    /// The requirements as edited by a person; `None` uses those found in the goal.
    pub requirements: Option<Vec<String>>,
    /// The template to use if the plan is made without a model.
    pub template: TemplateChoice,
    /// How much effort to spend on planning.
    pub effort: Effort,
    /// IDs of pinned plugins; no other plugin of the same kind is tried.
    pub pins: Vec<String>,
}

/// The template for a plan made without a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum TemplateChoice {
    /// The template that fits the goal.
    #[default]
    ByGoal,
    /// The template with this name.
    Named(String),
    /// No template: one step per item of the goal.
    Refused,
}

impl TemplateChoice {
    fn pick(&self) -> Pick<'_> {
        match self {
            Self::ByGoal => Pick::ByGoal,
            Self::Named(name) => Pick::Named(name),
            Self::Refused => Pick::Refused,
        }
    }
}

/// A finished plan.
#[derive(Debug, Clone)]
pub struct PlanOutcome {
    /// The report, as printed by `plan --json`.
    pub report: PlanReport,
    /// The plan file's text.
    pub text: String,
    /// Why enforcement rejects the plan, if it does.
    pub refused: Option<String>,
    /// Notices for the user.
    pub notices: Vec<String>,
}

impl Workbench {
    /// Writes a plan for a goal without a model. Runs no command and writes only the plan file.
    pub fn plan(&mut self, request: &PlanRequest) -> Result<PlanOutcome> {
        let handle = PlanningHandle::new()?;
        self.make_plan(request, &ModelChoice::None, &handle, &mut |_| {})
    }

    /// `gs-symbolic`: drafts and expands a plan without a model. Writes nothing. Fails with
    /// [`crate::Code::Usage`] for an unknown template, [`crate::Code::Cancelled`] if cancelled.
    pub(crate) fn symbolic(
        &self,
        request: &PlanRequest,
        basis: &PlanningBasis,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<DraftedPlan> {
        let pick = request.template.pick();
        let suffix = ids::random(4)?;
        let templates = &basis.templates.all;
        let solved = planning::solve(&basis.intake, &basis.context, templates, pick, &suffix);
        let Draft {
            mut text,
            title,
            took,
            route,
            ..
        } = solved.ok_or_else(|| match pick {
            Pick::Named(name) => err!(Usage:
                "no usable template “{name}”; choose another one"),
            Pick::ByGoal | Pick::Refused => {
                err!(Failed: "internal error: the rules produced no plan")
            }
        })?;
        add_notes(&mut text, &basis.settings.context_notes);
        let before = plan::parse(&text).0;
        let around = Arc::clone(&basis.around);
        let grown = expansion::grow(&text, around, &basis.settings.expansion, is_cancelled)?;
        Ok(DraftedPlan {
            title,
            before,
            grown,
            route: taken(route, took),
            first_cap: None,
            author: Author::App,
            conversation: None,
            agent: None,
        })
    }
}

fn taken(route: Route, took: Vec<(String, String)>) -> Provenance {
    Provenance {
        detector: route.detector.to_owned(),
        kb: route.kb.to_owned(),
        solver: route.solver.to_owned(),
        template_reason: route.reasons.first().cloned(),
        template: route.template,
        took,
        reasons: route.reasons,
        ..Provenance::default()
    }
}

/// Adds the notes from the settings below the title, where people and models read them and the
/// approval covers them.
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
