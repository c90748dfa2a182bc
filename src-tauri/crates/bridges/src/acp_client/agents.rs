//! The agents that Planwright can start, and where their programs are.
//!
//! Each agent has its own modes, permission options and settings folder, which are listed in
//! [`KINDS`]. A user's entry with the name of a known agent changes the agent's command, network
//! access, time limit or variables; any other entry must name a command or the known agent that it
//! is `like`. The agents' behavior was tested with the versions listed in the README.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use workbench::settings::agents::AgentEntry;

/// The default time limit of a step, in seconds.
const TIMEOUT_S: u64 = 1_800;

/// How an agent's changes reach the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// It asks Planwright to write each file.
    Mediated,
    /// It works in a private copy of the workspace. The differences are applied to the workspace
    /// after its turn.
    Copy,
}

/// How an agent's mode is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// With `session/set_mode`: the mode's id.
    Session(&'static str),
    /// With `session/set_config_option`: the option's id and its value.
    Option(&'static str, &'static str),
}

/// How an agent hands over a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanArrival {
    /// In a permission request of kind `switch_mode`, as `rawInput.plan`.
    SwitchMode,
    /// In a `plan_update`, followed by a permission request.
    PlanUpdate,
    /// As the text of its last message.
    Text,
}

/// A folder of an agent's settings files, which are copied into its sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingsFolder {
    /// The environment variable that overrides the folder; empty if there is none.
    pub variable: &'static str,
    /// The default folder, relative to the home folder.
    pub usual: &'static str,
    /// The names of the files to copy.
    pub files: &'static [&'static str],
}

/// What Planwright knows about an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// The name by which the user chooses it.
    pub name: &'static str,
    /// The name shown on screen.
    pub title: &'static str,
    /// Possible names of its program, in order of preference.
    pub programs: &'static [&'static str],
    /// The arguments with which its program speaks ACP.
    pub arguments: &'static [&'static str],
    /// The command that installs it.
    pub install: &'static str,
    /// How its changes reach the workspace.
    pub tier: Tier,
    /// Names of the user's environment variables that are passed to it: API keys, addresses,
    /// models.
    pub environment: &'static [&'static str],
    /// Environment variables that are set to fixed values.
    pub fixed: &'static [(&'static str, &'static str)],
    /// Its settings files.
    pub settings: &'static [SettingsFolder],
    /// The mode in which it carries out a step; `None` if it has no modes. It is confined by the
    /// sandbox, not by the mode.
    pub work: Option<Mode>,
    /// The mode in which it only plans and changes nothing; `None` if it has no such mode.
    pub plan: Option<Mode>,
    /// The id of the permission option that allows a single action.
    pub allow_once: &'static str,
    /// The id of the permission option that refuses an action.
    pub reject: &'static str,
    /// How it hands over a plan.
    pub arrival: PlanArrival,
}

/// The known agents.
pub const KINDS: [Kind; 5] = [
    Kind {
        name: "qwen",
        title: "Qwen Code",
        programs: &["qwen"],
        arguments: &["--acp"],
        install: "npm install -g @qwen-code/qwen-code",
        tier: Tier::Mediated,
        environment: &[
            "OPENAI_API_KEY",
            "OPENAI_BASE_URL",
            "OPENAI_MODEL",
            "DASHSCOPE_API_KEY",
            "GEMINI_API_KEY",
        ],
        fixed: &[],
        settings: &[SettingsFolder {
            variable: "",
            usual: ".qwen",
            files: &["settings.json", "oauth_creds.json", "QWEN.md"],
        }],
        work: Some(Mode::Session("default")),
        plan: Some(Mode::Session("plan")),
        allow_once: "proceed_once",
        reject: "cancel",
        arrival: PlanArrival::SwitchMode,
    },
    Kind {
        name: "claude",
        title: "Claude Code",
        programs: &["claude-agent-acp"],
        arguments: &[],
        install: "npm install -g @agentclientprotocol/claude-agent-acp",
        tier: Tier::Copy,
        environment: &[
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_AUTH_TOKEN",
            "ANTHROPIC_BASE_URL",
            "ANTHROPIC_MODEL",
            "CLAUDE_CODE_OAUTH_TOKEN",
        ],
        fixed: &[("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")],
        settings: &[
            SettingsFolder {
                variable: "CLAUDE_CONFIG_DIR",
                usual: ".claude",
                files: &["settings.json", ".credentials.json", "CLAUDE.md"],
            },
            SettingsFolder {
                variable: "",
                usual: "",
                files: &[".claude.json"],
            },
        ],
        work: Some(Mode::Session("default")),
        plan: Some(Mode::Session("plan")),
        allow_once: "allow-once",
        reject: "reject",
        arrival: PlanArrival::SwitchMode,
    },
    Kind {
        name: "codex",
        title: "Codex",
        programs: &["codex-acp"],
        arguments: &[],
        install: "npm install -g @agentclientprotocol/codex-acp @openai/codex",
        tier: Tier::Copy,
        environment: &[
            "CODEX_API_KEY",
            "OPENAI_API_KEY",
            "OPENAI_BASE_URL",
            "CODEX_PATH",
        ],
        fixed: &[],
        settings: &[SettingsFolder {
            variable: "CODEX_HOME",
            usual: ".codex",
            files: &["config.toml", "auth.json", "AGENTS.md"],
        }],
        // Codex needs full access, because its own sandbox can't start inside ours.
        work: Some(Mode::Session("agent-full-access")),
        plan: Some(Mode::Option("collaboration_mode", "plan")),
        allow_once: "allow_once",
        reject: "decline",
        arrival: PlanArrival::PlanUpdate,
    },
    Kind {
        name: "opencode",
        title: "opencode",
        programs: &["opencode"],
        arguments: &["acp"],
        install: "npm install -g opencode-ai",
        tier: Tier::Copy,
        environment: &[
            "ANTHROPIC_API_KEY",
            "OPENAI_API_KEY",
            "GEMINI_API_KEY",
            "OPENROUTER_API_KEY",
        ],
        fixed: &[("OPENCODE_DISABLE_AUTOUPDATE", "1")],
        settings: &[
            SettingsFolder {
                variable: "",
                usual: ".config/opencode",
                files: &[
                    "opencode.json",
                    "opencode.jsonc",
                    "config.json",
                    "AGENTS.md",
                ],
            },
            SettingsFolder {
                variable: "",
                usual: ".local/share/opencode",
                files: &["auth.json"],
            },
        ],
        work: Some(Mode::Option("mode", "build")),
        plan: Some(Mode::Option("mode", "plan")),
        allow_once: "once",
        reject: "reject",
        arrival: PlanArrival::Text,
    },
    Kind {
        name: "nanocoder",
        title: "Nanocoder",
        programs: &["nanocoder"],
        arguments: &["--acp"],
        install: "npm install -g @nanocollective/nanocoder",
        tier: Tier::Copy,
        environment: &[],
        fixed: &[],
        settings: &[SettingsFolder {
            variable: "NANOCODER_CONFIG_DIR",
            usual: ".config/nanocoder",
            files: &["agents.config.json", "nanocoder-preferences.json"],
        }],
        work: Some(Mode::Session("normal")),
        plan: Some(Mode::Session("plan")),
        allow_once: "allow",
        reject: "deny",
        arrival: PlanArrival::Text,
    },
];

/// Assumptions about an unknown agent: it works in a private copy, it has no modes, and every
/// permission request is declined.
const UNKNOWN: Kind = Kind {
    name: "",
    title: "",
    programs: &[],
    arguments: &[],
    install: "",
    tier: Tier::Copy,
    environment: &[],
    fixed: &[],
    settings: &[],
    work: None,
    plan: None,
    allow_once: "",
    reject: "",
    arrival: PlanArrival::Text,
};

/// An agent whose program was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// The name by which the user chose it.
    pub name: String,
    /// What Planwright knows about it.
    pub kind: Kind,
    /// Its program's absolute path.
    pub program: PathBuf,
    /// The arguments of its program.
    pub arguments: Vec<String>,
    /// Whether it has network access.
    pub network: bool,
    /// The time limit of a step, in seconds.
    pub timeout_s: u64,
    /// Names of the user's environment variables that are passed to it.
    pub environment: Vec<String>,
}

impl Agent {
    /// The name shown on screen.
    pub fn title(&self) -> &str {
        // A user's entry is shown under its own name, even if it is `like` a known agent.
        match self.kind.name == self.name {
            true => self.kind.title,
            false => &self.name,
        }
    }

    /// The command as one line, as displayed and run.
    pub fn line(&self) -> String {
        let program = self.program.display().to_string();
        let words = std::iter::once(&program).chain(&self.arguments);
        let words = words.map(|word| plan::shell_word(word));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// The names of all agents: the known ones, followed by those that the user added.
pub fn names(entries: &[AgentEntry]) -> Vec<String> {
    let known = KINDS.iter().map(|kind| kind.name.to_owned());
    let own = entries.iter().map(|entry| entry.name.clone());
    let own = own.filter(|name| KINDS.iter().all(|kind| kind.name != name));
    known.chain(own).collect()
}

/// Finds an agent by name. `path` is the value of the variable `PATH`. A program with a relative
/// path is looked up in `cwd`.
///
/// # Errors
/// A message for the person: where the program was looked for, and how to install the agent.
pub fn find(
    name: &str,
    entries: &[AgentEntry],
    path: Option<&OsStr>,
    cwd: &Path,
) -> Result<Agent, String> {
    let entry = entries.iter().find(|entry| entry.name == name);
    let like = entry
        .and_then(|entry| entry.like.as_deref())
        .unwrap_or(name);
    let kind = KINDS.iter().find(|kind| kind.name == like).copied();
    let named = entry.map_or(&[][..], |entry| &entry.command);
    let kind = match (kind, entry) {
        (Some(kind), _) => kind,
        (None, Some(entry)) if !named.is_empty() && entry.like.is_none() => UNKNOWN,
        (None, Some(entry)) => {
            let known = names(&[]).join(", ");
            return Err(match &entry.like {
                Some(like) => format!(
                    "unknown agent “{like}” in `agents` in your settings; known agents: {known}"
                ),
                None => format!(
                    "“{name}” in `agents` in your settings needs a `command`; only {known} can omit it"
                ),
            });
        }
        (None, None) => {
            return Err(format!(
                "unknown agent “{name}”; known agents: {}. Add others to `agents` in your settings",
                names(entries).join(", ")
            ));
        }
    };
    let (programs, arguments): (Vec<&str>, Vec<String>) = match named.split_first() {
        Some((program, arguments)) => (vec![program], arguments.to_vec()),
        None => {
            let arguments = kind.arguments.iter().map(|word| (*word).to_owned());
            (kind.programs.to_vec(), arguments.collect())
        }
    };
    let found = programs
        .iter()
        .find_map(|program| locate(program, path, cwd));
    let Some(program) = found else {
        let wanted = programs.join("` or `");
        let install = match kind.install {
            "" => String::new(),
            command => format!(
                ". Install it with `{command}`, or name its program in `agents` in your settings"
            ),
        };
        let path = path.map(OsStr::to_string_lossy).unwrap_or_default();
        return Err(format!(
            "couldn’t find the program `{wanted}` of the agent {name}; looked in {path}{install}"
        ));
    };
    let usual = || {
        kind.environment
            .iter()
            .map(|name| (*name).to_owned())
            .collect()
    };
    Ok(Agent {
        name: name.to_owned(),
        kind,
        program,
        arguments,
        network: entry.and_then(|entry| entry.network).unwrap_or(true),
        timeout_s: entry.and_then(|entry| entry.timeout_s).unwrap_or(TIMEOUT_S),
        environment: entry
            .and_then(|entry| entry.env.clone())
            .unwrap_or_else(usual),
    })
}

/// The absolute path of a program; `None` if the program isn't found.
pub(super) fn locate(program: &str, path: Option<&OsStr>, cwd: &Path) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| {
        let data = path.metadata();
        data.is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    };
    if program.contains('/') {
        return Some(cwd.join(program)).filter(is_program);
    }
    let folders = std::env::split_paths(path?).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(program)).find(is_program)
}

#[cfg(test)]
mod tests;
