//! Expanding a plan: running the loop, previewing the chosen changes, and applying them as one undo
//! step.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use adequacy::expansion::{Change, Outcome, accept};

use super::standing;
use crate::document::ParsedPlan;
use crate::editing::diff_lines;
use crate::wire::{
    DesktopEvent, EditOutcome, ExpansionChange, ExpansionPreview, ExpansionRound, ExpansionView,
};
use crate::{Desktop, Shared, lock};
use workbench::error::{Error, Result};
use workbench::expansion::{LABEL, apply_changes, forced, grow};
use workbench::settings::Settings;
use workbench::telemetry::Session;

/// Maximum lines in a preview, and in one change.
const MAX_LINES: usize = 400;

/// Maximum outcomes to keep, so that a preview doesn't run the loop again.
const KEPT: usize = 4;

/// Recent outcomes, and the loops that are running.
#[derive(Default)]
pub(crate) struct Expansions {
    kept: Mutex<VecDeque<Kept>>,
    running: Mutex<HashMap<String, Arc<AtomicBool>>>,
}

/// The outcome of expanding one revision.
#[derive(Clone)]
struct Kept {
    of: Arc<ParsedPlan>,
    settings: Arc<Settings>,
    outcome: Arc<Outcome>,
    /// The expansion's session in the database.
    session: String,
}

impl Kept {
    fn session(&self) -> Session<'_> {
        Session {
            key: &self.of.key,
            revision: self.of.revision().as_str(),
            strategy: "expansion",
            route: None,
            first_cap: None,
            before: &self.of.plan,
            outcome: &self.outcome,
            settings: &self.settings,
        }
    }
}

impl Desktop {
    /// Expands a plan in bounded rounds, without a model. Writes nothing.
    /// [`Desktop::cancel_expansion`] stops it early.
    ///
    /// # Errors
    /// Same as [`Desktop::outline`]; [`workbench::Code::Cancelled`].
    pub fn expand(&self, plan: &str, revision: &str) -> Result<ExpansionView> {
        let kept = self.shared.expanded(plan, revision)?;
        let (of, outcome) = (&kept.of, &kept.outcome);
        let changes = outcome.changes.iter();
        Ok(ExpansionView {
            plan: of.key.clone(),
            revision: of.revision().as_str().to_owned(),
            stopped_because: outcome.stop_reason.sentence().to_owned(),
            before: standing(&outcome.before),
            after: standing(&outcome.after),
            improved: outcome.adequacy_improved_heuristic,
            rounds: outcome
                .rounds
                .iter()
                .map(|round| ExpansionRound {
                    number: round.number,
                    is_accepted: round.is_accepted,
                    message: round.message.clone(),
                    before: standing(&round.before),
                    after: standing(&round.after),
                })
                .collect(),
            changes: changes
                .map(|one| change(of, &outcome.changes, one))
                .collect::<Result<_>>()?,
        })
    }

    /// Stops a running expansion, which then writes nothing. Does nothing if it has ended.
    pub fn cancel_expansion(&self, plan: &str) -> Result<()> {
        if let Some(stop) = lock(&self.shared.expansions.running).get(plan) {
            stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Previews the plan with the chosen changes and those they require.
    ///
    /// # Errors
    /// Same as [`Desktop::expand`]; [`workbench::Code::Usage`] for an unknown change.
    pub fn preview_expansion(
        &self,
        plan: &str,
        revision: &str,
        chosen: &[String],
    ) -> Result<ExpansionPreview> {
        let Kept { of, outcome, .. } = self.shared.expanded(plan, revision)?;
        let (text, after, stands) =
            apply_changes(of.text(), &of.plan, &outcome, chosen, &of.facts)?;
        Ok(ExpansionPreview {
            diff: diff_lines(of.text(), &text, MAX_LINES).0,
            tasks: u32::try_from(after.tasks.len()).unwrap_or(u32::MAX),
            after: standing(&stands),
        })
    }

    /// Applies the chosen changes and those they require, as one undo step. Changes made by others
    /// since are merged.
    ///
    /// # Errors
    /// Same as [`Desktop::preview_expansion`] and [`Desktop::edit`].
    pub fn apply_expansion(
        &self,
        plan: &str,
        revision: &str,
        chosen: &[String],
    ) -> Result<EditOutcome> {
        let kept = self.shared.expanded(plan, revision)?;
        let of = &kept.of;
        let (ours, after, stands) =
            apply_changes(of.text(), &of.plan, &kept.outcome, chosen, &of.facts)?;
        let written = self.shared.write_merged(of, &ours, LABEL)?;
        if matches!(written, EditOutcome::Written { .. }) {
            let workbench = self.shared.workbench();
            let session = kept.session();
            let accepted = chosen.len();
            workbench.keep_accepted(&session, &kept.session, accepted, (&after, &stands))?;
            drop(workbench);
            self.shared.events.send(DesktopEvent::Insights);
        }
        Ok(written)
    }
}

impl Shared {
    /// The outcome of expanding a revision; runs the loop unless the outcome is known.
    fn expanded(&self, plan: &str, revision: &str) -> Result<Kept> {
        let of = self.parsed_at(plan, revision)?;
        let settings = Arc::new(self.settings_around(&of)?);
        let known = |kept: &&Kept| Arc::ptr_eq(&kept.of, &of) && kept.settings == settings;
        if let Some(kept) = lock(&self.expansions.kept).iter().find(known) {
            return Ok(kept.clone());
        }
        let stop = Arc::new(AtomicBool::new(false));
        lock(&self.expansions.running).insert(plan.to_owned(), Arc::clone(&stop));
        let bounds = forced(&settings.expansion);
        let is_cancelled = || stop.load(Ordering::Relaxed);
        let outcome = grow(of.text(), Arc::clone(&of.facts), &bounds, &is_cancelled);
        lock(&self.expansions.running).remove(plan);
        let mut kept = Kept {
            of,
            settings,
            outcome: Arc::new(outcome?),
            session: String::new(),
        };
        kept.session = self.workbench().keep_session(&kept.session())?;
        self.events.send(DesktopEvent::Insights);
        let mut all = lock(&self.expansions.kept);
        all.push_front(kept.clone());
        all.truncate(KEPT);
        Ok(kept)
    }

    fn settings_around(&self, of: &ParsedPlan) -> Result<Settings> {
        let workbench = self.workbench();
        let located = self.locate(&workbench, &of.key)?;
        let workspace = workbench.open_workspace(&located.root)?;
        Ok(workbench.settings_for(Some(&workspace)).0)
    }
}

/// Converts one change, with its own diff.
fn change(of: &ParsedPlan, all: &[Change], one: &Change) -> Result<ExpansionChange> {
    let made = |chosen: &[String]| {
        accept(of.text(), &of.plan, all, chosen)
            .map_err(|error| Error::from_cause(workbench::Code::Usage, error))
    };
    let before = made(&one.needs)?;
    let with = [one.needs.as_slice(), std::slice::from_ref(&one.id)].concat();
    let after = made(&with)?;
    Ok(ExpansionChange {
        change: one.clone(),
        diff: diff_lines(&before, &after, MAX_LINES).0,
    })
}
