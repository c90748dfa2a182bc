//! Queries a server about a model before it is used: its window, its template and the kind of
//! server. Takes a few small requests, none of them to the model.

use std::time::Duration;

use model::servers::{Preset, Window};
use model::{CancellationToken, Client, ModelError};
use serde::{Deserialize, Serialize};
use tools::sandbox::CancelToken;

use super::access::ModelAccess;
use super::wait_for;
use crate::Workbench;
use crate::error::{Code, Error, Result};

/// How long this may delay the first request.
const LIMIT: Duration = Duration::from_secs(5);

/// A server's information about a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ServerInfo {
    /// The size of the context window, if reported.
    pub(crate) window: Option<Window>,
    /// The kind of server.
    pub(crate) server: Preset,
    /// The short name of the template; part of the row's key.
    #[serde(skip)]
    pub(crate) template: String,
}

/// Asks the server for the model's window and template. Fails with [`ModelError::Cancelled`], or if
/// the server is unreachable or refuses the key.
pub(crate) async fn query_server(
    client: &Client,
    cancel: &CancellationToken,
) -> std::result::Result<ServerInfo, ModelError> {
    let window = client.window(cancel).await?;
    let template = client.template(cancel).await?;
    // A server that can't list its models may still be usable.
    let server = client.kind(cancel).await.unwrap_or(Preset::Custom);
    Ok(ServerInfo {
        window,
        server,
        template,
    })
}

impl Workbench {
    /// Fails early if the window is too small for a prompt of `prompt` tokens and an answer of
    /// `target` tokens, and says how to enlarge it.
    ///
    /// A local server is queried each time, since restarting it can change the window; a remote one
    /// only once. If the server reports no window, this passes, and the request itself will fail if
    /// it doesn't fit. Don't call this from an async runtime. Fails with [`Code::Model`] and what
    /// to do, or with [`Code::Storage`].
    pub(crate) fn room_for(
        &self,
        access: &mut ModelAccess,
        prompt: u64,
        target: u32,
        cancel: &CancelToken,
    ) -> Result<()> {
        if access.client.endpoint().is_local() || access.known.server_info.is_none() {
            let server_info = wait_for(cancel, async |cancel| {
                tokio::time::timeout(LIMIT, query_server(&access.client, cancel)).await
            })?;
            // An unreachable server or a refused key will be reported by the actual request.
            if let Ok(Ok(server_info)) = server_info {
                self.store_server_info(access, server_info)?;
            }
        }
        match access.too_small(prompt, target) {
            Some(message) => Err(Error::new(Code::Model, message)),
            None => Ok(()),
        }
    }
}
