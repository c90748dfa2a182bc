//! What the app and its helper tell each other.
//!
//! Helper's stdin: the job (length, JSON), then silence; one byte [`CANCEL`] asks to stop, end of
//! file means that the app is gone. Helper's stdout: frames (kind, length, payload) up to one
//! [`RESULT`] or [`FAILURE`].

use std::io::{self, Read, Write};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Mode, SandboxError, Tier};
use crate::git::obeyed::Place;

/// Frame kinds.
pub(super) const OUT: u8 = b'o';
pub(super) const ERR: u8 = b'e';
pub(super) const RESULT: u8 = b'r';
pub(super) const FAILURE: u8 = b'f';
/// The app's only word after the job.
pub(super) const CANCEL: u8 = b'c';

/// Nothing we send is larger; a longer length is a broken stream.
const LARGEST: u32 = 64 * 1024 * 1024;

/// One command, decided on by the app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Job {
    pub(super) tier: Tier,
    pub(super) bwrap: Option<PathBuf>,
    pub(super) helper: PathBuf,
    /// Canonical.
    pub(super) workspace: PathBuf,
    pub(super) mode: Mode,
    /// Where not all of the workspace is writable: what is. Existing and canonical.
    pub(super) writable: Option<Vec<PathBuf>>,
    /// Plan files and the like, as they were named; Git folders are added where the command starts.
    pub(super) protected: Vec<PathBuf>,
    /// What the user's Git would run or obey of the workspace beyond its Git folders.
    pub(super) obeyed: Vec<Place>,
    /// Whether it was approved to commit.
    pub(super) commits: bool,
    /// Whether the workspace's private files are there.
    pub(super) sees_private: bool,
    /// The user's patterns beyond the default list of private files.
    pub(super) private_files: Vec<String>,
    /// Where displaced control files are kept: a folder of the app's own.
    pub(super) aside: PathBuf,
    /// Empty and private in tier A.
    pub(super) homes: Vec<PathBuf>,
    /// Existing, canonical files and folders inside what is readable that commands must not read.
    pub(super) hidden: Vec<PathBuf>,
    /// Beyond the system's folders: what commands may read.
    pub(super) readable: Vec<PathBuf>,
    /// The harmless part of the user's settings for Git.
    pub(super) git_settings: String,
    /// Bytes that a folder in memory may take, where bubblewrap can be told.
    pub(super) temporary: Option<u64>,
    pub(super) argv: Vec<String>,
    pub(super) env: Vec<(String, String)>,
    pub(super) stdin: Option<String>,
    pub(super) network: bool,
    pub(super) timeout_ms: u64,
    pub(super) output_limit: u64,
    pub(super) record: Option<PathBuf>,
    pub(super) marker: String,
}

/// Why the helper could not begin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Failure {
    ProtectedLink(PathBuf),
    /// A `.git` that leads to a folder which does not lead back.
    GitElsewhere(PathBuf),
    /// Bubblewrap could not set its sandbox up; another start may.
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
                    "`.git` leads to {}, which does not lead back here; if it is this project's, name it in \
                     `toolchains` in your settings",
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

/// Sends a value with its length in front.
pub(super) fn send<T: Serialize>(to: &mut impl Write, value: &T) -> io::Result<()> {
    let bytes = serde_json::to_vec(value)?;
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&bytes)?;
    to.flush()
}

/// Receives what [`send`] sent.
pub(super) fn receive<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<T> {
    Ok(serde_json::from_slice(&read_sized(from)?)?)
}

/// Sends one frame in one write, so that a reader never waits between its parts.
pub(super) fn send_frame(to: &mut impl Write, kind: u8, payload: &[u8]) -> io::Result<()> {
    let length = u32::try_from(payload.len()).map_err(io::Error::other)?;
    let mut frame = Vec::with_capacity(5 + payload.len());
    frame.push(kind);
    frame.extend_from_slice(&length.to_le_bytes());
    frame.extend_from_slice(payload);
    to.write_all(&frame)?;
    to.flush()
}

/// Receives one frame: its kind and payload.
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
        return Err(io::Error::other("a message of the helper is too long"));
    }
    let mut bytes = vec![0; length as usize];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}
