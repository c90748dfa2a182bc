//! Logins that are written into the settings of tools: told from small text files by their lines. What cannot be
//! read as text holds none.

use std::path::Path;

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
    const LOGINS: [&str; 6] = ["token", "password", "passwd", "secret", "api_key", "apikey"];
    const MAX_LEN: u64 = 64 * 1024;
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_settings = extension.map_or(path.ends_with("config"), |one| SETTINGS.contains(&one));
    let is_short = |about: std::fs::Metadata| about.is_file() && about.len() <= MAX_LEN;
    if !is_settings || !path.metadata().is_ok_and(is_short) {
        return false;
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().any(|line| {
        let line = line.trim().to_ascii_lowercase();
        let value = line.split_once(['=', ':', '>']).filter(|(name, value)| {
            let value = value.trim_start_matches([' ', '"', '\'', '=']);
            let name = name.trim_end_matches([' ', '"', '\'']);
            LOGINS.iter().any(|login| name.ends_with(login))
                && value.starts_with(|first: char| first.is_ascii_alphanumeric())
        });
        let mut addresses = line.split("://").skip(1);
        let has_password = addresses.any(|rest| {
            let host = rest.split(['/', '"', '\'', ' ']).next().unwrap_or_default();
            let login = host.rsplit_once('@').map(|(login, _)| login);
            login.is_some_and(|login| {
                login
                    .split_once(':')
                    .is_some_and(|(_, word)| !word.starts_with(['$', '{']))
            })
        });
        !line.starts_with(['#', ';']) && (value.is_some() || has_password)
    })
}
