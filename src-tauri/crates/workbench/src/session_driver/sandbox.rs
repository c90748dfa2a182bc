//! The sandbox of a session: tested before the first command, once per process. Turns without
//! commands don't pay for it.

use agent::session::machine::Machine;
use tools::sandbox::{Sandbox, Tier};

use super::SessionDriver;

impl SessionDriver<'_> {
    /// Tests the sandbox if that wasn't done yet, and tells the machine the result.
    pub(super) fn test_sandbox(&mut self, machine: &mut Machine) {
        let is_there = self.sandbox().tier() != Tier::None;
        machine.prove(is_there);
    }

    pub(super) fn sandbox(&mut self) -> &Sandbox {
        let (bench, settings) = (self.bench, &self.settings);
        self.sandbox
            .get_or_insert_with(|| bench.sandbox_for(settings))
    }
}
