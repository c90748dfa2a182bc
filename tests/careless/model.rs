//! A careless model: it can do each step of a job, but sometimes makes a mistake in content or
//! form.
//!
//! A reply depends only on the messages of its request. The seed and the turn number determine
//! which turns are faulty. If the request requires a schema, the reply always matches it, as on a
//! server that constrains its model.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use planwright_tests::model_server::Turn;
use serde_json::{Value, json};

use crate::form::{self, Call};
use crate::jobs::{Edit, Job, Step, chance};
use crate::talk::Talk;

/// A kind of mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    Stub,
    WrongPlace,
    ClaimsOnly,
    Repeats,
    NoForm,
    OtherLanguage,
    Conflict,
    OtherFile,
    WeakTest,
    HardCoded,
    DropsRest,
    ClaimsTests,
}

impl Fault {
    pub(crate) const ALL: [Self; 12] = [
        Self::Stub,
        Self::WrongPlace,
        Self::ClaimsOnly,
        Self::Repeats,
        Self::NoForm,
        Self::OtherLanguage,
        Self::Conflict,
        Self::OtherFile,
        Self::WeakTest,
        Self::HardCoded,
        Self::DropsRest,
        Self::ClaimsTests,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Stub => "stub",
            Self::WrongPlace => "wrong place",
            Self::ClaimsOnly => "claims only",
            Self::Repeats => "repeats",
            Self::NoForm => "no form",
            Self::OtherLanguage => "other language",
            Self::Conflict => "conflict",
            Self::OtherFile => "other file",
            Self::WeakTest => "weak test",
            Self::HardCoded => "hard-coded",
            Self::DropsRest => "drops rest",
            Self::ClaimsTests => "claims tests",
        }
    }
}

/// A mistake that was made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Made {
    /// The number of the request.
    pub(crate) turn: usize,
    /// The index of the step.
    pub(crate) step: usize,
    pub(crate) fault: Fault,
}

/// The model's settings, and a record of its mistakes and replies.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) job: Job,
    pub(crate) seed: u64,
    /// Percentage of turns that are faulty.
    pub(crate) rate: u64,
    pub(crate) made: Mutex<Vec<Made>>,
    /// Requests that the model couldn't parse.
    pub(crate) puzzled: Mutex<Vec<String>>,
    /// Its replies by request number.
    pub(crate) said: Mutex<BTreeMap<usize, String>>,
}

const GERMAN: &str = "Natürlich! Ich habe den Schritt gern für Sie erledigt, alles ist fertig.";

/// Whether a reply is right or has a mistake.
enum Mood {
    Right,
    Faulty(Fault),
}

impl Model {
    /// The reply to a request.
    pub(crate) fn reply(&self, request: &Value, turn: usize) -> Turn {
        let reply = self.answer(request, turn);
        let calls = reply
            .calls
            .iter()
            .map(|call| format!("{} {}", call.name, call.arguments));
        let calls: Vec<String> = calls.collect();
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        said.insert(turn, format!("{}{}", reply.say, calls.join("\n")));
        reply
    }

    fn answer(&self, request: &Value, turn: usize) -> Turn {
        let mut talk = Talk::read(request);
        let place = u64::try_from(turn).unwrap_or_default();
        let titles = self.job.steps.iter().map(|step| step.title.as_str());
        let Some(at) = talk.step(&titles.collect::<Vec<_>>()) else {
            return self.puzzle(request);
        };
        let step = &self.job.steps[at];
        // After a rejection, the model makes mistakes in 30 % of turns, unless its rate is 0.
        let rate = if talk.was_refused() { 30 } else { self.rate };
        let rate = if self.rate == 0 { 0 } else { rate };
        let is_faulty = chance(self.seed, place * 2) % 100 < rate;
        let pick = chance(self.seed, place * 2 + 1);
        let all = self.open(step, &talk);
        let count = u64::try_from(all.len()).unwrap_or(1).max(1);
        let fault = all.get(usize::try_from(pick % count).unwrap_or_default());
        let mood = match fault.filter(|_| is_faulty) {
            Some(fault) => {
                let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
                made.push(Made {
                    turn,
                    step: at,
                    fault: *fault,
                });
                Mood::Faulty(*fault)
            }
            None => Mood::Right,
        };
        if talk.wants_letter {
            return letter(&talk, &mood);
        }
        if talk.is_act() {
            return self.act(step, &talk, &mood, pick);
        }
        self.with_tools(step, &talk, &mood)
    }

    fn puzzle(&self, request: &Value) -> Turn {
        let mut puzzled = self.puzzled.lock().unwrap_or_else(PoisonError::into_inner);
        puzzled.push(request.to_string());
        Turn::say("I do not know.")
    }

    /// The mistakes that are possible in this reply.
    fn open(&self, step: &Step, talk: &Talk) -> Vec<Fault> {
        let is_there = |fault: &Fault| match fault {
            _ if talk.wants_letter => matches!(fault, Fault::NoForm | Fault::OtherLanguage),
            // The model can write code only to pass a check if it has seen that check.
            Fault::HardCoded if !talk.shows_check => false,
            Fault::WeakTest if step.weak.is_none() => !talk.is_act() && talk.shows_check,
            Fault::DropsRest if step.before.is_none() => false,
            Fault::Stub
            | Fault::WrongPlace
            | Fault::HardCoded
            | Fault::WeakTest
            | Fault::DropsRest => {
                let spoiled = self.spoiled(step, talk, *fault);
                spoiled.is_some_and(|text| text != self.right(step, talk))
            }
            Fault::ClaimsOnly | Fault::OtherLanguage => true,
            Fault::NoForm => talk.schema.is_none(),
            Fault::Conflict | Fault::OtherFile => !talk.is_act() && talk.schema.is_none(),
            Fault::ClaimsTests => !talk.is_act(),
            Fault::Repeats => !talk.is_act() && talk.last_call.is_some(),
        };
        Fault::ALL.into_iter().filter(is_there).collect()
    }

    /// The file's content after a change without mistakes.
    fn right(&self, step: &Step, talk: &Talk) -> String {
        let base = talk.text_of(&step.file).unwrap_or_default();
        // After a rejection, the model writes the whole expected content instead of editing one
        // line.
        match step.good.apply(&base) {
            Some(text) if !talk.was_refused() => text,
            _ if talk.is_act() => step.good.apply(&base).unwrap_or_else(|| step.after.clone()),
            _ => step.after.clone(),
        }
    }

    /// The file with a mistake in it; `None` if the mistake doesn't change its text or can't be
    /// made in it.
    fn spoiled(&self, step: &Step, talk: &Talk, fault: Fault) -> Option<String> {
        let base = talk.text_of(&step.file).unwrap_or_default();
        let made = |edit: &Option<Edit>| edit.as_ref().and_then(|edit| edit.apply(&base));
        match fault {
            Fault::Stub => made(&step.stub),
            Fault::WrongPlace => made(&step.wrong),
            Fault::HardCoded => made(&step.hard),
            Fault::WeakTest => {
                let weak = step.weak.as_ref()?.apply(&base)?;
                Some(step.good.apply(&weak).unwrap_or(weak))
            }
            Fault::DropsRest => {
                let whole = self.right(step, talk);
                let new: Vec<&str> = whole.lines().filter(|line| !base.contains(*line)).collect();
                (!new.is_empty()).then(|| new.join("\n") + "\n")
            }
            Fault::OtherLanguage if talk.is_act() => {
                let comment = if step.file.ends_with(".md") { "" } else { "# " };
                Some(format!("{}{comment}{GERMAN}\n", self.right(step, talk)))
            }
            Fault::ClaimsOnly if talk.is_act() => Some(base),
            _ => None,
        }
    }

    /// A reply to a request for one change to one file.
    fn act(&self, step: &Step, talk: &Talk, mood: &Mood, pick: u64) -> Turn {
        let base = talk.text_of(&step.file).unwrap_or_default();
        let wanted = match mood {
            Mood::Right => self.right(step, talk),
            Mood::Faulty(fault) => self
                .spoiled(step, talk, *fault)
                .unwrap_or_else(|| self.right(step, talk)),
        };
        let Some(schema) = &talk.schema else {
            return match mood {
                Mood::Faulty(Fault::NoForm) => Turn::say("I would change the line that you name."),
                _ => {
                    let kind = step.file.rsplit_once('.').map_or("", |(_, kind)| kind);
                    Turn::say(format!("```{kind}\n{wanted}```"))
                }
            };
        };
        Turn::say(form::change(schema, &base, &wanted, pick).to_string())
    }

    /// A reply if tools are offered: as native calls, as text, or as one call in a schema.
    fn with_tools(&self, step: &Step, talk: &Talk, mood: &Mood) -> Turn {
        let report =
            |summary: &str| Call::new("report_progress", json!({"summary": summary, "done": true}));
        let file = step.file.as_str();
        let is_known = talk.text_of(file).is_some() || step.before.is_none();
        let current = talk.current(file).unwrap_or_default();
        let right = self.right(step, talk);
        let mut calls = match mood {
            Mood::Right if !is_known => vec![Call::new("read_file", json!({"path": file}))],
            Mood::Right if !talk.has_changed(file) && current != right => {
                vec![self.write(step, talk, &current, &right)]
            }
            Mood::Right => vec![report(&format!("{file} is changed as the step says."))],
            Mood::Faulty(Fault::Repeats) => talk.last_call.iter().cloned().collect(),
            Mood::Faulty(Fault::ClaimsOnly) => vec![report("Done.")],
            Mood::Faulty(Fault::ClaimsTests) => {
                vec![report("I ran the tests, and all of them pass.")]
            }
            Mood::Faulty(Fault::OtherLanguage) if talk.schema.is_some() => vec![report(GERMAN)],
            Mood::Faulty(Fault::OtherLanguage) => return Turn::say(GERMAN),
            Mood::Faulty(Fault::NoForm) => {
                return Turn::say(format!(
                    "{{\"name\": \"write_file\", \"arguments\": {{\"path\": \"{file}\", \"conte"
                ));
            }
            Mood::Faulty(Fault::Conflict) => {
                let other = step.wrong.as_ref().or(step.stub.as_ref());
                let other = other
                    .and_then(|edit| edit.apply(&current))
                    .unwrap_or_default();
                let write =
                    |text: &str| Call::new("write_file", json!({"path": file, "content": text}));
                vec![write(&right), write(&other)]
            }
            Mood::Faulty(Fault::OtherFile) => vec![
                self.write(step, talk, &current, &right),
                Call::new(
                    "write_file",
                    json!({"path": "ideas.md", "content": "# Ideas\n\n- sell games\n"}),
                ),
            ],
            Mood::Faulty(Fault::WeakTest) if step.weak.is_none() => {
                let weak = "import unittest\n\n\nclass PricingTest(unittest.TestCase):\n    def test_gross(self):\n        pass\n";
                vec![Call::new(
                    "write_file",
                    json!({"path": "test_pricing.py", "content": weak}),
                )]
            }
            Mood::Faulty(fault) => {
                let text = self.spoiled(step, talk, *fault).unwrap_or_default();
                vec![Call::new(
                    "write_file",
                    json!({"path": file, "content": text}),
                )]
            }
        };
        if let Some(schema) = &talk.schema {
            let call = calls.swap_remove(0);
            return Turn::say(form::fitted(schema, &call).to_string());
        }
        if !talk.is_native {
            let said: Vec<String> = calls.iter().map(|call| call.json().to_string()).collect();
            return Turn::say(said.join("\n"));
        }
        let fits = |call: &Call| talk.tools.contains(&call.name);
        if !calls.iter().any(fits) {
            let name = talk.tools.first().map_or("report_progress", String::as_str);
            calls = match name {
                "report_progress" => vec![report("Done.")],
                _ => vec![Call::new(name, json!({"path": file}))],
            };
        }
        calls.into_iter().fold(Turn::default(), |turn, call| {
            turn.and_call(&call.name, call.arguments)
        })
    }

    /// The call that turns `current` into `right`.
    fn write(&self, step: &Step, talk: &Talk, current: &str, right: &str) -> Call {
        let file = &step.file;
        if let Edit::Replace(old, new) = &step.good
            && talk.is_native
            && current.matches(old.as_str()).count() == 1
            && current.replacen(old, new, 1) == right
        {
            return Call::new(
                "edit_file",
                json!({"path": file, "old_text": old, "new_text": new}),
            );
        }
        Call::new("write_file", json!({"path": file, "content": right}))
    }
}

/// The letter chosen after a failure: `B`, another strategy, unless the reply is faulty.
fn letter(talk: &Talk, mood: &Mood) -> Turn {
    let said = match mood {
        Mood::Right => "B",
        Mood::Faulty(Fault::OtherLanguage) => GERMAN,
        Mood::Faulty(_) => "A",
    };
    match &talk.schema {
        Some(_) if said.len() > 1 => Turn::say(json!({"choice": "A", "why": said}).to_string()),
        Some(_) => Turn::say(json!({"choice": said, "why": "look at the file again"}).to_string()),
        None if said == "B" => Turn::say("B) look at the file again and write it whole"),
        None => Turn::say(said),
    }
}
