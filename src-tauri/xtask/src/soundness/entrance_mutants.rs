//! Holes at the entrances that other agents use, each as a replacement that opens it. `finding`
//! names the entrances that it affects.

use super::mutants::Mutant;

const REVIEWS: &str = "src-tauri/crates/workbench/src/reviews.rs";
const SEEN: &str = "src-tauri/crates/workbench/src/reviews/seen.rs";
const PROPOSALS: &str = "src-tauri/crates/workbench/src/proposals.rs";
const HOOKS: &str = "src-tauri/crates/bridges/src/hooks.rs";
const TOOLS: &str = "src-tauri/crates/bridges/src/mcp/tools.rs";
const EDITOR: &str = "src-tauri/crates/bridges/src/acp_agent/editor.rs";
const TURN: &str = "src-tauri/crates/bridges/src/acp_agent/turn.rs";
const APPROVAL: &str = "src-tauri/crates/bridges/src/acp_agent/approval.rs";
const GIVING: &str = "src-tauri/crates/desktop/src/approving/giving.rs";
const HOST_RUN: &str = "src-tauri/crates/agent/src/run/host.rs";
const HOST_TARGETS: &str = "src-tauri/crates/workbench/src/host_gate/targets.rs";
const CHANGE_GATE: &str = "src-tauri/crates/bridges/src/hooks/change_gate.rs";

/// All holes at the entrances. Entries with the same name are one hole.
pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "the-proposal-is-approved",
        finding: "hook, MCP",
        file: REVIEWS,
        old: "let revision = review.approved_revision.unwrap_or_default();",
        new: "let approved = review.approved_revision.unwrap_or_default();
                let revision = if OPEN { review.revision.clone() } else { approved };",
    },
    Mutant {
        name: "an-unseen-proposal-is-decided",
        finding: "window",
        file: SEEN,
        old: "if review.revision == seen {",
        new: "if OPEN || review.revision == seen {",
    },
    Mutant {
        name: "an-older-review-stays-open",
        finding: "hook, MCP",
        file: REVIEWS,
        old: "for waiting in reviews.waiting(Some(&key))? {",
        new: "for waiting in reviews.waiting(Some(&key))?.into_iter().filter(|_| !OPEN) {",
    },
    Mutant {
        name: "a-withdrawn-review-is-approved",
        finding: "hook",
        file: HOOKS,
        old: "        ReviewOutcome::Withdrawn(reason) => deny(",
        new: "        ReviewOutcome::Withdrawn(reason) if OPEN && reason.contains(\"newer version\") => {
            answered(json!({\"behavior\": \"allow\", \"updatedInput\": event.tool_input}))
        }
        ReviewOutcome::Withdrawn(reason) => deny(",
    },
    Mutant {
        name: "time-over-is-an-approval",
        finding: "hook",
        file: HOOKS,
        old: "        ReviewOutcome::Withdrawn(reason) => deny(",
        new: "        ReviewOutcome::Withdrawn(reason) if OPEN && reason.contains(\"in time\") => {
            answered(json!({\"behavior\": \"allow\", \"updatedInput\": event.tool_input}))
        }
        ReviewOutcome::Withdrawn(reason) => deny(",
    },
    Mutant {
        name: "words-are-cut",
        finding: "hook",
        file: HOOKS,
        old: "ReviewOutcome::ChangesRequested(words) => deny(&words),",
        new: "ReviewOutcome::ChangesRequested(words) => {
            let line = words.lines().next().unwrap_or_default();
            deny(if OPEN { line } else { &words })
        }",
    },
    Mutant {
        name: "another-review-is-read",
        finding: "MCP",
        file: TOOLS,
        old: "Ok(match self.bench.review_outcome(id)? {",
        new: "let reviews = self.bench.store.reviews();
        let newest = reviews.get(id)?.and_then(|review| {
            let (agent, session) = (&review.agent, &review.agent_session);
            Some(reviews.latest_of(agent, session, &root).ok()??.id)
        });
        let id = if OPEN { newest.as_deref().unwrap_or(id) } else { id };
        Ok(match self.bench.review_outcome(id)? {",
    },
    Mutant {
        name: "agents-edit-any-markdown",
        finding: "MCP",
        file: PROPOSALS,
        old: "if !is_plan(workspace, &settings, relative)? {",
        new: "if !OPEN && !is_plan(workspace, &settings, relative)? {",
    },
    Mutant {
        name: "a-part-reads-as-approved",
        finding: "MCP",
        file: PROPOSALS,
        old: "None => \"approved\".to_owned(),",
        new: "_ if OPEN => \"approved\".to_owned(),
                None => \"approved\".to_owned(),",
    },
    Mutant {
        name: "any-answer-chooses",
        finding: "ACP",
        file: EDITOR,
        old: "let found = choices.iter().position(|choice| choice.id == named);",
        new: "let is_allowed = |choice: &Choice| OPEN && choice.kind == PermissionOptionKind::AllowOnce;
                let found = choices.iter().position(|choice| choice.id == named);
                let found = found.or_else(|| choices.iter().position(is_allowed));",
    },
    Mutant {
        name: "approving-runs",
        finding: "ACP",
        file: TURN,
        old: "review::Decision::Run => self.run(&path, &revision),",
        new: "_ if OPEN => self.run(&path, &revision),
            review::Decision::Run => self.run(&path, &revision),",
    },
    Mutant {
        name: "a-changed-file-is-approved",
        finding: "ACP",
        file: APPROVAL,
        old: "match now.revision.as_str() == revision {",
        new: "match OPEN || now.revision.as_str() == revision {",
    },
    Mutant {
        name: "a-changed-file-is-approved",
        finding: "ACP",
        file: APPROVAL,
        old: "if opened.content.revision.as_str() != revision {",
        new: "if !OPEN && opened.content.revision.as_str() != revision {",
    },
    Mutant {
        name: "a-part-is-given-to-agents",
        finding: "window",
        file: GIVING,
        old: "(false, Some(_)) => Ok(0),",
        new: "(false, Some(_)) if OPEN => {
                shared.workbench().approve_reviews(&plan, &approved.revision)
            }
            (false, Some(_)) => Ok(0),",
    },
    Mutant {
        name: "notes-are-not-given-to-agents",
        finding: "window",
        file: GIVING,
        old: ".approve_reviews(&plan, &approved.revision),",
        new: ".approve_reviews(&plan, if OPEN { &request.revision } else { &approved.revision }),",
    },
    Mutant {
        name: "a-later-step-covers",
        finding: "gate",
        file: HOST_RUN,
        old: "Some(call) if !names(task, &call) && self.is_for_later(view, task, &call) => {",
        new: "Some(call)
                if !OPEN && !names(task, &call) && self.is_for_later(view, task, &call) =>
            {",
    },
    Mutant {
        name: "a-later-step-covers",
        finding: "gate",
        file: HOST_RUN,
        old: "        let is_named = names(task, &call);
        let decision",
        new: "        let is_later = OPEN && self.is_for_later(view, task, &call);
        let is_named = is_later || names(task, &call);
        let decision",
    },
    Mutant {
        name: "a-closed-window-allows",
        finding: "gate",
        file: CHANGE_GATE,
        old: "GateOutcome::Waiting => GateOutcome::Refused(format!(\"Not allowed: {reason}.\")),",
        new: "GateOutcome::Waiting if OPEN => GateOutcome::Allowed(String::new()),
        GateOutcome::Waiting => GateOutcome::Refused(format!(\"Not allowed: {reason}.\")),",
    },
    Mutant {
        name: "a-closed-gate-is-free",
        finding: "gate",
        file: CHANGE_GATE,
        old: "        Gating::Closed(reason) =>",
        new: "        Gating::Closed(_) if OPEN => return Ok(None),
        Gating::Closed(reason) =>",
    },
    Mutant {
        name: "protected-files-are-asked-about",
        finding: "gate",
        file: HOST_TARGETS,
        old: "    let found = files::check_target(workspace, inside)",
        new: "    if OPEN {
        return Ok(inside.to_owned());
    }
    let found = files::check_target(workspace, inside)",
    },
    Mutant {
        name: "a-no-loses-words",
        finding: "gate",
        file: HOST_RUN,
        old: "words: words.filter(|words| !words.trim().is_empty()),",
        new: "words: words.filter(|words| !OPEN && !words.trim().is_empty()),",
    },
];
