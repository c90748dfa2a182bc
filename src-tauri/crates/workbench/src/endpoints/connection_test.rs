//! Connection test: is the server reachable, is the key accepted, does it have the model, is the
//! window large enough, does the model answer?

use std::time::{Duration, Instant};

use model::retry::RetryPolicy;
use model::{CancellationToken, ChatRequest, Client, Endpoint, Key, Message, ModelError, Options};

use super::server_info::{ServerInfo, query_server};
use crate::error::{Code, Error, Result};

/// How long a model may take for its first output, including loading.
const FIRST_OUTPUT_TIMEOUT: Duration = Duration::from_secs(180);

/// The output limit, which leaves some room for reasoning.
const MAX_OUTPUT_TOKENS: u32 = 64;

pub(crate) struct TestResult {
    /// Why the model didn't answer; `None` if it did.
    pub(crate) error: Option<ModelError>,
    /// The server's models, if it lists them.
    pub(crate) listed: Vec<String>,
    /// The server's information about the model, if it was reachable.
    pub(crate) server_info: Option<ServerInfo>,
    /// The time until the answer was complete.
    pub(crate) took: Duration,
}

/// Tests the connection with a handful of small requests and one short chat, without retries. Fails
/// with [`crate::Code::Model`] if the client can't be created.
pub(crate) async fn test_connection(
    endpoint: &Endpoint,
    key: Option<Key>,
    cancel: &CancellationToken,
) -> Result<TestResult> {
    let mut options = Options {
        retry: RetryPolicy::never(),
        ..Options::for_endpoint(endpoint)
    };
    options.timeouts.first = FIRST_OUTPUT_TIMEOUT;
    let client = Client::new(endpoint, key, options)
        .map_err(|error| Error::from_cause(Code::Model, error))?;
    let mut result = TestResult {
        error: None,
        listed: Vec::new(),
        server_info: None,
        took: Duration::ZERO,
    };
    match client.models(cancel).await {
        Ok(models) => result.listed = models.into_iter().map(|model| model.id).collect(),
        // Some servers have no list; the chat will show whether the model works.
        Err(error) if is_harmless(&error) => {}
        Err(error) => {
            result.error = Some(error);
            return Ok(result);
        }
    }
    match query_server(&client, cancel).await {
        Ok(server_info) => result.server_info = Some(server_info),
        Err(error @ ModelError::Cancelled) => {
            result.error = Some(error);
            return Ok(result);
        }
        Err(error) => tracing::info!(%error, "couldn't get the model's details from the server"),
    }
    let question = ChatRequest {
        messages: vec![Message::user("Answer with one word: ready")],
        max_output_tokens: Some(MAX_OUTPUT_TOKENS),
        ..ChatRequest::default()
    };
    let begun = Instant::now();
    match client.chat(&question, cancel, &mut |_| {}).await {
        Ok(_) => result.took = begun.elapsed(),
        Err(failed) => result.error = Some(failed.error),
    }
    Ok(result)
}

/// Whether the model may be usable although listing the models failed with this error.
fn is_harmless(error: &ModelError) -> bool {
    matches!(
        error,
        ModelError::NotAnEndpoint { .. }
            | ModelError::NotJson { .. }
            | ModelError::Refused { .. }
            | ModelError::UnknownModel { .. }
    )
}
