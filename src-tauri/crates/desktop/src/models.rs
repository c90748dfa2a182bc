//! Viewing and choosing models. At most one job runs with the active model at a time: a probe in
//! the background, or a connection test that the person waits for.
//!
//! Anything that may wait for the network or the keyring uses its own connection, so that other
//! calls of the window aren't held up.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use tools::sandbox::CancelToken;

use crate::wire::{
    ConnectionTrial, DesktopEvent, ModelChoice, ModelJob, ModelKeyView, ModelsView, ServerFound,
    ServerModels,
};
use crate::{Desktop, Shared, lock};
use workbench::Workbench;
use workbench::environment::token;
use workbench::error::{Code, Error, Result};

/// The running job of the active model.
#[derive(Default)]
pub(crate) struct ModelJobs {
    now: Mutex<Option<Job>>,
    count: AtomicU64,
}

struct Job {
    view: ModelJob,
    cancel: CancelToken,
    number: u64,
}

impl ModelJobs {
    /// Starts a job, cancelling the previous one; returns its number.
    fn begin(&self, kind: &str, model: String) -> Result<(u64, CancelToken)> {
        let cancel = token()?;
        let mut now = lock(&self.now);
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(before) = now.take() {
            before.cancel.cancel();
        }
        *now = Some(Job {
            view: ModelJob {
                kind: kind.to_owned(),
                model,
                probe: None,
            },
            cancel: cancel.clone(),
            number,
        });
        Ok((number, cancel))
    }

    /// Updates the status of a job if it is still the current one.
    fn tell(&self, number: u64, change: impl FnOnce(&mut ModelJob)) {
        if let Some(job) = lock(&self.now).as_mut()
            && job.number == number
        {
            change(&mut job.view);
        }
    }

    /// Ends a job if it is still the current one.
    fn end(&self, number: u64) {
        let mut now = lock(&self.now);
        if now.as_ref().is_some_and(|job| job.number == number) {
            *now = None;
        }
    }
}

impl Desktop {
    /// The configured models and what is known about them.
    pub fn models(&self) -> Result<ModelsView> {
        self.shared.workbench().models(None)
    }

    /// Whether the active model's key is available. May wait for the keyring.
    pub fn model_key(&self) -> Result<ModelKeyView> {
        self.shared.workbench().again()?.model_key(None)
    }

    /// Finds model servers on this machine.
    pub fn find_models(&self) -> Result<Vec<ServerFound>> {
        let bench = self.shared.workbench().again()?;
        bench.find_models(&token()?)
    }

    /// Lists a server's models.
    pub fn server_models(
        &self,
        base_url: &str,
        key_variable: Option<&str>,
    ) -> Result<ServerModels> {
        let bench = self.shared.workbench().again()?;
        bench.server_models(base_url, key_variable, &token()?)
    }

    /// Makes a model the active one in the user's settings, and probes it in the background if
    /// nothing is known about it. `None` removes the endpoint from the settings.
    pub fn choose_model(&self, choice: Option<ModelChoice>) -> Result<()> {
        self.cancel_model_job();
        let value = choice.as_ref().map(|choice| {
            let mut endpoint = json!({
                "base_url": choice.base_url.trim(),
                "model": choice.model.trim(),
            });
            if let Some(variable) = &choice.key_variable {
                endpoint["key_variable"] = json!(variable);
            }
            endpoint.to_string()
        });
        self.set_setting("endpoint", value.as_deref())?;
        self.shared.models_changed();
        if choice.is_some() {
            let view = self.models()?;
            if view.in_force.is_some_and(|model| model.probe.is_none()) {
                self.probe_model()?;
            }
        }
        Ok(())
    }

    /// Stores a key under a name: in the keyring, or in memory until the program ends.
    pub fn keep_model_key(&self, variable: &str, key: &str, in_keyring: bool) -> Result<()> {
        let bench = self.shared.workbench().again()?;
        bench.keep_model_key(variable, key, in_keyring)?;
        self.shared.models_changed();
        Ok(())
    }

    /// Deletes a key.
    pub fn forget_model_key(&self, variable: &str) -> Result<()> {
        self.shared
            .workbench()
            .again()?
            .forget_model_key(variable)?;
        self.shared.models_changed();
        Ok(())
    }

    /// Tests the connection to the active model; [`Desktop::cancel_model_job`] cancels it.
    pub fn try_model(&self) -> Result<ConnectionTrial> {
        let bench = self.shared.workbench().again()?;
        let (number, cancel) = self.shared.model_jobs.begin("trial", name_of(&bench)?)?;
        self.shared.models_changed();
        let trial = bench.try_model(None, &cancel);
        self.shared.model_jobs.end(number);
        self.shared.models_changed();
        trial
    }

    /// Probes the active model in the background and reports through events.
    ///
    /// # Errors
    /// [`Code::Storage`], [`Code::Failed`] if no thread can be started.
    pub fn probe_model(&self) -> Result<()> {
        let bench = self.shared.workbench().again()?;
        let (number, cancel) = self.shared.model_jobs.begin("probe", name_of(&bench)?)?;
        self.shared.models_changed();
        let shared = std::sync::Arc::clone(&self.shared);
        let probe = move || {
            let mut told = |view| {
                shared.model_jobs.tell(number, |job| job.probe = Some(view));
                shared.models_changed();
            };
            let probed = bench.probe_model(None, &cancel, &mut told);
            shared.model_jobs.end(number);
            if let Err(error) = probed
                && error.code != Code::Cancelled
            {
                let message = error.message;
                shared.events.send(DesktopEvent::Notice {
                    about: None,
                    message,
                });
            }
            shared.models_changed();
        };
        let thread = std::thread::Builder::new().name("probe".to_owned());
        if let Err(error) = thread.spawn(probe) {
            self.shared.model_jobs.end(number);
            return Err(Error::from_cause(Code::Failed, error));
        }
        Ok(())
    }

    /// The running job of the active model.
    pub fn model_job(&self) -> Option<ModelJob> {
        let now = lock(&self.shared.model_jobs.now);
        now.as_ref().map(|job| job.view.clone())
    }

    /// Cancels the running job; what a probe has found so far is kept.
    pub fn cancel_model_job(&self) {
        if let Some(job) = lock(&self.shared.model_jobs.now).as_ref() {
            job.cancel.cancel();
        }
    }

    /// Overrides one value in the active model's profile, given as JSON; `None` removes the
    /// override.
    pub fn overrule_model(&self, name: &str, value: Option<&str>) -> Result<()> {
        let value = value.map(serde_json::from_str).transpose();
        let value = value.map_err(|error| Error::from_cause(Code::Usage, error))?;
        let overruled = self.shared.workbench().overrule_model(None, name, value);
        self.shared.models_changed();
        overruled
    }

    /// Deletes everything learned about the active model from probes and use.
    pub fn forget_model(&self) -> Result<()> {
        self.shared.workbench().forget_model()?;
        self.shared.models_changed();
        Ok(())
    }
}

impl Shared {
    fn models_changed(&self) {
        self.events.send(DesktopEvent::Models);
    }
}

/// The name of the active model; empty if there is none.
fn name_of(bench: &Workbench) -> Result<String> {
    let view = bench.models(None)?;
    Ok(view.in_force.map_or_else(String::new, |model| model.model))
}
