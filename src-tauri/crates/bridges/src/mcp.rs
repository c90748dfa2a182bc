//! An MCP server: an agent reads the plans of a workspace, proposes and edits plans, says what it
//! did, and asks a person to approve a revision.
//!
//! No tool approves, ticks or runs anything. A decision is made in the window alone; the agent asks
//! for it again until it is there. `rmcp` speaks the protocol, from version 2024-11-05 on;
//! submodules: `catalog` lists tools and prompts, `server` answers requests, `worker` and `tools`
//! carry them out, `transport` bounds what is in flight.
//!
//! **Architecture invariants.** Whatever an agent sends is untrusted: sizes are bounded, paths
//! resolve inside the workspace, and only plan files are read or written. One thread owns the
//! database and does one thing at a time, in the order in which requests came.

mod arguments;
mod catalog;
mod changes;
mod prompts;
mod server;
mod tools;
mod transport;
mod worker;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rmcp::ServiceExt as _;
use tokio::io::{AsyncRead, AsyncWrite};
use workbench::{Code, Error, Result, Workbench};

use server::Server;
use transport::Bounded;
use worker::Worker;

/// How many requests may wait for the thread that owns the database.
const MAX_QUEUED: usize = 64;

/// Opens the window on a plan file, or brings it to the front.
pub type OpenWindow = Arc<dyn Fn(&Path) -> Result<()> + Send + Sync>;

/// Serves an agent on standard input and output until it hangs up.
///
/// # Errors
/// [`Code::Failed`] if the server can't be started. A folder that can't be a workspace is no error;
/// each tool says so.
pub fn serve_stdio(bench: &Workbench, folder: PathBuf, open_window: OpenWindow) -> Result<()> {
    serve_on(bench, folder, open_window, rmcp::transport::stdio_pipes)
}

/// Like [`serve_stdio`], on other streams. `connect` is called inside the server's runtime.
///
/// # Errors
/// As [`serve_stdio`].
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
    let failed = |error: std::io::Error| Error::from_cause(Code::Failed, error);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(failed)?;
    let (jobs, queue) = tokio::sync::mpsc::channel(MAX_QUEUED);
    let serving = std::thread::Builder::new().name("mcp".to_owned());
    let serving = serving.spawn(move || {
        let served = runtime.block_on(async {
            let (hang_up, hung_up) = tokio::sync::watch::channel(false);
            let (reader, writer) = connect();
            let server = Server::new(jobs, open_window, hung_up);
            let running = server.serve(Bounded::new(reader, writer, hang_up)).await?;
            if let Err(error) = running.waiting().await {
                tracing::warn!(%error, "the server of an agent ended");
            }
            Ok::<(), rmcp::service::ServerInitializeError>(())
        });
        // An agent that hangs up before it introduces itself is no failure.
        if let Err(error) = served {
            tracing::info!(%error, "no agent was served");
        }
        // Standard input may still be read on a thread that nothing can stop.
        runtime.shutdown_background();
    });
    let serving = serving.map_err(failed)?;
    Worker::new(bench, folder)?.work(queue);
    serving
        .join()
        .map_err(|_| Error::new(Code::Internal, "the server stopped unexpectedly"))
}
