//! Human-readable output of runs, receipts and undo.

use std::time::Duration;

use workbench::text::counted;
use workbench::wire::{RunEvent, RunSummary};
use workbench::{Discarded, RunReceipt, UndoReport};

use super::{Out, elapsed, short};

/// Prints an event. `took` is the duration of the step or run that it ends.
pub(super) fn event(out: &mut Out, event: &RunEvent, took: Option<Duration>) {
    let took = took.map_or_else(String::new, |took| format!(" ({})", elapsed(took)));
    match event {
        RunEvent::Started {
            run,
            plan,
            revision,
            policy,
            sandbox,
            parallel,
            ..
        } => {
            out.names_steps = *parallel > 1;
            out.line(format!("run {run}  {}  revision {}", plan, short(revision)));
            let lanes = match out.names_steps {
                true => format!(", up to {parallel} steps in parallel"),
                false => String::new(),
            };
            out.line(format!("  policy {policy}, sandbox {sandbox}{lanes}"));
        }
        RunEvent::Notice { message } | RunEvent::Delayed { message } => out.notice(message),
        RunEvent::Progress {
            task,
            step,
            steps,
            is_open_ended,
            current_action,
            ..
        } => {
            if let Some(action) = current_action {
                let about = if *is_open_ended { "~" } else { "" };
                out.line(format!(
                    "  {step}/{about}{steps} {task}  {}",
                    one_line(action)
                ));
            }
        }
        RunEvent::Output { task, text, .. } => {
            let whose = whose(out, task);
            for line in text.lines() {
                out.line(format!("      {whose}| {line}"));
            }
        }
        RunEvent::Request { .. } | RunEvent::Thinking { .. } => {}
        RunEvent::Text { task, text } => {
            let whose = whose(out, task);
            for line in text.lines() {
                out.line(format!("      {whose}{line}"));
            }
        }
        RunEvent::Replied {
            task,
            calls,
            repairs,
            ..
        } => {
            let whose = whose(out, task);
            if !calls.is_empty() {
                out.line(format!("      {whose}calls {}", calls.join(", ")));
            }
            for repair in repairs {
                out.line(format!("      {whose}repaired: {repair}"));
            }
        }
        RunEvent::Report {
            task,
            summary,
            learned,
            inferred,
            ..
        } => {
            let mark = if *inferred { " (inferred)" } else { "" };
            out.line(format!("  {task}  reports{mark}: {summary}"));
            for fact in learned {
                out.line(format!("      · {fact}"));
            }
        }
        RunEvent::Planned { under, steps } => {
            let from = under
                .as_ref()
                .map_or_else(String::new, |task| format!(" from {task}"));
            for step in steps {
                out.line(format!("  new step{from}: {step}"));
            }
        }
        RunEvent::Recovery {
            task,
            strategy,
            reason,
            ..
        } => out.line(format!("  {task}  {strategy}: {reason}")),
        RunEvent::Server {
            task,
            state,
            reason,
            waited_ms,
            limit_ms,
        } => out.line(match state.as_str() {
            "back" => format!(
                "  {task}  model server is back after {} s",
                waited_ms / 1_000
            ),
            _ => format!(
                "  {task}  waiting up to {} s for the model server: {}",
                limit_ms / 1_000,
                reason
            ),
        }),
        RunEvent::Task {
            task,
            state,
            reason,
            changes,
            notes,
            ..
        } => {
            let reason = reason.as_ref().map(|reason| format!(": {reason}"));
            let after = format!("{took}{}", reason.unwrap_or_default());
            out.state(&format!("  {task}  "), state, &after);
            for note in notes {
                out.line(format!("      note: {note}"));
            }
            if !changes.is_empty() {
                out.line(format!("      changed {}", some(changes)));
            }
        }
        RunEvent::Waiting {
            kind,
            id,
            options,
            message,
            subjects,
            ..
        } => {
            let about = kind.replace('_', " ");
            out.line(format!("  {id}  waiting on you ({about}): {message}"));
            for subject in subjects {
                out.line(format!("      - {subject}"));
            }
            for option in options {
                out.line(format!("      · {option}"));
            }
            if kind == "gate" {
                out.line("      · or a reason to override the gate");
            }
        }
        RunEvent::Ended {
            run,
            state,
            message,
            uncovered,
        } => {
            let run = run
                .as_ref()
                .map(|run| format!("run {run}  "))
                .unwrap_or_default();
            out.state(&run, state.as_str(), &format!("{took}: {message}"));
            let untold = uncovered
                .iter()
                .filter(|step| !message.contains(&step.reason));
            for step in untold {
                out.line(format!("      {}: {}", step.task, step.reason));
            }
        }
    }
}

/// Joins at most eight files, so that the list fits on one line.
fn some(files: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown = files[..files.len().min(SHOWN)].join(", ");
    match files.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn one_line(text: &str) -> String {
    let mut line: String = text.chars().take(120).collect();
    if text.chars().count() > 120 {
        line.push('…');
    }
    line.replace('\n', " ")
}

pub(crate) fn runs(out: &mut Out, runs: &[RunSummary]) {
    if runs.is_empty() {
        out.line("No runs yet. Start one with `planwright run FILE --approve REVISION`.");
    }
    for run in runs {
        let room = " ".repeat(12_usize.saturating_sub(run.state.chars().count()));
        let after = format!("{room} {}  {}", run.title, run.plan);
        out.state(&format!("{}  ", run.run), &run.state, &after);
    }
}

/// The step's id as a prefix if steps may run in parallel; otherwise empty.
fn whose(out: &Out, task: &str) -> String {
    match out.names_steps {
        true => format!("{task} "),
        false => String::new(),
    }
}

pub(crate) fn receipt(out: &mut Out, receipt: &RunReceipt) {
    let body = &receipt.receipt;
    out.line(format!("run {}  {}", receipt.run, receipt.title));
    out.line(format!(
        "  plan      {}  revision {}",
        receipt.plan,
        short(&body.revision)
    ));
    out.state("  state     ", &body.state, "");
    out.line(format!(
        "  policy    {}, sandbox {}",
        body.policy, body.sandbox
    ));
    if body.parallel > 1 {
        out.line(format!("  parallel  up to {} steps", body.parallel));
    }
    let turns = counted(body.turns as usize, "turn");
    let tokens = body.tokens_in + body.tokens_out;
    out.line(format!(
        "  cost      {:.1} s active, {turns}, {tokens} tokens",
        seconds(body.work_ms)
    ));
    for note in &body.notes {
        out.line(format!("  note      {note}"));
    }
    for piece in body.baseline.iter().filter(|piece| !piece.ok) {
        out.line(format!("  before    already failing: {}", piece.summary));
    }
    for step in &body.steps {
        let undone = if step.undone { ", undone" } else { "" };
        let after = format!("{undone}  {:.1} s", seconds(step.work_ms));
        out.state(&format!("  {}  ", step.task), &step.state, &after);
        if let Some(reason) = &step.reason {
            out.line(format!("      reason    {reason}"));
        }
        if let (false, Some(began), Some(ended)) =
            (step.beside.is_empty(), step.started_at_ms, step.ended_at_ms)
        {
            let after = |at: i64| seconds(u64::try_from(at - body.started_at_ms).unwrap_or(0));
            out.line(format!(
                "      parallel  {}, from {:.1} s to {:.1} s into the run",
                some(&step.beside),
                after(began),
                after(ended)
            ));
        }
        if let Some(over) = &step.handed_to {
            out.line(format!("      handed    to {}: {}", over.to, over.line));
        }
        for note in &step.notes {
            out.line(format!("      note      {note}"));
        }
        for piece in &step.evidence {
            let code = piece
                .exit_code
                .map(|code| format!(", exit {code}"))
                .unwrap_or_default();
            let verdict = match (piece.ok, piece.flaky) {
                (true, true) => "ok, flaky",
                (true, false) => "ok",
                (false, _) => "failed",
            };
            let before = format!("      {:<9} ", piece.kind);
            out.state(&before, verdict, &format!("{code}  {}", piece.summary));
        }
        if !step.changes.is_empty() {
            out.line(format!("      changed   {}", some(&step.changes)));
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "for display; exact for the first 285,000 years"
)]
fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

pub(crate) fn discarded(out: &mut Out, discarded: &Discarded) {
    for unknown in &discarded.unknown {
        out.line(format!(
            "  outcome unknown  {} {}",
            unknown.task, unknown.line
        ));
    }
    let run = &discarded.run;
    out.line(match discarded.done {
        true => format!("discarded run {run}"),
        false => format!(
            "run {run} was interrupted during these calls; a new run may repeat them. Discard it with `planwright discard {run} --yes`"
        ),
    });
}

pub(crate) fn undo(out: &mut Out, report: &UndoReport) {
    for file in &report.restored {
        out.line(format!("  restored      {file}"));
    }
    for file in &report.merged {
        out.line(format!("  merged        {file} (later changes kept)"));
    }
    for file in &report.not_held {
        out.line(format!("  not restored  {file} (no earlier content kept)"));
    }
    if !report.ignored.is_empty() {
        out.line(format!(
            "  skipped       {} (ignored by Git)",
            some(&report.ignored)
        ));
    }
    for conflict in &report.conflicts {
        out.line(format!("  conflict      {} (unchanged)", conflict.path));
        for line in conflict.text.lines() {
            out.line(format!("      | {line}"));
        }
    }
    if report.is_empty() {
        out.line("  nothing to undo: no files were changed, or their changes were already undone");
    }
}
