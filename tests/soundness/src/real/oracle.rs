//! Judges a history of real processes, using only what was observed: the generated plan, what the
//! person said, the log that commands write, the plan file after edits by others, and the files at
//! the end.
//!
//! Calls no code of the program. From its output, it uses only the steps reported as done and the
//! questions asked, to determine which answers the program could use.
//!
//! Long because: the requirements that an effect must meet form one list.

use std::collections::{BTreeMap, BTreeSet};

use gate::answers::{Answer, Unknown};
use gate::policy::Policy;
use gate::question::{QuestionKind, label};

use super::play::words;
use super::record::{Approval, Fact};
use crate::graph::{Graph, leaves};
use crate::person::Said;
use crate::program::{Kind, Leads, Program, Step};
use crate::reader::{Difference, Reading};

/// Judges the observations and returns the violations in order.
pub fn judge(versions: &[Program], is_parallel: bool, facts: &[Fact]) -> Vec<String> {
    let mut judge = Judge {
        versions: versions.iter().map(Version::of).collect(),
        is_parallel,
        processes: Vec::new(),
        alive: Vec::new(),
        run: None,
        log: Vec::new(),
        file: Reading::default(),
        during: None,
        kept: BTreeSet::new(),
        kept_steps: BTreeSet::new(),
        ticked: BTreeSet::new(),
        violations: Vec::new(),
    };
    facts.iter().for_each(|fact| judge.see(fact));
    judge.violations
}

struct Version<'p> {
    program: &'p Program,
    graph: Graph,
    approved: Reading,
}

impl<'p> Version<'p> {
    fn of(program: &'p Program) -> Self {
        Self {
            program,
            graph: Graph::of(program),
            approved: Reading::of(&program.text().replace("\"make ", "\"sh make ")),
        }
    }

    fn step(&self, place: usize) -> &'p Step {
        &self.program.steps[place]
    }
}

/// A process: the answers that it got, what it reported, and how it ended.
struct Process {
    said: Vec<Said>,
    is_barred: bool,
    approval: Option<Approval>,
    was_killed: bool,
    /// The ids of the steps that it reported as ended without a failure.
    done: BTreeSet<String>,
}

/// An effect that happened: a line of the log that the commands write.
#[derive(Debug, Clone)]
struct Line {
    word: String,
    process: usize,
    /// Whether it is unknown if the effect was completed, because the process was killed.
    is_unknown: bool,
    /// Whether the person discarded the run while the effect was unknown.
    was_discarded: bool,
}

struct Judge<'p> {
    versions: Vec<Version<'p>>,
    is_parallel: bool,
    processes: Vec<Process>,
    alive: Vec<usize>,
    run: Option<Approval>,
    log: Vec<Line>,
    /// The current plan file, parsed.
    file: Reading,
    /// The id of the step during which another program last changed the file.
    during: Option<String>,
    /// Structural differences that the person accepted by letting the run continue.
    kept: BTreeSet<Difference>,
    /// Changed steps that the person accepted, with their content.
    kept_steps: BTreeSet<(String, Option<String>)>,
    /// Steps that were ever ticked or skipped in the file.
    ticked: BTreeSet<String>,
    violations: Vec<String>,
}

impl Judge<'_> {
    fn violated(&mut self, what: String) {
        self.violations.push(what);
    }

    fn see(&mut self, fact: &Fact) {
        let alive = self.alive.last().copied();
        match fact {
            Fact::Began {
                approval,
                said,
                is_barred,
            } => {
                self.alive.push(self.processes.len());
                self.processes.push(Process {
                    said: said.clone(),
                    is_barred: *is_barred,
                    approval: *approval,
                    was_killed: false,
                    done: BTreeSet::new(),
                });
                self.keep();
            }
            Fact::Started => {
                let Some(process) = alive.map(|alive| &self.processes[alive]) else {
                    return;
                };
                if process.is_barred {
                    return self.violated("a second run is begun while one is open".to_owned());
                }
                if let Some(approval) = process.approval {
                    self.run = Some(approval);
                    self.kept.clear();
                    self.kept_steps.clear();
                    self.keep();
                }
            }
            Fact::Task(task, state) => {
                let Some(process) = alive.map(|alive| &mut self.processes[alive]) else {
                    return;
                };
                match state.as_str() {
                    "failed" => drop(process.done.remove(task)),
                    _ => drop(process.done.insert(task.clone())),
                }
            }
            Fact::Log(words) => self.see_log(words),
            Fact::File(text) => {
                self.file = Reading::of(text);
                let shown = self
                    .file
                    .blocks
                    .iter()
                    .filter(|block| block.is_ticked || block.is_skipped);
                self.ticked.extend(shown.map(|block| block.id.clone()));
                self.keep();
            }
            Fact::During(task) => self.during = Some(task.clone()),
            Fact::Killed => {
                let Some(alive) = self.alive.pop() else {
                    return;
                };
                let process = &mut self.processes[alive];
                process.was_killed = true;
                let step = |line: &Line| line.word.split('.').next().unwrap_or_default().to_owned();
                let its = self.log.iter_mut().filter(|line| line.process == alive);
                its.filter(|line| !process.done.contains(&step(line)))
                    .for_each(|line| line.is_unknown = true);
                self.during = None;
            }
            Fact::Ended(code) => {
                self.alive.pop();
                self.during = None;
                let is_barred = alive.is_some_and(|alive| self.processes[alive].is_barred);
                if is_barred && *code == 0 {
                    self.violated("a run is carried out while another is open".to_owned());
                }
            }
            Fact::Damaged(_) => self.log.iter_mut().for_each(|line| line.is_unknown = true),
            Fact::Discarded => {
                let unknown = self.log.iter_mut().filter(|line| line.is_unknown);
                unknown.for_each(|line| line.was_discarded = true);
            }
            Fact::World(files) => self.judge_done(files),
        }
    }

    /// All answers that the person has given, each with the index of the process that received it.
    fn said(&self) -> impl Iterator<Item = (usize, &Said)> {
        let all = self.processes.iter().enumerate();
        all.flat_map(|(at, process)| process.said.iter().map(move |said| (at, said)))
    }

    /// Accepts the current changes if the person told the current process to continue despite them.
    fn keep(&mut self) {
        let Some(alive) = self.alive.last().map(|alive| &self.processes[*alive]) else {
            return;
        };
        let keeps = |said: &Said| {
            said.kind == QuestionKind::Changed && is_choice(&said.answer, label::KEEP)
        };
        if !alive.said.iter().any(keeps) {
            return;
        }
        let Some(run) = self.run.or(alive.approval) else {
            return;
        };
        let approved = &self.versions[run.version].approved;
        self.kept.extend(self.file.differs_from(approved));
        for block in &approved.blocks {
            self.kept_steps
                .insert((block.id.clone(), self.file.rests_on(&block.id)));
        }
    }

    /// Judges new effects. An undone effect disappears from the log, which is only allowed if it
    /// was unknown whether the effect had completed.
    fn see_log(&mut self, now: &[String]) {
        let common = self
            .log
            .iter()
            .zip(now)
            .take_while(|(line, word)| line.word == **word)
            .count();
        for undone in self.log.split_off(common) {
            if !undone.is_unknown && !now.contains(&undone.word) {
                self.violated(format!("{} is undone, and nobody wanted that", undone.word));
            }
        }
        for word in &now[common..] {
            self.judge_effect(word);
            self.log.push(Line {
                word: word.clone(),
                process: self.alive.last().copied().unwrap_or_default(),
                is_unknown: false,
                was_discarded: false,
            });
        }
    }

    fn judge_effect(&mut self, word: &str) {
        let Some(process) = self.alive.last().copied() else {
            return self.violated(format!("{word} happens while nothing runs"));
        };
        if self.processes[process].is_barred {
            return self.violated(format!("{word} is done by a second process"));
        }
        let Some(run) = self.run else {
            return self.violated(format!("{word} happens before anything was approved"));
        };
        let version = &self.versions[run.version];
        let steps = version.program.steps.iter();
        let Some(place) = steps
            .clone()
            .position(|step| step.kind == Kind::Calls && words(step).iter().any(|own| own == word))
        else {
            return self.violated(format!("{word} is what nobody approved"));
        };
        let mut lacks: Vec<String> = Vec::new();
        if run.upto.is_some_and(|upto| place > upto) {
            lacks.push("it was not approved to run".to_owned());
        }
        lacks.extend(self.lacks_start(run, place));
        lacks.extend(self.lacks_own(version, place, word));
        lacks.extend(self.changed(version, place));
        let gates = version.graph.all[place].iter().copied();
        lacks.extend(gates.filter_map(|gate| self.is_closed(version, gate)));
        if self.is_left_out(version, place) {
            lacks.push("it stands in another branch".to_owned());
        }
        let before = version.graph.direct[place].iter();
        lacks.extend(before.filter_map(|before| self.waits(version, place, *before)));
        lacks.extend(self.repeats(word, version, place));
        self.violations.extend(
            lacks
                .into_iter()
                .map(|lacks| format!("{word} happens, but {lacks}")),
        );
    }

    /// Reports a step that starts without the person's permission although they want to be asked.
    fn lacks_start(&self, run: Approval, place: usize) -> Option<String> {
        let task = &self.versions[run.version].step(place).id;
        let is_said = self.said().any(|(_, said)| {
            let starts = said.kind == QuestionKind::Approval && said.answer == Answer::Run;
            said.task == *task && (starts || said.answer == Answer::Retry)
        });
        (run.policy != Policy::All && !is_said).then(|| "nobody said that it may start".to_owned())
    }

    /// Reports an earlier action of the same step that is missing.
    fn lacks_own(&self, version: &Version<'_>, place: usize, word: &str) -> Option<String> {
        let own = words(version.step(place));
        let before = own.iter().take_while(|own| *own != word);
        let mut missing = before.filter(|own| !self.has(own));
        missing
            .next()
            .map(|missing| format!("{missing} comes before it"))
    }

    fn has(&self, word: &str) -> bool {
        self.log.iter().any(|line| line.word == word)
    }

    /// Reports a change by others to anything that a step relies on, unless the person accepted it.
    fn changed(&self, version: &Version<'_>, place: usize) -> Option<String> {
        if self.is_parallel {
            return None;
        }
        let task = &version.step(place).id;
        if self.during.as_ref() != Some(task) {
            let differences = self.file.differs_from(&version.approved);
            let mut news = differences
                .iter()
                .filter(|difference| !self.is_kept(difference));
            if let Some((id, now)) = news.next() {
                return Some(format!("the plan is otherwise: {id} is now “{now}”"));
            }
        }
        let before = version.graph.all[place].iter().copied().chain([place]);
        before.map(|at| &version.step(at).id).find_map(|id| {
            let now = self.file.rests_on(id);
            let is_changed = now.is_some() && now != version.approved.rests_on(id);
            let is_kept = self.kept_steps.contains(&(id.clone(), now));
            (is_changed && !is_kept).then(|| format!("{id} was changed"))
        })
    }

    fn is_kept(&self, difference: &Difference) -> bool {
        let (id, now) = difference;
        let is_order = |now: &str| now.starts_with("behind ");
        let mut kept = self.kept.iter();
        // If two steps were swapped, it doesn't matter which one counts as moved.
        kept.any(|(of, was)| is_order(was) == is_order(now) && (of == id || is_order(now)))
    }

    /// Whether a run may have used the answers about a step that a process received: the process is
    /// still running, reported the step as done, or was killed before it could report it.
    fn counts(&self, process: usize, task: &str) -> bool {
        let of = &self.processes[process];
        self.alive.last() == Some(&process) || of.was_killed || of.done.contains(task)
    }

    /// The person's choices at a gate, in order.
    fn choices<'a>(&'a self, task: &'a str) -> impl Iterator<Item = &'a String> {
        self.said()
            .filter_map(move |(process, said)| match &said.answer {
                Answer::Choice { label, .. }
                    if said.task == task
                        && matches!(
                            said.kind,
                            QuestionKind::Checkpoint | QuestionKind::Decision
                        )
                        && self.counts(process, task) =>
                {
                    Some(label)
                }
                _ => None,
            })
    }

    /// Why a gate is closed; `None` if it is open or if the step isn't a gate.
    fn is_closed(&self, version: &Version<'_>, gate: usize) -> Option<String> {
        let step = version.step(gate);
        if !step.is_gate() || !step.confirm || self.may_be_left_out(version, gate) {
            return None;
        }
        let goes_on = |label: &String| {
            let option = step.options.iter().find(|(of, _)| of == label);
            match option.map(|(_, leads)| leads) {
                Some(Leads::Stop | Leads::Review) => false,
                Some(_) => true,
                None => label == label::CONTINUE,
            }
        };
        let is_open = self.choices(&step.id).any(goes_on);
        (!is_open).then(|| format!("{} was not answered", step.id))
    }

    /// Whether a step is excluded by the person's choices, whichever of them the run used.
    fn is_left_out(&self, version: &Version<'_>, place: usize) -> bool {
        let enabled_by = &version.graph.enabled_by[place];
        enabled_by.iter().any(|(decision, _)| {
            let mut options = self.chosen(version, *decision).peekable();
            options.peek().is_some()
                && !options.any(|option| enabled_by.contains(&(*decision, option)))
        })
    }

    /// Whether at least one of the person's choices excludes a step.
    fn may_be_left_out(&self, version: &Version<'_>, place: usize) -> bool {
        let enabled_by = &version.graph.enabled_by[place];
        let by_decision = enabled_by.iter().any(|(decision, _)| {
            let mut options = self.chosen(version, *decision);
            options.any(|option| !enabled_by.contains(&(*decision, option)))
        });
        let mut steps = 0..version.program.steps.len();
        by_decision
            || steps.any(|checkpoint| {
                let options = &version.step(checkpoint).options;
                self.chosen(version, checkpoint)
                    .any(|option| match &options[option].1 {
                        Leads::Skip(places) => places
                            .iter()
                            .any(|of| leaves(version.program, *of).contains(&place)),
                        _ => false,
                    })
            })
    }

    /// The indexes of the options that the person chose at a gate.
    fn chosen<'a>(
        &'a self,
        version: &'a Version<'_>,
        gate: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let step = version.step(gate);
        self.choices(&step.id)
            .filter_map(|label| step.options.iter().position(|(of, _)| of == label))
    }

    /// Whether the person skipped a step, or decided that its tick in the file counts as done.
    fn is_waived(&self, task: &str) -> bool {
        let skips = |said: &Said| match &said.answer {
            Answer::Skip { .. } => said.task == task,
            answer => *answer == Answer::Unknown { how: Unknown::Skip },
        };
        self.is_counted(task) || self.said().any(|(_, said)| skips(said))
    }

    fn is_counted(&self, task: &str) -> bool {
        let counts = |said: &Said| {
            said.kind == QuestionKind::Claims && is_choice(&said.answer, label::COUNT)
        };
        self.ticked.contains(task) && self.said().any(|(_, said)| counts(said))
    }

    /// What the step at `place` still waits for because of the step at `before`; `None` if nothing.
    fn waits(&self, version: &Version<'_>, place: usize, before: usize) -> Option<String> {
        let step = version.step(before);
        if self.may_be_left_out(version, before) || self.is_waived(&step.id) {
            let is_missing = words(step).iter().any(|word| !self.has(word));
            let is_skipped = is_missing && !self.is_counted(&step.id);
            if is_skipped && !self.may_be_left_out(version, before) && place != before {
                let task = &version.step(place).id;
                let starts = |(_, said): (usize, &Said)| {
                    said.task == *task
                        && said.kind == QuestionKind::SkippedDependency
                        && said.answer == Answer::Run
                };
                if !self.said().any(starts) {
                    return Some(format!("{} was left out", step.id));
                }
            }
            let mut further = version.graph.direct[before].iter();
            return further.find_map(|before| self.waits(version, place, *before));
        }
        match step.kind {
            Kind::Calls => {
                let missing = words(step).into_iter().find(|word| !self.has(word));
                missing.map(|missing| format!("{missing} did not happen before"))
            }
            Kind::Person => {
                let is_signed = self.said().any(|(process, said)| {
                    let is_its = said.task == step.id && said.kind == QuestionKind::Person;
                    let is_done = matches!(said.answer, Answer::Done { .. });
                    is_its && is_done && self.counts(process, &step.id)
                });
                (!is_signed).then(|| format!("nobody signed {}", step.id))
            }
            // The step also waits for everything that the gate depends on.
            _ => self.is_closed(version, before).or_else(|| {
                let mut further = version.graph.direct[before].iter();
                further.find_map(|on| self.waits(version, before, *on))
            }),
        }
    }

    /// Why an effect may not be repeated; `None` if it hasn't happened before or the person wanted
    /// it again.
    fn repeats(&self, word: &str, version: &Version<'_>, place: usize) -> Option<String> {
        let last = self.log.iter().rfind(|line| line.word == word)?;
        let task = &version.step(place).id;
        let later: Vec<&Process> = self.processes.iter().skip(last.process + 1).collect();
        let says = |is_it: &dyn Fn(&Said) -> bool| {
            later.iter().any(|process| process.said.iter().any(is_it))
        };
        // The outcome is unknown or the step did not end, and the person said to repeat it.
        let process = &self.processes[last.process];
        let is_shown = self.ticked.contains(task);
        let is_settled = is_shown && process.done.contains(task) && !process.was_killed;
        let repeats = Answer::Unknown {
            how: Unknown::Repeat,
        };
        let is_repeated = (last.is_unknown || !is_settled) && says(&|said| said.answer == repeats);
        // The person said to carry out the step despite its tick in the file, or despite the record
        // that it is done.
        let says_of_claims = |label: &str| {
            says(&|said| said.kind == QuestionKind::Claims && is_choice(&said.answer, label))
        };
        let is_claimed = (is_shown && says_of_claims(label::CARRY_OUT))
            || (process.done.contains(task) && says_of_claims(label::CARRY_OUT_AGAIN));
        let is_wanted = last.was_discarded || is_repeated || is_claimed;
        (!is_wanted).then(|| "it happened before".to_owned())
    }

    /// Judges a run that reports done: every step in it must have ended, every check must pass on
    /// the current files, and every requirement must be covered by a step that was carried out.
    fn judge_done(&mut self, files: &BTreeMap<String, String>) {
        let Some(run) = self.run else {
            return self.violated("a run is done that nobody approved".to_owned());
        };
        let version = &self.versions[run.version];
        let mut lacks = Vec::new();
        let mut covered = BTreeSet::new();
        let steps = version.program.steps.iter().enumerate();
        for (place, step) in steps.filter(|(place, _)| run.upto.is_none_or(|upto| *place <= upto)) {
            let is_carried_out = words(step).iter().all(|word| self.has(word));
            if (is_carried_out || self.is_counted(&step.id)) && !self.is_left_out(version, place) {
                covered.extend(step.covers.iter().copied());
            }
            if self.may_be_left_out(version, place) || self.is_waived(&step.id) {
                continue;
            }
            lacks.extend(self.is_closed(version, place));
            if matches!(step.kind, Kind::Calls | Kind::Person) {
                lacks.extend(self.waits(version, place, place));
            }
            let red = step.verify.iter().filter(|line| !is_green(line, files));
            lacks.extend(red.map(|line| format!("`{line}` of {} fails", step.id)));
        }
        let all = version
            .program
            .steps
            .iter()
            .flat_map(|step| step.covers.iter().copied());
        let all: BTreeSet<usize> = all.filter(|_| run.upto.is_none()).collect();
        lacks.extend(
            all.difference(&covered)
                .map(|number| format!("nothing covers R{number}")),
        );
        self.violations.extend(
            lacks
                .into_iter()
                .map(|lacks| format!("the run is done, but {lacks}")),
        );
    }
}

/// Whether a check passes on these files.
fn is_green(line: &str, files: &BTreeMap<String, String>) -> bool {
    match line.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["grep", "-qx", value, file] => files
            .get(*file)
            .is_some_and(|text| text.lines().any(|line| line == *value)),
        words => words == ["true"],
    }
}

fn is_choice(answer: &Answer, of: &str) -> bool {
    matches!(answer, Answer::Choice { label, .. } if label == of)
}
