//! Muting a finding for a reason, and unmuting it. The reason is written into the plan: under the
//! task, or in the front matter if the finding is about the plan as a whole.

mod front;

use adequacy::{Finding, Fix, Mend};
use store::{FindingAction, NewFindingAction};

use crate::Desktop;
use crate::document::ParsedPlan;
use crate::editing::refused;
use crate::wire::{DesktopEvent, EditOutcome};
use workbench::error::Result;
use workbench::text::one_line;

/// Maximum characters in a reason.
const MAX_REASON_LEN: usize = 500;

impl Desktop {
    /// Mutes a finding by adding a line `mute: CODE REASON` to the plan, as one undo step. The
    /// score and the gate don't change.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] if there is no reason or no such finding; otherwise same as
    /// [`Desktop::edit`].
    pub fn mute(
        &self,
        plan: &str,
        revision: &str,
        finding: &str,
        reason: &str,
    ) -> Result<EditOutcome> {
        let reason = one_line(reason);
        if reason.is_empty() {
            return Err(err!(Usage:
                "enter a reason; it is written into the plan"));
        }
        let reason: String = reason.chars().take(MAX_REASON_LEN).collect();
        let base = self.shared.parsed_at(plan, revision)?;
        let found = found(&base, finding)?;
        let code = found.code.as_str();
        let line = format!("{code} {reason}");
        let ours = match &found.task {
            Some(task) => {
                let mend = Mend::AddValue {
                    task: task.clone(),
                    key: "mute".to_owned(),
                    value: line,
                };
                let fix = Fix::of("Mute", mend);
                fix.made_on(base.text(), &base.plan).map_err(refused)?
            }
            None => front::with(base.text(), &base.plan, |lines| {
                lines.retain(|other| !is_of(other, code));
                lines.push(line);
            })?,
        };
        self.settle(&base, found, &ours, FindingAction::Muted, Some(&reason))
    }

    /// Unmutes a finding.
    pub fn unmute(&self, plan: &str, revision: &str, finding: &str) -> Result<EditOutcome> {
        let base = self.shared.parsed_at(plan, revision)?;
        let found = found(&base, finding)?;
        let code = found.code.as_str();
        let ours = match &found.task {
            Some(task) => {
                let known = base.plan.task(task);
                let lines = known.into_iter().flat_map(|task| task.values("mute"));
                let values = lines.filter(|line| !is_of(line, code));
                let mend = Mend::SetValues {
                    task: task.clone(),
                    key: "mute".to_owned(),
                    values: values.map(str::to_owned).collect(),
                };
                let fix = Fix::of("Unmute", mend);
                fix.made_on(base.text(), &base.plan).map_err(refused)?
            }
            None => front::with(base.text(), &base.plan, |lines| {
                lines.retain(|other| !is_of(other, code));
            })?,
        };
        self.settle(&base, found, &ours, FindingAction::Unmuted, None)
    }

    /// Writes the edit that mutes or unmutes a finding, and records the action.
    fn settle(
        &self,
        base: &ParsedPlan,
        found: &Finding,
        ours: &str,
        action: FindingAction,
        reason: Option<&str>,
    ) -> Result<EditOutcome> {
        let code = found.code.as_str();
        let label = match action {
            FindingAction::Muted => format!("Mute {code}"),
            _ => format!("Unmute {code}"),
        };
        let outcome = self.shared.write_merged(base, ours, &label)?;
        self.keep_action(base, found, action, reason, &outcome)?;
        Ok(outcome)
    }

    /// Records how a finding was resolved, if the edit was written.
    pub(crate) fn keep_action(
        &self,
        base: &ParsedPlan,
        found: &Finding,
        action: FindingAction,
        reason: Option<&str>,
        outcome: &EditOutcome,
    ) -> Result<()> {
        if !matches!(outcome, EditOutcome::Written { .. }) {
            return Ok(());
        }
        let workbench = self.shared.workbench();
        workbench.store.finding_actions().add(&NewFindingAction {
            plan: &base.key,
            revision: base.revision().as_str(),
            finding: &found.id,
            code: found.code.as_str(),
            task: found.task.as_ref().map(|task| task.as_str()),
            action,
            reason,
            at_ms: workbench.clock.now_ms(),
        })?;
        drop(workbench);
        self.shared.events.send(DesktopEvent::Insights);
        Ok(())
    }
}

/// Whether a line mutes this code.
fn is_of(line: &str, code: &str) -> bool {
    line.split_whitespace().next() == Some(code)
}

fn found<'p>(parsed: &'p ParsedPlan, finding: &str) -> Result<&'p Finding> {
    let mut findings = parsed.report.findings.iter();
    findings.find(|one| one.id == finding).ok_or_else(|| {
        err!(Usage:
        "the plan has no finding {finding}; reload its findings")
    })
}
