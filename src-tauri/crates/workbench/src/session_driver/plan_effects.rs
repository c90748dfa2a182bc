//! Reading, checking and writing the plan file during a session.

use std::sync::Arc;

use adequacy::{Report, WorkspaceFacts};
use agent::session::call::PlanTarget;
use agent::session::machine::{EditedPlan, Event, PlanFound, PlanNow, Standing, WrittenPlan};
use agent::session::plan_edit;
use gate::{Bearer, Permit};
use plan::edit;
use serde_json::json;
use store::Author;
use tools::checkpoint::unified;

use super::SessionDriver;
use crate::approval::revision_text;
use crate::error::{Code, Result};
use crate::plan_file::{Content, Reader, WRITE_ATTEMPTS, Writer, busy};
use crate::wire::SessionEvent;
use crate::{checking, expansion, ids, telemetry};

/// The reason recorded for a revision that a model wrote.
const REVISION_REASON: &str = "written by the model";

/// Maximum number of bytes of a diff stored for display.
const MAX_DIFF_BYTES: usize = 16 * 1024;

impl SessionDriver<'_> {
    /// The plan's current content; `None` if there is no file. The error says why an existing file
    /// can't be read.
    pub(super) fn plan_now(&self) -> Result<Option<Content>> {
        if !self.is_there() {
            return Ok(None);
        }
        let now = self.bench.clock.now_ms();
        let reader = Reader::new(&self.workspace, &self.file, &self.bench.store, now);
        Ok(Some(reader.read()?.content))
    }

    /// Whether the plan file exists. If that can't be determined, it counts as existing.
    fn is_there(&self) -> bool {
        let found = self.file.path.symlink_metadata();
        !matches!(found, Err(error) if error.kind() == std::io::ErrorKind::NotFound)
    }

    /// Reads the plan for the machine, and remembers its revision.
    fn found(&mut self) -> PlanFound {
        let content = match self.plan_now() {
            Ok(Some(content)) => content,
            Ok(None) => return PlanFound::Missing,
            Err(error) => {
                return PlanFound::Unreadable {
                    reason: error.message,
                };
            }
        };
        let revision = content.revision.as_str().to_owned();
        self.seen = Some(revision.clone());
        PlanFound::There(PlanNow {
            path: self.file.relative.clone(),
            revision,
            text: content.text,
        })
    }

    fn known_text(&self, known: Option<&str>) -> Option<String> {
        revision_text(&self.bench.store, known?).ok()
    }

    pub(super) fn read_plan(&mut self, known: Option<&str>) -> Result<Event> {
        let found = self.found();
        let is_the_known =
            matches!(&found, PlanFound::There(now) if Some(now.revision.as_str()) == known);
        let known_text = known.filter(|_| !is_the_known);
        Ok(Event::PlanRead {
            found,
            known_text: self.known_text(known_text),
        })
    }

    /// Checks the plan to be proposed, after expanding it if the settings ask for that.
    pub(super) fn check_plan(&mut self, id: String, before: Option<&str>) -> Result<Event> {
        self.grow_plan()?;
        let found = self.found();
        let standing = match &found {
            PlanFound::There(now) if !now.text.trim().is_empty() => {
                let content = Content::of(now.text.clone());
                let report = self.judge(&content);
                self.store_report(&content, &report)?;
                Some(Standing::of(&report))
            }
            _ => None,
        };
        Ok(Event::PlanChecked {
            id,
            found,
            standing,
            before: self.known_text(before),
        })
    }

    /// Expands the plan by rules, within the limits of the settings.
    fn grow_plan(&mut self) -> Result<()> {
        self.grown = None;
        // A read error is reported by the check.
        let Ok(Some(content)) = self.plan_now() else {
            return Ok(());
        };
        let (before, _) = plan::parse(&content.text);
        if before.tasks.is_empty() {
            return Ok(());
        }
        let (facts, bounds) = (self.facts(), &self.settings.expansion);
        let cancel = self.cancel.clone();
        let outcome = match expansion::grow(&content.text, facts, bounds, &|| cancel.is_cancelled())
        {
            Err(error) if error.code == Code::Cancelled => return Ok(()),
            outcome => outcome?,
        };
        if !outcome.changes.is_empty() {
            let writer = Writer {
                workspace: &self.workspace,
                file: &self.file,
                store: &self.bench.store,
                now: self.bench.clock.now_ms(),
                author: Author::App,
                permit: self.file.permit(Bearer::App),
                reason: expansion::LABEL,
            };
            // If someone else wrote the file, it is checked as it is.
            let Some(after) = writer.replace(&content, Content::of(outcome.text.clone()))? else {
                return Ok(());
            };
            (self.sink)(SessionEvent::Plan {
                path: self.file.relative.clone(),
                revision: after.revision.as_str().to_owned(),
            });
        }
        self.grown = Some((before, outcome));
        Ok(())
    }

    pub(super) fn edit_plan(
        &mut self,
        id: String,
        (target, new_text): (&PlanTarget, &str),
        known: Option<&str>,
        permit: &Permit,
    ) -> Result<Event> {
        let edited = match self.write_plan(target, new_text, permit) {
            Ok(Ok((before, after))) => {
                let report = self.judge(&after);
                let revision = after.revision.as_str().to_owned();
                self.seen = Some(revision.clone());
                let made_from = before.as_ref().map(|before| before.text.clone());
                let made_from = made_from.unwrap_or_default();
                let mut diff = unified(
                    &self.file.relative,
                    before.as_ref().map(|before| before.text.as_bytes()),
                    Some(after.text.as_bytes()),
                );
                shorten(&mut diff);
                (self.sink)(SessionEvent::Plan {
                    path: self.file.relative.clone(),
                    revision: revision.clone(),
                });
                let made_from_revision = before.map(|before| before.revision.as_str().to_owned());
                let is_from_known = known.is_some() && made_from_revision.as_deref() == known;
                EditedPlan::Done(Box::new(WrittenPlan {
                    made_from,
                    made_from_revision,
                    text: after.text,
                    revision,
                    standing: Standing::of(&report),
                    known_text: self.known_text(known.filter(|_| !is_from_known)),
                    screen: Some(json!({ "diff": diff })),
                }))
            }
            Ok(Err(refused)) => EditedPlan::Refused {
                message: refused.to_string(),
            },
            // A full disk or read-only folder: the model can't fix that, but can tell the person.
            Err(error) if error.code != Code::Storage => EditedPlan::Refused {
                message: format!("Couldn't write the plan file: {}", error.message),
            },
            Err(error) => return Err(error),
        };
        Ok(Event::PlanEdited { id, edited })
    }

    /// Writes an edit, recomputing it if others write at the same time.
    fn write_plan(
        &self,
        target: &PlanTarget,
        new_text: &str,
        permit: &Permit,
    ) -> Result<std::result::Result<(Option<Content>, Content), plan_edit::PlanEditError>> {
        let bench = self.bench;
        let now = bench.clock.now_ms();
        for _ in 0..WRITE_ATTEMPTS {
            let before = self.plan_now()?;
            let text = before.as_ref().map(|before| before.text.as_str());
            let after = match plan_edit::apply(text, target, new_text) {
                Ok(edited) => edited.text,
                Err(refused) => return Ok(Err(refused)),
            };
            let after = match target {
                PlanTarget::New => match self.begun(&after) {
                    Ok(text) => text,
                    Err(refused) => return Ok(Err(refused.into())),
                },
                _ => after,
            };
            let after = Content::of(after);
            let writer = Writer {
                workspace: &self.workspace,
                file: &self.file,
                store: &bench.store,
                now,
                author: Author::Model,
                permit: permit.clone(),
                reason: REVISION_REASON,
            };
            match &before {
                Some(before) => {
                    if let Some(after) = writer.replace(before, after)? {
                        return Ok(Ok((Some(before.clone()), after)));
                    }
                }
                None => {
                    if writer.create(&after, None)? {
                        return Ok(Ok((None, after)));
                    }
                }
            }
        }
        Err(busy(&self.file))
    }

    /// Adds front matter to the text of a new plan: a new ID and the goal.
    fn begun(&self, text: &str) -> std::result::Result<String, edit::EditError> {
        let suffix = ids::random(4).unwrap_or_default();
        let stem = self
            .file
            .path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        let id = format!("{stem}-{suffix}");
        let (plan, _) = plan::parse(text);
        let splices = edit::begin(text, &plan, &id, &self.row.goal)?;
        Ok(edit::apply(text, &splices)?.text)
    }

    /// Checks content against the facts of the workspace.
    fn judge(&mut self, content: &Content) -> Report {
        let facts = self.facts();
        let (plan, problems) = plan::parse(&content.text);
        let key = self.file.key();
        let facts = self
            .bench
            .facts_of_plan(&self.workspace, &facts, &key, &plan);
        checking::report(&plan, &problems, &facts)
    }

    fn facts(&mut self) -> Arc<WorkspaceFacts> {
        let soon = self.pending_facts.take();
        let facts = self.facts.take().unwrap_or_else(|| {
            let gathered = soon.and_then(|soon| soon.join().ok());
            let now = || self.bench.facts_around(&self.workspace, &self.settings);
            Arc::new(gathered.unwrap_or_else(now))
        });
        self.facts = Some(Arc::clone(&facts));
        facts
    }

    fn store_report(&self, content: &Content, report: &Report) -> Result<()> {
        let (plan, _) = plan::parse(&content.text);
        let judged = telemetry::judged(&self.file.key(), &content.revision, &plan, report);
        telemetry::keep_judged(&self.bench.store, &[judged])?;
        Ok(())
    }
}

/// Truncates a diff to whole lines.
fn shorten(diff: &mut String) {
    if diff.len() <= MAX_DIFF_BYTES {
        return;
    }
    let mut at = MAX_DIFF_BYTES;
    while !diff.is_char_boundary(at) {
        at -= 1;
    }
    let end = diff[..at].rfind('\n').map_or(at, |at| at + 1);
    diff.truncate(end);
    diff.push_str("…\n");
}
