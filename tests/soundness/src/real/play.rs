//! Plays one history with real processes: a run of a random plan, with a person who writes answers
//! files, other programs that edit the plan during a step, `kill -9`, second processes, and a
//! database that loses data.
//!
//! Long because: the code that plays a process, and everything that can happen to it, is kept
//! together.

use std::fmt::Debug;
use std::path::Path;
use std::time::Instant;

use gate::policy::Policy;
use gate::question::{PermissionRequest, Question, QuestionKind};
use plan::Revision;
use serde_json::{Value, json};

use super::oracle;
use super::process::{PATIENCE, Running, Seen};
use super::record::{Approval, Damage, Fact};
use super::stage::Stage;
use super::table::Counts;
use crate::dice::Dice;
use crate::edits::Edit;
use crate::person::{self, Mood};
use crate::program::{Call, Kind, Program, Shape, Step};
use crate::reader::Reading;

/// Maximum number of processes in a history. The last [`QUIET`] ones run undisturbed, and the
/// person lets the run continue.
const PROCESSES: usize = 7;
/// Number of undisturbed processes at the end of a history.
const QUIET: usize = 2;

/// The result of one history.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The violations that the oracle found.
    pub violations: Vec<String>,
    /// Counts of what happened.
    pub counts: Counts,
    /// The transcript, one event per line.
    pub transcript: Vec<String>,
    /// The versions of the plan.
    pub versions: Vec<Program>,
    /// The observations that the oracle judged.
    pub facts: Vec<Fact>,
}

/// An event while a command is paused.
#[derive(Debug, Clone, Copy)]
enum Trouble {
    /// The process is killed.
    Kill,
    /// The process is killed and its database damaged.
    KillAndDamage,
    /// Another program edits the plan file.
    Edit,
    /// A second process starts, with the same or another data folder.
    Second(usize),
}

struct History<'a> {
    program: &'a Path,
    stage: Stage,
    versions: Vec<Program>,
    texts: Vec<String>,
    is_parallel: bool,
    course: Dice,
    edits: Dice,
    person: Dice,
    /// The approval policy: when the person is asked.
    policy: Policy,
    /// The position of the last step that the person approves; `None` for all steps.
    upto: Option<usize>,
    /// The index in `versions` of the plan that was approved last.
    version: usize,
    /// The id of the run.
    run: Option<String>,
    /// Whether the process was killed before it reported the end of the run.
    is_cut_off: bool,
    /// Whether the process was killed while a command was paused, so certainly before the end of
    /// the run.
    is_open: bool,
    has_ended: bool,
    asked: Vec<Question>,
    facts: Vec<Fact>,
    transcript: Vec<String>,
    counts: Counts,
}

/// Plays a history with this program. `proof` is the stored result of the sandbox test from an
/// earlier history, and is set from this one if it is `None`.
pub fn play(seed: u64, program: &Path, proof: &mut Option<Vec<u8>>) -> Outcome {
    let mut dice = Dice::new(seed, 11);
    let is_parallel = dice.chance(20);
    let shape = Shape {
        has_model: false,
        may_grow: false,
        may_delete: dice.chance(50),
        shares_files: dice.chance(60),
        most: 6,
    };
    let mut first = Program::draw(&mut dice, shape);
    mark(&mut first, &mut dice);
    let second = dice
        .chance(30)
        .then(|| reworded(&first, &mut dice))
        .flatten();
    let versions: Vec<Program> = [Some(first), second].into_iter().flatten().collect();
    let texts: Vec<String> = versions
        .iter()
        .map(|program| spelled(&program.text()))
        .collect();
    let scope = versions[0].places(|step| step.parent.is_none() && step.kind != Kind::Group);
    let policies = [Policy::All, Policy::All, Policy::Risky, Policy::Each];
    let stage = match Stage::new(&texts[0], proof.as_deref()) {
        Ok(stage) => stage,
        Err(error) => return Outcome::cannot(error),
    };
    let mut history = History {
        program,
        stage,
        is_parallel,
        policy: dice.pick(&policies).copied().unwrap_or(Policy::All),
        upto: dice.pick(&scope).copied().filter(|_| dice.chance(15)),
        versions,
        texts,
        course: Dice::new(seed, 12),
        edits: Dice::new(seed, 13),
        person: Dice::new(seed, 14),
        version: 0,
        run: None,
        is_cut_off: false,
        is_open: false,
        has_ended: false,
        asked: Vec::new(),
        facts: Vec::new(),
        transcript: Vec::new(),
        counts: Counts {
            histories: 1,
            ..Counts::default()
        },
    };
    let played = history.play();
    if proof.is_none() {
        *proof = std::fs::read(history.stage.proof(0)).ok();
    }
    let mut violations = oracle::judge(&history.versions, history.is_parallel, &history.facts);
    violations.extend(played.err());
    history.counts.violations = violations.len();
    history.counts.effects = history.stage.log().len();
    history.transcript.extend(
        violations
            .iter()
            .map(|violation| format!("VIOLATION {violation}")),
    );
    Outcome {
        violations,
        counts: history.counts,
        transcript: history.transcript,
        versions: history.versions,
        facts: history.facts,
    }
}

impl Outcome {
    fn cannot(error: String) -> Self {
        Self {
            violations: vec![format!("it cannot be played: {error}")],
            ..Self::default()
        }
    }
}

/// Rewrites the commands of a plan so that they run in this workspace.
fn spelled(text: &str) -> String {
    text.replace("\"make ", "\"sh make ")
}

/// Adds a command to most steps that have calls but no command, because only commands can be
/// observed.
fn mark(program: &mut Program, dice: &mut Dice) {
    for place in program.places(|step| step.kind == Kind::Calls && words(step).is_empty()) {
        let step = &mut program.steps[place];
        if dice.chance(85) {
            let command = format!("make {}.{}", step.id, step.calls.len());
            step.calls.push(Call {
                tool: "run_command",
                arguments: json!({ "command": command }),
            });
        }
    }
}

/// The same plan with one command changed; `None` if it has no command.
fn reworded(program: &Program, dice: &mut Dice) -> Option<Program> {
    let mut other = program.clone();
    let places = other.places(|step| step.kind == Kind::Calls && !words(step).is_empty());
    let step = &mut other.steps[*dice.pick(&places)?];
    let call = step
        .calls
        .iter_mut()
        .find(|call| call.tool == "run_command")?;
    let command = format!("{}b", call.arguments["command"].as_str()?);
    call.arguments = json!({ "command": command });
    Some(other)
}

/// The words that a step's commands log.
pub(crate) fn words(step: &Step) -> Vec<String> {
    // Only steps of kind `Calls` make their calls; a person's step leaves them to the person.
    let calls = step.calls.iter().filter(|_| step.kind == Kind::Calls);
    let commands = calls.filter_map(|call| call.arguments["command"].as_str());
    commands
        .filter_map(|line| Some(line.strip_prefix("make ")?.to_owned()))
        .collect()
}

impl History<'_> {
    fn play(&mut self) -> Result<(), String> {
        self.say("plan", &self.texts[0].clone());
        for number in 0..PROCESSES {
            let is_quiet = number + QUIET >= PROCESSES;
            if self.is_open && !is_quiet && self.course.chance(25) {
                self.be_barred()?;
            }
            if self.is_cut_off && !is_quiet && self.course.chance(10) {
                self.discard()?;
            }
            if self.run.is_some() && !is_quiet && self.course.chance(8) {
                self.damage()?;
            }
            if !is_quiet && number > 0 && self.course.chance(30) {
                self.edit()?;
            }
            if is_quiet || (number > 0 && self.course.chance(25)) {
                self.put_back()?;
            }
            let mood = match self.course.roll(10) {
                _ if is_quiet => Mood::Willing,
                0 => Mood::Silent,
                1..5 => Mood::Mixed,
                _ => Mood::Willing,
            };
            let has_run = self.run.is_some() && (self.is_cut_off || self.course.chance(60));
            let code = match has_run {
                true => self.resume(mood, is_quiet)?,
                false => self.begin(mood, is_quiet)?,
            };
            if code == Some(0) {
                self.counts.done += 1;
                let world = self.stage.world();
                self.note(Fact::World(world));
                break;
            }
        }
        Ok(())
    }

    fn note(&mut self, fact: Fact) {
        let files = self.facts.iter().rev();
        let mut files = files.filter_map(|fact| match fact {
            Fact::File(text) => Some(text),
            _ => None,
        });
        match &fact {
            Fact::File(text) if files.next() == Some(text) => {}
            Fact::Began { approval, .. } => self.say("", approval),
            fact => self.say("", fact),
        }
        self.facts.push(fact);
    }

    fn say(&mut self, what: &str, about: &dyn Debug) {
        let line = format!("{what} {about:?}");
        self.transcript
            .push(line.replace("\\n", "\n  ").replace("\\\"", "\""));
    }

    fn see_log(&mut self) {
        let log = self.stage.log();
        self.note(Fact::Log(log));
    }

    fn see_file(&mut self) {
        let text = self.stage.text();
        self.note(Fact::File(text));
    }

    /// Edits the plan file as another program would.
    fn edit(&mut self) -> Result<(), String> {
        let edit = Edit::draw(&mut self.edits, false);
        let approved = self.texts[self.version].clone();
        let text = edit.apply(&mut self.edits, &self.stage.text(), &approved);
        let text = text.map(|text| spelled(&text));
        self.say("edit", &edit);
        self.stage.set_text(text.as_deref())?;
        self.counts.edited(edit);
        self.see_file();
        Ok(())
    }

    /// Restores the approved plan file as the person would, if it differs.
    fn put_back(&mut self) -> Result<(), String> {
        let (now, approved) = (self.stage.text(), &self.texts[self.version]);
        if !is_same_plan(&now, approved) {
            let text = approved.clone();
            self.stage.set_text(Some(&text))?;
            self.see_file();
        }
        Ok(())
    }

    fn damage(&mut self) -> Result<(), String> {
        let damage = self
            .course
            .pick(&Damage::ALL)
            .copied()
            .unwrap_or(Damage::Gone);
        self.stage.damage(damage)?;
        *self.counts.damages.entry(damage).or_default() += 1;
        self.note(Fact::Damaged(damage));
        Ok(())
    }

    /// Approves the current file and starts a run, as the person would; returns the exit code, if
    /// there is one.
    fn begin(&mut self, mood: Mood, is_quiet: bool) -> Result<Option<i32>, String> {
        if self.version == 0 && self.versions.len() > 1 && self.course.chance(40) {
            self.version = 1;
        }
        self.put_back()?;
        let approval = Approval {
            version: self.version,
            policy: self.policy,
            upto: self.upto,
        };
        let words = self.approving();
        self.carry(0, words, Some(approval), mood, is_quiet, false)
    }

    /// The arguments with which a person approves the current file.
    fn approving(&self) -> Vec<String> {
        let revision = Revision::of(self.stage.text().as_bytes());
        let mut words = vec!["run", "plans/p.md", "--approve", revision.as_str()];
        words.extend(["--policy", self.policy.as_str()]);
        let upto = self
            .upto
            .map(|upto| self.versions[self.version].steps[upto].id.as_str());
        words.extend(upto.into_iter().flat_map(|upto| ["--upto", upto]));
        if self.is_parallel {
            words.extend(["--parallel", "2"]);
        }
        words.into_iter().map(str::to_owned).collect()
    }

    fn resume(&mut self, mood: Mood, is_quiet: bool) -> Result<Option<i32>, String> {
        let run = self.run.clone().unwrap_or_default();
        self.carry(
            0,
            vec!["resume".to_owned(), run],
            None,
            mood,
            is_quiet,
            false,
        )
    }

    /// Tries to start a second run although one was interrupted, with the same or another data
    /// folder.
    fn be_barred(&mut self) -> Result<(), String> {
        let home = self.course.roll(2);
        self.be_barred_with(home)
    }

    fn be_barred_with(&mut self, home: usize) -> Result<(), String> {
        let approval = Approval {
            version: self.version,
            policy: self.policy,
            upto: self.upto,
        };
        let words = self.approving();
        self.counts.barred += 1;
        self.carry(home, words, Some(approval), Mood::Willing, true, true)?;
        Ok(())
    }

    /// Discards an interrupted run, as the person would.
    fn discard(&mut self) -> Result<(), String> {
        let run = self.run.clone().unwrap_or_default();
        let words = ["discard", &run, "--yes", "--json"].map(str::to_owned);
        let mut running = Running::start(
            self.program,
            &self.stage.home(0),
            &self.stage.workspace(),
            &words,
        )?;
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            match running.look()? {
                Seen::End(0) => {
                    self.note(Fact::Discarded);
                    self.run = None;
                    (self.is_cut_off, self.is_open) = (false, false);
                    return Ok(());
                }
                Seen::End(code) => {
                    self.say("discard ended with", &code);
                    return Ok(());
                }
                _ => {}
            }
        }
        Err("a discard does not end".to_owned())
    }

    /// Starts a process and disturbs it as drawn for this history; returns its exit code, if it has
    /// one.
    fn carry(
        &mut self,
        home: usize,
        mut words: Vec<String>,
        approval: Option<Approval>,
        mood: Mood,
        is_quiet: bool,
        is_barred: bool,
    ) -> Result<Option<i32>, String> {
        let number = self
            .facts
            .iter()
            .filter(|fact| matches!(fact, Fact::Began { .. }))
            .count();
        let program = &self.versions[self.version];
        let (answers, said) =
            person::answers_file(&mut self.person, mood, program, &self.asked, number);
        let file = self
            .stage
            .note(&format!("answers{number}.json"), &answers)?;
        words.extend(["--answers".to_owned(), file.display().to_string()]);
        words.extend(["--offline".to_owned(), "--json".to_owned()]);
        let trouble = self.trouble().filter(|_| !is_quiet);
        let held = trouble.and_then(|_| self.draw_held());
        let killed_at = (trouble.is_none() && !is_quiet && self.course.chance(35))
            .then(|| self.course.between(1, 25));
        if let Some(word) = &held {
            self.stage.hold(word)?;
        }
        self.say("start", &(&words, &answers, &trouble, &held, &killed_at));
        self.see_file();
        self.note(Fact::Began {
            approval,
            said,
            is_barred,
        });
        self.counts.processes += 1;
        let (folder, workspace) = (self.stage.home(home), self.stage.workspace());
        let mut running = Running::start(self.program, &folder, &workspace, &words)?;
        self.has_ended &= is_barred;
        let mut seen = 0;
        let mut begun = Instant::now();
        let mut trouble = trouble.filter(|_| held.is_some());
        while begun.elapsed() < PATIENCE {
            match running.look()? {
                Seen::End(code) => {
                    self.see_log();
                    self.see_file();
                    self.note(Fact::Ended(code));
                    return Ok(Some(code));
                }
                Seen::Event(event) => {
                    seen += 1;
                    self.hear(&event, is_barred);
                    if Some(seen) == killed_at {
                        self.kill(running, false)?;
                        return Ok(None);
                    }
                }
                Seen::Nothing => {}
            }
            // While a barred process runs, the first process's paused command must stay paused.
            if is_barred {
                continue;
            }
            self.stage
                .release_but(held.as_deref().filter(|_| trouble.is_some()));
            let is_held = held.as_ref().is_some_and(|word| self.stage.is_held(word));
            match trouble.filter(|_| is_held) {
                Some(Trouble::Kill | Trouble::KillAndDamage) => {
                    let damages = matches!(trouble, Some(Trouble::KillAndDamage));
                    self.kill(running, true)?;
                    if damages {
                        self.damage()?;
                    }
                    return Ok(None);
                }
                Some(happens) => {
                    trouble = None;
                    self.see_log();
                    let word = held.as_deref().unwrap_or_default();
                    let step = word.split('.').next().unwrap_or_default().to_owned();
                    match happens {
                        Trouble::Second(home) => self.be_barred_with(home)?,
                        _ => {
                            self.see_file();
                            self.note(Fact::During(step));
                            self.edit()?;
                        }
                    }
                    begun = Instant::now();
                }
                None => {}
            }
        }
        self.kill(running, false)?;
        Err("a process does not end".to_owned())
    }

    /// Draws the disturbance of a process, if any.
    fn trouble(&mut self) -> Option<Trouble> {
        let trouble = match self.course.roll(100) {
            0..20 => Trouble::Kill,
            20..30 => Trouble::KillAndDamage,
            30..50 => Trouble::Edit,
            50..55 => Trouble::Second(0),
            55..60 => Trouble::Second(1),
            _ => return None,
        };
        Some(trouble).filter(|trouble| {
            !self.is_parallel || matches!(trouble, Trouble::Kill | Trouble::KillAndDamage)
        })
    }

    /// Draws a command to pause from those that haven't run yet.
    fn draw_held(&mut self) -> Option<String> {
        let log = self.stage.log();
        let steps = self.versions[self.version].steps.iter();
        let all = steps
            .filter(|step| step.kind == Kind::Calls)
            .flat_map(words);
        let open: Vec<String> = all.filter(|word| !log.contains(word)).take(3).collect();
        self.course.pick(&open).cloned()
    }

    fn kill(&mut self, running: Running, is_held: bool) -> Result<(), String> {
        let rest = running.kill_9(&self.stage.workspace())?;
        for event in rest {
            self.hear(&event, false);
        }
        self.see_log();
        self.see_file();
        self.counts.kills += 1;
        self.note(Fact::Killed);
        self.is_cut_off |= self.run.is_some() && !self.has_ended;
        self.is_open |= is_held;
        Ok(())
    }

    /// Handles an event of a process.
    fn hear(&mut self, event: &Value, is_barred: bool) {
        self.say("  ", &event.to_string());
        let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
        match event["event"].as_str() {
            Some("started") => {
                if !is_barred {
                    self.run = Some(text("run"));
                    (self.is_cut_off, self.is_open) = (false, false);
                }
                self.note(Fact::Started);
            }
            Some("ended") => self.has_ended = true,
            Some("task") => self.note(Fact::Task(text("task"), text("state"))),
            Some("waiting") => {
                self.counts.questions += 1;
                let permission =
                    text("match")
                        .strip_prefix("exact ")
                        .map(|subject| PermissionRequest {
                            tool: text("tool"),
                            subject: subject.to_owned(),
                            danger: None,
                            content: None,
                        });
                if permission.is_some() {
                    self.asked.push(Question {
                        task: text("id"),
                        question: QuestionKind::Permission,
                        message: String::new(),
                        options: Vec::new(),
                        permission,
                        fingerprint: None,
                    });
                }
            }
            _ => {}
        }
    }
}

/// Whether two texts are the same plan except for its progress.
pub(crate) fn is_same_plan(one: &str, other: &str) -> bool {
    let (one, other) = (Reading::of(one), Reading::of(other));
    let same = |id: &str| one.rests_on(id) == other.rests_on(id);
    one.differs_from(&other).is_empty() && other.blocks.iter().all(|block| same(&block.id))
}
