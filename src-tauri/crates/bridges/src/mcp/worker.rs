//! The thread that owns the database: it runs one job at a time, in order.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use adequacy::{Report, WorkspaceFacts};
use plan::Plan;
use tokio::sync::{mpsc, oneshot};
use tools::Workspace;
use workbench::plan_file::{Content, PlanFile};
use workbench::{Code, Error, Result, Workbench, checking, ids};

/// Length of the session's ID, in base-32 characters.
const SESSION_ID_LENGTH: usize = 20;

/// How long facts about the workspace are reused.
const FACTS_AGE: Duration = Duration::from_secs(2);

/// Maximum number of proposals of this session to remember, to recognize repeated ones.
const MAX_PROPOSED: usize = 64;

/// Maximum number of reviews of this server to remember.
const MAX_ASKED: usize = 256;

/// A job for the worker's thread.
pub(super) type Job = Box<dyn FnOnce(&mut Worker<'_>) + Send>;

/// Runs jobs on the thread that owns the database, and keeps state between requests.
pub(super) struct Worker<'b> {
    pub(super) bench: &'b Workbench,
    folder: PathBuf,
    /// The agent's conversation ID: random for each server, unless the agent provides one.
    pub(super) session: String,
    facts: Option<(Instant, PathBuf, Arc<WorkspaceFacts>)>,
    /// Revisions proposed in this session, with their files, oldest first.
    proposed: Vec<(String, PathBuf)>,
    /// IDs of the reviews that this server asked for, oldest first. A review requested through
    /// another server isn't in this list, even if it names the same conversation.
    asked: Vec<String>,
}

impl<'b> Worker<'b> {
    pub(super) fn new(bench: &'b Workbench, folder: PathBuf) -> Result<Self> {
        Ok(Self {
            bench,
            folder,
            session: ids::random(SESSION_ID_LENGTH)?,
            facts: None,
            proposed: Vec::new(),
            asked: Vec::new(),
        })
    }

    /// Runs jobs until the queue is closed.
    pub(super) fn work(mut self, mut queue: mpsc::Receiver<Job>) {
        while let Some(job) = queue.blocking_recv() {
            // A job that panics drops its response, so only its request fails.
            if catch_unwind(AssertUnwindSafe(|| job(&mut self))).is_err() {
                tracing::error!("an agent's request panicked");
            }
        }
    }

    /// The folder that the server was started in.
    pub(super) fn folder(&self) -> &std::path::Path {
        &self.folder
    }

    pub(super) fn workspace(&self) -> Result<Workspace> {
        let root = self.bench.workspace_around(&self.folder)?;
        self.bench.open_workspace(&root)
    }

    /// Facts about the workspace, at most [`FACTS_AGE`] old.
    pub(super) fn facts(&mut self, workspace: &Workspace) -> Arc<WorkspaceFacts> {
        if let Some((at, of, facts)) = &self.facts
            && at.elapsed() < FACTS_AGE
            && of == workspace.path()
        {
            return Arc::clone(facts);
        }
        let (settings, _) = self.bench.settings_for(Some(workspace));
        let facts = Arc::new(self.bench.facts_around(workspace, &settings));
        let of = workspace.path().to_owned();
        self.facts = Some((Instant::now(), of, Arc::clone(&facts)));
        facts
    }

    /// Parses and scores the content of a plan.
    pub(super) fn judge(
        &mut self,
        workspace: &Workspace,
        file: Option<&PlanFile>,
        content: &Content,
    ) -> (Plan, Report) {
        let around = self.facts(workspace);
        let (plan, problems) = plan::parse(&content.text);
        let facts = match file {
            Some(file) => self
                .bench
                .facts_of_plan(workspace, &around, &file.key(), &plan),
            None => around,
        };
        let report = checking::report(&plan, &problems, &facts);
        (plan, report)
    }

    pub(super) fn remember_review(&mut self, id: &str) {
        if self.asked.len() == MAX_ASKED {
            self.asked.remove(0);
        }
        self.asked.push(id.to_owned());
    }

    /// Whether this server asked for the review with this ID.
    pub(super) fn has_asked(&self, id: &str) -> bool {
        self.asked.iter().any(|asked| asked == id)
    }

    pub(super) fn remember_proposal(&mut self, revision: &str, file: PathBuf) {
        if self.proposed.len() == MAX_PROPOSED {
            self.proposed.remove(0);
        }
        self.proposed.push((revision.to_owned(), file));
    }

    /// The file in which this session already proposed this revision.
    pub(super) fn proposal_with(&self, revision: &str) -> Option<PathBuf> {
        let mut found = self.proposed.iter().rev();
        let found = found.find(|(of, _)| of == revision);
        found.map(|(_, file)| file.clone())
    }
}

/// Runs a job on the worker's thread and waits for the result.
///
/// # Errors
/// [`Code::Internal`] if the job panics or the server stops.
pub(super) async fn ask<T: Send + 'static>(
    jobs: &mpsc::Sender<Job>,
    work: impl FnOnce(&mut Worker<'_>) -> Result<T> + Send + 'static,
) -> Result<T> {
    let (answer, answered) = oneshot::channel();
    let job: Job = Box::new(move |worker| {
        // The caller may have given up.
        let _ = answer.send(work(worker));
    });
    let lost = || Error::new(Code::Internal, "Planwright failed to answer; see its log");
    jobs.send(job).await.map_err(|_| lost())?;
    answered.await.map_err(|_| lost())?
}
