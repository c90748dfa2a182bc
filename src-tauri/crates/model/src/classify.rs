//! Interprets HTTP statuses and error messages from servers.
//!
//! Pure. Servers use statuses inconsistently: a missing model is a 404 on one, a 400 on another, a
//! 500 on a third. So a clear message takes precedence over the status.

use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

use crate::{Key, ModelError};

/// Maximum characters of a server's message to quote.
const MAX_SAID_LEN: usize = 300;

/// Maximum delay taken from a header; a longer one is reduced to it.
const MAX_DELAY: Duration = Duration::from_secs(7 * 24 * 3600);

/// Details of a rejected request.
pub(crate) struct Refusal<'a> {
    /// The requested address.
    pub(crate) address: &'a str,
    /// The requested model.
    pub(crate) model: &'a str,
    /// The HTTP status.
    pub(crate) status: u16,
    /// The delay that the server asks for.
    pub(crate) after: Option<Duration>,
    /// The start of the body.
    pub(crate) body: &'a str,
    /// The key, to redact it.
    pub(crate) key: Option<&'a Key>,
}

/// The error indicated by a status and a body.
pub(crate) fn refusal(given: &Refusal<'_>) -> ModelError {
    let said = words(given.body, given.key);
    let lower = format!("{} {}", said.to_lowercase(), code_of(given.body));
    let has = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
    let status = given.status;
    let after = given.after;

    if status == 401 || status == 403 || has(&["invalid_api_key", "incorrect api key"]) {
        return ModelError::KeyRefused { status, said };
    }
    if status == 402
        || has(&[
            "insufficient_quota",
            "insufficient credit",
            "billing_hard_limit",
        ])
    {
        return ModelError::NoCredit { said };
    }
    if status == 413 || has(WINDOW) {
        let window = window_in(&lower);
        return ModelError::TooLarge { said, window };
    }
    if status == 429 {
        return ModelError::RateLimited { after, said };
    }
    if has(&[
        "does not support tools",
        "tools are not supported",
        "tool use is not supported",
    ]) || has(&[
        "no endpoints found that support tool use",
        "tool-call-parser",
    ]) {
        return ModelError::NoTools { said };
    }
    if names_missing_model(&lower) {
        let model = given.model.to_owned();
        return ModelError::UnknownModel { model, said };
    }
    match status {
        404 | 405 if given.body.contains("\"error\"") && lower.contains("model") => {
            let model = given.model.to_owned();
            ModelError::UnknownModel { model, said }
        }
        404 | 405 => ModelError::NotAnEndpoint {
            address: given.address.to_owned(),
            status,
        },
        408 | 409 | 425 | 500.. => ModelError::Server {
            status,
            after,
            said,
        },
        _ => ModelError::Refused { status, said },
    }
}

/// Phrases that servers use when the context window is too small.
const WINDOW: &[&str] = &[
    "context_length_exceeded",
    "exceed_context_size",
    "maximum context length",
    "exceeds the available context size",
    "context window",
    "context size has been exceeded",
    "prompt is too long",
    "greater than the context length",
    "input is too long",
];

fn names_missing_model(lower: &str) -> bool {
    lower.contains("model")
        && [
            "model_not_found",
            "not a valid model",
            "does not exist",
            "no models loaded",
            "try pulling it",
            "model not found",
            "unknown model",
            "invalid model",
        ]
        .iter()
        .any(|part| lower.contains(part))
        || (lower.contains("model") && lower.contains("not found"))
}

/// Extracts the window from a message such as “maximum context length is 8192 tokens”.
fn window_in(lower: &str) -> Option<u64> {
    let after = [
        "context length is ",
        "context size (",
        "n_ctx\":",
        "context length of only ",
    ]
    .iter()
    .find_map(|mark| lower.split_once(mark))?
    .1;
    let digits: String = after
        .trim_start()
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == ',')
        .filter(char::is_ascii_digit)
        .collect();
    digits.parse().ok()
}

/// The error's machine-readable code in lower case, if the body has one.
fn code_of(body: &str) -> String {
    let Ok(value) = serde_json::from_str::<Value>(body) else {
        return String::new();
    };
    let error = value.get("error").unwrap_or(&value);
    ["code", "type"]
        .iter()
        .filter_map(|name| error.get(*name).and_then(Value::as_str))
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

/// The body's message on one line, without the key.
pub(crate) fn words(body: &str, key: Option<&Key>) -> String {
    let said = match serde_json::from_str::<Value>(body) {
        Ok(value) => said_in(&value).unwrap_or_else(|| body.to_owned()),
        Err(_) if body.trim_start().starts_with('<') => String::new(),
        Err(_) => body.to_owned(),
    };
    let said = key.map_or_else(|| said.clone(), |key| key.redact(&said));
    shorten(&said)
}

/// Interprets an error that came with status 200, or in the middle of a response.
pub(crate) fn reported(value: &Value, model: &str, key: Option<&Key>) -> ModelError {
    let error = value.get("error").unwrap_or(value);
    let status = ["code", "status"]
        .iter()
        .filter_map(|name| error.get(*name))
        .find_map(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()))
        .and_then(|code| u16::try_from(code).ok())
        .filter(|code| (400..600).contains(code));
    let body = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let meant = refusal(&Refusal {
        address: "the server",
        model,
        status: status.unwrap_or_default(),
        after: None,
        body: &body,
        key,
    });
    match meant {
        ModelError::Refused { status: 0, said } => ModelError::Reported { said },
        other => other,
    }
}

/// The start of unexpected content, for a message.
pub(crate) fn quoted(text: &str, key: Option<&Key>) -> String {
    let text = key.map_or_else(|| text.to_owned(), |key| key.redact(text));
    let line: String = shorten(&text).chars().take(80).collect();
    if line.trim_start().starts_with('<') {
        "a web page".to_owned()
    } else {
        format!("“{line}”")
    }
}

/// The message, in any of the formats that servers use.
fn said_in(value: &Value) -> Option<String> {
    let error = value.get("error").unwrap_or(value);
    let text = match error {
        Value::String(text) => text.clone(),
        Value::Object(fields) => ["message", "detail", "msg", "error"]
            .iter()
            .find_map(|name| fields.get(*name))
            .map(|found| match found {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            })?,
        _ => return None,
    };
    // A proxy's “provider returned error” has the actual reason nested below it.
    let below = error.pointer("/metadata/raw").and_then(Value::as_str);
    Some(below.map_or_else(|| text.clone(), |raw| format!("{text}: {raw}")))
}

/// Reduces a text to one line of at most [`MAX_SAID_LEN`] characters without control characters.
pub(crate) fn shorten(text: &str) -> String {
    let line = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    match line.char_indices().nth(MAX_SAID_LEN) {
        None => line,
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
    }
}

/// The delay that a server asks for: `retry-after-ms`, else `Retry-After` in seconds or as a date.
pub(crate) fn server_delay(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let number = |text: &str, unit: f64| {
        let count = text.trim().parse::<f64>().ok()?;
        Duration::try_from_secs_f64(count * unit).ok()
    };
    text("retry-after-ms")
        .and_then(|text| number(text, 0.001))
        .or_else(|| {
            let text = text(RETRY_AFTER.as_str())?;
            number(text, 1.0).or_else(|| {
                let date = httpdate::parse_http_date(text).ok()?;
                Some(date.duration_since(now).unwrap_or_default())
            })
        })
        .map(|delay| delay.min(MAX_DELAY))
}

#[cfg(test)]
mod tests;
