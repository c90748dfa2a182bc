//! Finds tracebacks in a goal by the usual formats of stack frames.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// A traceback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trace {
    /// The range of the traceback, in whole lines.
    pub(super) span: Range<usize>,
    /// The line with the error message.
    pub(super) failure: Option<Range<usize>>,
}

/// One stack frame: `File "a.py", line 3, in f`, `at f (a.js:1:2)`, `#0 f () at a.c:5`, `-->
/// a.rs:1:2`, `a.go:7 +0x1d`.
const FRAME: &str = r#"(?x)^\s*(?:
    File\ ".*",\ line\ \d+
    | at\ \S.*(?::\d+\)?|\(.*\))\s*$
    | \#\d+:?\ +\S+.*[:(]\d+\)?
    | -->\ \S+:\d+
    | \d+:\ +(?:0x[0-9a-f]+\ -\ )?[\w<]\S*::\S+\s*$
    | from\ \S+:\d+:in\b
    | \S+\.\w+:\d+(?::\d+)?(?:\ \+0x[0-9a-f]+|:in\ .*|:\ \w+)?\s*$
    | goroutine\ \d+\ \[
    | \.\.\.\ \d+\ more\s*$
)"#;

/// An error message: `ValueError: …`, `java.lang.X: …`, `error[E0308]: …`, `panic: …`, `thread
/// 'main' panicked at …`.
const FAILURE: &str = r"(?x)^\s*(?:E\ +)?(?:
    (?:Exception\ in\ thread\ .*?\ |Uncaught\ |Caused\ by:\ )?(?:[\w$]+(?:\.|::))*[A-Za-z_$]*(?:[a-z][A-Z]\w*|Error|Exception)(?:\s\[\w+\])?(?::\ .*|\s*)$
    | (?:[\w$]+\.){2,}[\w$]+(?::\ .*|\s*)$
    | (?:error|fatal|panic)(?:\[\w+\])?:\ .*
    | thread\ '.*'\ (?:\(\d+\)\ )?panicked\ at\ .*
)";

const HEADER: &str = "Traceback (most recent call last)";

/// Whether a line is a machine-written header above stack frames: "Traceback …:", "stack
/// backtrace:", "During handling of the above exception, another exception occurred:". A line
/// written by a person can end with a colon too: "Fix this crash:".
fn is_header(words: &str) -> bool {
    let plain = words.to_lowercase();
    let tells = [
        "traceback",
        "backtrace",
        "stack trace",
        "stacktrace",
        "exception",
        "goroutine",
    ];
    words.ends_with(':') && tells.iter().any(|word| plain.contains(word))
}

/// The tracebacks of a goal, except in code fences.
pub(super) fn of(goal: &str) -> Vec<Trace> {
    static FRAMES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(FRAME).ok());
    static FAILURES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(FAILURE).ok());
    let is = |regex: &LazyLock<Option<Regex>>, line: &str| {
        regex.as_ref().is_some_and(|regex| regex.is_match(line))
    };
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut at = 0;
    let mut in_fence = false;
    for text in goal.split_inclusive('\n') {
        let words = text.trim();
        let is_fence = words.starts_with("```") || words.starts_with("~~~");
        in_fence ^= is_fence;
        let kind = match () {
            () if in_fence || is_fence => LineKind::Border,
            () if words.is_empty() => LineKind::Blank,
            () if is(&FRAMES, text) => LineKind::Frame,
            () if is(&FAILURES, text.trim_end()) => LineKind::Failure,
            // Source lines between frames are indented.
            () if text.starts_with("  ") || text.starts_with('\t') || is_header(words) => {
                LineKind::Beside
            }
            () if words.ends_with(')') && !words.contains(' ') => LineKind::Beside,
            // Compiler diagrams, and commands entered at a prompt.
            () if words.starts_with("$ ")
                || words
                    .trim_start_matches(char::is_numeric)
                    .trim_start()
                    .starts_with('|') =>
            {
                LineKind::Beside
            }
            () => LineKind::Prose,
        };
        lines.push(Line { at, text, kind });
        at += text.len();
    }
    let mut found = Vec::new();
    let mut nth = 0;
    while nth < lines.len() {
        let is_panic = lines[nth].text.starts_with("thread '");
        if lines[nth].kind != LineKind::Frame && !(is_panic && lines[nth].kind == LineKind::Failure)
        {
            nth += 1;
            continue;
        }
        let belongs = |line: &Line<'_>| {
            !matches!(
                line.kind,
                LineKind::Border | LineKind::Blank | LineKind::Prose
            )
        };
        let before = lines[..nth].iter().rev().take_while(|line| belongs(line));
        let first = nth - before.count();
        // The panic message follows the line "thread 'main' panicked at a.rs:1:2:".
        let is_said = |line: &Line<'_>| belongs(line) || is_panic && line.kind == LineKind::Prose;
        let after = lines[nth..].iter().take_while(|line| is_said(line));
        let mut last = nth + after.count();
        // More frames may follow after a blank line.
        while lines
            .get(last)
            .is_some_and(|line| line.kind == LineKind::Blank)
            && lines
                .get(last + 1)
                .is_some_and(|line| line.kind == LineKind::Frame)
        {
            let after = lines[last + 1..].iter().take_while(|line| belongs(line));
            last += 1 + after.count();
        }
        let lines = &lines[first..last];
        let mut failure = lines
            .iter()
            .rev()
            .find(|line| line.kind == LineKind::Failure);
        if is_panic {
            failure = lines
                .iter()
                .find(|line| line.kind == LineKind::Prose)
                .or(failure);
        }
        // Text before the header on the same line was written by the person.
        let begins = lines[0].text.find(HEADER).unwrap_or(0);
        found.push(Trace {
            span: lines[0].at + begins
                ..lines[0].at + lines.iter().map(|line| line.text.len()).sum::<usize>(),
            failure: failure.map(|line| line.at..line.at + line.text.len()),
        });
        nth = last;
    }
    found
}

struct Line<'a> {
    at: usize,
    text: &'a str,
    kind: LineKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Blank,
    Frame,
    Failure,
    /// A line that belongs to the frames next to it.
    Beside,
    Prose,
    /// A code fence or the code inside one.
    Border,
}
