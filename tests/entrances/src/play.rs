//! Plays a history: makes the person, the agents and other programs act in a random order, and
//! records the results.
//!
//! Every choice is determined by the seed, except the order of concurrent actions, which depends on
//! the system; the oracle accepts either order.

mod agents;
mod editors;
mod hooks;
mod person;

use std::collections::BTreeMap;
use std::path::Path;

use soundness::dice::Dice;

use crate::editor::Editor;
use crate::mcp::Agent;
use crate::oracle::judge;
use crate::record::{Changed, Fate, Moments, Record};
use crate::stage::Stage;
use crate::table::Counts;
use crate::texts;
use crate::window::{Shown, Window};
use hooks::Waiting;

/// The result of a history.
#[derive(Debug)]
pub struct Outcome {
    /// Counts of what happened.
    pub counts: Counts,
    /// The violations that the oracle found.
    pub violations: Vec<String>,
    /// The transcript, one line per event.
    pub transcript: Vec<String>,
}

/// The state of a history.
struct Game<'p> {
    program: &'p Path,
    stage: Stage,
    moments: Moments,
    record: Record,
    counts: Counts,
    transcript: Vec<String>,
    window: Option<Window>,
    /// The plans that the person has looked at, by path.
    screen: BTreeMap<String, Shown>,
    hooks: Vec<Waiting>,
    agents: Vec<Agent>,
    editors: Vec<Editor>,
    /// The expected contents of the files that aren't plans, by path.
    world: BTreeMap<String, String>,
    /// Earlier texts of plans, with their paths, for programs that restore one.
    texts: Vec<(String, String)>,
    /// The last number used to make a text unique.
    number: usize,
}

/// Plays the history with this seed. `program` is started for hooks in separate processes.
pub fn play(seed: u64, program: &Path) -> Outcome {
    let mut game = match Game::new(program) {
        Ok(game) => game,
        Err(error) => {
            return Outcome {
                counts: Counts::default(),
                violations: vec![format!("the history can't be played: {error}")],
                transcript: Vec::new(),
            };
        }
    };
    let steps = Dice::new(seed, 0).between(10, 26);
    let played = (1..=steps).try_for_each(|step| {
        let mut dice = Dice::new(seed, step as u64);
        game.step(&mut dice)
    });
    let ended = played.and_then(|()| game.end(&mut Dice::new(seed, 1_000)));
    if let Err(error) = ended {
        game.record.odd.push(error);
    }
    let violations = judge(&game.record);
    for violation in &violations {
        game.transcript.push(format!("VIOLATION {violation}"));
    }
    game.counts.count(&game.record, &violations);
    Outcome {
        counts: std::mem::take(&mut game.counts),
        violations,
        transcript: std::mem::take(&mut game.transcript),
    }
}

impl<'p> Game<'p> {
    fn new(program: &'p Path) -> Result<Self, String> {
        let stage = Stage::new()?;
        let window = Window::open(&stage)?;
        let world = stage.world();
        Ok(Self {
            program,
            stage,
            moments: Moments::default(),
            record: Record::default(),
            counts: Counts::default(),
            transcript: Vec::new(),
            window: Some(window),
            screen: BTreeMap::new(),
            hooks: Vec::new(),
            agents: Vec::new(),
            editors: Vec::new(),
            world,
            texts: Vec::new(),
            number: 0,
        })
    }

    fn say(&mut self, line: impl Into<String>) {
        self.transcript.push(line.into());
    }

    /// The next number for making a text unique.
    fn number(&mut self) -> usize {
        self.number += 1;
        self.number
    }

    /// A random plan file.
    fn plan(&self, dice: &mut Dice) -> Option<String> {
        dice.pick(&self.stage.plans()).cloned()
    }

    fn step(&mut self, dice: &mut Dice) -> Result<(), String> {
        match dice.roll(100) {
            0..20 => self.hook_asks(dice)?,
            20..32 => self.hook_goes_on(dice)?,
            32..38 => self.hook_ends(dice)?,
            38..58 => self.person_decides(dice)?,
            58..64 => self.person_looks(dice)?,
            64..69 => self.person_edits(dice)?,
            69..76 => self.others_write(dice)?,
            76..89 => self.agent_calls(dice)?,
            89..97 => self.editor_acts(dice)?,
            _ => self.window_restarts()?,
        }
        self.hear()?;
        self.look_around()
    }

    /// Compares the files that aren't plans with their expected contents.
    fn look_around(&mut self) -> Result<(), String> {
        let now = self.stage.world();
        if now == self.world {
            return Ok(());
        }
        let runs: Vec<String> = self.stage.runs()?.into_iter().map(|run| run.id).collect();
        let paths = now.keys().chain(self.world.keys());
        for path in paths.collect::<std::collections::BTreeSet<_>>() {
            if now.get(path) != self.world.get(path) {
                self.record.changed.push(Changed {
                    path: path.clone(),
                    now: now.get(path).cloned(),
                    runs: runs.clone(),
                });
            }
        }
        self.world = now;
        Ok(())
    }

    /// Another program writes, restores, changes or deletes a plan.
    fn others_write(&mut self, dice: &mut Dice) -> Result<(), String> {
        let number = self.number();
        let Some(plan) = self.plan(dice) else {
            let path = self.stage.project().join("plans/own.md");
            let path = path.display().to_string();
            let text = texts::plan(dice, number);
            self.say(format!("another program writes {path}"));
            return self.stage.set(&path, Some(&text));
        };
        let now = self.stage.read(&plan).unwrap_or_default();
        self.texts.push((plan.clone(), now.clone()));
        let earlier: Vec<&String> = self
            .texts
            .iter()
            .filter(|(of, _)| *of == plan)
            .map(|(_, text)| text)
            .collect();
        let text = match dice.roll(10) {
            0 => None,
            1 | 2 => dice.pick(&earlier).map(|text| (*text).clone()),
            3 => Some(now.replacen("- [ ]", "- [x]", 1)),
            _ => Some(texts::changed(dice, &now, number)),
        };
        self.say(format!("another program writes {plan}: {text:?}"));
        self.stage.set(&plan, text.as_deref())
    }

    fn window_restarts(&mut self) -> Result<(), String> {
        self.say("the window restarts");
        // Hooks may notice that the window was closed.
        for waiting in &self.hooks {
            self.record.asks[waiting.ask].fate = Fate::Stopped;
        }
        if let Some(window) = self.window.take() {
            window.close()?;
        }
        self.counts.restarts += 1;
        self.window = Some(Window::open(&self.stage)?);
        Ok(())
    }

    /// Ends everything, collects the answers, and reads the stored rows.
    fn end(&mut self, dice: &mut Dice) -> Result<(), String> {
        if dice.chance(3) {
            self.say("the window is closed");
            for waiting in &self.hooks {
                self.record.asks[waiting.ask].fate = Fate::Stopped;
            }
            if let Some(window) = self.window.take() {
                window.close()?;
            }
            self.hooks_end(false)?;
            self.window = Some(Window::open(&self.stage)?);
        } else {
            self.hooks_end(true)?;
        }
        self.decisions_are_read()?;
        self.agents.clear();
        self.editors_end()?;
        self.look_around()?;
        self.record.approvals = self.stage.approvals()?;
        self.record.runs = self.stage.runs()?;
        self.texts_are_there()
    }
}
