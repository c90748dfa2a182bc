//! How much a model can hold at its server, from the server itself.
//!
//! What a model was trained for is not what a server gives it: Ollama cuts a longer request without
//! a word. So the two are kept apart.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{Preset, models};
use crate::{Client, ModelError};

/// How long one question may take.
const LIMIT: Duration = Duration::from_secs(5);

/// What Ollama gives a model when nobody said otherwise, in the versions that give the least.
const OLLAMA_UNSAID: u64 = 4_096;

/// A window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// The tokens that a request and its answer may have together.
    pub tokens: u64,
    /// The most the model could have, where the server tells.
    pub trained: Option<u64>,
    /// Where this is known from.
    pub source: WindowSource,
}

/// Where a window is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowSource {
    /// The server says what is in force.
    Server,
    /// The server's list of models says it.
    List,
    /// The model's settings at the server say it.
    Settings,
    /// It is what this kind of server does when nothing was set.
    Usual,
}

impl Client {
    /// The model's window, where the server tells or its kind is known to have one.
    ///
    /// Asks at most four small questions; a server that does not know one of them is asked the next.
    ///
    /// # Errors
    /// Only [`ModelError::Cancelled`], and what says that nobody is there or the key is refused.
    pub async fn window(&self, cancel: &CancellationToken) -> Result<Option<Window>, ModelError> {
        let model = self.endpoint().model.clone();
        let guess = Preset::of(&self.endpoint().base_url);
        if matches!(guess, Preset::Ollama | Preset::Custom)
            && let Some(found) = self.ollama(&model, cancel).await?
        {
            return Ok(Some(found));
        }
        if matches!(guess, Preset::LlamaCpp | Preset::Custom)
            && let Some(props) = self.told("props", None, cancel).await?
            && let Some(tokens) = in_props(&props)
        {
            return Ok(Some(server(tokens, None)));
        }
        if guess == Preset::LmStudio
            && let Some(list) = self.told("api/v0/models", None, cancel).await?
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
        let Some(shown) = self.told("api/show", Some(&question), cancel).await? else {
            return Ok(None);
        };
        let loaded = self.told("api/ps", None, cancel).await?;
        Ok(in_ollama(&shown, loaded.as_ref(), model))
    }

    /// What the server says at a path beside `/v1`; `None` where it has no such path.
    pub(super) async fn told(
        &self,
        path: &str,
        body: Option<&Value>,
        cancel: &CancellationToken,
    ) -> Result<Option<Value>, ModelError> {
        let address = self.endpoint().server_url(path);
        match self.json(&address, body, LIMIT, cancel).await {
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
            tokens: trained.map_or(OLLAMA_UNSAID, |most| most.min(OLLAMA_UNSAID)),
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
