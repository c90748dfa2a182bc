//! The solvers of a decision. Each writes a plan, with or without a conversation, and the best one
//! is kept.

use planning::decision::Ending;
use planning::drafting::goal::Depth;
use planning::drafting::prompt::Form;

use super::{Carrying, no_model};
use crate::error::Result;
use crate::new_plan::keeping::Drafted;
use crate::new_plan_with_model::{NoPlan, Talked, converse, deepened, draft_form, solve};
use crate::routes::Way;
use crate::routes::best::{Candidate, judged};

impl Carrying<'_> {
    /// Runs a solver, `gs-…`, and keeps the best plan so far.
    pub(super) fn solve(&mut self, plugin: &str) -> std::result::Result<Ending, NoPlan> {
        // The survey is needed even if the planner has no KB plugins.
        self.gathered
            .look(self.bench, &mut self.ground, &self.under_way.survey)?;
        let way = match plugin {
            "gs-llm-fast" => Depth::Fast,
            "gs-llm-deep" => Depth::Deep,
            _ => return self.by_rules(),
        };
        if self.way != Way::InOneGo {
            return self.in_conversation(way);
        }
        self.begin()?;
        let form = match (self.is_told_smaller, self.asking.as_ref()) {
            (false, Some(asking)) => draft_form(asking),
            _ => Form::Lines,
        };
        let Some(asking) = self.asking.as_mut() else {
            return Err(no_model());
        };
        let drafted = solve(asking, &self.ground, way, form, &self.reading.assumptions)?;
        Ok(self.put(drafted))
    }

    /// Runs `gs-llm-…` in a conversation. There is only one conversation, whose proposal can be
    /// expanded once.
    fn in_conversation(&mut self, depth: Depth) -> std::result::Result<Ending, NoPlan> {
        let Some(asking) = self.asking.as_mut() else {
            return Err(no_model());
        };
        let is_deep = depth == Depth::Deep;
        let is_had = self.talk.is_some();
        if is_had && (self.is_deepened || !is_deep) {
            return Ok(Ending::LeftOut("the conversation was had".to_owned()));
        }
        if !is_had {
            let model = match &self.way {
                Way::Conversation { model } => model.as_deref(),
                Way::InOneGo => None,
            };
            match converse(asking, self.request, model)? {
                Talked::Offered(turn) => self.talk = Some(turn),
                Talked::Open(end) => {
                    self.open = Some(end);
                    return Err(NoPlan::Cancelled);
                }
            }
        }
        let Some(turn) = &self.talk else {
            return Err(no_model());
        };
        let offered = self.bench.offered(turn, &self.ground)?;
        if !is_deep {
            return Ok(self.put(offered));
        }
        self.is_deepened = true;
        if !is_had {
            let again = self.bench.offered(turn, &self.ground)?;
            self.put(again);
        }
        let Some(asking) = self.asking.as_mut() else {
            return Err(no_model());
        };
        let drafted = deepened(asking, &self.ground, offered)?;
        Ok(self.put(drafted))
    }

    /// Runs `gs-symbolic`.
    fn by_rules(&mut self) -> std::result::Result<Ending, NoPlan> {
        let under_way = self.under_way;
        let drafted = self.bench.symbolic(self.request, &self.ground, &|| {
            under_way.cancel.is_cancelled()
        })?;
        Ok(self.put(drafted))
    }

    /// Keeps the plan if it is the best so far, and returns whether it is good enough.
    fn put(&mut self, drafted: Drafted) -> Ending {
        let candidate = self.candidate(drafted);
        let ending = match &candidate.drafted.route.weakness {
            Some(why) => Ending::Weak(why.clone()),
            None => Ending::Good(String::new()),
        };
        self.best.put(candidate);
        ending
    }

    fn candidate(&self, mut drafted: Drafted) -> Candidate {
        let judged = judged(&drafted, &self.ground.around);
        let is_lost = self.gathered.is_insufficient() && !judged.names_files;
        let route = &mut drafted.route;
        // Without a template, the rules just repeat the goal; acceptable only if there is nothing
        // better.
        let says_no_more = route.solver == "gs-symbolic" && route.template.is_none();
        route.weakness = match &judged.weakness {
            Some(why) => Some(format!("its plan {why}")),
            None if is_lost => Some(
                "its plan names no file, and nothing was found of what the goal is about"
                    .to_owned(),
            ),
            None => says_no_more
                .then(|| "no template fits, so its steps say no more than the goal".to_owned()),
        };
        route.detector = self.reading.detector.clone();
        route.kb = self.gathered.plugin().to_owned();
        route
            .reasons
            .splice(0..0, self.reading.said.iter().cloned());
        route.knowledge = self.gathered.told();
        Candidate {
            drafted,
            is_weak: judged.weakness.is_some() || is_lost,
            score: judged.score,
        }
    }

    /// The best plan, or the one that rules can always make.
    pub(super) fn best_plan(&mut self) -> Result<Drafted> {
        if self.best.is_none() {
            match self.solve("gs-symbolic") {
                Ok(_) => {}
                Err(NoPlan::Failed(error)) => return Err(error),
                Err(NoPlan::Cancelled | NoPlan::Model(_) | NoPlan::Answer(_)) => {}
            }
        }
        self.best.take().ok_or_else(|| {
            err!(Failed:
            "internal error: the symbolic route gave no plan")
        })
    }
}
