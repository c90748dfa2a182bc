//! Known kinds of servers, the models they list, and which servers run on this machine.

mod discover;
mod models;
mod template;
mod window;

use serde::{Deserialize, Serialize};

pub use discover::{DiscoveredServer, ServerPort, default_ports, discover};
pub use models::ModelInfo;
pub use window::{Window, WindowSource};

use crate::wire::{Dialect, Field};

/// A kind of server, with its defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// OpenAI.
    #[serde(rename = "openai")]
    OpenAi,
    /// Ollama, running locally.
    Ollama,
    /// LM Studio, running locally.
    LmStudio,
    /// llama.cpp's server, running locally.
    LlamaCpp,
    /// vLLM, usually self-hosted.
    Vllm,
    /// OpenRouter, a gateway to many providers.
    #[serde(rename = "openrouter")]
    OpenRouter,
    /// Any other server.
    Custom,
}

impl Preset {
    /// All kinds, in display order.
    pub const ALL: [Self; 7] = [
        Self::Ollama,
        Self::LmStudio,
        Self::LlamaCpp,
        Self::Vllm,
        Self::OpenAi,
        Self::OpenRouter,
        Self::Custom,
    ];

    /// Its display name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "OpenAI",
            Self::Ollama => "Ollama",
            Self::LmStudio => "LM Studio",
            Self::LlamaCpp => "llama.cpp",
            Self::Vllm => "vLLM",
            Self::OpenRouter => "OpenRouter",
            Self::Custom => "Other address",
        }
    }

    /// Its id in data.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Ollama => "ollama",
            Self::LmStudio => "lm_studio",
            Self::LlamaCpp => "llama_cpp",
            Self::Vllm => "vllm",
            Self::OpenRouter => "openrouter",
            Self::Custom => "custom",
        }
    }

    /// Its usual base URL; empty if the user has to enter it.
    #[must_use]
    pub fn base_url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Ollama => "http://localhost:11434/v1",
            Self::LmStudio => "http://localhost:1234/v1",
            Self::LlamaCpp => "http://localhost:8080/v1",
            Self::Vllm => "http://localhost:8000/v1",
            Self::OpenRouter => "https://openrouter.ai/api/v1",
            Self::Custom => "",
        }
    }

    /// The environment variable commonly used for its key, if it needs one.
    #[must_use]
    pub fn key_variable(self) -> Option<&'static str> {
        match self {
            Self::OpenAi => Some("OPENAI_API_KEY"),
            Self::OpenRouter => Some("OPENROUTER_API_KEY"),
            _ => None,
        }
    }

    /// Its usual port, if it runs locally.
    #[must_use]
    pub fn port(self) -> Option<u16> {
        match self {
            Self::Ollama => Some(11434),
            Self::LmStudio => Some(1234),
            Self::LlamaCpp => Some(8080),
            Self::Vllm => Some(8000),
            _ => None,
        }
    }

    /// The kind suggested by an address. Only a guess, since any server can use any port.
    #[must_use]
    pub fn of(base_url: &str) -> Self {
        let lower = base_url.to_ascii_lowercase();
        let place = lower
            .split_once("://")
            .map_or(lower.as_str(), |(_, rest)| rest);
        let place = place.split('/').next().unwrap_or_default();
        let (host, port) = place.rsplit_once(':').unwrap_or((place, ""));
        if host == "openrouter.ai" || host.ends_with(".openrouter.ai") {
            return Self::OpenRouter;
        }
        if host == "openai.com" || host.ends_with(".openai.com") {
            return Self::OpenAi;
        }
        let port = port.parse().ok();
        Self::ALL
            .into_iter()
            .find(|preset| port.is_some() && preset.port() == port)
            .unwrap_or(Self::Custom)
    }

    /// Its default dialect, before it has rejected anything.
    #[must_use]
    pub fn dialect(self) -> Dialect {
        match self {
            Self::OpenAi => Dialect {
                completion_tokens: true,
                ..Dialect::default()
            },
            // Ollama accepts the field but ignores it.
            Self::Ollama => Dialect {
                without: [Field::ParallelToolCalls].into(),
                ..Dialect::default()
            },
            _ => Dialect::default(),
        }
    }

    /// The command that starts it, if it is self-hosted.
    #[must_use]
    pub fn start_line(self, model: &str) -> Option<String> {
        match self {
            Self::Ollama => Some("ollama serve".to_owned()),
            Self::LmStudio => Some("lms server start".to_owned()),
            Self::LlamaCpp => Some("llama-server --model FILE.gguf --jinja".to_owned()),
            Self::Vllm => Some(format!("vllm serve {model}")),
            Self::OpenAi | Self::OpenRouter | Self::Custom => None,
        }
    }

    /// The command that downloads a model for it, if it has one.
    #[must_use]
    pub fn fetch_line(self, model: &str) -> Option<String> {
        match self {
            Self::Ollama => Some(format!("ollama pull {model}")),
            Self::LmStudio => Some(format!("lms get {model}")),
            Self::LlamaCpp | Self::Vllm | Self::OpenAi | Self::OpenRouter | Self::Custom => None,
        }
    }

    /// The command that gives a model a window of `tokens`, if the user controls it.
    #[must_use]
    pub fn raise_window(self, model: &str, tokens: u64) -> Option<String> {
        match self {
            Self::Ollama => Some(format!("OLLAMA_CONTEXT_LENGTH={tokens} ollama serve")),
            Self::LmStudio => Some(format!("lms load {model} --context-length {tokens}")),
            Self::LlamaCpp => Some(format!("llama-server --ctx-size {tokens} …")),
            Self::Vllm => Some(format!("vllm serve {model} --max-model-len {tokens}")),
            Self::OpenAi | Self::OpenRouter | Self::Custom => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_suggests_a_kind() {
        for preset in Preset::ALL {
            assert_eq!(Preset::of(preset.base_url()), preset);
            assert_eq!(
                serde_json::to_value(preset).unwrap(),
                preset.id(),
                "one name in data"
            );
        }
        let table = [
            ("http://127.0.0.1:11434", Preset::Ollama),
            ("https://eu.api.openai.com/v1", Preset::OpenAi),
            ("https://openai.com.example.org/v1", Preset::Custom),
            ("https://notopenrouter.ai/api", Preset::Custom),
            ("http://[::1]:8000/v1", Preset::Vllm),
            ("http://host/v1:8000", Preset::Custom),
        ];
        for (address, expected) in table {
            assert_eq!(Preset::of(address), expected, "{address}");
        }
    }

    #[test]
    fn a_window_is_raised_where_the_user_decides() {
        let line = Preset::Ollama.raise_window("qwen3:8b", 16_384).unwrap();
        assert!(line.contains("16384"));
        assert_eq!(Preset::OpenAi.raise_window("m", 1), None);
    }
}
