//! Makes a few short calls to test what a model on its server can do.

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::score::{HARD_TEXT, PATH, ProbeResult, SECOND_PATH, Trial, score};
use crate::{ChatRequest, Client, Format, Message, ModelError, Tool, ToolChoice};

/// Maximum tokens of an answer; leaves room for a model that reasons first.
const MAX_ANSWER_TOKENS: u32 = 700;

/// Asks up to six short questions, queries the context window, and returns the results.
///
/// Stops early if cancelled or if the server can't be used; the results so far are kept, with
/// [`ProbeResult::ended`] set. Without an answer, no profile is changed. `told` is called with the
/// results after each question and after the window query.
pub async fn probe(
    client: &Client,
    cancel: &CancellationToken,
    told: &mut (dyn FnMut(&ProbeResult) + Send),
) -> ProbeResult {
    let mut result = ProbeResult::default();
    match client.window(cancel).await {
        Ok(window) => result.window = window,
        Err(error) => {
            result.ended = Some(error.to_string());
            return result;
        }
    }
    told(&result);
    let clock = &client.options().timer;
    let mut speed: Option<f64> = None;
    for trial in Trial::ALL {
        let begun = clock.now();
        let mut first = None;
        let answer = client
            .chat(&question(trial), cancel, &mut |event| {
                if matches!(
                    event,
                    crate::Event::TextDelta { .. }
                        | crate::Event::ReasoningDelta { .. }
                        | crate::Event::CallDelta { .. }
                ) {
                    first.get_or_insert_with(|| clock.now());
                }
            })
            .await
            .map_err(|failed| failed.error);
        if let (Ok(reply), Some(first)) = (&answer, first) {
            let seconds = clock.now().saturating_sub(first.max(begun)).as_secs_f64();
            let tokens = reply.usage.map_or(0, |usage| usage.output);
            // A few tokens in one packet don't indicate the speed.
            if tokens >= 8 && seconds > 0.05 {
                let rate = f64::from(u32::try_from(tokens).unwrap_or(u32::MAX)) / seconds;
                speed = Some(speed.map_or(rate, |best| best.max(rate)));
            }
        }
        score(&mut result, trial, &answer);
        // If the request was sent without the schema, the answer proves nothing about schemas.
        let given_up = client.dialect().without;
        if trial == Trial::Schema && given_up.contains(&crate::wire::Field::ResponseFormat) {
            result.json_schema = super::score::OptionSupport::Refused;
        }
        told(&result);
        let is_over = |error: &ModelError| {
            !matches!(
                error,
                ModelError::NoTools { .. } | ModelError::Refused { .. }
            )
        };
        if answer.as_ref().is_err_and(is_over) {
            break;
        }
    }
    result.tokens_per_second = speed;
    result
}

pub(super) fn question(trial: Trial) -> ChatRequest {
    let base = ChatRequest {
        max_output_tokens: Some(MAX_ANSWER_TOKENS),
        temperature: Some(0.0),
        ..ChatRequest::default()
    };
    let ask = |text: String| vec![Message::user(text)];
    let schema = json!({
        "type": "object",
        "properties": {"count": {"type": "integer"}, "word": {"type": "string"}},
        "required": ["count", "word"],
        "additionalProperties": false,
    });
    match trial {
        Trial::OneCall => ChatRequest {
            messages: ask(format!("Read the file {PATH} with read_file.")),
            tools: vec![read_file()],
            ..base
        },
        Trial::HardArguments => ChatRequest {
            messages: ask(format!(
                "Call write_text once. Its argument text must be exactly these two lines, the \
                 second one beginning with a tab, and a line end after it:\n{HARD_TEXT}"
            )),
            tools: vec![write_text()],
            ..base
        },
        Trial::TwoCalls => ChatRequest {
            messages: ask(format!(
                "Read {PATH} and {SECOND_PATH} with read_file, both calls in this one answer."
            )),
            tools: vec![read_file()],
            ..base
        },
        Trial::ForcedCall => ChatRequest {
            messages: ask("Say hello.".to_owned()),
            tools: vec![read_file()],
            tool_choice: ToolChoice::Required,
            ..base
        },
        Trial::Schema => ChatRequest {
            messages: ask("How many legs has a spider? Write the number as a word too.".to_owned()),
            format: Format::JsonSchema {
                name: "legs".to_owned(),
                schema,
            },
            ..base
        },
        Trial::PlainJson => ChatRequest {
            messages: ask(
                "How many days are in a week? Answer with one JSON object and nothing else: \
                 {\"count\": the number, \"word\": the number as a word}"
                    .to_owned(),
            ),
            ..base
        },
    }
}

fn read_file() -> Tool {
    Tool {
        name: "read_file".to_owned(),
        description: "Reads a file".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"path": {"type": "string"}},
            "required": ["path"],
        }),
    }
}

fn write_text() -> Tool {
    Tool {
        name: "write_text".to_owned(),
        description: "Writes a text".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        }),
    }
}
