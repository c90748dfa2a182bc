//! Command-line arguments, `planwright-desktop [PATH | LINK]`, including those of a second start.
//!
//! PATH is a folder or a plan file. It is made absolute here, relative to the caller's working
//! directory; the workbench interprets it. LINK is a `planwright://` link, which `plan_links`
//! interprets. A desktop may give a path as a `file://` address. The target is kept until a window
//! takes it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use tauri::Url;

use crate::plan_links;

const USAGE: &str = "\
planwright-desktop [PATH | LINK]
    opens the window; PATH is a folder or a plan file,
    LINK a planwright:// link to a plan or a step.";

/// The target to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// A folder or a plan file that the user named.
    Path(PathBuf),
    /// The text of a link, which may come from anywhere.
    Link(String),
}

/// The action that the arguments request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    /// Open the window, optionally with a target.
    Open(Option<Target>),
    /// Print a text to standard output.
    Say(String),
    /// Report invalid arguments with this message.
    Wrong(String),
}

/// Parses the arguments after the program name.
pub(crate) fn read_arguments(words: impl Iterator<Item = OsString>) -> Arguments {
    let mut target = None;
    for word in words {
        match word.to_str() {
            Some("--help" | "-h") => return Arguments::Say(USAGE.to_owned()),
            Some("--version" | "-V") => {
                return Arguments::Say(format!("planwright-desktop {}", env!("CARGO_PKG_VERSION")));
            }
            Some(option) if option.starts_with('-') => {
                return Arguments::Wrong(format!("unknown option {option}\n{USAGE}"));
            }
            _ if target.is_some() => {
                return Arguments::Wrong(format!("one path at a time\n{USAGE}"));
            }
            _ => target = Some(target_of(word)),
        }
    }
    Arguments::Open(target)
}

fn target_of(word: OsString) -> Target {
    match word.to_str() {
        Some(text) if plan_links::is_link(text) => Target::Link(text.to_owned()),
        Some(text) if text.starts_with("file://") => {
            let path = Url::parse(text)
                .ok()
                .and_then(|url| url.to_file_path().ok());
            Target::Path(path.unwrap_or_else(|| PathBuf::from(word)))
        }
        _ => Target::Path(PathBuf::from(word)),
    }
}

impl Target {
    /// Makes a path absolute, relative to a folder.
    pub(crate) fn in_folder(self, folder: &Path) -> Self {
        match self {
            Self::Path(path) => Self::Path(folder.join(path)),
            Self::Link(_) => self,
        }
    }
}

/// The target of a second start, resolved against its working directory; `None` if it has none.
pub(crate) fn handed_over(arguments: Vec<String>, folder: &str) -> Option<Target> {
    match read_arguments(arguments.into_iter().skip(1).map(OsString::from)) {
        Arguments::Open(Some(target)) => Some(target.in_folder(Path::new(folder))),
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

/// Targets waiting for a window, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Waiting(Mutex<Vec<Target>>);

impl Waiting {
    /// Adds a target.
    pub(crate) fn add(&self, target: Target) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push(target);
    }

    /// Takes the newest target and drops the others, since a window shows only one.
    pub(crate) fn take(&self) -> Option<Target> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.drain(..).next_back()
    }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Target, Waiting, handed_over, read_arguments};

    fn read(words: &[&str]) -> Arguments {
        read_arguments(words.iter().map(Into::into))
    }

    #[test]
    fn a_path_or_none_opens_the_window() {
        assert_eq!(read(&[]), Arguments::Open(None));
        assert_eq!(
            read(&["plans/a.md"]),
            Arguments::Open(Some(Target::Path("plans/a.md".into())))
        );
    }

    #[test]
    fn a_link_is_no_path_and_a_file_address_is_one() {
        let link = "planwright://open?path=/w/a.md&step=T2";
        let target = Target::Link(link.to_owned());
        assert_eq!(read(&[link]), Arguments::Open(Some(target.clone())));
        let words = vec!["planwright-desktop".to_owned(), link.to_owned()];
        assert_eq!(handed_over(words, "/srv/code"), Some(target));
        assert_eq!(
            read(&["file:///w/a%20b.md"]),
            Arguments::Open(Some(Target::Path("/w/a b.md".into())))
        );
        assert_eq!(
            read(&["planwright.md"]),
            Arguments::Open(Some(Target::Path("planwright.md".into())))
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
        assert_eq!(path, Some(Target::Path("/srv/code/plans/a.md".into())));
        let path = handed_over(words(&["planwright-desktop", "/a.md"]), "/srv/code");
        assert_eq!(path, Some(Target::Path("/a.md".into())));
        assert_eq!(
            handed_over(words(&["planwright-desktop"]), "/srv/code"),
            None
        );
    }

    #[test]
    fn the_newest_target_wins_and_is_taken_once() {
        let waiting = Waiting::default();
        let [a, b] = ["/a", "/b"].map(|path| Target::Path(path.into()));
        waiting.add(a);
        waiting.add(b.clone());
        assert_eq!(waiting.take(), Some(b));
        assert_eq!(waiting.take(), None);
    }
}
