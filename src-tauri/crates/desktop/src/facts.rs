//! What is known of the workspaces while windows show their plans: gathered on a thread of its own,
//! kept for a while, gathered again by age.
//!
//! A plan is judged at once with what is at hand, at first with nothing. When more is known and the
//! report changes by it, the plan's event is sent again, with the same revision. The same facts are
//! the same [`Arc`], so that a plan is judged once for each revision and each state of its workspace.
//! The thread also keeps how revisions were judged, some at a time, for the Insights.

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

/// Facts serve for so long while somebody works on the plan,
const FRESH: Duration = Duration::from_secs(5);

/// and for so many times the time that gathering them took.
const REST: u32 = 20;

/// How often plans that only stand on the screen are looked after.
const IDLE: Duration = Duration::from_secs(15);

/// Judgements are written when none came for so long.
const QUIET: Duration = Duration::from_millis(200);

/// Judgements that are written at once at most.
const MAX_AT_ONCE: usize = 256;

/// Plans whose facts are kept.
const MAX_PLANS: usize = 2_000;

/// What is known, and who gathers it.
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
    /// The facts of a plan may be old.
    Gather(String),
    /// A revision was judged.
    Judged(Box<Judged>),
}

impl Facts {
    /// What is at hand for a plan. What is old is gathered again meanwhile.
    fn of(&self, plan: &str) -> Arc<WorkspaceFacts> {
        let mut known = lock(&self.known);
        let (facts, is_fresh) = match known.plans.get(plan) {
            Some(of) => (Arc::clone(&of.facts), Instant::now() < of.fresh_until),
            None => (Arc::default(), false),
        };
        if known.plans.len() > MAX_PLANS {
            known.plans.clear();
        }
        // Nothing is known: that is kept too, so that it is the same every time.
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
            // Fails only while the windows are being closed.
            let _ = asks.send(ask);
        }
    }
}

impl Shared {
    /// What is known of a plan's workspace now; takes no time.
    pub(crate) fn facts_of(&self, plan: &str) -> Arc<WorkspaceFacts> {
        self.facts.of(plan)
    }

    /// Has it kept how a revision was judged.
    pub(crate) fn judged(&self, parsed: &ParsedPlan) {
        let judged =
            telemetry::judged(&parsed.key, parsed.revision(), &parsed.plan, &parsed.report);
        self.facts.ask(Ask::Judged(Box::new(judged)));
    }

    /// Starts the thread that gathers.
    /// Fails with [`Code::Failed`] when there can be no thread.
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

/// Answers until there is nobody who asks.
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

/// What the thread has for itself.
#[derive(Default)]
struct Gathering {
    /// A connection of its own, opened when it is needed first.
    bench: Option<Workbench>,
    around: HashMap<PathBuf, Around>,
}

/// What is known of one workspace.
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
                tracing::info!(%error, plan, "the workspace of a plan is not known");
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

    /// `None` for a plan that lies in no workspace.
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

    /// Judges what is kept of a plan with other facts, and says so where that makes a difference.
    fn judge_again(
        &mut self,
        shared: &Shared,
        plan: &str,
        facts: &Arc<WorkspaceFacts>,
        before: Option<&ParsedPlan>,
    ) {
        let was_listed = lock(&shared.parsed).forget_digest(plan);
        let mut is_news = was_listed;
        // A window may have one parsed with the old facts in between.
        loop {
            let old = lock(&shared.parsed).judged_otherwise(plan, facts);
            let Some(old) = old else { break };
            let new = ParsedPlan::new(plan, old.content.clone(), Arc::clone(facts));
            let new = Arc::new(new);
            is_news |= new.report != old.report;
            lock(&shared.parsed).replace(&old, &new);
            shared.judged(&new);
        }
        // Who asked just now had it judged anew before this thread did; the others have not heard.
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
            Err(error) => tracing::warn!(%error, "that a plan is judged anew was not told"),
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
            Err(error) => tracing::warn!(%error, "how plans were judged is not kept"),
        }
    }
}
