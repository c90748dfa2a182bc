//! `plan --route` and `expand`: a plan made, or made fuller, in one go.

use workbench::wire::PlanningEvent;
use workbench::{ExpandRequest, PlanRequest, PlanRoute, Result, Workbench};

use crate::args::{ExpandArgs, PlanArgs};
use crate::exit::Outcome;
use crate::print::{self, Out};

pub(crate) fn plan(
    args: &PlanArgs,
    route: PlanRoute,
    bench: &mut Workbench,
    out: &mut Out,
) -> Result<Outcome> {
    let request = PlanRequest {
        goal: args.goal.clone(),
        workspace: args.workspace.clone(),
        reason: args.reason.clone(),
        template: args.template_wish(),
        ..PlanRequest::default()
    };
    let cancel = workbench::cancel_on_signals()?;
    let mut printer = print::making::Printer::new(args.json);
    let mut sink = |event: PlanningEvent| printer.event(&event);
    let model = args.model.as_deref();
    let outcome = bench.plan_by_route(&request, route, model, &cancel, &mut sink)?;
    for notice in &outcome.notices {
        out.notice(notice);
    }
    match args.json {
        true => out.json(&outcome.report),
        false => print::plan::plan(out, &outcome),
    }
    let came = print::making::came_by_another(out, &outcome.report, route);
    Ok(match outcome.refused {
        Some(_) => Outcome::Thin,
        // A plan is there, and it is not the one that was asked for.
        None if came => Outcome::Failed,
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
        match report.after.is_too_thin && bench.enforces(&args.file) {
            true => Outcome::Thin,
            false => Outcome::Fine,
        },
    )
}
