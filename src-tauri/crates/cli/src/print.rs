//! Printing: plain text for people, JSON lines for programs.
//!
//! Results go to standard output, notices and errors to standard error. A reader that closes the
//! pipe early ends the printing, not the work.
//!
//! **Architecture invariants.** Everything printed goes through `terminal`, so nothing that a plan, a
//! model or a command wrote can act on the terminal.

pub(crate) mod bench;
pub(crate) mod making;
pub(crate) mod models;
pub(crate) mod plan;
pub(crate) mod progress;
pub(crate) mod route;
pub(crate) mod run;
pub(crate) mod session;
pub(crate) mod terminal;

use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use workbench::Error;

use terminal::{Stream, Tone, show};

/// Where output goes.
#[derive(Debug)]
pub(crate) struct Out {
    open: bool,
    /// Whether several steps may speak at once, so that each line says whose it is.
    names_steps: bool,
}

impl Out {
    pub(crate) fn new() -> Self {
        Self {
            open: true,
            names_steps: false,
        }
    }

    /// Text, without a line end of its own.
    pub(crate) fn text(&mut self, text: &str) {
        self.open = self.open && show(Stream::Output, &[(None, text)]);
    }

    /// One line.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.text(&format!("{}\n", text.as_ref()));
    }

    /// One line with a state or a verdict in it, in the color that it has.
    pub(crate) fn state(&mut self, before: &str, word: &str, after: &str) {
        self.toned(before, (Tone::of(word), word), after);
    }

    /// The same with the word's color given.
    pub(crate) fn toned(&mut self, before: &str, word: (Option<Tone>, &str), after: &str) {
        let pieces = [(None, before), word, (None, after), (None, "\n")];
        self.open = self.open && show(Stream::Output, &pieces);
    }

    /// One JSON object on one line.
    pub(crate) fn json(&mut self, value: &impl Serialize) {
        match serde_json::to_string(value) {
            Ok(text) => self.line(workbench::escaped_json(&text)),
            Err(error) => self.notice(&format!("couldn't write a result as JSON: {error}")),
        }
    }

    /// Something to know that stops nothing.
    pub(crate) fn notice(&mut self, message: &str) {
        warn(format_args!("note: {message}"));
    }

    /// What went wrong, for people and, where JSON is wanted, for programs too.
    pub(crate) fn error(&mut self, error: &Error, json: bool) {
        warn(format_args!("error: {error}"));
        if json {
            self.json(&serde_json::json!({ "error": error.to_wire() }));
        }
    }

    /// What is wrong with one of several files.
    pub(crate) fn file_error(&mut self, file: &Path, error: &Error, json: bool) {
        warn(format_args!("error: {error}"));
        if json {
            let path = file.display().to_string();
            self.json(&serde_json::json!({ "path": path, "error": error.to_wire() }));
        }
    }
}

/// The first 12 digits of a revision: enough to approve it.
pub(crate) fn short(revision: &str) -> &str {
    revision.get(..12).unwrap_or(revision)
}

/// 0 to 1 as people read it.
pub(crate) fn percent(score: f64) -> String {
    format!("{:.0}", (score * 100.0).clamp(0.0, 100.0))
}

/// A duration as people read it: `0.4 s`, `2 min 5 s`, `3 h 12 min`.
pub(crate) fn elapsed(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:.1} s", time.as_secs_f64().min(59.9)),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

/// A line for whoever waits, on standard error.
pub(crate) fn warn(line: std::fmt::Arguments<'_>) {
    show(Stream::Error, &[(None, &format!("{line}\n"))]);
}

/// A question to the person at the terminal, who types the answer on the same line.
pub(crate) fn ask(question: &str) {
    show(Stream::Error, &[(None, question)]);
}

/// What is wrong with the command line, or the help that was asked for.
pub(crate) fn usage(error: &clap::Error) {
    let stream = match error.use_stderr() {
        true => Stream::Error,
        false => Stream::Output,
    };
    show(stream, &[(None, &error.render().to_string())]);
}

/// Panics are printed like everything else: their messages can hold text of a plan.
pub(crate) fn show_panics() {
    std::panic::set_hook(Box::new(|panic| warn(format_args!("{panic}"))));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        let shown = |ms| elapsed(Duration::from_millis(ms));
        assert_eq!(shown(0), "0.0 s");
        assert_eq!(shown(1_240), "1.2 s");
        assert_eq!(shown(59_990), "59.9 s");
        assert_eq!(shown(125_000), "2 min 5 s");
        assert_eq!(shown(3_720_000), "1 h 2 min");
    }
}
