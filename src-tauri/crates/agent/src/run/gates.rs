//! Handles checkpoints and decisions that are due: asks the person and acts on the answer.

use gate::answers::Answer;
use gate::question::{QuestionKind, label};
use plan::{ChoiceEffect, TaskKind};

use super::next::Turn;
use super::ready;
use super::{Machine, PlanView, questions};
use crate::journal::{Changes, Entry, Signature};

impl Machine {
    pub(super) fn pause(&mut self, view: &PlanView, index: usize) -> Turn {
        let task = &view.plan.tasks[index];
        let id = task.id.0.clone();
        let done = |signed| Entry::Done {
            task: id.clone(),
            changes: Changes::default(),
            signed,
            verdict: None,
        };
        if task.kind == TaskKind::Checkpoint && !task.confirm {
            return self.record(done(None));
        }
        let kind = match task.kind {
            TaskKind::Decision => QuestionKind::Decision,
            _ => QuestionKind::Checkpoint,
        };
        let Some(answer) = self.ask(questions::choice(task, kind)) else {
            return Turn::Nothing;
        };
        let Answer::Choice { label, note } = answer else {
            return self.refused(&id, answer);
        };
        if task.kind == TaskKind::Decision {
            let task = id.clone();
            return self.record(Entry::Decided { task, label });
        }
        let stop = task.options.is_empty() && label == label::STOP;
        match ready::effect_of(task, &label) {
            _ if stop => return self.refused(&id, Answer::Stop),
            ChoiceEffect::Stop => return self.refused(&id, Answer::Stop),
            ChoiceEffect::Review => {
                let mut question = questions::choice(task, kind);
                question.message = format!(
                    "{} — review the changes, then answer again.",
                    question.message
                );
                self.park(question);
                return Turn::Again;
            }
            ChoiceEffect::Skip(skipped) => {
                for leaf in view.open_among(&self.state, &skipped) {
                    let left_out = view.plan.tasks[leaf].id.0.clone();
                    self.pending_skips
                        .insert(left_out, format!("ruled out by {id}: “{label}”"));
                }
                while self.apply_pending_skip() {}
                if !self.pending_skips.is_empty() {
                    // Wait for the effects in progress to end; the answer stays valid.
                    return Turn::Nothing;
                }
            }
            ChoiceEffect::Continue | ChoiceEffect::Branch(_) => {}
        }
        let chosen = match note {
            Some(note) => format!("chose “{label}”: {note}"),
            None => format!("chose “{label}”"),
        };
        self.record(done(Some(Signature { note: Some(chosen) })))
    }
}
