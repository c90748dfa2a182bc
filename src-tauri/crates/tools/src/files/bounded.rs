//! Truncates a text in the middle, keeping its head and tail.

/// Maximum length of an answer, in characters.
pub(super) const MAX_CHARS: usize = 20_000;

/// The text, or its head and tail around a marker that says how much is omitted and gives `advice`;
/// and whether it was truncated.
pub(super) fn head_and_tail(text: &str, max: usize, advice: &str) -> (String, bool) {
    let total = text.chars().count();
    if total <= max {
        return (text.to_owned(), false);
    }
    let half = max / 2;
    let byte_of = |chars: usize| {
        text.char_indices()
            .nth(chars)
            .map_or(text.len(), |(at, _)| at)
    };
    let (mut head, mut tail) = (
        text.get(..byte_of(half)).unwrap_or_default(),
        text.get(byte_of(total - half)..).unwrap_or_default(),
    );
    // Cut at a line end if lines are short.
    if let Some(at) = head.rfind('\n').filter(|at| *at > head.len() / 2) {
        head = head.get(..=at).unwrap_or(head);
    }
    if let Some(at) = tail.find('\n').filter(|at| *at < tail.len() / 2) {
        tail = tail.get(at + 1..).unwrap_or(tail);
    }
    let out = total - head.chars().count() - tail.chars().count();
    let gap = if head.ends_with('\n') { "" } else { "\n" };
    (
        format!("{head}{gap}[… {out} characters omitted: {advice} …]\n{tail}"),
        true,
    )
}

/// A line, truncated at its end.
pub(super) fn line(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_head_and_tail_as_whole_lines() {
        let text: String = (1..=100).map(|n| format!("line {n}\n")).collect();
        let (cut, truncated) = head_and_tail(&text, 60, "ask for lines");
        assert!(truncated);
        assert_eq!(
            cut,
            "line 1\nline 2\nline 3\nline 4\n\
             [… 739 characters omitted: ask for lines …]\n\
             line 98\nline 99\nline 100\n"
        );
        assert_eq!(
            head_and_tail("é".repeat(9).as_str(), 9, ""),
            ("é".repeat(9), false)
        );
        let (cut, _) = head_and_tail(&"é".repeat(10), 4, "x");
        assert_eq!(cut, "éé\n[… 6 characters omitted: x …]\néé");
    }
}
