//! Plays one history: a random plan, a run of it across several processes, a person, others who
//! edit the file, and crashes between any two effects.
//!
//! Long because: one process is read in one place, from its answers to its end.

mod carry;

use std::collections::{BTreeMap, VecDeque};

use agent::journal::{EndState, Entry, Started};
use agent::micro_planning::RunChoice;
use agent::model_step::StepProfile;
use agent::model_step::act::EditForms;
use agent::run::{Config, Effect, Event, Executor, Lane, Machine, Steer, fingerprints};
use gate::answers::Answers;
use gate::path::PlanPlace;
use gate::policy::Policy;
use gate::question::{Question, QuestionKind};
use gate::recovery::RecoveryStrategy;
use plan::{Revision, TaskId, edit};

use crate::dice::Dice;
use crate::edits::Edit;
use crate::oracle::Oracle;
use crate::person::{self, Mood};
use crate::program::{Kind, Program, Shape};
use crate::table::Counts;
use crate::world::World;

/// Maximum number of effects per process.
const MAX_EFFECTS: usize = 4_000;
/// Maximum number of processes per history; the last ones have a willing person and don't crash.
const PROCESSES: usize = 9;

const PROFILE: StepProfile = StepProfile {
    writes_whole_files: false,
    context_window: 8_192,
    max_output_tokens: 1_024,
    is_small: true,
    can_force_calls: true,
    can_force_schema: true,
    is_schema_bound: false,
    forms: EditForms::ALL,
};

/// The kinds of events that may occur in a history.
#[derive(Debug, Clone, Copy)]
pub struct Storm {
    /// Others edit the file in any way, not only in forms that don't affect the approval.
    pub has_edits: bool,
    /// Processes die.
    pub has_crashes: bool,
    /// The journal loses its end.
    pub has_losses: bool,
    /// The person acts while a process is running.
    pub has_steering: bool,
    /// Models carry out steps.
    pub has_models: bool,
    /// Steps run in parallel.
    pub is_parallel: bool,
    /// The person gives any answer, and tools fail.
    pub has_trouble: bool,
    /// Only changes that don't affect the approval are made, so the person must never be asked
    /// about the file.
    pub is_honest: bool,
}

impl Storm {
    /// Everything.
    pub const ALL: Self = Self {
        has_edits: true,
        has_crashes: true,
        has_losses: true,
        has_steering: true,
        has_models: true,
        is_parallel: true,
        has_trouble: true,
        is_honest: false,
    };

    /// Only honest edits.
    pub const HONEST: Self = Self {
        has_losses: false,
        has_steering: false,
        has_models: false,
        has_trouble: false,
        is_honest: true,
        ..Self::ALL
    };
}

/// The result of one history.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The violations.
    pub violations: Vec<String>,
    /// Counts of what happened.
    pub counts: Counts,
    /// The transcript, one event per line, if requested.
    pub transcript: Vec<String>,
}

/// Random number streams, one for each purpose.
struct Streams {
    edits: Dice,
    crashes: Dice,
    person: Dice,
    model: Dice,
    order: Dice,
}

/// The state that outlives a process, and its observers.
struct History<'p> {
    program: &'p Program,
    storm: Storm,
    oracle: Oracle<'p>,
    world: World,
    approved: String,
    /// The plan file; `None` if it was deleted.
    file: Option<String>,
    journal: Vec<Entry>,
    /// The length of the journal after each write.
    ends: Vec<usize>,
    dice: Streams,
    /// Questions asked by the previous and the current process.
    asked: Vec<Question>,
    /// The content of a question's step when it was asked.
    seen: BTreeMap<String, Option<String>>,
    /// Remaining edits.
    edits_left: usize,
    counts: Counts,
    transcript: Option<Vec<String>>,
    /// Number of violations already in the transcript.
    told: usize,
    has_model: bool,
    /// Whether another agent carries out the model's steps.
    has_agent: bool,
}

/// How a process ended.
enum Ended {
    Died,
    Run(EndState),
}

/// Plays the history with this seed.
pub fn play(seed: u64, storm: Storm, is_traced: bool) -> Outcome {
    let mut dice = Dice::new(seed, 1);
    let has_model = dice.chance(45) && storm.has_models;
    let shape = Shape {
        has_model,
        may_grow: has_model && dice.chance(20),
        may_delete: storm.has_trouble,
        // In an honest plan, no later step breaks an earlier one.
        shares_files: !storm.is_honest,
        most: 6,
    };
    let program = Program::draw(&mut dice, shape);
    let text = program.text();
    let policy = match dice.roll(4) {
        _ if storm.is_honest => Policy::All,
        0 => Policy::Each,
        1 => Policy::Risky,
        _ => Policy::All,
    };
    let top: Vec<usize> = program.places(|step| step.parent.is_none() && step.kind != Kind::Group);
    let upto = (dice.chance(10) && !storm.is_honest)
        .then(|| {
            dice.pick(&top)
                .map(|place| program.steps[*place].id.clone())
        })
        .flatten();
    let parallel = match dice.chance(20) && storm.is_parallel {
        true => u8::try_from(dice.between(2, 4)).unwrap_or(2),
        false => 1,
    };
    let (plan, _) = plan::parse(&text);
    let started = Started {
        revision: Revision::of(text.as_bytes()).as_str().to_owned(),
        found: None,
        policy,
        upto: upto.clone(),
        covered: fingerprints(&text, &plan)
            .into_iter()
            .map(|(id, print)| (id.0, print))
            .collect(),
        evidence: Default::default(),
        half_done: Default::default(),
        left_out: Default::default(),
        sandbox: "bubblewrap".to_owned(),
        repository: None,
        choice: RunChoice::default(),
        model: None,
        parallel,
    };
    let failing = if storm.has_trouble { 10 } else { 0 };
    let mut history = History {
        oracle: Oracle::new(&program, &text, policy, upto, parallel > 1),
        program: &program,
        storm,
        world: World::new(Dice::new(seed, 2), failing),
        file: Some(text.clone()),
        approved: text,
        journal: vec![Entry::Started(started)],
        ends: vec![1],
        dice: Streams {
            edits: Dice::new(seed, 3),
            crashes: Dice::new(seed, 4),
            person: Dice::new(seed, 5),
            model: Dice::new(seed, 6),
            order: Dice::new(seed, 7),
        },
        asked: Vec::new(),
        seen: BTreeMap::new(),
        edits_left: 0,
        counts: Counts::default(),
        transcript: is_traced.then(Vec::new),
        told: 0,
        has_model,
        has_agent: has_model && Dice::new(seed, 8).chance(25),
    };
    history.edits_left = history.dice.edits.roll(8);
    history.say(|| format!("The plan:\n{}", program.text()));
    history.run();
    let mut outcome = Outcome {
        violations: history.oracle.violations().to_vec(),
        counts: history.counts,
        transcript: history.transcript.unwrap_or_default(),
    };
    outcome.counts.histories = 1;
    outcome.counts.violations = outcome.violations.len();
    outcome
}

impl History<'_> {
    fn say(&mut self, words: impl FnOnce() -> String) {
        if let Some(transcript) = &mut self.transcript {
            transcript.push(words());
        }
    }

    /// Adds new violations to the transcript at the point where they happened.
    fn tell_violations(&mut self) {
        let new = self.oracle.violations()[self.told..].to_vec();
        self.told += new.len();
        for violation in new {
            self.say(|| format!("VIOLATION: {violation}"));
        }
    }

    fn violated(&mut self, what: String) {
        self.oracle.add_violation(what);
    }

    /// Runs all processes.
    fn run(&mut self) {
        for process in 0..PROCESSES {
            let is_last = process + 3 >= PROCESSES;
            if process > 0 {
                self.between(is_last);
            }
            let known = self.oracle.violations().len();
            let ended = self.process(process, is_last);
            self.tell_violations();
            match ended {
                Ended::Died => self.counts.crashes += 1,
                Ended::Run(EndState::Done) => {
                    self.counts.done += 1;
                    self.oracle.judge_done(&self.world);
                    return;
                }
                Ended::Run(EndState::Unverified | EndState::Incomplete) => {
                    self.oracle.judge_over();
                    return;
                }
                Ended::Run(_) => {}
            }
            if self.oracle.violations().len() > known {
                return;
            }
        }
        if self.storm.is_honest {
            self.violated("an honest history did not come to its end".to_owned());
        }
    }

    /// Events while no process is running.
    fn between(&mut self, is_last: bool) {
        let is_lost = self.storm.has_losses && !is_last && self.dice.crashes.chance(12);
        if is_lost && self.journal.len() > 1 {
            // An undo cannot be lost, because its files were restored.
            let floor = self
                .journal
                .iter()
                .rposition(|entry| matches!(entry, Entry::Undone { .. }));
            let floor = floor.unwrap_or(0) + 1;
            // Entries written together are lost together.
            let ends = self
                .ends
                .iter()
                .copied()
                .filter(|end| (floor..=self.journal.len()).contains(end));
            let ends: Vec<usize> = ends.collect();
            let last = &ends[ends.len().saturating_sub(8)..];
            let kept = self
                .dice
                .crashes
                .pick(last)
                .copied()
                .unwrap_or(self.journal.len());
            let lost = self.journal.split_off(kept);
            self.say(|| format!("-- the last {} entries of the journal are lost", lost.len()));
            self.oracle.lose(&self.journal, &lost);
            self.journal.push(Entry::Cut);
            self.ends.retain(|end| *end <= kept);
            self.ends.push(self.journal.len());
            self.counts.losses += 1;
        }
        if self.storm.has_steering && self.dice.person.chance(8) {
            self.undo();
        }
        self.maybe_edit(30);
    }

    /// Undoes a step, as a person might between two processes.
    fn undo(&mut self) {
        let done = self.journal.iter().filter_map(|entry| match entry {
            Entry::Done { task, .. } => Some(task.clone()),
            _ => None,
        });
        let done: Vec<String> = done.collect();
        let Some(task) = self.dice.person.pick(&done).cloned() else {
            return;
        };
        let kind = self
            .program
            .place(&task)
            .map(|place| self.program.steps[place].kind);
        if kind != Some(Kind::Calls) {
            return;
        }
        let entry = Entry::Undone {
            task: task.clone(),
            files: Vec::new(),
        };
        self.say(|| format!("-- {task} is taken back"));
        self.oracle.note(std::slice::from_ref(&entry));
        self.world.take_back(&task);
        self.journal.push(entry);
        let text = self.file.clone().unwrap_or_default();
        let (plan, _) = plan::parse(&text);
        let splices = edit::untick(&plan, &TaskId(task)).unwrap_or_default();
        if let Ok(edited) = edit::apply(&text, &splices) {
            self.file = self.file.is_some().then_some(edited.text);
        }
    }

    /// Edits the file with this probability, in percent.
    fn maybe_edit(&mut self, percent: usize) {
        if !self.storm.has_edits || self.edits_left == 0 || !self.dice.edits.chance(percent) {
            return;
        }
        self.edits_left -= 1;
        let edit = Edit::draw(&mut self.dice.edits, self.storm.is_honest);
        let text = self.file.clone().unwrap_or_default();
        self.file = edit.apply(&mut self.dice.edits, &text, &self.approved);
        self.counts.edited(edit);
        let now = self.file.clone();
        self.say(|| {
            format!(
                "-- somebody edits the file: {edit:?}\n{}",
                now.unwrap_or_default()
            )
        });
    }

    fn config(&mut self, process: usize, mood: Mood) -> Config {
        let dice = &mut self.dice.person;
        let (file, said) = person::answers_file(dice, mood, self.program, &self.asked, process);
        self.say(|| format!("== process {process}, {mood:?}: {file}"));
        said.into_iter().for_each(|said| self.oracle.hear(said));
        let answers = match Answers::parse(&file) {
            Ok(answers) => answers,
            Err(error) => {
                self.violated(format!("the answers cannot be read: {error}"));
                Answers::default()
            }
        };
        Config {
            answers,
            sandboxed: true,
            model: self.has_model.then_some(PROFILE),
            hand_over: self.has_agent.then(|| Executor {
                name: "acp:other".to_owned(),
                line: "other --acp".to_owned(),
                timeout_s: 60,
                tasks: Vec::new(),
                is_agent: true,
            }),
            plan: Some(PlanPlace {
                path: "plans/p.md".to_owned(),
                root: "/w".to_owned(),
                aliases: Vec::new(),
            }),
            reason: self
                .dice
                .order
                .chance(90)
                .then(|| "a small plan".to_owned()),
            ..Config::default()
        }
    }

    /// Runs one process from start to end.
    fn process(&mut self, process: usize, is_last: bool) -> Ended {
        let mood = match self.dice.person.roll(10) {
            _ if is_last || !self.storm.has_trouble => Mood::Willing,
            0..4 => Mood::Willing,
            4..8 => Mood::Mixed,
            _ => Mood::Silent,
        };
        self.oracle.begin_process(process);
        let config = self.config(process, mood);
        let death = (!is_last && self.storm.has_crashes && self.dice.crashes.chance(60))
            .then(|| self.dice.crashes.roll(60));
        if self.journal.len() > 1 {
            let sandbox = "bubblewrap".to_owned();
            self.journal.push(Entry::Resumed { sandbox });
            self.ends.push(self.journal.len());
        }
        let open = std::mem::take(&mut self.asked);
        let Some(mut machine) = Machine::replay(&self.journal, &self.approved, config) else {
            self.violated("the journal cannot be read".to_owned());
            return Ended::Died;
        };
        let mut queue: VecDeque<Effect> = VecDeque::new();
        let mut under_way: Vec<Effect> = Vec::new();
        if self.storm.has_steering && mood != Mood::Silent {
            for question in &open {
                if self.dice.person.chance(40) {
                    queue.extend(self.answer(&mut machine, question, mood));
                }
            }
            if self.dice.person.chance(15) {
                queue.extend(self.answer_ahead(&mut machine));
            }
        }
        queue.extend(machine.handle(Event::Begin));
        for count in 0..MAX_EFFECTS {
            if death == Some(count) {
                self.say(|| "-- the process dies".to_owned());
                return Ended::Died;
            }
            self.tell_violations();
            self.maybe_edit(3);
            let Some(effect) = queue.pop_front() else {
                if under_way.is_empty() {
                    self.violated("the run stopped without an end".to_owned());
                    return Ended::Died;
                }
                if self.storm.has_steering && self.dice.person.chance(6) {
                    queue.extend(self.steer(&mut machine, mood));
                    continue;
                }
                let next = self.dice.order.roll(under_way.len());
                let effect = under_way.remove(next);
                let lane = effect.lane();
                let event = self.carry_out(effect);
                // The outcome of an effect is lost if the process dies right after it.
                if death == Some(count + 1) {
                    self.say(|| "-- the process dies before it can say how that ended".to_owned());
                    return Ended::Died;
                }
                queue.extend(machine.handle_of(&lane, event));
                continue;
            };
            match effect {
                Effect::Journal(entries) => {
                    self.say(|| {
                        format!(
                            "   {}",
                            entries.iter().map(brief).collect::<Vec<_>>().join("\n   ")
                        )
                    });
                    self.oracle.note(&entries);
                    self.journal.extend(entries);
                    self.ends.push(self.journal.len());
                }
                Effect::Ask(question) => self.take_question(question),
                Effect::End { state, message } => {
                    self.say(|| format!("== {state:?}: {message}"));
                    if message.contains("internal error") {
                        self.violated(message);
                    } else if self.storm.is_honest
                        && matches!(state, EndState::NotCovered | EndState::Failed)
                    {
                        self.violated(format!("an honest history ends with {state:?}: {message}"));
                    }
                    return Ended::Run(state);
                }
                Effect::Progress(_) | Effect::Notice { .. } => {}
                Effect::Interrupt { task } => {
                    let lane = Lane::Step(task);
                    // An effect in progress ends immediately without having happened.
                    if let Some(at) = under_way.iter().position(|effect| effect.lane() == lane) {
                        let effect = under_way.remove(at);
                        let event = self.interrupt(&effect);
                        queue.extend(machine.handle_of(&lane, event));
                    }
                }
                effect => {
                    match &effect {
                        Effect::Prepare { task, .. }
                        | Effect::Check { task, .. }
                        | Effect::PerformAll { task, .. } => self.oracle.see_decision(task),
                        Effect::Perform { task, tool, .. } if tool.tool.is_read_only() => {
                            self.oracle.see_decision(task);
                        }
                        _ => {}
                    }
                    under_way.push(effect);
                }
            }
        }
        self.violated("the run does not end".to_owned());
        Ended::Died
    }

    fn take_question(&mut self, question: Question) {
        self.counts.questions += 1;
        self.say(|| {
            format!(
                "?  {:?} {}: {}",
                question.question, question.task, question.message
            )
        });
        let is_about_file = matches!(
            question.question,
            QuestionKind::Changed | QuestionKind::Claims
        );
        if self.storm.is_honest && is_about_file {
            self.violated(format!("an honest history is asked: {}", question.message));
        }
        let seen = self.oracle.rests_on(&question.task);
        self.seen.insert(question.task.clone(), seen);
        self.asked.push(question);
    }

    fn answer(&mut self, machine: &mut Machine, question: &Question, mood: Mood) -> Vec<Effect> {
        let seen = self.seen.get(&question.task).cloned().flatten();
        let Some((given, said)) = person::answer(&mut self.dice.person, mood, question, seen)
        else {
            return Vec::new();
        };
        self.say(|| format!("!  {} {:?}: {:?}", given.task, given.question, given.answer));
        self.oracle.hear(said);
        machine.handle_of(&Lane::Run, Event::Steer(Steer::Answer(given)))
    }

    fn answer_ahead(&mut self, machine: &mut Machine) -> Vec<Effect> {
        let Some((given, said)) = person::ahead(&mut self.dice.person, self.program) else {
            return Vec::new();
        };
        self.say(|| {
            format!(
                "!  ahead: {} {:?}: {:?}",
                given.task, given.question, given.answer
            )
        });
        self.oracle.hear(said);
        machine.handle_of(&Lane::Run, Event::Steer(Steer::Answer(given)))
    }

    /// An action of the person during the run.
    fn steer(&mut self, machine: &mut Machine, mood: Mood) -> Vec<Effect> {
        let dice = &mut self.dice.person;
        let task = dice
            .pick(&self.program.steps)
            .map(|step| step.id.clone())
            .unwrap_or_default();
        let event = match dice.roll(14) {
            0..5 => {
                let Some(question) = dice.pick(&self.asked).cloned() else {
                    return self.answer_ahead(machine);
                };
                return self.answer(machine, &question, mood);
            }
            5..7 => return self.answer_ahead(machine),
            7 => Event::Steer(Steer::Pause),
            8 => Event::Cancel,
            9..12 => {
                self.oracle.hear_skip(&task);
                Event::Steer(Steer::Skip {
                    task,
                    reason: "not wanted".to_owned(),
                })
            }
            12 => {
                self.oracle.hear(person::retry(&task));
                Event::Steer(Steer::Retry { task })
            }
            _ => {
                self.oracle.hear_recover(&task);
                let strategy = dice.pick(&RecoveryStrategy::ALL).copied();
                Event::Steer(Steer::Recover {
                    task,
                    strategy: strategy.unwrap_or(RecoveryStrategy::RetrySame),
                    words: None,
                })
            }
        };
        self.say(|| format!("!  {event:?}"));
        machine.handle_of(&Lane::Run, event)
    }
}

/// A short description of an entry.
fn brief(entry: &Entry) -> String {
    let words = match entry {
        Entry::Replied { task, reply } => format!("Replied {task}: {:?}", reply.calls),
        Entry::Finished {
            task,
            call,
            outcome,
        } => format!("Finished {task}.{call} ok={}", outcome.ok),
        Entry::Checked { task, outcome, .. } => {
            format!("Checked {task} ok={}: {}", outcome.ok, outcome.summary)
        }
        Entry::Intended {
            task, call, line, ..
        } => format!("Intended {task}.{call}: {line}"),
        Entry::ContextChosen { task, .. } => format!("ContextChosen {task}"),
        Entry::Asked { question } => format!("Asked {:?} {}", question.question, question.task),
        Entry::Done { task, signed, .. } => format!("Done {task} signed={}", signed.is_some()),
        other => format!("{other:?}"),
    };
    words.chars().take(400).collect()
}
