//! Printing: plain text for people, JSON lines for programs.
//!
//! Results go to standard output, notices and errors to standard error. A reader that closes the
//! pipe early ends the printing, not the work.
//!
//! **Architecture invariants.** Everything printed goes through [`show`], so nothing that a plan, a
//! model or a command wrote can act on the terminal. Colors of our own would be added behind it.

pub(crate) mod bench;
pub(crate) mod making;
pub(crate) mod models;
pub(crate) mod plan;
pub(crate) mod route;
pub(crate) mod run;
pub(crate) mod session;

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use workbench::Error;

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
        self.open = self.open && show(Stream::Output, text);
    }

    /// One line.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.text(&format!("{}\n", text.as_ref()));
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

/// A line for whoever waits, on standard error.
pub(crate) fn warn(line: std::fmt::Arguments<'_>) {
    show(Stream::Error, &format!("{line}\n"));
}

/// What is wrong with the command line, or the help that was asked for.
pub(crate) fn usage(error: &clap::Error) {
    let stream = match error.use_stderr() {
        true => Stream::Error,
        false => Stream::Output,
    };
    show(stream, &error.render().to_string());
}

/// Panics are printed like everything else: their messages can hold text of a plan.
pub(crate) fn show_panics() {
    std::panic::set_hook(Box::new(|panic| warn(format_args!("{panic}"))));
}

enum Stream {
    Output,
    Error,
}

/// Prints text made safe to show. Whether somebody still reads it.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the terminal is written to"
)]
fn show(stream: Stream, text: &str) -> bool {
    fn write(mut to: impl Write, text: &str) -> bool {
        // Flushed at once, so that whoever reads along sees a line when it is true.
        to.write_all(text.as_bytes())
            .and_then(|()| to.flush())
            .is_ok()
    }
    let text = workbench::visible(text);
    match stream {
        Stream::Output => write(io::stdout().lock(), &text),
        Stream::Error => write(io::stderr().lock(), &text),
    }
}
