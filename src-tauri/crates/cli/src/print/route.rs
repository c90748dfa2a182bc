//! Human-readable output about how a plan was created.

use serde_json::Value;
use workbench::text::counted;
use workbench::wire::PlanReport;

use super::Out;

/// Prints why the preferred planner didn't write the plan, or why the plan is weak, if either
/// applies.
pub(crate) fn came_by_another(out: &mut Out, report: &PlanReport) {
    if let Some(why) = report.route["fallback"].as_str() {
        let solver = report.route["solver"].as_str().unwrap_or_default();
        out.notice(&format!("plan written by {solver}: {why}"));
    }
    if report.route["weak"] == true {
        let why = report.route["weakness"].as_str().unwrap_or_default();
        out.notice(&format!("weak plan: {why}"));
    }
}

/// Prints the whole decision: the reasons, all planners, stages and attempts, and each candidate
/// with the terms of its score.
pub(crate) fn explained(out: &mut Out, report: &PlanReport) {
    let decision = &report.route["decision"];
    out.line(String::new());
    out.line(format!(
        "Why this route (effort {}, {})",
        text(&decision["effort"]),
        text(&decision["signals"]["act"])
    ));
    for reason in list(&decision["reasons"]) {
        out.line(format!("  {}", text(reason)));
    }
    for planner in list(&decision["planners"]) {
        candidate(out, 0, "  ", &planner["planner"]);
        for stage in list(&planner["stages"]) {
            let pinned = match stage["is_pinned"] == true {
                true => ", pinned",
                false => "",
            };
            out.line(format!("    {}{pinned}", text(&stage["kind"])));
            for (at, one) in list(&stage["candidates"]).enumerate() {
                candidate(out, at + 1, "      ", one);
            }
            for note in list(&stage["notes"]) {
                out.line(format!("      {}", text(note)));
            }
        }
    }
    out.line("Tried");
    for step in list(&report.route["attempts"]) {
        let why = text(&step["why"]);
        let why = match why.is_empty() {
            true => String::new(),
            false => format!(": {why}"),
        };
        let requests = step["requests"].as_u64().unwrap_or_default();
        let requests = counted(usize::try_from(requests).unwrap_or(usize::MAX), "request");
        out.line(format!(
            "  {} {} {} ({} ms, {requests}, {} tokens){why}",
            step["number"],
            text(&step["plugin"]),
            text(&step["status"]),
            step["ms"],
            step["tokens"],
        ));
    }
}

fn candidate(out: &mut Out, number: usize, indent: &str, one: &Value) {
    let number = match number {
        0 => String::new(),
        number => format!("{number} "),
    };
    let score = one["score"].as_f64().unwrap_or_default();
    out.line(format!(
        "{indent}{number}{} {score:.3}",
        text(&one["plugin"])
    ));
    for term in list(&one["terms"]) {
        let value = term["value"].as_f64().unwrap_or_default();
        out.line(format!(
            "{indent}    {value:+.3} {}: {}",
            text(&term["name"]),
            text(&term["why"])
        ));
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
