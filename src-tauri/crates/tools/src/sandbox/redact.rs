//! Removes the content of private files from a command's recorded output. An approved command works
//! with the project as it is, and its output may be sent to a model.
//!
//! This removes whole lines of private files, values named like a key, long values of letters and
//! digits, passwords in URLs, and private keys from any file. It doesn't find secrets in another
//! form (encoded or split), and reads only the start of a very large file and a limited number of
//! files.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::logins;

/// The text that replaces a secret.
const REDACTED: &str = "[private]";

const MAX_FILES: usize = 200;
const MAX_FILE_LEN: u64 = 64 * 1024;
const MAX_VALUES: usize = 4_000;
/// Minimum length of a line that is hidden; shorter ones are too common to be secrets.
const MIN_LINE_LEN: usize = 8;
/// Minimum length of a value named like a key.
const MIN_KEY_LEN: usize = 4;
/// Minimum length of a value of letters and digits that counts as a key, whatever its name.
const MIN_RANDOM_LEN: usize = 16;

/// Texts that must not be shown, longest first.
#[derive(Debug, Default)]
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    /// Collects all lines of private files, and lines with logins from other settings files.
    pub(super) fn of(private: &[PathBuf], settings: &[PathBuf]) -> Self {
        let mut values = Vec::new();
        let mut files = Vec::new();
        for path in private {
            files_in(path, &mut files);
        }
        for path in &files {
            text_of(path)
                .lines()
                .for_each(|line| add(line, &mut values));
        }
        for path in settings {
            let text = text_of(path);
            let lines = text.lines().filter(|line| logins::has_login(line));
            lines.for_each(|line| add(line, &mut values));
        }
        values.truncate(MAX_VALUES);
        values.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        values.dedup();
        Self(values)
    }

    /// The text without secrets.
    pub(super) fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for value in &self.0 {
            if text.contains(value.as_str()) {
                text = text.replace(value, REDACTED);
            }
        }
        without_keys(&text)
    }
}

/// Removes private keys of any origin from a text: everything between the lines that open and close
/// one, or the rest if none closes it.
fn without_keys(text: &str) -> String {
    let mut is_in_key = false;
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let is_edge = |word: &str| line.contains(word) && line.contains(logins::PRIVATE_KEY);
        let was_in_key = is_in_key;
        is_in_key = is_edge("-----BEGIN ") || is_in_key && !is_edge("-----END ");
        match (was_in_key, is_in_key) {
            (true, true) => {}
            (true, false) => {
                kept.push_str(REDACTED);
                kept.push('\n');
                kept.push_str(line);
            }
            _ => kept.push_str(line),
        }
    }
    if is_in_key {
        kept.push_str(REDACTED);
    }
    kept
}

/// Collects a file, or the files in a folder.
fn files_in(path: &Path, files: &mut Vec<PathBuf>) {
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        let Ok(data) = fs::symlink_metadata(&path) else {
            continue;
        };
        if data.is_file() && files.len() < MAX_FILES {
            files.push(path);
        } else if data.is_dir() && files.len() < MAX_FILES {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            open.extend(entries.map(|entry| entry.path()));
        }
    }
}

fn text_of(path: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = fs::File::open(path) {
        // Keep what could be read.
        let _ = file.take(MAX_FILE_LEN).read_to_end(&mut bytes);
    }
    match bytes.contains(&0) {
        true => String::new(),
        false => String::from_utf8_lossy(&bytes).into_owned(),
    }
}

/// Adds the parts of a line that must not be shown.
fn add(line: &str, values: &mut Vec<String>) {
    let line = line.trim();
    if line.starts_with(['#', ';']) {
        return;
    }
    if line.len() >= MIN_LINE_LEN {
        values.push(line.to_owned());
    }
    for (at, _) in line.match_indices(['=', ':']) {
        let value = line[at + 1..].trim_matches([' ', '"', '\'', ',', '=']);
        let is_key = logins::is_key(&line[..at]) && value.len() >= MIN_KEY_LEN;
        if is_key || is_random(value) {
            values.push(value.to_owned());
        }
    }
    let logins = line.split("://").skip(1);
    let logins =
        logins.filter_map(|rest| rest.split(['/', '"', '\'', ' ']).next()?.rsplit_once('@'));
    for (login, _) in logins {
        let word = login.split_once(':').map_or(login, |(_, word)| word);
        values.extend((word.len() >= MIN_KEY_LEN).then(|| word.to_owned()));
    }
}

/// Whether a value is long and mixes letters and digits, unlike a word.
fn is_random(value: &str) -> bool {
    let has = |is: fn(&char) -> bool| value.chars().any(|c| is(&c));
    value.len() >= MIN_RANDOM_LEN
        && has(char::is_ascii_digit)
        && has(char::is_ascii_alphabetic)
        && !value.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_private_file_says_is_left_out_and_the_rest_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(".env");
        let text = "# the shop\nMODE=development\nPORT=3000\nDB_PASSWORD=\"hunter2hunter\"\n\
                    STRIPE=sk_live_51Habc9Qw7\nDATABASE_URL=postgres://shop:tr0ub4dor@db/shop\n";
        fs::write(&file, text).unwrap();
        let secrets = Secrets::of(&[file], &[]);
        let shown = |text: &str| secrets.redact(text);
        for secret in [
            "hunter2hunter",
            "sk_live_51Habc9Qw7",
            "tr0ub4dor",
            "MODE=development",
            "PORT=3000",
        ] {
            assert_eq!(shown(&format!("it is {secret}.")), "it is [private].");
        }
        for plain in ["development", "listening on 3000", "shop", "# the shop"] {
            assert_eq!(shown(plain), plain);
        }
        assert!(!shown(text).contains("tr0ub"), "{}", shown(text));
    }

    #[test]
    fn private_keys_are_left_out_wherever_they_come_from_and_certificates_are_not() {
        let block = |kind: &str| {
            format!("-----BEGIN {kind}-----\nMIIEvQIBADANBg\n=x7Qm\n-----END {kind}-----\n")
        };
        let shown = |text: &str| Secrets::default().redact(text);
        for kind in [
            "PRIVATE KEY",
            "RSA PRIVATE KEY",
            "ENCRYPTED PRIVATE KEY",
            "OPENSSH PRIVATE KEY",
            "PGP PRIVATE KEY BLOCK",
        ] {
            let text = format!("before\n{}after\n", block(kind));
            let kept =
                format!("before\n-----BEGIN {kind}-----\n[private]\n-----END {kind}-----\nafter\n");
            assert_eq!(shown(&text), kept);
            let cut = text.split("-----END").next().unwrap();
            assert!(!shown(cut).contains("MII"), "{}", shown(cut));
            // Keys are also found in the added lines of a Git patch.
            let patch = text.replace('\n', "\n+");
            assert!(!shown(&patch).contains("MII"), "{}", shown(&patch));
        }
        for kind in ["CERTIFICATE", "PUBLIC KEY"] {
            assert_eq!(shown(&block(kind)), block(kind));
        }
    }

    #[test]
    fn of_the_settings_of_a_repository_only_logins_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config");
        let text = "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://ann:ghp_16C7e42F292c@host/x.git\n";
        fs::write(&file, text).unwrap();
        let secrets = Secrets::of(&[], &[file]);
        assert_eq!(secrets.redact("bare = false"), "bare = false");
        let shown = secrets.redact("origin https://ann:ghp_16C7e42F292c@host/x.git (fetch)");
        assert!(!shown.contains("ghp_"), "{shown}");
    }
}
