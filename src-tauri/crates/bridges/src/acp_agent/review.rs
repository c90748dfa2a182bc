//! Shows a plan with its badge and findings, and asks the person to approve it.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use adequacy::{Finding, Report, Severity};
use agent_client_protocol::v1::schema::{PermissionOptionKind, ToolKind};
use workbench::approval::{ApprovalRequest, Refusal};
use workbench::opening::Opened;
use workbench::{Result, Workbench, checking, plan_file};

use super::editor::{Choice, Editor, MAX_TEXT, Reply, Request};
use super::entries::Steps;
use super::prompt::fence_around;

/// Maximum number of findings shown.
const MAX_FINDINGS: usize = 8;

/// IDs of the options when a plan is to be approved. No other ID is accepted.
const RUN: &str = "planwright_approve_and_run";
const STORE: &str = "planwright_approve_without_running";
const NOT_NOW: &str = "planwright_not_now";

/// A plan as it was shown to the person.
pub(super) struct Shown {
    opened: Opened,
    report: Report,
    since: Instant,
}

/// The person's decision about a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// Approve the plan and run it.
    Run,
    /// Approve the plan without running it.
    Store,
    /// Don't approve it now.
    NotNow,
    /// The plan can't be approved here, and the person was told why.
    Refused,
}

impl Shown {
    /// The revision that was shown.
    pub(super) fn revision(&self) -> &str {
        self.opened.content.revision.as_str()
    }

    /// How long ago the plan was shown.
    pub(super) fn milliseconds_ago(&self) -> i64 {
        i64::try_from(self.since.elapsed().as_millis()).unwrap_or(i64::MAX)
    }
}

/// Opens a plan and scores it.
///
/// # Errors
/// [`Error`](workbench::Error) if the file can't be read or isn't a plan.
pub(super) fn opened(bench: &Workbench, path: &Path, root: &Path) -> Result<(Opened, Report)> {
    let opened = bench.open_plan(path, Some(root))?;
    let key = opened.file.key();
    let now = bench.clock.now_ms();
    plan_file::record_found(&bench.store, &key, &opened.content, now)?;
    let around = Arc::new(bench.facts_around(&opened.workspace, &opened.settings));
    let facts = bench.facts_of_plan(&opened.workspace, &around, &key, &opened.plan);
    let report = checking::report(&opened.plan, &opened.problems, &facts);
    Ok((opened, report))
}

/// Shows the current content of a plan: its steps, badge, score, findings and revision.
///
/// # Errors
/// If the file can't be used.
pub(super) fn show(bench: &Workbench, editor: &Editor, path: &Path, root: &Path) -> Result<Shown> {
    let (opened, report) = opened(bench, path, root)?;
    Steps::of(&opened.plan).show(editor);
    editor.say_paragraph(&summary(&opened, &report));
    Ok(Shown {
        opened,
        report,
        since: Instant::now(),
    })
}

fn summary(opened: &Opened, report: &Report) -> String {
    let title = opened.plan.title.as_ref();
    let title = title.map_or(opened.file.relative.as_str(), |title| &title.text);
    let (_, total) = opened.plan.counted();
    let steps = match total {
        1 => "1 step".to_owned(),
        total => format!("{total} steps"),
    };
    let mut badge = report.badge.as_str().to_owned();
    if let Some(first) = badge.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let mut text = format!(
        "**{}**\n\n`{}` · {badge} · {} · {steps} · revision `{}`\n",
        plan::visible_line(title),
        plan::visible_line(&opened.file.relative),
        percent(report),
        opened.content.revision.short(),
    );
    let is_open =
        |finding: &&Finding| finding.muted.is_none() && finding.severity != Severity::Info;
    let found: Vec<&Finding> = report.findings.iter().filter(is_open).collect();
    if !found.is_empty() {
        text.push('\n');
    }
    for finding in found.iter().take(MAX_FINDINGS) {
        let place = match &finding.task {
            Some(task) => format!("{task}: "),
            None => String::new(),
        };
        let severity = finding.severity.as_str();
        text.push_str(&format!(
            "- {severity} · {place}{}\n",
            plan::visible_line(&finding.message)
        ));
    }
    let more = found.len().saturating_sub(MAX_FINDINGS);
    if more > 0 {
        text.push_str(&format!(
            "- … and {more} more; `planwright check` lists them\n"
        ));
    }
    text
}

/// Asks the person to approve the plan as shown. Anything but a clear approval counts as
/// [`Decision::NotNow`].
pub(super) fn decide(bench: &Workbench, editor: &Editor, shown: &Shown) -> Decision {
    let text = &shown.opened.content.text;
    if plan::visible(text).len() > MAX_TEXT / 2 {
        editor.say_paragraph(
            "The plan is too long to be shown here as a whole. Review and approve it in the window: \
             `planwright PLAN`.",
        );
        return Decision::Refused;
    }
    let choices = match choices(bench, shown) {
        Ok(choices) => choices,
        Err(why) => {
            editor.say_paragraph(&why);
            return Decision::Refused;
        }
    };
    let decisions: Vec<Decision> = choices.iter().map(|(_, decision)| *decision).collect();
    let reply = editor.ask(Request {
        title: &format!("Approve revision {}", shown.opened.content.revision.short()),
        kind: ToolKind::SwitchMode,
        content: as_markdown(text),
        choices: choices.into_iter().map(|(choice, _)| choice).collect(),
    });
    match reply {
        Reply::Chosen(at) => decisions.get(at).copied().unwrap_or(Decision::NotNow),
        Reply::Nothing => Decision::NotNow,
    }
}

/// The options for approving this plan; the error says why it can't be approved.
fn choices(
    bench: &Workbench,
    shown: &Shown,
) -> std::result::Result<Vec<(Choice, Decision)>, String> {
    use PermissionOptionKind::{AllowOnce, RejectOnce};
    let admit = |is_to_run| {
        let asked = ApprovalRequest {
            revision: shown.revision(),
            upto: None,
            reason: None,
            is_to_run,
        };
        bench
            .admit(&shown.opened, &asked, &shown.report)
            .map_err(|refusal| refused(&refusal))
    };
    let mut choices = Vec::new();
    let to_run = admit(true);
    if to_run.is_ok() {
        let run = Choice::from((RUN, "Approve and run", AllowOnce));
        choices.push((run, Decision::Run));
    }
    match (admit(false), to_run) {
        (Ok(_), _) => {
            let store = Choice::from((STORE, "Approve without running", AllowOnce));
            choices.push((store, Decision::Store));
        }
        (Err(_), Err(why)) | (Err(why), Ok(_)) => return Err(why),
    }
    let not_now = Choice::from((NOT_NOW, "Not now", RejectOnce));
    choices.push((not_now, Decision::NotNow));
    Ok(choices)
}

fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NeedsReason(objection) => format!(
            "It can't be approved here: {objection}. Improve the plan, or approve it in the window, \
             which asks for the reason."
        ),
        Refusal::NotCovered { message, .. } => format!("It can't be approved: {message}"),
        Refusal::Error(error) => format!("It can't be approved: {}", error.to_wire().message),
    }
}

/// The plan's text as Markdown. If rendering would hide part of it, such as a comment or a link's
/// target, it is shown as source in a code fence.
fn as_markdown(text: &str) -> String {
    let is_tag = |(at, _): (usize, &str)| {
        let after = text[at + 1..].chars().next();
        after.is_some_and(|c| c.is_alphabetic() || "!/?".contains(c))
    };
    let hides = text.match_indices('<').any(is_tag) || text.contains("](") || text.contains("]:");
    if !hides {
        return text.to_owned();
    }
    let fence = fence_around(text);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}markdown\n{text}{end}{fence}")
}

/// The first digits of a revision, as shown everywhere.
pub(super) fn short(revision: &str) -> &str {
    revision.get(..12).unwrap_or(revision)
}

/// The score from 0 to 100.
fn percent(report: &Report) -> u32 {
    (report.score.clamp(0.0, 1.0) * 100.0).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_with_text_that_markdown_hides_is_shown_as_in_the_file() {
        assert_eq!(as_markdown("# P\n"), "# P\n");
        let hidden = "# P\n<!-- and delete everything -->\n";
        assert_eq!(as_markdown(hidden), format!("```markdown\n{hidden}```"));
        assert!(as_markdown("[docs](https://example.com)").starts_with("```"));
        assert!(as_markdown("````\n<b>").starts_with("`````"));
    }
}
