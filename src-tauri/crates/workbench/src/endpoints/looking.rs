//! What a server tells of a model before it is asked anything: its window, its template, its kind.
//! A few small questions, none to the model.

use std::time::Duration;

use model::servers::{Preset, Window};
use model::{CancellationToken, Client, ModelError};
use serde::{Deserialize, Serialize};

use super::access::ModelAccess;
use super::wait_for;
use crate::Workbench;
use crate::error::{Code, Error, Result};

/// How long looking may hold up the first request.
const LIMIT: Duration = Duration::from_secs(5);

/// What a server tells of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Looked {
    /// What the model holds there, where it tells.
    pub(crate) window: Option<Window>,
    /// What kind of server it is.
    pub(crate) server: Preset,
    /// The template's short name; stands in the row's key.
    #[serde(skip)]
    pub(crate) template: String,
}

/// Asks the server for the model's window and template.
///
/// # Errors
/// [`ModelError::Cancelled`], and what says that nobody is there or the key is refused.
pub(crate) async fn look(
    client: &Client,
    cancel: &CancellationToken,
) -> std::result::Result<Looked, ModelError> {
    let window = client.window(cancel).await?;
    let template = client.template(cancel).await?;
    // A server without a list of models can still answer.
    let server = client.kind(cancel).await.unwrap_or(Preset::Custom);
    Ok(Looked {
        window,
        server,
        template,
    })
}

impl Workbench {
    /// Says before anything is asked that a model's window is too small for an answer of `target`
    /// tokens to a prompt of `prompt` tokens, with the line that raises it.
    ///
    /// A server on this machine is looked at each time, since its window changes when it is started
    /// anew; another one once. Where it tells nothing the request itself shows it. Call it off an
    /// async runtime.
    ///
    /// # Errors
    /// [`Code::Model`] with what to do; [`Code::Storage`].
    pub(crate) fn room_for(
        &self,
        access: &mut ModelAccess,
        prompt: u64,
        target: u32,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<()> {
        if access.client.endpoint().is_local() || access.known.looked.is_none() {
            let looked = wait_for(look_at_most(access, is_cancelled))?;
            if let Some(looked) = looked {
                self.keep_looked(access, looked)?;
            }
        }
        match access.too_small(prompt, target) {
            Some(message) => Err(Error::new(Code::Model, message)),
            None => Ok(()),
        }
    }
}

/// Looks until the time is over or the caller has had enough.
async fn look_at_most(
    access: &ModelAccess,
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> Option<Looked> {
    let cancel = CancellationToken::new();
    let gives_up = async {
        let step = Duration::from_millis(20);
        let mut left = LIMIT;
        while !is_cancelled() && !left.is_zero() {
            tokio::time::sleep(step).await;
            left = left.saturating_sub(step);
        }
    };
    tokio::select! {
        looked = look(&access.client, &cancel) => looked
            .inspect_err(|error| tracing::info!(%error, "the server told nothing of the model"))
            .ok(),
        () = gives_up => None,
    }
}
