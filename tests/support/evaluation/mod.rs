//! The evaluation of runs by weak models: the clients that play the scenarios, and their results.
//!
//! A [`Client`] gets a project, a plan and a model's address. Results are computed here, from the
//! files, the client's records and the requests that its model received; the client's own claims
//! are only compared with them. The model's faults are simulated and their rates are assumptions,
//! as every report says.

pub mod aims;
mod baseline;
mod http;
mod options;
mod planwright;
pub mod plot;
pub mod print;
pub mod score;
pub mod statistics;
pub mod sweep;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Project;
use crate::model_server::Flavour;
use crate::scenarios::{Scenario, Trouble};
use crate::simulator::{self, MODEL, Noted, Profile, Setting, Wording};

pub use baseline::Baseline;
pub use options::{Options, Planning, Verification};
pub use planwright::Planwright;
pub use score::{Recovery, Score};
pub use statistics::{Rate, Wilson};
pub use sweep::{Table, run};

/// The outcome of a client's run, as the client reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The client claims that everything is done.
    Done,
    /// The client asked a person a question to which the scenario has no answer.
    Asked,
    /// The client gave up and reported that.
    GivenUp,
}

/// One step as the client recorded it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The step's id.
    pub step: String,
    /// The recorded facts, verbatim.
    pub learned: Vec<String>,
    /// Whether the model itself reported the step as done; false if the client inferred that.
    pub is_reported: bool,
}

/// What a client recorded while it carried out a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// How the run ended, as the client reports it.
    pub end: End,
    /// The steps that ended.
    pub steps: Vec<Recorded>,
    /// Other text recorded for the person, such as a final answer.
    pub kept: String,
    /// Number of questions to the person.
    pub questions: usize,
    /// Whether planning produced a plan; `None` if it did not plan.
    pub planned: Option<bool>,
    /// Why the run failed; empty if it didn't.
    pub why: String,
}

/// The address of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The base URL of the endpoint.
    pub base_url: String,
    /// The model's name.
    pub model: String,
}

/// A client that can carry out a scenario.
pub trait Client {
    /// The client's name in tables.
    fn name(&self) -> &'static str;

    /// Creates the project in which the client carries out the scenario.
    fn project(&self, scenario: &Scenario) -> Project;

    /// Carries out the scenario.
    fn play(&mut self, project: &Project, scenario: &Scenario, place: &Place) -> Played;
}

/// One run of one scenario, with everything recorded about it.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The scenario that was played.
    pub scenario: Arc<Scenario>,
    /// The name of the simulated model's fault profile.
    pub profile: String,
    /// The seed of the simulated model's random choices.
    pub seed: u64,
    /// The client's record.
    pub played: Played,
    /// Errors in the files and records; empty if there are none.
    pub wrong: Vec<String>,
    /// The requests to the simulated model and its answers; empty for a real model.
    pub notes: Vec<Noted>,
    /// How long the trial took, in milliseconds.
    pub elapsed_ms: u64,
}

impl Trial {
    /// Whether the work is done, according to the checks alone.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.wrong.is_empty()
    }
}

/// The conditions of a trial.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The simulated model's fault profile.
    pub profile: Profile,
    /// The seed of the simulated model's random choices.
    pub seed: u64,
    /// The kind of server to simulate.
    pub flavour: Flavour,
    /// A real model to use instead of the simulated one.
    pub place: Option<Place>,
    /// The folder to save requests in, if any.
    pub trace: Option<PathBuf>,
}

/// Plays one scenario once.
pub fn trial(client: &mut dyn Client, scenario: &Arc<Scenario>, terms: &Terms) -> Trial {
    let started = std::time::Instant::now();
    let project = client.project(scenario);
    let (played, notes) = match &terms.place {
        Some(place) => (client.play(&project, scenario, place), Vec::new()),
        None => {
            let wording = if scenario.held_out {
                Wording::HeldOut
            } else {
                Wording::Shown
            };
            let setting = Setting {
                profile: terms.profile.clone(),
                seed: terms.seed,
                flavour: terms.flavour,
                wording,
            };
            let plan = project.at(crate::scenarios::PLAN);
            let is_edited = scenario.trouble == Some(Trouble::PlanEdited);
            let simulated = simulator::start_with(scenario, setting, move |turn| {
                if is_edited && turn == 3 {
                    write_beside(&plan);
                }
            });
            let place = Place {
                base_url: simulated.server.base_url(),
                model: MODEL.to_owned(),
            };
            let played = client.play(&project, scenario, &place);
            let notes = simulated.notes.all();
            if let Some(folder) = &terms.trace {
                let name = format!(
                    "{}-{}-{}-{}.jsonl",
                    client.name(),
                    scenario.id,
                    terms.profile.name,
                    terms.seed
                );
                keep(&folder.join(name), &simulated.server.requests(), &notes);
            }
            (played, notes)
        }
    };
    let facts = played.steps.iter().flat_map(|step| &step.learned);
    let mut kept: String = facts.map(|fact| format!("{fact}\n")).collect();
    kept.push_str(&played.kept);
    let wrong = scenario.faults_of(&project, &kept);
    Trial {
        scenario: Arc::clone(scenario),
        profile: terms.profile.name.clone(),
        seed: terms.seed,
        played,
        wrong,
        notes,
        elapsed_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
    }
}

/// Saves each request on a line, followed by a line with what was recorded about it.
fn keep(path: &Path, requests: &[crate::model_server::Recorded], notes: &[Noted]) {
    let mut text = String::new();
    for (at, request) in requests.iter().enumerate() {
        let noted = notes.iter().find(|noted| noted.turn == at);
        text.push_str(&format!("{}\n# {noted:?}\n", request.json));
    }
    let folder = path.parent().expect("a file has a parent folder");
    std::fs::create_dir_all(folder).expect("a folder can be created");
    std::fs::write(path, text).expect("a file can be written");
}

/// Edits the plan file during a run, as a person might: adds a note that belongs to no step.
fn write_beside(plan: &Path) {
    if let Ok(text) = std::fs::read_to_string(plan) {
        // A failure is ignored, because other trials make this edit too.
        let _ = std::fs::write(
            plan,
            format!("{text}\n## Remarks\n\nThe people in Graz wait for this.\n"),
        );
    }
}
