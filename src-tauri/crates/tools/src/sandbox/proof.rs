//! The stored proof of a tier, valid until something it depends on changes.
//!
//! It is in the app's data folder, which is private to the user and invisible to commands. It
//! depends on this boot of the machine, its kernel and namespace settings, this program,
//! bubblewrap, the user and the home folder.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::process::getuid;
use serde::{Deserialize, Serialize};

use super::probe::Bubblewrap;
use super::{ProbeConfig, ProbeReport};

/// Kernel state: this boot, the version, and settings for namespaces.
const KERNEL: [&str; 6] = [
    "/proc/sys/kernel/random/boot_id",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/user/max_user_namespaces",
    "/sys/kernel/security/lsm",
];

/// A proof and what it depends on.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    guard: Guard,
    report: ProbeReport,
    bubblewrap: Option<Bubblewrap>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Guard {
    version: String,
    kernel: Vec<Option<String>>,
    programs: Vec<Option<Print>>,
    user: u32,
    home: PathBuf,
}

/// A file: path, inode, length and ctime.
type Print = (PathBuf, u64, u64, i64, i64);

impl Guard {
    fn of(config: &ProbeConfig, bubblewrap: Option<&Path>) -> Self {
        let print = |path: &Path| {
            let data = fs::metadata(path).ok()?;
            let path = path.to_owned();
            Some((
                path,
                data.ino(),
                data.len(),
                data.ctime(),
                data.ctime_nsec(),
            ))
        };
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            kernel: KERNEL
                .iter()
                .map(|file| fs::read_to_string(file).ok())
                .collect(),
            programs: vec![print(&config.helper), bubblewrap.and_then(print)],
            user: getuid().as_raw(),
            home: config.home.clone(),
        }
    }
}

/// The file with the proof for the tier requested in the settings.
fn file(config: &ProbeConfig) -> PathBuf {
    let wanted = format!("{:?}", config.wanted).to_lowercase();
    config.data_dir.join(format!("sandbox-{wanted}.json"))
}

/// The stored report, if nothing it depends on has changed. `bubblewrap` is the current path of
/// that program.
pub(super) fn recall(
    config: &ProbeConfig,
    bubblewrap: Option<&Path>,
) -> Option<(ProbeReport, Option<Bubblewrap>)> {
    let file = file(config);
    let data = fs::symlink_metadata(&file).ok()?;
    let is_ours = data.is_file() && data.uid() == getuid().as_raw() && data.mode() & 0o077 == 0;
    let text = fs::read(&file).ok().filter(|_| is_ours)?;
    let kept: Kept = serde_json::from_slice(&text).ok()?;
    (kept.guard == Guard::of(config, bubblewrap)).then_some((kept.report, kept.bubblewrap))
}

/// Stores a report. If that fails, the tier is proved again next time.
pub(super) fn keep(config: &ProbeConfig, report: &ProbeReport, bubblewrap: Option<&Bubblewrap>) {
    let guard = Guard::of(
        config,
        bubblewrap.map(|bubblewrap| bubblewrap.path.as_path()),
    );
    let kept = Kept {
        guard,
        report: report.clone(),
        bubblewrap: bubblewrap.cloned(),
    };
    let file = file(config);
    let part = file.with_extension(format!("{}.part", std::process::id()));
    let written = serde_json::to_vec(&kept)
        .map_err(std::io::Error::from)
        .and_then(|text| {
            let mut options = fs::OpenOptions::new();
            let mut part = options
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(&part)?;
            part.write_all(&text)
        });
    if written.and_then(|()| fs::rename(&part, &file)).is_err() {
        let _ = fs::remove_file(&part);
    }
}
