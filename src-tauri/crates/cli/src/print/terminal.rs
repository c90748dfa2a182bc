//! Terminal output: escapes control characters, then adds colors; draws the spinner.
//!
//! **Architecture invariants.** Only this module writes to standard output and standard error.
//! Colors are added after escaping, so text from a file can't color itself. The spinner is erased
//! before any other output, and drawn only at the start of a line.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::elapsed;

/// An output stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    Output,
    Error,
}

/// The meaning of a colored word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Attention,
    Bad,
}

impl Tone {
    /// The tone of a state or verdict; `None` for any other word.
    pub(crate) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "done" | "ok" | "adequate" => Self::Good,
            "failed" | "refused" | "cancelled" | "stopped" | "not_covered" | "critical"
            | "empty" => Self::Bad,
            "waiting" | "paused" | "unverified" | "incomplete" | "skipped" | "interrupted"
            | "ok, flaky" | "major" | "outline" | "thin" | "overgrown" => Self::Attention,
            _ => return None,
        })
    }

    fn code(self) -> &'static str {
        match self {
            Self::Good => "\x1b[32m",
            Self::Attention => "\x1b[33m",
            Self::Bad => "\x1b[31m",
        }
    }
}

/// A piece of text with its tone.
pub(super) type Piece<'a> = (Option<Tone>, &'a str);

/// The delay before the spinner appears.
const PATIENCE: Duration = Duration::from_millis(400);
const TICK: Duration = Duration::from_millis(100);
const FRAMES: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const ERASE: &str = "\r\x1b[K";

/// The state of the terminal.
struct Terminal {
    /// The current work and its start time.
    work: Option<(String, Instant)>,
    frame: usize,
    is_drawn: bool,
    /// Whether the cursor is at the start of a line.
    is_at_start: bool,
    has_thread: bool,
}

static TERMINAL: Mutex<Terminal> = Mutex::new(Terminal {
    work: None,
    frame: 0,
    is_drawn: false,
    is_at_start: true,
    has_thread: false,
});

fn terminal() -> MutexGuard<'static, Terminal> {
    // A panic while the lock is held can only leave the spinner misdrawn.
    TERMINAL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints escaped text. Returns whether writing succeeded.
pub(super) fn show(stream: Stream, pieces: &[Piece<'_>]) -> bool {
    let text = shown(pieces, stream == Stream::Output && has_colors());
    let mut terminal = terminal();
    terminal.erase();
    terminal.is_at_start = text.ends_with('\n') || (text.is_empty() && terminal.is_at_start);
    write(stream, &text)
}

/// Shows the spinner until [`idle`] or the next call. Draws nothing if standard error is not a
/// terminal.
pub(crate) fn working(what: &str, since: Instant) {
    if !can_draw() {
        return;
    }
    let mut terminal = terminal();
    terminal.work = Some((what.to_owned(), since));
    if !terminal.has_thread {
        terminal.has_thread = true;
        std::thread::spawn(spin);
    }
}

/// Stops the spinner.
pub(crate) fn idle() {
    let mut terminal = terminal();
    terminal.work = None;
    terminal.erase();
}

/// Records that the person entered a line, which moved the cursor to the start of the next.
pub(crate) fn typed() {
    terminal().is_at_start = true;
}

/// Whether a person can be asked: standard input and standard error are both terminals.
pub(crate) fn has_person() -> bool {
    io::stdin().is_terminal() && shows_errors()
}

/// Whether standard error is a terminal, and not a file or a pipe.
#[expect(clippy::disallowed_methods, reason = "only checks for a terminal")]
pub(crate) fn shows_errors() -> bool {
    io::stderr().is_terminal()
}

impl Terminal {
    fn erase(&mut self) {
        if std::mem::take(&mut self.is_drawn) {
            write(Stream::Error, ERASE);
        }
    }

    fn draw(&mut self) {
        let Some((what, since)) = self.work.as_ref().filter(|_| self.is_at_start) else {
            return;
        };
        let time = since.elapsed();
        if time < PATIENCE {
            return;
        }
        let line = spinner(what, FRAMES[self.frame % FRAMES.len()], time, columns());
        self.frame += 1;
        self.is_drawn = true;
        write(Stream::Error, &format!("{ERASE}{line}"));
    }
}

fn spin() {
    loop {
        std::thread::sleep(TICK);
        let mut terminal = terminal();
        if terminal.work.is_none() {
            terminal.has_thread = false;
            return;
        }
        terminal.draw();
    }
}

/// The spinner's line, truncated to fit the terminal, because a wrapped line can't be erased.
fn spinner(what: &str, frame: &str, time: Duration, columns: usize) -> String {
    let time = elapsed(time);
    let room = columns.saturating_sub(time.len() + 5);
    // Characters of some scripts are two columns wide.
    let width = |letter: char| if letter.is_ascii() { 1 } else { 2 };
    let mut used = 0;
    let shown = workbench::visible_line(what);
    let fits = shown.chars().take_while(|letter| {
        used += width(*letter);
        used <= room
    });
    let what: String = fits.collect();
    format!("{frame} {what} {time}")
}

/// The escaped text, with colors if `has_colors`.
fn shown(pieces: &[Piece<'_>], has_colors: bool) -> String {
    let mut text = String::new();
    for (tone, piece) in pieces {
        let piece = workbench::visible(piece);
        match tone.filter(|_| has_colors) {
            Some(tone) => text.extend([tone.code(), &piece, "\x1b[0m"]),
            None => text.push_str(&piece),
        }
    }
    text
}

/// Whether to use colors on standard output.
#[expect(clippy::disallowed_methods, reason = "only checks for a terminal")]
fn has_colors() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        let variable =
            |name: &str| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
        wants_colors(variable, io::stdout().is_terminal())
    })
}

/// Whether the environment asks for colors; see <https://no-color.org> and
/// <https://bixense.com/clicolors>.
fn wants_colors(variable: impl Fn(&str) -> Option<String>, is_terminal: bool) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    let is = |name: &str, value: &str| variable(name).is_some_and(|found| found == value);
    if is_set("NO_COLOR") {
        return false;
    }
    if is_set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") {
        return true;
    }
    is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb")
}

#[expect(clippy::disallowed_methods, reason = "only checks for a terminal")]
fn can_draw() -> bool {
    static CAN: OnceLock<bool> = OnceLock::new();
    *CAN.get_or_init(|| {
        io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
    })
}

#[expect(clippy::disallowed_methods, reason = "only reads its size")]
fn columns() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stderr());
    // Some pseudo terminals report 0.
    size.map_or(80, |size| usize::from(size.ws_col)).max(40)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the only place that writes to the terminal"
)]
fn write(stream: Stream, text: &str) -> bool {
    fn all(mut to: impl Write, text: &str) -> bool {
        // Flushed immediately, so that readers of a pipe see each line when it happens.
        to.write_all(text.as_bytes())
            .and_then(|()| to.flush())
            .is_ok()
    }
    match stream {
        Stream::Output => all(io::stdout().lock(), text),
        Stream::Error => all(io::stderr().lock(), text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_word_is_colored_and_text_from_files_never_colors_itself() {
        let pieces = [
            (None, "  T1\x1b[31m  "),
            (Some(Tone::Bad), "failed\x1b[0m"),
            (None, ": why\n"),
        ];
        assert_eq!(
            shown(&pieces, true),
            "  T1⟨ESC⟩[31m  \x1b[31mfailed⟨ESC⟩[0m\x1b[0m: why\n"
        );
        assert_eq!(
            shown(&pieces, false),
            "  T1⟨ESC⟩[31m  failed⟨ESC⟩[0m: why\n"
        );
    }

    #[test]
    fn colors_follow_the_environment() {
        let wants = |set: &[(&str, &str)], is_terminal| {
            let find = |name: &str| set.iter().find(|(key, _)| *key == name);
            wants_colors(
                |name| find(name).map(|(_, value)| (*value).to_owned()),
                is_terminal,
            )
        };
        assert!(wants(&[], true));
        assert!(!wants(&[], false));
        assert!(!wants(&[("NO_COLOR", "1")], true));
        assert!(wants(&[("NO_COLOR", "")], true));
        assert!(wants(&[("CLICOLOR_FORCE", "1")], false));
        assert!(!wants(&[("CLICOLOR_FORCE", "0")], false));
        assert!(!wants(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], true));
        assert!(!wants(&[("CLICOLOR", "0")], true));
        assert!(!wants(&[("TERM", "dumb")], true));
    }

    #[test]
    fn the_spinner_stays_on_its_line_and_is_safe_to_show() {
        let line = |what: &str, columns| spinner(what, "⠋", Duration::from_secs(75), columns);
        assert_eq!(line("T1", 80), "⠋ T1 1 min 15 s");
        assert_eq!(line("T1\n\x1b[2J", 80), "⠋ T1 ⟨ESC⟩[2J 1 min 15 s");
        for what in ["a long name of a step", "日本語日本語日本語日本語"] {
            let line = line(&what.repeat(9), 40);
            let width = line.chars().map(|c| if c.is_ascii() { 1 } else { 2 });
            assert!(width.sum::<usize>() <= 40, "{line}");
        }
    }
}
