//! A scripted model server: real HTTP and server-sent events on the loopback interface, in OpenAI's
//! protocol and its [`Flavour`]s.
//!
//! A [`Scenario`] is data: turns, each with what the request must contain and what to answer,
//! optionally with delays, cuts, stalls and errors. Every request is recorded with its headers and
//! bytes. A stall lasts until [`ModelServer::release`], so that no test depends on timing. Requests
//! that the script does not expect are answered with an error and reported by
//! [`ModelServer::finished`].
//!
//! It stores nothing on disk and stops on drop.
//!
//! ```no_run
//! use planwright_tests::ModelServer;
//! use planwright_tests::model_server::{Scenario, Turn};
//! use serde_json::json;
//!
//! let server = ModelServer::start(Scenario::new([
//!     Turn::call("read_file", json!({"path": "src/report.py"})),
//!     Turn::say("Here is the plan.").expecting("def rows"),
//! ]));
//! println!("{}", server.base_url());
//! let requests = server.finished();
//! assert_eq!(requests.len(), 2);
//! ```
#![allow(
    clippy::expect_used,
    reason = "a helper that cannot do its work must end the test"
)]

mod flavour;
mod record;
mod script;
mod serve;
mod write;

use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::sync::oneshot;

pub use record::{Ending, Recorded};
pub use script::{Expect, Flavour, Scenario, ScriptedCall, Step, Turn};

use record::Record;

/// Generates the answer to a request from its JSON body and its zero-based number.
pub type Author = dyn Fn(&serde_json::Value, usize) -> Turn + Send + Sync;

/// A running server; stops on drop.
#[derive(Debug)]
pub struct ModelServer {
    port: u16,
    record: Arc<Record>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ModelServer {
    /// Starts a server that plays a scenario.
    #[must_use]
    pub fn start(scenario: Scenario) -> Self {
        Self::run(scenario, None, 0)
    }

    /// Like `start`, but on a port that was just freed, to simulate a server that is restarted.
    #[must_use]
    pub fn start_at(port: u16, scenario: Scenario) -> Self {
        Self::run(scenario, None, port)
    }

    /// Starts a server that generates its turns on demand, for answers that depend on the request.
    /// Only the flavor, models, key and window of `scenario` are used.
    #[must_use]
    pub fn written_by(
        scenario: Scenario,
        author: impl Fn(&serde_json::Value, usize) -> Turn + Send + Sync + 'static,
    ) -> Self {
        Self::run(scenario, Some(Box::new(author)), 0)
    }

    fn run(scenario: Scenario, author: Option<Box<Author>>, port: u16) -> Self {
        let listener = std::net::TcpListener::bind(("127.0.0.1", port)).expect("a free port");
        listener.set_nonblocking(true).expect("nonblocking mode");
        let port = listener.local_addr().expect("an address").port();
        let record = Arc::new(Record::default());
        let (stop, stopped) = oneshot::channel();
        let stage = Arc::new(serve::Stage {
            scenario,
            author,
            record: Arc::clone(&record),
        });
        let thread = std::thread::Builder::new()
            .name("model-server".to_owned())
            .spawn(move || serve::run(listener, &stage, stopped))
            .expect("a thread");
        Self {
            port,
            record,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// The `base_url` for an endpoint.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// The port on which the server listens.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The chat requests so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Recorded> {
        self.record.chats()
    }

    /// All other requests so far, such as model lists.
    #[must_use]
    pub fn questions(&self) -> Vec<Recorded> {
        self.record.questions()
    }

    /// Waits until `count` chat requests have arrived, and returns all so far.
    #[track_caller]
    pub fn wait_for_requests(&self, count: usize) -> Vec<Recorded> {
        self.record
            .wait(&format!("{count} requests"), |state| state.chats() >= count);
        self.requests()
    }

    /// Waits until `count` answers have stalled since the server started.
    #[track_caller]
    pub fn wait_until_stalled(&self, count: usize) {
        self.record
            .wait(&format!("{count} stalls"), |state| state.stalls() >= count);
    }

    /// Waits until the client has closed the connection before the end of `count` answers.
    #[track_caller]
    pub fn wait_until_dropped(&self, count: usize) {
        self.record
            .wait(&format!("{count} drops"), |state| state.drops() >= count);
    }

    /// The number of answers that have stalled so far.
    #[must_use]
    pub fn stalls(&self) -> usize {
        self.record.stalls()
    }

    /// The number of connections opened so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.record.connections()
    }

    /// Resumes all stalled answers, and lets later ones pass without stalling.
    pub fn release(&self) {
        self.record.release();
    }

    /// The chat requests, after checking that the whole script was played as written.
    ///
    /// # Panics
    /// If a request was unexpected or a turn was not played.
    #[track_caller]
    pub fn finished(&self) -> Vec<Recorded> {
        let complaints = self.record.complaints();
        assert!(
            complaints.is_empty(),
            "deviations from the script: {complaints:#?}"
        );
        let left = self.record.left();
        assert_eq!(left, 0, "some turns of the script were not played");
        self.requests()
    }

    /// Deviations from the script so far.
    #[must_use]
    pub fn complaints(&self) -> Vec<String> {
        self.record.complaints()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
