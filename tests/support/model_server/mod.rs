//! A model's server that says what a script has it say: real HTTP and server-sent events on the
//! loopback, in the protocol of OpenAI and its [`Flavour`]s.
//!
//! A [`Scenario`] is data: turns, each with what the request must be like and what is answered, with
//! delays, cuts, stalls and errors where it says so. Every request is kept with its headers and
//! bytes. A stall is real and lasts until [`ModelServer::release`], so that no test waits for a
//! clock. What the script did not expect is answered with an error and named by
//! [`ModelServer::finished`].
//!
//! It thinks nothing, keeps nothing on disk, and ends with its value.
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

/// Writes the answer to one request: its body as JSON, and its number from 0.
pub type Author = dyn Fn(&serde_json::Value, usize) -> Turn + Send + Sync;

/// A running server. Ends when dropped.
#[derive(Debug)]
pub struct ModelServer {
    port: u16,
    record: Arc<Record>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ModelServer {
    /// Starts one that plays a scenario.
    #[must_use]
    pub fn start(scenario: Scenario) -> Self {
        Self::run(scenario, None, 0)
    }

    /// The same, at a port that was free a moment ago: a server that comes back.
    #[must_use]
    pub fn start_at(port: u16, scenario: Scenario) -> Self {
        Self::run(scenario, None, port)
    }

    /// Starts one whose turns are written when they are due, for answers that depend on the request.
    /// The turns of `scenario` are not played; its flavour, models, key and window count.
    #[must_use]
    pub fn written_by(
        scenario: Scenario,
        author: impl Fn(&serde_json::Value, usize) -> Turn + Send + Sync + 'static,
    ) -> Self {
        Self::run(scenario, Some(Box::new(author)), 0)
    }

    fn run(scenario: Scenario, author: Option<Box<Author>>, port: u16) -> Self {
        let listener = std::net::TcpListener::bind(("127.0.0.1", port)).expect("a free port");
        listener.set_nonblocking(true).expect("a port to wait on");
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

    /// What an endpoint names as `base_url`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Its port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The chat requests so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<Recorded> {
        self.record.chats()
    }

    /// All other requests so far: lists of models and the like.
    #[must_use]
    pub fn questions(&self) -> Vec<Recorded> {
        self.record.questions()
    }

    /// Waits until `count` chat requests have come.
    #[track_caller]
    pub fn wait_for_requests(&self, count: usize) -> Vec<Recorded> {
        self.record
            .wait(&format!("{count} requests"), |state| state.chats() >= count);
        self.requests()
    }

    /// Waits until `count` answers in all have come to a stall.
    #[track_caller]
    pub fn wait_until_stalled(&self, count: usize) {
        self.record
            .wait(&format!("{count} stalls"), |state| state.stalls() >= count);
    }

    /// Waits until the client has dropped `count` answers before their end.
    #[track_caller]
    pub fn wait_until_dropped(&self, count: usize) {
        self.record
            .wait(&format!("{count} drops"), |state| state.drops() >= count);
    }

    /// How many answers have come to a stall, so far.
    #[must_use]
    pub fn stalls(&self) -> usize {
        self.record.stalls()
    }

    /// How many connections clients have opened, so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.record.connections()
    }

    /// Lets every stalled answer go on, and those that stall later.
    pub fn release(&self) {
        self.record.release();
    }

    /// The chat requests, when the whole script was played as written.
    ///
    /// # Panics
    /// With what was not as the script expects, and with the turns that were not played.
    #[track_caller]
    pub fn finished(&self) -> Vec<Recorded> {
        let complaints = self.record.complaints();
        assert!(complaints.is_empty(), "the script expects: {complaints:#?}");
        let left = self.record.left();
        assert_eq!(left, 0, "turns of the script were not played");
        self.requests()
    }

    /// What was not as the script expects, so far.
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
