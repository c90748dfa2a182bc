//! The sandbox of a session: it proves itself on a thread of its own, and is waited for only where a
//! command is to run.

use std::thread::JoinHandle;

use agent::session::machine::Machine;
use tools::sandbox::{Sandbox, Tier};

use super::SessionDriver;
use crate::Workbench;
use crate::settings::Settings;

/// The sandbox, which proves itself while the first request is under way.
pub(super) enum SandboxSoon {
    Proving(JoinHandle<Sandbox>),
    Proved(Sandbox),
    Lost,
}

impl SessionDriver<'_> {
    /// Waits for the sandbox, if it has not proved itself yet, and tells the machine.
    pub(super) fn learn_sandbox(&mut self, machine: &mut Machine) {
        let is_there = self
            .sandbox()
            .is_some_and(|sandbox| sandbox.tier() != Tier::None);
        machine.prove(is_there, is_there);
    }

    pub(super) fn sandbox(&mut self) -> Option<&Sandbox> {
        if let SandboxSoon::Proving(_) = self.sandbox {
            let SandboxSoon::Proving(thread) =
                std::mem::replace(&mut self.sandbox, SandboxSoon::Lost)
            else {
                return None;
            };
            match thread.join() {
                Ok(sandbox) => self.sandbox = SandboxSoon::Proved(sandbox),
                Err(_) => tracing::error!("the sandbox could not be tried: its thread broke off"),
            }
        }
        match &self.sandbox {
            SandboxSoon::Proved(sandbox) => Some(sandbox),
            SandboxSoon::Proving(_) | SandboxSoon::Lost => None,
        }
    }
}

impl Workbench {
    /// Tries the sandboxes on a thread of their own, unless one has proved itself before.
    pub(super) fn sandbox_soon(&self, settings: &Settings) -> JoinHandle<Sandbox> {
        let prove = self.sandbox_prover(settings);
        std::thread::spawn(prove)
    }
}
