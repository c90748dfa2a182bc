//! The sandbox of a session: it proves itself when the first command is to run, once in a process. A
//! turn without commands costs neither the time nor the memory.

use agent::session::machine::Machine;
use tools::sandbox::{Sandbox, Tier};

use super::SessionDriver;

impl SessionDriver<'_> {
    /// Has the sandbox prove itself, if it has not yet, and tells the machine.
    pub(super) fn learn_sandbox(&mut self, machine: &mut Machine) {
        let is_there = self.sandbox().tier() != Tier::None;
        machine.prove(is_there);
    }

    pub(super) fn sandbox(&mut self) -> &Sandbox {
        let (bench, settings) = (self.bench, &self.settings);
        self.sandbox
            .get_or_insert_with(|| bench.sandbox_for(settings))
    }
}
