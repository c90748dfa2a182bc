//! Command lines as plans write them.
//!
//! A line is split like a POSIX shell would, without any expansion. A line with a shell operator
//! cannot be split: it is a *shell* command, and every screen says so.

/// A command line, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandLine {
    /// Program and arguments; no shell is involved.
    Argv(Vec<String>),
    /// Runs as `sh -c`, because the line uses a shell operator.
    Shell(String),
}

impl CommandLine {
    /// Reads one line; `None` when it is blank. Quotes that do not close make it a shell command,
    /// so that the shell reports the mistake.
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        if line.is_empty() {
            return None;
        }
        // `!` turns round what a command says, and no program of that name is there.
        if line.starts_with("! ") || line.contains(['|', '&', ';', '<', '>', '$', '(', ')', '`']) {
            return Some(Self::Shell(line.to_owned()));
        }
        match shell_words::split(line) {
            Ok(words) if words.is_empty() => None,
            Ok(words) => Some(Self::Argv(words)),
            Err(_) => Some(Self::Shell(line.to_owned())),
        }
    }

    /// Whether a shell carries it out.
    pub fn is_shell(&self) -> bool {
        matches!(self, Self::Shell(_))
    }
}

/// A word of a command line, as a shell reads it back.
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
