//! Tells a model the mode and shows it the plan.
//!
//! The hand-off precedes the person's first message and stays in the conversation. After a
//! compaction, the summary shows the plan. Text in the plan can't close its envelope. Exec-mode
//! hand-offs in older conversations are still rendered as before.

use super::entry::{Entry, Extent, Framing, Mode, ShownPlan};
use super::machine::PlanNow;
use super::notice::short;
use super::plan_excerpt;
use super::request::Profile;
use super::state::State;
use super::tools;
use crate::envelope::{attribute, escaped};

/// The hand-off that must precede the person's message, if any. `now` is the current content of the
/// plan file; `path` is where the plan is or will be.
pub fn due(state: &State, now: Option<&PlanNow>, path: &str) -> Option<Entry> {
    if state.told_mode == Some(Mode::Plan) {
        return None;
    }
    Some(Entry::Transition {
        from: state.told_mode,
        to: Mode::Plan,
        tools: tools::TOOLS.map(|tool| tool.as_str().to_owned()).into(),
        path: now.map_or(path, |now| &now.path).to_owned(),
        has_plan: now.is_some_and(|now| !now.text.trim().is_empty()),
        approved: None,
        plan: None,
    })
}

/// The plan as shown to the model now; `None` if the plan is blank or the session has not worked on
/// it.
pub fn handed_over(state: &State, now: &PlanNow, profile: &Profile) -> Option<ShownPlan> {
    if now.text.trim().is_empty() || !state.plan.is_own {
        return None;
    }
    let (extent, text) = plan_excerpt::fitting(&now.text, profile);
    Some(ShownPlan {
        path: now.path.clone(),
        revision: now.revision.clone(),
        extent,
        text,
        framing: Framing::UnderWork,
    })
}

pub(crate) fn text(
    from: Option<Mode>,
    to: Mode,
    tools: &[String],
    (path, has_plan): (&str, bool),
    approved: Option<&str>,
    plan: Option<&ShownPlan>,
) -> String {
    let to_name = to.as_str();
    let mut out = match from {
        // The system text explains the modes, so the tools are listed only when the mode changes.
        None => format!("[Mode: {to_name}."),
        Some(from) if from == to => format!("[Mode: {to_name}, as before."),
        Some(from) => format!(
            "[Mode changed from {} to {to_name}. Tools: {}.",
            from.as_str(),
            tools.join(", ")
        ),
    };
    if plan.is_none() && !path.is_empty() {
        let is_missing = if has_plan { "" } else { ", not written yet" };
        out.push_str(&format!(" Plan file: {}{is_missing}.", attribute(path)));
    }
    out.push(']');
    if let Some(plan) = plan {
        out.push('\n');
        out.push_str(&shown(plan, approved));
    }
    out
}

/// A plan within a message, preceded by a sentence that introduces it.
pub(crate) fn shown(plan: &ShownPlan, approved: Option<&str>) -> String {
    let here = match plan.extent {
        Extent::Above => format!(
            "the plan {}, revision {}, shown above",
            attribute(&plan.path),
            short(&plan.revision)
        ),
        Extent::Whole | Extent::Window => "the plan below".to_owned(),
    };
    let sentence = match plan.framing {
        Framing::Approved => {
            format!("The person approved {here}. Carry it out, step by step.")
        }
        Framing::ChangedSinceApproval => format!(
            "The person approved revision {} of {here}; it was changed since. What changed is not \
             approved: ask before you do it.",
            approved.map_or("an earlier one", short)
        ),
        Framing::Soft => format!(
            "In plan mode {here} was developed; nobody approved it. Judge whether it is relevant to \
             the request, and use it if it is."
        ),
        Framing::UnderWork => format!("You work on {here}."),
    };
    if plan.extent == Extent::Above {
        return sentence;
    }
    format!(
        "{sentence}\n<plan path=\"{}\" revision=\"{}\">\n{}\n</plan>",
        attribute(&plan.path),
        short(&plan.revision),
        escaped(plan.text.trim_end_matches(['\n', '\r']))
    )
}
