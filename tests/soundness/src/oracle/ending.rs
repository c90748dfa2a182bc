//! The evidence that a run needs to report done.

use agent::journal::SkippedBy;
use gate::answers::Answer;
use gate::question::QuestionKind;

use super::Oracle;
use crate::program::Kind;
use crate::world::World;

impl Oracle<'_> {
    /// Judges a run that ended and reports that no step is left.
    pub fn judge_over(&mut self) {
        let upto = self.upto.as_ref().and_then(|upto| self.program.place(upto));
        for (place, step) in self.program.steps.iter().enumerate() {
            let is_over = self.done.contains(&step.id) || self.skipped.contains_key(&step.id);
            let is_in_scope = step.kind != Kind::Group && upto.is_none_or(|upto| place <= upto);
            let has_parts = self
                .grown
                .values()
                .any(|grown| grown.under.as_deref() == Some(&step.id));
            if is_in_scope && !is_over && !has_parts && !self.is_left_out(place) {
                self.violations
                    .push(format!("the run is done, and {} is not", step.id));
            }
        }
    }

    /// Judges a run that ended and reports done: every check that passed must still pass on the
    /// current files, every requirement must be covered by a step that is done, no model may have
    /// skipped a step, and nothing may rest on a model's word alone.
    ///
    /// A step that a person marked as done manually is their responsibility: their signature
    /// replaces its checks.
    pub fn judge_done(&mut self, world: &World) {
        self.judge_over();
        let mut lacks = Vec::new();
        for (id, by) in &self.skipped {
            if *by == SkippedBy::Model && !self.done.contains(id) {
                lacks.push(format!("a model left {id} out"));
            }
        }
        let steps = self.program.steps.iter();
        for step in steps.filter(|step| self.done.contains(&step.id)) {
            let its = |line: &&String| self.passed.contains(&(step.id.clone(), (*line).clone()));
            let red = step
                .verify
                .iter()
                .filter(its)
                .filter(|line| !world.holds(line));
            lacks.extend(red.map(|line| format!("`{line}` of {} fails", step.id)));
            if step.kind == Kind::Model && step.verify.is_empty() && !self.has_evidence(&step.id) {
                lacks.push(format!(
                    "nothing but a model's word says that {} is done",
                    step.id
                ));
            }
        }
        // In a plan that grew, a person confirms that the goal is reached by signing off the last
        // step.
        let is_signed_off = self
            .grown
            .iter()
            .any(|(id, grown)| grown.step.is_by_person && self.done.contains(id));
        let is_due = self.upto.is_none() && !is_signed_off;
        let numbers = 1..=self.program.requirements.len();
        for number in numbers.filter(|_| is_due) {
            let steps = self.program.steps.iter();
            let own = steps.map(|step| (&step.id, step.covers.contains(&number)));
            let id = format!("R{number}");
            let grown = self.grown.iter();
            let grown = grown.map(|(step, grown)| (step, grown.step.covers.contains(&id)));
            let mut covering = own.chain(grown).filter(|(_, covers)| *covers).peekable();
            if covering.peek().is_some() && !covering.any(|(step, _)| self.is_done_whole(step)) {
                lacks.push(format!("nothing done covers {id}"));
            }
        }
        let lacks = lacks
            .into_iter()
            .map(|lacks| format!("the run is done, and {lacks}"));
        self.violations.extend(lacks);
    }

    /// Whether a model's step changed something or was signed by a person.
    fn has_evidence(&self, task: &str) -> bool {
        let mut calls = self.changed.iter();
        let is_done = |answer: &Answer| matches!(answer, Answer::Done { .. });
        let kinds = [QuestionKind::Unverified, QuestionKind::Person];
        calls.any(|of| of == task)
            || kinds
                .into_iter()
                .any(|kind| self.has_answered(task, kind, is_done))
            || self.counted.contains(task)
    }

    /// Whether a step is done itself, or all the steps it was split into are done.
    fn is_done_whole(&self, task: &str) -> bool {
        let mut parts = self
            .grown
            .iter()
            .filter(|(_, part)| part.under.as_deref() == Some(task))
            .peekable();
        let is_apart = parts.peek().is_some();
        self.done.contains(task) || (is_apart && parts.all(|(part, _)| self.is_done_whole(part)))
    }
}
