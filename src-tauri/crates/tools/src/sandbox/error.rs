//! Errors that leave a command without an outcome, phrased for users.

use std::path::PathBuf;

use super::Tier;

/// Why a command has no outcome. Except for [`SandboxError::HelperLost`], the command never
/// started.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The gate gave no permit for the command.
    #[error(transparent)]
    NotPermitted(#[from] gate::NotPermitted),
    /// The workspace is no longer a folder.
    #[error("Can't open the workspace folder {} ({reason}). Restore it or open another workspace.", path.display())]
    WorkspaceGone {
        /// The path of the workspace folder.
        path: PathBuf,
        /// The error message of the system.
        reason: String,
    },
    /// The workspace includes the home folder, which must not become writable.
    #[error(
        "{} can't be a workspace because it includes your home folder. Choose your project's \
         folder.", path.display()
    )]
    WorkspaceTooWide {
        /// The path of the workspace folder.
        path: PathBuf,
    },
    /// The program does not exist.
    #[error("Program `{program}` not found. Install it or correct the command.")]
    ProgramNotFound {
        /// The program as written in the command line.
        program: String,
    },
    /// The program's file is not executable.
    #[error(
        "`{program}` is not executable. Run `chmod +x {program}`, or use its interpreter, such \
         as `sh {program}`."
    )]
    NotExecutable {
        /// The program as written in the command line.
        program: String,
    },
    /// The program exists, but in a folder that commands can't see.
    #[error(
        "The sandbox hides the program `{program}`. To allow it, add {} to `toolchains` in \
         settings.", folder.display()
    )]
    ProgramOutside {
        /// The program as written in the command line.
        program: String,
        /// The path of the folder to make visible.
        folder: PathBuf,
    },
    /// A protected name is a symbolic link, which can't be kept read-only.
    #[error(
        "{} is a symbolic link, so it can't be made read-only while a command runs. Replace it \
         with a real file or folder, or run the command yourself.",
        path.display()
    )]
    ProtectedLink {
        /// The path of the link.
        path: PathBuf,
    },
    /// Commands can't run in plan mode without a sandbox.
    #[error(
        "Commands can't run before approval because no sandbox works on this machine: {reason}"
    )]
    PlanNeedsSandbox {
        /// Why no tier can be used.
        reason: String,
    },
    /// The sandbox could not be set up.
    #[error("Couldn't set up the {} sandbox: {reason}", tier.as_str())]
    Setup {
        /// The tier whose sandbox could not be set up.
        tier: Tier,
        /// Why it could not be set up.
        reason: String,
    },
    /// The helper ended without reporting an outcome. Unless there is an outcome record, the
    /// outcome is unknown.
    #[error(
        "The command's helper process ended unexpectedly ({detail}). The command may have taken \
         effect; check before retrying."
    )]
    HelperLost {
        /// How the helper ended, as far as known.
        detail: String,
    },
    /// An error of the operating system.
    #[error("Couldn't {doing}: {source}")]
    Io {
        /// The operation, as a verb phrase.
        doing: String,
        /// The error that the system reported.
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
