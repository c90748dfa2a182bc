//! What a server tells of a model before it is asked anything: its window, its template, its kind.
//! A few small questions, none to the model.

use std::time::Duration;

use model::servers::{Preset, Window};
use model::{CancellationToken, Client, ModelError};
use serde::{Deserialize, Serialize};
use tools::sandbox::CancelToken;

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
/// Fails with [`ModelError::Cancelled`], and what says that nobody is there or the key is refused.
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
    /// Fails with [`Code::Model`] with what to do; [`Code::Storage`].
    pub(crate) fn room_for(
        &self,
        access: &mut ModelAccess,
        prompt: u64,
        target: u32,
        cancel: &CancelToken,
    ) -> Result<()> {
        if access.client.endpoint().is_local() || access.known.looked.is_none() {
            let looked = wait_for(cancel, async |cancel| {
                tokio::time::timeout(LIMIT, look(&access.client, cancel)).await
            })?;
            // Who is not there or refuses the key says so again when it is asked in earnest.
            if let Ok(Ok(looked)) = looked {
                self.keep_looked(access, looked)?;
            }
        }
        match access.too_small(prompt, target) {
            Some(message) => Err(Error::new(Code::Model, message)),
            None => Ok(()),
        }
    }
}
