//! The command that a step is handed over to: its input, and the extra rights granted by the user's
//! own settings.

use std::time::Duration;

use agent::run::Machine;
use tools::sandbox::CommandSpec;

use super::Driver;

impl Driver<'_> {
    /// Applies the executor's settings if the command is one that steps are handed over to.
    pub(super) fn hand_over(
        &self,
        machine: &Machine,
        task: &str,
        line: &str,
        spec: &mut CommandSpec,
    ) {
        let state = machine.state().tasks.get(task);
        let handed = state.and_then(|state| state.handed_to.as_ref());
        let (Some(executor), Some(handed)) = (&self.executor, handed) else {
            return;
        };
        if handed.to != executor.name || handed.line != line || executor.line() != line {
            return;
        }
        let Some(brief) = machine.brief_of(task) else {
            return;
        };
        spec.stdin = Some(brief);
        spec.network = executor.network;
        spec.timeout = Duration::from_secs(executor.timeout_s);
        spec.granted = executor
            .env
            .iter()
            .filter_map(|name| Some((name.clone(), self.bench.environment.text(name)?)))
            .collect();
    }
}
