//! A model that is ready for requests: its client, its profile, and the common fields of its
//! requests.

use model::profile::{Counters, Overrides, ProbeResult, Profile, Source, Sourced};
use model::servers::Preset;
use model::{ChatRequest, Client, Dialect, Endpoint, Field, Key, Options};

use super::problem::{self, SmallWindow};
use super::server_info::ServerInfo;
use super::stored::ProfileKey;
use crate::error::{Code, Error, Result};

/// A configured model, ready for requests.
pub struct ModelAccess {
    pub(crate) client: Client,
    /// The model's capabilities.
    pub(crate) profile: Profile,
    /// The key of the model's row in the database.
    pub(crate) profile_key: ProfileKey,
    pub(crate) known: Known,
    /// Whether a good reply was counted but not yet stored.
    pub(super) is_unkept: bool,
}

/// Knowledge about a model beyond its name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Known {
    pub(crate) server_info: Option<ServerInfo>,
    pub(crate) probe: Option<ProbeResult>,
    pub(crate) probed_ms: Option<i64>,
    /// Counts of faults in its replies.
    pub(crate) counters: Counters,
    /// Request features that its server refused.
    pub(crate) dialect: Option<Dialect>,
    pub(crate) overrule: Overrides,
}

impl ModelAccess {
    /// A model with the given knowledge. Fails with [`Code::Model`] if the client can't be created.
    pub(crate) fn new(
        endpoint: Endpoint,
        key: Option<Key>,
        profile_key: ProfileKey,
        known: Known,
    ) -> Result<Self> {
        let options = Options {
            dialect: known.dialect.clone(),
            ..Options::for_endpoint(&endpoint)
        };
        let client = Client::new(&endpoint, key, options)
            .map_err(|error| Error::from_cause(Code::Model, error))?;
        Ok(Self {
            profile: known.sourced(&endpoint.model).profile,
            client,
            profile_key,
            known,
            is_unkept: false,
        })
    }

    /// The common fields of a request: reasoning and verbosity, no parallel calls unless supported,
    /// and an output limit that leaves `target` tokens for the answer.
    pub(crate) fn request(&self, target: u32) -> ChatRequest {
        ChatRequest {
            max_output_tokens: Some(self.profile.output_limit(target)),
            reasoning: self.profile.reasoning,
            verbosity: self.profile.verbosity,
            parallel_calls: (!self.profile.parallel_calls).then_some(false),
            ..ChatRequest::default()
        }
    }

    /// The window and output limits for a session.
    pub fn limits(&self) -> agent::session::request::Profile {
        agent::session::request::Profile {
            context_window: u32::try_from(self.profile.context_window).unwrap_or(u32::MAX),
            max_output_tokens: self.profile.output_limit(self.profile.max_output_tokens),
        }
    }

    /// Why a prompt of `prompt` tokens and an answer of `target` tokens don't fit, with the command
    /// that enlarges the window if the user runs the server. `None` if they fit, or if the window
    /// is only guessed from the model's name.
    pub(crate) fn too_small(&self, prompt: u64, target: u32) -> Option<String> {
        let endpoint = self.client.endpoint();
        self.known
            .too_small(endpoint, prompt, target)
            .map(|small| small.sentence())
    }

    /// Whether to request a JSON schema: it is supported, or support is unknown. If the server
    /// refuses it, the request is repeated without it.
    pub(crate) fn may_hold_to_a_schema(&self) -> bool {
        let sourced = self.known.sourced(&self.client.endpoint().model);
        let source = sourced.sources.get("supportsStructuredOutput");
        self.profile.supports_structured_output || matches!(source, None | Some(Source::Name))
    }

    /// Whether the server is known to enforce a schema and hasn't refused one since.
    pub(crate) fn holds_to_a_schema(&self) -> bool {
        let given_up = self.client.dialect().without;
        self.profile.supports_structured_output && !given_up.contains(&Field::ResponseFormat)
    }

    /// Recomputes the profile from what is known about the model.
    pub(super) fn settle(&mut self) {
        self.profile = self.known.sourced(&self.client.endpoint().model).profile;
    }
}

impl Known {
    /// The resulting profile, with the source of each value.
    pub(crate) fn sourced(&self, model: &str) -> Sourced {
        self.sourced_with(model, &self.overrule)
    }

    /// Like [`Known::sourced`], without the user's overrides.
    pub(crate) fn found(&self, model: &str) -> Sourced {
        self.sourced_with(model, &Overrides::default())
    }

    fn sourced_with(&self, model: &str, overrule: &Overrides) -> Sourced {
        // The server's current window overrides the one from the probe.
        let told = self
            .server_info
            .as_ref()
            .and_then(|server_info| server_info.window);
        let probe = match (&self.probe, told) {
            (None, None) => None,
            (probe, told) => {
                let probe = probe.clone().unwrap_or_default();
                let window = told.or(probe.window);
                Some(ProbeResult { window, ..probe })
            }
        };
        Sourced::of(model, probe.as_ref(), &self.counters, overrule)
    }

    /// The kind of server; [`Preset::Custom`] if unknown.
    pub(crate) fn server(&self, endpoint: &Endpoint) -> Preset {
        match Preset::of(&endpoint.base_url) {
            Preset::Custom => self
                .server_info
                .as_ref()
                .map_or(Preset::Custom, |server_info| server_info.server),
            usual => usual,
        }
    }

    /// Like [`ModelAccess::too_small`], but gives the sizes instead of a message.
    pub(crate) fn too_small(
        &self,
        endpoint: &Endpoint,
        prompt: u64,
        target: u32,
    ) -> Option<SmallWindow> {
        let sourced = self.sourced(&endpoint.model);
        if sourced.sources.get("contextWindow") == Some(&Source::Name) {
            return None;
        }
        let needed = sourced.profile.fits(prompt, target).err()?;
        let has = sourced.profile.context_window;
        Some(problem::window(
            endpoint,
            self.server(endpoint),
            has,
            needed,
        ))
    }
}
