//! Human-readable output about models and model servers.

use serde::Serialize;
use workbench::wire::models::{
    ConnectionTrial, ModelInForce, ModelKeyView, ModelProblem, ModelsView, ProbeView, ProfileField,
    ServerFound,
};

use super::{Out, warn};

/// The output of `models --json`.
#[derive(Debug, Serialize)]
pub(crate) struct ModelsReport {
    #[serde(flatten)]
    pub(crate) view: ModelsView,
    /// `None` if no model is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<ModelKeyView>,
    /// `None` unless requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trial: Option<ConnectionTrial>,
    pub(crate) servers: Vec<ServerFound>,
}

pub(crate) fn models(out: &mut Out, report: &ModelsReport) {
    match (&report.view.in_force, &report.view.problem) {
        (_, Some(problem)) => trouble(out, problem),
        (None, None) => out.line(
            "no model configured; set PLANWRIGHT_BASE_URL and PLANWRIGHT_MODEL, or choose one in Settings",
        ),
        (Some(model), None) => in_force(out, model),
    }
    if let Some(key) = &report.key {
        out.line(format!("  {}", key.message));
    }
    if let Some(trial) = &report.trial {
        match &trial.problem {
            None => out.line(format!("  {}", trial.message)),
            Some(problem) => trouble(out, problem),
        }
    }
    if report.servers.is_empty() {
        out.line("no model server found on this machine's usual ports");
    }
    for server in &report.servers {
        found(out, server);
    }
}

fn in_force(out: &mut Out, model: &ModelInForce) {
    out.line(format!(
        "{} at {} ({}), {}",
        model.model,
        model.base_url,
        model.preset_name,
        from(model),
    ));
    out.line(format!(
        "  window {} tokens: {}",
        model.window, model.window_from
    ));
    if let Some(trained) = model.window_trained {
        out.line(format!("  the model supports {trained} tokens"));
    }
    if let Some(problem) = &model.too_small {
        trouble(out, problem);
    }
    for field in model.profile.iter().filter(|field| field.value != "null") {
        profile(out, field);
    }
    match &model.probe {
        None => out.line("  not probed yet; run `planwright models --probe`"),
        Some(probe) => {
            out.line(format!(
                "  probed, {} of {} questions",
                probe.done, probe.of
            ));
            for line in &probe.lines {
                out.line(format!("    {line}"));
            }
            if let Some(ended) = &probe.ended {
                out.line(format!("    stopped early: {ended}"));
            }
        }
    }
    for fault in &model.counters.faults {
        out.line(format!("  recently: {fault}"));
    }
}

fn from(model: &ModelInForce) -> String {
    match model.base_url_from == model.model_from {
        true => format!("from the {}", model.model_from),
        false => format!(
            "model from the {}, address from the {}",
            model.model_from, model.base_url_from
        ),
    }
}

fn profile(out: &mut Out, field: &ProfileField) {
    let source = match field.source.as_str() {
        "name" => "from its name",
        "probe" => "probed",
        "counters" => "lowered by errors",
        _ => "set by you",
    };
    let value = field.value.trim_matches('"');
    out.line(format!("  {:<26} {value:<12} {source}", field.name));
}

fn found(out: &mut Out, server: &ServerFound) {
    out.line(format!("{} at {}", server.name, server.base_url));
    for model in &server.models {
        let mark = if model.in_force { "*" } else { " " };
        let window = model
            .window
            .map_or_else(String::new, |window| format!("  window {window}"));
        out.line(format!("  {mark} {}{window}", model.id));
    }
    if let Some(line) = &server.fetch_line {
        out.line(format!("    no models yet; for example: {line}"));
    }
}

fn trouble(out: &mut Out, problem: &ModelProblem) {
    out.line(format!("  {}: {}", problem.title, problem.message));
    for line in &problem.help {
        out.line(format!("    {line}"));
    }
    if let Some(line) = &problem.line {
        out.line(format!("      {line}"));
    }
    if !problem.models.is_empty() {
        out.line(format!("    available: {}", problem.models.join(", ")));
    }
}

/// Progress of a probe, printed to standard error so that it isn't part of the result.
pub(crate) fn probing(view: &ProbeView) {
    warn(format_args!("probing: {} of {}", view.done, view.of));
}
