//! A model's context window, as reported by its server.
//!
//! A server may provide a smaller window than the model was trained for, and Ollama silently
//! truncates longer requests. So the two values are kept apart.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{Preset, models};
use crate::{Client, ModelError};

/// Timeout per query.
const LIMIT: Duration = Duration::from_secs(5);

/// Ollama's default window, in the versions with the smallest one.
const OLLAMA_DEFAULT: u64 = 4_096;

/// A context window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Maximum tokens of a request and its answer together.
    pub tokens: u64,
    /// The maximum that the model was trained for, if the server reports it.
    pub trained: Option<u64>,
    /// Where the value comes from.
    pub source: WindowSource,
}

/// The source of a context window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowSource {
    /// The server reports the effective value.
    Server,
    /// The server's model list.
    List,
    /// The model's settings on the server.
    Settings,
    /// The default of this kind of server.
    Usual,
}

impl Client {
    /// The model's context window, if the server reports it or its kind has a known default.
    ///
    /// Makes up to four small queries; if a server doesn't support one, tries the next. Fails only
    /// with [`ModelError::Cancelled`], or an error that means the server can't be reached or
    /// rejects the key.
    pub async fn window(&self, cancel: &CancellationToken) -> Result<Option<Window>, ModelError> {
        let model = self.endpoint().model.clone();
        let guess = Preset::of(&self.endpoint().base_url);
        if matches!(guess, Preset::Ollama | Preset::Custom)
            && let Some(found) = self.ollama(&model, cancel).await?
        {
            return Ok(Some(found));
        }
        if matches!(guess, Preset::LlamaCpp | Preset::Custom)
            && let Some(props) = self.fetch_optional("props", None, cancel).await?
            && let Some(tokens) = in_props(&props)
        {
            return Ok(Some(server(tokens, None)));
        }
        if guess == Preset::LmStudio
            && let Some(list) = self.fetch_optional("api/v0/models", None, cancel).await?
            && let Some(found) = in_lm_studio(&list, &model)
        {
            return Ok(Some(found));
        }
        let list = self.models(cancel).await?;
        let listed = list.into_iter().find(|info| info.id == model);
        Ok(listed
            .and_then(|info| info.context_window)
            .map(|tokens| Window {
                tokens,
                trained: None,
                source: WindowSource::List,
            }))
    }

    async fn ollama(
        &self,
        model: &str,
        cancel: &CancellationToken,
    ) -> Result<Option<Window>, ModelError> {
        let question = json!({ "model": model });
        let Some(shown) = self
            .fetch_optional("api/show", Some(&question), cancel)
            .await?
        else {
            return Ok(None);
        };
        let loaded = self.fetch_optional("api/ps", None, cancel).await?;
        Ok(in_ollama(&shown, loaded.as_ref(), model))
    }

    /// Fetches JSON from a path outside `/v1`; `None` if there is no such path.
    pub(super) async fn fetch_optional(
        &self,
        path: &str,
        body: Option<&Value>,
        cancel: &CancellationToken,
    ) -> Result<Option<Value>, ModelError> {
        let address = self.endpoint().server_url(path);
        match self.fetch_json(&address, body, LIMIT, cancel).await {
            Ok(value) => Ok(Some(value)),
            Err(
                error @ (ModelError::Cancelled
                | ModelError::Unreachable { .. }
                | ModelError::KeyRefused { .. }),
            ) => Err(error),
            Err(_) => Ok(None),
        }
    }
}

fn server(tokens: u64, trained: Option<u64>) -> Window {
    Window {
        tokens,
        trained,
        source: WindowSource::Server,
    }
}

fn in_ollama(shown: &Value, loaded: Option<&Value>, model: &str) -> Option<Window> {
    let info = shown.get("model_info").and_then(Value::as_object);
    let parameters = shown.get("parameters").and_then(Value::as_str);
    if info.is_none() && parameters.is_none() {
        return None;
    }
    let trained = info.and_then(|info| {
        let length = |(name, value): (&String, &Value)| {
            let is_length = name.ends_with(".context_length");
            is_length.then(|| value.as_u64()).flatten()
        };
        info.iter().find_map(length)
    });
    let in_force = loaded
        .and_then(|loaded| loaded.get("models")?.as_array())
        .and_then(|all| {
            let same = |entry: &&Value| {
                ["model", "name"].iter().any(|name| {
                    let text = entry.get(*name).and_then(Value::as_str);
                    text.is_some_and(|text| {
                        text == model || text.strip_suffix(":latest") == Some(model)
                    })
                })
            };
            all.iter().find(same)?.get("context_length")?.as_u64()
        });
    if let Some(tokens) = in_force {
        return Some(server(tokens, trained));
    }
    let set = parameters.and_then(|text| {
        let line = |line: &str| {
            let value = line.trim().strip_prefix("num_ctx")?;
            value.trim().trim_matches('"').parse().ok()
        };
        text.lines().find_map(line)
    });
    Some(match set {
        Some(tokens) => Window {
            tokens,
            trained,
            source: WindowSource::Settings,
        },
        None => Window {
            tokens: trained.map_or(OLLAMA_DEFAULT, |most| most.min(OLLAMA_DEFAULT)),
            trained,
            source: WindowSource::Usual,
        },
    })
}

fn in_props(props: &Value) -> Option<u64> {
    ["/default_generation_settings/n_ctx", "/n_ctx"]
        .iter()
        .find_map(|path| props.pointer(path)?.as_u64())
}

fn in_lm_studio(list: &Value, model: &str) -> Option<Window> {
    let all = list.get("data")?.as_array()?;
    let entry = all
        .iter()
        .find(|entry| entry.get("id").and_then(Value::as_str) == Some(model))?;
    let trained = entry.get("max_context_length").and_then(Value::as_u64);
    let loaded = entry.get("loaded_context_length").and_then(Value::as_u64);
    match loaded {
        Some(tokens) => Some(server(tokens, trained)),
        None => models::read(&json!([entry]))?
            .first()?
            .context_window
            .map(|tokens| Window {
                tokens,
                trained,
                source: WindowSource::List,
            }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ollama_gives_is_told_from_what_a_model_could_have() {
        let shown = json!({
            "parameters": "stop \"<|im_end|>\"\nnum_ctx                        8192",
            "model_info": {"general.architecture": "qwen2", "qwen2.context_length": 32768},
        });
        let bare = json!({"model_info": {"llama.context_length": 131_072}});
        let tiny = json!({"model_info": {"x.context_length": 2048}});
        let loaded = json!({"models": [
            {"name": "other:latest", "context_length": 1},
            {"name": "qwen:latest", "model": "qwen:latest", "context_length": 16384},
        ]});
        let table = [
            (&shown, None, 8_192, Some(32_768), WindowSource::Settings),
            (
                &shown,
                Some(&loaded),
                16_384,
                Some(32_768),
                WindowSource::Server,
            ),
            (&bare, None, 4_096, Some(131_072), WindowSource::Usual),
            (&tiny, None, 2_048, Some(2_048), WindowSource::Usual),
        ];
        for (shown, loaded, tokens, trained, source) in table {
            let window = in_ollama(shown, loaded, "qwen").unwrap();
            assert_eq!(
                window,
                Window {
                    tokens,
                    trained,
                    source
                }
            );
        }
        assert_eq!(in_ollama(&json!({"error": "x"}), None, "qwen"), None);
    }

    #[test]
    fn llama_cpp_and_lm_studio_tell_what_is_in_force() {
        let props = json!({"default_generation_settings": {"n_ctx": 4096}, "total_slots": 1});
        assert_eq!(in_props(&props), Some(4_096));
        assert_eq!(in_props(&json!({})), None);
        let list = json!({"data": [
            {"id": "a", "max_context_length": 32768, "loaded_context_length": 4096},
            {"id": "b", "max_context_length": 8192, "state": "not-loaded"},
        ]});
        assert_eq!(in_lm_studio(&list, "a"), Some(server(4_096, Some(32_768))));
        let b = in_lm_studio(&list, "b").unwrap();
        assert_eq!((b.tokens, b.source), (8_192, WindowSource::List));
        assert_eq!(in_lm_studio(&list, "c"), None);
    }
}
