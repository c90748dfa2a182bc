//! The origin of a plan, and recreating it: without its template, by rules, or by the model.

use std::sync::Arc;

use planning::decision::Effort;
use serde_json::Value;

use super::goal::READING;
use crate::Desktop;
use crate::editing::Next;
use crate::wire::{EditOutcome, PlanAnew, PlanOrigin, PlanWriter, TemplateMatch};
use workbench::error::{Code, Error, Result};
use workbench::new_plan::{PlanRequest, TemplateChoice};
use workbench::routes::outcomes::Made;
use workbench::routes::{DraftingMode, FollowResult, PlanningHandle};
use workbench::running::ModelChoice;
use workbench::telemetry::last_metadata;

impl Desktop {
    /// The origin of a plan that is unchanged since it was created from its goal; `None` if it was
    /// changed, or wasn't created here.
    pub fn plan_origin(&self, plan: &str) -> Result<Option<PlanOrigin>> {
        let workbench = self.shared.workbench();
        let (located, _, content) = self.shared.read_now(&workbench, plan)?;
        let made = workbench
            .store
            .plan_sessions()
            .last_loop_of(&located.file.key())?;
        let Some(known) = made.as_ref().map(last_metadata) else {
            return Ok(None);
        };
        let is_unchanged = known["revision"] == content.revision.as_str();
        let route = &known["route"];
        if !is_unchanged || !route.is_object() {
            return Ok(None);
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let template = route["template"].as_str().map(|name| TemplateMatch {
            name: name.to_owned(),
            // In an older format, the template's reason is the first one of the route.
            reason: match &route["template_reason"] {
                Value::Null => text(&route["reasons"][0]),
                reason => text(reason),
            },
            took: route["took"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, value)| (name.clone(), text(value)))
                .collect(),
        });
        Ok(Some(PlanOrigin {
            revision: content.revision.as_str().to_owned(),
            template,
        }))
    }

    /// Recreates a plan from the same goal and requirements, by rules or by the model. The new plan
    /// replaces the old one as one undo step. If the file differs from what the person saw, nothing
    /// is written and the outcome is a conflict. Reports progress and can be cancelled.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] for a plan without a goal; otherwise same as [`Desktop::edit`] or
    /// [`workbench::Workbench::make_plan`].
    pub fn plan_anew(&self, request: &PlanAnew) -> Result<EditOutcome> {
        let (plan, seen) = (request.plan.as_str(), request.seen.as_str());
        let old = self.shared.parsed_at(plan, seen)?;
        let Some(goal) = old.plan.goal().map(str::to_owned) else {
            return Err(err!(Usage: "the plan has no goal; add one, then rewrite it"));
        };
        let (root, key) = {
            let workbench = self.shared.workbench();
            let located = self.shared.locate(&workbench, plan)?;
            (located.root.clone(), located.file.key())
        };
        // Use a separate connection, so that other calls aren't held up.
        let bench = self.shared.workbench().again()?;
        let effort = bench.plan_route(&key)?.map(|route| route.effort);
        let effort = effort.and_then(|name| Effort::from_name(&name));
        let effort = effort.unwrap_or_default();
        let requirements = old.plan.requirements.iter();
        let wanted = PlanRequest {
            goal,
            workspace: Some(root.clone()),
            requirements: Some(requirements.map(|one| one.text.clone()).collect()),
            template: match request.by {
                PlanWriter::Steps => TemplateChoice::Refused,
                PlanWriter::Rules | PlanWriter::Model => TemplateChoice::ByGoal,
            },
            effort,
            pins: vec![solver(request.by, effort).to_owned()],
            ..PlanRequest::default()
        };
        let under_way = Arc::new(PlanningHandle::new()?);
        let job = self.shared.begin_planning(&request.job, &under_way)?;
        let followed = self
            .shared
            .telling(&request.job, READING, &under_way, |sink| {
                let model = ModelChoice::Configured;
                bench.follow(
                    &wanted,
                    &model,
                    DraftingMode::SingleRequests,
                    &under_way,
                    sink,
                )
            });
        drop(job);
        let (ground, drafted) = match followed? {
            FollowResult::Plan(made) => *made,
            FollowResult::Open(end) => return Err(Error::new(Code::Failed, end.message)),
        };
        let new = with_id(&drafted.grown.text, old.plan.front.id.as_deref());
        let label = match request.by {
            PlanWriter::Steps => "Rewritten without the template",
            PlanWriter::Rules => "Rewritten by rules",
            PlanWriter::Model => "Rewritten by the model",
        };
        let outcome = self.shared.write_step(plan, label, |now| {
            Ok(Next::in_place_of(seen, now, label, &new))
        })?;
        if let EditOutcome::Written { revision, .. } = &outcome {
            bench.keep_made(&key, revision, &ground.settings, &drafted)?;
            bench.keep_route(&Made {
                workspace: &root.display().to_string(),
                intake: &ground.intake,
                plan: (&key, revision),
                route: &drafted.route,
            })?;
            // The plan's origin has changed too.
            self.shared.plan_changed(plan, store::Author::App);
        }
        Ok(outcome)
    }
}

/// The solver for the requested writer.
fn solver(by: PlanWriter, effort: Effort) -> &'static str {
    match (by, effort) {
        (PlanWriter::Rules | PlanWriter::Steps, _) => "gs-symbolic",
        (PlanWriter::Model, Effort::Thorough) => "gs-llm-deep",
        (PlanWriter::Model, Effort::Auto | Effort::Quick) => "gs-llm-fast",
    }
}

/// Gives the text the plan's existing id, since it is the same plan.
fn with_id(text: &str, id: Option<&str>) -> String {
    let (plan, _) = plan::parse(text);
    let front = plan.front.span.clone().unwrap_or_default();
    match (id, plan.front.id.as_deref()) {
        (Some(id), Some(new)) => {
            let (head, rest) = text.split_at(front.end);
            let head = head.replacen(&format!("id: {new}"), &format!("id: {id}"), 1);
            format!("{head}{rest}")
        }
        _ => text.to_owned(),
    }
}
