//! The text of a task, and the rules that need only the task's words.
//!
//! The rules know only English; for a text in another language, only `vague_short` can be raised.
//! Matching respects word boundaries, so "latest" is not a test and "stubborn" is not a stub. The
//! boundaries are ASCII ones, which keeps the regular expressions on their fast path for text in
//! any script.

use std::cell::OnceCell;
use std::sync::LazyLock;

use plan::{Task, ToolName};
use regex::Regex;

use crate::hints::Hints;
use crate::identity::fingerprint;
use crate::word_lists::{
    BORDERS, DETERMINERS, GENERIC_WORDS, PLACEHOLDER_NOUNS, STUB_NOUNS, TODO_NOUNS,
};

/// The texts of one task, joined in advance.
pub(crate) struct TaskText {
    joined: String,
    description_end: usize,
    accept_end: usize,
    prose_end: usize,
    identity: u64,
    hints: Hints,
    /// Title and body without program code; `None` if they contain no code.
    acted: Option<String>,
}

impl TaskText {
    pub(crate) fn of(task: &Task) -> Self {
        let mut joined = String::with_capacity(task.title.len() + task.body.len() + 64);
        joined.push_str(&task.title);
        push_line(&mut joined, &task.body);
        let description_end = joined.len();
        let identity = fingerprint(&joined);
        task.accept
            .iter()
            .for_each(|accept| push_line(&mut joined, accept));
        let accept_end = joined.len();
        task.values("note")
            .for_each(|note| push_line(&mut joined, note));
        let prose_end = joined.len();
        task.verify
            .iter()
            .for_each(|verify| push_line(&mut joined, verify));
        commands(task).for_each(|command| push_line(&mut joined, command));
        Self {
            hints: Hints::of(&joined),
            acted: without_programs(&joined[..description_end]),
            joined,
            description_end,
            accept_end,
            prose_end,
            identity,
        }
    }

    /// The fingerprint of title and body.
    pub(crate) fn identity(&self) -> u64 {
        self.identity
    }

    /// The rules that may apply to the text.
    pub(crate) fn hints(&self) -> Hints {
        self.hints
    }

    /// Title and body.
    pub(crate) fn description(&self) -> &str {
        &self.joined[..self.description_end]
    }

    /// Title, body and acceptance lines.
    pub(crate) fn specification(&self) -> &str {
        &self.joined[..self.accept_end]
    }

    /// Text for readers: title, body, acceptance lines and notes.
    pub(crate) fn prose(&self) -> &str {
        &self.joined[..self.prose_end]
    }

    /// Text that may describe actions: title and body without program code, followed by notes and
    /// command lines. Acceptance lines are left out because they describe results.
    pub(crate) fn actions(&self) -> [&str; 2] {
        let description = self.acted.as_deref().unwrap_or(self.description());
        [description, &self.joined[self.accept_end..]]
    }

    /// The complete text.
    pub(crate) fn all(&self) -> &str {
        &self.joined
    }
}

/// The text without code blocks, except those that contain command lines; `None` if the text has no
/// code blocks.
fn without_programs(text: &str) -> Option<String> {
    const COMMANDS: [&str; 9] = [
        "",
        "sh",
        "bash",
        "shell",
        "zsh",
        "console",
        "powershell",
        "cmd",
        "text",
    ];
    let fence = |line: &str| {
        let words = line.trim_start();
        words
            .strip_prefix("```")
            .or_else(|| words.strip_prefix("~~~"))
            .map(str::to_owned)
    };
    if !text.contains("```") && !text.contains("~~~") {
        return None;
    }
    let mut left = String::with_capacity(text.len());
    let mut inside: Option<bool> = None;
    for line in text.split_inclusive('\n') {
        let mark = fence(line);
        let is_program = inside == Some(true);
        if !is_program {
            left.push_str(line);
        }
        inside = match (inside, mark) {
            (None, Some(info)) => {
                let language = info
                    .trim_start_matches(['`', '~'])
                    .trim()
                    .to_ascii_lowercase();
                let language = language.split([' ', '{', ':']).next().unwrap_or_default();
                Some(!COMMANDS.contains(&language))
            }
            (Some(_), Some(info)) if info.trim_matches(['`', '~', ' ', '\r', '\n']).is_empty() => {
                None
            }
            (inside, _) => inside,
        };
    }
    Some(left)
}

fn push_line(to: &mut String, line: &str) {
    if !line.is_empty() {
        to.push('\n');
        to.push_str(line);
    }
}

/// The command lines of the task's calls.
pub(crate) fn commands(task: &Task) -> impl Iterator<Item = &str> {
    task.calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok())
        .filter(|call| call.tool == ToolName::RunCommand)
        .filter_map(|call| call.string("command"))
}

/// The first vague phrase, as written; `None` if there is none.
///
/// `goal` gives the vocabulary of the plan: in a plan for a todo app, "todo" is a noun. `is_told`
/// tells whether the other words make a phrase specific.
pub(crate) fn vague_phrase<'a>(
    text: &'a str,
    goal: Option<&str>,
    is_told: impl Fn(&str) -> bool,
) -> Option<&'a str> {
    static PHRASES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i-u)\b(?:fix stuff|clean[ -]?up|misc(?:ellaneous)?|various|todo|something|somehow|refactor everything|placeholder|tbd|stub(?:s|bed)?)\b",
        )
        .ok()
    });
    let mut ticks = BacktickTracker::of(text);
    let is_in_goal = OnceCell::new();
    let in_goal = || {
        let says_todo = |goal: &str| goal.to_ascii_lowercase().contains("todo");
        *is_in_goal.get_or_init(|| goal.is_some_and(says_todo))
    };
    let found = PHRASES.as_ref()?.find_iter(text).find(|phrase| {
        let (before, after) = (&text[..phrase.start()], &text[phrase.end()..]);
        let in_code = ticks.are_open_at(phrase.start());
        !in_code
            && !is_name_part(before, after)
            && !is_all(phrase.as_str(), text, after)
            && !is_thing(
                &phrase.as_str().to_ascii_lowercase(),
                before,
                after,
                in_goal,
            )
            && !is_told(phrase.as_str())
    })?;
    Some(found.as_str())
}

/// Whether "todo" is the Romance word for "all": words of such a language are next to it, or it is
/// followed by a word where English would have a colon or nothing.
fn is_all(phrase: &str, text: &str, after: &str) -> bool {
    const ROMANCE: &str = "el la los las de del que y con en para por se una e o os as do da com não uma un il di che per";
    let of_romance = |word: &String| ROMANCE.split(' ').any(|known| known == word);
    let words = || text.split_whitespace().map(str::to_lowercase);
    let mut behind = after.chars();
    let has_word_behind =
        behind.next() == Some(' ') && behind.next().is_some_and(char::is_alphabetic);
    phrase == "todo" && (has_word_behind || words().filter(of_romance).take(2).count() == 2)
}

/// Tracks whether a code span is open on the current line.
struct BacktickTracker<'a> {
    text: &'a str,
    at: usize,
    is_open: bool,
}

impl<'a> BacktickTracker<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            is_open: false,
        }
    }

    /// Whether a code span is open at this offset, which must not be before the last one queried.
    fn are_open_at(&mut self, at: usize) -> bool {
        for byte in self.text.as_bytes()[self.at..at].iter() {
            match byte {
                b'`' => self.is_open = !self.is_open,
                b'\n' => self.is_open = false,
                _ => {}
            }
        }
        self.at = at;
        self.is_open
    }
}

/// Whether a text contains the word "TBD".
pub(crate) fn says_tbd(text: &str) -> bool {
    static TBD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i-u)\btbd\b").ok());
    let mut ticks = BacktickTracker::of(text);
    TBD.as_ref().is_some_and(|tbd| {
        tbd.find_iter(text).any(|found| {
            !ticks.are_open_at(found.start())
                && !is_name_part(&text[..found.start()], &text[found.end()..])
        })
    })
}

/// Whether a path is a placeholder: a file or folder called "tbd", with or without an extension.
pub(crate) fn is_tbd_path(path: &str) -> bool {
    let mut triples = path.as_bytes().windows(3);
    if !triples.any(|letters| letters[1] | 32 == b'b' && letters.eq_ignore_ascii_case(b"tbd")) {
        return false;
    }
    let name = path
        .trim()
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    name.split('.')
        .next()
        .unwrap_or_default()
        .eq_ignore_ascii_case("tbd")
}

/// Whether a path names a real file, that is, it is neither blank nor a placeholder.
pub(crate) fn is_real_path(path: &str) -> bool {
    !path.trim().is_empty() && !is_tbd_path(path)
}

/// Whether the word is part of a path or an identifier and so doesn't postpone anything.
fn is_name_part(before: &str, after: &str) -> bool {
    let joined_before = before.ends_with(['/', '_', '-', '.', '@', '#']);
    let mut rest = after.chars();
    let joined_after = match rest.next() {
        Some('/' | '_' | '-' | '(') => true,
        Some('.') => rest.next().is_some_and(char::is_alphanumeric),
        Some(_) | None => false,
    };
    joined_before || joined_after
}

/// Whether the phrase names a part of the product rather than work that is postponed.
fn is_thing(phrase: &str, before: &str, after: &str, in_goal: impl Fn() -> bool) -> bool {
    let next = after
        .strip_prefix(' ')
        .and_then(|rest| rest.split(|c: char| !c.is_alphanumeric()).next())
        .unwrap_or_default()
        .to_ascii_lowercase();
    match phrase {
        "todo" => {
            let previous = before.split_whitespace().next_back().unwrap_or_default();
            let has_determiner = DETERMINERS.contains(&previous.to_ascii_lowercase().as_str());
            has_determiner || in_goal() || TODO_NOUNS.contains(&next.as_str())
        }
        // "the cleanup loop" is a thing; "cleanup of the loop" is work.
        "cleanup" | "clean-up" => {
            !next.is_empty() && next != "of" && !BORDERS.contains(&next.as_str())
        }
        "placeholder" => PLACEHOLDER_NOUNS.contains(&next.as_str()),
        "stub" => STUB_NOUNS.contains(&next.as_str()),
        _ => false,
    }
}

/// Whether a text mentions a test or verification.
pub(crate) fn says_test(text: &str) -> bool {
    static TEST: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(&format!(
            r"(?i:(?:^|[^a-z])(?:{TEST_WORDS})(?:$|[^a-z]))|{TEST_NAMES}"
        ))
        .ok()
    });
    TEST.as_ref().is_some_and(|test| test.is_match(text))
}

/// Whether a text mentions a check of any kind.
pub(crate) fn says_check(text: &str) -> bool {
    static CHECK: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let more = "validat(?:e|es|ed|ing|ion|ions)|assert(?:s|ed|ing|ion|ions)?|regressions?|lint(?:s|ed|er|ers|ing)?|clippy";
        Regex::new(&format!(
            r"(?i:(?:^|[^a-z])(?:{TEST_WORDS}|{more})(?:$|[^a-z])|(?:^|\n)\W*confirm\s)|{TEST_NAMES}"
        ))
        .ok()
    });
    may_say_check(text) && CHECK.as_ref().is_some_and(|check| check.is_match(text))
}

/// A quick byte scan that spares most texts the regular expression: whether one of its words may
/// occur. Non-ASCII text is left to the expression.
fn may_say_check(text: &str) -> bool {
    let bytes = text.as_bytes();
    if !text.is_ascii() {
        return true;
    }
    bytes.windows(4).any(|letters| {
        let rest: &[&[u8; 3]] = match letters[0] | 32 {
            b't' => &[b"est"],
            b'v' => &[b"eri", b"ali"],
            b'a' => &[b"sse"],
            b'r' => &[b"egr"],
            b'l' => &[b"int"],
            b'c' => &[b"lip", b"onf"],
            _ => return false,
        };
        rest.iter()
            .any(|rest| letters[1..].eq_ignore_ascii_case(*rest))
    })
}

const TEST_WORDS: &str = "tests?|tested|testing|tester|testable|testcases?|testsuite|unittests?|pytest|doctests?|retests?|vitest|nextest|verif(?:y|ies|ied|ying|ication)";
/// In `LoginTest` and `TestLogin`, an uppercase letter marks the beginning of a word.
const TEST_NAMES: &str = "[a-z]Tests?(?:$|[^a-z])|(?:^|[^A-Za-z])Test[A-Z]";

/// Whether a text has no content, because all its words would fit any plan.
pub(crate) fn is_filler(text: &str) -> bool {
    let mut words = text
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .peekable();
    words.peek().is_some()
        && words.all(|word| {
            GENERIC_WORDS
                .binary_search(&word.to_ascii_lowercase().as_str())
                .is_ok()
        })
}

#[cfg(test)]
mod tests;
