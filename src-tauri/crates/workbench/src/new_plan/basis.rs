//! The basis of a plan: the workspace, its settings, the parsed goal, and the results of the
//! survey.

use std::sync::Arc;

use adequacy::WorkspaceFacts;
use planning::template::{self, Templates};
use planning::{Context, Intake, Project, ProjectKind};
use tools::survey::{self, Survey, SurveyRequest};
use tools::{Workspace, documents};

use super::PlanRequest;
use crate::Workbench;
use crate::error::Result;
use crate::settings::Settings;

/// The size limit of a user template, in bytes.
const MAX_TEMPLATE_BYTES: u64 = 256 * 1024;

/// A workspace and a goal, before the survey.
pub(crate) struct Site {
    pub(crate) workspace: Workspace,
    pub(crate) settings: Settings,
    /// The goal as parsed without a model, with requirements as edited by the person.
    pub(crate) intake: Intake,
    /// Notices for the user.
    pub(crate) notices: Vec<String>,
}

fn looked_at(
    workspace: &Workspace,
    settings: &Settings,
    intake: &Intake,
    progress: &Survey,
) -> Result<Context> {
    let mut wanted = SurveyRequest::for_intake(intake);
    wanted.plan_folder = settings.plan_folder.clone();
    let mut context = survey::survey_with_progress(workspace, &wanted, progress)?;
    prefer_checks(&mut context, settings);
    Ok(context)
}

/// A workspace and a goal, with everything needed to plan.
pub struct PlanningBasis {
    pub(crate) workspace: Workspace,
    pub settings: Settings,
    /// The parsed goal.
    pub intake: Intake,
    pub(crate) context: Context,
    /// The facts that plans are checked against.
    pub(crate) around: Arc<WorkspaceFacts>,
    pub(crate) templates: Templates,
    /// Notices for the user.
    pub(crate) notices: Vec<String>,
}

impl Workbench {
    /// Opens the workspace of a request and parses its goal. Fails with [`crate::Code::Usage`] for
    /// an empty goal, [`crate::Code::Workspace`] if the folder can't be read.
    pub(crate) fn site(&self, request: &PlanRequest) -> Result<Site> {
        let goal = request.goal.trim();
        if goal.is_empty() {
            return Err(err!(Usage: "the goal is empty; describe what to achieve"));
        }
        let root = self.environment.at(request.workspace.as_deref());
        let workspace = self.open_workspace(&root)?;
        let (mut settings, problems) = self.settings_for(Some(&workspace));
        request.apply(&mut settings);
        let mut intake = planning::detect(goal, &WorkspaceFacts::default());
        if let Some(requirements) = &request.requirements {
            intake = intake.with_requirements(requirements);
        }
        Ok(Site {
            workspace,
            settings,
            intake,
            notices: problems.iter().map(ToString::to_string).collect(),
        })
    }

    /// Adds the templates and the facts that plans are checked against; the survey comes later.
    pub(crate) fn basis(&self, site: Site) -> PlanningBasis {
        let Site {
            workspace,
            settings,
            intake,
            mut notices,
        } = site;
        let user_templates = self.user_templates(&workspace, &settings, &mut notices);
        let templates = template::load(&user_templates);
        notices.extend(
            templates
                .problems
                .iter()
                .map(|found| format!("template {}: {}", found.path, found.error)),
        );
        let around = Arc::new(self.facts_around(&workspace, &settings));
        PlanningBasis {
            workspace,
            settings,
            intake,
            context: Context::default(),
            around,
            templates,
            notices,
        }
    }

    /// Surveys the workspace for the goal as currently read. Another thread can watch or stop it.
    /// Fails with [`crate::Code::Workspace`] if the folder can't be read or the survey was stopped.
    pub(crate) fn look(&self, basis: &mut PlanningBasis, progress: &Survey) -> Result<()> {
        let (workspace, settings) = (&basis.workspace, &basis.settings);
        basis.context = looked_at(workspace, settings, &basis.intake, progress)?;
        for limit in &basis.context.limits {
            if !basis.notices.contains(limit) {
                basis.notices.push(limit.clone());
            }
        }
        Ok(())
    }

    /// The user templates of this workspace, as path and text. Unreadable ones are left out, with a
    /// notice.
    pub fn user_templates(
        &self,
        workspace: &Workspace,
        settings: &Settings,
        notices: &mut Vec<String>,
    ) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for folder in &settings.template_folders {
            let names = match documents::markdown_files(workspace, folder) {
                Ok(names) => names,
                Err(error) => {
                    notices.push(format!("couldn't read the templates in {folder}: {error}"));
                    continue;
                }
            };
            for name in names {
                let path = format!("{folder}/{name}");
                match documents::read(workspace, &path, MAX_TEMPLATE_BYTES)
                    .map_err(|error| error.to_string())
                    .and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()))
                {
                    Ok(text) => found.push((path, text)),
                    Err(error) => notices.push(format!("couldn't read template {path}: {error}")),
                }
            }
        }
        found
    }
}

/// Replaces the checks detected in the workspace with those from the settings, if there are any.
fn prefer_checks(context: &mut Context, settings: &Settings) {
    if settings.verify_commands.is_empty() {
        return;
    }
    for project in &mut context.projects {
        project.tests.clear();
    }
    let manifest = crate::WORKSPACE_SETTINGS.to_owned();
    let tests = settings.verify_commands.clone();
    let kind = ProjectKind::Make;
    context.projects.push(Project {
        kind,
        manifest,
        folder: String::new(),
        tests,
    });
}
