//! Facts about workspaces whose plans are on screen: gathered on a background thread, cached, and
//! refreshed by age.
//!
//! A plan is scored immediately with the cached facts, at first none. If newer facts change the
//! report, the plan's event is sent again with the same revision. Equal facts share the same
//! [`Arc`], so each revision is scored once per state of its workspace. The thread also stores the
//! scores of revisions in batches, for Insights.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use adequacy::WorkspaceFacts;
use store::Judged;
use tools::Workspace;

use crate::document::ParsedPlan;
use crate::wire::DesktopEvent;
use crate::{Shared, lock};
use workbench::error::{Code, Error, Result};
use workbench::{Workbench, plan_file, telemetry};

/// Minimum time for which facts stay fresh, used while somebody works on the plan.
const FRESH: Duration = Duration::from_secs(5);

/// Facts that were slow to gather stay fresh longer: this many times the time it took.
const REST: u32 = 20;

/// How often facts are refreshed for plans that are merely on screen.
const IDLE: Duration = Duration::from_secs(15);

/// Scores are written once no new one has arrived for this long.
const QUIET: Duration = Duration::from_millis(200);

/// Scores are written as soon as this many are pending.
const MAX_AT_ONCE: usize = 256;

/// Maximum plans to keep facts for.
const MAX_PLANS: usize = 2_000;

/// The cached facts, and the channel to the thread that gathers them.
#[derive(Default)]
pub(crate) struct Facts {
    known: Mutex<Known>,
    asks: Mutex<Option<Sender<Ask>>>,
}

#[derive(Default)]
struct Known {
    plans: HashMap<String, OfPlan>,
    /// Plans whose facts are being gathered.
    asked: HashSet<String>,
}

struct OfPlan {
    facts: Arc<WorkspaceFacts>,
    fresh_until: Instant,
}

enum Ask {
    /// Gather the facts of the plan with this key, because they may be outdated.
    Gather(String),
    /// Store the scores of this revision.
    Judged(Box<Judged>),
}

impl Facts {
    /// The cached facts for a plan. Requests new ones if they are outdated.
    fn of(&self, plan: &str) -> Arc<WorkspaceFacts> {
        let mut known = lock(&self.known);
        let (facts, is_fresh) = match known.plans.get(plan) {
            Some(of) => (Arc::clone(&of.facts), Instant::now() < of.fresh_until),
            None => (Arc::default(), false),
        };
        if known.plans.len() > MAX_PLANS {
            known.plans.clear();
        }
        // Caches empty facts too, so that every call returns the same `Arc`.
        known
            .plans
            .entry(plan.to_owned())
            .or_insert_with(|| OfPlan {
                facts: Arc::clone(&facts),
                fresh_until: Instant::now(),
            });
        let is_news = !is_fresh && known.asked.insert(plan.to_owned());
        drop(known);
        if is_news {
            self.ask(Ask::Gather(plan.to_owned()));
        }
        facts
    }

    fn ask(&self, ask: Ask) {
        if let Some(asks) = &*lock(&self.asks) {
            // Fails only while the windows are closing.
            let _ = asks.send(ask);
        }
    }
}

impl Shared {
    /// The cached facts for a plan, which may be outdated; doesn't block.
    pub(crate) fn facts_of(&self, plan: &str) -> Arc<WorkspaceFacts> {
        self.facts.of(plan)
    }

    /// Stores how a revision was scored, on the background thread.
    pub(crate) fn judged(&self, parsed: &ParsedPlan) {
        let judged =
            telemetry::judged(&parsed.key, parsed.revision(), &parsed.plan, &parsed.report);
        self.facts.ask(Ask::Judged(Box::new(judged)));
    }

    /// Starts the background thread. Fails with [`Code::Failed`] if it can't be started.
    pub(crate) fn start_gathering(self: &Arc<Self>) -> Result<()> {
        let (asks, inbox) = mpsc::channel();
        *lock(&self.facts.asks) = Some(asks);
        let shared = Arc::downgrade(self);
        std::thread::Builder::new()
            .name("workspace facts".to_owned())
            .spawn(move || attend(&shared, &inbox))
            .map_err(|error| Error::from_cause(Code::Failed, error))?;
        Ok(())
    }
}

/// Serves requests until all senders are gone.
fn attend(shared: &Weak<Shared>, inbox: &Receiver<Ask>) {
    let mut gathering = Gathering::default();
    let mut judged: Vec<Judged> = Vec::new();
    loop {
        let patience = match judged.is_empty() {
            true => IDLE,
            false => QUIET,
        };
        let ask = inbox.recv_timeout(patience);
        let Some(shared) = shared.upgrade() else {
            return;
        };
        match ask {
            Ok(Ask::Gather(plan)) => gathering.gather(&shared, &plan),
            Ok(Ask::Judged(one)) => {
                judged.retain(|other| (&other.plan, &other.revision) != (&one.plan, &one.revision));
                judged.push(*one);
                if judged.len() >= MAX_AT_ONCE {
                    gathering.write_down(&shared, &mut judged);
                }
            }
            Err(RecvTimeoutError::Timeout) if !judged.is_empty() => {
                gathering.write_down(&shared, &mut judged);
            }
            Err(RecvTimeoutError::Timeout) => {
                let plans = lock(&shared.parsed).keys();
                plans.iter().for_each(|plan| drop(shared.facts_of(plan)));
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// State of the thread that gathers facts.
#[derive(Default)]
struct Gathering {
    /// The thread's own database connection, opened on first use.
    bench: Option<Workbench>,
    around: HashMap<PathBuf, Around>,
}

/// The facts about one workspace.
struct Around {
    facts: Arc<WorkspaceFacts>,
    at: Instant,
    took: Duration,
}

impl Around {
    fn fresh_for(&self) -> Duration {
        FRESH.max(self.took * REST)
    }
}

impl Gathering {
    fn bench(&mut self, shared: &Shared) -> Result<&Workbench> {
        if self.bench.is_none() {
            self.bench = Some(shared.workbench().again()?);
        }
        self.bench
            .as_ref()
            .ok_or_else(|| err!(Storage: "the database is not open"))
    }

    fn gather(&mut self, shared: &Shared, plan: &str) {
        let began = Instant::now();
        let (facts, fresh_for) = match self.facts_of(shared, plan) {
            Ok(Some(found)) => found,
            Ok(None) => (Arc::default(), IDLE),
            Err(error) => {
                tracing::info!(%error, plan, "couldn't gather facts about a plan's workspace");
                (Arc::default(), IDLE)
            }
        };
        let fresh_until = Instant::now() + fresh_for.max(began.elapsed() * REST);
        let before = lock(&shared.parsed).newest_of(plan);
        let is_news = {
            let mut known = lock(&shared.facts.known);
            known.asked.remove(plan);
            match known.plans.get_mut(plan) {
                Some(of) if *of.facts == *facts => {
                    of.fresh_until = fresh_until;
                    false
                }
                _ => {
                    let facts = Arc::clone(&facts);
                    let of = OfPlan { facts, fresh_until };
                    known.plans.insert(plan.to_owned(), of);
                    true
                }
            }
        };
        if is_news {
            self.judge_again(shared, plan, &facts, before.as_deref());
        }
    }

    /// The facts for a plan, and how long gathering them took; `None` for a plan outside any
    /// workspace.
    fn facts_of(
        &mut self,
        shared: &Shared,
        plan: &str,
    ) -> Result<Option<(Arc<WorkspaceFacts>, Duration)>> {
        let path = Path::new(plan);
        let opened = shared.workspace_around(path);
        let bench = self.bench(shared)?;
        let (user, _) = bench.settings_for(None);
        let own = || plan_file::own_workspace_of(path, &user.plan_folder);
        let Some(root) = opened.or_else(own).filter(|root| root.is_dir()) else {
            return Ok(None);
        };
        let workspace = bench.open_workspace(&root)?;
        let (around, fresh_for) = self.around(shared, &workspace)?;
        let parsed = lock(&shared.parsed).newest_of(plan);
        let bench = self.bench(shared)?;
        let facts = match parsed {
            Some(parsed) => bench.facts_of_plan(&workspace, &around, plan, &parsed.plan),
            None => {
                let content = plan_file::read_anywhere(path)?;
                let (parsed, _) = plan::parse(&content.text);
                bench.facts_of_plan(&workspace, &around, plan, &parsed)
            }
        };
        Ok(Some((facts, fresh_for)))
    }

    fn around(
        &mut self,
        shared: &Shared,
        workspace: &Workspace,
    ) -> Result<(Arc<WorkspaceFacts>, Duration)> {
        let root = workspace.path();
        if let Some(around) = self.around.get(root)
            && around.at.elapsed() < around.fresh_for()
        {
            return Ok((Arc::clone(&around.facts), around.fresh_for()));
        }
        let began = Instant::now();
        let bench = self.bench(shared)?;
        let (settings, _) = bench.settings_for(Some(workspace));
        let facts = bench.facts_around(workspace, &settings);
        let facts = match self.around.get(root) {
            Some(before) if *before.facts == facts => Arc::clone(&before.facts),
            _ => Arc::new(facts),
        };
        let around = Around {
            facts: Arc::clone(&facts),
            at: Instant::now(),
            took: began.elapsed(),
        };
        let fresh_for = around.fresh_for();
        self.around.insert(root.to_owned(), around);
        Ok((facts, fresh_for))
    }

    /// Rescores the cached revisions of a plan with new facts, and announces the plan if a report
    /// changed.
    fn judge_again(
        &mut self,
        shared: &Shared,
        plan: &str,
        facts: &Arc<WorkspaceFacts>,
        before: Option<&ParsedPlan>,
    ) {
        let was_listed = lock(&shared.parsed).forget_digest(plan);
        let mut is_news = was_listed;
        // Repeat, because a request may meanwhile add a revision scored with the old facts.
        loop {
            let old = lock(&shared.parsed).judged_otherwise(plan, facts);
            let Some(old) = old else { break };
            let new = ParsedPlan::new(plan, old.content.clone(), Arc::clone(facts));
            let new = Arc::new(new);
            is_news |= new.report != old.report;
            lock(&shared.parsed).replace(&old, &new);
            shared.judged(&new);
        }
        // A recent request may have rescored the plan before this thread did; the other windows
        // haven't been notified.
        let now = lock(&shared.parsed).newest_of(plan);
        is_news |= before
            .zip(now)
            .is_some_and(|(before, now)| before.report != now.report);
        if !is_news {
            return;
        }
        let latest = self
            .bench(shared)
            .and_then(|bench| Ok(bench.store.revisions().latest(plan)?));
        match latest {
            Ok(Some(latest)) => shared.events.send(DesktopEvent::Plan {
                plan: plan.to_owned(),
                revision: Some(latest.hash),
                author: "app".to_owned(),
            }),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "couldn't announce a plan's new score"),
        }
        if let Some(workspace) = shared.workspace_around(Path::new(plan)) {
            shared.plans_changed(&workspace);
        }
    }

    fn write_down(&mut self, shared: &Shared, judged: &mut Vec<Judged>) {
        let kept = self
            .bench(shared)
            .and_then(|bench| telemetry::keep_judged(&bench.store, judged));
        judged.clear();
        match kept {
            Ok(true) => shared.events.send(DesktopEvent::Insights),
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "couldn't save the scores of plans"),
        }
    }
}

#[cfg(test)]
mod tests;
