//! Connection test: is the server reachable, is the key accepted, does it have the model, is the
//! window large enough, does the model answer?

use std::time::{Duration, Instant};

use model::retry::RetryPolicy;
use model::{CancellationToken, ChatRequest, Client, Endpoint, Key, Message, ModelError, Options};

use super::looking::{Looked, look};
use crate::error::{Code, Error, Result};

/// How long a model may take for its first output, including loading.
const PATIENCE: Duration = Duration::from_secs(180);

/// The output limit, which leaves some room for reasoning.
const LONGEST: u32 = 64;

/// The result of the test.
pub(crate) struct Tried {
    /// Why there was no answer.
    pub(crate) error: Option<ModelError>,
    /// The server's models, if it lists them.
    pub(crate) listed: Vec<String>,
    /// What it reports about the model, if it was reachable.
    pub(crate) looked: Option<Looked>,
    /// The time until the answer was complete.
    pub(crate) took: Duration,
}

/// Tests the connection with a handful of small requests and one short chat, without retries. Fails
/// with [`crate::Code::Model`] if the client can't be created.
pub(crate) async fn try_out(
    endpoint: &Endpoint,
    key: Option<Key>,
    cancel: &CancellationToken,
) -> Result<Tried> {
    let mut options = Options {
        retry: RetryPolicy::never(),
        ..Options::for_endpoint(endpoint)
    };
    options.patience.first = PATIENCE;
    let client = Client::new(endpoint, key, options)
        .map_err(|error| Error::from_cause(Code::Model, error))?;
    let mut tried = Tried {
        error: None,
        listed: Vec::new(),
        looked: None,
        took: Duration::ZERO,
    };
    match client.models(cancel).await {
        Ok(models) => tried.listed = models.into_iter().map(|model| model.id).collect(),
        // Some servers have no list; the chat will show whether the model works.
        Err(error) if says_nothing(&error) => {}
        Err(error) => {
            tried.error = Some(error);
            return Ok(tried);
        }
    }
    match look(&client, cancel).await {
        Ok(looked) => tried.looked = Some(looked),
        Err(error @ ModelError::Cancelled) => {
            tried.error = Some(error);
            return Ok(tried);
        }
        Err(error) => tracing::info!(%error, "the server told nothing of the model"),
    }
    let question = ChatRequest {
        messages: vec![Message::user("Answer with the one word: ready")],
        max_output_tokens: Some(LONGEST),
        ..ChatRequest::default()
    };
    let begun = Instant::now();
    match client.chat(&question, cancel, &mut |_| {}).await {
        Ok(_) => tried.took = begun.elapsed(),
        Err(failed) => tried.error = Some(failed.error),
    }
    Ok(tried)
}

/// Whether a failed list doesn't mean that the model is unusable.
fn says_nothing(error: &ModelError) -> bool {
    matches!(
        error,
        ModelError::NotAnEndpoint { .. }
            | ModelError::NotJson { .. }
            | ModelError::Refused { .. }
            | ModelError::UnknownModel { .. }
    )
}
