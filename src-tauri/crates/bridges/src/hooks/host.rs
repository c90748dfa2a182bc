//! The table of hosts: where each one stores its hooks, on which events it calls ours, and what its
//! tools are called.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A program that calls hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Cursor.
    Cursor,
}

/// An event on which our hook is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The event's name.
    pub event: &'static str,
    /// The names of the tools for which it is called, separated by `|`; `None` for all tools or for
    /// an event without tools.
    pub matcher: Option<&'static str>,
    /// What doesn't work if the hook isn't called on this event, worded to follow "so".
    pub without: &'static str,
}

/// The form of the hooks in a host's settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Groups with a matcher and a list of commands.
    Groups {
        /// How many of the host's time units are one second.
        per_second: u64,
    },
    /// A list of commands, in a file with a version.
    Flat,
}

/// One row of the table.
struct Row {
    name: &'static str,
    title: &'static str,
    /// The name of the settings folder, which is in the home folder or in a project.
    folder: &'static str,
    /// The environment variable that overrides the settings folder in the home folder.
    variable: Option<&'static str>,
    file: &'static str,
    shape: Shape,
    places: &'static [Place],
    /// What the person has to do after the hook was added, if anything.
    note: Option<&'static str>,
}

const NO_GATE: &str = "the agent's changes aren't held to the approved plan";
const NO_END: &str = "the last step isn't checked when the agent ends its turn";

const fn changes(event: &'static str, matcher: &'static str) -> Place {
    Place {
        event,
        matcher: Some(matcher),
        without: NO_GATE,
    }
}

const fn turn_end(event: &'static str) -> Place {
    Place {
        event,
        matcher: None,
        without: NO_END,
    }
}

const CLAUDE: Row = Row {
    name: "claude",
    title: "Claude Code",
    folder: ".claude",
    variable: Some("CLAUDE_CONFIG_DIR"),
    file: "settings.json",
    shape: Shape::Groups { per_second: 1 },
    places: &[
        Place {
            event: "PermissionRequest",
            matcher: Some("ExitPlanMode"),
            without: "the agent's plans aren't reviewed",
        },
        changes(
            "PreToolUse",
            "Bash|Monitor|PowerShell|Edit|MultiEdit|Write|NotebookEdit",
        ),
        turn_end("Stop"),
    ],
    note: None,
};

const CODEX: Row = Row {
    name: "codex",
    title: "Codex",
    folder: ".codex",
    variable: Some("CODEX_HOME"),
    file: "hooks.json",
    shape: Shape::Groups { per_second: 1 },
    places: &[
        changes("PreToolUse", "Bash|apply_patch|Edit|Write"),
        turn_end("Stop"),
    ],
    note: Some(
        "Codex doesn't run a hook before you trust it, and doesn't say so: start `codex`, open \
         /hooks and trust it. Do so again after each change.",
    ),
};

const GEMINI: Row = Row {
    name: "gemini",
    title: "Gemini CLI",
    folder: ".gemini",
    variable: None,
    file: "settings.json",
    shape: Shape::Groups { per_second: 1000 },
    places: &[
        changes("BeforeTool", "run_shell_command|write_file|replace"),
        turn_end("AfterAgent"),
    ],
    note: None,
};

const CURSOR: Row = Row {
    name: "cursor",
    title: "Cursor",
    folder: ".cursor",
    variable: None,
    file: "hooks.json",
    shape: Shape::Flat,
    places: &[
        Place {
            event: "beforeShellExecution",
            matcher: None,
            without: NO_GATE,
        },
        changes("preToolUse", "Write|StrReplace|Edit|MultiEdit|Delete"),
        turn_end("stop"),
    ],
    note: None,
};

impl Host {
    /// All hosts.
    pub const ALL: [Self; 4] = [Self::Claude, Self::Codex, Self::Gemini, Self::Cursor];

    /// Whether its settings file may contain comments.
    pub(super) fn has_comments(self) -> bool {
        self == Self::Gemini
    }

    fn row(self) -> &'static Row {
        match self {
            Self::Claude => &CLAUDE,
            Self::Codex => &CODEX,
            Self::Gemini => &GEMINI,
            Self::Cursor => &CURSOR,
        }
    }

    /// The name shown to people.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The events on which our hook is called.
    pub fn places(self) -> &'static [Place] {
        self.row().places
    }

    /// The form of the hooks in its settings file.
    pub fn shape(self) -> Shape {
        self.row().shape
    }

    /// What the person has to do after the hook was added, if anything.
    pub fn note(self) -> Option<&'static str> {
        self.row().note
    }

    /// Whether its plans are submitted for approval through our hook. The other hosts use MCP.
    pub fn has_plans(self) -> bool {
        self == Self::Claude
    }

    /// The settings file with its hooks, for one project or, without `project`, for all projects.
    /// `variable` reads an environment variable, since one may override the host's settings folder.
    #[must_use]
    pub fn settings_file(
        self,
        home: &Path,
        variable: impl Fn(&str) -> Option<OsString>,
        project: Option<&Path>,
    ) -> PathBuf {
        let row = self.row();
        let folder = match project {
            Some(project) => project.join(row.folder),
            None => row
                .variable
                .and_then(variable)
                .map_or_else(|| home.join(row.folder), PathBuf::from),
        };
        folder.join(row.file)
    }
}
