//! One model, ready to be asked: its client, what it can be trusted with, and what requests to it
//! begin with.

use model::profile::{Counters, Overrule, ProbeResult, Profile, Source, Sourced};
use model::servers::Preset;
use model::{ChatRequest, Client, Dialect, Endpoint, Field, Key, Options};

use super::kept::Place;
use super::looking::Looked;
use super::problem::{self, SmallWindow};
use crate::error::{Code, Error, Result};

/// A model that is configured, ready to be asked.
pub struct ModelAccess {
    /// Sends requests to it.
    pub(crate) client: Client,
    /// What it can be trusted with.
    pub(crate) profile: Profile,
    /// Under what its probe and its counters are kept.
    pub(crate) place: Place,
    /// What is known of it.
    pub(crate) known: Known,
    /// Whether something good was noted that is not kept yet.
    pub(super) is_unkept: bool,
}

/// What is known of a model beside its name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Known {
    /// What its server tells.
    pub(crate) looked: Option<Looked>,
    /// What the probe showed.
    pub(crate) probe: Option<ProbeResult>,
    /// When it was probed.
    pub(crate) probed_ms: Option<i64>,
    /// What use showed.
    pub(crate) counters: Counters,
    /// What its server was seen to refuse.
    pub(crate) dialect: Option<Dialect>,
    /// What the user says.
    pub(crate) overrule: Overrule,
}

impl ModelAccess {
    /// A model with what is known of it.
    /// Fails with [`Code::Model`] where no connection can be prepared.
    pub(crate) fn new(
        endpoint: Endpoint,
        key: Option<Key>,
        place: Place,
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
            place,
            known,
            is_unkept: false,
        })
    }

    /// What every request to it begins with: the settings for thinking and verbosity, no more calls
    /// at once than it can write, and a limit that leaves `target` tokens for the answer.
    pub(crate) fn request(&self, target: u32) -> ChatRequest {
        ChatRequest {
            max_output_tokens: Some(self.profile.output_limit(target)),
            reasoning: self.profile.reasoning,
            verbosity: self.profile.verbosity,
            parallel_calls: (!self.profile.parallel_calls).then_some(false),
            ..ChatRequest::default()
        }
    }

    /// The window and the longest answer, as a session counts with them.
    pub fn limits(&self) -> agent::session::request::Profile {
        agent::session::request::Profile {
            context_window: u32::try_from(self.profile.context_window).unwrap_or(u32::MAX),
            max_output_tokens: self.profile.output_limit(self.profile.max_output_tokens),
        }
    }

    /// Why an answer of `target` tokens to a prompt of `prompt` tokens has no room, with the line
    /// that makes room where the user decides that; `None` where it has, or where the window is no
    /// more than a guess by the model's name.
    pub(crate) fn too_small(&self, prompt: u64, target: u32) -> Option<String> {
        let endpoint = self.client.endpoint();
        self.known
            .too_small(endpoint, prompt, target)
            .map(|small| small.sentence())
    }

    /// Whether a schema is worth asking for: it is kept to, or nobody has seen that it is not. A server
    /// that refuses it is asked without it.
    pub(crate) fn may_hold_to_a_schema(&self) -> bool {
        let sourced = self.known.sourced(&self.client.endpoint().model);
        let source = sourced.sources.get("supportsStructuredOutput");
        self.profile.supports_structured_output || matches!(source, None | Some(Source::Name))
    }

    /// Whether the server was seen to hold the model to a schema, and did not refuse one since.
    pub(crate) fn holds_to_a_schema(&self) -> bool {
        let given_up = self.client.dialect().without;
        self.profile.supports_structured_output && !given_up.contains(&Field::ResponseFormat)
    }

    /// Takes in what is known now.
    pub(super) fn settle(&mut self) {
        self.profile = self.known.sourced(&self.client.endpoint().model).profile;
    }
}

impl Known {
    /// The profile that this amounts to, with the source of each value.
    pub(crate) fn sourced(&self, model: &str) -> Sourced {
        self.sourced_with(model, &self.overrule)
    }

    /// The same without the user's word.
    pub(crate) fn found(&self, model: &str) -> Sourced {
        self.sourced_with(model, &Overrule::default())
    }

    fn sourced_with(&self, model: &str, overrule: &Overrule) -> Sourced {
        // What the server says today goes over what it said when it was probed.
        let told = self.looked.as_ref().and_then(|looked| looked.window);
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

    /// The kind of its server, as far as it is known.
    pub(crate) fn server(&self, endpoint: &Endpoint) -> Preset {
        match Preset::of(&endpoint.base_url) {
            Preset::Custom => self
                .looked
                .as_ref()
                .map_or(Preset::Custom, |looked| looked.server),
            usual => usual,
        }
    }

    /// As [`ModelAccess::too_small`], not in words yet.
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
