//! The connection to an agent. Stops reading requests while many are in flight, so that an agent
//! that sends faster than it is answered, or doesn't read its responses, can't exhaust memory.

use std::future::Future;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{GetExtensions as _, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// Maximum number of unanswered requests. Larger than the worker's queue, so that the queue can
/// fill up.
const MAX_IN_FLIGHT: usize = 96;

/// Maximum number of unwritten responses.
const MAX_UNSENT: usize = 96;

/// Longest message, in bytes: the longest plan, plus some overhead.
pub(super) const MAX_MESSAGE_LEN: usize = (plan::source::LIMIT as usize) + (1 << 20);

/// A transport with a limit on requests in flight.
pub(super) struct Bounded<R: AsyncRead, W: AsyncWrite> {
    inner: AsyncRwTransport<RoleServer, R, W>,
    in_flight: Arc<Semaphore>,
    unsent: watch::Sender<usize>,
    /// Set when the agent disconnects.
    hang_up: watch::Sender<bool>,
}

impl<R, W> Bounded<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn new(reader: R, writer: W, hang_up: watch::Sender<bool>) -> Self {
        let inner = AsyncRwTransport::new_server(reader, writer);
        Self {
            inner: inner.with_max_line_length(MAX_MESSAGE_LEN),
            in_flight: Arc::new(Semaphore::new(MAX_IN_FLIGHT)),
            unsent: watch::Sender::new(0),
            hang_up,
        }
    }
}

/// Counts a response until it is written or dropped.
struct Unsent(watch::Sender<usize>);

impl Unsent {
    fn count(unsent: &watch::Sender<usize>) -> Self {
        unsent.send_modify(|count| *count += 1);
        Self(unsent.clone())
    }
}

impl Drop for Unsent {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}

/// Waits until another request may be read.
async fn turn(
    mut unsent: watch::Receiver<usize>,
    in_flight: Arc<Semaphore>,
) -> Option<OwnedSemaphorePermit> {
    unsent.wait_for(|count| *count < MAX_UNSENT).await.ok()?;
    in_flight.acquire_owned().await.ok()
}

impl<R, W> Transport<RoleServer> for Bounded<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = std::io::Result<()>> + Send + 'static {
        let counted = Unsent::count(&self.unsent);
        let sending = self.inner.send(item);
        async move {
            let sent = sending.await;
            drop(counted);
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        let turn = turn(self.unsent.subscribe(), Arc::clone(&self.in_flight)).await?;
        let mut message = self.inner.receive().await;
        match &mut message {
            // Store the permit in the request, so that it is released once the request is answered.
            Some(JsonRpcMessage::Request(request)) => {
                request.request.extensions_mut().insert(Arc::new(turn));
            }
            Some(_) => {}
            None => {
                self.hang_up.send_replace(true);
            }
        }
        message
    }

    async fn close(&mut self) -> std::io::Result<()> {
        self.inner.close().await
    }
}
