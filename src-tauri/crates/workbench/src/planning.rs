//! `plan`: a goal and a folder become a plan file. Never runs anything.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use plan::{By, Plan};
use routing::{Context, Draft, Project, ProjectKind, Route, template};
use store::Author;
use tools::survey::{self, Survey, SurveyRequest};
use tools::{Workspace, documents};

use crate::error::{Code, Error, Result};
use crate::plan_file::{self, Content};
use crate::settings::Settings;
use crate::telemetry::Session;
use crate::wire::{PlanReport, PlannedExpansion, PlannedRequirement, PlannedTask};
use crate::{Workbench, checking, growing, ids};

/// Bytes of one user template at most; a plan of this size is not a template.
const LARGEST_TEMPLATE: u64 = 256 * 1024;

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
    /// The template that a person picked; `None` lets the goal choose.
    pub template: Option<String>,
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
    /// Writes a plan for a goal, from the symbolic route: no model, no command, nothing but the
    /// plan file is written.
    ///
    /// # Errors
    /// [`Code::Usage`] for an empty goal, [`Code::Workspace`] when the folder cannot be read or the
    /// plan cannot be written.
    pub fn plan(&mut self, request: &PlanRequest) -> Result<PlanOutcome> {
        self.plan_under_way(request, &Survey::default())
    }

    /// As [`Workbench::plan`], where others watch the survey or may stop it; until the plan is
    /// written nothing is.
    pub(crate) fn plan_under_way(
        &mut self,
        request: &PlanRequest,
        under_way: &Survey,
    ) -> Result<PlanOutcome> {
        let goal = request.goal.trim();
        if goal.is_empty() {
            return Err(Error::new(
                Code::Usage,
                "say what is to be achieved: the goal is empty",
            ));
        }
        let root = match &request.workspace {
            Some(dir) => self.environment.cwd.join(dir),
            None => self.environment.cwd.clone(),
        };
        let workspace = self.open_workspace(&root)?;
        let (settings, problems) = self.settings_for(Some(&workspace));
        let mut notices: Vec<String> = problems.iter().map(ToString::to_string).collect();

        let mut intake = routing::detect(goal, &adequacy::WorkspaceFacts::default());
        if let Some(requirements) = &request.requirements {
            intake = intake.with_requirements(requirements);
        }
        let mut wanted = SurveyRequest::for_intake(&intake);
        wanted.plan_folder = settings.plan_folder.clone();
        let mut context = survey::survey_under_way(&workspace, &wanted, under_way)?;
        prefer_checks(&mut context, &settings);
        let user_templates = self.user_templates(&workspace, &settings, &mut notices);
        let templates = template::load(&user_templates);
        notices.extend(
            templates
                .problems
                .iter()
                .map(|found| format!("template {}: {}", found.path, found.error)),
        );
        let pick = request.template.as_deref();
        let suffix = ids::random(4)?;
        let mut draft = routing::solve(&intake, &context, &templates.all, pick, &suffix)
            .ok_or_else(|| match pick {
                Some(name) => Error::new(
                    Code::Usage,
                    format!("there is no usable template “{name}”; pick another one"),
                ),
                None => Error::new(Code::Failed, "internal error: no template answers a goal"),
            })?;
        notices.extend(context.limits.iter().cloned());
        add_notes(&mut draft, &settings.context_notes);

        let before = plan::parse(&draft.text).0;
        let around = Arc::new(self.facts_around(&workspace, &settings));
        let is_stopped = || under_way.is_stopped();
        let grown = growing::grow(
            &draft.text,
            Arc::clone(&around),
            &settings.expansion,
            &is_stopped,
        )?;
        draft.text.clone_from(&grown.text);

        let (path, relative, content) = self.place(&workspace, &settings, &draft)?;
        let (plan, problems) = plan::parse(&content.text);
        let key = path.display().to_string();
        let facts = self.facts_of_plan(&workspace, &around, &key, &plan);
        let report = checking::report(&plan, &problems, &facts);
        let objection = checking::objection(&settings, &relative, &report);
        let reason = request
            .reason
            .as_deref()
            .filter(|reason| !reason.trim().is_empty());
        if let (Some(_), Some(reason)) = (&objection, reason) {
            tracing::warn!(plan = %relative, reason, "thin plan accepted");
            self.store.approvals().add(&store::NewApproval {
                plan: &path.display().to_string(),
                revision: content.revision.as_str(),
                run: None,
                actor: "person",
                policy: "thin_accepted",
                upto: None,
                reason: Some(reason),
                at_ms: self.clock.now_ms(),
            })?;
        }
        let report = PlanReport {
            path: path.display().to_string(),
            revision: content.revision.as_str().to_owned(),
            id: plan.front.id.clone().unwrap_or_default(),
            title: draft.title.clone(),
            tasks: planned_tasks(&plan),
            adequacy: checking::adequacy_block(&report),
            requirements: planned_requirements(&plan),
            route: route(&draft.route),
            expansion: (!grown.rounds.is_empty()).then(|| PlannedExpansion {
                status: grown.status.as_str().to_owned(),
                stop_reason: grown.stop_reason.as_str().to_owned(),
                refinement_rounds: grown.rounds.len(),
                before: growing::standing(&grown.before),
                after: growing::standing(&grown.after),
            }),
            session: None,
        };
        let refused = objection.filter(|_| reason.is_none());
        // What enforcement refuses is not counted among the plans that were made.
        if refused.is_none() {
            let session = Session {
                key: &key,
                revision: content.revision.as_str(),
                strategy: draft.route.solver,
                before: &before,
                outcome: &grown,
                settings: &settings,
            };
            let id = self.keep_session(&session)?;
            if !grown.changes.is_empty() {
                let after = (&plan, &grown.after);
                self.keep_accepted(&session, &id, grown.changes.len(), after)?;
            }
        }
        Ok(PlanOutcome {
            report,
            text: content.text,
            refused,
            notices,
        })
    }

    /// The user's templates of this workspace: name and text.
    pub(crate) fn user_templates(
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
                    notices.push(format!("templates in {folder} were not read: {error}"));
                    continue;
                }
            };
            for name in names {
                let path = format!("{folder}/{name}");
                match documents::read(workspace, &path, LARGEST_TEMPLATE)
                    .map_err(|error| error.to_string())
                    .and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()))
                {
                    Ok(text) => found.push((path, text)),
                    Err(error) => notices.push(format!("template {path} was not read: {error}")),
                }
            }
        }
        found
    }

    /// Writes the draft under a name that is free and keeps it as a revision.
    fn place(
        &mut self,
        workspace: &Workspace,
        settings: &Settings,
        draft: &Draft,
    ) -> Result<(PathBuf, String, Content)> {
        let content = Content::of(draft.text.clone());
        let slug = slug(&draft.title);
        for number in 1..1000_u32 {
            let mut name = format!("{}/{slug}", settings.plan_folder);
            if number > 1 {
                // Writing into a String cannot fail.
                let _ = write!(name, "-{number}");
            }
            name.push_str(".md");
            match documents::create(workspace, &name, content.text.as_bytes()) {
                Ok(true) => {
                    let path = workspace.path().join(&name);
                    let key = path.display().to_string();
                    let now = self.clock.now_ms();
                    let why = "written for a goal";
                    plan_file::record(&self.store, &key, &content, None, Author::App, why, now)?;
                    return Ok((path, name, content));
                }
                Ok(false) => {}
                Err(error) => {
                    let message = format!("the plan {name} cannot be written: {error}");
                    return Err(Error {
                        code: Code::Workspace,
                        message,
                        source: Some(Box::new(error)),
                    });
                }
            }
        }
        Err(Error::new(
            Code::Workspace,
            format!(
                "{}/ holds too many plans named {slug}; tidy it up",
                settings.plan_folder
            ),
        ))
    }
}

fn route(route: &Route) -> serde_json::Value {
    serde_json::json!({
        "detector": route.detector,
        "kb": route.kb,
        "solver": route.solver,
        "template": route.template,
        "reasons": route.reasons,
    })
}

/// Has the settings' own check commands stand for those found in the workspace.
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

/// Writes the settings' notes under the title, where people and models read them and an approval
/// covers them.
fn add_notes(draft: &mut Draft, notes: &[String]) {
    let (plan, _) = plan::parse(&draft.text);
    let (Some(title), false) = (plan.title, notes.is_empty()) else {
        return;
    };
    let lines: Vec<String> = notes
        .iter()
        .map(|note| format!("- {}", one_line(note)))
        .collect();
    let text = format!("\n\nNotes for this workspace:\n\n{}", lines.join("\n"));
    draft.text.insert_str(title.span.end, &text);
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn planned_requirements(plan: &Plan) -> Vec<PlannedRequirement> {
    plan.requirements
        .iter()
        .map(|requirement| PlannedRequirement {
            id: requirement.id.clone(),
            text: requirement.text.clone(),
        })
        .collect()
}

pub(crate) fn planned_tasks(plan: &Plan) -> Vec<PlannedTask> {
    plan.tasks
        .iter()
        .map(|task| PlannedTask {
            id: task.id.0.clone(),
            title: task.title.clone(),
            by: match task.carried_out_by(false) {
                By::Agent if !task.calls.is_empty() => "agent",
                _ => "person",
            }
            .to_owned(),
            files: task.files.clone(),
            depends: task
                .depends
                .iter()
                .flatten()
                .map(|id| id.0.clone())
                .collect(),
            verify: task.verify.clone(),
        })
        .collect()
}

/// A file name from a title: lower case, letters and digits of any script, at most 60 characters.
pub(crate) fn slug(title: &str) -> String {
    let mut slug = String::new();
    for c in title.chars().flat_map(char::to_lowercase) {
        match c.is_alphanumeric() {
            true => slug.push(c),
            false if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            false => {}
        }
        if slug.chars().count() >= 60 {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() {
        "plan".to_owned()
    } else {
        slug.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn titles_become_file_names() {
        let cases = [
            ("Add a --json flag", "add-a-json-flag"),
            ("  ../../etc/passwd ", "etc-passwd"),
            ("报告导出", "报告导出"),
            ("!!!", "plan"),
        ];
        for (title, expected) in cases {
            assert_eq!(slug(title), expected);
        }
        assert!(slug(&"word ".repeat(100)).chars().count() <= 60);
    }
}
