//! `plan --agent`: another agent writes or changes a plan. At a terminal, the person can request
//! changes until the plan is right; they reach the agent in the same conversation.

use std::path::{Path, PathBuf};

use workbench::wire::PlanningEvent;
use workbench::{
    CancelToken, ChangeRequest, Code, PlanOutcome, PlanRequest, PlanningAgent, PlanningHandle,
    Result, Workbench,
};

use super::print_outcome;
use crate::args::PlanArgs;
use crate::exit::Outcome;
use crate::print::Out;
use crate::print::new_plan::Printer;
use crate::prompt::Prompt;

/// Carries out `plan --agent`.
///
/// # Errors
/// Same as [`Workbench::planning_agent`], [`Workbench::make_plan_with_agent`] and
/// [`Workbench::change_with_agent`].
pub(super) fn plan(
    args: &PlanArgs,
    name: &str,
    request: &PlanRequest,
    bench: &mut Workbench,
    out: &mut Out,
) -> Result<Outcome> {
    let folder = folder(args, bench)?;
    let mut agent = bench.planning_agent(&folder, name)?;
    let cancel = workbench::cancel_on_signals()?;
    let under_way = PlanningHandle::cancelled_by(cancel.clone())?;
    let mut printer = Printer::new(args.json);
    let mut outcome = match &args.change {
        None => {
            let mut sink = |event: PlanningEvent| printer.event(&event);
            bench.make_plan_with_agent(request, agent.as_mut(), &under_way, &mut sink)?
        }
        Some(file) => {
            let change = ChangeRequest {
                file: file.clone(),
                words: args.goal.clone(),
                proposed: None,
            };
            changed(bench, &change, agent.as_mut(), &cancel, &mut printer)?
        }
    };
    let mut result = print_outcome(args, &outcome, out);
    let prompt = match args.json {
        true => None,
        false => Prompt::at_terminal(),
    };
    let Some(mut prompt) = prompt else {
        return Ok(result);
    };
    while let Some(words) = prompt.words("Changes (Enter keeps the plan): ", &cancel) {
        let change = again(&outcome, words);
        match changed(bench, &change, agent.as_mut(), &cancel, &mut printer) {
            Ok(changed) => {
                outcome = changed;
                result = print_outcome(args, &outcome, out);
            }
            Err(error) if error.code == Code::Cancelled => return Err(error),
            // The plan is unchanged, so the person can ask again.
            Err(error) => out.error(&error, false),
        }
    }
    Ok(result)
}

fn changed(
    bench: &mut Workbench,
    change: &ChangeRequest,
    agent: &mut dyn PlanningAgent,
    cancel: &CancelToken,
    printer: &mut Printer,
) -> Result<PlanOutcome> {
    printer.wait_for_agent();
    let mut sink = |event| printer.event(&PlanningEvent::Model(event));
    let changed = bench.change_with_agent(change, agent, cancel, &mut sink);
    printer.rest();
    changed
}

fn again(outcome: &PlanOutcome, words: String) -> ChangeRequest {
    ChangeRequest {
        file: PathBuf::from(&outcome.report.path),
        words,
        proposed: Some(outcome.report.revision.clone()),
    }
}

/// The folder in which the agent works.
fn folder(args: &PlanArgs, bench: &Workbench) -> Result<PathBuf> {
    match &args.change {
        Some(file) => {
            let opened = bench.open_plan(file, None)?;
            Ok(opened.workspace.path().to_owned())
        }
        None => {
            let named = args.workspace.as_deref().unwrap_or(Path::new("."));
            Ok(bench.environment.cwd.join(named))
        }
    }
}
