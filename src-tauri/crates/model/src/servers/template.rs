//! The prompt template a server uses for a model. The same weights with another template count as
//! another model.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use super::Preset;
use crate::{Client, ModelError};

impl Client {
    /// A short name for the model's template, for [`cache_key`](crate::profile::cache_key); empty
    /// if the server doesn't report one. Fails like [`Client::window`].
    pub async fn template(&self, cancel: &CancellationToken) -> Result<String, ModelError> {
        let question = json!({ "model": self.endpoint().model });
        let places = [
            (Preset::Ollama, "api/show", Some(&question)),
            (Preset::LlamaCpp, "props", None),
        ];
        let kind = Preset::of(&self.endpoint().base_url);
        for (preset, path, body) in places {
            if kind != preset && kind != Preset::Custom {
                continue;
            }
            let told = self.fetch_optional(path, body, cancel).await?;
            if let Some(name) = told.as_ref().and_then(name) {
                return Ok(name);
            }
        }
        Ok(String::new())
    }
}

/// The first 12 characters of a hash of the template and other values that distinguish builds of a
/// model.
fn name(told: &Value) -> Option<String> {
    let template = ["template", "chat_template"]
        .iter()
        .find_map(|name| told.get(*name)?.as_str())?;
    let build = told.pointer("/details/quantization_level");
    let mut hash = Sha256::new();
    hash.update(template);
    hash.update([0]);
    hash.update(build.and_then(Value::as_str).unwrap_or_default());
    let hash = hash.finalize();
    Some(
        hash.iter()
            .take(6)
            .map(|byte| format!("{byte:02x}"))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_has_a_name_of_its_own() {
        let of = |template: &str, build: &str| {
            name(&json!({"template": template, "details": {"quantization_level": build}})).unwrap()
        };
        assert_eq!(of("a", "Q4").len(), 12);
        assert_eq!(of("a", "Q4"), of("a", "Q4"));
        assert_ne!(of("a", "Q4"), of("b", "Q4"));
        assert_ne!(of("a", "Q4"), of("a", "Q8"));
        assert_eq!(name(&json!({"chat_template": "a"})).unwrap().len(), 12);
        assert_eq!(name(&json!({"models": []})), None);
    }
}
