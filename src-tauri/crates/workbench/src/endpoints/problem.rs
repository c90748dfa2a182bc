//! Problems with models and how to fix them, worded the same in the window and the terminal.
//!
//! Pure. Contains no key: a server's own message comes through [`ModelError`], which removes keys.

use model::servers::Preset;
use model::{Endpoint, KeyError, ModelError};

use super::configured::{BASE_URL, MODEL};
use super::key_lookup::API_KEY;
use crate::text::sentence;
use crate::wire::models::ModelProblem;

fn problem(kind: &str, title: &str, message: impl Into<String>) -> ModelProblem {
    ModelProblem {
        kind: kind.to_owned(),
        title: title.to_owned(),
        message: message.into(),
        help: Vec::new(),
        line: None,
        models: Vec::new(),
    }
}

/// The problem to show if no model is configured.
pub fn none() -> ModelProblem {
    ModelProblem {
        help: vec![
            "Choose a model found on this machine, or another endpoint, in Settings → Models."
                .to_owned(),
            format!("Or set {BASE_URL} and {MODEL}, and {API_KEY} if it needs a key."),
        ],
        ..problem(
            "no_endpoint",
            "No model is set up",
            "Planning with a model needs an OpenAI-compatible endpoint. Without one, Planwright plans with templates and rules, and steps with commands still run.",
        )
    }
}

/// The problem to show if the configured endpoint is invalid.
pub fn unusable(message: &str) -> ModelProblem {
    ModelProblem {
        help: vec!["Choose a server and a model in Settings → Models.".to_owned()],
        ..problem("model_endpoint", "The endpoint is incomplete", message)
    }
}

/// The problem to show if the key can't be read.
pub fn key(error: &KeyError, endpoint: &Endpoint) -> ModelProblem {
    let variable = endpoint.key_variable.as_deref().unwrap_or(API_KEY);
    let in_environment = format!("Or set {variable} in the environment that starts Planwright.");
    let (title, help) = match error {
        KeyError::Missing { .. } => (
            "API key missing",
            vec!["Enter it in Settings → Models.".to_owned(), in_environment],
        ),
        KeyError::NoKeyring { .. } => (
            "API key missing, and no keyring found",
            vec![
                format!("Set {variable} in the environment that starts Planwright."),
                "Or enter it in Settings → Models until Planwright closes.".to_owned(),
            ],
        ),
        KeyError::Locked { .. } => (
            "The keyring is locked",
            vec!["Unlock it and try again.".to_owned(), in_environment],
        ),
        KeyError::Malformed => (
            "Invalid API key",
            vec![format!(
                "Check the value of {variable}: an API key can't contain spaces."
            )],
        ),
    };
    ModelProblem {
        help,
        ..problem("key_missing", title, sentence(&error.to_string()))
    }
}

/// A window that is too small for a request.
pub struct SmallWindow {
    /// The sizes of the window and the request, as the start of a sentence.
    what: String,
    /// The command that enlarges it, if the user runs the server.
    line: Option<String>,
}

/// Describes a window that is too small, and how to enlarge it.
pub fn window(endpoint: &Endpoint, server: Preset, has: u64, needed: u64) -> SmallWindow {
    let model = &endpoint.model;
    SmallWindow {
        what: format!("the context window of {model} is {has} tokens, but {needed} are needed"),
        line: server.raise_window(model, needed),
    }
}

impl SmallWindow {
    /// Describes the problem and how to fix it in one line, for an error.
    pub fn sentence(&self) -> String {
        match &self.line {
            Some(line) => format!("{}; start its server with: {line}", self.what),
            None => format!(
                "{}; choose a model with a larger window, or set “Window” in Settings → Models if the server allows more",
                self.what
            ),
        }
    }

    /// A problem for display.
    pub fn problem(self) -> ModelProblem {
        let first = match &self.line {
            Some(_) => "Restart its server with the command below, then retry.",
            None => "Choose a model with a larger window.",
        };
        let second = "If the server allows more than it reports, set “Window” below.";
        ModelProblem {
            help: vec![first.to_owned(), second.to_owned()],
            line: self.line,
            ..problem(
                "model_window_exceeded",
                "The context window is too small for planning",
                sentence(&self.what),
            )
        }
    }
}

/// The problem to show for a failed request.
pub fn failed(
    error: &ModelError,
    endpoint: &Endpoint,
    server: Preset,
    listed: &[String],
) -> ModelProblem {
    let address = &endpoint.base_url;
    let model = &endpoint.model;
    let base = |title: &str, help: Vec<String>| ModelProblem {
        help,
        ..problem(error.code(), title, sentence(&error.to_string()))
    };
    match error {
        ModelError::Unreachable { .. } => ModelProblem {
            line: server.start_line(model),
            ..base(
                "Server not responding",
                vec![
                    match server.start_line(model) {
                        Some(_) => format!("Start {} with the command below.", server.name()),
                        None => {
                            format!("Check that the server at {address} is running and reachable.")
                        }
                    },
                    "Or correct the address in Settings → Models.".to_owned(),
                ],
            )
        },
        ModelError::KeyRefused { .. } => base(
            "API key rejected",
            vec![
                "Enter the correct key in Settings → Models.".to_owned(),
                "Check that the key belongs to this server and can use this model.".to_owned(),
            ],
        ),
        ModelError::UnknownModel { .. } => ModelProblem {
            line: server.fetch_line(model),
            models: near(model, listed),
            ..base(
                "Model not found on the server",
                vec![match server.fetch_line(model) {
                    Some(_) => {
                        format!(
                            "Choose an available model, or download {model} with the command below."
                        )
                    }
                    None => "Choose an available model.".to_owned(),
                }],
            )
        },
        ModelError::NotAnEndpoint { .. }
        | ModelError::NotJson { .. }
        | ModelError::Redirected { .. } => base(
            "This address isn't a model endpoint",
            vec![match address.trim_end_matches('/').ends_with("/v1") {
                true => "Correct the address in Settings → Models.".to_owned(),
                false => format!(
                    "Try {}/v1, the usual endpoint address.",
                    address.trim_end_matches('/')
                ),
            }],
        ),
        ModelError::TooLarge { window, .. } => {
            let needed = window.map_or(8_192, |window| window.saturating_mul(2));
            ModelProblem {
                line: server.raise_window(model, needed),
                ..base(
                    "The request exceeds the model's context window",
                    vec![match server.raise_window(model, needed) {
                        Some(_) => {
                            "Restart its server with the command below, then retry.".to_owned()
                        }
                        None => "Choose a model with a larger window.".to_owned(),
                    }],
                )
            }
        }
        ModelError::RateLimited { .. } => base(
            "Rate limit reached",
            vec!["Try again later, or choose another model.".to_owned()],
        ),
        ModelError::NoCredit { .. } => base(
            "The account is out of credit",
            vec!["Add credit with your provider, or choose another endpoint.".to_owned()],
        ),
        ModelError::Stalled { .. } => base(
            "No response from the server",
            vec![
                "Loading a model can take several minutes. Try again.".to_owned(),
                "Check the server's log.".to_owned(),
            ],
        ),
        ModelError::Server { .. } | ModelError::Reported { .. } | ModelError::Cut => base(
            "Server error",
            vec![
                "Try again.".to_owned(),
                "Check the server's log; the model may not fit in memory.".to_owned(),
            ],
        ),
        ModelError::Endpoint(_) | ModelError::Setup(_) => base(
            "Invalid endpoint",
            vec!["Correct it in Settings → Models.".to_owned()],
        ),
        ModelError::Cancelled => base("Cancelled", Vec::new()),
        ModelError::NoTools { .. } | ModelError::Refused { .. } | ModelError::TooLong { .. } => {
            base(
                "The server rejected the request",
                vec!["Choose another model, or check the server's log.".to_owned()],
            )
        }
    }
}

/// Up to 12 of the listed names, those most similar to `wanted` first.
fn near(wanted: &str, listed: &[String]) -> Vec<String> {
    const MAX_MODELS: usize = 12;
    let mut names: Vec<&String> = listed.iter().collect();
    names.sort_by_cached_key(|name| {
        let begins = name.starts_with(wanted) || wanted.starts_with(name.as_str());
        (!begins, strsim::osa_distance(wanted, name))
    });
    names.into_iter().take(MAX_MODELS).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint() -> Endpoint {
        Endpoint {
            base_url: "http://localhost:11434/v1".to_owned(),
            model: "qwen2.5-coder".to_owned(),
            key_variable: None,
        }
    }

    #[test]
    fn each_failure_says_what_helps() {
        let unknown = ModelError::UnknownModel {
            model: "qwen2.5-coder".to_owned(),
            said: String::new(),
        };
        let listed = ["llama3.2:3b", "qwen2.5-coder:7b"].map(str::to_owned);
        let shown = failed(&unknown, &endpoint(), Preset::Ollama, &listed);
        assert_eq!(shown.kind, "model_unknown");
        assert_eq!(shown.models[0], "qwen2.5-coder:7b");
        assert_eq!(shown.line.as_deref(), Some("ollama pull qwen2.5-coder"));

        let unreachable = ModelError::Unreachable {
            address: "http://localhost:11434/v1".to_owned(),
            why: "connection refused".to_owned(),
        };
        let shown = failed(&unreachable, &endpoint(), Preset::Ollama, &[]);
        assert_eq!(shown.line.as_deref(), Some("ollama serve"));

        let elsewhere = ModelError::NotAnEndpoint {
            address: "http://localhost:11434/chat/completions".to_owned(),
            status: 404,
        };
        let bare = Endpoint {
            base_url: "http://localhost:11434".to_owned(),
            ..endpoint()
        };
        let shown = failed(&elsewhere, &bare, Preset::Ollama, &[]);
        assert!(
            shown.help[0].contains("http://localhost:11434/v1"),
            "{shown:?}"
        );
    }

    #[test]
    fn a_small_window_says_the_line_that_raises_it() {
        let small = window(&endpoint(), Preset::Ollama, 4_096, 8_192);
        let raise = "OLLAMA_CONTEXT_LENGTH=8192 ollama serve";
        assert!(small.sentence().contains("4096") && small.sentence().contains(raise));
        let shown = small.problem();
        assert_eq!(shown.line.as_deref(), Some(raise));
        assert!(!shown.message.contains(raise), "the line is said once");
        let hosted = window(&endpoint(), Preset::OpenAi, 4_096, 8_192);
        assert!(hosted.sentence().contains("Settings"));
        assert_eq!(hosted.problem().line, None);
    }

    #[test]
    fn a_missing_keyring_names_the_environment() {
        let error = KeyError::NoKeyring {
            variable: "MY_KEY".to_owned(),
        };
        let endpoint = Endpoint {
            key_variable: Some("MY_KEY".to_owned()),
            ..endpoint()
        };
        let shown = key(&error, &endpoint);
        assert!(shown.help[0].contains("MY_KEY"), "{shown:?}");
    }
}
