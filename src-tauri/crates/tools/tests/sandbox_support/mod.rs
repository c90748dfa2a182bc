//! A test environment with a home, a data folder and a workspace, and the tiers to test in it.

#![allow(dead_code, reason = "each test program uses its part")]

#[path = "../permit_support/mod.rs"]
pub(crate) mod permits;
pub(crate) mod repositories;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use plan::CommandLine;
use tools::sandbox::{
    CancelToken, CommandOutcome, CommandSpec, Mode, ProbeConfig, Sandbox, SandboxError, Tier,
    Wanted,
};

/// A command that leaves its session twice, holds its output open, ignores signals where possible,
/// and never ends.
pub(crate) const NEVER_ENDS: &str = "trap '' TERM INT HUP; setsid sh -c 'setsid sleep 1000 & sleep 1000' & sleep 1000 & echo ready; wait";

pub(crate) struct Place {
    /// Removes the folders when dropped; `None` if another process created them.
    pub(crate) root: Option<tempfile::TempDir>,
    pub(crate) home: PathBuf,
    pub(crate) data: PathBuf,
    pub(crate) workspace: PathBuf,
}

impl Place {
    /// Creates the folders outside `/tmp`, because tier A replaces `/tmp`, which alone would make
    /// attempts fail.
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let path = root.path().canonicalize().unwrap();
        let (home, data, workspace) = (path.join("home"), path.join("data"), path.join("work"));
        for folder in [&home, &data, &workspace] {
            fs::create_dir(folder).unwrap();
        }
        for folder in ["src", "plans", ".git"] {
            fs::create_dir(workspace.join(folder)).unwrap();
        }
        for file in ["src/main.txt", "plans/plan.md", ".git/config", ".git/HEAD"] {
            fs::write(workspace.join(file), "whole\n").unwrap();
        }
        Self {
            root: Some(root),
            home,
            data,
            workspace,
        }
    }

    /// An environment in folders that another process creates and removes.
    pub(crate) fn at(home: &Path, data: &Path, workspace: &Path) -> Self {
        Self {
            root: None,
            home: home.into(),
            data: data.into(),
            workspace: workspace.into(),
        }
    }

    pub(crate) fn config(&self, wanted: Wanted) -> ProbeConfig {
        ProbeConfig {
            helper: env!("CARGO_BIN_EXE_planwright-helper").into(),
            home: self.home.clone(),
            data_dir: self.data.clone(),
            wanted,
            toolchains: Vec::new(),
            private_files: Vec::new(),
        }
    }

    pub(crate) fn probe(&self, wanted: Wanted) -> Sandbox {
        Sandbox::probe(&self.config(wanted))
    }

    pub(crate) fn shell(&self, line: &str, mode: Mode) -> CommandSpec {
        let line = match CommandLine::parse(line) {
            Some(CommandLine::Argv(_)) => CommandLine::Shell(format!("{line};")),
            _ => CommandLine::Shell(line.to_owned()),
        };
        CommandSpec::new(line, self.workspace.clone(), mode, marker())
    }

    pub(crate) fn argv(&self, line: &str, mode: Mode) -> CommandSpec {
        let line = CommandLine::parse(line).unwrap();
        CommandSpec::new(line, self.workspace.clone(), mode, marker())
    }

    pub(crate) fn run(
        &self,
        sandbox: &Sandbox,
        spec: &CommandSpec,
    ) -> Result<CommandOutcome, SandboxError> {
        sandbox.run(
            &permits::for_command(spec),
            spec,
            &CancelToken::new().unwrap(),
            &mut |_| (),
        )
    }

    pub(crate) fn sh(&self, sandbox: &Sandbox, line: &str) -> CommandOutcome {
        self.run(sandbox, &self.shell(line, Mode::Exec)).unwrap()
    }

    /// Path, mode and content of everything in the workspace.
    pub(crate) fn fingerprint(&self) -> BTreeMap<PathBuf, (u32, Option<Vec<u8>>)> {
        let mut all = BTreeMap::new();
        visit(&self.workspace, &mut all);
        all
    }
}

fn visit(folder: &Path, all: &mut BTreeMap<PathBuf, (u32, Option<Vec<u8>>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let data = fs::symlink_metadata(&path).unwrap();
        all.insert(path.clone(), (data.mode(), fs::read(&path).ok()));
        if data.is_dir() {
            visit(&path, all);
        }
    }
}

fn marker() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!(
        "test-{}-{}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed)
    )
}

/// Number of processes with the marker.
pub(crate) fn left_of(marker: &str) -> usize {
    pids_of(marker).len()
}

/// The processes with the marker.
pub(crate) fn pids_of(marker: &str) -> Vec<i32> {
    let wanted = format!("PLANWRIGHT_RUN={marker}");
    let carries = |pid: &i32| {
        fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environ| {
            environ
                .split(|byte| *byte == 0)
                .any(|variable| variable == wanted.as_bytes())
        })
    };
    processes().filter(carries).collect()
}

/// The direct children of a process.
pub(crate) fn children_of(parent: u32) -> Vec<i32> {
    let is_child = |pid: &i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let after = stat.rsplit(')').next().unwrap_or_default();
        after.split_whitespace().nth(1) == Some(&parent.to_string())
    };
    processes().filter(is_child).collect()
}

fn processes() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The tiers with confinement that this machine supports.
pub(crate) fn sealed_tiers() -> Vec<(Place, Sandbox)> {
    let all = [
        (Wanted::Bubblewrap, Tier::Bubblewrap),
        (Wanted::Landlock, Tier::Landlock),
    ];
    let mut tiers = Vec::new();
    for (wanted, tier) in all {
        let place = Place::new();
        let sandbox = place.probe(wanted);
        if sandbox.tier() == tier {
            tiers.push((place, sandbox));
        } else {
            let reasons = format!("{:?}", sandbox.report().unavailable);
            assert!(!reasons.contains("failed to block"), "{tier:?}: {reasons}");
            println!("{tier:?} is not here: {reasons}");
        }
    }
    tiers
}

/// These tiers and the one without a sandbox.
pub(crate) fn every_tier() -> Vec<(Place, Sandbox)> {
    let mut tiers = sealed_tiers();
    let place = Place::new();
    let sandbox = place.probe(Wanted::None);
    tiers.push((place, sandbox));
    tiers
}
