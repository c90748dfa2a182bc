//! The connection to a model, tried: is anybody there, is the key right, does it have the model, is
//! the window large enough, does the model answer.

use std::time::{Duration, Instant};

use model::retry::RetryPolicy;
use model::{CancellationToken, ChatRequest, Client, Endpoint, Key, Message, ModelError, Options};

use super::looking::{Looked, look};
use crate::error::{Code, Error, Result};

/// How long a model may take to say a word, loading included.
const PATIENCE: Duration = Duration::from_secs(180);

/// Room for a model that thinks before it answers; more is not waited for.
const LONGEST: u32 = 64;

/// What the trial showed.
pub(crate) struct Tried {
    /// Why there is no answer.
    pub(crate) error: Option<ModelError>,
    /// The server's models, where it tells.
    pub(crate) listed: Vec<String>,
    /// What it tells of the model, where it was reached.
    pub(crate) looked: Option<Looked>,
    /// How long the answer took.
    pub(crate) took: Duration,
}

/// Tries the connection: at most a handful of small questions, and one short request. Nothing is
/// sent twice.
/// Fails with [`crate::Code::Model`] where no connection can be prepared.
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
        // Some servers have no list; the request itself tells.
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

/// Whether a failed list says nothing of whether the model can be asked.
fn says_nothing(error: &ModelError) -> bool {
    matches!(
        error,
        ModelError::NotAnEndpoint { .. }
            | ModelError::NotJson { .. }
            | ModelError::Refused { .. }
            | ModelError::UnknownModel { .. }
    )
}
