//! The evaluation of runs by weak models: who plays the scenarios, and what came of it.
//!
//! A [`Client`] gets a project, a plan and a model's address. What it achieved is found out here, from
//! the files, from what it kept and from the requests that its model was sent; what it says of itself is
//! only ever compared with that. The faults of the model are simulated and their rates assumed: every
//! report says so.

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

/// How a client ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It says that everything is done.
    Done,
    /// It asks a person, and nobody could answer it.
    Asked,
    /// It gave up, and says so.
    GivenUp,
}

/// One step, as the client recorded it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The step.
    pub step: String,
    /// What it kept of it: the facts learned, word for word.
    pub learned: Vec<String>,
    /// Whether the model reported it itself.
    pub is_reported: bool,
}

/// What a client did with a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// How it ended.
    pub end: End,
    /// Its steps that ended.
    pub steps: Vec<Recorded>,
    /// Everything else that it kept for the person, such as a final answer.
    pub kept: String,
    /// How often it asked a person.
    pub questions: usize,
    /// Whether its own planning came to a plan, where it planned.
    pub planned: Option<bool>,
    /// Why, in a sentence, where it did not end well.
    pub why: String,
}

/// A place where a model answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// As an endpoint names it.
    pub base_url: String,
    /// The model.
    pub model: String,
}

/// Somebody who carries out a scenario.
pub trait Client {
    /// Its name in tables.
    fn name(&self) -> &'static str;

    /// Makes the project that it starts from.
    fn project(&self, scenario: &Scenario) -> Project;

    /// Carries it out.
    fn play(&mut self, project: &Project, scenario: &Scenario, place: &Place) -> Played;
}

/// One run of one scenario, with all that is known of it.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The profile's name.
    pub profile: String,
    /// The seed.
    pub seed: u64,
    /// What the client did.
    pub played: Played,
    /// What is wrong with the files and records; empty when all is right.
    pub wrong: Vec<String>,
    /// What its model was asked and answered; empty for a real one.
    pub notes: Vec<Noted>,
    /// Milliseconds that it took.
    pub elapsed_ms: u64,
}

impl Trial {
    /// Whether the work is done, by the checks alone.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.wrong.is_empty()
    }
}

/// What a trial is played with.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The model's mistakes.
    pub profile: Profile,
    /// The model's luck.
    pub seed: u64,
    /// The manners of its server.
    pub flavour: Flavour,
    /// A real model instead.
    pub place: Option<Place>,
    /// The folder in which requests are kept, where that is wanted.
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

/// Writes what a model was sent, a request a line, each with what it answered.
fn keep(path: &Path, requests: &[crate::model_server::Recorded], notes: &[Noted]) {
    let mut text = String::new();
    for (at, request) in requests.iter().enumerate() {
        let noted = notes.iter().find(|noted| noted.turn == at);
        text.push_str(&format!("{}\n# {noted:?}\n", request.json));
    }
    let folder = path.parent().expect("a file lies in a folder");
    std::fs::create_dir_all(folder).expect("a folder can be made");
    std::fs::write(path, text).expect("a file can be written");
}

/// What a person writes into the plan while it runs: prose that concerns no step.
fn write_beside(plan: &Path) {
    if let Ok(text) = std::fs::read_to_string(plan) {
        // A plan that is just being replaced is left alone; the next trial has another chance.
        let _ = std::fs::write(
            plan,
            format!("{text}\n## Remarks\n\nThe people in Graz wait for this.\n"),
        );
    }
}
