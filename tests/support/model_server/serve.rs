//! The server: accepts connections and sends answers step by step.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use super::record::{Ending, Record, Recorded};
use super::script::{Expect, Flavour, Scenario, Step, Turn};
use super::{Author, flavour, write};

pub(super) struct Stage {
    pub(super) scenario: Scenario,
    pub(super) author: Option<Box<Author>>,
    pub(super) record: Arc<Record>,
}

/// Serves until stopped, then closes open connections.
pub(super) fn run(
    listener: std::net::TcpListener,
    stage: &Arc<Stage>,
    stopped: oneshot::Receiver<()>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    stage.record.set_left(stage.left(0));
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
        let accepting = async {
            while let Ok((stream, _)) = listener.accept().await {
                let _ = stream.set_nodelay(true);
                stage.record.connect();
                tokio::spawn(serve(stream, Arc::clone(stage)));
            }
        };
        tokio::select! {
            () = accepting => {}
            _ = stopped => {}
        }
    });
}

/// Serves one connection. llama.cpp's server closes the connection after each stream without
/// announcing it in the headers, so a client that reuses the connection gets no answer.
async fn serve(stream: tokio::net::TcpStream, stage: Arc<Stage>) {
    let hangs_up = stage.scenario.flavour == Flavour::LlamaCpp;
    let has_streamed = AtomicBool::new(false);
    let service = service_fn(|request: Request<Incoming>| {
        let is_chat = request.uri().path().ends_with("/chat/completions");
        let is_over = has_streamed.fetch_or(hangs_up && is_chat, Ordering::Relaxed);
        let stage = Arc::clone(&stage);
        async move {
            if is_over {
                return Err(io::Error::other("hung up"));
            }
            Ok(answer(stage, request).await)
        }
    });
    // An error is expected here: the script cut the connection or the client closed it.
    let _ = hyper::server::conn::http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

impl Stage {
    /// The turn for the chat request with this number; `None` if the script has no more turns.
    fn turn(&self, request: &Value, number: usize) -> Option<Turn> {
        if let Some(author) = &self.author {
            return Some(author(request, number));
        }
        let mut before = 0_usize;
        let due = |turn: &&Turn| {
            before = before.saturating_add(turn.times);
            number < before
        };
        self.scenario.turns.iter().find(due).cloned()
    }

    /// The number of turns that remain after this many requests, not counting endless ones.
    fn left(&self, played: usize) -> usize {
        if self.author.is_some() {
            return 0;
        }
        let finite = self.scenario.turns.iter().map(|turn| turn.times);
        let all: usize = finite.filter(|times| *times != usize::MAX).sum();
        all.saturating_sub(played)
    }
}

/// Records on drop that the client closed the connection, unless the answer was complete.
struct Leaving {
    record: Arc<Record>,
    at: usize,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        self.record.end(self.at, Ending::Dropped);
    }
}

async fn answer(stage: Arc<Stage>, request: Request<Incoming>) -> Response<Pipe> {
    let (head, body) = request.into_parts();
    let body = body
        .collect()
        .await
        .map(|body| body.to_bytes().to_vec())
        .unwrap_or_default();
    let json: Value = serde_json::from_slice(&body).unwrap_or_default();
    let headers: Vec<(String, String)> = head
        .headers
        .iter()
        .map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.as_str().to_owned(), value)
        })
        .collect();
    let bytes = body.len();
    let recorded = Recorded {
        method: head.method.to_string(),
        path: head.uri.path().to_owned(),
        headers,
        body,
        json: json.clone(),
        at: Instant::now(),
        answered: None,
        ending: Ending::Open,
        is_truncated: false,
    };
    let key = flavour::check_key(&stage.scenario, recorded.header("authorization"));
    let path = recorded.path.clone();
    let at = stage.record.add(recorded);
    let leaving = Leaving {
        record: Arc::clone(&stage.record),
        at,
    };
    if let Err((status, said)) = key {
        return plain(leaving, status, &said);
    }
    if !path.ends_with("/chat/completions") {
        let (status, said) = flavour::tell(&stage.scenario, &path, &json)
            .unwrap_or_else(|| (404, json!({"error": {"message": "no such path"}})));
        return plain(leaving, status, &said);
    }
    match flavour::check(&stage.scenario, &json, bytes) {
        Err((status, said)) => return plain(leaving, status, &said),
        Ok(true) => stage.record.truncated(at),
        Ok(false) => {}
    }
    let number = stage.record.play();
    stage.record.set_left(stage.left(number + 1));
    let Some(turn) = stage.turn(&json, number) else {
        stage.record.complain(format!(
            "request {} comes after the script's end",
            number + 1
        ));
        let said = json!({"error": {"message": "the script is over"}});
        return plain(leaving, 400, &said);
    };
    for complaint in unmet(&turn.expect, &json) {
        stage
            .record
            .complain(format!("request {}: {complaint}", number + 1));
    }
    if turn.stall {
        stage.record.stall().await;
    }
    give(&stage, leaving, &turn, &json, bytes)
}

fn unmet(expect: &Expect, request: &Value) -> Vec<String> {
    let text = request.to_string();
    let missing = expect.contains.iter().filter(|part| !text.contains(*part));
    let present = expect.lacks.iter().filter(|part| text.contains(*part));
    let wrong = expect
        .at
        .iter()
        .filter(|(pointer, value)| request.pointer(pointer) != Some(value));
    missing
        .map(|part| format!("lacks “{part}”"))
        .chain(present.map(|part| format!("has “{part}”")))
        .chain(wrong.map(|(pointer, value)| {
            let is = request.pointer(pointer);
            format!("{pointer} is {is:?}, not {value}")
        }))
        .collect()
}

fn plain(leaving: Leaving, status: u16, body: &Value) -> Response<Pipe> {
    let turn = Turn {
        status,
        body: Some(body.clone()),
        ..Turn::default()
    };
    respond(leaving, &turn, vec![Step::Raw(body.to_string())])
}

fn give(
    stage: &Stage,
    leaving: Leaving,
    turn: &Turn,
    request: &Value,
    bytes: usize,
) -> Response<Pipe> {
    let steps = match &turn.body {
        Some(Value::String(text)) => vec![Step::Raw(text.clone())],
        Some(body) => vec![Step::Raw(body.to_string())],
        None => write::steps(turn, stage.scenario.flavour, request, bytes),
    };
    respond(leaving, turn, steps)
}

fn respond(leaving: Leaving, turn: &Turn, steps: Vec<Step>) -> Response<Pipe> {
    let (sender, receiver) = mpsc::channel(1);
    let content = match turn.body {
        Some(_) => "application/json",
        None => "text/event-stream",
    };
    let mut response = Response::builder().status(turn.status);
    if !turn.headers.contains_key("content-type") {
        response = response.header("content-type", content);
    }
    for (name, value) in &turn.headers {
        response = response.header(name, value);
    }
    let turn = turn.clone();
    tokio::spawn(async move {
        tokio::select! {
            () = sender.closed() => {}
            is_whole = play(&leaving.record, &turn, &steps, &sender) => {
                if is_whole {
                    leaving.record.end(leaving.at, Ending::Given);
                }
            }
        }
    });
    response.body(Pipe(receiver)).expect("a response")
}

type Piece = Result<Frame<Bytes>, io::Error>;

/// Sends the steps; returns whether the client received all of them.
async fn play(record: &Record, turn: &Turn, steps: &[Step], sender: &mpsc::Sender<Piece>) -> bool {
    let mut room = turn.cut_after.unwrap_or(usize::MAX);
    for (events, step) in steps.iter().enumerate() {
        if turn.stall_after == Some(events) {
            record.stall().await;
        }
        match step {
            Step::WaitMs(pause) => tokio::time::sleep(Duration::from_millis(*pause)).await,
            Step::Stall => record.stall().await,
            Step::Cut => return cut(sender).await,
            _ => {
                if turn.pace_ms > 0 {
                    tokio::time::sleep(Duration::from_millis(turn.pace_ms)).await;
                }
                let mut bytes = write::bytes(step).unwrap_or_default();
                let is_cut = bytes.len() > room;
                bytes.truncate(room);
                room -= bytes.len();
                if sender.send(Ok(Frame::data(bytes.into()))).await.is_err() {
                    return false;
                }
                if is_cut {
                    return cut(sender).await;
                }
            }
        }
    }
    true
}

/// Breaks the connection once everything before has been sent. Waits until the channel is empty,
/// because the connection sends each piece as soon as it takes it from the channel. Returns whether
/// the client was still connected.
async fn cut(sender: &mpsc::Sender<Piece>) -> bool {
    if let Ok(permit) = sender.reserve().await {
        drop(permit);
    }
    let broken = Err(io::Error::other("the script cuts here"));
    sender.send(broken).await.is_ok()
}

/// A body whose pieces arrive through a channel. An error in it breaks the connection.
pub(super) struct Pipe(mpsc::Receiver<Piece>);

impl Body for Pipe {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        self.0.poll_recv(context)
    }
}
