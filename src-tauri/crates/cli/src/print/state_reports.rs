//! Human-readable output of the sandbox test, settings and permission rules.

use workbench::{PermissionRule, SandboxReport, SettingsReport};

use super::Out;
use super::terminal::Tone;

pub(crate) fn sandbox(out: &mut Out, report: &SandboxReport) {
    out.line(format!("sandbox {}: {}", report.tier, report.meaning));
    for attempt in &report.attempts {
        let verdict = match attempt.refused {
            true => (Some(Tone::Good), "refused"),
            false => (Some(Tone::Bad), "NOT REFUSED"),
        };
        let (before, after) = (
            format!("  {:<18} ", attempt.name),
            format!("  {}", attempt.detail),
        );
        out.toned(&before, verdict, &after);
    }
    for tier in &report.unavailable {
        out.line(format!(
            "  {} isn't available: {}",
            tier.tier.as_str(),
            tier.reason
        ));
    }
}

pub(crate) fn settings(out: &mut Out, report: &SettingsReport) {
    for (key, value) in &report.settings {
        out.line(format!("{key} = {value}"));
    }
    for problem in &report.problems {
        out.line(format!(
            "  {}: {}: {}",
            problem.file, problem.key, problem.message
        ));
    }
    for file in &report.files {
        out.line(format!("  read from {file}"));
    }
}

pub(crate) fn permissions(out: &mut Out, rules: &[PermissionRule]) {
    if rules.is_empty() {
        out.line("no permission rules; choose “Always allow” on a permission request to add one");
    }
    for rule in rules {
        out.line(format!(
            "{:>4}  {:5} {} {}",
            rule.id, rule.answer, rule.tool, rule.matches
        ));
        out.line(format!("      from {}: {}", rule.from, rule.place));
    }
}
