//! Text for display: on one line, as a sentence, with counts.

/// Joins the words of a text on one line.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Capitalizes the first letter and adds a full stop if no end mark is there.
pub fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let Some(first) = letters.next() else {
        return String::new();
    };
    let end = if words.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    format!("{}{}{end}", first.to_uppercase(), letters.as_str())
}

/// A count with its noun: `1 file`, `2 files`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Converts a count to the `u32` of wire types; a larger one becomes the maximum.
pub fn number(count: impl TryInto<u32>) -> u32 {
    count.try_into().unwrap_or(u32::MAX)
}

/// A line as a terminal would show it: without escape sequences and control characters, and with
/// only the last of the parts that carriage returns overwrite.
pub fn without_sequences(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line.trim_end_matches('\r').chars();
    while let Some(c) = rest.next() {
        match c {
            '\u{1b}' => match rest.next() {
                Some('[') => skip_parameters(&mut rest),
                // A title, link or device string, up to its terminator.
                Some(']' | 'P' | 'X' | '^' | '_') => skip_string(&mut rest),
                // A character set is followed by one more character.
                Some(' '..='/') => {
                    rest.next();
                }
                Some(_) | None => {}
            },
            '\u{9b}' => skip_parameters(&mut rest),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => skip_string(&mut rest),
            '\r' => out.clear(),
            '\t' => out.push(c),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// Skips to the letter that ends the sequence.
fn skip_parameters(rest: &mut std::str::Chars<'_>) {
    rest.find(|c| !matches!(c, ' '..='?'));
}

/// Skips to BEL or ST.
fn skip_string(rest: &mut std::str::Chars<'_>) {
    while let Some(c) = rest.next() {
        match c {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                rest.next();
                return;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::without_sequences;

    #[test]
    fn a_line_is_what_the_terminal_would_show() {
        let cases = [
            ("plain, café, 日本語", "plain, café, 日本語"),
            (
                "\u{1b}[1;31mred\u{1b}[0m and \u{9b}32mgreen",
                "red and green",
            ),
            ("\u{1b}]0;title\u{7}text", "text"),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}(Btext\u{1b}=", "text"),
            ("10 %\r50 %\r100 %\r", "100 %"),
            ("a\u{8}\u{7}b\tc", "ab\tc"),
            ("cut \u{1b}[3", "cut "),
            ("cut \u{1b}", "cut "),
        ];
        for (line, shown) in cases {
            assert_eq!(without_sequences(line), shown, "{line:?}");
        }
    }
}
