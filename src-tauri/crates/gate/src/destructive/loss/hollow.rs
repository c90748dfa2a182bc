//! Detects added code that does nothing yet: comments, imports, functions without a body, "to do"
//! notes. Works on lines, independent of the language.

use super::definitions::{Kind, code, defined_by, is_comment, is_stub};
use super::missing;
use plan::word_list::WordList;

/// A code file's path, and its text before and after the change.
pub type Written = (String, String, String);

/// Why a change does not show that its step is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// The reason, as one sentence without the final period.
    pub why: String,
    /// Whether the doubt remains even if a check passes.
    pub is_certain: bool,
}

impl Doubt {
    fn open(why: String) -> Self {
        Self {
            why,
            is_certain: false,
        }
    }
}

/// Markers, in capitals, of unfinished work.
const UNFINISHED_MARKERS: WordList = WordList("TODO FIXME XXX");
/// Phrases in comments or errors that mark unfinished work.
const UNFINISHED_PHRASES: WordList = WordList(
    "not implemented|notimplemented|unimplemented|placeholder|goes here|to be implemented",
);
/// Starts of lines that do nothing by themselves: imports, type declarations, attributes,
/// docstrings.
const INERT_PREFIXES: WordList = WordList(
    "import |from |use |pub use |using |#include|require(|package |mod |@|class |interface |impl |\
    export class |public class |abstract class |namespace |module |\"\"\"|'''",
);
/// Words in a title that ask for lines that do nothing by themselves.
const DOCUMENTATION_WORDS: WordList = WordList(
    "comment|docstring|document|docs|describe|explain|import|header|license|licence|typo|todo|fixme|placeholder|stub|\
    skeleton|scaffold|kommentar|注释",
);
/// Files that are meant to be empty.
const EMPTY_FILES: WordList = WordList("__init__.py .gitkeep .keep .nojekyll py.typed");
/// Words in a title that ask for whitespace changes or for an empty file.
const WHITESPACE_WORDS: WordList = WordList(
    "empty|blank|indent|format|white|space|newline|line end|tab|align|trailing|crlf|touch|placeholder|scaffold|\
    skeleton|stub|leer|einrück",
);
/// Values that don't count as an implementation.
const TRIVIAL_VALUES: WordList = WordList(
    "[] {} () none null nil undefined true false vec![] vec::new() string::new() ok(()) \
    default::default() self::default() 0 1",
);

/// Returns a doubt if none of the code added to these files does anything yet, so that a step with
/// this title can hardly be done. `None` if nothing was added, or the title asks for such
/// additions.
pub fn hollow(files: &[Written], title: &str) -> Option<Doubt> {
    let title = title.to_lowercase();
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    let blank = |file: &&Written| letters(&file.1) == letters(&file.2);
    if let Some((path, ..)) = files.iter().find(blank)
        && files.iter().filter(blank).count() == files.len()
        && !EMPTY_FILES.contains(path.rsplit('/').next().unwrap_or(path))
        && !WHITESPACE_WORDS.are_in(&title)
    {
        return Some(Doubt::open(format!("`{path}` gained nothing but blanks")));
    }
    if DOCUMENTATION_WORDS.are_in(&title) {
        return None;
    }
    let (mut idle, mut has_substance) = (None, false);
    for (path, before, after) in files {
        if Kind::of(path) != Kind::Code {
            continue;
        }
        let split = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let (held, now) = (split(before), split(after));
        let gained: Vec<&str> = missing(&now, &held)
            .into_iter()
            .map(|line| line.as_str())
            .collect();
        let new_stub = stubs(after)
            .into_iter()
            .find(|name| !stubs(before).contains(name));
        if let Some(name) = new_stub {
            return Some(Doubt {
                why: format!("`{name}` was written without a body"),
                is_certain: true,
            });
        }
        if let Some(line) = gained.iter().find(|line| is_unfinished(line)) {
            return Some(Doubt::open(format!(
                "what was added says that it is not finished: `{}`",
                line.trim()
            )));
        }
        let is_new = |line: &&str| gained.contains(line);
        match substance(after).iter().any(is_new) {
            true => has_substance = true,
            false if gained.iter().any(|line| !line.trim().is_empty()) => idle = Some(path),
            false => {}
        }
    }
    let idle = idle.filter(|_| !has_substance)?;
    Some(Doubt::open(format!(
        "`{idle}` gained nothing that does something"
    )))
}

fn is_unfinished(line: &str) -> bool {
    let marked = line.split(|letter: char| !letter.is_alphanumeric());
    let lower = line.to_lowercase();
    let bare = lower.trim();
    let is_aside = is_comment(bare)
        || [" # ", " // "].iter().any(|mark| bare.contains(mark))
        || ["raise", "throw", "panic", "error("]
            .iter()
            .any(|word| bare.contains(word));
    marked
        .into_iter()
        .any(|word| UNFINISHED_MARKERS.contains(word))
        || (is_aside && UNFINISHED_PHRASES.are_in(bare))
}

/// The functions in a text that do nothing.
fn stubs(text: &str) -> Vec<String> {
    let lines = code(text);
    let at = (0..lines.len())
        .filter(|at| is_function(lines[*at]) && is_stub(&lines[*at..], does_nothing));
    at.filter_map(|at| defined_by(lines[at])).collect()
}

/// The lines that do something: no comments, imports or functions that only return a value.
fn substance(text: &str) -> Vec<&str> {
    let lines = code(text);
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let bare = line.trim();
        at += 1;
        if is_comment(bare) {
            continue;
        }
        if is_function(line) {
            let value = line.rsplit_once("=>").map(|(_, value)| value);
            if value.is_some_and(|value| !value.trim().is_empty() && is_idle(value)) {
                continue;
            }
            if !is_stub(&lines[at - 1..], is_idle) {
                found.push(line);
                continue;
            }
            let is_inside = |next: &&str| next.trim().is_empty() || depth(next) > depth(line);
            while lines.get(at).is_some_and(is_inside) {
                at += 1;
            }
            continue;
        }
        let is_value = bare.starts_with(['"', '\'']) && bare.ends_with(['"', '\'']);
        let begins_idle = INERT_PREFIXES.iter().any(|start| bare.starts_with(start));
        let has_words = bare.contains(char::is_alphanumeric);
        if has_words && !is_comment(bare) && !begins_idle && !is_value && !does_nothing(bare) {
            found.push(line);
        }
    }
    found
}

fn is_function(line: &str) -> bool {
    let words = ["def ", "fn ", "func ", "fun ", "function ", "=>"];
    let is_method =
        line.trim_end().ends_with(['{', '}']) && line.contains('(') && !line.contains('=');
    words.iter().any(|word| line.contains(word)) || (is_method && defined_by(line).is_some())
}

/// Whether a statement is a placeholder for a missing body.
pub(super) fn does_nothing(statement: &str) -> bool {
    const STUBS: WordList = WordList(
        "pass ... return return_none return_null return_nil return_notimplemented todo!() unimplemented!() {}",
    );
    let statement = statement.trim().trim_end_matches(';').to_ascii_lowercase();
    let raises = [
        "raise notimplemented",
        "throw new error(",
        "todo!(",
        "unimplemented!(",
    ];
    STUBS.contains(statement.replace(' ', "_"))
        || raises.iter().any(|start| statement.starts_with(start))
}

/// Whether a statement does nothing, or is only a value or an error.
fn is_idle(statement: &str) -> bool {
    let statement = statement
        .trim()
        .trim_end_matches([';', ' '])
        .to_ascii_lowercase();
    let value = statement
        .strip_prefix("return ")
        .unwrap_or(&statement)
        .trim();
    let is_text = value.len() > 1
        && value.starts_with(['"', '\'', '`'])
        && value.ends_with(['"', '\'', '`'])
        && value.matches(['"', '\'', '`']).count() == 2;
    let fails = [
        "raise ",
        "throw ",
        "panic!(",
        "assert false",
        "sys.exit(",
        "exit(",
    ]
    .iter()
    .any(|start| statement.starts_with(start));
    let is_number = value.parse::<f64>().is_ok();
    does_nothing(&statement) || fails || is_text || is_number || TRIVIAL_VALUES.contains(value)
}
