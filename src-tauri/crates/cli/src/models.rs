//! `models`: shows the active model, its capabilities, and the model servers on this machine; with
//! the flags, first tests, probes or overrides the model.

use serde_json::Value;
use workbench::Workbench;

use crate::args::ModelsArgs;
use crate::exit::Outcome;
use crate::print::models::ModelsReport;
use crate::print::{self, Out};

pub(crate) fn models(
    args: &ModelsArgs,
    bench: &mut Workbench,
    out: &mut Out,
) -> workbench::Result<Outcome> {
    let flag = args.model.as_deref();
    let cancel = workbench::cancel_on_signals()?;
    for (field, value) in &args.set {
        bench.overrule_model(flag, field, meant(value))?;
    }
    if args.probe {
        let mut told = |view: workbench::wire::models::ProbeView| {
            print::models::probing(&view);
        };
        bench.probe_model(flag, &cancel, &mut told)?;
    }
    let trial = match args.test {
        true => Some(bench.try_model(flag, &cancel)?),
        false => None,
    };
    let view = bench.models(flag)?;
    let report = ModelsReport {
        key: match view.in_force {
            Some(_) => Some(bench.model_key(flag)?),
            None => None,
        },
        servers: bench.find_models(&cancel)?,
        trial,
        view,
    };
    match args.json {
        true => out.json(&report),
        false => print::models::models(out, &report),
    }
    let failed = report
        .trial
        .as_ref()
        .is_some_and(|trial| trial.problem.is_some());
    Ok(match failed || report.view.problem.is_some() {
        true => Outcome::Failed,
        false => Outcome::Fine,
    })
}

/// Parses a value from the command line as JSON, or as text if it isn't JSON; an empty value
/// removes the override.
fn meant(value: &str) -> Option<Value> {
    if value.is_empty() {
        return None;
    }
    let text = || Value::String(value.to_owned());
    Some(serde_json::from_str(value).unwrap_or_else(|_| text()))
}
