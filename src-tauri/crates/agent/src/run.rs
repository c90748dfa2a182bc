//! The machine that carries out one plan: events in, effects out.
//!
//! Submodules: `effect` is what goes in and out, [`state`] folds journal entries, `ready` says which
//! step may start, `next` decides what happens next, `step` carries one step through its stages,
//! `asking` puts questions, `steer` takes what a person says while the run goes on, `open` lists
//! what waits for a person when no process is alive.
//!
//! The machine decides one effect at a time. Notices ([`Effect::Ask`], [`Effect::Progress`],
//! [`Effect::Notice`], [`Effect::Interrupt`]) need no answer; every other effect but [`Effect::End`]
//! is answered by exactly one event.

mod asking;
mod effect;
mod next;
mod open;
mod ready;
pub mod state;
mod steer;
mod step;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use plan::graph::Graph;
use plan::{Plan, Revision, TaskId, coverage};

use crate::answers::Answers;
use crate::journal::{CallOutcome, EndState, Entry, PlanEdit};
use crate::permissions::Rule;
use crate::question::Question;
use state::State;

pub use effect::{Effect, Event, Examined};
pub use open::{open_questions, unknown_outcome};
pub use ready::scope;

/// What a process brings to a run: nothing in it is stored.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The answers at hand.
    pub answers: Answers,
    /// Permission rules in force.
    pub rules: Vec<Rule>,
    /// Whether commands run in a sandbox.
    pub sandboxed: bool,
    /// Whether a model is configured.
    pub has_model: bool,
    /// A reason that lets every step pass that the quality gate blocks.
    pub reason: Option<String>,
}

/// The plan as last read.
#[derive(Debug)]
struct PlanView {
    plan: Plan,
    graph: Graph,
    revision: String,
    fingerprints: BTreeMap<TaskId, String>,
    uncovered: BTreeMap<TaskId, String>,
}

impl PlanView {
    fn read(text: &str, revision: String, covered: &BTreeMap<String, String>) -> Self {
        let (plan, _) = plan::parse(text);
        let graph = Graph::of(&plan);
        let fingerprints = fingerprints(text, &plan);
        let approved = covered
            .iter()
            .map(|(id, print)| (TaskId(id.clone()), coverage::Fingerprint(print.clone())))
            .collect();
        let uncovered = coverage::uncovered(&approved, text, &plan)
            .into_iter()
            .map(|found| (found.task, found.reason.to_string()))
            .collect();
        Self {
            plan,
            graph,
            revision,
            fingerprints,
            uncovered,
        }
    }
}

/// The fingerprint of every step of a plan, as the journal stores them.
pub fn fingerprints(text: &str, plan: &Plan) -> BTreeMap<TaskId, String> {
    coverage::fingerprints(text, plan)
        .into_iter()
        .map(|(id, print)| (id, print.0))
        .collect()
}

/// One run, live.
#[derive(Debug)]
pub struct Machine {
    state: State,
    config: Config,
    view: Option<Arc<PlanView>>,
    /// Whether the plan was read since the last effect that gave others time to change it.
    plan_is_fresh: bool,
    /// Whether nothing at all was done since the plan was read: what an answer that is bound to a
    /// step's text needs.
    plan_was_just_read: bool,
    /// What waits for a person in this process, by task.
    waiting: BTreeMap<String, Question>,
    /// The step that failed in this process, which ends it; older failures are asked about.
    failed_here: Option<String>,
    cancelled: bool,
    /// Whether no further step is to be begun.
    pausing: bool,
    /// What the person wants done with single steps, in the order in which they said so.
    wishes: Vec<steer::Wish>,
    /// The effect whose answer is awaited.
    under_way: Option<Effect>,
    /// Entries recorded and notices due since the last batch of effects.
    out: Vec<Effect>,
}

impl Machine {
    /// Rebuilds a run from its journal. The first entry must be [`Entry::Started`]; a journal
    /// without one yields `None`.
    pub fn replay(entries: &[Entry], config: Config) -> Option<Self> {
        Some(Self {
            state: State::replay(entries)?,
            config,
            view: None,
            plan_is_fresh: false,
            plan_was_just_read: false,
            waiting: BTreeMap::new(),
            failed_here: None,
            cancelled: false,
            pausing: false,
            wishes: Vec::new(),
            under_way: None,
            out: Vec::new(),
        })
    }

    /// The state that the journal so far amounts to.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes one event and answers with the effects to carry out, in order. The last one is the
    /// effect whose answer is awaited, or [`Effect::End`]; after `Cancel` the list may be empty,
    /// when the answer to the effect under way is still to come. What steers (`Answered`, `Pause`,
    /// `Skip`, `Retry`) is answered with entries and notices alone.
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        let Some(event) = self.steer(event) else {
            return std::mem::take(&mut self.out);
        };
        match (event, self.under_way.take()) {
            (Event::Cancel, under_way) => {
                self.cancelled = true;
                self.under_way = under_way;
                if self.under_way.is_some() {
                    return Vec::new();
                }
            }
            (Event::Begin, _) => {}
            (event, Some(effect)) => self.take_answer(event, effect),
            // An answer that nobody waits for changes nothing.
            (_, None) => {}
        }
        // What was prepared is performed at once; everything else is decided anew.
        if self.under_way.is_none() {
            self.advance();
        }
        std::mem::take(&mut self.out)
    }

    fn take_answer(&mut self, event: Event, effect: Effect) {
        match (event, effect) {
            (
                Event::PlanRead {
                    text,
                    revision,
                    written_from,
                },
                _,
            ) => {
                self.take_plan(&text, revision, written_from.as_deref());
            }
            (
                Event::PlanEdited {
                    made_from,
                    text,
                    revision,
                },
                Effect::EditPlan(edit),
            ) => {
                // What somebody else wrote since the plan was read is theirs, not our edit's.
                let found = Revision::of(made_from.as_bytes());
                self.take_plan(&made_from, found.as_str().to_owned(), None);
                self.take_edit(&text, revision, edit);
            }
            (Event::PlanUnusable { message }, _) => self.end(EndState::Failed, message),
            (Event::CheckpointTaken, Effect::TakeCheckpoint { task }) => {
                self.record(Entry::CheckpointTaken { task });
            }
            // Left out meanwhile: it is not even begun.
            (Event::Prepared { .. }, Effect::Prepare { task, .. })
                if self.is_to_be_skipped(&task) => {}
            (Event::Prepared { record }, Effect::Prepare { task, call, tool }) => {
                let line = tool.to_line();
                self.record(Entry::Intended {
                    task: task.clone(),
                    call,
                    line,
                    record,
                });
                self.begin(Effect::Perform { task, call, tool });
            }
            (Event::NotPrepared { reason }, effect) => match effect {
                Effect::Prepare { task, call, tool } => {
                    let tool = tool.tool.as_str().to_owned();
                    let outcome = CallOutcome {
                        tool,
                        summary: reason,
                        ..CallOutcome::default()
                    };
                    self.finish_call(task, call, outcome);
                }
                Effect::TakeCheckpoint { task } => self.fail(task, reason),
                _ => self.end(EndState::Failed, reason),
            },
            (Event::Performed { outcome }, Effect::Perform { task, call, tool }) => {
                let tool = tool.tool.as_str().to_owned();
                self.finish_call(task, call, CallOutcome { tool, ..outcome });
            }
            (Event::Performed { outcome }, Effect::Check { task, check, .. }) => {
                self.finish_check(task, check, outcome);
            }
            (Event::Examined(examined), Effect::Examine { task, call, .. }) => {
                self.take_examined(task, call, examined);
            }
            (Event::Measured { changes }, Effect::Measure { task }) => {
                self.complete(task, changes);
            }
            // The driver answered something else than was asked: stop rather than guess.
            (event, effect) => self.end(
                EndState::Failed,
                format!("internal error: {event:?} does not answer {effect:?}; please report it"),
            ),
        }
    }

    fn take_plan(&mut self, text: &str, revision: String, written_from: Option<&str>) {
        self.plan_is_fresh = true;
        self.plan_was_just_read = true;
        if self
            .view
            .as_ref()
            .is_some_and(|view| view.revision == revision)
        {
            return;
        }
        if self.state.revision != revision {
            // What our own write moved stays covered; what anybody else moved does not.
            let covered = match written_from {
                Some(before) => {
                    let before = fingerprints(before, &plan::parse(before).0);
                    let after = fingerprints(text, &plan::parse(text).0);
                    moved(&self.state.covered, &before, &after)
                }
                None => BTreeMap::new(),
            };
            self.record(Entry::PlanChanged {
                revision: revision.clone(),
                covered,
            });
        }
        let view = PlanView::read(text, revision, &self.state.covered);
        self.view = Some(Arc::new(view));
    }

    fn take_edit(&mut self, text: &str, revision: String, edit: PlanEdit) {
        let (plan, _) = plan::parse(text);
        let after = fingerprints(text, &plan);
        let covered = match &self.view {
            Some(view) => moved(&self.state.covered, &view.fingerprints, &after),
            None => BTreeMap::new(),
        };
        self.record(Entry::PlanEdited {
            edit,
            revision: revision.clone(),
            covered,
        });
        let view = PlanView::read(text, revision, &self.state.covered);
        self.view = Some(Arc::new(view));
        self.plan_was_just_read = true;
    }

    /// Applies an entry and puts it into the journal effect that precedes whatever comes next.
    fn record(&mut self, entry: Entry) {
        self.state.apply(&entry);
        match self.out.last_mut() {
            Some(Effect::Journal(entries)) => entries.push(entry),
            _ => self.out.push(Effect::Journal(vec![entry])),
        }
    }

    /// Starts an effect whose answer is awaited.
    fn begin(&mut self, effect: Effect) {
        self.plan_was_just_read = false;
        self.under_way = Some(effect.clone());
        self.out.push(effect);
    }

    fn end(&mut self, state: EndState, message: String) {
        self.record(Entry::Ended { state, message });
    }
}

/// The fingerprints that an edit of ours moved, of steps that were covered just before it.
fn moved(
    covered: &BTreeMap<String, String>,
    before: &BTreeMap<TaskId, String>,
    after: &BTreeMap<TaskId, String>,
) -> BTreeMap<String, String> {
    after
        .iter()
        .filter(|(id, print)| {
            let approved = covered.get(id.as_str());
            approved.is_some() && approved == before.get(*id) && approved != Some(*print)
        })
        .map(|(id, print)| (id.0.clone(), print.clone()))
        .collect()
}
