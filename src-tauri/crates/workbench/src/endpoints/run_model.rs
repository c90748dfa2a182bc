//! The model that carries out the steps of a run.

use agent::micro_planning::RunChoice;
use model::profile::Profile;

use crate::Workbench;

impl Workbench {
    /// The name and profile of the model for a run's steps; `None` if no usable model is
    /// configured. Sends no request and reads no key.
    pub fn profile_of_run(&self, choice: &RunChoice) -> Option<(String, Profile)> {
        let flag = choice.model.as_deref();
        if flag == Some("") {
            return None;
        }
        // A bad configuration is reported when the model is used.
        let named = self.configured_model(flag).ok().flatten()?;
        let (_, known) = self.known_of(&named.endpoint).ok()?;
        let name = named.endpoint.model;
        let profile = known.sourced(&name).profile;
        Some((name, profile))
    }

    /// The name of the model that carries out a run started with this choice.
    pub(crate) fn model_of_run(&self, choice: &RunChoice) -> Option<String> {
        self.profile_of_run(choice).map(|(name, _)| name)
    }
}
