//! Planning in a conversation: the model explores with tools, may ask the person, writes the plan
//! file and proposes it. As with any other draft, code then expands and checks it, and may expand
//! it with the model.

use planning::drafting::goal::Depth;
use planning::drafting::surroundings;

use super::asking::Asking;
use super::drafting::{Draft, room};
use super::{NoPlan, finish};
use crate::new_plan::PlanRequest;
use crate::new_plan::ground::Ground;
use crate::new_plan::keeping::Drafted;
use crate::sessions::{SessionEnd, SessionInput, SessionRequest, Turn};
use crate::wire::{PlanningEvent, SessionState};

/// The result of a conversation.
pub(crate) enum Talked {
    /// A proposed plan.
    Offered(Box<Turn>),
    /// Not finished: a question is pending, it was cancelled, or the plan was written but not
    /// proposed.
    Open(SessionEnd),
}

/// Starts a conversation about a goal and runs its first turn. `model` is the person's choice. The
/// error says why there is no plan.
pub(crate) fn converse(
    asking: &mut Asking<'_>,
    request: &PlanRequest,
    model: Option<&str>,
) -> Result<Talked, NoPlan> {
    let mut bench = asking.bench().again()?;
    let words = request.goal.trim().to_owned();
    let begun = bench.begin_session(&SessionRequest {
        workspace: request.workspace.clone(),
        plan: None,
        goal: words.clone(),
        model: model.map(str::to_owned),
    })?;
    let Some(session) = begun else {
        return Err(NoPlan::Model("no model is configured".to_owned()));
    };
    let cancel = asking.cancel_token();
    let inputs = vec![SessionInput::Goal { words }];
    let turn = {
        let sink = asking.sink();
        let mut told = |event| sink(PlanningEvent::Session(event));
        bench.turn(&session, inputs, model, &cancel, &mut told)?
    };
    asking.count(&turn.asked);
    asking.tell(PlanningEvent::Session(turn.end.event()));
    let end = &turn.end;
    Ok(match end.state {
        SessionState::Proposed => Talked::Offered(Box::new(turn)),
        SessionState::Waiting | SessionState::Cancelled | SessionState::Idle => {
            Talked::Open(turn.end)
        }
        // Keep what the model wrote.
        _ if end.path.exists() => Talked::Open(turn.end),
        SessionState::Answered
        | SessionState::Unfinished
        | SessionState::Cut
        | SessionState::Failed => return Err(NoPlan::Model(turn.end.message)),
    })
}

/// Expands a proposed plan with the model.
pub(crate) fn deepened(
    asking: &mut Asking<'_>,
    ground: &Ground,
    offered: Drafted,
) -> Result<Drafted, NoPlan> {
    let plan_depth = ground.settings.expansion.plan_depth;
    let room = room(asking, &ground.intake, Depth::Deep, plan_depth).map_err(NoPlan::Model)?;
    let around = surroundings(&ground.intake, &ground.context, room, true);
    let draft = Draft {
        text: offered.grown.text,
        title: offered.title,
        around,
        cap: 0,
        reasons: offered.route.reasons,
    };
    let mut drafted = finish(asking, ground, Depth::Deep, draft)?;
    drafted.before = offered.before;
    drafted.first_cap = None;
    drafted.route.is_conversation = true;
    drafted.talk = offered.talk;
    Ok(drafted)
}
