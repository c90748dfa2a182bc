//! The sandbox and the settings for people.

use workbench::{PermissionRule, SandboxReport, SettingsReport};

use super::{Out, clean};

pub(crate) fn sandbox(out: &mut Out, report: &SandboxReport) {
    out.line(format!("sandbox {}: {}", report.tier, report.meaning));
    for attempt in &report.attempts {
        let verdict = if attempt.refused {
            "refused"
        } else {
            "NOT REFUSED"
        };
        out.line(format!(
            "  {:<18} {verdict}  {}",
            attempt.name,
            clean(&attempt.detail)
        ));
    }
    for tier in &report.unavailable {
        out.line(format!(
            "  {} is not in force: {}",
            tier.tier,
            clean(&tier.reason)
        ));
    }
}

pub(crate) fn settings(out: &mut Out, report: &SettingsReport) {
    for (key, value) in &report.settings {
        out.line(format!("{key} = {}", clean(&value.to_string())));
    }
    for problem in &report.problems {
        out.line(format!(
            "  {}: {}: {}",
            clean(&problem.file),
            clean(&problem.key),
            clean(&problem.message)
        ));
    }
    for file in &report.files {
        out.line(format!("  read from {}", clean(file)));
    }
}

pub(crate) fn permissions(out: &mut Out, rules: &[PermissionRule]) {
    if rules.is_empty() {
        out.line("no permission rules; “always here” in the window makes one");
    }
    for rule in rules {
        out.line(format!(
            "{:>4}  {:5} {} {}",
            clean(&rule.id),
            clean(&rule.answer),
            clean(&rule.tool),
            clean(&rule.matches)
        ));
        out.line(format!(
            "      from {}: {}",
            clean(&rule.from),
            clean(&rule.place)
        ));
    }
}
