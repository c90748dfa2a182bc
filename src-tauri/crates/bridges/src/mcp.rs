//! An MCP server. Agents use it to read a workspace's plans, propose and edit plans, report what
//! they did, and ask a person to approve a revision.
//!
//! No tool approves, ticks or runs anything. Decisions are made only in the window; the agent polls
//! until there is one. `rmcp` implements the protocol, from version 2024-11-05 on. Submodules:
//! `catalog` lists tools and prompts, `server` answers requests, `review` handles requests for a
//! decision, `elicitation` announces these in the host, `worker` and `tools` carry out requests,
//! and `transport` limits the requests in flight.
//!
//! **Architecture invariants.** Everything an agent sends is untrusted: sizes are bounded, paths
//! resolve inside the workspace, and only plan files are read or written. One thread owns the
//! database and handles requests one at a time, in order.

mod arguments;
mod catalog;
mod changes;
mod elicitation;
mod http;
mod prompts;
mod review;
mod server;
mod tools;
mod transport;
mod worker;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rmcp::ServiceExt as _;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use workbench::{Code, Error, Result, Workbench};

pub use http::HttpServer;
use server::Server;
use transport::Bounded;
use worker::{Job, Worker};

/// Maximum number of requests queued for the thread that owns the database.
const MAX_QUEUED: usize = 64;

/// Opens the window on a plan file, or brings it to the front.
pub type OpenWindow = Arc<dyn Fn(&Path) -> Result<()> + Send + Sync>;

/// Serves an agent on standard input and output until it disconnects.
///
/// # Errors
/// [`Code::Failed`] if the server can't be started. A folder that can't be a workspace is not an
/// error here; each tool reports it.
pub fn serve_stdio(bench: &Workbench, folder: PathBuf, open_window: OpenWindow) -> Result<()> {
    serve_on(bench, folder, open_window, rmcp::transport::stdio_pipes)
}

/// Like [`serve_stdio`], on other streams. `connect` is called inside the server's runtime.
///
/// # Errors
/// Same as [`serve_stdio`].
pub fn serve_on<R, W>(
    bench: &Workbench,
    folder: PathBuf,
    open_window: OpenWindow,
    connect: impl FnOnce() -> (R, W) + Send + 'static,
) -> Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    serve(bench, folder, move |jobs| async move {
        let (hang_up, hung_up) = tokio::sync::watch::channel(false);
        let (reader, writer) = connect();
        let server = Server::new(jobs, open_window, hung_up);
        let connection = Bounded::new(reader, writer, hang_up);
        match server.serve(connection).await {
            Ok(running) => {
                if let Err(error) = running.waiting().await {
                    tracing::warn!(%error, "an agent's server stopped unexpectedly");
                }
            }
            // It isn't a failure if an agent disconnects before it introduces itself.
            Err(error) => tracing::info!(%error, "couldn't start serving an agent"),
        }
    })
}

/// Runs `start` on a separate thread, and handles its requests on this one until it ends.
fn serve<S: Future<Output = ()>>(
    bench: &Workbench,
    folder: PathBuf,
    start: impl FnOnce(mpsc::Sender<Job>) -> S + Send + 'static,
) -> Result<()> {
    let failed = |error: std::io::Error| Error::from_cause(Code::Failed, error);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(failed)?;
    let worker = Worker::new(bench, folder)?;
    let (jobs, queue) = mpsc::channel(MAX_QUEUED);
    let serving = std::thread::Builder::new().name("mcp".to_owned());
    let serving = serving.spawn(move || {
        runtime.block_on(start(jobs));
        // A thread may be blocked reading standard input, which can't be interrupted.
        runtime.shutdown_background();
    });
    let serving = serving.map_err(failed)?;
    worker.work(queue);
    serving
        .join()
        .map_err(|_| Error::new(Code::Internal, "the server stopped unexpectedly"))
}
