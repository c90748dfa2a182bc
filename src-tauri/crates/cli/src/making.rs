//! `plan` in one go, and `expand`: a plan made, or made fuller.

use workbench::wire::PlanningEvent;
use workbench::{ExpandRequest, PlanRequest, PlanningUnderWay, Result, Workbench};

use crate::args::{ExpandArgs, PlanArgs};
use crate::exit::Outcome;
use crate::print::{self, Out};

pub(crate) fn plan(args: &PlanArgs, bench: &mut Workbench, out: &mut Out) -> Result<Outcome> {
    let request = PlanRequest {
        goal: args.goal.clone(),
        workspace: args.workspace.clone(),
        reason: args.reason.clone(),
        template: args.template_wish(),
        effort: args.depth.map(Into::into).unwrap_or_default(),
        pins: args.pin.clone(),
        ..PlanRequest::default()
    };
    let under_way = PlanningUnderWay::cancelled_by(workbench::cancel_on_signals()?)?;
    let mut printer = print::making::Printer::new(args.json);
    let mut sink = |event: PlanningEvent| printer.event(&event);
    let model = crate::choice(args.model.clone(), args.offline);
    let outcome = bench.make_plan(&request, &model, &under_way, &mut sink)?;
    for notice in &outcome.notices {
        out.notice(notice);
    }
    print::route::came_by_another(out, &outcome.report);
    match args.json {
        true => out.json(&outcome.report),
        false => {
            print::plan::plan(out, &outcome);
            if args.explain {
                print::route::explained(out, &outcome.report);
            }
        }
    }
    Ok(match outcome.refused {
        Some(_) => Outcome::Thin,
        None => Outcome::Fine,
    })
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
            let mut printer = print::making::Printer::quiet(args.json);
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
