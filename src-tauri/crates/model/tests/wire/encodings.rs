//! Bodies from servers behind a proxy: compressed, or kept open with comments.

use std::time::Duration;

use async_compression::tokio::write::{BrotliEncoder, GzipEncoder, ZlibEncoder, ZstdEncoder};
use model::ModelError;
use tokio::io::{AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::*;

const ONE: &str = "data: {\"choices\": [{\"delta\": {\"content\": \"one \"}}]}\n\n";
const TWO: &str = "data: {\"choices\": [{\"delta\": {\"content\": \"two\"}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n";

/// Accepts one request and sends the head of an answer.
async fn begin(listener: &TcpListener, encoding: &str) -> TcpStream {
    let (mut stream, _) = listener.accept().await.unwrap();
    let mut asked = vec![0; 64 << 10];
    let read = stream.read(&mut asked).await.unwrap();
    let asked = String::from_utf8_lossy(&asked[..read]).to_lowercase();
    assert!(asked.contains(encoding), "{asked}");
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n{}transfer-encoding: chunked\r\n\r\n",
        match encoding {
            "" => String::new(),
            _ => format!("content-encoding: {encoding}\r\n"),
        }
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

async fn send(stream: &mut TcpStream, bytes: &[u8]) {
    let head = format!("{:x}\r\n", bytes.len());
    let chunk = [head.as_bytes(), bytes, b"\r\n"].concat();
    stream.write_all(&chunk).await.unwrap();
}

async fn listen() -> (TcpListener, Endpoint) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = Endpoint {
        base_url: format!("http://{}/v1", listener.local_addr().unwrap()),
        model: "m".to_owned(),
        key_variable: None,
    };
    (listener, endpoint)
}

/// Sends the second piece only after the first was read, to check that compressed answers are
/// streamed.
async fn answer_compressed<E: AsyncWrite + Unpin>(
    encoding: &str,
    mut encoder: E,
    bytes_of: fn(&mut E) -> &mut Vec<u8>,
) {
    let (listener, endpoint) = listen().await;
    let client = Client::new(&endpoint, None, Options::for_endpoint(&endpoint)).unwrap();
    let (seen, is_seen) = tokio::sync::oneshot::channel();
    let serving = async {
        let mut stream = begin(&listener, encoding).await;
        encoder.write_all(ONE.as_bytes()).await.unwrap();
        encoder.flush().await.unwrap();
        send(&mut stream, &std::mem::take(bytes_of(&mut encoder))).await;
        is_seen.await.unwrap();
        encoder.write_all(TWO.as_bytes()).await.unwrap();
        encoder.shutdown().await.unwrap();
        send(&mut stream, &std::mem::take(bytes_of(&mut encoder))).await;
        stream.write_all(b"0\r\n\r\n").await.unwrap();
    };
    let mut seen = Some(seen);
    let mut on = |event| {
        if matches!(event, Event::TextDelta { .. })
            && let Some(seen) = seen.take()
        {
            seen.send(()).unwrap();
        }
    };
    let (request, cancel) = (hello(), CancellationToken::new());
    let (reply, ()) = tokio::join!(client.chat(&request, &cancel, &mut on), serving);
    let reply = reply.unwrap();
    assert!(
        reply.is_whole() && reply.text == "one two",
        "{encoding}: {reply:?}"
    );
}

#[tokio::test]
async fn compressed_answers_are_read_as_they_come() {
    let new = Vec::new;
    answer_compressed("gzip", GzipEncoder::new(new()), GzipEncoder::get_mut).await;
    answer_compressed("deflate", ZlibEncoder::new(new()), ZlibEncoder::get_mut).await;
    answer_compressed("br", BrotliEncoder::new(new()), BrotliEncoder::get_mut).await;
    answer_compressed("zstd", ZstdEncoder::new(new()), ZstdEncoder::get_mut).await;
}

/// Sends a request to a server that sends `count` comments at intervals before answering.
async fn ask_through_comments(count: usize) -> Result<Reply, Failed> {
    let (listener, endpoint) = listen().await;
    let clock = Arc::new(Clock::default());
    let mut options = Options::for_endpoint(&endpoint);
    options.timer = Arc::clone(&clock) as Arc<dyn Timer>;
    options.timeouts = clock::timeouts();
    // Makes the client check the clock only when bytes arrive.
    options.timeouts.notice = Duration::from_secs(1_000_000);
    let client = Client::new(&endpoint, None, options).unwrap();
    let serving = async {
        let mut stream = begin(&listener, "").await;
        for sent in 1..=count {
            send(&mut stream, b": ping\n\n").await;
            // Waits for the head, for the first byte, and after each comment.
            while clock.waits() < 2 + sent {
                tokio::task::yield_now().await;
            }
            // Less than the timeout for a response that sends no bytes.
            clock.advance(Duration::from_secs(15_000));
        }
        send(&mut stream, ONE.as_bytes()).await;
        send(&mut stream, TWO.as_bytes()).await;
        std::future::pending::<()>().await;
    };
    let (request, cancel, mut on) = (hello(), CancellationToken::new(), |_| ());
    tokio::select! {
        reply = client.chat(&request, &cancel, &mut on) => reply,
        () = serving => unreachable!("it waits without end"),
    }
}

#[tokio::test]
async fn comments_are_signs_of_life_but_not_for_ever() {
    let reply = ask_through_comments(3).await.unwrap();
    assert_eq!(reply.text, "one two");
    let failed = ask_through_comments(4).await.unwrap_err();
    assert!(
        matches!(failed.error, ModelError::Stalled { at_start: true, silence } if silence.as_secs() == 60_000),
        "{failed:?}"
    );
}
