//! The receipt of a run, as a view and as Markdown to copy.

use std::fmt::Write as _;

use agent::receipt::receipt as made;

use crate::Desktop;
use crate::wire::{ReceiptView, RunStep, StepAction, StepModel};
use workbench::error::Result;
use workbench::text::{counted, one_line};

/// Lines of output quoted below a failed check.
const QUOTED: usize = 12;

impl Desktop {
    /// The receipt of a run.
    pub fn receipt(&self, run: &str) -> Result<ReceiptView> {
        let read = self.shared.read_run(run)?;
        let receipt = made(&read.journal).ok_or_else(|| {
            err!(Storage:
        "run {} was interrupted before it started, so it has no receipt", read.row.id)
        })?;
        let steps = receipt.steps.iter().map(|step| read.step(&step.task));
        let mut view = ReceiptView {
            run: read.row.id.clone(),
            title: read.plan_title(),
            plan: read.row.plan.clone(),
            revision: receipt.revision.clone(),
            policy: receipt.policy.clone(),
            sandbox: receipt.sandbox.clone(),
            parallel: receipt.parallel,
            state: read.standing.clone(),
            started_at_ms: receipt.started_at_ms,
            ended_at_ms: receipt.ended_at_ms,
            work_ms: receipt.work_ms,
            turns: receipt.turns,
            tokens_in: receipt.tokens_in,
            tokens_out: receipt.tokens_out,
            notes: receipt.notes,
            steps: steps.collect(),
            markdown: String::new(),
        };
        view.markdown = markdown(&view);
        Ok(view)
    }
}

fn markdown(view: &ReceiptView) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "# Receipt: {}\n", one_line(&view.title));
    let state = view.state.replace('_', " ");
    let _ = writeln!(text, "- run: `{}`, {state}", view.run);
    let _ = writeln!(text, "- approved revision: `{}`", view.revision);
    let _ = writeln!(text, "- policy: {}", view.policy);
    let _ = writeln!(text, "- sandbox: {}", view.sandbox);
    if view.parallel > 1 {
        let _ = writeln!(text, "- parallel steps: up to {}", view.parallel);
    }
    let _ = writeln!(text, "- active time: {}", seconds(view.work_ms));
    if view.turns > 0 {
        let _ = writeln!(
            text,
            "- model: {}, {} tokens in, {} out",
            counted(view.turns as usize, "turn"),
            view.tokens_in,
            view.tokens_out
        );
    }
    for note in &view.notes {
        let _ = writeln!(text, "- note: {}", one_line(note));
    }
    let _ = writeln!(text, "\n## Steps");
    for step in &view.steps {
        of_step(&mut text, step, view.started_at_ms);
    }
    text
}

fn of_step(text: &mut String, step: &RunStep, began: i64) {
    let title = one_line(&step.title);
    let _ = writeln!(text, "\n### {} {title}: {}\n", step.task, step.state);
    if let Some(reason) = &step.reason {
        let _ = writeln!(text, "Reason: {}\n", one_line(reason));
    }
    if let (false, Some(from), Some(to)) =
        (step.beside.is_empty(), step.started_at_ms, step.ended_at_ms)
    {
        let after = |at: i64| seconds(u64::try_from(at - began).unwrap_or(0));
        let (from, to) = (after(from), after(to));
        let others = step.beside.join(", ");
        let _ = writeln!(
            text,
            "In parallel with {others}, from {from} to {to} into the run\n"
        );
    }
    for note in &step.notes {
        let _ = writeln!(text, "Note: {}\n", one_line(note));
    }
    if let Some(over) = &step.handed_to {
        let line = code(&one_line(&over.line));
        let _ = writeln!(text, "- handed off to {}: {line}", one_line(&over.name));
    }
    if let Some(model) = &step.model {
        of_model(text, model);
    }
    // The model's own words are listed above; these are the actions.
    let is_done = |action: &&StepAction| ["call", "check", "signature"].contains(&&*action.kind);
    for action in step.actions.iter().filter(is_done) {
        of_action(text, action);
    }
    if !step.changes.is_empty() {
        let _ = writeln!(text, "- changed: {}", quoted(&step.changes));
    }
}

fn of_model(text: &mut String, model: &StepModel) {
    let _ = writeln!(
        text,
        "- model: {}, {} tokens in, {} out",
        counted(model.turns as usize, "turn"),
        model.tokens_in,
        model.tokens_out
    );
    if let Some(report) = &model.report {
        let from = match report.is_inferred {
            true => "inferred from what it did",
            false => "reported by the model",
        };
        let _ = writeln!(text, "- {from}: {}", one_line(&report.summary));
        for learned in &report.learned {
            let _ = writeln!(text, "  - learned: {}", one_line(learned));
        }
        for decided in &report.decided {
            let _ = writeln!(text, "  - decided: {}", one_line(decided));
        }
    }
    for recovery in &model.recoveries {
        let _ = writeln!(
            text,
            "- recovery: {} (by {}): {}",
            recovery.strategy,
            recovery.by,
            one_line(&recovery.reason)
        );
    }
}

fn of_action(text: &mut String, action: &StepAction) {
    let mark = if action.ok == Some(false) {
        "✗"
    } else {
        "✓"
    };
    let title = one_line(&action.title);
    let title = match action.exit_code.is_some() || action.tool == "run_command" {
        true => code(&title),
        false => title,
    };
    let summary = match action.summary.as_str() {
        "" => String::new(),
        summary => format!(": {}", one_line(summary)),
    };
    let flaky = if action.flaky { ", flaky" } else { "" };
    let recovered = if action.recovered {
        ", determined after a crash"
    } else {
        ""
    };
    let _ = writeln!(text, "- {mark} {title}{summary}{flaky}{recovered}");
    if action.ok == Some(false) {
        let lines: Vec<&str> = action.output.lines().collect();
        for line in &lines[lines.len().saturating_sub(QUOTED)..] {
            let _ = writeln!(text, "      {line}");
        }
    }
}

fn code(words: &str) -> String {
    let longest = words.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    match longest {
        0 => format!("{ticks}{words}{ticks}"),
        _ => format!("{ticks} {words} {ticks}"),
    }
}

fn quoted(paths: &[String]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| code(path)).collect();
    paths.join(", ")
}

fn seconds(ms: u64) -> String {
    format!("{}.{} s", ms / 1_000, ms % 1_000 / 100)
}
