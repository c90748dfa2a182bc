//! What an HTTP status and a server's words mean.
//!
//! Pure. Servers agree on statuses only roughly: a model that is not there is 404 at one, 400 at
//! another, 500 at a third. So the words count first where they are clear.

use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

use crate::{Key, ModelError};

/// The most of a server's words that a message repeats, in characters.
const LONGEST_SAID: usize = 300;

/// The longest delay taken from a header; what is longer is as good as never.
const LONGEST_DELAY: Duration = Duration::from_secs(7 * 24 * 3600);

/// What is known of a refused request.
pub(crate) struct Refusal<'a> {
    /// The address that was asked.
    pub(crate) address: &'a str,
    /// The model that was asked for.
    pub(crate) model: &'a str,
    /// The HTTP status.
    pub(crate) status: u16,
    /// How long the server asks to wait.
    pub(crate) after: Option<Duration>,
    /// The beginning of the body.
    pub(crate) body: &'a str,
    /// The key, so that it is not repeated.
    pub(crate) key: Option<&'a Key>,
}

/// The error that a status and a body stand for.
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

/// Words by which servers say that the window is too small.
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

/// The window in a sentence such as “maximum context length is 8192 tokens”.
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

/// The machine-readable name of an error, lower case, where a body has one.
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

/// What a body says to a person, on one line and without the key.
pub(crate) fn words(body: &str, key: Option<&Key>) -> String {
    let said = match serde_json::from_str::<Value>(body) {
        Ok(value) => said_in(&value).unwrap_or_else(|| body.to_owned()),
        Err(_) if body.trim_start().starts_with('<') => String::new(),
        Err(_) => body.to_owned(),
    };
    let said = key.map_or_else(|| said.clone(), |key| key.redact(&said));
    shorten(&said)
}

/// What an error means that came with status 200, or in the middle of an answer.
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

/// The beginning of something unexpected, for a message.
pub(crate) fn quoted(text: &str, key: Option<&Key>) -> String {
    let text = key.map_or_else(|| text.to_owned(), |key| key.redact(text));
    let line: String = shorten(&text).chars().take(80).collect();
    if line.trim_start().starts_with('<') {
        "a web page".to_owned()
    } else {
        format!("“{line}”")
    }
}

/// The sentence in the shapes that servers use.
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
    // A proxy's “provider returned error” has the reason below it.
    let below = error.pointer("/metadata/raw").and_then(Value::as_str);
    Some(below.map_or_else(|| text.clone(), |raw| format!("{text}: {raw}")))
}

/// One line of at most [`LONGEST_SAID`] characters, without control characters.
pub(crate) fn shorten(text: &str) -> String {
    let line = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    match line.char_indices().nth(LONGEST_SAID) {
        None => line,
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
    }
}

/// How long a server asks to wait: `retry-after-ms`, else `Retry-After` in seconds or as a date.
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
        .map(|delay| delay.min(LONGEST_DELAY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    fn error(status: u16, body: &str) -> ModelError {
        refusal(&Refusal {
            address: "http://host/v1/chat/completions",
            model: "qwen",
            status,
            after: None,
            body,
            key: None,
        })
    }

    #[test]
    fn what_servers_answer_is_told_apart() {
        let table = [
            (
                401,
                r#"{"error":{"message":"Incorrect API key provided"}}"#,
                "model_key_refused",
            ),
            (403, "", "model_key_refused"),
            (
                400,
                r#"{"error":{"message":"no","code":"invalid_api_key"}}"#,
                "model_key_refused",
            ),
            (
                402,
                r#"{"error":{"message":"Insufficient credits"}}"#,
                "model_no_credit",
            ),
            (
                429,
                r#"{"error":{"message":"x","type":"insufficient_quota"}}"#,
                "model_no_credit",
            ),
            (
                429,
                r#"{"error":{"message":"slow down"}}"#,
                "model_rate_limited",
            ),
            (
                404,
                r#"{"error":{"message":"model \"qwen\" not found, try pulling it first"}}"#,
                "model_unknown",
            ),
            (
                404,
                r#"{"object":"error","message":"The model `qwen` does not exist."}"#,
                "model_unknown",
            ),
            (
                400,
                r#"{"error":{"message":"qwen is not a valid model ID"}}"#,
                "model_unknown",
            ),
            (
                404,
                r#"{"error":{"message":"No models loaded."}}"#,
                "model_unknown",
            ),
            (404, "404 page not found", "model_not_an_endpoint"),
            (405, "<html>", "model_not_an_endpoint"),
            (404, r#"{"detail":"Not Found"}"#, "model_not_an_endpoint"),
            (
                400,
                r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}"#,
                "model_window_exceeded",
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"the request exceeds the available context size (4096 tokens)","type":"exceed_context_size_error"}}"#,
                "model_window_exceeded",
            ),
            (413, "", "model_window_exceeded"),
            (
                400,
                r#"{"error":{"message":"registry.ollama.ai/library/x does not support tools"}}"#,
                "model_no_tools",
            ),
            (400, r#"{"error":"bad"}"#, "model_refused"),
            (
                422,
                r#"{"detail":[{"loc":["body","seed"],"msg":"extra"}]}"#,
                "model_refused",
            ),
            (500, "boom", "model_server_error"),
            (
                503,
                r#"{"error":{"message":"Loading model","code":503}}"#,
                "model_server_error",
            ),
            (529, "", "model_server_error"),
            (408, "", "model_server_error"),
        ];
        for (status, body, code) in table {
            assert_eq!(error(status, body).code(), code, "{status} {body}");
        }
    }

    #[test]
    fn the_window_is_read_from_the_words() {
        let of = |body: &str| match error(400, body) {
            ModelError::TooLarge { window, .. } => window,
            other => panic!("{other}"),
        };
        assert_eq!(
            of("maximum context length is 8,192 tokens, you asked"),
            Some(8192)
        );
        assert_eq!(
            of("exceeds the available context size (4096 tokens)"),
            Some(4096)
        );
        assert_eq!(of("prompt is too long"), None);
    }

    #[test]
    fn words_are_short_one_line_and_without_the_key() {
        let key = Key::new("sk-secret-0123456789").unwrap();
        let body = "{\"error\":{\"message\":\"key\\n sk-secret-0123456789\\u001b[31m is bad\"}}";
        assert_eq!(words(body, Some(&key)), "key [key] [31m is bad");
        assert_eq!(
            words(&"x".repeat(9_000), None).chars().count(),
            LONGEST_SAID + 1
        );
        assert_eq!(words("<html><body>nginx", None), "");
        let below = r#"{"error":{"message":"Provider returned error","metadata":{"raw":"busy"}}}"#;
        assert_eq!(words(below, None), "Provider returned error: busy");
    }

    #[test]
    fn the_servers_delay_is_read_in_each_form() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777 - 30);
        let table: [(&[(&'static str, &'static str)], Option<u64>); 9] = [
            (&[("retry-after", "7")], Some(7_000)),
            (&[("retry-after", "1.5")], Some(1_500)),
            (&[("retry-after-ms", "250")], Some(250)),
            (
                &[("retry-after-ms", "250"), ("retry-after", "7")],
                Some(250),
            ),
            (
                &[("retry-after-ms", "soon"), ("retry-after", "7")],
                Some(7_000),
            ),
            (
                &[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")],
                Some(30_000),
            ),
            (&[("retry-after", "Sun, 06 Nov 1983 08:49:37 GMT")], Some(0)),
            (&[("retry-after", "-3")], None),
            (&[], None),
        ];
        for (given, expected) in table {
            let headers: HeaderMap = given
                .iter()
                .map(|(name, value)| {
                    let name = reqwest::header::HeaderName::from_static(name);
                    (name, HeaderValue::from_static(value))
                })
                .collect();
            let delay = server_delay(&headers, now).map(|delay| delay.as_millis());
            assert_eq!(delay, expected.map(u128::from), "{given:?}");
        }
        let mut endless = HeaderMap::new();
        endless.insert("retry-after", HeaderValue::from_static("1e300"));
        assert_eq!(server_delay(&endless, now), None);
    }
}
