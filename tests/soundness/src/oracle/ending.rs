//! What a run that says it is done must have to show.

use agent::journal::SkippedBy;

use super::Oracle;
use crate::program::Kind;
use crate::world::World;

impl Oracle<'_> {
    /// The run ended and says that no step is left.
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

    /// The run ended and says that it is done: every check is green in the files as they are, every
    /// requirement is covered by a step that is done, and no model left a step out.
    pub fn judge_done(&mut self, world: &World) {
        self.judge_over();
        let upto = self.upto.as_ref();
        for (id, by) in &self.skipped {
            if *by == SkippedBy::Model && !self.done.contains(id) {
                self.violations.push(format!("the run is done, and a model left {id} out"));
            }
        }
        for step in self
            .program
            .steps
            .iter()
            .filter(|step| self.done.contains(&step.id))
        {
            for line in step.verify.iter().filter(|line| !world.holds(line)) {
                self.violations.push(format!(
                    "the run is done, and `{line}` of {} fails",
                    step.id
                ));
            }
        }
        if upto.is_some() {
            return;
        }
        for number in 1..=self.program.requirements.len() {
            let mut covering = self
                .program
                .steps
                .iter()
                .filter(|step| step.covers.contains(&number))
                .peekable();
            if covering.peek().is_some() && !covering.any(|step| self.done.contains(&step.id)) {
                self.violations.push(format!(
                    "the run is done, and nothing done covers R{number}"
                ));
            }
        }
    }
}
