//! A minimal HTTP client for the baseline: one POST, one response, no retries.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

/// How long the model may send nothing before the request fails.
const PATIENCE: Duration = Duration::from_secs(600);

/// One reply of the model.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Reply {
    pub(super) text: String,
    /// Id, name and raw arguments of each call.
    pub(super) calls: Vec<(String, String, String)>,
}

/// Sends one request.
///
/// # Errors
/// If the request fails; the error is a sentence.
pub(super) fn ask(base_url: &str, body: &Value) -> Result<Reply, String> {
    let failed = |error: std::io::Error| error.to_string();
    let rest = base_url
        .strip_prefix("http://")
        .ok_or("the baseline speaks http alone")?;
    let (host, folder) = rest.split_once('/').unwrap_or((rest, ""));
    let mut stream = TcpStream::connect(host).map_err(failed)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
    let mut body = body.clone();
    body["stream"] = json!(true);
    let body = body.to_string();
    let head = format!(
        "POST /{folder}/chat/completions HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).map_err(failed)?;
    stream.write_all(body.as_bytes()).map_err(failed)?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).map_err(failed)?;
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").ok_or("no answer")?;
    let status = head.split(' ').nth(1).unwrap_or_default();
    if status != "200" {
        return Err(format!("the server answered {status}"));
    }
    let body = match head.to_lowercase().contains("transfer-encoding: chunked") {
        true => joined(body)?,
        false => body.to_owned(),
    };
    Ok(read(&body))
}

/// Joins the chunks of a chunked body.
fn joined(body: &str) -> Result<String, String> {
    let mut out = Vec::new();
    let mut rest = body.as_bytes();
    loop {
        let end = rest
            .windows(2)
            .position(|two| two == b"\r\n")
            .ok_or("the answer was cut")?;
        let size = std::str::from_utf8(&rest[..end]).map_err(|error| error.to_string())?;
        let size = usize::from_str_radix(size.trim(), 16).map_err(|error| error.to_string())?;
        rest = &rest[end + 2..];
        if size == 0 {
            return Ok(String::from_utf8_lossy(&out).into_owned());
        }
        out.extend(rest.get(..size).ok_or("the answer was cut")?);
        rest = rest.get(size + 2..).ok_or("the answer was cut")?;
    }
}

fn read(body: &str) -> Reply {
    let mut reply = Reply::default();
    for line in body.lines() {
        let Some(data) = line.strip_prefix("data:") else {
            continue;
        };
        let Ok(chunk) = serde_json::from_str::<Value>(data.trim()) else {
            continue;
        };
        let delta = &chunk["choices"][0]["delta"];
        reply
            .text
            .push_str(delta["content"].as_str().unwrap_or_default());
        for part in delta["tool_calls"].as_array().into_iter().flatten() {
            let text = |pointer: &str| {
                part.pointer(pointer)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned()
            };
            let (id, name, arguments) = (
                text("/id"),
                text("/function/name"),
                text("/function/arguments"),
            );
            match reply.calls.last_mut() {
                Some(last) if id.is_empty() || id == last.0 => {
                    last.1.push_str(&name);
                    last.2.push_str(&arguments);
                }
                _ => reply.calls.push((id, name, arguments)),
            }
        }
    }
    reply
}
