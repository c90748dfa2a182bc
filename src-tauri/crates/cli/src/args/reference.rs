//! Tests that the usage lines in this crate's README match the ones that the program parses.

use clap::{Arg, Command, CommandFactory};

use super::Cli;

const BEGIN: &str = "<!-- usage: checked by a test of this crate -->";
const END: &str = "<!-- /usage -->";
/// Maximum line width.
const WIDTH: usize = 100;

fn usage() -> String {
    let mut out = String::from("```text\n");
    let command = Cli::command();
    let shown = command.get_subcommands();
    for command in shown.filter(|command| !command.is_hide_set()) {
        let within: Vec<&Command> = command.get_subcommands().collect();
        if within.is_empty() {
            out.push_str(&usage_of("planwright", command));
        }
        for inner in within {
            let program = format!("planwright {}", command.get_name());
            out.push_str(&usage_of(&program, inner));
        }
    }
    out.push_str("planwright [PATH]                    opens the window\n```");
    out
}

fn usage_of(program: &str, command: &Command) -> String {
    let head = format!("{program} {}", command.get_name());
    let indent = head.len() + 1;
    let (mut out, mut column) = (head.clone(), head.len());
    let (positional, options): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().partition(|arg| arg.is_positional());
    for word in positional.into_iter().chain(options).map(word) {
        if column + 1 + word.len() > WIDTH {
            out.push('\n');
            out.push_str(&" ".repeat(indent - 1));
            column = indent - 1;
        }
        out.push(' ');
        out.push_str(&word);
        column += 1 + word.chars().count();
    }
    out.push('\n');
    out
}

fn word(arg: &Arg) -> String {
    let values: Vec<String> = arg
        .get_possible_values()
        .iter()
        .map(|value| value.get_name().to_owned())
        .collect();
    let takes_value = arg.get_action().takes_values();
    let name = match (takes_value, values.is_empty()) {
        (false, _) => String::new(),
        (true, false) => values.join("|"),
        (true, true) => arg
            .get_value_names()
            .and_then(|names| names.first())
            .map_or_else(
                || arg.get_id().to_string().to_uppercase(),
                ToString::to_string,
            ),
    };
    let text = match arg.get_long() {
        Some(long) if takes_value => format!("--{long} {name}"),
        Some(long) => format!("--{long}"),
        None => name,
    };
    let text = match arg.is_required_set() {
        true => text,
        false => format!("[{text}]"),
    };
    match arg.get_action() {
        clap::ArgAction::Append => format!("{text}…"),
        _ => text,
    }
}

#[test]
fn the_readme_lists_what_the_program_understands() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"));
    let readme = readme.unwrap();
    let (_, rest) = readme.split_once(BEGIN).expect(BEGIN);
    let (written, _) = rest.split_once(END).expect(END);
    let usage = usage();
    assert!(
        written.trim() == usage,
        "this crate's README.md is out of date; between the markers it should say:\n{usage}"
    );
}
