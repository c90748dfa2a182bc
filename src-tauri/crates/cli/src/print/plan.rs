//! Human-readable output of `check`, `plan` and `expand`.

use workbench::PlanOutcome;
use workbench::text::counted;
use workbench::wire::{
    Adequacy, CheckReport, ExpandReport, Finding, PlannedExpansion, most_missing,
};

use super::terminal::Tone;
use super::{Out, percent, short};

/// Maximum findings shown per severity.
const MAX_FINDINGS: usize = 200;

fn badge(adequacy: &Adequacy) -> String {
    let mut word = adequacy.badge.as_str().to_owned();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    format!("{word} · {}", percent(adequacy.score))
}

pub(crate) fn check(out: &mut Out, report: &CheckReport) {
    let after = format!(
        "  {} of {} done  revision {}",
        report.tasks.done,
        report.tasks.total,
        short(&report.revision)
    );
    let tone = Tone::of(report.adequacy.badge.as_str());
    let badge = badge(&report.adequacy);
    out.toned(&format!("{}  ", report.path), (tone, &badge), &after);
    for one in &report.dimensions {
        let share = one
            .share
            .map_or("  –".to_owned(), |share| format!("{:>3}", percent(share)));
        out.line(format!(
            "  {:<9} {share}  {}",
            one.name.as_str(),
            one.credited
        ));
    }
    if let Some(missing) = most_missing(&report.dimensions) {
        out.line(format!(
            "  +{:<3} biggest gain: {}",
            percent(missing.adds),
            missing.message
        ));
    }
    for reason in report.reasons.iter().filter(|reason| reason.factor < 1.0) {
        let points = percent(1.0 - reason.factor);
        out.line(format!(
            "  -{points:<3} {}  ({})",
            reason.message, reason.code
        ));
    }
    let mut muted = 0;
    for severity in ["critical", "major", "minor", "info"] {
        let of_severity = report
            .findings
            .iter()
            .filter(|one| one.severity == severity);
        let (heard, silent): (Vec<_>, Vec<_>) = of_severity.partition(|one| one.muted.is_none());
        muted += silent.len();
        if heard.is_empty() {
            continue;
        }
        out.state("  ", severity, &format!(" ({})", heard.len()));
        let more = heard.len().saturating_sub(MAX_FINDINGS);
        heard
            .into_iter()
            .take(MAX_FINDINGS)
            .for_each(|one| finding(out, one));
        if more > 0 {
            out.line(format!("    … and {more} more; --json shows all"));
        }
    }
    if muted > 0 {
        out.line(format!("  {muted} muted in the plan; --json shows all"));
    }
}

fn finding(out: &mut Out, finding: &Finding) {
    let place = match &finding.task {
        Some(task) => format!("{task}, line {}", finding.line),
        None => "plan".to_owned(),
    };
    let message = &finding.message;
    out.line(format!("    {place}: {message}  ({})", finding.code));
    if let Some(question) = &finding.question {
        out.line(format!("      {question}"));
    }
}

/// Prints the scores before and after, the rounds, and the proposed changes.
pub(crate) fn expansion(out: &mut Out, report: &ExpandReport) {
    out.line(format!(
        "{}  revision {}",
        report.path,
        short(&report.revision)
    ));
    let outcome = &report.outcome;
    let (before, after) = (&outcome.before, &outcome.after);
    let thin = |is_thin: bool| if is_thin { "yes" } else { "no" }.to_owned();
    let table = [
        ("score", percent(before.score), percent(after.score)),
        (
            "badge",
            before.badge.as_str().to_owned(),
            after.badge.as_str().to_owned(),
        ),
        ("thin", thin(before.is_too_thin), thin(after.is_too_thin)),
        (
            "risk",
            percent(before.aggregate_unresolved_risk),
            percent(after.aggregate_unresolved_risk),
        ),
        ("steps", before.tasks.to_string(), after.tasks.to_string()),
        (
            "findings",
            before.findings.to_string(),
            after.findings.to_string(),
        ),
    ];
    out.line(format!("  {:<10}{:<12}after", "", "before"));
    for (name, before, after) in table {
        out.line(format!("  {name:<10}{before:<12}{after}"));
    }
    for round in &outcome.rounds {
        let word = if round.is_accepted { "kept" } else { "refused" };
        let message = &round.message;
        out.line(format!("  round {} {word}: {message}", round.number));
    }
    for change in &outcome.changes {
        let codes: Vec<_> = change.why.iter().map(|code| code.as_str()).collect();
        let why = match codes.is_empty() {
            true => String::new(),
            false => format!("  ({})", codes.join(", ")),
        };
        let message = &change.message;
        out.line(format!(
            "  {:<4} {}: {message}{why}",
            change.id, change.title
        ));
    }
    out.line(format!("  {}", report.stopped_because));
    match &report.applied {
        Some(revision) => out.line(format!("Written: revision {}", short(revision))),
        None if outcome.changes.is_empty() => {}
        None => out.line(format!("Apply:  planwright expand {} --apply", report.path)),
    }
}

pub(crate) fn plan(out: &mut Out, outcome: &PlanOutcome) {
    let report = &outcome.report;
    out.text(&outcome.text);
    if !outcome.text.ends_with('\n') {
        out.text("\n");
    }
    out.line("");
    out.line(format!(
        "{}  {}  {}  revision {}",
        report.path,
        badge(&report.adequacy),
        counted(report.tasks.len(), "step"),
        short(&report.revision)
    ));
    let is_grown = |grown: &&PlannedExpansion| grown.before != grown.after;
    if let Some(grown) = report.expansion.as_ref().filter(is_grown) {
        let was_thin = if grown.before.is_too_thin {
            "was thin and has been expanded"
        } else {
            "has been expanded"
        };
        out.line(format!(
            "The draft {was_thin}: score {} → {}, {} → {} steps.",
            percent(grown.before.score),
            percent(grown.after.score),
            grown.before.tasks,
            grown.after.tasks
        ));
    }
    if let Some(objection) = &outcome.refused {
        out.line(format!(
            "Refused: {objection}. Fix it, or accept it with --reason."
        ));
    } else {
        out.line(format!(
            "Approve and run it:  planwright run {} --approve {}",
            report.path,
            short(&report.revision)
        ));
    }
}
