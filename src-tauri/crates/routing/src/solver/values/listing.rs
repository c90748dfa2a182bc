//! Lines of files as a step for a person shows them.

use crate::context::Occurrence;

/// The most lines that a step for a person lists.
const MAX_LINES: usize = 24;

/// How many places, in words.
pub(super) fn counted(count: usize) -> String {
    if count == 1 {
        "1 place".to_owned()
    } else {
        format!("{count} places")
    }
}

/// Lines for a person, in a code block whose fence no line can close.
pub(super) fn listing(places: &[&Occurrence], several_files: bool) -> String {
    let mut lines: Vec<String> = Vec::new();
    for place in places {
        let line = if several_files {
            format!("{}:{}: {}", place.path, place.line, place.text)
        } else {
            format!("{}: {}", place.line, place.text)
        };
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    if lines.len() > MAX_LINES {
        let more = lines.len() - MAX_LINES;
        lines.truncate(MAX_LINES);
        lines.push(format!("… and {more} more"));
    }
    let longest = lines
        .iter()
        .flat_map(|line| line.split(|c| c != '`'))
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}", lines.join("\n"))
}
