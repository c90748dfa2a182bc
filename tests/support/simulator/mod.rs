//! A simulated weak model: it can solve the scenario, but makes the mistakes of its [`Profile`].
//!
//! It is a [`ModelServer`] (real HTTP, real events) that generates its answers on demand.
//! Everything it knows comes from the messages of the request: results, checks, errors. It
//! therefore works with any client, with native or text-based tool calls. In each turn,
//! `sha256(seed|turn)` draws at most one fault at the profile's rates. After a faulty reply,
//! whatever the response was, it answers correctly with probability `fix` and otherwise repeats the
//! mistake. Repeating a request gives the same result.
//!
//! **The faults are simulated and their rates assumed; its figures say nothing about any real
//! model.**
//!
//! Server behavior is simulated too: servers that enforce calls or a schema rule out malformed
//! calls; Ollama ignores `tool_choice` and drops the oldest messages that exceed its window.
//!
//! It never runs a tool and never reads the workspace.

mod mind;
mod profile;
mod surfaces;
mod talk;
mod wordings;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::ModelServer;
use crate::model_server::{self, Flavour, ScriptedCall, Turn};
use crate::scenarios::{Hopeless, Scenario, Step, Trouble};

use mind::{Right, Thought};
use talk::Talk;

pub use profile::{Fault, Profile, luck, pick};
pub use wordings::Wording;

/// The name of the model.
pub const MODEL: &str = "simulated-7b";

/// The settings of a simulated model.
#[derive(Debug, Clone)]
pub struct Setting {
    /// Which faults the model makes, and how often.
    pub profile: Profile,
    /// The seed of the model's random choices.
    pub seed: u64,
    /// The kind of server that offers the model.
    pub flavour: Flavour,
    /// The set of wordings from which the texts of faults are taken.
    pub wording: Wording,
}

/// The purpose of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// To carry out a step.
    Work,
    /// To plan the next steps, or all of them.
    Plan,
    /// To choose how to continue, by letter.
    Choice,
    /// Unknown; the messages don't say.
    Lost,
}

/// An answered request, recorded for the scorer and hidden from clients.
#[derive(Debug, Clone, PartialEq)]
pub struct Noted {
    /// The number of the request, counted from 0.
    pub turn: usize,
    /// The purpose of the request.
    pub surface: Surface,
    /// The step that the request is about, if it is known.
    pub step: Option<String>,
    /// Number of remaining acts of the step, including the report.
    pub left: usize,
    /// Whether the request started a conversation.
    pub is_first: bool,
    /// The fault in the reply, if any.
    pub fault: Option<Fault>,
    /// Whether an earlier fault was pending, which the reply either repeats or corrects.
    pub is_again: bool,
    /// Size of the request in bytes.
    pub bytes: usize,
    /// Whether messages were dropped because the context window was full.
    pub was_cut: bool,
    /// The planted tokens visible in the request.
    pub sees: Vec<String>,
}

/// The recorded requests, shared with the scorer.
#[derive(Debug, Clone, Default)]
pub struct Notes(Arc<Mutex<Vec<Noted>>>);

impl Notes {
    fn lock(&self) -> MutexGuard<'_, Vec<Noted>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All requests so far, in order.
    #[must_use]
    pub fn all(&self) -> Vec<Noted> {
        self.lock().clone()
    }
}

/// A running simulated model.
#[derive(Debug)]
pub struct Simulated {
    /// The server that answers the requests.
    pub server: ModelServer,
    /// The recorded requests.
    pub notes: Notes,
}

/// Starts a simulated model.
#[must_use]
pub fn start(scenario: &Arc<Scenario>, setting: Setting) -> Simulated {
    start_with(scenario, setting, |_| {})
}

/// Starts a simulated model with a callback before each answer, to simulate disturbances.
#[must_use]
pub fn start_with(
    scenario: &Arc<Scenario>,
    setting: Setting,
    before: impl Fn(usize) + Send + Sync + 'static,
) -> Simulated {
    let notes = Notes::default();
    let mut script = model_server::Scenario::default().flavour(setting.flavour);
    script.window = scenario.window;
    let model = Model {
        scenario: Arc::clone(scenario),
        setting,
        notes: notes.clone(),
        asked: Mutex::default(),
    };
    let server = ModelServer::written_by(script, move |request, turn| {
        before(turn);
        model.answer(request, turn)
    });
    Simulated { server, notes }
}

/// The context window in tokens, for request and answer. Defaults to Ollama's default if the
/// scenario doesn't set it.
#[must_use]
pub fn window(scenario: &Scenario) -> u64 {
    scenario.window.unwrap_or(4_096)
}

struct Model {
    scenario: Arc<Scenario>,
    setting: Setting,
    notes: Notes,
    /// Faulty replies by request hash, so that a repeated request gets the same reply.
    asked: Mutex<BTreeMap<[u8; 32], Fault>>,
}

impl Model {
    fn answer(&self, request: &Value, turn: usize) -> Turn {
        if let Some(trouble) = self.trouble(turn) {
            return trouble;
        }
        let window = (self.setting.flavour == Flavour::Ollama).then(|| window(&self.scenario));
        let talk = Talk::read(request, window);
        let bytes = request.to_string().len();
        let tokens = self
            .scenario
            .steps
            .iter()
            .filter_map(|step| step.fact.as_ref());
        let mut noted = Noted {
            turn,
            surface: Surface::Lost,
            step: None,
            left: 0,
            is_first: talk.exchanges.is_empty(),
            fault: None,
            is_again: false,
            bytes,
            was_cut: talk.was_cut,
            sees: tokens
                .filter(|fact| talk.shows(&fact.token))
                .map(|fact| fact.token.clone())
                .collect(),
        };
        let mut answered = self.speak(request, &talk, turn, &mut noted);
        answered.piece = 2_048;
        for (at, call) in answered.calls.iter_mut().enumerate() {
            call.id = format!("call_{turn}_{at}");
        }
        self.notes.lock().push(noted);
        answered
    }

    /// The server's error in this turn, decided before the model sees the request; `None` if the
    /// server works.
    fn trouble(&self, turn: usize) -> Option<Turn> {
        if self.scenario.trouble != Some(Trouble::FlakyServer) {
            return None;
        }
        match turn % 9 {
            2 => Some(Turn::status(503, "the model is being loaded").header("retry-after", "0")),
            5 => Some(Turn::say("Let me look at the file first, then").cut_after(180)),
            _ => None,
        }
    }

    fn speak(&self, request: &Value, talk: &Talk, turn: usize, noted: &mut Noted) -> Turn {
        if let Some(letters) = surfaces::letters(talk) {
            noted.surface = Surface::Choice;
            return self.choose(talk, &letters, turn, noted);
        }
        if let Some(asked) = surfaces::planning(talk) {
            noted.surface = Surface::Plan;
            return self.plan(talk, asked, turn, noted);
        }
        let whole;
        let step = match mind::step_of(&self.scenario, talk) {
            Some(step) => step,
            None if mind::plain(&talk.opening).contains(&mind::plain(&self.scenario.goal)) => {
                whole = surfaces::whole(&self.scenario);
                &whole
            }
            None => return Turn::say("Hello! What would you like me to work on?"),
        };
        noted.surface = Surface::Work;
        noted.step = Some(step.id.clone());
        let thought = mind::think(&self.scenario, step, talk);
        noted.left = thought.left;
        let fault = self.fault(request, talk, &thought, turn, noted);
        let fault = fault.filter(|fault| self.applies(*fault, talk, &thought, step));
        noted.fault = fault;
        self.say(talk, step, &thought, fault, turn)
    }

    /// The fault for this turn, newly drawn or repeated. It is only made if it `applies`.
    fn fault(
        &self,
        request: &Value,
        talk: &Talk,
        thought: &Thought,
        turn: usize,
        noted: &mut Noted,
    ) -> Option<Fault> {
        let Setting { profile, seed, .. } = &self.setting;
        if profile.always_types() {
            return Some(Fault::TextCall);
        }
        let mut messages = request["messages"].to_string();
        messages.push_str(&request["tools"].to_string());
        let digest: [u8; 32] = Sha256::digest(messages.as_bytes()).into();
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let before = thought.fault.or_else(|| asked.get(&digest).copied());
        let is_tired = thought.fault == Some(Fault::Loop) && thought.repeats >= 5;
        let fault = match before {
            Some(before) if !is_tired => {
                noted.is_again = true;
                (luck(*seed, turn, "fix") >= profile.fix).then_some(before)
            }
            Some(_) => None,
            None => profile.draw(*seed, turn),
        };
        if let Some(fault) = fault.filter(|_| talk.exchanges.is_empty() || before.is_some()) {
            asked.insert(digest, fault);
        }
        fault
    }

    fn applies(&self, fault: Fault, talk: &Talk, thought: &Thought, step: &Step) -> bool {
        if step.hopeless == Some(Hopeless::Stubborn)
            && matches!(thought.right, Right::Report { .. })
        {
            return false;
        }
        let enforces = match self.setting.flavour {
            Flavour::Ollama => talk.schema.is_some(),
            Flavour::OpenAi | Flavour::LlamaCpp | Flavour::Strict => {
                talk.schema.is_some() || talk.must_call
            }
        };
        if enforces && fault.is_of_form() {
            return false;
        }
        match (&thought.right, fault) {
            (Right::Call(_, arguments), Fault::WrongPath) => {
                arguments.get("path").is_some()
                    && !matches!(thought.right, Right::Call("write_file" | "list_files", _))
            }
            (Right::Call(name, _), Fault::WrongKey) => {
                mind::parameters(name).is_some_and(|all| !all.is_empty())
            }
            (Right::Call(..), Fault::StaleEdit) => thought.edits,
            (Right::Report { .. }, Fault::WrongPath | Fault::StaleEdit | Fault::PrematureDone) => {
                false
            }
            // Without a report tool, the text itself is the report.
            (
                Right::Report { .. },
                Fault::TextCall
                | Fault::MalformedArgs
                | Fault::Prose
                | Fault::WrongName
                | Fault::WrongKey,
            ) => talk.offers("report_progress"),
            (_, Fault::Loop) => thought.last.is_some(),
            _ => true,
        }
    }

    fn say(
        &self,
        talk: &Talk,
        step: &Step,
        thought: &Thought,
        fault: Option<Fault>,
        turn: usize,
    ) -> Turn {
        let Setting { seed, wording, .. } = self.setting;
        let form = pick(seed, turn, "form", 240);
        let (name, arguments) = self.call(talk, step, thought);
        let Some(fault) = fault else {
            return self.right(talk, step, thought, name, arguments, turn);
        };
        match fault {
            Fault::TextCall => Turn::say(wordings::typed(&name, &arguments, wording, form)),
            Fault::MalformedArgs => {
                let (raw, is_cut) = wordings::damaged(&arguments, wording, form);
                if talk.tools.is_empty() {
                    return Turn::say(format!(
                        "<tool_call>\n{{\"name\": \"{name}\", \"arguments\": {raw}}}\n</tool_call>"
                    ));
                }
                let turn = calling(&name, Value::String(raw));
                if is_cut { turn.finish("length") } else { turn }
            }
            Fault::Prose => Turn::say(wordings::intent(
                &surfaces::in_words(&name, &arguments),
                wording,
                form,
            )),
            Fault::WrongName => {
                self.deliver(talk, &wordings::strange_name(&name, wording), arguments)
            }
            Fault::WrongKey => {
                let strange = wordings::strange_key(&name, &arguments, wording);
                self.deliver(talk, &name, strange)
            }
            Fault::WrongPath => {
                let mut arguments = arguments;
                let path = arguments["path"].as_str().unwrap_or_default();
                arguments["path"] = json!(wordings::strange_path(path, wording));
                self.deliver(talk, &name, arguments)
            }
            Fault::Empty if form.is_multiple_of(2) => Turn::default(),
            Fault::Empty => {
                Turn::default().thinking("The step is about one file; first I should look at it.")
            }
            Fault::Loop => {
                let (name, arguments) = thought.last.clone().unwrap_or((name, arguments));
                self.deliver(talk, &name, arguments)
            }
            Fault::PrematureDone if talk.offers("report_progress") => {
                let report = json!({"summary": wordings::claim(wording), "done": true});
                self.deliver(talk, "report_progress", report)
            }
            Fault::PrematureDone => Turn::say(wordings::claim(wording)),
            Fault::StaleEdit => {
                let mut arguments = arguments;
                let old = arguments["old_text"].as_str().unwrap_or_default();
                arguments["old_text"] = json!(wordings::stale(old, wording));
                self.deliver(talk, &name, arguments)
            }
        }
    }

    /// The correct reply, using the tools that are offered.
    fn right(
        &self,
        talk: &Talk,
        step: &Step,
        thought: &Thought,
        name: String,
        arguments: Value,
        turn: usize,
    ) -> Turn {
        if let Some(schema) = talk.schema.as_ref().filter(|_| talk.tools.is_empty()) {
            return Turn::say(surfaces::fitted(schema, &name, &arguments).to_string());
        }
        if name == "report_progress" && !talk.offers("report_progress") {
            let has_headings =
                luck(self.setting.seed, turn, "headings") < self.setting.profile.headings;
            return Turn::say(surfaces::report_in_words(
                step,
                &thought.right,
                has_headings,
            ));
        }
        self.deliver(talk, &name, arguments)
    }

    /// The correct call, or a substitute if its tool is not offered.
    fn call(&self, talk: &Talk, step: &Step, thought: &Thought) -> (String, Value) {
        match &thought.right {
            Right::Call(name, arguments)
                if talk.offers(name) || !talk.offers("report_progress") =>
            {
                ((*name).to_owned(), arguments.clone())
            }
            Right::Call(name, arguments) => {
                let hint = surfaces::in_words(name, arguments);
                let report = json!({"summary": format!("Not finished: {}", step.what), "done": false, "next_hint": hint});
                ("report_progress".to_owned(), report)
            }
            Right::Report {
                done,
                summary,
                learned,
                hint,
            } => {
                let report = json!({
                    "summary": summary, "done": done, "learned": learned, "decided": [], "next_hint": hint,
                });
                ("report_progress".to_owned(), report)
            }
        }
    }

    /// A call in the format that this client accepts.
    fn deliver(&self, talk: &Talk, name: &str, arguments: Value) -> Turn {
        if !talk.tools.is_empty() {
            return calling(name, arguments);
        }
        Turn::say(surfaces::asked_form(talk, name, &arguments))
    }

    fn choose(&self, talk: &Talk, letters: &[char], turn: usize, noted: &mut Noted) -> Turn {
        let opening = mind::plain(&talk.opening);
        let is_hopeless = self
            .scenario
            .steps
            .iter()
            .any(|step| step.hopeless.is_some() && opening.contains(&mind::plain(&step.what)));
        let wished = if is_hopeless { 'D' } else { 'A' };
        let letter = letters
            .iter()
            .copied()
            .find(|letter| *letter == wished)
            .or(letters.first().copied())
            .unwrap_or('D');
        if let Some(schema) = &talk.schema {
            return Turn::say(surfaces::fitted_letter(schema, letter).to_string());
        }
        let Setting {
            seed,
            wording,
            profile,
            ..
        } = &self.setting;
        let form = pick(*seed, turn, "form", 240);
        match profile
            .draw(*seed, turn)
            .filter(|_| !profile.always_types())
        {
            Some(fault @ (Fault::Prose | Fault::Empty)) => {
                noted.fault = Some(fault);
                Turn::say("We should be careful here.")
            }
            Some(fault @ Fault::TextCall) => {
                noted.fault = Some(fault);
                Turn::say(wordings::letter_shape(letter, *wording, form))
            }
            _ => Turn::say(letter.to_string()),
        }
    }

    fn plan(&self, talk: &Talk, asked: surfaces::Asked, turn: usize, noted: &mut Noted) -> Turn {
        let Setting {
            seed,
            wording,
            profile,
            flavour,
        } = &self.setting;
        // Ignores hints about a possible next step. The request may omit steps that were finished
        // long ago, so the plan continues after the last step that it mentions.
        let is_hint = |line: &&str| !line.to_lowercase().contains("suggests");
        let seen: String = talk.opening.lines().filter(is_hint).collect();
        let seen = mind::plain(&seen);
        let is_seen = |step: &&Step| seen.contains(&mind::plain(&step.what));
        let all: Vec<&Step> = self.scenario.worked().collect();
        let behind = all.iter().rposition(is_seen).map_or(0, |last| last + 1);
        let form = pick(*seed, turn, "form", 240);
        let enforces = talk.schema.is_some() && *flavour != Flavour::OpenAi;
        // A list of whole tasks is longer and nested deeper, so triple rates are assumed.
        let factor = if asked.is_large { 3.0 } else { 1.0 };
        let profile = if asked.is_large {
            profile.clone().scaled(factor)
        } else {
            profile.clone()
        };
        // A model that types all its calls always draws that fault, which doesn't apply here: a
        // plan is text anyway.
        let drawn = profile
            .draw(*seed, turn)
            .filter(|_| !profile.always_types());
        let fault = drawn.filter(|fault| {
            matches!(
                fault,
                Fault::TextCall | Fault::MalformedArgs | Fault::Prose | Fault::Empty
            )
        });
        let was_told = !talk.exchanges.is_empty();
        let fault = if was_told && luck(*seed, turn, "fix") < profile.fix {
            None
        } else {
            fault
        };
        let fault = fault.filter(|_| !enforces);
        noted.fault = fault;
        if asked.is_large {
            return surfaces::large_plan(&self.scenario, fault, *wording, form);
        }
        let next = all.into_iter().skip(behind).take(asked.count.max(1));
        let steps: Vec<Value> = next.map(surfaces::small_step).collect();
        noted.left = steps.len();
        surfaces::small_plan(&steps, asked.count, fault, *wording, form)
    }
}

fn calling(name: &str, arguments: Value) -> Turn {
    let mut turn = Turn::default();
    turn.calls.push(ScriptedCall {
        id: String::new(),
        name: name.to_owned(),
        arguments,
    });
    turn
}
