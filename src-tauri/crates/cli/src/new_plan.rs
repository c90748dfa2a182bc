//! `plan` and `expand`: write a plan, in one go or in a conversation, or expand an existing one. `agent`
//! has another agent write it.

mod agent;

use workbench::text::sentence;
use workbench::wire::{PlanningEvent, SessionState};
use workbench::{
    Code, Error, ExpandRequest, PlanOutcome, PlanRequest, Planned, PlanningHandle, Result,
    SessionEnd, Workbench,
};

use crate::args::{ExpandArgs, PlanArgs};
use crate::exit::Outcome;
use crate::memory;
use crate::print::{self, Out};

pub(crate) fn plan(args: &PlanArgs, bench: &mut Workbench, out: &mut Out) -> Result<Outcome> {
    memory::give_back_at_once();
    let request = PlanRequest {
        goal: args.goal.clone(),
        workspace: args.workspace.clone(),
        reason: args.reason.clone(),
        template: args.template_wish(),
        effort: args.depth.map(Into::into).unwrap_or_default(),
        pins: args.pin.clone(),
        ..PlanRequest::default()
    };
    if let Some(name) = &args.agent {
        return agent::plan(args, name, &request, bench, out);
    }
    let under_way = PlanningHandle::cancelled_by(workbench::cancel_on_signals()?)?;
    let mut printer = print::new_plan::Printer::new(args.json);
    let mut sink = |event: PlanningEvent| printer.event(&event);
    let model = crate::choice(args.model.clone(), args.offline);
    let planned = match args.is_in_one_go() {
        true => bench
            .make_plan(&request, &model, &under_way, &mut sink)
            .map(|outcome| Planned::Made(Box::new(outcome)))?,
        false => bench.plan_in_session(&request, &model, &under_way, &mut sink)?,
    };
    let outcome = match planned {
        Planned::Made(outcome) => *outcome,
        Planned::Open(end) => return Ok(open(out, &end, args.json)),
    };
    Ok(print_outcome(args, &outcome, out))
}

/// Prints a finished plan.
fn print_outcome(args: &PlanArgs, outcome: &PlanOutcome, out: &mut Out) -> Outcome {
    for notice in &outcome.notices {
        out.notice(notice);
    }
    print::route::came_by_another(out, &outcome.report);
    match args.json {
        true => out.json(&outcome.report),
        false => {
            print::plan::plan(out, outcome);
            if args.explain {
                print::route::explained(out, &outcome.report);
            }
            if let Some(session) = &outcome.report.session {
                print::session::how_to_go_on(out, session, &outcome.report.revision);
            }
        }
    }
    match outcome.refused {
        Some(_) => Outcome::Thin,
        None => Outcome::Fine,
    }
}

/// Reports a turn that ended without a proposed plan.
fn open(out: &mut Out, end: &SessionEnd, json: bool) -> Outcome {
    if end.state == SessionState::Waiting {
        if !json {
            print::session::how_to_answer(out, end);
        }
        return Outcome::Waiting;
    }
    let there = match end.path.exists() {
        true => format!(
            " The model's draft is in {}; continue with `planwright chat {} …`",
            end.path.display(),
            end.session
        ),
        false => String::new(),
    };
    let message = format!("no plan was proposed. {}{there}", sentence(&end.message));
    out.error(&Error::new(Code::Failed, message), json);
    // The user requested a plan, so an answer without one is a failure.
    Outcome::Failed
}

pub(crate) fn expand(args: &ExpandArgs, bench: &mut Workbench, out: &mut Out) -> Result<Outcome> {
    let cancel = workbench::cancel_on_signals()?;
    let request = ExpandRequest {
        file: args.file.clone(),
        apply: args.apply,
    };
    let report = match args.offline {
        true => bench.expand(&request, &|| cancel.is_cancelled())?,
        false => {
            let mut printer = print::new_plan::Printer::quiet(args.json);
            let mut sink = |event: PlanningEvent| printer.event(&event);
            bench.expand_with_model(&request, args.model.as_deref(), &cancel, &mut sink)?
        }
    };
    match args.json {
        true => out.json(&report),
        false => print::plan::expansion(out, &report),
    }
    Ok(
        match report.outcome.after.badge.is_weak() && bench.enforces(&args.file) {
            true => Outcome::Thin,
            false => Outcome::Fine,
        },
    )
}
