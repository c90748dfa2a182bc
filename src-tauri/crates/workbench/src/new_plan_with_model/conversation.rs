//! Planning in a conversation: the model explores with tools, may ask the person, writes the plan
//! file and proposes it. As with any other draft, code then expands and checks it, and may expand
//! it with the model.

use planning::drafting::goal::ModelDepth;
use planning::drafting::surroundings;

use super::drafting::{Draft, room};
use super::requester::Requester;
use super::{NoPlan, finish};
use crate::new_plan::PlanRequest;
use crate::new_plan::basis::PlanningBasis;
use crate::new_plan::save::DraftedPlan;
use crate::sessions::{SessionEnd, SessionInput, SessionRequest, Turn};
use crate::wire::{PlanningEvent, SessionState};

/// The result of a conversation.
pub(crate) enum ConversationResult {
    /// A proposed plan.
    Offered(Box<Turn>),
    /// Not finished: a question is pending, it was cancelled, or the plan was written but not
    /// proposed.
    Open(SessionEnd),
}

/// Starts a conversation about a goal and runs its first turn. `model` is the person's choice. The
/// error says why there is no plan.
pub(crate) fn converse(
    requester: &mut Requester<'_>,
    request: &PlanRequest,
    model: Option<&str>,
) -> Result<ConversationResult, NoPlan> {
    let mut bench = requester.bench().again()?;
    let goal = request.goal.trim().to_owned();
    let words = match request.context.trim() {
        "" => goal.clone(),
        context => format!("{goal}\n\n{context}"),
    };
    let begun = bench.begin_session(&SessionRequest {
        workspace: request.workspace.clone(),
        plan: None,
        goal,
        model: model.map(str::to_owned),
    })?;
    let Some(session) = begun else {
        return Err(NoPlan::Model("no model is configured".to_owned()));
    };
    let cancel = requester.cancel_token();
    let inputs = vec![SessionInput::Goal { words }];
    let turn = {
        let sink = requester.sink();
        let mut told = |event| sink(PlanningEvent::Session(event));
        bench.turn(&session, inputs, model, &cancel, &mut told)?
    };
    requester.count(&turn.usage);
    requester.tell(PlanningEvent::Session(turn.end.event()));
    let end = &turn.end;
    Ok(match end.state {
        SessionState::Proposed => ConversationResult::Offered(Box::new(turn)),
        SessionState::Waiting | SessionState::Cancelled | SessionState::Idle => {
            ConversationResult::Open(turn.end)
        }
        // Keep what the model wrote.
        _ if end.path.exists() => ConversationResult::Open(turn.end),
        SessionState::Answered
        | SessionState::Unfinished
        | SessionState::Cut
        | SessionState::Failed => return Err(NoPlan::Model(turn.end.message)),
    })
}

/// Expands a proposed plan with the model.
pub(crate) fn deepened(
    requester: &mut Requester<'_>,
    basis: &PlanningBasis,
    offered: DraftedPlan,
) -> Result<DraftedPlan, NoPlan> {
    let plan_depth = basis.settings.expansion.plan_depth;
    let room =
        room(requester, &basis.intake, ModelDepth::Deep, plan_depth).map_err(NoPlan::Model)?;
    let around = surroundings(&basis.intake, &basis.context, room, true);
    let draft = Draft {
        text: offered.grown.text,
        title: offered.title,
        around,
        cap: 0,
        reasons: offered.route.reasons,
    };
    let mut drafted = finish(requester, basis, ModelDepth::Deep, draft)?;
    drafted.before = offered.before;
    drafted.first_cap = None;
    drafted.route.is_conversation = true;
    drafted.conversation = offered.conversation;
    Ok(drafted)
}
