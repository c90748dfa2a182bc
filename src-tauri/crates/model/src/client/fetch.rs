//! Small queries to a server, for example about its models and how it was started.

use std::time::Duration;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::Client;
use crate::ModelError;
use crate::classify;

/// Maximum body size in bytes; a large provider's model list is about 1 MB.
const MAX_BODY_BYTES: usize = 16 << 20;

impl Client {
    /// Fetches JSON from an address, within `limit`. Sends a POST request if there is a `body`.
    /// Fails like a chat request, or with [`ModelError::NotJson`]. There are no retries.
    pub(crate) async fn fetch_json(
        &self,
        address: &str,
        body: Option<&Value>,
        limit: Duration,
        cancel: &CancellationToken,
    ) -> Result<Value, ModelError> {
        let request = match body {
            None => self.http.get(address),
            Some(body) => self
                .http
                .post(address)
                .header(reqwest::header::CONTENT_TYPE, "application/json")
                .body(body.to_string()),
        };
        let asking = async {
            let mut response = request
                .send()
                .await
                .map_err(|error| self.send_error(address, &error))?;
            if !response.status().is_success() {
                return Err(self.status_error(address, response).await);
            }
            let mut bytes = Vec::new();
            while let Some(more) = response.chunk().await.map_err(|_| ModelError::Cut)? {
                if bytes.len() + more.len() > MAX_BODY_BYTES {
                    return Err(ModelError::TooLong {
                        limit: MAX_BODY_BYTES,
                    });
                }
                bytes.extend_from_slice(&more);
            }
            serde_json::from_slice(&bytes).map_err(|_| ModelError::NotJson {
                what: classify::quoted(&String::from_utf8_lossy(&bytes), self.key.as_ref()),
            })
        };
        self.wait_for(asking, limit, cancel).await?
    }
}
