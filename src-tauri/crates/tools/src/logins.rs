//! Finds logins in the settings of tools and repositories, by reading small text files line by
//! line. Files that can't be read as text are skipped.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use plan::word_list::WordList;

/// Files in which toolchains keep their settings, at any depth.
pub(crate) const SETTINGS_FILES: WordList = WordList(
    ".condarc .npmrc FETCH_HEAD NuGet.Config auth.ini config config.worktree config.toml \
     gradle.properties npmrc pip.conf pip.ini rc settings.xml",
);
/// Project settings that are usually shared, but in which some people store a login. A name with a
/// slash is a file in that folder.
const PROJECT_SETTINGS: WordList = WordList(
    ".bundle/config .cargo/config.toml .claude/settings.local.json .ftpconfig \
     .idea/dataSources.local.xml .mcp.json .s3cfg .sentryclirc .terraformrc .vscode/mcp.json \
     .vscode/settings.json appsettings.Development.json appsettings.Production.json database.yml \
     gradle.properties local.properties nuget.config pip.conf sentry.properties settings.xml \
     sftp-config.json",
);
/// Extensions of files that hold certificates, which are public, or private keys.
const KEY_FILES: [&str; 8] = ["asc", "cer", "crt", "gpg", "p8", "pem", "pk8", "priv"];
/// The end of the first line of any private key in text form; OpenPGP adds `BLOCK`.
pub(crate) const PRIVATE_KEY: &str = "PRIVATE KEY";
/// Maximum length of a file that is read, in bytes.
const MAX_LEN: u64 = 64 * 1024;
/// Names, or ends of names, of keys whose value is a login.
const LOGINS: WordList = WordList(
    "token password passwd secret api_key apikey _auth authorization secret-key secret_key \
     access-key access_key",
);
/// Whether a settings file of a tool contains a login.
pub(crate) fn contains_login(path: &Path) -> bool {
    const SETTINGS: WordList = WordList("toml ini cfg conf json xml yaml yml properties");
    let extension = path.extension().and_then(|extension| extension.to_str());
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let is_settings = SETTINGS_FILES.contains(name)
        || extension.is_some_and(|extension| SETTINGS.contains(extension));
    is_settings && holds_login(path)
}

/// Whether this is a project settings file that contains a login, or a key file that contains a
/// private key.
pub(crate) fn is_private_project_file(path: &Path) -> bool {
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

pub(crate) fn holds_login(path: &Path) -> bool {
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
pub(crate) fn has_login(line: &str) -> bool {
    /// In a URL, a user name without a password counts as a key if it is at least this long.
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
pub(crate) fn is_key(name: &str) -> bool {
    let name = name.trim_end_matches([' ', '"', '\'']).to_ascii_lowercase();
    LOGINS.iter().any(|login| name.ends_with(login))
}

/// The text of a settings file, without logins; empty if it can't be read.
pub(crate) fn read_without_logins(settings: &Path) -> String {
    without_login_lines(&fs::read_to_string(settings).unwrap_or_default())
}

/// Settings without lines that contain a login, and without sections whose heading contains one.
pub(crate) fn without_login_lines(text: &str) -> String {
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
        assert_eq!(without_login_lines(text), kept);
    }
}
