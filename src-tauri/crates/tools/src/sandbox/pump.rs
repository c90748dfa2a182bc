//! Passes a command's output to the app and captures it.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::process::Child;

use rustix::event::{PollFd, PollFlags};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use super::capture::Capture;
use super::wire::{self, ERR, OUT};

/// Number of bytes read from the command at once.
const PIECE: usize = 64 * 1024;
/// Maximum number of bytes read from each stream after the command ended: more than a pipe holds.
const REST: usize = 4 * 1024 * 1024;
/// The prefix of bubblewrap's own messages.
const BUBBLEWRAP_SAYS: &[u8] = b"bwrap: ";
/// Maximum number of bytes held back, in case the sandbox can't be set up.
const MAX_HELD: usize = 4096;

/// Passes output to the app and captures it.
pub(super) struct Pump<'a> {
    streams: [Option<File>; 2],
    pub(super) capture: Capture,
    app: &'a File,
    /// Number of bytes that may still be passed on.
    left: u64,
    pub(super) app_is_gone: bool,
    /// Whether the first output may be bubblewrap's error about setting up the sandbox.
    pub(super) holds_back: bool,
    /// Output that may be bubblewrap's error, held back until the command writes more or has ended.
    pub(super) held: Option<Vec<u8>>,
}

impl<'a> Pump<'a> {
    pub(super) fn of(child: &mut Child, app: &'a File, limit: u64) -> Self {
        let streams = [
            child.stdout.take().map(OwnedFd::from).map(File::from),
            child.stderr.take().map(OwnedFd::from).map(File::from),
        ];
        for stream in streams.iter().flatten() {
            // A stream that stays blocking still works; only `drain` could then wait.
            if let Ok(flags) = fcntl_getfl(stream) {
                let _ = fcntl_setfl(stream, flags | OFlags::NONBLOCK);
            }
        }
        Self {
            streams,
            capture: Capture::default(),
            app,
            left: limit,
            app_is_gone: false,
            holds_back: false,
            held: None,
        }
    }

    pub(super) fn open(&self) -> impl Iterator<Item = usize> {
        (0..2).filter(|at| self.streams[*at].is_some())
    }

    pub(super) fn poll_fd(&self, at: usize) -> Option<PollFd<'_>> {
        self.streams[at]
            .as_ref()
            .map(|stream| PollFd::new(stream, PollFlags::IN))
    }

    /// Reads one piece and returns its length; 0 if there is nothing to read yet, or the stream has
    /// ended.
    pub(super) fn take(&mut self, at: usize) -> usize {
        let Some(stream) = &mut self.streams[at] else {
            return 0;
        };
        let mut piece = vec![0; PIECE];
        match stream.read(&mut piece) {
            Ok(0) => {
                self.streams[at] = None;
                0
            }
            Ok(length) => {
                let piece = &piece[..length];
                self.capture.push(piece);
                if std::mem::take(&mut self.holds_back) && piece.starts_with(BUBBLEWRAP_SAYS) {
                    self.held = Some(Vec::new());
                }
                match &mut self.held {
                    // The message may arrive in several pieces.
                    Some(held) if at == 1 && held.len() + length <= MAX_HELD => {
                        held.extend_from_slice(piece);
                    }
                    _ => {
                        self.pass_on_held();
                        self.pass_on(if at == 0 { OUT } else { ERR }, piece);
                    }
                }
                length
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
            Err(_) => {
                self.streams[at] = None;
                0
            }
        }
    }

    pub(super) fn pass_on(&mut self, kind: u8, piece: &[u8]) {
        let on = piece.len();
        let on = on.min(usize::try_from(self.left).unwrap_or(usize::MAX));
        self.left -= on as u64;
        if on > 0 && wire::send_frame(&mut &*self.app, kind, &piece[..on]).is_err() {
            self.app_is_gone = true;
        }
    }

    pub(super) fn pass_on_held(&mut self) {
        if let Some(held) = self.held.take() {
            self.pass_on(ERR, &held);
        }
    }

    /// Appends our own messages to the command's output.
    pub(super) fn tell(&mut self, alarms: &[String]) {
        for alarm in alarms {
            let line = format!("planwright: {alarm}\n");
            self.capture.push(line.as_bytes());
            if wire::send_frame(&mut &*self.app, ERR, line.as_bytes()).is_err() {
                self.app_is_gone = true;
            }
        }
    }

    /// Reads the remaining output in the pipes. Limited, since without a sandbox, a command may
    /// have passed its output to a process that never ends.
    pub(super) fn drain(&mut self) {
        for at in 0..2 {
            let mut rest = 0;
            while rest < REST {
                match self.take(at) {
                    0 => break,
                    length => rest += length,
                }
            }
        }
    }
}
