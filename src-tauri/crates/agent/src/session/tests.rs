//! Session tests without files, a model or a clock. A simulated world answers every effect from a
//! script and a simulated workspace, and can end the process at any row.

mod crashes;
mod handoff;
mod plans;
mod properties;
mod room;
mod turns;
mod verdict;

use std::collections::{BTreeMap, VecDeque};

use gate::path::PlanPlace;
use plan::Revision;
use serde_json::{Map, Value, json};

use super::entry::{Answer, Card, Ending, ModeSetBy, Purpose, Question};
use super::machine::{EditedPlan, Outcome, PlanFound, PlanNow, Standing, WrittenPlan};
use super::*;
use crate::turn::{Call, Fault, FaultKind, Finish, Reply, Usage};

pub(super) const PLAN: &str = "# Add a flag\n\nOne prose line.\n\n## Requirements\n- R1 `report --json` prints rows\n\n## Tasks\n- [ ] **T1** Add the flag to the parser\n  - files: `src/cli.py`\n- [ ] **T2** Print rows as JSON\n  - depends: T1\n  - files: `src/report.py`\n  - verify: `python3 -m unittest`\n";

pub(super) fn revision(text: &str) -> String {
    Revision::of(text.as_bytes()).as_str().to_owned()
}

pub(super) fn call(name: &str, arguments: Value) -> Call {
    let arguments: Map<String, Value> = arguments.as_object().cloned().unwrap_or_default();
    Call {
        id: "x".to_owned(),
        ..Call::new(name, arguments)
    }
}

pub(super) fn calls(calls: Vec<Call>) -> Reply {
    Reply {
        text: String::new(),
        calls,
        faults: Vec::new(),
        finish: Finish::ToolCalls,
        usage: Usage {
            input: 100,
            cached: 0,
            output: 10,
        },
        elapsed_ms: 0,
    }
}

pub(super) fn fault(message: &str) -> Fault {
    Fault {
        kind: FaultKind::BadArguments,
        message: message.to_owned(),
    }
}

pub(super) fn does(name: &str, arguments: Value) -> Reply {
    calls(vec![call(name, arguments)])
}

pub(super) fn says(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        finish: Finish::Stop,
        ..calls(Vec::new())
    }
}

pub(super) fn ended(text: &str, finish: Finish) -> Reply {
    Reply {
        finish,
        ..says(text)
    }
}

/// At which point the process dies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Die {
    Never,
    /// After this many rows are stored.
    AtRow(usize),
    /// After this effect was carried out, but before its answer arrives.
    InEffect(usize),
}

/// A simulated workspace with a script of replies. Rows and files survive the end of a process.
pub(super) struct World {
    pub(super) rows: Vec<Entry>,
    pub(super) config: Config,
    pub(super) plan: Option<String>,
    pub(super) standing: Standing,
    pub(super) files: BTreeMap<String, String>,
    /// All texts that the plan has had, by revision.
    pub(super) revisions: BTreeMap<String, String>,
    /// The model's replies, in order. The number of stored replies determines which one is next.
    pub(super) script: Vec<Reply>,
    pub(super) requests: Vec<Request>,
    /// Ids of the calls whose effects changed something.
    pub(super) performed: Vec<String>,
    pub(super) asked: Vec<Question>,
    pub(super) cards: Vec<Card>,
    pub(super) notices: Vec<String>,
    pub(super) summaries: VecDeque<Option<String>>,
    pub(super) die: Die,
    pub(super) is_dead: bool,
    pub(super) effects: usize,
    /// The output of commands if they should fail.
    pub(super) failure: Option<String>,
    machine: Machine,
}

impl World {
    pub(super) fn new(script: Vec<Reply>) -> Self {
        let config = Config {
            session: "s1".to_owned(),
            plan: PlanPlace {
                path: "plans/flag.md".to_owned(),
                root: "/home/u/work".to_owned(),
                aliases: Vec::new(),
            },
            rules: Vec::new(),
            can_run_read_only: true,
            is_enforced: false,
            max_requests: 30,
            profile: Profile {
                context_window: 32_000,
                max_output_tokens: 4_000,
            },
        };
        Self {
            rows: Vec::new(),
            machine: Machine::replay(&[], config.clone()),
            config,
            plan: None,
            standing: Standing {
                badge: "fair".to_owned(),
                score: 72,
                is_weak: false,
                findings: vec!["T1 no_verification".to_owned()],
            },
            files: BTreeMap::new(),
            revisions: BTreeMap::new(),
            script,
            requests: Vec::new(),
            performed: Vec::new(),
            asked: Vec::new(),
            cards: Vec::new(),
            notices: Vec::new(),
            summaries: VecDeque::new(),
            die: Die::Never,
            is_dead: false,
            effects: 0,
            failure: None,
        }
    }

    pub(super) fn with_plan(text: &str, script: Vec<Reply>) -> Self {
        let mut world = Self::new(script);
        world.write_plan(text);
        world
    }

    /// Writes to the plan file from outside the session.
    pub(super) fn write_plan(&mut self, text: &str) {
        self.plan = Some(text.to_owned());
        self.revisions.insert(revision(text), text.to_owned());
    }

    /// Restarts the process with a new machine that is rebuilt from the stored rows.
    pub(super) fn restart(&mut self) {
        self.machine = Machine::replay(&self.rows, self.config.clone());
        self.is_dead = false;
        self.die = Die::Never;
    }

    pub(super) fn state(&self) -> &State {
        self.machine.state()
    }

    /// Sends an event and carries out all effects that follow from it. Returns how the last turn
    /// ended.
    pub(super) fn give(&mut self, event: Event) -> Option<Ending> {
        let mut queue: VecDeque<Effect> = self.machine.handle(event).into();
        let mut ending = None;
        while let Some(effect) = queue.pop_front() {
            if self.is_dead {
                return None;
            }
            if let Effect::EndTurn { ending: why } = &effect {
                ending = Some(why.clone());
            }
            let answer = self.carry_out(effect);
            if self.is_dead {
                return None;
            }
            if let Some(event) = answer {
                queue.extend(self.machine.handle(event));
            }
        }
        ending
    }

    pub(super) fn say(&mut self, words: &str) -> Option<Ending> {
        self.give(Event::Said {
            words: words.to_owned(),
            purpose: Purpose::Talk,
        })
    }

    pub(super) fn goal(&mut self, words: &str) -> Option<Ending> {
        self.give(Event::Said {
            words: words.to_owned(),
            purpose: Purpose::Goal,
        })
    }

    pub(super) fn mode(&mut self, to: Mode) {
        self.give(Event::SetMode {
            to,
            by: ModeSetBy::Person,
        });
    }

    pub(super) fn approve(&mut self) {
        let revision = revision(self.plan.as_deref().unwrap());
        self.give(Event::Approved { revision });
    }

    pub(super) fn answer(&mut self, answer: Answer) -> Option<Ending> {
        let call = self.state().question.clone().unwrap().call;
        self.give(Event::Answered { call, answer })
    }

    /// The messages of the last request as sent.
    pub(super) fn wire(&self) -> String {
        self.requests.last().unwrap().wire()
    }

    /// The person's message in the last turn, with the texts that precede it.
    pub(super) fn last_words(&self) -> String {
        let messages = &self.requests.last().unwrap().messages;
        let is_theirs = |message: &&message::Message| {
            let mut parts = message.parts.iter();
            parts.any(|(part, _)| *part == message::Part::Person)
        };
        messages
            .iter()
            .rev()
            .find(is_theirs)
            .unwrap()
            .content
            .clone()
    }

    fn replies_stored(&self) -> usize {
        self.rows
            .iter()
            .filter(|row| matches!(row, Entry::Replied { .. }))
            .count()
    }

    fn found(&self) -> PlanFound {
        match &self.plan {
            None => PlanFound::Missing,
            Some(text) => PlanFound::There(PlanNow {
                path: self.config.plan.path.clone(),
                revision: revision(text),
                text: text.clone(),
            }),
        }
    }

    fn text_of(&self, revision: Option<String>) -> Option<String> {
        self.revisions.get(&revision?).cloned()
    }

    fn carry_out(&mut self, effect: Effect) -> Option<Event> {
        let number = self.effects;
        self.effects += 1;
        let answer = match effect {
            Effect::Store(entries) => {
                for entry in entries {
                    if self.die == Die::AtRow(self.rows.len()) {
                        self.is_dead = true;
                        return None;
                    }
                    self.rows.push(entry);
                }
                None
            }
            Effect::ReadPlan { known } => Some(Event::PlanRead {
                found: self.found(),
                known_text: self.text_of(known),
            }),
            Effect::StartModel(request) => {
                self.requests.push(request);
                let reply = self.script.get(self.replies_stored()).cloned();
                Some(Event::ReplyArrived(
                    reply.unwrap_or_else(|| says("Done so far.")),
                ))
            }
            Effect::CallTool { id, call, .. } => {
                let path = call.path().unwrap_or_default().to_owned();
                if !call.tool.is_read_only() {
                    self.performed.push(id.clone());
                }
                let mut outcome = Outcome {
                    ok: true,
                    content: format!("ran {}", call.to_line()),
                    screen: Some(json!({"only": "SCREENONLY"})),
                    plan: None,
                };
                if let (plan::ToolName::RunCommand, Some(failure)) = (call.tool, &self.failure) {
                    outcome.ok = false;
                    outcome.content.clone_from(failure);
                }
                match call.tool {
                    plan::ToolName::WriteFile => {
                        let text = call.string("content").unwrap_or_default();
                        self.files.insert(path, text.to_owned());
                    }
                    plan::ToolName::ReadFile if path == self.config.plan.path => {
                        let text = self.plan.clone().unwrap_or_default();
                        outcome.plan = Some((revision(&text), true));
                        outcome.content = text;
                    }
                    _ => {}
                }
                Some(Event::CallDone { id, outcome })
            }
            Effect::EditPlan {
                id,
                target,
                new_text,
                known,
                ..
            } => {
                self.performed.push(id.clone());
                let made_from = self.plan.clone();
                let edited = match plan_edit::apply(made_from.as_deref(), &target, &new_text) {
                    Err(error) => EditedPlan::Refused {
                        message: error.to_string(),
                    },
                    Ok(edited) => {
                        self.write_plan(&edited.text);
                        EditedPlan::Done(Box::new(WrittenPlan {
                            made_from_revision: made_from.as_deref().map(revision),
                            made_from: made_from.unwrap_or_default(),
                            revision: revision(&edited.text),
                            text: edited.text,
                            standing: self.standing.clone(),
                            known_text: self.text_of(known),
                            screen: Some(json!({"diff": "SCREENONLY"})),
                        }))
                    }
                };
                Some(Event::PlanEdited { id, edited })
            }
            Effect::CheckPlan { id, before } => Some(Event::PlanChecked {
                id,
                found: self.found(),
                standing: Some(self.standing.clone()),
                before: self.text_of(before),
            }),
            Effect::Ask(question) => {
                self.asked.push(question);
                None
            }
            Effect::Show(card) => {
                self.cards.push(card);
                None
            }
            Effect::Notice { message } => {
                self.notices.push(message);
                None
            }
            Effect::Compact(_) => Some(Event::Compacted {
                summary: self.summaries.pop_front().flatten(),
                usage: Usage::default(),
            }),
            Effect::Interrupt | Effect::EndTurn { .. } => None,
        };
        if self.die == Die::InEffect(number) {
            self.is_dead = true;
        }
        answer
    }
}

/// A world in which a plan was written, proposed and approved.
pub(super) fn approved_world(rest: Vec<Reply>) -> World {
    let mut script = vec![
        does("edit_plan", json!({"new_text": PLAN})),
        does("propose_plan", json!({})),
    ];
    script.extend(rest);
    let mut world = World::new(script);
    assert_eq!(world.goal("add a flag"), Some(Ending::Proposed));
    world.approve();
    world
}

/// How often one text occurs in another.
pub(super) fn count(needle: &str, text: &str) -> usize {
    text.matches(needle).count()
}
