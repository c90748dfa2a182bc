//! Why a command has no outcome, phrased for users.

use std::path::PathBuf;

use super::Tier;

/// Why a command has no outcome. Except for [`SandboxError::HelperLost`], the command never
/// started.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The gate gave no permit for it.
    #[error(transparent)]
    NotPermitted(#[from] gate::NotPermitted),
    /// The workspace is no longer a folder.
    #[error("The workspace {} cannot be opened as a folder ({reason}). Put it back, or open another one.", path.display())]
    WorkspaceGone {
        /// The folder.
        path: PathBuf,
        /// The error message of the system.
        reason: String,
    },
    /// The workspace would make too much writable.
    #[error(
        "The folder {} is too wide for a workspace: choose the project's own folder.", path.display()
    )]
    WorkspaceTooWide {
        /// The folder.
        path: PathBuf,
    },
    /// The program does not exist.
    #[error("The program `{program}` was not found. Install it, or correct the command.")]
    ProgramNotFound {
        /// The name in the command line.
        program: String,
    },
    /// The program's file is not executable.
    #[error(
        "The file `{program}` is not executable. Run `chmod +x {program}`, or call its interpreter, such as `sh {program}`."
    )]
    NotExecutable {
        /// The name in the command line.
        program: String,
    },
    /// The program exists, but in a folder that commands can't see.
    #[error(
        "The program `{program}` lies in a folder that commands cannot see. Add {} to the setting `toolchains` to let it in.", folder.display()
    )]
    ProgramOutside {
        /// The name in the command line.
        program: String,
        /// The folder to make visible.
        folder: PathBuf,
    },
    /// A protected name is a symbolic link, which can't be kept read-only.
    #[error(
        "{} is a symbolic link, so it cannot be kept read-only while a command runs. Replace it by a real file or folder, or run the command yourself.",
        path.display()
    )]
    ProtectedLink {
        /// The link.
        path: PathBuf,
    },
    /// A command in plan mode without a sandbox.
    #[error(
        "Commands cannot run before approval here, because no sandbox works on this machine: {reason}"
    )]
    PlanNeedsSandbox {
        /// Why no tier can be used.
        reason: String,
    },
    /// The sandbox could not be set up.
    #[error("The {} sandbox could not be set up: {reason}", tier.as_str())]
    Setup {
        /// The tier in use.
        tier: Tier,
        /// What failed.
        reason: String,
    },
    /// The helper ended without reporting an outcome. Unless there is an outcome record, it is
    /// unknown.
    #[error(
        "The command's helper process was lost ({detail}). Whether the command took effect is unknown: look before it is repeated."
    )]
    HelperLost {
        /// What is known about it.
        detail: String,
    },
    /// The operating system refused something.
    #[error("Cannot {doing}: {source}")]
    Io {
        /// The operation, as a verb phrase.
        doing: String,
        /// The error message of the system.
        source: std::io::Error,
    },
}

impl SandboxError {
    /// For `map_err`: adds the operation.
    pub(crate) fn io(doing: &str) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |source| Self::Io {
            doing: doing.to_owned(),
            source,
        }
    }
}
