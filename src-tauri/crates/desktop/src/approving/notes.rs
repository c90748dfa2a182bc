//! Notes that a person writes under steps when approving; stored verbatim.

use plan::edit::{self, EditError};
use plan::{Revision, TaskId};

use crate::Desktop;
use crate::editing::diff_lines;
use crate::wire::{NotesPreview, StepNote};
use workbench::error::Result;

/// Maximum lines in a preview.
const MAX_LINES: usize = 400;

/// Maximum notes in one approval.
const MAX_NOTES: usize = 100;

impl Desktop {
    /// Previews the plan with notes under its steps. Writes nothing.
    ///
    /// # Errors
    /// Same as [`Desktop::approval`]; [`workbench::Code::Usage`] for a note that can't be written
    /// under its step.
    pub fn preview_notes(
        &self,
        plan: &str,
        revision: &str,
        notes: Vec<StepNote>,
    ) -> Result<NotesPreview> {
        let parsed = self.shared.parsed_at(plan, revision)?;
        let text = with_notes(parsed.text(), &notes)?;
        Ok(NotesPreview {
            revision: Revision::of(text.as_bytes()).as_str().to_owned(),
            diff: diff_lines(parsed.text(), &text, MAX_LINES).0,
        })
    }
}

/// Inserts the notes into the text one by one.
pub(super) fn with_notes(text: &str, notes: &[StepNote]) -> Result<String> {
    if notes.len() > MAX_NOTES {
        return Err(err!(Usage: "more than {MAX_NOTES} notes; edit the steps instead"));
    }
    let mut text = text.to_owned();
    for note in notes {
        let refused =
            |error: EditError| err!(Usage: "couldn't add the note to {}: {error}", note.task);
        let (plan, _) = plan::parse(&text);
        let id = TaskId(note.task.clone());
        let splices = edit::add_note(&text, &plan, &id, &note.text).map_err(refused)?;
        text = edit::apply(&text, &splices).map_err(refused)?.text;
    }
    Ok(text)
}
