//! A plan's source text: reading it, checking it while the user types, and saving it.
//!
//! The editor uses line feeds only. The file's own line endings and byte-order mark are kept
//! separately (`endings`) and restored on save. Invalid UTF-8 is shown as replacement characters
//! and never written. Submodule `marks` reports how a text would be read as a plan.

mod endings;
pub(super) mod marks;

use std::collections::BTreeSet;
use std::path::Path;

use plan::Revision;
use plan::source::{self, SourceError};
use planning::project::commands;
use tools::documents;

use crate::Desktop;
use crate::document::{Located, ParsedPlan};
use crate::editing::{fix_of, refused};
use crate::wire::{EditOutcome, SourceView, TextFix, TextReport};
use workbench::error::{Code, Error, Result};
use workbench::facts;
use workbench::plan_file::Content;

impl Desktop {
    /// The source of a plan, now or at a revision. A file that isn't valid text is shown with
    /// replacement characters and can't be edited.
    ///
    /// # Errors
    /// Same as [`Desktop::outline`]; [`Code::UnusablePlan`] for a file that is too large.
    pub fn source(&self, plan: &str, revision: Option<&str>) -> Result<SourceView> {
        let (located, parsed) = match revision {
            Some(revision) => {
                let located = self.shared.locate(&self.shared.workbench(), plan)?;
                (located, self.shared.parsed_at(plan, revision)?)
            }
            None => match self.shared.parsed_now(plan) {
                Ok(now) => now,
                Err(error) if error.code == Code::UnusablePlan => {
                    return self.broken_source(plan).unwrap_or(Err(error));
                }
                Err(error) => return Err(error),
            },
        };
        let (text, ending) = endings::shown(parsed.text());
        let problem = located.refusal();
        Ok(SourceView {
            revision: parsed.revision().as_str().to_owned(),
            text,
            line_ending: ending.as_str().to_owned(),
            is_writable: problem.is_none(),
            problem,
        })
    }

    /// A file that exists and is small enough but isn't valid text; `None` for any other.
    fn broken_source(&self, plan: &str) -> Option<Result<SourceView>> {
        let bytes = {
            let workbench = self.shared.workbench();
            let Located { root, file, .. } = self.shared.locate(&workbench, plan).ok()?;
            let workspace = workbench.open_workspace(&root).ok()?;
            documents::read(&workspace, &file.relative, source::LIMIT).ok()?
        };
        let problem = match source::decode(&bytes) {
            Err(error @ (SourceError::NotUtf8 { .. } | SourceError::Binary { .. })) => error,
            Err(SourceError::TooLarge { .. }) | Ok(_) => return None,
        };
        let text = String::from_utf8_lossy(&bytes).replace('\0', "\u{fffd}");
        let (text, ending) = endings::shown(&text);
        Some(Ok(SourceView {
            revision: Revision::of(&bytes).as_str().to_owned(),
            text,
            line_ending: ending.as_str().to_owned(),
            is_writable: false,
            problem: Some(format!(
                "{problem}. Unreadable characters are shown as \u{fffd}; the file can't be edited here"
            )),
        }))
    }

    /// Reports how a text would be read as a plan. Nothing is stored.
    ///
    /// # Errors
    /// [`Code::Usage`] for a text that is too large.
    pub fn check_text(&self, plan: &str, text: &str) -> Result<TextReport> {
        let bytes = text.as_bytes();
        if bytes.len() as u64 > source::LIMIT {
            let bytes = bytes.len() as u64;
            let error = SourceError::TooLarge { bytes };
            return Err(Error::from_cause(Code::Usage, error));
        }
        let content = Content::of(text.to_owned());
        let facts = self.shared.facts_of(plan);
        Ok(marks::report(&ParsedPlan::new(plan, content, facts)))
    }

    /// The fix at index `option` for a finding of [`Desktop::check_text`], as replacements in that
    /// text.
    ///
    /// # Errors
    /// [`Code::Usage`] if the text has no such finding, or the finding no such fix.
    pub fn text_fix(&self, plan: &str, text: &str, finding: &str, option: u32) -> Result<TextFix> {
        let content = Content::of(text.to_owned());
        let parsed = ParsedPlan::new(plan, content, self.shared.facts_of(plan));
        let fix = fix_of(&parsed, finding, option)?;
        let after = fix.made_on(text, &parsed.plan).map_err(refused)?;
        Ok(marks::fix_of(&fix.label, text, &after))
    }

    /// Saves a text based on a revision, as one undo step. Changes made by others since are merged.
    pub fn save_text(&self, plan: &str, revision: &str, text: &str) -> Result<EditOutcome> {
        if text.contains('\0') {
            return Err(err!(Usage:
                "the text contains a NUL character; remove it and save again"));
        }
        let base = self.shared.parsed_at(plan, revision)?;
        let ours = endings::restored(base.text(), text, base.plan.line_ending);
        self.shared.write_merged(&base, &ours, "Edit the source")
    }

    /// Commands known in the workspace, most common first: from its settings, from its manifests,
    /// and from checks in its plans. At most 300.
    ///
    /// # Errors
    /// [`Code::Workspace`] if the folder can't be read.
    pub fn known_commands(&self, workspace: &str) -> Result<Vec<String>> {
        let files = self.shared.files(workspace)?;
        let paths: BTreeSet<String> = files.iter().cloned().collect();
        let (opened, of_settings) = {
            let workbench = self.shared.workbench();
            let opened = workbench.open_workspace(Path::new(workspace))?;
            let (settings, _) = workbench.settings_for(Some(&opened));
            (opened, settings.verify_commands)
        };
        let texts = facts::manifests(&opened, &paths);
        let in_use = self.shared.checks_in_use(workspace)?;
        Ok(commands::known(&paths, &texts, of_settings, in_use))
    }
}
