//! Read-only tools, which run on the worker's thread.

use std::path::Path;

use adequacy::{Finding, Report};
use plan::{Plan, Task, TaskId};
use serde_json::{Value, json};
use tools::Workspace;
use workbench::plan_file::{self, Content, PlanFile};
use workbench::{Code, Error, Result, ReviewOutcome, proposals};

use super::arguments::{Check, OfPlan, OfTask};
use super::worker::Worker;

/// Longest text that is returned in full, in bytes.
const MAX_TEXT: usize = 100_000;

/// Maximum number of plans listed.
const MAX_PLANS: usize = 100;

/// Maximum number of findings listed.
const MAX_FINDINGS: usize = 40;

/// The scheme of plan URIs, with the separator.
pub(super) const SCHEME: &str = "plan://";

/// A plan listed as a resource.
pub(super) struct Listed {
    pub(super) path: String,
    pub(super) title: String,
    /// Length of the plan's text, in bytes.
    pub(super) size: usize,
}

impl Worker<'_> {
    /// Finds a plan by its path or URI and reads its current content, recording it as a revision.
    pub(super) fn plan_named(
        &mut self,
        workspace: &Workspace,
        named: &str,
    ) -> Result<(PlanFile, Content)> {
        let path = match named.strip_prefix(SCHEME) {
            Some(encoded) => decoded(encoded),
            None => named.to_owned(),
        };
        let file = self.bench.plan_of_workspace(workspace, &path)?;
        let content = plan_file::read(workspace, &file)?;
        let now = self.bench.clock.now_ms();
        plan_file::record_found(&self.bench.store, &file.key(), &content, now)?;
        Ok((file, content))
    }

    pub(super) fn list_plans(&mut self) -> Result<Value> {
        let workspace = self.workspace()?;
        let (files, is_cut) = self.bench.plans_of_workspace(&workspace)?;
        let is_cut = is_cut || files.len() > MAX_PLANS;
        let mut plans = Vec::new();
        for file in files.iter().take(MAX_PLANS) {
            // Don't let one unreadable file hide the others.
            let Ok(content) = plan_file::read(&workspace, file) else {
                plans.push(json!({ "path": file.relative, "state": "unreadable" }));
                continue;
            };
            let (plan, report) = self.judge(&workspace, Some(file), &content);
            let (done, total) = plan.counted();
            plans.push(json!({
                "path": file.relative,
                "title": title(&plan),
                "badge": report.badge.as_str(),
                "score": percent(&report),
                "steps": { "done": done, "total": total },
                "state": self.bench.plan_state(file, &content)?,
            }));
        }
        let mut answer =
            json!({ "workspace": workspace.path().display().to_string(), "plans": plans });
        if is_cut {
            answer["note"] = json!("Not all plans are listed.");
        }
        Ok(answer)
    }

    pub(super) fn get_plan(&mut self, given: &OfPlan) -> Result<Value> {
        let workspace = self.workspace()?;
        let (file, content) = self.plan_named(&workspace, &given.plan)?;
        let (_, report) = self.judge(&workspace, Some(&file), &content);
        let (text, is_cut) = cut(&content.text);
        let mut answer = json!({
            "path": file.relative,
            "revision": content.revision.as_str(),
            "badge": report.badge.as_str(),
            "state": self.bench.plan_state(&file, &content)?,
            "text": text,
        });
        if is_cut {
            answer["note"] = json!(format!(
                "Truncated after {} of {} bytes. Read the rest step by step with get_task.",
                text.len(),
                content.text.len()
            ));
        }
        Ok(answer)
    }

    pub(super) fn get_task(&mut self, given: &OfTask) -> Result<Value> {
        let workspace = self.workspace()?;
        let (file, content) = self.plan_named(&workspace, &given.plan)?;
        let (plan, report) = self.judge(&workspace, Some(&file), &content);
        let task = plan.task(&TaskId::from(given.task.trim()));
        let task = task.ok_or_else(|| proposals::no_step(&file, &given.task))?;
        let own = content.text.get(task.span.clone()).unwrap_or_default();
        let (text, is_cut) = cut(own);
        let found = report
            .findings
            .iter()
            .filter(|one| one.task.as_ref() == Some(&task.id));
        let mut answer = json!({
            "path": file.relative,
            "revision": content.revision.as_str(),
            "task": task.id.as_str(),
            "state": state(task),
            "text": text,
            "findings": findings(found),
        });
        if is_cut {
            answer["note"] = json!("The text is truncated.");
        }
        Ok(answer)
    }

    pub(super) fn check_plan(&mut self, given: Check) -> Result<Value> {
        let workspace = self.workspace()?;
        match (given.plan, given.text) {
            (Some(named), None) => {
                let (file, content) = self.plan_named(&workspace, &named)?;
                Ok(self.judged(&workspace, Some(&file), &content))
            }
            (None, Some(text)) if text.len() as u64 > plan::source::LIMIT => Err(Error::new(
                Code::Usage,
                format!("the text is longer than {} bytes", plan::source::LIMIT),
            )),
            (None, Some(text)) => Ok(self.judged(&workspace, None, &Content::of(text))),
            _ => Err(Error::new(Code::Usage, "give either `plan` or `text`")),
        }
    }

    /// The response about a plan's content: score, badge and findings, never the text itself.
    pub(super) fn judged(
        &mut self,
        workspace: &Workspace,
        file: Option<&PlanFile>,
        content: &Content,
    ) -> Value {
        let (plan, report) = self.judge(workspace, file, content);
        let (done, total) = plan.counted();
        let mut answer = json!({
            "revision": content.revision.as_str(),
            "badge": report.badge.as_str(),
            "score": percent(&report),
            "steps": { "done": done, "total": total },
            "findings": findings(report.findings.iter()),
        });
        let more = report.findings.len().saturating_sub(MAX_FINDINGS);
        if more > 0 {
            answer["more_findings"] = json!(more);
        }
        if let Some(file) = file {
            answer["path"] = json!(file.relative);
        }
        answer
    }

    /// The plans that are listed as resources.
    pub(super) fn resources(&mut self) -> Result<Vec<Listed>> {
        let workspace = self.workspace()?;
        let (files, _) = self.bench.plans_of_workspace(&workspace)?;
        let listed = files.into_iter().take(MAX_PLANS).filter_map(|file| {
            let content = plan_file::read(&workspace, &file).ok()?;
            let (plan, _) = plan::parse(&content.text);
            Some(Listed {
                title: title(&plan),
                size: content.text.len(),
                path: file.relative,
            })
        });
        Ok(listed.collect())
    }

    /// A plan's full text.
    pub(super) fn resource(&mut self, uri: &str) -> Result<String> {
        if !uri.starts_with(SCHEME) {
            return Err(Error::new(Code::Usage, "a plan's URI begins with plan://"));
        }
        let workspace = self.workspace()?;
        Ok(self.plan_named(&workspace, uri)?.1.text)
    }

    /// The prompt for carrying out a plan.
    pub(super) fn carry_out_prompt(&mut self, named: &str) -> Result<String> {
        let workspace = self.workspace()?;
        let (file, content) = self.plan_named(&workspace, named)?;
        let state = self.bench.plan_state(&file, &content)?;
        let revision = content.revision.as_str();
        Ok(super::prompts::carry_out_plan(
            &file.relative,
            revision,
            &state,
        ))
    }

    /// The decision on a review in this workspace.
    pub(super) fn decision(&mut self, id: &str) -> Result<Value> {
        let workspace = self.workspace()?;
        let review = self.bench.store.reviews().get(id)?;
        let root = workspace.path().display().to_string();
        let Some(review) = review.filter(|review| review.workspace == root) else {
            let id = plan::visible_line(id);
            return Err(Error::new(
                Code::Usage,
                format!("there is no review “{id}” in this workspace"),
            ));
        };
        let plan = review.plan;
        Ok(match self.bench.review_outcome(id)? {
            ReviewOutcome::Waiting if self.bench.store.has_window()? => {
                json!({ "status": "waiting" })
            }
            ReviewOutcome::Waiting => json!({
                "status": "waiting",
                "note": "Planwright's window is closed; request_approval opens it again.",
            }),
            ReviewOutcome::Approved {
                text,
                revision,
                is_changed,
            } => {
                let mut answer = json!({
                    "status": "approved",
                    "revision": revision,
                    "is_changed": is_changed,
                });
                let now = plan_file::read_anywhere(Path::new(&plan));
                let is_other = now.map_or(true, |now| now.revision.as_str() != revision);
                if is_other {
                    answer["note"] = json!(
                        "The file has changed since the approval; only the text given here is approved."
                    );
                }
                if is_changed || is_other {
                    answer["text"] = json!(text);
                }
                answer
            }
            ReviewOutcome::ChangesRequested(words) => {
                json!({ "status": "changes_requested", "message": words })
            }
            ReviewOutcome::Withdrawn(reason) => json!({ "status": "withdrawn", "reason": reason }),
        })
    }
}

/// The percent-encoded URI of a plan.
pub(super) fn uri(path: &str) -> String {
    let mut uri = SCHEME.to_owned();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// Decodes percent-encoding; invalid sequences stay as they are.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.filter(|_| *first == b'%');
        match byte.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

pub(super) fn title(plan: &Plan) -> String {
    plan.title
        .as_ref()
        .map_or_else(String::new, |title| plan::visible_line(&title.text))
}

/// A report's score, from 0 to 100.
pub(super) fn percent(report: &Report) -> Value {
    Value::from((report.score.clamp(0.0, 1.0) * 100.0).round() as u32)
}

/// The state of a step. A ticked step isn't reported as done, because a tick is only a claim.
fn state(task: &Task) -> &'static str {
    match (&task.skipped, task.done) {
        (Some(_), _) => "skipped",
        (None, true) => "ticked",
        (None, false) => "open",
    }
}

fn findings<'f>(found: impl Iterator<Item = &'f Finding>) -> Value {
    let open = found.filter(|finding| finding.muted.is_none());
    let listed = open.take(MAX_FINDINGS).map(|finding| {
        let mut one = json!({
            "id": finding.id,
            "severity": finding.severity.as_str(),
            "message": plan::visible(&finding.message),
        });
        if let Some(task) = &finding.task {
            one["task"] = json!(task.as_str());
        }
        one
    });
    Value::Array(listed.collect())
}

/// The beginning of a text that is too long, at a line break if possible, and whether it was cut.
fn cut(text: &str) -> (&str, bool) {
    if text.len() <= MAX_TEXT {
        return (text, false);
    }
    let mut end = MAX_TEXT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let end = text[..end].rfind('\n').map_or(end, |at| at + 1);
    (&text[..end], true)
}
