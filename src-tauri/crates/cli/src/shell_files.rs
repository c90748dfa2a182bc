//! What shells and `man` read: completion scripts and manual pages, made from the command line's own
//! description.

use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;
use workbench::{Code, Error, Result};

use crate::args::Cli;
use crate::print::Out;

/// Prints the completion script of a shell.
pub(crate) fn completions(shell: Shell, out: &mut Out) {
    out.text(&script(shell));
}

fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "planwright", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Writes the manual pages: one for the program, one for each command.
///
/// # Errors
/// [`Code::Failed`] when the folder can't be written to.
pub(crate) fn manual(folder: &Path) -> Result<()> {
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder));
    written.map_err(|error| {
        let folder = folder.display();
        Error::new(
            Code::Failed,
            format!("couldn't write the manual pages to {folder}: {error}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shell_completes_the_commands_and_none_of_the_hidden_ones() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = script(shell);
            for command in ["check", "answer", "completions"] {
                assert!(script.contains(command), "{shell}: {command}");
            }
            assert_eq!(workbench::visible(&script), script, "{shell}");
        }
    }

    #[test]
    fn each_command_has_a_manual_page() {
        let folder = std::env::temp_dir().join(format!("planwright-manual-{}", std::process::id()));
        manual(&folder).unwrap();
        let page = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(page("planwright.1").contains("Planwright opens its window"));
        assert!(page("planwright-undo.1").contains("newest first"));
        assert!(page("planwright-manual.1").is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
