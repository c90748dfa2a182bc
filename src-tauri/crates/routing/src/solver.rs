//! `gs-symbolic`: writes a plan from a goal, a survey of the workspace and a template. No model.
//!
//! The plan names only files that the survey found. What it could not find or settle stands in the
//! plan as a step for a person or as an `assume:` line, never as a guess. The same input always
//! gives the same text.

mod beside;
pub(crate) mod concerned;
mod dependency;
pub(crate) mod draft;
mod edits;
mod rename;
mod values;

use std::collections::BTreeMap;

use crate::context::Context;
use crate::intake::Intake;
use crate::template::{self, Choice, Template, choose};

/// A plan that was written, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The plan file.
    pub text: String,
    /// The plan's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The template used.
    pub template: String,
    /// What the template took from the goal.
    pub taken: BTreeMap<String, String>,
    /// The way it was made.
    pub route: Route,
}

/// Which detector, context source and solver made a plan, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// What read the goal.
    pub detector: &'static str,
    /// What looked at the workspace.
    pub kb: &'static str,
    /// What wrote the plan.
    pub solver: &'static str,
    /// The template used.
    pub template: String,
    /// Why, one sentence each.
    pub reasons: Vec<String>,
}

/// Writes a plan. `suffix` ends the plan's id, so that two plans for one goal differ; `templates`
/// come from [`crate::template::load`]; `pick` names the one that a person wants. `None` when there is
/// none of that name; without a pick the built-in ones answer every goal.
pub fn solve(
    intake: &Intake,
    context: &Context,
    templates: &[Template],
    pick: Option<&str>,
    suffix: &str,
) -> Option<Draft> {
    let Choice {
        template,
        taken,
        reason,
    } = match pick {
        Some(name) => template::picked(intake, templates.iter().find(|found| found.id == name)?),
        None => choose(intake, templates)?,
    };
    let mut reasons = vec![reason];
    let mut filled = values::of(intake, context);
    for (name, value) in &taken {
        filled.values.one(name, value);
    }
    reasons.append(&mut filled.reasons);
    let (prose, steps) = template.render(&filled.values);
    let id = draft::id(&intake.goal, suffix);
    let title = draft::title(&intake.goal);
    let text = draft::write(&draft::Parts {
        id: &id,
        title: &title,
        intake,
        guidance: &context.guidance,
        notes: &filled.notes,
        assumptions: &filled.assumptions,
        prose: &prose,
        steps,
        checks: &template.checks,
    });
    Some(Draft {
        text,
        id,
        title,
        template: template.id.clone(),
        taken,
        route: Route {
            detector: "sd-symbolic",
            kb: "kb-fast",
            solver: "gs-symbolic",
            template: template.id.clone(),
            reasons,
        },
    })
}
