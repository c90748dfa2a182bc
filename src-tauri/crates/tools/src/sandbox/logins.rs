//! Finds logins in the settings of tools and repositories, by reading small text files line by
//! line. Files that can't be read as text are skipped.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::private::PrivateFiles;

/// Files in which toolchains keep their settings, at any depth.
const SETTINGS_FILES: [&str; 14] = [
    ".condarc",
    ".npmrc",
    "FETCH_HEAD",
    "NuGet.Config",
    "auth.ini",
    "config",
    "config.worktree",
    "config.toml",
    "gradle.properties",
    "npmrc",
    "pip.conf",
    "pip.ini",
    "rc",
    "settings.xml",
];
/// Project settings that are usually shared, but into which some people write a login. A name with
/// a slash is a file in that folder.
const PROJECT_SETTINGS: [&str; 21] = [
    ".bundle/config",
    ".cargo/config.toml",
    ".claude/settings.local.json",
    ".ftpconfig",
    ".idea/dataSources.local.xml",
    ".mcp.json",
    ".s3cfg",
    ".sentryclirc",
    ".terraformrc",
    ".vscode/mcp.json",
    ".vscode/settings.json",
    "appsettings.Development.json",
    "appsettings.Production.json",
    "database.yml",
    "gradle.properties",
    "local.properties",
    "nuget.config",
    "pip.conf",
    "sentry.properties",
    "settings.xml",
    "sftp-config.json",
];
/// Extensions of files that hold certificates, which are public, or private keys.
const KEY_FILES: [&str; 8] = ["asc", "cer", "crt", "gpg", "p8", "pem", "pk8", "priv"];
/// How the first line of a private key in text form ends, whatever its kind; in OpenPGP, `BLOCK`
/// follows.
pub(super) const PRIVATE_KEY: &str = "PRIVATE KEY";
/// Longer files are not read.
const MAX_LEN: u64 = 64 * 1024;
/// Toolchain folders with its own files, often large. Only their direct entries are checked,
/// nothing deeper.
const CONTENT: [&str; 24] = [
    ".git",
    "bin",
    "caches",
    "checkouts",
    "content-v2",
    "doc",
    "docs",
    "download",
    "include",
    "index-v5",
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
/// Names, or ends of names, of keys whose value is a login.
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
/// Maximum depth of settings: `tools/image/node/20.1.0/etc/npmrc`.
const MAX_DEPTH: u32 = 6;
/// Maximum number of entries to look at in one toolchain.
const MAX_ENTRIES: usize = 20_000;

/// Files in toolchains that are private by name, or settings that contain a login. A toolchain
/// inside another is scanned once, with its own depth limit.
pub(super) fn of_toolchains(roots: BTreeSet<PathBuf>, private: &PrivateFiles) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // Inner folders sort after the ones that contain them.
    for root in roots.iter().rev() {
        of_toolchain(root, &roots, private, &mut found);
    }
    found
}

fn of_toolchain(
    root: &Path,
    others: &BTreeSet<PathBuf>,
    private: &PrivateFiles,
    found: &mut Vec<PathBuf>,
) {
    let mut seen = 0;
    let mut folders = vec![(root.to_owned(), 1)];
    while let Some((folder, depth)) = folders.pop() {
        // Downloaded modules are in folders named after their hosts.
        let is_modules = folder.ends_with("pkg/mod");
        let is_top = depth == 1;
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            seen += 1;
            let (name, path) = (entry.file_name(), entry.path());
            let is = |names: &[&str]| names.iter().any(|one| name == OsStr::new(one));
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() {
                if is_top && private.covers(Path::new(&name), true) {
                    found.push(path);
                    continue;
                }
                let is_left_out = is(&CONTENT) || is_modules && name != OsStr::new("cache");
                let is_deep = depth >= MAX_DEPTH || seen >= MAX_ENTRIES;
                if !is_deep && !others.contains(&path) {
                    folders.push((path, if is_left_out { MAX_DEPTH } else { depth + 1 }));
                }
                continue;
            }
            let is_script = folder.ends_with("init.d") && holds_login(&path);
            let is_settings = (is_top || is(&SETTINGS_FILES)) && are_in(&path);
            if is_script || is_settings || private.covers(Path::new(&name), false) {
                found.push(path);
            }
        }
    }
}

/// Whether a settings file of a tool contains a login.
pub(crate) fn are_in(path: &Path) -> bool {
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
    let extension = path.extension().and_then(|extension| extension.to_str());
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let is_settings = SETTINGS_FILES.contains(&name)
        || extension.is_some_and(|extension| SETTINGS.contains(&extension));
    is_settings && holds_login(path)
}

/// Whether a project file that is known for settings contains a login, or one that is known for
/// keys contains a private key.
pub(crate) fn are_in_project(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let is_of_keys = KEY_FILES
        .iter()
        .any(|known| known.eq_ignore_ascii_case(extension));
    if is_of_keys && read(path).is_some_and(|text| text.contains(PRIVATE_KEY)) {
        return true;
    }
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let above = path.parent().and_then(Path::file_name);
    let is_known = PROJECT_SETTINGS.iter().any(|known| {
        let (folder, known) = known.rsplit_once('/').unwrap_or(("", known));
        known.eq_ignore_ascii_case(name)
            && (folder.is_empty() || above.is_some_and(|above| above == OsStr::new(folder)))
    });
    is_known && holds_login(path)
}

fn holds_login(path: &Path) -> bool {
    read(path).is_some_and(|text| text.lines().any(has_login))
}

fn read(path: &Path) -> Option<String> {
    let is_short = |about: fs::Metadata| about.is_file() && about.len() <= MAX_LEN;
    let text = path
        .metadata()
        .is_ok_and(is_short)
        .then(|| fs::read_to_string(path));
    text?.ok()
}

/// Whether a line of settings contains a login: a value with a name such as `token`, or a URL with
/// a password. A name in braces or after `$` is read from the environment and is not a secret.
pub(super) fn has_login(line: &str) -> bool {
    /// A user name without a password in a URL is a key if it is at least this long.
    const KEY_LEN: usize = 16;
    let line = line.trim().to_ascii_lowercase();
    let mut parts = line.match_indices(['=', ':', '>']);
    let has_value = parts.any(|(at, _)| {
        let value = line[at + 1..].trim_start_matches([' ', '"', '\'', '=']);
        is_key(&line[..at]) && value.starts_with(|first: char| first.is_ascii_alphanumeric())
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
}

/// Whether the text before a value is the name of a login.
pub(super) fn is_key(name: &str) -> bool {
    let name = name.trim_end_matches([' ', '"', '\'']).to_ascii_lowercase();
    LOGINS.iter().any(|login| name.ends_with(login))
}

/// Repository settings that contain a login: its own, and those of its worktrees and submodules.
pub(super) fn of_repository(git: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![(git.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let files = ["config", "config.worktree", "FETCH_HEAD"].map(|name| folder.join(name));
        found.extend(files.into_iter().filter(|file| are_in(file)));
        // A submodule's name may be `vendor/lib`.
        let inner = match depth {
            0 => vec![folder.join("modules"), folder.join("worktrees")],
            _ => vec![folder],
        };
        for inner in inner.iter().filter(|_| depth < MAX_DEPTH) {
            for entry in fs::read_dir(inner).into_iter().flatten().flatten() {
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let name = entry.file_name();
                if is_folder && !CONTENT.iter().any(|content| name == OsStr::new(content)) {
                    folders.push((entry.path(), depth + 1));
                }
            }
        }
    }
    found
}

/// The text of settings without logins.
pub(super) fn without_logins(settings: &Path) -> String {
    left_out_of(&fs::read_to_string(settings).unwrap_or_default())
}

/// Settings without lines that contain a login, and without sections whose name does.
pub(super) fn left_out_of(text: &str) -> String {
    let mut is_in_login = false;
    let kept = text.lines().filter(|line| {
        if line.trim_start().starts_with('[') {
            is_in_login = has_login(line);
        }
        !is_in_login && !has_login(line)
    });
    kept.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_whose_name_holds_a_login_is_left_out_with_its_settings() {
        let text = "[user]\n\tname = a\n[url \"https://ann:word@host/\"]\n\tinsteadOf = x\n\tpath = y\n\
                    [http]\n\textraheader = Authorization: basic abc\n\tproxy = http://ann:word@host\n\
                    [remote \"o\"]\n\turl = https://ghp_abcdefghijklmnop@host/x\n\tfetch = +refs/heads/*:refs/x\n";
        let kept = "[user]\n\tname = a\n[http]\n[remote \"o\"]\n\tfetch = +refs/heads/*:refs/x\n";
        assert_eq!(left_out_of(text), kept);
    }
}
