//! The files of the repository, and the code, comments and literals of a Rust file.
//!
//! Knows just enough of the language to find the end of a comment, a literal, or an item under
//! `#[cfg(test)]`. Offsets and lines stay those of the file: text that does not belong to a view is
//! blanked out, not removed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::process::{Failure, output, program};

/// The paths of all files that Git doesn't ignore, sorted.
pub(crate) fn paths(root: &Path) -> Result<Vec<String>, Failure> {
    let list = [
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        "-z",
    ];
    let list = output(program(root, "git").args(list))?;
    let paths = list.split('\0').filter(|path| !path.is_empty());
    let mut paths: Vec<String> = paths.map(str::to_owned).collect();
    paths.sort_unstable();
    paths.dedup();
    Ok(paths)
}

/// The text files among `paths`, with their texts. Leaves out binary files, such as images, and
/// files that were just deleted.
pub(crate) fn texts<'a>(root: &Path, paths: &'a [String]) -> Vec<(&'a str, String)> {
    let texts = paths.iter().filter_map(|path| {
        let file = root.join(path);
        let is_file = file.symlink_metadata().is_ok_and(|file| file.is_file());
        let text = is_file
            .then(|| std::fs::read_to_string(&file).ok())
            .flatten();
        Some((path.as_str(), text?))
    });
    texts.collect()
}

/// One Rust file in two views of equal length.
pub(crate) struct Source {
    /// The code, with comments and the contents of literals blanked out.
    pub(crate) code: String,
    /// The comments, with everything else blanked out.
    pub(crate) comments: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Code,
    Comment,
    Literal,
}

impl Source {
    /// Splits a file into its views.
    pub(crate) fn read(text: &str) -> Self {
        let mut kinds = vec![Kind::Code; text.len()];
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let (kind, end) = piece(bytes, at);
            kinds[at..end].fill(kind);
            at = end;
        }
        let view = |wanted: Kind| -> String {
            let keep = |at: usize, c: char| c == '\n' || kinds[at] == wanted;
            text.char_indices()
                .map(|(at, c)| {
                    if keep(at, c) {
                        c.to_string()
                    } else {
                        " ".repeat(c.len_utf8())
                    }
                })
                .collect()
        };
        Self {
            code: view(Kind::Code),
            comments: view(Kind::Comment),
        }
    }
}

/// The kind of the token that starts at `at`, and its end.
fn piece(bytes: &[u8], at: usize) -> (Kind, usize) {
    let rest = &bytes[at..];
    if rest.starts_with(b"//") {
        let length = rest
            .iter()
            .position(|&byte| byte == b'\n')
            .unwrap_or(rest.len());
        return (Kind::Comment, at + length);
    }
    if rest.starts_with(b"/*") {
        return (Kind::Comment, block_comment(bytes, at));
    }
    match rest[0] {
        b'"' => (Kind::Literal, quoted(bytes, at + 1, b'"')),
        b'r' if starts_word(bytes, at) => match raw_string(bytes, at) {
            Some(end) => (Kind::Literal, end),
            None => (Kind::Code, at + 1),
        },
        b'\'' => match character(bytes, at) {
            Some(end) => (Kind::Literal, end),
            None => (Kind::Code, at + 1),
        },
        _ => (Kind::Code, at + 1),
    }
}

fn block_comment(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0_usize);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if bytes[at..].starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    bytes.len()
}

/// The end of a quoted literal whose content starts at `at`.
fn quoted(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Whether the `r` at `at` can start a raw string: it must be at the start of a word, or follow
/// only `b` or `c`.
fn starts_word(bytes: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map(|at| bytes[at]);
    match before(1) {
        Some(b'b' | b'c') => !before(2).is_some_and(is_word),
        Some(byte) => !is_word(byte),
        None => true,
    }
}

fn raw_string(bytes: &[u8], at: usize) -> Option<usize> {
    let hashes = bytes[at + 1..]
        .iter()
        .take_while(|&&byte| byte == b'#')
        .count();
    let open = at + 1 + hashes;
    if bytes.get(open) != Some(&b'"') {
        return None;
    }
    let close: Vec<u8> = std::iter::once(b'"')
        .chain(std::iter::repeat_n(b'#', hashes))
        .collect();
    let inside = &bytes[open + 1..];
    let length = inside
        .windows(close.len())
        .position(|window| window == close);
    Some(length.map_or(bytes.len(), |length| open + 1 + length + close.len()))
}

/// The end of a character literal; `None` for a lifetime.
fn character(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at + 1)? {
        b'\\' => Some(quoted(bytes, at + 1, b'\'')),
        _ => {
            // One character of up to four bytes, then the closing quote.
            let text = std::str::from_utf8(&bytes[at + 1..bytes.len().min(at + 5)])
                .or_else(|error| std::str::from_utf8(&bytes[at + 1..at + 1 + error.valid_up_to()]));
            let close = at + 1 + text.ok()?.chars().next()?.len_utf8();
            (bytes.get(close) == Some(&b'\'')).then_some(close + 1)
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Blanks out test-only code. Returns the names of test modules that have their own files.
pub(crate) fn cut_tests(code: &str) -> (String, Vec<String>) {
    const MARK: &str = "#[cfg(test)]";
    let mut kept = code.to_owned();
    let mut modules = Vec::new();
    if code.contains("#![cfg(test)]") {
        return (blank(code), modules);
    }
    let mut from = 0;
    while let Some(found) = code[from..].find(MARK) {
        let start = from + found;
        let mut item = start + MARK.len();
        while code[item..].trim_start().starts_with("#[") {
            item += code[item..].find('[').unwrap_or(0);
            item = closing(code, item);
        }
        let end = item_end(code, item);
        let words: Vec<&str> = code[item..end]
            .trim_end_matches(';')
            .split_whitespace()
            .collect();
        if let [.., "mod", name] = words[..] {
            modules.push(name.to_owned());
        }
        kept.replace_range(start..end, &blank(&code[start..end]));
        from = end;
    }
    (kept, modules)
}

/// Files that are declared as modules under `#[cfg(test)]`.
pub(crate) fn test_files(files: &[(&str, String)]) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".rs")) {
        let path = Path::new(path);
        let folder = path.parent().unwrap_or(Path::new(""));
        let folder = match path.file_stem().and_then(|stem| stem.to_str()) {
            None | Some("lib" | "main" | "mod") => folder.to_owned(),
            Some(stem) => folder.join(stem),
        };
        for module in cut_tests(&Source::read(text).code).1 {
            found.insert(folder.join(format!("{module}.rs")));
            found.insert(folder.join(module).join("mod.rs"));
        }
    }
    found
}

/// The end of the item that starts at `start`: its closing brace, or its semicolon.
fn item_end(code: &str, start: usize) -> usize {
    let mut at = start;
    while let Some(&byte) = code.as_bytes().get(at) {
        match byte {
            b'{' => return closing(code, at),
            b';' => return at + 1,
            b'(' | b'[' => at = closing(code, at),
            _ => at += 1,
        }
    }
    code.len()
}

/// The offset just past the bracket that closes the one at `open`.
fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return at + 1;
        }
    }
    code.len()
}

fn blank(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
        .collect()
}

/// All paths below `root` that the code names, each with its offset. Use-trees are expanded.
pub(crate) fn paths_below(code: &str, root: &str) -> Vec<(usize, String)> {
    let mut paths = Vec::new();
    for (start, _) in code.match_indices(root) {
        let end = start + root.len();
        let alone = !start
            .checked_sub(1)
            .is_some_and(|before| is_word(code.as_bytes()[before]));
        if alone && code[end..].starts_with("::") {
            use_tree(code, end + 2, root, &mut paths);
        }
    }
    paths
}

/// Reads one branch of a use-tree at `at` and returns its end.
fn use_tree(code: &str, at: usize, parent: &str, paths: &mut Vec<(usize, String)>) -> usize {
    let at = skip_blanks(code, at);
    let rest = &code[at..];
    if rest.starts_with('{') {
        let end = closing(code, at);
        let mut at = at + 1;
        while at < end.saturating_sub(1) {
            at = use_tree(code, at, parent, paths).max(at + 1);
            at = code[at..end].find(',').map_or(end, |comma| at + comma + 1);
            at = skip_blanks(code, at);
        }
        return end;
    }
    let length = rest.bytes().take_while(|&byte| is_word(byte)).count();
    let name = if rest.starts_with('*') {
        "*"
    } else {
        &rest[..length]
    };
    if name.is_empty() {
        return at;
    }
    let path = format!("{parent}::{name}");
    let end = at + name.len();
    if code[end..].starts_with("::") && !code[end..].starts_with("::<") {
        return use_tree(code, end + 2, &path, paths);
    }
    paths.push((at, path));
    end
}

fn skip_blanks(code: &str, at: usize) -> usize {
    at + code[at..]
        .bytes()
        .take_while(u8::is_ascii_whitespace)
        .count()
}
