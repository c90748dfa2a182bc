//! The workspace context that a step's model gets, and the facts it leaves for later steps.

use agent::context::Wants;
use agent::model_tool::ModelTool;
use agent::run::{Event, Machine};
use gate::path::workspace_path;
use tools::files::MAX_FILE;
use tools::{ContentHash, documents};

use super::Driver;
use crate::error::Result;
use crate::step_material::{self, Learned};

impl Driver<'_> {
    pub(super) fn gather(&self, wants: &Wants) -> Result<Event> {
        let key = self.plan.key();
        let mut material = step_material::gather(self.store, &self.workspace, &key, wants)?;
        material.notes.clone_from(&self.notes);
        Ok(Event::Gathered {
            material: Box::new(material),
        })
    }

    /// Stores the facts and decisions that a finished step's model reported. Known facts aren't
    /// stored twice, so a process that takes over the run may repeat this.
    pub(super) fn keep_learned(&self, machine: &Machine, task: &str) -> Result<()> {
        let Some(state) = machine.state().tasks.get(task) else {
            return Ok(());
        };
        let Some(report) = &state.work.report else {
            return Ok(());
        };
        let mut read: Vec<(String, String)> = Vec::new();
        for (call, result) in state.work.rounds.performed() {
            let path = call.arguments.get("path").and_then(|path| path.as_str());
            let is_file = ModelTool::of_step(&call.name).is_some();
            let Some(path) = path.filter(|_| is_file && result.ok).map(workspace_path) else {
                continue;
            };
            if read.iter().any(|(known, _)| *known == path) {
                continue;
            }
            if let Ok(bytes) = documents::read(&self.workspace, &path, MAX_FILE) {
                read.push((path, ContentHash::of(&bytes).to_hex()));
            }
        }
        let facts: Vec<String> = report
            .learned
            .iter()
            .chain(&report.decided)
            .cloned()
            .collect();
        let learned = Learned {
            task,
            facts: &facts,
            read: &read,
        };
        let now = self.clock.now_ms();
        step_material::keep_facts(self.store, &self.workspace, &self.plan.key(), learned, now)
    }
}
