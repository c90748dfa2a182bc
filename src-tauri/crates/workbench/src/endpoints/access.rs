//! One model, ready to be asked: its client, what it can be trusted with, and what requests to it
//! begin with.

use model::profile::{Counters, Overrule, ProbeResult, Profile, Source, Sourced, cache_key};
use model::servers::Preset;
use model::{ChatRequest, Client, Endpoint, Key, Options};

use crate::error::{Code, Error, Result};

/// A model that is configured, ready to be asked.
pub(crate) struct ModelAccess {
    /// Sends requests to it.
    pub(crate) client: Client,
    /// What it can be trusted with.
    pub(crate) profile: Profile,
    /// Under what its probe and its counters are kept: [`cache_key`].
    pub(crate) key: String,
    /// What is known of it.
    pub(super) known: Known,
}

/// What is known of a model beside its name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Known {
    /// What the probe showed.
    pub(crate) probe: Option<ProbeResult>,
    /// What use showed.
    pub(crate) counters: Counters,
    /// What the user says.
    pub(crate) overrule: Overrule,
}

impl ModelAccess {
    /// A model of which nothing but the name is known.
    pub(super) fn new(endpoint: Endpoint, key: Option<Key>) -> Result<Self> {
        let known = Known::default();
        let options = Options::for_endpoint(&endpoint);
        let client = Client::new(&endpoint, key, options)
            .map_err(|error| Error::from_cause(Code::Model, error))?;
        Ok(Self {
            profile: known.sourced(&endpoint.model).profile,
            key: cache_key(&endpoint.base_url, &endpoint.model, ""),
            client,
            known,
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
    pub(crate) fn limits(&self) -> agent::session::request::Profile {
        agent::session::request::Profile {
            context_window: u32::try_from(self.profile.context_window).unwrap_or(u32::MAX),
            max_output_tokens: self.profile.output_limit(self.profile.max_output_tokens),
        }
    }

    /// Why an answer of `target` tokens to a prompt of `prompt` tokens has no room, with the line
    /// that makes room where the user decides that; `None` where it has, and where nobody but the
    /// model's name tells the window.
    pub(crate) fn too_small(&self, prompt: u64, target: u32) -> Option<String> {
        let needed = self.profile.fits(prompt, target).err()?;
        let endpoint = self.client.endpoint();
        let sourced = self.known.sourced(&endpoint.model);
        if sourced.sources.get("contextWindow") == Some(&Source::Name) {
            return None;
        }
        Some(window_too_small(
            endpoint,
            self.profile.context_window,
            needed,
        ))
    }
}

impl Known {
    /// The profile that this amounts to, with the source of each value.
    pub(crate) fn sourced(&self, model: &str) -> Sourced {
        Sourced::of(model, self.probe.as_ref(), &self.counters, &self.overrule)
    }
}

/// Says that a window is too small, and what raises it.
pub(crate) fn window_too_small(endpoint: &Endpoint, has: u64, needed: u64) -> String {
    let model = &endpoint.model;
    let what = format!("the window of {model} is {has} tokens, and {needed} are needed");
    match Preset::of(&endpoint.base_url).raise_window(model, needed) {
        Some(line) => format!("{what}; start its server with: {line}"),
        None => format!(
            "{what}; choose a model with a larger one, or, where the server gives it more, say so in Settings, Models"
        ),
    }
}
