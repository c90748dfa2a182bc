//! The solvers of a decision. Each writes a plan, with or without a conversation, and the best one
//! is kept.

use planning::agent_plan;
use planning::decision::{AGENT_SOLVER, AttemptResult};
use planning::drafting::goal::ModelDepth;
use planning::drafting::prompt::Form;

use super::{RouteExecution, no_model};
use crate::error::{Code, Result};
use crate::new_plan::provenance::ModelUsage;
use crate::new_plan::save::DraftedPlan;
use crate::new_plan_with_model::{
    ConversationResult, NoPlan, converse, deepened, draft_form, solve,
};
use crate::routes::DraftingMode;
use crate::routes::best::{Candidate, assess};
use crate::wire::PlanningEvent;

impl RouteExecution<'_> {
    /// Runs a solver, `gs-…`, and keeps the best plan so far.
    pub(super) fn solve(&mut self, plugin: &str) -> std::result::Result<AttemptResult, NoPlan> {
        // The survey is needed even if the planner has no KB plugins.
        self.knowledge
            .look(self.bench, &mut self.basis, &self.handle.survey)?;
        let depth = match plugin {
            "gs-llm-fast" => ModelDepth::Fast,
            "gs-llm-deep" => ModelDepth::Deep,
            AGENT_SOLVER => return self.by_agent(),
            _ => return self.by_rules(),
        };
        if self.mode != DraftingMode::SingleRequests {
            return self.in_conversation(depth);
        }
        self.begin()?;
        let form = match (self.uses_smaller_forms, self.requester.as_ref()) {
            (false, Some(requester)) => draft_form(requester),
            _ => Form::Lines,
        };
        let Some(requester) = self.requester.as_mut() else {
            return Err(no_model());
        };
        let drafted = solve(
            requester,
            &self.basis,
            depth,
            form,
            &self.reading.assumptions,
        )?;
        Ok(self.put(drafted))
    }

    /// Runs `gs-llm-…` in a conversation. There is only one conversation, whose proposal can be
    /// expanded once.
    fn in_conversation(&mut self, depth: ModelDepth) -> std::result::Result<AttemptResult, NoPlan> {
        let Some(requester) = self.requester.as_mut() else {
            return Err(no_model());
        };
        let is_deep = depth == ModelDepth::Deep;
        let is_had = self.conversation.is_some();
        if is_had && (self.is_deepened || !is_deep) {
            return Ok(AttemptResult::Skipped(
                "the conversation already took place".to_owned(),
            ));
        }
        if !is_had {
            let model = match &self.mode {
                DraftingMode::Conversation { model } => model.as_deref(),
                DraftingMode::SingleRequests => None,
            };
            match converse(requester, self.request, model)? {
                ConversationResult::Offered(turn) => self.conversation = Some(turn),
                ConversationResult::Open(end) => {
                    self.open = Some(end);
                    return Err(NoPlan::Cancelled);
                }
            }
        }
        let Some(turn) = &self.conversation else {
            return Err(no_model());
        };
        let offered = self.bench.offered(turn, &self.basis)?;
        if !is_deep {
            return Ok(self.put(offered));
        }
        self.is_deepened = true;
        if !is_had {
            let again = self.bench.offered(turn, &self.basis)?;
            self.put(again);
        }
        let Some(requester) = self.requester.as_mut() else {
            return Err(no_model());
        };
        let drafted = deepened(requester, &self.basis, offered)?;
        Ok(self.put(drafted))
    }

    /// Runs `gs-symbolic`.
    fn by_rules(&mut self) -> std::result::Result<AttemptResult, NoPlan> {
        let handle = self.handle;
        let drafted = self
            .bench
            .symbolic(self.request, &self.basis, &|| handle.cancel.is_cancelled())?;
        Ok(self.put(drafted))
    }

    /// Runs `gs-agent`.
    fn by_agent(&mut self) -> std::result::Result<AttemptResult, NoPlan> {
        let Some(agent) = self.agent.take() else {
            return Ok(AttemptResult::Failed("no agent is selected".to_owned()));
        };
        let request = self.request;
        let requirements = request.requirements.as_deref().unwrap_or_default();
        let goal = &self.basis.intake.goal;
        let prompt = agent_plan::first_prompt(goal, requirements, &request.context);
        let handle = self.handle;
        let mut sink = |event| self.tell(PlanningEvent::Model(event));
        let proposed = match agent.propose(&prompt, &handle.cancel, &mut sink) {
            Ok(proposed) => proposed,
            Err(error) if error.code == Code::Cancelled => return Err(NoPlan::Cancelled),
            Err(error) => return Ok(AttemptResult::Failed(error.message)),
        };
        self.agent_usage = Some(ModelUsage {
            model: agent.title().to_owned(),
            requests: 1,
            input: proposed.input,
            output: proposed.output,
            faults: 0,
        });
        match self
            .bench
            .drafted_by_agent(&*agent, &proposed.text, &self.basis)
        {
            Ok(drafted) => Ok(self.put(drafted)),
            Err(error) if error.code == Code::Failed => Ok(AttemptResult::Failed(error.message)),
            Err(error) => Err(error.into()),
        }
    }

    /// Keeps the plan if it is the best so far, and returns whether it is good enough.
    fn put(&mut self, drafted: DraftedPlan) -> AttemptResult {
        let candidate = self.candidate(drafted);
        let ending = match &candidate.drafted.route.weakness {
            Some(why) => AttemptResult::Weak(why.clone()),
            None => AttemptResult::Good(String::new()),
        };
        self.best.put(candidate);
        ending
    }

    fn candidate(&self, mut drafted: DraftedPlan) -> Candidate {
        let assessment = assess(&drafted, &self.basis.around);
        let is_lost = self.knowledge.is_insufficient() && !assessment.names_files;
        let route = &mut drafted.route;
        // Without a template, the rules just repeat the goal; acceptable only if there is nothing
        // better.
        let says_no_more = route.solver == "gs-symbolic" && route.template.is_none();
        route.weakness = match &assessment.weakness {
            Some(why) => Some(format!("its plan {why}")),
            None if is_lost => Some(
                "its plan names no files, and nothing related to the goal was found".to_owned(),
            ),
            None => says_no_more
                .then(|| "no template fits, so its steps only restate the goal".to_owned()),
        };
        route.detector = self.reading.detector.clone();
        route.kb = self.knowledge.plugin().to_owned();
        route
            .reasons
            .splice(0..0, self.reading.said.iter().cloned());
        route.knowledge = self.knowledge.reports();
        Candidate {
            drafted,
            is_weak: assessment.weakness.is_some() || is_lost,
            score: assessment.score,
        }
    }

    /// The best plan so far; if there is none, one made by rules.
    pub(super) fn best_plan(&mut self) -> Result<DraftedPlan> {
        if self.best.is_none() {
            match self.solve("gs-symbolic") {
                Ok(_) => {}
                Err(NoPlan::Failed(error)) => return Err(error),
                Err(NoPlan::Cancelled | NoPlan::Model(_) | NoPlan::Answer(_)) => {}
            }
        }
        self.best.take().ok_or_else(|| {
            err!(Failed:
            "internal error: gs-symbolic produced no plan")
        })
    }
}
