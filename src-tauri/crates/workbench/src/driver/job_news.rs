//! Messages from jobs to the run's thread.

use std::sync::mpsc::SyncSender;

use model::Failed;
use tools::sandbox::{CommandOutcome, OutputChunk, SandboxError};

/// A message from a job.
pub(super) enum News {
    Output(OutputChunk),
    Heard(model::Event),
    Ran(std::result::Result<CommandOutcome, SandboxError>),
    Answered(Box<std::result::Result<model::Reply, Failed>>),
    /// The job's thread has ended.
    Gone,
}

/// A message and its sender.
pub(super) struct Word {
    pub(super) job: u64,
    pub(super) task: String,
    pub(super) news: News,
}

/// A job's sender of messages; dropping it reports the end of the job.
pub(super) struct Teller {
    pub(super) job: u64,
    pub(super) task: String,
    pub(super) sender: SyncSender<Word>,
}

impl Teller {
    pub(super) fn say(&self, news: News) {
        // If the run was aborted, nobody receives this.
        let _ = self.sender.send(Word {
            job: self.job,
            task: self.task.clone(),
            news,
        });
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        self.say(News::Gone);
    }
}
