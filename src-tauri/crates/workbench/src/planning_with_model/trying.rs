//! The order of the routes, and the best plan so far.
//!
//! Deep falls back to fast, both to the symbolic route. An endpoint that does not answer is not asked
//! again. A plan is weak where it is thin, or leaves more than half of the requirements open; a weak
//! one counts only where nothing better comes, and says so.

use routing::drafting::goal::Depth;
use routing::drafting::prompt::Form;
use routing::drafting::surroundings;

use super::asking::Asking;
use super::{NoPlan, PlanRoute, cancelled, drafting, reading_goal};
use crate::checking;
use crate::error::Result;
use crate::error::{Code, Error};
use crate::planning::ground::{Ground, Site};
use crate::planning::keeping::{Asked, Drafted};
use crate::wire::PlanningEvent;

/// A plan and how good it is.
struct Candidate {
    drafted: Drafted,
    /// Why it is weak; `None` where it is not.
    weakness: Option<String>,
    score: f64,
}

/// Routes that were tried and are left.
pub(super) struct Trying {
    how: PlanRoute,
    /// Those left, in order.
    left: Vec<PlanRoute>,
    /// Those that gave no plan, or a weak one, and why.
    tried: Vec<(&'static str, String)>,
    best: Option<Candidate>,
    detector: &'static str,
    reasons: Vec<String>,
    /// What the plan takes for granted, as the goal was read.
    pub(super) assumptions: Vec<String>,
}

impl Trying {
    pub(super) fn of(how: PlanRoute) -> Self {
        Self {
            how,
            left: match how {
                PlanRoute::Deep => vec![PlanRoute::Deep, PlanRoute::Fast],
                PlanRoute::Fast => vec![PlanRoute::Fast],
                PlanRoute::Symbolic => Vec::new(),
            },
            tried: Vec::new(),
            best: None,
            detector: "sd-symbolic",
            reasons: Vec::new(),
            assumptions: Vec::new(),
        }
    }

    /// The next route and the form in which it asks.
    pub(super) fn next(&mut self, asking: &Asking<'_>) -> Option<(PlanRoute, Form)> {
        if self.left.is_empty() || asking.is_cancelled() {
            return None;
        }
        let way = self.left.remove(0);
        // What failed in one form is not asked for in it again.
        let form = match self.tried.is_empty() {
            true => drafting::form(asking),
            false => Form::Lines,
        };
        Some((way, form))
    }

    /// Reads the goal with the model, where the route or the goal wants it; the deep route with the
    /// workspace before its eyes, in at most `room` tokens.
    pub(super) fn read_goal(
        &mut self,
        asking: &mut Asking<'_>,
        site: &mut Site,
        room: u64,
        may_add: bool,
    ) -> Result<()> {
        let depth = match self.how {
            PlanRoute::Deep => Some(Depth::Deep),
            PlanRoute::Fast | PlanRoute::Symbolic => reading_goal::wanted(&site.intake),
        };
        let Some(depth) = depth else { return Ok(()) };
        let around = match depth {
            Depth::Deep => {
                let context = site.looked_at()?;
                Some(surroundings(&site.intake, &context, room / 2, false))
            }
            Depth::Fast => None,
        };
        let intake = &mut site.intake;
        match reading_goal::read(asking, intake, around.as_ref(), depth, may_add) {
            Ok(read) => {
                self.detector = depth.id();
                self.reasons.extend(read.said);
                self.assumptions = read.assumptions;
                *intake = read.intake;
                Ok(())
            }
            Err(NoPlan::Answer(why)) => {
                let id = depth.id();
                self.reasons
                    .push(format!("goal: read by sd-symbolic, since {id} {why}"));
                Ok(())
            }
            Err(NoPlan::Model(why)) => {
                self.give_up(asking, self.how, why);
                Ok(())
            }
            Err(NoPlan::Cancelled) => Err(cancelled()),
            Err(NoPlan::Failed(error)) => Err(error),
        }
    }

    /// Takes what a route came to.
    pub(super) fn take(
        &mut self,
        asking: &mut Asking<'_>,
        ground: &Ground,
        way: PlanRoute,
        drafted: std::result::Result<Drafted, NoPlan>,
    ) -> Result<()> {
        match drafted {
            Ok(drafted) => {
                let mut candidate = candidate(drafted, ground);
                candidate.drafted.route.detector = self.detector;
                let reasons = &mut candidate.drafted.route.reasons;
                reasons.splice(0..0, self.reasons.iter().cloned());
                // What is weak when made deep is not made better by a cheaper route.
                self.left.clear();
                if let Some(why) = candidate.weakness.clone() {
                    self.fell(asking, way, format!("its plan {why}"));
                }
                self.put(candidate);
            }
            Err(NoPlan::Answer(why)) => self.fell(asking, way, format!("the model {why}")),
            Err(NoPlan::Model(why)) => self.give_up(asking, way, why),
            Err(NoPlan::Cancelled) => return Err(cancelled()),
            Err(NoPlan::Failed(error)) => return Err(error),
        }
        Ok(())
    }

    /// No route through this model is worth a try.
    pub(super) fn give_up(&mut self, asking: &mut Asking<'_>, way: PlanRoute, why: String) {
        self.left.clear();
        self.fell(asking, way, why);
    }

    fn fell(&mut self, asking: &mut Asking<'_>, way: PlanRoute, why: String) {
        let next = self.left.first().copied().unwrap_or(PlanRoute::Symbolic);
        asking.tell(PlanningEvent::Fallback {
            from: way.as_str().to_owned(),
            to: next.as_str().to_owned(),
            reason: why.clone(),
        });
        self.tried.push((way.as_str(), why));
    }

    /// Whether there is a plan that is not weak.
    pub(super) fn has_good(&self) -> bool {
        self.best
            .as_ref()
            .is_some_and(|best| best.weakness.is_none())
    }

    /// One more plan to choose from.
    pub(super) fn add(&mut self, drafted: Drafted, ground: &Ground) {
        self.put(candidate(drafted, ground));
    }

    fn put(&mut self, other: Candidate) {
        let rank = |one: &Candidate| (one.weakness.is_none(), one.score);
        let is_better = match &self.best {
            None => true,
            Some(best) => rank(&other) > rank(best),
        };
        if is_better {
            self.best = Some(other);
        }
    }

    /// The best plan, with what led to it.
    pub(super) fn finished(self, asked: Option<Asked>) -> Result<Drafted> {
        let Some(Candidate {
            mut drafted,
            weakness,
            ..
        }) = self.best
        else {
            return Err(Error::new(
                Code::Failed,
                "internal error: the symbolic route gave no plan",
            ));
        };
        let route = &mut drafted.route;
        route.is_weak = weakness.is_some();
        if route.solver != self.how.as_str() {
            let said = self.tried.iter().map(|(way, why)| format!("{way}: {why}"));
            route.fallback = Some(said.collect::<Vec<_>>().join("; "));
        }
        route.tried = self.tried;
        route.asked = asked;
        Ok(drafted)
    }
}

fn candidate(drafted: Drafted, ground: &Ground) -> Candidate {
    let (plan, problems) = plan::parse(&drafted.grown.text);
    let report = checking::report(&plan, &problems, &ground.around);
    let is_open = report.coverage.is_some_and(|share| share < 0.5);
    let weakness = match (report.is_too_thin, is_open) {
        (true, _) => Some(format!(
            "is thin, with a score of {:.0}",
            report.score * 100.0
        )),
        (false, true) => Some("leaves more than half of the requirements open".to_owned()),
        (false, false) => None,
    };
    Candidate {
        drafted,
        weakness,
        score: report.score,
    }
}
