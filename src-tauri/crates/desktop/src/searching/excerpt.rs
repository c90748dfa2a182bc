//! Finding words in case-folded text, and highlighting them in an excerpt of the line.

use crate::wire::WordRun;

/// Maximum characters in an excerpt.
const MAX_CHARS: usize = 200;

/// Characters shown before the first match.
const BEFORE: usize = 60;

/// A text in lower case with line feeds as line endings.
#[derive(Debug)]
pub(super) struct Folded(String);

impl Folded {
    pub(super) fn of(text: &str) -> Self {
        let folded = match text.is_ascii() {
            true => text.to_ascii_lowercase(),
            false => text.to_lowercase(),
        };
        Self(match folded.contains('\r') {
            true => folded.replace("\r\n", "\n").replace('\r', "\n"),
            false => folded,
        })
    }

    /// The lines that contain all the words, as line number from 1 and rank (lower is better).
    /// `words` must be in lower case and not empty.
    pub(super) fn lines_with(&self, words: &[String]) -> Vec<(u32, u32)> {
        // The longest word is likely to be the rarest.
        let Some(rarest) = words.iter().max_by_key(|word| word.len()) else {
            return Vec::new();
        };
        let text = self.0.as_str();
        let phrase = words.join(" ");
        let mut lines = Vec::new();
        let (mut at, mut counted, mut line) = (0, 0, 1);
        while let Some(found) = text[at..].find(rarest.as_str()) {
            let found = at + found;
            line += text.as_bytes()[counted..found]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count();
            counted = found;
            let start = text[..found].rfind('\n').map_or(0, |at| at + 1);
            let end = text[found..].find('\n').map_or(text.len(), |at| found + at);
            let row = &text[start..end];
            if words.iter().all(|word| row.contains(word.as_str())) {
                let number = u32::try_from(line).unwrap_or(u32::MAX);
                lines.push((rank(row, words, &phrase), number));
            }
            at = (end + 1).min(text.len());
        }
        lines
    }
}

fn rank(row: &str, words: &[String], phrase: &str) -> u32 {
    let at_start = |word: &String| {
        row.match_indices(word.as_str()).any(|(at, _)| {
            let before = row[..at].chars().next_back();
            before.is_none_or(|before| !before.is_alphanumeric())
        })
    };
    let row_start = row.trim_start();
    let is_title =
        row_start.starts_with('#') || row_start.contains("] ") && row_start.contains('[');
    let is_phrase = row.contains(phrase);
    u32::from(!words.iter().all(at_start)) * 4 + u32::from(!is_phrase) * 2 + u32::from(!is_title)
}

/// An excerpt of a line around the first match, with the words (in lower case) highlighted.
pub(super) fn excerpt(line: &str, words: &[String]) -> Vec<WordRun> {
    let line = line.trim();
    // Lower-case forms can be longer than the original, so map each byte back to its letter.
    let mut folded = String::with_capacity(line.len());
    let mut from = Vec::with_capacity(line.len());
    for (at, c) in line.char_indices() {
        for lower in c.to_lowercase() {
            folded.push(lower);
            from.resize(folded.len(), at);
        }
    }
    from.push(line.len());
    let mut marked: Vec<(usize, usize)> = words
        .iter()
        .flat_map(|word| {
            folded.match_indices(word.as_str()).map(|(at, found)| {
                let last = from[at + found.len() - 1];
                let long = line[last..].chars().next().map_or(0, char::len_utf8);
                (from[at], last + long)
            })
        })
        .collect();
    // If several words match at the same place, the longest wins.
    marked.sort_unstable_by_key(|(from, to)| (*from, usize::MAX - to));
    let first = marked.first().map_or(0, |(start, _)| *start);
    let start = line[..first]
        .char_indices()
        .rev()
        .nth(BEFORE - 1)
        .map_or(0, |(at, _)| at);
    let end = line[start..]
        .char_indices()
        .nth(MAX_CHARS)
        .map_or(line.len(), |(at, _)| start + at);
    let mut runs: Vec<WordRun> = Vec::new();
    let mut push = |kind: &str, text: String| {
        if !text.is_empty() {
            let kind = kind.to_owned();
            runs.push(WordRun { kind, text });
        }
    };
    let mut done = start;
    let mut before = if start > 0 {
        "…".to_owned()
    } else {
        String::new()
    };
    for (from, to) in marked {
        let (from, to) = (from.max(done), to.min(end));
        if from >= to {
            continue;
        }
        before.push_str(&line[done..from]);
        push("same", std::mem::take(&mut before));
        push("added", line[from..to].to_owned());
        done = to;
    }
    before.push_str(&line[done..end]);
    if end < line.len() {
        before.push('…');
    }
    push("same", before);
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &str) -> Vec<String> {
        words.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_line_is_found_when_it_has_all_words() {
        let text =
            "# Add FLAG\r\n\r\nthe flag\rfor the Parser of a flag\n- [ ] **T1** parser: flag\n";
        let folded = Folded::of(text);
        let found = |all: &str| {
            let mut lines = folded.lines_with(&words(all));
            lines.sort_unstable();
            lines.into_iter().map(|(_, line)| line).collect::<Vec<_>>()
        };
        assert_eq!(found("flag parser"), [5, 4]);
        assert_eq!(found("flag"), [1, 5, 3, 4]);
        assert_eq!(found("flag missing"), [] as [u32; 0]);
        assert_eq!(Folded::of("x").lines_with(&[]), []);
    }

    #[test]
    fn the_words_are_marked_where_they_stand() {
        let show = |line: &str, all: &str| -> String {
            let runs = excerpt(line, &words(all)).into_iter();
            runs.map(|run| {
                if run.kind == "added" {
                    format!("<{}>", run.text)
                } else {
                    run.text
                }
            })
            .collect()
        };
        assert_eq!(
            show("  - Add the FLAG to it", "flag add"),
            "- <Add> the <FLAG> to it"
        );
        assert_eq!(show("Straße İx", "ix"), "Straße <İx>".replace("<İx>", "İx"));
        assert_eq!(show("aaa", "aa a"), "<aa><a>");
        let long = format!("{} needle {}", "x".repeat(300), "y".repeat(300));
        let shown = show(&long, "needle");
        assert!(shown.starts_with("…xxx") && shown.contains("<needle>") && shown.ends_with("y…"));
        assert!(shown.chars().count() <= MAX_CHARS + 4);
    }
}
