//! Why a command has no outcome, in words for the person.

use std::path::PathBuf;

use super::Tier;

/// Why a command has no outcome. Apart from [`SandboxError::HelperLost`] the command never began.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The gate gave no leave for it.
    #[error(transparent)]
    NotPermitted(#[from] gate::NotPermitted),
    /// The workspace is not a folder any more.
    #[error("The workspace {} cannot be opened as a folder ({reason}). Put it back, or open another one.", path.display())]
    WorkspaceGone {
        /// The folder.
        path: PathBuf,
        /// The system's word.
        reason: String,
    },
    /// A workspace that would make everything writable.
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
        /// As the command line names it.
        program: String,
    },
    /// The file of the program may not be run.
    #[error(
        "The file `{program}` is not executable. Run `chmod +x {program}`, or call its interpreter, such as `sh {program}`."
    )]
    NotExecutable {
        /// As the command line names it.
        program: String,
    },
    /// The program exists, but lies where commands see nothing.
    #[error(
        "The program `{program}` lies in a folder that commands cannot see. Add {} to the setting `toolchains` to let it in.", folder.display()
    )]
    ProgramOutside {
        /// As the command line names it.
        program: String,
        /// The folder to let in.
        folder: PathBuf,
    },
    /// A protected name is a symbolic link: it cannot be kept read-only.
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
        /// Why no tier is in force.
        reason: String,
    },
    /// The sandbox could not be built around the command.
    #[error("The {} sandbox could not be set up: {reason}", tier.as_str())]
    Setup {
        /// The tier in force.
        tier: Tier,
        /// What failed.
        reason: String,
    },
    /// The helper ended without an outcome: look at the outcome record, else it is unknown.
    #[error(
        "The command's helper process was lost ({detail}). Whether the command took effect is unknown: look before it is repeated."
    )]
    HelperLost {
        /// What is known.
        detail: String,
    },
    /// The operating system refused something.
    #[error("Cannot {doing}: {source}")]
    Io {
        /// What was tried, as a verb phrase.
        doing: String,
        /// The system's word.
        source: std::io::Error,
    },
}

impl SandboxError {
    /// For `map_err`: names what was tried.
    pub(crate) fn io(doing: &str) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |source| Self::Io {
            doing: doing.to_owned(),
            source,
        }
    }
}
