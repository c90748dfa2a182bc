//! Line endings and the byte-order mark: removed for the editor, restored for the file.

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::time::{Duration, Instant};

/// The byte-order mark that some Windows programs put before UTF-8 text.
const MARK: char = '\u{feff}';

/// Time limit for diffing lines; afterwards the diff is coarser but still correct.
const PATIENCE: Duration = Duration::from_millis(500);

/// A text's line ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Lf,
    CrLf,
    Cr,
    Mixed,
}

impl Ending {
    /// The line ending of a text; `Lf` for a single line.
    pub(super) fn of(text: &str) -> Self {
        let mut found = lines(text)
            .map(|(_, ending)| ending)
            .filter(|ending| !ending.is_empty());
        let Some(first) = found.next() else {
            return Self::Lf;
        };
        match first {
            _ if found.any(|ending| ending != first) => Self::Mixed,
            "\r\n" => Self::CrLf,
            "\r" => Self::Cr,
            _ => Self::Lf,
        }
    }

    /// Its name in the API.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "lf",
            Self::CrLf => "crlf",
            Self::Cr => "cr",
            Self::Mixed => "mixed",
        }
    }
}

/// A text for the editor: without the byte-order mark, and with line feeds only unless its endings
/// are mixed.
pub(super) fn shown(text: &str) -> (String, Ending) {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    match Ending::of(text) {
        Ending::CrLf | Ending::Cr => {
            let ending = Ending::of(text);
            (plain(text), ending)
        }
        ending => (text.to_owned(), ending),
    }
}

/// Converts the editor's text back for the file: restores the byte-order mark and line endings of
/// `base`; new lines end in `usual`.
pub(super) fn restored(base: &str, edited: &str, usual: &str) -> String {
    let (mark, base) = match base.strip_prefix(MARK) {
        Some(base) => ("\u{feff}", base),
        None => ("", base),
    };
    let edited = plain(edited.strip_prefix(MARK).unwrap_or(edited));
    match Ending::of(base) {
        Ending::Mixed => format!("{mark}{}", mixed(base, &edited, usual)),
        _ if usual == "\n" => format!("{mark}{edited}"),
        _ => format!("{mark}{}", edited.replace('\n', usual)),
    }
}

fn mixed(base: &str, edited: &str, usual: &str) -> String {
    let old: Vec<(&str, &str)> = lines(base).collect();
    let words: Vec<&str> = old.iter().map(|(line, _)| *line).collect();
    let new: Vec<&str> = edited.split('\n').collect();
    let mut endings = vec![usual; new.len()];
    let deadline = Some(Instant::now() + PATIENCE);
    for op in capture_diff_slices_deadline(Algorithm::Myers, &words, &new, deadline) {
        if let DiffOp::Equal {
            old_index,
            new_index,
            len,
        } = op
        {
            for at in 0..len {
                let ending = old[old_index + at].1;
                // The file's last line may have no ending but no longer be the last one.
                if !ending.is_empty() {
                    endings[new_index + at] = ending;
                }
            }
        }
    }
    let last = new.len() - 1;
    let mut text = String::with_capacity(base.len().max(edited.len()));
    for (at, line) in new.iter().enumerate() {
        text.push_str(line);
        if at < last {
            text.push_str(endings[at]);
        }
    }
    text
}

fn plain(text: &str) -> String {
    match text.contains('\r') {
        true => text.replace("\r\n", "\n").replace('\r', "\n"),
        false => text.to_owned(),
    }
}

/// The lines of a text with their endings; the last one has none.
fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(at) = text.find(['\n', '\r']) else {
            rest = None;
            return Some((text, ""));
        };
        let long = if text[at..].starts_with("\r\n") { 2 } else { 1 };
        rest = Some(&text[at + long..]);
        Some((&text[..at], &text[at..at + long]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_and_given_back_is_the_file_again() {
        let files = [
            "",
            "one",
            "a\nb\n",
            "a\r\nb\r\n",
            "a\rb",
            "\u{feff}a\r\nb",
            "a\r\nb\nc\rd\n\r\n\re",
            "\u{feff}\n\r",
        ];
        for file in files {
            let (shown, _) = shown(file);
            assert_eq!(restored(file, &shown, usual(file)), file, "{file:?}");
            // The editor uses line feeds only.
            assert_eq!(
                restored(file, &plain(&shown), usual(file)),
                file,
                "{file:?}"
            );
        }
    }

    fn usual(file: &str) -> &'static str {
        match Ending::of(file.trim_start_matches(MARK)) {
            Ending::CrLf => "\r\n",
            Ending::Cr => "\r",
            Ending::Lf | Ending::Mixed => "\n",
        }
    }

    #[test]
    fn new_lines_end_as_most_do_and_the_others_as_they_did() {
        assert_eq!(
            restored("a\r\nb\r\n", "a\nx\nb\n", "\r\n"),
            "a\r\nx\r\nb\r\n"
        );
        assert_eq!(
            restored("a\r\nb\nc\r\n", "a\nx\nb\nc\n", "\r\n"),
            "a\r\nx\r\nb\nc\r\n"
        );
        assert_eq!(restored("a\r\nb", "a\nb\nc\n", "\r\n"), "a\r\nb\r\nc\r\n");
    }

    #[test]
    fn endings_have_names() {
        let named = ["x", "a\n", "a\r\n", "a\rb", "a\r\nb\n"].map(|text| Ending::of(text).as_str());
        assert_eq!(named, ["lf", "lf", "crlf", "cr", "mixed"]);
    }
}
