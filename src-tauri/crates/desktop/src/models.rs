//! Models, as the window shows and chooses them. At most one job with the model in force goes on at
//! a time: a probe in the background, or a trial that the person waits for.
//!
//! Whatever may wait for the network or the keyring has a connection of its own, so that no other
//! call of the window waits with it.

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

/// What is under way with the model in force.
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
    /// Begins a job in place of the one before, which is cancelled; answers its number.
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

    /// Changes what is told of a job, if it is still the one under way.
    fn tell(&self, number: u64, change: impl FnOnce(&mut ModelJob)) {
        if let Some(job) = lock(&self.now).as_mut()
            && job.number == number
        {
            change(&mut job.view);
        }
    }

    /// Ends a job, if it is still the one under way.
    fn end(&self, number: u64) {
        let mut now = lock(&self.now);
        if now.as_ref().is_some_and(|job| job.number == number) {
            *now = None;
        }
    }
}

impl Desktop {
    /// What is configured, and what is known of it.
    pub fn models(&self) -> Result<ModelsView> {
        self.shared.workbench().models(None)
    }

    /// Whether the key of the model in force is there. May wait for the keyring.
    pub fn model_key(&self) -> Result<ModelKeyView> {
        self.shared.workbench().again()?.model_key(None)
    }

    /// The servers that answer on this machine.
    pub fn find_models(&self) -> Result<Vec<ServerFound>> {
        let bench = self.shared.workbench().again()?;
        bench.find_models(&token()?)
    }

    /// The models that a server lists.
    pub fn server_models(
        &self,
        base_url: &str,
        key_variable: Option<&str>,
    ) -> Result<ServerModels> {
        let bench = self.shared.workbench().again()?;
        bench.server_models(base_url, key_variable, &token()?)
    }

    /// Makes a model the one to ask, in the user's settings, and has it probed in the background
    /// where nothing is known of it. `None` takes the endpoint out of the settings.
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

    /// Keeps a key under a name: in the keyring, or only until the program ends.
    pub fn keep_model_key(&self, variable: &str, key: &str, in_keyring: bool) -> Result<()> {
        let bench = self.shared.workbench().again()?;
        bench.keep_model_key(variable, key, in_keyring)?;
        self.shared.models_changed();
        Ok(())
    }

    /// Forgets a key.
    pub fn forget_model_key(&self, variable: &str) -> Result<()> {
        self.shared
            .workbench()
            .again()?
            .forget_model_key(variable)?;
        self.shared.models_changed();
        Ok(())
    }

    /// Tries the connection to the model in force; [`Desktop::cancel_model_job`] ends it.
    pub fn try_model(&self) -> Result<ConnectionTrial> {
        let bench = self.shared.workbench().again()?;
        let (number, cancel) = self.shared.model_jobs.begin("trial", name_of(&bench)?)?;
        self.shared.models_changed();
        let trial = bench.try_model(None, &cancel);
        self.shared.model_jobs.end(number);
        self.shared.models_changed();
        trial
    }

    /// Probes the model in force in the background, and tells of it through events.
    ///
    /// # Errors
    /// [`Code::Storage`], [`Code::Failed`] when no thread can be started.
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
                shared.events.send(DesktopEvent::Notice { message });
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

    /// What is under way with the model in force.
    pub fn model_job(&self) -> Option<ModelJob> {
        let now = lock(&self.shared.model_jobs.now);
        now.as_ref().map(|job| job.view.clone())
    }

    /// Ends what is under way with the model; what a probe found until then is kept.
    pub fn cancel_model_job(&self) {
        if let Some(job) = lock(&self.shared.model_jobs.now).as_ref() {
            job.cancel.cancel();
        }
    }

    /// Sets one value of the profile of the model in force, given as JSON; `None` takes the
    /// person's word back.
    pub fn overrule_model(&self, name: &str, value: Option<&str>) -> Result<()> {
        let value = value.map(serde_json::from_str).transpose();
        let value = value.map_err(|error| Error::from_cause(Code::Usage, error))?;
        let overruled = self.shared.workbench().overrule_model(None, name, value);
        self.shared.models_changed();
        overruled
    }

    /// Forgets what probe and use showed of the model in force.
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

/// The name of the model in force; empty where there is none.
fn name_of(bench: &Workbench) -> Result<String> {
    let view = bench.models(None)?;
    Ok(view.in_force.map_or_else(String::new, |model| model.model))
}
