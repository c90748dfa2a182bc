//! The window, as used by a person.

use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use desktop::Desktop;
use desktop::wire::{ApproveRequest, EditOutcome, GivenNotes, Reviser, StepNote};

use crate::hook::PATIENCE;
use crate::record::{Moments, hash};
use crate::stage::Stage;

/// How long to wait for an event before checking whether a run has ended.
const LOOK: Duration = Duration::from_millis(20);

/// A plan on screen.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The file's text.
    pub text: String,
    /// The revision that the window shows.
    pub revision: String,
    /// The moment when the person looked.
    pub looked: u64,
}

/// The choices of a person who approves a plan.
#[derive(Debug, Clone, Default)]
pub struct Approving {
    /// Whether to run the plan.
    pub run: bool,
    /// The ID of the last step to approve; `None` for all steps.
    pub upto: Option<String>,
    /// The notes, each with its step's ID.
    pub notes: Vec<(String, String)>,
    /// Whether the run asks for approval before each step.
    pub is_asked: bool,
}

/// The open window.
pub struct Window {
    desktop: Desktop,
    events: Receiver<()>,
}

impl Window {
    /// Opens the window on the project.
    ///
    /// # Errors
    /// If the window can't be opened.
    pub fn open(stage: &Stage) -> Result<Self, String> {
        let (tell, events) = channel();
        let on_event = Box::new(move |_| {
            // Fails while the window is closing.
            let _ = tell.send(());
        });
        let said = |error: workbench::Error| error.message;
        let desktop = Desktop::open(stage.environment(), on_event).map_err(said)?;
        let project = stage.project().display().to_string();
        desktop.open_workspace(&project).map_err(said)?;
        Ok(Self { desktop, events })
    }

    /// Closes the window and simulates the end of its process.
    ///
    /// # Errors
    /// If the data can't be backed up.
    pub fn close(self) -> Result<(), String> {
        self.desktop.close().map_err(|error| error.message)
    }

    /// Shows a plan; `None` if it can't be shown.
    ///
    /// # Errors
    /// If the window shows a different revision from the file's.
    pub fn look(
        &self,
        stage: &Stage,
        plan: &str,
        moments: &Moments,
    ) -> Result<Option<Shown>, String> {
        let looked = moments.next();
        let Ok(outline) = self.desktop.outline(plan, None) else {
            return Ok(None);
        };
        let text = stage.read(plan).unwrap_or_default();
        match hash(&text) == outline.revision {
            true => Ok(Some(Shown {
                text,
                revision: outline.revision,
                looked,
            })),
            false => Err(format!("the window shows another revision of {plan}")),
        }
    }

    /// Approves the plan on screen. Returns the approved revision and the number of agents that got
    /// the decision.
    ///
    /// # Errors
    /// If the approval is refused.
    pub fn approve(
        &self,
        plan: &str,
        shown: &Shown,
        asked: &Approving,
    ) -> Result<(String, u32), String> {
        let said = |error: workbench::Error| error.message;
        let notes: Vec<StepNote> = asked
            .notes
            .iter()
            .map(|(task, text)| StepNote {
                task: task.clone(),
                text: text.clone(),
            })
            .collect();
        let given = match notes.is_empty() {
            true => None,
            false => {
                let preview = self
                    .desktop
                    .preview_notes(plan, &shown.revision, notes.clone());
                let revision = preview.map_err(said)?.revision;
                Some(GivenNotes { notes, revision })
            }
        };
        let approved = self.desktop.approve(ApproveRequest {
            plan: plan.to_owned(),
            revision: shown.revision.clone(),
            run: asked.run,
            upto: asked.upto.clone(),
            policy: Some(if asked.is_asked { "each" } else { "all" }.to_owned()),
            notes: given,
            ..ApproveRequest::default()
        });
        let approved = approved.map_err(said)?;
        if let Some(run) = &approved.run {
            self.wait_for(run)?;
        }
        Ok((approved.revision, approved.told))
    }

    /// Waits until this process is no longer carrying out the run.
    fn wait_for(&self, run: &str) -> Result<(), String> {
        let begun = Instant::now();
        while self.desktop.live_runs().iter().any(|live| live == run) {
            if begun.elapsed() > PATIENCE {
                return Err(format!("run {run} doesn't end"));
            }
            // On a timeout, check again.
            let _ = self.events.recv_timeout(LOOK);
        }
        Ok(())
    }

    /// Requests changes to the plan on screen. Returns the number of agents that got the decision.
    ///
    /// # Errors
    /// If the request is refused.
    pub fn request_changes(&self, plan: &str, shown: &Shown, words: &str) -> Result<u32, String> {
        let requested = self
            .desktop
            .request_changes(plan, &shown.revision, words, Reviser::Model);
        requested.map_err(|error| error.message)
    }

    /// Edits the plan's text. Returns whether the file was written.
    pub fn edit(&self, plan: &str, shown: &Shown, edit: impl FnOnce(&str) -> String) -> bool {
        let Ok(view) = self.desktop.source(plan, Some(&shown.revision)) else {
            return false;
        };
        let saved = self
            .desktop
            .save_text(plan, &shown.revision, &edit(&view.text));
        matches!(saved, Ok(EditOutcome::Written { .. }))
    }

    /// The text of a revision of the plan, as the history shows it.
    pub fn revision(&self, plan: &str, revision: &str) -> Option<String> {
        let view = self.desktop.source(plan, Some(revision));
        view.ok().map(|view| view.text)
    }
}
