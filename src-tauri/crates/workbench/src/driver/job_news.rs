//! What jobs say to the run's thread, and how.

use std::sync::mpsc::SyncSender;

use model::Failed;
use tools::sandbox::{CommandOutcome, OutputChunk, SandboxError};

/// What a job says.
pub(super) enum News {
    Output(OutputChunk),
    Heard(model::Event),
    Ran(std::result::Result<CommandOutcome, SandboxError>),
    Answered(Box<std::result::Result<model::Reply, Failed>>),
    /// Its thread has ended, whatever it said before.
    Gone,
}

/// What a job says, and which one.
pub(super) struct Word {
    pub(super) job: u64,
    pub(super) task: String,
    pub(super) news: News,
}

/// A job's way to say something; its end is told when it is gone.
pub(super) struct Teller {
    pub(super) job: u64,
    pub(super) task: String,
    pub(super) sender: SyncSender<Word>,
}

impl Teller {
    pub(super) fn say(&self, news: News) {
        // Nobody listens any more when the run was broken off.
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
