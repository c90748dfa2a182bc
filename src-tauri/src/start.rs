//! Command-line arguments, `planwright-desktop [PATH]`, and paths handed over by a second start.
//!
//! PATH is a folder or a plan file. It is made absolute here, relative to the caller's working
//! directory; the workbench interprets it. A path is kept until a window takes it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

const USAGE: &str = "\
planwright-desktop [PATH]
    opens the window; PATH is a folder or a plan file.";

/// What the arguments request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    /// Open the window, optionally with a path.
    Open(Option<PathBuf>),
    /// Print a text to standard output.
    Say(String),
    /// Invalid arguments, with an error message.
    Wrong(String),
}

/// Parses the arguments after the program name.
pub(crate) fn read_arguments(words: impl Iterator<Item = OsString>) -> Arguments {
    let mut path = None;
    for word in words {
        match word.to_str() {
            Some("--help" | "-h") => return Arguments::Say(USAGE.to_owned()),
            Some("--version" | "-V") => {
                return Arguments::Say(format!("planwright-desktop {}", env!("CARGO_PKG_VERSION")));
            }
            Some(option) if option.starts_with('-') => {
                return Arguments::Wrong(format!("{option} is not an option\n{USAGE}"));
            }
            _ if path.is_some() => {
                return Arguments::Wrong(format!("one path at a time\n{USAGE}"));
            }
            _ => path = Some(PathBuf::from(word)),
        }
    }
    Arguments::Open(path)
}

/// The path from a second start, resolved against its working directory.
pub(crate) fn handed_over(arguments: Vec<String>, folder: &str) -> Option<PathBuf> {
    match read_arguments(arguments.into_iter().skip(1).map(OsString::from)) {
        Arguments::Open(Some(path)) => Some(Path::new(folder).join(path)),
        _ => None,
    }
}

/// Prints a text and exits successfully.
#[allow(clippy::print_stdout, reason = "the answer of --help and --version")]
pub(crate) fn say(text: &str) -> ExitCode {
    println!("{}", workbench::visible(text));
    ExitCode::SUCCESS
}

/// Prints why nothing was opened, and exits with an error.
#[allow(clippy::print_stderr, reason = "there is no window that could say it")]
pub(crate) fn refuse(text: &str) -> ExitCode {
    eprintln!("{}", workbench::visible(text));
    ExitCode::from(64)
}

/// Paths waiting for a window, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Waiting(Mutex<Vec<PathBuf>>);

impl Waiting {
    /// Adds a path.
    pub(crate) fn add(&self, path: PathBuf) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push(path);
    }

    /// Takes the newest path and drops the others, since a window shows only one.
    pub(crate) fn take(&self) -> Option<PathBuf> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.drain(..).next_back()
    }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Waiting, handed_over, read_arguments};
    use std::path::PathBuf;

    fn read(words: &[&str]) -> Arguments {
        read_arguments(words.iter().map(Into::into))
    }

    #[test]
    fn a_path_or_none_opens_the_window() {
        assert_eq!(read(&[]), Arguments::Open(None));
        assert_eq!(
            read(&["plans/a.md"]),
            Arguments::Open(Some("plans/a.md".into()))
        );
    }

    #[test]
    fn options_and_a_second_path_are_answered_without_a_window() {
        assert!(matches!(read(&["--version"]), Arguments::Say(text) if text.contains("0.")));
        assert!(matches!(read(&["--help"]), Arguments::Say(_)));
        assert!(matches!(read(&["--fast"]), Arguments::Wrong(_)));
        assert!(matches!(read(&["a", "b"]), Arguments::Wrong(_)));
    }

    #[test]
    fn a_second_start_means_its_own_folder() {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let path = handed_over(words(&["planwright-desktop", "plans/a.md"]), "/srv/code");
        assert_eq!(path, Some(PathBuf::from("/srv/code/plans/a.md")));
        let path = handed_over(words(&["planwright-desktop", "/a.md"]), "/srv/code");
        assert_eq!(path, Some(PathBuf::from("/a.md")));
        assert_eq!(
            handed_over(words(&["planwright-desktop"]), "/srv/code"),
            None
        );
    }

    #[test]
    fn the_newest_path_wins_and_is_taken_once() {
        let waiting = Waiting::default();
        waiting.add("/a".into());
        waiting.add("/b".into());
        assert_eq!(waiting.take(), Some(PathBuf::from("/b")));
        assert_eq!(waiting.take(), None);
    }
}
