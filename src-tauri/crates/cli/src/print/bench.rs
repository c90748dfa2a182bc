//! The sandbox and the settings for people.

use workbench::{SandboxReport, SettingsReport};

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
