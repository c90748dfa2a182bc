//! Logins that are written into the settings of tools: told from small text files by their lines. What cannot be
//! read as text holds none.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Beside the programs of a toolchain, however deep: where each keeps its settings.
const SETTINGS_FILES: [&str; 11] = [
    ".condarc",
    ".npmrc",
    "FETCH_HEAD",
    "NuGet.Config",
    "config",
    "config.toml",
    "gradle.properties",
    "npmrc",
    "pip.conf",
    "pip.ini",
    "settings.xml",
];
/// Folders of a toolchain that hold its own files and nothing that a user set; they are the large ones.
const CONTENT: [&str; 22] = [
    ".git",
    "bin",
    "caches",
    "checkouts",
    "doc",
    "docs",
    "download",
    "include",
    "lib",
    "lib64",
    "libexec",
    "man",
    "node_modules",
    "objects",
    "refs",
    "registry",
    "sbin",
    "share",
    "src",
    "store",
    "test",
    "wrapper",
];
/// How deep settings lie at most: `tools/image/node/20.1.0/etc/npmrc`.
const MAX_DEPTH: u32 = 6;
/// Entries looked at in one toolchain.
const MAX_ENTRIES: usize = 20_000;

/// The files of settings in a toolchain that hold a login.
pub(super) fn of_toolchain(root: &Path) -> Vec<PathBuf> {
    let (mut found, mut seen) = (Vec::new(), 0);
    let mut folders = vec![(root.to_owned(), 1)];
    while let Some((folder, depth)) = folders.pop() {
        // Downloaded modules lie under the names of their hosts.
        let is_modules = folder.ends_with("pkg/mod");
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            seen += 1;
            let (name, path) = (entry.file_name(), entry.path());
            let is = |names: &[&str]| names.iter().any(|one| name == OsStr::new(one));
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() {
                let is_left_out = is(&CONTENT) || is_modules && name != OsStr::new("cache");
                if depth < MAX_DEPTH && seen < MAX_ENTRIES && !is_left_out {
                    folders.push((path, depth + 1));
                }
            } else if is(&SETTINGS_FILES) && are_in(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// Whether a file of settings, which tools keep beside their programs, has a login written into it: a
/// value under a name such as `token`, or an address with a password. A name in braces or behind a `$` is
/// read from the environment and is no secret.
pub(super) fn are_in(path: &Path) -> bool {
    const SETTINGS: [&str; 9] = [
        "toml",
        "ini",
        "cfg",
        "conf",
        "json",
        "xml",
        "yaml",
        "yml",
        "properties",
    ];
    const LOGINS: [&str; 12] = [
        "token",
        "password",
        "passwd",
        "secret",
        "api_key",
        "apikey",
        "_auth",
        "authorization",
        "secret-key",
        "secret_key",
        "access-key",
        "access_key",
    ];
    /// A name alone in an address, of this length, is a key.
    const KEY_LEN: usize = 16;
    const MAX_LEN: u64 = 64 * 1024;
    let extension = path.extension().and_then(|extension| extension.to_str());
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let is_settings = SETTINGS_FILES.contains(&name)
        || extension.is_some_and(|extension| SETTINGS.contains(&extension));
    let is_short = |about: std::fs::Metadata| about.is_file() && about.len() <= MAX_LEN;
    if !is_settings || !path.metadata().is_ok_and(is_short) {
        return false;
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().any(|line| {
        let line = line.trim().to_ascii_lowercase();
        let mut parts = line.match_indices(['=', ':', '>']);
        let has_value = parts.any(|(at, _)| {
            let value = line[at + 1..].trim_start_matches([' ', '"', '\'', '=']);
            let name = line[..at].trim_end_matches([' ', '"', '\'']);
            LOGINS.iter().any(|login| name.ends_with(login))
                && value.starts_with(|first: char| first.is_ascii_alphanumeric())
        });
        let proxy = line
            .split_once('=')
            .filter(|(name, _)| name.contains("proxy"));
        let proxy = proxy.map(|(_, value)| value.trim_matches([' ', '"', '\'']));
        let mut addresses = line.split("://").skip(1).chain(proxy);
        let has_password = addresses.any(|rest| {
            let host = rest.split(['/', '"', '\'', ' ']).next().unwrap_or_default();
            let login = host.rsplit_once('@').map(|(login, _)| login);
            login.is_some_and(|login| {
                let word = login.split_once(':').map(|(_, word)| word);
                word.map_or(login.len() >= KEY_LEN, |word| !word.starts_with(['$', '{']))
            })
        });
        !line.starts_with(['#', ';']) && (has_value || has_password)
    })
}
