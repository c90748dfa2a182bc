//! Files for shells and `man`: completion scripts and manual pages, generated from the definition
//! of the command line.

use std::collections::BTreeMap;

use clap::CommandFactory;
use clap_complete::Shell;
use workbench::{Code, Error, Result};

use crate::args::Cli;
use crate::print::Out;

/// Prints a shell's completion script.
pub(crate) fn completions(shell: Shell, out: &mut Out) {
    out.text(&script(shell));
}

fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "planwright", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Prints the manual pages as one JSON object, keyed by file name: one for the program, one for
/// each command.
///
/// # Errors
/// [`Code::Internal`] if a page can't be generated.
pub(crate) fn manual(out: &mut Out) -> Result<()> {
    let pages = pages().map_err(|error| Error::from_cause(Code::Internal, error))?;
    out.json(&pages);
    Ok(())
}

fn pages() -> std::io::Result<BTreeMap<String, String>> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let commands = program.get_subcommands();
    let commands = commands.filter(|command| !command.is_hide_set()).cloned();
    let all: Vec<clap::Command> = commands.chain([program.clone()]).collect();
    all.into_iter()
        .map(|command| {
            let page = clap_mangen::Man::new(command);
            let mut text = Vec::new();
            page.render(&mut text)?;
            Ok((
                page.get_filename(),
                String::from_utf8_lossy(&text).into_owned(),
            ))
        })
        .collect()
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
        let pages = pages().unwrap();
        assert!(pages["planwright.1"].contains("Planwright opens its window"));
        assert!(pages["planwright-undo.1"].contains("later changes conflict"));
        assert!(!pages.contains_key("planwright-manual.1"));
    }
}
