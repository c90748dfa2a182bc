//! Output: plain text for people, JSON lines for programs.
//!
//! Results go to standard output, notices and errors to standard error. If a reader closes the pipe
//! early, printing stops but the work continues.
//!
//! **Architecture invariants.** Everything is printed through `terminal`, so no text from a plan, a
//! model or a command can control the terminal.

pub(crate) mod models;
pub(crate) mod new_plan;
pub(crate) mod plan;
pub(crate) mod progress;
pub(crate) mod route;
pub(crate) mod run;
pub(crate) mod session;
pub(crate) mod state_reports;
pub(crate) mod terminal;

use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use workbench::Error;

use terminal::{Stream, Tone, show};

/// Prints results to standard output.
#[derive(Debug)]
pub(crate) struct Out {
    open: bool,
    /// Whether each line names its step, because steps may run in parallel.
    names_steps: bool,
}

impl Out {
    pub(crate) fn new() -> Self {
        Self {
            open: true,
            names_steps: false,
        }
    }

    /// Prints text without adding a line break.
    pub(crate) fn text(&mut self, text: &str) {
        self.open = self.open && show(Stream::Output, &[(None, text)]);
    }

    /// Prints a line.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.text(&format!("{}\n", text.as_ref()));
    }

    /// Prints a line in which a state or verdict has its color.
    pub(crate) fn state(&mut self, before: &str, word: &str, after: &str) {
        let shown = word.replace('_', " ");
        self.toned(before, (Tone::of(word), shown.as_str()), after);
    }

    /// Like [`Self::state`], with an explicit tone.
    pub(crate) fn toned(&mut self, before: &str, word: (Option<Tone>, &str), after: &str) {
        let pieces = [(None, before), word, (None, after), (None, "\n")];
        self.open = self.open && show(Stream::Output, &pieces);
    }

    /// Prints a JSON object on one line.
    pub(crate) fn json(&mut self, value: &impl Serialize) {
        match serde_json::to_string(value) {
            Ok(text) => self.line(workbench::escaped_json(&text)),
            Err(error) => self.notice(&format!("couldn't write a result as JSON: {error}")),
        }
    }

    /// Prints a notice, which doesn't stop the command.
    pub(crate) fn notice(&mut self, message: &str) {
        warn(format_args!("note: {message}"));
    }

    /// Prints an error as text and, if JSON was requested, as JSON too.
    pub(crate) fn error(&mut self, error: &Error, json: bool) {
        warn(format_args!("error: {error}"));
        if json {
            self.json(&serde_json::json!({ "error": error.to_wire() }));
        }
    }

    /// Prints an error about one of several files.
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

/// A score from 0 to 1 as a percentage.
pub(crate) fn percent(score: f64) -> String {
    format!("{:.0}", (score * 100.0).clamp(0.0, 100.0))
}

/// A human-readable duration: `0.4 s`, `2 min 5 s`, `3 h 12 min`.
pub(crate) fn elapsed(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:.1} s", time.as_secs_f64().min(59.9)),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

/// Prints a progress line to standard error.
pub(crate) fn warn(line: std::fmt::Arguments<'_>) {
    show(Stream::Error, &[(None, &format!("{line}\n"))]);
}

/// Prints a question; the person types the answer on the same line.
pub(crate) fn ask(question: &str) {
    show(Stream::Error, &[(None, question)]);
}

/// Prints a usage error, or the requested help.
pub(crate) fn usage(error: &clap::Error) {
    let stream = match error.use_stderr() {
        true => Stream::Error,
        false => Stream::Output,
    };
    show(stream, &[(None, &error.render().to_string())]);
}

/// Escapes panic messages like all other output, because they can contain text from a plan.
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
