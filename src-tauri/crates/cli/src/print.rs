//! Printing: plain text for people, JSON lines for programs.
//!
//! Results go to standard output, notices and errors to standard error. A reader that closes the
//! pipe early ends the printing, not the work.

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

    fn write(&mut self, text: &str) {
        if !self.open {
            return;
        }
        let mut out = io::stdout().lock();
        // Flushed at once, so that whoever reads along sees a line when it is true.
        self.open = out
            .write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .is_ok();
    }

    /// Text as it is.
    pub(crate) fn text(&mut self, text: &str) {
        self.write(text);
    }

    /// One line.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.write(&format!("{}\n", text.as_ref()));
    }

    /// One JSON object on one line.
    pub(crate) fn json(&mut self, value: &impl Serialize) {
        match serde_json::to_string(value) {
            Ok(text) => self.line(text),
            Err(error) => self.notice(&format!("a result could not be written as JSON: {error}")),
        }
    }

    /// Something to know that stops nothing.
    pub(crate) fn notice(&mut self, message: &str) {
        let _ = writeln!(io::stderr(), "note: {message}");
    }

    /// What went wrong, for people and, where JSON is wanted, for programs too.
    pub(crate) fn error(&mut self, error: &Error, json: bool) {
        let _ = writeln!(io::stderr(), "error: {error}");
        if json {
            self.json(&serde_json::json!({ "error": error.to_wire() }));
        }
    }

    /// What is wrong with one of several files.
    pub(crate) fn file_error(&mut self, file: &Path, error: &Error, json: bool) {
        let _ = writeln!(io::stderr(), "error: {error}");
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

/// Control characters would let a plan or a command's output write over the terminal.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_control() && c != '\n' && c != '\t' {
                '\u{FFFD}'
            } else {
                c
            }
        })
        .collect()
}
