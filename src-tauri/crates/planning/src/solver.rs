//! `gs-symbolic`: writes a plan from a goal, a survey of the workspace and a template, without a
//! model.
//!
//! The plan only names files that the survey found. Anything it could not find or resolve becomes a
//! step for a person or an `assume:` line, never a guess. The same input always gives the same
//! text.

mod companions;
mod dependency;
mod dependency_entry;
pub(crate) mod draft;
mod edits;
mod join;
mod moves;
mod options;
mod parts;
pub(crate) mod relevant;
mod rename;
mod simulate;
mod values;

pub(crate) use dependency::is_manifest;

use std::collections::BTreeMap;

use crate::context::Context;
use crate::intake::Intake;
use crate::template::{self, Choice, Pick, Template, choose};

/// A finished plan and how it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The text of the plan file.
    pub text: String,
    /// The plan's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The name of the template that was used; `None` if templates were turned off or none fits the
    /// goal.
    pub template: Option<String>,
    /// Parameters that the template extracted from the goal, as names and values.
    pub took: Vec<(String, String)>,
    /// Which plugins made the plan, and why.
    pub route: Route,
}

/// The detector, context source and solver that made a plan, and why they were used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The id of the plugin that read the goal.
    pub detector: &'static str,
    /// The id of the plugin that surveyed the workspace.
    pub kb: &'static str,
    /// The id of the plugin that wrote the plan.
    pub solver: &'static str,
    /// The name of the template that was used; `None` if templates were turned off or none fits the
    /// goal.
    pub template: Option<String>,
    /// Why this route was used, one sentence per reason.
    pub reasons: Vec<String>,
}

/// The files relevant to a goal, judging by its words and the survey. The first step of a plan
/// reads them. Grouped into sources, tests and documents, most relevant first within each group.
pub fn relevant_files(intake: &Intake, context: &Context) -> Vec<String> {
    relevant::files(intake, context).all(&intake.named_paths)
}

/// Replaces the goal's spelling of a library name with the one in the manifests.
fn as_listed(intake: &mut Intake, context: &Context) {
    if let Some(wanted) = &mut intake.dependency
        && let Some(name) = dependency::as_listed(wanted, context)
    {
        for term in intake
            .search_terms
            .iter_mut()
            .filter(|term| **term == wanted.name)
        {
            term.clone_from(&name);
        }
        wanted.name = name;
    }
}

/// Writes a plan. `suffix` ends the plan's id, so that the ids of two plans for the same goal
/// differ; `templates` come from [`crate::template::load`]; `pick` is the template that the user
/// chose. Returns `None` if no template has the chosen name; if the user chose none, a built-in one
/// always fits.
pub fn solve(
    intake: &Intake,
    context: &Context,
    templates: &[Template],
    pick: Pick<'_>,
    suffix: &str,
) -> Option<Draft> {
    let mut intake = intake.in_workspace(&context.facts());
    as_listed(&mut intake, context);
    moves::placed(&mut intake, context);
    for part in &mut intake.parts {
        as_listed(part, context);
        moves::placed(part, context);
    }
    let intake = &intake;
    if let Some(draft) = in_parts(intake, context, templates, pick, suffix) {
        return Some(draft);
    }
    // If rules can't complete the goal, plan it as one step per requirement.
    let obstacle = values::obstacle(intake, context);
    let open = obstacle
        .as_ref()
        .map(|_| intake.left_open(|name| values::is_defined(name, context)));
    let intake = open.as_ref().unwrap_or(intake);
    let plain;
    let choice = match pick {
        Pick::Named(name) => {
            template::picked(intake, templates.iter().find(|found| found.id == name)?)
        }
        Pick::ByGoal => choose(intake, templates)?,
        Pick::Refused => {
            plain = template::refused()?;
            Choice {
                template: &plain,
                taken: BTreeMap::new(),
                reason: "no template, as requested: one step per requirement".to_owned(),
            }
        }
    };
    let is_match = match pick {
        Pick::ByGoal => choice.is_match(),
        Pick::Named(_) => true,
        Pick::Refused => false,
    };
    let took = match is_match {
        true => choice.took(intake),
        false => Vec::new(),
    };
    let mut reasons = vec![choice.reason.clone()];
    let missing = choice.missing();
    if !missing.is_empty() {
        let named: Vec<String> = missing.iter().map(|name| format!("“{name}”")).collect();
        reasons.push(format!(
            "the goal doesn't specify {}, so template lines that need it are omitted",
            named.join(" and ")
        ));
    }
    let Choice {
        template, taken, ..
    } = choice;
    let mut filled = values::of(intake, context);
    for (name, value) in &taken {
        filled.values.one(name, value);
    }
    filled.assumptions.extend(obstacle);
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
        template: is_match.then(|| template.id.clone()),
        took,
        route: Route {
            detector: "sd-symbolic",
            kb: "kb-fast",
            solver: "gs-symbolic",
            template: is_match.then(|| template.id.clone()),
            reasons,
        },
    })
}

/// The plan for a goal that rules can do only in part. `None` for a custom or explicitly chosen
/// template, since such a template applies to the whole goal.
fn in_parts(
    intake: &Intake,
    context: &Context,
    templates: &[Template],
    pick: Pick<'_>,
    suffix: &str,
) -> Option<Draft> {
    let is_built_in = |choice: &Choice<'_>| choice.template.path.is_none();
    if pick != Pick::ByGoal || !choose(intake, templates).as_ref().is_some_and(is_built_in) {
        return None;
    }
    let composed = parts::solve(intake, context, templates)?;
    let id = draft::id(&intake.goal, suffix);
    let title = draft::title(&intake.goal);
    let text = draft::write(&draft::Parts {
        id: &id,
        title: &title,
        intake,
        guidance: &context.guidance,
        notes: &composed.notes,
        assumptions: &composed.assumptions,
        prose: &composed.prose.join("\n\n"),
        steps: composed.steps,
        checks: &[],
    });
    Some(Draft {
        text,
        id,
        title,
        template: composed.template.clone(),
        took: composed.took,
        route: Route {
            detector: "sd-symbolic",
            kb: "kb-fast",
            solver: "gs-symbolic",
            template: composed.template,
            reasons: composed.reasons,
        },
    })
}
