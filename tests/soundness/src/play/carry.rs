//! Carries out effects that need an answer, in the simulated world.

use std::collections::BTreeSet;

use agent::context::Material;
use agent::journal::{CallOutcome, Changes, PlanEdit};
use agent::micro_planning;
use agent::run::{Effect, Event, Examined};
use agent::turn::Usage;
use gate::destructive::InspectionResult;
use plan::{Revision, TaskId, ToolCall, edit};

use super::History;
use crate::model;

impl History<'_> {
    pub(super) fn carry_out(&mut self, effect: Effect) -> Event {
        match effect {
            Effect::ReadPlan => self.read_plan(),
            Effect::EditPlan(edit) => self.edit_plan(&edit),
            Effect::TakeCheckpoint { .. } => Event::CheckpointTaken,
            Effect::LookAt { .. } => Event::Looked {
                seen: InspectionResult::default(),
            },
            Effect::Prepare {
                task, call, tool, ..
            } => {
                self.world.prepare(&task, call);
                Event::Prepared {
                    record: serde_json::json!({ "line": tool.to_line() }),
                }
            }
            Effect::Perform {
                task, call, tool, ..
            } => {
                self.oracle.judge_call(&task, call, &tool);
                let outcome = self.perform(&task, call, &tool);
                Event::Performed { outcome }
            }
            Effect::PerformAll { task, calls } => {
                calls
                    .iter()
                    .for_each(|(call, tool, _)| self.oracle.judge_call(&task, *call, tool));
                let outcomes = calls
                    .iter()
                    .map(|(call, tool, _)| self.perform(&task, *call, tool))
                    .collect();
                Event::PerformedAll { outcomes }
            }
            Effect::Check { task, line, .. } => {
                self.say(|| format!("*  {task} checks {line}"));
                self.counts.effects += 1;
                self.oracle.judge_check(&task, &line);
                let outcome = self.world.check(&line);
                self.oracle.see_check(&task, &line, outcome.ok);
                Event::Performed { outcome }
            }
            Effect::CheckBaseline { line, .. } => {
                self.oracle.judge_baseline(&line);
                Event::Performed {
                    outcome: self.world.check(&line),
                }
            }
            Effect::CheckGoal { line, .. } => Event::Performed {
                outcome: self.world.check(&line),
            },
            Effect::Examine {
                task, call, line, ..
            } => self.examine(&task, call, line),
            Effect::Measure { .. } | Effect::Survey { .. } => Event::Measured {
                changes: Changes::default(),
            },
            Effect::TakeBack { .. } => Event::TakenBack {
                files: Vec::new(),
                left: Vec::new(),
            },
            Effect::Gather { .. } => Event::Gathered {
                material: Box::new(Material::default()),
            },
            Effect::AskModel { task, request } => match self.dice.model.roll(60) {
                0 => Event::ModelFailed {
                    reason: "no reply".to_owned(),
                },
                1 => Event::ServerGone {
                    reason: "the server is gone".to_owned(),
                },
                _ => Event::Replied {
                    reply: model::reply(&mut self.dice.model, &request, self.program, &task),
                },
            },
            Effect::AskAgent { task, .. } => match self.dice.model.roll(60) {
                0 => Event::ModelFailed {
                    reason: "the agent is gone".to_owned(),
                },
                _ => Event::Replied {
                    reply: model::acts(&mut self.dice.model, self.program, &task),
                },
            },
            Effect::AskPlanner { task, request } => Event::Planned {
                reply: model::reply(
                    &mut self.dice.model,
                    &request,
                    self.program,
                    &task.unwrap_or_default(),
                ),
                there: Vec::new(),
            },
            Effect::Journal(_)
            | Effect::Ask(_)
            | Effect::Progress(_)
            | Effect::Notice { .. }
            | Effect::Interrupt { .. }
            | Effect::End { .. } => Event::Begin,
        }
    }

    fn perform(&mut self, task: &str, call: usize, tool: &ToolCall) -> CallOutcome {
        self.say(|| format!("*  {task}.{call} does {}", tool.to_line()));
        self.counts.effects += 1;
        let outcome = self.world.perform(task, call, tool);
        self.oracle.see_call(task, call, tool, outcome.ok);
        outcome
    }

    /// A command or request that the person stopped before it had any effect.
    pub(super) fn interrupt(&mut self, effect: &Effect) -> Event {
        match effect {
            Effect::AskModel { .. } | Effect::AskPlanner { .. } | Effect::AskAgent { .. } => {
                Event::ModelStopped {
                    usage: Usage::default(),
                }
            }
            _ => Event::Performed {
                outcome: CallOutcome {
                    summary: "stopped".to_owned(),
                    cancelled: true,
                    ..CallOutcome::default()
                },
            },
        }
    }

    fn examine(&mut self, task: &str, call: usize, line: String) -> Event {
        if self.storm.has_trouble && self.dice.order.chance(15) {
            let reason = "it cannot be told".to_owned();
            return Event::Examined(Examined::Undecidable { reason });
        }
        let found = match self.world.ended(task, call) {
            Some(ok) => Examined::Done(CallOutcome {
                ok,
                summary: line,
                recovered: true,
                ..CallOutcome::default()
            }),
            None => {
                self.oracle.see_not_done(task, call);
                Examined::NotDone {
                    how: "nothing changed".to_owned(),
                }
            }
        };
        self.say(|| format!("*  {task}.{call} is looked at: {found:?}"));
        Event::Examined(found)
    }

    fn read_plan(&mut self) -> Event {
        let Some(text) = self.file.clone() else {
            let message = "the plan file is gone".to_owned();
            return Event::PlanUnusable { message };
        };
        self.oracle.see(&text);
        Event::PlanRead {
            revision: Revision::of(text.as_bytes()).as_str().to_owned(),
            text,
            linked: BTreeSet::new(),
        }
    }

    fn edit_plan(&mut self, change: &PlanEdit) -> Event {
        let Some(text) = self.file.clone() else {
            let message = "the plan file is gone".to_owned();
            return Event::PlanUnusable { message };
        };
        let (plan, _) = plan::parse(&text);
        let id = |task: &String| TaskId(task.clone());
        let splices = match change {
            PlanEdit::Tick { task } => match plan.task(&id(task)) {
                Some(step) if !step.done => edit::tick(&plan, &id(task)),
                _ => Ok(Vec::new()),
            },
            PlanEdit::Untick { task } => edit::reopen(&plan, &id(task)),
            PlanEdit::Skip { task, reason } => edit::skip(&text, &plan, &id(task), reason),
            PlanEdit::Decide { task, label, .. } => {
                edit::record_decision(&text, &plan, &id(task), label, "a person")
            }
            PlanEdit::Add { addition } if addition.found_in(&plan).is_some() => Ok(Vec::new()),
            PlanEdit::Add { addition } => micro_planning::splices(&text, addition),
        };
        let edited = splices.and_then(|splices| edit::apply(&text, &splices));
        let text = match edited {
            Ok(edited) => edited.text,
            Err(error) if matches!(change, PlanEdit::Add { .. }) => {
                return Event::NotAdded {
                    reason: error.to_string(),
                };
            }
            Err(error) => {
                return Event::PlanUnusable {
                    message: error.to_string(),
                };
            }
        };
        self.say(|| format!("*  the app writes into the file: {change:?}"));
        self.file = Some(text.clone());
        self.oracle.see(&text);
        Event::PlanEdited {
            revision: Revision::of(text.as_bytes()).as_str().to_owned(),
            text,
            linked: BTreeSet::new(),
        }
    }
}
