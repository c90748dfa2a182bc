//! Error responses from real servers, and how they are interpreted.

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
        MAX_SAID_LEN + 1
    );
    assert_eq!(words("<html><body>nginx", None), "");
    let below = r#"{"error":{"message":"Provider returned error","metadata":{"raw":"busy"}}}"#;
    assert_eq!(words(below, None), "Provider returned error: busy");
}

#[test]
fn the_servers_delay_is_read_in_each_form() {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777 - 30);
    type Headers = &'static [(&'static str, &'static str)];
    let table: [(Headers, Option<u64>); 9] = [
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
