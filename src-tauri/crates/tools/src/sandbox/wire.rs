//! The protocol between the app and its helper.
//!
//! The helper's stdin receives the job (length, JSON) and optionally one byte [`CANCEL`]; end of
//! file means that the app is gone. Its stdout sends frames (kind, length, payload), the last of
//! which is [`RESULT`] or [`FAILURE`].

use std::io::{self, Read, Write};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Interactive, Mode, SandboxError, Tier};
use crate::git::control_paths::ControlPath;

/// Frame kinds.
pub(super) const OUT: u8 = b'o';
pub(super) const ERR: u8 = b'e';
pub(super) const RESULT: u8 = b'r';
pub(super) const FAILURE: u8 = b'f';
/// The only byte that the app sends after the job.
pub(super) const CANCEL: u8 = b'c';

/// Maximum length of a message. No valid message is longer, so a greater length means that the
/// stream is corrupt.
const LARGEST: u32 = 64 * 1024 * 1024;

/// A command that the app decided to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Job {
    pub(super) tier: Tier,
    pub(super) bwrap: Option<PathBuf>,
    pub(super) helper: PathBuf,
    /// The canonical path of the workspace.
    pub(super) workspace: PathBuf,
    pub(super) mode: Mode,
    /// The writable paths, which exist and are canonical; `None` if the whole workspace is
    /// writable.
    pub(super) writable: Option<Vec<PathBuf>>,
    /// Paths of plan files and others, as given; Git folders are added when the command starts.
    pub(super) protected: Vec<PathBuf>,
    /// Files outside the Git folders that the user's Git would run or read settings from in the
    /// workspace.
    pub(super) control_paths: Vec<ControlPath>,
    /// Whether the command is approved to make Git commits.
    pub(super) commits: bool,
    /// Whether the command can see the workspace's private files.
    pub(super) sees_private: bool,
    /// The user's patterns in addition to the default list of private files.
    pub(super) private_files: Vec<String>,
    /// Where displaced control files are kept: a folder in the app's data.
    pub(super) aside: PathBuf,
    /// The home folders. In tier A, the command sees an empty, private folder in place of each.
    pub(super) homes: Vec<PathBuf>,
    /// Existing, canonical paths inside readable folders that commands must not read.
    pub(super) hidden: Vec<PathBuf>,
    /// Paths that commands may read in addition to system folders.
    pub(super) readable: Vec<PathBuf>,
    /// The harmless part of the user's Git settings.
    pub(super) git_settings: String,
    /// Size limit of an in-memory folder in bytes, if bubblewrap supports it.
    pub(super) temporary: Option<u64>,
    pub(super) argv: Vec<String>,
    pub(super) env: Vec<(String, String)>,
    pub(super) stdin: Option<String>,
    pub(super) network: bool,
    pub(super) timeout_ms: u64,
    pub(super) output_limit: u64,
    pub(super) record: Option<PathBuf>,
    /// The settings for a program that the app exchanges messages with; `None` for a plain command.
    pub(super) interactive: Option<Interactive>,
    pub(super) marker: String,
}

/// Why the helper could not start the command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Failure {
    ProtectedLink(PathBuf),
    /// A `.git` that points to a folder which does not point back.
    GitElsewhere(PathBuf),
    /// Bubblewrap could not set up its sandbox; a retry may succeed.
    NotBegun(String),
    Setup(String),
}

impl Failure {
    pub(super) fn into_error(self, tier: Tier) -> SandboxError {
        match self {
            Self::ProtectedLink(path) => SandboxError::ProtectedLink { path },
            Self::GitElsewhere(path) => SandboxError::Setup {
                tier,
                reason: format!(
                    "`.git` points to {}, which doesn't point back; if it belongs to this \
                     project, add it to `toolchains` in settings",
                    path.display()
                ),
            },
            Self::NotBegun(reason) | Self::Setup(reason) => SandboxError::Setup { tier, reason },
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Setup(error.to_string())
    }
}

impl From<rustix::io::Errno> for Failure {
    fn from(error: rustix::io::Errno) -> Self {
        Self::Setup(error.to_string())
    }
}

/// Sends a value preceded by its length.
pub(super) fn send<T: Serialize>(to: &mut impl Write, value: &T) -> io::Result<()> {
    let bytes = serde_json::to_vec(value)?;
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&bytes)?;
    to.flush()
}

/// Receives a value sent by [`send`].
pub(super) fn receive<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<T> {
    Ok(serde_json::from_slice(&read_sized(from)?)?)
}

/// Sends a frame in a single write, so that a reader never waits in the middle of it.
pub(super) fn send_frame(to: &mut impl Write, kind: u8, payload: &[u8]) -> io::Result<()> {
    let length = u32::try_from(payload.len()).map_err(io::Error::other)?;
    let mut frame = Vec::with_capacity(5 + payload.len());
    frame.push(kind);
    frame.extend_from_slice(&length.to_le_bytes());
    frame.extend_from_slice(payload);
    to.write_all(&frame)?;
    to.flush()
}

/// Receives a frame: its kind and payload.
pub(super) fn receive_frame(from: &mut impl Read) -> io::Result<(u8, Vec<u8>)> {
    let mut kind = [0; 1];
    from.read_exact(&mut kind)?;
    Ok((kind[0], read_sized(from)?))
}

fn read_sized(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > LARGEST {
        return Err(io::Error::other("a helper message is too long"));
    }
    let mut bytes = vec![0; length as usize];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}
