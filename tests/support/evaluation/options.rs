//! Command-line options of the evaluation.

use std::path::PathBuf;

use super::Place;
use crate::model_server::Flavour;
use crate::simulator::Profile;

/// When Planwright plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Planning {
    /// The plan is complete before the run.
    #[default]
    Upfront,
    /// Steps are planned during the run.
    Iterative,
}

/// What Planwright verifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verification {
    /// Verifies nothing.
    Off,
    /// Verifies file changes.
    Edits,
    /// Verifies everything, including by the steps' own checks.
    #[default]
    All,
}

impl Verification {
    /// The level's name in tables.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Edits => "edits",
            Self::All => "all",
        }
    }
}

/// Options of the evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Number of seeds for each scenario and profile.
    pub seeds: u64,
    /// The first seed; the others follow it.
    pub first: u64,
    /// If set, only scenarios with this number of steps are played.
    pub steps: Option<usize>,
    /// If set, only this fault profile is used.
    pub profile: Option<String>,
    /// If set, only the scenario with this id is played.
    pub scenario: Option<String>,
    /// The kind of server to simulate.
    pub flavour: Flavour,
    /// Whether to print a JSON object as the last line.
    pub json: bool,
    /// A real model to use instead of simulated ones.
    pub place: Option<Place>,
    /// If set, only this client plays: `planwright` or `baseline`.
    pub client: Option<String>,
    /// Whether to skip the comparisons (sweep, single faults, servers, strategies, verification).
    pub only_main: bool,
    /// The folder to save each trial's requests in; `None` to save none.
    pub trace: Option<PathBuf>,
    /// Number of parallel trials.
    pub jobs: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seeds: 10,
            first: 0,
            steps: None,
            profile: None,
            scenario: None,
            flavour: Flavour::Ollama,
            json: false,
            place: None,
            client: None,
            only_main: false,
            trace: None,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

impl Options {
    /// Parses the arguments after `eval`.
    ///
    /// # Errors
    /// If an argument is unknown or invalid.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        let (mut base_url, mut model) = (None, None);
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .map(str::to_owned)
                    .ok_or_else(|| format!("{word} needs a value"))
            };
            match word {
                "--json" => options.json = true,
                "--only-main" => options.only_main = true,
                "--seeds" => options.seeds = number(word, &value()?)?,
                "--first" => options.first = number(word, &value()?)?,
                "--steps" => options.steps = Some(number(word, &value()?)?),
                "--jobs" => options.jobs = number(word, &value()?)?,
                "--profile" => options.profile = Some(profile(value()?)?),
                "--trace" => options.trace = Some(value()?.into()),
                "--scenario" => options.scenario = Some(value()?),
                "--client" => options.client = Some(client(value()?)?),
                "--server" => options.flavour = flavour(&value()?)?,
                "--base-url" => base_url = Some(value()?),
                "--model" => model = Some(value()?),
                other => return Err(format!("eval does not understand {other}")),
            }
        }
        options.place = match (base_url, model) {
            (None, None) => None,
            (Some(base_url), Some(model)) => Some(Place { base_url, model }),
            _ => return Err("--base-url and --model belong together".to_owned()),
        };
        if options.seeds == 0 || options.jobs == 0 {
            return Err("--seeds and --jobs are 1 or more".to_owned());
        }
        let all = crate::scenarios::all();
        let is_meant = |scenario: &crate::scenarios::Scenario| {
            options.steps.is_none_or(|steps| scenario.length() == steps)
                && options.scenario.as_ref().is_none_or(|id| scenario.id == id)
        };
        if !all.iter().any(is_meant) {
            let known: Vec<String> = all
                .iter()
                .map(|scenario| format!("{} ({})", scenario.id, scenario.length()))
                .collect();
            return Err(format!(
                "there is no such scenario; there are, with their steps, {}",
                known.join(", ")
            ));
        }
        Ok(options)
    }
}

fn number<T: std::str::FromStr>(word: &str, value: &str) -> Result<T, String> {
    value
        .parse()
        .map_err(|_| format!("{word} is a whole number, not {value}"))
}

fn profile(name: String) -> Result<String, String> {
    match Profile::named(&name) {
        Some(_) => Ok(name),
        None => Err(format!(
            "there is no profile {name}; there are {}",
            Profile::names().join(", ")
        )),
    }
}

fn client(name: String) -> Result<String, String> {
    match name.as_str() {
        "planwright" | "baseline" => Ok(name),
        _ => Err(format!(
            "there is no client {name}; there are planwright, baseline"
        )),
    }
}

fn flavour(name: &str) -> Result<Flavour, String> {
    match name {
        "openai" => Ok(Flavour::OpenAi),
        "ollama" => Ok(Flavour::Ollama),
        "llama.cpp" => Ok(Flavour::LlamaCpp),
        "strict" => Ok(Flavour::Strict),
        _ => Err(format!(
            "there is no server {name}; there are openai, ollama, llama.cpp, strict"
        )),
    }
}
