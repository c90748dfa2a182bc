//! A model server that sends scripted replies and records the requests.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// A running server. It stops when the process ends.
pub(crate) struct Model {
    pub(crate) base_url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

/// A reply that calls a tool.
pub(crate) fn call(name: &str, arguments: &Value) -> Value {
    json!({
        "role": "assistant",
        "tool_calls": [{
            "index": 0,
            "id": format!("call_{name}"),
            "type": "function",
            "function": { "name": name, "arguments": arguments.to_string() },
        }],
    })
}

impl Model {
    /// Starts a server that answers chat requests with these replies, in order.
    pub(crate) fn start(replies: Vec<Value>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = Arc::clone(&requests);
        std::thread::spawn(move || {
            let mut replies = replies.into_iter();
            for stream in listener.incoming() {
                answer(&stream.unwrap(), &mut replies, &kept);
            }
        });
        Self { base_url, requests }
    }

    /// The bodies of the chat requests received.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn answer(
    mut stream: &TcpStream,
    replies: &mut impl Iterator<Item = Value>,
    kept: &Mutex<Vec<String>>,
) {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        let line = line.to_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let is_chat = head.contains("/chat/completions");
    let reply = match is_chat {
        true => {
            kept.lock()
                .unwrap()
                .push(String::from_utf8_lossy(&body).into_owned());
            replies.next()
        }
        false => None,
    };
    let (status, body) = match reply {
        Some(delta) => {
            let chunk = |delta: &Value, reason: Value| {
                let choice = json!({ "index": 0, "delta": delta, "finish_reason": reason });
                let chunk = json!({ "id": "1", "object": "chat.completion.chunk", "created": 0,
                    "model": "scripted", "choices": [choice] });
                format!("data: {chunk}\n\n")
            };
            let end = chunk(&json!({}), json!("tool_calls"));
            let body = format!("{}{end}data: [DONE]\n\n", chunk(&delta, Value::Null));
            ("200 OK", body)
        }
        None => ("404 Not Found", "{}".to_owned()),
    };
    let kind = match status {
        "200 OK" => "text/event-stream",
        _ => "application/json",
    };
    let length = body.len();
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\
         connection: close\r\n\r\n{body}"
    );
}
