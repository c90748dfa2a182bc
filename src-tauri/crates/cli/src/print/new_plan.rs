//! Progress of planning with a model, as human-readable text or JSON lines.

use std::time::Instant;

use workbench::text::counted;
use workbench::wire::{PlanningEvent, RouteStep};

use super::{Out, terminal};

/// Prints events as they arrive.
#[derive(Debug)]
pub(crate) struct Printer {
    out: Out,
    json: bool,
    /// Whether JSON output is reserved for the result.
    is_quiet: bool,
    /// Prints the events of a conversation.
    session: super::session::Printer,
}

impl Printer {
    pub(crate) fn new(json: bool) -> Self {
        Self {
            out: Out::new(),
            json,
            is_quiet: false,
            session: super::session::Printer::new(json),
        }
    }

    /// A printer for commands whose JSON output is a single object, printed elsewhere.
    pub(crate) fn quiet(json: bool) -> Self {
        let mut printer = Self::new(json);
        printer.is_quiet = true;
        printer
    }

    /// Shows that an agent is working, until [`Printer::rest`].
    pub(crate) fn wait_for_agent(&self) {
        if !self.json {
            terminal::working("waiting for the agent", Instant::now());
        }
    }

    /// Ends what [`Printer::wait_for_agent`] shows.
    pub(crate) fn rest(&self) {
        terminal::idle();
    }

    /// Prints an event.
    pub(crate) fn event(&mut self, event: &PlanningEvent) {
        match (self.json, self.is_quiet) {
            (true, true) => {}
            (true, false) => return self.out.json(event),
            (false, _) => {}
        }
        if let PlanningEvent::Session(event) = event {
            return self.session.event(event);
        }
        if let Some(words) = words(event) {
            self.out.notice(&words);
        }
        match event {
            PlanningEvent::Request { .. } => {
                terminal::working("waiting for the model", Instant::now());
            }
            PlanningEvent::Trying(step) if step.plugin == "gs-agent" => self.wait_for_agent(),
            PlanningEvent::Replied { .. }
            | PlanningEvent::Tried(_)
            | PlanningEvent::Round { .. } => {
                terminal::idle();
            }
            _ => {}
        }
    }
}

impl Drop for Printer {
    fn drop(&mut self) {
        terminal::idle();
    }
}

/// An event as human-readable text. The model's own text isn't a plan yet, so it isn't shown.
fn words(event: &PlanningEvent) -> Option<String> {
    Some(match event {
        PlanningEvent::Decided(decided) => format!(
            "{}, then {}, then {}",
            decided.detectors.join(" or "),
            decided.kbs.join(" or "),
            decided.solvers.join(" or ")
        ),
        PlanningEvent::Started { model, .. } => format!("asking {model}"),
        PlanningEvent::Tried(step) => ended(step),
        PlanningEvent::Skipped(step) => format!("skipped {}: {}", step.plugin, step.why),
        PlanningEvent::Request {
            purpose, attempt, ..
        } => {
            let what = match purpose.as_str() {
                "goal" => "reading the goal",
                "draft" => "drafting steps",
                "gaps" => "looking for gaps",
                "round" => "expanding the plan",
                other => other,
            };
            match attempt {
                0 | 1 => format!("{what} …"),
                attempt => format!("{what}, attempt {attempt} …"),
            }
        }
        PlanningEvent::Model(news) => return super::session::words_of(news),
        PlanningEvent::Round {
            number, message, ..
        } => format!("round {number}: {message}"),
        PlanningEvent::Notice { message } => message.clone(),
        PlanningEvent::Trying(_) | PlanningEvent::Replied { .. } | PlanningEvent::Session(_) => {
            return None;
        }
    })
}

/// The outcome of a plugin, with its time, requests and tokens.
fn ended(step: &RouteStep) -> String {
    let said = match step.status.as_str() {
        "success" => "succeeded",
        "weak" => "fell short",
        _ => "failed",
    };
    let mut line = format!("{} {said}", step.plugin);
    if !step.why.is_empty() {
        line.push_str(": ");
        line.push_str(&step.why);
    }
    let seconds = f64::from(u32::try_from(step.ms).unwrap_or(u32::MAX)) / 1_000.0;
    line.push_str(&match step.requests {
        0 => format!(" ({seconds:.1} s)"),
        requests => format!(
            " ({seconds:.1} s, {}, {} tokens)",
            counted(requests as usize, "request"),
            step.tokens
        ),
    });
    line
}
