//! `check` and `plan` for people.

use workbench::PlanOutcome;
use workbench::wire::{Adequacy, CheckReport};

use super::{Out, clean, percent, short};

fn badge(adequacy: &Adequacy) -> String {
    let mut word = adequacy.badge.clone();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    format!("{word} · {}", percent(adequacy.score))
}

pub(crate) fn check(out: &mut Out, report: &CheckReport) {
    out.line(format!(
        "{}  {}  {} of {} done  revision {}",
        clean(&report.path),
        badge(&report.adequacy),
        report.tasks.done,
        report.tasks.total,
        short(&report.revision)
    ));
    for finding in &report.findings {
        let place = match &finding.task {
            Some(task) => format!("{task}, line {}", finding.line),
            None => "plan".to_owned(),
        };
        out.line(format!(
            "  {:<8}  {place}: {}  ({})",
            finding.severity,
            clean(&finding.message),
            finding.code
        ));
        if let Some(question) = &finding.question {
            out.line(format!("            {}", clean(question)));
        }
    }
}

pub(crate) fn plan(out: &mut Out, outcome: &PlanOutcome) {
    let report = &outcome.report;
    out.text(&clean(&outcome.text));
    if !outcome.text.ends_with('\n') {
        out.text("\n");
    }
    out.line("");
    out.line(format!(
        "{}  {}  {} tasks  revision {}",
        clean(&report.path),
        badge(&report.adequacy),
        report.tasks.len(),
        short(&report.revision)
    ));
    if let Some(objection) = &outcome.refused {
        out.line(format!(
            "Refused: {objection}. Mend it, or accept it with --reason."
        ));
    } else {
        out.line(format!(
            "Approve and run it:  planwright run {} --approve {}",
            clean(&report.path),
            short(&report.revision)
        ));
    }
}
