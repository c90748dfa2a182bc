//! Interactive programs, such as other agents, which exchange messages with the app while they run.
//!
//! Such a program runs like any other command: in the same sandbox, under the same helper, with the
//! permit for its line. In addition, its standard input stays open, and it may get a private copy
//! of the workspace instead of the workspace, and private copies of its own settings in its home
//! folder. Only bubblewrap can do that. The workspace itself is always read-only for the program.
//!
//! Its output waits in a bounded queue; if the queue is full, the program has to wait. Dropping
//! [`Talk`] ends the program with all its children.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use gate::Permit;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, FileType, Mode as FileMode, mknodat};
use serde::{Deserialize, Serialize};

use super::temporary::make_temporary;
use super::{
    CancelToken, CommandOutcome, CommandSpec, Mode, OutputStream, Sandbox, SandboxError, Tier,
};

/// Maximum number of pieces of output, of up to 64 KiB each, that wait to be read.
const WAITING: usize = 32;
/// Maximum number of messages to the program that wait to be written.
const UNWRITTEN: usize = 64;
/// Number of bytes kept from the end of the program's standard error, for error messages.
const KEPT_ERRORS: usize = 4 * 1024;
/// How often a blocked writer checks whether the program has ended.
const TICK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

/// What an interactive program gets in addition to what every command gets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interactive {
    /// The path of the pipe that is its standard input; set when it starts.
    pub input: PathBuf,
    /// A writable private folder that it sees instead of the workspace.
    pub copy: Option<PathBuf>,
    /// Folders that it sees read-only inside the copy, relative to the workspace.
    pub shared: Vec<PathBuf>,
    /// Files copied into its home folder: source, and path relative to the home folder.
    pub home_files: Vec<(PathBuf, PathBuf)>,
    /// Folders that contain its program and are readable.
    pub programs: Vec<PathBuf>,
}

/// Something received from a program.
#[derive(Debug)]
pub enum Heard {
    /// A piece of its standard output, at most 64 KiB.
    Output(Vec<u8>),
    /// It ended or could not be started; nothing follows.
    Ended(Result<CommandOutcome, SandboxError>),
}

/// A running interactive program.
#[derive(Debug)]
pub struct Talk {
    heard: Option<Receiver<Heard>>,
    to_write: Option<SyncSender<Vec<u8>>>,
    errors: Arc<Mutex<Vec<u8>>>,
    is_over: Arc<AtomicBool>,
    cancel: CancelToken,
    threads: Vec<JoinHandle<()>>,
    folder: PathBuf,
}

impl Sandbox {
    /// Starts an interactive program. The workspace is read-only for it, regardless of the mode in
    /// `spec`.
    ///
    /// # Errors
    /// If only a weaker sandbox works here, or the machine is out of threads, files or memory. If
    /// the program itself doesn't start, [`Heard::Ended`] says why.
    pub fn talk(
        &self,
        permit: Permit,
        spec: CommandSpec,
        how: Interactive,
    ) -> Result<Talk, SandboxError> {
        if self.tier() != Tier::Bubblewrap {
            return Err(SandboxError::Setup {
                tier: self.tier(),
                reason: "other agents run only in bubblewrap; run `planwright sandbox` to see why \
                         it isn't used"
                    .to_owned(),
            });
        }
        let cancel = CancelToken::new().map_err(SandboxError::io("start the program"))?;
        let folder = make_temporary().map_err(SandboxError::io("make a private folder"))?;
        let mut talk = Talk {
            heard: None,
            to_write: None,
            errors: Arc::default(),
            is_over: Arc::default(),
            cancel,
            threads: Vec::new(),
            folder,
        };
        let (input, pipe) =
            pipe_in(&talk.folder).map_err(SandboxError::io("make the program's input"))?;
        let spec = CommandSpec {
            mode: Mode::Plan,
            sees_private: false,
            commits: false,
            stdin: None,
            writable: None,
            interactive: Some(Interactive { input, ..how }),
            ..spec
        };
        let (sender, heard) = sync_channel(WAITING);
        let (to_write, messages) = sync_channel(UNWRITTEN);
        talk.heard = Some(heard);
        talk.to_write = Some(to_write);
        let (sandbox, cancel) = (self.clone(), talk.cancel.clone());
        let (errors, is_over) = (Arc::clone(&talk.errors), Arc::clone(&talk.is_over));
        talk.threads.push(std::thread::spawn(move || {
            let ran = sandbox.run(&permit, &spec, &cancel, &mut |chunk| match chunk.stream {
                // Fails if the receiver was dropped, in which case the program is being ended.
                OutputStream::Out => drop(sender.send(Heard::Output(chunk.bytes))),
                OutputStream::Err => keep(&errors, &chunk.bytes),
            });
            is_over.store(true, Ordering::SeqCst);
            let _ = sender.send(Heard::Ended(ran));
        }));
        let is_over = Arc::clone(&talk.is_over);
        talk.threads
            .push(std::thread::spawn(move || write(pipe, &messages, &is_over)));
        Ok(talk)
    }
}

impl Talk {
    /// Queues bytes for its standard input. Returns `false` if the program has ended, or if the
    /// queue is full because the program doesn't read its input.
    pub fn say(&self, bytes: Vec<u8>) -> bool {
        let sent = self.to_write.as_ref().map(|to| to.try_send(bytes));
        match sent {
            Some(Ok(())) => !self.is_over.load(Ordering::SeqCst),
            Some(Err(TrySendError::Full(_) | TrySendError::Disconnected(_))) | None => false,
        }
    }

    /// Waits for something from the program; `None` if nothing arrives in time.
    pub fn hear(&self, patience: Duration) -> Option<Heard> {
        let heard = self.heard.as_ref()?;
        match patience.is_zero() {
            true => heard
                .try_recv()
                .map_err(|error| error == TryRecvError::Empty),
            false => heard
                .recv_timeout(patience)
                .map_err(|error| error == RecvTimeoutError::Timeout),
        }
        .ok()
    }

    /// The end of its standard error.
    pub fn errors(&self) -> String {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&errors).trim().to_owned()
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        self.cancel.cancel();
        self.is_over.store(true, Ordering::SeqCst);
        // Close both queues, so that neither thread waits for them.
        self.heard = None;
        self.to_write = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has ended too.
            let _ = thread.join();
        }
        // A folder that can't be removed only takes up space; starting the next command removes it.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A named pipe, opened for both ends so that neither opening nor writing ever waits for a reader.
fn pipe_in(folder: &Path) -> std::io::Result<(PathBuf, File)> {
    let path = folder.join("input");
    mknodat(
        CWD,
        &path,
        FileType::Fifo,
        FileMode::RUSR | FileMode::WUSR,
        0,
    )?;
    let pipe = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(&path)?;
    Ok((path, pipe))
}

/// Writes messages to the pipe until the sender is dropped or the program has ended.
fn write(mut pipe: File, messages: &Receiver<Vec<u8>>, is_over: &AtomicBool) {
    while let Ok(message) = messages.recv() {
        let mut rest = message.as_slice();
        while !rest.is_empty() {
            if is_over.load(Ordering::SeqCst) {
                return;
            }
            match pipe.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    let mut fds = [PollFd::new(&pipe, PollFlags::OUT)];
                    let _ = poll(&mut fds, Some(&TICK));
                }
                Err(_) => return,
            }
        }
    }
}

fn keep(errors: &Mutex<Vec<u8>>, bytes: &[u8]) {
    let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
    errors.extend_from_slice(bytes);
    let excess = errors.len().saturating_sub(KEPT_ERRORS);
    errors.drain(..excess);
}
