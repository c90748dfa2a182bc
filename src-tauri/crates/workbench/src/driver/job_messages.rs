//! Messages from jobs to the run's thread.

use std::sync::mpsc::SyncSender;

use model::Failed;
use tools::sandbox::{CommandOutcome, OutputChunk, SandboxError};

pub(super) enum JobEvent {
    Output(OutputChunk),
    Heard(model::Event),
    Ran(std::result::Result<CommandOutcome, SandboxError>),
    Answered(Box<std::result::Result<model::Reply, Failed>>),
    /// The job's thread has ended.
    Gone,
}

/// A message and its sender.
pub(super) struct JobMessage {
    pub(super) job: u64,
    pub(super) task: String,
    pub(super) event: JobEvent,
}

/// Sends the messages of one job; dropping it reports the job's end.
pub(super) struct JobSender {
    pub(super) job: u64,
    pub(super) task: String,
    pub(super) sender: SyncSender<JobMessage>,
}

impl JobSender {
    pub(super) fn send(&self, event: JobEvent) {
        // If the run was aborted, nobody receives this.
        let _ = self.sender.send(JobMessage {
            job: self.job,
            task: self.task.clone(),
            event,
        });
    }
}

impl Drop for JobSender {
    fn drop(&mut self) {
        self.send(JobEvent::Gone);
    }
}
