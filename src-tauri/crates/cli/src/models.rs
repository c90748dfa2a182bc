//! `models`: which model is in force, what it can be trusted with, what this machine has. With the
//! flags it is tried, probed and overruled first.

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

/// A value as it stands on the command line: JSON where it is, else a text; nothing takes it back.
fn meant(value: &str) -> Option<Value> {
    if value.is_empty() {
        return None;
    }
    let text = || Value::String(value.to_owned());
    Some(serde_json::from_str(value).unwrap_or_else(|_| text()))
}
