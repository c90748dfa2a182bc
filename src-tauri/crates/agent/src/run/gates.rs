//! Checkpoints and decisions whose turn has come: asked, and what the answer leads to.

use gate::answers::Answer;
use gate::question::{QuestionKind, label};
use plan::{ChoiceEffect, TaskKind};

use super::next::Turn;
use super::ready;
use super::{Machine, PlanView, asking};
use crate::journal::{Changes, Entry, Signature, SkippedBy};

impl Machine {
    /// A checkpoint or decision whose turn has come.
    pub(super) fn pause(&mut self, view: &PlanView, index: usize) -> Turn {
        let task = &view.plan.tasks[index];
        let id = task.id.0.clone();
        if task.kind == TaskKind::Checkpoint && !task.confirm {
            self.record(Entry::Done {
                task: id,
                changes: Changes::default(),
                signed: None,
                verdict: None,
            });
            return Turn::Again;
        }
        let kind = match task.kind {
            TaskKind::Decision => QuestionKind::Decision,
            _ => QuestionKind::Checkpoint,
        };
        let Some(answer) = self.ask(asking::choice(task, kind)) else {
            return Turn::Nothing;
        };
        let Answer::Choice { label, note } = answer else {
            return self.refused(&id, answer);
        };
        if task.kind == TaskKind::Decision {
            self.record(Entry::Decided { task: id, label });
            return Turn::Again;
        }
        let stop = task.options.is_empty() && label == label::STOP;
        match ready::effect_of(task, &label) {
            _ if stop => return self.refused(&id, Answer::Stop),
            ChoiceEffect::Stop => return self.refused(&id, Answer::Stop),
            ChoiceEffect::Review => {
                let mut question = asking::choice(task, kind);
                question.message = format!(
                    "{} — look at the changes, then answer again.",
                    question.message
                );
                self.park(question);
                return Turn::Again;
            }
            ChoiceEffect::Skip(skipped) => {
                let leaves = view.open_among(&self.state, &skipped);
                let ids: Vec<String> = leaves
                    .into_iter()
                    .map(|leaf| view.plan.tasks[leaf].id.0.clone())
                    .collect();
                // What is at work for one of them ends first; the answer stands until then.
                if ids.iter().any(|id| self.is_busy(id)) {
                    return Turn::Nothing;
                }
                for task in ids {
                    self.record(Entry::Skipped {
                        task,
                        reason: format!("{id} chose “{label}”"),
                        by: SkippedBy::Branch,
                    });
                }
            }
            ChoiceEffect::Continue | ChoiceEffect::Branch(_) => {}
        }
        let chosen = match note {
            Some(note) => format!("chose “{label}”: {note}"),
            None => format!("chose “{label}”"),
        };
        let signed = Some(Signature { note: Some(chosen) });
        self.record(Entry::Done {
            task: id,
            changes: Changes::default(),
            signed,
            verdict: None,
        });
        Turn::Again
    }
}
