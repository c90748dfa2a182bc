//! Determines which tier works on this machine by trying to escape from it.
//!
//! The result depends on what the app observes from outside: a file is unchanged, a listener has no
//! connections, no process is left. Reports from the command inside are considered in addition.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use super::scratch::Scratch;
use serde::{Deserialize, Serialize};

use super::{
    Attempt, Mode, PrivateFiles, ProbeConfig, ProbeReport, Sandbox, Tier, Unavailable, Wanted,
    confine, proof, temporary,
};

/// Trusted locations of bubblewrap: folders that only the administrator can write to.
const TRUSTED: &[&str] = &["/usr/bin", "/bin", "/run/current-system/sw/bin"];

/// The reason for a tier that was not tried.
pub const NOT_ALLOWED: &str = "Disabled in settings.";

impl Sandbox {
    /// The best tier that the settings allow and that has been proved since the machine started. It
    /// is proved again if anything the proof depends on has changed.
    pub fn proved(config: &ProbeConfig) -> Self {
        let bwrap = Bubblewrap::locate().ok();
        match proof::recall(config, bwrap.as_deref()) {
            Some((report, bwrap)) => Self::of(config, report, bwrap),
            None => Self::probe(config),
        }
    }

    /// Finds the best tier that the settings allow and that refuses every escape. Takes tens of
    /// milliseconds; leaves only the proof, for [`Sandbox::proved`].
    pub fn probe(config: &ProbeConfig) -> Self {
        let wanted: &[Tier] = match config.wanted {
            Wanted::Auto => &[Tier::Bubblewrap, Tier::Landlock],
            Wanted::Bubblewrap => &[Tier::Bubblewrap],
            Wanted::Landlock => &[Tier::Landlock],
            Wanted::None => &[],
        };
        let bwrap = Bubblewrap::find();
        let mut unavailable = Vec::new();
        let mut report = None;
        for tier in [Tier::Bubblewrap, Tier::Landlock] {
            if !wanted.contains(&tier) {
                // Not requested: listed only if nothing better is in use.
                if report.is_none() {
                    let reason = NOT_ALLOWED.to_owned();
                    unavailable.push(Unavailable { tier, reason });
                }
                continue;
            }
            if report.is_some() {
                break;
            }
            match prove(tier, bwrap.as_ref(), config) {
                Ok(attempts) => report = Some((tier, attempts)),
                Err(reason) => unavailable.push(Unavailable { tier, reason }),
            }
        }
        let (tier, attempts) = report.unwrap_or((Tier::None, Vec::new()));
        let report = ProbeReport {
            tier,
            attempts,
            unavailable,
        };
        let bwrap = bwrap.ok();
        if tier != Tier::None {
            proof::keep(config, &report, bwrap.as_ref());
        }
        Self::of(config, report, bwrap)
    }

    fn of(config: &ProbeConfig, report: ProbeReport, bwrap: Option<Bubblewrap>) -> Self {
        let bwrap = bwrap.filter(|_| report.tier == Tier::Bubblewrap);
        Self {
            helper: config.helper.clone(),
            is_sized: bwrap.as_ref().is_some_and(|bwrap| bwrap.is_sized),
            bwrap: bwrap.map(|bwrap| bwrap.path),
            home: config.home.clone(),
            data_dir: config.data_dir.clone(),
            toolchains: config.toolchains.clone(),
            private_files: config.private_files.clone(),
            private: Arc::new(PrivateFiles::new(&config.private_files)),
            report,
        }
    }
}

/// The attempts, if all were refused; otherwise the reason why the tier is not used.
fn prove(
    tier: Tier,
    bwrap: Result<&Bubblewrap, &String>,
    config: &ProbeConfig,
) -> Result<Vec<Attempt>, String> {
    let bwrap = match tier {
        Tier::Bubblewrap => Some(bwrap.map_err(Clone::clone)?),
        Tier::Landlock if !confine::is_known() => {
            return Err("This kernel doesn't support Landlock.".to_owned());
        }
        Tier::Landlock | Tier::None => None,
    };
    if let Some(problem) = temporary::temporary_problem().filter(|_| tier == Tier::Landlock) {
        return Err(problem);
    }
    let scratch = Scratch::new(&config.data_dir)
        .map_err(|error| format!("Couldn't run a self-test in the data folder: {error}"))?;
    let mut attempts = scratch.attack(tier, bwrap, Mode::Exec, config)?;
    let works = attempts.iter().position(|attempt| attempt.name == "works");
    let works = works.map(|at| attempts.remove(at));
    if works.is_none_or(|attempt| attempt.refused) || !scratch.workspace.join("src/works").exists()
    {
        return Err("Commands in it can't write to the workspace.".to_owned());
    }
    attempts.extend(scratch.attack(tier, bwrap, Mode::Plan, config)?);
    let held: Vec<_> = attempts.iter().filter(|attempt| !attempt.refused).collect();
    if held.is_empty() {
        return Ok(attempts);
    }
    let names: Vec<_> = held
        .iter()
        .map(|attempt| format!("{} ({})", attempt.name, attempt.detail))
        .collect();
    Err(format!("It failed to block: {}.", names.join(", ")))
}

/// Bubblewrap, if it is a trusted program without special privileges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Bubblewrap {
    pub(super) path: PathBuf,
    /// Whether it can limit the size of an in-memory folder.
    pub(super) is_sized: bool,
}

impl Bubblewrap {
    fn find() -> Result<Self, String> {
        let path = Self::locate()?;
        let help = Command::new(&path).arg("--help").env_clear().output();
        let is_sized = help.is_ok_and(|help| {
            let text = [help.stdout, help.stderr].concat();
            String::from_utf8_lossy(&text).contains("--size")
        });
        Ok(Self { path, is_sized })
    }

    fn locate() -> Result<PathBuf, String> {
        for folder in TRUSTED {
            let Ok(path) = Path::new(folder).join("bwrap").canonicalize() else {
                continue;
            };
            let Ok(data) = fs::metadata(&path) else {
                continue;
            };
            if data.mode() & 0o6000 != 0 {
                return Err(format!(
                    "{} has its setuid or setgid bit set, which is unsafe here. Clear it.",
                    path.display()
                ));
            }
            if !data.is_file() || data.uid() != 0 || data.mode() & 0o022 != 0 {
                return Err(format!(
                    "{} can be changed by users other than root. Fix its owner and mode.",
                    path.display()
                ));
            }
            return Ok(path);
        }
        Err("Bubblewrap is not installed. Install the `bubblewrap` package.".to_owned())
    }
}
