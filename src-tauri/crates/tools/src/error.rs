//! Errors of tools. Each message is one sentence that says what to do.
//!
//! An error never contains a file's content, except [`ToolError::ChangedMeanwhile`], whose receiver
//! has to keep what another program wrote.

use std::io;
use std::path::Path;

use thiserror::Error;

/// Why a tool failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ToolError {
    /// The gate gave no permit for the action.
    #[error(transparent)]
    NotPermitted(#[from] gate::NotPermitted),
    /// A person cancelled the action.
    #[error("cancelled; nothing was written")]
    Cancelled,
    /// The workspace's folder does not exist.
    #[error("no such folder: `{path}`; check the path or create it")]
    WorkspaceMissing {
        /// The path as given.
        path: String,
    },
    /// The workspace's path is not a folder.
    #[error("`{path}` is not a folder: open your project's folder")]
    WorkspaceNotAFolder {
        /// The path as given.
        path: String,
    },
    /// The workspace cannot be read.
    #[error("can't read folder `{path}` ({reason}): check its permissions")]
    WorkspaceUnreadable {
        /// The path as given.
        path: String,
        /// The error message of the system.
        reason: String,
    },
    /// The folder was moved, removed or replaced since it was opened.
    #[error(
        "the workspace `{path}` was moved, deleted or replaced: restore it or open it again; \
         nothing was changed"
    )]
    WorkspaceGone {
        /// The former path of the folder.
        path: String,
    },
    /// An absolute path.
    #[error("`{path}` is an absolute path: use a path relative to the workspace{hint}")]
    Absolute {
        /// The path as given.
        path: String,
        /// `, as …` with the relative path if it is inside the workspace; otherwise empty.
        hint: String,
    },
    /// A path with `..`.
    #[error("`{path}` contains `..`: use a path relative to the workspace, without `..`")]
    ParentFolder {
        /// The path as given.
        path: String,
    },
    /// A symbolic link in the path leads out of the workspace.
    #[error(
        "`{path}` points outside the workspace through the symbolic link `{link}`: use a path inside it"
    )]
    SymlinkOut {
        /// The path as given.
        path: String,
        /// The path of the link.
        link: String,
    },
    /// A symbolic link in the path is absolute, so it is not followed, even if it stays inside.
    #[error(
        "`{path}` uses the symbolic link `{link}`, whose target `{target}` is absolute: make the \
         link relative"
    )]
    AbsoluteSymlink {
        /// The path as given.
        path: String,
        /// The path of the link.
        link: String,
        /// The path that the link points to.
        target: String,
    },
    /// The path leads to a dangling symbolic link.
    #[error("`{path}` is a broken symbolic link: fix or delete it")]
    DanglingSymlink {
        /// The path as given.
        path: String,
    },
    /// Folders in the path changed while it was resolved.
    #[error("a parent folder of `{path}` changed while opening it: try again")]
    PathShifted {
        /// The path as given.
        path: String,
    },
    /// The path does not exist.
    #[error("no such file or folder: `{path}`; check the path or list its folder")]
    NotFound {
        /// The path as given.
        path: String,
    },
    /// The path is not a regular file.
    #[error("`{path}` is {kind}, not a file: specify a file")]
    NotAFile {
        /// The path as given.
        path: String,
        /// The kind of entry: `a folder`, `a pipe`, `a device`, `a socket`, `a symbolic link`.
        kind: &'static str,
    },
    /// The path is not a folder.
    #[error("`{path}` is not a folder: specify a folder")]
    NotAFolder {
        /// The path as given.
        path: String,
    },
    /// A file with several hard links is not written to, since another name may be outside.
    #[error(
        "`{path}` has {links} hard links, possibly from outside the workspace: replace it with a \
         copy first"
    )]
    HardLinked {
        /// The path as given.
        path: String,
        /// Number of hard links.
        links: u64,
    },
    /// A path that no tool may write to.
    #[error("`{path}` is protected ({why}): edit it yourself if you need to")]
    Protected {
        /// The path, links resolved.
        path: String,
        /// Why it is protected.
        why: &'static str,
    },
    /// A file that exceeds a tool's size limit.
    #[error(
        "`{path}` is too large ({len} bytes; the limit is {limit}): use a command to work on \
         part of it"
    )]
    TooLarge {
        /// The path as given.
        path: String,
        /// Its length in bytes.
        len: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The file is not UTF-8 text.
    #[error(
        "`{path}` is not UTF-8 text (invalid byte at {offset}): edit it with a command or \
         convert it first"
    )]
    NotText {
        /// The path as given.
        path: String,
        /// Position of the first byte that is not valid text.
        offset: usize,
    },
    /// A private file, whose content no model may see.
    #[error(
        "`{path}` is private and hidden from models; to allow it, add \"!{path}\" to \
         `private_files` in settings"
    )]
    Private {
        /// The path as given.
        path: String,
    },
    /// An invalid argument.
    #[error("{reason}")]
    Argument {
        /// A sentence that says what to write instead.
        reason: String,
    },
    /// `old_text` does not occur exactly once.
    #[error("{}", old_text_message(path, *count, near))]
    OldText {
        /// The path as given.
        path: String,
        /// Number of occurrences.
        count: usize,
        /// Line numbers and lines: where it occurs, or the most similar ones.
        near: Vec<(usize, String)>,
    },
    /// Another program changed the file between reading and writing.
    #[error(
        "another program changed `{path}` at the same time; its version was kept and nothing was \
         written: review the file and retry the step"
    )]
    ChangedMeanwhile {
        /// The path of the file.
        path: String,
        /// What the other program wrote; `None` if there is no longer a regular file.
        other: Option<Vec<u8>>,
    },
    /// The disk is full.
    #[error("disk full while {doing} `{path}`: free some space and retry; {kept}", kept = NOTHING_HALF)]
    NoSpace {
        /// The operation, such as `writing`.
        doing: &'static str,
        /// The path of the file or folder.
        path: String,
    },
    /// The user's quota is used up.
    #[error("disk quota exceeded while {doing} `{path}`: free some space and retry; {kept}", kept = NOTHING_HALF)]
    Quota {
        /// The operation, such as `writing`.
        doing: &'static str,
        /// The path of the file or folder.
        path: String,
    },
    /// A size limit of the process or the file system was reached.
    #[error("file size limit exceeded while {doing} `{path}`: raise it (`ulimit -f`) and retry; {kept}", kept = NOTHING_HALF)]
    SizeLimit {
        /// The operation, such as `writing`.
        doing: &'static str,
        /// The path of the file or folder.
        path: String,
    },
    /// The system denied permission.
    #[error(
        "permission denied while {doing} `{path}`: check the owner and mode of the file and its folder"
    )]
    NoPermission {
        /// The operation, such as `writing`.
        doing: &'static str,
        /// The path of the file or folder.
        path: String,
    },
    /// The file system is read-only.
    #[error("read-only file system while {doing} `{path}`: make it writable and retry")]
    ReadOnly {
        /// The operation, such as `writing`.
        doing: &'static str,
        /// The path of the file or folder.
        path: String,
    },
    /// A checkpoint did not keep the file's content.
    #[error(
        "can't restore `{path}`: its content was not saved because it is too large or ignored by \
         Git; recreate it"
    )]
    NotKept {
        /// The path of the file.
        path: String,
    },
    /// Content that a checkpoint should have kept is missing or damaged.
    #[error("saved content {hash} is missing or damaged: restore the file from Git or a backup")]
    BlobLost {
        /// The hash of the content.
        hash: String,
    },
    /// Any other system error.
    #[error("{doing} `{path}` failed: {reason}")]
    Io {
        /// The operation, such as `writing`.
        doing: &'static str,
        /// The path of the file or folder.
        path: String,
        /// The error message of the system.
        reason: String,
    },
}

const NOTHING_HALF: &str = "no partial file was left";

fn old_text_message(path: &str, count: usize, near: &[(usize, String)]) -> String {
    let lines: Vec<String> = near
        .iter()
        .map(|(number, line)| format!("\n  {number}: {line}"))
        .collect();
    let lines = lines.concat();
    match (count, near.is_empty()) {
        (0, true) => {
            format!("`{path}` does not contain old_text: read the file and copy the text exactly")
        }
        (0, false) => format!(
            "`{path}` does not contain old_text: copy the text exactly; the nearest lines are{lines}"
        ),
        _ => format!(
            "`{path}` contains old_text {count} times: include more surrounding text so that it \
             matches once; it occurs at{lines}"
        ),
    }
}

impl ToolError {
    /// Whether the error is temporary, so that the same call may succeed later.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::NoSpace { .. }
                | Self::Quota { .. }
                | Self::SizeLimit { .. }
                | Self::ReadOnly { .. }
                | Self::NoPermission { .. }
        )
    }

    pub(crate) fn io(doing: &'static str, path: impl AsRef<Path>, error: &io::Error) -> Self {
        use rustix::io::Errno;
        let path = path.as_ref().display().to_string();
        match Errno::from_io_error(error) {
            Some(Errno::NOSPC) => Self::NoSpace { doing, path },
            Some(Errno::DQUOT) => Self::Quota { doing, path },
            Some(Errno::FBIG) => Self::SizeLimit { doing, path },
            Some(Errno::ROFS) => Self::ReadOnly { doing, path },
            Some(Errno::ACCESS | Errno::PERM) => Self::NoPermission { doing, path },
            Some(Errno::NOENT) => Self::NotFound { path },
            Some(Errno::LOOP) => Self::PathShifted { path },
            _ => Self::Io {
                doing,
                path,
                reason: error.to_string(),
            },
        }
    }
}
