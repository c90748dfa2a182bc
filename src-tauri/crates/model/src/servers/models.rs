//! The models that a server lists.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{Client, ModelError};

/// Timeout for a list.
const LIMIT: Duration = Duration::from_secs(20);

/// A model in a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelInfo {
    /// Its name, as used in an endpoint.
    pub id: String,
    /// Its context window in tokens, if listed.
    pub context_window: Option<u64>,
    /// Maximum tokens of an answer, if listed.
    pub max_output_tokens: Option<u64>,
    /// Its owner, if listed; may reveal the kind of server.
    pub owned_by: Option<String>,
}

impl Client {
    /// The models that the server lists, in its order. Fails like a chat request, without
    /// retries.
    pub async fn models(&self, cancel: &CancellationToken) -> Result<Vec<ModelInfo>, ModelError> {
        let address = self.endpoint().url("models");
        let list = self.fetch_json(&address, None, LIMIT, cancel).await?;
        read(&list).ok_or_else(|| ModelError::NotJson {
            what: "JSON without a model list".to_owned(),
        })
    }
}

/// Parses a list in any of the formats that servers use; `None` if there is none.
pub(super) fn read(list: &Value) -> Option<Vec<ModelInfo>> {
    let all = ["data", "models"]
        .iter()
        .filter_map(|name| list.get(*name))
        .find_map(Value::as_array)
        .or_else(|| list.as_array())?;
    Some(all.iter().filter_map(info).collect())
}

fn info(entry: &Value) -> Option<ModelInfo> {
    let id = ["id", "model", "name"]
        .iter()
        .find_map(|name| entry.get(*name)?.as_str())
        .or_else(|| entry.as_str())?;
    let count = |paths: &[&str]| {
        let positive = |count: &u64| *count > 0;
        paths
            .iter()
            .find_map(|path| entry.pointer(path)?.as_u64().filter(positive))
    };
    Some(ModelInfo {
        id: id.to_owned(),
        context_window: count(&[
            "/max_model_len",
            "/loaded_context_length",
            "/meta/n_ctx",
            "/context_length",
            "/context_window",
            "/max_context_length",
        ]),
        max_output_tokens: count(&["/top_provider/max_completion_tokens", "/max_output_tokens"]),
        owned_by: entry
            .get("owned_by")
            .and_then(Value::as_str)
            .map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_of_each_server_are_read() {
        let table = [
            (
                json!({"object": "list", "data": [{"id": "a", "owned_by": "vllm", "max_model_len": 32768}]}),
                vec![("a", Some(32_768))],
            ),
            (
                json!({"data": [{"id": "x/y", "context_length": 128_000, "top_provider": {"max_completion_tokens": 9}}]}),
                vec![("x/y", Some(128_000))],
            ),
            (
                json!({"data": [{"id": "q", "state": "loaded", "max_context_length": 131_072, "loaded_context_length": 4096}]}),
                vec![("q", Some(4_096))],
            ),
            (
                json!({"models": [{"name": "n"}, {"model": "m"}]}),
                vec![("n", None), ("m", None)],
            ),
            (
                json!([{"id": "a", "context_length": 0}, 7]),
                vec![("a", None)],
            ),
            (json!({"data": []}), vec![]),
        ];
        for (list, expected) in table {
            let found = read(&list).unwrap();
            let found: Vec<_> = found
                .iter()
                .map(|info| (info.id.as_str(), info.context_window))
                .collect();
            assert_eq!(found, expected);
        }
        assert_eq!(read(&json!({"hello": 1})), None);
    }
}
