//! Command lines in plans.
//!
//! A line is split as a POSIX shell would, without any expansion. A line with a shell operator
//! can't be split: it is a *shell* command, and the UI labels it as one.

/// A parsed command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandLine {
    /// Program and arguments; no shell is involved.
    Argv(Vec<String>),
    /// Runs as `sh -c`, because the line uses a shell operator.
    Shell(String),
}

impl CommandLine {
    /// Parses one line; `None` if it is blank. A line with unbalanced quotes becomes a shell
    /// command, so that the shell reports the error.
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        if line.is_empty() {
            return None;
        }
        // `!` negates the exit status; it is not a program.
        if line.starts_with("! ") || line.contains(['|', '&', ';', '<', '>', '$', '(', ')', '`']) {
            return Some(Self::Shell(line.to_owned()));
        }
        match shell_words::split(line) {
            Ok(words) if words.is_empty() => None,
            Ok(words) => Some(Self::Argv(words)),
            Err(_) => Some(Self::Shell(line.to_owned())),
        }
    }

    /// Whether it needs a shell.
    pub fn is_shell(&self) -> bool {
        matches!(self, Self::Shell(_))
    }
}

/// Quotes a word for a shell, if it needs quoting.
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
