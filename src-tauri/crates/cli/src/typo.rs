//! Suggests the intended command for a mistyped one.

use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory;
use workbench::{Code, Error};

use crate::args::Cli;

/// Maximum edit distance from a command for it to be suggested.
const MAX_DISTANCE: usize = 2;

/// The error for a command line whose first word isn't a command, option or path, but is close to a
/// command. `None` for any other command line.
pub(crate) fn in_arguments(mut arguments: impl Iterator<Item = OsString>) -> Option<Error> {
    let first = arguments.nth(1)?.into_string().ok()?;
    let is_known = first.starts_with('-') || names().contains(&first);
    if is_known || Path::new(&first).exists() {
        return None;
    }
    let near = near(&first)?;
    Some(Error::new(
        Code::Usage,
        format!("no such command: {first}; did you mean `planwright {near}`?"),
    ))
}

/// The command closest to a word, if any is close enough.
pub(crate) fn near(word: &str) -> Option<String> {
    let far = |name: &String| strsim::osa_distance(word, name);
    let nearest = names().into_iter().min_by_key(far)?;
    // With as many typos as letters, any word would match any other.
    let allowed = MAX_DISTANCE.min(word.chars().count().saturating_sub(1));
    (far(&nearest) <= allowed).then_some(nearest)
}

fn names() -> Vec<String> {
    let command = Cli::command();
    let shown = command.get_subcommands();
    let shown = shown.filter(|command| !command.is_hide_set());
    let names = shown.map(|command| command.get_name().to_owned());
    names.chain(["help".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_command_has_a_suggestion_and_another_word_has_none() {
        for (word, meant) in [
            ("chek", "check"),
            ("chekc", "check"),
            ("rnu", "run"),
            ("rum", "run"),
            ("recipt", "receipt"),
            ("awnser", "answer"),
            ("halp", "help"),
        ] {
            assert_eq!(near(word).as_deref(), Some(meant), "{word}");
        }
        for word in ["deploy", "x", "manul", "docs/plan.md", ""] {
            assert_eq!(near(word), None, "{word}");
        }
    }

    #[test]
    fn options_commands_and_paths_are_not_typos() {
        let of = |words: &[&str]| {
            let words = std::iter::once(&"planwright").chain(words);
            in_arguments(words.map(OsString::from)).map(|error| error.message)
        };
        assert_eq!(of(&["--chek"]), None);
        assert_eq!(of(&["check", "--chek"]), None);
        assert_eq!(of(&["src", "x.md"]), None);
        assert_eq!(of(&[]), None);
        assert_eq!(
            of(&["chek", "x.md"]).as_deref(),
            Some("no such command: chek; did you mean `planwright check`?")
        );
    }
}
