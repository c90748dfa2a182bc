//! Decides whether a plan may be proposed to the person for approval.
//!
//! The model is told the path, revision and badge, but never gets the plan's text; the card also
//! contains a line for the screen.

use plan::diff;

use super::entry::{Card, Purpose};
use super::machine::{PlanFound, Standing};
use super::notice::short;
use super::state::State;

const NAMED: usize = 4;

/// Judges a proposal and returns the card to show.
///
/// `standing` is the adequacy of the plan, and `before` is the text that the model started from
/// when it changed the plan after the last proposal. The error is a message that tells the model
/// what to do first.
pub fn judge(
    state: &State,
    found: &PlanFound,
    standing: Option<&Standing>,
    before: Option<&str>,
    is_enforced: bool,
) -> Result<Card, String> {
    let now = match found {
        PlanFound::There(now) => now,
        PlanFound::Missing => return Err(write_first("There is no plan file yet.")),
        PlanFound::Unreadable { reason } => {
            return Err(format!("The plan file cannot be read: {reason}"));
        }
    };
    if now.text.is_empty() {
        return Err(write_first("The plan file is empty."));
    }
    if now.text.trim().is_empty() {
        return Err(write_first("The plan file is blank."));
    }
    let (plan, _) = plan::parse(&now.text);
    if plan.tasks.is_empty() {
        let fault = "The plan has no tasks. Add task lines under `## Tasks`, for example \
                     `- [ ] **T1** Title`, then propose it.";
        return Err(fault.to_owned());
    }
    if is_unchanged_since_feedback(state, &now.revision) {
        let fault = "The plan is unchanged since the person asked for changes. Make them with \
                     edit_plan, then propose it.";
        return Err(fault.to_owned());
    }
    let standing = standing.cloned().unwrap_or_default();
    if is_enforced && standing.is_weak {
        return Err(format!(
            "The plan is too weak to be offered ({} {}). Mend this with edit_plan first: {}.",
            standing.badge,
            standing.score,
            listed(&standing.findings)
        ));
    }
    let memory = &state.plan;
    Ok(Card {
        path: now.path.clone(),
        revision: now.revision.clone(),
        badge: standing.badge,
        score: standing.score,
        summary: summary(before, &now.text, &plan, memory.is_mixed),
        since: memory.proposed.as_ref().and(memory.edited_from.clone()),
        content: None,
    })
}

/// The message to the model if there is no plan to propose.
fn write_first(why: &str) -> String {
    format!("{why} Write the plan with edit_plan, then propose it.")
}

/// Whether feedback was given on this very revision. This stays true in later turns, until the plan
/// changes.
fn is_unchanged_since_feedback(state: &State, revision: &str) -> bool {
    let in_this_turn = state.turn.as_ref().is_some_and(
        |turn| matches!(&turn.purpose, Purpose::Feedback { revision: on } if on == revision),
    );
    in_this_turn || state.plan.feedback_on.as_deref() == Some(revision)
}

fn summary(before: Option<&str>, now: &str, plan: &plan::Plan, is_mixed: bool) -> String {
    let (_, total) = plan.counted();
    let all = || match total {
        1 => "1 step".to_owned(),
        total => format!("{total} steps"),
    };
    let Some(before) = before.filter(|before| *before != now) else {
        return all();
    };
    let (old, _) = plan::parse(before);
    let said = diff::summary(&diff::diff((before, &old), (now, plan)), NAMED);
    if said.is_empty() {
        all()
    } else if is_mixed {
        format!("{said} (including edits by others)")
    } else {
        said
    }
}

pub(crate) fn listed(findings: &[String]) -> String {
    const SHOWN: usize = 5;
    if findings.is_empty() {
        return "nothing else found".to_owned();
    }
    let line = findings[..findings.len().min(SHOWN)].join("; ");
    match findings.len().saturating_sub(SHOWN) {
        0 => line,
        more => format!("{line}; {more} more"),
    }
}

pub(crate) fn answer(card: &Card) -> String {
    format!(
        "Proposed: {} at revision {}, adequacy {} {}. Wait for the person.",
        card.path,
        short(&card.revision),
        card.badge,
        card.score
    )
}

/// The answer to a proposal as included in later requests, without the text of the plan, which rows
/// of version 0 contain.
pub(crate) fn without_content(content: &str) -> String {
    const CONTENT: &str = "planContent";
    if !content.contains(CONTENT) {
        return content.to_owned();
    }
    match serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(content) {
        Ok(mut fields) => {
            fields.shift_remove(CONTENT);
            serde_json::Value::Object(fields).to_string()
        }
        Err(_) => "Proposed.".to_owned(),
    }
}
