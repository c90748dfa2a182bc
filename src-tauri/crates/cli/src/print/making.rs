//! What happens while a plan is made with a model, for people and as JSON lines for programs.

use workbench::PlanRoute;
use workbench::wire::{PlanReport, PlanningEvent};

use super::{Out, clean};

/// Prints events as they come.
#[derive(Debug)]
pub(crate) struct Printer {
    out: Out,
    json: bool,
    /// Whether JSON is for the result alone.
    is_quiet: bool,
}

impl Printer {
    pub(crate) fn new(json: bool) -> Self {
        Self {
            out: Out::new(),
            json,
            is_quiet: false,
        }
    }

    /// One whose JSON output is a single object, not printed here.
    pub(crate) fn quiet(json: bool) -> Self {
        Self {
            is_quiet: true,
            ..Self::new(json)
        }
    }

    /// One event.
    pub(crate) fn event(&mut self, event: &PlanningEvent) {
        match (self.json, self.is_quiet) {
            (true, true) => {}
            (true, false) => return self.out.json(event),
            (false, _) => {}
        }
        if let Some(words) = words(event) {
            self.out.notice(&clean(&words));
        }
    }
}

/// An event for people; what the model says is no plan yet, and is not shown.
fn words(event: &PlanningEvent) -> Option<String> {
    Some(match event {
        PlanningEvent::Started { solver, model, .. } => format!("{solver} asks {model}"),
        PlanningEvent::Request {
            purpose, attempt, ..
        } => {
            let what = match purpose.as_str() {
                "goal" => "reading the goal",
                "draft" => "drafting steps",
                "gaps" => "looking for gaps",
                "round" => "making the plan fuller",
                other => other,
            };
            match attempt {
                0 | 1 => format!("{what} …"),
                attempt => format!("{what}, attempt {attempt} …"),
            }
        }
        PlanningEvent::Quiet { silence_ms } => format!(
            "the model has said nothing for {} s; Ctrl-C stops it",
            silence_ms / 1000
        ),
        PlanningEvent::Retry {
            made,
            of,
            wait_ms,
            reason,
            ..
        } => format!(
            "request {made} of {of} failed, the next goes out in {:.1} s: {reason}",
            f64::from(u32::try_from(*wait_ms).unwrap_or(u32::MAX)) / 1000.0
        ),
        PlanningEvent::Round {
            number, message, ..
        } => format!("round {number}: {message}"),
        PlanningEvent::Fallback { from, to, reason } => {
            format!("{from} gave no good plan, {to} is next: {reason}")
        }
        PlanningEvent::Notice { message } => message.clone(),
        PlanningEvent::Text { .. }
        | PlanningEvent::Thinking { .. }
        | PlanningEvent::Replied { .. } => return None,
    })
}

/// Whether a plan was made without the model that was to make it; says so then.
pub(crate) fn came_by_another(out: &mut Out, report: &PlanReport, route: PlanRoute) -> bool {
    let solver = report.route["solver"].as_str().unwrap_or_default();
    let without = PlanRoute::Symbolic.as_str();
    let why = report.route["fallback"].as_str();
    if let Some(why) = why {
        out.notice(&clean(&format!("the plan was made by {solver}: {why}")));
    }
    why.is_some() && solver == without && route != PlanRoute::Symbolic
}
