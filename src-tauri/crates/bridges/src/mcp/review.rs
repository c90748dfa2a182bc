//! Reviews of one agent: asks a person for a decision, and waits for it without blocking other
//! requests.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, CallToolResponse};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use workbench::{Code, Error, Result};

use super::arguments;
use super::elicitation::{self, Dialog};
use super::server::{Server, agent, answered, usage};
use super::worker::{Worker, ask};

/// Longest wait for a decision, in seconds.
pub(super) const MAX_WAIT: u64 = 50;

/// Interval between checks for a decision.
const INTERVAL: Duration = Duration::from_millis(100);

/// Maximum number of requests waiting for a decision; any more are answered immediately.
const MAX_WAITING: usize = 16;

impl Server {
    /// Requests a review, opens the window, and shows a dialog if the host has one.
    pub(super) async fn request_approval(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse> {
        let given: arguments::OfRevision = arguments::parse(request.arguments)?;
        if let Some(review) = request.request_state {
            let (state, wanted) = (review.clone(), given.clone());
            let is_it = move |worker: &mut Worker<'_>| worker.has_asked_about(&state, &wanted);
            if self.ask(is_it).await? {
                return Ok(answered(self.after_dialog(review, context).await).into());
            }
        }
        let agent = agent(context);
        let asked = self
            .ask(move |worker| worker.request_approval(&agent, &given))
            .await?;
        if let Some(plan) = asked.to_open {
            self.open(plan, &asked.review).await?;
        }
        match (asked.notice, Dialog::of(context)) {
            (Some(notice), Some(Dialog::Result)) => {
                return Ok(elicitation::result(notice, &asked.review).into());
            }
            (Some(notice), Some(Dialog::Request)) => {
                self.show_dialog(notice, &asked.review, context);
            }
            _ => {}
        }
        let mut answer = waiting(&asked.review);
        answer["revision"] = json!(asked.revision);
        Ok(answered(Ok(answer)).into())
    }

    /// The state of a review after the host's dialog was closed. Ignores what was chosen in the
    /// dialog: decisions are made only in the window.
    async fn after_dialog(
        &self,
        review: String,
        context: &RequestContext<RoleServer>,
    ) -> Result<Value> {
        let asked = arguments::Decision {
            review: review.clone(),
            wait_seconds: MAX_WAIT,
        };
        let mut found = self.decision(asked, context).await?;
        if found["status"] == "waiting" {
            found = waiting(&review);
        }
        found["review"] = json!(review);
        Ok(found)
    }

    /// Opens the window. If it can't be opened, the review is withdrawn.
    async fn open(&self, plan: PathBuf, review: &str) -> Result<()> {
        let open = Arc::clone(&self.open_window);
        let opened = tokio::task::spawn_blocking(move || open(&plan)).await;
        let opened = opened.unwrap_or_else(|_| Err(Error::new(Code::Internal, "it failed")));
        let Err(error) = opened else { return Ok(()) };
        let (review, reason) = (review.to_owned(), "the window couldn't be opened");
        let withdraw = move |worker: &mut Worker<'_>| worker.bench.withdraw_review(&review, reason);
        // `false` means that a decision was made just before; it remains valid.
        match self.ask(withdraw).await? {
            true => Err(Error::new(
                error.code,
                format!(
                    "nobody was asked, because Planwright's window can't be opened: {}",
                    error.message
                ),
            )),
            false => Ok(()),
        }
    }

    /// Shows a dialog until the review is decided, without blocking other requests.
    fn show_dialog(&self, notice: String, review: &str, context: &RequestContext<RoleServer>) {
        let (jobs, review) = (self.jobs.clone(), review.to_owned());
        let mut hung_up = self.hung_up.clone();
        let decided = async move {
            loop {
                let of = review.clone();
                match ask(&jobs, move |worker| worker.decision(&of)).await {
                    Ok(found) if found["status"] == "waiting" => {}
                    _ => return,
                }
                tokio::select! {
                    () = sleep(INTERVAL) => {}
                    _ = hung_up.wait_for(|hung_up| *hung_up) => return,
                }
            }
        };
        tokio::spawn(elicitation::show(context.peer.clone(), notice, decided));
    }

    pub(super) async fn decision(
        &self,
        given: arguments::Decision,
        context: &RequestContext<RoleServer>,
    ) -> Result<Value> {
        if given.wait_seconds > MAX_WAIT {
            return Err(usage(format!("wait_seconds must be 0 to {MAX_WAIT}")));
        }
        let waiting = Waiting::count(&self.waiting);
        let wait = match waiting.others < MAX_WAITING {
            true => Duration::from_secs(given.wait_seconds),
            false => Duration::ZERO,
        };
        let until = Instant::now() + wait;
        let mut hung_up = self.hung_up.clone();
        loop {
            let review = given.review.clone();
            let found = self.ask(move |worker| worker.decision(&review)).await?;
            if found["status"] != "waiting" || Instant::now() >= until {
                return Ok(found);
            }
            tokio::select! {
                () = sleep(INTERVAL) => {}
                () = context.ct.cancelled() => return Ok(found),
                _ = hung_up.wait_for(|hung_up| *hung_up) => return Ok(found),
            }
        }
    }
}

/// Counts a request as waiting for a decision until it is dropped; `others` is the number of
/// requests that were waiting already.
struct Waiting<'a> {
    count: &'a AtomicUsize,
    others: usize,
}

impl<'a> Waiting<'a> {
    fn count(count: &'a AtomicUsize) -> Self {
        let others = count.fetch_add(1, Ordering::Relaxed);
        Self { count, others }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The response for a review that is still undecided.
fn waiting(review: &str) -> Value {
    json!({
        "review": review,
        "status": "waiting",
        "note": format!("A person decides in Planwright's window. Call get_decision with this \
            review and wait_seconds {MAX_WAIT} until it is no longer waiting."),
    })
}
