//! Judges a run independently of its code, from the generated plan, the person's answers, the raw
//! journal, and what happened in the workspace.
//!
//! Does not call `agent::run`, `gate` or `plan::coverage`; it only uses the types of the journal
//! and of questions. It remembers everything, even if the journal loses entries or the process
//! dies.
//!
//! - An answer may be recorded only if a person gave it, for the step as they saw it.
//! - `acts` judges what happens in the workspace; `ending` judges a run that reports done.
//!
//! Long because: the requirements of all entries form one list.

mod acts;
mod ending;

use std::collections::{BTreeMap, BTreeSet};

use agent::journal::{Entry, PlanEdit, SkippedBy};
use agent::micro_planning::NewStep;
use gate::answers::{Answer, Grant, Unknown};
use gate::policy::Policy;
use gate::question::{PermissionRequest, QuestionKind, label};

use crate::graph::{Graph, leaves};
use crate::person::Said;
use crate::program::{Kind, Leads, Program};
use crate::reader::{Difference, Reading};

/// A recorded answer: the step, the kind of question, the answer, and the tool and subject if any.
type Answered = (String, QuestionKind, Answer, Option<(String, String)>);

/// A step that the run added.
#[derive(Debug, Clone)]
struct Grown {
    under: Option<String>,
    step: NewStep,
}

/// The state of a step when the run decided to execute a call or check.
#[derive(Debug)]
struct Decided {
    /// The part of the content that the step relies on that differs from the approval, if any.
    void: Option<String>,
    is_left_out: bool,
}

/// The oracle of one history.
#[derive(Debug)]
pub struct Oracle<'p> {
    program: &'p Program,
    graph: Graph,
    approved: Reading,
    policy: Policy,
    upto: Option<String>,
    is_parallel: bool,
    /// Everything that the person said.
    said: Vec<Said>,
    process: usize,
    /// Steps that the person skipped on their own initiative.
    skips: BTreeSet<String>,
    /// Steps for which the person chose a recovery.
    recovers: BTreeSet<String>,
    /// The file as the current process last read it.
    read: Option<Reading>,
    /// Whether the file was read after the last call or check.
    is_fresh: bool,
    /// The state of each step at its latest decision. The file may have been read again since then
    /// for other steps.
    decided_on: BTreeMap<String, Decided>,
    /// Structural differences that the person accepted by letting the run continue.
    kept: BTreeSet<Difference>,
    /// Changed steps that the person accepted, with their content.
    kept_steps: BTreeSet<(String, Option<String>)>,
    /// The recorded answers, in order.
    answered: Vec<Answered>,
    /// Announced side effects without an outcome.
    intents: BTreeSet<(String, usize)>,
    /// Calls that were executed, and whether they succeeded.
    performed: BTreeMap<(String, usize), bool>,
    /// Executed calls that may be repeated.
    again: BTreeSet<(String, usize)>,
    /// Calls that, according to a check of the workspace, did not happen.
    not_done: BTreeSet<(String, usize)>,
    /// Calls that the person asked to repeat.
    repeats: BTreeSet<(String, usize)>,
    /// The results of each step's checks since the step last changed something.
    checks: BTreeMap<(String, String), bool>,
    /// Calls that may have changed something.
    mutated: BTreeSet<(String, usize)>,
    /// Steps that changed something.
    changed: BTreeSet<String>,
    /// Steps that a person marked as done manually.
    counted: BTreeSet<String>,
    /// Checks that have passed at least once for a step.
    passed: BTreeSet<(String, String)>,
    done: BTreeSet<String>,
    taken_back: BTreeSet<String>,
    skipped: BTreeMap<String, SkippedBy>,
    decided: BTreeMap<String, String>,
    reported: BTreeSet<String>,
    grown: BTreeMap<String, Grown>,
    /// Steps with side effects whose entries the journal has lost.
    lost: BTreeSet<String>,
    violations: Vec<String>,
}

impl<'p> Oracle<'p> {
    /// An oracle for a plan that was approved as `text`.
    pub fn new(
        program: &'p Program,
        text: &str,
        policy: Policy,
        upto: Option<String>,
        is_parallel: bool,
    ) -> Self {
        Self {
            program,
            graph: Graph::of(program),
            approved: Reading::of(text),
            policy,
            upto,
            is_parallel,
            said: Vec::new(),
            process: 0,
            skips: BTreeSet::new(),
            recovers: BTreeSet::new(),
            read: None,
            decided_on: BTreeMap::new(),
            is_fresh: false,
            kept: BTreeSet::new(),
            kept_steps: BTreeSet::new(),
            answered: Vec::new(),
            intents: BTreeSet::new(),
            performed: BTreeMap::new(),
            again: BTreeSet::new(),
            not_done: BTreeSet::new(),
            repeats: BTreeSet::new(),
            checks: BTreeMap::new(),
            mutated: BTreeSet::new(),
            changed: BTreeSet::new(),
            counted: BTreeSet::new(),
            passed: BTreeSet::new(),
            done: BTreeSet::new(),
            taken_back: BTreeSet::new(),
            skipped: BTreeMap::new(),
            decided: BTreeMap::new(),
            reported: BTreeSet::new(),
            grown: BTreeMap::new(),
            lost: BTreeSet::new(),
            violations: Vec::new(),
        }
    }

    /// All violations.
    pub fn violations(&self) -> &[String] {
        &self.violations
    }

    /// Adds a violation that was detected outside the oracle.
    pub fn add_violation(&mut self, what: String) {
        self.violations.push(what);
    }

    fn violated(&mut self, what: String) {
        self.violations.push(what);
    }

    /// Records that a process starts or resumes the run.
    pub fn begin_process(&mut self, process: usize) {
        self.process = process;
        self.read = None;
        self.decided_on.clear();
        self.is_fresh = false;
    }

    /// Records an answer that the person gave.
    pub fn hear(&mut self, said: Said) {
        self.said.push(said);
    }

    /// Records that the person skipped a step.
    pub fn hear_skip(&mut self, task: &str) {
        self.skips.insert(task.to_owned());
    }

    /// Records that the person chose a recovery for a step.
    pub fn hear_recover(&mut self, task: &str) {
        self.recovers.insert(task.to_owned());
    }

    /// Records that the process read the file.
    pub fn see(&mut self, text: &str) {
        self.read = Some(Reading::of(text));
        self.is_fresh = true;
    }

    /// The content that a step relies on in the file as last read, or as approved if the file lacks
    /// the step.
    pub fn rests_on(&self, task: &str) -> Option<String> {
        let now = self.read.as_ref().and_then(|read| read.rests_on(task));
        now.or_else(|| self.approved.rests_on(task))
    }

    /// Records that the last entries of the journal were lost.
    pub fn lose(&mut self, kept: &[Entry], lost: &[Entry]) {
        for entry in lost {
            if let Entry::Finished { task, call, .. } | Entry::Intended { task, call, .. } = entry
                && self.mutated.contains(&(task.clone(), *call))
            {
                self.lost.insert(task.clone());
            }
        }
        for entry in lost {
            match entry {
                // Without the record that the step broke, it counts as done and is checked again.
                Entry::Broken { task, .. } => drop(self.done.insert(task.clone())),
                // Ids of forgotten steps may later be reused for others.
                Entry::PlanEdited { covered, .. } => covered.keys().for_each(|id| self.forget(id)),
                _ => {}
            }
        }
        // Forgets the answers that were lost, so that nothing may rely on them.
        for entry in lost.iter().rev() {
            let Entry::Answered { task, question, .. } = entry else {
                continue;
            };
            let its = |one: &Answered| one.0 == *task && one.1 == *question;
            if let Some(at) = self.answered.iter().rposition(its) {
                self.answered.remove(at);
            }
        }
        // Recomputes the announced side effects from the remaining entries.
        self.intents.clear();
        for entry in kept {
            match entry {
                Entry::Intended { task, call, .. } => {
                    self.intents.insert((task.clone(), *call));
                }
                Entry::Finished { task, call, .. } | Entry::Cleared { task, call, .. } => {
                    self.intents.remove(&(task.clone(), *call));
                }
                Entry::Skipped { task, .. } => self.intents.retain(|(of, _)| of != task),
                _ => {}
            }
        }
        self.said.iter_mut().for_each(|said| said.is_used = false);
    }

    /// Removes a step that the run had added.
    fn forget(&mut self, task: &str) {
        if self.grown.remove(task).is_some() {
            self.performed.retain(|(of, _), _| of != task);
            self.lost.remove(task);
            self.done.remove(task);
            self.skipped.remove(task);
        }
    }

    /// Records that a check of the workspace found that a call did not happen.
    pub fn see_not_done(&mut self, task: &str, call: usize) {
        self.not_done.insert((task.to_owned(), call));
    }

    /// Judges and records new journal entries.
    pub fn note(&mut self, entries: &[Entry]) {
        for entry in entries {
            self.note_one(entry);
        }
    }

    fn note_one(&mut self, entry: &Entry) {
        match entry {
            Entry::Answered {
                task,
                question,
                answer,
                permission,
            } => self.note_answer(task, *question, answer, permission.as_ref()),
            Entry::ChangesKept { .. } => self.keep(),
            Entry::TaskStarted { task, .. } => self.judge_start(task),
            Entry::Intended { task, call, .. } => {
                self.intents.insert((task.clone(), *call));
            }
            Entry::Finished { task, call, .. } => {
                self.intents.remove(&(task.clone(), *call));
            }
            Entry::Cleared { task, call, .. } => self.note_cleared(task, *call),
            Entry::Reported { task, .. } => drop(self.reported.insert(task.clone())),
            Entry::Retried { task } => {
                let mut kinds = [QuestionKind::Failure, QuestionKind::Unverified].into_iter();
                let is_said = kinds.any(|kind| {
                    self.has_answered(task, kind, |answer| {
                        matches!(answer, Answer::Retry | Answer::Recover { .. })
                    })
                });
                if !is_said && !self.recovers.contains(task) {
                    self.violated(format!("{task} is tried again, and nobody asked for it"));
                }
                let is_model = self.is_modelled(task);
                self.allow_again(task, |ok| !ok || is_model);
            }
            Entry::Recovered { task, .. } => self.allow_again(task, |_| true),
            Entry::Done { task, signed, .. } => self.note_done(task, signed.is_some()),
            Entry::Decided { task, label } => {
                let label_of = |answer: &Answer| matches!(answer, Answer::Choice { label: said, .. } if said == label);
                if !self.has_answered(task, QuestionKind::Decision, label_of) {
                    self.violated(format!("{task} is decided, and nobody decided it"));
                }
                self.decided.insert(task.clone(), label.clone());
                self.done.insert(task.clone());
            }
            Entry::Skipped { task, by, .. } => self.note_skipped(task, *by),
            Entry::Broken { task, .. } => {
                self.done.remove(task);
                self.taken_back.insert(task.clone());
                self.allow_again(task, |_| true);
            }
            Entry::Undone { task, .. } => {
                self.done.remove(task);
                self.taken_back.insert(task.clone());
                self.performed.retain(|(of, _), _| of != task);
                self.checks.retain(|(of, _), _| of != task);
            }
            Entry::PlanEdited {
                edit: PlanEdit::Add { addition },
                covered,
                ..
            } => {
                let new = covered
                    .keys()
                    .filter(|id| self.program.place(id).is_none() && !self.grown.contains_key(*id));
                let new: Vec<String> = new.cloned().collect();
                for (id, step) in new.into_iter().zip(&addition.steps) {
                    let under = addition.under.clone();
                    self.grown.insert(
                        id,
                        Grown {
                            under,
                            step: step.clone(),
                        },
                    );
                }
            }
            _ => {}
        }
    }

    fn note_answer(
        &mut self,
        task: &str,
        kind: QuestionKind,
        answer: &Answer,
        permission: Option<&PermissionRequest>,
    ) {
        let request = permission.map(|request| (request.tool.clone(), request.subject.clone()));
        let now = self.rests_on(task);
        let process = self.process;
        let is_one = |said: &Said, about: &str| {
            let is_its = said.task == about && said.kind == kind && said.answer == *answer;
            // A permission applies only to the request that it was given for.
            let is_for = said.request == request;
            let is_usable = !said.is_used && said.process.is_none_or(|alone| alone == process);
            let is_bound = said.bound_to.is_some() && now.is_some() && said.bound_to != now;
            is_its && is_for && is_usable && !is_bound
        };
        // Answers for this step are used up before answers for any step.
        let mut places = [task, ""].into_iter();
        let place = places.find_map(|about| self.said.iter().position(|said| is_one(said, about)));
        match place.map(|place| &mut self.said[place]) {
            // A permission for the whole run stays valid, as does an answer for every unknown
            // outcome.
            Some(said) => {
                let stays = matches!(answer, Answer::Permission { grant, .. } if *grant != Grant::Once)
                    || (said.task.is_empty() && said.kind == QuestionKind::Unknown);
                said.is_used = !stays;
            }
            None => self.violated(format!(
                "{task} has an answer that nobody gave: {kind:?} {answer:?}"
            )),
        }
        if matches!(
            answer,
            Answer::Unknown {
                how: Unknown::Repeat
            }
        ) {
            // The answer applies to the interrupted calls if there are any, otherwise to the whole
            // step.
            let cut_off = self.intents.iter().filter(|(of, _)| of == task);
            let cut_off: Vec<(String, usize)> = cut_off.cloned().collect();
            self.repeats.extend(cut_off.iter().cloned());
            if cut_off.is_empty() {
                self.allow_again(task, |_| true);
                self.lost.remove(task);
            }
        }
        self.answered
            .push((task.to_owned(), kind, answer.clone(), request));
    }

    /// Allows those calls of a step to be repeated whose outcome (success or failure) `is_it`
    /// accepts.
    fn allow_again(&mut self, task: &str, is_it: impl Fn(bool) -> bool) {
        let its = self
            .performed
            .iter()
            .filter(|((of, _), ok)| of == task && is_it(**ok));
        let its: Vec<(String, usize)> = its.map(|(key, _)| key.clone()).collect();
        self.again.extend(its);
    }

    fn has_answered(
        &self,
        task: &str,
        kind: QuestionKind,
        is_it: impl Fn(&Answer) -> bool,
    ) -> bool {
        let mut answered = self.answered.iter();
        answered.any(|(of, about, answer, _)| of == task && *about == kind && is_it(answer))
    }

    /// The latest choice at a checkpoint.
    fn last_choice(&self, task: &str) -> Option<&String> {
        let mut answered = self.answered.iter().rev();
        answered.find_map(|(of, kind, answer, _)| match answer {
            Answer::Choice { label, .. } if of == task && *kind == QuestionKind::Checkpoint => {
                Some(label)
            }
            _ => None,
        })
    }

    /// Whether the latest answer about manually ticked steps is this one.
    fn last_about_claims(&self, word: &str) -> bool {
        let mut answered = self.answered.iter().rev();
        let last = answered.find(|(_, kind, _, _)| *kind == QuestionKind::Claims);
        last.is_some_and(
            |(_, _, answer, _)| matches!(answer, Answer::Choice { label, .. } if label == word),
        )
    }

    fn keep(&mut self) {
        let is_kept = |answer: &Answer| matches!(answer, Answer::Choice { label, .. } if label == label::KEEP);
        if !self.has_answered(
            QuestionKind::Changed.as_str(),
            QuestionKind::Changed,
            is_kept,
        ) {
            self.violated("the run continues with a changed plan, and nobody said so".to_owned());
        }
        let Some(read) = &self.read else { return };
        self.kept.extend(read.differs_from(&self.approved));
        for block in &self.approved.blocks {
            self.kept_steps
                .insert((block.id.clone(), read.rests_on(&block.id)));
        }
    }

    fn note_cleared(&mut self, task: &str, call: usize) {
        let key = (task.to_owned(), call);
        let is_repeated = self.repeats.remove(&key);
        if !self.not_done.remove(&key) && !is_repeated {
            self.violated(format!(
                "{task} forgets call {call}, which nobody looked at"
            ));
        }
        self.intents.remove(&key);
        self.again.insert(key);
    }

    fn note_done(&mut self, task: &str, is_signed: bool) {
        let counted = is_signed
            && self.last_about_claims(label::COUNT)
            && self
                .read
                .as_ref()
                .and_then(|read| read.block(task))
                .is_some_and(|block| block.is_ticked);
        let place = self.program.place(task);
        let is_gate = place.is_some_and(|place| self.program.steps[place].is_gate());
        let lacks = match place.map(|place| &self.program.steps[place]) {
            _ if counted && !is_gate => None,
            None => None,
            Some(step) => match step.kind {
                Kind::Calls => {
                    let lacks = (0..step.calls.len()).find(|call| {
                        let key = (task.to_owned(), *call);
                        self.performed.get(&key) != Some(&true)
                    });
                    lacks.map(|call| format!("call {call}"))
                }
                Kind::Person => (!self.has_answered(task, QuestionKind::Person, |answer| {
                    matches!(answer, Answer::Done { .. })
                }))
                .then(|| "a signature".to_owned()),
                Kind::Checkpoint => {
                    (step.confirm && !self.is_opened(task)).then(|| "an answer".to_owned())
                }
                Kind::Model if !self.reported.contains(task) => Some("a report".to_owned()),
                Kind::Model => None,
                Kind::Decision | Kind::Group => Some("anything to do".to_owned()),
            }
            .or_else(|| {
                let mut lines = step.verify.iter();
                let red = lines.find(|line| {
                    let key = (task.to_owned(), (*line).clone());
                    self.checks.get(&key) != Some(&true)
                });
                red.map(|line| format!("`{line}` green"))
            }),
        };
        if counted {
            self.counted.insert(task.to_owned());
        }
        if let Some(lacks) = lacks {
            self.violated(format!("{task} is called done without {lacks}"));
        }
        self.done.insert(task.to_owned());
    }

    /// Whether a person answered a checkpoint in a way that lets the run continue.
    fn is_opened(&self, task: &str) -> bool {
        let Some(place) = self.program.place(task) else {
            return false;
        };
        let options = &self.program.steps[place].options;
        self.has_answered(task, QuestionKind::Checkpoint, |answer| {
            let Answer::Choice { label, .. } = answer else {
                return false;
            };
            let leads = options
                .iter()
                .find(|(of, _)| of == label)
                .map(|(_, leads)| leads);
            match leads {
                Some(Leads::Stop | Leads::Review) => false,
                Some(_) => true,
                None => label == label::CONTINUE,
            }
        })
    }

    fn note_skipped(&mut self, task: &str, by: SkippedBy) {
        let place = self.program.place(task);
        let is_backed = match by {
            SkippedBy::Branch => place.is_some_and(|place| self.is_left_out(place)),
            SkippedBy::Person => {
                let mut answered = self.answered.iter();
                let is_said = answered.any(|(of, _, answer, _)| {
                    let skips = matches!(
                        answer,
                        Answer::Skip { .. } | Answer::Unknown { how: Unknown::Skip }
                    );
                    of == task && skips
                });
                let shown = self.read.as_ref().and_then(|read| read.block(task));
                let is_counted = self.last_about_claims(label::COUNT)
                    && shown.is_some_and(|block| block.is_skipped);
                is_said || is_counted || self.skips.contains(task) || self.recovers.contains(task)
            }
            SkippedBy::Model => self.is_modelled(task),
        };
        if !is_backed {
            self.violated(format!(
                "{task} is left out, and nobody left it out ({by:?})"
            ));
        }
        self.intents.retain(|(of, _)| of != task);
        self.decided.remove(task);
        self.done.remove(task);
        self.skipped.insert(task.to_owned(), by);
    }

    fn is_modelled(&self, task: &str) -> bool {
        let place = self.program.place(task);
        place.is_none_or(|place| self.program.steps[place].kind == Kind::Model)
    }

    /// Whether an answered decision or checkpoint excludes a step.
    fn is_left_out(&self, place: usize) -> bool {
        let by_decision = self.graph.enabled_by[place].iter().any(|(decision, _)| {
            let step = &self.program.steps[*decision];
            let Some(label) = self.decided.get(&step.id) else {
                return false;
            };
            let chosen = step.options.iter().position(|(of, _)| of == label);
            chosen
                .is_some_and(|chosen| !self.graph.enabled_by[place].contains(&(*decision, chosen)))
        });
        by_decision
            || self.program.steps.iter().any(|step| {
                step.options.iter().any(|(label, leads)| {
                    let Leads::Skip(places) = leads else {
                        return false;
                    };
                    let mut of = places.iter().flat_map(|of| leaves(self.program, *of));
                    of.any(|of| of == place) && self.last_choice(&step.id) == Some(label)
                })
            })
    }
}
