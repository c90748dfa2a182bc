//! The connection to an editor: one JSON message per line. Limits the messages that are unanswered
//! or unwritten, so that an editor that sends faster than it reads can't exhaust memory.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use agent_client_protocol::{Channel, RawJsonRpcMessage, TransportFrame};
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
};
use tokio::sync::watch;

/// Longest message, in bytes: the longest prompt with its attachments, plus some overhead.
const MAX_MESSAGE_LEN: u64 = 16 << 20;

/// Maximum number of unanswered requests. Larger than the number of turns, so that answers to a
/// turn's own requests are always read.
const MAX_UNANSWERED: usize = 256;

/// Maximum number of unwritten messages from turns.
const MAX_UNWRITTEN: usize = 256;

/// Maximum number of malformed lines before the connection is closed.
const MAX_MALFORMED: usize = 64;

/// How often a turn checks for cancellation while it waits to write.
const TICK: Duration = Duration::from_millis(50);

/// Counts unanswered requests and unwritten messages.
pub(super) struct Traffic {
    unanswered: watch::Sender<usize>,
    unwritten: Mutex<usize>,
    written: Condvar,
}

impl Default for Traffic {
    fn default() -> Self {
        Self {
            unanswered: watch::Sender::new(0),
            unwritten: Mutex::new(0),
            written: Condvar::new(),
        }
    }
}

impl Traffic {
    /// Waits until a turn may send a message, and counts it. Doesn't wait if the turn is cancelled.
    pub(super) fn count_message(&self, is_cancelled: impl Fn() -> bool) {
        let mut unwritten = self
            .unwritten
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        while *unwritten >= MAX_UNWRITTEN && !is_cancelled() {
            let waited = self.written.wait_timeout(unwritten, TICK);
            unwritten = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *unwritten += 1;
    }

    fn is_written(&self, message: &RawJsonRpcMessage) {
        let less = |count: &mut usize| *count = count.saturating_sub(1);
        match message {
            RawJsonRpcMessage::Response(_) => self.unanswered.send_modify(less),
            _ => {
                less(
                    &mut self
                        .unwritten
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner),
                );
                self.written.notify_all();
            }
        }
    }
}

/// Passes messages between the streams and the agent until either side closes.
pub(super) async fn carry<R, W>(reader: R, writer: W, wire: Channel, traffic: &Traffic)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let (mut outgoing, incoming) = wire.into_parts();
    let reading = async move {
        let mut reader = BufReader::new(reader);
        let mut malformed = 0;
        while let Some(line) = read_line(&mut reader, traffic).await {
            if line.trim().is_empty() {
                continue;
            }
            let frame = TransportFrame::parse_json(&line);
            match &frame {
                TransportFrame::Single(RawJsonRpcMessage::Request(_)) => {
                    traffic.unanswered.send_modify(|count| *count += 1);
                }
                TransportFrame::Malformed { .. } => malformed += 1,
                _ => {}
            }
            if malformed > MAX_MALFORMED || incoming.unbounded_send(frame).is_err() {
                break;
            }
        }
        // Tells the agent that the editor has disconnected.
        drop(incoming);
        std::future::pending::<()>().await;
    };
    let writing = async move {
        let mut writer = writer;
        while let Ok(frame) = outgoing.recv().await {
            if let TransportFrame::Single(message) = &frame {
                traffic.is_written(message);
            }
            if let Err(error) = write(&mut writer, &frame).await {
                tracing::info!(%error, "couldn't write to an editor");
                break;
            }
        }
    };
    tokio::select! {
        () = reading => {}
        () = writing => {}
    }
}

/// The next line; `None` at the end of the stream, or if the line is too long.
async fn read_line<R: AsyncRead + Unpin>(
    reader: &mut BufReader<R>,
    traffic: &Traffic,
) -> Option<String> {
    let mut unanswered = traffic.unanswered.subscribe();
    let has_room = unanswered.wait_for(|count| *count < MAX_UNANSWERED);
    has_room.await.ok()?;
    let mut line = Vec::new();
    let mut limited = reader.take(MAX_MESSAGE_LEN);
    match limited.read_until(b'\n', &mut line).await {
        Ok(0) => None,
        Ok(_) if line.ends_with(b"\n") => Some(String::from_utf8_lossy(&line).into_owned()),
        Ok(_) => {
            tracing::warn!("an editor's last message was cut off or too long");
            None
        }
        Err(error) => {
            tracing::info!(%error, "couldn't read from an editor");
            None
        }
    }
}

async fn write<W: AsyncWrite + Unpin>(
    writer: &mut W,
    frame: &TransportFrame,
) -> std::io::Result<()> {
    let mut line = frame.to_json().map_err(std::io::Error::other)?;
    line.push('\n');
    writer.write_all(line.as_bytes()).await?;
    writer.flush().await
}
